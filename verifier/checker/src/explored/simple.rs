//! Locations that do something simple.

use super::remainders::Remainders;
use super::value::{ExprId, Expressions};
use cfa::bv::BvCmp;
use cfa::term::Kind;
use cfa::view::View;
use cfa::{Cfa, Id, LocId, Op, Range, Term, VarId};

/// What a location does, where that is simple: most of what a program does is to copy variables, to set them to constants, and to compare
/// them with constants.
#[derive(Clone, Copy)]
pub(super) enum Simple {
    /// `to := k`.
    Constant(VarId, i64, LocId),
    /// `to := from`.
    Copy(VarId, VarId, LocId),
    /// `to := expression`.
    Assign(VarId, ExprId, LocId),
    /// Whether `var = k`: where control goes if so, and if not.
    Equals(VarId, i64, [LocId; 2]),
    /// A test that never holds, and where control goes.
    Never(LocId),
    /// Whether `var < k`.
    Less(VarId, i64, [LocId; 2]),
    /// Whether an expression is true; the variable that it reads, if it reads only one.
    Test(ExprId, Option<VarId>, [LocId; 2]),
    /// Something else.
    No,
}

impl Simple {
    pub(super) fn of(
        cfa: &Cfa,
        view: &View,
        (any, expressions, remainders): (&[Option<Range>], &mut Expressions, &Remainders),
        loc: LocId,
    ) -> Simple {
        let terms = &cfa.terms;
        let constant = |t: Term| terms.as_bv(t).and_then(|k| k.to_i64());
        let var = |t: Term| match terms.kind(t) {
            Kind::Var(v) => any[v.index()].map(|_| v),
            _ => None,
        };
        if loc == view.rep(cfa.funcs[cfa.locs[loc].func].exit) {
            return Simple::No;
        }
        let found = match view.out(loc) {
            [only] => match view.op(cfa, only) {
                Op::Assign(list) => match **list {
                    [(v, t)] if any[v.index()].is_some() => {
                        let copy = || var(t).map(|from| Simple::Copy(v, from, only.to));
                        let found = constant(t).map(|k| Simple::Constant(v, k, only.to)).or_else(copy);
                        Some(found.unwrap_or_else(|| Simple::Assign(v, expressions.of(terms, t), only.to)))
                    }
                    _ => None,
                },
                _ => None,
            },
            [a, b] => match (view.op(cfa, a), view.op(cfa, b)) {
                (Op::Assume { cond: x, .. }, Op::Assume { cond: y, .. }) => {
                    let negates = |s: Term, t: Term| terms.kind(s) == Kind::Not && terms.args(s)[0] == t;
                    let sides = match (negates(*y, *x), negates(*x, *y)) {
                        (true, _) => Some((*x, [a.to, b.to])),
                        (_, true) => Some((*y, [b.to, a.to])),
                        _ => None,
                    };
                    sides.and_then(|(cond, [yes, no])| {
                        let compared = match *terms.args(cond) {
                            [s, t] => match (terms.kind(cond), var(s), constant(t), constant(s), var(t)) {
                                _ if remainders.refuted(terms, cond).is_some() => Some(Simple::Never(no)),
                                (Kind::Eq, Some(v), Some(k), ..) => Some(Simple::Equals(v, k, [yes, no])),
                                (Kind::Cmp(BvCmp::Slt), Some(v), Some(k), ..) => Some(Simple::Less(v, k, [yes, no])),
                                // k < v: not v < k + 1
                                (Kind::Cmp(BvCmp::Slt), _, _, Some(k), Some(v)) => {
                                    k.checked_add(1).map(|next| Simple::Less(v, next, [no, yes]))
                                }
                                _ => None,
                            },
                            _ => None,
                        };
                        compared.or_else(|| {
                            let only = match terms.vars(cond)[..] {
                                [v] => any[v.index()].map(|_| v),
                                _ => None,
                            };
                            Some(Simple::Test(expressions.of(terms, cond), only, [yes, no]))
                        })
                    })
                }
                _ => None,
            },
            _ => None,
        };
        found.unwrap_or(Simple::No)
    }
}
