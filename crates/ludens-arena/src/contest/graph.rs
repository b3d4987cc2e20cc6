//! Ratings over an acyclic graph, as Clark (2021) has them, and the tasks that choose
//! opponents.
//!
//! An agent's rating depends on those of the opponents that it was measured against: from
//! each, `R(opponent) - 400 log10(games / points - 1)`, averaged by the number of games. An
//! opponent's rating must not depend on the agent's in turn. Agents form series (checkpoints of a
//! run, searches of more and more samples); a task says which members of a series meet which.
//!
//! Reference: M. Clark, Mastering Sevn using Reinforcement Learning, 2021, section 3.5.

use super::tally::{Tally, elo_of_share};

/// What an agent scored against one that its rating depends on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measured {
    /// The agent, by number.
    pub agent: usize,
    /// The opponent.
    pub against: usize,
    /// What the agent scored.
    pub tally: Tally,
}

/// Agents whose ratings would depend on themselves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RatingCycle(pub Vec<usize>);

/// The ratings of all agents, `None` for those whose games lead to no anchor. Anchors have
/// given ratings and depend on nobody. Who has won or lost every game is taken for having
/// drawn half of one, which Clark (2021) leaves undefined.
///
/// # Errors
/// When ratings depend on each other in a circle.
pub fn graph_ratings(
    agents: usize,
    measured: &[Measured],
    anchors: &[(usize, f64)],
) -> Result<Vec<Option<f64>>, RatingCycle> {
    let mut found = vec![State::New; agents];
    for &(anchor, rating) in anchors {
        found[anchor] = State::Done(Some(rating));
    }
    let mut way = Vec::new();
    (0..agents).map(|agent| rate(agent, measured, &mut found, &mut way)).collect()
}

#[derive(Clone, Copy)]
enum State {
    New,
    Open,
    Done(Option<f64>),
}

fn rate(
    agent: usize,
    measured: &[Measured],
    found: &mut [State],
    way: &mut Vec<usize>,
) -> Result<Option<f64>, RatingCycle> {
    match found[agent] {
        State::Done(rating) => return Ok(rating),
        State::Open => {
            let start = way.iter().position(|&other| other == agent).unwrap_or(0);
            return Err(RatingCycle(way[start..].to_vec()));
        }
        State::New => found[agent] = State::Open,
    }
    way.push(agent);
    let (mut sum, mut games) = (0.0, 0.0);
    for one in measured.iter().filter(|one| one.agent == agent && one.tally.games() > 0) {
        let Some(opponent) = rate(one.against, measured, found, way)? else { continue };
        let played = one.tally.games() as f64;
        let share = one.tally.share().unwrap_or(0.5).clamp(0.25 / played, 1.0 - 0.25 / played);
        sum += played * (opponent + elo_of_share(share).unwrap_or(0.0));
        games += played;
    }
    way.pop();
    let rating = (games > 0.0).then(|| sum / games);
    found[agent] = State::Done(rating);
    Ok(rating)
}

/// Which members of a series of growing strength a new agent should meet: the nearest to its
/// rating, and of the others the nearest to 400 below, where 10 of 11 points are expected.
/// Members without a rating are not chosen.
pub fn near(rating: f64, series: &[(usize, Option<f64>)]) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    for wanted in [rating, rating - 400.0] {
        let rated = series.iter().filter_map(|&(agent, elo)| Some((agent, elo?)));
        let free = rated.filter(|(agent, _)| !chosen.contains(agent));
        let nearest = free.min_by(|a, b| (a.1 - wanted).abs().total_cmp(&(b.1 - wanted).abs()));
        chosen.extend(nearest.map(|(agent, _)| agent));
    }
    chosen
}

/// Which earlier members of its own series the member at an index should meet: those
/// `shifts` before it.
pub fn earlier(index: usize, shifts: &[usize]) -> Vec<usize> {
    let mut indices: Vec<usize> = shifts
        .iter()
        .filter(|&&shift| shift > 0)
        .filter_map(|&shift| index.checked_sub(shift))
        .collect();
    indices.dedup();
    indices
}

#[cfg(test)]
mod tests {
    use super::super::tally::Score;
    use super::*;

    fn measured(agent: usize, against: usize, wins: u64, losses: u64) -> Measured {
        let mut tally = Tally::default();
        (0..wins).for_each(|_| tally.enter(&[Score::Win]));
        (0..losses).for_each(|_| tally.enter(&[Score::Loss]));
        Measured { agent, against, tally }
    }

    #[test]
    fn the_mean_is_weighted_by_games() {
        // 10 of 11 points against 500 are 900; half of 22 against that are 900 as well, and
        // 1 of 11 against it is 500.
        let all = [measured(1, 0, 10, 1), measured(2, 1, 11, 11), measured(2, 0, 10, 1)];
        let found = graph_ratings(4, &all, &[(0, 500.0)]).unwrap();
        assert!((found[1].unwrap() - 900.0).abs() < 1e-9);
        assert!((found[2].unwrap() - 900.0).abs() < 1e-9);
        assert_eq!(found[3], None);
        let all = [measured(1, 0, 10, 1), measured(2, 1, 1, 10), measured(2, 0, 5, 5)];
        let found = graph_ratings(3, &all, &[(0, 500.0)]).unwrap();
        assert!((found[2].unwrap() - 500.0).abs() < 1e-9);
    }

    #[test]
    fn winning_everything_has_a_number_and_circles_do_not() {
        let found = graph_ratings(2, &[measured(1, 0, 40, 0)], &[(0, 0.0)]).unwrap();
        assert!((700.0..1100.0).contains(&found[1].unwrap()), "{found:?}");
        let circle = [measured(1, 2, 5, 5), measured(2, 3, 5, 5), measured(3, 1, 5, 5)];
        assert_eq!(graph_ratings(4, &circle, &[(0, 0.0)]), Err(RatingCycle(vec![1, 2, 3])));
        // A circle that an anchor cuts is none.
        assert!(graph_ratings(4, &circle, &[(2, 0.0)]).is_ok());
    }

    #[test]
    fn opponents_are_near() {
        let series = [(7, Some(500.0)), (8, Some(900.0)), (9, Some(1300.0)), (10, None)];
        assert_eq!(near(1250.0, &series), [9, 8]);
        assert_eq!(near(450.0, &series), [7, 8]);
        assert_eq!(near(0.0, &[]), Vec::<usize>::new());
        assert_eq!(earlier(12, &[1, 10]), [11, 2]);
        assert_eq!(earlier(5, &[1, 10]), [4]);
        assert_eq!(earlier(0, &[1, 10]), Vec::<usize>::new());
    }
}
