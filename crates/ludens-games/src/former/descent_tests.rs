//! Names and pruning against plain enumeration of all positions of small boards.

use std::collections::HashMap;

use ludens_core::{Descent, Game, Notation, Rng, Symmetric};

use super::symmetry::mirror;
use super::{Former, FormerOrigin, FormerVariant, Pruning};

/// Small sizes of every kind: rows, columns, shapes.
const SIZES: [(u8, u8, u8); 12] = [
    (3, 3, 2),
    (3, 3, 4),
    (4, 3, 3),
    (3, 4, 3),
    (5, 3, 2),
    (2, 6, 3),
    (6, 2, 4),
    (9, 1, 3),
    (1, 9, 3),
    (13, 1, 2),
    (2, 5, 8),
    (4, 4, 2),
];

fn all_rules() -> impl Iterator<Item = Pruning> {
    (0..1u32 << 6).map(|bits| {
        let on = |n: u32| bits >> n & 1 != 0;
        Pruning {
            runs: on(0),
            whole: on(1),
            touch: on(2),
            crown: on(3),
            order: on(4),
            strips: on(5),
            mirror: true,
        }
    })
}

/// The fewest moves from a position, by trying everything.
fn fewest(position: &Former, known: &mut HashMap<Former, u32>) -> u32 {
    if position.is_over() {
        return 0;
    }
    if let Some(&moves) = known.get(position) {
        return moves;
    }
    let mut best = u32::MAX;
    position.children(|_, child, _| best = best.min(1 + fewest(&child, known)));
    known.insert(*position, best);
    best
}

/// Every position that descends from a board, with its name.
fn all_names(board: &Former) -> HashMap<Former, u64> {
    let origin = FormerOrigin::new(*board, Pruning::NONE);
    let mut names = HashMap::new();
    let mut open = vec![(*board, Former::first(&origin))];
    while let Some((here, name)) = open.pop() {
        if names.insert(here, name).is_none() {
            here.descend(&origin, name, u32::MAX, 0, |_, child, name, _| open.push((child, name)));
        }
    }
    names
}

#[test]
fn names_are_positions() {
    let mut rng = Rng::new(31);
    for (rows, cols, shapes) in SIZES.into_iter().chain([(9, 7, 4), (64, 1, 3), (1, 64, 8)]) {
        let variant = FormerVariant::new(rows, cols, shapes).unwrap();
        for _ in 0..20 {
            let board = Former::start(&variant, &mut rng);
            let origin = FormerOrigin::new(board, Pruning::NONE);
            let mut by_name = HashMap::new();
            let mut by_position = HashMap::new();
            for _ in 0..20 {
                let (mut here, mut name) = (board, Former::first(&origin));
                while !here.is_over() {
                    assert_eq!(Former::recall(&origin, name), here);
                    assert_eq!(*by_name.entry(name).or_insert(here), here);
                    assert_eq!(*by_position.entry(here).or_insert(name), name);
                    let mut children = Vec::new();
                    here.descend(&origin, name, u32::MAX, 0, |group, child, name, _| {
                        assert_eq!(child, here.apply(here.action(group)).0);
                        children.push((name, child));
                    });
                    (name, here) = children[rng.below(children.len() as u32) as usize];
                }
                assert_eq!(name, 0);
            }
        }
    }
}

/// At every position of many small boards, for every set of rules: the bound
/// holds, and a move that begins a shortest line is kept.
#[test]
fn pruning_keeps_a_shortest_line() {
    let mut rng = Rng::new(32);
    let mut checked = 0;
    for (rows, cols, shapes) in SIZES {
        let variant = FormerVariant::new(rows, cols, shapes).unwrap();
        for _ in 0..20 {
            let board = Former::start(&variant, &mut rng);
            let mut known = HashMap::new();
            fewest(&board, &mut known);
            let names = all_names(&board);
            let origins: Vec<FormerOrigin> =
                all_rules().map(|rules| FormerOrigin::new(board, rules)).collect();
            for (&position, &moves) in known.iter().take(250) {
                assert!(position.fewest_moves() <= moves, "{position:?}");
                for origin in &origins {
                    for extra in 0..3 {
                        let mut kept = false;
                        let name = names[&position];
                        position.descend(origin, name, moves + extra, 0, |_, child, _, _| {
                            kept |= child.is_over() || known.get(&child) == Some(&(moves - 1));
                        });
                        assert!(kept, "{:?} {position:?} {moves}+{extra}", origin.rules());
                    }
                }
                checked += 1;
            }
        }
    }
    assert!(checked > 20_000, "{checked}");
}

/// Whether the end can be reached within `moves`: layers of positions by name, each
/// with the moves that all lines to it cover.
fn reaches_end(origin: &FormerOrigin, moves: u32) -> bool {
    let mut layer = HashMap::from([(Former::first(origin), 0)]);
    let mut over = false;
    for left in (1..=moves).rev() {
        let mut next = HashMap::new();
        for (&name, &covered) in &layer {
            let here = Former::recall(origin, name);
            here.descend(origin, name, left, covered, |_, child, name, covered| {
                over |= child.is_over();
                next.entry(name).and_modify(|all| *all &= covered).or_insert(covered);
            });
        }
        layer = next;
    }
    over
}

/// A board that is its own mirror image, or is so when two of its shapes change names.
fn symmetric_board(variant: &FormerVariant, rng: &mut Rng) -> Former {
    let (rows, cols, shapes) = (variant.rows(), variant.cols(), u32::from(variant.shapes()));
    let swap = rng.below(2) == 1 && (cols % 2 == 0 || shapes > 2);
    let row = |rng: &mut Rng| {
        let half: Vec<u32> = (0..cols / 2).map(|_| rng.below(shapes)).collect();
        let least = if swap { 2 } else { 0 };
        let middle = (cols % 2 == 1).then(|| least + rng.below(shapes - least));
        let image =
            half.iter().rev().map(|&shape| if swap && shape < 2 { 1 - shape } else { shape });
        let row: Vec<u32> = half.iter().copied().chain(middle).chain(image).collect();
        row.iter().map(u32::to_string).collect::<String>()
    };
    let text: Vec<String> = (0..rows).map(|_| row(rng)).collect();
    Former::parse(variant, &text.join("/")).unwrap()
}

/// On symmetric boards mirrored positions share names, and lines are played as they are.
#[test]
fn mirrored_positions_share_names() {
    let mut rng = Rng::new(34);
    let mut spared = 0;
    for (rows, cols, shapes) in [(3, 3, 3), (3, 4, 2), (2, 6, 3), (4, 4, 2), (9, 3, 2), (3, 5, 3)] {
        let variant = FormerVariant::new(rows, cols, shapes).unwrap();
        for _ in 0..10 {
            let board = symmetric_board(&variant, &mut rng);
            let once = FormerOrigin::new(board, Pruning { mirror: true, ..Pruning::NONE });
            let twice = FormerOrigin::new(board, Pruning::NONE);
            for _ in 0..10 {
                let (mut names, mut line) = (vec![Former::first(&once)], Vec::new());
                let mut other = Former::first(&twice);
                while let Some(&name) = names.last().filter(|&&name| name != 0) {
                    let here = Former::recall(&once, name);
                    let mut children = Vec::new();
                    here.descend(&once, name, u32::MAX, 0, |group, child, name, _| {
                        assert_eq!(Former::recall(&once, name).canonical(), child.canonical());
                        children.push((here.action(group), name));
                    });
                    let (action, name) = children[rng.below(children.len() as u32) as usize];
                    line.push(action);
                    names.push(name);
                }
                let played = Former::retrace(&once, line.clone());
                spared += u32::from(played != line);
                let mut here = board;
                for (action, &name) in played.into_iter().zip(&names[1..]) {
                    let cells = here.group_of(action.0);
                    assert!(here.is_legal(action));
                    other = here.descendant(&twice, other, cells);
                    here = here.apply(action).0;
                    assert_eq!(name, other.min(mirror(&variant, other)));
                }
                assert!(here.is_over());
            }
        }
    }
    assert!(spared > 100, "{spared}");
}

/// Whole searches with every set of rules find the fewest moves.
#[test]
fn covered_moves_are_not_missed() {
    let mut rng = Rng::new(33);
    for (rows, cols, shapes) in SIZES.into_iter().chain([(4, 4, 4), (3, 5, 3), (5, 3, 4)]) {
        let variant = FormerVariant::new(rows, cols, shapes).unwrap();
        for n in 0..40 {
            let board = match n % 3 {
                0 => symmetric_board(&variant, &mut rng),
                _ => Former::start(&variant, &mut rng),
            };
            let moves = fewest(&board, &mut HashMap::new());
            for rules in all_rules() {
                let origin = FormerOrigin::new(board, rules);
                assert!(!reaches_end(&origin, moves - 1), "{rules:?} {board:?}");
                assert!(reaches_end(&origin, moves), "{rules:?} {board:?} {moves}");
            }
        }
    }
}

/// Boards of the daily puzzle's size, too large for enumeration, played at random until
/// few cells are left: all rules together give what the count of runs alone gives.
#[test]
fn rules_agree_with_the_count_of_runs_on_large_boards() {
    let mut rng = Rng::new(35);
    let fewest = |board: Former, rules: Pruning| {
        let origin = FormerOrigin::new(board, rules);
        (board.column_run_bound()..).find(|&moves| reaches_end(&origin, moves))
    };
    let plain = Pruning { runs: true, ..Pruning::NONE };
    for cells in 14..30 {
        for _ in 0..4 {
            let mut board = Former::start(&FormerVariant::default(), &mut rng);
            while board.occupied.count_ones() > cells {
                board = board.step(&mut rng).expect("a board with blocks has a move").1;
            }
            assert_eq!(fewest(board, Pruning::default()), fewest(board, plain), "{board:?}");
        }
    }
}

/// Tables of strips that do not fit into memory are done without: less is pruned, nothing is missed.
#[test]
fn strips_keep_to_their_memory() {
    let variant = FormerVariant::new(5, 5, 4).unwrap();
    let board = Former::start(&variant, &mut Rng::new(36));
    let search = |most: Option<usize>| {
        let mut origin = FormerOrigin::new(board, Pruning::default());
        let strips = origin.strips.as_mut().unwrap();
        most.inspect(|&most| strips.limit(most));
        let moves = (board.column_run_bound()..).find(|&moves| reaches_end(&origin, moves));
        (moves.unwrap(), origin.strips.unwrap().bytes())
    };
    let (moves, ample) = search(None);
    assert!(ample > 4000, "{ample}");
    for most in [0, 1000, ample / 2, ample] {
        let (again, used) = search(Some(most));
        assert_eq!(again, moves);
        assert!(used <= most, "{used} of {most}");
    }
}
