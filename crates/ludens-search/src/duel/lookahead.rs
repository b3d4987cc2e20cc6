//! Looks a few moves ahead for the end of the game, and at nothing else.

use ludens_core::{Agent, Choice, Considered, Deterministic, Duel, Thinking};

/// Plays a move that wins within `steps` moves if there is one, avoids those that lose
/// within them, and draws among the rest: the opponents of the PROBS text.
#[derive(Clone, Copy, Debug)]
pub struct LookAhead {
    /// Moves of both sides to look ahead, at least 1.
    pub steps: u32,
}

/// The result for the player to move that is forced within so many moves: 1, -1, or 0
/// where nothing is. Counts positions.
fn forced<G: Duel + Deterministic>(position: &G, steps: u32, nodes: &mut u64) -> i32 {
    *nodes += 1;
    if let Some(outcome) = position.outcome() {
        return outcome.value() * position.to_move().sign();
    }
    if steps == 0 {
        return 0;
    }
    let player = position.to_move();
    let mut best = -1;
    for action in position.actions() {
        let next = position.apply(action).0;
        let turn = next.to_move().sign() * player.sign();
        best = best.max(turn * forced(&next, steps - 1, nodes));
        if best == 1 {
            break;
        }
    }
    best
}

impl<G: Duel + Deterministic> Agent<G> for LookAhead {
    fn choose(&mut self, position: &G, thinking: &mut Thinking<'_, G>) -> Choice<G::Action> {
        let player = position.to_move();
        let mut nodes = 0;
        let mut moves: Vec<Considered<G::Action>> = Vec::new();
        for action in position.actions() {
            let next = position.apply(action).0;
            let turn = next.to_move().sign() * player.sign();
            let value = turn * forced(&next, self.steps.max(1) - 1, &mut nodes);
            let value = Some(f64::from(value));
            moves.push(Considered { action, value, visits: None, prior: None });
        }
        // Equals in random order, the best first.
        thinking.rng.shuffle(&mut moves);
        moves.sort_by(|a, b| b.value.partial_cmp(&a.value).expect("values are numbers"));
        let best = moves.first().expect("an agent is asked only while the game goes on");
        let (action, value) = (best.action, best.value);
        Choice { value, moves, nodes, depth: self.steps, ..Choice::bare(action) }
    }
}
