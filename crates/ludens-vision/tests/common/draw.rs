//! Boards as they look: on the page of Ludens, and as other programs draw them.

use ludens_core::Rng;

use super::canvas::{Canvas, Rgb, rgb};
use super::fonts::Face;

/// Pixels of a cell's side, of most games.
const U: f32 = 64.0;
/// The page's inks in the order of numbered pieces: red, blue, green, orange, purple, cyan, yellow.
const INKS: [u32; 7] = [0xe8594f, 0x5b9bf3, 0x3fae72, 0xf29a3f, 0xa583e6, 0x38b6c4, 0xf3cd3c];
/// The page's inks of Former's shapes.
const FORMER_INKS: [u32; 4] = [0xf07ba8, 0x5b9bf3, 0x3fae72, 0xf29a3f];

/// How a board is drawn.
#[derive(Clone, Debug)]
pub(crate) struct Style {
    /// As the page of Ludens has it.
    pub(crate) page: bool,
    pub(crate) dark: bool,
    /// Colours of pieces where they are not the page's.
    pub(crate) palette: Vec<Rgb>,
    /// Which font, where there is one.
    pub(crate) face: usize,
    /// Empty space around the board, in cells: left, top, right, bottom.
    pub(crate) around: [f32; 4],
    /// Whether other things lie around the board.
    pub(crate) clutter: bool,
    /// Whether pieces look raised.
    pub(crate) raised: bool,
    /// Whether the board has a ground of its own, where it can do without.
    pub(crate) frame: bool,
    /// One of several looks.
    pub(crate) look: u32,
}

impl Style {
    /// A screenshot of the page.
    pub(crate) fn page(dark: bool) -> Style {
        Style {
            page: true,
            dark,
            palette: Vec::new(),
            face: 0,
            around: [0.6; 4],
            clutter: false,
            raised: false,
            frame: true,
            look: 0,
        }
    }

    /// Any style.
    pub(crate) fn random(game: &str, faces: usize, rng: &mut Rng) -> Style {
        let kinds = if game == "former" { 4 } else { 7 };
        Style {
            page: rng.below(2) == 0,
            dark: rng.below(3) == 0,
            palette: palette(kinds, rng),
            face: rng.below(faces.max(1) as u32) as usize,
            around: std::array::from_fn(|_| 0.5 + 2.0 * rng.unit() as f32),
            clutter: rng.below(2) == 0,
            raised: rng.below(2) == 0,
            frame: rng.below(3) > 0,
            look: rng.below(3),
        }
    }
}

/// Colours that people can tell apart: hues around the circle, of several strengths.
fn palette(count: usize, rng: &mut Rng) -> Vec<Rgb> {
    let first = rng.unit();
    let mut all: Vec<Rgb> = (0..count)
        .map(|i| {
            let hue = first + (i as f64 + 0.3 * (rng.unit() - 0.5)) / count as f64;
            let (s, v) = (0.55 + 0.4 * rng.unit(), 0.6 + 0.38 * rng.unit());
            let channel = |n: f64| {
                let k = (n + hue * 6.0).rem_euclid(6.0);
                (255.0 * (v - v * s * k.min(4.0 - k).clamp(0.0, 1.0))) as f32
            };
            [channel(5.0), channel(3.0), channel(1.0)]
        })
        .collect();
    rng.shuffle(&mut all);
    all
}

/// Where a cell is, and what lies in it.
struct At<'a> {
    x: f32,
    y: f32,
    u: f32,
    text: &'a str,
}

/// The drawing of a position, and the corners of its cells.
pub(crate) fn board(
    game: &str,
    position: &str,
    style: &Style,
    faces: &[Face],
    rng: &mut Rng,
) -> (Canvas, [(f32, f32); 4]) {
    let rows = cells(game, position);
    // Numbers are small for their tiles, and shown larger.
    let u = if matches!(game, "2048" | "2584" | "threes") { 1.75 * U } else { U };
    let (w, h) = (rows[0].len() as f32 * u, rows.len() as f32 * u);
    let [left, mut top, right, bottom] = style.around.map(|a| a * u);
    if game == "sevn" && !style.page {
        top += u * 1.5;
    }
    let page = match (style.dark, style.look) {
        (true, _) => rgb(0x12151c),
        (false, 0) => rgb(0xf4f5fa),
        (false, 1) => rgb(0xffffff),
        (false, _) => rgb(0xd8d0c0),
    };
    let mut canvas = Canvas::new((left + w + right) as usize, (top + h + bottom) as usize, page);
    if style.clutter {
        clutter(&mut canvas, style, (left, top, w, h), rng);
    }
    // Without a ground, rows and columns without pieces cannot be seen.
    let any = |mut cells: Box<dyn Iterator<Item = &String> + '_>| {
        cells.by_ref().any(|text| !text.is_empty())
    };
    let full = any(Box::new(rows[0].iter()))
        && any(Box::new(rows[rows.len() - 1].iter()))
        && any(Box::new(rows.iter().map(|row| &row[0])))
        && any(Box::new(rows.iter().map(|row| &row[row.len() - 1])));
    let style = &Style { frame: style.frame || !full, ..style.clone() };
    ground(&mut canvas, game, style, (left, top, w, h));
    for (r, row) in rows.iter().enumerate() {
        for (c, text) in row.iter().enumerate() {
            let at = At { x: left + c as f32 * u, y: top + r as f32 * u, u, text };
            match game {
                "former" | "samegame" => piece(&mut canvas, game, style, &at),
                "sevn" => tile(&mut canvas, style, faces, &at),
                "connect-four" => stone(&mut canvas, style, &at),
                "othello" => disc(&mut canvas, style, &at),
                _ => number(&mut canvas, game, style, faces, &at),
            }
        }
    }
    if game == "sevn" && !style.page {
        for i in 0..7 {
            canvas.rect(
                left + i as f32 * u + 0.2 * u,
                top - u,
                0.6 * u,
                0.5 * u,
                4.0,
                style.palette[i],
            );
        }
    }
    (canvas, [(left, top), (left + w, top), (left + w, top + h), (left, top + h)])
}

/// The text of each cell; nothing for an empty one.
fn cells(game: &str, position: &str) -> Vec<Vec<String>> {
    let plain = |text: &str, width: usize| -> Vec<Vec<String>> {
        let cell = |c: &char| if *c == '.' { String::new() } else { c.to_string() };
        let all: Vec<char> = text.chars().collect();
        all.chunks(width).map(|row| row.iter().map(cell).collect()).collect()
    };
    match game {
        "former" => plain(position, 7),
        "samegame" => plain(position, 15),
        "connect-four" => plain(&position.replace('/', ""), 7),
        "othello" => plain(&position[..64], 8),
        "sevn" => {
            let rows = position.rsplit('/').next().unwrap_or_default();
            let dots: String = rows
                .chars()
                .filter(|c| *c != '.')
                .flat_map(|c| c.to_digit(10).map_or(vec![c], |n| vec!['.'; n as usize]))
                .collect();
            plain(&dots, 7)
        }
        _ => {
            let board = position.split(' ').next().unwrap_or_default();
            let tile = |t: &str| if t == "0" { String::new() } else { t.to_owned() };
            board.split('/').map(|row| row.split(',').map(tile).collect()).collect()
        }
    }
}

/// Headings, lines of text and buttons, as pages have them.
fn clutter(
    canvas: &mut Canvas,
    style: &Style,
    (left, top, w, h): (f32, f32, f32, f32),
    rng: &mut Rng,
) {
    let ink = if style.dark { rgb(0xa6b0c3) } else { rgb(0x5a6478) };
    let mut at = |low: f32, high: f32| low + (high - low) * rng.unit() as f32;
    for i in 0..14 {
        let y = if i % 2 == 0 {
            at(0.0, top - 0.35 * U)
        } else {
            at(top + h + 0.2 * U, top + h + 2.0 * U)
        };
        canvas.rect(at(0.0, left + w), y, at(4.0, 60.0), 6.0, 2.0, ink);
    }
    canvas.rect(0.0, 0.0, left + w + 3.0 * U, 0.2 * U, 0.0, rgb(0x3056c7));
}

fn ground(canvas: &mut Canvas, game: &str, style: &Style, (x, y, w, h): (f32, f32, f32, f32)) {
    let shade = |light: u32, dark: u32| rgb(if style.dark { dark } else { light });
    let page = style.page;
    match game {
        "former" | "samegame" | "sevn" if page => {
            canvas.rect(x, y, w, h, 9.0, shade(0xe4e7f0, 0x232936))
        }
        "former" | "samegame" | "sevn" => {
            if style.frame {
                canvas.rect(x - 5.0, y - 5.0, w + 10.0, h + 10.0, 4.0, shade(0xb4bac0, 0x2a2a30));
            }
        }
        "connect-four" if page => canvas.rect(x, y, w, h, 9.0, shade(0x2d5bbd, 0x23448f)),
        "connect-four" => {
            let colour = [rgb(0x1450c8), rgb(0x0a2a80), rgb(0xf0c020)][style.look as usize];
            canvas.rect(x - 12.0, y - 12.0, w + 24.0, h + 24.0, 16.0, colour);
        }
        "othello" => {
            if !page && style.look > 0 {
                canvas.rect(x - 20.0, y - 20.0, w + 40.0, h + 40.0, 4.0, rgb(0x5a3c20));
            }
            canvas.rect(x, y, w, h, 9.0 * f32::from(u8::from(page)), shade(0x2c8256, 0x1d5c3d));
        }
        _ if page => canvas.rect(x, y, w, h, 9.0, shade(0xb8ab9b, 0x37322c)),
        "threes" => canvas.rect(x - 8.0, y - 8.0, w + 16.0, h + 16.0, 10.0, rgb(0xd0e6df)),
        _ => canvas.rect(x - 4.0, y - 4.0, w + 8.0, h + 8.0, 6.0, rgb(0xbbada0)),
    }
}

fn raise(canvas: &mut Canvas, style: &Style, x: f32, y: f32, w: f32, h: f32, colour: Rgb) {
    if style.raised {
        canvas.rect(x, y + 0.8 * h, w, 0.2 * h, 4.0, colour.map(|v| v * 0.75));
        canvas.rect(
            x + 0.1 * w,
            y + 0.06 * h,
            0.8 * w,
            0.1 * h,
            3.0,
            colour.map(|v| v + (255.0 - v) * 0.5),
        );
    }
}

/// A square within a cell, `gap` from its sides.
fn inset(canvas: &mut Canvas, at: &At, gap: f32, radius: f32, colour: Rgb) {
    canvas.rect(at.x + gap, at.y + gap, U - 2.0 * gap, U - 2.0 * gap, radius, colour);
}

/// Former and SameGame.
fn piece(canvas: &mut Canvas, game: &str, style: &Style, at: &At) {
    let Ok(kind) = at.text.parse::<usize>() else { return };
    let p = |x: f32, y: f32| (at.x + x * U / 100.0, at.y + y * U / 100.0);
    if !style.page {
        let gap = [1.5, 3.0, 0.0][style.look as usize];
        let colour = style.palette[kind];
        match (style.look, game) {
            (1, _) => canvas.circle(at.x + U / 2.0, at.y + U / 2.0, 0.44 * U, colour),
            _ => inset(canvas, at, gap, 2.0 * gap, colour),
        }
        if style.look == 0 {
            raise(canvas, style, at.x + gap, at.y + gap, U - 2.0 * gap, U - 2.0 * gap, colour);
        }
        return;
    }
    let back = rgb(if style.dark { 0x2b3240 } else { 0xf7f8fc });
    inset(canvas, at, 0.02 * U, 0.16 * U, back);
    let ink = rgb(if game == "former" { FORMER_INKS[kind] } else { INKS[kind] });
    match kind {
        0 => canvas.circle(at.x + U / 2.0, at.y + U / 2.0, 0.36 * U, ink),
        1 => inset(canvas, at, 0.18 * U, 0.0, ink),
        2 => canvas.polygon(&[p(50.0, 14.0), p(88.0, 82.0), p(12.0, 82.0)], ink),
        3 => canvas.polygon(&[p(50.0, 9.0), p(91.0, 50.0), p(50.0, 91.0), p(9.0, 50.0)], ink),
        _ => {
            let star: Vec<(f32, f32)> = (0..10)
                .map(|i| {
                    let (r, a) = (
                        if i % 2 == 0 { 44.0 } else { 21.0 },
                        std::f32::consts::PI * (i as f32 / 5.0 - 0.5),
                    );
                    p(50.0 + r * a.cos(), 52.0 + r * a.sin())
                })
                .collect();
            canvas.polygon(&star, ink);
        }
    }
}

fn tile(canvas: &mut Canvas, style: &Style, faces: &[Face], at: &At) {
    let Some(letter) = at.text.bytes().next() else { return };
    let kind = usize::from(letter - b'a');
    if style.page {
        inset(canvas, at, 0.04 * U, 0.12 * U, rgb(INKS[kind]));
        if let Some(face) = faces.get(style.face) {
            face.write(canvas, at.text, (at.x + 0.5 * U, at.y + 0.5 * U), 0.38 * U, rgb(0x10141c));
        }
    } else {
        let (gap, colour) = ([2.0, 4.0, 1.0][style.look as usize], style.palette[kind]);
        inset(canvas, at, gap, 6.0, colour);
        raise(canvas, style, at.x + gap, at.y + gap, U - 2.0 * gap, U - 2.0 * gap, colour);
    }
}

fn stone(canvas: &mut Canvas, style: &Style, at: &At) {
    let hole =
        if style.dark && (style.page || style.look < 2) { rgb(0x12151c) } else { rgb(0xf4f5fa) };
    let yellow_frame = !style.page && style.look == 2;
    let colour = match (at.text, style.page) {
        ("X", true) => rgb(0xe8594f),
        ("O", true) => rgb(0xf3cd3c),
        ("X", false) => rgb(0xd01818),
        ("O", false) if yellow_frame => rgb(0x101010),
        ("O", false) => rgb(0xffe000),
        _ => hole,
    };
    let (cx, cy, r) = (at.x + U / 2.0, at.y + U / 2.0, if style.page { 0.4 } else { 0.42 } * U);
    canvas.circle(cx, cy, r, colour);
    if style.raised && !at.text.is_empty() {
        canvas.circle(cx, cy, 0.8 * r, colour.map(|v| v * 0.88));
    }
}

fn disc(canvas: &mut Canvas, style: &Style, at: &At) {
    let line = rgb(if style.page { 0x1b6340 } else { 0x103020 });
    let width = if style.page { 1.3 } else { 2.0 };
    for (x, y, w, h) in [
        (0.0, 0.0, U, width),
        (0.0, 0.0, width, U),
        (0.0, U - width, U, width),
        (U - width, 0.0, width, U),
    ] {
        canvas.rect(at.x + x, at.y + y, w, h, 0.0, line);
    }
    let colour = match at.text {
        "X" => rgb(0x20242c),
        "O" => rgb(0xf7f7f2),
        _ => return,
    };
    let r = [0.4, 0.43, 0.37][style.look as usize] * U;
    if style.raised {
        canvas.circle(at.x + U / 2.0 + 1.5, at.y + U / 2.0 + 2.0, r, rgb(0x10301c));
    }
    canvas.circle(at.x + U / 2.0, at.y + U / 2.0, r, colour);
}

fn number(canvas: &mut Canvas, game: &str, style: &Style, faces: &[Face], at: &At) {
    const PAGE: [u32; 12] = [
        0xf6efe6, 0xeee4da, 0xecdcb8, 0xb8561a, 0xb04a1e, 0xa93a22, 0x9b2c26, 0x7d5a00, 0x6f5200,
        0x5d5200, 0x35570f, 0x14573a,
    ];
    const USUAL: [u32; 12] = [
        0xeee4da, 0xeee4da, 0xede0c8, 0xf2b179, 0xf59563, 0xf67c5f, 0xf65e3b, 0xedcf72, 0xedcc61,
        0xedc850, 0xedc53f, 0xedc22e,
    ];
    let (cx, cy) = (at.x + at.u / 2.0, at.y + at.u / 2.0);
    let value: u32 = at.text.parse().unwrap_or(0);
    let level = if value == 0 { 0 } else { (value.ilog2() as usize).min(11) };
    let digits = at.text.len();
    if style.page {
        canvas.rect(at.x, at.y, at.u, at.u, 0.0, rgb(if style.dark { 0x37322c } else { 0xb8ab9b }));
        canvas.rect(
            at.x + 0.02 * at.u,
            at.y + 0.02 * at.u,
            0.96 * at.u,
            0.96 * at.u,
            0.0,
            rgb(if style.dark { 0x4c463f } else { 0xcfc4b6 }),
        );
        if value > 0 {
            canvas.rect(
                at.x + 0.04 * at.u,
                at.y + 0.04 * at.u,
                0.92 * at.u,
                0.92 * at.u,
                0.1 * at.u,
                rgb(PAGE[level]),
            );
            let size = if digits > 4 {
                0.22
            } else if digits > 2 {
                0.3
            } else {
                0.4
            };
            let ink = rgb(if level > 2 { 0xffffff } else { 0x4a4238 });
            faces[style.face].write(canvas, at.text, (cx, cy + 0.01 * at.u), size * at.u, ink);
        }
        return;
    }
    let gap = 0.062 * at.u;
    if game == "threes" {
        canvas.rect(at.x + gap, at.y + 0.5 * gap, at.u - 2.0 * gap, at.u - gap, 5.0, rgb(0xbbd9d9));
        if value > 0 {
            let (face, edge, ink) = match value {
                1 => (0x66ccff, 0x5aa4da, 0xffffff),
                2 => (0xff6680, 0xcc5284, 0xffffff),
                _ => (0xffffff, 0xffcc66, 0x202020),
            };
            canvas.rect(at.x + gap, at.y + 0.5 * gap, at.u - 2.0 * gap, at.u - gap, 5.0, rgb(edge));
            canvas.rect(
                at.x + gap,
                at.y + 0.5 * gap,
                at.u - 2.0 * gap,
                at.u - gap - 4.0,
                5.0,
                rgb(face),
            );
            let size = if digits > 3 { 0.3 } else { 0.4 };
            faces[style.face].write(canvas, at.text, (cx, cy - 1.0), size * at.u, rgb(ink));
        }
        return;
    }
    let tile = if value == 0 { rgb(0xcdc1b4) } else { rgb(USUAL[level]) };
    canvas.rect(at.x + gap, at.y + gap, at.u - 2.0 * gap, at.u - 2.0 * gap, 2.0, tile);
    if value > 0 {
        let size = [0.45, 0.45, 0.37, 0.29, 0.24][digits.min(5) - 1];
        let ink = rgb(if level <= 2 { 0x776e65 } else { 0xf9f6f2 });
        faces[style.face].write(canvas, at.text, (cx, cy), size * at.u, ink);
    }
}
