//! Joins the stores of shards.

use std::path::PathBuf;

use ludens_arena::Store;
use ludens_arena::store::StoredShard;

use super::{Work, WorkError};

/// A whole whose shards are all there, each once.
#[derive(Debug)]
pub struct Merged {
    /// What was done.
    pub work: Work,
    /// Name, version and build of what did it.
    pub program: String,
    /// How many shards there were.
    pub shards: u32,
    /// Their seconds on the clock together.
    pub seconds: f64,
    /// Their seconds of processors together.
    pub cpu_seconds: f64,
}

/// Takes over the results of all shards into a store.
///
/// # Errors
/// When a file is no store or has no finished shard, when shards are of different work or of different
/// builds, or when one is missing or there twice. The store then has nothing new.
pub fn merge(paths: &[PathBuf], into: &mut Store) -> Result<Merged, WorkError> {
    let mut parts: Vec<(&PathBuf, Store, Vec<StoredShard>)> = Vec::new();
    for path in paths {
        if !path.is_file() {
            return Err(WorkError::Shards(format!("{}: there is no such file", path.display())));
        }
        let store = Store::open(path)?;
        let shards = store.shards()?;
        if shards.is_empty() {
            let name = path.display();
            let message = format!("{name}: no shard in it is finished; run its command again");
            return Err(WorkError::Shards(message));
        }
        parts.push((path, store, shards));
    }
    let all = || parts.iter().flat_map(|(path, _, shards)| shards.iter().map(move |s| (*path, s)));
    let Some((first_path, first)) = all().next() else {
        return Err(WorkError::Shards("no shards were named".to_owned()));
    };
    let mut seen: Vec<Option<&PathBuf>> = vec![None; first.shard.count() as usize];
    for (path, shard) in all() {
        same("work", (first_path, &first.work), (path, &shard.work))?;
        same("program", (first_path, &first.program), (path, &shard.program))?;
        let counts = [first, shard].map(|shard| shard.shard.count().to_string());
        same("number of shards", (first_path, &counts[0]), (path, &counts[1]))?;
        let slot = &mut seen[shard.shard.index() as usize - 1];
        if let Some(other) = slot.replace(path) {
            let (part, one, two) = (shard.shard, other.display(), path.display());
            return Err(WorkError::Shards(format!("shard {part} is in {one} and in {two}")));
        }
    }
    let missing: Vec<String> = (1..)
        .zip(&seen)
        .filter(|(_, path)| path.is_none())
        .map(|(index, _)| format!("{index}/{}", first.shard.count()))
        .collect();
    if !missing.is_empty() {
        let message = format!("shards are missing: {}", missing.join(", "));
        return Err(WorkError::Shards(message));
    }
    let merged = Merged {
        work: Work::parse(&first.work)?,
        program: first.program.clone(),
        shards: first.shard.count(),
        seconds: all().map(|(_, shard)| shard.seconds).sum(),
        cpu_seconds: all().map(|(_, shard)| shard.cpu_seconds).sum(),
    };
    for (_, store, _) in &parts {
        into.import(store)?;
    }
    Ok(merged)
}

/// Refuses shards that differ in what must be the same.
fn same(what: &str, one: (&PathBuf, &str), two: (&PathBuf, &str)) -> Result<(), WorkError> {
    if one.1 == two.1 {
        return Ok(());
    }
    let [one, two] = [one, two].map(|(path, text)| format!("{} has {text}", path.display()));
    Err(WorkError::Shards(format!("shards of different {what}: {one}, {two}")))
}

#[cfg(test)]
mod tests {
    use ludens_arena::Shard;

    use super::super::EpisodesWork;
    use super::*;

    fn part(folder: &std::path::Path, index: u32, program: &str) -> PathBuf {
        let path = folder.join(format!("{index}-{program}.sqlite"));
        let (game, agent) = ("2048".to_owned(), "random".to_owned());
        let work = Work::Episodes(EpisodesWork { game, agent, games: 2, seed: 1 }).text();
        let (program, shard) = (program.to_owned(), Shard::new(index, 2).unwrap());
        let done = StoredShard { work, program, shard, units: 2, seconds: 1.0, cpu_seconds: 1.0 };
        Store::open(&path).unwrap().finish_shard(&done).unwrap();
        path
    }

    #[test]
    fn builds_are_not_mixed() {
        let folder = tempfile::TempDir::new().unwrap();
        let folder = folder.path();
        let [one, two] = [part(folder, 1, "0.1"), part(folder, 2, "0.2")];
        let mut store = Store::in_memory().unwrap();
        let error = merge(&[one.clone(), two], &mut store).unwrap_err().to_string();
        assert!(error.contains("has 0.1") && error.contains("has 0.2"), "{error}");
        assert_eq!(store.shards().unwrap(), []);
        let merged = merge(&[one, part(folder, 2, "0.1")], &mut store).unwrap();
        assert_eq!((merged.shards, merged.seconds), (2, 2.0));
        assert_eq!(store.shards().unwrap().len(), 2);
    }

    #[test]
    fn an_unfinished_shard_is_refused() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("open.sqlite");
        drop(Store::open(&path).unwrap());
        let error = merge(&[path], &mut Store::in_memory().unwrap()).unwrap_err().to_string();
        assert!(error.contains("no shard in it is finished"), "{error}");
    }
}
