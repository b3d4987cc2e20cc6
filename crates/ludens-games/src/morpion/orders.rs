//! Lines of play as orders of lines, which mean the same whatever was drawn before.

use ludens_core::orders::{End, Orders};
use ludens_core::{Reward, Rng};

use super::{Line, Morpion};

impl Morpion {
    /// A line as it can be drawn now, if it can.
    #[inline]
    fn drawable(&self, mark: Line) -> Option<Line> {
        let (direction, word, first) = (mark.direction(), mark.word(), mark.first());
        let open = self.open[direction as usize][usize::from(word)] >> first & 1 != 0;
        open.then(|| self.open_line(direction, word, first))
    }

    /// A line that can be drawn, uniformly.
    #[inline]
    fn any(&self, rng: &mut Rng) -> Option<Line> {
        if self.open_count == 0 {
            return None;
        }
        self.nth_open(rng.below(self.open_count.into()))
    }
}

/// A mark is a line, whichever of its points is missing when it is drawn.
impl Orders for Morpion {
    type Mark = Line;
    type Trace = Morpion;

    fn ways(&self) -> u32 {
        1
    }

    fn trace(&self, _: u32) -> Morpion {
        *self
    }

    /// One line more or less.
    fn scale(&self) -> f64 {
        1.0
    }

    #[inline]
    fn stage(trace: &Morpion) -> usize {
        // There are fewer lines than points on the board.
        1024 - usize::from(trace.drawn)
    }

    #[inline]
    fn same(one: &Morpion, other: &Morpion) -> bool {
        one.key == other.key && one.lines == other.lines
    }

    #[inline]
    fn follow(
        trace: &mut Morpion,
        marks: impl Iterator<Item = Line>,
        mut f: impl FnMut(Line, Option<Reward>, &Morpion) -> bool,
    ) {
        for mark in marks {
            let line = trace.drawable(mark);
            if let Some(line) = line {
                trace.draw(line);
            }
            if !f(mark, line.map(|_| 1), trace) {
                return;
            }
        }
    }

    #[inline]
    fn draw(trace: &Morpion, rng: &mut Rng) -> Option<Line> {
        trace.any(rng).map(|line| Self::mark(trace, line))
    }

    #[inline]
    fn finish(trace: &mut Morpion, rng: &mut Rng, mut f: impl FnMut(Line, Reward, &Morpion)) {
        while let Some(line) = trace.any(rng) {
            trace.draw(line);
            f(Self::mark(trace, line), 1, trace);
        }
    }

    fn end(_: &Morpion) -> End {
        End { pays: 0, counts: 0.0 }
    }

    #[inline]
    fn mark(_: &Morpion, line: Line) -> Line {
        Line::new(line.direction(), line.word(), line.first(), 0)
    }

    fn action(trace: &Morpion, mark: Line) -> Line {
        trace.drawable(mark).expect("a mark that can be played is a line that can be drawn")
    }
}
