//! Board sizes and rule forms of Threes!.

use std::fmt;

use ludens_core::params::{differing, name_of};
use ludens_core::{Param, Parameter, Params, ParseError, Variant, parameters};

use crate::tiles::{Size, nibbles};

/// When bonus tiles come.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bonus {
    /// With probability 1/21 once the largest tile is 48 or more.
    On,
    /// Never.
    Off,
    /// As with [`On`](Bonus::On), but only while at most one in 21 of all tiles
    /// placed, the start tiles included, is a bonus tile.
    Capped,
}

/// Where a new tile may come, always on the side opposite to the slide.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SpawnRule {
    /// In a line that the slide changed.
    Changed,
    /// On any empty cell.
    Side,
}

/// The board's size and the rules about new tiles.
///
/// The default is the full game on 4x4: nine start tiles, a bag of twelve,
/// bonus tiles, new tiles in changed lines. Smaller boards default to the form
/// used for exact solving: one start tile, a bag of three, no bonus tiles, new
/// tiles on any empty cell of the side.
///
/// ```
/// use ludens_core::{Params, Variant};
/// use ludens_games::threes::ThreesVariant;
/// let small = ThreesVariant::read(&mut Params::parse("board=2x3").unwrap()).unwrap();
/// assert_eq!((small.start(), small.bag()), (1, 3));
/// ```
// Packed, so that every position can carry it: the size's code in bits 0-3,
// start tiles less one in 4-7, a bag of three in 8, bonus in 9-10, any empty
// cell of the side in 11.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreesVariant(u16);

const SMALL_BAG: u16 = 1 << 8;
const SIDE: u16 = 1 << 11;

const BONUSES: [(&str, Option<Bonus>); 3] =
    [("on", Some(Bonus::On)), ("off", Some(Bonus::Off)), ("capped", Some(Bonus::Capped))];
const SPAWN_RULES: [(&str, Option<SpawnRule>); 2] =
    [("changed", Some(SpawnRule::Changed)), ("side", Some(SpawnRule::Side))];

const START: Param<Option<u8>> = Param::opt_int("start", 1..=16)
    .rule("9 on 4x4, else 1")
    .help("number of start tiles, at most one per cell");
const BAG: Param<Option<u8>> = Param::opt_choice("bag", &[("12", Some(12)), ("3", Some(3))])
    .rule("12 on 4x4, else 3")
    .help("tiles in a full bag");
const BONUS: Param<Option<Bonus>> = Param::opt_choice("bonus", &BONUSES)
    .rule("on on 4x4, else off")
    .help("bonus tiles; capped: at most one in 21 tiles");
const SPAWN: Param<Option<SpawnRule>> = Param::opt_choice("spawn", &SPAWN_RULES)
    .alias("place")
    .rule("changed on 4x4, else side")
    .help("new tiles in lines that changed, or anywhere on the side");

impl ThreesVariant {
    /// The full game on 4x4, the form for exact solving on smaller boards.
    ///
    /// ```
    /// use ludens_games::threes::ThreesVariant;
    /// use ludens_games::tiles::Size;
    /// assert_eq!(ThreesVariant::of_size(Size::FULL), ThreesVariant::default());
    /// ```
    pub fn of_size(size: Size) -> ThreesVariant {
        if size == Size::FULL {
            ThreesVariant::new(size, 9, 12, Bonus::On, SpawnRule::Changed)
        } else {
            ThreesVariant::new(size, 1, 3, Bonus::Off, SpawnRule::Side)
        }
    }

    /// `start` is 1 to 16.
    fn new(size: Size, start: u8, bag: u8, bonus: Bonus, rule: SpawnRule) -> ThreesVariant {
        let bag = if bag == 12 { 0 } else { SMALL_BAG };
        let side = if rule == SpawnRule::Changed { 0 } else { SIDE };
        let counts = u16::from(size.code()) | u16::from(start - 1) << 4;
        ThreesVariant(counts | bag | (bonus as u16) << 9 | side)
    }

    /// Rows and columns of the board.
    #[inline]
    pub const fn size(self) -> Size {
        Size::from_code((self.0 & 15) as u8)
    }

    /// The number of start tiles.
    pub const fn start(self) -> u8 {
        (self.0 >> 4 & 15) as u8 + 1
    }

    /// The number of tiles in a full bag, 12 or 3.
    pub const fn bag(self) -> u8 {
        3 * self.of_each()
    }

    /// How many ones, twos and threes a full bag holds each.
    #[inline]
    pub(super) const fn of_each(self) -> u8 {
        if self.0 & SMALL_BAG == 0 { 4 } else { 1 }
    }

    /// When bonus tiles come.
    #[inline]
    pub const fn bonus(self) -> Bonus {
        match self.0 >> 9 & 3 {
            0 => Bonus::On,
            1 => Bonus::Off,
            _ => Bonus::Capped,
        }
    }

    /// Where new tiles come.
    #[inline]
    pub const fn spawn_rule(self) -> SpawnRule {
        if self.0 & SIDE == 0 { SpawnRule::Changed } else { SpawnRule::Side }
    }

    /// Flags of the board's squares.
    #[inline]
    pub(super) fn inside(self) -> u64 {
        nibbles::board(self.size())
    }

    /// The sixteen bits that distinguish variants.
    #[inline]
    pub(super) fn bits(self) -> u16 {
        self.0
    }
}

impl Default for ThreesVariant {
    fn default() -> Self {
        ThreesVariant::of_size(Size::FULL)
    }
}

impl fmt::Debug for ThreesVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.write().iter().map(|(key, value)| format!("{key}={value}")))
            .finish()
    }
}

impl Variant for ThreesVariant {
    const PARAMETERS: &'static [Parameter] = parameters![Size::BOARD, START, BAG, BONUS, SPAWN];

    fn read(params: &mut Params) -> Result<Self, ParseError> {
        let size = params.get(&Size::BOARD)?;
        let usual = ThreesVariant::of_size(size);
        let start = params.get(&START)?.unwrap_or(usual.start());
        size.check_start(start)?;
        Ok(ThreesVariant::new(
            size,
            start,
            params.get(&BAG)?.unwrap_or(usual.bag()),
            params.get(&BONUS)?.unwrap_or(usual.bonus()),
            params.get(&SPAWN)?.unwrap_or(usual.spawn_rule()),
        ))
    }

    fn write(&self) -> Vec<(&'static str, String)> {
        let usual = ThreesVariant::of_size(self.size());
        let bonus = |of: &Self| name_of(&BONUSES, Some(of.bonus()));
        let rule = |of: &Self| name_of(&SPAWN_RULES, Some(of.spawn_rule()));
        differing(&[
            (Size::BOARD.name(), &self.size(), &Size::FULL),
            (START.name(), &self.start(), &usual.start()),
            (BAG.name(), &self.bag(), &usual.bag()),
            (BONUS.name(), &bonus(self), &bonus(&usual)),
            (SPAWN.name(), &rule(self), &rule(&usual)),
        ])
    }
}
