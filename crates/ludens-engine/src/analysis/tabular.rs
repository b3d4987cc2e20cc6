//! Small sliding games solved completely: tables of exact values.

use ludens_core::params::spec;
use ludens_core::{Limits, Param, Params, Variant, parameters};
use ludens_search::tabular::{ExactTable, ExactValue, Model, Unsolved, memory_of, retrograde};

use super::report::{Analysis, Details, MoveAnalysis, TableFacts};
use super::request::{AnalysisError, Analyzer, Search};
use super::solver::{SolverEntry, SolverInfo};
use crate::Legal;
use crate::sliding::Sliding;
use crate::table_file;

/// The ways to solve a game, the default first.
const METHODS: [(&str, &str); 3] = [
    ("retrograde", "exact values of small boards, by layers of the tiles' sum"),
    ("value-iteration", "the same by sweeps over all positions"),
    ("policy-iteration", "the same by policies and their values"),
];

/// Boards with more cells have more positions than any memory.
const MOST_CELLS: u32 = 9;

const TABLE: Param<Option<String>> = Param::path("table", "none")
    .help("file that keeps the exact values: read if it is there, else written");

/// The solvers that make tables of exact values.
pub(crate) fn entries<G: Sliding>() -> impl Iterator<Item = SolverEntry<G>> {
    METHODS.into_iter().map(|(name, about)| {
        let info = SolverInfo { name, about, parameters: parameters![TABLE] };
        SolverEntry::analyzer(info, move |variant: &G::Variant, params: &mut Params| {
            let file = params.get(&TABLE)?;
            Ok(ByTable { variant: *variant, method: name, file })
        })
    })
}

/// Solves the whole game, or reads its table, and looks the position up.
struct ByTable<G: Sliding> {
    variant: G::Variant,
    method: &'static str,
    file: Option<String>,
}

impl<G: Sliding> ByTable<G> {
    /// The table, and the sweeps it took.
    fn table(
        &self,
        memory: usize,
        stopped: &dyn Fn() -> bool,
    ) -> Result<(ExactTable, Option<usize>), AnalysisError> {
        let game = spec(G::NAME, &self.variant.write());
        let file = self.file.as_deref();
        if let Some(path) = file.filter(|path| table_file::exists(path)) {
            return Ok((table_file::load(path, &game)?.0, None));
        }
        foresee::<G>(&self.variant, memory)?;
        let cells = G::cell_shape(&self.variant).board.count_ones();
        if cells > MOST_CELLS {
            return Err(AnalysisError::Limit(format!(
                "{game} has {cells} cells; tables of exact values are for boards of at most \
                 {MOST_CELLS}"
            )));
        }
        let limit = |error: Unsolved| AnalysisError::Limit(error.to_string());
        let (table, sweeps) =
            solve::<G>(self.method, &self.variant, memory, stopped).map_err(limit)?;
        if let Some(path) = file {
            table_file::save(&table, path, &game).map_err(AnalysisError::Failed)?;
        }
        Ok((table, sweeps))
    }
}

impl<G: Sliding> Analyzer<G> for ByTable<G> {
    fn analyze(
        &mut self,
        position: &G,
        search: &mut Search<'_>,
    ) -> Result<Analysis, AnalysisError> {
        let after = search.request.afterstate.as_deref();
        let after = after.map(|text| G::parse_after(&self.variant, text)).transpose()?;
        let limits = Limits::new(search.start, search.request.budget, search.stop);
        let stopped = || limits.interrupted();
        let (table, sweeps) = self.table(search.request.memory, &stopped)?;
        let state = match &after {
            Some(after) => table.after::<G>(&self.variant, after),
            None => table.state(position),
        };
        let moves = match (&after, state) {
            (None, Some(_)) => values(&self.variant, &table, position),
            _ => Vec::new(),
        };
        let best = moves.iter().fold(None::<&MoveAnalysis>, |best, next| match best {
            Some(best) if best.value >= next.value => Some(best),
            _ => Some(next),
        });
        Ok(Analysis {
            method: search.method.to_owned(),
            best: best.map(|best| best.action.clone()),
            value: state.map(|state| state.expected),
            proven: state.is_some(),
            time: search.start.elapsed(),
            nodes: table.positions(),
            details: Details::Table(TableFacts {
                text: after.as_ref().map_or_else(|| position.text(), G::after_text),
                afterstate: after.is_some(),
                range: state.map(|state| (state.worst, state.best)),
                positions: table.positions(),
                afterstates: table.afterstates(),
                start: table.start(),
                sweeps,
            }),
            moves,
            ..Analysis::default()
        })
    }
}

/// The values of the moves of a reachable position.
fn values<G: Sliding>(variant: &G::Variant, table: &ExactTable, position: &G) -> Vec<MoveAnalysis> {
    let value = |action| {
        let (after, reward) = position.apply(action);
        let ExactValue { expected, .. } =
            table.after::<G>(variant, &after).expect("it follows what is reachable");
        MoveAnalysis {
            action: Legal::of(position, action),
            value: Some(expected + f64::from(reward)),
            bounds: None,
            visits: None,
            prior: None,
        }
    };
    position.actions().map(value).collect()
}

/// Boards that were solved: the game, rows, columns, and the reachable positions and
/// afterstates. Larger boards have more of both.
const MEASURED: [(&str, usize, usize, u64, u64); 4] = [
    ("2048", 2, 3, 85_844, 59_038),
    ("2048", 2, 4, 19_920_382, 13_625_764),
    ("2584", 2, 3, 815_828, 525_758),
    ("threes", 2, 3, 225_779, 211_430),
];

/// Refuses what is known not to fit before anything is walked: the largest board that was
/// solved and lies within the one asked for.
fn foresee<G: Sliding>(variant: &G::Variant, memory: usize) -> Result<(), AnalysisError> {
    // The squares of the grid that are on the board, four to a row.
    let board = G::cell_shape(variant).board;
    let cols = (board & 0xF).count_ones() as usize;
    let rows = board.count_ones() as usize / cols.max(1);
    for &(name, r, c, positions, afterstates) in MEASURED.iter().rev() {
        let within = r <= rows && c <= cols || c <= rows && r <= cols;
        if name != G::NAME || !within {
            continue;
        }
        // Nearly every entry stands for all symmetric forms of a position.
        let symmetries = if r == c { 8 } else { 4 };
        let needed = memory_of(positions / symmetries, afterstates / symmetries);
        if needed > memory {
            let board = format!("{name}:board={r}x{c}");
            return Err(AnalysisError::Limit(format!(
                "{board} alone needs {} MiB of tables, {} MiB are allowed; allow more with \
                 --memory, or take a smaller board",
                needed.div_ceil(1 << 20),
                memory >> 20
            )));
        }
    }
    Ok(())
}

fn solve<G: Sliding>(
    method: &str,
    variant: &G::Variant,
    memory: usize,
    stopped: &dyn Fn() -> bool,
) -> Result<(ExactTable, Option<usize>), Unsolved> {
    if method == METHODS[0].0 {
        return Ok((retrograde::<G>(variant, memory, stopped)?, None));
    }
    let model = Model::new::<G>(variant, memory, stopped)?;
    let solved = match method {
        "value-iteration" => model.value_iteration(stopped)?,
        _ => model.policy_iteration(stopped)?,
    };
    Ok((solved.table, Some(solved.sweeps)))
}
