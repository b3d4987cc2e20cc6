//! Trees at the board, and an evaluator without a tree.

use std::time::Duration;

use ludens_core::{
    Abs, Agent, Branch, Budget, Choice, Considered, Context, Duel, Evals, Evaluator, Game, Limits,
    Rng,
};

use super::backup::{Backup, Results};
use super::config::{PuctConfig, Root, Selection, TreeConfig};
use super::search::TreeSearch;
use crate::team::side_by_side;

/// Time between two reports.
const REPORT: Duration = Duration::from_millis(100);
/// Positions of a batch that are evaluated between looks at the clock.
const PART: usize = 128;
/// Simulations between looks at the clock where evaluations take next to no time.
const PATIENCE: u64 = 64;

/// What grows a tree to the end of its simulations.
pub(super) struct Driver<'a, 'b> {
    /// When to stop before.
    pub(super) limits: Option<&'a Limits<'b>>,
    /// Bytes that the tree may take.
    pub(super) memory: usize,
    /// Positions evaluated at once, at least 1.
    pub(super) batch: usize,
    /// Simulations between looks at the clock.
    pub(super) patience: u64,
}

/// What lies between a tree and an evaluator.
pub(super) struct Buffers<G> {
    positions: Vec<G>,
    evals: Evals,
    part: Evals,
}

impl<G> Default for Buffers<G> {
    fn default() -> Self {
        let (evals, part) = (Evals::default(), Evals::default());
        Buffers { positions: Vec::new(), evals, part }
    }
}

impl Driver<'_, '_> {
    /// For evaluations that take next to no time, one by one.
    pub(super) fn quick<'a, 'b>(limits: Option<&'a Limits<'b>>, memory: usize) -> Driver<'a, 'b> {
        Driver { limits, memory, batch: 1, patience: PATIENCE }
    }

    /// Grows a tree that was started. The first evaluation is always awaited, so that there is
    /// something to say. `report` is called now and then.
    pub(super) fn grow<G: Game, B: Backup<G>>(
        &self,
        tree: &mut TreeSearch<G, B>,
        evaluator: &mut (impl Evaluator<G> + ?Sized),
        buffers: &mut Buffers<G>,
        mut report: impl FnMut(&TreeSearch<G, B>),
    ) {
        let (mut next_report, mut next_look) = (REPORT, 0);
        let mut first = true;
        while !tree.is_done() {
            if let (Some(limits), false) = (self.limits, first) {
                if limits.spent(tree.nodes()) {
                    return;
                }
                if tree.simulations() >= next_look {
                    next_look = tree.simulations() + self.patience;
                    if limits.interrupted() {
                        return;
                    }
                    if limits.elapsed() >= next_report {
                        next_report = limits.elapsed() + REPORT;
                        report(tree);
                    }
                }
            }
            if !first
                && (tree.bytes() >= self.memory || !tree.tree.try_reserve(self.batch, self.memory))
            {
                return;
            }
            self.step(tree, evaluator, buffers);
            first = false;
        }
    }

    /// One batch; one that the limits cut short counts for nothing.
    fn step<G: Game, B: Backup<G>>(
        &self,
        tree: &mut TreeSearch<G, B>,
        evaluator: &mut (impl Evaluator<G> + ?Sized),
        Buffers { positions, evals, part }: &mut Buffers<G>,
    ) {
        positions.clear();
        // Simulations that need no evaluation must not keep a search from its limits; a batch of
        // one is one simulation.
        let batch = self.batch.max(1);
        if tree.gather_within(batch, batch * batch, positions) == 0 {
            return;
        }
        if positions.len() <= PART {
            evaluator.evaluate(positions, evals);
        } else {
            evals.clear();
            for positions in positions.chunks(PART) {
                if self.limits.is_some_and(Limits::interrupted) {
                    return tree.abandon();
                }
                evaluator.evaluate(positions, part);
                evals.append(part);
            }
        }
        tree.apply(evals, 0);
    }
}

/// Grows a tree for every move.
pub struct TreeAgent<G: Game, E, B = Results> {
    /// Simulations per move; no limit without.
    pub simulations: Option<u64>,
    /// Further limits per move.
    pub budget: Budget,
    /// Positions evaluated at once, at least 1.
    pub batch: usize,
    /// What is different at the root.
    pub root: Root,
    evaluators: Evaluators<E>,
    pub(super) tree: TreeSearch<G, B>,
    buffers: Buffers<G>,
}

/// Where the evaluators come from.
enum Evaluators<E> {
    /// One for all moves. The tree is kept from move to move.
    One(E),
    /// One per thread and move, made from randomness.
    Each(Box<dyn Fn(Rng) -> E + Send + Sync>),
}

impl<G: Game, E: Evaluator<G>, B: Backup<G>> TreeAgent<G, E, B> {
    /// UCT, with evaluators made from randomness. With several threads each grows a tree of its own
    /// with its share of the simulations, and the moves at the root are counted together.
    pub fn uct(
        selection: Selection,
        simulations: Option<u64>,
        budget: Budget,
        make: impl Fn(Rng) -> E + Send + Sync + 'static,
    ) -> Self {
        let evaluators = Evaluators::Each(Box::new(make));
        let agent = Self::of(TreeConfig::uct(selection), evaluators);
        TreeAgent { simulations, budget, ..agent }
    }

    /// PUCT with an evaluator of its own, one position at a time and without limits. It keeps what
    /// the moves played leave of the tree.
    pub fn puct(config: PuctConfig, evaluator: E) -> Self {
        Self::of(B::puct(config), Evaluators::One(evaluator))
    }

    fn of(config: TreeConfig, evaluators: Evaluators<E>) -> Self {
        TreeAgent {
            simulations: None,
            budget: Budget::default(),
            batch: 1,
            root: Root::Plain,
            evaluators,
            tree: TreeSearch::new(config),
            buffers: Buffers::default(),
        }
    }
}

impl<G: Game, E: Evaluator<G>, B: Backup<G>> Agent<G> for TreeAgent<G, E, B> {
    fn choose(&mut self, position: &G, context: &mut Context<'_, G>) -> Choice<G::Action> {
        let limits = context.within(self.budget);
        let (root, tree, buffers) = (self.root, &mut self.tree, &mut self.buffers);
        let simulations = self.simulations.unwrap_or(u64::MAX);
        let make = match &mut self.evaluators {
            Evaluators::One(evaluator) => {
                let rng = Rng::new(context.rng.next_u64());
                tree.start(position, simulations, root, rng);
                let (memory, batch) = (context.memory, self.batch);
                let driver = Driver { limits: Some(&limits), memory, batch, patience: 1 };
                driver.grow(tree, evaluator, buffers, |tree| context.report_choice(&tree.choice()));
                return tree.choice();
            }
            Evaluators::Each(make) => make,
        };
        let threads = context.threads as u64;
        let driver = Driver::quick(Some(&limits), context.memory / context.threads);
        let start = |tree: &mut TreeSearch<G, B>, index: u64, rng: &Rng| {
            let share = match simulations {
                u64::MAX => u64::MAX,
                _ => simulations / threads + u64::from(index < simulations % threads),
            };
            tree.forget();
            tree.start(position, share, root, rng.clone());
            make(rng.clone())
        };
        let mut seeds: Vec<Rng> = (0..threads).map(|_| Rng::new(context.rng.next_u64())).collect();
        let own = seeds.pop().expect("there is at least one thread");
        let config = tree.config;
        let ((), others) = side_by_side(
            seeds,
            |index, rng| {
                let mut tree = TreeSearch::new(config);
                let mut evaluator = start(&mut tree, index as u64, &rng);
                driver.grow(&mut tree, &mut evaluator, &mut Buffers::default(), |_| {});
                tree
            },
            || {
                let mut evaluator = start(tree, threads - 1, &own);
                let report = |tree: &TreeSearch<G, B>| context.report_choice(&tree.choice());
                driver.grow(tree, &mut evaluator, buffers, report);
            },
        );
        others.iter().for_each(|other| tree.absorb(other));
        tree.choice()
    }

    /// With several threads the tree is that of one of them, below the moves of the position.
    fn tree(&self, most: usize) -> Vec<Branch<G>> {
        self.tree.outline(most)
    }

    fn observe(&mut self, before: &G, action: G::Action, position: &G) {
        if matches!(self.evaluators, Evaluators::Each(_)) {
            return;
        }
        if self.tree.root == Some(*before) && self.tree.size() > 0 {
            self.tree.advance(action);
        }
        if self.tree.root != Some(*position) {
            self.tree.forget();
        }
        self.tree.moved = true;
    }

    fn reset(&mut self) {
        self.tree.forget();
        self.tree.moved = false;
    }
}

/// Plays the move that an evaluator thinks likeliest, without any search.
pub struct PriorAgent<E> {
    evaluator: E,
    evals: Evals,
}

impl<E> PriorAgent<E> {
    /// An agent with an evaluator of its own.
    pub fn new(evaluator: E) -> Self {
        PriorAgent { evaluator, evals: Evals::default() }
    }
}

impl<G: Duel, E: Evaluator<G>> Agent<G> for PriorAgent<E> {
    fn choose(&mut self, position: &G, _: &mut Context<'_, G>) -> Choice<G::Action> {
        self.evaluator.evaluate(std::slice::from_ref(position), &mut self.evals);
        let moves = Considered::by_priors(position, self.evals.priors(0));
        let action = moves.first().expect("an agent is asked only while the game goes on").action;
        let value = self.evals.value(0).map(|value| Abs(value).pov(position.to_move()));
        let value = value.map(|value| f64::from(value.0));
        Choice { value, moves, line: vec![action], nodes: 1, depth: 0, ..Choice::bare(action) }
    }
}
