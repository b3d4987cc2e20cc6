use std::collections::HashMap;

use ludens_core::{Game, Notation, Params, Position, Rng, Sym, Symmetric, Variant, perft};
use ludens_testkit::best_total;

use super::board::{self, generic};
use super::plane::Portable;
use super::reference::Plain;
use super::{Penalty, SameGame, SameGameVariant, Scoring};

const PLAIN: Scoring = Scoring::SameGame(Penalty::None);
const ALL: Scoring = Scoring::SameGame(Penalty::All);
const COLOUR: Scoring = Scoring::SameGame(Penalty::Colour);

fn variant(rows: u8, cols: u8, colours: u8, scoring: Scoring) -> SameGameVariant {
    SameGameVariant::new(rows, cols, colours, scoring).unwrap()
}

/// Shapes at the limits of the planes, and every way of counting.
fn variants() -> Vec<SameGameVariant> {
    vec![
        SameGameVariant::default(),
        variant(16, 16, 7, COLOUR),
        variant(16, 16, 2, ALL),
        variant(10, 10, 4, Scoring::Bubble),
        variant(3, 16, 3, Scoring::Clickomania),
        variant(16, 5, 3, PLAIN),
        variant(1, 16, 2, COLOUR),
        variant(16, 1, 2, ALL),
        variant(4, 4, 1, PLAIN),
        variant(1, 1, 1, Scoring::Clickomania),
        variant(3, 3, 6, COLOUR),
        variant(7, 6, 5, COLOUR).with_empty(0).unwrap(),
    ]
}

fn read(variant: &SameGameVariant, text: &str) -> SameGame {
    SameGame::parse(variant, text).unwrap()
}

/// Plays a move given by any cell of its group.
fn play(position: SameGame, text: &str) -> (SameGame, i32) {
    position.apply(position.parse_action(text).unwrap())
}

#[test]
fn conforms() {
    for variant in variants() {
        ludens_testkit::conform::<SameGame>(&variant);
        ludens_testkit::check_fixed_actions::<SameGame>(&variant);
    }
}

#[test]
fn agrees_with_plain_rules_on_random_games() {
    for variant in variants() {
        for game in 0..8 {
            let mut rng = Rng::stream(21, game);
            let mut position = SameGame::start(&variant, &mut rng);
            loop {
                let plain = Plain::of(&position, &variant);
                assert_eq!(position.blocks() as usize, plain.blocks());
                let groups = plain.groups();
                let mut children = Vec::new();
                position.children(|group, next, reward| children.push((group, next, reward)));
                assert_eq!(children.len(), groups.len(), "groups of {}", position.text());
                for (&(group, next, reward), cells) in children.iter().zip(&groups) {
                    let lowest = (usize::from(group.column()), usize::from(group.row()));
                    assert_eq!(lowest, cells[0], "{}", position.text());
                    assert_eq!(position.group_size(group) as usize, cells.len());
                    let expected = plain.remove(cells);
                    assert_eq!(
                        (Plain::of(&next, &variant), reward),
                        expected,
                        "{group:?} in {}",
                        position.text()
                    );
                    // What `of` leaves out: nothing lies outside or above a hole.
                    assert_eq!(next.blocks() as usize, expected.0.blocks());
                }
                match position.step(&mut rng) {
                    Some((_, next, _)) => position = next,
                    None => break,
                }
            }
        }
    }
}

#[test]
fn portable_planes_do_the_same() {
    for variant in variants() {
        for game in 0..10 {
            let mut rng = Rng::stream(22, game);
            let mut position = SameGame::start(&variant, &mut rng);
            loop {
                let text = || position.text();
                let (mut one, mut two) = (rng.clone(), rng.clone());
                assert_eq!(
                    board::playout(&position, &mut one),
                    generic::playout(Portable, &position, &mut two),
                    "{}",
                    text()
                );
                assert_eq!(one, two);
                assert_eq!(board::has_move(&position), generic::has_move(Portable, &position));
                assert_eq!(
                    board::lowest_cells(&position),
                    generic::lowest_cells(Portable, &position)
                );
                let (mut fast, mut slow) = (Vec::new(), Vec::new());
                board::children(&position, |g, p, r| fast.push((g, p, r)));
                generic::children(Portable, &position, |g, p, r| slow.push((g, p, r)));
                assert_eq!(fast, slow, "{}", text());
                for (group, next, reward) in slow {
                    assert_eq!(generic::remove_at(Portable, &position, group.0), (next, reward));
                }
                for cell in 0..=255 {
                    assert_eq!(
                        board::group_at(&position, cell),
                        generic::group_at(Portable, &position, cell),
                        "cell {cell} of {}",
                        text()
                    );
                }
                let step = generic::step(Portable, &position, &mut rng.clone());
                assert_eq!(step, board::step(&position, &mut rng));
                let Some((_, next, _)) = step else { break };
                position = next;
            }
        }
    }
}

#[test]
fn blocks_fall_and_columns_close() {
    let v = variant(3, 4, 3, PLAIN);
    let (next, reward) = play(read(&v, "0.../1200/0211"), "1,1");
    assert_eq!((next.text().as_str(), reward), ("0...100.011.", 0));
    let (next, reward) = play(next, "2,1");
    assert_eq!((next.text().as_str(), reward), ("0...1...011.", 0));
    // Two columns meet where the one between them was.
    let v = variant(2, 3, 3, PLAIN);
    let (next, reward) = play(read(&v, "020/020"), "1,0");
    assert_eq!((next.text().as_str(), reward), ("00.00.", 0));
    assert_eq!(play(next, "1,1"), (read(&v, "......"), 1004));
}

#[test]
fn the_last_move_pays_for_the_blocks_left() {
    let cases = [
        // Two blocks of each of two colours: what is left costs (4-2)^2, or nothing.
        ("220101.", [0, -4, 0, 2, -4]),
        ("222010.", [1, 1 - 1, 1 - 1, 6, -3]),
        // Three, one and one.
        ("2201020", [0, -9, -3, 2, -5]),
        ("2222220", [16, 16 - 1, 16 - 1, 30, -1]),
    ];
    for (text, paid) in cases {
        for (scoring, paid) in
            [PLAIN, ALL, COLOUR, Scoring::Bubble, Scoring::Clickomania].into_iter().zip(paid)
        {
            let (end, reward) = play(read(&variant(1, 7, 3, scoring), text), "0,0");
            assert!(end.is_over());
            assert_eq!(reward, paid, "{text} with {scoring:?}");
        }
    }
}

#[test]
fn a_move_that_does_not_end_the_game_pays_only_for_its_group() {
    for (scoring, paid) in
        [(PLAIN, 1), (ALL, 1), (COLOUR, 1), (Scoring::Bubble, 6), (Scoring::Clickomania, 0)]
    {
        let (next, reward) = play(read(&variant(1, 7, 3, scoring), "2220110"), "1,0");
        assert_eq!((next.is_over(), reward), (false, paid), "{scoring:?}");
    }
}

#[test]
fn a_cleared_board_pays_the_bonus() {
    for (scoring, paid) in [
        (PLAIN, 1004),
        (ALL, 1004),
        (COLOUR, 1004),
        (Scoring::Bubble, 12),
        (Scoring::Clickomania, 0),
    ] {
        let (end, reward) = play(read(&variant(2, 3, 2, scoring), "1../111"), "2,0");
        assert_eq!((end.text().as_str(), reward), ("......", paid), "{scoring:?}");
        assert!(end.is_over());
    }
}

#[test]
fn a_start_without_a_move_is_over_and_pays_nothing() {
    let position = read(&variant(1, 4, 2, ALL), "0101");
    assert!(position.is_over());
    let playout = position.playout(&mut Rng::new(1));
    assert_eq!((playout.end, playout.moves, playout.total), (position, 0, 0));
}

#[test]
fn small_boards_that_can_be_cleared() {
    for (rows, cols, colours, expected) in [(3, 3, 2, 396), (4, 3, 2, 3376), (2, 4, 3, 1641)] {
        let v = variant(rows, cols, colours, PLAIN);
        let cells = usize::from(rows * cols);
        let base = usize::from(colours);
        let mut known = HashMap::new();
        let clearable = (0..base.pow(cells as u32))
            .filter(|&number| {
                let text: String =
                    (0..cells).map(|i| (number / base.pow(i as u32) % base).to_string()).collect();
                best_total(&read(&v, &text), &mut known) >= 1000
            })
            .count();
        assert_eq!(clearable, expected, "{rows} x {cols}, {colours} colours");
    }
}

#[test]
fn perft_of_a_small_board() {
    let text = "011202/120011/221102/010220/012101/200211";
    let counts = perft(&read(&variant(6, 6, 3, PLAIN), text), 6, &|| false).unwrap();
    assert_eq!(counts, [10, 85, 647, 4450, 27_183, 146_322]);
}

#[test]
fn canonical_forms_are_the_same_for_all_images_and_only_for_them() {
    let v = variant(4, 4, 3, PLAIN);
    let mut rng = Rng::new(23);
    let mut forms: HashMap<SameGame, Vec<SameGame>> = HashMap::new();
    for _ in 0..60 {
        let mut position = SameGame::start(&v, &mut rng);
        while let Some((_, next, _)) = position.step(&mut rng) {
            let images: Vec<SameGame> =
                (0..SameGame::symmetries(&v)).map(|s| position.map(Sym(s))).collect();
            let form = position.canonical();
            assert!(images.contains(&form), "{} is no image", form.text());
            assert!(images.iter().all(|image| image.canonical() == form));
            let least = images.into_iter().min().unwrap();
            let others = forms.entry(form).or_default();
            if !others.contains(&least) {
                others.push(least);
            }
            position = next;
        }
    }
    assert!(forms.values().all(|least| least.len() == 1));
}

#[test]
fn rows_may_be_separated() {
    let v = variant(2, 3, 3, PLAIN);
    let position = read(&v, "2..011");
    for text in ["2../011", "2..\n011\n", " 2..\r\n011\r\n"] {
        assert_eq!(read(&v, text), position, "{text:?}");
    }
    assert_eq!(position.text(), "2..011");
    assert_eq!(position.key(), read(&v, "2../011").key());
}

#[test]
fn bad_positions_are_refused() {
    let refused =
        |text: &str| SameGame::parse(&variant(2, 3, 3, PLAIN), text).unwrap_err().to_string();
    assert_eq!(
        refused("2..01"),
        "board: found '2..01' (5 cells), expected 2 rows of 3 cells: 6 characters"
    );
    assert_eq!(refused(""), "board: found '' (0 cells), expected 2 rows of 3 cells: 6 characters");
    assert_eq!(refused("0/1/2"), "board: found 3 rows, expected 2 rows");
    assert_eq!(refused("2../0111"), "row 2 from the top: found '0111', expected 3 characters");
    assert_eq!(
        refused("2../013"),
        "row 2 from the top, column 3: found '3', expected a digit 0-2 or '.'"
    );
    assert_eq!(
        refused("22./0.1"),
        "row 1 from the top, column 2: found a floating block, expected a block below it"
    );
    assert_eq!(
        refused("2../0.1"),
        "row 2 from the top, column 3: found a block to the right of an empty column, \
         expected empty columns at the right only"
    );
    assert!(refused(&"0".repeat(100_000)).contains("100000 characters"));
}

#[test]
fn any_cell_names_its_group_and_bad_moves_are_refused() {
    let position = read(&variant(2, 3, 3, PLAIN), "21./011");
    let group = position.parse_action("2,0").unwrap();
    assert_eq!(position.parse_action("1,1"), Ok(group));
    assert_eq!(position.action_text(group), "1,0");
    assert_eq!(position.action_pair(group), Some([1, 0]));
    assert_eq!(position.action_cells(group), [1, 4, 5]);
    let refused = |text: &str| position.parse_action(text).unwrap_err().to_string();
    assert_eq!(refused("12"), "move: found '12', expected a column and a row such as '3,0'");
    assert_eq!(refused("+1,0"), "move: found '+1,0', expected a column and a row such as '3,0'");
    assert_eq!(refused("3,0"), "move: found '3,0', expected a column 0-2 and a row 0-1");
    assert_eq!(refused("2,1"), "move: found '2,1', expected a cell with a block");
    assert_eq!(refused("0,0"), "move: found '0,0', expected a group of at least two blocks");
    let over = read(&position.variant(), "2../02.");
    let message = over.parse_action("0,0").unwrap_err().to_string();
    assert_eq!(message, "move: found '0,0', expected no move: the game is over");
}

#[test]
fn variants_read_and_refuse() {
    let variant_of = |text: &str| SameGameVariant::read(&mut Params::parse(text).unwrap());
    assert_eq!(variant_of(""), Ok(SameGameVariant::default()));
    assert_eq!(variant_of("rows=10,cols=9,colours=4"), Ok(variant(10, 9, 4, PLAIN)));
    assert_eq!(variant_of("penalty=colour"), Ok(variant(15, 15, 5, COLOUR)));
    assert_eq!(variant_of("scoring=bubble,penalty=none"), Ok(variant(15, 15, 5, Scoring::Bubble)));
    let emptier = variant(15, 15, 5, COLOUR).with_empty(0).unwrap();
    assert_eq!(variant_of("penalty=colour,empty=0"), Ok(emptier));
    assert_eq!(emptier.write().pop(), Some(("empty", "0".to_owned())));
    let refused = |text: &str| variant_of(text).unwrap_err().to_string();
    assert_eq!(
        refused("empty=3,colours=3"),
        "parameter empty: found '3', expected none or a colour 0-2"
    );
    assert_eq!(
        refused("scoring=clickomania,penalty=all"),
        "parameter penalty: found 'all', expected none with scoring=clickomania"
    );
    assert_eq!(refused("rows=17"), "parameter rows: found '17', expected a number from 1 to 16");
    assert_eq!(refused("colours=0"), "parameter colours: found '0', expected a number from 1 to 7");
    assert_eq!(
        refused("scoring=plain"),
        "parameter scoring: found 'plain', expected samegame | bubble | clickomania"
    );
}

#[test]
fn positions_are_small() {
    assert_eq!(size_of::<SameGame>(), 104);
}

#[test]
fn keys_tell_variants_and_boards_apart() {
    let text = "0101010101010101";
    let mut keys: Vec<u64> = [PLAIN, ALL, COLOUR, Scoring::Bubble, Scoring::Clickomania]
        .into_iter()
        .flat_map(|scoring| [variant(4, 4, 2, scoring), variant(4, 4, 3, scoring)])
        .map(|variant| read(&variant, text).key())
        .collect();
    let mut rng = Rng::new(24);
    let v = variant(16, 16, 7, PLAIN);
    keys.extend((0..20_000).map(|_| SameGame::start(&v, &mut rng).key()));
    let total = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), total);
}
