#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "shisanzhi/v1/game_logic_service.pb.h"

// Answers as the golden files write them.

namespace v1 = shisanzhi::v1;
using Json = nlohmann::json;

Json Units(const v1::RoundResult& result);
Json Pair(const v1::PairResult& pair);
Json Deal(const v1::DealRoundResponse& deal);
Json Arranged(const v1::ArrangeResponse& response);
Json Match(const v1::Match& match);
Json RulesetInfo(const v1::RulesetInfo& info);
Json Texts(const v1::LocalizedText& text);

// A value's name without its prefix; null for the unspecified one.
Json Named(const std::string& name, const std::string& prefix);

std::string Unprefixed(const std::string& name, const std::string& prefix);
