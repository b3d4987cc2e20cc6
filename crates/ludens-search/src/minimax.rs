//! Games of two players, with chance or without: minimax, expectiminimax, alpha-beta.
//!
//! The first player maximises and the second minimises the sum of rewards; where chance
//! decides, its outcomes are averaged. `depth` counts players' moves; afterstates
//! at that depth are valued by an [`AfterValue`]. With pruning, moves that cannot change
//! the choice are skipped, likely good ones come first, and a table keeps what was found: the
//! value is the same. Below a chance node windows are open again.
//!
//! - J. von Neumann, Zur Theorie der Gesellschaftsspiele, 1928.
//! - D. Knuth, R. Moore, An analysis of alpha-beta pruning, 1975.
//! - D. Michie, Game-playing and game-learning automata, 1966 (expectiminimax).

use std::cmp::Ordering;
use std::ops::ControlFlow;

use ludens_core::{AfterValue, Agent, Budget, Choice, Context, Limits, Player, ZeroSum};

use crate::transposition::{Bound, Transpositions};
use crate::watch::Watch;

/// A search with its evaluation.
pub struct Minimax<V> {
    value: V,
    /// Players' moves to look ahead, at least 1.
    pub depth: u32,
    /// Whether to skip what cannot change the choice.
    pub pruned: bool,
    table: Transpositions,
    nodes: u64,
}

/// Values between which the exact one is of interest.
#[derive(Clone, Copy)]
struct Window {
    alpha: f32,
    beta: f32,
}

impl Window {
    const OPEN: Window = Window { alpha: f32::NEG_INFINITY, beta: f32::INFINITY };

    /// The window for what follows a reward.
    fn after(self, reward: f32) -> Window {
        Window { alpha: self.alpha - reward, beta: self.beta - reward }
    }

    fn is_closed(self) -> bool {
        self.alpha >= self.beta
    }

    /// Narrows it by a move of a player that is worth this.
    fn narrow(&mut self, player: Player, worth: f32) {
        match player {
            Player::One => self.alpha = self.alpha.max(worth),
            Player::Two => self.beta = self.beta.min(worth),
        }
    }
}

/// Whether a player prefers one value to another.
fn prefers(player: Player, new: f32, old: f32) -> bool {
    match player {
        Player::One => new > old,
        Player::Two => new < old,
    }
}

/// A number that comes the earlier the larger it is.
struct LargestFirst(f32);

impl PartialEq for LargestFirst {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for LargestFirst {}

impl PartialOrd for LargestFirst {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for LargestFirst {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.total_cmp(&self.0)
    }
}

impl<V> Minimax<V> {
    /// A search of so many moves without pruning.
    pub fn plain(value: V, depth: u32) -> Self {
        Minimax::new(value, depth, false, 0)
    }

    /// Alpha-beta with a table of at most so many bytes.
    pub fn pruned(value: V, depth: u32, memory: usize) -> Self {
        Minimax::new(value, depth, true, memory)
    }

    fn new(value: V, depth: u32, pruned: bool, memory: usize) -> Self {
        let table = Transpositions::new(memory);
        Minimax { value, depth: depth.max(1), pruned, table, nodes: 0 }
    }

    /// The best move for the player to move with its worth to the first player; `None`
    /// when the game is over.
    pub fn search<G: ZeroSum>(&mut self, position: &G) -> Option<(G::Action, f32)>
    where
        V: AfterValue<G>,
    {
        self.begin();
        self.root(position, self.depth, &mut Watch::none()).expect("nothing stops it")
    }

    /// The same within limits, with how far it looked: with a budget move by move until that
    /// is spent, without one at once to the whole depth. One move is always looked ahead.
    pub fn search_within<G: ZeroSum>(
        &mut self,
        position: &G,
        limits: &Limits<'_>,
    ) -> Option<(G::Action, f32, u32)>
    where
        V: AfterValue<G>,
    {
        self.begin();
        let mut found = self.root(position, 1, &mut Watch::none()).expect("nothing stops it");
        let mut looked = 1;
        let mut watch = Watch::new(limits);
        let stepwise = limits.budget() != Budget::default();
        for depth in if stepwise { 2 } else { self.depth.max(2) }..=self.depth {
            match self.root(position, depth, &mut watch) {
                Some(deeper) => (found, looked) = (deeper, depth),
                None => break,
            }
        }
        found.map(|(action, worth)| (action, worth, looked))
    }

    fn begin(&mut self) {
        self.nodes = 0;
        self.table.begin();
    }

    /// The best move, if there is one; `None` when the search was stopped.
    fn root<G: ZeroSum>(
        &mut self,
        position: &G,
        depth: u32,
        watch: &mut Watch<'_, '_>,
    ) -> Option<Option<(G::Action, f32)>>
    where
        V: AfterValue<G>,
    {
        let (player, mut window) = (position.to_move(), Window::OPEN);
        let mut best: Option<(G::Action, f32)> = None;
        for (action, after, reward) in self.moves(position, depth) {
            let worth = reward + self.after(&after, depth - 1, window.after(reward), watch)?;
            if best.is_none_or(|(_, most)| prefers(player, worth, most)) {
                best = Some((action, worth));
            }
            if self.pruned {
                window.narrow(player, worth);
            }
        }
        Some(best)
    }

    /// Afterstates looked at by the last search.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// All moves; with pruning those that look best come first.
    fn moves<G: ZeroSum>(&mut self, position: &G, depth: u32) -> Vec<(G::Action, G::After, f32)>
    where
        V: AfterValue<G>,
    {
        let mut moves = Vec::with_capacity(16);
        position.children(|action, after, reward| moves.push((action, after, reward as f32)));
        if self.pruned && depth > 1 {
            let sign = position.to_move().sign() as f32;
            // Stable, so that equals stay in the game's order.
            moves.sort_by_cached_key(|(_, after, reward)| {
                LargestFirst(sign * (reward + self.value.value(after)))
            });
        }
        moves
    }

    /// What an afterstate is worth to the first player; `None` when the search was stopped.
    fn after<G: ZeroSum>(
        &mut self,
        after: &G::After,
        depth: u32,
        window: Window,
        watch: &mut Watch<'_, '_>,
    ) -> Option<f32>
    where
        V: AfterValue<G>,
    {
        self.nodes += 1;
        if depth == 0 {
            return Some(self.value.value(after));
        }
        if watch.is_over(self.nodes) {
            return None;
        }
        let chance = G::is_chance(after);
        let window = if chance { Window::OPEN } else { window };
        let mut mean = 0.0;
        let done = G::outcomes(after, |outcome, p| {
            let (position, bonus) = G::apply_outcome(after, outcome);
            let bonus = bonus as f32;
            match self.position(&position, depth, window.after(bonus), watch) {
                Some(worth) => mean += p * f64::from(bonus + worth),
                None => return ControlFlow::Break(()),
            }
            ControlFlow::Continue(())
        });
        done.is_continue().then_some(mean as f32)
    }

    /// What a position is worth to the first player; outside the window, on which side.
    /// `None` when the search was stopped.
    fn position<G: ZeroSum>(
        &mut self,
        position: &G,
        depth: u32,
        window: Window,
        watch: &mut Watch<'_, '_>,
    ) -> Option<f32>
    where
        V: AfterValue<G>,
    {
        if position.is_over() {
            return Some(0.0);
        }
        let key = position.key();
        if let Some((value, bound)) = self.table.get(key, depth) {
            match bound {
                Bound::Exact => return Some(value),
                Bound::Least if value >= window.beta => return Some(value),
                Bound::Most if value <= window.alpha => return Some(value),
                _ => {}
            }
        }
        let (player, mut open) = (position.to_move(), window);
        let mut best = match player {
            Player::One => f32::NEG_INFINITY,
            Player::Two => f32::INFINITY,
        };
        for (_, after, reward) in self.moves(position, depth) {
            let worth = reward + self.after(&after, depth - 1, open.after(reward), watch)?;
            if prefers(player, worth, best) {
                best = worth;
            }
            if self.pruned {
                open.narrow(player, best);
                if open.is_closed() {
                    break;
                }
            }
        }
        let bound = if best <= window.alpha {
            Bound::Most
        } else if best >= window.beta {
            Bound::Least
        } else {
            Bound::Exact
        };
        self.table.put(key, depth, best, bound);
        Some(best)
    }
}

impl<G: ZeroSum, V: AfterValue<G> + Send> Agent<G> for Minimax<V> {
    fn choose(&mut self, position: &G, context: &mut Context<'_, G>) -> Choice<G::Action> {
        let best = self.search_within(position, &context.limits);
        let (action, worth, depth) = best.expect("an agent is asked only while the game goes on");
        Choice {
            value: Some(f64::from(worth * position.to_move().sign() as f32)),
            line: vec![action],
            nodes: self.nodes,
            depth,
            ..Choice::bare(action)
        }
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::{Adversarial, CellAdversary, Game, Params, Position as _, Rng, Variant};
    use ludens_games::{ConnectFour, Game2048, Game2584, Threes};

    use super::*;

    /// A value that depends on the whole position.
    #[derive(Clone, Copy)]
    struct Odd;

    impl<G: Game> AfterValue<G> for Odd {
        fn value(&mut self, after: &G::After) -> f32 {
            (after.key() % 97) as f32
        }
    }

    /// The definition, for games without chance and with it.
    fn plain<G: ZeroSum>(position: &G, depth: u32) -> f32 {
        let mut best = None::<f32>;
        for action in position.actions() {
            let (after, reward) = position.apply(action);
            let mut worth = 0.0;
            if depth == 1 {
                worth = f64::from(AfterValue::<G>::value(&mut Odd, &after));
            } else {
                let _ = G::outcomes(&after, |outcome, p| {
                    let (next, bonus) = G::apply_outcome(&after, outcome);
                    worth += p * f64::from(bonus as f32 + plain(&next, depth - 1));
                    ControlFlow::Continue(())
                });
            }
            let worth = reward as f32 + worth as f32;
            best = Some(match (best, position.to_move()) {
                (None, _) => worth,
                (Some(best), Player::One) => best.max(worth),
                (Some(best), Player::Two) => best.min(worth),
            });
        }
        best.unwrap_or(0.0)
    }

    fn agrees<G: ZeroSum>(params: &str, depth: u32) {
        let variant = G::Variant::read(&mut Params::parse(params).unwrap()).unwrap();
        let mut rng = Rng::new(8);
        let (mut few, mut many) = (0, 0);
        let mut position = G::start(&variant, &mut rng);
        for _ in 0..12 {
            if position.is_over() {
                break;
            }
            let expected = plain(&position, depth);
            let mut plain = Minimax::plain(Odd, depth);
            for memory in [0, 1 << 16] {
                let mut pruned = Minimax::pruned(Odd, depth, memory);
                for (search, name) in [(&mut plain, "plain"), (&mut pruned, "pruned")] {
                    let (action, worth) = search.search(&position).unwrap();
                    assert!((worth - expected).abs() < 0.01, "{name}: {worth} {expected}");
                    assert!(position.is_legal(action));
                }
                few += pruned.nodes();
                many += plain.nodes();
            }
            let (_, after, _) = position.step(&mut rng).unwrap();
            position = G::apply_outcome(&after, G::sample(&after, &mut rng)).0;
        }
        assert!(few <= many, "{few} {many}");
    }

    #[test]
    fn values_are_those_of_the_definition() {
        agrees::<Adversarial<Game2048>>("board=2x3", 4);
        agrees::<Adversarial<Threes>>("board=2x3", 4);
        agrees::<CellAdversary<Game2584>>("board=2x3", 4);
        agrees::<ConnectFour>("", 4);
    }

    #[test]
    fn limits_and_cancelling_are_obeyed() {
        use std::sync::atomic::AtomicBool;
        use std::time::Instant;
        let start = ConnectFour::start(&Default::default(), &mut Rng::new(0));
        let within = |budget: Budget, stopped: bool, depth: u32| {
            let stop = AtomicBool::new(stopped);
            let limits = Limits::new(Instant::now(), budget, &stop);
            let mut search = Minimax::pruned(Odd, depth, 1 << 20);
            let found = search.search_within(&start, &limits).unwrap();
            (found, search.nodes())
        };
        // Without limits the whole depth, with few nodes as far as whole moves fit in.
        let ((action, worth, looked), _) = within(Budget::default(), false, 5);
        let whole = Minimax::pruned(Odd, 5, 1 << 20).search(&start).unwrap();
        assert_eq!(((action, worth), looked), (whole, 5));
        let ((_, _, looked), nodes) = within(Budget::nodes(500), false, 40);
        assert!((2..6).contains(&looked) && nodes <= 520, "{looked} {nodes}");
        let ((_, _, looked), nodes) = within(Budget::nodes(0), false, 40);
        assert_eq!((looked, nodes), (1, 8), "the first move is always looked ahead");
        let time = std::time::Duration::from_millis(30);
        let begin = Instant::now();
        within(Budget::time(time), false, 40);
        within(Budget::default(), true, 40);
        assert!(begin.elapsed().as_secs() < 5, "{:?}", begin.elapsed());
    }

    #[test]
    fn pruning_saves_most_of_the_work() {
        let start = ConnectFour::start(&Default::default(), &mut Rng::new(0));
        let mut plain = Minimax::plain(Odd, 6);
        let mut pruned = Minimax::pruned(Odd, 6, 1 << 20);
        assert_eq!(plain.search(&start).unwrap().1, pruned.search(&start).unwrap().1);
        assert!(pruned.nodes() * 5 < plain.nodes(), "{} {}", pruned.nodes(), plain.nodes());
    }
}
