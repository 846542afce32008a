//! Golden cases as requests.

use serde_json::Value;
use shisanzhi::cards;
use shisanzhi::v1::{
    ArrangeRequest, Arrangement, CardList, DealRoundRequest, EvaluateRequest, Ruleset,
    ScoreRequest, StartMatchRequest, ValidateRequest,
};

use crate::kinds::Answer;

pub fn evaluate(golden: &Value, rows: &[&str]) -> Answer<EvaluateRequest> {
    Ok(EvaluateRequest {
        ruleset: ruleset(golden),
        cut_card: card(&golden["cut"])?,
        rows: rows.iter().map(|row| card_list(row)).collect::<Answer<_>>()?,
    })
}

pub fn validate(golden: &Value) -> Answer<ValidateRequest> {
    Ok(ValidateRequest {
        ruleset: ruleset(golden),
        cut_card: card(&golden["cut"])?,
        arrangement: Some(arrangement(golden)?),
        hand: cards(&golden["hand"])?,
    })
}

pub fn score(golden: &Value) -> Answer<ScoreRequest> {
    Ok(ScoreRequest {
        ruleset: ruleset(golden),
        cut_card: card(&golden["cut"])?,
        arrangements: list(&golden["arrangements"])
            .iter()
            .map(arrangement)
            .collect::<Answer<_>>()?,
        dealer: Some(number(&golden["dealer"])),
        hands: Vec::new(),
    })
}

pub fn deal(golden: &Value) -> Answer<DealRoundRequest> {
    Ok(DealRoundRequest {
        ruleset: ruleset(golden),
        seed: bytes(&golden["seed"])?,
        player_seeds: list(&golden["player_seeds"]).iter().map(bytes).collect::<Answer<_>>()?,
        round: number(&golden["round"]),
        dealer: Some(&golden["dealer_named"]).filter(|dealer| !dealer.is_null()).map(number),
        cuts: list(&golden["cuts"]).iter().map(number).collect(),
    })
}

pub fn arrange(golden: &Value) -> Answer<ArrangeRequest> {
    Ok(ArrangeRequest {
        ruleset: ruleset(golden),
        cut_card: card(&golden["cut"])?,
        hand: cards(&golden["hand"])?,
        max_suggestions: list(&golden["suggestions"]).len().try_into().unwrap_or(u32::MAX),
    })
}

pub fn start_match(golden: &Value) -> Answer<StartMatchRequest> {
    Ok(StartMatchRequest {
        ruleset: ruleset(golden),
        seed: bytes(&golden["seed"])?,
        player_seeds: list(&golden["player_seeds"]).iter().map(bytes).collect::<Answer<_>>()?,
        player_ids: list(&golden["player_ids"]).iter().map(|id| text(id).to_owned()).collect(),
    })
}

pub fn ruleset(golden: &Value) -> i32 {
    let ruleset =
        if text(&golden["ruleset"]) == "bonus" { Ruleset::Bonus } else { Ruleset::Classic };
    ruleset.into()
}

/// Reads a card; null is none.
pub fn card(golden: &Value) -> Answer<i32> {
    Ok(cards(golden)?.first().copied().unwrap_or_default())
}

pub fn card_list(text: &str) -> Answer<CardList> {
    let cards = cards::parse(text).map_err(|error| error.to_string())?;
    Ok(CardList { cards: cards.into_iter().map(i32::from).collect() })
}

fn arrangement(golden: &Value) -> Answer<Arrangement> {
    Ok(Arrangement {
        front: cards(&golden["front"])?,
        middle: cards(&golden["middle"])?,
        back: cards(&golden["back"])?,
    })
}

fn cards(golden: &Value) -> Answer<Vec<i32>> {
    Ok(card_list(text(golden))?.cards)
}

pub fn bytes(golden: &Value) -> Answer<Vec<u8>> {
    hex::decode(text(golden)).map_err(|error| error.to_string())
}

/// Reads a text; null is an empty one.
pub fn text(golden: &Value) -> &str {
    golden.as_str().unwrap_or_default()
}

pub fn list(golden: &Value) -> &[Value] {
    golden.as_array().map_or(&[], Vec::as_slice)
}

pub fn number(golden: &Value) -> u32 {
    golden.as_u64().and_then(|number| number.try_into().ok()).unwrap_or_default()
}
