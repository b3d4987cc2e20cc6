//! Orders of blocks against plain replays.

use ludens_core::{Game, Orders, Rng};

use super::{Block, Blocks};
use crate::samegame::plane::contains;
use crate::samegame::{Group, Penalty, SameGame, SameGameVariant, Scoring, board};

const SCORINGS: [Scoring; 4] = [
    Scoring::SameGame(Penalty::None),
    Scoring::SameGame(Penalty::Colour),
    Scoring::Bubble,
    Scoring::Clickomania,
];

fn boards() -> impl Iterator<Item = SameGame> {
    let mut rng = Rng::new(41);
    (0..120).map(move |i| {
        let side = |rng: &mut Rng| 1 + rng.below(16) as u8;
        let (rows, cols, colours) = (side(&mut rng), side(&mut rng), 1 + rng.below(7) as u8);
        let variant = SameGameVariant::new(rows, cols, colours, SCORINGS[i % 4]).unwrap();
        SameGame::start(&variant, &mut rng)
    })
}

fn random_line(start: &SameGame, rng: &mut Rng) -> (Vec<Group>, i64) {
    let (mut here, mut line, mut value) = (*start, Vec::new(), 0);
    while let Some((group, next, reward)) = here.step(rng) {
        line.push(group);
        value += i64::from(reward);
        here = next;
    }
    (line, value)
}

/// Follows one mark; what it paid.
fn follow(trace: &mut Blocks, block: Block) -> Option<i32> {
    let mut out = None;
    SameGame::follow(trace, std::iter::once(block), |_, paid, _| {
        out = paid;
        true
    });
    out
}

#[test]
fn marks_of_a_line_replay_it() {
    let mut rng = Rng::new(42);
    for start in boards() {
        let (line, value) = random_line(&start, &mut rng);
        let (mut here, mut trace, mut paid) = (start, start.trace(0), 0);
        for &group in &line {
            let mark = SameGame::mark(&trace, group);
            assert_eq!(SameGame::action(&trace, mark), group);
            let stage = SameGame::stage(&trace);
            paid += i64::from(follow(&mut trace, mark).expect("a legal move"));
            assert!(SameGame::stage(&trace) < stage);
            here = here.apply(group).0;
            assert_eq!(trace.game(), here);
            assert_eq!(follow(&mut trace, mark), None, "it is gone");
            assert_eq!(trace.game(), here);
        }
        if !line.is_empty() {
            assert_eq!(paid + SameGame::end(&trace).pays, value);
        }
    }
}

/// Where every block of the start is, found by letting numbered blocks fall.
#[test]
fn blocks_are_found_where_they_fell() {
    let mut rng = Rng::new(43);
    for start in boards() {
        let cells = |game: &SameGame| (0..=255).filter(|&c| game.code(c) != 0).collect::<Vec<u8>>();
        // `columns[c][r]` is the number of the block that is there now.
        let mut columns: Vec<Vec<u8>> = vec![Vec::new(); 16];
        for cell in cells(&start) {
            columns[usize::from(cell / 16)].push(cell);
        }
        let (mut here, mut trace) = (start, start.trace(0));
        while let Some((group, next, _)) = here.step(&mut rng) {
            let taken = board::group_at(&here, group.0);
            let mark = SameGame::mark(&trace, group);
            follow(&mut trace, mark);
            for (c, column) in columns.iter_mut().enumerate() {
                let mut row = 0;
                column.retain(|_| {
                    row += 1;
                    !contains(&taken, 16 * c as u8 + row - 1)
                });
            }
            columns.retain(|column| !column.is_empty());
            here = next;
            for (c, column) in columns.iter().enumerate() {
                for (r, &number) in column.iter().enumerate() {
                    let block = Block { cell: number, code: start.code(number) };
                    let now = (16 * c + r) as u8;
                    assert_eq!(trace.find(block), Some(now));
                    assert_eq!(trace.cell_of(now), number);
                    assert_eq!(here.code(now), block.code);
                }
            }
            let left: usize = columns.iter().map(Vec::len).sum();
            assert_eq!(SameGame::stage(&trace), left);
        }
    }
}

#[test]
fn random_moves_are_legal_and_end_the_game() {
    let mut rng = Rng::new(44);
    for start in boards() {
        for way in 0..start.ways() {
            let mut trace = start.trace(way);
            if let Some(block) = SameGame::draw(&trace, &mut rng) {
                assert!(start.is_legal(SameGame::action(&trace, block)));
            }
            let (mut here, mut total) = (start.trace(way), 0);
            SameGame::finish(&mut trace, &mut rng, |block, paid, after| {
                total += i64::from(paid);
                assert_eq!(follow(&mut here, block), Some(paid));
                assert!(SameGame::same(&here, after));
            });
            assert!(trace.game().is_over());
            assert_eq!(trace.game(), here.game());
            assert!(SameGame::draw(&trace, &mut rng).is_none());
        }
    }
}

#[test]
fn the_spared_colour_goes_last() {
    let mut rng = Rng::new(45);
    let start = SameGame::start(&SameGameVariant::default(), &mut rng);
    for way in 0..start.ways() {
        let mut trace = start.trace(way);
        let (spared, mut here) = (trace.spared, trace);
        SameGame::finish(&mut trace, &mut rng, |block, _, after| {
            let free = here.game().actions().any(|g| here.game().code(g.0) != spared);
            assert!(block.code != spared || !free);
            here = *after;
        });
    }
    let counts = start.colour_counts();
    let most = start.trace(0).spared;
    assert_eq!(counts[usize::from(most) - 1], *counts.iter().max().unwrap());
}
