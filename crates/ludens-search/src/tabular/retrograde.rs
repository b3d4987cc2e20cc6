//! Every position valued after all that can follow it.

use std::ops::ControlFlow;

use ludens_core::{Reward, Solo, Starts, Symmetric};

use super::{ByKey, ExactTable, ExactValue, Unsolved, after_key, starts, state_key};

/// Positions between questions whether to stop.
const PATIENCE: u64 = 1 << 12;
/// Bytes of an entry of a table: key, value, and a byte of the map.
const ENTRY: usize = size_of::<(u64, ExactValue)>() + 1;

/// The most bytes that [`retrograde`] takes at once for a number of entries of positions and of
/// afterstates, images counted once.
pub fn memory_of(states: u64, afters: u64) -> usize {
    // Maps have a power of two of slots and fill seven eighths of them.
    let slots = |entries: u64| (entries * 8 / 7 + 1).next_power_of_two() as usize;
    let (states, afters) = (slots(states), slots(afters));
    // The larger one grew last, from half its size, with the old one still there.
    (states + afters + states.max(afters) / 2) * ENTRY
}

/// Solves a variant of a game whose starts can be listed, within a number of bytes.
///
/// # Errors
/// When the tables would grow beyond the memory, or `stopped` said so.
pub fn retrograde<G: Solo + Starts + Symmetric>(
    variant: &G::Variant,
    memory: usize,
    stopped: &dyn Fn() -> bool,
) -> Result<ExactTable, Unsolved> {
    let begin = starts::<G>(variant, memory / 64);
    let found = (memory / 64) as u64;
    let begin =
        begin.ok_or(Unsolved::TooLarge { found, memory, needed: memory.saturating_add(1) })?;
    let mut walk = Walk::<G> {
        table: ExactTable::default(),
        stack: Vec::new(),
        symmetries: G::symmetries(variant),
        memory,
    };
    let mut seen = 0;
    for (start, p) in begin {
        walk.stack.push(Step::Enter(start));
        while let Some(step) = walk.stack.pop() {
            match step {
                Step::Enter(position) => walk.enter(position),
                Step::Leave(position) => walk.leave(&position)?,
            }
            seen += 1;
            if seen % PATIENCE == 0 && stopped() {
                return Err(Unsolved::Stopped);
            }
        }
        let value = walk.table.state(&start).expect("the walk left it behind");
        walk.table.start += p * (value.expected + start.score().unwrap_or(0) as f64);
    }
    Ok(walk.table)
}

/// What is still to be done with a position.
enum Step<G> {
    /// Look at what follows it, unless it has its value.
    Enter(G),
    /// All that follows has its value: give it its own.
    Leave(G),
}

struct Walk<G> {
    table: ExactTable,
    stack: Vec<Step<G>>,
    symmetries: u32,
    memory: usize,
}

impl<G: Solo + Symmetric> Walk<G> {
    fn enter(&mut self, position: G) {
        if self.table.states.contains_key(&state_key(&position).key) {
            return;
        }
        self.stack.push(Step::Leave(position));
        position.children(|_, after, _| {
            let key = after_key::<G>(self.symmetries, &after).key;
            if self.table.afters.contains_key(&key) {
                return;
            }
            let _ = G::outcomes(&after, |chance, _| {
                let (next, _) = G::apply_outcome(&after, chance);
                if !self.table.states.contains_key(&state_key(&next).key) {
                    self.stack.push(Step::Enter(next));
                }
                ControlFlow::Continue(())
            });
        });
    }

    fn leave(&mut self, position: &G) -> Result<(), Unsolved> {
        let shared = state_key(position);
        // Another image may have come first.
        if self.table.states.contains_key(&shared.key) {
            return Ok(());
        }
        let (mut best, mut failed) = (None::<ExactValue>, None);
        position.children(|_, after, reward: Reward| match self.after(&after) {
            Ok(value) => {
                let value = value.after(reward);
                if best.is_none_or(|best| value.beats(best)) {
                    best = Some(value);
                }
            }
            Err(error) => failed = Some(error),
        });
        if let Some(error) = failed {
            return Err(error);
        }
        self.make_room(|table| &mut table.states)?;
        self.table.states.insert(shared.key, best.unwrap_or_default());
        self.table.positions += u64::from(shared.images);
        Ok(())
    }

    /// The value of an afterstate; all its outcomes have their values.
    fn after(&mut self, after: &G::After) -> Result<ExactValue, Unsolved> {
        let shared = after_key::<G>(self.symmetries, after);
        if let Some(&known) = self.table.afters.get(&shared.key) {
            return Ok(known);
        }
        let mut value = ExactValue { expected: 0.0, best: i32::MIN, worst: i32::MAX };
        let _ = G::outcomes(after, |chance, p| {
            let (next, reward) = G::apply_outcome(after, chance);
            let next = self.table.state(&next).expect("it was left before");
            let next = next.after(reward);
            value.expected += p * next.expected;
            value.best = value.best.max(next.best);
            value.worst = value.worst.min(next.worst);
            ControlFlow::Continue(())
        });
        self.make_room(|table| &mut table.afters)?;
        self.table.afters.insert(shared.key, value);
        self.table.afterstates += u64::from(shared.images);
        Ok(value)
    }

    /// Sees to it that one more entry fits: a table that is full grows to twice its size,
    /// and both are there while it does.
    fn make_room(
        &mut self,
        part: impl Fn(&mut ExactTable) -> &mut ByKey<ExactValue>,
    ) -> Result<(), Unsolved> {
        let taken = self.table.states.capacity() + self.table.afters.capacity();
        let grown = part(&mut self.table);
        if grown.len() < grown.capacity() {
            return Ok(());
        }
        // A map is filled to seven eighths.
        let needed = (taken + 2 * grown.capacity()) / 7 * 8 * ENTRY;
        if needed > self.memory {
            let found = self.table.positions + self.table.afterstates;
            return Err(Unsolved::TooLarge { found, memory: self.memory, needed });
        }
        Ok(())
    }
}
