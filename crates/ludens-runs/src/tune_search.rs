//! Numbers of a solver by the cross-entropy method: `ludens tune mcts`.
//!
//! Every candidate plays the seeded boards of its round; afterwards the numbers that came out
//! are compared with the base on boards that none has seen. All runs are kept in the folder's
//! store, so that a study that was interrupted continues where it stopped.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use ludens_arena::plot::{Labels, LinePlot, Series};
use ludens_arena::{Store, SuiteSummary, export};
use ludens_core::error::quote;
use ludens_core::{ParseError, Rng};
use ludens_search::mcts::{Normal, Tuning, cross_entropy};
use serde::Serialize;
use serde_json::{Value, json};

use crate::ablate::{Ablated, Ablation, Variation};
use crate::home::STORE;
use crate::work::{Execution, SuiteWork, WorkError};

/// What to tune, and how long.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchTuning {
    /// The puzzle with its variant.
    pub game: String,
    /// The solver.
    pub base: String,
    /// Its numbers with what they are drawn from at first.
    pub numbers: Vec<(String, Normal)>,
    /// Candidates in all.
    pub trials: u64,
    /// Candidates of a round, and how many of them the next round is fitted to.
    pub candidates: usize,
    /// See [`SearchTuning::candidates`].
    pub elite: usize,
    /// Boards of a round.
    pub boards: usize,
    /// Resource units of a run.
    pub units: u64,
    /// The seed.
    pub seed: u64,
}

impl Default for SearchTuning {
    fn default() -> Self {
        let Tuning { candidates, elite, .. } = Tuning::default();
        SearchTuning {
            game: "samegame".to_owned(),
            base: "SP-MCTS".to_owned(),
            numbers: Vec::new(),
            trials: 400,
            candidates,
            elite,
            boards: 20,
            units: 64_000,
            seed: 0,
        }
    }
}

/// What came out.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SearchTuned {
    /// The tuned solver.
    pub solver: String,
    /// The numbers of each round: what the next candidates are drawn from, `[mean, deviation]`.
    pub rounds: Vec<Vec<[f64; 2]>>,
    /// The base and the tuned solver on other boards.
    pub check: Value,
}

impl SearchTuning {
    /// Reads `key=value` settings: `base`, `candidates`, `elite`, `boards`, `ru`, and every other
    /// key as a number of the solver to tune, `mean~deviation`.
    ///
    /// # Errors
    /// When a value is none, or nothing is left to tune.
    pub fn set(mut self, settings: &[(String, String)]) -> Result<Self, ParseError> {
        for (key, value) in settings {
            let wrong = |expected: &str| {
                ParseError::new(format!("setting {key}"), quote(value), expected.to_owned())
            };
            let count = || value.parse().ok().filter(|n| *n > 0).ok_or_else(|| wrong("a number"));
            match key.as_str() {
                "base" => self.base.clone_from(value),
                "candidates" => self.candidates = count()? as usize,
                "elite" => self.elite = count()? as usize,
                "boards" => self.boards = count()? as usize,
                "ru" => self.units = count()?,
                _ => {
                    let read = || {
                        let (mean, deviation) = value.split_once('~')?;
                        let (mean, deviation) = (mean.parse().ok()?, deviation.parse().ok()?);
                        let normal = Normal { mean, deviation };
                        (mean.is_finite() && deviation > 0.0).then_some(normal)
                    };
                    let normal = read().ok_or_else(|| {
                        wrong("base, candidates, elite, boards, ru, or a number of the solver as mean~deviation, such as c=0.02~0.01")
                    })?;
                    self.numbers.push((key.clone(), normal));
                }
            }
        }
        if self.numbers.is_empty() {
            let expected = "a number to tune, such as --set c=0.02~0.01";
            return Err(ParseError::new("settings", "none", expected));
        }
        Ok(self)
    }

    /// Runs all rounds and writes `tuned.json` and `convergence.svg` into the folder. `None` when
    /// it was interrupted; `report` is told of every candidate with its score.
    ///
    /// # Errors
    /// When a name or number is wrong, a run failed, or the folder cannot be used.
    pub fn run(
        &self,
        folder: &Path,
        program: &str,
        workers: usize,
        memory: usize,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&str, f64),
    ) -> Result<Option<SearchTuned>, WorkError> {
        std::fs::create_dir_all(folder)
            .map_err(|source| ludens_arena::Error::file("make", folder, source))?;
        let mut store = Store::open(&folder.join(STORE))?;
        let mut execution =
            Execution { workers, memory, ..Execution::new(&mut store, program, stop) };
        let mut rng = Rng::new(self.seed);
        let mut normals: Vec<Normal> = self.numbers.iter().map(|(_, normal)| *normal).collect();
        let mut rounds = vec![pairs(&normals)];
        let count = (self.trials as usize).div_ceil(self.candidates.max(1)).max(1);
        for round in 0..count {
            let one =
                Tuning { rounds: 1, candidates: self.candidates.max(1), elite: self.elite.max(1) };
            let mut failed = None;
            normals = cross_entropy(one, normals, &mut rng, |drawn| {
                if failed.is_some() || stop.load(Ordering::Relaxed) {
                    return f64::NEG_INFINITY;
                }
                let ablation = self.ablation(drawn, round);
                let (_, solver) = ablation.solvers().pop().unwrap_or_default();
                match self.score(&solver, round, &mut execution) {
                    Ok(score) => {
                        report(&solver, score);
                        score
                    }
                    Err(error) => {
                        failed = Some(error);
                        f64::NEG_INFINITY
                    }
                }
            });
            if let Some(error) = failed {
                return Err(error);
            }
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            rounds.push(pairs(&normals));
        }
        let means: Vec<f64> = normals.iter().map(|normal| normal.mean).collect();
        let ablation = self.ablation(&means, count);
        let (_, solver) = ablation.solvers().pop().unwrap_or_default();
        let Some(check) = ablation.run(&mut execution, &mut |_, _| {})? else { return Ok(None) };
        let tuned = SearchTuned { solver, rounds, check: check.to_json() };
        self.save(folder, &tuned, &check)?;
        Ok(Some(tuned))
    }

    /// The base and the candidate of these numbers on the boards of a round.
    fn ablation(&self, numbers: &[f64], round: usize) -> Ablation {
        let vary = self.numbers.iter().zip(numbers).map(|((key, _), number)| Variation {
            key: key.clone(),
            // No number of a search is negative.
            values: vec![format!("{:.6}", number.max(0.0))],
        });
        Ablation { work: self.work(&self.base, round), vary: vary.collect() }
    }

    /// A solver on the boards of a round, which no other round has.
    fn work(&self, solver: &str, round: usize) -> SuiteWork {
        let first = self.seed.wrapping_add((round * self.boards) as u64) % (1 << 40);
        SuiteWork {
            game: self.game.clone(),
            suite: format!("random:{},{first}", self.boards),
            solver: Some(solver.to_owned()),
            runs: 1,
            seed: self.seed,
            threads: 1,
            ru: Some(self.units),
            ..SuiteWork::default()
        }
    }

    /// The mean value of a solver on the boards of a round, of which more is better.
    fn score(
        &self,
        solver: &str,
        round: usize,
        execution: &mut Execution<'_>,
    ) -> Result<f64, WorkError> {
        let done = self.work(solver, round).run(execution, &mut |_| {})?;
        let results = &done.evaluated.results;
        let summary = SuiteSummary::of(&done.suite, ludens_arena::Measure::Score, results);
        Ok(summary.map_or(f64::NEG_INFINITY, |summary| summary.avg))
    }

    fn save(&self, folder: &Path, tuned: &SearchTuned, check: &Ablated) -> Result<(), WorkError> {
        let file = |name: &str| -> PathBuf { folder.join(name) };
        export::save(&file("tuned.json"), &format!("{:#}\n", json!(tuned)))?;
        export::save(&file("check.md"), &check.to_markdown())?;
        // Numbers of different sizes share a plot as multiples of where they began.
        let series = self.numbers.iter().enumerate().map(|(i, (key, start))| Series {
            name: key.clone(),
            points: (0..)
                .zip(&tuned.rounds)
                .map(|(round, numbers)| {
                    (f64::from(round), numbers[i][0] / start.mean.abs().max(f64::MIN_POSITIVE))
                })
                .collect(),
        });
        let labels = Labels::new(&self.base, "round", "mean, as a multiple of the first");
        let (log_x, steps, levels) = (false, false, Vec::new());
        let plot = LinePlot { labels, log_x, steps, series: series.collect(), levels };
        export::save(&file("convergence.svg"), &plot.to_svg())?;
        Ok(())
    }
}

fn pairs(normals: &[Normal]) -> Vec<[f64; 2]> {
    normals.iter().map(|normal| [normal.mean, normal.deviation]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &[(&str, &str)]) -> Vec<(String, String)> {
        text.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
    }

    #[test]
    fn studies_repeat_and_resume() {
        let small = [
            ("base", "SP-MCTS"),
            ("candidates", "4"),
            ("elite", "2"),
            ("boards", "2"),
            ("ru", "1000"),
            ("c", "0.02~0.01"),
            ("d", "0.01~0.005"),
        ];
        let tuning = SearchTuning {
            game: "samegame:rows=6,cols=6,colours=3".to_owned(),
            trials: 8,
            ..SearchTuning::default()
        };
        let tuning = tuning.set(&settings(&small)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let stop = AtomicBool::new(false);
        let run = |reported: &mut Vec<String>| {
            let mut report = |solver: &str, _: f64| reported.push(solver.to_owned());
            tuning.run(folder.path(), "test", 1, 1 << 26, &stop, &mut report).unwrap().unwrap()
        };
        let (mut first, mut second) = (Vec::new(), Vec::new());
        let one = run(&mut first);
        assert_eq!((first.len(), one.rounds.len()), (8, 3));
        assert!(one.solver.starts_with("SP-MCTS:c=0.0") && one.solver.contains(",d=0.0"));
        // The second time everything comes from the store.
        let two = run(&mut second);
        assert_eq!((first, one.rounds), (second, two.rounds));
        assert!(folder.path().join("convergence.svg").exists());
        assert!(folder.path().join("tuned.json").exists());
    }

    #[test]
    fn wrong_settings_are_told() {
        for (key, value) in [("c", "0.02"), ("boards", "none"), ("c", "0.1~0")] {
            let error = SearchTuning::default().set(&settings(&[(key, value)])).unwrap_err();
            assert!(error.to_string().contains(&format!("setting {key}")), "{error}");
        }
        assert!(SearchTuning::default().set(&[]).is_err());
    }
}
