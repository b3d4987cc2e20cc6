//! Section 4.3 of the Sevn text: a network on boards larger than those it learned on.
//!
//! The text's learned for days on a graphics processor; ours learns from a fraction of the games,
//! which is printed with the table.

use super::shares::won;
use crate::lab::Lab;
use crate::runs::{learn, unhurried};
use crate::{Error, Experiment, Part, Row, Tolerance};

pub(super) fn experiments() -> Vec<Experiment> {
    vec![Experiment::new(
        "sevn-4.3",
        "Sevn: a network on boards larger than those it learned on",
        "The Sevn text, 4.3",
        Box::new(larger_boards),
    )]
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
