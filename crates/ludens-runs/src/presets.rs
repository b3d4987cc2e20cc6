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
    /// Settings that other games have instead.
    pub by_game: &'static [(&'static str, &'static [(&'static str, &'static str)])],
}

impl Preset {
    /// All settings for a game; of those with the same name the last one counts.
    pub fn settings_for(&self, game: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
        let name = game.split(':').next().unwrap_or_default();
        let own = self.by_game.iter().find(|(game, _)| *game == name);
        self.settings.iter().chain(own.map_or(&[][..], |(_, settings)| settings)).copied()
    }
}

/// All of them.
pub const PRESETS: &[Preset] = &[SEVN_2021, PROBS_2024];

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
    use ludens_learn::probs::ProbsConfig;
    use ludens_nn::{ConnectFourCells, Encoder};

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
            match preset.recipe {
                AlphaZeroConfig::RECIPE => alphazero.check::<Sevn>().unwrap(),
                _ => probs.check(ConnectFourCells::shape(&Default::default())).unwrap(),
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
}
