#include "shisanzhi/deal.h"

#include <openssl/hmac.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "shisanzhi/cards.h"

namespace shisanzhi {
namespace {

const std::string kAlgorithm = "shisanzhi.v1";

using Digest = std::array<unsigned char, SHA256_DIGEST_LENGTH>;

Digest Hmac(const std::string& key, const std::string& message) {
  Digest digest;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(message.data()), message.size(), digest.data(), nullptr);
  return digest;
}

std::string Bytes(const Digest& digest) { return {digest.begin(), digest.end()}; }

std::string Hexadecimal(const std::string& bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : bytes) {
    text += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return text;
}

std::string Sha256(const std::string& bytes) {
  Digest digest;
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  return Bytes(digest);
}

// Numbers drawn from the stream of one purpose.
class Draws {
 public:
  Draws(std::string key, std::string label) : key_(std::move(key)), label_(std::move(label)) {}

  // Draws a number below a limit, each as likely as the others.
  std::uint32_t Below(std::uint64_t limit) {
    constexpr std::uint64_t kAll = std::uint64_t{1} << 32;
    std::uint64_t word = 0;
    do {
      word = Word();
    } while (word >= kAll - kAll % limit);
    return static_cast<std::uint32_t>(word % limit);
  }

 private:
  std::uint32_t Word() {
    if (place_ == block_.size()) {
      block_ = Hmac(key_, kAlgorithm + "/" + label_ + "/" + std::to_string(blocks_++));
      place_ = 0;
    }
    std::uint32_t word = 0;
    for (int byte = 0; byte < 4; ++byte) {
      word = word << 8 | block_[place_++];
    }
    return word;
  }

  std::string key_;
  std::string label_;
  int blocks_ = 0;
  Digest block_{};
  std::size_t place_ = block_.size();
};

// Mixes the players' seeds in, so that the house alone does not choose the deal.
std::string Key(const v1::DealRoundRequest& request) {
  if (request.player_seeds().empty()) {
    return request.seed();
  }
  std::string message = kAlgorithm + "/mix";
  for (const auto& each : request.player_seeds()) {
    message += static_cast<char>(each.size()) + each;
  }
  return Bytes(Hmac(request.seed(), message));
}

// Clubs, diamonds, hearts, spades, each from 2 to A, and in BONUS spades once more.
std::vector<v1::Card> CanonicalDeck(bool bonus) {
  std::vector<int> suits = {1, 2, 3, 4};
  if (bonus) {
    suits.push_back(v1::SUIT_SPADES);
  }
  std::vector<v1::Card> deck;
  for (int suit : suits) {
    for (int rank = v1::RANK_TWO; rank <= v1::RANK_ACE; ++rank) {
      deck.push_back(static_cast<v1::Card>(16 * suit + rank));
    }
  }
  return deck;
}

// What a card that is turned up counts off: an ace 1.
int Number(v1::Card card) { return card % 16 == v1::RANK_ACE ? 1 : card % 16; }

// What a deal says, in the order in which it is compared.
std::vector<std::string> Described(const v1::DealRoundResponse& deal) {
  std::string hands;
  for (const auto& hand : deal.hands()) {
    hands += (hands.empty() ? "" : " / ") + FormatCards(hand.cards());
  }
  return {
      "the algorithm " + deal.algorithm(),
      "the commitment " + Hexadecimal(deal.commitment()),
      "the dealer " + std::to_string(deal.dealer()),
      "the cut card " + FormatCard(deal.cut_card()),
      "the turned up card " + FormatCard(deal.turned_up_card()),
      "the first receiver " + std::to_string(deal.first_receiver()),
      "the hands " + hands,
  };
}

}  // namespace

std::string VerifyDeal(
    const std::string& commitment, const v1::DealRoundRequest& request, const v1::DealRoundResponse& dealt) {
  const auto repeated = RepeatDeal(request);
  if (repeated.commitment() != commitment) {
    return "expected the seed that was committed to, got another";
  }
  const auto expected = Described(repeated);
  const auto got = Described(dealt);
  const auto [other, found] = std::mismatch(expected.begin(), expected.end(), got.begin());
  return other == expected.end() ? "" : "expected " + *other + ", got " + *found;
}

v1::DealRoundResponse RepeatDeal(const v1::DealRoundRequest& request) {
  if (request.ruleset() != v1::RULESET_BONUS && request.ruleset() != v1::RULESET_CLASSIC) {
    throw std::invalid_argument(
        "expected a ruleset that " + kAlgorithm + " deals, got " + std::to_string(request.ruleset()));
  }
  const bool bonus = request.ruleset() == v1::RULESET_BONUS;
  const std::string round = (bonus ? "bonus/" : "classic/") + std::to_string(std::max(request.round(), 1u));
  const std::string key = Key(request);
  const std::uint32_t dealer = request.has_dealer() ? request.dealer() : Draws(key, "dealer/" + round).Below(4);

  auto deck = CanonicalDeck(bonus);
  Draws draws(key, "deal/" + round);
  for (std::size_t last = deck.size() - 1; last > 0; --last) {
    std::swap(deck[last], deck[draws.Below(last + 1)]);
  }
  for (const auto cut : request.cuts()) {
    std::rotate(deck.begin(), deck.begin() + cut % deck.size(), deck.end());
  }
  const auto shown = deck.begin() + draws.Below(deck.size());

  v1::DealRoundResponse deal;
  deal.set_seed(request.seed());
  deal.set_commitment(Sha256(request.seed()));
  deal.set_algorithm(kAlgorithm);
  deal.set_dealer(dealer);
  deal.set_first_receiver(dealer);
  if (bonus) {
    deal.set_cut_card(*shown);
    deck.erase(shown);
  } else {
    deal.set_turned_up_card(*shown);
    deal.set_first_receiver((dealer + Number(*shown) - 1) % 4);
  }
  for (int seat = 0; seat < 4; ++seat) {
    deal.add_hands();
  }
  for (std::size_t place = 0; place < deck.size(); ++place) {
    deal.mutable_hands((deal.first_receiver() + place) % 4)->add_cards(deck[place]);
  }
  return deal;
}

}  // namespace shisanzhi
