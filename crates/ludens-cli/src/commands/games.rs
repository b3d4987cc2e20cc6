//! `ludens games`: what there is.

use ludens_registry::{AGENTS, GameInfo, json};
use serde_json::json;

use crate::args::GamesArgs;
use crate::output::Output;

pub(crate) fn run(args: &GamesArgs, out: &mut Output) -> anyhow::Result<()> {
    let mut games = ludens_registry::games();
    if let Some(spec) = &args.game {
        let chosen = ludens_registry::game(spec)?;
        games.retain(|info| info.name == chosen.info().name);
    }
    if out.common.json {
        let agents: Vec<_> =
            AGENTS.iter().map(|a| json!({"name": a.name, "about": a.about})).collect();
        let games: Vec<_> = games.iter().map(json::game).collect();
        return out.json(&json!({"games": games, "agents": agents}));
    }
    for info in &games {
        game(info, args.game.is_some(), out)?;
    }
    if let Some(spec) = &args.game {
        solvers(spec, out)?;
    }
    out.line("\nAgents, for --first and --second:")?;
    for agent in AGENTS {
        out.line(&format!("  {:<14} {}", agent.name, agent.about))?;
    }
    if args.game.is_none() {
        out.line("\n`ludens games GAME` tells about its variants.")?;
    }
    Ok(())
}

fn game(info: &GameInfo, whole: bool, out: &mut Output) -> anyhow::Result<()> {
    let name = info.spec();
    let players = if info.players == 1 { "1 player " } else { "2 players" };
    out.line(&format!("{name:<22} {players}  {}: {}", info.title, info.about))?;
    if whole {
        for p in info.parameters {
            let values = format!("{}={}", p.name, p.values);
            out.line(&format!("    {values:<38} {} [default: {}]", p.about, p.default))?;
        }
    }
    Ok(())
}

fn solvers(spec: &str, out: &mut Output) -> anyhow::Result<()> {
    let solvers = ludens_registry::game(spec)?.start(0).solvers();
    if !solvers.is_empty() {
        out.line("\nSolvers, for --solver; the first is the default:")?;
    }
    for (i, solver) in solvers.iter().enumerate() {
        out.line(&format!("  {:<18} {}", solver.name, solver.about))?;
        // Solvers that take the same parameters have them listed once, below the last.
        let next = solvers.get(i + 1);
        if next.is_some_and(|next| next.parameters == solver.parameters) {
            continue;
        }
        for p in solver.parameters {
            let values = format!("{}={}", p.name, p.values);
            out.line(&format!("    {values:<38} {} [default: {}]", p.about, p.default))?;
        }
    }
    Ok(())
}
