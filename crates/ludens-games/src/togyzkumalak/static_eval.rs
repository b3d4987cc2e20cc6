//! The static evaluation: balls in store, tuzdyks, balls on the own side, moves to choose from.

use ludens_core::{Game, StaticEval};

use super::{OPP_NINE, OPP_STORE, OWN_NINE, OWN_STORE, Pit, Togyzkumalak, byte, sum};

/// The value of a tuzdyk in balls, for each ball that may still fall into it.
const TUZDYK_SHARE: i32 = 12;

impl StaticEval for Togyzkumalak {
    fn static_eval(&self) -> i32 {
        let own = (sum(self.own) + byte(self.rest, OWN_NINE)) as i32;
        let opp = (sum(self.opp) + byte(self.rest, OPP_NINE)) as i32;
        let stores = byte(self.rest, OWN_STORE) as i32 - byte(self.rest, OPP_STORE) as i32;
        let tuzdyk = |number: u8| i32::from(number != 0);
        let tuzdyks = tuzdyk(self.tuzdyks[0]) - tuzdyk(self.tuzdyks[1]);
        let moves = self.filled().count_ones() as i32;
        // The lead decides the more the fewer balls are left.
        let left = own + opp;
        let weight = 12 + 12 * (162 - left) / 162;
        weight * stores + tuzdyks * TUZDYK_SHARE * left / 8 + 2 * (own - opp) + 4 * moves
    }

    fn hint(&self, Pit(pit): Pit) -> i32 {
        // Captures are seen at once; of the rest, few balls change little.
        let (next, _) = self.apply(Pit(pit));
        byte(next.rest, OPP_STORE) as i32 - byte(self.rest, OWN_STORE) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balls_in_store_count_most() {
        let start = Togyzkumalak::default();
        assert_eq!(start.static_eval(), 4 * 9);
        let take = start.actions().map(|pit| start.hint(pit)).max().unwrap();
        assert_eq!(take, 10, "pit 9 takes ten balls at once");
        let ahead = start.actions().max_by_key(|&pit| start.hint(pit)).unwrap();
        assert!(start.apply(ahead).0.static_eval() < -50, "the opponent is behind");
    }
}
