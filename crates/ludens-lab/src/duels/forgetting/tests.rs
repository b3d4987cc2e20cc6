use super::*;

const GAME: &str = "sevn:base=5";

#[test]
fn what_is_lost_is_counted_from_when_it_was_learned() {
    let of = |values: [f64; 6]| {
        values.map(|value| Answer { value, likely: None, found: false }).to_vec()
    };
    let answers = [of([0.5, -0.5, 0.9, 0.8, -0.1, 0.2]), of([-1.0, -1.0, -1.0, 1.0, 1.0, -0.2])];
    assert_eq!(lost(&answers, 3), Rate { hits: 2, total: 4 });
    assert_eq!(lost(&answers, 5), Rate { hits: 1, total: 1 });
    assert_eq!(lost(&[], 3), Rate { hits: 0, total: 0 });
}

#[test]
fn puzzles_are_won_by_one_move() {
    let mut found = 0;
    for seed in 0..20 {
        let mut table = game(GAME).unwrap().start(seed);
        while table.action_count() > 0 {
            let actions = table.actions();
            table.play(&actions[seed as usize % actions.len()].text).unwrap();
        }
        while table.undo() {
            let Some(wins) = only_winning_move(GAME, &*table).unwrap() else { continue };
            found += 1;
            let exact = |action: &str| {
                let mut after = game(GAME).unwrap().parse(&table.position()).unwrap();
                after.play(action).unwrap();
                proof(&*after, Budget::nodes(1_000_000)).unwrap().value.unwrap()
            };
            for action in table.actions() {
                assert_eq!(exact(&action.text) < 0.0, action.text == wins);
            }
            break;
        }
    }
    assert!(found > 3, "{found}");
}

#[test]
fn puzzles_are_read_as_they_were_written() {
    for wins in [None, Some("0,0".to_owned())] {
        let puzzle = Puzzle { game: GAME.to_owned(), text: "text".to_owned(), wins };
        let again = Puzzle::from_json(&puzzle.to_json());
        assert_eq!((again.game, again.text, again.wins), (puzzle.game, puzzle.text, puzzle.wins));
    }
}
