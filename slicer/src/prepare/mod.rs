//! From the raw CFA of a front-end to the one that is sliced and verified: indirect calls resolved, memory split, addresses fixed.
//!
//! Reading order: `regions` (which accesses may meet), `promote` (memory that becomes variables), `outside` (accesses that may lie outside the
//! program), `opaque_calls` (what undefined functions may change), `pointer_order` and `address_equality` (comparisons of addresses), `layout` (where
//! objects lie), `nan_bits`; then this file, which puts them in order.

mod address_equality;
pub mod layout;
mod nan_bits;
mod opaque_calls;
mod outside;
pub mod pointer_order;
pub mod promote;
pub mod regions;

use crate::call_graph::resolve_indirect_calls;
use crate::points_to::{PointsTo, PointsToKind, memory_var};
use crate::prepare::address_equality::open_equalities;
use crate::prepare::layout::{Known, SiteRanges, assign_addresses};
use crate::prepare::nan_bits::assume_one_nan;
use crate::prepare::opaque_calls::OpaqueReads;
use crate::prepare::outside::split_outside_accesses;
use crate::prepare::pointer_order::{free_pointer_order, ordered_objects, single_instances};
use crate::prepare::promote::{PromoteOptions, PromoteStats, promote};
use anyhow::Result;
use cfa::pointers::{PointerClaims, SplitClaims};
use cfa::{Allocation, Assumed, Assumption, Cfa, EdgeId, Id, Matters, Object, ObjectId, ObjectKind, Op, Sort, Span};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

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
    /// Operations in front of which it is tested whether their addresses lie in the program's objects.
    pub outside_accesses: usize,
    /// Regions and promotion.
    pub promotion: PromoteStats,
}

/// What preparation relied on, for a checker that does not.
pub struct Claims {
    /// The raw graph that the claims are about.
    pub raw: Cfa,
    /// The points-to solution.
    pub pointers: PointerClaims,
    /// How memory was split.
    pub split: SplitClaims,
}

/// Prepares a raw CFA as [`prepare`] does, and tells what that relied on. Costs a copy of the graph.
pub fn prepare_with_claims(raw: Cfa, options: &PrepareOptions) -> Result<(Cfa, PrepareStats, Claims)> {
    let mut claims = None;
    let (cfa, stats) = prepare_and_tell(raw, options, Some(&mut claims))?;
    let claims = claims.unwrap_or_else(|| unreachable!("asked for"));
    Ok((cfa, stats, claims))
}

/// Prepares a raw CFA. Ids of edges, locations, variables, functions and objects stay; new ones come behind them.
///
/// Errors: the CFA has more than one memory (it was prepared before), or its objects do not fit into its address space.
pub fn prepare(cfa: Cfa, options: &PrepareOptions) -> Result<(Cfa, PrepareStats)> {
    prepare_and_tell(cfa, options, None)
}

fn prepare_and_tell(
    mut cfa: Cfa,
    options: &PrepareOptions,
    claims: Option<&mut Option<Claims>>,
) -> Result<(Cfa, PrepareStats)> {
    let memory = memory_var(&cfa)?;
    name_outside(&mut cfa);
    let raw = claims.is_some().then(|| cfa.clone());
    let points_to = PointsTo::analyse(&cfa, memory, options.points_to);
    let mut stats =
        PrepareStats { unreached_functions: drop_unreached(&mut cfa, &points_to), ..PrepareStats::default() };
    stats.indirect_calls = resolve_indirect_calls(&mut cfa, &points_to);
    let opaque = OpaqueReads::new(&mut cfa, &points_to);
    stats.exposed_objects = points_to.exposed().len();
    // Where an object lies matters to the program: it lies anywhere.
    let exposed = points_to.exposed().to_vec();
    let mut looked_at: BTreeSet<ObjectId> = exposed.iter().copied().collect();
    looked_at.extend(open_equalities(&mut cfa, &points_to));
    looked_at.extend(ordered_objects(&cfa, &points_to));
    let all: BTreeSet<ObjectId> = points_to.known().iter().chain(&looked_at).copied().collect();
    let known = Known { all: Vec::from_iter(all), looked_at: Vec::from_iter(looked_at), exposed };
    let ranges = SiteRanges::new(&mut cfa, &known.all);
    let tested = memory
        .map(|memory| split_outside_accesses(&mut cfa, memory, &points_to, &known.all, &ranges))
        .unwrap_or_default();
    stats.outside_accesses = tested.len();
    let mut places = FxHashMap::default();
    stats.free_comparisons = free_pointer_order(&mut cfa, &points_to, &known.all);
    if let Some(memory) = memory {
        let options = PromoteOptions { scalars: options.promote, wide_cells: options.wide_cells };
        (stats.promotion, places) = promote(&mut cfa, memory, &points_to, &known.all, &opaque, options);
    }
    assume_ranges(&mut cfa);
    assign_addresses(&mut cfa, &known, &ranges)?;
    assume_one_nan(&mut cfa);
    if let (Some(claims), Some(raw)) = (claims, raw) {
        let split = SplitClaims { places, tested: tested.into_iter().flatten().collect(), free: known.all };
        *claims = Some(Claims { raw, pointers: points_to.into_claims(), split });
    }
    Ok((cfa, stats))
}

/// Says which sites are taken to make no more blocks than fit.
fn assume_ranges(cfa: &mut Cfa) {
    let single = single_instances(cfa);
    let of_many =
        |a: &Allocation| matches!(cfa.objects[a.object].kind, ObjectKind::Site(_)) && !single[a.object.index()];
    let mut edges: Vec<EdgeId> = cfa.allocations.iter().filter(|(_, a)| of_many(a)).map(|(e, _)| *e).collect();
    if !edges.is_empty() {
        edges.sort_unstable();
        cfa.assumptions.push(Assumption::of_proofs(Assumed::BlocksFit, Matters::IfKept(edges)));
    }
}

/// Makes the object that stands for memory outside the program, where bytes come from there and nothing names it yet.
fn name_outside(cfa: &mut Cfa) {
    let from_outside =
        |op: &Op| matches!(op, Op::Input { var, .. } if matches!(cfa.vars[*var].sort, Sort::Array { .. }));
    let needed = cfa.objects.iter().any(|o| o.declared) || cfa.edges.iter().any(|e| from_outside(&e.op));
    if !needed || cfa.outside().is_some() {
        return;
    }
    let taken = |name: &str| cfa.objects.iter().any(|o| o.name == name);
    let name =
        (0..).map(|i| if i == 0 { "outside".into() } else { format!("outside.{i}") }).find(|n: &String| !taken(n));
    cfa.objects.push(Object {
        name: name.unwrap_or_default(),
        kind: ObjectKind::Outside,
        size_bytes: None,
        align_bytes: 1,
        stride_bytes: 0,
        base: None,
        constant: false,
        heap: false,
        shared: false,
        declared: false,
        span: Span::default(),
    });
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
            cfa.escapes.remove(&e);
            cfa.given_away.remove(&e);
            cfa.opaque_calls.remove(&e);
        }
    }
    cfa.funcs.ids().filter(|f| !points_to.reaches(*f)).count()
}
