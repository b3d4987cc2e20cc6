//! `ludens serve`: the web app, and what `ludens` alone does.

use std::io::ErrorKind;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use ludens_runs::home;
use ludens_web::{Options, Server};
use serde_json::json;

use crate::args::ServeArgs;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::Output;

pub(crate) fn run(args: &ServeArgs, out: &mut Output) -> anyhow::Result<()> {
    let mut limits = Options::limits();
    if let Some(threads) = out.common.threads {
        limits.threads = usize::from(threads);
    }
    let options = Options {
        address: args.address,
        port: args.port,
        home: home::folder(),
        limits,
        patience: Options::PATIENCE,
    };
    let server = Server::bind(options).map_err(|e| {
        let wanted = std::net::SocketAddr::new(args.address, args.port);
        let port = matches!(e.kind(), ErrorKind::AddrInUse | ErrorKind::PermissionDenied);
        let hint = if port { "; --port 0 takes any free port" } else { "" };
        Failure::Failed(format!("{wanted}: {e}{hint}"))
    })?;
    // Before anybody is told that it is there.
    interrupt::install();
    let url = server.url();
    if out.common.json {
        out.json(&json!({ "url": url }))?;
    } else {
        out.line(&format!("Ludens listens on {url}"))?;
    }
    out.flush()?;
    if !args.no_open && !open(&url) {
        out.detail("no browser could be started; open the address by hand");
    }
    until_asked(server)
}

/// Serves until a signal asks for an end; open streams end with the process.
fn until_asked(server: Server) -> anyhow::Result<()> {
    let (sender, receiver) = mpsc::channel();
    std::thread::Builder::new()
        .name("server".to_owned())
        .spawn(move || sender.send(server.run()))?;
    loop {
        match receiver.recv_timeout(Duration::from_millis(100)) {
            Ok(served) => return Ok(served?),
            Err(RecvTimeoutError::Timeout) if interrupt::requested() => {
                return Err(Failure::Interrupted.into());
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::Failed("the server has ended".to_owned()).into());
            }
        }
    }
}

/// Asks the desktop to show a page; whether there was something to ask.
fn open(url: &str) -> bool {
    let (program, before): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(before).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}
