//! From the command line to a table: notation, file, standard input, generator.

use std::io::{BufRead, Read};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use ludens_core::error::quote;
use ludens_core::file::{self, atomic_write};
use ludens_engine::analysis::random_plies;
use ludens_engine::{GameHandle, Table};

use crate::args::PositionArgs;
use crate::failure::Failure;

/// Texts longer than this are no position and no record anybody made.
const LONGEST_TEXT: u64 = 64 << 20;

/// Lines longer than this are no move anybody typed.
const LONGEST_LINE: u64 = 64 << 10;

/// The table a command begins with. Without a named position that is today's
/// board in Former and a start of `seed` in other games.
pub(crate) fn table(game: &str, args: &PositionArgs, seed: u64) -> anyhow::Result<Box<dyn Table>> {
    let handle = ludens_engine::game(game)?;
    if let Some(text) = &args.position {
        let parsed = handle.parse(&position_text(text)?);
        // Positions may begin with '-', so the command line cannot tell a flag
        // that does not exist from one.
        return parsed.map_err(|e| {
            match text.starts_with('-') && text != "-" {
                true => {
                    Failure::Usage(format!("{} is no flag, and as a position: {e}", quote(text)))
                }
                false => Failure::Usage(e.to_string()),
            }
            .into()
        });
    }
    if let Some(seed) = args.random {
        return Ok(random(&*handle, seed, args.plies));
    }
    if let Some((name, value)) = args.generator() {
        return Ok(handle.generate(name, &value)?);
    }
    Ok(handle.default_position(seed)?)
}

/// The tables of a command that takes many: a file or standard input may hold
/// one board, or one per line.
pub(crate) fn tables(
    game: &str,
    args: &PositionArgs,
    seed: u64,
) -> anyhow::Result<Vec<Box<dyn Table>>> {
    if let Some(text) = args.position.as_deref().filter(|t| t.starts_with('@') || *t == "-") {
        let handle = ludens_engine::game(game)?;
        let contents = position_text(text)?;
        let whole = match handle.parse(&contents) {
            Ok(table) => return Ok(vec![table]),
            Err(error) => error,
        };
        let mut lines =
            contents.lines().filter(|line| !line.trim().is_empty()).enumerate().peekable();
        let first = lines.peek().and_then(|(_, line)| handle.parse(line).ok());
        if first.is_none() {
            return Err(whole.into());
        }
        let table = |(i, line)| {
            handle.parse(line).map_err(|e| e.within(&format!("board {}", i + 1)).into())
        };
        return lines.map(table).collect();
    }
    Ok(vec![table(game, args, seed)?])
}

fn random(handle: &dyn GameHandle, seed: u64, plies: Option<u32>) -> Box<dyn Table> {
    handle.random(seed, random_plies(handle, plies.map(u64::from)))
}

/// `text` itself, the contents of `@FILE`, or standard input for `-`.
pub(crate) fn position_text(text: &str) -> anyhow::Result<String> {
    let contents = match text.strip_prefix('@') {
        Some(path) => file(Path::new(path))?,
        None if text == "-" => file(Path::new("-"))?,
        None => return Ok(text.to_owned()),
    };
    Ok(contents.trim_end().to_owned())
}

/// The text of a file, or of standard input for `-`.
pub(crate) fn file(path: &Path) -> anyhow::Result<String> {
    let wrong = |what: &str| Failure::Usage(format!("{}: {what}", name(path)));
    let bytes = bytes(path, LONGEST_TEXT)?;
    Ok(String::from_utf8(bytes).map_err(|e| wrong(&no_text(e.utf8_error())))?)
}

/// At most `most` bytes of a file, or of standard input for `-`.
pub(crate) fn bytes(path: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    let done = if path == Path::new("-") {
        file::rest(&mut std::io::stdin().lock(), most)
    } else {
        file::read(path, most)
    };
    done.map_err(|e| Failure::Usage(format!("{}: {e}", name(path))))
}

fn no_text(e: std::str::Utf8Error) -> String {
    format!("byte {}: found no UTF-8, expected text", e.valid_up_to() + 1)
}

/// How a message names a file.
pub(crate) fn name(path: &Path) -> String {
    match path.to_str() {
        Some("-") => "standard input".to_owned(),
        Some("") => "''".to_owned(),
        _ => path.display().to_string(),
    }
}

/// The lines of standard input, without their ends and the blanks around them.
#[derive(Default)]
pub(crate) struct InputLines {
    number: usize,
}

impl InputLines {
    /// The next line; `None` at the end.
    pub(crate) fn next(&mut self) -> anyhow::Result<Option<String>> {
        self.number += 1;
        let mut bytes = Vec::new();
        let place = format!("standard input, line {}", self.number);
        let mut input = std::io::stdin().lock().take(LONGEST_LINE);
        input.read_until(b'\n', &mut bytes).context(place.clone())?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let wrong = |what: &str| Failure::Usage(format!("{place}: {what}"));
        if bytes.len() as u64 == LONGEST_LINE {
            return Err(wrong("found more than 64 KiB, expected a move").into());
        }
        let line = String::from_utf8(bytes).map_err(|e| wrong(&no_text(e.utf8_error())))?;
        Ok(Some(line.trim().to_owned()))
    }
}

/// A seed nobody asked for, different each time.
pub(crate) fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    // A clock before 1970 still gives a playable game.
    now.map_or(0, |since| ludens_core::bits::mix(since.as_nanos() as u64) >> 32)
}

/// Refuses to write a record where something else would be lost: onto what is
/// no regular file, or onto a file other than the one the game comes from.
pub(crate) fn check_free(path: &Path, resumed: Option<&Path>) -> anyhow::Result<()> {
    let refuse = |why: &str| Err(Failure::Usage(format!("{}: {why}", path.display())).into());
    let Ok(found) = std::fs::metadata(path) else { return Ok(()) };
    if found.is_dir() {
        return refuse("is a directory, expected a file to save in");
    }
    if !found.is_file() {
        return refuse("is no regular file, expected one to save in");
    }
    let same = |other: &Path| {
        matches!(
            (path.canonicalize(), other.canonicalize()), (Ok(one), Ok(two)) if one == two
        )
    };
    if found.len() > 0 && !resumed.is_some_and(same) {
        return refuse("exists already, expected a new file, or the one of --resume");
    }
    Ok(())
}

/// Writes a whole file so that a crash leaves either the old or the new one.
pub(crate) fn write_atomically(path: &Path, text: &str) -> anyhow::Result<()> {
    use std::io::Write;
    let failed = |e: std::io::Error| Failure::Failed(format!("{}: not saved: {e}", path.display()));
    // A link stays one, and the file behind it is written.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let written = atomic_write(&target, |file| file.write_all(text.as_bytes()));
    written.map_err(|e| failed(e).into())
}
