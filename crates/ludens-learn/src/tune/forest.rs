//! Which settings mattered: a random forest predicts losses from settings, and what gets worse
//! when one setting's values are exchanged between trials is its importance.

use ludens_core::Rng;

const TREES: usize = 64;
/// Exchanges that an importance is the mean of.
const EXCHANGES: usize = 16;
/// Trials that are not parted further.
const LEAF: usize = 2;

/// The importance of every setting, summing to 1; `None` with fewer than four trials, or when
/// nothing made a difference.
///
/// ```
/// use ludens_core::Rng;
/// use ludens_learn::tune::importance;
/// let mut rng = Rng::new(1);
/// let rows: Vec<Vec<f64>> = (0..60).map(|_| vec![rng.unit(), rng.unit()]).collect();
/// let losses: Vec<f64> = rows.iter().map(|row| 3.0 * row[0] + 0.1 * row[1]).collect();
/// let found = importance(&rows, &losses, &mut rng).unwrap();
/// assert!(found[0] > 0.9 && (found[0] + found[1] - 1.0).abs() < 1e-9);
/// ```
pub fn importance(rows: &[Vec<f64>], losses: &[f64], rng: &mut Rng) -> Option<Vec<f64>> {
    if rows.len() < 4 {
        return None;
    }
    let trees: Vec<Tree> = (0..TREES)
        .map(|_| {
            let draw = |_| rng.below(rows.len() as u32) as usize;
            let sample: Vec<usize> = (0..rows.len()).map(draw).collect();
            Tree::grow(rows, losses, sample)
        })
        .collect();
    let predicted =
        |row: &[f64]| trees.iter().map(|tree| tree.predict(row)).sum::<f64>() / TREES as f64;
    let error = |rows: &[Vec<f64>]| {
        let squares = rows.iter().zip(losses).map(|(row, loss)| (predicted(row) - loss).powi(2));
        squares.sum::<f64>() / rows.len() as f64
    };
    let base = error(rows);
    let found: Vec<f64> = (0..rows[0].len())
        .map(|column| {
            let worse = (0..EXCHANGES).map(|_| {
                let mut values: Vec<f64> = rows.iter().map(|row| row[column]).collect();
                rng.shuffle(&mut values);
                let mut exchanged = rows.to_vec();
                exchanged.iter_mut().zip(values).for_each(|(row, value)| row[column] = value);
                error(&exchanged) - base
            });
            (worse.sum::<f64>() / EXCHANGES as f64).max(0.0)
        })
        .collect();
    let sum: f64 = found.iter().sum();
    (sum > 0.0).then(|| found.into_iter().map(|worse| worse / sum).collect())
}

/// A tree of decisions.
enum Tree {
    Leaf(f64),
    Fork { column: usize, at: f64, below: Box<Tree>, above: Box<Tree> },
}

impl Tree {
    fn grow(rows: &[Vec<f64>], losses: &[f64], sample: Vec<usize>) -> Tree {
        let mean = sample.iter().map(|&i| losses[i]).sum::<f64>() / sample.len() as f64;
        let spread = |part: &[usize]| {
            let mean = part.iter().map(|&i| losses[i]).sum::<f64>() / part.len() as f64;
            part.iter().map(|&i| (losses[i] - mean).powi(2)).sum::<f64>()
        };
        let mut best: Option<(f64, usize, f64)> = None;
        if sample.len() > LEAF {
            let at = |row: usize, column: usize| rows[row][column];
            for column in 0..rows[0].len() {
                let mut order = sample.clone();
                order.sort_by(|&a, &b| at(a, column).total_cmp(&at(b, column)));
                for cut in 1..order.len() {
                    let (low, high) = (at(order[cut - 1], column), at(order[cut], column));
                    if low < high {
                        let left = spread(&order[..cut]) + spread(&order[cut..]);
                        if best.is_none_or(|(least, ..)| left < least) {
                            best = Some((left, column, (low + high) / 2.0));
                        }
                    }
                }
            }
        }
        let whole = spread(&sample);
        match best {
            Some((left, column, at)) if left < whole => {
                let (below, above): (Vec<usize>, Vec<usize>) =
                    sample.into_iter().partition(|&i| rows[i][column] < at);
                let grow = |part| Box::new(Tree::grow(rows, losses, part));
                Tree::Fork { column, at, below: grow(below), above: grow(above) }
            }
            _ => Tree::Leaf(mean),
        }
    }

    fn predict(&self, row: &[f64]) -> f64 {
        match self {
            Tree::Leaf(mean) => *mean,
            Tree::Fork { column, at, below, above } => {
                if row[*column] < *at {
                    below.predict(row)
                } else {
                    above.predict(row)
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_finds_the_step() {
        let rows: Vec<Vec<f64>> = (0..20).map(|i| vec![f64::from(i), f64::from(i % 3)]).collect();
        let losses: Vec<f64> = (0..20).map(|i| if i < 10 { 1.0 } else { 5.0 }).collect();
        let tree = Tree::grow(&rows, &losses, (0..20).collect());
        assert_eq!((tree.predict(&[3.0, 1.0]), tree.predict(&[15.0, 1.0])), (1.0, 5.0));
    }

    #[test]
    fn nothing_is_important_where_nothing_differs() {
        let rows: Vec<Vec<f64>> = (0..10).map(|i| vec![f64::from(i)]).collect();
        assert_eq!(importance(&rows, &[2.0; 10], &mut Rng::new(1)), None);
        assert_eq!(importance(&rows[..3], &[1.0, 2.0, 3.0], &mut Rng::new(1)), None);
    }
}
