//! The evaluation's features cell by cell, and the models' published lengths.

use ludens_core::{Game, Heuristic, Rng};

use super::{
    Chance, Evaluation, FewestCells, Former, FormerVariant, LookAhead, Ties, thesis_boards,
};

/// The features counted cell by cell.
fn slow_features(position: &Former) -> [i32; 14] {
    let variant = position.variant();
    let (rows, cols) = (i32::from(variant.rows()), i32::from(variant.cols()));
    let at = |column: i32, row: i32| {
        let inside = (0..cols).contains(&column) && (0..rows).contains(&row);
        inside.then(|| position.shape_at(column as usize, row as usize)).flatten()
    };
    let same = |c: i32, r: i32, d: i32, s: i32| at(c, r).is_some() && at(c, r) == at(d, s);
    let height = |c: i32| (0..rows - 1).filter(|&r| at(c, r).is_some()).count() as i32;
    let shapes: Vec<u8> = (0..variant.shapes())
        .filter(|&shape| (0..cols).any(|c| (0..rows).any(|r| at(c, r) == Some(shape))))
        .collect();
    let mut f = [0; 14];
    f[0] = position.euler();
    f[1] = position.column_run_bound() as i32;
    f[9] = shapes.len() as i32;
    for &shape in &shapes {
        let is = |c: i32, r: i32| at(c, r) == Some(shape);
        let (mut euler, mut runs, mut inside) = (0, 0, false);
        for c in 0..cols {
            for r in 0..rows {
                let [here, above, beside, across] =
                    [is(c, r), is(c, r + 1), is(c + 1, r), is(c + 1, r + 1)];
                euler += i32::from(here) - i32::from(here && above) - i32::from(here && beside)
                    + i32::from(here && above && beside && across);
            }
            f[2] += i32::from((0..rows).any(|r| is(c, r) && is(c + 1, r)));
            let touched = (0..rows).any(|r| is(c, r));
            runs += i32::from(touched && !inside);
            inside = touched;
        }
        f[10] = f[10].max(euler - runs);
    }
    for c in 0..cols {
        f[7] += (height(c) - height(c + 1)).abs();
        for r in 0..rows {
            if at(c, r).is_none() {
                continue;
            }
            let to = |dc: i32, dr: i32| same(c, r, c + dc, r + dr);
            // Whether cells of this column and the next are equal, in a row.
            let linked = |row: i32| same(c, row, c + 1, row);
            let alone = !to(0, 1) && !to(0, -1) && !to(1, 0) && !to(-1, 0);
            f[3] += i32::from(alone);
            f[4] += i32::from(to(0, 2) && !to(0, 1));
            for d in [-1, 1] {
                f[5] += i32::from(to(1, d) && !to(0, d) && !to(1, 0));
                let near = [r, r + d, r + 2 * d].into_iter().any(linked);
                f[12] += i32::from(to(1, 2 * d) && !near);
            }
            f[6] += 1;
            f[8] += i32::from(alone && at(c, r + 1).is_none());
            f[11] += i32::from(to(0, 3) && !to(0, 1) && same(c, r + 1, c, r + 2));
            f[13] += i32::from(!to(0, 1));
        }
    }
    f
}

#[test]
fn features_are_those_of_the_cells() {
    let mut rng = Rng::new(51);
    for (rows, cols, shapes) in [(9, 7, 4), (5, 5, 3), (4, 6, 2), (8, 8, 7), (2, 9, 3), (9, 1, 2)] {
        let variant = FormerVariant::new(rows, cols, shapes).unwrap();
        for _ in 0..20 {
            let mut position = Former::start(&variant, &mut rng);
            while let Some((_, next, _)) = position.step(&mut rng) {
                let features = Evaluation::features(&position);
                assert_eq!(features, slow_features(&position), "{position:?}");
                position = next;
            }
            assert_eq!(Evaluation::default().value(&position), 0.0);
        }
    }
}

#[test]
fn variations_stay_near_and_begin_with_the_evaluation_itself() {
    let mut rng = Rng::new(52);
    let evaluation = Evaluation::default();
    assert_eq!(evaluation.varied(0, &mut rng), evaluation);
    let other = evaluation.varied(1, &mut rng);
    assert_ne!(other, evaluation);
    for (a, b) in other.weights.iter().zip(evaluation.weights) {
        assert!((a - b).abs() <= b.abs() * evaluation.spread + 1e-6);
    }
}

/// The mean length of greedy play on some of the thesis boards.
fn mean_length(model: &impl Heuristic<Former>, boards: usize) -> f64 {
    let mut moves = 0;
    for mut position in thesis_boards().take(boards) {
        while !position.is_over() {
            let mut best: Option<(f32, Former)> = None;
            position.children(|_, child, _| {
                let value = model.value(&child);
                if best.is_none_or(|(most, _)| value > most) {
                    best = Some((value, child));
                }
            });
            position = best.unwrap().1;
            moves += 1;
        }
    }
    f64::from(moves) / boards as f64
}

#[test]
fn models_have_the_published_lengths() {
    let rounded = |mean: f64| format!("{mean:.2}");
    assert_eq!(rounded(mean_length(&FewestCells, 1000)), "24.99");
    assert_eq!(rounded(mean_length(&LookAhead::default(), 1000)), "18.54");
    // 16.21 on all boards; those of the test keep it short.
    let two = mean_length(&LookAhead { moves: 1, ties: Ties::Nearer }, 100);
    assert!((two - 16.21).abs() < 0.4, "{two}");
    let open = mean_length(&LookAhead { moves: 1, ties: Ties::Open }, 100);
    assert!(open > two + 0.5, "{open}");
    let random = mean_length(&Chance { seed: 1 }, 1000);
    assert!((random - 28.67).abs() < 0.5, "{random}");
}

#[test]
fn looking_ahead_sees_the_end() {
    use ludens_core::Notation;
    let variant = FormerVariant::new(2, 2, 2).unwrap();
    let board = Former::parse(&variant, "01/00").unwrap();
    let fewest = |moves| LookAhead::fewest_groups(&board, moves);
    assert_eq!([0, 1, 2, 3].map(fewest), [2, 1, 0, 0]);
}
