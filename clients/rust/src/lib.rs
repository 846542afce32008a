//! Asks the game logic of Taiwanese thirteen-card poker (十三支).
//!
//! The calls are those of the contract, in [`v1`]; [`connect`] makes them again where a server goes away under them,
//! and the rest is what every client needs beside them: [`cards`] as text, [`Names`], one typed [`Error`], and a
//! check of a [`deal`] without the service.

/// The contract: every message, enum and call, as `proto/shisanzhi/v1` describes them.
#[allow(missing_docs, clippy::all, clippy::pedantic)]
pub mod v1 {
    tonic::include_proto!("shisanzhi.v1");
}

pub mod cards;
mod client;
pub mod deal;
mod error;
mod names;

pub use client::{Client, Retry, connect};
pub use error::{Error, Fault, reason_value};
pub use names::{Language, Names};
