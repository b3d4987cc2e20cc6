//! Vectors of floats, as wide as the processor has them.
//!
//! A kernel is written once over [`Simd`] and compiled for each instruction set;
//! [`Vectors::run`] calls the one for this processor. Everything between `run` and the
//! instructions is inlined, so that the compiler may use them.

#![expect(unsafe_code, reason = "vector instructions: 8 to 16 times the plain loops' speed")]

#[cfg(target_arch = "x86_64")]
mod x86;

use ludens_core::platform::simd::InstructionSet;
pub(crate) use ludens_core::platform::simd::Level;

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

/// What kernels need of an instruction set.
pub(crate) trait Vectors {
    /// Floats of a vector.
    fn lanes(self) -> usize;

    /// Runs a kernel with these instructions.
    fn run(self, kernel: impl Kernel);
}

impl Vectors for Level {
    fn lanes(self) -> usize {
        match self.set() {
            InstructionSet::Portable => Portable::LANES,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => x86::Avx2::LANES,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => x86::Avx512::LANES,
        }
    }

    fn run(self, kernel: impl Kernel) {
        // SAFETY: a level other than the portable one comes from asking the processor.
        unsafe {
            match self.set() {
                InstructionSet::Portable => kernel.run::<Portable>(),
                #[cfg(target_arch = "x86_64")]
                InstructionSet::Avx2 => x86::run_avx2(kernel),
                #[cfg(target_arch = "x86_64")]
                InstructionSet::Avx512 => x86::run_avx512(kernel),
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
