//! What an instruction needs to be executed, beyond what the semantics of its edges reads.
//!
//! Preparation may make an operand superfluous: a store through a pointer that can only point to one variable becomes an
//! assignment of that variable, which does not read the pointer. In the module, the store still needs the pointer. Therefore each
//! edge has *companions*: the edges that define the operands of its instruction. In a slice that is closed under companions,
//! every kept instruction computes with the same values as in the whole program.
//!
//! What a call passes is needed argument by argument if the callee is sliced, and as a whole otherwise (library functions,
//! undefined functions).

use super::index::Index;
use crate::ir::{AttributeLoc, Opcode, Value, ValueKind};
use crate::provenance::Construct;
use cfa::{EdgeId, Op, Origin, Sort, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

impl<'m> Index<'_, 'm> {
    /// The companions of all edges that have any.
    pub(super) fn companions(&self, traps: bool) -> FxHashMap<EdgeId, Vec<EdgeId>> {
        let mut all = FxHashMap::default();
        for e in self.cfa.edges.ids() {
            if self.cfa.edges[e].origin == Origin::NONE {
                continue;
            }
            let mut found = Vec::new();
            for v in self.uses(e) {
                self.definitions(v, &mut found);
            }
            self.call_parts(e, traps, &mut found);
            found.sort_unstable();
            found.dedup();
            found.retain(|x| *x != e);
            if !found.is_empty() {
                all.insert(e, found);
            }
        }
        all
    }

    /// The operands that the instruction of `e` needs if `e` is kept.
    pub(super) fn uses(&self, e: EdgeId) -> Vec<Value<'m>> {
        let edge = &self.cfa.edges[e];
        match self.construct(edge.origin) {
            None | Some(Construct::Parameter(_)) => Vec::new(),
            Some(Construct::Way { terminator, .. }) => {
                if matches!(edge.op, Op::Assume { .. }) {
                    condition(terminator)
                } else {
                    Vec::new()
                }
            }
            Some(Construct::Moves { from, to }) => {
                let phis = to.instructions().into_iter().take_while(|i| i.opcode() == Opcode::Phi);
                let users = phis.filter(|i| i.has_users());
                users.filter_map(|i| i.incoming().into_iter().find(|(_, b)| *b == from)).map(|(v, _)| v).collect()
            }
            Some(Construct::Instruction(inst)) if is_call(inst) && self.calls_bodies(inst) => self.call_uses(inst, e),
            Some(Construct::Instruction(inst)) if is_branch(inst) => condition(inst),
            Some(Construct::Instruction(inst)) => operands(inst),
        }
    }

    /// The operands that one edge of a call of functions with a body needs.
    fn call_uses(&self, inst: Value<'m>, e: EdgeId) -> Vec<Value<'m>> {
        let args = inst.call_args();
        let variadic = || args.iter().skip(inst.called_type().params().len()).copied().collect();
        match &self.cfa.edges[e].op {
            Op::Assign(list) => match list.first().map(|(v, _)| (*v, self.transfers.get(v))) {
                Some((_, Some(Some(i)))) => args.get(*i as usize).into_iter().copied().collect(),
                Some((_, Some(None))) => variadic(),
                // The area of the variadic arguments.
                Some((v, None)) if self.is_memory(v) => variadic(),
                _ => Vec::new(),
            },
            Op::Call(f) if self.is_of_program(*f) => {
                let whole = args.iter().enumerate().filter(|(i, _)| passes_memory(inst, *i as u32));
                whole.map(|(_, v)| *v).chain([inst.called()]).collect()
            }
            Op::Call(_) | Op::Unsupported(_) | Op::CallIndirect(_) => {
                args.iter().copied().chain([inst.called()]).collect()
            }
            Op::Assume { .. } => vec![inst.called()],
            Op::Skip | Op::Input { .. } => Vec::new(),
        }
    }

    /// Adds the other edges of the same construct without which `e` is meaningless.
    fn call_parts(&self, e: EdgeId, traps: bool, found: &mut Vec<EdgeId>) {
        let edge = &self.cfa.edges[e];
        let Some(Construct::Instruction(inst)) = self.construct(edge.origin) else {
            if let Some(Construct::Way { terminator, .. }) = self.construct(edge.origin)
                && terminator.opcode() == Opcode::IndirectBr
            {
                // An indirect branch must keep all its destinations.
                found.extend(self.ways(terminator).iter().filter_map(|(way, _)| self.test(*way)));
            }
            return;
        };
        if !is_call(inst) || !self.calls_bodies(inst) {
            return;
        }
        let is_transfer = |v: &VarId| self.transfers.contains_key(v);
        let needs_call = match &edge.op {
            Op::Call(_) => true,
            Op::Assign(list) => !list.iter().any(|(v, _)| is_transfer(v) || self.is_memory(*v)),
            _ => traps && self.is_guard(e),
        };
        if needs_call {
            found.extend(self.calls(inst));
        }
    }

    /// The call edges of an instruction.
    pub(super) fn calls(&self, inst: Value<'m>) -> impl Iterator<Item = EdgeId> {
        self.edges_of(inst).iter().copied().filter(|e| matches!(self.cfa.edges[*e].op, Op::Call(_)))
    }

    fn is_memory(&self, v: VarId) -> bool {
        matches!(self.cfa.vars[v].sort, Sort::Array { .. })
    }

    /// The edges that define a value: its own, or those of its operands if it is pure arithmetic without edges.
    fn definitions(&self, v: Value<'m>, found: &mut Vec<EdgeId>) {
        let mut seen = FxHashSet::default();
        let mut stack = vec![v];
        while let Some(v) = stack.pop() {
            if v.kind() == ValueKind::LLVMArgumentValueKind {
                found.extend(self.edges_of_parameter(v));
                continue;
            }
            if !v.is_instruction() || !seen.insert(v) {
                continue;
            }
            if v.opcode() == Opcode::Phi {
                let edges = self.moves(v.parent()).iter().flat_map(|(_, o)| self.edges(*o));
                found.extend(edges.filter(|e| !matches!(self.cfa.edges[**e].op, Op::Skip)));
                continue;
            }
            let before = found.len();
            self.own_definitions(v, found);
            if found.len() == before {
                stack.extend(operands(v));
            }
        }
    }

    fn own_definitions(&self, inst: Value<'m>, found: &mut Vec<EdgeId>) {
        let cfa = self.cfa;
        let acts = |e: &EdgeId| !matches!(cfa.edges[*e].op, Op::Skip);
        let edges = self.edges_of(inst).iter().copied().filter(acts);
        if inst.opcode() == Opcode::Alloca {
            found.extend(edges.filter(|e| cfa.allocations.contains_key(e)));
        } else if is_call(inst) && self.calls_bodies(inst) {
            let before = found.len();
            let holds = |v: &VarId| !self.transfers.contains_key(v) && !self.is_memory(*v);
            found.extend(edges.filter(|e| match &cfa.edges[*e].op {
                Op::Assign(list) => list.iter().all(|(v, _)| holds(v)),
                Op::Input { var, .. } => holds(var),
                _ => false,
            }));
            if found.len() == before {
                found.extend(self.calls(inst));
            }
        } else {
            found.extend(edges);
        }
    }
}

/// Whether an instruction is a call of any form.
pub(super) fn is_call(inst: Value) -> bool {
    matches!(inst.opcode(), Opcode::Call | Opcode::Invoke | Opcode::CallBr)
}

/// Whether an instruction chooses between successors.
pub(super) fn is_branch(inst: Value) -> bool {
    matches!(inst.opcode(), Opcode::Br | Opcode::Switch | Opcode::IndirectBr)
}

/// Whether argument `i` (from 0) is passed in memory or in a special register, so that the call needs it even if the callee does not.
pub(super) fn passes_memory(call: Value, i: u32) -> bool {
    ["byval", "sret", "inalloca", "preallocated", "nest", "swiftself", "swifterror", "swiftasync"]
        .iter()
        .any(|name| call.has_call_attribute(AttributeLoc::Param(i), name))
}

/// The operand on which a terminator branches.
fn condition(terminator: Value) -> Vec<Value> {
    match terminator.opcode() {
        Opcode::Br if terminator.is_conditional() => vec![terminator.condition()],
        Opcode::Switch | Opcode::IndirectBr => vec![terminator.operand(0)],
        _ => Vec::new(),
    }
}

/// The operands of an instruction that are local values of the function: instructions and parameters.
pub(super) fn operands(inst: Value) -> Vec<Value> {
    if is_branch(inst) {
        return condition(inst);
    }
    (0..inst.n_operands()).map(|i| inst.operand(i)).filter(|v| is_local(*v)).collect()
}

/// Whether a value is local to a function: an instruction or a parameter.
pub(super) fn is_local(v: Value) -> bool {
    v.kind() == ValueKind::LLVMArgumentValueKind || v.is_instruction()
}
