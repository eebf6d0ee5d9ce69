//! The values of terms as ranges.
//!
//! Terms are translated to expressions whose sorts are known to have ranges, so that evaluation need not look at sorts.

use cfa::bv::{BvCmp, BvOp};
use cfa::term::Kind;
use cfa::{Range, Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;

/// Maximum number of nodes of an expression, as a tree; terms with more may have any value.
const MAX_SIZE: u32 = 10_000;

/// Index of an expression.
pub(super) type ExprId = u32;

/// An expression over variables.
#[derive(Clone, Debug)]
enum Expr {
    Any(Range),
    Var(VarId),
    Not(ExprId),
    And(Box<[ExprId]>),
    Or(Box<[ExprId]>),
    Ite([ExprId; 3]),
    Equal([ExprId; 2]),
    Compare(BvCmp, [ExprId; 2], u32),
    Binary(BvOp, [ExprId; 2], u32),
    Complement(ExprId),
    Negate(ExprId, u32),
    Extract(ExprId, u32, u32),
    Concat { parts: [ExprId; 2], low_width: u32, width: u32 },
    ZeroExtend(ExprId, u32, u32),
}

/// The expressions of some terms.
#[derive(Default)]
pub(super) struct Expressions {
    all: Vec<Expr>,
    /// The expression of each term, and its size.
    of: FxHashMap<Term, (ExprId, u32)>,
}

impl Expressions {
    /// The expression of a term whose sort has ranges. Cost: linear in the number of subterms that have none yet.
    pub(super) fn of(&mut self, terms: &Terms, t: Term) -> ExprId {
        // Arguments first; terms may be too deep for recursion.
        let mut todo = vec![t];
        while let Some(&t) = todo.last() {
            if self.of.contains_key(&t) {
                todo.pop();
                continue;
            }
            let has_range = |t: &Term| Range::of_sort(terms.sort(*t)).is_some();
            let args = if terms.args(t).iter().all(has_range) { terms.args(t) } else { &[] };
            let missing: Vec<Term> = args.iter().copied().filter(|a| !self.of.contains_key(a)).collect();
            if missing.is_empty() {
                let size = args.iter().fold(1u32, |all, a| all.saturating_add(self.of[a].1));
                let any = Range::of_sort(terms.sort(t)).unwrap_or(Range::TRUTH);
                let is_whole = args.len() == terms.args(t).len() && size <= MAX_SIZE && has_range(&t);
                let expr = if is_whole { self.translate(terms, t) } else { None };
                let size = if expr.is_some() { size } else { 1 };
                self.all.push(expr.unwrap_or(Expr::Any(any)));
                self.of.insert(t, ((self.all.len() - 1) as ExprId, size));
                todo.pop();
            } else {
                todo.extend(missing);
            }
        }
        self.of[&t].0
    }

    /// The expression of a term whose arguments have theirs; `None` if it may have any value.
    fn translate(&self, terms: &Terms, t: Term) -> Option<Expr> {
        let args: Vec<ExprId> = terms.args(t).iter().map(|a| self.of[a].0).collect();
        let bits = |t: Term| match terms.sort(t) {
            Sort::Bv(width) => width,
            _ => 1,
        };
        let width_of = |i: usize| bits(terms.args(t)[i]);
        Some(match (terms.kind(t), &args[..]) {
            (Kind::Bool(b), []) => Expr::Any(Range::truth(Some(b))),
            (Kind::Const(_), []) => Expr::Any(Range::point(terms.as_bv(t)?.to_i64()?)),
            (Kind::Var(v), []) => Expr::Var(v),
            (Kind::Not, &[x]) => Expr::Not(x),
            (Kind::And, all) => Expr::And(all.into()),
            (Kind::Or, all) => Expr::Or(all.into()),
            (Kind::Ite, &[c, x, y]) => Expr::Ite([c, x, y]),
            (Kind::Eq, &[x, y]) => Expr::Equal([x, y]),
            (Kind::Cmp(cmp), &[x, y]) => Expr::Compare(cmp, [x, y], width_of(0)),
            (Kind::Bv(op), &[x, y]) => Expr::Binary(op, [x, y], bits(t)),
            (Kind::BvNot, &[x]) => Expr::Complement(x),
            (Kind::BvNeg, &[x]) => Expr::Negate(x, bits(t)),
            (Kind::Extract { hi, lo }, &[x]) => Expr::Extract(x, hi, lo),
            (Kind::Concat, &[x, y]) => Expr::Concat { parts: [x, y], low_width: width_of(1), width: bits(t) },
            (Kind::Zext, &[x]) => Expr::ZeroExtend(x, width_of(0), bits(t)),
            // The signed number does not change.
            (Kind::Sext, &[x]) => self.all[x as usize].clone(),
            _ => return None,
        })
    }

    /// The value of an expression, where `values` says those of the variables.
    pub(super) fn value(&self, values: &impl Fn(VarId) -> Range, e: ExprId) -> Range {
        let of = |e: ExprId| self.value(values, e);
        match &self.all[e as usize] {
            Expr::Any(r) => *r,
            Expr::Var(v) => values(*v),
            Expr::Not(x) => Range::truth(of(*x).as_truth().map(|b| !b)),
            Expr::And(all) => self.junction(values, all, false),
            Expr::Or(all) => self.junction(values, all, true),
            Expr::Ite([c, x, y]) => match of(*c).as_truth() {
                Some(true) => of(*x),
                Some(false) => of(*y),
                None => of(*x).hull(of(*y)),
            },
            Expr::Equal([x, y]) => of(*x).equals(of(*y)),
            Expr::Compare(cmp, [x, y], width) => of(*x).compared(*cmp, of(*y), *width),
            Expr::Binary(op, [x, y], width) => of(*x).binary(*op, of(*y), *width),
            Expr::Complement(x) => of(*x).complement(),
            Expr::Negate(x, width) => of(*x).negated(*width),
            Expr::Extract(x, hi, lo) => of(*x).extracted(*hi, *lo),
            Expr::Concat { parts: [high, low], low_width, width } => {
                of(*high).concatenated(of(*low), *low_width, *width)
            }
            Expr::ZeroExtend(x, from, width) => of(*x).zero_extended(*from, *width),
        }
    }

    /// A disjunction, if it `is_or`, or a conjunction.
    fn junction(&self, values: &impl Fn(VarId) -> Range, all: &[ExprId], is_or: bool) -> Range {
        let mut known = Some(!is_or);
        for e in all {
            match self.value(values, *e).as_truth() {
                Some(b) if b == is_or => return Range::truth(Some(is_or)),
                Some(_) => {}
                None => known = None,
            }
        }
        Range::truth(known)
    }
}
