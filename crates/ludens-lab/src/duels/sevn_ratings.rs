//! Figures 4.1, 4.3 and 4.4 of Clark (2021): strength by iteration, move times by tiles that remain,
//! and strength by move time.
//!
//! Networks are those of a run of its recipe (`sevn-2021`), searched as its program does
//! (`az:plain=on`). Every UCT meets the three before it, every network the one before it, the one ten
//! iterations before it and two of the UCTs; ratings follow from that acyclic graph.

use std::collections::BTreeMap;

use ludens_arena::contest::{ContestGame, Contested};
use ludens_arena::plot::{Labels, LinePlot, Series};

use super::ladders::{add, kind, spending};
use super::sevn_2021;
use super::shares::Terms;
use crate::checkpoints::{RatedAgent, RatingPlan, rate, strength_plot};
use crate::lab::{ContestOptions, Lab};
use crate::runs::{Learned, failed};
use crate::{Error, Experiment, Part, Row, Tolerance};

pub(super) fn experiments() -> Vec<Experiment> {
    let experiment = Experiment::new(
        "sevn-4.1",
        "Sevn: Elo by iteration, move times, Elo by move time",
        "Clark 2021, figures 4.1, 4.3 and 4.4",
        Box::new(measure),
    );
    vec![Experiment { aliases: &["sevn-4.4"], ..experiment }]
}

const GAME: &str = "sevn";
/// The base of `GAME`.
const BASE: usize = 7;
/// Agents to measure by, with their published Elo.
const LADDER: [(&str, Option<f64>); 9] = [
    ("random", Some(500.0)),
    ("uct:samples=50,rule=etazero", Some(857.0)),
    ("uct:samples=100,rule=etazero", None),
    ("uct:samples=200,rule=etazero", None),
    ("uct:samples=500,rule=etazero", None),
    ("uct:samples=1000,rule=etazero", Some(1107.0)),
    ("uct:samples=2000,rule=etazero", None),
    ("uct:samples=5000,rule=etazero", None),
    // 163.7 below EtaZero-50.
    ("uct:samples=10000,rule=etazero", Some(1564.1)),
];
/// Those of them that searches with more simulations meet.
const OPPONENTS: [usize; 3] = [5, 7, 8];
/// Simulations of a move, with the published Elo after the last iteration.
const SIMULATIONS: [(u64, Option<f64>); 4] =
    [(50, Some(1727.8)), (100, None), (200, Some(1930.0)), (500, Some(1995.0))];
/// Games of each pairing.
const GAMES: usize = 40;
/// A few dozen games on either side.
const TOLERANCE: Tolerance = Tolerance::Absolute(100.0);

fn measure(lab: &mut Lab<'_>) -> Result<(), Error> {
    let games = lab.match_games(40, 6, 2);
    let most = lab.pick(u64::MAX, u64::MAX, 4);
    let ladder: Vec<String> = LADDER.iter().map(|(agent, _)| spending(agent, most)).collect();
    for run in 0..lab.networks() {
        let learned = sevn_2021::learn(lab, run)?;
        let rated = by_iteration(lab, &learned, &ladder, games, run)?;
        if run == 0 {
            by_time(lab, &learned, &rated, games)?;
        }
    }
    Ok(())
}

/// Figure 4.1: the ladder, and the networks of a run.
fn by_iteration(
    lab: &mut Lab<'_>,
    learned: &Learned,
    ladder: &[String],
    games: u32,
    run: u32,
) -> Result<Vec<RatedAgent>, Error> {
    // The published figure has all of them, which is most of the time that it takes.
    let every = (learned.iterations() / lab.pick(20, 2, 1)).max(1);
    let agent = format!("az:sims={},plain=on,model={{}}", lab.pick(50, 50, 4));
    let plan = RatingPlan {
        game: GAME,
        ladder,
        anchor: 500.0,
        agent: &agent,
        folder: learned.folder.path(),
        every,
        games,
        plies: 0,
        options: ContestOptions::of(lab.settings),
    };
    let (name, on_progress) = (lab.report.name, &mut *lab.on_progress);
    let mut tell = |text: &str| on_progress(&format!("{name}: {text}"));
    let (rated, _) = rate(&plan, lab.store, lab.stop, &mut tell)?;
    let parts = [Part::sample("games of each pairing", games as usize, GAMES)];
    if run == 0 {
        lab.section("UCT of Clark (2021), random play set to 500", &parts);
        for (one, (agent, published)) in rated.iter().zip(LADDER) {
            let row = Row::new(agent, "Elo", 0).published(published).ours(one.elo);
            lab.row(row.within(TOLERANCE));
        }
    }
    let networks = rated.iter().filter(|one| one.iteration.is_some());
    let parts = [
        Part::effort("games of self-play", learned.games(), sevn_2021::GAMES),
        Part::sample("networks", networks.clone().count(), sevn_2021::ITERATIONS as usize),
        parts[0],
    ];
    lab.section(format!("EtaZero-50 by iteration, run {}", run + 1), &parts);
    for one in networks {
        let iteration = one.iteration.unwrap_or_default();
        let published = (iteration == sevn_2021::ITERATIONS).then_some(1727.8);
        let row = Row::new(format!("after iteration {iteration}"), "Elo", 0);
        lab.row(row.published(published).ours(one.elo).within(TOLERANCE));
    }
    let suffix = if run == 0 { String::new() } else { format!("-run-{}", run + 1) };
    lab.plot(&suffix, strength_plot("EtaZero-50 by iteration", &rated));
    Ok(rated)
}

/// Figures 4.3 and 4.4: searches with more simulations, and how long agents think.
fn by_time(
    lab: &mut Lab<'_>,
    learned: &Learned,
    rated: &[RatedAgent],
    games: u32,
) -> Result<(), Error> {
    let elo = |one: &RatedAgent| Some((one.agent.clone(), one.elo?));
    let known: Option<Vec<(String, f64)>> =
        OPPONENTS.iter().map(|&at| rated.get(at).and_then(elo)).collect();
    let known = known.ok_or_else(|| failed("a UCT without a rating"))?;
    let opponents = OPPONENTS.map(|at| LADDER[at].0);
    let most = lab.pick(u64::MAX, u64::MAX, 4);
    let published = SIMULATIONS.map(|(sims, elo)| {
        let label = format!("az:sims={sims},plain=on");
        (format!("EtaZero-{sims}"), learned.agent(&spending(&label, most)), elo)
    });
    let ours = SIMULATIONS.map(|(sims, _)| format!("az:sims={sims}"));
    let ours = ours.into_iter().chain(["uct:samples=1000".to_owned()]);
    let ours = ours.map(|agent| (format!("ours, {agent}"), spending(&agent, most), None));
    let terms = Terms { game: GAME, games, plies: 0 };
    let mut thought = Thought::default();
    let names = opponents.iter().map(|name| (*name).to_owned());
    let mut strength: BTreeMap<String, f64> =
        names.zip(known.iter().map(|(_, elo)| *elo)).collect();
    let parts = [
        Part::effort("games of self-play", learned.games(), sevn_2021::GAMES),
        Part::sample("games", games as usize * known.len(), 240),
    ];
    lab.section(format!("by simulations of a move, against {}", opponents.join(", ")), &parts);
    let all: Vec<(String, String, Option<f64>)> = published.into_iter().chain(ours).collect();
    for (label, agent, published) in &all {
        let found = terms.rated(lab, agent, &known, |number, contested| {
            thought.add([label, opponents[number]], contested);
        })?;
        strength.extend(found.map(|elo| (label.clone(), elo)));
        let row = Row::new(label.clone(), "Elo", 0).published(*published).ours(found);
        lab.row(row.within(TOLERANCE));
    }
    lab.section("time per move: the largest of the means by tiles that remain", &parts[1..]);
    let (mut times, mut ratings) = (Vec::new(), Vec::new());
    for (label, by_tiles) in thought.means() {
        let longest = by_tiles.iter().map(|(_, mean)| *mean).fold(0.0, f64::max);
        lab.row(Row::new(label.clone(), "ms", 3).ours(longest));
        let point = strength.get(&label).map(|elo| (longest.max(1e-4), *elo));
        let of = label.strip_prefix("ours, ").map_or_else(
            || if label.starts_with("EtaZero") { "EtaZero".to_owned() } else { kind(&label) },
            |agent| format!("ours, {}", kind(agent)),
        );
        add(&mut ratings, &of, point);
        times.push(Series { name: label, points: by_tiles });
    }
    let plot = |labels, series, log_x| {
        LinePlot { labels, log_x, steps: false, series, levels: Vec::new() }.to_svg()
    };
    let labels = Labels::new("Move times", "tiles that remain", "milliseconds per move");
    lab.plot("-times", plot(labels, times, false));
    let labels = Labels::new("Elo by move time", "milliseconds per move", "Elo");
    lab.plot("-elo-by-time", plot(labels, ratings, true));
    Ok(())
}

/// Sums of milliseconds and moves, by agent and tiles that remain.
#[derive(Default)]
struct Thought(BTreeMap<String, BTreeMap<usize, (f64, f64)>>);

impl Thought {
    /// Adds the games of two agents.
    fn add(&mut self, labels: [&str; 2], contested: &Contested) {
        for game in &contested.games {
            for (side, tiles, millis) in moves(game) {
                let player = if side == 0 { game.first } else { game.second };
                let of = self.0.entry(labels[player].to_owned()).or_default();
                let sums = of.entry(tiles).or_default();
                *sums = (sums.0 + millis, sums.1 + 1.0);
            }
        }
    }

    /// Of every agent the mean times by tiles that remain.
    fn means(self) -> impl Iterator<Item = (String, Vec<(f64, f64)>)> {
        let mean = |(tiles, (sum, count)): (usize, (f64, f64))| (tiles as f64, sum / count);
        self.0.into_iter().map(move |(label, of)| (label, of.into_iter().map(mean).collect()))
    }
}

/// Of every move of a game from a full board: who made it (0: who moved first), the tiles that were
/// there, and milliseconds.
fn moves(game: &ContestGame) -> Vec<(usize, usize, f64)> {
    let mut tiles = BASE * BASE;
    let mut all = Vec::new();
    for (ply, text) in game.game.moves.iter().enumerate() {
        let side = ply % 2;
        if let Some(&micros) = game.game.micros[side].get(ply / 2) {
            all.push((side, tiles, micros as f64 / 1000.0));
        }
        tiles = tiles.saturating_sub(text.split(';').count());
    }
    all
}

#[cfg(test)]
mod tests {
    use ludens_arena::contest::{Game, Score};

    use super::*;

    #[test]
    fn times_are_by_tiles_that_remain() {
        let game = Game {
            score: Score::Win,
            reason: None,
            start: String::new(),
            moves: ["0,0;0,6", "6,0", "6,6"].map(str::to_owned).to_vec(),
            micros: [vec![1000, 3000], vec![2000]],
        };
        let game = ContestGame { first: 1, second: 0, opening: 0, game };
        assert_eq!(moves(&game), [(0, 49, 1.0), (1, 47, 2.0), (0, 46, 3.0)]);
        let mut thought = Thought::default();
        let games = vec![game.clone(), game];
        let contested =
            Contested { games, reused: 0, of_others: 0, left_aside: 0, total: 2, decision: None };
        thought.add(["one", "two"], &contested);
        let means: Vec<_> = thought.means().collect();
        assert_eq!(means[0], ("one".to_owned(), vec![(47.0, 2.0)]));
        assert_eq!(means[1], ("two".to_owned(), vec![(46.0, 3.0), (49.0, 1.0)]));
    }
}
