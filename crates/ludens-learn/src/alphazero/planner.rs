//! The searches that self-play drives.

use ludens_core::{Deterministic, Evals, Game, Pov, Rng};
use ludens_search::tree::{Backup, Root, TreeSearch};

/// A tree search that names positions and is told what an evaluator says of them, so that the trees
/// of many games share its batches: a [`TreeSearch`].
pub trait Planner<G: Game>: Send {
    /// Begins a move: so many simulations from a position.
    fn begin(&mut self, position: &G, simulations: u32, root: Root, rng: Rng);

    /// Appends at most one position that needs a verdict; gives how many. None means that the move is
    /// decided.
    fn gather(&mut self, out: &mut Vec<G>) -> usize;

    /// Enters the verdict on what was gathered, which is at a place of `evals`.
    fn apply(&mut self, evals: &Evals, place: usize);

    /// A move to play, drawn by lot at a temperature above 0.
    fn draw(&self, temperature: f32, rng: &mut Rng, scratch: &mut Vec<f32>) -> G::Action;

    /// What a policy should say of the position: chances in the order of its actions.
    fn policy(&self, out: &mut Vec<f32>);

    /// The value of the position to its player.
    fn value(&self) -> Pov;

    /// Whether that is beyond doubt.
    fn is_proven(&self) -> bool;

    /// Keeps what is known of the position after a move.
    fn advance(&mut self, action: G::Action);
}

impl<G: Deterministic, B: Backup<G>> Planner<G> for TreeSearch<G, B> {
    fn begin(&mut self, position: &G, simulations: u32, root: Root, rng: Rng) {
        self.start(position, u64::from(simulations), root, rng);
    }

    fn gather(&mut self, out: &mut Vec<G>) -> usize {
        TreeSearch::gather(self, 1, out)
    }

    fn apply(&mut self, evals: &Evals, place: usize) {
        TreeSearch::apply(self, evals, place);
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
