use ludens_core::Rng;

use super::super::tally::{Score, share_of_elo};
use super::*;

fn duel(one: usize, two: usize, wins: u64, losses: u64) -> Duels {
    let mut tally = Tally::default();
    let (mut wins, mut losses) = (wins, losses);
    while wins + losses > 0 {
        let mut game = || {
            if wins >= losses {
                wins -= 1;
                Score::Win
            } else {
                losses -= 1;
                Score::Loss
            }
        };
        let pair = [game(), game()];
        tally.enter(&pair);
    }
    Duels { one, two, tally }
}

fn value(rating: Rating) -> f64 {
    match rating {
        Rating::Rated(elo) => elo.value.unwrap(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn two_agents_have_the_closed_form() {
    let found = ratings(2, &[duel(0, 1, 60, 40)], (1, 1000.0));
    let expected = duel(0, 1, 60, 40).tally.elo().unwrap();
    assert!((value(found[0]) - 1000.0 - expected.value.unwrap()).abs() < 1e-6);
    assert_eq!(
        found[1],
        Rating::Rated(Elo { value: Some(1000.0), low: Some(1000.0), high: Some(1000.0) })
    );
}

/// At the maximum every agent has scored what its rating expects of it.
#[test]
fn the_maximum_explains_every_score() {
    let duels = [
        duel(0, 1, 30, 10),
        duel(1, 2, 25, 15),
        duel(2, 3, 35, 5),
        duel(3, 0, 2, 38),
        duel(0, 2, 36, 4),
    ];
    let found: Vec<f64> = ratings(4, &duels, (3, 500.0)).into_iter().map(value).collect();
    for agent in 0..4 {
        let (mut scored, mut expected) = (0.0, 0.0);
        for duel in &duels {
            let games = duel.tally.games() as f64;
            let points = duel.tally.share().unwrap() * games;
            let share = share_of_elo(found[duel.one] - found[duel.two]);
            if duel.one == agent {
                scored += points;
                expected += games * share;
            } else if duel.two == agent {
                scored += games - points;
                expected += games * (1.0 - share);
            }
        }
        assert!((scored - expected).abs() < 1e-6, "{agent}: {scored} {expected}");
    }
    assert!((found[3] - 500.0).abs() < 1e-9);
}

#[test]
fn what_cannot_be_rated_is_said() {
    let found = ratings(
        6,
        &[duel(0, 1, 12, 8), duel(2, 1, 20, 0), duel(1, 3, 20, 0), duel(4, 5, 3, 7)],
        (0, 0.0),
    );
    assert!(matches!(found[1], Rating::Rated(_)));
    assert_eq!(
        found[2..],
        [Rating::Above, Rating::Below, Rating::Disconnected, Rating::Disconnected]
    );
    // Above one and below another: the games tell nothing about the two together.
    let found = ratings(3, &[duel(0, 1, 10, 0), duel(2, 1, 10, 0)], (0, 0.0));
    assert_eq!(found[1..], [Rating::Below, Rating::Disconnected]);
}

/// Simulated tournaments: nine of ten and more intervals hold the true difference.
#[test]
fn intervals_hold_what_they_promise() {
    let truth = [0.0, 120.0, 300.0, 350.0];
    let mut rng = Rng::new(11);
    let (mut held, mut all) = (0, 0);
    for _ in 0..150 {
        let mut duels = Vec::new();
        for one in 0..4 {
            for two in 0..one {
                let share = share_of_elo(truth[one] - truth[two]);
                let mut tally = Tally::default();
                for _ in 0..40 {
                    let mut play = || match rng.unit() < share {
                        true => Score::Win,
                        false => Score::Loss,
                    };
                    tally.enter(&[play(), play()]);
                }
                duels.push(Duels { one, two, tally });
            }
        }
        for (rating, truth) in ratings(4, &duels, (0, 0.0)).into_iter().zip(truth).skip(1) {
            let Rating::Rated(elo) = rating else { continue };
            all += 1;
            held += u32::from(elo.low.unwrap() <= truth && truth <= elo.high.unwrap());
        }
    }
    let share = f64::from(held) / f64::from(all);
    assert!(all > 440 && (0.92..0.985).contains(&share), "{share} of {all}");
}
