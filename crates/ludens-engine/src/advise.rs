//! What a position of a sliding game is worth, move by move.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ludens_core::error::quote;
use ludens_core::{Budget, Limits, Params, ParseError};
use ludens_games::{Game2048, Game2584, Threes};

use crate::episodes::{Episode, resume_from};
use crate::sliding::{DEEPEST, SEARCH, Searcher, Sliding, network};
use crate::variant_of;

/// The solver when none is named.
pub const DEFAULT: &str = "ntuple";
/// Moves of the line that is shown.
const LINE: usize = 5;
/// The ply of the searches for the line's later moves.
const LINE_PLY: u32 = 2;
/// Games played on for the chances.
const GAMES: u64 = 200;
/// Tiles beyond the board's largest whose chances are told.
const NEXT_TILES: usize = 4;

/// Whether the commands of sliding games are for this game, given with its variant.
pub fn plays(game: &str) -> bool {
    let name = game.split(':').next().unwrap_or_default();
    ["2048", "2584", "threes"].contains(&name) && !game.contains(crate::catalogue::ADVERSARY)
}

/// What is asked about a position.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The game with its variant.
    pub game: &'a str,
    /// The position.
    pub position: &'a str,
    /// The solver: `ntuple` or `expectimax` with parameters.
    pub solver: &'a str,
    /// What the search may cost.
    pub budget: Budget,
    /// The seed of the games played on.
    pub seed: u64,
}

/// What a network and a search think of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Advised {
    /// All moves of the game in order, with their values where they are legal.
    pub values: Vec<(String, Option<f32>)>,
    /// The best move; `None` when the game is over.
    pub best: Option<String>,
    /// What is expected still to come; 0 when the game is over.
    pub expected: f32,
    /// The best moves one after another, each with the likeliest new tile, as far as the game
    /// goes on.
    pub line: Vec<(String, String)>,
    /// What games played on by single-ply searches scored, and how many of them reached the
    /// next tiles; no scores when the game is over.
    pub scores: Vec<f64>,
    /// See `scores`.
    pub reached: Vec<(u64, usize)>,
    /// How far the search looked.
    pub ply: u32,
    /// Positions and afterstates it looked at.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

/// The values of all moves of a position by expectimax, ply by ply until the budget is spent,
/// and what is to be hoped for.
///
/// # Errors
/// When the game, the position, the solver or its network is wrong, or the network does not
/// know a tile of the position.
pub fn advise(question: &Asked<'_>, stop: &AtomicBool) -> Result<Advised, ParseError> {
    match question.game.split(':').next().unwrap_or_default() {
        "2048" => advised::<Game2048>(question, stop),
        "2584" => advised::<Game2584>(question, stop),
        "threes" => advised::<Threes>(question, stop),
        other => Err(ParseError::new("game", quote(other), "one of tiles: 2048, 2584 or threes")),
    }
}

fn advised<G: Sliding>(question: &Asked<'_>, stop: &AtomicBool) -> Result<Advised, ParseError> {
    let variant = variant_of::<G>(question.game)?;
    let position = G::parse(&variant, question.position)?;
    let (name, params) = Params::split(question.solver)?;
    let mut params = params.declared(SEARCH)?;
    let needed = match name {
        "ntuple" => true,
        "expectimax" => false,
        _ => {
            let expected = "ntuple | expectimax, or --exact";
            return Err(ParseError::new("solver", quote(name), expected));
        }
    };
    let mut network_params = params.clone();
    let made = Searcher::<G>::read(&variant, &mut params, needed, DEEPEST)?;
    params.all_read()?;
    if let Some(network) = network::<G>(&variant, &mut network_params, false)? {
        check_range(&position, network.form().values)?;
    }
    let mut search = made.search();
    let limits = Limits::new(Instant::now(), question.budget, stop);
    let advice = search.deepen(&position, &limits);
    let time = limits.elapsed();
    let value = |index: usize| {
        let action = position.action_of_index(index).expect("the index is within the space");
        let valued = advice.moves.iter().find(|valued| valued.action == action);
        (position.action_text(action), valued.map(|valued| valued.value))
    };
    let best = advice.best();
    let episodes = match best {
        None => Vec::new(),
        Some(_) => {
            let mut search = made.search();
            search.ply = 1;
            resume_from(&mut search, &position, GAMES, question.seed, stop)
        }
    };
    Ok(Advised {
        values: (0..G::action_space(&variant)).map(value).collect(),
        best: best.map(|best| position.action_text(best.action)),
        expected: best.map_or(0.0, |best| best.value),
        line: line(&made, &position, best.map(|best| best.action)),
        scores: episodes.iter().map(|episode| episode.score as f64).collect(),
        reached: reached(&position, &episodes),
        ply: advice.ply,
        nodes: advice.nodes,
        time,
    })
}

/// The largest number on the board after any move.
fn largest<G: Sliding>(position: &G) -> u8 {
    let mut cells = vec![0; G::cell_shape(&position.variant()).cells];
    let mut largest = 0;
    position.children(|_, after, _| {
        G::write_cells(&after, &mut cells);
        largest = cells.iter().copied().max().unwrap_or(0).max(largest);
    });
    largest
}

/// Refuses a position whose moves make tiles that a network takes for smaller ones.
fn check_range<G: Sliding>(position: &G, values: usize) -> Result<(), ParseError> {
    let largest = largest(position);
    if usize::from(largest) < values {
        return Ok(());
    }
    Err(ParseError::new(
        "position",
        format!("the tile {} on the board or one move away", G::tile(largest)),
        format!("tiles the network tells apart, up to {}", G::tile(values as u8 - 1)),
    ))
}

fn line<G: Sliding>(
    made: &Searcher<G>,
    position: &G,
    first: Option<G::Action>,
) -> Vec<(String, String)> {
    let mut search = made.search();
    search.ply = LINE_PLY.min(made.ply);
    let (mut here, mut next, mut line) = (*position, first, Vec::new());
    while let Some(action) = next.filter(|_| line.len() < LINE) {
        let (after, _) = here.apply(action);
        let mut likeliest: Option<(G::Chance, f64)> = None;
        let _ = G::outcomes(&after, |chance, p| {
            if likeliest.is_none_or(|(_, most)| p > most) {
                likeliest = Some((chance, p));
            }
            std::ops::ControlFlow::Continue(())
        });
        let (chance, _) = likeliest.expect("every afterstate has an outcome");
        line.push((here.action_text(action), G::chance_text(&after, chance)));
        here = G::apply_outcome(&after, chance).0;
        next = search.advise(&here).best().map(|best| best.action);
    }
    line
}

/// How many episodes reached which of the next tiles, the smallest first.
fn reached<G: Sliding>(position: &G, episodes: &[Episode]) -> Vec<(u64, usize)> {
    let shown = position.view().cells;
    let now = shown.iter().filter_map(|cell| cell.text.parse::<u64>().ok()).max().unwrap_or(0);
    let count = |number: u8| episodes.iter().filter(|episode| episode.largest >= number).count();
    let tiles = (1..64).map(|number| (G::tile(number), count(number)));
    tiles.filter(|&(tile, hits)| tile > now && hits > 0).take(NEXT_TILES).collect()
}
