//! Networks: those that come with the program, and those of runs.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use ludens_core::{AfterNotation, Cells, ParseError, Player};
use ludens_games::{Game2048, Game2584, Threes};
use ludens_learn::run::MODEL;
use ludens_ntuple::{Error, Network, file, pack};
use serde_json::{Value, json};

use crate::train::variant;
use crate::{game, shipped};

/// A network that comes with the program.
struct Shipped {
    game: &'static str,
    bytes: &'static [u8],
    network: OnceLock<Arc<Network>>,
}

/// One per game; the cards beside the files tell how they were made.
static SHIPPED: [Shipped; 3] = [
    Shipped {
        game: "2048",
        bytes: include_bytes!("../../../models/2048.packed"),
        network: OnceLock::new(),
    },
    Shipped {
        game: "2584",
        bytes: include_bytes!("../../../models/2584.packed"),
        network: OnceLock::new(),
    },
    Shipped {
        game: "threes",
        bytes: include_bytes!("../../../models/threes.packed"),
        network: OnceLock::new(),
    },
];

impl Shipped {
    /// What messages call it.
    fn name(&self) -> String {
        format!("the network for {} that comes with the program", self.game)
    }
}

/// The network that comes with the program, for a variant of a game, with its checksum; `None`
/// where there is none. It is unpacked once, when it is first asked for.
///
/// # Errors
/// When memory is short.
pub fn embedded<G: Cells + AfterNotation>(
    variant: &G::Variant,
) -> Result<Option<(Arc<Network>, String)>, Error> {
    let shipped = SHIPPED.iter().find(|shipped| shipped.game == G::NAME);
    let Some(shipped) = shipped.filter(|_| *variant == G::Variant::default()) else {
        return Ok(None);
    };
    let checksum = pack::checksum(shipped.bytes);
    if let Some(network) = shipped.network.get() {
        return Ok(Some((network.clone(), checksum)));
    }
    let name = shipped.name();
    let network = Arc::new(pack::unpack::<G>(&name, shipped.bytes, shipped.game, variant)?);
    Ok(Some((shipped.network.get_or_init(|| network).clone(), checksum)))
}

/// A network as `ludens models` lists it.
#[derive(Debug)]
pub struct ModelInfo {
    /// The game it is for, as far as its header can be read.
    pub game: String,
    /// Its file; `None` for one that comes with the program.
    pub path: Option<PathBuf>,
    /// Its size in bytes.
    pub bytes: u64,
    /// What its header tells, or what is wrong with it.
    pub header: Result<Value, ModelError>,
    /// The agents that may use it; it is for the first of them that takes it.
    agents: Vec<String>,
}

/// What is wrong with a network's file.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// An n-tuple network's.
    #[error(transparent)]
    Tuples(#[from] Error),
    /// A neural network's.
    #[error(transparent)]
    Neural(#[from] ludens_nn::Error),
    /// No agent can be made with it.
    #[error(transparent)]
    Use(#[from] ParseError),
}

/// The header of a neural network, its form as its `layout`.
fn neural_header(about: Result<Value, ludens_nn::Error>) -> Result<Value, ModelError> {
    let about = about?;
    Ok(json!({"game": about["game"], "layout": about["network"], "notes": about["notes"]}))
}

/// All networks: those of the program, then those in the folders and files of `home`.
pub fn models(home: Option<&Path>) -> Vec<ModelInfo> {
    let shipped = SHIPPED.iter().map(|shipped| ModelInfo {
        game: shipped.game.to_owned(),
        path: None,
        bytes: shipped.bytes.len() as u64,
        header: pack::about(&shipped.name(), shipped.bytes).map_err(ModelError::from),
        agents: vec!["ntuple".to_owned()],
    });
    let neural = shipped::SHIPPED.iter().map(|&(game, role, bytes)| ModelInfo {
        game: game.to_owned(),
        path: None,
        bytes: bytes.len() as u64,
        header: neural_header(ludens_nn::about(&shipped::name_of(game, role), bytes)),
        agents: vec![role.agent().to_owned()],
    });
    let mut models: Vec<ModelInfo> = shipped.chain(neural).collect();
    let mut found = Vec::new();
    for folder in ["models", "runs"] {
        let entries = home.and_then(|home| std::fs::read_dir(home.join(folder)).ok());
        for path in entries.into_iter().flatten().flatten().map(|entry| entry.path()) {
            let path = file_of(&path);
            if path.is_file() {
                found.push(path);
            }
        }
    }
    found.sort();
    models.extend(found.into_iter().map(ModelInfo::of_file));
    models
}

impl ModelInfo {
    /// What a file tells.
    pub fn of_file(path: PathBuf) -> Self {
        let header = if is_neural(&path) {
            neural_header(ludens_nn::about_file(&path))
        } else {
            file::header(&path).map_err(ModelError::from)
        };
        let game = header.as_ref().ok().and_then(|header| header["game"].as_str());
        let agents: &[&str] = if is_neural(&path) { &["net", "probs"] } else { &["ntuple"] };
        let named = |agent: &&str| format!("{agent}:model={}", path.display());
        ModelInfo {
            game: game.unwrap_or("?").to_owned(),
            bytes: path.metadata().map_or(0, |data| data.len()),
            agents: agents.iter().map(named).collect(),
            path: Some(path),
            header,
        }
    }
}

/// Whether a file is that of a neural network, by its name.
fn is_neural(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "safetensors")
}

/// The file of a network that may be named by the folder of its run.
pub fn file_of(path: &Path) -> PathBuf {
    let neural = path.join(ludens_learn::MODEL);
    match path.is_dir() {
        true if neural.exists() => neural,
        true => path.join(MODEL),
        false => path.to_owned(),
    }
}

/// Reads a whole network, compares all its checksums, and makes the agent that would use it: what
/// is sound here can be played with.
///
/// # Errors
/// When it is damaged, or nothing can play with it.
pub fn verify(model: &ModelInfo) -> Result<(), ModelError> {
    // Learning rates are in the file as well, which only learners read.
    if let Some(path) = model.path.as_ref().filter(|path| !is_neural(path)) {
        file::verify(path)?;
    }
    let mut table = game(&model.game)?.start(0);
    let mut tried = model.agents.iter().map(|agent| table.seat(Player::One, agent));
    let first = tried.next().unwrap_or(Ok(()));
    // What the first says of it is told: the others are for networks of other kinds.
    match first {
        Err(error) if !tried.any(|made| made.is_ok()) => Err(error.into()),
        _ => Ok(()),
    }
}

/// The mean of the weights of networks: snapshots of one run (stochastic weight averaging), or
/// separate runs. Written to `out`.
///
/// # Errors
/// When a file cannot be read, they are not of one form, or `out` cannot be written.
pub fn average(files: &[PathBuf], out: &Path) -> Result<(), AverageError> {
    let first = files.first().ok_or(AverageError::None)?;
    let spec = file::header(first)?["game"].as_str().unwrap_or_default().to_owned();
    let name = spec.split(':').next().unwrap_or_default();
    match name {
        "2048" => average_of::<Game2048>(&spec, files, out),
        "2584" => average_of::<Game2584>(&spec, files, out),
        "threes" => average_of::<Threes>(&spec, files, out),
        _ => Err(AverageError::Game(first.clone(), spec)),
    }
}

fn average_of<G: Cells + AfterNotation>(
    spec: &str,
    files: &[PathBuf],
    out: &Path,
) -> Result<(), AverageError> {
    let variant = variant::<G>(Some(spec)).map_err(Error::from)?;
    let load = |path| file::load::<G>(path, spec, &variant, false).map(|loaded| loaded.network);
    let mean: Network = load(&files[0])?;
    for (i, path) in files.iter().enumerate() {
        let next = if i == 0 { None } else { Some(load(path)?) };
        let next = next.as_ref().unwrap_or(&mean);
        if next.is_compact() || *next.form() != *mean.form() {
            return Err(AverageError::Form(path.clone()));
        }
        mean.blend(next, 1.0 / (i + 1) as f32);
    }
    let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    file::save(out, spec, &mean, None, &json!({"average": names}))?;
    Ok(())
}

/// Why networks could not be averaged.
#[derive(Debug, thiserror::Error)]
pub enum AverageError {
    /// There are none.
    #[error("no networks to average")]
    None,
    /// A network has other tables.
    #[error("{}: other tables than the first network's, or a packed network", .0.display())]
    Form(PathBuf),
    /// A network is for a game that has no recipe.
    #[error("{}: a network for '{}', expected 2048, 2584 or threes", .0.display(), .1)]
    Game(PathBuf, String),
    /// A file is damaged or cannot be written.
    #[error(transparent)]
    File(#[from] Error),
}
