//! Asks the service what a golden case asks; gives its answer as the golden file writes it.

use prost::Message;
use serde_json::{Value, json};
use shisanzhi::v1::{
    AdvanceMatchRequest, BatchArrangeRequest, BatchScoreRequest, ErrorReason, FinishReason,
    GetRulesetRequest, GetTextsRequest, ListRulesetsRequest, RowOutcome, Ruleset,
    StartMatchRequest, ViolationReason,
};
use shisanzhi::{Client, Error, cards};
use tonic::{Response, Status};

use crate::kinds::{Answer, code_name, failed, same};
use crate::{described, requests};

pub async fn ask(kind: &str, client: Client, golden: &Value) -> Answer {
    match kind {
        "evaluate" => evaluate(client, golden).await,
        "order" => order(client, golden).await,
        "validate" => validate(client, golden).await,
        "score" => score(client, golden).await,
        "pairs" => pairs(client, golden).await,
        "deal" => deal(client, golden).await,
        "seats" => seats(client, golden).await,
        "arrange" => arrange(client, golden).await,
        "match" => play_match(client, golden).await,
        "rulesets" => ruleset(client, golden).await,
        "texts" => texts(client, golden).await,
        "errors" => refusal(client, golden).await,
        _ => Err(format!("expected a known kind, got {kind}")),
    }
}

/// Asks all cases of a kind in one call; nothing where there is no such call.
pub async fn ask_all(kind: &str, client: Client, cases: &[Value]) -> Option<Answer<Vec<Value>>> {
    match kind {
        "score" => Some(batch_score(client, cases).await),
        "arrange" => Some(batch_arrange(client, cases).await),
        "rulesets" => Some(list_rulesets(client, cases).await),
        _ => None,
    }
}

/// Takes the answer of a call, or says which method failed, and how.
fn said<T>(method: &str, called: Result<Response<T>, Status>) -> Answer<T> {
    called.map(Response::into_inner).map_err(|status| failed(method, &status))
}

async fn evaluate(mut client: Client, golden: &Value) -> Answer {
    let request = requests::evaluate(golden, &[requests::text(&golden["row"])])?;
    let values = said("Evaluate", client.evaluate(request).await)?.values;
    let [value] = values.as_slice() else {
        return Err(format!("expected one value, got {}", values.len()));
    };
    same("a strength above 0", true, value.strength > 0)?;
    Ok(json!({"category": described::category(value.category()), "ranks": value.ranks}))
}

/// Compares every two strengths, and each with itself.
async fn order(mut client: Client, golden: &Value) -> Answer {
    let rows: Vec<&str> = requests::list(&golden["ascending"]).iter().map(requests::text).collect();
    let request = requests::evaluate(golden, &rows)?;
    let first = said("Evaluate", client.evaluate(request.clone()).await)?.values;
    let again = said("Evaluate", client.evaluate(request).await)?.values;
    same("as many values as rows", rows.len(), first.len())?;
    for greater in 0..rows.len() {
        for lower in 0..greater {
            let below = first[lower].strength < first[greater].strength;
            same(&format!("{} below {}", rows[lower], rows[greater]), true, below)?;
        }
    }
    same("the same values again", true, first == again)?;
    Ok(Value::Null)
}

async fn validate(mut client: Client, golden: &Value) -> Answer {
    let response = said("Validate", client.validate(requests::validate(golden)?).await)?;
    let unspecified = ViolationReason::default().as_str_name();
    let reason = |broken: &shisanzhi::v1::Violation| {
        described::unprefixed(broken.reason().as_str_name(), unspecified)
    };
    let reasons: Vec<_> = response.violations.iter().map(reason).collect();
    Ok(json!({"legal": response.legal, "reasons": reasons}))
}

async fn score(mut client: Client, golden: &Value) -> Answer {
    let response = said("Score", client.score(requests::score(golden)?).await)?;
    Ok(described::units(&response.result.unwrap_or_default()))
}

async fn batch_score(mut client: Client, cases: &[Value]) -> Answer<Vec<Value>> {
    let requests = cases.iter().map(requests::score).collect::<Answer<_>>()?;
    let response = said("BatchScore", client.batch_score(BatchScoreRequest { requests }).await)?;
    let results = response.responses.into_iter().map(|each| each.result.unwrap_or_default());
    Ok(results.map(|result| described::units(&result)).collect())
}

async fn pairs(mut client: Client, golden: &Value) -> Answer {
    let response = said("Score", client.score(requests::score(golden)?).await)?;
    let pairs = response.result.unwrap_or_default().pairs;
    Ok(json!({"pairs": pairs.iter().map(described::pair).collect::<Vec<_>>()}))
}

async fn deal(mut client: Client, golden: &Value) -> Answer {
    let deal = said("DealRound", client.deal_round(requests::deal(golden)?).await)?;
    same("the algorithm", "shisanzhi.v1", &deal.algorithm)?;
    Ok(described::deal(&deal))
}

async fn seats(mut client: Client, golden: &Value) -> Answer {
    let players = ["ann", "bob", "cho", "dee"];
    let request = StartMatchRequest {
        ruleset: Ruleset::Classic.into(),
        seed: requests::bytes(&golden["seed"])?,
        player_seeds: Vec::new(),
        player_ids: players.map(str::to_owned).into(),
    };
    let response = said("StartMatch", client.start_match(request).await)?;
    let mut player_in_seat = [0; 4];
    let mut draws: Vec<Vec<i32>> = Vec::new();
    for draw in &response.draws {
        player_in_seat[draw.seat as usize] = draw.player;
        draws.resize(draw.cards.len(), Vec::new());
        for (drawn, &card) in draws.iter_mut().zip(&draw.cards) {
            drawn.push(card);
        }
    }
    let seated = response.r#match.unwrap_or_default().player_ids.join(" ");
    same("seats", player_in_seat.map(|player| players[player as usize]).join(" "), seated)?;
    let draws: Vec<_> = draws.iter().map(|cards| cards::format_all(cards)).collect();
    Ok(json!({"draws": draws, "player_in_seat": player_in_seat}))
}

async fn arrange(mut client: Client, golden: &Value) -> Answer {
    let response = said("Arrange", client.arrange(requests::arrange(golden)?).await)?;
    Ok(described::arranged(&response))
}

async fn batch_arrange(mut client: Client, cases: &[Value]) -> Answer<Vec<Value>> {
    let requests = cases.iter().map(requests::arrange).collect::<Answer<_>>()?;
    let response =
        said("BatchArrange", client.batch_arrange(BatchArrangeRequest { requests }).await)?;
    Ok(response.responses.iter().map(described::arranged).collect())
}

/// Hands every answer back: the service remembers nothing.
async fn play_match(mut client: Client, golden: &Value) -> Answer {
    let started = said("StartMatch", client.start_match(requests::start_match(golden)?).await)?;
    let draw = |draw: &shisanzhi::v1::SeatDraw| json!({"cards": cards::format_all(&draw.cards), "seat": draw.seat});
    let draws: Vec<_> = started.draws.iter().map(draw).collect();
    let mut books = started.r#match.unwrap_or_default();
    let mut matches = vec![described::books(&books)];
    for round in requests::list(&golden["rounds"]) {
        let units = serde_json::from_value(round.clone()).map_err(|error| error.to_string())?;
        let request = AdvanceMatchRequest { r#match: Some(books), units };
        let response = said("AdvanceMatch", client.advance_match(request).await)?;
        books = response.r#match.unwrap_or_default();
        matches.push(described::books(&books));
    }
    Ok(json!({"draws": draws, "matches": matches}))
}

async fn ruleset(mut client: Client, golden: &Value) -> Answer {
    let request = GetRulesetRequest { ruleset: requests::ruleset(golden) };
    let response = said("GetRuleset", client.get_ruleset(request).await)?;
    Ok(described::ruleset(&response.ruleset.unwrap_or_default()))
}

/// Gives to each case what the list says of its ruleset.
async fn list_rulesets(mut client: Client, cases: &[Value]) -> Answer<Vec<Value>> {
    let response = said("ListRulesets", client.list_rulesets(ListRulesetsRequest {}).await)?;
    let listed: Vec<_> = response.rulesets.iter().map(described::ruleset).collect();
    let mut expected: Vec<&Value> = Vec::new();
    for golden in cases {
        if !expected.contains(&&golden["ruleset"]) {
            expected.push(&golden["ruleset"]);
        }
    }
    let got: Vec<_> = listed.iter().map(|info| &info["ruleset"]).collect();
    same("the list", json!(expected), json!(got))?;
    let of =
        |golden: &Value| listed.iter().find(|info| info["ruleset"] == golden["ruleset"]).cloned();
    Ok(cases.iter().filter_map(of).collect())
}

async fn texts(mut client: Client, golden: &Value) -> Answer {
    let texts = said("GetTexts", client.get_texts(GetTextsRequest {}).await)?;
    macro_rules! lines {
        ($lines:expr, $values:ty) => {
            $lines
                .iter()
                .map(|line| {
                    let unspecified = <$values>::default().as_str_name();
                    let value = described::unprefixed(line.value().as_str_name(), unspecified);
                    json!({"value": value, "text": described::texts(line.text.as_ref())})
                })
                .collect()
        };
    }
    let lines: Vec<Value> = match requests::text(&golden["enum"]) {
        "ViolationReason" => lines!(texts.violation_reasons, ViolationReason),
        "ErrorReason" => lines!(texts.error_reasons, ErrorReason),
        "FinishReason" => lines!(texts.finish_reasons, FinishReason),
        "RowOutcome" => lines!(texts.row_outcomes, RowOutcome),
        other => return Err(format!("expected an enum that has texts, got {other}")),
    };
    Ok(json!({"texts": lines}))
}

/// Calls the method that the case names.
async fn refusal(client: Client, golden: &Value) -> Answer {
    let bytes = requests::bytes(&golden["request_bytes"])?;
    let method = requests::text(&golden["method"]);
    let Err(status) = call(client, method, &bytes).await? else {
        return Err("expected a refusal, got an answer".to_owned());
    };
    let refused = Error::from_status(&status).ok_or_else(|| failed(method, &status))?;
    let faults =
        refused.faults.iter().map(|fault| json!({"path": fault.path, "reason": fault.reason}));
    Ok(json!({
        "code": code_name(refused.code),
        "reason": refused.reason,
        "faults": faults.collect::<Vec<_>>(),
        "left_out": refused.faults_left_out,
    }))
}

async fn call(mut client: Client, method: &str, bytes: &[u8]) -> Answer<Result<(), Status>> {
    macro_rules! send {
        ($call:ident) => {{
            let request = Message::decode(bytes).map_err(|error| error.to_string())?;
            client.$call(request).await.map(|_| ())
        }};
    }
    Ok(match method {
        "Evaluate" => send!(evaluate),
        "Validate" => send!(validate),
        "Score" => send!(score),
        "DealRound" => send!(deal_round),
        "Arrange" => send!(arrange),
        "BatchArrange" => send!(batch_arrange),
        "BatchScore" => send!(batch_score),
        "GetRuleset" => send!(get_ruleset),
        "ListRulesets" => send!(list_rulesets),
        "GetTexts" => send!(get_texts),
        "StartMatch" => send!(start_match),
        "AdvanceMatch" => send!(advance_match),
        other => return Err(format!("expected a method of the contract, got {other}")),
    })
}
