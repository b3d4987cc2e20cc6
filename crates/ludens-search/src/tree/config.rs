//! Every part of the search that can be exchanged, and named compositions of them.

use ludens_core::Rng;

use super::arena::Edge;

/// How the tree is searched.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TreeConfig {
    /// How a move is chosen on the way down.
    pub selection: Selection,
    /// What values are divided by before they meet the bonus of exploration.
    pub range: Range,
    /// What is done with results that are certain.
    pub solver: Solver,
    /// How a chance node gets the outcome of a simulation.
    pub outcomes: ChanceSampling,
    /// What the evaluator gives besides the value of a position.
    pub expansion: Expansion,
    /// What a simulation costs the moves on its way until its position is evaluated.
    pub virtual_loss: f32,
    /// Whether the first simulation evaluates the root itself.
    pub evaluate_root: bool,
    /// Whether that is one of the simulations asked for. It always is after a move to a position that
    /// the tree does not have.
    pub count_root: bool,
    /// Whether a position with one move is searched, and not only evaluated.
    pub search_forced: bool,
}

impl TreeConfig {
    /// UCT with a solver, for evaluators without priors: random games.
    pub fn uct(selection: Selection) -> Self {
        TreeConfig {
            selection,
            range: Range::Fixed(1.0),
            solver: Solver::Proofs,
            outcomes: ChanceSampling::Random,
            expansion: Expansion::Priors,
            virtual_loss: 1.0,
            evaluate_root: false,
            count_root: true,
            search_forced: true,
        }
    }

    /// PUCT as AlphaZero has it, for games of two that can be won.
    pub fn puct(PuctConfig { c, fpu, virtual_loss, plain }: PuctConfig) -> Self {
        let selection = match plain {
            true => Selection::Plain(c),
            false => Selection::AlphaZero { c, fpu },
        };
        TreeConfig {
            solver: if plain { Solver::Off } else { Solver::Values },
            virtual_loss,
            evaluate_root: true,
            count_root: !plain,
            ..TreeConfig::uct(selection)
        }
    }

    /// The same for sums of rewards, which count by their range.
    pub fn puct_of_returns(config: PuctConfig) -> Self {
        TreeConfig {
            range: Range::MinMax,
            solver: Solver::Off,
            search_forced: false,
            ..TreeConfig::puct(config)
        }
    }

    /// UCB1 over the values of all moves, for games with chance.
    pub fn stochastic(c: f32, range: Range, outcomes: ChanceSampling) -> Self {
        TreeConfig {
            range,
            solver: Solver::Off,
            outcomes,
            expansion: Expansion::Values,
            virtual_loss: 0.0,
            evaluate_root: true,
            ..TreeConfig::uct(Selection::Ucb1(c))
        }
    }
}

/// How a move is chosen on the way down, with the constant of exploration. `N` counts the visits of
/// the node, `n` those of the move, `Q` is the move's mean, `P` its prior.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Selection {
    /// `Q + c sqrt(ln N / n)`: UCB1.
    Ucb1(f32),
    /// `Q + c sqrt(N / (1 + n))`: Clark 2021, equation 1, which also decides the move.
    Sqrt(f32),
    /// `Q + c P sqrt(N) / (1 + n)`: Clark 2021, equation 2, PUCT.
    Puct(f32),
    /// `Q + c P sqrt(N) / (1 + n)`, where `N` leaves the node's own evaluation out and a move
    /// without visits has the node's value less `fpu sqrt(sum of the priors of tried moves)`.
    AlphaZero {
        /// Exploration.
        c: f32,
        /// First-play urgency reduction.
        fpu: f32,
    },
    /// `Q + c P sqrt(N) / (1 + n)` as the program of Clark (2021) has it: `N` leaves the node's own
    /// evaluation out, and a move without visits has a `Q` of 0.
    Plain(f32),
}

/// The settings of PUCT.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PuctConfig {
    /// Exploration: `Q + c P sqrt(N) / (1 + n)`.
    pub c: f32,
    /// A move not tried yet counts as the position's value less this, times the root of the
    /// probability of the moves that were tried.
    pub fpu: f32,
    /// What a simulation costs the moves on its way until its position is evaluated.
    pub virtual_loss: f32,
    /// [`Selection::Plain`] in place of first-play urgency, and no proofs; the root's evaluation is
    /// not one of the simulations.
    pub plain: bool,
}

impl Default for PuctConfig {
    fn default() -> Self {
        PuctConfig { c: 1.5, fpu: 0.25, virtual_loss: 1.0, plain: false }
    }
}

/// What values are divided by, so that a constant of exploration means the same in every game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Range {
    /// Always this.
    Fixed(f32),
    /// The value of the root's best move when it was added, at least 1.
    Root,
    /// The difference of the least and the largest value of a whole game that the tree has seen;
    /// rewards being whole numbers, at least 1.
    MinMax,
}

/// What is done with results that are certain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Solver {
    /// Nothing.
    Off,
    /// They are proven upwards; what is proven is not searched again.
    Proofs,
    /// Besides, they replace the values of simulations, ends of the game are seen one move ahead,
    /// and nobody goes below a draw that is certain.
    Values,
}

/// How a chance node gets the outcome of a simulation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChanceSampling {
    /// Drawn by probability.
    Random,
    /// The one whose visits are furthest behind its probability's share of them, any of equals. The
    /// shares become those of the probabilities, but means depend far less on luck.
    Balanced,
}

/// What the priors of an [`Evals`](ludens_core::Evals) mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expansion {
    /// The probabilities of moves.
    Priors,
    /// The values of moves to the mover, each of which counts as the move's first visit.
    Values,
}

/// What is different at the root.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Root {
    /// Nothing.
    #[default]
    Plain,
    /// Priors mixed with noise, so that every move is tried now and then.
    Noisy(Noise),
    /// Sequential halving of a few moves drawn without replacement.
    Gumbel(Gumbel),
}

/// Dirichlet noise.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Noise {
    /// The parameter: small ones favour few moves.
    pub alpha: f64,
    /// The share of the noise.
    pub share: f32,
}

impl Noise {
    /// Mixes the priors with noise, using a scratch buffer.
    pub(super) fn mix<W>(self, edges: &mut [Edge<W>], scratch: &mut Vec<f32>, rng: &mut Rng) {
        scratch.clear();
        scratch.resize(edges.len(), 0.0);
        rng.dirichlet(self.alpha, scratch);
        for (edge, random) in edges.iter_mut().zip(scratch) {
            edge.prior += self.share * (*random - edge.prior);
        }
    }
}

/// The Gumbel root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gumbel {
    /// Moves to start with, at least 1.
    pub considered: usize,
    /// How much a value counts against a logit: `(50 + most visits) * scale` per unit of the chance
    /// to win.
    pub scale: f32,
    /// Whether moves are drawn; otherwise the likeliest ones are considered.
    pub draw: bool,
}

impl Gumbel {
    /// Visits that every move counts as having when values are weighed.
    pub(super) const VISITS: f32 = 50.0;
}

impl Default for Gumbel {
    fn default() -> Self {
        Gumbel { considered: 16, scale: 0.5, draw: true }
    }
}
