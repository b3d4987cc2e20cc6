use ludens_core::{Duel, Position};
use ludens_core::{Game, GameResult, NoVariant, Notation, Player, Rng, perft};

use super::ConnectFour;

fn read(text: &str) -> ConnectFour {
    ConnectFour::parse(&NoVariant, text).unwrap()
}

fn refused(text: &str) -> String {
    ConnectFour::parse(&NoVariant, text).unwrap_err().to_string()
}

#[test]
fn conforms() {
    ludens_testkit::conform::<ConnectFour>(&NoVariant);
    ludens_testkit::check_duel::<ConnectFour>(&NoVariant);
    ludens_testkit::check_starts::<ConnectFour>(&NoVariant);
    ludens_testkit::check_fixed_actions::<ConnectFour>(&NoVariant);
}

#[test]
fn perft_of_the_start() {
    let counts = perft(&ConnectFour::default(), 9, &|| false).unwrap();
    assert_eq!(counts, [7, 49, 343, 2401, 16807, 117_649, 823_536, 5_673_234, 39_394_572]);
}

#[test]
fn wins_in_all_directions() {
    for (moves, winner) in [
        ("1212121", Player::One),
        ("1122334", Player::One),
        ("12233434474", Player::One),
        ("76655454474", Player::One),
        ("71212121", Player::Two),
    ] {
        assert_eq!(read(moves).outcome(), Some(GameResult::Win(winner)), "{moves}");
    }
}

#[test]
fn moves_and_boards_are_two_forms_of_one_position() {
    let by_moves = read("4453");
    let by_board = read("......./......./......./......./...O.../..OXX..");
    assert_eq!(by_moves, by_board);
    assert_eq!(by_moves.key(), by_board.key());
    assert_eq!(read(""), ConnectFour::default());
}

#[test]
fn bad_positions_are_refused() {
    assert_eq!(refused("48"), "move 2, move: found '8', expected a column 1-7");
    assert_eq!(refused("1111111"), "move 7, move: found '1', expected a column that is not full");
    assert_eq!(refused("12121212"), "move 8: found '2', expected nothing: the game is over");
    assert_eq!(
        refused("./."),
        "board: found 2 rows, expected 6 rows separated by '/', or columns played"
    );
    assert!(refused("......./......./......./...X.../......./.......").contains("floating"));
    assert!(refused("......./......./......./......./......./XX.....").contains("2 X and 0 O"));
    assert!(refused("......./......./......./......./XXXX.../OOOO...").contains("four"));
}

#[test]
fn agrees_with_an_independent_engine_on_random_games() {
    use connect_four_ai::Position as Oracle;
    for game in 0..300 {
        let mut rng = Rng::stream(11, game);
        let mut ours = ConnectFour::default();
        let mut theirs = Oracle::new();
        while let Some((action, next, _)) = ours.step(&mut rng) {
            let column = usize::from(action.0);
            for c in 0..7 {
                let legal = ours.actions().any(|a| usize::from(a.0) == c);
                assert_eq!(theirs.is_playable(c), legal, "column {c} of {}", ours.text());
            }
            let wins = matches!(next.outcome(), Some(GameResult::Win(_)));
            assert_eq!(theirs.is_winning_move(column), wins, "{}", next.text());
            if wins {
                break;
            }
            theirs.play(column);
            ours = next;
        }
    }
}
