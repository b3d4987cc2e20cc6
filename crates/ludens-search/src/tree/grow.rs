//! New nodes, and what their values change above them.

use std::ops::ControlFlow;

use ludens_core::{Abs, Game, GameResult, Pov, Way};

use super::arena::{NONE, Node};
use super::backup::Backup;
use super::config::{Expansion, Range, Solver};
use super::search::{Step, TreeSearch};

impl<G: Game, B: Backup<G>> TreeSearch<G, B> {
    /// Where an edge leads whose outcome nature decides.
    pub(super) fn chance_node(&mut self, node: u32, edge: u32, after: &G::After) -> u32 {
        let child = self.tree.edges[edge as usize].child;
        if child != NONE {
            return child;
        }
        let (first, tree) = (self.tree.edges.len(), &mut self.tree);
        let _ = G::outcomes(after, |outcome, p| {
            tree.push_edge(Way::Chance(outcome), p as f32);
            ControlFlow::Continue(())
        });
        let player = tree.nodes[node as usize].player;
        let child = tree.push_node(first, player, Abs(0.0));
        tree.nodes[child as usize].chance = true;
        tree.edges[edge as usize].child = child;
        child
    }

    /// Adds a position. With a solver that sees ahead, moves that end the game are followed at once.
    pub(super) fn expand(&mut self, position: &G, priors: &[f32], value: Abs) -> u32 {
        let (first, tree) = (self.tree.edges.len(), &mut self.tree);
        let actions = position.actions();
        let (count, values) = (actions.len(), self.config.expansion == Expansion::Values);
        let even = 1.0 / count.max(1) as f32;
        for (i, action) in actions.enumerate() {
            let given = priors.get(i).copied();
            tree.push_edge(Way::Action(action), given.filter(|_| !values).unwrap_or(even));
            if let (Some(value), Some(edge), true) = (given, tree.edges.last_mut(), values) {
                (edge.visits, edge.sum) = (1, Pov(f64::from(value)));
            }
        }
        let node = tree.push_node(first, position.to_move(), value);
        if values {
            tree.nodes[node as usize].visits = count as u32;
        }
        let result = if count == 0 { B::result(position) } else { None };
        if self.config.solver != Solver::Off {
            tree.nodes[node as usize].proven = result;
        }
        if self.config.solver == Solver::Values && count > 0 {
            self.look_ahead(position, node);
        }
        let known = self.tree.nodes[node as usize].proven.or(result);
        if let Some(result) = known {
            self.tree.nodes[node as usize].value = result.into();
        }
        node
    }

    /// Follows the moves of a new node that end the game with a result.
    fn look_ahead(&mut self, position: &G, node: u32) {
        let Node { first, edges, .. } = self.tree.nodes[node as usize];
        for (edge, action) in (first..first + edges).zip(position.actions()) {
            let Some((next, result)) = end_of::<G, B>(position, action) else { continue };
            let end = self.tree.edges.len();
            let child = self.tree.push_node(end, next.to_move(), result.into());
            self.tree.nodes[child as usize].proven = Some(result);
            self.tree.edges[edge as usize].child = child;
        }
        self.tree.prove(node);
    }

    /// Whether the player to move has a move that is seen to win.
    pub(super) fn wins_at_once(&self, position: &G) -> bool {
        let won = GameResult::Win(position.to_move());
        let wins = |action| end_of::<G, B>(position, action).is_some_and(|(_, r)| r == won);
        self.config.solver == Solver::Values && position.actions().any(wins)
    }

    /// Enters the value of the end of a path into everything on it, and what that proves.
    pub(super) fn back_up(&mut self, from: usize, to: usize, end: u32) {
        let Node { mut value, mut proven, .. } = self.tree.nodes[end as usize];
        let replace = self.config.solver == Solver::Values;
        let paid: f32 = self.path[from..to].iter().map(|step| step.reward).sum();
        let whole = value.0 + paid;
        for index in (from..to).rev() {
            let Step { node, edge, reward } = self.path[index];
            value.0 += reward;
            if let (Some(result), true) = (proven, replace) {
                value = result.into();
            }
            let Node { player, chance, .. } = self.tree.nodes[node as usize];
            let edge = &mut self.tree.edges[edge as usize];
            edge.sum.0 += f64::from(self.config.virtual_loss + value.pov(player).0);
            if self.config.range == Range::MinMax {
                // With what was paid before, moves of all depths compare.
                let seen = whole - value.0 + edge.mean().abs(player).0;
                let (low, high) = self.seen.unwrap_or((seen, seen));
                self.seen = Some((low.min(seen), high.max(seen)));
            }
            if proven.is_some() && !chance {
                self.tree.prove(node);
            }
            let Node { proven: here, drawable, .. } = self.tree.nodes[node as usize];
            proven = proven.and(here);
            // Who can draw does not go where it is worse.
            if replace && drawable && value.pov(player).0 < 0.0 {
                value = Abs(0.0);
            }
        }
    }
}

/// Where a move leads that ends the game with a result; nature must have no say.
fn end_of<G: Game, B: Backup<G>>(position: &G, action: G::Action) -> Option<(G, GameResult)> {
    let after = position.apply(action).0;
    if G::is_chance(&after) {
        return None;
    }
    let mut next = None;
    let _ = G::outcomes(&after, |outcome, _| {
        next = Some(G::apply_outcome(&after, outcome).0);
        ControlFlow::Break(())
    });
    let next = next?;
    if next.is_over() { B::result(&next).map(|result| (next, result)) } else { None }
}
