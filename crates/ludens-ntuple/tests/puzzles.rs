//! Former learns with the same networks as the sliding games: the moves that random play and
//! then greedy play still need, by temporal differences.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use ludens_core::{Game, Rng};
use ludens_games::former::{Former, FormerVariant};
use ludens_ntuple::{Network, Probe, Spec};

/// Every square of four cells on a board of five rows, as a tuple of cells; reflections
/// share tables.
fn squares(columns: u8) -> String {
    let mut tuples = Vec::new();
    for column in 0..columns.div_ceil(2) {
        for row in 0..4 {
            let cell = column * 5 + row;
            tuples.push(format!("{}.{}.{}.{}", cell, cell + 1, cell + 5, cell + 6));
        }
    }
    tuples.join(" ")
}

/// The best move by the network, with what it leads to.
fn best(network: &Network, board: &Former, probe: &mut Probe) -> Option<(f32, Former)> {
    let mut best: Option<(f32, Former)> = None;
    board.children(|_, next, reward| {
        network.probe::<Former>(&next, probe);
        let value = reward as f32 + if next.is_over() { 0.0 } else { network.value(probe) };
        if best.is_none_or(|(most, _)| value > most) {
            best = Some((value, next));
        }
    });
    best
}

/// Moves until the board is empty.
fn moves(start: Former, mut choose: impl FnMut(&Former) -> Option<Former>) -> u32 {
    let (mut board, mut count) = (start, 0);
    while let Some(next) = choose(&board) {
        (board, count) = (next, count + 1);
    }
    count
}

#[test]
fn former_is_learned() {
    let variant = FormerVariant::new(5, 5, 3).unwrap();
    let network = Network::new::<Former>(&variant, &Spec::new(&squares(5))).unwrap();
    let mut probe = Probe::default();
    for game in 0..3000 {
        let mut board = Former::start(&variant, &mut Rng::stream(1, game));
        let mut path = Vec::new();
        while let Some((_, next)) = best(&network, &board, &mut probe) {
            path.push(next);
            board = next;
        }
        // The board after the last move is empty and has the value 0.
        path.pop();
        let mut target = -1.0;
        for board in path.iter().rev() {
            network.probe::<Former>(board, &mut probe);
            let error = target - network.value(&probe);
            target = network.add(&probe, 0.1 * error / network.lookups() as f32) - 1.0;
        }
    }
    let (mut learned, mut random) = (0, 0);
    for game in 0..200 {
        let mut rng = Rng::stream(2, game);
        let start = Former::start(&variant, &mut rng);
        learned += moves(start, |board| best(&network, board, &mut probe).map(|(_, next)| next));
        random += moves(start, |board| board.step(&mut rng).map(|(_, next, _)| next));
    }
    assert!(f64::from(learned) < 0.8 * f64::from(random), "{learned} {random}");
}
