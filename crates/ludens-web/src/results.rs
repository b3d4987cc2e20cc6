//! `/api/results`: what the result store holds.

use std::sync::Arc;

use axum::extract::State;
use ludens_engine::game;
use ludens_runs::arena::store::StoredEvaluation;
use ludens_runs::arena::{Measure, RunResult, Store, Summary};
use ludens_runs::home;
use serde_json::{Value, json};

use crate::contests;
use crate::reply::{Json, Refusal};
use crate::server::App;

/// The newest evaluations that are listed.
const LISTED: usize = 200;

/// The evaluations of the store, newest first, ratings of agents by game, and their newest
/// games. No store is an empty one.
pub(crate) async fn list(State(app): State<Arc<App>>) -> Result<Json, Refusal> {
    let store = app.home.as_ref().map(|folder| folder.join(home::STORE));
    app.slowly(move || {
        let Some(path) = store.filter(|path| path.is_file()) else {
            return Ok(Json(json!({ "evaluations": [], "contests": [], "games": [] })));
        };
        let store = Store::open(&path).map_err(Refusal::fault)?;
        Ok(Json(json!({
            "evaluations": evaluations(&store)?,
            "contests": contests::rated(&store).map_err(Refusal::fault)?,
            "games": contests::newest(&store).map_err(Refusal::fault)?,
        })))
    })
    .await
}

fn evaluations(store: &Store) -> Result<Vec<Value>, Refusal> {
    let all = store.evaluations().map_err(Refusal::fault)?;
    let told = |stored: &StoredEvaluation| {
        let results = store.results(stored.id).map_err(Refusal::fault)?;
        Ok(evaluation(stored, &results))
    };
    all.iter().rev().take(LISTED).map(told).collect()
}

fn evaluation(stored: &StoredEvaluation, results: &[RunResult]) -> Value {
    let of = &stored.evaluation;
    let few = game(&of.game).is_ok_and(|game| game.info().objective.is_fewest_moves());
    let measure = if few { Measure::Cost } else { Measure::Score };
    let figures: Vec<f64> = results
        .iter()
        .filter_map(|result| result.outcome.value)
        .map(|value| measure.metric(value) as f64)
        .collect();
    let sample = Summary::of(&figures);
    json!({
        "game": of.game,
        "solver": of.solver,
        "budget": of.budget,
        "threads": of.threads,
        "suite": of.suite,
        "begun": stored.started,
        "runs": results.len(),
        "solved": figures.len(),
        "proven": results.iter().filter(|result| result.outcome.proven).count(),
        "measure": if few { "moves" } else { "score" },
        "mean": sample.as_ref().map(|sample| sample.mean),
        "interval": sample.as_ref().and_then(Summary::interval),
        "min": sample.as_ref().map(|sample| sample.min),
        "max": sample.as_ref().map(|sample| sample.max),
    })
}
