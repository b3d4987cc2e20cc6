//! Networks that learn for an experiment, and games they play.

use std::path::{Path, PathBuf};

use ludens_arena::Shard;
use ludens_arena::plot::{Labels, LinePlot, Series};
use ludens_arena::statistics::Summary;
use ludens_games::Game2048;
use ludens_ntuple::{Network, file};
use ludens_runs::playing::{Games, Played, evaluate};

use crate::lab::Lab;
use crate::runs::{Folder, RunPlan, settings, slug};
use crate::{Error, Row, Tolerance};

pub(super) use crate::runs::{failed, mean_curve, with_model};

/// A network in a folder, and how it learned.
pub(super) struct Trained {
    folder: Folder,
    /// Episodes and the mean score of the block they end.
    pub(super) curve: Vec<(f64, f64)>,
    /// Episodes and the largest score up to them.
    pub(super) largest: Vec<(f64, f64)>,
}

/// What a network learns from.
#[derive(Clone, Debug)]
pub(super) struct Recipe<'a> {
    /// The game with its variant.
    pub(super) game: &'a str,
    /// The layout; the tiny size takes a small one instead on whole boards.
    pub(super) layout: &'a str,
    /// Settings of the recipe `td` besides.
    pub(super) settings: Vec<(&'a str, String)>,
    pub(super) episodes: u64,
    /// The network whose stages are kept, where a later stage learns.
    pub(super) from: Option<&'a Path>,
    /// Which of the networks that learn in the same way, from 0.
    pub(super) run: u32,
}

impl<'a> Recipe<'a> {
    /// Of the first network, for the whole board of 2048.
    pub(super) fn new(layout: &'a str, settings: &[(&'a str, &str)], episodes: u64) -> Self {
        let settings = settings.iter().map(|&(key, value)| (key, value.to_owned())).collect();
        Recipe { game: WHOLE, layout, settings, episodes, from: None, run: 0 }
    }
}

/// The game that Guei (2023) is about.
const WHOLE: &str = "2048";
/// Lines of metrics per network.
const BLOCKS: u64 = 20;

impl Lab<'_> {
    /// Learns a network, or goes on with one that was kept.
    pub(super) fn learn(&mut self, label: &str, recipe: &Recipe<'_>) -> Result<Trained, Error> {
        let tiny = recipe.game == WHOLE && recipe.from.is_none();
        let layout =
            if tiny { self.pick(recipe.layout, recipe.layout, "re") } else { recipe.layout };
        let block = (recipe.episodes / BLOCKS).clamp(1, 1_000_000);
        let mut settings = settings(&[("episodes", &recipe.episodes), ("block", &block)]);
        match recipe.from {
            None => settings.push(("layout".to_owned(), layout.to_owned())),
            Some(_) => {
                let arrivals = (recipe.episodes / 100).clamp(50, 10_000);
                settings.push(("arrivals".to_owned(), arrivals.to_string()));
            }
        }
        // The last one of a name counts.
        settings
            .extend(recipe.settings.iter().map(|(key, value)| ((*key).to_owned(), value.clone())));
        let plan = RunPlan {
            name: format!("{}-{}", self.report.name, slug(label)),
            recipe: "td",
            preset: None,
            game: recipe.game,
            settings,
            from: recipe.from,
            run: recipe.run,
        };
        let folder = self.folder(&plan)?;
        self.train(&folder, &plan, &|progress| {
            let (episodes, of) = (&progress.json["episodes"], recipe.episodes);
            format!("{label}, {episodes} of {of} episodes")
        })?;
        Trained::read(folder)
    }

    /// Learns stage after stage; `later` has the settings of those after the first.
    pub(super) fn learn_stages(
        &mut self,
        label: &str,
        recipe: &Recipe<'_>,
        later: &[Vec<(&str, String)>],
    ) -> Result<Trained, Error> {
        let mut trained = self.learn(label, recipe)?;
        for (i, settings) in later.iter().enumerate() {
            let stage = i + 2;
            let mut settings = settings.clone();
            settings.push(("stage", stage.to_string()));
            let from = trained.file("model.ntuple");
            let next = Recipe { settings, from: Some(&from), ..recipe.clone() };
            trained = self.learn(&format!("{label}, stage {stage}"), &next)?;
        }
        Ok(trained)
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
            game: WHOLE,
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
    /// What a run has left in its folder.
    fn read(folder: Folder) -> Result<Self, Error> {
        let (mut curve, mut largest, mut most) = (Vec::new(), Vec::new(), 0f64);
        for metrics in folder.metrics()? {
            let metric = |name: &str| metrics[name].as_f64().unwrap_or(0.0);
            most = most.max(metric("max_score"));
            curve.push((metric("episodes"), metric("mean_score")));
            largest.push((metric("episodes"), most));
        }
        Ok(Trained { folder, curve, largest })
    }

    /// An agent with this network.
    pub(super) fn agent(&self, agent: &str) -> String {
        with_model(agent, self.folder.path())
    }

    /// The network itself, of the whole board.
    pub(super) fn network(&self) -> Result<Network, Error> {
        let file = self.file("model.ntuple");
        let loaded = file::load::<Game2048>(&file, WHOLE, &Default::default(), false);
        Ok(loaded.map_err(failed)?.network)
    }

    /// The networks that were kept on the way, the first one first.
    pub(super) fn snapshots(&self) -> Vec<PathBuf> {
        self.snapshots_with_episodes().into_iter().map(|(_, file)| file).collect()
    }

    /// The same, each with the episodes before it.
    pub(super) fn snapshots_with_episodes(&self) -> Vec<(f64, PathBuf)> {
        let name = |episodes: f64| self.file(&format!("after-{episodes}.ntuple"));
        let files = self.curve.iter().map(|&(episodes, _)| (episodes, name(episodes)));
        files.filter(|(_, file)| file.exists()).collect()
    }

    /// The path of a file of the network's folder.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// A row with a mean score in ten thousands.
pub(super) fn ten_thousands(row: Row, scores: &Summary) -> Row {
    let interval = scores.interval().map(|(low, high)| (low / 1e4, high / 1e4));
    Row { interval, ..row.ours(scores.mean / 1e4) }.within(Tolerance::AtLeast)
}
