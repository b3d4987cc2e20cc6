//! Looks for mistakes in Former's exact search, for longer than tests can.
//!
//! ```text
//! former_check rules [BOARDS] [SEED]
//! former_check known [FIRST] [COUNT] [SKIP]
//! former_check board BOARD MOVES (RULES | off | loose | tight) [THREADS] [GIB]
//! ```
//!
//! `rules`: on small boards and on half-played ones of the daily puzzle's size, the first
//! solver with all rules, with each rule left out and with each alone must
//! give what the second one gives, which shares no code with it (`plain.rs`).
//!
//! `known`: the thesis' random boards from number `FIRST` on. A beam gives a line; after
//! `SKIP` of its moves the search must not refuse the number of moves that are left. Nor
//! may it refuse a published length. Reads the folder `former` in `LUDENS_DATA`.
//!
//! `board`: whether a board, a date or 63 digits, can be cleared within `MOVES`. `RULES`
//! are those in use, as in `runs,whole,strips`, or `all`; the other words name what the
//! second solver drops positions by. It needs 16 bytes for each position of a layer.

#![expect(clippy::print_stdout, reason = "its output is its purpose")]

mod plain;

use std::error::Error;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use ludens_core::{Budget, Context, Game, Notation, Progress, Rng, Solver};
use ludens_games::Former;
use ludens_games::former::{
    Date, Evaluation, FormerOrigin, FormerVariant, Pruning, daily, thesis_boards,
};
use ludens_search::{Beam, ByBound, Rounds, reaches_end};

use plain::{Pairs, Plain};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Whether a board can be cleared within `moves`, by the first solver.
fn first(
    board: Former,
    rules: Pruning,
    moves: u32,
    threads: usize,
    memory: usize,
) -> Outcome<bool> {
    let (stop, mut sink) = (AtomicBool::new(false), |_: &Progress<'_, Former>| {});
    let context = Context::new(Budget::default(), 1, threads, memory, &stop, &mut sink);
    let origin = FormerOrigin::new(board, rules);
    Ok(reaches_end(&origin, moves, &context).ok_or("interrupted")?)
}

/// The board's columns from the left, each from the bottom.
fn columns(board: &Former) -> Vec<Vec<u8>> {
    let (rows, cols) = (board.variant().rows(), board.variant().cols());
    let text = board.text();
    let cells: Vec<char> = text.chars().filter(|c| *c == '.' || c.is_ascii_digit()).collect();
    let at = |c: u8, r: u8| cells[usize::from(rows - 1 - r) * usize::from(cols) + usize::from(c)];
    let column = |c| (0..rows).filter_map(|r| at(c, r).to_digit(10)).map(|d| d as u8).collect();
    (0..cols).map(column).collect()
}

/// The second solver's answer for each number of moves up to the fewest.
fn fewest(board: &Former, pairs: Pairs) -> u32 {
    let columns = columns(board);
    let mut plain = Plain::new(&columns, usize::from(board.variant().rows()), pairs);
    (0..).find(|&moves| plain.clears(moves, |_| {})).unwrap_or(u32::MAX)
}

const RULES: [&str; 7] = ["runs", "whole", "touch", "crown", "order", "strips", "mirror"];

fn rule<'a>(rules: &'a mut Pruning, name: &str) -> Option<&'a mut bool> {
    Some(match name {
        "runs" => &mut rules.runs,
        "whole" => &mut rules.whole,
        "touch" => &mut rules.touch,
        "crown" => &mut rules.crown,
        "order" => &mut rules.order,
        "strips" => &mut rules.strips,
        "mirror" => &mut rules.mirror,
        _ => return None,
    })
}

fn rules_of(names: &str) -> Outcome<Pruning> {
    if names == "all" {
        return Ok(Pruning::default());
    }
    let mut rules = Pruning::NONE;
    for name in names.split(',') {
        *rule(&mut rules, name).ok_or_else(|| format!("{name}: expected of {RULES:?}"))? = true;
    }
    Ok(rules)
}

/// All rules, all but one of them, and one of them beside the count of runs.
fn rule_sets() -> Vec<Pruning> {
    let mut sets = vec![Pruning::default()];
    for name in RULES {
        for (mut rules, on) in [(Pruning::default(), false), (Pruning::NONE, true)] {
            rules.runs = true;
            if let Some(rule) = rule(&mut rules, name) {
                *rule = on;
            }
            sets.push(rules);
        }
    }
    sets
}

fn check_rules(boards: u64, seed: u64) -> Outcome<()> {
    let mut rng = Rng::new(seed);
    let sizes = [(9, 7, 4), (4, 4, 4), (9, 7, 4), (5, 4, 3), (9, 7, 4), (4, 6, 3), (7, 5, 4)];
    for n in 0..boards {
        let (rows, cols, shapes) = sizes[n as usize % sizes.len()];
        let mut board = Former::start(&FormerVariant::new(rows, cols, shapes)?, &mut rng);
        let cells = 16 + rng.below(16) as usize;
        while board.text().chars().filter(char::is_ascii_digit).count() > cells {
            board = board.step(&mut rng).ok_or("a board with blocks has a move")?.1;
        }
        let moves = fewest(&board, Pairs::Off);
        for pairs in [Pairs::Loose, Pairs::Tight] {
            if fewest(&board, pairs) != moves {
                return Err(format!("{pairs:?} is wrong on {}", board.text()).into());
            }
        }
        for rules in rule_sets() {
            let answers = (
                first(board, rules, moves, 1, 1 << 24)?,
                moves == 0 || first(board, rules, moves - 1, 1, 1 << 24)?,
            );
            if answers != (true, moves == 0) {
                return Err(format!("{moves} {answers:?} {rules:?} on {}", board.text()).into());
            }
        }
    }
    println!("{boards} boards: all answers equal");
    Ok(())
}

fn check_known(begin: usize, count: usize, skip: usize) -> Outcome<()> {
    let folder = std::env::var("LUDENS_DATA")?;
    let text = std::fs::read_to_string(format!("{folder}/former/random_1000_best_known.txt"))?;
    let rounds = Rounds { noise: 0.5, ..Rounds::default() };
    let mut beam = Beam { heuristic: Evaluation::default(), ceiling: ByBound, rounds };
    let mut hard = 0;
    let boards = thesis_boards().zip(text.lines()).enumerate();
    for (n, (board, known)) in boards.skip(begin).take(count) {
        let known: usize = known.trim().parse()?;
        let (stop, mut sink) = (AtomicBool::new(false), |_: &Progress<'_, Former>| {});
        let mut context = Context::new(Budget::nodes(2_000_000), 1, 1, 1 << 30, &stop, &mut sink);
        let line = beam.solve(&board, &mut context).ok_or("no line")?.line;
        let later = line.iter().take(skip).fold(board, |here, &action| here.apply(action).0);
        let left = line.len().saturating_sub(skip) as u32;
        if !first(later, Pruning::default(), left, 1, 1 << 30)? {
            return Err(format!("board {n}: {left} moves refused after {skip} of {line:?}").into());
        }
        if line.len() > known {
            hard += 1;
            let begin = Instant::now();
            if !first(board, Pruning::default(), known as u32, 1, 2 << 30)? {
                return Err(format!("board {n}: the published {known} moves are refused").into());
            }
            println!("board {n}: {known} moves, {:.1} s", begin.elapsed().as_secs_f64());
        }
    }
    println!("{count} boards from {begin} on: nothing refused, {hard} asked from the start");
    Ok(())
}

fn check_board(board: &str, moves: u32, how: &str, threads: usize, memory: usize) -> Outcome<()> {
    let board = match board.parse::<Date>() {
        Ok(date) => daily(date.year(), date.month(), date.day())?,
        Err(_) => Former::parse(&FormerVariant::default(), board)?,
    };
    let begin = Instant::now();
    let pairs = match how {
        "off" => Some(Pairs::Off),
        "loose" => Some(Pairs::Loose),
        "tight" => Some(Pairs::Tight),
        _ => None,
    };
    let answer = match pairs {
        Some(pairs) => {
            let columns = columns(&board);
            let mut made = 0;
            Plain::new(&columns, 9, pairs).clears(moves, |layer| {
                made += 1;
                println!("after {made}: {} positions kept of {}", layer.kept, layer.tried);
            })
        }
        None => first(board, rules_of(how)?, moves, threads, memory << 30)?,
    };
    let answer = if answer { "can" } else { "cannot" };
    println!("{answer} be cleared in {moves} moves; {:.1} s", begin.elapsed().as_secs_f64());
    Ok(())
}

fn main() -> Outcome<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default: u64| args.get(i).map_or(Ok(default), |text| text.parse());
    let size = |i: usize, default: u64| number(i, default).map(|n| n as usize);
    match args.first().map(String::as_str) {
        Some("rules") => check_rules(number(1, 1000)?, number(2, 1)?),
        Some("known") => check_known(size(1, 0)?, size(2, 1000)?, size(3, 4)?),
        Some("board") => {
            let [board, moves, how] = [1, 2, 3].map(|i| args.get(i).ok_or("too few arguments"));
            check_board(board?, moves?.parse()?, how?, size(4, 1)?, size(5, 4)?)
        }
        _ => Err("expected rules, known or board".into()),
    }
}
