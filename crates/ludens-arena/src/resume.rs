//! What the store has of some tasks, so that only the rest is done.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::time::{Duration, Instant};

use crate::Reuse;

/// Results by the number of their task, and the tasks without one.
pub(crate) struct Resumed<T> {
    /// What the store has.
    pub(crate) found: BTreeMap<usize, T>,
    /// What is missing.
    pub(crate) todo: Vec<usize>,
    /// How many of those found are of other programs.
    pub(crate) of_others: usize,
    /// Results of other programs that would have fitted and are not used.
    pub(crate) left_aside: usize,
}

impl<T> Resumed<T> {
    /// The same for some of the tasks only.
    pub(crate) fn of_units(mut self, wanted: impl Fn(usize) -> bool) -> Self {
        self.found.retain(|&task, _| wanted(task));
        self.todo.retain(|&task| wanted(task));
        self
    }
}

/// Looks up the tasks of these keys among the program's own results and those of others.
/// Results under other keys stay unused.
pub(crate) fn resume<K: Eq + Hash, T>(
    keys: impl Iterator<Item = K>,
    mut own: HashMap<K, T>,
    mut others: HashMap<K, T>,
    reuse: Reuse,
) -> Resumed<T> {
    let (found, todo) = (BTreeMap::new(), Vec::new());
    let mut resumed = Resumed { found, todo, of_others: 0, left_aside: 0 };
    for (task, key) in keys.enumerate() {
        match (own.remove(&key), others.remove(&key)) {
            (None, Some(result)) if reuse == Reuse::Any => {
                resumed.of_others += 1;
                resumed.found.insert(task, result);
            }
            (own, other) => {
                resumed.left_aside += usize::from(other.is_some());
                match own {
                    Some(result) => drop(resumed.found.insert(task, result)),
                    None => resumed.todo.push(task),
                }
            }
        }
    }
    resumed
}

/// When work started, and how much of it was done already.
pub(crate) struct Pace {
    start: Instant,
    reused: usize,
    total: usize,
}

impl Pace {
    pub(crate) fn new(start: Instant, reused: usize, total: usize) -> Self {
        Pace { start, reused, total }
    }

    /// The time since the start, and what is left at the present pace, once something is done.
    pub(crate) fn at(&self, done: usize) -> (Duration, Option<Duration>) {
        let (elapsed, fresh) = (self.start.elapsed(), done - self.reused);
        let share = (self.total - done) as f64 / fresh.max(1) as f64;
        (elapsed, (fresh > 0).then(|| elapsed.mul_f64(share)))
    }
}
