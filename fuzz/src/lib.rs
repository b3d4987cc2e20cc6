//! What the fuzz targets check: readers never panic, and what reads writes
//! back to something that reads as the same.

use ludens_core::Record;

/// First line: parameters of the variant. Second line: a position. Third line: a move.
pub fn position(name: &str, text: &str) {
    let mut parts = text.splitn(3, '\n');
    let params = parts.next().unwrap_or_default();
    let spec = if params.is_empty() { name.to_owned() } else { format!("{name}:{params}") };
    let Ok(game) = ludens_registry::game(&spec) else { return };
    let Some(position) = parts.next() else { return };
    let Ok(mut table) = game.parse(position) else { return };
    let written = table.position();
    let again = game.parse(&written).expect("what was written reads back");
    assert_eq!(again.position(), written);
    assert_eq!(again.action_count(), table.action_count());
    let _ = table.view();
    if let Some(action) = parts.next() {
        let before = table.action_count();
        match table.play(action) {
            Ok(_) => assert!(before > 0, "a move in a finished game"),
            Err(_) => assert_eq!(table.position(), written, "a refused move changed the table"),
        }
    }
}

/// A whole game in Ludens' own format.
pub fn record(text: &str) {
    let Ok(record) = Record::parse(text) else { return };
    assert_eq!(record.write(), text);
    if let Ok(game) = ludens_registry::game(&record.game)
        && let Ok(table) = game.replay(&record)
    {
        assert_eq!(table.record().moves, record.moves);
    }
}
