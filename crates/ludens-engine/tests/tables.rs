//! Games in progress: play, undo, records, bad names.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use ludens_core::{Budget, Player, Record};
use ludens_engine::analysis::{Method, Request};
use ludens_engine::{Turn, game, games};

fn random_game(spec: &str, seed: u64) -> Box<dyn ludens_engine::Table> {
    let mut table = game(spec).unwrap().start(seed);
    table.seat(Player::One, "random").unwrap();
    if table.players() == 2 {
        table.seat(Player::Two, "random").unwrap();
    }
    while table.play_agent(&Request::default(), Request::never()).unwrap().is_some() {}
    table
}

#[test]
fn records_of_all_games_replay() {
    for info in games() {
        for sample in info.samples {
            let spec = info.spec_with(sample);
            let table = random_game(&spec, 5);
            let record = table.record();
            assert_eq!(Record::parse(&record.write()).unwrap(), record, "{spec}");
            let replayed = game(&record.game).unwrap().replay(&record).unwrap();
            assert_eq!(replayed.record(), record, "{spec}");
            assert_eq!(replayed.position(), table.position(), "{spec}");
        }
    }
}

#[test]
fn a_false_record_is_refused() {
    for info in games() {
        let mut record = random_game(&info.spec(), 6).record();
        record.moves[0].reward += 1;
        let e = game(&record.game).unwrap().replay(&record).err().expect("a false reward");
        assert!(e.to_string().starts_with("move 1: found reward"), "{e}");
        record.moves[0].reward -= 1;
        record.moves[0].action.push('?');
        assert!(game(&record.game).unwrap().replay(&record).is_err());
    }
}

#[test]
fn a_record_written_in_another_way_is_refused() {
    let refused = |change: &dyn Fn(&mut ludens_core::Record)| {
        let mut record = random_game("2048", 3).record();
        record.moves.truncate(1);
        change(&mut record);
        game(&record.game).unwrap().replay(&record).err().expect("another text").to_string()
    };
    let two = refused(&|r| r.two = Some("x".to_owned()));
    assert_eq!(two, "second player: found 'x', expected none: one player only");
    let spec = refused(&|r| r.game = "2048:".to_owned());
    assert_eq!(spec, "game: found '2048:', expected it written as '2048'");
    let start = refused(&|r| r.start = r.start.replacen('0', "00", 1));
    assert!(start.starts_with("start"), "{start}");
    let action = refused(&|r| r.moves[0].action.truncate(1));
    assert!(action.contains("expected it written as '"), "{action}");
    let mut duel = random_game("othello", 3).record();
    duel.two = None;
    let e = game("othello").unwrap().replay(&duel).err().expect("nobody second").to_string();
    assert_eq!(e, "second player: found none, expected a name");
}

#[test]
fn a_record_names_the_variant_of_its_positions() {
    // The default variant of Sevn reads positions of every base.
    let mut record = random_game("sevn:base=3", 3).record();
    assert_eq!(game("sevn").unwrap().replay(&record).unwrap().record(), record);
    record.game = "sevn".to_owned();
    let e = game("sevn").unwrap().replay(&record).err().expect("another base").to_string();
    assert_eq!(e, "game: found 'sevn', expected it written as 'sevn:base=3'");
}

#[test]
fn a_resumed_game_meets_the_luck_it_would_have_had() {
    let whole = random_game("threes", 5).record();
    let mut half = whole.clone();
    half.moves.truncate(whole.moves.len() / 2);
    let mut table = game(&half.game).unwrap().replay(&half).unwrap();
    for m in &whole.moves[half.moves.len()..] {
        assert_eq!(table.play(&m.action).unwrap().chance, m.chance);
    }
}

#[test]
fn undo_goes_all_the_way_back_and_luck_repeats() {
    for info in games() {
        let mut table = random_game(&info.spec(), 7);
        assert_eq!(table.turn(), Turn::Over, "{}", info.spec());
        let record = table.record();
        while table.undo() {}
        assert_eq!(table.position(), record.start);
        assert_eq!(table.total(), 0);
        for recorded in &record.moves {
            let played = table.play(&recorded.action).unwrap();
            assert_eq!(played.chance, recorded.chance);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_game() {
    for info in games() {
        let spec = info.spec();
        assert_eq!(random_game(&spec, 8).record(), random_game(&spec, 8).record(), "{spec}");
    }
}

#[test]
fn names_are_checked() {
    let message = |spec: &str| game(spec).err().map(|e| e.to_string()).unwrap_or_default();
    assert!(message("chess").starts_with("game: found 'chess', expected one of: "));
    assert_eq!(message("connect-four:rows=3"), "parameters: found 'rows', expected no parameters");
    let mut table = game("connect-four").unwrap().start(0);
    let e = table.seat(Player::Two, "oracle").unwrap_err().to_string();
    assert_eq!(
        e,
        "agent: found 'oracle', expected human | random | greedy | level | lookahead | uct | alphabeta | perfect | az | net | probs"
    );
}

/// Every agent that is listed plays a game of every game with its default settings, to the end or
/// for 60 moves, and reports legal moves only.
#[test]
fn listed_agents_play() {
    for info in games() {
        let spec = info.spec();
        for agent in game(&spec).unwrap().start(0).agents().iter().skip(1) {
            let mut table = game(&spec).unwrap().start(3);
            if let Err(error) = table.seat(Player::One, agent.name) {
                // Those of games without a network of their own ask for one; tables are for small boards.
                let told = error.to_string();
                assert!(
                    ["a network", "at most 6"].iter().any(|it| told.contains(it)),
                    "{spec}: {told}"
                );
                continue;
            }
            let request = Request { budget: Budget::nodes(20), ..Request::default() };
            while table.action_count() > 0 {
                let analysis = table.think(&request, Request::never(), &mut |_| {});
                let Some(analysis) = analysis else {
                    // The person's turn, in games for two.
                    let legal = table.actions();
                    table.play(&legal[0].text).unwrap();
                    continue;
                };
                let legal: Vec<String> = table.actions().into_iter().map(|a| a.text).collect();
                let moves = analysis.moves.iter().map(|one| &one.action.text);
                for text in moves.chain(analysis.line.first().map(|step| &step.action)) {
                    assert!(legal.contains(text), "{spec} {}: {text}", agent.name);
                }
                let best = analysis.best.unwrap();
                assert!(table.play(&best.text).is_ok(), "{spec} {}", agent.name);
                // Games of tiles have no end that is worth waiting for.
                if table.history().len() > 60 {
                    break;
                }
            }
        }
    }
}

#[test]
fn agents_are_asked_without_a_seat() {
    let table = game("2048").unwrap().parse("2,2,0,0/0,0,0,0/0,0,0,0/4,0,0,4").unwrap();
    let ask = |agent: &str| {
        let request = Request { method: Method::agent(agent), ..Request::default() };
        table.analyze(&request, Request::never(), &mut |_| {})
    };
    let analysis = ask("greedy").unwrap();
    assert!(["left", "right"].contains(&analysis.best.unwrap().text.as_str()));
    assert_eq!(analysis.value, Some(12.0));
    assert_eq!(analysis.moves.len(), 4);
    let e = ask("human").unwrap_err().to_string();
    assert_eq!(e, "agent: found 'human', expected one that plays by itself");
    let e = ask("greedy:depth=3").unwrap_err().to_string();
    assert_eq!(e, "agent greedy, parameters: found 'depth', expected no parameters");
}
