//! The types of numeric parameters.

use super::declare::Kind;

/// A type that numeric parameters are read as.
pub trait Number: Copy + 'static {
    /// A number of a text within the range of its kind.
    fn read(kind: Kind, text: &str) -> Option<Self>;
    /// A whole number.
    fn of_int(number: u64) -> Option<Self>;
    /// A number.
    fn of_float(number: f64) -> Self;
}

/// Whether a text is a number of a range.
pub(super) fn within(text: &str, min: f64, max: f64) -> bool {
    text.parse().is_ok_and(|number: f64| min <= number && number <= max)
}

macro_rules! ints {
    ($($type:ty),*) => {$(
        impl Number for $type {
            fn read(kind: Kind, text: &str) -> Option<Self> {
                let Kind::Int { min, max } = kind else { return None };
                let number = text.parse().ok().filter(|number| (min..=max).contains(number))?;
                Self::of_int(number)
            }

            fn of_int(number: u64) -> Option<Self> {
                number.try_into().ok()
            }

            fn of_float(number: f64) -> Self {
                number as $type
            }
        }
    )*};
}

macro_rules! floats {
    ($($type:ty),*) => {$(
        impl Number for $type {
            fn read(kind: Kind, text: &str) -> Option<Self> {
                match kind {
                    Kind::Float { min, max } if within(text, min, max) => text.parse().ok(),
                    _ => None,
                }
            }

            fn of_int(number: u64) -> Option<Self> {
                Some(number as $type)
            }

            fn of_float(number: f64) -> Self {
                number as $type
            }
        }
    )*};
}

ints!(u8, u16, u32, u64, usize);
floats!(f32, f64);
