using System;
using System.Linq;
using Shisanzhi.V1;
using Xunit;

namespace Shisanzhi.Tests
{
    /// <summary>Cards and names, known and unknown.</summary>
    public sealed class HelperTests
    {
        [Fact]
        public void Every_card_is_read_back_from_its_text()
        {
            Card[] cards = Enum.GetValues<Card>().Where(card => card != Card.Unspecified).ToArray();
            Assert.Equal(52, cards.Length);
            Assert.All(cards, card => Assert.Equal(card, Cards.Parse(Cards.Text(card))));
            Assert.All(cards, card => Assert.Equal(card, Cards.Parse(Cards.Symbol(card))));
            Assert.Equal(cards, Cards.ParseAll(Cards.Text(cards)));
        }

        [Fact]
        public void A_card_is_written_for_machines_and_for_persons()
        {
            Assert.Equal("Td", Cards.Text(Card.DiamondsTen));
            Assert.Equal("10♦", Cards.Symbol(Card.DiamondsTen));
            Assert.Equal(Card.SpadesAce, Cards.Parse("♠A"));
        }

        [Theory]
        [InlineData("")]
        [InlineData("A")]
        [InlineData("1s")]
        [InlineData("AA")]
        [InlineData("Asd")]
        public void What_is_no_card_is_refused(string text)
        {
            Assert.Throws<FormatException>(() => Cards.Parse(text));
        }

        [Fact]
        public void What_only_a_newer_service_knows_is_written_as_its_number()
        {
            Assert.Equal("99", Cards.Text((Card)99));
            Assert.Equal("99", Cards.Symbol((Card)99));
            Assert.Equal("99", Cards.Text((Rank)99));
            LocalizedText name = new LocalizedText { ZhHant = "新牌型", En = "new category" };
            RulesetInfo ruleset = new RulesetInfo();
            ruleset.Ladder.Add(new CategoryInfo { Category = (Category)99, Name = name });
            Assert.Equal("新牌型", new Names(ruleset).OfCategory((Category)99).ZhHant);
            Assert.Equal("98", new Names(ruleset).OfCategory((Category)98).En);
        }
    }
}
