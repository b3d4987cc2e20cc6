//! Section 4.3 of Clark (2021): a network on boards larger than those it learned on.
//!
//! Clark's learned for some 620 hours on Colab's processors; ours learns from a fraction of the
//! games, which is printed with the table. Opponents are its UCT (`rule=etazero`, see
//! `docs/algorithms/uct.md`) and, beside it, our UCB1.

use super::shares::won;
use crate::lab::Lab;
use crate::runs::{learn, no_time_limit};
use crate::{Error, Experiment, Part, Row, Tolerance};

pub(super) fn experiments() -> Vec<Experiment> {
    vec![Experiment::new(
        "sevn-4.3",
        "Sevn: a network on boards larger than those it learned on",
        "Clark 2021, section 4.3",
        Box::new(larger_boards),
    )]
}

/// Games of self-play that Clark's network learned from, by table 4.1.
const GAMES: u64 = 59 * 90 + 20 * 240 + 35 * 1000;
/// Base, samples of Clark's UCT (0: random play) and the per cent of 40 games won against it.
const PUBLISHED: [(u64, u64, Option<f64>); 6] = [
    (9, 0, Some(100.0)),
    (9, 5000, Some(92.5)),
    (9, 10_000, Some(87.5)),
    (7, 5000, None),
    (7, 10_000, Some(80.0)),
    (5, 10_000, None),
];

fn larger_boards(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (iterations, games) = lab.pick((60, 250), (3, 40), (1, 3));
    let count = lab.pick(40, 6, 2);
    // Opponents that think for seconds would be all of a short run.
    let share = lab.pick(1, 20, 500);
    let settings = [
        no_time_limit(),
        ("iterations", iterations.to_string()),
        ("games", games.to_string()),
        ("sims", lab.pick(48, 24, 4).to_string()),
        ("fast", lab.pick(12, 8, 2).to_string()),
        ("batch", lab.pick(128, 32, 8).to_string()),
    ];
    let learned = learn(lab, "alphazero", "sevn:base=5", &settings)?;
    let parts = [
        Part::effort("games of self-play", iterations * games, GAMES),
        Part::sample("games", count, 40),
    ];
    lab.section("learned on base 5 (Clark (2021): 5 and 7), 50 simulations a move", &parts);
    let agent = learned.agent(&format!("az:sims={}", lab.pick(50, 50, 4)));
    let mut row = |base: u64, opponent: &str, published: Option<f64>| {
        let rate = won(lab, &format!("sevn:base={base}"), [&agent, opponent], 0, count)?;
        let row = Row::new(format!("base {base}, against {opponent}"), "games won %", 1);
        lab.row(row.published(published).percent(rate).within(Tolerance::AtLeast));
        Ok::<(), Error>(())
    };
    for (base, samples, published) in PUBLISHED {
        let opponent = match samples {
            0 => "random".to_owned(),
            samples => format!("uct:samples={},rule=etazero", samples / share),
        };
        row(base, &opponent, published)?;
    }
    for base in [9, 7, 5] {
        row(base, &format!("uct:samples={}", 10_000 / share), None)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_games_of_table_4_1() {
        assert_eq!(super::GAMES, 45_110);
    }
}
