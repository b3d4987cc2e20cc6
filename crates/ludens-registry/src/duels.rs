//! Agents of the games for two with winners.

use ludens_core::{Budget, Deterministic, Duel, Parameter, Params, ParseError};
use ludens_search::duel::{LookAhead, Rollouts, Rule, TreeAgent};

use crate::AgentEntry;

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

/// The agents that every game of this kind has.
pub(crate) fn agents<G: Duel + Deterministic>() -> Vec<AgentEntry<G>> {
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
        ),
    ]
}

fn uct<G: Duel + Deterministic>(params: &mut Params) -> Result<TreeAgent<G, Rollouts>, ParseError> {
    let time = params.duration("time")?;
    let samples = params.number("samples", 0, 1..=u64::MAX)?;
    let samples = match (samples, time) {
        (0, None) => Some(1000),
        (0, Some(_)) => None,
        _ => Some(samples),
    };
    type Make = fn(f32) -> Rule;
    let rules: [(&str, (Make, f32)); 3] =
        [("ucb1", (Rule::Ucb1, 1.0)), ("text", (Rule::Root, 0.5)), ("puct", (Rule::Puct, 2.0))];
    let (rule, usual) = params.choice("rule", rules[0].1, &rules)?;
    let c = params.number("c", usual, 0.0..=100.0)?;
    let budget = Budget { time, ..Budget::default() };
    Ok(TreeAgent::new(rule(c), samples, budget, |rng| Rollouts { games: 1, rng }))
}
