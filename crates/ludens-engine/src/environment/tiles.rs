//! Sliding games as environments, alone and with a second player in nature's place.

use ludens_core::adversarial::Ply;
use ludens_core::game::find_outcome;
use ludens_core::{Adversarial, CellAdversary, Cells, FixedActions, Game, Spawns, Symmetric};
use ludens_games::threes::Draw;
use ludens_games::tiles::{Size, Spawn};
use ludens_games::{Game2048, Game2584, Threes, threes};

use super::{Environment, fixed};

/// Squares of the grid that holds every board.
const SQUARES: usize = 16;
/// Slides; player two's numbers begin after them.
const SLIDES: usize = 4;
/// Tiles of Threes! from 1 to 6144.
const THREES_TILES: usize = 14;
/// Kinds of hint of Threes!.
const HINTS: usize = 4;

/// A sliding game whose outcomes are numbered.
pub trait Tiles: Spawns + Cells + FixedActions + Symmetric<After: Ord> {
    /// Kinds of tile that can be drawn, hints included.
    const KINDS: usize;
    /// Planes of a board.
    const PLANES: usize;

    /// The board.
    fn size(variant: &Self::Variant) -> Size;
    /// The square of the grid where an outcome puts its tile.
    fn square(chance: Self::Chance) -> usize;
    /// The number of a kind of tile.
    fn kind(tile: Self::Tile) -> usize;
    /// Writes a board: which number each square holds, and what else there is to know.
    fn planes(after: &Self::After, planes: usize, out: &mut [f32]);

    /// The number of an outcome: `cell * KINDS + kind`, cells row by row.
    #[inline]
    fn chance_number(after: &Self::After, chance: Self::Chance) -> usize {
        let size = Self::size(&Self::after_variant(after));
        size.cell(Self::square(chance)) * Self::KINDS + Self::kind(Self::tile_of(after, chance))
    }
}

/// Marks the number on every square.
#[inline]
fn numbers<G: Cells>(after: &G::After, planes: usize, out: &mut [f32]) {
    let mut cells = [0; SQUARES];
    G::write_cells(after, &mut cells);
    for (number, out) in cells.into_iter().zip(out.chunks_exact_mut(planes)) {
        out[usize::from(number)] = 1.0;
    }
}

/// A game of merging tiles, of which the lowest are drawn: one plane per tile and one for empty squares.
macro_rules! merging {
    ($game:ty, $kinds:literal kinds, $planes:literal planes) => {
        impl Tiles for $game {
            const KINDS: usize = $kinds;
            const PLANES: usize = $planes;

            fn size(variant: &Self::Variant) -> Size {
                variant.setup.size
            }

            #[inline]
            fn square(spawn: Spawn) -> usize {
                usize::from(spawn.square)
            }

            #[inline]
            fn kind(index: u8) -> usize {
                usize::from(index) - 1
            }

            #[inline]
            fn planes(after: &Self::After, planes: usize, out: &mut [f32]) {
                numbers::<Self>(after, planes, out);
            }
        }
    };
}

// A 2 or a 4; a 1, a 2 or a 3.
merging!(Game2048, 2 kinds, 18 planes);
merging!(Game2584, 3 kinds, 34 planes);

/// One plane per tile and one for empty squares, one per hint, and the shares of a full bag that
/// are left of the ones, twos and threes.
impl Tiles for Threes {
    const KINDS: usize = THREES_TILES * HINTS;
    const PLANES: usize = 16 + HINTS + 3;

    fn size(variant: &Self::Variant) -> Size {
        variant.size()
    }

    #[inline]
    fn square(spawn: threes::Spawn) -> usize {
        usize::from(spawn.square)
    }

    /// `4 * (tile - 1) + next hint`, both by their place in the series.
    #[inline]
    fn kind(draw: Draw) -> usize {
        (usize::from(draw.tile) - 1) * HINTS + draw.next as usize - threes::Hint::One as usize
    }

    fn planes(after: &Self::After, planes: usize, out: &mut [f32]) {
        const FULL: f32 = 4.0;
        numbers::<Self>(after, planes, out);
        let bag = after.bag().map(|count| (f32::from(count) / FULL).min(1.0));
        for out in out.chunks_exact_mut(planes) {
            out[16 + Self::extra(after)] = 1.0;
            out[16 + HINTS..][..3].copy_from_slice(&bag);
        }
    }
}

/// A sliding game alone.
macro_rules! solo {
    ($game:ty) => {
        impl Environment for $game {
            fixed_numbers!();

            fn shape(_: &Self::Variant) -> [usize; 3] {
                [4, 4, <Self as Tiles>::PLANES]
            }

            #[inline]
            fn observe(&self, out: &mut [f32]) {
                <Self as Tiles>::planes(&self.shown(), <Self as Tiles>::PLANES, out);
            }
        }
    };
}

solo!(Game2048);
solo!(Game2584);
solo!(Threes);

/// The board of either player, and one more plane that is 1 on player two's turn.
impl<G: Tiles> Environment for Adversarial<G> {
    fn action_count(variant: &G::Variant) -> usize {
        SLIDES + G::size(variant).cells() * G::KINDS
    }

    fn number(&self, action: Self::Action) -> usize {
        match (self, action) {
            (Adversarial::One(position), Ply::One(slide)) => position.action_index(slide),
            (Adversarial::Two(after), Ply::Two(chance)) => SLIDES + G::chance_number(after, chance),
            _ => unreachable!("{action:?} belongs to the other player"),
        }
    }

    fn numbered(&self, number: usize) -> Option<Self::Action> {
        match self {
            Adversarial::One(position) => fixed(position, number).map(Ply::One),
            Adversarial::Two(after) => {
                let number = number.checked_sub(SLIDES)?;
                find_outcome::<G>(after, |chance| G::chance_number(after, chance) == number)
                    .map(Ply::Two)
            }
        }
    }

    fn shape(_: &G::Variant) -> [usize; 3] {
        [4, 4, G::PLANES + 1]
    }

    fn observe(&self, out: &mut [f32]) {
        let planes = G::PLANES + 1;
        match self {
            Adversarial::One(position) => G::planes(&position.shown(), planes, out),
            Adversarial::Two(after) => {
                G::planes(after, planes, out);
                out.chunks_exact_mut(planes).for_each(|cell| cell[planes - 1] = 1.0);
            }
        }
    }
}

/// The board of either player, and on player two's turn a plane for the kind of tile to place.
impl<G: Tiles> Environment for CellAdversary<G> {
    fn action_count(variant: &G::Variant) -> usize {
        SLIDES + G::size(variant).cells()
    }

    fn number(&self, action: Self::Action) -> usize {
        match (self, action) {
            (CellAdversary::One(position), Ply::One(slide)) => position.action_index(slide),
            (CellAdversary::Two(after, _), Ply::Two(chance)) => {
                SLIDES + G::size(&G::after_variant(after)).cell(G::square(chance))
            }
            _ => unreachable!("{action:?} belongs to the other player"),
        }
    }

    fn numbered(&self, number: usize) -> Option<Self::Action> {
        match self {
            CellAdversary::One(position) => fixed(position, number).map(Ply::One),
            CellAdversary::Two(after, tile) => {
                let (size, cell) = (G::size(&self.variant()), number.checked_sub(SLIDES)?);
                find_outcome::<G>(after, |chance| {
                    size.cell(G::square(chance)) == cell && G::tile_of(after, chance) == *tile
                })
                .map(Ply::Two)
            }
        }
    }

    fn shape(_: &G::Variant) -> [usize; 3] {
        [4, 4, G::PLANES + G::KINDS]
    }

    fn observe(&self, out: &mut [f32]) {
        let planes = G::PLANES + G::KINDS;
        match self {
            CellAdversary::One(position) => G::planes(&position.shown(), planes, out),
            CellAdversary::Two(after, tile) => {
                G::planes(after, planes, out);
                let plane = G::PLANES + G::kind(*tile);
                out.chunks_exact_mut(planes).for_each(|cell| cell[plane] = 1.0);
            }
        }
    }
}
