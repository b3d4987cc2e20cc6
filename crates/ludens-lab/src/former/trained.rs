//! The networks of Urheim (2025): learned for an experiment, or found in the folder of `--keep`, where
//! every experiment looks for them under the same names.

use std::path::{Path, PathBuf};

use ludens_runs::train::{TrainRequest, train};
use serde_json::Value;

use crate::Error;
use crate::lab::Lab;
use crate::runs::{Folder, failed};

/// Urheim's samples and epochs.
pub(super) const SAMPLES: u64 = 9_083_686;
pub(super) const EPOCHS: u64 = 15;
/// The moves that a PPO run of Urheim (2025) has at most (table 5.5); days ended it earlier.
pub(super) const STEPS: u64 = 2_000_000_000;

/// The settings as published.
const PRESET: &str = "former-2025";

/// What a network learns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The expert's moves.
    Policy,
    /// The moves left.
    Value,
    /// Both, by PPO.
    Ppo,
}

impl Kind {
    /// Its name in folders and settings.
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Policy => "policy",
            Kind::Value => "value",
            Kind::Ppo => "ppo",
        }
    }

    fn recipe(self) -> &'static str {
        if self == Kind::Ppo { "ppo" } else { "supervised" }
    }
}

/// A network by what it learns, its channels and its convolutions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Net {
    pub(super) kind: Kind,
    pub(super) shape: [usize; 2],
}

impl Net {
    /// The name of its folder: `former-policy-32-5-1` for the first seed.
    fn folder(self, run: u32) -> String {
        let [channels, depth] = self.shape;
        format!("former-{}-{channels}-{depth}-{}", self.kind.name(), run + 1)
    }

    /// The folder of the network that was kept, if it has one that plays.
    pub(super) fn kept(self, lab: &Lab<'_>) -> Option<PathBuf> {
        let folder = lab.settings.keep.as_ref()?.join(self.folder(0));
        folder.join("model.safetensors").exists().then_some(folder)
    }
}

/// A run in its folder.
pub(super) struct Trained {
    folder: Folder,
    /// The metrics of its epochs or updates.
    pub(super) metrics: Vec<Value>,
}

impl Trained {
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The agent that plays by one of its heads.
    pub(super) fn agent(&self, by: &str) -> String {
        format!("net:by={by},model={}", self.path().display())
    }

    /// Positions times epochs that it has learned from.
    pub(super) fn positions(&self) -> u64 {
        positions(|name| self.last(&format!("/{name}"))).unwrap_or_default() as u64
    }

    /// A number of its last metrics.
    pub(super) fn last(&self, pointer: &str) -> Option<f64> {
        self.metrics.last()?.pointer(pointer)?.as_f64()
    }
}

/// The games of the expert, which are played where they are missing.
pub(super) fn expert(lab: &mut Lab<'_>, run: u32) -> Result<Trained, Error> {
    let settings = vec![("games", games(lab).to_string())];
    let folder = lab.named_folder(&format!("former-expert-{}", run + 1))?;
    let request = TrainRequest { steps: Some(0), ..TrainRequest::default() };
    learn(lab, folder, Kind::Policy, settings, run, request)
}

/// The network, which learns where that is not done. The games of the expert are those of `teacher`,
/// which is filled when they are needed first.
pub(super) fn network(
    lab: &mut Lab<'_>,
    net: Net,
    run: u32,
    teacher: &mut Option<Trained>,
) -> Result<Trained, Error> {
    let folder = lab.named_folder(&net.folder(run))?;
    let mut settings = match net.kind {
        Kind::Ppo => ppo(lab),
        kind => {
            let epochs = lab.settings.epochs.unwrap_or(lab.pick(15, 3, 1));
            let sizes = [("games", games(lab).to_string()), ("epochs", epochs.to_string())];
            sizes.into_iter().chain([("kind", kind.name().to_owned())]).collect()
        }
    };
    let [channels, depth] = net.shape;
    settings.extend([("channels", channels.to_string()), ("depth", depth.to_string())]);
    let mut request = TrainRequest::default();
    if net.kind != Kind::Ppo && !begun(folder.path()) {
        if teacher.is_none() {
            *teacher = Some(expert(lab, run)?);
        }
        request.expert_games = teacher.as_ref().map(|teacher| teacher.path().to_owned());
    }
    learn(lab, folder, net.kind, settings, run, request)
}

/// Games of the expert; 40,000 have more than half a million positions, which one core learns in hours.
fn games(lab: &Lab<'_>) -> u64 {
    lab.settings.games.unwrap_or(lab.pick(40_000, 1500, 40))
}

/// Moves of PPO; small runs have small updates, or there would be none.
fn ppo(lab: &Lab<'_>) -> Vec<(&'static str, String)> {
    let moves = lab.settings.moves.unwrap_or(lab.pick(6_000_000, 16_384, 64));
    let mut settings = vec![("steps", moves.to_string())];
    let small = |name, quick: u64, tiny: u64| (name, lab.pick(0, quick, tiny).to_string());
    if lab.pick(false, true, true) {
        settings.extend([small("horizon", 256, 4), small("epochs", 4, 1), small("batch", 128, 16)]);
    }
    settings
}

fn begun(folder: &Path) -> bool {
    folder.join("config.toml").exists()
}

/// Begins or resumes a run. One that is resumed has its settings but for those that were asked for.
fn learn(
    lab: &mut Lab<'_>,
    folder: Folder,
    kind: Kind,
    settings: Vec<(&'static str, String)>,
    run: u32,
    request: TrainRequest,
) -> Result<Trained, Error> {
    let resume = begun(folder.path());
    let asked = [
        ("games", lab.settings.games.is_some()),
        ("epochs", lab.settings.epochs.is_some() && kind != Kind::Ppo),
        ("steps", lab.settings.moves.is_some()),
    ];
    let counts = |key: &str| !resume || asked.contains(&(key, true));
    let settings = settings.into_iter().filter(|(key, _)| counts(key));
    let threads = ("threads".to_owned(), lab.settings.workers.max(1).to_string());
    let request = TrainRequest {
        recipe: kind.recipe().to_owned(),
        game: Some("former".to_owned()),
        preset: (!resume).then(|| PRESET.to_owned()),
        settings: settings.map(|(key, value)| (key.to_owned(), value)).chain([threads]).collect(),
        seed: (!resume).then_some(lab.settings.seed + u64::from(run)),
        run: Some(folder.path().to_owned()),
        resume,
        ..request
    };
    let (experiment, on_progress) = (lab.report.name, &mut *lab.on_progress);
    train(&request, lab.stop, &mut |progress| {
        on_progress(&format!("{experiment}: {}", progress.line));
    })
    .map_err(failed)?;
    lab.check_stop()?;
    let metrics = metrics(folder.path())?;
    Ok(Trained { folder, metrics })
}

/// The share of the published training that the network of a folder has had.
pub(super) fn training(kind: Kind, folder: &Path) -> Option<f64> {
    let rows = metrics(folder).ok()?;
    let number = |name: &str| rows.last()?[name].as_f64();
    let published = |whole: u64| whole as f64;
    Some(match kind {
        Kind::Ppo => number("steps")? / published(STEPS),
        _ => positions(number)? / published(SAMPLES * EPOCHS),
    })
}

/// Positions times epochs, by the last metrics.
fn positions(number: impl Fn(&str) -> Option<f64>) -> Option<f64> {
    Some((number("training_samples")? + number("validation_samples")?) * number("epoch")?)
}

/// The metrics that a run has left; none where it only began.
fn metrics(folder: &Path) -> Result<Vec<Value>, Error> {
    let path = folder.join("metrics.jsonl");
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(&path)
        .map_err(|error| failed(format!("{}: {error}", path.display())))?;
    text.lines().map(|line| serde_json::from_str(line).map_err(failed)).collect()
}
