//! What the evaluation looks at: numbers of a position in which one colour is
//! spared.
//!
//! Groups come from flood fills; what lies near what is found for all blocks at
//! once by comparing the board with itself moved by a few cells.

use super::SameGame;
#[cfg(target_arch = "x86_64")]
use super::avx2::Avx2;
use super::board::on_best_planes;
use super::plane::Portable;

/// How many features the evaluation has.
pub const FEATURES: usize = 56;

on_best_planes! {
    /// The features of a position when a colour code is spared, and its number
    /// of blocks.
    fn measure(game: &SameGame, spared: u8) -> ([f32; FEATURES], u32);
}

mod generic {
    use crate::samegame::SameGame;
    use crate::samegame::board::generic::Board;
    use crate::samegame::plane::{Lanes, Plane, count};

    use super::FEATURES;

    /// Where two boards have blocks of the same colour.
    #[inline(always)]
    fn same<P: Plane>([a, b, c]: [P; 3], [d, e, f]: [P; 3], blocks: P) -> P {
        blocks.without((a ^ d) | (b ^ e) | (c ^ f))
    }

    #[inline(always)]
    pub(super) fn measure<L: Lanes>(
        lanes: L,
        game: &SameGame,
        spared: u8,
    ) -> ([f32; FEATURES], u32) {
        let board = Board::new(lanes, game);
        let links = board.links();
        let blocks = board.blocks();
        let n = |plane: L::Plane| count(&plane.bits());
        let total = n(blocks);
        let own = board.of_code(spared);

        // Groups of the spared colour and of the others.
        let (mut own_grouped, mut own_squares, mut own_groups, mut own_largest) = (0, 0, 0, 0);
        let corners = links.corners();
        links.groups_among(lanes, corners & own, |_, group| {
            let size = n(group);
            own_grouped += size;
            own_squares += size * size;
            own_groups += 1;
            own_largest = own_largest.max(size);
        });
        let (mut grouped, mut potential, mut squares) = (0, 0, 0);
        let mut sizes = [0u32; 6];
        links.groups_among(lanes, corners.without(own), |_, group| {
            let size = n(group);
            grouped += size;
            potential += (size - 2) * (size - 2);
            squares += size * size;
            let bucket = match size {
                2 => 0,
                3 => 1,
                4 => 2,
                5..=6 => 3,
                7..=9 => 4,
                _ => 5,
            };
            sizes[bucket] += 1;
        });
        let own_n = n(own);
        let own_singles = own_n - own_grouped;
        let singles = total - own_n - grouped;

        // Columns of each colour.
        let (mut gaps, mut lonely, mut colour_squares, mut stuck, mut few, mut colours) =
            (0, 0, 0, 0, 0, 0);
        let mut groupless = 0;
        let paired = links.up | links.right;
        let (mut own_gaps, mut own_lonely, mut own_span) = (0, 0, 0);
        let mut spans = 0;
        for code in 1..=game.variant.colours() {
            let cells = board.of_code(code);
            let count = n(cells);
            if count == 0 {
                continue;
            }
            let any = cells.columns();
            let several = cells.above_lowest().columns();
            let runs = (any & !(any << 2)).count_ones() / 2;
            let alone = (any & !several & !(any << 2) & !(any >> 2)).count_ones() / 2;
            let span = any.count_ones() / 2;
            if code == spared {
                (own_gaps, own_lonely, own_span) = (runs - 1, alone, span);
            } else {
                gaps += runs - 1;
                lonely += alone;
                colour_squares += count * count;
                spans += span;
                few += u32::from(count <= 4);
                groupless += u32::from((cells & paired).is_empty());
            }
            stuck += u32::from(count == 1);
            colours += 1;
        }

        // Blocks of one colour that are near each other but do not touch.
        let planes = board.planes;
        let split = |plane: L::Plane| {
            let all = n(plane);
            let of_own = n(plane & own);
            (of_own as f32, (all - of_own) as f32)
        };
        let down = planes.map(|p| p.down());
        let down2 = down.map(|p| p.down());
        let down3 = down2.map(|p| p.down());
        let left = planes.map(|p| p.left());
        let left_up = left.map(|p| p.up());
        let left_up2 = left_up.map(|p| p.up());
        let left_down = left.map(|p| p.down());
        let left_down2 = left_down.map(|p| p.down());
        let left2 = left.map(|p| p.left());
        let over2 = same(planes, down2, blocks).without(links.up);
        let over3 = same(planes, down3, blocks).without(links.up);
        let diagonal = same(planes, left_up, blocks);
        let diagonal2 = same(planes, left_up2, blocks);
        let anti = same(planes, left_down, blocks);
        let anti2 = same(planes, left_down2, blocks);
        let across = same(planes, left2, blocks).without(links.right);
        let linked = links.up | links.down | links.left | links.right;
        let single = blocks.without(linked);
        let near = over2
            | over2.up().up()
            | over3
            | over3.up().up().up()
            | diagonal
            | diagonal.right().down()
            | diagonal2
            | diagonal2.right().down().down()
            | anti
            | anti.right().up()
            | anti2
            | anti2.right().up().up()
            | across
            | across.right().right();
        let (own_friendless, friendless) = split(single.without(near));
        let (own_up, up) = split(links.up);
        let (own_right, right) = split(links.right);
        let (own_over2, over2) = split(over2);
        let (own_over3, over3) = split(over3);
        let (own_d, d) = split(diagonal);
        let (own_a, a) = split(anti);
        let (own_d2, d2) = split(diagonal2);
        let (own_a2, a2) = split(anti2);
        let (own_across, across) = split(across);

        // The shape of the board.
        let columns = blocks.columns().count_ones() / 2;
        let bump = n(blocks ^ blocks.left());
        let floor = blocks.without(blocks.down().up());
        let low_singles = n(single.without(own) & floor);
        let own_low = n(own & floor);
        // Others under the spared colour.
        let buried = n(own & blocks.without(own).up());
        let capped = n(own.up() & blocks.without(own));

        let other_single = single.without(own);
        let edge = blocks.without(blocks.left().right()) | blocks.without(blocks.right().left());
        let edge_singles = n(other_single & edge);
        let under = n(other_single & own.down());
        let over = n(other_single & own.up());
        let top = blocks.without(blocks.down());
        let (own_top_singles, top_singles) = split(single & top);

        let f = |x: u32| x as f32;
        let features = [
            1.0,
            f(own_n * own_n) / 10.0,
            f(own_largest * own_largest) / 10.0,
            f(own_squares) / 10.0,
            f(own_groups),
            f(own_singles),
            f(own_gaps),
            f(own_lonely),
            f(own_span),
            f(potential) / 10.0,
            f(squares) / 10.0,
            f(colour_squares) / 100.0,
            f(sizes[0]),
            f(sizes[1]),
            f(sizes[2]),
            f(sizes[3]),
            f(sizes[4]),
            f(sizes[5]),
            f(singles),
            f(gaps),
            f(lonely),
            f(spans),
            f(stuck),
            f(few),
            f(colours),
            own_up,
            up,
            own_right,
            right,
            own_over2,
            over2,
            own_over3,
            over3,
            own_d + own_a,
            d + a,
            own_d2 + own_a2,
            d2 + a2,
            own_across,
            across,
            f(columns),
            f(bump),
            f(low_singles),
            f(own_low),
            f(buried),
            f(capped),
            f(own_n),
            f(u32::from(stuck > 0)),
            f(total) / 10.0,
            own_friendless,
            friendless,
            f(edge_singles),
            f(under),
            f(over),
            f(groupless),
            own_top_singles,
            top_singles,
        ];
        (features, total)
    }
}
