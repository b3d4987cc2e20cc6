//! `ludens show`: draw a position.

use ludens_core::Player;
use ludens_engine::{Table, Turn, json};

use crate::args::ShowArgs;
use crate::draw::{self, Board};
use crate::output::Output;
use crate::source;

pub(crate) fn run(args: &ShowArgs, out: &mut Output) -> anyhow::Result<()> {
    let table = source::table(&args.game, &args.position, out.common.seed.unwrap_or(0))?;
    if out.common.json {
        return out.json(&json::position(&*table));
    }
    out.text(&drawing(&*table))?;
    out.line(&table.position())
}

/// The board, its facts, and whose turn it is.
pub(crate) fn drawing(table: &dyn Table) -> String {
    let view = table.view();
    let mut text = Board::new(&view, |_| false).ansi();
    for line in [draw::facts(&view), status(table)] {
        if !line.is_empty() {
            text.push_str(&line);
            text.push('\n');
        }
    }
    text
}

/// Whose turn it is, or how the game ended; empty while a solo game goes on.
pub(crate) fn status(table: &dyn Table) -> String {
    use ludens_core::GameResult::{Draw, Win};
    match (table.turn(), table.outcome()) {
        (Turn::Over, Some(Win(player))) => format!("player {player} has won"),
        (Turn::Over, Some(Draw)) => "a draw".to_owned(),
        (Turn::Over, None) => "the game is over".to_owned(),
        (Turn::Move(_), _) if table.players() == 1 => String::new(),
        (Turn::Move(player @ (Player::One | Player::Two)), _) => format!("player {player} to move"),
    }
}
