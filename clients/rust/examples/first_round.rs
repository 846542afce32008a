//! Deals a round, arranges the four hands and settles it.

use shisanzhi::Client;
use shisanzhi::v1::{ArrangeRequest, DealRoundRequest, Ruleset, ScoreRequest};
use tonic::Status;
use tonic::transport::Endpoint;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let target = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:50051".to_owned());
    let endpoint = Endpoint::from_shared(format!("http://{target}"))?;
    Ok(play(shisanzhi::connect(&endpoint)).await?)
}

async fn play(mut client: Client) -> Result<(), Status> {
    let ruleset = Ruleset::Bonus.into();
    let seed = (0..16).collect();
    let wanted = DealRoundRequest { ruleset, seed, ..Default::default() };
    let deal = client.deal_round(wanted).await?.into_inner();
    let (cut_card, dealer) = (deal.cut_card, Some(deal.dealer));
    let mut arrangements = Vec::new();
    for hand in &deal.hands {
        let question =
            ArrangeRequest { ruleset, cut_card, hand: hand.cards.clone(), max_suggestions: 1 };
        let best = client.arrange(question).await?.into_inner().suggestions.swap_remove(0);
        arrangements.extend(best.arrangement);
    }
    let round = ScoreRequest { ruleset, cut_card, arrangements, dealer, hands: deal.hands };
    let scored = client.score(round).await?.into_inner();
    for seat in scored.result.unwrap_or_default().seats {
        println!("seat {}: {}", seat.seat, seat.total_units);
    }
    Ok(())
}
