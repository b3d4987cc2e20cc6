//! IDA*: depth-first search under a bound that is lowered step by step.
//!
//! Each iteration visits the positions whose rewards so far plus bound reach a
//! target, the most that may still be possible. The first end of the game met
//! under a target has exactly that value and is the best there is; otherwise the
//! next target is the largest sum that fell short.
//!
//! Limits: nothing is remembered between branches, so positions that can be
//! reached in many ways are searched as often. In return it needs no memory to
//! speak of.
//!
//! References: Korf, "Depth-first iterative-deepening", 1985; the exact part of
//! Ludens searches Former with duplicate removal instead.

use ludens_core::{Bounded, Context, Deterministic, Progress, Solution, Solver};

use crate::replay;

/// Expansions between two looks at the limits.
const STRIDE: u64 = 64;

/// The solver.
#[derive(Clone, Copy, Debug, Default)]
pub struct IdaStar;

/// A position still to be visited.
struct Waiting<G, A> {
    position: G,
    value: i64,
    /// The length of the line to it.
    depth: usize,
    action: Option<A>,
}

impl<G: Bounded + Deterministic> Solver<G> for IdaStar {
    fn solve(&mut self, position: &G, context: &mut Context<'_, G>) -> Option<Solution<G>> {
        let mut target = position.upper_bound();
        let mut best: Option<Solution<G>> = None;
        let mut stack = Vec::new();
        let mut line: Vec<G::Action> = Vec::new();
        let (mut nodes, mut expanded) = (0, 0_u64);
        loop {
            // The largest sum below the target.
            let mut short = i64::MIN;
            let mut stopped = false;
            stack.push(Waiting { position: *position, value: 0, depth: 0, action: None });
            while let Some(Waiting { position: here, value, depth, action }) = stack.pop() {
                line.truncate(depth.saturating_sub(1));
                line.extend(action);
                if here.is_over() {
                    if best.as_ref().is_none_or(|best| value > best.value) {
                        let bound = Some(target);
                        let solution = Solution { line: line.clone(), value, bound, nodes };
                        let progress =
                            Progress { best: Some(&solution), bound, nodes, stage: "IDA*" };
                        context.report(&progress);
                        best = Some(solution);
                    }
                    if value >= target {
                        break;
                    }
                    short = short.max(value);
                    continue;
                }
                let pause = expanded.is_multiple_of(STRIDE) && context.limits.interrupted();
                if pause || context.limits.spent(nodes) {
                    stopped = true;
                    break;
                }
                expanded += 1;
                let begin = stack.len();
                here.children(|action, child, reward| {
                    nodes += 1;
                    let value = value + i64::from(reward);
                    let over = child.is_over();
                    let sum = if over { value } else { value + child.upper_bound() };
                    // An end that falls short is still a line to have.
                    if sum >= target || (over && best.is_none()) {
                        let action = Some(action);
                        stack.push(Waiting { position: child, value, depth: depth + 1, action });
                    } else {
                        short = short.max(sum);
                    }
                });
                // The game's own order.
                stack[begin..].reverse();
            }
            stack.clear();
            let solved = best.as_ref().is_some_and(|best| best.value >= target);
            if solved || stopped {
                let bound = Some(target);
                return Some(match best {
                    Some(best) => Solution { bound, nodes, ..best },
                    // The branch that was open when time ran out; not whole, so no bound.
                    None => {
                        let value = replay(position, &line);
                        Solution { line, value, bound: None, nodes }
                    }
                });
            }
            target = short;
            let stage = "IDA*";
            context.report(&Progress { best: best.as_ref(), bound: Some(target), nodes, stage });
        }
    }
}
