//! The variables that an infeasible trace needs, if few values suffice.
//!
//! A trace is often infeasible for several reasons, and a proof of that mixes them. Interpolants that speak of few variables are more
//! likely to hold again: so the trace is weakened as long as it stays infeasible, by not passing on the values of variables from block
//! to block. First, all variables are given up but those that only take constants and are compared with them ([`Values`]). If the trace
//! is feasible then, it needs computation: which variables a sum needs is not for queries to say. But variables that cost much to track,
//! such as counters of loops, are given up if the trace stays infeasible by what else is known at its cuts. (Beyer, Löwe, Wendler, FORTE
//! 2015, weaken paths by leaving out conditions instead.)

use super::formula::Maker;
use super::trace::{Block, BlockTrace, Place};
use super::values::Values;
use crate::cpa::Cx;
use cfa::VarId;
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};

/// Maximum time of a query whether a weaker trace is infeasible.
const QUERY: Duration = Duration::from_millis(500);

/// Maximum time in all.
const LONGEST: Duration = Duration::from_secs(2);

/// A search for the variables without which a trace stays infeasible.
struct Search<'a, 'c, 'p> {
    maker: &'a Maker,
    cx: &'c mut Cx<'p>,
    blocks: &'a [Block],
    forgotten: FxHashSet<Place>,
    /// The weakest trace so far, if there is one.
    weak: Option<BlockTrace>,
    end: Instant,
}

/// The infeasible `trace` of `blocks`, weakened as far as it is found to stay infeasible in a limited time; `None` if it needs more than
/// variables with few values, as `values` has them.
pub fn relevant(
    maker: &Maker,
    cx: &mut Cx<'_>,
    (blocks, trace): (&[Block], &BlockTrace),
    values: &Values,
) -> Option<BlockTrace> {
    let mut places: Vec<Place> = trace.cuts.iter().flat_map(|cut| cut.places.values().copied()).collect();
    places.sort_unstable();
    places.dedup();
    let (few, others): (Vec<Place>, Vec<Place>) = places.into_iter().partition(|(v, _)| values.are_few(*v));
    if few.is_empty() {
        return None;
    }
    let end = Instant::now() + LONGEST;
    let mut search = Search { maker, cx, blocks, forgotten: FxHashSet::default(), weak: None, end };
    if search.do_without(&others) {
        search.give_up(&few);
    }
    search.weak
}

/// The infeasible `trace` of `blocks` without what is passed on about variables that are `dear`, as many of them as it is found to stay
/// infeasible without in a limited time; `None` if there are none.
pub fn without_dear(
    maker: &Maker,
    cx: &mut Cx<'_>,
    (blocks, trace): (&[Block], &BlockTrace),
    is_dear: &dyn Fn(VarId) -> bool,
) -> Option<BlockTrace> {
    let places = trace.cuts.iter().flat_map(|cut| cut.places.values().copied());
    let mut dear: Vec<Place> = places.filter(|(v, _)| is_dear(*v)).collect();
    dear.sort_unstable();
    dear.dedup();
    let end = Instant::now() + LONGEST;
    let mut search = Search { maker, cx, blocks, forgotten: FxHashSet::default(), weak: None, end };
    search.give_up(&dear);
    search.weak
}

impl Search<'_, '_, '_> {
    /// Gives up as many of `places` as possible, first of all together.
    fn give_up(&mut self, places: &[Place]) {
        if places.is_empty() || Instant::now() >= self.end || self.do_without(places) {
            return;
        }
        if let (a, b @ [_, ..]) = places.split_at(places.len() / 2)
            && !a.is_empty()
        {
            self.give_up(a);
            self.give_up(b);
        }
    }

    /// Whether the trace stays infeasible without these.
    fn do_without(&mut self, places: &[Place]) -> bool {
        let mut forgotten = self.forgotten.clone();
        forgotten.extend(places);
        let cfa = self.cx.program.cfa.clone();
        let weaker = BlockTrace::without(self.maker, &cfa, &mut self.cx.terms, self.blocks, &forgotten);
        let is_infeasible = self.cx.satisfiable(&weaker.parts, QUERY) == Some(false);
        if is_infeasible {
            (self.forgotten, self.weak) = (forgotten, Some(weaker));
        }
        is_infeasible
    }
}
