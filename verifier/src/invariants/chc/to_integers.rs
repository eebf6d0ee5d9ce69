//! Translates terms over machine integers to expressions over integers: overflow is ignored, and nonlinear operations have arbitrary
//! results.
//!
//! A bit-vector is interpreted as a signed number, or as unsigned if it contains an unsigned symbol; a single bit is a truth value.

use cfa::bv::{Bv, BvCmp, BvOp};
use cfa::term::Kind;
use cfa::{Sort, SymId, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::horn::{self, Expr, Node, System, Var};

/// Maximum width of a variable whose range is added as a fact.
const NARROW_BITS: u32 = 16;
/// Maximum width of bit-vectors that are translated; wider ones have arbitrary values.
const MAX_BITS: u32 = 100;

/// The expressions of terms, as part of a system of clauses.
pub(super) struct Integers {
    /// The system that contains the expressions.
    pub(super) system: System,
    unsigned: FxHashSet<SymId>,
    values: FxHashMap<Term, Expr>,
    /// For each term, whether it is interpreted as an unsigned number.
    readings: FxHashMap<Term, bool>,
    /// The facts about each variable.
    known: FxHashMap<Expr, Vec<Expr>>,
    n_vars: u32,
}

impl Integers {
    /// No expressions yet; `unsigned` are the symbols that represent unsigned numbers.
    pub(super) fn new(unsigned: FxHashSet<SymId>) -> Integers {
        let (values, readings, known) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        Integers { system: System::default(), unsigned, values, readings, known, n_vars: 0 }
    }

    /// The expression of `t`, a Bool or a bit-vector.
    pub(super) fn value(&mut self, terms: &Terms, t: Term) -> Expr {
        let is_done = |u: Term| self.values.contains_key(&u) || matches!(terms.sort(u), Sort::Array { .. });
        for u in terms.subterms(&[t], is_done) {
            let is_unsigned = match terms.kind(u) {
                Kind::Sym(s) => self.unsigned.contains(&s),
                Kind::Bv(BvOp::Add | BvOp::Sub | BvOp::Mul) | Kind::BvNeg => self.any_unsigned(terms.args(u)),
                Kind::Bv(_) => self.any_unsigned(&terms.args(u)[..1]),
                Kind::Ite => self.any_unsigned(&terms.args(u)[1..]),
                Kind::Zext => true,
                _ => false,
            };
            self.readings.insert(u, is_unsigned);
            let e = match terms.sort(u) {
                Sort::Bool => self.truth(terms, u),
                Sort::Bv(1) => self.bit(terms, u),
                Sort::Bv(w) if w <= MAX_BITS => self.number(terms, u),
                _ => None,
            };
            let e = e.unwrap_or_else(|| self.arbitrary(terms, u));
            self.values.insert(u, e);
        }
        self.values[&t]
    }

    /// The facts about the variables that occur in `roots`.
    pub(super) fn facts(&self, roots: &[Expr]) -> Vec<Expr> {
        let all = self.system.exprs.reachable(roots);
        all.iter().filter_map(|e| self.known.get(e)).flatten().copied().collect()
    }

    fn any_unsigned(&self, all: &[Term]) -> bool {
        all.iter().any(|t| self.readings.get(t) == Some(&true))
    }

    fn add(&mut self, node: Node) -> Expr {
        self.system.exprs.add(node)
    }

    fn int(&mut self, k: i128) -> Expr {
        self.add(Node::Int(k))
    }

    /// A variable for `t`. Its facts are the range of its sort if that is narrow, and that it is not negative if it is unsigned.
    fn arbitrary(&mut self, terms: &Terms, t: Term) -> Expr {
        let (sort, width) = match terms.sort(t) {
            Sort::Bool | Sort::Bv(1) => (horn::Sort::Bool, 1),
            Sort::Bv(w) => (horn::Sort::Int, w),
            // A memory, whose variable occurs in no clause.
            Sort::Array { .. } => (horn::Sort::Int, MAX_BITS),
        };
        let e = self.add(Node::Var(Var(self.n_vars), sort));
        self.n_vars += 1;
        if sort == horn::Sort::Int {
            let is_unsigned = self.any_unsigned(&[t]);
            let from = match (terms.kind(t), terms.args(t)) {
                (Kind::Zext, [a]) => terms.width(*a),
                _ => width,
            };
            let (low, high) = match is_unsigned {
                true => (0, 1i128 << from.min(MAX_BITS)),
                false => (-(1i128 << (from.min(MAX_BITS) - 1)), 1i128 << (from.min(MAX_BITS) - 1)),
            };
            let mut facts = Vec::new();
            if is_unsigned || from <= NARROW_BITS {
                let low = self.int(low);
                facts.push(self.add(Node::Le(low, e)));
            }
            if from <= NARROW_BITS {
                let high = self.int(high - 1);
                facts.push(self.add(Node::Le(e, high)));
            }
            self.known.insert(e, facts);
        }
        e
    }

    fn of(&self, t: Term) -> Expr {
        self.values[&t]
    }

    fn truth(&mut self, terms: &Terms, t: Term) -> Option<Expr> {
        let args = terms.args(t);
        let node = match (terms.kind(t), args) {
            (Kind::Bool(b), _) => Node::Bool(b),
            (Kind::Not, &[a]) => Node::Not(self.of(a)),
            (Kind::And, &[a, b]) => Node::And(vec![self.of(a), self.of(b)]),
            (Kind::Or, &[a, b]) => Node::Or(vec![self.of(a), self.of(b)]),
            (Kind::Ite, &[c, a, b]) => Node::Ite(self.of(c), self.of(a), self.of(b)),
            (Kind::Eq, &[a, b]) => match terms.sort(a) {
                Sort::Array { .. } => return None,
                Sort::Bv(w) if w > 1 => {
                    let is_unsigned = self.any_unsigned(args);
                    Node::Eq(self.read(terms, a, is_unsigned), self.read(terms, b, is_unsigned))
                }
                _ => Node::Eq(self.of(a), self.of(b)),
            },
            (Kind::Cmp(cmp), &[a, b]) if terms.width(a) > 1 => return Some(self.comparison(terms, cmp, a, b)),
            _ => return None,
        };
        Some(self.add(node))
    }

    /// The expression of `t`; a constant is read with the given signedness.
    fn read(&mut self, terms: &Terms, t: Term, is_unsigned: bool) -> Expr {
        match terms.as_bv(t) {
            Some(k) if is_unsigned && k.width() <= MAX_BITS => self.int(k.to_u128() as i128),
            _ => self.of(t),
        }
    }

    fn comparison(&mut self, terms: &Terms, cmp: BvCmp, a: Term, b: Term) -> Expr {
        let unsigned_operands = self.any_unsigned(&[a, b]);
        let is_strict = matches!(cmp, BvCmp::Slt | BvCmp::Ult);
        let below = |this: &mut Self, a: Expr, b: Expr| match is_strict {
            true => {
                let le = this.add(Node::Le(b, a));
                this.add(Node::Not(le))
            }
            false => this.add(Node::Le(a, b)),
        };
        let (x, y) = (self.read(terms, a, unsigned_operands), self.read(terms, b, unsigned_operands));
        let usual = below(self, x, y);
        if unsigned_operands || matches!(cmp, BvCmp::Slt | BvCmp::Sle) {
            return usual;
        }
        // As unsigned numbers, negative ones are greater than the others.
        let zero = self.int(0);
        let (x_fits, y_fits) = (self.add(Node::Le(zero, x)), self.add(Node::Le(zero, y)));
        let same = self.add(Node::Eq(x_fits, y_fits));
        self.add(Node::Ite(same, usual, x_fits))
    }

    fn bit(&mut self, terms: &Terms, t: Term) -> Option<Expr> {
        let node = match (terms.kind(t), terms.args(t)) {
            (Kind::Const(k), _) => Node::Bool(k == 1),
            (Kind::Ite, &[c, a, b]) => Node::Ite(self.of(c), self.of(a), self.of(b)),
            (Kind::BvNot, &[a]) => Node::Not(self.of(a)),
            (Kind::Bv(BvOp::And | BvOp::Mul), &[a, b]) => Node::And(vec![self.of(a), self.of(b)]),
            (Kind::Bv(BvOp::Or), &[a, b]) => Node::Or(vec![self.of(a), self.of(b)]),
            (Kind::Bv(BvOp::Xor | BvOp::Add | BvOp::Sub), &[a, b]) => {
                let same = self.add(Node::Eq(self.of(a), self.of(b)));
                Node::Not(same)
            }
            (Kind::Extract { hi: 0, .. }, &[a]) if terms.width(a) <= MAX_BITS => {
                let low = self.add(Node::Mod(self.of(a), 2));
                let one = self.int(1);
                Node::Eq(low, one)
            }
            _ => return None,
        };
        Some(self.add(node))
    }

    fn number(&mut self, terms: &Terms, t: Term) -> Option<Expr> {
        let width = terms.width(t);
        if let Some(k) = terms.as_bv(t) {
            return Some(self.int(signed(&k)));
        }
        let node = match (terms.kind(t), terms.args(t)) {
            (Kind::Ite, &[c, a, b]) => Node::Ite(self.of(c), self.of(a), self.of(b)),
            (Kind::BvNeg, &[a]) => Node::Scale(-1, self.of(a)),
            (Kind::BvNot, &[a]) => {
                let (negative, one) = (self.add(Node::Scale(-1, self.of(a))), self.int(-1));
                Node::Add(vec![negative, one])
            }
            (Kind::Zext | Kind::Sext, &[a]) if terms.width(a) == 1 => {
                let one = self.int(if terms.kind(t) == Kind::Zext { 1 } else { -1 });
                let zero = self.int(0);
                Node::Ite(self.of(a), one, zero)
            }
            (Kind::Sext, &[a]) => return Some(self.of(a)),
            (Kind::Zext, &[a]) if self.any_unsigned(&[a]) => return Some(self.of(a)),
            (Kind::Zext, &[a]) if is_linear(terms.kind(a)) => {
                let (x, zero) = (self.of(a), self.int(0));
                let (fits, turn) = (self.add(Node::Le(zero, x)), self.int(1i128 << terms.width(a)));
                let wrapped = self.add(Node::Add(vec![x, turn]));
                Node::Ite(fits, x, wrapped)
            }
            // Truncation keeps the number, unless only a few bits are left, which are taken modulo a power of two.
            (Kind::Extract { lo: 0, .. }, &[a]) if terms.width(a) > MAX_BITS => return None,
            (Kind::Extract { hi, lo: 0 }, &[a]) if hi < 7 => Node::Mod(self.of(a), 1 << width),
            (Kind::Extract { lo: 0, .. }, &[a]) => return Some(self.of(a)),
            (Kind::Bv(op), &[a, b]) => return self.operation(terms, op, a, b),
            _ => return None,
        };
        Some(self.add(node))
    }

    fn operation(&mut self, terms: &Terms, op: BvOp, a: Term, b: Term) -> Option<Expr> {
        let (x, y) = (self.of(a), self.of(b));
        let by = terms.as_bv(b).map(|k| signed(&k));
        let power = |k: i128| (0..64).contains(&k).then(|| 1i128 << k);
        let node = match (op, by) {
            (BvOp::Add, _) => Node::Add(vec![x, y]),
            (BvOp::Sub, _) => {
                let negative = self.add(Node::Scale(-1, y));
                Node::Add(vec![x, negative])
            }
            (BvOp::Mul, Some(k)) => Node::Scale(k, x),
            (BvOp::Mul, None) => Node::Scale(signed(&terms.as_bv(a)?), y),
            (BvOp::Shl, Some(k)) => Node::Scale(power(k)?, x),
            (BvOp::Lshr | BvOp::Ashr, Some(k)) => Node::Div(x, power(k)?),
            (BvOp::Udiv, Some(k)) if k > 0 => Node::Div(x, k),
            (BvOp::Urem, Some(k)) if k > 0 => Node::Mod(x, k),
            (BvOp::Sdiv | BvOp::Srem, Some(k)) if k > 0 => return Some(self.division(op, x, k)),
            (BvOp::And, Some(k)) if k > 0 && (k + 1).count_ones() == 1 => Node::Mod(x, k + 1),
            _ => return None,
        };
        Some(self.add(node))
    }

    /// The quotient or the remainder, rounded towards zero.
    fn division(&mut self, op: BvOp, x: Expr, k: i128) -> Expr {
        let node = |x| if op == BvOp::Sdiv { Node::Div(x, k) } else { Node::Mod(x, k) };
        let (zero, mirror) = (self.int(0), self.add(Node::Scale(-1, x)));
        let is_negative = self.add(Node::Le(x, zero));
        let (up, down) = (self.add(node(x)), self.add(node(mirror)));
        let down = self.add(Node::Scale(-1, down));
        self.add(Node::Ite(is_negative, down, up))
    }
}

/// Whether a term of this kind is translated to more than an arbitrary value.
fn is_linear(kind: Kind) -> bool {
    !matches!(kind, Kind::Read | Kind::Float(..) | Kind::Concat | Kind::Bv(BvOp::Or | BvOp::Xor))
}

/// The value of `k`, of at most [`MAX_BITS`] bits, as a signed number.
fn signed(k: &Bv) -> i128 {
    let value = k.to_u128() as i128;
    if k.sign() { value - (1i128 << k.width()) } else { value }
}
