//! From the bytes of a file to pixels, within limits.

use std::io::Cursor;

use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader};

use crate::VisionError;
use crate::picture::Picture;

/// Bytes that decoding may take per pixel: four channels of two bytes each.
const BYTES_PER_PIXEL: u64 = 8;
/// Bytes of decoding whatever the size.
const BYTES_ASIDE: u64 = 16 << 20;
/// The shortest side in which anything can be seen.
const SHORTEST: u32 = 16;

/// What a picture may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes of the file.
    pub bytes: usize,
    /// Width times height.
    pub pixels: u64,
}

impl Default for Limits {
    /// A photograph of 50 megapixels in a file of 32 MiB.
    fn default() -> Self {
        Limits { bytes: 32 << 20, pixels: 50_000_000 }
    }
}

/// The picture in a PNG, JPEG or WebP file, turned as its camera was held. What can be seen
/// through is laid on white.
///
/// The size is compared with the limits before anything is decoded.
///
/// # Errors
/// When the bytes are no such file, end too early, or exceed the limits.
pub(crate) fn decode(bytes: &[u8], limits: &Limits) -> Result<Picture, VisionError> {
    if bytes.is_empty() {
        return Err(wrong("nothing, expected a PNG, JPEG or WebP file"));
    }
    if bytes.len() > limits.bytes {
        return Err(wrong(format!("{} bytes, expected at most {}", bytes.len(), limits.bytes)));
    }
    let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format();
    let Some(reader) = reader.ok().filter(|reader| reader.format().is_some()) else {
        return Err(wrong("no picture, expected a PNG, JPEG or WebP file"));
    };
    if reader.format() == Some(ImageFormat::Jpeg) && !ends(bytes) {
        return Err(wrong("a JPEG file that ends too early, expected all of it"));
    }
    let mut reader = reader;
    let mut allowed = image::Limits::default();
    allowed.max_alloc = Some(limits.pixels * BYTES_PER_PIXEL + BYTES_ASIDE);
    reader.limits(allowed);
    let mut decoder = reader.into_decoder().map_err(told)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > limits.pixels {
        let most = limits.pixels / 1_000_000;
        return Err(wrong(format!("{width} x {height} pixels, expected at most {most} million")));
    }
    if width.min(height) < SHORTEST {
        let found = format!("{width} x {height} pixels, expected at least {SHORTEST} x {SHORTEST}");
        return Err(wrong(found));
    }
    let turned = decoder.orientation().map_err(told)?;
    let mut decoded = DynamicImage::from_decoder(decoder).map_err(told)?;
    decoded.apply_orientation(turned);
    Ok(opaque(&decoded))
}

/// Lays a picture on white.
fn opaque(decoded: &DynamicImage) -> Picture {
    let (width, height) = (decoded.width() as usize, decoded.height() as usize);
    let pixels = if decoded.color().has_alpha() {
        let on_white = |[r, g, b, a]: [u8; 4]| {
            let over = |v: u8| {
                let (v, a) = (u32::from(v), u32::from(a));
                ((v * a + 255 * (255 - a) + 127) / 255) as u8
            };
            [over(r), over(g), over(b)]
        };
        decoded.to_rgba8().pixels().map(|p| on_white(p.0)).collect()
    } else {
        decoded.to_rgb8().pixels().map(|p| p.0).collect()
    };
    Picture::new(width, height, pixels)
}

/// Whether a JPEG file has the marker of its end. Decoders fill in what is missing, so that half
/// a board would be read as grey.
fn ends(bytes: &[u8]) -> bool {
    const START_OF_SCAN: u8 = 0xDA;
    const END: u8 = 0xD9;
    let mut at = 2;
    let mut scan = false;
    while let Some(rest) = bytes.get(at..).filter(|rest| rest.len() >= 2) {
        match (rest[0], rest[1]) {
            (0xFF, END) => return true,
            // Fill bytes, escaped data, restarts: nothing with a length.
            (0xFF, 0xFF) => at += 1,
            (0xFF, 0x00 | 0x01 | 0xD0..=0xD8) => at += 2,
            (0xFF, marker) => {
                scan = marker == START_OF_SCAN;
                let Some(&[high, low]) = rest.get(2..4) else { return false };
                at += 2 + usize::from(u16::from_be_bytes([high, low]));
            }
            _ if scan => at += 1,
            _ => return false,
        }
    }
    false
}

fn wrong(found: impl Into<String>) -> VisionError {
    VisionError::Image(found.into())
}

fn told(error: image::ImageError) -> VisionError {
    match error {
        image::ImageError::Limits(_) => wrong("a picture that takes more memory than is allowed"),
        image::ImageError::Unsupported(_) => {
            wrong("a kind of picture that is not read, expected a PNG, JPEG or WebP file")
        }
        other => {
            let text: String =
                other.to_string().chars().filter(|c| !c.is_control()).take(120).collect();
            wrong(format!("a damaged file ({text}), expected a PNG, JPEG or WebP file"))
        }
    }
}
