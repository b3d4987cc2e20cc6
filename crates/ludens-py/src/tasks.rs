//! What takes long, as jobs: asked for and answered in the JSON of the command line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use ludens_core::platform::thread::available_parallelism;
use ludens_engine::analysis::{AnalysisError, Fields, Limits, Task};
use ludens_engine::{game, parameters};
use ludens_runs::arena::{Reuse, Shard, Store, fingerprint};
use ludens_runs::playing::{Games, GamesProgress};
use ludens_runs::train::{TrainProgress, TrainRequest};
use ludens_runs::work::{Execution, ShardClock, Work, WorkError};
use ludens_runs::{contest::Maker, home, playing};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::agent;
use crate::fault::{guarded, usage};
use crate::job::{Fault, Job, Teller};

/// Where there is nothing to say of the machine's memory.
const MEMORY: usize = 2 << 30;

/// Half of the machine's memory, as the command line has it.
pub(crate) fn default_memory() -> usize {
    ludens_core::platform::available_memory().map_or(MEMORY, |bytes| (bytes / 2) as usize)
}

/// Analyses a position: a request as `ludens analyze` takes it.
#[pyfunction]
#[pyo3(signature = (request, threads = None))]
pub(crate) fn analyze(request: &str, threads: Option<usize>) -> PyResult<Job> {
    guarded(|| {
        let limits = Limits {
            time: None,
            memory: default_memory(),
            threads: threads.unwrap_or_else(available_parallelism).max(1),
            files: true,
        };
        let fields = Fields::parse(request).map_err(usage)?;
        let task = Task::read(fields, &limits).map_err(usage)?;
        Ok(Job::spawn(move |stop, teller| {
            task.run(stop, &mut |value| teller.tell(&value)).map_err(|error| match error {
                AnalysisError::Request(error) => Fault::Usage(error.to_string()),
                other => Fault::Failed(other.to_string()),
            })
        }))
    })
}

/// How and where units of work run.
pub(crate) struct Where {
    pub(crate) store: Option<PathBuf>,
    pub(crate) in_memory: bool,
    pub(crate) program: String,
    pub(crate) reuse: Reuse,
    shard: Option<Shard>,
    pub(crate) workers: usize,
}

impl Where {
    pub(crate) fn read(options: &str, library: &str) -> PyResult<Self> {
        let options: Value = serde_json::from_str(options).map_err(usage)?;
        let text = |name: &str| options[name].as_str();
        let shard = text("shard").map(str::parse::<Shard>).transpose();
        let build = fingerprint::of_path(Path::new(library)).unwrap_or_default();
        Ok(Where {
            store: text("store").map(PathBuf::from),
            in_memory: options["in_memory"].as_bool().unwrap_or(false),
            program: format!("ludens {} python build {build}", env!("CARGO_PKG_VERSION")),
            reuse: match text("reuse").unwrap_or("same") {
                "same" => Reuse::Same,
                "any" => Reuse::Any,
                other => return Err(usage(format!("reuse: found '{other}', expected same | any"))),
            },
            shard: shard.map_err(usage)?,
            workers: options["workers"].as_u64().map_or_else(available_parallelism, |n| n as usize),
        })
    }

    pub(crate) fn open(&self) -> Result<Store, Fault> {
        if self.in_memory {
            return Store::in_memory().map_err(|error| Fault::Failed(error.to_string()));
        }
        let path = match &self.store {
            Some(path) => path.clone(),
            None => {
                let message = "no LUDENS_HOME or HOME: name a file with store";
                let home = home::folder().ok_or_else(|| Fault::Usage(message.to_owned()))?;
                std::fs::create_dir_all(&home)
                    .map_err(|e| Fault::Failed(format!("{}: {e}", home.display())))?;
                home.join(home::STORE)
            }
        };
        Store::open(&path).map_err(|error| Fault::Failed(error.to_string()))
    }
}

fn fault(error: WorkError) -> Fault {
    let text = error.to_string();
    if error.is_usage() { Fault::Usage(text) } else { Fault::Failed(text) }
}

/// Work of `ludens eval`: a suite or whole games.
#[pyfunction]
pub(crate) fn evaluate(work: &str, options: &str, library: &str) -> PyResult<Job> {
    start(work, options, library, BTreeMap::new())
}

/// Work of `ludens arena`. `players` are the objects that play, by the names that the work has
/// for them.
#[pyfunction]
pub(crate) fn contest(
    work: &str,
    options: &str,
    library: &str,
    players: BTreeMap<String, Py<PyAny>>,
) -> PyResult<Job> {
    let parsed = Work::parse(work).map_err(usage)?;
    let Work::Contest(contest) = &parsed else { return Err(usage("work: expected a contest")) };
    let spec = guarded(|| Ok(game(&contest.game).map_err(usage)?.spec()))?;
    let made = |(name, object)| (name, agent::maker(object, &spec));
    start(work, options, library, players.into_iter().map(made).collect())
}

fn start(
    work: &str,
    options: &str,
    library: &str,
    players: BTreeMap<String, Maker>,
) -> PyResult<Job> {
    let work = Work::parse(work).map_err(usage)?;
    let place = Where::read(options, library)?;
    Ok(Job::spawn(move |stop, teller| run(&work, &place, &players, stop, &teller)))
}

fn run(
    work: &Work,
    place: &Where,
    players: &BTreeMap<String, Maker>,
    stop: &AtomicBool,
    teller: &Teller,
) -> Result<Value, Fault> {
    // Whole games are kept only where they are a part of more.
    if let (Work::Episodes(games), None) = (work, place.shard) {
        let shard = Shard::default();
        let (game, agent, count) = (&games.game, &games.agent, games.games);
        let asked = Games { game, agent, count, seed: games.seed, threads: place.workers, shard };
        let mut tell = |progress: &GamesProgress| teller.tell(&games_told(progress));
        let played = playing::evaluate(&asked, stop, &mut tell);
        let played = played.map_err(|error| fault(WorkError::from(error)))?;
        return Ok(played.map_or(Value::Null, |played| played.json));
    }
    let mut store = place.open()?;
    let mut execution = Execution {
        reuse: place.reuse,
        shard: place.shard.unwrap_or_default(),
        workers: place.workers.max(1),
        memory: default_memory(),
        ..Execution::new(&mut store, &place.program, stop)
    };
    let clock = ShardClock::start();
    let (answer, units, complete) = match work {
        Work::Suite(suite) => {
            let done = suite
                .run(&mut execution, &mut |p| {
                    teller.tell(&json!({"done": p.done, "total": p.total}))
                })
                .map_err(fault)?;
            let told = done.json().unwrap_or_default();
            let all = &done.evaluated;
            (told, done.units, all.is_complete())
        }
        Work::Episodes(games) => {
            let mut tell = |progress: &GamesProgress| teller.tell(&games_told(progress));
            let complete = games.run(&mut execution, &mut tell).map_err(fault)?;
            (Value::Null, games.games as usize, complete)
        }
        Work::Contest(contest) => {
            let mut tell = |p: &ludens_runs::arena::contest::ContestProgress<'_>| {
                teller.tell(&json!({"done": p.done, "total": p.total}));
            };
            let done = contest.run_with(players, &mut execution, &mut tell).map_err(fault)?;
            (done.json(), done.units, done.contested.is_complete())
        }
        Work::SelfPlay(_) => {
            let expected = "work: found self-play, expected an evaluation or a contest";
            return Err(Fault::Usage(expected.to_owned()));
        }
    };
    if place.shard.is_none() {
        return Ok(answer);
    }
    if !complete {
        return Err(Fault::Failed("interrupted: the shard is not complete".to_owned()));
    }
    let done = clock.finish(work, units, &mut execution).map_err(fault)?;
    let own = done.shard.units(units);
    Ok(json!({"shard": done.shard.to_string(), "units": own, "of": units, "seconds": done.seconds}))
}

fn games_told(progress: &GamesProgress) -> Value {
    json!({"done": progress.games, "total": progress.total, "mean": progress.mean})
}

/// Learns: a request as `ludens train` takes it.
#[pyfunction]
pub(crate) fn train(request: &str) -> PyResult<Job> {
    let asked: Value = serde_json::from_str(request).map_err(usage)?;
    let text = |name: &str| asked[name].as_str().map(str::to_owned);
    let settings = asked["settings"].as_array().into_iter().flatten();
    let pair = |pair: &Value| {
        let part = |i: usize| pair[i].as_str().unwrap_or_default().to_owned();
        (part(0), part(1))
    };
    let request = TrainRequest {
        recipe: text("recipe").unwrap_or_default(),
        game: text("game"),
        preset: text("preset"),
        config: text("config").map(PathBuf::from),
        settings: settings.map(pair).collect(),
        seed: asked["seed"].as_u64(),
        run: text("run").map(PathBuf::from),
        resume: asked["resume"].as_bool().unwrap_or(false),
        from: text("from").map(PathBuf::from),
        steps: asked["steps"].as_u64(),
    };
    Ok(Job::spawn(move |stop, teller| {
        let mut tell = |progress: &TrainProgress| {
            let left = progress.left.as_secs_f64();
            teller.tell(&json!({"line": progress.line, "left": left, "metrics": progress.json}));
        };
        let done = ludens_runs::train::train(&request, stop, &mut tell);
        let done = done.map_err(|error| match error.is_usage() {
            true => Fault::Usage(error.to_string()),
            false => Fault::Failed(error.to_string()),
        })?;
        let stopped = stop.load(Ordering::Relaxed);
        let last = done.map(|progress| progress.json);
        Ok(json!({"metrics": last, "stopped": stopped}))
    }))
}

/// The recipes with their settings, as JSON.
#[pyfunction]
pub(crate) fn recipes() -> String {
    let told = |recipe: &ludens_runs::train::RecipeInfo| {
        json!({
            "name": recipe.name,
            "about": recipe.about,
            "settings": parameters::listed(recipe.parameters),
        })
    };
    ludens_runs::train::recipes().iter().map(told).collect::<Value>().to_string()
}
