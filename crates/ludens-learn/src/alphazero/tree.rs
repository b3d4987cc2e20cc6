//! The searches that self-play drives. This is the only place that knows them.

use ludens_core::{Deterministic, Duel, Evals, Game, Rng, Solo};
use ludens_search::SoloPuct;
use ludens_search::duel::puct::{Puct, Root};

/// A tree search that names positions and gets what an evaluator says of them, so that the trees
/// of many games share its batches: [`Puct`] for two players, [`SoloPuct`] for one.
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

    /// What a policy should say of the position: chances in the order of its actions.
    fn policy(&self, out: &mut Vec<f32>);

    /// The value of the position to its player.
    fn value(&self) -> f32;

    /// Whether that is beyond doubt.
    fn is_proven(&self) -> bool;

    /// Keeps what is known of the position after a move.
    fn advance(&mut self, action: G::Action);
}

impl<G: Duel + Deterministic> Tree<G> for Puct<G> {
    fn start(&mut self, position: &G, simulations: u32, root: Root, rng: Rng) {
        Puct::begin(self, position, simulations, root, rng);
    }

    fn gather(&mut self, out: &mut Vec<G>) -> usize {
        Puct::gather(self, 1, out)
    }

    fn apply(&mut self, evals: &Evals, index: usize) {
        Puct::apply(self, evals, index);
    }

    fn draw(&self, temperature: f32, rng: &mut Rng, scratch: &mut Vec<f32>) -> G::Action {
        Puct::draw(self, temperature, rng, scratch)
    }

    fn policy(&self, out: &mut Vec<f32>) {
        Puct::policy(self, out);
    }

    fn value(&self) -> f32 {
        Puct::value(self)
    }

    fn is_proven(&self) -> bool {
        self.proven().is_some()
    }

    fn advance(&mut self, action: G::Action) {
        Puct::advance(self, action);
    }
}

/// Has no Gumbel root: a plain one stands in for it.
impl<G: Solo + Deterministic> Tree<G> for SoloPuct<G> {
    fn start(&mut self, position: &G, simulations: u32, root: Root, rng: Rng) {
        let noise = match root {
            Root::Noisy(noise) => Some(noise),
            Root::Plain | Root::Gumbel(_) => None,
        };
        SoloPuct::begin(self, position, simulations, noise, rng);
    }

    fn gather(&mut self, out: &mut Vec<G>) -> usize {
        SoloPuct::gather(self, out)
    }

    fn apply(&mut self, evals: &Evals, index: usize) {
        SoloPuct::apply(self, evals, index);
    }

    fn draw(&self, temperature: f32, rng: &mut Rng, scratch: &mut Vec<f32>) -> G::Action {
        SoloPuct::draw(self, temperature, rng, scratch)
    }

    fn policy(&self, out: &mut Vec<f32>) {
        SoloPuct::policy(self, out);
    }

    fn value(&self) -> f32 {
        SoloPuct::value(self)
    }

    fn is_proven(&self) -> bool {
        false
    }

    fn advance(&mut self, action: G::Action) {
        SoloPuct::advance(self, action);
    }
}
