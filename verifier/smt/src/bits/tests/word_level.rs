//! Tests of the steps before circuits: leaves that are compared with constants, sums, and ranges.

use super::*;

/// The answer of `solver`, which validates its models, after confirmation by Z3, and the core if it is unsatisfiable.
fn same_as_z3(solver: &mut dyn Solver, z3: &mut Z3, terms: &Terms, query: &[Term], seed: u64) -> Answer {
    let answer = solver.check(terms, query).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    assert_eq!(z3.check(terms, query), Ok(answer), "seed {seed}");
    match answer {
        Answer::Sat => assert!(solver.model(terms).is_ok(), "seed {seed}"),
        Answer::Unsat => assert_eq!(z3.check(terms, &solver.core()), Ok(Answer::Unsat), "seed {seed}: the core"),
    }
    answer
}

/// A random query about two leaves and a memory, which are compared with constants and sometimes with each other.
fn query_on_constants(rng: &mut Random, terms: &mut Terms, leaves: &[Term], memory: Term) -> Vec<Term> {
    let leaf = |rng: &mut Random| rng.pick(leaves);
    let mut all = Vec::new();
    for _ in 0..2 + rng.below(5) {
        let mut clause = terms.ff();
        for _ in 0..1 + rng.below(3) {
            let x = leaf(rng);
            let width = terms.width(x);
            let k = terms.int(width, rng.below(6) % (1 << width));
            let equal = terms.eq(x, k);
            let t = match rng.below(12) {
                0 => terms.cmp(BvCmp::Ult, x, k),
                1 => {
                    let y = leaf(rng);
                    let sum = terms.add(x, y);
                    terms.eq(sum, k)
                }
                2 | 3 => {
                    let [one, two] = [1, 2].map(|at| terms.int(16, at));
                    let at = terms.ite(equal, one, two);
                    let cell = terms.read(memory, at, 8);
                    let value = terms.int(8, rng.below(3));
                    terms.eq(cell, value)
                }
                _ => equal,
            };
            let t = if rng.one_in(2) { terms.not(t) } else { t };
            clause = terms.or(clause, t);
        }
        all.push(clause);
    }
    all
}

/// Leaves get bits in the middle of a series of queries, or never; models are evaluated, and cores are asked again.
#[test]
fn leaves_compared_with_constants_have_one_value() {
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..400 {
        let mut rng = Random::new(seed);
        let mut terms = Terms::new();
        let width = rng.pick(&[2, 3, 8]);
        let leaves: Vec<Term> = (0..2).map(|_| terms.fresh("x", Sort::Bv(width))).collect();
        let memory = terms.fresh("m", Sort::Array { index: 16, elem: 8 });
        let bits = Bits::new(Limits::default());
        let mut bits = Validating::new(if rng.one_in(4) { bits.proving() } else { bits });
        let mut z3 = Z3::new(Limits::default()).unwrap();
        for _ in 0..6 {
            let query = query_on_constants(&mut rng, &mut terms, &leaves, memory);
            match same_as_z3(&mut bits, &mut z3, &terms, &query, seed) {
                Answer::Sat => sat += 1,
                Answer::Unsat => unsat += 1,
            }
        }
    }
    assert!(sat > 200 && unsat > 200, "{sat} and {unsat}");
}

#[test]
fn a_leaf_that_is_only_compared_with_a_constant_is_one_variable() {
    let mut terms = Terms::new();
    let mut either = terms.ff();
    for _ in 0..100 {
        let x = terms.fresh("x", Sort::Bv(32));
        let [zero, one] = [0, 1].map(|k| terms.int(32, k));
        let (a, b) = (terms.eq(x, zero), terms.eq(x, one));
        let both = terms.and(a, b);
        either = terms.or(either, both);
    }
    let mut solver = Validating::new(Bits::new(Limits::default()));
    assert_eq!(solver.check(&terms, &[either]), Ok(Answer::Unsat));
    let mut solver = Bits::new(Limits::default());
    assert_eq!(solver.check(&terms, &[either]), Ok(Answer::Unsat));
    assert!(solver.kept.variables() < 500, "{}", solver.kept.variables());
}

/// A random sum of some of `atoms`, with choices nested to `depth`.
fn choice_of_sums(rng: &mut Random, terms: &mut Terms, atoms: &[Term], depth: u32) -> Term {
    let width = terms.width(atoms[0]);
    if depth > 0 {
        let c = terms.cmp(BvCmp::Slt, rng.pick(atoms), rng.pick(atoms));
        let [then, or_else] = [0, 1].map(|_| choice_of_sums(rng, terms, atoms, depth - 1));
        return terms.ite(c, then, or_else);
    }
    let mut sum = terms.int(width, rng.below(8) % (1 << width));
    for _ in 0..rng.below(3) {
        let (atom, op) = (rng.pick(atoms), rng.pick(&[BvOp::Add, BvOp::Sub]));
        sum = if rng.one_in(3) { terms.bv_op(op, atom, sum) } else { terms.bv_op(op, sum, atom) };
    }
    sum
}

/// Equalities of sums that share terms agree with their sides: gates against evaluation, on all values of two atoms and some
/// of a third one.
#[test]
fn equal_sums_are_those_of_equal_values() {
    let mut shorter = 0;
    for seed in 0..400 {
        let mut rng = Random::new(seed);
        let mut terms = Terms::new();
        let width = rng.pick(&[1, 2, 4]);
        let atoms: Vec<Term> = (0..3).map(|_| terms.fresh("x", Sort::Bv(width))).collect();
        let depth = 1 + rng.below(2) as u32;
        let choice = choice_of_sums(&mut rng, &mut terms, &atoms, depth);
        let depth = rng.below(2) as u32;
        let sum = choice_of_sums(&mut rng, &mut terms, &atoms, depth);
        let equal = terms.eq(choice, sum);
        let mut encoder = new_encoder();
        let l = encoder.encode(&terms, equal, &mut Deadline::new()).expect("an equality");
        if let (Kind::Eq, &[a, b]) = (terms.kind(equal), terms.args(equal)) {
            let [a, b] = [a, b].map(|t| encoder.word(t).to_vec());
            shorter += u32::from(a.len() == b.len() && circuits::equal(&mut encoder.graph, &a, &b) != l);
        }
        for values in 0..1u64 << (2 * width + 2) {
            let value = |i: usize| Bv::new(width, (values >> (i as u32 * width)) & ((1 << width) - 1));
            let leaf = |t: Term| atoms.iter().position(|a| *a == t).map(value);
            let mut evaluation = Evaluation::new();
            let of = &mut |l: Leaf, _| {
                atoms.iter().find(|a| leaf_of(&terms, **a) == Some(l)).map(|a| Value::Bv(leaf(*a).unwrap()))
            };
            let want = evaluation.eval(&terms, equal, of).and_then(|v| v.as_bool());
            let input = |gate: u32| {
                if let Some(i) = encoder.direct.owner(gate) {
                    let direct = encoder.direct.get(i);
                    return direct.says(gate, &leaf(direct.leaf).unwrap());
                }
                let bit = |a: &Term| {
                    encoder.word(*a).iter().position(|b| b.gate() == gate).map(|i| leaf(*a).unwrap().bit(i as u32))
                };
                atoms.iter().find_map(bit).unwrap_or_default()
            };
            let got = simulation::Simulation::new(&encoder.graph, input).value(l);
            assert_eq!(Some(got), want, "seed {seed}, values {values:x}");
        }
    }
    assert!(shorter > 20, "{shorter}");
}

/// A comparison of a few leaves with constants, possibly extended, negated or shifted, and rarely of one leaf with another.
fn random_comparison(rng: &mut Random, terms: &mut Terms, leaves: &[Term]) -> Term {
    let mut t = rng.pick(leaves);
    for _ in 0..rng.below(4) {
        let width = terms.width(t);
        let k = terms.int(width, rng.word());
        t = match rng.below(7) {
            0 => terms.add(t, k),
            1 => terms.sub(t, k),
            2 => terms.sub(k, t),
            3 => terms.bv_neg(t),
            4 => terms.bv_not(t),
            5 => terms.zext(width + 1, t),
            _ => terms.sext(width + 2, t),
        };
    }
    let width = terms.width(t);
    let other = if rng.one_in(12) { rng.pick(leaves) } else { terms.int(width, rng.word()) };
    let (a, b) = if rng.one_in(2) { (t, other) } else { (other, t) };
    if terms.width(a) != terms.width(b) || rng.one_in(3) {
        let k = terms.int(width, rng.word());
        return terms.eq(t, k);
    }
    terms.cmp(rng.pick(&BvCmp::ALL), a, b)
}

/// A disjunction of conjunctions of comparisons.
fn random_comparisons(rng: &mut Random, terms: &mut Terms, leaves: &[Term]) -> Term {
    let mut any = terms.bool(false);
    for _ in 0..1 + rng.below(3) {
        let mut all = terms.bool(true);
        for _ in 0..1 + rng.below(4) {
            let t = random_comparison(rng, terms, leaves);
            let t = if rng.one_in(3) { terms.not(t) } else { t };
            all = terms.and(all, t);
        }
        any = terms.or(any, all);
    }
    any
}

#[test]
fn comparisons_with_constants_mean_what_they_say() {
    let (mut sat, mut unsat) = (0, 0);
    // To make Z3 takes longer than its answers.
    for seed in 0..400 {
        let mut rng = Random::new(seed);
        let mut terms = Terms::new();
        let leaves: Vec<Term> = (0..2).map(|_| terms.fresh("x", Sort::Bv(4))).collect();
        let mut solver = Validating::new(if rng.one_in(2) { by_facts() } else { Bits::new(Limits::default()) });
        let mut z3 = Z3::new(Limits::default()).unwrap();
        for _ in 0..10 {
            let query: Vec<Term> =
                (0..1 + rng.below(4)).map(|_| random_comparisons(&mut rng, &mut terms, &leaves)).collect();
            match same_as_z3(&mut solver, &mut z3, &terms, &query, seed) {
                Answer::Sat => sat += 1,
                Answer::Unsat => unsat += 1,
            }
        }
    }
    assert!(sat.min(unsat) > 500, "{sat} and {unsat}");
}

#[test]
fn a_loop_bounded_by_an_input_is_said_without_its_bits() {
    // The sum after `b` iterations is a + b, whatever `b` is.
    let mut terms = Terms::new();
    let [a, b] = ["a", "b"].map(|n| terms.fresh(n, Sort::Bv(32)));
    let zero = terms.int(32, 0);
    let mut sum = a;
    let mut goes_on = terms.bool(true);
    for i in 0..200 {
        let k = terms.int(32, i);
        let left = terms.sub(b, k);
        let enters = terms.cmp(BvCmp::Slt, zero, left);
        goes_on = terms.and(goes_on, enters);
        let k = terms.int(32, i + 1);
        let next = terms.add(a, k);
        sum = terms.ite(goes_on, next, sum);
    }
    let most = terms.int(32, 200);
    let (positive, few) = (terms.cmp(BvCmp::Sle, zero, b), terms.cmp(BvCmp::Sle, b, most));
    let all = terms.add(a, b);
    let equal = terms.eq(sum, all);
    let different = terms.not(equal);
    let mut solver = Validating::new(Bits::new(Limits::default()));
    assert_eq!(solver.check(&terms, &[positive, few, different]), Ok(Answer::Unsat));
    assert_eq!(solver.check(&terms, &[positive, different]), Ok(Answer::Sat));
    assert!(solver.model(&terms).is_ok());
}

/// Values of `leaves`, mostly small ones of either sign.
fn random_values(rng: &mut Random, terms: &Terms, leaves: &[Term]) -> FxHashMap<Leaf, Value> {
    let value = |rng: &mut Random, t: Term| match terms.sort(t) {
        Sort::Bv(w) => {
            let n = rng.below(6) as i64 - 2;
            Some(Value::Bv(if rng.one_in(3) { rng.bits(w) } else { Bv::from_i64(w, n) }))
        }
        Sort::Bool => Some(Value::Bool(rng.one_in(2))),
        Sort::Array { .. } => None,
    };
    leaves.iter().filter_map(|t| Some((leaf_of(terms, *t)?, value(rng, *t)?))).collect()
}

#[test]
fn values_are_in_ranges() {
    let mut informative = 0;
    for seed in 0..2_000 {
        let mut rng = Random::new(seed);
        let mut terms = Terms::new();
        let menu = if rng.one_in(2) { Menu::FewBits } else { Menu::Bits };
        let built = random(rng.word(), menu, 25).build_symbolic(&mut terms);
        let all = terms.subterms(&built.terms, |_| false);
        let leaves: Vec<Term> = all.iter().copied().filter(|t| leaf_of(&terms, *t).is_some()).collect();
        for _ in 0..8 {
            let values = random_values(&mut rng, &terms, &leaves);
            let leaf = &mut |l: Leaf, sort| Some(values.get(&l).cloned().unwrap_or_else(|| Value::zero(sort)));
            let mut evaluation = Evaluation::new();
            // Leaves that have at most three bits in this assignment, as if they were bounded.
            let mut known: FxHashMap<Term, value_ranges::Range> = FxHashMap::default();
            // Arguments come before the terms that use them.
            for &u in &all {
                let Sort::Bv(w @ 1..=64) = terms.sort(u) else { continue };
                let value = evaluation.eval(&terms, u, leaf).unwrap();
                let value = value.as_bv().unwrap().to_u64().unwrap();
                let small = leaf_of(&terms, u).is_some() && value < 8;
                let of = |t: Term| known.get(&t).copied().unwrap_or_else(|| value_ranges::Range::full(terms.width(t)));
                let range = if small { value_ranges::Range::of_bits(3, w) } else { value_ranges::range(&terms, u, of) };
                assert!(range.contains(value, w), "seed {seed}: {value} in {range:?}");
                let mut word: Word = circuits::constant(&Bv::new(w, value));
                range.cut(&mut word);
                assert_eq!(word, circuits::constant(&Bv::new(w, value)), "seed {seed}: {range:?}");
                informative += u32::from(range != value_ranges::Range::full(w) && leaf_of(&terms, u).is_none());
                known.insert(u, range);
            }
        }
    }
    assert!(informative > 10_000, "{informative}");
}

#[test]
fn counts_of_joined_iterations_are_decided_by_their_ranges() {
    let mut terms = Terms::new();
    let zero = terms.int(32, 0);
    let mut count = zero;
    let mut less = zero;
    for _ in 0..100 {
        let [more, fewer] = ["more", "fewer"].map(|n| terms.fresh(n, Sort::Bool));
        let one = terms.int(32, 1);
        let (next, before) = (terms.add(count, one), terms.sub(less, one));
        count = terms.ite(more, next, count);
        less = terms.ite(fewer, before, less);
    }
    let (negative, positive) = (terms.cmp(BvCmp::Slt, count, zero), terms.cmp(BvCmp::Slt, zero, less));
    let [few, many] = [99, 101].map(|k| terms.int(32, k));
    let too_many = terms.cmp(BvCmp::Sle, many, count);
    let more_than_few = terms.cmp(BvCmp::Slt, few, count);
    let mut solver = Validating::new(Bits::new(Limits::default()));
    for wrong in [negative, positive, too_many] {
        assert_eq!(solver.check(&terms, &[wrong]), Ok(Answer::Unsat));
    }
    assert_eq!(solver.statistics().by_circuit, 3);
    assert_eq!(solver.check(&terms, &[more_than_few]), Ok(Answer::Sat));
}

#[test]
fn what_moves_from_one_number_to_another_leaves_their_sum() {
    let mut terms = Terms::new();
    let [x, y, n] = ["x", "y", "n"].map(|name| terms.fresh(name, Sort::Bv(32)));
    let (mut from, mut to) = (x, y);
    for i in 0..60 {
        let amount = terms.int(32, i);
        let (less, more) = (terms.sub(from, amount), terms.add(to, amount));
        let moves = terms.cmp(BvCmp::Slt, amount, less);
        (from, to) = (terms.ite(moves, less, from), terms.ite(moves, more, to));
    }
    let (before, after) = (terms.add(x, y), terms.add(from, to));
    let same = terms.eq(before, after);
    let changed = terms.not(same);
    let mut solver = Validating::new(Bits::new(Limits::default()));
    assert_eq!(solver.check(&terms, &[changed]), Ok(Answer::Unsat));
    assert_eq!(solver.statistics().by_circuit, 1);
    // If something is lost on the way, n is not zero.
    let (lost, zero) = (terms.sub(after, n), terms.int(32, 0));
    let same = terms.eq(before, lost);
    let nothing = terms.eq(n, zero);
    let (changed, something) = (terms.not(same), terms.not(nothing));
    assert_eq!(solver.check(&terms, &[changed, nothing]), Ok(Answer::Unsat));
    assert_eq!(solver.check(&terms, &[changed, something]), Ok(Answer::Sat));
    assert!(solver.model(&terms).is_ok());
}

#[test]
fn a_leaf_that_is_one_of_many_constants_has_no_bits() {
    let mut terms = Terms::new();
    let x = terms.fresh("x", Sort::Bv(32));
    let mut value = terms.int(32, 1_000);
    let mut any = terms.bool(false);
    for i in 0..100 {
        let k = terms.int(32, i * 3);
        let is = terms.eq(x, k);
        any = terms.or(any, is);
        value = terms.ite(is, k, value);
    }
    let same = terms.eq(x, value);
    let other = terms.not(same);
    let mut solver = Validating::new(Bits::new(Limits::default()));
    assert_eq!(solver.check(&terms, &[any, other]), Ok(Answer::Unsat));
    assert_eq!(solver.check(&terms, &[other]), Ok(Answer::Sat));
    assert!(solver.model(&terms).is_ok());
}
