//! `ludens bench`: the engine's signature, then its speed; or the signatures of
//! its searches.

use std::time::Duration;

use ludens_core::Throughput;
use ludens_core::bits::mix;
use ludens_engine::signature::{
    AgentSignature, NODES, SEED, Signature, agent_signatures, signatures,
};
use ludens_engine::{Table, former};
use ludens_runs::speed;
use serde_json::{Map, Value, json};

use crate::args::{BenchArgs, PositionArgs};
use crate::failure::Failure;
use crate::output::Output;
use crate::{interrupt, source};

/// Random games per game behind the signature.
const SIGNATURE_GAMES: u64 = 20;
/// The longest time Ctrl-C has to wait.
const SLICE: Duration = Duration::from_millis(250);

pub(crate) fn run(args: &BenchArgs, out: &mut Output) -> anyhow::Result<()> {
    interrupt::install();
    let seed = out.common.seed.unwrap_or(SEED);
    if args.nn {
        return networks(args, seed, out);
    }
    let tables = tables(args, seed)?;
    if args.signatures {
        return searches(&tables, seed, out);
    }
    let of = |table: &dyn Table| table.signature(SIGNATURE_GAMES, seed);
    let signature = tables.iter().fold(0, |sum, (_, table)| mix(sum ^ of(&**table)));
    let signature = format!("{signature:016x}");
    if !out.common.json {
        out.line(&format!("signature {signature}\n"))?;
        out.line(&row("random play", ["games/s", "moves/s", "mean total", "children/s"]))?;
    }
    let span = Duration::from_secs_f64(args.seconds);
    let mut playouts = Map::new();
    for (name, table) in &tables {
        if interrupt::requested() {
            break;
        }
        let speed = random_play(&**table, span, seed, out);
        let children = mean_rate(span / 4, |slice, i| table.expansion(slice, seed ^ i));
        if out.common.json {
            playouts.insert(name.clone(), fields(&speed, children));
        } else {
            let cells = [
                format!("{:.0}", speed.games_per_second()),
                format!("{:.0}", speed.moves_per_second()),
                format!("{:.3}", speed.mean_total()),
                format!("{children:.0}"),
            ];
            out.line(&row(name, cells.each_ref().map(String::as_str)))?;
            out.flush()?;
        }
    }
    let mut report = json!({"signature": signature, "playouts": playouts});
    if tables.iter().any(|(name, _)| name == former::NAME) && !interrupt::requested() {
        let rate = mean_rate(span, |slice, _| former::child_evaluations_per_second(slice));
        report["evaluations"] = json!({former::NAME: {"children_per_s": rate.round()}});
        if !out.common.json {
            out.line(&format!("\n{} child evaluations/s: {rate:.0}", former::NAME))?;
        }
    }
    if out.common.json {
        out.json(&report)?;
    }
    if interrupt::requested() { Err(Failure::Interrupted.into()) } else { Ok(()) }
}

/// The speed of neural networks.
fn networks(args: &BenchArgs, seed: u64, out: &mut Output) -> anyhow::Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let most = out.common.threads.map_or(cores, usize::from);
    let mut threads = vec![1];
    threads.extend((most > 1).then_some(most));
    let span = Duration::from_secs_f64(args.seconds);
    if !out.common.json {
        out.line(&format!(
            "{:<24}{:<10}{:>6}{:>9}{:>12}{:>14}",
            "network", "", "batch", "threads", "1/s", "1/(s of CPU)"
        ))?;
    }
    let mut rows = Vec::new();
    for bench in speed::benches(&threads) {
        if interrupt::requested() {
            break;
        }
        let row = bench.run(span, seed);
        if !out.common.json {
            out.line(&format!(
                "{:<24}{:<10}{:>6}{:>9}{:>12.0}{:>14.0}",
                row.network, row.work, row.batch, row.threads, row.per_s, row.per_cpu_s
            ))?;
            out.flush()?;
        }
        rows.push(row.to_json());
    }
    if out.common.json {
        out.json(&json!({"seconds": args.seconds, "networks": rows}))?;
    }
    if interrupt::requested() { Err(Failure::Interrupted.into()) } else { Ok(()) }
}

/// The signatures of all solvers and agents.
fn searches(
    tables: &[(String, Box<dyn Table>)],
    seed: u64,
    out: &mut Output,
) -> anyhow::Result<()> {
    if out.common.threads.is_some_and(|threads| usize::from(threads) > 1) {
        let message = "--signatures take one thread: with more, searches do not repeat";
        return Err(Failure::Usage(message.to_owned()).into());
    }
    let mut report = Map::new();
    for (name, table) in tables {
        let solvers = signatures(&**table, seed, &interrupt::REQUESTED)?;
        let agents = agent_signatures(&**table, &interrupt::REQUESTED)?;
        if !out.common.json {
            out.line(&format!("{name} {}", table.position().replace('\n', "/")))?;
            for Signature { solver, nodes, value, length, line } in &solvers {
                out.line(&format!("  {solver:<32}{nodes:>9}{value:>10}{length:>5}  {line:016x}"))?;
            }
            for AgentSignature { agent, action, nodes, value, moves } in &agents {
                out.line(&format!("  {agent:<32}{nodes:>9}{value:>10}{action:>5}  {moves:016x}"))?;
            }
            out.flush()?;
        }
        let solvers = solvers.into_iter().map(|s| {
            let line = format!("{:016x}", s.line);
            let row = json!({"nodes": s.nodes, "value": s.value, "length": s.length, "line": line});
            (s.solver.to_owned(), row)
        });
        let agents = agents.into_iter().map(|s| {
            let moves = format!("{:016x}", s.moves);
            let row = json!({"nodes": s.nodes, "value": s.value, "move": s.action, "moves": moves});
            (s.agent, row)
        });
        let (solvers, agents): (Map<_, _>, Map<_, _>) = (solvers.collect(), agents.collect());
        report.insert(
            name.clone(),
            json!({"position": table.position(), "solvers": solvers, "agents": agents}),
        );
        if interrupt::requested() {
            break;
        }
    }
    if out.common.json {
        out.json(&json!({"seed": seed, "nodes": NODES, "signatures": report}))?;
    }
    if interrupt::requested() { Err(Failure::Interrupted.into()) } else { Ok(()) }
}

/// The spans a measurement is made of: Ctrl-C is heard between them.
fn slices(span: Duration) -> impl Iterator<Item = (Duration, u64)> {
    let count = (span.as_secs_f64() / SLICE.as_secs_f64()).ceil().max(1.0) as u32;
    let asked = move |seed: &u32| *seed == 0 || !interrupt::requested();
    (0..count).take_while(asked).map(move |seed| (span / count, seed.into()))
}

fn random_play(table: &dyn Table, span: Duration, seed: u64, out: &Output) -> Throughput {
    let mut sum = Throughput { games: 0, moves: 0, total: 0, seconds: 0.0 };
    for (slice, i) in slices(span) {
        let part = table.throughput(slice, seed ^ i, out.common.threads.unwrap_or(1));
        sum = Throughput {
            games: sum.games + part.games,
            moves: sum.moves + part.moves,
            total: sum.total + part.total,
            seconds: sum.seconds + part.seconds,
        };
    }
    sum
}

fn mean_rate(span: Duration, rate: impl Fn(Duration, u64) -> f64) -> f64 {
    let (sum, count) = slices(span)
        .fold((0.0, 0.0), |(sum, count), (slice, seed)| (sum + rate(slice, seed), count + 1.0));
    sum / count
}

fn row(name: &str, cells: [&str; 4]) -> String {
    let [games, moves, mean, children] = cells;
    format!("{name:<24}{games:>12}{moves:>14}{mean:>14}{children:>14}")
}

fn fields(speed: &Throughput, children: f64) -> Value {
    json!({
        "games_per_s": speed.games_per_second().round(),
        "moves_per_s": speed.moves_per_second().round(),
        "children_per_s": children.round(),
        "games": speed.games,
        "mean_moves": speed.moves as f64 / speed.games as f64,
        "mean_total": speed.mean_total(),
        "seconds": speed.seconds,
    })
}

/// The named game at the named position, or every game; at a seeded start where
/// no position is named.
fn tables(args: &BenchArgs, seed: u64) -> anyhow::Result<Vec<(String, Box<dyn Table>)>> {
    let named = &args.position;
    let nowhere = named.position.is_none()
        && named.random.is_none()
        && named.date.is_none()
        && named.thesis.is_none()
        && named.puzzle.is_none();
    let start = PositionArgs { random: Some(seed), plies: Some(0), ..PositionArgs::default() };
    if let Some(spec) = &args.game {
        let place = if nowhere { &start } else { named };
        let table = source::table(spec, place, seed)?;
        return Ok(vec![(table.spec(), table)]);
    }
    if !nowhere {
        let message = "--random, --date, --thesis and --puzzle need the game to measure";
        return Err(Failure::Usage(message.to_owned()).into());
    }
    ludens_engine::games()
        .iter()
        .map(|info| {
            let spec = info.spec();
            Ok((spec.clone(), source::table(&spec, &start, seed)?))
        })
        .collect()
}
