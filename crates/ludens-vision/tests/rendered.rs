//! Boards from rendered pictures, whole: over looks, palettes, shading, perspective, noise, JPEG
//! and sizes. `examples/pictures.rs` does the same with many more.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::canvas::Camera;
use common::draw::Style;
use common::positions::{self, GAMES};
use common::{fonts, random, shoot};
use ludens_core::Rng;
use ludens_testkit::skipped;
use ludens_vision::{Request, read};

/// Pictures of each game.
const PICTURES: u64 = 6;

/// Whether a game can only be drawn with fonts of the system.
fn numbers(game: &str) -> bool {
    matches!(game, "2048" | "2584" | "threes")
}

fn all_right(game: &'static str) {
    let faces = fonts::faces();
    if numbers(game) && faces.is_empty() {
        skipped(game, "no fonts");
        return;
    }
    for seed in 1000..1000 + PICTURES {
        let case = random(game, seed, &faces);
        assert_eq!(
            case.fault(false, None),
            None,
            "{game} {seed}: {:?} {:?}",
            case.style,
            case.camera
        );
    }
}

#[test]
fn former() {
    all_right("former");
}

#[test]
fn samegame() {
    all_right("samegame");
}

#[test]
fn tiles() {
    for game in ["2048", "2584", "threes"] {
        all_right(game);
    }
}

#[test]
fn sevn() {
    all_right("sevn");
}

#[test]
fn connect_four() {
    all_right("connect-four");
}

#[test]
fn othello() {
    all_right("othello");
}

/// The page's own boards come back with the page's own numbers, and sure of every cell.
#[test]
fn screenshots_of_the_page_are_read_exactly() {
    let faces = fonts::faces();
    for game in GAMES {
        if numbers(game) && faces.is_empty() {
            continue;
        }
        let mut rng = Rng::new(7);
        let position = positions::random(game, &mut rng);
        let case = shoot(game, &position, Style::page(false), Camera::PLAIN, &faces, &mut rng);
        let reading = read(&Request::of(game), &case.file).unwrap();
        let found = reading.position.clone().unwrap();
        // What a board does not show may differ.
        let shown = |text: &str| match game {
            "sevn" => text.rsplit('/').next().unwrap().to_owned(),
            _ => text.split(' ').next().unwrap().to_owned(),
        };
        assert_eq!(shown(&found), shown(&position), "{game}");
        assert_eq!(reading.doubtful().count(), 0, "{game}: {:?}", reading.cells);
    }
}

/// With corners given, they are taken as they are; a board upside down is read as it stands.
#[test]
fn given_corners_are_used() {
    let mut rng = Rng::new(3);
    let position = "......./......./......./...O.../..XO.../.XXXO..";
    let case = shoot("connect-four", position, Style::page(true), Camera::PLAIN, &[], &mut rng);
    let mut request = Request { corners: Some(case.corners), ..Request::of("connect-four") };
    let reading = read(&request, &case.file).unwrap();
    assert_eq!(reading.position.as_deref(), Ok(position));
    assert_eq!(reading.corners, case.corners);
    let [a, b, c, d] = case.corners;
    request.corners = Some([c, d, a, b]);
    let turned = read(&request, &case.file).unwrap();
    assert!(turned.position.is_err(), "stones would hang: {turned:?}");
    for wrong in [[a, c, b, d], [a, b, b, d], [a, b, c, ludens_vision::Point::new(1e9, 0.0)]] {
        request.corners = Some(wrong);
        let error = read(&request, &case.file).unwrap_err().to_string();
        assert!(error.starts_with("corners: "), "{error}");
    }
}

/// The method of 2021 reads starts under a grid of scores.
#[test]
fn sevn_2021_reads_starts() {
    let mut rng = Rng::new(5);
    let position = positions::played::<ludens_games::Sevn>(0, &mut rng);
    let style = Style { page: false, ..Style::random("sevn", 0, &mut rng) };
    let case = shoot("sevn", &position, style, Camera::PLAIN, &[], &mut rng);
    assert_eq!(case.fault(false, Some("sevn-2021")), None);
}
