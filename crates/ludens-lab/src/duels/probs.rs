//! Figures 1 and 2 of Pastukhov (2024), section 4: how its learner grows stronger.
//!
//! Pastukhov's curves are means over several runs and only pictures; ours are one run of each kind over
//! a fraction of the games, which is printed with every table. Networks, loss and searches are those of
//! the authors' program; what we add stands apart, in rows that say so.

use ludens_arena::contest::{Rating, Standings};
use ludens_arena::plot::{Labels, Level, LinePlot, Series};
use ludens_arena::statistics::Rate;

use super::ladders::{self, STEPS, STEPS_ELSEWHERE};
use super::shares::won;
use crate::lab::{Contest, Lab, Size};
use crate::runs::{Learned, learn, no_time_limit};
use crate::{Error, Experiment, Part, Row, Tolerance};

pub(super) fn experiments() -> Vec<Experiment> {
    vec![
        Experiment::new(
            "probs-f1",
            "PROBS by depth of its beam search, and AlphaZero beside it",
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

/// How long a learner learns.
#[derive(Clone, Copy)]
struct Length {
    iterations: u64,
    games: u64,
    /// Iterations from one network that is rated to the next; 0 if none is.
    keep: u64,
}

/// Settings besides the recipe's.
type Others = Vec<(&'static str, String)>;

/// The networks of the authors' program, its loss of Q, and its searches that keep their trees.
fn authors(net: &str) -> Others {
    [("net", net), ("q_loss", "states"), ("reuse", "1")]
        .map(|(key, value)| (key, value.to_owned()))
        .to_vec()
}

/// What we add: residual networks, colder self-play, means of weights that play.
fn additions() -> Others {
    [("blocks", "2"), ("temperature", "0.1"), ("ema_decay", "0.995"), ("rate", "0.002")]
        .map(|(key, value)| (key, value.to_owned()))
        .to_vec()
}

impl Length {
    /// Learns a game with the published settings but for the length and a few others.
    fn learn(
        self,
        lab: &mut Lab<'_>,
        game: &str,
        others: Others,
        numbers: &[(&'static str, u64)],
    ) -> Result<Learned, Error> {
        let length = [("iterations", self.iterations), ("games", self.games), ("keep", self.keep)];
        let numbers = length.iter().chain(numbers).map(|(key, value)| (*key, value.to_string()));
        let settings: Vec<_> = numbers.chain(others).chain([no_time_limit()]).collect();
        learn(lab, "probs", game, &settings)
    }

    /// The iterations whose networks are rated.
    fn rated(self) -> impl Iterator<Item = u64> {
        (1..=self.iterations).filter(move |iteration| iteration.is_multiple_of(self.keep))
    }
}

fn depths(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (iterations, games) = lab.pick((30, 1000), (3, 60), (1, 4));
    let length = Length { iterations, games, keep: 0 };
    let count = lab.pick(200, 20, 2);
    let parts = [
        Part::effort("games of self-play", iterations * games, 100 * 1000),
        Part::sample("games", count, 100),
    ];
    lab.section("Connect Four, the authors' networks; against the 3-step look-ahead agent", &parts);
    let mut minutes = 0.0f64;
    // A share above one half is what Pastukhov's figure shows for every pair.
    let row = |label: String, rate: Rate, published: Option<f64>| {
        let row = Row::new(label, "games won % (Pastukhov (2024): most)", 1).published(published);
        row.percent(rate).within(Tolerance::AtLeast)
    };
    for expand in [10, 30] {
        for depth in [2, 3, 99] {
            let numbers = [("depth", depth), ("expand", lab.pick(expand, expand, expand / 10))];
            let learned = length.learn(lab, "connect-four", authors("probs-100k"), &numbers)?;
            minutes = minutes.max(learned.minutes());
            let agent = learned.agent("probs");
            let rate = won(lab, "connect-four", [&agent, "lookahead:3"], 2, count)?;
            lab.row(row(format!("PROBS, {expand} expansions, depth {depth}"), rate, Some(50.0)));
        }
    }
    lab.section("the same with what we add", &parts);
    let numbers = [("depth", 99), ("expand", lab.pick(10, 10, 3))];
    let learned = length.learn(lab, "connect-four", additions(), &numbers)?;
    let agent = learned.agent("probs");
    let rate = won(lab, "connect-four", [&agent, "lookahead:3"], 2, count)?;
    lab.row(row("our networks and self-play, 10 expansions, depth 99".to_owned(), rate, None));
    let settings = [
        ("minutes", format!("{minutes:.4}")),
        ("games", lab.pick(256, 32, 2).to_string()),
        ("sims", lab.pick(32, 16, 4).to_string()),
        ("batch", lab.pick(128, 32, 8).to_string()),
    ];
    let learned = learn(lab, "alphazero", "connect-four", &settings)?;
    for (agent, label) in [("net", "the network alone"), ("az:sims=50", "50 simulations")] {
        let agent = learned.agent(agent);
        let rate = won(lab, "connect-four", [&agent, "lookahead:3"], 2, count)?;
        lab.row(row(format!("AlphaZero in the same time, {label}"), rate, None));
    }
    Ok(())
}

/// Lets the networks that were kept and the look-ahead agents play, every two of them, and rates
/// them all; the random agent is set to 1000. Moves are those that Q values most.
fn rate(
    lab: &mut Lab<'_>,
    game: &str,
    steps: &[(&str, Option<f64>)],
    learners: &[(&str, &Learned, Length)],
    games: u32,
) -> Result<(), Error> {
    let mut agents: Vec<String> = steps.iter().map(|(agent, _)| (*agent).to_owned()).collect();
    for (_, learned, length) in learners {
        agents.extend(length.rated().map(|iteration| learned.kept("probs", iteration)));
    }
    let asked = Contest { game, agents: &agents, games, plies: OPENING };
    let standings = Standings::of(agents.len(), &lab.contest(&asked)?, (0, 1000.0));
    let mut ratings = standings.ratings.iter();
    let mut levels = Vec::new();
    for ((agent, published), rating) in steps.iter().zip(&mut ratings) {
        lab.row(
            ladders::elo_row(*agent, *published, rating).within(Tolerance::Absolute(TOLERANCE)),
        );
        levels.extend(elo(rating).map(|y| Level { name: (*agent).to_owned(), y }));
    }
    let mut series = Vec::new();
    for (name, _, length) in learners {
        let mut points = Vec::new();
        for (iteration, rating) in length.rated().zip(&mut ratings) {
            lab.row(ladders::elo_row(format!("{name}, after {iteration}"), None, rating));
            points.extend(elo(rating).map(|elo| (iteration as f64, elo)));
        }
        series.push(Series { name: (*name).to_owned(), points });
    }
    if series.iter().any(|series| !series.points.is_empty()) {
        let labels = Labels::new(lab.report.title, "iteration", "Elo");
        let plot = LinePlot { labels, log_x: false, steps: false, series, levels };
        lab.plot(&format!("-{game}"), plot.to_svg());
    }
    Ok(())
}

/// Random moves of an opening: networks without noise would play one game again and again.
const OPENING: usize = 2;
/// How far the ratings of look-ahead agents may be from the published ones, which are of games
/// from the empty board.
const TOLERANCE: f64 = 50.0;

fn elo(rating: &Rating) -> Option<f64> {
    match rating {
        Rating::Rated(elo) => elo.value,
        _ => None,
    }
}

/// Pastukhov's runs differ in expansions (10, 30, 100) and depth (2, 3, 100).
const RUNS: u64 = 9;

fn sizes(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (iterations, games, keep) = lab.pick((30, 1000, 5), (4, 100, 2), (1, 4, 1));
    let length = Length { iterations, games, keep };
    let count = lab.runs(100, 20, 10).next_multiple_of(2);
    let numbers = [("expand", lab.pick(10, 10, 3)), ("depth", 2)];
    let mut learn = |others| length.learn(lab, "connect-four", others, &numbers);
    let small = learn(authors("probs-10k"))?;
    let large = learn(authors("probs-100k"))?;
    let ours = learn(additions())?;
    let parts = [
        Part::effort("games of self-play of each size", iterations * games, RUNS * 100 * 1000),
        Part::sample("games of every two", count as usize, 100),
    ];
    lab.section("Connect Four, 10 expansions, depth 2; random set", &parts);
    let learners = [
        ("probs-10k", &small, length),
        ("probs-100k", &large, length),
        ("with what we add", &ours, length),
    ];
    rate(lab, "connect-four", STEPS, &learners, count)
}

fn other_games(lab: &mut Lab<'_>) -> Result<(), Error> {
    // Pastukhov's expansions and iterations of each game, and ours.
    for (game, net, published, expand, full) in [
        ("togyzkumalak", "own", (50, 326), 50, (8, 2)),
        ("othello", "probs-reversi", (500, 200), 50, (10, 2)),
    ] {
        let (expand, (iterations, keep), games) =
            lab.pick((expand, full, 200), (10, (4, 2), 10), (2, (1, 1), 1));
        let length = Length { iterations, games, keep };
        let mut numbers = vec![("expand", expand)];
        if lab.settings.size == Size::Tiny {
            numbers.extend([("channels", 8), ("layers", 1), ("batch", 8)]);
        }
        let learned = length.learn(lab, game, authors(net), &numbers)?;
        let count = lab.runs(100, 10, 4).next_multiple_of(2);
        let (published_expand, published_iterations) = published;
        let parts = [
            Part::effort("games of self-play", iterations * games, published_iterations * 200),
            Part::effort("expansions", expand, published_expand),
            Part::sample("games of every two", count as usize, 100),
        ];
        lab.section(format!("{game}, depth 5, net={net}; random set"), &parts);
        rate(lab, game, STEPS_ELSEWHERE, &[("PROBS", &learned, length)], count)?;
    }
    Ok(())
}
