//! Games of people against agents, for the ratings.
//!
//! A record is replayed by the rules before it counts, must begin with a start of its game, and
//! must be over. The same game counts once: playing a line that won before again changes nothing.

use ludens_arena::Store;
use ludens_arena::contest::Game;
use ludens_arena::store::Pairing;
use ludens_core::bits::mix;
use ludens_core::error::quote;
use ludens_core::{ParseError, Player, Record};
use ludens_engine::analysis::check_agent;
use ludens_engine::{HUMAN, Turn, game};

use crate::contest::{entries, score};

/// What people's names begin with in the store, so that no agent is taken for one.
pub const PREFIX: &str = "human:";
/// Letters of a name at most.
pub const LONGEST_NAME: usize = 24;
/// The terms under which such games are kept.
const TERMS: &str = "people";

/// A game of a person that may be entered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PersonGame {
    spec: String,
    /// Who moved first and second, as the store tells them from others.
    keys: [String; 2],
    game: Game,
    seed: u64,
}

impl PersonGame {
    /// Checks a record in which one player is `human`, whose name is given, and the other an
    /// agent of the program with tables of at most `memory` bytes.
    ///
    /// # Errors
    /// When the name or the record is wrong, the game is not over or knows no winners, or it did
    /// not begin with a start.
    pub fn check(record: &Record, name: &str, memory: usize) -> Result<Self, ParseError> {
        let good = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || name.chars().count() > LONGEST_NAME || !name.chars().all(good) {
            let expected = format!("1 to {LONGEST_NAME} letters, digits, - or _");
            return Err(ParseError::new("name", quote(name), expected));
        }
        let handle = game(&record.game)?;
        if !handle.has_winners() {
            return Err(ParseError::new("game", quote(&record.game), "one with winners"));
        }
        let seats = [record.one.as_str(), record.two.as_deref().unwrap_or_default()];
        let person = match seats.map(|seat| seat == HUMAN) {
            [true, false] => 0,
            [false, true] => 1,
            _ => return Err(ParseError::new("players", seats.join(", "), "one person, one agent")),
        };
        let start = handle.start(record.seed.unwrap_or(0));
        if start.position() != record.start {
            return Err(ParseError::new("start", quote(&record.start), "the start of its seed"));
        }
        check_agent(&*start, seats[1 - person], false, memory)?;
        let table = handle.replay(record).map_err(|error| error.within("record"))?;
        if !matches!(table.turn(), Turn::Over) {
            return Err(ParseError::new("record", "a game under way", "one that is over"));
        }
        let agent = entries(&*handle, &[seats[1 - person].to_owned()])?.remove(0).player.key;
        let mut keys = [agent, format!("{PREFIX}{name}")];
        if person == 0 {
            keys.swap(0, 1);
        }
        let moves: Vec<String> = record.moves.iter().map(|step| step.action.clone()).collect();
        let bytes = record.start.bytes().chain(moves.iter().flat_map(|step| step.bytes()));
        let seed = bytes.fold(0, |hash, byte| mix(hash ^ u64::from(byte)));
        let game = Game {
            score: score(table.outcome(), Player::One),
            reason: None,
            start: record.start.clone(),
            moves,
            micros: [Player::One, Player::Two].map(|player| {
                let played = table.history().iter().zip(&record.moves);
                let own = played.filter(|(played, _)| played.player == player);
                own.map(|(_, step)| step.millis.saturating_mul(1000)).collect()
            }),
        };
        Ok(PersonGame { spec: record.game.clone(), keys, game, seed })
    }

    /// Keeps the game; `false` when it was there before. `program` is what served it.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn enter(&self, store: &mut Store, program: &str) -> Result<bool, ludens_arena::Error> {
        let swapped = self.keys[0] > self.keys[1];
        let [one, two] = if swapped { [1, 0] } else { [0, 1] }.map(|i: usize| self.keys[i].clone());
        let (game, terms) = (self.spec.clone(), TERMS.to_owned());
        let pairing = Pairing { game, one, two, terms, program: program.to_owned() };
        let id = store.start_pairing(&pairing)?;
        // Every game has an opening of its own: none of them are played in pairs.
        store.insert_game(id, (self.seed >> 32) as u32, swapped, self.seed, &self.game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(moves: &[&str], one: &str, two: &str) -> Record {
        let mut table = game("connect-four").unwrap().start(7);
        for action in moves {
            table.play(action).unwrap();
        }
        Record { one: one.to_owned(), two: Some(two.to_owned()), ..table.record() }
    }

    const WON: [&str; 7] = ["1", "2", "1", "2", "1", "2", "1"];

    #[test]
    fn a_finished_game_is_entered_once() {
        let mut store = Store::in_memory().unwrap();
        let won = PersonGame::check(&record(&WON, HUMAN, "random"), "Ada", 1 << 30).unwrap();
        assert!(won.enter(&mut store, "test").unwrap());
        assert!(!won.enter(&mut store, "test").unwrap());
        let lost = PersonGame::check(&record(&WON, "random", HUMAN), "Ada", 1 << 30).unwrap();
        assert!(lost.enter(&mut store, "test").unwrap());
        let games = store.newest_games(10).unwrap();
        assert_eq!(games.len(), 2);
        assert_eq!((&*games[1].one, &*games[1].two), ("human:Ada", "random"));
        let stop = std::sync::atomic::AtomicBool::new(false);
        let report = crate::store_check::check(&store, &stop, &mut |_, _| {}).unwrap();
        assert!(report.damage.is_empty(), "{report:?}");
    }

    #[test]
    fn what_does_not_count_is_refused() {
        let refused = |record: &Record, name: &str| {
            PersonGame::check(record, name, 1 << 30).unwrap_err().to_string()
        };
        let good = record(&WON, HUMAN, "random");
        for name in ["", "two words", "a\n", &"x".repeat(25), "<b>"] {
            assert!(refused(&good, name).starts_with("name"), "{name}");
        }
        assert!(refused(&record(&WON[..4], HUMAN, "random"), "Ada").contains("under way"));
        assert!(refused(&record(&WON, HUMAN, HUMAN), "Ada").contains("one person, one agent"));
        assert!(refused(&record(&WON, HUMAN, "cmd:touch x"), "Ada").starts_with("agent"));
        assert!(refused(&record(&WON, HUMAN, "az:model=/etc/passwd"), "Ada").contains("file"));
        let mut wrong = good.clone();
        wrong.start = "......./......./......./......./......./XXO....".to_owned();
        assert!(refused(&wrong, "Ada").starts_with("start"));
        let mut wrong = good;
        wrong.moves[6].action = "9".to_owned();
        assert!(refused(&wrong, "Ada").contains("record"));
    }
}
