//! The ways that a search has gone, apart from the positions they lead to.

/// A tree of moves by their indices: a way is known where a search has chosen a move from.
///
/// Positions have one node, whichever ways lead to them. What a way has added to them is forgotten
/// with that way, so ways are kept apart.
pub(super) struct Ways(Vec<Vec<(u16, u32)>>);

impl Default for Ways {
    /// Nothing but the root.
    fn default() -> Self {
        Ways(vec![Vec::new()])
    }
}

impl Ways {
    /// Where all ways begin.
    pub(super) const ROOT: u32 = 0;

    /// Ways in the tree.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The way on by a move, if it is known.
    pub(super) fn after(&self, way: u32, index: usize) -> Option<u32> {
        let mut known = self.0[way as usize].iter();
        known.find(|(at, _)| usize::from(*at) == index).map(|(_, way)| *way)
    }

    /// The way on by a move, which is known from now on.
    pub(super) fn go(&mut self, way: u32, index: usize) -> u32 {
        self.after(way, index).unwrap_or_else(|| {
            let new = self.0.len() as u32;
            self.0.push(Vec::new());
            self.0[way as usize].push((index as u16, new));
            new
        })
    }

    /// The ways that go on from one.
    pub(super) fn below(&self, way: u32) -> Ways {
        let (mut kept, mut open) = (Ways::default(), vec![(way, Ways::ROOT)]);
        while let Some((old, new)) = open.pop() {
            for &(index, next) in &self.0[old as usize] {
                open.push((next, kept.go(new, usize::from(index))));
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_kept_below_a_move() {
        let mut ways = Ways::default();
        let one = ways.go(Ways::ROOT, 3);
        let two = ways.go(one, 1);
        ways.go(Ways::ROOT, 4);
        assert_eq!((ways.go(one, 1), ways.len()), (two, 4));
        let kept = ways.below(one);
        assert_eq!((kept.len(), kept.after(Ways::ROOT, 1).is_some()), (2, true));
        assert_eq!(kept.after(Ways::ROOT, 3), None);
    }
}
