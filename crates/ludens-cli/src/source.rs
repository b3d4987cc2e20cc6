//! From the command line to a table: notation, file, standard input, generator.

use std::io::Read;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use ludens_registry::{GameHandle, Table, former};

use crate::args::PositionArgs;
use crate::failure::Failure;

/// Texts longer than this are no position and no record anybody made.
const LONGEST_TEXT: u64 = 64 << 20;

/// How many random moves `--random` plays in games with a fixed start.
const PLIES_FROM_FIXED_START: usize = 8;

/// The table a command begins with. Without a named position that is today's
/// board in Former and a start of `seed` in other games.
pub(crate) fn table(game: &str, args: &PositionArgs, seed: u64) -> anyhow::Result<Box<dyn Table>> {
    let handle = ludens_registry::game(game)?;
    let only_former = |flag: &str| -> anyhow::Result<()> {
        if handle.info().name == former::NAME {
            return Ok(());
        }
        let message = format!("{flag} is for former, not for {}", handle.info().name);
        Err(Failure::Usage(message).into())
    };
    if let Some(text) = &args.position {
        return Ok(handle.parse(&position_text(text)?)?);
    }
    if let Some(seed) = args.random {
        return Ok(random(&*handle, seed, args.plies));
    }
    if let Some(date) = &args.date {
        only_former("--date")?;
        return Ok(former::daily(&*handle, date)?);
    }
    if let Some(number) = args.thesis {
        only_former("--thesis")?;
        return Ok(former::thesis(&*handle, number)?);
    }
    if former::has_daily_board(&*handle) {
        return Ok(former::daily(&*handle, &today_in_oslo())?);
    }
    Ok(handle.start(seed))
}

/// The tables of a command that takes many: a file or standard input may hold
/// one board, or one per line.
pub(crate) fn tables(
    game: &str,
    args: &PositionArgs,
    seed: u64,
) -> anyhow::Result<Vec<Box<dyn Table>>> {
    if let Some(text) = args.position.as_deref().filter(|t| t.starts_with('@') || *t == "-") {
        let handle = ludens_registry::game(game)?;
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
    let plies = match plies {
        Some(plies) => plies as usize,
        None if handle.fixed_start() => PLIES_FROM_FIXED_START,
        None => 0,
    };
    handle.random(seed, plies)
}

/// `text` itself, the contents of `@FILE`, or standard input for `-`.
fn position_text(text: &str) -> anyhow::Result<String> {
    let contents = match text.strip_prefix('@') {
        Some(path) => file(Path::new(path))?,
        None if text == "-" => file(Path::new("-"))?,
        None => return Ok(text.to_owned()),
    };
    Ok(contents.trim_end().to_owned())
}

/// The text of a file, or of standard input for `-`.
pub(crate) fn file(path: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    let mut read = |from: &mut dyn Read| from.take(LONGEST_TEXT).read_to_string(&mut text);
    let done = if path == Path::new("-") {
        read(&mut std::io::stdin().lock())
    } else {
        std::fs::File::open(path).and_then(|mut opened| read(&mut opened))
    };
    done.map_err(|e| Failure::Usage(format!("{}: {e}", path.display())))?;
    Ok(text)
}

/// A seed nobody asked for, different each time.
pub(crate) fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    // A clock before 1970 still gives a playable game.
    now.map_or(0, |since| ludens_core::bits::mix(since.as_nanos() as u64) >> 32)
}

/// Today's date where Former is published.
fn today_in_oslo() -> String {
    let oslo = jiff::tz::TimeZone::get("Europe/Oslo").unwrap_or(jiff::tz::TimeZone::UTC);
    jiff::Timestamp::now().to_zoned(oslo).date().to_string()
}

/// Writes a whole file so that a crash leaves either the old or the new one.
pub(crate) fn write_atomically(path: &Path, text: &str) -> anyhow::Result<()> {
    use std::io::Write;
    let mut name = path.file_name().context("the file to save in has no name")?.to_owned();
    name.push(".tmp");
    let temporary = path.with_file_name(name);
    let write = || -> std::io::Result<()> {
        let mut file = std::fs::File::create(&temporary)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&temporary, path)
    };
    write().map_err(|e| Failure::Failed(format!("{}: {e}", path.display())).into())
}
