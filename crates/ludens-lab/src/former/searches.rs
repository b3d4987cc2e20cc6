//! The searches of Urheim (2025, tables 5.7 and 5.8), each with one of its models, and ours.

use super::shapes::{IMITATED, Published, REINFORCED};
use super::trained::{Kind, training};
use crate::lab::Lab;

/// How a search goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Technique {
    /// MCTS with a policy.
    Tree,
    /// An anytime beam by a value.
    Beam,
    /// Not in Urheim (2025).
    Own,
}

/// A search by the name of its model.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Search {
    pub(super) technique: Technique,
    pub(super) label: String,
    /// What runs it; `None` where its network is not there.
    pub(super) solver: Option<String>,
    /// Mean moves and deviation after 10 s (table 6.8).
    pub(super) published: [Option<f64>; 2],
    /// Whether its model is a network of Urheim (2025).
    pub(super) is_network: bool,
    /// The share of the published training that its network has had, where it is there.
    pub(super) training: Option<f64>,
}

/// The searches by heuristic models: technique, name, solver, and table 6.8.
const HEURISTIC: [(Technique, &str, &str, [f64; 2]); 4] = [
    (Technique::Tree, "MCTS, 1 look-ahead", "PUCT:model=look-ahead-1", [14.93, 1.56]),
    (Technique::Tree, "MCTS, 2 look-ahead", "PUCT:model=look-ahead-2", [15.32, 1.79]),
    (
        Technique::Beam,
        "beam, 1 look-ahead",
        "beam:value=look-ahead-1,width=1,plain=on",
        [14.26, 1.53],
    ),
    (
        Technique::Beam,
        "beam, 2 look-ahead",
        "beam:value=look-ahead-2,width=1,plain=on",
        [14.38, 1.61],
    ),
];

/// Ours: nothing published stands beside them.
const OWN: [(&str, &str); 4] = [
    ("our network in MCTS", "PUCT:policy=bundled"),
    ("our network in a beam", "beam:eval=bundled,width=1"),
    ("our beam", "beam"),
    ("our portfolio", "portfolio"),
];

/// All searches. Networks are those in the folder of `--keep`.
pub(super) fn searches(lab: &Lab<'_>) -> Vec<Search> {
    let heuristic = HEURISTIC.iter().map(|&(technique, label, solver, published)| Search {
        technique,
        label: label.to_owned(),
        solver: Some(solver.to_owned()),
        published: published.map(Some),
        is_network: false,
        training: None,
    });
    let own = OWN.iter().map(|&(label, solver)| Search {
        technique: Technique::Own,
        label: label.to_owned(),
        solver: Some(solver.to_owned()),
        published: [None; 2],
        is_network: false,
        training: None,
    });
    let mut searches: Vec<Search> = heuristic.collect();
    for published in &IMITATED {
        let technique = match published.net.kind {
            Kind::Policy => Technique::Tree,
            _ => Technique::Beam,
        };
        searches.push(by_network(lab, technique, published.net.kind.name(), published));
    }
    for pair in &REINFORCED {
        searches.push(by_network(lab, Technique::Tree, "actor", &pair.actor));
        searches.push(by_network(lab, Technique::Beam, "critic", &pair.critic));
    }
    // In the order of the tables: trees, then beams.
    searches.sort_by_key(|search| search.technique == Technique::Beam);
    searches.extend(own);
    searches
}

fn by_network(lab: &Lab<'_>, technique: Technique, model: &str, published: &Published) -> Search {
    let [channels, depth] = published.net.shape;
    let (name, solver) = match technique {
        Technique::Tree => ("MCTS", "PUCT:policy="),
        _ => ("beam", "beam:width=1,plain=on,eval="),
    };
    let folder = published.net.kept(lab);
    let training = folder.as_deref().and_then(|folder| training(published.net.kind, folder));
    Search {
        technique,
        label: format!("{name}, {model} ({channels},{depth})"),
        solver: folder.map(|folder| format!("{solver}{}", folder.display())),
        published: published.search,
        is_network: true,
        training,
    }
}
