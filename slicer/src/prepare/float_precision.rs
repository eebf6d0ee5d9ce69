//! Records the assumption that floating-point operations are not more precise than their types.
//!
//! In terms, each operation rounds to its type. A compiler for 32-bit x86 without SSE2 computes in registers of 80 bits instead, and
//! rounds only where it stores a result.

use cfa::float::FloatOp;
use cfa::term::{Kind, Term};
use cfa::{Assumed, Assumption, Cfa, EdgeId, Matters, RestsOn};

/// The width of the registers of the x87, in bits.
const REGISTER_BITS: u32 = 80;

/// Records the assumption for operations of 32-bit programs that round.
pub(super) fn assume_precision(cfa: &mut Cfa) {
    if cfa.pointer_bits != 32 || !cfa.terms.kinds().any(rounds) {
        return;
    }
    let has_rounding = |e: &EdgeId| {
        cfa.terms.subterms(&cfa.edges[*e].op.terms(), |_| false).iter().any(|t: &Term| rounds(cfa.terms.kind(*t)))
    };
    let edges: Vec<EdgeId> = cfa.edges.ids().filter(has_rounding).collect();
    let matters = Matters::IfKept(edges);
    cfa.assumptions.push(Assumption { what: Assumed::PrecisionOfType, of: RestsOn::Verdicts, matters });
}

/// Whether an operation may yield a number that its type cannot represent, before it is rounded.
fn rounds(kind: Kind) -> bool {
    use FloatOp::*;
    let Kind::Float(op, format) = kind else { return false };
    match op.and_rounding().0 {
        Convert(to) => to.width_bits() < format.width_bits().min(REGISTER_BITS),
        Add | Sub | Mul | Div | Fma | Sqrt | FromSigned | FromUnsigned => format.width_bits() < REGISTER_BITS,
        _ => false,
    }
}
