//! Agents of the games for two with winners.

use std::time::Duration;

use ludens_core::{
    Agent, Budget, Deterministic, Duel, GameStaticEval, Param, Params, ParseError, StaticEval,
    StaticEvaluator, parameters,
};
use ludens_search::duel::{AlphaBeta, LookAhead, VisitUct};
use ludens_search::tree::{Rollouts, Selection, TreeAgent};

use crate::agents::{per_move, table_bytes};
use crate::analysis::prover::Prover;
use crate::levels::{self, Ladder};
use crate::{AgentEntry, perfect};

const STEPS: Param<u32> = Param::int("steps", 1..=20, 2).help("moves of both sides to look ahead");
const SAMPLES: Param<u64> = Param::int("samples", 1..=u64::MAX, 1000).help(
    "random games per move, visits of positions for etazero; as many as fit where time is given",
);
pub(crate) const TIME: Param<Option<Duration>> = Param::duration("time").help("time per move");
const C: Param<Option<f32>> = Param::opt_float("c", 0.0..=100.0)
    .rule("1 for ucb1, 0.5 for clark2021 and etazero, 2 for puct")
    .help("exploration");
const RULE: Param<UsualRule> = Param::choice("rule", &RULES, "ucb1")
    .value_alias("text", "clark2021")
    .help("how moves are chosen in the tree; clark2021: equation 1 of Clark (2021); etazero: the search of its program");

/// A way to search.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// A tree of random games, by a selection rule with its exploration.
    Games(fn(f32) -> Selection),
    /// Visits of positions to the end of the game.
    Visits,
}

/// A rule, and the usual exploration.
type UsualRule = (Rule, f32);

/// The rules, each with its usual exploration.
const RULES: [(&str, UsualRule); 4] = [
    ("ucb1", (Rule::Games(Selection::Ucb1), 1.0)),
    ("clark2021", (Rule::Games(Selection::Sqrt), 0.5)),
    ("puct", (Rule::Games(Selection::Puct), 2.0)),
    ("etazero", (Rule::Visits, 0.5)),
];

const DEPTH: Param<Option<u32>> = Param::opt_int("depth", 1..=200).help("moves to look ahead");
const NODES: Param<Option<u64>> = Param::opt_int("nodes", 1..=u64::MAX).help("positions per move");
const MEMORY: Param<usize> =
    Param::int(crate::agents::MEMORY, 0..=65536, 16).help("MiB of the table of positions");
const EVAL: Param<bool> = Param::choice("eval", &[("static", true), ("none", false)], "static")
    .value_alias("own", "static")
    .help("what values positions: the game's static evaluation, or only its end");

/// The agents that every game of this kind has, with its levels of play and what proves its
/// values.
pub(crate) fn agents<G: StaticEval + Deterministic>(
    ladder: &'static Ladder,
    prover: &'static Prover<G>,
) -> Vec<AgentEntry<G>> {
    vec![
        levels::agent(ladder),
        AgentEntry::new(
            "lookahead",
            "wins or avoids losing within a few moves, else random",
            parameters![STEPS],
            |_, params| Ok(LookAhead { steps: params.get(&STEPS)? }),
        ),
        AgentEntry::new(
            "uct",
            "a tree grown by random games",
            parameters![SAMPLES, TIME, C, RULE],
            |_, params| uct(params),
        )
        .until_stopped("time=1h"),
        AgentEntry::new(
            "alphabeta",
            "looks ahead as far as time allows, by a static evaluation",
            parameters![DEPTH, TIME, NODES, EVAL, MEMORY],
            |_, params| alpha_beta(params),
        ),
        perfect::agent(prover),
    ]
}

/// What values the positions of an agent.
enum Eval {
    Static,
    None,
}

impl<G: StaticEval> StaticEvaluator<G> for Eval {
    fn static_eval(&self, position: &G) -> i32 {
        match self {
            Eval::Static => GameStaticEval.static_eval(position),
            Eval::None => 0,
        }
    }

    fn hint(&self, position: &G, action: G::Action) -> i32 {
        position.hint(action)
    }
}

fn alpha_beta<G: StaticEval + Deterministic>(
    params: &mut Params,
) -> Result<AlphaBeta<G, Eval>, ParseError> {
    let eval = if params.get(&EVAL)? { Eval::Static } else { Eval::None };
    let mut agent = AlphaBeta::new(eval, table_bytes(params, &MEMORY)?);
    agent.depth = params.get(&DEPTH)?;
    agent.budget = Budget { time: params.get(&TIME)?, nodes: params.get(&NODES)?, units: None };
    Ok(agent)
}

fn uct<G: Duel + Deterministic>(params: &mut Params) -> Result<Box<dyn Agent<G>>, ParseError> {
    let time = params.get(&TIME)?;
    let samples = per_move(params, &SAMPLES, time)?;
    let (rule, usual) = params.get(&RULE)?;
    let c = params.get(&C)?.unwrap_or(usual);
    let budget = Budget { time, ..Budget::default() };
    Ok(match rule {
        Rule::Games(selection) => {
            let random = |rng| Rollouts { games: 1, rng };
            let tree: TreeAgent<G, Rollouts> =
                TreeAgent::uct(selection(c), samples, budget, random);
            Box::new(tree)
        }
        Rule::Visits => Box::new(VisitUct::new(f64::from(c), samples, budget)),
    })
}
