//! From operations to inclusion constraints.
//!
//! Each variable, each object's content and each term that may carry a pointer is a node. Pointers flow through every bit-vector
//! operator whose result has at least 8 bits, whatever its type: an integer that a pointer was cast to, or parts of one, still
//! point. Comparisons, conditions of choices and floats carry nothing; neither do inputs, since pointers have provenance.
//! Functions give constraints once they are found to be reachable.

use super::content::Extent;
use super::location::Flow;
use super::offset::{EXTERNAL, Offset};
use super::solver::{Node, Solver, Summary, Waiting};
use cfa::bv::BvOp;
use cfa::term::{Kind, Sort, Term};
use cfa::{Cfa, EdgeId, FuncId, Id, InputKind, ObjectId, ObjectKind, Op, Scope, VarId};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

/// Values of fewer bits carry no pointers.
const CARRYING_BITS: u32 = 8;
/// Blocks of more bytes are copied without regard to fields.
const FIELDS_COPIED_BYTES: u64 = 256;
/// No node.
const NONE: Node = Node::MAX;

/// A difference of two values, which carries a pointer unless both point into one object.
struct Difference {
    left: Node,
    right: Node,
    result: Node,
    flows: [Flow; 2],
    /// Whether the front-end marked it as the subtraction of two pointers: into different objects, its result is an input.
    marked: bool,
    active: bool,
}

/// Builds and solves the constraints of a program.
pub struct Constraints<'a, S> {
    cfa: &'a Cfa,
    memory: Option<VarId>,
    /// The solver, whose solution is final after [`Constraints::solve`].
    pub solver: S,
    vars: Vec<Node>,
    /// Local variables that one edge writes: they are what it writes.
    written_once: Vec<bool>,
    terms: Vec<Node>,
    visited: FixedBitSet,
    differences: Vec<Difference>,
    marked: FxHashSet<Term>,
    edges_of: Vec<Vec<EdgeId>>,
    /// Functions that may be called, in the order in which they were found.
    pub reached: Vec<FuncId>,
    is_reached: Vec<bool>,
    /// Functions that each indirect call may call.
    pub callees: FxHashMap<EdgeId, Vec<FuncId>>,
    /// Indirect calls whose target an undefined function may have returned.
    pub external_calls: FxHashSet<EdgeId>,
}

impl<'a, S: Solver> Constraints<'a, S> {
    /// No constraints yet.
    pub fn new(cfa: &'a Cfa, memory: Option<VarId>, solver: S) -> Self {
        let mut edges_of = vec![Vec::new(); cfa.funcs.len()];
        for (e, edge) in cfa.edges.iter_enumerated() {
            edges_of[cfa.locs[edge.from].func.index()].push(e);
        }
        let marked = cfa.pointer_comparisons.keys().flat_map(|e| cfa.edges[*e].op.terms()).collect();
        Constraints {
            cfa,
            memory,
            solver,
            vars: vec![NONE; cfa.vars.len()],
            written_once: written_once(cfa),
            terms: vec![NONE; cfa.terms.len()],
            visited: FixedBitSet::with_capacity(cfa.terms.len()),
            differences: Vec::new(),
            marked,
            edges_of,
            reached: Vec::new(),
            is_reached: vec![false; cfa.funcs.len()],
            callees: FxHashMap::default(),
            external_calls: FxHashSet::default(),
        }
    }

    /// Adds constraints of all that is reachable from the program's entry and solves them.
    pub fn solve(&mut self) {
        self.reach(self.cfa.entry);
        loop {
            let arrivals = self.solver.run();
            let quiet = arrivals.is_empty();
            for (e, o) in arrivals {
                self.arrive(e, o);
            }
            if quiet && !self.activate_differences() {
                return;
            }
        }
    }

    /// The node of a term, where it may carry a pointer.
    pub fn node(&self, t: Term) -> Option<Node> {
        let node = match self.cfa.terms.kind(t) {
            Kind::Var(v) => self.vars[v.index()],
            _ => self.terms[t.index()],
        };
        (node != NONE).then_some(node)
    }

    /// The node of a variable, where one was needed.
    pub fn var_node(&self, v: VarId) -> Option<Node> {
        let node = self.vars[v.index()];
        (node != NONE).then_some(node)
    }

    fn reach(&mut self, f: FuncId) {
        if std::mem::replace(&mut self.is_reached[f.index()], true) {
            return;
        }
        let mut stack = vec![f];
        while let Some(f) = stack.pop() {
            self.reached.push(f);
            for e in std::mem::take(&mut self.edges_of[f.index()]) {
                if let Op::Call(g) = self.cfa.edges[e].op
                    && !std::mem::replace(&mut self.is_reached[g.index()], true)
                {
                    stack.push(g);
                }
                self.add_edge(e);
            }
        }
    }

    fn need_var(&mut self, v: VarId) -> Node {
        if self.vars[v.index()] == NONE {
            self.vars[v.index()] = self.solver.add_node();
        }
        self.vars[v.index()]
    }

    fn add_edge(&mut self, e: EdgeId) {
        let cfa = self.cfa;
        let op = &cfa.edges[e].op;
        self.visit(&op.terms());
        if let Some(args) = cfa.opaque_args.get(&e) {
            self.visit(args);
        }
        if let Some(t) = cfa.frees.get(&e) {
            self.visit(&[*t]);
        }
        let allocation = cfa.allocations.get(&e);
        if let Some(a) = allocation {
            self.visit(&[a.size]);
        }
        match op {
            Op::Assign(list) => {
                for &(v, t) in list {
                    if !matches!(cfa.vars[v].sort, Sort::Bv(w) if w >= CARRYING_BITS) {
                        continue;
                    }
                    match allocation {
                        // The address of the new instance, whichever it is.
                        Some(a) if a.var == v => {
                            let n = self.need_var(v);
                            self.solver.add_location(n, (a.object, Offset::exact(0)));
                        }
                        _ => self.flow_term(t, v),
                    }
                }
            }
            Op::Input { var, kind: InputKind::External(_) } if cfa.vars[*var].sort != Sort::Bool => {
                let n = self.need_var(*var);
                self.solver.add_location(n, (EXTERNAL, Offset::MANGLED));
            }
            Op::CallIndirect(call) => {
                self.callees.entry(e).or_default();
                if let Some(n) = self.node(call.target) {
                    self.solver.add_waiting(n, Waiting::Call(e));
                }
            }
            _ => {}
        }
    }

    /// `v` takes a value of `t`.
    fn flow_term(&mut self, t: Term, v: VarId) {
        if let Some(from) = self.node(t) {
            let flow = self.copy_flow(self.cfa.terms.width(t), self.cfa.vars[v].sort.width());
            if flow == Flow::Plain && self.written_once[v.index()] {
                match self.vars[v.index()] {
                    NONE => self.vars[v.index()] = from,
                    to => self.solver.unify(from, to),
                }
            } else {
                let to = self.need_var(v);
                self.solver.add_flow(from, to, flow);
            }
        }
    }

    /// How a value of `from` bits flows to one of `to` bits.
    fn copy_flow(&self, from: u32, to: u32) -> Flow {
        if from == self.cfa.pointer_bits && to == from { Flow::Plain } else { Flow::Mangle }
    }

    /// An object arrived at the target of an indirect call.
    fn arrive(&mut self, e: EdgeId, o: ObjectId) {
        if o == EXTERNAL {
            self.external_calls.insert(e);
            return;
        }
        let ObjectKind::Function(f) = self.cfa.objects[o].kind else { return };
        let callees = self.callees.entry(e).or_default();
        if callees.contains(&f) {
            return;
        }
        callees.push(f);
        let Op::CallIndirect(call) = &self.cfa.edges[e].op else {
            unreachable!("only indirect calls wait for functions")
        };
        let func = &self.cfa.funcs[f];
        for (&arg, &param) in call.args.iter().zip(&func.params) {
            if matches!(self.cfa.vars[param].sort, Sort::Bv(w) if w >= CARRYING_BITS) {
                self.flow_term(arg, param);
            }
        }
        if let (Some(area), Some(var)) = (call.varargs, func.varargs) {
            self.flow_term(area, var);
        }
        if let (Some(from), Some(to)) = (func.result, call.result) {
            let (wf, wt) = (self.cfa.vars[from].sort.width(), self.cfa.vars[to].sort.width());
            if wf >= CARRYING_BITS && wt >= CARRYING_BITS {
                let (from, to) = (self.need_var(from), self.need_var(to));
                self.solver.add_flow(from, to, self.copy_flow(wf, wt));
            }
        }
        self.reach(f);
    }

    /// Lets flow what turned out to be no difference of two pointers into one object. All else has been propagated before, so that
    /// "points to nothing" is seldom premature; where it is, too much flows, which is sound.
    fn activate_differences(&mut self) -> bool {
        let mut changed = false;
        for i in 0..self.differences.len() {
            let d = &self.differences[i];
            if d.active || !carries_pointer(self.solver.summary(d.left), self.solver.summary(d.right), d.marked) {
                continue;
            }
            self.differences[i].active = true;
            changed = true;
            let Difference { left, right, result, flows, .. } = self.differences[i];
            self.solver.add_flow(left, result, flows[0]);
            self.solver.add_flow(right, result, flows[1]);
        }
        changed
    }

    /// Makes nodes and constraints for the subterms of `roots`.
    fn visit(&mut self, roots: &[Term]) {
        let cfa = self.cfa;
        let mut stack: Vec<Term> = roots.to_vec();
        let mut order = Vec::new();
        while let Some(t) = stack.pop() {
            if !self.visited.put(t.index()) {
                order.push(t);
                stack.extend(cfa.terms.args(t));
            }
        }
        // Arguments have smaller ids than their users.
        order.sort_unstable();
        for t in order {
            match cfa.terms.sort(t) {
                Sort::Bv(w) if w >= CARRYING_BITS => {
                    if let Some(n) = self.visit_value(t, w) {
                        self.terms[t.index()] = n;
                    }
                }
                Sort::Array { .. } => self.visit_memory(t),
                Sort::Bv(_) | Sort::Bool => {}
            }
        }
    }

    fn visit_value(&mut self, t: Term, width: u32) -> Option<Node> {
        let cfa = self.cfa;
        let args = cfa.terms.args(t);
        match cfa.terms.kind(t) {
            Kind::Var(v) => {
                self.need_var(v);
                None
            }
            Kind::Addr(o) => {
                let n = self.solver.add_node();
                self.solver.add_location(n, (o, Offset::exact(0)));
                Some(n)
            }
            Kind::Bv(BvOp::Add) if width == cfa.pointer_bits => {
                let [a, b] = *args else { unreachable!("binary") };
                let flow_a = match cfa.terms.as_bv(b) {
                    Some(k) => Flow::Plus(k.sext(64.max(width)).to_u64()? as i64),
                    None => self.offset_flow(b),
                };
                let flow_b = self.offset_flow(a);
                self.join(&[(a, flow_a), (b, flow_b)])
            }
            Kind::Bv(BvOp::Sub) if width == cfa.pointer_bits => {
                let [a, b] = *args else { unreachable!("binary") };
                match (self.node(a), self.node(b)) {
                    (Some(left), Some(right)) => {
                        let flows = [self.offset_flow(b), Flow::Mangle];
                        let result = self.solver.add_node();
                        let marked = self.marked.contains(&t);
                        self.differences.push(Difference { left, right, result, flows, marked, active: false });
                        Some(result)
                    }
                    _ => {
                        let flow = self.offset_flow(b);
                        self.join(&[(a, flow), (b, Flow::Mangle)])
                    }
                }
            }
            Kind::Ite => {
                let flow = self.copy_flow(width, width);
                self.join(&[(args[1], flow), (args[2], flow)])
            }
            Kind::Read => {
                let address = self.node(args[1])?;
                let to = self.solver.add_node();
                let extent = Extent { at: 0, bytes: width.div_ceil(8) };
                self.solver.add_waiting(address, Waiting::Load { extent, to, plain: width == cfa.pointer_bits });
                Some(to)
            }
            Kind::Bv(_) | Kind::BvNot | Kind::BvNeg | Kind::Extract { .. } | Kind::Concat | Kind::Zext | Kind::Sext => {
                let parts: Vec<(Term, Flow)> = args.iter().map(|&a| (a, Flow::Mangle)).collect();
                self.join(&parts)
            }
            _ => None,
        }
    }

    /// How adding the integer `t` changes an offset.
    fn offset_flow(&self, t: Term) -> Flow {
        Flow::Modulo(trailing_zeros(self.cfa, t, 0))
    }

    /// A node into which all `parts` flow; none if none of them carries anything.
    fn join(&mut self, parts: &[(Term, Flow)]) -> Option<Node> {
        let mut joined = None;
        for &(t, flow) in parts {
            if let Some(from) = self.node(t) {
                let n = *joined.get_or_insert_with(|| self.solver.add_node());
                self.solver.add_flow(from, n, flow);
            }
        }
        joined
    }

    fn visit_memory(&mut self, t: Term) {
        let cfa = self.cfa;
        match (cfa.terms.kind(t), cfa.terms.args(t)) {
            (Kind::Write, &[_, address, value]) => {
                if let (Some(address), Some(from)) = (self.node(address), self.node(value)) {
                    let width = cfa.terms.width(value);
                    let extent = Extent { at: 0, bytes: width.div_ceil(8) };
                    self.solver.add_waiting(address, Waiting::Store { extent, from, plain: width == cfa.pointer_bits });
                }
            }
            (Kind::Copy, &[_, to, source, from, len]) => {
                let Some(to) = self.node(to) else { return };
                for base in memory_bases(cfa, source) {
                    match cfa.terms.kind(base) {
                        Kind::Var(v) if Some(v) == self.memory => {
                            if let Some(from) = self.node(from) {
                                self.copy_block(from, to, cfa.terms.as_u64(len));
                            }
                        }
                        Kind::Var(v) => {
                            let from = self.need_var(v);
                            self.fill_block(from, to);
                        }
                        Kind::ConstArray => {
                            if let Some(value) = self.node(cfa.terms.args(base)[0]) {
                                self.fill_block(value, to);
                            }
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// Bytes at `from` are copied to `to`: granule by granule where they are not too many.
    fn copy_block(&mut self, from: Node, to: Node, bytes: Option<u64>) {
        let granule = u64::from(self.cfa.pointer_bits / 8).max(1);
        let extents: Vec<Extent> = match bytes {
            Some(n) if n <= FIELDS_COPIED_BYTES => (0..n.div_ceil(granule))
                .map(|i| Extent { at: (granule * i) as u32, bytes: granule.min(n - granule * i) as u32 })
                .collect(),
            _ => vec![Extent { at: 0, bytes: 0 }],
        };
        for extent in extents {
            let n = self.solver.add_node();
            self.solver.add_waiting(from, Waiting::Load { extent, to: n, plain: true });
            self.solver.add_waiting(to, Waiting::Store { extent, from: n, plain: true });
        }
    }

    /// All bytes at `to` may become any part of `value`.
    fn fill_block(&mut self, value: Node, to: Node) {
        let extent = Extent { at: 0, bytes: 0 };
        self.solver.add_waiting(to, Waiting::Store { extent, from: value, plain: false });
    }
}

/// Local variables with one assignment in the whole program.
fn written_once(cfa: &Cfa) -> Vec<bool> {
    let mut writes = vec![0u32; cfa.vars.len()];
    for edge in cfa.edges.iter() {
        edge.op.written().into_iter().for_each(|v| writes[v.index()] += 1);
    }
    cfa.vars.iter_enumerated().map(|(v, var)| writes[v.index()] == 1 && var.scope != Scope::Global).collect()
}

/// Whether `left - right` may be the address of an object, or an integer from which one is computed.
///
/// The difference of two plain pointers into one object is an integer that says nothing about where the object lies. A marked
/// difference of pointers into different objects becomes an input, which points nowhere either.
fn carries_pointer(left: Summary, right: Summary, marked: bool) -> bool {
    match (left.first, right.first) {
        (None, None) => false,
        _ if left.mangled || right.mangled => true,
        (None, _) | (_, None) => true,
        (a, b) if a == b && !left.several && !right.several => false,
        _ => !marked,
    }
}

/// The program's memory: the array that operations assign to. Other arrays are only set by inputs.
///
/// Errors: more than one array is assigned to, so the regions have been split already.
pub fn memory_var(cfa: &Cfa) -> anyhow::Result<Option<VarId>> {
    let mut memory = None;
    for edge in cfa.edges.iter() {
        let Op::Assign(list) = &edge.op else { continue };
        for &(v, _) in list {
            if matches!(cfa.vars[v].sort, Sort::Array { .. }) && *memory.get_or_insert(v) != v {
                anyhow::bail!("the program has more than one memory");
            }
        }
    }
    Ok(memory)
}

/// Variables and constant arrays that a memory term starts from.
pub fn memory_bases(cfa: &Cfa, memory: Term) -> Vec<Term> {
    let mut stack = vec![memory];
    let mut seen = FxHashSet::default();
    let mut bases = Vec::new();
    while let Some(m) = stack.pop() {
        if !seen.insert(m) {
            continue;
        }
        match cfa.terms.kind(m) {
            Kind::Write | Kind::Copy => stack.push(cfa.terms.args(m)[0]),
            Kind::Ite => stack.extend(&cfa.terms.args(m)[1..]),
            _ => bases.push(m),
        }
    }
    bases
}

/// Number of low bits of `t` that are zero whatever its variables are (at least; capped where the depth is).
pub fn trailing_zeros(cfa: &Cfa, t: Term, depth: u32) -> u8 {
    const DEPTH: u32 = 8;
    if depth > DEPTH {
        return 0;
    }
    let terms = &cfa.terms;
    let args = terms.args(t);
    let zeros = |i: usize| trailing_zeros(cfa, args[i], depth + 1);
    if let Some(v) = terms.as_bv(t) {
        return v.to_u64().map_or(0, |v| v.trailing_zeros() as u8);
    }
    match terms.kind(t) {
        Kind::Bv(BvOp::Mul) => (zeros(0) + zeros(1)).min(64),
        Kind::Bv(BvOp::And) => zeros(0).max(zeros(1)),
        Kind::Bv(BvOp::Add | BvOp::Sub | BvOp::Or | BvOp::Xor) => zeros(0).min(zeros(1)),
        Kind::Bv(BvOp::Shl) | Kind::BvNeg | Kind::Zext | Kind::Sext | Kind::Extract { lo: 0, .. } => zeros(0),
        Kind::Ite => zeros(1).min(zeros(2)),
        Kind::Concat => {
            let low = zeros(1);
            let width = terms.width(args[1]) as u8;
            if low >= width { (width + zeros(0)).min(64) } else { low }
        }
        _ => 0,
    }
}
