//! What an agent finds out about a position, in the game's notation.

use ludens_core::{Agent, Branch, Choice, Considered, Context, Notation, Rng, TreeNode, Way};

use super::report::{Analysis, Details, MoveAnalysis, NamedWay, Report, Step};
use super::request::Search;
use crate::Legal;

/// Lets an agent search a position that is not over; the callback gets what it would play before
/// it has decided.
pub(crate) fn analyze<G: Notation>(
    agent: &mut dyn Agent<G>,
    position: &G,
    rng: Rng,
    search: &mut Search<'_>,
) -> Analysis {
    let (request, name, start) = (search.request, search.method, search.start);
    let analysis = |choice: &Choice<G::Action>| Analysis {
        method: name.to_owned(),
        by_agent: true,
        time: start.elapsed(),
        ..of_choice(position, choice)
    };
    let mut forward =
        |choice: &Choice<G::Action>| (search.callback)(Report::Choice(analysis(choice)));
    let mut context =
        Context::for_agent(request.budget, rng, request.threads, search.stop, &mut forward);
    context.memory = request.memory;
    let chosen = analysis(&agent.choose(position, &mut context));
    let branches = if request.tree > 0 { agent.tree(request.tree) } else { Vec::new() };
    Analysis { tree: tree(&Node::State(*position), branches), ..chosen }
}

/// An agent's choice in a position.
fn of_choice<G: Notation>(position: &G, choice: &Choice<G::Action>) -> Analysis {
    let considered = |one: &Considered<G::Action>| MoveAnalysis {
        action: Legal::of(position, one.action),
        value: one.value,
        bounds: one.bounds,
        visits: one.visits,
        prior: one.prior,
    };
    Analysis {
        best: Some(Legal::of(position, choice.action)),
        value: choice.value,
        proven: choice.proven,
        moves: choice.moves.iter().map(considered).collect(),
        line: line(position, &choice.line),
        nodes: choice.nodes,
        depth: choice.depth,
        details: choice.unit.map_or(Details::None, |unit| Details::Bounds { unit }),
        ..Analysis::default()
    }
}

/// Where a node of a tree is.
enum Node<G: Notation> {
    State(G),
    After(G::After),
}

/// Branches of a tree in the game's notation.
fn tree<G: Notation>(node: &Node<G>, branches: Vec<Branch<G>>) -> Vec<TreeNode<NamedWay>> {
    let mut out = Vec::with_capacity(branches.len());
    for branch in branches {
        let (way, next) = match (branch.way, node) {
            (Way::Action(action), Node::State(here)) => {
                let (after, _) = here.apply(action);
                let next = if G::is_chance(&after) {
                    Node::After(after)
                } else {
                    Node::State(only_outcome::<G>(&after))
                };
                (NamedWay::Action(Legal::of(here, action)), next)
            }
            (Way::Chance(chance), Node::After(after)) => {
                let next = Node::State(G::apply_outcome(after, chance).0);
                (NamedWay::Chance(G::chance_text(after, chance)), next)
            }
            // A tree that does not follow the rules has nothing to show.
            _ => continue,
        };
        let Branch { visits, value, prior, score, evaluation, share, proven, children, .. } =
            branch;
        let children = tree(&next, children);
        out.push(TreeNode {
            way,
            visits,
            value,
            prior,
            score,
            evaluation,
            share,
            proven,
            children,
        });
    }
    out
}

/// The position after a move that leaves chance no choice.
fn only_outcome<G: Notation>(after: &G::After) -> G {
    // The only outcome there is, so any generator draws it.
    let chance = G::sample(after, &mut Rng::new(0));
    G::apply_outcome(after, chance).0
}

/// The moves of a line as text, up to the first after which chance has a choice.
fn line<G: Notation>(start: &G, actions: &[G::Action]) -> Vec<Step> {
    let (mut here, mut steps) = (*start, Vec::new());
    for &action in actions {
        if !here.is_legal(action) {
            break;
        }
        steps.push(Step { action: here.action_text(action), chance: None });
        let (after, _) = here.apply(action);
        if G::is_chance(&after) {
            break;
        }
        here = only_outcome(&after);
    }
    steps
}
