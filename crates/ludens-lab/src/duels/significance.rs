//! Section 4.1.1 of Clark (2021): how certain its results are.

use ludens_arena::contest::{elo_of_share, share_of_elo};
use ludens_arena::plot::{Labels, Level, LinePlot, Series};
use ludens_arena::statistics::binomial_tail;

use crate::lab::Lab;
use crate::{Error, Experiment, Part, Row, Tolerance};

pub(super) fn experiments() -> Vec<Experiment> {
    vec![Experiment {
        name: "sevn-4.2",
        aliases: &[],
        title: "Confidence intervals of ratings, and the null hypothesis",
        reference: "Clark 2021, figure 4.2 and section 4.1.1",
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
    // Clark (2021) drew 10,000 agents, of which a few dozen won just as many games.
    let row = Row::new("interval of 95 %", "Elo", 1).published(117.2).ours(width);
    lab.row(row.within(Tolerance::Absolute(8.0)));
    let point = |level: u32| {
        let (low, high) = credible(113, 160, f64::from(level) / 100.0);
        let width = elo_of_share(high).zip(elo_of_share(low)).map(|(high, low)| high - low)?;
        Some((f64::from(level), width))
    };
    let points = (1..100).filter_map(point).collect();
    let labels = Labels::new("113 of 160 games won", "confidence, per cent", "width, Elo");
    let series = vec![Series { name: "interval".to_owned(), points }];
    let levels = vec![Level { name: "published at 95 %".to_owned(), y: 117.2 }];
    lab.plot("", LinePlot { labels, log_x: false, steps: false, series, levels }.to_svg());
    lab.section("32 of 40 games won by chance", &[Part::sample("tests", 1, 1)]);
    let chance = binomial_tail(32, 40);
    let row = Row::new("P(wins >= 32)", "per million", 1).published(91.1).ours(1e6 * chance);
    lab.row(row.within(Tolerance::Absolute(0.0)));
    lab.section("expected share at a difference of ratings", &[Part::sample("values", 1, 1)]);
    for (elo, published) in [(163.7, 72.0), (638.25, 97.5)] {
        let row = Row::new(format!("{elo} Elo"), "per cent", 1).published(published);
        lab.row(row.ours(100.0 * share_of_elo(elo)).within(Tolerance::Absolute(0.0)));
    }
    Ok(())
}

/// The shortest range of win rates that holds `level` of what is possible after `wins`
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        let (low, high) = credible(50, 100, 0.95);
        assert!((low - 0.404).abs() < 2e-3 && (high - 0.596).abs() < 2e-3, "{low} {high}");
    }
}
