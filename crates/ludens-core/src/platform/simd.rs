//! Which vector instructions the processor has.

/// An instruction set that this processor has: a level comes only from asking the processor, so
/// that nobody can name one that is missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level(InstructionSet);

/// Instruction sets that kernels are written for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InstructionSet {
    /// Whatever the compiler makes of plain loops.
    Portable,
    /// With FMA.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    /// AVX-512F, with AVX2 and FMA.
    Avx512,
}

impl Level {
    /// What every processor has.
    pub const PORTABLE: Level = Level(InstructionSet::Portable);

    /// All this processor has, the best last.
    pub fn available() -> Vec<Level> {
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
        let mut levels = vec![Level::PORTABLE];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            levels.push(Level(InstructionSet::Avx2));
            if is_x86_feature_detected!("avx512f") {
                levels.push(Level(InstructionSet::Avx512));
            }
        }
        levels
    }

    /// The best this processor has.
    pub fn best() -> Level {
        Level::available().pop().unwrap_or(Level::PORTABLE)
    }

    /// Which instructions.
    #[inline]
    pub fn set(self) -> InstructionSet {
        self.0
    }
}
