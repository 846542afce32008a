//! Starts a call every 5 ms while somebody else restarts the only server.

use std::time::Duration;

use shisanzhi::Client;
use shisanzhi::v1::{EvaluateRequest, Ruleset};
use tokio::task::JoinSet;
use tokio::time::{Instant, interval};
use tonic::Request;

use crate::requests;

/// Gives whether no call was lost.
pub async fn run(client: Client, seconds: f64) -> bool {
    let rows = vec![requests::card_list("As Ah Kd").unwrap_or_default()];
    let asked = EvaluateRequest { ruleset: Ruleset::Classic.into(), cut_card: 0, rows };
    let mut every = interval(Duration::from_millis(5));
    let mut calls = JoinSet::new();
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    while every.tick().await < end {
        let mut client = client.clone();
        let mut request = Request::new(asked.clone());
        request.set_timeout(Duration::from_secs(10));
        let first = calls.is_empty();
        calls.spawn(async move {
            let answered = client.evaluate(request).await;
            if first {
                println!("restarts: rust started");
            }
            answered.map_err(|status| println!("{status}"))
        });
    }
    let count = calls.len();
    let lost = calls.join_all().await.iter().filter(|answered| answered.is_err()).count();
    println!("restarts: rust calls {count} lost {lost}");
    lost == 0
}
