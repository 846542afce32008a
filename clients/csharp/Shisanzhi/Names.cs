using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Shisanzhi.V1;

namespace Shisanzhi
{
    /// <summary>What a ruleset calls things, in both languages. What it has no name for is called by its number.</summary>
    public sealed class Names
    {
        private readonly Dictionary<Category, LocalizedText> categories;
        private readonly Dictionary<Row, LocalizedText> rows;
        private readonly Dictionary<(Row, Category), LocalizedText> royalties;

        /// <summary>Takes what GetRuleset says.</summary>
        public Names(RulesetInfo ruleset)
        {
            categories = ruleset.Ladder.ToDictionary(line => line.Category, line => line.Name);
            rows = ruleset.Rows.ToDictionary(line => line.Row, line => line.Name);
            royalties = ruleset.Royalties.ToDictionary(line => (line.Row, line.Category), line => line.Name);
        }

        /// <summary>Names a category.</summary>
        public LocalizedText OfCategory(Category category)
        {
            return categories.TryGetValue(category, out LocalizedText name) ? name : Called((int)category);
        }

        /// <summary>Names a row.</summary>
        public LocalizedText OfRow(Row row)
        {
            return rows.TryGetValue(row, out LocalizedText name) ? name : Called((int)row);
        }

        /// <summary>Names a royalty; the dragon's has neither row nor category.</summary>
        public LocalizedText OfRoyalty(Row row, Category category)
        {
            return royalties.TryGetValue((row, category), out LocalizedText name) ? name : OfCategory(category);
        }

        private static LocalizedText Called(int number)
        {
            string text = number.ToString(CultureInfo.InvariantCulture);
            return new LocalizedText { ZhHant = text, En = text };
        }
    }
}
