//! The tests of the view for [decision tables](cfa::decision_table): those of one variable, or of a copy that is made for the test.

use super::simple::Simple;
use super::value::Expressions;
use cfa::decision_table::{Next, Place, Tests, Touched};
use cfa::view::View;
use cfa::{Cfa, Id, LocId, Range, VarId};

/// What is known of the view. Places are locations.
pub(super) struct Guards<'a> {
    /// For each location, what it does, and whether a set or a target is there.
    pub(super) simple: &'a [(Simple, bool)],
    pub(super) expressions: &'a Expressions,
    /// Where classes of each variable begin, ascending.
    pub(super) splits: &'a [&'a [i64]],
    pub(super) any: &'a [Option<Range>],
    /// For each variable, whether it is read by one test only.
    pub(super) is_temporary: &'a [bool],
}

impl Guards<'_> {
    /// The variable that a location tests, and where control goes from there.
    fn test(&self, place: Place) -> Option<(VarId, [LocId; 2])> {
        match self.simple[place as usize] {
            (Simple::Equals(v, _, sides) | Simple::Less(v, _, sides), false) => Some((v, sides)),
            (Simple::Test(_, Some(v), sides), false) => Some((v, sides)),
            _ => None,
        }
    }
}

impl Tests for Guards<'_> {
    fn at(&self, place: Place) -> Next {
        let found = match self.simple[place as usize] {
            (Simple::Copy(copy, from, next), false) if self.is_temporary[copy.index()] => {
                self.test(next.0).filter(|(v, _)| *v == copy).map(|(_, sides)| (from, sides))
            }
            _ => self.test(place),
        };
        found.map_or(Next::End, |(v, [yes, no])| Next::Test { variable: v.0, yes: yes.0, no: no.0 })
    }

    fn holds(&self, place: Place, r: Range) -> Option<bool> {
        match self.simple[place as usize].0 {
            Simple::Copy(_, _, next) => self.holds(next.0, r),
            Simple::Equals(_, k, _) => r.equals(Range::point(k)).as_truth(),
            Simple::Less(_, k, _) => (r.hi < k || k <= r.lo).then_some(r.hi < k),
            Simple::Test(e, ..) => self.expressions.value(&|_| r, e).as_truth(),
            Simple::Constant(..) | Simple::Assign(..) | Simple::Never(_) | Simple::No => None,
        }
    }

    fn touched(&self, variable: u32, r: Range) -> Touched {
        let starts = self.splits[variable as usize];
        let first = starts.partition_point(|s| *s <= r.lo);
        let last = if r.lo == r.hi { first } else { starts.partition_point(|s| *s <= r.hi) };
        [first as u32, last as u32]
    }

    fn all_of(&self, variable: u32, [first, last]: Touched) -> Range {
        let starts = self.splits[variable as usize];
        let any = self.any[variable as usize].unwrap_or(Range::TRUTH);
        let lo = (first as usize).checked_sub(1).map_or(any.lo, |i| starts[i]);
        let hi = starts.get(last as usize).map_or(any.hi, |s| s - 1);
        Range { lo: lo.max(any.lo), hi: hi.min(any.hi) }
    }
}

/// For each variable, whether two edges of the view read it, as the sides of one test do, and none of the variables `stated` is it.
pub(super) fn temporaries(cfa: &Cfa, view: &View, stated: impl Iterator<Item = VarId>) -> Vec<bool> {
    let mut readers = vec![0u32; cfa.vars.len()];
    for l in view.reachable(cfa) {
        for e in view.out(l) {
            let terms = view.op(cfa, e).terms();
            let mut read: Vec<VarId> = terms.iter().flat_map(|t| cfa.terms.vars(*t)).collect();
            read.sort_unstable();
            read.dedup();
            read.into_iter().for_each(|v| readers[v.index()] += 1);
        }
    }
    // Certificates may state what does not exist.
    stated.filter_map(|v| Some(v.index()).filter(|i| *i < cfa.vars.len())).for_each(|i| readers[i] = 0);
    readers.into_iter().map(|n| n == 2).collect()
}
