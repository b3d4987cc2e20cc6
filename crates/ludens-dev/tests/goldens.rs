//! Every registered game has its golden files, and they say what the code does.

use std::collections::BTreeSet;
use std::fs;

use ludens_dev::{goldens, picture};

#[test]
fn golden_files_are_up_to_date() {
    let folder = goldens::folder();
    let expected = goldens::all();
    for (path, text) in &expected {
        let found = fs::read_to_string(folder.join(path)).unwrap_or_else(|e| {
            panic!("{}: {e}; write it with `cargo dev goldens`", path.display())
        });
        for (number, (found, expected)) in found.lines().zip(text.lines()).enumerate() {
            assert_eq!(found, expected, "{} line {}", path.display(), number + 1);
        }
        assert_eq!(found.len(), text.len(), "{}", path.display());
    }
    let names: BTreeSet<_> = expected.into_iter().map(|(path, _)| path).collect();
    for entry in fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name();
        assert!(names.contains(std::path::Path::new(&name)), "{name:?} belongs to no game");
    }
}

/// A difference here is a change of how a solver or agent searches: on purpose, with the
/// new signature in the commit, or by mistake.
#[test]
fn searches_have_their_signatures() {
    for (path, expected) in goldens::signatures() {
        let found = fs::read_to_string(&path).unwrap_or_else(|e| {
            panic!("{}: {e}; write it with `cargo dev goldens`", path.display())
        });
        assert!(expected.lines().count() > 80, "every solver and agent has one");
        for (found, expected) in found.lines().zip(expected.lines()) {
            assert_eq!(found, expected, "write it anew with `cargo dev goldens` if this is meant");
        }
        assert_eq!(found.lines().count(), expected.lines().count(), "{}", path.display());
    }
}

#[test]
fn the_picture_is_up_to_date() {
    let found = fs::read_to_string(picture::path()).expect("`cargo dev picture` draws it");
    assert_eq!(found, picture::svg(), "draw it anew with `cargo dev picture`");
}
