//! The share of games that an agent wins against another.

use ludens_arena::statistics::Rate;
use ludens_core::{GameResult, ParseError, Player};
use ludens_engine::analysis::Request;
use ludens_engine::game;

use crate::Error;
use crate::lab::Lab;
use crate::runs::failed;

/// One game; sides change with every number, starts with every other. `Some(true)` if the first of the
/// two won.
fn play(
    spec: &str,
    agents: [&str; 2],
    plies: usize,
    number: u64,
) -> Result<Option<bool>, ParseError> {
    let mut table = game(spec)?.random(number / 2, plies);
    let swapped = number % 2 == 1;
    let [one, two] = if swapped { [agents[1], agents[0]] } else { agents };
    table.reseed(number);
    table.seat(Player::One, one)?;
    table.seat(Player::Two, two)?;
    while table.play_agent(&Request::default(), Request::never())?.is_some() {}
    Ok(match table.outcome() {
        Some(GameResult::Win(winner)) => Some((winner == Player::One) != swapped),
        _ => None,
    })
}

/// The share of games that the first of two agents wins.
pub(super) fn won(
    lab: &mut Lab<'_>,
    spec: &str,
    agents: [&str; 2],
    plies: usize,
    games: usize,
) -> Result<Rate, Error> {
    let results = lab.map("game", games, |number| play(spec, agents, plies, number as u64))?;
    let mut hits = 0usize;
    for result in results {
        hits += usize::from(result.map_err(failed)? == Some(true));
    }
    Ok(Rate { hits, total: games })
}
