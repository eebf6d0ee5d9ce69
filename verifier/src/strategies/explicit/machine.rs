//! The compiled program: its blocks as flat code over numbered slots.
//!
//! ```text
//! l5 -> l6: t := a                 5: t := a, then 6
//! l6 -> l7: [t = 3]                6: if t = 3 then 7 else 9
//! l6 -> l9: [not (t = 3)]
//! ```
//!
//! Each variable with a truth value or at most 64 bits has a slot; what others hold, such as memories, is anything. Calls push where they
//! return to; recursive functions, whose locals would need several slots, are not entered.

use crate::program::Program;
use cfa::bv::{BvCmp, BvOp};
use cfa::term::Kind;
use cfa::view::ViewEdge;
use cfa::{EdgeId, FuncId, InputKind, LocId, Op, Range, Scope, Sort, Term, VarId};
use checker::Remainders;
use rustc_hash::{FxHashMap, FxHashSet};

/// Index of an instruction.
pub(super) type Place = u32;
/// Index of a value.
pub(super) type Slot = u32;
/// Index of an expression.
pub(super) type ExprId = u32;

/// Maximum size of an expression, as a tree; a larger one may have any value.
const MAX_SIZE: u32 = 1_000;

/// An instruction.
#[derive(Clone, Copy, Debug)]
pub(super) enum Code {
    /// A loop head or the start: runs begin and end here.
    Cut(Place),
    /// Does nothing.
    Goto(Place),
    /// `slot := k`.
    Constant(Slot, i64, Place),
    /// `slot := from`.
    Copy(Slot, Slot, Place),
    /// `slot := expression`.
    Set(Slot, ExprId, Place),
    /// Several assignments at once: a part of [`Machine::assignments`].
    SetAll { first: u32, end: u32, next: Place },
    /// `slot := ?`, which takes one class after the other.
    Input(Slot, Place),
    /// `slot := ?`, which is hardly ever read: a value that is not initialised.
    Unset(Slot, Place),
    /// Whether `slot = k`.
    Equals { slot: Slot, k: i64, yes: Place, no: Place },
    /// Whether `slot < k`.
    Less { slot: Slot, k: i64, yes: Place, no: Place },
    /// Whether an expression is true.
    Test { condition: ExprId, yes: Place, no: Place },
    /// Continues only if an expression is true.
    Assume(ExprId, Place),
    /// Any of several: a part of [`Machine::forks`].
    Fork { first: u32, end: u32 },
    /// Enters a function.
    Call { entry: Place, func: u32, back: Place },
    /// Returns to the caller, if there is one.
    Exit,
    /// The property is violated.
    Target,
    /// A construct without a model.
    Unsupported(EdgeId),
    /// A call of a recursive function.
    Recursion,
    /// No execution goes on.
    Stop,
}

/// An expression over slots; its value is a range.
#[derive(Clone, Copy, Debug)]
pub(super) enum Expr {
    Any(Range),
    Slot(Slot),
    Not(ExprId),
    And(ExprId, ExprId),
    Or(ExprId, ExprId),
    Ite(ExprId, ExprId, ExprId),
    Equal(ExprId, ExprId),
    Compare(BvCmp, ExprId, ExprId, u32),
    Binary(BvOp, ExprId, ExprId, u32),
    Complement(ExprId),
    Negate(ExprId, u32),
    Extract(ExprId, u32, u32),
    Concat { high: ExprId, low: ExprId, low_width: u32, width: u32 },
    ZeroExtend(ExprId, u32, u32),
}

/// A variable with a slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variable {
    pub(super) var: VarId,
    /// Its range without any knowledge.
    pub(super) any: Range,
}

/// A compiled program.
pub(super) struct Machine {
    pub(super) code: Vec<Code>,
    /// The edges of the program that an instruction takes: if it continues, or for `yes` and `no`.
    pub(super) edges: Vec<[Option<EdgeId>; 2]>,
    /// The edge that it takes before these.
    pub(super) before: FxHashMap<Place, EdgeId>,
    pub(super) exprs: Vec<Expr>,
    pub(super) slots: Vec<Variable>,
    pub(super) assignments: Vec<(Slot, ExprId)>,
    pub(super) forks: Vec<Place>,
    /// For each function that is called, by [`Code::Call`]: the slots of its locals that may be read before they are written.
    pub(super) unset: Vec<Vec<Slot>>,
    /// Where execution begins, a `Cut`.
    pub(super) start: Place,
    /// For each slot, whether it is a copy of a variable that is made for one test and read nowhere else.
    pub(super) is_temporary: Vec<bool>,
    /// The location of each place that is not inside one.
    pub(super) locs: FxHashMap<Place, LocId>,
    slot_of: FxHashMap<VarId, Slot>,
    /// What is known of the low bits of variables.
    pub(super) remainders: Remainders,
    /// Variables of which a test never holds, by their low bits.
    pub(super) decided: FxHashSet<VarId>,
}

impl Machine {
    /// The slots that an expression reads.
    pub(super) fn reads(&self, e: ExprId, into: &mut Vec<Slot>) {
        match self.exprs[e as usize] {
            Expr::Any(_) => {}
            Expr::Slot(slot) => into.push(slot),
            Expr::Not(x)
            | Expr::Complement(x)
            | Expr::Negate(x, _)
            | Expr::Extract(x, ..)
            | Expr::ZeroExtend(x, ..) => self.reads(x, into),
            Expr::And(x, y)
            | Expr::Or(x, y)
            | Expr::Equal(x, y)
            | Expr::Compare(_, x, y, _)
            | Expr::Binary(_, x, y, _)
            | Expr::Concat { high: x, low: y, .. } => {
                self.reads(x, into);
                self.reads(y, into);
            }
            Expr::Ite(c, x, y) => [c, x, y].into_iter().for_each(|e| self.reads(e, into)),
        }
    }

    /// The assignments that an instruction makes: for each slot, the slots on which its new value depends.
    pub(super) fn assigned(&self, place: Place) -> Vec<(Slot, Vec<Slot>)> {
        let read = |e: ExprId| {
            let mut all = Vec::new();
            self.reads(e, &mut all);
            all
        };
        match self.code[place as usize] {
            Code::Constant(slot, ..) | Code::Input(slot, _) | Code::Unset(slot, _) => vec![(slot, Vec::new())],
            Code::Copy(slot, from, _) => vec![(slot, vec![from])],
            Code::Set(slot, e, _) => vec![(slot, read(e))],
            Code::SetAll { first, end, .. } => {
                let list = &self.assignments[first as usize..end as usize];
                list.iter().map(|(slot, e)| (*slot, read(*e))).collect()
            }
            Code::Call { func, .. } => self.unset[func as usize].iter().map(|slot| (*slot, Vec::new())).collect(),
            _ => Vec::new(),
        }
    }

    /// The slots that an instruction tests.
    pub(super) fn tested(&self, place: Place) -> Vec<Slot> {
        match self.code[place as usize] {
            Code::Equals { slot, .. } | Code::Less { slot, .. } => vec![slot],
            Code::Test { condition, .. } | Code::Assume(condition, _) => {
                let mut all = Vec::new();
                self.reads(condition, &mut all);
                all
            }
            _ => Vec::new(),
        }
    }

    /// The value of an expression, where `slot` says what slots hold.
    pub(super) fn value(&self, e: ExprId, slot: &impl Fn(Slot) -> Range) -> Range {
        let of = |e: ExprId| self.value(e, slot);
        match self.exprs[e as usize] {
            Expr::Any(r) => r,
            Expr::Slot(s) => slot(s),
            Expr::Not(x) => Range::truth(of(x).as_truth().map(|b| !b)),
            Expr::And(x, y) => match of(x).as_truth() {
                Some(true) => of(y),
                Some(false) => Range::point(0),
                None if of(y).as_truth() == Some(false) => Range::point(0),
                None => Range::TRUTH,
            },
            Expr::Or(x, y) => match of(x).as_truth() {
                Some(false) => of(y),
                Some(true) => Range::point(1),
                None if of(y).as_truth() == Some(true) => Range::point(1),
                None => Range::TRUTH,
            },
            Expr::Ite(c, x, y) => match of(c).as_truth() {
                Some(true) => of(x),
                Some(false) => of(y),
                None => of(x).hull(of(y)),
            },
            Expr::Equal(x, y) => of(x).equals(of(y)),
            Expr::Compare(cmp, x, y, width) => of(x).compared(cmp, of(y), width),
            Expr::Binary(op, x, y, width) => of(x).binary(op, of(y), width),
            Expr::Complement(x) => of(x).complement(),
            Expr::Negate(x, width) => of(x).negated(width),
            Expr::Extract(x, hi, lo) => of(x).extracted(hi, lo),
            Expr::Concat { high, low, low_width, width } => of(high).concatenated(of(low), low_width, width),
            Expr::ZeroExtend(x, from, width) => of(x).zero_extended(from, width),
        }
    }

    /// The slot of a variable, if it occurs in the code.
    pub(super) fn slot(&self, v: VarId) -> Option<Slot> {
        self.slot_of.get(&v).copied()
    }

    /// Compiles what is reachable in the view of `program`.
    pub(super) fn new(program: &Program) -> Machine {
        let machine = Machine {
            code: Vec::new(),
            edges: Vec::new(),
            before: FxHashMap::default(),
            exprs: Vec::new(),
            slots: Vec::new(),
            assignments: Vec::new(),
            forks: Vec::new(),
            unset: Vec::new(),
            start: 0,
            is_temporary: Vec::new(),
            locs: FxHashMap::default(),
            slot_of: FxHashMap::default(),
            remainders: Remainders::new(&program.cfa, &program.view),
            decided: FxHashSet::default(),
        };
        let mut compiler = Compiler {
            program,
            machine,
            places: FxHashMap::default(),
            heads: program.loop_heads().into_iter().collect(),
            todo: Vec::new(),
            exprs: FxHashMap::default(),
            functions: FxHashMap::default(),
        };
        let start = compiler.place(program.start());
        compiler.machine.start = compiler.add(Code::Cut(start), [None; 2]);
        compiler.machine.locs.insert(compiler.machine.start, program.start());
        while let Some((loc, place)) = compiler.todo.pop() {
            compiler.compile(loc, place);
        }
        compiler.finish()
    }
}

struct Compiler<'p> {
    program: &'p Program,
    machine: Machine,
    places: FxHashMap<LocId, Place>,
    heads: FxHashSet<LocId>,
    /// Locations whose code is still missing, and where it goes.
    todo: Vec<(LocId, Place)>,
    /// The expressions so far, with their sizes as trees.
    exprs: FxHashMap<Term, (ExprId, u32)>,
    functions: FxHashMap<FuncId, u32>,
}

impl Compiler<'_> {
    fn add(&mut self, code: Code, edges: [Option<EdgeId>; 2]) -> Place {
        self.machine.code.push(code);
        self.machine.edges.push(edges);
        (self.machine.code.len() - 1) as Place
    }

    /// Where the code of a location begins.
    fn place(&mut self, loc: LocId) -> Place {
        if let Some(known) = self.places.get(&loc) {
            return *known;
        }
        let body = self.add(Code::Stop, [None; 2]);
        self.todo.push((loc, body));
        let place = match self.heads.contains(&loc) {
            true => self.add(Code::Cut(body), [None; 2]),
            false => body,
        };
        self.places.insert(loc, place);
        self.machine.locs.insert(place, loc);
        place
    }

    fn slot(&mut self, v: VarId) -> Option<Slot> {
        let any = Range::of_sort(self.program.cfa.vars[v].sort)?;
        let next = self.machine.slots.len() as Slot;
        let slot = *self.machine.slot_of.entry(v).or_insert(next);
        if slot == next {
            self.machine.slots.push(Variable { var: v, any });
        }
        Some(slot)
    }

    fn compile(&mut self, loc: LocId, place: Place) {
        let program = self.program;
        let out = program.view.out(loc);
        let is_exit = loc == program.exit_of(program.cfa.locs[loc].func);
        let (code, edges) = match out {
            _ if program.is_target(loc) => (Code::Target, [None; 2]),
            [] if is_exit => (Code::Exit, [None; 2]),
            [] => (Code::Stop, [None; 2]),
            [only] if !is_exit => self.step(only),
            [a, b] if !is_exit && program.is_deterministic(loc) => self.test(a, b),
            _ => {
                let mut all: Vec<Place> = Vec::new();
                for e in out {
                    let (code, edges) = self.step(e);
                    all.push(self.add(code, edges));
                }
                if is_exit {
                    all.push(self.add(Code::Exit, [None; 2]));
                }
                let first = self.machine.forks.len() as u32;
                self.machine.forks.extend(all);
                (Code::Fork { first, end: self.machine.forks.len() as u32 }, [None; 2])
            }
        };
        self.machine.code[place as usize] = code;
        self.machine.edges[place as usize] = edges;
    }

    /// The code of one edge.
    fn step(&mut self, e: &ViewEdge) -> (Code, [Option<EdgeId>; 2]) {
        let program = self.program;
        let code = match program.op(e) {
            Op::Skip => Code::Goto(self.place(e.to)),
            Op::Assign(list) => self.assign(list, e.to),
            Op::Input { var, kind } => match self.slot(*var) {
                Some(slot) if *kind == InputKind::Uninitialised => Code::Unset(slot, self.place(e.to)),
                Some(slot) => Code::Input(slot, self.place(e.to)),
                None => Code::Goto(self.place(e.to)),
            },
            Op::Assume { cond, .. } => Code::Assume(self.expr(*cond), self.place(e.to)),
            Op::Call(f) if program.recursive.contains(cfa::Id::index(*f)) => Code::Recursion,
            Op::Call(f) => {
                let next = self.functions.len() as u32;
                let func = *self.functions.entry(*f).or_insert(next);
                Code::Call { entry: self.place(program.entry_of(*f)), func, back: self.place(e.to) }
            }
            Op::CallIndirect(_) | Op::Unsupported(_) => Code::Unsupported(e.edge),
        };
        (code, [Some(e.edge), None])
    }

    fn assign(&mut self, list: &[(VarId, Term)], to: LocId) -> Code {
        let next = self.place(to);
        let mut all: Vec<(Slot, ExprId)> = Vec::new();
        for (v, t) in list {
            if let Some(slot) = self.slot(*v) {
                all.push((slot, self.expr(*t)));
            }
        }
        match all[..] {
            [] => Code::Goto(next),
            [(slot, e)] => match self.machine.exprs[e as usize] {
                Expr::Any(r) if r.as_point().is_some() => Code::Constant(slot, r.lo, next),
                Expr::Slot(from) => Code::Copy(slot, from, next),
                _ => Code::Set(slot, e, next),
            },
            _ => {
                let first = self.machine.assignments.len() as u32;
                self.machine.assignments.extend(all);
                Code::SetAll { first, end: self.machine.assignments.len() as u32, next }
            }
        }
    }

    /// The code of the two sides of a test.
    fn test(&mut self, a: &ViewEdge, b: &ViewEdge) -> (Code, [Option<EdgeId>; 2]) {
        let program = self.program;
        let Op::Assume { cond, .. } = program.op(a) else { unreachable!("a side of a test") };
        let negated = program.base.kind(*cond) == Kind::Not;
        let (yes, no) = if negated { (b, a) } else { (a, b) };
        let Op::Assume { cond, .. } = program.op(yes) else { unreachable!("a side of a test") };
        let edges = [Some(yes.edge), Some(no.edge)];
        let (yes, no) = (self.place(yes.to), self.place(no.to));
        let terms = &program.base;
        if let Some(v) = self.machine.remainders.refuted(terms, *cond) {
            self.machine.decided.insert(v);
            return (Code::Goto(no), [edges[1], None]);
        }
        let condition = self.expr(*cond);
        let point = |machine: &Machine, e: ExprId| match machine.exprs[e as usize] {
            Expr::Any(r) => r.as_point(),
            _ => None,
        };
        let machine = &self.machine;
        let code = match machine.exprs[condition as usize] {
            Expr::Equal(x, y) => match (machine.exprs[x as usize], point(machine, y)) {
                (Expr::Slot(slot), Some(k)) => Code::Equals { slot, k, yes, no },
                _ => Code::Test { condition, yes, no },
            },
            Expr::Compare(BvCmp::Slt, x, y, _) => match (machine.exprs[x as usize], machine.exprs[y as usize]) {
                (Expr::Slot(slot), Expr::Any(Range { lo, hi })) if lo == hi => Code::Less { slot, k: lo, yes, no },
                // k < slot: not slot < k + 1
                (Expr::Any(Range { lo, hi }), Expr::Slot(slot)) if lo == hi && lo < i64::MAX => {
                    return (Code::Less { slot, k: lo + 1, yes: no, no: yes }, [edges[1], edges[0]]);
                }
                _ => Code::Test { condition, yes, no },
            },
            _ => Code::Test { condition, yes, no },
        };
        (code, edges)
    }

    /// The expression of a term.
    fn expr(&mut self, t: Term) -> ExprId {
        self.sized(t).0
    }

    fn sized(&mut self, t: Term) -> (ExprId, u32) {
        // Children first; terms may be too deep for recursion.
        let mut todo = vec![t];
        while let Some(&t) = todo.last() {
            if self.exprs.contains_key(&t) {
                todo.pop();
                continue;
            }
            let terms = &self.program.base;
            let missing: Vec<Term> = match Range::of_sort(terms.sort(t)) {
                Some(_) => terms.args(t).iter().copied().filter(|a| !self.exprs.contains_key(a)).collect(),
                None => Vec::new(),
            };
            if missing.is_empty() {
                let (expr, size) = self.translate(t);
                let expr = if size > MAX_SIZE {
                    Expr::Any(Range::of_sort(self.program.base.sort(t)).unwrap_or(Range::TRUTH))
                } else {
                    expr
                };
                self.machine.exprs.push(expr);
                self.exprs
                    .insert(t, ((self.machine.exprs.len() - 1) as ExprId, if size > MAX_SIZE { 1 } else { size }));
                todo.pop();
            } else {
                todo.extend(missing);
            }
        }
        self.exprs[&t]
    }

    /// The expression of a term whose arguments have theirs, and its size as a tree.
    fn translate(&mut self, t: Term) -> (Expr, u32) {
        let program = self.program;
        let terms = &program.base;
        // A term without a range is never looked at: all operators on it give anything.
        let Some(any) = Range::of_sort(terms.sort(t)) else { return (Expr::Any(Range::TRUTH), 1) };
        let anything = (Expr::Any(any), 1);
        let args = terms.args(t);
        if args.iter().any(|a| Range::of_sort(terms.sort(*a)).is_none()) {
            return anything;
        }
        let parts: Vec<(ExprId, u32)> = args.iter().map(|a| self.exprs[a]).collect();
        let size = parts.iter().fold(1u32, |all, (_, size)| all.saturating_add(*size));
        let [x, y, z] = std::array::from_fn(|i| parts.get(i).map_or(0, |p| p.0));
        let bits = |sort: Sort| if let Sort::Bv(width) = sort { width } else { 1 };
        let width_of = |i: usize| bits(terms.sort(args[i]));
        let width = bits(terms.sort(t));
        let expr = match terms.kind(t) {
            Kind::Bool(b) => Expr::Any(Range::truth(Some(b))),
            Kind::Const(_) => match terms.as_bv(t).and_then(|k| k.to_i64()) {
                Some(k) => Expr::Any(Range::point(k)),
                None => return anything,
            },
            Kind::Var(v) => match self.slot(v) {
                Some(slot) => Expr::Slot(slot),
                None => return anything,
            },
            Kind::Not => Expr::Not(x),
            Kind::And => Expr::And(x, y),
            Kind::Or => Expr::Or(x, y),
            Kind::Ite => Expr::Ite(x, y, z),
            Kind::Eq => Expr::Equal(x, y),
            Kind::Cmp(cmp) => Expr::Compare(cmp, x, y, width_of(0)),
            Kind::Bv(op) => Expr::Binary(op, x, y, width),
            Kind::BvNot => Expr::Complement(x),
            Kind::BvNeg => Expr::Negate(x, width),
            Kind::Extract { hi, lo } => Expr::Extract(x, hi, lo),
            Kind::Concat => Expr::Concat { high: x, low: y, low_width: width_of(1), width },
            Kind::Zext => Expr::ZeroExtend(x, width_of(0), width),
            // The signed number does not change.
            Kind::Sext => self.machine.exprs[x as usize],
            Kind::BigConst(_)
            | Kind::Sym(_)
            | Kind::Addr(_)
            | Kind::Float(..)
            | Kind::Read
            | Kind::Write
            | Kind::ConstArray
            | Kind::Copy => return anything,
        };
        (expr, size)
    }

    /// Tests variables instead of their copies, where these are made for the test alone, as clang does for each variable of a condition.
    fn fuse(&mut self) {
        // A test reads its variable on both sides.
        let mut readers: FxHashMap<VarId, u32> = FxHashMap::default();
        for l in self.places.keys() {
            for e in self.program.view.out(*l) {
                let terms = self.program.op(e).terms();
                let mut read: Vec<VarId> = terms.iter().flat_map(|t| self.program.base.vars(*t)).collect();
                read.sort_unstable();
                read.dedup();
                read.into_iter().for_each(|v| *readers.entry(v).or_default() += 1);
            }
        }
        let is_for_one_test = |slot: Slot| readers.get(&self.machine.slots[slot as usize].var) == Some(&2);
        for place in 0..self.machine.code.len() {
            let Code::Copy(copy, from, next) = self.machine.code[place] else { continue };
            // What was fused before reads a variable that is no copy for this test.
            if self.machine.before.contains_key(&next) {
                continue;
            }
            let fused = match self.machine.code[next as usize] {
                Code::Equals { slot, k, yes, no } if slot == copy && is_for_one_test(copy) => {
                    Code::Equals { slot: from, k, yes, no }
                }
                Code::Less { slot, k, yes, no } if slot == copy && is_for_one_test(copy) => {
                    Code::Less { slot: from, k, yes, no }
                }
                _ => continue,
            };
            self.machine.code[place] = fused;
            if let [Some(copied), _] = self.machine.edges[place] {
                self.machine.before.insert(place as Place, copied);
            }
            self.machine.edges[place] = self.machine.edges[next as usize];
        }
        self.machine.is_temporary = (0..self.machine.slots.len() as Slot).map(is_for_one_test).collect();
    }

    fn finish(mut self) -> Machine {
        self.fuse();
        let program = self.program;
        self.machine.unset = vec![Vec::new(); self.functions.len()];
        for (f, number) in &self.functions {
            let entry = program.entry_of(*f);
            let is_unset =
                |v: VarId| program.cfa.vars[v].scope == Scope::Local(*f) && program.liveness.is_live(entry, v);
            let unset = self.machine.slots.iter().enumerate().filter(|(_, v)| is_unset(v.var));
            self.machine.unset[*number as usize] = unset.map(|(slot, _)| slot as Slot).collect();
        }
        self.machine
    }
}
