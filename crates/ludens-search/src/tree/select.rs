//! Ways down the tree.

use ludens_core::{Game, Player, Pov, Way};

use super::arena::{Edge, Node};
use super::backup::Backup;
use super::config::{ChanceSampling, Range, Selection};
use super::search::TreeSearch;

/// What is the same for all moves of a node.
#[derive(Clone, Copy)]
struct Terms {
    /// What values are divided by.
    span: f32,
    /// The value of a move without visits.
    unknown: f32,
    /// What the bonus grows with.
    growth: f32,
}

impl Selection {
    fn terms<W>(self, node: &Node, edges: &[Edge<W>], span: f32) -> Terms {
        let visits = node.visits as f32;
        let (unknown, growth) = match self {
            Selection::Ucb1(_) => (0.0, visits.max(1.0).ln()),
            Selection::Sqrt(_) => (0.0, visits),
            Selection::Puct(_) => (0.0, visits.sqrt()),
            Selection::AlphaZero { c, fpu } => {
                let tried: f32 = edges.iter().filter(|e| e.visits > 0).map(|e| e.prior).sum();
                let passed = node.visits.saturating_sub(1) as f32;
                let value = node.value.pov(node.player).0 / span;
                (value - fpu * tried.sqrt(), c * passed.max(1.0).sqrt())
            }
            Selection::Plain(c) => (0.0, c * (node.visits.saturating_sub(1) as f32).sqrt()),
        };
        Terms { span, unknown, growth }
    }

    /// What the move with the largest of is followed.
    #[inline]
    fn score<W>(self, Terms { span, unknown, growth }: Terms, edge: &Edge<W>) -> f32 {
        let mean = if edge.visits == 0 { unknown } else { edge.mean().0 / span };
        let own = edge.visits as f32;
        mean + match self {
            Selection::Ucb1(_) if edge.visits == 0 => f32::INFINITY,
            Selection::Ucb1(c) => c * (growth / own).sqrt(),
            Selection::Sqrt(c) => c * (growth / (1.0 + own)).sqrt(),
            Selection::Puct(c) => c * edge.prior * growth / (1.0 + own),
            Selection::AlphaZero { .. } | Selection::Plain(_) => growth * edge.prior / (1.0 + own),
        }
    }

    /// Whether priors have a say.
    pub(super) fn uses_priors(self) -> bool {
        matches!(self, Selection::Puct(_) | Selection::AlphaZero { .. } | Selection::Plain(_))
    }
}

impl<G: Game, B: Backup<G>> TreeSearch<G, B> {
    /// What values are divided by.
    pub(super) fn span(&self) -> f32 {
        match self.config.range {
            Range::Fixed(span) => span,
            Range::Root => {
                let Node { value, player, .. } = self.tree.nodes[0];
                value.pov(player).0.max(1.0)
            }
            Range::MinMax => self.seen.map_or(1.0, |(low, high)| (high - low).max(1.0)),
        }
    }

    /// A value of the root as a share of the range, 0 the least and 1 the largest.
    pub(super) fn share(&self, value: Pov) -> f32 {
        match (self.config.range, self.seen) {
            (Range::MinMax, Some((low, high))) => {
                let least = match self.tree.nodes[0].player {
                    Player::One => low,
                    Player::Two => -high,
                };
                (value.0 - least) / self.span()
            }
            _ => (value.0 / self.span() + 1.0) / 2.0,
        }
    }

    /// The edge to follow from a position: the largest by the rule among those that are not proven,
    /// the first of equals.
    pub(super) fn select(&self, node: u32) -> u32 {
        if let (0, Some(halving)) = (node, &self.halving) {
            return self.select_halving(halving);
        }
        let (here, edges) = (&self.tree.nodes[node as usize], self.tree.edges_of(node));
        let rule = self.config.selection;
        let terms = rule.terms(here, edges, self.span());
        let (mut best, mut most) = (None, f32::NEG_INFINITY);
        for (i, edge) in edges.iter().enumerate() {
            // Nothing more is to be learned where the result is known.
            if self.tree.proven(edge).is_some() {
                continue;
            }
            let score = rule.score(terms, edge);
            if best.is_none() || score > most {
                (best, most) = (Some(i), score);
            }
        }
        here.first + best.expect("a node whose moves are all proven is proven itself") as u32
    }

    /// What the rule makes of the ways on from a position, in their order.
    pub(super) fn scores(&self, node: u32) -> impl Iterator<Item = f32> {
        let (here, edges) = (&self.tree.nodes[node as usize], self.tree.edges_of(node));
        let rule = self.config.selection;
        let terms = rule.terms(here, edges, self.span());
        edges.iter().map(move |edge| rule.score(terms, edge))
    }

    /// What decides between moves in the end, unless results are proven.
    pub(super) fn final_score(&self, node: u32, edge: &Edge<Way<G>>) -> f32 {
        let visits = edge.visits as f32;
        match self.config.selection {
            Selection::AlphaZero { .. } => visits + edge.prior,
            Selection::Plain(_) => visits,
            Selection::Ucb1(_) | Selection::Puct(_) => visits + edge.mean().0 / 4.0,
            rule @ Selection::Sqrt(_) => {
                let here = &self.tree.nodes[node as usize];
                rule.score(rule.terms(here, self.tree.edges_of(node), self.span()), edge)
            }
        }
    }

    /// The outcome to follow from a chance node.
    pub(super) fn select_outcome(&mut self, node: u32) -> u32 {
        let Node { first, visits, .. } = self.tree.nodes[node as usize];
        let edges = self.tree.edges_of(node);
        let index = match self.config.outcomes {
            ChanceSampling::Random => {
                let mut left = self.rng.unit() as f32;
                let passed = edges.iter().position(|edge| {
                    left -= edge.prior;
                    left < 0.0
                });
                passed.unwrap_or(edges.len() - 1)
            }
            ChanceSampling::Balanced => {
                // The node's evaluation was a visit of the node, but of none of its outcomes.
                let (mut best, mut most, mut equals) = (0, f32::NEG_INFINITY, 0);
                for (i, edge) in edges.iter().enumerate() {
                    let behind = edge.prior * visits as f32 - edge.visits as f32;
                    if behind > most {
                        (best, most, equals) = (i, behind, 1);
                    } else if behind == most {
                        equals += 1;
                        if self.rng.below(equals) == 0 {
                            best = i;
                        }
                    }
                }
                best
            }
        };
        first + index as u32
    }
}
