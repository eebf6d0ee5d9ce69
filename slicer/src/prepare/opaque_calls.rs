//! Memory that calls may read although no edge shows it, in a program that is sliced as a module.
//!
//! For a proof, an undefined function returns anything, and so does a library model where it is less precise than the
//! function. In a module that is executed, the function itself is called: it computes from memory what it computes in the
//! program only if it finds the same bytes there. So a slice that keeps a call keeps the memory that its pointer arguments point
//! to, and what pointers in that memory point to. Exact models declare what they read.
//!
//! What such a function may know by other means (globals by their names, pointers of earlier calls) is considered for
//! [`RawFacts::opaque_calls`] only. A construct without a model may also call back functions whose address it finds there: these
//! are recorded, since a slice cannot tell what such a call does.

use crate::points_to::{Pointee, PointsTo};
use crate::prepare::regions::{Regions, is_data};
use cfa::{Cfa, EdgeId, FuncId, Id, InputKind, ObjectId, ObjectKind, Op, Origin, RawFacts, Term, VarId};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The objects that opaque calls may read.
pub struct OpaqueReads {
    /// Index into `sets` for each call.
    of_edge: FxHashMap<EdgeId, u32>,
    /// The sets of objects, each ascending.
    sets: Vec<Vec<ObjectId>>,
    /// The union of the sets.
    all: FixedBitSet,
}

impl OpaqueReads {
    /// Finds what is reachable from the arguments in [`RawFacts::opaque_args`], and fills
    /// [`ModuleFacts`](cfa::ModuleFacts) but for `companions` and `unsliceable`. Empties [`RawFacts::opaque_args`] and
    /// [`RawFacts::opaque_calls`]. Indirect calls must be resolved.
    ///
    /// Cost: a search through the objects for each different combination of the arguments' points-to sets.
    pub fn new(cfa: &mut Cfa, facts: &mut RawFacts, points_to: &PointsTo) -> OpaqueReads {
        let args = std::mem::take(&mut facts.opaque_args);
        if !facts.opaque_calls.is_empty() {
            note_disclosures(cfa, facts, points_to);
        }
        let mut found = OpaqueReads {
            of_edge: FxHashMap::default(),
            sets: Vec::new(),
            all: FixedBitSet::with_capacity(cfa.objects.len()),
        };
        found.add_calls_that_read_all(cfa, std::mem::take(&mut facts.opaque_calls), points_to, &args);
        let opaque = if args.is_empty() { Vec::new() } else { opaque_functions(cfa) };
        let unmodelled = if args.is_empty() { Vec::new() } else { stand_ins_without_model(cfa) };
        let mut known: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        for (e, args) in args {
            let calls = match cfa.edges[e].op {
                Op::Call(f) => opaque[f.index()],
                // The tests into which an indirect call was resolved.
                Op::Assume { .. } => false,
                _ => true,
            };
            let mut sets: Vec<u32> = args.iter().map(|t| points_to.set_of(*t)).filter(|s| *s != 0).collect();
            sets.sort_unstable();
            sets.dedup();
            if !calls || sets.is_empty() {
                continue;
            }
            let may_call_back = match &cfa.edges[e].op {
                Op::Call(f) => unmodelled[f.index()],
                Op::Unsupported(u) => u.may_call,
                _ => false,
            };
            if may_call_back {
                let functions = functions_reachable(cfa, points_to, args.iter().flat_map(|t| points_to.of(*t)));
                if !functions.is_empty() {
                    cfa.module.callbacks.insert(e, functions);
                }
            }
            if found.of_edge.contains_key(&e) {
                continue;
            }
            let number = *known.entry(sets).or_insert_with(|| {
                let first = args.iter().flat_map(|t| points_to.of(*t)).map(|p| p.0).collect();
                found.add_set(reachable(cfa, points_to, first))
            });
            found.of_edge.insert(e, number);
        }
        found
    }

    /// Adds a set and returns its index.
    fn add_set(&mut self, objects: Vec<ObjectId>) -> u32 {
        self.all.extend(objects.iter().map(|o| o.index()));
        self.sets.push(objects);
        self.sets.len() as u32 - 1
    }

    /// Adds the calls of [`RawFacts::opaque_calls`], which may read what globals and the arguments of all opaque calls lead
    /// to.
    fn add_calls_that_read_all(
        &mut self,
        cfa: &Cfa,
        calls: FxHashSet<EdgeId>,
        points_to: &PointsTo,
        args: &FxHashMap<EdgeId, Vec<Term>>,
    ) {
        if calls.is_empty() {
            return;
        }
        let given = args.values().flatten().flat_map(|t| points_to.of(*t)).map(|p| p.0);
        let globals = cfa.objects.iter_enumerated().filter(|(_, o)| o.kind == ObjectKind::Global).map(|(o, _)| o);
        let all = self.add_set(reachable(cfa, points_to, given.chain(globals).collect()));
        self.of_edge.extend(calls.into_iter().map(|e| (e, all)));
    }

    /// Whether some opaque call may read the object.
    pub fn reads(&self, o: ObjectId) -> bool {
        self.all.contains(o.index())
    }

    /// The regions that the opaque call `e` may read.
    pub fn regions(&self, e: EdgeId, regions: &Regions) -> impl Iterator<Item = u32> {
        let set = self.of_edge.get(&e).map(|s| &self.sets[*s as usize]);
        set.into_iter().flatten().filter_map(|o| regions.of_object(*o))
    }

    /// The variables and memories that each opaque call may read; `of_region` returns those that a region became.
    pub fn variables(
        &self,
        regions: &Regions,
        mut of_region: impl FnMut(u32) -> Vec<VarId>,
    ) -> FxHashMap<EdgeId, Arc<[VarId]>> {
        let mut variables = |objects: &Vec<ObjectId>| -> Arc<[VarId]> {
            let mut read: Vec<u32> = objects.iter().filter_map(|o| regions.of_object(*o)).collect();
            read.sort_unstable();
            read.dedup();
            read.into_iter().flat_map(&mut of_region).collect()
        };
        let sets: Vec<Arc<[VarId]>> = self.sets.iter().map(&mut variables).collect();
        self.of_edge.iter().map(|(e, s)| (*e, sets[*s as usize].clone())).collect()
    }
}

/// Fills [`ModuleFacts::outsiders`](cfa::ModuleFacts::outsiders) and [`ModuleFacts::disclosures`](cfa::ModuleFacts::disclosures).
fn note_disclosures(cfa: &mut Cfa, facts: &RawFacts, points_to: &PointsTo) {
    let tells = |e: &EdgeId| match facts.escapes.get(e).or_else(|| facts.opaque_args.get(e)) {
        Some(given) => given.iter().any(|t| !points_to.of(*t).is_empty()),
        // It may be in a function that stands for an undefined one, whose arguments are noted at its calls.
        None => cfa.edges[*e].origin == Origin::NONE,
    };
    let mut disclosures: Vec<EdgeId> = facts.opaque_calls.iter().copied().filter(tells).collect();
    disclosures.sort_unstable();
    cfa.module.disclosures = disclosures;
    cfa.module.outsiders = facts.opaque_calls.clone();
}

/// For each function, whether it does more than its body shows: it stands for an undefined function, is a library model that
/// leaves something open, or calls such a model.
fn opaque_functions(cfa: &Cfa) -> Vec<bool> {
    let mut opaque = vec![false; cfa.funcs.len()];
    let mut callers: Vec<Vec<FuncId>> = vec![Vec::new(); cfa.funcs.len()];
    for (e, edge) in cfa.edges.iter_enumerated() {
        let f = cfa.locs[edge.from].func;
        let function = &cfa.funcs[f];
        let leaves_open = match &edge.op {
            Op::Input { kind: InputKind::Library(_) | InputKind::Approximate(_), .. } | Op::Unsupported(_) => true,
            Op::Call(g) => {
                callers[g.index()].push(f);
                false
            }
            _ => false,
        };
        let stands_for_another = cfa.external_calls.get(&e).is_some_and(|name| *name == function.name);
        opaque[f.index()] |= stands_for_another || (function.library && leaves_open);
    }
    let mut stack: Vec<FuncId> = cfa.funcs.ids().filter(|f| opaque[f.index()]).collect();
    while let Some(g) = stack.pop() {
        for &f in &callers[g.index()] {
            if cfa.funcs[f].library && !std::mem::replace(&mut opaque[f.index()], true) {
                stack.push(f);
            }
        }
    }
    opaque
}

/// For each function, whether it stands for an undefined one that may call functions of the program.
fn stand_ins_without_model(cfa: &Cfa) -> Vec<bool> {
    let mut found = vec![false; cfa.funcs.len()];
    for (e, name) in &cfa.external_calls {
        let f = cfa.locs[cfa.edges[*e].from].func;
        found[f.index()] |= *name == cfa.funcs[f].name && matches!(&cfa.edges[*e].op, Op::Unsupported(u) if u.may_call);
    }
    found
}

/// The functions among `pointees` and those that pointers in these objects lead to, ascending.
fn functions_reachable<'p>(
    cfa: &Cfa,
    points_to: &'p PointsTo,
    pointees: impl Iterator<Item = &'p Pointee>,
) -> Vec<FuncId> {
    let first: Vec<ObjectId> = pointees.map(|p| p.0).collect();
    let reached = reachable(cfa, points_to, first.clone());
    let stored = reached.into_iter().flat_map(|o| points_to.contents(o)).map(|p| p.0);
    let mut functions: Vec<FuncId> = first
        .into_iter()
        .chain(stored)
        .filter_map(|o| match cfa.objects[o].kind {
            ObjectKind::Function(f) => Some(f),
            _ => None,
        })
        .collect();
    functions.sort_unstable();
    functions.dedup();
    functions
}

/// The data objects among `stack` and those that pointers in them lead to.
fn reachable(cfa: &Cfa, points_to: &PointsTo, mut stack: Vec<ObjectId>) -> Vec<ObjectId> {
    let mut seen = FixedBitSet::with_capacity(cfa.objects.len());
    // Many objects have equal contents.
    let mut followed = FxHashSet::default();
    while let Some(o) = stack.pop() {
        if is_data(cfa, o) && !seen.put(o.index()) && followed.insert(points_to.set_of_contents(o)) {
            stack.extend(points_to.contents(o).iter().map(|p| p.0));
        }
    }
    seen.ones().map(ObjectId::from_index).collect()
}
