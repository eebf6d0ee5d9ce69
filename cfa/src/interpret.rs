//! Running a program on concrete values: the meaning against which every counterexample is replayed.
//!
//! Independent of any search: it takes the uncut CFA and a source of inputs. Besides following the edges it keeps the live
//! objects, so that an access outside of them is noticed: such a run is no counterexample (reachability assumes it away).

use crate::bv::Bv;
use crate::eval::{ArrayValue, Value, eval};
use crate::graph::{Cfa, ObjectKind, Scope};
use crate::ids::{EdgeId, FuncId, Id, LocId, VarId};
use crate::op::{AssumeKind, InputKind, Op};
use crate::term::{Kind, Leaf, Sort, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::time::Instant;

/// Gives the values of `Input` edges.
pub trait InputSource {
    /// The value of `sort` for the `occurrence`-th execution (from 0) of the input edge `edge`.
    fn value(&mut self, edge: EdgeId, occurrence: u32, kind: &InputKind, sort: Sort) -> Value;
}

/// Values by edge and occurrence; zero for all others.
impl InputSource for FxHashMap<EdgeId, Vec<Value>> {
    fn value(&mut self, edge: EdgeId, occurrence: u32, _: &InputKind, sort: Sort) -> Value {
        let known = self.get(&edge).and_then(|values| values.get(occurrence as usize));
        known.filter(|v| v.sort() == sort).cloned().unwrap_or_else(|| Value::zero(sort))
    }
}

/// Limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunLimits {
    /// Most edges executed.
    pub steps: u64,
    /// When to stop.
    pub deadline: Option<Instant>,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// At a target.
    Target(LocId),
    /// At the exit of the entry function.
    Finished,
    /// At a location that nothing leaves (`abort`, `exit`), or where no branch can be taken (a user's assumption).
    DeadEnd(LocId),
    /// It would have trapped: null dereference, division by zero.
    GuardFailed(EdgeId),
    /// It touched memory outside of every live object.
    InvalidAccess {
        /// The edge.
        edge: EdgeId,
        /// The address.
        address: u64,
    },
    /// At a construct without a model.
    Unsupported(EdgeId),
    /// The limit on steps is reached.
    StepLimit,
    /// The time is over.
    OutOfTime,
}

/// An input that a run took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputEvent {
    /// The input edge.
    pub edge: EdgeId,
    /// How often it was executed before.
    pub occurrence: u32,
    /// The value.
    pub value: Value,
}

/// A finished run.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended.
    pub end: End,
    /// Inputs in the order in which they were taken.
    pub inputs: Vec<InputEvent>,
    /// Edges executed.
    pub steps: u64,
}

struct Frame {
    func: FuncId,
    return_to: LocId,
    /// Locals of an earlier activation of the same function.
    saved: Vec<(VarId, Option<Value>)>,
}

/// A program state while it runs.
pub struct Machine<'c> {
    cfa: &'c Cfa,
    values: Vec<Option<Value>>,
    frames: Vec<Frame>,
    active: Vec<u32>,
    locals: FxHashMap<FuncId, Vec<VarId>>,
    /// Live objects: size in bytes by base address.
    live: BTreeMap<u64, u64>,
    occurrences: FxHashMap<EdgeId, u32>,
}

/// Runs `cfa` from its entry. `observe` sees the machine after each edge.
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
        if steps % 4096 == 0 && limits.deadline.is_some_and(|d| Instant::now() >= d) {
            break End::OutOfTime;
        }
        steps += 1;
        match machine.step(e, source, &mut inputs) {
            Ok(next) => at = next,
            Err(end) => break end,
        }
        observe(&machine, e);
    };
    Run { end, inputs, steps }
}

impl<'c> Machine<'c> {
    fn new(cfa: &'c Cfa) -> Machine<'c> {
        let mut live = BTreeMap::new();
        for object in cfa.objects.iter() {
            if let (Some(base), false) = (object.base, matches!(object.kind, ObjectKind::Site(_))) {
                live.insert(base, object.size_bytes.unwrap_or(1));
            }
        }
        let mut locals: FxHashMap<FuncId, Vec<VarId>> = FxHashMap::default();
        for (v, var) in cfa.vars.iter_enumerated() {
            if let Scope::Local(f) = var.scope {
                locals.entry(f).or_default().push(v);
            }
        }
        Machine {
            cfa,
            values: vec![None; cfa.vars.len()],
            frames: Vec::new(),
            active: vec![0; cfa.funcs.len()],
            locals,
            live,
            occurrences: FxHashMap::default(),
        }
    }

    /// The value of a variable; `None` before its first assignment.
    pub fn value(&self, v: VarId) -> Option<&Value> {
        self.values[v.index()].as_ref()
    }

    /// Functions that are active besides the entry function, outermost first.
    pub fn stack(&self) -> impl ExactSizeIterator<Item = FuncId> + '_ {
        self.frames.iter().map(|f| f.func)
    }

    /// The value of `t`; variables without a value count as zero.
    pub fn eval(&self, t: Term) -> Value {
        let terms = &self.cfa.terms;
        let value = eval(terms, t, &mut |leaf| match leaf {
            Leaf::Var(v) => {
                Some(self.values[v.index()].clone().unwrap_or_else(|| Value::zero(self.cfa.vars[v].sort)))
            }
            Leaf::Addr(o) => self.cfa.objects[o].base.map(|b| Value::Bv(self.cfa.address(b))),
            Leaf::Sym(_) => None,
        });
        value.unwrap_or_else(|| Value::zero(terms.sort(t)))
    }

    fn holds(&self, t: Term) -> bool {
        self.eval(t) == Value::Bool(true)
    }

    /// The edge to take from `at`: the first one that can be taken; a failed guard counts as taken.
    fn choose(&self, at: LocId) -> Option<EdgeId> {
        self.cfa.out(at).iter().copied().find(|&e| match &self.cfa.edges[e].op {
            Op::Assume { kind: AssumeKind::Guard, .. } => true,
            Op::Assume { cond, .. } => self.holds(*cond),
            _ => true,
        })
    }

    fn step(
        &mut self,
        e: EdgeId,
        source: &mut dyn InputSource,
        inputs: &mut Vec<InputEvent>,
    ) -> Result<LocId, End> {
        let cfa = self.cfa;
        let edge = &cfa.edges[e];
        for t in edge.op.terms() {
            self.check_accesses(e, t)?;
        }
        let size = cfa.allocations.get(&e).map(|a| self.eval(a.size).to_u64().unwrap_or(u64::MAX));
        match &edge.op {
            Op::Skip => {}
            Op::Assume { cond, kind } => {
                if *kind == AssumeKind::Guard && !self.holds(*cond) {
                    return Err(End::GuardFailed(e));
                }
            }
            Op::Assign(list) => self.assign(list),
            Op::Input { var, kind } => {
                let occurrence = self.occurrences.entry(e).or_insert(0);
                let value = source.value(e, *occurrence, kind, cfa.vars[*var].sort);
                inputs.push(InputEvent { edge: e, occurrence: *occurrence, value: value.clone() });
                *occurrence += 1;
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
            self.live.insert(base, size);
        }
        if let Some(&freed) = cfa.frees.get(&e) {
            let address = self.eval(freed).to_u64().unwrap_or(0);
            if address != 0 && self.live.remove(&address).is_none() {
                return Err(End::InvalidAccess { edge: e, address });
            }
        }
        Ok(edge.to)
    }

    fn enter(&mut self, f: FuncId, return_to: LocId) {
        let again = self.active[f.index()] > 0;
        self.active[f.index()] += 1;
        let mut saved = Vec::new();
        if again && let Some(locals) = self.locals.get(&f) {
            saved.extend(locals.iter().map(|v| (*v, self.values[v.index()].take())));
        }
        self.frames.push(Frame { func: f, return_to, saved });
    }

    fn leave(&mut self) -> Option<LocId> {
        let frame = self.frames.pop()?;
        self.active[frame.func.index()] -= 1;
        for (v, value) in frame.saved {
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

    /// `var := t` where `t` is a chain of writes over `var` itself, without copying the memory.
    fn update_in_place(&mut self, var: VarId, t: Term) -> bool {
        let terms = &self.cfa.terms;
        let mut writes: Vec<(u64, Bv)> = Vec::new();
        let mut m = t;
        while terms.kind(m) == Kind::Write {
            let [below, address, value] = *terms.args(m) else { unreachable!("write has three arguments") };
            match (self.eval(address).to_u64(), self.eval(value)) {
                (Some(a), Value::Bv(v)) => writes.push((a, v)),
                _ => return false,
            }
            m = below;
        }
        if writes.is_empty() || terms.kind(m) != Kind::Var(var) {
            return false;
        }
        let mut array = match self.values[var.index()].take() {
            Some(Value::Array(a)) => a,
            _ => match Value::zero(self.cfa.vars[var].sort) {
                Value::Array(a) => a,
                _ => return false,
            },
        };
        for (address, value) in writes.iter().rev() {
            ArrayValue::write(&mut array, *address, value);
        }
        self.values[var.index()] = Some(Value::Array(array));
        true
    }

    /// Checks the ranges that `t` reads, writes or copies against the live objects.
    fn check_accesses(&self, e: EdgeId, t: Term) -> Result<(), End> {
        let terms = &self.cfa.terms;
        if matches!(terms.kind(t), Kind::Var(_) | Kind::Const(_)) {
            return Ok(());
        }
        for u in terms.subterms(&[t], |_| false) {
            let args = terms.args(u);
            match terms.kind(u) {
                Kind::Read => self.check_range(e, args[1], u64::from(terms.width(u)) / 8)?,
                Kind::Write => self.check_range(e, args[1], u64::from(terms.width(args[2])) / 8)?,
                Kind::Copy => {
                    let len = self.eval(args[4]).to_u64().unwrap_or(u64::MAX);
                    if len > 0 {
                        self.check_range(e, args[1], len)?;
                        if terms.kind(args[2]) != Kind::ConstArray {
                            self.check_range(e, args[3], len)?;
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn check_range(&self, e: EdgeId, address: Term, bytes: u64) -> Result<(), End> {
        let address = self.eval(address).to_u64().unwrap_or(0);
        let inside = self.live.range(..=address).next_back().is_some_and(|(base, size)| {
            let offset = address - base;
            offset.checked_add(bytes).is_some_and(|end| end <= *size)
        });
        if inside { Ok(()) } else { Err(End::InvalidAccess { edge: e, address }) }
    }
}
