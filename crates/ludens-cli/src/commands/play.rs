//! `ludens play`: on the full screen, as lines of text, or as JSON lines.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use ludens_core::{ParseError, Player};
use ludens_engine::analysis::Request;
use ludens_engine::{HUMAN, Played, Table, Turn, json};
use serde_json::{Value, json};

use crate::args::PlayArgs;
use crate::commands::{record, show, solve};
use crate::failure::Failure;
use crate::output::Output;
use crate::source::InputLines;
use crate::{source, tui};

/// What can be typed instead of a move.
const HELP: &str = "\
Type a move as the game writes it, or
  moves   list the legal moves
  undo    take back your last move
  help    this list
  quit    stop";

/// A table, where its record goes, and the clock of the player to move.
pub(crate) struct Match {
    pub(crate) table: Box<dyn Table>,
    save: Option<PathBuf>,
    since: Instant,
    /// For agents that can use several.
    pub(crate) threads: usize,
}

impl Match {
    pub(crate) fn new(table: Box<dyn Table>, save: Option<PathBuf>) -> Self {
        Match { table, save, since: Instant::now(), threads: 1 }
    }

    /// Plays a move, notes its time and keeps the record. When that fails the
    /// move has been played all the same, and the next one saves it, too.
    pub(crate) fn play(&mut self, action: &str) -> anyhow::Result<Played> {
        let played = self.table.play(action)?.clone();
        self.table.note_time(self.since.elapsed());
        self.keep()?;
        Ok(played)
    }

    /// Plays the move of the agent to move; `None` when it is a person's turn.
    pub(crate) fn play_agent(&mut self) -> anyhow::Result<Option<Played>> {
        let request = Request { threads: self.threads, ..Request::default() };
        let analysis = self.table.think(&request, Request::never(), &mut |_| {});
        let best = analysis.and_then(|analysis| analysis.best);
        best.map(|best| self.play(&best.text)).transpose()
    }

    /// Takes back to the last position in which a person was to move.
    pub(crate) fn undo(&mut self) -> anyhow::Result<bool> {
        let mut undone = false;
        while self.table.undo() {
            undone = true;
            if self.person_to_move() {
                break;
            }
        }
        self.keep()?;
        Ok(undone)
    }

    /// Whether a person is to move.
    pub(crate) fn person_to_move(&self) -> bool {
        match self.table.turn() {
            Turn::Over => false,
            Turn::Move(player) => self.table.seated(player) == HUMAN,
        }
    }

    fn keep(&mut self) -> anyhow::Result<()> {
        self.since = Instant::now();
        match &self.save {
            Some(path) => source::write_atomically(path, &self.table.record().write()),
            None => Ok(()),
        }
    }
}

pub(crate) fn run(args: &PlayArgs, out: &mut Output) -> anyhow::Result<()> {
    if let Some(path) = &args.save {
        source::check_free(path, args.resume.as_deref())?;
    }
    let mut game = Match::new(open(args, out)?, args.save.clone());
    game.threads = solve::threads(out);
    game.keep()?;
    if out.common.json {
        return json_lines(game, out);
    }
    let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if args.plain || !terminal || dumb {
        return lines(game, out);
    }
    let (game, interrupted) = tui::run(game)?;
    out.line(&summary(&*game.table))?;
    if interrupted { Err(Failure::Interrupted.into()) } else { Ok(()) }
}

/// The table with its players.
fn open(args: &PlayArgs, out: &Output) -> anyhow::Result<Box<dyn Table>> {
    let mut table = match (&args.resume, &args.game) {
        (Some(path), _) => {
            record::read_one(&source::file(path)?).with_context(|| source::name(path))?
        }
        (None, Some(game)) => {
            let seed = out.common.seed.unwrap_or_else(source::fresh_seed);
            out.detail(&format!("seed {seed}"));
            source::table(game, &args.position, seed)?
        }
        (None, None) => unreachable!("the command line requires a game or --resume"),
    };
    if let (Some(seed), None) = (out.common.seed, args.position.random) {
        table.reseed(seed);
    }
    let resumed = args.resume.is_some();
    seat(&mut *table, resumed, Player::One, args.first.as_deref(), HUMAN)?;
    if table.players() == 2 || args.second.is_some() {
        // A solo game refuses a second player by itself.
        seat(&mut *table, resumed, Player::Two, args.second.as_deref(), "random")?;
    }
    Ok(table)
}

/// Seats who was asked for; otherwise who sat there in the recorded game, if
/// that is an agent we have; otherwise `usual`.
fn seat(
    table: &mut dyn Table,
    resumed: bool,
    player: Player,
    asked: Option<&str>,
    usual: &str,
) -> Result<(), ParseError> {
    let recorded = table.seated(player).to_owned();
    match asked {
        Some(agent) => table.seat(player, agent),
        None if resumed && table.seat(player, &recorded).is_ok() => Ok(()),
        None => table.seat(player, usual),
    }
}

/// How the game stands, in one line.
pub(crate) fn summary(table: &dyn Table) -> String {
    let status = match table.turn() {
        Turn::Over => show::status(table),
        Turn::Move(_) => "stopped".to_owned(),
    };
    let moves = table.history().len();
    format!("{status} after {moves} moves, total {}", table.total())
}

/// Lines of text: for people without a full screen, and for scripts.
fn lines(mut game: Match, out: &mut Output) -> anyhow::Result<()> {
    let interactive = std::io::stdin().is_terminal();
    let mut input = InputLines::default();
    let mut redraw = true;
    loop {
        if redraw {
            out.text(&show::drawing(&*game.table))?;
            out.line(&format!(
                "moves {}  total {}",
                game.table.history().len(),
                game.table.total()
            ))?;
        }
        redraw = true;
        if game.table.turn() == Turn::Over {
            break;
        }
        match game.play_agent() {
            Ok(Some(played)) => {
                out.line(&format!("\nplayer {} plays {}", played.player, described(&played)))?;
                continue;
            }
            Ok(None) => {}
            Err(e) if interactive => {
                out.line(&e.to_string())?;
                continue;
            }
            Err(e) => return Err(e),
        }
        if interactive {
            out.text("move (help, undo, quit)> ")?;
        }
        out.flush()?;
        let Some(line) = input.next()? else { break };
        match line.as_str() {
            "" => redraw = false,
            "quit" | "q" => break,
            "help" | "?" => {
                redraw = false;
                out.line(HELP)?;
            }
            "moves" => {
                redraw = false;
                let moves: Vec<String> = game.table.actions().into_iter().map(|a| a.text).collect();
                out.line(&moves.join("  "))?;
            }
            "undo" | "u" => match game.undo() {
                Ok(true) => {}
                Ok(false) => out.line("nothing to undo")?,
                Err(e) if interactive => out.line(&e.to_string())?,
                Err(e) => return Err(e),
            },
            action => match game.play(action) {
                Ok(played) => out.line(&described(&played))?,
                Err(e) if interactive => {
                    // A move that could not be saved has been played.
                    redraw = e.downcast_ref::<ParseError>().is_none();
                    out.line(&e.to_string())?;
                }
                Err(e) => return Err(e),
            },
        }
    }
    out.line(&summary(&*game.table))
}

/// A move with what nature did and what it paid.
pub(crate) fn described(played: &Played) -> String {
    let mut text = played.action.text.clone();
    if let Some(chance) = &played.chance {
        text.push_str(&format!(", then {chance}"));
    }
    if played.reward != 0 {
        text.push_str(&format!(" ({:+})", played.reward));
    }
    text
}

/// JSON lines: a `start`, a `move` after each move, an `end`. Moves of a person
/// are read from standard input, one per line.
fn json_lines(mut game: Match, out: &mut Output) -> anyhow::Result<()> {
    let mut input = InputLines::default();
    out.json(&event("start", json::position(&*game.table)))?;
    while game.table.turn() != Turn::Over {
        let played = match game.play_agent()? {
            Some(played) => played,
            None => match input.next()?.as_deref() {
                None | Some("quit") => break,
                Some("") => continue,
                Some("undo") => {
                    game.undo()?;
                    out.json(&event("undo", json!({"position": game.table.position()})))?;
                    continue;
                }
                Some(action) => game.play(action)?,
            },
        };
        let mut fields = json::played(&played);
        fields["position"] = json!(game.table.position());
        fields["total"] = json!(game.table.total());
        out.json(&event("move", fields))?;
    }
    let table = &*game.table;
    let end = json!({
        "over": table.turn() == Turn::Over,
        "moves": table.history().len(),
        "total": table.total(),
        "winner": json::outcome(table.outcome()),
        "position": table.position(),
    });
    out.json(&event("end", end))
}

/// The fields with `event` in front.
fn event(name: &str, fields: Value) -> Value {
    let mut event = json!({ "event": name });
    if let (Value::Object(event), Value::Object(fields)) = (&mut event, fields) {
        event.extend(fields);
    }
    event
}
