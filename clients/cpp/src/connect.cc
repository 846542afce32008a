#include "shisanzhi/connect.h"

#include "service_config.h"

namespace shisanzhi {

std::shared_ptr<grpc::Channel> Connect(
    const std::string& target, const std::shared_ptr<grpc::ChannelCredentials>& credentials,
    grpc::ChannelArguments arguments) {
  arguments.SetServiceConfigJSON(kServiceConfig);
  return grpc::CreateCustomChannel(target, credentials, arguments);
}

}  // namespace shisanzhi
