use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use http::{HeaderMap, HeaderValue, Request, Response, request};
use http_body_util::{BodyExt, Full};
use tokio::time::{Instant, sleep, timeout_at};
use tonic::body::Body;
use tonic::codegen::{Bytes, StdError};
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Status};
use tower::{Service, ServiceExt};

use crate::v1::game_logic_service_client::GameLogicServiceClient;

/// A client that makes its calls again; cheap to clone.
pub type Client = GameLogicServiceClient<Retry<Channel>>;

/// Connects to a server at the first call.
///
/// Every call waits for a server, is made again where a server goes away under it, and has ten seconds unless
/// its request says less.
#[must_use]
pub fn connect(endpoint: &Endpoint) -> Client {
    GameLogicServiceClient::new(Retry::new(endpoint.connect_lazy()))
}

const TIMEOUT: Duration = Duration::from_secs(10);
const TIMEOUT_HEADER: &str = "grpc-timeout";
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_millis(500);

/// Does for a channel what the service config does in other languages, since tonic knows none.
///
/// A call that fails on its way, or ends UNAVAILABLE or CANCELLED, which is how a stopping server cuts it off, is made
/// again until its time is over. Every call may be: none has side effects.
#[derive(Clone, Debug)]
pub struct Retry<S> {
    channel: S,
}

impl<S> Retry<S> {
    /// Wraps a channel, such as one that balances over several endpoints.
    pub const fn new(channel: S) -> Self {
        Self { channel }
    }
}

impl<S> Service<Request<Body>> for Retry<S>
where
    S: Service<Request<Body>, Response = Response<Body>> + Clone + Send + 'static,
    S::Future: Send,
    S::Error: Into<StdError>,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let channel = self.channel.clone();
        Box::pin(async { Ok(answer(channel, request).await.unwrap_or_else(Status::into_http)) })
    }
}

/// Makes a call until it is answered or its time is over.
async fn answer<S>(channel: S, request: Request<Body>) -> Result<Response<Body>, Status>
where
    S: Service<Request<Body>, Response = Response<Body>> + Clone,
    S::Error: Into<StdError>,
{
    let (head, body) = request.into_parts();
    let message = body.collect().await?.to_bytes();
    let deadline = Instant::now() + timeout(&head.headers);
    let mut pause = FIRST_PAUSE;
    let mut failure = Status::unavailable("no answer");
    loop {
        let attempt = attempt(channel.clone(), request_of(&head, &message, deadline));
        match timeout_at(deadline, attempt).await {
            Ok(Ok(response)) => return Ok(response),
            Ok(Err(status)) => failure = status,
            Err(_) => return Err(Status::deadline_exceeded(failure.message())),
        }
        sleep(pause.mul_f64(fastrand::f64())).await;
        pause = (2 * pause).min(LONGEST_PAUSE);
    }
}

/// Makes a call once. An error is one after which it may be made again.
async fn attempt<S>(channel: S, request: Request<Body>) -> Result<Response<Body>, Status>
where
    S: Service<Request<Body>, Response = Response<Body>>,
    S::Error: Into<StdError>,
{
    let response =
        channel.oneshot(request).await.map_err(|error| Status::from_error(error.into()))?;
    let (head, body) = response.into_parts();
    let body = body.collect().await?;
    let trailers = body.trailers().cloned();
    let status = [Some(&head.headers), trailers.as_ref()]
        .into_iter()
        .flatten()
        .find_map(Status::from_header_map)
        .unwrap_or_else(|| Status::unavailable("the answer breaks off"));
    match status.code() {
        Code::Unavailable | Code::Cancelled => Err(status),
        _ => Ok(Response::from_parts(head, whole(body.to_bytes(), trailers))),
    }
}

fn whole(message: Bytes, trailers: Option<HeaderMap>) -> Body {
    Body::new(Full::new(message).with_trailers(async { trailers.map(Ok) }))
}

/// Writes the request again, with the time that is left.
fn request_of(head: &request::Parts, message: &Bytes, deadline: Instant) -> Request<Body> {
    let mut request = Request::from_parts(head.clone(), Body::new(Full::new(message.clone())));
    let left = deadline.saturating_duration_since(Instant::now()).as_millis();
    if let Ok(left) = HeaderValue::try_from(format!("{left}m")) {
        request.headers_mut().insert(TIMEOUT_HEADER, left);
    }
    request
}

/// Reads how long a call may take: digits and a unit, as grpc writes them.
fn timeout(headers: &HeaderMap) -> Duration {
    let read = || {
        let text = headers.get(TIMEOUT_HEADER)?.to_str().ok()?;
        let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
        let number: u64 = digits.parse().ok()?;
        match unit {
            "H" => Some(Duration::from_secs(3600 * number)),
            "M" => Some(Duration::from_secs(60 * number)),
            "S" => Some(Duration::from_secs(number)),
            "m" => Some(Duration::from_millis(number)),
            "u" => Some(Duration::from_micros(number)),
            "n" => Some(Duration::from_nanos(number)),
            _ => None,
        }
    };
    read().unwrap_or(TIMEOUT).min(TIMEOUT)
}
