//! Networks in use, shared by all who ask.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ludens_core::params::spec;
use ludens_core::{AfterNotation, Cells, Variant};
use ludens_nn::{Describe, Model, Weights};
#[cfg(feature = "files")]
use ludens_ntuple::file;
use ludens_ntuple::{Network, pack};

use crate::{Error, Role, Source};

/// A network with what its file says of it.
#[derive(Debug)]
pub struct Loaded<T> {
    /// The network, shared.
    pub network: Arc<T>,
    /// What it is for.
    pub purpose: Purpose,
}

/// What a network is for, and the checksum that tells it from others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Purpose {
    /// The game with its variant.
    pub game: String,
    /// The encoder of a neural network with its version.
    pub encoder: String,
    /// The checksum of the weights, as the file has it.
    pub checksum: String,
}

impl Purpose {
    /// Refuses a network for another game or another encoder.
    ///
    /// # Errors
    /// When one differs.
    pub fn check(&self, game: &str, encoder: &str) -> Result<(), Error> {
        if self.game != game {
            return Err(Error::OtherGame { found: self.game.clone(), expected: game.to_owned() });
        }
        if self.encoder != encoder {
            let (found, expected) = (self.encoder.clone(), encoder.to_owned());
            return Err(Error::OtherEncoder { found, expected });
        }
        Ok(())
    }
}

/// A network that is kept for whoever asks next.
struct Entry {
    key: String,
    network: Arc<dyn Any + Send + Sync>,
    purpose: Purpose,
    bytes: usize,
}

/// Reads networks and keeps those that were used last.
pub struct ModelStore {
    /// The least recently used first.
    entries: Mutex<Vec<Entry>>,
    given: Mutex<BTreeMap<String, Arc<[u8]>>>,
    capacity: usize,
}

impl ModelStore {
    /// An empty store that keeps networks of at most `capacity` bytes, and the last one whatever
    /// its size. Networks in use stay in memory for as long as they are used.
    pub fn new(capacity: usize) -> Self {
        ModelStore { entries: Mutex::default(), given: Mutex::default(), capacity }
    }

    /// The store of this process.
    pub fn shared() -> &'static ModelStore {
        /// Two of the largest networks that are bundled.
        const CAPACITY: usize = 800 << 20;
        static SHARED: OnceLock<ModelStore> = OnceLock::new();
        SHARED.get_or_init(|| ModelStore::new(CAPACITY))
    }

    /// Gives a network of the host's under a name, which `model=NAME` then means.
    pub fn insert(&self, name: &str, bytes: impl Into<Arc<[u8]>>) {
        lock(&self.given).insert(name.to_owned(), bytes.into());
    }

    /// The source that a text names; the bundled one without a text.
    ///
    /// # Errors
    /// When none is named and none is bundled.
    pub fn source(&self, named: Option<&str>, game: &str, role: Role) -> Result<Source, Error> {
        let Some(text) = named else { return Source::bundled(game, role) };
        Ok(match lock(&self.given).get(text) {
            Some(bytes) => Source::Bytes(text.into(), Arc::clone(bytes)),
            #[cfg(feature = "files")]
            None => Source::file(text, role),
            #[cfg(not(feature = "files"))]
            None => return Err(Error::NotGiven { name: text.to_owned() }),
        })
    }

    /// The n-tuple network that a text names, or the bundled one of a game's default variant;
    /// `None` where there is neither.
    ///
    /// # Errors
    /// When it cannot be read, is for another game, or memory is short.
    pub fn ntuple<G: Cells + AfterNotation>(
        &self,
        named: Option<&str>,
        variant: &G::Variant,
    ) -> Result<Option<Loaded<Network>>, Error> {
        let game = spec(G::NAME, &variant.write());
        let source = match self.source(named, &game, Role::Afterstates) {
            Err(Error::NotBundled { .. }) => return Ok(None),
            source => source?,
        };
        let read = || {
            let unpacked = |bytes: &[u8]| -> Result<_, Error> {
                let network = pack::unpack::<G>(&source.name(), bytes, &game, variant)?;
                Ok((network, pack::checksum(bytes)))
            };
            let (network, checksum) = match &source {
                #[cfg(feature = "files")]
                Source::File(path) => {
                    let loaded = file::load::<G>(path, &game, variant, false)?;
                    (loaded.network, loaded.checksum)
                }
                Source::Bundled(bundled) => unpacked(bundled.bytes)?,
                Source::Bytes(_, bytes) => unpacked(bytes)?,
            };
            let bytes = network.bytes();
            Ok((network, Purpose { game: game.clone(), encoder: String::new(), checksum }, bytes))
        };
        self.cached(&source, &game, read).map(Some)
    }

    /// A neural network, of planes or of graphs, made of the weights of a source.
    ///
    /// # Errors
    /// When the weights cannot be read or are of another form.
    pub fn neural<S: Describe, T: Send + Sync + 'static>(
        &self,
        source: &Source,
        make: impl FnOnce(&Weights<S>) -> T,
    ) -> Result<Loaded<T>, Error> {
        // Sizes do not matter beside those of n-tuple networks.
        const BYTES: usize = 1 << 20;
        self.cached(source, "", || {
            let model: Model<S> = self.model(source)?;
            let network = make(&model.weights);
            let checksum = model.checksum();
            Ok((network, Purpose { game: model.game, encoder: model.encoder, checksum }, BYTES))
        })
    }

    /// The weights of a source as they are in its file.
    ///
    /// # Errors
    /// When they cannot be read or are of another form.
    pub fn model<S: Describe>(&self, source: &Source) -> Result<Model<S>, Error> {
        Ok(match source {
            #[cfg(feature = "files")]
            Source::File(path) => Model::load(path)?,
            Source::Bundled(bundled) => Model::from_bytes(&bundled.name(), bundled.bytes)?,
            Source::Bytes(name, bytes) => Model::from_bytes(name, bytes)?,
        })
    }

    /// The network that was read before, or the one that `read` gives with its purpose and bytes.
    fn cached<T: Send + Sync + 'static>(
        &self,
        source: &Source,
        game: &str,
        read: impl FnOnce() -> Result<(T, Purpose, usize), Error>,
    ) -> Result<Loaded<T>, Error> {
        let key = key(source, game);
        // Whoever asks for the same network meanwhile gets this one.
        let mut entries = lock(&self.entries);
        let found = entries.iter().position(|entry| entry.key == key && entry.network.is::<T>());
        if let Some(index) = found {
            let entry = entries.remove(index);
            let network = Arc::clone(&entry.network).downcast().ok();
            let loaded = network.map(|network| Loaded { network, purpose: entry.purpose.clone() });
            entries.push(entry);
            return Ok(loaded.expect("an entry of the same type was found"));
        }
        let (network, purpose, bytes) = read()?;
        let network = Arc::new(network);
        let kept = Arc::clone(&network) as Arc<dyn Any + Send + Sync>;
        entries.push(Entry { key, network: kept, purpose: purpose.clone(), bytes });
        let mut total: usize = entries.iter().map(|entry| entry.bytes).sum();
        while total > self.capacity && entries.len() > 1 {
            total -= entries.remove(0).bytes;
        }
        Ok(Loaded { network, purpose })
    }
}

/// What tells a source from others: a file that was written anew is another one.
fn key(source: &Source, game: &str) -> String {
    let version = match source {
        #[cfg(feature = "files")]
        Source::File(path) => {
            format!("{:?}", path.metadata().and_then(|data| data.modified()).ok())
        }
        Source::Bundled(_) => String::new(),
        Source::Bytes(_, bytes) => format!("{:?}", bytes.as_ptr()),
    };
    format!("{} {game} {version}", source.name())
}

/// What others left behind is whole: entries are only pushed and removed.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use ludens_games::Game2048;

    use super::*;

    #[test]
    fn networks_are_shared_and_the_oldest_give_way() {
        let store = ModelStore::new(10);
        let source = |name: &str| Source::Bytes(name.into(), Arc::from([1u8, 2].as_slice()));
        let (one, two) = (source("one"), source("two"));
        let get = |source: &Source, bytes| {
            let purpose =
                Purpose { game: String::new(), encoder: String::new(), checksum: String::new() };
            store.cached::<u32>(source, "game", || Ok((7, purpose, bytes)))
        };
        let first = get(&one, 6).unwrap();
        assert!(Arc::ptr_eq(&first.network, &get(&one, 6).unwrap().network));
        get(&two, 6).unwrap();
        assert!(!Arc::ptr_eq(&first.network, &get(&one, 6).unwrap().network));
        assert_eq!(lock(&store.entries).len(), 1);
    }

    #[test]
    fn bytes_of_the_host_are_found_by_name() {
        let store = ModelStore::new(0);
        store.insert("mine", [0u8; 40].as_slice());
        let damaged = store.ntuple::<Game2048>(Some("mine"), &Default::default());
        assert!(damaged.err().unwrap().to_string().starts_with("mine"));
    }
}
