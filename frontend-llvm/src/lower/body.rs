//! The function being lowered: a cursor that appends edges, and the terms of its values.

use super::{Lowered, Lowering, NoModel, Vals};
use crate::ir::{Block, Value};
use crate::provenance::Construct;
use cfa::bv::{BvCmp, BvOp};
use cfa::term::{Kind, Leaf, Terms};
use cfa::{
    AssumeKind, EdgeId, FuncId, InputKind, LocId, ObjectKind, Op, Origin, Scope, SignedOperation, Sort, Span, SymId,
    Term, Unsupported, VarId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Maximum weight of a pure expression that is substituted into its users instead of being assigned to a variable.
const MAX_FOLDED: u32 = 12;

/// One function while it is lowered.
pub(crate) struct Body<'l, 's, 'm> {
    pub cx: &'l mut Lowering<'s, 'm>,
    pub func: FuncId,
    /// Prefix of the names of local variables.
    pub name: String,
    /// Whether several activations may exist at the same time.
    pub recursive: bool,
    /// The location where the next edge begins.
    pub at: LocId,
    /// Whether control cannot reach `at`.
    pub dead: bool,
    pub span: Span,
    /// The construct being lowered.
    pub origin: Origin,
    pub values: FxHashMap<Value<'m>, Vals>,
    /// Variables of phi nodes, created before anything else so that predecessors can assign them.
    pub phis: FxHashMap<Value<'m>, Vec<VarId>>,
    pub blocks: FxHashMap<Block<'m>, LocId>,
    /// Locations at which blocks begin.
    pub heads: FxHashSet<LocId>,
    /// Position of each block in reverse postorder.
    pub order: FxHashMap<Block<'m>, usize>,
    /// Blocks that have a location and are still to be lowered, by their position in the order.
    pub pending: BTreeSet<usize>,
    /// Variables that hold the address of an object.
    pub nonnull: FxHashSet<VarId>,
    /// Allocas whose contents become arbitrary at the start of their lifetime instead of at the alloca.
    pub with_lifetime: FxHashSet<Value<'m>>,
    /// Stack slots whose scope is marked, and whether a pointer to them may outlive it.
    pub kept_slots: FxHashMap<Value<'m>, bool>,
    /// The numbers of calls that note the extent of the stack.
    pub extents: FxHashMap<Value<'m>, u32>,
    /// For each stack slot, the address of its object and its size.
    pub slots: FxHashMap<Value<'m>, (Term, u64)>,
    /// The calls of `setjmp`; empty in most functions.
    pub armed: FxHashMap<Value<'m>, super::jump::Armed>,
    /// Address of the area that holds the variadic arguments.
    pub varargs: Option<Term>,
    /// The address of the register save area of a variadic function on x86-64.
    pub registers: Option<Term>,
    /// The LLVM function, if there is one.
    pub llvm: Option<Value<'m>>,
    /// Signed operations to record at the next edge.
    pub signed: Vec<SignedOperation>,
}

impl<'l, 's, 'm> Body<'l, 's, 'm> {
    /// A cursor at the entry of `func`.
    pub(super) fn new(cx: &'l mut Lowering<'s, 'm>, func: FuncId) -> Body<'l, 's, 'm> {
        let (at, name, span) = {
            let f = &cx.cfa.funcs[func];
            (f.entry, f.name.clone(), f.span)
        };
        Body {
            cx,
            func,
            name,
            recursive: false,
            at,
            dead: false,
            span,
            origin: Origin::NONE,
            values: FxHashMap::default(),
            phis: FxHashMap::default(),
            blocks: FxHashMap::default(),
            heads: FxHashSet::default(),
            order: FxHashMap::default(),
            pending: BTreeSet::new(),
            nonnull: FxHashSet::default(),
            with_lifetime: FxHashSet::default(),
            kept_slots: FxHashMap::default(),
            extents: FxHashMap::default(),
            slots: FxHashMap::default(),
            armed: FxHashMap::default(),
            varargs: None,
            registers: None,
            llvm: None,
            signed: Vec::new(),
        }
    }

    /// The program's terms.
    pub(super) fn terms(&mut self) -> &mut Terms {
        &mut self.cx.cfa.terms
    }

    /// A constant of the width of an address.
    pub(super) fn word(&mut self, value: u64) -> Term {
        let bits = self.cx.pointer_bits();
        self.terms().int(bits, value)
    }

    /// The current memory.
    pub(super) fn mem(&mut self) -> Term {
        let mem = self.cx.mem;
        self.cx.cfa.var_term(mem)
    }

    /// Appends an edge.
    pub(super) fn emit(&mut self, op: Op) -> EdgeId {
        let to = self.cx.new_loc(self.func);
        let e = self.edge_between(self.at, to, op);
        self.at = to;
        e
    }

    /// Adds an edge for the construct that is being lowered.
    pub(super) fn edge_between(&mut self, from: LocId, to: LocId, op: Op) -> EdgeId {
        let e = self.cx.cfa.add_edge(from, to, op, self.span);
        self.cx.cfa.edges[e].origin = self.origin;
        if !self.signed.is_empty() {
            self.cx.cfa.signed_operations.insert(e, std::mem::take(&mut self.signed));
        }
        e
    }

    /// From here on, edges come from `construct`. Library models are not part of the program's module and are skipped.
    pub(super) fn trace(&mut self, construct: Construct<'m>) {
        if !self.cx.cfa.funcs[self.func].library {
            self.origin = self.cx.provenance.note(construct);
        }
    }

    /// A new local variable.
    pub(super) fn local(&mut self, name: &str, sort: Sort) -> VarId {
        let name = format!("{}::{name}", self.name);
        self.cx.new_var(name, sort, Scope::Local(self.func))
    }

    /// `var := term` for a new local variable.
    pub(super) fn assign_new(&mut self, name: &str, term: Term) -> (VarId, EdgeId) {
        let sort = self.terms().sort(term);
        let var = self.local(name, sort);
        let e = self.emit(Op::assign(var, term));
        (var, e)
    }

    /// Assigns `term` to a new local variable and returns the variable as a term.
    pub(super) fn hold(&mut self, name: &str, term: Term) -> Term {
        let (var, _) = self.assign_new(name, term);
        self.cx.cfa.var_term(var)
    }

    /// Assigns `mem := memory`.
    pub(super) fn set_mem(&mut self, memory: Term) -> EdgeId {
        let mem = self.cx.mem;
        self.emit(Op::assign(mem, memory))
    }

    /// An arbitrary value of a given sort.
    pub(super) fn input_of(&mut self, name: &str, sort: Sort, kind: InputKind) -> Term {
        let var = self.local(name, sort);
        self.emit(Op::Input { var, kind });
        self.cx.cfa.var_term(var)
    }

    /// An arbitrary bit-vector.
    pub(super) fn input(&mut self, name: &str, bits: u32, kind: InputKind) -> Term {
        self.input_of(name, Sort::Bv(bits), kind)
    }

    /// An arbitrary value that stands for what the language leaves undefined.
    pub(super) fn undefined(&mut self, bits: u32) -> Term {
        self.input("undef", bits, InputKind::Undefined)
    }

    /// Ends executions in which `cond` does not hold.
    pub(super) fn assume(&mut self, cond: Term, kind: AssumeKind) {
        match self.terms().as_bool(cond) {
            Some(true) => {}
            Some(false) => {
                self.emit(Op::Assume { cond, kind });
                self.dead = true;
            }
            None => {
                self.emit(Op::Assume { cond, kind });
            }
        }
    }

    /// Ends the execution here.
    pub(super) fn end(&mut self) {
        self.dead = true;
    }

    /// Adds an edge for a construct without a model.
    pub(super) fn unsupported(&mut self, unsupported: Unsupported) -> EdgeId {
        *self.cx.statistics.unsupported.entry(unsupported.reason.clone()).or_default() += 1;
        self.emit(Op::Unsupported(Box::new(unsupported)))
    }

    /// Adds an unsupported edge that no slice which is written can contain.
    pub(super) fn unsliceable(&mut self, reason: String) -> EdgeId {
        let e = self.unsupported(Unsupported::opaque(reason));
        self.cx.cfa.module.unsliceable.insert(e);
        e
    }

    /// Branches on `cond`: `yes` is lowered for the case that it holds, and both branches join afterwards.
    pub(super) fn when(&mut self, cond: Term, yes: impl FnOnce(&mut Self) -> Lowered<()>) -> Lowered<()> {
        match self.terms().as_bool(cond) {
            Some(true) => return yes(self),
            Some(false) => return Ok(()),
            None => {}
        }
        let from = self.at;
        self.emit(Op::branch(cond));
        let result = yes(self);
        let join = self.at;
        let alive = !self.dead;
        self.at = from;
        self.dead = false;
        let not = self.terms().not(cond);
        if alive {
            self.edge_between(from, join, Op::branch(not));
            self.at = join;
        } else {
            self.emit(Op::branch(not));
        }
        result
    }

    /// The scalars of an operand; undefined ones become inputs at this point.
    pub(super) fn value(&mut self, v: Value<'m>) -> Lowered<Vals> {
        let mut vals = self.value_or_undef(v)?;
        for t in &mut vals {
            if self.cx.is_undef(*t) {
                let bits = self.cx.cfa.terms.width(*t);
                *t = self.undefined(bits);
            }
        }
        Ok(vals)
    }

    /// The scalars of an operand; undefined ones stay placeholders.
    pub(super) fn value_or_undef(&mut self, v: Value<'m>) -> Lowered<Vals> {
        if let Some(vals) = self.values.get(&v) {
            return Ok(vals.clone());
        }
        if let Some(vals) = self.cx.constants.get(&v) {
            return Ok(vals.clone());
        }
        if v.is_constant() {
            let mut vals = self.cx.constant(v)?;
            if !vals.iter().any(|t| self.cx.has_undef(*t)) {
                self.cx.constants.insert(v, vals.clone());
                return Ok(vals);
            }
            for t in &mut vals {
                if !self.cx.is_undef(*t) && self.cx.has_undef(*t) {
                    *t = self.undefined_in_part(*t);
                }
            }
            return Ok(vals);
        }
        // The value that an unsupported instruction should have computed.
        let flat = self.cx.flat(v.ty())?;
        let terms = &mut self.cx;
        Ok(flat.leaves.iter().map(|l| terms.undef(l.bits)).collect())
    }

    /// A value with inputs for its undefined parts.
    fn undefined_in_part(&mut self, t: Term) -> Term {
        let parts: Vec<SymId> = self.terms().leaves(&[t]).into_iter().filter_map(symbol).collect();
        let mut inputs = FxHashMap::default();
        for part in parts {
            if let Sort::Bv(bits) = self.terms().symbol(part).sort {
                inputs.insert(part, self.undefined(bits));
            }
        }
        let input = &mut |_: &mut Terms, leaf| symbol(leaf).and_then(|part| inputs.get(&part).copied());
        self.terms().substitute(t, &mut FxHashMap::default(), input)
    }

    /// The one scalar of an operand.
    pub(super) fn scalar(&mut self, v: Value<'m>) -> Lowered<Term> {
        match self.value(v)?.as_slice() {
            [t] => Ok(*t),
            other => Err(NoModel(format!("an operand of {} scalars where one is expected", other.len()))),
        }
    }

    /// Gives an instruction its value: the terms themselves if that is sound and they are small, variables otherwise.
    pub(super) fn define(&mut self, inst: Value<'m>, terms: Vals) {
        let mut kept = terms;
        let mut assigned: Vec<(VarId, Term)> = Vec::new();
        let mut local_use = None;
        for t in &mut kept {
            let weight = self.cx.weight(*t);
            let leaf = matches!(self.cx.cfa.terms.kind(*t), Kind::Var(_) | Kind::Sym(_));
            // A jump back may come after variables of the term have changed.
            let folds = weight == 0
                || self.armed.is_empty()
                    && (leaf || weight <= MAX_FOLDED && *local_use.get_or_insert_with(|| used_once_or_in_block(inst)));
            if !folds {
                let var = self.var_for(inst, *t);
                assigned.push((var, *t));
                *t = self.cx.cfa.var_term(var);
            }
        }
        if !assigned.is_empty() {
            self.emit(Op::Assign(assigned.into_boxed_slice()));
        }
        self.values.insert(inst, kept);
    }

    /// Gives an instruction its value through new variables, and returns the edge that assigns them.
    pub(super) fn define_held(&mut self, inst: Value<'m>, terms: Vals) -> EdgeId {
        let mut assigned: Vec<(VarId, Term)> = Vec::new();
        let mut held = Vals::new();
        for t in terms {
            let var = self.var_for(inst, t);
            assigned.push((var, t));
            held.push(self.cx.cfa.var_term(var));
        }
        self.values.insert(inst, held);
        self.emit(Op::Assign(assigned.into_boxed_slice()))
    }

    /// A variable named after an instruction, for one of its scalars.
    pub(super) fn var_for(&mut self, inst: Value<'m>, t: Term) -> VarId {
        let name = match inst.name() {
            empty if empty.is_empty() => "t".to_string(),
            name => name,
        };
        let sort = self.terms().sort(t);
        let var = self.local(&name, sort);
        if let Some(source) = self.cx.debug.value_name(inst) {
            self.cx.cfa.vars[var].source = Some(source);
        }
        var
    }

    /// Whether a term is certainly neither null nor an offset from null.
    pub(super) fn is_object_address(&self, t: Term) -> bool {
        let terms = &self.cx.cfa.terms;
        match terms.kind(t) {
            Kind::Addr(o) => self.cx.cfa.objects[o].kind != ObjectKind::Outside,
            Kind::Var(v) => self.nonnull.contains(&v),
            Kind::Bv(BvOp::Add) => terms.args(t).iter().any(|&a| self.is_object_address(a)),
            Kind::Ite => {
                let args = terms.args(t);
                self.is_object_address(args[1]) && self.is_object_address(args[2])
            }
            _ => false,
        }
    }

    /// Ends executions that dereference null, before the access to `address`.
    pub(super) fn guard_not_null(&mut self, address: Term) {
        if self.is_object_address(address) {
            return;
        }
        /// An offset below this from null is still in the page that traps.
        const PAGE: u64 = 4096;
        let (base, offset) = self.terms().base_offset(address);
        let tested = if offset.to_u64().is_some_and(|k| k < PAGE) { base } else { address };
        let cond = self.terms().nonzero(tested);
        self.assume(cond, AssumeKind::Guard);
    }

    /// `a < b`, unsigned, as a Bool.
    pub(super) fn below(&mut self, a: Term, b: Term) -> Term {
        self.terms().cmp(BvCmp::Ult, a, b)
    }
}

/// Whether the value of `inst` is used at most once, or only within its block.
fn used_once_or_in_block(inst: Value) -> bool {
    use crate::ir::Opcode;
    let users = inst.users();
    let block = inst.parent();
    users.len() <= 1
        || users.iter().all(|u| {
            u.is_instruction()
                && if u.opcode() == Opcode::Phi {
                    u.incoming().iter().all(|(v, from)| *v != inst || *from == block)
                } else {
                    u.parent() == block
                }
        })
}

fn symbol(leaf: Leaf) -> Option<SymId> {
    match leaf {
        Leaf::Sym(symbol) => Some(symbol),
        Leaf::Var(_) | Leaf::Addr(_) => None,
    }
}
