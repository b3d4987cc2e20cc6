//! What the fuzz targets check: readers never panic, and what reads writes
//! back to something that reads as the same.

use ludens_core::{Params, Record};
use ludens_engine as engine;
use ludens_engine::{GameHandle, Table};
use ludens_games::former::{Date, daily};
use ludens_vision::{Limits, Request};

/// Moves a table of the fuzzer plays on at most, so that every input stays quick.
const MOVES: usize = 40;

/// Checks one input of a target: a game's name for its positions, else one of the functions below.
///
/// # Panics
/// When a reader or writer is wrong.
pub fn check(target: &str, input: impl AsRef<[u8]>) {
    if target == "picture" {
        return picture(input.as_ref());
    }
    // The other readers take text.
    let Ok(text) = std::str::from_utf8(input.as_ref()) else { return };
    match target {
        "record" => record(text),
        "framework" => framework(text),
        "date" => date(text),
        "params" => params(text),
        "names" => names(text),
        game => position(game, text),
    }
}

/// First byte: which game. The others: a file. Large pictures would only be slow.
fn picture(input: &[u8]) {
    let Some((&choice, file)) = input.split_first() else { return };
    let games: Vec<&str> = ludens_vision::games().collect();
    let game = games[usize::from(choice) % games.len()];
    let limits = Limits { bytes: 1 << 20, pixels: 100_000 };
    let Ok(reading) = ludens_vision::read(&Request { limits, ..Request::of(game) }, file) else {
        return;
    };
    reading.json();
    if let Ok(position) = &reading.position {
        let game = engine::game(&reading.game).expect("a game that is read is one");
        let table = game.parse(position).expect("what was read is a position");
        written_back(&*game, &*table);
    }
}

/// First line: parameters of the variant. Second line: a position. The other
/// lines: moves, or `undo`.
fn position(name: &str, text: &str) {
    let mut lines = text.split('\n');
    let params = lines.next().unwrap_or_default();
    let spec = if params.is_empty() { name.to_owned() } else { format!("{name}:{params}") };
    let game = match engine::game(&spec) {
        Ok(game) => game,
        Err(_) => {
            engine::game(name).expect("a target is named after its game");
            return;
        }
    };
    let Some(position) = lines.next() else { return };
    let Ok(mut table) = game.parse(position) else { return };
    written_back(&*game, &*table);
    for line in lines.take(MOVES) {
        let (before, moves) = (table.position(), table.history().len());
        let legal = table.action_count();
        if line == "undo" {
            assert_eq!(table.undo(), moves > 0, "there is something to undo after a move");
        } else if table.play(line).is_ok() {
            assert!(legal > 0, "a move in a finished game");
        } else {
            assert_eq!(table.position(), before, "a refused move changed the table");
            assert_eq!(table.history().len(), moves, "a refused move was kept");
        }
    }
    written_back(&*game, &*table);
    let record = table.record();
    assert_eq!(Record::parse(&record.write()).expect("a record reads back"), record);
    let again = game.replay(&record).expect("a game replays by the rules");
    assert_eq!(again.position(), table.position());
}

/// The position reads back as the same, and whatever shows it can do so.
fn written_back(game: &dyn GameHandle, table: &dyn Table) {
    let written = table.position();
    let again = game.parse(&written).expect("what was written reads back");
    assert_eq!(again.position(), written);
    assert_eq!((again.turn(), again.outcome()), (table.turn(), table.outcome()));
    let view = table.view();
    assert_eq!(view.cells.len(), view.rows * view.cols);
    assert_eq!((view.row_labels.len(), view.col_labels.len()), (view.rows, view.cols));
    let actions = table.actions();
    assert_eq!(actions.len(), again.action_count());
    assert!(actions.iter().flat_map(|a| &a.cells).all(|&cell| cell < view.cells.len()));
}

/// A whole game in Ludens' own format.
fn record(text: &str) {
    let Ok(record) = Record::parse(text) else { return };
    assert_eq!(record.write(), text);
    if let Ok(game) = engine::game(&record.game)
        && let Ok(table) = game.replay(&record)
    {
        assert_eq!(table.record(), record);
    }
}

/// First line: 2048, 2584 or threes with its parameters. The rest: episodes of
/// the 2048-Framework.
fn framework(text: &str) {
    let Some((spec, episodes)) = text.split_once('\n') else { return };
    let Ok(tables) = engine::framework::read(episodes, spec) else { return };
    for table in tables {
        let record = table.record();
        assert_eq!(Record::parse(&record.write()).expect("a record reads back"), record);
        let line = engine::framework::write(&record).expect("what was read writes");
        let again = engine::framework::read(&line, spec).expect("what was written reads");
        assert_eq!(again.len(), 1, "an episode is one line");
        assert_eq!(again[0].record(), record);
    }
}

/// A day of the calendar.
fn date(text: &str) {
    let Ok(date) = text.parse::<Date>() else { return };
    assert_eq!(date.to_string(), text);
    assert_eq!(Date::new(date.year(), date.month(), date.day()).as_ref(), Ok(&date));
    let first = Date::new(2024, 11, 23).expect("a day of the calendar");
    assert_eq!(daily(date.year(), date.month(), date.day()).is_ok(), date >= first);
}

/// Parameters as games and agents take them.
fn params(text: &str) {
    let Ok(mut params) = Params::parse(text) else { return };
    let whole = params.clone();
    for key in text.split([',', '=']) {
        let _ = params.clone().number(key, 5u8, 1..=64);
        let _ = params.clone().choice(key, true, &[("on", true), ("off", false)]);
        if params.take(key).is_some() {
            assert_eq!(params.take(key), None, "each parameter comes once");
        }
    }
    params.finish(&[]).expect("every key stands in the text");
    for game in engine::games() {
        names(&game.spec_with(text));
    }
    assert_eq!(Params::parse(text).as_ref(), Ok(&whole));
}

/// A game with its variant, such as `sevn:base=5`.
fn names(text: &str) {
    let Ok(game) = engine::game(text) else { return };
    let spec = game.spec();
    let again = engine::game(&spec).expect("what was written reads back");
    assert_eq!(again.spec(), spec);
    let table = game.start(0);
    assert_eq!(table.spec(), spec);
    written_back(&*game, &*table);
}
