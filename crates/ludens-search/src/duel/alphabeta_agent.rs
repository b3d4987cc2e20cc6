//! Alpha-beta at the board.

use std::time::Duration;

use ludens_core::{
    Agent, Budget, Choice, Considered, Context, Deterministic, Duel, StaticEvaluator,
};

use super::alphabeta::{AlphaBeta, PROVEN, SearchResult};
use crate::transposition::Bound;

/// How long to think when nothing at all limits it.
const USUAL: Duration = Duration::from_secs(1);
/// A static evaluation of this much counts as 0.76 of a win.
const NEARLY_WON: f64 = 500.0;

/// A value of a search on the scale of [`Choice::value`].
pub(super) fn win_rate(value: i32) -> f64 {
    match value {
        v if v >= PROVEN => 1.0,
        v if v <= -PROVEN => -1.0,
        v => (f64::from(v) / NEARLY_WON).tanh(),
    }
}

impl<G: Duel + Deterministic, V: StaticEvaluator<G>> AlphaBeta<G, V> {
    /// The play that the table expects from a position, beginning with a move.
    fn line(&self, position: &G, result: &SearchResult<G::Action>) -> Vec<G::Action> {
        let (mut here, mut line) = (position.apply(result.action).0, vec![result.action]);
        while line.len() < result.depth as usize {
            let found = self.table.get(here.key()).filter(|found| found.bound != Bound::Upper);
            let Some(action) = found.and_then(|found| here.actions().nth(found.best.into())) else {
                break;
            };
            line.push(action);
            here = here.apply(action).0;
        }
        line
    }

    fn choice(&self, position: &G, result: &SearchResult<G::Action>) -> Choice<G::Action> {
        let value = win_rate(result.value);
        let others = position.actions().filter(|&action| action != result.action);
        let considered = |action, value| Considered { value, ..Considered::bare(action) };
        let mut moves = vec![considered(result.action, Some(value))];
        moves.extend(others.map(|action| considered(action, None)));
        Choice {
            value: Some(value),
            moves,
            line: self.line(position, result),
            nodes: self.nodes(),
            depth: result.depth,
            proven: result.complete,
            ..Choice::bare(result.action)
        }
    }
}

impl<G: Duel + Deterministic, V: StaticEvaluator<G>> Agent<G> for AlphaBeta<G, V> {
    fn choose(&mut self, position: &G, context: &mut Context<'_, G>) -> Choice<G::Action> {
        let mut budget = self.budget;
        let asked = context.limits.budget();
        let limited = |budget: Budget| budget.time.is_some() || budget.positions().is_some();
        if self.depth.is_none() && !limited(budget) && !limited(asked) {
            budget.time = Some(USUAL);
        }
        let limits = context.within(budget);
        let result = self.search(position, &limits, |search, result| {
            context.report_choice(&search.choice(position, result));
        });
        self.choice(position, &result)
    }

    fn reset(&mut self) {
        self.table.clear();
        self.order.clear();
    }
}
