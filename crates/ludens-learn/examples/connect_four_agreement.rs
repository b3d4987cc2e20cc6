//! How often a network, with and without search, plays a move that keeps the result of a Connect Four
//! position under best play, by an independent perfect solver.
//!
//! `connect_four_agreement LABELS MODEL SIMS..` reads the solved positions that
//! `tools/connect_four_labels.py` writes: random play of 4 to 24 moves, those positions in which moves
//! lead to at least two different results. Prints the share with its 95 % interval.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ludens_core::{Agent, Budget, Choice, Context, FixedActions, Game, Rng};
use ludens_games::ConnectFour;
use ludens_nn::{ConnectFourCells, Model, NetEvaluator, Network};
use ludens_search::tree::{PuctConfig, TreeAgent};

/// A position by the columns played, and the result of every column: 1, 0, -1 for the mover.
struct Labelled {
    columns: String,
    results: Vec<(usize, i32)>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [labels, model, sims @ ..] = arguments.as_slice() else {
        return Err("expected LABELS MODEL SIMS..".into());
    };
    let text = std::fs::read_to_string(labels).map_err(|error| format!("{labels}: {error}"))?;
    let positions = text.lines().map(read).collect::<Result<Vec<_>, _>>()?;
    let model: Model = Model::load(Path::new(model))?;
    model.check("connect-four", "connect-four-cells 1")?;
    let network = Arc::new(Network::new(&model.weights));
    for sims in sims {
        let evaluator =
            NetEvaluator::new(Arc::clone(&network), ConnectFourCells, &Default::default())?;
        let mut agent = TreeAgent::<_, _>::puct(PuctConfig::default(), evaluator);
        agent.simulations = Some(sims.parse()?);
        let right = positions.iter().filter(|p| keeps(&mut agent, p)).count();
        let (n, share) = (positions.len() as f64, right as f64 / positions.len() as f64);
        let [low, high] = wilson(share, n);
        let line = format!(
            "{sims} simulations: {right} of {n} ({:.2} %, 95 % interval {:.2} to {:.2})",
            100.0 * share,
            100.0 * low,
            100.0 * high
        );
        #[expect(clippy::print_stdout, reason = "the result of the program")]
        {
            println!("{line}");
        }
    }
    Ok(())
}

/// Whether the agent's move leads to the best result there is.
fn keeps(agent: &mut impl Agent<ConnectFour>, labelled: &Labelled) -> bool {
    let start = ConnectFour::default();
    let play = |here: ConnectFour, digit: char| {
        let column = digit.to_digit(10).unwrap_or(1) as usize - 1;
        here.action_of_index(column).map_or(here, |action| here.apply(action).0)
    };
    let position = labelled.columns.chars().fold(start, play);
    let stop = AtomicBool::new(false);
    let mut silent = |_: &Choice<_>| {};
    let mut context = Context::for_agent(Budget::default(), Rng::new(1), 1, &stop, &mut silent);
    agent.reset();
    let column = position.action_index(agent.choose(&position, &mut context).action);
    let best = labelled.results.iter().map(|(_, result)| *result).max();
    labelled.results.iter().any(|(place, result)| *place == column && Some(*result) == best)
}

fn read(line: &str) -> Result<Labelled, Box<dyn std::error::Error>> {
    let mut words = line.split(' ');
    let columns = words.next().unwrap_or_default().to_owned();
    let mut results = Vec::new();
    for word in words {
        let (column, result) = word.split_once(':').ok_or("expected COLUMN:RESULT")?;
        results.push((column.parse()?, result.parse()?));
    }
    Ok(Labelled { columns, results })
}

/// Wilson's interval of a share.
fn wilson(share: f64, n: f64) -> [f64; 2] {
    let z = 1.96;
    let middle = share + z * z / (2.0 * n);
    let width = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    [middle - width, middle + width].map(|x| x / (1.0 + z * z / n))
}
