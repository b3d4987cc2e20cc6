//! Completions and the manual page, both made from the command line's own description.

use std::collections::BTreeSet;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, CommandFactory};

use crate::args::{Args, CompletionsArgs};
use crate::output::Output;

pub(crate) fn completions(args: &CompletionsArgs, out: &mut Output) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut with_names(Args::command()), "ludens", &mut script);
    out.document(&String::from_utf8_lossy(&script))
}

/// The command with the names that games, agents, solvers and recipes have.
fn with_names(command: Command) -> Command {
    let named = |arg: Arg| match names(arg.get_id().as_str()) {
        names if names.is_empty() => arg,
        names => arg.value_parser(PossibleValuesParser::new(names)),
    };
    command.mut_args(named).mut_subcommands(with_names)
}

/// What may stand for an argument of this name.
fn names(argument: &str) -> BTreeSet<&'static str> {
    let tables = || {
        let games = ludens_engine::games().into_iter();
        games.filter_map(|info| Some(ludens_engine::game(&info.spec()).ok()?.start(0)))
    };
    match argument {
        "game" => ludens_engine::games().iter().map(|info| info.name).collect(),
        "agent" | "agents" | "first" | "second" => {
            tables().flat_map(|table| table.agents()).map(|agent| agent.name).collect()
        }
        "solver" => tables().flat_map(|table| table.solvers()).map(|solver| solver.name).collect(),
        "recipe" => ludens_runs::train::recipes().iter().map(|recipe| recipe.name).collect(),
        _ => BTreeSet::new(),
    }
}

/// The page of `ludens` itself followed by those of its commands.
pub(crate) fn man(out: &mut Output) -> anyhow::Result<()> {
    let mut command = Args::command();
    command.build();
    let mut pages = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut pages)?;
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        let man = clap_mangen::Man::new(sub.clone());
        man.render_synopsis_section(&mut pages)?;
        man.render_description_section(&mut pages)?;
        man.render_options_section(&mut pages)?;
    }
    out.document(&String::from_utf8_lossy(&pages))
}
