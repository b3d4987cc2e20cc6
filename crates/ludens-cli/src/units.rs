//! Times and sizes as people write them.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

pub(crate) use ludens_core::units::{duration, memory};

/// A reader of whole numbers within a range.
pub(crate) fn whole<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| {
        let number = text.parse::<T>().ok().filter(|number| range.contains(number));
        let expected =
            || format!("expected a whole number from {} to {}", range.start(), range.end());
        number.ok_or_else(expected)
    }
}

/// Half of the machine's memory, or 2 GiB where it cannot be told.
pub(crate) fn default_memory() -> usize {
    machine_memory().map_or(2 << 30, |bytes| bytes / 2)
}

/// The machine's memory in bytes, where it can be told.
pub(crate) fn machine_memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes = line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()?;
    Some(kilobytes.saturating_mul(1024))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers() {
        let depth = whole::<u16>(1..=1000);
        assert_eq!(depth("7"), Ok(7));
        for bad in ["", "0", "-1", "1001", "x", "99999999999999999999"] {
            assert_eq!(
                depth(bad),
                Err("expected a whole number from 1 to 1000".to_owned()),
                "{bad}"
            );
        }
    }
}
