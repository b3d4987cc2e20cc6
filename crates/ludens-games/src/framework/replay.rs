//! A game replayed move by move, from either text and to either.

use ludens_core::error::quote;
use ludens_core::game::find_outcome;
use ludens_core::{ParseError, RecordedMove, Reward};

use super::read::LIMIT;
use super::{Episode, FrameworkGame, Move, Placement, Seats, Step};
use crate::tiles::{Slide, Slides};

/// A turn, and what nature or the second player answered.
struct ReplayedMove<G: FrameworkGame> {
    position: G,
    slide: Slide,
    after: G::After,
    paid: Reward,
    millis: u64,
    spawn: Option<Spawn<G>>,
}

struct Spawn<G: FrameworkGame> {
    chance: G::Chance,
    paid: Reward,
    millis: u64,
}

/// A game that has been checked move by move.
pub(super) struct Replay<G: FrameworkGame> {
    pub(super) start: G,
    /// The position of the last whole turn.
    end: G,
    turns: Vec<ReplayedMove<G>>,
}

pub(super) fn wrong(
    number: usize,
    found: impl Into<String>,
    expected: impl Into<String>,
) -> ParseError {
    ParseError::new(format!("move {number}"), found, expected)
}

impl<G: FrameworkGame> Replay<G> {
    fn new(start: G) -> Self {
        Replay { start, end: start, turns: Vec::new() }
    }

    /// Slides; `number` counts the moves of the episode.
    fn slide(&mut self, number: usize, slide: Slide, millis: u64) -> Result<Reward, ParseError> {
        let position = self.end;
        if !position.is_legal(slide) {
            let legal: Slides = position.actions().collect();
            return Err(wrong(number, quote(slide.name()), legal.expected()));
        }
        let (after, paid) = position.apply(slide);
        self.turns.push(ReplayedMove { position, slide, after, paid, millis, spawn: None });
        Ok(paid)
    }

    /// Places what the last slide asks for.
    fn place(&mut self, chance: G::Chance, millis: u64) -> Reward {
        let turn = self.turns.last_mut().expect("a tile is placed after a slide");
        let (next, paid) = G::apply_outcome(&turn.after, chance);
        turn.spawn = Some(Spawn { chance, paid, millis });
        self.end = next;
        paid
    }

    pub(super) fn awaits_tile(&self) -> bool {
        self.turns.last().is_some_and(|turn| turn.spawn.is_none())
    }

    pub(super) fn read_episode(
        variant: &G::Variant,
        episode: &Episode,
    ) -> Result<Self, ParseError> {
        let mut opening = Vec::new();
        let is_place = |m: &&Move| matches!(m.step, Step::Place(_));
        for (i, m) in episode.moves.iter().take_while(is_place).enumerate() {
            let Step::Place(placement) = m.step else { continue };
            check_paid(i + 1, m.reward, G::value(placement.tile))?;
            opening.push(placement);
        }
        let start = G::begin(variant, &opening).map_err(|refused| {
            let found = match episode.moves.get(refused.at) {
                Some(m) => quote(&m.step.text()),
                None => "the end".to_owned(),
            };
            wrong(refused.at + 1, found, refused.expected)
        })?;
        let mut replay = Replay::new(start);
        for (i, m) in episode.moves.iter().enumerate().skip(opening.len()) {
            let paid = match m.step {
                Step::Slide(slide) if !replay.awaits_tile() => {
                    replay.slide(i + 1, slide, m.millis)?
                }
                Step::Place(placement) if replay.awaits_tile() => {
                    let chance = replay.outcome(placement).ok_or_else(|| {
                        wrong(i + 1, quote(&m.step.text()), "a tile that may come there now")
                    })?;
                    replay.place(chance, m.millis)
                }
                step => {
                    let expected = if replay.awaits_tile() { "a placed tile" } else { "a slide" };
                    return Err(wrong(i + 1, quote(&step.text()), expected));
                }
            };
            check_paid(i + 1, m.reward, paid)?;
        }
        Ok(replay)
    }

    /// The outcome of the last slide that is written so.
    fn outcome(&self, placement: Placement) -> Option<G::Chance> {
        let after = &self.turns.last()?.after;
        find_outcome::<G>(after, |chance| G::placement(after, chance) == placement)
    }

    pub(super) fn write_episode(&self, opening: Vec<Placement>) -> Vec<Move> {
        let amount = |paid: Reward| u64::try_from(paid).expect("no move costs anything");
        let mut moves: Vec<Move> = opening
            .into_iter()
            .map(|placement| Move {
                step: Step::Place(placement),
                reward: amount(G::value(placement.tile)),
                millis: 0,
            })
            .collect();
        for turn in &self.turns {
            moves.push(Move {
                step: Step::Slide(turn.slide),
                reward: amount(turn.paid),
                millis: turn.millis,
            });
            moves.extend(turn.spawn.as_ref().map(|spawn| Move {
                step: Step::Place(G::placement(&turn.after, spawn.chance)),
                reward: amount(spawn.paid),
                millis: spawn.millis,
            }));
        }
        moves
    }

    pub(super) fn read_record(
        start: G,
        seats: Seats,
        moves: &[RecordedMove],
    ) -> Result<Self, ParseError> {
        let mut replay = Replay::new(start);
        let mut drawn: Option<&str> = None;
        for (i, m) in moves.iter().enumerate() {
            let number = i + 1;
            let within = |error: ParseError| error.within(&format!("move {number}"));
            if m.millis >= LIMIT {
                return Err(wrong(number, m.millis.to_string(), "below 2^48 milliseconds"));
            }
            let paid = if !replay.awaits_tile() {
                let slide = replay.end.parse_action(&m.action).map_err(within)?;
                let paid = replay.slide(number, slide, m.millis)?;
                match (seats, m.chance.as_deref()) {
                    (Seats::Solo, Some(text)) => {
                        let after = replay.turns[replay.turns.len() - 1].after;
                        paid + replay.place(G::parse_chance(&after, text).map_err(within)?, 0)
                    }
                    (Seats::Cells, Some(text)) => {
                        drawn = Some(text);
                        paid
                    }
                    (Seats::Adversary, None) => paid,
                    (Seats::Adversary, Some(text)) => {
                        return Err(wrong(number, quote(text), "no outcome"));
                    }
                    (_, None) => return Err(wrong(number, "no outcome", "the tile that came")),
                }
            } else {
                if let Some(text) = &m.chance {
                    return Err(wrong(number, quote(text), "no outcome"));
                }
                let after = replay.turns[replay.turns.len() - 1].after;
                let chance = G::parse_chance(&after, &m.action).map_err(within)?;
                if let Some(tile) = drawn.take()
                    && G::tile_text(G::tile_of(&after, chance)) != tile
                {
                    let expected = format!("a cell for the tile drawn, {}", quote(tile));
                    return Err(wrong(number, quote(&m.action), expected));
                }
                replay.place(chance, m.millis)
            };
            if m.reward != i64::from(paid) {
                return Err(wrong(number, format!("a reward of {}", m.reward), paid.to_string()));
            }
        }
        if drawn.is_some() {
            return Err(wrong(moves.len() + 1, "the end", "a cell for the tile drawn"));
        }
        Ok(replay)
    }

    pub(super) fn write_record(&self, seats: Seats) -> Vec<RecordedMove> {
        let mut moves = Vec::new();
        for turn in &self.turns {
            let mut slide = RecordedMove {
                action: turn.position.action_text(turn.slide),
                chance: None,
                reward: turn.paid.into(),
                millis: turn.millis,
            };
            let Some(Spawn { chance, paid, millis }) = &turn.spawn else {
                moves.push(slide);
                continue;
            };
            let text = G::chance_text(&turn.after, *chance);
            let answer = RecordedMove {
                action: text.clone(),
                chance: None,
                reward: (*paid).into(),
                millis: *millis,
            };
            match seats {
                Seats::Solo => {
                    slide.chance = Some(text);
                    slide.reward += answer.reward;
                    moves.push(slide);
                }
                Seats::Adversary => moves.extend([slide, answer]),
                Seats::Cells => {
                    slide.chance = Some(G::tile_text(G::tile_of(&turn.after, *chance)));
                    moves.extend([slide, answer]);
                }
            }
        }
        moves
    }
}

fn check_paid(number: usize, found: u64, paid: Reward) -> Result<(), ParseError> {
    if u64::try_from(paid) == Ok(found) {
        Ok(())
    } else {
        Err(wrong(number, format!("a reward of {found}"), paid.to_string()))
    }
}
