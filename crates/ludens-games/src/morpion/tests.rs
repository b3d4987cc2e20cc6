use std::collections::HashSet;

use ludens_core::{Game, MoveCode, Notation, Params, Position, Rng, Symmetric, Variant, perft};

use super::reference::{self, Plain};
use super::{MOST, Morpion, MorpionVariant, Point};

const VARIANTS: [MorpionVariant; 2] = [MorpionVariant::Disjoint, MorpionVariant::Touching];

fn start(variant: MorpionVariant) -> Morpion {
    Morpion::start(&variant, &mut Rng::new(0))
}

fn read(variant: MorpionVariant, text: &str) -> Morpion {
    Morpion::parse(&variant, text).unwrap()
}

fn refused(variant: MorpionVariant, text: &str) -> String {
    Morpion::parse(&variant, text).unwrap_err().to_string()
}

#[test]
fn conforms() {
    for variant in VARIANTS {
        ludens_testkit::conform::<Morpion>(&variant);
        ludens_testkit::check_starts::<Morpion>(&variant);
    }
    ludens_testkit::check_fixed_actions::<Morpion>(&MorpionVariant::Touching);
}

#[test]
fn agrees_with_plain_rules_on_random_games() {
    for variant in VARIANTS {
        for game in 0..20 {
            let mut rng = Rng::stream(31, game);
            let (mut position, mut plain) = (start(variant), Plain::start(variant));
            loop {
                assert!(reference::agree(&position, &plain), "{}", position.text());
                let Some((line, next, reward)) = position.step(&mut rng) else { break };
                assert_eq!(reward, 1);
                plain.play(reference::plain(line));
                position = next;
            }
            assert_eq!(position.drawn() as usize, plain.lines.len());
        }
    }
}

/// Paths by the plain rules.
fn plain_perft(plain: &Plain, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let next = |one| {
        let mut next = plain.clone();
        next.play(one);
        plain_perft(&next, depth - 1)
    };
    plain.moves().into_iter().map(next).sum()
}

#[test]
fn perft_of_the_start() {
    let known = [
        (MorpionVariant::Disjoint, [28, 740, 18416, 430488]),
        (MorpionVariant::Touching, [28, 748, 18992, 456520]),
    ];
    for (variant, counts) in known {
        assert_eq!(perft(&start(variant), 4, &|| false).unwrap(), counts);
        let plain = [1, 2, 3].map(|depth| plain_perft(&Plain::start(variant), depth));
        assert_eq!(plain, counts[..3]);
    }
}

/// The positions after each number of moves, and how many are left when images of each other
/// count once.
#[test]
fn positions_of_the_first_moves() {
    let known = [
        (MorpionVariant::Disjoint, [(28, 4), (374, 55), (3176, 404)]),
        (MorpionVariant::Touching, [(28, 4), (382, 56), (3368, 428)]),
    ];
    for (variant, counts) in known {
        let mut layer = HashSet::from([start(variant)]);
        let mut found = Vec::new();
        for _ in counts {
            let mut next = HashSet::new();
            for position in layer {
                position.children(|_, child, _| next.extend([child]));
            }
            let distinct: HashSet<Morpion> = next.iter().map(Symmetric::canonical).collect();
            found.push((next.len(), distinct.len()));
            layer = next;
        }
        assert_eq!(found, counts);
    }
}

#[test]
fn lines_of_one_direction_meet_by_the_variant() {
    let [disjoint, touching] = VARIANTS.map(|variant| read(variant, "p18h5"));
    // The end of the first line is the first point of the second.
    assert!(touching.parse_action("q18h2").is_ok());
    assert!(disjoint.parse_action("q18h2").is_err());
    // They would share a segment.
    assert!(start(MorpionVariant::Touching).parse_action("p18h5").is_ok());
    for position in [disjoint, touching] {
        assert_eq!(
            position.parse_action("q18h3").unwrap_err().to_string(),
            "move: found 'q18h3', expected a line with four points there and free in its direction"
        );
    }
    // Another direction is free.
    let crossed = read(MorpionVariant::Disjoint, "s21h5;o22v5");
    assert_eq!(crossed.drawn(), 2);
}

/// Two lines through the same new point are two moves.
#[test]
fn one_point_may_complete_several_lines() {
    let position = read(MorpionVariant::Touching, "p18h5");
    let [one, other] = ["q18h1", "q18h2"].map(|text| position.parse_action(text).unwrap());
    assert_eq!(one.new_point(), other.new_point());
    assert_ne!(position.apply(one), position.apply(other));
    assert_ne!(position.code(one), position.code(other));
}

/// Positions are the same whatever the order of the moves, and texts are read with signs.
#[test]
fn orders_of_moves_do_not_matter() {
    for variant in VARIANTS {
        let one = read(variant, "s21h5;o22v5;p18h5");
        let other = read(variant, " o22|5 p18-5\n s21-5 ");
        assert_eq!((one, one.key()), (other, other.key()));
        assert_eq!(one.text(), other.text());
    }
    assert_eq!(read(MorpionVariant::Disjoint, ""), start(MorpionVariant::Disjoint));
    assert_eq!(start(MorpionVariant::Touching).text(), "-");
}

#[test]
fn texts_that_are_refused() {
    let message = |text| refused(MorpionVariant::Disjoint, text);
    let form = "expected a point, a direction h v u d and a place 1-5, such as q21h5";
    for (text, found) in [
        ("p18", "p18"),
        ("p18h6", "p18h6"),
        ("p33h1", "p33h1"),
        ("p+1h1", "p+1h1"),
        ("G8h1", "G8h1"),
    ] {
        assert_eq!(message(text), format!("move 1, move: found '{found}', {form}"));
    }
    assert_eq!(
        message("p18h5;p18h5"),
        "move 2, move: found 'p18h5', expected a point that is not there yet"
    );
    // A line that would leave the board.
    assert!(message("a5h2").contains("four points"));
    let wrong = MorpionVariant::read(&mut Params::parse("variant=4T").unwrap()).unwrap_err();
    assert_eq!(wrong.to_string(), "parameter variant: found '4T', expected 5D | 5T");
}

/// The edge is far away, and there are far fewer moves than there is space for.
#[test]
fn games_stay_in_the_middle() {
    for variant in VARIANTS {
        let mut rng = Rng::new(8);
        let (mut most, mut least, mut longest) = (0, 32, 0);
        for _ in 0..500 {
            let mut position = start(variant);
            while let Some((line, next, _)) = position.step(&mut rng) {
                let Point { x, y } = line.new_point();
                least = least.min(x).min(y).min(31 - x).min(31 - y);
                most = most.max(position.actions().len());
                position = next;
            }
            longest = longest.max(position.drawn());
        }
        assert!(least >= 5 && most <= MOST / 4 && longest < 120, "{least} {most} {longest}");
    }
}

#[test]
fn drawing_shows_points_lines_and_moves() {
    let position = read(MorpionVariant::Disjoint, "s21h5");
    let view = position.view();
    let row = |row: usize| -> String {
        view.cells[row * view.cols..][..view.cols]
            .iter()
            .map(|cell| if cell.text.is_empty() { "." } else { &cell.text })
            .collect()
    };
    let top = view.row_labels.iter().position(|label| label == "21").unwrap();
    assert_eq!(row(top), ". . . . ●─●─●─●─● . . .");
    let line = position.actions().next().unwrap();
    let cells = position.action_cells(line);
    assert_eq!((view.cells[cells[0]].text.as_str(), cells.len()), ("○", 9));
}
