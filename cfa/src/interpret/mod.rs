//! Execution of a program on concrete values: the semantics against which every counterexample is replayed.
//!
//! It is independent of any search: it takes the whole CFA, not a slice, and a source of inputs. Besides following the edges, it
//! tracks the live objects to detect accesses outside of them. A run with such an access is no counterexample (searches assume that
//! it does not happen).

mod checks;

use crate::bv::Bv;
use crate::eval::{ArrayValue, Value, eval};
use crate::graph::{Cfa, Lifetime, ObjectKind, Scope, Slot, Span};
use crate::ids::{EdgeId, FuncId, Id, LocId, ObjectId, VarId};
use crate::op::{AssumeKind, InputKind, Op};
use crate::term::{Kind, Leaf, Sort, Term};
use checks::Check;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Instant;

/// A source of values for `Input` edges.
pub trait InputSource {
    /// The value of `sort` for execution number `occurrence` (from 0) of the input edge `edge`.
    fn value(&mut self, edge: EdgeId, occurrence: u32, kind: &InputKind, sort: Sort) -> Value;
}

/// Values by edge and occurrence; all other values are zero.
impl InputSource for FxHashMap<EdgeId, Vec<Value>> {
    fn value(&mut self, edge: EdgeId, occurrence: u32, _: &InputKind, sort: Sort) -> Value {
        let known = self.get(&edge).and_then(|values| values.get(occurrence as usize));
        known.filter(|v| v.sort() == sort).cloned().unwrap_or_else(|| Value::zero(sort))
    }
}

/// Limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunLimits {
    /// Maximum number of edges executed.
    pub steps: u64,
    /// The time at which to stop.
    pub deadline: Option<Instant>,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// At a target.
    Target(LocId),
    /// At the exit of the entry function.
    Finished,
    /// At a location without outgoing edges (`abort`, `exit`), or where no branch can be taken (a user's assumption).
    DeadEnd(LocId),
    /// At a guard: the execution would have trapped (null dereference, division by zero).
    GuardFailed(EdgeId),
    /// At an access to memory outside of every live object.
    InvalidAccess {
        /// The edge.
        edge: EdgeId,
        /// The address.
        address: u64,
    },
    /// At a construct without a model.
    Unsupported(EdgeId),
    /// At the limit on steps.
    StepLimit,
    /// At the time limit.
    OutOfTime,
}

/// An input that a run took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputEvent {
    /// The input edge.
    pub edge: EdgeId,
    /// The number of earlier executions of the edge.
    pub occurrence: u32,
    /// The value.
    pub value: Value,
    /// If the edge is one of a library function: the edge of the program that called the library.
    pub call: Option<EdgeId>,
}

/// A finished run.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended.
    pub end: End,
    /// The inputs in the order in which they were read.
    pub inputs: Vec<InputEvent>,
    /// Number of edges executed.
    pub steps: u64,
    /// The position of the first overflow of a signed operation, if there was one.
    pub overflow: Option<Span>,
    /// Whether blocks lie in another order than the inputs say.
    pub reordered: bool,
}

struct Frame {
    func: FuncId,
    return_to: LocId,
    /// The locals of an earlier activation of the same function, in the order of `Machine::locals`.
    saved: Vec<Option<Value>>,
    /// The base addresses of objects on the stack that this activation has made.
    made: Vec<u64>,
    /// The length of `made` at each extent that was noted.
    noted: SmallVec<[(u32, usize); 1]>,
}

/// The state of a running program.
pub struct Machine<'c> {
    cfa: &'c Cfa,
    values: Vec<Option<Value>>,
    frames: Vec<Frame>,
    active: Vec<u32>,
    /// The locals of each function.
    locals: Vec<Vec<VarId>>,
    /// What is checked before each edge, computed when it is first executed.
    checks: Vec<Option<Rc<[Check]>>>,
    /// Live objects by base address, with their sizes in bytes.
    live: BTreeMap<u64, (u64, ObjectId)>,
    /// Slots of active functions that are out of scope.
    gone: FxHashSet<ObjectId>,
    /// Slots whose address the program has computed since they began: only then is there a pointer to their present instance.
    taken: FxHashSet<ObjectId>,
    /// The slots of each function.
    slots: Vec<Vec<ObjectId>>,
    /// Instances of sites on the stack that are out of scope, by base address.
    gone_instances: FxHashMap<u64, (u64, ObjectId)>,
    occurrences: FxHashMap<EdgeId, u32>,
    inputs_read: usize,
    /// The memory that holds each object which is in one.
    memory_of: OnceCell<FxHashMap<ObjectId, VarId>>,
    /// What undefined functions have returned that return the same for the same arguments.
    results: FxHashMap<Call, Value>,
    /// Whether some comparison of addresses was decided by the layout otherwise than by the inputs.
    reordered: bool,
}

/// An undefined function, a part of its result, and arguments; those without a value are addresses of objects that lie nowhere.
type Call = (String, u32, Vec<Result<Bv, Term>>);

/// Runs `cfa` from its entry, and calls `observe` with the machine after each edge.
pub fn run(
    cfa: &Cfa,
    source: &mut dyn InputSource,
    limits: RunLimits,
    observe: &mut dyn FnMut(&Machine<'_>, EdgeId),
) -> Run {
    let mut machine = Machine::new(cfa);
    let mut inputs = Vec::new();
    let mut at = cfa.funcs[cfa.entry].entry;
    let mut steps = 0;
    let mut overflow = None;
    let end = loop {
        if cfa.is_target(at) {
            break End::Target(at);
        }
        if at == cfa.funcs[cfa.locs[at].func].exit {
            match machine.leave() {
                Some(next) => at = next,
                None => break End::Finished,
            }
            continue;
        }
        let Some(e) = machine.choose(at) else { break End::DeadEnd(at) };
        if steps >= limits.steps {
            break End::StepLimit;
        }
        // One step may copy megabytes.
        if steps % 32 == 0 && limits.deadline.is_some_and(|d| Instant::now() >= d) {
            break End::OutOfTime;
        }
        steps += 1;
        if overflow.is_none() && !cfa.signed_operations.is_empty() {
            overflow = machine.overflow(e);
        }
        match machine.step(e, source, &mut inputs) {
            Ok(next) => at = next,
            Err(end) => break end,
        }
        observe(&machine, e);
    };
    Run { end, inputs, steps, overflow, reordered: machine.reordered }
}

impl<'c> Machine<'c> {
    fn new(cfa: &'c Cfa) -> Machine<'c> {
        let mut live = BTreeMap::new();
        for (o, object) in cfa.objects.iter_enumerated() {
            if let (Some(base), false) = (object.base, matches!(object.kind, ObjectKind::Site(_) | ObjectKind::Outside))
            {
                live.insert(base, (object.size_bytes.unwrap_or(1), o));
            }
        }
        let mut locals: Vec<Vec<VarId>> = vec![Vec::new(); cfa.funcs.len()];
        for (v, var) in cfa.vars.iter_enumerated() {
            if let Scope::Local(f) = var.scope {
                locals[f.index()].push(v);
            }
        }
        let mut slots: Vec<Vec<ObjectId>> = vec![Vec::new(); cfa.funcs.len()];
        for taken in cfa.memory.taken.values().flatten() {
            if let ObjectKind::Stack(f) = cfa.objects[*taken].kind
                && !slots[f.index()].contains(taken)
            {
                slots[f.index()].push(*taken);
            }
        }
        Machine {
            cfa,
            values: vec![None; cfa.vars.len()],
            frames: Vec::new(),
            active: vec![0; cfa.funcs.len()],
            locals,
            checks: vec![None; cfa.edges.len()],
            live,
            gone: FxHashSet::default(),
            taken: FxHashSet::default(),
            slots,
            gone_instances: FxHashMap::default(),
            occurrences: FxHashMap::default(),
            inputs_read: 0,
            memory_of: OnceCell::new(),
            results: FxHashMap::default(),
            reordered: false,
        }
    }

    /// The value of a variable; `None` before its first assignment.
    pub fn value(&self, v: VarId) -> Option<&Value> {
        self.values[v.index()].as_ref()
    }

    /// The active functions except for the entry function, outermost first.
    pub fn stack(&self) -> impl ExactSizeIterator<Item = FuncId> + '_ {
        self.frames.iter().map(|f| f.func)
    }

    /// The value of `t`, where variables without a value count as zero.
    pub fn eval(&self, t: Term) -> Value {
        self.value_of(t).unwrap_or_else(|| Value::zero(self.cfa.terms.sort(t)))
    }

    /// The value of `t`; `None` if it depends on where an object lies that lies nowhere.
    fn value_of(&self, t: Term) -> Option<Value> {
        eval(&self.cfa.terms, t, &mut |leaf| match leaf {
            Leaf::Var(v) => Some(self.values[v.index()].clone().unwrap_or_else(|| Value::zero(self.cfa.vars[v].sort))),
            Leaf::Addr(o) => self.cfa.objects[o].base.map(|b| Value::Bv(self.cfa.address(b))),
            Leaf::Sym(_) => None,
        })
    }

    fn holds(&self, t: Term) -> bool {
        self.eval(t) == Value::Bool(true)
    }

    /// The edge to take from `at`: the first one that is enabled; a guard counts as enabled even if it fails.
    fn choose(&self, at: LocId) -> Option<EdgeId> {
        self.cfa.out(at).iter().copied().find(|&e| match &self.cfa.edges[e].op {
            Op::Assume { kind: AssumeKind::Guard, .. } => true,
            Op::Assume { cond, .. } => self.holds(*cond),
            _ => true,
        })
    }

    /// The number of inputs read so far.
    pub fn inputs_read(&self) -> usize {
        self.inputs_read
    }

    /// The edge that called the library, if `e` is an edge of the library.
    pub fn call_of_library(&self, e: EdgeId) -> Option<EdgeId> {
        let cfa = self.cfa;
        let is_library = |f: FuncId| cfa.funcs[f].library;
        if !is_library(cfa.locs[cfa.edges[e].from].func) {
            return None;
        }
        let frames = self.frames.iter().rev().take_while(|frame| is_library(frame.func));
        let first = frames.last()?;
        let calls = |e: &EdgeId| cfa.edges[*e].op == Op::Call(first.func);
        cfa.into(first.return_to).iter().copied().find(calls)
    }

    /// The byte at `address`: zero where nothing is known about it, because nobody looks at it or no object lies there.
    pub fn byte(&self, address: u64) -> u8 {
        let cfa = self.cfa;
        let Some((base, (size, object))) = self.live.range(..=address).next_back() else { return 0 };
        let offset = address - base;
        if offset >= *size {
            return 0;
        }
        let (value, at) = match cfa.memory.parts.get(object) {
            Some(parts) => {
                let Some(&(begin, var)) = parts.iter().rev().find(|(begin, _)| *begin <= offset) else { return 0 };
                let Some(Value::Bv(bits)) = self.value(var) else { return 0 };
                (bits.clone(), offset - begin)
            }
            None => {
                let all = || cfa.memory.objects.iter();
                let memory_of = self
                    .memory_of
                    .get_or_init(|| all().flat_map(|(&v, held)| held.iter().map(move |&o| (o, v))).collect());
                let Some(Value::Array(memory)) = memory_of.get(object).and_then(|v| self.value(*v)) else { return 0 };
                let cell = u64::from(memory.elem_bits() / 8);
                (memory.cell(address - address % cell), address % cell)
            }
        };
        let low = 8 * at as u32;
        if low + 8 > value.width() {
            return 0;
        }
        value.extract(low + 7, low).to_u64().unwrap_or(0) as u8
    }

    /// The position of a signed operation that overflowed on the way to `e`, if there is one.
    fn overflow(&self, e: EdgeId) -> Option<Span> {
        let noted = self.cfa.signed_operations.get(&e)?;
        let value = |t: Term| self.value_of(t)?.as_bv().cloned();
        noted.iter().find(|operation| operation.overflows(value)).map(|operation| operation.span)
    }

    /// The call of which an input is the result, if the function returns the same for the same arguments.
    fn call(&self, e: EdgeId) -> Option<Call> {
        let determined = self.cfa.determined.get(&e)?;
        let function = self.cfa.external_calls.get(&e)?.clone();
        let argument = |&t: &Term| self.value_of(t).and_then(|v| v.as_bv().cloned()).ok_or(t);
        Some((function, determined.part, determined.by.iter().map(argument).collect()))
    }

    /// Keeps a result of a function that returns the same for the same arguments in its table.
    fn note_result(&mut self, table: VarId, at: Term, result: &Value) {
        let (Some(at), Value::Bv(result)) = (self.eval(at).to_u64(), result) else { return };
        let kept = self.values[table.index()].take().unwrap_or_else(|| Value::zero(self.cfa.vars[table].sort));
        if let Value::Array(mut results) = kept {
            results.write(at, &result.zext(results.elem_bits()));
            self.values[table.index()] = Some(Value::Array(results));
        }
    }

    /// The order of addresses in the current layout, if `e` takes it from a search or from an order of blocks.
    fn order(&self, e: EdgeId) -> Option<Term> {
        let orders = &self.cfa.memory.address_orders;
        if orders.is_empty() { None } else { orders.get(&e).copied() }
    }

    fn step(&mut self, e: EdgeId, source: &mut dyn InputSource, inputs: &mut Vec<InputEvent>) -> Result<LocId, End> {
        let cfa = self.cfa;
        let edge = &cfa.edges[e];
        self.check(e)?;
        let size = cfa.allocations.get(&e).map(|a| self.eval(a.size).to_u64().unwrap_or(u64::MAX));
        match &edge.op {
            Op::Skip => {}
            Op::Assume { cond, kind } => {
                if *kind == AssumeKind::Guard && !self.holds(*cond) {
                    return Err(End::GuardFailed(e));
                }
            }
            Op::Assign(list) => match (&**list, self.order(e)) {
                ([(var, by_rank)], Some(order)) => {
                    let value = self.eval(order);
                    self.reordered |= value != self.eval(*by_rank);
                    self.values[var.index()] = Some(value);
                }
                _ => self.assign(list),
            },
            Op::Input { var, kind } => {
                let occurrence = self.occurrences.get(&e).copied().unwrap_or(0);
                let drawn = source.value(e, occurrence, kind, cfa.vars[*var].sort);
                // What a comparison of addresses says is so in the current layout, and a function of its arguments returns what it returned
                // before, whatever a search assumed.
                let value = match (self.order(e), self.call(e)) {
                    (Some(order), _) => self.eval(order),
                    (None, Some(call)) => self.results.entry(call).or_insert(drawn).clone(),
                    (None, None) => drawn,
                };
                if let Some((table, at)) = cfa.determined.get(&e).and_then(|result| result.noted) {
                    self.note_result(table, at, &value);
                }
                inputs.push(InputEvent { edge: e, occurrence, value: value.clone(), call: self.call_of_library(e) });
                self.occurrences.insert(e, occurrence + 1);
                self.inputs_read += 1;
                self.values[var.index()] = Some(value);
            }
            Op::Call(f) => {
                self.enter(*f, edge.to);
                return Ok(cfa.funcs[*f].entry);
            }
            Op::CallIndirect(_) | Op::Unsupported(_) => return Err(End::Unsupported(e)),
        }
        if let (Some(size), Some(allocation)) = (size, cfa.allocations.get(&e))
            && let Some(base) = self.value(allocation.var).and_then(Value::to_u64)
        {
            self.live.insert(base, (size, allocation.object));
            if !cfa.objects[allocation.object].heap
                && let Some(frame) = self.frames.last_mut()
            {
                frame.made.push(base);
            }
        }
        if let Some(&freed) = cfa.frees.get(&e) {
            let address = self.eval(freed).to_u64().unwrap_or(0);
            let is_block = self.live.get(&address).is_some_and(|(_, object)| cfa.objects[*object].heap);
            if address != 0 && !is_block {
                return Err(End::InvalidAccess { edge: e, address });
            }
            self.live.remove(&address);
        }
        if let Some(&event) = cfa.lifetimes.get(&e) {
            self.on_stack(event);
        }
        if let Some(taken) = cfa.memory.taken.get(&e) {
            self.taken.extend(taken.iter().copied());
        }
        Ok(edge.to)
    }

    fn on_stack(&mut self, event: Lifetime) {
        let address = |machine: &Self, v: VarId| machine.value(v).and_then(Value::to_u64);
        match event {
            Lifetime::Starts(Slot::Object(o)) => {
                self.gone.remove(&o);
                self.taken.remove(&o);
            }
            Lifetime::Ends(Slot::Object(o)) => {
                self.gone.insert(o);
            }
            Lifetime::Starts(Slot::Instance(v)) => {
                let back = address(self, v).and_then(|base| self.gone_instances.remove_entry(&base));
                self.live.extend(back);
            }
            Lifetime::Ends(Slot::Instance(v)) => {
                let ended = address(self, v).and_then(|base| self.live.remove_entry(&base));
                self.gone_instances.extend(ended);
            }
            Lifetime::Saved(mark) => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.noted.retain(|(other, _)| *other != mark);
                    frame.noted.push((mark, frame.made.len()));
                }
            }
            Lifetime::Restored(mark) => {
                let Some(frame) = self.frames.last_mut() else { return };
                let Some((_, before)) = frame.noted.iter().find(|(other, _)| *other == mark) else { return };
                for base in frame.made.drain((*before).min(frame.made.len())..) {
                    self.live.remove(&base);
                }
            }
        }
    }

    fn enter(&mut self, f: FuncId, return_to: LocId) {
        for o in &self.slots[f.index()] {
            self.taken.remove(o);
        }
        let again = self.active[f.index()] > 0;
        self.active[f.index()] += 1;
        // The locals of a new activation have no values yet, whatever an earlier one left in them.
        let taken = self.locals[f.index()].iter().map(|v| self.values[v.index()].take());
        let saved = if again {
            taken.collect()
        } else {
            taken.for_each(drop);
            Vec::new()
        };
        self.frames.push(Frame { func: f, return_to, saved, made: Vec::new(), noted: SmallVec::new() });
    }

    fn leave(&mut self) -> Option<LocId> {
        let frame = self.frames.pop()?;
        self.active[frame.func.index()] -= 1;
        for base in &frame.made {
            self.live.remove(base);
            self.gone_instances.remove(base);
        }
        let cfa = self.cfa;
        self.gone.retain(|o| cfa.objects[*o].kind != ObjectKind::Stack(frame.func));
        for (v, value) in self.locals[frame.func.index()].iter().zip(frame.saved) {
            self.values[v.index()] = value;
        }
        Some(frame.return_to)
    }

    fn assign(&mut self, list: &[(VarId, Term)]) {
        if let [(var, t)] = *list
            && self.update_in_place(var, t)
        {
            return;
        }
        let values: Vec<Value> = list.iter().map(|(_, t)| self.eval(*t)).collect();
        for ((v, _), value) in list.iter().zip(values) {
            self.values[v.index()] = Some(value);
        }
    }

    /// Performs `var := t` without copying the memory, if `t` is a chain of writes and copies over `var` itself. Returns whether
    /// it did.
    fn update_in_place(&mut self, var: VarId, t: Term) -> bool {
        enum Change {
            Write(u64, Bv),
            Copy { to: u64, src: ArrayValue, from: u64, len: u64 },
        }
        let terms = &self.cfa.terms;
        let mut changes: SmallVec<[Change; 2]> = SmallVec::new();
        let mut m = t;
        loop {
            let word = |t: Term| self.eval(t).to_u64();
            let change = match (terms.kind(m), terms.args(m)) {
                (Kind::Write, &[_, address, value]) => match (word(address), self.eval(value)) {
                    (Some(a), Value::Bv(v)) => Change::Write(a, v),
                    _ => return false,
                },
                (Kind::Copy, &[_, to, src, from, len]) => match (word(to), self.eval(src), word(from), word(len)) {
                    (Some(to), Value::Array(src), Some(from), Some(len)) => Change::Copy { to, src, from, len },
                    _ => return false,
                },
                (Kind::Var(v), _) if v == var && !changes.is_empty() => break,
                _ => return false,
            };
            changes.push(change);
            m = terms.args(m)[0];
        }
        let mut array = match self.values[var.index()].take() {
            Some(Value::Array(a)) => a,
            _ => match Value::zero(self.cfa.vars[var].sort) {
                Value::Array(a) => a,
                _ => return false,
            },
        };
        for change in changes.into_iter().rev() {
            match change {
                Change::Write(address, value) => array.write(address, &value),
                Change::Copy { to, src, from, len } => array.copy(to, &src, from, len),
            }
        }
        self.values[var.index()] = Some(Value::Array(array));
        true
    }
}
