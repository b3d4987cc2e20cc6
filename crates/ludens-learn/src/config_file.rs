//! `config.toml`: what a run is, a line `NAME = VALUE` each.

use std::io::{ErrorKind, Write};
use std::path::Path;

use ludens_core::error::quote;
use ludens_core::file::{self, atomic_write};

use crate::Error;
use crate::error::failed;
use crate::run_folder::LARGEST_TEXT;

/// Its name in the folder of a run.
pub(crate) const CONFIG: &str = "config.toml";

/// Writes the file of a folder; where that fails, the old one is still there.
pub(crate) fn write(
    folder: &Path,
    recipe: Option<&str>,
    game: &str,
    seed: u64,
    settings: &[(&'static str, String)],
) -> Result<(), Error> {
    let mut text = recipe.map_or(String::new(), |recipe| format!("recipe = {recipe:?}\n"));
    text.push_str(&format!("game = {game:?}\nseed = {seed}\n"));
    for (key, value) in settings {
        text.push_str(&format!("{key} = {value:?}\n"));
    }
    let path = folder.join(CONFIG);
    let written = atomic_write(&path, |file| file.write_all(text.as_bytes()));
    written.map_err(|error| failed(&path, error))
}

/// The names and values of a folder's file, in order.
///
/// # Errors
/// When there is none, or it is damaged: a line is no `NAME = VALUE`, comes twice, or is cut off.
pub(crate) fn read(folder: &Path) -> Result<Vec<(String, String)>, Error> {
    let path = folder.join(CONFIG);
    let text = file::read_text(&path, LARGEST_TEXT).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Error::Run(format!("{} holds no run to resume", folder.display())),
        _ => failed(&path, error),
    })?;
    let mut entries: Vec<(String, String)> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let wrong = |expected: &str| {
            let (path, line, number) = (path.display(), quote(line), index + 1);
            Error::Run(format!("{path}, line {number}: found {line}, expected {expected}"))
        };
        let (key, value) = line.split_once(" = ").ok_or_else(|| wrong("NAME = VALUE"))?;
        let quoted = value.strip_prefix('"').map(|rest| rest.strip_suffix('"'));
        let value = quoted.unwrap_or(Some(value)).filter(|value| !value.contains('"'));
        let value = value.ok_or_else(|| wrong("a value, or one in quotes"))?;
        if entries.iter().any(|(known, _)| known == key) {
            return Err(wrong("every name once"));
        }
        entries.push((key.to_owned(), value.to_owned()));
    }
    if !text.ends_with('\n') {
        let path = path.display();
        return Err(Error::Run(format!(
            "{path}: found no line break at the end, expected one: the file may be cut off"
        )));
    }
    Ok(entries)
}

/// The value of a name that the file of a folder must have.
pub(crate) fn value<'a>(
    folder: &Path,
    entries: &'a [(String, String)],
    name: &str,
) -> Result<&'a str, Error> {
    let found = entries.iter().find(|(key, _)| key == name);
    found.map(|(_, value)| value.as_str()).ok_or_else(|| {
        let path = folder.join(CONFIG);
        let path = path.display();
        Error::Run(format!("{path}: found no {name}, expected a line {name} = VALUE"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_damage_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let settings = [("rate", "0.1".to_owned()), ("kind", "policy".to_owned())];
        write(folder.path(), Some("ppo"), "2048:board=3x3", 7, &settings).unwrap();
        let read = || read(folder.path());
        let entries = read().unwrap();
        let pairs: Vec<(&str, &str)> = entries.iter().map(|(k, v)| (&**k, &**v)).collect();
        let expected = [
            ("recipe", "ppo"),
            ("game", "2048:board=3x3"),
            ("seed", "7"),
            ("rate", "0.1"),
            ("kind", "policy"),
        ];
        assert_eq!(pairs, expected);
        let told = value(folder.path(), &entries, "w").unwrap_err().to_string();
        assert!(told.ends_with("config.toml: found no w, expected a line w = VALUE"), "{told}");
        let path = folder.path().join(CONFIG);
        let whole = std::fs::read_to_string(&path).unwrap();
        // Cut off anywhere: within a line it is told here, at its end by a name that is missing.
        for (at, _) in whole.char_indices() {
            std::fs::write(&path, &whole[..at]).unwrap();
            let ends = at == 0 || whole.as_bytes()[at - 1] == b'\n';
            assert_eq!(read().is_err(), !ends || at == 0, "{at}");
        }
        for damaged in ["seed 7\n", "kind = \"policy\n", "seed = 1\nseed = 1\n", "a = b\"c\n"] {
            std::fs::write(&path, damaged).unwrap();
            let told = read().unwrap_err().to_string();
            assert!(told.contains("config.toml, line ") && told.contains("expected"), "{told}");
        }
        std::fs::write(&path, "# by hand\n\nseed = 1\n").unwrap();
        assert_eq!(read().unwrap(), [("seed".to_owned(), "1".to_owned())]);
    }
}
