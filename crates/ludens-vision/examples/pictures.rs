//! How many boards are read right from rendered pictures: the figures of `docs/results/vision.md`.
//!
//! `cargo run --release -p ludens-vision --example pictures -- [COUNT] [GAME] [METHOD]`; with
//! `LUDENS_PICTURES=DIR` the pictures that are read wrong are kept there.

#![allow(clippy::print_stdout, reason = "figures are what it is for")]

#[path = "../tests/common/mod.rs"]
mod common;

use std::time::Instant;

use common::positions::GAMES;
use common::{fonts, random};

fn main() {
    let mut args = std::env::args().skip(1);
    let count: u64 = args.next().and_then(|text| text.parse().ok()).unwrap_or(200);
    let only = args.next();
    let method = args.next();
    let keep = std::env::var_os("LUDENS_PICTURES").map(std::path::PathBuf::from);
    let faces = fonts::faces();
    println!("{} fonts", faces.len());
    for game in GAMES.into_iter().filter(|g| only.as_deref().is_none_or(|o| o == *g)) {
        let begun = Instant::now();
        let (mut right, mut with_corners) = (0, 0);
        let mut reading = 0.0;
        for seed in 0..count {
            let case = random(game, seed, &faces);
            let started = Instant::now();
            let fault = case.fault(false, method.as_deref());
            reading += started.elapsed().as_secs_f64();
            right += u64::from(fault.is_none());
            let cornered = case.fault(true, method.as_deref());
            with_corners += u64::from(cornered.is_none());
            if let (Some(fault), Some(folder)) = (&fault, &keep) {
                let face = faces.get(case.style.face).map_or("", |f| &f.name);
                println!(
                    "{game} {seed}: {fault}\n  {:?} {:?} {face}",
                    case.camera,
                    (case.style.page, case.style.look, case.style.frame, case.style.dark)
                );
                if let Some(cornered) = cornered {
                    println!("  with corners: {cornered}");
                }
                let kind = if case.camera.quality.is_some() { "jpg" } else { "png" };
                std::fs::write(folder.join(format!("{game}-{seed}.{kind}")), &case.file)
                    .expect("the folder is there");
            }
        }
        let share = |n: u64| 100.0 * n as f64 / count as f64;
        println!(
            "{game}: {right} of {count} boards right ({:.1} %), {:.1} % with corners given, {:.0} ms a picture; {:.0} s",
            share(right),
            share(with_corners),
            1000.0 * reading / count as f64,
            begun.elapsed().as_secs_f64(),
        );
    }
}
