using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using Google.Protobuf;
using Shisanzhi.V1;

namespace Shisanzhi
{
    /// <summary>Repeats a deal from its seed, without the service: algorithm shisanzhi.v1, by nothing but a hash function.</summary>
    public static class DealVerifier
    {
        private const string Algorithm = "shisanzhi.v1";
        private const int Seats = 4;

        /// <summary>Tells whether a deal is what its seed, the players' seeds, the cuts and the dealer make of it.</summary>
        public static bool Verify(DealRoundRequest request, DealRoundResponse dealt)
        {
            return Repeat(request).Equals(dealt);
        }

        /// <summary>Deals a round as the service does. It checks no ranges.</summary>
        public static DealRoundResponse Repeat(DealRoundRequest request)
        {
            bool bonus = request.Ruleset == Ruleset.Bonus;
            string name = bonus ? "bonus" : "classic";
            uint round = request.Round == 0 ? 1 : request.Round;
            byte[] key = Key(request);
            int dealer = request.HasDealer ? (int)request.Dealer : Bounded(Stream(key, "dealer", name, round), Seats);

            List<Card> deck = Cards.StandardDeck();
            if (bonus)
            {
                deck.AddRange(deck.Where(card => (int)card / 16 == (int)Suit.Spades).ToList());
            }

            IEnumerator<uint> words = Stream(key, "deal", name, round);
            for (int last = deck.Count - 1; last > 0; last--)
            {
                int other = Bounded(words, last + 1);
                Card swapped = deck[last];
                deck[last] = deck[other];
                deck[other] = swapped;
            }

            foreach (uint cut in request.Cuts)
            {
                deck = deck.Skip((int)cut).Concat(deck.Take((int)cut)).ToList();
            }

            int place = Bounded(words, deck.Count);
            Card shown = deck[place];
            int steps = 0;
            if (bonus)
            {
                deck.RemoveAt(place);
            }
            else
            {
                Rank rank = (Rank)((int)shown % 16);
                steps = rank == Rank.Ace ? 0 : (int)rank - 1;
            }

            int first = (dealer + steps) % Seats;
            DealRoundResponse dealt = new DealRoundResponse
            {
                Seed = request.Seed,
                Commitment = Commitment(request.Seed),
                Dealer = (uint)dealer,
                CutCard = bonus ? shown : Card.Unspecified,
                TurnedUpCard = bonus ? Card.Unspecified : shown,
                FirstReceiver = (uint)first,
                Algorithm = Algorithm,
            };
            dealt.Hands.AddRange(Enumerable.Range(0, Seats).Select(seat => Hand(deck, (seat - first + Seats) % Seats)));
            return dealt;
        }

        /// <summary>Gives what is published before a round: the hash of its seed.</summary>
        public static ByteString Commitment(ByteString seed)
        {
            using (SHA256 hash = SHA256.Create())
            {
                return ByteString.CopyFrom(hash.ComputeHash(seed.ToByteArray()));
            }
        }

        private static CardList Hand(IEnumerable<Card> deck, int place)
        {
            CardList hand = new CardList();
            hand.Cards.AddRange(deck.Where((_, index) => index % Seats == place));
            return hand;
        }

        private static byte[] Key(DealRoundRequest request)
        {
            byte[] seed = request.Seed.ToByteArray();
            if (request.PlayerSeeds.Count == 0)
            {
                return seed;
            }

            List<byte> message = new List<byte>(Encoding.ASCII.GetBytes(Algorithm + "/mix"));
            foreach (ByteString playerSeed in request.PlayerSeeds)
            {
                message.Add((byte)playerSeed.Length);
                message.AddRange(playerSeed.ToByteArray());
            }

            using (HMACSHA256 hash = new HMACSHA256(seed))
            {
                return hash.ComputeHash(message.ToArray());
            }
        }

        private static IEnumerator<uint> Stream(byte[] key, string purpose, string ruleset, uint round)
        {
            using (HMACSHA256 hash = new HMACSHA256(key))
            {
                for (int block = 0; ; block++)
                {
                    string message = $"{Algorithm}/{purpose}/{ruleset}/{round}/{block}";
                    byte[] digest = hash.ComputeHash(Encoding.ASCII.GetBytes(message));
                    for (int at = 0; at < digest.Length; at += 4)
                    {
                        yield return ((uint)digest[at] << 24)
                            | ((uint)digest[at + 1] << 16)
                            | ((uint)digest[at + 2] << 8)
                            | digest[at + 3];
                    }
                }
            }
        }

        private static int Bounded(IEnumerator<uint> words, int limit)
        {
            ulong range = 1UL << 32;
            ulong fair = range - range % (ulong)limit;
            do
            {
                words.MoveNext();
            }
            while (words.Current >= fair);
            return (int)(words.Current % (uint)limit);
        }
    }
}
