//! What comparisons of addresses leave open: the assumptions on which they rest, and the objects that must be placed freely.
//!
//! Two objects that live at the same time share no byte, so their addresses differ, with exceptions:
//! - one object may begin where the other ends, so that a pointer past the last element is the other one's address;
//! - a block may get the address of a block that was freed;
//! - equal parts of constant strings may be stored once;
//! - a variable or a function that is only declared may be defined as another name of another one, and a function as another name of
//!   the program's own.
//!
//! A number that the program compares with an address may be equal to it, wherever the object lies; so may a pointer that is an
//! input and that it compares with a function.
//!
//! Any operation on the addresses of two objects may depend on which is the case: their comparison, their difference, or a comparison
//! of their halves or bytes. If the program computes with both addresses in another way, the operation that depends on it may have
//! operands that points-to analysis does not relate to these objects.
//!
//! Where objects have one address for the whole execution and it is known which byte is compared, they are placed freely
//! (`layout`), so that both answers are possible. Elsewhere kerf's layout decides, and its decision is an assumption of the
//! proofs in which the comparison matters.

use crate::points_to::{Pointee, PointsTo};
use crate::prepare::layout::Area;
use crate::prepare::numbers_as_pointers::MayBeNumbers;
use crate::prepare::occurrences::Occurrences;
use crate::prepare::outside::outside_knows_few;
use crate::prepare::regions::{edge_terms, is_data};
use cfa::bv::BvOp;
use cfa::term::{Kind, Sort, Term};
use cfa::{
    Assumed, Assumption, Cfa, EdgeId, FuncId, Id, InputKind, Matters, Object, ObjectId, ObjectKind, Op, RawFacts, VarId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Maximum number of pairs of objects that are examined for one comparison; if there are more, only the assumptions are
/// recorded.
const PAIRS: usize = 1 << 12;

/// What may be open about a comparison of addresses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Open {
    /// Whether a block has the address of a freed block.
    Freed,
    /// Whether an object begins where another one ends.
    Adjacent,
    /// Whether constant strings share bytes.
    Shared,
    /// Whether two declared variables or functions are one.
    Declared,
    /// Whether a variable has the address of one that no longer exists.
    Gone,
    /// Whether an address from outside is that of an object of the program.
    Outside,
    /// Whether a number is the address of an object of the program.
    Number,
}

impl Open {
    fn assumption(self, facts: &RawFacts) -> Assumed {
        match self {
            Open::Outside => outside_knows_few(facts),
            Open::Number => Assumed::NumbersApart,
            Open::Freed => Assumed::FreshAddresses,
            Open::Adjacent => Assumed::ObjectsApart,
            Open::Shared => Assumed::ConstantsApart,
            Open::Declared => Assumed::DeclaredApart,
            Open::Gone => Assumed::GoneNotCompared,
        }
    }
}

/// Records the assumptions on which comparisons rest. Returns the objects that are to be placed freely, ascending.
pub(super) fn open_equalities(
    cfa: &mut Cfa,
    facts: &RawFacts,
    points_to: &PointsTo,
    numbers: &MayBeNumbers,
    declared: &[ObjectId],
    occurrences: &Occurrences,
) -> Vec<ObjectId> {
    let is_declared = |o: ObjectId| declared.binary_search(&o).is_ok();
    let freed = freed_objects(cfa, points_to);
    let asks_for_pointers = asks_for_pointers(cfa);
    let mut free: BTreeSet<ObjectId> = BTreeSet::new();
    let mut at: [Vec<EdgeId>; 7] = Default::default();
    let relating = cfa.terms.having(|node| relates(node.kind));
    // Many comparisons are of the same sets of objects.
    let mut between: FxHashMap<(u32, u32, Compared), BTreeSet<Open>> = FxHashMap::default();
    let mut with_numbers: FxHashMap<u32, bool> = FxHashMap::default();
    for e in cfa.edges.ids() {
        let mut found: BTreeSet<Open> = BTreeSet::new();
        for t in cfa.terms.subterms(&edge_terms(cfa, e), |t| !relating.contains(t.index())) {
            if !relates(cfa.terms.kind(t)) {
                continue;
            }
            let operands = [cfa.terms.args(t)[0], cfa.terms.args(t)[1]];
            let equal = cfa.terms.kind(t) == Kind::Eq;
            let whole = equal && cfa.terms.sort(operands[0]) == Sort::Bv(cfa.pointer_bits);
            for (number, address) in [(operands[0], operands[1]), (operands[1], operands[0])] {
                if equal && numbers.contains(number) && !lies_nowhere(cfa, number) {
                    let has_unknown = *with_numbers.entry(points_to.set_of(address)).or_insert_with(|| {
                        let is_unknown = |o: &ObjectId| is_unknown(cfa, points_to, *o);
                        let compared: Vec<ObjectId> =
                            points_to.of(address).iter().map(|p| p.0).filter(is_unknown).collect();
                        // Kerf would place these objects where no program has memory; but the number may be equal to the address chosen.
                        free.extend(&compared);
                        !compared.is_empty()
                    });
                    if has_unknown && may_be_address(cfa, number) {
                        found.insert(Open::Number);
                    }
                }
            }
            // A constant that is no address of anything is no address from outside either.
            let may_be_outside = whole && !operands.iter().any(|t| lies_nowhere(cfa, *t));
            let how = Compared { whole, may_be_outside };
            let [left, right] = operands.map(|t| points_to.set_of(t));
            let open = between.entry((left, right, how)).or_insert_with(|| {
                let (freed, is_declared) = (&freed, &is_declared);
                let comparison = Comparison { cfa, points_to, occurrences, freed, is_declared, asks_for_pointers };
                comparison.open(operands.map(|t| points_to.of(t)), how, &mut free)
            });
            found.extend(open.iter());
        }
        found.into_iter().for_each(|open| at[open as usize].push(e));
    }
    for (open, edges) in open_by_computation(cfa, points_to.exposed(), &freed, occurrences, &is_declared) {
        at[open as usize].extend(edges);
    }
    at[Open::Freed as usize].extend(changes_to_freed(cfa, facts, points_to, &freed));
    record(cfa, facts, points_to, at);
    free.into_iter().collect()
}

/// Whether an input of the program, other than the result of an undefined function, is a pointer.
fn asks_for_pointers(cfa: &Cfa) -> bool {
    let Some(outside) = cfa.outside() else { return false };
    let asked = |op: &Op| match op {
        Op::Input { var, kind: InputKind::Program(_) } => Some(*var),
        _ => None,
    };
    let mut asked: FxHashSet<VarId> = cfa.edges.iter().filter_map(|edge| asked(&edge.op)).collect();
    if asked.is_empty() {
        return false;
    }
    // The front-end makes numbers of the outside of such inputs, and counts from its address to get pointers.
    for edge in cfa.edges.iter() {
        let Op::Assign(list) = &edge.op else { continue };
        if let [(v, t)] = **list
            && cfa.terms.vars(t).iter().any(|v| asked.contains(v))
        {
            asked.insert(v);
        }
    }
    let of_asked = |t: &Term| matches!(cfa.terms.kind(*t), Kind::Var(v) if asked.contains(&v));
    let is_outside = |t: &Term| cfa.terms.kind(*t) == Kind::Addr(outside);
    let used = cfa.terms.all_subterms(cfa.edges.ids().flat_map(|e| edge_terms(cfa, e)));
    used.ones().map(Term::from_index).any(|t| {
        let args = cfa.terms.args(t);
        cfa.terms.kind(t) == Kind::Bv(BvOp::Add) && args.iter().any(is_outside) && args.iter().any(of_asked)
    })
}

/// Whether nobody outside the program knows an object of it.
fn is_unknown(cfa: &Cfa, points_to: &PointsTo, o: ObjectId) -> bool {
    cfa.objects[o].kind != ObjectKind::Outside && points_to.known().binary_search(&o).is_err()
}

/// What is compared of two addresses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Compared {
    /// Whether the whole addresses are compared for equality.
    whole: bool,
    /// Whether either may be an address from outside then.
    may_be_outside: bool,
}

/// What is known where addresses are compared.
struct Comparison<'a> {
    cfa: &'a Cfa,
    points_to: &'a PointsTo,
    occurrences: &'a Occurrences,
    freed: &'a FxHashSet<ObjectId>,
    is_declared: &'a dyn Fn(ObjectId) -> bool,
    /// Whether some input of the program is a pointer, which may have any value. (What an undefined function returns knows only what the
    /// program gives away.)
    asks_for_pointers: bool,
}

impl Comparison<'_> {
    /// What is open about a comparison of addresses of two sets of objects. Adds those to `free` that are to be placed freely.
    fn open(&self, [left, right]: [&[Pointee]; 2], how: Compared, free: &mut BTreeSet<ObjectId>) -> BTreeSet<Open> {
        let cfa = self.cfa;
        let is_outside = |o: ObjectId| cfa.objects[o].kind == ObjectKind::Outside;
        let is_function = |o: ObjectId| matches!(cfa.objects[o].kind, ObjectKind::Function(_));
        let mut found = BTreeSet::new();
        if left.len() * right.len() > PAIRS {
            let has = |all: &[Pointee], is: &dyn Fn(ObjectId) -> bool| all.iter().any(|p| is(p.0));
            let both = |is: &dyn Fn(ObjectId) -> bool| has(left, is) && has(right, is);
            found.extend([Open::Freed, Open::Adjacent, Open::Gone]);
            if both(&|o| cfa.objects[o].constant) {
                found.insert(Open::Shared);
            }
            if both(self.is_declared)
                || both(&is_function) && (has(left, self.is_declared) || has(right, self.is_declared))
            {
                found.insert(Open::Declared);
            }
            if has(left, &is_outside) || has(right, &is_outside) {
                found.insert(Open::Outside);
            }
            return found;
        }
        for a in left {
            for b in right {
                self.open_between((a, b), how, free, &mut found);
            }
        }
        found
    }

    /// What is open about a comparison of the addresses of two objects.
    fn open_between(
        &self,
        (a, b): (&Pointee, &Pointee),
        how: Compared,
        free: &mut BTreeSet<ObjectId>,
        found: &mut BTreeSet<Open>,
    ) {
        let (cfa, occurrences) = (self.cfa, self.occurrences);
        let is_outside = |o: ObjectId| cfa.objects[o].kind == ObjectKind::Outside;
        let is_function = |o: ObjectId| matches!(cfa.objects[o].kind, ObjectKind::Function(_));
        let unknown = |o: ObjectId| is_unknown(cfa, self.points_to, o);
        let one = a.0 == b.0 && occurrences.is_single(a.0);
        if !one && may_come_again(cfa, self.freed, a.0, b.0) {
            found.insert(Open::Freed);
        }
        for (from_outside, other) in [(a.0, b.0), (b.0, a.0)] {
            if how.may_be_outside && is_outside(from_outside) && unknown(other) {
                // A pointer that is an input may be tested or assumed to be a function: this one is placed where the pointer may lead.
                match self.asks_for_pointers && is_function(other) {
                    true => drop(free.insert(other)),
                    false => drop(found.insert(Open::Outside)),
                }
            }
        }
        if is_local(cfa, a.0) && is_local(cfa, b.0) && !(a.0 == b.0 && stays(cfa, occurrences, a.0)) {
            found.insert(Open::Gone);
        }
        let foreign = [a.0, b.0].map(self.is_declared);
        if a.0 != b.0 && (foreign == [true; 2] || foreign != [false; 2] && is_function(a.0) && is_function(b.0)) {
            found.insert(Open::Declared);
        }
        if !is_data(cfa, a.0) || !is_data(cfa, b.0) {
            return;
        }
        let may_meet = how.whole && (meets(cfa, a, b) || meets(cfa, b, a) || lie_apart(cfa, a, b));
        if a.0 == b.0 {
            if may_meet && !occurrences.is_single(a.0) {
                found.insert(Open::Adjacent);
            }
            return;
        }
        if cfa.objects[a.0].constant && cfa.objects[b.0].constant {
            found.insert(Open::Shared);
        }
        if may_meet {
            let exact = [a, b].iter().all(|p| p.1.as_exact().is_some() && !is_of_unknown_length(cfa, p.0));
            if exact && [a.0, b.0].iter().all(|o| !matches!(cfa.objects[*o].kind, ObjectKind::Site(_))) {
                free.extend([a.0, b.0]);
            } else {
                found.insert(Open::Adjacent);
            }
        }
    }
}

/// Records the assumptions on what is open at these edges.
fn record(cfa: &mut Cfa, facts: &RawFacts, points_to: &PointsTo, at: [Vec<EdgeId>; 7]) {
    let all = [Open::Freed, Open::Adjacent, Open::Shared, Open::Declared, Open::Gone, Open::Outside, Open::Number];
    let written = writes_to_declared(cfa, points_to);
    if !written.is_empty() {
        cfa.assumptions.push(Assumption::of_proofs(Assumed::DeclaredApart, Matters::IfKept(written)));
    }
    for (open, edges) in all.into_iter().zip(at) {
        if !edges.is_empty() {
            // Terms decided by the layout may have been folded away.
            let matters = Matters::IfExecuted(edges);
            cfa.assumptions.push(Assumption::of_proofs(open.assumption(facts), matters));
        }
    }
}

/// What may be open about `exposed` objects, with whose addresses the program computes, and where it takes these addresses.
fn open_by_computation(
    cfa: &Cfa,
    exposed: &[ObjectId],
    freed: &FxHashSet<ObjectId>,
    occurrences: &Occurrences,
    is_declared: &dyn Fn(ObjectId) -> bool,
) -> Vec<(Open, Vec<EdgeId>)> {
    let naming = cfa.edges_naming(exposed);
    let of = |wanted: &dyn Fn(ObjectId) -> bool| -> Vec<ObjectId> {
        exposed.iter().copied().filter(|o| wanted(*o)).collect()
    };
    let edges = |objects: &[ObjectId]| objects.iter().flat_map(|o| naming[o].iter().copied()).collect();
    let blocks = of(&|o| is_heap(cfa, o));
    let mut found: Vec<(Open, Vec<EdgeId>)> = Vec::new();
    let outside = cfa.outside();
    let come_again =
        |o: &ObjectId| freed.contains(o) && (blocks.len() > 1 || !occurrences.is_single(*o) || outside.is_some());
    let outside_is_freed = outside.is_some_and(|o| freed.contains(&o));
    if blocks.iter().any(come_again) || outside_is_freed && !blocks.is_empty() {
        found.push((Open::Freed, edges(&blocks)));
    }
    let pairs: [(Open, &dyn Fn(ObjectId) -> bool); 3] = [
        (Open::Shared, &|o| is_data(cfa, o) && cfa.objects[o].constant),
        (Open::Declared, is_declared),
        (Open::Gone, &|o| is_local(cfa, o)),
    ];
    for (open, wanted) in pairs {
        let objects = of(wanted);
        if objects.len() > 1 {
            found.push((open, edges(&objects)));
        }
    }
    let functions = of(&|o| matches!(cfa.objects[o].kind, ObjectKind::Function(_)));
    if functions.len() > 1 && functions.iter().any(|o| is_declared(*o)) {
        found.push((Open::Declared, edges(&functions)));
    }
    let without_end = of(&|o| is_of_unknown_length(cfa, o));
    if !without_end.is_empty() && exposed.len() > 1 {
        found.push((Open::Adjacent, edges(&without_end)));
    }
    found
}

/// The objects of variables and functions that another file defines, ascending. This has to be known before the operations of functions
/// that are never called are dropped.
pub(super) fn declared_objects(cfa: &Cfa) -> Vec<ObjectId> {
    let is_undefined = |f: FuncId| {
        let func = &cfa.funcs[f];
        cfa.out(func.entry).iter().any(|e| cfa.external_calls.get(e) == Some(&func.name))
    };
    let is_declared = |object: &Object| match object.kind {
        ObjectKind::Function(f) => is_undefined(f),
        _ => object.declared,
    };
    cfa.objects.iter_enumerated().filter(|(_, object)| is_declared(object)).map(|(o, _)| o).collect()
}

/// Whether `t` may be the address of an object: not if it is a number at which no program has memory.
fn may_be_address(cfa: &Cfa, t: Term) -> bool {
    let (begin, end) = Area::USER.range(cfa.pointer_bits);
    cfa.terms.as_bv(t).is_none_or(|k| k.to_u64().is_none_or(|k| (begin..end).contains(&k)))
}

/// Whether `t` is a number at which neither programs have memory nor kerf places objects, such as 1 in the test whether `p - 1` is null.
fn lies_nowhere(cfa: &Cfa, t: Term) -> bool {
    let areas = [Area::USER, Area::PROGRAM].map(|area| area.range(cfa.pointer_bits));
    // The object that stands for the outside lies at 0.
    let number = match cfa.terms.base_offset(t) {
        (base, k) if matches!(cfa.terms.kind(base), Kind::Addr(o) if Some(o) == cfa.outside()) => Some(k),
        _ => cfa.terms.as_bv(t),
    };
    let number = number.and_then(|k| k.to_u64());
    number.is_some_and(|k| areas.iter().all(|(begin, end)| !(*begin..*end).contains(&k)))
}

/// Whether an operation with these operands may tell how the addresses in them are related.
fn relates(kind: Kind) -> bool {
    matches!(kind, Kind::Eq | Kind::Cmp(_) | Kind::Bv(_))
        && !matches!(kind, Kind::Bv(BvOp::Add | BvOp::Shl | BvOp::Lshr | BvOp::Ashr))
}

/// The writes to variables that are only declared, if there are two variables of which one may be the other.
fn writes_to_declared(cfa: &Cfa, points_to: &PointsTo) -> Vec<EdgeId> {
    let accessed = |e: EdgeId, kind: fn(Kind) -> bool| {
        let of = cfa.terms.subterms(&cfa.edges[e].op.terms(), |_| false).into_iter();
        let addresses = of.filter(move |t| kind(cfa.terms.kind(*t))).map(|t| cfa.terms.args(t)[1]);
        addresses.flat_map(|a| points_to.of(a)).map(|p| p.0).filter(|o| cfa.objects[*o].declared && is_data(cfa, *o))
    };
    let assigns =
        |e: &EdgeId| matches!(cfa.edges[*e].op, Op::Assign(_)) && points_to.reaches(cfa.locs[cfa.edges[*e].from].func);
    let is_write = |k: Kind| matches!(k, Kind::Write | Kind::Copy);
    let is_access = |k: Kind| matches!(k, Kind::Read | Kind::Write | Kind::Copy);
    if !cfa.objects.iter().any(|o| o.declared) {
        return Vec::new();
    }
    let edges: Vec<EdgeId> = cfa.edges.ids().filter(assigns).collect();
    let all: BTreeSet<ObjectId> = edges.iter().flat_map(|e| accessed(*e, is_access)).collect();
    if all.len() < 2 {
        return Vec::new();
    }
    edges.into_iter().filter(|e| accessed(*e, is_write).next().is_some()).collect()
}

/// Whether `a` may point directly past its object's last byte, and `b` to its object's first one.
fn meets(cfa: &Cfa, a: &Pointee, b: &Pointee) -> bool {
    let end = cfa.objects[a.0].size_bytes.and_then(|n| i64::try_from(n).ok());
    let end = end.filter(|_| !is_of_unknown_length(cfa, a.0));
    end.is_none_or(|end| a.1.is_mangled() || a.1.admits(end)) && (b.1.is_mangled() || b.1.admits(0))
}

/// Whether `a` and `b`, in different objects, may be equal because one of them lies outside its object, so that the objects need not
/// touch. Offsets that are not known exactly may lie outside.
fn lie_apart(cfa: &Cfa, a: &Pointee, b: &Pointee) -> bool {
    let (Some(at_a), Some(at_b)) = (a.1.as_exact(), b.1.as_exact()) else { return true };
    let size = |p: &Pointee| cfa.objects[p.0].size_bytes.and_then(|n| i64::try_from(n).ok()).unwrap_or(0);
    // If they are equal, b's object begins this far after a's.
    let distance = at_a.saturating_sub(at_b);
    distance >= size(a) || distance.saturating_neg() >= size(b)
}

/// Whether an object is an array that is declared without its length: it may end anywhere.
fn is_of_unknown_length(cfa: &Cfa, o: ObjectId) -> bool {
    let object = &cfa.objects[o];
    object.declared && object.size_bytes == Some(cfa::unknown_length_bytes(cfa.pointer_bits))
}

/// Whether an object's lifetime ends with the call that made it.
fn is_local(cfa: &Cfa, o: ObjectId) -> bool {
    match cfa.objects[o].kind {
        ObjectKind::Stack(_) => true,
        ObjectKind::Site(_) => !is_heap(cfa, o),
        ObjectKind::Global | ObjectKind::Function(_) | ObjectKind::Outside => false,
    }
}

/// Whether a local variable has only one instance in an execution.
fn stays(cfa: &Cfa, occurrences: &Occurrences, o: ObjectId) -> bool {
    matches!(cfa.objects[o].kind, ObjectKind::Stack(f) if occurrences.runs_once(f))
}

fn is_heap(cfa: &Cfa, o: ObjectId) -> bool {
    cfa.objects[o].heap
}

/// Whether an object is, or stands for, blocks of the heap: those of the program, or those that others allocate.
fn has_blocks(cfa: &Cfa, o: ObjectId) -> bool {
    is_heap(cfa, o) || cfa.objects[o].kind == ObjectKind::Outside
}

/// Whether a block of one object may lie where one of the other was freed.
fn may_come_again(cfa: &Cfa, freed: &FxHashSet<ObjectId>, a: ObjectId, b: ObjectId) -> bool {
    let again = |a: ObjectId, b: ObjectId| freed.contains(&a) && has_blocks(cfa, b);
    // Where blocks of others lie is not for kerf to choose.
    (is_heap(cfa, a) || is_heap(cfa, b)) && (again(a, b) || again(b, a))
}

/// What names blocks that are freed, if undefined functions that change memory may have kept their addresses: new blocks may lie there.
fn changes_to_freed(
    cfa: &Cfa,
    facts: &RawFacts,
    points_to: &PointsTo,
    freed: &FxHashSet<ObjectId>,
) -> impl Iterator<Item = EdgeId> + use<> {
    let kept = points_to.known().iter().copied().filter(|o| freed.contains(o));
    let kept: Vec<ObjectId> = kept.filter(|_| !facts.escapes.is_empty()).collect();
    cfa.edges_naming(&kept).into_values().flatten()
}

/// The sites whose blocks may be freed, and the outside if its blocks may be.
fn freed_objects(cfa: &Cfa, points_to: &PointsTo) -> FxHashSet<ObjectId> {
    cfa.frees.values().flat_map(|t| points_to.of(*t)).map(|p| p.0).filter(|o| has_blocks(cfa, *o)).collect()
}
