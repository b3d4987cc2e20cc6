//! `ludens train`: learning from scratch.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ludens_core::error::quote;
use ludens_engine::parameters;
use ludens_runs::presets::{PRESETS, Preset};
use ludens_runs::train::{
    Actors, RecipeInfo, TrainError, TrainProgress, TrainRequest, old_names, recipes, train_with,
};
use ludens_runs::work::StoredGames;
use serde_json::{Map, Value, json};

use crate::args::TrainArgs;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::Output;

pub(crate) fn run(args: &TrainArgs, out: &mut Output) -> anyhow::Result<()> {
    let Some(recipe) = &args.recipe else { return list(out) };
    let request = TrainRequest {
        recipe: recipe.clone(),
        game: args.game.clone(),
        preset: args.preset.clone(),
        config: args.config.clone(),
        settings: settings(&args.set, out)?,
        seed: out.common.seed,
        run: args.run.clone(),
        resume: args.resume,
        from: args.from.clone(),
        // Stored games are those of one iteration.
        steps: args.steps.or((!args.played.is_empty()).then_some(1)),
    };
    old_names(&request).iter().for_each(|note| out.note(note));
    let played = (!args.played.is_empty()).then(|| StoredGames(args.played.clone()));
    let actors = played.map(|games| Arc::new(games) as Arc<dyn Actors>);
    reported(out, |stop, report| train_with(&request, actors, stop, report))
}

/// The settings of `--set KEY=VALUE` and `--threads`.
pub(crate) fn settings(set: &[String], out: &Output) -> Result<Vec<(String, String)>, Failure> {
    let mut settings = pairs(set)?;
    if let Some(threads) = out.common.threads {
        settings.push(("threads".to_owned(), threads.to_string()));
    }
    Ok(settings)
}

/// The settings of `--set KEY=VALUE`.
pub(crate) fn pairs(set: &[String]) -> Result<Vec<(String, String)>, Failure> {
    let pair = |text: &String| match text.split_once('=') {
        Some((key, value)) => Ok((key.to_owned(), value.to_owned())),
        None => Err(Failure::Usage(format!("--set: found {}, expected KEY=VALUE", quote(text)))),
    };
    set.iter().map(pair).collect()
}

/// Learns while progress is shown, and shows what came of it.
pub(crate) fn reported(
    out: &mut Output,
    learn: impl FnOnce(
        &AtomicBool,
        &mut dyn FnMut(&TrainProgress),
    ) -> Result<Option<TrainProgress>, TrainError>,
) -> anyhow::Result<()> {
    interrupt::install();
    let status = out.status();
    let mut written = Ok(());
    let mut report = |progress: &TrainProgress| {
        if out.common.json {
            if written.is_ok() {
                written = out.json(&progress.json);
            }
        } else {
            status.show(line(progress));
        }
    };
    let done = learn(&interrupt::REQUESTED, &mut report);
    if !out.common.json {
        status.clear();
    }
    written?;
    let done = done.map_err(|error| match error.is_usage() {
        true => Failure::Usage(error.to_string()),
        false => Failure::Failed(error.to_string()),
    })?;
    match done {
        Some(_) if out.common.json => {}
        Some(progress) => out.line(&line(&progress))?,
        None if interrupt::requested() => {}
        None => out.detail("there was nothing left to learn"),
    }
    if interrupt::requested() { Err(Failure::Interrupted.into()) } else { Ok(()) }
}

/// One line about a run: how far, how well, how fast, how long.
fn line(progress: &TrainProgress) -> String {
    format!("{} | {} left", progress.line, span(progress.left))
}

fn span(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

/// The recipes with their settings.
fn list(out: &mut Output) -> anyhow::Result<()> {
    let recipes = recipes();
    if out.common.json {
        let recipes: Vec<Value> = recipes.iter().map(to_json).collect();
        return out.json(&json!({"recipes": recipes}));
    }
    for recipe in &recipes {
        let short = recipe.short.iter().map(|(short, game)| format!("; {short}: --game {game}"));
        out.line(&format!("{:<12} {}{}", recipe.name, recipe.about, short.collect::<String>()))?;
    }
    for preset in PRESETS {
        let Preset { name, recipe, game, about, .. } = preset;
        out.line(&format!("\n{recipe} --preset {name} (--game {game}): {about}"))?;
    }
    for recipe in &recipes {
        out.line(&format!("\nSettings of {}, for --set KEY=VALUE:", recipe.name))?;
        for p in recipe.parameters {
            let values = format!("{}={}", p.name, p.values());
            let by_game = recipe.by_game(p.name).into_iter();
            let by_game: String =
                by_game.map(|(game, default)| format!("; {game}: {default}")).collect();
            out.line(&format!("  {values:<38} {} [default: {}{by_game}]", p.help, p.default))?;
        }
    }
    Ok(())
}

fn to_json(recipe: &RecipeInfo) -> Value {
    let object = |pairs: &[(&str, &str)]| -> Value {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), json!(value))).collect()
    };
    let mut settings = parameters::listed(recipe.parameters);
    for (setting, p) in settings.as_array_mut().into_iter().flatten().zip(recipe.parameters) {
        setting["by_game"] = object(&recipe.by_game(p.name));
    }
    let (name, short, about) = (recipe.name, object(recipe.short), recipe.about);
    let presets: Vec<Value> = PRESETS
        .iter()
        .filter(|preset| preset.recipe == name)
        .map(|preset| {
            let settings = object(preset.settings);
            let by_game: Map<String, Value> = preset
                .by_game
                .iter()
                .map(|(game, settings)| ((*game).to_owned(), object(settings)))
                .collect();
            json!({"name": preset.name, "game": preset.game, "about": preset.about, "settings": settings, "by_game": by_game})
        })
        .collect();
    json!({"name": name, "short": short, "about": about, "settings": settings, "presets": presets})
}
