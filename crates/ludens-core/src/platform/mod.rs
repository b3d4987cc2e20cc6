//! What programs need of the system: a clock, threads, the size of memory, files.
//!
//! Everything below the front ends asks here instead of [`std`], so that it also runs where the
//! system has less. On `wasm32-unknown-unknown`
//!
//! - the host supplies the time: the function `now_ms` of the import module `ludens`, milliseconds
//!   as a 64-bit float that never go back,
//! - the host supplies the date: `unix_ms` of the same module, milliseconds since 1970,
//! - all work runs on the calling thread,
//! - nobody knows how much memory is free.
//!
//! Files are the feature `files`.

#[cfg(feature = "files")]
pub mod file;
pub mod simd;
pub mod thread;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod clock;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use clock::{Instant, system_time};

/// The time of day.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub fn system_time() -> std::time::SystemTime {
    std::time::SystemTime::now()
}

/// Bytes that programs can still take, where the system says.
pub fn available_memory() -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        let text = std::fs::read_to_string("/proc/meminfo").ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
    }
    #[cfg(not(target_os = "linux"))]
    None
}
