//! Signals that ask a long command to stop with what it has: Ctrl-C, and what systems send when they
//! end a program (SIGTERM) or close its terminal (SIGHUP). A Ctrl-C after that kills.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// The number of Ctrl-C's signal.
const INTERRUPT: u8 = 2;

/// Set by the first signal; searches watch it too.
pub(crate) static REQUESTED: AtomicBool = AtomicBool::new(false);

/// The first signal.
static SIGNAL: AtomicU8 = AtomicU8::new(INTERRUPT);

/// Takes over the signals for a command that asks [`requested`] now and then.
pub(crate) fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(listen);
}

/// Whether a signal came.
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// The exit code of a command that stopped because of a signal: 128 and its number.
pub(crate) fn exit_code() -> u8 {
    128 + SIGNAL.load(Ordering::Relaxed)
}

fn received(signal: u8) {
    if !requested() {
        SIGNAL.store(signal, Ordering::Relaxed);
        REQUESTED.store(true, Ordering::Relaxed);
    } else if signal == INTERRUPT {
        // Only a person is in such a hurry: a terminal that closes may well send SIGHUP twice.
        std::process::exit(i32::from(exit_code()));
    }
}

#[cfg(unix)]
fn listen() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut taken = vec![SIGINT, SIGTERM];
    // `nohup` has it ignored, so that a command outlives its terminal.
    if !is_ignored(SIGHUP) {
        taken.push(SIGHUP);
    }
    // Failing leaves the system's own handling, which also ends us.
    let Ok(mut signals) = signal_hook::iterator::Signals::new(taken) else { return };
    let listen = move || {
        for signal in signals.forever() {
            received(u8::try_from(signal).unwrap_or(INTERRUPT));
        }
    };
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(listen);
}

#[cfg(unix)]
#[expect(unsafe_code, reason = "no safe interface tells whether a signal is ignored")]
fn is_ignored(signal: i32) -> bool {
    // SAFETY: all zeros are a valid `sigaction`. Without a new action the call only writes the present
    // one to where it is told, which is ours.
    unsafe {
        let mut now = std::mem::zeroed::<libc::sigaction>();
        libc::sigaction(signal, std::ptr::null(), &raw mut now) == 0
            && now.sa_sigaction == libc::SIG_IGN
    }
}

#[cfg(not(unix))]
fn listen() {
    // Failing leaves the system's own handling, which also ends us.
    let _ = ctrlc::set_handler(|| received(INTERRUPT));
}
