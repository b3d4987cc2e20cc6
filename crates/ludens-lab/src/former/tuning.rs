//! Table 6.3 with figures 6.2 and 6.3: settings found by trial.

use ludens_core::file;
use ludens_runs::tune::{TuneRequest, tune};
use serde_json::Value;

use super::shapes::{IMITATED, Published};
use super::trained::Kind;
use crate::lab::Lab;
use crate::runs::{failed, slug};
use crate::{Error, Part, Row};

/// Urheim's trials, epochs of each, and samples.
const TRIALS: u64 = 50;
const EPOCHS: u64 = 5;
const SAMPLES: u64 = 2_000_000;
/// Positions of a game of the expert.
const PER_GAME: u64 = 15;
/// Bytes of a plot at most.
const LARGEST_PLOT: u64 = 1 << 24;
/// What is found, with the decimals that it is printed with.
const NAMES: [(&str, usize); 3] = [("rate", 5), ("batch", 0), ("decay", 7)];

/// The size of a study.
#[derive(Clone, Copy)]
struct Size {
    trials: u64,
    games: u64,
    epochs: u64,
}

pub(super) fn measure(lab: &mut Lab<'_>) -> Result<(), Error> {
    let asked = lab.settings;
    let size = Size {
        trials: asked.trials.unwrap_or(lab.pick(TRIALS, 10, 2)),
        games: asked.games.unwrap_or(lab.pick(10_000, 400, 30)),
        epochs: asked.epochs.unwrap_or(lab.pick(EPOCHS, 1, 1)),
    };
    let parts = [
        Part::effort("trials", size.trials, TRIALS),
        Part::effort("samples", size.games * PER_GAME, SAMPLES),
        Part::effort("epochs", size.epochs, EPOCHS),
    ];
    lab.section("the best of the trials, by validation games", &parts);
    for network in &IMITATED[..lab.pick(IMITATED.len(), 2, 2)] {
        let Some((published, best)) = network.tuned else { continue };
        let [channels, depth] = network.net.shape;
        let label = format!("{} ({channels},{depth})", network.net.kind.name());
        let found = tuned(lab, network, &label, size)?;
        let loss = found["best"]["loss"].as_f64();
        let (measure, ours) = match network.net.kind {
            Kind::Policy => ("top 1 %", loss.map(|loss| -100.0 * loss)),
            _ => ("mean squared error", loss),
        };
        lab.row(Row::new(&label, measure, 3).published(published).ours(ours));
        for ((name, decimals), published) in NAMES.into_iter().zip(best) {
            let ours = found["best"]["settings"][name].as_f64();
            lab.row(Row::new(&label, name, decimals).published(published).ours(ours));
        }
        // Figure 6.3: the rate matters most.
        for (name, _) in NAMES {
            let share = found["importance"][name].as_f64();
            lab.row(Row::new(&label, format!("importance of {name}"), 2).ours(share));
        }
    }
    Ok(())
}

/// The metrics of a study; its plots stay with the report.
fn tuned(lab: &mut Lab<'_>, network: &Published, label: &str, size: Size) -> Result<Value, Error> {
    let [channels, depth] = network.net.shape;
    let kind = network.net.kind.name();
    let folder = lab.named_folder(&format!("former-tune-{kind}-{channels}-{depth}"))?;
    let small = |number: usize, tiny: usize| lab.pick(number, number, tiny).to_string();
    // The games and samples of the published recipe.
    let settings = [
        ("kind", kind.to_owned()),
        ("channels", small(channels, 4)),
        ("depth", small(depth, 2)),
        ("expert", "look-ahead-beam".to_owned()),
        ("exact", "0".to_owned()),
        ("duplicates", "keep".to_owned()),
        ("augmentation", "off".to_owned()),
        ("games", size.games.to_string()),
        ("epochs", size.epochs.to_string()),
        ("threads", lab.settings.workers.max(1).to_string()),
    ];
    let request = TuneRequest {
        recipe: "supervised".to_owned(),
        game: None,
        trials: size.trials,
        settings: settings.map(|(key, value)| (key.to_owned(), value)).into(),
        seed: lab.settings.seed,
        run: folder.path().to_owned(),
    };
    let (experiment, on_progress) = (lab.report.name, &mut *lab.on_progress);
    let last = tune(&request, lab.stop, &mut |progress| {
        on_progress(&format!("{experiment}: {label}, {}", progress.line));
    })
    .map_err(failed)?;
    for plot in ["convergence", "importance"] {
        if let Ok(svg) = file::read_text(&request.run.join(format!("{plot}.svg")), LARGEST_PLOT) {
            lab.plot(&format!("-{}-{plot}", slug(label)), svg);
        }
    }
    lab.check_stop()?;
    last.map(|progress| progress.json).ok_or(Error::Interrupted)
}
