//! Pseudo-random numbers with fixed seeds: the same on every machine (SplitMix64; Steele, Lea, Flood, OOPSLA 2014).

/// A sequence of numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of `seed`.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(0x2545_F491_4F6C_DD1D))
    }

    /// Any number.
    pub fn any(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.any() % n as u64) as usize
    }

    /// A number in `from..=to`.
    pub fn between(&mut self, from: usize, to: usize) -> usize {
        from + self.below(to - from + 1)
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of `all`, which is not empty.
    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// An input value: often small or at a limit of some width.
    pub fn input(&mut self) -> u64 {
        match self.below(6) {
            0 => 0,
            1 => self.below(4) as u64,
            2 => (self.below(9) as u64).wrapping_sub(4),
            3 => (1u64 << self.below(64)).wrapping_sub(self.below(2) as u64),
            _ => self.any(),
        }
    }
}
