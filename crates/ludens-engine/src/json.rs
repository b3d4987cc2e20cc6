//! Positions, games and moves as JSON with stable field names.

use ludens_core::{Fact, GameResult, Player, SearchStatistics, TreeNode};
use serde_json::{Map, Value, json};

use crate::analysis::{Analysis, Details, MoveAnalysis, NamedWay, Progress, Step};
use crate::parameters::listed as parameters;
use crate::{AgentInfo, GameInfo, Legal, Level, Objective, Played, SolverInfo, Table, Turn};

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
        "objective": info.objective.name(),
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

/// The levels of play at a table: `level`, `title` and `agent` of each, the weakest first.
pub fn levels(table: &dyn Table) -> Value {
    let level = |one: Level| json!({"level": one.level, "title": one.title, "agent": one.agent});
    table.levels().into_iter().map(level).collect()
}

/// A proven value, or the bounds `[low, high]` of one; null where nothing is proven.
fn score(one: &MoveAnalysis) -> Value {
    one.bounds.map_or(Value::Null, |(low, high)| span(low, high))
}

/// A number, or the bounds `[low, high]` of one.
fn span(low: impl Into<i64>, high: impl Into<i64>) -> Value {
    let (low, high): (i64, i64) = (low.into(), high.into());
    if low == high { json!(low) } else { json!([low, high]) }
}

/// A move that was considered: `action`, `value`, `visits`, `prior`, `score`, `proven`.
fn considered(analysis: &Analysis, considered: &MoveAnalysis) -> Value {
    json!({
        "action": action(&considered.action),
        "value": considered.value,
        "visits": considered.visits,
        "prior": considered.prior,
        "score": score(considered),
        "proven": analysis.proves(considered),
    })
}

/// Nodes of a tree: the `action` or `chance` that leads there, `visits`, `value`, `prior`, `score`,
/// `evaluation`, `share`, `proven`, `children`.
fn tree(nodes: &[TreeNode<NamedWay>]) -> Value {
    let node = |node: &TreeNode<NamedWay>| {
        let (legal, chance) = match &node.way {
            NamedWay::Action(legal) => (Some(action(legal)), None),
            NamedWay::Chance(chance) => (None, Some(chance)),
        };
        json!({
            "action": legal,
            "chance": chance,
            "visits": node.visits,
            "value": node.value,
            "prior": node.prior,
            "score": node.score,
            "evaluation": node.evaluation,
            "share": node.share,
            "proven": node.proven,
            "children": tree(&node.children),
        })
    };
    nodes.iter().map(node).collect()
}

/// What was found out about a position. Every analysis has `game`, `position`, `solver` or `agent`,
/// `objective`, `best`, `value`, `proven`, `nodes`, `time_ms` and `seed`; `docs/analysis.md` lists
/// the others.
pub fn analysis(
    game: &str,
    position: &str,
    objective: Objective,
    seed: u64,
    analysis: &Analysis,
) -> Value {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| drop(fields.insert(name.into(), value));
    let text = match &analysis.details {
        Details::Table(facts) => &facts.text,
        _ => position,
    };
    put("game", json!(game));
    put("position", json!(text));
    put(if analysis.by_agent { "agent" } else { "solver" }, json!(analysis.method));
    put("objective", json!(objective.name()));
    put("best", analysis.best.as_ref().map(action).into());
    put("value", value(analysis));
    put("proven", json!(analysis.proven));
    if analysis.by_agent {
        put("considered", analysis.moves.iter().map(|one| considered(analysis, one)).collect());
    } else if !analysis.moves.is_empty() && !matches!(analysis.details, Details::Costs { .. }) {
        let move_value = |one: &MoveAnalysis| match one.bounds {
            Some(_) => score(one),
            None => json!(one.value),
        };
        let values = analysis.moves.iter().map(|one| (one.action.text.clone(), move_value(one)));
        put("values", Value::Object(values.collect()));
    }
    if analysis.by_agent || !analysis.line.is_empty() {
        put("line", analysis.line.iter().map(step).collect());
    }
    details(objective, analysis, &mut put);
    put("nodes", json!(analysis.nodes));
    if analysis.by_agent || analysis.depth > 0 {
        put("depth", json!(analysis.depth));
    }
    put("time_ms", json!(analysis.time.as_millis() as u64));
    put("seed", json!(seed));
    if !analysis.tree.is_empty() {
        put("tree", tree(&analysis.tree));
    }
    Value::Object(fields)
}

/// The value of a position: whole points and proofs are whole numbers.
fn value(analysis: &Analysis) -> Value {
    match analysis.details {
        Details::Line(_) | Details::Bounds { .. } | Details::Costs { .. } if !analysis.by_agent => {
            json!(analysis.value.map(|value| value as i64))
        }
        _ => json!(analysis.value),
    }
}

/// A move of an expected line: its text, or `[action, chance]`.
fn step(step: &Step) -> Value {
    match &step.chance {
        None => json!(step.action),
        Some(chance) => json!([step.action, chance]),
    }
}

/// What only some methods find out.
fn details(objective: Objective, analysis: &Analysis, put: &mut impl FnMut(&str, Value)) {
    match &analysis.details {
        Details::None => {}
        Details::Line(solved) => {
            put("moves", solved.moves.iter().map(action).collect());
            put("length", json!(solved.moves.len()));
            if objective.is_fewest_moves() {
                put("lower_bound", json!(solved.bound.map(|bound| -bound)));
            } else {
                put("score", json!(solved.value));
                put("upper_bound", json!(solved.bound));
            }
            put("cleared", json!(solved.cleared));
            put("finished", json!(solved.finished));
            if let Some(found) = &solved.statistics {
                put("statistics", statistics(found));
            }
        }
        Details::Bounds { unit } => {
            let result = |value: f64| match value {
                value if value > 0.0 => "win",
                value if value < 0.0 => "loss",
                _ => "draw",
            };
            put("bounds", json!(analysis.bounds()));
            put("result", json!(analysis.value.filter(|_| analysis.proven).map(result)));
            put("unit", json!(unit));
            put("best_moves", analysis.best_moves().map(|one| action(&one.action)).collect());
        }
        Details::Costs { optimum } => {
            let cost = |one: &MoveAnalysis| {
                let cost = score(one);
                json!({"action": action(&one.action), "cost": cost, "proven": one.is_proven()})
            };
            put("costs", analysis.moves.iter().map(cost).collect());
            put("optimum", span(optimum.0, optimum.1));
        }
        Details::Episodes { scores, reached } => {
            let games = scores.len();
            let mean = (games > 0).then(|| scores.iter().sum::<f64>() / games as f64);
            let chance = |&(tile, hits): &(u64, usize)| {
                (tile.to_string(), json!({"rate": hits as f64 / games as f64, "hits": hits}))
            };
            put("chances", Value::Object(reached.iter().map(chance).collect()));
            put("episodes", json!({"games": games, "mean": mean}));
        }
        Details::Table(facts) => {
            put("kind", json!(if facts.afterstate { "afterstate" } else { "position" }));
            put("reachable", json!(facts.range.is_some()));
            put("best_case", json!(facts.range.map(|(_, most)| most)));
            put("worst_case", json!(facts.range.map(|(least, _)| least)));
            put("start", json!(facts.start));
            put("positions", json!(facts.positions));
            put("afterstates", json!(facts.afterstates));
            if let Some(sweeps) = facts.sweeps {
                put("sweeps", json!(sweeps));
            }
        }
    }
}

/// News from a running search; `moves` are those of a line that is new.
pub fn progress(objective: Objective, progress: &Progress) -> Value {
    let bound =
        progress.bound.map(|bound| if objective.is_fewest_moves() { -bound } else { bound });
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
