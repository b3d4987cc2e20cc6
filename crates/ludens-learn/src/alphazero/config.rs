//! Every setting of the recipe.

use ludens_core::{Game, ParseError};
use ludens_nn::{Adam, Engine, Optimizer, PolicyOutput, Sgd};

use super::mix::BaseMix;
use crate::settings::settings;

/// What takes the steps of learning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptimizerKind {
    /// Adam.
    Adam,
    /// Plain stochastic gradient descent.
    Sgd,
}

/// What is made small.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LossKind {
    /// The cross-entropy of the policy and the squared error of the value, their means over a batch.
    CrossEntropy,
    /// The squared errors of the value and of what is said of every move, their sums over a batch.
    Squares,
}

/// What the biases of a fresh network are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BiasStart {
    /// 0.
    Zero,
    /// Drawn by Glorot's uniform distribution, also called Xavier's.
    Xavier,
}

settings! {
    /// What to learn and how.
    #[derive(Copy)]
    AlphaZeroConfig, "alphazero", ["iterations", "minutes", "threads", "engine", "parallel_games", "cache", "keep", "rate", "sims", "random_opening", "plies", "opening", "exact", "games", "bases"], added ["policy" = "softmax", "self_edges" = "1", "biases" = "zero", "bases" = "none", "plain" = "0", "window_iterations" = "0", "lag" = "1", "validation" = "0", "optimizer" = "adam", "loss" = "cross-entropy"] {
        channels: usize = 32, (1..=512), "channels of every convolution";
        blocks: usize = 4, (0..=50), "residual blocks of two convolutions";
        kernel: usize = 3, (1..=15), "the stem's kernel, an odd number";
        graph: u8 = 0, (0..=1), "1: Sevn's graph network instead";
        policy: PolicyOutput = "softmax", ["softmax" => PolicyOutput::Softmax, "tanh" => PolicyOutput::Tanh], "how a graph network's policy is read from its outputs";
        bases: BaseMix = "none", declared, "bases of Sevn that games start with, and the share of each; none: that of the game";
        self_edges: u8 = 1, (0..=1), "0: a graph network's tiles are not connected with themselves";
        biases: BiasStart = "zero", ["zero" => BiasStart::Zero, "xavier" => BiasStart::Xavier], "what a graph network's biases start with; xavier: drawn as its other weights are";
        wins: u8 = 0, (0..=1), "1: a value-win graph network, which evaluates moves by where they lead";
        sims: u32 = 32, (1..=1000000), "simulations of a full search";
        fast: u32 = 8, (1..=1000000), "simulations of a fast search, which teaches no policy";
        full: f32 = 0.5, (0.0..=1.0), "share of moves with a full search";
        considered: usize = 16, (0..=1000), "moves that the Gumbel root starts with; 0: PUCT with noise";
        scale: f32 = 0.5, (0.0..=10.0), "weight of values against logits at the Gumbel root";
        plain: u8 = 0, (0..=1), "1: PUCT where a move not tried yet has the value 0, without proofs; the root's evaluation is no simulation";
        c: f32 = 1.5, (0.0..=100.0), "exploration in the tree";
        fpu: f32 = 0.25, (0.0..=2.0), "how much less a move not tried yet counts";
        alpha: f64 = 0.5, (0.001..=100.0), "Dirichlet noise at the root of PUCT";
        noise: f32 = 0.25, (0.0..=1.0), "share of that noise";
        temperature: f32 = 1.0, (0.0..=10.0), "temperature of moves in the opening";
        opening: usize = 12, (0..=10000), "moves that are drawn at random; later the best one is played";
        random_opening: f32 = 0.5, (0.0..=1.0), "share of games that start with random moves";
        plies: u32 = 8, (1..=1000), "random moves at most";
        games: u64 = 256, (1..=1000000), "games of an iteration";
        max_moves: usize = 400, (1..=100000), "moves of a game at most; longer ones are draws";
        window: usize = 200000, (1..=100000000), "newest samples that are learned from";
        window_iterations: usize = 0, (0..=1000000), "newest iterations that are learned from; 0: as many as the window holds";
        lag: u8 = 1, (0..=1), "1: learns from games while the next ones are played; 0: before they are";
        validation: f32 = 0.05, (0.0..=0.5), "share of games that nothing is learned from, to see how well others are known";
        replay_ratio: f32 = 3.0, (0.0..=100.0), "times that a sample is learned from, on average";
        batch: usize = 128, (2..=65536), "samples of a step";
        optimizer: OptimizerKind = "adam", ["adam" => OptimizerKind::Adam, "sgd" => OptimizerKind::Sgd], "what takes the steps";
        loss: LossKind = "cross-entropy", ["cross-entropy" => LossKind::CrossEntropy, "mse" => LossKind::Squares], "mse: squared errors of the value and of every move, summed over a batch";
        rate: f32 = 0.002, (0.0..=1.0), "learning rate";
        decay: f32 = 0.0001, (0.0..=1.0), "weight decay";
        ema_decay: f32 = 0.995, (0.0..=1.0), "decay of the moving average of the weights, which plays";
        blend: f32 = 0.3, (0.0..=1.0), "share of the search's value in what the value learns; the rest is the result";
        exact: u64 = 0, (0..=1000000), "nodes in which a solver may solve a late position, which is then learned; 0: none";
        parallel_games: usize = 16, (1..=4096), "games that a thread plays side by side, evaluated in one batch";
        cache: usize = 50000, (1..=100000000), "positions whose evaluations a thread remembers";
        iterations: u64 = 1000000, (1..=1000000000), "iterations at most";
        minutes: f64 = 60.0, (0.0..=1000000.0), "minutes to learn, all parts of a run together";
        threads: usize = 2, (1..=1024), "threads that play; one of them also learns";
        engine: Engine = "native", engines, "what networks run on while they learn; all but native need a program built with it";
        keep: u64 = 0, (0..=1000000), "keep the network of every n-th iteration; 0: only the last";
    }
}

impl AlphaZeroConfig {
    /// The optimizer with its rate and decay.
    pub fn optimizer(&self) -> Optimizer {
        let (rate, decay) = (self.rate, self.decay);
        match self.optimizer {
            OptimizerKind::Adam => Optimizer::Adam(Adam { rate, decay, ..Adam::default() }),
            OptimizerKind::Sgd => Optimizer::Sgd(Sgd { rate, decay, ..Sgd::default() }),
        }
    }

    /// Whether the settings go together, and with a game.
    ///
    /// # Errors
    /// When they do not.
    pub fn check<G: Game>(&self) -> Result<(), ParseError> {
        let wrong = |name: &str, found: String, expected: &str| {
            Err(ParseError::new(format!("setting {name}"), found, expected))
        };
        if G::PLAYERS == 1 && self.considered != 0 {
            let expected = "0: the search of one player has no Gumbel root";
            return wrong("considered", self.considered.to_string(), expected);
        }
        if G::PLAYERS == 1 && self.exact != 0 {
            return wrong(
                "exact",
                self.exact.to_string(),
                "0: referees are for games of two players",
            );
        }
        if self.policy == PolicyOutput::Tanh && self.loss != LossKind::Squares {
            return wrong("loss", "cross-entropy".to_owned(), "mse, as the policy is tanh");
        }
        if self.wins != 0
            && (self.policy, self.loss) != (PolicyOutput::Softmax, LossKind::CrossEntropy)
        {
            let expected = "0: a value-win network has no policy to read or to square";
            return wrong("wins", "1".to_owned(), expected);
        }
        match self.kernel.is_multiple_of(2) {
            true => wrong("kernel", self.kernel.to_string(), "an odd number"),
            false => Ok(()),
        }
    }
}
