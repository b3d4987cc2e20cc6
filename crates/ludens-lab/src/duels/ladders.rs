//! Ladders of agents: look-ahead agents of Pastukhov (2024), UCT on Sevn.

use ludens_arena::contest::{Rating, Standings};
use ludens_arena::plot::{Labels, LinePlot, Series};

use crate::lab::{Contest, Lab};
use crate::{Error, Experiment, Part, Row, Tolerance};

/// Agents of growing strength in one game.
struct Ladder {
    name: &'static str,
    title: &'static str,
    reference: &'static str,
    game: &'static str,
    /// Agents with their published Elo.
    agents: &'static [(&'static str, Option<f64>)],
    /// Published ratings of programs that we do not have.
    others: &'static [(&'static str, f64)],
    /// Games of every two: published (as full where that is not known), full, quick, tiny.
    games: [u32; 4],
    /// Random moves of an opening.
    plies: usize,
    /// How far a rating may be from the published one.
    tolerance: f64,
}

/// The look-ahead agents; Pastukhov (2024) measured them in Connect Four.
pub(super) const STEPS: &[(&str, Option<f64>)] = &[
    ("random", Some(1000.0)),
    ("lookahead:1", Some(1183.0)),
    ("lookahead:2", Some(1501.0)),
    ("lookahead:3", Some(1603.0)),
];
pub(super) const STEPS_ELSEWHERE: &[(&str, Option<f64>)] = &[
    ("random", Some(1000.0)),
    ("lookahead:1", None),
    ("lookahead:2", None),
    ("lookahead:3", None),
];

/// The look-ahead agents in a game that Pastukhov (2024) has no numbers for.
const fn elsewhere(name: &'static str, title: &'static str, game: &'static str) -> Ladder {
    Ladder {
        name,
        title,
        reference: "Pastukhov 2024, section 4 (which has no numbers for it)",
        game,
        agents: STEPS_ELSEWHERE,
        others: &[],
        games: [2000, 2000, 200, 4],
        plies: 0,
        tolerance: 20.0,
    }
}

const LADDERS: &[Ladder] = &[
    Ladder {
        name: "connect-four-elo",
        title: "Elo of the look-ahead agents",
        reference: "Pastukhov 2024, section 4",
        game: "connect-four",
        agents: STEPS,
        others: &[],
        games: [10_000, 10_000, 1000, 10],
        plies: 0,
        tolerance: 20.0,
    },
    elsewhere("othello-elo", "Elo of the look-ahead agents in Othello", "othello"),
    elsewhere("togyzkumalak-elo", "Elo of the look-ahead agents in Togyzkumalak", "togyzkumalak"),
    Ladder {
        name: "sevn-4.1",
        title: "Elo and move times of UCT and of az on Sevn",
        reference: "Clark 2021, figures 4.1, 4.3 and 4.4",
        game: "sevn",
        agents: &[
            ("random", Some(500.0)),
            ("uct:samples=50,rule=etazero", Some(857.0)),
            ("uct:samples=200,rule=etazero", None),
            ("uct:samples=1000,rule=etazero", Some(1107.0)),
            ("uct:samples=5000,rule=etazero", None),
            // 163.7 below EtaZero-50.
            ("uct:samples=10000,rule=etazero", Some(1564.1)),
            ("uct:samples=1000", None),
            ("az:sims=50", None),
            ("az:sims=100", None),
            ("az:sims=200", None),
            ("az:sims=500", None),
        ],
        // The network of another program, which was not played against.
        others: &[("EtaZero-50", 1727.8), ("EtaZero-200", 1930.0), ("EtaZero-500", 1995.0)],
        games: [120, 120, 20, 2],
        plies: 0,
        // A few dozen games on either side.
        tolerance: 100.0,
    },
];

pub(super) fn experiments() -> Vec<Experiment> {
    let experiment = |ladder: &'static Ladder| Experiment {
        name: ladder.name,
        aliases: if ladder.game == "sevn" { &["sevn-4.4"] } else { &[] },
        title: ladder.title,
        reference: ladder.reference,
        needs: &[],
        measure: Box::new(move |lab| measure(ladder, lab)),
    };
    LADDERS.iter().map(experiment).collect()
}

fn measure(ladder: &Ladder, lab: &mut Lab<'_>) -> Result<(), Error> {
    let [published, full, quick, tiny] = ladder.games;
    let games = lab.runs(full, quick, tiny).next_multiple_of(2);
    let most = lab.pick(u64::MAX, u64::MAX, 4);
    let agents: Vec<String> =
        ladder.agents.iter().map(|(agent, _)| spending(agent, most)).collect();
    let asked = Contest { game: ladder.game, agents: &agents, games, plies: ladder.plies };
    let anchor = (0, ladder.agents[0].1.unwrap_or(0.0));
    let standings = Standings::of(agents.len(), &lab.contest(&asked)?, anchor);
    let part = Part::sample("games of every two", games as usize, published as usize);
    lab.section(format!("every two agents, {} set", agents[0]), &[part]);
    for (i, (agent, published)) in ladder.agents.iter().enumerate() {
        let row = elo_row(*agent, *published, &standings.ratings[i]);
        lab.row(row.within(Tolerance::Absolute(ladder.tolerance)));
    }
    for (program, published) in ladder.others {
        lab.row(Row::new(*program, "Elo", 0).published(*published));
    }
    lab.section("milliseconds per move", &[part]);
    for (i, (agent, _)) in ladder.agents.iter().enumerate() {
        lab.row(Row::new(*agent, "mean ms", 3).ours(standings.times[i].mean));
    }
    let mut strength: Vec<Series> = Vec::new();
    let mut times: Vec<Series> = Vec::new();
    for (i, (agent, _)) in ladder.agents.iter().enumerate() {
        let (name, effort) = kind(agent);
        let time = standings.times[i].mean.max(1e-4);
        if let Rating::Rated(elo) = &standings.ratings[i] {
            add(&mut strength, &name, elo.value.map(|elo| (time, elo)));
        }
        add(&mut times, &name, effort.map(|effort| (effort, time)));
    }
    let plot = |labels, series| {
        LinePlot { labels, log_x: true, steps: false, series, levels: Vec::new() }.to_svg()
    };
    let labels = Labels::new(ladder.title, "milliseconds per move", "Elo");
    lab.plot("", plot(labels, strength));
    if times.iter().any(|series| series.points.len() > 1) {
        let labels = Labels::new(ladder.title, "samples or simulations", "milliseconds per move");
        lab.plot("-times", plot(labels, times));
    }
    Ok(())
}

/// What an agent has in common with others of a ladder, and what it spends on a move.
fn kind(agent: &str) -> (String, Option<f64>) {
    let (name, settings) = agent.split_once(':').unwrap_or((agent, ""));
    let is_effort = |part: &&str| part.starts_with("samples=") || part.starts_with("sims=");
    let effort = settings.split(',').find(is_effort).and_then(|part| part.split_once('='));
    let others: Vec<&str> = settings.split(',').filter(|part| part.contains("rule=")).collect();
    let name = [name].into_iter().chain(others).collect::<Vec<_>>().join(":");
    (name, effort.and_then(|(_, number)| number.parse().ok()))
}

/// The same agent with no more than `most` samples or simulations.
fn spending(agent: &str, most: u64) -> String {
    let part = |part: &str| match part.rsplit_once('=') {
        Some((key, number)) if key.ends_with("samples") || key.ends_with("sims") => {
            let number = number.parse().map_or(most, |number: u64| number.min(most));
            format!("{key}={number}")
        }
        _ => part.to_owned(),
    };
    agent.split(',').map(part).collect::<Vec<_>>().join(",")
}

/// Adds a point to the series of a name.
fn add(all: &mut Vec<Series>, name: &str, point: Option<(f64, f64)>) {
    let Some(point) = point else { return };
    match all.iter_mut().find(|series| series.name == name) {
        Some(series) => series.points.push(point),
        None => all.push(Series { name: name.to_owned(), points: vec![point] }),
    }
}

/// A row with an agent's rating, if it has one.
pub(super) fn elo_row(agent: impl Into<String>, published: Option<f64>, rating: &Rating) -> Row {
    let row = Row::new(agent, "Elo", 0).published(published);
    match rating {
        Rating::Rated(elo) => Row { ours: elo.value, interval: elo.low.zip(elo.high), ..row },
        _ => row,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_of_a_kind_make_a_series() {
        let of = |agent| kind(agent);
        assert_eq!(of("random"), ("random".to_owned(), None));
        assert_eq!(of("az:sims=50"), ("az".to_owned(), Some(50.0)));
        let etazero = of("uct:samples=200,rule=etazero");
        assert_eq!(etazero, ("uct:rule=etazero".to_owned(), Some(200.0)));
        assert_eq!(spending("uct:samples=200,rule=etazero", 4), "uct:samples=4,rule=etazero");
        assert_eq!(spending("lookahead:3", 4), "lookahead:3");
        let mut all = Vec::new();
        [1.0, 2.0].into_iter().for_each(|x| add(&mut all, "az", Some((x, x))));
        add(&mut all, "uct", Some((1.0, 1.0)));
        assert_eq!((all.len(), all[0].points.len()), (2, 2));
    }
}
