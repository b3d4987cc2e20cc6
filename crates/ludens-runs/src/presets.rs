//! Recipes as publications have them: settings by name.

use ludens_core::ParseError;
use ludens_core::error::quote;
use ludens_learn::renamed;

use crate::train::RecipeInfo;

/// Settings: names and values.
type Pairs = &'static [(&'static str, &'static str)];

/// The settings of a publication.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Preset {
    /// Its name in `ludens train RECIPE --preset NAME`.
    pub name: &'static str,
    /// The recipe.
    pub recipe: &'static str,
    /// The game where none is named.
    pub game: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// Settings that differ from the recipe's.
    pub settings: Pairs,
    /// Settings that other games have instead.
    pub by_game: &'static [(&'static str, Pairs)],
    /// Settings that a publication has for each kind of network: those of the row whose first settings
    /// are chosen. Some row must fit, if there are any.
    pub rows: &'static [(Pairs, Pairs)],
}

impl Preset {
    /// All settings for a game; of those with the same name the last one counts.
    pub fn settings_for(&self, game: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
        let name = game.split(':').next().unwrap_or_default();
        let own = self.by_game.iter().find(|(game, _)| *game == name);
        self.settings.iter().chain(own.map_or(&[][..], |(_, settings)| settings)).copied()
    }

    /// The settings of the row that fits, where these others are chosen.
    ///
    /// # Errors
    /// When there is no row for them.
    pub(crate) fn row_for(
        &self,
        recipe: &RecipeInfo,
        chosen: &[(String, String)],
    ) -> Result<Pairs, ParseError> {
        let value = |key: &str| {
            let named = |other: &str| renamed(recipe.name, other).unwrap_or(other) == key;
            let own = self.settings.iter().rev().find(|(other, _)| *other == key);
            let asked = chosen.iter().rev().find(|(other, _)| named(other));
            let usual =
                || recipe.parameters.iter().find(|p| p.name == key).map(|p| p.default_text());
            asked
                .map(|(_, value)| value.clone())
                .or(own.map(|(_, value)| (*value).to_owned()))
                .or_else(usual)
        };
        let fits = |(when, _): &&(Pairs, Pairs)| {
            when.iter().all(|(key, wanted)| value(key).as_deref() == Some(*wanted))
        };
        Ok(match self.rows.iter().find(fits) {
            Some((_, row)) => *row,
            None if self.rows.is_empty() => &[],
            None => {
                let texts = |pairs: Pairs, of: &dyn Fn(&str, &str) -> String| {
                    pairs.iter().map(|(key, value)| of(key, value)).collect::<Vec<_>>().join(" ")
                };
                let found =
                    |key: &str, _: &str| format!("{key}={}", value(key).unwrap_or_default());
                let found = texts(self.rows[0].0, &found);
                let known = |(when, _): &(Pairs, Pairs)| {
                    texts(when, &|key, value| format!("{key}={value}"))
                };
                let known: Vec<String> = self.rows.iter().map(known).collect();
                let expected = format!("one of: {}", known.join("; "));
                return Err(ParseError::new(format!("preset {}", self.name), found, expected));
            }
        })
    }
}

/// What decides about a row of table 6.3, and that row: rate, batch and weight decay.
macro_rules! network {
    ($kind:literal, $channels:literal, $depth:literal: $rate:literal, $batch:literal, $decay:literal) => {
        (
            &[("kind", $kind), ("channels", $channels), ("depth", $depth)],
            &[("rate", $rate), ("batch", $batch), ("decay", $decay)],
        )
    };
}

/// All of them.
pub const PRESETS: &[Preset] = &[FORMER_2025, FORMER_2025_PPO, SEVN_2021, PROBS_2024];

const FORMER_2025: Preset = Preset {
    name: "former-2025",
    recipe: "supervised",
    game: "former",
    about: "Urheim 2025, 5.3 and table 6.3: kind=policy or value, channels=32 or 64, depth=5 or 10; games=600000 are its 9 million positions",
    settings: &[
        ("expert", "look-ahead-beam"),
        ("beam", "128"),
        ("branches", "0"),
        ("exact", "0"),
        ("duplicates", "keep"),
        ("max_moves", "20"),
        ("games", "600000"),
        ("epochs", "15"),
        // All epochs are learned; the network of the best one is kept.
        ("patience", "15"),
        ("schedule", "constant"),
        ("augmentation", "off"),
    ],
    by_game: &[],
    rows: &[
        network!("policy", "32", "5": "0.0028", "128", "0.0000025"),
        network!("policy", "32", "10": "0.0049", "256", "0.0000018"),
        network!("policy", "64", "5": "0.0045", "128", "0.0000016"),
        network!("policy", "64", "10": "0.0031", "128", "0.000001"),
        network!("value", "32", "5": "0.00073", "64", "0.0000059"),
        network!("value", "32", "10": "0.0022", "128", "0.000002"),
        network!("value", "64", "5": "0.00045", "64", "0.0000066"),
        network!("value", "64", "10": "0.00049", "32", "0.0000015"),
    ],
};

const FORMER_2025_PPO: Preset = Preset {
    name: "former-2025",
    recipe: "ppo",
    game: "former",
    about: "Urheim 2025, tables 5.4 and 5.5, with the mask of cells; channels=64, depth=10 is the large network",
    settings: &[
        ("mask", "cells"),
        ("steps", "2000000000"),
        ("envs", "16"),
        ("horizon", "1024"),
        ("batch", "256"),
        ("epochs", "10"),
        ("rate", "0.0003"),
        ("gamma", "1"),
        ("lambda", "0.95"),
        ("clip", "0.2"),
        ("value", "0.5"),
        ("entropy", "0"),
    ],
    by_game: &[],
    rows: &[],
};

const SEVN_2021: Preset = Preset {
    name: "sevn-2021",
    recipe: "alphazero",
    game: "sevn",
    about: "Clark 2021, table 4.1; resume with games=240 (to iteration 79) and games=1000 (to 114)",
    settings: &[
        ("graph", "1"),
        ("self_edges", "0"),
        ("biases", "xavier"),
        ("policy", "tanh"),
        ("loss", "mse"),
        ("optimizer", "sgd"),
        ("rate", "0.0003"),
        ("decay", "0"),
        ("batch", "64"),
        // Ten epochs over the games of the last iteration.
        ("replay_ratio", "10"),
        ("window_iterations", "1"),
        ("lag", "0"),
        ("ema_decay", "0"),
        ("blend", "0"),
        // Of the iterations with 1,000 games; those of the others are not told.
        ("bases", "5:0.8,7:0.2"),
        ("games", "90"),
        ("iterations", "59"),
        ("minutes", "1000000"),
        ("sims", "200"),
        ("full", "1"),
        ("considered", "0"),
        ("noise", "0"),
        ("plain", "1"),
        ("c", "3"),
        ("temperature", "1"),
        // All moves are drawn.
        ("opening", "10000"),
        ("random_opening", "0"),
        ("validation", "0"),
        ("keep", "1"),
    ],
    by_game: &[],
    rows: &[],
};

/// Numbers of games, expansions, noise, rates and batches are the defaults of every game.
const PROBS_2024: Preset = Preset {
    name: "probs-2024",
    recipe: "probs",
    game: "connect-four",
    about: "Pastukhov 2024, section 6, by its program; also for othello and togyzkumalak; net=probs-10k: the smaller networks",
    settings: &[
        ("net", "probs-100k"),
        ("q_loss", "states"),
        ("reuse", "1"),
        ("ends", "1"),
        ("decay", "0.00001"),
        ("whole_batches", "1"),
        ("validation", "0"),
        ("minutes", "1000000"),
    ],
    // The program has no network for Togyzkumalak: ours of the paper's size.
    by_game: &[("othello", &[("net", "probs-reversi")]), ("togyzkumalak", &[("net", "own")])],
    rows: &[],
};

/// The preset of a name, for a recipe.
///
/// # Errors
/// When there is none of this name, or it is another recipe's.
pub(crate) fn preset(name: &str, recipe: &str) -> Result<&'static Preset, ParseError> {
    let own = || PRESETS.iter().filter(|preset| preset.recipe == recipe);
    own().find(|preset| preset.name == name).ok_or_else(|| {
        let known: Vec<&str> = own().map(|preset| preset.name).collect();
        let expected = match known.is_empty() {
            true => format!("none: {recipe} has no presets"),
            false => format!("one of: {}", known.join(", ")),
        };
        ParseError::new("preset", quote(name), expected)
    })
}

#[cfg(test)]
mod tests {
    use ludens_games::Sevn;
    use ludens_learn::Settings;
    use ludens_learn::alphazero::AlphaZeroConfig;
    use ludens_learn::ppo::PpoConfig;
    use ludens_learn::probs::ProbsConfig;
    use ludens_learn::supervised::SupervisedConfig;
    use ludens_nn::{ConnectFourCells, Encoder};

    use super::*;
    use crate::defaults;
    use crate::train::recipe;

    /// All settings of a preset are settings of its recipe.
    fn all_set<S: Settings>(preset: &Preset) -> S {
        let mut config = defaults::settings::<S>(preset.game).unwrap();
        let rows = preset.rows.iter().flat_map(|(when, row)| when.iter().chain(*row));
        for (key, value) in rows.chain(preset.settings) {
            config.set(key, value).unwrap();
        }
        config
    }

    #[test]
    fn presets_are_settings_that_go_together() {
        for preset in PRESETS {
            match preset.recipe {
                AlphaZeroConfig::RECIPE => {
                    all_set::<AlphaZeroConfig>(preset).check::<Sevn>().unwrap();
                }
                SupervisedConfig::RECIPE => drop(all_set::<SupervisedConfig>(preset)),
                PpoConfig::RECIPE => drop(all_set::<PpoConfig>(preset)),
                ProbsConfig::RECIPE => {
                    let shape = ConnectFourCells::shape(&Default::default());
                    all_set::<ProbsConfig>(preset).check(shape).unwrap();
                }
                other => panic!("{other}"),
            }
        }
        let net = |game| {
            let all = PROBS_2024.settings_for(game).filter(|(key, _)| *key == "net");
            all.last().map(|(_, value)| value)
        };
        assert_eq!(net("othello"), Some("probs-reversi"));
        assert_eq!(net("connect-four:rows=6"), Some("probs-100k"));
        let message = |name, recipe| preset(name, recipe).unwrap_err().to_string();
        assert!(
            message("sevn-2020", "alphazero").starts_with("preset: found 'sevn-2020', expected")
        );
        assert!(message("sevn-2021", "td").ends_with("none: td has no presets"));
    }

    /// Table 6.3 of Urheim (2025) has a row for every kind and size of network.
    #[test]
    fn rows_follow_the_settings() {
        let (info, _) = recipe("supervised").unwrap();
        let former = preset("former-2025", "supervised").unwrap();
        let chosen = |pairs: &[(&str, &str)]| {
            let own = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
            former.row_for(&info, &pairs.iter().map(own).collect::<Vec<_>>())
        };
        let rate = |pairs: &[(&str, &str)]| {
            let settings = chosen(pairs).unwrap();
            settings.iter().find(|(key, _)| *key == "rate").unwrap().1
        };
        // The defaults, the last of several, and a name of 0.1.0.
        assert_eq!(rate(&[]), "0.00073");
        assert_eq!(rate(&[("kind", "value"), ("kind", "policy"), ("depth", "10")]), "0.0049");
        assert_eq!(rate(&[("w", "64"), ("kind", "policy")]), "0.0045");
        let error = chosen(&[("channels", "48")]).unwrap_err().to_string();
        assert!(
            error.contains("found kind=value channels=48 depth=5, expected one of: kind=policy"),
            "{error}"
        );
        let ppo = preset("former-2025", "ppo").unwrap();
        assert!(ppo.settings_for("former").any(|pair| pair == ("mask", "cells")));
    }
}
