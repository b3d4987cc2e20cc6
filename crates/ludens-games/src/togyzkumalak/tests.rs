use ludens_core::{
    Duel, Fact, Game, GameResult, NoVariant, Notation, Player, Position, Rng, perft,
};

use super::{Pit, Togyzkumalak};

fn read(text: &str) -> Togyzkumalak {
    Togyzkumalak::parse(&NoVariant, text).unwrap()
}

fn refused(text: &str) -> String {
    Togyzkumalak::parse(&NoVariant, text).unwrap_err().to_string()
}

#[test]
fn conforms() {
    ludens_testkit::conform::<Togyzkumalak>(&NoVariant);
    ludens_testkit::check_duel::<Togyzkumalak>(&NoVariant);
    ludens_testkit::check_starts::<Togyzkumalak>(&NoVariant);
    ludens_testkit::check_fixed_actions::<Togyzkumalak>(&NoVariant);
}

#[test]
fn perft_of_the_start() {
    let counts = perft(&Togyzkumalak::default(), 8, &|| false).unwrap();
    assert_eq!(counts, [9, 73, 613, 5199, 43184, 360_035, 3_003_052, 25_166_174]);
}

/// What a pit of the player to move leads to, as text, and its reward.
fn played(text: &str, pit: u8) -> (String, i32) {
    let position = read(text);
    let action = position.parse_action(&pit.to_string()).unwrap();
    let (next, reward) = position.apply(action);
    assert_eq!(read(&next.text()), next);
    assert_eq!(next.outcome().map_or(0, GameResult::value), reward);
    (next.text(), reward)
}

#[test]
fn a_single_ball_moves_on() {
    assert_eq!(
        played("0,0,1,2,0,0,0,0,9/9,0,0,0,0,0,0,0,1/70,70/-,-/1", 3),
        ("0,0,0,3,0,0,0,0,9/9,0,0,0,0,0,0,0,1/70,70/-,-/2".into(), 0)
    );
    assert_eq!(
        played("0,2,0,0,0,0,0,0,9/9,0,0,0,0,0,0,0,1/70,71/-,-/2", 9),
        ("1,2,0,0,0,0,0,0,9/9,0,0,0,0,0,0,0,0/70,71/-,-/1".into(), 0)
    );
}

#[test]
fn an_even_pit_of_the_opponent_is_captured() {
    assert_eq!(
        played("9,9,9,9,9,9,9,9,9/9,9,9,9,9,9,9,9,9/0,0/-,-/1", 9),
        ("9,9,9,9,9,9,9,9,1/10,10,10,10,10,10,10,0,9/10,0/-,-/2".into(), 0)
    );
    // Pit 9 too, but never an own pit.
    assert_eq!(
        played("0,0,0,0,0,0,0,0,10/5,5,5,5,5,5,5,5,3/60,49/-,-/1", 9),
        ("0,0,0,0,0,0,0,0,1/6,6,6,6,6,6,6,6,0/64,49/-,-/2".into(), 0)
    );
    assert_eq!(
        played("2,3,0,0,0,0,0,0,6/9,0,0,0,0,0,0,0,1/71,70/-,-/1", 1),
        ("1,4,0,0,0,0,0,0,6/9,0,0,0,0,0,0,0,1/71,70/-,-/2".into(), 0)
    );
}

#[test]
fn laps_go_over_the_origin() {
    assert_eq!(
        played("19,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0/72,71/-,-/1", 1),
        ("2,1,1,1,1,1,1,1,1/1,1,1,1,1,1,1,1,1/72,71/-,-/2".into(), 0)
    );
    assert_eq!(
        played("0,0,0,0,0,0,0,0,28/0,0,0,0,0,0,0,0,0/67,67/-,-/1", 9),
        ("1,1,1,1,1,1,1,1,2/2,2,2,2,2,2,2,2,0/69,67/-,-/2".into(), 0)
    );
}

#[test]
fn three_balls_make_a_tuzdyk() {
    assert_eq!(
        played("0,0,0,0,0,0,0,0,1/2,0,0,0,0,0,0,0,10/70,79/-,-/1", 9),
        ("0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,10/73,79/1,-/2".into(), 0)
    );
    // Player two's stands in a pit of player one.
    assert_eq!(
        played("0,2,0,0,0,0,0,0,9/0,0,0,0,0,0,0,5,3/70,73/-,-/2", 9),
        ("1,0,0,0,0,0,0,0,9/0,0,0,0,0,0,0,5,1/70,76/-,2/1".into(), 0)
    );
}

#[test]
fn a_tuzdyk_is_refused_in_pit_nine_with_the_same_number_and_a_second_time() {
    assert_eq!(
        played("0,0,0,0,0,0,0,0,10/5,5,5,5,5,5,5,5,2/60,50/-,-/1", 9),
        ("0,0,0,0,0,0,0,0,1/6,6,6,6,6,6,6,6,3/60,50/-,-/2".into(), 0)
    );
    assert_eq!(
        played("0,0,0,0,0,0,0,0,1/2,0,0,0,0,0,0,0,10/70,79/-,1/1", 9),
        ("0,0,0,0,0,0,0,0,0/3,0,0,0,0,0,0,0,10/70,79/-,1/2".into(), 0)
    );
    assert_eq!(
        played("0,0,0,0,0,0,0,0,1/2,0,0,0,0,0,0,0,10/70,79/5,-/1", 9),
        ("0,0,0,0,0,0,0,0,0/3,0,0,0,0,0,0,0,10/70,79/5,-/2".into(), 0)
    );
}

#[test]
fn balls_in_a_tuzdyk_go_to_its_owner() {
    assert_eq!(
        played("0,0,0,0,0,0,7,0,0/1,0,1,2,0,0,0,0,1/70,80/2,8/1", 7),
        ("0,0,0,0,0,0,1,0,1/2,0,2,3,0,0,0,0,1/71,81/2,8/2".into(), 0)
    );
    // A last ball there captures nothing more, on either side.
    assert_eq!(
        played("0,0,0,0,0,0,0,4,0/1,0,1,2,0,0,0,0,3/71,80/2,1/1", 8),
        ("0,0,0,0,0,0,0,1,1/2,0,1,2,0,0,0,0,3/72,80/2,1/2".into(), 0)
    );
    // The ball that fills the opponent's store wins for the opponent.
    assert_eq!(
        played("0,0,0,0,0,0,2,0,0/1,0,0,0,0,0,0,0,8/70,81/-,8/1", 7),
        ("0,0,0,0,0,0,1,0,0/1,0,0,0,0,0,0,0,8/70,82/-,8/2".into(), -1)
    );
}

#[test]
fn eighty_two_balls_win_at_once() {
    let (text, reward) = played("5,0,0,0,0,0,0,0,1/1,5,0,0,0,0,0,0,0/80,70/-,-/1", 9);
    assert_eq!(text, "5,0,0,0,0,0,0,0,0/0,5,0,0,0,0,0,0,0/82,70/-,-/2");
    assert_eq!(reward, 1);
    let end = read(&text);
    assert_eq!(end.outcome(), Some(GameResult::Win(Player::One)));
    assert_eq!(end.actions().len(), 0);
    assert!((0..=u8::MAX).all(|pit| !end.is_legal(Pit(pit))));
    // 81 are not enough.
    let (text, reward) = played("5,0,0,0,0,0,0,0,1/1,5,0,0,0,0,0,0,0/79,71/-,-/1", 9);
    assert_eq!((read(&text).is_over(), reward), (false, 0));
}

#[test]
fn a_player_without_balls_ends_the_game() {
    // Player one takes player two's last ball and keeps the rest: 81 each.
    assert_eq!(
        played("9,0,0,0,0,0,0,0,1/1,0,0,0,0,0,0,0,0/70,81/-,-/1", 9),
        ("0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0/81,81/-,-/2".into(), 0)
    );
    let draw = read("0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0/81,81/-,-/2");
    assert_eq!(draw.outcome(), Some(GameResult::Draw));
    // Player two gives nothing to player one, who has nothing.
    assert_eq!(
        played("0,0,0,0,0,0,0,0,0/1,0,0,0,0,0,0,0,2/80,79/-,-/2", 1),
        ("0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0/80,82/-,-/1".into(), -1)
    );
    assert_eq!(played("0,0,0,0,0,0,0,0,0/1,0,0,0,0,0,0,0,2/81,78/-,-/2", 1).1, 0, "81 and 81");
}

/// The rules ball by ball on plain numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Slow {
    pits: [[u32; 9]; 2],
    stores: [u32; 2],
    /// The index of the pit of the other row that is the player's tuzdyk.
    tuzdyks: [Option<usize>; 2],
    mover: usize,
    over: bool,
}

impl Slow {
    fn new() -> Slow {
        let pits = [[9; 9]; 2];
        Slow { pits, stores: [0; 2], tuzdyks: [None; 2], mover: 0, over: false }
    }

    fn moves(&self) -> Vec<usize> {
        let filled = |&pit: &usize| !self.over && self.pits[self.mover][pit] > 0;
        (0..9).filter(filled).collect()
    }

    fn play(&mut self, pit: usize) {
        let (mover, other) = (self.mover, 1 - self.mover);
        let (mut row, mut at) = (mover, pit);
        let mut hand = std::mem::take(&mut self.pits[row][at]);
        if hand > 1 {
            self.pits[row][at] += 1;
            hand -= 1;
        }
        while hand > 0 {
            at += 1;
            if at == 9 {
                (row, at) = (1 - row, 0);
            }
            hand -= 1;
            if self.tuzdyks[1 - row] == Some(at) {
                self.stores[1 - row] += 1;
            } else {
                self.pits[row][at] += 1;
            }
        }
        if row == other && self.tuzdyks[mover] != Some(at) {
            let balls = self.pits[row][at];
            let new_tuzdyk = balls == 3
                && at != 8
                && self.tuzdyks[mover].is_none()
                && self.tuzdyks[other] != Some(at);
            if new_tuzdyk {
                self.tuzdyks[mover] = Some(at);
            }
            if new_tuzdyk || balls.is_multiple_of(2) {
                self.stores[mover] += balls;
                self.pits[row][at] = 0;
            }
        }
        self.mover = other;
        if self.stores.iter().any(|&balls| balls >= 82) {
            self.over = true;
        } else if self.pits[other].iter().all(|&balls| balls == 0) {
            self.stores[mover] += self.pits[mover].iter().sum::<u32>();
            self.pits[mover] = [0; 9];
            self.over = true;
        }
    }

    fn text(&self) -> String {
        let row = |player: usize| self.pits[player].map(|balls| balls.to_string()).join(",");
        let tuzdyk =
            |player: usize| self.tuzdyks[player].map_or("-".into(), |at| (at + 1).to_string());
        let [one, two] = self.stores;
        let player = self.mover + 1;
        format!("{}/{}/{one},{two}/{},{}/{player}", row(0), row(1), tuzdyk(0), tuzdyk(1))
    }
}

#[test]
fn agrees_with_sowing_ball_by_ball() {
    let (mut tuzdyks, mut collections, mut laps) = (0, 0, 0);
    for game in 0..2000 {
        let mut rng = Rng::stream(31, game);
        let mut fast = Togyzkumalak::default();
        let mut slow = Slow::new();
        while let Some((Pit(pit), next, reward)) = fast.step(&mut rng) {
            let moves: Vec<usize> = fast.actions().map(|Pit(pit)| usize::from(pit)).collect();
            assert_eq!(moves, slow.moves(), "{}", fast.text());
            laps += usize::from(slow.pits[slow.mover][usize::from(pit)] > 18);
            slow.play(usize::from(pit));
            fast = next;
            assert_eq!(fast.text(), slow.text());
            assert_eq!(fast.is_over(), slow.over, "{}", fast.text());
            let expected =
                if slow.over { slow.stores[0] as i32 - slow.stores[1] as i32 } else { 0 };
            assert_eq!(reward, expected.signum(), "{}", fast.text());
        }
        tuzdyks += slow.tuzdyks.iter().flatten().count();
        collections += usize::from(slow.pits == [[0; 9]; 2]);
    }
    assert!(tuzdyks > 1000 && collections > 20 && laps > 1000, "{tuzdyks} {collections} {laps}");
}

#[test]
fn the_board_is_drawn_with_player_two_above() {
    let position = read("0,1,2,3,4,5,6,0,8/9,0,11,12,13,14,15,16,17/20,6/2,8/2");
    let view = position.view();
    let texts: Vec<&str> = view.cells.iter().map(|cell| cell.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "17", "16", "15", "14", "13", "12", "11", "T", "9", //
            "0", "1", "2", "3", "4", "5", "6", "T", "8",
        ]
    );
    assert_eq!(position.action_cells(Pit(0)), [8]);
    assert_eq!(Togyzkumalak::default().action_cells(Pit(0)), [9]);
    assert!(view.facts.contains(&Fact::Number("store_1", 20)));
    assert!(view.facts.contains(&Fact::Text("tuzdyk_2", "8".into())));
}

#[test]
fn every_part_of_a_position_counts() {
    let texts = [
        "9,9,9,9,9,9,9,9,9/9,9,9,9,9,9,9,9,9/0,0/-,-/1",
        "9,9,9,9,9,9,9,9,9/9,9,9,9,9,9,9,9,9/0,0/-,-/2",
        "9,9,9,9,9,9,9,9,9/9,0,9,9,9,9,9,9,9/9,0/-,-/1",
        "9,9,9,9,9,9,9,9,9/9,0,9,9,9,9,9,9,9/9,0/2,-/1",
        "9,0,9,9,9,9,9,9,9/9,9,9,9,9,9,9,9,9/0,9/-,2/2",
        "9,9,9,9,9,9,9,9,9/9,0,9,9,9,9,9,9,9/0,9/-,-/1",
    ];
    let mut keys: Vec<u64> = texts.iter().map(|text| read(text).key()).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), texts.len());
}

#[test]
fn bad_positions_are_refused() {
    let row = "9,9,9,9,9,9,9,9,9";
    assert_eq!(
        refused(""),
        "position: found 1 part, expected 5 parts separated by '/': \
         pits, pits, stores, tuzdyks, player to move"
    );
    assert_eq!(
        refused("9,9/9/0,0/-,-/1"),
        "player 1: found 2 parts, expected 9 pits separated by ','"
    );
    for bad in ["+9", "163", "1000", "", " 9", "-1"] {
        let message = refused(&format!("{row}/9,9,{bad},9,9,9,9,9,9/0,0/-,-/1"));
        let expected = "expected a number from 0 to 162";
        assert_eq!(message, format!("player 2, pit 3: found '{bad}', {expected}"));
    }
    assert_eq!(
        refused(&format!("{row}/{row}/1,0/-,-/1")),
        "position: found 163 balls, expected 162 balls in pits and stores"
    );
    assert_eq!(
        refused(&format!("{row}/{row}/0,0/9,-/1")),
        "tuzdyk of player 1: found '9', expected a pit 1-8 of the opponent, or '-'"
    );
    assert_eq!(
        refused(&format!("{row}/{row}/0,0/-,3/1")),
        "tuzdyk of player 2: found 9 balls in pit 3, \
         expected an empty pit: its balls are in the owner's store"
    );
    assert_eq!(
        refused("9,9,0,9,9,9,9,9,9/9,9,0,9,9,9,9,9,9/9,9/3,3/1"),
        "tuzdyks: found pit 3 for both, expected different numbers"
    );
    assert_eq!(
        refused(&format!("{row}/9,9,0,9,9,9,9,9,9/2,7/3,-/1")),
        "tuzdyk of player 1: found 2 balls in the owner's store, \
         expected at least the 3 it was made of"
    );
    assert!(refused(&format!("0,0,0,0,0,0,0,0,0/{row}/40,41/-,-/1")).contains("the game is over"));
    assert_eq!(
        refused(&format!("{row}/{row}/0,0/-,-/3")),
        "player to move: found '3', expected '1' or '2'"
    );
    assert!(refused(&"9,".repeat(100_000)).contains("found 1 part"));
    assert!(refused(&"/".repeat(100_000)).contains("found 100001 parts"));
    let position = read("0,1,2,3,4,5,6,0,8/9,0,11,12,13,14,15,16,17/20,6/2,8/2");
    assert_eq!(
        position.parse_action("2").unwrap_err().to_string(),
        "move: found '2', expected a pit with balls in it"
    );
    assert_eq!(
        position.parse_action("10").unwrap_err().to_string(),
        "move: found '10', expected a pit 1-9"
    );
}
