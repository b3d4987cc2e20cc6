//! Johannes Baagøe's Alea, the generator behind the daily boards: a
//! multiply-with-carry generator whose state is three fractions of 32 bits.

/// 2^32.
const WORD: f64 = 4_294_967_296.0;

/// Baagøe's Mash: a running hash of text into fractions of 32 bits. Every
/// intermediate value is an exact double, and the order of the operations is
/// part of the algorithm.
struct Mash(f64);

impl Mash {
    fn new() -> Self {
        Mash(f64::from(0xEFC8_249D_u32))
    }

    fn fraction(&mut self, text: &str) -> f64 {
        for unit in text.encode_utf16() {
            let scaled = (self.0 + f64::from(unit)) * 0.025_196_032_824_169_38;
            let product = scaled.fract() * scaled.trunc();
            self.0 = product.trunc() + product.fract() * WORD;
        }
        // The low 32 bits of the whole part.
        f64::from(self.0 as u64 as u32) / WORD
    }
}

/// The generator.
pub(super) struct Alea {
    state: [f64; 3],
    carry: f64,
}

impl Alea {
    /// The generator of a text.
    pub(super) fn new(seed: &str) -> Self {
        let mut mash = Mash::new();
        let mut state = [0.0; 3].map(|_: f64| mash.fraction(" "));
        for fraction in &mut state {
            *fraction -= mash.fraction(seed);
            if *fraction < 0.0 {
                *fraction += 1.0;
            }
        }
        Alea { state, carry: 1.0 }
    }

    /// A number in `[0, 1)`.
    pub(super) fn next(&mut self) -> f64 {
        let [oldest, middle, newest] = self.state;
        let sum = 2_091_639.0 * oldest + self.carry / WORD;
        self.carry = sum.trunc();
        let fraction = sum - self.carry;
        self.state = [middle, newest, fraction];
        fraction
    }
}
