//! Every registered game has a page with the same headings.

use std::fs;

use ludens_dev::checks::root;

const HEADINGS: [&str; 8] = [
    "## Rules",
    "## Variants",
    "## Notation",
    "## Actions",
    "## Rewards",
    "## Encodings",
    "## Symmetries",
    "## Figures",
];

#[test]
fn every_game_has_its_page() {
    for info in ludens_engine::games() {
        let path = root().join("docs/games").join(format!("{}.md", info.name));
        let page = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let headings: Vec<&str> = page.lines().filter(|line| line.starts_with("## ")).collect();
        assert_eq!(headings, HEADINGS, "{}", path.display());
        let names = info.parameters.iter().map(|p| p.name);
        for name in names.chain(info.selector.map(|(key, _)| key)) {
            let named = format!("`{name}");
            assert!(page.contains(&named), "{} does not tell about {named}`", path.display());
        }
    }
}
