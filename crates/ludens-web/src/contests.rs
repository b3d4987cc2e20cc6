//! The games of agents in the result store: ratings by game, and the newest games.

use std::collections::{BTreeMap, BTreeSet};

use ludens_runs::arena::contest::{Duels, Rating, Score, Tally, ratings};
use ludens_runs::arena::store::{NewGame, StoredPairing};
use ludens_runs::arena::{Error, Store};
use serde_json::{Value, json};

/// The newest games that are listed.
const LISTED: usize = 100;
/// Whose rating is 0 where it has played.
const ANCHOR: &str = "random";

/// Ratings per game: all games of the store that are of one game count, whatever their
/// openings and limits.
pub(crate) fn rated(store: &Store) -> Result<Vec<Value>, Error> {
    let mut games: BTreeMap<String, Vec<StoredPairing>> = BTreeMap::new();
    for stored in store.pairings()?.into_iter().filter(|stored| stored.games > 0) {
        games.entry(stored.pairing.game.clone()).or_default().push(stored);
    }
    games.iter().map(|(game, pairings)| of_game(store, game, pairings)).collect()
}

fn of_game(store: &Store, game: &str, pairings: &[StoredPairing]) -> Result<Value, Error> {
    let names: BTreeSet<&str> =
        pairings.iter().flat_map(|p| [&*p.pairing.one, &*p.pairing.two]).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let place = |name: &str| names.iter().position(|&other| other == name).unwrap_or(0);
    let mut duels = Vec::new();
    let mut totals = vec![Tally::default(); names.len()];
    for stored in pairings {
        let tally = tally(store, stored)?;
        let (one, two) = (place(&stored.pairing.one), place(&stored.pairing.two));
        totals[one].add(&tally);
        totals[two].add(&tally.flipped());
        duels.push(Duels { one, two, tally });
    }
    let found = ratings(names.len(), &duels, (place(ANCHOR), 0.0));
    let mut rows: Vec<(Option<f64>, Value)> = Vec::new();
    for (i, rating) in found.iter().enumerate() {
        let elo = match rating {
            Rating::Rated(elo) => *elo,
            _ => Default::default(),
        };
        let row = json!({
            "agent": names[i],
            "elo": elo.value,
            "interval": elo.value.map(|_| [elo.low, elo.high]),
            "games": totals[i].games(),
            "wins": totals[i].wins,
            "draws": totals[i].draws,
            "losses": totals[i].losses,
            "note": rating.note(),
        });
        rows.push((elo.value, row));
    }
    rows.sort_by(|a, b| b.0.partial_cmp(&a.0).unwrap_or(std::cmp::Ordering::Equal));
    let rows: Vec<Value> = rows.into_iter().map(|(_, row)| row).collect();
    Ok(json!({ "game": game, "ratings": rows }))
}

/// What the pairing's `one` scored.
fn tally(store: &Store, stored: &StoredPairing) -> Result<Tally, Error> {
    let mut tally = Tally::default();
    let mut waiting: BTreeMap<(u32, bool), Vec<Score>> = BTreeMap::new();
    for kept in store.scores(stored.id)? {
        let score = if kept.swapped { kept.score.flipped() } else { kept.score };
        // The other game of its opening; contests of several seeds have openings of the same
        // number, which are paired in the order in which they were played.
        match waiting.get_mut(&(kept.opening, !kept.swapped)).and_then(Vec::pop) {
            Some(partner) => tally.enter(&[partner, score]),
            None => waiting.entry((kept.opening, kept.swapped)).or_default().push(score),
        }
    }
    waiting.values().flatten().for_each(|score| tally.enter(&[*score]));
    Ok(tally)
}

/// The newest games.
pub(crate) fn newest(store: &Store) -> Result<Vec<Value>, Error> {
    let one = |new: &NewGame| {
        let (first, second) = match new.swapped {
            false => (&new.one, &new.two),
            true => (&new.two, &new.one),
        };
        let score = match new.score {
            Score::Win => "1-0",
            Score::Draw => "½-½",
            Score::Loss => "0-1",
        };
        json!({
            "game": new.game,
            "first": first,
            "second": second,
            "score": score,
            "reason": new.reason,
            "start": new.start,
            "moves": new.moves,
            "finished": new.finished,
        })
    };
    Ok(store.newest_games(LISTED)?.iter().map(one).collect())
}
