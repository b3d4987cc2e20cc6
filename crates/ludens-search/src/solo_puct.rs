//! PUCT for one player: tree search with an evaluator that knows likely moves and what is to come.
//!
//! A [`SoloPuct`] is driven from outside as the [`Puct`](crate::duel::puct::Puct) of games for two is:
//! [`gather`](SoloPuct::gather) names the position at the end of a walk, someone judges it,
//! [`apply`](SoloPuct::apply) enters the verdict. One walk waits at a time: batches are those of many
//! trees. Values are sums of rewards, of any size; against likelihoods they count by the
//! range of what the tree has seen, and rewards being whole numbers, by 1 at least.
//!
//! Limits: games without chance; positions reached in several ways have several nodes.
//!
//! - D. Silver et al., A general reinforcement learning algorithm that masters chess, shogi, and Go
//!   through self-play, Science 362, 2018.
//! - J. Schrittwieser et al., Mastering Atari, Go, chess and shogi by planning with a learned model,
//!   Nature 588, 2020 (values by their range).

use ludens_core::{Deterministic, Evals, Rng, Solo};

use crate::duel::puct::{Noise, PuctConfig};
use crate::duel::tree::{Edge, NONE, Node, Tree};

/// A tree that grows by evaluations from outside.
pub struct SoloPuct<G: Solo> {
    config: PuctConfig,
    tree: Tree<G>,
    root: Option<G>,
    noise: Option<Noise>,
    rng: Rng,
    goal: u32,
    begun: u32,
    /// The end of the walk that waits for a verdict.
    pending: Option<G>,
    /// That walk: nodes, the edges chosen there and what they paid.
    way: Vec<(u32, u32, f32)>,
    /// The least and the largest sum from the root to the end that a move was thought worth.
    range: Option<(f32, f32)>,
    scratch: Vec<f32>,
}

impl<G: Solo + Deterministic> SoloPuct<G> {
    /// An empty tree.
    pub fn new(config: PuctConfig) -> Self {
        SoloPuct {
            config,
            tree: Tree::new(),
            root: None,
            noise: None,
            rng: Rng::new(0),
            goal: 0,
            begun: 0,
            pending: None,
            way: Vec::new(),
            range: None,
            scratch: Vec::new(),
        }
    }

    /// Begins a move: so many simulations from a position, of which the first is the verdict on the
    /// position itself; that one only where there is but one move. What is known of the position is
    /// kept.
    ///
    /// # Panics
    /// When the game is over.
    pub fn begin(&mut self, position: &G, simulations: u32, noise: Option<Noise>, rng: Rng) {
        let moves = position.actions().len();
        assert!(moves > 0, "there is a move to choose");
        self.pending = None;
        if self.root != Some(*position) {
            self.forget();
            self.root = Some(*position);
        }
        (self.noise, self.rng) = (noise, rng);
        (self.goal, self.begun) = (if moves == 1 { 1 } else { simulations.max(1) }, 0);
        if !self.tree.nodes.is_empty() {
            self.begun = 1;
            self.mix();
        }
    }

    /// Forgets everything, keeping the memory.
    pub fn forget(&mut self) {
        self.tree.clear();
        (self.root, self.pending, self.range) = (None, None, None);
    }

    /// Appends the position that needs a verdict, and gives how many that are: none when the move is
    /// decided, or a verdict is awaited.
    pub fn gather(&mut self, out: &mut Vec<G>) -> usize {
        if self.pending.is_some() {
            return 0;
        }
        while self.begun < self.goal {
            self.begun += 1;
            self.way.clear();
            self.pending = if self.tree.nodes.is_empty() { self.root } else { self.walk() };
            if let Some(position) = self.pending {
                out.push(position);
                return 1;
            }
        }
        0
    }

    /// Enters the verdict on the position gathered, which is at a place of `evals`.
    pub fn apply(&mut self, evals: &Evals, place: usize) {
        let Some(position) = self.pending.take() else { return };
        let node = self.tree.grow(&position, evals.priors(place));
        let value = evals.value(place).unwrap_or(0.0);
        self.tree.nodes[node as usize].value = value;
        match self.way.last() {
            Some(&(_, edge, _)) => self.tree.edges[edge as usize].child = node,
            None => self.mix(),
        }
        self.back_up(value);
    }

    /// Walks down once: to a position that needs a verdict, or to the end of the game.
    fn walk(&mut self) -> Option<G> {
        let (mut node, mut position) = (0, self.root?);
        loop {
            let edge = self.select(node);
            let Edge { action, child, .. } = self.tree.edges[edge as usize];
            let (next, reward) = position.apply(action);
            self.way.push((node, edge, reward as f32));
            position = next;
            if child == NONE && !position.is_over() {
                return Some(position);
            }
            if child == NONE {
                self.tree.edges[edge as usize].child = self.tree.grow(&position, &[]);
            }
            node = self.tree.edges[edge as usize].child;
            if self.tree.nodes[node as usize].edges == 0 {
                self.back_up(0.0);
                return None;
            }
        }
    }

    /// Enters what is to come at the end of the walk into everything on it.
    fn back_up(&mut self, value: f32) {
        let total = value + self.way.iter().map(|(_, _, reward)| reward).sum::<f32>();
        let mut to_come = value;
        for &(node, edge, reward) in self.way.iter().rev() {
            to_come += reward;
            self.tree.nodes[node as usize].visits += 1;
            let edge = &mut self.tree.edges[edge as usize];
            edge.visits += 1;
            edge.sum += to_come;
            // With what was paid before, moves of all depths compare.
            let seen = total - to_come + edge.mean();
            let (low, high) = self.range.unwrap_or((seen, seen));
            self.range = Some((low.min(seen), high.max(seen)));
        }
    }

    fn mix(&mut self) {
        let Some(noise) = self.noise else { return };
        let Node { first, edges, .. } = self.tree.nodes[0];
        let edges = &mut self.tree.edges[first as usize..(first + edges) as usize];
        noise.mix(edges, &mut self.scratch, &mut self.rng);
    }

    /// The edge to follow from a node: `Q / range + c P sqrt(N) / (1 + n)`.
    fn select(&self, node: u32) -> u32 {
        let Node { first, visits, value, .. } = self.tree.nodes[node as usize];
        let span = self.range.map_or(1.0, |(low, high)| (high - low).max(1.0));
        let edges = self.tree.edges_of(node);
        let tried: f32 = edges.iter().filter(|e| e.visits > 0).map(|e| e.prior).sum();
        let unknown = value / span - self.config.fpu * tried.sqrt();
        let reach = self.config.c * (visits as f32).max(1.0).sqrt();
        let worth = |edge: &Edge<G::Action>| {
            let mean = if edge.visits == 0 { unknown } else { edge.mean() / span };
            mean + reach * edge.prior / (1.0 + edge.visits as f32)
        };
        let (mut best, mut most) = (0, f32::NEG_INFINITY);
        for (i, edge) in edges.iter().enumerate() {
            let worth = worth(edge);
            if worth > most {
                (best, most) = (i as u32, worth);
            }
        }
        first + best
    }

    /// The sum of the rewards to come, as all simulations see it on average.
    pub fn value(&self) -> f32 {
        let Some(root) = self.tree.nodes.first() else { return 0.0 };
        let edges = self.tree.edges_of(0);
        let sum: f32 = root.value + edges.iter().map(|edge| edge.sum).sum::<f32>();
        sum / (1 + root.visits) as f32
    }

    /// Chances of the moves, in the order of the game's actions: shares of visits, or what the
    /// evaluator said where there are none.
    pub fn policy(&self, out: &mut Vec<f32>) {
        let edges = self.tree.edges_of(0);
        let tried = edges.iter().any(|edge| edge.visits > 0);
        out.clear();
        out.extend(edges.iter().map(|e| if tried { e.visits as f32 } else { e.prior }));
        let total: f32 = out.iter().sum();
        out.iter_mut().for_each(|chance| *chance /= total);
    }

    /// A move for self-play: drawn from the [`policy`](SoloPuct::policy) sharpened by
    /// `1 / temperature`, or at 0 the one tried most often, then the likeliest.
    ///
    /// # Panics
    /// Before the first verdict.
    pub fn draw(&self, temperature: f32, rng: &mut Rng, scratch: &mut Vec<f32>) -> G::Action {
        let edges = self.tree.edges_of(0);
        if temperature <= 0.0 {
            let rank = |edge: &Edge<G::Action>| edge.visits as f32 + edge.prior;
            let best = edges.iter().max_by(|a, b| rank(a).total_cmp(&rank(b)));
            return best.expect("the root has moves").action;
        }
        self.policy(scratch);
        scratch.iter_mut().for_each(|chance| *chance = chance.powf(1.0 / temperature));
        edges[rng.weighted(scratch)].action
    }

    /// Keeps what is known of the position after a move.
    pub fn advance(&mut self, action: G::Action) {
        self.pending = None;
        let Some(root) = self.root.filter(|_| !self.tree.nodes.is_empty()) else { return };
        let edge = self.tree.edges_of(0).iter().find(|edge| edge.action == action);
        let child = edge.map_or(NONE, |edge| edge.child);
        let (next, reward) = root.apply(action);
        if child == NONE || next.is_over() {
            return self.forget();
        }
        self.tree = self.tree.below(child);
        self.root = Some(next);
        let paid = reward as f32;
        self.range = self.range.map(|(low, high)| (low - paid, high - paid));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use ludens_core::{Game, Notation};
    use ludens_games::Former;
    use ludens_games::former::FormerVariant;

    use super::*;

    /// Moves that are needed at least.
    fn least(position: &Former, known: &mut HashMap<Former, i32>) -> i32 {
        if position.is_over() {
            return 0;
        }
        if let Some(&moves) = known.get(position) {
            return moves;
        }
        let moves = position.actions().map(|action| 1 + least(&position.apply(action).0, known));
        let moves = moves.min().unwrap();
        known.insert(*position, moves);
        moves
    }

    fn search(
        position: &Former,
        simulations: u32,
        value: impl Fn(&Former) -> f32,
    ) -> SoloPuct<Former> {
        let mut tree = SoloPuct::new(PuctConfig::default());
        let noise = Noise { alpha: 0.5, share: 0.25 };
        tree.begin(position, simulations, Some(noise), Rng::new(1));
        grow(&mut tree, value);
        tree
    }

    fn grow(tree: &mut SoloPuct<Former>, value: impl Fn(&Former) -> f32) {
        let mut batch = Vec::new();
        while tree.gather(&mut batch) == 1 {
            assert_eq!(tree.gather(&mut batch), 0, "a verdict is awaited");
            let mut evals = Evals::default();
            evals.push(Some(value(&batch[0])), &[]);
            tree.apply(&evals, 0);
            batch.clear();
        }
    }

    fn boards() -> impl Iterator<Item = Former> {
        let variant = FormerVariant::new(3, 3, 3).unwrap();
        (0..20).map(move |seed| Former::start(&variant, &mut Rng::new(seed)))
    }

    #[test]
    fn good_verdicts_give_good_moves() {
        let mut known = HashMap::new();
        for board in boards() {
            let best = least(&board, &mut known);
            // What is told is off by a constant, which must not matter.
            let told = |position: &Former| -10.0 - least(position, &mut known.clone()) as f32;
            let tree = search(&board, 200, told);
            let action = tree.draw(0.0, &mut Rng::new(1), &mut Vec::new());
            let after = 1 + least(&board.apply(action).0, &mut known);
            assert_eq!(after, best, "{}", board.text());
        }
    }

    #[test]
    fn ends_are_seen_without_verdicts() {
        // With nothing said, the sums are those of the moves of the walks alone.
        let (mut known, mut right) = (HashMap::new(), 0);
        for board in boards() {
            let best = least(&board, &mut known);
            let tree = search(&board, 2000, |_| -4.0);
            assert!(tree.value() <= -best as f32 + 1e-3, "{}", board.text());
            let action = tree.draw(0.0, &mut Rng::new(1), &mut Vec::new());
            right += usize::from(1 + least(&board.apply(action).0, &mut known) == best);
        }
        assert!(right >= 17, "{right}");
    }

    #[test]
    fn simulations_are_counted_and_trees_kept() {
        let board = boards().next().unwrap();
        let mut tree = search(&board, 50, |_| -3.0);
        assert_eq!(tree.tree.nodes[0].visits, 49);
        let mut policy = Vec::new();
        tree.policy(&mut policy);
        assert!((policy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        let action = tree.draw(0.0, &mut Rng::new(1), &mut policy);
        let place = board.actions().position(|legal| legal == action).unwrap();
        let visits = tree.tree.edges_of(0)[place].visits;
        tree.advance(action);
        assert_eq!(tree.tree.nodes[0].visits + 1, visits);
        let next = board.apply(action).0;
        tree.begin(&next, 50, None, Rng::new(2));
        grow(&mut tree, |_| -3.0);
        assert_eq!(tree.tree.nodes[0].visits, visits - 1 + 49);
        // Another position is begun anew.
        tree.begin(&board, 1, None, Rng::new(2));
        grow(&mut tree, |_| -3.0);
        assert_eq!((tree.tree.nodes.len(), tree.value()), (1, -3.0));
        tree.policy(&mut policy);
        assert!(policy.iter().all(|chance| *chance == policy[0]));
    }
}
