//! Suites in JSON.

use ludens_core::ParseError;
use ludens_core::error::quote;
use serde_json::{Map, Value};

use super::{Case, Check, DATE, is_date};

/// The fields of an entry that are read or known to be harmless. Others are
/// refused: a misspelt `best_known` must not go unnoticed.
const FIELDS: [&str; 7] = ["id", "date", "rows", "position", "best_known", "title", "source"];

pub(super) fn cases(text: &str, check: Check<'_>) -> Result<Vec<Case>, ParseError> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let location = format!("line {}, column {}", error.line(), error.column());
        ParseError::new(
            location,
            "no valid JSON",
            "a list of boards: [{\"id\":1,\"rows\":[..]}, ..]",
        )
    })?;
    let Value::Array(entries) = value else {
        return Err(ParseError::new("file", kind(&value), "a list of boards"));
    };
    let read = |(i, entry): (usize, &Value)| {
        case(entry, check).map_err(|error| error.within(&format!("entry {}", i + 1)))
    };
    entries.iter().enumerate().map(read).collect()
}

fn case(entry: &Value, check: Check<'_>) -> Result<Case, ParseError> {
    let Value::Object(fields) = entry else {
        let expected = "an object with id or date, and rows or position";
        return Err(ParseError::new("entry", kind(entry), expected));
    };
    if let Some(field) = fields.keys().find(|field| !FIELDS.contains(&field.as_str())) {
        let expected = format!("one of {}", FIELDS.join(", "));
        return Err(ParseError::new("fields", quote(field), expected));
    }
    let id = id(fields)?;
    let position = check(&position(fields)?).map_err(|error| error.within(&format!("id {id}")))?;
    let best_known = match fields.get("best_known") {
        None | Some(Value::Null) => None,
        Some(value) => Some(value.as_i64().ok_or_else(|| {
            ParseError::new("best_known", quote(&value.to_string()), "an integer or null")
        })?),
    };
    Ok(Case { id, position, best_known })
}

fn id(fields: &Map<String, Value>) -> Result<String, ParseError> {
    match (fields.get("id"), fields.get("date")) {
        (Some(Value::String(id)), _) if !id.trim().is_empty() => Ok(id.clone()),
        (Some(Value::Number(id)), _) if id.is_i64() || id.is_u64() => Ok(id.to_string()),
        (Some(other), _) => {
            Err(ParseError::new("id", quote(&other.to_string()), "an integer or a text"))
        }
        (None, Some(Value::String(date))) if is_date(date) => Ok(date.clone()),
        (None, Some(other)) => Err(ParseError::new("date", quote(&other.to_string()), DATE)),
        (None, None) => Err(ParseError::new("fields", "neither id nor date", "one of them")),
    }
}

fn position(fields: &Map<String, Value>) -> Result<String, ParseError> {
    match (fields.get("rows"), fields.get("position")) {
        (Some(Value::Array(rows)), None) if !rows.is_empty() => {
            let text = |(i, row): (usize, &Value)| {
                row.as_str().map(str::to_owned).ok_or_else(|| {
                    let location = format!("row {} from the top", i + 1);
                    ParseError::new(location, quote(&row.to_string()), "a text")
                })
            };
            let rows = rows.iter().enumerate().map(text).collect::<Result<Vec<_>, _>>()?;
            Ok(rows.join("\n"))
        }
        (Some(Value::Array(_)), None) => Err(ParseError::new("rows", "none", "at least one")),
        (Some(other), None) => Err(ParseError::new("rows", kind(other), "a list of texts")),
        (None, Some(Value::String(position))) => Ok(position.clone()),
        (None, Some(other)) => Err(ParseError::new("position", kind(other), "a text")),
        (None, None) => Err(ParseError::new("fields", "neither rows nor position", "one of them")),
        (Some(_), Some(_)) => {
            Err(ParseError::new("fields", "both rows and position", "one of them"))
        }
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
