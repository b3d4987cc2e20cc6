//! The tile is drawn, the second player chooses its cell.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::turn::{Turn, by_turn, canonical_after};
use super::{Plies, Ply, first_outcome};
use crate::bits::mix;
use crate::game::listed_step;
use crate::{Game, Position, Reward, Rng, Spawns, Starts, Sym, Symmetric, ZeroSum};

/// The most kinds of tile that may follow one move. The largest known number
/// is that of Threes!: 8 bonus tiles, each with 4 next hints.
const MAX_TILES: usize = 40;

/// A game of placed tiles in which chance draws and shows the kind of tile and
/// a second player chooses the cell. What the placed tile pays is paid by the
/// move that places it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CellAdversary<G: Spawns> {
    /// The first player is to move, or the game is over.
    One(G),
    /// The second player is to place this tile.
    Two(G::After, G::Tile),
}

/// What a move of a [`CellAdversary`] game leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CellAfter<G: Spawns> {
    /// A tile is to be drawn.
    Draw(G::After),
    /// Nothing is left to chance: the tile has been placed, or none is due.
    Resolved(G),
}

impl<G: Spawns> CellAdversary<G> {
    #[inline]
    pub(super) fn turn(&self) -> Turn<'_, G> {
        match self {
            CellAdversary::One(position) => Turn::One(position),
            CellAdversary::Two(after, _) => Turn::Two(after),
        }
    }
}

impl<G: Spawns> Position for CellAdversary<G> {
    #[inline]
    fn key(&self) -> u64 {
        match self {
            CellAdversary::One(position) => position.key(),
            CellAdversary::Two(after, tile) => {
                let mut hasher = Words(after.key());
                tile.hash(&mut hasher);
                mix(hasher.finish())
            }
        }
    }
}

/// Hashes a kind of tile word by word, so that its key is the same on every
/// machine.
struct Words(u64);

impl Hasher for Words {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u8(&mut self, word: u8) {
        self.write_u64(word.into());
    }

    fn write_u16(&mut self, word: u16) {
        self.write_u64(word.into());
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = mix(self.0 ^ word);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

impl<G: Spawns> Position for CellAfter<G> {
    #[inline]
    fn key(&self) -> u64 {
        match self {
            // Mixed once more: an afterstate may have the key of a position.
            CellAfter::Draw(after) => mix(after.key()),
            CellAfter::Resolved(position) => position.key(),
        }
    }
}

/// The kinds of tile that may follow, with their probabilities, in the order
/// the outcomes name them.
pub(super) fn tiles<G: Spawns>(after: &G::After) -> ArrayVec<(G::Tile, f64), MAX_TILES> {
    let mut tiles = ArrayVec::<(G::Tile, f64), MAX_TILES>::new();
    let _ = G::outcomes(after, |chance, p| {
        let tile = G::tile_of(after, chance);
        match tiles.iter_mut().find(|(t, _)| *t == tile) {
            Some((_, sum)) => *sum += p,
            None => tiles.push((tile, p)),
        }
        ControlFlow::Continue(())
    });
    tiles
}

impl<G: Spawns> CellAfter<G> {
    /// What follows the first player's move.
    #[inline]
    fn follow(after: G::After, reward: Reward) -> (Self, Reward) {
        if G::is_chance(&after) {
            (CellAfter::Draw(after), reward)
        } else {
            let (next, bonus) = G::apply_outcome(&after, first_outcome::<G>(&after));
            (CellAfter::Resolved(next), reward + bonus)
        }
    }
}

impl<G: Spawns> Game for CellAdversary<G> {
    type Variant = G::Variant;
    type Action = Ply<G::Action, G::Chance>;
    type Actions = Plies<G>;
    type After = CellAfter<G>;
    /// The tile drawn; `None` where none is due.
    type Chance = Option<G::Tile>;

    const PLAYERS: usize = 2;

    by_turn!(Game);

    #[inline]
    fn actions(&self) -> Plies<G> {
        match self {
            CellAdversary::One(position) => Plies::One(position.actions()),
            CellAdversary::Two(after, tile) => {
                Plies::outcomes(after, |chance| G::tile_of(after, chance) == *tile)
            }
        }
    }

    fn is_legal(&self, action: Self::Action) -> bool {
        self.turn().is_legal(action)
            && match (self, action) {
                (CellAdversary::Two(after, tile), Ply::Two(chance)) => {
                    G::tile_of(after, chance) == *tile
                }
                _ => true,
            }
    }

    #[inline]
    fn apply(&self, action: Self::Action) -> (CellAfter<G>, Reward) {
        match (self, action) {
            (CellAdversary::One(position), Ply::One(action)) => {
                let (after, reward) = position.apply(action);
                CellAfter::follow(after, reward)
            }
            (CellAdversary::Two(after, _), Ply::Two(chance)) => {
                let (next, reward) = G::apply_outcome(after, chance);
                (CellAfter::Resolved(next), reward)
            }
            (_, action) => self.turn().wrong_player(action),
        }
    }

    #[inline]
    fn is_chance(after: &CellAfter<G>) -> bool {
        matches!(after, CellAfter::Draw(_))
    }

    fn outcomes(
        after: &CellAfter<G>,
        mut f: impl FnMut(Option<G::Tile>, f64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match after {
            CellAfter::Draw(after) => {
                tiles::<G>(after).into_iter().try_for_each(|(tile, p)| f(Some(tile), p))
            }
            CellAfter::Resolved(_) => f(None, 1.0),
        }
    }

    #[inline]
    fn apply_outcome(after: &CellAfter<G>, tile: Option<G::Tile>) -> (Self, Reward) {
        match (after, tile) {
            (CellAfter::Draw(after), Some(tile)) => (CellAdversary::Two(*after, tile), 0),
            (CellAfter::Resolved(position), None) => (CellAdversary::One(*position), 0),
            _ => unreachable!("a tile is drawn exactly where one is due: {tile:?} in {after:?}"),
        }
    }

    #[inline]
    fn sample(after: &CellAfter<G>, rng: &mut Rng) -> Option<G::Tile> {
        match after {
            CellAfter::Draw(after) => Some(G::tile_of(after, G::sample(after, rng))),
            CellAfter::Resolved(_) => None,
        }
    }

    #[inline]
    fn step(&self, rng: &mut Rng) -> Option<(Self::Action, CellAfter<G>, Reward)> {
        match self {
            CellAdversary::One(position) => position.step(rng).map(|(action, after, reward)| {
                let (after, reward) = CellAfter::follow(after, reward);
                (Ply::One(action), after, reward)
            }),
            CellAdversary::Two(..) => listed_step(self, rng),
        }
    }
}

impl<G: Spawns> ZeroSum for CellAdversary<G> {}

impl<G: Spawns + Starts> Starts for CellAdversary<G> {
    by_turn!(Starts);
}

impl<G: Spawns + Symmetric> Symmetric for CellAdversary<G>
where
    G::After: Ord,
{
    by_turn!(Symmetric);

    fn map(&self, sym: Sym) -> Self {
        match self {
            CellAdversary::One(position) => CellAdversary::One(position.map(sym)),
            CellAdversary::Two(after, tile) => CellAdversary::Two(G::map_after(after, sym), *tile),
        }
    }

    fn map_after(after: &CellAfter<G>, sym: Sym) -> CellAfter<G> {
        match after {
            CellAfter::Draw(after) => CellAfter::Draw(G::map_after(after, sym)),
            CellAfter::Resolved(position) => CellAfter::Resolved(position.map(sym)),
        }
    }

    fn map_chance(_: &CellAfter<G>, tile: Option<G::Tile>, _: Sym) -> Option<G::Tile> {
        tile
    }

    fn canonical(&self) -> Self {
        match self {
            CellAdversary::One(position) => CellAdversary::One(position.canonical()),
            CellAdversary::Two(after, tile) => {
                CellAdversary::Two(canonical_after::<G>(after), *tile)
            }
        }
    }
}
