//! A*: always on from the position with the largest rewards so far plus bound.
//!
//! With the game's own bound the first end of the game that comes to the front
//! is the best there is. Positions are kept once, with the best way to them, and
//! compared in full. A relaxed bound finds a line sooner: multiplied by a factor
//! above 1 where moves cost (a line costs at most that factor too much), below 1
//! where moves pay (a line has at least that share of the best value).
//!
//! Limits: memory grows with every position. When it is used up, or the system has no more, the best line
//! met so far is returned with the bound that was reached.
//!
//! References: Klein 2015, 1.4; Hart, Nilsson and Raphael, 1968.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, TryReserveError};

use ludens_core::{Bounded, Context, Deterministic, Progress, Solution, Solver};

use crate::position_index::PositionIndex;
use crate::replay;

/// Expansions between two looks at the limits.
const STRIDE: u64 = 64;

/// The solver.
#[derive(Clone, Copy, Debug)]
pub struct AStar {
    /// What bounds are multiplied with; 1 gives optimal lines.
    pub relaxation: f64,
}

impl Default for AStar {
    fn default() -> Self {
        AStar { relaxation: 1.0 }
    }
}

/// An entry of the queue. Larger is more promising, then deeper.
#[derive(Clone, Copy, PartialEq)]
struct Open {
    promise: f64,
    depth: u32,
    at: u32,
    /// The rewards to the position when it was queued; outdated if it has better ones now.
    value: i64,
}

impl Eq for Open {}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.promise.total_cmp(&other.promise))
            .then(self.depth.cmp(&other.depth))
            // Of equals the older first.
            .then(other.at.cmp(&self.at))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A position and the best way to it.
#[derive(Clone, Copy)]
struct Node<G, A> {
    position: G,
    value: i64,
    parent: u32,
    action: Option<A>,
}

impl<G: Bounded + Deterministic> Solver<G> for AStar {
    fn solve(&mut self, position: &G, context: &mut Context<'_, G>) -> Option<Solution<G>> {
        let each = size_of::<Node<G, G::Action>>() + 8 + PositionIndex::BYTES + size_of::<Open>();
        // Growing lists need memory for the old and the new one at once.
        let most = (context.memory / (3 * each)).clamp(16, u32::MAX as usize - 2);
        let mut nodes = vec![Node { position: *position, value: 0, parent: 0, action: None }];
        let mut keys = vec![position.key()];
        let mut index = PositionIndex::default();
        index.resize(64).ok()?;
        index.fill(&keys);
        let mut queue = BinaryHeap::new();
        queue.push(Open { promise: 0.0, depth: 0, at: 0, value: 0 });
        // The best end of the game met so far, and the number of children made.
        let mut incumbent: Option<u32> = None;
        let (mut made, mut expanded) = (0, 0);
        let mut last = 0;
        let mut optimal = false;
        while let Some(&open) = queue.peek() {
            let Node { position: here, value, .. } = nodes[open.at as usize];
            if value > open.value {
                queue.pop();
                continue;
            }
            last = open.at;
            if here.is_over() {
                optimal = true;
                break;
            }
            let stop = expanded % STRIDE == 0 && context.limits.interrupted();
            if stop || context.limits.spent(made) || nodes.len() >= most {
                break;
            }
            let children = here.actions().len();
            if make_room(children, &mut nodes, &mut keys, &mut index, &mut queue).is_err() {
                break;
            }
            queue.pop();
            expanded += 1;
            here.children(|action, child, reward| {
                made += 1;
                let value = value + i64::from(reward);
                let key = child.key();
                let same = |at: usize| keys[at] == key && nodes[at].position == child;
                let node = Node { position: child, value, parent: open.at, action: Some(action) };
                let at = match index.find(key, same) {
                    Ok(at) if value <= nodes[at].value => return,
                    Ok(at) => {
                        nodes[at] = node;
                        at
                    }
                    Err(slot) => {
                        index.put(slot, nodes.len());
                        nodes.push(node);
                        keys.push(key);
                        nodes.len() - 1
                    }
                };
                let over = child.is_over();
                if over && incumbent.is_none_or(|best| value > nodes[best as usize].value) {
                    incumbent = Some(at as u32);
                }
                let left = if over { 0.0 } else { child.upper_bound() as f64 };
                let promise = value as f64 + self.relaxation * left;
                let (depth, at) = (open.depth + 1, at as u32);
                queue.push(Open { promise, depth, at, value });
            });
        }
        // What is left to do needs some memory, too.
        drop((keys, index));
        let next = queue.peek().map(|open| open.promise);
        drop(queue);
        let best = if optimal { last } else { incumbent.unwrap_or(last) };
        let line = trace(&nodes, best);
        // A better way to a position on the line may have been found meanwhile.
        let value = replay(position, &line);
        let bound = match next {
            _ if self.relaxation != 1.0 => position.upper_bound(),
            // Outdated entries only raise it.
            Some(promise) if !optimal => promise as i64,
            _ => value,
        };
        // A line that is not whole says nothing about the bound.
        let whole = optimal || incumbent.is_some();
        let bound = Some(bound.min(position.upper_bound())).filter(|_| whole);
        let solution = Solution { line, value, bound, nodes: made };
        context.report(&Progress { best: Some(&solution), bound, nodes: made, stage: "A*" });
        Some(solution)
    }
}

/// Gets ready for children of a position.
fn make_room<G, A>(
    children: usize,
    nodes: &mut Vec<Node<G, A>>,
    keys: &mut Vec<u64>,
    index: &mut PositionIndex,
    queue: &mut BinaryHeap<Open>,
) -> Result<(), TryReserveError> {
    nodes.try_reserve(children)?;
    keys.try_reserve(children)?;
    queue.try_reserve(children)?;
    if keys.len() + children >= index.capacity() {
        index.resize(2 * (keys.len() + children))?;
        index.fill(keys);
    }
    Ok(())
}

/// The actions from the root to a node.
fn trace<G, A: Copy>(nodes: &[Node<G, A>], at: u32) -> Vec<A> {
    let mut line = Vec::new();
    let mut at = at;
    while let Some(action) = nodes[at as usize].action {
        line.push(action);
        at = nodes[at as usize].parent;
    }
    line.reverse();
    line
}
