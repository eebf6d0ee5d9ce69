//! The papers' examples of slices and dependences [Lemberger 2018, Fig. 4, 8b, 10, 20], and what slices keep of calls and ends.

use crate::common::{Build, RunningExample, assert_closed};
use cfa::bv::BvCmp;
use cfa::{AssumeKind, EdgeId, Id, Op, Sort, Term};
use slicer::{Criterion, Dependence, Reason, SliceOptions, slice, slice_for_targets};

/// What the slice for the targets keeps.
fn kept(b: &Build) -> Vec<EdgeId> {
    let s = slice_for_targets(&b.cfa);
    assert_closed(&b.cfa, &s);
    s.kept.ones().map(EdgeId::from_index).collect()
}

#[test]
fn running_example() {
    let RunningExample { b, l2, l3, l4, l5, l6, l9, l12, l13, l15, l16, .. } = RunningExample::new();
    let ([l5_yes, l5_no], [l12_yes, l12_no], [l15_yes, l15_no]) = (l5, l12, l15);
    let s = slice(&b.cfa, &[Criterion::reach(l13)], &SliceOptions::default()).slice;
    assert_closed(&b.cfa, &s);
    for e in [l2, l4, l5_yes, l5_no, l6, l12_yes] {
        assert!(s.kept.contains(e.index()), "{e} is kept");
    }
    for e in [l3, l9] {
        assert!(s.live.contains(e.index()) && !s.kept.contains(e.index()), "{e} is dropped");
    }
    for e in [l12_no, l15_yes, l15_no, l16] {
        assert!(!s.live.contains(e.index()), "{e} is cut off");
    }
}

/// Fig. 10: the second assignment is flow dependent on the first.
#[test]
fn flow_dependence() {
    let mut b = Build::new(32);
    let (a, x, c) = (b.local("a", 32), b.local("b", 32), b.local("c", 32));
    let zero = b.int(32, 0);
    let first = b.step(Op::assign(a, zero));
    let other = b.step(Op::assign(c, zero));
    let ta = b.var(a);
    let sum = b.cfa.terms.add_int(ta, 1);
    let second = b.step(Op::assign(x, sum));
    let tx = b.var(x);
    let cond = b.cfa.terms.nonzero(tx);
    let (_, yes, _) = b.target_if(cond);
    b.exit();
    assert_eq!(kept(&b), [first, second, yes]);
    assert!(!kept(&b).contains(&other));
}

/// Fig. 20: an if around a loop; the dependence on the outer branch is transitive through the inner one.
#[test]
fn nested_control_dependence() {
    let mut b = Build::new(32);
    let (p, i, r) = (b.local("p", 32), b.local("i", 32), b.local("r", 32));
    let (tp, ti, tr) = (b.var(p), b.var(i), b.var(r));
    let zero = b.int(32, 0);
    let in_p = b.input(p);
    let in_i = b.input(i);
    let init = b.step(Op::assign(r, zero));
    let outer = b.cfa.terms.nonzero(tp);
    let (join, p_yes, p_no) = b.branch(outer);
    let head = b.at;
    let inner = b.cfa.terms.nonzero(ti);
    let (after, i_yes, i_no) = b.branch(inner);
    let dec = b.cfa.terms.add_int(ti, u64::MAX);
    let step = b.step(Op::assign(i, dec));
    let inc = b.cfa.terms.add_int(tr, 1);
    let body = b.step_to(Op::assign(r, inc), head);
    b.edge(after, join, Op::Skip);
    b.go(join);
    let cond = b.cfa.terms.nonzero(tr);
    let (_, yes, _) = b.target_if(cond);
    b.exit();
    let mut all = vec![in_p, in_i, init, p_yes, p_no, i_yes, i_no, step, body, yes];
    all.sort_unstable();
    assert_eq!(kept(&b), all);
}

/// A loop that decides nothing is dropped, although it might not terminate.
#[test]
fn irrelevant_loops_are_dropped() {
    let mut b = Build::new(32);
    let (i, x) = (b.local("i", 32), b.local("x", 32));
    let (ti, tx) = (b.var(i), b.var(x));
    let in_x = b.input(x);
    b.input(i);
    let head = b.at;
    let again = b.cfa.terms.nonzero(ti);
    let (after, ..) = b.branch(again);
    let dec = b.cfa.terms.add_int(ti, u64::MAX);
    b.step_to(Op::assign(i, dec), head);
    b.go(after);
    let cond = b.cfa.terms.nonzero(tx);
    let (_, yes, _) = b.target_if(cond);
    b.exit();
    assert_eq!(kept(&b), [in_x, yes]);
}

/// So is one before the last criterion, whether what comes after that is cut off or not.
#[test]
fn irrelevant_loops_in_front_of_the_last_criterion_are_dropped() {
    let mut b = Build::new(32);
    let i = b.local("i", 32);
    let ti = b.var(i);
    b.input(i);
    let head = b.at;
    let again = b.cfa.terms.nonzero(ti);
    let (at, ..) = b.branch(again);
    let dec = b.cfa.terms.add_int(ti, u64::MAX);
    b.step_to(Op::assign(i, dec), head);
    b.go(at);
    b.step(Op::Skip);
    b.exit();
    for cutoff_diverging in [true, false] {
        let options = SliceOptions { cutoff_diverging, ..SliceOptions::default() };
        assert!(slice(&b.cfa, &[Criterion::reach(at)], &options).slice.kept.is_clear());
    }
}

/// What may trap before the criterion stays where that is wanted, with what decides it.
#[test]
fn traps_may_be_kept() {
    let mut b = Build::new(32);
    let (x, y) = (b.local("x", 32), b.local("y", 32));
    let tx = b.var(x);
    let in_x = b.input(x);
    let cond = b.cfa.terms.nonzero(tx);
    let guard = b.step(Op::Assume { cond, kind: AssumeKind::Guard });
    b.step(Op::assign(y, tx));
    let at = b.at;
    b.step(Op::Skip);
    b.exit();
    for (keep_traps, expected) in [(false, vec![]), (true, vec![in_x, guard])] {
        let options = SliceOptions { keep_traps, ..SliceOptions::default() };
        let s = slice(&b.cfa, &[Criterion::reach(at)], &options).slice;
        assert_eq!(s.kept.ones().map(EdgeId::from_index).collect::<Vec<_>>(), expected);
    }
}

/// What traps for 0 only does not trap for a number that was tested before, for its copies, and for constants.
#[test]
fn what_cannot_trap_is_dropped() {
    let mut b = Build::new(32);
    let [x, y] = ["x", "y"].map(|name| b.local(name, 32));
    let (tx, ty) = (b.var(x), b.var(y));
    let guard = |b: &mut Build, t: Term| {
        let cond = b.cfa.terms.nonzero(t);
        b.step(Op::Assume { cond, kind: AssumeKind::Guard })
    };
    let in_x = b.input(x);
    let first = guard(&mut b, tx);
    b.step(Op::assign(y, tx));
    guard(&mut b, ty);
    let again = b.input(x);
    guard(&mut b, ty);
    let second = guard(&mut b, tx);
    let seven = b.int(32, 7);
    b.step(Op::assign(y, seven));
    guard(&mut b, ty);
    let at = b.at;
    b.step(Op::Skip);
    b.exit();
    let options = SliceOptions { keep_traps: true, ..SliceOptions::default() };
    let s = slice(&b.cfa, &[Criterion::reach(at)], &options).slice;
    assert_eq!(s.kept.ones().map(EdgeId::from_index).collect::<Vec<_>>(), [in_x, first, again, second]);
}

/// A parameter is not 0 if it is not at any call, and a result if it is not at the function's exit.
#[test]
fn what_cannot_trap_is_known_beyond_calls() {
    for may_be_zero in [false, true] {
        let mut b = Build::new(32);
        let (x, main_at) = (b.local("x", 32), b.at);
        let [param, result] = ["f.p", "f.result"].map(|name| b.global(name, 32));
        let f = b.begin("f");
        b.cfa.funcs[f].params.push(param);
        let (tp, tr) = (b.var(param), b.var(result));
        let cond = b.cfa.terms.nonzero(tp);
        let in_callee = b.step(Op::Assume { cond, kind: AssumeKind::Guard });
        b.step(Op::assign(result, tp));
        b.exit();
        b.go(main_at);
        let seven = b.int(32, 7);
        b.step(Op::assign(param, seven));
        b.step(Op::Call(f));
        let in_x = b.input(x);
        let tx = b.var(x);
        let cond = b.cfa.terms.nonzero(tx);
        if !may_be_zero {
            b.assume(cond);
        }
        b.step(Op::assign(param, tx));
        b.step(Op::Call(f));
        let cond = b.cfa.terms.nonzero(tr);
        let after = b.step(Op::Assume { cond, kind: AssumeKind::Guard });
        let at = b.at;
        b.step(Op::Skip);
        b.exit();
        let options = SliceOptions { keep_traps: true, ..SliceOptions::default() };
        let s = slice(&b.cfa, &[Criterion::reach(at)], &options).slice;
        assert_eq!(s.kept.contains(in_callee.index()), may_be_zero);
        assert!(s.kept.contains(in_x.index()) && !s.kept.contains(after.index()));
    }
}

/// `void require(int c) { if (!c) abort(); }` before the criterion decides whether it is reached.
#[test]
fn ends_in_callees_are_kept() {
    let mut b = Build::new(32);
    let (x, z) = (b.local("x", 32), b.local("z", 32));
    let main_at = b.at;
    let param = b.global("require.c", 32);
    let require = b.begin("require");
    b.cfa.funcs[require].params.push(param);
    let tp = b.var(param);
    let holds = b.cfa.terms.nonzero(tp);
    let (fails, c_yes, _) = b.branch(holds);
    b.exit();
    b.go(fails);
    b.step(Op::Skip);
    // An unrelated function.
    let other = b.begin("other");
    let unrelated = b.local("u", 32);
    let zero = b.int(32, 0);
    let noise = b.step(Op::assign(unrelated, zero));
    b.exit();
    b.go(main_at);
    let in_x = b.input(x);
    let in_z = b.input(z);
    let (tx, tz) = (b.var(x), b.var(z));
    let pass = b.step(Op::assign(param, tx));
    let call = b.step(Op::Call(require));
    let call_other = b.step(Op::Call(other));
    let cond = b.cfa.terms.nonzero(tz);
    let (_, yes, _) = b.target_if(cond);
    b.exit();
    let mut all = vec![c_yes, in_x, in_z, pass, call, yes];
    all.sort_unstable();
    assert_eq!(kept(&b), all);
    assert!(!kept(&b).contains(&noise) && !kept(&b).contains(&call_other));
}

/// What a user assumes before the criterion stays; what is assumed after it is cut off.
#[test]
fn assumptions_are_kept() {
    let mut b = Build::new(32);
    let (x, y) = (b.local("x", 32), b.local("y", 32));
    let (tx, ty) = (b.var(x), b.var(y));
    let in_x = b.input(x);
    let in_y = b.input(y);
    let small = {
        let k = b.int(32, 10);
        b.cfa.terms.cmp(BvCmp::Ult, tx, k)
    };
    let assumed = b.assume(small);
    let cond = b.cfa.terms.nonzero(ty);
    let (_, yes, _) = b.target_if(cond);
    let nonzero = b.cfa.terms.nonzero(tx);
    b.assume(nonzero);
    b.exit();
    assert_eq!(kept(&b), [in_x, in_y, assumed, yes]);
}

/// Paths return to where they were called from: what follows the last call that matters is cut off, although the callee is live.
#[test]
fn calls_after_the_criterion_are_cut_off() {
    let mut b = Build::new(32);
    let main_at = b.at;
    let r = b.cfa.add_var("get.result", Sort::Bv(32), cfa::Scope::Global);
    let get = b.begin("get");
    let in_r = b.input(r);
    b.exit();
    b.go(main_at);
    let first = b.step(Op::Call(get));
    let tr = b.var(r);
    let cond = b.cfa.terms.nonzero(tr);
    let (_, yes, _) = b.target_if(cond);
    let second = b.step(Op::Call(get));
    b.exit();
    assert_eq!(kept(&b), [in_r, first, yes]);
    let s = slice_for_targets(&b.cfa);
    assert!(!s.live.contains(second.index()));
}

/// The way from a kept edge to the criterion, by the reasons.
#[test]
fn reasons_lead_to_the_criterion() {
    let mut b = Build::new(32);
    let (x, y) = (b.local("x", 32), b.local("y", 32));
    let (tx, ty) = (b.var(x), b.var(y));
    let in_x = b.input(x);
    let copied = b.step(Op::assign(y, tx));
    let cond = b.cfa.terms.nonzero(ty);
    let (target, yes, _) = b.target_if(cond);
    b.exit();
    let sliced = slice(&b.cfa, &[Criterion::reach(target)], &SliceOptions::default());
    let flow = |next, v| Reason::Edge { next, how: Dependence::Flow(v) };
    let last = Reason::Criterion { number: 0, how: Some(Dependence::Control) };
    assert_eq!(
        sliced.reasons.chain(in_x).collect::<Vec<_>>(),
        [(in_x, flow(copied, x)), (copied, flow(yes, y)), (yes, last)]
    );
}

/// Without cutting, what cannot reach the criterion stays, doing nothing.
#[test]
fn paths_that_miss_the_criterion_may_stay() {
    let mut b = Build::new(32);
    let (x, y) = (b.local("x", 32), b.local("y", 32));
    let tx = b.var(x);
    let in_x = b.input(x);
    let cond = b.cfa.terms.nonzero(tx);
    let (target, yes, no) = b.target_if(cond);
    let last = b.step(Op::assign(y, tx));
    b.exit();
    let options = SliceOptions { cutoff_diverging: false, ..SliceOptions::default() };
    let s = slice(&b.cfa, &[Criterion::reach(target)], &options).slice;
    assert!(s.live.contains(last.index()) && !s.kept.contains(last.index()));
    assert!([in_x, yes, no].iter().all(|e| s.kept.contains(e.index())));
}

/// Two calls of one function: only what the call that matters passes is kept, and the other call goes.
#[test]
fn calls_without_use_are_dropped() {
    let mut b = Build::new(32);
    let main_at = b.at;
    let (param, result) = (b.global("add.x", 32), b.global("add.result", 32));
    let add = b.begin("add");
    let tp = b.var(param);
    let one_more = b.cfa.terms.add_int(tp, 1);
    let body = b.step(Op::assign(result, one_more));
    b.exit();
    b.go(main_at);
    let (x, y, r) = (b.local("x", 32), b.local("y", 32), b.local("r", 32));
    let in_x = b.input(x);
    b.input(y);
    let (tx, ty, tr) = (b.var(x), b.var(y), b.var(result));
    let pass = b.step(Op::assign(param, tx));
    let call = b.step(Op::Call(add));
    let take = b.step(Op::assign(r, tr));
    let pass_other = b.step(Op::assign(param, ty));
    let call_other = b.step(Op::Call(add));
    let r = b.var(r);
    let cond = b.cfa.terms.nonzero(r);
    let (target, yes, _) = b.target_if(cond);
    b.exit();
    let mut all = vec![body, in_x, pass, call, take, yes];
    all.sort_unstable();
    assert_eq!(kept(&b), all);
    // Without contexts, the other call stays, with what it passes.
    let options = SliceOptions { context_sensitive: false, ..SliceOptions::default() };
    let s = slice(&b.cfa, &[Criterion::reach(target)], &options).slice;
    assert_closed(&b.cfa, &s);
    assert!(s.kept.contains(pass_other.index()) && s.kept.contains(call_other.index()));
}

/// What one kept call needs in a function is provided at each kept call (Binkley 1993).
#[test]
fn kept_calls_provide_what_is_needed() {
    let mut b = Build::new(32);
    let main_at = b.at;
    let (p, q, r1, r2) = (b.global("p", 32), b.global("q", 32), b.global("r1", 32), b.global("r2", 32));
    let both = b.begin("both");
    let (tp, tq) = (b.var(p), b.var(q));
    b.step(Op::assign(r1, tp));
    b.step(Op::assign(r2, tq));
    b.exit();
    b.go(main_at);
    let (x, y) = (b.local("x", 32), b.local("y", 32));
    let (tr1, tr2) = (b.var(r1), b.var(r2));
    let zero = b.int(32, 0);
    let first_p = b.step(Op::assign(p, zero));
    let first_q = b.step(Op::assign(q, zero));
    b.step(Op::Call(both));
    b.step(Op::assign(x, tr1));
    let second_p = b.step(Op::assign(p, zero));
    let second_q = b.step(Op::assign(q, zero));
    b.step(Op::Call(both));
    b.step(Op::assign(y, tr2));
    let (tx, ty) = (b.var(x), b.var(y));
    let cond = b.cfa.terms.eq(tx, ty);
    b.target_if(cond);
    b.exit();
    let kept = kept(&b);
    assert!([first_p, first_q, second_p, second_q].iter().all(|e| kept.contains(e)));
}

/// A write that surely covers what is read ends the search, for scalars and for bytes at fixed addresses.
#[test]
fn covered_writes_are_dropped() {
    let mut b = Build::new(32);
    let (x, y) = (b.local("x", 32), b.local("y", 32));
    let (zero, ones) = (b.int(32, 0), b.int(32, -1));
    let old_x = b.step(Op::assign(x, zero));
    let in_x = b.input(x);
    let tx = b.var(x);
    let at = |b: &mut Build, a: u64| b.word(a);
    let (a0, a2, a4) = (at(&mut b, 100), at(&mut b, 102), at(&mut b, 104));
    let half = b.int(16, 7);
    let covered = b.store(a0, zero);
    let low = b.store(a0, half);
    let high = b.store(a2, half);
    let beside = b.store(a4, ones);
    let loaded = b.load(a0, 32);
    let load = b.step(Op::assign(y, loaded));
    let anywhere = b.store(tx, zero);
    let ty = b.var(y);
    let again = b.load(a2, 16);
    let again = b.cfa.terms.zext(32, again);
    let cond = b.cfa.terms.eq(ty, again);
    let (_, yes, _) = b.target_if(cond);
    b.exit();
    assert_eq!(kept(&b), [in_x, low, high, load, anywhere, yes]);
    assert!([old_x, covered, beside].iter().all(|e| !kept(&b).contains(e)));
}

/// An input that is kept is executed as often as in the program, so that inputs can be given by number.
#[test]
fn inputs_keep_their_numbers() {
    let mut b = Build::new(32);
    let main_at = b.at;
    let result = b.global("read.result", 32);
    let read = b.begin("read");
    let input = b.input(result);
    b.exit();
    b.go(main_at);
    let x = b.local("x", 32);
    let unused = b.step(Op::Call(read));
    let used = b.step(Op::Call(read));
    let tr = b.var(result);
    let take = b.step(Op::assign(x, tr));
    let tx = b.var(x);
    let cond = b.cfa.terms.nonzero(tx);
    let (_, yes, _) = b.target_if(cond);
    b.exit();
    assert_eq!(kept(&b), [input, unused, used, take, yes]);
}
