//! A table as a page needs it: what it looks like, what can be done, what was done.

use ludens_core::{Control, Fact, Ink, Movement, Place, Player, View};
use serde_json::{Value, json};

use crate::{Legal, Played, Table, Turn, json as fields};

/// A table: game, position, drawing, legal moves with their cells, and the moves
/// since its start. `trail` has the positions that the last of them led to; how the pieces moved is
/// told of the same ones.
pub fn sheet(table: &dyn Table, start: &str, trail: &[String]) -> Value {
    let to_move = match table.turn() {
        Turn::Move(who) => json!(number(who)),
        Turn::Over => Value::Null,
    };
    let untold = table.history().len() - trail.len();
    let played = |(i, played): (usize, &Played)| {
        let position = i.checked_sub(untold).and_then(|i| trail.get(i));
        let motion = position.map(|_| table.motion(i).iter().map(movement).collect::<Value>());
        json!({
            "player": number(played.player),
            "action": played.action.text,
            "cells": played.action.cells,
            "chance": played.chance,
            "reward": played.reward,
            "position": position,
            "motion": motion,
        })
    };
    json!({
        "game": table.spec(),
        "players": table.players(),
        "objective": table.objective().name(),
        "fewest_moves": table.objective().is_fewest_moves(),
        "start": start,
        "position": table.position(),
        "to_move": to_move,
        "over": to_move.is_null(),
        "winner": fields::outcome(table.outcome()),
        "total": table.total(),
        "view": view(&table.view()),
        "winning": table.winning_cells(),
        "actions": table.actions().iter().map(legal).collect::<Value>(),
        "played": table.history().iter().enumerate().map(played).collect::<Value>(),
    })
}

fn number(player: Player) -> usize {
    player.index() + 1
}

fn legal(legal: &Legal) -> Value {
    json!({"text": legal.text, "cells": legal.cells, "reward": legal.reward})
}

fn movement(movement: &Movement) -> Value {
    let place = |place: Place| match place {
        Place::Cell(cell) => json!(cell),
        Place::Store(fact) => json!(fact),
        Place::Off => Value::Null,
    };
    json!({
        "from": place(movement.from),
        "to": place(movement.to),
        "order": movement.order,
        "kind": movement.kind.name(),
    })
}

/// A drawing: cells with text and colour by name, labels, facts, and how to move.
pub fn view(view: &View) -> Value {
    let fact = |fact: &Fact| match fact {
        Fact::Number(name, value) => json!({"name": name, "value": value}),
        Fact::Text(name, value) => json!({"name": name, "value": value}),
    };
    let cell = |cell: &ludens_core::Cell| json!({"text": cell.text, "ink": ink(cell.ink)});
    json!({
        "rows": view.rows,
        "cols": view.cols,
        "cells": view.cells.iter().map(cell).collect::<Value>(),
        "row_labels": view.row_labels,
        "col_labels": view.col_labels,
        "facts": view.facts.iter().map(fact).collect::<Value>(),
        "control": control(view.control),
    })
}

fn control(control: Control) -> &'static str {
    match control {
        Control::Point => "point",
        Control::Pick => "pick",
        Control::Slide => "slide",
        Control::Name => "name",
    }
}

fn ink(ink: Ink) -> &'static str {
    match ink {
        Ink::Plain => "plain",
        Ink::Dim => "dim",
        Ink::Red => "red",
        Ink::Orange => "orange",
        Ink::Yellow => "yellow",
        Ink::Green => "green",
        Ink::Cyan => "cyan",
        Ink::Blue => "blue",
        Ink::Purple => "purple",
        Ink::Pink => "pink",
        Ink::Brown => "brown",
        Ink::Grey => "grey",
        Ink::Strong => "strong",
    }
}
