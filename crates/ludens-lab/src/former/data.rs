//! Figures 2.4, 5.2 and 5.3: shapes of the daily boards, the time of random games, and the positions
//! of the expert's games.

use std::time::Instant;

use ludens_arena::Summary;
use ludens_arena::plot::{Histogram, Labels, LinePlot, Sample, Series, ViolinPlot};
use ludens_arena::statistics::quantile;
use ludens_core::{Game, Notation, Rng};
use ludens_games::Former;
use ludens_runs::imitation::{ExpertGames, expert_games};

use super::trained::{SAMPLES, expert};
use super::{DAILY_BOARDS, daily};
use crate::lab::Lab;
use crate::runs::failed;
use crate::{Error, Part, Row, Tolerance};

/// The mean numbers of shapes on Urheim's daily boards, by the totals of its appendix A.
const SHAPES: [(&str, f64); 4] =
    [("pink", 15.62), ("blue", 16.06), ("green", 15.61), ("orange", 15.71)];

pub(super) fn shapes(lab: &mut Lab<'_>) -> Result<(), Error> {
    let parts = [Part::sample("boards", DAILY_BOARDS, DAILY_BOARDS)];
    lab.section("shapes on the daily boards", &parts);
    let texts: Vec<String> = daily::boards().map(|(_, board, _)| board.text()).collect();
    let mut samples = Vec::new();
    for (digit, (name, published)) in ('0'..).zip(SHAPES) {
        let values: Vec<f64> =
            texts.iter().map(|text| text.matches(digit).count() as f64).collect();
        let found = Summary::of(&values);
        let ours = |of: fn(&Summary) -> f64| found.as_ref().map(of);
        let row = Row::new(name, "mean", 2).published(published);
        lab.row(row.ours(ours(|s| s.mean)).within(Tolerance::Absolute(0.0)));
        lab.row(Row::new(name, "fewest", 0).ours(ours(|s| s.min)));
        lab.row(Row::new(name, "most", 0).ours(ours(|s| s.max)));
        samples.push(Sample { name: name.to_owned(), values });
    }
    let labels = Labels::new("Shapes on the daily boards", "", "cells of a board");
    lab.plot("", ViolinPlot { labels, samples, lines: Vec::new() }.to_svg());
    Ok(())
}

/// Urheim's random games, and the median milliseconds of one in its two programs.
const GAMES: usize = 100_000;
const MEDIANS: [(&str, f64); 2] = [("C++", 0.27), ("Python", 2.10)];
/// Games of a part of the work.
const BLOCK: usize = 100;

pub(super) fn speed(lab: &mut Lab<'_>) -> Result<(), Error> {
    let count = lab.pick(GAMES, GAMES, 200);
    let seed = lab.settings.seed;
    let times = lab.map("random games, block", count / BLOCK, |block| {
        let one = |i: usize| {
            let mut rng = Rng::stream(seed, (block * BLOCK + i) as u64);
            let mut here = Former::start(&Default::default(), &mut rng);
            let start = Instant::now();
            while let Some((_, next, _)) = here.step(&mut rng) {
                here = next;
            }
            1e3 * start.elapsed().as_secs_f64()
        };
        (0..BLOCK).map(one).collect::<Vec<f64>>()
    })?;
    let mut times: Vec<f64> = times.into_iter().flatten().collect();
    times.sort_by(f64::total_cmp);
    let parts = [Part::sample("games", times.len(), GAMES)];
    lab.section("random games; the published times are of a MacBook Air (M1)", &parts);
    let median = quantile(&times, 0.5);
    for (name, published) in MEDIANS {
        let row = Row::new(format!("beside its {name}"), "median ms", 4).published(published);
        lab.row(row.ours(median).within(Tolerance::AtMost));
    }
    let share = |i: usize| i as f64 / 100.0;
    let points = (0..=100).map(|i| (quantile(&times, share(i)), share(i))).collect();
    let series = vec![Series { name: "ours".to_owned(), points }];
    let labels = Labels::new("Time of random games", "milliseconds", "share of games");
    let plot = LinePlot { labels, log_x: true, steps: false, series, levels: Vec::new() };
    lab.plot("", plot.to_svg());
    Ok(())
}

/// Urheim's positions of games of more than 20 moves, and its mean game (table 5.1).
const LEFT_OUT: f64 = 364.0;
const MEAN_MOVES: f64 = 14.8;

pub(super) fn positions(lab: &mut Lab<'_>) -> Result<(), Error> {
    let run = expert(lab, 0)?;
    let ExpertGames { lengths, max_moves, .. } = expert_games(run.path()).map_err(failed)?;
    let all: usize = lengths.iter().sum();
    let parts = [Part::sample("positions", all, SAMPLES as usize)];
    lab.section("games of the expert: a beam of 128 by 1 look-ahead", &parts);
    let moves: Vec<f64> = lengths.iter().map(|length| *length as f64).collect();
    let row = Row::new("games", "mean moves", 2).published(MEAN_MOVES);
    lab.row(row.mean(Summary::of(&moves).as_ref()).within(Tolerance::Relative(0.01)));
    let long: usize = lengths.iter().filter(|length| **length > max_moves).sum();
    let row = Row::new("positions", "% of games that are too long", 4);
    let published = 100.0 * LEFT_OUT / SAMPLES as f64;
    lab.row(row.published(published).ours(100.0 * long as f64 / all.max(1) as f64));
    // A game of n moves has a position with each of 1 to n moves left.
    let usable = lengths.iter().filter(|length| **length <= max_moves);
    let values = usable.flat_map(|length| (1..=*length).map(|left| left as f64)).collect();
    let samples = vec![Sample { name: "positions".to_owned(), values }];
    let labels = Labels::new("Positions by the moves left", "moves left", "positions");
    lab.plot("", Histogram { labels, bin: 1.0, samples }.to_svg());
    Ok(())
}
