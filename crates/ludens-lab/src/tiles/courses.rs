//! Projects 2 and 4 of the courses (chapter 5) and the baselines of figure 25: win rates of simple
//! networks and of players that do not learn.

use ludens_arena::Shard;
use ludens_arena::statistics::Rate;
use ludens_runs::playing::{Games, Played, evaluate};

use super::trained::{Recipe, failed};
use crate::lab::Lab;
use crate::{Error, Experiment, Part, Row, Tolerance};

/// Episodes of the baseline of project 2.
const EPISODES: u64 = 100_000;
/// Games behind a win rate.
const GAMES: u64 = 1000;

/// A project: its game, the tile that wins, and win rates in per cent.
struct Project {
    name: &'static str,
    title: &'static str,
    reference: &'static str,
    game: &'static str,
    wins: u64,
    /// Values per cell of small and of large networks: up to the tile that wins, or all.
    values: [&'static str; 2],
    /// Lines alone, with a search of one move more, and what students reached on average.
    published: [Option<f64>; 3],
}

const PROJECTS: [Project; 4] = [
    Project {
        name: "2584-p2",
        title: "Project 2: 2584 with a simple network",
        reference: "Guei 2023, section 5.4.2, tables 25 and 26",
        game: "2584",
        wins: 2584,
        values: ["24", "18"],
        published: [Some(85.0), None, Some(96.1)],
    },
    Project {
        name: "2584-p4",
        title: "Project 4: 2584 with tiles of 1 and 3",
        reference: "Guei 2023, section 5.4.4, table 31",
        game: "2584:spawn=1,3",
        wins: 2584,
        values: ["24", "18"],
        published: [Some(40.0), Some(70.0), Some(82.0)],
    },
    Project {
        name: "threes-p2",
        title: "Project 2: Threes! with a simple network",
        reference: "Guei 2023, section 5.4.2, tables 25 and 26",
        game: "threes:bag=3,bonus=off,spawn=side",
        wins: 384,
        values: ["15", "15"],
        published: [Some(85.0), None, Some(93.5)],
    },
    Project {
        name: "threes-p4",
        title: "Project 4: Threes! with the whole bag and bonus tiles",
        reference: "Guei 2023, section 5.4.4, table 31",
        game: "threes:spawn=side",
        wins: 384,
        values: ["15", "15"],
        published: [None, None, Some(88.8)],
    },
];

pub(super) fn experiments() -> Vec<Experiment> {
    let projects = PROJECTS.iter().map(|project| {
        let measure = Box::new(move |lab: &mut Lab<'_>| measure(lab, project));
        Experiment::new(project.name, project.title, project.reference, measure)
    });
    let baselines = Experiment::new(
        "2048-f25",
        "The largest tiles of random play and of greedy play",
        "Guei 2023, figure 25, the baselines",
        Box::new(baselines),
    );
    projects.chain([baselines]).collect()
}

/// Games of any of the sliding games.
fn games(lab: &mut Lab<'_>, game: &str, agent: &str, count: u64) -> Result<Played, Error> {
    let asked = Games {
        game,
        agent,
        count,
        seed: lab.settings.seed,
        threads: lab.settings.workers.max(1),
        shard: Shard::WHOLE,
    };
    let (name, on_progress) = (lab.report.name, &mut *lab.on_progress);
    let played = evaluate(&asked, lab.stop, &mut |progress| {
        on_progress(&format!("{name}: {} of {count} games", progress.games));
    });
    lab.check_stop()?;
    played.map_err(failed)?.ok_or(Error::Interrupted)
}

fn measure(lab: &mut Lab<'_>, project: &Project) -> Result<(), Error> {
    let episodes = lab.episodes(EPISODES, 1000, 20);
    let count = lab.game_count(GAMES, 100, 2);
    lab.section(
        format!("games in which a {} was reached, {}", project.wins, project.game),
        &[
            Part::effort("training episodes", episodes, EPISODES),
            Part::sample("games", count as usize, GAMES as usize),
        ],
    );
    let [lines, searched, students] = project.published;
    let [small, large] = project.values;
    let networks = [
        ("Lines, TD(0)", "lines", small, [("ntuple:ply=1", lines), ("ntuple:ply=2", searched)]),
        (
            "Axes+Rects, TD(0)",
            lab.pick("4x6", "4x6", "re"),
            large,
            [("ntuple:ply=1", students), ("ntuple:ply=2", students)],
        ),
    ];
    for (label, layout, values, searches) in networks {
        let settings = [("method", "td"), ("values", values)];
        let recipe = Recipe { game: project.game, ..Recipe::new(layout, &settings, episodes) };
        let trained = lab.learn(label, &recipe)?;
        for (agent, published) in searches {
            let played = games(lab, project.game, &trained.agent(agent), count)?;
            let ply = agent.trim_start_matches("ntuple:");
            let row = Row::new(format!("{label}, {ply}"), "wins %", 1).published(published);
            lab.row(row.percent(played.rate(project.wins)).within(Tolerance::AtLeast));
        }
    }
    Ok(())
}

fn baselines(lab: &mut Lab<'_>) -> Result<(), Error> {
    let count = lab.game_count(100_000, 2000, 50);
    // How many games the figure has is not said; its course asks for 1,000 everywhere.
    lab.section(
        "largest tile at the end, in per cent of the games",
        &[Part::sample("games", count.min(GAMES) as usize, GAMES as usize)],
    );
    // The first tile that was never reached.
    for (label, agent, never) in
        [("random", "random", 1024), ("greedy", "expectimax:model=none,ply=1", 2048)]
    {
        let played = games(lab, "2048", agent, count)?;
        let mut larger = 0;
        for tile in [4096, 2048, 1024, 512, 256, 128, 64, 32] {
            let reached = played.rate(tile);
            let rate = Rate { hits: reached.hits - larger, total: reached.total };
            larger = reached.hits;
            let published = (tile >= never).then_some(0.0);
            let row = Row::new(label, format!("{tile} %"), 3).published(published);
            lab.row(row.percent(rate).within(Tolerance::Absolute(0.0)));
        }
    }
    Ok(())
}
