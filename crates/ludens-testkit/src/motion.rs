//! What a game tells of its pieces' movements agrees with its drawings.

use std::collections::HashMap;

use ludens_core::motion::in_turn;
use ludens_core::{Cell, Fact, Movement, MovementKind, Notation, Place, Rng, View};

use crate::Sample;

/// Plays what was played in the sample and applies the movements to the drawing before.
pub(crate) fn check<G: Notation>(sample: &Sample<G>) {
    let mut rng = Rng::new(11);
    let mut steps = Vec::new();
    for visited in sample.visited.iter().step_by(3) {
        let Some((action, after)) = visited.choice else { continue };
        let chance = G::sample(&after, &mut rng);
        let then = if G::is_chance(&after) { G::chance_motion(&after, chance) } else { Vec::new() };
        let motion = in_turn(visited.position.motion(action), then);
        let next = G::apply_outcome(&after, chance).0;
        let context =
            format!("'{}' in {}", visited.position.action_text(action), visited.position.text());
        steps.push((visited.position.view(), motion, next.view(), context));
    }
    // Games need not tell of movements; those that do tell of all.
    if steps.iter().all(|(_, motion, _, _)| motion.is_empty()) {
        return;
    }
    for (before, motion, after, context) in steps {
        if motion.iter().any(|movement| movement.kind == MovementKind::Sow) {
            balls_are_kept(&before, &motion, &after, &context);
        } else {
            pieces_are_kept(&before, &motion, &after, &context);
        }
    }
}

/// What lies in a cell while the pieces move.
#[derive(Clone, Debug)]
enum Content {
    Known(Cell),
    /// A piece that has come or changed; of merged ones the sum of their numbers.
    New(Option<i64>),
}

/// Every piece of the new drawing is one of the old drawing, or came to the board.
fn pieces_are_kept(before: &View, motion: &[Movement], after: &View, context: &str) {
    let (row_shift, col_shift) = shift(before, after);
    // The cells of the old drawing by their numbers in the new one.
    let place = |cell: usize| {
        let row = (cell / before.cols) as isize + row_shift;
        let col = (cell % before.cols) as isize + col_shift;
        (row, col)
    };
    let place_after = |cell: usize| ((cell / after.cols) as isize, (cell % after.cols) as isize);
    let filled = |(_, cell): &(usize, &Cell)| !cell.text.trim().is_empty();
    let mut board: HashMap<(isize, isize), Content> = (before.cells.iter().enumerate())
        .filter(filled)
        .map(|(i, cell)| (place(i), Content::Known(cell.clone())))
        .collect();
    let mut orders: Vec<u16> = motion.iter().map(|movement| movement.order).collect();
    orders.sort_unstable();
    orders.dedup();
    for order in orders {
        let now = || motion.iter().filter(|movement| movement.order == order);
        let mut lifted: Vec<(Option<Content>, &Movement)> = Vec::new();
        for movement in now() {
            let piece = match movement.from {
                Place::Cell(cell) => {
                    let piece = board.remove(&place(cell));
                    assert!(piece.is_some(), "nothing to move from cell {cell}: {context}");
                    piece
                }
                _ => None,
            };
            lifted.push((piece, movement));
        }
        for (piece, movement) in lifted {
            let Place::Cell(to) = movement.to else { continue };
            let at = place_after(to);
            let there = board.remove(&at);
            let content = match (movement.kind, piece, there) {
                (MovementKind::Merge, Some(piece), there) => Content::New(
                    number(&piece).zip(there.map_or(Some(0), |c| number(&c))).map(|(a, b)| a + b),
                ),
                (MovementKind::Turn, Some(_), None) => Content::New(None),
                (_, piece, None) => piece.unwrap_or(Content::New(None)),
                (_, _, Some(there)) => panic!("{there:?} is already on cell {to}: {context}"),
            };
            board.insert(at, content);
        }
    }
    for (i, cell) in after.cells.iter().enumerate().filter(filled) {
        match board.remove(&place_after(i)) {
            Some(Content::Known(kept)) => assert_eq!(kept, *cell, "cell {i} after {context}"),
            Some(Content::New(Some(sum))) => {
                assert_eq!(sum.to_string(), cell.text, "cell {i} after {context}");
            }
            Some(Content::New(None)) => {}
            None => panic!("the movements leave cell {i} empty: {context}"),
        }
    }
    assert!(board.is_empty(), "the movements leave {board:?}: {context}");
}

fn number(content: &Content) -> Option<i64> {
    match content {
        Content::Known(cell) => cell.text.parse().ok(),
        Content::New(sum) => *sum,
    }
}

/// How far cells with the same labels are apart in two drawings: rows and columns.
fn shift(before: &View, after: &View) -> (isize, isize) {
    let between = |before: &[String], after: &[String]| {
        let common = before.iter().enumerate().filter(|(_, label)| !label.is_empty());
        let found = common
            .filter_map(|(i, label)| Some((i, after.iter().position(|other| other == label)?)))
            .next();
        found.map_or(0, |(i, j)| j as isize - i as isize)
    };
    (between(&before.row_labels, &after.row_labels), between(&before.col_labels, &after.col_labels))
}

/// The balls of every cell and store add up.
fn balls_are_kept(before: &View, motion: &[Movement], after: &View, context: &str) {
    let held = |view: &View, place: Place| match place {
        Place::Cell(cell) => view.cells[cell].text.parse().unwrap_or(0),
        Place::Store(name) => store(view, name),
        Place::Off => 0,
    };
    let stores = after.facts.iter().filter_map(|fact| match fact {
        Fact::Number(name, _) => Some(Place::Store(name)),
        Fact::Text(..) => None,
    });
    for place in (0..after.cells.len()).map(Place::Cell).chain(stores) {
        let came = motion.iter().filter(|movement| movement.to == place).count() as i64;
        let left = motion.iter().filter(|movement| movement.from == place).count() as i64;
        let expected = held(before, place) + came - left;
        assert_eq!(expected, held(after, place), "balls in {place:?} after {context}");
    }
}

fn store(view: &View, name: &str) -> i64 {
    let number = |fact: &Fact| match fact {
        Fact::Number(other, number) if *other == name => Some(*number),
        _ => None,
    };
    view.facts.iter().find_map(number).expect("a store is one of the facts")
}

#[cfg(test)]
mod tests {
    use ludens_core::{Control, Ink};

    use super::*;

    fn view(texts: &[&str]) -> View {
        View {
            rows: 1,
            cols: texts.len(),
            cells: texts.iter().map(|&text| Cell::new(text, Ink::Plain)).collect(),
            row_labels: vec![String::new()],
            col_labels: vec![String::new(); texts.len()],
            facts: Vec::new(),
            control: Control::Slide,
        }
    }

    const SLIDE: [Movement; 2] =
        [Movement::between(2, 0, 0, MovementKind::Slide), Movement::appear(1, 1)];

    #[test]
    fn right_movements_pass() {
        pieces_are_kept(&view(&["", "", "2"]), &SLIDE, &view(&["2", "4", ""]), "a slide");
        let merge = [1, 2].map(|from| Movement::between(from, 0, 0, MovementKind::Merge));
        pieces_are_kept(&view(&["", "2", "2"]), &merge, &view(&["4", "", ""]), "a merge");
    }

    #[test]
    #[should_panic(expected = "cell 0 after")]
    fn another_piece_is_noticed() {
        pieces_are_kept(&view(&["", "", "2"]), &SLIDE, &view(&["8", "4", ""]), "a slide");
    }

    #[test]
    #[should_panic(expected = "leave cell 1 empty")]
    fn a_piece_from_nowhere_is_noticed() {
        pieces_are_kept(&view(&["", "", "2"]), &SLIDE[..1], &view(&["2", "4", ""]), "a slide");
    }

    #[test]
    #[should_panic(expected = "the movements leave")]
    fn a_lost_piece_is_noticed() {
        pieces_are_kept(&view(&["8", "", ""]), &[], &view(&["", "", ""]), "nothing");
    }
}
