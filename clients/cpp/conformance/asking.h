#pragma once

#include "kinds.h"

// Each asks the service what a golden case asks, and gives its answer as the golden file writes it.

Json AskEvaluate(Service& service, const Json& golden);
Json AskOrder(Service& service, const Json& golden);
Json AskValidate(Service& service, const Json& golden);
Json AskScore(Service& service, const Json& golden);
Json AskPairs(Service& service, const Json& golden);
Json AskDeal(Service& service, const Json& golden);
Json AskSeats(Service& service, const Json& golden);
Json AskArrange(Service& service, const Json& golden);
Json AskMatch(Service& service, const Json& golden);
Json AskRuleset(Service& service, const Json& golden);
Json AskTexts(Service& service, const Json& golden);
Json AskErrors(Service& service, const Json& golden);

std::vector<Json> AskBatchScore(Service& service, const std::vector<Json>& cases);
std::vector<Json> AskBatchArrange(Service& service, const std::vector<Json>& cases);
std::vector<Json> AskListRulesets(Service& service, const std::vector<Json>& cases);
