//! Every setting of the recipe.

use ludens_core::ParseError;
use ludens_nn::{Engine, Valid};

use crate::settings::settings;

/// Which networks learn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NetKind {
    /// Those that the other settings describe.
    Own,
    /// Those of the program of Pastukhov (2024).
    Valid(Valid),
}

/// What the squared errors of Q are divided by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QLoss {
    /// The moves of a batch.
    Moves,
    /// The moves of a state, then the states of a batch.
    States,
}

settings! {
    /// What to learn and how; names of the PROBS paper (2024) in brackets.
    #[derive(Copy)]
    ProbsConfig, "probs", ["iterations", "minutes", "threads", "engine", "parallel_games", "temperature", "rate", "keep"], added ["net" = "own", "reuse" = "0", "q_loss" = "moves", "validation" = "0", "decay" = "0", "whole_batches" = "0", "ends" = "0"] {
        net: NetKind = "own", ["own" => NetKind::Own, "probs-10k" => NetKind::Valid(Valid::PROBS_10K), "probs-100k" => NetKind::Valid(Valid::PROBS_100K), "probs-reversi" => NetKind::Valid(Valid::PROBS_REVERSI)], "networks: own as described below, or those of the authors' program";
        channels: usize = 32, (1..=512), "channels of every convolution";
        layers: usize = 3, (1..=50), "convolutions";
        hidden: usize = 60, (1..=65536), "units of the dense layer";
        blocks: usize = 0, (0..=50), "residual blocks of two convolutions in place of those and of the dense layer; the paper: 0";
        games: u64 = 1000, (1..=10000000), "games of an iteration (N_EPISODES)";
        max_moves: usize = 100, (1..=100000), "moves of a game at most (N_TURNS)";
        expand: usize = 10, (1..=1000000), "positions that a beam search expands (E)";
        depth: u32 = 99, (0..=1000000), "how deep it goes (M)";
        reuse: u8 = 0, (0..=1), "1: a search keeps what the one before found below the move made, and expands all moves of its state; the authors' program: 1";
        q_loss: QLoss = "moves", ["moves" => QLoss::Moves, "states" => QLoss::States], "what the loss of Q is the mean over; the authors' program: states";
        validation: f32 = 0.05, (0.0..=0.5), "share of games that nothing is learned from, to see how well others are known";
        ends: u8 = 0, (0..=1), "1: V also learns the positions in which games end; the authors' program: 1";
        capacity: usize = 100000, (1..=100000000), "positions of an iteration that are kept (C)";
        temperature: f32 = 1.0, (0.001..=1000.0), "what Q is divided by before self-play draws moves by its softmax; the paper: 1";
        epsilon: f32 = 0.25, (0.0..=1.0), "share of noise in self-play";
        alpha: f64 = 0.5, (0.001..=100.0), "the noise's Dirichlet parameter";
        rate: f32 = 0.003, (0.0..=1.0), "learning rate of both networks";
        ema_decay: f32 = 0.0, (0.0..=1.0), "decay of the moving averages of the weights, which play; the paper: 0";
        decay: f32 = 0.0, (0.0..=1.0), "weight decay apart from the loss (AdamW); the authors' program: 0.00001";
        batch: usize = 128, (2..=65536), "samples of a step";
        whole_batches: u8 = 0, (0..=1), "1: samples left over when batches are full are not learned from; the authors' program: 1";
        parallel_games: usize = 32, (1..=4096), "games or beam searches that a thread runs side by side";
        iterations: u64 = 100, (1..=1000000000), "iterations at most (N_ITER)";
        minutes: f64 = 60.0, (0.0..=1000000.0), "minutes to learn, all parts of a run together";
        threads: usize = 2, (1..=1024), "threads";
        engine: Engine = "native", engines, "what networks run on while they learn; all but native need a program built with it";
        keep: u64 = 0, (0..=1000000), "keep the networks of every n-th iteration; 0: only the last";
    }
}

impl ProbsConfig {
    /// Whether the settings go together on a board of these rows, columns and planes.
    ///
    /// # Errors
    /// When they do not.
    pub fn check(&self, [rows, cols, _]: [usize; 3]) -> Result<(), ParseError> {
        let NetKind::Valid(valid) = self.net else { return Ok(()) };
        if !valid.fits(rows, cols) {
            let expected = format!("own: {rows}x{cols} is too small for its convolutions");
            return Err(ParseError::new("setting net", "one of the authors'", expected));
        }
        if self.engine != Engine::Native {
            let expected = "native: the authors' networks have no other";
            return Err(ParseError::new("setting engine", "another", expected));
        }
        Ok(())
    }
}
