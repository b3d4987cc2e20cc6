//! Networks that learn for an experiment, and games they play.

use std::path::{Path, PathBuf};

use ludens_arena::Shard;
use ludens_arena::plot::{Labels, LinePlot, Series};
use ludens_arena::statistics::Summary;
use ludens_games::Game2048;
use ludens_ntuple::{Network, file};
use ludens_runs::playing::{Games, Played, evaluate};
use ludens_runs::train::{TrainRequest, train};

use crate::lab::Lab;
use crate::scratch::Scratch;
use crate::{Error, Row, Tolerance};

/// A network in a folder that goes away with it, and how it learned.
pub(super) struct Trained {
    folder: Scratch,
    /// Episodes and the mean score of the block they end.
    pub(super) curve: Vec<(f64, f64)>,
    /// Episodes and the largest score up to them.
    pub(super) largest: Vec<(f64, f64)>,
}

/// What a network learns from.
#[derive(Clone, Debug)]
pub(super) struct Recipe<'a> {
    /// The layout; the tiny size takes a small one instead.
    pub(super) layout: &'a str,
    /// Settings of the recipe `2048-td` besides.
    pub(super) settings: Vec<(&'a str, String)>,
    pub(super) episodes: u64,
}

pub(super) fn failed(error: impl std::fmt::Display) -> Error {
    Error::Failed(error.to_string())
}

impl Lab<'_> {
    /// Learns a network.
    pub(super) fn learn(&mut self, label: &str, recipe: &Recipe<'_>) -> Result<Trained, Error> {
        let folder = Scratch::new()?;
        let mut trained = Trained { folder, curve: Vec::new(), largest: Vec::new() };
        let layout = self.pick(recipe.layout, recipe.layout, "re");
        let block = (recipe.episodes / 20).max(1);
        let mut settings: Vec<(String, String)> = vec![
            ("layout".to_owned(), layout.to_owned()),
            ("episodes".to_owned(), recipe.episodes.to_string()),
            ("block".to_owned(), block.to_string()),
            ("threads".to_owned(), self.settings.workers.max(1).to_string()),
        ];
        settings
            .extend(recipe.settings.iter().map(|(key, value)| ((*key).to_owned(), value.clone())));
        let request = TrainRequest {
            recipe: "td".to_owned(),
            game: Some("2048".to_owned()),
            settings,
            seed: Some(self.settings.seed),
            run: Some(trained.folder.path().to_owned()),
            ..TrainRequest::default()
        };
        let (experiment, on_progress) = (self.report.name, &mut *self.on_progress);
        let (curve, largest) = (&mut trained.curve, &mut trained.largest);
        let mut most = 0f64;
        train(&request, self.stop, &mut |progress| {
            let metric = |name: &str| progress.json[name].as_f64().unwrap_or(0.0);
            let episodes = metric("episodes");
            most = most.max(metric("max_score"));
            curve.push((episodes, metric("mean_score")));
            largest.push((episodes, most));
            on_progress(&format!(
                "{experiment}: {label}, {episodes} of {} episodes",
                recipe.episodes
            ));
        })
        .map_err(failed)?;
        self.check_stop()?;
        Ok(trained)
    }

    /// Ends the experiment if that was asked for.
    pub(super) fn check_stop(&self) -> Result<(), Error> {
        let stopped = self.stop.load(std::sync::atomic::Ordering::Relaxed);
        if stopped { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// Lets an agent with a network play games; `agent` has a name and parameters.
    pub(super) fn games(
        &mut self,
        trained: &Trained,
        agent: &str,
        count: u64,
    ) -> Result<Played, Error> {
        self.games_of(&trained.agent(agent), count)
    }

    /// Lets an agent play games.
    pub(super) fn games_of(&mut self, agent: &str, count: u64) -> Result<Played, Error> {
        let asked = Games {
            game: "2048",
            agent,
            count,
            seed: self.settings.seed,
            threads: self.settings.workers.max(1),
            shard: Shard::WHOLE,
        };
        let (name, on_progress) = (self.report.name, &mut *self.on_progress);
        let played = evaluate(&asked, self.stop, &mut |progress| {
            on_progress(&format!("{name}: {} of {count} games", progress.games));
        })
        .map_err(failed)?;
        self.check_stop()?;
        played.ok_or(Error::Interrupted)
    }

    /// Draws learning curves.
    pub(super) fn curves(&mut self, suffix: &str, title: &str, y: &str, series: Vec<Series>) {
        self.curves_over(suffix, title, "training episodes", y, series);
    }

    /// Draws curves over something else.
    pub(super) fn curves_over(
        &mut self,
        suffix: &str,
        title: &str,
        x: &str,
        y: &str,
        series: Vec<Series>,
    ) {
        let labels = Labels::new(title, x, y);
        let plot = LinePlot { labels, log_x: false, steps: false, series, levels: Vec::new() };
        self.plot(suffix, plot.to_svg());
    }
}

impl Trained {
    /// An agent with this network.
    pub(super) fn agent(&self, agent: &str) -> String {
        with_model(agent, self.folder.path())
    }

    /// The network itself.
    pub(super) fn network(&self) -> Result<Network, Error> {
        let file = self.folder.path().join("model.ntuple");
        let loaded = file::load::<Game2048>(&file, "2048", &Default::default(), false);
        Ok(loaded.map_err(failed)?.network)
    }

    /// The networks that were kept on the way, the first one first.
    pub(super) fn snapshots(&self) -> Vec<PathBuf> {
        let name = |&(episodes, _): &(f64, f64)| format!("after-{episodes}.ntuple");
        let files = self.curve.iter().map(|point| self.folder.path().join(name(point)));
        files.filter(|file| file.exists()).collect()
    }

    /// The path of a file that is removed with the network.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// A row with a mean score in ten thousands.
pub(super) fn ten_thousands(row: Row, scores: &Summary) -> Row {
    let interval = scores.interval().map(|(low, high)| (low / 1e4, high / 1e4));
    Row { interval, ..row.ours(scores.mean / 1e4) }.within(Tolerance::AtLeast)
}

/// An agent with a network of a file or of a folder's run.
pub(super) fn with_model(agent: &str, model: &Path) -> String {
    let between = if agent.contains(':') { ',' } else { ':' };
    format!("{agent}{between}model={}", model.display())
}
