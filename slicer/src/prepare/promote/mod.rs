//! Promotion: memory is split into memories of regions and scalar variables. This file rewrites the CFA, edge by edge.
//!
//! Every edge keeps its id and its place. What a single operation cannot express becomes edges before it (inputs, guards) and
//! after it (further assignments and inputs). Assignments to several variables are sequential if none reads what an earlier
//! one writes, so that each can be sliced separately, and simultaneous otherwise.
//!
//! If it is not sure that the address of an access to a promoted object is what points-to analysis claims, the access gets a guard:
//! an execution in which the address is another one makes an invalid access and ends there. So promotion changes no verdict: it
//! only makes the assumption visible in the graph.

mod definite;
mod lifetimes;
mod plan;
mod rewrite;

use crate::cfa_edit;
use crate::points_to::{Pointee, PointsTo};
use crate::prepare::opaque_calls::OpaqueReads;
use crate::prepare::outside::outside_knows_few;
use crate::prepare::regions::{Access, Regions, Role};
use cfa::bytes::Bytes;
use cfa::pointers::Place;
use cfa::term::{Kind, Leaf, Sort, Term};
use cfa::{
    AssumeKind, Assumed, Assumption, Cfa, EdgeId, FuncId, InputKind, LocId, Matters, OUTSIDE_MEMORY, ObjectId,
    ObjectKind, Op, RawFacts, Scope, SlotAccess, VarId,
};
use definite::DefiniteAddresses;
use lifetimes::{Gone, note_addresses};
use plan::Plan;
use rewrite::{Arbitrary, Rewriter, Wanted};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Options of promotion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PromoteOptions {
    /// Turn objects into scalar variables.
    pub scalars: bool,
    /// Use cells of more than a byte.
    pub wide_cells: bool,
    /// Note which bytes of their blocks accesses touch.
    pub fields: bool,
}

/// Statistics of promotion.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PromoteStats {
    /// Number of regions, including promoted ones.
    pub regions: usize,
    /// Number of objects that became variables.
    pub promoted_objects: usize,
    /// Number of variables that these objects became.
    pub variables: usize,
    /// Number of memories that remain.
    pub memories: usize,
    /// Number of accesses whose address points to no object.
    pub invalid_accesses: usize,
}

/// Replaces the program's one memory by memories of regions and scalar variables. Returns statistics, and where the accesses at each
/// address lie, by the address and the number of bytes (`None` if it is not constant).
///
/// Objects that are `placed` freely (ascending) may lie anywhere that their own alignment allows, so their memories keep
/// cells of one byte.
pub fn promote(
    cfa: &mut Cfa,
    facts: &RawFacts,
    memory: VarId,
    points_to: &PointsTo,
    placed: &[ObjectId],
    opaque: &OpaqueReads,
    options: PromoteOptions,
) -> (PromoteStats, FxHashMap<(Term, Option<u64>), Place>) {
    let regions = Regions::new(cfa, Some(memory), points_to);
    let gone = Gone::new(cfa);
    note_addresses(cfa);
    let definite = DefiniteAddresses::new(cfa);
    assume_valid_accesses(cfa, facts, &regions, points_to, (&gone, &definite));
    let plan = match options.scalars {
        true => Plan::new(cfa, points_to, &regions, opaque, &definite),
        false => Plan::nothing(&regions),
    };
    let limits = cell_limits(&regions, &plan);
    let fixed = |r: u32| regions.regions[r as usize].objects.iter().all(|o| placed.binary_search(o).is_err());
    let limit = |r: u32| if options.wide_cells && fixed(r) { limits[r as usize] } else { 0 };
    let cell_bits = regions.cell_bits(cfa, points_to, &limit);
    let fields = if options.fields { fields(cfa, &regions, points_to) } else { FxHashMap::default() };
    let mut vector_bits = FxHashMap::default();
    for (e, vector) in &facts.address_vectors {
        if let (Op::Input { var, .. }, [(object, _)]) = (&cfa.edges[*e].op, points_to.of(vector.begin)) {
            vector_bits.insert(*var, regions.of_object(*object).map_or(8, |r| cell_bits[r as usize]));
        }
    }
    let mut promotion = Promotion {
        facts,
        memory,
        points_to,
        regions: &regions,
        plan: &plan,
        gone: &gone,
        rewriter: Rewriter::new(Some(memory), &regions, &plan, &cell_bits, fields, vector_bits),
        of_invalid_reads: match regions.accesses.iter().any(|a| writes_outside(points_to, a)) {
            // Memory outside keeps what is written to it, which no input does: no alarm may rest on what is read.
            true => InputKind::Approximate(OUTSIDE_MEMORY.into()),
            false => InputKind::Undefined,
        },
        at_branches: BTreeMap::new(),
        copies: Vec::new(),
    };
    let edges: Vec<EdgeId> = cfa.edges.ids().collect();
    for &e in &edges {
        promotion.edge(cfa, e);
    }
    // Only after all edges have been rewritten is it known which memories and arrays exist.
    for e in edges {
        promotion.array_input(cfa, e);
    }
    for (l, ops) in std::mem::take(&mut promotion.at_branches) {
        ops.into_iter().fold(l, |l, op| cfa_edit::insert_at(cfa, l, op));
    }
    for promoted in plan.promoted.iter().flatten() {
        let parts = promoted.clusters.iter().map(|c| (c.lo, c.var)).collect();
        cfa.memory.parts.insert(promoted.object, parts);
    }
    cfa.module.opaque_reads = opaque.variables(&regions, |r| promotion.parts_of(cfa, r));
    for (copy, e) in std::mem::take(&mut promotion.copies) {
        cfa.module.stands_for(copy, e);
    }
    let stats = PromoteStats {
        regions: regions.regions.len(),
        promoted_objects: plan.promoted.iter().flatten().count(),
        variables: plan.promoted.iter().flatten().map(|p| p.clusters.len()).sum(),
        memories: promotion.rewriter.memories(),
        invalid_accesses: regions.accesses.iter().filter(|a| a.region.is_none() && a.bytes != Some(0)).count(),
    };
    (stats, places(&regions, &plan))
}

/// The bytes of their blocks that accesses touch, by address and length, in regions that consist of blocks of the heap. Blocks share no
/// bytes, so that accesses of different bytes of blocks never meet.
fn fields(cfa: &Cfa, regions: &Regions, points_to: &PointsTo) -> FxHashMap<(Term, u64), Bytes> {
    let is_heap = |o: &ObjectId| cfa.objects[*o].heap && matches!(cfa.objects[*o].kind, ObjectKind::Site(_));
    let mut found = FxHashMap::default();
    for (a, region) in regions.accesses.iter().filter_map(|a| Some((a, &regions.regions[a.region? as usize]))) {
        let (Some(n), true) = (a.bytes.filter(|n| *n > 0), region.objects.iter().all(is_heap)) else { continue };
        if points_to.may_be_outside(a.address) {
            continue;
        }
        let inside = |p: &Pointee| {
            let at = p.1.as_exact().and_then(|k| u64::try_from(k).ok())?;
            (at.checked_add(n)? <= cfa.objects[p.0].stride_bytes).then_some(at)
        };
        let offsets: Option<Vec<u64>> = points_to.of(a.address).iter().map(inside).collect();
        let Some(offsets) = offsets else { continue };
        if let (Some(first), Some(last)) = (offsets.iter().min(), offsets.iter().max()) {
            found.insert((a.address, n), Bytes { first: *first, last: last + n - 1 });
        }
    }
    found
}

/// Where the accesses at each address lie.
fn places(regions: &Regions, plan: &Plan) -> FxHashMap<(Term, Option<u64>), Place> {
    let shared: Vec<Arc<[ObjectId]>> = regions.regions.iter().map(|r| r.objects.as_slice().into()).collect();
    let place = |a: &Access| match (a.region, plan.promoted(a)) {
        (_, Some(promoted)) => Place::Variables { object: promoted.object, offset: plan.offset(a) },
        (Some(r), None) => Place::Memory(shared[r as usize].clone()),
        (None, None) => Place::Nowhere,
    };
    regions.accesses.iter().map(|a| ((a.address, a.bytes), place(a))).collect()
}

/// Maximum cell width (log2 of bytes) of regions that are copied to or from promoted objects: the pieces copied must be whole
/// cells.
fn cell_limits(regions: &Regions, plan: &Plan) -> Vec<u8> {
    let mut limits = vec![u8::MAX; regions.regions.len()];
    for to in regions.accesses.iter().filter(|a| a.role == Role::CopyTo) {
        let Some(from) = regions.copy_source(to.term) else { continue };
        for (scalar, other) in [(to, from), (from, to)] {
            let (Some(promoted), Some(r), Some(n)) = (plan.promoted(scalar), other.region, scalar.bytes) else {
                continue;
            };
            let lo = plan.offset(scalar);
            for c in promoted.overlapping(lo, lo + n).map(|c| promoted.clusters[c]) {
                let (begin, end) = (c.lo.max(lo) - lo, c.hi.min(lo + n) - lo);
                let zeros = (begin | (end - begin)).trailing_zeros() as u8;
                limits[r as usize] = limits[r as usize].min(zeros);
            }
        }
    }
    limits
}

/// Whether an access may change memory outside the program.
fn writes_outside(points_to: &PointsTo, a: &Access) -> bool {
    matches!(a.role, Role::Write { .. } | Role::CopyTo) && a.bytes != Some(0) && points_to.may_be_outside(a.address)
}

/// Records the assumption that accesses are valid, for the edges at which this is not known.
fn assume_valid_accesses(
    cfa: &mut Cfa,
    facts: &RawFacts,
    regions: &Regions,
    points_to: &PointsTo,
    (gone, definite): (&Gone, &DefiniteAddresses),
) {
    // Outside the program, a read may yield anything; a write is assumed to change nothing else.
    let outside = |a: &Access| writes_outside(points_to, a);
    let from_outside: Vec<EdgeId> = cfa.edges.ids().filter(|e| regions.of_edge(*e).any(outside)).collect();
    if !from_outside.is_empty() {
        cfa.assumptions.push(Assumption::of_proofs(outside_knows_few(facts), Matters::IfExecuted(from_outside)));
    }
    let valid = |e: EdgeId, a: &Access| {
        let within = definite.of(cfa, a.address).is_some_and(|(o, at)| {
            let end = u64::try_from(at).ok().zip(a.bytes).and_then(|(at, n)| at.checked_add(n));
            end.zip(cfa.objects[o].size_bytes).is_some_and(|(end, size)| end <= size) && !gone.may_be(cfa, o, e)
        });
        // Memory outside the program may be accessed.
        a.bytes == Some(0) || within || (a.region.is_none() && points_to.may_be_outside(a.address))
    };
    // The front-end's own writes before the program begins are valid.
    let own = |e: EdgeId| cfa.locs[cfa.edges[e].from].func == cfa.entry && cfa.funcs[cfa.entry].is_start();
    let is_sure = |e: EdgeId| own(e) || regions.of_edge(e).all(|a| valid(e, a));
    let unsure: Vec<EdgeId> = cfa.edges.ids().filter(|e| !is_sure(*e)).collect();
    if !unsure.is_empty() {
        cfa.assumptions.push(Assumption::of_proofs(Assumed::ValidAccesses, Matters::IfExecuted(unsure)));
    }
}

struct Promotion<'a> {
    facts: &'a RawFacts,
    memory: VarId,
    points_to: &'a PointsTo,
    regions: &'a Regions,
    plan: &'a Plan,
    gone: &'a Gone,
    rewriter: Rewriter<'a>,
    /// What is read outside the program, or nowhere.
    of_invalid_reads: InputKind,
    /// Operations to be inserted before the branches at a location: the conditions must be evaluated together, so that
    /// all see the same values.
    at_branches: BTreeMap<LocId, Vec<Op>>,
    /// The inputs that were added, each with the one that it is a part of.
    copies: Vec<(EdgeId, EdgeId)>,
}

impl Promotion<'_> {
    fn value(&mut self, cfa: &mut Cfa, t: Term) -> Term {
        self.rewriter.rewrite(cfa, Wanted::Value(t))
    }

    fn edge(&mut self, cfa: &mut Cfa, e: EdgeId) {
        if let Op::Unsupported(u) = &mut cfa.edges[e].op {
            // The memory is no longer one variable: the reads or writes become everything that escaped.
            for list in [&mut u.reads, &mut u.writes] {
                if list.as_ref().is_some_and(|l| l.contains(&self.memory)) {
                    *list = None;
                }
            }
        }
        let accesses: Vec<Access> = self.regions.of_edge(e).copied().collect();
        let mut body = Vec::new();
        let mut before = Vec::new();
        if !accesses.is_empty() {
            self.note_slots(cfa, e, &accesses);
            before = self.inputs_of_invalid_reads(cfa, &accesses);
            before.extend(self.guards(cfa, &accesses));
            self.rewrite_tables(cfa, e);
            match std::mem::replace(&mut cfa.edges[e].op, Op::Skip) {
                Op::Assign(list) => body = self.assign(cfa, e, &list, &accesses, &mut before),
                Op::Assume { cond, kind } => body.push(Op::Assume { cond: self.value(cfa, cond), kind }),
                Op::CallIndirect(_) => panic!("indirect calls are resolved before promotion"),
                other => body.push(other),
            }
        } else if matches!(&cfa.edges[e].op, Op::Assign(list) if list.iter().any(|(v, _)| *v == self.memory)) {
            // Without an access, only `mem := mem` is left.
            cfa.edges[e].op = Op::Skip;
        } else if cfa.allocations.contains_key(&e) {
            body.push(std::mem::replace(&mut cfa.edges[e].op, Op::Skip));
        } else if let Op::Assume { cond, kind } = cfa.edges[e].op
            && self.regions.array_terms.may_have(cond)
        {
            // It reads arrays that inputs set.
            body.push(Op::Assume { cond: self.value(cfa, cond), kind });
        } else {
            return;
        }
        body.extend(self.new_instance(cfa, e));
        if matches!(body[..], [Op::Assume { .. }]) {
            let from = cfa.edges[e].from;
            let known = self.at_branches.entry(from).or_default();
            before.retain(|op| !known.contains(op));
            known.append(&mut before);
        }
        for op in before {
            cfa_edit::insert_before(cfa, e, op);
        }
        let mut last = e;
        for (i, op) in body.into_iter().enumerate() {
            match i {
                0 => cfa.edges[e].op = op,
                _ => last = cfa_edit::insert_after(cfa, last, op),
            }
        }
    }

    /// Notes the promoted slots that `accesses` may access after their end, or through a pointer that is older than they are.
    fn note_slots(&self, cfa: &mut Cfa, e: EdgeId, accesses: &[Access]) {
        let slot = |a: &Access| {
            let object = self.plan.promoted(a).filter(|_| a.bytes != Some(0))?.object;
            let is_slot = matches!(cfa.objects[object].kind, ObjectKind::Stack(_));
            let through_pointer = is_slot && !cfa.terms.leaves(&[a.address]).contains(&Leaf::Addr(object));
            (through_pointer || self.gone.may_be(cfa, object, e)).then_some(SlotAccess { object, through_pointer })
        };
        let mut slots: Vec<SlotAccess> = accesses.iter().filter_map(slot).collect();
        slots.sort_unstable();
        slots.dedup();
        if !slots.is_empty() {
            cfa.memory.slots.insert(e, slots.into());
        }
    }

    /// If the edge makes an instance of a promoted site, inputs of the site's variables.
    fn new_instance(&self, cfa: &Cfa, e: EdgeId) -> Vec<Op> {
        if !cfa.allocations.contains_key(&e) {
            return Vec::new();
        }
        let clusters = self.plan.allocated(e).map_or(&[][..], |p| &p.clusters);
        clusters.iter().map(|c| Op::Input { var: c.var, kind: InputKind::Uninitialised }).collect()
    }

    fn rewrite_tables(&mut self, cfa: &mut Cfa, e: EdgeId) {
        if let Some(&t) = cfa.frees.get(&e) {
            let t = self.value(cfa, t);
            cfa.frees.insert(e, t);
        }
        if let Some(&ranges) = cfa.apart.get(&e) {
            let ranges = ranges.map(|t| self.value(cfa, t));
            cfa.apart.insert(e, ranges);
        }
        if let Some(size) = cfa.allocations.get(&e).map(|a| a.size) {
            let size = self.value(cfa, size);
            cfa.allocations.get_mut(&e).expect("just found").size = size;
        }
    }

    fn inputs_of_invalid_reads(&mut self, cfa: &mut Cfa, accesses: &[Access]) -> Vec<Op> {
        let mut done = FxHashSet::default();
        let mut ops = Vec::new();
        for a in accesses {
            for arbitrary in self.rewriter.arbitrary_of(cfa, a) {
                if matches!(arbitrary, Arbitrary::InvalidRead(_)) && done.insert(arbitrary) {
                    let var = self.rewriter.arbitrary_var(cfa, arbitrary);
                    ops.push(Op::Input { var, kind: self.of_invalid_read(cfa, a) });
                }
            }
        }
        ops
    }

    /// The kind of what an access reads that lies in no memory. Code has contents, although nobody knows them.
    fn of_invalid_read(&self, cfa: &Cfa, a: &Access) -> InputKind {
        let is_code = |o: ObjectId| matches!(cfa.objects[o].kind, ObjectKind::Function(_));
        match self.points_to.of(a.address) {
            [] => self.of_invalid_reads.clone(),
            objects if objects.iter().all(|p| is_code(p.0)) => InputKind::Approximate("the code of a function".into()),
            _ => self.of_invalid_reads.clone(),
        }
    }

    /// Guards that test the claims of points-to analysis about the addresses of accesses to promoted objects.
    fn guards(&mut self, cfa: &mut Cfa, accesses: &[Access]) -> Vec<Op> {
        let mut done = FxHashSet::default();
        let mut ops = Vec::new();
        for a in accesses {
            let Some(promoted) = self.plan.promoted(a) else { continue };
            if self.plan.is_definite(a) || a.bytes == Some(0) || !done.insert((a.address, a.bytes)) {
                continue;
            }
            let base = cfa.terms.addr(promoted.object, cfa.pointer_bits);
            let expected = cfa.terms.add_int(base, self.plan.offset(a));
            let address = self.value(cfa, a.address);
            let cond = cfa.terms.eq(address, expected);
            if cfa.terms.as_bool(cond) != Some(true) {
                ops.push(Op::Assume { cond, kind: AssumeKind::Guard });
            }
        }
        ops
    }

    /// The operations that replace an assignment.
    fn assign(
        &mut self,
        cfa: &mut Cfa,
        e: EdgeId,
        list: &[(VarId, Term)],
        accesses: &[Access],
        before: &mut Vec<Op>,
    ) -> Vec<Op> {
        let mut scalars = Vec::new();
        let mut parts = Vec::new();
        for &(v, t) in list {
            if v == self.memory {
                parts.extend(self.memory_parts(cfa, t));
            } else {
                scalars.push((v, self.value(cfa, t)));
            }
        }
        // Variables that are set by copies from an arbitrary array become inputs of this edge.
        let mut forgotten = Vec::new();
        for a in accesses {
            for arbitrary in self.rewriter.arbitrary_of(cfa, a) {
                if !matches!(arbitrary, Arbitrary::InvalidRead(_)) {
                    forgotten.push(self.rewriter.arbitrary_var(cfa, arbitrary));
                }
            }
        }
        let kind = if forgotten.is_empty() { InputKind::Undefined } else { forgotten_kind(cfa, e) };
        let apart = independent(cfa, &scalars, &parts);
        let mut ops = Vec::new();
        if apart && !scalars.is_empty() {
            ops.push(Op::Assign(std::mem::take(&mut scalars).into_boxed_slice()));
        }
        for (v, t) in parts {
            // Variables are disjoint parts of the object, so each part of an arbitrary value is an input of its
            // own.
            let source = match cfa.terms.kind(t) {
                Kind::Extract { .. } => cfa.terms.kind(cfa.terms.args(t)[0]),
                kind => kind,
            };
            match source {
                Kind::Var(x) if cfa.terms.kind(t) == source && x == v => {}
                Kind::Var(x) if apart && forgotten.contains(&x) => ops.push(Op::Input { var: v, kind: kind.clone() }),
                _ if apart => ops.push(Op::assign(v, t)),
                _ => scalars.push((v, t)),
            }
        }
        if !scalars.is_empty() {
            ops.push(Op::Assign(scalars.into_boxed_slice()));
        }
        if !forgotten.is_empty() {
            let read = cfa.terms.leaves(&ops.iter().flat_map(Op::terms).collect::<Vec<Term>>());
            forgotten.retain(|v| read.contains(&Leaf::Var(*v)));
            before.extend(forgotten.into_iter().map(|var| Op::Input { var, kind: kind.clone() }));
        }
        ops
    }

    /// The variables that are set where the memory is set to `t`, with their values.
    fn memory_parts(&mut self, cfa: &mut Cfa, t: Term) -> Vec<(VarId, Term)> {
        let mut wanted: Vec<Wanted> = Vec::new();
        let mut choices = FxHashSet::default();
        let mut stack = vec![t];
        while let Some(m) = stack.pop() {
            let args = cfa.terms.args(m);
            match cfa.terms.kind(m) {
                Kind::Write | Kind::Copy => stack.push(args[0]),
                Kind::Ite if choices.insert(m) => stack.extend(&args[1..]),
                _ => continue,
            }
            let Some(access) = self.regions.access(m) else { continue };
            let Some(r) = access.region else { continue };
            match self.plan.promoted(access) {
                None => wanted.push(Wanted::Memory(t, r)),
                Some(promoted) => {
                    let lo = self.plan.offset(access);
                    let clusters = promoted.overlapping(lo, lo + access.bytes.unwrap_or(0));
                    wanted.extend(clusters.map(|c| Wanted::Cell(t, r, c as u32)));
                }
            }
        }
        wanted.sort_unstable_by_key(|w| match *w {
            Wanted::Memory(_, r) => (r, 0),
            Wanted::Cell(_, r, c) => (r, c),
            Wanted::Value(_) => unreachable!("values are no parts"),
        });
        wanted.dedup();
        let mut parts = Vec::new();
        for w in wanted {
            let v = match w {
                Wanted::Memory(_, r) => self.rewriter.region_var(cfa, r),
                Wanted::Cell(_, r, c) => {
                    self.plan.promoted[r as usize].as_ref().expect("a promoted region").clusters[c as usize].var
                }
                Wanted::Value(_) => unreachable!("values are no parts"),
            };
            parts.push((v, self.rewriter.rewrite(cfa, w)));
        }
        parts
    }

    /// Replaces inputs of arrays: by inputs of the variants with wider cells, or of all memories where the whole memory
    /// is set.
    fn array_input(&mut self, cfa: &mut Cfa, e: EdgeId) {
        let Op::Input { var, kind } = cfa.edges[e].op.clone() else { return };
        if !matches!(cfa.vars[var].sort, Sort::Array { .. }) {
            return;
        }
        let set: Vec<(VarId, InputKind)> = if self.facts.escapes.contains_key(&e) {
            self.known_parts(cfa, &kind)
        } else {
            let vars = match var == self.memory {
                true => self.all_parts(cfa, cfa.locs[cfa.edges[e].from].func),
                false => self.rewriter.variants(var),
            };
            vars.into_iter().map(|v| (v, kind.clone())).collect()
        };
        let weak = cfa.weak_inputs.contains(&e);
        cfa.edges[e].op = Op::Skip;
        let mut last = e;
        for (i, (var, kind)) in set.into_iter().enumerate() {
            let op = Op::Input { var, kind };
            match i {
                0 => cfa.edges[e].op = op,
                _ => {
                    last = cfa_edit::insert_after(cfa, last, op);
                    self.copies.push((last, e));
                }
            }
            if weak {
                cfa.weak_inputs.insert(last);
            }
        }
    }

    /// What an undefined function may change, that is, everything that the outside knows, with inputs of `kind`. A memory
    /// of which the outside knows only some objects is changed as a whole by approximate inputs, so that no alarm may
    /// rest on it.
    fn known_parts(&mut self, cfa: &mut Cfa, kind: &InputKind) -> Vec<(VarId, InputKind)> {
        let InputKind::External(name) = kind else { return Vec::new() };
        let mut set = Vec::new();
        for r in 0..self.plan.promoted.len() as u32 {
            let objects = &self.regions.regions[r as usize].objects;
            let changes = |o: &ObjectId| self.points_to.known().binary_search(o).is_ok() && !cfa.objects[*o].constant;
            if !objects.iter().any(changes) {
                continue;
            }
            let exact = objects.iter().all(changes);
            let kind = if exact { kind.clone() } else { InputKind::Approximate(name.clone()) };
            set.extend(self.parts_of(cfa, r).into_iter().map(|v| (v, kind.clone())));
        }
        set
    }

    /// The memory or the variables that a region became.
    fn parts_of(&mut self, cfa: &mut Cfa, r: u32) -> Vec<VarId> {
        match &self.plan.promoted[r as usize] {
            Some(p) => p.clusters.iter().map(|c| c.var).collect(),
            None => vec![self.rewriter.region_var(cfa, r)],
        }
    }

    /// Everything that memory became and `func` can name: all memories, and all variables except the locals of other
    /// functions. Slots that only their own function accesses are out of reach elsewhere, and are arbitrary in each new
    /// activation.
    fn all_parts(&mut self, cfa: &mut Cfa, func: FuncId) -> Vec<VarId> {
        let mut vars: Vec<VarId> = (0..self.plan.promoted.len() as u32).flat_map(|r| self.parts_of(cfa, r)).collect();
        vars.retain(|v| matches!(cfa.vars[*v].scope, Scope::Global) || cfa.vars[*v].scope == Scope::Local(func));
        vars
    }
}

/// The origin of the bytes of an arbitrary array that `e` copies: the input edge before it.
fn forgotten_kind(cfa: &Cfa, e: EdgeId) -> InputKind {
    let before = cfa.into(cfa.edges[e].from).iter().find_map(|i| match &cfa.edges[*i].op {
        Op::Input { var, kind } if matches!(cfa.vars[*var].sort, Sort::Array { .. }) => Some(kind.clone()),
        _ => None,
    });
    before.unwrap_or(InputKind::Uninitialised)
}

/// Whether the assignments may be executed sequentially in this order, that is, none reads what an earlier one writes.
fn independent(cfa: &Cfa, scalars: &[(VarId, Term)], parts: &[(VarId, Term)]) -> bool {
    if parts.len() + usize::from(!scalars.is_empty()) < 2 {
        return true;
    }
    let mut written: FxHashSet<VarId> = scalars.iter().map(|(v, _)| *v).collect();
    for (v, t) in parts {
        if cfa.terms.vars(*t).iter().any(|x| written.contains(x)) {
            return false;
        }
        written.insert(*v);
    }
    true
}
