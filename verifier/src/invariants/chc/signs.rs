//! A heuristic that finds the variables that are meant to be unsigned, by the operations that distinguish signed from unsigned numbers.
//!
//! Variables that are computed from one another are of the same kind. A kind that is used both ways is signed.

use crate::program::Program;
use cfa::bv::{BvCmp, BvOp};
use cfa::term::Kind;
use cfa::{Id, Op, Term, Terms, VarId};
use rustc_hash::FxHashSet;

/// The variables of kinds that are used as unsigned numbers, and never as signed ones.
pub(super) fn unsigned_variables(program: &Program) -> FxHashSet<VarId> {
    let n = program.cfa.vars.len();
    let mut kinds = Kinds { parent: (0..n).collect(), signed: vec![false; n], unsigned: vec![false; n] };
    let terms = &*program.base;
    let mut seen = FxHashSet::default();
    for l in program.view.reachable(&program.cfa) {
        for e in program.view.out(l) {
            let op = program.op(e);
            if let Op::Assign(list) = op {
                for (v, t) in list.iter() {
                    for x in summands(terms, *t) {
                        kinds.unite(*v, x);
                    }
                }
            }
            for t in terms.subterms(&op.terms(), |t| seen.contains(&t)) {
                seen.insert(t);
                let (signed, unsigned) = uses(terms.kind(t));
                for x in terms.args(t).iter().filter(|_| signed || unsigned).flat_map(|a| summands(terms, *a)) {
                    kinds.signed[x.index()] |= signed;
                    kinds.unsigned[x.index()] |= unsigned;
                }
            }
        }
    }
    kinds.settle();
    let is_unsigned = |v: &VarId| {
        let kind = kinds.find(v.index());
        kinds.unsigned[kind] && !kinds.signed[kind]
    };
    program.cfa.vars.ids().filter(is_unsigned).collect()
}

/// Whether an operator takes its arguments as signed numbers, and whether as unsigned numbers.
fn uses(kind: Kind) -> (bool, bool) {
    match kind {
        Kind::Cmp(BvCmp::Slt | BvCmp::Sle) | Kind::Sext => (true, false),
        Kind::Bv(BvOp::Sdiv | BvOp::Srem | BvOp::Ashr) => (true, false),
        Kind::Cmp(BvCmp::Ult | BvCmp::Ule) | Kind::Zext => (false, true),
        Kind::Bv(BvOp::Udiv | BvOp::Urem | BvOp::Lshr) => (false, true),
        _ => (false, false),
    }
}

/// The variables whose values `t` adds, scales or selects from.
fn summands(terms: &Terms, t: Term) -> Vec<VarId> {
    let (mut found, mut seen, mut stack) = (Vec::new(), FxHashSet::default(), vec![t]);
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        match terms.kind(t) {
            Kind::Var(v) => found.push(v),
            Kind::Bv(BvOp::Add | BvOp::Sub | BvOp::Mul) | Kind::BvNeg => stack.extend(terms.args(t)),
            Kind::Ite => stack.extend(&terms.args(t)[1..]),
            _ => {}
        }
    }
    found
}

/// A partition of the variables (union-find), and how each part is used.
struct Kinds {
    parent: Vec<usize>,
    signed: Vec<bool>,
    unsigned: Vec<bool>,
}

impl Kinds {
    fn find(&self, mut x: usize) -> usize {
        while self.parent[x] != x {
            x = self.parent[x];
        }
        x
    }

    fn unite(&mut self, a: VarId, b: VarId) {
        let (a, b) = (self.find(a.index()), self.find(b.index()));
        self.parent[a.max(b)] = a.min(b);
    }

    /// Records for each kind how its variables are used.
    fn settle(&mut self) {
        for x in 0..self.parent.len() {
            let kind = self.find(x);
            self.signed[kind] |= self.signed[x];
            self.unsigned[kind] |= self.unsigned[x];
        }
    }
}
