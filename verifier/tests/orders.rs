//! Orders of expansion: which of two targets is found first.

use crate::support::*;
use cfa::{Op, Sort, VarId};
use verifier::cpa::skeleton::composite::Composite;
use verifier::cpa::{Cpa, Cx, Stop};
use verifier::domains::value::ValueCpa;
use verifier::program::Program;
use verifier::reach::explore::{Exploration, Limits, Pause};
use verifier::reach::waitlist::Order;

/// A test of an input whose sides meet again at once.
fn diamond(p: &mut Builder, input: VarId) {
    p.input(input);
    let t = p.var(input);
    let cond = p.terms().nonzero(t);
    let (yes, no) = p.branch(cond);
    p.edge(yes, no, Op::Skip);
    p.at = no;
}

/// Two ways to a target each, chosen by an input: a line of `line` diamonds (target 0), and what `other` builds (target 1).
fn fork(line: usize, other: impl FnOnce(&mut Builder, VarId)) -> Program {
    let mut p = Builder::new(64);
    let (c, input) = (p.global("c", Sort::Bv(1)), p.global("input", Sort::Bv(1)));
    diamond(&mut p, input);
    p.input(c);
    let t = p.var(c);
    let cond = p.terms().nonzero(t);
    let (yes, no) = p.branch(cond);
    p.at = yes;
    (0..line).for_each(|_| diamond(&mut p, input));
    let here = p.at;
    p.cfa.targets.push(here);
    p.at = no;
    other(&mut p, input);
    let here = p.at;
    p.cfa.targets.push(here);
    p.step(Op::Skip);
    finished(p)
}

/// A loop of `rounds` rounds, counted.
fn rounds(p: &mut Builder, rounds: i64) {
    let i = p.global("i", Sort::Bv(8));
    let (ti, zero, one, end) = (p.var(i), p.int(8, 0), p.int(8, 1), p.int(8, rounds));
    p.assign(i, zero);
    let (again, next) = (p.less(ti, end), p.terms().add(ti, one));
    p.repeat(again, |p| p.assign(i, next));
}

/// A call of a function with `line` diamonds, whose end is the target.
fn call(p: &mut Builder, input: VarId, line: usize) {
    let f = p.cfa.add_func("f", cfa::Span::default());
    let (start, at) = (p.func, p.at);
    (p.func, p.at) = (f, p.cfa.funcs[f].entry);
    (0..line).for_each(|_| diamond(p, input));
    let inside = p.at;
    p.cfa.targets.push(inside);
    p.exit();
    (p.func, p.at) = (start, at);
    p.step(Op::Call(f));
}

/// The targets in the order in which they are found, by their places in the list of targets, and the steps taken.
fn found(program: &Program, order: &[&str], merge: bool) -> (Vec<usize>, u64) {
    let order = Order::of_names(order.iter().copied()).expect("an order");
    let mut solver = smt::standard(smt::Limits::default());
    let mut cx = Cx::new(program, &mut solver, patient());
    let mut cpa = Composite::new(ValueCpa::new(program).merging(merge), 10);
    let precision = cpa.full_precision();
    let mut exploration =
        Exploration::new(&mut cpa, &mut cx, precision, Limits { order, max_states: 1_000, stop: Stop::Sep });
    let mut found = Vec::new();
    while let Ok(Pause::Target(n)) = exploration.run(&mut cpa, &mut cx) {
        let at = exploration.arg.node(n).state.at.loc;
        let place = program.cfa.targets.iter().position(|l| program.view.rep(*l) == at).expect("a target");
        if !found.contains(&place) {
            found.push(place);
        }
    }
    (found, cx.statistics.steps)
}

fn first(program: &Program, order: &[&str]) -> usize {
    found(program, order, false).0[0]
}

#[test]
fn breadth_first_goes_the_shorter_way() {
    assert_eq!(first(&fork(2, |p, i| (0..8).for_each(|_| diamond(p, i))), &["bfs"]), 0);
    assert_eq!(first(&fork(8, |p, i| (0..2).for_each(|_| diamond(p, i))), &["bfs"]), 1);
}

#[test]
fn depth_first_goes_one_way_to_its_end() {
    // The same way, whichever is shorter.
    let long = first(&fork(2, |p, i| (0..8).for_each(|_| diamond(p, i))), &["dfs"]);
    let short = first(&fork(8, |p, i| (0..2).for_each(|_| diamond(p, i))), &["dfs"]);
    assert_eq!(long, short);
}

#[test]
fn calls_are_entered_first_or_last() {
    // Targets: the line's, in the called function, and after the call.
    let program = fork(3, |p, i| call(p, i, 6));
    let targets = |order: &[&str]| found(&program, order, false).0;
    assert_eq!(targets(&["deep-calls"]).first(), Some(&1));
    assert_eq!(targets(&["shallow-calls"]).first(), Some(&0));
    assert_eq!(targets(&["bfs"]).first(), Some(&0));
    let program = fork(6, |p, i| call(p, i, 3));
    assert_eq!(first(&program, &["shallow-calls"]), 0);
    assert_eq!(first(&program, &["bfs"]), 1);
}

#[test]
fn loops_are_unrolled_first_or_last() {
    let far = fork(9, |p, _| rounds(p, 4));
    let near = fork(2, |p, _| rounds(p, 4));
    for (order, first_of_far, first_of_near) in [
        (&["bfs"][..], 1, 0),
        (&["few-iterations"], 0, 0),
        (&["many-iterations"], 1, 1),
        (&["few-iterations", "dfs"], 0, 0),
    ] {
        assert_eq!((first(&far, order), first(&near, order)), (first_of_far, first_of_near), "{order:?}");
    }
}

/// The way that has fewer edges to a target is gone to its end, however often it goes round.
#[test]
fn near_targets_are_gone_for_first() {
    let program = fork(3, |p, _| rounds(p, 40));
    assert_eq!(first(&program, &["bfs"]), 0);
    assert_eq!(first(&program, &["near-target"]), 1);
    let program = fork(1, |p, i| (0..3).for_each(|_| diamond(p, i)));
    assert_eq!(first(&program, &["near-target"]), 0);
    // Into a call, if the target is there.
    let program = fork(9, |p, i| call(p, i, 2));
    assert_eq!(first(&program, &["near-target"]), 1);
}

/// What decides about a target comes before what does not: the counter of a loop before conditions without effect.
#[test]
fn near_causes_are_gone_for_first() {
    let program = fork(3, |p, _| rounds(p, 40));
    assert_eq!(first(&program, &["near-cause"]), 1);
    let program = fork(1, |p, i| (0..30).for_each(|_| diamond(p, i)));
    assert_eq!(first(&program, &["near-cause"]), 0);
}

/// A random search is the same each time, and finds everything; another program, another way.
#[test]
fn random_searches_can_be_repeated() {
    let mut firsts = Vec::new();
    for n in 1..12 {
        let program = fork(n, |p, i| (0..n).for_each(|_| diamond(p, i)));
        let (targets, steps) = found(&program, &["random"], false);
        assert_eq!((targets.clone(), steps), found(&program, &["random"], false));
        assert_eq!(targets.len(), 2);
        firsts.push(targets[0]);
    }
    assert!(firsts.contains(&0) && firsts.contains(&1), "{firsts:?}");
}

/// The first criterion counts most.
#[test]
fn criteria_count_in_turn() {
    // A loop before the call: whoever puts iterations off takes the line; whoever prefers calls gets into the call once it is there.
    let program = fork(9, |p, i| {
        rounds(p, 4);
        call(p, i, 9);
    });
    assert_eq!(first(&program, &["few-iterations", "deep-calls"]), 0);
    assert_eq!(first(&program, &["many-iterations", "shallow-calls"]), 1);
}

/// What meets after ways of different lengths is merged before it is left behind.
#[test]
fn reverse_postorder_merges_before_it_goes_on() {
    let mut p = Builder::new(64);
    let (c, x, input) = (p.global("c", Sort::Bv(1)), p.global("x", Sort::Bv(8)), p.global("input", Sort::Bv(1)));
    let (one, two) = (p.int(8, 1), p.int(8, 2));
    p.input(c);
    let t = p.var(c);
    let cond = p.terms().nonzero(t);
    let (long, short) = p.branch(cond);
    let join = p.loc();
    p.edge(short, join, Op::assign(x, one));
    p.at = long;
    (0..4).for_each(|_| diamond(&mut p, input));
    let from = p.at;
    p.edge(from, join, Op::assign(x, two));
    p.at = join;
    (0..8).for_each(|_| diamond(&mut p, input));
    let three = p.int(8, 3);
    let wrong = {
        let t = p.var(x);
        p.terms().eq(t, three)
    };
    p.error_if(wrong);
    let program = finished(p);
    let steps = |order: &[&str]| found(&program, order, true).1;
    let once = steps(&["reverse-postorder"]);
    assert!(steps(&["bfs"]) >= once + 8 && steps(&["dfs"]) >= once, "{once} {} {}", steps(&["bfs"]), steps(&["dfs"]));
}
