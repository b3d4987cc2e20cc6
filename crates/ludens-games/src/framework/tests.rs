use ludens_core::{
    Adversarial, CellAdversary, Notation, Params, Record, RecordedMove, Rng, Variant,
};
use ludens_testkit::mutations;
use proptest::prelude::*;

use super::*;
use crate::{Game2048, Game2584, Threes};

fn variant<V: Variant>(text: &str) -> V {
    V::read(&mut Params::parse(text).unwrap()).unwrap()
}

fn names() -> impl Strategy<Value = String> {
    "[!-?A-Za-zÀ-ž~^_]{1,9}"
}

fn moves(form: Form) -> impl Strategy<Value = Move> {
    let slide = (0..4usize).prop_map(|i| Step::Slide(Slide::ALL[i]));
    let place = (0..16u8, 1..36u8, 1..5u8).prop_map(move |(cell, tile, hint)| {
        let hint = (form == Form::TileAndHint).then_some(hint);
        Step::Place(Placement { cell, tile, hint })
    });
    let amount = || prop_oneof![Just(0), 1..200u64, 1..1u64 << 48];
    (prop_oneof![slide, place], amount(), amount()).prop_map(|(step, reward, millis)| Move {
        step,
        reward,
        millis,
    })
}

fn episodes(form: Form) -> impl Strategy<Value = Episode> {
    let moves = proptest::collection::vec(moves(form), 0..30);
    (names(), names(), any::<u64>(), moves, names(), any::<u64>()).prop_map(
        |(player, env, tick, moves, winner, tock)| Episode {
            player,
            env: env.replace(':', ";"),
            tick,
            moves,
            winner,
            tock,
        },
    )
}

fn any_form() -> impl Strategy<Value = Form> {
    prop_oneof![Just(Form::Tile), Just(Form::TileAndHint)]
}

proptest! {
    #[test]
    fn what_is_written_reads_back(
        (form, episodes) in any_form()
            .prop_flat_map(|form| (Just(form), proptest::collection::vec(episodes(form), 0..4)))
    ) {
        for episode in &episodes {
            let read = Episode::parse(form, &episode.write());
            prop_assert_eq!(read.as_ref(), Ok(episode), "{}", episode.write());
        }
        prop_assert_eq!(read_all(form, &write_all(&episodes)), Ok(episodes));
    }

    #[test]
    fn what_reads_is_what_would_be_written(
        (form, episode) in any_form().prop_flat_map(|form| (Just(form), episodes(form))),
        seed in any::<u64>(),
    ) {
        for text in mutations(&episode.write(), 60, &mut Rng::new(seed)) {
            for form in [form, Form::Tile, Form::TileAndHint] {
                if let Ok(read) = Episode::parse(form, &text) {
                    prop_assert_eq!(read.write(), text.as_str());
                }
                if let Ok(read) = read_all(form, &text) {
                    prop_assert_eq!(write_all(&read), text.as_str());
                }
            }
        }
    }

    #[test]
    fn any_text_is_answered(text in "\\PC{0,40}|[:@|#ULDR0-9A-F()\\[\\]]{0,40}") {
        for form in [Form::Tile, Form::TileAndHint] {
            if let Ok(read) = Episode::parse(form, &text) {
                prop_assert_eq!(read.write(), text.as_str());
            }
        }
    }
}

#[test]
fn messages_name_the_character() {
    let message = |text: &str| Episode::parse(Form::Tile, text).unwrap_err().to_string();
    for (text, expected) in [
        ("", "character 1: found the end, expected the player's name"),
        ("a@1||b@2", "character 1: found 'a', expected PLAYER:ENV, two names joined by ':'"),
        ("a:@1||b@2", "character 1: found 'a:', expected PLAYER:ENV, two names joined by ':'"),
        ("é:b@01||b@2", "character 5: found '01', expected milliseconds since 1970"),
        ("é:b@||b@2", "character 5: found '|', expected milliseconds since 1970"),
        ("a:b 1||b@2", "character 4: found ' ', expected '@' and the time the game began"),
        ("a:b@1", "character 6: found the end, expected '|' and the moves"),
        (
            "a:b@1|G1|b@2",
            "character 7: found 'G', expected a cell 0-9 or A-F, '#' and a slide, or '|'",
        ),
        ("a:b@1|10|b@2", "character 8: found '0', expected a tile's index 1-9 or A-Z"),
        ("a:b@1|1a|b@2", "character 8: found 'a', expected a tile's index 1-9 or A-Z"),
        ("a:b@1|#X|b@2", "character 8: found 'X', expected a slide U, R, D or L"),
        ("a:b@1|#U[0]|b@2", "character 10: found '0', expected a reward from 1 to 2^48-1"),
        ("a:b@1|#U[4|b@2", "character 11: found '|', expected ']'"),
        ("a:b@1|#U(-1)|b@2", "character 10: found '-', expected milliseconds from 1 to 2^48-1"),
        ("a:b@1|#U(4)[4]|b@2", "character 12: found '[', expected a cell"),
        ("a:b@1||b@2\n", "character 11: found '\\n', expected nothing more"),
    ] {
        assert!(message(text).starts_with(expected), "{text}: {}", message(text));
    }
    let hints = |text: &str| Episode::parse(Form::TileAndHint, text).unwrap_err().to_string();
    assert_eq!(
        hints("a:b@1|11#U|b@2"),
        "character 9: found '#', expected a hint 1-3, or 4 for a bonus tile"
    );
    let file = |text: &str| read_all(Form::Tile, text).unwrap_err().to_string();
    assert!(file("a:b@1||b@2\n\n").starts_with("line 2, character 1: found the end"));
    assert_eq!(
        file("a:b@1||b@2"),
        "line 1: found the end, expected a line feed after every episode"
    );
    assert_eq!(read_all(Form::Tile, ""), Ok(vec![]));
}

/// A random game as a record, by the rules of its own form.
fn random_record<P: Notation>(variant: &P::Variant, two: Option<&str>, rng: &mut Rng) -> Record {
    let mut position = P::start(variant, rng);
    let mut record = Record {
        game: ludens_core::params::spec(P::NAME, &variant.write()),
        one: "uct:100".into(),
        two: two.map(str::to_owned),
        seed: None,
        start: position.text(),
        moves: Vec::new(),
    };
    while let Some((action, after, reward)) = position.step(rng) {
        let chance = P::sample(&after, rng);
        let (next, bonus) = P::apply_outcome(&after, chance);
        record.moves.push(RecordedMove {
            action: position.action_text(action),
            chance: P::is_chance(&after).then(|| P::chance_text(&after, chance)),
            reward: i64::from(reward) + i64::from(bonus),
            millis: u64::from(rng.below(3)),
        });
        position = next;
    }
    record
}

fn conversions_agree<G: FrameworkGame>(variant_text: &str) {
    let variant = variant::<G::Variant>(variant_text);
    let mut rng = Rng::new(5);
    let two = Some("alphabeta:depth=3");
    for _ in 0..8 {
        for (seats, record) in [
            (Seats::Solo, random_record::<G>(&variant, None, &mut rng)),
            (Seats::Adversary, random_record::<Adversarial<G>>(&variant, two, &mut rng)),
            (Seats::Cells, random_record::<CellAdversary<G>>(&variant, two, &mut rng)),
        ] {
            let episode = to_episode::<G>(&variant, seats, &record, 1000).unwrap();
            let millis: u64 = record.moves.iter().map(|m| m.millis).sum();
            assert_eq!((episode.tick, episode.tock), (1000, 1000 + millis));
            assert_eq!(episode.winner, episode.env, "the player cannot move any more");
            let read = Episode::parse(G::FORM, &episode.write());
            assert_eq!(read.as_ref(), Ok(&episode));
            assert_eq!(to_record::<G>(&variant, seats, &episode), Ok(record.clone()));
            assert_eq!(Record::parse(&record.write()), Ok(record));
            illegal_changes_are_named::<G>(&variant, seats, &episode, &mut rng);
        }
    }
}

/// Any change of a move makes the game illegal, or another legal game.
fn illegal_changes_are_named<G: FrameworkGame>(
    variant: &G::Variant,
    seats: Seats,
    episode: &Episode,
    rng: &mut Rng,
) {
    let at = rng.below(episode.moves.len() as u32) as usize;
    let mut paid = episode.clone();
    paid.moves[at].reward += 1;
    let message = to_record::<G>(variant, seats, &paid).unwrap_err().to_string();
    assert!(message.starts_with(&format!("move {}: found a reward", at + 1)), "{message}");
    let mut less = episode.clone();
    less.moves.remove(at);
    let mut more = episode.clone();
    more.moves.insert(at, more.moves[at]);
    for changed in [less, more] {
        match to_record::<G>(variant, seats, &changed) {
            Ok(record) => {
                let back = to_episode::<G>(variant, seats, &record, changed.tick).unwrap();
                assert_eq!(back.moves.len(), changed.moves.len());
            }
            Err(error) => assert!(error.location().starts_with("move "), "{error}"),
        }
    }
}

#[test]
fn threes_converts() {
    conversions_agree::<Threes>("");
    conversions_agree::<Threes>("board=2x3");
    conversions_agree::<Threes>("bag=3,bonus=off,spawn=side");
    conversions_agree::<Threes>("bonus=capped,start=5");
}

#[test]
fn game_2048_converts() {
    conversions_agree::<Game2048>("");
    conversions_agree::<Game2048>("board=2x3");
    conversions_agree::<Game2048>("board=3x3,start=4");
}

#[test]
fn game_2584_converts() {
    conversions_agree::<Game2584>("");
    conversions_agree::<Game2584>("board=2x3,spawn=1,3");
}

/// The first ten moves of a game, as published.
const PUBLISHED: &str = "11D1(1)#L(2)61(3)#D[4](3)11(2)#D(3)B1(3)#L[4](3)61";

#[test]
fn a_published_game_replays() {
    let line = format!("greedy:random@1|{PUBLISHED}|random@20");
    let episode = Episode::parse(Form::Tile, &line).unwrap();
    assert_eq!(episode.write(), line);
    let record = to_record::<Game2048>(&variant(""), Seats::Solo, &episode).unwrap();
    assert_eq!(
        record.write(),
        "ludens-record 1\ngame 2048\none greedy\nstart 0,2,0,0/0,0,0,0/0,0,0,0/0,2,0,0\n\
         move left 2@6 0 2\nmove down 2@1 4 3\nmove down 2@11 0 3\nmove left 2@6 4 3\n\
         total 8\nend\n"
    );
    let two = to_record::<Game2048>(&variant(""), Seats::Cells, &episode).unwrap();
    let turn: Vec<String> = two.moves[..2]
        .iter()
        .map(|m| format!("{} {:?} {}", m.action, m.chance, m.millis))
        .collect();
    assert_eq!(turn, ["left Some(\"2\") 2", "2@6 None 3"]);
    let back = to_episode::<Game2048>(&variant(""), Seats::Cells, &two, 1).unwrap();
    // The times of the start tiles are not kept.
    assert_eq!(back.write().replace("11D1#L", "11D1(1)#L"), line);
}

#[test]
fn illegal_games_are_refused() {
    let refused = |moves: &str| {
        let episode = Episode::parse(Form::Tile, &format!("a:b@1|{moves}|b@2")).unwrap();
        to_record::<Game2048>(&variant(""), Seats::Adversary, &episode).unwrap_err().to_string()
    };
    for (moves, expected) in [
        ("11", "move 2: found the end, expected 2 start tiles"),
        ("1111", "move 2: found '11', expected an empty cell of a board of 16"),
        ("1113", "move 2: found '13', expected an empty cell of a board of 16"),
        ("1123", "move 2: found '23', expected a tile of index 1 or 2"),
        ("112131", "move 3: found '31', expected a slide after 2 start tiles"),
        ("1121[4]", "move 2: found a reward of 4, expected 0"),
        ("1121#U", "move 3: found 'up', expected a slide that moves a tile: right, down, left"),
        ("1121#L", "move 3: found a reward of 0, expected 4"),
        ("1121#L[4]01", "move 4: found '01', expected a tile that may come there now"),
        ("1121#L[4]13", "move 4: found '13', expected a tile that may come there now"),
        ("1121#L[4]#R", "move 4: found '#R', expected a placed tile"),
    ] {
        assert_eq!(refused(moves), expected, "{moves}");
    }
}

#[test]
fn illegal_records_are_refused() {
    let record = |start: &str, moves: &[(&str, Option<&str>, i64)]| Record {
        game: "2048".into(),
        one: "a".into(),
        start: start.into(),
        moves: moves
            .iter()
            .map(|&(action, chance, reward)| RecordedMove {
                action: action.into(),
                chance: chance.map(str::to_owned),
                reward,
                millis: 0,
            })
            .collect(),
        ..Record::default()
    };
    let refused = |seats: Seats, start: &str, moves: &[(&str, Option<&str>, i64)]| {
        let record = record(start, moves);
        to_episode::<Game2048>(&variant("board=2x2"), seats, &record, 0).unwrap_err().to_string()
    };
    let start = "2,2/0,0";
    let solo = |moves: &[(&str, Option<&str>, i64)]| refused(Seats::Solo, start, moves);
    assert!(refused(Seats::Solo, "2,x/0,0", &[]).starts_with("start, row 1, column 2"));
    let middle = refused(Seats::Solo, "2,2/0,2", &[]);
    assert!(middle.ends_with("expected a position that a game begins with"), "{middle}");
    assert!(solo(&[("up", Some("2@3"), 0)]).starts_with("move 1, move: found 'up'"));
    assert!(solo(&[("left", None, 4)]).starts_with("move 1: found no outcome"));
    assert!(solo(&[("left", Some("2@0"), 4)]).starts_with("move 1, "));
    assert_eq!(
        solo(&[("left", Some("2@1"), 4), ("down", Some("2@0"), 9)]),
        "move 2: found a reward of 9, expected 0"
    );
    let cells = |moves: &[(&str, Option<&str>, i64)]| refused(Seats::Cells, start, moves);
    assert_eq!(
        cells(&[("left", Some("2"), 4), ("4@1", None, 0)]),
        "move 2: found '4@1', expected a cell for the tile drawn, '2'"
    );
    assert_eq!(
        cells(&[("left", Some("2"), 4)]),
        "move 2: found the end, expected a cell for the tile drawn"
    );
    let both = |moves: &[(&str, Option<&str>, i64)]| refused(Seats::Adversary, start, moves);
    assert!(both(&[("left", Some("2@1"), 4)]).starts_with("move 1: found '2@1', expected no"));
    assert!(both(&[("left", None, 4), ("2@1", Some("2"), 0)]).starts_with("move 2: found '2'"));
}

#[test]
fn start_tiles_come_as_the_bag_allows() {
    let course = variant("bag=3,bonus=off,spawn=side,start=6");
    let start = Threes::parse(&course, "1,1,2,2/3,3,0,0/0,0,0,0/0,0,0,0 2 1.0.1").unwrap();
    let placements: Vec<String> =
        start.opening().unwrap().into_iter().map(|p| Step::Place(p).text()).collect();
    assert_eq!(placements, ["012", "223", "431", "112", "323", "532"]);
    let refused = |moves: &str| {
        let text = format!("a:b@1|{moves}|b@2");
        let episode = Episode::parse(Form::TileAndHint, &text).unwrap();
        to_record::<Threes>(&course, Seats::Solo, &episode).unwrap_err().to_string()
    };
    let first = "012223431[3]112323532[3]";
    for (moves, expected) in [
        ("", "move 1: found the end, expected 6 start tiles"),
        ("#L", "move 1: found '#L', expected 6 start tiles"),
        ("012#L", "move 2: found '#L', expected 6 start tiles"),
        ("041", "move 1: found a reward of 0, expected 9"),
        ("041[9]", "move 2: found the end, expected 6 start tiles"),
        ("012223431112323532", "move 3: found a reward of 0, expected 3"),
        ("011223431[3]112323532[3]", "move 1: found '011', expected a hint of a tile that is left"),
        ("012213431[3]112323532[3]", "move 2: found '213', expected the hinted tile, 2"),
        ("012023431[3]112323532[3]", "move 2: found '023', expected an empty cell"),
        (&format!("{first}621"), "move 7: found '621', expected a slide after 6 start tiles"),
        (&format!("{first}#L[6]#L"), "move 8: found '#L', expected a placed tile"),
        (
            &format!("{first}#U"),
            "move 7: found 'up', expected a slide that moves a tile: right, down, left",
        ),
        (&format!("{first}#L[6]"), "move 8: found the end, expected a placed tile"),
        (&format!("{first}#L[6]021"), "move 8: found '021', expected a tile that may come"),
    ] {
        assert!(refused(moves).starts_with(expected), "{moves}: {}", refused(moves));
    }
}
