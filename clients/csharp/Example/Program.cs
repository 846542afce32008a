using System;
using System.Linq;
using Google.Protobuf;
using Grpc.Net.Client;
using Shisanzhi;
using Shisanzhi.V1;

string target = args.Length > 0 ? args[0] : "127.0.0.1:50051";
byte[] seed = Enumerable.Range(0, 16).Select(number => (byte)number).ToArray();

using GrpcChannel channel = GrpcChannel.ForAddress($"http://{target}", GameLogic.Options());
GameLogicService.GameLogicServiceClient client = GameLogic.Client(channel);
DealRoundResponse deal = client.DealRound(new DealRoundRequest { Ruleset = Ruleset.Bonus, Seed = ByteString.CopyFrom(seed) });
ScoreRequest score = new ScoreRequest { Ruleset = Ruleset.Bonus, CutCard = deal.CutCard, Dealer = deal.Dealer, Hands = { deal.Hands } };
foreach (CardList hand in deal.Hands)
{
    ArrangeRequest asked = new ArrangeRequest { Ruleset = Ruleset.Bonus, CutCard = deal.CutCard, Hand = { hand.Cards } };
    score.Arrangements.Add(client.Arrange(asked).Suggestions[0].Arrangement);
}

foreach (SeatResult seat in client.Score(score).Result.Seats)
{
    Console.WriteLine($"seat {seat.Seat}: {seat.TotalUnits}");
}
