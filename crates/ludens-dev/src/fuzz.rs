//! libFuzzer over the parsers: the targets of `fuzz/`, each from its committed corpus.
//!
//! The compiler's switches for coverage and the sanitizer are unstable, but the stable compiler has
//! them behind `RUSTC_BOOTSTRAP`, so that neither a nightly one nor cargo-fuzz is needed; a C++
//! compiler is, for libFuzzer.

use std::fs;

use anyhow::{Context, bail};

use crate::checks::{root, run};
use crate::sanitize::host;

/// What cargo-fuzz builds with: coverage of edges with the values that are compared, and
/// AddressSanitizer.
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Zsanitizer=address -Cdebug-assertions \
    -Ccodegen-units=1";
/// Built apart from all others.
const BUILT: &str = "target/fuzz";

/// Fuzzes one target or all, each for some seconds. What it finds new goes below `target/fuzz/corpus`;
/// an input that fails to `target/fuzz/artifacts`.
///
/// # Errors
/// When an input fails, there is no such target, or it cannot be built.
pub fn fuzz(target: Option<&str>, seconds: u32) -> anyhow::Result<()> {
    let all = targets()?;
    let chosen: Vec<&String> =
        all.iter().filter(|name| target.is_none_or(|target| target == *name)).collect();
    if chosen.is_empty() {
        bail!("target: found {:?}, expected one of: {}", target.unwrap_or(""), all.join(", "));
    }
    let host = host()?;
    let env = [
        ("RUSTC_BOOTSTRAP", "1"),
        ("RUSTFLAGS", FLAGS),
        ("CFLAGS", "-fno-sanitize-address-use-after-scope"),
    ];
    let place = ["--manifest-path", "fuzz/Cargo.toml", "--target-dir", BUILT, "--target", &host];
    let mut build = vec!["build", "--locked", "--release"];
    build.extend(place);
    build.extend(target.iter().flat_map(|name| ["--bin", name]));
    run("cargo", &build, &env)?;
    for name in chosen {
        let (found, failed) =
            (format!("{BUILT}/corpus/{name}"), format!("{BUILT}/artifacts/{name}/"));
        for folder in [&found, &failed] {
            fs::create_dir_all(root().join(folder)).with_context(|| folder.clone())?;
        }
        let program = root().join(BUILT).join(&host).join("release").join(name);
        let program = program.to_str().context("the path of the workspace is no valid text")?;
        let (time, artifacts) =
            (format!("-max_total_time={seconds}"), format!("-artifact_prefix={failed}"));
        let seeds = format!("fuzz/corpus/{name}");
        // Leaks are looked for by no other test either.
        run(program, &[&found, &seeds, &time, &artifacts, "-detect_leaks=0"], &[])?;
    }
    Ok(())
}

/// The names of all targets.
///
/// # Errors
/// When their folder cannot be read.
pub fn targets() -> anyhow::Result<Vec<String>> {
    let folder = root().join("fuzz/fuzz_targets");
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        names.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
    }
    names.sort();
    Ok(names)
}
