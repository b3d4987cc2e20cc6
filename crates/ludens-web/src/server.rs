//! The server: what it listens on, what its requests may cost, its routes.

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::{Arc, Barrier};
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use ludens_core::platform::thread;
use ludens_engine::analysis::{JobQueue, Limits};
use tokio::sync::Semaphore;

use crate::guard::{Guard, guard};
use crate::position::aside;
use crate::reply::Refusal;
use crate::runs::Runs;
use crate::{
    analyze, assets, connections, games, openapi, people, position, puzzles, read, results, runs,
};

/// Searches at once.
const SEARCHES: usize = 4;
/// Searches that wait.
const WAITING: usize = 16;
/// Threads that read positions.
const READERS: usize = 8;
/// Threads that talk to the network.
const TALKERS: usize = 2;
/// How long threads that read positions wait for the next: for as long as the server may run, so
/// that none is asked of the system later, when there may be none.
const READERS_STAY: Duration = Duration::from_secs(10 * 365 * 86_400);

/// How to serve.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address; 127.0.0.1 unless a person asked for another.
    pub address: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// The folder of results and runs, if there is one.
    pub home: Option<PathBuf>,
    /// What one search may cost.
    pub limits: Limits,
    /// How long the head of a request may take to arrive, and how long its body.
    pub patience: Duration,
}

impl Options {
    /// How long requests may take to arrive unless told otherwise.
    pub const PATIENCE: Duration = Duration::from_secs(10);

    /// What a request may cost on this machine unless told otherwise: ten minutes,
    /// and a gigabyte of tables.
    pub fn limits() -> Limits {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Limits { time: Some(Duration::from_secs(600)), memory: 1 << 30, threads, files: false }
    }
}

/// What all requests share.
pub(crate) struct App {
    pub(crate) queue: JobQueue,
    pub(crate) limits: Limits,
    pub(crate) home: Option<PathBuf>,
    pub(crate) runs: Runs,
    /// Who may read much from the disk.
    slow: Semaphore,
    /// Who may read a picture.
    pub(crate) pictures: Arc<Semaphore>,
}

impl App {
    /// Does something that reads much from the disk: a few at a time, so that positions, which
    /// share the readers' threads, need not wait for it.
    pub(crate) async fn slowly<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let _permit = self.slow.acquire().await.map_err(Refusal::fault)?;
        aside(work).await
    }
}

/// A server that listens already.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    guard: Guard,
    app: Arc<App>,
    patience: Duration,
}

impl Server {
    /// Listens. An address other than this machine's own is guarded by a token.
    ///
    /// # Errors
    /// When the port is taken, the address is none of this machine, or the system does not give the
    /// threads that a server needs.
    pub fn bind(options: Options) -> io::Result<Self> {
        // One for whoever calls `run`.
        thread::check(1 + TALKERS + READERS + SEARCHES + options.limits.threads)?;
        let listener = TcpListener::bind((options.address, options.port))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let guard = if address.ip().is_loopback() { Guard::local() } else { Guard::with_token()? };
        let app = App {
            queue: JobQueue::new(SEARCHES, WAITING),
            limits: options.limits,
            runs: Runs::new(options.home.clone()),
            home: options.home,
            slow: Semaphore::new(READERS / 4),
            pictures: Arc::new(Semaphore::new(read::PICTURES)),
        };
        Ok(Server { listener, address, guard, app: Arc::new(app), patience: options.patience })
    }

    /// Where the page is, with the token if there is one.
    pub fn url(&self) -> String {
        match self.guard.token() {
            None => format!("http://{}/", self.address),
            Some(token) => format!("http://{}/?token={token}", self.address),
        }
    }

    /// The address and port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until the process ends.
    ///
    /// # Errors
    /// When the system gives no threads or takes the listener away.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(TALKERS)
            .max_blocking_threads(READERS)
            .thread_keep_alive(READERS_STAY)
            .enable_all()
            .build()?;
        // All readers start now; each waits until the last has, so that no two are one thread.
        let all = Arc::new(Barrier::new(READERS));
        for _ in 0..READERS {
            let all = Arc::clone(&all);
            drop(runtime.spawn_blocking(move || all.wait()));
        }
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let router = router(self.app, self.guard, self.patience);
            connections::serve(listener, router, self.patience).await
        })
    }
}

fn router(app: Arc<App>, guarded: Guard, patience: Duration) -> Router {
    let router = Router::new()
        .route("/api/openapi.json", get(openapi::serve))
        .route("/api/games", get(games::list).post(people::enter))
        .route("/api/puzzle", get(puzzles::read))
        .route("/api/game", post(games::read))
        .route("/api/position", post(position::read))
        .route("/api/record", post(position::record))
        .route("/api/read", post(read::picture))
        .route("/api/analyze", post(analyze::stream))
        .route("/api/results", get(results::list))
        .route("/api/runs", get(runs::list))
        .route("/api/runs/events", get(runs::events))
        .fallback(assets::serve)
        .method_not_allowed_fallback(connections::wrong_method)
        .with_state(app);
    router
        // The body was read, and its length checked, before.
        .layer(DefaultBodyLimit::disable())
        .layer(from_fn_with_state(patience, connections::whole_body))
        .layer(from_fn_with_state(Arc::new(guarded), guard))
}
