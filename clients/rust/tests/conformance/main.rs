//! Holds the Rust client to the golden cases that every client answers to; `../../README.md` says how.

mod asking;
mod checks;
mod described;
mod kinds;
mod requests;
mod restarts;
mod vectors;

use std::env;
use std::path::Path;
use std::process::{Command, ExitCode};

use kinds::{KINDS, Outcome};
use tonic::transport::Endpoint;

type Failure = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> Result<ExitCode, Failure> {
    let target = required("SHISANZHI_TARGET")?;
    let all_passed = if env::args().any(|argument| argument == "restarts") {
        restarts::run(connect(&target)?, required("SHISANZHI_SECONDS")?.parse()?).await
    } else {
        conforms(&target).await?
    };
    Ok(if all_passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn conforms(target: &str) -> Result<bool, Failure> {
    let cases = vectors::read(Path::new(&required("SHISANZHI_VECTORS")?))?;
    say(&format!("versions {}", versions()));
    let client = connect(target)?;
    let mut passed = true;
    for kind in &KINDS {
        passed &= report(kind.name, &kind.run(&client, &cases[kind.name]).await);
    }
    passed &= report("verify", &checks::verify(&cases["deal"]));
    passed &= report("example", &[checks::example(target)]);
    if let Ok(newer) = env::var("SHISANZHI_NEWER_TARGET") {
        passed &= report("newer", &checks::newer(connect(&newer)?).await);
    }
    Ok(passed)
}

/// Prints what came of a kind; says whether every case passed.
fn report(kind: &str, outcomes: &[Outcome]) -> bool {
    for (number, outcome) in outcomes.iter().enumerate() {
        if let Err(wrong) = outcome {
            say(&format!("failed {kind} {}: {}", number + 1, wrong.replace('\n', " ")));
        }
    }
    let passed = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    say(&format!("{kind} {passed}"));
    passed == outcomes.len()
}

fn say(text: &str) {
    println!("conformance: rust {text}");
}

fn required(variable: &str) -> Result<String, Failure> {
    env::var(variable)
        .map_err(|_| format!("expected {variable} in the environment, got none").into())
}

fn connect(target: &str) -> Result<shisanzhi::Client, Failure> {
    Ok(shisanzhi::connect(&Endpoint::from_shared(format!("http://{target}"))?))
}

/// The compiler's and the locked packages' versions.
fn versions() -> String {
    let rust =
        Command::new("rustc").arg("--version").output().map(|run| run.stdout).unwrap_or_default();
    let rust = String::from_utf8_lossy(&rust).split(' ').nth(1).unwrap_or("unknown").to_owned();
    let lock = include_str!("../../Cargo.lock");
    let version = |package: &str| {
        let name = format!("name = \"{package}\"\nversion = \"");
        let found = lock.split_once(&name).and_then(|(_, rest)| rest.split_once('"'));
        format!("{package} {}", found.map_or("unknown", |(version, _)| version))
    };
    format!("rust {rust}, {}, {}", version("tonic"), version("prost"))
}
