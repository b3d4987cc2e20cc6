//! The two-player forms of the games with chance.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::HashMap;
use std::ops::ControlFlow;

use ludens_core::{
    Adversarial, CellAdversary, Game, Notation, Params, Player, Position, Rng, Spawns, Starts,
    Symmetric, Variant,
};
use ludens_games::{Game2048, Game2584, Threes};
use ludens_testkit::{CountingAllocator, check_starts, conform};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn variant<V: Variant>(text: &str) -> V {
    let mut params = Params::parse(text).expect("well-formed parameters");
    V::read(&mut params).expect("parameters of the game")
}

/// Both forms of a game keep the contracts of games.
fn both_conform<G: Spawns + Symmetric>(parameters: &str)
where
    G::After: Ord,
{
    let variant = variant::<G::Variant>(parameters);
    conform::<Adversarial<G>>(&variant);
    conform::<CellAdversary<G>>(&variant);
}

#[test]
fn forms_of_2048_conform() {
    for parameters in ["", "board=2x2", "board=2x3", "board=1x4,start=1", "board=3x4"] {
        both_conform::<Game2048>(parameters);
    }
}

#[test]
fn forms_of_2584_conform() {
    for parameters in ["", "board=2x2", "board=3x2,spawn=1,3", "spawn=1,3"] {
        both_conform::<Game2584>(parameters);
    }
}

#[test]
fn forms_of_threes_conform() {
    for parameters in ["", "board=2x3", "bag=3,bonus=off,spawn=side", "bonus=capped"] {
        both_conform::<Threes>(parameters);
    }
}

#[test]
fn starts_are_those_of_the_game() {
    check_starts::<Adversarial<Game2048>>(&variant("board=2x3"));
    check_starts::<CellAdversary<Game2584>>(&variant("board=2x2"));
    check_starts::<Adversarial<Threes>>(&variant("board=2x3"));
}

#[test]
fn play_does_not_allocate() {
    fn check<P: Game>(parameters: &str) {
        let variant = variant(parameters);
        let mut rng = Rng::new(3);
        let mut sum = 0;
        let allocations = CountingAllocator::count(|| {
            let mut position = P::start(&variant, &mut rng);
            while let Some((action, after, _)) = position.step(&mut rng) {
                position.children(|_, after, reward| sum ^= after.key() ^ reward as u64);
                sum ^= u64::from(position.is_legal(action)) ^ position.key();
                position = P::apply_outcome(&after, P::sample(&after, &mut rng)).0;
            }
            sum ^= P::start(&variant, &mut rng).playout(&mut rng).end.key();
        });
        assert_eq!(allocations, 0, "{sum}");
    }
    check::<Adversarial<Game2048>>("");
    check::<CellAdversary<Game2048>>("");
    check::<Adversarial<Game2584>>("");
    check::<CellAdversary<Game2584>>("");
    check::<Adversarial<Threes>>("");
    check::<CellAdversary<Threes>>("");
}

/// The sum of rewards to come with best play of both, each draw by its probability.
fn value<G: Game>(position: &G, known: &mut HashMap<G, f64>) -> f64 {
    if let Some(&value) = known.get(position) {
        return value;
    }
    let mut children = Vec::new();
    position.children(|_, after, reward| children.push((after, reward)));
    let mut best: Option<f64> = None;
    for (after, reward) in children {
        let mut sum = f64::from(reward);
        let mut outcomes = Vec::new();
        let _ = G::outcomes(&after, |chance, p| {
            outcomes.push((G::apply_outcome(&after, chance), p));
            ControlFlow::Continue(())
        });
        for ((next, bonus), p) in outcomes {
            sum += p * (f64::from(bonus) + value(&next, known));
        }
        best = Some(match (best, position.to_move()) {
            (None, _) => sum,
            (Some(best), Player::One) => best.max(sum),
            (Some(best), Player::Two) => best.min(sum),
        });
    }
    let best = best.unwrap_or(0.0);
    known.insert(*position, best);
    best
}

/// 2048 or 2584 on 2x2, written out anew: a board is its four cells by index.
mod plain {
    use std::collections::HashMap;

    pub(super) type Board = [u8; 4];

    #[derive(Clone, Copy)]
    pub(super) struct Rules {
        /// The value of an index.
        pub(super) value: fn(u8) -> f64,
        pub(super) merges: fn(u8, u8) -> bool,
        /// The tiles that come, with their probabilities.
        pub(super) tiles: [(u8, f64); 2],
        /// The adversary chooses the tile too.
        pub(super) chooses_tile: bool,
    }

    /// Cells in pairs for each direction: the first one is where tiles go.
    const SLIDES: [[[usize; 2]; 2]; 4] =
        [[[0, 2], [1, 3]], [[1, 0], [3, 2]], [[2, 0], [3, 1]], [[0, 1], [2, 3]]];

    pub(super) fn player(rules: Rules, board: Board, known: &mut HashMap<Board, f64>) -> f64 {
        if let Some(&value) = known.get(&board) {
            return value;
        }
        let mut best: f64 = 0.0;
        for pairs in SLIDES {
            let mut next = board;
            let mut reward = 0.0;
            for [to, from] in pairs {
                match (board[to], board[from]) {
                    (0, tile) => (next[to], next[from]) = (tile, 0),
                    (a, b) if b != 0 && (rules.merges)(a, b) => {
                        (next[to], next[from]) = (a.max(b) + 1, 0);
                        reward += (rules.value)(a.max(b) + 1);
                    }
                    _ => {}
                }
            }
            if next != board {
                best = best.max(reward + adversary(rules, next, known));
            }
        }
        known.insert(board, best);
        best
    }

    fn adversary(rules: Rules, board: Board, known: &mut HashMap<Board, f64>) -> f64 {
        let mut by_tile = rules.tiles.map(|(tile, p)| {
            let empty = (0..4).filter(|&cell| board[cell] == 0);
            let worst = empty.map(|cell| {
                let mut next = board;
                next[cell] = tile;
                player(rules, next, known)
            });
            (worst.fold(f64::INFINITY, f64::min), p)
        });
        if rules.chooses_tile {
            by_tile.sort_by(|a, b| a.0.total_cmp(&b.0));
            by_tile[0].0
        } else {
            by_tile.iter().map(|(value, p)| value * p).sum()
        }
    }
}

const PLAIN_2048: plain::Rules = plain::Rules {
    value: |index| f64::from(1 << index),
    merges: |a, b| a == b,
    tiles: [(1, 0.9), (2, 0.1)],
    chooses_tile: true,
};

const PLAIN_2584: plain::Rules = plain::Rules {
    value: |index| {
        [0.0, 1.0, 2.0, 3.0, 5.0, 8.0, 13.0, 21.0, 34.0, 55.0, 89.0, 144.0][usize::from(index)]
    },
    merges: |a, b| a.abs_diff(b) == 1 || (a == 1 && b == 1),
    tiles: [(1, 0.9), (2, 0.1)],
    chooses_tile: true,
};

/// The value of every start of the 2x2 game in one form, compared with the
/// plain rules. Gives the smallest and the largest.
fn agrees_with_plain_rules<P: Starts + Notation>(rules: plain::Rules) -> (f64, f64) {
    let (mut known, mut plainly) = (HashMap::new(), HashMap::new());
    let mut range = (f64::INFINITY, f64::NEG_INFINITY);
    P::starts(&variant("board=2x2"), |start, _| {
        let board: Vec<u8> = start
            .text()
            .split([',', '/'])
            .map(|tile| {
                let value: f64 = tile.parse().expect("tiles are numbers");
                (1..12).find(|&index| (rules.value)(index) == value).unwrap_or(0)
            })
            .collect();
        let board = board.try_into().expect("four cells");
        let expected = plain::player(rules, board, &mut plainly);
        let found = value(&start, &mut known);
        assert!((found - expected).abs() < 1e-9, "{}: {found}, {expected}", start.text());
        range = (range.0.min(found), range.1.max(found));
    });
    range
}

#[test]
fn minimax_of_the_smallest_boards() {
    let drawn = |rules| plain::Rules { chooses_tile: false, ..rules };
    assert_eq!(agrees_with_plain_rules::<Adversarial<Game2048>>(PLAIN_2048), (8.0, 12.0));
    assert_eq!(agrees_with_plain_rules::<Adversarial<Game2584>>(PLAIN_2584), (0.0, 10.0));
    let round = |(least, most): (f64, f64)| [least, most].map(|v| (v * 1e6).round() / 1e6);
    let of_2048 = agrees_with_plain_rules::<CellAdversary<Game2048>>(drawn(PLAIN_2048));
    assert_eq!(round(of_2048), [57.184615, 64.456916]);
    let of_2584 = agrees_with_plain_rules::<CellAdversary<Game2584>>(drawn(PLAIN_2584));
    assert_eq!(round(of_2584), [111.400645, 116.065348]);
}

#[test]
fn values_by_hand() {
    fn worst<G: Spawns>(parameters: &str, text: &str) -> f64 {
        let position = Adversarial::<G>::parse(&variant(parameters), text).unwrap();
        value(&position, &mut HashMap::new())
    }
    // Two equal tiles merge once; then the adversary places another kind.
    assert_eq!(worst::<Game2048>("board=1x2", "2,2"), 4.0);
    assert_eq!(worst::<Game2048>("board=1x2", "4,4"), 8.0);
    assert_eq!(worst::<Game2048>("board=1x2", "0,4 *"), 0.0);
    // The adversary fills the board with 2s, which do not merge in 2584.
    assert_eq!(worst::<Game2584>("board=2x2", "2,0/0,2"), 0.0);
    assert_eq!(worst::<Game2584>("board=2x2", "0,0/0,2 *"), 0.0);
    // The bag of three leaves no choice for a while: the hinted 2 makes a 3 with
    // the 1, a 3 is dropped, both make a 6. Each pays 3.
    assert_eq!(worst::<Threes>("board=1x2", "1,0 left 2"), 9.0);
}

/// More power for the adversary never helps the player.
fn values_are_ordered<G: Spawns + Starts>(parameters: &str) -> [f64; 3] {
    let variant = variant::<G::Variant>(parameters);
    let (mut full, mut cells, mut chance) = (HashMap::new(), HashMap::new(), HashMap::new());
    let mut means = [0.0; 3];
    G::starts(&variant, |start, p| {
        let values = [
            value(&Adversarial::One(start), &mut full),
            value(&CellAdversary::One(start), &mut cells),
            value(&start, &mut chance),
        ];
        assert!(values.is_sorted(), "{}: {values:?}", start.text());
        for (mean, value) in means.iter_mut().zip(values) {
            *mean += p * value;
        }
    });
    means.map(|mean| (mean * 1e6).round() / 1e6)
}

#[test]
fn adversaries_lower_the_mean_value_of_the_start() {
    assert_eq!(values_are_ordered::<Game2048>("board=2x2"), [11.24, 63.729639, 66.964149]);
    assert_eq!(values_are_ordered::<Game2584>("board=2x2"), [9.54, 115.691172, 116.741288]);
    assert_eq!(values_are_ordered::<Threes>("board=2x2"), [38.0, 58.259259, 58.259259]);
    // The start tile, a 3 in one game of three, adds 1 to the mean score.
    assert_eq!(values_are_ordered::<Threes>("board=2x3"), [275.0, 422.470665, 454.965665]);
}
