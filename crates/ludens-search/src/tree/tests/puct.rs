use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ludens_core::{
    Abs, Agent, Budget, Choice, Context, Deterministic, Duel, Evals, Evaluator, Game, GameResult,
    Notation, Player, Rng,
};
use ludens_games::sevn::Base;
use ludens_games::{ConnectFour, Othello, Sevn};

use super::*;

/// Knows nothing: all moves alike, everything even.
struct Blank;

impl<G: Game> Evaluator<G> for Blank {
    fn evaluate(&mut self, batch: &[G], out: &mut Evals) {
        out.clear();
        for position in batch {
            let count = position.actions().len();
            out.push(Some(0.0), &vec![1.0 / count as f32; count]);
        }
    }
}

fn agent<G: Duel + Deterministic>(simulations: u64, batch: usize) -> TreeAgent<G, Blank> {
    let mut agent = TreeAgent::<_, _>::puct(PuctConfig::default(), Blank);
    (agent.simulations, agent.batch) = (Some(simulations), batch);
    agent
}

/// A position some moves before the end of a random game of at least `least` moves.
fn late<G: Game>(variant: &G::Variant, seed: u64, before: usize, least: usize) -> Option<G> {
    let mut rng = Rng::new(seed);
    let mut positions = vec![G::start(variant, &mut rng)];
    while let Some((_, after, _)) = positions.last().unwrap().step(&mut rng) {
        positions.push(G::apply_outcome(&after, G::sample(&after, &mut rng)).0);
    }
    let index = positions.len().checked_sub(before + 1)?;
    (positions.len() > least).then(|| positions[index])
}

/// A search without limits proves the exact result, in batches of any size and with any root.
fn proofs_are_exact<G: Duel + Deterministic + Notation>(positions: impl Iterator<Item = G>) {
    let mut count = 0;
    for (seed, position) in positions.enumerate() {
        let expected = solved(&position);
        for (batch, root) in [
            (1, Root::Plain),
            (7, Root::Noisy(Noise { alpha: 0.5, share: 0.25 })),
            (3, Root::Gumbel(Gumbel::default())),
        ] {
            let mut agent = agent::<G>(400_000, batch);
            agent.root = root;
            let choice = think(&mut agent, &position, seed as u64);
            let text = position.text();
            assert_eq!(
                agent.tree.proven().map(GameResult::value),
                Some(expected),
                "{text} {batch}"
            );
            let next = position.apply(choice.action).0;
            assert_eq!(solved(&next), expected, "{text}");
            let expected = Abs(expected).pov(position.to_move()).0;
            assert_eq!(choice.value, Some(f64::from(expected)), "{text}");
        }
        count += 1;
    }
    assert!(count >= 10, "{count}");
}

#[test]
fn proofs_are_exact_in_sevn() {
    let base = Base::new(3).unwrap();
    proofs_are_exact((0..15).filter_map(|seed| late::<Sevn>(&base, seed, 4, 0)));
}

#[test]
fn proofs_are_exact_in_connect_four_and_othello() {
    // Long games: what is left can be tried out.
    let connect_four = |seed| late::<ConnectFour>(&Default::default(), seed, 6, 38);
    proofs_are_exact((0..1000).filter_map(connect_four).take(20));
    let othello = |seed| late::<Othello>(&Default::default(), seed, 6, 59);
    proofs_are_exact((0..200).filter_map(othello).take(20));
}

#[test]
fn wins_are_seen_by_the_first_simulation() {
    let win = ConnectFour::parse(&Default::default(), "223344").unwrap();
    let choice = think(&mut agent(1, 1), &win, 1);
    assert_eq!(win.apply(choice.action).0.outcome(), Some(GameResult::Win(Player::One)));
    assert_eq!((choice.value, choice.nodes), (Some(1.0), 1));
    let threat = ConnectFour::parse(&Default::default(), "127374").unwrap();
    let must = threat.parse_action("5").unwrap();
    assert_eq!(think(&mut agent(50, 1), &threat, 1).action, must);
}

#[test]
fn the_same_seed_gives_the_same_thoughts() {
    let start = ConnectFour::default();
    for batch in [1, 8] {
        let once = think(&mut agent(300, batch), &start, 3);
        assert_eq!(once, think(&mut agent(300, batch), &start, 3));
        assert_eq!(once.nodes, 300);
        // All simulations but the first, which evaluates the root, go through a move.
        assert_eq!(once.moves.iter().filter_map(|m| m.visits).sum::<u64>(), 299);
        assert_eq!(once.line.first(), Some(&once.action));
    }
}

/// Virtual losses leave no trace: sums lie between what evaluations allow.
#[test]
fn loans_are_paid_back() {
    let start = ConnectFour::default();
    let mut agent = agent(500, 16);
    think(&mut agent, &start, 3);
    for edge in &agent.tree.tree.edges {
        assert!(edge.sum.0.abs() <= f64::from(edge.visits) + 1e-3, "{edge:?}");
    }
    for (number, node) in agent.tree.tree.nodes.iter().enumerate() {
        let below: u32 = agent.tree.tree.edges_of(number as u32).iter().map(|e| e.visits).sum();
        assert_eq!(below + 1, node.visits);
    }
}

#[test]
fn trees_are_kept_from_move_to_move() {
    let start = ConnectFour::default();
    let mut kept = agent::<ConnectFour>(400, 1);
    let choice = think(&mut kept, &start, 3);
    let (one, two) = (choice.line[0], choice.line[1]);
    let after = start.apply(one).0;
    let next = after.apply(two).0;
    let visits = choice.moves[0].visits.unwrap();
    kept.observe(&start, one, &after);
    let of_root: u64 = kept.tree.tree.edges_of(0).iter().map(|e| u64::from(e.visits)).sum();
    assert_eq!(of_root + 1, visits);
    kept.observe(&after, two, &next);
    let before = kept.tree.size();
    assert!(before > 1);
    let choice = think(&mut kept, &next, 4);
    let total: u64 = choice.moves.iter().filter_map(|m| m.visits).sum();
    assert!(total > 399, "{total}");
    // A position of another game is none of its business.
    let other = ConnectFour::parse(&Default::default(), "777").unwrap();
    assert_eq!(think(&mut kept, &other, 4), think(&mut agent(400, 1), &other, 4));
}

#[test]
fn policies_are_chances() {
    let mut scratch = Vec::new();
    for (seed, root) in
        [(1, Root::Plain), (2, Root::Gumbel(Gumbel { considered: 4, ..Gumbel::default() }))]
    {
        for position in
            (0..20).filter_map(|seed| late::<ConnectFour>(&Default::default(), seed, 5, 0))
        {
            let mut agent = agent::<ConnectFour>(24, 1);
            agent.root = root;
            think(&mut agent, &position, seed);
            agent.tree.policy(&mut scratch);
            assert_eq!(scratch.len(), position.actions().len());
            assert!((scratch.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{scratch:?}");
            assert!(scratch.iter().all(|chance| *chance >= 0.0));
            let drawn = agent.tree.draw(1.0, &mut Rng::new(seed), &mut scratch);
            assert!(position.is_legal(drawn));
        }
    }
}

/// With random games as its evaluator the search finds what a deeper look finds.
#[test]
fn rollouts_serve_as_an_evaluator() {
    let threat = ConnectFour::parse(&Default::default(), "43443555").unwrap();
    let rollouts = Rollouts { games: 4, rng: Rng::new(1) };
    let mut agent = TreeAgent::<_, _>::puct(PuctConfig::default(), rollouts);
    agent.simulations = Some(2000);
    let choice = think(&mut agent, &threat, 1);
    assert_eq!(choice.moves.len(), 7);
    assert!(choice.depth > 2);
}

#[test]
fn limits_and_cancellation_are_kept_to() {
    let start = Othello::default();
    let stop = AtomicBool::new(false);
    let mut reports = 0;
    let mut count = |_: &Choice<_>| reports += 1;
    let budget = Budget::time(Duration::from_millis(300));
    let mut timed = Context::for_agent(budget, Rng::new(1), 1, &stop, &mut count);
    let mut endless = TreeAgent::<Othello, _>::puct(PuctConfig::default(), Blank);
    let begin = Instant::now();
    let choice = endless.choose(&start, &mut timed);
    assert!(begin.elapsed() < Duration::from_secs(3) && choice.nodes > 1);
    assert!(reports > 0);
    endless.root = Root::Gumbel(Gumbel::default());
    let mut silent = |_: &Choice<_>| {};
    let budget = Budget::time(Duration::from_millis(50));
    let mut unplanned = Context::for_agent(budget, Rng::new(1), 1, &stop, &mut silent);
    assert!(endless.choose(&start, &mut unplanned).nodes > 1);
    endless.root = Root::Plain;
    let mut silent = |_: &Choice<_>| {};
    let mut few = Context::for_agent(Budget::nodes(10), Rng::new(1), 1, &stop, &mut silent);
    endless.reset();
    assert_eq!(endless.choose(&start, &mut few).nodes, 10);
    let stopped = AtomicBool::new(true);
    let mut silent = |_: &Choice<_>| {};
    let mut cancelled =
        Context::for_agent(Budget::default(), Rng::new(1), 1, &stopped, &mut silent);
    endless.reset();
    assert!(start.is_legal(endless.choose(&start, &mut cancelled).action));
}

#[test]
fn the_evaluator_alone_plays_its_likeliest_move() {
    struct Last;
    impl Evaluator<ConnectFour> for Last {
        fn evaluate(&mut self, batch: &[ConnectFour], out: &mut Evals) {
            out.clear();
            for position in batch {
                let mut priors = vec![0.0; position.actions().len()];
                *priors.last_mut().unwrap() = 1.0;
                out.push(Some(0.25), &priors);
            }
        }
    }
    let position = ConnectFour::parse(&Default::default(), "1").unwrap();
    let choice = think(&mut PriorAgent::new(Last), &position, 1);
    assert_eq!(position.action_text(choice.action), "7");
    assert_eq!(choice.value, Some(-0.25));
}

/// Branches say what the rule makes of them: shares of the visits, the network's value of each
/// position, and c P sqrt(N - 1) / (1 + n) above the mean.
#[test]
fn branches_have_scores_evaluations_and_shares() {
    let start = ConnectFour::start(&Default::default(), &mut Rng::new(0));
    let mut agent = agent::<ConnectFour>(300, 1);
    think(&mut agent, &start, 5);
    let branches = agent.tree(usize::MAX);
    let shares: f32 = branches.iter().filter_map(|branch| branch.share).sum();
    assert!((shares - 1.0).abs() < 1e-5, "{shares}");
    let c = PuctConfig::default().c;
    let visits: u64 = branches.iter().map(|branch| branch.visits).sum();
    for branch in &branches {
        assert_eq!(branch.evaluation, Some(0.0));
        let bonus =
            c * (visits as f32).sqrt() * branch.prior.unwrap() / (1.0 + branch.visits as f32);
        let score = branch.score.unwrap();
        assert!((score - branch.value as f32 - bonus).abs() < 1e-4, "{score} {}", branch.value);
    }
}
