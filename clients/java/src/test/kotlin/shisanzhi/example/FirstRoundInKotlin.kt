package shisanzhi.example

import com.google.protobuf.ByteString
import io.grpc.InsecureChannelCredentials
import shisanzhi.Shisanzhi
import shisanzhi.v1.ArrangeRequest
import shisanzhi.v1.DealRoundRequest
import shisanzhi.v1.GameLogicServiceGrpc
import shisanzhi.v1.GameLogicServiceGrpc.GameLogicServiceBlockingStub
import shisanzhi.v1.Ruleset.RULESET_BONUS
import shisanzhi.v1.ScoreRequest

/** The same round on the same stubs, in Kotlin. */
fun main(vararg arguments: String) {
    val target = arguments.firstOrNull() ?: "127.0.0.1:50051"
    val channel = Shisanzhi.connect(target, InsecureChannelCredentials.create())
    play(GameLogicServiceGrpc.newBlockingStub(channel))
    channel.shutdown()
}

private fun play(service: GameLogicServiceBlockingStub) {
    val seed = ByteString.fromHex("000102030405060708090a0b0c0d0e0f")
    val deal = service.dealRound(
        DealRoundRequest.newBuilder().setRuleset(RULESET_BONUS).setSeed(seed).build()
    )
    val round = ScoreRequest.newBuilder()
        .setRuleset(RULESET_BONUS).setCutCardValue(deal.cutCardValue).setDealer(deal.dealer)
        .addAllHands(deal.handsList)
    for (hand in deal.handsList) {
        val question = ArrangeRequest.newBuilder()
            .setRuleset(RULESET_BONUS).setCutCardValue(deal.cutCardValue).addAllHandValue(hand.cardsValueList)
        round.addArrangements(service.arrange(question.build()).getSuggestions(0).arrangement)
    }
    for (seat in service.score(round.build()).result.seatsList) {
        println("seat ${seat.seat}: ${seat.totalUnits}")
    }
}
