//! What an agent thinks of a position, in the game's notation.

use std::sync::atomic::AtomicBool;

use ludens_core::{Agent, Branch, Budget, Choice, Considered, Context, Notation, Rng, Way};

use crate::Legal;

/// What an agent is asked with.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// What it may spend, besides its own limits.
    pub budget: Budget,
    /// How many threads it may use.
    pub threads: usize,
    /// How many bytes its table, and besides its tree, may take.
    pub memory: usize,
    /// Cancels it.
    pub stop: &'a AtomicBool,
    /// How many nodes of its tree are wanted.
    pub tree: usize,
}

impl Default for Question<'_> {
    /// No limits besides the agent's own, one thread, nobody to cancel it.
    fn default() -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        let budget = Budget::default();
        Question { budget, threads: 1, memory: usize::MAX, stop: &NEVER, tree: 0 }
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
    /// See [`Choice::proven`].
    pub proven: bool,
    /// The most visited part of its tree, where it was asked for and there is one.
    pub tree: Vec<Grown>,
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

/// A node of an agent's tree; see [`ludens_core::Branch`].
#[derive(Clone, PartialEq, Debug)]
pub struct Grown {
    /// The move that leads here; `None` where nature chose.
    pub action: Option<Legal>,
    /// What nature chose.
    pub chance: Option<String>,
    /// How often the search came by.
    pub visits: u64,
    /// What it is worth to whoever chose the way here, or to the player where nature did.
    pub value: f64,
    /// How likely the way was thought, or is.
    pub prior: Option<f32>,
    /// Whether the value is proven.
    pub proven: bool,
    /// The ways on.
    pub children: Vec<Grown>,
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
            proven: choice.proven,
            tree: Vec::new(),
        }
    }
}

/// Where a node of a tree is.
enum Spot<G: Notation> {
    State(G),
    After(G::After),
}

/// Branches of a tree in the game's notation.
fn grown<G: Notation>(spot: &Spot<G>, branches: Vec<Branch<G>>) -> Vec<Grown> {
    let mut out = Vec::with_capacity(branches.len());
    for branch in branches {
        let (action, chance, next) = match (branch.way, spot) {
            (Way::Action(action), Spot::State(here)) => {
                let (after, _) = here.apply(action);
                let next = if G::is_chance(&after) {
                    Spot::After(after)
                } else {
                    Spot::State(settled::<G>(&after))
                };
                (Some(Legal::of(here, action)), None, next)
            }
            (Way::Chance(chance), Spot::After(after)) => {
                let next = Spot::State(G::apply_outcome(after, chance).0);
                (None, Some(G::chance_text(after, chance)), next)
            }
            // A tree that does not follow the rules has nothing to show.
            _ => continue,
        };
        let Branch { visits, value, prior, proven, children, .. } = branch;
        let children = grown(&next, children);
        out.push(Grown { action, chance, visits, value, prior, proven, children });
    }
    out
}

/// The position after a move that leaves nature no choice.
fn settled<G: Notation>(after: &G::After) -> G {
    // The only outcome there is, so any generator draws it.
    let chance = G::sample(after, &mut Rng::new(0));
    G::apply_outcome(after, chance).0
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
        here = settled(&after);
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
    let Question { budget, threads, memory, stop, tree } = *question;
    let mut context = Context::for_agent(budget, rng, threads, stop, &mut forward);
    context.memory = memory;
    let opinion = Opinion::of(position, &agent.choose(position, &mut context));
    let branches = if tree > 0 { agent.tree(tree) } else { Vec::new() };
    Opinion { tree: grown(&Spot::State(*position), branches), ..opinion }
}
