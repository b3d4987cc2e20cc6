//! Learners run for an experiment, in folders that go away with it or are kept and resumed.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use ludens_runs::train::{TrainProgress, TrainRequest, train};
use serde_json::Value;

use crate::Error;
use crate::lab::Lab;
use crate::scratch::Scratch;

/// The folder of a run: one that goes away with it, or one that is kept.
pub(crate) enum Folder {
    Scratch(Scratch),
    Kept(PathBuf),
}

impl Folder {
    pub(crate) fn path(&self) -> &Path {
        match self {
            Folder::Scratch(scratch) => scratch.path(),
            Folder::Kept(path) => path,
        }
    }

    /// The metrics of the run, step by step.
    pub(crate) fn metrics(&self) -> Result<Vec<Value>, Error> {
        let path = self.path().join("metrics.jsonl");
        let text = match std::fs::read_to_string(&path) {
            // There is none before the first step.
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            read => read.map_err(|error| failed(format!("{}: {error}", path.display())))?,
        };
        text.lines().map(|line| serde_json::from_str(line).map_err(failed)).collect()
    }
}

/// A run that an experiment asks for.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunPlan<'a> {
    /// What runs of its kind are called where they are kept.
    pub(crate) name: String,
    pub(crate) recipe: &'a str,
    /// The publication whose settings it has.
    pub(crate) preset: Option<&'a str>,
    /// The game with its variant.
    pub(crate) game: &'a str,
    /// Settings besides; of those with the same name the last one counts.
    pub(crate) settings: Vec<(String, String)>,
    /// The network that it starts with.
    pub(crate) from: Option<&'a Path>,
    /// Which of the runs that learn in the same way, from 0; its seed is by so much larger.
    pub(crate) run: u32,
}

/// Settings with values of any kind.
pub(crate) fn settings(pairs: &[(&str, &dyn std::fmt::Display)]) -> Vec<(String, String)> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), value.to_string())).collect()
}

impl Lab<'_> {
    /// Episodes, or games of self-play, that a network learns from: what was asked for, or the
    /// size's number.
    pub(crate) fn episodes(&self, full: u64, quick: u64, tiny: u64) -> u64 {
        self.settings.episodes.unwrap_or_else(|| self.pick(full, quick, tiny))
    }

    /// Games behind a mean or a rating: what was asked for, or the size's number.
    pub(crate) fn game_count(&self, full: u64, quick: u64, tiny: u64) -> u64 {
        self.settings.games.unwrap_or_else(|| self.pick(full, quick, tiny))
    }

    /// The same of a match in which both play either side.
    pub(crate) fn match_games(&self, full: u64, quick: u64, tiny: u64) -> u32 {
        let games = self.game_count(full, quick, tiny).min(1_000_000) as u32;
        games.next_multiple_of(2)
    }

    /// Networks that learn in the same way: what was asked for, or one.
    pub(crate) fn networks(&self) -> u32 {
        self.settings.seeds.unwrap_or(1)
    }

    /// Ends the experiment if that was asked for.
    pub(crate) fn check_stop(&self) -> Result<(), Error> {
        let stopped = self.stop.load(Ordering::Relaxed);
        if stopped { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// Where a run learns.
    pub(crate) fn folder(&self, plan: &RunPlan<'_>) -> Result<Folder, Error> {
        let name = format!("{}-{}", plan.name, plan.run + 1);
        Ok(match &self.settings.keep {
            Some(keep) => Folder::Kept(keep.join(name)),
            None => Folder::Scratch(Scratch::new()?),
        })
    }

    /// Learns in a folder, or goes on with what is there; `line` tells how far it is.
    pub(crate) fn train(
        &mut self,
        folder: &Folder,
        plan: &RunPlan<'_>,
        line: &dyn Fn(&TrainProgress) -> String,
    ) -> Result<(), Error> {
        let resume = folder.path().join("config.toml").exists();
        let threads = self.settings.workers.max(1).to_string();
        let threads = ("threads".to_owned(), threads);
        let request = TrainRequest {
            recipe: plan.recipe.to_owned(),
            preset: plan.preset.filter(|_| !resume).map(str::to_owned),
            game: Some(plan.game.to_owned()),
            settings: [threads].into_iter().chain(plan.settings.iter().cloned()).collect(),
            seed: (!resume).then_some(self.settings.seed + u64::from(plan.run)),
            run: Some(folder.path().to_owned()),
            resume,
            from: plan.from.filter(|_| !resume).map(Path::to_owned),
            ..TrainRequest::default()
        };
        let (experiment, on_progress) = (self.report.name, &mut *self.on_progress);
        train(&request, self.stop, &mut |progress| {
            on_progress(&format!("{experiment}: {}", line(progress)));
        })
        .map_err(failed)?;
        self.check_stop()
    }

    /// Learns, or goes on with what was kept.
    pub(crate) fn learned(&mut self, plan: &RunPlan<'_>) -> Result<Learned, Error> {
        let folder = self.folder(plan)?;
        let mut learned = Learned { folder, metrics: Vec::new() };
        learned.go_on(self, plan)?;
        Ok(learned)
    }
}

/// A run: its folder, and the metrics of its iterations.
pub(crate) struct Learned {
    pub(crate) folder: Folder,
    pub(crate) metrics: Vec<Value>,
}

impl Learned {
    /// Goes on, perhaps with other settings.
    pub(crate) fn go_on(&mut self, lab: &mut Lab<'_>, plan: &RunPlan<'_>) -> Result<(), Error> {
        lab.train(&self.folder, plan, &|progress| progress.line.clone())?;
        self.metrics = self.folder.metrics()?;
        Ok(())
    }

    /// An agent with its network.
    pub(crate) fn agent(&self, agent: &str) -> String {
        with_model(agent, self.folder.path())
    }

    /// An agent with the network as it was after an iteration that was kept.
    pub(crate) fn kept(&self, agent: &str, iteration: u64) -> String {
        let file = self.folder.path().join(format!("after-{iteration}.safetensors"));
        with_model(agent, &file)
    }

    /// The iterations whose networks were kept.
    pub(crate) fn kept_iterations(&self) -> Vec<u64> {
        let file = |n: &u64| self.folder.path().join(format!("after-{n}.safetensors"));
        (1..=self.iterations()).filter(|n| file(n).exists()).collect()
    }

    /// Iterations that it learned.
    pub(crate) fn iterations(&self) -> u64 {
        self.metrics.last().and_then(|last| last["iteration"].as_u64()).unwrap_or_default()
    }

    /// Games of self-play that it learned from.
    pub(crate) fn games(&self) -> u64 {
        self.metrics.iter().filter_map(|one| one["games"].as_u64()).sum()
    }

    /// Minutes that it learned.
    pub(crate) fn minutes(&self) -> f64 {
        self.metrics.last().and_then(|last| last["minutes"].as_f64()).unwrap_or_default()
    }
}

pub(crate) fn failed(error: impl std::fmt::Display) -> Error {
    Error::Failed(error.to_string())
}

/// Learns a game by a recipe.
pub(crate) fn learn(
    lab: &mut Lab<'_>,
    recipe: &str,
    game: &str,
    settings: &[(&str, String)],
) -> Result<Learned, Error> {
    let settings = settings.iter().map(|(key, value)| ((*key).to_owned(), value.clone()));
    let (settings, name) = (settings.collect(), format!("{}-{recipe}", lab.report.name));
    let folder = Folder::Scratch(Scratch::new()?);
    let mut learned = Learned { folder, metrics: Vec::new() };
    learned.go_on(lab, &RunPlan { name, recipe, game, settings, ..RunPlan::default() })?;
    Ok(learned)
}

/// An agent with a network of a file or of a folder's run.
pub(crate) fn with_model(agent: &str, model: &Path) -> String {
    let between = if agent.contains(':') { ',' } else { ':' };
    format!("{agent}{between}model={}", model.display())
}

/// The mean of the curves of networks that learned in the same way.
pub(crate) fn mean_curve(runs: &[Vec<(f64, f64)>]) -> Vec<(f64, f64)> {
    let Some(first) = runs.first() else { return Vec::new() };
    let mean = |i: usize| {
        let values: Vec<f64> = runs.iter().filter_map(|run| Some(run.get(i)?.1)).collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
    first.iter().enumerate().map(|(i, point)| (point.0, mean(i))).collect()
}

/// A label as part of a file's name.
pub(crate) fn slug(label: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
    label.chars().map(plain).collect()
}
