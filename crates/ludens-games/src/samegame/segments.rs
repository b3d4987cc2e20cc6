//! VS-pruning: SameGame without the moves that can wait.
//!
//! A *vertical segment* is a group in one column with no block above it and at
//! least one below. Removing it brings no other blocks together, and no other
//! move can split it, so it may as well wait and perhaps grow. [`VsSameGame`]
//! does not list such moves. When nothing else is left the game is over, and
//! the last move also pays for all segments and for the end (*quick finish*):
//! exactly what playing them in any order comes to, since no block moves.
//!
//! The rule is a heuristic: a segment that waits may join blocks that were
//! better kept apart. The pruned game's best line is a line of the whole game,
//! but maybe not its best.
//!
//! Reference: S. Klein, *Attacking SameGame using Monte-Carlo Tree Search*
//! (2015), sections 2.4.2 and 5.1.

#[cfg(target_arch = "x86_64")]
use super::avx2::Avx2;
use super::board::on_best_planes;
use super::plane::{Bits, Portable};
use super::{Group, Groups, SameGame, SameGameVariant};
use ludens_core::bits::mix;
use ludens_core::{Deterministic, Game, Position, Reward, Rng, Solo, deterministic};

/// SameGame with VS-pruning and quick finish.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VsSameGame(SameGame);

impl VsSameGame {
    /// The pruned game from a position.
    pub fn new(position: SameGame) -> Self {
        VsSameGame(position)
    }

    /// The board itself.
    pub fn board(&self) -> &SameGame {
        &self.0
    }

    /// Makes a line of the pruned game from this position a line of the whole
    /// game by playing the waiting segments at its end. Returns what the whole
    /// line pays.
    pub fn complete(&self, line: &mut Vec<Group>) -> i64 {
        let (mut here, mut total) = (self.0, 0);
        for &group in line.iter() {
            let (next, reward) = here.apply(group);
            (here, total) = (next, total + i64::from(reward));
        }
        if is_over(&here) {
            while let Some(group) = here.actions().next() {
                line.push(group);
                let (next, reward) = here.apply(group);
                (here, total) = (next, total + i64::from(reward));
            }
        }
        total
    }
}

impl Position for VsSameGame {
    #[inline]
    fn key(&self) -> u64 {
        // Other moves are legal here, so the key is another one.
        mix(self.0.key())
    }
}

impl Game for VsSameGame {
    deterministic!(players: 1, variant: SameGameVariant, action: Group, actions: Groups);

    #[inline]
    fn variant(&self) -> SameGameVariant {
        self.0.variant
    }

    fn start(variant: &SameGameVariant, rng: &mut Rng) -> Self {
        VsSameGame(SameGame::start(variant, rng))
    }

    #[inline]
    fn actions(&self) -> Groups {
        Groups(lowest_cells(&self.0))
    }

    #[inline]
    fn is_over(&self) -> bool {
        is_over(&self.0)
    }

    fn is_legal(&self, group: Group) -> bool {
        self.0.is_legal(group) && self.actions().any(|legal| legal == group)
    }

    #[inline]
    fn apply(&self, group: Group) -> (Self, Reward) {
        let (next, reward) = remove_at(&self.0, group.0);
        (VsSameGame(next), reward)
    }

    #[inline]
    fn children(&self, mut f: impl FnMut(Group, Self, Reward)) {
        children(&self.0, |group, next, reward| f(group, VsSameGame(next), reward));
    }

    #[inline]
    fn step(&self, rng: &mut Rng) -> Option<(Group, Self, Reward)> {
        let (group, next, reward) = draw(&self.0, true, 0, rng)?;
        Some((group, VsSameGame(next), reward))
    }
}

impl Deterministic for VsSameGame {}
impl Solo for VsSameGame {}

on_best_planes! {
    /// Whether no move but waiting segments is left.
    fn is_over(game: &SameGame) -> bool;

    /// The lowest cells of all groups of at least two that do not wait.
    fn lowest_cells(game: &SameGame) -> Bits;

    /// Removes the group of a cell, with quick finish.
    fn remove_at(game: &SameGame, cell: u8) -> (SameGame, Reward);

    /// Every move of the pruned game with what it leads to.
    fn children(game: &SameGame, f: impl FnMut(Group, SameGame, Reward));

    /// A uniformly random move, of the pruned game if `pruned`, and not of the
    /// colour code `tabu` (0 for none) unless there is no other.
    fn draw(game: &SameGame, pruned: bool, tabu: u8, rng: &mut Rng)
        -> Option<(Group, SameGame, Reward)>;

    /// A whole random game of such moves. The tabu holds while more than
    /// `below` blocks are left; the actions are appended to `line`.
    fn play(game: &SameGame, pruned: bool, tabu: u8, below: u32, line: &mut Vec<Group>, rng: &mut Rng)
        -> (SameGame, i64);
}

mod generic {
    use ludens_core::{Reward, Rng};

    use crate::samegame::board::generic::{Board, Links};
    use crate::samegame::plane::{Bits, Lanes, Plane, count};
    use crate::samegame::{Group, SameGame};

    impl<P: Plane> Links<P> {
        /// The links of the blocks that are not in a set of whole groups.
        #[inline(always)]
        fn without(&self, groups: P) -> Self {
            Links {
                up: self.up.without(groups),
                down: self.down.without(groups),
                right: self.right.without(groups),
                left: self.left.without(groups),
            }
        }
    }

    impl<L: Lanes> Board<L> {
        /// The blocks of all vertical segments that wait.
        #[inline(always)]
        fn segments(&self, links: &Links<L::Plane>) -> L::Plane {
            let blocks = self.blocks();
            // 1. The run of equal blocks at the top of every column.
            let mut run = blocks.without(blocks.down());
            loop {
                let longer = run | (run.down() & links.up);
                if (longer ^ run).is_empty() {
                    break;
                }
                run = longer;
            }
            // 2. Runs that touch their like at a side, or the floor, do not wait.
            let floor = blocks.without(blocks.down().up());
            let mut out = run & (links.left | links.right | floor);
            loop {
                let more = out | (out.up() & links.down & run) | (out.down() & links.up & run);
                if (more ^ out).is_empty() {
                    break;
                }
                out = more;
            }
            // 3. A single block is no group.
            run.without(out) & (links.up | links.down)
        }

        /// The links of the moves to choose from, and the segments that wait.
        #[inline(always)]
        fn open(&self, pruned: bool) -> (Links<L::Plane>, L::Plane) {
            let links = self.links();
            if !pruned {
                return (links, links.up.without(links.up));
            }
            let waiting = self.segments(&links);
            (links.without(waiting), waiting)
        }

        /// The blocks of a colour code.
        #[inline(always)]
        pub(in crate::samegame) fn of_code(&self, code: u8) -> L::Plane {
            let blocks = self.blocks();
            let pick = |plane: L::Plane, bit: u8| {
                if code >> bit & 1 != 0 { plane } else { blocks.without(plane) }
            };
            let [a, b, c] = self.planes;
            pick(a, 0) & pick(b, 1) & pick(c, 2)
        }

        /// What the end pays, the waiting segments played first.
        #[inline(always)]
        fn finish(&self, of: &SameGame, waiting: L::Plane) -> Reward {
            let scoring = of.variant.scoring();
            let rest = Board { lanes: self.lanes, planes: self.planes.map(|p| p.without(waiting)) };
            let mut total = scoring.end(rest.game(of).colour_counts());
            for word in waiting.bits() {
                for column in 0..4 {
                    let size = (word >> (16 * column) & 0xFFFF).count_ones();
                    if size > 0 {
                        total += scoring.group(size);
                    }
                }
            }
            total
        }

        /// The position after a group of some size was removed, and what that paid.
        #[inline(always)]
        fn paid_pruned(&self, of: &SameGame, size: u32) -> (SameGame, Reward) {
            let (links, waiting) = self.open(true);
            let end = if links.any() { 0 } else { self.finish(of, waiting) };
            (self.game(of), of.variant.scoring().group(size) + end)
        }
    }

    #[inline(always)]
    pub(super) fn is_over<L: Lanes>(lanes: L, game: &SameGame) -> bool {
        !Board::new(lanes, game).open(true).0.any()
    }

    #[inline(always)]
    pub(super) fn lowest_cells<L: Lanes>(lanes: L, game: &SameGame) -> Bits {
        let mut cells = [0; 4];
        Board::new(lanes, game).open(true).0.groups(lanes, |cell, _| {
            cells[usize::from(cell / 64)] |= 1 << (cell % 64);
        });
        cells
    }

    #[inline(always)]
    pub(super) fn remove_at<L: Lanes>(lanes: L, game: &SameGame, cell: u8) -> (SameGame, Reward) {
        let board = Board::new(lanes, game);
        let group = board.links().flood(lanes.cell(cell));
        board.remove(group).paid_pruned(game, count(&group.bits()))
    }

    #[inline(always)]
    pub(super) fn children<L: Lanes>(
        lanes: L,
        game: &SameGame,
        mut f: impl FnMut(Group, SameGame, Reward),
    ) {
        let board = Board::new(lanes, game);
        board.open(true).0.groups(lanes, |cell, group| {
            let (next, reward) = board.remove(group).paid_pruned(game, count(&group.bits()));
            f(Group(cell), next, reward);
        });
    }

    /// A random group among the links, not of the tabu colour if there is another.
    #[inline(always)]
    fn choose<L: Lanes>(
        board: &Board<L>,
        links: &Links<L::Plane>,
        tabu: u8,
        rng: &mut Rng,
    ) -> Option<(u8, L::Plane)> {
        if tabu != 0 {
            let chosen = links.without(board.of_code(tabu)).draw(board.lanes, rng);
            if chosen.is_some() {
                return chosen;
            }
        }
        links.draw(board.lanes, rng)
    }

    #[inline(always)]
    pub(super) fn draw<L: Lanes>(
        lanes: L,
        game: &SameGame,
        pruned: bool,
        tabu: u8,
        rng: &mut Rng,
    ) -> Option<(Group, SameGame, Reward)> {
        let board = Board::new(lanes, game);
        let (cell, group) = choose(&board, &board.open(pruned).0, tabu, rng)?;
        let size = count(&group.bits());
        let next = board.remove(group);
        let (links, waiting) = next.open(pruned);
        let end = if links.any() { 0 } else { next.finish(game, waiting) };
        Some((Group(cell), next.game(game), game.variant.scoring().group(size) + end))
    }

    #[inline(always)]
    pub(super) fn play<L: Lanes>(
        lanes: L,
        game: &SameGame,
        pruned: bool,
        tabu: u8,
        below: u32,
        line: &mut Vec<Group>,
        rng: &mut Rng,
    ) -> (SameGame, i64) {
        let scoring = game.variant.scoring();
        let mut board = Board::new(lanes, game);
        let mut blocks = count(&board.blocks().bits());
        let before = line.len();
        let mut total = 0;
        loop {
            let (links, waiting) = board.open(pruned);
            let tabu = if blocks > below { tabu } else { 0 };
            let Some((cell, group)) = choose(&board, &links, tabu, rng) else {
                if line.len() > before {
                    total += i64::from(board.finish(game, waiting));
                }
                return (board.game(game), total);
            };
            let size = count(&group.bits());
            blocks -= size;
            total += i64::from(scoring.group(size));
            line.push(Group(cell));
            board = board.remove(group);
        }
    }
}
