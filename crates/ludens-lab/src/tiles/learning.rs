//! Tables that compare ways to learn.

use ludens_arena::plot::Series;
use ludens_arena::statistics::Summary;
use ludens_runs::playing::Played;

use super::tables::{Learning, Network};
use super::trained::{Recipe, Trained, mean_curve};
use crate::lab::Lab;
use crate::{Error, Experiment, Part, Row, Tolerance};

/// Games of Guei (2023) behind a mean of one-ply play.
const GAMES: usize = 100_000;
const TILES: [u64; 3] = [8192, 16384, 32768];

pub(super) fn experiment(table: &'static Learning) -> Experiment {
    Experiment {
        name: table.name,
        aliases: &[],
        title: table.title,
        reference: table.reference,
        needs: &[],
        measure: Box::new(|lab| measure(lab, table)),
    }
}

/// The tiles that later stages begin with: those of Guei (2023) where networks come so far.
pub(super) fn boundaries(episodes: u64) -> &'static str {
    match episodes {
        100_000.. => "16384,16384+8192",
        300.. => "256,256+128",
        _ => "16,16+8",
    }
}

fn measure(lab: &mut Lab<'_>, table: &Learning) -> Result<(), Error> {
    let episodes = lab.episodes(100_000, 400, 20);
    let (games, deep) = (lab.game_count(1000, 40, 2), lab.pick(50, 2, 1));
    let runs = lab.networks();
    let parts = [
        Part::effort("training episodes of each stage", episodes, table.millions * 1_000_000),
        Part::sample("networks", runs as usize, table.runs),
        Part::sample("games of 1 ply", games as usize, GAMES),
    ];
    let mut title = format!("{episodes} of Guei's {} million episodes", table.millions);
    if table.networks.iter().any(|network| network.stages > 1) {
        title.push_str(&format!(", stages begin at {}", boundaries(episodes)));
    }
    lab.section(title, &parts);
    let (mut means, mut maxima) = (Vec::new(), Vec::new());
    for network in table.networks {
        let mut trained = Vec::new();
        for run in 0..runs {
            trained.push(learned(lab, network, episodes, run)?);
        }
        let name = || network.label.to_owned();
        let curves: Vec<_> = trained.iter().map(|one| one.curve.clone()).collect();
        means.push(Series { name: name(), points: mean_curve(&curves) });
        let curves: Vec<_> = trained.iter().map(|one| one.largest.clone()).collect();
        maxima.push(Series { name: name(), points: mean_curve(&curves) });
        for &(agent, published) in network.searches {
            let count = if agent.contains("ply=1") { games } else { deep.min(games) };
            let mut played = Vec::new();
            for network in &trained {
                played.push(lab.games(network, agent, count)?);
            }
            let label = match network.searches.len() {
                1 => name(),
                _ => format!("{}, {}", network.label, agent.trim_start_matches("ntuple:")),
            };
            rows(lab, &label, &played, published);
        }
    }
    lab.curves("", table.title, "mean score of a block", means);
    lab.curves("-maximum", table.title, "largest score so far", maxima);
    Ok(())
}

/// A network of a table, stage by stage.
fn learned(
    lab: &mut Lab<'_>,
    network: &Network,
    episodes: u64,
    run: u32,
) -> Result<Trained, Error> {
    let share = |n: u64, of: u64| (episodes * n / of).max(1).to_string();
    let value = |text: &str| {
        let text = text.replace("3N/4", &share(3, 4)).replace("N/2", &share(1, 2));
        text.replace("N/100", &share(1, 100))
    };
    let settings: Vec<(&str, String)> =
        network.settings.iter().map(|&(key, text)| (key, value(text))).collect();
    let recipe =
        Recipe { settings: settings.clone(), run, ..Recipe::new(network.layout, &[], episodes) };
    let all: Vec<&str> = boundaries(episodes).split(',').collect();
    let later = (2..=network.stages).map(|stage| {
        let mut settings = settings.clone();
        settings.push(("stages", all[..stage - 1].join(",")));
        settings
    });
    lab.learn_stages(network.label, &recipe, &later.collect::<Vec<_>>())
}

/// The mean and the rates Guei (2023) prints, over networks that learned in the same way.
fn rows(lab: &mut Lab<'_>, label: &str, played: &[Played], published: [f64; 4]) {
    let mean = Row::new(label, "mean score", 0).published(published[0]);
    let mean = match played {
        [one] => mean.mean(Some(&one.scores)),
        many => {
            let means: Vec<f64> = many.iter().map(|one| one.scores.mean).collect();
            mean.mean(Summary::of(&means).as_ref())
        }
    };
    lab.row(mean.within(Tolerance::AtLeast));
    for (tile, published) in TILES.into_iter().zip(&published[1..]) {
        if published.is_nan() {
            continue;
        }
        let row = Row::new(label, format!("{tile} %"), 2).published(*published);
        let row = match played {
            [one] => row.percent(one.rate(tile)),
            many => {
                let shares = many.iter().filter_map(|one| one.rate(tile).share());
                row.mean(
                    Summary::of(&shares.map(|share| 100.0 * share).collect::<Vec<_>>()).as_ref(),
                )
            }
        };
        lab.row(row.within(Tolerance::AtLeast));
    }
}
