//! Agents of the games for two with winners.

use ludens_core::{
    Budget, Deterministic, Duel, GameStaticEval, Parameter, Params, ParseError, StaticEval,
    StaticEvaluator,
};
use ludens_search::duel::{AlphaBeta, LookAhead};
use ludens_search::tree::{Rollouts, Selection, TreeAgent};

use crate::AgentEntry;
use crate::agents::table_bytes;

const STEPS: Parameter = Parameter {
    name: "steps",
    values: "1..20",
    default: "2",
    about: "moves of both sides to look ahead",
};
const SAMPLES: Parameter = Parameter {
    name: "samples",
    values: "1..",
    default: "1000, none with time",
    about: "random games per move",
};
const TIME: Parameter =
    Parameter { name: "time", values: "100ms | 1s | ..", default: "none", about: "time per move" };
const C: Parameter =
    Parameter { name: "c", values: "0..100", default: "by rule", about: "exploration" };
const RULE: Parameter = Parameter {
    name: "rule",
    values: "ucb1 | text | puct",
    default: "ucb1",
    about: "how moves are chosen in the tree; text: equation 1 of the Sevn text",
};

const DEPTH: Parameter =
    Parameter { name: "depth", values: "1..200", default: "none", about: "moves to look ahead" };
const NODES: Parameter =
    Parameter { name: "nodes", values: "1..", default: "none", about: "positions per move" };
const MEMORY: Parameter = Parameter {
    name: crate::agents::MEMORY,
    values: "0..65536",
    default: "16",
    about: "megabytes of the table of positions",
};
const EVAL: Parameter = Parameter {
    name: "eval",
    values: "own | none",
    default: "own",
    about: "what judges positions: the game's rule of thumb, or only its end",
};

/// The agents that every game of this kind has.
pub(crate) fn agents<G: StaticEval + Deterministic>() -> Vec<AgentEntry<G>> {
    vec![
        AgentEntry::new(
            "lookahead",
            "wins or avoids losing within a few moves, else random",
            &[STEPS],
            |_, params| Ok(LookAhead { steps: params.number("steps", 2, 1..=20)? }),
        ),
        AgentEntry::new(
            "uct",
            "a tree grown by random games",
            &[SAMPLES, TIME, C, RULE],
            |_, params| uct(params),
        )
        .until_stopped("time=1h"),
        AgentEntry::new(
            "alphabeta",
            "looks ahead as far as time allows and judges by a rule of thumb",
            &[DEPTH, TIME, NODES, EVAL, MEMORY],
            |_, params| alpha_beta(params),
        ),
    ]
}

/// The rule of thumb of an agent.
enum Eval {
    Own,
    None,
}

impl<G: StaticEval> StaticEvaluator<G> for Eval {
    fn static_eval(&self, position: &G) -> i32 {
        match self {
            Eval::Own => GameStaticEval.static_eval(position),
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
    let depth = params.number("depth", 0, 1..=200)?;
    let (time, nodes) = (params.duration("time")?, params.number("nodes", 0, 1..=u64::MAX)?);
    let own = params.choice("eval", true, &[("own", true), ("none", false)])?;
    let memory = table_bytes(params, 16, 65536)?;
    let mut agent = AlphaBeta::new(if own { Eval::Own } else { Eval::None }, memory);
    agent.depth = (depth > 0).then_some(depth);
    agent.budget = Budget { time, nodes: (nodes > 0).then_some(nodes), units: None };
    Ok(agent)
}

fn uct<G: Duel + Deterministic>(params: &mut Params) -> Result<TreeAgent<G, Rollouts>, ParseError> {
    let time = params.duration("time")?;
    let samples = params.number("samples", 0, 1..=u64::MAX)?;
    let samples = match (samples, time) {
        (0, None) => Some(1000),
        (0, Some(_)) => None,
        _ => Some(samples),
    };
    type Make = fn(f32) -> Selection;
    let rules: [(&str, (Make, f32)); 3] = [
        ("ucb1", (Selection::Ucb1, 1.0)),
        ("text", (Selection::Sqrt, 0.5)),
        ("puct", (Selection::Puct, 2.0)),
    ];
    let (rule, usual) = params.choice("rule", rules[0].1, &rules)?;
    let c = params.number("c", usual, 0.0..=100.0)?;
    let budget = Budget { time, ..Budget::default() };
    Ok(TreeAgent::uct(rule(c), samples, budget, |rng| Rollouts { games: 1, rng }))
}
