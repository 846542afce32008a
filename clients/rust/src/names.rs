use crate::cards;
use crate::v1::{LocalizedText, RowValue, Royalty, RulesetInfo};

/// A language that the service speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Chinese in traditional characters.
    ZhHant,
    /// English.
    English,
}

impl Language {
    /// Picks this language of a text.
    #[must_use]
    pub fn of(self, text: &LocalizedText) -> &str {
        match self {
            Self::ZhHant => &text.zh_hant,
            Self::English => &text.en,
        }
    }
}

/// What a ruleset calls things in one language, as `GetRuleset` answered.
///
/// Rows and categories are numbers, as the messages have them. What the ruleset does not name, since only a
/// newer server knows it, is shown as its number.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// The answer of `GetRuleset`.
    pub ruleset: &'a RulesetInfo,
    /// The language.
    pub language: Language,
}

impl Names<'_> {
    /// Names a row: front.
    #[must_use]
    pub fn row(&self, row: i32) -> String {
        let line = self.ruleset.rows.iter().find(|line| line.row == row);
        self.text(line.and_then(|line| line.name.as_ref())).unwrap_or_else(|| row.to_string())
    }

    /// Names a category: full house.
    #[must_use]
    pub fn category(&self, category: i32) -> String {
        let line = self.ruleset.ladder.iter().find(|line| line.category == category);
        self.text(line.and_then(|line| line.name.as_ref())).unwrap_or_else(|| category.to_string())
    }

    /// Names a row's value: full house K 7.
    #[must_use]
    pub fn value(&self, value: &RowValue) -> String {
        let mut words = vec![self.category(value.category)];
        words.extend(value.ranks.iter().map(|&rank| cards::rank(rank)));
        words.join(" ")
    }

    /// Names a royalty: trips in front. The dragon's has no row and no category.
    #[must_use]
    pub fn royalty(&self, royalty: &Royalty) -> String {
        let same = |row, category| (row, category) == (royalty.row, royalty.category);
        let line = self.ruleset.royalties.iter().find(|line| same(line.row, line.category));
        self.text(line.and_then(|line| line.name.as_ref())).unwrap_or_else(|| {
            format!("{} {}", self.row(royalty.row), self.category(royalty.category))
        })
    }

    fn text(&self, text: Option<&LocalizedText>) -> Option<String> {
        text.map(|text| self.language.of(text).to_owned())
    }
}
