//! Whole games of one player, several at a time so that an agent can evaluate them together.

use ludens_core::{Agent, Batch, Budget, Choice, Context, Limits, Rng};

use crate::sliding::Sliding;

/// Games that a thread plays in turns.
const LANES: usize = 8;

/// One game: its score, its largest number and its moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Episode {
    /// Its number.
    pub number: u64,
    /// Its score.
    pub score: i64,
    /// The largest number on the board at its end, as [`Cells`](ludens_core::Cells) has it.
    pub largest: u8,
    /// Its moves.
    pub moves: u64,
}

/// A game in progress.
pub struct Lane<G: Sliding> {
    number: u64,
    luck: Rng,
    score: i64,
    moves: u64,
    last: Option<G::After>,
}

impl<G: Sliding> Lane<G> {
    /// A game from a start.
    pub fn start(variant: &G::Variant, seed: u64, number: u64) -> (G, Rng, Self) {
        let mut luck = Rng::stream(seed, 2 * number);
        let position = G::start(variant, &mut luck);
        let score = position.score().unwrap_or(0);
        let (position, rng, lane) = Lane::resume(position, score, seed, number);
        (position, rng, Lane { luck, ..lane })
    }

    /// A game that is resumed at a position.
    fn resume(position: G, score: i64, seed: u64, number: u64) -> (G, Rng, Self) {
        let luck = Rng::stream(seed, 2 * number);
        let lane = Lane { number, luck, score, moves: 0, last: None };
        // Agents draw from a stream of their own, so that who plays does not change luck.
        (position, Rng::stream(seed, 2 * number + 1), lane)
    }

    fn end(&self, variant: &G::Variant) -> Episode {
        let mut cells = vec![0; G::cell_shape(variant).cells];
        if let Some(after) = self.last {
            G::write_cells(&after, &mut cells);
        }
        let largest = cells.into_iter().max().unwrap_or(0);
        Episode { number: self.number, score: self.score, largest, moves: self.moves }
    }
}

/// Observes the moves of games.
pub trait Watch<G: Sliding> {
    /// The game of a number is at a position in which this move is about to be made.
    fn moving(&mut self, number: u64, position: &G, action: G::Action);
}

/// Observes nothing.
impl<G: Sliding> Watch<G> for () {
    #[inline(always)]
    fn moving(&mut self, _: u64, _: &G, _: G::Action) {}
}

/// Plays the games that `begin` gives, some at a time; `watch` sees every move, `done` every
/// end.
pub fn in_turns<G: Sliding>(
    agent: &mut dyn Agent<G>,
    variant: &G::Variant,
    mut begin: impl FnMut() -> Option<(G, Rng, Lane<G>)>,
    limits: &Limits<'_>,
    watch: &mut impl Watch<G>,
    done: &mut dyn FnMut(Episode),
) {
    let (mut positions, mut rngs, mut lanes) = (Vec::new(), Vec::new(), Vec::<Lane<G>>::new());
    let mut actions = Vec::with_capacity(LANES);
    let mut silent = |_: &Choice<G::Action>| {};
    let mut context =
        Context::for_agent(Budget::default(), Rng::new(0), 1, limits.stop(), &mut silent);
    loop {
        // Games that are over make room, and new ones begin.
        let mut at = 0;
        while at < LANES {
            if at == lanes.len() {
                let Some((position, rng, lane)) = begin() else { break };
                positions.push(position);
                rngs.push(rng);
                lanes.push(lane);
            }
            let position: &G = &positions[at];
            if position.is_over() {
                done(lanes[at].end(variant));
                positions.swap_remove(at);
                rngs.swap_remove(at);
                lanes.swap_remove(at);
            } else {
                at += 1;
            }
        }
        if lanes.is_empty() || limits.interrupted() {
            return;
        }
        actions.clear();
        let mut batch = Batch { positions: &positions, rngs: &mut rngs, actions: &mut actions };
        agent.choose_all(&mut batch, &mut context);
        for ((position, lane), &action) in positions.iter_mut().zip(&mut lanes).zip(&actions) {
            watch.moving(lane.number, position, action);
            let (after, reward) = position.apply(action);
            let (next, bonus) = G::apply_outcome(&after, G::sample(&after, &mut lane.luck));
            lane.score += i64::from(reward) + i64::from(bonus);
            lane.moves += 1;
            lane.last = Some(after);
            *position = next;
        }
    }
}

/// Games played on from a position by an agent, with what they still scored. Fewer than `count` when
/// it was stopped.
pub(crate) fn resume_from<G: Sliding>(
    agent: &mut dyn Agent<G>,
    position: &G,
    count: u64,
    seed: u64,
    limits: &Limits<'_>,
) -> Vec<Episode> {
    let (mut episodes, mut next) = (Vec::new(), 0);
    let start = || {
        (next < count).then(|| {
            next += 1;
            Lane::resume(*position, 0, seed, next - 1)
        })
    };
    let done = &mut |episode| episodes.push(episode);
    in_turns(agent, &position.variant(), start, limits, &mut (), done);
    episodes
}
