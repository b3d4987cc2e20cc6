//! Graphs: nodes with numbers, and edges in bundles.

use std::ops::Range;

/// A graph for a network: nodes with numbers, action nodes last, and edges by relation.
///
/// Edges come in *bundles*: everything in a list of sources sends to everything in a list
/// of targets. With the largest message winning, what the sources send is then found out once
/// for all targets; a clique of n nodes costs 2n instead of n².
///
/// ```
/// use ludens_nn::Graph;
/// let mut graph = Graph::new(1, 2);
/// let tile = graph.node(&[0.5]);
/// let action = graph.action(&[0.0]);
/// graph.connect(0, &[tile], &[action]);
/// graph.connect(1, &[action], &[tile]);
/// assert_eq!((graph.nodes(), graph.actions()), (2, 1));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Graph {
    inputs: usize,
    features: Vec<f32>,
    nodes: usize,
    actions: usize,
    /// The bundles of every relation.
    bundles: Vec<Vec<Bundle>>,
    /// Sources and targets of all bundles.
    ends: Vec<u16>,
    /// From the first node that a relation has as a source to its last one.
    senders: Vec<Range<usize>>,
}

/// Where a bundle's sources begin, where its targets begin, and where they end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bundle([u32; 3]);

impl Bundle {
    /// Sources and targets.
    pub(crate) fn of(self, ends: &[u16]) -> (&[u16], &[u16]) {
        let [from, middle, to] = self.0.map(|at| at as usize);
        (&ends[from..middle], &ends[middle..to])
    }
}

impl Graph {
    /// A graph without nodes: numbers of a node, and relations.
    pub fn new(inputs: usize, relations: usize) -> Graph {
        let mut graph = Graph::default();
        graph.clear(inputs, relations);
        graph
    }

    /// Begins anew, keeping the memory.
    pub fn clear(&mut self, inputs: usize, relations: usize) {
        self.inputs = inputs;
        self.features.clear();
        (self.nodes, self.actions) = (0, 0);
        self.bundles.resize_with(relations, Vec::new);
        self.bundles.iter_mut().for_each(Vec::clear);
        self.ends.clear();
        self.senders.clear();
        self.senders.resize(relations, 0..0);
    }

    /// Adds a node that is no action; returns its number.
    ///
    /// # Panics
    /// When there are actions already, too many nodes, or as many numbers as nodes do not have.
    pub fn node(&mut self, features: &[f32]) -> u16 {
        assert_eq!(self.actions, 0, "actions come last");
        self.add(features)
    }

    /// Adds an action node; returns its number.
    ///
    /// # Panics
    /// When there are too many nodes, or as many numbers as nodes do not have.
    pub fn action(&mut self, features: &[f32]) -> u16 {
        self.actions += 1;
        self.add(features)
    }

    fn add(&mut self, features: &[f32]) -> u16 {
        assert_eq!(features.len(), self.inputs, "all nodes have as many numbers");
        self.features.extend_from_slice(features);
        self.nodes += 1;
        u16::try_from(self.nodes - 1).expect("at most 65,536 nodes")
    }

    /// Adds the edges from every source to every target; none without sources or targets.
    ///
    /// # Panics
    /// When there is no such relation or node.
    pub fn connect(&mut self, relation: usize, sources: &[u16], targets: &[u16]) {
        let all = || sources.iter().chain(targets).map(|&node| usize::from(node));
        assert!(all().all(|node| node < self.nodes), "edges are between nodes");
        if sources.is_empty() || targets.is_empty() {
            return;
        }
        let from = self.ends.len() as u32;
        self.ends.extend_from_slice(sources);
        let middle = self.ends.len() as u32;
        self.ends.extend_from_slice(targets);
        self.bundles[relation].push(Bundle([from, middle, self.ends.len() as u32]));
        let senders = &mut self.senders[relation];
        for source in sources.iter().map(|&source| usize::from(source)) {
            *senders = if senders.start == senders.end {
                source..source + 1
            } else {
                senders.start.min(source)..senders.end.max(source + 1)
            };
        }
    }

    /// Nodes, with the actions.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Action nodes: the last ones.
    pub fn actions(&self) -> usize {
        self.actions
    }

    /// Relations that edges may have.
    pub fn relations(&self) -> usize {
        self.bundles.len()
    }

    /// All edges of a relation as pairs of a source and a target; some may come twice.
    pub fn edges(&self, relation: usize) -> impl Iterator<Item = [u16; 2]> + '_ {
        self.bundles[relation].iter().flat_map(|bundle| {
            let (sources, targets) = bundle.of(&self.ends);
            sources.iter().flat_map(move |&source| targets.iter().map(move |&to| [source, to]))
        })
    }

    /// The numbers of all nodes, node after node.
    pub fn features(&self) -> &[f32] {
        &self.features
    }

    pub(crate) fn inputs(&self) -> usize {
        self.inputs
    }

    pub(crate) fn bundles(&self, relation: usize) -> &[Bundle] {
        &self.bundles[relation]
    }

    pub(crate) fn ends(&self) -> &[u16] {
        &self.ends
    }

    pub(crate) fn senders(&self, relation: usize) -> Range<usize> {
        self.senders[relation].clone()
    }
}
