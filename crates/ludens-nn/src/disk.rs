//! Networks in files, written whole or not at all.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::Path;

use ludens_core::FileError;
use safetensors::tensor::{Dtype, TensorView};
use serde_json::{Value, json};

use crate::file::{ENTRY, FORMAT, Tensors, bytes, checksum, parse};
use crate::{Describe, Error, Model};

/// No network is larger.
const LARGEST: u64 = 1 << 30;

impl<S: Describe> Model<S> {
    /// Writes the network.
    ///
    /// # Errors
    /// When the file cannot be written; an older one of the same name is still there.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        write_tensors(path, self.about(), &self.tensors())
    }

    /// What its file would have, for [`from_bytes`](Model::from_bytes) elsewhere.
    ///
    /// # Errors
    /// When it cannot be written as safetensors.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        serialized(Path::new("a network"), self.about(), &self.tensors())
    }

    /// Reads a network.
    ///
    /// # Errors
    /// When the file cannot be read, is damaged, or is something else.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let (about, tensors) = read_tensors(path)?;
        Model::assemble(&about, tensors).map_err(|what| Error::from(FileError::content(path, what)))
    }

    /// What the file says of it, without the checksum.
    pub(crate) fn about(&self) -> Value {
        json!({
            "format": FORMAT,
            "game": self.game,
            "encoder": self.encoder,
            "network": self.weights.spec().to_string(),
            "notes": self.notes,
        })
    }
}

/// What the file of a network says of it, once its checksum was compared.
///
/// # Errors
/// When the file cannot be read, is damaged, or is something else.
pub fn about_file(path: &Path) -> Result<Value, Error> {
    read_tensors(path).map(|(about, _)| about)
}

/// Writes tensors with a description, to which their checksum is added.
pub(crate) fn write_tensors(path: &Path, about: Value, tensors: &Tensors) -> Result<(), Error> {
    let data = serialized(path, about, tensors)?;
    let write = |file: &mut std::fs::File| file.write_all(&data);
    Ok(ludens_core::file::atomic_write(path, write).map_err(FileError::io(path))?)
}

/// What [`write_tensors`] writes; messages name the path.
fn serialized(path: &Path, mut about: Value, tensors: &Tensors) -> Result<Vec<u8>, Error> {
    let bytes: Vec<Vec<u8>> = tensors.values().map(|(_, numbers)| bytes(numbers)).collect();
    let views = tensors.iter().zip(&bytes).map(|((name, (shape, _)), bytes)| {
        let view = TensorView::new(Dtype::F32, shape.clone(), bytes);
        (name.as_str(), view.expect("a tensor's shape and its numbers agree"))
    });
    let views: BTreeMap<&str, TensorView<'_>> = views.collect();
    about["blake3"] = json!(checksum(views.iter().map(|(name, view)| (*name, view.data()))));
    let about = HashMap::from([(ENTRY.to_owned(), about.to_string())]);
    safetensors::serialize(views, Some(about)).map_err(|error| {
        Error::from(FileError::content(path, format!("cannot be written as safetensors: {error}")))
    })
}

/// Reads a file's description and tensors.
pub(crate) fn read_tensors(path: &Path) -> Result<(Value, Tensors), Error> {
    let data = ludens_core::file::read(path, LARGEST).map_err(FileError::io(path))?;
    parse(&data).map_err(|what| Error::from(FileError::content(path, what)))
}
