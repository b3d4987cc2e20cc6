//! The parts a search is composed of, as data.

/// How a child is valued; `avg`, `top` and `n` are of the child, `s` is the scale.
/// Every rule but [`Rule::Puct`] adds `C * sqrt(ln n(parent) / n)`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Rule {
    /// `avg / s`.
    Average,
    /// `avg / s + sqrt(variance / s^2 + d / n)`.
    SpMcts {
        /// Inflates the deviation of rarely visited children.
        d: f32,
    },
    /// `avg / s + avg_local / s`: the third term leaves out the move's own reward.
    ThirdAverage,
    /// `avg / s + (reward + avg_local) / s`.
    ThirdAveragePlus,
    /// UCB1-TUNED: the explorative term is multiplied by
    /// `sqrt(min(1/4, variance / s^2 + sqrt(2 ln n(parent) / n)))`.
    Tuned,
    /// `top / s`.
    Top,
    /// `top / s + top_local / s`.
    ThirdTop,
    /// `top / s + avg_local / s`.
    TopThirdAverage,
    /// `avg + C * prior * sqrt(n(parent)) / (1 + n)` in points, without a scale;
    /// a move not yet tried counts as 0.
    Puct,
    /// `avg(edge) / s`, exploring by the visits of the edge; for shared nodes.
    Uct1,
    /// `avg / s`, exploring by the visits of the edge; for shared nodes.
    Uct2,
    /// As [`Rule::Uct2`] with an average made anew from those of the children.
    Uct3,
    /// UCD: average, parent's visits and visits from edges up to this many levels
    /// further down; for shared nodes.
    Ucd {
        /// Levels for the average.
        average: u8,
        /// Levels for the visits of the parent.
        parent: u8,
        /// Levels for the visits of the child.
        visits: u8,
    },
}

/// What scores are divided by.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Scale {
    /// A constant (Static).
    Fixed(f32),
    /// The best score so far (Global).
    Best,
    /// The most that was had from the parent on; averages are then counted from
    /// the parent on (Local), or, as the formula of the thesis reads, from the child on.
    ParentTop {
        /// Whether the move's own reward counts. Without it the search spares the
        /// largest group, as [`Rule::ThirdAverage`] does.
        reward: bool,
    },
}

/// What happens when a position is reached that is in the tree already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Duplicates {
    /// It gets another node.
    Keep,
    /// The new way is cut, which ends the iteration.
    Naive,
    /// The way with the larger score keeps the node.
    Dynamic,
    /// As `Dynamic`; the node's statistics move with it, and those of solved
    /// nodes are taken out of their ancestors.
    Consistent,
    /// Both ways share the node, the tree becomes a graph.
    Share,
    /// Positions that a symmetry of the game maps on each other count as the same. The
    /// way with the larger score has the node; the other one is cut with all below it.
    Symmetric,
}

/// How the budget is spread over the moves of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Allocation {
    /// All of it at the start.
    Whole,
    /// 1/30 for each of 30 moves.
    Uniform,
    /// Falling linearly over 30 moves, the first about 5.2 times the last.
    Linear,
    /// 1/7 of what is left for each of 30 moves, but at least 2,048 units.
    Exponential,
}

/// What makes the explorative factor grow.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Block {
    /// Nothing.
    None,
    /// Nodes deeper on average than a given depth: times `1 / 0.9995` per iteration.
    Depth(f32),
    /// The same with the mean length of a random game divided by this number as depth.
    Length(f32),
    /// Every terminal node: times `1 / 0.99`.
    Leaf,
    /// Every terminal node, for its ancestors only (CNode): times 1.05 at the
    /// node, less by a factor of 0.999 a level up, at least `floor`.
    Node {
        /// The least factor.
        floor: f32,
    },
}

/// What makes the explorative factor fall, times 0.9995, in the last 30 % of
/// the budget. A node's own factor does not fall below 8 points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Urgency {
    /// Nothing.
    None,
    /// Nodes less deep on average than a quarter of a game (LU).
    Shallow,
    /// No terminal node in the tree, or, where each node has its own factor, in
    /// the visited node's subtree (LUntn).
    NoTerminal,
}

/// How the explorative factor cools down (SA-UCT). Where each node has its own
/// factor this ends with the first terminal node below it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Annealing {
    /// It does not.
    None,
    /// `C * left`, with the fraction of the budget that is left.
    Linear,
    /// `max(C * exp(-5 * spent), 8 points)`.
    Exponential,
}

/// Statistics of moves played later in an iteration.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Amaf {
    /// None are kept.
    None,
    /// They alone are the average where there are any (AMAF).
    Only,
    /// They count `m / (n + m + 4 b^2 n m)` of the average (RAVE).
    Rave {
        /// The larger, the sooner the move's own average takes over.
        b: f32,
    },
}

/// The simulations a composition asks for. A search is given its rollouts; this
/// tells whoever makes them which ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Simulation {
    /// Uniformly random.
    Random,
    /// A random tabu colour.
    TabuRandom,
    /// The most frequent colour is tabu.
    TabuColour,
    /// The tabu colour is chosen by a bandit.
    TabuBandit,
    /// This colour, from 0, is tabu: one chosen by hand.
    Tabu(u8),
    /// Rare colours are likelier than frequent ones (roulette wheel).
    Roulette,
    /// Drawn from the policy.
    Policy,
}

/// Simulations that are searches themselves (NMCTS).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nesting {
    /// Searches one above another: with 1 a simulation is a simulation, with 2 it
    /// is a search whose simulations are simulations, and so on.
    pub level: u32,
    /// Iterations of a search that replaces a simulation.
    pub iterations: u32,
}

/// How the tree is narrowed to a beam (BMCTS).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Narrowing {
    /// A depth is closed when this many simulations have passed it (`L`).
    pub after: u32,
    /// How many of its nodes, the most visited ones, then stay (`W`).
    pub width: u32,
}

impl Default for Nesting {
    fn default() -> Self {
        Nesting { level: 1, iterations: 256 }
    }
}

impl Default for Narrowing {
    fn default() -> Self {
        Narrowing { after: 256, width: 16 }
    }
}

/// A composition of parts. [`Config::default`] is Klein's reference, Static.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Config {
    /// How children are valued.
    pub rule: Rule,
    /// What scores are divided by.
    pub scale: Scale,
    /// The explorative factor `C`, in units of the scale.
    pub c: f32,
    /// The part of an end bonus that enters averages.
    pub bonus_average: f32,
    /// The part of an end bonus that enters maxima that guide the search.
    pub bonus_top: f32,
    /// The part of the maximum added to the value (`W`).
    pub top_weight: f32,
    /// A node's children are expanded from this visit on (`T`).
    pub expand_after: u32,
    /// Each move at the root is tried this often before the rule decides.
    pub root_visits: u32,
    /// What happens to duplicates.
    pub duplicates: Duplicates,
    /// How the budget is spread over moves.
    pub allocation: Allocation,
    /// Moves are fixed by the score from the child on ("+"), not from the start.
    pub plus: bool,
    /// What makes the explorative factor grow.
    pub block: Block,
    /// What makes it fall late.
    pub urgency: Urgency,
    /// How it cools down.
    pub annealing: Annealing,
    /// Nodes that cannot beat the best score are left out.
    pub state_pruning: bool,
    /// Visits are counted on the way down, not when the result is backed up (HGSTS).
    pub count_on_descent: bool,
    /// A terminal node is solved when it is chosen again, as in Klein's program;
    /// otherwise as soon as it is made.
    pub late_ends: bool,
    /// Statistics of moves played later.
    pub amaf: Amaf,
    /// The probability of a uniformly random move in a simulation.
    pub epsilon: f32,
    /// Independent searches that share the budget (meta-search).
    pub runs: u32,
    /// Whether simulations are searches.
    pub nesting: Nesting,
    /// Whether the tree is narrowed to a beam.
    pub narrowing: Option<Narrowing>,
    /// For the caller: whether the game is to be the one with pruned moves.
    pub move_pruning: bool,
    /// For the caller: the simulations.
    pub simulation: Simulation,
    /// For the caller: with at most this many blocks simulations are uniform.
    pub random_below: u32,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            rule: Rule::Average,
            scale: Scale::Fixed(5000.0),
            c: 0.020,
            bonus_average: 1.0,
            bonus_top: 1.0,
            top_weight: 0.0,
            expand_after: 0,
            root_visits: 0,
            duplicates: Duplicates::Keep,
            allocation: Allocation::Whole,
            plus: false,
            block: Block::None,
            urgency: Urgency::None,
            annealing: Annealing::None,
            state_pruning: false,
            count_on_descent: false,
            late_ends: true,
            amaf: Amaf::None,
            epsilon: 0.0,
            runs: 1,
            nesting: Nesting::default(),
            narrowing: None,
            move_pruning: true,
            simulation: Simulation::Random,
            random_below: 0,
        }
    }
}

impl Config {
    /// Whether every node has its own explorative factor.
    pub(super) fn factor_per_node(&self) -> bool {
        matches!(self.block, Block::Node { .. })
    }

    /// Whether edges need statistics of their own.
    pub(super) fn edge_statistics(&self) -> bool {
        self.amaf != Amaf::None
            || matches!(
                self.rule,
                Rule::Puct | Rule::Uct1 | Rule::Uct2 | Rule::Uct3 | Rule::Ucd { .. }
            )
    }
}
