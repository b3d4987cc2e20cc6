//! Runs that learn one network stage by stage, and how they begin: with a fresh network or with one that
//! has learned before.

use ludens_core::error::quote;
use ludens_core::{Game, ParseError, Rng};
use ludens_learn::{NetworkFolder, Stages};
use ludens_nn::{Checkpoint, Encoder, Model, Spec, Weights};

use crate::self_play::open;
use crate::train::{TrainError, TrainRequest};
use ludens_models::file_in;

/// A run that begins or goes on.
pub(crate) struct Begun<S> {
    pub(crate) folder: NetworkFolder,
    pub(crate) seed: u64,
    pub(crate) config: S,
    /// What it goes on from.
    pub(crate) checkpoint: Option<Checkpoint>,
    /// The network that it began with, if it was given one.
    pub(crate) start: Option<Model>,
    /// That network's weights, with as many filters as the settings want, where there is no checkpoint.
    pub(crate) weights: Option<Weights>,
}

/// Begins or resumes the run of a request. The network that it begins with, if any, gives it its size
/// unless more filters are wanted, and is kept in the folder. Settings and network must pass `check`: a
/// run that cannot begin leaves no folder behind.
pub(crate) fn begin<G: Game, E: Encoder<G>, S: Stages>(
    request: &TrainRequest,
    game: &str,
    check: impl Fn(&S, Option<&Spec>) -> Result<(), ParseError>,
) -> Result<Begun<S>, TrainError> {
    let start = match &request.from {
        Some(from) => Some(given::<G, E>(request, from, game)?),
        None => None,
    };
    let spec = start.as_ref().map(|model| model.weights.spec());
    let mut config = S::default();
    if let Some(spec) = spec {
        config.set("w", &spec.channels.to_string())?;
        config.set("d", &(spec.convolutions() + 1).to_string())?;
    }
    let (run, seed, config) = open(request, game, config, |config: &S| {
        spec.map_or(Ok(()), |spec| wide_enough(config.width(), spec))?;
        check(config, spec)
    })?;
    let (folder, checkpoint, start) = if request.resume {
        let (folder, checkpoint) = NetworkFolder::resumed(run)?;
        let start = folder.start()?;
        (folder, checkpoint, start)
    } else {
        let folder = NetworkFolder::begun(run);
        if let Some(model) = &start {
            folder.save_start(model)?;
        }
        (folder, None, start)
    };
    let weights = match &start {
        Some(model) if checkpoint.is_none() => {
            // Settings of a resumed run are read from a file.
            wide_enough(config.width(), model.weights.spec())?;
            // Streams from 0 on belong to games.
            let mut rng = Rng::stream(seed, u64::MAX);
            Some(model.weights.widened(config.width(), &mut rng))
        }
        _ => None,
    };
    Ok(Begun { folder, seed, config, checkpoint, start, weights })
}

/// Networks may grow, not shrink.
fn wide_enough(width: usize, spec: &Spec) -> Result<(), ParseError> {
    if width >= spec.channels {
        return Ok(());
    }
    let expected = format!("{}, as the network of --from has, or more", spec.channels);
    Err(ParseError::new("setting w", width.to_string(), expected))
}

/// The network of `--from`.
fn given<G: Game, E: Encoder<G>>(
    request: &TrainRequest,
    from: &std::path::Path,
    game: &str,
) -> Result<Model, TrainError> {
    if request.resume {
        let expected = "nothing: a run that is resumed has begun already";
        return Err(ParseError::new("--from", quote(&from.display().to_string()), expected).into());
    }
    if let Some((key, value)) = request.settings.iter().find(|(key, _)| key == "d") {
        let expected = "nothing: the network of --from has its depth";
        return Err(ParseError::new(format!("setting {key}"), quote(value), expected).into());
    }
    let model: Model = Model::load(&file_in(from))?;
    model.check(game, E::NAME)?;
    Ok(model)
}
