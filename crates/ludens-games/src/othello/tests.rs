use ludens_core::{
    Duel, Fact, Game, GameResult, NoVariant, Notation, Player, Position, Rng, Sym, Symmetric, perft,
};

use super::{Othello, Square};

fn read(text: &str) -> Othello {
    Othello::parse(&NoVariant, text).unwrap()
}

fn refused(text: &str) -> String {
    Othello::parse(&NoVariant, text).unwrap_err().to_string()
}

#[test]
fn conforms() {
    ludens_testkit::conform::<Othello>(&NoVariant);
    ludens_testkit::check_duel::<Othello>(&NoVariant);
    ludens_testkit::check_starts::<Othello>(&NoVariant);
    ludens_testkit::check_fixed_actions::<Othello>(&NoVariant);
}

#[test]
fn perft_of_the_start() {
    let counts = perft(&Othello::default(), 9, &|| false).unwrap();
    assert_eq!(counts, [4, 12, 56, 244, 1396, 8200, 55092, 390_216, 3_005_288]);
}

#[test]
fn the_shortest_games_have_nine_moves() {
    /// The finished games of each number of moves.
    fn count_ends(position: &Othello, depth: usize, ends: &mut [u64; 10]) {
        position.children(|_, next, _| {
            ends[depth] += u64::from(next.is_over());
            if depth < 9 {
                count_ends(&next, depth + 1, ends);
            }
        });
    }
    let mut ends = [0; 10];
    count_ends(&Othello::default(), 1, &mut ends);
    assert_eq!(ends, [0, 0, 0, 0, 0, 0, 0, 0, 0, 228]);
}

#[test]
fn both_builds_of_the_random_game_agree() {
    let mut position = Othello::default();
    for game in 0..200 {
        let (mut one, mut two) = (Rng::stream(3, game), Rng::stream(3, game));
        assert_eq!(position.playout(&mut one), position.random_game(&mut two));
        assert_eq!(one, two);
        position = position.step(&mut one).map_or_else(Othello::default, |(_, next, _)| next);
    }
}

#[test]
fn agrees_with_an_independent_engine_on_random_games() {
    use magpie::othello::{Bitboard, Game as Oracle, Position as Cell, Status, Stone};
    // There a1 is the highest bit.
    let bits = |board: Bitboard| board.raw().reverse_bits();
    let mut passes = 0;
    for game in 0..400 {
        let mut rng = Rng::stream(11, game);
        let mut ours = Othello::default();
        let mut theirs = Oracle::new();
        loop {
            let [x, o] = ours.discs();
            assert_eq!(bits(theirs.bits_for(Stone::Black)), x, "{}", ours.text());
            assert_eq!(bits(theirs.bits_for(Stone::White)), o, "{}", ours.text());
            assert_eq!(bits(theirs.moves()), ours.open_cells(), "{}", ours.text());
            let Some((action, next, _)) = ours.step(&mut rng) else { break };
            assert_eq!(theirs.status(), Status::Progressing, "{}", ours.text());
            let mover = match ours.to_move() {
                Player::One => Stone::Black,
                Player::Two => Stone::White,
            };
            assert_eq!(theirs.current_turn(), mover, "{}", ours.text());
            if action == Square::PASS {
                passes += 1;
                theirs.pass_turn();
            } else {
                let cell = Cell::try_from((1u64 << action.0).reverse_bits()).unwrap();
                theirs.play(cell).unwrap();
            }
            ours = next;
        }
        // There the game goes on until a second player has passed.
        theirs.pass_turn();
        let expected = match theirs.status() {
            Status::Win(Stone::Black) => GameResult::Win(Player::One),
            Status::Win(Stone::White) => GameResult::Win(Player::Two),
            Status::Draw => GameResult::Draw,
            Status::Progressing => panic!("{} is not over there", ours.text()),
        };
        assert_eq!(ours.outcome(), Some(expected), "{}", ours.text());
    }
    assert!(passes > 100, "only {passes} passes came up");
}

/// What a disc on a cell turns over, found by walking from it in each direction.
fn flips_by_walking(position: &Othello, cell: usize) -> u64 {
    let holds = |discs: u64, row: i32, column: i32| {
        (0..8).contains(&row) && (0..8).contains(&column) && discs >> (row * 8 + column) & 1 == 1
    };
    let (row, column) = ((cell / 8) as i32, (cell % 8) as i32);
    if holds(position.own | position.opp, row, column) {
        return 0;
    }
    let mut turned = 0;
    for (down, right) in [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)] {
        let (mut r, mut c, mut line) = (row + down, column + right, 0u64);
        while holds(position.opp, r, c) {
            line |= 1 << (r * 8 + c);
            (r, c) = (r + down, c + right);
        }
        if holds(position.own, r, c) {
            turned |= line;
        }
    }
    turned
}

#[test]
fn agrees_with_walking_on_any_discs() {
    // Any discs at all, not only those of games: long lines and edges come up more.
    let mut rng = Rng::new(21);
    for _ in 0..3000 {
        let all = rng.next_u64() | rng.next_u64();
        let own = all & rng.next_u64();
        let position = Othello { own, opp: all & !own, side: Player::One };
        for cell in 0..64 {
            let turned = flips_by_walking(&position, cell);
            let square = Square(cell as u8);
            assert_eq!(position.is_legal(square), turned != 0, "{square:?} in {position:?}");
            assert_eq!(position.open_cells() >> cell & 1 == 1, turned != 0, "{position:?}");
            if turned != 0 {
                let (next, _) = position.apply(square);
                assert_eq!(next.own, position.opp & !turned, "{square:?} in {position:?}");
                assert_eq!(next.opp, position.own | turned | 1 << cell, "{square:?}");
            }
        }
    }
}

#[test]
fn a_wiped_out_opponent_ends_the_game_early() {
    let moves = "e6f4e3f6g5d6e7f5c5";
    let end = read(moves);
    assert_eq!(end.discs().map(u64::count_ones), [13, 0]);
    assert_eq!(end.outcome(), Some(GameResult::Win(Player::One)));
    assert_eq!(end.actions().len(), 0);
    let before = read(&moves[..moves.len() - 2]);
    assert_eq!(before.apply(before.parse_action("c5").unwrap()), (end, 1));
}

#[test]
fn the_pass_is_the_only_move_of_a_player_who_has_none() {
    // The only O is on the edge, so X turns nothing over; O can, on f4 and elsewhere.
    let position = read(&format!("{}OXXXX......XX...{} X", ".".repeat(24), ".".repeat(24)));
    assert_eq!(position.actions().collect::<Vec<_>>(), [Square::PASS]);
    assert_eq!(position.action_text(Square::PASS), "--");
    let (next, reward) = position.apply(Square::PASS);
    assert_eq!((next.to_move(), next.discs(), reward), (Player::Two, position.discs(), 0));
    assert!(!next.is_legal(Square::PASS));
    assert_eq!(
        position.parse_action("c4").unwrap_err().to_string(),
        "move: found 'c4', expected --: there is only the pass"
    );
    let empty = position.action_cells(Square::PASS);
    assert_eq!(empty.len(), 57);
}

#[test]
fn lists_of_moves_may_leave_passes_out() {
    let mut checked = 0;
    for game in 0..200 {
        let mut rng = Rng::stream(4, game);
        let mut position = Othello::default();
        let (mut full, mut short) = (String::new(), String::new());
        while let Some((action, next, _)) = position.step(&mut rng) {
            let text = position.action_text(action);
            full += &text;
            short += if action == Square::PASS { "" } else { &text };
            position = next;
        }
        assert_eq!(read(&full), position);
        assert_eq!(read(&short.to_uppercase()), position);
        checked += usize::from(full != short);
    }
    assert!(checked > 50, "only {checked} games with a pass");
}

#[test]
fn moves_and_boards_are_two_forms_of_one_position() {
    let start = Othello::default();
    assert_eq!(read(""), start);
    let row = "........";
    let text = format!("{row}{row}{row}...OX......XO...{row}{row}{row} X");
    assert_eq!(start.text(), text);
    assert_eq!(read(&text.replace(row, "........\n")), start);
    let first: Vec<String> = start.actions().map(|a| start.action_text(a)).collect();
    assert_eq!(first, ["d3", "c4", "f5", "e6"]);
    let by_moves = read("f5 d6 c3");
    let by_board = read(&by_moves.text());
    assert_eq!(by_moves, by_board);
    assert_eq!(by_moves.key(), by_board.key());
    assert_ne!(by_moves.key(), by_moves.passed().key());
    let facts = by_moves.view().facts;
    assert!(facts.contains(&Fact::Number("discs_x", 5)), "{facts:?}");
    assert!(facts.contains(&Fact::Number("discs_o", 2)), "{facts:?}");
    let mobility = by_moves.actions().len() as i64;
    assert!(facts.contains(&Fact::Number("mobility", mobility)), "{facts:?}");
}

#[test]
fn symmetries_are_a_group_of_eight() {
    let corner = Square(1);
    let images: Vec<Square> =
        (0..8).map(|s| Othello::default().map_action(corner, Sym(s))).collect();
    // b1, g1, b8, g8, a2, a7, h2, h7 in the order of the symmetries.
    assert_eq!(images, [1, 6, 57, 62, 8, 48, 15, 55].map(Square));
    let position = read("f5d6c3");
    let mut boards: Vec<Othello> = (0..8).map(|s| position.map(Sym(s))).collect();
    boards.sort_unstable();
    boards.dedup();
    assert_eq!(boards.len(), 8);
}

#[test]
fn bad_positions_are_refused() {
    assert_eq!(
        refused("f5f4a1"),
        "move 3, move: found 'a1', expected an empty cell from which discs are turned over"
    );
    assert_eq!(refused("f5d"), "move 2, move: found 'd', expected a cell a1-h8, or -- for a pass");
    assert_eq!(
        refused("--"),
        "move 1, move: found '--', expected an empty cell from which discs are turned over"
    );
    assert_eq!(
        refused("e6f4e3f6g5d6e7f5c5a1"),
        "move 10: found 'a1', expected nothing: the game is over"
    );
    let start = Othello::default().text();
    let cells = &start[..64];
    assert_eq!(
        refused(cells),
        "board: found 64 characters, expected 64 cells and the side to move, X or O"
    );
    assert!(refused(&format!("{cells} XX")).starts_with("board: found 66 characters"));
    assert_eq!(refused(&format!("{cells} b")), "side to move: found 'b', expected 'X' or 'O'");
    assert_eq!(
        refused(&start.replacen("OX", "xX", 1)),
        "cell d4: found 'x', expected 'X', 'O' or '.'"
    );
    assert_eq!(
        refused(&start.replacen("OX", ".X", 1)),
        "cell d4: found no disc, expected a disc: the centre is filled from the start"
    );
    assert_eq!(
        refused(&start.replacen("........", "O.......", 1)),
        "cell a1: found a disc apart from the others, expected all discs to touch"
    );
    assert!(refused(&".".repeat(100_000)).contains("100000 characters"));
    assert!(refused(&"f5".repeat(100_000)).starts_with("move 2"));
}
