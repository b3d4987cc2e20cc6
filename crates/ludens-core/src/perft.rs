//! Counting the paths of each length: the classic check of move generators.

use std::ops::ControlFlow;

use crate::Game;

/// The number of paths of length 1, 2, .., `depth` from a position. Each action
/// is a ply, and so is each outcome where nature has a choice. Finished games
/// have no continuation. Stops early, with what is complete so far, when `stop`
/// says so (it is asked about once per thousand nodes).
///
/// # Errors
/// Gives back the complete counts when it was stopped.
pub fn perft<G: Game>(
    position: &G,
    depth: usize,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<u64>, Vec<u64>> {
    let mut counts = Vec::with_capacity(depth);
    for length in 1..=depth {
        let mut walk = Walk { stop, nodes: 0, stopped: false };
        let count = walk.decide(position, length);
        if walk.stopped {
            return Err(counts);
        }
        counts.push(count);
    }
    Ok(counts)
}

struct Walk<'a> {
    stop: &'a dyn Fn() -> bool,
    nodes: u64,
    stopped: bool,
}

impl Walk<'_> {
    /// Paths of exactly `length` plies from a position, a player to act.
    fn decide<G: Game>(&mut self, position: &G, length: usize) -> u64 {
        if length == 1 {
            return position.actions().len() as u64;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(1024) && (self.stop)() {
            self.stopped = true;
        }
        if self.stopped {
            return 0;
        }
        let mut count = 0;
        position.children(|_, after, _| count += self.apply_outcome::<G>(&after, length - 1));
        count
    }

    /// Paths of exactly `length` plies from an afterstate, nature to act.
    fn apply_outcome<G: Game>(&mut self, after: &G::After, length: usize) -> u64 {
        let mut count = 0;
        let chance_ply = G::is_chance(after);
        let _ = G::outcomes(after, |chance, _| {
            count += match (chance_ply, length) {
                (true, 1) => 1,
                (true, _) => self.decide(&G::apply_outcome(after, chance).0, length - 1),
                (false, _) => self.decide(&G::apply_outcome(after, chance).0, length),
            };
            ControlFlow::Continue(())
        });
        count
    }
}
