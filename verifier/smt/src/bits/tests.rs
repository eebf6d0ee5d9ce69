//! Tests that circuits agree with evaluation (`operators`), that answers agree with Z3, that models, cores and limits work,
//! and that word-level steps preserve the meaning of terms (`word_level`).

mod operators;
mod word_level;

use super::circuits::{self, Word};
use super::*;
use crate::random_queries::{check_solver, hard};
use crate::{Validating, Z3};
use cfa::SymId;
use cfa::bv::{Bv, BvCmp, BvOp};
use kerf_testing::Random;
use kerf_testing::recipe::{Menu, random};
use std::time::{Duration, Instant};

fn new_encoder() -> Encoder {
    Encoder::new(Substitution::default(), Preprocessing::default(), Arc::default())
}

fn solver() -> Box<dyn Solver> {
    Box::new(Bits::new(Limits::default()))
}

#[test]
fn queries_on_bits_are_answered_rightly() {
    for seed in 0..200 {
        check_solver(seed, Menu::Bits, 10, solver);
    }
}

/// A solver that gives a query as facts as soon as there is a conflict.
fn by_facts() -> Bits {
    Bits { quick_conflicts: 0, ..Bits::new(Limits::default()) }
}

#[test]
fn queries_put_as_facts_are_answered_rightly() {
    for seed in 0..200 {
        check_solver(seed, Menu::Bits, 10, || Box::new(by_facts()));
        check_solver(seed, Menu::Memory, 6, || Box::new(by_facts()));
    }
}

/// A solver that makes tables before it asks CaDiCaL.
fn by_tables() -> Bits {
    Bits { many_gates: 0, ..Bits::new(Limits::default()) }
}

#[test]
fn queries_are_answered_rightly_by_tables() {
    for seed in 0..200 {
        check_solver(seed, Menu::FewBits, 20, || Box::new(by_tables()));
        check_solver(seed, Menu::Bits, 10, || Box::new(by_tables()));
        check_solver(seed, Menu::Memory, 6, || Box::new(by_tables()));
    }
}

/// Rounds that mix a number, as ciphers do. Each can be undone.
fn mixed(terms: &mut Terms, x: Term, rounds: u64) -> Term {
    let mut y = terms.zext(32, x);
    for round in 0..rounds {
        let (k, n, seven) = (terms.int(32, 0x9e37_79b9), terms.int(32, round), terms.int(32, 7));
        let product = terms.bv_op(BvOp::Mul, y, k);
        let sum = terms.bv_op(BvOp::Add, product, n);
        let shifted = terms.bv_op(BvOp::Lshr, sum, seven);
        y = terms.bv_op(BvOp::Xor, sum, shifted);
    }
    y
}

#[test]
fn functions_of_few_bits_are_computed() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.fresh(name, Sort::Bv(9)));
    let made = mixed(&mut terms, x, 40);
    let image = {
        let known = terms.int(9, 300);
        let known = mixed(&mut terms, known, 40);
        terms.eq(made, known)
    };
    let (k, zero) = (terms.int(9, 300), terms.int(9, 0));
    let (is_k, unused) = (terms.eq(x, k), terms.eq(y, zero));
    let mut solver = Validating::new(by_tables());
    assert_eq!(solver.check(&terms, &[image, unused]), Ok(Answer::Sat));
    assert_eq!(solver.model_value(&terms, x), Ok(Value::Bv(Bv::new(9, 300))));
    let differs = terms.not(is_k);
    assert_eq!(solver.check(&terms, &[unused, image, differs]), Ok(Answer::Unsat));
    assert_eq!(solver.core(), [image, differs]);
}

#[test]
fn cells_below_a_whole_table_are_not_read() {
    let mut terms = Terms::new();
    let below = terms.fresh("m", Sort::Array { index: 64, elem: 8 });
    let (base, i) = (terms.int(64, 0x1_0020), terms.fresh("i", Sort::Bv(8)));
    let inverse = |n: u64| 167u64.wrapping_mul(n) & 255;
    let mut tables = Vec::new();
    for (size, f) in [(256, &inverse as &dyn Fn(u64) -> u64), (256, &|n| (n * 23) & 255), (255, &|n| n)] {
        let table = (0..size).fold(below, |table, n| {
            let (at, value) = (terms.add_int(base, n), terms.int(8, f(n)));
            terms.write(table, at, value)
        });
        tables.push(table);
    }
    let element = |terms: &mut Terms, table: Term, i: Term| {
        let i = terms.zext(64, i);
        let at = terms.add(base, i);
        terms.read(table, at, 8)
    };
    // 23 * 167 = 1 (mod 256).
    let image = element(&mut terms, tables[1], i);
    let back = element(&mut terms, tables[0], image);
    let is_back = terms.eq(back, i);
    let differs = terms.not(is_back);
    let mut bits = by_tables();
    assert_eq!(bits.check(&terms, &[differs]), Ok(Answer::Unsat));
    assert!(bits.encoder.memories.cells.is_empty());
    // The last element is not in the third table.
    let (element, k) = (element(&mut terms, tables[2], i), terms.int(8, 254));
    let is_above = terms.cmp(BvCmp::Ult, k, element);
    assert_eq!(Validating::new(by_tables()).check(&terms, &[is_above]), Ok(Answer::Sat));
}

/// `x * y = product` for two numbers of eight bits, neither of which is one.
fn factors(terms: &mut Terms, name: &str, product: u64) -> Vec<Term> {
    let [x, y] = ["x", "y"].map(|n| terms.fresh(format!("{n}{name}"), Sort::Bv(8)));
    let [wx, wy] = [x, y].map(|t| terms.zext(16, t));
    let (k, one) = (terms.int(16, product), terms.int(8, 1));
    let xy = terms.bv_op(BvOp::Mul, wx, wy);
    let is_product = terms.eq(xy, k);
    let more = [x, y].map(|t| terms.cmp(BvCmp::Ult, one, t));
    vec![is_product, more[0], more[1]]
}

#[test]
fn a_core_is_of_one_independent_part() {
    let mut terms = Terms::new();
    // 143 = 11 * 13 and 221 = 13 * 17; 251 is prime.
    let mut query = Vec::new();
    for (name, product) in [("a", 143), ("b", 251), ("c", 221)] {
        query.push(factors(&mut terms, name, product));
    }
    let mut solver = by_facts();
    assert_eq!(solver.check(&terms, &query.concat()), Ok(Answer::Unsat));
    assert!(solver.core().iter().all(|t| query[1].contains(t)), "{:?}", solver.core());
    query.remove(1);
    let mut solver = Validating::new(solver);
    assert_eq!(solver.check(&terms, &query.concat()), Ok(Answer::Sat));
}

#[test]
fn combinations_are_those_of_the_models() {
    for seed in 0..20 {
        for menu in [Menu::Bits, Menu::Memory] {
            let mut terms = Terms::new();
            let built = random(seed, menu, 16).build_symbolic(&mut terms);
            let is_open = |t: &Term| terms.sort(*t) == Sort::Bool && terms.as_bool(*t).is_none();
            let mut bools: Vec<Term> = built.terms.iter().rev().copied().filter(is_open).take(5).collect();
            bools.dedup();
            let (facts, predicates) = bools.split_at(bools.len().min(1));
            let mut circuits = Bits::new(Limits::default());
            let mut found = match circuits.combinations(&terms, facts, predicates, 16) {
                Ok(found) => found.expect("at most two to the number of predicates"),
                Err(SolverError::Unsupported(_)) => continue,
                Err(e) => panic!("seed {seed}, {menu:?}: {e}"),
            };
            let mut expected = Vec::new();
            for n in 0..1u32 << predicates.len() {
                let values: Vec<bool> = (0..predicates.len()).map(|i| n >> i & 1 == 1).collect();
                let literals = predicates.iter().zip(&values).map(|(p, v)| if *v { *p } else { terms.not(*p) });
                let query: Vec<Term> = literals.collect::<Vec<_>>().into_iter().chain(facts.iter().copied()).collect();
                if solver().check(&terms, &query) == Ok(Answer::Sat) {
                    expected.push(values);
                }
            }
            found.sort();
            expected.sort();
            assert_eq!(found, expected, "seed {seed}, {menu:?}");
            if let Some(fewer) = expected.len().checked_sub(1) {
                let again = circuits.combinations(&terms, facts, predicates, fewer);
                assert_eq!(again, Ok(None), "seed {seed}, {menu:?}");
            }
        }
    }
}

/// An enumeration that would not end before the machine does stops at its limit, at the deadline, and when it is interrupted.
#[test]
fn limits_and_interruptions_end_enumerations() {
    let mut terms = Terms::new();
    let bools: Vec<Term> = (0..60).map(|_| terms.fresh("b", Sort::Bool)).collect();
    let second = Duration::from_secs(1);
    let limits = [
        Limits { query: Some(second / 10), deadline: None },
        Limits { query: None, deadline: Some(Instant::now() + second) },
    ];
    for limits in limits {
        let mut circuits = Bits::new(limits);
        let found = circuits.combinations(&terms, &[], &bools, usize::MAX);
        assert!(matches!(found, Err(SolverError::Unknown(_))), "{limits:?}");
    }
    let mut circuits = Bits::new(Limits::default());
    let interrupter = circuits.interrupter();
    let found = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(second / 10);
            interrupter.interrupt();
        });
        circuits.combinations(&terms, &[], &bools, usize::MAX)
    });
    assert!(matches!(found, Err(SolverError::Unknown(_))));
}

#[test]
fn cells_of_one_memory_and_inputs_of_one_leaf_are_not_apart() {
    let mut terms = Terms::new();
    let m = terms.fresh("m", Sort::Array { index: 16, elem: 8 });
    let [a, b, x] = ["a", "b", "x"].map(|n| terms.fresh(n, Sort::Bv(16)));
    let [at_a, at_b] = [a, b].map(|t| terms.read(m, t, 8));
    let [three, five] = [3, 5].map(|k| terms.int(8, k));
    let [is_three, is_five] = [terms.eq(at_a, three), terms.eq(at_b, five)];
    let [one, two] = [1, 2].map(|k| terms.int(16, k));
    let [is_one, is_two] = [terms.eq(x, one), terms.eq(x, two)];
    let [a_or, b_or] = [(a, is_one), (b, is_two)].map(|(t, or)| {
        let is_zero = terms.int(16, 0);
        let is_zero = terms.eq(t, is_zero);
        terms.or(is_zero, or)
    });
    // One of the two addresses may be nonzero, but not both: if both are zero, the cells are the same.
    let mut solver = Validating::new(by_facts());
    assert_eq!(solver.check(&terms, &[is_three, is_five, a_or, b_or]), Ok(Answer::Sat));
    let other = terms.not(is_two);
    assert_eq!(solver.check(&terms, &[is_three, is_five, a_or, b_or, other]), Ok(Answer::Sat));
    let neither = terms.not(is_one);
    assert_eq!(solver.check(&terms, &[is_three, is_five, a_or, b_or, other, neither]), Ok(Answer::Unsat));
}

#[test]
fn queries_on_memories_are_answered_rightly() {
    for seed in 0..200 {
        check_solver(seed, Menu::Memory, 6, solver);
    }
}

/// Some of the Bool terms of a random recipe, or their negations.
fn random_query(rng: &mut Random, terms: &mut Terms, menu: Menu, size: usize) -> Vec<Term> {
    let recipe = random(rng.word(), menu, size);
    let built = recipe.build_symbolic(terms);
    let bools: Vec<Term> = built.terms.into_iter().filter(|t| terms.sort(*t) == Sort::Bool).collect();
    (0..1 + rng.below(5))
        .map(|_| {
            let t = rng.pick(&bools[bools.len().saturating_sub(8)..]);
            if rng.one_in(2) { terms.not(t) } else { t }
        })
        .collect()
}

/// Asks several queries of one solver, and each of them also of Z3. Returns how many were satisfiable, and how many were not.
fn compare_with_z3(seed: u64, menu: Menu, size: usize, make: fn() -> Bits) -> (u32, u32) {
    let mut rng = Random::new(seed);
    let mut terms = Terms::new();
    let mut bits = Validating::new(make());
    let (mut sat, mut unsat) = (0, 0);
    for _ in 0..3 {
        let query = random_query(&mut rng, &mut terms, menu, size);
        let answer = match bits.check(&terms, &query) {
            Ok(answer) => answer,
            Err(SolverError::Unsupported(_)) => continue,
            Err(e) => panic!("seed {seed}: {e}"),
        };
        let mut z3 = Z3::new(Limits::default()).unwrap();
        match z3.check(&terms, &query) {
            Ok(want) => assert_eq!(answer, want, "seed {seed}"),
            // Copies that became functions of the address.
            Err(SolverError::Unknown(_)) => {}
            Err(e) => panic!("seed {seed}: {e}"),
        }
        if answer == Answer::Sat {
            sat += 1;
            assert!(bits.model(&terms).is_ok(), "seed {seed}");
            continue;
        }
        unsat += 1;
        let core = bits.core();
        assert!(core.iter().all(|t| query.contains(t)), "seed {seed}");
        assert_ne!(z3.check(&terms, &core), Ok(Answer::Sat), "seed {seed}: the core is satisfiable");
    }
    (sat, unsat)
}

fn compare_all(seeds: u64, menu: Menu, size: usize, make: fn() -> Bits) {
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..seeds {
        let (s, u) = compare_with_z3(seed, menu, size, make);
        (sat, unsat) = (sat + s, unsat + u);
    }
    // Both answers occurred often enough to be meaningful.
    assert!(sat.min(unsat) as u64 > seeds / 4, "{sat} and {unsat}");
}

#[test]
fn answers_on_few_bits_are_those_of_z3() {
    let new = || Bits::new(Limits::default());
    compare_all(400, Menu::FewBits, 20, new);
    compare_all(400, Menu::FewBits, 20, by_tables);
}

#[test]
fn answers_on_memories_are_those_of_z3() {
    let new = || Bits::new(Limits::default());
    compare_all(300, Menu::Memory, 12, new);
    compare_all(300, Menu::Memory, 12, by_tables);
}

#[test]
fn equal_symbolic_addresses_read_equal_cells() {
    let mut terms = Terms::new();
    let m = terms.fresh("m", Sort::Array { index: 16, elem: 8 });
    let at: Vec<Term> = (0..6).map(|_| terms.fresh("at", Sort::Bv(16))).collect();
    let cells: Vec<Term> = at.iter().map(|&a| terms.read(m, a, 8)).collect();
    let mut query = Vec::new();
    for (i, w) in cells.windows(2).enumerate() {
        query.push(terms.cmp(BvCmp::Ult, w[0], w[1]));
        let limit = terms.int(16, 5);
        query.push(terms.cmp(BvCmp::Ult, at[i], limit));
    }
    // Six different cells, all but the last below 5: possible, but not if the last one is below 5, too.
    let mut solver = Validating::new(Bits::new(Limits::default()));
    assert_eq!(solver.check(&terms, &query), Ok(Answer::Sat));
    let limit = terms.int(16, 5);
    query.push(terms.cmp(BvCmp::Ult, at[5], limit));
    assert_eq!(solver.check(&terms, &query), Ok(Answer::Unsat));
}

#[test]
fn bounds_are_part_of_cores() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|n| terms.fresh(n, Sort::Bv(32)));
    let (zero, ten, hundred) = (terms.int(32, 0), terms.int(32, 10), terms.int(32, 100));
    let (least, most) = (terms.cmp(BvCmp::Sle, zero, x), terms.cmp(BvCmp::Slt, x, ten));
    let square = terms.bv_op(BvOp::Mul, x, x);
    let large = terms.cmp(BvCmp::Slt, hundred, square);
    let (unused, branch) = (terms.cmp(BvCmp::Ult, y, ten), terms.eq(y, zero));
    let mut solver = Bits::new(Limits::default());
    assert_eq!(solver.check(&terms, &[least, unused, most, large]), Ok(Answer::Unsat));
    assert_eq!(solver.core(), vec![least, most, large]);
    assert_eq!(solver.check(&terms, &[least, large]), Ok(Answer::Sat));
    // Both branches of a disjunction bound x.
    let bounds = terms.and(least, most);
    let not = terms.not(branch);
    let (a, b) = (terms.and(bounds, branch), terms.and(bounds, not));
    let (a, b) = (terms.and(a, large), terms.and(b, unused));
    let either = terms.or(a, b);
    assert_eq!(solver.check(&terms, &[either]), Ok(Answer::Sat));
    assert_eq!(solver.encoder.substitution.bits(x), Some(4));
    assert_eq!(solver.model(&terms).unwrap().holds(&terms, either), Some(true));
    assert_eq!(solver.check(&terms, &[a]), Ok(Answer::Unsat));
}

#[test]
fn definitions_are_part_of_cores() {
    let mut terms = Terms::new();
    let [x, y, z] = ["x", "y", "z"].map(|n| terms.fresh(n, Sort::Bv(32)));
    let (sum, five, six) = (terms.add(x, y), terms.int(32, 5), terms.int(32, 6));
    let (is_sum, is_five, is_six) = (terms.eq(z, sum), terms.eq(z, five), terms.eq(sum, six));
    let unused = terms.eq(y, five);
    let mut solver = Bits::new(Limits::default());
    assert_eq!(solver.check(&terms, &[is_sum, is_five, is_six]), Ok(Answer::Unsat));
    assert_eq!(solver.core(), vec![is_sum, is_five, is_six]);
    assert_eq!(solver.check(&terms, &[is_sum, is_six, unused]), Ok(Answer::Sat));
    assert_eq!(solver.model_value(&terms, x), Ok(Value::Bv(Bv::new(32, 1))));
    assert_eq!(solver.model_value(&terms, z), Ok(Value::Bv(Bv::new(32, 6))));
}

#[test]
fn limits_hold_and_queries_go_on() {
    let mut terms = Terms::new();
    let t = hard(&mut terms);
    let mut solver = Bits::new(Limits { query: Some(Duration::from_millis(100)), deadline: None });
    for _ in 0..3 {
        let begin = Instant::now();
        assert_eq!(solver.check(&terms, &[t]), Err(SolverError::Unknown("time-out".into())));
        assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    }
    assert_eq!(solver.statistics().translated, solver.encoder.len() as u64, "encoded once");
    solver.set_limits(Limits { query: None, deadline: Some(Instant::now()) });
    assert!(matches!(solver.check(&terms, &[t]), Err(SolverError::Unknown(_))));
    solver.set_limits(Limits::default());
    let x = terms.sym(SymId(0));
    let k = terms.int(60, 7);
    let other = terms.eq(x, k);
    assert_eq!(solver.check(&terms, &[other]), Ok(Answer::Sat));
}

#[test]
fn limits_hold_while_terms_become_gates() {
    let mut terms = Terms::new();
    let mut x = terms.fresh("x", Sort::Bv(128));
    for _ in 0..20_000 {
        let y = terms.fresh("y", Sort::Bv(128));
        let product = terms.bv_op(BvOp::Udiv, x, y);
        x = terms.add(product, y);
    }
    let t = terms.nonzero(x);
    let mut solver = Bits::new(Limits { query: Some(Duration::from_millis(50)), deadline: None });
    let begin = Instant::now();
    assert_eq!(solver.check(&terms, &[t]), Err(SolverError::Unknown("time-out".into())));
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
}

#[test]
fn an_interrupted_query_ends() {
    let mut terms = Terms::new();
    let t = hard(&mut terms);
    let mut solver = Bits::new(Limits::default());
    let interrupter = solver.interrupter();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        interrupter.interrupt();
    });
    assert_eq!(solver.check(&terms, &[t]), Err(SolverError::Unknown("interrupted".into())));
    thread.join().unwrap();
}

/// The clauses of gates may be incomplete after an interruption: they are completed the next time, or forgotten with the
/// gates.
#[test]
fn interrupted_definitions_are_made_up_for() {
    let mut encoder = new_encoder();
    let g = &mut encoder.graph;
    let [x, y]: [Word; 2] = [0, 1].map(|_| (0..24).map(|_| g.input()).collect());
    let sum = circuits::add(g, &x, &y);
    let back = circuits::sub(g, &sum, &y);
    let wrong = !circuits::equal(g, &back, &x);
    let deadline = Deadline::new();
    let mut cnf = Cnf::new(&deadline, Start::Search);
    deadline.turn_end().interrupt();
    cnf.define(&encoder, wrong).expect_err("interrupted");
    deadline.turn_begins();
    cnf.define(&encoder, wrong).expect("time");
    let assumed = cnf.literal(wrong);
    assert_eq!(cnf.solve(&mut encoder, &[assumed], None), Ok(Some(Answer::Unsat)));
    cnf.reset();
    deadline.turn_end().interrupt();
    cnf.define(&encoder, wrong).expect_err("interrupted");
    deadline.turn_begins();
    cnf.reset();
    let mut other = new_encoder();
    let free = other.graph.input();
    cnf.assert(&other, free).expect("time");
    assert_eq!(cnf.solve(&mut other, &[], None), Ok(Some(Answer::Sat)));
}

#[test]
fn floats_are_refused() {
    let mut terms = Terms::new();
    let x = terms.fresh("x", Sort::Bv(64));
    let nan = terms.is_nan(cfa::float::Format::Double, x);
    let mut solver = Bits::new(Limits::default());
    assert!(matches!(solver.check(&terms, &[nan]), Err(SolverError::Unsupported(_))));
}

/// Memories that come from one memory are equal if the written cells are, whatever the order of writes and choices.
#[test]
fn memories_from_one_memory_are_compared() {
    let mut terms = Terms::new();
    let sort = Sort::Array { index: 16, elem: 8 };
    let [m, other] = ["m", "other"].map(|name| terms.fresh(name, sort));
    let [i, j] = ["i", "j"].map(|name| terms.fresh(name, Sort::Bv(16)));
    let [x, y] = ["x", "y"].map(|name| terms.fresh(name, Sort::Bv(8)));
    let write = |terms: &mut Terms, m: Term, writes: [(Term, Term); 2]| {
        writes.into_iter().fold(m, |m, (at, value)| terms.write(m, at, value))
    };
    let (one, two) = (write(&mut terms, m, [(i, x), (j, y)]), write(&mut terms, m, [(j, y), (i, x)]));
    let (equal, same) = (terms.eq(one, two), terms.eq(i, j));
    let (differ, apart, alike) = (terms.not(equal), terms.not(same), terms.eq(x, y));
    let mut solver = Bits::new(Limits::default());
    assert_eq!(solver.check(&terms, &[differ, apart]), Ok(Answer::Unsat));
    assert_eq!(solver.check(&terms, &[differ, alike]), Ok(Answer::Unsat));
    assert_eq!(solver.check(&terms, &[differ]), Ok(Answer::Sat));
    assert_eq!(solver.check(&terms, &[equal, same]), Ok(Answer::Sat));
    let condition = terms.fresh("c", Sort::Bool);
    let (chosen, left) = (terms.ite(condition, one, m), terms.ite(condition, two, m));
    let equal = terms.eq(chosen, left);
    let differ = terms.not(equal);
    assert_eq!(solver.check(&terms, &[differ, apart]), Ok(Answer::Unsat));
    let foreign = write(&mut terms, other, [(i, x), (j, y)]);
    let equal = terms.eq(one, foreign);
    let differ = terms.not(equal);
    assert!(matches!(solver.check(&terms, &[differ]), Err(SolverError::Unsupported(_))));
}

#[test]
fn switches_keep_circuits() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.fresh(name, Sort::Bv(32)));
    let switch = terms.fresh("switch", Sort::Bool);
    let (more, less) = (terms.cmp(BvCmp::Ult, x, y), terms.cmp(BvCmp::Ult, y, x));
    let (guarded, off) = (terms.implies(switch, more), terms.not(switch));
    // The number of terms translated for each query, and whether a core has the switch.
    let ask = |switches: &[Term]| {
        let mut solver = Validating::new(Bits::new(Limits::default()));
        solver.set_switches(switches);
        let mut translated = |setting: Term, expected: Answer| {
            let before = solver.statistics().translated;
            assert_eq!(solver.check(&terms, &[guarded, less, setting]), Ok(expected));
            let names = expected == Answer::Sat || solver.core().contains(&setting);
            assert!(names, "{:?}", solver.core());
            solver.statistics().translated - before
        };
        [translated(switch, Answer::Unsat), translated(off, Answer::Sat), translated(switch, Answer::Unsat)]
    };
    assert_eq!(ask(&[switch])[1..], [0, 0]);
    assert!(ask(&[])[1..].iter().all(|n| *n > 0));
}
