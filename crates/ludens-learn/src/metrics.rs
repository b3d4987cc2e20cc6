//! `metrics.jsonl`: a line of figures per step of a run.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use ludens_core::file::{self, atomic_write};
use serde_json::Value;

use crate::Error;
use crate::error::failed;
use crate::run_folder::LARGEST_TEXT;

/// Its name in the folder of a run.
pub(crate) const METRICS: &str = "metrics.jsonl";

/// The file, to which lines are added.
pub(crate) struct Metrics {
    path: PathBuf,
    file: File,
}

impl Metrics {
    /// Opens the file of a folder; there need not be one.
    pub(crate) fn open(folder: &Path) -> Result<Metrics, Error> {
        let path = folder.join(METRICS);
        let file = append(&path)?;
        Ok(Metrics { path, file })
    }

    /// Adds a line.
    pub(crate) fn add(&mut self, figures: &Value) -> Result<(), Error> {
        // One write, so that a killed run leaves whole lines.
        let line = format!("{figures}\n");
        self.file.write_all(line.as_bytes()).map_err(|error| failed(&self.path, error))
    }

    /// Makes the lines so far last. A checkpoint counts them, so this comes before it.
    pub(crate) fn sync(&self) -> Result<(), Error> {
        self.file.sync_data().map_err(|error| failed(&self.path, error))
    }

    /// Forgets lines of steps after `last`, which come again, and a line that was cut off; `name` is
    /// the step's field. The file is replaced as a whole, so nothing else can get lost.
    pub(crate) fn rewind(&mut self, name: &str, last: u64) -> Result<(), Error> {
        let text = read(&self.path)?;
        let known = |line: &&[u8]| {
            let step = serde_json::from_slice::<Value>(line).ok().and_then(|v| v[name].as_u64());
            step.is_some_and(|step| step <= last)
        };
        let lines = text.split(|byte| *byte == b'\n').filter(known);
        let kept: Vec<u8> = lines.flat_map(|line| [line, b"\n"].concat()).collect();
        if kept == text {
            return Ok(());
        }
        let written = atomic_write(&self.path, |file| file.write_all(&kept));
        written.map_err(|error| failed(&self.path, error))?;
        self.file = append(&self.path)?;
        Ok(())
    }

    /// All lines.
    pub(crate) fn all(&self) -> Result<Vec<Value>, Error> {
        let text = read(&self.path)?;
        let lines = text.split(|byte| *byte == b'\n');
        Ok(lines.filter_map(|line| serde_json::from_slice(line).ok()).collect())
    }
}

fn append(path: &Path) -> Result<File, Error> {
    let file = File::options().append(true).create(true).open(path);
    file.map_err(|error| failed(path, error))
}

/// The bytes of a file; none if there is no file.
fn read(path: &Path) -> Result<Vec<u8>, Error> {
    match file::read(path, LARGEST_TEXT) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        read => read.map_err(|error| failed(path, error)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lines_after_a_step_are_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(METRICS);
        let mut metrics = Metrics::open(folder.path()).unwrap();
        for step in 1..=4 {
            metrics.add(&json!({"step": step})).unwrap();
        }
        // A reader that has the file open sees it as it was, whatever becomes of its place.
        let mut reader = File::open(&path).unwrap();
        metrics.file.write_all(b"{\"step\":5").unwrap();
        metrics.rewind("step", 2).unwrap();
        let mut seen = String::new();
        std::io::Read::read_to_string(&mut reader, &mut seen).unwrap();
        assert_eq!(seen, "{\"step\":1}\n{\"step\":2}\n{\"step\":3}\n{\"step\":4}\n{\"step\":5");
        metrics.add(&json!({"step": 3})).unwrap();
        let steps = |all: Vec<Value>| all.iter().map(|v| v["step"].as_u64()).collect::<Vec<_>>();
        assert_eq!(steps(metrics.all().unwrap()), [Some(1), Some(2), Some(3)]);
    }
}
