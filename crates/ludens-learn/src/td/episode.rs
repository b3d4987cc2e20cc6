//! Episodes under way.

use ludens_core::{Cells, Game, Rng};
use ludens_ntuple::Probe;

use super::explore::Policy;
use super::values::ValueFunction;

/// A turn of an episode.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step<G: Game, I> {
    /// Where the move led.
    pub(super) after: G::After,
    /// What was paid since the valued thing of the turn before.
    pub(super) reward: f32,
    /// What else its kind of value needs.
    pub(super) item: I,
}

/// A move that can be made, with its value.
pub(super) struct Child<G: Game, N> {
    pub(super) after: G::After,
    pub(super) reward: f32,
    pub(super) value: f32,
    pub(super) note: N,
    /// The entries of its value.
    pub(super) probe: Probe,
}

/// Makes room for one more move than there ever were.
#[cold]
fn grow<G: Game, N>(children: &mut Vec<Child<G, N>>, after: G::After, reward: f32, note: N) {
    children.push(Child { after, reward, value: 0.0, note, probe: Probe::default() });
}

/// One episode that a thread plays in turns with others.
pub(super) struct Episode<G: Game, K: ValueFunction<G>> {
    pub(super) path: Vec<Step<G, K::Item>>,
    pub(super) rng: Rng,
    /// What the position counted when the episode started.
    pub(super) base: i64,
    /// What was paid so far.
    pub(super) total: i64,
    /// What was paid since the last valued thing.
    pub(super) bonus: f32,
    /// What nature paid last.
    pub(super) luck: i64,
    /// Where the carousel stands.
    pub(super) stage: usize,
    /// Whether it started at the start of the game.
    pub(super) whole: bool,
    position: G,
    children: Vec<Child<G, K::Note>>,
    count: usize,
    weights: Vec<f64>,
}

impl<G: Cells, K: ValueFunction<G>> Episode<G, K> {
    /// An episode that starts at a position.
    pub(super) fn new(position: G, rng: Rng) -> Self {
        Episode {
            path: Vec::new(),
            rng,
            base: 0,
            total: 0,
            bonus: 0.0,
            luck: 0,
            stage: 0,
            whole: true,
            position,
            children: Vec::new(),
            count: 0,
            weights: Vec::new(),
        }
    }

    /// Starts anew at a position and asks for what its moves need.
    pub(super) fn start(&mut self, position: G, whole: bool, kind: &mut K) {
        self.path.clear();
        self.base = position.score().unwrap_or(0);
        (self.total, self.bonus, self.whole) = (0, 0.0, whole);
        self.position = position;
        self.prepare(kind);
    }

    /// Starts anew after an afterstate.
    pub(super) fn start_after(&mut self, after: &G::After, kind: &mut K) {
        let chance = G::sample(after, &mut self.rng);
        self.start(G::apply_outcome(after, chance).0, false, kind);
    }

    /// Lists the moves and asks for their tables.
    #[inline(always)]
    fn prepare(&mut self, kind: &mut K) {
        // First all moves, then all tables: a short closure is inlined into the
        // rules, where an afterstate never leaves the registers.
        let (children, position) = (&mut self.children, &self.position);
        let mut count = 0;
        position.children(|action, after, reward| {
            let (reward, note) = (reward as f32, K::note(position, action));
            match children.get_mut(count) {
                Some(child) => (child.after, child.reward, child.note) = (after, reward, note),
                None => grow(children, after, reward, note),
            }
            count += 1;
        });
        self.count = count;
        kind.prepare(&mut self.children[..count]);
    }

    /// Makes the best move. False when there is none: the episode is over.
    #[inline(always)]
    pub(super) fn advance(&mut self, kind: &mut K, policy: &Policy) -> bool {
        if self.count == 0 {
            return false;
        }
        let children = &mut self.children[..self.count];
        let best = kind.weigh(&self.position, children, &mut self.rng);
        let (rng, weights) = (&mut self.rng, &mut self.weights);
        let chosen = policy.choose(best, children.len(), |i| children[i].value, rng, weights);
        let child = &children[chosen];
        let (after, reward) = (child.after, child.reward);
        let item = K::item(&self.position, child, self.bonus);
        let paid = if K::BEFORE { self.bonus } else { reward + self.bonus };
        self.path.push(Step { after, reward: paid, item });
        let chance = G::sample(&after, &mut self.rng);
        let (position, bonus) = G::apply_outcome(&after, chance);
        self.luck = i64::from(bonus);
        self.total += reward as i64 + self.luck;
        self.bonus = if K::BEFORE { reward + bonus as f32 } else { bonus as f32 };
        self.position = position;
        self.prepare(kind);
        true
    }
}
