#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kinds.h"

// Reads every golden file of a folder. One too many, too few or empty is an error, and so is a field that no
// kind knows.
std::map<std::string, std::vector<nlohmann::json>> ReadVectors(
    const std::string& folder, const std::vector<Kind>& kinds);
