//! `/api/runs`: training runs, live. A run is a folder below `LUDENS_HOME` with a
//! `metrics.jsonl`; requests never name one, so no path of theirs is opened.

use std::convert::Infallible;
use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, UNIX_EPOCH};

use axum::extract::State;
use axum::response::IntoResponse;
use axum::response::sse::{Event as Sent, KeepAlive, Sse};
use futures_util::stream::unfold;
use ludens_core::file;
use serde_json::{Map, Value, json};
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore};

use crate::analyze::HEARTBEAT;
use crate::reply::{Json, Refusal};
use crate::server::App;

const METRICS: &str = "metrics.jsonl";
const CONFIG: &str = "config.toml";
/// How deep below the home runs are looked for.
const DEPTH: usize = 4;
/// Runs that are listed at most, newest first.
const LISTED: usize = 100;
/// Bytes of a file of figures that are read, from its end.
const TAIL: u64 = 1 << 20;
/// Bytes of a file of settings at most.
const LARGEST_CONFIG: u64 = 1 << 20;
/// Points of a curve at most; longer ones are thinned.
const POINTS: usize = 400;
/// How often folders are looked at for somebody who watches.
const PERIOD: Duration = Duration::from_secs(1);
/// Streams of events at once.
const WATCHERS: usize = 800;

/// Where runs are, who may watch them, and what was found last.
pub(crate) struct Runs {
    home: Option<PathBuf>,
    watchers: Arc<Semaphore>,
    last: Mutex<Look>,
}

/// What was found when folders were looked at: once for all who watch.
#[derive(Default)]
struct Look {
    at: Option<Instant>,
    runs: Vec<(PathBuf, u64)>,
    /// Counts changes.
    version: u64,
}

impl Runs {
    pub(crate) fn new(home: Option<PathBuf>) -> Self {
        let watchers = Arc::new(Semaphore::new(WATCHERS));
        Runs { home, watchers, last: Mutex::default() }
    }

    /// How often runs have changed and how many there are, as of a moment ago.
    async fn look(&self) -> (u64, usize) {
        // Whoever comes while another looks waits for what that one finds.
        let mut last = self.last.lock().await;
        if last.at.is_none_or(|at| at.elapsed() >= PERIOD) {
            let home = self.home.clone();
            let looked = tokio::task::spawn_blocking(move || {
                let found = home.as_deref().map(find).unwrap_or_default();
                found.into_iter().map(|run| (run.folder, run.length)).collect::<Vec<_>>()
            });
            let now = looked.await.unwrap_or_default();
            if last.at.is_none() || last.runs != now {
                (last.runs, last.version) = (now, last.version + 1);
            }
            last.at = Some(Instant::now());
        }
        (last.version, last.runs.len())
    }
}

/// All runs with their settings and curves, the one written last first.
pub(crate) async fn list(State(app): State<Arc<App>>) -> Result<Json, Refusal> {
    let home = app.runs.home.clone();
    app.slowly(move || {
        let found = home.as_deref().map(find).unwrap_or_default();
        let runs: Vec<Value> =
            found.iter().take(LISTED).filter_map(|run| run.told(home.as_deref()?)).collect();
        Ok(Json(json!({ "runs": runs })))
    })
    .await
}

/// A `changed` event when a run has new figures, and one at the start.
pub(crate) async fn events(State(app): State<Arc<App>>) -> Result<impl IntoResponse, Refusal> {
    let permit = Arc::clone(&app.runs.watchers)
        .try_acquire_owned()
        .map_err(|_| Refusal::busy("events: found too many streams, expected fewer", 10))?;
    let watch = Watch { app, seen: None, _permit: permit };
    let events = unfold(watch, |mut watch| async move {
        let count = watch.next().await;
        let event = Sent::default().event("changed").data(json!({ "runs": count }).to_string());
        Some((Ok::<_, Infallible>(event), watch))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(HEARTBEAT)))
}

/// Somebody who watches.
struct Watch {
    app: Arc<App>,
    /// How often runs had changed when it was last told.
    seen: Option<u64>,
    _permit: OwnedSemaphorePermit,
}

impl Watch {
    /// Waits for something new; gives how many runs there are.
    async fn next(&mut self) -> usize {
        loop {
            let (version, count) = self.app.runs.look().await;
            if self.seen.replace(version) != Some(version) {
                return count;
            }
            tokio::time::sleep(PERIOD).await;
        }
    }
}

/// A run as it lies on the disk.
struct Found {
    folder: PathBuf,
    length: u64,
    /// Seconds since 1970 of the last figures.
    written: u64,
}

/// The runs below a folder, the one written last first. Links are not followed.
fn find(home: &Path) -> Vec<Found> {
    let (mut found, mut folders) = (Vec::new(), vec![(home.to_owned(), 0)]);
    while let Some((folder, depth)) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let Ok(about) = entry.metadata() else { continue };
            if about.is_dir() && depth < DEPTH {
                folders.push((entry.path(), depth + 1));
            } else if about.is_file() && entry.file_name() == METRICS {
                let since = about.modified().ok().and_then(|t| t.duration_since(UNIX_EPOCH).ok());
                let written = since.map_or(0, |since| since.as_secs());
                found.push(Found { folder: folder.clone(), length: about.len(), written });
            }
        }
    }
    found.sort_by(|a, b| (b.written, &a.folder).cmp(&(a.written, &b.folder)));
    found
}

impl Found {
    fn told(&self, home: &Path) -> Option<Value> {
        let name = self.folder.strip_prefix(home).ok()?.to_string_lossy().into_owned();
        let config = file::read_text(&self.folder.join(CONFIG), LARGEST_CONFIG).unwrap_or_default();
        let lines = figures(&self.folder.join(METRICS))?;
        Some(json!({
            "name": if name.is_empty() { "." } else { &name },
            "written": self.written,
            "config": settings(&config),
            "blocks": lines.len(),
            "points": thinned(lines),
        }))
    }
}

/// The lines of figures, only numbers and objects of numbers kept.
fn figures(path: &Path) -> Option<Vec<Map<String, Value>>> {
    let mut file = file::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL))).ok()?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    // A line that was cut at either end is no JSON and drops out.
    let lines = text.lines().filter_map(|line| match serde_json::from_str(line) {
        Ok(Value::Object(map)) => Some(flat(map)),
        _ => None,
    });
    Some(lines.collect())
}

/// `{"rate": {"2048": 0.9}}` as `{"rate 2048": 0.9}`; what is no number goes.
fn flat(map: Map<String, Value>) -> Map<String, Value> {
    let mut out = Map::new();
    for (key, value) in map {
        match value {
            Value::Number(_) => drop(out.insert(key, value)),
            Value::Object(inner) => {
                let inner = inner.into_iter().filter(|(_, value)| value.is_number());
                out.extend(inner.map(|(name, value)| (format!("{key} {name}"), value)));
            }
            _ => {}
        }
    }
    out
}

/// Every n-th of the lines, and the last.
fn thinned(lines: Vec<Map<String, Value>>) -> Vec<Map<String, Value>> {
    let (count, step) = (lines.len(), lines.len().div_ceil(POINTS).max(1));
    let kept = |i: usize| (count - 1 - i).is_multiple_of(step);
    lines.into_iter().enumerate().filter(|(i, _)| kept(*i)).map(|(_, line)| line).collect()
}

/// `key = value` lines as an object; values as they are written.
fn settings(config: &str) -> Map<String, Value> {
    let pairs = config.lines().filter_map(|line| line.split_once(" = "));
    pairs.map(|(key, value)| (key.to_owned(), json!(value.trim_matches('"')))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_are_flat_and_thin() {
        let line = serde_json::from_str(r#"{"a": 1, "b": "x", "rate": {"8": 0.5}}"#).unwrap();
        assert_eq!(json!(flat(line)), json!({"a": 1, "rate 8": 0.5}));
        let lines: Vec<_> =
            (0..1001).map(|i| Map::from_iter([("i".to_owned(), json!(i))])).collect();
        let kept = thinned(lines);
        assert!(kept.len() <= POINTS && kept.last().unwrap()["i"] == 1000);
        assert!(thinned(Vec::new()).is_empty());
    }
}
