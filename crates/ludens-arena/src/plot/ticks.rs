//! Where an axis has its marks and what stands beside them.

/// One axis: a range of values laid over a range of the drawing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    log: bool,
    from: f64,
    to: f64,
}

impl Scale {
    /// A scale that shows all the values, with some air around them on a linear
    /// axis. Values that are not finite, or not positive on a logarithmic axis,
    /// do not count; `None` when no others are left.
    pub(super) fn over(
        values: impl Iterator<Item = f64>,
        log: bool,
        from: f64,
        to: f64,
    ) -> Option<Self> {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| shown(*value, log)) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            return None;
        }
        if log {
            if low == high {
                (low, high) = (low / 2.0, high * 2.0);
            }
        } else {
            let air = if low == high { (low.abs() * 0.1).max(1.0) } else { (high - low) * 0.05 };
            (low, high) = (low - air, high + air);
        }
        Some(Scale { low, high, log, from, to })
    }

    /// The same scale with exactly these ends.
    pub(super) fn between(self, low: f64, high: f64) -> Self {
        Scale { low, high, ..self }
    }

    /// Where a value is drawn; `None` when the scale cannot show it.
    pub(super) fn pixel(&self, value: f64) -> Option<f64> {
        if !shown(value, self.log) {
            return None;
        }
        let share = if self.log {
            (value.ln() - self.low.ln()) / (self.high.ln() - self.low.ln())
        } else {
            (value - self.low) / (self.high - self.low)
        };
        Some(self.from + share * (self.to - self.from))
    }

    /// The values with a mark, each with its label.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        if self.log { self.log_ticks() } else { self.linear_ticks() }
    }

    /// Steps of 1, 2 or 5 times a power of ten that give about six marks.
    fn linear_ticks(&self) -> Vec<(f64, String)> {
        let rough = (self.high - self.low) / 6.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .map(|factor| factor * power)
            .into_iter()
            .find(|step| *step >= rough)
            .unwrap_or(10.0 * power);
        let decimals = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        (first..=last)
            .take(20)
            .map(|i| {
                let value = i as f64 * step;
                (value, label(value, decimals))
            })
            .collect()
    }

    /// Powers of ten; where there are few of them, twice and five times as well;
    /// where there are many, only some.
    fn log_ticks(&self) -> Vec<(f64, String)> {
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let few = self.high / self.low < 200.0;
        let factors: &[f64] = if few { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let every = ((last - first) / 8 + 1) as usize;
        (first..=last)
            .step_by(every)
            .flat_map(|power| factors.iter().map(move |factor| factor * 10f64.powi(power)))
            // A power of ten at the very end must not be lost to rounding.
            .filter(|value| *value >= self.low * 0.999_999 && *value <= self.high * 1.000_001)
            .map(|value| {
                let decimals = (-value.log10().floor()).clamp(0.0, 9.0) as usize;
                (value, label(value, decimals))
            })
            .collect()
    }
}

/// Whether a value can be drawn. Far from the ends of the number range, so that
/// no difference or multiple of two values overflows.
fn shown(value: f64, log: bool) -> bool {
    value.abs() < 1e300 && (!log || value > 1e-300)
}

/// A number beside a mark: large and tiny ones as powers of ten.
fn label(value: f64, decimals: usize) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e6).contains(&size) {
        return format!("{value:e}").chars().take(12).collect();
    }
    // No minus before a zero.
    let text = format!("{:.decimals$}", if size == 0.0 { 0.0 } else { value });
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    if whole.trim_start_matches('-').len() < 5 {
        return text;
    }
    let (head, tail) = whole.split_at(whole.len() - 3);
    format!("{head},{tail}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[f64], log: bool) -> Vec<String> {
        let scale = Scale::over(values.iter().copied(), log, 0.0, 100.0).unwrap();
        scale.ticks().into_iter().map(|tick| tick.1).collect()
    }

    #[test]
    fn nice_steps() {
        assert_eq!(labels(&[0.0, 10.0], false), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(labels(&[13.5, 14.5], false), ["13.6", "13.8", "14.0", "14.2", "14.4"]);
        assert_eq!(labels(&[-30.0, 30.0], false), ["-20", "0", "20"]);
        assert_eq!(labels(&[0.0, 80_000.0], false).last().unwrap(), "80,000");
        assert_eq!(labels(&[1e9, 3e9], false)[0], "1e9");
        assert_eq!(labels(&[7.0], false), ["6.0", "6.5", "7.0", "7.5", "8.0"]);
    }

    #[test]
    fn powers_of_ten() {
        assert_eq!(labels(&[1.0, 1e4], true), ["1", "10", "100", "1000", "10,000"]);
        assert_eq!(labels(&[0.5, 20.0], true), ["0.5", "1", "2", "5", "10", "20"]);
        assert_eq!(labels(&[1.0, 100.0], true), ["1", "2", "5", "10", "20", "50", "100"]);
        assert!(labels(&[1e-9, 1e9], true).len() <= 9);
        assert_eq!(labels(&[1e6, 1e9], true)[0], "1e6");
    }

    #[test]
    fn places_and_bad_values() {
        let scale = Scale::over([1.0, f64::NAN, 100.0, -3.0].into_iter(), true, 0.0, 50.0).unwrap();
        assert_eq!((scale.pixel(1.0), scale.pixel(100.0)), (Some(0.0), Some(50.0)));
        assert!((scale.pixel(10.0).unwrap() - 25.0).abs() < 1e-9);
        assert_eq!((scale.pixel(0.0), scale.pixel(f64::NAN)), (None, None));
        let wide = Scale::over([-1e299, 1e299, 1e301].into_iter(), false, 0.0, 1.0).unwrap();
        assert!(wide.ticks().len() > 2 && wide.pixel(0.0).is_some_and(|p| (p - 0.5).abs() < 1e-9));
        assert!(Scale::over([f64::NAN].into_iter(), false, 0.0, 1.0).is_none());
        assert!(Scale::over([-1.0, 0.0].into_iter(), true, 0.0, 1.0).is_none());
    }
}
