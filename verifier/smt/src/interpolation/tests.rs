//! Tests of interpolation: examples whose interpolants are known, all rules and sources against brute force on small words, wrong
//! interpolants, limits.

use super::*;
use crate::random_queries::hard;
use crate::{Cached, Racing, Z3};
use cfa::bv::{Bv, BvCmp, BvOp};
use cfa::eval::{Value, eval_bool};
use cfa::float::{FloatOp, Format};
use cfa::term::Printer;
use kerf_testing::Random;

const CRAIG: Options = Options { craig: true, newton: false, atoms: false };
const CRAIG_AND_ATOMS: Options = Options { craig: true, newton: false, atoms: true };
const NEWTON: Options = Options { craig: false, newton: true, atoms: false };

fn solver() -> Box<dyn Solver> {
    Box::new(Cached::new(Racing::new(crate::Bits::new(Limits::default()), Z3::new, Limits::default())))
}

/// The interpolants of `trace` with `options`, as text with the names of symbols.
fn interpolants(terms: &mut Terms, trace: &Trace, options: Options) -> Vec<String> {
    let mut interpolator = Interpolator::with(solver(), Limits::default(), options);
    let found = match interpolator.interpolate(terms, trace).unwrap() {
        Interpolation::Found(found) => found,
        other => panic!("{other:?}"),
    };
    let sym = |s| terms.symbol(s).name.clone();
    let names = Printer { var: &|v| v.to_string(), sym: &sym, object: &|o| o.to_string() };
    found.interpolants.iter().map(|t| terms.print(*t, &names)).collect()
}

/// Symbols of eight bits.
fn bytes<const N: usize>(terms: &mut Terms, names: [&str; N]) -> [Term; N] {
    names.map(|name| terms.fresh(name, Sort::Bv(8)))
}

/// An iteration of a loop that counts to ten, and leaves it with more.
fn counting(terms: &mut Terms) -> Trace {
    let [x, y] = bytes(terms, ["x", "y"]);
    let (nine, ten, one) = (terms.int(8, 9), terms.int(8, 10), terms.int(8, 1));
    let below = terms.cmp(BvCmp::Ule, x, nine);
    let next = terms.add(x, one);
    let step = terms.eq(y, next);
    let above = terms.cmp(BvCmp::Ult, ten, y);
    Trace::new(vec![below, step, above])
}

#[test]
fn bounds_come_back_as_comparisons() {
    let mut terms = Terms::new();
    let trace = counting(&mut terms);
    assert_eq!(interpolants(&mut terms, &trace, CRAIG_AND_ATOMS), ["(bvule x 9:8)", "(bvule y 10:8)"]);
    assert_eq!(interpolants(&mut terms, &trace, Options::default()), ["(bvule x 9:8)", "(bvule y 10:8)"]);
    // What leads to the end, and from where the end is reached.
    assert_eq!(interpolants(&mut terms, &trace, NEWTON), ["(bvule x 9:8)", "(bvule (bvadd y 255:8) 9:8)"]);
    // Signed: x < -5, y = x, y > -2.
    let [x, y] = bytes(&mut terms, ["x", "y"]);
    let (low, high) = (terms.int(8, 251), terms.int(8, 254));
    let parts = [terms.cmp(BvCmp::Slt, x, low), terms.eq(y, x), terms.cmp(BvCmp::Slt, high, y)];
    let signed = interpolants(&mut terms, &Trace::new(parts.to_vec()), CRAIG);
    assert!(signed.iter().all(|t| t.starts_with("(bvsle ")), "{signed:?}");
}

/// A counter from 0 to 100, cut before each of two iterations: of the reasons why the trace is infeasible, one is inductive.
#[test]
fn inductive_interpolants_come_first() {
    let mut terms = Terms::new();
    let [x, y] = bytes(&mut terms, ["x", "y"]);
    let (zero, hundred) = (terms.int(8, 0), terms.int(8, 100));
    let begin = terms.eq(x, zero);
    let next = terms.add_int(x, 1);
    let step = [terms.cmp(BvCmp::Ult, x, hundred), terms.eq(y, next)];
    let more = terms.cmp(BvCmp::Ult, y, hundred);
    let end = [terms.not(more), terms.eq(y, hundred)];
    let end = [end[0], terms.not(end[1])];
    let parts = vec![begin, terms.and(step[0], step[1]), terms.and(end[0], end[1])];
    let symbol = |t| match terms.kind(t) {
        Kind::Sym(s) => s,
        other => panic!("{other:?}"),
    };
    let back = FxHashMap::from_iter([(symbol(y), x)]);
    let trace = Trace { loops: vec![Loop { from: 0, to: 1, back }], ..Trace::new(parts) };
    let mut interpolator = Interpolator::new(solver(), Limits::default());
    let Ok(Interpolation::Found(found)) = interpolator.interpolate(&mut terms, &trace) else {
        panic!("there are some")
    };
    let at_most = terms.cmp(BvCmp::Ule, y, hundred);
    assert!(terms.as_bool(found.interpolants[0]) == Some(true), "what happens before the last iteration is not needed");
    let mut same = solver();
    for (a, b) in [(found.interpolants[1], at_most), (at_most, found.interpolants[1])] {
        assert_eq!(check::follows(&mut *same, &mut terms, &[a], b), Ok(true));
    }
    assert_eq!(interpolator.counters().inductive, 1);
    // Without the loop, the beginning is needed as much as anything else.
    let found = interpolants(&mut terms, &Trace { loops: Vec::new(), ..trace }, Options::default());
    assert_ne!(found[0], "true");
}

/// What a caller knows is not said again within a call: x < 10; r = 5; x + r > 20.
#[test]
fn callers_are_not_spoken_of() {
    let mut terms = Terms::new();
    let [x, r] = bytes(&mut terms, ["x", "r"]);
    let [five, ten, twenty] = [5, 10, 20].map(|n| terms.int(8, n));
    let sum = terms.add(x, r);
    let known = terms.cmp(BvCmp::Ult, x, ten);
    let parts = vec![known, terms.eq(r, five), terms.cmp(BvCmp::Ult, twenty, sum)];
    let Kind::Sym(hidden) = terms.kind(x) else { panic!("x is a symbol") };
    let within = Pending { callers: vec![0], hidden: FxHashSet::from_iter([hidden]) };
    let trace = Trace { calls: vec![Pending::default(), within], ..Trace::new(parts) };
    let mut interpolator = Interpolator::new(solver(), Limits::default());
    let Ok(Interpolation::Found(found)) = interpolator.interpolate(&mut terms, &trace) else {
        panic!("there are some")
    };
    assert!(terms.leaves(&[found.interpolants[1]]).contains(&Leaf::Sym(hidden)));
    let nested = found.nested.expect("a nested sequence");
    assert!(!terms.leaves(&[nested[1]]).contains(&Leaf::Sym(hidden)));
    let plain = Trace::new(trace.parts.clone());
    assert_eq!(check(&mut *solver(), &mut terms, &trace, &nested), Ok(None));
    assert_eq!(check(&mut *solver(), &mut terms, &plain, &nested), Ok(Some(Flaw::Step(2))));
}

#[test]
fn equal_bits_come_back_as_equal_words() {
    let mut terms = Terms::new();
    let [x, y, z] = bytes(&mut terms, ["x", "y", "z"]);
    let (first, second) = (terms.eq(z, x), terms.eq(z, y));
    let same = terms.eq(x, y);
    let trace = Trace::new(vec![terms.and(first, second), terms.not(same)]);
    for options in [CRAIG_AND_ATOMS, NEWTON, Options::default()] {
        assert_eq!(interpolants(&mut terms, &trace, options), ["(= x y)"]);
    }
}

/// What is moved from one account to another is cancelled in their sum, so that nothing needs to be said about it.
#[test]
fn sums_are_kept_where_parts_are_moved() {
    let mut terms = Terms::new();
    let [a, b, total, amount, rest, sum] = bytes(&mut terms, ["a", "b", "total", "amount", "rest", "sum"]);
    let zero = terms.int(8, 0);
    let begin = [terms.eq(a, total), terms.eq(b, zero)];
    let is_less = terms.cmp(BvCmp::Ult, a, amount);
    let moved = terms.ite(is_less, a, amount);
    let (less, more) = (terms.sub(a, moved), terms.add(b, moved));
    let step = [terms.eq(rest, less), terms.eq(sum, more)];
    let both = terms.add(rest, sum);
    let same = terms.eq(both, total);
    let parts = vec![terms.and(begin[0], begin[1]), terms.and(step[0], step[1]), terms.not(same)];
    for options in [NEWTON, Options::default()] {
        let found = interpolants(&mut terms, &Trace::new(parts.clone()), options);
        assert_eq!(found, ["(= total (bvadd a b))", "(= total (bvadd rest sum))"]);
    }
}

#[test]
fn few_values_come_back_as_equations() {
    let mut terms = Terms::new();
    let [x] = bytes(&mut terms, ["x"]);
    let (two, five) = (terms.int(8, 2), terms.int(8, 5));
    let (is_two, is_five) = (terms.eq(x, two), terms.eq(x, five));
    let square = terms.bv_op(BvOp::Mul, x, x);
    let sum = terms.add(square, two);
    let sevenfold = terms.int(8, 7);
    let product = terms.bv_op(BvOp::Mul, x, sevenfold);
    // Both are true of 2 and 5 alone among the numbers that are at most 7: x * x + 10 = 7 * x.
    let eight = terms.int(8, 8);
    let sum = terms.add(sum, eight);
    let (zero_of, small) = (terms.eq(sum, product), terms.cmp(BvCmp::Ult, x, eight));
    let either = terms.or(is_two, is_five);
    let trace = Trace::new(vec![terms.and(zero_of, small), terms.not(either)]);
    let found = interpolants(&mut terms, &trace, CRAIG_AND_ATOMS);
    assert_eq!(found, ["(or (= x 2:8) (= x 5:8))"]);
}

#[test]
fn memories_are_said_by_what_is_read() {
    let mut terms = Terms::new();
    let memory = Sort::Array { index: 8, elem: 8 };
    let [m, n] = ["m", "n"].map(|name| terms.fresh(name, memory));
    let [p, q] = bytes(&mut terms, ["p", "q"]);
    let (three, one) = (terms.int(8, 3), terms.int(8, 1));
    let written = terms.write(m, p, three);
    let next = terms.add(p, one);
    let (read, other) = (terms.read(n, p, 8), terms.read(n, q, 8));
    let parts = [terms.eq(n, written), terms.eq(q, next), terms.eq(read, three)];
    let not = terms.not(parts[2]);
    let trace = Trace::new(vec![parts[0], not]);
    assert_eq!(interpolants(&mut terms, &trace, CRAIG), ["(= (read.8 n p) 3:8)"]);
    // An address that only one side knows, equal to one that both know.
    let above = terms.cmp(BvCmp::Ult, three, other);
    let back = terms.bv_op(BvOp::Sub, q, one);
    let same = terms.eq(back, p);
    let written = terms.write(n, p, other);
    let k = terms.fresh("k", memory);
    let copied = terms.eq(k, written);
    let (first, read_p) = (terms.and(copied, above), terms.read(k, p, 8));
    let below = terms.cmp(BvCmp::Ule, read_p, three);
    let second = terms.and(same, below);
    let trace = Trace::new(vec![first, second]);
    assert_eq!(interpolants(&mut terms, &trace, CRAIG_AND_ATOMS).len(), 1);
}

#[test]
fn floats_have_interpolants_from_the_path() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.fresh(name, Sort::Bv(16)));
    let (one, two) = (terms.int(16, 0x3c00), terms.int(16, 0x4000));
    let double = terms.float(FloatOp::Add, Format::Half, &[x, x], Sort::Bv(16));
    let small = terms.float(FloatOp::Le, Format::Half, &[x, one], Sort::Bool);
    let step = terms.eq(y, double);
    let large = terms.float(FloatOp::Lt, Format::Half, &[two, y], Sort::Bool);
    let trace = Trace::new(vec![small, step, large]);
    let found = interpolants(&mut terms, &trace, Options::default());
    assert_eq!(found[0], "(f16.le x 15360:16)");
    assert_eq!(found[1], "(not (f16.lt 16384:16 y))");
}

#[test]
fn interpolants_have_state_only() {
    let mut terms = Terms::new();
    let [x, y] = bytes(&mut terms, ["x", "y"]);
    let five = terms.int(8, 5);
    let (first, same) = (terms.eq(x, five), terms.eq(y, x));
    let not_five = terms.eq(x, five);
    let not_five = terms.not(not_five);
    let other = terms.eq(y, five);
    let other = terms.not(other);
    // Either of x and y tells; only y is state.
    let parts = vec![terms.and(first, same), terms.and(not_five, other)];
    let state = Some(vec![terms.leaves(&[y])]);
    let trace = Trace { parts, state, ..Trace::default() };
    for options in [CRAIG, NEWTON, Options::default()] {
        let mut interpolator = Interpolator::with(solver(), Limits::default(), options);
        if let Interpolation::Found(found) = interpolator.interpolate(&mut terms, &trace).unwrap() {
            assert!(terms.leaves(&found.interpolants).iter().all(|l| terms.leaves(&[y]).contains(l)));
        }
    }
    assert_eq!(interpolants(&mut terms, &trace, Options::default()), ["(= y 5:8)"]);
    let flaw = check(&mut *solver(), &mut terms, &trace, &[first]).unwrap();
    assert!(matches!(flaw, Some(Flaw::Vocabulary { cut: 0, .. })), "{flaw:?}");
}

/// A random trace over words of two bits of which neighbouring parts share one, and one word that all may have.
struct Small {
    terms: Terms,
    words: Vec<Term>,
    trace: Trace,
}

const SMALL_BITS: u32 = 2;

fn small(seed: u64) -> Small {
    let mut rng = Random::new(seed);
    let mut terms = Terms::new();
    let n_parts = 2 + rng.below(3) as usize;
    let words: Vec<Term> = (0..n_parts + 2).map(|i| terms.fresh(format!("x{i}"), Sort::Bv(SMALL_BITS))).collect();
    let mut parts = Vec::new();
    for i in 0..n_parts {
        let mut part = terms.tt();
        for _ in 0..1 + rng.below(3) {
            let operand = |rng: &mut Random, terms: &mut Terms| match rng.below(5) {
                0 => terms.int(SMALL_BITS, rng.below(4)),
                1 => words[n_parts + 1],
                n => words[i + n as usize % 2],
            };
            let [a, b, c] = [0; 3].map(|_| operand(&mut rng, &mut terms));
            let op = rng.pick(&[BvOp::Add, BvOp::Sub, BvOp::Mul, BvOp::And, BvOp::Xor, BvOp::Lshr]);
            let left = if rng.one_in(2) { terms.bv_op(op, a, b) } else { a };
            let cmp = rng.pick(&BvCmp::ALL);
            let fact = if rng.one_in(2) { terms.eq(left, c) } else { terms.cmp(cmp, left, c) };
            let fact = if rng.one_in(3) { terms.not(fact) } else { fact };
            part = if rng.one_in(4) { terms.or(part, fact) } else { terms.and(part, fact) };
        }
        parts.push(part);
    }
    Small { terms, words, trace: Trace::new(parts) }
}

impl Small {
    /// Calls `f` with each assignment of the words, as a function from terms to their values.
    fn for_all(&self, mut f: impl FnMut(&dyn Fn(Term) -> bool)) {
        let all: Vec<Leaf> = self.words.iter().flat_map(|w| self.terms.leaves(&[*w])).collect();
        for n in 0..1u64 << (all.len() as u32 * SMALL_BITS) {
            let value = |l: Leaf| {
                let i = all.iter().position(|a| *a == l)? as u32;
                Some(Value::Bv(Bv::new(SMALL_BITS, (n >> (i * SMALL_BITS)) & 3)))
            };
            f(&|t| eval_bool(&self.terms, t, &mut |l| value(l)).expect("a value"));
        }
    }

    fn is_satisfiable(&self) -> bool {
        let mut found = false;
        self.for_all(|holds| found |= self.trace.parts.iter().all(|p| holds(*p)));
        found
    }

    /// Whether the steps of the sequence hold, by brute force.
    fn is_inductive(&self, interpolants: &[Term]) -> bool {
        let mut right = true;
        self.for_all(|holds| {
            for (i, part) in self.trace.parts.iter().enumerate() {
                let before = i == 0 || holds(interpolants[i - 1]);
                right &= !(before && holds(*part)) || interpolants.get(i).is_some_and(|t| holds(*t));
            }
        });
        right
    }
}

#[test]
fn small_traces_by_brute_force() {
    const RULES: [&[Rule]; 4] = [&[Rule::McMillan], &[Rule::Pudlak], &[Rule::Dual], &Rule::ALL];
    let (mut refuted, mut satisfiable, mut not_found) = (0, 0, 0);
    for seed in 0..120 {
        let mut small = small(seed);
        let is_satisfiable = small.is_satisfiable();
        satisfiable += u32::from(is_satisfiable);
        for (rules, options) in RULES.into_iter().map(|r| (r, CRAIG)).chain([
            (RULES[3], CRAIG_AND_ATOMS),
            (RULES[3], NEWTON),
            (RULES[3], Options::default()),
        ]) {
            let mut interpolator = Interpolator::with(solver(), Limits::default(), options);
            interpolator.rules = rules;
            match interpolator.interpolate(&mut small.terms, &small.trace).unwrap() {
                Interpolation::Satisfiable => assert!(is_satisfiable, "seed {seed}"),
                Interpolation::Found(found) => {
                    assert!(!is_satisfiable && small.is_inductive(&found.interpolants), "seed {seed} {options:?}");
                    refuted += 1;
                }
                Interpolation::NotFound => {
                    assert!(!is_satisfiable && !options.craig, "seed {seed} {options:?}");
                    not_found += 1;
                }
            }
            // Interpolants from proofs are right before the check: it rejects none.
            if options.craig && !options.newton {
                assert_eq!(interpolator.counters().rejected, 0, "seed {seed} {rules:?}");
            }
        }
    }
    assert!(refuted > 200 && satisfiable > 20 && not_found < 20, "{refuted} {satisfiable} {not_found}");
}

#[test]
fn wrong_interpolants_are_rejected() {
    let (mut right, mut wrong) = (0, 0);
    for seed in 0..80 {
        let mut small = small(seed);
        let mut interpolator = Interpolator::with(solver(), Limits::default(), CRAIG);
        let Ok(Interpolation::Found(found)) = interpolator.interpolate(&mut small.terms, &small.trace) else {
            continue;
        };
        let vocabulary = Vocabulary::of(&small.terms, &small.trace);
        let mut bent: Vec<Vec<Term>> = Vec::new();
        for i in 0..found.interpolants.len() {
            let own = found.interpolants[i];
            let (tt, ff, not) = (small.terms.tt(), small.terms.ff(), small.terms.not(own));
            let mut others = vec![tt, ff, not];
            others.extend(found.interpolants.iter().copied());
            others.extend(small.trace.parts.iter().copied());
            bent.extend(others.into_iter().map(|t| {
                let mut all = found.interpolants.clone();
                all[i] = t;
                all
            }));
        }
        for all in bent {
            let foreign = all.iter().enumerate().any(|(cut, t)| vocabulary.foreign(&small.terms, cut, *t).is_some());
            let is_right = !foreign && small.is_inductive(&all);
            let flaw = check(&mut *solver(), &mut small.terms, &small.trace, &all).unwrap();
            assert_eq!(flaw.is_none(), is_right, "seed {seed}: {flaw:?}");
            if is_right { right += 1 } else { wrong += 1 }
        }
        let flaw = check(&mut *solver(), &mut small.terms, &small.trace, &[]).unwrap();
        assert!(matches!(flaw, Some(Flaw::Number { found: 0, .. })));
        let number = vec![small.words[0]; found.interpolants.len()];
        let flaw = check(&mut *solver(), &mut small.terms, &small.trace, &number).unwrap();
        assert_eq!(flaw, Some(Flaw::Sort(0)));
    }
    assert!(wrong > 100 && right > 20, "{wrong} wrong, {right} right");
}

#[test]
fn limits_and_interruptions_hold() {
    let mut terms = Terms::new();
    let query = hard(&mut terms);
    let halves = terms.conjuncts(&[query]);
    let trace = Trace::new(halves);
    let unknown = |found: Result<Interpolation, SolverError>| matches!(found, Err(SolverError::Unknown(_)));
    let limits = Limits { query: Some(Duration::from_millis(30)), deadline: None };
    let mut interpolator = Interpolator::new(solver(), limits);
    assert!(unknown(interpolator.interpolate(&mut terms, &trace)));
    interpolator.set_limits(Limits { query: None, deadline: Some(Instant::now()) });
    assert!(unknown(interpolator.interpolate(&mut terms, &trace)));
    let mut interpolator = Interpolator::new(solver(), Limits::default());
    interpolator.interrupter().interrupt();
    assert!(unknown(interpolator.interpolate(&mut terms, &trace)));
}

#[test]
fn parts_that_contradict_themselves() {
    let mut terms = Terms::new();
    let [x] = bytes(&mut terms, ["x"]);
    let five = terms.int(8, 5);
    let is_five = terms.eq(x, five);
    let (tt, ff) = (terms.tt(), terms.ff());
    for (parts, expected) in [
        (vec![is_five, ff, tt], vec!["true", "false"]),
        (vec![ff], vec![]),
        (vec![tt, is_five, ff], vec!["true", "true"]),
    ] {
        for options in [CRAIG, NEWTON, Options::default()] {
            assert_eq!(interpolants(&mut terms, &Trace::new(parts.clone()), options), expected, "{options:?}");
        }
    }
    let mut interpolator = Interpolator::new(solver(), Limits::default());
    for parts in [vec![], vec![tt, is_five]] {
        let found = interpolator.interpolate(&mut terms, &Trace::new(parts));
        assert_eq!(found, Ok(Interpolation::Satisfiable));
    }
}
