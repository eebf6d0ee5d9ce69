//! Translates formulas over integers back to conditions on the machine integers of the program.
//!
//! Sums are computed on numbers extended to as many bits as are needed to avoid overflow, so that a condition means exactly what the
//! formula says about the variables. A formula about a single sum may also hold as an equation modulo 2^w, for variables of w bits, which
//! yields one more candidate.

use cfa::bv::{Bv, BvCmp};
use cfa::{Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use smt::horn::{Expr, Exprs, Node};
use std::collections::BTreeMap;

/// Maximum width of a sum, in bits.
const MAX_BITS: u32 = 90;

/// The variable that an argument of a relation represents.
#[derive(Clone, Copy)]
pub(super) struct Argument {
    pub(super) var: VarId,
    pub(super) width: u32,
    /// Whether it is interpreted as an unsigned number.
    pub(super) is_unsigned: bool,
}

/// Makes conditions from formulas over `arguments`.
pub(super) struct Machine<'a> {
    terms: &'a mut Terms,
    exprs: &'a Exprs,
    arguments: &'a [Argument],
    conditions: FxHashMap<Expr, Option<Term>>,
}

/// A number in a sum, and whether it is unsigned.
type Number = (Term, bool);

/// A linear combination: numbers with their coefficients, none of which is zero, and a constant.
#[derive(Clone, Default)]
struct Sum {
    of: BTreeMap<Number, i128>,
    constant: i128,
}

impl Sum {
    /// Adds `k` times `other`; `None` if a coefficient is too large.
    fn add(&mut self, other: &Sum, k: i128) -> Option<()> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(k)?)?;
        for (&number, c) in &other.of {
            let coefficient = self.of.entry(number).or_default();
            *coefficient = coefficient.checked_add(c.checked_mul(k)?)?;
        }
        self.of.retain(|_, c| *c != 0);
        Some(())
    }
}

impl<'a> Machine<'a> {
    pub(super) fn new(terms: &'a mut Terms, exprs: &'a Exprs, arguments: &'a [Argument]) -> Machine<'a> {
        Machine { terms, exprs, arguments, conditions: FxHashMap::default() }
    }

    /// The conditions that `formula` suggests: the formula itself, if it can be expressed, and an equation.
    pub(super) fn candidates(&mut self, formula: Expr) -> Vec<Term> {
        let mut found: Vec<Term> = self.condition(formula).into_iter().collect();
        let atom = match self.exprs.node(formula) {
            Node::Not(a) => *a,
            _ => formula,
        };
        if let Node::Le(a, b) | Node::Eq(a, b) = self.exprs.node(atom)
            && let Some(sum) = self.difference(*a, *b)
        {
            // The negation of a <= b is a >= b + 1.
            let off = i128::from(atom != formula && matches!(self.exprs.node(atom), Node::Le(..)));
            found.extend(self.equation(&Sum { constant: sum.constant - off, ..sum }));
        }
        found.retain(|t| self.terms.as_bool(*t).is_none());
        found
    }

    fn condition(&mut self, e: Expr) -> Option<Term> {
        if let Some(&known) = self.conditions.get(&e) {
            return known;
        }
        let made = self.make_condition(e);
        self.conditions.insert(e, made);
        made
    }

    fn make_condition(&mut self, e: Expr) -> Option<Term> {
        Some(match self.exprs.node(e) {
            Node::Bool(b) => self.terms.bool(*b),
            Node::Var(v, _) => {
                let Argument { var, width: 1, .. } = *self.arguments.get(v.0 as usize)? else { return None };
                let bit = self.terms.var(var, Sort::Bv(1));
                self.terms.nonzero(bit)
            }
            Node::Not(a) => {
                let a = self.condition(*a)?;
                self.terms.not(a)
            }
            Node::And(all) => {
                let all = all.iter().map(|a| self.condition(*a)).collect::<Option<Vec<Term>>>()?;
                self.terms.and_all(all)
            }
            Node::Or(all) => {
                let all = all.iter().map(|a| self.condition(*a)).collect::<Option<Vec<Term>>>()?;
                self.terms.or_all(all)
            }
            Node::Ite(c, a, b) => {
                let (c, a, b) = (self.condition(*c)?, self.condition(*a)?, self.condition(*b)?);
                self.terms.ite(c, a, b)
            }
            Node::Le(a, b) => {
                let sum = self.difference(*a, *b)?;
                self.at_most_zero(&sum)?
            }
            Node::Eq(a, b) => match self.difference(*a, *b) {
                Some(sum) => {
                    let mirror = Sum { of: sum.of.iter().map(|(n, c)| (*n, -c)).collect(), constant: -sum.constant };
                    let (below, above) = (self.at_most_zero(&sum)?, self.at_most_zero(&mirror)?);
                    self.terms.and(below, above)
                }
                None => {
                    let (a, b) = (self.condition(*a)?, self.condition(*b)?);
                    self.terms.eq(a, b)
                }
            },
            Node::Int(_) | Node::Add(_) | Node::Scale(..) | Node::Div(..) | Node::Mod(..) => return None,
        })
    }

    fn difference(&mut self, a: Expr, b: Expr) -> Option<Sum> {
        let (mut sum, b) = (self.sum(a)?, self.sum(b)?);
        sum.add(&b, -1)?;
        Some(sum)
    }

    fn sum(&mut self, e: Expr) -> Option<Sum> {
        let mut sum = Sum::default();
        match self.exprs.node(e) {
            Node::Int(k) => sum.constant = *k,
            Node::Var(v, _) => {
                let Argument { var, width, is_unsigned } = *self.arguments.get(v.0 as usize)?;
                if width == 1 {
                    return None;
                }
                sum.of.insert((self.terms.var(var, Sort::Bv(width)), is_unsigned), 1);
            }
            Node::Add(all) => {
                for a in all {
                    let a = self.sum(*a)?;
                    sum.add(&a, 1)?;
                }
            }
            Node::Scale(k, a) => {
                let a = self.sum(*a)?;
                sum.add(&a, *k)?;
            }
            Node::Mod(a, k) if k.count_ones() == 1 => {
                let (a, bits) = (self.sum(*a)?, k.trailing_zeros());
                let width = a.of.keys().map(|(t, _)| self.terms.width(*t)).max()?;
                if bits == 0 || bits > width {
                    return None;
                }
                let all = self.modular(&a, width);
                sum.of.insert((self.terms.extract(bits - 1, 0, all), true), 1);
            }
            _ => return None,
        }
        Some(sum)
    }

    /// The sum modulo 2^`width`.
    fn modular(&mut self, sum: &Sum, width: u32) -> Term {
        let constant = |terms: &mut Terms, k: i128| terms.constant(&Bv::from_u128(width, k as u128));
        let mut all = constant(self.terms, sum.constant);
        for (&(t, is_unsigned), &c) in &sum.of {
            let t = match self.terms.width(t) {
                w if w > width => self.terms.extract(width - 1, 0, t),
                _ if is_unsigned => self.terms.zext(width, t),
                _ => self.terms.sext(width, t),
            };
            let c = constant(self.terms, c);
            let product = self.terms.bv_op(cfa::bv::BvOp::Mul, c, t);
            all = self.terms.add(all, product);
        }
        all
    }

    /// The condition that the sum is zero modulo 2^w, where w is the width of its widest number.
    fn equation(&mut self, sum: &Sum) -> Option<Term> {
        let width = sum.of.keys().map(|(t, _)| self.terms.width(*t)).max()?;
        let (left, right) = split(sum);
        let (left, right) = (self.modular(&left, width), self.modular(&right, width));
        Some(self.terms.eq(left, right))
    }

    /// The condition that the sum is at most zero.
    fn at_most_zero(&mut self, sum: &Sum) -> Option<Term> {
        let numbers: Vec<(Number, i128)> = sum.of.iter().map(|(n, c)| (*n, *c)).collect();
        match numbers[..] {
            [] => Some(self.terms.bool(sum.constant <= 0)),
            [((t, is_unsigned), c)] => self.bound(t, is_unsigned, c, sum.constant),
            [((a, x), 1), ((b, y), -1)] if x == y && self.terms.width(a) == self.terms.width(b) => {
                self.order(a, b, x, sum)
            }
            [((b, y), -1), ((a, x), 1)] if x == y && self.terms.width(a) == self.terms.width(b) => {
                self.order(a, b, x, sum)
            }
            _ => self.wide(sum),
        }
    }

    /// The condition that `a - b` plus the constant of the sum is at most zero.
    fn order(&mut self, a: Term, b: Term, is_unsigned: bool, sum: &Sum) -> Option<Term> {
        let cmp = match (sum.constant, is_unsigned) {
            (0, false) => BvCmp::Sle,
            (0, true) => BvCmp::Ule,
            (1, false) => BvCmp::Slt,
            (1, true) => BvCmp::Ult,
            _ => return self.wide(sum),
        };
        Some(self.terms.cmp(cmp, a, b))
    }

    /// The condition that `c` times `t` is at most `-k`.
    fn bound(&mut self, t: Term, is_unsigned: bool, c: i128, k: i128) -> Option<Term> {
        let width = self.terms.width(t);
        let bits = if is_unsigned { width } else { width - 1 };
        let (low, high) = (if is_unsigned { 0 } else { -(1i128 << bits) }, (1i128 << bits) - 1);
        // An upper bound if `c` is positive, otherwise a lower bound.
        let limit = if c > 0 { (-k).div_euclid(c) } else { -((-k).div_euclid(-c)) };
        if limit < low || limit > high {
            return Some(self.terms.bool((limit > high) == (c > 0)));
        }
        let limit = self.terms.constant(&Bv::from_u128(width, limit as u128));
        let cmp = if is_unsigned { BvCmp::Ule } else { BvCmp::Sle };
        Some(if c > 0 { self.terms.cmp(cmp, t, limit) } else { self.terms.cmp(cmp, limit, t) })
    }

    /// The condition that the sum is at most zero, computed in as many bits as are needed.
    fn wide(&mut self, sum: &Sum) -> Option<Term> {
        let mut most = sum.constant.unsigned_abs();
        for ((t, _), c) in &sum.of {
            let largest = 1u128.checked_shl(self.terms.width(*t))?;
            most = most.checked_add(c.unsigned_abs().checked_mul(largest)?)?;
        }
        // One more bit for the sign.
        let width = 129 - most.leading_zeros();
        if width > MAX_BITS {
            return None;
        }
        let (left, right) = split(sum);
        let (left, right) = (self.modular(&left, width), self.modular(&right, width));
        Some(self.terms.cmp(BvCmp::Sle, left, right))
    }
}

/// The positive summands, and the negative ones negated.
fn split(sum: &Sum) -> (Sum, Sum) {
    let of = |sign: i128| Sum {
        of: sum.of.iter().filter(|(_, c)| **c * sign > 0).map(|(n, c)| (*n, c * sign)).collect(),
        constant: (sum.constant * sign).max(0),
    };
    (of(1), of(-1))
}
