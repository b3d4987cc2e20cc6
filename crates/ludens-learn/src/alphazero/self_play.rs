//! Self-play: many games side by side on every thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use ludens_core::{Deterministic, Evals, Evaluator, Game, Notation, Rng};
use ludens_search::tree::{Gumbel, Noise, PuctConfig, Root};

use super::AlphaZeroConfig;
use super::game::{Referee, SearchedMove, SelfPlay};
use super::tree::Tree;

/// The games of an iteration: each thread takes the next number. A game follows from its number, the
/// seed and the network alone, whoever plays it.
pub struct Games<'a, G: Game, T> {
    /// The variant.
    pub variant: G::Variant,
    /// Those that games have in its place, with the share of each.
    variants: &'a [(G::Variant, f32)],
    /// The settings.
    pub config: &'a AlphaZeroConfig,
    /// The run's seed.
    pub seed: u64,
    /// Makes the tree of a game.
    tree: fn(PuctConfig) -> T,
    /// Makes the referee of a game.
    referee: Option<fn(u64) -> Referee<G>>,
    next: AtomicU64,
    end: u64,
    stop: &'a (dyn Fn() -> bool + Sync),
    stopped: AtomicBool,
}

/// A game under way.
struct OpenGame<G, T> {
    record: SelfPlay<G>,
    here: G,
    rng: Rng,
    tree: T,
    /// Whether the search under way is a full one.
    full: bool,
    /// Positions that it has in the batch.
    asked: usize,
}

impl<'a, G: Deterministic + Notation, T: Tree<G>> Games<'a, G, T> {
    /// The games with numbers of a range, each with a tree that `tree` makes. `stop` is asked between batches.
    pub fn new(
        variant: G::Variant,
        config: &'a AlphaZeroConfig,
        seed: u64,
        tree: fn(PuctConfig) -> T,
        numbers: std::ops::Range<u64>,
        stop: &'a (dyn Fn() -> bool + Sync),
    ) -> Self {
        let (next, end) = (AtomicU64::new(numbers.start), numbers.end);
        let stopped = AtomicBool::new(false);
        let (variants, referee) = (&[][..], None);
        Games { variant, variants, config, seed, tree, referee, next, end, stop, stopped }
    }

    /// The same with games of several variants, drawn by their shares.
    #[must_use]
    pub fn of_variants(self, variants: &'a [(G::Variant, f32)]) -> Self {
        Games { variants, ..self }
    }

    /// The same with games that a referee looks through when they are over. Each has its own, so that what
    /// it says of one does not depend on others.
    #[must_use]
    pub fn refereed(self, referee: Option<fn(u64) -> Referee<G>>) -> Self {
        Games { referee: referee.filter(|_| self.config.exact > 0), ..self }
    }

    /// Whether it ended before all games were played.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Plays all games on a thread per evaluator; the last of them does something `first`. Gives
    /// what came of that, the games in the order of their numbers, and the positions evaluated.
    pub(super) fn play_beside<R, E>(
        &self,
        mut evaluators: Vec<Box<dyn Evaluator<G>>>,
        first: impl FnOnce() -> Result<R, E>,
    ) -> Result<(R, Vec<SelfPlay<G>>, u64), E> {
        let own = evaluators.pop();
        let (mut played, mut evaluated) = (Vec::new(), 0);
        let result = std::thread::scope(|scope| {
            let workers: Vec<_> = evaluators
                .into_iter()
                .map(|mut evaluator| scope.spawn(move || self.play(&mut *evaluator)))
                .collect();
            let result = first();
            let mut parts = Vec::new();
            if let (Ok(_), Some(mut evaluator)) = (&result, own) {
                parts.push(self.play(&mut *evaluator));
            }
            parts.extend(workers.into_iter().map(|w| w.join().expect("self-play does not panic")));
            for (part, count) in parts {
                played.extend(part);
                evaluated += count;
            }
            result
        })?;
        played.sort_by_key(|game| game.number);
        Ok((result, played, evaluated))
    }

    /// Plays games until none are left, and gives those that this thread has played and the
    /// positions that were evaluated for them.
    pub fn play(&self, evaluator: &mut dyn Evaluator<G>) -> (Vec<SelfPlay<G>>, u64) {
        let (mut done, mut evaluated) = (Vec::new(), 0);
        let mut games: Vec<OpenGame<G, T>> = Vec::new();
        let (mut batch, mut evals, mut scratch) = (Vec::new(), Evals::default(), Vec::new());
        loop {
            if self.is_stopped() || (self.stop)() {
                self.stopped.store(true, Ordering::Relaxed);
                return (done, evaluated);
            }
            while games.len() < self.config.parallel_games {
                let Some(game) = self.open() else { break };
                games.push(game);
            }
            if games.is_empty() {
                return (done, evaluated);
            }
            batch.clear();
            let mut index = 0;
            while index < games.len() {
                let game = &mut games[index];
                // Moves that are decided are made until one needs an evaluation.
                let over = loop {
                    game.asked = game.tree.gather(&mut batch);
                    if game.asked > 0 {
                        break false;
                    }
                    if !self.advance(game, &mut scratch) {
                        break true;
                    }
                };
                if over {
                    let mut game = games.swap_remove(index).record;
                    if let Some(referee) = self.referee {
                        game.apply_outcome(&mut referee(self.config.exact));
                    }
                    done.push(game);
                } else {
                    index += 1;
                }
            }
            if batch.is_empty() {
                continue;
            }
            evaluator.evaluate(&batch, &mut evals);
            evaluated += batch.len() as u64;
            let mut first = 0;
            for game in &mut games {
                game.tree.apply(&evals, first);
                first += game.asked;
            }
        }
    }

    /// Starts the next game; `None` when there are no more.
    fn open(&self) -> Option<OpenGame<G, T>> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        if number >= self.end {
            return None;
        }
        let config = self.config;
        let mut rng = Rng::stream(self.seed, number);
        let variant = match self.variants {
            [] => self.variant,
            some => {
                let shares: Vec<f32> = some.iter().map(|(_, share)| *share).collect();
                some[rng.weighted(&shares)].0
            }
        };
        let mut start = G::start(&variant, &mut rng);
        if rng.unit() < f64::from(config.random_opening) {
            for _ in 0..=rng.below(config.plies) {
                match start.step(&mut rng) {
                    Some((_, next, _)) if !next.is_over() => start = next,
                    _ => break,
                }
            }
        }
        let (c, fpu, plain) = (config.c, config.fpu, config.plain != 0);
        let tree = (self.tree)(PuctConfig { c, fpu, plain, ..PuctConfig::default() });
        let record = SelfPlay { number, start, moves: Vec::new(), result: 0 };
        let mut game = OpenGame { record, here: start, rng, tree, full: true, asked: 0 };
        self.start(&mut game);
        Some(game)
    }

    /// Starts the search of a move.
    fn start(&self, game: &mut OpenGame<G, T>) {
        let config = self.config;
        game.full = game.rng.unit() < f64::from(config.full);
        let opening = game.record.moves.len() < config.opening;
        let root = match (config.considered, game.full) {
            (0, true) => Root::Noisy(Noise { alpha: config.alpha, share: config.noise }),
            (0, false) => Root::Plain,
            (considered, _) => {
                Root::Gumbel(Gumbel { considered, scale: config.scale, draw: opening })
            }
        };
        let sims = if game.full { config.sims } else { config.fast };
        let rng = Rng::new(game.rng.next_u64());
        game.tree.start(&game.here, sims, root, rng);
    }

    /// Makes the move that is decided and starts the search of the next; `false` when the game is over.
    fn advance(&self, game: &mut OpenGame<G, T>, scratch: &mut Vec<f32>) -> bool {
        let config = self.config;
        let opening = game.record.moves.len() < config.opening;
        let temperature = if opening { config.temperature } else { 0.0 };
        let action = game.tree.draw(temperature, &mut game.rng, scratch);
        let choice = game.here.actions().position(|legal| legal == action);
        let choice = choice.expect("the search chooses a legal move");
        scratch.clear();
        // A proof teaches a policy, however fast it was found.
        if game.full || game.tree.is_proven() {
            game.tree.policy(scratch);
        }
        game.record.moves.push(SearchedMove::of(choice, game.tree.value().0, scratch));
        let (next, reward) = game.here.apply(action);
        game.here = next;
        game.record.result += reward;
        game.tree.advance(action);
        if next.is_over() || game.record.moves.len() >= config.max_moves {
            return false;
        }
        self.start(game);
        true
    }
}
