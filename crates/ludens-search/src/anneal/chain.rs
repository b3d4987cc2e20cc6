//! One line that changes: trials, and what they cost and bring.

use ludens_core::{Orders, Rng};

/// How trials change a line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Changes {
    /// The share of trials that put a random move somewhere.
    pub insert: f64,
    /// The share that take a move out; all others move one elsewhere.
    pub remove: f64,
    /// How near it stays: the distance is the line's length times a random number
    /// below 1 to this power.
    pub near: f64,
}

impl Default for Changes {
    fn default() -> Self {
        Changes { insert: 0.5, remove: 0.1, near: 2.0 }
    }
}

/// A line with all positions along it.
struct Steps<G: Orders> {
    marks: Vec<G::Mark>,
    /// Where each mark led.
    traces: Vec<G::Trace>,
    /// What all moves up to there paid.
    paid: Vec<i64>,
}

impl<G: Orders> Steps<G> {
    fn new() -> Self {
        Steps { marks: Vec::new(), traces: Vec::new(), paid: Vec::new() }
    }

    fn clear(&mut self) {
        self.marks.clear();
        self.traces.clear();
        self.paid.clear();
    }

    #[inline(always)]
    fn push(&mut self, mark: G::Mark, trace: &G::Trace, paid: i64) {
        self.marks.push(mark);
        self.traces.push(*trace);
        self.paid.push(paid);
    }

    /// Puts other steps in place of some.
    fn splice(&mut self, from: usize, to: usize, other: &Self) {
        if to - from == other.marks.len() {
            self.marks[from..to].copy_from_slice(&other.marks);
            self.traces[from..to].copy_from_slice(&other.traces);
            self.paid[from..to].copy_from_slice(&other.paid);
        } else {
            self.marks.splice(from..to, other.marks.iter().copied());
            self.traces.splice(from..to, other.traces.iter().copied());
            self.paid.splice(from..to, other.paid.iter().copied());
        }
    }
}

/// A line to its end, and the memory that trials need.
pub(super) struct Chain<G: Orders> {
    start: G::Trace,
    steps: Steps<G>,
    /// For each stage one more than the number of the step that led to it, or 0.
    reached: Vec<u16>,
    /// The value of the line, and that with what its end counts for.
    value: i64,
    shaped: f64,
    /// The new steps of a trial, and what it begins with.
    tried: Steps<G>,
    first: Vec<G::Mark>,
}

impl<G: Orders> Chain<G> {
    /// A random line.
    pub(super) fn new(start: G::Trace, rng: &mut Rng) -> Self {
        let mut chain = Chain {
            start,
            steps: Steps::new(),
            reached: vec![0; G::stage(&start) + 1],
            value: 0,
            shaped: 0.0,
            tried: Steps::new(),
            first: Vec::new(),
        };
        chain.restart(&[], rng);
        chain
    }

    /// Follows an order of marks and plays at random when it ends.
    pub(super) fn restart(&mut self, marks: &[G::Mark], rng: &mut Rng) {
        let Chain { start, steps, .. } = self;
        steps.clear();
        let (mut here, mut paid) = (*start, 0);
        G::follow(&mut here, marks.iter().copied(), |mark, reward, trace| {
            if let Some(reward) = reward {
                paid += i64::from(reward);
                steps.push(mark, trace, paid);
            }
            true
        });
        G::finish(&mut here, rng, |mark, reward, trace| {
            paid += i64::from(reward);
            steps.push(mark, trace, paid);
        });
        let end = G::end(&here);
        self.value = paid + end.pays;
        self.shaped = paid as f64 + end.counts;
        self.index();
    }

    /// The value of the line.
    pub(super) fn value(&self) -> i64 {
        self.value
    }

    /// That with what its end counts for.
    #[cfg(test)]
    pub(super) fn shaped(&self) -> f64 {
        self.shaped
    }

    /// The line.
    pub(super) fn marks(&self) -> &[G::Mark] {
        &self.steps.marks
    }

    fn index(&mut self) {
        self.reached.fill(0);
        for (step, trace) in self.steps.traces.iter().enumerate() {
            self.reached[G::stage(trace)] = step as u16 + 1;
        }
    }

    /// Where the move before step `at` led.
    fn before(&self, at: usize) -> (G::Trace, i64) {
        match at.checked_sub(1) {
            Some(last) => (self.steps.traces[last], self.steps.paid[last]),
            None => (self.start, 0),
        }
    }

    /// Draws a change: puts the marks to begin with into `first`, and returns the
    /// step from which the line changes and the one from which it goes on as it is.
    fn change(&mut self, changes: &Changes, rng: &mut Rng) -> Option<(usize, usize)> {
        let marks = &self.steps.marks;
        let length = marks.len();
        let kind = rng.unit();
        let at = rng.below(length as u32) as usize;
        self.first.clear();
        if kind < changes.insert {
            self.first.push(G::draw(&self.before(at).0, rng)?);
            return Some((at, at));
        }
        if kind < changes.insert + changes.remove {
            return Some((at, at + 1));
        }
        let far = 1 + (rng.unit().powf(changes.near) * length as f64) as usize;
        if rng.below(2) == 0 {
            let to = (at + far).min(length - 1);
            self.first.extend_from_slice(&marks[at + 1..=to]);
            self.first.push(marks[at]);
            (to > at).then_some((at, to + 1))
        } else {
            let to = at.saturating_sub(far);
            self.first.push(marks[at]);
            self.first.extend_from_slice(&marks[to..at]);
            (to < at).then_some((to, at + 1))
        }
    }

    /// Tries a change and keeps it if the line does not become worse by more than
    /// `slack`. Returns the moves made, at least 1.
    pub(super) fn trial(&mut self, changes: &Changes, slack: f64, rng: &mut Rng) -> u64 {
        // 1. What changes.
        if self.steps.marks.is_empty() {
            return 1;
        }
        let Some((from, on)) = self.change(changes, rng) else { return 1 };
        let (mut here, mut paid) = self.before(from);
        let Chain { steps, reached, tried, first, .. } = self;
        tried.clear();
        // 2. The rest of the line as far as it can be followed, up to the position
        // where old and new meet, if they do.
        let mut followed = 0;
        let mut met = None;
        let rest = steps.marks[on..].iter();
        G::follow(&mut here, first.iter().chain(rest).copied(), |mark, reward, trace| {
            followed += 1;
            if let Some(reward) = reward {
                paid += i64::from(reward);
                tried.push(mark, trace, paid);
            }
            // The same stage by the same mark of the line: maybe the same position.
            let done = on + followed - first.len().min(followed);
            if followed >= first.len()
                && usize::from(reached[G::stage(trace)]) == done
                && done > 0
                && G::same(trace, &steps.traces[done - 1])
            {
                met = Some(done);
            }
            met.is_none()
        });
        if let Some(met) = met {
            let more = paid - steps.paid[met - 1];
            let nodes = tried.marks.len() as u64 + 1;
            if more as f64 >= -slack {
                steps.splice(from, met, tried);
                if more != 0 {
                    let later = from + tried.marks.len();
                    steps.paid[later..].iter_mut().for_each(|paid| *paid += more);
                    self.value += more;
                    self.shaped += more as f64;
                }
                self.index();
            }
            return nodes;
        }
        // 3. Random moves to the end.
        G::finish(&mut here, rng, |mark, reward, trace| {
            paid += i64::from(reward);
            tried.push(mark, trace, paid);
        });
        let end = G::end(&here);
        let value = paid + end.pays;
        let shaped = paid as f64 + end.counts;
        let nodes = tried.marks.len() as u64 + 1;
        if shaped >= self.shaped - slack {
            let length = steps.marks.len();
            steps.splice(from, length, tried);
            (self.value, self.shaped) = (value, shaped);
            self.index();
        }
        nodes
    }
}
