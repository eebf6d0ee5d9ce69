//! Comparisons with constants as intervals of one term.
//!
//! `x + 3 < 7`, whether signed or unsigned, possibly on extended numbers, says that `x` lies in some intervals modulo
//! 2^width. Unsigned, for 8 bits, this is one interval, which wraps around: from 253 to 3.

use cfa::bv::{BvCmp, BvOp};
use cfa::term::Kind;
use cfa::{Sort, Term, Terms};
use smallvec::{SmallVec, smallvec};

/// Maximum number of operators that are undone.
const DEPTH: usize = 16;

/// The numbers from the first to the last; if the first is greater, all numbers that are not strictly between the two.
pub(crate) type Interval = (u64, u64);

/// The meaning of a comparison for a term.
#[derive(Debug)]
pub(crate) struct Membership {
    /// A term of at most 64 bits.
    pub(crate) of: Term,
    width: u32,
    /// The term lies in one of these.
    pub(crate) intervals: SmallVec<[Interval; 2]>,
}

/// The greatest number of `width` bits.
fn greatest(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The meaning of `t`, if it compares a term with a constant.
pub(crate) fn membership(terms: &Terms, t: Term) -> Option<Membership> {
    let (Kind::Cmp(cmp), &[a, b]) = (terms.kind(t), terms.args(t)) else { return None };
    let Sort::Bv(width @ 1..=64) = terms.sort(a) else { return None };
    let constant = |t: Term| terms.as_bv(t).and_then(|k| k.to_u64());
    let (of, k, above) = match (constant(a), constant(b)) {
        (None, Some(k)) => (a, k, false),
        (Some(k), None) => (b, k, true),
        _ => return None,
    };
    let max = greatest(width);
    let (least, most) = match cmp {
        BvCmp::Ult | BvCmp::Ule => (0, max),
        BvCmp::Slt | BvCmp::Sle => ((max >> 1) + 1, max >> 1),
    };
    let strict = matches!(cmp, BvCmp::Ult | BvCmp::Slt);
    let intervals = match (above, strict) {
        (false, true) if k == least => smallvec![],
        (true, true) if k == most => smallvec![],
        (false, true) => smallvec![(least, k.wrapping_sub(1) & max)],
        (false, false) => smallvec![(least, k)],
        (true, true) => smallvec![(k.wrapping_add(1) & max, most)],
        (true, false) => smallvec![(k, most)],
    };
    let mut said = Membership { of, width, intervals };
    for _ in 0..DEPTH {
        if !said.step(terms) {
            break;
        }
    }
    Some(said)
}

impl Membership {
    /// Undoes one operator of the term, if it can be undone.
    fn step(&mut self, terms: &Terms) -> bool {
        let args = terms.args(self.of);
        let max = greatest(self.width);
        let constant = |t: Term| terms.as_bv(t).and_then(|k| k.to_u64());
        match terms.kind(self.of) {
            Kind::Bv(op @ (BvOp::Add | BvOp::Sub)) => match (constant(args[0]), constant(args[1])) {
                (None, Some(k)) => {
                    let by = if op == BvOp::Add { k.wrapping_neg() } else { k };
                    self.each(args[0], |(l, h)| (l.wrapping_add(by) & max, h.wrapping_add(by) & max));
                }
                (Some(k), None) if op == BvOp::Add => {
                    self.each(args[1], |(l, h)| (l.wrapping_sub(k) & max, h.wrapping_sub(k) & max));
                }
                (Some(k), None) => {
                    self.each(args[1], |(l, h)| (k.wrapping_sub(h) & max, k.wrapping_sub(l) & max));
                }
                _ => return false,
            },
            Kind::BvNeg => self.each(args[0], |(l, h)| (h.wrapping_neg() & max, l.wrapping_neg() & max)),
            Kind::BvNot => self.each(args[0], |(l, h)| (!h & max, !l & max)),
            kind @ (Kind::Zext | Kind::Sext) => {
                let width = terms.width(args[0]);
                let most = greatest(width);
                // Where the extended numbers begin, such that they form one interval.
                let begin = if kind == Kind::Sext { (most >> 1).wrapping_neg().wrapping_sub(1) & max } else { 0 };
                let wide = std::mem::take(&mut self.intervals);
                for (l, h) in wide {
                    let [l, h] = [l, h].map(|n| n.wrapping_sub(begin) & max);
                    let parts: &[Interval] = if l <= h { &[(l, h)] } else { &[(0, h), (l, max)] };
                    let inside = parts.iter().filter(|p| p.0 <= most).map(|p| (p.0, p.1.min(most)));
                    self.intervals.extend(inside.map(|(l, h)| {
                        let [l, h] = [l, h].map(|n| n.wrapping_add(begin) & most);
                        (l, h)
                    }));
                }
                (self.of, self.width) = (args[0], width);
            }
            _ => return false,
        }
        true
    }

    fn each(&mut self, of: Term, f: impl Fn(Interval) -> Interval) {
        self.of = of;
        self.intervals.iter_mut().for_each(|i| *i = f(*i));
    }
}
