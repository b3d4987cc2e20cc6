//! Section 4.3 of Clark (2021): a network on boards larger than those it learned on.
//!
//! Clark's learned for some 620 hours on Colab's processors; ours learns from a fraction of the
//! games, which is printed with the table. Its UCT is another program than ours (see
//! `docs/algorithms/uct.md`), so that only games against random play stand beside published ones.

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
/// Base, opponent and games won of 40: Clark's own UCT was the opponent.
const BESIDE_ITS_UCT: [(u64, &str, f64); 3] =
    [(9, "uct-5000", 92.5), (9, "uct-10000", 87.5), (7, "uct-10000", 80.0)];

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
    for (base, samples) in [(9, 0), (9, 5000), (9, 10_000), (7, 10_000), (5, 10_000)] {
        let (opponent, published) = match samples {
            0 => ("random".to_owned(), Some(100.0)),
            samples => (format!("uct:samples={}", samples / share), None),
        };
        let rate = won(lab, &format!("sevn:base={base}"), [&agent, &opponent], 0, count)?;
        let row = Row::new(format!("base {base}, against {opponent}"), "games won %", 1);
        lab.row(row.published(published).percent(rate).within(Tolerance::AtLeast));
    }
    for (base, opponent, published) in BESIDE_ITS_UCT {
        let label = format!("base {base}, Clark's against its own {opponent}");
        lab.row(Row::new(label, "games won %", 1).published(published));
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
