//! Where the board is: candidates from the lattice of its cells and from the outlines of large
//! areas, and the one that the cells in the picture support best.

mod hull;
mod lattice;
mod search;
mod segment;

use crate::geometry::{Corners, Point};
use crate::picture::Picture;
use search::Search;
use segment::{Blob, Segments};

/// Takes noise out of a picture.
type Filter = fn(&Picture) -> Picture;

/// How a picture is looked at, one way after the other: the longest side, and how noise is taken
/// out. Fine patterns vanish in a small picture, small boards do not show in it; a blur keeps thin
/// lines, medians keep faint edges.
const PASSES: [(usize, Filter); 4] = [
    (420, Picture::blurred),
    (420, Picture::medians),
    (210, Picture::medians),
    (840, Picture::blurred),
];
/// A board so well supported needs no closer look.
const ENOUGH: f64 = 0.6;
/// Areas of a smaller share of the picture are no frame of a board.
const FRAME_SHARE: f64 = 0.02;
/// Frames that are tried at most, the largest first.
const MOST_FRAMES: usize = 24;
/// Grounds in which boards are looked for, the largest first.
const GROUNDS: usize = 3;

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    /// Rows of cells.
    pub(crate) rows: usize,
    /// Columns of cells.
    pub(crate) cols: usize,
    /// Where pieces lie when some are gone.
    pub(crate) settles: Settles,
}

/// Where pieces move when others are taken away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Settles {
    /// Nowhere.
    No,
    /// To the bottom.
    Down,
    /// To the bottom, and columns to the left.
    DownLeft,
}

/// The corners of the board's cells.
pub(crate) fn corners(picture: &Picture, layout: Layout) -> Option<Corners> {
    let mut best: Option<(f64, Corners)> = None;
    for (longest, smooth) in PASSES {
        let by = picture.divisor(longest);
        let found = search(&smooth(&picture.shrunk(by)), layout).best();
        let found = found.map(|(score, corners)| (score, corners.map(|c| c.times(by as f64))));
        if found.is_some_and(|f| best.is_none_or(|b| f.0 > b.0)) {
            best = found;
        }
        if best.is_some_and(|b| b.0 > ENOUGH) {
            break;
        }
    }
    best.map(|(_, corners)| corners)
}

/// The areas that may be cells.
fn cells(segments: &Segments, whole: f64) -> Vec<Blob> {
    let fits = |blob: &&Blob| {
        let share = blob.width * blob.height / whole;
        let aspect = blob.width / blob.height;
        (0.000_1..0.3).contains(&share)
            && (0.4..2.5).contains(&aspect)
            && blob.width.min(blob.height) >= 5.0
    };
    segments.blobs.iter().filter(fits).copied().collect()
}

/// The quadrilaterals of large areas and of what lies in them, and the whole picture.
fn frames(segments: &Segments, picture: &Picture) -> Vec<Corners> {
    let (w, h) = (picture.width() as f64, picture.height() as f64);
    let mut large: Vec<&Blob> =
        segments.blobs.iter().filter(|b| b.width * b.height > FRAME_SHARE * w * h).collect();
    large.sort_by(|a, b| (b.width * b.height).total_cmp(&(a.width * a.height)));
    let quadrilaterals = large
        .into_iter()
        .take(MOST_FRAMES)
        .filter_map(|blob| hull::quadrilateral(segments.outline(blob)));
    // What lies in a ground may be a board of many areas.
    let mut grounds: Vec<&Blob> = segments.blobs.iter().collect();
    grounds.sort_by_key(|blob| std::cmp::Reverse(blob.area));
    let islands = grounds
        .into_iter()
        .take(GROUNDS)
        .flat_map(|ground| segments.islands(ground, FRAME_SHARE * w * h))
        .filter_map(hull::quadrilateral);
    let all = [(0.0, 0.0), (w, 0.0), (w, h), (0.0, h)].map(|(x, y)| Point::new(x, y));
    quadrilaterals.chain(islands).chain([all]).collect()
}

/// What can be found in a picture.
fn search(picture: &Picture, layout: Layout) -> Search {
    let segments = Segments::of(picture);
    let size = (picture.width() as f64, picture.height() as f64);
    let cells = cells(&segments, size.0 * size.1);
    Search { layout, size, frames: frames(&segments, picture), cells }
}
