//! Section 4.1.1 of the Sevn text: how sure its figures are.

use ludens_arena::contest::{elo_of_share, share_of_elo};

use crate::lab::Lab;
use crate::{Error, Experiment, Part, Row, Tolerance};

pub(super) fn experiments() -> Vec<Experiment> {
    vec![Experiment {
        name: "sevn-4.2",
        aliases: &[],
        title: "Confidence intervals of ratings, and the null hypothesis",
        reference: "Sevn text, figure 4.2 and section 4.1.1",
        needs: &[],
        measure: Box::new(measure),
    }]
}

fn measure(lab: &mut Lab<'_>) -> Result<(), Error> {
    lab.section(
        "113 of 160 games won; every strength equally likely before",
        &[Part::sample("agents", 1, 1)],
    );
    let (low, high) = credible(113, 160, 0.95);
    let width = elo_of_share(high).zip(elo_of_share(low)).map(|(high, low)| high - low);
    // The text drew 10,000 agents, of which a few dozen won just so many games.
    let row = Row::new("interval of 95 %", "Elo", 1).published(117.2).ours(width);
    lab.row(row.within(Tolerance::Absolute(8.0)));
    lab.section("32 of 40 games won by chance", &[Part::sample("tests", 1, 1)]);
    let chance = at_least(32, 40);
    let row = Row::new("P(wins >= 32)", "per million", 1).published(91.1).ours(1e6 * chance);
    lab.row(row.within(Tolerance::Absolute(0.0)));
    lab.section("expected share at a difference of ratings", &[Part::sample("values", 1, 1)]);
    for (elo, published) in [(163.7, 72.0), (638.25, 97.5)] {
        let row = Row::new(format!("{elo} Elo"), "per cent", 1).published(published);
        lab.row(row.ours(100.0 * share_of_elo(elo)).within(Tolerance::Absolute(0.0)));
    }
    Ok(())
}

/// The shortest range of win rates that holds so much of what is possible after so many
/// wins, if every rate was equally likely before.
fn credible(wins: u32, games: u32, level: f64) -> (f64, f64) {
    const STEPS: usize = 20_000;
    let rate = |i: usize| (i as f64 + 0.5) / STEPS as f64;
    let likelihood = |p: f64| {
        let (wins, losses) = (f64::from(wins), f64::from(games - wins));
        wins * p.ln() + losses * (1.0 - p).ln()
    };
    let most = likelihood(f64::from(wins) / f64::from(games));
    let weights: Vec<f64> = (0..STEPS).map(|i| (likelihood(rate(i)) - most).exp()).collect();
    let total: f64 = weights.iter().sum();
    // From the peak outwards, always to the likelier side.
    let peak = (0..STEPS).max_by(|&a, &b| weights[a].total_cmp(&weights[b])).unwrap_or(0);
    let (mut low, mut high, mut held) = (peak, peak, weights[peak]);
    while held < level * total {
        let left = low.checked_sub(1).map_or(0.0, |i| weights[i]);
        let right = weights.get(high + 1).copied().unwrap_or(0.0);
        if left >= right && low > 0 {
            low -= 1;
            held += left;
        } else {
            high += 1;
            held += right;
        }
    }
    (rate(low), rate(high))
}

/// The chance of at least so many heads of so many coins.
fn at_least(wins: u32, games: u32) -> f64 {
    let mut sum = 0.0;
    let mut ways = 1.0;
    for heads in (0..=games).rev() {
        if heads >= wins {
            sum += ways;
        }
        // The number of ways to choose one fewer.
        ways *= f64::from(heads) / f64::from(games - heads + 1);
    }
    sum * 0.5f64.powi(games as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        assert!((at_least(32, 40) - 9.11e-5).abs() < 1e-7);
        assert!((at_least(0, 10) - 1.0).abs() < 1e-12);
        let (low, high) = credible(50, 100, 0.95);
        assert!((low - 0.404).abs() < 2e-3 && (high - 0.596).abs() < 2e-3, "{low} {high}");
    }
}
