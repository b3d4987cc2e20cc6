//! What moves cost in games of as few moves as possible: by how many each makes the shortest line
//! longer, with proof.
//!
//! The cost of a move is the optimum after it, plus one, less the optimum before it. Where the
//! time does not suffice for both, their bounds give bounds of the cost. What is proven is kept
//! ([`Optima`]), so that a game that goes on costs little more than its first move.

use std::sync::atomic::Ordering;

use ludens_core::{Budget, Context, Deterministic, Game, Notation, Progress, SoloPuzzle, Solver};

use super::optima::{Optima, Optimum};
use super::report::{Analysis, Details, MoveAnalysis, Report};
use super::request::{AnalysisError, Analyzer, Search};
use crate::Legal;

/// The name of the solver.
pub(crate) const NAME: &str = "costs";

/// Makes a solver that proves the fewest moves, which are at least the number given.
pub(crate) type Prove<G> = fn(u32) -> Box<dyn Solver<G>>;

/// The costs of the moves of a position.
pub(crate) struct Costs<G: Game> {
    pub(crate) prove: Prove<G>,
    pub(crate) optima: &'static Optima,
}

impl<G: SoloPuzzle + Notation> Analyzer<G> for Costs<G> {
    fn analyze(
        &mut self,
        position: &G,
        search: &mut Search<'_>,
    ) -> Result<Analysis, AnalysisError> {
        let actions = match &search.request.cost_of {
            Some(text) => vec![position.parse_action(text)?],
            None => position.actions().collect(),
        };
        // 1. The shortest line, within half of the limits.
        let mut nodes = 0;
        let mut before = self.optimum(position, 0, 2, &mut nodes, search);
        let mut after: Vec<(G::Action, Optimum)> = Vec::new();
        // 2. Each move; no line after it is shorter by more than one. Each may use an equal share
        //    of what is left.
        for (index, &action) in actions.iter().enumerate() {
            let next = position.apply(action).0;
            let least = before.low.saturating_sub(1);
            let found = self.optimum(&next, least, actions.len() - index, &mut nodes, search);
            // A shorter line may begin with any of them.
            before.high = before.high.min(found.high.saturating_add(1));
            after.push((action, found));
            if index + 1 < actions.len() {
                let so_far = self.report(position, before, &after, nodes, search);
                (search.callback)(Report::Choice(so_far));
            }
        }
        // 3. No line is shorter than the shortest by any move.
        if search.request.cost_of.is_none() {
            let least = after.iter().map(|(_, found)| found.low + 1).min();
            before.low = before.low.max(least.unwrap_or(0));
        }
        self.optima.note(name(position), before);
        Ok(self.report(position, before, &after, nodes, search))
    }
}

/// What a position is known by.
fn name<G: Notation>(position: &G) -> String {
    format!("{} {}", G::NAME, position.text())
}

impl<G: SoloPuzzle + Notation> Costs<G> {
    /// The fewest moves from a position, of which `least` is a lower bound, as far as one part in
    /// `parts` of what is left of the limits allows. Counts positions looked at.
    fn optimum(
        &self,
        position: &G,
        least: u32,
        parts: usize,
        nodes: &mut u64,
        search: &mut Search<'_>,
    ) -> Optimum {
        let given = Optimum { low: least, high: any_line(position) };
        let known = self.optima.get(&name(position)).and(given);
        if known.is_proven() {
            self.optima.note(name(position), known);
            return known;
        }
        // A solver that is stopped at once still makes its tables, and there are many moves.
        if search.stop.load(Ordering::Relaxed) {
            return known;
        }
        let parts = parts as u32;
        let whole = search.request.budget;
        let part =
            |limit: Option<u64>| limit.map(|limit| limit.saturating_sub(*nodes) / u64::from(parts));
        let time = whole.time.map(|time| time.saturating_sub(search.start.elapsed()) / parts);
        let budget = Budget { time, nodes: part(whole.nodes), units: part(whole.units) };
        let (request, mut silent) = (search.request, |_: &Progress<'_, G>| {});
        let (threads, memory) = (request.threads, request.memory);
        let mut context =
            Context::new(budget, request.seed, threads, memory, search.stop, &mut silent);
        let Some(solution) = (self.prove)(known.low).solve(position, &mut context) else {
            return known;
        };
        *nodes += solution.nodes;
        // The line is worth what the rules make of it.
        let (mut here, mut way) = (*position, vec![*position]);
        for &action in &solution.line {
            if !here.is_legal(action) {
                break;
            }
            here = here.apply(action).0;
            way.push(here);
        }
        let low = solution.bound.map_or(0, |bound| (-bound).max(0) as u32);
        let found = Optimum { low, ..known };
        let length = (way.len() - 1) as u32;
        let found = match here.is_over() {
            true => known.and(found).and(Optimum { low: 0, high: length }),
            false => known.and(found),
        };
        // What holds of the position holds of those along its line.
        for (played, here) in way.iter().enumerate().filter(|_| here.is_over()) {
            let played = played as u32;
            let low = found.low.saturating_sub(played);
            self.optima.note(name(here), Optimum { low, high: length - played });
        }
        found
    }

    fn report(
        &self,
        position: &G,
        before: Optimum,
        after: &[(G::Action, Optimum)],
        nodes: u64,
        search: &Search<'_>,
    ) -> Analysis {
        let cost = |&(action, found): &(G::Action, Optimum)| {
            let low = (found.low + 1).saturating_sub(before.high) as i32;
            let high = (found.high + 1).saturating_sub(before.low) as i32;
            MoveAnalysis {
                action: Legal::of(position, action),
                value: (low == high).then_some(f64::from(low)),
                bounds: Some((low, high)),
                visits: None,
                prior: None,
            }
        };
        let mut moves: Vec<MoveAnalysis> = after.iter().map(cost).collect();
        moves.sort_by_key(|one| one.bounds.map(|(low, high)| (high, low)));
        Analysis {
            method: search.method.to_owned(),
            best: moves.first().map(|one| one.action.clone()),
            value: before.is_proven().then_some(-f64::from(before.low)),
            proven: before.is_proven() && moves.iter().all(MoveAnalysis::is_proven),
            moves,
            nodes,
            time: search.start.elapsed(),
            details: Details::Costs { optimum: (before.low, before.high) },
            ..Analysis::default()
        }
    }
}

/// The length of some line to the end: no shortest one is longer.
fn any_line<G: Game + Deterministic>(position: &G) -> u32 {
    let (mut here, mut moves) = (*position, 0);
    while let Some(action) = here.actions().next() {
        (here, moves) = (here.apply(action).0, moves + 1);
    }
    moves
}

#[cfg(test)]
mod tests {
    use ludens_core::{Game as _, Rng};
    use ludens_games::Former;
    use ludens_games::former::FormerVariant;

    use super::*;
    use crate::analysis::{Method, Request};
    use crate::{Table, game};

    fn costs(table: &dyn Table, of: Option<&str>, budget: Budget) -> Analysis {
        let cost_of = of.map(str::to_owned);
        let method = Method::solver(NAME);
        let request = Request { method, cost_of, budget, memory: 1 << 26, ..Request::default() };
        table.analyze(&request, Request::never(), &mut |_| {}).unwrap()
    }

    /// The fewest moves by trying everything.
    fn fewest(position: &Former, most: u32) -> Option<u32> {
        if position.is_over() {
            return Some(0);
        }
        let next = |action| Some(fewest(&position.apply(action).0, most.checked_sub(1)?)? + 1);
        if most == 0 { None } else { position.actions().filter_map(next).min() }
    }

    #[test]
    fn costs_are_as_by_trying_everything() {
        let spec = "former:rows=3,cols=4,shapes=3";
        let variant = FormerVariant::new(3, 4, 3).unwrap();
        for seed in 0..6 {
            let position = Former::start(&variant, &mut Rng::new(seed));
            let table = game(spec).unwrap().parse(&position.text()).unwrap();
            let found = costs(&*table, None, Budget::default());
            let optimum = fewest(&position, 12).unwrap();
            assert!(found.proven);
            assert_eq!(found.value, Some(-f64::from(optimum)));
            assert_eq!(found.moves.len(), position.actions().count());
            for action in position.actions() {
                let text = position.action_text(action);
                let after = fewest(&position.apply(action).0, 12).unwrap();
                let cost = (after + 1 - optimum) as i32;
                let listed = found.moves.iter().find(|one| one.action.text == text).unwrap();
                assert_eq!(listed.bounds, Some((cost, cost)), "{text} of {}", position.text());
                let alone = costs(&*table, Some(&text), Budget::default());
                assert_eq!(alone.moves[0].bounds, Some((cost, cost)));
            }
            assert_eq!(found.best, Some(found.moves[0].action.clone()));
            assert_eq!(found.moves[0].bounds, Some((0, 0)));
        }
    }

    /// Short of time there are bounds, which hold; later requests know what earlier ones proved.
    #[test]
    fn bounds_hold_and_what_is_proven_is_kept() {
        let board = || game("former").unwrap().generate("date", "2025-05-18").unwrap();
        let little = costs(&*board(), None, Budget::nodes(3000));
        let mut table = board();
        // The board takes eleven moves; play the first of a shortest line.
        let whole = costs(&*board(), Some(&little.moves[0].action.text), Budget::default());
        assert_eq!((whole.value, whole.proven), (Some(-11.0), true));
        let (low, high) = little.moves[0].bounds.unwrap();
        let (cost, _) = whole.moves[0].bounds.unwrap();
        assert!(low <= cost && cost <= high, "{cost} of {low}..{high}");
        let again = costs(&*board(), Some(&little.moves[0].action.text), Budget::nodes(1));
        assert_eq!((again.moves[0].bounds, again.nodes), (Some((cost, cost)), 0));
        table.play(&whole.moves[0].action.text).unwrap();
        let next = costs(&*table, None, Budget::nodes(1));
        assert_eq!(next.value, Some(-11.0 - f64::from(cost) + 1.0));
    }

    #[test]
    fn wrong_moves_are_refused() {
        let table = game("former").unwrap().generate("date", "2025-05-18").unwrap();
        let method = Method::solver(NAME);
        let request = Request { method, cost_of: Some("x".to_owned()), ..Request::default() };
        assert!(table.analyze(&request, Request::never(), &mut |_| {}).is_err());
    }
}
