//! Vectors of floats, as wide as the processor has them.
//!
//! A kernel is written once over [`Simd`] and compiled for each instruction set;
//! [`Level::run`] calls the one for this processor. Everything between `run` and the
//! instructions is inlined, so that the compiler may use them.

#![expect(unsafe_code, reason = "vector instructions: 8 to 16 times the plain loops' speed")]

#[cfg(target_arch = "x86_64")]
mod x86;

/// An instruction set for vectors of `f32`.
pub(crate) trait Simd {
    /// Floats of a vector.
    const LANES: usize;
    /// The cells that a tile of two vectors per cell may have at once: their sums, two
    /// vectors of weights and a factor must fit into the registers.
    const CELLS: usize;
    /// A vector.
    type Vector: Copy;

    /// Reads a vector.
    ///
    /// # Safety
    /// The processor has the instructions; [`LANES`](Simd::LANES) floats can be read there.
    unsafe fn load(from: *const f32) -> Self::Vector;

    /// Writes a vector.
    ///
    /// # Safety
    /// The processor has the instructions; [`LANES`](Simd::LANES) floats can be written there.
    unsafe fn store(to: *mut f32, vector: Self::Vector);

    /// The same number in all lanes.
    ///
    /// # Safety
    /// The processor has the instructions.
    unsafe fn splat(value: f32) -> Self::Vector;

    /// `a * b + c`.
    ///
    /// # Safety
    /// The processor has the instructions.
    unsafe fn fma(a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;

    /// `a + b`.
    ///
    /// # Safety
    /// The processor has the instructions.
    unsafe fn add(a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// The larger in every lane.
    ///
    /// # Safety
    /// The processor has the instructions.
    unsafe fn max(a: Self::Vector, b: Self::Vector) -> Self::Vector;
}

/// Work written over [`Simd`].
pub(crate) trait Kernel {
    /// Does it; to be `#[inline(always)]`.
    ///
    /// # Safety
    /// The processor has the instructions.
    unsafe fn run<S: Simd>(self);
}

/// An instruction set that this processor has: a level comes only from asking the processor,
/// so that nobody can name one that is missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Level(Set);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Set {
    Portable,
    /// With FMA.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// Whatever the compiler makes of plain loops.
    pub(crate) const PORTABLE: Level = Level(Set::Portable);

    /// All this processor has, the best last.
    pub(crate) fn available() -> Vec<Level> {
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
        let mut levels = vec![Level::PORTABLE];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                levels.push(Level(Set::Avx2));
                if is_x86_feature_detected!("avx512f") {
                    levels.push(Level(Set::Avx512));
                }
            }
        }
        levels
    }

    /// The best this processor has.
    pub(crate) fn best() -> Level {
        *Level::available().last().expect("the portable level is always there")
    }

    /// Floats of a vector.
    pub(crate) fn lanes(self) -> usize {
        match self.0 {
            Set::Portable => Portable::LANES,
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => x86::Avx2::LANES,
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => x86::Avx512::LANES,
        }
    }

    /// Runs a kernel with these instructions.
    pub(crate) fn run(self, kernel: impl Kernel) {
        // SAFETY: only `available` makes other levels than the portable one, and it has asked
        // the processor.
        unsafe {
            match self.0 {
                Set::Portable => kernel.run::<Portable>(),
                #[cfg(target_arch = "x86_64")]
                Set::Avx2 => x86::run_avx2(kernel),
                #[cfg(target_arch = "x86_64")]
                Set::Avx512 => x86::run_avx512(kernel),
            }
        }
    }
}

/// Plain arrays.
pub(crate) struct Portable;

impl Simd for Portable {
    const LANES: usize = 8;
    const CELLS: usize = 4;
    type Vector = [f32; 8];

    #[inline(always)]
    unsafe fn load(from: *const f32) -> [f32; 8] {
        // SAFETY: the caller says that eight floats are there.
        unsafe { from.cast::<[f32; 8]>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn store(to: *mut f32, vector: [f32; 8]) {
        // SAFETY: the caller says that there are eight floats.
        unsafe { to.cast::<[f32; 8]>().write_unaligned(vector) };
    }

    #[inline(always)]
    unsafe fn splat(value: f32) -> [f32; 8] {
        [value; 8]
    }

    #[inline(always)]
    unsafe fn fma(a: [f32; 8], b: [f32; 8], c: [f32; 8]) -> [f32; 8] {
        // Two roundings: one would be a function call without the instruction.
        std::array::from_fn(|i| a[i] * b[i] + c[i])
    }

    #[inline(always)]
    unsafe fn add(a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| a[i] + b[i])
    }

    #[inline(always)]
    unsafe fn max(a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        std::array::from_fn(|i| if a[i] > b[i] { a[i] } else { b[i] })
    }
}
