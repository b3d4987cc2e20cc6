//! `/api/games`: what there is to play. `/api/game`: one game and variant, with whom.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use ludens_engine::{GameHandle, GameInfo, former, game, games, json as fields, puzzle};
use serde_json::{Value, json};

use crate::position::{aside, fields as read_fields};
use crate::reply::{Json, Refusal};
use crate::server::App;

/// Bytes of a game with its variant at most.
const LONGEST_GAME: usize = 200;

/// All games with their parameters, solvers and agents; today's date; the limits.
pub(crate) async fn list(State(app): State<Arc<App>>) -> Result<Json, Refusal> {
    let listed = games().iter().map(one).collect::<Result<Vec<Value>, Refusal>>()?;
    Ok(Json(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "today": former::today_in_oslo(),
        "games": listed,
        "best_known": former::best_known().map(|(day, moves)| (day.to_owned(), json!(moves))).collect::<Value>(),
        "limits": {
            "time_ms": app.limits.time.map(|time| time.as_millis() as u64),
            "memory": app.limits.memory,
            "threads": app.limits.threads,
        },
    })))
}

fn one(info: &GameInfo) -> Result<Value, Refusal> {
    let handle = game(&info.spec())?;
    let table = handle.start(0);
    let mut listed = about(&*handle);
    listed["solvers"] = table.solvers().iter().map(fields::solver).collect();
    listed["agents"] = table.agents().iter().map(fields::agent).collect();
    Ok(listed)
}

/// A game with its variant: which solvers and agents can be used there, and which are
/// asked when a person has chosen none.
pub(crate) async fn read(body: Bytes) -> Result<Json, Refusal> {
    aside(move || {
        let mut asked = read_fields(&body)?;
        let name = asked.text("game", LONGEST_GAME)?;
        asked.finish(&["game"])?;
        let handle = game(name.as_deref().unwrap_or(former::NAME))?;
        Ok(Json(with_whom(&*handle)))
    })
    .await
}

fn with_whom(handle: &dyn GameHandle) -> Value {
    let table = &*handle.start(0);
    let mut listed = about(handle);
    let solvers = table.solvers();
    let solver = table.solver_name(None, false).ok();
    listed["solver"] = json!(solver.filter(|_| table.adviser().is_none()).map(|named| named.text));
    listed["solvers"] = solvers
        .iter()
        .map(|info| {
            let fault = table.solver_name(Some(info.name), false).err();
            with_fault(fields::solver(info), fault.map(|fault| fault.to_string()))
        })
        .collect();
    listed["agents"] = table
        .agents()
        .iter()
        .map(|info| {
            let fault = table.check_agent(info.name).err();
            let mut agent = with_fault(fields::agent(info), fault.map(|fault| fault.to_string()));
            agent["until_stopped"] = json!(info.until_stopped);
            agent
        })
        .collect();
    listed["levels"] = fields::levels(table);
    listed["perfect"] = json!(table.perfect());
    listed["opponent"] = json!(table.opponent());
    listed["adviser"] = json!(table.adviser());
    listed
}

/// A solver or an agent with why it cannot be used; null where it can.
fn with_fault(mut named: Value, fault: Option<String>) -> Value {
    named["unusable"] = json!(fault);
    named
}

/// What is the same whoever plays.
fn about(handle: &dyn GameHandle) -> Value {
    let info = handle.info();
    let mut listed = fields::game(info);
    listed["spec"] = json!(handle.spec());
    listed["samples"] = json!(info.samples.iter().map(|s| info.spec_with(s)).collect::<Vec<_>>());
    listed["daily"] = json!(handle.todays().is_some());
    let pictures = if info.selector.is_none() { ludens_vision::methods(info.name) } else { &[] };
    listed["pictures"] = json!(pictures);
    listed["puzzle"] = json!(handle.puzzle_kind().map(puzzle::Kind::name));
    listed
}
