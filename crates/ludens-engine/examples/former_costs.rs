//! How long it takes to say what moves cost in Former, along whole games.
//!
//! ```sh
//! cargo run --release -p ludens-engine --example former_costs -- FROM DAYS [SECONDS [THREADS]]
//! ```
//!
//! Each day's board is played twice: by a line of the default solver, and by the largest group
//! first. Before every move its cost is asked for. A line per asking: board, game, fewest moves
//! left, cost or bounds, seconds; then shares by moves left.

#![expect(clippy::print_stdout, reason = "its output is its purpose")]

use std::time::Duration;

use ludens_core::Budget;
use ludens_engine::analysis::{Analysis, Details, Method, Request};
use ludens_engine::{Table, former, game};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, usual: usize| args.get(at).map_or(Ok(usual), |text| text.parse());
    let from = args.first().ok_or("FROM DAYS [SECONDS [THREADS]]")?;
    let (days, seconds, threads) = (number(1, 20)?, number(2, 10)?, number(3, 2)?);
    let request = Request {
        budget: Budget::time(Duration::from_secs(seconds as u64)),
        threads,
        memory: 1 << 30,
        ..Request::default()
    };
    let mut asked = Vec::new();
    for day in former::days(from, "2100-01-01")?.iter().take(days) {
        for name in ["portfolio", "largest"] {
            let mut table = game(former::NAME)?.generate("date", day)?;
            let method = Method::solver(name);
            let line = analyze(&*table, &Request { method, ..request.clone() })?;
            for step in line.solved().map_or(&[][..], |solved| &solved.moves) {
                let (method, cost_of) = (Method::solver("costs"), Some(step.text.clone()));
                let found = analyze(&*table, &Request { method, cost_of, ..request.clone() })?;
                let Details::Costs { optimum } = found.details else { continue };
                let cost = found.moves.first().and_then(|one| one.bounds);
                let time = found.time.as_secs_f64();
                println!("{day} {name:<9} {optimum:?} left, cost {cost:?}, {time:.2} s");
                asked.push((optimum.0, found.proven, time));
                table.play(&step.text)?;
            }
        }
    }
    for (least, most) in [(0, 9), (10, 11), (12, 13), (14, 99)] {
        let part = || asked.iter().filter(|(left, ..)| (least..=most).contains(left));
        let below = |limit: f64| part().filter(|(_, proven, t)| *proven && *t < limit).count();
        let slowest = part().map(|&(_, _, time)| time).fold(0.0, f64::max);
        let (count, one, ten) = (part().count(), below(1.0), below(10.5));
        println!(
            "{least}..{most} left: {count} asked, {one} proven below 1 s, {ten} in the time, slowest {slowest:.2} s"
        );
    }
    Ok(())
}

fn analyze(table: &dyn Table, request: &Request) -> Result<Analysis, Failure> {
    Ok(table.analyze(request, Request::never(), &mut |_| {})?)
}
