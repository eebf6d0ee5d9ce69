//! Generation of inclusion constraints from operations.
//!
//! Each variable, each object's content and each term that may carry a pointer is a node. Pointers flow through every
//! bit-vector operator whose result has at least 8 bits, whatever its type: an integer made from a pointer, or a part of one,
//! still points. Comparisons, conditions of choices and floats carry no pointers; neither do inputs, since pointers have
//! provenance. The constraints of a function are added when it is found to be reachable.
//!
//! **The outside.** One object stands for all memory that the program does not own; its address plus a number is an address
//! from outside. An address from outside may also be any address that the outside *knows*, that is, of
//! - objects that are only declared;
//! - *exposed* objects, whose address the program gave away as a number: it went into an operation through which pointers are
//!   not followed, so that an integer may be that address again;
//! - objects that were passed to undefined functions which may keep them.
//!
//! The contents of the outside and of known objects mix: they are one node, the content of every address from outside.

mod calls;
mod exposure;

use crate::points_to::content::Extent;
use crate::points_to::location::Flow;
use crate::points_to::solver::{Node, Solver, Waiting};
use cfa::bv::BvOp;
use cfa::offset::Offset;
use cfa::term::{Kind, Sort, Term};
use cfa::{
    AddressVector, Cfa, EdgeId, FuncId, Id, InputKind, ObjectId, ObjectKind, Op, RawCfa, RawFacts, Scope, VarId,
};
use exposure::{Carries, Difference};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

/// Minimum width of values that carry pointers.
const CARRYING_BITS: u32 = 8;
/// Length of the start of copied blocks in which fields are distinguished, in bytes.
const FIELDS_COPIED_BYTES: u64 = 256;
/// No node yet.
const NONE: Node = Node::MAX;

/// Builds and solves the constraints of a program.
pub(super) struct Constraints<'a, S> {
    cfa: &'a Cfa,
    facts: &'a RawFacts,
    memory: Option<VarId>,
    /// The solver, whose solution is final after [`Constraints::solve`].
    pub solver: S,
    vars: Vec<Node>,
    /// Whether the variable is a local that only one edge writes: then its node is that of the value written.
    written_once: Vec<bool>,
    terms: Vec<Node>,
    visited: FixedBitSet,
    differences: Vec<Difference>,
    /// Sums of two values, which expose the pointees of both if both point somewhere.
    sums: Vec<(Node, Node)>,
    /// Order comparisons of two pointers, which expose the pointees of one if the other may come from outside or be made of a number.
    orders: Vec<(Node, Node)>,
    /// The content of the outside; also the node of the outside's address, since this content points to the outside itself.
    outside: Option<Node>,
    /// The node that points to what the outside knows.
    known: Node,
    /// The node that points to what is exposed.
    exposed: Node,
    marked: FxHashSet<Term>,
    edges_of: Vec<Vec<EdgeId>>,
    /// Functions that may be called, in order of discovery.
    pub reached: Vec<FuncId>,
    is_reached: Vec<bool>,
    /// The functions that each indirect call may call.
    pub callees: FxHashMap<EdgeId, Vec<FuncId>>,
    /// Indirect calls whose target may come from an undefined function.
    pub external_calls: FxHashSet<EdgeId>,
    /// Indirect calls to whose targets a function arrived.
    known_calls: FxHashSet<EdgeId>,
    /// The functions whose addresses the program compares for equality, with the objects that stand for them, once they were asked for.
    compared: Option<Vec<(FuncId, ObjectId)>>,
    /// Callees that did not arrive at the target of the call: it may be equal to them.
    pub called_if_equal: FxHashSet<(EdgeId, FuncId)>,
}

impl<'a, S: Solver> Constraints<'a, S> {
    /// An empty set of constraints.
    pub(super) fn new(raw: &'a RawCfa, memory: Option<VarId>, mut solver: S) -> Self {
        let (cfa, facts) = (&raw.cfa, &raw.facts);
        let outside = cfa.outside().map(|o| solver.outside(o));
        let (known, exposed) = (solver.add_node(), solver.add_node());
        solver.add_flow(exposed, known, Flow::Plain);
        if let Some(outside) = outside {
            let extent = Extent { at: 0, bytes: 0 };
            solver.add_waiting(known, Waiting::Load { extent, to: outside, plain: true });
            solver.add_waiting(known, Waiting::Store { extent, from: outside, plain: true });
            for (o, _) in cfa.objects.iter_enumerated().filter(|(_, o)| o.declared) {
                solver.add_location(known, (o, Offset::exact(0)));
            }
        }
        let mut edges_of = vec![Vec::new(); cfa.funcs.len()];
        for (e, edge) in cfa.edges.iter_enumerated() {
            edges_of[cfa.locs[edge.from].func.index()].push(e);
        }
        let compared = facts.pointer_comparisons.keys().flat_map(|e| cfa.edges[*e].op.terms());
        // A comparison converted to a bit is a choice whose condition is the comparison itself.
        let proper = |t: Term| if cfa.terms.kind(t) == Kind::Ite { cfa.terms.args(t)[0] } else { t };
        let marked = compared.flat_map(|t| [t, proper(t)]).collect();
        Constraints {
            cfa,
            facts,
            memory,
            solver,
            vars: vec![NONE; cfa.vars.len()],
            written_once: written_once(cfa),
            terms: vec![NONE; cfa.terms.len()],
            visited: FixedBitSet::with_capacity(cfa.terms.len()),
            differences: Vec::new(),
            sums: Vec::new(),
            orders: Vec::new(),
            outside,
            known,
            exposed,
            marked,
            edges_of,
            reached: Vec::new(),
            is_reached: vec![false; cfa.funcs.len()],
            callees: FxHashMap::default(),
            external_calls: FxHashSet::default(),
            known_calls: FxHashSet::default(),
            compared: None,
            called_if_equal: FxHashSet::default(),
        }
    }

    /// Adds and solves the constraints of everything that is reachable from the program's entry.
    pub(super) fn solve(&mut self) {
        self.reach(self.cfa.entry);
        loop {
            let arrivals = self.solver.run();
            let quiet = arrivals.is_empty();
            for (e, o) in arrivals {
                self.arrive(e, o);
            }
            if !quiet || self.activate_differences() | self.activate_sums() | self.activate_orders() {
                continue;
            }
            if !self.call_compared_functions() {
                return;
            }
        }
    }

    /// The node of a term, if the term may carry a pointer.
    pub(super) fn node(&self, t: Term) -> Option<Node> {
        let node = match self.cfa.terms.kind(t) {
            Kind::Var(v) => self.vars[v.index()],
            _ => self.terms[t.index()],
        };
        (node != NONE).then_some(node)
    }

    /// The nodes of what the outside knows, and of what is exposed.
    pub(super) fn known_and_exposed(&self) -> (Node, Node) {
        (self.known, self.exposed)
    }

    /// The node of a variable, if one was needed.
    pub(super) fn var_node(&self, v: VarId) -> Option<Node> {
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
        let (cfa, facts) = (self.cfa, self.facts);
        let op = &cfa.edges[e].op;
        self.visit(&op.terms());
        if let Some(args) = facts.opaque_args.get(&e) {
            self.visit(args);
        }
        let ranges = cfa.apart.get(&e).into_iter().flatten();
        for t in cfa.frees.get(&e).into_iter().chain(ranges).chain(facts.block_questions.get(&e).map(|q| &q.address)) {
            self.visit(&[*t]);
        }
        if let Some(given) = facts.escapes.get(&e) {
            self.visit(given);
            self.let_escape(given);
        }
        if let Some(given) = facts.given_away.get(&e) {
            self.visit(&given.iter().map(|g| g.0).collect::<Vec<Term>>());
            self.give_away(given);
        }
        let allocation = cfa.allocations.get(&e);
        if let Some(a) = allocation {
            self.visit(&[a.size]);
        }
        if let Some(vector) = facts.address_vectors.get(&e) {
            self.visit(&[vector.begin, vector.end]);
            self.hold_addresses(vector);
        }
        match op {
            Op::Assign(list) => {
                for &(v, t) in list {
                    if !matches!(cfa.vars[v].sort, Sort::Bv(w) if w >= CARRYING_BITS) {
                        continue;
                    }
                    match allocation {
                        // The address of the new instance, whichever that is.
                        Some(a) if a.var == v => {
                            let n = self.need_var(v);
                            self.solver.add_location(n, (a.object, Offset::exact(0)));
                        }
                        _ => self.flow_term(t, v),
                    }
                }
            }
            // Bytes from outside: an address among them is one that the outside knows.
            Op::Input { var, kind } if Some(*var) != self.memory && self.comes_from_outside(e, kind) => {
                if let (Sort::Array { .. }, Some(outside)) = (cfa.vars[*var].sort, self.outside) {
                    let n = self.need_var(*var);
                    self.solver.add_flow(outside, n, Flow::Plain);
                }
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

    /// Passes `given` to an undefined function that may keep and use what it gets; it also gets all variables that other
    /// files can name.
    fn let_escape(&mut self, given: &[Term]) {
        for &t in given {
            if let Some(from) = self.node(t) {
                self.solver.add_flow(from, self.known, Flow::Mangle);
            }
        }
        if let Some(outside) = self.outside {
            self.solver.add_flow(outside, self.known, Flow::Mangle);
        }
        for (o, object) in self.cfa.objects.iter_enumerated() {
            if object.shared {
                self.solver.add_location(self.known, (o, Offset::exact(0)));
            }
        }
    }

    /// Whether an input provides bytes that the program's environment chose.
    fn comes_from_outside(&self, e: EdgeId, kind: &InputKind) -> bool {
        match kind {
            InputKind::Program(_) | InputKind::External(_) | InputKind::Library(_) | InputKind::Approximate(_) => {
                !self.facts.address_vectors.contains_key(&e)
            }
            InputKind::Uninitialised | InputKind::Undefined | InputKind::Layout => false,
        }
    }

    /// Lets memory hold what is copied from a vector of addresses: wherever such a copy may lie, in what follows its beginning.
    fn hold_addresses(&mut self, vector: &AddressVector) {
        let Some(to) = self.node(vector.begin) else { return };
        let from = self.solver.add_node();
        self.solver.add_location(from, (vector.object, Offset::ANY));
        self.solver.add_waiting(to, Waiting::Store { extent: Extent { at: 0, bytes: 0 }, from, plain: true });
    }

    /// Exposes pointers among these values, or in the memory that they point to: they may come back as numbers.
    fn give_away(&mut self, given: &[(Term, bool)]) {
        for &(t, is_address) in given {
            let Some(n) = self.node(t) else { continue };
            if is_address {
                let extent = Extent { at: 0, bytes: 0 };
                self.solver.add_waiting(n, Waiting::Load { extent, to: self.exposed, plain: false });
            } else {
                self.solver.add_flow(n, self.exposed, Flow::Mangle);
            }
        }
    }

    /// Lets the value of `t` flow to `v`.
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

    /// How a value of `from` bits flows to a variable of `to` bits.
    fn copy_flow(&self, from: u32, to: u32) -> Flow {
        if from == self.cfa.pointer_bits && to == from { Flow::Plain } else { Flow::Mangle }
    }

    /// Whether the front-end marked `t` as a comparison or subtraction of two pointers.
    fn compares_pointers(&self, t: Term) -> bool {
        self.marked.contains(&t)
    }

    /// Adds nodes and constraints for all subterms of `roots`.
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
        // Arguments have smaller ids than the terms that use them.
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
            self.visit_exposure(t);
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
            Kind::Addr(o) if cfa.objects[o].kind == ObjectKind::Outside => self.outside,
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
                        let by_number = self.offset_flow(b);
                        let result = self.solver.add_node();
                        self.differences.push(Difference { left, right, result, by_number, carries: Carries::Nothing });
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
            Kind::Read => self.visit_read(args[0], args[1], width),
            // Whole pointers among other values: structures by value.
            Kind::Concat => self.join(&[(args[0], Flow::Mangle), (args[1], Flow::Mangle)]),
            Kind::Extract { .. } | Kind::Zext | Kind::Sext
                if width.min(cfa.terms.width(args[0])) >= cfa.pointer_bits =>
            {
                self.join(&[(args[0], Flow::Mangle)])
            }
            Kind::Bv(_) | Kind::BvNot | Kind::BvNeg | Kind::Extract { .. } | Kind::Zext | Kind::Sext => {
                let parts: Vec<(Term, Flow)> = args.iter().map(|&a| (a, Flow::Compute)).collect();
                self.join(&parts)
            }
            _ => None,
        }
    }

    /// What is read from an array: from the program's memory, or from bytes that an input chose.
    fn visit_read(&mut self, array: Term, address: Term, width: u32) -> Option<Node> {
        let cfa = self.cfa;
        let mut joined = None;
        for base in memory_bases(cfa, array) {
            let from = match cfa.terms.kind(base) {
                Kind::Var(v) if Some(v) == self.memory => {
                    let Some(address) = self.node(address) else { continue };
                    let to = *joined.get_or_insert_with(|| self.solver.add_node());
                    let extent = Extent { at: 0, bytes: width.div_ceil(8) };
                    self.solver.add_waiting(address, Waiting::Load { extent, to, plain: width == cfa.pointer_bits });
                    continue;
                }
                Kind::Var(v) => Some(self.need_var(v)),
                Kind::ConstArray => self.node(cfa.terms.args(base)[0]),
                _ => None,
            };
            if let Some(from) = from {
                let to = *joined.get_or_insert_with(|| self.solver.add_node());
                self.solver.add_flow(from, to, Flow::Mangle);
            }
        }
        joined
    }

    /// How adding the integer `t` changes an offset.
    fn offset_flow(&self, t: Term) -> Flow {
        Flow::Modulo(trailing_zeros(self.cfa, t, 0))
    }

    /// A node into which all `parts` flow; `None` if none of them carries a pointer.
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
            // Several pointers in one value: a small block that is copied.
            (Kind::Write, &[_, to, value]) if is_block(cfa, self.memory, value) => {
                let from = cfa.terms.args(value)[1];
                if let (Some(from), Some(to)) = (self.node(from), self.node(to)) {
                    self.copy_block(from, to, Some(u64::from(cfa.terms.width(value) / 8)));
                }
            }
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

    /// Copies the block at `from` to `to`: granule by granule, and the rest of a long one, or one of unknown length (`bytes`), as a whole.
    /// Most objects of which a part of unknown length is copied have no such rest.
    fn copy_block(&mut self, from: Node, to: Node, bytes: Option<u64>) {
        let granule = u64::from(self.cfa.pointer_bits / 8).max(1);
        let start = bytes.unwrap_or(u64::MAX).min(FIELDS_COPIED_BYTES);
        let mut extents: Vec<Extent> = (0..start.div_ceil(granule))
            .map(|i| Extent { at: (granule * i) as u32, bytes: granule.min(start - granule * i) as u32 })
            .collect();
        if bytes.is_none_or(|n| n > start) {
            extents.push(Extent { at: start as u32, bytes: 0 });
        }
        for extent in extents {
            let n = self.solver.add_node();
            self.solver.add_waiting(from, Waiting::Load { extent, to: n, plain: true });
            self.solver.add_waiting(to, Waiting::Store { extent, from: n, plain: true });
        }
    }

    /// Lets each byte at `to` become any part of `value`.
    fn fill_block(&mut self, value: Node, to: Node) {
        let extent = Extent { at: 0, bytes: 0 };
        self.solver.add_waiting(to, Waiting::Store { extent, from: value, plain: false });
    }
}

/// Whether `value` was read from memory as one block of more bytes than an address has, so that it may hold several pointers.
pub fn is_block(cfa: &Cfa, memory: Option<VarId>, value: Term) -> bool {
    let of_memory = |base: &Term| matches!(cfa.terms.kind(*base), Kind::Var(v) if Some(v) == memory);
    cfa.terms.kind(value) == Kind::Read
        && cfa.terms.width(value) > cfa.pointer_bits
        && memory_bases(cfa, cfa.terms.args(value)[0]).iter().all(of_memory)
}

/// For each variable, whether it is a local with one assignment in the whole program.
fn written_once(cfa: &Cfa) -> Vec<bool> {
    let mut writes = vec![0u32; cfa.vars.len()];
    for edge in cfa.edges.iter() {
        edge.op.written().into_iter().for_each(|v| writes[v.index()] += 1);
    }
    cfa.vars.iter_enumerated().map(|(v, var)| writes[v.index()] == 1 && var.scope != Scope::Global).collect()
}

/// The program's memory: the array that operations assign to. Other arrays are set by inputs only.
///
/// Errors: more than one array is assigned to, that is, the memory has been split into regions already.
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

/// The variables and constant arrays on which a memory term is built.
pub fn memory_bases(cfa: &Cfa, memory: Term) -> SmallVec<[Term; 1]> {
    let terms = &cfa.terms;
    let mut stack: SmallVec<[Term; 4]> = smallvec![memory];
    let mut choices = FxHashSet::default();
    let mut bases = SmallVec::new();
    while let Some(mut m) = stack.pop() {
        while matches!(terms.kind(m), Kind::Write | Kind::Copy) {
            m = terms.args(m)[0];
        }
        match terms.kind(m) {
            Kind::Ite if choices.insert(m) => stack.extend_from_slice(&terms.args(m)[1..]),
            Kind::Ite => {}
            _ if bases.contains(&m) => {}
            _ => bases.push(m),
        }
    }
    bases
}

/// A lower bound of the number of low bits of `t` that are always zero, found up to a limited depth.
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
        // The outside lies at address 0.
        Kind::Addr(o) if cfa.objects[o].kind == ObjectKind::Outside => 64,
        Kind::Bv(BvOp::Mul) => (zeros(0) + zeros(1)).min(64),
        Kind::Bv(BvOp::And) => zeros(0).max(zeros(1)),
        Kind::Bv(BvOp::Add | BvOp::Sub | BvOp::Or | BvOp::Xor) => zeros(0).min(zeros(1)),
        Kind::Bv(BvOp::Shl) | Kind::BvNeg | Kind::Zext | Kind::Sext | Kind::Extract { lo: 0, .. } => zeros(0),
        Kind::Ite => zeros(1).min(zeros(2)),
        Kind::Concat => {
            let low = zeros(1);
            let width = terms.width(args[1]).min(64) as u8;
            if low >= width { (width + zeros(0)).min(64) } else { low }
        }
        _ => 0,
    }
}
