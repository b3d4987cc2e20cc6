//! Where every ball of a move goes.

use ludens_core::{Game, Movement, MovementKind, Place, Player};

use super::notation::{Board, cell_of};
use super::{PITS, Pit, Togyzkumalak};

/// The pit `steps` after the first one of a player's row, as the balls run.
fn pit_after(player: Player, steps: usize) -> (Player, usize) {
    let pit = steps % (2 * PITS);
    if pit < PITS { (player, pit) } else { (player.opponent(), pit - PITS) }
}

/// The fact that counts a player's store.
fn store(player: Player) -> Place {
    Place::Store(match player {
        Player::One => "store_1",
        Player::Two => "store_2",
    })
}

/// The balls of a move, one after another: each to its pit, on to a store from a tuzdyk, then what is
/// captured from the last pit, then what is collected because the opponent has no balls.
pub(super) fn of(position: &Togyzkumalak, Pit(pit): Pit) -> Vec<Movement> {
    let sow = |from: usize, to: Place, order: usize| Movement {
        from: Place::Cell(from),
        to,
        order: order as u16,
        kind: MovementKind::Sow,
    };
    let Board { mut pits, tuzdyks, side, .. } = Board::of(position);
    let pit = usize::from(pit);
    let origin = cell_of(side, pit);
    let balls = usize::from(std::mem::take(&mut pits[side.index()][pit]));
    // A single ball leaves its pit; of more the first stays there.
    let first = if balls == 1 { pit + 1 } else { pit };
    let mut motion = Vec::new();
    let mut last = origin;
    for ball in 0..balls {
        let (player, pit) = pit_after(side, first + ball);
        last = cell_of(player, pit);
        if last != origin {
            motion.push(sow(origin, Place::Cell(last), ball));
        }
        let owner = player.opponent();
        if usize::from(tuzdyks[owner.index()]) == pit + 1 {
            motion.push(sow(last, store(owner), ball + 1));
        } else {
            pits[player.index()][pit] += 1;
        }
    }
    // What is no longer in its pit went to the store of the player who moved.
    let end = Board::of(&position.apply(Pit(pit as u8)).0);
    for player in [Player::One, Player::Two] {
        for (pit, &held) in pits[player.index()].iter().enumerate() {
            let from = cell_of(player, pit);
            let gone = held - end.pits[player.index()][pit];
            let order = if from == last { balls } else { balls + 1 };
            motion.extend((0..gone).map(|_| sow(from, store(side), order)));
        }
    }
    motion
}
