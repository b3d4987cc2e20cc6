//! Board sizes and ways of counting.

use ludens_core::error::quote;
use ludens_core::params::{differing, name_of};
use ludens_core::{Param, Parameter, Params, ParseError, Reward, Variant, parameters};

/// The longest side of a board.
pub(super) const MAX_SIDE: u8 = 16;
/// The most colours: codes of three bits, 0 meaning empty.
pub(super) const MAX_COLOURS: u8 = 7;
/// What clearing the board pays.
pub(super) const CLEARED: Reward = 1000;

/// What blocks left at the end cost under [`Scoring::SameGame`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Penalty {
    /// Nothing.
    #[default]
    None,
    /// `(m-2)^2` for `m` blocks.
    All,
    /// `(m-2)^2` for each colour of which `m >= 1` blocks are left.
    Colour,
}

/// How moves and ends are paid.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scoring {
    /// `(n-2)^2` for a group of `n`, 1000 for a cleared board.
    SameGame(Penalty),
    /// Bubble Breaker: `n(n-1)` for a group of `n`, nothing at the end.
    Bubble,
    /// Clickomania: nothing for groups, minus the number of blocks left at the end.
    Clickomania,
}

impl Scoring {
    /// What a group of `size` blocks pays.
    #[inline(always)]
    pub(super) fn group(self, size: u32) -> Reward {
        let n = size as Reward;
        match self {
            Scoring::SameGame(_) => (n - 2) * (n - 2),
            Scoring::Bubble => n * (n - 1),
            Scoring::Clickomania => 0,
        }
    }

    /// Whether the blocks of a finished board count, so that one must know
    /// whether a board with blocks is finished.
    #[inline(always)]
    pub(super) fn counts_blocks(self) -> bool {
        !matches!(self, Scoring::SameGame(Penalty::None) | Scoring::Bubble)
    }

    /// What the move that ends the game pays besides, by the blocks of each
    /// colour that are left.
    pub(super) fn end(self, left: [u32; MAX_COLOURS as usize]) -> Reward {
        let square = |m: u32| {
            let m = m as Reward;
            (m - 2) * (m - 2)
        };
        let blocks: u32 = left.iter().sum();
        match self {
            Scoring::SameGame(_) if blocks == 0 => CLEARED,
            Scoring::SameGame(Penalty::All) => -square(blocks),
            Scoring::SameGame(Penalty::Colour) => {
                -left.into_iter().filter(|&m| m > 0).map(square).sum::<Reward>()
            }
            Scoring::SameGame(Penalty::None) | Scoring::Bubble => 0,
            Scoring::Clickomania => -(blocks as Reward),
        }
    }
}

/// A board size with a way of counting.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SameGameVariant {
    rows: u8,
    cols: u8,
    colours: u8,
    scoring: Scoring,
    empty: Option<u8>,
}

impl SameGameVariant {
    /// A variant, if the sides are 1 to 16 and the colours 1 to 7.
    ///
    /// ```
    /// use ludens_games::samegame::{Penalty, SameGameVariant, Scoring};
    /// let small = SameGameVariant::new(10, 10, 4, Scoring::SameGame(Penalty::Colour)).unwrap();
    /// assert_eq!((small.rows(), small.cols(), small.colours()), (10, 10, 4));
    /// assert_eq!(SameGameVariant::new(17, 10, 4, Scoring::Bubble), None);
    /// ```
    pub fn new(rows: u8, cols: u8, colours: u8, scoring: Scoring) -> Option<Self> {
        let fits = (1..=MAX_SIDE).contains(&rows)
            && (1..=MAX_SIDE).contains(&cols)
            && (1..=MAX_COLOURS).contains(&colours);
        fits.then_some(SameGameVariant { rows, cols, colours, scoring, empty: None })
    }

    /// The number of rows.
    #[inline]
    pub fn rows(&self) -> u8 {
        self.rows
    }

    /// The number of columns.
    #[inline]
    pub fn cols(&self) -> u8 {
        self.cols
    }

    /// The number of colours.
    #[inline]
    pub fn colours(&self) -> u8 {
        self.colours
    }

    /// How moves and ends are paid.
    #[inline]
    pub fn scoring(&self) -> Scoring {
        self.scoring
    }

    /// The same variant with boards whose cells of one colour are empty, if it
    /// has the colour: what was above them falls before the first move.
    ///
    /// ```
    /// use ludens_core::Notation;
    /// use ludens_games::samegame::{SameGame, SameGameVariant, Scoring};
    /// let plain = SameGameVariant::new(2, 3, 3, Scoring::Bubble).unwrap();
    /// let emptier = plain.with_empty(0).unwrap();
    /// assert_eq!(SameGame::parse(&emptier, "201/101").unwrap().text(), "21.11.");
    /// assert_eq!(plain.with_empty(3), None);
    /// ```
    pub fn with_empty(self, colour: u8) -> Option<Self> {
        (colour < self.colours).then_some(SameGameVariant { empty: Some(colour), ..self })
    }

    /// The colour whose cells are empty.
    #[inline]
    pub fn empty(&self) -> Option<u8> {
        self.empty
    }

    /// A word that distinguishes variants, for keys.
    #[inline]
    pub(super) fn word(&self) -> u64 {
        let scoring = match self.scoring {
            Scoring::SameGame(penalty) => penalty as u8,
            Scoring::Bubble => 3,
            Scoring::Clickomania => 4,
        };
        let empty = self.empty.map_or(0, |colour| colour + 1);
        u64::from_le_bytes([self.rows, self.cols, self.colours, scoring, empty, 0, 0, 0])
    }
}

impl Default for SameGameVariant {
    fn default() -> Self {
        SameGameVariant {
            rows: ROWS.default(),
            cols: COLS.default(),
            colours: COLOURS.default(),
            scoring: SCORING.default(),
            empty: EMPTY.default(),
        }
    }
}

const SCORINGS: [(&str, Scoring); 3] = [
    ("samegame", Scoring::SameGame(Penalty::None)),
    ("bubble", Scoring::Bubble),
    ("clickomania", Scoring::Clickomania),
];

const PENALTIES: [(&str, Penalty); 3] =
    [("none", Penalty::None), ("all", Penalty::All), ("colour", Penalty::Colour)];

const ROWS: Param<u8> = Param::int("rows", 1..=MAX_SIDE as u64, 15).help("rows of the board");
const COLS: Param<u8> = Param::int("cols", 1..=MAX_SIDE as u64, 15).help("columns of the board");
const COLOURS: Param<u8> =
    Param::int("colours", 1..=MAX_COLOURS as u64, 5).help("colours of blocks");
const SCORING: Param<Scoring> =
    Param::choice("scoring", &SCORINGS, "samegame").help("what groups and ends pay");
const PENALTY: Param<Penalty> = Param::choice("penalty", &PENALTIES, "none")
    .help("what blocks left cost, with scoring=samegame");
const EMPTY: Param<Option<u8>> = Param::opt_int("empty", 0..=MAX_COLOURS as u64 - 1)
    .word("none")
    .help("a colour that is read as empty cells; what is above them falls first");

impl Variant for SameGameVariant {
    const PARAMETERS: &'static [Parameter] =
        parameters![ROWS, COLS, COLOURS, SCORING, PENALTY, EMPTY];

    fn read(params: &mut Params) -> Result<Self, ParseError> {
        let (rows, cols, colours) = (params.get(&ROWS)?, params.get(&COLS)?, params.get(&COLOURS)?);
        let scoring = match (params.get(&SCORING)?, params.get(&PENALTY)?) {
            (Scoring::SameGame(_), penalty) => Scoring::SameGame(penalty),
            (other, Penalty::None) => other,
            (other, penalty) => {
                let found = quote(name_of(&PENALTIES, penalty));
                let expected = format!("none with scoring={}", name_of(&SCORINGS, other));
                return Err(ParseError::new("parameter penalty", found, expected));
            }
        };
        let empty = params.get(&EMPTY)?;
        if let Some(colour) = empty.filter(|&colour| colour >= colours) {
            let expected = format!("none or a colour 0-{}", colours - 1);
            return Err(ParseError::new("parameter empty", quote(&colour.to_string()), expected));
        }
        Ok(SameGameVariant { rows, cols, colours, scoring, empty })
    }

    fn write(&self) -> Vec<(&'static str, String)> {
        let (scoring, penalty) = match self.scoring {
            Scoring::SameGame(penalty) => (SCORING.default(), penalty),
            other => (other, Penalty::None),
        };
        let scoring_name = |scoring| name_of(&SCORINGS, scoring);
        let penalty_name = |penalty| name_of(&PENALTIES, penalty);
        let empty = self.empty.map_or("none".to_owned(), |colour| colour.to_string());
        differing(&[
            (ROWS.name(), &self.rows, &ROWS.default()),
            (COLS.name(), &self.cols, &COLS.default()),
            (COLOURS.name(), &self.colours, &COLOURS.default()),
            (SCORING.name(), &scoring_name(scoring), &scoring_name(SCORING.default())),
            (PENALTY.name(), &penalty_name(penalty), &penalty_name(PENALTY.default())),
            (EMPTY.name(), &empty, &EMPTY.parameter.default),
        ])
    }
}
