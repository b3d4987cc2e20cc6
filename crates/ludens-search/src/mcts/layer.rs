//! The first layers of a game, listed whole.

use std::collections::HashMap;

use ludens_core::{Context, Knowledge, SoloPuzzle};

/// A position of a layer with the best way to it.
#[derive(Clone, Debug)]
pub(super) struct Reached<G: SoloPuzzle> {
    pub(super) position: G,
    pub(super) line: Vec<G::Action>,
    /// What the way paid.
    pub(super) paid: i64,
}

/// The first layer with at least `least` positions, or the last one that half of the budget
/// and a quarter of the memory allow to list. Of positions that a symmetry maps on each other
/// there is one, with the best way to it. `ended` gets the games that end before. Returns how many
/// positions were generated as well.
pub(super) fn first_layer<G: SoloPuzzle, K: Knowledge<G>>(
    position: &G,
    least: usize,
    knowledge: &K,
    context: &Context<'_, G>,
    ended: &mut dyn FnMut(&Reached<G>),
) -> (Vec<Reached<G>>, u64) {
    let mut layer = vec![Reached { position: *position, line: Vec::new(), paid: 0 }];
    let mut nodes = 0;
    while layer.len() < least {
        match next_layer(&layer, knowledge, &mut nodes, context, ended) {
            Some(next) if !next.is_empty() => layer = next,
            _ => break,
        }
    }
    (layer, nodes)
}

/// The positions one move on; `None` when listing them takes too much.
fn next_layer<G: SoloPuzzle, K: Knowledge<G>>(
    layer: &[Reached<G>],
    knowledge: &K,
    nodes: &mut u64,
    context: &Context<'_, G>,
    ended: &mut dyn FnMut(&Reached<G>),
) -> Option<Vec<Reached<G>>> {
    let half = context.limits.budget().positions().map(|positions| positions / 2);
    let mut next: Vec<Reached<G>> = Vec::new();
    let mut known: HashMap<G, usize> = HashMap::new();
    // The layer before is there too, and lists have memory for more than they hold.
    let line = layer.first().map_or(0, |reached| reached.line.len()) + 1;
    let each =
        size_of::<Reached<G>>() + size_of::<(G, usize)>() + 2 * line * size_of::<G::Action>();
    let most = (context.memory / (4 * each)).max(1024);
    for reached in layer {
        let spent = half.is_some_and(|half| *nodes >= half) || next.len() >= most;
        if spent || context.limits.interrupted() {
            return None;
        }
        let mut children = 0;
        reached.position.children(|action, position, reward| {
            children += 1;
            let paid = reached.paid + i64::from(reward);
            let at = *known.entry(knowledge.canonical(&position)).or_insert(next.len());
            if at == next.len() {
                next.push(Reached { position, line: Vec::new(), paid: i64::MIN });
            }
            let entry = &mut next[at];
            if paid > entry.paid {
                // The line leads to this image, not to the one that was there.
                entry.position = position;
                entry.paid = paid;
                entry.line.clone_from(&reached.line);
                entry.line.push(action);
            }
        });
        *nodes += children;
        if children == 0 {
            ended(reached);
        }
    }
    Some(next)
}
