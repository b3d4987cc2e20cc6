//! A first line for the proof: beams of growing width, each held to be shorter
//! than the best line so far.

use std::sync::atomic::Ordering;

use ludens_core::{Descent, Heuristic};

use super::Shared;

/// A position of a layer: its name, where it came from and by which move.
struct Entry<A> {
    value: f32,
    name: u64,
    parent: usize,
    action: Option<A>,
}

/// A line shorter than `line` that a beam of `width` finds, if any. Keeps of each
/// layer the positions the heuristic likes best; equal ones once.
pub(super) fn shorter<G: Descent, H: Heuristic<G>>(
    shared: &Shared<'_, G>,
    heuristic: &H,
    width: usize,
    line: Option<&[G::Action]>,
) -> Option<Vec<G::Action>> {
    let Shared { origin, limits, nodes, .. } = *shared;
    let most = match line {
        Some(line) => u32::try_from(line.len()).unwrap_or(u32::MAX).checked_sub(1)?,
        None => u32::MAX,
    };
    let first = G::first(origin);
    if G::recall(origin, first).is_over() {
        return line.is_none().then(Vec::new);
    }
    let mut layers = vec![vec![Entry { value: 0.0, name: first, parent: 0, action: None }]];
    let mut made = 0;
    while made < most {
        let layer = layers.last()?;
        let mut next: Vec<Entry<G::Action>> = Vec::new();
        let mut end = None;
        for (parent, entry) in layer.iter().enumerate() {
            let here = G::recall(origin, entry.name);
            let mut fresh = 0;
            here.descend(origin, entry.name, most - made, 0, |step, child, name, _| {
                fresh += 1;
                if child.is_over() {
                    end = Some((parent, here.action(step)));
                }
                next.push(Entry {
                    value: heuristic.value(&child),
                    name,
                    parent,
                    action: Some(here.action(step)),
                });
            });
            let total = nodes.fetch_add(fresh, Ordering::Relaxed) + fresh;
            if limits.interrupted() || limits.spent(total) {
                return None;
            }
        }
        if let Some((parent, action)) = end {
            return Some(G::retrace(origin, trace(&layers, parent, action)));
        }
        next.sort_unstable_by(|a, b| {
            b.value.total_cmp(&a.value).then(a.name.cmp(&b.name)).then(a.parent.cmp(&b.parent))
        });
        // Equal positions have equal values, so they are neighbours now.
        next.dedup_by_key(|entry| entry.name);
        next.truncate(width);
        if next.is_empty() {
            return None;
        }
        layers.push(next);
        made += 1;
    }
    None
}

/// The line that ends with `action` from entry `at` of the last layer.
fn trace<A: Copy>(layers: &[Vec<Entry<A>>], mut at: usize, action: A) -> Vec<A> {
    let mut line = vec![action];
    for layer in layers.iter().rev() {
        line.extend(layer[at].action);
        at = layer[at].parent;
    }
    line.reverse();
    line
}
