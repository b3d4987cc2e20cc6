//! What is declared of parameters is what is used: defaults and ranges of every game, solver, agent
//! and recipe.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fmt::Debug;

use ludens_core::params::{DefaultValue, Kind};
use ludens_core::{Budget, Parameter, Params, Variant};
use ludens_engine::analysis::{Analysis, Method, Request};
use ludens_engine::{Form, Registered, SolverInfo, Table, Visitor, game, games, visit_all};
use ludens_learn::alphazero::AlphaZeroConfig;
use ludens_learn::ppo::PpoConfig;
use ludens_learn::probs::ProbsConfig;
use ludens_learn::supervised::SupervisedConfig;
use ludens_learn::{Settings, TdConfig};
use ludens_runs::train::recipes;

/// Values that a declaration allows: the ends of its range, and all names.
fn allowed(parameter: &Parameter) -> Vec<String> {
    // Memory is taken at once, and the most is more than there may be.
    let ends = parameter.range().map_or_else(Vec::new, |(min, max)| match max {
        Some(max) if parameter.name != "memory" => vec![min.to_string(), max.to_string()],
        _ => vec![min.to_string()],
    });
    let words = parameter.choices().into_iter().filter(|_| !parameter.is_path());
    words.map(str::to_owned).chain(ends).collect()
}

/// Values that it does not.
fn forbidden(parameter: &Parameter) -> Vec<String> {
    let outside = match parameter.kind {
        Kind::Int { min, max } => {
            let below = min.checked_sub(1).map(|number| number.to_string());
            let above = max.checked_add(1).map(|number| number.to_string());
            below.into_iter().chain(above).chain(["1.5".to_owned(), "-1".to_owned()]).collect()
        }
        Kind::Float { min, max } => vec![(min - 1.0).to_string(), (max + 1e6).to_string()],
        Kind::Choice(_) | Kind::Duration => vec!["no such thing".to_owned()],
        Kind::Text { .. } | Kind::Path => Vec::new(),
    };
    outside.into_iter().filter(|value| parameter.word != Some(value)).collect()
}

/// Compares what `name:key=value` does with what is declared: `refused` says why a text is not taken,
/// `done` what comes of it. A value that needs another parameter may be refused with its name. A
/// parameter that nobody reads is refused, and so is found here; one that is read without a
/// declaration stops the program.
fn check<T: PartialEq + Debug>(
    name: &str,
    parameters: &[Parameter],
    refused: impl Fn(&str) -> Option<String>,
    done: impl Fn(&str) -> T,
) {
    let usual = done(name);
    for parameter in parameters {
        let text = |value: &str| format!("{name}:{}={value}", parameter.name);
        if !matches!(parameter.default, DefaultValue::Rule(_)) {
            let default = text(&parameter.default_text());
            assert_eq!(done(&default), usual, "{default} is not the default");
        }
        for value in allowed(parameter) {
            let needs = |why: &String| {
                let mut others = parameters.iter().filter(|other| other.name != parameter.name);
                // Parts of a composition ask for each other, in the words of either.
                others.any(|other| {
                    why.contains(&format!("{}=", other.name))
                        || why.contains(&format!("parameter {}:", other.name))
                })
            };
            let why = refused(&text(&value)).filter(|why| !needs(why));
            assert_eq!(why, None, "{}", text(&value));
        }
        for value in forbidden(parameter) {
            assert!(refused(&text(&value)).is_some(), "{} is taken", text(&value));
        }
    }
}

/// What a solver finds within a few thousand positions.
fn solved(table: &dyn Table, solver: &str) -> impl PartialEq + Debug + use<> {
    let request = Request {
        method: Method::solver(solver),
        budget: Budget::nodes(3000),
        seed: 7,
        memory: 1 << 26,
        ..Request::default()
    };
    let found = table.analyze(&request, Request::never(), &mut |_| {}).unwrap();
    found
        .solved()
        .map(|found| (found.value, found.nodes, found.moves.clone(), found.statistics.clone()))
}

#[test]
fn solvers_use_what_is_declared() {
    for spec in ["former", "samegame"] {
        let table = game(spec).unwrap().start(3);
        for info in table.solvers() {
            let named = |text: &str| table.solver_name(Some(text), false).err();
            let refused = |text: &str| named(text).map(|error| error.to_string());
            check(info.name, info.parameters, refused, |text| solved(&*table, text));
        }
    }
}

/// What else must be set for a parameter to act: what one of its words names, or what it is a part of.
const TOGETHER: &[(&str, &str)] = &[
    ("top", "rule=average"),
    ("d", "rule=sp-mcts"),
    ("scale", "normalise=static"),
    ("bonus-top", "rule=top"),
    ("ideal", "block=depth"),
    ("floor", "block=node"),
    ("urgency", "block=depth"),
    ("plus", "allocation=uniform"),
    ("amaf", "rule=average"),
    ("annealing", "c=1"),
    ("colour", "simulation=tabu-manual"),
    ("below", "simulation=tabu-colour"),
    ("rule", "duplicates=share"),
    ("iterations", "level=2"),
    ("after", "width=2"),
    ("width", "after=2"),
];

/// Every parameter that compositions of the single-player MCTS declare changes the search, alone or
/// together with one that it belongs to. That every composition accepts them is tested above.
#[test]
fn compositions_use_every_parameter() {
    let mut unused = Vec::new();
    for spec in ["former", "samegame:rows=7,cols=7,colours=3"] {
        let table = game(spec).unwrap().start(3);
        let mut compositions = table.solvers();
        compositions.retain(|info| info.parameters.iter().any(|p| p.name == "expand"));
        // Those with the same declarations read them by the same function: the first stands for all.
        let names = |info: &SolverInfo| info.parameters.iter().map(|p| p.name).collect::<Vec<_>>();
        let mut seen = Vec::new();
        compositions.retain(|info| {
            let new = !seen.contains(&names(info));
            seen.push(names(info));
            new
        });
        for info in compositions {
            for parameter in info.parameters.iter().filter(|p| !p.is_path()) {
                let belongs = TOGETHER.iter().filter(|(name, _)| *name == parameter.name);
                let mut beside = belongs.map(|(_, set)| format!("{}:{set}", info.name));
                let alone = std::iter::once(info.name.to_owned());
                let used = alone.chain(beside.by_ref()).any(|base| {
                    let refused = |text: &str| table.solver_name(Some(text), false).is_err();
                    if refused(&base) {
                        return false;
                    }
                    let (usual, join) =
                        (solved(&*table, &base), if base.contains(':') { ',' } else { ':' });
                    let mut texts = values(parameter)
                        .into_iter()
                        .map(|value| format!("{base}{join}{}={value}", parameter.name));
                    texts.any(|text| !refused(&text) && solved(&*table, &text) != usual)
                });
                if !used {
                    unused.push(format!("{spec}: {}:{}", info.name, parameter.name));
                }
            }
        }
    }
    assert!(unused.is_empty(), "{unused:#?}");
}

/// Values away from the default: names, and numbers of all sizes.
fn values(parameter: &Parameter) -> Vec<String> {
    let (min, max, step) = match parameter.kind {
        Kind::Int { min, max } => (min as f64, max as f64, 1.0),
        Kind::Float { min, max } => (min, max, 0.001),
        _ => (1.0, 0.0, 1.0),
    };
    let numbers = [0.001, 0.01, 0.1, 0.5, 1.0, 2.0, 3.0, 5.0, 20.0, 100.0, 1000.0].into_iter();
    let fits = |number: &f64| (min..=max).contains(number) && *number >= step;
    let numbers = numbers.filter(fits).map(|number| number.to_string());
    parameter.choices().into_iter().map(str::to_owned).chain(numbers).collect()
}

/// Agents that a game cannot make here, as those without a network, are left out.
#[test]
fn agents_use_what_is_declared() {
    let mut checked = Vec::new();
    for info in games() {
        let handle = game(&info.spec()).unwrap();
        let table = handle.start(3);
        for agent in table.agents() {
            if agent.parameters.is_empty() || !table.has_agent(agent.name) {
                continue;
            }
            let refused = |text: &str| (!table.has_agent(text)).then(|| "refused".to_owned());
            let done = |text: &str| {
                let (method, budget) = (Method::agent(text), Budget::nodes(2000));
                let request = Request { method, budget, ..Request::default() };
                let analysis = table.analyze(&request, Request::never(), &mut |_| {}).unwrap();
                Analysis { method: String::new(), time: Default::default(), ..analysis }
            };
            check(agent.name, agent.parameters, refused, done);
            checked.push(agent.name);
        }
    }
    for name in
        ["ntuple", "mcts", "minimax", "expectiminimax", "uct", "alphabeta", "az", "probs", "net"]
    {
        assert!(checked.contains(&name), "{name} was not checked");
    }
}

/// What a variant reads is declared, and the declared default is the variant's.
#[test]
fn variants_use_what_is_declared() {
    struct Check;
    impl Visitor for Check {
        fn visit<G: Registered>(&mut self, form: Form<G>) {
            let read = |text: &str| {
                let params = Params::split(text).unwrap().1.declared(G::Variant::PARAMETERS);
                params.and_then(|mut params| G::Variant::read(&mut params)).ok()
            };
            // Sizes that are allowed alone may be too much together.
            for parameter in form.info().parameters {
                let text = format!("{}:{}={}", G::NAME, parameter.name, parameter.default);
                let rule = matches!(parameter.default, DefaultValue::Rule(_));
                assert!(rule || read(&text) == Some(G::Variant::default()), "{text}");
                for value in forbidden(parameter) {
                    let text = format!("{}:{}={value}", G::NAME, parameter.name);
                    assert_eq!(read(&text), None, "{text}");
                }
            }
        }
    }
    visit_all(&mut Check);
}

#[test]
fn recipes_use_what_is_declared() {
    fn settings<S: Settings + PartialEq + Debug>() {
        let with = |text: &str| {
            let mut config = S::default();
            let setting = text.split_once(':').map(|(_, rest)| rest.split_once('=').unwrap());
            setting.is_none_or(|(key, value)| config.set(key, value).is_ok()).then_some(config)
        };
        let refused = |text: &str| with(text).is_none().then(|| "refused".to_owned());
        check("recipe", S::PARAMETERS, refused, with);
    }
    settings::<TdConfig>();
    settings::<SupervisedConfig>();
    settings::<PpoConfig>();
    settings::<AlphaZeroConfig>();
    settings::<ProbsConfig>();
}

/// What suits a game is told beside the default of the others.
#[test]
fn defaults_by_game_are_told() {
    let recipes = recipes();
    let by_game = |recipe: &str, setting: &str| {
        recipes.iter().find(|info| info.name == recipe).unwrap().by_game(setting)
    };
    for (game, opening) in by_game("alphazero", "opening") {
        let config: AlphaZeroConfig = ludens_runs::defaults::settings(game).unwrap();
        assert_eq!(opening, config.opening.to_string());
    }
    assert!(by_game("alphazero", "opening").contains(&("othello", "16")));
    assert!(by_game("probs", "channels").contains(&("togyzkumalak", "64")));
    assert!(by_game("alphazero", "c").is_empty() && by_game("td", "alpha").is_empty());
}
