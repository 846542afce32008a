// Deals a round, arranges the four hands and settles it.

#include <grpcpp/grpcpp.h>

#include <iostream>
#include <string>

#include "shisanzhi/connect.h"
#include "shisanzhi/v1/game_logic_service.grpc.pb.h"

namespace v1 = shisanzhi::v1;

grpc::Status Play(v1::GameLogicService::Stub& service) {
  grpc::ClientContext dealing, scoring;
  v1::DealRoundRequest wanted;
  v1::DealRoundResponse deal;
  wanted.set_ruleset(v1::RULESET_BONUS);
  wanted.set_seed({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
  grpc::Status status = service.DealRound(&dealing, wanted, &deal);
  v1::ScoreRequest round;
  round.set_ruleset(v1::RULESET_BONUS);
  round.set_cut_card(deal.cut_card());
  round.set_dealer(deal.dealer());
  for (const auto& hand : deal.hands()) {
    grpc::ClientContext arranging;
    v1::ArrangeRequest question;
    v1::ArrangeResponse best;
    question.set_ruleset(v1::RULESET_BONUS);
    question.set_cut_card(deal.cut_card());
    *question.mutable_hand() = hand.cards();
    if (status = service.Arrange(&arranging, question, &best); !status.ok()) return status;
    *round.add_arrangements() = best.suggestions(0).arrangement();
    *round.add_hands() = hand;
  }
  v1::ScoreResponse scored;
  if (status.ok()) status = service.Score(&scoring, round, &scored);
  for (const auto& seat : scored.result().seats()) {
    std::cout << "seat " << seat.seat() << ": " << seat.total_units() << std::endl;
  }
  return status;
}

int main(int count, char** arguments) {
  const std::string target = count > 1 ? arguments[1] : "127.0.0.1:50051";
  v1::GameLogicService::Stub service(shisanzhi::Connect(target, grpc::InsecureChannelCredentials()));
  const grpc::Status status = Play(service);
  if (!status.ok()) std::cerr << status.error_message() << std::endl;
  return status.ok() ? 0 : 1;
}
