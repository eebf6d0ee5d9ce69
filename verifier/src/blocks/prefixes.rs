//! The infeasible prefixes of an infeasible trace (Beyer, Löwe, Wendler: Sliced path prefixes, FORTE 2015).
//!
//! A trace is often infeasible for several reasons. The first prefix that is infeasible shows one of them. Without the last condition of
//! that prefix, the trace may still be infeasible, for another reason, which the next prefix shows; and so on. What an analysis has to
//! track to exclude the trace depends on the prefix that it takes.

use super::formula::Maker;
use super::trace::{Block, BlockTrace};
use crate::cpa::Cx;
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};

/// Maximum time of a query whether a prefix is infeasible.
const QUERY: Duration = Duration::from_millis(500);

/// Maximum time in all.
const LONGEST: Duration = Duration::from_secs(2);

/// The first `most` infeasible prefixes of the trace of `blocks`, as traces that have no conditions after them; fewer if they are not found
/// in a limited time.
pub fn infeasible_prefixes(maker: &Maker, cx: &mut Cx<'_>, blocks: &[Block], most: usize) -> Vec<BlockTrace> {
    let end = Instant::now() + LONGEST;
    let mut search = Search { maker, cx, blocks, free: FxHashSet::default() };
    let mut found = Vec::new();
    while found.len() < most && Instant::now() < end {
        let Some((last, trace)) = search.first() else { break };
        found.push(trace);
        search.free.insert(last);
    }
    found
}

/// A search for infeasible prefixes.
struct Search<'a, 'c, 'p> {
    maker: &'a Maker,
    cx: &'c mut Cx<'p>,
    blocks: &'a [Block],
    /// The conditions that are left out.
    free: FxHashSet<(usize, usize)>,
}

impl Search<'_, '_, '_> {
    /// The first prefix that is found to be infeasible, and its last condition; `None` if there is none.
    fn first(&mut self) -> Option<((usize, usize), BlockTrace)> {
        let all = self.until((usize::MAX, 0));
        let block = self.least(all.parts.len(), |search, i| search.is_infeasible(&all, i))?;
        let n = self.blocks[block].formula.conditions().count();
        let last = self.least(n, |search, c| {
            let trace = search.until((block, c));
            search.is_infeasible(&trace, block)
        })?;
        Some(((block, last), self.until((block, last))))
    }

    /// The trace up to a condition.
    fn until(&mut self, last: (usize, usize)) -> BlockTrace {
        let cfa = self.cx.program.cfa.clone();
        let kept = |at| at <= last && !self.free.contains(&at);
        BlockTrace::with_conditions(self.maker, &cfa, &mut self.cx.terms, self.blocks, &kept)
    }

    /// Whether the blocks up to `last` are found to be infeasible.
    fn is_infeasible(&mut self, trace: &BlockTrace, last: usize) -> bool {
        self.cx.satisfiable(&trace.parts[..=last], QUERY) == Some(false)
    }

    /// The least of `n` numbers for which `holds`, which then holds for all above it; `None` if it holds for none.
    fn least(&mut self, n: usize, mut holds: impl FnMut(&mut Self, usize) -> bool) -> Option<usize> {
        let (mut low, mut high) = (0, n.checked_sub(1)?);
        if !holds(self, high) {
            return None;
        }
        while low < high {
            let middle = low.midpoint(high);
            match holds(self, middle) {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        Some(high)
    }
}
