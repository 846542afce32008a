#![doc = include_str!("../README.md")]

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
pub use error::{Error, Fault};
pub use names::{Language, Names};
