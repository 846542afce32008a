//! Cards as text.
//!
//! Cards to be written are numbers, as the messages have them: `Card::try_from` knows no card that only a newer
//! server knows. Here it is written as its number.

use std::fmt;
use std::str::FromStr;

use crate::v1::Card;

// In the order of the contract's numbers: a card is 16 times its suit, from 1, plus its rank, from 2.
const RANKS: &str = "23456789TJQKA";
const SUITS: &str = "cdhs";
const SYMBOLS: [&str; 4] = ["♣", "♦", "♥", "♠"];

/// What is no card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseCardError(String);

impl fmt::Display for ParseCardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a card such as As, Td, 10d or A♠, got {:?}", self.0)
    }
}

impl std::error::Error for ParseCardError {}

impl FromStr for Card {
    type Err = ParseCardError;

    /// Reads a card: As, td, 10d, A♠.
    fn from_str(text: &str) -> Result<Self, ParseCardError> {
        parsed(&text.replacen("10", "T", 1)).ok_or_else(|| ParseCardError(text.to_owned()))
    }
}

fn parsed(word: &str) -> Option<Card> {
    let first = word.chars().next()?;
    let ending = &word[first.len_utf8()..];
    let rank = RANKS.find(first.to_ascii_uppercase())?;
    let suit = SYMBOLS
        .iter()
        .position(|&symbol| ending == symbol)
        .or_else(|| SUITS.split("").skip(1).position(|suit| ending.eq_ignore_ascii_case(suit)))?;
    Card::try_from(i32::try_from(16 * (suit + 1) + rank + 2).ok()?).ok()
}

/// Reads cards with blanks between them.
///
/// # Errors
///
/// With the first word that is no card.
pub fn parse(text: &str) -> Result<Vec<Card>, ParseCardError> {
    text.split_whitespace().map(str::parse).collect()
}

/// Writes a card as it is read: As.
#[must_use]
pub fn format(card: i32) -> String {
    suit(card).map_or_else(|| card.to_string(), |suit| rank(card % 16) + &SUITS[suit..=suit])
}

/// Writes cards with blanks between them.
#[must_use]
pub fn format_all(cards: &[i32]) -> String {
    let words: Vec<String> = cards.iter().map(|&card| format(card)).collect();
    words.join(" ")
}

/// Writes a card for people: A♠, 10♦.
#[must_use]
pub fn pretty(card: i32) -> String {
    suit(card)
        .map_or_else(|| card.to_string(), |suit| rank(card % 16).replace('T', "10") + SYMBOLS[suit])
}

/// Writes a rank: 2 to 9, T, J, Q, K, A. One that only a newer server knows is its number.
#[must_use]
pub fn rank(rank: i32) -> String {
    match usize::try_from(rank) {
        Ok(number @ 2..=14) => RANKS[number - 2..=number - 2].to_owned(),
        _ => rank.to_string(),
    }
}

/// Gives the place of a card's suit, from 0; none of what is no card here.
fn suit(card: i32) -> Option<usize> {
    match Card::try_from(card) {
        Ok(Card::Unspecified) | Err(_) => None,
        Ok(_) => usize::try_from(card / 16 - 1).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_is_read_as_it_is_written() {
        let cards: Vec<i32> = (1..128).filter(|&number| suit(number).is_some()).collect();
        assert_eq!(cards.len(), 52);
        for card in cards {
            assert_eq!(format(card).parse::<Card>().map(i32::from), Ok(card));
            assert_eq!(pretty(card).parse::<Card>().map(i32::from), Ok(card));
        }
    }

    #[test]
    fn a_card_is_read_in_any_of_its_spellings() {
        for text in ["Td", "td", "10d", "10D", "T♦", "10♦"] {
            assert_eq!(text.parse(), Ok(Card::DiamondsTen), "{text}");
        }
    }

    #[test]
    fn what_is_no_card_is_refused() {
        for text in ["", "A", "As♠", "1s", "sA", "Ax", "十s", "A "] {
            assert_eq!(text.parse::<Card>(), Err(ParseCardError(text.to_owned())));
        }
    }

    #[test]
    fn a_card_of_a_newer_server_is_its_number() {
        assert_eq!(format_all(&[0, 15, 17, 31, 82, 99, -1]), "0 15 17 31 82 99 -1");
        assert_eq!(pretty(99), "99");
    }
}
