//! The reversed program: from the targets of a program to its entry ([Kreppel 2019, 2.2, 3.1]), as a program of its own, so that
//! any analysis runs backward.
//!
//! Each edge becomes edges against its direction whose executions are the inverse of its own:
//!
//! ```text
//! l -- [c]       --> m      m -- [c] --> l
//! l -- x := ?    --> m      m -- x := ? --> l
//! l -- x := e    --> m      m -- x' := ?; [x = e(x')]; x := x' --> l       x' is the value of x before; if e does not read x, x := ?
//! l -- a[p] := e --> m      m -- [a[p] = e]; a[p] := ? --> l               if p and e do not read the memory a; otherwise as above
//! ```
//!
//! A target may lie in any activation. So a path of the reversed program first *ascends*: from the function with the target, and out of
//! its entry to the places where it is called, up to the entry function. Calls that have returned before are entered at their exits and
//! left at their entries, by an ordinary call of the reversed function:
//!
//! ```text
//! main: x := 1; call f; call g    g: [x = 2]; target    f: x := x + 1
//! reversed: [x = 2] (in g); out of g (in main); call f (x' + 1 = x); 1 = x
//! ```
//!
//! All functions in which control may ascend are one function of the reversed program, each with copies of its locations and locals. A
//! state of the reversed program at a location is a state from which the target can be reached, as far as the path so far says.

use super::Program;
use crate::program::unsupported::unsupported_construct;
use cfa::term::{Kind, Leaf};
use cfa::view::{Slice, View, ViewEdge};
use cfa::{Cfa, EdgeId, FuncId, Id, InputKind, LocId, Op, Scope, Sort, Span, Term, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What an edge of the reversed program stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stands {
    /// An edge that is no call.
    Along(EdgeId),
    /// A call, which is entered at its end; the step out of it, at its begin, stands for the edge itself.
    Return(EdgeId),
    /// The step into a function that has not returned where the target is reached.
    Into(EdgeId),
    /// A construct without a model, at which the path begins.
    Without(EdgeId),
}

/// Where a location of the reversed program is in the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The location of the view.
    pub loc: LocId,
    /// Whether control ascends: the target is reached before the function returns.
    pub ascends: bool,
}

/// A program and its reverse.
pub struct Reversed {
    /// The reversed program. Its terms extend those of the program, its variables, too, and its functions.
    pub program: Program,
    names: Names,
}

/// What the parts of a reversed program stand for.
#[derive(Clone, Default)]
struct Names {
    stands: FxHashMap<EdgeId, Stands>,
    /// The number of locations of the program, which come first.
    locs: usize,
    /// The locations for ascending, with those of the program, and the other way round.
    ascended: FxHashMap<LocId, LocId>,
    ascending: FxHashMap<LocId, LocId>,
    /// The copies of local variables for ascending, with the variables of the program, and the other way round.
    copied: FxHashMap<VarId, VarId>,
    copy_of: FxHashMap<VarId, VarId>,
    /// Where the reversed calls return to, with the edges of the calls.
    calls: FxHashMap<LocId, EdgeId>,
}

impl Names {
    fn place(&self, loc: LocId) -> Option<Place> {
        if loc.index() < self.locs {
            return Some(Place { loc, ascends: false });
        }
        self.ascended.get(&loc).map(|loc| Place { loc: *loc, ascends: true })
    }

    /// The locations of the reversed program for one of the program.
    fn both(&self, loc: LocId) -> impl Iterator<Item = LocId> {
        self.ascending.get(&loc).copied().into_iter().chain([loc])
    }
}

impl Reversed {
    /// Reverses the view of `program`. The locations `also_heads` of `program` count as heads of loops, too.
    pub fn new(program: &Program, also_heads: &[LocId]) -> Reversed {
        let mut maker = Maker::new(program);
        maker.reverse();
        let Maker { cfa, names, .. } = maker;
        let (slice, view) = (Slice::whole(&cfa), View::uncompacted(&cfa));
        let mut program = Program::with_view(Arc::new(cfa), slice, view);
        // Both copies of a location are heads, or none, so that it is known at each head what was reached there in any way.
        let mut heads: Vec<LocId> = also_heads.to_vec();
        heads.extend(program.loop_heads().iter().filter_map(|l| names.place(*l)).map(|place| place.loc));
        program.add_heads(heads.into_iter().flat_map(|l| names.both(l)).collect());
        Reversed { program, names }
    }

    /// The heads of loops of the reversed program, as locations of the program. They are in all cycles within functions of the program.
    pub fn heads(&self) -> impl Iterator<Item = LocId> {
        self.program.loop_heads().into_iter().filter_map(|l| Some(self.place(l)?.loc))
    }

    /// Where a location of the reversed program is in the program; `None` if it is in the middle of a reversed edge.
    pub fn place(&self, loc: LocId) -> Option<Place> {
        self.names.place(loc)
    }

    /// The variable of the program whose value `v` has; `None` for those that exist in the reversed program only.
    pub fn variable(&self, original: &Program, v: VarId) -> Option<VarId> {
        let is_original = v.index() < original.cfa.vars.len();
        if is_original { Some(v) } else { self.names.copied.get(&v).copied() }
    }

    /// The same with conditions on variables of `original`, Bool terms of `from`, that are assumed at its locations.
    pub fn assuming(&self, original: &Program, conditions: &[(LocId, Term)], from: &Terms) -> Reversed {
        let mut terms = Terms::over(self.program.base.clone());
        let (mut imported, mut renamed) = (FxHashMap::default(), FxHashMap::default());
        let mut all: Vec<(LocId, Term)> = Vec::new();
        let reachable: FxHashSet<LocId> = self.program.view.reachable(&self.program.cfa).into_iter().collect();
        let copy_of = &self.names.copy_of;
        for (l, condition) in conditions {
            let mut symbol = |_: &mut Terms, _| unreachable!("a condition on variables has no symbols");
            let condition = terms.import(from, *condition, &mut imported, &mut symbol);
            if reachable.contains(l) {
                all.push((*l, condition));
            }
            // A variable without a copy is not used in ascending.
            let has_copy = |v: VarId| !original.cfa.is_local(v) || copy_of.contains_key(&v);
            let copy = self.names.ascending.get(l).filter(|copy| reachable.contains(copy));
            if let Some(copy) = copy
                && terms.vars(condition).into_iter().all(has_copy)
            {
                let condition = terms.substitute(condition, &mut renamed, &mut |terms, leaf| match leaf {
                    Leaf::Var(v) => copy_of.get(&v).map(|copy| terms.var(*copy, original.cfa.vars[v].sort)),
                    Leaf::Sym(_) | Leaf::Addr(_) => None,
                });
                all.push((*copy, condition));
            }
        }
        Reversed { program: self.program.assuming(&all, &terms, &[]), names: self.names.clone() }
    }

    /// The edge of the call that a frame of the reversed program with this return location stands for.
    pub fn call(&self, return_to: LocId) -> Option<EdgeId> {
        self.names.calls.get(&return_to).copied()
    }

    /// The steps of the program for a path of the reversed program, in the order of the program.
    pub fn forward(&self, path: &[checker::Step]) -> Vec<checker::Step> {
        let (mut steps, mut calls) = (Vec::new(), Vec::new());
        for taken in path {
            let stands = match taken {
                checker::Step::Edge(e) => self.names.stands.get(e).copied(),
                checker::Step::Return => calls.pop().map(Stands::Along),
            };
            match stands {
                Some(Stands::Along(e) | Stands::Into(e)) => steps.push(checker::Step::Edge(e)),
                Some(Stands::Return(e)) => {
                    calls.push(e);
                    steps.push(checker::Step::Return);
                }
                Some(Stands::Without(_)) | None => {}
            }
        }
        steps.reverse();
        steps
    }

    /// The construct without a model at which a path of the reversed program begins, in words; `None` if it begins at a target.
    pub fn without_model(&self, original: &Program, path: &[checker::Step]) -> Option<String> {
        path.iter().find_map(|taken| match taken {
            checker::Step::Edge(e) => match self.names.stands.get(e) {
                Some(Stands::Without(e)) => Some(unsupported_construct(original, *e)),
                _ => None,
            },
            checker::Step::Return => None,
        })
    }
}

/// Makes a reversed program.
struct Maker<'a> {
    program: &'a Program,
    cfa: Cfa,
    main: FuncId,
    names: Names,
    /// For each variable and function, the variable that has its value before an assignment there.
    before: FxHashMap<(VarId, FuncId), VarId>,
}

impl<'a> Maker<'a> {
    fn new(program: &'a Program) -> Maker<'a> {
        let original = &*program.cfa;
        let mut cfa = Cfa {
            terms: (*program.base).clone(),
            funcs: original.funcs.clone(),
            vars: original.vars.clone(),
            objects: original.objects.clone(),
            files: original.files.clone(),
            memory: original.memory.clone(),
            pointer_bits: original.pointer_bits,
            ..Cfa::default()
        };
        for l in original.locs.iter() {
            cfa.locs.push(cfa::Location { func: l.func, ..Default::default() });
        }
        let names = Names { locs: cfa.locs.len(), ..Names::default() };
        let main = cfa.add_func("reversed", Span::default());
        cfa.entry = main;
        cfa.targets = vec![cfa.funcs[main].exit];
        Maker { program, cfa, main, names, before: FxHashMap::default() }
    }

    fn reverse(&mut self) {
        let program = self.program;
        let locs = program.view.reachable(&program.cfa);
        let begins = |l: LocId| {
            let without =
                program.view.out(l).iter().find(|e| matches!(program.op(e), Op::CallIndirect(_) | Op::Unsupported(_)));
            (without.map(|e| e.edge), program.is_target(l))
        };
        let (callers, called) = calls(program, &locs);
        let mut ascends: FxHashSet<FuncId> = FxHashSet::default();
        let mut work: Vec<FuncId> = Vec::new();
        for &l in &locs {
            if let (Some(_), _) | (_, true) = begins(l) {
                work.push(program.cfa.locs[l].func);
            }
        }
        while let Some(f) = work.pop() {
            if ascends.insert(f) {
                work.extend(callers.get(&f).into_iter().flatten().map(|(l, _)| program.cfa.locs[*l].func));
            }
        }
        for &f in &called {
            // In their own locations, since the entry of a function may be the head of a loop.
            let exit = self.cfa.add_loc(f);
            self.cfa.add_edge(program.entry_of(f), exit, Op::Skip, Span::default());
            (self.cfa.funcs[f].entry, self.cfa.funcs[f].exit) = (program.exit_of(f), exit);
        }
        for &l in &locs {
            let func = program.cfa.locs[l].func;
            for up in [false, true] {
                let is_needed = if up { ascends.contains(&func) } else { callers.contains_key(&func) };
                if is_needed {
                    for e in program.view.out(l) {
                        self.edge(l, e, up);
                    }
                }
            }
        }
        self.ascents(&ascends, &callers);
        let entry = self.cfa.funcs[self.main].entry;
        for &l in &locs {
            let (without, is_target) = begins(l);
            let begin = (without.is_some() || is_target).then(|| self.at(l, true));
            if is_target && let Some(begin) = begin {
                self.cfa.add_edge(entry, begin, Op::Skip, Span::default());
            }
            if let (Some(e), Some(begin)) = (without, begin) {
                let edge = self.cfa.add_edge(entry, begin, Op::Skip, Span::default());
                self.names.stands.insert(edge, Stands::Without(e));
            }
        }
        if ascends.contains(&program.cfa.entry) {
            let start = self.at(program.start(), true);
            let goal = self.cfa.funcs[self.main].exit;
            self.cfa.add_edge(start, goal, Op::Skip, Span::default());
        }
    }

    /// The steps out of functions, to where they are called.
    fn ascents(&mut self, ascends: &FxHashSet<FuncId>, callers: &FxHashMap<FuncId, Vec<(LocId, EdgeId)>>) {
        let mut functions: Vec<FuncId> = ascends.iter().copied().collect();
        functions.sort_unstable();
        for f in functions {
            for &(l, e) in callers.get(&f).into_iter().flatten() {
                let caller = self.program.cfa.locs[l].func;
                let (from, to) = (self.at(self.program.entry_of(f), true), self.at(l, true));
                // In a recursive function, another activation may have been left before.
                let is_recursive = self.program.recursive.contains(caller.index());
                let locals = self.program.cfa.vars.iter_enumerated().filter(|(_, v)| v.scope == Scope::Local(caller));
                let forgotten: Vec<VarId> = locals.map(|(v, _)| v).filter(|_| is_recursive).collect();
                let forget = |v| Op::Input { var: self.var(v, true), kind: InputKind::Undefined };
                let forgotten = forgotten.into_iter().map(forget).collect();
                self.chain(from, to, forgotten, Some(Stands::Into(e)), self.program.cfa.edges[e].span);
            }
        }
    }

    /// A location, for ascending or not.
    fn at(&mut self, loc: LocId, ascends: bool) -> LocId {
        if !ascends {
            return loc;
        }
        *self.names.ascending.entry(loc).or_insert_with(|| {
            let copy = self.cfa.add_loc(self.main);
            self.names.ascended.insert(copy, loc);
            copy
        })
    }

    /// A variable, for ascending or not.
    fn var(&mut self, v: VarId, ascends: bool) -> VarId {
        if !ascends || !self.cfa.is_local(v) {
            return v;
        }
        *self.names.copy_of.entry(v).or_insert_with(|| {
            let var = self.cfa.vars[v].clone();
            let copy = self.cfa.vars.push(cfa::graph::Var {
                name: format!("{}.up", var.name),
                scope: Scope::Local(self.main),
                ..var
            });
            self.names.copied.insert(copy, v);
            copy
        })
    }

    /// The variable that has the value of `v` before an assignment, which is made in `func`.
    fn before(&mut self, v: VarId, func: FuncId) -> VarId {
        *self.before.entry((v, func)).or_insert_with(|| {
            let name = format!("{}.before.{}", self.cfa.vars[v].name, func.0);
            self.cfa.add_var(name, self.cfa.vars[v].sort, Scope::Local(func))
        })
    }

    /// Edges from `from` to `to` with these operations, of which the first one stands for something.
    fn chain(&mut self, mut from: LocId, to: LocId, ops: Vec<Op>, stands: Option<Stands>, span: Span) {
        let func = self.cfa.locs[from].func;
        let ops = if ops.is_empty() { vec![Op::Skip] } else { ops };
        let last = ops.len() - 1;
        for (i, op) in ops.into_iter().enumerate() {
            let next = if i == last { to } else { self.cfa.add_loc(func) };
            let edge = self.cfa.add_edge(from, next, op, span);
            if i == 0
                && let Some(stands) = stands
            {
                self.names.stands.insert(edge, stands);
            }
            from = next;
        }
    }

    fn edge(&mut self, l: LocId, e: &ViewEdge, up: bool) {
        let program = self.program;
        let (from, to) = (self.at(e.to, up), self.at(l, up));
        let span = program.cfa.edges[e.edge].span;
        let along = Some(Stands::Along(e.edge));
        match program.op(e) {
            Op::Skip => self.chain(from, to, Vec::new(), along, span),
            Op::Assume { cond, kind } => {
                let cond = self.renamed(*cond, up, &FxHashMap::default());
                self.chain(from, to, vec![Op::Assume { cond, kind: *kind }], along, span);
            }
            Op::Input { var, kind } => {
                let op = Op::Input { var: self.var(*var, up), kind: kind.clone() };
                self.chain(from, to, vec![op], along, span);
            }
            Op::Assign(list) => {
                let func = self.cfa.locs[from].func;
                let ops = self.assignment(list, func, up);
                self.chain(from, to, ops, along, span);
            }
            Op::Call(f) => {
                let back = self.cfa.add_loc(self.cfa.locs[from].func);
                let call = self.cfa.add_edge(from, back, Op::Call(*f), span);
                self.names.stands.insert(call, Stands::Return(e.edge));
                self.names.calls.insert(back, e.edge);
                self.cfa.add_edge(back, to, Op::Skip, span);
            }
            // Paths begin there.
            Op::CallIndirect(_) | Op::Unsupported(_) => {}
        }
    }

    /// A term with the variables for ascending, and with other variables for those in `instead`.
    fn renamed(&mut self, t: Term, up: bool, instead: &FxHashMap<VarId, VarId>) -> Term {
        let new: FxHashMap<VarId, VarId> = self
            .cfa
            .terms
            .vars(t)
            .into_iter()
            .map(|v| (v, instead.get(&v).copied().unwrap_or_else(|| self.var(v, up))))
            .filter(|(old, new)| old != new)
            .collect();
        if new.is_empty() {
            return t;
        }
        let vars = &self.cfa.vars;
        self.cfa.terms.substitute(t, &mut FxHashMap::default(), &mut |terms, leaf| match leaf {
            Leaf::Var(v) => new.get(&v).map(|new| terms.var(*new, vars[*new].sort)),
            Leaf::Sym(_) | Leaf::Addr(_) => None,
        })
    }

    /// The inverse of a simultaneous assignment.
    fn assignment(&mut self, list: &[(VarId, Term)], func: FuncId, up: bool) -> Vec<Op> {
        let mut reads: FxHashMap<VarId, u32> = FxHashMap::default();
        let writes: Vec<Option<Vec<(Term, Term)>>> =
            list.iter().map(|(v, t)| writes_to(&self.cfa.terms, *v, *t)).collect();
        for ((_, t), writes) in list.iter().zip(&writes) {
            let read: Vec<Term> = match writes {
                Some(writes) => writes.iter().flat_map(|(at, value)| [*at, *value]).collect(),
                None => vec![*t],
            };
            for leaf in self.cfa.terms.leaves(&read) {
                if let Leaf::Var(v) = leaf {
                    *reads.entry(v).or_default() += 1;
                }
            }
        }
        let mut instead: FxHashMap<VarId, VarId> = FxHashMap::default();
        let mut ops = Vec::new();
        for (v, _) in list.iter().filter(|(v, _)| reads.contains_key(v)) {
            let before = self.before(*v, func);
            instead.insert(*v, before);
            ops.push(Op::Input { var: before, kind: InputKind::Undefined });
        }
        let mut after = Vec::new();
        for ((v, t), writes) in list.iter().zip(writes) {
            let var = self.var(*v, up);
            let sort = self.cfa.vars[var].sort;
            match (instead.get(v), writes) {
                (None, Some(writes)) => {
                    for (at, value) in writes {
                        let [at, value] = [at, value].map(|t| self.renamed(t, up, &instead));
                        self.undo_write((var, sort), at, value, func, &mut ops);
                    }
                }
                (before, _) => {
                    let value = self.renamed(*t, up, &instead);
                    let var_term = self.cfa.terms.var(var, sort);
                    ops.push(Op::branch(self.cfa.terms.eq(var_term, value)));
                    after.push(match before {
                        Some(before) => Op::assign(var, self.cfa.terms.var(*before, sort)),
                        None => Op::Input { var, kind: InputKind::Undefined },
                    });
                }
            }
        }
        ops.extend(after);
        ops
    }

    /// Operations after which the memory has arbitrary cells where `value` was written, and before which it has `value` there.
    fn undo_write(&mut self, (memory, sort): (VarId, Sort), at: Term, value: Term, func: FuncId, ops: &mut Vec<Op>) {
        let width = self.cfa.terms.width(value);
        let memory_term = self.cfa.terms.var(memory, sort);
        let now = self.cfa.terms.read(memory_term, at, width);
        ops.push(Op::branch(self.cfa.terms.eq(now, value)));
        let name = format!("{}.cells.{}", self.cfa.vars[memory].name, self.cfa.vars.len());
        let cells = self.cfa.add_var(name, Sort::Bv(width), Scope::Local(func));
        ops.push(Op::Input { var: cells, kind: InputKind::Undefined });
        let cells = self.cfa.terms.var(cells, Sort::Bv(width));
        let before = self.cfa.terms.write(memory_term, at, cells);
        ops.push(Op::assign(memory, before));
    }
}

/// Where each function is called, and the functions that are.
#[allow(clippy::type_complexity, reason = "pairs of locations and edges")]
fn calls(program: &Program, locs: &[LocId]) -> (FxHashMap<FuncId, Vec<(LocId, EdgeId)>>, Vec<FuncId>) {
    let mut callers: FxHashMap<FuncId, Vec<(LocId, EdgeId)>> = FxHashMap::default();
    for &l in locs {
        for e in program.view.out(l) {
            if let Op::Call(f) = program.op(e) {
                callers.entry(*f).or_default().push((l, e.edge));
            }
        }
    }
    let mut called: Vec<FuncId> = callers.keys().copied().collect();
    called.sort_unstable();
    (callers, called)
}

/// If `t` is the memory `v` after writes: their addresses and values, the last one first.
fn writes_to(terms: &Terms, v: VarId, t: Term) -> Option<Vec<(Term, Term)>> {
    let (mut at, mut writes) = (t, Vec::new());
    while terms.kind(at) == Kind::Write {
        let [below, address, value] = *terms.args(at) else { unreachable!("write has three arguments") };
        writes.push((address, value));
        at = below;
    }
    (terms.kind(at) == Kind::Var(v) && !writes.is_empty()).then_some(writes)
}
