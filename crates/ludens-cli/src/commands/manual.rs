//! Completions and the manual page, both made from the command line's own description.

use clap::CommandFactory;

use crate::args::{Args, CompletionsArgs};
use crate::output::Output;

pub(crate) fn completions(args: &CompletionsArgs, out: &mut Output) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "ludens", &mut script);
    out.document(&String::from_utf8_lossy(&script))
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
