//! Scoped threads where there are none: what is spawned is done at once.

use std::any::Any;
use std::marker::PhantomData;

/// A scope as [`std::thread::Scope`] is one.
#[derive(Debug)]
pub struct Scope<'scope, 'env: 'scope> {
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

/// The result of work that is done.
#[derive(Debug)]
pub struct ScopedJoinHandle<'scope, T> {
    result: T,
    scope: PhantomData<&'scope ()>,
}

/// Runs `f` with a scope.
pub fn scope<'env, T>(f: impl for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T) -> T {
    f(&Scope { scope: PhantomData, env: PhantomData })
}

impl<'scope> Scope<'scope, '_> {
    /// Does the work.
    pub fn spawn<T: Send + 'scope>(
        &'scope self,
        work: impl FnOnce() -> T + Send + 'scope,
    ) -> ScopedJoinHandle<'scope, T> {
        ScopedJoinHandle { result: work(), scope: PhantomData }
    }
}

impl<T> ScopedJoinHandle<'_, T> {
    /// What the work returned.
    ///
    /// # Errors
    /// Never: a panic has ended the program before.
    pub fn join(self) -> Result<T, Box<dyn Any + Send>> {
        Ok(self.result)
    }
}
