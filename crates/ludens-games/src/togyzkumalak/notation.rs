//! Togyzkumalak as text: the pits of player one and of player two, the stores,
//! the tuzdyks, and the player to move, such as
//! `9,9,9,9,9,9,9,9,9/9,9,9,9,9,9,9,9,9/0,0/-,-/1`.

use ludens_core::error::quote;
use ludens_core::{
    Cell, Control, Fact, Game, Ink, Movement, NoVariant, Notation, ParseError, Player, View,
};

use super::motion;
use super::{BALLS, NINE, OPP_NINE, OPP_STORE, OWN_NINE, OWN_STORE, PITS, Pit, Togyzkumalak, byte};

/// What the words of a position hold, player one first.
#[derive(Clone, Copy)]
pub(super) struct Board {
    pub(super) pits: [[u8; PITS]; 2],
    stores: [u8; 2],
    /// The number of the opponent's pit that is the player's tuzdyk; 0 for none.
    pub(super) tuzdyks: [u8; 2],
    pub(super) side: Player,
}

impl Board {
    pub(super) fn of(position: &Togyzkumalak) -> Board {
        let row = |low: u64, nine: u32| {
            let mut pits = [0; PITS];
            pits[..NINE].copy_from_slice(&low.to_le_bytes());
            pits[NINE] = byte(position.rest, nine) as u8;
            pits
        };
        let side = position.side;
        let rows = [row(position.own, OWN_NINE), row(position.opp, OPP_NINE)];
        Board {
            pits: side.by_player(rows),
            stores: position.stores().map(|balls| balls as u8),
            tuzdyks: side.by_player(position.tuzdyks),
            side,
        }
    }

    fn position(&self) -> Togyzkumalak {
        let low =
            |row: [u8; PITS]| row[..NINE].iter().rfold(0, |word, &p| word << 8 | u64::from(p));
        let [own, opp] = self.side.by_player(self.pits);
        let [own_store, opp_store] = self.side.by_player(self.stores).map(u32::from);
        Togyzkumalak {
            own: low(own),
            opp: low(opp),
            rest: u32::from(own[NINE]) << OWN_NINE
                | u32::from(opp[NINE]) << OPP_NINE
                | own_store << OWN_STORE
                | opp_store << OPP_STORE,
            tuzdyks: self.side.by_player(self.tuzdyks),
            side: self.side,
        }
    }

    /// Refuses what no game can lead to.
    fn check(&self) -> Result<(), ParseError> {
        let error = |location: &str, found: String, expected: &str| {
            Err(ParseError::new(location, found, expected))
        };
        let balls = self.pits.as_flattened().iter().chain(&self.stores).map(|&n| u32::from(n));
        let total: u32 = balls.sum();
        if total != BALLS {
            return error("position", format!("{total} balls"), "162 balls in pits and stores");
        }
        let [one, two] = self.tuzdyks;
        if one != 0 && one == two {
            return error("tuzdyks", format!("pit {one} for both"), "different numbers");
        }
        for (owner, number) in [(0, one), (1, two)] {
            if number == 0 {
                continue;
            }
            let location = format!("tuzdyk of player {}", owner + 1);
            let inside = self.pits[1 - owner][usize::from(number) - 1];
            if inside != 0 {
                let found = format!("{inside} balls in pit {number}");
                return error(&location, found, "an empty pit: its balls are in the owner's store");
            }
            if self.stores[owner] < 3 {
                let found = format!("{} balls in the owner's store", self.stores[owner]);
                return error(&location, found, "at least the 3 it was made of");
            }
        }
        let position = self.position();
        if position.filled() == 0 && !position.is_won() && position != position.collected() {
            return error(
                "position",
                "balls left for the opponent alone".into(),
                "them in the opponent's store: the player to move has none, so the game is over",
            );
        }
        Ok(())
    }
}

/// The parts of a text, as many as there have to be.
fn split<'a, const N: usize>(
    text: &'a str,
    separator: char,
    location: &str,
    expected: &str,
) -> Result<[&'a str; N], ParseError> {
    let mut parts = [""; N];
    let mut found = 0;
    for part in text.split(separator) {
        if let Some(slot) = parts.get_mut(found) {
            *slot = part;
        }
        found += 1;
    }
    if found != N {
        let parts = if found == 1 { "part" } else { "parts" };
        return Err(ParseError::new(location, format!("{found} {parts}"), expected));
    }
    Ok(parts)
}

fn parse_balls(text: &str, location: &str) -> Result<u8, ParseError> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    match text.parse() {
        Ok(balls) if digits && u32::from(balls) <= BALLS => Ok(balls),
        _ => Err(ParseError::new(location, quote(text), "a number from 0 to 162")),
    }
}

fn parse_pits(text: &str, player: Player) -> Result<[u8; PITS], ParseError> {
    let outer = format!("player {player}");
    let parts: [&str; PITS] = split(text, ',', &outer, "9 pits separated by ','")?;
    let mut pits = [0; PITS];
    for (i, part) in parts.iter().enumerate() {
        pits[i] = parse_balls(part, &format!("{outer}, pit {}", i + 1))?;
    }
    Ok(pits)
}

fn parse_tuzdyk(text: &str, player: Player) -> Result<u8, ParseError> {
    match text.as_bytes() {
        b"-" => Ok(0),
        [number @ b'1'..=b'8'] => Ok(number - b'0'),
        _ => {
            let location = format!("tuzdyk of player {player}");
            Err(ParseError::new(location, quote(text), "a pit 1-8 of the opponent, or '-'"))
        }
    }
}

/// The cell of a player's pit, from 0: the balls run to the right below and to the left above.
pub(super) fn cell_of(player: Player, pit: usize) -> usize {
    match player {
        Player::One => PITS + pit,
        Player::Two => PITS - 1 - pit,
    }
}

/// A tuzdyk as text.
fn tuzdyk_text(number: u8) -> String {
    if number == 0 { "-".to_owned() } else { number.to_string() }
}

impl Notation for Togyzkumalak {
    const NAME: &'static str = "togyzkumalak";

    fn parse(_: &NoVariant, text: &str) -> Result<Self, ParseError> {
        let expected = "5 parts separated by '/': pits, pits, stores, tuzdyks, player to move";
        let [one, two, stores, tuzdyks, side] = split(text.trim(), '/', "position", expected)?;
        let pits = [parse_pits(one, Player::One)?, parse_pits(two, Player::Two)?];
        let [one, two] = split(stores, ',', "stores", "2 numbers separated by ','")?;
        let stores =
            [parse_balls(one, "store of player 1")?, parse_balls(two, "store of player 2")?];
        let [one, two] = split(tuzdyks, ',', "tuzdyks", "2 pits separated by ','")?;
        let tuzdyks = [parse_tuzdyk(one, Player::One)?, parse_tuzdyk(two, Player::Two)?];
        let side = match side {
            "1" => Player::One,
            "2" => Player::Two,
            other => return Err(ParseError::new("player to move", quote(other), "'1' or '2'")),
        };
        let board = Board { pits, stores, tuzdyks, side };
        board.check()?;
        Ok(board.position())
    }

    fn text(&self) -> String {
        let Board { pits, stores, tuzdyks, side } = Board::of(self);
        let [one, two] = pits.map(|row| row.map(|balls| balls.to_string()).join(","));
        let [t1, t2] = tuzdyks.map(tuzdyk_text);
        format!("{one}/{two}/{},{}/{t1},{t2}/{side}", stores[0], stores[1])
    }

    fn parse_action(&self, text: &str) -> Result<Pit, ParseError> {
        let pit = match text.as_bytes() {
            [c @ b'1'..=b'9'] => Pit(c - b'1'),
            _ => return Err(ParseError::new("move", quote(text), "a pit 1-9")),
        };
        if self.is_legal(pit) {
            return Ok(pit);
        }
        let expected =
            if self.is_over() { "no move: the game is over" } else { "a pit with balls in it" };
        Err(ParseError::new("move", quote(text), expected))
    }

    fn action_text(&self, action: Pit) -> String {
        (action.0 + 1).to_string()
    }

    fn view(&self) -> View {
        let Board { pits, stores, tuzdyks, .. } = Board::of(self);
        let inks = [Ink::Blue, Ink::Orange];
        let cell = |player: usize, pit: usize| {
            if usize::from(tuzdyks[1 - player]) == pit + 1 {
                return Cell::new("T", inks[1 - player]);
            }
            let balls = pits[player][pit];
            Cell::new(balls.to_string(), if balls == 0 { Ink::Dim } else { inks[player] })
        };
        // The balls run to the right below and to the left above.
        let above = (0..PITS).rev().map(|pit| cell(1, pit));
        let below = (0..PITS).map(|pit| cell(0, pit));
        View {
            rows: 2,
            cols: PITS,
            cells: above.chain(below).collect(),
            row_labels: vec!["2".to_owned(), "1".to_owned()],
            col_labels: (1..=PITS).map(|below| format!("{}/{below}", PITS + 1 - below)).collect(),
            facts: vec![
                Fact::Number("store_1", i64::from(stores[0])),
                Fact::Number("store_2", i64::from(stores[1])),
                Fact::Text("tuzdyk_1", tuzdyk_text(tuzdyks[0])),
                Fact::Text("tuzdyk_2", tuzdyk_text(tuzdyks[1])),
            ],
            control: Control::Point,
        }
    }

    fn action_cells(&self, action: Pit) -> Vec<usize> {
        vec![cell_of(self.side, usize::from(action.0))]
    }

    fn motion(&self, action: Pit) -> Vec<Movement> {
        motion::of(self, action)
    }
}
