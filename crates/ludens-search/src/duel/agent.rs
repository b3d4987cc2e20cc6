//! A tree search at the board.

use ludens_core::{Agent, Branch, Budget, Choice, Context, Deterministic, Duel, Evaluator, Rng};

use super::search::{Rule, TreeSearch};

/// Grows a tree for every move. With several threads each grows one of its own with its
/// share of the samples, and the moves at the root are counted together.
pub struct TreeAgent<G: Duel, E> {
    /// Samples per move; no limit without.
    pub samples: Option<u64>,
    /// Further limits per move.
    pub budget: Budget,
    make: Box<dyn Fn(Rng) -> E + Send + Sync>,
    tree: TreeSearch<G>,
}

impl<G: Duel + Deterministic, E: Evaluator<G>> TreeAgent<G, E> {
    /// An agent whose evaluators are made from randomness, one per thread and move.
    pub fn new(
        rule: Rule,
        samples: Option<u64>,
        budget: Budget,
        make: impl Fn(Rng) -> E + Send + Sync + 'static,
    ) -> Self {
        TreeAgent { samples, budget, make: Box::new(make), tree: TreeSearch::new(rule) }
    }
}

impl<G: Duel + Deterministic, E: Evaluator<G>> Agent<G> for TreeAgent<G, E> {
    fn choose(&mut self, position: &G, context: &mut Context<'_, G>) -> Choice<G::Action> {
        let limits = context.within(self.budget);
        let samples = self.samples.unwrap_or(u64::MAX);
        let threads = context.threads as u64;
        let share = |index: u64| match samples {
            u64::MAX => u64::MAX,
            _ => samples / threads + u64::from(index < samples % threads),
        };
        let mut seeds: Vec<Rng> = (0..threads).map(|_| Rng::new(context.rng.next_u64())).collect();
        let own = seeds.pop().expect("there is at least one thread");
        let (rule, memory) = (self.tree.rule, context.memory / context.threads);
        self.tree.memory = memory;
        let (tree, make) = (&mut self.tree, &self.make);
        let mut others: Vec<TreeSearch<G>> = Vec::new();
        std::thread::scope(|scope| {
            let grow = |index: u64, rng: Rng| {
                let mut tree = TreeSearch::new(rule);
                tree.memory = memory;
                tree.grow(position, share(index), &limits, &mut make(rng), |_| {});
                tree
            };
            let handles: Vec<_> = seeds
                .into_iter()
                .enumerate()
                .map(|(i, rng)| scope.spawn(move || grow(i as u64, rng)))
                .collect();
            let report = |tree: &TreeSearch<G>| context.report_choice(&tree.choice());
            tree.grow(position, share(threads - 1), &limits, &mut make(own), report);
            others.extend(handles.into_iter().map(|h| h.join().expect("a search does not panic")));
        });
        others.iter().for_each(|other| tree.absorb(other));
        tree.choice()
    }

    /// With several threads the tree is that of one of them, below the moves of the position.
    fn tree(&self, most: usize) -> Vec<Branch<G>> {
        self.tree.outline(most)
    }
}
