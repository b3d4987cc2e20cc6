//! Former's own boards: the one of a day, and those of the thesis.

use std::time::Duration;

use ludens_core::error::quote;
use ludens_core::platform;
use ludens_core::{Notation, ParseError, children_per_second};
use ludens_games::Former;
use ludens_games::former::{Date, daily as daily_board, thesis_board};

use crate::Generator;

/// Former's name in commands.
pub const NAME: &str = Former::NAME;

/// How many random boards the thesis has.
pub const THESIS_BOARDS: usize = 1000;

/// The generators of Former's own boards.
pub(crate) const GENERATORS: &[Generator<Former>] = &[
    Generator {
        name: "date",
        help: "the board of a day, YYYY-MM-DD",
        today: Some(today_in_oslo),
        make: |date| {
            let date: Date = date.parse()?;
            daily_board(date.year(), date.month(), date.day())
        },
    },
    Generator {
        name: "thesis",
        help: "a board of the thesis of 2025, 1 to 1000",
        today: None,
        make: |number| {
            let index = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            let missing =
                || ParseError::new("thesis board", quote(number), "a number from 1 to 1000");
            index.and_then(thesis_board).ok_or_else(missing)
        },
    },
];

/// All days from one to another, both included.
///
/// # Errors
/// When one is no date, or the first comes after the last.
pub fn days(from: &str, to: &str) -> Result<Vec<String>, ParseError> {
    let (first, last): (Date, Date) = (from.parse()?, to.parse()?);
    if first > last {
        return Err(ParseError::new("dates", format!("{from}..{to}"), "the earlier one first"));
    }
    let days = std::iter::successors(Some(first), |day| day.next_day());
    Ok(days.take_while(|day| *day <= last).map(|day| day.to_string()).collect())
}

/// Children per second of random games from a thesis board, each evaluated by
/// its Euler number: what a beam search with that evaluation is made of.
pub fn child_evaluations_per_second(span: Duration) -> f64 {
    let board = thesis_board(0).expect("the thesis has boards");
    children_per_second(&board, span, 1, |child| child.euler() as u64)
}

/// The fewest moves known for the boards of some days: the best of the day as it was
/// published, or what `docs/results/puzzles.md` found where that differs.
///
/// ```
/// use ludens_engine::former::best_known;
/// assert!(best_known().any(|best| best == ("2025-05-18", 11)));
/// ```
pub fn best_known() -> impl Iterator<Item = (&'static str, u32)> {
    let lines = include_str!("../data/former-best.txt").lines();
    lines.filter_map(|line| {
        let (date, moves) = line.split_once(' ')?;
        Some((date, moves.parse().ok()?))
    })
}

/// Today's date where Former is published.
pub fn today_in_oslo() -> String {
    let oslo = jiff::tz::TimeZone::get("Europe/Oslo").unwrap_or(jiff::tz::TimeZone::UTC);
    let now = jiff::Timestamp::try_from(platform::system_time()).unwrap_or_default();
    now.to_zoned(oslo).date().to_string()
}
