//! Networks that learn from tree search: tables 16 to 18.

use super::trained::{Recipe, ten_thousands};
use crate::lab::Lab;
use crate::{Error, Experiment, Part, Row, Tolerance};

/// Games behind each mean.
const GAMES: usize = 1000;

/// How networks are played: the agent, and the column of the table.
const COLUMNS: [(&str, &str); 6] = [
    ("mcts:simulations=50,c=0,outcomes=random", "N=50, c=0"),
    ("mcts:simulations=50,c=0.005,outcomes=random", "N=50, c=0.005"),
    ("mcts:simulations=140,c=0.005,outcomes=random", "N=140, c=0.005"),
    ("ntuple:ply=1", "1 ply"),
    ("ntuple:ply=2", "2 ply"),
    ("ntuple:ply=3", "3 ply"),
];
/// How many of them a quick look plays.
const QUICK_COLUMNS: [usize; 3] = [0, 1, 3];

/// Simulations and exploration while learning, and the means of [`COLUMNS`] in ten thousands.
const NETWORKS: [(u32, &str, [f64; 6]); 13] = [
    (1, "0", [22.38, 19.88, 23.77, 20.84, 28.64, 31.44]),
    (20, "0", [21.19, 18.49, 22.75, 17.23, 26.36, 30.07]),
    (20, "0.005", [24.23, 21.33, 25.74, 18.83, 29.77, 33.13]),
    (20, "0.1", [14.16, 14.34, 16.07, 8.08, 15.56, 18.55]),
    (20, "1.5", [12.01, 12.18, 14.18, 6.05, 13.84, 16.64]),
    (50, "0", [26.75, 26.03, 29.74, 11.98, 31.46, 35.22]),
    (50, "0.005", [26.40, 26.68, 29.93, 11.54, 31.29, 35.07]),
    (50, "0.1", [26.36, 26.65, 29.89, 11.55, 31.46, 35.28]),
    (50, "1.5", [26.20, 26.39, 29.79, 11.66, 31.19, 34.78]),
    (100, "0", [26.10, 25.65, 29.58, 8.16, 31.83, 35.27]),
    (100, "0.005", [26.50, 26.40, 30.28, 8.10, 31.37, 35.08]),
    (100, "0.1", [26.35, 26.31, 30.56, 7.79, 31.78, 35.25]),
    (100, "1.5", [26.31, 26.45, 30.52, 7.22, 31.54, 35.43]),
];

/// Tables 17 and 18: simulations, and the means over low and over high exploration.
const AVERAGED: [(u32, [f64; 6], [f64; 6]); 3] = [
    (20, [23.00, 20.43, 24.64, 18.08, 28.56, 32.16], [13.40, 13.53, 15.40, 7.37, 15.00, 17.70]),
    (50, [26.52, 26.29, 29.82, 11.70, 31.37, 35.12], [26.21, 26.46, 29.76, 11.62, 31.21, 34.93]),
    (100, [26.41, 26.22, 30.17, 8.00, 31.65, 35.17], [26.32, 26.45, 30.47, 7.80, 31.66, 35.30]),
];
/// Exploration up to here is low.
const LOW: f64 = 0.01;

pub(super) fn experiments() -> Vec<Experiment> {
    vec![Experiment {
        name: "2048-16",
        aliases: &["2048-17", "2048-18"],
        title: "Tree search as the target of learning",
        reference: "Guei 2023, tables 16 to 18, some of their rows and columns",
        needs: &[],
        measure: Box::new(measure),
    }]
}

fn measure(lab: &mut Lab<'_>) -> Result<(), Error> {
    let episodes: u64 = lab.pick(20_000, 250, 10);
    let games = lab.pick(50, 6, 1);
    let most = lab.pick(100, 20, 20);
    let parts = [
        Part::effort("training episodes", episodes, 1_000_000),
        Part::sample("games", games, GAMES),
    ];
    let columns: Vec<usize> =
        lab.pick((0..COLUMNS.len()).collect(), QUICK_COLUMNS.to_vec(), vec![3]);
    lab.section("mean scores in ten thousands, dynamic norm (table 16)", &parts);
    let mut measured = Vec::new();
    for (simulations, exploration, published) in NETWORKS {
        let label = match simulations {
            1 => "TC".to_owned(),
            _ => format!("target N={simulations}, c={exploration}"),
        };
        if simulations > most {
            let row = Row::new(&label, COLUMNS[0].1, 2).published(published[0]);
            lab.row(row);
            continue;
        }
        let search = if simulations == 1 { 0 } else { simulations };
        let settings = vec![
            ("method", "tc".to_owned()),
            ("mcts", search.to_string()),
            ("mcts_c", exploration.to_owned()),
        ];
        let trained = lab.learn(&label, &Recipe { layout: "4x6", settings, episodes })?;
        for &column in &columns {
            let (agent, name) = COLUMNS[column];
            let played = lab.games(&trained, agent, games as u64)?;
            let row = Row::new(&label, name, 2).published(published[column]);
            lab.row(ten_thousands(row, &played.scores));
            measured.push((simulations, exploration, column, played.scores.mean / 1e4));
        }
    }
    lab.section("means over exploration while learning (tables 17 and 18)", &parts);
    for (simulations, low, high) in AVERAGED {
        for (name, published, wanted) in [("low", low, true), ("high", high, false)] {
            for &column in &columns {
                let fits = |&&(n, c, at, _): &&(u32, &str, usize, f64)| {
                    let small = c.parse::<f64>().is_ok_and(|c| c <= LOW);
                    n == simulations && at == column && small == wanted
                };
                let means: Vec<f64> = measured.iter().filter(fits).map(|m| m.3).collect();
                let ours =
                    (!means.is_empty()).then(|| means.iter().sum::<f64>() / means.len() as f64);
                let label = format!("target N={simulations}, {name} c");
                let row = Row::new(label, COLUMNS[column].1, 2).published(published[column]);
                lab.row(row.ours(ours).within(Tolerance::AtLeast));
            }
        }
    }
    Ok(())
}
