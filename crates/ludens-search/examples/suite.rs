#![allow(clippy::all, clippy::print_stdout, clippy::unwrap_used, missing_docs)]
use ludens_core::*;
use ludens_games::samegame::*;
use ludens_search::mcts::*;
use std::sync::atomic::AtomicBool;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let boards: usize = a[2].parse().unwrap();
    let runs: usize = a[3].parse().unwrap();
    let units: u64 = a.get(4).map_or(640000, |s| s.parse().unwrap());
    let file = a.get(5).cloned().unwrap_or("schadd_100.json".into());
    let data = std::env::var("LUDENS_DATA").unwrap_or("/work/shared/data".into());
    let text = std::fs::read_to_string(format!("{data}/samegame/{file}")).unwrap();
    let rows: Vec<&str> = text
        .split('"')
        .filter(|s| s.len() == 15 && s.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
        .collect();
    let variant = SameGameVariant::new(15, 15, 5, Scoring::SameGame(Penalty::Colour)).unwrap();
    let all: Vec<SameGame> =
        rows.chunks(15).map(|c| SameGame::parse(&variant, &c.join("/")).unwrap()).collect();
    let stop = AtomicBool::new(false);
    for name in a[1].split(',') {
        let (base, cc) = name
            .split_once('@')
            .map_or((name, None), |(n, c)| (n, Some(c.parse::<f32>().unwrap())));
        let Some(mut config) = composition(base) else {
            println!("{name}?");
            continue;
        };
        if let Some(c) = cc {
            config.c = c;
        }
        let taboo = match config.simulation {
            Simulation::TabuColour => Taboo::Frequent,
            Simulation::TabuRandom => Taboo::Random,
            Simulation::TabuBandit => Taboo::Bandit,
            _ => Taboo::None,
        };
        let t = std::time::Instant::now();
        let (
            mut mins,
            mut sums,
            mut maxs,
            mut dep,
            mut mx,
            mut nodes,
            mut term,
            mut hits,
            mut hd,
            mut sub,
            mut gl,
        ) = (0i64, 0i64, 0i64, 0.0, 0.0, 0u64, 0u64, 0u64, 0.0, 0u64, 0.0);
        let mut clears = 0;
        for (b, board) in all.iter().take(boards).enumerate() {
            let mut v = vec![];
            for r in 0..runs {
                let budget = Budget { units: Some(units), ..Budget::default() };
                let mut m = Mcts::new(config)
                    .rollout(TabooRollout::new(taboo, config.random_below))
                    .knowledge(SameGameKnowledge);
                let seed = (1000 * b + r) as u64;
                let value = if config.move_pruning {
                    let mut sink = |_: &Progress<'_, VsSameGame>| {};
                    let mut cx = Context::new(budget, seed, 1, 1 << 30, &stop, &mut sink);
                    let g = VsSameGame::new(*board);
                    let mut s = m.solve(&g, &mut cx).unwrap();
                    let total = g.complete(&mut s.line);
                    assert_eq!(total, s.value);
                    let end = s.line.iter().fold(*board, |h, &a| h.apply(a).0);
                    assert!(end.is_over());
                    if end.blocks() == 0 {
                        clears += 1
                    }
                    total
                } else {
                    let mut sink = |_: &Progress<'_, SameGame>| {};
                    let mut cx = Context::new(budget, seed, 1, 1 << 30, &stop, &mut sink);
                    m.solve(board, &mut cx).unwrap().value
                };
                v.push(value);
                let st = m.statistics();
                dep += st.average_depth();
                mx += st.maximum_depth() as f64;
                nodes += st.nodes;
                term += st.terminals;
                hits += st.hits;
                hd += st.hit_depth();
                sub += st.suboptimal;
                gl += st.game_length();
            }
            mins += v.iter().min().unwrap();
            maxs += v.iter().max().unwrap();
            sums += v.iter().sum::<i64>();
        }
        let n = boards as f64;
        let k = n * runs as f64;
        println!(
            "{name:20} {:5.0} {:7.1} {:5.0} depth {:.2} max {:.2} nodes {:.0} term {:.1} hits {:.0} hitdepth {:.2} sub {:.0} len {:.1} clear {:.2} time {:.1}s",
            mins as f64 / n,
            sums as f64 / k,
            maxs as f64 / n,
            dep / k,
            mx / k,
            nodes as f64 / k,
            term as f64 / k,
            hits as f64 / k,
            hd / k,
            sub as f64 / k,
            gl / k,
            clears as f64 / k,
            t.elapsed().as_secs_f64()
        );
    }
}
