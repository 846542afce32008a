#pragma once

#include <string>

#include "shisanzhi/v1/game_logic_service.pb.h"

namespace shisanzhi {

// Checks, without the service, that the request's seed is the one that was committed to before the round,
// and that it deals what was dealt. Says what is not so; empty if all is well.
std::string VerifyDeal(
    const std::string& commitment, const v1::DealRoundRequest& request, const v1::DealRoundResponse& dealt);

// Answers as DealRound does, from the request alone: algorithm shisanzhi.v1, from nothing but HMAC-SHA256. It
// draws no seed and checks no ranges. Throws std::invalid_argument for a ruleset that it does not deal.
v1::DealRoundResponse RepeatDeal(const v1::DealRoundRequest& request);

}  // namespace shisanzhi
