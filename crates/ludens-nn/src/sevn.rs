//! Sevn as graph networks see it.

use ludens_core::{Game, Pov};
use ludens_games::Sevn;

use crate::{Graph, GraphEncoder};

/// The relations.
#[derive(Clone, Copy)]
enum Relation {
    HiddenBy,
    Conceals,
    Diagonal,
    Takeable,
    SameColour,
    ToAction,
    FromAction,
}

/// The largest base.
const MOST: usize = 11;

/// The graph of Clark (2021, 3.2): a node per tile and per move, seven relations, no coordinates. What
/// counts for nothing in the game, where tiles lie and which colour is which, is not there,
/// so one network plays boards of all sizes.
///
/// - *Hidden by*: from a tile that is not takeable to both neighbours of each side-by-side pair
///   that hides it; *conceals* the other way.
/// - *Diagonal*: between neighbours around a tile with four of them, cyclically.
/// - *Takeable* and *same colour*: between all such tiles; a tile counts as its own partner.
/// - *To action* from a tile to the moves that take it; *from action* the other way.
///
/// A node has three numbers, seen by the player to move: what he misses of the colour, what
/// the opponent misses of it, and by how many colours he leads. Moves have those of their
/// colour. The value is 1 for a win of the player to move.
///
/// ```
/// use ludens_core::Notation;
/// use ludens_games::sevn::{Base, Sevn};
/// use ludens_nn::{Graph, GraphEncoder, SevnGraph};
/// let position = Sevn::parse(&Base::new(3).unwrap(), "1/aaa/aab.cba.cbc").unwrap();
/// let mut graph = Graph::default();
/// SevnGraph.encode(&position, &mut graph);
/// assert_eq!((graph.nodes(), graph.actions()), (14, 5));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SevnGraph;

/// The same without edges from a tile to itself, as the program of Clark (2021) has it: a tile is
/// *takeable* with and of the *same colour* as the others only.
///
/// ```
/// use ludens_core::Notation;
/// use ludens_games::sevn::{Base, Sevn};
/// use ludens_nn::{Graph, GraphEncoder, SevnLooplessGraph};
/// let position = Sevn::parse(&Base::new(3).unwrap(), "1/aaa/aab.cba.cbc").unwrap();
/// let mut graph = Graph::default();
/// SevnLooplessGraph.encode(&position, &mut graph);
/// assert!((0..7).all(|relation| graph.edges(relation).all(|[from, to]| from != to)));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SevnLooplessGraph;

/// Numbers of a node.
const INPUTS: usize = 3;
/// Relations of edges.
const RELATIONS: usize = 7;

impl GraphEncoder<Sevn> for SevnGraph {
    const NAME: &'static str = "sevn-graph 1";
    const INPUTS: usize = INPUTS;
    const RELATIONS: usize = RELATIONS;

    fn encode(self, position: &Sevn, graph: &mut Graph) {
        encode(position, graph, |graph, relation, nodes| graph.connect(relation, nodes, nodes));
    }

    fn value(self, position: &Sevn, output: f32) -> f32 {
        value(position, output)
    }
}

impl GraphEncoder<Sevn> for SevnLooplessGraph {
    const NAME: &'static str = "sevn-graph 1 without loops";
    const INPUTS: usize = INPUTS;
    const RELATIONS: usize = RELATIONS;

    fn encode(self, position: &Sevn, graph: &mut Graph) {
        encode(position, graph, connect_others);
    }

    fn value(self, position: &Sevn, output: f32) -> f32 {
        value(position, output)
    }
}

/// Connects every two different nodes: one half with the other, then the halves in themselves, so
/// that n nodes cost n log n.
fn connect_others(graph: &mut Graph, relation: usize, nodes: &[u16]) {
    let (one, other) = nodes.split_at(nodes.len() / 2);
    if one.is_empty() {
        return;
    }
    graph.connect(relation, one, other);
    graph.connect(relation, other, one);
    connect_others(graph, relation, one);
    connect_others(graph, relation, other);
}

fn value(position: &Sevn, output: f32) -> f32 {
    match position.score() {
        Some(result) if position.is_over() => result as f32,
        _ => Pov(output).abs(position.to_move()).0,
    }
}

/// Writes the graph of a position; `clique` connects tiles that belong together.
fn encode(position: &Sevn, graph: &mut Graph, clique: fn(&mut Graph, usize, &[u16])) {
    graph.clear(INPUTS, RELATIONS);
    let (n, free) = (position.variant().get(), position.takeable().0);
    let sign = position.to_move().sign();
    let lead = |colour: usize| sign * position.lead(colour);
    let ahead: i32 = (0..n).map(|colour| lead(colour).signum()).sum();
    let features =
        |colour: usize| [n as i32 - lead(colour), n as i32 + lead(colour), ahead].map(|x| x as f32);

    // Tiles, the takeable ones first: few nodes take part in most relations.
    let mut nodes = [None; MOST * MOST];
    let mut colours = [Members::default(); MOST];
    let mut takeable = 0;
    for wanted in [true, false] {
        for (cell, found) in nodes[..n * n].iter_mut().enumerate() {
            let Some(colour) = position.colour(cell) else { continue };
            if (free >> cell & 1 == 1) == wanted {
                let node = graph.node(&features(colour));
                *found = Some(node);
                colours[colour].push(node);
                takeable += u16::from(wanted);
            }
        }
    }

    // What hides what.
    for cell in (0..n * n).filter(|cell| free >> cell & 1 == 0) {
        let Some(node) = nodes[cell] else { continue };
        let (row, column) = (cell / n, cell % n);
        let at = |on: bool, cell: usize| if on { nodes[cell] } else { None };
        let beside = at(column > 0, cell.wrapping_sub(1)).zip(at(column + 1 < n, cell + 1));
        let between = at(row > 0, cell.wrapping_sub(n)).zip(at(row + 1 < n, cell + n));
        for (a, b) in [beside, between].into_iter().flatten() {
            graph.connect(Relation::HiddenBy as usize, &[node], &[a, b]);
            graph.connect(Relation::Conceals as usize, &[a, b], &[node]);
        }
        if let (Some((left, right)), Some((up, down))) = (beside, between) {
            graph.connect(Relation::Diagonal as usize, &[left, right], &[up, down]);
            graph.connect(Relation::Diagonal as usize, &[up, down], &[left, right]);
        }
    }

    let mut all = [0; MOST * MOST];
    all.iter_mut().zip(0..).for_each(|(node, number)| *node = number);
    let all = &all[..usize::from(takeable)];
    clique(graph, Relation::Takeable as usize, all);
    for members in &colours[..n] {
        clique(graph, Relation::SameColour as usize, members.get());
    }
    for action in position.actions() {
        let (mut tiles, mut rest) = (Members::default(), action.0);
        let colour = position.colour(rest.trailing_zeros() as usize);
        while rest != 0 {
            let cell = rest.trailing_zeros() as usize;
            tiles.push(nodes[cell].expect("moves take tiles"));
            rest &= rest - 1;
        }
        let node = graph.action(&features(colour.expect("moves take tiles")));
        graph.connect(Relation::ToAction as usize, tiles.get(), &[node]);
        graph.connect(Relation::FromAction as usize, &[node], tiles.get());
    }
}

/// Tiles of one colour: as many as the base at most.
#[derive(Clone, Copy, Default)]
struct Members {
    nodes: [u16; MOST],
    len: usize,
}

impl Members {
    fn push(&mut self, node: u16) {
        self.nodes[self.len] = node;
        self.len += 1;
    }

    fn get(&self) -> &[u16] {
        &self.nodes[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use ludens_core::{Evals, Evaluator, Notation, Rng, Sym, Symmetric};
    use ludens_games::sevn::Base;

    use super::*;
    use crate::{GraphEvaluator, GraphNetwork, GraphSpec, Weights};

    fn edges(graph: &Graph, relation: usize) -> BTreeSet<[u16; 2]> {
        graph.edges(relation).collect()
    }

    #[test]
    fn a_small_board_has_the_edges_of_the_text() {
        let position = Sevn::parse(&Base::new(3).unwrap(), "1/aaa/aab.cba.cbc").unwrap();
        let mut graph = Graph::default();
        SevnGraph.encode(&position, &mut graph);
        // The corners are 0 to 3; then 4 above, 5 left, 6 in the middle, 7 right, 8 below.
        let hidden = BTreeSet::from([
            [4, 0],
            [4, 1],
            [5, 0],
            [5, 2],
            [6, 4],
            [6, 5],
            [6, 7],
            [6, 8],
            [7, 1],
            [7, 3],
            [8, 2],
            [8, 3],
        ]);
        assert_eq!(edges(&graph, Relation::HiddenBy as usize), hidden);
        assert_eq!(
            edges(&graph, Relation::Conceals as usize),
            hidden.iter().map(|&[a, b]| [b, a]).collect()
        );
        let round = [[4, 5], [5, 8], [8, 7], [7, 4]];
        let both = round.iter().flat_map(|&[a, b]| [[a, b], [b, a]]);
        assert_eq!(edges(&graph, Relation::Diagonal as usize), both.collect());
        assert_eq!(edges(&graph, Relation::Takeable as usize).len(), 16);
        assert_eq!(edges(&graph, Relation::SameColour as usize).len(), 27);
        assert_eq!(edges(&graph, Relation::ToAction as usize).len(), 6);
        assert_eq!(graph.features()[..3], [3.0, 3.0, 0.0]);
    }

    /// The edges are the same but for those from a tile to itself, none of which comes twice.
    #[test]
    fn graphs_without_loops_lack_only_these() {
        let mut rng = Rng::new(4);
        let (mut with, mut without) = (Graph::default(), Graph::default());
        for base in [3, 5, 7, 9] {
            let mut position = Sevn::start(&Base::new(base).unwrap(), &mut rng);
            while let Some((_, next, _)) = position.step(&mut rng) {
                SevnGraph.encode(&position, &mut with);
                SevnLooplessGraph.encode(&position, &mut without);
                for relation in 0..RELATIONS {
                    let mut expected = edges(&with, relation);
                    expected.retain(|[from, to]| from != to);
                    assert_eq!(edges(&without, relation), expected, "relation {relation}");
                }
                for relation in [Relation::Takeable as usize, Relation::SameColour as usize] {
                    let count = without.edges(relation).count();
                    assert_eq!(count, edges(&without, relation).len());
                }
                position = next;
            }
        }
    }

    /// Positions that differ only by where they lie, or by the names of colours, are evaluated the same.
    #[test]
    fn places_do_not_matter() {
        let mut rng = Rng::new(1);
        let network = GraphNetwork::new(&Weights::random(GraphSpec::sevn(), &mut rng));
        let mut evaluator = GraphEvaluator::new(Arc::new(network), SevnGraph).unwrap();
        let (mut evals, mut others) = (Evals::default(), Evals::default());
        for base in [3, 5, 7, 9, 11] {
            let mut position = Sevn::start(&Base::new(base).unwrap(), &mut rng);
            while let Some((_, next, _)) = position.step(&mut rng) {
                evaluator.evaluate(&[position], &mut evals);
                assert_eq!(evals.priors(0).len(), position.actions().len());
                let sum: f32 = evals.priors(0).iter().sum();
                assert!((sum - 1.0).abs() < 1e-4, "{sum}");
                for _ in 0..4 {
                    let symmetry = rng.below(Sevn::symmetries(&position.variant()));
                    let turned = position.map(Sym(symmetry));
                    evaluator.evaluate(&[turned], &mut others);
                    let (one, two) = (evals.value(0).unwrap(), others.value(0).unwrap());
                    assert!((one - two).abs() < 1e-5, "{one} {two}");
                    for (action, prior) in position.actions().zip(evals.priors(0)) {
                        let action = position.map_action(action, Sym(symmetry));
                        let at = turned.actions().position(|other| other == action).unwrap();
                        assert!((prior - others.priors(0)[at]).abs() < 1e-5);
                    }
                }
                position = next;
            }
            evaluator.evaluate(&[position], &mut evals);
            assert_eq!(evals.value(0), Some(position.score().unwrap() as f32));
        }
    }

    #[test]
    fn networks_for_other_graphs_are_refused() {
        let spec = GraphSpec::new(2, vec![3, 2]).unwrap();
        let network = GraphNetwork::new(&Weights::random(spec, &mut Rng::new(1)));
        let evaluator = GraphEvaluator::<Sevn, _>::new(Arc::new(network), SevnGraph);
        assert_eq!(
            evaluator.err().unwrap().to_string(),
            "network's graphs: found 3 numbers of a node and 2 relations, \
             expected 3 numbers of a node and 7 relations"
        );
    }
}
