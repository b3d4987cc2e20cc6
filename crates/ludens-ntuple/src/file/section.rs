//! Headers and sections, as bytes.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

use ludens_core::FileError;
use serde_json::Value;

use crate::Error;

const MAGIC: &[u8; 8] = b"LUDNTUP1";
const CHUNK: usize = 4096;
/// No header is longer than this.
const MAX_HEADER: u32 = 1 << 26;

/// An item of an array on disk.
pub(super) trait Item {
    /// Its size.
    const BYTES: usize;
    /// Writes its bytes.
    fn get(&self, out: &mut [u8]);
    /// Reads its bytes.
    fn set(&self, bytes: &[u8]);
}

macro_rules! item {
    ($atomic:ty, $word:ty) => {
        impl Item for $atomic {
            const BYTES: usize = size_of::<$word>();

            #[inline]
            fn get(&self, out: &mut [u8]) {
                out.copy_from_slice(&self.load(Relaxed).to_le_bytes());
            }

            #[inline]
            fn set(&self, bytes: &[u8]) {
                let bytes = bytes.try_into().expect("an item's bytes");
                self.store(<$word>::from_le_bytes(bytes), Relaxed);
            }
        }
    };
}
item!(AtomicU16, u16);
item!(AtomicU32, u32);
item!(AtomicU64, u64);

/// Writes what comes before the sections.
pub(super) fn write_header(out: &mut impl Write, header: &str) -> std::io::Result<()> {
    out.write_all(MAGIC)?;
    out.write_all(&(header.len() as u32).to_le_bytes())?;
    out.write_all(header.as_bytes())?;
    out.write_all(blake3::hash(header.as_bytes()).as_bytes())
}

/// Writes a section.
pub(super) fn write_section<T: Item>(out: &mut impl Write, items: &[T]) -> std::io::Result<()> {
    let mut hasher = blake3::Hasher::new();
    let mut bytes = [0u8; 1 + CHUNK];
    for chunk in items.chunks(CHUNK / T::BYTES) {
        let mut len = 1;
        for item in chunk {
            item.get(&mut bytes[len..len + T::BYTES]);
            len += T::BYTES;
        }
        // All the same when every byte is the one an item earlier.
        let uniform = bytes[1..len - T::BYTES] == bytes[1 + T::BYTES..len];
        bytes[0] = u8::from(!uniform);
        let kept = &bytes[..if uniform { 1 + T::BYTES } else { len }];
        hasher.update(kept);
        out.write_all(kept)?;
    }
    out.write_all(hasher.finalize().as_bytes())
}

/// A network being read.
pub(super) struct Reader<'a, R> {
    path: &'a Path,
    input: R,
    /// Over the checksums of what was read so far.
    hashes: blake3::Hasher,
}

impl<'a, R: Read> Reader<'a, R> {
    /// A reader of `input`; messages call it `path`.
    pub(super) fn new(path: &'a Path, input: R) -> Self {
        Reader { path, input, hashes: blake3::Hasher::new() }
    }

    /// A checksum of what was read so far.
    pub(super) fn checksum(&self) -> String {
        self.hashes.finalize().to_hex().to_string()
    }

    fn fill(&mut self, bytes: &mut [u8], what: &str) -> Result<(), Error> {
        self.input.read_exact(bytes).map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => {
                Error::from(FileError::content(self.path, format!("it ends within the {what}")))
            }
            _ => Error::from(FileError::io(self.path)(error)),
        })
    }

    fn check(&mut self, hash: &blake3::Hash, what: &str) -> Result<(), Error> {
        let mut kept = [0; 32];
        self.fill(&mut kept, what)?;
        if *hash == kept {
            self.hashes.update(&kept);
            return Ok(());
        }
        Err(Error::from(FileError::content(
            self.path,
            format!("the {what} are damaged (wrong checksum)"),
        )))
    }

    /// The header, which comes first.
    pub(super) fn header(&mut self) -> Result<Value, Error> {
        let (mut magic, mut len) = ([0; 8], [0; 4]);
        self.fill(&mut magic, "header")?;
        if &magic != MAGIC {
            return Err(Error::from(FileError::content(
                self.path,
                "no n-tuple network of this version of Ludens",
            )));
        }
        self.fill(&mut len, "header")?;
        let len = u32::from_le_bytes(len);
        if len > MAX_HEADER {
            return Err(Error::from(FileError::content(
                self.path,
                "the header's length is damaged",
            )));
        }
        let mut header = vec![0; len as usize];
        self.fill(&mut header, "header")?;
        self.check(&blake3::hash(&header), "header's bytes")?;
        serde_json::from_slice(&header).map_err(|error| {
            Error::from(FileError::content(self.path, format!("the header is no JSON: {error}")))
        })
    }

    /// The next section.
    pub(super) fn section<T: Item>(&mut self, items: &[T], what: &str) -> Result<(), Error> {
        self.chunks(items.len(), T::BYTES, what, |begin, uniform, bytes| {
            let values = bytes.chunks_exact(T::BYTES);
            if !uniform {
                items[begin..].iter().zip(values).for_each(|(item, value)| item.set(value));
            } else if bytes.iter().any(|&byte| byte != 0) {
                // Fresh memory is zero already: what is not written takes no memory.
                let chunk = items[begin..].iter().take(CHUNK / T::BYTES);
                chunk.for_each(|item| item.set(bytes));
            }
        })
    }

    /// Reads the chunks of `len` items of `size` bytes: where each begins, whether one item
    /// fills it, and the bytes of that or of all.
    pub(super) fn chunks(
        &mut self,
        len: usize,
        size: usize,
        what: &str,
        mut f: impl FnMut(usize, bool, &[u8]),
    ) -> Result<(), Error> {
        let mut hasher = blake3::Hasher::new();
        let mut bytes = [0u8; 1 + CHUNK];
        for begin in (0..len).step_by(CHUNK / size) {
            self.fill(&mut bytes[..1], what)?;
            let uniform = match bytes[0] {
                0 => true,
                1 => false,
                _ => {
                    return Err(Error::from(FileError::content(
                        self.path,
                        format!("the {what} are damaged"),
                    )));
                }
            };
            let items = if uniform { 1 } else { (len - begin).min(CHUNK / size) };
            let end = 1 + items * size;
            self.fill(&mut bytes[1..end], what)?;
            hasher.update(&bytes[..end]);
            f(begin, uniform, &bytes[1..end]);
        }
        self.check(&hasher.finalize(), what)
    }
}
