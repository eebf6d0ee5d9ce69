//! The engine with an analysis that merges: which values a variable may have, joined where paths meet.

mod support;

use cfa::bv::Bv;
use cfa::eval::{Value, eval};
use cfa::term::Leaf;
use cfa::{Id, LocId, Op, Sort, SymId, Term, VarId};
use checker::Label;
use std::collections::BTreeSet;
use support::*;
use verifier::engine::composite::Composite;
use verifier::engine::cpa::{Action, Cpa, Cx, Index, Step};
use verifier::engine::explore::{Exploration, Limits, Pause};
use verifier::engine::proof::certificate;
use verifier::engine::waitlist::Order;
use verifier::program::{Halt, Program};

const X: VarId = VarId(0);

/// The values that `X` may have.
struct Possible;

type Values = BTreeSet<u64>;

fn all() -> Values {
    (0..16).collect()
}

impl Possible {
    fn eval(cx: &Cx<'_>, t: Term, x: u64) -> Option<Value> {
        eval(&cx.program.base, t, &mut |l| (l == Leaf::Var(X)).then(|| Value::Bv(Bv::new(4, x))))
    }
}

impl Cpa for Possible {
    type State = Values;
    type Precision = ();
    type Key = ();

    fn initial(&mut self, _cx: &mut Cx<'_>, _at: LocId) -> (Values, ()) {
        (all(), ())
    }

    fn transfer(
        &mut self,
        cx: &mut Cx<'_>,
        s: &Values,
        step: Step<'_>,
        _pi: &(),
        out: &mut Vec<Values>,
    ) -> Result<(), Halt> {
        let next: Values = match step.action {
            Action::Op(Op::Assign(list)) => {
                let (_, t) = list.iter().find(|(v, _)| *v == X).expect("the only variable");
                s.iter().filter_map(|x| Possible::eval(cx, *t, *x)?.to_u64()).collect()
            }
            Action::Op(Op::Assume { cond, .. }) => {
                s.iter().copied().filter(|x| Possible::eval(cx, *cond, *x) == Some(Value::Bool(true))).collect()
            }
            Action::Op(Op::Input { .. }) => all(),
            _ => s.clone(),
        };
        out.extend((!next.is_empty()).then_some(next));
        Ok(())
    }

    fn covered(&mut self, _cx: &mut Cx<'_>, s: &Values, by: &Values) -> Result<bool, Halt> {
        Ok(s.is_subset(by))
    }

    fn merge(&mut self, _cx: &mut Cx<'_>, new: &Values, old: &Values, _pi: &()) -> Result<Option<Values>, Halt> {
        Ok((!new.is_subset(old)).then(|| old | new))
    }

    fn merges(&self) -> bool {
        true
    }

    fn key(&self, _s: &Values) {}

    fn index(&self, _s: &Values) -> Option<Index> {
        None
    }

    fn fingerprint_as(&self, _s: &Values, _pattern: &Values) -> Option<u64> {
        None
    }

    fn label(&mut self, cx: &mut Cx<'_>, s: &Values) -> Label {
        let mut label = Label::default();
        let x = cx.terms.fresh("x", Sort::Bv(4));
        label.env.globals.insert(X, x);
        let cases: Vec<Term> = s
            .iter()
            .map(|k| {
                let k = cx.terms.int(4, *k);
                cx.terms.eq(x, k)
            })
            .collect();
        label.constraints.push(cx.terms.or_all(cases));
        label
    }

    fn witness(&mut self, _cx: &mut Cx<'_>, _s: &Values, _by: &Values) -> Vec<(SymId, Term)> {
        Vec::new()
    }
}

/// `x = 0; while (*) { if (x == 6) x = 0; else x = x + 2; } if (x == bad) ERROR`.
fn program(bad: i64) -> Program {
    let mut p = Builder::new();
    let x = p.global("x", Sort::Bv(4));
    assert_eq!(x.index(), 0);
    let (tx, zero, two, six, bad) = (p.var(x), p.int(4, 0), p.int(4, 2), p.int(4, 6), p.int(4, bad));
    p.assign(x, zero);
    let head = p.at;
    let (at_six, next) = (p.terms().eq(tx, six), p.terms().add(tx, two));
    p.step(Op::Skip);
    let (yes, no) = p.branch(at_six);
    p.edge(yes, head, Op::assign(x, zero));
    p.edge(no, head, Op::assign(x, next));
    p.at = head;
    p.step(Op::Skip);
    let wrong = p.terms().eq(tx, bad);
    p.error_if(wrong);
    p.program()
}

#[test]
fn one_state_for_each_location() {
    for order in [Order::BreadthFirst, Order::DepthFirst, Order::ReversePostorder] {
        let program = program(7);
        let mut solver = smt::standard(smt::Limits::default()).expect("a solver");
        let mut cx = Cx::new(&program, &mut solver, budget(10_000));
        let mut cpa = Composite::new(Possible, 10);
        let mut exploration = Exploration::new(&mut cpa, &mut cx, Limits { order, max_states: 100 });
        assert_eq!(exploration.run(&mut cpa, &mut cx), Ok(Pause::Done));
        let reached: BTreeSet<LocId> = exploration.arg.ids().map(|n| exploration.arg.node(n).state.at.loc).collect();
        assert_eq!(reached.len(), exploration.arg.len());
        assert!(cx.statistics.merges > 0);
        let join = exploration.arg.ids().map(|n| &exploration.arg.node(n).state.values).max_by_key(|v| v.len());
        assert!(join.is_some_and(|v| v.len() == 16 || *v == [0, 2, 4, 6].into()));
        let cert = certificate(&exploration, &mut cpa, &mut cx);
        let mut solver = smt::standard(smt::Limits::default()).expect("a solver");
        checker::check(&program.cfa, &cert, &mut solver, None).expect("a proof");
    }
}

#[test]
fn merged_states_reach_targets() {
    for order in [Order::BreadthFirst, Order::DepthFirst, Order::ReversePostorder] {
        let program = program(4);
        let mut solver = smt::standard(smt::Limits::default()).expect("a solver");
        let mut cx = Cx::new(&program, &mut solver, budget(10_000));
        let mut cpa = Composite::new(Possible, 10);
        let mut exploration = Exploration::new(&mut cpa, &mut cx, Limits { order, max_states: 100 });
        assert!(matches!(exploration.run(&mut cpa, &mut cx), Ok(Pause::Target(_))));
        // The search can go on.
        assert!(exploration.run(&mut cpa, &mut cx).is_ok());
    }
}
