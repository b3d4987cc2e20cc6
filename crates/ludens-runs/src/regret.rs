//! How far an agent is from optimal play, on boards whose exact values are known.
//!
//! A move's regret is what it is worth less than the best one, by the exact expected scores. The
//! regrets of a game's moves add up to what the agent's score lacks from the optimal one, on
//! average; those of a good player vary far less than its scores do.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ludens_arena::statistics::{Rate, Summary};
use ludens_core::{Notation, ParseError};
use ludens_engine::episodes::Watch;
use ludens_engine::sliding::Sliding;
use ludens_engine::{TileVisitor, exact_table, variant_of, visit_tiles};
use ludens_games::framework::FrameworkGame;
use ludens_learn::Error;
use ludens_search::tabular::ExactTable;
use serde_json::json;

use crate::playing::{Episodes, Games, GamesProgress, Played, figures, watched};

/// Less than this is rounding.
const ROUNDING: f64 = 1e-6;

/// How an agent played and what it lost by its moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Regret {
    /// How it played; the JSON has a field `regret` besides.
    pub played: Played,
    /// The expected score of optimal play.
    pub optimal: f64,
    /// Regrets of whole games.
    pub games: Summary,
    /// How many moves were optimal.
    pub optimal_moves: Rate,
    /// The move that lost most, if any did.
    pub worst: Option<Blunder>,
}

/// A move that was not optimal.
#[derive(Clone, PartialEq, Debug)]
pub struct Blunder {
    /// The position.
    pub position: String,
    /// The move.
    pub action: String,
    /// What it lost.
    pub regret: f64,
}

/// What one thread's games lost.
struct Losses<G: Sliding> {
    table: Arc<ExactTable>,
    variant: G::Variant,
    by_game: BTreeMap<u64, f64>,
    optimal_moves: Rate,
    worst: Option<(f64, G, G::Action)>,
}

impl<G: Sliding> Watch<G> for Losses<G> {
    fn moving(&mut self, number: u64, position: &G, action: G::Action) {
        let (after, reward) = position.apply(action);
        let best = self.table.state(position).map(|value| value.expected);
        let later = self.table.after::<G>(&self.variant, &after).map(|value| value.expected);
        // Every position of a game from its start is in the table.
        let Some((best, later)) = best.zip(later) else { return };
        let regret = (best - later - f64::from(reward)).max(0.0);
        *self.by_game.entry(number).or_default() += regret;
        self.optimal_moves.total += 1;
        self.optimal_moves.hits += usize::from(regret < ROUNDING);
        if regret >= ROUNDING && self.worst.as_ref().is_none_or(|(most, ..)| regret > *most) {
            self.worst = Some((regret, *position, action));
        }
    }
}

/// Lets an agent play whole games and compares each of its moves with optimal play; the table of
/// exact values may take `memory` bytes. `None` when it was stopped before a game had ended.
///
/// # Errors
/// When the game, the agent or its network is wrong, or the board is too large to be solved.
pub fn regret(
    asked: &Games<'_>,
    memory: usize,
    stop: &AtomicBool,
    report: &mut dyn FnMut(&GamesProgress),
) -> Result<Option<Regret>, Error> {
    struct Visit<'a, 'b>(&'a Games<'b>, usize, &'a AtomicBool, &'a mut dyn FnMut(&GamesProgress));
    impl TileVisitor for Visit<'_, '_> {
        type Output = Result<Option<Regret>, Error>;
        fn visit<G: Sliding + FrameworkGame>(self) -> Self::Output {
            of_game::<G>(self.0, self.1, self.2, self.3)
        }
    }
    visit_tiles(asked.game, Visit(asked, memory, stop, report))?
}

fn of_game<G: Sliding + Notation>(
    asked: &Games<'_>,
    memory: usize,
    stop: &AtomicBool,
    report: &mut dyn FnMut(&GamesProgress),
) -> Result<Option<Regret>, Error> {
    let variant = variant_of::<G>(asked.game)?;
    let stopped = || stop.load(Ordering::Relaxed);
    let table = match exact_table::<G>(&variant, memory, &stopped) {
        Ok(table) => table,
        Err(_) if stopped() => return Ok(None),
        Err(error) => {
            let expected = format!("one that can be solved, such as {}:board=2x3", G::NAME);
            return Err(ParseError::new("board", error.to_string(), expected).into());
        }
    };
    let watcher = || Losses::<G> {
        table: Arc::clone(&table),
        variant,
        by_game: BTreeMap::new(),
        optimal_moves: Rate { hits: 0, total: 0 },
        worst: None,
    };
    let (played, losses) = watched::<G, _>(&variant, asked, watcher, stop, report)?;
    let Episodes { episodes, seconds, cpu_seconds } = &played;
    let Some(mut played) = figures::<G>(asked, episodes, *seconds, *cpu_seconds) else {
        return Ok(None);
    };
    // Games that were broken off do not count.
    let lost = |number: u64| losses.iter().find_map(|one| one.by_game.get(&number)).copied();
    let games: Vec<f64> =
        episodes.iter().map(|episode| lost(episode.number).unwrap_or(0.0)).collect();
    let Some(games) = Summary::of(&games) else { return Ok(None) };
    let optimal_moves = losses.iter().fold(Rate { hits: 0, total: 0 }, |sum, one| Rate {
        hits: sum.hits + one.optimal_moves.hits,
        total: sum.total + one.optimal_moves.total,
    });
    let worst = losses.iter().filter_map(|one| one.worst.as_ref());
    let worst =
        worst.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(regret, position, action)| Blunder {
            position: position.text(),
            action: position.action_text(*action),
            regret: *regret,
        });
    let optimal = table.start();
    played.json["regret"] = json!({
        "optimal": optimal,
        "mean": games.mean,
        "interval": games.interval(),
        "share": games.mean / optimal,
        "median": games.median,
        "max": games.max,
        "optimal_moves": optimal_moves.share(),
        "optimal_moves_interval": optimal_moves.interval(),
        "worst": worst.as_ref().map(|worst| json!({
            "position": worst.position,
            "action": worst.action,
            "regret": worst.regret,
        })),
    });
    Ok(Some(Regret { played, optimal, games, optimal_moves, worst }))
}

#[cfg(test)]
mod tests {
    use ludens_arena::Shard;

    use super::*;

    fn of(game: &str, agent: &str, count: u64) -> Regret {
        let (seed, threads, shard) = (3, 2, Shard::WHOLE);
        let asked = Games { game, agent, count, seed, threads, shard };
        regret(&asked, 1 << 28, &AtomicBool::new(false), &mut |_| {}).unwrap().unwrap()
    }

    #[test]
    fn perfect_play_loses_nothing() {
        for game in ["2048:board=2x2", "threes:board=2x2", "2048:board=2x3"] {
            let found = of(game, "perfect", 20);
            assert!(found.games.max < ROUNDING && found.worst.is_none(), "{game} {found:?}");
            assert_eq!(found.optimal_moves.hits, found.optimal_moves.total);
            assert_eq!(found.played.json["regret"]["share"].as_f64().map(f64::round), Some(0.0));
        }
    }

    /// Regrets add up to what scores lack, on average.
    #[test]
    fn regrets_are_what_scores_lack() {
        let found = of("2048:board=2x3", "random", 4000);
        let error = |summary: &Summary| summary.error().unwrap();
        let error = error(&found.played.scores).hypot(error(&found.games));
        let lacking = found.optimal - found.played.scores.mean;
        assert!((found.games.mean - lacking).abs() < 4.0 * error && error < 4.0, "{found:?}");
        assert!(found.games.mean > 0.2 * found.optimal && found.worst.unwrap().regret > 10.0);
        assert!(found.optimal_moves.share().unwrap() < 0.9);
    }

    #[test]
    fn whole_boards_are_refused() {
        let (seed, threads, shard) = (3, 1, Shard::WHOLE);
        let asked = Games { game: "2048", agent: "random", count: 1, seed, threads, shard };
        let message = regret(&asked, 1 << 20, &AtomicBool::new(false), &mut |_| {}).unwrap_err();
        assert!(message.to_string().contains("such as 2048:board=2x3"), "{message}");
    }
}
