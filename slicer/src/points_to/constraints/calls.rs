//! Indirect calls: a call of an address calls the functions that arrive there, and where it may call something unknown, those that it may
//! be equal to.

use crate::points_to::constraints::{CARRYING_BITS, Constraints};
use crate::points_to::solver::Solver;
use cfa::pointers::refuted_targets;
use cfa::term::{Kind, Sort, Term};
use cfa::{Cfa, EdgeId, FuncId, Id, ObjectId, ObjectKind, Op};

/// Maximum number of functions that the program compares addresses with and that a call of an unknown address calls.
const COMPARED_CALLEES: usize = 8;

impl<S: Solver> Constraints<'_, S> {
    /// Handles an object that arrived at the target of an indirect call.
    pub(super) fn arrive(&mut self, e: EdgeId, o: ObjectId) {
        let f = match self.cfa.objects[o].kind {
            ObjectKind::Function(f) => f,
            ObjectKind::Outside => {
                self.external_calls.insert(e);
                return;
            }
            _ => return,
        };
        self.known_calls.insert(e);
        if refuted_targets(self.cfa, e).contains(&o) {
            return;
        }
        if self.callees.entry(e).or_default().contains(&f) {
            self.called_if_equal.remove(&(e, f));
            return;
        }
        self.call(e, f);
    }

    /// Lets indirect calls whose targets are not known call those functions that fit and that the program compares some address with,
    /// if these are few: a proof may assume `p == f` of a pointer that could be anything. Returns whether there is one.
    pub(super) fn call_compared_functions(&mut self) -> bool {
        let mut open: Vec<EdgeId> = self.callees.keys().copied().filter(|e| self.may_call_unknown(*e)).collect();
        open.sort_unstable();
        if open.is_empty() {
            return false;
        }
        let compared = self.compared.take().unwrap_or_else(|| compared_functions(self.cfa));
        let before = self.called_if_equal.len();
        for e in open {
            let Op::CallIndirect(call) = &self.cfa.edges[e].op else { continue };
            let refuted = refuted_targets(self.cfa, e);
            let is_new = |(f, o): &(FuncId, ObjectId)| {
                !call.misfits.contains(f) && !self.callees[&e].contains(f) && !refuted.contains(o)
            };
            let callees: Vec<FuncId> = compared.iter().filter(|c| is_new(c)).map(|c| c.0).collect();
            if callees.len() > COMPARED_CALLEES {
                continue;
            }
            for f in callees {
                self.called_if_equal.insert((e, f));
                self.call(e, f);
            }
        }
        self.compared = Some(compared);
        self.called_if_equal.len() > before
    }

    /// Whether the indirect call may call what is not known so far.
    pub(in crate::points_to) fn may_call_unknown(&self, e: EdgeId) -> bool {
        // Conditions before the call may have refuted all that is known.
        !self.known_calls.contains(&e) || self.external_calls.contains(&e)
    }

    /// Lets the indirect call `e` call `f`.
    fn call(&mut self, e: EdgeId, f: FuncId) {
        self.callees.entry(e).or_default().push(f);
        let Op::CallIndirect(call) = &self.cfa.edges[e].op else {
            unreachable!("only indirect calls wait for functions")
        };
        let func = &self.cfa.funcs[f];
        for (&arg, &param) in call.args.iter().zip(&func.params) {
            if matches!(self.cfa.vars[param].sort, Sort::Bv(w) if w >= CARRYING_BITS) {
                self.flow_term(arg, param);
            }
        }
        if let (Some(area), Some(var)) = (call.varargs, func.varargs) {
            self.flow_term(area, var);
        }
        if let (Some(from), Some(to)) = (func.result, call.result) {
            let (wf, wt) = (self.cfa.vars[from].sort.width(), self.cfa.vars[to].sort.width());
            if wf >= CARRYING_BITS && wt >= CARRYING_BITS {
                let (from, to) = (self.need_var(from), self.need_var(to));
                self.solver.add_flow(from, to, self.copy_flow(wf, wt));
            }
        }
        self.reach(f);
    }
}

/// The functions whose addresses are compared for equality, ascending, each with one object that stands for it.
fn compared_functions(cfa: &Cfa) -> Vec<(FuncId, ObjectId)> {
    let used = cfa.terms.all_subterms(cfa.edges.iter().flat_map(|edge| edge.op.terms()));
    let compared = used.ones().map(Term::from_index).filter(|t| cfa.terms.kind(*t) == Kind::Eq);
    let function = |t: &Term| match cfa.terms.kind(*t) {
        Kind::Addr(o) => match cfa.objects[o].kind {
            ObjectKind::Function(f) => Some((f, o)),
            _ => None,
        },
        _ => None,
    };
    let mut found: Vec<(FuncId, ObjectId)> = compared.flat_map(|t| cfa.terms.args(t)).filter_map(function).collect();
    found.sort_unstable();
    found.dedup_by_key(|(f, _)| *f);
    found
}
