//! The points-to sets of terms, computed from the claims for variables and contents.

use super::{CARRYING_BITS, Check, Flow};
use cfa::Cfa;
use cfa::bv::BvOp;
use cfa::offset::{Offset, Pointee};
use cfa::pointers::SetId;
use cfa::term::{Kind, Sort, Term};
use rustc_hash::FxHashSet;

/// Maximum depth to which terms are examined for low bits that are zero.
const ZEROS_DEPTH: u32 = 8;

impl Check<'_> {
    /// The points-to set of the value of `t`.
    pub(super) fn value(&mut self, t: Term) -> SetId {
        if let Some(known) = self.values.get(&t) {
            return *known;
        }
        // Arguments have smaller ids than their users.
        let missing = self.cfa.terms.subterms(&[t], |u| self.values.contains_key(&u));
        for u in missing {
            let s = match self.cfa.terms.sort(u) {
                Sort::Bv(w) if w >= CARRYING_BITS => self.computed(u, w),
                _ => 0,
            };
            self.values.insert(u, s);
        }
        self.values[&t]
    }

    /// The points-to set of `t`, given those of its arguments.
    fn computed(&mut self, t: Term, width: u32) -> SetId {
        let cfa = self.cfa;
        let args = cfa.terms.args(t);
        let of = |check: &Self, a: Term| check.values.get(&a).copied().unwrap_or(0);
        let is_address = width == cfa.pointer_bits;
        match cfa.terms.kind(t) {
            Kind::Var(v) => self.claims.of_var(v),
            Kind::Addr(o) if Some(o) == self.outside => self.outside_set(),
            Kind::Addr(o) => self.set(vec![(o, Offset::exact(0))]),
            Kind::Bv(BvOp::Add) if is_address => {
                let (a, b) = (args[0], args[1]);
                let (sa, sb) = (of(self, a), of(self, b));
                let plus = cfa.terms.as_bv(b).and_then(|k| k.sext(64.max(width)).to_u64());
                let flow = plus.map_or_else(|| self.multiple_of(b), |k| Flow::Plus(k as i64));
                let (sa, sb) = (self.flow(sa, flow), self.flow(sb, self.multiple_of(a)));
                self.union([sa, sb])
            }
            Kind::Bv(BvOp::Sub) if is_address => {
                let (sa, sb) = (of(self, args[0]), of(self, args[1]));
                if !self.difference_carries(sa, sb) {
                    return 0;
                }
                // The distance of two objects is the address of neither.
                let by =
                    if self.is_address(sa) && self.is_address(sb) { Flow::Part } else { self.multiple_of(args[1]) };
                let (sa, sb) = (self.flow(sa, by), self.flow(sb, Flow::Part));
                self.union([sa, sb])
            }
            Kind::Ite => {
                let flow = if is_address { Flow::Plain } else { Flow::Part };
                let (a, b) = (of(self, args[1]), of(self, args[2]));
                let (a, b) = (self.flow(a, flow), self.flow(b, flow));
                self.union([a, b])
            }
            Kind::Read => {
                let mut parts = Vec::new();
                for base in bases(cfa, args[0]) {
                    match cfa.terms.kind(base) {
                        Kind::Var(v) if Some(v) == self.memory => {
                            let held = self.read(of(self, args[1]), 0, Some(u64::from(width.div_ceil(8))));
                            parts.push(self.flow(held, if is_address { Flow::Plain } else { Flow::Part }));
                        }
                        Kind::Var(v) => parts.push(self.flow(self.claims.of_var(v), Flow::Part)),
                        Kind::ConstArray => parts.push(self.flow(of(self, cfa.terms.args(base)[0]), Flow::Part)),
                        _ => {}
                    }
                }
                self.union(parts)
            }
            Kind::Concat => {
                let (a, b) = (of(self, args[0]), of(self, args[1]));
                let (a, b) = (self.flow(a, Flow::Part), self.flow(b, Flow::Part));
                self.union([a, b])
            }
            Kind::Extract { .. } | Kind::Zext | Kind::Sext
                if width.min(cfa.terms.width(args[0])) >= cfa.pointer_bits =>
            {
                self.flow(of(self, args[0]), Flow::Part)
            }
            Kind::Bv(_) | Kind::BvNot | Kind::BvNeg | Kind::Extract { .. } | Kind::Zext | Kind::Sext => {
                let parts: Vec<SetId> = args.iter().map(|a| of(self, *a)).collect();
                let parts: Vec<SetId> = parts.into_iter().map(|s| self.flow(s, Flow::Computed)).collect();
                self.union(parts)
            }
            _ => 0,
        }
    }

    /// Whether a value may be an address.
    pub(super) fn is_address(&self, s: SetId) -> bool {
        !self.sets[s as usize].is_empty()
    }

    /// Whether a value may be the address of an object of the program.
    pub(super) fn points_inside(&self, s: SetId) -> bool {
        self.sets[s as usize].iter().any(|p| Some(p.0) != self.outside)
    }

    /// Whether the difference of two values leads to an object. It does not if both can only point into one object.
    pub(super) fn difference_carries(&self, a: SetId, b: SetId) -> bool {
        let (a, b) = (self.sets[a as usize].as_slice(), self.sets[b as usize].as_slice());
        let is_inside = |p: &&Pointee| Some(p.0) != self.outside;
        match (a.iter().find(is_inside), b.iter().find(is_inside)) {
            (None, None) => false,
            (None, _) | (_, None) => true,
            (Some(x), Some(_)) => a.iter().chain(b).any(|p| p.0 != x.0 || p.1.is_mangled()),
        }
    }

    /// How a pointee changes when `t`, a number, is added.
    fn multiple_of(&self, t: Term) -> Flow {
        Flow::Multiple(self.zeros(t, 0))
    }

    /// The number of low bits of `t` that are certainly zero.
    fn zeros(&self, t: Term, depth: u32) -> u8 {
        let terms = &self.cfa.terms;
        if depth > ZEROS_DEPTH {
            return 0;
        }
        if let Some(v) = terms.as_bv(t) {
            return v.to_u64().map_or(0, |v| v.trailing_zeros() as u8);
        }
        let args = terms.args(t);
        let of = |i: usize| self.zeros(args[i], depth + 1);
        match terms.kind(t) {
            // The outside lies at address 0.
            Kind::Addr(o) if Some(o) == self.outside => 64,
            Kind::Bv(BvOp::Mul) => (of(0) + of(1)).min(64),
            Kind::Bv(BvOp::And) => of(0).max(of(1)),
            Kind::Bv(BvOp::Add | BvOp::Sub | BvOp::Or | BvOp::Xor) => of(0).min(of(1)),
            Kind::Bv(BvOp::Shl) | Kind::BvNeg | Kind::Zext | Kind::Sext | Kind::Extract { lo: 0, .. } => of(0),
            Kind::Ite => of(1).min(of(2)),
            Kind::Concat => {
                let (low, width) = (of(1), terms.width(args[1]).min(64) as u8);
                if low >= width { (width + of(0)).min(64) } else { low }
            }
            _ => 0,
        }
    }
}

/// The variables and constant arrays at the base of a memory term.
pub(super) fn bases(cfa: &Cfa, memory: Term) -> Vec<Term> {
    let (mut stack, mut seen, mut found) = (vec![memory], FxHashSet::default(), Vec::new());
    while let Some(m) = stack.pop() {
        if !seen.insert(m) {
            continue;
        }
        match cfa.terms.kind(m) {
            Kind::Write | Kind::Copy => stack.push(cfa.terms.args(m)[0]),
            Kind::Ite => stack.extend(&cfa.terms.args(m)[1..]),
            _ => found.push(m),
        }
    }
    found
}
