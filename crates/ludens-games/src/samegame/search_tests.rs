//! The pruned game, the over-estimator and the tabu rollouts against plain
//! definitions and brute force.

use std::collections::HashMap;

use ludens_core::{Game, Knowledge, Notation, Position, Rng, Rollout};
use ludens_testkit::best_total;

use super::{
    Group, Penalty, SameGame, SameGameKnowledge, SameGameVariant, Scoring, Tabu, TabuColour,
    TabuPairs, VsSameGame,
};

const SCORINGS: [Scoring; 5] = [
    Scoring::SameGame(Penalty::None),
    Scoring::SameGame(Penalty::All),
    Scoring::SameGame(Penalty::Colour),
    Scoring::Bubble,
    Scoring::Clickomania,
];

fn boards(rows: u8, cols: u8, colours: u8, count: usize) -> impl Iterator<Item = SameGame> {
    let mut rng = Rng::new(31);
    (0..count).map(move |i| {
        let variant = SameGameVariant::new(rows, cols, colours, SCORINGS[i % 5]).unwrap();
        SameGame::start(&variant, &mut rng)
    })
}

/// The definition, cell by cell: one column, nothing above, something below.
fn waits(board: &SameGame, group: Group) -> bool {
    let (column, low) = (group.column(), group.row());
    let size = board.group_size(group) as u8;
    let colour = board.colour_at(column, low);
    let straight = (low..low + size).all(|row| board.colour_at(column, row) == colour);
    let alone = (low..low + size).all(|row| {
        board.colour_at(column + 1, row) != colour
            && (column == 0 || board.colour_at(column - 1, row) != colour)
    });
    let above = board.colour_at(column, low + size).is_some();
    straight && alone && !above && low > 0
}

#[test]
fn pruned_moves_are_those_of_the_definition() {
    let mut rng = Rng::new(32);
    for start in boards(7, 6, 3, 300) {
        let mut here = start;
        loop {
            let pruned = VsSameGame::new(here);
            let open: Vec<Group> = here.actions().filter(|&g| !waits(&here, g)).collect();
            assert_eq!(pruned.actions().collect::<Vec<_>>(), open, "{here:?}");
            assert_eq!(pruned.is_over(), open.is_empty());
            let mut children = Vec::new();
            pruned.children(|group, next, reward| children.push((group, (next, reward))));
            let applied: Vec<_> = open.iter().map(|&g| (g, pruned.apply(g))).collect();
            assert_eq!(children, applied);
            let Some((_, next, _)) = here.step(&mut rng) else { break };
            here = next;
        }
    }
}

#[test]
fn quick_finish_pays_what_the_segments_pay() {
    let mut rng = Rng::new(33);
    for (i, start) in boards(8, 8, 4, 500).enumerate() {
        let pruned = VsSameGame::new(start);
        assert_ne!(pruned.key(), start.key());
        let mut line = Vec::new();
        let tabu =
            [TabuColour::None, TabuColour::Random, TabuColour::Frequent, TabuColour::Bandit][i % 4];
        let mut rollout = Tabu::new(tabu, 10, TabuPairs::Never);
        let (end, total) = rollout.play(&pruned, &mut line, &mut rng);
        assert!(end.is_over());
        let whole = pruned.complete(&mut line);
        assert_eq!(whole, total, "{start:?}");
        let last = line.iter().fold(start, |here, &group| {
            assert!(here.is_legal(group));
            here.apply(group).0
        });
        assert!(last.is_over());
    }
}

#[test]
fn moves_one_by_one_pay_like_whole_simulations() {
    let mut rng = Rng::new(34);
    for start in boards(8, 8, 4, 200) {
        let mut rollout = Tabu::new(TabuColour::Frequent, 0, TabuPairs::Never);
        let pruned = VsSameGame::new(start);
        Rollout::<VsSameGame>::start(&mut rollout, &pruned, &mut rng);
        let (mut here, mut total, mut line) = (pruned, 0, Vec::new());
        while let Some((group, next, reward)) = rollout.pick(&here, &mut rng) {
            let counts = start.colour_counts();
            let most = counts.iter().max().unwrap();
            let tabu = counts.iter().position(|n| n == most).unwrap() as u8;
            let colour = |g: Group| here.board().colour_at(g.column(), g.row()).unwrap();
            if colour(group) == tabu {
                assert!(here.actions().all(|g| colour(g) == tabu), "another move was left");
            }
            line.push(group);
            (here, total) = (next, total + i64::from(reward));
        }
        assert!(here.is_over());
        assert_eq!(pruned.complete(&mut line), total);
    }
}

#[test]
fn tabu_play_of_the_whole_game_replays() {
    let mut rng = Rng::new(35);
    for (i, start) in boards(7, 7, 4, 200).enumerate() {
        let tabu =
            [TabuColour::None, TabuColour::Random, TabuColour::Frequent, TabuColour::Bandit][i % 4];
        let mut rollout = Tabu::new(tabu, 12, TabuPairs::Never);
        for _ in 0..8 {
            let mut line = Vec::new();
            let (end, total) = rollout.play(&start, &mut line, &mut rng);
            let mut sum = 0;
            let last = line.iter().fold(start, |here, &group| {
                let (next, reward) = here.apply(group);
                sum += i64::from(reward);
                next
            });
            assert_eq!((last, sum), (end, total));
            assert!(end.is_over());
            Rollout::<SameGame>::learn(&mut rollout, total);
        }
    }
}

#[test]
fn nothing_is_worth_more_than_the_over_estimate() {
    for start in boards(3, 4, 3, 1000) {
        let bound = SameGameKnowledge.upper_bound(&start).unwrap();
        let most = best_total(&start, &mut HashMap::new());
        assert!(most <= bound, "{most} > {bound}: {start:?}");
        let cleared = |position: &SameGame| position.blocks() == 0;
        if !start.bonus_available() {
            let mut left = vec![start];
            while let Some(here) = left.pop() {
                assert!(!cleared(&here));
                here.children(|_, next, _| left.push(next));
            }
        }
    }
}

#[test]
fn a_colour_can_stand_for_empty_cells() {
    for start in boards(6, 5, 4, 100) {
        let variant = start.variant().with_empty(2).unwrap();
        let less = SameGame::parse(&variant, &start.text()).unwrap();
        assert_eq!(SameGame::parse(&variant, &less.text()).unwrap(), less);
        assert_eq!(less.blocks(), start.blocks() - start.colour_counts()[2]);
        assert_eq!(less.colour_counts()[2], 0);
        // What is left stands on the floor, column by column.
        let gaps = (0..5).any(|c| {
            (1..6).any(|r| less.colour_at(c, r).is_some() && less.colour_at(c, r - 1).is_none())
        });
        assert!(!gaps);
    }
}
