//! Ctrl-C: the first asks a long command to stop with what it has, the second kills.

use std::sync::atomic::{AtomicBool, Ordering};

/// Set by the first Ctrl-C; searches watch it too.
pub(crate) static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Takes over Ctrl-C for a command that asks [`requested`] now and then.
pub(crate) fn install() {
    // Failing to install leaves the system's own handling, which also ends us.
    let _ = ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
}

/// Whether Ctrl-C was pressed.
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
