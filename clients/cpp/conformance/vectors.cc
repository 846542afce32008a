#include "vectors.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace {

std::vector<nlohmann::json> Read(const std::filesystem::path& path, const Kind& kind) {
  std::ifstream file(path);
  std::vector<nlohmann::json> cases;
  for (std::string line; std::getline(file, line);) {
    cases.push_back(nlohmann::json::parse(line));
    for (const auto& [field, value] : cases.back().items()) {
      if (field != "note" && kind.asks.count(field) == 0 && kind.answers.count(field) == 0) {
        throw std::runtime_error("expected fields that " + kind.name + " has, got " + field);
      }
    }
  }
  if (cases.empty()) {
    throw std::runtime_error("expected golden cases in " + path.string() + ", got none");
  }
  return cases;
}

}  // namespace

std::map<std::string, std::vector<nlohmann::json>> ReadVectors(
    const std::string& folder, const std::vector<Kind>& kinds) {
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    const auto known = [&](const Kind& kind) { return kind.name == file.path().stem(); };
    if (file.path().extension() == ".jsonl" && std::none_of(kinds.begin(), kinds.end(), known)) {
      throw std::runtime_error("expected golden cases of a known kind, got " + file.path().string());
    }
  }
  std::map<std::string, std::vector<nlohmann::json>> cases;
  for (const auto& kind : kinds) {
    cases[kind.name] = Read(std::filesystem::path(folder) / (kind.name + ".jsonl"), kind);
  }
  return cases;
}
