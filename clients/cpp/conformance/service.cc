#include "service.h"

#include <array>

CallFailed::CallFailed(const std::string& method, const grpc::Status& status)
    : std::runtime_error(method + ": " + CodeName(status.error_code()) + " " + status.error_message()) {}

std::string CodeName(grpc::StatusCode code) {
  static const std::array<std::string, 17> kNames = {
      "OK",                "CANCELLED",           "UNKNOWN",          "INVALID_ARGUMENT",
      "DEADLINE_EXCEEDED", "NOT_FOUND",           "ALREADY_EXISTS",   "PERMISSION_DENIED",
      "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED",          "OUT_OF_RANGE",
      "UNIMPLEMENTED",     "INTERNAL",            "UNAVAILABLE",      "DATA_LOSS",
      "UNAUTHENTICATED",
  };
  return kNames.at(code);
}
