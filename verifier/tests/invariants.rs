//! The invariants CPA: its numbers against the operators' meaning, its states against executions, I's examples, and what it generates.

use crate::support::documents::*;
use crate::support::generator::random_program;
use crate::support::*;
use cfa::bv::{Bv, BvCmp, BvOp};
use cfa::eval::{Value as Concrete, eval_bool};
use cfa::term::{Leaf, Printer};
use cfa::{AssumeKind, LocId, Op, Sort, Term, Terms, VarId};
use kerf_testing::Random;
use kerf_testing::recipe::{Ingredient, Menu, constant, random};
use proptest::prelude::*;
use rustc_hash::FxHashMap;
use std::collections::HashSet;
use std::ops::ControlFlow;
use verifier::cpa::skeleton::composite::Composite;
use verifier::cpa::{Cpa, Cx, Located};
use verifier::domains::intervals::bits::Bits;
use verifier::domains::intervals::ranges::{MAX_RANGES, Ranges, greatest};
use verifier::domains::intervals::value::Value;
use verifier::domains::intervals::{Interesting, InvariantsCpa};
use verifier::invariants::abstract_interpretation::{Told, generate};
use verifier::program::Program;
use verifier::strategies::composition::Composition;
use verifier::strategies::k_induction;

fn bv(width: u32, k: u64) -> Bv {
    Bv::new(width, k)
}

fn word(k: Bv) -> u64 {
    k.to_u64().expect("at most 64 bits")
}

/// The results of everything that a value of `a` and one of `b` can go through contain those of their numbers.
fn check_operators(a: &Value, b: &Value, numbers: &[(u64, u64)]) {
    let width = a.width();
    let all: Vec<(BvOp, Value)> = BvOp::ALL.map(|op| (op, Value::apply(op, a, b))).to_vec();
    let compared: Vec<(BvCmp, Value)> = BvCmp::ALL.map(|cmp| (cmp, Value::compare(cmp, a, b))).to_vec();
    let equal = Value::equal(a, b);
    for &(x, y) in numbers {
        assert!(a.contains(x) && b.contains(y));
        let (kx, ky) = (bv(width, x), bv(width, y));
        for (op, results) in &all {
            let k = word(Bv::apply(*op, &kx, &ky));
            assert!(results.contains(k), "{x} {op:?} {y} = {k} of {width} bits: {a:?} and {b:?} give {results:?}");
        }
        for (cmp, results) in &compared {
            assert!(results.contains(u64::from(Bv::compare(*cmp, &kx, &ky))), "{x} {cmp:?} {y}: {a:?} and {b:?}");
            if Bv::compare(*cmp, &kx, &ky) {
                assert!(Value::compared(*cmp, b, true).contains(x), "{x} {cmp:?} {y}: {b:?}");
                assert!(Value::compared(*cmp, a, false).contains(y), "{x} {cmp:?} {y}: {a:?}");
            }
        }
        assert!(equal.contains(u64::from(x == y)));
    }
    let (union, both) = (a.union(b), a.intersect(b));
    assert!(a.is_subset(&union) && b.is_subset(&union), "{a:?} and {b:?}: {union:?}");
    let wider = a.widen(b, &[0]);
    assert!(a.is_subset(&wider) && b.is_subset(&wider), "{a:?} and {b:?}: {wider:?}");
    assert!(numbers.iter().all(|(x, _)| !b.contains(*x) || both.contains(*x)), "{a:?} and {b:?}: {both:?}");
    check_unary(a, b, numbers);
}

fn check_unary(a: &Value, b: &Value, numbers: &[(u64, u64)]) {
    let width = a.width();
    let (low, high) = (width / 3, width - 1 - width / 4);
    for &(x, y) in numbers {
        let k = bv(width, x);
        assert!(a.not().contains(word(k.not())) && a.negate().contains(word(k.neg())), "{a:?}");
        assert!(a.extract(high, low).contains(word(k.extract(high, low))), "{x}: {a:?}");
        if width < 64 {
            let wider = 32 + width / 2;
            let (zext, sext) = (a.zext(wider), a.sext(wider));
            assert!(zext.contains(word(k.zext(wider))) && sext.contains(word(k.sext(wider))), "{x}: {a:?}");
            assert!(zext.zext_back(width).contains(x) && sext.sext_back(width).contains(x), "{x}: {a:?}");
        }
        if width <= 32 {
            assert!(a.concat(b).contains(word(k.concat(&bv(width, y)))), "{x} {y}: {a:?} {b:?}");
        }
    }
}

#[test]
fn operators_contain_all_results_of_few_bits() {
    for width in 1..=3u32 {
        let count = 1u64 << width;
        let sets: Vec<Vec<u64>> =
            (0..1u64 << count).map(|set| (0..count).filter(|k| set >> k & 1 == 1).collect()).collect();
        let value = |set: &[u64]| Value::of_ranges(Ranges::of(width, set.iter().map(|k| (*k, *k))));
        // Of three bits, intervals and some more.
        let is_chosen = |i: &usize| width < 3 || [1, 2, 3, 6, 15, 24, 60, 85, 129, 170, 195, 254, 255].contains(i);
        let chosen: Vec<&Vec<u64>> =
            sets.iter().enumerate().filter(|(i, _)| is_chosen(i)).map(|(_, set)| set).collect();
        for a in &chosen {
            assert!(a.iter().all(|k| value(a).contains(*k)) && value(a).ranges().count(99) == a.len() as u64);
            for b in &chosen {
                let pairs: Vec<(u64, u64)> = a.iter().flat_map(|x| b.iter().map(|y| (*x, *y))).collect();
                check_operators(&value(a), &value(b), &pairs);
            }
        }
    }
}

/// A value of some width, with one of its numbers.
fn value(width: u32) -> impl Strategy<Value = (Value, u64)> {
    let most = greatest(width);
    let near = move |k: u64| {
        prop_oneof![Just(k & most), (0..20u64).prop_map(move |d| k.wrapping_add(d).wrapping_sub(10) & most)]
    };
    let number = prop_oneof![any::<u64>().prop_map(move |k| k & most), near(0), near(most >> 1), near(37)];
    let intervals = prop::collection::vec((number.clone(), 0..=most.min(1 << 20)), 0..2 * MAX_RANGES);
    (number, 0..=most.min(300), intervals, any::<u64>(), any::<bool>()).prop_map(
        move |(k, more, all, known, has_bits)| {
            let around = (k, k.saturating_add(more).min(most));
            let all = all.into_iter().map(|(low, size)| (low, low.saturating_add(size).min(most)));
            let ranges = Ranges::of(width, all.chain([around]));
            let bits = Bits { value: k & known, unknown: most & !known };
            let value = if has_bits {
                Value::of_ranges(ranges).intersect(&Value::of_bits(width, bits))
            } else {
                Value::of_ranges(ranges)
            };
            (value, k)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn operators_contain_all_results(
        ((a, x), (b, y)) in (1..=64u32).prop_flat_map(|width| (value(width), value(width)))
    ) {
        check_operators(&a, &b, &[(x, y)]);
        check_operators(&a, &a, &[(x, x)]);
    }

    /// Values grow in few steps.
    #[test]
    fn chains_of_values_have_an_end(
        (start, all) in (1..=64u32).prop_flat_map(|width| (value(width), prop::collection::vec(value(width), 200)))
    ) {
        let starts: Vec<u64> = [0, 1, 2, 37, 38].into_iter().filter(|k| *k <= greatest(start.0.width())).collect();
        let (mut value, mut steps) = (start.0, 0);
        for (next, k) in all {
            let wider = value.widen(&next, &starts);
            assert!(value.is_subset(&wider) && next.is_subset(&wider) && wider.contains(k), "{value:?} {next:?} {wider:?}");
            steps += u32::from(wider != value);
            value = wider;
        }
        assert!(steps <= 5 + 64, "{steps}");
    }

    /// The conditions of a value hold for its numbers, and for no number that it does not have.
    #[test]
    fn conditions_say_what_the_value_is(
        ((a, x), k) in (1..=64u32).prop_flat_map(|width| (value(width), any::<u64>().prop_map(move |k| k & greatest(width))))
    ) {
        let mut terms = cfa::Terms::new();
        let t = terms.var(VarId(0), Sort::Bv(a.width()));
        let conditions = a.conditions(&mut terms, t);
        let all = terms.and_all(conditions);
        for k in [x, k, x.wrapping_add(1) & greatest(a.width())] {
            let holds = eval_bool(&terms, all, &mut |_| Some(Concrete::Bv(bv(a.width(), k))));
            prop_assert_eq!(holds, Some(a.contains(k)), "{} of {:?}", k, a);
        }
    }
}

/// A program without branches that computes a random term step by step, and assumes what is true of it: with the values that its variables
/// then have.
fn straight(seed: u64) -> (Program, FxHashMap<VarId, Concrete>) {
    let mut rng = Random::new(seed);
    let menu = if rng.one_in(2) { Menu::FewBits } else { Menu::Bits };
    let recipe = random(seed, menu, 12);
    let values = recipe.values().expect("no floats");
    let mut p = Builder::new(64);
    let mut vars: Vec<Option<VarId>> = Vec::new();
    let mut known: FxHashMap<VarId, Concrete> = FxHashMap::default();
    for (i, Ingredient { value, constant }) in recipe.ingredients.iter().enumerate() {
        let v = (!constant).then(|| p.global(&format!("v{i}"), value.sort()));
        known.extend(v.map(|v| (v, value.clone())));
        if let Some(v) = v {
            p.input(v);
        }
        vars.push(v);
    }
    let mut terms: Vec<Term> = Vec::new();
    for (i, value) in values.iter().enumerate() {
        let t = match (vars.get(i), i.checked_sub(recipe.ingredients.len())) {
            (Some(Some(v)), _) => p.var(*v),
            (Some(None), _) => constant(p.terms(), value),
            (None, step) => {
                let step = &recipe.steps[step.expect("a step")];
                let args: Vec<Term> = step.args.iter().map(|i| terms[*i]).collect();
                let t = p.terms().make(step.kind, &args, step.sort);
                if rng.one_in(3) {
                    t
                } else {
                    // By a variable, which may be a new one, or overwrite one.
                    let old = known.keys().copied().filter(|v| p.cfa.vars[*v].sort == step.sort).max();
                    let v = match old {
                        Some(v) if rng.one_in(4) => v,
                        _ => p.global(&format!("s{i}"), step.sort),
                    };
                    p.assign(v, t);
                    if known.insert(v, value.clone()).is_some() {
                        // Terms that read it mean its value before.
                        for (t, value) in terms.iter_mut().zip(&values) {
                            if p.terms().vars(*t).contains(&v) {
                                *t = constant(p.terms(), value);
                            }
                        }
                    }
                    p.var(v)
                }
            }
        };
        terms.push(t);
        if rng.one_in(2) {
            let cond = truth(&mut p, &mut rng, t, value);
            p.step(Op::Assume { cond, kind: AssumeKind::User });
        }
    }
    // Nothing dies before.
    let mut cond = p.terms().tt();
    for v in p.cfa.vars.ids().collect::<Vec<VarId>>() {
        let (x, value) = (p.var(v), constant(p.terms(), &known[&v]));
        let same = p.terms().eq(x, value);
        cond = p.terms().and(cond, same);
    }
    p.step(Op::Assume { cond, kind: AssumeKind::User });
    (finished(p), known)
}

/// Something that is true of a term with this value.
fn truth(p: &mut Builder, rng: &mut Random, t: Term, value: &Concrete) -> Term {
    let (cond, holds) = match value {
        Concrete::Bool(b) => (t, *b),
        Concrete::Bv(k) => {
            let other = if rng.one_in(3) { k.clone() } else { rng.bits(k.width()) };
            let other_term = p.terms().constant(&other);
            match rng.below(5) {
                0 => (p.terms().eq(t, other_term), *k == other),
                i => {
                    let cmp = BvCmp::ALL[i as usize - 1];
                    (p.terms().cmp(cmp, t, other_term), Bv::compare(cmp, k, &other))
                }
            }
        }
        Concrete::Array(_) => unreachable!("no memories"),
    };
    if holds { cond } else { p.terms().not(cond) }
}

#[test]
fn fuzz_conditions_and_definitions_never_exclude_an_execution() {
    let runs = kerf_testing::fuzz_runs(700);
    let (mut told, mut all) = (0, 0);
    for seed in 0..runs {
        let (program, known) = straight(seed);
        let mut solver = smt::standard(smt::Limits::default());
        let mut cx = Cx::new(&program, &mut solver, patient());
        let mut cpa = Composite::new(InvariantsCpa::new(&program), 1);
        let (mut state, pi) = (cpa.initial(&mut cx, program.start()), cpa.full_precision());
        let (mut steps, mut out, mut last) = (Vec::new(), Vec::new(), state.clone());
        loop {
            steps.clear();
            cpa.steps(&program, &state, &mut steps);
            let Some(step) = steps.pop() else { break };
            cpa.transfer(&mut cx, &state, step, &pi, &mut out).expect("a model");
            last = state;
            state = out.pop().unwrap_or_else(|| panic!("seed {seed}: no state after {step:?} of {:?}", last.values));
        }
        // Before the last condition, which leaves everything dead.
        for (v, value) in &known {
            let (width, k) = match value {
                Concrete::Bool(b) => (1, u64::from(*b)),
                Concrete::Bv(k) if k.width() <= 64 => (k.width(), word(k.clone())),
                _ => continue,
            };
            let abstracted = last.values.value(&cx.terms, *v, width);
            assert!(abstracted.contains(k), "seed {seed}: {v:?} is {k}, not {abstracted:?}");
            all += 1;
            told += u32::from(!abstracted.is_any());
        }
    }
    assert!(told * 3 > all, "{told} of {all} values say something");
}

const INT: Sort = Sort::Bv(32);

#[test]
fn figures_2_2_to_2_4_are_proved() {
    for wrong in FIGURES_2_2_TO_2_4 {
        assert_eq!(by(&figure_2(wrong), &Composition::invariants()).0, Verdict::True, "{wrong}");
    }
    assert_eq!(by(&figure_2("y == 7 && z != 0"), &Composition::invariants()).0, Verdict::False);
}

/// Invariants by the heads of loops.
type Invariants = FxHashMap<LocId, Vec<Term>>;

/// What each stage generates for the loops of `program`.
fn stages(program: &Program, terms: &mut Terms) -> Vec<Invariants> {
    let mut solver = smt::standard(smt::Limits::default());
    let mut stages = Vec::new();
    generate(program, Interesting::default(), &mut solver, patient(), &mut |told| {
        if let Told::Candidates(found) = told {
            stages.push(found.import(terms).into_iter().collect());
        }
        ControlFlow::Continue(())
    });
    stages
}

/// The variables named.
fn named<const N: usize>(program: &Program, terms: &mut Terms, names: [&str; N]) -> [Term; N] {
    names.map(|name| {
        let (v, var) = program.cfa.vars.iter_enumerated().find(|(_, var)| &*var.name == name).expect("a variable");
        terms.var(v, var.sort)
    })
}

/// Whether the generated invariants say `expected`.
fn says(program: &Program, cx: &mut Cx<'_>, found: &[Term], expected: Term) -> bool {
    let mut env = cfa::path::Env::default();
    let mut all: Vec<Term> = found.iter().map(|t| env.eval(&program.cfa, &mut cx.terms, *t)).collect();
    let expected = env.eval(&program.cfa, &mut cx.terms, expected);
    all.push(cx.terms.not(expected));
    cx.satisfiable(&all, std::time::Duration::from_secs(300)) == Some(false)
}

#[test]
fn figure_2_5_has_the_invariant() {
    let program = automaton(DANGL_2_5);
    let mut solver = smt::standard(smt::Limits::default());
    let mut cx = Cx::new(&program, &mut solver, patient());
    let [head] = program.loop_heads()[..] else { panic!("one loop") };
    let mut stages = stages(&program, &mut cx.terms);
    let [i, x1, x2] = named(&program, &mut cx.terms, ["i", "x1", "x2"]);
    let t = &mut cx.terms;
    let k = |t: &mut cfa::Terms, k| t.int(32, k);
    let ks: Vec<Term> = (0..5).map(|n| k(t, n)).collect();
    let start = [t.eq(i, ks[1]), t.eq(x1, ks[0]), t.eq(x2, ks[0])];
    let start = t.and_all(start);
    let which = [t.eq(i, ks[1]), t.eq(i, ks[2]), t.cmp(BvCmp::Sle, ks[4], i)];
    let later = [t.or_all(which), t.cmp(BvCmp::Sle, ks[1], x1), t.cmp(BvCmp::Sle, ks[1], x2)];
    let later = t.and_all(later);
    let expected = t.or(start, later);
    let names = Printer {
        var: &|v| program.cfa.vars[v].name.to_string(),
        sym: &|s| format!("{s:?}"),
        object: &|o| format!("{o:?}"),
    };
    let found = stages.remove(1).remove(&head).expect("invariants of the loop");
    let told: Vec<String> = found.iter().map(|t| cx.terms.print(*t, &names)).collect();
    assert!(says(&program, &mut cx, &found, expected), "{}", told.join("\n"));
    // Joined states cannot say what depends on what.
    assert!(!says(&program, &mut cx, &stages[0][&head], expected));
    assert_eq!(by(&program, &Composition::invariants()).0, Verdict::True);
}

/// `for (i = 0; i < 1000; i += 7); for (j = i; *; ) if (j > 10) j -= 7;`: what widening makes of i is gone only after the second loop has taken
/// it up, so that joined states do not show that j is at most 1006.
#[test]
fn later_stages_say_more() {
    let mut p = Builder::new(64);
    let (i, j, input) = (p.global("i", INT), p.global("j", INT), p.global("input", Sort::Bv(1)));
    let (ti, tj, tin) = (p.var(i), p.var(j), p.var(input));
    let [zero, ten, seven, end, most] = [0, 10, 7, 1000, 1006].map(|k| p.int(32, k));
    p.assign(i, zero);
    let (more, next) = (p.less(ti, end), p.terms().add(ti, seven));
    p.repeat(more, |p| p.assign(i, next));
    p.assign(j, ti);
    p.input(input);
    let (more, next) = (p.terms().nonzero(tin), p.terms().sub(tj, seven));
    p.repeat(more, |p| {
        let above = p.less(ten, tj);
        let (yes, no) = p.branch(above);
        p.at = yes;
        p.assign(j, next);
        p.edge(no, p.at, Op::Skip);
        p.input(input);
    });
    let wrong = p.less(tj, zero);
    p.error_if(wrong);
    let program = finished(p);
    let mut solver = smt::standard(smt::Limits::default());
    let mut cx = Cx::new(&program, &mut solver, patient());
    let stages = stages(&program, &mut cx.terms);
    let [j] = named(&program, &mut cx.terms, ["j"]);
    let bounded = cx.terms.cmp(BvCmp::Ule, j, most);
    let says: Vec<bool> = stages
        .iter()
        .map(|stage| program.loop_heads().iter().any(|head| says(&program, &mut cx, &stage[head], bounded)))
        .collect();
    assert!(matches!(says[..], [false, _, true]), "{says:?}");
}

/// `for (i = 0; i < n; i += step) ...` with an input for n up to `most`.
fn counting(step: i64, most: i64, wrong: impl FnOnce(&mut Builder, Term) -> Term) -> Program {
    let mut p = Builder::new(64);
    let (i, n) = (p.global("i", INT), p.global("n", INT));
    let (ti, tn, zero, end, step) = (p.var(i), p.var(n), p.int(32, 0), p.int(32, most), p.int(32, step));
    p.input(n);
    let fits = p.terms().cmp(BvCmp::Sle, tn, end);
    p.step(Op::Assume { cond: fits, kind: AssumeKind::User });
    p.assign(i, zero);
    let (again, next) = (p.less(ti, tn), p.terms().add(ti, step));
    p.repeat(again, |p| p.assign(i, next));
    let wrong = wrong(&mut p, ti);
    p.error_if(wrong);
    finished(p)
}

/// The bound comes from the loop's condition, through n; that no constant is near it is no matter, since states are narrowed.
#[test]
fn widening_stops_at_constants_and_is_narrowed() {
    for (step, last) in [(1, 100), (2, 100), (3, 102), (10, 109)] {
        let above = counting(step, 100, |p, i| {
            let k = p.int(32, last);
            p.less(k, i)
        });
        assert_eq!(by(&above, &Composition::invariants()).0, Verdict::True, "step {step}");
    }
    let odd = counting(2, 100, |p, i| {
        let low = p.terms().extract(0, 0, i);
        p.terms().nonzero(low)
    });
    assert_eq!(by(&odd, &Composition::invariants()).0, Verdict::True);
    let reached = counting(3, 100, |p, i| {
        let k = p.int(32, 9);
        p.terms().eq(i, k)
    });
    assert_ne!(by(&reached, &Composition::invariants()).0, Verdict::True);
}

/// What no loop bounds wraps around: `i` is not positive for ever.
#[test]
fn counters_wrap_around() {
    let mut p = Builder::new(64);
    let (i, input) = (p.global("i", Sort::Bv(8)), p.global("input", Sort::Bv(1)));
    let (ti, zero, one, tin) = (p.var(i), p.int(8, 0), p.int(8, 1), p.var(input));
    p.assign(i, zero);
    p.input(input);
    let (again, next) = (p.terms().nonzero(tin), p.terms().add(ti, one));
    p.repeat(again, |p| {
        p.assign(i, next);
        p.input(input);
    });
    let negative = p.less(ti, zero);
    p.error_if(negative);
    assert_ne!(by(&finished(p), &Composition::invariants()).0, Verdict::True);
}

/// Conditions that are written into variables, through a function that assumes them: `t = 0; if (0 <= x) t = x < n; assume(t)`.
#[test]
fn conditions_are_told_through_flags_and_calls() {
    let mut p = Builder::new(64);
    let [x, arg] = ["x", "arg"].map(|name| p.global(name, INT));
    let t = p.global("t", Sort::Bv(1));
    let (start, at) = (p.func, p.at);
    let f = p.cfa.add_func("assume", cfa::Span::default());
    (p.func, p.at) = (f, p.cfa.funcs[f].entry);
    let c = p.local("c", INT);
    let (targ, tc, tx, tt) = (p.var(arg), p.var(c), p.var(x), p.var(t));
    p.assign(c, targ);
    let holds = p.terms().nonzero(tc);
    let (yes, _) = p.branch(holds);
    p.at = yes;
    p.exit();
    (p.func, p.at) = (start, at);
    let (zero, no_bit, hundred) = (p.int(32, 0), p.int(1, 0), p.int(32, 100));
    p.input(x);
    let negative = p.less(tx, zero);
    let (yes, no) = p.branch(negative);
    let join = p.loc();
    p.edge(yes, join, Op::assign(t, no_bit));
    let below = p.less(tx, hundred);
    let below = p.terms().bool_to_bv(below);
    p.edge(no, join, Op::assign(t, below));
    p.at = join;
    let wide = p.terms().zext(32, tt);
    p.assign(arg, wide);
    p.step(Op::Call(f));
    let (low, high) = (p.less(tx, zero), p.terms().cmp(BvCmp::Sle, hundred, tx));
    let wrong = p.terms().or(low, high);
    p.error_if(wrong);
    assert_eq!(by(&finished(p), &Composition::invariants()).0, Verdict::True);
}

/// Generated invariants hold in all concrete states of random programs.
#[test]
fn fuzz_no_generated_invariant_is_violated() {
    let runs = kerf_testing::fuzz_runs(150);
    let (mut told, mut checked) = (0u64, 0u64);
    for seed in 0..runs {
        let program = random_program(seed);
        let mut terms = program.overlay();
        let mut found = Invariants::default();
        for (head, all) in stages(&program, &mut terms).into_iter().flatten() {
            told += all.len() as u64;
            found.entry(head).or_default().extend(all);
        }
        for (loc, values) in concrete_states(&program, 2_000) {
            for t in found.get(&loc).into_iter().flatten() {
                let mut leaf = |leaf| match leaf {
                    Leaf::Var(v) => values.get(&v).cloned(),
                    _ => None,
                };
                let holds = eval_bool(&terms, *t, &mut leaf);
                assert_ne!(holds, Some(false), "seed {seed}: {:?} at {loc:?}: {:?}", values, terms.kind(*t));
                checked += u64::from(holds == Some(true));
            }
        }
    }
    assert!(told * 2 > runs && checked > 2 * runs, "{told} invariants, {checked} checks");
}

/// Concrete states by the view's location, up to a limit.
fn concrete_states(program: &Program, limit: usize) -> Vec<(LocId, FxHashMap<VarId, Concrete>)> {
    let cfa = &program.cfa;
    let (mut seen, mut found) = (HashSet::new(), Vec::new());
    let mut work = vec![crate::support::Concrete::start(cfa)];
    while let Some(s) = work.pop() {
        if cfa.is_target(s.loc) || seen.len() > limit || !seen.insert(format!("{s:?}")) {
            continue;
        }
        found.push((program.view.rep(s.loc), s.values.iter().map(|(v, k)| (*v, k.clone())).collect()));
        work.extend(successors(cfa, &s).into_iter().map(|(_, next)| next));
    }
    found
}

/// What an induction takes from the analysis: it needs that x is never 3, which no template says.
#[test]
fn induction_uses_generated_invariants() {
    let program = automaton(DANGL_2_5);
    let result = k_induction::run(
        &program,
        k_induction::Options { base: false, last_k: 3, ..k_induction::Options::default() },
        &|limits| smt::standard(limits),
        patient(),
        &mut k_induction::Statistics::default(),
    );
    assert_eq!(verdict(&program, result), Verdict::True);
}
