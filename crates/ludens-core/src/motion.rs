//! How the pieces of a drawing get from one position to the next, for fronts that show it.
//!
//! A list of [`Movement`]s says of every piece that moves, comes, goes or changes its look where it
//! was and where it is. Cells that no movement names stay as they are. Movements of a lower
//! [`order`](Movement::order) come first, those of the same one at the same time; a piece may have
//! several, one after another. Reversed, with `from` and `to` exchanged, the list takes the move back.

/// Where a piece is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// A cell of the drawing.
    Cell(usize),
    /// Beside the board, where the number of a view's fact of this name counts it.
    Store(&'static str),
    /// Nowhere: it comes to the board or leaves it.
    Off,
}

/// What a movement looks like.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MovementKind {
    /// It goes straight.
    Slide,
    /// It goes straight, and becomes one with what comes to the same cell.
    Merge,
    /// It falls down; what comes to the board falls in from above.
    Fall,
    /// It stays and shows another side.
    Turn,
    /// It comes to the board where it lies.
    Appear,
    /// It leaves the board from where it lies.
    Vanish,
    /// One of a cell's many balls goes elsewhere; the text of a cell counts them.
    Sow,
}

impl MovementKind {
    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            MovementKind::Slide => "slide",
            MovementKind::Merge => "merge",
            MovementKind::Fall => "fall",
            MovementKind::Turn => "turn",
            MovementKind::Appear => "appear",
            MovementKind::Vanish => "vanish",
            MovementKind::Sow => "sow",
        }
    }
}

/// The way of one piece between two drawings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Movement {
    /// Where it was: cells are those of the drawing before.
    pub from: Place,
    /// Where it is then: cells are those of the drawing after.
    pub to: Place,
    /// When it begins: after all movements of a lower number.
    pub order: u16,
    /// What it looks like.
    pub kind: MovementKind,
}

impl Movement {
    /// A piece that goes from one cell to another.
    pub const fn between(from: usize, to: usize, order: u16, kind: MovementKind) -> Self {
        Movement { from: Place::Cell(from), to: Place::Cell(to), order, kind }
    }

    /// A piece that comes to the board.
    pub const fn appear(to: usize, order: u16) -> Self {
        Movement { from: Place::Off, to: Place::Cell(to), order, kind: MovementKind::Appear }
    }

    /// A piece that leaves the board.
    pub const fn vanish(from: usize, order: u16) -> Self {
        Movement { from: Place::Cell(from), to: Place::Off, order, kind: MovementKind::Vanish }
    }

    /// A piece that stays and shows another side.
    pub const fn turn(cell: usize, order: u16) -> Self {
        Movement::between(cell, cell, order, MovementKind::Turn)
    }
}

/// The movements of a player's move, and after them those of what nature did.
pub fn in_turn(mut motion: Vec<Movement>, then: Vec<Movement>) -> Vec<Movement> {
    let first = motion.iter().map(|movement| movement.order + 1).max().unwrap_or(0);
    motion.extend(then.into_iter().map(|m| Movement { order: m.order + first, ..m }));
    motion
}
