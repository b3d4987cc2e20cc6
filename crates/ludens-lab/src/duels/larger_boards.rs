//! Section 4.3 of Clark (2021): a network on boards larger than those it learned on.
//!
//! The network is that of a run of its recipe (`sevn-2021`), searched as its program does; the fraction
//! of the games that it learned from is printed with the table. Opponents are its UCT (`rule=etazero`,
//! see `docs/algorithms/uct.md`) and, beside it, our UCB1. Our own network and search stand apart.

use super::sevn_2021;
use super::shares::Terms;
use crate::lab::Lab;
use crate::{Error, Experiment, Part, Row, Tolerance};

pub(super) fn experiments() -> Vec<Experiment> {
    vec![Experiment::new(
        "sevn-4.3",
        "Sevn: a network on boards larger than those it learned on",
        "Clark 2021, section 4.3",
        Box::new(larger_boards),
    )]
}

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
    let games = lab.match_games(40, 6, 2);
    // Opponents that think for seconds would be all of a short run.
    let share = lab.pick(1, 20, 500);
    let sims = lab.pick(50, 50, 4);
    for run in 0..lab.networks() {
        let learned = sevn_2021::learn(lab, run)?;
        let parts = [
            Part::effort("games of self-play", learned.games(), sevn_2021::GAMES),
            Part::sample("games", games as usize, 40),
        ];
        lab.section(format!("sevn-2021, learned on bases 5 and 7, run {}", run + 1), &parts);
        let agent = learned.agent(&format!("az:sims={sims},plain=on"));
        for (base, samples, published) in PUBLISHED {
            let opponent = match samples {
                0 => "random".to_owned(),
                samples => format!("uct:samples={},rule=etazero", samples / share),
            };
            row(lab, &agent, base, &opponent, published, games)?;
        }
        for base in [9, 7, 5] {
            row(lab, &agent, base, &format!("uct:samples={}", 10_000 / share), None, games)?;
        }
    }
    lab.section(
        "ours: the bundled network and our search",
        &[Part::sample("games", games as usize, 40)],
    );
    for base in [9, 7, 5] {
        let opponent = format!("uct:samples={},rule=etazero", 10_000 / share);
        row(lab, &format!("az:sims={sims}"), base, &opponent, None, games)?;
    }
    Ok(())
}

/// The share that an agent wins on boards of a base.
fn row(
    lab: &mut Lab<'_>,
    agent: &str,
    base: u64,
    opponent: &str,
    published: Option<f64>,
    games: u32,
) -> Result<(), Error> {
    let terms = Terms { game: &format!("sevn:base={base}"), games, plies: 0 };
    let rate = terms.won(lab, [agent, opponent])?;
    let row = Row::new(format!("base {base}, against {opponent}"), "games won %", 1);
    lab.row(row.published(published).percent(rate).within(Tolerance::AtLeast));
    Ok(())
}
