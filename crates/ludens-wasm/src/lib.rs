//! The engine for hosts of WebAssembly, such as a page without a server or Node.
//!
//! The module imports two functions from `ludens`: `now_ms`, a clock that never goes back, and
//! `unix_ms`, the date. It exports `ludens_alloc`, `ludens_free` and `ludens_call`. A call is a JSON
//! object, and so is its reply; see [`call`].

mod memory;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ludens_core::ParseError;
use ludens_core::error::quote;
use ludens_engine::analysis::{Fields, Limits, Task, read_position};
use ludens_engine::sheet::sheet;
use ludens_engine::{games, json};
use serde_json::{Value, json};

/// Bytes of the name of a call at most.
const LONGEST_CALL: usize = 20;
/// What one analysis may cost: there is one thread, and the host waits.
const LIMITS: Limits =
    Limits { time: Some(Duration::from_secs(600)), memory: 1 << 28, threads: 1, files: false };

/// Answers a call. Its field `call` says which:
///
/// - `games`: what there is to play;
/// - `position`: a position as a page shows it, by the fields of the web API's `/api/position`;
/// - `agents`: the agents of a position that can be made;
/// - `analyze`: an analysis, by the fields of `/api/analyze`.
///
/// What goes wrong is `{"error": ..}`.
///
/// ```
/// let reply = ludens_wasm::call(r#"{"call": "analyze", "game": "connect-four", "position": "112233", "agent": "lookahead"}"#);
/// assert_eq!(reply["best"], "4");
/// assert!(ludens_wasm::call("{}")["error"].is_string());
/// ```
pub fn call(request: &str) -> Value {
    answer(request).unwrap_or_else(|error| json!({ "error": error }))
}

fn answer(request: &str) -> Result<Value, String> {
    let text = |error: ParseError| error.to_string();
    let mut fields = Fields::parse(request).map_err(text)?;
    let name = fields.text("call", LONGEST_CALL).map_err(text)?.unwrap_or_default();
    match name.as_str() {
        "games" => Ok(json!({ "games": games().iter().map(json::game).collect::<Value>() })),
        "position" => {
            let input = read_position(&mut fields).map_err(text)?;
            Ok(sheet(&*input.table, &input.start, &input.trail))
        }
        "agents" => {
            let table = read_position(&mut fields).map_err(text)?.table;
            let agents = table.agents().into_iter().skip(1).map(|info| info.name);
            let usable: Vec<&str> = agents.filter(|name| table.has_agent(name)).collect();
            Ok(json!({ "agents": usable }))
        }
        "analyze" => {
            let task = Task::read(fields, &LIMITS).map_err(text)?;
            let stop = AtomicBool::new(false);
            task.run(&stop, &mut |_| {}).map_err(|error| error.to_string())
        }
        other => {
            let expected = "games | position | agents | analyze";
            Err(ParseError::new("call", quote(other), expected).to_string())
        }
    }
}
