//! Records the assumption that all NaNs have the same bits, for programs in which these bits matter.
//!
//! C and LLVM leave open which NaN an operation yields, with which sign and payload; in terms, it is always the same NaN. This is
//! visible only where the program inspects the bits: in an integer operation or comparison whose operand may come from a
//! floating-point result, or in any operation on a number that has only some of these bits, as `copysign` makes it. Proofs that depend on
//! such an operation rest on an assumption.

use cfa::bv::{Bv, BvOp};
use cfa::float::{FloatOp, Format};
use cfa::term::{Kind, Term};
use cfa::{Assumed, Assumption, Cfa, EdgeId, Id, Matters, Sort};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

/// Maximum number of passes over the operations to find where results flow; after that, they are taken to flow anywhere.
const PASSES: usize = 32;

/// Records the assumption for operations that inspect bits of results that may be NaNs.
pub(super) fn assume_one_nan(cfa: &mut Cfa) {
    let inspecting = inspecting_edges(cfa);
    if !inspecting.is_empty() {
        cfa.assumptions.push(Assumption::of_proofs(Assumed::OneNan, Matters::IfKept(inspecting)));
    }
}

/// The edges whose operations inspect bits of results that may be NaNs.
fn inspecting_edges(cfa: &Cfa) -> Vec<EdgeId> {
    if !cfa.terms.kinds().any(|kind| matches!(kind, Kind::Float(op, _) if may_be_nan(op))) {
        return Vec::new();
    }
    let mut results = Results { cfa, vars: vec![Bits::None; cfa.vars.len()], mixed: mixed_memories(cfa) };
    let mut pass = 0;
    loop {
        let mut changed = false;
        for edge in cfa.edges.iter() {
            let cfa::Op::Assign(list) = &edge.op else { continue };
            let of = results.of(&edge.op.terms());
            for (v, t) in list {
                let known = &mut results.vars[v.index()];
                changed |= of[t] > *known;
                *known = of[t].max(*known);
            }
        }
        pass += 1;
        if !changed {
            break;
        }
        if pass == PASSES {
            results.vars.fill(Bits::Some);
            break;
        }
    }
    let is_inspecting = |e: &EdgeId| {
        let of = results.of(&cfa.edges[*e].op.terms());
        of.keys().any(|t| cfa.terms.args(*t).iter().any(|a| inspects(cfa, *t, of[a])))
    };
    cfa.edges.ids().filter(is_inspecting).collect()
}

/// Which bits of a floating-point result a number may contain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Bits {
    /// None.
    None,
    /// All, except perhaps the sign: the number is a NaN if the result is one.
    All,
    /// Some of them.
    Some,
}

/// Whether the operation at the root of `t`, on an operand that has these bits, inspects them: its result depends on individual bits
/// without containing them.
fn inspects(cfa: &Cfa, t: Term, bits: Bits) -> bool {
    match (cfa.terms.kind(t), bits) {
        (_, Bits::None) => false,
        (Kind::Cmp(_) | Kind::BvNeg, _) => true,
        (Kind::Eq, _) => cfa.terms.sort(cfa.terms.args(t)[0]) != Sort::Bool,
        (Kind::Bv(op), _) => !passes_bits(op),
        (Kind::Float(op, _), _) if op.is_of_integer() => true,
        (Kind::Float(..), bits) => bits == Bits::Some,
        _ => false,
    }
}

/// Bit operators whose result contains bits of the operands: negation, absolute value and `copysign` are made of them.
fn passes_bits(op: BvOp) -> bool {
    matches!(op, BvOp::And | BvOp::Or | BvOp::Xor | BvOp::Shl | BvOp::Lshr | BvOp::Ashr)
}

/// The memories that are accessed with several widths, so that what is read may have been written in pieces.
fn mixed_memories(cfa: &Cfa) -> FixedBitSet {
    let mut widths: FxHashMap<usize, Sort> = FxHashMap::default();
    let mut mixed = FixedBitSet::with_capacity(cfa.vars.len());
    for edge in cfa.edges.iter() {
        for t in cfa.terms.subterms(&edge.op.terms(), |_| false) {
            let args = cfa.terms.args(t);
            let (memories, width): (&[Term], _) = match cfa.terms.kind(t) {
                Kind::Read => (&args[..1], cfa.terms.sort(t)),
                Kind::Write => (&args[..1], cfa.terms.sort(args[2])),
                _ => continue,
            };
            let is_within = |t: Term| matches!(cfa.terms.sort(t), Sort::Bv(_) | Sort::Bool);
            for leaf in cfa.terms.subterms(memories, is_within) {
                if let Kind::Var(v) = cfa.terms.kind(leaf)
                    && *widths.entry(v.index()).or_insert(width) != width
                {
                    mixed.insert(v.index());
                }
            }
        }
    }
    mixed
}

/// The variables that may hold bits of floating-point results.
struct Results<'a> {
    cfa: &'a Cfa,
    vars: Vec<Bits>,
    /// See [`mixed_memories`].
    mixed: FixedBitSet,
}

impl Results<'_> {
    /// For all subterms of `roots`, which such bits they may contain.
    fn of(&self, roots: &[Term]) -> FxHashMap<Term, Bits> {
        let terms = &self.cfa.terms;
        let mut of: FxHashMap<Term, Bits> = FxHashMap::default();
        for t in terms.subterms(roots, |_| false) {
            let args = terms.args(t);
            let any = || args.iter().map(|a| of[a]).max().unwrap_or(Bits::None);
            let has = match terms.kind(t) {
                Kind::Var(v) if self.mixed.contains(v.index()) && self.vars[v.index()] != Bits::None => Bits::Some,
                Kind::Var(v) => self.vars[v.index()],
                Kind::Float(op, _) if may_be_nan(op) => Bits::All,
                Kind::Ite => of[&args[1]].max(of[&args[2]]),
                Kind::Read => of[&args[0]],
                Kind::Write | Kind::Copy => of[&args[0]].max(of[&args[2]]),
                Kind::Bv(op) if !passes_bits(op) => Bits::None,
                Kind::Concat | Kind::Zext | Kind::Bv(BvOp::Xor) if let Some(number) = self.without_sign(t) => {
                    of[&number]
                }
                Kind::Bv(_) | Kind::BvNot | Kind::Extract { .. } | Kind::Concat | Kind::Zext | Kind::Sext => {
                    if any() == Bits::None { Bits::None } else { Bits::Some }
                }
                Kind::ConstArray => of[&args[0]],
                _ => Bits::None,
            };
            of.insert(t, has);
        }
        of
    }

    /// The number from which `t` differs in the sign at most: `t` is its negation or its absolute value.
    fn without_sign(&self, t: Term) -> Option<Term> {
        let terms = &self.cfa.terms;
        let (args, width) = (terms.args(t), terms.width(t));
        let rest = *args.last()?;
        match terms.kind(t) {
            Kind::Bv(BvOp::Xor) => {
                let is_sign = |a: Term| terms.as_bv(a) == Some(Bv::new(1, 1).concat(&Bv::new(width - 1, 0)));
                (width > 1 && is_sign(rest)).then_some(args[0])
            }
            _ => {
                let Kind::Extract { lo: 0, .. } = terms.kind(rest) else { return None };
                let number = terms.args(rest)[0];
                (terms.width(number) == width && terms.width(rest) + 1 == width).then_some(number)
            }
        }
    }
}

/// Whether an operation may yield a new NaN.
fn may_be_nan(op: FloatOp) -> bool {
    op.result_format(Format::Double).is_some() && !op.is_of_integer()
}
