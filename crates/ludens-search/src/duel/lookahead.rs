//! Looks a few moves ahead for the end of the game, and at nothing else.

use ludens_core::{Agent, Choice, Considered, Context, Deterministic, Duel, Limits, Pov};

use crate::watch::Watch;

/// Plays a move that wins within `steps` moves if there is one, avoids those that lose
/// within them, and draws among the rest: the opponents of the PROBS paper. Limits may end it
/// sooner; one move is always looked ahead.
#[derive(Clone, Copy, Debug)]
pub struct LookAhead {
    /// Moves of both sides to look ahead, at least 1.
    pub steps: u32,
}

/// The result for the player to move that is forced within `steps` moves: 1, -1, or 0
/// where nothing is; `None` when the search has to stop. Counts positions.
fn forced<G: Duel + Deterministic>(
    position: &G,
    steps: u32,
    nodes: &mut u64,
    watch: &mut Watch<'_, '_>,
) -> Option<Pov<i32>> {
    *nodes += 1;
    if let Some(outcome) = position.outcome() {
        return Some(outcome.pov(position.to_move()));
    }
    if steps == 0 {
        return Some(Pov(0));
    }
    if watch.is_over(*nodes) {
        return None;
    }
    let player = position.to_move();
    let mut best = -1;
    for action in position.actions() {
        let next = position.apply(action).0;
        let value = forced(&next, steps - 1, nodes, watch)?.seen_by(next.to_move(), player);
        best = best.max(value.0);
        if best == 1 {
            break;
        }
    }
    Some(Pov(best))
}

impl LookAhead {
    /// What is forced after each move within some steps, or by less where it is known already;
    /// `None` when the search has to stop.
    fn results<G: Duel + Deterministic>(
        position: &G,
        steps: u32,
        known: &[(G::Action, i32)],
        nodes: &mut u64,
        watch: &mut Watch<'_, '_>,
    ) -> Option<Vec<(G::Action, i32)>> {
        let player = position.to_move();
        let mut found = known.to_vec();
        // What fewer moves force more moves force too.
        for (action, value) in found.iter_mut().filter(|(_, value)| *value == 0) {
            let next = position.apply(*action).0;
            let forced = forced(&next, steps - 1, nodes, watch)?;
            *value = forced.seen_by(next.to_move(), player).0;
        }
        Some(found)
    }

    /// The results as far as limits allow, and how far that is. Where time is limited it is
    /// looked move by move ahead, elsewhere at once to the end; one move always.
    fn look<G: Duel + Deterministic>(
        &self,
        position: &G,
        nodes: &mut u64,
        limits: &Limits<'_>,
    ) -> (Vec<(G::Action, i32)>, u32) {
        let steps = self.steps.max(1);
        let first = if limits.budget().time.is_some() { 1 } else { steps };
        let mut found: Vec<_> = position.actions().map(|action| (action, 0)).collect();
        let (mut looked, mut watch) = (0, Watch::new(limits));
        for steps in first..=steps {
            match Self::results(position, steps, &found, nodes, &mut watch) {
                Some(deeper) => (found, looked) = (deeper, steps),
                None => break,
            }
        }
        if looked > 0 {
            return (found, looked);
        }
        let found = Self::results(position, 1, &found, nodes, &mut Watch::none());
        (found.expect("nothing stops it"), 1)
    }
}

impl<G: Duel + Deterministic> Agent<G> for LookAhead {
    fn choose(&mut self, position: &G, context: &mut Context<'_, G>) -> Choice<G::Action> {
        let mut nodes = 0;
        let (found, depth) = self.look(position, &mut nodes, &context.limits);
        let considered = |(action, value)| {
            let value = Some(f64::from(value));
            Considered { value, ..Considered::bare(action) }
        };
        let mut moves: Vec<Considered<G::Action>> = found.into_iter().map(considered).collect();
        // Equals in random order, the best first.
        context.rng.shuffle(&mut moves);
        moves.sort_by(|a, b| b.value.partial_cmp(&a.value).expect("values are numbers"));
        let best = moves.first().expect("an agent is asked only while the game goes on");
        let (action, value) = (best.action, best.value);
        Choice { value, moves, nodes, depth, ..Choice::bare(action) }
    }
}
