#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "shisanzhi/v1/error.pb.h"

namespace shisanzhi {

// One thing that is wrong with a request.
struct Fault {
  std::string path;         // into the request, by the contract's names: arrangements[2].middle[4]
  std::string reason;       // a stable name such as CARD_REPEATED
  std::string description;  // for developers; may change
};

// Why the service did not answer a call.
struct Refusal {
  grpc::StatusCode code = grpc::StatusCode::UNKNOWN;
  std::string reason;                     // a stable name: the one to branch on
  std::string message;                    // for developers; may change
  std::vector<Fault> faults;              // everything that is wrong with the request
  int faults_left_out = 0;                // those that did not fit in
  std::chrono::milliseconds retry_after{0};  // how long to wait when overloaded
  std::string request_id;                 // finds an internal error in the service's log

  // Reads what a call ended with. Nothing where that does not come from the service itself: a server that
  // is gone, say, has a status code alone.
  static std::optional<Refusal> From(const grpc::Status& status);
};

// Gives the value of a reason; unspecified where only a newer server knows it.
v1::ErrorReason ReasonValue(const std::string& reason);

}  // namespace shisanzhi
