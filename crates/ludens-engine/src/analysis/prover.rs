//! Exact values of positions in games for two: solvers that prove, whatever the game.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use ludens_core::platform::{Instant, thread};
use ludens_core::{Deterministic, Game, GameStaticEval, Limits, Notation, StaticEval};
use ludens_games::connect_four::book::Book;
use ludens_games::connect_four::solver::{Bounds, scores};
use ludens_games::othello::endgame::Endgame;
use ludens_games::{ConnectFour, Othello, Sevn, Togyzkumalak};
use ludens_models::BundledBook;
use ludens_search::duel::{ProofSearch, Span};

use super::report::{Analysis, Details, MoveAnalysis, Report};
use super::request::{AnalysisError, Analyzer, Search};
use super::solver::{SolverEntry, SolverInfo};
use crate::Legal;

/// What a prover may use.
pub(crate) struct Resources {
    pub(crate) threads: usize,
    /// Bytes of tables.
    pub(crate) memory: usize,
}

/// The moves of a position with the bounds of their values, and the positions looked at.
pub(crate) type Proven<G> = (Vec<(<G as Game>::Action, i32, i32)>, u64);

/// Called with the moves and what is known of them while a proof goes on.
pub(crate) type OnBounds<'a, G> = &'a (dyn Fn(&[(<G as Game>::Action, i32, i32)]) + Sync);

/// What proves values in a game.
pub(crate) struct Prover<G: Game> {
    pub(crate) info: SolverInfo,
    /// How long it searches unless a limit is given; `None` for as long as it takes.
    pub(crate) usual_time: Option<Duration>,
    pub(crate) prove: fn(&G, &Limits<'_>, &Resources, OnBounds<'_, G>) -> Proven<G>,
    /// Whether a proof may be found in seconds, so that it is worth half of an agent's time.
    pub(crate) in_reach: fn(&G) -> bool,
    /// What values count.
    pub(crate) unit: &'static str,
}

impl<G: StaticEval + Deterministic> Prover<G> {
    /// Wins, draws and losses by search to the end: for ends of any game, and small ones.
    pub(crate) const fn outcomes(in_reach: fn(&G) -> bool) -> Self {
        Prover {
            info: SolverInfo {
                name: "outcomes",
                about: "who wins under best play, by search to the end",
                parameters: &[],
            },
            usual_time: Some(Duration::from_secs(5)),
            prove: outcomes::<G>,
            in_reach,
            unit: "result",
        }
    }
}

/// Sevn's end.
pub(crate) const SEVN: Prover<Sevn> = Prover::outcomes(|position| position.tiles_left() <= 24);

/// Togyzkumalak's end: where few balls are left, or one side is about to win.
pub(crate) const TOGYZKUMALAK: Prover<Togyzkumalak> = Prover::outcomes(|position| {
    let [one, two] = position.collected_balls();
    one.max(two) >= 70 || one + two >= 130
});

fn outcomes<G: StaticEval + Deterministic>(
    position: &G,
    limits: &Limits<'_>,
    request: &Resources,
    report: OnBounds<'_, G>,
) -> Proven<G> {
    // Enough for what a minute can find, and soon made.
    let mut search = ProofSearch::new(GameStaticEval, request.memory.min(64 << 20));
    let bounds =
        |&(action, span): &(G::Action, Span)| (action, i32::from(span.low), i32::from(span.high));
    let moves = search.moves(position, limits, |_, so_far| {
        report(&so_far.iter().map(bounds).collect::<Vec<_>>());
    });
    (moves.iter().map(bounds).collect(), search.nodes())
}

/// Connect Four is solved from the start.
pub(crate) const CONNECT_FOUR: Prover<ConnectFour> = Prover {
    in_reach: |_| true,
    info: SolverInfo {
        name: "perfect",
        about: "exact scores by alpha-beta over bit boards",
        parameters: &[],
    },
    usual_time: None,
    prove: |position, limits, request, report| {
        // What the book has needs no table, which takes time to make.
        if let Some(known) = book().and_then(|book| book.moves(position)) {
            let exact = |(column, score)| (column, score, score);
            return (position.actions().zip(known).map(exact).collect(), 0);
        }
        // The fewer cells are left, the less there is to remember; a large table takes time.
        let bytes = match position.stone_count() {
            0..10 => 1 << 29,
            10..14 => 1 << 27,
            14..20 => 1 << 25,
            _ => 1 << 22,
        };
        let table = Bounds::new(request.memory.min(bytes));
        let share = request.threads.max(1) as u64;
        let stop = |nodes: u64| limits.interrupted() || limits.spent(nodes * share);
        scores(position, book(), &table, request.threads, &stop, report)
    },
    unit: "score",
};

/// The bundled opening book, read once. A program without it solves without.
fn book() -> Option<&'static Book> {
    static BOOK: OnceLock<Option<Book>> = OnceLock::new();
    let read = || Book::parse(BundledBook::find(ConnectFour::NAME)?.bytes).ok();
    BOOK.get_or_init(read).as_ref()
}

/// Othello's end.
pub(crate) const OTHELLO: Prover<Othello> = Prover {
    in_reach: |position| {
        let [own, other] = position.sides();
        (own | other).count_zeros() <= 20
    },
    info: SolverInfo {
        name: "endgame",
        about: "the difference of discs at the end under best play",
        parameters: &[],
    },
    usual_time: Some(Duration::from_secs(60)),
    prove: |position, limits, request, report| {
        /// No difference is further from 0.
        const MOST: i32 = 64;
        let actions: Vec<_> = position.actions().collect();
        let threads = request.threads.clamp(1, actions.len().max(1));
        let memory = request.memory.min(128 << 20) / threads;
        let (next, nodes) = (AtomicUsize::new(0), AtomicU64::new(0));
        let open = actions.iter().map(|&action| (action, -MOST, MOST)).collect::<Vec<_>>();
        let found = Mutex::new(open);
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let share = threads as u64;
                    let stop = |nodes: u64| limits.interrupted() || limits.spent(nodes * share);
                    let mut search = Endgame::new(memory, &stop);
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(&action) = actions.get(at) else { break };
                        let Some(value) = search.difference(position, Some(action)) else { break };
                        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                        found[at] = (action, value, value);
                        report(&found);
                    }
                    nodes.fetch_add(search.nodes(), Ordering::Relaxed);
                });
            }
        });
        (found.into_inner().unwrap_or_else(PoisonError::into_inner), nodes.into_inner())
    },
    unit: "discs",
};

/// The solvers of a game with a prover: it alone.
pub(crate) fn entries<G: Notation>(prover: &'static Prover<G>) -> Vec<SolverEntry<G>> {
    vec![SolverEntry::analyzer(prover.info, move |_, _| Ok(ByProof(prover)))]
}

/// A prover as an analyser.
pub(crate) struct ByProof<G: Game>(pub(crate) &'static Prover<G>);

impl<G: Notation> Analyzer<G> for ByProof<G> {
    fn analyze(
        &mut self,
        position: &G,
        search: &mut Search<'_>,
    ) -> Result<Analysis, AnalysisError> {
        let request = search.request;
        let mut budget = request.budget;
        if !request.prove && request.is_unlimited() {
            budget.time = self.0.usual_time;
        }
        let limits = Limits::new(search.start, budget, search.stop);
        let resources = Resources { threads: request.threads, memory: request.memory };
        let (start, method, unit) = (search.start, search.method, self.0.unit);
        let callback = Mutex::new(&mut search.callback);
        let report = |found: &[(G::Action, i32, i32)]| {
            let so_far = analysis(position, found, method, unit, start);
            let mut callback = callback.lock().unwrap_or_else(PoisonError::into_inner);
            (**callback)(Report::Choice(so_far));
        };
        let (found, nodes) = (self.0.prove)(position, &limits, &resources, &report);
        Ok(Analysis { nodes, ..analysis(position, &found, method, unit, start) })
    }
}

/// What is known of the moves of a position.
fn analysis<G: Notation>(
    position: &G,
    found: &[(G::Action, i32, i32)],
    method: &str,
    unit: &'static str,
    start: Instant,
) -> Analysis {
    let bounded = |&(action, low, high): &(G::Action, i32, i32)| MoveAnalysis {
        action: Legal::of(position, action),
        value: (low == high).then_some(f64::from(low)),
        bounds: Some((low, high)),
        visits: None,
        prior: None,
    };
    let mut analysis = Analysis {
        method: method.to_owned(),
        moves: found.iter().map(bounded).collect(),
        time: start.elapsed(),
        details: Details::Bounds { unit },
        ..Analysis::default()
    };
    let proven = analysis.bounds().filter(|(low, high)| low == high);
    analysis.value = proven.map(|(value, _)| f64::from(value));
    analysis.proven = proven.is_some();
    let best = analysis.best_moves().next().map(|best| best.action.clone());
    analysis.best = best;
    analysis
}
