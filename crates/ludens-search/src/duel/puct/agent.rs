//! The search at the board, and the evaluator without a search.

use std::time::Duration;

use ludens_core::{
    Agent, Branch, Budget, Choice, Considered, Context, Deterministic, Duel, Evals, Evaluator,
    Limits, Rng,
};

use super::config::{PuctConfig, Root};
use super::search::Puct;

/// Time between two reports.
const REPORT: Duration = Duration::from_millis(100);
/// Positions of a batch that are judged between looks at the clock.
const PART: usize = 128;

/// Grows a tree for every move and keeps what the moves played leave of it.
pub struct PuctAgent<G: Duel, E> {
    /// Simulations per move; no limit without.
    pub simulations: Option<u32>,
    /// Further limits per move.
    pub budget: Budget,
    /// Positions judged at once, at least 1.
    pub batch: usize,
    /// What is different at the root.
    pub root: Root,
    evaluator: E,
    pub(super) tree: Puct<G>,
    positions: Vec<G>,
    evals: Evals,
    part: Evals,
}

impl<G: Duel + Deterministic, E: Evaluator<G>> PuctAgent<G, E> {
    /// An agent with an evaluator of its own, one position at a time and without limits.
    pub fn new(config: PuctConfig, evaluator: E) -> Self {
        PuctAgent {
            simulations: None,
            budget: Budget::default(),
            batch: 1,
            root: Root::Plain,
            evaluator,
            tree: Puct::new(config),
            positions: Vec::new(),
            evals: Evals::default(),
            part: Evals::default(),
        }
    }

    /// One batch; one that the limits cut short counts for nothing.
    fn grow(&mut self, limits: &Limits<'_>) {
        self.positions.clear();
        self.tree.gather(self.batch.max(1), &mut self.positions);
        if self.positions.is_empty() {
            return;
        }
        if self.positions.len() <= PART {
            self.evaluator.evaluate(&self.positions, &mut self.evals);
        } else {
            self.evals.clear();
            for part in self.positions.chunks(PART) {
                if limits.interrupted() {
                    return self.tree.abandon();
                }
                self.evaluator.evaluate(part, &mut self.part);
                self.evals.append(&self.part);
            }
        }
        self.tree.apply(&self.evals, 0);
    }
}

impl<G: Duel + Deterministic, E: Evaluator<G>> Agent<G> for PuctAgent<G, E> {
    fn choose(&mut self, position: &G, context: &mut Context<'_, G>) -> Choice<G::Action> {
        let limits = context.within(self.budget);
        let rng = Rng::new(context.rng.next_u64());
        self.tree.begin(position, self.simulations.unwrap_or(u32::MAX), self.root, rng);
        let mut next = REPORT;
        let mut first = true;
        while !self.tree.is_done() {
            // The first verdict is always awaited, so that there is something to say.
            let spent = limits.spent(u64::from(self.tree.simulations()));
            let spent = spent || self.tree.bytes() >= context.memory;
            if !first && (spent || limits.interrupted()) {
                break;
            }
            if !first && limits.elapsed() >= next {
                next = limits.elapsed() + REPORT;
                context.report_choice(&self.tree.choice());
            }
            self.grow(&limits);
            first = false;
        }
        self.tree.choice()
    }

    fn tree(&self, most: usize) -> Vec<Branch<G>> {
        self.tree.tree.outline(most)
    }

    fn observe(&mut self, before: &G, action: G::Action, position: &G) {
        let same = self.tree.size() > 0 && self.tree.position() == before;
        if same && !position.is_over() {
            self.tree.advance(action);
        } else {
            self.tree.forget();
        }
    }

    fn reset(&mut self) {
        self.tree.forget();
    }
}

/// Plays the move that an evaluator thinks likeliest, without any search.
pub struct PriorAgent<E> {
    evaluator: E,
    evals: Evals,
}

impl<E> PriorAgent<E> {
    /// An agent with an evaluator of its own.
    pub fn new(evaluator: E) -> Self {
        PriorAgent { evaluator, evals: Evals::default() }
    }
}

impl<G: Duel, E: Evaluator<G>> Agent<G> for PriorAgent<E> {
    fn choose(&mut self, position: &G, _: &mut Context<'_, G>) -> Choice<G::Action> {
        self.evaluator.evaluate(std::slice::from_ref(position), &mut self.evals);
        let moves = Considered::by_priors(position, self.evals.priors(0));
        let action = moves.first().expect("an agent is asked only while the game goes on").action;
        let sign = position.to_move().sign() as f32;
        let value = self.evals.value(0).map(|value| f64::from(value * sign));
        Choice { value, moves, line: vec![action], nodes: 1, depth: 0, ..Choice::bare(action) }
    }
}
