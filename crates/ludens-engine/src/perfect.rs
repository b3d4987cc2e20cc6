//! Play by proof: an agent that asks its game's solver first.

use std::cmp::Reverse;
use std::time::Duration;

use ludens_core::{
    Agent, Budget, Choice, Considered, Context, Deterministic, Game, GameStaticEval, Param,
    StaticEval, parameters,
};
use ludens_search::duel::AlphaBeta;

use crate::analysis::prover::{Prover, Resources};
use crate::{AgentEntry, duels};

const TIME: Param<Option<Duration>> = duels::TIME.rule("1s if nothing limits it");
/// The name of the agent.
pub(crate) const NAME: &str = "perfect";
/// How long to think when nothing at all limits it.
const USUAL: Duration = Duration::from_secs(1);
/// Bytes of the solver's table at most.
const PROOFS: usize = 64 << 20;
/// Bytes of the search's table at most.
const POSITIONS: usize = 16 << 20;

/// An agent that plays by exact values where they are found in half of its time, and by
/// alpha-beta for the rest otherwise.
pub(crate) struct Perfect<G: Game> {
    prover: &'static Prover<G>,
    budget: Budget,
    /// The search with the bytes of its table, once it is known how many it may have.
    search: Option<(AlphaBeta<G, GameStaticEval>, usize)>,
}

/// The agent as it is listed.
pub(crate) fn agent<G: StaticEval + Deterministic>(prover: &'static Prover<G>) -> AgentEntry<G> {
    AgentEntry::new(
        NAME,
        "exact values where they are found in half of its time, else as alphabeta",
        parameters![TIME],
        move |_, params| {
            let budget = Budget { time: params.get(&TIME)?, ..Budget::default() };
            Ok(Perfect { prover, budget, search: None })
        },
    )
}

impl<G: StaticEval + Deterministic> Perfect<G> {
    /// The search with a table of `bytes` bytes, with what it knows if it has had as many.
    fn search(&mut self, bytes: usize) -> &mut AlphaBeta<G, GameStaticEval> {
        let fresh = || (AlphaBeta::new(GameStaticEval, bytes), bytes);
        let (search, _) = match self.search.take() {
            Some(known) if known.1 == bytes => self.search.insert(known),
            _ => self.search.insert(fresh()),
        };
        search
    }
}

impl<G: StaticEval + Deterministic> Agent<G> for Perfect<G> {
    fn choose(&mut self, position: &G, context: &mut Context<'_, G>) -> Choice<G::Action> {
        let mut limits = context.within(self.budget);
        let Budget { time, nodes, units } = limits.budget();
        if time.is_none() && nodes.is_none() && units.is_none() {
            limits = limits.within(Budget::time(USUAL));
        }
        let whole = limits.budget();
        let half = Budget {
            time: whole.time.map(|time| time / 2),
            nodes: whole.positions().map(|nodes| nodes / 2),
            units: None,
        };
        let resources = Resources { threads: context.threads, memory: PROOFS.min(context.memory) };
        let (found, looked_at) = match (self.prover.in_reach)(position) {
            true => (self.prover.prove)(position, &limits.part(half), &resources, &|_| {}),
            false => (Vec::new(), 0),
        };
        let mut choice = proven::<G>(&found).unwrap_or_else(|| {
            let left = whole.positions().map(|nodes| nodes.saturating_sub(looked_at));
            let search = self.search(POSITIONS.min(context.memory));
            search.budget = Budget { nodes: left, ..whole };
            search.choose(position, context)
        });
        choice.nodes += looked_at;
        choice.unit = (!found.is_empty()).then_some(self.prover.unit);
        for considered in &mut choice.moves {
            let known = found.iter().find(|(action, ..)| *action == considered.action);
            considered.bounds = known.map(|&(_, low, high)| (low, high));
        }
        choice
    }

    fn reset(&mut self) {
        if let Some((search, _)) = &mut self.search {
            search.reset();
        }
    }
}

/// The best move if it is known: none may be worth more, or it wins.
fn proven<G: Game>(found: &[(G::Action, i32, i32)]) -> Option<Choice<G::Action>> {
    let mut found = found.to_vec();
    found.sort_by_key(|&(_, low, _)| Reverse(low));
    let &(action, value, _) = found.first()?;
    let decided = |&(_, low, high): &(_, i32, i32)| low.signum() == high.signum();
    if value <= 0 && found.iter().any(|&(_, _, high)| high > value) {
        return None;
    }
    let considered = |found: &(G::Action, i32, i32)| Considered {
        value: decided(found).then(|| f64::from(found.1.signum())),
        ..Considered::bare(found.0)
    };
    Some(Choice {
        value: Some(f64::from(value.signum())),
        moves: found.iter().map(considered).collect(),
        line: vec![action],
        proven: true,
        ..Choice::bare(action)
    })
}
