//! Former's own boards: the one of a day, and those of the thesis.

use std::time::Duration;

use ludens_core::{Notation, ParseError, children_per_second};
use ludens_games::Former;
use ludens_games::former::{Date, daily as daily_board, thesis_board};

use crate::{GameHandle, Table};

/// Former's name in commands.
pub const NAME: &str = Former::NAME;

/// Whether a game with its variant is Former, where few moves are the aim and
/// not many points.
pub fn is_former(spec: &str) -> bool {
    spec.split(':').next() == Some(NAME)
}

/// How many random boards the thesis has.
pub const THESIS_BOARDS: usize = 1000;

/// Whether the puzzle of the day is played in this variant.
pub fn has_daily_board(game: &dyn GameHandle) -> bool {
    game.spec() == NAME
}

/// The board of a day, `YYYY-MM-DD`.
///
/// # Errors
/// When the date is none, or before the first day whose board can be computed,
/// or the game is another one or has another size.
pub fn daily(game: &dyn GameHandle, date: &str) -> Result<Box<dyn Table>, ParseError> {
    let date: Date = date.parse()?;
    open(game, daily_board(date.year(), date.month(), date.day())?)
}

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

/// One of the thesis' random boards, numbered from 1.
///
/// # Errors
/// When there is no such board, or the game is another one or has another size.
pub fn thesis(game: &dyn GameHandle, number: usize) -> Result<Box<dyn Table>, ParseError> {
    let board = number.checked_sub(1).and_then(thesis_board);
    let missing = || ParseError::new("thesis board", number.to_string(), "a number from 1 to 1000");
    open(game, board.ok_or_else(missing)?)
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
    jiff::Timestamp::now().to_zoned(oslo).date().to_string()
}

fn open(game: &dyn GameHandle, board: Former) -> Result<Box<dyn Table>, ParseError> {
    if has_daily_board(game) {
        game.parse(&board.text())
    } else {
        Err(ParseError::new(
            "game",
            game.spec(),
            format!("plain '{NAME}' for a board of that kind"),
        ))
    }
}
