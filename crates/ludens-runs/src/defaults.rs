//! Settings that suit a game better than a recipe's defaults.

use ludens_core::ParseError;
use ludens_learn::Settings;

/// Settings of a recipe for a game: names and values.
type Row = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// All of them: recipe, game, settings.
const TABLE: &[Row] = &[
    ("alphazero", "othello", &[("opening", "16"), ("plies", "12"), ("max_moves", "130")]),
    (
        "alphazero",
        "togyzkumalak",
        &[("kernel", "5"), ("opening", "20"), ("plies", "12"), ("games", "128")],
    ),
    // Starts are random already, and the search of one player has no Gumbel root.
    (
        "alphazero",
        "former",
        &[
            ("blocks", "2"),
            ("kernel", "7"),
            ("considered", "0"),
            ("alpha", "0.3"),
            ("opening", "4"),
            ("random_opening", "0"),
            ("games", "128"),
        ],
    ),
    ("alphazero", "sevn", &[("graph", "1"), ("random_opening", "0"), ("opening", "8")]),
    // Section 6 of the PROBS paper (2024), which the defaults have for Connect Four. Networks are of
    // about its sizes; those of its program, with its losses and searches, are a preset.
    (
        "probs",
        "togyzkumalak",
        &[
            ("channels", "64"),
            ("layers", "5"),
            ("hidden", "192"),
            ("games", "200"),
            ("expand", "50"),
            ("depth", "5"),
            ("alpha", "0.2"),
            ("rate", "0.0003"),
            ("iterations", "326"),
        ],
    ),
    (
        "probs",
        "othello",
        &[
            ("hidden", "100"),
            ("games", "200"),
            ("expand", "500"),
            ("depth", "5"),
            ("alpha", "0.2"),
            ("rate", "0.001"),
            ("iterations", "200"),
        ],
    ),
];

/// The settings of a recipe that suit a game, by its name.
///
/// # Errors
/// When the table is wrong, which a test excludes.
pub fn settings<S: Settings>(game: &str) -> Result<S, ParseError> {
    let mut settings = S::default();
    for (_, _, row) in TABLE.iter().filter(|row| (row.0, row.1) == (S::RECIPE, game)) {
        row.iter().try_for_each(|(key, value)| settings.set(key, value))?;
    }
    Ok(settings)
}

/// Games for which a recipe's setting has another default, with that.
pub(crate) fn by_game(recipe: &str, setting: &str) -> Vec<(&'static str, &'static str)> {
    let of = |(name, game, row): &Row| {
        let value = row.iter().find(|(key, _)| *key == setting).filter(|_| *name == recipe);
        value.map(|(_, value)| (*game, *value))
    };
    TABLE.iter().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use ludens_learn::alphazero::AlphaZeroConfig;
    use ludens_learn::probs::ProbsConfig;

    use super::*;

    #[test]
    fn every_row_is_of_settings() {
        for (recipe, game, row) in TABLE {
            let texts = match *recipe {
                AlphaZeroConfig::RECIPE => settings::<AlphaZeroConfig>(game).map(|c| c.texts()),
                ProbsConfig::RECIPE => settings::<ProbsConfig>(game).map(|c| c.texts()),
                other => panic!("{other}"),
            };
            let texts = texts.unwrap_or_else(|error| panic!("{recipe}, {game}: {error}"));
            for (key, value) in *row {
                assert!(texts.contains(&(key, (*value).to_owned())), "{recipe}, {game}: {key}");
            }
        }
    }
}
