//! Recipes paired with the games that they can learn, their encoders, searches and referees.

use std::sync::atomic::AtomicBool;

use ludens_core::error::quote;
use ludens_core::params::spec;
use ludens_core::{Deterministic, Duel, Notation, ParseError, Solver, Symmetric, Variant};
use ludens_games::former::{Evaluation, Former};
use ludens_games::sevn::Base;
use ludens_games::{ConnectFour, Game2048, Game2584, Othello, Sevn, Threes, Togyzkumalak};
use ludens_learn::alphazero::{
    self, AlphaZeroConfig, GraphLearner, Learner, PlaneLearner, Referee, Setup, Tree,
};
use ludens_learn::probs::{NetKind, ProbsConfig};
use ludens_learn::supervised::{GameExperts, SupervisedConfig};
use ludens_learn::td::Learnable;
use ludens_learn::{
    CHECKPOINT, Error, Opened, Plots, Progress, Recipe, Report, Run, RunRequest, Settings, drive,
    no_plots, ppo, probs, supervised, td,
};
use ludens_nn::{
    ConnectFourCells, Encoder, FormerCells, GraphSpec, NetValue, OthelloCells, OthelloProbs,
    SevnCells, SevnGraph, TileCells, TogyzkumalakPits, Valid,
};
use ludens_search::tree::{Results, Returns, TreeSearch};
use ludens_search::{Beam, ByBound, Exact, Greedy, Rounds};

use crate::curves::curves;
use crate::{defaults, referees};

/// A run that was asked for: how it is opened, its game, and who watches.
pub(crate) struct Asked<'a> {
    pub(crate) request: RunRequest,
    pub(crate) game: &'a str,
    pub(crate) stop: &'a AtomicBool,
    pub(crate) report: Report<'a>,
}

type Learned = Result<Option<Progress>, Error>;

impl Asked<'_> {
    /// The game's name.
    fn name(&self) -> &str {
        self.game.split(':').next().unwrap_or_default()
    }

    fn variant<G: Notation>(&self) -> Result<G::Variant, ParseError> {
        ludens_engine::variant_of::<G>(self.game)
    }

    fn unknown(&self, known: &str) -> Learned {
        Err(ParseError::new("game", quote(self.name()), known).into())
    }

    fn drive(self, (recipe, dir): Opened<impl Recipe>, plots: Plots<'_>) -> Learned {
        drive(recipe, dir, plots, self.stop, self.report)
    }
}

pub(crate) fn td(asked: Asked<'_>) -> Learned {
    fn learn<G: Learnable>(asked: Asked<'_>) -> Learned {
        let (variant, config) = (asked.variant::<G>()?, defaults::settings(G::NAME)?);
        let opened = td::open::<G>(&asked.request, variant, config)?;
        let game = spec(G::NAME, &variant.write());
        asked.drive(opened, &|metrics| curves(&game, metrics).into())
    }
    match asked.name() {
        Game2048::NAME => learn::<Game2048>(asked),
        Game2584::NAME => learn::<Game2584>(asked),
        Threes::NAME => learn::<Threes>(asked),
        _ => asked.unknown("2048, 2584 or threes"),
    }
}

/// The beam of the exact solver's first guess: ends of games are small.
const GUESS: usize = 64;

/// Former's experts: a beam, or a network's values followed greedily.
pub(crate) fn with_experts<R>(
    use_them: impl FnOnce(&GameExperts<'_, Former, FormerCells>) -> R,
) -> R {
    let heuristic = Evaluation::default();
    let player = |config: &SupervisedConfig| -> Box<dyn Solver<Former>> {
        let rounds = Rounds::plain(config.beam);
        Box::new(Beam { heuristic, ceiling: ByBound, rounds })
    };
    let by_value = |value: NetValue<Former, FormerCells>| -> Box<dyn Solver<Former>> {
        Box::new(Greedy(value))
    };
    let exact =
        || -> Box<dyn Solver<Former>> { Box::new(Exact { width: GUESS, ..Exact::new(heuristic) }) };
    use_them(&GameExperts { player: &player, by_value: &by_value, exact: &exact })
}

pub(crate) fn supervised(asked: Asked<'_>) -> Learned {
    if asked.name() != Former::NAME {
        return asked.unknown(Former::NAME);
    }
    let (variant, config) = (asked.variant::<Former>()?, defaults::settings(Former::NAME)?);
    let Asked { request, stop, report, .. } = asked;
    let opened = with_experts(|experts| {
        supervised::open(&request, FormerCells, variant, config, experts, stop, &mut *report)
    })?;
    let Some((recipe, dir)) = opened else { return Ok(None) };
    drive(recipe, dir, &no_plots, stop, report)
}

pub(crate) fn ppo(asked: Asked<'_>) -> Learned {
    fn learn<G: ludens_core::Solo + Notation>(
        encoder: impl Encoder<G>,
        asked: Asked<'_>,
    ) -> Learned {
        let (variant, config) = (asked.variant::<G>()?, defaults::settings(G::NAME)?);
        let opened = ppo::open(&asked.request, encoder, variant, config)?;
        asked.drive(opened, &no_plots)
    }
    match asked.name() {
        Former::NAME => learn::<Former>(FormerCells, asked),
        Game2048::NAME => learn::<Game2048>(TileCells, asked),
        _ => asked.unknown("former or 2048"),
    }
}

pub(crate) fn probs(asked: Asked<'_>) -> Learned {
    // The authors' network for Othello sees other planes.
    fn learn<G, E, R>(asked: Asked<'_>) -> Learned
    where
        G: Duel + Deterministic + Notation,
        E: Encoder<G> + Default,
        R: Encoder<G> + Default,
    {
        let (variant, config) = (asked.variant::<G>()?, defaults::settings(G::NAME)?);
        let game = spec(G::NAME, &variant.write());
        let check = |config: &ProbsConfig| config.check(E::shape(&variant));
        let run = asked.request.with_folder()?.open(&game, config, probs::STATE, check)?;
        match run.config.net {
            NetKind::Valid(Valid { flag: true, .. }) => {
                let opened = probs::open::<G, R>(run, variant)?;
                asked.drive(opened, &no_plots)
            }
            _ => {
                let opened = probs::open::<G, E>(run, variant)?;
                asked.drive(opened, &no_plots)
            }
        }
    }
    match asked.name() {
        ConnectFour::NAME => learn::<ConnectFour, ConnectFourCells, ConnectFourCells>(asked),
        Othello::NAME => learn::<Othello, OthelloCells, OthelloProbs>(asked),
        Togyzkumalak::NAME => learn::<Togyzkumalak, TogyzkumalakPits, TogyzkumalakPits>(asked),
        _ => asked.unknown("connect-four, othello or togyzkumalak"),
    }
}

pub(crate) fn alphazero(asked: Asked<'_>) -> Learned {
    match asked.name() {
        ConnectFour::NAME => planes::<ConnectFour, ConnectFourCells>(asked, referees::connect_four),
        Othello::NAME => planes::<Othello, OthelloCells>(asked, referees::by_proof),
        Togyzkumalak::NAME => planes::<Togyzkumalak, TogyzkumalakPits>(asked, referees::by_proof),
        Sevn::NAME => sevn(asked),
        Former::NAME => former(asked),
        _ => asked.unknown("connect-four, othello, togyzkumalak, sevn or former"),
    }
}

/// A run of AlphaZero, opened before its network is chosen.
fn open_alphazero<G: Notation>(
    asked: &Asked<'_>,
    check: impl FnOnce(&AlphaZeroConfig) -> Result<(), ParseError>,
) -> Result<(G::Variant, Run<AlphaZeroConfig>), Error> {
    let variant = asked.variant::<G>()?;
    let (game, config) = (spec(G::NAME, &variant.write()), defaults::settings(G::NAME)?);
    let check = |config: &AlphaZeroConfig| config.check::<G>().and_then(|()| check(config));
    Ok((variant, asked.request.with_folder()?.open(&game, config, CHECKPOINT, check)?))
}

fn run_alphazero<G: Deterministic + Notation, L: Learner<G>, T: Tree<G>>(
    asked: Asked<'_>,
    (variant, run): (G::Variant, Run<AlphaZeroConfig>),
    setup: &Setup<G, L, T>,
) -> Learned {
    let opened = alphazero::open(run, variant, setup)?;
    asked.drive(opened, &no_plots)
}

fn planes<G, E>(asked: Asked<'_>, referee: fn(u64) -> Referee<G>) -> Learned
where
    G: Duel + Deterministic + Notation + Symmetric,
    E: Encoder<G> + Default,
{
    let opened = open_alphazero::<G>(&asked, of_planes)?;
    let tree = TreeSearch::<_, Results>::puct;
    let setup = Setup { tree, referee: Some(referee), variants: Vec::new(), architecture: () };
    run_alphazero::<G, PlaneLearner<G, E>, _>(asked, opened, &setup)
}

fn sevn(asked: Asked<'_>) -> Learned {
    let opened = open_alphazero::<Sevn>(&asked, of_sevn)?;
    let (tree, referee) =
        (TreeSearch::<_, Results>::puct, Some(referees::by_proof as fn(u64) -> Referee<Sevn>));
    let bases = opened.1.config.bases;
    let variants = bases.shares().filter_map(|(base, share)| Some((Base::new(base)?, share)));
    let variants = variants.collect();
    if opened.1.config.graph == 0 {
        let setup = Setup { tree, referee, variants, architecture: () };
        return run_alphazero::<_, PlaneLearner<Sevn, SevnCells>, _>(asked, opened, &setup);
    }
    let setup = Setup { tree, referee, variants, architecture: GraphSpec::sevn() };
    run_alphazero::<_, GraphLearner<Sevn, SevnGraph>, _>(asked, opened, &setup)
}

fn former(asked: Asked<'_>) -> Learned {
    let cells = asked.variant::<Former>()?.cells() as usize;
    let opened = open_alphazero::<Former>(&asked, |config| {
        if config.max_moves < cells {
            // What is left of a game that was cut off is not known.
            let found = config.max_moves.to_string();
            let expected = format!("{cells} at least, so that games come to their end");
            return Err(ParseError::new("setting max_moves", found, expected));
        }
        of_planes(config)
    })?;
    let tree = TreeSearch::<_, Returns>::puct;
    let setup = Setup { tree, referee: None, variants: Vec::new(), architecture: () };
    run_alphazero::<_, PlaneLearner<Former, FormerCells>, _>(asked, opened, &setup)
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
