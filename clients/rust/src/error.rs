use std::fmt;
use std::time::Duration;

use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::v1::ErrorReason;

/// A call that the service did not answer, with all that it says about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    /// The status code.
    pub code: Code,
    /// A stable name such as `CARD_REPEATED`: the one to branch on.
    pub reason: String,
    /// For developers; may change.
    pub message: String,
    /// Everything that is wrong with the request.
    pub faults: Vec<Fault>,
    /// How many faults did not fit in.
    pub faults_left_out: u32,
    /// How long to wait when overloaded.
    pub retry_after: Option<Duration>,
    /// Finds an internal error in the service's log.
    pub request_id: Option<String>,
}

/// One thing that is wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Into the request, by the contract's names: `arrangements[2].middle[4]`.
    pub path: String,
    /// A stable name.
    pub reason: String,
    /// For developers; may change.
    pub description: String,
}
