//! What joined work came to.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ludens_arena::Store;
use serde_json::{Value, json};

use super::{ContestDone, Execution, Merged, SelfPlayDone, SuiteDone, Work, WorkError};
use crate::playing::Played;

/// What all units together came to.
#[derive(Debug)]
pub enum Done {
    /// An evaluation over a suite.
    Suite(Box<SuiteDone>),
    /// Whole games by an agent.
    Episodes(Box<Played>),
    /// A contest, and the time that it took.
    Contest(Box<ContestDone>, Duration),
    /// Games of self-play.
    SelfPlay(SelfPlayDone),
}

impl Done {
    /// As the command prints it with `--json`, times aside.
    pub fn json(&self) -> Value {
        match self {
            Done::Suite(done) => done.json().unwrap_or_else(|| json!(null)),
            Done::Episodes(played) => played.json.clone(),
            Done::Contest(done, time) => {
                let mut document = done.json();
                document["time_ms"] = json!(time.as_millis() as u64);
                document
            }
            Done::SelfPlay(done) => done.json(),
        }
    }
}

impl Merged {
    /// Sums up what a store has of all units. Nothing is run.
    ///
    /// # Errors
    /// When results do not fit: a suite, a network or a program is another one here.
    pub fn done(&self, store: &mut Store) -> Result<Done, WorkError> {
        let stop = AtomicBool::new(true);
        let mut execution = Execution::new(store, &self.program, &stop);
        let missing = |done: usize, total: usize| {
            let why = "the suite, a network or a program is another one here than it was there";
            WorkError::Shards(format!("{done} of {total} results fit: {why}"))
        };
        match &self.work {
            Work::Suite(work) => {
                let mut done = work.run(&mut execution, &mut |_| {})?;
                if !done.evaluated.is_complete() {
                    return Err(missing(done.evaluated.results.len(), done.units));
                }
                done.evaluated.reused = 0;
                Ok(Done::Suite(Box::new(done)))
            }
            Work::Contest(work) => {
                let mut done = work.run(&mut execution, &mut |_| {})?;
                if !done.contested.is_complete() {
                    return Err(missing(done.contested.games.len(), 2 * done.units));
                }
                done.contested.reused = 0;
                let time = Duration::try_from_secs_f64(self.seconds).unwrap_or_default();
                Ok(Done::Contest(Box::new(done), time))
            }
            Work::Episodes(work) => {
                let played = work.stored(&execution, self.seconds, self.cpu_seconds)?;
                let none = || WorkError::Shards("no games were played".to_owned());
                Ok(Done::Episodes(Box::new(played.ok_or_else(none)?)))
            }
            Work::SelfPlay(work) => Ok(Done::SelfPlay(work.stored(&execution)?)),
        }
    }
}
