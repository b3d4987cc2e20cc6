//! A drawing surface for boards, and what a camera or a screen makes of it.

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder};
use ludens_core::Rng;

pub(crate) type Rgb = [f32; 3];

/// A colour from `0xrrggbb`.
pub(crate) fn rgb(hex: u32) -> Rgb {
    [16, 8, 0].map(|shift| (hex >> shift & 255) as f32)
}

pub(crate) struct Canvas {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pixels: Vec<Rgb>,
}

impl Canvas {
    pub(crate) fn new(width: usize, height: usize, colour: Rgb) -> Self {
        Canvas { width, height, pixels: vec![colour; width * height] }
    }

    /// Paints what lies inside: `inside` gives the distance from the edge, negative inside.
    pub(crate) fn paint(
        &mut self,
        (left, top, right, bottom): (f32, f32, f32, f32),
        colour: Rgb,
        edge: impl Fn(f32, f32) -> f32,
    ) {
        let range = |from: f32, to: f32, end: usize| {
            (from.max(0.0) as usize)..(to.max(0.0).ceil() as usize).min(end)
        };
        for y in range(top - 1.0, bottom + 1.0, self.height) {
            for x in range(left - 1.0, right + 1.0, self.width) {
                let share = (0.5 - edge(x as f32 + 0.5, y as f32 + 0.5)).clamp(0.0, 1.0);
                self.blend(x, y, colour, share);
            }
        }
    }

    pub(crate) fn blend(&mut self, x: usize, y: usize, colour: Rgb, share: f32) {
        if x < self.width && y < self.height && share > 0.0 {
            let pixel = &mut self.pixels[y * self.width + x];
            for (p, c) in pixel.iter_mut().zip(colour) {
                *p += (c - *p) * share;
            }
        }
    }

    pub(crate) fn rect(&mut self, x: f32, y: f32, w: f32, h: f32, round: f32, colour: Rgb) {
        self.paint((x, y, x + w, y + h), colour, |px, py| {
            let dx = (px - x - w / 2.0).abs() - w / 2.0 + round;
            let dy = (py - y - h / 2.0).abs() - h / 2.0 + round;
            dx.max(0.0).hypot(dy.max(0.0)) + dx.max(dy).min(0.0) - round
        });
    }

    pub(crate) fn circle(&mut self, cx: f32, cy: f32, r: f32, colour: Rgb) {
        self.paint((cx - r, cy - r, cx + r, cy + r), colour, |x, y| (x - cx).hypot(y - cy) - r);
    }

    pub(crate) fn polygon(&mut self, points: &[(f32, f32)], colour: Rgb) {
        let fold = |f: fn(f32, f32) -> f32, of: fn(&(f32, f32)) -> f32| {
            points.iter().map(of).reduce(f).expect("shapes have corners")
        };
        let bounds = (
            fold(f32::min, |p| p.0),
            fold(f32::min, |p| p.1),
            fold(f32::max, |p| p.0),
            fold(f32::max, |p| p.1),
        );
        self.paint(bounds, colour, |x, y| {
            let (mut inside, mut near) = (false, f32::MAX);
            for (i, &(ax, ay)) in points.iter().enumerate() {
                let (bx, by) = points[(i + 1) % points.len()];
                if (ay > y) != (by > y) && x < ax + (y - ay) / (by - ay) * (bx - ax) {
                    inside = !inside;
                }
                let (dx, dy) = (bx - ax, by - ay);
                let t = (((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
                near = near.min((x - ax - t * dx).hypot(y - ay - t * dy));
            }
            if inside { -near } else { near }
        });
    }

    fn between(&self, x: f64, y: f64) -> Rgb {
        let (x, y) = (x - 0.5, y - 0.5);
        let at = |x: f64, y: f64| {
            let x = x.clamp(0.0, self.width as f64 - 1.0) as usize;
            let y = y.clamp(0.0, self.height as f64 - 1.0) as usize;
            self.pixels[y * self.width + x]
        };
        let (fx, fy) = ((x - x.floor()) as f32, (y - y.floor()) as f32);
        let (a, b, c, d) = (at(x, y), at(x + 1.0, y), at(x, y + 1.0), at(x + 1.0, y + 1.0));
        std::array::from_fn(|i| {
            let (upper, lower) = (a[i] + (b[i] - a[i]) * fx, c[i] + (d[i] - c[i]) * fx);
            upper + (lower - upper) * fy
        })
    }
}

/// How a drawing becomes a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Camera {
    /// Pixels of the file for one of the drawing.
    pub(crate) scale: f64,
    /// In radians.
    pub(crate) turn: f64,
    /// How much farther the far sides are, across and down.
    pub(crate) tilt: [f64; 2],
    /// How much brighter one side is than the other, across and down.
    pub(crate) shade: [f32; 2],
    /// Standard deviation of each channel.
    pub(crate) noise: f32,
    /// Of JPEG, or a PNG file.
    pub(crate) quality: Option<u8>,
}

impl Camera {
    /// A screenshot.
    pub(crate) const PLAIN: Camera = Camera {
        scale: 1.0,
        turn: 0.0,
        tilt: [0.0; 2],
        shade: [0.0; 2],
        noise: 0.0,
        quality: None,
    };

    /// Something between a screenshot and a photograph of a screen.
    pub(crate) fn random(rng: &mut Rng) -> Camera {
        let mut between = |low: f64, high: f64| low + (high - low) * rng.unit();
        let photo = between(0.0, 1.0) < 0.5;
        let mut camera = Camera { scale: between(0.55, 1.3), ..Camera::PLAIN };
        if photo {
            camera.turn = between(-0.12, 0.12);
            camera.tilt = [between(-0.16, 0.16), between(-0.16, 0.16)];
            camera.shade = [between(-0.3, 0.3) as f32, between(-0.3, 0.3) as f32];
            camera.noise = between(0.0, 9.0) as f32;
        }
        if photo || between(0.0, 1.0) < 0.5 {
            camera.quality = Some(between(60.0, 96.0) as u8);
        }
        camera
    }

    /// The pixels of the file, and where points of the drawing lie in it.
    pub(crate) fn shoot(&self, canvas: &Canvas, rng: &mut Rng) -> Shot<'_> {
        let (w, h) = (canvas.width as f64, canvas.height as f64);
        let grow = 1.0 + 2.0 * self.turn.abs() + self.tilt[0].abs() + self.tilt[1].abs();
        let (width, height) = ((w * self.scale * grow) as usize, (h * self.scale * grow) as usize);
        let (sin, cos) = self.turn.sin_cos();
        let longest = w.max(h);
        // From the file to the drawing.
        let back = |x: f64, y: f64| {
            let (x, y) =
                ((x - width as f64 / 2.0) / self.scale, (y - height as f64 / 2.0) / self.scale);
            let (x, y) = (x * cos + y * sin, y * cos - x * sin);
            let depth = 1.0 + self.tilt[0] * x / longest + self.tilt[1] * y / longest;
            (x / depth + w / 2.0, y / depth + h / 2.0)
        };
        let forth = move |x: f64, y: f64| {
            let (x, y) = (x - w / 2.0, y - h / 2.0);
            let depth = 1.0 - self.tilt[0] * x / longest - self.tilt[1] * y / longest;
            let (x, y) = (x / depth, y / depth);
            let (x, y) = (x * cos - y * sin, y * cos + x * sin);
            (x * self.scale + width as f64 / 2.0, y * self.scale + height as f64 / 2.0)
        };
        let mut bytes = Vec::with_capacity(width * height * 3);
        for y in 0..height {
            for x in 0..width {
                let mut sum = [0.0; 3];
                for (dx, dy) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
                    let (sx, sy) = back(x as f64 + dx, y as f64 + dy);
                    for (s, v) in sum.iter_mut().zip(canvas.between(sx, sy)) {
                        *s += v / 4.0;
                    }
                }
                let light = 1.0
                    + self.shade[0] * (x as f32 / width as f32 - 0.5)
                    + self.shade[1] * (y as f32 / height as f32 - 0.5)
                    - (self.shade[0].abs() + self.shade[1].abs()) / 2.0;
                for s in sum {
                    let noise = if self.noise > 0.0 { self.noise * normal(rng) } else { 0.0 };
                    bytes.push((s * light + noise).round().clamp(0.0, 255.0) as u8);
                }
            }
        }
        Shot { width, height, bytes, forth: Box::new(forth), quality: self.quality }
    }
}

/// The sum of uniform numbers is nearly normal.
fn normal(rng: &mut Rng) -> f32 {
    ((0..4).map(|_| rng.unit()).sum::<f64>() - 2.0) as f32 * 1.732
}

pub(crate) struct Shot<'a> {
    pub(crate) width: usize,
    pub(crate) height: usize,
    bytes: Vec<u8>,
    pub(crate) forth: Box<dyn Fn(f64, f64) -> (f64, f64) + 'a>,
    quality: Option<u8>,
}

impl Shot<'_> {
    pub(crate) fn file(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let (w, h, kind) = (self.width as u32, self.height as u32, ExtendedColorType::Rgb8);
        match self.quality {
            Some(quality) => JpegEncoder::new_with_quality(&mut out, quality).write_image(
                &self.bytes,
                w,
                h,
                kind,
            ),
            None => PngEncoder::new(&mut out).write_image(&self.bytes, w, h, kind),
        }
        .expect("memory can be written");
        out
    }
}
