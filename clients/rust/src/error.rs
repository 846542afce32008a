use std::fmt;
use std::time::Duration;

use tonic::{Code, Status};
use tonic_types::{FieldViolation, StatusExt};

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

impl Error {
    /// Reads how a call ended. Nothing where that does not come from the service itself: a server that is gone,
    /// say, has a status code alone.
    #[must_use]
    pub fn from_status(status: &Status) -> Option<Self> {
        let details = status.get_error_details();
        let info = details.error_info().filter(|info| info.domain == "shisanzhi")?.clone();
        let faults = details.bad_request().map(|request| request.field_violations.clone());
        Some(Self {
            code: status.code(),
            reason: info.reason,
            message: status.message().to_owned(),
            faults: faults.unwrap_or_default().into_iter().map(Fault::from).collect(),
            faults_left_out: info
                .metadata
                .get("faults_left_out")
                .and_then(|left| left.parse().ok())
                .unwrap_or(0),
            retry_after: details.retry_info().and_then(|retry| retry.retry_delay),
            request_id: details.request_info().map(|request| request.request_id.clone()),
        })
    }
}

impl From<FieldViolation> for Fault {
    fn from(fault: FieldViolation) -> Self {
        Self { path: fault.field, reason: fault.reason, description: fault.description }
    }
}

/// Gives the value of a reason; unspecified where only a newer server knows it.
#[must_use]
pub fn reason_value(reason: &str) -> ErrorReason {
    ErrorReason::from_str_name(&format!("ERROR_REASON_{reason}")).unwrap_or_default()
}

impl fmt::Display for Error {
    /// Says the reason and every fault, one a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.reason, self.message)?;
        self.faults.iter().try_for_each(|fault| {
            write!(f, "\n{}: {} ({})", fault.path, fault.description, fault.reason)
        })
    }
}

impl std::error::Error for Error {}
