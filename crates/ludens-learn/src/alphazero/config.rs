//! Every setting of the recipe.

use ludens_nn::Engine;

use crate::settings::settings;

settings! {
    /// What to learn and how.
    AlphaZeroConfig, "alphazero", ["iterations", "minutes", "threads", "engine", "slots", "cache", "keep", "rate", "sims", "scatter", "plies", "opening", "exact"] {
        w: usize = 32, (1..=512), "filters of every convolution";
        blocks: usize = 4, (0..=50), "residual blocks of two convolutions";
        kernel: usize = 3, (1..=15), "the stem's kernel, an odd number";
        graph: u8 = 0, (0..=1), "1: Sevn's graph network instead";
        wins: u8 = 0, (0..=1), "1: a value-win graph network, which judges moves by where they lead";
        sims: u32 = 32, (1..=1000000), "simulations of a full search";
        fast: u32 = 8, (1..=1000000), "simulations of a fast search, which teaches no policy";
        full: f32 = 0.5, (0.0..=1.0), "share of moves with a full search";
        considered: usize = 16, (0..=1000), "moves that the Gumbel root begins with; 0: PUCT with noise";
        scale: f32 = 0.5, (0.0..=10.0), "weight of values against logits at the Gumbel root";
        c: f32 = 1.5, (0.0..=100.0), "exploration in the tree";
        fpu: f32 = 0.25, (0.0..=2.0), "how much less a move not tried yet counts";
        alpha: f64 = 0.5, (0.001..=100.0), "Dirichlet noise at the root of PUCT";
        noise: f32 = 0.25, (0.0..=1.0), "share of that noise";
        temperature: f32 = 1.0, (0.0..=10.0), "temperature of moves in the opening";
        opening: usize = 12, (0..=10000), "moves that are drawn by lot; the best one is played later";
        scatter: f32 = 0.5, (0.0..=1.0), "share of games that begin with random moves";
        plies: u32 = 8, (1..=1000), "random moves at most";
        games: u64 = 256, (1..=1000000), "games of an iteration";
        longest: usize = 400, (1..=100000), "moves of a game at most; longer ones are draws";
        window: usize = 200000, (1..=100000000), "newest samples that are learned from";
        passes: f32 = 3.0, (0.0..=100.0), "times that a sample is learned from, on average";
        batch: usize = 128, (2..=65536), "samples of a step";
        rate: f32 = 0.002, (0.0..=1.0), "learning rate";
        decay: f32 = 0.0001, (0.0..=1.0), "weight decay";
        inertia: f32 = 0.995, (0.0..=1.0), "how slowly the mean of the weights, which plays, follows";
        blend: f32 = 0.3, (0.0..=1.0), "share of the search's value in what the value learns; the rest is the result";
        exact: u64 = 0, (0..=1000000), "nodes in which a solver may settle a late position, which is then learned; 0: none";
        slots: usize = 16, (1..=4096), "games that a thread plays side by side, judged in one batch";
        cache: usize = 50000, (1..=100000000), "positions whose verdicts a thread remembers";
        iterations: u64 = 1000000, (1..=1000000000), "iterations at most";
        minutes: f64 = 60.0, (0.0..=1000000.0), "minutes to learn, all parts of a run together";
        threads: usize = 2, (1..=1024), "threads that play; one of them also learns";
        engine: Engine = "native", engines, "what networks run on while they learn; all but native need a program built with it";
        keep: u64 = 0, (0..=1000000), "keep the network of every so many iterations; 0: only the last";
    }
}

impl AlphaZeroConfig {
    /// The settings that suit a game, by its name.
    pub fn for_game(name: &str) -> AlphaZeroConfig {
        let plain = AlphaZeroConfig::default();
        match name {
            "othello" => AlphaZeroConfig { opening: 16, plies: 12, longest: 130, ..plain },
            "togyzkumalak" => {
                AlphaZeroConfig { kernel: 5, opening: 20, plies: 12, games: 128, ..plain }
            }
            // Starts are random already, and its search has no Gumbel root.
            "former" => AlphaZeroConfig {
                blocks: 2,
                kernel: 7,
                considered: 0,
                alpha: 0.3,
                opening: 4,
                scatter: 0.0,
                games: 128,
                ..plain
            },
            "sevn" => AlphaZeroConfig { graph: 1, scatter: 0.0, opening: 8, ..plain },
            _ => plain,
        }
    }
}
