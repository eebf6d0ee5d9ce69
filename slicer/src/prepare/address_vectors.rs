//! Tells readers of vectors of addresses that what they read is an address.
//!
//! The arguments of `main` have no bound, and nor have the words of `argv`: an input is an array of all of them. That each word is the
//! address of a text would be a condition for all of them at once, which solvers do badly with. So the condition is told about the one word
//! that is read, before it is read. It is about the input, not about the memory that the input was copied into, so that it holds whatever
//! the program has written there.

use crate::cfa_edit;
use crate::points_to::{Pointee, PointsTo};
use crate::prepare::array_terms::ArrayTerms;
use crate::prepare::outside::accessed;
use cfa::bv::BvCmp;
use cfa::offset::Offset;
use cfa::term::{Kind, Term};
use cfa::{AddressVector, AssumeKind, Cfa, EdgeId, Op, RawFacts, VarId};

/// Inserts the conditions. Reads that depend on other reads go without.
pub(super) fn tell_addresses(
    cfa: &mut Cfa,
    facts: &RawFacts,
    memory: VarId,
    (points_to, array_terms): (&PointsTo, &ArrayTerms),
) {
    let mut vectors: Vec<(EdgeId, AddressVector)> = facts.address_vectors.iter().map(|(e, v)| (*e, *v)).collect();
    vectors.sort_unstable_by_key(|(e, _)| *e);
    for (input, vector) in vectors {
        let Op::Input { var, .. } = cfa.edges[input].op else { continue };
        for e in cfa.edges.ids().filter(|e| points_to.reaches(cfa.locs[cfa.edges[*e].from].func)).collect::<Vec<_>>() {
            let mut told: Vec<Term> = Vec::new();
            for read in array_terms.within(cfa, &cfa.edges[e].op.terms()) {
                if cfa.terms.kind(read) != Kind::Read || cfa.terms.width(read) != cfa.pointer_bits {
                    continue;
                }
                for address in accessed(cfa, memory, read) {
                    if may_lie_in(&vector, points_to, address)
                        && !array_terms.have(cfa, &[address])
                        && !told.contains(&address)
                    {
                        told.push(address);
                    }
                }
            }
            for address in told {
                let cond = is_told(cfa, var, &vector, address);
                if cfa.terms.as_bool(cond) != Some(true) {
                    cfa_edit::insert_before(cfa, e, Op::Assume { cond, kind: AssumeKind::Guard });
                }
            }
        }
    }
}

/// Whether `address` may be that of a word of the vector.
fn may_lie_in(vector: &AddressVector, points_to: &PointsTo, address: Term) -> bool {
    let [(object, begin)] = *points_to.of(vector.begin) else { return false };
    let follows = |offset: Offset| match (offset.as_exact(), begin.as_exact()) {
        (Some(offset), Some(begin)) => offset >= begin,
        _ => true,
    };
    points_to.of(address).iter().any(|&(o, offset): &Pointee| o == object && follows(offset))
}

/// The condition that the word of the input at `address`, if it is one of the vector, is an address within the object.
fn is_told(cfa: &mut Cfa, input: VarId, vector: &AddressVector, address: Term) -> Term {
    let width = cfa.pointer_bits;
    let bytes = cfa.objects[vector.object].size_bytes.unwrap_or(u64::MAX);
    let array = cfa.var_term(input);
    let terms = &mut cfa.terms;
    let (after, before) = (terms.cmp(BvCmp::Ule, vector.begin, address), terms.cmp(BvCmp::Ult, address, vector.end));
    let within = terms.and(after, before);
    let low = (width / 8).trailing_zeros();
    // The vector is aligned to its words.
    let rest = terms.extract(low - 1, 0, address);
    let zero = terms.int(low, 0);
    let aligned = terms.eq(rest, zero);
    let is_word = terms.and(within, aligned);
    let word = terms.read(array, address, width);
    let object = terms.addr(vector.object, width);
    let offset = terms.sub(word, object);
    let size = terms.int(width, bytes);
    let lies = terms.cmp(BvCmp::Ult, offset, size);
    terms.implies(is_word, lies)
}
