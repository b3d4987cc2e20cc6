//! Tables 6.4 to 6.7 with figures 6.4 to 6.13: networks that imitate beams, networks that learn by
//! PPO, and how they play without a search.

use ludens_arena::plot::{Labels, LinePlot, Sample, Series, ViolinPlot};
use ludens_arena::statistics::Rate;
use ludens_arena::{RunResult, Suite, Summary};
use ludens_core::Budget;
use serde_json::Value;

use super::calibration;
use super::greedy::{excess, mean_millis, moves};
use super::shapes::{ActorCritic, IMITATED, Published, REINFORCED};
use super::trained::{EPOCHS, Kind, SAMPLES, STEPS, Trained, network};
use super::{DAILY_BOARDS, RANDOM_BOARDS, daily_suite, random_suite};
use crate::lab::{Lab, Trial};
use crate::{Error, Part, Row, Tolerance};

/// The boards that networks play.
struct Boards {
    random: Suite,
    daily: Suite,
}

fn boards(lab: &Lab<'_>) -> Result<Boards, Error> {
    Ok(Boards {
        random: random_suite(lab.board_count(RANDOM_BOARDS, 60, 2))?,
        daily: daily_suite(lab.board_count(DAILY_BOARDS, 40, 2).min(DAILY_BOARDS))?,
    })
}

fn board_parts(boards: &Boards) -> [Part; 2] {
    [
        Part::sample("random boards", boards.random.cases().len(), RANDOM_BOARDS),
        Part::sample("daily boards", boards.daily.cases().len(), DAILY_BOARDS),
    ]
}

/// The numbers of networks that learn in the same way.
fn seeds(lab: &Lab<'_>) -> std::ops::Range<u32> {
    0..lab.settings.seeds.unwrap_or(1)
}

/// The name of a network in rows: `policy (32,5)`, with its number where there are several.
fn label(lab: &Lab<'_>, name: &str, [channels, depth]: [usize; 2], run: u32) -> String {
    match lab.settings.seeds {
        None | Some(1) => format!("{name} ({channels},{depth})"),
        Some(_) => format!("{name} ({channels},{depth}), seed {}", run + 1),
    }
}

pub(super) fn imitated(lab: &mut Lab<'_>) -> Result<(), Error> {
    let boards = boards(lab)?;
    let count = lab.pick(IMITATED.len(), 2, 2);
    let (mut losses, mut accuracy, mut samples) =
        ([Vec::new(), Vec::new()], Vec::new(), Vec::new());
    for run in seeds(lab) {
        let mut teacher = None;
        for published in &IMITATED[..count] {
            let name = published.net.kind.name();
            let label = label(lab, name, published.net.shape, run);
            let trained = network(lab, published.net, run, &mut teacher)?;
            let positions = trained.positions();
            let effort = Part::effort("positions times epochs", positions, SAMPLES * EPOCHS);
            let title = format!("{label}: imitates the expert, plays without a search");
            lab.section(title, &[&[effort][..], &board_parts(&boards)].concat());
            let is_policy = published.net.kind == Kind::Policy;
            let (metric, decimals, pointer, scale) = match is_policy {
                true => ("top 1 %", 1, "/validation/top1", 100.0),
                false => ("mean squared error", 3, "/validation/mse", 1.0),
            };
            let tuned = published.tuned.map(|(best, _)| best);
            let row = Row::new(&label, metric, decimals).published(tuned);
            lab.row(row.ours(best(&trained, pointer, is_policy).map(|best| scale * best)));
            let rows: Vec<&Value> = trained.metrics.iter().collect();
            for (name, of) in [("training", "/loss"), ("validation", "/validation/loss")] {
                losses[usize::from(!is_policy)].push(series(format!("{label}, {name}"), &rows, of));
            }
            if is_policy {
                for (name, of) in [("top 1", "/validation/top1"), ("top 3", "/validation/top3")] {
                    accuracy.push(series(format!("{label}, {name}"), &rows, of));
                }
                calibration::policy(lab, trained.path(), &label)?;
            } else {
                calibration::value(lab, trained.path(), &label)?;
            }
            let agent = trained.agent(name);
            samples.push(play(lab, &agent, &label, published, &boards)?.0);
        }
    }
    own(lab, &boards)?;
    let [policies, values] = losses;
    curves(lab, "-losses-policy", "Policies that imitate", ("epoch", "loss"), policies);
    curves(lab, "-losses-value", "Values that imitate", ("epoch", "loss"), values);
    curves(lab, "-accuracy", "The expert's move among the likeliest", ("epoch", "share"), accuracy);
    violins(lab, "Greedy play by networks that imitate", samples);
    Ok(())
}

/// The network that comes with the program, which learned in other ways.
fn own(lab: &mut Lab<'_>, boards: &Boards) -> Result<(), Error> {
    let parts = [board_parts(boards)[0]];
    lab.section("our network, which comes with the program", &parts);
    for by in ["policy", "value"] {
        let results = greedy(lab, &format!("net:by={by}"), &boards.random)?;
        let found = Summary::of(&moves(&results));
        lab.row(Row::new(format!("our {by}"), "mean moves", 2).mean(found.as_ref()));
    }
    Ok(())
}

pub(super) fn reinforced(lab: &mut Lab<'_>) -> Result<(), Error> {
    let boards = boards(lab)?;
    let count = lab.pick(REINFORCED.len(), 1, 1);
    let (mut rewards, mut losses, mut samples) = (Vec::new(), Vec::new(), Vec::new());
    for run in seeds(lab) {
        for ActorCritic { actor, critic } in &REINFORCED[..count] {
            let trained = network(lab, actor.net, run, &mut None)?;
            let name = label(lab, "PPO", actor.net.shape, run);
            let steps = trained.last("/steps").unwrap_or_default() as u64;
            let effort = Part::effort("moves of training", steps, STEPS);
            let title = format!("{name}: actor and critic, playing without a search");
            lab.section(title, &[&[effort][..], &board_parts(&boards)].concat());
            let metrics: Vec<&Value> = trained.metrics.iter().collect();
            // Published: just above -16 after four days.
            let row = Row::new(&name, "mean reward of the last update", 2).published(-16.0);
            let ended = trained.last("/games").is_some_and(|games| games > 0.0);
            let reward = trained.last("/reward").filter(|_| ended);
            lab.row(row.ours(reward).within(Tolerance::AtLeast));
            rewards.push(series(name.clone(), &metrics, "/reward"));
            for part in ["actor", "critic", "entropy"] {
                losses.push(series(format!("{name}, {part}"), &metrics, &format!("/{part}")));
            }
            let by = |of: &str| label(lab, of, actor.net.shape, run);
            let (acting, judging) = (by("actor"), by("critic"));
            let (sample, played) = play(lab, &trained.agent("policy"), &acting, actor, &boards)?;
            samples.push(sample);
            samples.push(play(lab, &trained.agent("value"), &judging, critic, &boards)?.0);
            calibration::critic(lab, trained.path(), &judging, &boards.random, &played)?;
        }
    }
    curves(lab, "-rewards", "PPO on Former", ("update", "mean reward of games"), rewards);
    curves(lab, "-losses", "Parts of the objective", ("update", "loss"), losses);
    violins(lab, "Greedy play by actors and critics", samples);
    Ok(())
}

/// The best number of all epochs, as the network that is kept has it.
fn best(trained: &Trained, pointer: &str, largest: bool) -> Option<f64> {
    let numbers = trained.metrics.iter().filter_map(|row| row.pointer(pointer)?.as_f64());
    numbers.reduce(if largest { f64::max } else { f64::min })
}

/// Lets a network play, and compares with Urheim (2025): the moves of all games, and the games on the
/// random boards.
fn play(
    lab: &mut Lab<'_>,
    agent: &str,
    name: &str,
    published: &Published,
    boards: &Boards,
) -> Result<(Sample, Vec<RunResult>), Error> {
    let random = greedy(lab, agent, &boards.random)?;
    let found = Summary::of(&moves(&random));
    let [mean, sd, millis] = published.random;
    let row = |metric: &str, decimals| Row::new(name, metric, decimals);
    let within = Tolerance::AtMost;
    lab.row(row("mean moves", 2).published(mean).mean(found.as_ref()).within(within));
    let deviation = found.as_ref().and_then(|found| found.sd);
    lab.row(row("deviation", 2).published(sd).ours(deviation));
    let time = mean_millis(&random);
    lab.row(row("ms per board", 2).published(millis).ours(time).within(within));
    let results = greedy(lab, agent, &boards.daily)?;
    let above = excess(&boards.daily, &results);
    for (n, published) in published.daily.into_iter().enumerate() {
        let here = |excess: &&i64| (**excess).clamp(0, 5) == n as i64;
        let rate = Rate { hits: above.iter().filter(here).count(), total: results.len() };
        let metric = if n < 5 { format!("% {n} above") } else { "% 5 or more".to_owned() };
        let within = if n == 0 { Tolerance::AtLeast } else { Tolerance::Open };
        lab.row(row(&metric, 0).published(published).percent(rate).within(within));
    }
    Ok((Sample { name: name.to_owned(), values: moves(&random) }, random))
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

fn curves(lab: &mut Lab<'_>, suffix: &str, title: &str, (x, y): (&str, &str), series: Vec<Series>) {
    let labels = Labels::new(title, x, y);
    let plot = LinePlot { labels, log_x: false, steps: false, series, levels: Vec::new() };
    lab.plot(suffix, plot.to_svg());
}

fn violins(lab: &mut Lab<'_>, title: &str, samples: Vec<Sample>) {
    let labels = Labels::new(title, "", "moves");
    lab.plot("-moves", ViolinPlot { labels, samples, lines: Vec::new() }.to_svg());
}
