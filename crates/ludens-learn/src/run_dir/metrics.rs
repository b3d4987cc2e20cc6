//! `metrics.jsonl`: a line of metrics per step of a run.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use ludens_core::file::{self, atomic_write};
use serde_json::Value;

use super::LARGEST_TEXT;
use crate::Error;
use crate::error::failed;

/// Its name in the folder of a run.
pub(super) const METRICS: &str = "metrics.jsonl";

/// The file, to which lines are appended; there is none before the first.
pub(super) struct Metrics {
    path: PathBuf,
    file: Option<File>,
}

impl Metrics {
    /// The file of a folder.
    pub(super) fn of(folder: &Path) -> Metrics {
        Metrics { path: folder.join(METRICS), file: None }
    }

    /// Appends a line.
    pub(super) fn add(&mut self, metrics: &Value) -> Result<(), Error> {
        let file = match &mut self.file {
            Some(file) => file,
            none => {
                let file = File::options().append(true).create(true).open(&self.path);
                none.insert(file.map_err(|error| failed(&self.path, error))?)
            }
        };
        // One write, so that a killed run leaves whole lines.
        let line = format!("{metrics}\n");
        file.write_all(line.as_bytes()).map_err(|error| failed(&self.path, error))
    }

    /// Makes the lines so far last.
    pub(super) fn sync(&self) -> Result<(), Error> {
        let sync = self.file.as_ref().map_or(Ok(()), File::sync_data);
        sync.map_err(|error| failed(&self.path, error))
    }

    /// Drops lines whose `counter` is beyond `last`, which come again, and a torn line. The file is
    /// replaced as a whole, so nothing else can get lost.
    pub(super) fn rewind(&mut self, counter: &str, last: u64) -> Result<(), Error> {
        let text = self.read()?;
        let kept = |line: &&[u8]| {
            let line = serde_json::from_slice::<Value>(line).ok();
            line.and_then(|line| line[counter].as_u64()).is_some_and(|count| count <= last)
        };
        let lines = text.split(|byte| *byte == b'\n').filter(kept);
        let kept: Vec<u8> = lines.flat_map(|line| [line, b"\n"].concat()).collect();
        if kept == text {
            return Ok(());
        }
        self.file = None;
        let written = atomic_write(&self.path, |file| file.write_all(&kept));
        written.map_err(|error| failed(&self.path, error))
    }

    /// All lines.
    pub(super) fn all(&self) -> Result<Vec<Value>, Error> {
        let text = self.read()?;
        let lines = text.split(|byte| *byte == b'\n');
        Ok(lines.filter_map(|line| serde_json::from_slice(line).ok()).collect())
    }

    fn read(&self) -> Result<Vec<u8>, Error> {
        match file::read(&self.path, LARGEST_TEXT) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            read => read.map_err(|error| failed(&self.path, error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lines_after_a_checkpoint_are_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(METRICS);
        let mut metrics = Metrics::of(folder.path());
        metrics.rewind("step", 0).unwrap();
        assert!(!path.exists());
        for step in 1..=4 {
            metrics.add(&json!({"step": step})).unwrap();
        }
        // A reader that has the file open sees it as it was, whatever becomes of its name.
        let mut reader = File::open(&path).unwrap();
        metrics.file.as_mut().unwrap().write_all(b"{\"step\":5").unwrap();
        metrics.rewind("step", 2).unwrap();
        let mut seen = String::new();
        std::io::Read::read_to_string(&mut reader, &mut seen).unwrap();
        assert_eq!(seen, "{\"step\":1}\n{\"step\":2}\n{\"step\":3}\n{\"step\":4}\n{\"step\":5");
        metrics.add(&json!({"step": 3})).unwrap();
        let steps = |all: Vec<Value>| all.iter().map(|v| v["step"].as_u64()).collect::<Vec<_>>();
        assert_eq!(steps(metrics.all().unwrap()), [Some(1), Some(2), Some(3)]);
    }
}
