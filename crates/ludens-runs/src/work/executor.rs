//! Where the parts of work run: here, or as files of shards. Clusters call [`Work::part`] on their
//! machines and [`merge`] where the parts come together.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use ludens_arena::{Reuse, Shard, Store};
use ludens_core::file::atomic_write;

use super::{Execution, Merged, ShardClock, Units, Work, WorkError, merge};

/// How units run on a machine.
#[derive(Clone, Copy)]
pub struct Resources<'a> {
    /// Name, version and build of the program that results are kept under.
    pub program: &'a str,
    /// Units at the same time.
    pub workers: usize,
    /// Bytes for the tables of all of them.
    pub memory: usize,
    /// The network of self-play, as in its file; of no matter to other work.
    pub network: &'a [u8],
    /// Ends it; what is done is kept.
    pub stop: &'a AtomicBool,
}

impl<'a> Resources<'a> {
    /// The units of a shard into a store.
    pub fn execution<'b>(&self, store: &'b mut Store, shard: Shard) -> Execution<'b>
    where
        'a: 'b,
    {
        let Resources { program, workers, memory, network, stop } = *self;
        Execution { store, program, reuse: Reuse::Same, shard, workers, memory, network, stop }
    }
}

impl Work {
    /// Does a shard in memory: the bytes of a store that [`merge`] reads from a file. `None` when it was
    /// stopped. The bytes of results depend on the work, the shard and the program only, times aside.
    ///
    /// # Errors
    /// When the specification is wrong.
    pub fn part(
        &self,
        shard: Shard,
        resources: &Resources<'_>,
        progress: &mut dyn FnMut(Units),
    ) -> Result<Option<Vec<u8>>, WorkError> {
        let mut store = Store::in_memory()?;
        let done = self.run_shard(&mut resources.execution(&mut store, shard), progress)?;
        Ok(done.then(|| store.to_bytes()).transpose()?)
    }

    /// Does the units of a shard that its store lacks and enters it as done. Whether none is missing.
    ///
    /// # Errors
    /// When the specification is wrong or the store fails.
    pub fn run_shard(
        &self,
        execution: &mut Execution<'_>,
        progress: &mut dyn FnMut(Units),
    ) -> Result<bool, WorkError> {
        let (clock, units) = (ShardClock::start(), self.units()?);
        let complete = self.run(execution, progress)?;
        if complete {
            clock.finish(self, units, execution)?;
        }
        Ok(complete)
    }
}

/// Brings the results of all units into a store.
pub trait Executor {
    /// What it took, by the clocks of all parts together; `None` when it was stopped.
    ///
    /// # Errors
    /// When the specification is wrong, or a part or a store fails.
    fn execute(
        &self,
        work: &Work,
        store: &mut Store,
        progress: &mut dyn FnMut(Units),
    ) -> Result<Option<Merged>, WorkError>;
}

/// All units here, on threads.
pub struct Local<'a> {
    /// How.
    pub resources: Resources<'a>,
}

impl Executor for Local<'_> {
    fn execute(
        &self,
        work: &Work,
        store: &mut Store,
        progress: &mut dyn FnMut(Units),
    ) -> Result<Option<Merged>, WorkError> {
        let complete =
            work.run_shard(&mut self.resources.execution(store, Shard::WHOLE), progress)?;
        if !complete {
            return Ok(None);
        }
        let (text, program) = (work.text(), self.resources.program);
        let shards = store.shards()?.into_iter();
        let mut own =
            shards.filter(|s| (&*s.work, &*s.program, s.shard) == (&*text, program, Shard::WHOLE));
        let spent = own.next().map_or((0.0, 0.0), |shard| (shard.seconds, shard.cpu_seconds));
        let ((seconds, cpu_seconds), work) = (spent, work.clone());
        Ok(Some(Merged { work, program: program.to_owned(), shards: 1, seconds, cpu_seconds }))
    }
}

/// Shards as files of a folder, one after the other. What is there already is not done again.
pub struct Shards<'a> {
    /// Where the files are: `part-I-of-N.sqlite`.
    pub folder: PathBuf,
    /// How many.
    pub count: u32,
    /// How each runs.
    pub resources: Resources<'a>,
}

impl Shards<'_> {
    /// The file of a shard.
    pub fn file(&self, shard: Shard) -> PathBuf {
        self.folder.join(format!("part-{}-of-{}.sqlite", shard.index(), shard.count()))
    }
}

impl Executor for Shards<'_> {
    fn execute(
        &self,
        work: &Work,
        store: &mut Store,
        progress: &mut dyn FnMut(Units),
    ) -> Result<Option<Merged>, WorkError> {
        let total = work.units()?;
        let (mut files, mut before) = (Vec::new(), 0);
        for shard in (1..=self.count).filter_map(|index| Shard::new(index, self.count)) {
            let path = self.file(shard);
            if !path.exists() {
                let mut report =
                    |units: Units| progress(Units { done: before + units.done, total });
                let Some(bytes) = work.part(shard, &self.resources, &mut report)? else {
                    return Ok(None);
                };
                atomic_write(&path, |file| file.write_all(&bytes))
                    .map_err(|error| WorkError::Shards(format!("{}: {error}", path.display())))?;
            }
            before += shard.units(total);
            files.push(path);
        }
        merge(&files, store).map(Some)
    }
}

#[cfg(test)]
mod tests;
