// Holds the C++ client to the golden cases that every client answers to; ../../README.md says how.

#include <google/protobuf/stubs/common.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <stdexcept>

#include "checks.h"
#include "kinds.h"
#include "restarts.h"
#include "vectors.h"

namespace {

std::string Required(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr || *value == '\0') {
    throw std::runtime_error("expected " + std::string(variable) + " in the environment, got none");
  }
  return value;
}

void Say(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::cout << "conformance: cpp " << text << std::endl;
}

// Prints what came of a kind; says whether every case passed.
bool Report(const std::string& kind, const std::vector<std::string>& outcomes) {
  std::size_t passed = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i].empty()) {
      ++passed;
    } else {
      Say("failed " + kind + " " + std::to_string(i + 1) + ": " + outcomes[i]);
    }
  }
  Say(kind + " " + std::to_string(passed));
  return passed == outcomes.size();
}

bool Conforms() {
  const std::string target = Required("SHISANZHI_TARGET");
  const auto cases = ReadVectors(Required("SHISANZHI_VECTORS"), Kinds());
  Say("versions g++ " __VERSION__ ", grpc " + grpc::Version() + ", protobuf " +
      google::protobuf::internal::VersionString(GOOGLE_PROTOBUF_VERSION));
  Service service(target);
  bool passed = true;
  for (const auto& kind : Kinds()) {
    passed &= Report(kind.name, kind.Run(service, cases.at(kind.name)));
  }
  passed &= Report("verify", VerifyChecks(cases.at("deal")));
  passed &= Report("example", ExampleCheck(target));
  if (const char* newer = std::getenv("SHISANZHI_NEWER_TARGET")) {
    Service later(newer);
    passed &= Report("newer", NewerChecks(later));
  }
  return passed;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count > 1 && arguments[1] == std::string("restarts")) {
      return Restarts(Required("SHISANZHI_TARGET"), std::stod(Required("SHISANZHI_SECONDS"))) == 0 ? 0 : 1;
    }
    return Conforms() ? 0 : 1;
  } catch (const std::exception& wrong) {
    std::cerr << wrong.what() << std::endl;
    return 1;
  }
}
