//! The rows of a set, and how a row is found that has given values.

use crate::certificate::StateSet;
use cfa::{Id, Range, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Maximum number of ways in which a state may be covered that are tried.
const MAX_WAYS: usize = 256;

/// A set with what finds its rows.
pub(super) struct Rows<'a> {
    vars: &'a [VarId],
    ranges: &'a [Vec<Range>],
    /// For each variable, the indices of its ranges, and of those that are not single numbers.
    exact: Vec<FxHashMap<Range, u16>>,
    wide: Vec<Vec<u16>>,
    all: FxHashSet<&'a [u16]>,
}

impl<'a> Rows<'a> {
    /// Errors: what is wrong with the set; the reason is a predicate.
    pub(super) fn new(any: &[Option<Range>], set: &'a StateSet) -> Result<Rows<'a>, String> {
        let n = set.vars.len();
        if set.ranges.len() != n {
            return Err("does not say which ranges its variables have".into());
        }
        for (v, ranges) in set.vars.iter().zip(&set.ranges) {
            let any = any.get(v.index()).copied().flatten();
            let fits = |r: &Range| any.is_some_and(|any| r.lo <= r.hi && any.contains(*r));
            if !ranges.iter().all(fits) {
                return Err(format!("has ranges that {v} cannot have"));
            }
        }
        if !set.rows.len().is_multiple_of(n.max(1)) || (n == 0 && !set.rows.is_empty()) {
            return Err("has an incomplete row".into());
        }
        let in_range = |row: &[u16]| row.iter().zip(&set.ranges).all(|(i, all)| usize::from(*i) < all.len());
        if !set.each_row().all(in_range) {
            return Err("has a row with a range that does not exist".into());
        }
        let (mut exact, mut wide) = (Vec::with_capacity(n), Vec::with_capacity(n));
        for ranges in &set.ranges {
            let indices = || ranges.iter().enumerate().map(|(i, r)| (i as u16, *r));
            exact.push(indices().map(|(i, r)| (r, i)).collect());
            wide.push(indices().filter(|(_, r)| r.as_point().is_none()).map(|(i, _)| i).collect());
        }
        Ok(Rows { vars: &set.vars, ranges: &set.ranges, exact, wide, all: set.each_row().collect() })
    }

    /// The variables of which the set says something.
    pub(super) fn vars(&self) -> &'a [VarId] {
        self.vars
    }

    /// Whether some row has all these values.
    pub(super) fn cover(&self, values: &[Range]) -> bool {
        // Most states are rows as they are.
        let exact = self.vars.iter().zip(&self.exact).map(|(v, all)| all.get(&values[v.index()]).copied());
        let row: Option<SmallVec<[u16; 128]>> = exact.collect();
        row.is_some_and(|row| self.all.contains(&row[..])) || self.cover_by_wider(values)
    }

    /// Whether some row has all these values, and perhaps others.
    fn cover_by_wider(&self, values: &[Range]) -> bool {
        let mut ways: Vec<Vec<u16>> = vec![Vec::with_capacity(self.vars.len())];
        for (i, v) in self.vars.iter().enumerate() {
            let value = values[v.index()];
            let point = value.as_point().and_then(|_| self.exact[i].get(&value)).copied();
            let wide = self.wide[i].iter().copied().filter(|w| self.ranges[i][usize::from(*w)].contains(value));
            let mut found = point.into_iter().chain(wide);
            let Some(first) = found.next() else { return false };
            let others: Vec<u16> = found.collect();
            if ways.len() * (1 + others.len()) > MAX_WAYS {
                return false;
            }
            let more: Vec<Vec<u16>> = others
                .iter()
                .flat_map(|o| ways.iter().map(move |way| way.iter().copied().chain([*o]).collect()))
                .collect();
            ways.iter_mut().for_each(|way| way.push(first));
            ways.extend(more);
        }
        ways.iter().any(|way| self.all.contains(&way[..]))
    }
}
