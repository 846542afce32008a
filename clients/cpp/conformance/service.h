#pragma once

#include <grpcpp/grpcpp.h>

#include <stdexcept>
#include <string>

#include "shisanzhi/connect.h"
#include "shisanzhi/v1/game_logic_service.grpc.pb.h"

namespace v1 = shisanzhi::v1;
using Stub = v1::GameLogicService::Stub;

template <typename Request, typename Response>
using Method = grpc::Status (Stub::*)(grpc::ClientContext*, const Request&, Response*);

// A call that got no answer.
class CallFailed : public std::runtime_error {
 public:
  CallFailed(const std::string& method, const grpc::Status& status);
};

// A connection to a server.
class Service {
 public:
  explicit Service(const std::string& target)
      : stub_(shisanzhi::Connect(target, grpc::InsecureChannelCredentials())) {}

  // Calls a method; throws CallFailed.
  template <typename Request, typename Response>
  Response Ask(const std::string& name, Method<Request, Response> method, const Request& request) {
    Response response;
    const auto status = Try(method, request, response);
    if (!status.ok()) {
      throw CallFailed(name, status);
    }
    return response;
  }

  template <typename Request, typename Response>
  grpc::Status Try(Method<Request, Response> method, const Request& request, Response& response) {
    grpc::ClientContext context;
    return (stub_.*method)(&context, request, &response);
  }

 private:
  Stub stub_;
};

// The name of a status code in grpc, such as INVALID_ARGUMENT.
std::string CodeName(grpc::StatusCode code);
