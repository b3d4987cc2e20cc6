//! Urheim's 100 daily boards: dates in 2025, and the fewest moves any player
//! needed on the day. The boards follow from the dates.

use ludens_games::Former;
use ludens_games::former::daily;

/// The year of all dates.
const YEAR: u16 = 2025;

/// Months with their days and the fewest moves of each.
const DAYS: [(u8, &[(u8, i64)]); 5] = [
    (1, &[(27, 13)]),
    (
        2,
        &[
            (3, 15),
            (4, 12),
            (5, 14),
            (6, 13),
            (7, 13),
            (8, 14),
            (9, 14),
            (10, 13),
            (11, 12),
            (12, 15),
            (13, 11),
            (14, 14),
            (15, 15),
            (17, 15),
            (18, 11),
            (19, 12),
            (20, 14),
            (22, 12),
            (23, 15),
            (24, 13),
            (25, 13),
            (26, 13),
            (27, 14),
            (28, 14),
        ],
    ),
    (
        3,
        &[
            (1, 14),
            (2, 14),
            (3, 14),
            (4, 14),
            (5, 13),
            (6, 10),
            (7, 13),
            (8, 16),
            (9, 14),
            (10, 16),
            (11, 14),
            (12, 14),
            (13, 16),
            (14, 12),
            (15, 12),
            (16, 14),
            (17, 11),
            (18, 11),
            (19, 13),
            (21, 13),
            (23, 13),
            (24, 12),
            (25, 14),
            (26, 13),
            (27, 12),
            (28, 13),
            (29, 15),
            (30, 13),
            (31, 14),
        ],
    ),
    (
        4,
        &[
            (1, 15),
            (2, 15),
            (3, 14),
            (4, 16),
            (5, 13),
            (6, 13),
            (7, 13),
            (8, 16),
            (9, 13),
            (10, 14),
            (11, 16),
            (12, 15),
            (13, 12),
            (14, 14),
            (15, 12),
            (16, 13),
            (17, 14),
            (18, 14),
            (19, 16),
            (20, 14),
            (21, 13),
            (22, 16),
            (23, 14),
            (24, 14),
            (28, 13),
            (29, 13),
            (30, 13),
        ],
    ),
    (
        5,
        &[
            (1, 13),
            (2, 13),
            (3, 15),
            (5, 14),
            (6, 13),
            (7, 13),
            (8, 16),
            (9, 14),
            (10, 12),
            (11, 15),
            (12, 16),
            (13, 12),
            (14, 14),
            (15, 14),
            (16, 12),
            (17, 13),
            (18, 11),
            (19, 16),
            (20, 13),
        ],
    ),
];

/// The date, the board and the fewest moves known of each.
pub(super) fn boards() -> impl Iterator<Item = (String, Former, i64)> {
    DAYS.iter().flat_map(|&(month, days)| {
        days.iter().map(move |&(day, best)| {
            let board = daily(YEAR, month, day).expect("the dates have boards");
            (format!("{YEAR}-{month:02}-{day:02}"), board, best)
        })
    })
}

#[cfg(test)]
mod tests {
    use ludens_arena::Suite;
    use ludens_core::Notation;

    use super::*;

    /// Urheim (2025) prints a mean of 13.6 moves.
    #[test]
    fn a_hundred_boards() {
        assert_eq!(boards().count(), 100);
        assert_eq!(boards().map(|(.., best)| best).sum::<i64>(), 1358);
    }

    #[test]
    fn agrees_with_the_data() {
        let Some(folder) = ludens_testkit::data_folder("daily boards") else { return };
        let path = folder.join("former/daily_boards.json");
        let check = |text: &str| Former::parse(&Default::default(), text).map(|b| b.text());
        let suite = Suite::read(&path, &check).unwrap();
        let own = boards().map(|(date, board, best)| (date, board.text(), Some(best)));
        let cases = suite.cases().iter();
        assert!(own.eq(cases.map(|c| (c.id.clone(), c.position.clone(), c.best_known))));
    }
}
