//! Preparation of a front-end's raw CFA for slicing and verification: indirect calls are resolved, memory is split, addresses
//! are fixed.
//!
//! The steps, in the order in which this file runs them:
//! 1. `numbers_as_pointers`: pointers in memory that were stored as numbers;
//! 2. `opaque_calls`: what undefined functions may read;
//! 3. `address_comparison`: objects whose addresses are compared;
//! 4. `hidden_objects`: accesses of what only models of the C library know;
//! 5. `address_vectors`: what is read from vectors of addresses, such as `argv`;
//! 6. `invalid_accesses`: accesses that end the execution;
//! 7. `outside`: accesses that may lie outside the program;
//! 8. `regions` and `promote`: which accesses may meet, and memory that becomes variables;
//! 9. `pointer_order`: comparisons of addresses;
//! 10. `same_results`: undefined functions that return the same for the same arguments;
//! 11. `block_questions`: how many bytes blocks have, and where they begin;
//! 12. `layout`: where objects lie;
//! 13. `nan_bits` and `float_precision`: what is assumed about floating-point numbers.
//!
//! To understand them, read `regions` and `promote` first, then `outside` and `layout`.

mod address_comparison;
mod address_vectors;
mod array_terms;
mod block_questions;
mod float_precision;
mod hidden_objects;
mod invalid_accesses;
pub mod layout;
mod nan_bits;
mod numbers_as_pointers;
pub mod occurrences;
mod opaque_calls;
mod outside;
pub mod pointer_order;
pub mod promote;
pub mod regions;
mod same_results;
mod slots;
mod tables;

use crate::both::both;
use crate::call_graph::resolve_indirect_calls;
use crate::points_to::{PointsTo, PointsToKind, memory_var};
use crate::prepare::address_comparison::{declared_objects, open_equalities};
use crate::prepare::address_vectors::tell_addresses;
use crate::prepare::array_terms::ArrayTerms;
use crate::prepare::block_questions::{answer_block_questions, asked_sites};
use crate::prepare::float_precision::assume_precision;
use crate::prepare::hidden_objects::{guard_hidden_accesses, hidden_accesses, objects_of};
use crate::prepare::invalid_accesses::guard_invalid_accesses;
use crate::prepare::layout::{Known, SiteRanges, assign_addresses};
use crate::prepare::nan_bits::assume_one_nan;
use crate::prepare::numbers_as_pointers::assume_stored_pointers;
use crate::prepare::occurrences::Occurrences;
use crate::prepare::opaque_calls::OpaqueReads;
use crate::prepare::outside::{Unknown, outside_knows_few, split_outside_accesses};
use crate::prepare::pointer_order::{compared_sites, free_pointer_order, ordered_objects};
use crate::prepare::promote::{PromoteOptions, PromoteStats, promote};
use crate::prepare::same_results::equate_results;
use crate::prepare::slots::choose_slots;
use anyhow::Result;
use cfa::pointers::{PointerClaims, SplitClaims};
use cfa::{
    Allocation, Assumed, Assumption, Cfa, EdgeId, Matters, Object, ObjectId, ObjectKind, Op, RawCfa, Sort, Span,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Options of the preparation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PrepareOptions {
    /// Turn objects into scalar variables where all accesses allow it. Without this, verdicts are the same but take longer.
    pub promote: bool,
    /// Give memories cells of more than one byte where all accesses allow it.
    pub wide_cells: bool,
    /// Whether to note which bytes of their blocks accesses touch ([`Memory::fields`](cfa::graph::Memory::fields)): slices are smaller then. The
    /// checker of certificates does not know these bytes, so that slices for proofs do without.
    pub fields: bool,
    /// Which points-to analysis to run.
    pub points_to: PointsToKind,
}

impl Default for PrepareOptions {
    fn default() -> Self {
        PrepareOptions { promote: true, wide_cells: true, fields: false, points_to: PointsToKind::Andersen }
    }
}

/// Statistics of the preparation.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PrepareStats {
    /// Number of functions that are never called, whose operations were removed.
    pub unreached_functions: usize,
    /// Number of indirect calls that were resolved.
    pub indirect_calls: usize,
    /// Number of comparisons and subtractions of addresses that became inputs.
    pub free_comparisons: usize,
    /// Number of objects whose numeric address the program computes with.
    pub exposed_objects: usize,
    /// Number of operations that are preceded by a test of whether their addresses lie in the program's objects.
    pub outside_accesses: usize,
    /// Statistics of regions and promotion.
    pub promotion: PromoteStats,
}

/// What the preparation relied on, for an independent check.
pub struct Claims {
    /// The raw graph that the claims are about.
    pub raw: RawCfa,
    /// The points-to solution.
    pub pointers: PointerClaims,
    /// How memory was split.
    pub split: SplitClaims,
}

/// What the addresses of a raw CFA may point to. Adds the object that stands for memory outside of the program, if bytes come from
/// there.
///
/// Errors: the CFA has more than one memory.
pub fn analyse_pointers(raw: &mut RawCfa, kind: PointsToKind) -> Result<PointsTo> {
    let memory = memory_var(&raw.cfa)?;
    name_outside(&mut raw.cfa);
    Ok(PointsTo::analyse(raw, memory, kind))
}

/// Prepares a raw CFA like [`prepare`], and returns the claims on which this relied. Errors: as for [`prepare`]. Cost: in addition, a
/// copy of the graph.
pub fn prepare_with_claims(raw: RawCfa, options: &PrepareOptions) -> Result<(Cfa, PrepareStats, Claims)> {
    let mut claims = None;
    let (cfa, stats) = prepare_and_tell(raw, options, Some(&mut claims))?;
    let claims = claims.unwrap_or_else(|| unreachable!("asked for"));
    Ok((cfa, stats, claims))
}

/// Prepares a raw CFA. Edges, locations, variables, functions and objects keep their ids; new ones get the next ids.
///
/// Errors: the CFA has more than one memory (it has been prepared already), or its objects do not fit into its address space.
pub fn prepare(raw: RawCfa, options: &PrepareOptions) -> Result<(Cfa, PrepareStats)> {
    prepare_and_tell(raw, options, None)
}

fn prepare_and_tell(
    mut raw: RawCfa,
    options: &PrepareOptions,
    claims: Option<&mut Option<Claims>>,
) -> Result<(Cfa, PrepareStats)> {
    let memory = memory_var(&raw.cfa)?;
    name_outside(&mut raw.cfa);
    let analyse = || PointsTo::analyse(&raw, memory, options.points_to);
    let (points_to, claimed) = both(analyse, || claims.is_some().then(|| raw.clone()));
    let declared = declared_objects(&raw.cfa);
    let array_terms = ArrayTerms::new(&raw.cfa);
    let pointers = &raw.facts.pointer_accesses;
    let numbers = assume_stored_pointers(&mut raw.cfa, pointers, memory, &points_to, &array_terms);
    let mut stats =
        PrepareStats { unreached_functions: drop_unreached(&mut raw, &points_to), ..PrepareStats::default() };
    stats.indirect_calls = resolve_indirect_calls(&mut raw, &points_to);
    let RawCfa { mut cfa, mut facts } = raw;
    let occurrences = Occurrences::new(&cfa);
    assume_valid_frees(&mut cfa, &points_to, &occurrences);
    assume_copies_apart(&mut cfa, &points_to, &occurrences);
    let opaque = OpaqueReads::new(&mut cfa, &mut facts, &points_to);
    stats.exposed_objects = points_to.exposed().len();
    // The program inspects the addresses of these objects, so they must be placed freely.
    let exposed = points_to.exposed().to_vec();
    let mut looked_at: BTreeSet<ObjectId> = exposed.iter().copied().collect();
    looked_at.extend(open_equalities(&mut cfa, &facts, &points_to, &numbers, &declared, &occurrences));
    looked_at.extend(ordered_objects(&cfa, &facts.pointer_comparisons, &points_to, &occurrences));
    let hidden = memory.map(|memory| hidden_accesses(&cfa, memory, &points_to)).unwrap_or_default();
    looked_at.extend(objects_of(&hidden));
    let all: BTreeSet<ObjectId> = points_to.known().iter().chain(&looked_at).copied().collect();
    let known = Known { all: Vec::from_iter(all), looked_at: Vec::from_iter(looked_at), exposed };
    if let Some(memory) = memory {
        tell_addresses(&mut cfa, &facts, memory, (&points_to, &array_terms));
    }
    let invalid =
        memory.map(|memory| guard_invalid_accesses(&mut cfa, memory, &points_to, &array_terms)).unwrap_or_default();
    if !invalid.is_empty() {
        cfa.assumptions.push(Assumption::of_proofs(Assumed::ValidAccesses, Matters::IfExecuted(invalid)));
    }
    let mut compared = compared_sites(&cfa, &facts.pointer_comparisons, &points_to);
    compared.extend(asked_sites(&cfa, &facts.block_questions, &points_to));
    compared.sort_unstable();
    choose_slots(&mut cfa, (&known.all, &compared), &occurrences);
    let ranges = SiteRanges::new(&mut cfa, &known.all, &compared);
    let guards = guard_hidden_accesses(&mut cfa, &hidden, &points_to, &ranges);
    if !guards.is_empty() {
        cfa.assumptions.push(Assumption::of_proofs(Assumed::OpaqueStreams, Matters::IfExecuted(guards)));
    }
    let unknown = Unknown::new(&cfa, &points_to, &known.looked_at, &ranges);
    if let (Some(memory), Some(unknown)) = (memory, &unknown) {
        unknown.guard(&mut cfa, memory, (&points_to, &array_terms));
    }
    let tested = memory
        .map(|memory| {
            let placed = (&ranges, unknown.as_ref());
            split_outside_accesses(&mut cfa, memory, (&points_to, &array_terms), &known.all, placed)
        })
        .unwrap_or_default();
    stats.outside_accesses = tested.len();
    let guards = unknown.map(Unknown::into_guards).unwrap_or_default();
    if !guards.is_empty() {
        cfa.assumptions.push(Assumption::of_proofs(outside_knows_few(&facts), Matters::IfExecuted(guards)));
    }
    let mut places = FxHashMap::default();
    if let Some(memory) = memory {
        let options =
            PromoteOptions { scalars: options.promote, wide_cells: options.wide_cells, fields: options.fields };
        (stats.promotion, places) = promote(&mut cfa, &facts, memory, &points_to, &known.all, &opaque, options);
    }
    // Tables are no memories, in which accesses may meet.
    stats.free_comparisons =
        free_pointer_order(&mut cfa, &facts.pointer_comparisons, &points_to, &known.all, (&ranges, &occurrences));
    equate_results(&mut cfa, &points_to, &occurrences);
    answer_block_questions(&mut cfa, &facts.block_questions, &points_to, (&ranges, &occurrences));
    assume_ranges(&mut cfa, &occurrences);
    assign_addresses(&mut cfa, &known, &ranges, &occurrences)?;
    assume_one_nan(&mut cfa);
    assume_precision(&mut cfa);
    if let (Some(claims), Some(raw)) = (claims, claimed) {
        let split = SplitClaims { places, tested: tested.into_iter().flatten().collect(), free: known.all };
        *claims = Some(Claims { raw, pointers: points_to.into_claims(), split });
    }
    Ok((cfa, stats))
}

/// Records the assumption that sites make no more blocks than fit into their ranges.
fn assume_ranges(cfa: &mut Cfa, occurrences: &Occurrences) {
    let of_many =
        |a: &Allocation| matches!(cfa.objects[a.object].kind, ObjectKind::Site(_)) && !occurrences.is_single(a.object);
    let mut edges: Vec<EdgeId> = cfa.allocations.iter().filter(|(_, a)| of_many(a)).map(|(e, _)| *e).collect();
    if !edges.is_empty() {
        edges.sort_unstable();
        cfa.assumptions.push(Assumption::of_proofs(Assumed::BlocksFit, Matters::IfKept(edges)));
    }
}

/// Records the assumption that what is freed is null or a block that has not been freed, for the edges at which this is not known.
fn assume_valid_frees(cfa: &mut Cfa, points_to: &PointsTo, occurrences: &Occurrences) {
    let is_freed = |e: &EdgeId, o: ObjectId| points_to.of(cfa.frees[e]).iter().any(|p| p.0 == o);
    let valid = |e: &EdgeId| match points_to.of(cfa.frees[e]) {
        [(o, at)] => {
            let is_block = cfa.objects[*o].heap && occurrences.is_single(*o) && at.as_exact() == Some(0);
            is_block
                && occurrences.is_executed_once(cfa, *e)
                && cfa.frees.keys().all(|other| other == e || !is_freed(other, *o))
        }
        _ => false,
    };
    let is_null = |e: &EdgeId| cfa.terms.as_u64(cfa.frees[e]) == Some(0);
    let mut unsure: Vec<EdgeId> = cfa.frees.keys().copied().filter(|e| !is_null(e) && !valid(e)).collect();
    if !unsure.is_empty() {
        unsure.sort_unstable();
        cfa.assumptions.push(Assumption::of_proofs(Assumed::ValidFrees, Matters::IfExecuted(unsure)));
    }
}

/// Records the assumption that copies are between ranges that do not overlap, for the edges at which this is not known.
fn assume_copies_apart(cfa: &mut Cfa, points_to: &PointsTo, occurrences: &Occurrences) {
    let is_known = |e: &EdgeId| {
        let [to, from, bytes] = cfa.apart[e];
        let (targets, sources) = (points_to.of(to), points_to.of(from));
        let is_clear = |a: i64, b: i64| {
            let distance = a.abs_diff(b);
            a == b || cfa.terms.as_u64(bytes).is_some_and(|bytes| bytes <= distance)
        };
        match (targets, sources) {
            ([(a, at)], [(b, from_at)]) if a == b && occurrences.is_single(*a) => {
                at.as_exact().zip(from_at.as_exact()).is_some_and(|(a, b)| is_clear(a, b))
            }
            _ => targets.iter().all(|p| sources.binary_search_by_key(&p.0, |q| q.0).is_err()),
        }
    };
    let mut unsure: Vec<EdgeId> = cfa.apart.keys().copied().filter(|e| !is_known(e)).collect();
    if !unsure.is_empty() {
        unsure.sort_unstable();
        cfa.assumptions.push(Assumption::of_proofs(Assumed::CopiesApart, Matters::IfExecuted(unsure)));
    }
}

/// Adds the object that stands for memory outside the program, if bytes come from there and the CFA has no such object yet.
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
        hidden: false,
        span: Span::default(),
    });
}

/// Turns the operations of functions that are never called into skips, so that they neither split memory nor read anything.
fn drop_unreached(raw: &mut RawCfa, points_to: &PointsTo) -> usize {
    let RawCfa { cfa, facts } = raw;
    for e in cfa.edges.ids() {
        if !points_to.reaches(cfa.locs[cfa.edges[e].from].func) {
            cfa.edges[e].op = Op::Skip;
            cfa.allocations.remove(&e);
            cfa.frees.remove(&e);
            cfa.apart.remove(&e);
            cfa.deliveries.remove(&e);
            cfa.lifetimes.remove(&e);
            cfa.external_calls.remove(&e);
            facts.remove(e);
        }
    }
    cfa.funcs.ids().filter(|f| !points_to.reaches(*f)).count()
}
