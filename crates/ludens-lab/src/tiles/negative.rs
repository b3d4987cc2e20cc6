//! Values below 0: table 40, the lowest values of table 41, figures 41 and 42.

use std::ops::ControlFlow;

use ludens_arena::plot::Series;
use ludens_arena::statistics::Rate;
use ludens_core::{Game, Notation, Rng};
use ludens_games::Game2048;
use ludens_ntuple::{Feature, Network, Probe};
use ludens_search::Expectimax;

use super::trained::Recipe;
use crate::lab::Lab;
use crate::{Error, Experiment, Part, Row, Tolerance};

type After = <Game2048 as Game>::After;

/// The extreme entries of table 40 in points, the largest and the smallest first.
const HIGHEST: [f64; 5] = [703_657.0, 445_896.0, 443_362.0, 415_132.0, 379_937.0];
const LOWEST: [f64; 5] = [-583_979.0, -582_586.0, -581_457.0, -575_633.0, -575_483.0];

/// Table 41: method, settings, and the lowest value, means of the lowest 1/1000 and 1/100, in
/// thousands.
const METHODS: [(&str, &str, &str, [f64; 3]); 6] = [
    ("Original TD", "td", "none", [-74.3, 7.3, 33.6]),
    ("Rectified TD", "td", "target", [-55.3, 12.1, 36.5]),
    ("ReLU TD", "td", "relu", [-103.5, 3.1, 31.6]),
    ("Original TC", "tc", "none", [-119.7, 1.4, 28.9]),
    ("Rectified TC", "tc", "target", [-82.7, 10.3, 38.3]),
    ("ReLU TC", "tc", "relu", [-210.0, -8.8, 22.9]),
];

/// Afterstates of a search are looked at in one of this many positions.
const EVERY: usize = 40;

pub(super) fn experiments() -> Vec<Experiment> {
    vec![
        Experiment::new(
            "2048-40",
            "Extreme entries of a learned 8x6 network",
            "Guei 2023, table 40",
            Box::new(extremes),
        ),
        Experiment::new(
            "2048-41-values",
            "The lowest values of original, rectified and ReLU learning",
            "Guei 2023, table 41, lowest values",
            Box::new(lowest),
        ),
        Experiment::new(
            "2048-f41",
            "Negative afterstates in search trees, and moves they spoil",
            "Guei 2023, figures 41 and 42",
            Box::new(negative),
        ),
    ]
}

fn extremes(lab: &mut Lab<'_>) -> Result<(), Error> {
    let episodes = lab.episodes(100_000, 1500, 20);
    let initial = lab.pick("320000", "0", "0");
    let recipe = Recipe::new("8x6", &[("method", "otd+tc"), ("initial", initial)], episodes);
    lab.section(
        format!("entries by rank; V_init {initial}, Guei's 320,000"),
        &[Part::effort("training episodes", episodes, 100_000_000)],
    );
    let network = lab.learn("8x6", &recipe)?.network()?;
    let (low, high) = network.extremes(HIGHEST.len());
    for (rank, found, published) in [("highest", high, HIGHEST), ("lowest", low, LOWEST)] {
        for (i, published) in published.into_iter().enumerate() {
            let entry = found.get(i);
            let what =
                entry.map_or_else(String::new, |entry| format!(": {}", describe(&network, entry)));
            let row = Row::new(format!("{rank} {}{what}", i + 1), "entry", 0);
            lab.row(row.published(published).ours(entry.map(|entry| f64::from(entry.weight))));
        }
    }
    Ok(())
}

/// The cells of an entry's tuple with their tiles, such as `0=16 1=2`.
fn describe(network: &Network, entry: &Feature) -> String {
    use ludens_core::Cells;
    let cells = &network.form().layout.tuples()[entry.table].cells;
    let pairs = cells.iter().zip(&entry.numbers);
    let pairs = pairs.map(|(cell, &number)| format!("{cell:x}={}", Game2048::tile(number)));
    pairs.collect::<Vec<_>>().join(" ")
}

/// Plays greedily by a network; `each` is called with every position with the afterstate chosen
/// in it and its value.
fn play(network: &Network, seed: u64, games: u64, mut each: impl FnMut(&Game2048, f32)) {
    let mut probe = Probe::default();
    for game in 0..games {
        let mut rng = Rng::stream(seed, game);
        let mut position = Game2048::start(&Default::default(), &mut rng);
        loop {
            let mut best: Option<(f32, f32, After)> = None;
            position.children(|_, after, reward| {
                network.probe::<Game2048>(&after, &mut probe);
                let value = network.value(&probe);
                let total = reward as f32 + value;
                if best.is_none_or(|(most, ..)| total > most) {
                    best = Some((total, value, after));
                }
            });
            let Some((_, value, after)) = best else { break };
            each(&position, value);
            position = Game2048::apply_outcome(&after, Game2048::sample(&after, &mut rng)).0;
        }
    }
}

fn lowest(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (episodes, games) = (lab.episodes(100_000, 1000, 20), lab.game_count(1000, 100, 2));
    lab.section(
        "values of the afterstates of greedy games, in thousands",
        &[
            Part::effort("training episodes", episodes, 10_000_000),
            Part::sample("games", games as usize, 1_000_000),
        ],
    );
    for (label, method, rectify, published) in METHODS {
        let settings = [("method", method), ("rectify", rectify)];
        let network = lab.learn(label, &Recipe::new("4x6", &settings, episodes))?.network()?;
        let mut values = Vec::new();
        play(&network, lab.settings.seed, games, |_, value| values.push(value / 1000.0));
        lab.check_stop()?;
        values.sort_unstable_by(f32::total_cmp);
        let mean = |share: usize| {
            let count = (values.len() / share).max(1);
            values[..count].iter().map(|&value| f64::from(value)).sum::<f64>() / count as f64
        };
        let shares = [("lowest", values.len()), ("lowest 1/1000", 1000), ("lowest 1/100", 100)];
        for ((metric, share), published) in shares.into_iter().zip(published) {
            lab.row(Row::new(label, metric, 1).published(published).ours(mean(share)));
        }
    }
    Ok(())
}

/// Counts afterstates at a depth by the sign of their value.
fn count(network: &Network, position: &Game2048, moves: u32, probe: &mut Probe, out: &mut Rate) {
    position.children(|_, after, _| {
        if moves == 1 {
            network.probe::<Game2048>(&after, probe);
            out.total += 1;
            out.hits += usize::from(network.value(probe) < 0.0);
            return;
        }
        let _ = Game2048::outcomes(&after, |chance, _| {
            count(network, &Game2048::apply_outcome(&after, chance).0, moves - 1, probe, out);
            ControlFlow::Continue(())
        });
    });
}

/// A move after which the game is over whatever comes.
fn ends(position: &Game2048, action: <Game2048 as Game>::Action) -> bool {
    let (after, _) = position.apply(action);
    let lives = |chance| !Game2048::apply_outcome(&after, chance).0.is_over();
    Game2048::outcomes(&after, |chance, _| match lives(chance) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    })
    .is_continue()
}

/// The sum of a board's tiles in units of 2048.
fn progress(position: &Game2048) -> usize {
    use ludens_core::Cells;
    let mut cells = [0; 16];
    Game2048::write_cells(&position.shown(), &mut cells);
    let sum: u64 = cells.iter().map(|&number| Game2048::tile(number)).sum();
    (sum / 2048) as usize
}

fn negative(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (episodes, games) = (lab.episodes(100_000, 1500, 20), lab.game_count(20, 6, 1));
    let deepest = lab.pick(3, 3, 2);
    lab.section(
        "4x6, greedy games",
        &[
            Part::effort("training episodes", episodes, 100_000_000),
            Part::sample("games", games as usize, 1000),
        ],
    );
    let recipe = Recipe::new("4x6", &[("method", "td")], episodes);
    let network = lab.learn("4x6", &recipe)?.network()?;
    let network = std::sync::Arc::new(network);
    let mut searches = [false, true].map(|rectified| {
        let evaluator = ludens_ntuple::NTupleEvaluator::new(network.clone());
        let mut search = Expectimax::<Game2048, _>::new(evaluator, 2, 0);
        search.rectified = rectified;
        search
    });
    let mut by_depth = vec![Vec::<Rate>::new(); deepest as usize];
    let (mut turns, mut spoiled, mut saved, mut example) = (0usize, 0usize, 0usize, None);
    let mut probe = Probe::default();
    play(&network, lab.settings.seed, games, |position, _| {
        turns += 1;
        if turns % EVERY == 0 {
            let at = progress(position);
            for (i, rates) in by_depth.iter_mut().enumerate() {
                if rates.len() <= at {
                    rates.resize(at + 1, Rate { hits: 0, total: 0 });
                }
                count(&network, position, i as u32 + 1, &mut probe, &mut rates[at]);
            }
        }
        let plain = searches[0].advise(position).best().map(|best| best.action);
        let Some(plain) = plain.filter(|&action| ends(position, action)) else { return };
        if !position.actions().all(|action| ends(position, action)) {
            spoiled += 1;
            example.get_or_insert_with(|| (position.text(), position.action_text(plain)));
            let better = searches[1].advise(position).best().map(|best| best.action);
            saved += usize::from(better.is_some_and(|action| !ends(position, action)));
        }
    });
    lab.check_stop()?;
    let mut series = Vec::new();
    for (i, rates) in by_depth.iter().enumerate() {
        let label = format!("{} ply", i + 1);
        let all = rates.iter().fold(Rate { hits: 0, total: 0 }, |sum, rate| Rate {
            hits: sum.hits + rate.hits,
            total: sum.total + rate.total,
        });
        lab.row(Row::new(&label, "negative %", 2).percent(all).within(Tolerance::Open));
        let shares = rates.iter().map(|rate| rate.share().unwrap_or(0.0) * 100.0);
        let points: Vec<(f64, f64)> = shares.enumerate().map(|(x, y)| (x as f64, y)).collect();
        let worst = points.iter().map(|&(_, y)| y).fold(0.0, f64::max);
        // Guei (2023): more than 50 per cent in extreme cases.
        lab.row(Row::new(&label, "most by phase %", 2).published(50.0).ours(worst));
        series.push(Series { name: label, points });
    }
    let title = "Negative afterstates by depth";
    lab.curves_over("", title, "sum of the tiles / 2048", "per cent", series);
    let label = match &example {
        Some((board, action)) => format!("2 ply, first at {board}: {action}"),
        None => "2 ply".to_owned(),
    };
    let thousand = |count: usize| 1000.0 * count as f64 / turns.max(1) as f64;
    lab.row(Row::new(&label, "dying moves chosen, per 1000", 3).ours(thousand(spoiled)));
    lab.row(Row::new("2 ply", "of them avoided, rectified", 3).ours(thousand(saved)));
    Ok(())
}
