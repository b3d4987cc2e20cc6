//! Tabu and roulette simulations against the rule said plainly.

use std::collections::HashMap;

use ludens_core::{Candidates, Game, MoveCode, Notation, Rng, Rollout};

use super::{
    Group, Guided, Penalty, Roulette, SameGame, SameGameVariant, Sampling, Scoring, Tabu,
    TabuColour, TabuPairs, VsSameGame,
};

fn colour(position: &SameGame, group: Group) -> u8 {
    position.colour_at(group.column(), group.row()).unwrap()
}

/// The moves allowed when `tabu` is spared: all others, and its pairs if
/// `pairs`; everything if there are none.
fn allowed(position: &SameGame, tabu: u8, pairs: bool) -> Vec<Group> {
    let free = |&group: &Group| {
        colour(position, group) != tabu || pairs && position.group_size(group) == 2
    };
    let others: Vec<Group> = position.actions().filter(free).collect();
    if others.is_empty() { position.actions().collect() } else { others }
}

fn frequent(position: &SameGame) -> u8 {
    let counts = position.colour_counts();
    let most = counts.iter().max().unwrap();
    counts.iter().position(|n| n == most).unwrap() as u8
}

#[test]
fn tabu_simulations_and_candidates_keep_to_the_rule() {
    let mut rng = Rng::new(8);
    let mut list = Vec::new();
    for round in 0..30 {
        let start = SameGame::start(&SameGameVariant::default(), &mut rng);
        let spared = frequent(&start);
        let (mut tabu, pairs, threshold) = match round % 3 {
            0 => (Tabu::frequent(0), false, 0),
            1 => (Tabu::frequent(48), false, 48),
            _ => (Tabu::with_pairs(), true, 0),
        };
        Rollout::start(&mut tabu, &start, &mut rng);
        let mut learned = tabu;
        Candidates::start(&mut learned, &start, 0);
        let (mut here, mut moves) = (start, 0);
        while let Some((group, next, reward)) = tabu.pick(&here, &mut rng) {
            let rule = if here.blocks() <= threshold {
                here.actions().collect()
            } else {
                allowed(&here, spared, pairs && moves >= 10)
            };
            assert!(rule.contains(&group));
            assert_eq!(here.apply(group), (next, reward));
            list.clear();
            learned.list(&here, moves, &mut list);
            assert_eq!(list.iter().map(|c| c.action).collect::<Vec<_>>(), rule);
            assert!(list.iter().all(|c| c.code == MoveCode::code(&here, c.action)));
            assert!(list.iter().all(|c| c.prior == 1.0));
            (here, moves) = (next, moves + 1);
        }
        assert!(here.is_over());
    }
}

#[test]
fn moves_that_are_not_tabu_are_equally_likely() {
    let variant = SameGameVariant::new(3, 6, 3, Scoring::Bubble).unwrap();
    let position = SameGame::parse(&variant, "011020/012022/112200").unwrap();
    let mut rng = Rng::new(9);
    for spared in 0..3 {
        let rule = allowed(&position, spared, false);
        let mut counts: HashMap<Group, u32> = HashMap::new();
        for _ in 0..3000 {
            let mut tabu = Tabu::colour(spared);
            Rollout::start(&mut tabu, &position, &mut rng);
            let (group, ..) = tabu.pick(&position, &mut rng).unwrap();
            *counts.entry(group).or_default() += 1;
        }
        assert_eq!(counts.len(), rule.len());
        let expected = 3000 / rule.len() as u32;
        assert!(counts.values().all(|&n| n.abs_diff(expected) < 250), "{counts:?}");
    }
}

#[test]
fn ways_are_the_colours_close_to_the_most_frequent() {
    let variant = SameGameVariant::new(1, 16, 4, Scoring::Bubble).unwrap();
    // 7, 5, 3 and 1 blocks.
    let position = SameGame::parse(&variant, "0000000111112223").unwrap();
    let mut tabu = Tabu::near_frequent();
    assert_eq!(tabu.ways(&position), 3);
    assert_eq!(Tabu::frequent(0).ways(&position), 1);
    for way in 0..3 {
        Candidates::start(&mut tabu, &position, way);
        let mut list = Vec::new();
        tabu.list(&position, 0, &mut list);
        let colours: Vec<u8> = list.iter().map(|c| colour(&position, c.action)).collect();
        let others: Vec<u8> = (0..3).filter(|&c| u32::from(c) != way).collect();
        assert_eq!(colours, others);
    }
}

#[test]
fn other_ways_to_choose_end_their_games() {
    let mut rng = Rng::new(10);
    let start = SameGame::start(&SameGameVariant::default(), &mut rng);
    let random = Tabu::new(TabuColour::Random, 0, TabuPairs::Never);
    let none = Tabu::new(TabuColour::None, 0, TabuPairs::Never);
    let mut rollouts: [Box<dyn Rollout<SameGame>>; 3] =
        [Box::new(random), Box::new(none), Box::new(Roulette::default())];
    for rollout in &mut rollouts {
        for _ in 0..20 {
            let mut here = start;
            rollout.start(&here, &mut rng);
            while let Some((group, next, reward)) = rollout.pick(&here, &mut rng) {
                assert_eq!(here.apply(group), (next, reward));
                here = next;
            }
            assert!(here.is_over());
        }
    }
}

#[test]
fn the_roulette_prefers_rare_colours() {
    let variant = SameGameVariant::new(2, 8, 3, Scoring::Bubble).unwrap();
    let position = SameGame::parse(&variant, "00000011/00000022").unwrap();
    let mut rng = Rng::new(11);
    let mut counts = [0; 3];
    for _ in 0..1000 {
        let (group, ..) = Roulette::default().pick(&position, &mut rng).unwrap();
        counts[usize::from(colour(&position, group))] += 1;
    }
    assert!(counts[0] < 50 && counts[1] > 400 && counts[2] > 400, "{counts:?}");
}

#[test]
fn guided_simulations_spare_the_colour_and_look_ahead() {
    let mut rng = Rng::new(12);
    for sampling in [Sampling::Uniform, Sampling::Reward] {
        let mut here = SameGame::start(&SameGameVariant::default(), &mut rng);
        let spared = frequent(&here);
        let mut guided = Guided::new(Tabu::colour(spared), sampling, 3);
        guided.start(&here, &mut rng);
        for number in 1.. {
            let Some((group, next, reward)) = guided.pick(&here, &mut rng) else { break };
            let free = allowed(&here, spared, false);
            assert!(free.contains(&group), "{}", here.text());
            assert_eq!((next, reward), here.apply(group));
            if number % 3 == 0 {
                let most = free.iter().map(|&other| here.group_size(other)).max();
                assert_eq!(Some(here.group_size(group)), most);
            }
            here = next;
        }
        assert!(here.is_over());
    }
}

/// Groups that pay more are drawn more often: in proportion to the reward plus one.
#[test]
fn guided_simulations_draw_by_reward() {
    let variant = SameGameVariant::new(1, 9, 2, Scoring::SameGame(Penalty::None)).unwrap();
    let board = SameGame::parse(&variant, "000010000").unwrap();
    let none = Tabu::new(TabuColour::None, 0, TabuPairs::Never);
    let mut guided = Guided::new(none, Sampling::Reward, 0);
    let mut rng = Rng::new(1);
    assert_eq!(board.actions().count(), 2);
    // Both have four blocks: equally likely.
    let first = board.actions().next();
    let mut times = 0;
    for _ in 0..2000 {
        guided.start(&board, &mut rng);
        times += u32::from(guided.pick(&board, &mut rng).map(|(group, ..)| group) == first);
    }
    assert!((900..1100).contains(&times), "{times}");
    let board = SameGame::parse(&variant, "001000000").unwrap();
    // A pair and six: weights 1 and 17.
    let six = board.actions().find(|&group| board.group_size(group) == 6);
    let mut times = 0;
    for _ in 0..1800 {
        guided.start(&board, &mut rng);
        times += u32::from(guided.pick(&board, &mut rng).map(|(group, ..)| group) == six);
    }
    assert!((1650..1750).contains(&times), "{times}");
}

#[test]
fn the_roulette_plays_the_pruned_game() {
    let mut rng = Rng::new(4);
    for _ in 0..10 {
        let start = VsSameGame::new(SameGame::start(&SameGameVariant::default(), &mut rng));
        let mut line = Vec::new();
        let (end, total) = Roulette::default().play(&start, &mut line, &mut rng);
        let (mut here, mut sum) = (start, 0);
        for &group in &line {
            assert!(here.is_legal(group));
            let (next, reward) = here.apply(group);
            (here, sum) = (next, sum + i64::from(reward));
        }
        assert!(end.is_over() && here == end && sum == total);
    }
}
