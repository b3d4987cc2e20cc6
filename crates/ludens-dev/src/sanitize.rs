//! The tests of the crates whose unsafe code is their inner loop, under AddressSanitizer.
//!
//! It watches every load and store of the program: one beyond a slice or into freed memory ends
//! the test with a report. The compiler's switch is an unstable one, but its runtime comes with
//! the stable toolchain. Miri, which knows more rules, knows neither the vector
//! instructions nor the mappings of memory that this code is about.

use std::process::Command;

use anyhow::{Context, bail};

use crate::checks::run;

/// The crates, without doc tests: those are not built with the sanitizer.
const TESTS: [&str; 9] = [
    "test",
    "--locked",
    "--lib",
    "--tests",
    "--package",
    "ludens-nn",
    "--package",
    "ludens-ntuple",
    "--target-dir",
];

/// Builds the tests apart from all others and runs them.
///
/// # Errors
/// When the sanitizer or a test finds a fault, or there is no sanitizer for this machine.
pub fn sanitize() -> anyhow::Result<()> {
    let host = host()?;
    let env = [
        ("RUSTC_BOOTSTRAP", "1"),
        ("RUSTFLAGS", "-Zsanitizer=address"),
        // What is never freed on purpose is no fault.
        ("ASAN_OPTIONS", "detect_leaks=0"),
    ];
    // A named target keeps the flags away from build scripts and macros.
    let args = [&TESTS[..], &["target/sanitize", "--target", &host]].concat();
    run("cargo", &args, &env)
}

/// The target that the compiler builds for on this machine.
pub(crate) fn host() -> anyhow::Result<String> {
    let said = Command::new("rustc").arg("-vV").output().context("rustc could not be started")?;
    let said = String::from_utf8_lossy(&said.stdout);
    match said.lines().find_map(|line| line.strip_prefix("host: ")) {
        Some(host) => Ok(host.to_owned()),
        None => bail!("rustc -vV does not name its host"),
    }
}
