//! Positions by random play, and when two of them look alike.

use ludens_core::{Notation, Rng};
use ludens_games::{ConnectFour, Former, Game2048, Game2584, Othello, SameGame, Sevn, Threes};

/// The games that can be read.
pub(crate) const GAMES: [&str; 8] =
    ["former", "samegame", "2048", "2584", "threes", "sevn", "connect-four", "othello"];

/// A position that random play leads to. Of sliding games also boards with large tiles, which it
/// does not reach.
pub(crate) fn random(game: &str, rng: &mut Rng) -> String {
    let powers: Vec<u32> = (1..14).map(|p| 1 << p).collect();
    let fibonacci =
        [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597, 2584, 4181, 6765];
    match game {
        "former" => played::<Former>(25, rng),
        "samegame" => played::<SameGame>(40, rng),
        "2048" => large::<Game2048>(&powers, rng),
        "2584" => large::<Game2584>(&fibonacci, rng),
        "threes" => played::<Threes>(200, rng),
        "sevn" => played::<Sevn>(14, rng),
        "connect-four" => played::<ConnectFour>(42, rng),
        _ => played::<Othello>(60, rng),
    }
}

/// A start followed by up to `most` random moves; a third of all are starts.
pub(crate) fn played<G: Notation>(most: u32, rng: &mut Rng) -> String {
    let mut position = G::start(&G::Variant::default(), rng);
    let plies = if rng.below(3) == 0 { 0 } else { rng.below(most + 1) };
    for _ in 0..plies {
        let Some((_, after, _)) = position.step(rng) else { break };
        let chance = G::sample(&after, rng);
        let next = G::apply_outcome(&after, chance).0;
        // An empty board shows nothing.
        if next.view().cells.iter().all(|cell| cell.text.trim().is_empty()) {
            break;
        }
        position = next;
    }
    position.text()
}

/// A board with any tiles that the rules allow, or one of random play.
fn large<G: Notation>(values: &[u32], rng: &mut Rng) -> String {
    if rng.below(3) == 0 {
        return played::<G>(300, rng);
    }
    loop {
        let share = rng.below(12) + 3;
        let mut cell = || match rng.below(15) < share {
            true => values[rng.below(values.len() as u32) as usize].to_string(),
            false => "0".to_owned(),
        };
        let rows: Vec<String> =
            (0..4).map(|_| (0..4).map(|_| cell()).collect::<Vec<_>>().join(",")).collect();
        let position = G::parse(&G::Variant::default(), &rows.join("/")).map(|it| it.text());
        if let Ok(text) = position
            && text.split(['/', ',']).any(|tile| tile != "0")
        {
            return text;
        }
    }
}

/// Whether two positions have the same board, whatever the colours are called, and apart from what
/// a board does not show.
pub(crate) fn same(game: &str, found: &str, expected: &str) -> bool {
    let board = |text: &str| match game {
        "former" | "samegame" => renamed(text),
        "sevn" => renamed(&cells(text.rsplit('/').next().unwrap_or_default())),
        "threes" | "othello" => text.split(' ').next().unwrap_or_default().to_owned(),
        _ => text.to_owned(),
    };
    board(found) == board(expected)
}

/// Sevn's rows with a dot for every empty cell.
fn cells(rows: &str) -> String {
    rows.chars()
        .flat_map(|c| match c.to_digit(10) {
            Some(count) => vec!['.'; count as usize],
            None => vec![c],
        })
        .collect()
}

/// The text with letters for what is not empty, in the order they come.
fn renamed(text: &str) -> String {
    let mut order = Vec::new();
    let mut letter = |c: char| {
        if c == '.' || c == '/' {
            return c;
        }
        let at = order.iter().position(|&o| o == c).unwrap_or_else(|| {
            order.push(c);
            order.len() - 1
        });
        char::from(b'A' + at as u8)
    };
    text.chars().map(&mut letter).collect()
}
