//! Once its memory has grown, a search allocates nothing on the way.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use ludens_core::{Adversarial, Budget, Evals, Evaluator, Game, GameStaticEval, Limits, Rng};
use ludens_games::{ConnectFour, Former, Game2048};
use ludens_testkit::CountingAllocator;

use crate::duel::{AlphaBeta, ProofSearch};
use crate::tree::{
    Backup, PuctConfig, Results, Returns, Rollouts, Root, Selection, StochasticMcts, TreeConfig,
    TreeSearch,
};
use crate::{Expectimax, Minimax};

/// Allocations of the second of two equal searches.
fn of_second(mut search: impl FnMut()) -> u64 {
    search();
    CountingAllocator::count(search)
}

/// Says the same of every position.
struct Constant;

impl<G: Game> Evaluator<G> for Constant {
    fn evaluate(&mut self, batch: &[G], out: &mut Evals) {
        out.clear();
        batch.iter().for_each(|_| out.push(Some(-0.5), &[]));
    }
}

fn tree<G: Game, B: Backup<G>>(config: TreeConfig, root: Root, evaluator: &mut impl Evaluator<G>) {
    let start = G::start(&Default::default(), &mut Rng::new(1));
    let mut search = TreeSearch::<G, B>::new(config);
    let (mut batch, mut evals) = (Vec::new(), Evals::default());
    let allocations = of_second(|| {
        search.forget();
        search.start(&start, 500, root, Rng::new(2));
        while search.gather(8, &mut batch) > 0 {
            evaluator.evaluate(&batch, &mut evals);
            search.apply(&evals, 0);
            batch.clear();
        }
    });
    assert_eq!((allocations, search.simulations()), (0, 500));
}

#[test]
fn tree_searches_allocate_nothing() {
    let mut rollouts = Rollouts { games: 1, rng: Rng::new(3) };
    let uct = TreeConfig::uct(Selection::Ucb1(1.0));
    tree::<ConnectFour, Results>(uct, Root::Plain, &mut rollouts);
    let noise = Root::Noisy(crate::tree::Noise { alpha: 0.5, share: 0.25 });
    let config = PuctConfig::default();
    tree::<ConnectFour, Results>(TreeConfig::puct(config), noise, &mut Constant);
    tree::<Former, Returns>(TreeConfig::puct_of_returns(config), noise, &mut Constant);
}

/// What a search of afterstates allocates does not depend on how long it is: the list of moves.
#[test]
fn searches_with_chance_allocate_their_result() {
    let start = Game2048::start(&Default::default(), &mut Rng::new(1));
    let mut mcts = StochasticMcts::<Game2048, _>::new((), 1000);
    let visited = |mcts: &mut StochasticMcts<Game2048, ()>| {
        drop(std::hint::black_box(mcts.search(&start, &mut Rng::new(2))));
    };
    let long = of_second(|| visited(&mut mcts));
    mcts.simulations = 2;
    assert_eq!((long, of_second(|| visited(&mut mcts))), (1, 1));
    let mut expectimax = Expectimax::<Game2048, _>::new((), 3, 1 << 20);
    let advise = |search: &mut Expectimax<Game2048, ()>| {
        drop(std::hint::black_box(search.advise(&start)));
    };
    let long = of_second(|| advise(&mut expectimax));
    expectimax.ply = 1;
    assert_eq!((long, of_second(|| advise(&mut expectimax))), (1, 1));
}

#[test]
fn searches_of_all_moves_allocate_nothing() {
    let stop = AtomicBool::new(false);
    let limits = Limits::new(Instant::now(), Budget::default(), &stop);
    let start = ConnectFour::default();
    let mut alphabeta = AlphaBeta::new(GameStaticEval, 1 << 20);
    alphabeta.depth = Some(7);
    let search = || assert!(alphabeta.search(&start, &limits, |_, _| {}).depth > 0);
    assert_eq!(of_second(search), 0);
    let few = Limits::new(Instant::now(), Budget::nodes(20_000), &stop);
    let mut proof = ProofSearch::new(GameStaticEval, 1 << 20);
    // The list of moves.
    assert_eq!(of_second(|| drop(proof.moves(&start, &few, |_, _| {}))), 1);
    type Game = Adversarial<Game2048>;
    let start = <Game as ludens_core::Game>::start(&Default::default(), &mut Rng::new(1));
    for pruning in [false, true] {
        let mut minimax = Minimax::<Game, ()>::new((), 4, pruning, 1 << 20);
        assert_eq!(of_second(|| assert!(minimax.search(&start).is_some())), 0);
    }
}
