//! AlphaZero paired with the games that it learns: their networks, searches and referees.

use ludens_core::error::quote;
use ludens_core::params::spec;
use ludens_core::{Deterministic, Duel, Notation, ParseError, Symmetric, Variant};
use ludens_games::former::Former;
use ludens_games::sevn::Base;
use ludens_games::{ConnectFour, Othello, Sevn, Togyzkumalak};
use ludens_learn::alphazero::{
    AlphaZeroConfig, GraphLearner, Learner, PlaneLearner, Referee, Setup, Tree,
};
use ludens_learn::{CHECKPOINT, Error, Run, RunRequest, Settings};
use ludens_nn::{
    ConnectFourCells, Encoder, FormerCells, GraphSpec, OthelloCells, SevnCells, SevnGraph,
    SevnLooplessGraph, TogyzkumalakPits,
};
use ludens_search::tree::{Results, Returns, TreeSearch};

use crate::{defaults, referees};

/// Does something with a run of AlphaZero, whatever its game.
pub(crate) trait SelfPlayVisitor {
    /// What it comes to.
    type Output;

    /// Gets the game's variant, the run's settings and folder, and what the game is searched and
    /// learned with.
    fn visit<G: Deterministic + Notation, L: Learner<G>, T: Tree<G>>(
        self,
        variant: G::Variant,
        run: Run<AlphaZeroConfig>,
        setup: &Setup<G, L, T>,
    ) -> Result<Self::Output, Error>;
}

/// Opens the run of a request and hands it to a visitor.
pub(crate) fn visit<V: SelfPlayVisitor>(
    game: &str,
    request: &RunRequest,
    visitor: V,
) -> Result<V::Output, Error> {
    let name = game.split(':').next().unwrap_or_default();
    match name {
        ConnectFour::NAME => {
            let referee = referees::connect_four;
            planes::<ConnectFour, ConnectFourCells, V>(game, request, referee, visitor)
        }
        Othello::NAME => {
            planes::<Othello, OthelloCells, V>(game, request, referees::by_proof, visitor)
        }
        Togyzkumalak::NAME => {
            planes::<Togyzkumalak, TogyzkumalakPits, V>(game, request, referees::by_proof, visitor)
        }
        Sevn::NAME => sevn(game, request, visitor),
        Former::NAME => former(game, request, visitor),
        _ => {
            let known = "connect-four, othello, togyzkumalak, sevn or former";
            Err(ParseError::new("game", quote(name), known).into())
        }
    }
}

/// A run, opened before its network is chosen.
fn open<G: Notation>(
    game: &str,
    request: &RunRequest,
    check: impl FnOnce(&AlphaZeroConfig) -> Result<(), ParseError>,
) -> Result<(G::Variant, Run<AlphaZeroConfig>), Error> {
    let variant = ludens_engine::variant_of::<G>(game)?;
    let (game, config) = (spec(G::NAME, &variant.write()), defaults::settings(G::NAME)?);
    let check = |config: &AlphaZeroConfig| config.check::<G>().and_then(|()| check(config));
    Ok((variant, request.open(&game, config, CHECKPOINT, check)?))
}

fn planes<G, E, V: SelfPlayVisitor>(
    game: &str,
    request: &RunRequest,
    referee: fn(u64) -> Referee<G>,
    visitor: V,
) -> Result<V::Output, Error>
where
    G: Duel + Deterministic + Notation + Symmetric,
    E: Encoder<G> + Default,
{
    let (variant, run) = open::<G>(game, request, of_planes)?;
    let tree = TreeSearch::<_, Results>::puct;
    let setup: Setup<G, PlaneLearner<G, E>, _> =
        Setup { tree, referee: Some(referee), variants: Vec::new(), architecture: () };
    visitor.visit(variant, run, &setup)
}

fn sevn<V: SelfPlayVisitor>(
    game: &str,
    request: &RunRequest,
    visitor: V,
) -> Result<V::Output, Error> {
    let (variant, run) = open::<Sevn>(game, request, of_sevn)?;
    let (tree, referee) =
        (TreeSearch::<_, Results>::puct, Some(referees::by_proof as fn(u64) -> Referee<Sevn>));
    let bases = run.config.bases;
    let variants = bases.shares().filter_map(|(base, share)| Some((Base::new(base)?, share)));
    let variants = variants.collect();
    if run.config.graph == 0 {
        let setup: Setup<Sevn, PlaneLearner<Sevn, SevnCells>, _> =
            Setup { tree, referee, variants, architecture: () };
        return visitor.visit(variant, run, &setup);
    }
    let architecture = GraphSpec::sevn();
    if run.config.self_edges == 0 {
        let setup: Setup<Sevn, GraphLearner<Sevn, SevnLooplessGraph>, _> =
            Setup { tree, referee, variants, architecture };
        return visitor.visit(variant, run, &setup);
    }
    let setup: Setup<Sevn, GraphLearner<Sevn, SevnGraph>, _> =
        Setup { tree, referee, variants, architecture };
    visitor.visit(variant, run, &setup)
}

fn former<V: SelfPlayVisitor>(
    game: &str,
    request: &RunRequest,
    visitor: V,
) -> Result<V::Output, Error> {
    let cells = ludens_engine::variant_of::<Former>(game)?.cells() as usize;
    let (variant, run) = open::<Former>(game, request, |config| {
        if config.max_moves < cells {
            // What is left of a game that was cut off is not known.
            let found = config.max_moves.to_string();
            let expected = format!("{cells} at least, so that games come to their end");
            return Err(ParseError::new("setting max_moves", found, expected));
        }
        of_planes(config)
    })?;
    let tree = TreeSearch::<_, Returns>::puct;
    let setup: Setup<Former, PlaneLearner<Former, FormerCells>, _> =
        Setup { tree, referee: None, variants: Vec::new(), architecture: () };
    visitor.visit(variant, run, &setup)
}

/// What a network of planes needs.
fn of_planes(config: &AlphaZeroConfig) -> Result<(), ParseError> {
    if config.graph != 0 {
        return Err(ParseError::new("setting graph", "1", "0: only Sevn has graphs"));
    }
    of_sevn(config)
}

/// What only Sevn's graph network can do.
fn of_sevn(config: &AlphaZeroConfig) -> Result<(), ParseError> {
    let texts = config.texts();
    let found = |key| texts.iter().find(|(name, _)| *name == key).map(|(_, text)| text.clone());
    for (key, usual, why) in [
        ("wins", "0", "only Sevn's graph network (graph=1) is one of values and wins"),
        ("bases", "none", "only Sevn's graph network (graph=1) sees boards of several sizes"),
        ("self_edges", "1", "only Sevn's graph network (graph=1) has edges"),
        ("biases", "zero", "only the biases of Sevn's graph network (graph=1) can be drawn"),
        ("policy", "softmax", "only the policy of Sevn's graph network (graph=1) can be tanh"),
        ("loss", "cross-entropy", "only Sevn's graph network (graph=1) learns squared errors"),
    ] {
        if let Some(text) = found(key).filter(|text| text != usual && config.graph == 0) {
            let expected = format!("{usual}: {why}");
            return Err(ParseError::new(format!("setting {key}"), text, expected));
        }
    }
    Ok(())
}
