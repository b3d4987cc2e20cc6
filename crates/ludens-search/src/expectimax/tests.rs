use std::sync::atomic::AtomicBool;

use ludens_core::{Context, Notation, Rng};
use ludens_games::{Game2048, Threes};

use super::*;

/// A value that depends on the whole board.
struct Odd;

impl<G: Game> AfterValue<G> for Odd {
    fn value(&mut self, after: &G::After) -> f32 {
        (after.key() % 1000) as f32 - 300.0
    }
}

/// Expectimax by its definition, in double precision.
fn plain<G: Solo>(after: &G::After, moves: u32, rectified: bool) -> f64 {
    let (least, step) = if rectified { (0.0, 1.0) } else { (f64::NEG_INFINITY, 0.0) };
    if moves == 0 {
        return f64::from(AfterValue::<G>::value(&mut Odd, after)).max(least);
    }
    let mut mean = 0.0;
    let _ = G::outcomes(after, |chance, p| {
        let (position, bonus) = G::apply_outcome(after, chance);
        let values = position.actions().map(|action| {
            let (after, reward) = position.apply(action);
            f64::from(reward) + step + plain::<G>(&after, moves - 1, rectified)
        });
        mean += p * (f64::from(bonus) + values.reduce(f64::max).unwrap_or(0.0));
        ControlFlow::Continue(())
    });
    mean
}

fn agrees<G: Solo + Notation>(texts: &[&str], plies: u32) {
    for text in texts {
        let position = G::parse(&G::Variant::default(), text).unwrap();
        for ply in 1..=plies {
            for (memory, rectified) in [(0, false), (1 << 10, true), (1 << 20, false)] {
                let mut search = Expectimax::new(Odd, ply, memory);
                search.rectified = rectified;
                let advice = search.advise(&position);
                assert_eq!(advice.moves.len(), position.actions().len());
                for valued in &advice.moves {
                    let (after, reward) = position.apply(valued.action);
                    let step = f64::from(u8::from(rectified));
                    let rest = plain::<G>(&after, ply - 1, rectified);
                    let expected = f64::from(reward) + step + rest;
                    let found = f64::from(valued.value);
                    assert!((found - expected).abs() < 0.01, "{text} {ply}: {found} {expected}");
                }
            }
        }
    }
}

const FULL: &str = "2,4,8,16/4,8,16,2/2,4,8,16/4,8,2,2";

#[test]
fn values_are_those_of_the_definition() {
    agrees::<Game2048>(&[FULL, "2,4,8,16/4,8,16,2/2,4,8,16/0,0,2,2"], 3);
    let start = Threes::start(&Default::default(), &mut Rng::new(4)).text();
    agrees::<Threes>(&[&start], 2);
}

#[test]
fn limits_leave_the_deepest_finished_ply() {
    let position = Game2048::parse(&Default::default(), FULL).unwrap();
    let stop = AtomicBool::new(false);
    let mut silent = |_: &ludens_core::Progress<'_, Game2048>| {};
    let deepen =
        |budget: Budget, sink: &mut (dyn FnMut(&ludens_core::Progress<'_, Game2048>) + Send)| {
            let context = Context::new(budget, 0, 1, 0, &stop, sink);
            Expectimax::new(Odd, 6, 1 << 16).deepen(&position, &context.limits)
        };
    let first = deepen(Budget::nodes(1), &mut silent);
    assert_eq!(first.ply, 1);
    let some = deepen(Budget::nodes(20_000), &mut silent);
    assert!((2..6).contains(&some.ply), "{}", some.ply);
    assert!(some.nodes <= 20_200);
    assert_eq!(some, deepen(Budget::nodes(20_000), &mut silent));
    let exact = Expectimax::new(Odd, some.ply, 1 << 16).advise(&position);
    assert_eq!(exact.moves, some.moves);
}

/// Figure 42 of Guei 2023: where all that follows a move is valued below 0, the end of the
/// game looks better, unless values are rectified.
#[test]
fn rectified_searches_do_not_prefer_the_end() {
    struct Low;
    impl AfterValue<Game2048> for Low {
        fn value(&mut self, _: &<Game2048 as Game>::After) -> f32 {
            -1000.0
        }
    }
    // Down every new tile ends the game; to the right it goes on.
    let position =
        Game2048::parse(&Default::default(), "32,8,256,16/64,2,128,0/128,64,4,256/16,32,2,128");
    let position = position.unwrap();
    let choose = |rectified: bool| {
        let mut search = Expectimax::new(Low, 2, 0);
        search.rectified = rectified;
        search.advise(&position)
    };
    let (plain, rectified) = (choose(false), choose(true));
    let best = |advice: &Advice<_>| position.action_text(advice.best().unwrap().action);
    assert_eq!((best(&plain), best(&rectified)), ("down".to_owned(), "right".to_owned()));
}

#[test]
fn many_positions_at_once_get_their_own_moves() {
    let mut rng = Rng::new(2);
    let mut search = Expectimax::<Game2048, _>::new(Odd, 1, 0);
    let starts: Vec<Game2048> =
        (0..9).map(|_| Game2048::start(&Default::default(), &mut rng)).collect();
    let mut rngs = vec![Rng::new(0); 9];
    let (mut all, stop, mut silent) = (Vec::new(), AtomicBool::new(false), |_: &Choice<_>| {});
    let mut context = Context::for_agent(Budget::default(), Rng::new(0), 1, &stop, &mut silent);
    let mut batch = Batch { positions: &starts, rngs: &mut rngs, actions: &mut all };
    search.choose_all(&mut batch, &mut context);
    let each: Vec<_> =
        starts.iter().map(|start| search.choose(start, &mut context).action).collect();
    assert_eq!(all, each);
}
