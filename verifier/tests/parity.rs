//! A whole analysis in one file, as ADDING_AN_ANALYSIS.md explains it: which variables are even, which are odd.
//!
//! Lattice: partial maps from variables to their lowest bit, ordered by reverse inclusion; a variable without an entry may
//! have any value. Transfer: the lowest bit of a sum or a product follows from those of its operands; a test for equality of
//! an even and an odd value fails. Merge-sep; stop by inclusion.
//!
//! What it does not claim: anything about memories, and about locals of a caller once its callee has returned.

use crate::support::*;
use cfa::bv::BvOp;
use cfa::term::Kind;
use cfa::{LocId, Op, Scope, Term, VarId};
use checker::Label;
use imbl::OrdMap;
use smt::Solver;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;
use verifier::cpa::skeleton::composite::Composite;
use verifier::cpa::{Action, Cpa, Cx, Index, Step, Stop};
use verifier::program::{Budget, Halt, Program};
use verifier::reach::driver::{ExploreOptions, Explored, Paths};
use verifier::reach::explore::Limits;
use verifier::reach::waitlist::Order;
use verifier::strategies::reachability;

/// Variables with a known lowest bit: `true` for odd.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct State {
    odd: OrdMap<VarId, bool>,
}

/// The analysis. It has nothing to remember beside its states.
struct ParityCpa;

/// The lowest bit of `t` in `s`, if it is known.
fn parity(cx: &Cx<'_>, s: &State, t: Term) -> Option<bool> {
    let terms = &cx.program.base;
    let arg = |i: usize| parity(cx, s, terms.args(t)[i]);
    match terms.kind(t) {
        Kind::Const(_) | Kind::BigConst(_) => Some(terms.as_bv(t)?.bit(0)),
        Kind::Var(v) => s.odd.get(&v).copied(),
        Kind::Bv(BvOp::Add | BvOp::Sub | BvOp::Xor) => Some(arg(0)? ^ arg(1)?),
        Kind::Bv(BvOp::Mul | BvOp::And) => match (arg(0), arg(1)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        Kind::BvNot => Some(!arg(0)?),
        Kind::BvNeg | Kind::Zext | Kind::Sext | Kind::Extract { lo: 0, .. } => arg(0),
        Kind::Concat => arg(1),
        _ => None,
    }
}

/// Whether `cond` cannot hold in `s`.
fn excluded(cx: &Cx<'_>, s: &State, cond: Term) -> bool {
    let terms = &cx.program.base;
    let args = terms.args(cond);
    match terms.kind(cond) {
        Kind::And => excluded(cx, s, args[0]) || excluded(cx, s, args[1]),
        Kind::Or => excluded(cx, s, args[0]) && excluded(cx, s, args[1]),
        Kind::Eq => matches!((parity(cx, s, args[0]), parity(cx, s, args[1])), (Some(a), Some(b)) if a != b),
        _ => false,
    }
}

impl State {
    fn set(&mut self, v: VarId, odd: Option<bool>) {
        match odd {
            Some(odd) => self.odd.insert(v, odd),
            None => self.odd.remove(&v),
        };
    }

    /// The facts about global variables.
    fn globals(&self, program: &Program) -> State {
        let global = |v: &VarId| program.cfa.vars[*v].scope == Scope::Global;
        State { odd: self.odd.iter().filter(|(v, _)| global(v)).map(|(v, odd)| (*v, *odd)).collect() }
    }
}

fn hash(facts: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    facts.hash(&mut hasher);
    hasher.finish()
}

impl Cpa for ParityCpa {
    type State = State;
    type Precision = ();
    type Key = ();

    fn initial(&mut self, _cx: &mut Cx<'_>, _at: LocId) -> State {
        State::default()
    }

    fn full_precision(&self) {}

    fn transfer(
        &mut self,
        cx: &mut Cx<'_>,
        s: &State,
        step: Step<'_>,
        _pi: &(),
        out: &mut Vec<State>,
    ) -> Result<(), Halt> {
        let mut next = s.clone();
        match step.action {
            Action::Op(Op::Assign(list)) => {
                // All at once: every right-hand side is read in the state before.
                for (v, t) in list.iter() {
                    next.set(*v, parity(cx, s, *t));
                }
            }
            Action::Op(Op::Input { var, .. }) => next.set(*var, None),
            Action::Op(Op::Assume { cond, .. }) if excluded(cx, s, *cond) => return Ok(()),
            Action::Op(Op::Assume { .. } | Op::Skip | Op::Call(_)) => {}
            Action::Op(Op::CallIndirect(_) | Op::Unsupported(_)) => {
                return Err(Halt::Unsupported("an operation without a model".into()));
            }
            // A new activation knows nothing of its locals, and a caller has forgotten its own.
            Action::Enter(..) | Action::Leave => next = s.globals(cx.program),
        }
        out.push(next);
        Ok(())
    }

    fn covered(&mut self, _cx: &mut Cx<'_>, s: &State, by: &State) -> Result<bool, Halt> {
        Ok(by.odd.iter().all(|(v, odd)| s.odd.get(v) == Some(odd)))
    }

    fn key(&self, _s: &State) {}

    fn index(&self, s: &State) -> Option<Index> {
        Some(Index { shape: hash(s.odd.keys().collect::<Vec<_>>()), fingerprint: hash(&s.odd) })
    }

    fn fingerprint_as(&self, s: &State, pattern: &State) -> Option<u64> {
        let restricted: Option<OrdMap<VarId, bool>> = pattern.odd.keys().map(|v| Some((*v, *s.odd.get(v)?))).collect();
        restricted.map(|odd| hash(&odd))
    }

    /// Each variable has some value, whose lowest bit is known.
    fn label(&mut self, cx: &mut Cx<'_>, s: &State) -> Label {
        let mut label = Label::default();
        for (v, odd) in &s.odd {
            let var = &cx.program.cfa.vars[*v];
            let value = cx.terms.fresh(&var.name, var.sort);
            let lowest = cx.terms.extract(0, 0, value);
            let bit = cx.terms.int(1, u64::from(*odd));
            label.constraints.push(cx.terms.eq(lowest, bit));
            match var.scope {
                Scope::Global => label.env.globals.insert(*v, value),
                Scope::Local(_) => label.env.locals.insert(*v, value),
            };
        }
        label
    }
}

/// The strategy: explore, and let the engine check paths to targets and draw up the certificate.
fn run(program: &Program, solver: &mut dyn Solver, budget: Budget) -> Explored {
    let cpa = Composite::new(ParityCpa, 1_000);
    let options = ExploreOptions {
        limits: Limits { order: Order::BREADTH_FIRST, max_states: 100_000, stop: Stop::Sep },
        paths: Paths { limit: Duration::from_secs(5), max_paths: 10 },
        draw: false,
    };
    reachability::run(program, cpa, options, "parity is too imprecise", solver, budget)
}

/// What the strategy says of the program `text`; certificates are checked and alarms replayed.
fn check(text: &str, expected: Verdict) {
    let program = source(text);
    let mut solver = smt::standard(smt::Limits::default());
    let explored = run(&program, &mut solver, patient());
    assert_eq!(verdict(&program, explored.outcome), expected);
}

#[test]
fn an_odd_number_stays_odd() {
    check("int x = 1; while (input()) x = x + 2; if (x == 0) error();", Verdict::True);
}

#[test]
fn an_even_number_may_be_zero() {
    check("int x = 0; while (input()) x = x + 2; if (x == 0) error();", Verdict::False);
}

#[test]
fn what_parity_cannot_tell_is_unknown() {
    // 2 + 4 * n is never 0, but as even as 0 is.
    let text = "int x = 2; while (input()) x = x + 4; if (x == 0) error();";
    check(text, Verdict::Unknown("parity is too imprecise".into()));
}
