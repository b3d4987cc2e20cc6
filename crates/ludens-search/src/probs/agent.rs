//! Q at the board.

use ludens_core::{ActionValues, Agent, Choice, Considered, Context, Deterministic, Duel};

use super::beam::{Stage, beam_search_while, bytes_per_state};

/// Plays the move that Q values most, or the one that a beam search finds with Q and V.
pub struct ProbsAgent<P> {
    networks: P,
    /// Expansions of a beam search; 0 for none.
    pub expand: usize,
    /// How deep it goes.
    pub depth: u32,
}

impl<P> ProbsAgent<P> {
    /// Plays by Q alone.
    pub fn new(networks: P) -> Self {
        ProbsAgent { networks, expand: 0, depth: 0 }
    }
}

impl<G: Duel + Deterministic, P: ActionValues<G> + Send> Agent<G> for ProbsAgent<P> {
    fn choose(&mut self, position: &G, context: &mut Context<'_, G>) -> Choice<G::Action> {
        let (limits, mut nodes, mut expanded) = (context.limits, self.expand.max(1) as u64, 1);
        let values = if self.expand > 0 {
            // Leaves are several times as many as expansions, and are evaluated at the end.
            let to_expand = limits.budget().time.map(|time| time / 3);
            let most = context.memory / bytes_per_state::<G>();
            let mut go_on = |stage: Stage, size: usize| {
                if stage == Stage::Evaluate {
                    return !limits.interrupted();
                }
                let more = size < most
                    && !limits.spent(size as u64)
                    && to_expand.is_none_or(|time| limits.elapsed() < time)
                    && !limits.interrupted();
                if more {
                    expanded += 1;
                } else {
                    nodes = expanded;
                }
                more
            };
            let networks = &mut self.networks;
            beam_search_while(&[*position], networks, self.expand, self.depth, &mut go_on)
        } else {
            let mut values = Vec::new();
            self.networks.action_values(&[*position], &mut values);
            values
        };
        let mut moves: Vec<_> = position
            .actions()
            .zip(&values[0])
            .map(|(action, value)| {
                // Q is an estimate of the result, which lies within these bounds.
                let value = Some(f64::from(value.clamp(-1.0, 1.0)));
                Considered { value, ..Considered::bare(action) }
            })
            .collect();
        let best = values[0]
            .iter()
            .enumerate()
            .fold(0, |best, (index, value)| if *value > values[0][best] { index } else { best });
        let Considered { action, value, .. } = moves[best];
        moves.sort_by(|a, b| b.value.partial_cmp(&a.value).expect("values are numbers"));
        Choice {
            value,
            moves,
            line: vec![action],
            nodes,
            depth: self.depth,
            ..Choice::bare(action)
        }
    }
}
