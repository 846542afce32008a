//! Deals repeated without the service: algorithm shisanzhi.v1, from nothing but HMAC-SHA256.

use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};

use crate::cards;
use crate::v1::{CardList, DealRoundRequest, DealRoundResponse, Ruleset};

const ALGORITHM: &str = "shisanzhi.v1";

/// Checks that the request's seed is the one that was committed to before the round, and that it deals what
/// was dealt.
///
/// # Errors
///
/// With what is not so.
pub fn verify(
    commitment: &[u8],
    request: &DealRoundRequest,
    dealt: &DealRoundResponse,
) -> Result<(), String> {
    let repeated = repeat(request)?;
    if repeated.commitment != commitment {
        return Err("expected the seed that was committed to, got another".to_owned());
    }
    described(&repeated)
        .into_iter()
        .zip(described(dealt))
        .find(|(expected, got)| expected != got)
        .map_or(Ok(()), |(expected, got)| Err(format!("expected {expected}, got {got}")))
}

fn described(deal: &DealRoundResponse) -> [String; 7] {
    let hands: Vec<String> = deal.hands.iter().map(|hand| cards::format_all(&hand.cards)).collect();
    [
        format!("the algorithm {}", deal.algorithm),
        format!("the commitment {:02x?}", deal.commitment),
        format!("the dealer {}", deal.dealer),
        format!("the cut card {}", cards::format(deal.cut_card)),
        format!("the turned up card {}", cards::format(deal.turned_up_card)),
        format!("the first receiver {}", deal.first_receiver),
        format!("the hands {}", hands.join(" / ")),
    ]
}

/// Answers as `DealRound` does, from the request alone. It draws no seed and checks no ranges.
///
/// # Errors
///
/// For a ruleset that the algorithm does not deal.
pub fn repeat(request: &DealRoundRequest) -> Result<DealRoundResponse, String> {
    let (bonus, ruleset) = match Ruleset::try_from(request.ruleset) {
        Ok(Ruleset::Bonus) => (true, "bonus"),
        Ok(Ruleset::Classic) => (false, "classic"),
        _ => {
            return Err(format!(
                "expected a ruleset that {ALGORITHM} deals, got {}",
                request.ruleset
            ));
        }
    };
    let round = request.round.max(1);
    let key = key(request);
    let stream = |purpose| Draws::new(&key, format!("{ALGORITHM}/{purpose}/{ruleset}/{round}"));
    let dealer = request.dealer.unwrap_or_else(|| stream("dealer").below(4));

    let mut draws = stream("deal");
    let mut deck = canonical_deck(bonus);
    for last in (1..deck.len()).rev() {
        let other = draws.place(last + 1);
        deck.swap(last, other);
    }
    for &cut in &request.cuts {
        let size = deck.len();
        deck.rotate_left(cut as usize % size);
    }
    let shown = draws.place(deck.len());
    let (cut_card, turned_up_card) = if bonus { (deck.remove(shown), 0) } else { (0, deck[shown]) };
    let first_receiver = if bonus { dealer } else { (dealer + number(turned_up_card) - 1) % 4 };
    let mut hands = vec![CardList::default(); 4];
    for (place, card) in deck.into_iter().enumerate() {
        hands[(first_receiver as usize + place) % 4].cards.push(card);
    }
    Ok(DealRoundResponse {
        seed: request.seed.clone(),
        commitment: Sha256::digest(&request.seed).to_vec(),
        dealer,
        cut_card,
        turned_up_card,
        first_receiver,
        hands,
        algorithm: ALGORITHM.to_owned(),
    })
}

/// The seed, with the players' seeds mixed in, so that the house alone does not choose the deal.
fn key(request: &DealRoundRequest) -> Vec<u8> {
    if request.player_seeds.is_empty() {
        return request.seed.clone();
    }
    let mut message = format!("{ALGORITHM}/mix").into_bytes();
    for each in &request.player_seeds {
        message.push(each.len() as u8);
        message.extend(each);
    }
    hmac(&request.seed, &message).to_vec()
}

/// Clubs, diamonds, hearts, spades, each from 2 to A, and in BONUS spades once more.
fn canonical_deck(bonus: bool) -> Vec<i32> {
    let suits: &[i32] = if bonus { &[1, 2, 3, 4, 4] } else { &[1, 2, 3, 4] };
    suits.iter().flat_map(|suit| (2..=14).map(move |rank| 16 * suit + rank)).collect()
}

/// What a card that is turned up counts off: an ace 1.
fn number(card: i32) -> u32 {
    match card % 16 {
        14 => 1,
        rank => rank.unsigned_abs(),
    }
}

/// Numbers drawn from the stream of one purpose.
struct Draws<'a> {
    key: &'a [u8],
    label: String,
    blocks: u32,
    words: std::vec::IntoIter<u32>,
}

impl<'a> Draws<'a> {
    fn new(key: &'a [u8], label: String) -> Self {
        Self { key, label, blocks: 0, words: Vec::new().into_iter() }
    }

    fn place(&mut self, size: usize) -> usize {
        self.below(size as u32) as usize
    }

    /// Draws a number below a limit, each as likely as the others.
    fn below(&mut self, limit: u32) -> u32 {
        const ALL: u64 = 1 << 32;
        let limit = u64::from(limit);
        loop {
            let word = u64::from(self.word());
            if word < ALL - ALL % limit {
                return (word % limit) as u32;
            }
        }
    }

    fn word(&mut self) -> u32 {
        loop {
            if let Some(word) = self.words.next() {
                return word;
            }
            let block = hmac(self.key, format!("{}/{}", self.label, self.blocks).as_bytes());
            let (words, _) = block.as_chunks::<4>();
            self.words =
                words.iter().map(|&word| u32::from_be_bytes(word)).collect::<Vec<_>>().into_iter();
            self.blocks += 1;
        }
    }
}

fn hmac(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.update(message);
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_seed_than_was_committed_to_is_noticed() {
        let request = DealRoundRequest {
            ruleset: Ruleset::Bonus.into(),
            seed: vec![0; 16],
            ..Default::default()
        };
        let dealt = repeat(&request).unwrap();
        assert_eq!(verify(&dealt.commitment, &request, &dealt), Ok(()));
        assert!(verify(&[0; 32], &request, &dealt).is_err());
    }

    #[test]
    fn a_ruleset_of_a_newer_server_is_not_dealt() {
        let request = DealRoundRequest { ruleset: 99, ..Default::default() };
        assert!(repeat(&request).is_err());
    }
}
