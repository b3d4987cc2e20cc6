//! Tables that compare ways to learn.

use ludens_arena::plot::Series;
use ludens_arena::statistics::Rate;
use ludens_runs::playing::Played;

use super::tables::Learning;
use super::trained::Recipe;
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

fn measure(lab: &mut Lab<'_>, table: &Learning) -> Result<(), Error> {
    let episodes: u64 = lab.pick(100_000, 400, 20);
    let (games, deep) = (lab.pick(1000, 40, 2), lab.pick(50, 2, 1));
    let parts = [
        Part::effort("training episodes", episodes, table.millions * 1_000_000),
        Part::sample("games of 1 ply", games, GAMES),
    ];
    lab.section(format!("{} of Guei's {} million episodes", episodes, table.millions), &parts);
    let mut curves = Vec::new();
    for network in table.networks {
        let share = |n: u64, of: u64| (episodes * n / of).to_string();
        let settings = network.settings.iter().map(|&(key, value)| {
            (key, value.replace("3N/4", &share(3, 4)).replace("N/2", &share(1, 2)))
        });
        let recipe = Recipe { layout: network.layout, settings: settings.collect(), episodes };
        let trained = lab.learn(network.label, &recipe)?;
        curves.push(Series { name: network.label.to_owned(), points: trained.curve.clone() });
        for &(agent, published) in network.searches {
            let count = if agent.contains("ply=1") { games } else { deep };
            let played = lab.games(&trained, agent, count as u64)?;
            let label = match network.searches.len() {
                1 => network.label.to_owned(),
                _ => format!("{}, {}", network.label, agent.trim_start_matches("ntuple:")),
            };
            rows(lab, &label, &played, published);
        }
    }
    lab.curves("", table.title, "mean score of a block", curves);
    Ok(())
}

/// The mean and the rates Guei (2023) prints.
fn rows(lab: &mut Lab<'_>, label: &str, played: &Played, published: [f64; 4]) {
    let mean = Row::new(label, "mean score", 0).published(published[0]);
    lab.row(mean.mean(Some(&played.scores)).within(Tolerance::AtLeast));
    for (tile, published) in TILES.into_iter().zip(&published[1..]) {
        if published.is_nan() {
            continue;
        }
        let none = Rate { hits: 0, total: played.scores.count };
        let reached = played.rates.iter().find(|(t, _)| *t == tile).map_or(none, |(_, rate)| *rate);
        let row = Row::new(label, format!("{tile} %"), 2).published(*published);
        lab.row(row.percent(reached).within(Tolerance::AtLeast));
    }
}
