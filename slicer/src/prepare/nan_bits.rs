//! Bits of NaNs. C and LLVM leave open which NaN an operation yields, with which sign and payload; in terms, it is always the
//! same NaN.
//!
//! This is visible only where the program inspects the bits, that is, in an integer operation or comparison whose operand may
//! come from a floating-point result. Proofs that depend on such an operation rest on an assumption.

use cfa::bv::BvOp;
use cfa::float::FloatOp;
use cfa::term::{Kind, Term};
use cfa::{Assumed, Assumption, Cfa, EdgeId, Id, Matters, Sort};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

/// Maximum number of passes over the operations to find where results flow; after that, they are taken to flow anywhere.
const PASSES: usize = 32;

/// Records the assumption for operations that inspect bits of results that may be NaNs.
pub(super) fn assume_one_nan(cfa: &mut Cfa) {
    let looking = looking_edges(cfa);
    if !looking.is_empty() {
        cfa.assumptions.push(Assumption::of_proofs(Assumed::OneNan, Matters::IfKept(looking)));
    }
}

fn looking_edges(cfa: &Cfa) -> Vec<EdgeId> {
    if !cfa.terms.kinds().any(|kind| matches!(kind, Kind::Float(op, _) if may_be_nan(op))) {
        return Vec::new();
    }
    let mut results = Results { cfa, vars: FixedBitSet::with_capacity(cfa.vars.len()) };
    let mut pass = 0;
    loop {
        let mut changed = false;
        for edge in cfa.edges.iter() {
            let cfa::Op::Assign(list) = &edge.op else { continue };
            let of = results.of(&edge.op.terms());
            for (v, t) in list {
                changed |= of[t] && !results.vars.put(v.index());
            }
        }
        pass += 1;
        if !changed {
            break;
        }
        if pass == PASSES {
            results.vars.insert_range(..);
            break;
        }
    }
    if results.vars.is_clear() {
        return Vec::new();
    }
    let looks = |e: &EdgeId| {
        let of = results.of(&cfa.edges[*e].op.terms());
        of.keys().any(|t| is_look(cfa, *t) && cfa.terms.args(*t).iter().any(|a| of[a]))
    };
    cfa.edges.ids().filter(looks).collect()
}

/// Whether the operation's result depends on individual bits of its operands without containing them.
fn is_look(cfa: &Cfa, t: Term) -> bool {
    match cfa.terms.kind(t) {
        Kind::Cmp(_) | Kind::BvNeg => true,
        Kind::Eq => cfa.terms.sort(cfa.terms.args(t)[0]) != Sort::Bool,
        Kind::Bv(op) => !passes_bits(op),
        Kind::Float(FloatOp::FromSigned | FloatOp::FromUnsigned, _) => true,
        _ => false,
    }
}

/// Bit operators whose result contains bits of the operands: negation, absolute value and `copysign` are made of them.
fn passes_bits(op: BvOp) -> bool {
    matches!(op, BvOp::And | BvOp::Or | BvOp::Xor | BvOp::Shl | BvOp::Lshr | BvOp::Ashr)
}

/// The variables that may hold bits of floating-point results.
struct Results<'a> {
    cfa: &'a Cfa,
    vars: FixedBitSet,
}

impl Results<'_> {
    /// For all subterms of `roots`, whether they may contain such bits.
    fn of(&self, roots: &[Term]) -> FxHashMap<Term, bool> {
        let terms = &self.cfa.terms;
        let mut of = FxHashMap::default();
        for t in terms.subterms(roots, |_| false) {
            let args = terms.args(t);
            let has = match terms.kind(t) {
                Kind::Var(v) => self.vars.contains(v.index()),
                Kind::Float(op, _) => may_be_nan(op),
                Kind::Ite => of[&args[1]] || of[&args[2]],
                Kind::Read => of[&args[0]],
                Kind::Write => of[&args[0]] || of[&args[2]],
                Kind::Copy => of[&args[0]] || of[&args[2]],
                Kind::Bv(op) if !passes_bits(op) => false,
                Kind::Bv(_) | Kind::BvNot | Kind::Extract { .. } | Kind::Concat | Kind::Zext | Kind::Sext => {
                    args.iter().any(|a| of[a])
                }
                Kind::ConstArray => of[&args[0]],
                _ => false,
            };
            of.insert(t, has);
        }
        of
    }
}

/// Whether an operation may yield a new NaN.
fn may_be_nan(op: FloatOp) -> bool {
    match op {
        FloatOp::Add
        | FloatOp::Sub
        | FloatOp::Mul
        | FloatOp::Div
        | FloatOp::Rem
        | FloatOp::Fma
        | FloatOp::Sqrt
        | FloatOp::Round(_)
        | FloatOp::Convert(_) => true,
        FloatOp::Eq
        | FloatOp::Lt
        | FloatOp::Le
        | FloatOp::ToSigned
        | FloatOp::ToUnsigned
        | FloatOp::FromSigned
        | FloatOp::FromUnsigned => false,
    }
}
