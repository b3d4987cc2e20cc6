//! Times and sizes as people write them.

use std::time::Duration;

/// Reads `100ms`, `1.5s`, `2m` or `1h`; a bare number is seconds.
///
/// ```
/// use std::time::Duration;
/// assert_eq!(ludens_core::units::duration("100ms"), Ok(Duration::from_millis(100)));
/// assert!(ludens_core::units::duration("soon").is_err());
/// ```
///
/// # Errors
/// When it is none of these; the message says what was expected.
pub fn duration(text: &str) -> Result<Duration, String> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("", 1.0)];
    // A year is as good as for ever, and well within what the clock can count.
    scaled(text, &units)
        .filter(|seconds| (0.0..=365.0 * 86400.0).contains(seconds))
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "expected a time such as 100ms, 5s, 2m or 1h".to_owned())
}

/// Reads `512M`, `8G` or a number of bytes.
///
/// # Errors
/// When it is none of these or below 1M; the message says what was expected.
pub fn memory(text: &str) -> Result<usize, String> {
    let units = [("K", 1024.0), ("M", 1_048_576.0), ("G", 1_073_741_824.0), ("", 1.0)];
    scaled(text.strip_suffix('B').unwrap_or(text), &units)
        .filter(|bytes| (1_048_576.0..=1e15).contains(bytes))
        .map(|bytes| bytes as usize)
        .ok_or_else(|| "expected a size of at least 1M, such as 512M or 8G".to_owned())
}

/// The number before the first unit that fits, times the unit.
fn scaled(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let (unit, scale) = units.iter().find(|(unit, _)| text.ends_with(unit))?;
    let number = text.strip_suffix(unit)?;
    if !number.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    number.parse::<f64>().ok().map(|n| n * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(duration("100ms"), Ok(Duration::from_millis(100)));
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(duration("7"), Ok(Duration::from_secs(7)));
        for bad in ["", "s", "-1s", "5x", "nan", "inf", "1e99s", "+5s"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(memory("8G"), Ok(8 << 30));
        assert_eq!(memory("512MB"), Ok(512 << 20));
        for bad in ["", "5", "G", "-1G", "1e40G", "8T"] {
            assert!(memory(bad).is_err(), "{bad}");
        }
    }
}
