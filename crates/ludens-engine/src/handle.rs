//! A variant of a registered game behind a trait object.

use ludens_core::error::quote;
use ludens_core::{ParseError, Record, Rng};

use crate::contestant::{Contestant, Seated};
use crate::environment::{Node, State};
use crate::form::{Form, GameInfo, Generator, Registered};
use crate::objective::Objective;
use crate::puzzle::{self, Puzzle, PuzzleMaker};
use crate::vector::{Envs, VectorEnv, VectorOptions};
use crate::{Named, Session, Table};

/// A game with its variant, ready to begin.
pub trait GameHandle: Send + Sync {
    /// How the game is listed.
    fn info(&self) -> &GameInfo;

    /// The game with its variant, such as `sevn:base=5`.
    fn spec(&self) -> String;

    /// A seeded start.
    fn start(&self, seed: u64) -> Box<dyn Table>;

    /// Whether `start` gives the same position for every seed.
    fn fixed_start(&self) -> bool;

    /// The names of the generators of its own positions, those of the default variant.
    fn generators(&self) -> Vec<&'static str>;

    /// The position of a generator, such as `date`, by its value.
    ///
    /// # Errors
    /// When this variant has no such generator, or the value is wrong.
    fn generate(&self, name: &str, value: &str) -> Result<Box<dyn Table>, ParseError>;

    /// The position of a generator that has one for every day, for today; `None` where there is
    /// none.
    fn todays(&self) -> Option<Result<Box<dyn Table>, ParseError>>;

    /// What kind of puzzle this variant has for every day, if it has one.
    fn puzzle_kind(&self) -> Option<puzzle::Kind>;

    /// The puzzle of a day, `YYYY-MM-DD`.
    ///
    /// # Errors
    /// When this variant has no puzzles, or the date is wrong.
    fn puzzle(&self, date: &str) -> Result<Puzzle, ParseError>;

    /// What a game starts with when no position is named: today's, or a start of `seed`.
    ///
    /// # Errors
    /// When today's position cannot be made.
    fn default_position(&self, seed: u64) -> Result<Box<dyn Table>, ParseError> {
        self.todays().unwrap_or_else(|| Ok(self.start(seed)))
    }

    /// Whether games end with a winner or a draw: what agents are rated in.
    fn has_winners(&self) -> bool {
        self.info().objective == Objective::Win
    }

    /// A seeded start followed by `plies` random moves (fewer if it ends before).
    fn random(&self, seed: u64, plies: usize) -> Box<dyn Table>;

    /// A table at a position.
    ///
    /// # Errors
    /// When the text is no position of this variant.
    fn parse(&self, text: &str) -> Result<Box<dyn Table>, ParseError>;

    /// A table with a whole recorded game played on it.
    ///
    /// # Errors
    /// When a move, outcome or reward of the record is not by the rules, or not
    /// written as [`Table::record`] would write it.
    fn replay(&self, record: &Record) -> Result<Box<dyn Table>, ParseError>;

    /// The agent of a text as a player of whole games, and what its games are kept under.
    ///
    /// # Errors
    /// When there is no such agent, or it is a person.
    fn contestant(&self, agent: &str) -> Result<(Box<dyn Contestant>, Named), ParseError>;

    /// How many numbers of actions there are; see [`Environment`](crate::environment::Environment).
    fn action_count(&self) -> usize;

    /// Rows, columns and planes of an observation.
    fn observation_shape(&self) -> [usize; 3];

    /// A position as a value that never changes.
    ///
    /// # Errors
    /// When the text is no position of this variant.
    fn state(&self, text: &str) -> Result<Box<dyn State>, ParseError>;

    /// Many games stepped together.
    ///
    /// # Errors
    /// When an option is wrong.
    fn vector(&self, options: &VectorOptions) -> Result<Box<dyn VectorEnv>, ParseError>;
}

/// The one implementation of [`GameHandle`].
pub(crate) struct Handle<G: Registered> {
    pub(crate) form: Form<G>,
    pub(crate) variant: G::Variant,
}

impl<G: Registered> Handle<G> {
    /// The generators of the default variant; none elsewhere.
    fn own_generators(&self) -> &'static [Generator<G>] {
        let default = self.variant == G::Variant::default();
        if default { self.form.generators } else { &[] }
    }

    /// How the default variant makes puzzles; `None` elsewhere.
    fn puzzle_maker(&self) -> Option<&PuzzleMaker<G>> {
        self.form.puzzle.as_ref().filter(|_| self.variant == G::Variant::default())
    }

    fn open(&self, start: G, seed: Option<u64>) -> Box<dyn Table> {
        Box::new(Session::new(self.form, start, seed))
    }
}

impl<G: Registered> GameHandle for Handle<G> {
    fn info(&self) -> &GameInfo {
        &self.form.info
    }

    fn spec(&self) -> String {
        self.form.spec_of(&self.variant)
    }

    fn start(&self, seed: u64) -> Box<dyn Table> {
        self.random(seed, 0)
    }

    fn fixed_start(&self) -> bool {
        self.form.fixed_start
    }

    fn generators(&self) -> Vec<&'static str> {
        let puzzle = self.puzzle_maker().map(|_| puzzle::NAME);
        self.own_generators().iter().map(|generator| generator.name).chain(puzzle).collect()
    }

    fn generate(&self, name: &str, value: &str) -> Result<Box<dyn Table>, ParseError> {
        if name == puzzle::NAME {
            return self.parse(&self.puzzle(value)?.position);
        }
        let own = self.own_generators();
        let Some(generator) = own.iter().find(|generator| generator.name == name) else {
            let expected = format!("one with boards by {name}, such as former");
            return Err(ParseError::new("game", quote(&self.spec()), expected));
        };
        Ok(self.open((generator.make)(value)?, None))
    }

    fn todays(&self) -> Option<Result<Box<dyn Table>, ParseError>> {
        let own = self.own_generators().iter();
        let (generator, today) =
            own.filter_map(|generator| Some((generator, generator.today?))).next()?;
        Some((generator.make)(&today()).map(|position| self.open(position, None)))
    }

    fn puzzle_kind(&self) -> Option<puzzle::Kind> {
        self.puzzle_maker().map(|maker| maker.kind)
    }

    fn puzzle(&self, date: &str) -> Result<Puzzle, ParseError> {
        let Some(maker) = self.puzzle_maker() else {
            let expected = "one with puzzles of the day, such as connect-four";
            return Err(ParseError::new("game", quote(&self.spec()), expected));
        };
        puzzle::of_date(&self.form, maker, &self.spec(), date)
    }

    fn random(&self, seed: u64, plies: usize) -> Box<dyn Table> {
        let mut rng = Rng::stream(seed, 0);
        let mut position = G::start(&self.variant, &mut rng);
        for _ in 0..plies {
            let Some((_, after, _)) = position.step(&mut rng) else { break };
            let chance = G::sample(&after, &mut rng);
            position = G::apply_outcome(&after, chance).0;
        }
        self.open(position, Some(seed))
    }

    fn parse(&self, text: &str) -> Result<Box<dyn Table>, ParseError> {
        Ok(self.open(G::parse(&self.variant, text)?, None))
    }

    fn replay(&self, record: &Record) -> Result<Box<dyn Table>, ParseError> {
        let start = G::parse(&self.variant, &record.start).map_err(|e| e.within("start"))?;
        // Of the position: the default variant of Sevn reads those of every base.
        exactly("game", &record.game, &self.form.spec_of(&start.variant()))?;
        exactly("start", &record.start, &start.text())?;
        if record.two.is_some() != (G::PLAYERS == 2) {
            let found = record.two.as_deref().map_or("none".to_owned(), quote);
            let expected = if G::PLAYERS == 2 { "a name" } else { "none: one player only" };
            return Err(ParseError::new("second player", found, expected));
        }
        let mut session = Session::new(self.form, start, record.seed);
        for (i, recorded) in record.moves.iter().enumerate() {
            let place = format!("move {}", i + 1);
            let played = session
                .replay(&recorded.action, recorded.chance.as_deref())
                .map_err(|e| e.within(&place))?;
            exactly(&place, &recorded.action, &played.action.text)?;
            if let (Some(found), Some(expected)) = (&recorded.chance, &played.chance) {
                exactly(&format!("{place}, outcome"), found, expected)?;
            }
            if played.reward != recorded.reward {
                let expected = format!("{} by the rules", played.reward);
                return Err(ParseError::new(
                    place,
                    format!("reward {}", recorded.reward),
                    expected,
                ));
            }
            session.note_time(std::time::Duration::from_millis(recorded.millis));
        }
        session.name_seats(&record.one, record.two.as_deref());
        Ok(Box::new(session))
    }

    fn contestant(&self, agent: &str) -> Result<(Box<dyn Contestant>, Named), ParseError> {
        let (seated, name) = Seated::parse(agent, &self.variant, self.form.agents)?;
        Ok((Box::new(seated), name))
    }

    fn action_count(&self) -> usize {
        G::action_count(&self.variant)
    }

    fn observation_shape(&self) -> [usize; 3] {
        G::shape(&self.variant)
    }

    fn state(&self, text: &str) -> Result<Box<dyn State>, ParseError> {
        Ok(Box::new(Node::new(self.form, G::parse(&self.variant, text)?)))
    }

    fn vector(&self, options: &VectorOptions) -> Result<Box<dyn VectorEnv>, ParseError> {
        Ok(Box::new(Envs::new(self.form, self.variant, options)?))
    }
}

/// Refuses a text that reads, but is not as it would be written.
fn exactly(place: &str, found: &str, expected: &str) -> Result<(), ParseError> {
    if found == expected {
        return Ok(());
    }
    Err(ParseError::new(place, quote(found), format!("it written as {}", quote(expected))))
}
