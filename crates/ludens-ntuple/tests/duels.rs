//! Games for two learn with the same networks: what random play comes to, by temporal
//! differences, and then a player that looks one move ahead beats random play.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use ludens_core::{Cells, Player, Rng};
use ludens_games::{ConnectFour, Othello};
use ludens_ntuple::{Network, Probe, Spec};

/// Plays random games and moves the value of every position, as its player to move sees
/// it, towards what followed.
fn learn<G: Cells<After = G>>(network: &Network, variant: &G::Variant, games: u64) {
    let mut probe = Probe::default();
    for game in 0..games {
        let mut rng = Rng::stream(2, game);
        let mut position = G::start(variant, &mut rng);
        let mut path = vec![position];
        let mut result = 0;
        while let Some((_, next, reward)) = position.step(&mut rng) {
            result += reward.signum();
            position = next;
            path.push(position);
        }
        let mut target = result as f32;
        for position in path.iter().rev() {
            let sign = position.to_move().sign() as f32;
            network.probe::<G>(position, &mut probe);
            let error = sign * target - network.value(&probe);
            target = sign * network.add(&probe, 0.05 * error / network.lookups() as f32);
        }
    }
}

/// Games of the network, first and second in turns, against random play: how many it
/// wins less those it loses, per game.
fn against_random<G: Cells<After = G>>(network: &Network, variant: &G::Variant) -> f64 {
    let mut probe = Probe::default();
    let games = 200;
    let mut sum = 0;
    for game in 0..games {
        let mut rng = Rng::stream(3, game);
        let mut position = G::start(variant, &mut rng);
        let learned = if game % 2 == 0 { Player::One } else { Player::Two };
        let mut result = 0;
        loop {
            let mut best: Option<(f32, G, i32)> = None;
            if position.to_move() == learned {
                let sign = learned.sign() as f32;
                position.children(|_, after, reward| {
                    network.probe::<G>(&after, &mut probe);
                    let later = after.to_move().sign() as f32 * network.value(&probe);
                    let value = sign * (10.0 * reward.signum() as f32 + later);
                    let most = best.as_ref().map_or(f32::MIN, |best| best.0);
                    if value > most {
                        best = Some((value, after, reward));
                    }
                });
            } else {
                best = position.step(&mut rng).map(|(_, after, reward)| (0.0, after, reward));
            }
            let Some((_, after, reward)) = best else { break };
            result += reward.signum();
            position = after;
        }
        sum += result.signum() * learned.sign();
    }
    f64::from(sum) / games as f64
}

fn learns<G: Cells<After = G>>(layout: &str, games: u64, wanted: f64)
where
    G::Variant: Default,
{
    let variant = G::Variant::default();
    let network = Network::new::<G>(&variant, &Spec::new(layout)).unwrap();
    let before = against_random::<G>(&network, &variant);
    learn::<G>(&network, &variant, games);
    let after = against_random::<G>(&network, &variant);
    assert!(after > wanted && after > before + 0.2, "{layout}: {before} {after}");
}

#[test]
fn connect_four_learns() {
    // All lines of four, and the lowest two rows in pieces.
    let mut tuples = Vec::new();
    for column in 0..7i32 {
        for row in 0..6i32 {
            for (dc, dr) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let cells = (0..4).map(|i| (column + i * dc, row + i * dr));
                if cells.clone().all(|(c, r)| c < 7 && (0..6).contains(&r)) {
                    let cells: Vec<String> = cells.map(|(c, r)| (c * 7 + r).to_string()).collect();
                    tuples.push(cells.join("."));
                }
            }
        }
    }
    learns::<ConnectFour>(&tuples.join(" "), 4000, 0.8);
}

#[test]
fn othello_learns() {
    let rows = "0.1.2.3.4.5.6.7 8.9.10.11.12.13.14.15 16.17.18.19.20.21.22.23 \
                24.25.26.27.28.29.30.31 0.1.2.3.8.9.10.11 0.9.18.27.36.45.54.63";
    learns::<Othello>(rows, 4000, 0.7);
}
