//! Plays games of contestants by the rules.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ludens_arena::contest::{Board, Fixture, Game, Referee, Score};
use ludens_core::bits::mix;
use ludens_core::error::quote;
use ludens_core::{GameResult, Player, Rng};

use super::entries::Entry;
use ludens_engine::contestant::{Asked, Contestant, Forfeit};
use ludens_engine::{GameHandle, Table, Turn};

/// Moves after which a game is a draw: nobody would come to an end.
pub(crate) const MOST_MOVES: usize = 2000;

/// A contest of players in one game.
pub struct Match<'a> {
    /// The game.
    pub game: &'a dyn GameHandle,
    /// The players.
    pub entries: &'a [Entry],
    /// Random moves of an opening.
    pub plies: usize,
    /// Time per move besides the players' own limits.
    pub time: Option<Duration>,
    /// How much later than its time a program's move may come.
    pub margin: Duration,
}

impl Match<'_> {
    /// The openings and the limits, as the store tells them from others.
    pub fn terms(&self) -> String {
        let time =
            self.time.map_or_else(String::new, |time| format!(" time={}ms", time.as_millis()));
        // Agents of the program itself stop by themselves.
        let programs = self.entries.iter().any(Entry::is_program);
        let margin =
            if programs { format!(" margin={}ms", self.margin.as_millis()) } else { String::new() };
        format!("plies={}{time}{margin}", self.plies)
    }
}

impl Referee for Match<'_> {
    fn board(&self) -> Box<dyn Board + '_> {
        Box::new(Seats { rules: self, players: self.entries.iter().map(|_| None).collect() })
    }
}

/// A table with the players that have been needed so far, who stay for the next game.
struct Seats<'a> {
    rules: &'a Match<'a>,
    players: Vec<Option<Box<dyn Contestant>>>,
}

/// A game that is not over, after some random moves from a start: the same for the same
/// seed. Fewer moves where a game always ends before.
pub fn opening(game: &dyn GameHandle, plies: usize, seed: u64) -> Box<dyn Table> {
    let mut rng = Rng::new(seed);
    for tries in 0.. {
        let mut table = game.start(rng.next_u64() >> 11);
        for _ in 0..plies.saturating_sub(tries / 16) {
            let actions = table.actions();
            if actions.is_empty() {
                break;
            }
            let action = &actions[rng.below(actions.len() as u32) as usize];
            table.play(&action.text).expect("the game lists legal moves");
        }
        if matches!(table.turn(), Turn::Move(_)) {
            return table;
        }
    }
    unreachable!("the loop above has no end, and a start is not over")
}

impl Board for Seats<'_> {
    fn play(&mut self, fixture: &Fixture, stop: &AtomicBool) -> Game {
        let mut table = opening(self.rules.game, self.rules.plies, fixture.opening);
        let begins = match table.turn() {
            Turn::Move(player) => player,
            Turn::Over => Player::One,
        };
        let mut game = Game {
            score: Score::Draw,
            reason: None,
            start: table.record().start,
            moves: table.history().iter().map(|played| played.action.text.clone()).collect(),
            micros: [Vec::new(), Vec::new()],
        };
        let end = self.moves(&mut *table, begins, fixture, stop, &mut game);
        match end {
            Ok(()) => game.score = score(table.outcome(), begins),
            Err((side, Forfeit(reason))) => {
                game.score = if side == 0 { Score::Loss } else { Score::Win };
                game.reason = Some(reason);
            }
        }
        game
    }
}

impl Seats<'_> {
    /// Plays to the end; `side` 0 moves first. A forfeit names the side that lost.
    fn moves(
        &mut self,
        table: &mut dyn Table,
        begins: Player,
        fixture: &Fixture,
        stop: &AtomicBool,
        game: &mut Game,
    ) -> Result<(), (usize, Forfeit)> {
        let seats = [fixture.first, fixture.second];
        for (side, &number) in seats.iter().enumerate() {
            if self.players[number].is_none() {
                let made = self.rules.entries[number].make(self.rules.game, self.rules.margin);
                self.players[number] =
                    Some(made.map_err(|error| (side, Forfeit(error.to_string())))?);
            }
            let player = self.players[number].as_mut().expect("it was just made");
            player.start(&game.start).map_err(|forfeit| (side, forfeit))?;
            game.moves.iter().for_each(|action| player.observe(action));
        }
        while let Turn::Move(mover) = table.turn() {
            if stop.load(Ordering::Relaxed) || game.moves.len() >= MOST_MOVES {
                return Ok(());
            }
            let side = usize::from(mover != begins);
            let player = self.players[seats[side]].as_mut().expect("both have begun");
            let seed = mix(fixture.seed.wrapping_add(game.moves.len() as u64));
            let asked = Asked { time: self.rules.time, nodes: None, seed, threads: 1, stop };
            let begin = Instant::now();
            let choice = player.choose(&asked, &mut |_| {});
            game.micros[side].push(begin.elapsed().as_micros() as u64);
            let text = choice.map_err(|forfeit| (side, forfeit))?;
            let played = table
                .play(&text)
                .map_err(|_| (side, Forfeit(format!("illegal move {}", quote(&text)))))?;
            // As the game writes it: programs may write a move in other ways.
            let text = played.action.text.clone();
            for &number in &seats {
                self.players[number].as_mut().expect("both have begun").observe(&text);
            }
            game.moves.push(text);
        }
        Ok(())
    }
}

/// The outcome seen by who began.
pub(crate) fn score(outcome: Option<GameResult>, begins: Player) -> Score {
    match outcome {
        Some(GameResult::Win(winner)) if winner == begins => Score::Win,
        Some(GameResult::Win(_)) => Score::Loss,
        Some(GameResult::Draw) | None => Score::Draw,
    }
}
