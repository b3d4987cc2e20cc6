//! Blocks of games of self-play, by whichever recipe.

use std::ops::Range;

use ludens_core::error::quote;
use ludens_core::{Deterministic, Duel, Notation, ParseError};
use ludens_learn::alphazero::{self, AlphaZeroConfig, Learner, Setup, Tree};
use ludens_learn::probs::ProbsConfig;
use ludens_learn::{Error, Run, RunRequest, Settings, probs as learner};
use ludens_nn::Encoder;

use super::probs::{self, ProbsVisitor};
use super::self_play::{self, SelfPlayVisitor};

/// Plays a block of games.
struct PlayBlock<'a> {
    network: &'a [u8],
    numbers: Range<u64>,
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl SelfPlayVisitor for PlayBlock<'_> {
    type Output = Option<String>;

    fn visit<G: Deterministic + Notation, L: Learner<G>, T: Tree<G>>(
        self,
        variant: G::Variant,
        Run { config, seed, .. }: Run<AlphaZeroConfig>,
        setup: &Setup<G, L, T>,
    ) -> Result<Self::Output, Error> {
        let PlayBlock { network, numbers, stop } = self;
        alphazero::play_block(&config, variant, seed, setup, network, numbers, stop)
    }
}

impl ProbsVisitor for PlayBlock<'_> {
    type Output = Option<String>;

    fn visit<G: Duel + Deterministic + Notation, E: Encoder<G> + Default>(
        self,
        variant: G::Variant,
        Run { config, seed, .. }: Run<ProbsConfig>,
    ) -> Result<Self::Output, Error> {
        let PlayBlock { network, numbers, stop } = self;
        learner::play_block::<G, E>(&config, variant, seed, network, numbers, stop)
    }
}

/// Plays a block of games of self-play with the network of a file's bytes: JSON lines, as
/// [`GamesPlayed`](ludens_learn::GamesPlayed) has them. `None` when `stop` asked for an end.
pub(crate) fn play_block(
    recipe: &str,
    game: &str,
    request: &RunRequest,
    network: &[u8],
    numbers: Range<u64>,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<String>, Error> {
    let block = PlayBlock { network, numbers, stop };
    match recipe {
        AlphaZeroConfig::RECIPE => self_play::visit(game, request, block),
        ProbsConfig::RECIPE => probs::visit(game, request, block),
        other => {
            let expected = "one whose games others can play: alphazero or probs";
            Err(ParseError::new("recipe", quote(other), expected).into())
        }
    }
}
