//! Unwinding with merging: one symbolic state per location and iteration, joined where paths meet.
//!
//! This is the engine of bounded model checking. The body of a function is executed in weak topological order; at joins, values become
//! if-then-else terms over the joined values (Clarke, Kroening, Lerda, TACAS 2004, do the same on formulas). Calls are executed in place.
//! Iterations whose continuation is decided by simplification (loops over constants) do not count towards the bound. With a loop
//! abstraction (`unwind/loop_abstraction`), loops are not unwound to the end, but executed from arbitrary states that satisfy their
//! invariants.

mod loop_abstraction;
pub mod model;

use crate::program::wto::Element;
use crate::program::{Budget, Halt, Program};
use cfa::path::{Effect, Env};
use cfa::{EdgeId, FuncId, Id, LocId, Op, Term, Terms, VarId};
use checker::{Frame, FrameId, Node, NodeId, Step, Successor, Window};
use imbl::OrdMap;
use imbl::ordmap::DiffItem;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// All executions that reach a location on the paths unwound so far; `guard` is the condition on the symbols under which there is one.
#[derive(Clone)]
struct State {
    guard: Term,
    env: Env,
    /// The nodes of the unwinding graph that lead here, each with the step taken.
    from: SmallVec<[(NodeId, Step); 2]>,
}

/// An arbitrary value that an edge read in the unwinding.
#[derive(Clone, Copy, Debug)]
pub struct InputInstance {
    /// The `Input` edge.
    pub edge: EdgeId,
    /// The condition under which this instance is executed.
    pub guard: Term,
    /// The symbol that represents the value.
    pub symbol: Term,
}

/// A place where the unwinding stopped.
#[derive(Clone, Debug)]
pub struct Cut {
    /// The condition under which an execution gets there.
    pub guard: Term,
    /// What comes after it.
    pub kind: CutKind,
}

/// What comes after a cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CutKind {
    /// A further iteration of the loop with this head.
    Iteration(LocId),
    /// A deeper call of this recursive function.
    Recursion(FuncId),
    /// A construct without a model.
    Unsupported(EdgeId),
}

/// The result of an unwinding.
#[derive(Default)]
pub struct Unwinding {
    /// The targets that are reached, each with the condition under which it is reached.
    pub targets: Vec<(LocId, Term)>,
    /// Where the unwinding stopped.
    pub cuts: Vec<Cut>,
    /// Arbitrary values, in an order that agrees with each single path.
    pub inputs: Vec<InputInstance>,
    /// Number of edges executed, counting each instance.
    pub steps: u64,
    /// The unwinding graph; if the unwinding is complete, it is the graph of a certificate.
    pub nodes: Vec<Node>,
    /// The stack frames of the nodes.
    pub frames: Vec<Frame>,
    /// The loops that were replaced by a loop abstraction.
    pub loops: Vec<AbstractLoop>,
    /// The arbitrary states in which loops begin that were replaced by a loop abstraction.
    pub arbitrary: Vec<Arbitrary>,
    /// Conditions under which an execution was replaced by an over-approximation: an arbitrary state that satisfies invariants or a
    /// contract.
    pub inexact: Vec<Term>,
}

/// A loop of the unwinding graph whose iterations are abstracted.
#[derive(Clone, Debug)]
pub struct AbstractLoop {
    /// The node at which the loop is entered.
    pub node: NodeId,
    /// The loop head.
    pub head: LocId,
    /// The copies around the iteration that is checked, if there are any.
    pub window: Option<Window>,
}

/// An arbitrary state at the head of a loop that satisfies its invariants.
pub struct Arbitrary {
    /// The loop head.
    pub head: LocId,
    /// The values there.
    pub env: Env,
    /// The condition under which an execution begins there.
    pub guard: Term,
}

/// Decides during unwinding whether a state is reachable at all, in order to stop early.
pub trait Feasibility {
    /// Returns `false` only if no values of the symbols satisfy `guard`.
    fn may_hold(&mut self, terms: &mut Terms, guard: Term) -> bool;
}

/// Excludes no state.
pub struct NoPruning;

impl Feasibility for NoPruning {
    fn may_hold(&mut self, _: &mut Terms, _: Term) -> bool {
        true
    }
}

/// Replaces loops by invariants, and calls by contracts. With an abstraction, each loop is executed once, from arbitrary states that
/// satisfy its invariants; for k-induction, this is preceded by the number of iterations that the abstraction asks for.
pub trait Abstraction {
    /// The number of iterations of the induction (k, at least 1) for a loop inside `nesting` other loops, including those of callers.
    fn iterations(&self, nesting: u32) -> u32;
    /// Records that `env` arrives at the loop head `head` under `guard`, from outside or around the loop.
    fn arrive(&mut self, program: &Program, terms: &mut Terms, head: LocId, env: &mut Env, guard: Term);
    /// `guard` in conjunction with what may be assumed about `env` at the head. The variables in `env` that the loop writes have fresh
    /// values.
    fn assume(&mut self, program: &Program, terms: &mut Terms, head: LocId, env: &mut Env, guard: Term) -> Term;
    /// Whether calls of `func` are replaced by its contract.
    fn has_contract(&self, func: FuncId) -> bool;
    /// Changes `env` from the state before a call of `func`, under `guard`, to the one after it. Returns what may be assumed there.
    fn pass_over(&mut self, program: &Program, terms: &mut Terms, func: FuncId, env: &mut Env, guard: Term) -> Term;
}

/// Limits of one unwinding.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Maximum number of iterations of a loop, and of activations of a recursive function, whose continuation depends on symbols.
    pub counted: u32,
    /// Maximum number of iterations and activations that are decided by constants.
    pub free: u32,
}

/// What is unwound, and how.
pub struct Unwind<'a> {
    /// The program.
    pub program: &'a Program,
    /// Where terms are created: an overlay over the program's.
    pub terms: &'a mut Terms,
    /// Limits on loops and recursion.
    pub bounds: Bounds,
    /// Limits on time.
    pub budget: Budget<'a>,
    /// Excludes states that are not reachable.
    pub feasibility: &'a mut dyn Feasibility,
    /// What loops and calls are replaced by; without it, they are executed up to the bounds.
    pub loops: Option<&'a mut dyn Abstraction>,
}

impl<'a> Unwind<'a> {
    /// Unwinds the program from its entry.
    ///
    /// Errors: `OutOfTime`.
    pub fn program(self) -> Result<Unwinding, Halt> {
        let (start, guard) = (self.program.cfa.entry, self.terms.tt());
        let mut unwinder = Unwinder::new(self, Unwinding::default());
        unwinder.activation(start, Env::default(), guard)?;
        Ok(unwinder.found)
    }

    /// Unwinds one activation of `func` that begins in `env` under `guard`, independent of the caller, as needed for the contract of
    /// `func`. The result is appended to `found`, with its nodes after the existing ones. Returns the state at the exit, if some
    /// execution gets there.
    ///
    /// Errors: `OutOfTime`; `found` then has what was unwound until then.
    pub fn activation(
        self,
        func: FuncId,
        env: Env,
        guard: Term,
        found: &mut Unwinding,
    ) -> Result<Option<(Env, Term)>, Halt> {
        let mut unwinder = Unwinder::new(self, std::mem::take(found));
        let end = unwinder.activation(func, env, guard);
        *found = unwinder.found;
        end
    }
}

/// A running activation of a function.
struct Activation {
    func: FuncId,
    guard: Term,
    counted: u32,
    depth: u32,
}

struct Unwinder<'a> {
    program: &'a Program,
    terms: &'a mut Terms,
    bounds: Bounds,
    budget: Budget<'a>,
    feasibility: &'a mut dyn Feasibility,
    loops: Option<&'a mut dyn Abstraction>,
    found: Unwinding,
    active: Vec<Activation>,
    /// The number of abstracted loops around the current place.
    nesting: u32,
    /// How many of them are in an iteration that is assumed to continue.
    assumed: u32,
}

/// States that wait at the locations of one activation.
#[derive(Default)]
struct Pending {
    stack: Option<FrameId>,
    states: FxHashMap<LocId, State>,
    /// The components being repeated, outermost first, with the number of exits that constants ruled out.
    repeating: Vec<(Arc<FxHashSet<LocId>>, u64)>,
    /// The components in an iteration that is assumed to continue: states that leave one of them are dropped.
    assumed: Vec<Arc<FxHashSet<LocId>>>,
}

impl<'a> Unwinder<'a> {
    fn new(how: Unwind<'a>, found: Unwinding) -> Unwinder<'a> {
        let Unwind { program, terms, bounds, budget, feasibility, loops } = how;
        let active = Vec::new();
        Unwinder { program, terms, bounds, budget, feasibility, loops, found, active, nesting: 0, assumed: 0 }
    }

    /// Executes an activation without known callers; returns its state at the exit.
    fn activation(&mut self, func: FuncId, env: Env, guard: Term) -> Result<Option<(Env, Term)>, Halt> {
        let Some(end) = self.function(func, State { guard, env, from: SmallVec::new() }, None)? else {
            return Ok(None);
        };
        self.node(self.program.exit_of(func), None, &end);
        Ok(Some((end.env, end.guard)))
    }

    /// Executes a function from `state`; returns the state at its exit, unless no execution gets there.
    fn function(&mut self, func: FuncId, state: State, stack: Option<FrameId>) -> Result<Option<State>, Halt> {
        if self.program.recursive.contains(func.index()) {
            let last = self.active.iter().rev().find(|a| a.func == func);
            let (counted, depth) = match last {
                None => (0, 0),
                Some(a) => (a.counted + u32::from(a.guard != state.guard), a.depth + 1),
            };
            if counted > self.bounds.counted || depth > self.bounds.free {
                self.cut(state.guard, CutKind::Recursion(func));
                return Ok(None);
            }
            if counted > 0 && !self.feasibility.may_hold(self.terms, state.guard) {
                return Ok(None);
            }
            self.active.push(Activation { func, guard: state.guard, counted, depth });
        }
        let order = self.program.order(func);
        let mut pending = Pending { stack, ..Pending::default() };
        pending.states.insert(self.program.entry_of(func), state);
        self.elements(&order, &mut pending)?;
        if self.program.recursive.contains(func.index()) {
            self.active.pop();
        }
        Ok(pending.states.remove(&self.program.exit_of(func)))
    }

    fn cut(&mut self, guard: Term, kind: CutKind) {
        self.found.cuts.push(Cut { guard, kind });
    }

    fn elements(&mut self, elements: &[Element], pending: &mut Pending) -> Result<(), Halt> {
        for element in elements {
            match element {
                Element::Location(l) => self.location(*l, pending)?,
                Element::Component(head, body) => self.component(*head, body, pending)?,
            }
        }
        Ok(())
    }

    /// Repeats a component until no state is left in it, or a bound is reached.
    fn component(&mut self, head: LocId, body: &[Element], pending: &mut Pending) -> Result<(), Halt> {
        let inside = self.program.component_of(head);
        if self.loops.is_some() {
            return self.abstract_loop(head, body, inside, pending);
        }
        let (mut counted, mut total) = (0, 0);
        pending.repeating.push((inside.clone(), 0));
        while inside.iter().any(|l| pending.states.contains_key(l)) {
            if counted > self.bounds.counted || total > self.bounds.free {
                let mut left: Vec<LocId> = inside.iter().copied().filter(|l| pending.states.contains_key(l)).collect();
                left.sort_unstable();
                for l in left {
                    let state = pending.states.remove(&l).expect("filtered");
                    self.cut(state.guard, CutKind::Iteration(head));
                }
                break;
            }
            let guard = pending.states.get(&head).map(|s| s.guard);
            if counted > 1
                && let Some(guard) = guard
                && !self.feasibility.may_hold(self.terms, guard)
            {
                pending.states.remove(&head);
                continue;
            }
            let ruled_out = pending.repeating.last().map(|r| r.1);
            self.location(head, pending)?;
            self.elements(body, pending)?;
            // An iteration is free if constants decided that the loop continues: an exit was ruled out, and no execution branched off.
            let next = pending.states.get(&head).map(|s| s.guard);
            let free = next.is_some() && next == guard && pending.repeating.last().map(|r| r.1) > ruled_out;
            counted += u32::from(!free);
            total += 1;
        }
        pending.repeating.pop();
        Ok(())
    }

    /// Executes all edges from the state at `l`.
    fn location(&mut self, l: LocId, pending: &mut Pending) -> Result<(), Halt> {
        let program = self.program;
        if l == program.exit_of(program.cfa.locs[l].func) {
            // The caller handles a state at the exit.
            return Ok(());
        }
        let Some(state) = pending.states.remove(&l) else { return Ok(()) };
        let node = self.node(l, pending.stack, &state);
        if program.is_target(l) {
            if self.assumed == 0 {
                self.found.targets.push((l, state.guard));
            }
            return Ok(());
        }
        self.leave(l, node, state, pending)
    }

    /// Executes all edges that leave `l` from `state`, which belongs to `node` of the graph.
    fn leave(&mut self, l: LocId, node: NodeId, state: State, pending: &mut Pending) -> Result<(), Halt> {
        let program = self.program;
        let out = program.view.out(l);
        if out.is_empty() {
            return Ok(());
        }
        let exclusive = program.is_deterministic(l);
        // Values that conditions read are fixed before control branches, so that both sides mention the same values.
        let mut state = state;
        for e in out {
            if let Op::Assume { cond, .. } = program.op(e) {
                state.env.eval(&program.cfa, self.terms, *cond);
            }
        }
        let mut rest = state.guard;
        let last = out.len() - 1;
        for (i, e) in out.iter().enumerate() {
            self.found.steps += 1;
            if self.found.steps.is_multiple_of(256) {
                self.budget.check()?;
            }
            let mut next =
                State { guard: state.guard, env: state.env.clone(), from: smallvec![(node, Step::Edge(e.edge))] };
            if !exclusive {
                // Nondeterministic control: a fresh choice for all but the last edge keeps the guards apart.
                if i < last {
                    let choice = self.terms.fresh("choice", cfa::Sort::Bool);
                    next.guard = self.terms.and(rest, choice);
                    let other = self.terms.not(choice);
                    rest = self.terms.and(rest, other);
                } else {
                    next.guard = rest;
                }
            }
            let op = program.op(e);
            match next.env.apply(&program.cfa, self.terms, op) {
                Effect::Continue => {}
                Effect::Constrain(cond) => {
                    if self.terms.as_bool(cond) == Some(false) {
                        for (inside, ruled_out) in &mut pending.repeating {
                            *ruled_out += u64::from(!inside.contains(&e.to));
                        }
                        continue;
                    }
                    next.guard = self.terms.and(next.guard, cond);
                    if self.terms.as_bool(next.guard) == Some(false) {
                        continue;
                    }
                }
                Effect::Fresh(symbol) => {
                    self.found.inputs.push(InputInstance { edge: e.edge, guard: next.guard, symbol });
                }
                Effect::Call => {
                    let Op::Call(f) = op else { unreachable!("only calls have this effect") };
                    if let Some(loops) = self.loops.as_deref_mut().filter(|loops| loops.has_contract(*f)) {
                        self.found.inexact.push(next.guard);
                        let assumed = loops.pass_over(program, self.terms, *f, &mut next.env, next.guard);
                        next.guard = self.terms.and(next.guard, assumed);
                        self.arrive(e.to, next, pending);
                        continue;
                    }
                    let caller = std::mem::take(&mut next.env.locals);
                    self.found.frames.push(Frame { return_to: e.to, below: pending.stack });
                    let stack = Some(self.found.frames.len() as FrameId - 1);
                    let Some(exit) = self.function(*f, next, stack)? else { continue };
                    let left = self.node(program.exit_of(*f), stack, &exit);
                    next = State {
                        env: Env { locals: caller, ..exit.env },
                        from: smallvec![(left, Step::Return)],
                        ..exit
                    };
                }
                Effect::Unsupported => {
                    if self.assumed == 0 {
                        self.cut(next.guard, CutKind::Unsupported(e.edge));
                    }
                    continue;
                }
            }
            self.arrive(e.to, next, pending);
        }
        Ok(())
    }

    /// Records a node of the unwinding graph with the steps that lead to it.
    fn node(&mut self, loc: LocId, stack: Option<FrameId>, state: &State) -> NodeId {
        let id = self.found.nodes.len() as NodeId;
        for &(from, step) in &state.from {
            self.found.nodes[from as usize].successors.push(Successor::new(step, id));
        }
        self.found.nodes.push(Node { loc, stack, label: None, repeats: None, successors: Vec::new() });
        id
    }

    fn arrive(&mut self, l: LocId, state: State, pending: &mut Pending) {
        if pending.assumed.iter().any(|inside| !inside.contains(&l)) {
            return;
        }
        match pending.states.remove(&l) {
            None => {
                pending.states.insert(l, state);
            }
            Some(there) => {
                let merged = self.join(l, there, state);
                pending.states.insert(l, merged);
            }
        }
    }

    /// The join of two states that have no execution in common.
    fn join(&mut self, l: LocId, mut a: State, b: State) -> State {
        let select = self.selector(a.guard, b.guard);
        let guard = self.terms.or(a.guard, b.guard);
        let globals = self.join_values(l, select, &a.env.globals, b.env.globals);
        let locals = self.join_values(l, select, &a.env.locals, b.env.locals);
        a.from.extend(b.from);
        State { guard, env: Env { globals, locals }, from: a.from }
    }

    /// A condition that distinguishes the executions of `a` from those of `b`: what follows the common part of their guards, if there is
    /// one.
    fn selector(&mut self, a: Term, b: Term) -> Term {
        use cfa::term::Kind::And;
        if self.terms.kind(a) == And && self.terms.kind(b) == And {
            let ([a0, a1], [b0, b1]) =
                ([self.terms.args(a)[0], self.terms.args(a)[1]], [self.terms.args(b)[0], self.terms.args(b)[1]]);
            for (g, x, h) in [(a0, a1, b0), (a0, a1, b1), (a1, a0, b0), (a1, a0, b1)] {
                let rest = if h == b0 { b1 } else { b0 };
                if g == h && self.terms.not(x) == rest {
                    return x;
                }
            }
        }
        a
    }

    fn join_values(
        &mut self,
        l: LocId,
        select: Term,
        a: &OrdMap<VarId, Term>,
        b: OrdMap<VarId, Term>,
    ) -> OrdMap<VarId, Term> {
        let differing: Vec<(VarId, Option<Term>, Option<Term>)> = a
            .diff(&b)
            .map(|d| match d {
                DiffItem::Add(v, y) => (*v, None, Some(*y)),
                DiffItem::Remove(v, x) => (*v, Some(*x), None),
                DiffItem::Update { old, new } => (*old.0, Some(*old.1), Some(*new.1)),
            })
            .collect();
        let mut joined = b;
        for (v, x, y) in differing {
            if !self.program.liveness.is_live(l, v) {
                joined.remove(&v);
                continue;
            }
            // A variable without a value on one side is arbitrary there.
            let var = &self.program.cfa.vars[v];
            let mut value = |t: Option<Term>| t.unwrap_or_else(|| self.terms.fresh(&*var.name, var.sort));
            let (x, y) = (value(x), value(y));
            let both = self.terms.ite(select, x, y);
            joined.insert(v, both);
        }
        joined
    }
}
