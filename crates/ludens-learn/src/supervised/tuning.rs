//! What [`tune`](crate::tune) tries, and what comes of it.

use std::sync::atomic::{AtomicBool, Ordering};

use ludens_core::{Notation, SoloPuzzle, Symmetric};
use ludens_nn::Encoder;

use super::{ExpertGame, Heads, Supervised, SupervisedConfig, samples};
use crate::tune::{Dimension, Domain, Tunable};
use crate::{Error, Recipe, Step};

impl Tunable for SupervisedConfig {
    /// Table 5.3 of Urheim (2025).
    const SPACE: &'static [Dimension] = &[
        Dimension { name: "batch", domain: Domain::Choice(&[32.0, 64.0, 128.0, 256.0]) },
        Dimension { name: "rate", domain: Domain::Log(1e-6, 1e-2) },
        Dimension { name: "decay", domain: Domain::Log(1e-6, 1e-2) },
    ];

    fn measure(&self) -> &'static str {
        match self.kind {
            Heads::Policy => "-top1",
            Heads::Value => "mse",
            Heads::Both => "loss",
        }
    }
}

/// What settings come to, for [`tune`](crate::tune): the least [`measure`](crate::tune::Tunable::measure)
/// on the games for validation. Not finite when learning failed, `None` when it was stopped.
///
/// # Errors
/// When there are not enough samples, or there is no such engine.
pub fn trial<G, E>(
    config: SupervisedConfig,
    encoder: E,
    variant: G::Variant,
    seed: u64,
    games: &[ExpertGame<G>],
    stop: &AtomicBool,
) -> Result<Option<f64>, Error>
where
    G: SoloPuzzle + Symmetric + Notation,
    E: Encoder<G>,
{
    let split = samples(games, config.max_moves);
    let mut supervised = Supervised::new(config, encoder, variant, seed, split, None)?;
    let mut best = f64::INFINITY;
    while !supervised.is_done() {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        match supervised.step(stop) {
            Ok(Step::Done(metrics)) => {
                let found = &metrics["validation"];
                let policy = config.kind == Heads::Policy;
                let top1 = found["top1"].as_f64().filter(|_| policy).map(|top1| -top1);
                best = best.min(top1.or(found["loss"].as_f64()).unwrap_or(f64::NAN));
            }
            Ok(_) => {}
            // A rate that is too large for the network is a bad trial, not a fault.
            Err(Error::Run(_)) => return Ok(Some(f64::NAN)),
            Err(error) => return Err(error),
        }
    }
    Ok(Some(best))
}
