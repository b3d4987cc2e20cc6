//! `config.toml`: what a run is and what made it.

use std::io::ErrorKind;
use std::path::Path;

use ludens_core::error::quote;
use ludens_core::{ParseError, file};
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::LARGEST_TEXT;
use crate::error::failed;
use crate::{Error, Settings};

/// Its name in the folder of a run.
pub(crate) const CONFIG: &str = "config.toml";

/// The contents of the file. A file of `--config` has the same keys, all of them optional.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RunConfig {
    /// The recipe's name; runs of `td` had none in 0.1.0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recipe: Option<String>,
    /// The game with its variant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<Value>,
    /// Versions and hashes of the programs that worked on the run, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub builds: Vec<String>,
    /// The network that the run started with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    #[serde(flatten)]
    settings: Table,
}

impl RunConfig {
    /// Of a new run.
    pub fn new<S: Settings>(game: &str, seed: u64, settings: &S) -> Self {
        let mut config = RunConfig {
            recipe: Some(S::RECIPE.to_owned()),
            game: Some(game.to_owned()),
            seed: Some(value_of(&seed.to_string())),
            ..RunConfig::default()
        };
        config.set_settings(settings);
        config
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, is no TOML, or is cut off.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = file::read_text(path, LARGEST_TEXT).map_err(|error| failed(path, error))?;
        let at = |error: &toml::de::Error| {
            let before = error.span().map_or("", |span| text.get(..span.start).unwrap_or(""));
            before.matches('\n').count() + 1
        };
        let config = toml::from_str(&text).map_err(|error: toml::de::Error| {
            let (path, line) = (path.display(), at(&error));
            Error::Run(format!("{path}, line {line}: {}", error.message()))
        })?;
        match text.ends_with('\n') {
            true => Ok(config),
            false => Err(wrong(
                path,
                "found no line break at the end, expected one: the file may be cut off",
            )),
        }
    }

    /// Reads the file of a run's folder.
    ///
    /// # Errors
    /// When there is none, or it is damaged.
    pub(super) fn of(folder: &Path) -> Result<Self, Error> {
        match std::fs::metadata(folder.join(CONFIG)) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                Err(Error::Run(format!("{} holds no run to resume", folder.display())))
            }
            _ => RunConfig::read(&folder.join(CONFIG)),
        }
    }

    /// The file's text.
    pub(super) fn text(&self) -> Result<String, Error> {
        toml::to_string(self).map_err(|error| Error::Run(format!("{CONFIG}: {error}")))
    }

    /// The seed, if there is one.
    ///
    /// # Errors
    /// When it is no whole number.
    pub fn seed(&self) -> Result<Option<u64>, ParseError> {
        let Some(seed) = self.seed.as_ref().map(text_of) else { return Ok(None) };
        let wrong = |_| ParseError::new("seed", quote(&seed), "a whole number");
        seed.parse().map(Some).map_err(wrong)
    }

    /// The settings by name, in order.
    pub fn settings(&self) -> impl Iterator<Item = (String, String)> + '_ {
        self.settings.iter().map(|(key, value)| (key.clone(), text_of(value)))
    }

    /// Puts settings in the place of all others.
    pub(super) fn set_settings<S: Settings>(&mut self, settings: &S) {
        let texts = settings.texts().into_iter();
        self.settings = texts.map(|(key, text)| (key.to_owned(), value_of(&text))).collect();
    }

    /// All settings of a recipe. One that is missing would silently be another run's.
    pub(super) fn all_settings<S: Settings>(&self, path: &Path) -> Result<S, Error> {
        let mut settings = S::default();
        let mut missing: Vec<&str> = S::PARAMETERS.iter().map(|parameter| parameter.name).collect();
        for (key, value) in self.settings() {
            let key = renamed(S::RECIPE, &key).unwrap_or(&key);
            if !missing.contains(&key) {
                return Err(wrong(
                    path,
                    &format!("found {}, expected a setting's name", quote(key)),
                ));
            }
            settings.set(key, &value).map_err(|error| wrong(path, &error.to_string()))?;
            missing.retain(|name| *name != key);
        }
        for name in missing {
            let before = S::ADDED.iter().find(|(added, _)| *added == name);
            let (_, before) = before.ok_or_else(|| lacks(path, name))?;
            settings.set(name, before).map_err(|error| wrong(path, &error.to_string()))?;
        }
        Ok(settings)
    }
}

/// The error for a damaged file.
pub(super) fn wrong(path: &Path, what: &str) -> Error {
    Error::Run(format!("{}: {what}", path.display()))
}

/// The error for a file without a key that it must have.
pub(super) fn lacks(path: &Path, name: &str) -> Error {
    wrong(path, &format!("found no {name}, expected a line {name} = VALUE"))
}

/// A number where the text is exactly that of one, a string elsewhere.
fn value_of(text: &str) -> Value {
    let integer = text.parse().map(Value::Integer).ok();
    let number = integer.or_else(|| text.parse().map(Value::Float).ok());
    let exact = number.filter(|number| text_of(number) == text);
    exact.unwrap_or_else(|| Value::String(text.to_owned()))
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Boolean(on) => if *on { "on" } else { "off" }.to_owned(),
        other => other.to_string(),
    }
}

/// Settings that had other names in 0.1.0: recipe, old name, name.
const RENAMED: [(&str, &str, &str); 18] = [
    ("alphazero", "w", "channels"),
    ("alphazero", "scatter", "random_opening"),
    ("alphazero", "longest", "max_moves"),
    ("alphazero", "passes", "replay_ratio"),
    ("alphazero", "inertia", "ema_decay"),
    ("alphazero", "slots", "parallel_games"),
    ("probs", "w", "channels"),
    // Its `depth` has always been that of the beam search.
    ("probs", "d", "layers"),
    ("probs", "turns", "max_moves"),
    ("probs", "inertia", "ema_decay"),
    ("probs", "slots", "parallel_games"),
    ("ppo", "w", "channels"),
    ("ppo", "d", "depth"),
    ("ppo", "longest", "max_grad_norm"),
    ("supervised", "w", "channels"),
    ("supervised", "d", "depth"),
    ("supervised", "longest", "max_moves"),
    ("supervised", "images", "augmentation"),
];

/// The present name of a recipe's setting that had another one in 0.1.0.
///
/// ```
/// assert_eq!(ludens_learn::renamed("ppo", "w"), Some("channels"));
/// assert_eq!(ludens_learn::renamed("ppo", "channels"), None);
/// ```
pub fn renamed(recipe: &str, key: &str) -> Option<&'static str> {
    let found = RENAMED.iter().find(|(of, old, _)| (*of, *old) == (recipe, key));
    found.map(|(_, _, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TdConfig;
    use crate::ppo::PpoConfig;

    fn read(text: &str) -> Result<RunConfig, Error> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(CONFIG);
        std::fs::write(&path, text).unwrap();
        RunConfig::read(&path)
    }

    #[test]
    fn what_is_written_is_read() {
        let mut settings = PpoConfig::default();
        settings.set("rate", "0.00001").unwrap();
        let mut config = RunConfig::new("2048:board=3x3", u64::MAX, &settings);
        config.builds = vec!["0.1.0 0123".to_owned()];
        config.parent = Some("a \"b\" \\ c".to_owned());
        let text = config.text().unwrap();
        assert!(text.contains("\nchannels = 32\n") && text.contains("recipe = \"ppo\""), "{text}");
        let again = read(&text).unwrap();
        assert_eq!(again, config);
        assert_eq!(again.seed().unwrap(), Some(u64::MAX));
        assert_eq!(again.all_settings::<PpoConfig>(Path::new(CONFIG)).unwrap(), settings);
        // Cut off anywhere: within a line it is told here, at its end by a name that is missing.
        for (at, _) in text.char_indices() {
            let whole = at == 0 || text.as_bytes()[at - 1] == b'\n';
            let found = read(&text[..at])
                .and_then(|config| config.all_settings::<PpoConfig>(Path::new(CONFIG)).map(drop));
            let message = found.unwrap_err().to_string();
            assert!(!whole || at == 0 || message.contains("found no "), "{at}: {message}");
        }
    }

    #[test]
    fn texts_that_look_like_numbers_stay_as_they_are() {
        for text in ["0145", "012+456", "1", "0.5", "-1e300", "18446744073709551615", "nan", "+1"] {
            assert_eq!(text_of(&value_of(text)), text);
        }
        assert_eq!((value_of("7"), value_of("0.25")), (Value::Integer(7), Value::Float(0.25)));
    }

    #[test]
    fn files_of_0_1_0_are_read() {
        let mut text = "recipe = \"ppo\"\ngame = \"former\"\nseed = 3\n".to_owned();
        for (key, value) in PpoConfig::default().texts() {
            let old = RENAMED.iter().find(|(recipe, _, name)| (*recipe, *name) == ("ppo", key));
            text.push_str(&format!("{} = {value:?}\n", old.map_or(key, |(_, old, _)| old)));
        }
        assert!(text.contains("\nw = \"32\"\n"));
        let config = read(&text).unwrap();
        let settings = config.all_settings::<PpoConfig>(Path::new(CONFIG)).unwrap();
        assert_eq!(settings, PpoConfig::default());
    }

    #[test]
    fn settings_that_came_later_have_their_defaults() {
        let mut text = "recipe = \"td\"\ngame = \"2048\"\nseed = 3\n".to_owned();
        for (key, value) in TdConfig::default().texts() {
            if !TdConfig::ADDED.iter().any(|(added, _)| *added == key) {
                text.push_str(&format!("{key} = {value:?}\n"));
            }
        }
        let settings = read(&text).unwrap().all_settings::<TdConfig>(Path::new(CONFIG)).unwrap();
        assert_eq!(settings, TdConfig::default());
    }

    #[test]
    fn damage_is_told() {
        for damaged in ["seed 7\n", "kind = \"policy\n", "seed = 1\nseed = 1\n", "a = b\"c\n"] {
            let message = read(damaged).unwrap_err().to_string();
            assert!(message.contains("config.toml, line "), "{message}");
        }
        assert!(read("seed = \"x\"\n").unwrap().seed().is_err());
    }
}
