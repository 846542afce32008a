// What the helpers promise without a server; the conformance runner does the rest.

#include <initializer_list>
#include <iostream>
#include <stdexcept>

#include "shisanzhi/cards.h"
#include "shisanzhi/deal.h"

namespace v1 = shisanzhi::v1;

int failures = 0;

void Expect(bool holds, const std::string& what) {
  if (!holds) {
    ++failures;
    std::cerr << "expected " << what << std::endl;
  }
}

void EveryCardIsReadAsItIsWritten() {
  int cards = 0;
  for (int card = v1::Card_MIN + 1; card <= v1::Card_MAX; ++card) {
    if (v1::Card_IsValid(card)) {
      ++cards;
      Expect(shisanzhi::ParseCard(shisanzhi::FormatCard(card)) == card, shisanzhi::FormatCard(card));
      Expect(shisanzhi::ParseCard(shisanzhi::PrettyCard(card)) == card, shisanzhi::PrettyCard(card));
    }
  }
  Expect(cards == 52, "52 cards");
}

void ACardIsReadInAnyOfItsSpellings() {
  for (const auto* text : {"Td", "td", "10d", "10D", "T♦", "10♦"}) {
    Expect(shisanzhi::ParseCard(text) == v1::CARD_DIAMONDS_TEN, text);
  }
}

void WhatIsNoCardIsRefused() {
  for (const auto* text : {"", "A", "As♠", "1s", "sA", "Ax", "十s"}) {
    Expect(!shisanzhi::ParseCard(text), "no card in " + std::string(text));
  }
}

void ACardOfANewerServerIsItsNumber() {
  for (int card : {0, 15, 17, 31, 82, 99, -1}) {
    Expect(shisanzhi::FormatCard(card) == std::to_string(card), "a number");
    Expect(shisanzhi::PrettyCard(card) == std::to_string(card), "a number");
  }
}

void AnotherSeedThanWasCommittedToIsNoticed() {
  v1::DealRoundRequest request;
  request.set_ruleset(v1::RULESET_BONUS);
  request.set_seed(std::string(16, '\0'));
  const auto dealt = shisanzhi::RepeatDeal(request);
  Expect(shisanzhi::VerifyDeal(dealt.commitment(), request, dealt).empty(), "a yes");
  Expect(!shisanzhi::VerifyDeal(std::string(32, '\0'), request, dealt).empty(), "a no");
}

void ARulesetOfANewerServerIsNotDealt() {
  v1::DealRoundRequest request;
  request.set_ruleset(static_cast<v1::Ruleset>(99));
  try {
    shisanzhi::RepeatDeal(request);
    Expect(false, "an exception");
  } catch (const std::invalid_argument&) {
  }
}

int main() {
  EveryCardIsReadAsItIsWritten();
  ACardIsReadInAnyOfItsSpellings();
  WhatIsNoCardIsRefused();
  ACardOfANewerServerIsItsNumber();
  AnotherSeedThanWasCommittedToIsNoticed();
  ARulesetOfANewerServerIsNotDealt();
  return failures == 0 ? 0 : 1;
}
