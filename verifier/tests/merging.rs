//! The engine with an analysis that merges: which values a variable may have, joined where paths meet.

use crate::support::*;
use cfa::bv::Bv;
use cfa::eval::{Value, eval};
use cfa::pixel_tree::Mark;
use cfa::term::Leaf;
use cfa::{Id, LocId, Op, Sort, SymId, Term, VarId};
use checker::Label;
use std::collections::BTreeSet;
use std::time::Duration;
use verifier::cpa::skeleton::composite::Composite;
use verifier::cpa::{Action, Cpa, Cx, Index, Step, Stop};
use verifier::domains::intervals::InvariantsCpa;
use verifier::domains::symbolic;
use verifier::domains::value::ValueCpa;
use verifier::domains::{Analyses, Merge, Part, PartKind, Parts, States};
use verifier::program::{Halt, Program};
use verifier::reach::certificate::certificate;
use verifier::reach::driver::Paths;
use verifier::reach::explore::{Exploration, Limits, Pause};
use verifier::reach::waitlist::Order;
use verifier::strategies::composition::Composition;

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

    fn initial(&mut self, _cx: &mut Cx<'_>, _at: LocId) -> Values {
        all()
    }

    fn full_precision(&self) {}

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
    let mut p = Builder::new(64);
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
    finished(p)
}

#[test]
fn one_state_for_each_location() {
    for order in [Order::BREADTH_FIRST, Order::DEPTH_FIRST, Order::REVERSE_POSTORDER] {
        let program = program(7);
        let mut solver = smt::standard(smt::Limits::default());
        let mut cx = Cx::new(&program, &mut solver, patient());
        let mut cpa = Composite::new(Possible, 10);
        let mut exploration =
            Exploration::new(&mut cpa, &mut cx, (), Limits { order, max_states: 100, stop: Stop::Sep });
        assert_eq!(exploration.run(&mut cpa, &mut cx), Ok(Pause::Done));
        let reached: BTreeSet<LocId> = exploration.arg.ids().map(|n| exploration.arg.node(n).state.at.loc).collect();
        assert_eq!(reached.len(), exploration.arg.len());
        assert!(cx.statistics.merges > 0);
        let join = exploration.arg.ids().map(|n| &exploration.arg.node(n).state.values).max_by_key(|v| v.len());
        assert!(join.is_some_and(|v| v.len() == 16 || *v == [0, 2, 4, 6].into()));
        let cert = certificate(&exploration, &mut cpa, &mut cx);
        let mut solver = smt::standard(smt::Limits::default());
        checker::check(&program.cfa, &cert, &mut solver, None).expect("a proof");
    }
}

#[test]
fn merged_states_reach_targets() {
    for order in [Order::BREADTH_FIRST, Order::DEPTH_FIRST, Order::REVERSE_POSTORDER] {
        let program = program(4);
        let mut solver = smt::standard(smt::Limits::default());
        let mut cx = Cx::new(&program, &mut solver, patient());
        let mut cpa = Composite::new(Possible, 10);
        let mut exploration =
            Exploration::new(&mut cpa, &mut cx, (), Limits { order, max_states: 100, stop: Stop::Sep });
        assert!(matches!(exploration.run(&mut cpa, &mut cx), Ok(Pause::Target(_))));
        // The search can go on.
        assert!(exploration.run(&mut cpa, &mut cx).is_ok());
    }
}

/// A test of an input; one side sets `x` to `a`, the other one to `b`.
fn choose(p: &mut Builder, x: VarId, input: VarId, a: i64, b: i64) {
    p.input(input);
    let width = p.cfa.vars[x].sort.width();
    let (t, a, b) = (p.var(input), p.int(width, a), p.int(width, b));
    let cond = p.terms().nonzero(t);
    let (yes, no) = p.branch(cond);
    let join = p.loc();
    p.edge(yes, join, Op::assign(x, a));
    p.edge(no, join, Op::assign(x, b));
    p.at = join;
}

fn merged(merge: Merge, parts: &[PartKind]) -> Composition {
    Composition { merge, ..Composition::of_parts(parts.to_vec()) }
}

const VALUE: &[PartKind] = &[PartKind::Value];
const BOTH: &[PartKind] = &[PartKind::Value, PartKind::Symbolic];

/// `x` is 1 or 2 and `y` is 5; then `wrong` of both is tested.
fn chosen(wrong: impl FnOnce(&mut Builder, Term, Term) -> Term) -> Program {
    let mut p = Builder::new(64);
    let (x, y, input) = (p.global("x", Sort::Bv(8)), p.global("y", Sort::Bv(8)), p.global("input", Sort::Bv(1)));
    let (tx, ty, five) = (p.var(x), p.var(y), p.int(8, 5));
    p.assign(y, five);
    choose(&mut p, x, input, 1, 2);
    let wrong = wrong(&mut p, tx, ty);
    p.error_if(wrong);
    finished(p)
}

#[test]
fn explicit_values_join_what_they_know() {
    let same = chosen(|p, x, y| {
        let (six, nine) = (p.int(8, 6), p.int(8, 9));
        let (y, x) = (p.terms().eq(y, six), p.terms().eq(x, nine));
        p.terms().and(y, x)
    });
    let (verdict, statistics) = by(&same, &merged(Merge::Join, VALUE));
    assert_eq!((verdict, statistics.merges), (Verdict::True, 1));
    let (_, drawing) = drawn(&same, &merged(Merge::Join, VALUE));
    assert_eq!(drawing.tree.count(Mark::Merged), 1);
    let different = |k| {
        chosen(move |p, x, _| {
            let k = p.int(8, k);
            p.terms().eq(x, k)
        })
    };
    let imprecise = Verdict::Unknown("merged states are too imprecise".into());
    assert_eq!(by(&different(3), &merged(Merge::Join, VALUE)).0, imprecise);
    assert_eq!(by(&different(3), &merged(Merge::Sep, VALUE)).0, Verdict::True);
    for merge in [Merge::Sep, Merge::Join] {
        assert_eq!(by(&different(1), &merged(merge, VALUE)).0, Verdict::False);
    }
}

/// Where explicit values count to the end of a loop, joined ones go through it once more.
#[test]
fn joined_values_leave_loops() {
    let mut p = Builder::new(64);
    let (i, y) = (p.global("i", Sort::Bv(32)), p.global("y", Sort::Bv(8)));
    let (ti, ty, zero, one, end) = (p.var(i), p.var(y), p.int(32, 0), p.int(32, 1), p.int(32, 1_000_000));
    let (five, six) = (p.int(8, 5), p.int(8, 6));
    p.assign(i, zero);
    p.assign(y, five);
    let (again, next) = (p.less(ti, end), p.terms().add(ti, one));
    p.repeat(again, |p| p.assign(i, next));
    let wrong = p.terms().eq(ty, six);
    p.error_if(wrong);
    let program = finished(p);
    let (verdict, statistics) = by(&program, &merged(Merge::Join, VALUE));
    assert_eq!(verdict, Verdict::True);
    assert!(statistics.states < 20, "{statistics}");
    let few = Composition { max_states: 1_000, ..Composition::value() };
    assert_eq!(by(&program, &few).0, Verdict::Unknown("1000 states".into()));
}

/// A branch that the solver could not decide in time counts as possible; at a target, it has more time.
#[test]
fn targets_are_asked_about_where_branches_were_not_decided() {
    let program = source(
        "u32 x = input(); u32 y = input(); assume(x > 1 && x < 1000); assume(y > 1 && y < 1000);
        if (x * y == 7919) error();",
    );
    for (seconds, expected) in [(0, Verdict::Unknown("solver: gave up: time-out".into())), (600, Verdict::True)] {
        let (branch, target) = (Duration::ZERO, Duration::from_secs(seconds));
        let questions = symbolic::Limits { branch, target, ..symbolic::Limits::default() };
        let paths = Paths { limit: Duration::ZERO, max_paths: 1 };
        let composition = Composition { questions, paths, ..merged(Merge::Agree, BOTH) };
        assert_eq!(by(&program, &composition).0, expected);
    }
}

/// Values with which a state can be reached are known where it is: its path need not be solved again.
#[test]
fn states_at_targets_know_their_inputs() {
    let paths = Paths { limit: Duration::ZERO, max_paths: 1 };
    let texts = [
        "u32 x = input(); u32 y = 3; if (x > 1000) { x = x - 1000; y = input(); assume(y != x); }
        if (x * y == 7919 && y > x) error();",
        // Two states with the same constraints, none, on paths that other values of `x` take.
        "u32 y = input(); u32 x = input(); u32 s = 0; if (x > 5) s = 1; else s = 2;
        if (y == 70001) if (s == 2) error();",
        "u32 y = input(); u32 x = input(); u32 s = 0; if (x > 5) s = 1; else s = 2;
        if (y == 70001) if (s == 1) error();",
    ];
    for text in texts {
        assert_eq!(by(&source(text), &Composition { paths, ..Composition::symex() }).0, Verdict::False, "{text}");
    }
}

/// Memories keep the cells that are the same; also those of callers.
#[test]
fn memories_are_joined_cell_by_cell() {
    for (wrong, expected) in [(0, Verdict::True), (1, Verdict::Unknown("merged states are too imprecise".into()))] {
        let mut p = Builder::new(64);
        let sort = Sort::Array { index: 32, elem: 8 };
        let (m, x, input) = (p.global("m", sort), p.global("x", Sort::Bv(8)), p.global("input", Sort::Bv(1)));
        let (tm, tx, zero, seven) = (p.var(m), p.var(x), p.int(8, 0), p.int(8, 7));
        let (at0, at1) = (p.int(32, 0), p.int(32, 1));
        let nothing = p.terms().const_array(32, zero);
        p.assign(m, nothing);
        let first = p.terms().write(tm, at0, seven);
        p.assign(m, first);
        choose(&mut p, x, input, 1, 2);
        let second = p.terms().write(tm, at1, tx);
        p.assign(m, second);
        p.assign(x, zero);
        choose(&mut p, x, input, 0, 0);
        let at = p.int(32, wrong);
        let cell = p.terms().read(tm, at, 8);
        let three = p.int(8, 3);
        let is = p.terms().eq(cell, three);
        p.error_if(is);
        assert_eq!(by(&finished(p), &merged(Merge::Join, VALUE)).0, expected);
    }
}

/// Merge-agree: symbolic execution tells the two values of x apart, so nothing is merged and nothing lost.
#[test]
fn parts_that_do_not_agree_stay_apart() {
    let three = chosen(|p, x, _| {
        let k = p.int(8, 3);
        p.terms().eq(x, k)
    });
    let (verdict, statistics) = by(&three, &merged(Merge::Agree, BOTH));
    assert_eq!((verdict, statistics.merges), (Verdict::True, 0));
}

/// The states in which each of two variables is unknown or one of the constants `ks[1]` and `ks[2]`.
fn facts<C: Part>(cpa: &mut C, cx: &mut Cx<'_>, [x, y]: [VarId; 2], ks: &[Term]) -> Vec<C::State> {
    let start = cpa.initial(cx, cx.program.start());
    let state = |i: usize| {
        [(x, i % 3), (y, i / 3)]
            .into_iter()
            .filter(|(_, k)| *k > 0)
            .fold(start.clone(), |s, (v, k)| cpa.with_constant(cx, &s, v, ks[k]))
    };
    (0..9).map(state).collect()
}

/// Merged components are above both of the old ones, or there is no merged state ([Lemberger 2018, 2.6.3], where "below" stands).
#[test]
fn parts_merge_where_they_agree() {
    let program = chosen(|p, x, y| p.terms().eq(x, y));
    let mut solver = smt::standard(smt::Limits::default());
    let mut cx = Cx::new(&program, &mut solver, patient());
    let (x, y) = (VarId(0), VarId(1));
    let ks: Vec<Term> = (0..3).map(|k| cx.terms.int(8, k)).collect();
    // Intervals could join states, but keep them apart here.
    let apart = |program: &Program| InvariantsCpa::new(program).merging(false);
    let parts = |merge| {
        let value = Some(Box::new(ValueCpa::new(&program).merging(true)));
        let invariants = Some(Box::new(apart(&program)));
        Parts::new(Analyses { value, invariants, ..Analyses::default() }, merge)
    };
    let (mut agree, mut join) = (parts(Merge::Agree), parts(Merge::Join));
    let pi = join.full_precision();
    // What the two parts know: x and y, each one of two values or unknown.
    let mut of_value = ValueCpa::new(&program);
    let mut of_invariants = apart(&program);
    let values = facts(&mut of_value, &mut cx, [x, y], &ks);
    let intervals = facts(&mut of_invariants, &mut cx, [x, y], &ks);
    let pairs = || {
        (0..81).map(|i| {
            let (value, invariants) = (values[i / 9].clone(), intervals[i % 9].clone());
            (i, States { value: Some(value), invariants: Some(invariants), ..States::default() })
        })
    };
    let mut agreed = 0;
    for (i, new) in pairs() {
        for (j, old) in pairs() {
            if let Some(merged) = join.merge(&mut cx, &new, &old, &pi).expect("an answer") {
                assert_eq!(join.covered(&mut cx, &old, &merged), Ok(true));
            }
            if let Some(merged) = agree.merge(&mut cx, &new, &old, &pi).expect("an answer") {
                agreed += 1;
                assert_eq!(agree.covered(&mut cx, &new, &merged), Ok(true));
                assert_eq!(agree.covered(&mut cx, &old, &merged), Ok(true));
            } else {
                let apart = of_invariants.covered(&mut cx, &intervals[i % 9], &intervals[j % 9]) == Ok(false);
                assert!(apart || agree.covered(&mut cx, &new, &old) == Ok(true));
            }
        }
    }
    assert!(agreed > 100, "{agreed}");
}

/// A state that no state covers alone is covered by several together; the certificate says by which, and is checked.
#[test]
fn several_states_cover_one() {
    let program = source(
        "int x = input();
        int y = 1;
        if (x < 0) { y = 2; } else { if (x == 0) { y = 3; } }
        y = 1;
        while (*) { x = input(); }
        if (y == 0 && x != 7) error();",
    );
    for part in [PartKind::Signs, PartKind::Invariants] {
        let apart = Composition { merge: Merge::Sep, ..Composition::of_parts(vec![part]) };
        let together = Composition { stop: Stop::Join, ..apart.clone() };
        let [(verdict, alone), (same, jointly)] = [apart, together].map(|c| by(&program, &c));
        assert_eq!((verdict, same), (Verdict::True, Verdict::True));
        assert!(jointly.states < alone.states, "{part:?}: {alone} / {jointly}");
    }
}

/// What one part does not know may be known to another one, so that the parts explore no more than the better one alone.
#[test]
fn parts_cover_for_each_other() {
    let program = source(
        "int y = input(); assume(y >= 1 && y <= 8);
        while (*) { int a = input(); assume(a >= 0 && a <= 3); y = a * 2 + 1; }
        if (y <= 0) error();",
    );
    let of = |parts| by(&program, &Composition { merge: Merge::Sep, ..Composition::of_parts(parts) });
    let (verdict, both) = of(vec![PartKind::Signs, PartKind::Invariants]);
    let (same, alone) = of(vec![PartKind::Invariants]);
    assert_eq!((verdict, same), (Verdict::True, Verdict::True));
    assert_eq!(both.states, alone.states);
    let (_, signs) = of(vec![PartKind::Signs]);
    assert!(signs.states > alone.states, "{signs}");
}
