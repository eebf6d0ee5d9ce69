//! k-induction: what it proves with which k, and that the copies of its certificates cannot be bent into proofs of what is wrong.

use crate::support::generator::random_program;
use crate::support::*;
use cfa::bv::BvCmp;
use cfa::path::Env;
use cfa::view::Slice;
use cfa::{AssumeKind, FuncId, LocId, Op, Sort, Term, Terms, VarId};
use checker::{Certificate, CheckError, LoopLabel, Window};
use kerf_testing::Random;
use std::sync::Arc;
use verifier::program::Program;
use verifier::strategies::k_induction::{self, Options, Statistics};
use verifier::unwind::{Abstraction, Bounds, NoPruning, Unwind};

fn induction(program: &Program, invariants: bool, last_k: u32) -> (Verdict, Statistics) {
    run(program, Options { invariants, base: false, last_k, ..Options::default() })
}

fn run(program: &Program, options: Options) -> (Verdict, Statistics) {
    let mut statistics = Statistics::default();
    let make = |limits| smt::standard(limits);
    let result = k_induction::run(program, options, &make, patient(), &mut statistics);
    (verdict(program, result), statistics)
}

/// k-induction without any invariant.
struct Plain(u32);

impl Abstraction for Plain {
    fn iterations(&self, nesting: u32) -> u32 {
        if nesting == 0 { self.0 } else { 2 }
    }

    fn arrive(&mut self, _: &Program, _: &mut Terms, _: LocId, _: &mut Env, _: Term) {}

    fn assume(&mut self, _: &Program, _: &mut Terms, _: LocId, _: &mut Env, guard: Term) -> Term {
        guard
    }

    fn has_contract(&self, _: FuncId) -> bool {
        false
    }

    fn pass_over(&mut self, _: &Program, terms: &mut Terms, _: FuncId, _: &mut Env, _: Term) -> Term {
        terms.tt()
    }
}

/// `for (i = 0; i < n; i++) last = i;` with an input for n up to `limit`, at whose end something is wrong that is wrong of `i`.
fn bounded(limit: i64, wrong: impl FnOnce(&mut Builder, Term) -> Term) -> Program {
    let mut p = Builder::new(64);
    let [i, n] = ["i", "n"].map(|name| p.global(name, Sort::Bv(8)));
    let (ti, tn, zero, one, end) = (p.var(i), p.var(n), p.int(8, 0), p.int(8, 1), p.int(8, limit));
    p.input(n);
    let fits = p.terms().cmp(BvCmp::Ule, tn, end);
    p.step(Op::Assume { cond: fits, kind: AssumeKind::User });
    p.assign(i, zero);
    let (more, next) = (p.terms().cmp(BvCmp::Ult, ti, tn), p.terms().add(ti, one));
    p.repeat(more, |p| p.assign(i, next));
    let wrong = wrong(&mut p, ti);
    p.error_if(wrong);
    finished(p)
}

/// What takes more iterations than the step may have, the base unwinds beside it: violations, and all iterations that there are.
#[test]
fn the_base_beside_the_step_answers_what_the_step_leaves() {
    let is = |k| {
        move |p: &mut Builder, i: Term| {
            let k = p.int(8, k);
            p.terms().eq(i, k)
        }
    };
    for base in [false, true] {
        let options = Options { invariants: false, base, last_k: 1, ..Options::default() };
        let (late, statistics) = run(&bounded(9, is(9)), options);
        let (never, _) = run(&bounded(9, is(10)), options);
        match base {
            true => assert_eq!((late, never), (Verdict::False, Verdict::True)),
            false => assert!(matches!((late, never), (Verdict::Unknown(_), Verdict::Unknown(_)))),
        }
        assert_eq!(statistics.bound >= 9, base, "{}", statistics.bound);
    }
}

/// The graph that k-induction would prove the program with, whether it does or not.
fn graph(program: &Program, k: u32) -> Certificate {
    let mut terms = program.overlay();
    let bounds = Bounds { counted: 1, free: 8 };
    let mut plain = Plain(k);
    let (budget, feasibility, loops) = (patient(), &mut NoPruning, Some(&mut plain as &mut dyn Abstraction));
    let found = Unwind { program, terms: &mut terms, bounds, budget, feasibility, loops }.program().expect("a graph");
    let mut nodes = found.nodes;
    for of in found.loops {
        let written = program.written_in(&program.component_of(of.head));
        nodes[of.node as usize].repeats =
            Some(Box::new(LoopLabel { written, window: of.window, ..LoopLabel::default() }));
    }
    Certificate {
        slice: program.slice.clone(),
        terms: program.overlay(),
        frames: found.frames,
        nodes,
        contracts: Vec::new(),
        explored: None,
    }
}

fn is_accepted(program: &Program, cert: &Certificate) -> bool {
    let mut solver = smt::standard(smt::Limits::default());
    match checker::check(&program.cfa, cert, &mut solver, None) {
        Ok(_) => true,
        Err(CheckError::Rejected(_)) => false,
        Err(e) => panic!("{e}"),
    }
}

/// `n` places that values are passed along, the last of which is never 1; the first gets `fresh`, all begin with zeros but the one at `one`.
fn pipeline(n: usize, fresh: i64, one: Option<usize>) -> Program {
    let mut b = Builder::new(64);
    let places: Vec<VarId> = (0..n).map(|i| b.global(&format!("p{i}"), Sort::Bv(8))).collect();
    for (i, p) in places.iter().enumerate() {
        let value = b.int(8, i64::from(one == Some(i)));
        b.assign(*p, value);
    }
    let go = b.terms().tt();
    b.repeat(go, |b| {
        let (last, is) = (b.var(places[n - 1]), b.int(8, 1));
        let wrong = b.terms().eq(last, is);
        b.error_if(wrong);
        for i in (1..n).rev() {
            let before = b.var(places[i - 1]);
            b.assign(places[i], before);
        }
        let first = b.int(8, fresh);
        b.assign(places[0], first);
    });
    finished(b)
}

#[test]
fn longer_memories_need_larger_k() {
    for n in 1..5 {
        let program = pipeline(n, 0, None);
        let (verdict, statistics) = induction(&program, false, 20);
        assert_eq!(verdict, Verdict::True);
        // The value that is looked at entered as many iterations ago.
        assert!((n as u64 + 1..=n as u64 + 2).contains(&statistics.k), "{n} places: {}", statistics.k);
        assert!(!is_accepted(&program, &graph(&program, n as u32)));
        for k in n as u32 + 1..n as u32 + 3 {
            assert!(is_accepted(&program, &graph(&program, k)), "{n} places, k = {k}");
        }
        // Candidates make it 1-inductive.
        let (verdict, statistics) = induction(&program, true, 20);
        assert_eq!((verdict, statistics.k), (Verdict::True, 1));
    }
}

#[test]
fn the_base_finds_what_goes_wrong() {
    for n in 1..5 {
        for one in 0..n {
            let program = pipeline(n, 0, Some(one));
            let (verdict, statistics) = induction(&program, false, 20);
            assert_eq!(verdict, Verdict::False);
            assert!(statistics.k >= (n - one) as u64);
            assert!((1..n as u32 + 3).all(|k| !is_accepted(&program, &graph(&program, k))));
        }
        let program = pipeline(n, 1, None);
        assert_eq!(induction(&program, false, 20).0, Verdict::False);
        assert!((1..n as u32 + 3).all(|k| !is_accepted(&program, &graph(&program, k))));
    }
}

/// `if (state == 1) { if (*) { a = (* & 255) * 257; state = 2; } } else if (state == 2) { b = a; state = * ? 3 : 1; } else if (state == 3) { c = b; state = 4; }
/// else if (state == 4) { d = c; state = 5; } else if (state == 5) { error if (d & 255) != d >> 8; state = 1; } else if (*) { d = *; state = 5; }`
fn state_machine() -> Program {
    let mut b = Builder::new(64);
    let [state, a, bb, c, d, any] = ["state", "a", "b", "c", "d", "any"].map(|n| b.global(n, Sort::Bv(16)));
    for (v, k) in [(state, 1), (a, 0), (bb, 0), (c, 0), (d, 0)] {
        let k = b.int(16, k);
        b.assign(v, k);
    }
    let go = b.terms().tt();
    b.repeat(go, |b| {
        b.input(any);
        let end = b.loc();
        let is = |b: &mut Builder, k: i64| {
            let (s, k) = (b.var(state), b.int(16, k));
            b.terms().eq(s, k)
        };
        let become_ = |b: &mut Builder, k: i64| {
            let k = b.int(16, k);
            b.assign(state, k);
            let at = b.at;
            b.edge(at, end, cfa::Op::Skip);
        };
        let odd = |b: &mut Builder| {
            let (x, one) = (b.var(any), b.int(16, 1));
            let low = b.terms().bv_op(cfa::bv::BvOp::And, x, one);
            b.terms().eq(low, one)
        };
        for k in 1..=5 {
            let here = is(b, k);
            let (yes, no) = b.branch(here);
            b.at = yes;
            match k {
                1 => {
                    let (x, mask, twice) = (b.var(any), b.int(16, 255), b.int(16, 257));
                    let goes = odd(b);
                    let (yes, no) = b.branch(goes);
                    b.edge(no, end, cfa::Op::Skip);
                    b.at = yes;
                    let byte = b.terms().bv_op(cfa::bv::BvOp::And, x, mask);
                    let both = b.terms().bv_op(cfa::bv::BvOp::Mul, byte, twice);
                    b.assign(a, both);
                    become_(b, 2);
                }
                2 => {
                    let value = b.var(a);
                    b.assign(bb, value);
                    let goes = odd(b);
                    let (yes, no) = b.branch(goes);
                    b.at = yes;
                    become_(b, 3);
                    b.at = no;
                    become_(b, 1);
                }
                3 | 4 => {
                    let (from, to) = if k == 3 { (bb, c) } else { (c, d) };
                    let value = b.var(from);
                    b.assign(to, value);
                    become_(b, k + 1);
                }
                _ => {
                    let x = b.var(d);
                    let (low, high) = (b.terms().extract(7, 0, x), b.terms().extract(15, 8, x));
                    let alike = b.terms().eq(low, high);
                    let wrong = b.terms().not(alike);
                    b.error_if(wrong);
                    become_(b, 1);
                }
            }
            b.at = no;
        }
        let goes = odd(b);
        let (yes, no) = b.branch(goes);
        b.edge(no, end, cfa::Op::Skip);
        b.at = yes;
        let value = b.var(any);
        b.assign(d, value);
        become_(b, 5);
        b.at = end;
    });
    finished(b)
}

#[test]
fn state_machines_need_both_invariants_and_k() {
    let program = state_machine();
    let (verdict, statistics) = induction(&program, true, 20);
    assert_eq!(verdict, Verdict::True);
    assert!((4..=6).contains(&statistics.k), "{}", statistics.k);
    assert!(matches!(induction(&program, true, 3).0, Verdict::Unknown(_)));
    assert!(matches!(induction(&program, false, 9).0, Verdict::Unknown(_)));
}

/// Changes one of a certificate's windows, or a step.
fn bend(rng: &mut Random, cert: &mut Certificate) {
    let n = cert.nodes.len() as u64;
    let heads: Vec<usize> = (0..cert.nodes.len()).filter(|i| cert.nodes[*i].repeats.is_some()).collect();
    let window = |cert: &mut Certificate, rng: &mut Random, change: &dyn Fn(&mut Random, &mut Window)| {
        if heads.is_empty() {
            return;
        }
        let head = rng.pick(&heads);
        if let Some(w) = cert.nodes[head].repeats.as_mut().and_then(|l| l.window.as_mut()) {
            change(rng, w);
        }
    };
    match rng.below(9) {
        0 => window(cert, rng, &|_, w| w.base.truncate(w.base.len().saturating_sub(1))),
        1 => window(cert, rng, &|_, w| w.assumed.truncate(w.assumed.len().saturating_sub(1))),
        2 => window(cert, rng, &|_, w| w.checked = w.assumed.pop().unwrap_or(w.checked)),
        3 => window(cert, rng, &|_, w| w.assumed.push(w.checked)),
        4 => window(cert, rng, &|rng, w| w.checked = rng.below(n) as u32),
        5 => window(cert, rng, &|rng, w| w.end = rng.below(n + 1) as u32),
        6 => window(cert, rng, &|_, w| {
            let moved = w.assumed.len().min(1);
            w.base.extend(w.assumed.drain(..moved));
        }),
        _ => {
            let i = rng.below(n) as usize;
            let to = rng.below(n) as u32;
            let node = &mut cert.nodes[i];
            if node.successors.is_empty() {
                return;
            }
            let s = rng.below(node.successors.len() as u64) as usize;
            if rng.one_in(3) {
                node.successors.remove(s);
            } else {
                node.successors[s].to = to;
            }
        }
    }
}

/// `KERF_FUZZ_RUNS` sets how many programs.
#[test]
fn fuzz_windows_prove_only_what_holds() {
    let runs = kerf_testing::fuzz_runs(120);
    let (mut solved, mut accepted, mut bent) = ([0u64; 2], 0, 0);
    for seed in 0..runs {
        let program = random_program(seed);
        let Some(violated) = brute_force(&program.cfa, 3_000) else { continue };
        for (i, invariants) in [false, true].into_iter().enumerate() {
            match induction(&program, invariants, 5).0 {
                Verdict::True => assert!(!violated, "seed {seed}: k-induction proves what is wrong"),
                Verdict::False => assert!(violated, "seed {seed}: k-induction refutes what is right"),
                Verdict::Unknown(_) => continue,
                Verdict::Rejected(reason) => panic!("seed {seed}: {reason}"),
            }
            solved[i] += 1;
        }
        let mut rng = Random::new(seed);
        for k in 1..4 {
            let cert = graph(&program, k);
            let holds = is_accepted(&program, &cert);
            assert!(!holds || !violated, "seed {seed}: k = {k} proves what is wrong");
            accepted += u32::from(holds);
            for _ in 0..4 {
                let mut mutant = cert.clone();
                for _ in 0..1 + rng.below(2) {
                    bend(&mut rng, &mut mutant);
                }
                let holds = is_accepted(&program, &mutant);
                assert!(!holds || !violated, "seed {seed}: bent, k = {k} proves what is wrong");
                bent += u32::from(holds);
            }
        }
    }
    println!("{solved:?} solved, {accepted} graphs accepted, {bent} bent ones");
    assert!(solved[1] * 2 > runs && solved[0] <= solved[1] && accepted > 20 && bent > 20, "{solved:?}");
}

/// Executions that come back to the head cannot be left out of assumed iterations, though those that leave the loop may.
#[test]
fn assumed_iterations_keep_what_comes_back() {
    for (n, k) in [(3, 2), (4, 2), (5, 3)] {
        let program = pipeline(n, 1, None);
        let cert = graph(&program, k);
        let window = cert.nodes.iter().find_map(|node| node.repeats.as_ref()?.window.as_ref()).expect("a loop");
        let mut bent = 0;
        for node in window.assumed[0]..window.checked {
            for s in 0..cert.nodes[node as usize].successors.len() {
                let mut mutant = cert.clone();
                mutant.nodes[node as usize].successors.remove(s);
                assert!(!is_accepted(&program, &mutant), "{n} places, k = {k}: successor {s} of node {node}");
                bent += 1;
            }
        }
        assert!(bent >= k - 1, "{bent}");
    }
}

/// What comes after a loop is reached from the base and the checked iteration: they cannot do without their ways out.
#[test]
fn iterations_that_are_not_assumed_keep_their_ways_out() {
    let mut b = Builder::new(64);
    let i = b.global("i", Sort::Bv(8));
    let zero = b.int(8, 0);
    b.assign(i, zero);
    let (x, three) = (b.var(i), b.int(8, 3));
    let below = b.terms().cmp(cfa::bv::BvCmp::Ult, x, three);
    b.repeat(below, |b| {
        let x = b.var(i);
        let next = b.terms().add_int(x, 1);
        b.assign(i, next);
    });
    let reached = b.terms().eq(x, three);
    b.error_if(reached);
    let program = finished(b);
    for k in 1..4 {
        let cert = graph(&program, k);
        assert!(!is_accepted(&program, &cert));
        let head = cert.nodes.iter().position(|n| n.repeats.is_some()).expect("a loop");
        let window = cert.nodes[head].repeats.as_ref().and_then(|l| l.window.as_ref());
        let inside = head as u32..window.map_or(cert.nodes.len() as u32, |w| w.end);
        let mut mutant = cert.clone();
        for node in inside.clone() {
            mutant.nodes[node as usize].successors.retain(|s| inside.contains(&s.to));
        }
        assert!(!is_accepted(&program, &mutant), "k = {k}");
    }
}

/// A counter that begins with 0 or `last`, where it ends, and that must not be `wrong` at the head of the loop.
fn counter(wrong: u64, last: u64) -> (Program, VarId) {
    let mut b = Builder::new(64);
    let [i, any] = ["i", "any"].map(|n| b.global(n, Sort::Bv(8)));
    b.input(any);
    let (x, zero, end) = (b.var(any), b.int(8, 0), b.int(8, last as i64));
    let is_zero = b.terms().eq(x, zero);
    let first = b.terms().ite(is_zero, zero, end);
    b.assign(i, first);
    let go = b.terms().tt();
    b.repeat(go, |b| {
        let (x, wrong) = (b.var(i), b.int(8, wrong as i64));
        let reached = b.terms().eq(x, wrong);
        b.error_if(reached);
        let below = b.terms().cmp(cfa::bv::BvCmp::Ult, x, end);
        let more = b.terms().add_int(x, 1);
        let next = b.terms().ite(below, more, end);
        b.assign(i, next);
    });
    (finished(b), i)
}

/// The base has as many iterations as are assumed: what happens in the last of them may be seen nowhere else.
#[test]
fn no_iteration_of_the_base_is_passed_over() {
    let (program, _) = counter(2, 3);
    let cert = graph(&program, 4);
    assert!(!is_accepted(&program, &cert));
    let window = cert.nodes.iter().find_map(|node| node.repeats.as_ref()?.window.clone()).expect("a loop");
    let [second, third] = window.base[..] else { panic!("two more iterations") };
    // Over its second iteration into the third, and out of its second among the assumed ones.
    for (from, to, instead) in [(0..second, second, third), (second..third, third, window.assumed[0])] {
        let mut mutant = cert.clone();
        let nodes = &mut mutant.nodes[from.start as usize..from.end as usize];
        for s in nodes.iter_mut().flat_map(|node| &mut node.successors).filter(|s| s.to == to) {
            s.to = instead;
        }
        assert!(!is_accepted(&program, &mutant), "{from:?}");
    }
}

/// An invariant that is wrong in the second iteration only leaves nothing after it that would be assumed.
#[test]
fn invariants_hold_in_all_iterations_of_the_base() {
    let (program, i) = counter(3, 4);
    let mut cert = graph(&program, 3);
    let terms = &mut cert.terms;
    let (x, one) = (terms.var(i, Sort::Bv(8)), terms.int(8, 1));
    let is_one = terms.eq(x, one);
    let never = terms.not(is_one);
    let label = cert.nodes.iter_mut().find_map(|node| node.repeats.as_mut()).expect("a loop");
    label.invariants.push(never);
    assert!(!is_accepted(&program, &cert));
}

/// A window has the form that the argument needs, and each part of the form is asked for.
#[test]
fn windows_have_their_form() {
    let program = pipeline(2, 0, None);
    let cert = graph(&program, 3);
    assert!(is_accepted(&program, &cert));
    let head = cert.nodes.iter().position(|n| n.repeats.is_some()).expect("a loop");
    let rejected = |change: &dyn Fn(&mut Window)| {
        let mut mutant = cert.clone();
        change(mutant.nodes[head].repeats.as_mut().and_then(|l| l.window.as_mut()).expect("a window"));
        let mut solver = smt::standard(smt::Limits::default());
        match checker::check(&program.cfa, &mutant, &mut solver, None) {
            Err(CheckError::Rejected(reason)) => reason,
            other => panic!("{other:?}"),
        }
    };
    assert!(rejected(&|w| w.base.clear()).contains("fewer iterations"));
    assert!(rejected(&|w| w.assumed.clear()).contains("fewer iterations"));
    assert!(rejected(&|w| w.end = w.checked - 1).contains("do not follow each other"));
    assert!(rejected(&|w| w.checked = w.assumed[0]).contains("do not follow each other"));
    assert!(rejected(&|w| w.base[0] += 1).contains("elsewhere"));
    assert!(rejected(&|w| w.assumed.truncate(1)).contains("in the middle"));
    assert!(rejected(&|w| w.end = w.checked + 1).contains("not where an iteration"));
    let text = checker::text::write(&program.cfa, &cert);
    let again = checker::text::read(&text, &program.cfa).expect("as it was written");
    assert_eq!(again.nodes[head].repeats, cert.nodes[head].repeats);
    assert!(is_accepted(&program, &again));
    let whole = Slice::whole(&program.cfa);
    assert!(is_accepted(&Program::new(Arc::new((*program.cfa).clone()), whole), &again));
}
