//! The signs of terms, and the signs with which conditions hold.
//!
//! Terms on edges are small, so evaluation is plain recursion; after a maximum number of visits, the result is any sign.

use crate::domains::signs::is_tracked;
use crate::domains::signs::set::{Relation, Signs};
use cfa::bv::{BvCmp, BvOp};
use cfa::term::Kind;
use cfa::{Term, Terms, VarId};

/// Maximum number of subterms visited.
const MAX_VISITS: u32 = 1_000;

/// Evaluates terms over variables of these signs.
pub(super) struct Evaluator<'a> {
    terms: &'a Terms,
    signs_of: &'a dyn Fn(VarId) -> Signs,
    visits: u32,
}

impl<'a> Evaluator<'a> {
    /// An evaluation with these signs of the variables.
    pub(super) fn new(terms: &'a Terms, signs_of: &'a dyn Fn(VarId) -> Signs) -> Evaluator<'a> {
        Evaluator { terms, signs_of, visits: MAX_VISITS }
    }

    /// The signs of `t`; any sign if it is no number of at least two bits.
    pub(super) fn signs(&mut self, t: Term) -> Signs {
        if self.visits == 0 || !is_tracked(self.terms.sort(t)) {
            return Signs::ANY;
        }
        self.visits -= 1;
        let terms = self.terms;
        let args = terms.args(t);
        match terms.kind(t) {
            Kind::Const(_) | Kind::BigConst(_) => terms.as_bv(t).map_or(Signs::ANY, |k| Signs::of_number(&k)),
            Kind::Var(v) => (self.signs_of)(v),
            Kind::Bv(BvOp::Add) if is(terms, args[1], 1) => self.signs(args[0]).successor(),
            Kind::Bv(BvOp::Add) if is(terms, args[1], -1) => self.signs(args[0]).predecessor(),
            Kind::Bv(op) => Signs::apply(op, self.signs(args[0]), self.signs(args[1])),
            Kind::BvNot => self.signs(args[0]).complement(),
            Kind::BvNeg => self.signs(args[0]).negate(),
            Kind::Zext => self.signs(args[0]).zext(),
            Kind::Sext => self.signs(args[0]),
            Kind::Extract { hi, .. } => self.signs(args[0]).extract(hi == terms.width(args[0]) - 1),
            Kind::Concat => self.signs(args[0]).concat(self.signs(args[1])),
            Kind::Ite => match self.truth(args[0]) {
                Some(true) => self.signs(args[1]),
                Some(false) => self.signs(args[2]),
                None => self.signs(args[1]).union(self.signs(args[2])),
            },
            _ => Signs::ANY,
        }
    }

    /// The truth value of `t`, which has sort Bool, if the signs decide it.
    fn truth(&mut self, t: Term) -> Option<bool> {
        if self.visits == 0 {
            return None;
        }
        self.visits -= 1;
        let terms = self.terms;
        let args = terms.args(t);
        match terms.kind(t) {
            Kind::Bool(b) => Some(b),
            Kind::Not => Some(!self.truth(args[0])?),
            kind @ (Kind::And | Kind::Or) => {
                let decisive = kind == Kind::Or;
                match (self.truth(args[0]), self.truth(args[1])) {
                    (Some(a), _) if a == decisive => Some(decisive),
                    (_, Some(b)) if b == decisive => Some(decisive),
                    (Some(_), Some(_)) => Some(!decisive),
                    _ => None,
                }
            }
            Kind::Eq | Kind::Cmp(_) => {
                let (relation, a, b) = self.relation(t)?;
                let is_possible = |truth| relation.restrict(a, b, truth) != (Signs::NONE, Signs::NONE);
                match (is_possible(true), is_possible(false)) {
                    (true, false) => Some(true),
                    (false, true) => Some(false),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The comparison of two numbers `t`, with the signs of its sides. Comparisons with 1 and -1 become ones with 0, which say as much
    /// and are decided by signs.
    fn relation(&mut self, t: Term) -> Option<(Relation, Signs, Signs)> {
        let terms = self.terms;
        let &[a, b] = terms.args(t) else { return None };
        if !is_tracked(terms.sort(a)) {
            return None;
        }
        let (x, y) = (self.signs(a), self.signs(b));
        let Kind::Cmp(cmp) = terms.kind(t) else { return Some((Relation::Equal, x, y)) };
        let strict = matches!(cmp, BvCmp::Ult | BvCmp::Slt);
        let signed = matches!(cmp, BvCmp::Slt | BvCmp::Sle);
        let other = match cmp {
            BvCmp::Ult => BvCmp::Ule,
            BvCmp::Ule => BvCmp::Ult,
            BvCmp::Slt => BvCmp::Sle,
            BvCmp::Sle => BvCmp::Slt,
        };
        // a < 1 is a <= 0, and a <= -1 is a < 0; -1 < b is 0 <= b, and 1 <= b is 0 < b.
        let (above, below) = if strict { (1, -1) } else { (-1, 1) };
        let is_number = |t: Term, k: i64| (signed || k > 0) && is(terms, t, k);
        Some(match (is_number(b, above), is_number(a, below)) {
            (true, _) => (Relation::Order(other), x, Signs::ZERO),
            (_, true) => (Relation::Order(other), Signs::ZERO, y),
            _ => (Relation::Order(cmp), x, y),
        })
    }

    /// What `t` having this truth value says about variables: each pair has a variable and the signs that it may have. `None` if `t`
    /// cannot have this truth value.
    pub(super) fn hold(&mut self, t: Term, truth: bool) -> Option<Vec<(VarId, Signs)>> {
        if self.truth(t) == Some(!truth) {
            return None;
        }
        if self.visits == 0 {
            return Some(Vec::new());
        }
        let terms = self.terms;
        let args = terms.args(t);
        match terms.kind(t) {
            Kind::Not => self.hold(args[0], !truth),
            kind @ (Kind::And | Kind::Or) if (kind == Kind::And) == truth => {
                let mut both = self.hold(args[0], truth)?;
                both.extend(self.hold(args[1], truth)?);
                Some(both)
            }
            Kind::Eq | Kind::Cmp(_) => {
                let mut said = Vec::new();
                if let Some((relation, a, b)) = self.relation(t) {
                    let (a, b) = relation.restrict(a, b, truth);
                    self.restrict(args[0], a, &mut said);
                    self.restrict(args[1], b, &mut said);
                }
                Some(said)
            }
            _ => Some(Vec::new()),
        }
    }

    /// Adds what it says about a variable that `t` has one of these signs.
    fn restrict(&self, t: Term, signs: Signs, said: &mut Vec<(VarId, Signs)>) {
        match (self.terms.kind(t), self.terms.args(t)) {
            (Kind::Var(v), _) => said.push((v, signs)),
            (Kind::Sext, &[of]) if is_tracked(self.terms.sort(of)) => self.restrict(of, signs, said),
            (Kind::Zext, &[of]) if is_tracked(self.terms.sort(of)) => self.restrict(of, signs.zext_back(), said),
            _ => {}
        }
    }
}

/// Whether `t` is the constant `k`.
fn is(terms: &Terms, t: Term, k: i64) -> bool {
    terms.as_bv(t).is_some_and(|value| value == cfa::bv::Bv::from_i64(value.width(), k))
}
