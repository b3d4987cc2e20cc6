//! Beam searches along games, as the program of Pastukhov (2024) has them: what a search found below
//! the move that was made is kept for the next one and counts among its expansions, and all moves of
//! the root are expanded, so that Q never learns what it said itself.

use ludens_core::{ActionValues, Deterministic, Duel};

use super::beam::Search;

/// The values of all moves of each state of each game, whose states follow one another: those of
/// [`beam_search`](super::beam_search) with the part of the tree that the move made leads to kept.
/// Games run side by side, so that networks evaluate batches.
pub fn beam_search_games<G: Duel + Deterministic>(
    games: &[&[G]],
    estimates: &mut dyn ActionValues<G>,
    expansions: usize,
    deepest: u32,
) -> Vec<Vec<Vec<f32>>> {
    let mut found: Vec<Vec<Vec<f32>>> = games.iter().map(|_| Vec::new()).collect();
    let mut searches: Vec<Option<Search<G>>> =
        games.iter().map(|game| game.first().map(|state| Search::new(*state))).collect();
    let (mut chosen, mut items) = (Vec::new(), Vec::new());
    let (mut values, mut leaf_values) = (Vec::new(), Vec::new());
    let longest = games.iter().map(|game| game.len()).max().unwrap_or(0);
    for turn in 0..longest {
        for (search, game) in searches.iter_mut().zip(games) {
            match game.get(turn) {
                Some(state) if turn > 0 => {
                    search.iter_mut().for_each(|search| search.advance(state));
                }
                Some(_) => {}
                None => *search = None,
            }
        }
        loop {
            chosen.clear();
            items.clear();
            for (index, search) in searches.iter_mut().enumerate() {
                let next = search.as_mut().and_then(|search| search.next(expansions));
                if let Some((item, state)) = next {
                    chosen.push(state);
                    items.push((index, item));
                }
            }
            if items.is_empty() {
                break;
            }
            estimates.action_values(&chosen, &mut values);
            for ((index, item), values) in items.iter().zip(&values) {
                if let Some(search) = &mut searches[*index] {
                    search.expand(item, values, deepest);
                }
            }
        }
        for (search, found) in searches.iter_mut().zip(&mut found) {
            let Some(search) = search else { continue };
            search.value_leaves(estimates, &mut chosen, &mut leaf_values, |_| true);
            found.push(search.conclude());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use ludens_core::{Game, Position, Rng};
    use ludens_games::ConnectFour;

    use super::*;
    use crate::probs::beam_search;

    /// Values that follow from the state, and a count of the states that were asked about.
    struct Odd(usize);

    fn odd(state: &ConnectFour, salt: u64) -> f32 {
        Rng::stream(state.key(), salt).unit() as f32 - 0.5
    }

    impl ActionValues<ConnectFour> for Odd {
        fn action_values(&mut self, states: &[ConnectFour], out: &mut Vec<Vec<f32>>) {
            self.0 += states.len();
            let one = |state: &ConnectFour| {
                (0..state.actions().len()).map(|index| odd(state, index as u64)).collect()
            };
            *out = states.iter().map(one).collect();
        }

        fn values(&mut self, states: &[ConnectFour], out: &mut Vec<f32>) {
            *out = states.iter().map(|state| odd(state, 99)).collect();
        }
    }

    fn game(seed: u64) -> Vec<ConnectFour> {
        let mut rng = Rng::new(seed);
        let mut states = vec![ConnectFour::default()];
        while let Some((_, next, _)) = states.last().and_then(|state| state.step(&mut rng)) {
            states.push(next);
        }
        states.pop();
        states
    }

    /// With no limit but the depth nothing that is kept makes a difference.
    #[test]
    fn whole_trees_are_the_same() {
        let games = [game(1), game(2)];
        let lines: Vec<&[ConnectFour]> = games.iter().map(|game| &game[..]).collect();
        let found = beam_search_games(&lines, &mut Odd(0), 100_000, 1);
        for (game, found) in games.iter().zip(found) {
            assert_eq!(beam_search(game, &mut Odd(0), 100_000, 1), found);
        }
    }

    /// What is kept counts: later searches expand no more than is left, or the root's moves.
    #[test]
    fn kept_parts_count() {
        let line = game(3);
        let mut first = Odd(0);
        beam_search_games(&[&line[..1]], &mut first, 100, 99);
        assert_eq!(first.0, 100);
        let mut all = Odd(0);
        let found = beam_search_games(&[&line], &mut all, 100, 99);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].len(), line.len());
        assert!(all.0 < 100 * line.len(), "{} of {}", all.0, 100 * line.len());
    }

    /// One expansion is asked for; the root's moves are expanded all the same.
    #[test]
    fn the_roots_moves_are_always_expanded() {
        let start = ConnectFour::default();
        let mut asked = Odd(0);
        let found = beam_search_games(&[&[start]], &mut asked, 1, 99);
        assert_eq!(asked.0, 8);
        assert_eq!(found[0][0], beam_search(&[start], &mut Odd(0), 8, 99)[0]);
    }
}
