//! Positions, games and moves as JSON with stable field names.

use ludens_core::{Fact, GameResult, Player, SearchStatistics};
use serde_json::{Map, Value, json};

use crate::parameters::listed as parameters;
use crate::{
    AgentInfo, ConsideredMove, GameInfo, Grown, Legal, Opinion, Played, SolveProgress, Solved,
    SolverInfo, Table, Turn, former,
};

/// A player as 1 or 2.
fn player(player: Player) -> Value {
    json!(player.index() + 1)
}

/// A move: `[c,r]` in games with such moves, its text otherwise.
pub fn action(legal: &Legal) -> Value {
    match legal.pair {
        Some(pair) => json!(pair),
        None => json!(legal.text),
    }
}

/// A move that was played: player, action, outcome and reward.
pub fn played(played: &Played) -> Value {
    json!({
        "player": player(played.player),
        "action": action(&played.action),
        "chance": played.chance,
        "reward": played.reward,
    })
}

/// A position: game, text, player to move, legal actions, and the game's own facts.
pub fn position(table: &dyn Table) -> Value {
    let mut fields = Map::new();
    fields.insert("game".into(), json!(table.spec()));
    fields.insert("position".into(), json!(table.position()));
    let (to_move, over) = match table.turn() {
        Turn::Move(who) => (player(who), false),
        Turn::Over => (Value::Null, true),
    };
    fields.insert("to_move".into(), to_move);
    fields.insert("over".into(), json!(over));
    if table.players() == 2 {
        fields.insert("winner".into(), outcome(table.outcome()));
    }
    fields.insert("actions".into(), table.actions().iter().map(action).collect());
    for fact in table.view().facts {
        let (name, value) = match fact {
            Fact::Number(name, value) => (name, json!(value)),
            Fact::Text(name, value) => (name, json!(value)),
        };
        fields.insert(name.into(), value);
    }
    Value::Object(fields)
}

/// 1, 2, 0 for a draw, or null.
pub fn outcome(outcome: Option<GameResult>) -> Value {
    match outcome {
        None => Value::Null,
        Some(GameResult::Draw) => json!(0),
        Some(GameResult::Win(who)) => player(who),
    }
}

/// A game as it is listed.
pub fn game(info: &GameInfo) -> Value {
    json!({
        "name": info.name,
        "form": info.selector.map(|(key, value)| format!("{key}={value}")),
        "title": info.title,
        "about": info.about,
        "players": info.players,
        "parameters": parameters(info.parameters),
    })
}

/// An agent as it is listed.
pub fn agent(info: &AgentInfo) -> Value {
    json!({"name": info.name, "about": info.about, "parameters": parameters(info.parameters)})
}

/// A solver as it is listed.
pub fn solver(info: &SolverInfo) -> Value {
    json!({"name": info.name, "about": info.about, "parameters": parameters(info.parameters)})
}

/// A move that was considered: `action`, `value`, `visits`, `prior`.
fn considered(considered: &ConsideredMove) -> Value {
    json!({
        "action": action(&considered.action),
        "value": considered.value,
        "visits": considered.visits,
        "prior": considered.prior,
    })
}

/// What an agent thinks: `best`, `value`, `considered` (moves with `value`, `visits`, `prior`), `line`, `nodes`, `depth`,
/// `proven`, and the `tree` where it was asked for.
pub fn opinion(opinion: &Opinion) -> Value {
    let mut told = json!({
        "best": action(&opinion.action),
        "value": opinion.value,
        "considered": opinion.moves.iter().map(considered).collect::<Vec<_>>(),
        "line": opinion.line,
        "nodes": opinion.nodes,
        "depth": opinion.depth,
        "proven": opinion.proven,
    });
    if !opinion.tree.is_empty() {
        told["tree"] = tree(&opinion.tree);
    }
    told
}

/// Nodes of a tree: the `action` or `chance` that leads there, `visits`, `value`, `prior`, `proven`, `children`.
fn tree(nodes: &[Grown]) -> Value {
    let node = |node: &Grown| {
        json!({
            "action": node.action.as_ref().map(action),
            "chance": node.chance,
            "visits": node.visits,
            "value": node.value,
            "prior": node.prior,
            "proven": node.proven,
            "children": tree(&node.children),
        })
    };
    nodes.iter().map(node).collect()
}

/// A solved position. Games paid by the move (`fewest_moves`) have a
/// `lower_bound` of their length, games for points a `score` and an `upper_bound`.
pub fn solved(table: &dyn Table, solved: &Solved, seed: u64) -> Value {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| drop(fields.insert(name.into(), value));
    put("game", json!(table.spec()));
    put("position", json!(table.position()));
    put("moves", solved.moves.iter().map(action).collect());
    put("length", json!(solved.moves.len()));
    if fewest_moves(table) {
        put("lower_bound", json!(solved.bound.map(|bound| -bound)));
    } else {
        put("score", json!(solved.value));
        put("upper_bound", json!(solved.bound));
    }
    put("cleared", json!(solved.cleared));
    put("proven", json!(solved.proven));
    put("solver", json!(solved.solver));
    put("time_ms", json!(solved.time.as_millis() as u64));
    put("nodes", json!(solved.nodes));
    put("seed", json!(seed));
    if let Some(statistics) = &solved.statistics {
        put("statistics", self::statistics(statistics));
    }
    Value::Object(fields)
}

/// News from a running search; `moves` are those of a line that is new.
pub fn progress(fewest_moves: bool, progress: &SolveProgress) -> Value {
    let bound = progress.bound.map(|bound| if fewest_moves { -bound } else { bound });
    let improved = progress.improved.as_ref();
    json!({
        "event": "progress",
        "length": improved.map(|solved| solved.moves.len()),
        "value": improved.map(|solved| solved.value),
        "moves": improved.map(|solved| solved.moves.iter().map(action).collect::<Value>()),
        "bound": bound,
        "nodes": progress.nodes,
        "stage": progress.stage,
        "time_ms": progress.time.as_millis() as u64,
    })
}

/// Whether the aim of a game is few moves rather than many points.
pub fn fewest_moves(table: &dyn Table) -> bool {
    former::is_former(&table.spec())
}

/// The statistics of one tree search.
fn statistics(s: &SearchStatistics) -> Value {
    json!({
        "iterations": s.iterations,
        "simulations": s.games,
        "game_length": s.game_length(),
        "tree_nodes": s.nodes,
        "terminal_nodes": s.terminals,
        "average_depth": s.average_depth(),
        "maximum_depth": s.maximum_depth(),
        "hits": s.hits,
        "suboptimal_hits": s.suboptimal,
        "hit_depth": s.hit_depth(),
        "positions": s.states,
        "units": s.units(),
        "nodes_per_depth": s.per_depth,
    })
}
