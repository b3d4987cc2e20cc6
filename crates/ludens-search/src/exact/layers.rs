//! One decision, layer by layer: can the end be reached within a number of moves?
//!
//! All positions after the same number of moves form a layer, each kept once. A
//! layer that outgrows its share of the memory is left as it is, searched to the
//! end, and only then is the rest of the layer before it expanded: breadth-first
//! where memory allows, depth-first in pieces where there is not.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use ludens_core::Descent;
use ludens_core::bits::mix;

use super::Shared;
use crate::team::in_parallel;

/// A layer is kept in this many parts, each of which is sorted on its own: small
/// enough to be sorted between two looks at the clock.
const PARTS: usize = 512;

/// Names a worker takes at a time.
const BLOCK: usize = 64;

/// Bytes of a layer that are always allowed, so that the search goes on however
/// little memory it is given.
const LEAST: usize = 1 << 20;

/// Whether the end can be reached.
pub(super) enum Decision<A> {
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

/// Why a layer was not expanded to its end.
enum End<A> {
    /// This move ends the game at this position.
    Found(u64, A),
    Interrupted,
}

/// A position by name, with the moves that need not be tried from it.
#[derive(Clone, Copy)]
struct Entry {
    name: u64,
    covered: u64,
}

/// The positions of a layer, each once, in parts sorted by name; a name's part
/// follows from the name.
type Layer = Vec<Vec<Entry>>;

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
    fn push(&mut self, entry: Entry) {
        self.parts[part_of(entry.name)].push(entry);
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
        self.parts.iter().map(|part| part.capacity() * size_of::<Entry>()).sum()
    }
}

#[inline(always)]
fn part_of(name: u64) -> usize {
    mix(name) as usize % PARTS
}

/// Removes from one sorted part what is in another.
fn subtract(part: &mut Vec<Entry>, other: &[Entry]) {
    let mut other = other.iter().map(|entry| entry.name).peekable();
    part.retain(|entry| {
        while other.next_if(|next| *next < entry.name).is_some() {}
        other.peek() != Some(&entry.name)
    });
}

/// Sorts a part and leaves of equal positions one, with the moves that all cover.
fn sort(part: &mut Vec<Entry>) {
    part.sort_unstable_by_key(|entry| entry.name);
    part.dedup_by(|again, first| {
        let equal = again.name == first.name;
        if equal {
            first.covered &= again.covered;
        }
        equal
    });
}

impl<'a, G: Descent> Layers<'a, G> {
    /// A search that keeps to about `memory` bytes.
    pub(super) fn new(shared: &'a Shared<'a, G>, memory: usize) -> Self {
        Layers { shared, memory }
    }

    /// The threads that may be used now.
    fn threads(&self) -> usize {
        self.shared.threads.load(Ordering::Relaxed).max(1)
    }

    /// Whether the end can be reached from the origin within `moves`.
    pub(super) fn search(&self, moves: u32) -> Decision<G::Action> {
        let first = G::first(self.shared.origin);
        if G::recall(self.shared.origin, first).is_over() {
            return Decision::Line(Vec::new());
        }
        let mut layer = vec![Vec::new(); PARTS];
        layer[part_of(first)].push(Entry { name: first, covered: 0 });
        match self.below(&layer, moves, self.memory) {
            Found::Line(_, mut line) => {
                line.reverse();
                Decision::Line(G::retrace(self.shared.origin, line))
            }
            Found::Refused => Decision::Refused,
            Found::Interrupted => Decision::Interrupted,
        }
    }

    /// Searches everything below a layer with `moves` moves left.
    fn below(&self, layer: &Layer, moves: u32, memory: usize) -> Found<G::Action> {
        if moves == 0 {
            return Found::Refused;
        }
        let blocks: Vec<&[Entry]> = layer.iter().flat_map(|part| part.chunks(BLOCK)).collect();
        let taken = AtomicUsize::new(0);
        while taken.load(Ordering::Relaxed) < blocks.len() {
            // 1. Expand as much of the layer as a quarter of the memory holds children
            //    of. Before duplicates are gone they may take twice that, and as much
            //    again while lists grow. What is left is for the layers below.
            let share = (memory / 4).max(LEAST);
            let next = match self.expand(&blocks, &taken, moves, share) {
                Ok(harvests) => self.merge(harvests, layer),
                Err(End::Found(name, action)) => return Found::Line(name, vec![action]),
                Err(End::Interrupted) => return Found::Interrupted,
            };
            let Some(next) = next else { return Found::Interrupted };
            // 2. Search below these children.
            let used = next.iter().map(|part| part.capacity() * size_of::<Entry>()).sum();
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

    /// The children of blocks of a layer from the first one not taken, by thread,
    /// until the layer ends or the children take up `share` bytes.
    fn expand(
        &self,
        blocks: &[&[Entry]],
        taken: &AtomicUsize,
        moves: u32,
        share: usize,
    ) -> Result<Vec<Layer>, End<G::Action>> {
        let end = Mutex::new(None);
        let stop = AtomicBool::new(false);
        // A few blocks are not worth a thread.
        let threads = if blocks.len() < 8 { 1 } else { self.threads() };
        let harvests = in_parallel(vec![(); threads], |_, ()| {
            self.harvest(blocks, taken, moves, share / threads, &stop, &end)
        });
        match end.into_inner().unwrap_or_else(|e| e.into_inner()) {
            Some(end) => Err(end),
            None => Ok(harvests),
        }
    }

    /// One thread's part of [`expand`](Layers::expand).
    fn harvest(
        &self,
        blocks: &[&[Entry]],
        taken: &AtomicUsize,
        moves: u32,
        share: usize,
        stop: &AtomicBool,
        end: &Mutex<Option<End<G::Action>>>,
    ) -> Layer {
        let Shared { origin, limits, nodes, .. } = *self.shared;
        let mut harvest = Harvest::new();
        let finish = |how| {
            stop.store(true, Ordering::Relaxed);
            let mut end = end.lock().unwrap_or_else(|e| e.into_inner());
            // A line counts for more than an interruption.
            if !matches!(*end, Some(End::Found(..))) {
                *end = Some(how);
            }
        };
        while !stop.load(Ordering::Relaxed) {
            if harvest.held > harvest.mark {
                harvest.thin(|| limits.interrupted());
                if harvest.bytes() > share {
                    break;
                }
            }
            let Some(block) = blocks.get(taken.fetch_add(1, Ordering::Relaxed)) else { break };
            let mut fresh = 0;
            for &Entry { name, covered } in *block {
                let here = G::recall(origin, name);
                fresh += 1;
                here.descend(origin, name, moves, covered, |step, child, next, covered| {
                    fresh += 1;
                    if child.is_over() {
                        finish(End::Found(name, here.action(step)));
                    } else {
                        harvest.push(Entry { name: next, covered });
                    }
                });
            }
            let total = nodes.fetch_add(fresh, Ordering::Relaxed) + fresh;
            if limits.interrupted() || limits.spent(total) {
                finish(End::Interrupted);
            }
        }
        harvest.parts
    }

    /// One layer of what the threads have brought, without what is in the layer
    /// before: that is searched from there with a move more. `None` when interrupted.
    fn merge(&self, harvests: Vec<Layer>, before: &Layer) -> Option<Layer> {
        let mut jobs: Vec<Mutex<Vec<Entry>>> = Vec::with_capacity(PARTS);
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
            loop {
                let index = taken.fetch_add(1, Ordering::Relaxed);
                let Some(job) = jobs.get(index) else { break };
                let mut part = job.lock().unwrap_or_else(|e| e.into_inner());
                sort(&mut part);
                subtract(&mut part, &before[index]);
                part.shrink_to_fit();
                if self.shared.limits.interrupted() {
                    stop.store(true, Ordering::Relaxed);
                    break;
                }
            }
        };
        in_parallel(vec![(); self.threads()], |_, ()| work());
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let open = |job: Mutex<Vec<Entry>>| job.into_inner().unwrap_or_else(|e| e.into_inner());
        Some(jobs.into_iter().map(open).collect())
    }

    /// A position among the blocks that leads to `child`, and the move; `None` only
    /// when interrupted, since every position of a layer has a parent in the one before.
    fn parent(&self, blocks: &[&[Entry]], moves: u32, child: u64) -> Option<(u64, G::Action)> {
        let origin = self.shared.origin;
        for block in blocks {
            if self.shared.limits.interrupted() {
                return None;
            }
            for &Entry { name, covered } in *block {
                let here = G::recall(origin, name);
                let mut found = None;
                here.descend(origin, name, moves, covered, |step, _, next, _| {
                    if next == child {
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
