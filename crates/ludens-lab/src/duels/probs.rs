//! Figures 1 and 2 of Pastukhov (2024), section 4: how its learner grows stronger.
//!
//! Runs have the preset `probs-2024`, over a fraction of the games, which is printed with every table.
//! Networks that were kept on the way are rated as published, by games against the four look-ahead
//! agents only, whose ratings are fixed before. What we add stands apart, in rows that say so.

use ludens_arena::contest::{Rating, Standings};
use ludens_arena::plot::{Labels, Level, LinePlot, Series};

use super::ladders::{STEPS, STEPS_ELSEWHERE, elo_row};
use super::shares::Terms;
use crate::lab::{Contest, Lab, Size};
use crate::runs::{Learned, RunPlan, mean_curve, settings};
use crate::{Error, Experiment, Part, Row, Tolerance};

pub(super) fn experiments() -> Vec<Experiment> {
    vec![
        Experiment::new(
            "probs-f1",
            "PROBS by depth of its beam search: Elo by iteration; AlphaZero beside it",
            "Pastukhov 2024, figure 1 (right)",
            Box::new(depths),
        ),
        Experiment::new(
            "probs-f1-sizes",
            "PROBS by size of its networks: Elo by iteration",
            "Pastukhov 2024, figure 1 (left)",
            Box::new(sizes),
        ),
        Experiment::new(
            "probs-f2",
            "PROBS on Togyzkumalak and Othello: Elo by iteration",
            "Pastukhov 2024, figure 2",
            Box::new(other_games),
        ),
    ]
}

const PRESET: &str = "probs-2024";
const CONNECT_FOUR: &str = "connect-four";
/// Expansions and depths of the published runs.
const EXPANSIONS: [u64; 3] = [10, 30, 100];
const DEPTHS: [u64; 3] = [2, 3, 99];
/// Games of an iteration in Connect Four, and in the other games.
const GAMES: u64 = 1000;
const GAMES_ELSEWHERE: u64 = 200;
/// Random moves of an opening: the program draws the first one.
const OPENING: usize = 1;
/// Networks of a run that are rated, about.
const RATED: u64 = 10;

/// What a run is called, its game and settings besides those of the preset.
struct Kind<'a> {
    name: String,
    preset: Option<&'a str>,
    game: &'a str,
    settings: Vec<(String, String)>,
}

/// What we add: residual networks, colder self-play, means of weights that play.
fn additions() -> Vec<(String, String)> {
    settings(&[
        ("blocks", &2),
        ("temperature", &0.1),
        ("ema_decay", &0.995),
        ("rate", &0.002),
        ("minutes", &1_000_000),
    ])
}

impl Kind<'_> {
    /// Learns from so many games, in iterations of `each`.
    fn learn(&self, lab: &mut Lab<'_>, games: u64, each: u64, run: u32) -> Result<Learned, Error> {
        let iterations = (games / each).max(1);
        let mut all = settings(&[
            ("iterations", &iterations),
            ("games", &games.clamp(1, each)),
            ("keep", &(iterations / RATED).max(1)),
        ]);
        all.extend(self.settings.iter().cloned());
        if lab.settings.size == Size::Tiny {
            all.extend(settings(&[("batch", &8)]));
        }
        lab.learned(&RunPlan {
            name: self.name.clone(),
            recipe: "probs",
            preset: self.preset,
            game: self.game,
            settings: all,
            run,
            ..RunPlan::default()
        })
    }
}

/// Agents of known Elo that networks are rated by.
struct Rungs<'a> {
    terms: Terms<'a>,
    known: Vec<(String, f64)>,
}

impl Rungs<'_> {
    /// The Elo of the networks that a run has kept, by iteration. Moves are those that Q values most.
    fn curve(&self, lab: &mut Lab<'_>, learned: &Learned) -> Result<Vec<(f64, f64)>, Error> {
        let mut curve = Vec::new();
        for iteration in learned.kept_iterations() {
            let agent = learned.kept("probs", iteration);
            let elo = self.terms.rated(lab, &agent, &self.known, |_, _| {})?;
            curve.extend(elo.map(|elo| (iteration as f64, elo)));
        }
        Ok(curve)
    }

    fn plot(&self, lab: &mut Lab<'_>, suffix: &str, series: Vec<Series>) {
        let level = |(agent, elo): &(String, f64)| Level { name: agent.clone(), y: *elo };
        let labels = Labels::new(lab.report.title, "iteration", "Elo");
        let levels = self.known.iter().map(level).collect();
        let plot = LinePlot { labels, log_x: false, steps: false, series, levels };
        lab.plot(suffix, plot.to_svg());
    }
}

/// The last point of a curve, as a row.
fn last(label: String, curve: &[(f64, f64)]) -> Row {
    let label = match curve.last() {
        Some((iteration, _)) => format!("{label}, after {iteration} iterations"),
        None => label,
    };
    Row::new(label, "Elo", 0).ours(curve.last().map(|(_, elo)| *elo))
}

/// Curves of the runs of a network: expansions, depth, Elo by iteration.
type Curves = Vec<(u64, u64, Vec<(f64, f64)>)>;

/// Learns with all expansions and depths, and rates what was kept.
fn curves(lab: &mut Lab<'_>, rungs: &Rungs<'_>, net: &str, games: u64) -> Result<Curves, Error> {
    let mut all = Vec::new();
    for expand in EXPANSIONS {
        for depth in DEPTHS {
            let kind = Kind {
                name: format!("{PRESET}-{net}-{expand}-{depth}"),
                preset: Some(PRESET),
                game: CONNECT_FOUR,
                settings: settings(&[
                    ("net", &net),
                    ("expand", &lab.pick(expand, expand, expand / 10)),
                    ("depth", &depth),
                ]),
            };
            for run in 0..lab.networks() {
                let learned = kind.learn(lab, games, GAMES, run)?;
                all.push((expand, depth, rungs.curve(lab, &learned)?));
            }
        }
    }
    Ok(all)
}

/// The mean of the curves that fit.
fn mean_of(curves: &Curves, fits: impl Fn(u64, u64) -> bool) -> Vec<(f64, f64)> {
    let of = curves.iter().filter(|(expand, depth, _)| fits(*expand, *depth));
    mean_curve(&of.map(|(_, _, curve)| curve.clone()).collect::<Vec<_>>())
}

/// The fraction of the published games of a run, and of a rating.
fn parts(rungs: &Rungs<'_>, games: u64, published: u64) -> [Part; 2] {
    [
        Part::effort("games of self-play of each run", games, published),
        Part::sample("games against each agent", rungs.terms.games as usize, 100),
    ]
}

/// Games that each run in Connect Four learns from.
fn self_play(lab: &Lab<'_>) -> u64 {
    lab.episodes(20_000, 60, 4)
}

fn depths(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (rungs, games) = (rungs(lab, CONNECT_FOUR, STEPS)?, self_play(lab));
    let all = curves(lab, &rungs, "probs-100k", games)?;
    let parts = parts(&rungs, games, 100 * GAMES);
    lab.section("Connect Four, probs-100k; look-ahead agents have their published Elo", &parts);
    for (expand, depth) in EXPANSIONS.iter().flat_map(|e| DEPTHS.iter().map(move |d| (*e, *d))) {
        let curve = mean_of(&all, |e, d| (e, d) == (expand, depth));
        lab.row(last(format!("{expand} expansions, depth {depth}"), &curve));
    }
    lab.section("means over all expansions", &parts);
    let mut series = Vec::new();
    for depth in DEPTHS {
        let points = mean_of(&all, |_, d| d == depth);
        lab.row(last(format!("depth {depth}"), &points));
        series.push(Series { name: format!("depth {depth}"), points });
    }
    let mut settings_of_ours = additions();
    settings_of_ours.extend(settings(&[("expand", &lab.pick(10, 10, 2)), ("depth", &99)]));
    let ours = Kind {
        name: "probs-ours-10-99".to_owned(),
        preset: None,
        game: CONNECT_FOUR,
        settings: settings_of_ours,
    };
    let learned = ours.learn(lab, games, GAMES, 0)?;
    let points = rungs.curve(lab, &learned)?;
    lab.section("ours: our networks and self-play; AlphaZero in the same time", &parts);
    lab.row(last("PROBS with what we add, 10 expansions, depth 99".to_owned(), &points));
    series.push(Series { name: "with what we add".to_owned(), points });
    let plan = RunPlan {
        name: "probs-f1-alphazero".to_owned(),
        recipe: "alphazero",
        game: CONNECT_FOUR,
        settings: settings(&[
            ("minutes", &learned.minutes()),
            ("games", &lab.pick(256, 32, 2)),
            ("sims", &lab.pick(32, 16, 4)),
            ("batch", &lab.pick(128, 32, 8)),
        ]),
        ..RunPlan::default()
    };
    let zero = lab.learned(&plan)?;
    for (agent, label) in [("net", "the network alone"), ("az:sims=50", "50 simulations")] {
        let elo = rungs.terms.rated(lab, &zero.agent(agent), &rungs.known, |_, _| {})?;
        lab.row(Row::new(format!("AlphaZero, {label}"), "Elo", 0).ours(elo));
    }
    rungs.plot(lab, "", series);
    Ok(())
}

fn sizes(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (rungs, games) = (rungs(lab, CONNECT_FOUR, STEPS)?, self_play(lab));
    let mut means = Vec::new();
    for net in ["probs-10k", "probs-100k"] {
        let all = curves(lab, &rungs, net, games)?;
        means.push((net, mean_of(&all, |_, _| true)));
    }
    let parts = parts(&rungs, games, 100 * GAMES);
    lab.section("Connect Four, means over nine settings of expansions and depth", &parts);
    let mut series = Vec::new();
    for (net, points) in means {
        lab.row(last(net.to_owned(), &points));
        series.push(Series { name: net.to_owned(), points });
    }
    rungs.plot(lab, "", series);
    Ok(())
}

fn other_games(lab: &mut Lab<'_>) -> Result<(), Error> {
    // Published expansions and iterations, and the expansions that are ours unless asked for.
    for (game, expand, iterations, ours) in
        [("togyzkumalak", 50, 326, 50), ("othello", 500, 200, 50)]
    {
        let rungs = rungs(lab, game, STEPS_ELSEWHERE)?;
        let expansions = lab.units(ours, 10, 2).min(expand);
        let games = lab.episodes(10 * GAMES_ELSEWHERE, 40, 1);
        let mut others = settings(&[("expand", &expansions)]);
        if lab.settings.size == Size::Tiny {
            others.extend(settings(&[("channels", &8), ("layers", &1)]));
        }
        let name = format!("{PRESET}-{game}-{expansions}");
        let kind = Kind { name, preset: Some(PRESET), game, settings: others };
        let mut curves = Vec::new();
        for run in 0..lab.networks() {
            let learned = kind.learn(lab, games, GAMES_ELSEWHERE, run)?;
            curves.push(rungs.curve(lab, &learned)?);
        }
        let [self_play, sample] = parts(&rungs, games, iterations * GAMES_ELSEWHERE);
        let expanded = Part::effort("expansions", expansions, expand);
        lab.section(format!("{game}, depth 5"), &[self_play, expanded, sample]);
        let points = mean_curve(&curves);
        for (iteration, elo) in &points {
            lab.row(Row::new(format!("after {iteration} iterations"), "Elo", 0).ours(*elo));
        }
        let series = vec![Series { name: "PROBS".to_owned(), points }];
        rungs.plot(lab, &format!("-{game}"), series);
    }
    Ok(())
}

/// The look-ahead agents, rated by games of every two with the random agent set to 1000. Where all
/// have published ratings, networks are rated by these.
fn rungs<'a>(
    lab: &mut Lab<'_>,
    game: &'a str,
    steps: &[(&str, Option<f64>)],
) -> Result<Rungs<'a>, Error> {
    let games = lab.match_games(100, 10, 4);
    let agents: Vec<String> = steps.iter().map(|(agent, _)| (*agent).to_owned()).collect();
    let asked = Contest { game, agents: &agents, games, plies: 0 };
    let standings = Standings::of(agents.len(), &lab.contest(&asked)?, (0, 1000.0));
    let part = Part::sample("games of every two", games as usize, games.max(100) as usize);
    lab.section(format!("{game}: the look-ahead agents, random set to 1000"), &[part]);
    let mut measured = Vec::new();
    for ((agent, published), rating) in steps.iter().zip(&standings.ratings) {
        lab.row(elo_row(*agent, *published, rating).within(Tolerance::Absolute(TOLERANCE)));
        if let Rating::Rated(elo) = rating {
            measured.extend(elo.value.map(|elo| ((*agent).to_owned(), elo)));
        }
    }
    let published: Option<Vec<(String, f64)>> =
        steps.iter().map(|(agent, elo)| Some(((*agent).to_owned(), (*elo)?))).collect();
    let known = published.unwrap_or(measured);
    Ok(Rungs { terms: Terms { game, games, plies: OPENING }, known })
}

/// How far the ratings of look-ahead agents may be from the published ones by a few hundred games.
const TOLERANCE: f64 = 50.0;
