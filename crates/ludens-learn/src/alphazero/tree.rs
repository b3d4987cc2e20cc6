//! The searches that self-play drives. This is the only place that knows them.

use ludens_core::{Deterministic, Evals, Game, Pov, Rng};
use ludens_search::tree::{Backup, Root, TreeSearch};

/// A tree search that names positions and gets what an evaluator says of them, so that the trees
/// of many games share its batches: a [`TreeSearch`].
pub trait Tree<G: Game>: Send {
    /// Starts the search of a move: n simulations from a position.
    fn start(&mut self, position: &G, simulations: u32, root: Root, rng: Rng);

    /// Appends at most one position that needs an evaluation; gives how many. None means that the move is
    /// decided.
    fn gather(&mut self, out: &mut Vec<G>) -> usize;

    /// Enters the evaluation of what was gathered, which has an index in `evals`.
    fn apply(&mut self, evals: &Evals, index: usize);

    /// A move to play, drawn at random at a temperature above 0.
    fn draw(&self, temperature: f32, rng: &mut Rng, scratch: &mut Vec<f32>) -> G::Action;

    /// What a policy should say of the position: probabilities in the order of its actions.
    fn policy(&self, out: &mut Vec<f32>);

    /// The value of the position to its player.
    fn value(&self) -> Pov;

    /// Whether that is beyond doubt.
    fn is_proven(&self) -> bool;

    /// Keeps what is known of the position after a move.
    fn advance(&mut self, action: G::Action);
}

impl<G: Deterministic, B: Backup<G>> Tree<G> for TreeSearch<G, B> {
    fn start(&mut self, position: &G, simulations: u32, root: Root, rng: Rng) {
        TreeSearch::start(self, position, u64::from(simulations), root, rng);
    }

    fn gather(&mut self, out: &mut Vec<G>) -> usize {
        TreeSearch::gather(self, 1, out)
    }

    fn apply(&mut self, evals: &Evals, index: usize) {
        TreeSearch::apply(self, evals, index);
    }

    fn draw(&self, temperature: f32, rng: &mut Rng, scratch: &mut Vec<f32>) -> G::Action {
        TreeSearch::draw(self, temperature, rng, scratch)
    }

    fn policy(&self, out: &mut Vec<f32>) {
        TreeSearch::policy(self, out);
    }

    fn value(&self) -> Pov {
        TreeSearch::value(self)
    }

    fn is_proven(&self) -> bool {
        self.proven().is_some()
    }

    fn advance(&mut self, action: G::Action) {
        TreeSearch::advance(self, action);
    }
}
