//! What may be tried.

use ludens_core::Rng;

/// The values of a setting.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Domain {
    /// All numbers from one above 0 to another, small ones as likely as large ones.
    Log(f64, f64),
    /// One of these.
    Choice(&'static [f64]),
}

/// A setting that is tuned.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Dimension {
    /// Its name.
    pub name: &'static str,
    /// Its values.
    pub domain: Domain,
}

impl Domain {
    /// A value that nothing is known about.
    pub(super) fn draw(&self, rng: &mut Rng) -> f64 {
        match self {
            Domain::Log(..) => self.value(rng.unit()),
            Domain::Choice(values) => values[rng.below(values.len() as u32) as usize],
        }
    }

    /// Where a value lies: 0 to 1 in a range, its index among choices.
    pub(super) fn location(&self, value: f64) -> f64 {
        match self {
            Domain::Log(low, high) => ((value / low).ln() / (high / low).ln()).clamp(0.0, 1.0),
            Domain::Choice(values) => {
                values.iter().position(|choice| *choice == value).unwrap_or(0) as f64
            }
        }
    }

    /// The value of a location.
    pub(super) fn value(&self, location: f64) -> f64 {
        match self {
            Domain::Log(low, high) => (low * (high / low).powf(location)).clamp(*low, *high),
            Domain::Choice(values) => values[(location as usize).min(values.len() - 1)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_and_values_are_inverse() {
        let log = Domain::Log(1e-6, 1e-2);
        for location in [0.0, 0.1, 0.5, 1.0] {
            assert!((log.location(log.value(location)) - location).abs() < 1e-9);
        }
        assert!((log.value(0.5) - 1e-4).abs() < 1e-12);
        let choice = Domain::Choice(&[32.0, 64.0]);
        assert_eq!((choice.value(choice.location(64.0)), choice.value(9.0)), (64.0, 64.0));
    }
}
