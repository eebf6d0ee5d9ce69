//! `setjmp` and `longjmp` [ISO C 7.13].
//!
//! The graph has no edges from one function into another but calls and returns, so a jump becomes returns. `longjmp` notes in variables of
//! the program that a jump is under way, and leads out of its function. After each call of a function that a jump may leave, a test leads
//! on: to the call of `setjmp` that the jump is for, if this activation made it, and otherwise out of the caller, too.
//!
//! `setjmp` stores a token in the buffer and notes it in its activation. A function that has only one activation at a time has a constant
//! token for each of its calls of `setjmp`, so that programs with finitely many states keep finitely many; the address of the buffer tells
//! calls for several buffers apart. In recursive functions, each execution of `setjmp` has a token of its own. A jump that no activation
//! takes is undefined in C, and unsupported here.

use super::body::Body;
use super::call::CallSite;
use super::{Lowered, Lowering, Vals};
use crate::builtin::Builtin;
use crate::ir::{Block, Opcode, Value};
use crate::provenance::is_mark;
use crate::resolve::Callee;
use cfa::{Assumed, EdgeId, FuncId, LocId, ObjectKind, Op, Origin, Scope, Sort, Span, Term, Unsupported, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::smallvec;

/// The width of `int`, which `setjmp` returns, in bits.
const INT_BITS: u32 = 32;

/// The first token of those that are given in the order of executions; lower ones are constants.
const FIRST_DRAWN: u64 = 1 << 24;

/// The jumps of a program.
#[derive(Default)]
pub(crate) struct Jumps {
    variables: Option<Variables>,
    /// The calls of `setjmp`, by function.
    landings: FxHashMap<FuncId, Vec<Landing>>,
    /// For each function that a jump may leave, the location to which the jump leads in it.
    leaving: FxHashMap<FuncId, LocId>,
    /// Number of constant tokens in use.
    tokens: u64,
    /// The position of a call of `longjmp`.
    from: Span,
}

/// The variables that describe the jump under way.
#[derive(Clone, Copy)]
struct Variables {
    /// Whether there is one, in one bit.
    under_way: VarId,
    /// The token of the call of `setjmp` that it is for.
    token: VarId,
    /// The address of its buffer.
    buffer: VarId,
    /// What that call is to return.
    value: VarId,
    /// The last token that was given in the order of executions.
    drawn: VarId,
}

/// What an activation knows of one of its calls of `setjmp`.
#[derive(Clone, Copy)]
pub(crate) struct Armed {
    /// Its token; 0 before it is executed.
    token: VarId,
    /// The address of its buffer.
    buffer: VarId,
}

/// Where a jump may end.
struct Landing {
    armed: Armed,
    /// Whether the token alone says which activation is meant.
    is_unique: bool,
    /// Whether C leaves a variable without a value that is read after a jump.
    loses_variables: bool,
    /// The variable of the result of `setjmp`.
    result: VarId,
    /// The location after the call.
    at: LocId,
    span: Span,
    origin: Origin,
}

impl Lowering<'_, '_> {
    fn jump_variables(&mut self) -> Variables {
        if let Some(known) = self.jumps.variables {
            return known;
        }
        let word = self.layout.pointer_bits;
        let mut new = |name: &str, bits| self.new_var(format!("jump.{name}"), Sort::Bv(bits), Scope::Global);
        let variables = Variables {
            under_way: new("under-way", 1),
            token: new("token", word),
            buffer: new("buffer", word),
            value: new("value", INT_BITS),
            drawn: new("drawn", word),
        };
        self.jumps.variables = Some(variables);
        variables
    }

    /// What the variables of jumps hold before the program runs.
    pub(super) fn initial_jump(&mut self) -> Vec<(VarId, Term)> {
        let Some(variables) = self.jumps.variables else { return Vec::new() };
        let (no, first) = (self.cfa.terms.int(1, 0), self.cfa.terms.int(self.layout.pointer_bits, FIRST_DRAWN));
        vec![(variables.under_way, no), (variables.drawn, first)]
    }

    /// The location to which jumps out of `f` lead.
    fn leaving(&mut self, f: FuncId) -> LocId {
        if let Some(&at) = self.jumps.leaving.get(&f) {
            return at;
        }
        let at = self.new_loc(f);
        self.jumps.leaving.insert(f, at);
        at
    }

    /// Adds the tests after calls and the ends of jumps, once all functions are lowered.
    pub(super) fn lead_jumps(&mut self) {
        if self.jumps.leaving.is_empty() {
            return;
        }
        let variables = self.jump_variables();
        for e in self.left_calls() {
            self.test_after(e, variables);
        }
        let mut landings = std::mem::take(&mut self.jumps.landings);
        let mut leaving: Vec<(FuncId, LocId)> = self.jumps.leaving.iter().map(|(f, at)| (*f, *at)).collect();
        leaving.sort_unstable();
        for (f, at) in leaving {
            self.land(f, at, &landings.remove(&f).unwrap_or_default(), variables);
        }
    }

    /// The calls that a jump may end, in ascending order: those of functions that call `longjmp`, or make such a call.
    fn left_calls(&mut self) -> Vec<EdgeId> {
        let mut callers: FxHashMap<FuncId, Vec<EdgeId>> = FxHashMap::default();
        let mut indirect = Vec::new();
        for (e, edge) in self.cfa.edges.iter_enumerated() {
            match &edge.op {
                Op::Call(f) => callers.entry(*f).or_default().push(e),
                Op::CallIndirect(_) => indirect.push(e),
                _ => {}
            }
        }
        let taken: FxHashSet<FuncId> = self
            .cfa
            .objects
            .iter()
            .filter_map(|object| match object.kind {
                ObjectKind::Function(f) => Some(f),
                _ => None,
            })
            .collect();
        let mut found = Vec::new();
        let mut open: Vec<FuncId> = self.jumps.leaving.keys().copied().collect();
        while let Some(f) = open.pop() {
            let mut calls = callers.remove(&f).unwrap_or_default();
            if taken.contains(&f) {
                calls.append(&mut indirect);
            }
            for e in calls {
                let caller = self.cfa.locs[self.cfa.edges[e].from].func;
                if !self.jumps.leaving.contains_key(&caller) {
                    self.leaving(caller);
                    open.push(caller);
                }
                found.push(e);
            }
        }
        found.sort_unstable();
        found
    }

    /// After the call `call`, leads a jump that is under way out of the caller.
    fn test_after(&mut self, call: EdgeId, variables: Variables) {
        let (to, span, origin) = {
            let edge = &self.cfa.edges[call];
            (edge.to, edge.span, edge.origin)
        };
        let caller = self.cfa.locs[to].func;
        let (returned, leaving) = (self.new_loc(caller), self.leaving(caller));
        self.cfa.locs[to].into.retain(|e| *e != call);
        self.cfa.edges[call].to = returned;
        self.cfa.locs[returned].into.push(call);
        let under_way = self.cfa.var_term(variables.under_way);
        let jumps = self.cfa.terms.nonzero(under_way);
        let goes_on = self.cfa.terms.not(jumps);
        for (to, cond) in [(to, goes_on), (leaving, jumps)] {
            let e = self.cfa.add_edge(returned, to, Op::branch(cond), span);
            self.cfa.edges[e].origin = origin;
        }
    }

    /// From `at`, leads a jump in `f` to the call of `setjmp` that it is for, or out of the function.
    fn land(&mut self, f: FuncId, mut at: LocId, landings: &[Landing], variables: Variables) {
        let [token, buffer, value] = [variables.token, variables.buffer, variables.value].map(|v| self.cfa.var_term(v));
        for landing in landings {
            let [own, place] = [landing.armed.token, landing.armed.buffer].map(|v| self.cfa.var_term(v));
            let terms = &mut self.cfa.terms;
            let mut is_meant = terms.eq(token, own);
            if !landing.is_unique {
                let is_same = terms.eq(buffer, place);
                is_meant = terms.and(is_meant, is_same);
            }
            let (other, none) = (terms.not(is_meant), terms.int(1, 0));
            let (met, next) = (self.new_loc(f), self.new_loc(f));
            let arrives = Op::Assign(Box::new([(variables.under_way, none), (landing.result, value)]));
            let edges = [(at, met, Op::branch(is_meant)), (at, next, Op::branch(other)), (met, landing.at, arrives)];
            let [.., arrival] = edges.map(|(from, to, op)| {
                let e = self.cfa.add_edge(from, to, op, landing.span);
                self.cfa.edges[e].origin = landing.origin;
                e
            });
            if landing.loses_variables {
                self.assume_where(arrival, Assumed::JumpsKeepVariables);
            }
            at = next;
        }
        let (exit, span) = (self.cfa.funcs[f].exit, self.cfa.funcs[f].span);
        if self.cfa.funcs[f].is_start() {
            let reason = "a jump to a call of setjmp whose function has returned, or to none".to_string();
            *self.statistics.unsupported.entry(reason.clone()).or_default() += 1;
            let place = self.jumps.from;
            let nowhere = Unsupported { may_call: false, ..Unsupported::opaque(reason) };
            self.cfa.add_edge(at, exit, Op::Unsupported(Box::new(nowhere)), place);
        } else {
            self.cfa.add_edge(at, exit, Op::Skip, span);
        }
    }
}

impl<'m> Body<'_, '_, 'm> {
    /// Prepares the calls of `setjmp` in the function, at its entry.
    pub(super) fn arm_jumps(&mut self, order: &[Block<'m>]) {
        let mut calls = Vec::new();
        for inst in order.iter().flat_map(|block| block.instructions()).filter(|i| i.opcode() == Opcode::Call) {
            let callee = inst.called().stripped();
            if callee.is_function() && self.cx.resolver.callee(callee) == Callee::Builtin(Builtin::SetJump) {
                calls.push(inst);
            }
        }
        let zero = self.word(0);
        for inst in calls {
            let (token, _) = self.assign_new("setjmp.token", zero);
            let (buffer, _) = self.assign_new("setjmp.buffer", zero);
            self.armed.insert(inst, Armed { token, buffer });
        }
    }

    /// `setjmp(buffer)`: returns 0, and later what jumps to it pass.
    pub(super) fn set_jump(&mut self, call: &CallSite<'m>) -> Lowered<Vals> {
        let armed =
            call.inst.and_then(|inst| self.armed.get(&inst)).copied().ok_or("setjmp, called through a pointer")?;
        let buffer = call.arg(0)?;
        self.guard_not_null(buffer);
        let token = if self.recursive {
            let drawn = self.cx.jump_variables().drawn;
            let last = self.cx.cfa.var_term(drawn);
            let next = self.terms().add_int(last, 1);
            self.emit(Op::assign(drawn, next));
            last
        } else {
            self.cx.jumps.tokens += 1;
            let token = self.cx.jumps.tokens;
            self.word(token)
        };
        self.emit(Op::Assign(Box::new([(armed.token, token), (armed.buffer, buffer)])));
        let (mem, token) = (self.mem(), self.cx.cfa.var_term(armed.token));
        let stored = self.terms().write(mem, buffer, token);
        let e = self.set_mem(stored);
        self.cx.cfa.external_calls.insert(e, call.name.clone());
        let result = self.result_var("setjmp", INT_BITS);
        let zero = self.terms().int(INT_BITS, 0);
        self.emit(Op::assign(result, zero));
        self.heads.insert(self.at);
        let landing = Landing {
            armed,
            is_unique: self.recursive,
            loses_variables: call.inst.is_none_or(loses_variables),
            result,
            at: self.at,
            span: self.span,
            origin: self.origin,
        };
        self.cx.jumps.landings.entry(self.func).or_default().push(landing);
        Ok(smallvec![self.cx.cfa.var_term(result)])
    }

    /// `longjmp(buffer, value)`.
    pub(super) fn long_jump(&mut self, call: &CallSite<'m>) -> Lowered<Vals> {
        let (buffer, value) = (call.arg(0)?, call.arg(1)?);
        self.guard_not_null(buffer);
        let (mem, word) = (self.mem(), self.cx.pointer_bits());
        let terms = self.terms();
        let token = terms.read(mem, buffer, word);
        let (value, one, yes) = (terms.resize(INT_BITS, value), terms.int(INT_BITS, 1), terms.int(1, 1));
        let some = terms.nonzero(value);
        let value = terms.ite(some, value, one);
        let variables = self.cx.jump_variables();
        let e = self.emit(Op::Assign(Box::new([
            (variables.under_way, yes),
            (variables.token, token),
            (variables.buffer, buffer),
            (variables.value, value),
        ])));
        self.cx.cfa.external_calls.insert(e, call.name.clone());
        self.cx.jumps.from = self.span;
        let out = self.cx.leaving(self.func);
        self.leave(out);
        Ok(Vals::new())
    }
}

/// Whether a jump to the call `armed` of `setjmp` may leave a variable of its function without a value: one that is not volatile, has changed
/// since, and is read before it is set again [ISO C 7.13.2.1, paragraph 3].
fn loses_variables(armed: Value) -> bool {
    let mut later: FxHashSet<Block> = FxHashSet::default();
    let mut open = vec![armed.parent()];
    while let Some(block) = open.pop() {
        open.extend(block.successors().into_iter().filter(|next| later.insert(*next)));
    }
    // A block that is left before it begins again: its phi nodes may change in between.
    if later.contains(&armed.parent()) && later.iter().any(|block| block.begins_with_phi()) {
        return true;
    }
    later.insert(armed.parent());
    let buffer = armed.call_args().first().map(|v| v.stripped());
    let slots = armed.parent().function().blocks().into_iter().flat_map(|block| block.instructions());
    slots.filter(|inst| inst.opcode() == Opcode::Alloca && Some(*inst) != buffer).any(|slot| {
        let changes = |user: &Value| !is_mark(*user) && user.opcode() != Opcode::Load && later.contains(&user.parent());
        slot.users().iter().any(changes) && is_read_after(slot, armed)
    })
}

/// Whether the variable `slot` may be read after `from` before it is set.
fn is_read_after<'m>(slot: Value<'m>, from: Value<'m>) -> bool {
    let mut seen: FxHashSet<Block> = FxHashSet::default();
    let mut open = vec![from.next()];
    while let Some(mut next) = open.pop() {
        while let Some(inst) = next {
            next = inst.next();
            if is_mark(inst) || !(0..inst.n_operands()).any(|i| inst.operand(i) == slot) {
                if next.is_none() {
                    let ways = inst.parent().successors().into_iter().filter(|to| seen.insert(*to));
                    open.extend(ways.map(|to| to.instructions().first().copied()));
                }
                continue;
            }
            match inst.opcode() {
                Opcode::Store if inst.operand(1) == slot && inst.operand(0) != slot => break,
                Opcode::Load if inst.is_volatile_load() => {}
                _ => return true,
            }
        }
    }
    false
}
