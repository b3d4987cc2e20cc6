//! Networks that learn from tree search: tables 16 to 18.

use super::table16::{COLUMNS, TARGETS, Target};
use super::trained::{Recipe, ten_thousands};
use crate::lab::Lab;
use crate::{Error, Experiment, Part, Row, Tolerance};

/// Games behind each mean.
const GAMES: usize = 1000;
/// What values are divided by, in learning and in play.
const NORM: &str = "250000";
/// The columns that a quick look measures, and those of a whole one without 4,400 simulations.
const QUICK_COLUMNS: [usize; 3] = [0, 1, 12];
const COLUMNS_TO_140: [usize; 11] = [0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14];
/// Exploration up to here is low.
const LOW: f64 = 0.01;

pub(super) fn experiments() -> Vec<Experiment> {
    let table = Experiment {
        name: "2048-16",
        aliases: &["2048-17", "2048-18"],
        title: "Tree search as the target of learning",
        reference: "Guei 2023, tables 16 to 18, four of ten values of c",
        needs: &[],
        measure: Box::new(measure),
    };
    let first = Experiment::new(
        "2048-16-tc",
        "The network of table 16 that learns without a search",
        "Guei 2023, table 16, row N~=1",
        Box::new(without_search),
    );
    vec![table, first]
}

/// A network with our means of the columns.
type Measured<'a> = (&'a Target, Vec<f64>);

/// The rows of a network by name.
fn label(target: &Target) -> String {
    match target.simulations {
        1 => "N~=1 (TC)".to_owned(),
        n => format!("N~={n}, c~={}", target.exploration),
    }
}

/// Learns a network and plays with it; the means of the columns.
fn rows(
    lab: &mut Lab<'_>,
    target: &Target,
    episodes: u64,
    columns: &[usize],
    games: u64,
) -> Result<Vec<f64>, Error> {
    let label = label(target);
    let search = if target.simulations == 1 { 0 } else { target.simulations };
    let settings = vec![
        ("method", "tc".to_owned()),
        ("mcts", search.to_string()),
        ("mcts_c", target.exploration.to_string()),
        ("mcts_norm", NORM.to_owned()),
    ];
    let recipe = Recipe { settings, ..Recipe::new("4x6", &[], episodes) };
    let trained = lab.learn(&label, &recipe)?;
    let mut means = Vec::new();
    for &column in columns {
        let (agent, name) = COLUMNS[column];
        let agent = match agent.starts_with("mcts") {
            true => format!("{agent},outcomes=random,norm={NORM}"),
            false => agent.to_owned(),
        };
        // A game of 4,400 simulations a move takes as long as thirty of 140.
        let slow = agent.contains("4400") || agent.contains("ply=3");
        let count = if slow { (games / 20).max(1) } else { games };
        let played = lab.games(&trained, &agent, count)?;
        let row = Row::new(&label, name, 2).published(target.means[column]);
        lab.row(ten_thousands(row, &played.scores));
        means.push(played.scores.mean / 1e4);
    }
    Ok(means)
}

/// The row of table 16 that learns without a search, at whole size.
fn without_search(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (episodes, games) = (lab.episodes(1_000_000, 500, 10), lab.game_count(100, 4, 1));
    let columns = lab.pick((0..COLUMNS.len()).collect(), QUICK_COLUMNS.to_vec(), vec![12]);
    lab.section(
        "mean scores in ten thousands, norm 250,000; a twentieth of the games with 4,400 simulations and 3 ply",
        &[
            Part::effort("training episodes", episodes, 1_000_000),
            Part::sample("games", games as usize, GAMES),
        ],
    );
    rows(lab, &TARGETS[0], episodes, &columns, games).map(drop)
}

fn measure(lab: &mut Lab<'_>) -> Result<(), Error> {
    let episodes = lab.episodes(20_000, 250, 10);
    let games = lab.game_count(50, 6, 1);
    let most = lab.pick(100, 20, 20);
    let parts = [
        Part::effort("training episodes", episodes, 1_000_000),
        Part::sample("games", games as usize, GAMES),
    ];
    let columns = lab.pick(COLUMNS_TO_140.to_vec(), QUICK_COLUMNS.to_vec(), vec![12]);
    lab.section("mean scores in ten thousands, norm 250,000 (table 16)", &parts);
    // For each network that was measured, the means of the columns.
    let mut measured: Vec<Measured<'_>> = Vec::new();
    for target in &TARGETS {
        let label = label(target);
        if target.simulations > most {
            lab.row(Row::new(&label, COLUMNS[columns[0]].1, 2).published(target.means[columns[0]]));
            continue;
        }
        let means = rows(lab, target, episodes, &columns, games)?;
        measured.push((target, means));
    }
    lab.section(
        "means over exploration while learning (tables 17 and 18), over the same networks",
        &parts,
    );
    for simulations in [20, 50, 100] {
        for (name, low) in [("low", true), ("high", false)] {
            let of_group: Vec<&Measured<'_>> = measured
                .iter()
                .filter(|(t, _)| t.simulations == simulations && (t.exploration <= LOW) == low)
                .collect();
            if of_group.is_empty() {
                continue;
            }
            let mean = |value: &dyn Fn(&Measured<'_>) -> f64| {
                of_group.iter().map(|one| value(one)).sum::<f64>() / of_group.len() as f64
            };
            for (i, &column) in columns.iter().enumerate() {
                let row = Row::new(format!("N~={simulations}, {name} c~"), COLUMNS[column].1, 2);
                let row = row.published(mean(&|one| one.0.means[column]));
                lab.row(row.ours(mean(&|one| one.1[i])).within(Tolerance::AtLeast));
            }
        }
    }
    Ok(())
}
