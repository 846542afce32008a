#include "shisanzhi/names.h"

#include "shisanzhi/cards.h"

namespace shisanzhi {

const std::string& TextIn(Language language, const v1::LocalizedText& text) {
  return language == Language::kZhHant ? text.zh_hant() : text.en();
}

std::string Names::Row(int row) const {
  for (const auto& line : ruleset.rows()) {
    if (line.row() == row) {
      return TextIn(language, line.name());
    }
  }
  return std::to_string(row);
}

std::string Names::Category(int category) const {
  for (const auto& line : ruleset.ladder()) {
    if (line.category() == category) {
      return TextIn(language, line.name());
    }
  }
  return std::to_string(category);
}

std::string Names::Value(const v1::RowValue& value) const {
  std::string text = Category(value.category());
  for (int rank : value.ranks()) {
    text += " " + FormatRank(rank);
  }
  return text;
}

std::string Names::Royalty(const v1::Royalty& royalty) const {
  for (const auto& line : ruleset.royalties()) {
    if (line.row() == royalty.row() && line.category() == royalty.category()) {
      return TextIn(language, line.name());
    }
  }
  return Row(royalty.row()) + " " + Category(royalty.category());
}

}  // namespace shisanzhi
