//! Colours that belong together: merging by average distance, and assignment with capacities.

use crate::colour::{Feature, distance, mean};

/// Differences this small mean nothing.
const NOISE: f32 = 0.02;
/// Two groups this far apart are two, whatever the others are.
const APART: f32 = 0.3;

/// Groups of features: the group of each, from 0, numbered as they first come.
///
/// The nearest two groups are merged until `most` are left, and then for as long as what is merged
/// is nearer together than what is left apart.
pub(crate) fn groups(features: &[Feature], most: usize) -> Vec<usize> {
    let merges = merges(features);
    let n = features.len();
    if n == 0 {
        return Vec::new();
    }
    // With `left` groups, the merge before them is number n - left, the next one follows.
    let height = |merge: usize| merges.get(merge).map_or(APART, |m| m.2);
    let gap = |left: usize| {
        let before = if left == n { 0.0 } else { height(n - left - 1) };
        (height(n - left) + NOISE) / (before + NOISE)
    };
    let left = (1..=most.min(n)).max_by(|&a, &b| gap(a).total_cmp(&gap(b))).unwrap_or(1);
    labels(n, &merges[..n - left])
}

/// Exactly `count` groups, or one for each feature where there are fewer.
pub(crate) fn exact_groups(features: &[Feature], count: usize) -> Vec<usize> {
    let n = features.len();
    labels(n, &merges(features)[..n - count.clamp(n.min(1), n)])
}

/// All merges by average distance, the nearest first: two members and the distance.
fn merges(features: &[Feature]) -> Vec<(usize, usize, f32)> {
    let n = features.len();
    let mut between: Vec<Vec<f32>> =
        features.iter().map(|&a| features.iter().map(|&b| distance(a, b)).collect()).collect();
    let mut sizes = vec![1.0f32; n];
    let mut alive: Vec<usize> = (0..n).collect();
    let mut done = Vec::with_capacity(n.saturating_sub(1));
    while alive.len() > 1 {
        let mut nearest = (0, 1, f32::INFINITY);
        for (i, &a) in alive.iter().enumerate() {
            for (j, &b) in alive.iter().enumerate().skip(i + 1) {
                if between[a][b] < nearest.2 {
                    nearest = (i, j, between[a][b]);
                }
            }
        }
        let (a, b) = (alive[nearest.0], alive[nearest.1]);
        alive.swap_remove(nearest.1);
        let (x, y) = (sizes[a], sizes[b]);
        for &other in &alive {
            let merged = (x * between[a][other] + y * between[b][other]) / (x + y);
            (between[a][other], between[other][a]) = (merged, merged);
        }
        sizes[a] += y;
        done.push((a, b, nearest.2));
    }
    done
}

fn labels(n: usize, merges: &[(usize, usize, f32)]) -> Vec<usize> {
    let mut roots: Vec<usize> = (0..n).collect();
    for &(a, b, _) in merges {
        let (from, to) = (roots[b], roots[a]);
        for root in &mut roots {
            if *root == from {
                *root = to;
            }
        }
    }
    let mut firsts: Vec<usize> = Vec::new();
    let mut number = |root| {
        firsts.iter().position(|&first| first == root).unwrap_or_else(|| {
            firsts.push(root);
            firsts.len() - 1
        })
    };
    roots.into_iter().map(&mut number).collect()
}

/// The mean feature of each group.
pub(crate) fn centres(features: &[Feature], groups: &[usize]) -> Vec<Feature> {
    let count = groups.iter().max().map_or(0, |&last| last + 1);
    let members = |group| features.iter().zip(groups).filter(move |(_, g)| **g == group);
    (0..count).map(|group| mean(members(group).map(|(f, _)| *f))).collect()
}

/// Groups of at most `capacity` members around centres: those of the least sum of squared
/// distances. Centres and members are found in turn until nothing changes.
pub(crate) fn balanced(
    features: &[Feature],
    mut centres: Vec<Feature>,
    capacity: usize,
) -> (Vec<usize>, Vec<Feature>) {
    let mut groups = Vec::new();
    for _ in 0..12 {
        let costs: Vec<Vec<f64>> = features
            .iter()
            .map(|&f| {
                let cost = |slot: usize| f64::from(distance(f, centres[slot / capacity])).powi(2);
                (0..centres.len() * capacity).map(cost).collect()
            })
            .collect();
        let found: Vec<usize> = assign(&costs).into_iter().map(|slot| slot / capacity).collect();
        if found == groups {
            break;
        }
        groups = found;
        for (group, centre) in centres.iter_mut().enumerate() {
            if groups.contains(&group) {
                let members = features.iter().zip(&groups).filter(|(_, g)| **g == group);
                *centre = mean(members.map(|(f, _)| *f));
            }
        }
    }
    (groups, centres)
}

/// The column of each row so that the sum of costs is least and no column comes twice (the
/// Hungarian method, with potentials). There must be at least as many columns as rows.
pub(crate) fn assign(costs: &[Vec<f64>]) -> Vec<usize> {
    let rows = costs.len();
    let cols = costs.first().map_or(0, Vec::len);
    debug_assert!(rows <= cols || rows == 0);
    // Row 0 and column 0 stand for nothing, so that an unmatched column has the row 0.
    let (mut u, mut v) = (vec![0.0; rows + 1], vec![0.0; cols + 1]);
    let mut row_of = vec![0usize; cols + 1];
    for row in 1..=rows {
        row_of[0] = row;
        let mut at = 0;
        let (mut least, mut way) = (vec![f64::INFINITY; cols + 1], vec![0usize; cols + 1]);
        let mut used = vec![false; cols + 1];
        while row_of[at] != 0 {
            used[at] = true;
            let from = row_of[at];
            let (mut delta, mut next) = (f64::INFINITY, 0);
            for col in (1..=cols).filter(|&col| !used[col]) {
                let reduced = costs[from - 1][col - 1] - u[from] - v[col];
                if reduced < least[col] {
                    (least[col], way[col]) = (reduced, at);
                }
                if least[col] < delta {
                    (delta, next) = (least[col], col);
                }
            }
            if next == 0 {
                break;
            }
            for col in 0..=cols {
                if used[col] {
                    u[row_of[col]] += delta;
                    v[col] -= delta;
                } else {
                    least[col] -= delta;
                }
            }
            at = next;
        }
        while at != 0 {
            row_of[at] = row_of[way[at]];
            at = way[at];
        }
    }
    let mut found = vec![0; rows];
    for col in 1..=cols {
        if row_of[col] != 0 {
            found[row_of[col] - 1] = col - 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignments_are_the_cheapest() {
        let costs = vec![vec![4.0, 1.0, 3.0], vec![2.0, 0.0, 5.0], vec![3.0, 2.0, 2.0]];
        assert_eq!(assign(&costs), [1, 0, 2]);
        assert_eq!(assign(&[vec![5.0, 1.0, 7.0]]), [1]);
        assert!(assign(&[]).is_empty());
    }

    #[test]
    fn groups_are_found_by_their_gaps() {
        let at = |x: f32, i: usize| [x + 0.01 * (i % 3) as f32, 0.0, 0.0];
        let features: Vec<_> = (0..30).map(|i| at([0.0, 0.5, 1.0][i % 3], i / 3)).collect();
        let found = groups(&features, 7);
        assert_eq!(found[..6], [0, 1, 2, 0, 1, 2]);
        assert_eq!(groups(&features[..1], 4), [0]);
        assert_eq!(groups(&[], 4), Vec::<usize>::new());
        let one: Vec<_> = (0..9).map(|i| at(0.3, i)).collect();
        assert_eq!(groups(&one, 4), [0; 9]);
        assert_eq!(exact_groups(&features, 3), found);
    }

    #[test]
    fn balanced_groups_have_their_capacity() {
        // Seven of one colour, and one tile that looks more like it than like its own.
        let mut features = vec![[0.0, 0.0, 0.0]; 4];
        features.extend([[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.9, 0.0, 0.0], [0.45, 0.0, 0.0]]);
        let (found, _) = balanced(&features, vec![[0.0; 3], [1.0, 0.0, 0.0]], 4);
        assert_eq!(found, [0, 0, 0, 0, 1, 1, 1, 1]);
    }
}
