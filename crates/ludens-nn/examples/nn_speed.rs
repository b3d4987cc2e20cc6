//! Speed of one thread: `nn_speed run|train WIDTH DEPTH BATCH SECONDS [ENGINE]` prints one number,
//! positions per second for Former's policy network of that size; per second of processor time where
//! the system tells it, so that other work beside it counts little. Training may be on another
//! engine than `native`, the processor's ones: what a graphics card takes is not counted.

#![expect(clippy::print_stdout, reason = "the number is its purpose")]

use std::time::Instant;

use ludens_core::Rng;
use ludens_nn::{Adam, Engine, Network, Outputs, Scratch, Spec, Trainer, Weights, policy_loss};

const USAGE: &str = "nn_speed run|train WIDTH DEPTH BATCH SECONDS [ENGINE]";

fn main() {
    let mut args = std::env::args().skip(1);
    let train = match args.next().as_deref() {
        Some("run") => false,
        Some("train") => true,
        _ => panic!("{USAGE}"),
    };
    let mut next = || args.next().and_then(|text| text.parse::<f64>().ok()).expect(USAGE);
    let (width, depth, batch) = (next() as usize, next() as usize, next() as usize);
    let seconds = next();
    let engine = args.next().map_or(Ok(Engine::Native), |name| name.parse());
    let mut rng = Rng::new(1);
    let spec = Spec::policy(9, 7, 5, width, depth);
    let weights = Weights::random(spec, &mut rng);
    let mut inputs = vec![0.0; batch * spec.inputs()];
    inputs.chunks_exact_mut(5).for_each(|cell| cell[rng.below(5) as usize] = 1.0);
    let rate = if train {
        let trainer = engine.and_then(|engine| Trainer::new(weights).engine(engine));
        let mut trainer = trainer.unwrap_or_else(|error| panic!("{error}"));
        let owners: Vec<u16> = (0..63).collect();
        let mut target = [0.0; 63];
        target[0] = 1.0;
        per_second(seconds, batch, || {
            trainer.step(&Adam::default(), &inputs, |out, slope| {
                let boards = out.policy.chunks_exact(63).zip(slope.policy.chunks_exact_mut(63));
                let scale = 1.0 / batch as f32;
                boards.map(|(out, slope)| policy_loss(out, &owners, &target, scale, slope)).sum()
            });
        })
    } else {
        let network = Network::new(&weights);
        let (mut scratch, mut out) = (Scratch::default(), Outputs::default());
        // Looking at the clock takes a while too.
        let calls = 512usize.div_ceil(batch);
        per_second(seconds, calls * batch, || {
            (0..calls).for_each(|_| network.run(&mut scratch, &inputs, &mut out));
        })
    };
    println!("{rate:.0}");
}

/// How much of `amount` a second brings; once before the clock starts.
fn per_second(seconds: f64, amount: usize, mut work: impl FnMut()) -> f64 {
    work();
    let clock = Clock(Instant::now());
    let (begin, mut count) = (clock.now(), 0);
    while clock.now() - begin < seconds {
        work();
        count += amount;
    }
    count as f64 / (clock.now() - begin)
}

struct Clock(Instant);

impl Clock {
    fn now(&self) -> f64 {
        let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
        let nanoseconds = spent.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
        nanoseconds.map_or_else(|| self.0.elapsed().as_secs_f64(), |n| n * 1e-9)
    }
}
