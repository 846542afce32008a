#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>

namespace shisanzhi {

// Gives a channel to a target such as 127.0.0.1:50051 or dns:///shisanzhi:50051.
//
// Every call waits for a server, is made again where a server goes away under it, and has ten seconds
// unless its context says less.
std::shared_ptr<grpc::Channel> Connect(
    const std::string& target, const std::shared_ptr<grpc::ChannelCredentials>& credentials,
    grpc::ChannelArguments arguments = {});

}  // namespace shisanzhi
