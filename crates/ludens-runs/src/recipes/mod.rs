//! Recipes paired with the games that they can learn, their encoders, searches and referees.

mod block;
mod probs;
mod self_play;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ludens_core::error::quote;
use ludens_core::params::spec;
use ludens_core::{Deterministic, Duel, Notation, ParseError, Solver, Variant};
use ludens_games::former::{Evaluation, Former};
use ludens_games::{Game2048, Game2584, Threes};
use ludens_learn::alphazero::{self, AlphaZeroConfig, Learner, Setup, Tree};
use ludens_learn::probs::ProbsConfig;
use ludens_learn::supervised::{GameExperts, SupervisedConfig};
use ludens_learn::td::Learnable;
use ludens_learn::{
    Actors, Error, Limited, Opened, Plots, Progress, Recipe, Report, Run, RunRequest, drive,
    no_plots, ppo, supervised, td,
};
use ludens_nn::{Encoder, FormerCells, NetValue, TileCells};
use ludens_search::{Beam, ByBound, Exact, Greedy, Rounds};

use crate::curves::curves;
use crate::defaults;

pub(crate) use block::play_block;
use probs::ProbsVisitor;
use self_play::SelfPlayVisitor;

/// A run that was asked for: how it is opened, its game, and who watches.
pub(crate) struct Asked<'a> {
    pub(crate) request: RunRequest,
    pub(crate) game: &'a str,
    /// Who plays in place of threads, where a recipe can let others play.
    pub(crate) actors: Option<Arc<dyn Actors>>,
    /// Steps of this call at most.
    pub(crate) steps: Option<u64>,
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
        drive(Limited { recipe, steps: self.steps }, dir, plots, self.stop, self.report)
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
    let Asked { request, steps, stop, report, .. } = asked;
    let opened = with_experts(|experts| {
        supervised::open(&request, FormerCells, variant, config, experts, stop, &mut *report)
    })?;
    let Some((recipe, dir)) = opened else { return Ok(None) };
    drive(Limited { recipe, steps }, dir, &no_plots, stop, report)
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

/// Opens a run and drives it.
struct Learn<'a> {
    actors: Option<Arc<dyn Actors>>,
    steps: Option<u64>,
    stop: &'a AtomicBool,
    report: Report<'a>,
}

impl SelfPlayVisitor for Learn<'_> {
    type Output = Option<Progress>;

    fn visit<G: Deterministic + Notation, L: Learner<G>, T: Tree<G>>(
        self,
        variant: G::Variant,
        run: Run<AlphaZeroConfig>,
        setup: &Setup<G, L, T>,
    ) -> Learned {
        let (recipe, dir) = alphazero::open(run, variant, setup)?;
        let recipe = Limited { recipe: recipe.with_actors(self.actors), steps: self.steps };
        drive(recipe, dir, &no_plots, self.stop, self.report)
    }
}

impl ProbsVisitor for Learn<'_> {
    type Output = Option<Progress>;

    fn visit<G: Duel + Deterministic + Notation, E: Encoder<G> + Default>(
        self,
        variant: G::Variant,
        run: Run<ProbsConfig>,
    ) -> Learned {
        let (recipe, dir) = ludens_learn::probs::open::<G, E>(run, variant)?;
        let recipe = Limited { recipe: recipe.with_actors(self.actors), steps: self.steps };
        drive(recipe, dir, &no_plots, self.stop, self.report)
    }
}

pub(crate) fn alphazero(asked: Asked<'_>) -> Learned {
    let Asked { request, game, actors, steps, stop, report } = asked;
    self_play::visit(game, request.with_folder()?, Learn { actors, steps, stop, report })
}

pub(crate) fn probs(asked: Asked<'_>) -> Learned {
    let Asked { request, game, actors, steps, stop, report } = asked;
    probs::visit(game, request.with_folder()?, Learn { actors, steps, stop, report })
}
