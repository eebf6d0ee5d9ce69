//! Random recipes in the style of hardware models that were converted to C. Values of 8, 16 and 32 bits are extended,
//! computed with in 32 bits and truncated again. There are complements of bits with a mask, comparisons used as numbers,
//! chains of choices `v ? s : before`, and long combinations of flags. Recipes are wide and deep: hundreds of operators that
//! share their operands.

use crate::Random;
use crate::recipe::{Ingredient, Recipe, Step};
use cfa::Sort;
use cfa::bv::{Bv, BvCmp, BvOp};
use cfa::eval::Value;
use cfa::term::Kind;

/// The widths of values.
const WIDTHS: [u32; 3] = [8, 16, 32];
/// Constants with which such programs compare and mask.
const CONSTANTS: [u64; 13] = [0, 1, 2, 3, 4, 7, 9, 15, 31, 63, 127, 128, 255];
/// Number of the latest values of a sort among which operands are mostly chosen.
const RECENT: usize = 12;

/// A random recipe of about `size` operators.
pub fn hardware(seed: u64, size: usize) -> Recipe {
    let mut model = Model { rng: Random::new(seed), recipe: Recipe::default(), sorts: Vec::new() };
    model.add_leaves();
    while model.recipe.steps.len() < size {
        model.statement();
    }
    model.recipe
}

/// A recipe under construction.
struct Model {
    rng: Random,
    recipe: Recipe,
    /// The sorts of all positions.
    sorts: Vec<Sort>,
}

impl Model {
    /// Adds constants, states and inputs.
    fn add_leaves(&mut self) {
        for width in WIDTHS {
            for k in CONSTANTS {
                self.ingredient(Bv::new(width, k), true);
            }
        }
        for _ in 0..6 + self.rng.below(20) {
            let width = self.rng.pick(&[8, 8, 8, 8, 16, 32]);
            let value = self.rng.bits(width);
            self.ingredient(value, false);
        }
        // At least one of each width.
        for width in WIDTHS {
            let value = self.rng.bits(width);
            self.ingredient(value, false);
        }
    }

    fn ingredient(&mut self, value: Bv, constant: bool) {
        self.sorts.push(Sort::Bv(value.width()));
        self.recipe.ingredients.push(Ingredient { value: Value::Bv(value), constant });
    }

    fn push(&mut self, kind: Kind, args: &[usize], sort: Sort) -> usize {
        self.recipe.steps.push(Step { kind, args: args.to_vec(), sort });
        self.sorts.push(sort);
        self.sorts.len() - 1
    }

    /// Constant number `i` of the list, with `width` bits.
    fn constant(&self, width: u32, i: usize) -> usize {
        let list = WIDTHS.iter().position(|w| *w == width).expect("a width of values");
        list * CONSTANTS.len() + i
    }

    fn some_constant(&mut self, width: u32) -> usize {
        let i = self.rng.below(CONSTANTS.len() as u64) as usize;
        self.constant(width, i)
    }

    /// The position of a value that is not a constant, mostly a recent one.
    fn value(&mut self, width: u32) -> usize {
        let constants = WIDTHS.len() * CONSTANTS.len();
        let all: Vec<usize> = (constants..self.sorts.len()).filter(|i| self.sorts[*i] == Sort::Bv(width)).collect();
        let recent = &all[all.len().saturating_sub(RECENT)..];
        if self.rng.one_in(4) { self.rng.pick(&all) } else { self.rng.pick(recent) }
    }

    fn value_or_constant(&mut self, width: u32) -> usize {
        if self.rng.one_in(4) { self.some_constant(width) } else { self.value(width) }
    }

    /// A flag, old or new.
    fn flag(&mut self) -> usize {
        let all: Vec<usize> = (0..self.sorts.len()).filter(|i| self.sorts[*i] == Sort::Bool).collect();
        if all.is_empty() || self.rng.one_in(3) {
            return self.comparison();
        }
        let recent = &all[all.len().saturating_sub(RECENT)..];
        if self.rng.one_in(4) { self.rng.pick(&all) } else { self.rng.pick(recent) }
    }

    /// A value of 32 bits, promoted from a shorter one as in C.
    fn promoted(&mut self) -> usize {
        let width = self.rng.pick(&[8, 8, 16, 32]);
        let value = self.value(width);
        self.extended(value, 32)
    }

    fn extended(&mut self, value: usize, width: u32) -> usize {
        if self.sorts[value] == Sort::Bv(width) {
            return value;
        }
        let kind = if self.rng.one_in(5) { Kind::Sext } else { Kind::Zext };
        self.push(kind, &[value], Sort::Bv(width))
    }

    /// The position of a value after its assignment to a variable of `width` bits.
    fn cut(&mut self, value: usize, width: u32) -> usize {
        if self.sorts[value] == Sort::Bv(width) {
            return value;
        }
        self.push(Kind::Extract { hi: width - 1, lo: 0 }, &[value], Sort::Bv(width))
    }

    fn comparison(&mut self) -> usize {
        let (a, b) = if self.rng.one_in(2) {
            let width = self.rng.pick(&[8, 8, 16, 32]);
            (self.value(width), self.value_or_constant(width))
        } else {
            let a = self.promoted();
            (a, if self.rng.one_in(2) { self.some_constant(32) } else { self.promoted() })
        };
        let cmp = self.rng.pick(&[BvCmp::Ult, BvCmp::Ule, BvCmp::Slt, BvCmp::Sle]);
        let kind = if self.rng.one_in(2) { Kind::Eq } else { Kind::Cmp(cmp) };
        let args = if self.rng.one_in(4) { [b, a] } else { [a, b] };
        let flag = self.push(kind, &args, Sort::Bool);
        if self.rng.one_in(3) { self.push(Kind::Not, &[flag], Sort::Bool) } else { flag }
    }

    /// A flag as a number, as in C: one or zero.
    fn number(&mut self, flag: usize, width: u32) -> usize {
        let (one, zero) = (self.constant(width, 1), self.constant(width, 0));
        self.push(Kind::Ite, &[flag, one, zero], Sort::Bv(width))
    }

    fn statement(&mut self) {
        let width = self.rng.pick(&[8, 8, 8, 16, 32]);
        match self.rng.below(10) {
            // unsigned char x = a + b;
            0 | 1 => {
                let a = self.promoted();
                let b = if self.rng.one_in(3) { self.some_constant(32) } else { self.promoted() };
                let all = [BvOp::Add, BvOp::Add, BvOp::Sub, BvOp::And, BvOp::Or, BvOp::Xor, BvOp::And, BvOp::Mul];
                let op = self.rng.pick(&all);
                let result = self.push(Kind::Bv(op), &[a, b], Sort::Bv(32));
                self.cut(result, width);
            }
            // x = ~a & 1;
            2 => {
                let a = self.promoted();
                let complement = self.push(Kind::BvNot, &[a], Sort::Bv(32));
                let mask = self.rng.pick(&[1, 1, 1, 3, 5, 7]);
                let mask = self.constant(32, mask);
                let masked = self.push(Kind::Bv(BvOp::And), &[complement, mask], Sort::Bv(32));
                self.cut(masked, width);
            }
            // x = a == b;
            3 => {
                let flag = self.flag();
                let number = self.number(flag, 32);
                self.cut(number, width);
            }
            // x = v ? s : y; repeatedly.
            4 | 5 => {
                let mut before = self.value_or_constant(width);
                for _ in 0..2 + self.rng.below(8) {
                    let (flag, set) = (self.flag(), self.value_or_constant(width));
                    let args = if self.rng.one_in(6) { [flag, before, set] } else { [flag, set, before] };
                    before = self.push(Kind::Ite, &args, Sort::Bv(width));
                }
            }
            // x = a & mask;
            6 => {
                let (a, mask) = (self.value(width), self.some_constant(width));
                self.push(Kind::Bv(BvOp::And), &[a, mask], Sort::Bv(width));
            }
            // x = a >> 3; also shifted by a variable.
            7 => {
                let a = self.promoted();
                let by = if self.rng.one_in(4) { self.promoted() } else { self.some_constant(32) };
                let op = self.rng.pick(&[BvOp::Shl, BvOp::Lshr, BvOp::Lshr, BvOp::Ashr]);
                let result = self.push(Kind::Bv(op), &[a, by], Sort::Bv(32));
                self.cut(result, width);
            }
            // Bits of a word, and words of bits.
            8 if self.rng.one_in(2) => {
                let word = self.value(32);
                let lo = self.rng.below(25) as u32;
                self.push(Kind::Extract { hi: lo + 7, lo }, &[word], Sort::Bv(8));
            }
            8 => {
                let (high, low) = (self.value(8), self.value_or_constant(8));
                self.push(Kind::Concat, &[high, low], Sort::Bv(16));
            }
            // Flags.
            _ => {
                for _ in 0..1 + self.rng.below(4) {
                    let (a, b) = (self.flag(), self.flag());
                    match self.rng.below(8) {
                        0 => {
                            let c = self.flag();
                            self.push(Kind::Ite, &[a, b, c], Sort::Bool);
                        }
                        1 => {
                            self.push(Kind::Eq, &[a, b], Sort::Bool);
                        }
                        2 => {
                            self.push(Kind::Not, &[a], Sort::Bool);
                        }
                        n => {
                            let kind = if n % 2 == 0 { Kind::And } else { Kind::Or };
                            self.push(kind, &[a, b], Sort::Bool);
                        }
                    }
                }
            }
        }
    }
}
