//! Short fingerprints of files, to tell one model or one build from another.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The fingerprint of a file, or of all files of a folder with their names: twelve
/// hexadecimal digits. `None` when there is no such thing or it cannot be read.
pub fn of_path(path: &Path) -> Option<String> {
    let mut hasher = blake3::Hasher::new();
    enter(&mut hasher, path).ok()?;
    Some(hasher.finalize().to_hex()[..12].to_owned())
}

/// The fingerprint of some bytes: twelve hexadecimal digits, as those of a file with them.
pub fn of_bytes(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..12].to_owned()
}

/// The fingerprint of the program that runs: sixteen hexadecimal digits of its own file's hash,
/// which no build shares with another. Within another program, such as an interpreter that has
/// loaded this code as a library, it is that of the library. The file is read once.
///
/// # Errors
/// When the file cannot be read.
pub fn of_build() -> io::Result<&'static str> {
    static BUILD: OnceLock<String> = OnceLock::new();
    if let Some(build) = BUILD.get() {
        return Ok(build);
    }
    let program = std::env::current_exe()?;
    // What runs, even when its file has been replaced or removed since.
    let itself = PathBuf::from("/proc/self/exe");
    let path = match library(&program) {
        Some(library) => library,
        None if itself.exists() => itself,
        None => program,
    };
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(fs::File::open(path)?)?;
    Ok(BUILD.get_or_init(|| hasher.finalize().to_hex()[..16].to_owned()))
}

/// The file that this code was loaded from, where that is not the program: the system's list of what is
/// mapped where tells.
fn library(program: &Path) -> Option<PathBuf> {
    let here = library as fn(&Path) -> Option<PathBuf> as usize;
    let maps = fs::read_to_string("/proc/self/maps").ok()?;
    let found = maps.lines().find_map(|line| {
        let (range, rest) = line.split_once(' ')?;
        let (start, end) = range.split_once('-')?;
        let [start, end] = [start, end].map(|text| usize::from_str_radix(text, 16).ok());
        let path = rest.find('/').map(|at| PathBuf::from(&rest[at..]));
        (start? <= here && here < end?).then_some(path)
    })??;
    (found != program && found.exists()).then_some(found)
}

fn enter(hasher: &mut blake3::Hasher, path: &Path) -> io::Result<()> {
    if !fs::metadata(path)?.is_dir() {
        hasher.update_reader(ludens_core::file::open(path)?)?;
        return Ok(());
    }
    let mut paths: Vec<_> =
        fs::read_dir(path)?.map(|entry| entry.map(|e| e.path())).collect::<io::Result<_>>()?;
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        hasher.update(&(name.len() as u64).to_le_bytes());
        hasher.update(name);
        enter(hasher, &path)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn the_build_is_the_hash_of_what_runs() {
        let file = fs::read(std::env::current_exe().unwrap()).unwrap();
        assert_eq!(of_build().unwrap(), &blake3::hash(&file).to_hex()[..16]);
    }

    #[test]
    fn contents_and_names_count() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("weights");
        fs::write(&file, "one").unwrap();
        let (one, all) = (of_path(&file).unwrap(), of_path(folder.path()).unwrap());
        assert_eq!(one.len(), 12);
        fs::write(&file, "two").unwrap();
        assert_ne!(of_path(&file).unwrap(), one);
        let changed = of_path(folder.path()).unwrap();
        assert_ne!(changed, all);
        fs::rename(&file, folder.path().join("other")).unwrap();
        assert_ne!(of_path(folder.path()).unwrap(), changed);
        assert_eq!(of_path(&file), None);
    }
}
