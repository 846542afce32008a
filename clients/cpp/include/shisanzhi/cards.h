#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shisanzhi/v1/card.pb.h"

namespace shisanzhi {

// Reads a card: As, td, 10d, A♠.
std::optional<v1::Card> ParseCard(std::string_view text);

// Reads cards with blanks between them; nothing if one is no card.
std::optional<std::vector<v1::Card>> ParseCards(std::string_view text);

// Cards to be written are numbers, as the messages have them: v1::Card_Name() gives an empty text for a card
// that only a newer server knows. Here it is its number.

// Writes a card as ParseCard reads it: As.
std::string FormatCard(int card);

// Writes a card for people: A♠, 10♦.
std::string PrettyCard(int card);

// Writes a rank: 2 to 9, T, J, Q, K, A.
std::string FormatRank(int rank);

// Writes cards with blanks between them.
template <typename Cards>
std::string FormatCards(const Cards& cards) {
  std::string text;
  for (int card : cards) {
    text += (text.empty() ? "" : " ") + FormatCard(card);
  }
  return text;
}

}  // namespace shisanzhi
