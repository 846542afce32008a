using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;
using Google.Protobuf;
using Shisanzhi.V1;
using Xunit;

namespace Shisanzhi.Tests
{
    /// <summary>Every golden deal is repeated without a server.</summary>
    public sealed class DealVerifierTests
    {
        private static readonly IReadOnlyList<JsonElement> Deals = Vectors.Read("deal.jsonl");

        public static IEnumerable<object[]> Lines()
        {
            return Enumerable.Range(0, Deals.Count).Select(line => new object[] { line });
        }

        [Theory]
        [MemberData(nameof(Lines))]
        public void Every_deal_is_repeated(int line)
        {
            Assert.Equal(Dealt(Deals[line]), DealVerifier.Repeat(Asked(Deals[line])));
        }

        [Theory]
        [MemberData(nameof(Lines))]
        public void A_card_that_was_changed_is_noticed(int line)
        {
            DealRoundResponse dealt = Dealt(Deals[line]);
            (dealt.Hands[0].Cards[0], dealt.Hands[0].Cards[1]) = (dealt.Hands[0].Cards[1], dealt.Hands[0].Cards[0]);
            Assert.False(DealVerifier.Verify(Asked(Deals[line]), dealt));
        }

        private static DealRoundRequest Asked(JsonElement deal)
        {
            DealRoundRequest request = new DealRoundRequest
            {
                Ruleset = IsBonus(deal) ? Ruleset.Bonus : Ruleset.Classic,
                Seed = Bytes(deal.GetProperty("seed")),
                Round = deal.GetProperty("round").GetUInt32(),
            };
            request.PlayerSeeds.AddRange(deal.GetProperty("player_seeds").EnumerateArray().Select(Bytes));
            request.Cuts.AddRange(deal.GetProperty("cuts").EnumerateArray().Select(cut => cut.GetUInt32()));
            JsonElement dealer = deal.GetProperty("dealer_named");
            if (dealer.ValueKind != JsonValueKind.Null)
            {
                request.Dealer = dealer.GetUInt32();
            }

            return request;
        }

        private static DealRoundResponse Dealt(JsonElement deal)
        {
            DealRoundResponse response = new DealRoundResponse
            {
                Seed = Bytes(deal.GetProperty("seed")),
                Commitment = Bytes(deal.GetProperty("commitment")),
                Dealer = deal.GetProperty("dealer").GetUInt32(),
                CutCard = CardOrNone(deal.GetProperty("cut_card")),
                TurnedUpCard = CardOrNone(deal.GetProperty("turned_up_card")),
                FirstReceiver = deal.GetProperty("first_receiver").GetUInt32(),
                Algorithm = "shisanzhi.v1",
            };
            foreach (JsonElement hand in deal.GetProperty("hands").EnumerateArray())
            {
                response.Hands.Add(new CardList { Cards = { Cards.ParseAll(hand.GetString()) } });
            }

            return response;
        }

        private static bool IsBonus(JsonElement deal)
        {
            return deal.GetProperty("ruleset").GetString() == "bonus";
        }

        private static Card CardOrNone(JsonElement element)
        {
            string text = Vectors.TextOrNull(element);
            return text == null ? Card.Unspecified : Cards.Parse(text);
        }

        private static ByteString Bytes(JsonElement element)
        {
            return ByteString.CopyFrom(Convert.FromHexString(element.GetString()));
        }
    }
}
