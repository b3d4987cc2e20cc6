//! What an experiment works with: how much to run, where the boards are, and
//! where its rows go.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ludens_arena::contest::{ContestPlan, ContestPlayer, ContestProgress, Contested, contest};
use ludens_arena::{
    Plan, Progress, Reuse, RunResult, Runner, Shard, Store, Suite, evaluate, worker_pool,
};
use ludens_core::{Budget, ParseError};
use ludens_engine::analysis::{Method, Request};
use ludens_engine::{Named, game};
use ludens_runs::contest::{MARGIN, Match, entries};
use ludens_runs::data::kept;
use ludens_runs::eval::{AgentRunner, SolverRunner, budget_text};

use crate::samegame::seeded_suite;
use crate::{Error, Part, Plot, Report, Row, Section, Tolerance};

/// How much to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Size {
    /// As much as was published.
    #[default]
    Full,
    /// Less than a minute on two cores.
    Quick,
    /// As little as gives every row: for tests.
    Tiny,
}

impl Size {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Size::Full => "full",
            Size::Quick => "quick",
            Size::Tiny => "tiny",
        }
    }
}

/// How to run experiments.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// How much.
    pub size: Size,
    /// Runs of each board in place of the size's own number.
    pub runs: Option<u32>,
    /// Time per board in place of the size's own, where the experiment limits time.
    pub time: Option<Duration>,
    /// Episodes, or games of self-play, that each network of 2048, Sevn or PROBS learns from, in place
    /// of the size's own number.
    pub episodes: Option<u64>,
    /// Games behind each mean of 2048, and of each match of Sevn or PROBS, in place of the size's own
    /// number.
    pub games: Option<u64>,
    /// Networks that learn in the same way, with different seeds.
    pub seeds: Option<u32>,
    /// The folder that keeps the runs of 2048, Sevn and PROBS, which are resumed; temporary ones
    /// without.
    pub keep: Option<PathBuf>,
    /// Boards in place of the size's own number, where the experiment has a suite of them.
    pub boards: Option<usize>,
    /// Resource units per run in place of the size's own, where the experiment limits them.
    pub units: Option<u64>,
    /// From which all randomness is made.
    pub seed: u64,
    /// The folder with the published boards.
    pub data: Option<PathBuf>,
    /// Runs at the same time, at least 1.
    pub workers: usize,
    /// Bytes for the tables of all searches together.
    pub memory: usize,
    /// Name, version and build of the program, for the store.
    pub program: String,
    /// Whether stored results of other programs are reused.
    pub reuse: Reuse,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            size: Size::default(),
            runs: None,
            time: None,
            episodes: None,
            games: None,
            seeds: None,
            keep: None,
            boards: None,
            units: None,
            seed: 0,
            data: None,
            workers: 1,
            memory: 1 << 30,
            program: String::new(),
            reuse: Reuse::default(),
        }
    }
}

/// A solver with what it may spend on each run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trial<'a> {
    /// The game with its variant.
    pub(crate) game: &'a str,
    /// The solver's name in the engine.
    pub(crate) solver: &'a str,
    /// The boards.
    pub(crate) suite: &'a Suite,
    /// What a run may spend.
    pub(crate) budget: Budget,
    /// Runs per board.
    pub(crate) runs: u32,
}

/// Agents that play against each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contest<'a> {
    /// The game with its variant.
    pub(crate) game: &'a str,
    /// The agents.
    pub(crate) agents: &'a [String],
    /// Games of every two, an even number.
    pub(crate) games: u32,
    /// Random moves of an opening.
    pub(crate) plies: usize,
}

/// What an experiment is given.
pub(crate) struct Lab<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) store: &'a mut Store,
    pub(crate) stop: &'a AtomicBool,
    pub(crate) on_progress: &'a mut dyn FnMut(&str),
    pub(crate) report: Report,
    /// Whether seeded boards stand in for published ones.
    pub(crate) seeded: bool,
}

/// What is said of sections that were measured on other boards.
const SEEDED: &str = "; on seeded boards of the same distribution, because the published ones are \
                      not there (ludens data add, --data DIR or LUDENS_DATA)";

impl Lab<'_> {
    /// The number for the size.
    pub(crate) fn pick<T>(&self, full: T, quick: T, tiny: T) -> T {
        match self.settings.size {
            Size::Full => full,
            Size::Quick => quick,
            Size::Tiny => tiny,
        }
    }

    /// Runs of each board: what was asked for, or the size's number.
    pub(crate) fn runs(&self, full: u32, quick: u32, tiny: u32) -> u32 {
        self.settings.runs.unwrap_or_else(|| self.pick(full, quick, tiny)).max(1)
    }

    /// Milliseconds per board: what was asked for, or the size's number.
    pub(crate) fn millis(&self, full: u64, quick: u64, tiny: u64) -> u64 {
        let asked = self.settings.time.map(|time| (time.as_millis() as u64).max(1));
        asked.unwrap_or_else(|| self.pick(full, quick, tiny))
    }

    /// Resource units of a run: what was asked for, or the size's number.
    pub(crate) fn units(&self, full: u64, quick: u64, tiny: u64) -> u64 {
        self.settings.units.unwrap_or_else(|| self.pick(full, quick, tiny)).max(1)
    }

    /// Starts a group of rows that were measured in the same way.
    pub(crate) fn section(&mut self, title: impl Into<String>, parts: &[Part]) {
        let mut title = title.into();
        if self.seeded {
            title.push_str(SEEDED);
        }
        self.report.sections.push(Section::new(title, parts));
    }

    /// Adds a row to the last section. Numbers of seeded boards stand beside those of the
    /// published ones, but are not compared with them.
    pub(crate) fn row(&mut self, mut row: Row) {
        if self.seeded {
            row.tolerance = Tolerance::Open;
        }
        let section = self.report.sections.last_mut();
        section.expect("a section is started before its rows").push(row);
    }

    /// Adds a drawing, named after the experiment.
    pub(crate) fn plot(&mut self, suffix: &str, svg: String) {
        let name = format!("{}{suffix}", self.report.name);
        self.report.plots.push(Plot { name, svg });
    }

    /// `count` boards of a suite of the data, or as many as were asked for, evenly spread over
    /// it. Without the file, neither in the folder of the data nor in `LUDENS_HOME`, seeded boards
    /// of the same distribution stand in for it.
    pub(crate) fn boards(
        &mut self,
        game_name: &str,
        file: &'static str,
        count: usize,
    ) -> Result<Suite, Error> {
        let handle = game(game_name).map_err(plan)?;
        let check = |text: &str| Ok(handle.parse(text)?.position());
        let named = self.settings.data.as_ref().map(|folder| folder.join(file));
        let home = ludens_runs::home::folder().filter(|_| self.settings.size != Size::Tiny);
        let found = match named {
            Some(path) if path.exists() => Some(path),
            Some(_) => return Err(Error::NoData { experiment: self.report.name, file }),
            None => home.map(|home| kept(&home, file)).filter(|path| path.exists()),
        };
        let suite = match found {
            Some(path) => Suite::read(&path, &check)?,
            None => {
                let missing = Error::NoData { experiment: self.report.name, file };
                self.seeded = true;
                seeded_suite(file, &check).ok_or(missing)??
            }
        };
        Ok(spread(&suite, self.settings.boards.unwrap_or(count))?)
    }

    /// Runs a solver; the results are complete.
    pub(crate) fn evaluate(&mut self, trial: &Trial<'_>) -> Result<Vec<RunResult>, Error> {
        let handle = game(trial.game).map_err(plan)?;
        let solver = handle.start(0).solver_name(Some(trial.solver), false).map_err(plan)?;
        let memory = self.settings.memory / self.settings.workers.max(1);
        let (method, budget) = (Method::solver(&solver.text), trial.budget);
        let request = Request { method, budget, memory, ..Request::default() };
        let spec = handle.spec();
        self.run(trial, &spec, &solver, &SolverRunner { game: handle, request })
    }

    /// Lets an agent play the boards of a suite; `solver` of the trial is the agent.
    pub(crate) fn play_boards(&mut self, trial: &Trial<'_>) -> Result<Vec<RunResult>, Error> {
        let handle = game(trial.game).map_err(plan)?;
        let spec = handle.spec();
        let (runner, named) = AgentRunner::new(handle, trial.solver, trial.budget).map_err(plan)?;
        self.run(trial, &spec, &named, &runner)
    }

    fn run(
        &mut self,
        trial: &Trial<'_>,
        spec: &str,
        named: &Named,
        runner: &dyn Runner,
    ) -> Result<Vec<RunResult>, Error> {
        let plan = Plan {
            game: spec,
            solver: &named.text,
            budget: &budget_text(&trial.budget, &named.weights),
            program: &self.settings.program,
            reuse: self.settings.reuse,
            suite: trial.suite,
            runs: trial.runs,
            seed: self.settings.seed,
            workers: self.settings.workers.max(1),
            threads: 1,
            shard: Shard::WHOLE,
        };
        let (experiment, on_progress) = (self.report.name, &mut *self.on_progress);
        let mut progress = |progress: &Progress<'_>| {
            let Progress { done, total, left, .. } = *progress;
            let left = time_left(left);
            on_progress(&format!("{experiment}: {} {done} of {total} runs{left}", trial.solver));
        };
        let done = evaluate(&plan, runner, self.store, self.stop, &mut progress)?;
        let failed = done.results.iter().find_map(|run| Some((run, run.outcome.failure.as_ref()?)));
        match failed {
            Some((run, why)) => {
                Err(Error::Failed(format!("{}, board {}: {why}", named.text, run.case)))
            }
            None if done.is_complete() => Ok(done.results),
            None => Err(Error::Interrupted),
        }
    }

    /// Plays every two agents against each other; the games are complete.
    pub(crate) fn contest(&mut self, asked: &Contest<'_>) -> Result<Contested, Error> {
        let options = ContestOptions::of(self.settings);
        let (name, on_progress) = (self.report.name, &mut *self.on_progress);
        play_contest(asked, &options, self.store, self.stop, &mut |progress| {
            let ContestProgress { done, total, left, .. } = *progress;
            on_progress(&format!("{name}: {done} of {total} games{}", time_left(left)));
        })
    }

    /// `f` of 0, 1, .. up to a count, on all workers.
    pub(crate) fn map<T: Send>(
        &mut self,
        what: &str,
        count: usize,
        f: impl Fn(usize) -> T + Sync,
    ) -> Result<Vec<T>, Error> {
        let (name, on_progress) = (self.report.name, &mut *self.on_progress);
        let mut done: BTreeMap<usize, Option<T>> = BTreeMap::new();
        let make_worker = || |i: usize, _: &AtomicBool| f(i);
        worker_pool::run(
            count,
            self.settings.workers.max(1),
            self.stop,
            make_worker,
            |i, value| {
                done.insert(i, value);
                on_progress(&format!("{name}: {what} {} of {count}", done.len()));
                true
            },
        );
        if self.stop.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        let all: Option<Vec<T>> = done.into_values().collect();
        all.filter(|all| all.len() == count)
            .ok_or_else(|| Error::Failed(format!("{name}: {what} crashed")))
    }
}

/// Who plays a contest, and how.
#[derive(Clone, Copy, Debug)]
pub struct ContestOptions<'a> {
    /// Name, version and build of the program, for the store.
    pub program: &'a str,
    /// Whether games of other programs are reused.
    pub reuse: Reuse,
    /// The seed of openings and agents.
    pub seed: u64,
    /// Games at the same time, at least 1.
    pub workers: usize,
}

impl<'a> ContestOptions<'a> {
    /// How the games of experiments are played.
    pub(crate) fn of(settings: &'a Settings) -> Self {
        ContestOptions {
            program: &settings.program,
            reuse: settings.reuse,
            seed: settings.seed,
            workers: settings.workers.max(1),
        }
    }
}

/// Plays a contest to its end; games that are in the store are not played again.
pub(crate) fn play_contest(
    asked: &Contest<'_>,
    options: &ContestOptions<'_>,
    store: &mut Store,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&ContestProgress<'_>),
) -> Result<Contested, Error> {
    let handle = game(asked.game).map_err(plan)?;
    let entries = entries(&*handle, asked.agents).map_err(plan)?;
    let players: Vec<ContestPlayer> = entries.iter().map(|entry| entry.player.clone()).collect();
    let (plies, time, margin) = (asked.plies, None, MARGIN);
    let rules = Match { game: &*handle, entries: &entries, plies, time, margin };
    let plan = ContestPlan {
        game: &handle.spec(),
        players: &players,
        terms: &rules.terms(),
        program: options.program,
        reuse: options.reuse,
        openings: asked.games / 2,
        seed: options.seed,
        workers: options.workers,
        sprt: None,
        shard: Shard::WHOLE,
    };
    let done = contest(&plan, &rules, store, stop, progress)?;
    if done.is_complete() { Ok(done) } else { Err(Error::Interrupted) }
}

/// What is left, for a line about progress.
fn time_left(left: Option<Duration>) -> String {
    left.map_or_else(String::new, |left| format!(", {:.0} s left", left.as_secs_f64()))
}

/// A name that an experiment gets wrong is reported like a wrong plan.
pub(crate) fn plan(error: ParseError) -> Error {
    Error::Arena(ludens_arena::Error::Plan(error))
}

/// `count` cases spread evenly over a suite, or all of them if there are fewer.
pub(crate) fn spread(suite: &Suite, count: usize) -> Result<Suite, ludens_arena::Error> {
    let all = suite.cases().len();
    let count = count.clamp(1, all);
    let mut index = 0;
    suite.select(suite.name(), |_| {
        // Case `i` is taken when the count of cases due rises with it.
        let taken = (index + 1) * count / all > index * count / all;
        index += 1;
        taken
    })
}
