//! Every solver is told of in docs/algorithms, whose pages have the same headings.

use std::fs;

use ludens_dev::checks::root;

const HEADINGS: [&str; 4] = ["## What it does", "## Parameters", "## Details", "## References"];

fn pages() -> Vec<(String, String)> {
    let folder = root().join("docs/algorithms");
    let files = fs::read_dir(&folder).expect("docs/algorithms is there");
    let page = |file: std::io::Result<fs::DirEntry>| {
        let path = file.expect("a file of docs/algorithms").path();
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        (path.display().to_string(), text)
    };
    files.map(page).collect()
}

#[test]
fn pages_have_their_headings() {
    for (path, text) in pages() {
        assert!(text.starts_with("# "), "{path} has no title");
        let headings: Vec<&str> = text.lines().filter(|line| line.starts_with("## ")).collect();
        assert_eq!(headings, HEADINGS, "{path}");
    }
}

#[test]
fn every_solver_is_told_of() {
    let all: String = pages().into_iter().map(|(_, text)| text).collect();
    let mut count = 0;
    for info in ludens_engine::games() {
        let game = ludens_engine::game(&info.spec()).expect("a registered game");
        for solver in game.start(0).solvers() {
            let told = [format!("`{}`", solver.name), format!("`{}:", solver.name)];
            let named = told.iter().any(|name| all.contains(name.as_str()));
            assert!(named, "no page of docs/algorithms tells of {} {}", info.name, told[0]);
            count += 1;
        }
    }
    assert!(count > 80, "only {count} solvers were looked at");
}
