//! Matches of two agents: shares of games won, and ratings by opponents whose strength is known.

use ludens_arena::contest::{Contested, Measured, RatingCycle, Score, Standings, graph_ratings};
use ludens_arena::statistics::Rate;

use crate::Error;
use crate::lab::{Contest, Lab};
use crate::runs::failed;

/// How two agents meet.
#[derive(Clone, Copy)]
pub(super) struct Terms<'a> {
    /// The game with its variant.
    pub(super) game: &'a str,
    /// Games, an even number.
    pub(super) games: u32,
    /// Random moves of an opening, which is played twice with sides swapped.
    pub(super) plies: usize,
}

impl Terms<'_> {
    /// The games of two agents, from the store as far as they are there.
    pub(super) fn play(&self, lab: &mut Lab<'_>, agents: [&str; 2]) -> Result<Contested, Error> {
        let agents = agents.map(str::to_owned);
        let Terms { game, games, plies } = *self;
        lab.contest(&Contest { game, agents: &agents, games, plies })
    }

    /// The share of games that the first of two agents wins.
    pub(super) fn won(&self, lab: &mut Lab<'_>, agents: [&str; 2]) -> Result<Rate, Error> {
        let games = self.play(lab, agents)?.games;
        let hits = games.iter().filter(|game| game.score_of(0) == Score::Win).count();
        Ok(Rate { hits, total: games.len() })
    }

    /// The Elo of an agent by games against others of known Elo only; `seen` gets the games, with
    /// the number of the opponent.
    pub(super) fn rated(
        &self,
        lab: &mut Lab<'_>,
        agent: &str,
        known: &[(String, f64)],
        mut seen: impl FnMut(usize, &Contested),
    ) -> Result<Option<f64>, Error> {
        let (mut measured, mut anchors) = (Vec::new(), Vec::new());
        for (number, (opponent, elo)) in known.iter().enumerate() {
            let contested = self.play(lab, [agent, opponent])?;
            seen(number, &contested);
            let standings = Standings::of(2, &contested, (0, 0.0));
            let tally = standings.duels.first().map(|duel| duel.tally).unwrap_or_default();
            measured.push(Measured { agent: 0, against: number + 1, tally });
            anchors.push((number + 1, *elo));
        }
        let circle = |RatingCycle(agents)| failed(format!("ratings in a circle: {agents:?}"));
        let ratings = graph_ratings(known.len() + 1, &measured, &anchors).map_err(circle)?;
        Ok(ratings.first().copied().flatten())
    }
}
