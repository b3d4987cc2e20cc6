//! Networks on disk.
//!
//! A file is the eight bytes `LUDNTUP1`, the length of the header (four bytes, the
//! lowest first), the header (JSON: game, layout, cells, stages, sections, and what
//! the writer adds), the header's BLAKE3, and then section after section. A section
//! is an array in chunks of 4096 bytes, each after a byte that says whether it is
//! one item that fills it (0) or all of them (1), and the BLAKE3 of all that. So a
//! young network takes little room, and damage is found before a network is used.
//!
//! Files are written whole or not at all.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

use ludens_core::file::{open, rest};
use ludens_core::params::name_of;
use ludens_core::{Cells, atomic_file};
use serde_json::{Value, json};

use crate::network::Form;
use crate::{Coherence, Error, Network, Stages, Subject, pack};

const MAGIC: &[u8; 8] = b"LUDNTUP1";
/// What entries mean. 1 had other places for the entries of boards that are words.
const FORMAT: u64 = 2;
const CHUNK: usize = 4096;
/// No header is longer than this.
const LONGEST_HEADER: u32 = 1 << 26;
/// No packed network is larger.
const LARGEST_PACKED: u64 = 1 << 30;

/// What a file holds.
pub struct Loaded {
    /// The network.
    pub network: Network,
    /// Its learning rates, where they were saved and asked for.
    pub coherence: Option<Coherence>,
    /// What the writer added.
    pub run: Value,
    /// A checksum of header and weights.
    pub checksum: String,
}

/// Writes a network with what else is needed to go on learning; `game` names the
/// game and its variant.
///
/// # Errors
/// When the file cannot be written; an older one of the same name is still there.
pub fn save(
    path: &Path,
    game: &str,
    network: &Network,
    coherence: Option<&Coherence>,
    run: &Value,
) -> Result<(), Error> {
    let write = |file: &mut File| write(file, game, network, coherence, run);
    atomic_file::write(path, write).map_err(Error::io(path))
}

fn write(
    file: &mut File,
    game: &str,
    network: &Network,
    coherence: Option<&Coherence>,
    run: &Value,
) -> std::io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 20, file);
    let header = whole_header(game, network, coherence.is_some(), run).to_string();
    out.write_all(MAGIC)?;
    out.write_all(&(header.len() as u32).to_le_bytes())?;
    out.write_all(header.as_bytes())?;
    out.write_all(blake3::hash(header.as_bytes()).as_bytes())?;
    match network.compacted() {
        Some((items, _)) => write_section(&mut out, items)?,
        None => write_section(&mut out, network.weights())?,
    }
    if let Some(coherence) = coherence {
        write_section(&mut out, coherence.words())?;
    }
    out.flush()
}

/// What every header has: the game and what the entries mean.
pub(crate) fn header_form(game: &str, network: &Network) -> Value {
    let Form { layout, subject, shape, values, stages } = network.form();
    json!({
        "format": FORMAT,
        "game": game,
        "layout": layout.to_string(),
        "cells": shape.cells,
        "symmetries": shape.symmetries.len(),
        "extras": shape.extras,
        "values": values,
        "stages": stages.bits(),
        "subject": name_of(&Subject::NAMES, *subject),
    })
}

fn whole_header(game: &str, network: &Network, coherence: bool, run: &Value) -> Value {
    let (initial, promotion) = network.initial_bits();
    let mut header = header_form(game, network);
    header["initial"] = json!(initial);
    header["promotion"] = json!(promotion);
    header["scales"] = json!(network.compacted().map(|(_, scales)| scales));
    header["entries"] = json!(network.entries());
    header["coherence"] = json!(coherence);
    header["run"] = run.clone();
    header
}

/// The form of a header, if it is one for this variant of a game.
pub(crate) fn check_form<G: Cells>(
    path: &Path,
    header: &Value,
    game: &str,
    variant: &G::Variant,
) -> Result<Form, Error> {
    let field = |name: &str| header.get(name).cloned().unwrap_or(Value::Null);
    let wrong = |what: String| Error::file(path, what);
    if field("format") != FORMAT {
        let found = field("format");
        return Err(wrong(format!("format {found}, this version reads format {FORMAT}")));
    }
    if field("game") != game {
        return Err(wrong(format!("a network for {}, expected one for {game}", field("game"))));
    }
    let shape = G::cell_shape(variant);
    let number = |name: &str| field(name).as_u64().and_then(|n| usize::try_from(n).ok());
    let same = number("cells") == Some(shape.cells)
        && number("symmetries") == Some(shape.symmetries.len())
        && number("extras") == Some(shape.extras);
    let values = number("values").filter(|values| (2..=shape.values).contains(values));
    let (true, Some(values)) = (same, values) else {
        return Err(wrong("cells that this game has no longer".to_owned()));
    };
    let boundaries: Option<Vec<u64>> = field("stages")
        .as_array()
        .and_then(|list| list.iter().map(Value::as_u64).collect::<Option<_>>());
    let stages = boundaries.and_then(Stages::from_bits);
    let stages = stages.ok_or_else(|| wrong("stages that do not rise".to_owned()))?;
    let layout = field("layout").as_str().unwrap_or_default().parse()?;
    // Files from before there were others say nothing.
    let subject = match field("subject") {
        Value::Null => Some(Subject::Afterstates),
        named => Subject::NAMES.iter().find(|(name, _)| named == *name).map(|(_, found)| *found),
    };
    let subject = subject
        .filter(|subject| *subject != Subject::Actions || !shape.turns.is_empty())
        .ok_or_else(|| wrong("it values what this game or version does not know".to_owned()))?;
    Ok(Form { layout, subject, shape, values, stages })
}

/// An item of an array on disk.
trait Item {
    const BYTES: usize;
    fn get(&self, out: &mut [u8]);
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

fn write_section<T: Item>(out: &mut impl Write, items: &[T]) -> std::io::Result<()> {
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

/// Reads a network, packed or not, for a variant of a game; `game` must be the name it was saved
/// with. Its learning rates are read only if `coherence` says so.
///
/// # Errors
/// When the file cannot be read, is damaged, or is for another game.
pub fn load<G: Cells>(
    path: &Path,
    game: &str,
    variant: &G::Variant,
    coherence: bool,
) -> Result<Loaded, Error> {
    if let Some(bytes) = read_packed(path)? {
        let name = path.display().to_string();
        let network = pack::unpack::<G>(&name, &bytes, game, variant)?;
        let run = pack::about(&name, &bytes)?["about"].take();
        let checksum = pack::checksum(&bytes);
        return Ok(Loaded { network, coherence: None, run, checksum });
    }
    let mut reader = Reader::open(path)?;
    let header = reader.header()?;
    let field = |name: &str| header.get(name).cloned().unwrap_or(Value::Null);
    let wrong = |what: String| Error::file(path, what);
    let form = check_form::<G>(path, &header, game, variant)?;
    let network = match field("scales").as_array() {
        Some(scales) => {
            let scales: Option<Vec<f32>> =
                scales.iter().map(|scale| scale.as_f64().map(|scale| scale as f32)).collect();
            let scales = scales.filter(|scales| scales.len() == form.layout.tuples().len());
            let scales = scales.ok_or_else(|| wrong("not one scale per table".to_owned()))?;
            Network::zeroed_compact(form, scales)?
        }
        None => {
            let mut network = Network::zeroed(form, true)?;
            let initial = field("initial").as_u64().and_then(|bits| u32::try_from(bits).ok());
            let initial = initial.ok_or_else(|| wrong("no initial value".to_owned()))?;
            network.set_initial_bits(initial, field("promotion") == true);
            network
        }
    };
    match network.compacted() {
        Some((items, _)) => reader.section(items, "weights")?,
        None => reader.section(network.weights(), "weights")?,
    }
    let checksum = reader.hashes.finalize().to_hex().to_string();
    let coherence = if coherence && field("coherence") == true {
        let coherence = Coherence::new(&network)?;
        reader.section(coherence.words(), "learning rates")?;
        Some(coherence)
    } else {
        None
    };
    Ok(Loaded { network, coherence, run: field("run"), checksum })
}

/// What the writer of a file added, without reading the network.
///
/// # Errors
/// When the file cannot be read or its header is damaged.
pub fn load_run(path: &Path) -> Result<Value, Error> {
    Ok(header(path)?.get("run").cloned().unwrap_or(Value::Null))
}

/// The header of a network, packed or not.
///
/// # Errors
/// When the file cannot be read or its header is damaged.
pub fn header(path: &Path) -> Result<Value, Error> {
    match read_packed(path)? {
        Some(bytes) => pack::about(&path.display().to_string(), &bytes),
        None => Reader::open(path)?.header(),
    }
}

/// Reads a whole file, packed or not, and compares its checksums.
///
/// # Errors
/// When it is damaged.
pub fn verify(path: &Path) -> Result<(), Error> {
    if let Some(bytes) = read_packed(path)? {
        return pack::about(&path.display().to_string(), &bytes).map(drop);
    }
    let mut reader = Reader::open(path)?;
    let header = reader.header()?;
    let entries = header["entries"].as_u64().and_then(|entries| usize::try_from(entries).ok());
    let entries = entries.ok_or_else(|| Error::file(path, "no number of entries"))?;
    let bytes = if header["scales"].is_array() { AtomicU16::BYTES } else { AtomicU32::BYTES };
    reader.chunks(entries, bytes, "weights", |_, _, _| {})?;
    if header["coherence"] == true {
        reader.chunks(entries, AtomicU64::BYTES, "learning rates", |_, _, _| {})?;
    }
    Ok(())
}

/// The bytes of a file with a packed network; `None` for another.
fn read_packed(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    let mut bytes = Vec::new();
    let mut file = open(path).map_err(Error::io(path))?;
    Read::by_ref(&mut file).take(8).read_to_end(&mut bytes).map_err(Error::io(path))?;
    if bytes != pack::MAGIC {
        return Ok(None);
    }
    bytes.extend(rest(&mut file, LARGEST_PACKED).map_err(Error::io(path))?);
    Ok(Some(bytes))
}

/// A file being read.
struct Reader<'a> {
    path: &'a Path,
    input: BufReader<File>,
    /// Over the checksums of what was read so far.
    hashes: blake3::Hasher,
}

impl<'a> Reader<'a> {
    fn open(path: &'a Path) -> Result<Self, Error> {
        let file = open(path).map_err(Error::io(path))?;
        let input = BufReader::with_capacity(1 << 20, file);
        Ok(Reader { path, input, hashes: blake3::Hasher::new() })
    }

    fn fill(&mut self, bytes: &mut [u8], what: &str) -> Result<(), Error> {
        self.input.read_exact(bytes).map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => {
                Error::file(self.path, format!("it ends within the {what}"))
            }
            _ => Error::io(self.path)(error),
        })
    }

    fn check(&mut self, hash: &blake3::Hash, what: &str) -> Result<(), Error> {
        let mut kept = [0; 32];
        self.fill(&mut kept, what)?;
        if *hash == kept {
            self.hashes.update(&kept);
            return Ok(());
        }
        Err(Error::file(self.path, format!("the {what} are damaged (wrong checksum)")))
    }

    fn header(&mut self) -> Result<Value, Error> {
        let (mut magic, mut len) = ([0; 8], [0; 4]);
        self.fill(&mut magic, "header")?;
        if &magic != MAGIC {
            return Err(Error::file(self.path, "no n-tuple network of this version of Ludens"));
        }
        self.fill(&mut len, "header")?;
        let len = u32::from_le_bytes(len);
        if len > LONGEST_HEADER {
            return Err(Error::file(self.path, "the header's length is damaged"));
        }
        let mut header = vec![0; len as usize];
        self.fill(&mut header, "header")?;
        self.check(&blake3::hash(&header), "header's bytes")?;
        serde_json::from_slice(&header)
            .map_err(|error| Error::file(self.path, format!("the header is no JSON: {error}")))
    }

    fn section<T: Item>(&mut self, items: &[T], what: &str) -> Result<(), Error> {
        self.chunks(items.len(), T::BYTES, what, |begin, uniform, bytes| {
            let values = bytes.chunks_exact(T::BYTES);
            if !uniform {
                items[begin..].iter().zip(values).for_each(|(item, value)| item.set(value));
            } else if bytes.iter().any(|&byte| byte != 0) {
                // Fresh memory is zero already: what is not written takes no room.
                let chunk = items[begin..].iter().take(CHUNK / T::BYTES);
                chunk.for_each(|item| item.set(bytes));
            }
        })
    }

    /// Reads the chunks of `len` items of `size` bytes: where each begins, whether one item
    /// fills it, and the bytes of that or of all.
    fn chunks(
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
                _ => return Err(Error::file(self.path, format!("the {what} are damaged"))),
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
