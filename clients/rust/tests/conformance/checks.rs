//! What has no golden file of its own.

use std::env;
use std::process::Command;

use serde_json::{Value, json};
use shisanzhi::v1::{
    AdvanceMatchRequest, Category, DealRoundResponse, ErrorReason, EvaluateRequest,
    GetRulesetRequest, Rank, ScoreRequest, StartMatchRequest, ValidateRequest,
};
use shisanzhi::{Client, Error, Language, Names, cards, deal, reason_value};

use crate::kinds::{Answer, Outcome, failed, same};
use crate::requests;

/// Repeats every golden deal without the service.
pub fn verify(cases: &[Value]) -> Vec<Outcome> {
    cases.iter().map(verify_deal).collect()
}

fn verify_deal(golden: &Value) -> Outcome {
    let request = requests::deal(golden)?;
    let mut dealt = golden_deal(golden)?;
    deal::verify(&dealt.commitment, &request, &dealt)?;
    let changed = &mut dealt.hands[3].cards[5];
    *changed =
        requests::card(&Value::from(if cards::format(*changed) == "As" { "2c" } else { "As" }))?;
    let accepted = deal::verify(&dealt.commitment, &request, &dealt).is_ok();
    same("a yes when a card is changed", false, accepted)
}

/// Writes a case as the answer of `DealRound` that it describes.
fn golden_deal(golden: &Value) -> Answer<DealRoundResponse> {
    let hands = requests::list(&golden["hands"]).iter();
    Ok(DealRoundResponse {
        seed: requests::bytes(&golden["seed"])?,
        commitment: requests::bytes(&golden["commitment"])?,
        dealer: requests::number(&golden["dealer"]),
        cut_card: requests::card(&golden["cut_card"])?,
        turned_up_card: requests::card(&golden["turned_up_card"])?,
        first_receiver: requests::number(&golden["first_receiver"]),
        hands: hands
            .map(|hand| requests::card_list(requests::text(hand)))
            .collect::<Answer<_>>()?,
        algorithm: "shisanzhi.v1".to_owned(),
    })
}

/// Runs the program that the README shows, which cargo builds beside this one.
pub fn example(target: &str) -> Outcome {
    let here = env::current_exe().map_err(|error| error.to_string())?;
    let example = here.with_file_name("../examples/first_round");
    let run = Command::new(example).arg(target).output().map_err(|error| error.to_string())?;
    let printed = String::from_utf8_lossy(&run.stdout).into_owned();
    same("lines", "seat 0: -2\nseat 1: 0\nseat 2: 4\nseat 3: -2\n", &printed)
}

const LATER: i32 = 99;

/// Asks a server that says what this client does not know.
pub async fn newer(client: Client) -> Vec<Outcome> {
    vec![
        later_category(client.clone()).await,
        later_name(client.clone()).await,
        later_violation(client.clone()).await,
        later_reason(client.clone()).await,
        later_match(client).await,
    ]
}

async fn later_category(mut client: Client) -> Outcome {
    let called = client.evaluate(EvaluateRequest::default()).await;
    let values = called.map_err(|status| failed("Evaluate", &status))?.into_inner().values;
    let (first, second) = (&values[0], &values[1]);
    same("category", LATER, first.category)?;
    same("ranks", &json!([14, LATER, 2]), &json!(first.ranks))?;
    same("rank as text", "99", &cards::rank(first.ranks[1]))?;
    same("first greater", true, first.strength > second.strength)?;
    // The traps that README.md names.
    same("category that hides it", true, first.category() == Category::Unspecified)?;
    same("ranks that hide it", true, first.ranks().eq([Rank::Ace, Rank::Two]))
}

async fn later_name(mut client: Client) -> Outcome {
    let called = client.get_ruleset(GetRulesetRequest::default()).await;
    let info = called
        .map_err(|status| failed("GetRuleset", &status))?
        .into_inner()
        .ruleset
        .unwrap_or_default();
    let names = |language| Names { ruleset: &info, language };
    same("name", "新牌型", &names(Language::ZhHant).category(LATER))?;
    same("name", "new category", &names(Language::English).category(LATER))?;
    same("name of a category without one", "98", &names(Language::English).category(98))
}

async fn later_violation(mut client: Client) -> Outcome {
    let called = client.validate(ValidateRequest::default()).await;
    let response = called.map_err(|status| failed("Validate", &status))?.into_inner();
    let broken = &response.violations[0];
    same("legal", false, response.legal)?;
    same("reason", LATER, broken.reason)?;
    same("row", LATER, broken.row)?;
    same("card", LATER, broken.card)?;
    same("card as text", "99", &cards::format(broken.card))?;
    same("card for people", "99", &cards::pretty(broken.card))
}

async fn later_reason(mut client: Client) -> Outcome {
    let Err(status) = client.score(ScoreRequest::default()).await else {
        return Err("expected a refusal, got an answer".to_owned());
    };
    let refused = Error::from_status(&status).ok_or_else(|| failed("Score", &status))?;
    same("reason", "LATER_REASON", &refused.reason)?;
    same("its value", true, reason_value(&refused.reason) == ErrorReason::Unspecified)?;
    same("path", "later[0].field", &refused.faults[0].path)?;
    same("reason of the fault", "LATER_REASON", &refused.faults[0].reason)?;
    same("faults left out", 3, refused.faults_left_out)
}

/// Hands a match back; prost leaves out what it does not know.
async fn later_match(mut client: Client) -> Outcome {
    let called = client.start_match(StartMatchRequest::default()).await;
    let books = called.map_err(|status| failed("StartMatch", &status))?.into_inner().r#match;
    let called =
        client.advance_match(AdvanceMatchRequest { r#match: books, units: Vec::new() }).await;
    let books = called.map_err(|status| failed("AdvanceMatch", &status))?.into_inner().r#match;
    same("next round", 2, books.unwrap_or_default().next_round)
}
