//! A contest as JSON with stable field names.

use serde_json::{Map, Value, json};

use super::{ContestPlan, Contested, Elo, Rating, Sprt, Standings, Tally, Verdict};

/// The whole of a contest: who played what, results of every two, ratings, times, forfeits.
/// With two entrants the results of the first stand at the top as well.
pub fn contest_json(
    plan: &ContestPlan<'_>,
    contested: &Contested,
    standings: &Standings,
    anchor: (usize, f64),
) -> Value {
    let name = |entrant: usize| json!(plan.entrants[entrant].name);
    let mut fields = Map::new();
    let mut put = |key: &str, value: Value| drop(fields.insert(key.to_owned(), value));
    put("game", json!(plan.game));
    put("agents", plan.entrants.iter().map(|entrant| json!(entrant.name)).collect());
    put("games", json!(contested.games.len()));
    put("planned", json!(contested.total));
    put("reused", json!(contested.reused));
    put("reused_of_other_builds", json!(contested.of_others));
    put("left_aside", json!(contested.left_aside));
    put("seed", json!(plan.seed));
    put("terms", json!(plan.terms));
    put("complete", json!(contested.is_complete()));
    if plan.entrants.len() == 2 {
        let tally = standings.duels.first().map_or_else(Tally::default, |duel| duel.tally);
        put_tally(&mut fields, &tally);
        if let Some(sprt) = &plan.sprt {
            fields.insert("sprt".to_owned(), sprt_json(sprt, &tally, contested.verdict));
        }
    }
    let table = standings.duels.iter().map(|duel| {
        let mut row = Map::new();
        row.insert("one".to_owned(), name(duel.one));
        row.insert("two".to_owned(), name(duel.two));
        put_tally(&mut row, &duel.tally);
        Value::Object(row)
    });
    let table: Vec<Value> = table.collect();
    let ratings = standings.ratings.iter().enumerate().map(|(i, rating)| {
        let (elo, note) = match rating {
            Rating::Rated(elo) => (*elo, None),
            other => (Elo::default(), other.note()),
        };
        let interval = elo.value.map(|_| json!([elo.low, elo.high]));
        let tally = &standings.totals[i];
        json!({
            "agent": name(i),
            "elo": elo.value,
            "interval": interval,
            "games": tally.games(),
            "wins": tally.wins,
            "draws": tally.draws,
            "losses": tally.losses,
            "note": note,
        })
    });
    let ratings: Vec<Value> = ratings.collect();
    let times = standings.times.iter().enumerate().map(|(i, times)| {
        json!({
            "agent": name(i),
            "moves": times.moves,
            "mean_ms": times.mean,
            "median_ms": times.median,
            "p95_ms": times.most,
            "max_ms": times.max,
        })
    });
    let times: Vec<Value> = times.collect();
    let forfeits = standings.forfeits.iter().map(|forfeit| {
        json!({"agent": name(forfeit.entrant), "reason": forfeit.reason, "games": forfeit.games})
    });
    let forfeits: Vec<Value> = forfeits.collect();
    let mut put = |key: &str, value: Value| drop(fields.insert(key.to_owned(), value));
    put("table", json!(table));
    put("ratings", json!(ratings));
    put("anchor", json!({"agent": name(anchor.0), "elo": anchor.1}));
    put("time_per_move", json!(times));
    put("forfeits", json!(forfeits));
    Value::Object(fields)
}

fn put_tally(fields: &mut Map<String, Value>, tally: &Tally) {
    let elo = tally.elo().unwrap_or_default();
    let mut put = |key: &str, value: Value| drop(fields.insert(key.to_owned(), value));
    put("wins", json!(tally.wins));
    put("draws", json!(tally.draws));
    put("losses", json!(tally.losses));
    put("score", json!(tally.share()));
    put("score_interval", json!(tally.interval()));
    put("elo", json!(elo.value));
    put("elo_interval", json!([elo.low, elo.high]));
    put("pairs", json!(tally.pairs));
}

fn sprt_json(sprt: &Sprt, tally: &Tally, verdict: Option<Verdict>) -> Value {
    let verdict = verdict.map(|verdict| match verdict {
        Verdict::Lower => "elo0",
        Verdict::Upper => "elo1",
    });
    json!({
        "elo0": sprt.elo0,
        "elo1": sprt.elo1,
        "llr": sprt.llr(&tally.pairs),
        "bounds": [-Sprt::bound(), Sprt::bound()],
        "verdict": verdict,
    })
}
