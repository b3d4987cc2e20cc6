//! Event files that TensorBoard reads: scalars by name and step.
//!
//! A file is a row of records: length, its checksum, an `Event` message, its checksum. The
//! messages have few fields, so they are written by hand.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ludens_core::file::{self, atomic_write};
use serde_json::Value;

use super::LARGEST_TEXT;

/// How the names of event files begin and end.
const NAME: [&str; 2] = ["events.out.tfevents.", ".ludens"];

/// The event files of a folder. Every process that learns adds one, with its first scalars; TensorBoard
/// joins them.
pub(super) struct Events {
    folder: PathBuf,
    file: Option<File>,
}

impl Events {
    pub(super) fn of(folder: &Path) -> Events {
        Events { folder: folder.to_owned(), file: None }
    }

    /// Adds the numbers of metrics under their names; those of an object are `object/name`.
    pub(super) fn add(&mut self, step: u64, metrics: &Value) -> io::Result<()> {
        let mut scalars = Vec::new();
        numbers("", metrics, &mut scalars);
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
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(created(&self.folder)?),
        };
        // One write, so that a killed run leaves whole records.
        file.write_all(&record(&event))
    }

    /// Drops scalars of steps after `last`, which come again, and what is torn.
    pub(super) fn rewind(&mut self, last: u64) -> io::Result<()> {
        for entry in std::fs::read_dir(&self.folder)? {
            let entry = entry?;
            let [start, end] = NAME;
            let ours = |name: &str| name.starts_with(start) && name.ends_with(end);
            if !entry.file_name().to_str().is_some_and(ours) {
                continue;
            }
            let path = entry.path();
            let whole = file::read(&path, LARGEST_TEXT)?;
            let kept = until(&whole, last);
            if kept < whole.len() {
                atomic_write(&path, |file| file.write_all(&whole[..kept]))?;
            }
        }
        Ok(())
    }
}

/// A new file.
fn created(folder: &Path) -> io::Result<File> {
    let (now, [start, end]) = (since_epoch(), NAME);
    let name = format!("{start}{}.{}{end}", now.as_secs(), now.subsec_nanos());
    let mut file = File::create_new(folder.join(name))?;
    let mut event = time(now);
    bytes(&mut event, 3, b"brain.Event:2");
    file.write_all(&record(&event))?;
    Ok(file)
}

/// The numbers of a value by name.
fn numbers(name: &str, value: &Value, out: &mut Vec<(String, f32)>) {
    match value {
        Value::Number(number) => {
            out.extend(number.as_f64().map(|number| (name.to_owned(), number as f32)));
        }
        Value::Object(fields) => {
            for (field, value) in fields {
                let between = if name.is_empty() { "" } else { "/" };
                numbers(&format!("{name}{between}{field}"), value, out);
            }
        }
        _ => {}
    }
}

fn record(event: &[u8]) -> Vec<u8> {
    let length = (event.len() as u64).to_le_bytes();
    let mut record = length.to_vec();
    record.extend(masked(&length).to_le_bytes());
    record.extend(event);
    record.extend(masked(event).to_le_bytes());
    record
}

/// Bytes of a file up to the first record that is torn or of a step after `last`.
fn until(data: &[u8], last: u64) -> usize {
    let mut end = 0;
    while let Some(head) = data.get(end..end + 12) {
        let length = u64::from_le_bytes(std::array::from_fn(|i| head[i]));
        let next = usize::try_from(length).ok().and_then(|length| (end + 16).checked_add(length));
        let event = next.and_then(|next| data.get(end + 12..next - 4));
        let (Some(next), Some(event)) = (next, event) else { break };
        if data.get(next - 4..next) != Some(&masked(event).to_le_bytes()) || step(event) > last {
            break;
        }
        end = next;
    }
    end
}

/// The step of an event of ours, which has it after its time; 0 where there is none.
fn step(event: &[u8]) -> u64 {
    match event.get(9..) {
        Some([tag, rest @ ..]) if *tag == 2 << 3 => {
            let mut step = 0;
            for (index, byte) in rest.iter().take(10).enumerate() {
                step |= u64::from(byte & 0x7f) << (7 * index).min(63);
                if byte & 0x80 == 0 {
                    break;
                }
            }
            step
        }
        _ => 0,
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
    use serde_json::json;

    use super::*;

    #[test]
    fn checksums_are_castagnolis() {
        // RFC 3720, B.4.
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
    }

    /// The events of all files of a folder.
    fn events(folder: &Path) -> Vec<Vec<u8>> {
        let mut records = Vec::new();
        for file in std::fs::read_dir(folder).unwrap() {
            let data = std::fs::read(file.unwrap().path()).unwrap();
            let mut rest = &data[..];
            while !rest.is_empty() {
                let length = u64::from_le_bytes(rest[..8].try_into().unwrap()) as usize;
                assert_eq!(rest[8..12], masked(&rest[..8]).to_le_bytes());
                let event = &rest[12..12 + length];
                assert_eq!(rest[12 + length..16 + length], masked(event).to_le_bytes());
                records.push(event.to_vec());
                rest = &rest[16 + length..];
            }
        }
        records
    }

    #[test]
    fn records_are_framed() {
        let folder = tempfile::tempdir().unwrap();
        let mut written = Events::of(folder.path());
        assert!(events(folder.path()).is_empty());
        written.add(300, &json!({"loss": 0.5, "stage": "x", "at": {"1": 1, "t": [2]}})).unwrap();
        let records = events(folder.path());
        assert_eq!(records.len(), 2);
        assert!(records[0].ends_with(b"\x1a\x0dbrain.Event:2"));
        // Step 300, then a summary of two values.
        assert_eq!(records[1][9..14], [2 << 3, 0xac, 2, 5 << 3 | 2, 26]);
        assert!(records[1][14..].starts_with(b"\x0a\x0b\x0a\x04loss\x15\x00\x00\x00\x3f"));
        assert!(records[1][27..].starts_with(b"\x0a\x0b\x0a\x04at/1\x15"));
        assert_eq!([step(&records[0]), step(&records[1])], [0, 300]);
    }

    #[test]
    fn steps_after_a_checkpoint_do_not_come_twice() {
        let folder = tempfile::tempdir().unwrap();
        let mut written = Events::of(folder.path());
        (1..=5).for_each(|step| written.add(step * 1000, &json!({"loss": 1})).unwrap());
        written.file.as_mut().unwrap().write_all(b"torn").unwrap();
        let mut again = Events::of(folder.path());
        again.rewind(3000).unwrap();
        again.add(4000, &json!({"loss": 1})).unwrap();
        let mut steps: Vec<u64> = events(folder.path()).iter().map(|event| step(event)).collect();
        steps.sort_unstable();
        assert_eq!(steps, [0, 0, 1000, 2000, 3000, 4000]);
    }
}
