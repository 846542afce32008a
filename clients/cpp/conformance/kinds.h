#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "service.h"

using Json = nlohmann::json;

// A kind of golden cases.
struct Kind {
  std::string name;                                    // its file's
  std::set<std::string> asks;                          // the fields of a case that make the request
  std::set<std::string> answers;                       // the fields that are compared
  std::function<Json(Service&, const Json&)> ask;      // what the service says, by the names of the fields
  std::function<std::vector<Json>(Service&, const std::vector<Json>&)> ask_all;  // the same in one call, or null

  // Asks every case by itself, then all at once where that can be; says what is wrong with each, nothing
  // where it passed.
  std::vector<std::string> Run(Service& service, const std::vector<Json>& cases) const;

 private:
  void Compare(const Json& golden, const Json& said) const;
};

const std::vector<Kind>& Kinds();

// Runs a check; says what is wrong.
std::string Outcome(const std::function<void()>& check);

// Throws unless two values are the same.
void Same(const std::string& what, const Json& expected, const Json& got);
