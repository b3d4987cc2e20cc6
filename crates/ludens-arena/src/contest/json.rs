//! A contest as JSON with stable field names.

use serde::Serialize;
use serde_json::{Value, json};

use super::{ContestPlan, Contested, Elo, MoveTimes, Rating, Sprt, SprtDecision, Standings, Tally};

#[derive(Serialize)]
struct Document<'a> {
    game: &'a str,
    agents: Vec<&'a str>,
    games: usize,
    planned: usize,
    reused: usize,
    reused_of_other_builds: usize,
    left_aside: usize,
    seed: u64,
    terms: &'a str,
    complete: bool,
    #[serde(flatten)]
    score: Option<Score>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<Test>,
    table: Vec<Pair<'a>>,
    ratings: Vec<Rated<'a>>,
    anchor: Anchor<'a>,
    time_per_move: Vec<Times<'a>>,
    forfeits: Vec<Forfeit<'a>>,
}

#[derive(Serialize)]
struct Score {
    wins: u64,
    draws: u64,
    losses: u64,
    score: Option<f64>,
    score_interval: Option<(f64, f64)>,
    elo: Option<f64>,
    elo_interval: [Option<f64>; 2],
    pairs: [u64; 5],
}

#[derive(Serialize)]
struct Test {
    elo0: f64,
    elo1: f64,
    llr: f64,
    bounds: [f64; 2],
    decision: Option<&'static str>,
}

#[derive(Serialize)]
struct Pair<'a> {
    one: &'a str,
    two: &'a str,
    #[serde(flatten)]
    score: Score,
}

#[derive(Serialize)]
struct Rated<'a> {
    agent: &'a str,
    elo: Option<f64>,
    interval: Option<[Option<f64>; 2]>,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    note: Option<&'static str>,
}

#[derive(Serialize)]
struct Anchor<'a> {
    agent: &'a str,
    elo: f64,
}

#[derive(Serialize)]
struct Times<'a> {
    agent: &'a str,
    #[serde(flatten)]
    times: &'a MoveTimes,
}

#[derive(Serialize)]
struct Forfeit<'a> {
    agent: &'a str,
    reason: &'a str,
    games: usize,
}

/// The whole of a contest: who played what, results of every two, ratings, times, forfeits.
/// With two players the results of the first stand at the top as well.
pub fn contest_json(
    plan: &ContestPlan<'_>,
    contested: &Contested,
    standings: &Standings,
    anchor: (usize, f64),
) -> Value {
    let name = |player: usize| plan.players[player].name.as_str();
    let match_of_two = (plan.players.len() == 2)
        .then(|| standings.duels.first().map_or_else(Tally::default, |duel| duel.tally));
    let rated = |(player, rating): (usize, &Rating)| {
        let (elo, note) = match rating {
            Rating::Rated(elo) => (*elo, None),
            other => (Elo::default(), other.note()),
        };
        let Tally { wins, draws, losses, .. } = standings.totals[player];
        let interval = elo.value.map(|_| [elo.low, elo.high]);
        let games = standings.totals[player].games();
        Rated { agent: name(player), elo: elo.value, interval, games, wins, draws, losses, note }
    };
    let pairs = standings.duels.iter();
    let times = standings.times.iter().enumerate();
    let forfeits = standings.forfeits.iter();
    json!(Document {
        game: plan.game,
        agents: plan.players.iter().map(|player| player.name.as_str()).collect(),
        games: contested.games.len(),
        planned: contested.total,
        reused: contested.reused,
        reused_of_other_builds: contested.of_others,
        left_aside: contested.left_aside,
        seed: plan.seed,
        terms: plan.terms,
        complete: contested.is_complete(),
        sprt: plan.sprt.zip(match_of_two).map(|(sprt, tally)| test(
            &sprt,
            &tally,
            contested.decision
        )),
        score: match_of_two.as_ref().map(score),
        table: pairs
            .map(|duel| Pair {
                one: name(duel.one),
                two: name(duel.two),
                score: score(&duel.tally)
            })
            .collect(),
        ratings: standings.ratings.iter().enumerate().map(rated).collect(),
        anchor: Anchor { agent: name(anchor.0), elo: anchor.1 },
        time_per_move: times.map(|(player, times)| Times { agent: name(player), times }).collect(),
        forfeits: forfeits
            .map(|f| Forfeit { agent: name(f.player), reason: &f.reason, games: f.games })
            .collect(),
    })
}

fn score(tally: &Tally) -> Score {
    let Tally { wins, draws, losses, pairs, .. } = *tally;
    let elo = tally.elo().unwrap_or_default();
    Score {
        wins,
        draws,
        losses,
        score: tally.share(),
        score_interval: tally.interval(),
        elo: elo.value,
        elo_interval: [elo.low, elo.high],
        pairs,
    }
}

fn test(sprt: &Sprt, tally: &Tally, decision: Option<SprtDecision>) -> Test {
    let decision = decision.map(|decision| match decision {
        SprtDecision::AcceptH0 => "H0",
        SprtDecision::AcceptH1 => "H1",
    });
    let (elo0, elo1, bound) = (sprt.elo0, sprt.elo1, Sprt::bound());
    Test { elo0, elo1, llr: sprt.llr(&tally.pairs), bounds: [-bound, bound], decision }
}
