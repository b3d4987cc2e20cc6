//! The recipe `alphazero`: self-play with a tree search.

use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ludens_core::error::quote;
use ludens_core::params::spec;
use ludens_core::{
    Deterministic, Duel, Game, Notation, Params, ParseError, Rng, Symmetric, Variant,
};
use ludens_games::sevn::Base;
use ludens_games::{ConnectFour, Former, Othello, Sevn, Togyzkumalak};
use ludens_learn::alphazero::{
    AlphaZero, AlphaZeroConfig, GraphPupil, Iteration, PlanePupil, Planner, Pupil, Referee, folder,
    residual,
};
use ludens_learn::{RunFolder, Settings};
use ludens_nn::{
    ConnectFourCells, Encoder, FormerCells, GraphSpec, OthelloCells, SevnCells, SevnGraph,
    TogyzkumalakPits,
};
use ludens_search::tree::{PuctConfig, Results, Returns, TreeSearch};
use serde_json::Value;

use crate::referees;
use crate::train::{TrainError, TrainProgress, TrainRequest, variant};

/// Hears of progress.
pub(crate) type Tell<'a> = &'a mut dyn FnMut(&TrainProgress);

/// Learns the game that the request names.
pub(crate) fn alphazero(
    request: &TrainRequest,
    stop: &AtomicBool,
    tell: Tell<'_>,
) -> Result<Option<TrainProgress>, TrainError> {
    match name_of(request)? {
        ConnectFour::NAME => {
            let referee = referees::connect_four;
            planes::<ConnectFour, ConnectFourCells>(request, referee, stop, tell)
        }
        Othello::NAME => planes::<Othello, OthelloCells>(request, referees::by_proof, stop, tell),
        Togyzkumalak::NAME => {
            planes::<Togyzkumalak, TogyzkumalakPits>(request, referees::by_proof, stop, tell)
        }
        Sevn::NAME => sevn(request, stop, tell),
        Former::NAME => former(request, stop, tell),
        other => {
            let expected = "connect-four, othello, togyzkumalak, sevn or former";
            Err(ParseError::new("game", quote(other), expected).into())
        }
    }
}

/// The name of the game that a request is for.
pub(crate) fn name_of(request: &TrainRequest) -> Result<&str, ParseError> {
    let missing = || ParseError::new("game", "none", "--game GAME, such as connect-four");
    let game = request.game.as_deref().ok_or_else(missing)?;
    Ok(Params::split(game)?.0)
}

/// The folder of a request.
pub(crate) fn folder_of(request: &TrainRequest) -> Result<&Path, ParseError> {
    let expected = "--run DIR with a folder for games, figures and the network";
    let path = request.run.as_deref();
    path.ok_or_else(|| ParseError::new("run", "no folder", expected))
}

/// Begins or resumes the run of a request: its folder, seed and settings. A new run's settings must
/// pass `check` before anything is written.
pub(crate) fn open<S: Settings>(
    request: &TrainRequest,
    game: &str,
    mut settings: S,
    check: impl Fn(&S) -> Result<(), ParseError>,
) -> Result<(RunFolder, u64, S), TrainError> {
    let path = folder_of(request)?;
    if request.resume {
        return RunFolder::resume(path, game, |settings: &mut S| {
            request.settings.iter().try_for_each(|(key, value)| settings.change(key, value))
        });
    }
    for (key, value) in &request.settings {
        settings.set(key, value)?;
    }
    check(&settings)?;
    let folder = RunFolder::create(path, game, request.seed, &settings)?;
    Ok((folder, request.seed, settings))
}

/// What makes a fresh network, and what goes on with a saved one.
trait Study<G: Game> {
    type Pupil: Pupil<G>;

    fn fresh(
        variant: G::Variant,
        config: &AlphaZeroConfig,
        rng: &mut Rng,
    ) -> Result<Self::Pupil, TrainError>;

    fn resumed(
        variant: G::Variant,
        config: &AlphaZeroConfig,
        run: &RunFolder,
        game: &str,
    ) -> Result<(Self::Pupil, Value), TrainError>;
}

/// The file of the network that belongs to a checkpoint's notes.
fn mean(run: &RunFolder) -> impl Fn(&Value) -> PathBuf + '_ {
    |notes| run.file(&folder::mean_of(notes))
}

/// With planes by an encoder.
struct Planes<E>(PhantomData<E>);

impl<G: Deterministic + Symmetric, E: Encoder<G> + Default> Study<G> for Planes<E> {
    type Pupil = PlanePupil<G, E>;

    fn fresh(
        variant: G::Variant,
        config: &AlphaZeroConfig,
        rng: &mut Rng,
    ) -> Result<Self::Pupil, TrainError> {
        let network = residual::<G, E>(&variant, config.w, config.blocks, config.kernel);
        PlanePupil::new(E::default(), variant, network, config.inertia, rng).engine(config.engine)
    }

    fn resumed(
        variant: G::Variant,
        config: &AlphaZeroConfig,
        run: &RunFolder,
        game: &str,
    ) -> Result<(Self::Pupil, Value), TrainError> {
        let state = run.file(folder::CHECKPOINT);
        let (pupil, notes) =
            PlanePupil::load(E::default(), variant, &state, mean(run), game, config.inertia)?;
        Ok((pupil.engine(config.engine)?, notes))
    }
}

/// With Sevn's graphs.
struct Graphs;

impl Study<Sevn> for Graphs {
    type Pupil = GraphPupil<Sevn, SevnGraph>;

    fn fresh(_: Base, config: &AlphaZeroConfig, rng: &mut Rng) -> Result<Self::Pupil, TrainError> {
        let (spec, wins) = (GraphSpec::sevn(), config.wins != 0);
        GraphPupil::new(SevnGraph, spec, wins, config.inertia, rng).engine(config.engine)
    }

    fn resumed(
        _: Base,
        config: &AlphaZeroConfig,
        run: &RunFolder,
        game: &str,
    ) -> Result<(Self::Pupil, Value), TrainError> {
        let state = run.file(folder::CHECKPOINT);
        let (wins, inertia) = (config.wins != 0, config.inertia);
        let (pupil, notes) = GraphPupil::load(SevnGraph, &state, mean(run), game, wins, inertia)?;
        Ok((pupil.engine(config.engine)?, notes))
    }
}

fn sevn(
    request: &TrainRequest,
    stop: &AtomicBool,
    tell: Tell<'_>,
) -> Result<Option<TrainProgress>, TrainError> {
    let variant = variant::<Sevn>(request.game.as_deref())?;
    let game = spec(Sevn::NAME, &variant.write());
    let opened = open(request, &game, AlphaZeroConfig::for_game(Sevn::NAME), of_sevn)?;
    let means = Means { plan: TreeSearch::<_, Results>::puct, referee: Some(referees::by_proof) };
    match opened.2.graph {
        0 => study::<_, Planes<SevnCells>, _>(request, variant, &game, opened, means, stop, tell),
        _ => study::<_, Graphs, _>(request, variant, &game, opened, means, stop, tell),
    }
}

fn former(
    request: &TrainRequest,
    stop: &AtomicBool,
    tell: Tell<'_>,
) -> Result<Option<TrainProgress>, TrainError> {
    let variant = variant::<Former>(request.game.as_deref())?;
    let game = spec(Former::NAME, &variant.write());
    let opened = open(request, &game, AlphaZeroConfig::for_game(Former::NAME), |config| {
        if config.considered != 0 {
            let expected = "0: the search of one player has no Gumbel root";
            return Err(ParseError::new(
                "setting considered",
                config.considered.to_string(),
                expected,
            ));
        }
        if config.exact != 0 {
            let expected = "0: referees are for games of two players";
            return Err(ParseError::new("setting exact", config.exact.to_string(), expected));
        }
        let cells = variant.cells() as usize;
        if config.longest < cells {
            // What is left of a game that was cut off is not known.
            let expected = format!("{cells} at least, so that games come to their end");
            return Err(ParseError::new("setting longest", config.longest.to_string(), expected));
        }
        of_planes(config)
    })?;
    let means = Means { plan: TreeSearch::<_, Returns>::puct, referee: None };
    study::<_, Planes<FormerCells>, _>(request, variant, &game, opened, means, stop, tell)
}

/// What a network of planes needs.
fn of_planes(config: &AlphaZeroConfig) -> Result<(), ParseError> {
    if config.graph != 0 {
        return Err(ParseError::new("setting graph", "1", "0: only Sevn has graphs"));
    }
    of_sevn(config)
}

/// What a network of Sevn needs.
fn of_sevn(config: &AlphaZeroConfig) -> Result<(), ParseError> {
    if config.wins != 0 && config.graph == 0 {
        let expected = "0: only Sevn's graph network (graph=1) is one of values and wins";
        return Err(ParseError::new("setting wins", "1", expected));
    }
    odd_kernel(config)
}

fn odd_kernel(config: &AlphaZeroConfig) -> Result<(), ParseError> {
    if config.kernel.is_multiple_of(2) {
        let found = config.kernel.to_string();
        return Err(ParseError::new("setting kernel", found, "an odd number"));
    }
    Ok(())
}

fn planes<G: Duel + Deterministic + Notation + Symmetric, E: Encoder<G> + Default>(
    request: &TrainRequest,
    referee: fn(u64) -> Referee<G>,
    stop: &AtomicBool,
    tell: Tell<'_>,
) -> Result<Option<TrainProgress>, TrainError> {
    let variant = variant::<G>(request.game.as_deref())?;
    let game = spec(G::NAME, &variant.write());
    let opened = open(request, &game, AlphaZeroConfig::for_game(G::NAME), of_planes)?;
    let means = Means { plan: TreeSearch::<_, Results>::puct, referee: Some(referee) };
    study::<G, Planes<E>, _>(request, variant, &game, opened, means, stop, tell)
}

/// What a game is searched and judged with.
struct Means<G, T> {
    /// Makes the tree of a game.
    plan: fn(PuctConfig) -> T,
    /// Makes a referee that may use so many nodes for a position.
    referee: Option<fn(u64) -> Referee<G>>,
}

/// Learns with trees and referees of a kind.
fn study<G: Deterministic + Notation, S: Study<G>, T: Planner<G>>(
    request: &TrainRequest,
    variant: G::Variant,
    game: &str,
    (mut run, seed, config): (RunFolder, u64, AlphaZeroConfig),
    Means { plan, referee }: Means<G, T>,
    stop: &AtomicBool,
    tell: Tell<'_>,
) -> Result<Option<TrainProgress>, TrainError> {
    let state = if request.resume && run.is_saved(folder::CHECKPOINT)? {
        let (pupil, notes) = S::resumed(variant, &config, &run, game)?;
        let iterations = notes["iterations"].as_u64().unwrap_or_default();
        let games = folder::games(&run, &variant, iterations)?;
        let mut state = AlphaZero::new(config, variant, seed, pupil, plan);
        state.resume(iterations, notes["seconds"].as_f64().unwrap_or_default(), games);
        folder::publish(&run, &state)?;
        run.rewind("iteration", iterations)?;
        state
    } else {
        // Streams of games and of learning lie elsewhere.
        let pupil = S::fresh(variant, &config, &mut Rng::stream(seed, u64::MAX))?;
        let state = AlphaZero::new(config, variant, seed, pupil, plan);
        folder::save(&run, game, seed, &state, None)?;
        state
    };
    learn(&mut run, game, seed, state.refereed(referee), stop, tell)
}

/// Iteration by iteration to the end.
fn learn<G: Deterministic + Notation, P: Pupil<G>, T: Planner<G>>(
    run: &mut RunFolder,
    game: &str,
    seed: u64,
    mut state: AlphaZero<G, P, T>,
    stop: &AtomicBool,
    tell: Tell<'_>,
) -> Result<Option<TrainProgress>, TrainError> {
    let asked = || stop.load(Ordering::Relaxed);
    let mut last = None;
    while !state.is_done() && !asked() {
        let Some(iteration) = state.iterate(&asked)? else { break };
        let minutes = state.seconds() / 60.0;
        let figures = iteration.figures(state.lessons(), minutes);
        // Figures first: those that no save counts are forgotten when the run is resumed.
        run.note(iteration.number, &figures, &scalars(&iteration, &figures))?;
        folder::save(run, game, seed, &state, Some((&iteration, &figures)))?;
        let limits = (state.config.minutes, state.config.iterations);
        let left = left(limits.0, limits.1, state.iterations(), state.seconds());
        let progress = TrainProgress { line: told(&iteration, &figures), left, json: figures };
        tell(&progress);
        last = Some(progress);
    }
    Ok(last)
}

/// The time to the end: what is left of the minutes, or of the iterations at this pace.
pub(crate) fn left(minutes: f64, iterations: u64, done: u64, seconds: f64) -> Duration {
    let pace = seconds / done.max(1) as f64;
    let rest = pace * iterations.saturating_sub(done) as f64;
    Duration::try_from_secs_f64(rest.min(minutes * 60.0 - seconds)).unwrap_or_default()
}

fn scalars<G>(iteration: &Iteration<G>, figures: &Value) -> Vec<(&'static str, f32)> {
    let number = |name: &str| figures[name].as_f64().unwrap_or_default() as f32;
    let mut scalars = vec![
        ("games/length", number("mean_length")),
        ("speed/positions", number("positions_per_s")),
    ];
    if !figures["first_wins"].is_null() {
        scalars.push(("games/first_wins", number("first_wins")));
    }
    if let Some([policy, value]) = iteration.losses {
        scalars.extend([("loss/policy", policy), ("loss/value", value)]);
    }
    scalars
}

fn told<G>(iteration: &Iteration<G>, figures: &Value) -> String {
    let losses = iteration
        .losses
        .map_or(String::new(), |[policy, value]| format!(" | losses {policy:.3} and {value:.3}"));
    format!(
        "iteration {}{losses} | {:.1} moves a game | {} positions/s",
        iteration.number,
        figures["mean_length"].as_f64().unwrap_or_default(),
        figures["positions_per_s"],
    )
}
