//! Games in which tiles merge into the next of a series: 2048 and 2584.
//!
//! Text has rows joined by `/` and tile values by `,`, such as `0,2/4,0`; an afterstate ends
//! with ` *`. A new tile is `TILE@CELL`.

/// Makes a board of merging tiles a game, with notation, records and symmetries.
///
/// The board says what is its own: `size`, `variant`, `grid`, `from_grid`, `empty`,
/// `empty_squares`, `legal`, `slid`, `differs`, `with_tile`, `drawn` (a new tile by chance),
/// `each_child`, `mapped`, `tile_value` and `tile_index`, with a module `play` for random games;
/// the variant its `setup`, `odds` and `growth`.
macro_rules! merging_game {
    ($game:ident, $after:ident, $variant:ident, name: $name:literal, tiles: $tiles:literal, rule: $rule:expr) => {
        impl ludens_core::Position for $after {
            #[inline]
            fn key(&self) -> u64 {
                !self.0.key()
            }
        }

        impl ludens_core::Game for $game {
            $crate::tiles::slide_game!(variant: $variant, after: $after, chance: Spawn);

            fn variant(&self) -> $variant {
                self.variant()
            }

            fn start(variant: &$variant, rng: &mut Rng) -> Self {
                (0..variant.setup.start)
                    .fold($game::empty(*variant), |board, _| board.with_tile(board.drawn(rng)))
            }

            #[inline]
            fn actions(&self) -> Slides {
                self.legal()
            }

            #[inline]
            fn is_legal(&self, slide: Slide) -> bool {
                self.slid(slide).0.differs(self)
            }

            #[inline]
            fn apply(&self, slide: Slide) -> ($after, Reward) {
                let (slid, reward) = self.slid(slide);
                debug_assert!(slid.differs(self), "{slide:?} in {self:?}");
                ($after(slid), reward)
            }

            #[inline]
            fn outcomes(
                after: &$after,
                f: impl FnMut(Spawn, f64) -> std::ops::ControlFlow<()>,
            ) -> std::ops::ControlFlow<()> {
                after.0.variant().odds().outcomes(after.0.empty_squares(), f)
            }

            #[inline]
            fn apply_outcome(after: &$after, spawn: Spawn) -> (Self, Reward) {
                let empty = after.0.empty_squares();
                debug_assert!(empty >> spawn.square & 1 != 0, "{spawn:?} in {after:?}");
                (after.0.with_tile(spawn), 0)
            }

            #[inline]
            fn sample(after: &$after, rng: &mut Rng) -> Spawn {
                after.0.drawn(rng)
            }

            #[inline]
            fn children(&self, f: impl FnMut(Slide, $after, Reward)) {
                self.each_child(f);
            }

            /// Draws a slide and tries it: most slides are legal, and to know the legal
            /// ones takes as long as to try one.
            #[inline]
            fn step(&self, rng: &mut Rng) -> Option<(Slide, $after, Reward)> {
                let mut slide = Slide::ALL[(rng.next_u64() >> 62) as usize];
                let (mut slid, mut reward) = self.slid(slide);
                if !slid.differs(self) {
                    slide = self.legal().any(rng)?;
                    (slid, reward) = self.slid(slide);
                }
                Some((slide, $after(slid), reward))
            }

            fn playout(&self, rng: &mut Rng) -> ludens_core::Playout<Self> {
                play::playout(self, rng)
            }
        }

        impl $game {
            /// The slides one by one, so that what they share is done once.
            #[inline(always)]
            fn one_by_one(&self, mut f: impl FnMut(Slide, $after, Reward)) {
                let mut child = |slide: Slide, (slid, reward): (Self, Reward)| {
                    if slid.differs(self) {
                        f(slide, $after(slid), reward);
                    }
                };
                child(Slide::Up, self.slid(Slide::Up));
                child(Slide::Right, self.slid(Slide::Right));
                child(Slide::Down, self.slid(Slide::Down));
                child(Slide::Left, self.slid(Slide::Left));
            }
        }

        impl ludens_core::Solo for $game {}

        impl ludens_core::Starts for $game {
            fn starts(variant: &$variant, mut f: impl FnMut(Self, f64)) {
                let $crate::tiles::Setup { size, start } = variant.setup;
                variant.odds().starts(size, usize::from(start), |grid, p| {
                    f($game::from_grid(grid, *variant), p);
                });
            }
        }

        $crate::tiles::slide_actions!($game, $variant);

        impl ludens_core::Symmetric for $game {
            fn symmetries(variant: &$variant) -> u32 {
                $crate::tiles::symmetry::count(variant.setup.size)
            }

            #[inline]
            fn map(&self, sym: ludens_core::Sym) -> Self {
                self.mapped(sym)
            }

            #[inline]
            fn map_action(&self, slide: Slide, sym: ludens_core::Sym) -> Slide {
                $crate::tiles::symmetry::map_slide(slide, sym)
            }

            #[inline]
            fn map_after(after: &$after, sym: ludens_core::Sym) -> $after {
                $after(after.0.mapped(sym))
            }

            #[inline]
            fn map_chance(after: &$after, spawn: Spawn, sym: ludens_core::Sym) -> Spawn {
                spawn.mapped(after.0.size(), sym)
            }
        }

        impl ludens_core::Notation for $game {
            const NAME: &'static str = $name;

            fn parse(variant: &$variant, text: &str) -> Result<Self, ludens_core::ParseError> {
                let size = variant.setup.size;
                let grid = $crate::tiles::text::parse(size, text.trim(), $tiles, Self::tile_index)?;
                variant.growth().check(size, &grid, Self::tile_value)?;
                Ok($game::from_grid(&grid, *variant))
            }

            fn text(&self) -> String {
                let grid = self.grid();
                $crate::tiles::text::write(self.size(), |square| Self::tile_value(grid[square]))
            }

            fn parse_action(&self, text: &str) -> Result<Slide, ludens_core::ParseError> {
                Slide::parse_legal(text, self.legal())
            }

            fn action_text(&self, slide: Slide) -> String {
                slide.name().to_owned()
            }

            fn chance_text(after: &$after, spawn: Spawn) -> String {
                let value = Self::tile_value(spawn.index);
                $crate::tiles::text::write_spawn(after.0.size(), value, spawn.square)
            }

            fn view(&self) -> ludens_core::View {
                let none = Vec::new();
                $crate::tiles::view::board(self.size(), &self.grid(), Self::tile_value, none)
            }

            fn action_cells(&self, slide: Slide) -> Vec<usize> {
                let slid = self.slid(slide).0.grid();
                $crate::tiles::view::changed(self.size(), &self.grid(), &slid)
            }

            fn motion(&self, slide: Slide) -> Vec<ludens_core::Movement> {
                let merge = |a, b| $rule.merge(a, b);
                $crate::tiles::motion::far(self.size(), &self.grid(), slide, merge)
            }

            fn chance_motion(after: &$after, spawn: Spawn) -> Vec<ludens_core::Movement> {
                let cells = <Self as ludens_core::AfterNotation>::chance_cells(after, spawn);
                cells.into_iter().map(|cell| ludens_core::Movement::appear(cell, 0)).collect()
            }
        }

        impl ludens_core::AfterNotation for $game {
            fn after_variant(after: &$after) -> $variant {
                after.0.variant()
            }

            fn parse_after(
                variant: &$variant,
                text: &str,
            ) -> Result<$after, ludens_core::ParseError> {
                let board = $crate::tiles::text::board_of_after(text)?;
                let after = <$game as ludens_core::Notation>::parse(variant, board)?;
                $crate::tiles::text::has_room(after.empty_squares())?;
                Ok($after(after))
            }

            fn after_text(after: &$after) -> String {
                $crate::tiles::text::write_after(&ludens_core::Notation::text(&after.0))
            }

            fn after_view(after: &$after) -> ludens_core::View {
                ludens_core::Notation::view(&after.0)
            }

            fn chance_cells(after: &$after, spawn: Spawn) -> Vec<usize> {
                vec![after.0.size().cell(usize::from(spawn.square))]
            }
        }

        impl ludens_core::Spawns for $game {
            type Tile = u8;

            fn tile_of(_: &$after, spawn: Spawn) -> u8 {
                spawn.index
            }

            fn tile_text(index: u8) -> String {
                Self::tile_value(index).to_string()
            }
        }

        impl $crate::framework::FrameworkGame for $game {
            const FORM: $crate::framework::Form = $crate::framework::Form::Tile;

            fn placement(after: &$after, spawn: Spawn) -> $crate::framework::Placement {
                $crate::framework::Placement::of(after.0.size(), spawn)
            }

            fn value(_: u8) -> Reward {
                0
            }

            fn opening(&self) -> Option<Vec<$crate::framework::Placement>> {
                let variant = self.variant();
                $crate::framework::opening_of(variant.setup, variant.odds(), &self.grid())
            }

            fn begin(
                variant: &$variant,
                opening: &[$crate::framework::Placement],
            ) -> Result<Self, $crate::framework::Refused> {
                let grid = $crate::framework::board_of(variant.setup, variant.odds(), opening)?;
                Ok($game::from_grid(&grid, *variant))
            }
        }
    };
}
pub(crate) use merging_game;
