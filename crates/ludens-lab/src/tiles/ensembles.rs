//! Means of networks kept while one learns: tables 12 and 13.

use std::path::PathBuf;

use ludens_arena::plot::Series;
use ludens_runs::models::average;

use super::trained::{Recipe, Trained, failed, with_model};
use crate::lab::Lab;
use crate::{Error, Experiment, Part, Row, Tolerance};

/// Games of Guei (2023) behind a mean of one-ply play.
const GAMES: usize = 100_000;
const GREEDY: &str = "ntuple:ply=1";

/// A row of table 12: label, layout, settings, means of the last network and of the best mean of
/// the last k, and that k.
type Row12 = (&'static str, &'static str, &'static [(&'static str, &'static str)], [f64; 3]);

const EXISTING: [Row12; 3] = [
    ("8x6 OTD, rate 0.1", "8x6", &[("method", "otd")], [283_734.0, 361_075.0, 44.0]),
    ("8x6 OTD+TC", "8x6", &[("method", "otd+tc")], [374_116.0, 380_025.0, 10.0]),
    ("4x6 OTC", "4x6", &[("method", "otc")], [282_296.0, 283_632.0, 7.0]),
];

/// Table 13 with SWA: ply, mean score.
const CYCLIC: [(u32, f64); 3] = [(1, 415_945.0), (2, 506_938.0), (3, 558_938.0)];

pub(super) fn experiments() -> Vec<Experiment> {
    vec![
        Experiment {
            name: "2048-12",
            aliases: &["2048-f16", "2048-f17", "2048-f18"],
            title: "Means of snapshots of a network that learned (SWA), and votes of networks",
            reference: "Guei 2023, table 12, figures 16 to 18",
            needs: &[],
            measure: Box::new(existing),
        },
        Experiment {
            name: "2048-13",
            aliases: &[],
            title: "Means of snapshots with cyclic reset of coherence",
            reference: "Guei 2023, table 13, rows with SWA, 1 to 3 ply",
            needs: &[],
            measure: Box::new(cyclic),
        },
    ]
}

/// Learns a network of which `count` states are kept on the way.
fn learn(
    lab: &mut Lab<'_>,
    label: &str,
    layout: &str,
    settings: &[(&'static str, &str)],
    (episodes, kept): (u64, u64),
) -> Result<Trained, Error> {
    let mut settings: Vec<(&str, String)> =
        settings.iter().map(|&(key, value)| (key, value.to_owned())).collect();
    // Optimism of Guei's size would not have worn off after a fraction of its training.
    settings.push(("initial", lab.pick("320000", "0", "0").to_owned()));
    settings.push(("snapshots", (episodes / kept).to_string()));
    lab.learn(label, &Recipe { settings, ..Recipe::new(layout, &[], episodes) })
}

/// The mean of the last `count` kept networks, as a file.
fn mean_of(trained: &Trained, kept: &[PathBuf], count: usize) -> Result<PathBuf, Error> {
    let out = trained.file(&format!("mean-{count}.ntuple"));
    average(&kept[kept.len() - count..], &out).map_err(failed)?;
    Ok(out)
}

/// Snapshots from which figures 16 to 18 draw means: all of 20, every fifth of 100.
fn drawn(count: usize) -> Vec<usize> {
    let step = count.div_ceil(20);
    (1..=count).filter(|k| *k == 1 || k % step == 0 || *k == count).collect()
}

fn existing(lab: &mut Lab<'_>) -> Result<(), Error> {
    let episodes = lab.episodes(100_000, 400, 20);
    // One every million episodes in Guei (2023).
    let kept = (episodes / 1_000_000).max(lab.pick(20, 8, 4));
    let games = lab.game_count(1000, 60, 2) as usize;
    lab.section(
        "the last network, and the mean of the last k",
        &[
            Part::effort("training episodes", episodes, 100_000_000),
            Part::effort("kept networks", kept, 100),
            Part::sample("games of 1 ply", games, GAMES),
        ],
    );
    for (i, (label, layout, settings, [original, ensemble, best_k])) in
        EXISTING.into_iter().enumerate()
    {
        let trained = learn(lab, label, layout, settings, (episodes, kept))?;
        let kept = trained.snapshots();
        let mut found = Vec::new();
        for count in drawn(kept.len()) {
            let file = mean_of(&trained, &kept, count)?;
            let played = lab.games_of(&with_model(GREEDY, &file), games as u64)?;
            found.push((count, played.scores.mean, played));
        }
        let best = found.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        let best = best.ok_or_else(|| failed("no network was kept"))?;
        let row = Row::new(label, "last network", 0).published(original);
        lab.row(row.mean(Some(&found[0].2.scores)).within(Tolerance::AtLeast));
        let row = Row::new(label, "best mean of k", 0).published(ensemble);
        lab.row(row.mean(Some(&best.2.scores)).within(Tolerance::AtLeast));
        let row = Row::new(label, "gain %", 1).published(100.0 * (ensemble / original - 1.0));
        lab.row(row.ours(100.0 * (best.1 / found[0].1 - 1.0)).within(Tolerance::AtLeast));
        lab.row(Row::new(label, "best k", 0).published(best_k).ours(best.0 as f64));
        // As in figures 16 to 18: at index i the i-th snapshot, and the mean from it to the last.
        let (mut originals, mut means) = (Vec::new(), Vec::new());
        for &(count, mean, _) in found.iter().rev() {
            let index = kept.len() - count;
            let played = lab.games_of(&with_model(GREEDY, &kept[index]), games as u64)?;
            originals.push((index as f64 + 1.0, played.scores.mean));
            means.push((index as f64 + 1.0, mean));
        }
        let series = |name: &str, points| Series { name: name.to_owned(), points };
        let series = vec![series("snapshot", originals), series("mean from it on", means)];
        let title = format!("{label}, figure {}", 16 + i);
        lab.curves_over(&format!("-f{}", 16 + i), &title, "snapshot", "mean score", series);
    }
    bagging(lab, episodes, games)
}

/// Networks that learned apart: each alone, their vote, and the mean of their weights.
fn bagging(lab: &mut Lab<'_>, episodes: u64, games: usize) -> Result<(), Error> {
    let count = lab.settings.seeds.unwrap_or(3).max(2);
    lab.section(
        "networks that learned apart (4x6 OTC): alone, by vote (bagging) and by the mean of weights; not published",
        &[Part::effort("training episodes", episodes, 100_000_000)],
    );
    let mut trained = Vec::new();
    for run in 0..count {
        let settings = [("method", "otc"), ("initial", lab.pick("320000", "0", "0"))];
        let recipe = Recipe { run, ..Recipe::new("4x6", &settings, episodes) };
        trained.push(lab.learn("apart", &recipe)?);
    }
    let files: Vec<PathBuf> = trained.iter().map(|one| one.file("model.ntuple")).collect();
    let mean = trained[0].file("apart.ntuple");
    average(&files, &mean).map_err(failed)?;
    let others: Vec<String> = files[1..].iter().map(|file| file.display().to_string()).collect();
    let vote = format!("{GREEDY},vote={}", others.join("+"));
    let rows = [
        ("first alone".to_owned(), with_model(GREEDY, &files[0])),
        (format!("vote of {count}"), with_model(&vote, &files[0])),
        (format!("mean of {count}"), with_model(GREEDY, &mean)),
    ];
    for (label, agent) in rows {
        let played = lab.games_of(&agent, games as u64)?;
        lab.row(Row::new(label, "mean score", 0).mean(Some(&played.scores)));
    }
    Ok(())
}

fn cyclic(lab: &mut Lab<'_>) -> Result<(), Error> {
    let episodes = lab.episodes(100_000, 600, 20);
    let kept = (episodes / 1_000_000).max(lab.pick(20, 6, 4));
    let (games, deep) = (lab.game_count(1000, 60, 2) as usize, lab.pick(50, 2, 1));
    lab.section(
        "8x6 in one stage, coherence reset at every kept network, with a carousel",
        &[
            Part::effort("training episodes", episodes, 400_000_000),
            Part::sample("games of 1 ply", games, GAMES),
        ],
    );
    let reset = (episodes / kept).to_string();
    // Every second episode begins where a large tile came: 32768 in Guei (2023), which short
    // training does not know.
    let mark = lab.pick("32768", "1024", "64");
    let settings =
        [("method", "otc"), ("reset", reset.as_str()), ("marks", mark), ("carousel", "on")];
    let trained = learn(lab, "8x6 with SWA", "8x6", &settings, (episodes, kept))?;
    let all = trained.snapshots();
    let mean = mean_of(&trained, &all, all.len().div_ceil(2))?;
    for (ply, published) in CYCLIC {
        let count = if ply == 1 { games } else { deep } as u64;
        let agent = format!("ntuple:ply={ply},downgrade=32768,rectified=on");
        for (label, model) in
            [("mean of the last half", &mean), ("last network", &all[all.len() - 1])]
        {
            let played = lab.games_of(&with_model(&agent, model), count)?;
            let row = Row::new(format!("{label}, {ply} ply"), "mean score", 0);
            let published = (label != "last network").then_some(published);
            let row = row.published(published).mean(Some(&played.scores));
            lab.row(row.within(Tolerance::AtLeast));
        }
    }
    Ok(())
}
