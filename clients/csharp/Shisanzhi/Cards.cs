using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Shisanzhi.V1;

namespace Shisanzhi
{
    /// <summary>Cards as text, and back. What only a newer service knows is written as its number.</summary>
    public static class Cards
    {
        private const string RankLetters = "23456789TJQKA";
        private const string SuitLetters = "cdhs";
        private const string SuitSymbols = "♣♦♥♠";
        private const int FirstRank = (int)Rank.Two;
        private const int FirstSuit = (int)Suit.Clubs;
        private const int SuitStep = 16;

        /// <summary>Reads one card, such as As, 10d, A♠ or ♠A.</summary>
        /// <exception cref="FormatException">The text is no card.</exception>
        public static Card Parse(string text)
        {
            string plain = text.Replace("10", "T");
            if (plain.Length == 2)
            {
                int rank = Math.Max(RankIndex(plain[0]), RankIndex(plain[1]));
                int suit = Math.Max(SuitIndex(plain[0]), SuitIndex(plain[1]));
                if (rank >= 0 && suit >= 0)
                {
                    return Of(rank, suit);
                }
            }

            throw new FormatException($"expected a card such as As, 10d or A♠, got '{text}'");
        }

        /// <summary>Reads cards separated by blanks, in the order written.</summary>
        /// <exception cref="FormatException">A word is no card.</exception>
        public static IReadOnlyList<Card> ParseAll(string text)
        {
            string[] words = text.Split(new[] { ' ' }, StringSplitOptions.RemoveEmptyEntries);
            return words.Select(word => Parse(word)).ToList();
        }

        /// <summary>Writes a card so that it can be read back: As, Td.</summary>
        public static string Text(Card card)
        {
            return IsKnown(card) ? $"{RankLetters[RankIndex(card)]}{SuitLetters[SuitIndex(card)]}" : Number((int)card);
        }

        /// <summary>Writes cards so that they can be read back: As Td.</summary>
        public static string Text(IEnumerable<Card> cards)
        {
            return string.Join(" ", cards.Select(card => Text(card)));
        }

        /// <summary>Writes a card for a person: A♠, 10♦.</summary>
        public static string Symbol(Card card)
        {
            return IsKnown(card) ? Text((Rank)((int)card % SuitStep)) + SuitSymbols[SuitIndex(card)] : Number((int)card);
        }

        /// <summary>Writes a rank for a person: A, 10.</summary>
        public static string Text(Rank rank)
        {
            if (rank == Rank.Ten)
            {
                return "10";
            }

            int index = (int)rank - FirstRank;
            return index >= 0 && index < RankLetters.Length ? RankLetters[index].ToString() : Number((int)rank);
        }

        /// <summary>The 52 cards in canonical order: clubs, diamonds, hearts, spades, each 2 to A.</summary>
        internal static List<Card> StandardDeck()
        {
            return Enumerable.Range(0, SuitLetters.Length)
                .SelectMany(suit => Enumerable.Range(0, RankLetters.Length).Select(rank => Of(rank, suit)))
                .ToList();
        }

        private static Card Of(int rankIndex, int suitIndex)
        {
            return (Card)(SuitStep * (FirstSuit + suitIndex) + FirstRank + rankIndex);
        }

        private static int RankIndex(char sign)
        {
            return RankLetters.IndexOf(char.ToUpperInvariant(sign));
        }

        private static int SuitIndex(char sign)
        {
            return Math.Max(SuitLetters.IndexOf(char.ToLowerInvariant(sign)), SuitSymbols.IndexOf(sign));
        }

        private static int RankIndex(Card card)
        {
            return (int)card % SuitStep - FirstRank;
        }

        private static int SuitIndex(Card card)
        {
            return (int)card / SuitStep - FirstSuit;
        }

        private static bool IsKnown(Card card)
        {
            return Enum.IsDefined(typeof(Card), card) && card != Card.Unspecified;
        }

        private static string Number(int number)
        {
            return number.ToString(CultureInfo.InvariantCulture);
        }
    }
}
