//! A run in a folder: `model.ntuple` has the network with all that is needed to resume,
//! `after-N.ntuple` are snapshots, `arrivals.txt` is where episodes of a later stage start.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use ludens_core::error::quote;
use ludens_core::params::spec;
use ludens_core::{ParseError, Variant};
use ludens_ntuple::file;
use serde_json::Value;

use super::arrivals::{self, ARRIVALS};
use super::stage::inherit;
use super::{Learnable, TdConfig, Trainer};
use crate::{Error, Opened, Recipe, Run, RunDir, RunRequest, Settings, Step};

/// The network's file.
pub const MODEL: &str = "model.ntuple";

/// The name of the network that is kept after this many episodes.
pub fn snapshot_name(episodes: u64) -> String {
    format!("after-{episodes}.ntuple")
}

/// Starts or resumes a run; a new one has the `defaults` where nothing else is asked for.
///
/// # Errors
/// When a setting is wrong, memory is short, or the folder cannot be used as asked.
pub fn open<G: Learnable>(
    request: &RunRequest,
    variant: G::Variant,
    defaults: TdConfig,
) -> Result<Opened<Trainer<G>>, Error> {
    let game = spec(G::NAME, &variant.write());
    let (mut defaults, mut parent) = (defaults, None);
    if let Some(from) = &request.from {
        let stage = stage_after(request, from)?;
        let network = file::load::<G>(from, &game, &variant, false)?.network;
        inherit(&mut defaults, parent.insert(network), &game, stage);
    }
    let Run { dir, config, seed } = request.open(&game, defaults, MODEL, |_| Ok(()))?;
    let mut trainer = match (&dir, &parent) {
        (Some(dir), _) if dir.has_checkpoint() => {
            let saved = file::load::<G>(&dir.file(MODEL), &game, &variant, true)?;
            Trainer::resume(variant, config, saved.network, saved.coherence, &saved.run)?
        }
        (_, Some(parent)) => Trainer::with_stage(variant, config, seed, parent)?,
        _ => Trainer::new(variant, config, seed)?,
    };
    let resumed = dir.as_ref().filter(|dir| dir.has_checkpoint()).zip(trainer.stage());
    if let Some((dir, stage)) = resumed {
        match arrivals::load(dir, &stage.key, &variant)? {
            Some(known) => trainer.set_arrivals(known),
            None if trainer.episodes() == 0 => {}
            None => {
                let path = dir.file(ARRIVALS);
                return Err(Error::Run(format!("{}: missing from the run", path.display())));
            }
        }
    }
    Ok((trainer, dir))
}

/// The stage that is to learn after those of another run.
fn stage_after(request: &RunRequest, from: &Path) -> Result<usize, ParseError> {
    let wrong = |expected| ParseError::new("--from", quote(&from.display().to_string()), expected);
    if request.resume {
        return Err(wrong("nothing: a run that is resumed has started already"));
    }
    let mut asked = TdConfig::default();
    for (key, value) in request.settings.iter().filter(|(key, _)| key == "stage") {
        asked.set(key, value)?;
    }
    match asked.stage {
        1 => Err(wrong("--set stage=2 or more beside it: the stage that is to learn")),
        stage => Ok(stage),
    }
}

impl<G: Learnable> Recipe for Trainer<G> {
    const COUNTER: &'static str = "episodes";

    fn step(&mut self, stop: &AtomicBool) -> Result<Step, Error> {
        if !self.prepare(stop)? {
            return Ok(Step::Partial);
        }
        self.block();
        Ok(Step::Done(self.metrics()))
    }

    fn save(&self, dir: &RunDir) -> Result<(), Error> {
        if let Some(stage) = self.stage().filter(|stage| stage.recorded) {
            let text = arrivals::write(&stage.key, &stage.arrivals);
            dir.write(ARRIVALS, text.as_bytes())?;
        }
        let (network, coherence) = (self.network(), self.coherence());
        Ok(file::save(&dir.file(MODEL), &self.game(), network, coherence, &self.state())?)
    }

    fn keep(&self, dir: &RunDir, _: &Value) -> Result<(), Error> {
        let episodes = self.episodes();
        let before = episodes.saturating_sub(self.last_block());
        if TdConfig::due(self.config().snapshots, before, episodes) {
            let path = dir.file(&snapshot_name(episodes));
            file::save(&path, &self.game(), self.network(), None, &self.state())?;
        }
        Ok(())
    }

    fn count(&self) -> u64 {
        self.episodes()
    }

    fn is_done(&self) -> bool {
        Trainer::is_done(self)
    }

    fn completed(&self) -> f64 {
        self.episodes() as f64 / self.config().episodes as f64
    }

    fn save_interval(&self) -> f64 {
        self.config().save
    }

    fn line(&self, metrics: &Value) -> String {
        let number = |name: &str| metrics[name].as_f64().unwrap_or(0.0);
        let rates = metrics["rate"].as_object().into_iter().flatten().take(3);
        let rate = |rate: &Value| 100.0 * rate.as_f64().unwrap_or(0.0);
        let rates = rates.map(|(tile, share)| format!("{tile}: {:.1} %", rate(share)));
        format!(
            "{} of {} episodes | mean {:.0} | {} | {:.2} M moves/s",
            number("episodes"),
            self.config().episodes,
            number("mean_score"),
            rates.collect::<Vec<_>>().join(", "),
            number("moves_per_s") / 1e6,
        )
    }
}
