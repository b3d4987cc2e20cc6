//! One position of any game behind a trait object, nature's turns included.

use std::any::Any;
use std::ops::ControlFlow;

use ludens_core::error::quote;
use ludens_core::{GameResult, ParseError, Player, Rng, Sym, View};

use crate::form::{Form, Registered};
use crate::{Legal, Turn};

/// A position of some game, or what a move leads to before nature acts. It never changes.
///
/// ```
/// let state = ludens_engine::game("2048:board=2x2").unwrap().state("2,2/0,0").unwrap();
/// let (after, reward) = state.apply(3).unwrap();
/// assert_eq!((reward, after.is_chance(), after.outcomes().len()), (4, true, 6));
/// ```
pub trait State: Send + Sync {
    /// The game with its variant, such as `sevn:base=5`.
    fn spec(&self) -> String;
    /// The position as text; on nature's turn the one before the move that led here.
    fn text(&self) -> String;
    /// The move that led here, on nature's turn.
    fn pending(&self) -> Option<usize>;
    /// A well-mixed key: equal states have equal keys, on every machine.
    fn key(&self) -> u64;
    /// Whether it is the same state of the same game.
    fn same(&self, other: &dyn State) -> bool;
    /// Whether nature is to act.
    fn is_chance(&self) -> bool;
    /// Whose turn it is; on nature's turn the player who moved.
    fn turn(&self) -> Turn;
    /// Who won, in a finished game with winners.
    fn result(&self) -> Option<GameResult>;
    /// The points so far where the position shows them.
    fn score(&self) -> Option<i64>;
    /// The numbers of the legal actions, in the game's order; none on nature's turn.
    fn actions(&self) -> Vec<usize>;
    /// The legal action of a number.
    ///
    /// # Errors
    /// When it is not legal here.
    fn action(&self, number: usize) -> Result<Legal, ParseError>;
    /// The number of an action's text.
    ///
    /// # Errors
    /// When the text is no legal move.
    fn number(&self, text: &str) -> Result<usize, ParseError>;
    /// What an action leads to, and what it pays player one.
    ///
    /// # Errors
    /// When it is not legal here.
    fn apply(&self, number: usize) -> Result<(Box<dyn State>, i64), ParseError>;
    /// Nature's outcomes with their probabilities; none on a player's turn.
    fn outcomes(&self) -> Vec<(String, f64)>;
    /// What an outcome, by its place in [`outcomes`](State::outcomes), leads to and pays.
    ///
    /// # Errors
    /// When there is no such outcome.
    fn apply_outcome(&self, index: usize) -> Result<(Box<dyn State>, i64), ParseError>;
    /// What nature does by a seed: what it leads to and pays. On a player's turn the state itself.
    fn sample(&self, seed: u64) -> (Box<dyn State>, i64);
    /// What it looks like.
    fn view(&self) -> View;
    /// Marks the legal actions; see [`Environment::mask`](super::Environment::mask).
    fn mask(&self, out: &mut [i8]);
    /// What the player to move sees; see [`Environment::observe`](super::Environment::observe).
    fn observe(&self, out: &mut [f32]);
    /// Its images under all symmetries of the game, itself first. None on nature's turn.
    fn symmetries(&self, most: usize) -> Vec<Box<dyn State>>;
    /// For [`same`](State::same).
    fn as_any(&self) -> &dyn Any;
    /// Another one of these.
    fn boxed(&self) -> Box<dyn State>;
}

/// The one implementation of [`State`].
pub struct Node<G: Registered> {
    form: Form<G>,
    position: G,
    /// The action and what it leads to, on nature's turn.
    pending: Option<(G::Action, G::After)>,
}

impl<G: Registered> Clone for Node<G> {
    fn clone(&self) -> Self {
        Node { form: self.form, position: self.position, pending: self.pending }
    }
}

impl<G: Registered> Node<G> {
    /// The state of a position.
    pub fn new(form: Form<G>, position: G) -> Self {
        Node { form, position, pending: None }
    }

    fn find(&self, number: usize) -> Result<G::Action, ParseError> {
        let found = if self.pending.is_some() { None } else { self.position.numbered(number) };
        found.ok_or_else(|| {
            let expected = "the number of a legal action, see legal_actions()";
            ParseError::new("action", number.to_string(), expected)
        })
    }

    fn settle(&self, after: &G::After, chance: G::Chance) -> (Box<dyn State>, i64) {
        let (next, reward) = G::apply_outcome(after, chance);
        (Box::new(Node::new(self.form, next)), i64::from(reward))
    }
}

impl<G: Registered> State for Node<G> {
    fn spec(&self) -> String {
        self.form.spec_of(&self.position.variant())
    }

    fn text(&self) -> String {
        self.position.text()
    }

    fn pending(&self) -> Option<usize> {
        self.pending.map(|(action, _)| self.position.number(action))
    }

    fn key(&self) -> u64 {
        use ludens_core::Position as _;
        match &self.pending {
            None => self.position.key(),
            Some((_, after)) => ludens_core::bits::mix(after.key()),
        }
    }

    fn same(&self, other: &dyn State) -> bool {
        other.as_any().downcast_ref::<Self>().is_some_and(|other| {
            self.form.info == other.form.info
                && match (&self.pending, &other.pending) {
                    (None, None) => self.position == other.position,
                    (Some((_, one)), Some((_, other))) => one == other,
                    _ => false,
                }
        })
    }

    fn is_chance(&self) -> bool {
        self.pending.is_some()
    }

    fn turn(&self) -> Turn {
        if self.pending.is_none() && self.position.is_over() {
            Turn::Over
        } else {
            Turn::Move(if G::PLAYERS == 1 { Player::One } else { self.position.to_move() })
        }
    }

    fn result(&self) -> Option<GameResult> {
        if self.pending.is_some() { None } else { (self.form.outcome)(&self.position) }
    }

    fn score(&self) -> Option<i64> {
        self.position.score()
    }

    fn actions(&self) -> Vec<usize> {
        if self.pending.is_some() {
            return Vec::new();
        }
        self.position.actions().map(|action| self.position.number(action)).collect()
    }

    fn action(&self, number: usize) -> Result<Legal, ParseError> {
        self.find(number).map(|action| Legal::of(&self.position, action))
    }

    fn number(&self, text: &str) -> Result<usize, ParseError> {
        if self.pending.is_some() {
            return Err(ParseError::new("action", quote(text), "none: nature is to act"));
        }
        self.position.parse_action(text).map(|action| self.position.number(action))
    }

    fn apply(&self, number: usize) -> Result<(Box<dyn State>, i64), ParseError> {
        let action = self.find(number)?;
        let (after, reward) = self.position.apply(action);
        if G::is_chance(&after) {
            let next = Node { pending: Some((action, after)), ..self.clone() };
            return Ok((Box::new(next), i64::from(reward)));
        }
        // Nature has no choice, so that any generator draws the one outcome.
        let (next, bonus) = self.settle(&after, G::sample(&after, &mut Rng::new(0)));
        Ok((next, i64::from(reward) + bonus))
    }

    fn outcomes(&self) -> Vec<(String, f64)> {
        let mut outcomes = Vec::new();
        if let Some((_, after)) = &self.pending {
            let _ = G::outcomes(after, |chance, p| {
                outcomes.push((G::chance_text(after, chance), p));
                ControlFlow::Continue(())
            });
        }
        outcomes
    }

    fn apply_outcome(&self, index: usize) -> Result<(Box<dyn State>, i64), ParseError> {
        let Some((_, after)) = &self.pending else {
            return Err(ParseError::new("outcome", index.to_string(), "none: a player is to move"));
        };
        let (mut place, mut found) = (0, None);
        let _ = G::outcomes(after, |chance, _| {
            found = (place == index).then_some(chance);
            place += 1;
            if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match found {
            Some(chance) => Ok(self.settle(after, chance)),
            None => {
                let expected = format!("a place below {place}, see outcomes()");
                Err(ParseError::new("outcome", index.to_string(), expected))
            }
        }
    }

    fn sample(&self, seed: u64) -> (Box<dyn State>, i64) {
        match &self.pending {
            None => (self.boxed(), 0),
            Some((_, after)) => self.settle(after, G::sample(after, &mut Rng::new(seed))),
        }
    }

    fn view(&self) -> View {
        self.position.view()
    }

    fn mask(&self, out: &mut [i8]) {
        if self.pending.is_none() {
            self.position.mask(out);
        }
    }

    fn observe(&self, out: &mut [f32]) {
        self.position.observe(out);
    }

    fn symmetries(&self, most: usize) -> Vec<Box<dyn State>> {
        if self.pending.is_some() {
            return Vec::new();
        }
        let count =
            G::symmetries(&self.position.variant()).min(most.try_into().unwrap_or(u32::MAX));
        let image = |sym| Node::new(self.form, self.position.map(Sym(sym)));
        (0..count).map(|sym| Box::new(image(sym)) as Box<dyn State>).collect()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn boxed(&self) -> Box<dyn State> {
        Box::new(self.clone())
    }
}
