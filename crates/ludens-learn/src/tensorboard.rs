//! Event files that TensorBoard reads: scalars by name and step.
//!
//! A file is a row of records: length, its checksum, an `Event` message, its checksum. The
//! messages have few fields, so they are written by hand.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// An event file being written.
pub struct Events(File);

impl Events {
    /// Begins a new file in a folder; files of earlier runs stay, and TensorBoard joins them.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn create(folder: &Path) -> std::io::Result<Events> {
        let now = since_epoch();
        let name = format!("events.out.tfevents.{}.{}.ludens", now.as_secs(), now.subsec_nanos());
        let mut events = Events(File::create_new(folder.join(name))?);
        let mut event = time(now);
        bytes(&mut event, 3, b"brain.Event:2");
        events.record(&event)?;
        Ok(events)
    }

    /// Adds scalars of a step.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn scalars(&mut self, step: u64, scalars: &[(&str, f32)]) -> std::io::Result<()> {
        let mut summary = Vec::new();
        for (name, number) in scalars {
            let mut value = Vec::new();
            bytes(&mut value, 1, name.as_bytes());
            value.push(2 << 3 | 5);
            value.extend(number.to_le_bytes());
            bytes(&mut summary, 1, &value);
        }
        let mut event = time(since_epoch());
        event.push(2 << 3);
        varint(&mut event, step);
        bytes(&mut event, 5, &summary);
        self.record(&event)
    }

    fn record(&mut self, event: &[u8]) -> std::io::Result<()> {
        let length = (event.len() as u64).to_le_bytes();
        let mut record = length.to_vec();
        record.extend(masked(&length).to_le_bytes());
        record.extend(event);
        record.extend(masked(event).to_le_bytes());
        // One write, so that a killed run leaves whole records.
        self.0.write_all(&record)
    }
}

fn since_epoch() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// An event that has its time.
fn time(now: Duration) -> Vec<u8> {
    let mut event = vec![1 << 3 | 1];
    event.extend(now.as_secs_f64().to_le_bytes());
    event
}

/// A field of bytes.
fn bytes(out: &mut Vec<u8>, field: u8, content: &[u8]) {
    out.push(field << 3 | 2);
    varint(out, content.len() as u64);
    out.extend(content);
}

/// Seven bits a byte, the lowest first.
fn varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// The checksum of a record: CRC-32C, turned and shifted.
fn masked(bytes: &[u8]) -> u32 {
    crc32c(bytes).rotate_right(15).wrapping_add(0xa282_ead8)
}

/// Castagnoli's, the lowest bit first.
fn crc32c(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0x82f6_3b78 * (crc & 1)))
    };
    !bytes.iter().fold(!0, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_castagnolis() {
        // RFC 3720, B.4.
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
    }

    #[test]
    fn records_are_framed() {
        let folder = tempfile::tempdir().unwrap();
        let mut events = Events::create(folder.path()).unwrap();
        events.scalars(300, &[("loss", 0.5), ("top1", 1.0)]).unwrap();
        let file = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap();
        let data = std::fs::read(file.path()).unwrap();
        let (mut rest, mut records) = (&data[..], Vec::new());
        while !rest.is_empty() {
            let length = u64::from_le_bytes(rest[..8].try_into().unwrap()) as usize;
            assert_eq!(rest[8..12], masked(&rest[..8]).to_le_bytes());
            let event = &rest[12..12 + length];
            assert_eq!(rest[12 + length..16 + length], masked(event).to_le_bytes());
            records.push(event);
            rest = &rest[16 + length..];
        }
        assert_eq!(records.len(), 2);
        assert!(records[0].ends_with(b"\x1a\x0dbrain.Event:2"));
        // Step 300, then a summary of two values.
        assert_eq!(records[1][9..14], [2 << 3, 0xac, 2, 5 << 3 | 2, 26]);
        assert!(records[1][14..].starts_with(b"\x0a\x0b\x0a\x04loss\x15\x00\x00\x00\x3f"));
    }
}
