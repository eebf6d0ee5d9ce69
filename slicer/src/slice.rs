//! Slices of programs: criteria, options, and what comes out.
//!
//! A backward slice keeps what can decide whether a criterion is reached, and with which values (Weiser, "Program slicing", ICSE
//! 1981, as reachability in the dependence graph; Ottenstein and Ottenstein 1984). It over-approximates: every execution of the
//! program that reaches a criterion is one of the slice. It ignores termination, so it may leave loops that the program does
//! not leave; what a user assumed and tests that end the execution are kept.

use crate::backward::Walk;
use crate::dependence::control_dep::{ControlDependence, ControlKind, ControlOptions};
use crate::dependence::relevant::Live;
use crate::why::Reasons;
use cfa::bytes::Bytes;
use cfa::view::Slice;
use cfa::{Cfa, EdgeId, LocId, VarId};

/// What a slice is made for: all of it matters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Criterion {
    /// It matters whether this location is reached.
    pub at: LocId,
    /// Operations that act.
    pub edges: Vec<EdgeId>,
    /// Variables whose values at the location matter.
    pub vars: Vec<VarId>,
    /// Bytes of memories whose contents at the location matter.
    pub bytes: Vec<(VarId, Bytes)>,
}

impl Criterion {
    /// Reaching `at`.
    pub fn reach(at: LocId) -> Criterion {
        Criterion { at, edges: Vec::new(), vars: Vec::new(), bytes: Vec::new() }
    }

    /// `e` acts, and on the same values.
    pub fn acts(cfa: &Cfa, e: EdgeId) -> Criterion {
        Criterion { edges: vec![e], ..Criterion::reach(cfa.edges[e].from) }
    }
}

/// How to slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SliceOptions {
    /// Which control dependences count.
    pub control: ControlKind,
    /// Whether operations that may trap (null dereference, division by zero) stay in front of the criteria, so that a slice that
    /// is executed comes to its criteria on no more inputs than the program. Otherwise they stay where their results matter.
    pub keep_traps: bool,
    /// Whether paths that cannot reach a criterion end at once. Otherwise they stay, without what does not matter.
    pub cutoff_diverging: bool,
    /// Whether a function is only called where what it does matters. Otherwise each live call of it is kept.
    pub context_sensitive: bool,
}

impl Default for SliceOptions {
    fn default() -> SliceOptions {
        SliceOptions {
            control: ControlKind::Standard,
            keep_traps: false,
            cutoff_diverging: true,
            context_sensitive: true,
        }
    }
}

/// A slice, why it keeps what it keeps, and its size.
#[derive(Clone, Debug)]
pub struct Sliced {
    /// The edges that act and those that are left.
    pub slice: Slice,
    /// Why each edge is kept.
    pub reasons: Reasons,
    /// Sizes.
    pub stats: SliceStats,
}

/// Edges of a program, and how many of them a slice keeps.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SliceStats {
    /// All edges of the program.
    pub edges: usize,
    /// Edges from which a criterion can be reached.
    pub live: usize,
    /// Edges that act.
    pub kept: usize,
}

impl SliceStats {
    /// Counts the edges of `slice`.
    pub fn of(cfa: &Cfa, slice: &Slice) -> SliceStats {
        SliceStats { edges: cfa.edges.len(), live: slice.live.count_ones(..), kept: slice.kept.count_ones(..) }
    }
}

/// The backward slice for reaching the program's targets, with the usual options: what verification explores.
pub fn slice_for_targets(cfa: &Cfa) -> Slice {
    let criteria: Vec<Criterion> = cfa.targets.iter().map(|t| Criterion::reach(*t)).collect();
    slice(cfa, &criteria, &SliceOptions::default()).slice
}

/// The backward slice of a program whose indirect calls are resolved, for `criteria`.
///
/// Cost: near-linear in the program and its control dependences; data dependences are followed on demand, from what is kept,
/// up to a limit, beyond which all writes of a variable count for each of its reads.
pub fn slice(cfa: &Cfa, criteria: &[Criterion], options: &SliceOptions) -> Sliced {
    let mut ends: Vec<LocId> = criteria.iter().map(|c| c.at).collect();
    ends.extend(criteria.iter().flat_map(|c| &c.edges).flat_map(|e| [cfa.edges[*e].from, cfa.edges[*e].to]));
    let live = if options.cutoff_diverging { Live::new(cfa, &ends) } else { Live::reachable(cfa) };
    let control = ControlOptions { kind: options.control, traps: options.keep_traps };
    let control = ControlDependence::new(cfa, &live, &ends, control);
    let (kept, reasons) = Walk::new(cfa, &live, &control, options).run(criteria);
    let slice = Slice { kept, live: live.edges };
    Sliced { stats: SliceStats::of(cfa, &slice), slice, reasons }
}
