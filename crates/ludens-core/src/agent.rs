//! Players: what they are given, what they choose and what they thought of it.

use crate::{Abs, Branch, Context, Game, Rng};

/// Something that chooses moves in a game.
pub trait Agent<G: Game>: Send {
    /// Chooses a legal action in a position that is not over.
    fn choose(&mut self, position: &G, context: &mut Context<'_, G>) -> Choice<G::Action>;

    /// Chooses for each of many positions of different games. Overridden where looking at them
    /// together is faster.
    fn choose_all(&mut self, batch: &mut Batch<'_, G>, context: &mut Context<'_, G>) {
        choose_each(self, batch, context);
    }

    /// Observes every move of the game, its own and others', so that what was
    /// thought of the position after it can be kept.
    fn observe(&mut self, _before: &G, _action: G::Action, _position: &G) {}

    /// The tree behind the last choice where the agent grew one, cut down to its `most` most
    /// visited nodes: the ways on from the position.
    fn tree(&self, _most: usize) -> Vec<Branch<G>> {
        Vec::new()
    }

    /// Forgets the game that it was in: the next position belongs to another.
    fn reset(&mut self) {}
}

impl<G: Game, A: Agent<G> + ?Sized> Agent<G> for Box<A> {
    fn choose(&mut self, position: &G, context: &mut Context<'_, G>) -> Choice<G::Action> {
        (**self).choose(position, context)
    }

    fn choose_all(&mut self, batch: &mut Batch<'_, G>, context: &mut Context<'_, G>) {
        (**self).choose_all(batch, context);
    }

    fn observe(&mut self, before: &G, action: G::Action, position: &G) {
        (**self).observe(before, action, position);
    }

    fn tree(&self, most: usize) -> Vec<Branch<G>> {
        (**self).tree(most)
    }

    fn reset(&mut self) {
        (**self).reset();
    }
}

/// Positions of different games to choose for at once.
pub struct Batch<'a, G: Game> {
    /// The positions, none of them over.
    pub positions: &'a [G],
    /// The randomness of each.
    pub rngs: &'a mut [Rng],
    /// The choices are appended to these.
    pub actions: &'a mut Vec<G::Action>,
}

/// Chooses for one position after another: [`Agent::choose_all`] of agents that gain nothing, or not
/// always, by looking at them together.
pub fn choose_each<G: Game>(
    agent: &mut (impl Agent<G> + ?Sized),
    batch: &mut Batch<'_, G>,
    context: &mut Context<'_, G>,
) {
    for (position, rng) in batch.positions.iter().zip(&mut *batch.rngs) {
        std::mem::swap(&mut context.rng, rng);
        batch.actions.push(agent.choose(position, context).action);
        std::mem::swap(&mut context.rng, rng);
    }
}

/// A chosen move and what is known about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice<A> {
    /// The move.
    pub action: A,
    /// The value of the position for the player to move: between -1 (lost) and 1
    /// (won) in games with winners, the points still to come elsewhere.
    pub value: Option<f64>,
    /// What was thought of the moves, the best first; may be empty.
    pub moves: Vec<Considered<A>>,
    /// The play that is expected, beginning with `action`; may be empty.
    pub line: Vec<A>,
    /// Positions looked at.
    pub nodes: u64,
    /// How many moves it looked ahead; 0 if that means nothing.
    pub depth: u32,
    /// Whether `value` is proven to be that of best play. Not every agent that proves says so.
    pub proven: bool,
    /// What the bounds of `moves` count, such as discs; `None` where there are no bounds.
    pub unit: Option<&'static str>,
}

impl<A> Choice<A> {
    /// A move without thoughts.
    ///
    /// ```
    /// use ludens_core::Choice;
    /// assert_eq!(Choice::bare(3).action, 3);
    /// ```
    pub fn bare(action: A) -> Self {
        let (moves, line) = (Vec::new(), Vec::new());
        Choice { action, value: None, moves, line, nodes: 0, depth: 0, proven: false, unit: None }
    }
}

/// What an agent thought of one move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Considered<A> {
    /// The move.
    pub action: A,
    /// Its value for the mover, on the scale of [`Choice::value`].
    pub value: Option<f64>,
    /// How often a tree search tried it.
    pub visits: Option<u64>,
    /// How likely a policy thought it before the search.
    pub prior: Option<f32>,
    /// Between which values the true one lies by proof, in [`Choice::unit`]; equal where it is
    /// exact.
    pub bounds: Option<(i32, i32)>,
}

impl<A> Considered<A> {
    /// A move of which nothing is known.
    ///
    /// ```
    /// use ludens_core::Considered;
    /// assert_eq!(Considered::bare(3).value, None);
    /// ```
    pub fn bare(action: A) -> Self {
        Considered { action, value: None, visits: None, prior: None, bounds: None }
    }
}

impl<A: Copy> Considered<A> {
    /// The moves of a position by how likely they are thought, likeliest first and equals in the
    /// game's order; `priors` are in that order, or none.
    pub fn by_priors<G: Game<Action = A>>(position: &G, priors: &[f32]) -> Vec<Self> {
        let considered = |(index, action)| {
            let prior = priors.get(index).copied();
            Considered { prior, ..Considered::bare(action) }
        };
        let mut moves: Vec<_> = position.actions().enumerate().map(considered).collect();
        moves.sort_by(|a, b| b.prior.unwrap_or(0.0).total_cmp(&a.prior.unwrap_or(0.0)));
        moves
    }
}

/// Chooses uniformly among the legal actions.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomAgent;

impl<G: Game> Agent<G> for RandomAgent {
    fn choose(&mut self, position: &G, context: &mut Context<'_, G>) -> Choice<G::Action> {
        let step = position.step(&mut context.rng);
        Choice::bare(step.expect("an agent is asked only while the game goes on").0)
    }
}

/// Chooses the move that pays the mover most at once; among equals, any.
#[derive(Clone, Copy, Debug, Default)]
pub struct GreedyAgent;

impl<G: Game> Agent<G> for GreedyAgent {
    fn choose(&mut self, position: &G, context: &mut Context<'_, G>) -> Choice<G::Action> {
        let player = position.to_move();
        let (mut best, mut equals, mut chosen) = (i32::MIN, 0, None);
        let mut moves = Vec::new();
        position.children(|action, _, reward| {
            let paid = Abs(reward).pov(player).0;
            if paid > best {
                (best, equals) = (paid, 0);
            }
            if paid == best {
                equals += 1;
                if context.rng.below(equals) == 0 {
                    chosen = Some(action);
                }
            }
            let value = Some(f64::from(paid));
            moves.push(Considered { value, ..Considered::bare(action) });
        });
        moves.sort_by(|a, b| b.value.partial_cmp(&a.value).expect("rewards are numbers"));
        let action = chosen.expect("an agent is asked only while the game goes on");
        let nodes = moves.len() as u64;
        Choice { value: Some(f64::from(best)), moves, nodes, depth: 1, ..Choice::bare(action) }
    }
}
