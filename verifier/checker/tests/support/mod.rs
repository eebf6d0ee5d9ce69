//! Small programs and certificates for them, made by brute force over concrete states.

use cfa::path::{Effect, Env};
use cfa::view::{Slice, View};
use cfa::{Cfa, EdgeId, FuncId, Id, LocId, Op, Scope, Sort, Span, Term, Terms, VarId};
use checker::{
    Certificate, CheckError, Checked, Contract, Frame, FrameId, Label, LoopLabel, Node, NodeId, Step, Successor,
};
use imbl::OrdMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub(crate) type Values = OrdMap<VarId, Term>;

pub(crate) fn check(cfa: &Cfa, cert: &Certificate) -> Result<Checked, CheckError> {
    let mut solver = smt::standard(smt::Limits::default());
    checker::check(cfa, cert, &mut *solver, None)
}

/// The reason for which `cert` is rejected.
pub(crate) fn rejected(cfa: &Cfa, cert: &Certificate) -> String {
    match check(cfa, cert) {
        Err(CheckError::Rejected(reason)) => reason,
        other => panic!("not rejected: {other:?}"),
    }
}

pub(crate) fn edge(cfa: &mut Cfa, from: LocId, to: LocId, op: Op) -> EdgeId {
    cfa.add_edge(from, to, op, Span::default())
}

/// A branch: `cond` to `yes`, its negation to `no`.
pub(crate) fn branch(cfa: &mut Cfa, from: LocId, cond: Term, yes: LocId, no: LocId) {
    let not = cfa.terms.not(cond);
    edge(cfa, from, yes, Op::branch(cond));
    edge(cfa, from, no, Op::branch(not));
}

/// A concrete state: location of the view, stack, all globals, locals of the running activation and of those below (last: top).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Concrete {
    pub loc: LocId,
    pub stack: Option<FrameId>,
    pub globals: Vec<(VarId, Term)>,
    pub locals: Vec<(VarId, Term)>,
    pub below: Vec<Vec<(VarId, Term)>>,
}

/// Values of all variables of global scope.
pub(crate) type Globals = Vec<(VarId, Term)>;

/// What the calls of a function find, each with what it has written.
pub(crate) type Summary = BTreeMap<Globals, BTreeSet<Globals>>;

/// Brute force over a view. All variables must be narrow bit-vectors.
pub(crate) struct Explorer<'a> {
    pub cfa: &'a Cfa,
    pub view: View,
    pub slice: Slice,
    pub terms: Terms,
    pub frames: Vec<Frame>,
    /// An edge that is never taken: what is explored is no proof then.
    pub blocked: Option<EdgeId>,
    /// Functions whose calls are passed over, with what is known of them so far.
    pub summaries: BTreeMap<FuncId, Summary>,
}

impl<'a> Explorer<'a> {
    pub(crate) fn new(cfa: &'a Cfa, slice: &Slice) -> Explorer<'a> {
        let terms = Terms::over(Arc::new(cfa.terms.clone()));
        let view = View::new(cfa, slice);
        let (frames, summaries) = (Vec::new(), BTreeMap::new());
        Explorer { cfa, view, slice: slice.clone(), terms, frames, blocked: None, summaries }
    }

    fn push(&mut self, return_to: LocId, below: Option<FrameId>) -> FrameId {
        let frame = Frame { return_to, below };
        let at = self.frames.iter().position(|f| *f == frame).unwrap_or_else(|| {
            self.frames.push(frame);
            self.frames.len() - 1
        });
        at as FrameId
    }

    /// All ways to give values to the variables of `scope`.
    fn valuations(&mut self, scope: Scope) -> Vec<Vec<(VarId, Term)>> {
        let mut all = vec![Vec::new()];
        for (v, var) in self.cfa.vars.iter_enumerated().filter(|(_, var)| var.scope == scope) {
            let w = var.sort.width();
            let values: Vec<Term> = (0..1 << w).map(|k| self.terms.int(w, k)).collect();
            all = all.iter().flat_map(|old| values.iter().map(move |t| [&old[..], &[(v, *t)]].concat())).collect();
        }
        all
    }

    pub(crate) fn initial(&mut self) -> Vec<Concrete> {
        let globals = self.valuations(Scope::Global);
        self.at_entry(self.cfa.entry, &globals)
    }

    /// All states at the entry of `f`, without a stack, with these values of variables of global scope.
    fn at_entry(&mut self, f: FuncId, globals: &[Globals]) -> Vec<Concrete> {
        let loc = self.view.rep(self.cfa.funcs[f].entry);
        let locals = self.valuations(Scope::Local(f));
        let mut all = Vec::new();
        for g in globals {
            for l in &locals {
                all.push(Concrete { loc, stack: None, globals: g.clone(), locals: l.clone(), below: Vec::new() });
            }
        }
        all
    }

    /// The states that one step leads to.
    pub(crate) fn step(&mut self, s: &Concrete) -> Vec<(Step, Concrete)> {
        let mut found = Vec::new();
        let env = Env { globals: s.globals.iter().copied().collect(), locals: s.locals.iter().copied().collect() };
        let f = self.cfa.locs[s.loc].func;
        if let (Some(frame), true) = (s.stack, self.view.rep(self.cfa.funcs[f].exit) == s.loc) {
            let Frame { return_to, below } = self.frames[frame as usize];
            let mut next = Concrete { loc: return_to, stack: below, ..s.clone() };
            next.locals = next.below.pop().expect("a frame");
            found.push((Step::Return, next));
        }
        for e in self.view.out(s.loc).to_vec() {
            if self.blocked == Some(e.edge) {
                continue;
            }
            let op = self.view.op(self.cfa, &e).clone();
            let step = Step::Edge(e.edge);
            match op {
                Op::Call(f) if self.summaries.contains_key(&f) => {
                    let summary = self.summaries.get_mut(&f).expect("it has one");
                    for globals in summary.entry(s.globals.clone()).or_default().iter() {
                        found.push((step, Concrete { loc: e.to, globals: globals.clone(), ..s.clone() }));
                    }
                }
                Op::Call(f) => {
                    let stack = self.push(e.to, s.stack);
                    let loc = self.view.rep(self.cfa.funcs[f].entry);
                    for locals in self.valuations(Scope::Local(f)) {
                        let mut next = Concrete { loc, stack: Some(stack), locals, ..s.clone() };
                        next.below.push(s.locals.clone());
                        found.push((step, next));
                    }
                }
                Op::Input { var, .. } => {
                    let w = self.cfa.vars[var].sort.width();
                    for k in 0..1 << w {
                        let value = self.terms.int(w, k);
                        let mut next = env.clone();
                        next.set(self.cfa, var, value);
                        found.push((step, with_env(s, e.to, &next)));
                    }
                }
                Op::CallIndirect(_) | Op::Unsupported(_) => {}
                Op::Skip | Op::Assign(_) | Op::Assume { .. } => {
                    let mut next = env.clone();
                    match next.apply(self.cfa, &mut self.terms, &op) {
                        Effect::Continue => found.push((step, with_env(s, e.to, &next))),
                        Effect::Constrain(c) => {
                            if self.terms.as_bool(c).expect("all values are constants") {
                                found.push((step, with_env(s, e.to, &next)));
                            }
                        }
                        other => panic!("unexpected {other:?}"),
                    }
                }
            }
        }
        found
    }

    /// All states that can be reached; none if there are more than `limit`.
    pub(crate) fn reachable(&mut self, limit: usize) -> Option<BTreeSet<Concrete>> {
        let initial = self.initial();
        self.reachable_from(initial, limit)
    }

    fn reachable_from(&mut self, mut work: Vec<Concrete>, limit: usize) -> Option<BTreeSet<Concrete>> {
        let mut seen: BTreeSet<Concrete> = work.iter().cloned().collect();
        while let Some(s) = work.pop() {
            for (_, next) in self.step(&s) {
                if seen.insert(next.clone()) {
                    work.push(next);
                }
            }
            if seen.len() > limit {
                return None;
            }
        }
        Some(seen)
    }

    fn certificate(self, nodes: Vec<Node>) -> Certificate {
        Certificate {
            slice: self.slice,
            terms: self.terms,
            frames: self.frames,
            nodes,
            contracts: Vec::new(),
            explored: None,
        }
    }

    /// The unlabelled graph of all steps: a node for each location, stack and number of steps, while there are concrete states.
    pub(crate) fn unwinding(mut self, layers: usize) -> Certificate {
        let initial = self.initial();
        let mut nodes = Vec::new();
        self.unwind(initial, layers, &mut nodes);
        self.certificate(nodes)
    }

    fn unwind(&mut self, initial: Vec<Concrete>, layers: usize, nodes: &mut Vec<Node>) {
        let mut layer: BTreeMap<NodeId, BTreeSet<Concrete>> = BTreeMap::new();
        nodes.push(node(initial[0].loc, None));
        layer.insert(nodes.len() as NodeId - 1, initial.into_iter().collect());
        for _ in 0..layers {
            let mut next_layer: BTreeMap<NodeId, BTreeSet<Concrete>> = BTreeMap::new();
            let mut ids: BTreeMap<(LocId, Option<FrameId>), NodeId> = BTreeMap::new();
            for (from, states) in &layer {
                for s in states {
                    for (step, next) in self.step(s) {
                        let to = *ids.entry((next.loc, next.stack)).or_insert_with(|| {
                            nodes.push(node(next.loc, next.stack));
                            nodes.len() as NodeId - 1
                        });
                        link(nodes, *from, step, to);
                        next_layer.entry(to).or_default().insert(next);
                    }
                }
            }
            layer = next_layer;
        }
    }

    /// The contract of `f` that says exactly what its calls find and have written, with the program's graph and its own, both unwound. None if
    /// nobody calls it.
    pub(crate) fn contract(mut self, f: FuncId, layers: usize, limit: usize) -> Option<Certificate> {
        self.summaries.insert(f, Summary::new());
        let exit = self.view.rep(self.cfa.funcs[f].exit);
        loop {
            let before = self.summaries[&f].clone();
            self.reachable(limit)?;
            for globals in before.keys() {
                let start = self.at_entry(f, std::slice::from_ref(globals));
                let states = self.reachable_from(start, limit)?;
                let exits = states.into_iter().filter(|s| s.stack.is_none() && s.loc == exit).map(|s| s.globals);
                self.summaries.get_mut(&f).expect("inserted").get_mut(globals).expect("a key").extend(exits);
            }
            if self.summaries[&f] == before {
                break;
            }
        }
        let summary = self.summaries[&f].clone();
        let found: Vec<Globals> = summary.keys().cloned().collect();
        let globals: Vec<VarId> = found.first()?.iter().map(|(v, _)| *v).collect();
        let mut nodes = Vec::new();
        let initial = self.initial();
        self.unwind(initial, layers, &mut nodes);
        let root = nodes.len() as NodeId;
        let start = self.at_entry(f, &found);
        self.unwind(start, layers, &mut nodes);
        let terms = &mut self.terms;
        let mut entry = Vec::new();
        let mut named: BTreeMap<VarId, Term> = BTreeMap::new();
        for v in globals {
            let s = terms.fresh_sym("at entry", self.cfa.vars[v].sort);
            entry.push((v, s));
            named.insert(v, terms.sym(s));
        }
        let are = |terms: &mut Terms, values: &Globals, at_entry: bool| {
            let mut all = terms.tt();
            for &(v, t) in values {
                let x = if at_entry { named[&v] } else { terms.var(v, self.cfa.vars[v].sort) };
                let eq = terms.eq(x, t);
                all = terms.and(all, eq);
            }
            all
        };
        let (mut pre, mut post) = (terms.ff(), terms.ff());
        for (before, exits) in &summary {
            let here = are(terms, before, false);
            pre = terms.or(pre, here);
            let there = are(terms, before, true);
            for exit in exits {
                let afterwards = are(terms, exit, false);
                let both = terms.and(there, afterwards);
                post = terms.or(post, both);
            }
        }
        let contract = Contract { func: f, root, entry, pre: vec![pre], post: vec![post] };
        Some(Certificate { contracts: vec![contract], ..self.certificate(nodes) })
    }

    /// One node for each location and stack, labelled with the exact set of its states, as a disjunction over symbols.
    pub(crate) fn invariants(mut self, limit: usize) -> Option<Certificate> {
        let states = self.reachable(limit)?;
        let mut symbols: BTreeMap<(usize, VarId), Term> = BTreeMap::new();
        let mut ids: BTreeMap<(LocId, Option<FrameId>), NodeId> = BTreeMap::new();
        let initial = self.initial();
        let mut nodes = vec![node(initial[0].loc, None)];
        ids.insert((initial[0].loc, None), 0);
        for s in &states {
            let from = *ids.entry((s.loc, s.stack)).or_insert_with(|| {
                nodes.push(node(s.loc, s.stack));
                nodes.len() as NodeId - 1
            });
            let depth = s.below.len();
            let mut state = self.terms.tt();
            let mut value = |terms: &mut Terms, frame: usize, v: VarId, t: Term| {
                let sort = terms.sort(t);
                let sym = *symbols.entry((frame, v)).or_insert_with(|| terms.fresh("s", sort));
                let eq = terms.eq(sym, t);
                state = terms.and(state, eq);
                (v, sym)
            };
            let globals = s.globals.iter().map(|(v, t)| value(&mut self.terms, 0, *v, *t)).collect();
            let locals = s.locals.iter().map(|(v, t)| value(&mut self.terms, 0, *v, *t)).collect();
            let below = (0..depth)
                .map(|i| s.below[depth - 1 - i].iter().map(|(v, t)| value(&mut self.terms, i + 1, *v, *t)).collect())
                .collect();
            let label = nodes[from as usize].label.get_or_insert_with(|| {
                let constraints = vec![self.terms.ff()];
                Box::new(Label { env: Env { globals, locals }, below, constraints })
            });
            label.constraints[0] = self.terms.or(label.constraints[0], state);
        }
        for s in &states {
            let from = ids[&(s.loc, s.stack)];
            for (step, next) in self.step(s) {
                link(&mut nodes, from, step, ids[&(next.loc, next.stack)]);
            }
        }
        Some(self.certificate(nodes))
    }

    /// One unlabelled node for each location and stack; those that a step from a later node leads to are loop heads whose invariant
    /// is the exact set of values of the variables in sight.
    pub(crate) fn loops(mut self, limit: usize) -> Option<Certificate> {
        let states = self.reachable(limit)?;
        let initial = self.initial();
        let mut ids: BTreeMap<(LocId, Option<FrameId>), NodeId> = BTreeMap::new();
        let mut nodes = vec![node(initial[0].loc, None)];
        ids.insert((initial[0].loc, None), 0);
        let mut invariants: BTreeMap<NodeId, Term> = BTreeMap::new();
        // Numbered in the order of a search from the root.
        let mut work: std::collections::VecDeque<Concrete> = initial.into();
        let mut seen: BTreeSet<Concrete> = work.iter().cloned().collect();
        let mut heads: BTreeSet<NodeId> = BTreeSet::new();
        while let Some(s) = work.pop_front() {
            let from = ids[&(s.loc, s.stack)];
            let mut state = self.terms.tt();
            for (v, t) in s.globals.iter().chain(&s.locals) {
                let var = self.terms.var(*v, self.cfa.vars[*v].sort);
                let eq = self.terms.eq(var, *t);
                state = self.terms.and(state, eq);
            }
            let old = invariants.get(&from).copied().unwrap_or_else(|| self.terms.ff());
            let both = self.terms.or(old, state);
            invariants.insert(from, both);
            for (step, next) in self.step(&s) {
                let to = *ids.entry((next.loc, next.stack)).or_insert_with(|| {
                    nodes.push(node(next.loc, next.stack));
                    nodes.len() as NodeId - 1
                });
                link(&mut nodes, from, step, to);
                if to <= from {
                    heads.insert(to);
                }
                if seen.insert(next.clone()) {
                    work.push_back(next);
                }
            }
        }
        assert_eq!(seen, states);
        for h in heads {
            let func = self.cfa.locs[nodes[h as usize].loc].func;
            let visible = |scope| scope == Scope::Global || scope == Scope::Local(func);
            let written = self.cfa.vars.iter_enumerated().filter(|(_, v)| visible(v.scope)).map(|(v, _)| v).collect();
            nodes[h as usize].repeats =
                Some(Box::new(LoopLabel { written, invariants: vec![invariants[&h]], ..LoopLabel::default() }));
        }
        Some(self.certificate(nodes))
    }

    /// A node for each set of states that constant propagation along single paths finds, each labelled with its constants.
    pub(crate) fn values(mut self, limit: usize) -> Option<Certificate> {
        type Key = (LocId, Option<FrameId>, Env, Vec<Values>);
        let start = self.view.rep(self.cfa.funcs[self.cfa.entry].entry);
        let mut keys: Vec<Key> = vec![(start, None, Env::default(), Vec::new())];
        let mut nodes = vec![node(start, None)];
        nodes[0].label = Some(Box::default());
        let mut at = 0;
        while at < keys.len() {
            let (loc, stack, env, below) = keys[at].clone();
            let mut next: Vec<(Step, Key)> = Vec::new();
            let f = self.cfa.locs[loc].func;
            if let (Some(frame), true) = (stack, self.view.rep(self.cfa.funcs[f].exit) == loc) {
                let Frame { return_to, below: under } = self.frames[frame as usize];
                let mut env = env.clone();
                env.locals = below[0].clone();
                next.push((Step::Return, (return_to, under, env, below[1..].to_vec())));
            }
            for e in self.view.out(loc).to_vec() {
                if self.blocked == Some(e.edge) {
                    continue;
                }
                let op = self.view.op(self.cfa, &e).clone();
                let mut env = env.clone();
                let key = match env.apply(self.cfa, &mut self.terms, &op) {
                    Effect::Constrain(c) if self.terms.as_bool(c) == Some(false) => continue,
                    Effect::Unsupported => continue,
                    Effect::Continue | Effect::Fresh(_) | Effect::Constrain(_) => (e.to, stack, env, below.clone()),
                    Effect::Call => {
                        let Op::Call(f) = op else { unreachable!("only calls have this effect") };
                        let frame = self.push(e.to, stack);
                        let mut below = below.clone();
                        below.insert(0, std::mem::take(&mut env.locals));
                        (self.view.rep(self.cfa.funcs[f].entry), Some(frame), env, below)
                    }
                };
                next.push((Step::Edge(e.edge), key));
            }
            for (step, (loc, stack, mut env, below)) in next {
                for map in [&mut env.globals, &mut env.locals] {
                    *map = map.iter().map(|(v, t)| (*v, *t)).filter(|(_, t)| self.terms.as_bv(*t).is_some()).collect();
                }
                let key = (loc, stack, env, below);
                let to = keys.iter().position(|k| *k == key).unwrap_or_else(|| {
                    let mut n = node(key.0, key.1);
                    n.label =
                        Some(Box::new(Label { env: key.2.clone(), below: key.3.clone(), constraints: Vec::new() }));
                    nodes.push(n);
                    keys.push(key);
                    keys.len() - 1
                });
                link(&mut nodes, at as NodeId, step, to as NodeId);
            }
            if keys.len() > limit {
                return None;
            }
            at += 1;
        }
        Some(self.certificate(nodes))
    }
}

fn with_env(s: &Concrete, loc: LocId, env: &Env) -> Concrete {
    let list = |m: &Values| m.iter().map(|(v, t)| (*v, *t)).collect();
    Concrete { loc, globals: list(&env.globals), locals: list(&env.locals), ..s.clone() }
}

pub(crate) fn node(loc: LocId, stack: Option<FrameId>) -> Node {
    Node { loc, stack, label: None, repeats: None, successors: Vec::new() }
}

pub(crate) fn link(nodes: &mut [Node], from: NodeId, step: Step, to: NodeId) {
    let successors = &mut nodes[from as usize].successors;
    if !successors.iter().any(|s| s.step == step) {
        successors.push(Successor::new(step, to));
    }
}

/// A program that adds up in a function: `for (i = 0; i < 3; i++) sum = add(sum); if (sum != expected) error()`, where `add` adds 2.
/// An irrelevant variable counts along.
pub(crate) struct Sum {
    pub cfa: Cfa,
    pub sum: VarId,
    pub i: VarId,
    pub other: VarId,
    /// The edge that counts `other`.
    pub counts_other: EdgeId,
    /// The edge that adds.
    pub adds: EdgeId,
    /// The edge into the target.
    pub fails: EdgeId,
}

pub(crate) fn sum(expected: u64) -> Sum {
    let mut cfa = Cfa::new(64);
    let main = cfa.add_func("main", Span::default());
    let add = cfa.add_func("add", Span::default());
    cfa.entry = main;
    let sum = cfa.add_var("sum", Sort::Bv(4), Scope::Global);
    let other = cfa.add_var("other", Sort::Bv(2), Scope::Global);
    let i = cfa.add_var("i", Sort::Bv(2), Scope::Local(main));
    let by = cfa.add_var("by", Sort::Bv(4), Scope::Local(add));
    let (sum_t, other_t, i_t, by_t) = (cfa.var_term(sum), cfa.var_term(other), cfa.var_term(i), cfa.var_term(by));
    let (zero2, zero4, one2, two4) =
        (cfa.terms.int(2, 0), cfa.terms.int(4, 0), cfa.terms.int(2, 1), cfa.terms.int(4, 2));
    let (three2, goal) = (cfa.terms.int(2, 3), cfa.terms.int(4, expected));
    let (entry, exit) = (cfa.funcs[main].entry, cfa.funcs[main].exit);
    let locs: Vec<LocId> = (0..6).map(|_| cfa.add_loc(main)).collect();
    let target = cfa.add_loc(main);
    cfa.targets.push(target);
    edge(&mut cfa, entry, locs[0], Op::assign(sum, zero4));
    edge(&mut cfa, locs[0], locs[1], Op::assign(i, zero2));
    let more = cfa.terms.cmp(cfa::bv::BvCmp::Ult, i_t, three2);
    branch(&mut cfa, locs[1], more, locs[2], locs[5]);
    edge(&mut cfa, locs[2], locs[3], Op::Call(add));
    let counted = cfa.terms.bv_op(cfa::bv::BvOp::Add, other_t, one2);
    let counts_other = edge(&mut cfa, locs[3], locs[4], Op::assign(other, counted));
    let next = cfa.terms.bv_op(cfa::bv::BvOp::Add, i_t, one2);
    edge(&mut cfa, locs[4], locs[1], Op::assign(i, next));
    let right = cfa.terms.eq(sum_t, goal);
    branch(&mut cfa, locs[5], right, exit, target);
    let fails = *cfa.out(locs[5]).last().expect("an edge");
    let (f_entry, f_exit) = (cfa.funcs[add].entry, cfa.funcs[add].exit);
    let mid = cfa.add_loc(add);
    edge(&mut cfa, f_entry, mid, Op::assign(by, two4));
    let added = cfa.terms.bv_op(cfa::bv::BvOp::Add, sum_t, by_t);
    let adds = edge(&mut cfa, mid, f_exit, Op::assign(sum, added));
    Sum { cfa, sum, i, other, counts_other, adds, fails }
}

pub(crate) fn whole(cfa: &Cfa) -> Slice {
    Slice::whole(cfa)
}

/// The function whose name is `name`.
pub(crate) fn func(cfa: &Cfa, name: &str) -> FuncId {
    FuncId::from_index(cfa.funcs.iter().position(|f| f.name == name).expect("a function"))
}
