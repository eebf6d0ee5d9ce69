//! Paths to targets that are known, as parts of a program.
//!
//! A backward exploration knows paths from where it is to a target. As *shortcuts* they become straight lines of the program:
//!
//! ```text
//! l --> ... (the program)
//! l -- [c] -- x := e -- ... --> target      a copy of a path of the program
//! ```
//!
//! Any forward analysis that arrives at `l` with a state from which the path can be taken then finds the target: both directions have met. The
//! program has no other executions than before, so a proof of one program is a proof of the other.

use super::Program;
use cfa::term::Leaf;
use cfa::view::ViewEdge;
use cfa::{Cfa, EdgeId, FuncId, Id, LocId, Op, Scope, Span, Term, VarId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A path from a location of the view to a target. Functions that are active at its beginning do not return on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shortcut {
    /// Where it begins.
    pub at: LocId,
    /// Its steps.
    pub steps: Vec<checker::Step>,
}

/// The edges of shortcuts, with the steps that they are copies of.
pub type Copies = FxHashMap<EdgeId, checker::Step>;

impl Program {
    /// The program with copies of paths of `original`, from which it was made by adding edges and locations.
    ///
    /// # Panics
    /// If a shortcut is no path of `original`.
    pub fn with_shortcuts(&self, original: &Program, shortcuts: &[Shortcut]) -> (Program, Copies) {
        let mut cfa = (*self.cfa).clone();
        cfa.terms = (*self.base).clone();
        let (mut view, mut slice) = (self.view.clone(), self.slice.clone());
        let mut copies = Copies::default();
        for Shortcut { at, steps } in shortcuts {
            let mut line = Line { original, at: *at, func: cfa.locs[*at].func, locals: None, callers: Vec::new() };
            let mut from = *at;
            for step in steps {
                let op = line.follow(&mut cfa, *step);
                let to = cfa.add_loc(line.func);
                let edge = cfa.add_edge(from, to, op, Span::default());
                view.add(from, edge, to);
                slice.kept.grow_and_insert(edge.index());
                slice.live.grow_and_insert(edge.index());
                copies.insert(edge, *step);
                from = to;
            }
            debug_assert!(original.is_target(line.at), "the path ends at {}", line.at);
            cfa.targets.push(from);
        }
        let base = Arc::new(cfa.terms.clone());
        let mut program = Program::over(Arc::new(cfa), base, self.recursive.clone(), slice, view);
        program.add_heads(self.also_heads.clone());
        (program, copies)
    }
}

/// A copy of a path in the making. Calls are inlined: activations that begin on the path have their own copies of locals.
struct Line<'a> {
    original: &'a Program,
    /// Where the path is in the original program.
    at: LocId,
    /// The function that the copy is in.
    func: FuncId,
    /// The copies of locals of the running activation; `None` if it was active where the path begins.
    locals: Option<FxHashMap<VarId, VarId>>,
    /// Where the other activations that began on the path return to, with the copies of locals of their callers.
    callers: Vec<(LocId, Option<FxHashMap<VarId, VarId>>)>,
}

impl Line<'_> {
    /// Takes a step; returns the operation of its copy.
    fn follow(&mut self, cfa: &mut Cfa, step: checker::Step) -> Op {
        let checker::Step::Edge(edge) = step else {
            let (return_to, locals) = self.callers.pop().expect("an activation that began on the path");
            (self.at, self.locals) = (return_to, locals);
            return Op::Skip;
        };
        let program = self.original;
        let leaving = program.view.out(self.at).iter();
        let e: &ViewEdge = leaving.clone().find(|e| e.edge == edge).expect("an edge that leaves the location");
        match program.op(e) {
            Op::Call(f) => {
                self.callers.push((e.to, self.locals.replace(FxHashMap::default())));
                self.at = program.entry_of(*f);
                Op::Skip
            }
            op => {
                self.at = e.to;
                self.copy(cfa, op)
            }
        }
    }

    fn copy(&mut self, cfa: &mut Cfa, op: &Op) -> Op {
        match op {
            Op::Assume { cond, kind } => Op::Assume { cond: self.term(cfa, *cond), kind: *kind },
            Op::Assign(list) => {
                let list = list.iter().map(|(v, t)| (self.var(cfa, *v), self.term(cfa, *t)));
                Op::Assign(list.collect())
            }
            Op::Input { var, kind } => Op::Input { var: self.var(cfa, *var), kind: kind.clone() },
            other => other.clone(),
        }
    }

    fn var(&mut self, cfa: &mut Cfa, v: VarId) -> VarId {
        match &mut self.locals {
            Some(locals) if cfa.is_local(v) => *locals.entry(v).or_insert_with(|| {
                let copy = cfa::graph::Var { scope: Scope::Local(self.func), ..cfa.vars[v].clone() };
                cfa.vars.push(copy)
            }),
            _ => v,
        }
    }

    fn term(&mut self, cfa: &mut Cfa, t: Term) -> Term {
        if self.locals.is_none() {
            return t;
        }
        let read = cfa.terms.vars(t).into_iter();
        let new: FxHashMap<VarId, VarId> =
            read.collect::<Vec<VarId>>().into_iter().map(|v| (v, self.var(cfa, v))).collect();
        let vars = &cfa.vars;
        cfa.terms.substitute(t, &mut FxHashMap::default(), &mut |terms, leaf| match leaf {
            Leaf::Var(v) => new.get(&v).map(|new| terms.var(*new, vars[*new].sort)),
            Leaf::Sym(_) | Leaf::Addr(_) => None,
        })
    }
}
