//! Ablations: a solver and variants of it on the same boards with the same budget.
//!
//! Every variant differs from the base in the parameters that are varied. All play the same
//! boards with the same seeds, so that the gains over the base are paired and how hard a board is
//! cancels out.

mod report;

use ludens_arena::statistics::Paired;
use ludens_arena::{Progress, RunResult, SuiteSummary};
use ludens_core::ParseError;
use ludens_core::error::quote;
use serde::Serialize;

pub use report::per_mille;

use crate::work::{Execution, SuiteWork, WorkError};

/// A parameter with the values it is given.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Variation {
    /// The parameter.
    pub key: String,
    /// Its values.
    pub values: Vec<String>,
}

impl std::str::FromStr for Variation {
    type Err = ParseError;

    /// `c=.01,.02,.04`.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let read = || {
            let (key, values) = text.split_once('=')?;
            let values: Vec<String> = values.split(',').map(|v| v.trim().to_owned()).collect();
            let whole = !key.trim().is_empty() && values.iter().all(|v| !v.is_empty());
            whole.then(|| Variation { key: key.trim().to_owned(), values })
        };
        read().ok_or_else(|| {
            let expected = "a parameter and its values, such as c=.01,.02,.04";
            ParseError::new("variation", quote(text), expected)
        })
    }
}

/// What is varied.
#[derive(Clone, PartialEq, Debug)]
pub struct Ablation {
    /// The evaluation; its solver is the base.
    pub work: SuiteWork,
    /// What is varied; with several, every combination of their values.
    pub vary: Vec<Variation>,
}

/// The base or a variant, with what it came to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Variant {
    /// What differs from the base; empty for the base itself.
    pub label: String,
    /// The solver.
    pub solver: String,
    /// Over the suite.
    pub summary: SuiteSummary,
    /// Against the base, board by board; none for the base itself.
    pub against_base: Option<Paired>,
}

/// An ablation as a whole.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Ablated {
    /// The game.
    pub game: String,
    /// The suite.
    pub suite: String,
    /// The budget.
    pub budget: String,
    /// Runs of each board.
    pub runs: u32,
    /// The seed.
    pub seed: u64,
    /// The base first, then the variants in the order of the values.
    pub variants: Vec<Variant>,
}

impl Ablation {
    /// The solvers to compare, the base first: what differs, and the whole name.
    pub fn solvers(&self) -> Vec<(String, String)> {
        let base = self.work.solver.clone().unwrap_or_default();
        let mut all: Vec<Vec<(String, String)>> = vec![Vec::new()];
        for Variation { key, values } in &self.vary {
            let mut longer = Vec::new();
            for settings in &all {
                for value in values {
                    let last = (key.clone(), value.clone());
                    longer.push([&settings[..], &[last]].concat());
                }
            }
            all = longer;
        }
        let variant = |settings: Vec<(String, String)>| {
            let label: Vec<String> = settings.iter().map(|(k, v)| format!("{k}={v}")).collect();
            (label.join(","), with(&base, &settings))
        };
        let first = (String::new(), base.clone());
        let varied = all.into_iter().filter(|settings| !settings.is_empty()).map(variant);
        std::iter::once(first).chain(varied).collect()
    }

    /// Runs what is not in the store yet. `None` when it was interrupted: what is done is kept.
    ///
    /// # Errors
    /// When a name, a value or the suite is wrong, a run failed, or the store fails.
    pub fn run(
        &self,
        execution: &mut Execution<'_>,
        progress: &mut dyn FnMut(&str, &Progress<'_>),
    ) -> Result<Option<Ablated>, WorkError> {
        let handle = ludens_engine::game(&self.work.game)?;
        let solvers = self.solvers();
        for (_, solver) in &solvers {
            handle.start(0).solver_name(Some(solver), false)?;
        }
        let mut variants: Vec<Variant> = Vec::new();
        let mut base: Option<Vec<RunResult>> = None;
        let (mut suite_name, mut budget) = (String::new(), String::new());
        for (label, solver) in solvers {
            let work = SuiteWork { solver: Some(solver.clone()), ..self.work.clone() };
            let done = work.run(execution, &mut |done_so_far| progress(&solver, done_so_far))?;
            if !done.evaluated.is_complete() {
                return Ok(None);
            }
            let results = done.evaluated.results;
            let failed =
                results.iter().find_map(|run| Some((&run.case, run.outcome.failure.as_ref()?)));
            if let Some((case, why)) = failed {
                return Err(WorkError::Failed(format!("{solver}, board {case}: {why}")));
            }
            let summary = SuiteSummary::of(&done.suite, done.measure, &results);
            let summary = summary.ok_or_else(|| {
                WorkError::Failed(format!("{solver}: no run came to the end of a game"))
            })?;
            let against_base =
                base.as_ref().and_then(|base| Paired::of(&done.suite, &results, base));
            (suite_name, budget) =
                (done.evaluated.evaluation.suite.clone(), done.evaluated.evaluation.budget.clone());
            variants.push(Variant { label, solver, summary, against_base });
            base.get_or_insert(results);
        }
        Ok(Some(Ablated {
            game: handle.spec(),
            suite: suite_name,
            budget,
            runs: self.work.runs,
            seed: self.work.seed,
            variants,
        }))
    }
}

/// A solver with some of its parameters set otherwise.
fn with(solver: &str, settings: &[(String, String)]) -> String {
    let (name, given) = solver.split_once(':').unwrap_or((solver, ""));
    let kept = given.split(',').filter(|part| {
        let key = part.split('=').next().unwrap_or_default().trim();
        !part.is_empty() && settings.iter().all(|(varied, _)| varied != key)
    });
    let set = settings.iter().map(|(key, value)| format!("{key}={value}"));
    let all: Vec<String> = kept.map(str::to_owned).chain(set).collect();
    format!("{name}:{}", all.join(","))
}

#[cfg(test)]
mod tests;
