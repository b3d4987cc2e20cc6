//! Ladders of agents: the look-ahead agents of Pastukhov (2024).

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
    /// Games of every two: full (published numbers are not known), quick, tiny.
    games: [u64; 3],
}

/// How far a rating may be from the published one.
const TOLERANCE: f64 = 20.0;

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
        games: [2000, 200, 4],
    }
}

const LADDERS: &[Ladder] = &[
    Ladder {
        name: "connect-four-elo",
        title: "Elo of the look-ahead agents",
        reference: "Pastukhov 2024, section 4",
        game: "connect-four",
        agents: STEPS,
        games: [10_000, 1000, 10],
    },
    elsewhere("othello-elo", "Elo of the look-ahead agents in Othello", "othello"),
    elsewhere("togyzkumalak-elo", "Elo of the look-ahead agents in Togyzkumalak", "togyzkumalak"),
];

pub(super) fn experiments() -> Vec<Experiment> {
    let experiment = |ladder: &'static Ladder| {
        let measure = Box::new(move |lab: &mut Lab<'_>| measure(ladder, lab));
        Experiment::new(ladder.name, ladder.title, ladder.reference, measure)
    };
    LADDERS.iter().map(experiment).collect()
}

fn measure(ladder: &Ladder, lab: &mut Lab<'_>) -> Result<(), Error> {
    let [full, quick, tiny] = ladder.games;
    let games = match lab.settings.runs {
        Some(runs) => runs.next_multiple_of(2),
        None => lab.match_games(full, quick, tiny),
    };
    let agents: Vec<String> = ladder.agents.iter().map(|(agent, _)| (*agent).to_owned()).collect();
    let asked = Contest { game: ladder.game, agents: &agents, games, plies: 0 };
    let anchor = (0, ladder.agents[0].1.unwrap_or(0.0));
    let standings = Standings::of(agents.len(), &lab.contest(&asked)?, anchor);
    let part = Part::sample("games of every two", games as usize, full as usize);
    lab.section(format!("every two agents, {} set", agents[0]), &[part]);
    for (i, (agent, published)) in ladder.agents.iter().enumerate() {
        let row = elo_row(*agent, *published, &standings.ratings[i]);
        lab.row(row.within(Tolerance::Absolute(TOLERANCE)));
    }
    lab.section("milliseconds per move", &[part]);
    for (i, (agent, _)) in ladder.agents.iter().enumerate() {
        lab.row(Row::new(*agent, "mean ms", 3).ours(standings.times[i].mean));
    }
    let mut strength: Vec<Series> = Vec::new();
    for (i, (agent, _)) in ladder.agents.iter().enumerate() {
        let time = standings.times[i].mean.max(1e-4);
        let Rating::Rated(elo) = &standings.ratings[i] else { continue };
        add(&mut strength, &kind(agent), elo.value.map(|elo| (time, elo)));
    }
    let labels = Labels::new(ladder.title, "milliseconds per move", "Elo");
    let (series, levels) = (strength, Vec::new());
    lab.plot("", LinePlot { labels, log_x: true, steps: false, series, levels }.to_svg());
    Ok(())
}

/// What an agent has in common with others of a ladder: all but samples and simulations.
pub(super) fn kind(agent: &str) -> String {
    let (name, settings) = agent.split_once(':').unwrap_or((agent, ""));
    let others =
        settings.split(',').filter(|part| part.contains("rule=") || part.contains("plain="));
    [name].into_iter().chain(others).collect::<Vec<_>>().join(":")
}

/// The same agent with no more than `most` samples or simulations.
pub(super) fn spending(agent: &str, most: u64) -> String {
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
pub(super) fn add(all: &mut Vec<Series>, name: &str, point: Option<(f64, f64)>) {
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
        assert_eq!(["random", "az:sims=50"].map(kind), ["random", "az"]);
        assert_eq!(kind("uct:samples=200,rule=etazero"), "uct:rule=etazero");
        assert_eq!(kind("az:sims=50,plain=on,model=DIR"), "az:plain=on");
        assert_eq!(spending("uct:samples=200,rule=etazero", 4), "uct:samples=4,rule=etazero");
        assert_eq!(spending("lookahead:3", 4), "lookahead:3");
        let mut all = Vec::new();
        [1.0, 2.0].into_iter().for_each(|x| add(&mut all, "az", Some((x, x))));
        add(&mut all, "uct", Some((1.0, 1.0)));
        assert_eq!((all.len(), all[0].points.len()), (2, 2));
    }
}
