//! A [`View`] as lines of styled pieces, for plain terminals and the full screen alike.

use ludens_core::{Cell, Fact, Ink, View};
use ludens_engine::Legal;

/// A piece of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) ink: Ink,
    /// Drawn the other way round, to stand out.
    pub(crate) marked: bool,
}

/// A drawn board: lines, and where its cells are in them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Board {
    pub(crate) lines: Vec<Vec<Piece>>,
    rows: usize,
    cols: usize,
    /// Characters left of the first cell.
    margin: usize,
    /// Characters of a cell.
    width: usize,
}

/// Lines above the first row of cells.
const FRAME: usize = 1;

impl Board {
    /// Draws a board with some cells marked.
    pub(crate) fn new(view: &View, marked: impl Fn(usize) -> bool) -> Board {
        let longest = |texts: &mut dyn Iterator<Item = &str>| {
            texts.map(|t| t.chars().count()).max().unwrap_or(0)
        };
        let label = longest(&mut view.row_labels.iter().map(String::as_str));
        let content = longest(&mut view.cells.iter().map(|c| c.text.as_str()))
            .max(longest(&mut view.col_labels.iter().map(String::as_str)))
            .max(1);
        let width = content + 2;
        let mut board =
            Board { lines: Vec::new(), rows: view.rows, cols: view.cols, margin: label + 2, width };
        let edge = "─".repeat(width * view.cols);
        let indent = " ".repeat(label + 1);
        board.lines.push(vec![dim(format!("{indent}┌{edge}┐"))]);
        for (row, cells) in view.cells.chunks(view.cols.max(1)).enumerate() {
            let mut line = vec![dim(format!("{:>label$} │", view.row_labels[row]))];
            line.extend(cells.iter().enumerate().map(|(column, cell)| {
                let index = row * view.cols + column;
                cell_piece(cell, width, marked(index))
            }));
            line.push(dim("│".to_owned()));
            board.lines.push(line);
        }
        board.lines.push(vec![dim(format!("{indent}└{edge}┘"))]);
        let columns: String = view.col_labels.iter().map(|l| centred(l, width)).collect();
        if !columns.trim().is_empty() {
            let text = format!("{}{columns}", " ".repeat(board.margin));
            board.lines.push(vec![dim(text.trim_end().to_owned())]);
        }
        board
    }

    /// The cell at a character of the drawing.
    pub(crate) fn cell_at(&self, line: usize, character: usize) -> Option<usize> {
        let row = line.checked_sub(FRAME)?;
        let column = character.checked_sub(self.margin)? / self.width;
        (row < self.rows && column < self.cols).then_some(row * self.cols + column)
    }

    /// The drawing as text with escape sequences.
    pub(crate) fn ansi(&self) -> String {
        let mut out = String::new();
        for line in &self.lines {
            for piece in line {
                let style = style(piece);
                out.push_str(&format!("{style}{}{style:#}", piece.text));
            }
            out.push('\n');
        }
        out
    }
}

/// The facts of a view as one line, such as `groups 23  bound 6`.
pub(crate) fn facts(view: &View) -> String {
    let facts: Vec<String> = view
        .facts
        .iter()
        .map(|fact| match fact {
            Fact::Number(name, value) => format!("{name} {value}"),
            Fact::Text(name, value) => format!("{name} {value}"),
        })
        .collect();
    facts.join("  ")
}

fn dim(text: String) -> Piece {
    Piece { text, ink: Ink::Dim, marked: false }
}

fn cell_piece(cell: &Cell, width: usize, marked: bool) -> Piece {
    if cell.text.is_empty() {
        return Piece { text: centred("·", width), ink: Ink::Dim, marked };
    }
    Piece { text: centred(&cell.text, width), ink: cell.ink, marked }
}

/// The text in the middle of `width` characters, a little to the left if uneven.
fn centred(text: &str, width: usize) -> String {
    format!("{text:^width$}")
}

/// The 256-colour number of an ink; `None` is the terminal's own colour.
pub(crate) fn colour_number(ink: Ink) -> Option<u8> {
    match ink {
        Ink::Plain | Ink::Strong => None,
        Ink::Dim => Some(242),
        Ink::Red => Some(203),
        Ink::Orange => Some(208),
        Ink::Yellow => Some(220),
        Ink::Green => Some(77),
        Ink::Cyan => Some(44),
        Ink::Blue => Some(75),
        Ink::Purple => Some(141),
        Ink::Pink => Some(211),
        Ink::Brown => Some(137),
        Ink::Grey => Some(248),
    }
}

fn style(piece: &Piece) -> anstyle::Style {
    let mut style = anstyle::Style::new();
    if let Some(number) = colour_number(piece.ink) {
        style = style.fg_color(Some(anstyle::Ansi256Color(number).into()));
    }
    if piece.ink == Ink::Strong {
        style = style.bold();
    }
    if piece.marked {
        style = style.invert();
    }
    style
}
/// What a move of a puzzle takes off the board and, in games for points, pays.
pub(crate) fn removes(step: &Legal, fewest_moves: bool) -> String {
    let cells = match step.cells.len() {
        1 => "1 cell".to_owned(),
        count => format!("{count} cells"),
    };
    if fewest_moves { cells } else { format!("{cells}, {:+}", step.reward) }
}
