//! Expectimax: the best move of one player against chance.
//!
//! A move is worth its reward and, `ply - 1` moves deeper, the mean over nature's
//! outcomes of what the best move after them is worth; afterstates at the last ply are
//! valued by an [`AfterValue`]. One ply is greedy play. All outcomes are looked at, so
//! the time grows with the power of ply: about thirtyfold per ply in 2048. A table keeps
//! the values of afterstates; an entry is known by a 64-bit key of afterstate and depth,
//! so two afterstates could in theory be taken for one another.
//!
//! With a node budget the result repeats exactly; interrupted searches give the values of
//! the deepest ply that was finished.
//!
//! - S. Russell, P. Norvig, Artificial intelligence: a modern approach: expectiminimax.
//! - H. Guei, On reinforcement learning for the game of 2048, dissertation, 2023, ch. 2.5.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use ludens_core::bits::mix;
use ludens_core::{
    AfterValue, Agent, Choice, Considered, Limits, Position, Reward, Solo, Thinking,
};

/// Nodes between looks at the clock.
const PATIENCE: u64 = 1 << 12;

/// A search with its evaluation.
pub struct Expectimax<V> {
    value: V,
    /// How many moves it looks ahead, at least 1.
    pub ply: u32,
    /// Keys and values; empty without a table.
    table: Vec<(u64, f32)>,
    nodes: u64,
}

/// What a move is worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Valued<A> {
    /// The move.
    pub action: A,
    /// Its reward and all that is expected to follow.
    pub value: f32,
}

/// What a search came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Advice<A> {
    /// All moves, in the game's order; empty when it is over.
    pub moves: Vec<Valued<A>>,
    /// The ply of these values.
    pub ply: u32,
    /// Afterstates looked at.
    pub nodes: u64,
}

impl<A: Copy> Advice<A> {
    /// The best move, the first of equals.
    pub fn best(&self) -> Option<Valued<A>> {
        let better = |best: Option<Valued<A>>, next: &Valued<A>| match best {
            Some(best) if best.value >= next.value => Some(best),
            _ => Some(*next),
        };
        self.moves.iter().fold(None, better)
    }
}

/// Stops a search that is out of time or nodes.
struct Watch<'a, 'b> {
    limits: Option<&'a Limits<'b>>,
    next: u64,
}

impl Watch<'_, '_> {
    fn is_over(&mut self, nodes: u64) -> bool {
        let Some(limits) = self.limits else { return false };
        if limits.spent(nodes) {
            return true;
        }
        if nodes < self.next {
            return false;
        }
        self.next = nodes + PATIENCE;
        limits.interrupted()
    }
}

impl<V> Expectimax<V> {
    /// A search of this many plies with a table of at most so many bytes.
    pub fn new(value: V, ply: u32, memory: usize) -> Self {
        let entries = memory / size_of::<(u64, f32)>();
        // A power of two, so that a mask finds the entry.
        let entries = if entries < 2 { 0 } else { 1 << entries.ilog2() };
        Expectimax { value, ply: ply.max(1), table: vec![(0, 0.0); entries], nodes: 0 }
    }

    /// The values of all moves, looking exactly `ply` moves ahead.
    pub fn advise<G: Solo>(&mut self, position: &G) -> Advice<G::Action>
    where
        V: AfterValue<G>,
    {
        let mut watch = Watch { limits: None, next: 0 };
        self.nodes = 0;
        let moves = self.root(position, self.ply, &mut watch).expect("nothing stops it");
        Advice { moves, ply: self.ply, nodes: self.nodes }
    }

    /// The values of all moves, ply by ply until the limits or `ply` are reached. The
    /// first ply is always finished.
    pub fn deepen<G: Solo>(&mut self, position: &G, limits: &Limits<'_>) -> Advice<G::Action>
    where
        V: AfterValue<G>,
    {
        self.nodes = 0;
        let mut watch = Watch { limits: None, next: 0 };
        let moves = self.root(position, 1, &mut watch).expect("nothing stops it");
        let mut advice = Advice { moves, ply: 1, nodes: self.nodes };
        watch.limits = Some(limits);
        for ply in 2..=self.ply {
            match self.root(position, ply, &mut watch) {
                Some(moves) => advice = Advice { moves, ply, nodes: self.nodes },
                None => break,
            }
        }
        advice.nodes = self.nodes;
        advice
    }

    fn root<G: Solo>(
        &mut self,
        position: &G,
        ply: u32,
        watch: &mut Watch<'_, '_>,
    ) -> Option<Vec<Valued<G::Action>>>
    where
        V: AfterValue<G>,
    {
        let mut moves = Vec::with_capacity(8);
        for action in position.actions() {
            let (after, reward) = position.apply(action);
            let value = reward as f32 + self.after(&after, ply - 1, watch)?;
            moves.push(Valued { action, value });
        }
        Some(moves)
    }

    /// What an afterstate is worth when so many moves are still looked ahead; `None`
    /// when the search has to stop.
    fn after<G: Solo>(
        &mut self,
        after: &G::After,
        moves: u32,
        watch: &mut Watch<'_, '_>,
    ) -> Option<f32>
    where
        V: AfterValue<G>,
    {
        self.nodes += 1;
        if moves == 0 {
            return Some(self.value.value(after));
        }
        if watch.is_over(self.nodes) {
            return None;
        }
        // A key of 0 marks an empty entry.
        let key = mix(after.key().wrapping_add(u64::from(moves))) | 1;
        let at = (key >> 1) as usize & self.table.len().wrapping_sub(1);
        if let Some(&(known, value)) = self.table.get(at)
            && known == key
        {
            return Some(value);
        }
        let mut mean = 0.0;
        let done = G::outcomes(after, |chance, p| {
            let (position, bonus) = G::settle(after, chance);
            match self.best(&position, moves, watch) {
                Some(best) => mean += p * f64::from(bonus as f32 + best),
                None => return ControlFlow::Break(()),
            }
            ControlFlow::Continue(())
        });
        if done.is_break() {
            return None;
        }
        let mean = mean as f32;
        if let Some(entry) = self.table.get_mut(at) {
            *entry = (key, mean);
        }
        Some(mean)
    }

    /// What the best move of a position is worth; 0 at the end.
    fn best<G: Solo>(&mut self, position: &G, moves: u32, watch: &mut Watch<'_, '_>) -> Option<f32>
    where
        V: AfterValue<G>,
    {
        let (mut best, mut stopped) = (None::<f32>, false);
        position.children(|_, after, reward: Reward| {
            if stopped {
                return;
            }
            match self.after(&after, moves - 1, watch) {
                Some(value) => {
                    let value = reward as f32 + value;
                    best = Some(best.map_or(value, |most| most.max(value)));
                }
                None => stopped = true,
            }
        });
        (!stopped).then(|| best.unwrap_or(0.0))
    }
}

impl<G: Solo, V: AfterValue<G> + Send> Agent<G> for Expectimax<V> {
    fn choose(&mut self, position: &G, thinking: &mut Thinking<'_, G>) -> Choice<G::Action> {
        let advice = self.deepen(position, &thinking.limits);
        let best = advice.best().expect("an agent is asked only while the game goes on");
        let considered = |valued: &Valued<G::Action>| Considered {
            action: valued.action,
            value: Some(f64::from(valued.value)),
            visits: None,
            prior: None,
        };
        let mut moves: Vec<_> = advice.moves.iter().map(considered).collect();
        moves.sort_by(|a, b| b.value.partial_cmp(&a.value).unwrap_or(Ordering::Equal));
        Choice {
            action: best.action,
            value: Some(f64::from(best.value)),
            moves,
            line: vec![best.action],
            nodes: advice.nodes,
            depth: advice.ply,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use ludens_core::{Budget, Context, Game, Notation, Rng};
    use ludens_games::{Game2048, Threes};

    use super::*;

    /// A value that depends on the whole board.
    struct Odd;

    impl<G: Game> AfterValue<G> for Odd {
        fn value(&mut self, after: &G::After) -> f32 {
            (after.key() % 1000) as f32
        }
    }

    /// Expectimax by its definition, in double precision.
    fn plain<G: Solo>(after: &G::After, moves: u32) -> f64 {
        if moves == 0 {
            return f64::from(AfterValue::<G>::value(&mut Odd, after));
        }
        let mut mean = 0.0;
        let _ = G::outcomes(after, |chance, p| {
            let (position, bonus) = G::settle(after, chance);
            let values = position.actions().map(|action| {
                let (after, reward) = position.apply(action);
                f64::from(reward) + plain::<G>(&after, moves - 1)
            });
            mean += p * (f64::from(bonus) + values.reduce(f64::max).unwrap_or(0.0));
            ControlFlow::Continue(())
        });
        mean
    }

    fn agrees<G: Solo + Notation>(texts: &[&str], plies: u32) {
        for text in texts {
            let position = G::parse(&G::Variant::default(), text).unwrap();
            for ply in 1..=plies {
                for memory in [0, 1 << 10, 1 << 20] {
                    let mut search = Expectimax::new(Odd, ply, memory);
                    let advice = search.advise(&position);
                    assert_eq!(advice.moves.len(), position.actions().len());
                    for valued in &advice.moves {
                        let (after, reward) = position.apply(valued.action);
                        let expected = f64::from(reward) + plain::<G>(&after, ply - 1);
                        let found = f64::from(valued.value);
                        assert!(
                            (found - expected).abs() < 0.01,
                            "{text} {ply}: {found} {expected}"
                        );
                    }
                }
            }
        }
    }

    const FULL: &str = "2,4,8,16/4,8,16,2/2,4,8,16/4,8,2,2";

    #[test]
    fn values_are_those_of_the_definition() {
        agrees::<Game2048>(&[FULL, "2,4,8,16/4,8,16,2/2,4,8,16/0,0,2,2"], 3);
        let start = Threes::start(&Default::default(), &mut Rng::new(4)).text();
        agrees::<Threes>(&[&start], 2);
    }

    #[test]
    fn limits_leave_the_deepest_finished_ply() {
        let position = Game2048::parse(&Default::default(), FULL).unwrap();
        let stop = AtomicBool::new(false);
        let mut silent = |_: &ludens_core::Progress<'_, Game2048>| {};
        let deepen =
            |budget: Budget,
             sink: &mut (dyn FnMut(&ludens_core::Progress<'_, Game2048>) + Send)| {
                let context = Context::new(budget, 0, 1, 0, &stop, sink);
                Expectimax::new(Odd, 6, 1 << 16).deepen(&position, &context.limits)
            };
        let first = deepen(Budget::nodes(1), &mut silent);
        assert_eq!(first.ply, 1);
        let some = deepen(Budget::nodes(20_000), &mut silent);
        assert!((2..6).contains(&some.ply), "{}", some.ply);
        assert!(some.nodes <= 20_200);
        assert_eq!(some, deepen(Budget::nodes(20_000), &mut silent));
        let exact = Expectimax::new(Odd, some.ply, 1 << 16).advise(&position);
        assert_eq!(exact.moves, some.moves);
    }
}
