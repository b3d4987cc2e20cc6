//! Makes the opening book of Connect Four by its solver.
//!
//! ```sh
//! cargo run --release -p ludens-games --example connect_four_book -- FILE ENTRIES [THREADS [MIB]]
//! ```
//!
//! First the moves of every position of the main line are solved, its end first: what is known
//! there shortens the searches before it. Then the most plausible positions follow
//! ([`Book::wanted`]) until the book has ENTRIES. FILE is written after every score; the same command goes on where it
//! stopped. Scores are exact, so that the file depends neither on threads nor on the table.

#![expect(clippy::print_stdout, reason = "its output is its purpose")]

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use ludens_core::Notation;
use ludens_core::platform::thread;
use ludens_games::ConnectFour;
use ludens_games::connect_four::book::Book;
use ludens_games::connect_four::solver::{Bounds, Search};

/// The line that is solved first, from its end.
const MAIN_LINE: &str = "44444";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, usual: usize| args.get(at).map_or(Ok(usual), |text| text.parse());
    let path = Path::new(args.first().ok_or("FILE ENTRIES [THREADS [MIB]]")?);
    let (entries, threads, mebibytes) = (number(1, 1000)?, number(2, 1)?, number(3, 1024)?);
    let mut book = match std::fs::read(path) {
        Ok(bytes) => Book::parse(&bytes)?,
        Err(_) => Book::default(),
    };
    let bounds = Bounds::new(mebibytes << 20);
    for length in (0..=MAIN_LINE.len()).rev() {
        let position = ConnectFour::parse(&Default::default(), &MAIN_LINE[..length])?;
        expand(&mut book, &position, path, threads, &bounds)?;
    }
    while book.len() < entries
        && let Some(position) = book.wanted()
    {
        expand(&mut book, &position, path, threads, &bounds)?;
    }
    Ok(())
}

/// Solves what follows on a position.
fn expand(
    book: &mut Book,
    position: &ConnectFour,
    path: &Path,
    threads: usize,
    bounds: &Bounds,
) -> std::io::Result<()> {
    let (unknown, known) = (book.unknown_after(position), book.clone());
    let (next, start) = (AtomicUsize::new(0), Instant::now());
    let found = Mutex::new(book);
    let results = thread::map(0..threads.clamp(1, unknown.len().max(1)), |_| {
        let mut search = Search::new(bounds, &|_| false).with_book(&known);
        while let Some(next) = unknown.get(next.fetch_add(1, Ordering::Relaxed)) {
            let score = search.score(next).expect("nobody stops it");
            let mut book = found.lock().expect("no thread panics with the book");
            book.insert(next, score);
            let seconds = start.elapsed().as_secs_f64();
            println!("{} entries, {} {score}, {seconds:.0} s", book.len(), next.text());
            write(path, &book)?;
        }
        Ok(())
    });
    results.into_iter().collect()
}

/// Writes the file so that a crash leaves the old one or the new one.
fn write(path: &Path, book: &Book) -> std::io::Result<()> {
    let beside = path.with_extension("part");
    std::fs::write(&beside, book.bytes())?;
    std::fs::rename(beside, path)
}
