//! Recipes as publications have them: settings by name.

use ludens_core::ParseError;
use ludens_core::error::quote;

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
    pub settings: &'static [(&'static str, &'static str)],
}

/// All of them.
pub const PRESETS: &[Preset] = &[Preset {
    name: "sevn-2021",
    recipe: "alphazero",
    game: "sevn",
    about: "Clark 2021, table 4.1; resume with games=240 (to iteration 79) and games=1000 (to 114)",
    settings: &[
        ("graph", "1"),
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
        ("keep", "1"),
    ],
}];

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
    use ludens_learn::probs::ProbsConfig;

    use super::*;
    use crate::defaults;

    #[test]
    fn presets_are_settings_that_go_together() {
        for preset in PRESETS {
            let (mut alphazero, mut probs) = (
                defaults::settings::<AlphaZeroConfig>(preset.game).unwrap(),
                defaults::settings::<ProbsConfig>(preset.game).unwrap(),
            );
            for (key, value) in preset.settings {
                match preset.recipe {
                    AlphaZeroConfig::RECIPE => alphazero.set(key, value).unwrap(),
                    _ => probs.set(key, value).unwrap(),
                }
            }
            if preset.recipe == AlphaZeroConfig::RECIPE {
                alphazero.check::<Sevn>().unwrap();
            }
        }
        let message = |name, recipe| preset(name, recipe).unwrap_err().to_string();
        assert!(
            message("sevn-2020", "alphazero").starts_with("preset: found 'sevn-2020', expected")
        );
        assert!(message("sevn-2021", "td").ends_with("none: td has no presets"));
    }
}
