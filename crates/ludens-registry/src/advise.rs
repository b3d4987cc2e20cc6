//! Learned networks at play: what they think of a position, and how well they do.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ludens_arena::statistics::{Rate, Summary};
use ludens_core::error::quote;
use ludens_core::params::spec;
use ludens_core::{
    AfterNotation, Budget, Cells, Context, FixedActions, Params, ParseError, Progress, Rng, Solo,
    Variant,
};
use ludens_games::{Game2048, Game2584, Threes};
use ludens_learn::{Error, cpu_time, run};
use ludens_ntuple::{Judge, Network, file};
use ludens_search::Expectimax;
use serde_json::{Map, Value, json};

use crate::train::variant;

/// Bytes for the table of a search that looks far enough to use one.
const TABLE: usize = 64 << 20;
const AGENT: &str = "ntuple:model=DIR[,ply=N]";

/// Whether networks can play a game, given with its variant.
pub fn plays(game: &str) -> bool {
    let name = game.split(':').next().unwrap_or_default();
    ["2048", "2584", "threes"].contains(&name) && !game.contains(crate::catalogue::ADVERSARY)
}

/// How well a network played.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// Its scores.
    pub scores: Summary,
    /// Tiles with how many games reached them, the largest first.
    pub rates: Vec<(u64, Rate)>,
    /// Moves per second.
    pub moves_per_s: f64,
    /// All figures with stable names.
    pub json: Value,
}

/// What a network and a search think of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Advised {
    /// All moves of the game in order, with their values where they are legal.
    pub values: Vec<(String, Option<f32>)>,
    /// The best move; `None` when the game is over.
    pub best: Option<String>,
    /// How far the search looked.
    pub ply: u32,
    /// Afterstates it looked at.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

/// A network that plays: `ntuple:model=DIR,ply=N`.
struct Player {
    model: PathBuf,
    ply: u32,
}

impl Player {
    fn parse(text: &str, ply: u32) -> Result<Self, ParseError> {
        let (name, mut params) = Params::split(text)?;
        if name != "ntuple" {
            return Err(ParseError::new("agent", quote(name), AGENT));
        }
        let model = params.take("model");
        let model = model.ok_or_else(|| ParseError::new("agent", "no model", AGENT))?;
        let ply = params.number("ply", ply, 1..=20)?;
        params.finish(&["model", "ply"])?;
        let model = PathBuf::from(model);
        Ok(Player { model: if model.is_dir() { model.join(run::MODEL) } else { model }, ply })
    }

    fn network<G: Cells + AfterNotation>(&self, variant: &G::Variant) -> Result<Network, Error> {
        let game = spec(G::NAME, &variant.write());
        Ok(file::load::<G>(&self.model, &game, variant, false)?.network)
    }

    fn search(&self, network: &Arc<Network>) -> Expectimax<Judge> {
        let table = if self.ply > 2 { TABLE } else { 0 };
        Expectimax::new(Judge::new(Arc::clone(network)), self.ply, table)
    }
}

/// What [`evaluate`] is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Games<'a> {
    /// The game with its variant.
    pub game: &'a str,
    /// Who plays.
    pub agent: &'a str,
    /// How many games.
    pub count: u64,
    /// The seed of their luck.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
}

/// Lets a network play whole games; `None` when it was stopped before the first end.
///
/// # Errors
/// When the game, the agent or its network is wrong.
pub fn evaluate(asked: &Games<'_>, stop: &AtomicBool) -> Result<Option<Played>, Error> {
    match asked.game.split(':').next().unwrap_or_default() {
        "2048" => games::<Game2048>(asked, stop),
        "2584" => games::<Game2584>(asked, stop),
        "threes" => games::<Threes>(asked, stop),
        other => Err(unknown(other)),
    }
}

fn unknown(game: &str) -> Error {
    ParseError::new("game", quote(game), "one that networks play: 2048, 2584 or threes").into()
}

/// One game: its score, its largest number and its moves.
type End = (i64, u8, u64);

fn games<G: Cells + AfterNotation + Solo>(
    asked: &Games<'_>,
    stop: &AtomicBool,
) -> Result<Option<Played>, Error> {
    let player = Player::parse(asked.agent, 1)?;
    let variant = variant::<G>(Some(asked.game))?;
    let network = Arc::new(player.network::<G>(&variant)?);
    let (begin, cpu) = (Instant::now(), cpu_time());
    let next = AtomicU64::new(0);
    let ends: Mutex<Vec<(u64, End)>> = Mutex::new(Vec::new());
    let work = || {
        let mut search = player.search(&network);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= asked.count {
                return;
            }
            let rng = Rng::stream(asked.seed, number);
            let Some(end) = game::<G>(&variant, &mut search, rng, stop) else { return };
            ends.lock().expect("no thread panics with it").push((number, end));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..asked.threads {
            scope.spawn(work);
        }
    });
    let seconds = begin.elapsed().as_secs_f64();
    let spent = cpu_time().zip(cpu).map_or(seconds, |(now, then)| (now - then).as_secs_f64());
    let mut ends = ends.into_inner().expect("no thread panics with it");
    // In the order of their numbers, whoever was first.
    ends.sort_unstable();
    let scores: Vec<f64> = ends.iter().map(|(_, end)| end.0 as f64).collect();
    let Some(scores) = Summary::of(&scores) else { return Ok(None) };
    let moves: u64 = ends.iter().map(|(_, end)| end.2).sum();
    let mut rates = Vec::new();
    for number in (1..64).rev() {
        let hits = ends.iter().filter(|(_, end)| end.1 >= number).count();
        if hits > 0 {
            rates.push((G::tile(number), Rate { hits, total: ends.len() }));
        }
    }
    let each = |f: &dyn Fn(Rate) -> Value| -> Map<String, Value> {
        rates.iter().map(|(tile, rate)| (tile.to_string(), f(*rate))).collect()
    };
    let moves_per_s = moves as f64 / seconds;
    let json = json!({
        "game": asked.game,
        "agent": asked.agent,
        "games": ends.len(),
        "seed": asked.seed,
        "mean": scores.mean,
        "interval": scores.interval(),
        "sd": scores.sd,
        "median": scores.median,
        "min": scores.min,
        "max": scores.max,
        "rate": each(&|rate| json!(rate.share())),
        "rate_interval": each(&|rate| json!(rate.interval())),
        "moves": moves,
        "moves_per_s": moves_per_s.round(),
        "moves_per_cpu_s": (moves as f64 / spent).round(),
    });
    Ok(Some(Played { scores, rates, moves_per_s, json }))
}

/// Plays one game; `None` when it was stopped.
fn game<G: Cells + Solo>(
    variant: &G::Variant,
    search: &mut Expectimax<Judge>,
    mut rng: Rng,
    stop: &AtomicBool,
) -> Option<End> {
    let mut position = G::start(variant, &mut rng);
    let mut score = position.score().unwrap_or(0);
    let (mut moves, mut last) = (0, None);
    while let Some(best) = search.advise(&position).best() {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let (after, reward) = position.apply(best.action);
        let (next, bonus) = G::settle(&after, G::sample(&after, &mut rng));
        score += i64::from(reward) + i64::from(bonus);
        (position, last) = (next, Some(after));
        moves += 1;
    }
    let mut cells = vec![0; G::cell_shape(variant).cells];
    if let Some(after) = last {
        G::write_cells(&after, &mut cells);
    }
    Some((score, cells.into_iter().max().unwrap_or(0), moves))
}

/// The values of all moves of a position by a network and expectimax, ply by ply until
/// the budget is spent.
///
/// # Errors
/// When the game, the position, the agent or its network is wrong.
pub fn advise(
    game: &str,
    position: &str,
    agent: &str,
    budget: Budget,
    stop: &AtomicBool,
) -> Result<Advised, Error> {
    match game.split(':').next().unwrap_or_default() {
        "2048" => advised::<Game2048>(game, position, agent, budget, stop),
        "2584" => advised::<Game2584>(game, position, agent, budget, stop),
        "threes" => advised::<Threes>(game, position, agent, budget, stop),
        other => Err(unknown(other)),
    }
}

fn advised<G: Cells + AfterNotation + Solo + FixedActions>(
    game: &str,
    position: &str,
    agent: &str,
    budget: Budget,
    stop: &AtomicBool,
) -> Result<Advised, Error> {
    let player = Player::parse(agent, 20)?;
    let variant = variant::<G>(Some(game))?;
    let position = G::parse(&variant, position)?;
    let network = Arc::new(player.network::<G>(&variant)?);
    let mut search = Expectimax::new(Judge::new(network), player.ply, TABLE);
    let mut silent = |_: &Progress<'_, G>| {};
    let context = Context::new(budget, 0, 1, TABLE, stop, &mut silent);
    let advice = search.deepen(&position, &context.limits);
    let value = |index: usize| {
        let action = position.action_of_index(index).expect("the index is within the space");
        let valued = advice.moves.iter().find(|valued| valued.action == action);
        (position.action_text(action), valued.map(|valued| valued.value))
    };
    Ok(Advised {
        values: (0..G::action_space(&variant)).map(value).collect(),
        best: advice.best().map(|best| position.action_text(best.action)),
        ply: advice.ply,
        nodes: advice.nodes,
        time: context.limits.elapsed(),
    })
}
