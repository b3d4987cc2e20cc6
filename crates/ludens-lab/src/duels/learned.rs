//! The experiments with learners of games for two.
//!
//! References: the Sevn text (2021), section 4.3; the PROBS text (2024), section 4. Both learned
//! for days on graphics processors; ours learn from a fraction of the games, which is printed with
//! every table.

use ludens_arena::statistics::Rate;
use ludens_core::{Outcome, ParseError, Player};
use ludens_registry::{Question, Turn, game};

use crate::lab::Lab;
use crate::runs::{failed, learn, unhurried};
use crate::{Error, Experiment, Part, Row, Tolerance};

pub(crate) fn experiments() -> Vec<Experiment> {
    vec![
        Experiment {
            name: "sevn-4.3",
            aliases: &[],
            title: "Sevn: a network on boards larger than those it learned on",
            reference: "The Sevn text, 4.3",
            needs: &[],
            measure: Box::new(larger_boards),
        },
        Experiment {
            name: "probs-f1",
            aliases: &[],
            title: "PROBS by depth of its beam search, and AlphaZero beside it",
            reference: "The PROBS text, figure 1 (right)",
            needs: &[],
            measure: Box::new(depths),
        },
    ]
}

/// One game; sides change with every number, starts with every other. `Some(true)` if the first of the
/// two won.
fn play(
    spec: &str,
    agents: [&str; 2],
    plies: usize,
    number: u64,
) -> Result<Option<bool>, ParseError> {
    let mut table = game(spec)?.random(number / 2, plies);
    let swapped = number % 2 == 1;
    let [one, two] = if swapped { [agents[1], agents[0]] } else { agents };
    table.reseed(number);
    table.seat(Player::One, one)?;
    table.seat(Player::Two, two)?;
    while let Turn::Move(_) = table.turn() {
        let Some(opinion) = table.think(&Question::default(), &mut |_| {}) else { break };
        table.play(&opinion.action.text)?;
    }
    Ok(match table.outcome() {
        Some(Outcome::Win(winner)) => Some((winner == Player::One) != swapped),
        _ => None,
    })
}

/// The share of games that the first of two agents wins.
fn won(
    lab: &mut Lab<'_>,
    spec: &str,
    agents: [&str; 2],
    plies: usize,
    games: usize,
) -> Result<Rate, Error> {
    let results = lab.map("game", games, |number| play(spec, agents, plies, number as u64))?;
    let mut hits = 0usize;
    for result in results {
        hits += usize::from(result.map_err(failed)? == Some(true));
    }
    Ok(Rate { hits, total: games })
}

/// Iterations and games of each that the text's network learned from.
const ITERATIONS: u64 = 114;
const GAMES: u64 = 1000;

fn larger_boards(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (iterations, games) = lab.pick((60, 250), (3, 40), (1, 3));
    let count = lab.pick(40, 6, 2);
    // Opponents that think for seconds would be all of a short run.
    let share = lab.pick(1, 20, 500);
    let settings = [
        unhurried(),
        ("iterations", iterations.to_string()),
        ("games", games.to_string()),
        ("sims", lab.pick(48, 24, 4).to_string()),
        ("fast", lab.pick(12, 8, 2).to_string()),
        ("batch", lab.pick(128, 32, 8).to_string()),
    ];
    let learned = learn(lab, "alphazero", "sevn:base=5", &settings)?;
    let parts = [
        Part::effort("games of self-play", iterations * games, ITERATIONS * GAMES),
        Part::effort("samples of the opponent", 10_000 / share, 10_000),
        Part::sample("games", count, 40),
    ];
    lab.section("learned on base 5 (the text: 5 and 7), 50 simulations a move", &parts);
    let agent = learned.agent(&format!("az:sims={}", lab.pick(50, 50, 4)));
    for (base, opponent, samples, published) in [
        (9, "random", 0, Some(100.0)),
        (9, "uct", 5000, Some(92.5)),
        (9, "uct", 10_000, Some(87.5)),
        (7, "uct", 10_000, Some(80.0)),
        (5, "uct", 10_000, None),
    ] {
        let (name, text) = match samples {
            0 => (opponent.to_owned(), opponent.to_owned()),
            samples => (
                format!("{opponent}:samples={},rule=text", samples / share),
                format!("{opponent}-{samples}"),
            ),
        };
        let rate = won(lab, &format!("sevn:base={base}"), [&agent, &name], 0, count)?;
        let row = Row::new(format!("base {base}, against {text}"), "games won %", 1);
        lab.row(row.published(published).percent(rate).within(Tolerance::AtLeast));
    }
    Ok(())
}

fn depths(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (iterations, games) = lab.pick((30, 1000), (3, 60), (1, 4));
    let count = lab.pick(200, 20, 2);
    let parts = [
        Part::effort("games of self-play", iterations * games, 100 * 1000),
        Part::sample("games", count, 100),
    ];
    lab.section("Connect Four, 10 expansions; against the 3-step look-ahead agent", &parts);
    let mut minutes = 0.0f64;
    // A share above one half is what the text's figure shows for every depth.
    let row = |label: String, rate: Rate, published: Option<f64>| {
        let row = Row::new(label, "games won % (the text: most)", 1).published(published);
        row.percent(rate).within(Tolerance::AtLeast)
    };
    for depth in [2, 3, 99] {
        let settings = [
            unhurried(),
            ("iterations", iterations.to_string()),
            ("games", games.to_string()),
            ("depth", depth.to_string()),
            ("expand", lab.pick(10, 10, 3).to_string()),
        ];
        let learned = learn(lab, "probs", "connect-four", &settings)?;
        minutes = minutes.max(learned.minutes());
        let agent = learned.agent("probs");
        let rate = won(lab, "connect-four", [&agent, "lookahead:3"], 2, count)?;
        lab.row(row(format!("PROBS, depth {depth}"), rate, Some(50.0)));
    }
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
