//! Splits control before accesses whose addresses may lie outside the program.
//!
//! An address that an undefined function returned, or that was made from an integer, may be that of an object of the program,
//! or that of memory which the program does not own. Points-to analysis finds these (`PointsTo::may_be_outside`); regions and
//! promotion consider the program's objects only. So each access that may be of either kind is preceded by a test of whether
//! its address lies in one of the objects. If so, the access stays as it is. Otherwise, what it reads is arbitrary, and what
//! it writes is lost (memory outside has no contents, since others may change it at any time).
//!
//! Accesses that can only lie outside need no test: they have no region.

use crate::cfa_edit;
use crate::points_to::{PointsTo, memory_bases};
use crate::prepare::array_terms::ArrayTerms;
use crate::prepare::layout;
use crate::prepare::layout::{Area, SiteRanges};
use crate::prepare::regions::is_data;
use cfa::term::{Kind, Sort, Term};
use cfa::{
    AssumeKind, Assumed, Assumption, Cfa, EdgeId, InputKind, LocId, OUTSIDE_MEMORY, ObjectId, ObjectKind, Op, RawFacts,
    Scope, Unsupported, VarId,
};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::cell::RefCell;

/// Maximum number of objects whose ranges are tested one by one; if there are more, the test is whether the address lies in
/// the program's area.
const RANGES_TESTED: usize = 8;

/// Maximum number of tests of addresses for objects with free places. In larger programs, it is left open whether an address lies in one of
/// these objects, if it may lie in more than [`RANGES_TESTED`] of them.
const PLACES_TESTED: usize = 1 << 19;

/// Maximum number of addresses of one operation that may lie outside; an operation with more is unsupported where one of them
/// does.
const ADDRESSES_SPLIT: usize = 3;

/// The assumption on addresses from outside.
pub(super) fn outside_knows_few(facts: &RawFacts) -> Assumed {
    // Undefined functions that change memory keep what they are given.
    Assumed::ForeignAddresses { are_given_away: !facts.escapes.is_empty() }
}

/// Where addresses from outside do not lead, by assumption: to objects that nobody outside the program knows. These lie where kerf places
/// what it chooses the addresses of, or anywhere.
///
/// A number that the program compares with the address of such an object may be equal to it. An access by that number is none of the
/// object, since analyses do not take it for one; what it would do is not known. So a guard ends the execution before it.
pub(super) struct Unknown<'a> {
    /// Those that lie anywhere.
    objects: Vec<ObjectId>,
    ranges: &'a SiteRanges,
    /// The guards that rest on the assumption.
    guards: RefCell<Vec<EdgeId>>,
}

impl<'a> Unknown<'a> {
    /// `looked_at` are the objects that lie anywhere because the program looks at their addresses. `None` if the program compares no address
    /// from outside with one of an unknown object, as the assumptions of `cfa` say.
    pub(super) fn new(
        cfa: &Cfa,
        points_to: &PointsTo,
        looked_at: &[ObjectId],
        ranges: &'a SiteRanges,
    ) -> Option<Unknown<'a>> {
        let compares = |a: &Assumption| matches!(a.what, Assumed::NumbersApart | Assumed::ForeignAddresses { .. });
        if !cfa.assumptions.iter().any(compares) {
            return None;
        }
        let unknown = |o: &ObjectId| points_to.known().binary_search(o).is_err() && is_data(cfa, *o);
        let objects = looked_at.iter().copied().filter(unknown).collect();
        Some(Unknown { objects, ranges, guards: RefCell::default() })
    }

    /// The condition that an address from outside, which lies in none of the objects that it may point to, lies in no other one either.
    fn elsewhere(&self, cfa: &mut Cfa, address: Term) -> Term {
        let mut inside = layout::lies_in(cfa, Area::PROGRAM, address);
        for &o in &self.objects {
            let within = self.ranges.contain(cfa, o, address);
            inside = cfa.terms.or(inside, within);
        }
        cfa.terms.not(inside)
    }

    /// The guards so far.
    pub(super) fn into_guards(self) -> Vec<EdgeId> {
        self.guards.into_inner()
    }

    /// Guards the accesses at addresses that can only lie outside.
    pub(super) fn guard(&self, cfa: &mut Cfa, memory: VarId, (points_to, array_terms): (&PointsTo, &ArrayTerms)) {
        for e in cfa.edges.ids().filter(|e| points_to.reaches(cfa.locs[cfa.edges[*e].from].func)).collect::<Vec<_>>() {
            let within = array_terms.within(cfa, &cfa.edges[e].op.terms());
            let mut addresses: Vec<Term> = within.into_iter().flat_map(|t| accessed(cfa, memory, t)).collect();
            addresses.sort_unstable();
            addresses.dedup();
            // Conditions do not read memory.
            let reads = |t: &Term| matches!(cfa.terms.sort(*t), Sort::Array { .. });
            addresses.retain(|a| {
                let own = points_to.of(*a).iter().any(|p| is_data(cfa, p.0));
                points_to.may_be_outside(*a) && !own && !cfa.terms.subterms(&[*a], |_| false).iter().any(reads)
            });
            for a in addresses {
                let cond = self.elsewhere(cfa, a);
                if cfa.terms.as_bool(cond) != Some(true) {
                    let guard = cfa_edit::insert_before(cfa, e, Op::Assume { cond, kind: AssumeKind::Guard });
                    self.guards.borrow_mut().push(guard);
                }
            }
        }
    }
}

/// Splits control before the accesses that may lie outside and may also touch objects. Objects that are `placed` freely
/// (ascending) do not lie in the area of the others; the sites among them have `ranges`. What lies outside lies in no `unknown` object.
/// Returns the addresses that are tested, for each operation that is split.
pub(super) fn split_outside_accesses(
    cfa: &mut Cfa,
    memory: VarId,
    (points_to, array_terms): (&PointsTo, &ArrayTerms),
    placed: &[ObjectId],
    (ranges, unknown): (&SiteRanges, Option<&Unknown>),
) -> Vec<Vec<Term>> {
    let open = |e| (e, open_addresses(cfa, memory, (points_to, array_terms), e));
    let split: Vec<(EdgeId, Vec<Term>)> = cfa.edges.ids().map(open).filter(|(_, open)| !open.is_empty()).collect();
    let tests = |a: &Term| points_to.of(*a).iter().filter(|p| placed.binary_search(&p.0).is_ok()).count();
    let many = split.iter().flat_map(|(_, addresses)| addresses).map(tests).sum::<usize>() > PLACES_TESTED;
    for (e, addresses) in &split {
        Split { memory, points_to, placed, ranges, unknown, e: *e, addresses, many }.apply(cfa);
    }
    split.into_iter().map(|(_, addresses)| addresses).collect()
}

/// The addresses that the operation of `e` accesses and that may lie outside and may also lie in objects; of several with the same
/// base, only one.
fn open_addresses(
    cfa: &Cfa,
    memory: VarId,
    (points_to, array_terms): (&PointsTo, &ArrayTerms),
    e: EdgeId,
) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    for t in array_terms.within(cfa, &cfa.edges[e].op.terms()) {
        for a in accessed(cfa, memory, t) {
            let open = points_to.may_be_outside(a) && points_to.of(a).iter().any(|p| is_data(cfa, p.0));
            if open && !found.iter().any(|b| same_base(cfa, *b, a)) {
                found.push(a);
            }
        }
    }
    found
}

fn same_base(cfa: &Cfa, a: Term, b: Term) -> bool {
    cfa.terms.base_offset(a).0 == cfa.terms.base_offset(b).0
}

/// The addresses at which `t` itself reads or writes the program's memory; the one that it writes, if any, is the first.
pub(super) fn accessed(cfa: &Cfa, memory: VarId, t: Term) -> SmallVec<[Term; 2]> {
    let args = cfa.terms.args(t);
    let of_memory = |m: Term| memory_bases(cfa, m).iter().any(|b| cfa.terms.kind(*b) == Kind::Var(memory));
    match cfa.terms.kind(t) {
        Kind::Read if of_memory(args[0]) => smallvec![args[1]],
        Kind::Write => smallvec![args[1]],
        Kind::Copy if of_memory(args[2]) => smallvec![args[1], args[3]],
        Kind::Copy => smallvec![args[1]],
        _ => SmallVec::new(),
    }
}

/// An operation before which control is split.
struct Split<'a> {
    memory: VarId,
    points_to: &'a PointsTo,
    placed: &'a [ObjectId],
    ranges: &'a SiteRanges,
    unknown: Option<&'a Unknown<'a>>,
    e: EdgeId,
    addresses: &'a [Term],
    /// Whether there are too many tests.
    many: bool,
}

impl Split<'_> {
    fn apply(&self, cfa: &mut Cfa) {
        let (from, to) = (cfa.edges[self.e].from, cfa.edges[self.e].to);
        let func = cfa.locs[from].func;
        // The operation itself is executed where all addresses lie inside.
        let before = cfa.add_loc(func);
        cfa_edit::move_source(cfa, self.e, before);
        let mut at = from;
        for (i, &a) in self.addresses.iter().enumerate() {
            let inside = self.inside(cfa, &mut at, a);
            let outside = cfa.terms.not(inside);
            let next = if i + 1 == self.addresses.len() { before } else { cfa.add_loc(func) };
            let other = cfa.add_loc(func);
            cfa_edit::add_like(cfa, self.e, at, next, Op::branch(inside));
            cfa_edit::add_like(cfa, self.e, at, other, Op::branch(outside));
            self.outside(cfa, other, to, vec![a], &self.addresses[i + 1..]);
            at = next;
        }
    }

    /// Adds what happens from `at` on if the addresses `out` lie outside; those of `open` are still to be tested.
    fn outside(&self, cfa: &mut Cfa, mut at: LocId, to: LocId, out: Vec<Term>, open: &[Term]) {
        let func = cfa.locs[at].func;
        if self.addresses.len() > ADDRESSES_SPLIT {
            return self.give_up(cfa, at, to);
        }
        let [a, rest @ ..] = open else { return self.without(cfa, at, to, &out) };
        let inside = self.inside(cfa, &mut at, *a);
        let outside = cfa.terms.not(inside);
        let (yes, no) = (cfa.add_loc(func), cfa.add_loc(func));
        cfa_edit::add_like(cfa, self.e, at, yes, Op::branch(inside));
        cfa_edit::add_like(cfa, self.e, at, no, Op::branch(outside));
        self.outside(cfa, yes, to, out.clone(), rest);
        let more = out.iter().copied().chain([*a]).collect();
        self.outside(cfa, no, to, more, rest);
    }

    fn give_up(&self, cfa: &mut Cfa, at: LocId, to: LocId) {
        let op = Unsupported { may_call: false, ..Unsupported::opaque("an access to memory outside the program") };
        cfa_edit::add_like(cfa, self.e, at, to, Op::Unsupported(Box::new(op)));
    }

    /// Adds the operation without its accesses at `out`, which lie outside.
    fn without(&self, cfa: &mut Cfa, mut at: LocId, to: LocId, out: &[Term]) {
        let Op::Assign(list) = cfa.edges[self.e].op.clone() else { return self.give_up(cfa, at, to) };
        let mut rest = Rest { memory: self.memory, out, inputs: Vec::new(), done: FxHashMap::default() };
        let mut assigned = Vec::new();
        for (v, t) in list {
            match rest.of(cfa, t) {
                Some(t) => assigned.push((v, t)),
                None => return self.give_up(cfa, at, to),
            }
        }
        let func = cfa.locs[at].func;
        for (unknown, &a) in self.unknown.iter().flat_map(|unknown| out.iter().map(move |a| (unknown, a))) {
            let cond = unknown.elsewhere(cfa, a);
            let next = cfa.add_loc(func);
            let guard = cfa_edit::add_like(cfa, self.e, at, next, Op::Assume { cond, kind: AssumeKind::Guard });
            unknown.guards.borrow_mut().push(guard);
            at = next;
        }
        let kind = InputKind::Approximate(OUTSIDE_MEMORY.into());
        for var in rest.inputs {
            let next = cfa.add_loc(func);
            cfa_edit::add_like(cfa, self.e, at, next, Op::Input { var, kind: kind.clone() });
            at = next;
        }
        assigned.retain(|(v, t)| cfa.terms.kind(*t) != Kind::Var(*v));
        let op = if assigned.is_empty() { Op::Skip } else { Op::Assign(assigned.into_boxed_slice()) };
        cfa_edit::add_like(cfa, self.e, at, to, op);
    }

    /// The condition that the address lies in one of the objects that it may point to. If there are too many tests, it is left open, by an
    /// input after `at`, which becomes the place after that: then there are more executions.
    fn inside(&self, cfa: &mut Cfa, at: &mut LocId, address: Term) -> Term {
        let fixed = |o: &ObjectId| {
            let object = &cfa.objects[*o];
            object.size_bytes.is_some() && !matches!(object.kind, ObjectKind::Site(_))
        };
        let is_placed = |o: &ObjectId| self.placed.binary_search(o).is_ok();
        let data = self.points_to.of(address).iter().map(|p| p.0).filter(|o| is_data(cfa, *o));
        if self.many && data.clone().filter(is_placed).nth(RANGES_TESTED).is_some() {
            let var = cfa.add_var(format!("inside#{}", cfa.vars.len()), Sort::Bv(1), Scope::Global);
            let next = cfa.add_loc(cfa.locs[*at].func);
            let kind = InputKind::Approximate("whether an address lies in one of many objects".into());
            cfa_edit::add_like(cfa, self.e, *at, next, Op::Input { var, kind });
            *at = next;
            let is_inside = cfa.var_term(var);
            return cfa.terms.nonzero(is_inside);
        }
        let objects: Vec<ObjectId> = data.collect();
        let mut cond = cfa.terms.ff();
        let few = objects.len() <= RANGES_TESTED && objects.iter().all(fixed);
        if !few {
            cond = layout::lies_in(cfa, Area::PROGRAM, address);
        }
        for o in objects {
            if !few && !is_placed(&o) {
                continue;
            }
            let within = self.ranges.contain(cfa, o, address);
            cond = cfa.terms.or(cond, within);
        }
        cond
    }
}

/// Rewrites terms without the accesses at some addresses.
struct Rest<'a> {
    memory: VarId,
    out: &'a [Term],
    /// Inputs for the values read at these addresses.
    inputs: Vec<VarId>,
    done: FxHashMap<Term, Option<Term>>,
}

impl Rest<'_> {
    fn is_out(&self, cfa: &Cfa, a: Term) -> bool {
        self.out.iter().any(|b| same_base(cfa, *b, a))
    }

    /// `t` with reads at these addresses replaced by inputs, and writes at them left out. `None` where an address depends
    /// on such a read, because what it points to would be unknown.
    fn of(&mut self, cfa: &mut Cfa, t: Term) -> Option<Term> {
        if let Some(known) = self.done.get(&t) {
            return *known;
        }
        let found = self.make(cfa, t);
        self.done.insert(t, found);
        found
    }

    fn make(&mut self, cfa: &mut Cfa, t: Term) -> Option<Term> {
        let args: Vec<Term> = cfa.terms.args(t).to_vec();
        let accessed = accessed(cfa, self.memory, t);
        let kind = cfa.terms.kind(t);
        match kind {
            Kind::Read if accessed.iter().any(|a| self.is_out(cfa, *a)) => return Some(self.input(cfa, t)),
            Kind::Write | Kind::Copy if self.is_out(cfa, args[1]) => return self.of(cfa, args[0]),
            Kind::Copy if accessed.iter().any(|a| self.is_out(cfa, *a)) => {
                // The source is the same at every address, so that it does not matter where the bytes are
                // taken from.
                let below = self.of(cfa, args[0])?;
                let source = self.array(cfa);
                return Some(cfa.terms.copy(below, args[1], source, args[1], args[4]));
            }
            _ => {}
        }
        let mut new = Vec::with_capacity(args.len());
        for &a in &args {
            new.push(self.of(cfa, a)?);
        }
        let kept = match kind {
            Kind::Read | Kind::Write => new[1] == args[1],
            Kind::Copy => new[1] == args[1] && new[3] == args[3],
            _ => true,
        };
        kept.then(|| cfa.terms.rebuild(t, &new))
    }

    fn input(&mut self, cfa: &mut Cfa, t: Term) -> Term {
        let sort = cfa.terms.sort(t);
        self.new_input(cfa, sort)
    }

    fn array(&mut self, cfa: &mut Cfa) -> Term {
        self.new_input(cfa, Sort::Array { index: cfa.pointer_bits, elem: 8 })
    }

    fn new_input(&mut self, cfa: &mut Cfa, sort: Sort) -> Term {
        let v = cfa.add_var(format!("outside#{}", cfa.vars.len()), sort, Scope::Global);
        self.inputs.push(v);
        cfa.var_term(v)
    }
}
