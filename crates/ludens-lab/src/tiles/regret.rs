//! Distance from optimal play of networks that learn on 2x3, where all values are known: an answer
//! to what Guei (2023) leaves open, why more simulations hurt learning (section 4.3.6) and how large
//! V_init should be (section 3.2.4).

use std::sync::Arc;

use ludens_arena::Shard;
use ludens_arena::plot::Series;
use ludens_arena::statistics::Summary;
use ludens_core::{Game, Rng};
use ludens_engine::{exact_table, variant_of};
use ludens_games::Game2048;
use ludens_ntuple::{NTupleEvaluator, Network, Probe, file};
use ludens_runs::playing::Games;
use ludens_runs::regret::regret;
use ludens_search::StochasticMcts;
use ludens_search::tabular::ExactTable;
use ludens_search::tree::{ChanceSampling, Range};

use super::trained::{Recipe, Trained, failed, mean_curve, with_model};
use crate::lab::Lab;
use crate::{Error, Experiment, Part, Row};

/// The game: 85,844 positions.
const GAME: &str = "2048:board=2x3";
/// The expected score of optimal play, rounded.
const OPTIMAL: f64 = 480.0;
/// Rows and squares: boards share entries, as on the whole board.
const SHARED: &str = "012+0145";
/// The same with a table of whole boards: nothing is shared but by symmetry.
const WHOLE: &str = "012456";
/// Both with their names and those of their plots.
const LAYOUTS: [(&str, &str, &str); 2] =
    [(SHARED, "shared entries", ""), (WHOLE, "a table of boards", "-table")];
/// Larger tiles do not fit the board.
const VALUES: &str = "8";
/// What searches divide values by: the score of good play, as in Guei (2023).
const NORM: &str = "480";
/// Times at which networks are looked at.
const TIMES: u64 = 8;

/// Ways to learn.
const METHODS: [(&str, &[(&str, &str)]); 11] = [
    ("TD", &[("method", "td")]),
    ("TC", &[("method", "tc")]),
    ("OTD+TC", &[("method", "otd+tc"), ("initial", "480")]),
    ("OTC", &[("method", "otc"), ("initial", "480")]),
    ("TC, values of states", &[("method", "tc"), ("learn", "state")]),
    ("TC, Q-learning", &[("method", "tc"), ("learn", "action")]),
    (
        "TC, targets of 20 simulations",
        &[("method", "tc"), ("mcts", "20"), ("mcts_c", "0.005"), ("mcts_norm", NORM)],
    ),
    (
        "TD+TC, epsilon 0.1",
        &[
            ("method", "otd+tc"),
            ("initial", "0"),
            ("explore", "epsilon:0.1"),
            ("explore_step", "N/100"),
        ],
    ),
    (
        "TD+TC, epsilon 0.01",
        &[
            ("method", "otd+tc"),
            ("initial", "0"),
            ("explore", "epsilon:0.01"),
            ("explore_step", "N/100"),
        ],
    ),
    (
        "TD+TC, softmax 0.1",
        &[
            ("method", "otd+tc"),
            ("initial", "0"),
            ("explore", "softmax:0.1"),
            ("softmax_scale", "best"),
            ("explore_step", "N/100"),
        ],
    ),
    (
        "TD+TC, softmax 0.01",
        &[
            ("method", "otd+tc"),
            ("initial", "0"),
            ("explore", "softmax:0.01"),
            ("softmax_scale", "best"),
            ("explore_step", "N/100"),
        ],
    ),
];

/// V_init in shares of the optimal score.
const INITIAL: [f64; 8] = [0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 4.0, 8.0];
/// Simulations of a search whose values are targets; 1 is none.
const SIMULATIONS: [u32; 5] = [1, 5, 20, 50, 100];
/// Their weights of exploration.
const EXPLORATION: [&str; 2] = ["0.005", "1.5"];

pub(super) fn experiments() -> Vec<Experiment> {
    let experiment = |name, title, measure: fn(&mut Lab<'_>, &Study) -> Result<(), Error>| {
        let reference = "open questions of Guei 2023, sections 3.2.4 and 4.3.6; not published";
        let measure = Box::new(move |lab: &mut Lab<'_>| measure(lab, &Study::of(lab)));
        Experiment::new(name, title, reference, measure)
    };
    vec![
        experiment("tiles-regret-methods", "Regret on 2x3 by way to learn", methods),
        experiment("tiles-regret-initial", "Regret on 2x3 by initial value", initial_values),
        experiment("tiles-regret-targets", "Regret on 2x3 with targets by search", simulations),
    ]
}

/// What is the same for all rows.
struct Study {
    episodes: u64,
    games: u64,
    runs: u32,
}

impl Study {
    fn of(lab: &Lab<'_>) -> Study {
        Study {
            episodes: lab.episodes(5000, 1000, 40),
            games: lab.game_count(500, 200, 4),
            runs: lab.settings.seeds.unwrap_or_else(|| lab.pick(5, 2, 1)),
        }
    }

    /// How much is run; nothing of it was published.
    fn parts(&self) -> [Part; 3] {
        [
            Part::unpublished("networks", self.runs.into()),
            Part::unpublished("episodes", self.episodes),
            Part::unpublished("games", self.games),
        ]
    }

    fn recipe<'a>(&self, layout: &'a str, settings: &[(&'a str, &str)], run: u32) -> Recipe<'a> {
        let hundredth = (self.episodes / 100).max(1).to_string();
        let snapshots = (self.episodes / TIMES).max(1).to_string();
        let own = settings.iter().map(|&(key, text)| (key, text.replace("N/100", &hundredth)));
        let fixed = [("values", VALUES.to_owned()), ("snapshots", snapshots)];
        let settings = own.chain(fixed).chain([("threads", "1".to_owned())]).collect();
        Recipe { game: GAME, settings, run, ..Recipe::new(layout, &[], self.episodes) }
    }
}

/// The mean regret of an agent.
fn regret_of(lab: &mut Lab<'_>, agent: &str, count: u64) -> Result<f64, Error> {
    let asked = Games {
        game: GAME,
        agent,
        count,
        seed: lab.settings.seed,
        threads: lab.settings.workers.max(1),
        shard: Shard::WHOLE,
    };
    let found = regret(&asked, lab.settings.memory, lab.stop, &mut |_| {}).map_err(failed)?;
    lab.check_stop()?;
    Ok(found.ok_or(Error::Interrupted)?.games.mean)
}

/// The regret of a network that plays greedily, at every snapshot: episodes and regret.
fn over_training(
    lab: &mut Lab<'_>,
    trained: &Trained,
    games: u64,
) -> Result<Vec<(f64, f64)>, Error> {
    let mut points = Vec::new();
    for (episodes, file) in trained.snapshots_with_episodes() {
        points.push((episodes, regret_of(lab, &with_model("ntuple:ply=1", &file), games)?));
    }
    Ok(points)
}

/// A row with the mean over networks and its interval.
fn row(label: impl Into<String>, metric: &str, values: &[f64]) -> Row {
    Row::new(label, metric, 3).mean(Summary::of(values).as_ref())
}

fn methods(lab: &mut Lab<'_>, study: &Study) -> Result<(), Error> {
    for (layout, name, suffix) in LAYOUTS {
        lab.section(format!("{name}: regret of greedy play in points"), &study.parts());
        let mut series = Vec::new();
        for (label, settings) in METHODS {
            let mut runs = Vec::new();
            for run in 0..study.runs {
                let recipe = study.recipe(layout, settings, run);
                let trained = lab.learn(&format!("{name} {label}"), &recipe)?;
                runs.push(over_training(lab, &trained, study.games)?);
            }
            let last: Vec<f64> = runs.iter().filter_map(|run| Some(run.last()?.1)).collect();
            lab.row(row(label, "regret", &last));
            series.push(Series { name: label.to_owned(), points: mean_curve(&runs) });
        }
        lab.curves(suffix, &format!("Ways to learn, {name}"), "regret per game", series);
    }
    Ok(())
}

fn initial_values(lab: &mut Lab<'_>, study: &Study) -> Result<(), Error> {
    lab.section(
        "V_init as a multiple of the optimal score, shared entries: regret of greedy play",
        &study.parts(),
    );
    let mut series = Vec::new();
    for (label, method) in [("OTD", "otd"), ("OTC", "otc"), ("OTD+TC", "otd+tc")] {
        let mut points = Vec::new();
        for share in INITIAL {
            let initial = (share * OPTIMAL).to_string();
            let settings = [("method", method), ("initial", initial.as_str())];
            let mut found = Vec::new();
            for run in 0..study.runs {
                let recipe = study.recipe(SHARED, &settings, run);
                let trained = lab.learn(&format!("{label} {share}"), &recipe)?;
                found.push(regret_of(lab, &trained.agent("ntuple:ply=1"), study.games)?);
            }
            let label = format!("{label}, V_init {share} x optimal");
            points.push((share, found.iter().sum::<f64>() / found.len() as f64));
            lab.row(row(label, "regret", &found));
        }
        series.push(Series { name: label.to_owned(), points });
    }
    lab.curves_over("", "Initial values", "V_init / optimal score", "regret per game", series);
    Ok(())
}

fn simulations(lab: &mut Lab<'_>, study: &Study) -> Result<(), Error> {
    lab.section(
        "targets by search: regret, and errors of afterstates that the search chose and of their siblings",
        &study.parts(),
    );
    let variant = variant_of::<Game2048>(GAME).map_err(failed)?;
    let memory = lab.settings.memory;
    let table = exact_table::<Game2048>(&variant, memory, &|| false).map_err(failed)?;
    let most = lab.pick(100, 20, 5);
    for (layout, name, suffix) in LAYOUTS {
        let mut series = Vec::new();
        for c in EXPLORATION {
            let mut greedy = Vec::new();
            for simulations in SIMULATIONS.into_iter().filter(|n| *n <= most) {
                let label = format!("{name}, N~={simulations}, c~={c}");
                let search = if simulations == 1 { 0 } else { simulations }.to_string();
                let settings =
                    [("method", "tc"), ("mcts", &search), ("mcts_c", c), ("mcts_norm", NORM)];
                let (mut one, mut two, mut by_search) = (Vec::new(), Vec::new(), Vec::new());
                let (mut chosen, mut siblings) = (Vec::new(), Vec::new());
                for run in 0..study.runs {
                    let trained = lab.learn(&label, &study.recipe(layout, &settings, run))?;
                    one.push(regret_of(lab, &trained.agent("ntuple:ply=1"), study.games)?);
                    two.push(regret_of(lab, &trained.agent("ntuple:ply=2"), study.games)?);
                    let agent = format!(
                        "mcts:simulations={},c={c},outcomes=random,norm={NORM}",
                        simulations.max(2)
                    );
                    let games = (study.games / 5).max(1);
                    by_search.push(regret_of(lab, &trained.agent(&agent), games)?);
                    let network = small_network(&trained)?;
                    let player =
                        Player { simulations, exploration: c, games, seed: lab.settings.seed };
                    let errors = player.errors(network, &table);
                    chosen.push(errors.0);
                    siblings.push(errors.1);
                    lab.check_stop()?;
                }
                greedy.push((f64::from(simulations), one.iter().sum::<f64>() / one.len() as f64));
                lab.row(row(&label, "regret, 1 ply", &one));
                lab.row(row(&label, "regret, 2 ply", &two));
                lab.row(row(&label, "regret, by its search", &by_search));
                lab.row(row(&label, "error of chosen", &chosen));
                lab.row(row(&label, "error of siblings", &siblings));
            }
            series.push(Series { name: format!("c~={c}"), points: greedy });
        }
        let title = format!("Targets by search, {name}");
        lab.curves_over(suffix, &title, "simulations while learning", "regret of 1 ply", series);
    }
    Ok(())
}

/// A network of the small board.
fn small_network(trained: &Trained) -> Result<Network, Error> {
    let variant = variant_of::<Game2048>(GAME).map_err(failed)?;
    let file = trained.file("model.ntuple");
    Ok(file::load::<Game2048>(&file, GAME, &variant, false).map_err(failed)?.network)
}

/// Who plays the games in which errors are looked at: what learned from them.
struct Player<'a> {
    simulations: u32,
    exploration: &'a str,
    games: u64,
    seed: u64,
}

impl Player<'_> {
    /// The mean sizes of the errors of the network's values of the afterstates that the search chose,
    /// and of the other moves of the same positions.
    fn errors(&self, network: Network, table: &ExactTable) -> (f64, f64) {
        let network = Arc::new(network);
        let evaluator = NTupleEvaluator::new(Arc::clone(&network));
        let mut search = StochasticMcts::<Game2048, _>::new(evaluator, self.simulations);
        search.exploration = self.exploration.parse().unwrap_or(0.0);
        search.outcomes = ChanceSampling::Random;
        search.norm = Range::Fixed(OPTIMAL as f32);
        let variant = variant_of::<Game2048>(GAME).unwrap_or_default();
        let (mut sums, mut probe) = ([(0.0, 0u64); 2], Probe::default());
        for number in 0..self.games {
            let mut rng = Rng::stream(self.seed, number);
            let mut position = Game2048::start(&variant, &mut rng);
            while !position.is_over() {
                let visited = search.search(&position, &mut rng);
                let best = visited.iter().max_by(|a, b| {
                    (a.visits, a.value)
                        .partial_cmp(&(b.visits, b.value))
                        .unwrap_or(std::cmp::Ordering::Equal)
                });
                let Some(best) = best.map(|best| best.action) else { break };
                for action in position.actions() {
                    let (after, _) = position.apply(action);
                    let Some(exact) = table.after::<Game2048>(&variant, &after) else { continue };
                    network.probe::<Game2048>(&after, &mut probe);
                    let error = (f64::from(network.value(&probe)) - exact.expected).abs();
                    let sum = &mut sums[usize::from(action != best)];
                    *sum = (sum.0 + error, sum.1 + 1);
                }
                let (after, _) = position.apply(best);
                position = Game2048::apply_outcome(&after, Game2048::sample(&after, &mut rng)).0;
            }
        }
        let mean = |(sum, count): (f64, u64)| sum / count.max(1) as f64;
        (mean(sums[0]), mean(sums[1]))
    }
}
