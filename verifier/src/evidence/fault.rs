//! Executions that end where C gives them no meaning, before they reach a target: what ends them, and on which inputs.
//!
//! For reachability such an execution is neither an alarm nor a part of a proof: invalid accesses are assumed not to happen, and a null
//! dereference or a division by zero ends the execution. But it is a bug of the program, found on the way, and is reported with its place
//! and its inputs. It is called *possible*, since the property of the run is another one, and nothing but the interpreter has looked at it.
//!
//! Only executions of the whole program by the interpreter are looked at, which tracks live objects byte by byte. What is not the
//! program's doing is left out: a limit of the memory model that an allocation exceeds, and contents of library objects that have no model.

use crate::evidence::outcome::InputVector;
use crate::evidence::trace::{Entry, Recorder};
use crate::program::Budget;
use cfa::bv::BvOp;
use cfa::delivery::DeliveryEvent;
use cfa::interpret::{End, InputEvent, Run, RunLimits, run};
use cfa::term::Kind;
use cfa::{AssumeKind, Cfa, EdgeId, Id, InputKind, Op, Sort, Term};
use slicer::{Criterion, SliceOptions};

/// An execution of the whole program that ends at undefined behaviour.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The edge that cannot be executed.
    pub edge: EdgeId,
    /// What is wrong with it.
    pub kind: FaultKind,
    /// All inputs, in the order in which the run read them.
    pub inputs: Vec<InputEvent>,
    /// What the environment handed to the program, in order.
    pub deliveries: Vec<DeliveryEvent>,
    /// The steps of the run, in order.
    pub steps: Vec<Entry>,
    /// An input that decides about the fault although nobody knows whether it may have its value, in words.
    pub rests_on: Option<String>,
}

/// The kinds of undefined behaviour at which executions end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// An access outside of the object that the pointer was computed from, or of one that does not live any more; or a bad `free`.
    InvalidAccess,
    /// Null, or an address close to it, is dereferenced or called.
    Null,
    /// A division by zero, or a signed one whose result does not fit.
    Division,
    /// The program says that this is never executed.
    DeclaredUnreachable,
}

impl std::fmt::Display for FaultKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            FaultKind::InvalidAccess => "possible memory error",
            FaultKind::Null => "possible memory error (a null pointer is used)",
            FaultKind::Division => "possible undefined behaviour (a division by zero, or one that overflows)",
            FaultKind::DeclaredUnreachable => {
                "possible undefined behaviour (the program says that this is never executed)"
            }
        })
    }
}

impl Fault {
    /// The last edge on the way to the fault that has a position in the program itself; the faulty edge may be one of a library model.
    pub fn edge_of_program(&self, cfa: &Cfa) -> EdgeId {
        let is_of_program = |e: &EdgeId| {
            let edge = &cfa.edges[*e];
            edge.span.line != 0 && !cfa.funcs[cfa.locs[edge.from].func].library
        };
        let path = self.steps.iter().rev().map(Entry::edge);
        [self.edge].into_iter().chain(path).find(is_of_program).unwrap_or(self.edge)
    }

    /// What is wrong, where, and whether it depends on inputs, in words.
    pub fn describe(&self, cfa: &Cfa) -> String {
        let place = cfa.place(cfa.edges[self.edge_of_program(cfa)].span);
        let is_told = |input: &InputEvent| {
            let op = &cfa.edges[input.edge].op;
            !matches!(op, Op::Input { kind: InputKind::Uninitialised | InputKind::Undefined | InputKind::Layout, .. })
        };
        let with = if self.inputs.iter().any(is_told) { " with these inputs" } else { "" };
        format!("{} at {place}{with}", self.kind)
    }
}

/// The fault at the end of `run`, if it ends at one. Its steps and what the environment handed over are `recorded`.
pub fn at_end(cfa: &Cfa, run: &Run, recorded: (Vec<Entry>, Vec<DeliveryEvent>)) -> Option<Fault> {
    let (steps, deliveries) = recorded;
    let (edge, kind) = kind(cfa, &run.end)?;
    let rests_on = rests_on(cfa, edge, &run.inputs);
    Some(Fault { edge, kind, inputs: run.inputs.clone(), deliveries, steps, rests_on })
}

/// The fault at the end of the run of `cfa` on `inputs`, if it ends at one.
pub fn of_inputs(cfa: &Cfa, inputs: InputVector, budget: Budget<'_>) -> Option<Fault> {
    let (mut source, mut recorder) = (inputs.inputs, Recorder::new(cfa));
    let limits = RunLimits { steps: u64::MAX, deadline: Some(budget.deadline) };
    let found = run(cfa, &mut source, limits, &mut |machine, edge| recorder.record(machine, edge));
    at_end(cfa, &found, recorder.finish())
}

/// The kind of the fault at which a run ends, and its edge; `None` if it ends otherwise.
pub fn kind(cfa: &Cfa, end: &End) -> Option<(EdgeId, FaultKind)> {
    match *end {
        End::InvalidAccess { edge, .. } => Some((edge, FaultKind::InvalidAccess)),
        End::GuardFailed(edge) => guarded(cfa, edge).map(|kind| (edge, kind)),
        _ => None,
    }
}

/// What the guard `e` excludes, if it is the program's fault.
fn guarded(cfa: &Cfa, e: EdgeId) -> Option<FaultKind> {
    let Op::Assume { cond, .. } = cfa.edges[e].op else { return None };
    let terms = &cfa.terms;
    let is_guard = |e: EdgeId| matches!(cfa.edges[e].op, Op::Assume { kind: AssumeKind::Guard, .. });
    // Several guards may stand before an edge.
    let mut next = cfa.out(cfa.edges[e].to).first().copied();
    while let Some(guard) = next.filter(|e| is_guard(*e)) {
        next = cfa.out(cfa.edges[guard].to).first().copied();
    }
    if next.is_some_and(|e| cfa.allocations.contains_key(&e)) || cfa.funcs[cfa.locs[cfa.edges[e].from].func].is_start()
    {
        return None;
    }
    if terms.as_bool(cond) == Some(false) {
        // Nothing comes after `unreachable`; other guards that never hold belong to an access that points to nothing.
        return Some(next.map_or(FaultKind::DeclaredUnreachable, |_| FaultKind::InvalidAccess));
    }
    let divides = |e: EdgeId| {
        let all = terms.subterms(&cfa.edges[e].op.terms(), |_| false);
        all.into_iter().any(|t| matches!(terms.kind(t), Kind::Bv(BvOp::Udiv | BvOp::Urem | BvOp::Sdiv | BvOp::Srem)))
    };
    if next.is_some_and(divides) {
        return Some(FaultKind::Division);
    }
    let is_zero = |t: Term| terms.as_bv(t).is_some_and(|value| value.is_zero());
    let is_pointer = |t: Term| terms.sort(t) == Sort::Bv(cfa.pointer_bits);
    let parts = terms.subterms(&[cond], |_| false);
    // What excludes faults is about operands, which are held in variables. Other conditions tell what an input may hold.
    if parts.iter().any(|t| matches!(terms.sort(*t), Sort::Array { .. })) {
        return None;
    }
    let about_null = parts.into_iter().any(|t| match (terms.kind(t), terms.args(t)) {
        (Kind::Eq, &[a, b]) => is_pointer(a) && (is_zero(a) || is_zero(b)),
        (Kind::Cmp(_), &[a, _]) => is_pointer(a) && terms.as_bv(a).is_some(),
        _ => false,
    });
    match terms.kind(cond) {
        _ if about_null => Some(FaultKind::Null),
        // Memory that became a variable is accessed elsewhere.
        Kind::Eq => Some(FaultKind::InvalidAccess),
        _ => None,
    }
}

/// An input that matters to whether `e` is executed, and on which values, and of which it is not known whether it may have its value.
fn rests_on(cfa: &Cfa, e: EdgeId, inputs: &[InputEvent]) -> Option<String> {
    let may_be_other = |input: &&InputEvent| match &cfa.edges[input.edge].op {
        Op::Input { kind: InputKind::Program(_), .. } => false,
        // What a pointer from outside points to is not modelled as an object.
        Op::Input { kind: InputKind::External(_), var } => cfa.vars[*var].sort == Sort::Bv(cfa.pointer_bits),
        Op::Input { kind: InputKind::Uninitialised, .. } => {
            let from = cfa.locs[cfa.edges[input.edge].from].func;
            !cfa.funcs[from].is_start()
        }
        _ => true,
    };
    let mut doubtful = inputs.iter().filter(may_be_other).peekable();
    doubtful.peek()?;
    let slice = slicer::slice(cfa, &[Criterion::acts(cfa, e)], &SliceOptions::default()).slice;
    let input = doubtful.find(|input| slice.kept.contains(input.edge.index()))?;
    let place = cfa.place(cfa.edges[input.edge].span);
    Some(match &cfa.edges[input.edge].op {
        Op::Input { kind: InputKind::External(f), .. } => format!("what {f}() returns at {place}"),
        Op::Input { kind: InputKind::Layout, .. } => format!("the order of addresses at {place}"),
        Op::Input { kind: InputKind::Uninitialised, .. } => format!("uninitialised memory at {place}"),
        _ => format!("a value that kerf does not know, at {place}"),
    })
}
