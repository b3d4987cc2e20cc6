//! A block of episodes: what its threads play and learn.

use std::sync::atomic::{AtomicU64, Ordering};

use ludens_core::Rng;
use ludens_ntuple::Network;

use super::config::Learn;
use super::episode::Episode;
use super::explore::Policy;
use super::update::{Scratch, Updater};
use super::values::{Actions, Afterstates, Positions, Searched, ValueFunction};
use super::{Learnable, Tally, TdConfig, Trainer};

/// What the threads of a block share.
pub(super) struct Block<'a, G: Learnable> {
    pub(super) trainer: &'a Trainer<G>,
    pub(super) updater: Updater<'a>,
    pub(super) policy: Policy,
    /// The next episode and the one after the last.
    pub(super) next: AtomicU64,
    pub(super) end: u64,
    /// Whether episodes may start at later stages.
    pub(super) staged: bool,
}

/// Does something with whatever kind of value the settings name.
pub(super) trait ValueVisitor<G: Learnable> {
    /// What comes of it.
    type Output;

    fn visit<K: ValueFunction<G>>(self, kind: K) -> Self::Output;
}

/// Finds the kind of value that the settings name.
pub(super) fn visit_values<G: Learnable, V: ValueVisitor<G>>(
    config: &TdConfig,
    network: &Network,
    visitor: V,
) -> V::Output {
    match config.learn {
        Learn::Afterstates if config.mcts > 0 => visitor.visit(Searched::new(network, config)),
        Learn::Afterstates => visitor.visit(Afterstates::new(network)),
        Learn::Positions => visitor.visit(Positions::new(network)),
        Learn::Actions => visitor.visit(Actions::new(network)),
    }
}

impl<G: Learnable> ValueVisitor<G> for &Block<'_, G> {
    type Output = Tally;

    fn visit<K: ValueFunction<G>>(self, kind: K) -> Tally {
        self.play_by(kind)
    }
}

impl<G: Learnable> Block<'_, G> {
    /// One thread's share.
    pub(super) fn play(&self) -> Tally {
        visit_values(&self.trainer.config, &self.trainer.network, self)
    }

    /// Episodes in turns until none are left.
    fn play_by<K: ValueFunction<G>>(&self, mut kind: K) -> Tally {
        let config = &self.trainer.config;
        let mut tally = Tally::default();
        let mut scratch = Scratch::default();
        let mut running: Vec<Episode<G, K>> = Vec::new();
        for stage in 0..config.interleave {
            let rng = Rng::new(0);
            let position = G::start(&self.trainer.variant, &mut rng.clone());
            let mut episode = Episode::new(position, rng);
            episode.stage = stage;
            if self.next(&mut episode, &mut kind) {
                running.push(episode);
            }
        }
        while !running.is_empty() {
            // Those that end without a successor drop out; the order stays.
            running.retain_mut(|episode| {
                episode.advance(&mut kind, &self.policy) || {
                    self.updater.learn(&mut kind, &episode.path, episode.bonus, &mut scratch);
                    self.count(episode, &mut tally);
                    self.again(episode, &mut kind) || self.next(episode, &mut kind)
                }
            });
        }
        tally
    }

    /// Starts the next episode, if there is one.
    fn next<K: ValueFunction<G>>(&self, episode: &mut Episode<G, K>, kind: &mut K) -> bool {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        if number >= self.end {
            return false;
        }
        let trainer = self.trainer;
        episode.rng = Rng::stream(trainer.seed, number);
        if let Some(stage) = &trainer.stage {
            let arrival = stage.draw(&mut episode.rng);
            episode.start_after(&arrival.after, kind);
            // Its score counts as that of the whole game.
            (episode.base, episode.whole) = (arrival.score, true);
            return true;
        }
        if self.staged
            && let Some(after) = self.later_start(episode)
        {
            episode.start_after(&after, kind);
            return true;
        }
        let start = G::start(&trainer.variant, &mut episode.rng);
        episode.start(start, true, kind);
        true
    }

    /// Where a later stage began, if this episode is to start there.
    fn later_start<K: ValueFunction<G>>(&self, episode: &mut Episode<G, K>) -> Option<G::After> {
        let starts = self.trainer.starts.lock().expect("no thread panics with it");
        if self.trainer.config.carousel {
            let stage = episode.stage % self.trainer.marks.count();
            let start = starts.draw(stage, &mut episode.rng);
            // A stage nobody has reached sends the carousel back to the start.
            episode.stage = if stage > 0 && start.is_none() { 1 } else { stage + 1 };
            return start;
        }
        if episode.rng.unit() < self.trainer.config.jump {
            return starts.draw_any(&mut episode.rng).map(|(_, after)| after);
        }
        None
    }

    /// Starts again in the middle of a long episode, if that is asked for.
    fn again<K: ValueFunction<G>>(&self, episode: &mut Episode<G, K>, kind: &mut K) -> bool {
        let shortest = self.trainer.config.restart;
        if shortest == 0 || episode.path.len() < shortest.max(2) {
            return false;
        }
        let after = episode.path[episode.path.len() / 2].after;
        episode.start_after(&after, kind);
        true
    }

    /// Sums an episode up, and keeps where it entered later stages.
    fn count<K: ValueFunction<G>>(&self, episode: &Episode<G, K>, tally: &mut Tally) {
        tally.moves += episode.path.len() as u64;
        let cells = self.trainer.network.form().shape.cells;
        if self.staged {
            let mut before = 0;
            for (i, step) in episode.path.iter().enumerate() {
                let stage = self.trainer.marks.of::<G>(&step.after, cells);
                // An episode that began at a later stage did not enter it.
                if stage > before && (i > 0 || episode.whole) {
                    let mut starts = self.trainer.starts.lock().expect("no thread panics with it");
                    starts.keep(stage, step.after);
                }
                before = stage;
            }
        }
        if !episode.whole {
            return;
        }
        let last = episode.path.last().map(|step| &step.after);
        tally.count::<G>(episode.base + episode.total, last, cells);
    }
}
