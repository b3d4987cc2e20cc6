//! Section 4.2 of Clark (2021): networks that forget what they had learned.
//!
//! Clark (2021) shows one position that came up in self-play, was evaluated rightly by the network that
//! learned from it, and wrongly by later ones. The position itself is only a picture, so ours are from
//! the run's own games: positions that a search to the end proves to be won by just one move, and
//! the lost ones that this move leads to. Networks learn by its recipe (`sevn-2021`); in the last way,
//! which is ours, from the games of all iterations.

use std::io::Write;

use ludens_arena::plot::{Labels, Level, LinePlot, Series};
use ludens_arena::statistics::Rate;
use ludens_core::Budget;
use ludens_core::file::{self, atomic_write};
use ludens_engine::analysis::{Analysis, AnalysisError, Method, Request};
use ludens_engine::{Table, game};
use serde_json::{Value, json};

use super::sevn_2021;
use crate::lab::Lab;
use crate::runs::{Learned, RunPlan, failed, settings};
use crate::{Error, Experiment, Part, Row};

/// Where puzzles are kept in the folder of a run, whose games are not.
const PUZZLES: &str = "puzzles.json";
/// Bytes of an iteration's games at most.
const LARGEST_GAMES: u64 = 1 << 30;

pub(super) fn experiments() -> Vec<Experiment> {
    let experiment = Experiment::new(
        "sevn-4.7",
        "Sevn: positions that networks had right and lost again",
        "Clark 2021, figures 4.6 and 4.7",
        Box::new(measure),
    );
    vec![Experiment { aliases: &["sevn-4.6"], ..experiment }]
}

/// One way to learn.
struct Way {
    title: &'static str,
    /// What its runs are called where they are kept.
    name: &'static str,
    /// Games of an iteration.
    games: u64,
    /// Newest iterations that a network learns from, 0 for all; Clark's learned from the last one only.
    window: u64,
    iterations: u64,
    /// Games that Clark (2021) learned from in this way.
    published: u64,
}

/// A position whose result is known.
struct Puzzle {
    /// The game with its base.
    game: String,
    text: String,
    /// The only move that wins; none in a position that is lost.
    wins: Option<String>,
}

impl Puzzle {
    fn to_json(&self) -> Value {
        json!({"game": self.game, "text": self.text, "wins": self.wins})
    }

    fn from_json(value: &Value) -> Puzzle {
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        let (game, wins) = (text("game").unwrap_or_default(), text("wins"));
        Puzzle { game, text: text("text").unwrap_or_default(), wins }
    }

    /// Its value to the mover.
    fn exact(&self) -> f64 {
        if self.wins.is_some() { 1.0 } else { -1.0 }
    }
}

/// What the network of an iteration says of a puzzle.
#[derive(Clone, Copy)]
struct Answer {
    /// Its value to who wins; 1 is right.
    value: f64,
    /// How likely the move that wins is, where one does.
    likely: Option<f64>,
    /// Whether that is the likeliest move.
    found: bool,
}

impl Answer {
    fn right(&self) -> bool {
        self.value > 0.0
    }
}

/// What a way of learning came to.
struct Studied {
    /// The first network that had learned from the puzzles' games, from 1.
    seen: usize,
    puzzles: Vec<Puzzle>,
    /// For each puzzle what the networks of all iterations say.
    answers: Vec<Vec<Answer>>,
}

fn measure(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (few, many) = lab.pick((90, 1000), (20, 60), (6, 8));
    let (long, short) = lab.pick((59, 35), (9, 6), (4, 3));
    // As many iterations as so many games allow, and as tell what comes after what.
    let asked = lab.settings.episodes;
    let within = |games: u64, most: u64| asked.map_or(most, |asked| (asked / games).clamp(3, most));
    let ways = [
        ("few games, those of the last iteration", "few", few, 1, long, 59 * 90),
        ("many games, those of the last iteration", "many", many, 1, short, 35 * 1000),
        ("ours: few games, those of all iterations", "all", few, 0, long, 59 * 90),
    ]
    .map(|(title, name, games, window, most, published)| Way {
        title,
        name,
        games,
        window,
        iterations: within(games, most),
        published,
    });
    let mut shares = Vec::new();
    for (number, way) in ways.iter().enumerate() {
        let Studied { seen, puzzles, answers } = study(lab, way)?;
        let parts = [
            Part::effort("games of self-play", way.games * way.iterations, way.published),
            Part::effort("simulations of a move", sevn_2021::simulations(lab), 200),
        ];
        if number == 0 {
            one_position(lab, &parts, seen, puzzles.first().zip(answers.first()));
        }
        let count = puzzles.len();
        let title = format!("{} ({} an iteration); {count} positions", way.title, way.games);
        lab.section(title, &parts);
        report(lab, seen, &answers);
        let right = |i: usize| rate(answers.iter().map(|of| of[i].right())).share();
        let points = (0..way.iterations as usize)
            .filter_map(|i| Some((i as f64 + 1.0, 100.0 * right(i)?)))
            .collect();
        shares.push(Series { name: way.title.to_owned(), points });
    }
    let labels = Labels::new("Positions evaluated rightly", "iteration", "per cent");
    lab.plot("-shares", lines(labels, shares, Vec::new()));
    Ok(())
}

/// Learns in a way and asks all networks.
fn study(lab: &mut Lab<'_>, way: &Way) -> Result<Studied, Error> {
    // Not the first: there is a network before it.
    let source = way.iterations.div_ceil(3).max(2);
    let plan = |lab: &Lab<'_>, iterations: u64| {
        let mut all = settings(&[
            ("iterations", &iterations),
            ("games", &way.games),
            ("window_iterations", &way.window),
            ("window", &100_000_000),
            ("keep", &1),
        ]);
        all.extend(sevn_2021::small(lab));
        RunPlan {
            name: format!("{}-{}", lab.report.name, way.name),
            recipe: "alphazero",
            preset: Some(sevn_2021::NAME),
            game: "sevn",
            settings: all,
            ..RunPlan::default()
        }
    };
    let first = plan(lab, source);
    let mut learned = lab.learned(&first)?;
    // Now, because games that no network learns from any more are not kept.
    let puzzles = puzzles(lab, &learned, source)?;
    let whole = plan(lab, way.iterations);
    learned.go_on(lab, &whole)?;
    let answers = lab.map("network", way.iterations as usize, |i| {
        let network = learned.kept("net", i as u64 + 1);
        puzzles.iter().map(|puzzle| answer(&network, puzzle)).collect::<Result<Vec<_>, _>>()
    })?;
    let by_network = answers.into_iter().collect::<Result<Vec<_>, _>>().map_err(failed)?;
    let of = |index: usize| by_network.iter().map(|answers| answers[index]).collect();
    let answers = (0..puzzles.len()).map(of).collect();
    // Games are learned from in the iteration that plays them.
    Ok(Studied { seen: source as usize, puzzles, answers })
}

fn answer(network: &str, puzzle: &Puzzle) -> Result<Answer, AnalysisError> {
    let table = game(&puzzle.game)?.parse(&puzzle.text)?;
    let request = Request { method: Method::agent(network), ..Request::default() };
    let analysis = table.analyze(&request, Request::never(), &mut |_| {})?;
    let wins = |text: &String| puzzle.wins.as_ref() == Some(text);
    let winning = analysis.moves.iter().find(|considered| wins(&considered.action.text));
    Ok(Answer {
        value: analysis.value.unwrap_or_default() * puzzle.exact(),
        likely: winning.and_then(|winning| winning.prior).map(f64::from),
        found: analysis.best.is_some_and(|best| wins(&best.text)),
    })
}

/// At most two puzzles of every game of an iteration, the last that there are: one won, one lost. They
/// are kept with the run, which may go on another time.
fn puzzles(lab: &mut Lab<'_>, learned: &Learned, iteration: u64) -> Result<Vec<Puzzle>, Error> {
    let folder = learned.folder.path();
    let kept = folder.join(PUZZLES);
    if !kept.exists() {
        let path = folder.join(format!("games/{iteration:06}.jsonl"));
        let text = file::read_text(&path, LARGEST_GAMES).map_err(failed)?;
        let games: Vec<&str> = text.lines().collect();
        let found = lab.map("game searched", games.len(), |number| last_puzzles(games[number]))?;
        let found = found.into_iter().collect::<Result<Vec<_>, _>>()?;
        let count = lab.pick(50, 20, 4);
        let all: Vec<Value> = found.iter().flatten().take(count).map(Puzzle::to_json).collect();
        let text = json!(all).to_string();
        atomic_write(&kept, |file| file.write_all(text.as_bytes())).map_err(failed)?;
    }
    let text = file::read_text(&kept, LARGEST_GAMES).map_err(failed)?;
    let all: Vec<Value> = serde_json::from_str(&text).map_err(failed)?;
    Ok(all.iter().map(Puzzle::from_json).collect())
}

/// The last position of a recorded game that one move wins, and the one after that move.
fn last_puzzles(line: &str) -> Result<Vec<Puzzle>, Error> {
    let record: Value = serde_json::from_str(line).map_err(failed)?;
    let start = record["start"].as_str().unwrap_or_default();
    let name = record["game"].as_str().unwrap_or("sevn").to_owned();
    let mut table = game(&name).and_then(|game| game.parse(start)).map_err(failed)?;
    for turn in record["turns"].as_array().into_iter().flatten() {
        let choice = turn[0].as_u64().unwrap_or_default() as usize;
        let Some(action) = table.actions().into_iter().nth(choice) else { break };
        table.play(&action.text).map_err(failed)?;
    }
    while table.undo() {
        let Some(wins) = only_winning_move(&name, &*table).map_err(failed)? else { continue };
        let won = table.position();
        table.play(&wins).map_err(failed)?;
        let lost = Puzzle { game: name.clone(), text: table.position(), wins: None };
        return Ok(vec![Puzzle { game: name, text: won, wins: Some(wins) }, lost]);
    }
    Ok(Vec::new())
}

/// The only move that wins, where several are legal and the game goes on after each.
fn only_winning_move(name: &str, table: &dyn Table) -> Result<Option<String>, AnalysisError> {
    if table.action_count() < 2 {
        return Ok(None);
    }
    // Earlier positions are not proven by so few, and are no simple ones.
    let proof = proof(table, Budget::nodes(20_000))?;
    let mut winning = proof.moves.iter().filter(|one| one.bounds.is_some_and(|(low, _)| low > 0));
    let proven = proof.moves.iter().all(|one| one.bounds.is_some_and(|(low, high)| low == high));
    let (Some(only), None, true) = (winning.next(), winning.next(), proven) else {
        return Ok(None);
    };
    let mut after = game(name)?.parse(&table.position())?;
    after.play(&only.action.text)?;
    Ok(after.outcome().is_none().then(|| only.action.text.clone()))
}

/// What a search to the end says of a position.
fn proof(table: &dyn Table, budget: Budget) -> Result<Analysis, AnalysisError> {
    let request = Request { budget, memory: 1 << 20, ..Request::default() };
    table.analyze(&request, Request::never(), &mut |_| {})
}

/// Clark's figure 4.7 with one of our positions.
fn one_position(
    lab: &mut Lab<'_>,
    parts: &[Part],
    seen: usize,
    one: Option<(&Puzzle, &Vec<Answer>)>,
) {
    let Some((puzzle, answers)) = one else { return };
    let (text, wins) = (&puzzle.text, puzzle.wins.as_deref().unwrap_or("none"));
    let title = format!("{text}, won by {wins} only; learned from in iteration {seen}");
    lab.section(title, parts);
    for (i, answer) in answers.iter().enumerate() {
        let row = Row::new(format!("iteration {}", i + 1), "value to the mover (exact: 1)", 3);
        lab.row(row.published((i + 1 == seen).then_some(1.0)).ours(answer.value));
    }
    let curve = |name: &str, of: fn(&Answer) -> f64| {
        let points = answers.iter().enumerate().map(|(i, answer)| (i as f64 + 1.0, of(answer)));
        Series { name: name.to_owned(), points: points.collect() }
    };
    let series = vec![
        curve("value", |answer| answer.value),
        curve("probability of the move that wins", |answer| answer.likely.unwrap_or_default()),
    ];
    let labels = Labels::new(&format!("Learned from in iteration {seen}"), "iteration", "output");
    let exact = Level { name: "exact".to_owned(), y: 1.0 };
    lab.plot("", lines(labels, series, vec![exact]));
}

fn lines(labels: Labels, series: Vec<Series>, levels: Vec<Level>) -> String {
    LinePlot { labels, log_x: false, steps: false, series, levels }.to_svg()
}

/// How often all networks were right about all positions, by when.
fn report(lab: &mut Lab<'_>, seen: usize, answers: &[Vec<Answer>]) {
    let part = |from: usize, to: usize| {
        rate(answers.iter().flat_map(|of| &of[from..to]).map(Answer::right))
    };
    let networks = answers.first().map_or(seen, Vec::len);
    for (label, rate) in [
        ("right before it was learned from", part(0, seen - 1)),
        ("right when it was", part(seen - 1, seen)),
        ("right later", part(seen, networks)),
        ("right signs lost in the next iteration", lost(answers, seen)),
        ("the move that wins is the likeliest, later", {
            let later = answers.iter().flat_map(|of| &of[seen..]);
            rate(later.filter(|answer| answer.likely.is_some()).map(|answer| answer.found))
        }),
    ] {
        lab.row(Row::new(label, "per cent", 1).percent(rate));
    }
    let again = answers.iter().map(|of| lost(std::slice::from_ref(of), seen).hits);
    let count = Row::new("right signs lost", "times", 0);
    lab.row(count.ours((!answers.is_empty()).then(|| again.sum::<usize>() as f64)));
}

/// Of the answers that were right, from when it was learned from, those that the next network has
/// wrong.
fn lost(answers: &[Vec<Answer>], seen: usize) -> Rate {
    let pairs = answers.iter().flat_map(|of| of[seen - 1..].windows(2));
    rate(pairs.filter(|pair| pair[0].right()).map(|pair| !pair[1].right()))
}

fn rate(of: impl Iterator<Item = bool>) -> Rate {
    let (mut hits, mut total) = (0, 0);
    of.for_each(|hit| {
        hits += usize::from(hit);
        total += 1;
    });
    Rate { hits, total }
}

#[cfg(test)]
mod tests;
