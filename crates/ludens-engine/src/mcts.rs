//! The single-player MCTS by name: what can be set of a composition, and the
//! models that go with it on each game.

use ludens_core::error::quote;
use ludens_core::{
    Context, Heuristic, Param, Parameter, Params, ParseError, Policy, Progress, SoloPuzzle,
    Solution, Solver, parameters,
};
use ludens_games::former::{Former, MakeModel, Model};
use ludens_games::samegame::{
    Evaluation, SameGame, SameGameKnowledge, Tabu, TabuColour, TabuPairs, VsSameGame,
};
use ludens_search::BestChild;
use ludens_search::mcts::{
    self, Config, Mcts, Narrowing, Nesting, Rule, Sampled, Scale, Simulation,
};

use crate::SolverEntry;
use crate::modelled::Modelled;
use crate::nets;

/// What every composition lets one set; the default is what its name says.
const C: Param<Option<f32>> = as_named(Param::opt_float("c", 0.0..=1000.0), "explorative factor");
const D: Param<Option<f32>> = as_named(
    Param::opt_float("d", 0.0..=1000.0),
    "SP-MCTS: weight of rare visits in the deviation",
);
const TOP: Param<Option<f32>> =
    as_named(Param::opt_float("top", 0.0..=1.0), "part of the maximum added to the average (W)");
const EPSILON: Param<Option<f32>> =
    as_named(Param::opt_float("epsilon", 0.0..=1.0), "chance of a random move in simulations");
const EXPAND: Param<Option<u32>> =
    as_named(Param::opt_int("expand", 0..=1_000_000), "visits before a node is expanded (T)");
const RUNS: Param<Option<u32>> =
    as_named(Param::opt_int("runs", 1..=10_000), "searches that share the budget");
const LEVEL: Param<Option<u32>> =
    as_named(Param::opt_int("level", 1..=5), "above 1, simulations are searches (NMCTS)");
const ITERATIONS: Param<Option<u32>> =
    as_named(Param::opt_int("iterations", 1..=1_000_000_000), "of a search that is a simulation");
const AFTER: Param<Option<u32>> =
    as_named(Param::opt_int("after", 1..=1_000_000_000), "simulations that close a depth (BMCTS)");
const WIDTH: Param<Option<u32>> = as_named(
    Param::opt_int("width", 0..=1_000_000),
    "nodes that stay when a depth is closed, 0: all",
);

const fn as_named<T>(param: Param<Option<T>>, help: &'static str) -> Param<Option<T>> {
    param.rule("as named").help(help)
}

macro_rules! composition {
    ($($more:expr),*) => {
        parameters![
            C, D, TOP, EPSILON, EXPAND, RUNS, LEVEL, ITERATIONS, AFTER, WIDTH, $($more),*
        ]
    };
}

const PARAMETERS: &[Parameter] = composition![];
const SAMEGAME_PUCT: &[Parameter] = composition![SAMEGAME_MODEL];
const FORMER: &[Parameter] = composition![FORMER_MODEL, nets::POLICY];

const SAMEGAME_MODEL: Param<Option<bool>> =
    Param::choice("model", &SAMEGAME_MODELS, "uniform").help("which moves are likely");
const SAMEGAME_MODELS: [(&str, Option<bool>); 3] =
    [("uniform", None), ("largest", Some(false)), ("evaluation", Some(true))];
const FORMER_MODEL: Param<fn() -> Model> =
    Param::choice("model", &FORMER_MODELS, "look-ahead-1").help("which moves are likely");
/// All but the slowest.
const FORMER_MODELS: [(&str, MakeModel); 6] = *Model::NAMES.first_chunk().expect("there are more");

/// A composition with some of its parts set otherwise.
fn set(mut config: Config, params: &mut Params) -> Result<Config, ParseError> {
    config.c = params.get(&C)?.unwrap_or(config.c);
    match &mut config.rule {
        Rule::SpMcts { d } => *d = params.get(&D)?.unwrap_or(*d),
        _ => {
            if let Some(d) = params.get(&D)? {
                let expected = "no such parameter: only SP-MCTS and SP-MCTS+ have it";
                return Err(ParseError::new("parameter d", quote(&d.to_string()), expected));
            }
        }
    }
    config.top_weight = params.get(&TOP)?.unwrap_or(config.top_weight);
    config.epsilon = params.get(&EPSILON)?.unwrap_or(config.epsilon);
    config.expand_after = params.get(&EXPAND)?.unwrap_or(config.expand_after);
    config.runs = params.get(&RUNS)?.unwrap_or(config.runs);
    let Nesting { level, iterations } = config.nesting;
    config.nesting = Nesting {
        level: params.get(&LEVEL)?.unwrap_or(level),
        iterations: params.get(&ITERATIONS)?.unwrap_or(iterations),
    };
    let beam = config.narrowing.unwrap_or(Narrowing { width: 0, ..Narrowing::default() });
    let beam = Narrowing {
        after: params.get(&AFTER)?.unwrap_or(beam.after),
        width: params.get(&WIDTH)?.unwrap_or(beam.width),
    };
    config.narrowing = (beam.width > 0).then_some(beam);
    Ok(config)
}

fn named(name: &str) -> Config {
    mcts::composition(name).expect("it is among the names")
}

/// All compositions on SameGame.
pub(crate) fn samegame() -> impl Iterator<Item = SolverEntry<SameGame>> {
    const ABOUT: &str = "a composition of the single-player MCTS";
    mcts::names().map(|name| match named(name).rule {
        Rule::Puct => SolverEntry::new(name, "MCTS with a policy", SAMEGAME_PUCT, move |params| {
            let model = params.get(&SAMEGAME_MODEL)?;
            Ok(SameGamePuct { config: set(named(name), params)?, model })
        }),
        _ => SolverEntry::new(name, ABOUT, PARAMETERS, move |params| {
            Ok(SameGameMcts(set(named(name), params)?))
        }),
    })
}

/// The compositions that make sense on Former: values are moves there, so
/// there is no scale, and no moves are pruned.
pub(crate) fn former() -> Vec<SolverEntry<Former>> {
    let entry = |name, about, config: Config| {
        SolverEntry::sized(name, about, FORMER, move |variant, params| {
            if let Some(policy) = nets::policy(variant, params)? {
                return Ok(Box::new(by_policy(set(config, params)?, policy)));
            }
            let model = params.get(&FORMER_MODEL)?();
            Ok(Box::new(Modelled { search: set(config, params)?, model }))
        })
    };
    let puct = named("PUCT");
    let uct =
        Config { rule: Rule::Average, scale: Scale::Fixed(1.0), c: 1.0, root_visits: 0, ..puct };
    vec![
        entry("PUCT", "MCTS with a policy", puct),
        entry("mcts", "the same by its short name", puct),
        entry("UCT", "MCTS that samples a policy", uct),
        entry(
            "NMCTS",
            "UCT whose simulations are searches",
            Config { nesting: named("NMCTS").nesting, ..uct },
        ),
        entry(
            "BMCTS",
            "UCT narrowed to a beam",
            Config { narrowing: named("BMCTS").narrowing, ..uct },
        ),
    ]
}

/// A search whose selection and simulations follow a policy.
pub(crate) fn by_policy<P: Clone>(config: Config, policy: P) -> Mcts<Sampled<P>, (), P> {
    Mcts::new(config).rollout(Sampled::new(policy.clone())).policy(policy)
}

/// PUCT on SameGame: no model, or the best child by the reward alone or with
/// the evaluation.
struct SameGamePuct {
    config: Config,
    model: Option<bool>,
}

/// The reward of a move is all that counts.
#[derive(Clone)]
struct Nothing;

impl Heuristic<SameGame> for Nothing {
    fn value(&self, _: &SameGame) -> f32 {
        0.0
    }
}

impl Solver<SameGame> for SameGamePuct {
    fn solve(
        &mut self,
        position: &SameGame,
        context: &mut Context<'_, SameGame>,
    ) -> Option<Solution<SameGame>> {
        fn run<G: SoloPuzzle, P: Policy<G> + Clone>(
            config: Config,
            policy: P,
            position: &G,
            context: &mut Context<'_, G>,
        ) -> Option<Solution<G>> {
            by_policy(config, policy).solve(position, context)
        }
        let evaluation = || BestChild(Evaluation::of(position));
        match self.model {
            None => run(self.config, (), position, context),
            Some(false) => run(self.config, BestChild(Nothing), position, context),
            Some(true) => run(self.config, evaluation(), position, context),
        }
    }
}

/// A composition of the single-player MCTS on SameGame, with VS-pruning if it has that.
struct SameGameMcts(Config);

impl SameGameMcts {
    fn search(&self) -> Mcts<Tabu, SameGameKnowledge> {
        let tabu = match self.0.simulation {
            Simulation::TabuRandom => TabuColour::Random,
            Simulation::TabuColour => TabuColour::Frequent,
            Simulation::TabuBandit => TabuColour::Bandit,
            Simulation::Random | Simulation::Policy => TabuColour::None,
        };
        let rollout = Tabu::new(tabu, self.0.random_below, TabuPairs::Never);
        Mcts::new(self.0).rollout(rollout).knowledge(SameGameKnowledge)
    }
}

impl Solver<SameGame> for SameGameMcts {
    fn solve(
        &mut self,
        position: &SameGame,
        context: &mut Context<'_, SameGame>,
    ) -> Option<Solution<SameGame>> {
        if !self.0.move_pruning {
            return self.search().solve(position, context);
        }
        let pruned = VsSameGame::new(*position);
        let limits = context.limits;
        let (seed, threads, memory) = (context.rng.next_u64(), context.threads, context.memory);
        let whole = |solution: &Solution<VsSameGame>| {
            let mut line = solution.line.clone();
            let value = pruned.complete(&mut line);
            Solution { line, value, bound: None, nodes: solution.nodes }
        };
        let mut forward = |progress: &Progress<'_, VsSameGame>| {
            let best = progress.best.map(whole);
            let Progress { nodes, stage, .. } = *progress;
            context.report(&Progress { best: best.as_ref(), bound: None, nodes, stage });
        };
        let mut inner =
            Context::new(limits.budget(), seed, threads, memory, limits.stop(), &mut forward);
        let found = self.search().solve(&pruned, &mut inner).as_ref().map(whole);
        context.statistics = inner.statistics.take();
        found
    }
}
