//! Operations that may trap: guards whose conditions are not known to hold.
//!
//! Most guards say that a pointer is not null, or that a divisor is not 0, and most of these numbers are known not to be 0: they are
//! addresses of objects, or were tested before. What is known at a location is the greatest solution of a forward analysis, in which a fact
//! holds if it holds on all paths:
//!
//! ```text
//! v != 0      after v := c for a constant c other than 0, v := u where u != 0, and where a branch or a guard says so
//! v = u       after v := u, until one of them is set; where v != 0 is learned, so is u != 0
//! ```
//!
//! Functions are analysed one at a time: at a function's entry, what holds of global variables (such as those that pass parameters) is what
//! holds at all calls; after a call, what holds at the function's exit. This is done again until nothing changes, or given up after a number
//! of steps for each edge of the program.

use crate::dependence::relevant::may_leave_graph;
use cfa::term::{Kind, Term};
use cfa::{AssumeKind, Cfa, EdgeId, FuncId, Id, LocId, Op, Scope, VarId};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::collections::{BTreeSet, VecDeque};

/// Maximum number of steps for each edge of the program.
const MOST_STEPS: usize = 12;

/// Maximum number of edges of a program that is analysed: the slices of larger ones hardly change, and take long enough.
const MOST_EDGES: usize = 200_000;

/// All guards, one bit for each edge.
pub(super) fn guards(cfa: &Cfa) -> FixedBitSet {
    let mut guards = FixedBitSet::with_capacity(cfa.edges.len());
    for (e, edge) in cfa.edges.iter_enumerated() {
        guards.set(e.index(), matches!(edge.op, Op::Assume { kind: AssumeKind::Guard, .. }));
    }
    guards
}

/// The guards that may not hold, where nothing but the edges of the program sets variables.
pub(super) fn guards_that_may_fail(cfa: &Cfa) -> FixedBitSet {
    let mut may_fail = guards(cfa);
    if cfa.edges.len() > MOST_EDGES {
        return may_fail;
    }
    Solver::new(cfa).solve().into_iter().for_each(|e| may_fail.set(e.index(), false));
    may_fail
}

/// The variable that a condition says is not 0.
fn not_zero(cfa: &Cfa, cond: Term) -> Option<VarId> {
    let (terms, is_zero) = (&cfa.terms, |t: Term| cfa.terms.kind(t) == Kind::Const(0));
    let Kind::Not = terms.kind(cond) else { return None };
    let equal = terms.args(cond)[0];
    let (Kind::Eq, &[a, b]) = (terms.kind(equal), terms.args(equal)) else { return None };
    match (terms.kind(a), terms.kind(b)) {
        (Kind::Var(v), _) if is_zero(b) => Some(v),
        (_, Kind::Var(v)) if is_zero(a) => Some(v),
        _ => None,
    }
}

/// Variables that are not 0.
type NotZero = FxHashSet<VarId>;

struct Solver<'a> {
    cfa: &'a Cfa,
    locs: Vec<Vec<LocId>>,
    /// The variables whose values guards may test.
    relevant: FixedBitSet,
    callers: Vec<Vec<FuncId>>,
    /// What holds of global variables at the entry and at the exit of each function; `None` if neither was reached yet.
    entry: Vec<Option<NotZero>>,
    exit: Vec<Option<NotZero>>,
    /// The number of steps that are left.
    left: Cell<usize>,
}

impl<'a> Solver<'a> {
    fn new(cfa: &'a Cfa) -> Solver<'a> {
        let mut locs = vec![Vec::new(); cfa.funcs.len()];
        cfa.locs.ids().for_each(|l| locs[cfa.locs[l].func.index()].push(l));
        let mut callers = vec![Vec::new(); cfa.funcs.len()];
        for edge in cfa.edges.iter() {
            if let Op::Call(f) = edge.op {
                callers[f.index()].push(cfa.locs[edge.from].func);
            }
        }
        let none = vec![None; cfa.funcs.len()];
        Solver {
            cfa,
            locs,
            relevant: relevant(cfa),
            callers,
            entry: none.clone(),
            exit: none,
            left: Cell::new(MOST_STEPS * cfa.edges.len()),
        }
    }

    /// The guards that hold; none if finding out takes too long.
    fn solve(mut self) -> Vec<EdgeId> {
        let entry = self.cfa.entry;
        self.entry[entry.index()] = Some(NotZero::default());
        let mut work: VecDeque<FuncId> = VecDeque::from([entry]);
        let mut waits = FixedBitSet::with_capacity(self.cfa.funcs.len());
        let add = |work: &mut VecDeque<FuncId>, waits: &mut FixedBitSet, f: FuncId| {
            if !waits.put(f.index()) {
                work.push_back(f);
            }
        };
        while let Some(f) = work.pop_front() {
            waits.set(f.index(), false);
            let facts = Facts::new(&self, f);
            let Some(states) = facts.states(&self) else { continue };
            for &l in &self.locs[f.index()] {
                let Some(state) = &states[&l] else { continue };
                for &e in self.cfa.out(l) {
                    if let Op::Call(g) = self.cfa.edges[e].op
                        && meet(&mut self.entry[g.index()], facts.of_globals(self.cfa, state))
                    {
                        add(&mut work, &mut waits, g);
                    }
                }
            }
            if let Some(state) = &states[&self.cfa.funcs[f].exit]
                && meet(&mut self.exit[f.index()], facts.of_globals(self.cfa, state))
            {
                self.callers[f.index()].iter().for_each(|g| add(&mut work, &mut waits, *g));
            }
            if self.left.get() == 0 {
                return Vec::new();
            }
        }
        let found: Vec<EdgeId> = self.cfa.funcs.ids().flat_map(|f| self.guards_that_hold(f)).collect();
        if self.left.get() == 0 { Vec::new() } else { found }
    }

    fn guards_that_hold(&self, f: FuncId) -> Vec<EdgeId> {
        let facts = Facts::new(self, f);
        let Some(states) = facts.states(self) else { return Vec::new() };
        let holds = |e: &EdgeId| {
            let edge = &self.cfa.edges[*e];
            let Op::Assume { cond, kind: AssumeKind::Guard } = edge.op else { return false };
            let tested = not_zero(self.cfa, cond).and_then(|v| facts.not_zero.get(&v));
            tested.is_some_and(|i| states[&edge.from].as_ref().is_some_and(|state| state.contains(*i)))
        };
        self.locs[f.index()].iter().flat_map(|l| self.cfa.out(*l)).copied().filter(holds).collect()
    }
}

/// The variables that guards test, and those whose values these have.
fn relevant(cfa: &Cfa) -> FixedBitSet {
    let mut sources: FxHashMap<VarId, Vec<VarId>> = FxHashMap::default();
    let mut stack = Vec::new();
    for edge in cfa.edges.iter() {
        match &edge.op {
            Op::Assign(list) => {
                for (v, t) in list {
                    if let Kind::Var(u) = cfa.terms.kind(*t) {
                        sources.entry(*v).or_default().push(u);
                    }
                }
            }
            Op::Assume { cond, kind: AssumeKind::Guard } => stack.extend(not_zero(cfa, *cond)),
            _ => {}
        }
    }
    let mut relevant = FixedBitSet::with_capacity(cfa.vars.len());
    while let Some(v) = stack.pop() {
        if !relevant.put(v.index()) {
            stack.extend(sources.get(&v).into_iter().flatten());
        }
    }
    relevant
}

/// Meets what holds with what holds on another path. Returns whether less holds than before.
fn meet(known: &mut Option<NotZero>, other: NotZero) -> bool {
    let Some(known) = known else {
        *known = Some(other);
        return true;
    };
    let before = known.len();
    known.retain(|v| other.contains(v));
    known.len() < before
}

/// The facts that may hold in one function, by number.
struct Facts {
    func: FuncId,
    /// For each variable, the number of the fact that it is not 0.
    not_zero: FxHashMap<VarId, usize>,
    /// For each variable, the variables that may have the same value, with the number of this fact.
    same: FxHashMap<VarId, Vec<(VarId, usize)>>,
    count: usize,
}

impl Facts {
    fn new(solver: &Solver<'_>, func: FuncId) -> Facts {
        let mut facts = Facts { func, not_zero: FxHashMap::default(), same: FxHashMap::default(), count: 0 };
        let cfa = solver.cfa;
        for &e in solver.locs[func.index()].iter().flat_map(|l| cfa.out(*l)) {
            match &cfa.edges[e].op {
                Op::Assign(list) => {
                    for (v, t) in list {
                        facts.add(solver, *v);
                        if let Kind::Var(u) = cfa.terms.kind(*t)
                            && u != *v
                            && solver.relevant.contains(u.index())
                            && solver.relevant.contains(v.index())
                        {
                            facts.add(solver, u);
                            facts.add_copy(*v, u);
                        }
                    }
                }
                Op::Assume { cond, .. } => not_zero(cfa, *cond).into_iter().for_each(|v| facts.add(solver, v)),
                _ => {}
            }
        }
        facts
    }

    fn add(&mut self, solver: &Solver<'_>, v: VarId) {
        if solver.relevant.contains(v.index()) && !self.not_zero.contains_key(&v) {
            self.not_zero.insert(v, self.count);
            self.count += 1;
        }
    }

    fn add_copy(&mut self, v: VarId, u: VarId) {
        if self.copy(v, u).is_none() {
            self.same.entry(v).or_default().push((u, self.count));
            self.same.entry(u).or_default().push((v, self.count));
            self.count += 1;
        }
    }

    /// The number of the fact that these variables have the same value.
    fn copy(&self, v: VarId, u: VarId) -> Option<usize> {
        self.same.get(&v)?.iter().find(|(other, _)| *other == u).map(|(_, i)| *i)
    }

    fn of_globals(&self, cfa: &Cfa, state: &FixedBitSet) -> NotZero {
        let is_global = |v: &VarId| cfa.vars[*v].scope == Scope::Global;
        self.not_zero.iter().filter(|(v, i)| is_global(v) && state.contains(**i)).map(|(v, _)| *v).collect()
    }

    /// What holds at each location of the function; `None` at those that are not reached, or if the function is not.
    fn states(&self, solver: &Solver<'_>) -> Option<FxHashMap<LocId, Option<FixedBitSet>>> {
        let cfa = solver.cfa;
        let mut first = FixedBitSet::with_capacity(self.count);
        self.set(&mut first, solver.entry[self.func.index()].as_ref()?);
        let mut states: FxHashMap<LocId, Option<FixedBitSet>> =
            solver.locs[self.func.index()].iter().map(|l| (*l, None)).collect();
        let entry = cfa.funcs[self.func].entry;
        states.insert(entry, Some(first));
        // In the order of the program, more or less, so that few locations are visited again.
        let mut work: BTreeSet<LocId> = BTreeSet::from([entry]);
        while let Some(l) = work.pop_first() {
            solver.left.set(solver.left.get().saturating_sub(cfa.out(l).len()));
            if solver.left.get() == 0 {
                break;
            }
            for &e in cfa.out(l) {
                let Some(Some(before)) = states.get(&l) else { continue };
                let Some(after) = self.after(solver, e, before.clone()) else { continue };
                let to = cfa.edges[e].to;
                let Some(known) = states.get_mut(&to) else { continue };
                let less = match known {
                    None => Some(after),
                    Some(known) if known.is_subset(&after) => None,
                    Some(known) => Some(&*known & &after),
                };
                if let Some(less) = less {
                    *known = Some(less);
                    work.insert(to);
                }
            }
        }
        Some(states)
    }

    fn set(&self, state: &mut FixedBitSet, known: &NotZero) {
        known.iter().filter_map(|v| self.not_zero.get(v)).for_each(|i| state.insert(*i));
    }

    /// What holds after an edge; `None` if it is not known yet whether control goes on.
    fn after(&self, solver: &Solver<'_>, e: EdgeId, mut state: FixedBitSet) -> Option<FixedBitSet> {
        let cfa = solver.cfa;
        match &cfa.edges[e].op {
            Op::Skip => {}
            Op::Assign(list) => {
                let is_zero_free: Vec<bool> = list.iter().map(|(_, t)| self.is_not_zero(cfa, *t, &state)).collect();
                list.iter().for_each(|(v, _)| self.forget(&mut state, *v));
                for ((v, t), known) in list.iter().zip(is_zero_free) {
                    if let (true, Some(i)) = (known, self.not_zero.get(v)) {
                        state.insert(*i);
                    }
                    if let Kind::Var(u) = cfa.terms.kind(*t)
                        && !list.iter().any(|(w, _)| *w == u)
                        && let Some(i) = self.copy(*v, u)
                    {
                        state.insert(i);
                    }
                }
            }
            Op::Input { var, .. } => self.forget(&mut state, *var),
            Op::Assume { cond, .. } => not_zero(cfa, *cond).into_iter().for_each(|v| self.learn(&mut state, v)),
            Op::Call(f) => {
                let exit = solver.exit[f.index()].as_ref()?;
                let globals = self.not_zero.keys().filter(|v| cfa.vars[**v].scope == Scope::Global);
                globals.for_each(|v| self.forget(&mut state, *v));
                self.set(&mut state, exit);
            }
            op => {
                debug_assert!(may_leave_graph(op));
                state.clear();
            }
        }
        Some(state)
    }

    fn is_not_zero(&self, cfa: &Cfa, t: Term, state: &FixedBitSet) -> bool {
        match cfa.terms.kind(t) {
            Kind::Const(k) => k != 0,
            Kind::Var(v) => self.not_zero.get(&v).is_some_and(|i| state.contains(*i)),
            _ => false,
        }
    }

    /// Forgets what is known about the variable's value.
    fn forget(&self, state: &mut FixedBitSet, v: VarId) {
        let same = self.same.get(&v).into_iter().flatten().map(|(_, i)| i);
        self.not_zero.get(&v).into_iter().chain(same).for_each(|i| state.set(*i, false));
    }

    /// Notes that the variable is not 0, and those that have the same value.
    fn learn(&self, state: &mut FixedBitSet, v: VarId) {
        let Some(&i) = self.not_zero.get(&v) else { return };
        if state.put(i) {
            return;
        }
        for (u, same) in self.same.get(&v).into_iter().flatten() {
            if state.contains(*same) {
                self.learn(state, *u);
            }
        }
    }
}
