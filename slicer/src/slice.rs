//! Program slices: criteria, options, and results.
//!
//! A backward slice keeps what can decide whether a criterion is reached, and with which values (Weiser, "Program slicing",
//! ICSE 1981, as reachability in the dependence graph; Ottenstein and Ottenstein 1984). It is an over-approximation: every
//! execution of the program that reaches a criterion is also one of the slice. It ignores termination, so it may leave loops
//! that the program does not leave; the user's assumptions and tests that end the execution are kept.

use crate::backward::{Effects, Walk};
use crate::both::both;
use crate::dependence::control_dep::{ControlDependence, ControlKind, ControlOptions};
use crate::dependence::relevant::Live;
use crate::handlers;
use crate::why::Reasons;
use cfa::bytes::Bytes;
use cfa::view::Slice;
use cfa::{Cfa, EdgeId, LocId, VarId};

/// What a slice must preserve: whether a location is reached, the effects of edges, and values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Criterion {
    /// The location: it matters whether it is reached.
    pub at: LocId,
    /// Edges whose operations matter.
    pub edges: Vec<EdgeId>,
    /// Variables whose values at the location matter.
    pub vars: Vec<VarId>,
    /// Bytes of memories whose contents at the location matter.
    pub bytes: Vec<(VarId, Bytes)>,
}

impl Criterion {
    /// The criterion that `at` is reached.
    pub fn reach(at: LocId) -> Criterion {
        Criterion { at, edges: Vec::new(), vars: Vec::new(), bytes: Vec::new() }
    }

    /// The criterion that `e` is executed, and reads the same values.
    pub fn acts(cfa: &Cfa, e: EdgeId) -> Criterion {
        Criterion { edges: vec![e], ..Criterion::reach(cfa.edges[e].from) }
    }
}

/// Options of slicing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SliceOptions {
    /// Which control dependences count.
    pub control: ControlKind,
    /// Whether operations that may trap (null dereference, division by zero) are kept before the criteria, so that the
    /// slice, when executed, reaches its criteria on no more inputs than the program. Otherwise they are kept only where
    /// their results matter.
    pub keep_traps: bool,
    /// Whether paths that cannot reach a criterion end at once. Otherwise these paths stay, without the operations that
    /// do not matter.
    pub cutoff_diverging: bool,
    /// Whether a function is called only where its effects matter. Otherwise each live call of it is kept.
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

/// A slice, the reasons for what it keeps, and its size.
#[derive(Clone, Debug)]
pub struct Sliced {
    /// The kept and the live edges.
    pub slice: Slice,
    /// The reason for each kept edge.
    pub reasons: Reasons,
    /// The sizes of the program and the slice.
    pub stats: SliceStats,
}

/// The number of edges of a program, and how many of them a slice keeps.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SliceStats {
    /// Number of edges of the program.
    pub edges: usize,
    /// Number of edges from which a criterion can be reached.
    pub live: usize,
    /// Number of edges that the slice keeps.
    pub kept: usize,
}

impl SliceStats {
    /// Counts the edges of `slice`.
    pub fn of(cfa: &Cfa, slice: &Slice) -> SliceStats {
        SliceStats { edges: cfa.edges.len(), live: slice.live.count_ones(..), kept: slice.kept.count_ones(..) }
    }
}

/// The backward slice for reaching the program's targets, with the default options: this is what verification explores.
pub fn slice_for_targets(cfa: &Cfa) -> Slice {
    let criteria: Vec<Criterion> = cfa.targets.iter().map(|t| Criterion::reach(*t)).collect();
    slice(cfa, &criteria, &SliceOptions::default()).slice
}

/// The backward slice for `criteria` of a program whose indirect calls are resolved.
///
/// Cost: near-linear in the program and its control dependences. Data dependences are followed on demand, from what is kept,
/// up to a limit; beyond it, all writes of a variable count for each of its reads.
pub fn slice(cfa: &Cfa, criteria: &[Criterion], options: &SliceOptions) -> Sliced {
    let mut ends: Vec<LocId> = criteria.iter().map(|c| c.at).collect();
    ends.extend(criteria.iter().flat_map(|c| &c.edges).flat_map(|e| [cfa.edges[*e].from, cfa.edges[*e].to]));
    // A handler may lead to a criterion from everywhere.
    let has_handlers = handlers::may_run(cfa);
    let ends_early = options.cutoff_diverging && !has_handlers;
    let live = if ends_early { Live::new(cfa, &ends) } else { Live::reachable(cfa) };
    // Programs wait for handlers in loops.
    let kind = if has_handlers { ControlKind::Ntscd } else { options.control };
    let control = ControlOptions { kind, traps: options.keep_traps, handlers: has_handlers };
    let (control, effects) = both(|| ControlDependence::new(cfa, &live, &ends, control), || Effects::new(cfa, &live));
    let (kept, reasons) = Walk::new(cfa, &live, &control, options, effects).run(criteria);
    let slice = Slice { kept, live: live.edges };
    Sliced { stats: SliceStats::of(cfa, &slice), slice, reasons }
}
