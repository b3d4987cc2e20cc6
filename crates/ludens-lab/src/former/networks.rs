//! Tables 6.4 to 6.7 with figures 6.4 to 6.13: networks that imitate beams, networks that learn by
//! PPO, and how they play without a search.

use ludens_arena::plot::{Histogram, Labels, LinePlot, Sample, Series};
use ludens_arena::statistics::Rate;
use ludens_arena::{RunResult, Suite, Summary};
use ludens_core::Budget;
use serde_json::Value;

use super::calibration;
use super::greedy::{excess, mean_millis, moves};
use super::{DAILY_BOARDS, RANDOM_BOARDS, daily_suite, random_suite};
use crate::lab::{Lab, Trial};
use crate::runs::{Learned, learn};
use crate::{Error, Part, Row, Tolerance};

/// What Urheim (2025) has of a network: mean moves, deviation and milliseconds on the random boards, and
/// daily boards by moves above the best known: 0, 1, .. 4, and 5 or more.
#[derive(Clone, Copy)]
struct Published {
    random: [Option<f64>; 3],
    daily: [f64; 6],
}

const fn published(random: [f64; 3], daily: [f64; 6]) -> Published {
    Published { random: [Some(random[0]), Some(random[1]), Some(random[2])], daily }
}

/// A network of Urheim (2025), by filters and convolutions, with its policy and its value.
struct Size {
    channels: usize,
    depth: usize,
    policy: Published,
    value: Published,
    /// Top-1 in per cent and mean squared error of table 6.3.
    validation: [f64; 2],
}

const fn size(
    shape: [usize; 2],
    policy: Published,
    value: Published,
    validation: [f64; 2],
) -> Size {
    Size { channels: shape[0], depth: shape[1], policy, value, validation }
}

/// Tables 6.3, 6.4 and 6.5. Of the larger values in table 6.4 our copy has no numbers.
const IMITATED: [Size; 4] = [
    size(
        [32, 5],
        published([16.25, 1.83, 6.2], [5.0, 16.0, 31.0, 27.0, 14.0, 7.0]),
        published([15.57, 1.87, 101.0], [14.0, 34.0, 28.0, 13.0, 7.0, 4.0]),
        [52.1, 0.488],
    ),
    size(
        [32, 10],
        published([15.87, 1.73, 9.8], [6.0, 24.0, 36.0, 23.0, 8.0, 3.0]),
        Published { random: [None; 3], daily: [12.0, 32.0, 29.0, 16.0, 4.0, 7.0] },
        [58.2, 0.484],
    ),
    size(
        [64, 5],
        published([15.97, 1.77, 8.6], [5.0, 21.0, 32.0, 25.0, 13.0, 4.0]),
        Published { random: [None; 3], daily: [20.0, 45.0, 17.0, 11.0, 7.0, 0.0] },
        [55.5, 0.441],
    ),
    size(
        [64, 10],
        published([15.73, 1.76, 12.5], [8.0, 30.0, 34.0, 21.0, 6.0, 1.0]),
        Published { random: [None; 3], daily: [20.0, 43.0, 20.0, 14.0, 1.0, 1.0] },
        [62.1, 0.430],
    ),
];

/// Tables 6.6 and 6.7: the actor is the policy, the critic the value.
const REINFORCED: [Size; 2] = [
    size(
        [32, 5],
        published([15.95, 1.80, 6.0], [14.0, 22.0, 23.0, 17.0, 10.0, 14.0]),
        published([15.26, 1.82, 63.0], [19.0, 31.0, 13.0, 15.0, 11.0, 11.0]),
        [0.0; 2],
    ),
    size(
        [64, 10],
        published([15.76, 1.79, 17.0], [11.0, 26.0, 23.0, 15.0, 16.0, 9.0]),
        published([15.11, 1.73, 235.0], [21.0, 27.0, 23.0, 13.0, 7.0, 9.0]),
        [0.0; 2],
    ),
];

/// Urheim's samples and epochs.
const SAMPLES: u64 = 9_080_000;
const EPOCHS: u64 = 15;
/// Samples that a game of the expert gives.
const PER_GAME: u64 = 12;
/// The moves that a PPO run of Urheim (2025) has at most (table 5.5); days ended it earlier.
const STEPS: u64 = 2_000_000_000;

/// The boards that networks play.
struct Boards {
    random: Suite,
    daily: Suite,
}

fn boards(lab: &Lab<'_>) -> Result<Boards, Error> {
    Ok(Boards {
        random: random_suite(lab.pick(RANDOM_BOARDS, 60, 2))?,
        daily: daily_suite(lab.pick(DAILY_BOARDS, 40, 2))?,
    })
}

fn board_parts(boards: &Boards) -> [Part; 2] {
    [
        Part::sample("random boards", boards.random.cases().len(), RANDOM_BOARDS),
        Part::sample("daily boards", boards.daily.cases().len(), DAILY_BOARDS),
    ]
}

pub(super) fn imitated(lab: &mut Lab<'_>) -> Result<(), Error> {
    let boards = boards(lab)?;
    let (games, epochs): (u64, u64) = lab.pick((100_000, EPOCHS), (1500, 3), (40, 1));
    let count = lab.pick(IMITATED.len(), 1, 1);
    let title = "networks with both heads that imitate beams, playing without a search";
    let effort = Part::effort("samples times epochs", games * PER_GAME * epochs, SAMPLES * EPOCHS);
    lab.section(title, &[&[effort][..], &board_parts(&boards)].concat());
    let (mut losses, mut accuracy, mut samples) = (Vec::new(), Vec::new(), Vec::new());
    for size in &IMITATED[..count] {
        let label = format!("({},{})", size.channels, size.depth);
        let settings = [
            ("kind", "both".to_owned()),
            ("channels", lab.pick(size.channels, size.channels, 4).to_string()),
            ("depth", lab.pick(size.depth, size.depth, 2).to_string()),
            ("games", games.to_string()),
            ("epochs", epochs.to_string()),
            ("schedule", "linear".to_owned()),
            ("batch", lab.pick(128, 64, 16).to_string()),
        ];
        let learned = learn(lab, "supervised", "former", &settings)?;
        let epochs: Vec<&Value> =
            learned.metrics.iter().filter(|row| row["stage"] == "learning").collect();
        let last =
            *epochs.last().ok_or_else(|| Error::Failed("no epoch was learned".to_owned()))?;
        let validation = &last["validation"];
        let row = Row::new(format!("policy {label}"), "top 1 %", 1).published(size.validation[0]);
        lab.row(row.ours(validation["top1"].as_f64().map(|share| 100.0 * share)));
        let row = Row::new(format!("value {label}"), "mean squared error", 3);
        lab.row(row.published(size.validation[1]).ours(validation["mse"].as_f64()));
        for (name, of) in [("learning", "/loss"), ("validation", "/validation/loss")] {
            losses.push(series(format!("{label}, {name}"), &epochs, of));
        }
        for (name, of) in [("top 1", "/validation/top1"), ("top 3", "/validation/top3")] {
            accuracy.push(series(format!("{label}, {name}"), &epochs, of));
        }
        calibration::value(lab, &label, validation);
        samples.extend(play(lab, &learned, &label, ["policy", "value"], size, &boards)?);
    }
    curves(lab, "losses", "Networks that imitate", ("epoch", "loss"), losses);
    curves(lab, "accuracy", "The expert's move among the likeliest", ("epoch", "share"), accuracy);
    histogram(lab, "Greedy play by networks that imitate", samples);
    Ok(())
}

pub(super) fn reinforced(lab: &mut Lab<'_>) -> Result<(), Error> {
    let boards = boards(lab)?;
    let steps: u64 = lab.pick(10_000_000, 16_384, 64);
    let count = lab.pick(REINFORCED.len(), 1, 1);
    let title = "actors and critics of PPO, playing without a search";
    lab.section(
        title,
        &[&[Part::effort("moves of training", steps, STEPS)][..], &board_parts(&boards)].concat(),
    );
    let (mut rewards, mut losses, mut samples) = (Vec::new(), Vec::new(), Vec::new());
    for size in &REINFORCED[..count] {
        let label = format!("({},{})", size.channels, size.depth);
        let settings = [
            ("channels", lab.pick(size.channels, size.channels, 4).to_string()),
            ("depth", lab.pick(size.depth, size.depth, 2).to_string()),
            ("steps", steps.to_string()),
            ("horizon", lab.pick(1024, 256, 4).to_string()),
            ("epochs", lab.pick(10, 4, 1).to_string()),
            ("batch", lab.pick(256, 128, 16).to_string()),
        ];
        let learned = learn(lab, "ppo", "former", &settings)?;
        let metrics: Vec<&Value> = learned.metrics.iter().collect();
        let last = metrics.last().and_then(|row| row["reward"].as_f64());
        lab.row(Row::new(format!("actor {label}"), "mean reward of the last update", 2).ours(last));
        rewards.push(series(label.clone(), &metrics, "/reward"));
        for name in ["actor", "critic", "entropy"] {
            losses.push(series(format!("{label}, {name}"), &metrics, &format!("/{name}")));
        }
        samples.extend(play(lab, &learned, &label, ["actor", "critic"], size, &boards)?);
        let actor = greedy(lab, &learned.agent("net:by=policy"), &boards.random)?;
        calibration::critic(lab, &learned, &label, &boards.random, &actor)?;
    }
    curves(lab, "rewards", "PPO on Former", ("update", "mean reward of games"), rewards);
    curves(lab, "losses", "Parts of the objective", ("update", "loss"), losses);
    histogram(lab, "Greedy play by actors and critics", samples);
    Ok(())
}

/// Lets both heads of a network play, and compares with Urheim (2025).
fn play(
    lab: &mut Lab<'_>,
    learned: &Learned,
    label: &str,
    names: [&str; 2],
    size: &Size,
    boards: &Boards,
) -> Result<Vec<Sample>, Error> {
    let mut samples = Vec::new();
    for ((name, by), published) in
        names.into_iter().zip(["policy", "value"]).zip([size.policy, size.value])
    {
        let name = format!("{name} {label}");
        let agent = learned.agent(&format!("net:by={by}"));
        let results = greedy(lab, &agent, &boards.random)?;
        let found = Summary::of(&moves(&results));
        let [mean, sd, millis] = published.random;
        let row = |metric| Row::new(name.clone(), metric, 2);
        let within = Tolerance::AtMost;
        lab.row(row("mean moves").published(mean).mean(found.as_ref()).within(within));
        let deviation = found.as_ref().and_then(|found| found.sd);
        lab.row(row("deviation").published(sd).ours(deviation));
        let time = mean_millis(&results);
        lab.row(row("ms per board").published(millis).ours(time).within(within));
        samples.push(Sample { name: name.clone(), values: moves(&results) });
        let results = greedy(lab, &agent, &boards.daily)?;
        let above = excess(&boards.daily, &results);
        for (n, published) in published.daily.into_iter().enumerate() {
            let here = |excess: &&i64| (**excess).clamp(0, 5) == n as i64;
            let rate = Rate { hits: above.iter().filter(here).count(), total: results.len() };
            let metric = if n < 5 { format!("% {n} above") } else { "% 5 or more".to_owned() };
            let row = Row::new(name.clone(), metric, 0).published(published);
            let within = if n == 0 { Tolerance::AtLeast } else { Tolerance::Open };
            lab.row(row.percent(rate).within(within));
        }
    }
    Ok(samples)
}

fn greedy(lab: &mut Lab<'_>, agent: &str, suite: &Suite) -> Result<Vec<RunResult>, Error> {
    let budget = Budget::default();
    lab.play_boards(&Trial { game: "former", solver: agent, suite, budget, runs: 1 })
}

/// A metric of every row, numbered from 1.
fn series(name: String, rows: &[&Value], of: &str) -> Series {
    let metric = |(i, row): (usize, &&Value)| Some((i as f64 + 1.0, row.pointer(of)?.as_f64()?));
    Series { name, points: rows.iter().enumerate().filter_map(metric).collect() }
}

pub(super) fn curves(
    lab: &mut Lab<'_>,
    suffix: &str,
    title: &str,
    (x, y): (&str, &str),
    series: Vec<Series>,
) {
    let labels = Labels::new(title, x, y);
    let plot = LinePlot { labels, log_x: false, steps: false, series, levels: Vec::new() };
    lab.plot(suffix, plot.to_svg());
}

fn histogram(lab: &mut Lab<'_>, title: &str, samples: Vec<Sample>) {
    let labels = Labels::new(title, "moves", "boards");
    lab.plot("moves", Histogram { labels, bin: 1.0, samples }.to_svg());
}
