//! Lowers the intrinsics of x86's vector instructions that LLVM does not express by its own instructions: masks of signs, shifts, shuffles of
//! bytes, packing, and sums of products and differences. Each is defined on its own for each 128 bits, as Intel's "Intrinsics Guide" has it.

use super::body::Body;
use super::{Lowered, NoModel, Vals};
use crate::ir::Value;
use cfa::Term;
use cfa::bv::{Bv, BvCmp, BvOp};
use smallvec::smallvec;

/// Width of the parts of a vector that instructions treat apart, in bits.
const PART_BITS: u32 = 128;

impl<'m> Body<'_, '_, 'm> {
    /// Lowers a call of the intrinsic `llvm.x86.` with these further parts of its name (`sse2`, `pmovmskb`, `128`).
    pub(super) fn x86(&mut self, inst: Value<'m>, parts: &[&str], name: &str) -> Lowered<()> {
        // Types of whole tiles have no values.
        self.cx.flat(inst.ty())?;
        let no_model = || NoModel(format!("the intrinsic {name}"));
        // The set of instructions, the operation, and its type.
        let (Some(&operation), kind) = (parts.get(1), parts.get(2).copied().unwrap_or("")) else {
            return Err(no_model());
        };
        let mut operands = Vec::new();
        for arg in inst.call_args() {
            operands.push(self.value(arg)?);
        }
        let Some(a) = operands.first().filter(|a| !a.is_empty()).cloned() else { return Err(no_model()) };
        let b = operands.get(1).cloned().unwrap_or_default();
        let same = b.len() == a.len();
        let vals = match (operation, kind) {
            ("pmovmskb" | "movmsk", _) => smallvec![self.signs(&a)],
            ("pslli" | "psrli" | "psrai", "w" | "d" | "q") if b.len() == 1 => self.shift_all(&operation[..4], &a, b[0]),
            ("psll" | "psrl" | "psra", "w" | "d" | "q") if !b.is_empty() => {
                let amount = self.low_word(&b);
                self.shift_all(operation, &a, amount)
            }
            ("pshuf", "b") if same => self.shuffle_bytes(&a, &b),
            ("packsswb" | "packssdw", _) if same => self.saturate(&a, &b, true),
            ("packuswb" | "packusdw", _) if same => self.saturate(&a, &b, false),
            ("pmadd", "wd") if same => self.sums_of_products(&a, &b),
            ("psad", "bw") if same => self.sums_of_differences(&a, &b),
            _ => return Err(no_model()),
        };
        self.define(inst, vals);
        Ok(())
    }

    /// The signs of all elements, the first one as the lowest bit of 32.
    fn signs(&mut self, a: &Vals) -> Term {
        let terms = self.terms();
        let mut all = terms.int(32, 0);
        for (i, &v) in a.iter().enumerate() {
            let top = terms.width(v) - 1;
            let sign = terms.extract(top, top, v);
            let (bit, at) = (terms.zext(32, sign), terms.int(32, i as u64));
            let bit = terms.bv_op(BvOp::Shl, bit, at);
            all = terms.bv_op(BvOp::Or, all, bit);
        }
        all
    }

    /// The lowest 64 bits of a vector.
    fn low_word(&mut self, a: &Vals) -> Term {
        let terms = self.terms();
        let mut low = a[0];
        for &v in &a[1..] {
            if terms.width(low) >= 64 {
                break;
            }
            low = terms.concat(v, low);
        }
        low
    }

    /// Elements that are shifted by the same amount: all bits leave if that is not smaller than the width.
    fn shift_all(&mut self, operation: &str, a: &Vals, amount: Term) -> Vals {
        let terms = self.terms();
        let wide = terms.width(amount);
        a.iter()
            .map(|&v| {
                let width = terms.width(v);
                let limit = terms.int(wide, width.into());
                let within = terms.cmp(BvCmp::Ult, amount, limit);
                let by = terms.resize(width, amount);
                let (op, beyond) = match operation {
                    "psra" => {
                        let last = terms.int(width, u64::from(width) - 1);
                        (BvOp::Ashr, terms.bv_op(BvOp::Ashr, v, last))
                    }
                    "psrl" => (BvOp::Lshr, terms.int(width, 0)),
                    _ => (BvOp::Shl, terms.int(width, 0)),
                };
                let shifted = terms.bv_op(op, v, by);
                terms.ite(within, shifted, beyond)
            })
            .collect()
    }

    /// Bytes of `a`, picked by the low four bits of each byte of `b`; 0 where its highest bit is set.
    fn shuffle_bytes(&mut self, a: &Vals, b: &Vals) -> Vals {
        const BYTES: usize = PART_BITS as usize / 8;
        let terms = self.terms();
        let zero = terms.int(8, 0);
        let mut vals = Vals::new();
        for (i, &index) in b.iter().enumerate() {
            let part = &a[i / BYTES * BYTES..][..BYTES];
            let low = terms.extract(3, 0, index);
            let mut picked = part[0];
            for (k, &v) in part.iter().enumerate().skip(1) {
                let number = terms.int(4, k as u64);
                let hit = terms.eq(low, number);
                picked = terms.ite(hit, v, picked);
            }
            let top = terms.extract(7, 7, index);
            let clear = terms.nonzero(top);
            vals.push(terms.ite(clear, zero, picked));
        }
        vals
    }

    /// Elements of half the width, with the values of signed elements that they represent, or else the nearest ones.
    fn saturate(&mut self, a: &Vals, b: &Vals, signed: bool) -> Vals {
        let terms = self.terms();
        let width = terms.width(a[0]);
        let half = width / 2;
        let (low, high) = if signed { (-1 << (half - 1), (1 << (half - 1)) - 1) } else { (0, (1 << half) - 1) };
        let (least, most) = (terms.constant(&Bv::from_i64(width, low)), terms.constant(&Bv::from_i64(width, high)));
        let lanes = (PART_BITS / width) as usize;
        let mut vals = Vals::new();
        for (x, y) in a.chunks(lanes).zip(b.chunks(lanes)) {
            for &v in x.iter().chain(y) {
                let (below, above) = (terms.cmp(BvCmp::Slt, v, least), terms.cmp(BvCmp::Slt, most, v));
                let within = terms.ite(above, most, v);
                let nearest = terms.ite(below, least, within);
                vals.push(terms.extract(half - 1, 0, nearest));
            }
        }
        vals
    }

    /// For each two elements, the sum of their products with those of the other vector, in twice the width.
    fn sums_of_products(&mut self, a: &Vals, b: &Vals) -> Vals {
        let terms = self.terms();
        let wide = 2 * terms.width(a[0]);
        let products: Vec<Term> = a
            .iter()
            .zip(b)
            .map(|(&x, &y)| {
                let (x, y) = (terms.sext(wide, x), terms.sext(wide, y));
                terms.bv_op(BvOp::Mul, x, y)
            })
            .collect();
        products.chunks(2).map(|pair| pair.iter().skip(1).fold(pair[0], |sum, &p| terms.add(sum, p))).collect()
    }

    /// For each eight bytes, the sum of the absolute differences to those of the other vector, in 64 bits.
    fn sums_of_differences(&mut self, a: &Vals, b: &Vals) -> Vals {
        let terms = self.terms();
        let differences: Vec<Term> = a
            .iter()
            .zip(b)
            .map(|(&x, &y)| {
                let less = terms.cmp(BvCmp::Ult, x, y);
                let (up, down) = (terms.bv_op(BvOp::Sub, y, x), terms.bv_op(BvOp::Sub, x, y));
                let distance = terms.ite(less, up, down);
                terms.zext(64, distance)
            })
            .collect();
        let zero = terms.int(64, 0);
        differences.chunks(8).map(|part| part.iter().fold(zero, |sum, &d| terms.add(sum, d))).collect()
    }
}
