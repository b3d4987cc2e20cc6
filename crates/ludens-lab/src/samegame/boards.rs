//! The published boards: those of a folder, those that `ludens data add` keeps, or seeded boards
//! of the same distribution.

use ludens_arena::{Case, Suite};
use ludens_core::Rng;
use ludens_runs::data::{SCHADD, STANDARD};

/// The rows and columns of all published boards, and their colours.
const SIDE: usize = 15;
const COLOURS: usize = 5;
/// Seeded boards in place of Schadd's.
const RANDOM_BOARDS: usize = 100;
/// The seed of the boards that stand in for published ones.
const SEED: u64 = 2015;

/// Boards like those of a published file, as texts that every variant of the game reads.
pub(crate) fn seeded(file: &str) -> Option<Vec<Case>> {
    let count = match file {
        STANDARD => super::STANDARD_BOARDS,
        SCHADD => RANDOM_BOARDS,
        _ => return None,
    };
    let board = |index: usize| {
        let mut rng = Rng::stream(SEED, index as u64);
        let position = cells(file, index, &mut rng);
        Case { id: (index + 1).to_string(), position, best_known: None }
    };
    Some((0..count).map(board).collect())
}

/// Schadd's boards and the first ten standard ones are uniformly random; the next five have 45
/// blocks of each colour, the last five 65 of one and 40 of each other.
fn cells(file: &str, index: usize, rng: &mut Rng) -> String {
    let size = SIDE * SIDE;
    let digit = |colour: usize| char::from(b'0' + colour as u8);
    let counts: [usize; COLOURS] = match (file, index) {
        (STANDARD, 10..15) => [45; COLOURS],
        (STANDARD, 15..) => {
            let most = rng.below(COLOURS as u32) as usize;
            std::array::from_fn(|colour| if colour == most { 65 } else { 40 })
        }
        _ => return (0..size).map(|_| digit(rng.below(COLOURS as u32) as usize)).collect(),
    };
    let blocks = counts.iter().enumerate();
    let mut cells: Vec<char> =
        blocks.flat_map(|(colour, &n)| std::iter::repeat_n(digit(colour), n)).collect();
    for last in (1..size).rev() {
        cells.swap(last, rng.below(last as u32 + 1) as usize);
    }
    cells.into_iter().collect()
}

/// The seeded boards as a suite of the game that `check` reads.
pub(crate) fn seeded_suite(
    file: &str,
    check: ludens_arena::suite::Check<'_>,
) -> Option<Result<Suite, ludens_arena::Error>> {
    let cases: Result<Vec<Case>, _> = seeded(file)?
        .into_iter()
        .map(|case| check(&case.position).map(|position| Case { position, ..case }))
        .collect();
    let name = format!("seeded like {file}");
    Some(match cases {
        Ok(cases) => Suite::new(name, cases),
        Err(source) => Err(ludens_arena::Error::Suite { name, source }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeded_boards_have_the_published_counts() {
        let boards = seeded(STANDARD).unwrap();
        let counts = |index: usize| {
            let count = |c: char| boards[index].position.matches(c).count();
            let mut counts = ['0', '1', '2', '3', '4'].map(count);
            counts.sort_unstable();
            counts
        };
        assert_eq!((boards.len(), seeded(SCHADD).unwrap().len()), (20, 100));
        assert_eq!((counts(10), counts(19)), ([45; 5], [40, 40, 40, 40, 65]));
        assert_eq!(counts(0).iter().sum::<usize>(), 225);
        assert!(counts(0) != [45; 5] && seeded("former/x.json").is_none());
    }
}
