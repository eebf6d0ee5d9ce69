//! Pseudo-random numbers with fixed seeds: the same on every machine.

use cfa::bv::Bv;
use cfa::eval::Value;
use cfa::float::Format;
use cfa::interpret::InputSource;
use cfa::{EdgeId, InputKind, Sort};

/// A sequence of pseudo-random numbers.
#[derive(Clone, Debug)]
pub struct Random(fastrand::Rng);

impl Random {
    /// The sequence that `seed` determines.
    pub fn new(seed: u64) -> Random {
        Random(fastrand::Rng::with_seed(seed))
    }

    /// Any 64 bits.
    pub fn word(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// A number below `n`, which must be positive.
    pub fn below<N: TryFrom<u64> + TryInto<u64>>(&mut self, n: N) -> N {
        let n = n.try_into().ok().expect("a positive bound");
        N::try_from(self.0.u64(..n)).ok().expect("a number below one of the type")
    }

    /// A number in `from..=to`.
    pub fn between(&mut self, from: usize, to: usize) -> usize {
        self.0.usize(from..=to)
    }

    /// True once in `n` times.
    pub fn one_in<N: TryFrom<u64> + TryInto<u64>>(&mut self, n: N) -> bool {
        let n = n.try_into().ok().expect("a positive number");
        self.below(n) == 0
    }

    /// One of `all`, which must not be empty.
    pub fn pick<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.0.usize(..all.len())].clone()
    }

    /// A value for an input of a program: often a small number, or one at a limit of some width.
    pub fn input(&mut self) -> u64 {
        match self.below(6) {
            0 => 0,
            1 => self.below(4),
            2 => self.below(9u64).wrapping_sub(4),
            3 => (1u64 << self.below(64)).wrapping_sub(self.below(2)),
            _ => self.word(),
        }
    }

    /// `width` bits, with a preference for corner cases.
    pub fn bits(&mut self, width: u32) -> Bv {
        match self.below(6) {
            0 => Bv::new(width, self.below(4)),
            1 => Bv::new(width, self.below(70)),
            2 => Bv::from_i64(width, -self.below(4i64)),
            3 => Bv::new(1, 1).concat(&Bv::new(width, self.below(2))).extract(width, 1),
            _ => Bv::from_words(width, &[self.word(), self.word(), self.word()]),
        }
    }

    /// A bit pattern of `format`, with a preference for special values.
    pub fn float_bits(&mut self, format: Format) -> Bv {
        let (w, e) = (format.width_bits(), format.exponent_bits());
        let exponent = match self.below(5) {
            0 => Bv::new(e, self.below(2)),
            1 => Bv::from_i64(e, -1 - self.below(2i64)),
            2 => self.bits(e),
            // Close to one.
            _ => Bv::new(e, (1 << (e - 1)) - 8 + self.below(24u64)),
        };
        let rest = self.bits(w - 1 - e);
        Bv::new(1, self.below(2)).concat(&exponent).concat(&rest)
    }
}

/// Arbitrary inputs; memories are zero.
impl InputSource for Random {
    fn value(&mut self, _: EdgeId, _: u32, _: &InputKind, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.one_in(2)),
            Sort::Bv(width) => Value::Bv(Bv::from_i64(width, self.input() as i64)),
            Sort::Array { .. } => Value::zero(sort),
        }
    }
}
