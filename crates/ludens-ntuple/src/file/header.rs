//! What headers say: the game, and what the entries mean.

use std::path::Path;

use ludens_core::params::name_of;
use ludens_core::{Cells, FileError, Variant};
use serde_json::{Value, json};

use crate::network::Form;
use crate::{Error, Network, Stages, Subject};

/// What entries mean. 1 had other indices for the entries of boards that are words.
const FORMAT: u64 = 2;

/// What every header has: the game and what the entries mean.
pub(super) fn header_form(game: &str, network: &Network) -> Value {
    let Form { layout, subject, shape, values, stages } = network.form();
    json!({
        "format": FORMAT,
        "game": game,
        "layout": layout.to_string(),
        "cells": shape.cells,
        "symmetries": shape.symmetries.len(),
        "extras": shape.extras,
        "values": values,
        "stages": stages.bits(),
        "subject": name_of(&Subject::NAMES, *subject),
    })
}

pub(super) fn whole_header(game: &str, network: &Network, coherence: bool, run: &Value) -> Value {
    let (initial, promotion) = network.initial_bits();
    let mut header = header_form(game, network);
    header["initial"] = json!(initial);
    header["promotion"] = json!(promotion);
    header["scales"] = json!(network.tables().scales());
    header["entries"] = json!(network.entries());
    header["coherence"] = json!(coherence);
    header["run"] = run.clone();
    header
}

/// The form of a header, if it is one for this variant of a game.
pub(super) fn check_form<G: Cells>(
    path: &Path,
    header: &Value,
    game: &str,
    variant: &G::Variant,
) -> Result<Form, Error> {
    let field = |name: &str| header.get(name).cloned().unwrap_or(Value::Null);
    let wrong = |what: String| Error::from(FileError::content(path, what));
    if field("format") != FORMAT {
        let found = field("format");
        return Err(wrong(format!("format {found}, this version reads format {FORMAT}")));
    }
    // Parameters of the variant may have had other names.
    let name = game.split(':').next().unwrap_or(game);
    let same = |found: &str| found == game || variant.is_spec(name, found);
    if !field("game").as_str().is_some_and(same) {
        return Err(wrong(format!("a network for {}, expected one for {game}", field("game"))));
    }
    let shape = G::cell_shape(variant);
    let number = |name: &str| field(name).as_u64().and_then(|n| usize::try_from(n).ok());
    let same = number("cells") == Some(shape.cells)
        && number("symmetries") == Some(shape.symmetries.len())
        && number("extras") == Some(shape.extras);
    let values = number("values").filter(|values| (2..=shape.values).contains(values));
    let (true, Some(values)) = (same, values) else {
        return Err(wrong("cells that this game has no longer".to_owned()));
    };
    let boundaries: Option<Vec<u64>> = field("stages")
        .as_array()
        .and_then(|list| list.iter().map(Value::as_u64).collect::<Option<_>>());
    let stages = boundaries.and_then(Stages::from_bits);
    let stages = stages.ok_or_else(|| wrong("stages that do not rise".to_owned()))?;
    let layout = field("layout").as_str().unwrap_or_default().parse()?;
    // Files from before there were others say nothing.
    let subject = match field("subject") {
        Value::Null => Some(Subject::Afterstates),
        named => Subject::NAMES.iter().find(|(name, _)| named == *name).map(|(_, found)| *found),
    };
    let subject = subject
        .filter(|subject| *subject != Subject::Actions || !shape.turns.is_empty())
        .ok_or_else(|| wrong("it values what this game or version does not know".to_owned()))?;
    Ok(Form { layout, subject, shape, values, stages })
}

/// The scales of a header, one per table of the form.
pub(super) fn scales(path: &Path, header: &Value, form: &Form) -> Result<Vec<f32>, Error> {
    let scales = header["scales"].as_array().and_then(|scales| {
        scales.iter().map(|scale| scale.as_f64().map(|scale| scale as f32)).collect()
    });
    scales
        .filter(|scales: &Vec<f32>| scales.len() == form.layout.tuples().len())
        .ok_or_else(|| Error::from(FileError::content(path, "not one scale per table")))
}
