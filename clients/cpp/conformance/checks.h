#pragma once

#include "kinds.h"

// What has no golden file of its own. Each says what is wrong with each check, nothing where it passed.

// Repeats every golden deal without the service.
std::vector<std::string> VerifyChecks(const std::vector<Json>& cases);

// Runs the program that the README shows.
std::vector<std::string> ExampleCheck(const std::string& target);

// Asks a server that says what this client does not know.
std::vector<std::string> NewerChecks(Service& service);
