//! Episodes under way.

use ludens_core::{Cells, Game, Rng};
use ludens_ntuple::{Network, Probe};

use super::config::Exploration;

/// An afterstate of an episode.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step<G: Game> {
    /// Where the move led.
    pub(super) after: G::After,
    /// What was paid since the afterstate before.
    pub(super) reward: f32,
}

/// A move that can be made, with the places of its value.
struct Child<G: Game> {
    after: G::After,
    reward: f32,
    probe: Probe,
}

/// Makes room for one more move than there ever were.
#[cold]
fn grow<G: Game>(children: &mut Vec<Child<G>>, after: G::After, reward: f32) {
    children.push(Child { after, reward, probe: Probe::default() });
}

/// One episode that a thread plays in turns with others.
pub(super) struct Episode<G: Game> {
    pub(super) path: Vec<Step<G>>,
    pub(super) rng: Rng,
    /// What the position counted when the episode began.
    pub(super) base: i64,
    /// What was paid so far.
    pub(super) total: i64,
    /// What nature paid last.
    pub(super) bonus: f32,
    /// Where the carousel stands.
    pub(super) stage: usize,
    /// Whether it began at the start of the game.
    pub(super) whole: bool,
    position: G,
    children: Vec<Child<G>>,
    count: usize,
    weights: Vec<f64>,
}

impl<G: Cells> Episode<G> {
    /// An episode that begins at a position.
    pub(super) fn new(position: G, rng: Rng) -> Self {
        Episode {
            path: Vec::new(),
            rng,
            base: 0,
            total: 0,
            bonus: 0.0,
            stage: 0,
            whole: true,
            position,
            children: Vec::new(),
            count: 0,
            weights: Vec::new(),
        }
    }

    /// Begins anew at a position and asks for its tables.
    pub(super) fn begin(&mut self, position: G, whole: bool, network: &Network) {
        self.path.clear();
        self.base = position.score().unwrap_or(0);
        (self.total, self.bonus, self.whole) = (0, 0.0, whole);
        self.position = position;
        self.prepare(network);
    }

    /// Begins anew after an afterstate.
    pub(super) fn begin_after(&mut self, after: &G::After, network: &Network) {
        let chance = G::sample(after, &mut self.rng);
        self.begin(G::settle(after, chance).0, false, network);
    }

    /// Lists the moves and asks for their tables.
    #[inline(always)]
    fn prepare(&mut self, network: &Network) {
        // First all moves, then all tables: a short closure is inlined into the
        // rules, where an afterstate never leaves the registers.
        let children = &mut self.children;
        let mut count = 0;
        self.position.children(|_, after, reward| {
            match children.get_mut(count) {
                Some(child) => (child.after, child.reward) = (after, reward as f32),
                None => grow(children, after, reward as f32),
            }
            count += 1;
        });
        self.count = count;
        for child in &mut self.children[..count] {
            network.probe::<G>(&child.after, &mut child.probe);
            network.prefetch(&child.probe);
        }
    }

    /// Makes the best move. False when there is none: the episode is over.
    #[inline(always)]
    pub(super) fn advance(&mut self, network: &Network, explore: Exploration) -> bool {
        let children = &self.children[..self.count];
        let mut best: Option<(f32, &Child<G>)> = None;
        for child in children {
            let value = child.reward + network.value(&child.probe);
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, child));
            }
        }
        let Some((most, mut child)) = best else { return false };
        match explore {
            Exploration::Greedy => {}
            Exploration::Epsilon(p) => {
                if self.rng.unit() < p {
                    child = &children[self.rng.below(children.len() as u32) as usize];
                }
            }
            Exploration::Softmax(temperature) => {
                let weight = |child: &Child<G>| {
                    let less = child.reward + network.value(&child.probe) - most;
                    (f64::from(less) / temperature).exp()
                };
                self.weights.clear();
                self.weights.extend(children.iter().map(weight));
                let mut left = self.rng.unit() * self.weights.iter().sum::<f64>();
                for (weight, drawn) in self.weights.iter().zip(children) {
                    child = drawn;
                    left -= weight;
                    if left < 0.0 {
                        break;
                    }
                }
            }
        }
        let (after, reward) = (child.after, child.reward);
        self.path.push(Step { after, reward: reward + self.bonus });
        let chance = G::sample(&after, &mut self.rng);
        let (position, bonus) = G::settle(&after, chance);
        self.total += reward as i64 + i64::from(bonus);
        self.bonus = bonus as f32;
        self.position = position;
        self.prepare(network);
        true
    }
}
