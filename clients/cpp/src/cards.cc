#include "shisanzhi/cards.h"

#include <array>
#include <cctype>
#include <sstream>

namespace shisanzhi {
namespace {

// In the order of the contract's numbers: a card is 16 times its suit, from 1, plus its rank, from 2.
constexpr std::string_view kRanks = "23456789TJQKA";
constexpr std::string_view kSuits = "cdhs";
constexpr std::array<std::string_view, 4> kSymbols = {"♣", "♦", "♥", "♠"};

std::size_t SuitOf(std::string_view text) {
  for (std::size_t suit = 0; suit < kSymbols.size(); ++suit) {
    if (text == kSymbols[suit]) {
      return suit;
    }
  }
  return text.size() == 1 ? kSuits.find(static_cast<char>(std::tolower(text[0]))) : kSuits.npos;
}

bool IsCard(int card) { return card != v1::CARD_UNSPECIFIED && v1::Card_IsValid(card); }

}  // namespace

std::optional<v1::Card> ParseCard(std::string_view text) {
  if (text.empty()) {
    return std::nullopt;
  }
  const bool ten = text.substr(0, 2) == "10";
  const auto rank = kRanks.find(ten ? 'T' : static_cast<char>(std::toupper(text[0])));
  const auto suit = SuitOf(text.substr(ten ? 2 : 1));
  if (rank == kRanks.npos || suit == kSuits.npos) {
    return std::nullopt;
  }
  return static_cast<v1::Card>(16 * (suit + 1) + rank + 2);
}

std::optional<std::vector<v1::Card>> ParseCards(std::string_view text) {
  std::vector<v1::Card> cards;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    const auto card = ParseCard(word);
    if (!card) {
      return std::nullopt;
    }
    cards.push_back(*card);
  }
  return cards;
}

std::string FormatCard(int card) {
  if (!IsCard(card)) {
    return std::to_string(card);
  }
  return FormatRank(card % 16) + kSuits[card / 16 - 1];
}

std::string PrettyCard(int card) {
  if (!IsCard(card)) {
    return std::to_string(card);
  }
  std::string rank = card % 16 == v1::RANK_TEN ? "10" : FormatRank(card % 16);
  return rank.append(kSymbols[card / 16 - 1]);
}

std::string FormatRank(int rank) {
  if (rank < v1::RANK_TWO || rank > v1::RANK_ACE) {
    return std::to_string(rank);
  }
  return std::string(1, kRanks[rank - v1::RANK_TWO]);
}

}  // namespace shisanzhi
