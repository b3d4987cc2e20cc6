use ludens_core::{Notation, Rng};

use super::*;

fn solve(position: &ConnectFour, bounds: &Bounds) -> i32 {
    Search::new(bounds, &|_| false).score(position).expect("nobody stops it")
}

/// A position of random play with `stones` stones that nobody has won, and the moves to it.
fn random(rng: &mut Rng, stones: usize) -> (ConnectFour, String) {
    loop {
        let (mut position, mut moves) = (ConnectFour::default(), String::new());
        while moves.len() < stones {
            let Some((Column(column), next, _)) = position.step(rng) else { break };
            moves.push_str(&(column + 1).to_string());
            position = next;
        }
        if !position.is_over() {
            return (position, moves);
        }
    }
}

/// The score by trying everything.
fn plain(position: &ConnectFour) -> i32 {
    let stones = position.all.count_ones() as i32;
    let value = |column| match position.apply(column) {
        (_, reward) if reward != 0 => win_at(stones + 1),
        (next, _) if next.is_over() => 0,
        (next, _) => -plain(&next),
    };
    position.actions().map(value).max().unwrap_or(0)
}

#[test]
fn late_positions_are_as_by_trying_everything() {
    let (mut rng, bounds) = (Rng::new(2), Bounds::new(1 << 16));
    for game in 0..300 {
        let (position, _) = random(&mut rng, 30 + game % 12);
        assert_eq!(solve(&position, &bounds), plain(&position), "{}", position.text());
        let outcome = Search::new(&bounds, &|_| false).outcome(&position);
        assert_eq!(outcome, Some(plain(&position).signum()));
    }
}

/// Another solver, written by others, says the same; so do the columns, one by one.
#[test]
fn scores_agree_with_another_solver() {
    use connect_four_ai::{Position as Oracle, Solver};
    let (mut rng, bounds) = (Rng::new(3), Bounds::new(1 << 24));
    let mut oracle = Solver::new();
    for game in 0..120 {
        let (position, moves) = random(&mut rng, 14 + game % 20);
        let theirs = Oracle::from_moves(&moves).expect("the moves are legal");
        assert_eq!(solve(&position, &bounds), i32::from(oracle.solve(&theirs)), "{moves}");
        let by_column = oracle.get_all_move_scores(&theirs);
        let expected = |column: u8| by_column[usize::from(column)].map(i32::from);
        // What is said on the way is true, too.
        let report = |known: &[ColumnBounds]| {
            for &(Column(column), low, high) in known {
                let within = expected(column).is_some_and(|score| (low..=high).contains(&score));
                assert!(within, "column {column} of {moves}: {low} to {high}");
            }
        };
        let (found, _) = scores(&position, None, &bounds, 2, &|_| false, &report);
        for &(Column(column), low, high) in &found {
            let both = (Some(low), Some(high));
            assert_eq!(both, (expected(column), expected(column)), "column {column} of {moves}");
        }
        assert_eq!(found.len(), by_column.iter().flatten().count());
    }
}

#[test]
fn mirror_images_and_known_positions() {
    let bounds = Bounds::new(1 << 24);
    let of = |moves: &str| solve(&ConnectFour::parse(&Default::default(), moves).unwrap(), &bounds);
    // From P. Pons' test sets.
    assert_eq!(of("2252576253462244111563365343671351441"), -1);
    assert_eq!(of("7422341735647741166133573473242566"), 1);
    assert_eq!(of("23163416124767223154467471272416755633"), 0);
    assert_eq!(of("65214673556155731566316327373221417"), -1);
    assert_eq!(of("6666612535535222213334411"), of("2222276353353666675554477"));
    let board = ConnectFour::parse(&Default::default(), "444444222222666666").unwrap();
    let (scores, _) = scores(&board, None, &bounds, 2, &|_| false, &|_| {});
    let values: Vec<(i32, i32)> = scores.iter().map(|&(_, low, high)| (low, high)).collect();
    let mut turned = values.clone();
    turned.reverse();
    assert_eq!(values, turned);
    assert!(values.iter().all(|(low, high)| low == high) && values.len() == 4);
}

#[test]
fn it_can_be_stopped() {
    let bounds = Bounds::new(1 << 16);
    let (found, _) = scores(&ConnectFour::default(), None, &bounds, 2, &|_| true, &|_| {});
    assert_eq!(found.len(), 7);
    assert!(found.iter().all(|&(_, low, high)| low < 0 && high > 0));
}

#[test]
fn a_limit_of_nodes_is_kept() {
    let bounds = Bounds::new(1 << 16);
    let stop = |nodes| nodes >= 5000;
    let (_, nodes) = scores(&ConnectFour::default(), None, &bounds, 1, &stop, &|_| {});
    assert!((5000..5000 + LITTLE_PATIENCE).contains(&nodes), "{nodes}");
}

/// Who wins by a column is reported before the score of any column is known.
#[test]
fn who_wins_is_reported_first() {
    let position = ConnectFour::parse(&Default::default(), "567752164521632153").unwrap();
    let (bounds, reports) = (Bounds::new(1 << 22), std::sync::Mutex::new(Vec::new()));
    let report = |known: &[ColumnBounds]| reports.lock().unwrap().push(known.to_vec());
    let (found, _) = scores(&position, None, &bounds, 1, &|_| false, &report);
    let reports = reports.into_inner().unwrap();
    assert_eq!(reports.last(), Some(&found));
    let settled = |&(_, low, high): &ColumnBounds| low.signum() == high.signum();
    let decided = reports.iter().position(|known| known.iter().all(settled)).unwrap();
    assert!(reports[decided].iter().any(|(_, low, high)| low < high), "{:?}", reports[decided]);
}
