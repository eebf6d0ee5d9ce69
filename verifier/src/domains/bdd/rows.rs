//! Diagrams as rows of ranges, for certificates that are checked without a solver.

use super::layout::{Code, Slot, SlotId, now};
use super::{BddCpa, State};
use crate::cpa::Rows;
use crate::program::Program;
use crate::program::domain_types::{DomainType, DomainTypes};
use biodivine_lib_bdd::BddPartialValuation;
use cfa::bv::Bv;
use cfa::{Range, VarId};
use smt::bits::graph::Lit;
use std::collections::BTreeSet;

/// Maximum number of rows of a state.
const MOST: usize = 20_000;

/// The rows of `s`; `None` if there are many, or if the program has variables whose values have no numbers: it does more with them than to
/// compare them with constants, which ranges may not follow.
pub(super) fn rows(cpa: &BddCpa, s: &State) -> Option<Rows> {
    let is_settled = s.store.is_empty() && s.condition == Lit::TRUE && s.also.is_empty();
    // Ranges have at most 64 bits.
    let is_simple =
        |slot: &Slot| (matches!(slot.code, Code::Number(_)) && slot.word.len() <= 64) || slot.bits.len() == 1;
    if !is_settled || !cpa.layout.slots.iter().all(is_simple) {
        return None;
    }
    let depends: BTreeSet<SlotId> =
        s.set.support_set().into_iter().map(|v| cpa.layout.slot_of[v.to_index() / 2]).collect();
    let slots: Vec<&Slot> = depends.iter().map(|slot| &cpa.layout.slots[*slot as usize]).collect();
    let mut rows: Vec<Vec<Range>> = Vec::new();
    for clause in s.set.sat_clauses() {
        let mut of_clause: Vec<Vec<Range>> = vec![Vec::with_capacity(slots.len())];
        for slot in &slots {
            let ranges = ranges(slot, &clause);
            if of_clause.len() * ranges.len() + rows.len() > MOST {
                return None;
            }
            let with = |r: Range| move |row: &Vec<Range>| row.iter().copied().chain([r]).collect::<Vec<Range>>();
            of_clause = ranges.into_iter().flat_map(|r| of_clause.iter().map(with(r)).collect::<Vec<_>>()).collect();
        }
        rows.extend(of_clause);
    }
    Some(Rows { vars: slots.iter().map(|slot| slot.var).collect(), rows })
}

/// The ranges of the values whose codes have the bits of `clause`.
fn ranges(slot: &Slot, clause: &BddPartialValuation) -> Vec<Range> {
    let Code::Number(constants) = &slot.code else {
        let all = [false, true].map(|bit| (bit, slot.of_bit(bit)));
        let is = |bit: bool| clause.get_value(now(slot.bits[0])).is_none_or(|value| value == bit);
        return all.into_iter().filter(|(bit, _)| is(*bit)).map(|(_, range)| range).collect();
    };
    let has = |number: usize| {
        let mut bits = slot.bits.iter().enumerate();
        bits.all(|(i, bit)| clause.get_value(now(*bit)).is_none_or(|value| value == (number >> i & 1 == 1)))
    };
    let mut numbers: Vec<i64> = constants.iter().filter_map(Bv::to_i64).collect();
    let own = numbers.clone().into_iter().enumerate().filter(|(i, _)| has(i + 1)).map(|(_, k)| Range::point(k));
    let mut ranges: Vec<Range> = own.collect();
    if has(0) {
        // What lies between the constants.
        let all = Range::full(slot.word.len() as u32);
        numbers.sort_unstable();
        let mut lo = Some(all.lo);
        for k in numbers {
            if let Some(first) = lo.filter(|first| *first < k) {
                ranges.push(Range { lo: first, hi: k - 1 });
            }
            lo = k.checked_add(1);
        }
        ranges.extend(lo.filter(|lo| *lo <= all.hi).map(|lo| Range { lo, hi: all.hi }));
    }
    ranges
}

/// The numbers from which on values are told apart: the constants with which a variable is compared, and those after them.
pub(super) fn splits(program: &Program) -> Vec<(VarId, Vec<i64>)> {
    let types = DomainTypes::new(program);
    let mut all = Vec::new();
    for part in types.partitions().iter().filter(|part| part.domain <= DomainType::Eq) {
        let numbers = part.constants.iter().filter_map(Bv::to_i64);
        let mut at: Vec<i64> = numbers.flat_map(|k| [Some(k), k.checked_add(1)]).flatten().collect();
        at.sort_unstable();
        at.dedup();
        all.extend(part.variables.iter().map(|v| (*v, at.clone())));
    }
    all
}
