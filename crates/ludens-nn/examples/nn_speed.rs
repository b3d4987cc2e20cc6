//! Positions per second of one thread: `nn_speed WIDTH DEPTH BATCH SECONDS` prints one
//! number for Former's policy network of that size, per second of processor time where
//! the system tells it, so that other work beside it counts little.

#![expect(clippy::print_stdout, reason = "the number is its purpose")]

use std::time::Instant;

use ludens_core::Rng;
use ludens_nn::{Network, Outputs, Scratch, Spec, Weights};

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<f64>());
    let mut next = || numbers.next().and_then(Result::ok).expect("WIDTH DEPTH BATCH SECONDS");
    let (width, depth, batch) = (next() as usize, next() as usize, next() as usize);
    let seconds = next();
    let mut rng = Rng::new(1);
    let spec = Spec::policy(9, 7, 5, width, depth);
    let network = Network::new(&Weights::random(spec, &mut rng));
    let mut inputs = vec![0.0; batch * spec.inputs()];
    inputs.chunks_exact_mut(5).for_each(|cell| cell[rng.below(5) as usize] = 1.0);
    let (mut scratch, mut out) = (Scratch::default(), Outputs::default());
    network.run(&mut scratch, &inputs, &mut out);
    let clock = Clock(Instant::now());
    let (begin, mut count) = (clock.now(), 0);
    while clock.now() - begin < seconds {
        // Looking at the clock takes a while too.
        for _ in 0..512usize.div_ceil(batch) {
            network.run(&mut scratch, &inputs, &mut out);
            count += batch;
        }
    }
    println!("{:.0}", count as f64 / (clock.now() - begin));
}

struct Clock(Instant);

impl Clock {
    fn now(&self) -> f64 {
        let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
        let nanoseconds = spent.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
        nanoseconds.map_or_else(|| self.0.elapsed().as_secs_f64(), |n| n * 1e-9)
    }
}
