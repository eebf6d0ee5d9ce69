//! A check of the invariants of a CFA, which reports every violation.
//!
//! A prepared CFA has two more invariants: it has no indirect calls, and no operation names the address of an object.

use crate::graph::{Cfa, ObjectKind, Scope};
use crate::ids::{EdgeId, FuncId, Id, LocId, VarId};
use crate::op::Op;
use crate::raw::{RawCfa, RawFacts};
use crate::term::{Kind, Leaf, Sort, Term};
use rustc_hash::FxHashSet;
use std::fmt;

/// A broken invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The place of the problem.
    pub place: Place,
    /// What is wrong, in words.
    pub message: String,
}

/// The subject of an invariant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Place {
    Program,
    Function(FuncId),
    Location(LocId),
    Edge(EdgeId),
    Var(VarId),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Place::Program => write!(f, "program: {}", self.message),
            Place::Function(id) => write!(f, "{id}: {}", self.message),
            Place::Location(id) => write!(f, "{id}: {}", self.message),
            Place::Edge(id) => write!(f, "{id}: {}", self.message),
            Place::Var(id) => write!(f, "{id}: {}", self.message),
        }
    }
}

/// All broken invariants of a prepared automaton; empty if it is well-formed.
pub fn validate(cfa: &Cfa) -> Vec<Problem> {
    check(cfa, None)
}

/// All broken invariants of a front-end's automaton; empty if it is well-formed.
pub fn validate_raw(raw: &RawCfa) -> Vec<Problem> {
    check(&raw.cfa, Some(&raw.facts))
}

fn check(cfa: &Cfa, facts: Option<&RawFacts>) -> Vec<Problem> {
    let mut checker = Checker { cfa, facts, checked: FxHashSet::default(), problems: Vec::new() };
    checker.program();
    for f in cfa.funcs.ids() {
        checker.function(f);
    }
    for v in cfa.vars.ids() {
        checker.var(v);
    }
    for l in cfa.locs.ids() {
        checker.location(l);
    }
    for e in cfa.edges.ids() {
        checker.edge(e);
    }
    checker.problems
}

struct Checker<'a> {
    cfa: &'a Cfa,
    /// The facts of the front-end; `None` after preparation.
    facts: Option<&'a RawFacts>,
    /// Terms that have been checked, with the function (by id + 1; 0 for none) whose locals they may name.
    checked: FxHashSet<(Term, u32)>,
    problems: Vec<Problem>,
}

impl Checker<'_> {
    fn report(&mut self, place: Place, message: impl Into<String>) {
        self.problems.push(Problem { place, message: message.into() });
    }

    fn has_var(&self, v: VarId) -> bool {
        v.index() < self.cfa.vars.len()
    }

    fn has_func(&self, f: FuncId) -> bool {
        f.index() < self.cfa.funcs.len()
    }

    fn program(&mut self) {
        let cfa = self.cfa;
        if !(1..=64).contains(&cfa.pointer_bits) {
            self.report(Place::Program, format!("addresses of {} bits", cfa.pointer_bits));
        }
        if !self.has_func(cfa.entry) {
            self.report(Place::Program, "the entry function does not exist");
        } else if !cfa.funcs[cfa.entry].params.is_empty() {
            self.report(Place::Function(cfa.entry), "the entry function has parameters");
        }
        for &l in &cfa.targets {
            if cfa.locs.get(l).is_none() {
                self.report(Place::Location(l), "a target that does not exist");
            } else if !cfa.out(l).is_empty() {
                self.report(Place::Location(l), "an edge leaves a target");
            }
        }
        for o in cfa.objects.iter() {
            if let ObjectKind::Function(f) | ObjectKind::Stack(f) | ObjectKind::Site(f) = o.kind
                && !self.has_func(f)
            {
                self.report(Place::Program, format!("object {} belongs to no function", o.name));
            }
            if !o.align_bytes.is_power_of_two() {
                self.report(Place::Program, format!("object {} has alignment {}", o.name, o.align_bytes));
            }
            if matches!(o.kind, ObjectKind::Global) && o.size_bytes.is_none() {
                self.report(Place::Program, format!("global object {} has no size", o.name));
            }
        }
        let noted =
            cfa.allocations.keys().chain(cfa.frees.keys()).chain(cfa.external_calls.keys()).chain(cfa.apart.keys());
        let noted = noted.chain(cfa.deliveries.keys()).chain(cfa.lifetimes.keys()).chain(cfa.memory.slots.keys());
        let noted = noted.chain(cfa.memory.address_orders.keys()).chain(cfa.module.companions.keys()).copied();
        let mut noted: Vec<EdgeId> = noted.chain(self.facts.into_iter().flat_map(RawFacts::edges)).collect();
        noted.sort_unstable();
        noted.dedup();
        for e in noted {
            if cfa.edges.get(e).is_none() {
                self.report(Place::Edge(e), "a note about an edge that does not exist");
            }
        }
    }

    fn function(&mut self, f: FuncId) {
        let (cfa, place) = (self.cfa, Place::Function(f));
        let func = &cfa.funcs[f];
        for (l, what) in [(func.entry, "entry"), (func.exit, "exit")] {
            match cfa.locs.get(l) {
                None => self.report(place, format!("its {what} does not exist")),
                Some(loc) if loc.func != f => self.report(place, format!("its {what} is in another function")),
                Some(loc) if what == "exit" && !loc.out.is_empty() => self.report(place, "an edge leaves its exit"),
                Some(_) => {}
            }
        }
        if func.entry == func.exit {
            self.report(place, "entry and exit are one location");
        }
        let mut transfer = func.params.clone();
        transfer.extend(func.result);
        transfer.extend(func.varargs);
        for v in transfer {
            if !self.has_var(v) {
                self.report(place, format!("transfer variable {v} does not exist"));
            } else if cfa.is_local(v) {
                self.report(place, format!("transfer variable {} is local", cfa.vars[v].name));
            }
        }
    }

    fn var(&mut self, v: VarId) {
        let var = &self.cfa.vars[v];
        if let Scope::Local(f) = var.scope
            && !self.has_func(f)
        {
            self.report(Place::Var(v), "a local of no function");
        }
        match var.sort {
            Sort::Bv(0) => self.report(Place::Var(v), "a bit-vector without bits"),
            Sort::Array { index, elem } if index == 0 || index > 64 || elem == 0 || elem % 8 != 0 => {
                self.report(Place::Var(v), format!("a memory of {elem}-bit cells with addresses of {index} bits"));
            }
            _ => {}
        }
    }

    fn location(&mut self, l: LocId) {
        let (cfa, place) = (self.cfa, Place::Location(l));
        let loc = &cfa.locs[l];
        if !self.has_func(loc.func) {
            self.report(place, "in no function");
        }
        for &e in &loc.out {
            if cfa.edges.get(e).is_none_or(|edge| edge.from != l) {
                self.report(place, format!("{e} does not leave it"));
            }
        }
        for &e in &loc.into {
            if cfa.edges.get(e).is_none_or(|edge| edge.to != l) {
                self.report(place, format!("{e} does not enter it"));
            }
        }
        if loc.out.len() > 2 {
            self.report(place, format!("{} successors", loc.out.len()));
        }
        // Where control may go two ways, conditions must decide: a free choice would be an input without a name.
        if loc.out.len() >= 2 {
            let conditional =
                |e: &EdgeId| matches!(cfa.edges.get(*e), Some(edge) if matches!(edge.op, Op::Assume { .. }));
            if !loc.out.iter().all(conditional) {
                self.report(place, "two successors without conditions");
            }
        }
    }

    fn edge(&mut self, e: EdgeId) {
        let (cfa, place) = (self.cfa, Place::Edge(e));
        let edge = &cfa.edges[e];
        let (from, to) = (cfa.locs.get(edge.from), cfa.locs.get(edge.to));
        let func = match (from, to) {
            (Some(a), Some(b)) => {
                if a.func != b.func {
                    self.report(place, "it leads into another function");
                }
                if a.out.iter().filter(|x| **x == e).count() != 1 {
                    self.report(
                        place,
                        format!("it is not listed exactly once among the edges that leave {}", edge.from),
                    );
                }
                if b.into.iter().filter(|x| **x == e).count() != 1 {
                    self.report(place, format!("it is not listed exactly once among the edges that enter {}", edge.to));
                }
                Some(a.func)
            }
            _ => {
                self.report(place, "an end does not exist");
                None
            }
        };
        if edge.span.file as usize >= cfa.files.len().max(1) {
            self.report(place, "its file does not exist");
        }
        self.op(e, &edge.op, func);
        let mut noted: Vec<Term> = Vec::new();
        if let Some(a) = cfa.allocations.get(&e) {
            noted.push(a.size);
            if a.object.index() >= cfa.objects.len() || !self.has_var(a.var) {
                self.report(place, "it allocates an object or for a variable that does not exist");
            }
        }
        noted.extend(cfa.frees.get(&e));
        noted.extend(cfa.apart.get(&e).into_iter().flatten());
        noted.extend(cfa.deliveries.get(&e).into_iter().flat_map(|d| [d.of, d.address, d.bytes, d.detail]));
        noted.extend(cfa.memory.address_orders.get(&e));
        noted.extend(self.facts.into_iter().flat_map(|facts| facts.terms(e)));
        for t in noted {
            self.term(place, t, func);
        }
    }

    fn written(&mut self, place: Place, v: VarId, func: Option<FuncId>) -> Option<Sort> {
        if !self.has_var(v) {
            self.report(place, format!("variable {v} does not exist"));
            return None;
        }
        let var = &self.cfa.vars[v];
        if let (Scope::Local(f), Some(func)) = (var.scope, func)
            && f != func
        {
            self.report(place, format!("it sets {}, a local of another function", var.name));
        }
        Some(var.sort)
    }

    fn op(&mut self, e: EdgeId, op: &Op, func: Option<FuncId>) {
        let (cfa, place) = (self.cfa, Place::Edge(e));
        for t in op.terms() {
            self.term(place, t, func);
        }
        match op {
            Op::Skip => {}
            Op::Assign(list) => {
                let mut seen = FxHashSet::default();
                for &(v, t) in list {
                    if !seen.insert(v) {
                        self.report(place, format!("it sets {v} twice"));
                    }
                    if let (Some(want), true) = (self.written(place, v, func), t.index() < cfa.terms.len())
                        && cfa.terms.sort(t) != want
                    {
                        let have = cfa.terms.sort(t);
                        self.report(
                            place,
                            format!(
                                "a value of sort {have:?} is assigned to {}, which has sort {want:?}",
                                cfa.vars[v].name
                            ),
                        );
                    }
                }
            }
            Op::Assume { cond, .. } => {
                if cond.index() < cfa.terms.len() && cfa.terms.sort(*cond) != Sort::Bool {
                    self.report(place, "its condition is not a Bool");
                }
            }
            Op::Input { var, .. } => {
                self.written(place, *var, func);
            }
            Op::Call(f) => {
                if !self.has_func(*f) {
                    self.report(place, "it calls a function that does not exist");
                } else if *f == cfa.entry {
                    self.report(place, "it calls the entry function");
                }
            }
            Op::CallIndirect(call) => {
                if self.facts.is_none() {
                    self.report(place, "it is an indirect call that is not resolved");
                }
                if let Some(v) = call.result {
                    self.written(place, v, func);
                }
                if !call.misfits.iter().all(|f| self.has_func(*f)) {
                    self.report(place, "one of its misfits does not exist");
                }
            }
            Op::Unsupported(u) => {
                for &v in u.reads.iter().chain(&u.writes).flatten() {
                    if !self.has_var(v) {
                        self.report(place, format!("variable {v} does not exist"));
                    }
                }
            }
        }
    }

    /// Checks the leaves of `t` and the sorts of its operators.
    fn term(&mut self, place: Place, t: Term, func: Option<FuncId>) {
        let cfa = self.cfa;
        if t.index() >= cfa.terms.len() {
            return self.report(place, format!("{t} does not exist"));
        }
        let key = func.map_or(0, |f| f.0 + 1);
        let checked = &self.checked;
        let open = cfa.terms.subterms(&[t], |u| checked.contains(&(u, key)));
        for u in open {
            let before = self.problems.len();
            let leaf = match cfa.terms.kind(u) {
                Kind::Var(v) => Some(Leaf::Var(v)),
                Kind::Sym(s) => Some(Leaf::Sym(s)),
                Kind::Addr(o) => Some(Leaf::Addr(o)),
                _ => None,
            };
            match leaf {
                Some(leaf) => self.leaf(place, leaf, cfa.terms.sort(u), func),
                None => {
                    if let Some(message) = ill_sorted(cfa, u) {
                        self.report(place, message);
                    }
                }
            }
            if self.problems.len() == before {
                self.checked.insert((u, key));
            }
        }
    }

    fn leaf(&mut self, place: Place, leaf: Leaf, sort: Sort, func: Option<FuncId>) {
        let cfa = self.cfa;
        match leaf {
            Leaf::Var(v) => match cfa.vars.get(v) {
                None => self.report(place, format!("variable {v} does not exist")),
                Some(var) => {
                    if var.sort != sort {
                        self.report(place, format!("{} is read as {sort:?}, but it is {:?}", var.name, var.sort));
                    }
                    if let (Scope::Local(f), Some(func)) = (var.scope, func)
                        && f != func
                    {
                        self.report(place, format!("it reads {}, a local of another function", var.name));
                    }
                }
            },
            Leaf::Sym(s) => self.report(place, format!("{s}, a symbol of formulas, occurs in a program")),
            Leaf::Addr(o) => {
                if o.index() >= cfa.objects.len() {
                    self.report(place, format!("object {o} does not exist"));
                } else if self.facts.is_none() {
                    self.report(place, format!("the address of {} has no number", cfa.objects[o].name));
                }
                if sort != Sort::Bv(cfa.pointer_bits) {
                    self.report(place, format!("an address of sort {sort:?}"));
                }
            }
        }
    }
}

/// What is wrong with the sorts at the root of `t`, if anything.
fn ill_sorted(cfa: &Cfa, t: Term) -> Option<String> {
    let terms = &cfa.terms;
    if terms.args(t).is_empty() {
        return None;
    }
    let sorts: Vec<Sort> = terms.args(t).iter().map(|&a| terms.sort(a)).collect();
    match crate::text::operator_sort(&terms.operator_name(t), &sorts) {
        Ok(sort) if sort == terms.sort(t) => None,
        Ok(sort) => Some(format!("{t} is said to be {:?}, but it is {sort:?}", terms.sort(t))),
        Err(message) => Some(message),
    }
}
