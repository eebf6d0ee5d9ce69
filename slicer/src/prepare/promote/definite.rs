//! Definite addresses: variables whose value is always the base of one object plus one constant.
//!
//! They are found by forward constant propagation over all assignments of a variable at once (optimistic, flow-insensitive).
//! An access through such an address needs no test that the address is what points-to analysis claims.

use cfa::bv::BvOp;
use cfa::term::{Kind, Term};
use cfa::{Cfa, Id, ObjectId, Op, VarId};

/// The lattice value of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Value {
    /// No assignment has been seen yet.
    Unset,
    /// Always this object's base plus this many bytes.
    At(ObjectId, i64),
    /// Anything.
    Any,
}

impl Value {
    fn join(self, other: Value) -> Value {
        match (self, other) {
            (Value::Unset, v) | (v, Value::Unset) => v,
            (a, b) if a == b => a,
            _ => Value::Any,
        }
    }
}

/// Variables with a definite address. For a site, it is the address of the latest instance made in the variable's activation.
pub(super) struct DefiniteAddresses {
    values: Vec<Value>,
}

impl DefiniteAddresses {
    /// Propagates over all assignments. Cost: linear in their size, since the value of a variable changes at most twice.
    pub(super) fn new(cfa: &Cfa) -> DefiniteAddresses {
        let mut found = DefiniteAddresses { values: vec![Value::Unset; cfa.vars.len()] };
        let mut assignments: Vec<(VarId, Term)> = Vec::new();
        for (e, edge) in cfa.edges.iter_enumerated() {
            let allocation = cfa.allocations.get(&e);
            match &edge.op {
                Op::Assign(list) => {
                    for &(v, t) in list {
                        match allocation {
                            Some(a) if a.var == v => found.lower(v, Value::At(a.object, 0)),
                            _ => {
                                assignments.push((v, t));
                                true
                            }
                        };
                    }
                }
                op => op.written().into_iter().for_each(|v| {
                    found.lower(v, Value::Any);
                }),
            }
        }
        // The assignments that use each variable.
        let mut users: Vec<Vec<u32>> = vec![Vec::new(); cfa.vars.len()];
        for (i, &(_, t)) in assignments.iter().enumerate() {
            for v in address_vars(cfa, t) {
                users[v.index()].push(i as u32);
            }
        }
        let mut work: Vec<u32> = (0..assignments.len() as u32).rev().collect();
        while let Some(i) = work.pop() {
            let (v, t) = assignments[i as usize];
            let value = found.value(cfa, t);
            if found.lower(v, value) {
                work.extend(&users[v.index()]);
            }
        }
        found
    }

    fn lower(&mut self, v: VarId, by: Value) -> bool {
        let joined = self.values[v.index()].join(by);
        std::mem::replace(&mut self.values[v.index()], joined) != joined
    }

    fn value(&self, cfa: &Cfa, t: Term) -> Value {
        match (cfa.terms.kind(t), cfa.terms.args(t)) {
            (Kind::Var(v), _) => self.values[v.index()],
            (Kind::Addr(o), _) => Value::At(o, 0),
            (Kind::Bv(BvOp::Add), &[x, k]) => match (cfa.terms.as_bv(k), self.value(cfa, x)) {
                (Some(_), Value::Unset) => Value::Unset,
                (Some(k), Value::At(o, at)) => {
                    let k = k.sext(64.max(k.width())).to_u64().map(|k| at.wrapping_add(k as i64));
                    k.map_or(Value::Any, |k| Value::At(o, k))
                }
                _ => Value::Any,
            },
            (Kind::Ite, &[_, a, b]) => self.value(cfa, a).join(self.value(cfa, b)),
            _ => Value::Any,
        }
    }

    /// The object and offset that `address` always has, if there are such.
    pub(super) fn of(&self, cfa: &Cfa, address: Term) -> Option<(ObjectId, i64)> {
        match self.value(cfa, address) {
            Value::At(o, k) => Some((o, k)),
            Value::Unset | Value::Any => None,
        }
    }
}

/// The variables whose values determine [`DefiniteAddresses::value`] of `t`.
fn address_vars(cfa: &Cfa, t: Term) -> Vec<VarId> {
    let mut stack = vec![t];
    let mut vars = Vec::new();
    while let Some(t) = stack.pop() {
        match (cfa.terms.kind(t), cfa.terms.args(t)) {
            (Kind::Var(v), _) => vars.push(v),
            (Kind::Bv(BvOp::Add), &[x, _]) => stack.push(x),
            (Kind::Ite, &[_, a, b]) => stack.extend([a, b]),
            _ => {}
        }
    }
    vars
}
