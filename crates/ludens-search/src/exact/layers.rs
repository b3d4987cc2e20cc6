//! One question, layer by layer: can the end be reached within so many moves?
//!
//! All positions after the same number of moves form a layer, each kept once. A
//! layer that outgrows its share of the memory is left as it is, searched to the
//! end, and only then is the rest of the layer before it expanded: breadth-first
//! where there is room, depth-first in pieces where there is not.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use ludens_core::Descent;
use ludens_core::bits::mix;

use super::Shared;

/// A layer is kept in so many parts, each of which is sorted on its own: small
/// enough to be sorted between two looks at the clock.
const PARTS: usize = 512;

/// Names a worker takes at a time.
const BLOCK: usize = 256;

/// Bytes of a layer that are always allowed, so that the search goes on however
/// little memory it is given.
const LEAST: usize = 1 << 20;

/// The answer to one question.
pub(super) enum Verdict<A> {
    /// Yes, by this line.
    Line(Vec<A>),
    /// No.
    Refused,
    /// Not known.
    Interrupted,
}

/// What came of the search below one layer.
enum Found<A> {
    /// From this position of the layer the end is reached by this line, which is
    /// written backwards.
    Line(u64, Vec<A>),
    Refused,
    Interrupted,
}

/// The positions of a layer by name, each once, in sorted parts.
type Layer = Vec<Vec<u64>>;

pub(super) struct Layers<'a, G: Descent> {
    shared: &'a Shared<'a, G>,
    memory: usize,
}

/// One thread's children, by part.
struct Harvest {
    parts: Layer,
    /// Names held, and how many may be before duplicates are looked for.
    held: usize,
    mark: usize,
}

impl Harvest {
    fn new() -> Self {
        Harvest { parts: vec![Vec::new(); PARTS], held: 0, mark: 1 << 16 }
    }

    #[inline(always)]
    fn push(&mut self, name: u64) {
        self.parts[mix(name) as usize % PARTS].push(name);
        self.held += 1;
    }

    /// Removes duplicates; gives up as soon as `interrupted` says so.
    fn thin(&mut self, interrupted: impl Fn() -> bool) {
        for part in &mut self.parts {
            if interrupted() {
                return;
            }
            sort(part);
        }
        self.held = self.parts.iter().map(Vec::len).sum();
        self.mark = (2 * self.held).max(1 << 16);
    }

    /// The memory it takes.
    fn bytes(&self) -> usize {
        self.parts.iter().map(|part| part.capacity() * size_of::<u64>()).sum()
    }
}

fn sort(part: &mut Vec<u64>) {
    part.sort_unstable();
    part.dedup();
}

impl<'a, G: Descent> Layers<'a, G> {
    /// A search that keeps to about so many bytes.
    pub(super) fn new(shared: &'a Shared<'a, G>, memory: usize) -> Self {
        Layers { shared, memory }
    }

    /// Whether the end can be reached from the origin within `moves`.
    pub(super) fn search(&self, moves: u32) -> Verdict<G::Action> {
        let first = G::first(self.shared.origin);
        if G::recall(self.shared.origin, first).is_over() {
            return Verdict::Line(Vec::new());
        }
        match self.below(&vec![vec![first]], moves, self.memory) {
            Found::Line(_, mut line) => {
                line.reverse();
                Verdict::Line(line)
            }
            Found::Refused => Verdict::Refused,
            Found::Interrupted => Verdict::Interrupted,
        }
    }

    /// Searches everything below a layer with `moves` moves left.
    fn below(&self, layer: &Layer, moves: u32, memory: usize) -> Found<G::Action> {
        if moves == 0 {
            return Found::Refused;
        }
        let blocks: Vec<&[u64]> = layer.iter().flat_map(|part| part.chunks(BLOCK)).collect();
        let taken = AtomicUsize::new(0);
        while taken.load(Ordering::Relaxed) < blocks.len() {
            // 1. Expand as much of the layer as half of the memory holds children
            //    of; the other half is for the layers below.
            let share = (memory / 2).max(LEAST);
            let (next, found) = match self.expand(&blocks, &taken, moves, share) {
                Ok(expanded) => expanded,
                Err(Stopped) => return Found::Interrupted,
            };
            if let Some((name, action)) = found {
                return Found::Line(name, vec![action]);
            }
            // 2. Search below these children.
            let used = next.iter().map(|part| part.capacity() * size_of::<u64>()).sum();
            match self.below(&next, moves - 1, memory.saturating_sub(used)) {
                Found::Refused => {}
                Found::Interrupted => return Found::Interrupted,
                // 3. On the way back, find out where the line came from.
                Found::Line(child, mut line) => {
                    let Some((name, action)) = self.parent(&blocks, moves, child) else {
                        return Found::Interrupted;
                    };
                    line.push(action);
                    return Found::Line(name, line);
                }
            }
        }
        Found::Refused
    }

    /// The children of blocks of a layer from the first one not taken, until the
    /// layer ends or the children take up `share` bytes; and a position of the
    /// layer with the move that ends the game there, if one was met.
    #[expect(clippy::type_complexity, reason = "used once, and named in the text above")]
    fn expand(
        &self,
        blocks: &[&[u64]],
        taken: &AtomicUsize,
        moves: u32,
        share: usize,
    ) -> Result<(Layer, Option<(u64, G::Action)>), Stopped> {
        let found = Mutex::new(None);
        let stop = AtomicBool::new(false);
        // A few blocks are not worth a thread.
        let threads = if blocks.len() < 8 { 1 } else { self.shared.threads };
        let work = || self.harvest(blocks, taken, moves, share / threads, &stop, &found);
        let harvests: Vec<Layer> = if threads == 1 {
            vec![work()]
        } else {
            std::thread::scope(|scope| {
                let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
                workers
                    .into_iter()
                    .map(|worker| worker.join().unwrap_or_else(|e| std::panic::resume_unwind(e)))
                    .collect()
            })
        };
        let found = found.into_inner().unwrap_or_else(|e| e.into_inner());
        if found.is_none() && stop.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        if found.is_some() {
            return Ok((Vec::new(), found));
        }
        Ok((self.merge(harvests)?, None))
    }

    /// One thread's part of [`expand`](Layers::expand).
    fn harvest(
        &self,
        blocks: &[&[u64]],
        taken: &AtomicUsize,
        moves: u32,
        share: usize,
        stop: &AtomicBool,
        found: &Mutex<Option<(u64, G::Action)>>,
    ) -> Layer {
        let Shared { origin, limits, nodes, .. } = *self.shared;
        let mut harvest = Harvest::new();
        while !stop.load(Ordering::Relaxed) {
            if harvest.held > harvest.mark {
                harvest.thin(|| limits.interrupted());
                if harvest.bytes() > share {
                    break;
                }
            }
            let Some(block) = blocks.get(taken.fetch_add(1, Ordering::Relaxed)) else { break };
            let mut fresh = 0;
            for &name in *block {
                let here = G::recall(origin, name);
                fresh += 1;
                here.descend(origin, moves, |step, child| {
                    fresh += 1;
                    if child.is_over() {
                        stop.store(true, Ordering::Relaxed);
                        let mut found = found.lock().unwrap_or_else(|e| e.into_inner());
                        *found = Some((name, here.action(step)));
                    } else {
                        harvest.push(here.descendant(origin, name, step));
                    }
                });
            }
            let total = nodes.fetch_add(fresh, Ordering::Relaxed) + fresh;
            if limits.interrupted() || limits.spent(total) {
                stop.store(true, Ordering::Relaxed);
            }
        }
        harvest.parts
    }

    /// One layer of what the threads have brought.
    fn merge(&self, harvests: Vec<Layer>) -> Result<Layer, Stopped> {
        let mut jobs: Vec<Mutex<Vec<u64>>> = Vec::with_capacity(PARTS);
        for (thread, harvest) in harvests.into_iter().enumerate() {
            if thread == 0 {
                jobs.extend(harvest.into_iter().map(Mutex::new));
                continue;
            }
            for (job, mut part) in jobs.iter_mut().zip(harvest) {
                job.get_mut().unwrap_or_else(|e| e.into_inner()).append(&mut part);
            }
        }
        let (taken, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = || {
            while let Some(job) = jobs.get(taken.fetch_add(1, Ordering::Relaxed)) {
                let mut part = job.lock().unwrap_or_else(|e| e.into_inner());
                sort(&mut part);
                part.shrink_to_fit();
                if self.shared.limits.interrupted() {
                    stop.store(true, Ordering::Relaxed);
                    break;
                }
            }
        };
        if self.shared.threads == 1 {
            work();
        } else {
            std::thread::scope(|scope| {
                (0..self.shared.threads).for_each(|_| drop(scope.spawn(work)))
            });
        }
        if stop.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        let open = |job: Mutex<Vec<u64>>| job.into_inner().unwrap_or_else(|e| e.into_inner());
        Ok(jobs.into_iter().map(open).filter(|part| !part.is_empty()).collect())
    }

    /// A position among the blocks that leads to `child`, and the move; `None` only
    /// when interrupted, since every position of a layer has a parent in the one before.
    fn parent(&self, blocks: &[&[u64]], moves: u32, child: u64) -> Option<(u64, G::Action)> {
        let origin = self.shared.origin;
        for block in blocks {
            if self.shared.limits.interrupted() {
                return None;
            }
            for &name in *block {
                let here = G::recall(origin, name);
                let mut found = None;
                here.descend(origin, moves, |step, _| {
                    if here.descendant(origin, name, step) == child {
                        found = Some((name, here.action(step)));
                    }
                });
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }
}

/// The search was interrupted.
struct Stopped;
