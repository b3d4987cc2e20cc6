//! Opening books inside the program, each with its card. `models/README.md` has the command.

/// An opening book inside the program: exact scores of positions with few stones.
#[derive(PartialEq, Eq, Debug)]
pub struct BundledBook {
    /// The game it is for.
    pub game: &'static str,
    /// What it holds.
    pub positions: &'static str,
    /// The 64-bit FNV-1a hash of its bytes.
    pub hash: u64,
    /// Its file.
    pub bytes: &'static [u8],
}

impl BundledBook {
    /// The one of a game.
    ///
    /// ```
    /// use ludens_models::BundledBook;
    /// assert_eq!(BundledBook::find("connect-four").is_some(), cfg!(feature = "bundled"));
    /// assert!(BundledBook::find("chess").is_none());
    /// ```
    pub fn find(game: &str) -> Option<&'static BundledBook> {
        BOOKS.iter().find(|book| book.game == game)
    }
}

/// All books inside the program.
#[cfg(feature = "bundled")]
pub static BOOKS: &[BundledBook] = &[BundledBook {
    game: "connect-four",
    positions: "34 positions: all moves of the empty board, 4, 44, 444, 4444, 44444 and 3",
    hash: 0xF9A4_E659_75CD_A0DB,
    bytes: include_bytes!("../models/connect-four.book"),
}];

/// None: the program was built without.
#[cfg(not(feature = "bundled"))]
pub static BOOKS: &[BundledBook] = &[];

#[cfg(all(test, feature = "bundled"))]
mod tests {
    use ludens_core::Notation;
    use ludens_games::ConnectFour;
    use ludens_games::connect_four::book::Book;
    use ludens_games::connect_four::solver::{Bounds, Search};

    use super::*;

    fn book() -> Book {
        Book::parse(BundledBook::find("connect-four").expect("a book").bytes).expect("it is whole")
    }

    fn at(moves: &str) -> ConnectFour {
        ConnectFour::parse(&Default::default(), moves).expect("legal moves")
    }

    #[test]
    fn cards_name_the_bytes() {
        for book in BOOKS {
            let fnv = |hash: u64, &byte: &u8| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
            };
            let hash = book.bytes.iter().fold(0xCBF2_9CE4_8422_2325, fnv);
            assert_eq!(book.hash, hash, "{}: {hash:#018x}", book.game);
            assert!(book.bytes.len() <= 2 << 20, "{}", book.game);
        }
    }

    /// The known values of the first moves (V. Allis, 1988; J. Tromp): -2, -1, 0, 1 from the edge
    /// to the middle. And the moves of the main line are known.
    #[test]
    fn the_first_moves_have_their_known_values() {
        let book = book();
        let first = book.moves(&ConnectFour::default());
        assert_eq!(first, Some(vec![-2, -1, 0, 1, 0, -1, -2]));
        for moves in ["4", "44", "444", "4444", "44444"] {
            assert!(book.moves(&at(moves)).is_some(), "{moves}");
        }
    }

    /// A position whose moves are all known has the score of the best of them.
    #[test]
    fn parents_agree_with_their_children() {
        let book = book();
        let mut compared = 0;
        for (position, score) in book.entries() {
            if let Some(moves) = book.moves(&position) {
                assert_eq!(moves.iter().max(), Some(&score), "{}", position.text());
                compared += 1;
            }
        }
        assert!(compared >= 5, "{compared}");
    }

    /// Entries that follow from others are proven again from these. (`ludens-engine` compares all
    /// of them with those of another program.)
    #[test]
    fn what_follows_from_others_is_proven_again() {
        let (book, bounds, mut proven) = (book(), Bounds::new(1 << 20), 0);
        for (position, score) in book.entries().filter(|(here, _)| book.moves(here).is_some()) {
            let mut others = Book::default();
            for (other, score) in book.entries().filter(|(other, _)| *other != position) {
                others.insert(&other, score);
            }
            let stop = |nodes: u64| nodes > 1_000_000;
            let found = Search::new(&bounds, &stop).with_book(&others).score(&position);
            assert_eq!(found, Some(score), "{}", position.text());
            proven += 1;
        }
        assert!(proven >= 5, "{proven}");
    }
}
