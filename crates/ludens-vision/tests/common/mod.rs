//! Rendered pictures of positions: the page's own boards and the usual looks of each game, over
//! palettes, shading, perspective, noise, JPEG and sizes.
#![allow(dead_code, reason = "each test uses a part")]

pub(crate) mod canvas;
pub(crate) mod draw;
pub(crate) mod fonts;
pub(crate) mod positions;

use canvas::{Camera, Canvas};
use draw::Style;
use fonts::Face;
use ludens_core::Rng;
use ludens_vision::{Corners, Point, Request, read};

/// A picture of a known position.
pub(crate) struct Case {
    pub(crate) game: &'static str,
    pub(crate) position: String,
    pub(crate) style: Style,
    pub(crate) camera: Camera,
    pub(crate) file: Vec<u8>,
    pub(crate) corners: Corners,
}

/// Draws a position and takes a picture of it.
pub(crate) fn shoot(
    game: &'static str,
    position: &str,
    style: Style,
    camera: Camera,
    faces: &[Face],
    rng: &mut Rng,
) -> Case {
    let (canvas, corners): (Canvas, _) = draw::board(game, position, &style, faces, rng);
    let shot = camera.shoot(&canvas, rng);
    let corners = corners.map(|(x, y)| {
        let (x, y) = (shot.forth)(f64::from(x), f64::from(y));
        Point::new(x, y)
    });
    let file = shot.file();
    Case { game, position: position.to_owned(), style, camera, file, corners }
}

/// A picture of everything drawn by lot.
pub(crate) fn random(game: &'static str, seed: u64, faces: &[Face]) -> Case {
    let mut rng = Rng::stream(seed, 19);
    let position = positions::random(game, &mut rng);
    let style = Style::random(game, faces.len(), &mut rng);
    let camera = Camera::random(&mut rng);
    shoot(game, &position, style, camera, faces, &mut rng)
}

impl Case {
    /// What is wrong with the reading of this picture; `None` if all of the board is right.
    pub(crate) fn fault(&self, corners: bool, method: Option<&str>) -> Option<String> {
        let request =
            Request { corners: corners.then_some(self.corners), method, ..Request::of(self.game) };
        let reading = match read(&request, &self.file) {
            Ok(reading) => reading,
            Err(error) => return Some(error.to_string()),
        };
        let far =
            self.corners.iter().zip(&reading.corners).map(|(a, b)| (a.x - b.x).hypot(a.y - b.y));
        let far = far.fold(0.0, f64::max);
        match &reading.position {
            Err(error) => Some(format!("{error}; corners off by {far:.1}")),
            Ok(found) if positions::same(self.game, found, &self.position) => None,
            Ok(found) => {
                Some(format!("found {found}, expected {}; corners off by {far:.1}", self.position))
            }
        }
    }
}
