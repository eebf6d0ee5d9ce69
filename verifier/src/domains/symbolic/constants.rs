//! The constants of a state, by which states are filed and put in order.

use crate::cpa::{Cx, Index};
use crate::domains::symbolic::State;
use crate::domains::symbolic::cover::Cells;
use cfa::term::Kind;
use cfa::{Sort, Term, Terms, VarId};
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// The largest constant that is taken for a count of something.
const LARGEST_COUNT: u64 = u16::MAX as u64;

/// Where a constant is: the number of callers from the running function to the frame of the variable (0 for global variables and for locals
/// of the running function), the variable, and the address if the variable is a memory.
type Place = (u32, VarId, Option<u64>);

/// The variables with constant values, and the cells of memories that are as wide as an address, at fixed places. Where they point to a
/// constant offset from the free place of an object, this offset is the constant. A state covers only states that have all of its
/// constants.
#[derive(Debug)]
pub(super) struct Constants {
    /// Ascending by place.
    all: Vec<(Place, Term)>,
    /// Their index.
    pub index: Index,
    /// The sum of what they count: numbers up to [`LARGEST_COUNT`], and offsets of addresses in their objects up to there.
    pub sum: u32,
}

/// Where objects lie.
#[derive(Default)]
pub(super) struct Places {
    /// The symbols that say where objects with free places lie.
    free: FxHashSet<Term>,
    /// The addresses of the objects with fixed places, ascending, once they are needed.
    fixed: Option<Box<[u64]>>,
}

impl Places {
    /// Notes that an object has the free place `symbol`.
    pub(super) fn add(&mut self, symbol: Term) {
        self.free.insert(symbol);
    }

    /// Whether `t` is the free place of an object.
    pub(super) fn is_place(&self, t: Term) -> bool {
        self.free.contains(&t)
    }

    /// The constants of `s`.
    pub(super) fn constants(&mut self, cx: &mut Cx<'_>, cells: &mut Cells, s: &State) -> Constants {
        let (mut all, mut sum) = (Vec::new(), 0u32);
        for (depth, map) in s.maps() {
            for (v, t) in map {
                if let Sort::Array { index, .. } = cx.terms.sort(*t) {
                    let cells = cells.of(&cx.terms, *t);
                    for (at, constant) in cells.iter().filter(|(_, constant)| cx.terms.width(*constant) >= index) {
                        all.push(((depth, *v, Some(at.first)), *constant));
                        sum = sum.saturating_add(self.count(cx, *constant));
                    }
                } else if let Some(constant) = self.constant_part(&mut cx.terms, *t) {
                    all.push(((depth, *v, None), constant));
                    sum = sum.saturating_add(self.count(cx, constant));
                }
            }
        }
        all.sort_unstable();
        let mut shape = FxHasher::default();
        for (place, _) in &all {
            place.hash(&mut shape);
        }
        let fingerprint = fingerprint(all.iter().map(|(_, t)| *t));
        Constants { index: Index { shape: shape.finish(), fingerprint }, all, sum }
    }

    /// A constant, or the offset of an address from the free place of an object.
    fn constant_part(&self, terms: &mut Terms, t: Term) -> Option<Term> {
        match (terms.kind(t), terms.sort(t)) {
            (Kind::Const(_) | Kind::BigConst(_) | Kind::Bool(_), _) => Some(t),
            (_, Sort::Bv(_)) => {
                let (base, offset) = terms.base_offset(t);
                self.free.contains(&base).then(|| terms.constant(&offset))
            }
            _ => None,
        }
    }

    /// What a constant counts; 0 if nothing.
    fn count(&mut self, cx: &Cx<'_>, constant: Term) -> u32 {
        let Some(k) = cx.terms.as_u64(constant) else { return 0 };
        if k <= LARGEST_COUNT {
            return k as u32;
        }
        let fixed = self.fixed.get_or_insert_with(|| {
            let mut bases: Vec<u64> = cx.program.cfa.objects.iter().filter_map(|object| object.base).collect();
            bases.sort_unstable();
            bases.into()
        });
        let Some(base) = fixed[..fixed.partition_point(|base| *base <= k)].last() else { return 0 };
        if k - base <= LARGEST_COUNT { (k - base) as u32 } else { 0 }
    }
}

impl Constants {
    /// The fingerprint of those variables that are constant in `pattern`; `None` if another of these is not constant here.
    pub(super) fn fingerprint_as(&self, pattern: &Constants) -> Option<u64> {
        let mut values = Vec::with_capacity(pattern.all.len());
        for (place, _) in &pattern.all {
            let at = self.all.binary_search_by_key(place, |(place, _)| *place).ok()?;
            values.push(self.all[at].1);
        }
        Some(fingerprint(values.into_iter()))
    }
}

fn fingerprint(terms: impl Iterator<Item = Term>) -> u64 {
    let mut h = FxHasher::default();
    terms.for_each(|t| t.hash(&mut h));
    h.finish()
}
