//! Tables that compare ways to play with one network, and the stuck TC of appendix A.

use ludens_arena::plot::Series;
use ludens_arena::statistics::Summary;
use ludens_engine::analysis::{Method, Request};
use ludens_engine::game;

use super::learning::boundaries;
use super::trained::{Recipe, Trained, ten_thousands};
use crate::lab::Lab;
use crate::{Error, Experiment, Part, Row, Tolerance};

/// Episodes of Guei's network for these tables.
const EPISODES: u64 = 400_000_000;
/// Games behind each mean of tables 15 and 19.
const GAMES: usize = 1000;

/// Table 14: mean nodes of a search and the mean of the largest of each game, by ply from 1.
const NODES: [(f64, f64); 4] =
    [(4.56, 4.79), (139.04, 511.18), (4383.83, 51_942.03), (139_966.40, 5_051_955.46)];

/// What tables 15 and 19 divide values by.
const NORM: &str = "norm=400000";
/// Simulations of table 15 up to 1,000.
const SIMULATIONS: [u32; 7] = [1, 10, 20, 50, 140, 500, 1000];
/// Table 15, in ten thousand points: exploration, means by simulations.
const MCTS: [(&str, [f64; 7]); 7] = [
    ("0", [41.80, 43.57, 44.30, 46.23, 48.25, 49.74, 50.37]),
    ("0.001", [42.43, 43.30, 44.03, 46.98, 48.33, 51.41, 52.59]),
    ("0.005", [42.31, 40.39, 42.42, 46.40, 48.80, 51.96, 53.90]),
    ("0.01", [41.43, 41.16, 41.29, 44.06, 48.99, 52.28, 53.15]),
    ("0.02", [40.85, 39.55, 37.93, 43.06, 46.24, 51.01, 52.62]),
    ("0.05", [41.86, 35.77, 35.77, 38.12, 43.44, 48.02, 49.85]),
    ("0.1", [42.15, 35.38, 31.67, 35.40, 39.63, 42.33, 42.23]),
];

/// Table 19: simulations, then by strength index the means by threshold 0.25, 0.5, 0.75.
const STRENGTH: [(u32, [[f64; 3]; 7]); 2] = [
    (
        140,
        [
            [325_432.0, 430_734.0, 457_867.0],
            [347_651.0, 442_059.0, 468_457.0],
            [383_458.0, 442_281.0, 481_774.0],
            [407_406.0, 443_795.0, 475_201.0],
            [423_477.0, 444_896.0, 475_208.0],
            [440_157.0, 467_237.0, 488_522.0],
            [471_969.0, 466_996.0, 478_539.0],
        ],
    ),
    (
        1000,
        [
            [491_162.0, 525_047.0, 535_922.0],
            [496_499.0, 522_629.0, 533_247.0],
            [510_089.0, 532_106.0, 537_490.0],
            [508_603.0, 522_553.0, 544_108.0],
            [520_074.0, 520_491.0, 537_651.0],
            [540_526.0, 538_222.0, 529_196.0],
            [526_608.0, 524_378.0, 540_858.0],
        ],
    ),
];
const INDICES: [&str; 7] = ["0", "0.5", "1", "1.5", "2", "2.5", "5"];
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
            "Guei 2023, table 15, up to 1,000 simulations, seven values of c",
            Box::new(mcts),
        ),
        Experiment::new(
            "2048-19",
            "Strength index and threshold",
            "Guei 2023, table 19, 140 and 1,000 simulations",
            Box::new(strength),
        ),
        Experiment::new(
            "2048-f40",
            "Largest scores of TD and TC learning in the second stage",
            "Guei 2023, figure 40 (appendix A)",
            Box::new(stuck),
        ),
    ]
}

/// The network of these tables, at a fraction of Guei's training, which is printed.
fn trained(lab: &mut Lab<'_>) -> Result<(Trained, Part), Error> {
    let episodes = lab.episodes(100_000, 1000, 20);
    let initial = lab.pick("320000", "0", "0");
    let settings = [("method", "otd+tc"), ("initial", initial)];
    let trained = lab.learn("8x6", &Recipe::new("8x6", &settings, episodes))?;
    Ok((trained, Part::effort("training episodes", episodes, EPISODES)))
}

fn nodes(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (trained, part) = trained(lab)?;
    let games = lab.game_count(10, 2, 1) as usize;
    let plies = lab.pick(4, 3, 2);
    lab.section(
        "positions and afterstates of a search, without a table",
        &[part, Part::sample("games", games, GAMES)],
    );
    let handle = game("2048").map_err(|e| Error::Failed(e.to_string()))?;
    for ply in 1..=NODES.len() {
        let (mean, most) = NODES[ply - 1];
        let row = |metric: &str| Row::new(format!("{ply} ply"), metric, 2);
        let (row, largest) = (row("nodes").published(mean), row("mean of maxima").published(most));
        if ply > plies {
            lab.row(row);
            lab.row(largest);
            continue;
        }
        let agent = trained.agent(&format!("expectimax:ply={ply},memory=0"));
        let greedy = trained.agent("ntuple:ply=1");
        let (mut counts, mut maxima) = (Vec::new(), Vec::new());
        for number in 0..games as u64 {
            let mut table = handle.start(lab.settings.seed + number);
            let wrong = |e: ludens_core::ParseError| Error::Failed(e.to_string());
            table.seat(ludens_core::Player::One, &greedy).map_err(wrong)?;
            // Deep searches of every thirtieth position say enough.
            let every = if ply < 3 { 1 } else { 30 };
            let mut most = 0f64;
            for turn in 0.. {
                lab.check_stop()?;
                if turn % every == 0 && table.action_count() > 0 {
                    let request = Request { method: Method::agent(&agent), ..Request::default() };
                    let found = table
                        .analyze(&request, Request::never(), &mut |_| {})
                        .map_err(|e| Error::Failed(e.to_string()))?;
                    // From 3 ply on the plies before are counted too, about one in thirty.
                    counts.push(found.nodes as f64);
                    most = most.max(found.nodes as f64);
                }
                let played = table.play_agent(&Request::default(), Request::never());
                if played.map_err(wrong)?.is_none() {
                    break;
                }
            }
            maxima.push(most);
        }
        lab.row(row.mean(Summary::of(&counts).as_ref()).within(Tolerance::Open));
        lab.row(largest.mean(Summary::of(&maxima).as_ref()).within(Tolerance::Open));
    }
    Ok(())
}

fn mcts(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (trained, part) = trained(lab)?;
    let games = lab.game_count(100, 1, 1);
    let most = lab.pick(1000, 50, 1);
    lab.section(
        "mean scores in ten thousands, norm 400,000",
        &[part, Part::sample("games", games as usize, GAMES)],
    );
    for (c, means) in MCTS {
        for (simulations, published) in SIMULATIONS.into_iter().zip(means) {
            let label = format!("c={c}, N={simulations}");
            let row = Row::new(label, "mean / 10^4", 2).published(published);
            if simulations > most {
                lab.row(row);
                continue;
            }
            let agent = format!("mcts:simulations={simulations},c={c},outcomes=random,{NORM}");
            let played = lab.games(&trained, &agent, games)?;
            lab.row(ten_thousands(row, &played.scores));
        }
    }
    Ok(())
}

fn strength(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (trained, part) = trained(lab)?;
    let games = lab.game_count(100, 1, 1);
    let most = lab.pick(1000, 140, 0);
    lab.section("mean scores, norm 400,000", &[part, Part::sample("games", games as usize, GAMES)]);
    for (simulations, means) in STRENGTH {
        for (z, means) in INDICES.into_iter().zip(means) {
            for (threshold, published) in THRESHOLDS.into_iter().zip(means) {
                let label = format!("N={simulations}, z={z}, R_th={threshold}");
                let row = Row::new(label, "mean score", 0).published(published);
                if simulations > most {
                    lab.row(row);
                    continue;
                }
                let agent = format!(
                    "mcts:simulations={simulations},c=0.005,outcomes=random,{NORM},z={z},threshold={threshold}"
                );
                let played = lab.games(&trained, &agent, games)?;
                lab.row(row.mean(Some(&played.scores)).within(Tolerance::AtLeast));
            }
        }
    }
    Ok(())
}

/// Guei (2023) sees all of 10 TD runs and 3 of 10 TC runs reach 32768 in the second stage, which
/// starts where games of one trained first stage reached 16384.
fn stuck(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (episodes, runs) = (lab.episodes(100_000, 400, 20), lab.networks());
    let boundary = boundaries(episodes).split(',').next().unwrap_or_default().to_owned();
    lab.section(
        format!("largest score of a run in thousands; the second stage begins at {boundary}"),
        &[
            Part::effort("training episodes of each stage", episodes, 100_000_000),
            Part::sample("runs", runs as usize, 10),
        ],
    );
    let first = lab.learn("first stage", &Recipe::new("8x6", &[("method", "tc")], episodes))?;
    let from = first.file("model.ntuple");
    let mut series = Vec::new();
    for (label, method) in [("TD", "td"), ("TC", "tc")] {
        let mut largest = Vec::new();
        for run in 0..runs {
            let settings = [("method", method), ("stage", "2"), ("stages", &boundary)];
            let recipe = Recipe::new("8x6", &settings, episodes);
            let trained = lab.learn(label, &Recipe { from: Some(&from), run, ..recipe })?;
            largest.extend(trained.largest.last().map(|(_, score)| score / 1000.0));
            let name = format!("{label} {}", run + 1);
            series.push(Series { name, points: trained.largest.clone() });
        }
        // Above 400,000 points a run has reached 32768.
        let row = Row::new(label, "largest / 1000", 1).published(400.0);
        lab.row(row.mean(Summary::of(&largest).as_ref()));
        let reached = largest.iter().filter(|&&score| score > 400.0).count() as f64;
        let published = if method == "td" { 10.0 } else { 3.0 };
        lab.row(Row::new(label, "runs above 400,000", 0).published(published).ours(reached));
    }
    lab.curves("", "TD and TC learning of the second stage", "largest score", series);
    Ok(())
}
