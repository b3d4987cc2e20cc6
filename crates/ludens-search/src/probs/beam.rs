//! Algorithm 1 of PROBS: beam search, step by step; many run side by side so that networks
//! evaluate batches.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use ludens_core::{Abs, ActionValues, Deterministic, Duel};

/// States evaluated at once at the leaves.
const BATCH: usize = 256;

struct Node<G> {
    value: Option<f32>,
    /// What Q thinks of it where V was not asked.
    estimate: f32,
    state: G,
    /// Its children lie side by side.
    children: std::ops::Range<usize>,
}

/// A state that may be expanded.
pub(super) struct Item {
    priority: f32,
    node: usize,
    depth: u32,
}

impl PartialEq for Item {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Item {}
impl PartialOrd for Item {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Item {
    /// The highest priority first, of equals the one that was added first.
    fn cmp(&self, other: &Self) -> Ordering {
        self.priority.total_cmp(&other.priority).then(other.node.cmp(&self.node))
    }
}

pub(super) struct Search<G> {
    tree: Vec<Node<G>>,
    beam: BinaryHeap<Item>,
    /// States expanded, those of an earlier search that were kept included.
    expanded: usize,
}

impl<G: Duel + Deterministic> Search<G> {
    /// Lines 2 to 5.
    pub(super) fn new(state: G) -> Self {
        let mut beam = BinaryHeap::new();
        beam.push(Item { priority: f32::INFINITY, node: 0, depth: 0 });
        let root = Node { value: None, estimate: 0.0, state, children: 0..0 };
        Search { tree: vec![root], beam, expanded: 0 }
    }

    /// The next state to expand: until `expand` are, and the root with all its children at least.
    pub(super) fn next(&mut self, expansions: usize) -> Option<(Item, G)> {
        let wanted = |item: &Item| self.expanded < expansions || item.priority == f32::INFINITY;
        self.beam.peek().filter(|item| wanted(item))?;
        let item = self.beam.pop()?;
        let state = self.tree[item.node].state;
        Some((item, state))
    }

    /// Goes on from a state that one of the root's moves leads to, with what is known below it.
    pub(super) fn advance(&mut self, next: &G) {
        let child = self.tree[0].children.clone().find(|child| self.tree[*child].state == *next);
        let Some(child) = child else {
            *self = Search::new(*next);
            return;
        };
        let mut part = Search { tree: Vec::new(), beam: BinaryHeap::new(), expanded: 0 };
        // Nodes of the part by number: the same nodes of the whole, and their depths.
        let mut sources = vec![(child, 0)];
        let mut number = 0;
        while let Some(&(source, depth)) = sources.get(number) {
            let Node { value, estimate, state, children } = &self.tree[source];
            let first = sources.len();
            sources.extend(children.clone().map(|child| (child, depth + 1)));
            let expanded = !children.is_empty();
            // What was expanded gets its value again from what is below.
            let value = value.filter(|_| !expanded);
            let children = first..sources.len();
            part.tree.push(Node { value, estimate: *estimate, state: *state, children });
            if expanded {
                part.expanded += 1;
            } else if !state.is_over() {
                let priority = if depth <= 1 { f32::INFINITY } else { -estimate };
                part.beam.push(Item { priority, node: number, depth });
            }
            number += 1;
        }
        *self = part;
    }

    /// Lines 13 to 25: all moves of a state, whose values by the network are known.
    pub(super) fn expand(&mut self, Item { node, depth, .. }: &Item, values: &[f32], deepest: u32) {
        self.expanded += 1;
        // It may have been a leaf with a value before.
        self.tree[*node].value = None;
        let state = self.tree[*node].state;
        let first = self.tree.len();
        for (action, value) in state.actions().zip(values) {
            let (next, reward) = state.apply(action);
            let child = self.tree.len();
            let over = next.is_over();
            // What the mover gains its opponent, who is to move then, loses.
            let lost = Abs(reward).pov(state.to_move().opponent()).0 as f32;
            let (ended, estimate) = (over.then_some(lost), -*value);
            self.tree.push(Node { value: ended, estimate, state: next, children: 0..0 });
            if !over && *depth < deepest {
                let priority = if *depth == 0 { f32::INFINITY } else { *value };
                self.beam.push(Item { priority, node: child, depth: depth + 1 });
            }
        }
        self.tree[*node].children = first..self.tree.len();
    }

    /// States whose value only the network knows.
    fn leaves(&self) -> impl Iterator<Item = usize> {
        let leaf = |(_, node): &(usize, &Node<G>)| node.value.is_none() && node.children.is_empty();
        self.tree.iter().enumerate().filter(leaf).map(|(index, _)| index)
    }

    /// Values leaves by the network, `chosen` and `values` being scratch.
    pub(super) fn value_leaves(
        &mut self,
        estimates: &mut dyn ActionValues<G>,
        chosen: &mut Vec<G>,
        values: &mut Vec<f32>,
        mut go_on: impl FnMut(usize) -> bool,
    ) {
        let leaves: Vec<usize> = self.leaves().collect();
        for part in leaves.chunks(BATCH) {
            if !go_on(self.tree.len()) {
                break;
            }
            chosen.clear();
            chosen.extend(part.iter().map(|leaf| self.tree[*leaf].state));
            estimates.values(chosen, values);
            for (leaf, value) in part.iter().zip(&*values) {
                self.tree[*leaf].value = Some(*value);
            }
        }
    }

    /// Lines 28 to 38.
    pub(super) fn conclude(&mut self) -> Vec<f32> {
        let value_of =
            |tree: &[Node<G>], child: usize| -tree[child].value.expect("children come first");
        for index in (0..self.tree.len()).rev() {
            let Node { value, estimate, children, .. } = &self.tree[index];
            if value.is_none() && children.is_empty() {
                self.tree[index].value = Some(*estimate);
            } else if value.is_none() {
                let children = children.clone();
                let best = children.map(|child| value_of(&self.tree, child));
                self.tree[index].value = Some(best.fold(f32::NEG_INFINITY, f32::max));
            }
        }
        self.tree[0].children.clone().map(|child| value_of(&self.tree, child)).collect()
    }
}

/// What a search is about to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// Expand another state.
    Expand,
    /// Evaluate leaves.
    Evaluate,
}

/// The values of all moves of each state after `expansions` expansions, no deeper than `deepest`.
pub fn beam_search<G: Duel + Deterministic>(
    states: &[G],
    estimates: &mut dyn ActionValues<G>,
    expansions: usize,
    deepest: u32,
) -> Vec<Vec<f32>> {
    beam_search_while(states, estimates, expansions, deepest, &mut |_, _| true)
}

/// The bytes that a state takes in a search.
pub(super) const fn bytes_per_state<G>() -> usize {
    size_of::<Node<G>>() + size_of::<Item>()
}

/// The same as long as `go_on` says so, which gets how many states there are. The states
/// themselves are always expanded; leaves that are not evaluated count as Q has it.
pub(super) fn beam_search_while<G: Duel + Deterministic>(
    states: &[G],
    estimates: &mut dyn ActionValues<G>,
    expansions: usize,
    deepest: u32,
    go_on: &mut dyn FnMut(Stage, usize) -> bool,
) -> Vec<Vec<f32>> {
    let mut searches: Vec<Search<G>> = states.iter().map(|state| Search::new(*state)).collect();
    let (mut chosen, mut items) = (Vec::new(), Vec::new());
    let (mut values, mut leaf_values) = (Vec::new(), Vec::new());
    for done in 0..expansions {
        let size = searches.iter().map(|search| search.tree.len()).sum();
        if done > 0 && !go_on(Stage::Expand, size) {
            break;
        }
        chosen.clear();
        items.clear();
        for (index, search) in searches.iter_mut().enumerate() {
            if let Some(item) = search.beam.pop() {
                chosen.push(search.tree[item.node].state);
                items.push((index, item));
            }
        }
        if items.is_empty() {
            break;
        }
        estimates.action_values(&chosen, &mut values);
        for ((index, item), values) in items.iter().zip(&values) {
            searches[*index].expand(item, values, deepest);
        }
    }
    for search in &mut searches {
        let go_on = |size| go_on(Stage::Evaluate, size);
        search.value_leaves(estimates, &mut chosen, &mut leaf_values, go_on);
    }
    searches.iter_mut().map(Search::conclude).collect()
}

#[cfg(test)]
mod tests {
    use ludens_core::{Game, Notation, Rng};
    use ludens_games::ConnectFour;

    use super::*;

    /// Values that follow from the state, and say nothing of it.
    struct Odd;

    fn odd(state: &ConnectFour, salt: u64) -> f32 {
        use ludens_core::Position;
        Rng::stream(state.key(), salt).unit() as f32 - 0.5
    }

    impl ActionValues<ConnectFour> for Odd {
        fn action_values(&mut self, states: &[ConnectFour], out: &mut Vec<Vec<f32>>) {
            let one = |state: &ConnectFour| {
                (0..state.actions().len()).map(|index| odd(state, index as u64)).collect()
            };
            *out = states.iter().map(one).collect();
        }

        fn values(&mut self, states: &[ConnectFour], out: &mut Vec<f32>) {
            *out = states.iter().map(|state| odd(state, 99)).collect();
        }
    }

    /// The whole tree to a depth, by its definition.
    fn minimax(state: &ConnectFour, depth: u32) -> f32 {
        if let Some(outcome) = state.outcome() {
            return outcome.pov(state.to_move()).0 as f32;
        }
        if depth == 0 {
            return odd(state, 99);
        }
        let values = state.actions().map(|action| -minimax(&state.apply(action).0, depth - 1));
        values.fold(f32::NEG_INFINITY, f32::max)
    }

    /// With enough expansions the search is a minimax of the depth: children of states at depth M
    /// are evaluated.
    #[test]
    fn without_limits_it_is_minimax() {
        let mut rng = Rng::new(1);
        for _ in 0..30 {
            let mut state = ConnectFour::default();
            for _ in 0..rng.below(25) {
                if let Some((_, next, _)) = state.step(&mut rng)
                    && !next.is_over()
                {
                    state = next;
                }
            }
            for deepest in 0..3 {
                let found = &beam_search(&[state], &mut Odd, 100_000, deepest)[0];
                let expected: Vec<f32> = state
                    .actions()
                    .map(|action| -minimax(&state.apply(action).0, deepest))
                    .collect();
                assert_eq!(found, &expected, "{} {deepest}", state.text());
            }
        }
    }

    /// One expansion evaluates the children; eight more expand all of them, whatever their values.
    #[test]
    fn the_first_layer_is_expanded_first() {
        let state = ConnectFour::default();
        let one = &beam_search(&[state], &mut Odd, 1, 99)[0];
        let expected: Vec<f32> =
            state.actions().map(|action| -odd(&state.apply(action).0, 99)).collect();
        assert_eq!(one, &expected);
        let eight = &beam_search(&[state], &mut Odd, 8, 99)[0];
        assert_eq!(eight, &beam_search(&[state], &mut Odd, 100, 1)[0]);
    }

    #[test]
    fn side_by_side_or_alone_is_the_same() {
        let mut rng = Rng::new(2);
        let mut states = vec![ConnectFour::default()];
        for _ in 0..10 {
            let (_, next, _) = states.last().unwrap().step(&mut rng).unwrap();
            states.push(next);
        }
        states.retain(|state| !state.is_over());
        let together = beam_search(&states, &mut Odd, 20, 99);
        for (state, values) in states.iter().zip(together) {
            assert_eq!(beam_search(&[*state], &mut Odd, 20, 99)[0], values);
        }
    }

    #[test]
    fn wins_within_reach_are_found() {
        let win = ConnectFour::parse(&Default::default(), "223344").unwrap();
        let values = &beam_search(&[win], &mut Odd, 1, 99)[0];
        assert_eq!((values[0], values[4]), (1.0, 1.0));
    }
}
