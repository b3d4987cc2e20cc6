//! Fonts of the system for the numbers on tiles. Where there are none, tests of tiles are skipped.

use std::path::PathBuf;

use ab_glyph::{Font, FontVec, PxScale, ScaleFont, point};

use super::canvas::{Canvas, Rgb};

/// Where fonts are usually installed; `LUDENS_FONTS` names another folder.
const FOLDERS: [&str; 2] = ["/usr/share/fonts", "/Library/Fonts"];
/// Not what numbers on tiles are written in.
const OTHER: [&str; 8] =
    ["Oblique", "Italic", "Math", "Symbol", "Emoji", "ExtraLight", "Hairline", "Thin"];

pub(crate) struct Face {
    pub(crate) name: String,
    font: FontVec,
}

/// All upright fonts in the order of their names.
pub(crate) fn faces() -> Vec<Face> {
    let mut open: Vec<PathBuf> = match std::env::var_os("LUDENS_FONTS") {
        Some(folder) => vec![folder.into()],
        None => FOLDERS.iter().map(PathBuf::from).collect(),
    };
    let mut files = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "ttf" || e == "otf") {
                files.push(path);
            }
        }
    }
    files.sort();
    let read = |path: PathBuf| {
        let name = path.file_stem()?.to_string_lossy().into_owned();
        if OTHER.iter().any(|other| name.contains(other)) {
            return None;
        }
        let font = FontVec::try_from_vec(std::fs::read(path).ok()?).ok()?;
        let digits = ('0'..='9').all(|c| font.glyph_id(c).0 != 0);
        digits.then_some(Face { name, font })
    };
    files.into_iter().filter_map(read).collect()
}

impl Face {
    /// Writes a text around a point. The size is that of the em, as in style sheets.
    pub(crate) fn write(
        &self,
        canvas: &mut Canvas,
        text: &str,
        (cx, cy): (f32, f32),
        size: f32,
        colour: Rgb,
    ) {
        let units = self.font.units_per_em().unwrap_or(1000.0);
        let scale = PxScale::from(size * self.font.height_unscaled() / units);
        let scaled = self.font.as_scaled(scale);
        let width: f32 = text.chars().map(|c| scaled.h_advance(self.font.glyph_id(c))).sum();
        let middle = {
            let glyph = self.font.glyph_id('0').with_scale_and_position(scale, point(0.0, 0.0));
            self.font
                .outline_glyph(glyph)
                .map_or(0.0, |o| (o.px_bounds().min.y + o.px_bounds().max.y) / 2.0)
        };
        let mut x = cx - width / 2.0;
        for c in text.chars() {
            let id = self.font.glyph_id(c);
            let glyph = id.with_scale_and_position(scale, point(x, cy - middle));
            x += scaled.h_advance(id);
            if let Some(outline) = self.font.outline_glyph(glyph) {
                let bounds = outline.px_bounds();
                outline.draw(|gx, gy, share| {
                    let (px, py) = (bounds.min.x + gx as f32, bounds.min.y + gy as f32);
                    if px >= 0.0 && py >= 0.0 {
                        canvas.blend(px as usize, py as usize, colour, share);
                    }
                });
            }
        }
    }
}
