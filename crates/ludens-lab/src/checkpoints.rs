//! Rates the networks of a training run as they appear, as the arena of Clark (2021) does.
//!
//! A ladder of agents of known kind is rated first, each member by games against those before it.
//! Then every checkpoint meets the one before it, the one ten iterations before it, and two members of
//! the ladder: the nearest to its rating, and the nearest to 400 below. Ratings follow from an acyclic
//! graph ([`graph_ratings`]). All games are in the store, so that it resumes where it was.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use ludens_arena::contest::{
    Measured, RatingCycle, Standings, Tally, earlier, graph_ratings, near,
};
use ludens_arena::plot::{Labels, Level, LinePlot, Series};
use ludens_arena::{Store, fingerprint};
use ludens_core::ParseError;
use ludens_core::error::quote;
use ludens_core::file::atomic_copy;
use ludens_engine::{GameHandle, game};
use ludens_runs::contest::{COMMAND, entries};

pub use crate::lab::ContestOptions;

use crate::Error;
use crate::lab::{Contest, plan as plan_error, play_contest};

/// How many iterations back a checkpoint's earlier opponents are.
const BACK: [u64; 2] = [1, 10];
/// How far down a ladder member's opponents are.
const DOWN: [usize; 3] = [1, 2, 3];
/// The current network of a training run, which is written again and again.
const CURRENT: &str = "model.safetensors";
/// Where copies of it are kept.
const KEPT: &str = "rated";
/// What the networks begin with that a run keeps by itself; the iteration follows.
const AFTER: &str = "after-";
/// What they end with.
const NETWORK: &str = "safetensors";

/// Which checkpoints to rate, and how.
#[derive(Clone, Copy, Debug)]
pub struct RatingPlan<'a> {
    /// The game with its variant.
    pub game: &'a str,
    /// Agents to measure by, the weakest first.
    pub ladder: &'a [String],
    /// The rating of the first of them.
    pub anchor: f64,
    /// The agent of a checkpoint; `{}` stands for its path.
    pub agent: &'a str,
    /// The folder of the run, or one in which checkpoints appear.
    pub folder: &'a Path,
    /// Rates those of every so many iterations, and the last one.
    pub every: u64,
    /// Games against each opponent, an even number.
    pub games: u32,
    /// Random moves of an opening.
    pub plies: usize,
    /// Who plays, and how.
    pub options: ContestOptions<'a>,
}

/// An agent with its rating.
#[derive(Clone, PartialEq, Debug)]
pub struct RatedAgent {
    /// The agent.
    pub agent: String,
    /// The checkpoint's name; `None` for members of the ladder.
    pub checkpoint: Option<String>,
    /// The iteration that the checkpoint was kept after, or which of them it is.
    pub iteration: Option<u64>,
    /// Its rating, if its games lead to the anchor.
    pub elo: Option<f64>,
    /// Games it was rated by.
    pub games: u64,
}

/// A checkpoint that could not be rated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SkippedCheckpoint {
    /// The checkpoint's name.
    pub checkpoint: String,
    /// What is wrong with it.
    pub why: String,
}

/// A network of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checkpoint {
    /// The iteration that it was kept after; which of all it is, from 1, where that is not told.
    pub iteration: u64,
    /// Its file or folder.
    pub path: PathBuf,
}

impl Checkpoint {
    fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// The checkpoints of a folder in their order: the networks that the run has kept
/// (`after-N.safetensors`); or copies of its current network, one made for every state of it that is
/// seen; or the folders and networks that appear in it.
///
/// # Errors
/// When the folder cannot be read or written.
pub fn checkpoints(folder: &Path) -> std::io::Result<Vec<Checkpoint>> {
    let kept = kept_by_run(folder)?;
    if !kept.is_empty() {
        return Ok(kept);
    }
    let current = folder.join(CURRENT);
    let kept_in = if current.exists() { folder.join(KEPT) } else { folder.to_owned() };
    if current.exists() {
        std::fs::create_dir_all(&kept_in)?;
        let kept = listed(&kept_in)?;
        let new = fingerprint::of_path(&current);
        if new.is_some() && kept.last().and_then(|last| fingerprint::of_path(last)) != new {
            let number = kept.len() + 1;
            atomic_copy(&current, &kept_in.join(format!("{number:05}.{NETWORK}")))?;
        }
    }
    let numbered = |(path, iteration)| Checkpoint { iteration, path };
    Ok(listed(&kept_in)?.into_iter().zip(1..).map(numbered).collect())
}

/// The networks that a run keeps of every so many iterations.
fn kept_by_run(folder: &Path) -> std::io::Result<Vec<Checkpoint>> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let number = name.strip_prefix(AFTER).and_then(|rest| rest.strip_suffix(NETWORK));
        let number = number.and_then(|number| number.strip_suffix('.')?.parse().ok());
        all.extend(number.map(|iteration| Checkpoint { iteration, path: path.clone() }));
    }
    all.sort_by_key(|checkpoint| checkpoint.iteration);
    Ok(all)
}

/// The checkpoints that one meets: the last ones that are at least so many iterations before it.
fn met(all: &[Checkpoint], at: usize) -> Vec<usize> {
    let before =
        |back: &u64| all[..at].iter().rposition(|one| one.iteration + back <= all[at].iteration);
    let mut met: Vec<usize> = BACK.iter().filter_map(before).collect();
    met.dedup();
    met
}

/// Folders and networks, by the numbers in their names.
fn listed(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let network = path.is_dir() || path.extension().is_some_and(|end| end == NETWORK);
        if network && !name.starts_with('.') && name != KEPT {
            all.push((order(&name), path));
        }
    }
    all.sort();
    Ok(all.into_iter().map(|(_, path)| path).collect())
}

/// A name with its numbers as numbers, so that 9 comes before 10.
fn order(name: &str) -> Vec<(u64, String)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let text = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (before, after) = rest.split_at(text);
        let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        parts.push((after[..digits].parse().unwrap_or(u64::MAX), before.to_owned()));
        rest = &after[digits..];
    }
    parts
}

/// Rates the ladder and all checkpoints that there are; `on_progress` gets who meets
/// whom. Checkpoints whose networks cannot be read are skipped.
///
/// # Errors
/// When an agent of the ladder cannot be made, there is none such as the checkpoints', the store
/// fails, or it was interrupted; games are kept.
pub fn rate(
    plan: &RatingPlan<'_>,
    store: &mut Store,
    stop: &AtomicBool,
    on_progress: &mut dyn FnMut(&str),
) -> Result<(Vec<RatedAgent>, Vec<SkippedCheckpoint>), Error> {
    let failed = |e: std::io::Error| Error::Failed(format!("{}: {e}", plan.folder.display()));
    let mut found = checkpoints(plan.folder).map_err(failed)?;
    let last = found.last().map(|checkpoint| checkpoint.iteration);
    found.retain(|one| {
        one.iteration.is_multiple_of(plan.every.max(1)) || Some(one.iteration) == last
    });
    let handle = game(plan.game).map_err(plan_error)?;
    known(plan, &*handle)?;
    let mut agents = plan.ladder.to_vec();
    let (mut usable, mut skipped) = (Vec::new(), Vec::new());
    for checkpoint in found {
        let agent = plan.agent.replace("{}", &checkpoint.path.to_string_lossy());
        match entries(&*handle, std::slice::from_ref(&agent)) {
            Ok(_) => {
                agents.push(agent);
                usable.push(checkpoint);
            }
            Err(error) => {
                let (checkpoint, why) = (checkpoint.name(), error.to_string());
                skipped.push(SkippedCheckpoint { checkpoint, why });
            }
        }
    }
    let rungs = plan.ladder.len();
    let mut measured: Vec<Measured> = Vec::new();
    let anchors = [(0, plan.anchor)];
    let ratings = |measured: &[Measured]| {
        let circle =
            |RatingCycle(agents)| Error::Failed(format!("ratings in a circle: {agents:?}"));
        graph_ratings(agents.len(), measured, &anchors).map_err(circle)
    };
    for at in 1..agents.len() {
        let mut meet = |against: usize, measured: &mut Vec<Measured>| {
            on_progress(&format!("{} against {}", agents[at], agents[against]));
            let tally = play(plan, &agents[at], &agents[against], store, stop)?;
            measured.push(Measured { agent: at, against, tally });
            Ok::<(), Error>(())
        };
        if at < rungs {
            for against in earlier(at, &DOWN) {
                meet(against, &mut measured)?;
            }
            continue;
        }
        for index in met(&usable, at - rungs) {
            meet(rungs + index, &mut measured)?;
        }
        // The first checkpoint is taken to be as strong as the anchor.
        let known = ratings(&measured)?;
        let guess = known[at].unwrap_or(plan.anchor);
        let ladder: Vec<(usize, Option<f64>)> = (0..rungs).map(|i| (i, known[i])).collect();
        for against in near(guess, &ladder) {
            meet(against, &mut measured)?;
        }
    }
    let elo = ratings(&measured)?;
    let games = |at: usize| {
        measured.iter().filter(|one| one.agent == at).map(|one| one.tally.games()).sum::<u64>()
    };
    let rated = |at: usize| {
        let checkpoint = at.checked_sub(rungs).map(|i| &usable[i]);
        RatedAgent {
            agent: agents[at].clone(),
            checkpoint: checkpoint.map(Checkpoint::name),
            iteration: checkpoint.map(|checkpoint| checkpoint.iteration),
            elo: elo[at],
            games: games(at),
        }
    };
    Ok(((0..agents.len()).map(rated).collect(), skipped))
}

/// Refuses an agent for checkpoints that the game does not have: that is no fault of theirs.
fn known(plan: &RatingPlan<'_>, handle: &dyn GameHandle) -> Result<(), Error> {
    let name = plan.agent.split(':').next().unwrap_or_default();
    let agents = handle.start(0).agents();
    if plan.agent.starts_with(COMMAND) || agents.iter().any(|agent| agent.name == name) {
        return Ok(());
    }
    let names: Vec<&str> = agents.iter().map(|agent| agent.name).collect();
    Err(plan_error(ParseError::new("agent", quote(name), names.join(" | "))))
}

/// The games of two agents, from the store as far as they are there.
fn play(
    plan: &RatingPlan<'_>,
    one: &str,
    two: &str,
    store: &mut Store,
    stop: &AtomicBool,
) -> Result<Tally, Error> {
    let agents = [one.to_owned(), two.to_owned()];
    let RatingPlan { game, games, plies, options, .. } = *plan;
    let asked = Contest { game, agents: &agents, games, plies };
    let done = play_contest(&asked, &options, store, stop, &mut |_| {})?;
    let standings = Standings::of(2, &done, (0, 0.0));
    Ok(standings.duels.first().map_or_else(Tally::default, |duel| duel.tally))
}

/// The strength of the checkpoints by iteration, with the ladder as levels.
pub fn strength_plot(title: &str, rated: &[RatedAgent]) -> String {
    let point = |one: &RatedAgent| Some((one.iteration? as f64, one.elo?));
    let points = rated.iter().filter_map(point).collect();
    let ladder = rated.iter().filter(|one| one.checkpoint.is_none());
    let level = |one: &RatedAgent| Some(Level { name: one.agent.clone(), y: one.elo? });
    LinePlot {
        labels: Labels::new(title, "iteration", "Elo"),
        log_x: false,
        steps: false,
        series: vec![Series { name: "checkpoints".to_owned(), points }],
        levels: ladder.filter_map(level).collect(),
    }
    .to_svg()
}

#[cfg(test)]
mod tests;
