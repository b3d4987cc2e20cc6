//! What every search shares: budgets, interruption, progress, solutions.
//!
//! A [`Solver`] finds a good line for one player; what it may spend and whom it
//! tells comes in a [`Context`]. Values are sums of rewards still to come, so a
//! larger value is better; in Former, where every move pays -1, a line of eleven
//! moves has the value -11.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::platform::{Instant, thread};
use crate::{Choice, Game, Rng, SearchStatistics, Solo, SoloPuzzle, Symmetric};

/// What a search may spend; `None` is no limit.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Budget {
    /// Time on the clock.
    pub time: Option<Duration>,
    /// Positions generated. With one thread this makes results repeatable.
    pub nodes: Option<u64>,
    /// Resource units of the single-player MCTS text: 1 per state a simulation
    /// or the tree inspects, 1/8 per level of descent.
    pub units: Option<u64>,
}

impl Budget {
    /// Only a time limit.
    pub fn time(time: Duration) -> Self {
        Budget { time: Some(time), ..Budget::default() }
    }

    /// Only a node limit.
    pub fn nodes(nodes: u64) -> Self {
        Budget { nodes: Some(nodes), ..Budget::default() }
    }

    /// The positions that nodes and units allow a search without a tree to descend.
    pub fn positions(&self) -> Option<u64> {
        self.nodes.into_iter().chain(self.units).min()
    }
}

/// When to stop: shared by all threads of a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    begin: Instant,
    budget: Budget,
    stop: &'a AtomicBool,
    /// Cancels this part of a search, but not the whole.
    solved: Option<&'a AtomicBool>,
}

impl<'a> Limits<'a> {
    /// Limits of a search that began at `begin`.
    pub fn new(begin: Instant, budget: Budget, stop: &'a AtomicBool) -> Self {
        Limits { begin, budget, stop, solved: None }
    }

    /// The same limits where they are nearer, otherwise those of `budget`.
    pub fn within(&self, budget: Budget) -> Self {
        fn nearer<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
            one.into_iter().chain(other).min()
        }
        let budget = Budget {
            time: nearer(self.budget.time, budget.time),
            nodes: nearer(self.budget.nodes, budget.nodes),
            units: nearer(self.budget.units, budget.units),
        };
        Limits { budget, ..*self }
    }

    /// Limits for a part of the search that begins now: those of `budget`, with a time
    /// limit that never outlasts the whole search's.
    pub fn part(&self, mut budget: Budget) -> Self {
        let left = self.budget.time.map(|time| time.saturating_sub(self.elapsed()));
        budget.time = match (budget.time, left) {
            (Some(part), Some(left)) => Some(part.min(left)),
            (part, left) => part.or(left),
        };
        Limits { begin: Instant::now(), budget, ..*self }
    }

    /// What cancels the search from outside.
    pub fn stop(&self) -> &AtomicBool {
        self.stop
    }

    /// What may be spent.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// The time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    /// Whether the search was cancelled or its time is over. Looks at the clock:
    /// ask every few thousand nodes.
    pub fn interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
            || self.solved.is_some_and(|solved| solved.load(Ordering::Relaxed))
            || self.budget.time.is_some_and(|time| self.begin.elapsed() >= time)
    }

    /// Whether that many nodes use up the budget.
    pub fn spent(&self, nodes: u64) -> bool {
        self.budget.positions().is_some_and(|limit| nodes >= limit)
    }
}

/// What a search is given besides the position.
pub struct Context<'a, G: Game> {
    /// When to stop.
    pub limits: Limits<'a>,
    /// Its randomness.
    pub rng: Rng,
    /// How many threads it may use, at least 1.
    pub threads: usize,
    /// How many bytes its tables may take.
    pub memory: usize,
    /// Figures of the search, left here at its end by searches that keep them.
    pub statistics: Option<SearchStatistics>,
    callback: Callback<'a, G>,
}

/// Whom a search reports to.
enum Callback<'a, G: Game> {
    Progress(&'a mut (dyn FnMut(&Progress<'_, G>) + Send)),
    Choice(&'a mut (dyn FnMut(&Choice<G::Action>) + Send)),
}

impl<'a, G: Game> Context<'a, G> {
    /// The context of a solver that starts now. `stop` cancels the search from outside;
    /// `callback` gets its progress.
    pub fn new(
        budget: Budget,
        seed: u64,
        threads: usize,
        memory: usize,
        stop: &'a AtomicBool,
        callback: &'a mut (dyn FnMut(&Progress<'_, G>) + Send),
    ) -> Self {
        let limits = Limits::new(Instant::now(), budget, stop);
        let (rng, threads) = (Rng::new(seed), thread::at_most(threads));
        let callback = Callback::Progress(callback);
        Context { limits, rng, threads, memory, statistics: None, callback }
    }

    /// The context of an agent's turn that starts now; its memory has no limit unless one is
    /// set. `callback` gets what the agent would choose while it goes on searching.
    pub fn for_agent(
        budget: Budget,
        rng: Rng,
        threads: usize,
        stop: &'a AtomicBool,
        callback: &'a mut (dyn FnMut(&Choice<G::Action>) + Send),
    ) -> Self {
        let limits = Limits::new(Instant::now(), budget, stop);
        let (threads, memory) = (thread::at_most(threads), usize::MAX);
        let callback = Callback::Choice(callback);
        Context { limits, rng, threads, memory, statistics: None, callback }
    }

    /// Reports how far a solver has come.
    pub fn report(&mut self, progress: &Progress<'_, G>) {
        if let Callback::Progress(callback) = &mut self.callback {
            callback(progress);
        }
    }

    /// Reports what an agent would choose now.
    pub fn report_choice(&mut self, choice: &Choice<G::Action>) {
        if let Callback::Choice(callback) = &mut self.callback {
            callback(choice);
        }
    }

    /// The limits narrowed to an agent's own budget.
    pub fn within(&self, budget: Budget) -> Limits<'a> {
        self.limits.within(budget)
    }

    /// The limits narrowed to an agent's own budget that starts now.
    pub fn begin_within(&self, budget: Budget) -> Limits<'a> {
        let whole = Budget { time: None, ..self.limits.budget() };
        self.limits.part(budget).within(whole)
    }

    /// The same context for a part of the search, with a budget of its own that
    /// begins now; a time limit never outlasts the whole search's.
    pub fn part(&mut self, budget: Budget) -> Context<'_, G> {
        let limits = self.limits.part(budget);
        let rng = Rng::new(self.rng.next_u64());
        let (threads, memory) = (self.threads, self.memory);
        let callback = match &mut self.callback {
            Callback::Progress(callback) => Callback::Progress(&mut **callback),
            Callback::Choice(callback) => Callback::Choice(&mut **callback),
        };
        Context { limits, rng, threads, memory, statistics: None, callback }
    }

    /// [`part`](Context::part) for a part that runs beside others: it reports to `callback`,
    /// and ends when `solved` is set, too.
    pub fn beside<'b>(
        &mut self,
        budget: Budget,
        solved: &'b AtomicBool,
        callback: &'b mut (dyn FnMut(&Progress<'_, G>) + Send),
    ) -> Context<'b, G>
    where
        'a: 'b,
    {
        let limits = Limits { solved: Some(solved), ..self.limits.part(budget) };
        let rng = Rng::new(self.rng.next_u64());
        let (threads, memory) = (self.threads, self.memory);
        let callback = Callback::Progress(callback);
        Context { limits, rng, threads, memory, statistics: None, callback }
    }
}

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a, G: Game> {
    /// The best line so far, if any.
    pub best: Option<&'a Solution<G>>,
    /// No line can have a larger value, as far as is known.
    pub bound: Option<i64>,
    /// Positions generated so far.
    pub nodes: u64,
    /// What the search is doing, in a few words.
    pub stage: &'a str,
}

/// A line of play and what is known about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution<G: Game> {
    /// The actions from the position that was searched.
    pub line: Vec<G::Action>,
    /// The sum of its rewards.
    pub value: i64,
    /// No line has a larger value, if known.
    pub bound: Option<i64>,
    /// Positions generated to find it.
    pub nodes: u64,
}

impl<G: Game> Solution<G> {
    /// Whether it is known that no line is better.
    pub fn is_proven(&self) -> bool {
        self.bound == Some(self.value)
    }
}

/// Finds good lines in games of one player.
pub trait Solver<G: Solo>: Send {
    /// The best line found within the context's limits: a whole game, to its
    /// end, or as far as it came if even that was not possible. `None` when it
    /// has no line at all.
    fn solve(&mut self, position: &G, context: &mut Context<'_, G>) -> Option<Solution<G>>;
}

/// A game that can tell how much is still to be had at most.
pub trait Bounded: Solo {
    /// No line from here has a larger value.
    fn upper_bound(&self) -> i64;
}

/// A cheap guess of the value still to come, for beams and greedy play.
/// Only the order of values matters.
pub trait Heuristic<G: Game>: Send + Sync {
    /// How promising a position is; larger is better. Never NaN.
    fn value(&self, position: &G) -> f32;

    /// The heuristic for restart number `round` of a search that repeats itself.
    /// Round 0 is the heuristic itself; later ones may differ a little, so that
    /// repeated searches do not all make the same mistake. By default they do not.
    #[must_use]
    fn varied(&self, _round: u64, _rng: &mut Rng) -> Self
    where
        Self: Clone,
    {
        self.clone()
    }
}

/// A game whose every move lowers a number, such as that of the blocks left.
/// Positions of equal number are about equally far and can be compared.
pub trait Staged: Game {
    /// The number; every move makes it smaller.
    fn stage(&self) -> usize;
}

/// Makes the heuristic that suits the improvement of a line.
pub trait Adviser<G: Game>: Send + Sync {
    /// What it makes.
    type Heuristic: Heuristic<G>;

    /// The heuristic for positions on and near a line from `start`.
    fn advise(&self, start: &G, line: &[G::Action]) -> Self::Heuristic;
}

/// A way to play simulations to their end.
pub trait Rollout<G: Game>: Send {
    /// Prepares for one simulation from a position, such as choosing a tabu colour.
    fn start(&mut self, _position: &G, _rng: &mut Rng) {}

    /// The next move of the simulation, or `None` when the game is over.
    fn pick(&mut self, position: &G, rng: &mut Rng)
    -> Option<(G::Action, G::After, crate::Reward)>;

    /// Plays one simulation from `position` to the end of the game and appends
    /// its actions to `line`; overridden where a whole game at once is faster.
    fn play(&mut self, position: &G, line: &mut Vec<G::Action>, rng: &mut Rng) -> (G, i64) {
        self.start(position, rng);
        self.finish(position, line, rng)
    }

    /// The rest of a simulation that is [started](Rollout::start), by [`pick`](Rollout::pick).
    fn finish(&mut self, position: &G, line: &mut Vec<G::Action>, rng: &mut Rng) -> (G, i64) {
        let (mut here, mut total) = (*position, 0);
        while let Some((action, after, reward)) = self.pick(&here, rng) {
            let chance = G::sample(&after, rng);
            let (next, bonus) = G::apply_outcome(&after, chance);
            line.push(action);
            total += i64::from(reward) + i64::from(bonus);
            here = next;
        }
        (here, total)
    }

    /// Learns from what the game with the last simulation came to in all.
    fn learn(&mut self, _value: i64) {}
}

/// What a search may know about a game beyond its rules. Everything has a
/// default that claims nothing; `()` is the knowledge of nothing.
pub trait Knowledge<G: Game>: Send {
    /// No line from here has a larger value, if known.
    fn upper_bound(&self, _position: &G) -> Option<i64> {
        None
    }

    /// The part of the last move's reward that was paid for reaching this end,
    /// such as for a cleared board; 0 in all other positions.
    fn end_bonus(&self, _position: &G) -> i64 {
        0
    }

    /// A code that moves share which count as the same in different positions.
    fn code(&self, _position: &G, _action: G::Action) -> u64 {
        0
    }

    /// The position that stands for all that a symmetry of the game maps on each other; the
    /// position itself where none is known.
    fn canonical(&self, position: &G) -> G {
        *position
    }
}

impl<G: Game> Knowledge<G> for () {}

/// The knowledge of a game's symmetries, and of nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Symmetries;

impl<G: Symmetric> Knowledge<G> for Symmetries {
    fn canonical(&self, position: &G) -> G {
        position.canonical()
    }
}

/// Probabilities of the moves of a position: a heuristic or a network.
pub trait Policy<G: Game>: Send {
    /// Puts one probability per legal action into `out`, in the order of
    /// [`Game::actions`]; `out` is empty before. They are at least 0 and sum to 1.
    fn probabilities(&mut self, position: &G, out: &mut Vec<f32>);
}

/// All moves equally likely.
impl<G: Game> Policy<G> for () {
    fn probabilities(&mut self, position: &G, out: &mut Vec<f32>) {
        let count = position.actions().len();
        out.resize(count, 1.0 / count as f32);
    }
}

/// A policy where there is one, otherwise all moves equally likely.
impl<G: Game, P: Policy<G>> Policy<G> for Option<P> {
    fn probabilities(&mut self, position: &G, out: &mut Vec<f32>) {
        match self {
            Some(policy) => policy.probabilities(position, out),
            None => ().probabilities(position, out),
        }
    }
}

/// A code per action for learned playout policies: moves that do the same to
/// the same cells share it, whatever the rest of the board looks like.
pub trait MoveCode: Game {
    /// The code of a legal action.
    fn code(&self, action: Self::Action) -> u64;

    /// All actions with their codes, in the order of [`Game::actions`].
    /// Overridden where listing finds what the codes need anyway.
    fn coded(&self, mut f: impl FnMut(Self::Action, u64)) {
        for action in self.actions() {
            f(action, self.code(action));
        }
    }
}

/// A move that a learned simulation may choose.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate<A> {
    /// The move.
    pub action: A,
    /// Its [`MoveCode::code`].
    pub code: u64,
    /// How likely it is before anything is learned, relative to the others;
    /// above 0, and 1 where nothing is known.
    pub prior: f32,
}

/// Which moves learned simulations choose from, such as all but those of a
/// tabu colour.
pub trait Candidates<G: MoveCode>: Clone + Send {
    /// In how many ways simulations from a position can be restricted, such as
    /// the colours that may be tabu; at least 1.
    fn ways(&self, _: &G) -> u32 {
        1
    }

    /// Prepares for simulations from a position in one of the
    /// [`ways`](Candidates::ways), counted from 0, the most promising first.
    fn start(&mut self, position: &G, way: u32);

    /// Adds the candidates of a position reached after that many moves to an
    /// empty list: at least one unless the game is over, in a fixed order.
    fn list(&mut self, position: &G, moves: usize, out: &mut Vec<Candidate<G::Action>>);
}

/// A game of one player in which every move pays -1, for searches that prove
/// how many moves it takes to reach the end. Every position that can follow from
/// one start has a name of one word, so that a great many fit in memory and are
/// told apart exactly.
pub trait Descent: SoloPuzzle {
    /// What is needed to name the positions that descend from one start.
    type Origin: Send + Sync;
    /// A move in the form that is cheapest to work with.
    type Step: Copy + Send + Sync;

    /// The start of everything that descends from this position. What is kept to prune
    /// by should take no more than these bytes, apart from a small amount.
    fn origin(&self, memory: usize) -> Self::Origin;

    /// The name of the start itself.
    fn first(origin: &Self::Origin) -> u64;

    /// The position of a name.
    fn recall(origin: &Self::Origin, name: u64) -> Self;

    /// Calls `f` with moves, the positions they lead to, the names of these and the
    /// moves covered there; `name` is the position's own. Two names of one origin are
    /// equal exactly when their positions are, or are images of each other under a
    /// symmetry of the start; a name recalls one of them, and what is covered is said
    /// of that one.
    ///
    /// Moves that cannot begin a line of at most `moves` moves to the end may be left
    /// out, and so may others, as long as one that begins a shortest line remains
    /// where there is a line of at most `moves`.
    ///
    /// `covered` is a set of moves that other lines to the same end make up for, in a
    /// form of the game's own: 0 if there are none, as at the start. Where several
    /// lines lead to one position, what they all cover is covered: the `&` of the sets.
    fn descend(
        &self,
        origin: &Self::Origin,
        name: u64,
        moves: u32,
        covered: u64,
        f: impl FnMut(Self::Step, Self, u64, u64),
    );

    /// The action that a move is.
    fn action(&self, step: Self::Step) -> Self::Action;

    /// A line that can be played from the start, made from one whose actions are each
    /// given for the position that a name recalls.
    fn retrace(_: &Self::Origin, line: Vec<Self::Action>) -> Vec<Self::Action> {
        line
    }

    /// A number of moves that no line from here to the end can go below; 0 at the end.
    fn fewest_moves(&self) -> u32;
}
