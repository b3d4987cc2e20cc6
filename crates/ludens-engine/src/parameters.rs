//! Declared parameters as JSON: a list for people and programs, and a JSON schema.

use ludens_core::Parameter;
use ludens_core::params::{DefaultValue, Kind};
use serde_json::{Map, Value, json};

use crate::{AgentInfo, GameInfo, SolverInfo};

/// Parameters with `name`, `type`, `range` or `choices`, `default`, `help` and `is_path`. What
/// has no default value has `default_rule` instead, for people.
pub fn listed(parameters: &[Parameter]) -> Value {
    parameters.iter().map(one).collect()
}

fn one(parameter: &Parameter) -> Value {
    let mut json = Map::new();
    let mut put = |key: &str, value: Value| json.insert(key.to_owned(), value);
    put("name", json!(parameter.name));
    put("type", json!(kind(parameter.kind)));
    if let Some((min, max)) = parameter.range() {
        put("range", json!([value(min), max.map(value)]));
    }
    let choices = parameter.choices();
    if !choices.is_empty() {
        put("choices", json!(choices));
    }
    if let Kind::Text { syntax, .. } = parameter.kind {
        put("syntax", json!(syntax));
    }
    match parameter.default {
        DefaultValue::Rule(rule) => put("default_rule", json!(rule)),
        default => put("default", value(default)),
    };
    put("help", json!(parameter.help));
    put("is_path", json!(parameter.is_path()));
    Value::Object(json)
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Int { .. } => "int",
        Kind::Float { .. } => "float",
        Kind::Choice(_) => "choice",
        Kind::Duration => "duration",
        Kind::Text { .. } => "text",
        Kind::Path => "path",
    }
}

fn value(value: DefaultValue) -> Value {
    match value {
        DefaultValue::Int(number) => json!(number),
        DefaultValue::Float(number) => json!(number),
        DefaultValue::Text(text) | DefaultValue::Rule(text) => json!(text),
    }
}

/// A JSON schema of the parameters of a game, its solvers and its agents: an object each, with a
/// property per parameter.
pub fn game_schema(game: &GameInfo, solvers: &[SolverInfo], agents: &[AgentInfo]) -> Value {
    let solvers: Map<String, Value> =
        solvers.iter().map(|s| (s.name.to_owned(), schema(s.about, s.parameters))).collect();
    let agents: Map<String, Value> =
        agents.iter().map(|a| (a.name.to_owned(), schema(a.about, a.parameters))).collect();
    json!({
        "variant": schema(game.about, game.parameters),
        "solvers": solvers,
        "agents": agents,
    })
}

/// A JSON schema of an object with these parameters.
pub fn schema(about: &str, parameters: &[Parameter]) -> Value {
    let properties: Map<String, Value> =
        parameters.iter().map(|p| (p.name.to_owned(), property(p))).collect();
    json!({
        "description": about,
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    })
}

fn property(parameter: &Parameter) -> Value {
    let number = |name: &str| {
        let (min, max) = parameter.range().unwrap_or((DefaultValue::Int(0), None));
        let mut json = json!({"type": name, "minimum": value(min)});
        if let Some(max) = max {
            json["maximum"] = value(max);
        }
        json
    };
    let mut json = match parameter.kind {
        Kind::Int { .. } => number("integer"),
        Kind::Float { .. } => number("number"),
        Kind::Choice(names) => json!({"enum": names.names()}),
        Kind::Duration => json!({"type": "string", "pattern": "^[0-9.]+(ms|s|m|h)?$"}),
        Kind::Text { .. } | Kind::Path => json!({"type": "string"}),
    };
    // A word beside a path or text is one already.
    if let (Some(word), Kind::Int { .. } | Kind::Float { .. }) = (parameter.word, parameter.kind) {
        json = json!({"anyOf": [{"const": word}, json]});
    }
    json["description"] = json!(parameter.help);
    match parameter.default {
        DefaultValue::Rule(rule) => {
            json["description"] = json!(format!("{}; default: {rule}", parameter.help))
        }
        default => json["default"] = value(default),
    }
    json
}

#[cfg(test)]
mod tests {
    use ludens_core::{Param, parameters};

    use super::*;

    const PLY: Param<u32> = Param::int("ply", 1..=20, 1).help("moves to look ahead");
    const NORM: Param<Option<f32>> =
        Param::opt_float("norm", 0.5..=8.0).word("dynamic").help("divisor");
    const NODES: Param<Option<u64>> = Param::opt_int("nodes", 1..=u64::MAX).help("positions");
    const MODEL: Param<Option<String>> = Param::path("model", "none").or("bundled").help("a file");
    const ALL: &[Parameter] = parameters![PLY, NORM, NODES, MODEL];

    #[test]
    fn parameters_are_listed_with_their_types() {
        assert_eq!(
            listed(ALL),
            json!([
                {"name": "ply", "type": "int", "range": [1, 20], "default": 1,
                 "help": "moves to look ahead", "is_path": false},
                {"name": "norm", "type": "float", "range": [0.5, 8.0], "choices": ["dynamic"],
                 "default": "dynamic", "help": "divisor", "is_path": false},
                {"name": "nodes", "type": "int", "range": [1, null], "default_rule": "none",
                 "help": "positions", "is_path": false},
                {"name": "model", "type": "path", "choices": ["bundled"], "default_rule": "none",
                 "help": "a file", "is_path": true},
            ])
        );
    }

    #[test]
    fn the_schema_has_a_property_for_each() {
        let schema = schema("a search", ALL);
        assert_eq!(
            schema["properties"]["ply"],
            json!({"type": "integer", "minimum": 1, "maximum": 20, "default": 1,
                   "description": "moves to look ahead"})
        );
        assert_eq!(
            schema["properties"]["norm"]["anyOf"],
            json!([{"const": "dynamic"}, {"type": "number", "minimum": 0.5, "maximum": 8.0}])
        );
        assert_eq!(schema["properties"]["nodes"]["description"], "positions; default: none");
        assert_eq!(schema["additionalProperties"], false);
    }
}
