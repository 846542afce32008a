#pragma once

#include <string>

#include "shisanzhi/v1/arrangement.pb.h"
#include "shisanzhi/v1/round.pb.h"
#include "shisanzhi/v1/ruleset.pb.h"

namespace shisanzhi {

// A language that the service speaks.
enum class Language { kZhHant, kEnglish };

// Picks the language of a text.
const std::string& TextIn(Language language, const v1::LocalizedText& text);

// What a ruleset calls things in one language, as GetRuleset answered. What it does not name, since only a
// newer server knows it, is shown as its number.
struct Names {
  v1::RulesetInfo ruleset;
  Language language;

  // Names a row: front.
  std::string Row(int row) const;

  // Names a category: full house.
  std::string Category(int category) const;

  // Names a row's value: full house K 7.
  std::string Value(const v1::RowValue& value) const;

  // Names a royalty: trips in front. The dragon's has no row and no category.
  std::string Royalty(const v1::Royalty& royalty) const;
};

}  // namespace shisanzhi
