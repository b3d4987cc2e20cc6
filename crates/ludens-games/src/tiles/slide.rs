//! The four directions and sets of them.

use crate::action_list::action_list;
use ludens_core::bits::nth_bit;
use ludens_core::error::quote;
use ludens_core::{ParseError, Rng};

/// A direction to slide all tiles in. Its number is its index among the actions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Slide {
    /// Towards the first row.
    Up,
    /// Towards the last column.
    Right,
    /// Towards the last row.
    Down,
    /// Towards the first column.
    Left,
}

impl Slide {
    /// All four in the order of their indices.
    pub const ALL: [Slide; 4] = [Slide::Up, Slide::Right, Slide::Down, Slide::Left];

    /// 0 to 3 for up, right, down, left.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The slide of an index.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Slide> {
        if index < 4 { Some(Slide::ALL[index]) } else { None }
    }

    /// Whether tiles move along columns.
    #[inline]
    pub const fn is_vertical(self) -> bool {
        self as u8 & 1 == 0
    }

    /// Whether tiles move towards higher squares: right or down.
    #[inline]
    pub const fn is_forward(self) -> bool {
        matches!(self, Slide::Right | Slide::Down)
    }

    /// The other way along the same lines.
    #[inline]
    pub const fn opposite(self) -> Slide {
        Slide::ALL[self as usize ^ 2]
    }

    /// `up`, `right`, `down` or `left`.
    pub const fn name(self) -> &'static str {
        ["up", "right", "down", "left"][self as usize]
    }

    /// Reads a [`name`](Slide::name) or its first letter, small or capital.
    ///
    /// # Errors
    /// When the text is neither.
    pub fn parse(text: &str) -> Result<Slide, ParseError> {
        match text {
            "up" | "u" | "U" => Ok(Slide::Up),
            "right" | "r" | "R" => Ok(Slide::Right),
            "down" | "d" | "D" => Ok(Slide::Down),
            "left" | "l" | "L" => Ok(Slide::Left),
            _ => Err(ParseError::new("move", quote(text), "up, right, down or left")),
        }
    }

    /// Reads a slide that is among the `legal` ones.
    ///
    /// # Errors
    /// When the text is no slide, or one that is not legal.
    pub fn parse_legal(text: &str, legal: Slides) -> Result<Slide, ParseError> {
        let slide = Slide::parse(text)?;
        if legal.contains(slide) {
            return Ok(slide);
        }
        Err(ParseError::new("move", quote(text), legal.expected()))
    }
}

/// A set of slides, and an iterator over it in the order of their indices.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Slides(u8);

impl Slides {
    /// The set with bit `i` for the slide of index `i`; higher bits are ignored.
    #[inline]
    pub const fn from_bits(bits: u8) -> Slides {
        Slides(bits & 0xF)
    }

    /// Bit `i` is set when the slide of index `i` is in the set.
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether a slide is in the set.
    #[inline]
    pub const fn contains(self, slide: Slide) -> bool {
        self.0 >> slide as u8 & 1 != 0
    }

    /// Whether there is no slide in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// What a message says is expected where these are the legal slides.
    pub(crate) fn expected(self) -> String {
        if self.is_empty() {
            return "no move: the game is over".to_owned();
        }
        let names: Vec<&str> = self.map(Slide::name).collect();
        format!("a slide that moves a tile: {}", names.join(", "))
    }

    /// One of the slides, each equally likely; `None` if there is none.
    #[inline]
    pub fn any(self, rng: &mut Rng) -> Option<Slide> {
        if self.is_empty() {
            return None;
        }
        let n = rng.below(self.0.count_ones());
        Slide::from_index(nth_bit(u64::from(self.0), n).trailing_zeros() as usize)
    }
}

impl FromIterator<Slide> for Slides {
    fn from_iter<I: IntoIterator<Item = Slide>>(slides: I) -> Self {
        Slides(slides.into_iter().fold(0, |bits, slide| bits | 1 << slide as u8))
    }
}

action_list!(
    Slides,
    Slide,
    next: |list| {
        let slide = Slide::from_index(list.0.trailing_zeros() as usize)?;
        list.0 &= list.0 - 1;
        Some(slide)
    },
    left: |list| list.0.count_ones()
);

/// Opens `impl Game` of a game for one whose moves are slides and where a tile comes after each.
macro_rules! slide_game {
    (variant: $variant:ty, after: $after:ty, chance: $chance:ty) => {
        const PLAYERS: usize = 1;
        type Variant = $variant;
        type Action = $crate::tiles::Slide;
        type Actions = $crate::tiles::Slides;
        type After = $after;
        type Chance = $chance;

        #[inline]
        fn is_chance(_: &$after) -> bool {
            true
        }
    };
}
pub(crate) use slide_game;

/// Implements [`FixedActions`](ludens_core::FixedActions) for a game whose moves are slides.
macro_rules! slide_actions {
    ($game:ty, $variant:ty) => {
        impl ludens_core::FixedActions for $game {
            fn action_space(_: &$variant) -> usize {
                $crate::tiles::Slide::ALL.len()
            }

            #[inline]
            fn action_index(&self, slide: $crate::tiles::Slide) -> usize {
                slide.index()
            }

            #[inline]
            fn action_of_index(&self, index: usize) -> Option<$crate::tiles::Slide> {
                $crate::tiles::Slide::from_index(index)
            }
        }
    };
}
pub(crate) use slide_actions;
