//! Chapter 4: how large the game is for a random board, as powers of ten.

use ludens_arena::Summary;
use ludens_arena::plot::{Histogram, Labels, Sample};
use ludens_core::{Deterministic, Game, Rng};
use ludens_games::SameGame;
use ludens_games::samegame::VsSameGame;

use crate::lab::Lab;
use crate::{Error, Part, Row, Tolerance};

/// Random boards and games on each behind Klein's estimates of the game tree.
const TREES: usize = 8192;
const GAMES: usize = 256;
/// Random boards behind its bound of the state space.
const SPACES: usize = 100_000;

/// Klein's numbers as powers of ten: least, median, average, largest, and
/// the mean and deviation of the powers.
type Published = [f64; 6];
/// 3.6e66, 2.5e84, 5.7e96, 4.6e100.
const PLAIN: Published = [66.556, 84.398, 96.756, 100.663, 84.23, 4.81];
/// 7.6e60, 5.2e80, 7.5e93, 5.7e97.
const PRUNED: Published = [60.881, 80.716, 93.875, 97.756, 80.56, 4.78];
/// 4.11e44, 2.84e52, 5.53e54, 3.98e58.
const SPACE: Published = [44.614, 52.453, 54.743, 58.600, 52.42, 1.53];

pub(super) fn game_tree(lab: &mut Lab<'_>) -> Result<(), Error> {
    let (boards, games) = (lab.pick(TREES, 400, 3), lab.pick(GAMES, 64, 4));
    let parts = [
        Part::sample("random boards", boards, TREES),
        Part::sample("games per board", games, GAMES),
    ];
    let seed = lab.settings.seed;
    let powers = lab.map("game tree of board", boards, |i| {
        let mut rng = Rng::stream(seed, i as u64);
        let board = board(&mut rng);
        [tree(&board, games, &mut rng), tree(&VsSameGame::new(board), games, &mut rng)]
    })?;
    let of = |i: usize| powers.iter().map(|pair| pair[i]).collect::<Vec<f64>>();
    for (title, values, published) in
        [("all moves", of(0), PLAIN), ("with VS-pruning", of(1), PRUNED)]
    {
        lab.section(format!("game-tree complexity, {title}: powers of ten"), &parts);
        rows(lab, &values, published, 0.5);
    }
    let samples = ["all moves", "VS-pruning"]
        .iter()
        .zip([of(0), of(1)])
        .map(|(name, values)| Sample { name: (*name).to_owned(), values })
        .collect();
    let labels = Labels::new("Game-tree complexity of random boards", "power of ten", "boards");
    lab.plot("", Histogram { labels, bin: 1.0, samples }.to_svg());
    Ok(())
}

pub(super) fn state_space(lab: &mut Lab<'_>) -> Result<(), Error> {
    let boards = lab.pick(SPACES, 4000, 3);
    let seed = lab.settings.seed;
    let powers = lab
        .map("state space of board", boards, |i| space(&board(&mut Rng::stream(seed, i as u64))))?;
    let parts = [Part::sample("random boards", boards, SPACES)];
    lab.section("upper bound of the state space: powers of ten", &parts);
    rows(lab, &powers, SPACE, 0.1);
    Ok(())
}

fn board(rng: &mut Rng) -> SameGame {
    SameGame::start(&Default::default(), rng)
}

fn rows(lab: &mut Lab<'_>, powers: &[f64], published: Published, within: f64) {
    let Some(sample) = Summary::of(powers) else { return };
    // The average of the numbers themselves, of which the largest outweigh the rest.
    let sum: f64 = powers.iter().map(|power| 10f64.powf(power - sample.max)).sum();
    let average = sample.max + (sum / powers.len() as f64).log10();
    let [least, median, mean, largest, of_powers, deviation] = published;
    let within = Tolerance::Absolute(within);
    let row = |label, published| Row::new(label, "", 2).published(published);
    // Extremes, and an average that hangs on them, depend on how many boards there are.
    lab.row(row("least", least).ours(sample.min));
    lab.row(row("median", median).ours(sample.median).within(within));
    lab.row(row("average", mean).ours(average));
    lab.row(row("largest", largest).ours(sample.max));
    lab.row(row("mean power", of_powers).mean(Some(&sample)).within(within));
    lab.row(row("deviation of the powers", deviation).ours(sample.sd).within(within));
}

/// The estimate of a game tree: the mean number of moves to the power of the mean
/// length of a random game. As in Klein (2015) ends of games count as positions.
fn tree<G: Game + Deterministic>(start: &G, games: usize, rng: &mut Rng) -> f64 {
    let (mut positions, mut moves, mut length) = (0u64, 0u64, 0u64);
    for _ in 0..games {
        let mut here = *start;
        loop {
            let mut actions = here.actions();
            positions += 1;
            moves += actions.len() as u64;
            if actions.len() == 0 {
                break;
            }
            let chosen = rng.below(actions.len() as u32) as usize;
            let action = actions.nth(chosen).expect("it is among the actions");
            here = here.apply(action).0;
            length += 1;
        }
    }
    let mean = moves as f64 / positions as f64;
    length as f64 / games as f64 * mean.log10()
}

/// The bound of a state space: in every column any of the runs of one colour may
/// be gone, and columns are independent of each other.
fn space(board: &SameGame) -> f64 {
    let variant = board.variant();
    (0..variant.cols())
        .map(|column| {
            let colours = (0..variant.rows()).map_while(|row| board.colour_at(column, row));
            (configurations(&colours.collect::<Vec<u8>>()) as f64).log10()
        })
        .sum()
}

/// How many different columns remain when any of its runs are taken out.
fn configurations(column: &[u8]) -> usize {
    // A column is a number with a digit from 1 to 8 per block; adding blocks keeps
    // numbers of a sorted list in order, so lists need only be merged.
    let mut all: Vec<u64> = vec![0];
    for run in column.chunk_by(|a, b| a == b) {
        let longer =
            all.iter().map(|&rest| run.iter().fold(rest, |n, &c| 9 * n + u64::from(c) + 1));
        all = merged(&all, longer);
    }
    all.len()
}

/// Two ascending lists as one, equal numbers once.
fn merged(first: &[u64], second: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut all = Vec::with_capacity(2 * first.len());
    let mut first = first.iter().copied().peekable();
    for number in second {
        while let Some(smaller) = first.next_if(|&other| other < number) {
            all.push(smaller);
        }
        first.next_if_eq(&number);
        all.push(number);
    }
    all.extend(first);
    all
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use ludens_core::Notation;
    use ludens_games::samegame::{Penalty, SameGameVariant, Scoring};

    use super::*;

    #[test]
    fn configurations_of_a_column() {
        assert_eq!(configurations(&[]), 1);
        assert_eq!(configurations(&[2, 2, 2]), 2);
        // Nothing, a, b, ab, ba, aa, aba: taking out either a leaves the same.
        assert_eq!(configurations(&[0, 1, 0]), 7);
        let mut rng = Rng::new(5);
        for _ in 0..50 {
            let column: Vec<u8> = (0..9).map(|_| rng.below(3) as u8).collect();
            let runs: Vec<&[u8]> = column.chunk_by(|a, b| a == b).collect();
            let kept = |mask: usize| {
                let runs = runs.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1);
                runs.flat_map(|(_, run)| run.iter().copied()).collect::<Vec<u8>>()
            };
            let all: HashSet<Vec<u8>> = (0..1 << runs.len()).map(kept).collect();
            assert_eq!(configurations(&column), all.len(), "{column:?}");
        }
    }

    #[test]
    fn trees_of_small_boards() {
        let scoring = Scoring::SameGame(Penalty::None);
        let variant = SameGameVariant::new(1, 2, 2, scoring).unwrap();
        let board = SameGame::parse(&variant, "00").unwrap();
        // One move, then the end: half a move per position, one move per game.
        assert!((tree(&board, 3, &mut Rng::new(1)) - 0.5f64.log10()).abs() < 1e-12);
    }
}
