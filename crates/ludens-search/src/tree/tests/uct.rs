use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ludens_core::{
    Agent, Branch, Budget, Choice, Context, Deterministic, Duel, Game, GameResult, Notation,
    Player, Rng, Way,
};
use ludens_games::{ConnectFour, Sevn};

use super::*;
use crate::duel::LookAhead;
use crate::tree::agent::{Buffers, Driver};

fn uct<G: Duel + Deterministic>(samples: u64) -> TreeAgent<G, Rollouts> {
    let make = |rng| Rollouts { games: 1, rng };
    TreeAgent::<_, _>::uct(Selection::Ucb1(1.0), Some(samples), Budget::default(), make)
}

/// Boards of base 3 are small enough to be solved; a tree that has tried
/// everything must have proven the same result, with either rule.
#[test]
fn proofs_are_right() {
    let variant = Sevn::parse(&Default::default(), "1/aaa/aab.cba.cbc").unwrap().variant();
    for seed in 0..30 {
        let mut rng = Rng::new(seed);
        let mut position = Sevn::start(&variant, &mut rng);
        for _ in 0..3 {
            if let Some((_, after, _)) = position.step(&mut rng) {
                position = after;
            }
        }
        if position.is_over() {
            continue;
        }
        for rule in [Selection::Ucb1(1.0), Selection::Sqrt(0.5)] {
            let mut tree = TreeSearch::<Sevn, Results>::new(TreeConfig::uct(rule));
            let mut rollouts = Rollouts { games: 1, rng: Rng::new(seed) };
            tree.start(&position, u64::MAX, Root::Plain, Rng::new(seed));
            let driver = Driver::quick(None, usize::MAX);
            driver.grow(&mut tree, &mut rollouts, &mut Buffers::default(), |_| {});
            let outcome = tree.proven().expect("the tree can be tried out");
            assert_eq!(outcome.value(), solved(&position), "{seed}");
            // The chosen move keeps the result.
            let next = position.apply(tree.choice().action).0;
            assert_eq!(solved(&next), outcome.value(), "{seed}");
        }
    }
}

#[test]
fn wins_are_taken_and_threats_stopped() {
    // Three of each in the middle: whoever moves wins at 1 or 5, or must stop it there.
    let win = ConnectFour::parse(&Default::default(), "223344").unwrap();
    for agent in [&mut uct(2000) as &mut dyn Agent<ConnectFour>, &mut LookAhead { steps: 1 }] {
        let choice = think(agent, &win, 3);
        let next = win.apply(choice.action).0;
        assert_eq!(next.outcome(), Some(GameResult::Win(Player::One)));
        assert_eq!(choice.value, Some(1.0));
    }
    // Player two has 2, 3 and 4 at the floor: player one must play 1 or 5, and loses.
    let threat = ConnectFour::parse(&Default::default(), "627374").unwrap();
    let choice = think(&mut LookAhead { steps: 2 }, &threat, 4);
    assert_eq!(choice.value, Some(-1.0), "two open ends cannot both be closed");
    // With one end closed the other must be.
    let threat = ConnectFour::parse(&Default::default(), "12737").unwrap();
    let threat = threat.apply(threat.parse_action("4").unwrap()).0;
    let must = threat.parse_action("5").unwrap();
    assert_eq!(think(&mut LookAhead { steps: 2 }, &threat, 4).action, must);
    assert_eq!(think(&mut uct(3000), &threat, 4).action, must);
}

#[test]
fn the_same_seed_gives_the_same_thoughts() {
    let start = ConnectFour::start(&Default::default(), &mut Rng::new(0));
    assert_eq!(think(&mut uct(500), &start, 5), think(&mut uct(500), &start, 5));
    let choice = think(&mut uct(500), &start, 5);
    assert_eq!(choice.nodes, 500);
    assert_eq!(choice.moves.iter().filter_map(|m| m.visits).sum::<u64>(), 500);
    assert_eq!(choice.line.first(), Some(&choice.action));
}

/// More steps beat fewer, and a tree beats both, in games with sides swapped.
#[test]
fn stronger_agents_win_more_games() {
    let score = |one: &mut dyn Agent<ConnectFour>, two: &mut dyn Agent<ConnectFour>| {
        let mut total = 0;
        for game in 0..20 {
            let mut position = ConnectFour::start(&Default::default(), &mut Rng::new(0));
            let first = if game % 2 == 0 { Player::One } else { Player::Two };
            let mut ply = 0;
            while !position.is_over() {
                let seed = game * 100 + ply;
                let choice = match position.to_move() == first {
                    true => think(one, &position, seed),
                    false => think(two, &position, seed),
                };
                position = position.apply(choice.action).0;
                ply += 1;
            }
            total += position.outcome().unwrap().pov(first).0;
        }
        total
    };
    assert!(score(&mut LookAhead { steps: 2 }, &mut ludens_core::RandomAgent) > 10);
    assert!(score(&mut uct(300), &mut LookAhead { steps: 2 }) > 4);
}

#[test]
fn threads_and_limits_are_kept_to() {
    let start = ConnectFour::start(&Default::default(), &mut Rng::new(0));
    let (stop, mut silent) = (AtomicBool::new(false), |_: &Choice<_>| {});
    let mut two = Context::for_agent(Budget::default(), Rng::new(1), 2, &stop, &mut silent);
    let choice = uct(1001).choose(&start, &mut two);
    assert_eq!(choice.nodes, 1001);
    let mut reports = 0;
    let mut count = |_: &Choice<_>| reports += 1;
    let budget = Budget::time(Duration::from_millis(350));
    let mut timed = Context::for_agent(budget, Rng::new(1), 1, &stop, &mut count);
    let begin = std::time::Instant::now();
    let mut endless =
        TreeAgent::<_, _>::uct(Selection::Ucb1(1.0), None, Budget::default(), |rng| Rollouts {
            games: 1,
            rng,
        });
    let choice = endless.choose(&start, &mut timed);
    assert!(begin.elapsed() < Duration::from_secs(3) && choice.nodes > 0);
    assert!(reports > 0);
    let stopped = AtomicBool::new(true);
    let mut silent = |_: &Choice<_>| {};
    let mut cancelled =
        Context::for_agent(Budget::default(), Rng::new(1), 1, &stopped, &mut silent);
    assert!(start.is_legal(endless.choose(&start, &mut cancelled).action));
}

/// The tree of one search hangs together and says the same as the choice.
#[test]
fn the_tree_can_be_looked_at() {
    fn count<G: Game>(branches: &[Branch<G>], above: u64) -> usize {
        let visits: u64 = branches.iter().map(|b| b.visits).sum();
        assert!(visits <= above && branches.is_sorted_by_key(|b| u64::MAX - b.visits));
        branches.iter().map(|b| 1 + count(&b.children, b.visits)).sum()
    }
    let start = ConnectFour::start(&Default::default(), &mut Rng::new(0));
    let mut agent = uct(2000);
    assert!(agent.tree(10).is_empty());
    let choice = think(&mut agent, &start, 5);
    let whole = agent.tree(usize::MAX);
    assert_eq!(whole.len(), 7);
    assert!(matches!(whole[0].way, Way::Action(action) if action == choice.action));
    assert_eq!(Some(whole[0].visits), choice.moves[0].visits);
    assert!((1000..=2000).contains(&count(&whole, 2000)));
    assert_eq!(count(&agent.tree(50), 2000), 50);
}
