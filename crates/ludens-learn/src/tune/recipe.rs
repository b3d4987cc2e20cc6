//! Trials, one by one.

use std::sync::atomic::AtomicBool;

use ludens_core::error::quote;
use ludens_core::{ParseError, Rng};
use serde_json::{Map, Value, json};

use super::study::{FILE, Study, Trial};
use super::{Dimension, Domain, importance};
use crate::{Error, Recipe, RunConfig, RunDir, RunRequest, Settings, Step, renamed};

/// Settings of a recipe that can be tuned.
pub trait Tunable: Settings {
    /// What is tuned.
    const SPACE: &'static [Dimension];

    /// The name of what is to become small; one that begins with a minus is to become large without it.
    fn measure(&self) -> &'static str;
}

/// What settings come to; not finite when learning failed, `None` when it was stopped.
pub type Objective<'a, S> = &'a dyn Fn(S, &AtomicBool) -> Result<Option<f64>, Error>;

/// A study that goes on trial by trial.
pub struct Tune<'a, S> {
    study: Study,
    config: S,
    trials: u64,
    done: Vec<Trial>,
    objective: Objective<'a, S>,
}

/// A study that was opened: its folder, and the settings that are the same in all trials.
pub struct OpenStudy<S> {
    /// The folder.
    pub dir: RunDir,
    /// The settings.
    pub config: S,
    study: Study,
}

impl<S: Tunable> OpenStudy<S> {
    /// Opens the study of the request's folder, or starts one of `defaults` where nothing else is asked
    /// for. The settings must pass `check`.
    ///
    /// # Errors
    /// When a setting is wrong or tuned, or the folder is in use or about something else.
    pub fn open(
        request: &RunRequest,
        game: &str,
        defaults: S,
        check: impl FnOnce(&S) -> Result<(), ParseError>,
    ) -> Result<Self, Error> {
        let mut config = defaults;
        for (key, value) in &request.settings {
            let key = renamed(S::RECIPE, key).unwrap_or(key);
            if S::SPACE.iter().any(|dimension| dimension.name == key) {
                let expected = "a setting that is not tuned";
                return Err(ParseError::new("setting", quote(key), expected).into());
            }
            config.set(key, value)?;
        }
        config.usable()?;
        check(&config)?;
        let path = request.dir.as_deref();
        let path = path.ok_or_else(|| ParseError::new("run", "no folder", "--run DIR"))?;
        let mut recorded = RunConfig::new(game, request.seed, &config);
        recorded.recipe = Some(format!("tune {}", S::RECIPE));
        recorded.builds.push(request.build.clone());
        let mut dir = match RunDir::new(path, recorded.clone()) {
            Err(_) if path.join(FILE).exists() => RunDir::resume(path, FILE)?,
            made => made?,
        };
        if dir.config().recipe != recorded.recipe {
            let (path, found) = (path.display(), dir.config().recipe.as_deref().unwrap_or("td"));
            return Err(Error::Run(format!("{path} holds a run of {found}, expected one of tune")));
        }
        // How fast it goes, and the settings that are tuned, do not make it another study; nor do those
        // that came later, as long as they are what stood for them before.
        let fixed = config.texts().into_iter().filter(|(key, value)| {
            !["threads", "engine", "save"].contains(key)
                && S::SPACE.iter().all(|tuned| tuned.name != *key)
                && !S::ADDED.contains(&(*key, value.as_str()))
        });
        let fixed: Vec<String> = fixed.map(|(key, value)| format!("{key}={value}")).collect();
        let about = format!("{game} {}", fixed.join(","));
        dir.start()?;
        let study = Study::open(path, S::RECIPE, &about, S::SPACE, request.seed)?;
        dir.record(recorded)?;
        Ok(OpenStudy { dir, config, study })
    }

    /// The recipe that makes trials until there are as many.
    ///
    /// # Errors
    /// When the file of trials cannot be read.
    pub fn tune(
        self,
        trials: u64,
        objective: Objective<'_, S>,
    ) -> Result<(Tune<'_, S>, RunDir), Error> {
        let OpenStudy { dir, config, study } = self;
        let done = study.done()?;
        Ok((Tune { study, config, trials, done, objective }, dir))
    }
}

impl<S: Tunable> Tune<'_, S> {
    fn metrics(&self) -> Value {
        let named = |values: &[f64]| -> Map<String, Value> {
            let pairs = S::SPACE.iter().zip(values);
            pairs.map(|(dimension, value)| (dimension.name.to_owned(), json!(value))).collect()
        };
        let row = |trial: &Trial| {
            let loss = Some(trial.loss).filter(|loss| loss.is_finite());
            let settings = named(&trial.values);
            json!({"trial": trial.number, "settings": settings, "loss": loss, "seconds": trial.seconds})
        };
        let finite: Vec<&Trial> = self.done.iter().filter(|trial| trial.loss.is_finite()).collect();
        let best = finite.iter().min_by(|a, b| a.loss.total_cmp(&b.loss));
        // The forest only compares values, so their scale does not matter.
        let rows: Vec<Vec<f64>> = finite.iter().map(|trial| trial.values.clone()).collect();
        let losses: Vec<f64> = finite.iter().map(|trial| trial.loss).collect();
        let importance = importance(&rows, &losses, &mut Rng::new(0));
        json!({
            "stage": "tuning",
            "trials": self.done.len(),
            "measure": self.config.measure(),
            "last": self.done.last().map(row),
            "best": best.map(|trial| row(trial)),
            "importance": importance.map(|shares| named(&shares)),
        })
    }
}

impl<S: Tunable> Recipe for Tune<'_, S> {
    const COUNTER: &'static str = "trials";

    fn step(&mut self, stop: &AtomicBool) -> Result<Step, Error> {
        let (number, values) = self.study.next()?;
        let mut config = self.config.clone();
        for (dimension, value) in S::SPACE.iter().zip(&values) {
            config.set(dimension.name, &value.to_string())?;
        }
        let clock = std::time::Instant::now();
        let Some(loss) = (self.objective)(config, stop)? else { return Ok(Step::Stopped) };
        self.study.finish(number, loss, clock.elapsed().as_secs_f64())?;
        self.done = self.study.done()?;
        Ok(Step::Done(self.metrics()))
    }

    /// Trials are kept as they end.
    fn save(&self, _: &RunDir) -> Result<(), Error> {
        Ok(())
    }

    fn count(&self) -> u64 {
        self.done.len() as u64
    }

    fn completed(&self) -> f64 {
        self.count() as f64 / self.trials as f64
    }

    fn save_interval(&self) -> f64 {
        f64::INFINITY
    }

    fn line(&self, metrics: &Value) -> String {
        let done = format!("{} of {} trials", metrics["trials"], self.trials);
        let best = &metrics["best"];
        let Some(loss) = best["loss"].as_f64() else { return done };
        let (name, value) = match self.config.measure().strip_prefix('-') {
            Some(name) => (name, -loss),
            None => (self.config.measure(), loss),
        };
        let setting = |Dimension { name, domain }: &Dimension| {
            let value = best["settings"][name].as_f64().unwrap_or_default();
            match domain {
                Domain::Log(..) => format!("{name}={value:.2e}"),
                Domain::Choice(_) => format!("{name}={value}"),
            }
        };
        let settings: Vec<String> = S::SPACE.iter().map(setting).collect();
        format!("{done} | best {name} {value:.4} by {}", settings.join(","))
    }
}
