use std::collections::BTreeSet;
use std::fmt::Display;

use serde_json::Value;
use shisanzhi::Client;
use tonic::{Code, Status};

use crate::asking;

/// Nothing where a case passed; else what is wrong.
pub type Outcome = Result<(), String>;

/// What a call says, as the golden files write it.
pub type Answer<T = Value> = Result<T, String>;

/// A kind of golden cases.
pub struct Kind {
    /// Its file's name.
    pub name: &'static str,
    /// The fields of a case that make the request.
    pub asks: &'static [&'static str],
    /// The fields that are compared.
    pub answers: &'static [&'static str],
}

const ROUND: &[&str] = &["ruleset", "cut", "dealer", "arrangements"];

pub const KINDS: [Kind; 12] = [
    Kind { name: "evaluate", asks: &["ruleset", "cut", "row"], answers: &["category", "ranks"] },
    Kind { name: "order", asks: &["ruleset", "cut", "ascending"], answers: &[] },
    Kind {
        name: "validate",
        asks: &["ruleset", "cut", "front", "middle", "back", "hand"],
        answers: &["legal", "reasons"],
    },
    Kind {
        name: "score",
        asks: ROUND,
        answers: &["gunshot", "home_run", "royalty", "pair", "total", "place"],
    },
    Kind { name: "pairs", asks: ROUND, answers: &["pairs"] },
    Kind {
        name: "deal",
        asks: &["ruleset", "round", "dealer_named", "player_seeds", "cuts"],
        answers: &[
            "seed",
            "dealer",
            "first_receiver",
            "cut_card",
            "turned_up_card",
            "commitment",
            "hands",
        ],
    },
    Kind { name: "seats", asks: &["seed"], answers: &["draws", "player_in_seat"] },
    Kind {
        name: "arrange",
        asks: &["ruleset", "cut", "hand"],
        answers: &["dragon", "suggestions"],
    },
    Kind {
        name: "match",
        asks: &["ruleset", "seed", "player_seeds", "player_ids", "rounds"],
        answers: &["draws", "matches"],
    },
    Kind {
        name: "rulesets",
        asks: &[],
        answers: &[
            "ruleset",
            "name",
            "deck",
            "hand_size",
            "rows",
            "middle_may_equal_back",
            "ladder",
            "royalties",
            "unit_name",
            "gunshot_name",
            "home_run_name",
            "pair_units",
            "gunshot_units",
            "home_run_units",
            "dragon_units",
            "points_per_unit",
            "starting_points",
            "rounds",
            "arrange_seconds",
            "has_bonus_rank",
            "max_cuts",
        ],
    },
    Kind { name: "texts", asks: &["enum"], answers: &["texts"] },
    Kind {
        name: "errors",
        asks: &["method", "request", "request_bytes"],
        answers: &["code", "reason", "faults", "left_out"],
    },
];

impl Kind {
    /// Asks every case by itself, then all at once where that can be; gives an outcome for each.
    pub async fn run(&self, client: &Client, cases: &[Value]) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        for golden in cases {
            let said = asking::ask(self.name, client.clone(), golden).await;
            outcomes.push(said.and_then(|said| self.compare(golden, &said)));
        }
        let Some(together) = asking::ask_all(self.name, client.clone(), cases).await else {
            return outcomes;
        };
        let together =
            together.and_then(|said| same("answers", cases.len(), said.len()).map(|()| said));
        for (number, golden) in cases.iter().enumerate() {
            let outcome = match &together {
                Ok(said) => self.compare(golden, &said[number]),
                Err(wrong) => Err(wrong.clone()),
            };
            outcomes[number] = outcomes[number].clone().and(outcome);
        }
        outcomes
    }

    fn compare(&self, golden: &Value, said: &Value) -> Outcome {
        self.answers.iter().try_for_each(|&field| match field {
            "reasons" => same(field, set(&golden[field]), set(&said[field])),
            _ => same(field, &golden[field], &said[field]),
        })
    }
}

/// Sorts a list of texts and leaves out repetitions.
fn set(list: &Value) -> Value {
    let texts: BTreeSet<_> =
        list.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    texts.into_iter().collect()
}

/// Says what is wrong unless two values are the same.
pub fn same<T: PartialEq + Display>(what: &str, expected: T, got: T) -> Outcome {
    if expected == got { Ok(()) } else { Err(format!("expected {what} {expected}, got {got}")) }
}

/// Says which method failed, and how.
pub fn failed(method: &str, status: &Status) -> String {
    format!("{method}: {} {}", code_name(status.code()), status.message())
}

/// Gives a status code's name in grpc: `INVALID_ARGUMENT`.
pub fn code_name(code: Code) -> String {
    let camel = format!("{code:?}");
    let mut name = String::new();
    for letter in camel.chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_uppercase());
    }
    name
}
