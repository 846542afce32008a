#include "restarts.h"

#include <chrono>
#include <condition_variable>
#include <iostream>
#include <memory>
#include <mutex>
#include <thread>

#include "requests.h"
#include "service.h"

namespace {

// One call, with all that must live for as long as it does.
struct Call {
  grpc::ClientContext context;
  v1::EvaluateResponse response;
};

}  // namespace

int Restarts(const std::string& target, double seconds) {
  Stub stub(shisanzhi::Connect(target, grpc::InsecureChannelCredentials()));
  v1::EvaluateRequest request;
  request.set_ruleset(v1::RULESET_CLASSIC);
  *request.add_rows() = CardList("As Ah Kd");

  std::mutex mutex;
  std::condition_variable ended;
  int calls = 0, answered = 0, lost = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (auto next = begin; next < begin + std::chrono::duration<double>(seconds);
       next += std::chrono::milliseconds(5)) {
    std::this_thread::sleep_until(next);
    ++calls;
    auto call = std::make_shared<Call>();
    call->context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
    stub.async()->Evaluate(&call->context, &request, &call->response, [&, call](const grpc::Status& status) {
      const std::lock_guard<std::mutex> lock(mutex);
      if (!status.ok()) {
        ++lost;
        std::cout << CodeName(status.error_code()) << ": " << status.error_message() << std::endl;
      } else if (++answered == 1) {
        std::cout << "restarts: cpp started" << std::endl;
      }
      ended.notify_one();
    });
  }
  std::unique_lock<std::mutex> lock(mutex);
  ended.wait(lock, [&] { return answered + lost == calls; });
  std::cout << "restarts: cpp calls " << calls << " lost " << lost << std::endl;
  return lost;
}
