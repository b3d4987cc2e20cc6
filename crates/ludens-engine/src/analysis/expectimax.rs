//! The moves of a sliding game valued by expectimax, and games played on.

use std::sync::Arc;

use ludens_core::{Budget, Limits, Params, ParseError};
use ludens_ntuple::Network;

use super::report::{Analysis, Details, MoveAnalysis, Step};
use super::request::{AnalysisError, Analyzer, Search};
use crate::Legal;
use crate::episodes::{Episode, resume_from};
use crate::sliding::{DEEPEST, Searcher, Sliding, network, own_evaluator};

/// Moves of the line that is shown.
const LINE: usize = 5;
/// The ply of the searches for the line's later moves.
const LINE_PLY: u32 = 2;
/// Games played on for the chances.
const GAMES: u64 = 200;
/// Tiles beyond the board's largest whose chances are shown.
const NEXT_TILES: usize = 4;

/// Values all moves by expectimax, ply by ply until the budget is spent, then plays games on.
pub(crate) struct ByExpectimax<G: Sliding> {
    searcher: Searcher<G>,
    network: Option<Arc<Network>>,
}

impl<G: Sliding> ByExpectimax<G> {
    /// Reads the parameters of `ntuple` and `expectimax`.
    pub(crate) fn read(
        variant: &G::Variant,
        params: &mut Params,
        needed: bool,
    ) -> Result<Self, ParseError> {
        let mut of_network = params.clone();
        let searcher = Searcher::<G>::read(variant, params, needed, DEEPEST)?;
        let network = match own_evaluator(&mut of_network)? {
            Some(_) => None,
            None => network::<G>(variant, &mut of_network, false)?,
        };
        Ok(ByExpectimax { searcher, network })
    }
}

impl<G: Sliding> Analyzer<G> for ByExpectimax<G> {
    fn analyze(
        &mut self,
        position: &G,
        search: &mut Search<'_>,
    ) -> Result<Analysis, AnalysisError> {
        if let Some(network) = &self.network {
            check_range(position, network.form().values)?;
        }
        let mut expectimax = self.searcher.search_to(self.searcher.ply, search.request.memory);
        let limits = Limits::new(search.start, search.request.budget, search.stop);
        // The rest is for the games played on.
        let two_thirds = limits.budget().time.map(|time| time * 2 / 3);
        let shorter = limits.within(Budget { time: two_thirds, ..Budget::default() });
        let advice = expectimax.deepen(position, &shorter);
        let time = limits.elapsed();
        let valued = advice.moves.iter().map(|valued| MoveAnalysis {
            action: Legal::of(position, valued.action),
            value: Some(f64::from(valued.value)),
            bounds: None,
            visits: None,
            prior: None,
        });
        let best = advice.best();
        let episodes = match best {
            None => Vec::new(),
            Some(_) => {
                let mut search_once = self.searcher.search_to(1, 0);
                resume_from(&mut search_once, position, GAMES, search.request.seed, &limits)
            }
        };
        Ok(Analysis {
            method: search.method.to_owned(),
            best: best.map(|best| Legal::of(position, best.action)),
            value: Some(best.map_or(0.0, |best| f64::from(best.value))),
            moves: valued.collect(),
            line: line(&self.searcher, position, best.map(|best| best.action)),
            nodes: advice.nodes,
            depth: advice.ply,
            time,
            details: Details::Episodes {
                scores: episodes.iter().map(|episode| episode.score as f64).collect(),
                reached: reached(position, &episodes),
            },
            ..Analysis::default()
        })
    }
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

fn line<G: Sliding>(made: &Searcher<G>, position: &G, first: Option<G::Action>) -> Vec<Step> {
    let mut search = made.search_to(LINE_PLY.min(made.ply), 0);
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
        let chance_text = Some(G::chance_text(&after, chance));
        line.push(Step { action: here.action_text(action), chance: chance_text });
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
