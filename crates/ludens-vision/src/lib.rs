//! Positions from pictures: screenshots and photographs of boards.
//!
//! One way for every game: the file is decoded within [`Limits`]; the board's four corners are
//! found, or given; a homography makes it square; each cell gives colours or digits; a reader of
//! the game turns them into a position. Every cell comes with a confidence, so that a person can
//! look at the doubtful ones. `docs/vision.md` tells what can be read and what cannot.
//!
//! ```
//! use ludens_vision::{Request, VisionError, methods, read};
//! assert_eq!(methods("othello"), ["discs"]);
//! assert!(methods("togyzkumalak").is_empty());
//! let refused = read(&Request::of("othello"), b"no picture").unwrap_err();
//! assert!(matches!(refused, VisionError::Image(_)));
//! ```

mod board;
mod cluster;
mod colour;
mod decode;
mod digits;
mod error;
mod find;
mod geometry;
mod palette;
mod picture;
mod readers;
mod reading;

pub use decode::Limits;
pub use error::VisionError;
pub use geometry::{Corners, Point};
pub use readers::{games, methods};
pub use reading::{CellReading, DOUBT, Reading, Request, parse_corners, read};
