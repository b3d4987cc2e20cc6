//! Table 6.3 with figures 6.2 and 6.3: settings found by trial.

use std::sync::atomic::Ordering;

use ludens_core::file;
use ludens_runs::tune::{TuneRequest, tune};
use serde_json::Value;

use crate::lab::Lab;
use crate::scratch::Scratch;
use crate::{Error, Part, Row};

/// Urheim's trials, and samples of each.
const TRIALS: u64 = 50;
const SAMPLES: u64 = 2_000_000;
/// Samples that a game of the expert gives.
const PER_GAME: u64 = 12;
/// Bytes of a plot at most.
const LARGEST_PLOT: u64 = 1 << 24;

/// What is tuned, and in table 6.3 for (32,5): its metric, how it is printed, and its best value.
const KINDS: [(&str, &str, f64); 2] = [("policy", "top 1 %", 52.1), ("value", "loss", 0.488)];
/// Table 6.3 for (32,5): rate, batch, decay of the best.
const BEST: [[f64; 3]; 2] = [[0.0028, 128.0, 2.5e-6], [0.00073, 64.0, 5.9e-6]];
/// Settings in the order of [`BEST`], with the decimals that they are printed with.
const NAMES: [(&str, usize); 3] = [("rate", 5), ("batch", 0), ("decay", 7)];

pub(super) fn measure(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (trials, games, epochs): (u64, u64, u64) =
        lab.pick((TRIALS, 20_000, 5), (10, 400, 1), (2, 30, 1));
    let parts = [
        Part::effort("trials", trials, TRIALS),
        Part::effort("samples", games * PER_GAME, SAMPLES),
    ];
    lab.section("the best of the trials with (32,5), by validation games", &parts);
    for ((kind, measure, published), best) in KINDS.into_iter().zip(BEST) {
        let found = tuned(lab, kind, trials, games, epochs)?;
        let loss = found["best"]["loss"].as_f64();
        let ours = if kind == "policy" { loss.map(|loss| -100.0 * loss) } else { loss };
        lab.row(Row::new(kind, measure, 3).published(published).ours(ours));
        for ((name, decimals), published) in NAMES.into_iter().zip(best) {
            let ours = found["best"]["settings"][name].as_f64();
            lab.row(Row::new(kind, name, decimals).published(published).ours(ours));
        }
        // Figure 6.3: the rate matters most.
        for (name, _) in NAMES {
            let share = found["importance"][name].as_f64();
            lab.row(Row::new(kind, format!("importance of {name}"), 2).ours(share));
        }
    }
    Ok(())
}

/// The metrics of a study, whose folder is removed; its plots stay with the report.
fn tuned(
    lab: &mut Lab<'_>,
    kind: &str,
    trials: u64,
    games: u64,
    epochs: u64,
) -> Result<Value, Error> {
    let folder = Scratch::new()?;
    let text = |key: &str, value: String| (key.to_owned(), value);
    let settings = vec![
        text("kind", kind.to_owned()),
        text("channels", lab.pick(32, 32, 4).to_string()),
        text("depth", lab.pick(5, 5, 2).to_string()),
        text("games", games.to_string()),
        text("epochs", epochs.to_string()),
        text("threads", lab.settings.workers.max(1).to_string()),
    ];
    let request = TuneRequest {
        recipe: "supervised".to_owned(),
        game: None,
        trials,
        settings,
        seed: lab.settings.seed,
        run: folder.path().to_owned(),
    };
    let (experiment, on_progress) = (lab.report.name, &mut *lab.on_progress);
    let last = tune(&request, lab.stop, &mut |progress| {
        on_progress(&format!("{experiment}: {kind}, {}", progress.line));
    })
    .map_err(|error| Error::Failed(error.to_string()))?;
    for plot in ["convergence", "importance"] {
        if let Ok(svg) = file::read_text(&request.run.join(format!("{plot}.svg")), LARGEST_PLOT) {
            lab.plot(&format!("{kind}-{plot}"), svg);
        }
    }
    match last {
        Some(progress) if !lab.stop.load(Ordering::Relaxed) => Ok(progress.json),
        _ => Err(Error::Interrupted),
    }
}
