//! What a position looks like, for any front: terminal, web page, notebook.

/// A colour by role; fronts choose the shade. Never the only carrier of meaning:
/// [`Cell::text`] distinguishes tiles without it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Ink {
    /// The front's own text colour.
    #[default]
    Plain,
    /// Less prominent, for empty cells and labels.
    Dim,
    /// Red.
    Red,
    /// Orange.
    Orange,
    /// Yellow.
    Yellow,
    /// Green.
    Green,
    /// Cyan.
    Cyan,
    /// Blue.
    Blue,
    /// Purple.
    Purple,
    /// Pink.
    Pink,
    /// Brown.
    Brown,
    /// Grey.
    Grey,
    /// White on dark fronts, black on light ones.
    Strong,
}

impl Ink {
    /// Eleven colours that are easy to distinguish, for numbered pieces.
    pub const PIECES: [Ink; 11] = [
        Ink::Red,
        Ink::Blue,
        Ink::Green,
        Ink::Orange,
        Ink::Purple,
        Ink::Cyan,
        Ink::Yellow,
        Ink::Pink,
        Ink::Brown,
        Ink::Grey,
        Ink::Strong,
    ];
}

/// One cell of a drawn board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cell {
    /// A few characters: a shape, a letter, a number. Empty for an empty cell.
    pub text: String,
    /// Its colour.
    pub ink: Ink,
}

impl Cell {
    /// A cell with a text and a colour.
    pub fn new(text: impl Into<String>, ink: Ink) -> Self {
        Cell { text: text.into(), ink }
    }

    /// An empty cell.
    pub fn empty() -> Self {
        Cell::default()
    }
}

/// Something to report about a position, under a stable name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fact {
    /// A number, such as `groups`.
    Number(&'static str, i64),
    /// A word or two, such as `hint`.
    Text(&'static str, String),
}

/// How a person moves in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// Point at a cell: the move whose cells contain it.
    Point,
    /// Pick several cells, then confirm: the move with exactly these cells.
    Pick,
    /// Slide with the arrow keys: moves named `up`, `right`, `down`, `left`.
    Slide,
    /// Name the move. Pointing at a cell leaves those whose cells contain it;
    /// there may be several.
    Name,
}

/// A drawn position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// Rows of cells.
    pub rows: usize,
    /// Columns of cells.
    pub cols: usize,
    /// The cells, top row first, left to right.
    pub cells: Vec<Cell>,
    /// A label per row, top first, in the game's own notation.
    pub row_labels: Vec<String>,
    /// A label per column.
    pub col_labels: Vec<String>,
    /// What else there is to know.
    pub facts: Vec<Fact>,
    /// How to move.
    pub control: Control,
}
