//! Answers as the golden files write them.

use serde_json::{Value, json};
use shisanzhi::cards;
use shisanzhi::v1::{
    ArrangeResponse, Category, DealRoundResponse, FinishReason, LocalizedText, Match, PairResult,
    RoundResult, Row, RowOutcome, Ruleset, RulesetInfo, SeatResult,
};

pub fn units(result: &RoundResult) -> Value {
    let by_seat = |part: fn(&SeatResult) -> i64| result.seats.iter().map(part).collect::<Vec<_>>();
    json!({
        "gunshot": by_seat(|seat| seat.gunshot_units.into()),
        "home_run": by_seat(|seat| seat.home_run_units.into()),
        "royalty": by_seat(|seat| seat.royalty_units.into()),
        "pair": by_seat(|seat| seat.pair_units.into()),
        "total": by_seat(|seat| seat.total_units.into()),
        "place": by_seat(|seat| seat.place.into()),
    })
}

pub fn pair(pair: &PairResult) -> Value {
    let royalty = pair.royalties.iter().map(|each| {
        let units = i64::from(each.units);
        if each.payee == pair.seat { units } else { -units }
    });
    json!({
        "seat": pair.seat,
        "opponent": pair.opponent,
        "front": outcome(pair.front),
        "middle": outcome(pair.middle),
        "back": outcome(pair.back),
        "pair": pair.pair_units,
        "gunshot": pair.gunshot_units,
        "home_run": pair.home_run_units,
        "royalty": royalty.sum::<i64>(),
        "total": pair.total_units,
        "guns": pair.guns,
        "gunned": pair.gunned,
    })
}

pub fn deal(deal: &DealRoundResponse) -> Value {
    json!({
        "seed": hex::encode(&deal.seed),
        "commitment": hex::encode(&deal.commitment),
        "dealer": deal.dealer,
        "first_receiver": deal.first_receiver,
        "cut_card": card_or_null(deal.cut_card),
        "turned_up_card": card_or_null(deal.turned_up_card),
        "hands": deal.hands.iter().map(|hand| cards::format_all(&hand.cards)).collect::<Vec<_>>(),
    })
}

pub fn arranged(response: &ArrangeResponse) -> Value {
    let suggestion = |each: &shisanzhi::v1::Suggestion| {
        let rows = each.arrangement.clone().unwrap_or_default();
        json!({
            "front": cards::format_all(&rows.front),
            "middle": cards::format_all(&rows.middle),
            "back": cards::format_all(&rows.back),
            "discards": cards::format_all(&each.discards),
            "expected_units": each.expected_units,
        })
    };
    json!({
        "dragon": response.dragon,
        "suggestions": response.suggestions.iter().map(suggestion).collect::<Vec<_>>(),
    })
}

pub fn books(books: &Match) -> Value {
    let line = |line: &shisanzhi::v1::Standing| json!({"place": line.place, "seat": line.seat});
    json!({
        "player_ids": books.player_ids,
        "next_round": books.next_round,
        "dealer": books.dealer,
        "units": books.units,
        "points": books.points,
        "finished": books.finished,
        "finish_reason": named(books.finish_reason().as_str_name(), FinishReason::default().as_str_name()),
        "standings": books.standings.iter().map(line).collect::<Vec<_>>(),
    })
}

pub fn ruleset(info: &RulesetInfo) -> Value {
    let name = named(info.ruleset().as_str_name(), Ruleset::default().as_str_name());
    let rows = info.rows.iter().map(|line| {
        json!({"row": row(line.row()), "name": texts(line.name.as_ref()), "size": line.size})
    });
    let ladder = info.ladder.iter().map(|line| {
        json!({
            "category": category(line.category()),
            "name": texts(line.name.as_ref()),
            "fits_front": line.fits_front,
        })
    });
    let royalties = info.royalties.iter().map(|line| {
        json!({
            "row": row(line.row()),
            "category": category(line.category()),
            "units": line.units,
            "name": texts(line.name.as_ref()),
        })
    });
    json!({
        "ruleset": name.map(|name| name.to_lowercase()),
        "name": texts(info.name.as_ref()),
        "deck": cards::format_all(&info.deck),
        "hand_size": info.hand_size,
        "rows": rows.collect::<Vec<_>>(),
        "middle_may_equal_back": info.middle_may_equal_back,
        "ladder": ladder.collect::<Vec<_>>(),
        "royalties": royalties.collect::<Vec<_>>(),
        "unit_name": texts(info.unit_name.as_ref()),
        "gunshot_name": texts(info.gunshot_name.as_ref()),
        "home_run_name": texts(info.home_run_name.as_ref()),
        "pair_units": info.pair_units,
        "gunshot_units": info.gunshot_units,
        "home_run_units": info.home_run_units,
        "dragon_units": info.dragon_units,
        "points_per_unit": info.points_per_unit,
        "starting_points": info.starting_points,
        "rounds": info.rounds,
        "arrange_seconds": info.arrange_seconds,
        "has_bonus_rank": info.has_bonus_rank,
        "max_cuts": info.max_cuts,
    })
}

pub fn texts(text: Option<&LocalizedText>) -> Value {
    text.map_or(Value::Null, |text| json!({"zh_hant": text.zh_hant, "en": text.en}))
}

pub fn category(category: Category) -> Option<String> {
    named(category.as_str_name(), Category::default().as_str_name())
}

fn row(row: Row) -> Option<String> {
    named(row.as_str_name(), Row::default().as_str_name())
}

fn outcome(number: i32) -> Option<String> {
    let outcome = RowOutcome::try_from(number).unwrap_or_default();
    named(outcome.as_str_name(), RowOutcome::default().as_str_name())
}

fn card_or_null(card: i32) -> Option<String> {
    (card != 0).then(|| cards::format(card))
}

/// Takes from a value's name what it begins with, as the unspecified one's tells; of that one nothing is left.
fn named(name: &str, unspecified: &str) -> Option<String> {
    (name != unspecified).then(|| unprefixed(name, unspecified).to_owned())
}

pub fn unprefixed<'a>(name: &'a str, unspecified: &str) -> &'a str {
    let prefix = unspecified.trim_end_matches("UNSPECIFIED");
    name.strip_prefix(prefix).unwrap_or(name)
}
