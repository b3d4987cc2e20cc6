//! What Urheim (2025) has of its networks: tables 6.3 to 6.7.

use super::trained::{Kind, Net};

/// What was published of one network.
#[derive(Clone, Copy, Debug)]
pub(super) struct Published {
    pub(super) net: Net,
    /// Mean moves, deviation and milliseconds of greedy play on the random boards.
    pub(super) random: [Option<f64>; 3],
    /// Daily boards by moves above the best known: 0, 1, .. 4, and 5 or more.
    pub(super) daily: [f64; 6],
    /// Mean moves and deviation of its search after 10 s (table 6.8).
    pub(super) search: [Option<f64>; 2],
    /// Table 6.3: top 1 in per cent of a policy, mean squared error of a value; and the rate, batch and
    /// weight decay that it was found with.
    pub(super) tuned: Option<(f64, [f64; 3])>,
}

const fn of(
    kind: Kind,
    shape: [usize; 2],
    random: [Option<f64>; 3],
    daily: [f64; 6],
    search: [Option<f64>; 2],
    tuned: Option<(f64, [f64; 3])>,
) -> Published {
    Published { net: Net { kind, shape }, random, daily, search, tuned }
}

const fn all<const N: usize>(numbers: [f64; N]) -> [Option<f64>; N] {
    let mut some = [None; N];
    let mut i = 0;
    while i < N {
        some[i] = Some(numbers[i]);
        i += 1;
    }
    some
}

/// The networks that imitate, by size: tables 6.3, 6.4, 6.5 and 6.8. Of the larger values in table 6.4, and of
/// the last value in table 6.8, our copy has no numbers.
pub(super) const IMITATED: [Published; 8] = [
    of(
        Kind::Policy,
        [32, 5],
        all([16.25, 1.83, 6.2]),
        [5.0, 16.0, 31.0, 27.0, 14.0, 7.0],
        all([14.17, 1.47]),
        Some((52.1, [0.0028, 128.0, 2.5e-6])),
    ),
    of(
        Kind::Value,
        [32, 5],
        all([15.57, 1.87, 101.0]),
        [14.0, 34.0, 28.0, 13.0, 7.0, 4.0],
        all([14.14, 1.56]),
        Some((0.488, [0.00073, 64.0, 5.9e-6])),
    ),
    of(
        Kind::Policy,
        [32, 10],
        all([15.87, 1.73, 9.8]),
        [6.0, 24.0, 36.0, 23.0, 8.0, 3.0],
        all([14.06, 1.42]),
        Some((58.2, [0.0049, 256.0, 1.8e-6])),
    ),
    of(
        Kind::Value,
        [32, 10],
        [None; 3],
        [12.0, 32.0, 29.0, 16.0, 4.0, 7.0],
        all([14.27, 1.62]),
        Some((0.484, [0.0022, 128.0, 2.0e-6])),
    ),
    of(
        Kind::Policy,
        [64, 5],
        all([15.97, 1.77, 8.6]),
        [5.0, 21.0, 32.0, 25.0, 13.0, 4.0],
        all([14.09, 1.44]),
        Some((55.5, [0.0045, 128.0, 1.6e-6])),
    ),
    of(
        Kind::Value,
        [64, 5],
        [None; 3],
        [20.0, 45.0, 17.0, 11.0, 7.0, 0.0],
        all([14.10, 1.54]),
        Some((0.441, [0.00045, 64.0, 6.6e-6])),
    ),
    of(
        Kind::Policy,
        [64, 10],
        all([15.73, 1.76, 12.5]),
        [8.0, 30.0, 34.0, 21.0, 6.0, 1.0],
        all([14.03, 1.42]),
        Some((62.1, [0.0031, 128.0, 1.0e-6])),
    ),
    of(
        Kind::Value,
        [64, 10],
        [None; 3],
        [20.0, 43.0, 20.0, 14.0, 1.0, 1.0],
        [None; 2],
        Some((0.430, [0.00049, 32.0, 1.5e-6])),
    ),
];

/// A network of PPO: its actor and its critic.
pub(super) struct ActorCritic {
    pub(super) actor: Published,
    pub(super) critic: Published,
}

/// Tables 6.6 and 6.7, and the actors of table 6.8; of its critics our copy has no numbers.
pub(super) const REINFORCED: [ActorCritic; 2] = [
    ActorCritic {
        actor: of(
            Kind::Ppo,
            [32, 5],
            all([15.95, 1.80, 6.0]),
            [14.0, 22.0, 23.0, 17.0, 10.0, 14.0],
            all([14.17, 1.45]),
            None,
        ),
        critic: of(
            Kind::Ppo,
            [32, 5],
            all([15.26, 1.82, 63.0]),
            [19.0, 31.0, 13.0, 15.0, 11.0, 11.0],
            [None; 2],
            None,
        ),
    },
    ActorCritic {
        actor: of(
            Kind::Ppo,
            [64, 10],
            all([15.76, 1.79, 17.0]),
            [11.0, 26.0, 23.0, 15.0, 16.0, 9.0],
            all([14.25, 1.50]),
            None,
        ),
        critic: of(
            Kind::Ppo,
            [64, 10],
            all([15.11, 1.73, 235.0]),
            [21.0, 27.0, 23.0, 13.0, 7.0, 9.0],
            [None; 2],
            None,
        ),
    },
];
