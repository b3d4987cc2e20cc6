//! Tables that compare ways to play with one network, and the stuck TC of appendix A.

use ludens_arena::plot::Series;
use ludens_arena::statistics::Summary;
use ludens_engine::analysis::{Method, Request};
use ludens_engine::game;

use super::trained::{Recipe, Trained, ten_thousands};
use crate::lab::Lab;
use crate::{Error, Experiment, Part, Row, Tolerance};

/// Episodes of Guei's network for these tables.
const EPISODES: u64 = 400_000_000;
/// Games behind each mean of tables 15 and 19.
const GAMES: usize = 1000;

/// Table 14: mean nodes of a search, by ply from 1.
const NODES: [f64; 4] = [4.56, 139.04, 4383.83, 139_966.40];

/// Table 15, in ten thousand points: exploration, simulations, mean.
const MCTS: [(&str, u32, f64); 16] = [
    ("0", 1, 41.80),
    ("0", 10, 43.57),
    ("0", 50, 46.23),
    ("0", 140, 48.25),
    ("0.005", 10, 40.39),
    ("0.005", 50, 46.40),
    ("0.005", 140, 48.80),
    ("0.005", 500, 51.96),
    ("0.01", 50, 44.06),
    ("0.01", 140, 48.99),
    ("0.01", 500, 52.28),
    ("0.05", 50, 38.12),
    ("0.05", 140, 43.44),
    ("0.1", 50, 35.40),
    ("0.1", 140, 39.63),
    ("0.1", 500, 42.33),
];

/// Table 19 with 140 simulations: strength index, then means by threshold 0.25, 0.5, 0.75.
const STRENGTH: [(&str, [f64; 3]); 7] = [
    ("0", [325_432.0, 430_734.0, 457_867.0]),
    ("0.5", [347_651.0, 442_059.0, 468_457.0]),
    ("1", [383_458.0, 442_281.0, 481_774.0]),
    ("1.5", [407_406.0, 443_795.0, 475_201.0]),
    ("2", [423_477.0, 444_896.0, 475_208.0]),
    ("2.5", [440_157.0, 467_237.0, 488_522.0]),
    ("5", [471_969.0, 466_996.0, 478_539.0]),
];
const THRESHOLDS: [&str; 3] = ["0.25", "0.5", "0.75"];

pub(super) fn experiments() -> Vec<Experiment> {
    vec![
        Experiment::new(
            "2048-14",
            "Nodes of an expectimax search by ply",
            "Guei 2023, table 14",
            Box::new(nodes),
        ),
        Experiment::new(
            "2048-15",
            "Monte Carlo tree search by exploration and simulations",
            "Guei 2023, table 15, some of its rows and columns",
            Box::new(mcts),
        ),
        Experiment::new(
            "2048-19",
            "Strength index and threshold, 140 simulations",
            "Guei 2023, table 19, rows of 140 simulations",
            Box::new(strength),
        ),
        Experiment::new(
            "2048-f40",
            "Largest scores of TD and TC learning in 2 stages",
            "Guei 2023, figure 40 (appendix A)",
            Box::new(stuck),
        ),
    ]
}

/// The network of these tables, at a fraction of Guei's training, which is printed.
fn trained(lab: &mut Lab<'_>) -> Result<(Trained, Part), Error> {
    let episodes = lab.pick(100_000, 1000, 20);
    let settings = vec![("method", "tc".to_owned())];
    let trained = lab.learn("8x6", &Recipe { layout: "8x6", settings, episodes })?;
    Ok((trained, Part::effort("training episodes", episodes, EPISODES)))
}

fn nodes(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (trained, part) = trained(lab)?;
    let games = lab.pick(10, 2, 1);
    let plies = lab.pick(4, 3, 2);
    lab.section(
        "positions and afterstates of a search, without a table",
        &[part, Part::sample("games", games, GAMES)],
    );
    let handle = game("2048").map_err(|e| Error::Failed(e.to_string()))?;
    for ply in 1..=NODES.len() {
        let row = Row::new(format!("{ply} ply"), "nodes", 2).published(NODES[ply - 1]);
        if ply > plies {
            lab.row(row);
            continue;
        }
        let agent = trained.agent(&format!("expectimax:ply={ply},memory=0"));
        let greedy = trained.agent("ntuple:ply=1");
        let mut counts = Vec::new();
        for number in 0..games as u64 {
            let mut table = handle.start(lab.settings.seed + number);
            let wrong = |e: ludens_core::ParseError| Error::Failed(e.to_string());
            table.seat(ludens_core::Player::One, &greedy).map_err(wrong)?;
            // Deep searches of every thirtieth position say enough.
            let every = if ply < 3 { 3 } else { 30 };
            for turn in 0.. {
                lab.check_stop()?;
                if turn % every == 0 && table.action_count() > 0 {
                    let request = Request { method: Method::agent(&agent), ..Request::default() };
                    let found = table
                        .analyze(&request, Request::never(), &mut |_| {})
                        .map_err(|e| Error::Failed(e.to_string()))?;
                    // From 3 ply on the plies before are counted too, about one in thirty.
                    counts.push(found.nodes as f64);
                }
                let played = table.play_agent(&Request::default(), Request::never());
                if played.map_err(wrong)?.is_none() {
                    break;
                }
            }
        }
        lab.row(row.mean(Summary::of(&counts).as_ref()).within(Tolerance::Open));
    }
    Ok(())
}

fn mcts(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (trained, part) = trained(lab)?;
    let games = lab.pick(100, 1, 1);
    let most = lab.pick(500, 50, 10);
    lab.section(
        "mean scores in ten thousands, dynamic norm",
        &[part, Part::sample("games", games, GAMES)],
    );
    for (c, simulations, published) in MCTS {
        let label = format!("c={c}, N={simulations}");
        let row = Row::new(label, "mean / 10^4", 2).published(published);
        if simulations > most {
            lab.row(row);
            continue;
        }
        let agent = format!("mcts:simulations={simulations},c={c},outcomes=random");
        let played = lab.games(&trained, &agent, games as u64)?;
        lab.row(ten_thousands(row, &played.scores));
    }
    Ok(())
}

fn strength(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (trained, part) = trained(lab)?;
    let games = lab.pick(100, 1, 1);
    let simulations = lab.pick(140, 20, 4);
    lab.section(
        "mean scores",
        &[part, Part::effort("simulations", simulations, 140), Part::sample("games", games, GAMES)],
    );
    for (z, means) in STRENGTH {
        for (threshold, published) in THRESHOLDS.into_iter().zip(means) {
            let agent = format!(
                "mcts:simulations={simulations},c=0.005,outcomes=random,z={z},threshold={threshold}"
            );
            let played = lab.games(&trained, &agent, games as u64)?;
            let row = Row::new(format!("z={z}, R_th={threshold}"), "mean score", 0);
            let row = row.published(published).mean(Some(&played.scores));
            lab.row(row.within(Tolerance::AtLeast));
        }
    }
    Ok(())
}

/// Guei (2023) sees all of 10 TD runs and 3 of 10 TC runs reach 32768 in the second stage.
fn stuck(lab: &mut Lab<'_>) -> Result<(), Error> {
    let episodes: u64 = lab.pick(100_000, 400, 20);
    lab.section(
        "largest score of a run in thousands",
        &[Part::effort("training episodes", episodes, 100_000_000), Part::sample("runs", 1, 10)],
    );
    let mut series = Vec::new();
    for (label, method) in [("TD", "td"), ("TC", "tc")] {
        let settings = vec![("method", method.to_owned()), ("stages", "16384".to_owned())];
        let trained = lab.learn(label, &Recipe { layout: "8x6", settings, episodes })?;
        let most = trained.largest.last().map(|(_, score)| score / 1000.0);
        // Above 400,000 points a run has reached 32768.
        lab.row(Row::new(label, "largest / 1000", 1).published(400.0).ours(most));
        let mean = trained.curve.last().map(|(_, mean)| *mean);
        lab.row(Row::new(label, "mean score of the last block", 0).ours(mean));
        series.push(Series { name: label.to_owned(), points: trained.largest.clone() });
    }
    lab.curves("", "TD and TC learning in 2 stages", "largest score", series);
    Ok(())
}
