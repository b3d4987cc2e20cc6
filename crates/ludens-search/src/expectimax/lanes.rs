//! Greedy play of many games in turns.

use ludens_core::{AfterValue, Game, Solo};

/// Finds the best moves of many positions at once: the evaluation gets the afterstates of
/// all of them together and can fetch what it needs ahead.
pub(super) struct Lanes<G: Game> {
    afters: Vec<G::After>,
    actions: Vec<(G::Action, f32)>,
    /// Where the moves of every position end.
    ends: Vec<u32>,
    values: Vec<f32>,
}

impl<G: Game> Default for Lanes<G> {
    fn default() -> Self {
        Lanes { afters: Vec::new(), actions: Vec::new(), ends: Vec::new(), values: Vec::new() }
    }
}

impl<G: Solo> Lanes<G> {
    /// Appends the best move of every position, the first of equals. None is over.
    pub(super) fn best<V: AfterValue<G>>(
        &mut self,
        value: &mut V,
        positions: &[G],
        out: &mut Vec<G::Action>,
    ) {
        self.afters.clear();
        self.actions.clear();
        self.ends.clear();
        self.values.clear();
        for position in positions {
            position.children(|action, after, reward| {
                self.afters.push(after);
                self.actions.push((action, reward as f32));
            });
            self.ends.push(self.afters.len() as u32);
        }
        value.values(&self.afters, &mut self.values);
        let mut begin = 0;
        for &end in &self.ends {
            let end = end as usize;
            let moves = self.actions[begin..end].iter().zip(&self.values[begin..end]);
            let (mut best, mut most) = (None, f32::NEG_INFINITY);
            for (&(action, reward), &value) in moves {
                let value_of_move = reward + value;
                if best.is_none() || value_of_move > most {
                    (best, most) = (Some(action), value_of_move);
                }
            }
            begin = end;
            out.push(best.expect("an agent is asked only while the game goes on"));
        }
    }
}
