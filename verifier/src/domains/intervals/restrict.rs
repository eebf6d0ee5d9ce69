//! Restricts variables by a condition: backward through terms and definitions.
//!
//! Each subterm of a condition is restricted to the values with which the condition can hold, from the root to the leaves (HC4-revise:
//! Benhamou, Goualard, Granvilliers, Puget, ICLP 1999).

use crate::domains::intervals::Additions;
use crate::domains::intervals::bits::Bits;
use crate::domains::intervals::eval::Evaluator;
use crate::domains::intervals::ranges::{Ranges, greatest};
use crate::domains::intervals::relations::Orders;
use crate::domains::intervals::slots::Slot;
use crate::domains::intervals::state::State;
use crate::domains::intervals::value::Value;
use cfa::bv::{BvCmp, BvOp};
use cfa::term::Kind;
use cfa::{Sort, Term, Terms, VarId};

/// Maximum number of subterms visited.
const MAX_VISITS: u32 = 400;
/// Maximum nesting depth of alternatives that are explored.
const MAX_CHOICES: u32 = 4;

/// Restricts a state.
pub(super) struct Restriction<'a> {
    terms: &'a Terms,
    state: &'a mut State,
    tracks: &'a dyn Fn(VarId) -> bool,
    additions: Additions,
    visits: u32,
    choices: u32,
}

impl<'a> Restriction<'a> {
    /// A restriction of what `state` knows about the variables that are tracked, and of `additions`.
    pub(super) fn new(
        terms: &'a Terms,
        state: &'a mut State,
        tracks: &'a dyn Fn(VarId) -> bool,
        additions: Additions,
    ) -> Restriction<'a> {
        Restriction { terms, state, tracks, additions, visits: MAX_VISITS, choices: MAX_CHOICES }
    }

    fn eval(&self, t: Term) -> Option<Value> {
        Evaluator::new(self.terms, self.state).eval(t)
    }

    /// Assumes that `t`, which has sort Bool, has this truth value; `false` if that is impossible.
    pub(super) fn hold(&mut self, t: Term, truth: bool) -> bool {
        if self.visits == 0 {
            return true;
        }
        self.visits -= 1;
        let terms = self.terms;
        let args = terms.args(t);
        match terms.kind(t) {
            Kind::Not => self.hold(args[0], !truth),
            kind @ (Kind::And | Kind::Or) if (kind == Kind::And) == truth => {
                self.hold(args[0], truth) && self.hold(args[1], truth)
            }
            Kind::And | Kind::Or => self.either(|r| r.hold(args[0], truth), |r| r.hold(args[1], truth)),
            Kind::Ite => self.either(
                |r| r.hold(args[0], true) && r.hold(args[1], truth),
                |r| r.hold(args[0], false) && r.hold(args[2], truth),
            ),
            Kind::Eq if terms.sort(args[0]) == Sort::Bool => self.either(
                |r| r.hold(args[0], true) && r.hold(args[1], truth),
                |r| r.hold(args[0], false) && r.hold(args[1], !truth),
            ),
            Kind::Eq => self.equate(args[0], args[1], truth),
            Kind::Cmp(cmp) if truth => self.order(cmp, args[0], args[1]),
            Kind::Cmp(cmp) => {
                let opposite = match cmp {
                    BvCmp::Ult => BvCmp::Ule,
                    BvCmp::Ule => BvCmp::Ult,
                    BvCmp::Slt => BvCmp::Sle,
                    BvCmp::Sle => BvCmp::Slt,
                };
                self.order(opposite, args[1], args[0])
            }
            _ => self.restrict(t, &Value::of_bool(truth)),
        }
    }

    /// Assumes that at least one of two alternatives holds; `false` if both are impossible.
    fn either(&mut self, one: impl FnOnce(&mut Self) -> bool, other: impl FnOnce(&mut Self) -> bool) -> bool {
        if self.choices == 0 {
            return true;
        }
        self.choices -= 1;
        let before = self.state.clone();
        let is_one_possible = one(self);
        let after_one = std::mem::replace(self.state, before);
        let is_other_possible = other(self);
        self.choices += 1;
        match (is_one_possible, is_other_possible) {
            (true, true) => *self.state = after_one.union(self.state),
            (true, false) => *self.state = after_one,
            (false, possible) => return possible,
        }
        true
    }

    fn equate(&mut self, a: Term, b: Term, truth: bool) -> bool {
        let (Some(x), Some(y)) = (self.eval(a), self.eval(b)) else { return true };
        if !self.relate(a, b, if truth { Orders::EQUAL } else { Orders::UNEQUAL }) {
            return false;
        }
        if truth {
            let both = x.intersect(&y);
            return self.restrict(a, &both) && self.restrict(b, &both);
        }
        let other = |k: Option<u64>| k.map(|k| Value::of_ranges(Ranges::single(x.width(), k).complement()));
        other(y.as_single()).is_none_or(|others| self.restrict(a, &others))
            && other(x.as_single()).is_none_or(|others| self.restrict(b, &others))
    }

    /// Assumes that two numbers, if they are tracked variables, stand in these orders; `false` if that is impossible.
    fn relate(&mut self, a: Term, b: Term, orders: Orders) -> bool {
        let tracked = |t: Term| self.state.variable(self.terms, t).is_some_and(self.tracks);
        !(self.additions.relations && tracked(a) && tracked(b)) || self.state.relate(self.terms, a, b, orders)
    }

    fn order(&mut self, cmp: BvCmp, a: Term, b: Term) -> bool {
        let (Some(x), Some(y)) = (self.eval(a), self.eval(b)) else { return true };
        self.relate(a, b, Orders::of(cmp, true))
            && self.restrict(a, &Value::compared(cmp, &y, true))
            && self.restrict(b, &Value::compared(cmp, &x, false))
    }

    /// Assumes that the value of `t` is in `wanted`; `false` if that is impossible.
    pub(super) fn restrict(&mut self, t: Term, wanted: &Value) -> bool {
        let Some(before) = self.eval(t) else { return true };
        let value = before.intersect(wanted);
        if value.is_none() {
            return false;
        }
        if self.visits == 0 || value == before {
            return true;
        }
        self.visits -= 1;
        let terms = self.terms;
        let args = terms.args(t);
        match terms.kind(t) {
            Kind::Var(v) => self.variable(v, value),
            Kind::Read if self.additions.array_slots => {
                self.cell(args[0], args[1], value);
                true
            }
            Kind::Bv(op) => self.operator(op, args[0], args[1], &value),
            Kind::BvNot => self.restrict(args[0], &value.not()),
            Kind::BvNeg => self.restrict(args[0], &value.negate()),
            Kind::Zext => self.restrict(args[0], &value.zext_back(terms.width(args[0]))),
            Kind::Sext => self.restrict(args[0], &value.sext_back(terms.width(args[0]))),
            Kind::Extract { hi, lo } => self.extracted(args[0], hi, lo, &value),
            Kind::Concat => {
                let (width, low) = (value.width(), terms.width(args[1]));
                self.restrict(args[0], &value.extract(width - 1, low))
                    && self.restrict(args[1], &value.extract(low - 1, 0))
            }
            Kind::Ite => self.either(
                |r| r.hold(args[0], true) && r.restrict(args[1], &value),
                |r| r.hold(args[0], false) && r.restrict(args[2], &value),
            ),
            Kind::Not | Kind::And | Kind::Or | Kind::Eq | Kind::Cmp(_) => match value.as_bool() {
                Some(truth) => self.hold(t, truth),
                None => true,
            },
            _ => true,
        }
    }

    fn variable(&mut self, v: VarId, value: Value) -> bool {
        if (self.tracks)(v) {
            self.state.set_value(v, value.clone());
        }
        match self.state.definitions.get(&v) {
            Some(t) => {
                let t = *t;
                self.restrict(t, &value)
            }
            None => true,
        }
    }

    /// Assumes that the cell at `address` of the memory `m` has a value in `value`, if it can be a slot.
    fn cell(&mut self, m: Term, address: Term, value: Value) {
        let Kind::Var(memory) = self.terms.kind(m) else { return };
        let address = Evaluator::new(self.terms, self.state).address(address);
        if let Some(address) = address.filter(|_| (self.tracks)(memory)) {
            self.state.slots.set(Slot { memory, address, width: value.width() }, value);
        }
    }

    /// Assumes that the value of `a op b` is in `value`, which is smaller than the set of all its possible values.
    fn operator(&mut self, op: BvOp, a: Term, b: Term, value: &Value) -> bool {
        let (Some(x), Some(y)) = (self.eval(a), self.eval(b)) else { return true };
        let by = |op, x: &Value, y: &Value| Value::apply(op, x, y);
        let (left, right) = match op {
            BvOp::Add => (by(BvOp::Sub, value, &y), by(BvOp::Sub, value, &x)),
            BvOp::Sub => (by(BvOp::Add, value, &y), by(BvOp::Sub, &x, value)),
            BvOp::Xor => (by(BvOp::Xor, value, &y), by(BvOp::Xor, value, &x)),
            BvOp::And => (of_and(value, &y), of_and(value, &x)),
            // By De Morgan.
            BvOp::Or => (of_and(&value.not(), &y.not()).not(), of_and(&value.not(), &x.not()).not()),
            BvOp::Mul | BvOp::Udiv | BvOp::Shl | BvOp::Lshr => {
                let Some(k) = y.as_single() else { return true };
                return undone(op, &x, k, value).is_none_or(|x| self.restrict(a, &x));
            }
            BvOp::Urem | BvOp::Sdiv | BvOp::Srem | BvOp::Ashr => return true,
        };
        self.restrict(a, &left) && self.restrict(b, &right)
    }

    /// Assumes that bits `hi..=lo` of `t` are in `value`.
    fn extracted(&mut self, t: Term, hi: u32, lo: u32, value: &Value) -> bool {
        let Some(whole) = self.eval(t) else { return true };
        let width = whole.width();
        if lo == 0 {
            let narrow = Ranges::full(hi + 1);
            // If the other bits are only zeros, or copies of the sign, these bits determine the whole number.
            if whole.is_subset(&Value::of_ranges(narrow.clone()).zext(width)) {
                return self.restrict(t, &value.zext(width));
            }
            if whole.is_subset(&Value::of_ranges(narrow).sext(width)) {
                return self.restrict(t, &value.sext(width));
            }
        }
        let part = value.bits().shifted_left(lo);
        let rest = greatest(width) & !(greatest(hi - lo + 1) << lo);
        self.restrict(t, &Value::of_bits(width, Bits { value: part.value, unknown: part.unknown | rest }))
    }
}

/// The numbers whose bitwise and with a number in `other` can be in `value`.
fn of_and(value: &Value, other: &Value) -> Value {
    let (v, o) = (value.bits(), other.bits());
    // A one in the result is a one in both; a zero in the result is a zero here if the other number has a one there.
    let zeros = !v.value & !v.unknown & o.value;
    let known = (v.value | zeros) & greatest(value.width());
    Value::of_bits(value.width(), Bits { value: v.value, unknown: greatest(value.width()) & !known })
}

/// A superset of those numbers in `x` that `op` with `k` maps into `value`, as an interval.
fn undone(op: BvOp, x: &Value, k: u64, value: &Value) -> Option<Value> {
    let (width, most) = (value.width(), greatest(value.width()));
    let ((low, high), (_, largest)) = (value.ranges().bounds()?, x.ranges().bounds()?);
    let factor = match op {
        BvOp::Mul | BvOp::Udiv => k,
        _ => 1u64.checked_shl(u32::try_from(k).ok()?).filter(|_| k < u64::from(width))?,
    };
    if factor == 0 {
        return None;
    }
    let ranges = match op {
        // Only if the result cannot overflow.
        BvOp::Mul | BvOp::Shl => {
            largest.checked_mul(factor).filter(|product| *product <= most)?;
            Ranges::interval(width, low.div_ceil(factor), high / factor)
        }
        _ => {
            let low = low.checked_mul(factor).filter(|low| *low <= most)?;
            let high = high.checked_mul(factor).and_then(|high| high.checked_add(factor - 1));
            Ranges::interval(width, low, high.map_or(most, |high| high.min(most)))
        }
    };
    Some(Value::of_ranges(ranges))
}
