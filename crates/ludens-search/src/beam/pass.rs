//! One beam of one width, from the root to where it ends.

use ludens_core::{Heuristic, Rng, SoloPuzzle};

use super::Ceiling;
use super::layer::{Candidate, Layer, Link};

/// Parents between two looks at the limits: well below a millisecond.
const STRIDE: usize = 32;

/// What a pass asks of the search around it.
pub(super) trait Watch<A> {
    /// Reports the nodes made since the last call; whether to continue.
    fn go_on(&mut self, nodes: u64) -> bool;
    /// Lines have to have a larger value than this.
    fn to_beat(&self) -> i64;
    /// Reports a line to the end of the game with a larger value.
    fn found(&mut self, value: i64, line: &[A]);
}

/// How a pass ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// Stopped by the watch.
    Stopped,
    /// There is not enough memory for this width.
    NoMemory,
    /// To its end, but positions were turned away.
    Narrow,
    /// To its end with every position that could matter: nothing better exists.
    Complete,
}

/// The memory of passes, kept from one to the next.
#[derive(Debug)]
pub(super) struct Pass<G, A> {
    here: Layer<G, A>,
    next: Layer<G, A>,
    /// The links of all layers, one after another, without the root's.
    links: Vec<Link<A>>,
    /// Where each layer begins in `links`.
    starts: Vec<usize>,
    line: Vec<A>,
}

impl<G: SoloPuzzle> Pass<G, G::Action> {
    /// The bytes a pass of `depth` layers takes per unit of width.
    pub(super) fn bytes(depth: usize) -> usize {
        2 * Layer::<G, G::Action>::BYTES + depth * size_of::<Link<G::Action>>()
    }

    /// Passes that keep equal positions of a layer once, if they are `distinct`.
    pub(super) fn new(distinct: bool) -> Self {
        Pass {
            here: Layer::new(distinct),
            next: Layer::new(distinct),
            links: Vec::new(),
            starts: Vec::new(),
            line: Vec::new(),
        }
    }

    /// The number of layers of the last pass.
    pub(super) fn depth(&self) -> usize {
        self.starts.len()
    }

    /// The longest line of a pass that was stopped, and its value.
    pub(super) fn unfinished(&mut self) -> Option<(i64, &[G::Action])> {
        let at = self.here.best()?;
        let value = self.here.values()[at];
        self.line.clear();
        if !self.starts.is_empty() {
            trace(&self.links, &self.starts, at, &mut self.line);
        }
        Some((value, &self.line))
    }

    /// Runs a beam.
    ///
    /// 1. Every position of the layer is expanded; ends of the game are reported.
    /// 2. A child that cannot beat the best line, by the ceiling, is dropped.
    /// 3. The others are scored by value so far plus heuristic plus noise and
    ///    offered to the next layer, which keeps the best different ones.
    /// 4. The links of the new layer are stored for the way back.
    pub(super) fn run<H: Heuristic<G>, C: Ceiling<G>>(
        &mut self,
        root: &G,
        width: usize,
        (heuristic, ceiling, noise): (&H, &C, f32),
        rng: &mut Rng,
        watch: &mut impl Watch<G::Action>,
    ) -> End {
        let Pass { here, next, links, starts, line } = self;
        links.clear();
        starts.clear();
        if here.reset(width).and_then(|()| next.reset(width)).is_err() {
            return End::NoMemory;
        }
        let mut noise = Noise::new(noise, rng);
        // The root's link is never followed; any legal action will do.
        let Some(action) = root.actions().next() else { return End::Complete };
        let link = Link { parent: 0, action };
        here.offer(Candidate { position: *root, value: 0, score: 0.0, link });
        while !here.positions().is_empty() {
            next.clear();
            let mut nodes = 0;
            for (parent, (position, &so_far)) in
                here.positions().iter().zip(here.values()).enumerate()
            {
                if parent.is_multiple_of(STRIDE) && !watch.go_on(std::mem::take(&mut nodes)) {
                    return End::Stopped;
                }
                let mut to_beat = watch.to_beat();
                position.children(|action, child, reward| {
                    nodes += 1;
                    let value = so_far + i64::from(reward);
                    if child.is_over() {
                        if value > to_beat {
                            line.clear();
                            if !starts.is_empty() {
                                trace(links, starts, parent, line);
                            }
                            line.push(action);
                            watch.found(value, line);
                            to_beat = value;
                        }
                        return;
                    }
                    if !ceiling.allows(&child, to_beat - value) {
                        return;
                    }
                    let score = value as f32 + heuristic.value(&child) + noise.next();
                    let link = Link { parent: parent as u32, action };
                    next.offer(Candidate { position: child, value, score, link });
                });
            }
            if !watch.go_on(nodes) {
                return End::Stopped;
            }
            next.finish();
            if links.try_reserve(next.links().len()).is_err() {
                return End::NoMemory;
            }
            starts.push(links.len());
            links.extend_from_slice(next.links());
            std::mem::swap(here, next);
        }
        if here.was_cut() || next.was_cut() { End::Narrow } else { End::Complete }
    }
}

/// The actions from the root to an index of the last layer.
fn trace<A: Copy>(links: &[Link<A>], starts: &[usize], mut at: usize, line: &mut Vec<A>) {
    for &start in starts.iter().rev() {
        let link = links[start + at];
        line.push(link.action);
        at = link.parent as usize;
    }
    line.reverse();
}

/// Small random numbers, cheap enough for every child.
struct Noise {
    state: u64,
    scale: f32,
}

impl Noise {
    fn new(amplitude: f32, rng: &mut Rng) -> Self {
        Noise { state: rng.next_u64() | 1, scale: amplitude / (1u32 << 24) as f32 }
    }

    /// Uniform between 0 and the amplitude: a multiplicative congruential
    /// generator, of which only the high bits are used.
    #[inline]
    fn next(&mut self) -> f32 {
        self.state = self.state.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(1);
        (self.state >> 40) as f32 * self.scale
    }
}
