//! A solver or an agent over a suite of boards.

use std::time::Duration;

use ludens_arena::{
    Evaluated, Measure, Plan, Progress, Runner, Suite, SuiteSummary, evaluate, export,
};
use ludens_core::Budget;
use ludens_engine::analysis::{Method, Request};
use ludens_engine::game;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Execution, WorkError};
use crate::eval::{AgentRunner, SolverRunner, budget_text, measure, suite};

/// Everything that results depend on.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SuiteWork {
    /// The game with its variant.
    pub game: String,
    /// The suite: a name or a file.
    pub suite: String,
    /// Only the first n of its boards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boards: Option<usize>,
    /// The solver; the game's own without one.
    pub solver: Option<String>,
    /// The agent that plays in place of a solver.
    pub agent: Option<String>,
    /// Runs of each board.
    pub runs: u32,
    /// The seed.
    pub seed: u64,
    /// Threads of each run.
    pub threads: usize,
    /// Milliseconds of a run.
    pub time_ms: Option<u64>,
    /// Positions of a run.
    pub nodes: Option<u64>,
    /// Resource units of a run.
    pub ru: Option<u64>,
}

/// What it came to, with what is needed to sum it up.
#[derive(Debug)]
pub struct SuiteDone {
    /// The boards.
    pub suite: Suite,
    /// How results are published.
    pub measure: Measure,
    /// The results.
    pub evaluated: Evaluated,
    /// The runs of all shards together.
    pub units: usize,
}

impl SuiteDone {
    /// With stable field names; `None` when no run came to the end of a game within its limits.
    pub fn json(&self) -> Option<Value> {
        let SuiteDone { suite, measure, evaluated: done, .. } = self;
        let summary = SuiteSummary::of(suite, *measure, &done.results)?;
        let mut document = export::summary_json(&done.evaluation, &summary);
        document["reused"] = json!(done.reused);
        document["reused_of_other_builds"] = json!(done.of_others);
        document["left_aside"] = json!(done.left_aside);
        Some(document)
    }
}

impl SuiteWork {
    /// The limits of a run.
    pub fn budget(&self) -> Budget {
        let time = self.time_ms.map(Duration::from_millis);
        Budget { time, nodes: self.nodes, units: self.ru }
    }

    /// The same with these limits.
    #[must_use]
    pub fn within(self, budget: &Budget) -> Self {
        let time_ms = budget.time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        SuiteWork { time_ms, nodes: budget.nodes, ru: budget.units, ..self }
    }

    /// Runs of all boards.
    ///
    /// # Errors
    /// When the game or the suite is wrong.
    pub fn units(&self) -> Result<usize, WorkError> {
        let suite = suite(&*game(&self.game)?, &self.suite).map_err(WorkError::Suite)?;
        Ok(suite.cases().len() * self.runs as usize)
    }

    /// Runs what is not in the store yet.
    ///
    /// # Errors
    /// When a name or the suite is wrong, or the store fails.
    pub fn run(
        &self,
        execution: &mut Execution<'_>,
        progress: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<SuiteDone, WorkError> {
        let handle = game(&self.game)?;
        let mut suite = suite(&*handle, &self.suite).map_err(WorkError::Suite)?;
        if let Some(boards) = self.boards {
            suite = suite.first(boards);
        }
        let (measure, spec, budget) = (measure(&*handle), handle.spec(), self.budget());
        let runner: Box<dyn Runner>;
        let solver;
        match &self.agent {
            Some(agent) => {
                let (by_agent, name) = AgentRunner::new(handle, agent, budget)?;
                (runner, solver) = (Box::new(by_agent), name);
            }
            None => {
                solver = handle.start(0).solver_name(self.solver.as_deref(), false)?;
                let method = Method::solver(&solver.text);
                let memory = execution.memory / execution.workers.max(1);
                let threads = self.threads;
                let request = Request { method, budget, threads, memory, ..Request::default() };
                runner = Box::new(SolverRunner { game: handle, request });
            }
        }
        let plan = Plan {
            game: &spec,
            solver: &solver.text,
            budget: &budget_text(&budget, &solver.weights),
            program: execution.program,
            reuse: execution.reuse,
            suite: &suite,
            runs: self.runs,
            seed: self.seed,
            workers: execution.workers,
            threads: self.threads,
            shard: execution.shard,
        };
        let evaluated = evaluate(&plan, &*runner, execution.store, execution.stop, progress)?;
        let units = suite.cases().len() * self.runs as usize;
        Ok(SuiteDone { suite, measure, evaluated, units })
    }
}
