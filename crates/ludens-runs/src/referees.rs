//! Who tells self-play what moves come to under best play.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use ludens_core::{Budget, Deterministic, GameStaticEval, Limits, StaticEval};
use ludens_games::ConnectFour;
use ludens_games::connect_four::solver::{Bounds, results};
use ludens_learn::alphazero::Referee;
use ludens_search::duel::{ProofSearch, Span};

/// Bytes of a referee's table. Every game has one of its own, so it must be made soon.
const MEMORY: usize = 1 << 20;

/// For any game, by a search for proofs.
pub(crate) fn by_proof<G: StaticEval + Deterministic>(nodes: u64) -> Referee<G> {
    let mut search = ProofSearch::new(GameStaticEval, MEMORY);
    Box::new(move |position| {
        let stop = AtomicBool::new(false);
        let limits = Limits::new(Instant::now(), Budget::nodes(nodes), &stop);
        let moves = search.moves(position, &limits, |_, _| {});
        let known = |span: Span| span.is_closed().then_some(span.low);
        moves.into_iter().map(|(_, span)| known(span)).collect()
    })
}

/// For Connect Four, by its own solver.
pub(crate) fn connect_four(nodes: u64) -> Referee<ConnectFour> {
    let bounds = Bounds::new(MEMORY);
    Box::new(move |position| results(position, &bounds, &|looked_at| looked_at >= nodes))
}
