//! Steps of symbolic execution under a precision.
//!
//! A variable without a value is unknown. An operation that reads it gets a temporary symbol for it, which does not outlive the step: if
//! a value that is to be tracked depends on such a symbol, that value is a fresh symbol instead; and of a condition, only the conjuncts
//! that do not depend on it are kept. So no constraint mentions the value of an untracked variable, which would become stale at the next
//! assignment. A memory consists of many values: if something unknown is written into it, the other cells stay known.

use crate::cpa::precision::Precision;
use crate::cpa::{Cx, Step};
use crate::domains::symbolic::{State, SymbolicCpa};
use crate::program::Halt;
use cfa::term::Kind;
use cfa::{Op, SymId, Term, VarId};
use rustc_hash::FxHashSet;

impl SymbolicCpa {
    /// Applies an operation; `false` if it is a condition that cannot hold.
    pub(super) fn operate_tracked(
        &mut self,
        cx: &mut Cx<'_>,
        s: &mut State,
        step: &Step<'_>,
        op: &Op,
        pi: &Precision,
    ) -> Result<bool, Halt> {
        match (op, step.taken) {
            (Op::Assume { cond, .. }, checker::Step::Edge(e)) => self.assume(cx, s, *cond, pi.tracks_condition(e)),
            (Op::Assign(list), _) => {
                self.assign(cx, s, list, pi);
                Ok(true)
            }
            (Op::Input { var, .. }, _) if !pi.tracks(*var) => {
                forget(cx, s, *var);
                Ok(true)
            }
            _ => self.operate(cx, s, step, op),
        }
    }

    fn assume(&mut self, cx: &mut Cx<'_>, s: &mut State, cond: Term, tracked: bool) -> Result<bool, Halt> {
        let (cond, unknown) = self.over_symbols(cx, s, &[cond]);
        let cond = cond[0];
        if !tracked {
            let negated = cx.terms.not(cond);
            return Ok(cx.terms.as_bool(cond) != Some(false) && !s.constraints.contains(&negated));
        }
        let known = self.conjuncts_without(cx, cond, &unknown);
        self.constrain(cx, s, known)
    }

    fn assign(&mut self, cx: &mut Cx<'_>, s: &mut State, list: &[(VarId, Term)], pi: &Precision) {
        let cfa = cx.program.cfa.clone();
        let kept: Vec<(VarId, Term)> = list.iter().copied().filter(|(v, _)| pi.tracks(*v)).collect();
        let read: Vec<Term> = kept.iter().map(|(_, t)| *t).collect();
        let (values, unknown) = self.over_symbols(cx, s, &read);
        for (v, _) in list {
            forget(cx, s, *v);
        }
        for ((v, _), value) in kept.into_iter().zip(values) {
            let known = self.known(cx, value, &unknown, &cfa.vars[v].name);
            s.fresh |= known != value;
            s.env.set(&cfa, v, known);
        }
    }

    /// Evaluates terms over variables to terms over symbols; also returns the temporary symbols of this step, which represent unknown
    /// values.
    fn over_symbols(&mut self, cx: &mut Cx<'_>, s: &State, read: &[Term]) -> (Vec<Term>, FxHashSet<SymId>) {
        let cfa = cx.program.cfa.clone();
        let mut unknown = FxHashSet::default();
        let mut env = s.env.clone();
        for &t in read {
            for v in self.read_vars(cx, t).iter() {
                if env.get(&cfa, *v).is_none()
                    && let Kind::Sym(symbol) = {
                        let value = env.value(&cfa, &mut cx.terms, *v);
                        cx.terms.kind(value)
                    }
                {
                    unknown.insert(symbol);
                }
            }
        }
        let values = read.iter().map(|t| env.eval(&cfa, &mut cx.terms, *t)).collect();
        (values, unknown)
    }

    /// `t`, the value of a variable with this name, in which everything that depends on one of `unknown` is replaced by fresh symbols. For
    /// a write to a known address of a memory, this is done separately for the memory before the write and for the value written;
    /// otherwise the whole value is replaced.
    fn known(&mut self, cx: &mut Cx<'_>, t: Term, unknown: &FxHashSet<SymId>, name: &str) -> Term {
        if unknown.is_empty() || !self.depends(cx, t, unknown) {
            return t;
        }
        if cx.terms.kind(t) == Kind::Write
            && let [below, address, written] = *cx.terms.args(t)
            && !self.depends(cx, address, unknown)
        {
            let below = self.known(cx, below, unknown, name);
            let written = self.known(cx, written, unknown, name);
            return cx.terms.write(below, address, written);
        }
        let sort = cx.terms.sort(t);
        cx.terms.fresh(name, sort)
    }

    /// The conjunction of those conjuncts of `cond` that depend on none of `unknown`.
    fn conjuncts_without(&mut self, cx: &mut Cx<'_>, cond: Term, unknown: &FxHashSet<SymId>) -> Term {
        if unknown.is_empty() {
            return cond;
        }
        let (mut known, mut work) = (cx.terms.tt(), vec![cond]);
        while let Some(c) = work.pop() {
            if cx.terms.kind(c) == Kind::And {
                work.extend(cx.terms.args(c).to_vec());
            } else if !self.depends(cx, c, unknown) {
                known = cx.terms.and(known, c);
            }
        }
        known
    }

    fn depends(&mut self, cx: &Cx<'_>, t: Term, on: &FxHashSet<SymId>) -> bool {
        self.symbols.of(&cx.terms, t).iter().any(|s| on.contains(s))
    }
}

fn forget(cx: &Cx<'_>, s: &mut State, v: VarId) {
    if cx.program.cfa.is_local(v) {
        s.env.locals.remove(&v);
    } else {
        s.env.globals.remove(&v);
    }
}
