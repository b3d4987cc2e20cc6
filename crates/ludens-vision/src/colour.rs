//! Colours: hue, saturation, value; medians; the plane in which they are compared.

/// Red, green and blue from 0 to 255.
pub(crate) type Colour = [f32; 3];

/// A colour as it is compared: on the disc of hue and saturation, with a little of its value.
pub(crate) type Feature = [f32; 3];

/// How much the value counts where shading is to be ignored.
pub(crate) const SHADED: f32 = 0.1;
/// Below this value hue and saturation are mostly noise.
const DARK: f32 = 0.2;

/// Hue, saturation and value, each from 0 to 1.
///
/// Greys have the hue 0.
pub(crate) fn hsv([r, g, b]: Colour) -> [f32; 3] {
    let (high, low) = (r.max(g).max(b), r.min(g).min(b));
    let range = high - low;
    if high <= 0.0 || range <= 0.0 {
        return [0.0, 0.0, high.max(0.0) / 255.0];
    }
    let sixths = if high == r {
        ((g - b) / range).rem_euclid(6.0)
    } else if high == g {
        (b - r) / range + 2.0
    } else {
        (r - g) / range + 4.0
    };
    [sixths / 6.0, range / high, high / 255.0]
}

/// `(S cos H, S sin H, weight V)`: hue is a circle, and counts the less the paler a colour is.
pub(crate) fn feature(colour: Colour, weight: f32) -> Feature {
    let [hue, saturation, value] = hsv(colour);
    let saturation = saturation * (value / DARK).min(1.0);
    let (sin, cos) = (hue * std::f32::consts::TAU).sin_cos();
    [saturation * cos, saturation * sin, weight * value]
}

/// The distance of two colours or features.
pub(crate) fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f32>().sqrt()
}

/// The mean of features.
pub(crate) fn mean(of: impl Iterator<Item = Feature>) -> Feature {
    let mut sum = [0.0; 3];
    let mut count = 0.0f32;
    for feature in of {
        for (s, v) in sum.iter_mut().zip(feature) {
            *s += v;
        }
        count += 1.0;
    }
    sum.map(|s| s / count.max(1.0))
}

/// The median of each channel; black for no colours.
pub(crate) fn median(colours: impl Iterator<Item = Colour>) -> Colour {
    let mut channels: [Vec<f32>; 3] = Default::default();
    for colour in colours {
        for (channel, v) in channels.iter_mut().zip(colour) {
            channel.push(v);
        }
    }
    channels.map(|mut channel| {
        if channel.is_empty() {
            return 0.0;
        }
        let middle = channel.len() / 2;
        *channel.select_nth_unstable_by(middle, f32::total_cmp).1
    })
}

/// How bright a colour looks, from 0 to 255.
pub(crate) fn brightness([r, g, b]: Colour) -> f32 {
    0.299 * r + 0.587 * g + 0.114 * b
}

/// How clearly something at distance `own` from what it was taken for is not what lies at distance
/// `other`: from 0 to 1.
pub(crate) fn margin(own: f32, other: f32) -> f64 {
    f64::from(((other - own) / (other + own + 0.01)).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hue_is_a_circle_and_shading_hardly_counts() {
        let (one, two) = ([250.0, 40.0, 45.0], [250.0, 45.0, 40.0]);
        assert!(distance(feature(one, SHADED), feature(two, SHADED)) < 0.05);
        assert!((hsv(one)[0] - hsv(two)[0]).abs() > 0.9);
        let shaded = one.map(|v| v * 0.6);
        assert!(distance(feature(one, SHADED), feature(shaded, SHADED)) < 0.05);
        assert_eq!(hsv([0.0; 3]), [0.0; 3]);
    }

    #[test]
    fn medians_ignore_what_is_few() {
        let patch = [[10.0; 3], [12.0; 3], [255.0; 3], [11.0; 3], [0.0; 3]];
        assert_eq!(median(patch.into_iter()), [11.0; 3]);
        assert_eq!(median(std::iter::empty()), [0.0; 3]);
    }
}
