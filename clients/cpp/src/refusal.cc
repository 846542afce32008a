#include "shisanzhi/refusal.h"

#include <cstdlib>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"

namespace shisanzhi {
namespace {

// Finds a detail of a type; an empty one where there is none.
template <typename Detail>
Detail Find(const google::rpc::Status& status) {
  Detail found;
  for (const auto& detail : status.details()) {
    if (detail.UnpackTo(&found)) {
      return found;
    }
  }
  return {};
}

}  // namespace

std::optional<Refusal> Refusal::From(const grpc::Status& status) {
  google::rpc::Status details;
  details.ParseFromString(status.error_details());
  const auto info = Find<google::rpc::ErrorInfo>(details);
  if (info.domain() != "shisanzhi") {
    return std::nullopt;
  }
  Refusal refusal;
  refusal.code = status.error_code();
  refusal.reason = info.reason();
  refusal.message = status.error_message();
  const auto request = Find<google::rpc::BadRequest>(details);
  for (const auto& fault : request.field_violations()) {
    refusal.faults.push_back({fault.field(), fault.reason(), fault.description()});
  }
  if (const auto left_out = info.metadata().find("faults_left_out"); left_out != info.metadata().end()) {
    refusal.faults_left_out = std::atoi(left_out->second.c_str());
  }
  const auto delay = Find<google::rpc::RetryInfo>(details).retry_delay();
  refusal.retry_after = std::chrono::milliseconds(delay.seconds() * 1000 + delay.nanos() / 1'000'000);
  refusal.request_id = Find<google::rpc::RequestInfo>(details).request_id();
  return refusal;
}

v1::ErrorReason ReasonValue(const std::string& reason) {
  v1::ErrorReason value = v1::ERROR_REASON_UNSPECIFIED;
  v1::ErrorReason_Parse("ERROR_REASON_" + reason, &value);
  return value;
}

}  // namespace shisanzhi
