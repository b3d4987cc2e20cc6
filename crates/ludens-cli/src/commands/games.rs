//! `ludens games`: what there is.

use ludens_core::Parameter;
use ludens_engine::{GameInfo, common_agents, json, parameters};
use ludens_runs::train::recipes;
use serde_json::{Map, Value, json};

use crate::args::GamesArgs;
use crate::output::Output;

pub(crate) fn run(args: &GamesArgs, out: &mut Output) -> anyhow::Result<()> {
    let mut games = ludens_engine::games();
    let mut table = None;
    if let Some(spec) = &args.game {
        let chosen = ludens_engine::game(spec)?;
        games.retain(|info| info.name == chosen.info().name);
        table = Some(chosen.start(0));
    }
    if args.schema {
        return schema(&games, out);
    }
    let agents = table.as_ref().map_or_else(common_agents, |table| table.agents());
    let solvers = table.as_ref().map(|table| table.solvers()).unwrap_or_default();
    if out.common.json {
        let agents: Vec<_> = agents.iter().map(json::agent).collect();
        let games: Vec<_> = games.iter().map(json::game).collect();
        let solvers: Vec<_> = solvers.iter().map(json::solver).collect();
        let mut listed = json!({"games": games, "solvers": solvers, "agents": agents});
        if let Some(table) = &table {
            listed["levels"] = json::levels(&**table);
            listed["perfect"] = json!(table.perfect());
        }
        return out.json(&listed);
    }
    for info in &games {
        game(info, args.game.is_some(), out)?;
    }
    if !solvers.is_empty() {
        out.line("\nSolvers, for --solver; the first is the default:")?;
        let rows: Vec<_> = solvers.iter().map(|s| (s.name, s.about, s.parameters)).collect();
        named(&rows, out)?;
    }
    out.line("\nAgents, for --first and --second:")?;
    let rows: Vec<_> = agents.iter().map(|a| (a.name, a.about, a.parameters)).collect();
    named(&rows, out)?;
    if args.game.is_none() {
        out.line("\n`ludens games GAME` tells about its variants, solvers and agents.")?;
    }
    Ok(())
}

/// A JSON schema with a definition per game and recipe.
fn schema(games: &[GameInfo], out: &mut Output) -> anyhow::Result<()> {
    let mut definitions = Map::new();
    for info in games {
        let table = ludens_engine::game(&info.spec())?.start(0);
        let schema = parameters::game_schema(info, &table.solvers(), &table.agents());
        definitions.insert(info.spec(), schema);
    }
    let recipes: Map<String, Value> = recipes()
        .iter()
        .map(|recipe| (recipe.name.to_owned(), parameters::schema(recipe.about, recipe.parameters)))
        .collect();
    out.json(&json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Parameters of Ludens",
        "$defs": {"games": definitions, "recipes": recipes},
    }))
}

fn game(info: &GameInfo, whole: bool, out: &mut Output) -> anyhow::Result<()> {
    let name = info.spec();
    let players = if info.players == 1 { "1 player " } else { "2 players" };
    out.line(&format!("{name:<22} {players}  {}: {}", info.title, info.about))?;
    if whole { listed(info.parameters, out) } else { Ok(()) }
}

/// Solvers or agents with what each does and what can be set.
fn named(rows: &[(&str, &str, &[Parameter])], out: &mut Output) -> anyhow::Result<()> {
    for (i, &(name, about, own)) in rows.iter().enumerate() {
        out.line(&format!("  {name:<18} {about}"))?;
        // Those that take the same parameters have them listed once, below the last.
        if rows.get(i + 1).is_none_or(|&(_, _, next)| next != own) {
            listed(own, out)?;
        }
    }
    Ok(())
}

fn listed(parameters: &[Parameter], out: &mut Output) -> anyhow::Result<()> {
    for p in parameters {
        let values = format!("{}={}", p.name, p.values());
        out.line(&format!("    {values:<38} {} [default: {}]", p.help, p.default))?;
    }
    Ok(())
}
