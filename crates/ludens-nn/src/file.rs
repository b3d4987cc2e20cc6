//! Networks on disk and in memory: safetensors files that say what they are.
//!
//! The tensors are those of [`Spec::tensor_specs`], 32-bit floats. The file's metadata has one
//! entry, `ludens`: JSON with the format's number, game, encoder with its version, the
//! network's description, the BLAKE3 of the tensors and what the writer adds.

use std::collections::BTreeMap;
use std::path::Path;

use ludens_core::FileError;
use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView};
use serde_json::Value;

use crate::{Describe, Error, Spec, Weights};

pub(crate) const FORMAT: u64 = 1;
pub(crate) const ENTRY: &str = "ludens";

/// A network with what it is for.
#[derive(Clone, PartialEq, Debug)]
pub struct Model<S = Spec> {
    /// The game with its variant, such as `former:rows=5`.
    pub game: String,
    /// The encoder's name with its version.
    pub encoder: String,
    /// The network.
    pub weights: Weights<S>,
    /// What the writer adds: how it was learned, metrics.
    pub notes: Value,
}

/// Tensors with their shapes, by name.
pub(crate) type Tensors = BTreeMap<String, (Vec<usize>, Vec<f32>)>;

impl<S: Describe> Model<S> {
    /// Reads a network from memory; messages call it `name`.
    ///
    /// # Errors
    /// When the bytes are damaged, or something else.
    pub fn from_bytes(name: &str, data: &[u8]) -> Result<Self, Error> {
        let read = parse(data).and_then(|(about, tensors)| Model::assemble(&about, tensors));
        read.map_err(|what| Error::from(FileError::content(Path::new(name), what)))
    }

    /// Refuses a network for another game or another encoder.
    ///
    /// # Errors
    /// When one differs.
    pub fn check(&self, game: &str, encoder: &str) -> Result<(), Error> {
        let wrong = |what: String| Err(Error::Weights { what });
        if self.game != game {
            return wrong(format!("a network for {}, expected one for {game}", self.game));
        }
        if self.encoder != encoder {
            let found = &self.encoder;
            return wrong(format!("a network for encoder '{found}', expected '{encoder}'"));
        }
        Ok(())
    }

    /// The checksum of its tensors, as its file has it.
    pub fn checksum(&self) -> String {
        let tensors = self.tensors();
        let bytes: Vec<(&String, Vec<u8>)> =
            tensors.iter().map(|(name, (_, numbers))| (name, bytes(numbers))).collect();
        checksum(bytes.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())))
    }

    pub(crate) fn tensors(&self) -> Tensors {
        let specs = self.weights.spec().tensor_specs().into_iter();
        specs
            .map(|tensor| {
                let numbers = self.weights.get(&tensor.name).to_vec();
                (tensor.name, (tensor.shape, numbers))
            })
            .collect()
    }

    /// The network of a description and its tensors; the error says what is wrong.
    pub(crate) fn assemble(about: &Value, tensors: Tensors) -> Result<Self, String> {
        let spec: S = text(about, "network")?.parse().map_err(|error| format!("{error}"))?;
        let numbers = tensors.into_iter().map(|(name, (_, numbers))| (name, numbers)).collect();
        let weights = Weights::new(spec, numbers).map_err(|error| error.to_string())?;
        let (game, encoder) = (text(about, "game")?.to_owned(), text(about, "encoder")?.to_owned());
        Ok(Model { game, encoder, weights, notes: about["notes"].clone() })
    }
}

/// What the file of a network says of it, once its checksum was compared; messages call it `name`.
///
/// # Errors
/// When the bytes are damaged, or something else.
pub fn about(name: &str, data: &[u8]) -> Result<Value, Error> {
    parse(data)
        .map(|(about, _)| about)
        .map_err(|what| Error::from(FileError::content(Path::new(name), what)))
}

fn text<'a>(about: &'a Value, name: &str) -> Result<&'a str, String> {
    about[name].as_str().ok_or_else(|| format!("its description has no '{name}'"))
}

/// Reads a file's bytes; the error says what is wrong.
pub(crate) fn parse(data: &[u8]) -> Result<(Value, Tensors), String> {
    let broken = |error| format!("no network, or damaged: {error}");
    let tensors = SafeTensors::deserialize(data).map_err(broken)?;
    let (_, metadata) = SafeTensors::read_metadata(data).map_err(broken)?;
    let about = metadata.metadata().as_ref().and_then(|entries| entries.get(ENTRY));
    let about = about.ok_or("a safetensors file that is no network of Ludens")?;
    let about: Value = serde_json::from_str(about)
        .map_err(|error| format!("its description is no JSON: {error}"))?;
    if about["format"] != FORMAT {
        let found = &about["format"];
        return Err(format!("format {found}, this version reads format {FORMAT}"));
    }
    let mut views: Vec<(&str, TensorView<'_>)> = tensors.iter().collect();
    views.sort_by_key(|(name, _)| *name);
    let found = checksum(views.iter().map(|(name, view)| (*name, view.data())));
    if text(&about, "blake3")? != found {
        return Err("its tensors are damaged (wrong checksum)".to_owned());
    }
    let mut numbers = Tensors::new();
    for (name, view) in views {
        if view.dtype() != Dtype::F32 {
            return Err(format!("tensor '{name}' is {:?}, expected F32", view.dtype()));
        }
        let floats = view.data().chunks_exact(4);
        let float = |b: &[u8]| f32::from_le_bytes(b.try_into().expect("four bytes"));
        let shape = view.shape().to_vec();
        numbers.insert(name.to_owned(), (shape, floats.map(float).collect()));
    }
    Ok((about, numbers))
}

pub(crate) fn bytes(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}

/// The checksum of tensors in the order of their names.
pub(crate) fn checksum<'a>(tensors: impl Iterator<Item = (&'a str, &'a [u8])>) -> String {
    let mut hasher = blake3::Hasher::new();
    for (name, data) in tensors {
        hasher.update(&(name.len() as u64).to_le_bytes());
        hasher.update(name.as_bytes());
        hasher.update(&(data.len() as u64).to_le_bytes());
        hasher.update(data);
    }
    hasher.finalize().to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use ludens_core::Rng;
    use serde_json::json;

    use super::*;
    use crate::disk::read_tensors;

    fn model() -> Model {
        let weights = Weights::random(Spec::residual(3, 3, 2, 4, 1, 9), &mut Rng::new(1));
        let notes = json!({ "seed": 1 });
        Model { game: "former:rows=3".to_owned(), encoder: "test 1".to_owned(), weights, notes }
    }

    fn parsed(data: &[u8]) -> Result<Model, String> {
        let (about, tensors) = parse(data)?;
        Model::assemble(&about, tensors)
    }

    fn saved(model: &Model) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("net.safetensors");
        model.save(&path).unwrap();
        assert_eq!(&Model::load(&path).unwrap(), model);
        let (about, _) = read_tensors(&path).unwrap();
        assert_eq!(about["blake3"], model.checksum());
        std::fs::read(path).unwrap()
    }

    #[test]
    fn files_round_trip_byte_for_byte() {
        assert_eq!(saved(&model()), saved(&model()));
    }

    #[test]
    fn damage_is_found() {
        let good = saved(&model());
        for len in (0..good.len()).step_by(7) {
            assert!(parsed(&good[..len]).is_err(), "cut at {len}");
        }
        let header = u64::from_le_bytes(good[..8].try_into().unwrap()) as usize + 8;
        for at in (header..good.len()).step_by(5) {
            let mut bad = good.clone();
            bad[at] ^= 0x10;
            let error = parsed(&bad).unwrap_err();
            assert_eq!(error, "its tensors are damaged (wrong checksum)", "byte {at}");
        }
        // Bytes of the header may be wrong in many ways; none is a panic or a crash.
        for at in 0..header {
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                let _ = parsed(&bad);
            }
        }
    }

    #[test]
    fn what_it_is_for_is_checked() {
        let model = model();
        assert!(model.check("former:rows=3", "test 1").is_ok());
        let game = model.check("former", "test 1").unwrap_err().to_string();
        assert_eq!(game, "a network for former:rows=3, expected one for former");
        let encoder = model.check("former:rows=3", "test 2").unwrap_err().to_string();
        assert_eq!(encoder, "a network for encoder 'test 1', expected 'test 2'");
    }
}
