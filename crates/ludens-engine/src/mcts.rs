//! The single-player MCTS by name, and the models that go with it on each game.

use ludens_core::{
    Context, Heuristic, Knowledge, Param, Parameter, Policy, Progress, Rollout, SoloPuzzle,
    Solution, Solver, parameters,
};
use ludens_games::former::{Former, MakeModel, Model};
use ludens_games::samegame::{
    Evaluation, Roulette, SameGame, SameGameKnowledge, Tabu, TabuColour, TabuPairs, VsSameGame,
};
use ludens_search::BestChild;
use ludens_search::mcts::{self, Config, Mcts, Rule, Sampled, Scale, Simulation};

use crate::SolverEntry;
use crate::composition::{
    AFTER, C, EPSILON, EXPAND, ITERATIONS, LEVEL, PARTS, RUNS, TOP, WIDTH, common, numbers, parts,
};
use crate::modelled::Modelled;
use crate::nets;

const SAMEGAME_PUCT: &[Parameter] = common![SAMEGAME_MODEL];
const FORMER_PUCT: &[Parameter] = common![FORMER_MODEL, nets::POLICY];
const FORMER: &[Parameter] = common![TOP, FORMER_MODEL, nets::POLICY];

const SAMEGAME_MODEL: Param<Option<bool>> =
    Param::choice("model", &SAMEGAME_MODELS, "uniform").help("which moves are likely");
const SAMEGAME_MODELS: [(&str, Option<bool>); 3] =
    [("uniform", None), ("largest", Some(false)), ("evaluation", Some(true))];
const FORMER_MODEL: Param<fn() -> Model> =
    Param::choice("model", &FORMER_MODELS, "look-ahead-1").help("which moves are likely");
/// All but the slowest.
const FORMER_MODELS: [(&str, MakeModel); 6] = *Model::NAMES.first_chunk().expect("there are more");

fn named(name: &str) -> Config {
    mcts::composition(name).expect("it is among the names")
}

/// All compositions on SameGame.
pub(crate) fn samegame() -> impl Iterator<Item = SolverEntry<SameGame>> {
    const ABOUT: &str = "a composition of the single-player MCTS";
    let any = SolverEntry::new("mcts", ABOUT, PARTS, |params| {
        Ok(SameGameMcts(parts(Config::default(), params)?))
    });
    let named = mcts::names().map(|name| match named(name).rule {
        Rule::Puct => SolverEntry::new(name, "MCTS with a policy", SAMEGAME_PUCT, move |params| {
            let model = params.get(&SAMEGAME_MODEL)?;
            Ok(SameGamePuct { config: numbers(named(name), params)?, model })
        }),
        _ => SolverEntry::new(name, ABOUT, PARTS, move |params| {
            Ok(SameGameMcts(parts(named(name), params)?))
        }),
    });
    named.chain([any])
}

/// The compositions that make sense on Former: values are moves there, so
/// there is no scale, and no moves are pruned.
pub(crate) fn former() -> Vec<SolverEntry<Former>> {
    let entry = |name, about, config: Config| {
        let parameters = if config.rule == Rule::Puct { FORMER_PUCT } else { FORMER };
        SolverEntry::sized(name, about, parameters, move |variant, params| {
            if let Some(policy) = nets::policy(variant, params)? {
                return Ok(Box::new(by_policy(numbers(config, params)?, policy)));
            }
            let model = params.get(&FORMER_MODEL)?();
            Ok(Box::new(Modelled { search: numbers(config, params)?, model }))
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
    /// Searches a game that the simulations can be played in.
    fn search<G>(&self, position: &G, context: &mut Context<'_, G>) -> Option<Solution<G>>
    where
        G: SoloPuzzle,
        Tabu: Rollout<G>,
        Roulette: Rollout<G>,
        SameGameKnowledge: Knowledge<G>,
    {
        let tabu = match self.0.simulation {
            Simulation::Roulette => {
                let search = Mcts::new(self.0).rollout(Roulette::default());
                return search.knowledge(SameGameKnowledge).solve(position, context);
            }
            Simulation::TabuRandom => TabuColour::Random,
            Simulation::TabuColour => TabuColour::Frequent,
            Simulation::TabuBandit => TabuColour::Bandit,
            Simulation::Tabu(colour) => TabuColour::Colour(colour),
            Simulation::Random | Simulation::Policy => TabuColour::None,
        };
        let rollout = Tabu::new(tabu, self.0.random_below, TabuPairs::Never);
        let search = Mcts::new(self.0).rollout(rollout);
        search.knowledge(SameGameKnowledge).solve(position, context)
    }
}

impl Solver<SameGame> for SameGameMcts {
    fn solve(
        &mut self,
        position: &SameGame,
        context: &mut Context<'_, SameGame>,
    ) -> Option<Solution<SameGame>> {
        if !self.0.move_pruning {
            return self.search(position, context);
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
        let found = self.search(&pruned, &mut inner).as_ref().map(whole);
        context.statistics = inner.statistics.take();
        found
    }
}
