//! The README's picture: a Former board as the engine sees it.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use ludens_core::{Ink, View};
use ludens_engine::{Legal, former};

use crate::checks::{log, root};

/// The day whose board is shown.
const DATE: &str = "2025-05-18";
/// The side of a cell in pixels.
const CELL: usize = 44;
/// The width of the frame around the cells.
const EDGE: usize = 12;

/// Where the picture is.
pub fn path() -> PathBuf {
    root().join("docs/images/former.svg")
}

/// Writes the picture.
///
/// # Errors
/// When it cannot be written.
pub fn write() -> anyhow::Result<()> {
    fs::create_dir_all(root().join("docs/images"))?;
    fs::write(path(), svg())?;
    log(&format!("wrote {}", path().display()));
    Ok(())
}

/// The board of the day with its largest group marked.
///
/// # Panics
/// When Former is not registered or has no such board.
pub fn svg() -> String {
    let game = ludens_engine::game(former::NAME).expect("Former is registered");
    let table = game.generate("date", DATE).expect("the date has a board");
    let actions = table.actions();
    let largest = actions.iter().max_by_key(|a| a.cells.len()).expect("a full board has groups");
    draw(&table.view(), largest)
}

fn draw(view: &View, marked: &Legal) -> String {
    let (width, height) = (view.cols * CELL + 2 * EDGE, view.rows * CELL + 2 * EDGE);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"28\" text-anchor=\"middle\">\n\
         <title>Former, {DATE}: the largest group is marked</title>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"10\" fill=\"#20242c\"/>\n"
    );
    for (i, cell) in view.cells.iter().enumerate() {
        let (x, y) = (EDGE + i % view.cols * CELL, EDGE + i / view.cols * CELL);
        if marked.cells.contains(&i) {
            writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"#4a5262\"/>"
            )
            .expect("writing to a string cannot fail");
        }
        let (x, y) = (x + CELL / 2, y + CELL / 2 + 10);
        writeln!(
            svg,
            "<text x=\"{x}\" y=\"{y}\" fill=\"{}\">{}</text>",
            colour(cell.ink),
            cell.text
        )
        .expect("writing to a string cannot fail");
    }
    svg + "</svg>\n"
}

fn colour(ink: Ink) -> &'static str {
    match ink {
        Ink::Pink => "#ff8fb3",
        Ink::Blue => "#6fb1ff",
        Ink::Green => "#6fd66f",
        Ink::Orange => "#ff9f43",
        _ => "#e8e8e8",
    }
}
