use std::collections::HashMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::Failure;
use crate::kinds::{KINDS, Kind};

/// Reads every golden file. One too many, too few or empty is an error, and so is a field that no kind knows.
pub fn read(folder: &Path) -> Result<HashMap<&'static str, Vec<Value>>, Failure> {
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        let known = |kind: &Kind| path.file_stem().is_some_and(|stem| stem == kind.name);
        if path.extension().is_some_and(|ending| ending == "jsonl") && !KINDS.iter().any(known) {
            return Err(
                format!("expected golden cases of a known kind, got {}", path.display()).into()
            );
        }
    }
    KINDS.iter().map(|kind| Ok((kind.name, cases(folder, kind)?))).collect()
}

fn cases(folder: &Path, kind: &Kind) -> Result<Vec<Value>, Failure> {
    let text = fs::read_to_string(folder.join(kind.name).with_extension("jsonl"))?;
    let cases: Vec<Value> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    if cases.is_empty() {
        return Err(format!("expected golden cases of {}, got none", kind.name).into());
    }
    let known = |field: &str| {
        field == "note" || kind.asks.contains(&field) || kind.answers.contains(&field)
    };
    for field in cases.iter().filter_map(Value::as_object).flat_map(|case| case.keys()) {
        if !known(field) {
            return Err(format!("expected fields that {} has, got {field}", kind.name).into());
        }
    }
    Ok(cases)
}
