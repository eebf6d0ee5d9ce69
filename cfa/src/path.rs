//! Symbolic execution of operations: the strongest postcondition of an edge over an environment of terms.
//!
//! This is the only semantics of operations for formulas, shared by the searches, the reconstruction of counterexamples and
//! the certificate checker (the concrete semantics is `interpret`). Values are terms over symbols; a variable that has no
//! value yet gets a fresh symbol when it is read, since its value is arbitrary.

use crate::graph::{Cfa, Scope};
use crate::ids::VarId;
use crate::op::Op;
use crate::term::{Leaf, Term, Terms};
use imbl::OrdMap;
use rustc_hash::FxHashMap;

/// The values of variables: those of global scope and the locals of the running activation. Cheap to clone.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Env {
    /// The values of variables of global scope.
    pub globals: OrdMap<VarId, Term>,
    /// The values of the running activation's locals.
    pub locals: OrdMap<VarId, Term>,
}

/// The effect of an operation besides changing the environment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Control continues.
    Continue,
    /// Control continues where the term (a Bool over symbols) holds.
    Constrain(Term),
    /// The variable got this fresh symbol as an arbitrary value.
    Fresh(Term),
    /// Control moves to another function: the caller handles its stack.
    Call,
    /// Nothing is known after it.
    Unsupported,
}

impl Env {
    /// The value of `v`, if it has one.
    pub fn get(&self, cfa: &Cfa, v: VarId) -> Option<Term> {
        match cfa.vars[v].scope {
            Scope::Global => self.globals.get(&v).copied(),
            Scope::Local(_) => self.locals.get(&v).copied(),
        }
    }

    /// Sets the value of `v`.
    pub fn set(&mut self, cfa: &Cfa, v: VarId, value: Term) {
        match cfa.vars[v].scope {
            Scope::Global => self.globals.insert(v, value),
            Scope::Local(_) => self.locals.insert(v, value),
        };
    }

    /// The value of `v`; if it has none yet, a fresh symbol, which becomes its value.
    pub fn value(&mut self, cfa: &Cfa, terms: &mut Terms, v: VarId) -> Term {
        if let Some(t) = self.get(cfa, v) {
            return t;
        }
        let t = terms.fresh(&*cfa.vars[v].name, cfa.vars[v].sort);
        self.set(cfa, v, t);
        t
    }

    /// The term `t` over variables, as a term over symbols.
    pub fn eval(&mut self, cfa: &Cfa, terms: &mut Terms, t: Term) -> Term {
        match terms.kind(t) {
            crate::term::Kind::Var(v) => return self.value(cfa, terms, v),
            crate::term::Kind::Const(_) | crate::term::Kind::Bool(_) => return t,
            _ => {}
        }
        let mut done = FxHashMap::default();
        terms.substitute(t, &mut done, &mut |terms, leaf| match leaf {
            Leaf::Var(v) => Some(self.value(cfa, terms, v)),
            Leaf::Sym(_) | Leaf::Addr(_) => None,
        })
    }

    /// Applies `op`, whose terms must belong to `cfa`'s arena or its overlay `terms`.
    pub fn apply(&mut self, cfa: &Cfa, terms: &mut Terms, op: &Op) -> Effect {
        match op {
            Op::Skip => Effect::Continue,
            Op::Assign(list) => {
                if let [(v, t)] = **list {
                    let value = self.eval(cfa, terms, t);
                    self.set(cfa, v, value);
                } else {
                    let values: Vec<Term> = list.iter().map(|(_, t)| self.eval(cfa, terms, *t)).collect();
                    for ((v, _), value) in list.iter().zip(values) {
                        self.set(cfa, *v, value);
                    }
                }
                Effect::Continue
            }
            Op::Assume { cond, .. } => Effect::Constrain(self.eval(cfa, terms, *cond)),
            Op::Input { var, .. } => {
                let t = terms.fresh(&*cfa.vars[*var].name, cfa.vars[*var].sort);
                self.set(cfa, *var, t);
                Effect::Fresh(t)
            }
            Op::Call(_) => Effect::Call,
            Op::CallIndirect(_) | Op::Unsupported(_) => Effect::Unsupported,
        }
    }
}
