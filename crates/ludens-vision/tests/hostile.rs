//! What is no picture of a board: clear errors, soon, within limits.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::time::{Duration, Instant};

use common::canvas::Camera;
use common::draw::Style;
use common::shoot;
use ludens_core::Rng;
use ludens_vision::{Limits, Request, games, methods, read};

fn refused(request: &Request, bytes: &[u8]) -> String {
    let begun = Instant::now();
    let error = read(request, bytes).expect_err("no board").to_string();
    assert!(begun.elapsed() < Duration::from_secs(5), "{error}: {:?}", begun.elapsed());
    assert!(!error.contains('\n'), "one line: {error}");
    error
}

fn picture(quality: Option<u8>) -> Vec<u8> {
    let camera = Camera { quality, ..Camera::PLAIN };
    let position = "......./......./......./...O.../..XO.../.XXXO..";
    shoot("connect-four", position, Style::page(false), camera, &[], &mut Rng::new(1)).file
}

/// A PNG file that says it is of some size and has a few bytes of data.
fn claimed(width: u32, height: u32) -> Vec<u8> {
    let chunk = |kind: &[u8; 4], data: &[u8]| {
        let mut crc = !0u32;
        for &byte in kind.iter().chain(data) {
            crc ^= u32::from(byte);
            for _ in 0..8 {
                crc = if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
            }
        }
        let length = (data.len() as u32).to_be_bytes();
        [&length[..], kind, data, &(!crc).to_be_bytes()].concat()
    };
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    [
        &b"\x89PNG\r\n\x1a\n"[..],
        &chunk(b"IHDR", &header),
        &chunk(b"IDAT", &[0x78, 0x9C, 3, 0, 0, 0, 0, 1]),
        &chunk(b"IEND", &[]),
    ]
    .concat()
}

#[test]
fn what_is_no_picture_is_refused() {
    let request = Request::of("connect-four");
    assert!(refused(&request, b"").contains("found nothing"));
    assert!(refused(&request, b"hello").contains("PNG, JPEG or WebP"));
    assert!(refused(&request, b"GIF89a\x01\x00\x01\x00\x00\x00\x00").contains("PNG, JPEG or WebP"));
    for quality in [None, Some(80)] {
        let whole = picture(quality);
        for part in [10, 100, whole.len() / 2, whole.len() - 20] {
            refused(&request, &whole[..part]);
        }
    }
}

#[test]
fn bombs_are_not_decoded() {
    let request = Request::of("connect-four");
    assert!(refused(&request, &claimed(100_000, 100_000)).contains("100000 x 100000 pixels"));
    assert!(refused(&request, &claimed(u32::MAX >> 1, 1)).contains("found"));
    assert!(refused(&request, &claimed(5, 5)).contains("at least 16 x 16"));
    refused(&request, &claimed(4000, 4000));
    let small = Request { limits: Limits { bytes: 1000, pixels: 10_000 }, ..request };
    assert!(refused(&small, &picture(None)).contains("expected at most 1000"));
    let few = Request { limits: Limits { pixels: 10_000, ..Limits::default() }, ..request };
    assert!(refused(&few, &picture(None)).contains("pixels, expected at most 0 million"));
}

#[test]
fn pictures_without_a_board_say_so() {
    for game in games() {
        let flat = common::canvas::Canvas::new(200, 150, [90.0, 120.0, 200.0]);
        let file = Camera::PLAIN.shoot(&flat, &mut Rng::new(0)).file();
        assert!(refused(&Request::of(game), &file).contains("give its corners"), "{game}");
    }
}

/// No picture makes a reader panic, with corners or without.
#[test]
fn noise_is_read_without_panic() {
    let mut canvas = common::canvas::Canvas::new(120, 90, [128.0; 3]);
    canvas.circle(60.0, 40.0, 20.0, [250.0, 10.0, 10.0]);
    let camera = Camera { noise: 90.0, ..Camera::PLAIN };
    let file = camera.shoot(&canvas, &mut Rng::new(2)).file();
    let corners = ludens_vision::parse_corners("-10,-10,110,5,119,89,3,80").unwrap();
    for game in games() {
        for &method in methods(game) {
            for corners in [None, Some(corners)] {
                let request = Request { method: Some(method), corners, ..Request::of(game) };
                if let Ok(reading) = read(&request, &file) {
                    assert!(
                        reading.cells.iter().all(|cell| (0.0..=1.0).contains(&cell.confidence))
                    );
                    reading.json();
                }
            }
        }
    }
}

#[test]
fn wrong_requests_are_refused_before_the_picture_is_decoded() {
    let refusal = |game: &str, method| refused(&Request { method, ..Request::of(game) }, b"");
    let listed = refusal("togyzkumalak", None);
    assert!(
        listed.contains("former, samegame, 2048, 2584, threes, sevn, connect-four, othello"),
        "{listed}"
    );
    assert!(refusal("sevn:base=4", None).contains("base"));
    assert!(refusal("othello:cat=1", None).contains("cat"));
    assert_eq!(refusal("sevn", Some("ocr")), "method: found 'ocr', expected balanced or sevn-2021");
}
