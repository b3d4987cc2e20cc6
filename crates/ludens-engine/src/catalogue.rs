//! The games there are. Adding one is one line in [`visit_all`].

use ludens_core::error::quote;
use ludens_core::{Adversarial, CellAdversary, Notation, Params, ParseError, Variant};
use ludens_games::framework::FrameworkGame;
use ludens_games::{
    ConnectFour, Former, Game2048, Game2584, Morpion, Othello, SameGame, Sevn, Threes, Togyzkumalak,
};
use ludens_nn::{ConnectFourCells, OthelloCells, OthelloProbs, TogyzkumalakPits};

use crate::analysis::prover;
use crate::form::{Form, GameInfo, Registered};
use crate::handle::{GameHandle, Handle};
use crate::puzzle::{Kind, OnlyMove, PuzzleMaker, only_move, par};
use crate::sliding::Sliding;
use crate::{Objective, former, levels, nets, neural, sliding};

/// The parameter that chooses a two-player form of a sliding game.
pub(crate) const ADVERSARY: &str = "adversary";

/// Something to do with every registered game as its concrete type.
pub trait Visitor {
    /// Called for each form of each game.
    fn visit<G: Registered>(&mut self, form: Form<G>);
}

/// Calls the visitor with every registered game, in the order they are listed.
pub fn visit_all(visitor: &mut impl Visitor) {
    visitor.visit::<Former>(
        Form::new(
            "Former",
            "Clear the board in as few moves as you can.",
            &["", "rows=5,cols=5,shapes=3", "rows=8,cols=8,shapes=8"],
        )
        .with_objective(Objective::FewestMoves)
        .with_agents(nets::agents)
        .with_solvers()
        .with_generators(former::GENERATORS),
    );
    visitor.visit::<SameGame>(
        Form::new(
            "SameGame",
            "Remove large groups for points, and clear the board.",
            &[
                "",
                "penalty=colour",
                "rows=6,cols=7,colours=3,penalty=all",
                "rows=11,cols=12,scoring=bubble",
                "rows=10,cols=16,colours=4,scoring=clickomania",
            ],
        )
        .with_solvers()
        .with_puzzle(PuzzleMaker {
            kind: Kind::Par,
            make: |form, seed| par(form, "beam", 40_000, seed),
        }),
    );
    visitor.visit::<Morpion>(
        Form::new(
            "Morpion Solitaire",
            "Add points that complete lines of five, as many as you can.",
            &["", "variant=5T"],
        )
        .with_fixed_start()
        .with_solvers(),
    );
    visit_2048_family(visitor);
    visitor.visit::<Sevn>(
        Form::duel(
            "Sevn",
            "Take tiles from the corners; own more colours, or all tiles of one.",
            &["", "base=3", "base=5", "base=11"],
        )
        .with_agents(neural::sevn_agents)
        .with_puzzle(PuzzleMaker {
            kind: Kind::OnlyMove,
            make: |_, seed| {
                only_move(&OnlyMove { prover: &prover::SEVN, back: 8..=14, nodes: 60_000 }, seed)
            },
        }),
    );
    visitor.visit::<ConnectFour>(
        Form::duel("Connect Four", "Drop stones; four in a line win.", &[""])
            .with_fixed_start()
            .with_agents(|| {
                neural::agents::<ConnectFour, ConnectFourCells>(
                    &levels::CONNECT_FOUR,
                    &prover::CONNECT_FOUR,
                )
            })
            .with_perfect_play()
            .with_prover(&["perfect"], || prover::entries(&prover::CONNECT_FOUR))
            .with_puzzle(PuzzleMaker {
                kind: Kind::OnlyMove,
                make: |_, seed| {
                    only_move(
                        &OnlyMove { prover: &prover::CONNECT_FOUR, back: 8..=19, nodes: 60_000 },
                        seed,
                    )
                },
            }),
    );
    visitor.visit::<Othello>(
        Form::duel("Othello", "Turn your opponent's discs; more discs win.", &[""])
            .with_fixed_start()
            .with_agents(|| {
                neural::agents_with::<Othello, OthelloCells, OthelloProbs>(
                    &levels::OTHELLO,
                    &prover::OTHELLO,
                )
            })
            .with_prover(&["endgame"], || prover::entries(&prover::OTHELLO))
            .with_puzzle(PuzzleMaker {
                kind: Kind::OnlyMove,
                make: |_, seed| {
                    only_move(
                        &OnlyMove { prover: &prover::OTHELLO, back: 7..=12, nodes: 60_000 },
                        seed,
                    )
                },
            }),
    );
    visitor.visit::<Togyzkumalak>(
        Form::duel("Togyzkumalak", "Sow balls around the board; collect more than half.", &[""])
            .with_fixed_start()
            .with_agents(|| {
                neural::agents::<Togyzkumalak, TogyzkumalakPits>(
                    &levels::TOGYZKUMALAK,
                    &prover::TOGYZKUMALAK,
                )
            })
            .with_puzzle(PuzzleMaker {
                kind: Kind::OnlyMove,
                make: |_, seed| {
                    only_move(
                        &OnlyMove { prover: &prover::TOGYZKUMALAK, back: 4..=9, nodes: 60_000 },
                        seed,
                    )
                },
            }),
    );
}

/// The sliding games, each with its two-player forms.
fn visit_2048_family(visitor: &mut impl Visitor) {
    const CELL: &str = "Player two puts the tile that was drawn on a cell of its choice.";
    const TILE: &str = "Player two chooses the tile and its cell.";
    const SMALL: &[&str] = &["", "board=2x3"];
    const SPAWNS: &[&str] = &["", "spawn=1,3", "board=2x3"];
    const FORMS: &[&str] = &["", "bag=3,bonus=off,spawn=side", "bonus=capped", "board=2x3"];

    visitor.visit::<Game2048>(
        Form::new("2048", "Slide equal tiles together.", SMALL)
            .with_agents(sliding::solo::<Game2048>)
            .with_solver_set(sliding::solvers::<Game2048>())
            .with_usual(&["perfect", "ntuple", "expectimax"], &[]),
    );
    visitor.visit::<CellAdversary<Game2048>>(
        Form::new("2048 for two", CELL, SMALL)
            .selected_by(ADVERSARY, "cell")
            .with_agents(sliding::cell::<Game2048>)
            .with_usual(&["expectiminimax:pruning=on"], &["expectiminimax:pruning=on"]),
    );
    visitor.visit::<Adversarial<Game2048>>(
        Form::new("2048 for two", TILE, SMALL)
            .selected_by(ADVERSARY, "tile")
            .with_agents(sliding::tile::<Game2048>)
            .with_usual(&["minimax:pruning=on"], &["minimax:pruning=on"]),
    );
    visitor.visit::<Game2584>(
        Form::new("2584", "Slide Fibonacci neighbours together.", SPAWNS)
            .with_agents(sliding::solo::<Game2584>)
            .with_solver_set(sliding::solvers::<Game2584>())
            .with_usual(&["perfect", "ntuple", "expectimax"], &[]),
    );
    visitor.visit::<CellAdversary<Game2584>>(
        Form::new("2584 for two", CELL, SPAWNS)
            .selected_by(ADVERSARY, "cell")
            .with_agents(sliding::cell::<Game2584>)
            .with_usual(&["expectiminimax:pruning=on"], &["expectiminimax:pruning=on"]),
    );
    visitor.visit::<Adversarial<Game2584>>(
        Form::new("2584 for two", TILE, SPAWNS)
            .selected_by(ADVERSARY, "tile")
            .with_agents(sliding::tile::<Game2584>)
            .with_usual(&["minimax:pruning=on"], &["minimax:pruning=on"]),
    );
    visitor.visit::<Threes>(
        Form::new("Threes!", "Slide by one; join 1 and 2, then equals.", FORMS)
            .with_agents(sliding::solo::<Threes>)
            .with_solver_set(sliding::solvers::<Threes>())
            .with_usual(&["perfect", "ntuple", "expectimax"], &[]),
    );
    visitor.visit::<CellAdversary<Threes>>(
        Form::new("Threes! for two", CELL, FORMS)
            .selected_by(ADVERSARY, "cell")
            .with_agents(sliding::cell::<Threes>)
            .with_usual(&["expectiminimax:pruning=on"], &["expectiminimax:pruning=on"]),
    );
    visitor.visit::<Adversarial<Threes>>(
        Form::new("Threes! for two", "Player two chooses tile, cell and next hint.", FORMS)
            .selected_by(ADVERSARY, "tile")
            .with_agents(sliding::tile::<Threes>)
            .with_usual(&["minimax:pruning=on"], &["minimax:pruning=on"]),
    );
}

/// Something to do with one of the sliding games as its concrete type.
pub trait TileVisitor {
    /// What comes of it.
    type Output;

    /// Called for the game that was named.
    fn visit<G: Sliding + FrameworkGame>(self) -> Self::Output;
}

/// Calls the visitor with the sliding game of a name such as `2048` or `2048:board=2x3`.
///
/// # Errors
/// When the game is another one.
pub fn visit_tiles<V: TileVisitor>(game: &str, visitor: V) -> Result<V::Output, ParseError> {
    match game.split(':').next().unwrap_or_default() {
        Game2048::NAME => Ok(visitor.visit::<Game2048>()),
        Game2584::NAME => Ok(visitor.visit::<Game2584>()),
        Threes::NAME => Ok(visitor.visit::<Threes>()),
        other => Err(ParseError::new("game", quote(other), "one of tiles: 2048, 2584 or threes")),
    }
}

/// How all games are listed.
pub fn games() -> Vec<GameInfo> {
    struct List(Vec<GameInfo>);
    impl Visitor for List {
        fn visit<G: Registered>(&mut self, form: Form<G>) {
            self.0.push(*form.info());
        }
    }
    let mut list = List(Vec::new());
    visit_all(&mut list);
    list.0
}

/// What a game's parameters are called today that `spec` calls by older names, in words.
///
/// ```
/// assert_eq!(ludens_engine::old_names("threes:place=side"), ["place is now spawn"]);
/// assert!(ludens_engine::old_names("threes:spawn=side").is_empty());
/// ```
pub fn old_names(spec: &str) -> Vec<String> {
    let Ok((name, params)) = Params::split(spec) else { return Vec::new() };
    let named = games().into_iter().find(|info| info.name == name);
    let parameters = named.map_or(&[][..], |info| info.parameters).iter();
    let old = parameters.filter_map(|p| Some((p.old_name()?, p.name)));
    let old = old.filter(|(old, _)| params.iter().any(|(key, _)| key == *old));
    old.map(|(old, name)| format!("{old} is now {name}")).collect()
}

/// The game of a name such as `connect-four` or `sevn:base=5`.
///
/// # Errors
/// When there is no such game, or it has no such variant.
pub fn game(spec: &str) -> Result<Box<dyn GameHandle>, ParseError> {
    let (name, mut params) = Params::split(spec)?;
    let (named, others): (Vec<GameInfo>, Vec<GameInfo>) =
        games().into_iter().partition(|info| info.name == name);
    if named.is_empty() {
        let mut names: Vec<&str> = others.iter().map(|info| info.name).collect();
        names.dedup();
        let expected = format!("one of: {}", names.join(", "));
        return Err(ParseError::new("game", quote(name), expected));
    }
    let selector = take_selector(&named, &mut params)?;
    let mut open = Open { name, selector, params, opened: None };
    visit_all(&mut open);
    open.opened.expect("the form that was selected is among those visited")
}

/// Takes out the parameter that chooses among the forms of one game. All forms
/// of a game are chosen by the same key; without it, or with `none`, it is the plain form.
fn take_selector(
    forms: &[GameInfo],
    params: &mut Params,
) -> Result<Option<(&'static str, &'static str)>, ParseError> {
    let Some((key, _)) = forms.iter().find_map(|form| form.selector) else { return Ok(None) };
    match params.take(key).as_deref() {
        None | Some("none") => Ok(None),
        Some(text) => {
            let values: Vec<&str> =
                forms.iter().map(|form| form.selector.map_or("none", |(_, value)| value)).collect();
            let form = forms.iter().find(|form| form.selector.is_some_and(|(_, v)| v == text));
            form.map(|form| form.selector).ok_or_else(|| {
                ParseError::new(format!("parameter {key}"), quote(text), values.join(" | "))
            })
        }
    }
}

struct Open<'a> {
    name: &'a str,
    selector: Option<(&'static str, &'static str)>,
    params: Params,
    opened: Option<Result<Box<dyn GameHandle>, ParseError>>,
}

impl Visitor for Open<'_> {
    fn visit<G: Registered>(&mut self, form: Form<G>) {
        if form.info.name == self.name && form.info.selector == self.selector {
            let variant = form.variant(self.params.clone());
            let handle = |variant| Box::new(Handle { form, variant }) as Box<dyn GameHandle>;
            self.opened = Some(variant.map(handle));
        }
    }
}

/// The variant of a text such as `2048:board=2x3` of one known game.
///
/// # Errors
/// When it is another game, or has no such variant.
pub fn variant_of<G: Notation>(text: &str) -> Result<G::Variant, ParseError> {
    let (name, mut params) = Params::split(text)?;
    if name != G::NAME {
        return Err(ParseError::new("game", quote(name), G::NAME));
    }
    let variant = G::Variant::read(&mut params)?;
    let known: Vec<&str> = G::Variant::PARAMETERS.iter().map(|p| p.name).collect();
    params.finish(&known)?;
    Ok(variant)
}
