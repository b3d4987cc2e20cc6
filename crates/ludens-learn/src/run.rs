//! A run in a folder: its settings, its figures, and its network.
//!
//! `config.toml` has the settings, `metrics.jsonl` a line of figures per block, and
//! `model.ntuple` the network with all that is needed to go on. The network is written
//! whole or not at all, so a run that is killed goes on from its last save.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use ludens_ntuple::file;
use serde_json::Value;

use crate::td::Learnable;
use crate::{Error, Trainer};

/// The network's file.
pub const MODEL: &str = "model.ntuple";
const METRICS: &str = "metrics.jsonl";
const CONFIG: &str = "config.toml";

/// A folder that keeps a run.
pub struct Run {
    folder: PathBuf,
    game: String,
    metrics: File,
}

impl Run {
    /// Begins a run in a folder that has none.
    ///
    /// # Errors
    /// When there is a run already, or the folder cannot be written.
    pub fn create<G: Learnable>(
        folder: &Path,
        game: &str,
        trainer: &Trainer<G>,
    ) -> Result<Self, Error> {
        if folder.join(MODEL).exists() {
            let folder = folder.display();
            let told = format!("{folder} holds a run already: resume it, or name another folder");
            return Err(Error::Run(told));
        }
        let fail = |error| failed(folder, error);
        std::fs::create_dir_all(folder).map_err(fail)?;
        let run = Run {
            folder: folder.to_owned(),
            game: game.to_owned(),
            metrics: File::create(folder.join(METRICS)).map_err(fail)?,
        };
        run.write_config(trainer)?;
        // Last, because its being there is what makes a folder one of a run.
        run.save(trainer)?;
        Ok(run)
    }

    /// Goes on with the run of a folder.
    ///
    /// # Errors
    /// When there is none, it is damaged, or it is of another game.
    pub fn resume<G: Learnable>(
        folder: &Path,
        game: &str,
        variant: &G::Variant,
    ) -> Result<(Self, Trainer<G>), Error> {
        let model = folder.join(MODEL);
        if !model.exists() {
            return Err(Error::Run(format!("{} holds no run to resume", folder.display())));
        }
        let loaded = file::load::<G>(&model, game, variant, true)?;
        let trainer = Trainer::resume(*variant, loaded.network, loaded.coherence, &loaded.run)?;
        let fail = |error| failed(folder, error);
        let metrics = folder.join(METRICS);
        let text = std::fs::read_to_string(&metrics).unwrap_or_default();
        // Figures of blocks after the last save come again.
        let known = |line: &&str| {
            let episodes =
                serde_json::from_str::<Value>(line).ok().and_then(|v| v["episodes"].as_u64());
            episodes.is_some_and(|episodes| episodes <= trainer.episodes())
        };
        let kept: String = text.lines().filter(known).map(|line| format!("{line}\n")).collect();
        std::fs::write(&metrics, kept).map_err(fail)?;
        let metrics = File::options().append(true).open(&metrics).map_err(fail)?;
        let run = Run { folder: folder.to_owned(), game: game.to_owned(), metrics };
        Ok((run, trainer))
    }

    /// Writes the settings, for people.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_config<G: Learnable>(&self, trainer: &Trainer<G>) -> Result<(), Error> {
        let state = trainer.state();
        let mut text = format!("game = {:?}\nseed = {}\n", self.game, state["seed"]);
        for (key, value) in trainer.config().texts() {
            text.push_str(&format!("{key} = {value:?}\n"));
        }
        std::fs::write(self.folder.join(CONFIG), text).map_err(|e| failed(&self.folder, e))
    }

    /// Adds a line of figures.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn note(&mut self, figures: &Value) -> Result<(), Error> {
        writeln!(self.metrics, "{figures}").map_err(|e| failed(&self.folder.join(METRICS), e))
    }

    /// All lines of figures so far.
    pub fn figures(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.folder.join(METRICS)).unwrap_or_default();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// Writes a file beside the run's own, such as a drawing of its figures.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, name: &str, text: &str) -> Result<(), Error> {
        let path = self.folder.join(name);
        std::fs::write(&path, text).map_err(|error| failed(&path, error))
    }

    /// Saves the network with all that is needed to go on.
    ///
    /// # Errors
    /// When it cannot be written; the last save is still there.
    pub fn save<G: Learnable>(&self, trainer: &Trainer<G>) -> Result<(), Error> {
        let (network, coherence) = (trainer.network(), trainer.coherence());
        file::save(&self.folder.join(MODEL), &self.game, network, coherence, &trainer.state())?;
        Ok(())
    }

    /// Keeps the network as it is now, without what is needed to go on.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn snapshot<G: Learnable>(&self, trainer: &Trainer<G>) -> Result<(), Error> {
        let path = self.folder.join(snapshot_name(trainer.episodes()));
        file::save(&path, &self.game, trainer.network(), None, &trainer.state())?;
        Ok(())
    }
}

/// The name of the network that is kept after this many episodes.
pub fn snapshot_name(episodes: u64) -> String {
    format!("after-{episodes}.ntuple")
}

fn failed(path: &Path, error: std::io::Error) -> Error {
    Error::Run(format!("{}: {error}", path.display()))
}
