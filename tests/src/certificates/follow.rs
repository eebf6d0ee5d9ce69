//! Follows a certificate along executions: what it claims about all executions must hold in each of them.
//!
//! The interpreter runs the program, and a walk follows it through the certificate's graph: each step must have a successor, no node
//! may be at a target, and at each node the values must be among those that the node represents. This shares nothing with the
//! checker: there is no symbolic execution, and a solver is used only to find values for a label's symbols.
//!
//! Only certificates of whole programs can be followed: variables that a slice ignores have other values in the program. Calls that a step
//! passes over must satisfy their contract; the graphs of contracts are not followed. If an execution returns to a loop with copies
//! (k-induction), the walk continues in the checked copy.

use cfa::bv::{Bv, BvOp};
use cfa::eval::{Value, eval_bool};
use cfa::interpret::{Machine, RunLimits, run};
use cfa::term::{Kind, Leaf};
use cfa::view::{Slice, View};
use cfa::{Cfa, EdgeId, LocId, Op, Sort, SymId, Term, Terms, VarId};
use checker::{Certificate, Contract, ForAll, Label, LoopLabel, NodeId, Step};
use kerf_testing::Random;
use rustc_hash::FxHashMap;
use smt::{Answer, Limits, Solver};
use std::time::Duration;

/// Maximum number of steps of an execution.
const STEPS: u64 = 2_000;

/// Maximum number of labels, in one execution, for whose symbols a solver searches values.
const SEARCHES: usize = 30;

/// Maximum number of visits of loop heads, in one execution, at which universal conditions are evaluated.
const HEADS: usize = 40;

/// Universal conditions are evaluated for the indices that are at most this far from a value that the condition mentions.
const NEAR: i64 = 9;

/// Maximum time for one search of values for symbols.
const SEARCH: Duration = Duration::from_secs(1);

/// Counts of the executions that were followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Followed {
    /// Number of steps from node to node.
    pub steps: u64,
    /// Number of invariants, labels and conditions of contracts that were evaluated.
    pub checks: u64,
}

/// Follows `certificate` along `runs` executions on random inputs.
///
/// Errors: a claim that is wrong in one of the executions.
///
/// # Panics
/// If the certificate is about a part of the program only, or the walk and the execution are at different locations, which would be a bug
/// of this module.
pub fn follow(cfa: &Cfa, certificate: &Certificate, random: &mut Random, runs: u64) -> Result<Followed, String> {
    assert_eq!(certificate.slice, Slice::whole(cfa), "only whole programs are followed");
    let view = View::new(cfa, &certificate.slice);
    let loops = loops(certificate);
    let mut followed = Followed::default();
    let mut terms = certificate.terms.clone();
    for _ in 0..runs {
        let mut walk = Walk {
            cfa,
            view: &view,
            certificate,
            terms: &mut terms,
            loops: &loops,
            at: 0,
            others: Vec::new(),
            depth: 0,
            skipped: None,
            searches: SEARCHES,
            heads: HEADS,
            followed,
            wrong: None,
            ended: false,
        };
        run(cfa, random, RunLimits { steps: STEPS, deadline: None }, &mut |machine, e| walk.step(machine, e));
        if let Some(wrong) = walk.wrong {
            return Err(wrong);
        }
        followed = walk.followed;
    }
    Ok(followed)
}

/// The labels of loops, by their heads and by the heads of the copies through which walks go.
fn loops(certificate: &Certificate) -> FxHashMap<NodeId, &LoopLabel> {
    let mut loops = FxHashMap::default();
    for (node, label) in certificate.nodes.iter().enumerate().filter_map(|(i, n)| Some((i, n.repeats.as_deref()?))) {
        let of_base = label.window.iter().flat_map(|w| w.base.iter().copied());
        let checked = label.window.iter().filter(|w| w.checked < w.end).map(|w| w.checked);
        loops.extend(of_base.chain(checked).chain([node as NodeId]).map(|head| (head, label)));
    }
    loops
}

/// A call that does nothing in the view, or that has a contract.
struct Skipped<'a> {
    /// Number of calls that were active when it began.
    depth: usize,
    /// Its contract, and the values of the contract's symbols for the entry.
    contract: Option<(&'a Contract, FxHashMap<SymId, Value>)>,
}

struct Walk<'a> {
    cfa: &'a Cfa,
    view: &'a View,
    certificate: &'a Certificate,
    /// The certificate's terms, and those of queries about them.
    terms: &'a mut Terms,
    /// The labels of loops (see [`loops`]).
    loops: &'a FxHashMap<NodeId, &'a LoopLabel>,
    /// The node at which the execution is.
    at: NodeId,
    /// The other successors of the last step.
    others: Vec<NodeId>,
    /// Number of calls that are active after the last step.
    depth: usize,
    /// A call that the graph does not enter.
    skipped: Option<Skipped<'a>>,
    /// Number of searches for symbols that are left.
    searches: usize,
    /// Number of visits of loop heads at which universal conditions may still be evaluated.
    heads: usize,
    followed: Followed,
    wrong: Option<String>,
    /// Whether the walk ended, since it is not known at which node the execution is.
    ended: bool,
}

impl Walk<'_> {
    /// Follows the step `e`; `machine` has the state after it.
    fn step(&mut self, machine: &Machine<'_>, e: EdgeId) {
        if self.wrong.is_some() || self.ended {
            return;
        }
        let depth = machine.stack().len();
        let before = depth - usize::from(matches!(self.cfa.edges[e].op, Op::Call(_)));
        // Functions were left before the step.
        while self.depth > before {
            self.depth -= 1;
            if self.skipped.as_ref().is_some_and(|s| s.depth == self.depth) {
                self.skipped = None;
            } else if self.skipped.is_none() {
                self.take(Step::Return);
            }
        }
        self.depth = depth;
        if self.wrong.is_some() {
            return;
        }
        if self.skipped.is_some() {
            return self.look_at_exit(machine, e);
        }
        let loc = self.loc();
        assert_eq!(self.view.rep(self.cfa.edges[e].from), loc, "the walk is elsewhere");
        let out = self.view.out(loc);
        let acts = out.iter().find(|v| v.acts && v.edge == e);
        let to = self.view.rep(self.cfa.edges[e].to);
        if acts.is_none() && depth > before {
            self.skipped = Some(Skipped { depth: before, contract: None });
        }
        let stack = self.certificate.nodes[self.at as usize].stack;
        match acts.or_else(|| out.iter().find(|v| !v.acts && v.to == to)) {
            Some(v) => self.take(Step::Edge(v.edge)),
            None => assert_eq!(loc, to, "a step that the view does not have"),
        }
        let passed_over = acts.is_some() && depth > before && self.certificate.nodes[self.at as usize].stack == stack;
        if let (true, Op::Call(f)) = (passed_over && self.wrong.is_none(), &self.cfa.edges[e].op) {
            let contract = self.certificate.contracts.iter().find(|c| c.func == *f).expect("a contract");
            let entry = contract.entry.iter().map(|(v, s)| (*s, value(self.cfa, machine, *v))).collect();
            self.holds(machine, &contract.pre, &entry, "a precondition");
            self.skipped = Some(Skipped { depth: before, contract: Some((contract, entry)) });
            return;
        }
        self.look(machine);
    }

    /// Within a call that is not entered: if the step `e` leads to the exit of a function with a contract, evaluates the postcondition.
    fn look_at_exit(&mut self, machine: &Machine<'_>, e: EdgeId) {
        let Some(Skipped { depth, contract: Some((contract, _)) }) = &self.skipped else { return };
        if self.depth != depth + 1 || self.cfa.edges[e].to != self.cfa.funcs[contract.func].exit {
            return;
        }
        if let Some((contract, entry)) = self.skipped.as_mut().and_then(|s| s.contract.take()) {
            self.holds(machine, &contract.post, &entry, "a postcondition");
        }
    }

    /// Notes if one of `conditions` is false; symbols have the values of `symbols`.
    fn holds(&mut self, machine: &Machine<'_>, conditions: &[Term], symbols: &FxHashMap<SymId, Value>, what: &str) {
        self.followed.checks += 1;
        let mut leaf = |l: Leaf| match l {
            Leaf::Var(v) => Some(value(self.cfa, machine, v)),
            Leaf::Addr(o) => self.cfa.objects[o].base.map(|b| Value::Bv(self.cfa.address(b))),
            Leaf::Sym(s) => symbols.get(&s).cloned(),
        };
        let terms = &self.certificate.terms;
        if conditions.iter().any(|t| eval_bool(terms, *t, &mut leaf) == Some(false)) {
            self.wrong = Some(format!("{what} at node {} is false", self.at));
        }
    }

    fn loc(&self) -> LocId {
        self.certificate.nodes[self.at as usize].loc
    }

    fn take(&mut self, step: Step) {
        if self.wrong.is_some() {
            return;
        }
        // Between two returns, there are no values to choose by.
        self.ended |= !self.others.is_empty();
        self.followed.steps += 1;
        let node = &self.certificate.nodes[self.at as usize];
        match node.along(step) {
            [s, others @ ..] => {
                self.others = others.iter().map(|s| s.to).collect();
                let comes_back = s.to <= self.at;
                self.at = s.to;
                if let (true, Some(window)) = (comes_back, self.loops.get(&s.to).and_then(|l| l.window.as_ref())) {
                    self.at = window.checked;
                    if window.checked == window.end {
                        self.wrong = Some(format!("the loop at node {} has another iteration, which is taken", s.to));
                    }
                }
            }
            [] => self.wrong = Some(format!("node {} has no successor for {step:?}, which is taken", self.at)),
        }
    }

    /// Goes to the node, of those to which the last step led, whose label gives variables the values that they have. Several may, as
    /// memories are not compared; the walk ends there.
    fn choose(&mut self, machine: &Machine<'_>) {
        let certificate = self.certificate;
        let all: Vec<NodeId> = [self.at].into_iter().chain(std::mem::take(&mut self.others)).collect();
        if all.len() == 1 {
            return;
        }
        let label = |n: &NodeId| certificate.nodes[*n as usize].label.as_ref();
        let mut fits = |n: &NodeId| label(n).is_none_or(|label| self.searches == 0 || self.is_inside(machine, label));
        match all.into_iter().filter(|n| fits(n)).collect::<Vec<_>>()[..] {
            [] => self.wrong = Some(format!("the values after node {} are not among those of any successor", self.at)),
            [only] => self.at = only,
            _ => self.ended = true,
        }
    }

    /// Notes if the present node does not represent the state of `machine`.
    fn look(&mut self, machine: &Machine<'_>) {
        self.choose(machine);
        if self.wrong.is_some() || self.ended {
            return;
        }
        let certificate = self.certificate;
        let node = &certificate.nodes[self.at as usize];
        if self.cfa.targets.iter().any(|t| self.view.rep(*t) == node.loc) {
            self.wrong = Some(format!("node {} is at a target", self.at));
        }
        if let Some(label) = self.loops.get(&self.at) {
            self.holds(machine, &label.invariants, &FxHashMap::default(), "an invariant");
            let universals = if self.heads > 0 { &label.universals[..] } else { &[] };
            self.heads -= usize::from(!universals.is_empty());
            for of in universals {
                for index in self.indices(machine, of) {
                    let symbols = FxHashMap::from_iter([(of.index, Value::Bv(index))]);
                    self.holds(machine, &[of.body], &symbols, "an invariant of all elements");
                }
            }
        }
        if let Some(label) = &node.label
            && self.searches > 0
        {
            self.followed.checks += 1;
            if !self.is_inside(machine, label) {
                self.wrong = Some(format!("the values at node {} are not among those of its label", self.at));
            }
        }
    }

    /// Values of the index for which a universal condition may be wrong: those near the values that it mentions.
    fn indices(&self, machine: &Machine<'_>, of: &ForAll) -> Vec<Bv> {
        let terms = &self.certificate.terms;
        let Sort::Bv(width) = terms.symbol(of.index).sort else { unreachable!("an index is a bit-vector") };
        let values = terms.subterms(&[of.body], |_| false).into_iter().filter_map(|t| match terms.kind(t) {
            Kind::Var(v) => value(self.cfa, machine, v).as_bv().cloned(),
            _ => terms.as_bv(t),
        });
        let near: Vec<Bv> = values.filter(|k| k.width() == width).collect();
        let offset = |k: &Bv, by: i64| Bv::apply(BvOp::Add, k, &Bv::from_i64(width, by));
        near.iter().flat_map(|k| (-NEAR..=NEAR).map(move |by| offset(k, by))).collect()
    }

    /// Whether, for some values of the symbols, the label gives variables the values that they have. Memories are not compared. `true` if
    /// the solver does not decide it.
    fn is_inside(&mut self, machine: &Machine<'_>, label: &Label) -> bool {
        let terms = &mut *self.terms;
        let mut all: Vec<Term> = label.constraints.clone();
        for (v, t) in label.env.globals.iter().chain(&label.env.locals) {
            let known = match machine.value(*v) {
                Some(Value::Bool(b)) => terms.bool(*b),
                Some(Value::Bv(b)) => terms.constant(b),
                Some(Value::Array(_)) | None => continue,
            };
            let same = terms.eq(*t, known);
            all.push(same);
        }
        let query = terms.and_all(all);
        match terms.as_bool(query) {
            Some(answer) => answer,
            None => {
                self.searches -= 1;
                let mut solver = smt::Bits::new(Limits { query: Some(SEARCH), deadline: None });
                solver.check(terms, &[query]) != Ok(Answer::Unsat)
            }
        }
    }
}

/// The value of a variable; any value, if it has none yet.
fn value(cfa: &Cfa, machine: &Machine<'_>, v: VarId) -> Value {
    machine.value(v).cloned().unwrap_or_else(|| Value::zero(cfa.vars[v].sort))
}
