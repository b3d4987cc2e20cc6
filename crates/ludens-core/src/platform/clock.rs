//! The clock of `wasm32-unknown-unknown`, where [`std::time::Instant`] panics.

use std::ops::{Add, Sub};
use std::time::{Duration, SystemTime};

#[expect(unsafe_code, reason = "only the host knows the time")]
mod host {
    #[link(wasm_import_module = "ludens")]
    unsafe extern "C" {
        /// Milliseconds since any fixed moment.
        pub(super) safe fn now_ms() -> f64;

        /// Milliseconds since 1970.
        pub(super) safe fn unix_ms() -> f64;
    }
}

/// The time of day.
pub fn system_time() -> SystemTime {
    let seconds = (host::unix_ms() / 1000.0).max(0.0);
    SystemTime::UNIX_EPOCH + Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

/// A moment of the host's clock; as much of [`std::time::Instant`] as is used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Instant(Duration);

impl Instant {
    /// This moment.
    pub fn now() -> Self {
        let seconds = (host::now_ms() / 1000.0).max(0.0);
        Instant(Duration::try_from_secs_f64(seconds).unwrap_or_default())
    }

    /// The time since this moment.
    pub fn elapsed(&self) -> Duration {
        Instant::now() - *self
    }

    /// The time since an earlier moment; zero where that is later.
    pub fn duration_since(&self, earlier: Instant) -> Duration {
        *self - earlier
    }
}

impl Sub for Instant {
    type Output = Duration;

    fn sub(self, earlier: Instant) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

impl Add<Duration> for Instant {
    type Output = Instant;

    fn add(self, span: Duration) -> Instant {
        Instant(self.0.saturating_add(span))
    }
}
