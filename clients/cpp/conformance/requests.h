#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "shisanzhi/v1/game_logic_service.pb.h"

// Golden cases as requests.

namespace v1 = shisanzhi::v1;
using Json = nlohmann::json;

v1::EvaluateRequest EvaluateRequest(const Json& golden, const std::vector<std::string>& rows);
v1::ValidateRequest ValidateRequest(const Json& golden);
v1::ScoreRequest ScoreRequest(const Json& golden);
v1::DealRoundRequest DealRequest(const Json& golden);
v1::ArrangeRequest ArrangeRequest(const Json& golden);
v1::StartMatchRequest StartMatchRequest(const Json& golden);

v1::Ruleset RulesetOf(const Json& golden);
v1::Card Card(const Json& text);
v1::CardList CardList(const Json& text);
std::string Bytes(const std::string& hexadecimal);
