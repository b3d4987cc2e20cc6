//! Random play allocates nothing.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::ops::ControlFlow;

use ludens_core::{Params, Rng};
use ludens_engine::vector::{Buffers, VectorOptions};
use ludens_engine::{Form, Registered, Visitor, visit_all};
use ludens_testkit::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

struct Count;

impl Visitor for Count {
    fn visit<G: Registered>(&mut self, form: Form<G>) {
        for sample in form.info().samples {
            let variant = form.variant(Params::parse(sample).unwrap()).unwrap();
            let mut rng = Rng::new(1);
            let start = G::start(&variant, &mut rng);
            // The first game may build tables.
            start.playout(&mut rng);
            let name = form.spec_of(&variant);
            let allocations = CountingAllocator::count(|| {
                for _ in 0..20 {
                    start.playout(&mut rng);
                }
            });
            assert_eq!(allocations, 0, "playouts of {name} allocate");
            let allocations = CountingAllocator::count(|| expand(&start));
            assert_eq!(allocations, 0, "children or outcomes of {name} allocate");
        }
    }
}

fn expand<G: Registered>(position: &G) {
    position.children(|_, after, _| {
        let _ = G::outcomes(&after, |chance, _| {
            std::hint::black_box(G::apply_outcome(&after, chance));
            ControlFlow::Continue(())
        });
    });
}

#[test]
fn random_play_allocates_nothing() {
    visit_all(&mut Count);
}

#[test]
fn steps_of_vector_environments_allocate_nothing() {
    for info in ludens_engine::games() {
        let spec = info.spec();
        let options = VectorOptions { num_envs: 4, ..VectorOptions::default() };
        let mut envs = ludens_engine::game(&spec).unwrap().vector(&options).unwrap();
        let (mut memory, mut actions) = (Buffers::memory(&*envs), [0; 4]);
        envs.reset(Some(1), None, &mut memory.buffers()).unwrap();
        let mut play = |steps: usize| {
            for _ in 0..steps {
                envs.sample(&mut actions).unwrap();
                envs.step(&actions, &mut memory.buffers()).unwrap();
            }
        };
        // The first game may build tables.
        play(300);
        assert_eq!(CountingAllocator::count(|| play(300)), 0, "steps of {spec} allocate");
    }
}

#[test]
fn the_counter_counts() {
    assert!(CountingAllocator::count(|| drop(std::hint::black_box(vec![1u8]))) > 0);
}
