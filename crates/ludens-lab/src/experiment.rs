//! Experiments by name.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use ludens_arena::Store;
use ludens_core::ParseError;
use ludens_core::error::quote;
use serde::Serialize;

use crate::lab::Lab;
use crate::{Error, Report, Settings, duels, former, samegame, tiles};

/// A published table or figure, and how to measure it.
#[derive(Serialize)]
pub struct Experiment {
    /// The game and the number in the publication.
    pub name: &'static str,
    /// Other numbers under which the same results are published.
    pub aliases: &'static [&'static str],
    /// What it shows.
    pub title: &'static str,
    /// The publication.
    pub reference: &'static str,
    /// Files it needs below the folder of the data.
    pub needs: &'static [&'static str],
    #[serde(skip)]
    pub(crate) measure: Measure,
}

impl Experiment {
    /// One that needs no files and has no other number.
    pub(crate) fn new(
        name: &'static str,
        title: &'static str,
        reference: &'static str,
        measure: Measure,
    ) -> Self {
        Experiment { name, aliases: &[], title, reference, needs: &[], measure }
    }
}

/// Measures the rows, one after another.
pub(crate) type Measure = Box<dyn Fn(&mut Lab<'_>) -> Result<(), Error>>;

/// All experiments, in the order of the publications.
pub fn all() -> Vec<Experiment> {
    let mut all = former::experiments();
    all.extend(samegame::experiments());
    all.extend(tiles::experiments());
    all.extend(duels::experiments());
    all
}

/// The experiment of a name, or all of a game.
///
/// # Errors
/// [`Error::Name`] when there is none.
pub fn find(name: &str) -> Result<Vec<Experiment>, Error> {
    // Names of games may have dashes themselves.
    let of_game = |e: &Experiment| e.name.rsplit_once('-').is_some_and(|(game, _)| game == name);
    let of_game = |e: &Experiment| e.name.split('-').next() == Some(name) || of_game(e);
    let fits = |e: &Experiment| e.name == name || e.aliases.contains(&name) || of_game(e);
    let found: Vec<Experiment> = all().into_iter().filter(fits).collect();
    if found.is_empty() {
        let expected = "former, samegame, 2048, 2584, threes, tiles, sevn, probs, connect-four, or a name that `ludens reproduce --list` prints";
        return Err(Error::Name(ParseError::new("experiment", quote(name), expected)));
    }
    Ok(found)
}

/// Measures an experiment. `stop` ends it within a few milliseconds: the report
/// then has the rows measured so far and is not complete. `on_progress` gets
/// a line about how far it is.
///
/// # Errors
/// When boards it needs are missing, or a suite, an evaluation or the store fails.
pub fn run(
    experiment: &Experiment,
    settings: &Settings,
    store: &mut Store,
    stop: &AtomicBool,
    on_progress: &mut dyn FnMut(&str),
) -> Result<Report, Error> {
    let start = Instant::now();
    let report = Report {
        name: experiment.name,
        title: experiment.title,
        reference: experiment.reference,
        size: settings.size.name(),
        sections: Vec::new(),
        plots: Vec::new(),
        complete: false,
        seconds: 0.0,
    };
    let mut lab = Lab { settings, store, stop, on_progress, report, seeded: false };
    match (experiment.measure)(&mut lab) {
        Ok(()) => lab.report.complete = true,
        Err(Error::Interrupted) => {}
        Err(error) => return Err(error),
    }
    lab.report.seconds = start.elapsed().as_secs_f64();
    Ok(lab.report)
}
