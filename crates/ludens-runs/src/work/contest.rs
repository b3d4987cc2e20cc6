//! Agents against each other.

use std::collections::BTreeMap;
use std::time::Duration;

use ludens_arena::contest::{
    ContestPlan, ContestPlayer, ContestProgress, Contested, Sprt, Standings, contest, contest_json,
};
use ludens_core::ParseError;
use ludens_core::error::quote;
use ludens_engine::{GameHandle, game};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Execution, WorkError};
use crate::contest::{MARGIN, Maker, Match, entries_with};

/// Random moves of an opening in games that always begin alike.
const PLIES: usize = 6;

/// Everything that games depend on.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ContestWork {
    /// The game with its variant.
    pub game: String,
    /// Who plays, at least two.
    pub agents: Vec<String>,
    /// Games of every two, an even number.
    pub games: u32,
    /// Random moves of an opening; the game's usual number without it.
    pub plies: Option<usize>,
    /// Milliseconds per move besides the agents' own limits.
    pub time_ms: Option<u64>,
    /// How many milliseconds later than its time a program's move may come.
    pub margin_ms: Option<u64>,
    /// The seed.
    pub seed: u64,
    /// Bounds of a sequential test.
    pub sprt: Option<(f64, f64)>,
    /// The agent that the others are compared with, and its rating.
    pub anchor: Option<(String, f64)>,
}

/// What it came to.
#[derive(Debug)]
pub struct ContestDone {
    /// The game with its variant.
    pub game: String,
    /// The openings and the limits.
    pub terms: String,
    /// Who played.
    pub players: Vec<ContestPlayer>,
    /// The sequential test, if there is one.
    pub sprt: Option<Sprt>,
    /// The anchor: who, and its rating.
    pub anchor: (usize, f64),
    /// The games.
    pub contested: Contested,
    /// Results of every two, ratings, times.
    pub standings: Standings,
    /// The pairs of games of all shards together.
    pub units: usize,
    seed: u64,
}

impl ContestDone {
    /// With stable field names.
    pub fn json(&self) -> Value {
        let plan = ContestPlan {
            game: &self.game,
            players: &self.players,
            terms: &self.terms,
            seed: self.seed,
            sprt: self.sprt,
            ..ContestPlan::default()
        };
        contest_json(&plan, &self.contested, &self.standings, self.anchor)
    }
}

impl ContestWork {
    /// Random moves of an opening.
    pub fn plies_of(&self, handle: &dyn GameHandle) -> usize {
        self.plies.unwrap_or(if handle.fixed_start() { PLIES } else { 0 })
    }

    /// Refuses what no contest can be made of.
    ///
    /// # Errors
    /// When the game has no winners, or the games are odd.
    pub fn check(&self, handle: &dyn GameHandle) -> Result<(), ParseError> {
        let wrong = |field: &str, found: String, expected: &str| {
            Err(ParseError::new(field, found, expected))
        };
        if !handle.has_winners() {
            return wrong("game", quote(&self.game), "a game for two with winners");
        }
        if !self.games.is_multiple_of(2) {
            let expected = "an even number: every opening is played twice, with sides swapped";
            return wrong("--games", self.games.to_string(), expected);
        }
        if self.sprt.is_some() && self.agents.len() != 2 {
            return wrong("--sprt", format!("{} agents", self.agents.len()), "two agents");
        }
        Ok(())
    }

    /// Openings of every two agents.
    ///
    /// # Errors
    /// When the games are odd, the game is wrong, or a sequential test ends before all are played.
    pub fn units(&self) -> Result<usize, WorkError> {
        self.check(&*game(&self.game)?)?;
        let pairs = self.agents.len() * self.agents.len().saturating_sub(1) / 2;
        Ok(pairs * self.games as usize / 2)
    }

    /// Plays what is not in the store yet.
    ///
    /// # Errors
    /// When a name is wrong, the store fails, or an agent of the program itself crashes.
    pub fn run(
        &self,
        execution: &mut Execution<'_>,
        progress: &mut dyn FnMut(&ContestProgress<'_>),
    ) -> Result<ContestDone, WorkError> {
        self.run_with(&BTreeMap::new(), execution, progress)
    }

    /// The same where some agents are names of players that the host brings along. The store
    /// cannot tell whether such a player has changed: keep it in memory.
    ///
    /// # Errors
    /// As [`run`](ContestWork::run).
    pub fn run_with(
        &self,
        given: &BTreeMap<String, Maker>,
        execution: &mut Execution<'_>,
        progress: &mut dyn FnMut(&ContestProgress<'_>),
    ) -> Result<ContestDone, WorkError> {
        let handle = game(&self.game)?;
        self.check(&*handle)?;
        let entries = entries_with(&*handle, &self.agents, given)?;
        let players: Vec<ContestPlayer> =
            entries.iter().map(|entry| entry.player.clone()).collect();
        let anchor = self.anchor(&players)?;
        let time = self.time_ms.map(Duration::from_millis);
        let margin = self.margin_ms.map_or(MARGIN, Duration::from_millis);
        let plies = self.plies_of(&*handle);
        let rules = Match { game: &*handle, entries: &entries, plies, time, margin };
        let (spec, terms) = (handle.spec(), rules.terms());
        let plan = ContestPlan {
            game: &spec,
            players: &players,
            terms: &terms,
            program: execution.program,
            reuse: execution.reuse,
            openings: self.games / 2,
            seed: self.seed,
            workers: execution.workers,
            sprt: self.sprt.map(|(elo0, elo1)| Sprt { elo0, elo1 }),
            shard: execution.shard,
        };
        let contested = contest(&plan, &rules, execution.store, execution.stop, progress)?;
        let standings = Standings::of(players.len(), &contested, anchor);
        let pairs = players.len() * (players.len() - 1) / 2;
        let (sprt, units) = (plan.sprt, pairs * plan.openings as usize);
        let seed = self.seed;
        Ok(ContestDone {
            game: spec,
            terms,
            players,
            sprt,
            anchor,
            contested,
            standings,
            units,
            seed,
        })
    }

    /// The agent that the others are compared with, by number.
    fn anchor(&self, players: &[ContestPlayer]) -> Result<(usize, f64), ParseError> {
        let Some((name, elo)) = &self.anchor else { return Ok((0, 0.0)) };
        let found = players.iter().position(|player| player.name == *name || player.key == *name);
        found.map(|at| (at, *elo)).ok_or_else(|| {
            let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
            ParseError::new("--anchor", quote(name), format!("one of: {}", names.join(", ")))
        })
    }
}
