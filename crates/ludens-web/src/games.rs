//! `/api/games`: what there is to play, and with whom.

use std::sync::Arc;

use axum::extract::State;
use ludens_registry::{GameInfo, former, game, games, json as fields};
use serde_json::{Value, json};

use crate::reply::{Json, Refusal};
use crate::server::App;

/// All games with their parameters, solvers and agents; today's date; the limits.
pub(crate) async fn list(State(app): State<Arc<App>>) -> Result<Json, Refusal> {
    let listed = games().iter().map(one).collect::<Result<Vec<Value>, Refusal>>()?;
    Ok(Json(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "today": former::today_in_oslo(),
        "games": listed,
        "best_known": former::best_known().map(|(day, moves)| (day.to_owned(), json!(moves))).collect::<Value>(),
        "limits": {
            "time_ms": app.terms.time.map(|time| time.as_millis() as u64),
            "memory": app.terms.memory,
            "threads": app.terms.threads,
        },
    })))
}

fn one(info: &GameInfo) -> Result<Value, Refusal> {
    let table = game(&info.spec())?.start(0);
    let mut listed = fields::game(info);
    listed["spec"] = json!(info.spec());
    listed["samples"] = json!(info.samples.iter().map(|s| info.spec_with(s)).collect::<Vec<_>>());
    listed["daily"] = json!(info.spec() == former::NAME);
    listed["solvers"] = table.solvers().iter().map(fields::solver).collect();
    listed["agents"] = table.agents().iter().map(fields::agent).collect();
    Ok(listed)
}
