//! Text that reads back, readers that never panic, drawings that make sense.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use ludens_core::{Control, Notation, Params, Rng, Variant};

use crate::{Sample, chance};

pub(crate) fn check<G: Notation>(sample: &Sample<G>) {
    variant_round_trips(&sample.variant);
    let mut rng = Rng::new(9);
    for visited in &sample.visited {
        let position = visited.position;
        position_round_trips(&position);
        actions_round_trip(&position);
        if let Some((_, after)) = visited.choice {
            outcomes_round_trip::<G>(&after);
        }
    }
    for visited in sample.visited.iter().step_by(5) {
        view_makes_sense(&visited.position);
        readers_survive(&visited.position, &mut rng);
    }
}

fn variant_round_trips<V: Variant>(variant: &V) {
    let written = variant.write();
    let names: Vec<&str> = V::PARAMETERS.iter().map(|p| p.name).collect();
    let text = written.iter().map(|(k, v)| format!("{k}={v}")).collect::<Vec<_>>().join(",");
    assert!(written.iter().all(|(k, _)| names.contains(k)), "undeclared parameters: {text}");
    let mut params = Params::parse(&text).expect("written parameters are well formed");
    assert_eq!(V::read(&mut params).expect("written parameters read back"), *variant, "{text}");
    params.finish(&names).expect("a variant reads all it writes");
    assert_eq!(V::default().write(), [], "the default variant needs no parameters");
}

/// A position made of its text is the same one: equal, with the same key and hash.
fn position_round_trips<G: Notation>(position: &G) {
    let text = position.text();
    assert!(!text.contains(['\n', '\r']), "a position is one line: {text}");
    match G::parse(&position.variant(), &text) {
        Ok(read) => {
            assert_eq!(read, *position, "{text}");
            assert_eq!(read.key(), position.key(), "key of {text}");
            assert_eq!(hash_of(&read), hash_of(position), "hash of {text}");
        }
        Err(e) => panic!("{text} does not read back: {e}"),
    }
}

fn hash_of<T: Hash>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn actions_round_trip<G: Notation>(position: &G) {
    let mut texts = HashMap::new();
    for action in position.actions().take(300) {
        let text = position.action_text(action);
        assert!(!text.is_empty() && !text.contains(char::is_whitespace), "action text '{text}'");
        match position.parse_action(&text) {
            Ok(read) => assert_eq!(read, action, "'{text}' in {}", position.text()),
            Err(e) => panic!("'{text}' in {} does not read back: {e}", position.text()),
        }
        if let Some(other) = texts.insert(text.clone(), action) {
            panic!("{other:?} and {action:?} are both '{text}' in {}", position.text());
        }
    }
}

fn outcomes_round_trip<G: Notation>(after: &G::After) {
    if !G::is_chance(after) {
        return;
    }
    for (chance, _) in chance::list::<G>(after) {
        let text = G::chance_text(after, chance);
        assert!(
            !text.is_empty() && text != "-" && !text.contains(char::is_whitespace),
            "outcome '{text}'"
        );
        assert_eq!(G::parse_chance(after, &text), Ok(chance), "outcome '{text}' of {after:?}");
    }
}

fn view_makes_sense<G: Notation>(position: &G) {
    let view = position.view();
    let cells = view.rows * view.cols;
    assert_eq!(view.cells.len(), cells, "cells of {}", position.text());
    assert_eq!(view.row_labels.len(), view.rows, "row labels of {}", position.text());
    assert_eq!(view.col_labels.len(), view.cols, "column labels of {}", position.text());
    let mut owners = HashMap::new();
    for action in position.actions().take(300) {
        let mut touched = position.action_cells(action);
        assert!(touched.iter().all(|&c| c < cells), "cells of {action:?} in {}", position.text());
        touched.sort_unstable();
        match view.control {
            Control::Point => {
                for cell in touched {
                    assert!(
                        owners.insert(vec![cell], action).is_none(),
                        "cell {cell} has two moves in {}",
                        position.text()
                    );
                }
            }
            Control::Pick => {
                assert!(!touched.is_empty());
                assert!(
                    owners.insert(touched, action).is_none(),
                    "two moves pick the same in {}",
                    position.text()
                );
            }
            Control::Slide | Control::Name => {}
        }
    }
}

/// Damaged texts are refused or read as something that reads back.
fn readers_survive<G: Notation>(position: &G, rng: &mut Rng) {
    let variant = position.variant();
    for text in mutations(&position.text(), 40, rng) {
        if let Ok(read) = G::parse(&variant, &text) {
            position_round_trips(&read);
            let _ = (read.actions().len(), read.view());
        }
    }
    let Some(action) = position.actions().next() else { return };
    for text in mutations(&position.action_text(action), 40, rng) {
        if let Ok(read) = position.parse_action(&text) {
            assert!(
                position.is_legal(read),
                "'{text}' reads as an illegal move in {}",
                position.text()
            );
        }
    }
}

/// Damaged copies of a text: characters dropped, doubled, swapped, replaced by
/// troublesome ones, parts cut off, and much too long.
pub fn mutations(text: &str, count: usize, rng: &mut Rng) -> Vec<String> {
    const TROUBLE: [char; 18] = [
        '0', '1', '9', 'x', 'A', '-', '+', ',', '.', '/', ';', ':', ' ', '\n', '\0', 'é', '🎲', '٣',
    ];
    let mut out = vec![String::new(), "-".to_owned(), text.repeat(50), "9".repeat(300)];
    for _ in 0..count {
        let mut chars: Vec<char> = text.chars().collect();
        for _ in 0..=rng.below(2) {
            let at = rng.below(chars.len() as u32 + 1) as usize;
            let trouble = TROUBLE[rng.below(TROUBLE.len() as u32) as usize];
            match rng.below(5) {
                0 if at < chars.len() => drop(chars.remove(at)),
                1 if at < chars.len() => chars.insert(at, chars[at]),
                2 if at + 1 < chars.len() => chars.swap(at, at + 1),
                3 if at < chars.len() => chars[at] = trouble,
                4 if rng.below(4) == 0 => chars.truncate(at),
                _ => chars.insert(at, trouble),
            }
        }
        out.push(chars.into_iter().collect());
    }
    out
}
