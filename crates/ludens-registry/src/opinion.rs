//! What an agent thinks of a position, in the game's notation.

use std::sync::atomic::AtomicBool;

use ludens_core::{Agent, Branch, Budget, Choice, Considered, Notation, Outcome, Rng, Thinking};

use crate::Legal;

/// What an agent is asked with.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// What it may spend, besides its own limits.
    pub budget: Budget,
    /// How many threads it may use.
    pub threads: usize,
    /// Cancels it.
    pub stop: &'a AtomicBool,
}

impl Default for Question<'_> {
    /// No limits besides the agent's own, one thread, nobody to cancel it.
    fn default() -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Question { budget: Budget::default(), threads: 1, stop: &NEVER }
    }
}

/// What an agent would play and what it thinks of the moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Opinion {
    /// The move.
    pub action: Legal,
    /// See [`Choice::value`].
    pub value: Option<f64>,
    /// What it thought of the moves, the best first.
    pub moves: Vec<ConsideredMove>,
    /// The play that it expects, as far as no luck comes between.
    pub line: Vec<String>,
    /// Positions looked at.
    pub nodes: u64,
    /// How many moves it looked ahead.
    pub depth: u32,
}

/// What an agent thought of one move; see [`ludens_core::Considered`].
#[derive(Clone, PartialEq, Debug)]
pub struct ConsideredMove {
    /// The move.
    pub action: Legal,
    /// What it is worth to the mover.
    pub value: Option<f64>,
    /// How often a tree search tried it.
    pub visits: Option<u64>,
    /// How likely a policy thought it.
    pub prior: Option<f32>,
}

/// A move in a search tree; see [`ludens_core::Branch`].
#[derive(Clone, PartialEq, Debug)]
pub struct BranchMove {
    /// The move, and what was thought of it.
    pub considered: ConsideredMove,
    /// How the game ends after it, if that is proven.
    pub proven: Option<Outcome>,
    /// What follows, the most tried first.
    pub branches: Vec<BranchMove>,
}

impl BranchMove {
    /// The branches of a position.
    pub(crate) fn all<G: Notation>(position: &G, branches: &[Branch<G::Action>]) -> Vec<Self> {
        let one = |branch: &Branch<G::Action>| {
            let (after, _) = position.apply(branch.considered.action);
            // Trees grow in games without luck: any generator draws the one outcome.
            let chance = G::sample(&after, &mut Rng::new(0));
            let next = G::settle(&after, chance).0;
            BranchMove {
                considered: ConsideredMove::of(position, &branch.considered),
                proven: branch.proven,
                branches: BranchMove::all(&next, &branch.branches),
            }
        };
        branches.iter().map(one).collect()
    }
}

/// Who hears what an agent would play while it thinks.
pub type OpinionSink<'a> = &'a mut (dyn FnMut(Opinion) + Send);

impl ConsideredMove {
    fn of<G: Notation>(position: &G, considered: &Considered<G::Action>) -> Self {
        ConsideredMove {
            action: Legal::of(position, considered.action),
            value: considered.value,
            visits: considered.visits,
            prior: considered.prior,
        }
    }
}

impl Opinion {
    /// An agent's choice in a position.
    pub(crate) fn of<G: Notation>(position: &G, choice: &Choice<G::Action>) -> Self {
        let considered = choice.moves.iter().map(|one| ConsideredMove::of(position, one));
        Opinion {
            action: Legal::of(position, choice.action),
            value: choice.value,
            moves: considered.collect(),
            line: line(position, &choice.line),
            nodes: choice.nodes,
            depth: choice.depth,
        }
    }
}

/// The moves of a line as text, up to the first after which nature has a choice.
fn line<G: Notation>(start: &G, actions: &[G::Action]) -> Vec<String> {
    let (mut here, mut texts) = (*start, Vec::new());
    for &action in actions {
        if !here.is_legal(action) {
            break;
        }
        texts.push(here.action_text(action));
        let (after, _) = here.apply(action);
        if G::is_chance(&after) {
            break;
        }
        // The only outcome there is, so any generator draws it.
        let chance = G::sample(&after, &mut Rng::new(0));
        here = G::settle(&after, chance).0;
    }
    texts
}

/// Lets an agent think about a position that is not over; `sink` hears what it would
/// play before it has decided.
pub(crate) fn ask<G: Notation>(
    agent: &mut dyn Agent<G>,
    position: &G,
    rng: Rng,
    question: &Question<'_>,
    sink: OpinionSink<'_>,
) -> Opinion {
    let mut forward = |choice: &Choice<G::Action>| sink(Opinion::of(position, choice));
    let Question { budget, threads, stop } = *question;
    let mut thinking = Thinking::new(budget, rng, threads, stop, &mut forward);
    Opinion::of(position, &agent.choose(position, &mut thinking))
}
