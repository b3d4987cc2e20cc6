//! PROBS paired with the games that it learns, and with the planes that their networks see.

use ludens_core::error::quote;
use ludens_core::params::spec;
use ludens_core::{Deterministic, Duel, Notation, ParseError, Variant};
use ludens_games::{ConnectFour, Othello, Togyzkumalak};
use ludens_learn::probs::{NetKind, ProbsConfig, STATE};
use ludens_learn::{Error, Run, RunRequest};
use ludens_nn::{ConnectFourCells, Encoder, OthelloCells, OthelloProbs, TogyzkumalakPits, Valid};

use crate::defaults;

/// Does something with a run of PROBS, whatever its game.
pub(crate) trait ProbsVisitor {
    /// What it comes to.
    type Output;

    /// Gets the game's variant, and the run's settings and folder.
    fn visit<G: Duel + Deterministic + Notation, E: Encoder<G> + Default>(
        self,
        variant: G::Variant,
        run: Run<ProbsConfig>,
    ) -> Result<Self::Output, Error>;
}

/// Opens the run of a request and hands it to a visitor.
pub(crate) fn visit<V: ProbsVisitor>(
    game: &str,
    request: &RunRequest,
    visitor: V,
) -> Result<V::Output, Error> {
    let name = game.split(':').next().unwrap_or_default();
    match name {
        ConnectFour::NAME => {
            of_game::<ConnectFour, ConnectFourCells, ConnectFourCells, V>(game, request, visitor)
        }
        Othello::NAME => of_game::<Othello, OthelloCells, OthelloProbs, V>(game, request, visitor),
        Togyzkumalak::NAME => {
            of_game::<Togyzkumalak, TogyzkumalakPits, TogyzkumalakPits, V>(game, request, visitor)
        }
        _ => {
            let known = "connect-four, othello or togyzkumalak";
            Err(ParseError::new("game", quote(name), known).into())
        }
    }
}

/// The authors' network for Othello sees other planes, those of `R`.
fn of_game<G, E, R, V: ProbsVisitor>(
    game: &str,
    request: &RunRequest,
    visitor: V,
) -> Result<V::Output, Error>
where
    G: Duel + Deterministic + Notation,
    E: Encoder<G> + Default,
    R: Encoder<G> + Default,
{
    let variant = ludens_engine::variant_of::<G>(game)?;
    let (game, config) = (spec(G::NAME, &variant.write()), defaults::settings(G::NAME)?);
    let check = |config: &ProbsConfig| {
        if E::NAME == R::NAME && matches!(config.net, NetKind::Valid(Valid { flag: true, .. })) {
            let expected = "another: only Othello has the planes that it sees";
            return Err(ParseError::new("setting net", quote("probs-reversi"), expected));
        }
        config.check(E::shape(&variant))
    };
    let run = request.open(&game, config, STATE, check)?;
    match run.config.net {
        NetKind::Valid(Valid { flag: true, .. }) => visitor.visit::<G, R>(variant, run),
        _ => visitor.visit::<G, E>(variant, run),
    }
}
