//! From the raw CFA of a front-end to the one that is sliced and verified: indirect calls resolved, memory split, addresses fixed.

use crate::call_graph::resolve_indirect_calls;
use crate::exposure::exposed_objects;
use crate::layout::assign_addresses;
use crate::opaque::OpaqueReads;
use crate::pointer_order::free_pointer_order;
use crate::points_to::{PointsTo, PointsToKind, memory_var};
use crate::promote::{PromoteOptions, PromoteStats, promote};
use anyhow::Result;
use cfa::{Cfa, Op};

/// How a raw CFA is prepared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PrepareOptions {
    /// Turn objects into scalar variables where all accesses allow. Off, verdicts stay the same and take longer.
    pub promote: bool,
    /// Let memories have cells of more than a byte where all accesses allow.
    pub wide_cells: bool,
    /// Which points-to analysis.
    pub points_to: PointsToKind,
}

impl Default for PrepareOptions {
    fn default() -> Self {
        PrepareOptions { promote: true, wide_cells: true, points_to: PointsToKind::Andersen }
    }
}

/// What preparation did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PrepareStats {
    /// Functions that are never called; their operations are gone.
    pub unreached_functions: usize,
    /// Indirect calls that were resolved.
    pub indirect_calls: usize,
    /// Comparisons and subtractions of addresses that became inputs.
    pub free_comparisons: usize,
    /// Objects whose numeric address the program computes with.
    pub exposed_objects: usize,
    /// Regions and promotion.
    pub promotion: PromoteStats,
}

/// Prepares a raw CFA. Ids of edges, locations, variables, functions and objects stay; new ones come behind them.
///
/// Errors: the CFA has more than one memory (it was prepared before), or its objects do not fit into its address space.
pub fn prepare(mut cfa: Cfa, options: &PrepareOptions) -> Result<(Cfa, PrepareStats)> {
    let memory = memory_var(&cfa)?;
    let points_to = PointsTo::analyse(&cfa, memory, options.points_to);
    let mut stats =
        PrepareStats { unreached_functions: drop_unreached(&mut cfa, &points_to), ..PrepareStats::default() };
    stats.indirect_calls = resolve_indirect_calls(&mut cfa, &points_to);
    let opaque = OpaqueReads::new(&mut cfa, &points_to);
    let exposed = exposed_objects(&cfa, &points_to);
    stats.exposed_objects = exposed.count_ones(..);
    stats.free_comparisons = free_pointer_order(&mut cfa, &points_to);
    if let Some(memory) = memory {
        let options = PromoteOptions { scalars: options.promote, wide_cells: options.wide_cells };
        stats.promotion = promote(&mut cfa, memory, &points_to, &exposed, &opaque, options);
    }
    assign_addresses(&mut cfa, &exposed)?;
    Ok((cfa, stats))
}

/// Turns the operations of functions that are never called into skips, so that they neither split nor read anything.
fn drop_unreached(cfa: &mut Cfa, points_to: &PointsTo) -> usize {
    for e in cfa.edges.ids() {
        if !points_to.reaches(cfa.locs[cfa.edges[e].from].func) {
            cfa.edges[e].op = Op::Skip;
            cfa.allocations.remove(&e);
            cfa.frees.remove(&e);
            cfa.pointer_comparisons.remove(&e);
            cfa.external_calls.remove(&e);
            cfa.opaque_args.remove(&e);
            cfa.opaque_calls.remove(&e);
        }
    }
    cfa.funcs.ids().filter(|f| !points_to.reaches(*f)).count()
}
