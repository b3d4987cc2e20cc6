use ludens_learn::alphazero::AlphaZeroConfig;
use ludens_learn::probs::ProbsConfig;
use ludens_learn::{GamesWanted, Settings, of_games};
use serde_json::Value;
use tempfile::TempDir;

use super::super::{ContestWork, EpisodesWork, SelfPlayWork, SuiteWork};
use super::*;
use crate::train::{TrainRequest, train};

static NEVER: AtomicBool = AtomicBool::new(false);

fn resources(network: &[u8]) -> Resources<'_> {
    Resources { program: "test", workers: 2, memory: 1 << 20, network, stop: &NEVER }
}

/// Without what a clock says.
fn timeless(value: &mut Value) {
    if let Value::Object(fields) = value {
        fields.retain(|name, _| !name.contains("time") && !name.ends_with("_s"));
        fields.values_mut().for_each(timeless);
    } else if let Value::Array(items) = value {
        items.iter_mut().for_each(timeless);
    }
}

fn executed(work: &Work, executor: &dyn Executor) -> Value {
    let (mut store, mut last) = (Store::in_memory().unwrap(), Units::default());
    let merged = executor.execute(work, &mut store, &mut |units| last = units).unwrap().unwrap();
    assert_eq!(last.done, last.total);
    let mut told = merged.done(&mut store).unwrap().json();
    timeless(&mut told);
    told
}

/// What all executors come to.
fn all_agree(work: &Work, network: &[u8]) -> Value {
    let folder = TempDir::new().unwrap();
    let local = executed(work, &Local { resources: resources(network) });
    for count in [1, 3, 50] {
        let folder = folder.path().join(count.to_string());
        std::fs::create_dir(&folder).unwrap();
        let shards = Shards { folder, count, resources: resources(network) };
        assert_eq!(executed(work, &shards), local, "{count} shards of {work:?}");
        // What is there is not done again: a work that would fail now is read from its files.
        if let Work::SelfPlay(_) = work {
            let mut store = Store::in_memory().unwrap();
            let shards = Shards { resources: resources(&[]), ..shards };
            assert!(shards.execute(work, &mut store, &mut |_| {}).unwrap().is_some());
        }
    }
    local
}

#[test]
fn executors_agree() {
    let game = "samegame:rows=6,cols=6".to_owned();
    let (suite, nodes) = ("random:4".to_owned(), Some(500));
    let work = SuiteWork { game, suite, nodes, runs: 2, threads: 1, ..SuiteWork::default() };
    assert_eq!(all_agree(&Work::Suite(work), &[])["boards"], 4);
    let (game, agent) = ("2048:board=2x2".to_owned(), "random".to_owned());
    let work = EpisodesWork { game, agent, games: 5, seed: 1 };
    assert_eq!(all_agree(&Work::Episodes(work), &[])["games"], 5);
    let agents = ["random", "uct:20"].map(str::to_owned).to_vec();
    let game = "connect-four".to_owned();
    let work = ContestWork { game, agents, games: 4, ..ContestWork::default() };
    all_agree(&Work::Contest(work), &[]);
}

/// A run that has just started.
fn fresh_run(folder: &std::path::Path, recipe: &str, game: &str, settings: &[(&str, &str)]) {
    let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let request = TrainRequest {
        recipe: recipe.to_owned(),
        game: Some(game.to_owned()),
        settings: settings.iter().map(own).collect(),
        run: Some(folder.to_owned()),
        steps: Some(0),
        ..TrainRequest::default()
    };
    train(&request, &NEVER, &mut |_| {}).unwrap();
}

#[test]
fn self_play_agrees_and_wants_its_network() {
    let folder = TempDir::new().unwrap();
    let settings = [("games", "7"), ("channels", "4"), ("layers", "1"), ("hidden", "8")];
    fresh_run(folder.path(), ProbsConfig::RECIPE, "connect-four", &settings);
    let (work, network) = SelfPlayWork::of_run(folder.path(), Some(3)).unwrap();
    assert_eq!(all_agree(&Work::SelfPlay(work), &network)["games"], 7);

    let folder = TempDir::new().unwrap();
    let settings = [("sims", "4"), ("games", "7"), ("channels", "4"), ("blocks", "1")];
    fresh_run(folder.path(), AlphaZeroConfig::RECIPE, "sevn:base=3", &settings);
    let (work, network) = SelfPlayWork::of_run(folder.path(), Some(2)).unwrap();
    assert_eq!((work.units(), work.first, work.games), (4, 0, 7));
    let told = all_agree(&Work::SelfPlay(work.clone()), &network);
    assert_eq!(told["games"], 7);
    // Blocks of other sizes are the same games.
    let (whole, _) = SelfPlayWork::of_run(folder.path(), Some(7)).unwrap();
    assert_eq!(all_agree(&Work::SelfPlay(whole), &network)["hash"], told["hash"]);
    let other = SelfPlayWork { network: "abc".to_owned(), ..work };
    let refused = Work::SelfPlay(other).part(Shard::WHOLE, &resources(&network), &mut |_| {});
    let error = refused.unwrap_err().to_string();
    assert!(error.contains("abc, which this self-play is by"), "{error}");
}

#[test]
fn an_order_without_a_network_is_refused() {
    let wanted = GamesWanted {
        recipe: AlphaZeroConfig::RECIPE,
        game: "connect-four".to_owned(),
        settings: of_games(&AlphaZeroConfig::default()),
        seed: 1,
        iteration: 0,
        numbers: 0..4,
        network: Vec::new(),
    };
    assert!(SelfPlayWork::of(&wanted, None).is_err());
}
