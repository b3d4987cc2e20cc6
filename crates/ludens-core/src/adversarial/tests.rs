//! Both forms of a game small enough to check by hand: three cells, take one
//! for its value, then nature puts a 1 (3 in 4) or a 2 on an empty cell and
//! pays 5 for a 2. Nothing comes after the last of the turns.

use std::collections::HashMap;

use super::*;
use crate::error::quote;
use crate::*;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Shelf {
    cells: [u8; 3],
    turns: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Taken(Shelf);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Put {
    cell: u8,
    tile: u8,
}

fn read(text: &str) -> Result<Shelf, ParseError> {
    match *text.as_bytes() {
        [a @ b'0'..=b'2', b @ b'0'..=b'2', c @ b'0'..=b'2', b':', turns @ b'0'..=b'9'] => {
            Ok(Shelf { cells: [a - b'0', b - b'0', c - b'0'], turns: turns - b'0' })
        }
        _ => Err(ParseError::new("shelf", quote(text), "three cells, ':' and the turns left")),
    }
}

impl Position for Shelf {
    fn key(&self) -> u64 {
        let [a, b, c] = self.cells;
        bits::mix(u64::from(u32::from_le_bytes([a, b, c, self.turns])))
    }
}

impl Position for Taken {
    fn key(&self) -> u64 {
        self.0.key()
    }
}

impl Game for Shelf {
    type Variant = NoVariant;
    type Action = u8;
    type Actions = arrayvec::IntoIter<u8, 3>;
    type After = Taken;
    type Chance = Option<Put>;

    const PLAYERS: usize = 1;

    fn variant(&self) -> NoVariant {
        NoVariant
    }

    fn start(_: &NoVariant, rng: &mut Rng) -> Self {
        let mut cells = [0; 3];
        cells[rng.below(3) as usize] = 1;
        Shelf { cells, turns: 3 }
    }

    fn actions(&self) -> Self::Actions {
        let legal: ArrayVec<u8, 3> = (0..3).filter(|&cell| self.is_legal(cell)).collect();
        legal.into_iter()
    }

    fn is_legal(&self, cell: u8) -> bool {
        self.turns > 0 && self.cells.get(usize::from(cell)).is_some_and(|&tile| tile > 0)
    }

    fn apply(&self, cell: u8) -> (Taken, Reward) {
        let mut next = Shelf { turns: self.turns - 1, ..*self };
        let tile = std::mem::take(&mut next.cells[usize::from(cell)]);
        (Taken(next), tile.into())
    }

    fn is_chance(after: &Taken) -> bool {
        after.0.turns > 0
    }

    fn outcomes(
        after: &Taken,
        mut f: impl FnMut(Option<Put>, f64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if !Self::is_chance(after) {
            return f(None, 1.0);
        }
        let empty = (0..3).filter(|&cell| after.0.cells[usize::from(cell)] == 0);
        let share = 1.0 / empty.clone().count() as f64;
        for cell in empty {
            f(Some(Put { cell, tile: 1 }), 0.75 * share)?;
            f(Some(Put { cell, tile: 2 }), 0.25 * share)?;
        }
        ControlFlow::Continue(())
    }

    fn apply_outcome(after: &Taken, put: Option<Put>) -> (Self, Reward) {
        let mut next = after.0;
        let Some(Put { cell, tile }) = put else { return (next, 0) };
        next.cells[usize::from(cell)] = tile;
        (next, if tile == 2 { 5 } else { 0 })
    }
}

impl Notation for Shelf {
    const NAME: &'static str = "shelf";

    fn parse(_: &NoVariant, text: &str) -> Result<Self, ParseError> {
        read(text)
    }

    fn text(&self) -> String {
        let [a, b, c] = self.cells;
        format!("{a}{b}{c}:{}", self.turns)
    }

    fn parse_action(&self, text: &str) -> Result<u8, ParseError> {
        let found = self.actions().find(|&action| self.action_text(action) == text);
        found.ok_or_else(|| ParseError::new("move", quote(text), "a cell with a tile"))
    }

    fn action_text(&self, cell: u8) -> String {
        format!("take{cell}")
    }

    fn action_pair(&self, cell: u8) -> Option<[u8; 2]> {
        Some([cell, 0])
    }

    fn chance_text(_: &Taken, put: Option<Put>) -> String {
        put.map_or(String::new(), |Put { cell, tile }| format!("{tile}@{cell}"))
    }

    fn view(&self) -> View {
        View {
            rows: 1,
            cols: 3,
            cells: self.cells.map(|tile| Cell::new(tile.to_string(), Ink::Plain)).to_vec(),
            row_labels: vec![String::new()],
            col_labels: vec![String::new(); 3],
            facts: Vec::new(),
            control: Control::Point,
        }
    }

    fn action_cells(&self, cell: u8) -> Vec<usize> {
        vec![cell.into()]
    }
}

impl AfterNotation for Shelf {
    fn after_variant(_: &Taken) -> NoVariant {
        NoVariant
    }

    fn parse_after(_: &NoVariant, text: &str) -> Result<Taken, ParseError> {
        let shelf = text.strip_suffix('*');
        shelf.ok_or_else(|| ParseError::new("end", quote(text), "'*'")).and_then(read).map(Taken)
    }

    fn after_text(after: &Taken) -> String {
        format!("{}*", after.0.text())
    }

    fn after_view(after: &Taken) -> View {
        after.0.view()
    }

    fn chance_cells(_: &Taken, put: Option<Put>) -> Vec<usize> {
        put.map(|put| put.cell.into()).into_iter().collect()
    }
}

impl Spawns for Shelf {
    type Tile = u8;

    fn tile_of(_: &Taken, put: Option<Put>) -> u8 {
        put.map_or(0, |put| put.tile)
    }

    fn tile_text(tile: u8) -> String {
        tile.to_string()
    }
}

impl Starts for Shelf {
    fn starts(_: &NoVariant, mut f: impl FnMut(Self, f64)) {
        for cells in [[1, 0, 0], [0, 1, 0], [0, 0, 1]] {
            f(Shelf { cells, turns: 3 }, 1.0 / 3.0);
        }
    }
}

impl Symmetric for Shelf {
    fn symmetries(_: &NoVariant) -> u32 {
        2
    }

    fn map(&self, sym: Sym) -> Self {
        let [a, b, c] = self.cells;
        if sym == Sym::IDENTITY { *self } else { Shelf { cells: [c, b, a], ..*self } }
    }

    fn map_action(&self, cell: u8, sym: Sym) -> u8 {
        if sym == Sym::IDENTITY { cell } else { 2 - cell }
    }

    fn map_after(after: &Taken, sym: Sym) -> Taken {
        Taken(after.0.map(sym))
    }

    fn map_chance(after: &Taken, put: Option<Put>, sym: Sym) -> Option<Put> {
        put.map(|put| Put { cell: after.0.map_action(put.cell, sym), ..put })
    }
}

type Full = Adversarial<Shelf>;
type ByCell = CellAdversary<Shelf>;

fn full(text: &str) -> Full {
    Full::parse(&NoVariant, text).unwrap()
}

fn by_cell(text: &str) -> ByCell {
    ByCell::parse(&NoVariant, text).unwrap()
}

/// The value with best play of both, by the general rules of two-player games.
fn value<G: Game>(position: &G) -> f64 {
    let mut best: Option<f64> = None;
    position.children(|_, after, reward| {
        let mut value = f64::from(reward);
        let _ = G::outcomes(&after, |chance, p| {
            let (next, bonus) = G::apply_outcome(&after, chance);
            value += p * (f64::from(bonus) + self::value(&next));
            ControlFlow::Continue(())
        });
        best = Some(match (best, position.to_move()) {
            (None, _) => value,
            (Some(other), Player::One) => other.max(value),
            (Some(other), Player::Two) => other.min(value),
        });
    });
    best.unwrap_or(0.0)
}

#[test]
fn the_second_player_chooses_every_outcome() {
    let start = full("010:2");
    assert_eq!(start.to_move(), Player::One);
    let (two, reward) = start.apply(Ply::One(1));
    assert_eq!((two.text().as_str(), reward, two.to_move()), ("000:1*", 1, Player::Two));
    let names: Vec<String> = two.actions().map(|action| two.action_text(action)).collect();
    assert_eq!(names, ["1@0", "2@0", "1@1", "2@1", "1@2", "2@2"]);
    let (one, reward) = two.apply(two.parse_action("2@1").unwrap());
    assert_eq!((one.text().as_str(), reward, one.to_move()), ("020:1", 5, Player::One));
    let (end, reward) = one.apply(Ply::One(1));
    assert_eq!((end.text().as_str(), reward), ("000:0", 2));
    assert!(end.is_over() && !two.is_over(), "no turn of the second player after the last move");
}

#[test]
fn the_tile_is_drawn_and_the_cell_chosen() {
    let (after, reward) = by_cell("010:2").apply(Ply::One(1));
    assert_eq!(reward, 1);
    assert!(ByCell::is_chance(&after));
    let mut drawn = Vec::new();
    let _ = ByCell::outcomes(&after, |tile, p| {
        drawn.push((ByCell::chance_text(&after, tile), (p * 1e9).round() / 1e9));
        ControlFlow::Continue(())
    });
    assert_eq!(drawn, [("1".to_owned(), 0.75), ("2".to_owned(), 0.25)]);
    let (two, reward) = ByCell::apply_outcome(&after, Some(2));
    assert_eq!((two.text().as_str(), reward), ("000:1* place 2", 0));
    let names: Vec<String> = two.actions().map(|action| two.action_text(action)).collect();
    assert_eq!(names, ["2@0", "2@1", "2@2"]);
    let (after, reward) = two.apply(two.parse_action("2@1").unwrap());
    assert_eq!((after, reward), (CellAfter::Resolved(Shelf { cells: [0, 2, 0], turns: 1 }), 5));
    assert!(!ByCell::is_chance(&after));
    assert_eq!(ByCell::apply_outcome(&after, None).0, by_cell("020:1"));
}

#[test]
fn values_by_hand() {
    // The adversary places 1s only: take 1, again 1, again 1.
    assert_eq!(value(&full("010:3")), 3.0);
    // With two 2s on the shelf nothing else matters for two turns.
    assert_eq!(value(&full("022:2")), 4.0);
    // Chance decides the tile: 1 + (3/4 * 1 + 1/4 * (5 + 2)).
    assert_eq!(value(&by_cell("010:2")), 3.5);
    // 1 + 3/4 * 3.5 + 1/4 * (5 + 4.5).
    assert_eq!(value(&by_cell("020:2")), 4.5);
    assert_eq!(value(&by_cell("010:3")), 6.0);
}

#[test]
fn every_position_reads_back_and_has_its_own_key() {
    fn walk<G: Notation + Symmetric>(position: G, seen: &mut HashMap<u64, G>) {
        if let Some(other) = seen.insert(position.key(), position) {
            assert_eq!(other, position);
            return;
        }
        assert_eq!(G::parse(&position.variant(), &position.text()), Ok(position));
        let image = position.map(Sym(1));
        assert_eq!(image.canonical(), position.canonical());
        assert!(position.canonical() == position || position.canonical() == image);
        assert_eq!(position.is_over(), position.actions().len() == 0);
        let mut children = Vec::new();
        position.children(|action, after, reward| children.push((action, after, reward)));
        for (action, child) in position.actions().zip(children) {
            assert!(position.is_legal(action));
            let (after, reward) = position.apply(action);
            assert_eq!((action, after, reward), child);
            let mapped = position.map_action(action, Sym(1));
            assert_eq!(image.apply(mapped), (G::map_after(&after, Sym(1)), reward));
            assert_eq!(position.parse_action(&position.action_text(action)), Ok(action));
            let _ = G::outcomes(&after, |chance, _| {
                walk(G::apply_outcome(&after, chance).0, seen);
                ControlFlow::Continue(())
            });
        }
    }
    let (mut of_full, mut of_cell) = (HashMap::new(), HashMap::new());
    Full::starts(&NoVariant, |position, _| walk(position, &mut of_full));
    ByCell::starts(&NoVariant, |position, _| walk(position, &mut of_cell));
    let twos =
        |keys: &HashMap<u64, Full>| keys.values().filter(|p| p.to_move() == Player::Two).count();
    assert!(twos(&of_full) > 0 && of_cell.len() > of_full.len());
}

#[test]
fn bad_texts_are_refused() {
    let refused = |text| Full::parse(&NoVariant, text).unwrap_err().to_string();
    assert_eq!(
        refused("01:2"),
        "position: found '01:2', expected a position (shelf: found '01:2', expected three cells, \
         ':' and the turns left) or what a move leads to (end: found '01:2', expected '*')"
    );
    assert!(refused("010:0*").contains("nothing to choose"));
    let refused = |text| ByCell::parse(&NoVariant, text).unwrap_err().to_string();
    assert_eq!(refused("000:1* place 3"), "tile: found '3', expected 1 or 2");
    assert_eq!(refused("000:0* place 1"), "tile: found '1', expected no tile: none is due");
    assert!(refused("000:1*").starts_with("shelf: found"));
    let two = by_cell("000:1* place 1");
    assert_eq!(
        two.parse_action("2@0").unwrap_err().to_string(),
        "move: found '2@0', expected a cell for a 1"
    );
    assert!(!two.is_legal(Ply::Two(Some(Put { cell: 0, tile: 2 }))));
    assert!(!two.is_legal(Ply::One(0)) && !full("000:1*").is_legal(Ply::One(0)));
    assert!(!full("000:1*").is_legal(Ply::Two(None)));
}

#[test]
fn views_say_what_to_do() {
    let tasks = [
        (full("010:2").view(), "player: move", Control::Point),
        (full("000:1*").view(), "adversary: choose what comes", Control::Name),
        (by_cell("000:1* place 2").view(), "adversary: place a 2", Control::Point),
    ];
    for (view, task, control) in tasks {
        assert_eq!(view.facts, [Fact::Text("to do", task.into())]);
        assert_eq!(view.control, control);
    }
}
