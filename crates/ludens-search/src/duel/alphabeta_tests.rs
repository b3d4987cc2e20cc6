use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ludens_core::{Agent, Choice, Context, GameStaticEval, Params, Pov, Rng, StaticEval, Variant};
use ludens_games::{ConnectFour, Othello, Sevn, Togyzkumalak};

use super::*;

/// The definition: the value to the player to move, ends counted from `ply`.
fn plain<G: StaticEval + Deterministic>(position: &G, depth: u32, ply: i32) -> i32 {
    if position.is_over() {
        return 0;
    }
    if depth == 0 {
        return GameStaticEval.static_eval(position);
    }
    let mover = position.to_move();
    let value = |action| {
        let (next, reward) = position.apply(action);
        match Abs(reward).pov(mover).0 {
            0 if next.to_move() == mover => plain(&next, depth - 1, ply + 1),
            0 => -plain(&next, depth - 1, ply + 1),
            won => won * (WIN - ply - 1),
        }
    };
    position.actions().map(value).max().expect("the game goes on")
}

fn agrees<G: StaticEval + Deterministic>(params: &str, depth: u32, memories: &[usize]) {
    let variant = G::Variant::read(&mut Params::parse(params).unwrap()).unwrap();
    let stop = AtomicBool::new(false);
    let limits = Limits::new(Instant::now(), Budget::default(), &stop);
    let (mut looked, mut expected_nodes) = (0, 0);
    for seed in 0..6 {
        let mut rng = Rng::new(seed);
        let mut position = G::start(&variant, &mut rng);
        while !position.is_over() {
            for depth in 1..=depth {
                let expected = plain(&position, depth, 0);
                for &memory in memories {
                    let mut search = AlphaBeta::new(GameStaticEval, memory);
                    search.depth = Some(depth);
                    let found = search.search(&position, &limits, |_, _| {});
                    assert_eq!(found.value, expected, "{position:?} depth {depth} {memory}");
                    let (next, reward) = position.apply(found.action);
                    let mover = position.to_move();
                    let of_move = match Abs(reward).pov(mover).0 {
                        0 if next.to_move() == mover => plain(&next, depth - 1, 1),
                        0 => -plain(&next, depth - 1, 1),
                        won => won * (WIN - 1),
                    };
                    assert_eq!(of_move, expected, "the move has the value that is given");
                    looked += search.nodes();
                }
            }
            expected_nodes += 1;
            // A few moves on, so that late positions come as well.
            for _ in 0..4 {
                if let Some((_, next, _)) = position.step(&mut rng) {
                    position = next;
                }
            }
        }
    }
    assert!(looked > 0 && expected_nodes > 5);
}

#[test]
fn values_are_those_of_plain_minimax() {
    agrees::<ConnectFour>("", 5, &[0, 1 << 12, 1 << 20]);
    agrees::<Togyzkumalak>("", 3, &[0, 1 << 20]);
    // Positions that can be reached in different numbers of moves may be known to the
    // table to their end; without it the search is exactly as deep as asked.
    agrees::<Othello>("", 3, &[0]);
    agrees::<Sevn>("base=3", 4, &[0]);
    agrees::<Sevn>("base=5", 2, &[0]);
}

/// The outcome of a position for the player to move, by trying everything.
fn solved<G: Duel + Deterministic>(position: &G) -> i32 {
    let mover = position.to_move();
    let value = |action| {
        let (next, reward) = position.apply(action);
        match (Abs(reward).pov(mover).0, next.is_over()) {
            (0, false) => Pov(solved(&next)).seen_by(next.to_move(), mover).0,
            (reward, _) => reward,
        }
    };
    position.actions().map(value).max().unwrap_or(0)
}

/// With time enough small games are searched to their end, table and all.
#[test]
fn small_games_are_solved() {
    let variant = Sevn::start(&Default::default(), &mut Rng::new(0)).variant();
    assert_eq!(variant.get(), 7);
    let base = ludens_games::sevn::Base::new(3).unwrap();
    let stop = AtomicBool::new(false);
    let limits = Limits::new(Instant::now(), Budget::default(), &stop);
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let mut position = Sevn::start(&base, &mut rng);
        (0..seed % 4).for_each(|_| {
            position = position.step(&mut rng).map_or(position, |(_, next, _)| next);
        });
        if position.is_over() {
            continue;
        }
        let mut search = AlphaBeta::new(GameStaticEval, 1 << 16);
        let result = search.search(&position, &limits, |_, _| {});
        assert!(result.complete);
        assert_eq!(result.value.signum(), solved(&position), "{seed}");
    }
}

#[test]
fn pruning_and_ordering_save_most_of_the_work() {
    fn count(position: &ConnectFour, depth: u32) -> u64 {
        let below = |action| match position.apply(action) {
            (next, 0) if depth > 1 => 1 + count(&next, depth - 1),
            _ => 1,
        };
        position.actions().map(below).sum()
    }
    let start = ConnectFour::start(&Default::default(), &mut Rng::new(0));
    let stop = AtomicBool::new(false);
    let limits = Limits::new(Instant::now(), Budget::default(), &stop);
    let mut search = AlphaBeta::new(GameStaticEval, 1 << 20);
    search.depth = Some(7);
    search.search(&start, &limits, |_, _| {});
    let all = count(&start, 7);
    assert!(search.nodes() * 20 < all, "{} of {all}", search.nodes());
}

#[test]
fn limits_are_kept_to() {
    let start = Othello::default();
    let mut silent = |_: &Choice<_>| {};
    let stopped = AtomicBool::new(true);
    let mut agent = AlphaBeta::new(GameStaticEval, 1 << 16);
    let mut context = Context::for_agent(Budget::default(), Rng::new(1), 1, &stopped, &mut silent);
    assert!(start.is_legal(agent.choose(&start, &mut context).action));
    let go_on = AtomicBool::new(false);
    let mut context = Context::for_agent(Budget::nodes(5000), Rng::new(1), 1, &go_on, &mut silent);
    let choice = agent.choose(&start, &mut context);
    assert!((5000..5200).contains(&choice.nodes), "{}", choice.nodes);
    assert!(choice.depth >= 3 && choice.line[0] == choice.action);
    agent.budget = Budget::time(Duration::from_millis(60));
    let mut depths = Vec::new();
    let mut report = |choice: &Choice<_>| depths.push(choice.depth);
    let mut context = Context::for_agent(Budget::default(), Rng::new(1), 1, &go_on, &mut report);
    let begin = Instant::now();
    agent.choose(&start, &mut context);
    assert!(begin.elapsed() < Duration::from_secs(2));
    assert!(depths.windows(2).all(|pair| pair[1] == pair[0] + 1) && depths[0] == 1);
    // What was learned in one game says nothing in the next.
    agent.reset();
    agent.budget = Budget::nodes(3000);
    let mut again = AlphaBeta::new(GameStaticEval, 1 << 16);
    again.budget = agent.budget;
    let think = |agent: &mut AlphaBeta<Othello, GameStaticEval>| {
        let mut silent = |_: &Choice<_>| {};
        let mut context =
            Context::for_agent(Budget::default(), Rng::new(1), 1, &go_on, &mut silent);
        agent.choose(&start, &mut context)
    };
    assert_eq!(think(&mut agent), think(&mut again));
}
