//! Tests that terms, evaluation and Z3 agree on random terms, and that limits and models work.

use super::operators::Operators;
use super::*;
use crate::Cached;
use crate::random_queries::{check_solver, hard};
use cfa::Sort;
use cfa::eval::Value;
use cfa::float::{FloatOp, Format};
use cfa::term::Leaf;
use kerf_testing::recipe::{Menu, Recipe, random};
use z3::ast::{Ast, Dynamic};

/// A fixed value as a Z3 tree.
fn fixed(operators: &mut Operators, c: &Context, value: &Value) -> Dynamic {
    match value {
        Value::Bool(b) => Bool::from_bool(*b).into(),
        Value::Bv(v) => operators.constant(c, v).unwrap(),
        Value::Array(a) => {
            let sort = value.sort();
            let background = operators.constant(c, &a.background()[0].1).unwrap();
            let mut m = operators.plain(c, Kind::ConstArray, sort, &[&background], &|_| Sort::Bool).unwrap();
            for (at, v) in a.cells() {
                let at = operators.constant(c, &cfa::bv::Bv::new(a.index_bits(), at)).unwrap();
                let v = operators.constant(c, &v).unwrap();
                let elem = Sort::Bv(a.elem_bits());
                m = operators.plain(c, Kind::Write, sort, &[&m, &at, &v], &|_| elem).unwrap();
            }
            m
        }
    }
}

/// The recipe's operators as Z3 trees; `None` if there are operators that Z3 lacks.
fn trees(operators: &mut Operators, c: &Context, recipe: &Recipe, values: &[Value]) -> Option<Vec<Dynamic>> {
    let mut trees: Vec<Dynamic> = recipe.ingredients.iter().map(|i| fixed(operators, c, &i.value)).collect();
    for step in &recipe.steps {
        let args: Vec<&Dynamic> = step.args.iter().map(|&i| &trees[i]).collect();
        let tree = match step.kind {
            Kind::Float(op, f) => operators.float_on_bits(c, op, f, &args, step.sort).ok()?,
            kind => operators.plain(c, kind, step.sort, &args, &|i| values[step.args[i]].sort()).unwrap(),
        };
        trees.push(tree);
    }
    Some(trees)
}

/// Compares every position's value with Z3's evaluation of the operators.
fn check_operators(seed: u64, menu: Menu, size: usize) {
    let recipe = random(seed, menu, size);
    let Some(values) = recipe.values() else { return };
    Confined::new(|c| {
        compare(seed, &recipe, &values, c);
        Ok(())
    })
    .expect("no difference");
}

fn compare(seed: u64, recipe: &Recipe, values: &[Value], c: &Context) {
    let operators = &mut Operators::new();
    let Some(trees) = trees(operators, c, recipe, values) else { return };
    let check = |operators: &mut Operators, i: usize, tree: &Dynamic, want: &Value| {
        let same = tree.eq(fixed(operators, c, want)).simplify();
        let step = &recipe.steps[i - recipe.ingredients.len()];
        match same.as_bool() {
            Some(true) => {}
            Some(false) => panic!("seed {seed}, {step:?}: Z3 differs from {:?}", values[i]),
            None => {
                let solver = z3::Solver::new();
                solver.assert(same.not());
                assert_ne!(solver.check(), SatResult::Sat, "seed {seed}, {step:?}");
            }
        }
    };
    for (i, value) in values.iter().enumerate().skip(recipe.ingredients.len()) {
        let Value::Array(a) = value else {
            check(operators, i, &trees[i], value);
            continue;
        };
        // Cell by cell: at multiples of the cell size, explicit cells and some others.
        let step = u64::from(a.elem_bits() / 8);
        let near = (0..20).map(|k| k * step).chain(a.cells().into_iter().map(|(at, _)| at));
        for at in near.filter(|at| at % step == 0) {
            let address = operators.constant(c, &cfa::bv::Bv::new(a.index_bits(), at)).unwrap();
            let cell = c.select(&trees[i], &address).unwrap();
            check(operators, i, &cell, &Value::Bv(a.cell(at)));
        }
    }
}

fn solver() -> Box<dyn Solver> {
    Box::new(Z3::new(Limits::default()).unwrap())
}

/// Z3's answer to a script.
fn run_script(text: &str) -> SatResult {
    let answer = Confined::new(|_| Ok(())).unwrap().with(|c, ()| {
        let solver = z3::Solver::new();
        solver.from_string(text);
        c.checked(())?;
        Ok(solver.check())
    });
    answer.unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Writes the recipe with fixed symbols as a script, and checks that its root has its value and no other.
fn check_script(seed: u64, menu: Menu, size: usize) {
    let recipe = random(seed, menu, size);
    let Some(values) = recipe.values() else { return };
    let mut terms = Terms::new();
    let built = recipe.build_symbolic(&mut terms);
    let mut fixed: Vec<(cfa::SymId, Value)> = built.model.iter().map(|(s, v)| (*s, v.clone())).collect();
    fixed.sort_by_key(|(s, _)| *s);
    let mut asserted = Vec::new();
    for (s, v) in &fixed {
        let (sym, v) = (terms.sym(*s), kerf_testing::recipe::constant(&mut terms, v));
        asserted.push(terms.eq(sym, v));
    }
    let mut all = terms.tt();
    for (&t, v) in built.terms.iter().zip(&values) {
        if !matches!(v, Value::Array(_)) {
            let v = kerf_testing::recipe::constant(&mut terms, v);
            let same = terms.eq(t, v);
            all = terms.and(all, same);
        }
    }
    let not_all = terms.not(all);
    for (root, want) in [(all, SatResult::Sat), (not_all, SatResult::Unsat)] {
        asserted.push(root);
        match crate::smtlib::script(&terms, &asserted) {
            Ok(text) => assert_eq!(run_script(&text), want, "seed {seed}\n{text}"),
            Err(SolverError::Unsupported(_)) => return,
            Err(e) => panic!("seed {seed}: {e}"),
        }
        asserted.pop();
    }
}

#[test]
fn scripts_ask_the_same() {
    for seed in 0..SEEDS {
        check_script(seed, Menu::Bits, 10);
        check_script(seed, Menu::Memory, 5);
    }
    for seed in 0..SEEDS / 5 {
        for f in FORMATS {
            check_script(seed, Menu::Floats(f), 3);
        }
    }
}

const FORMATS: [Format; 6] = [Format::Half, Format::BFloat, Format::Single, Format::Double, Format::X87, Format::Quad];

/// Number of random recipes: enough for a few seconds.
const SEEDS: u64 = 100;

#[test]
fn operators_mean_what_z3_means() {
    for seed in 0..SEEDS * 10 {
        check_operators(seed, Menu::Bits, 20);
    }
}

#[test]
fn memories_mean_what_z3_means() {
    for seed in 0..SEEDS * 2 {
        check_operators(seed, Menu::Memory, 8);
    }
}

#[test]
fn floats_mean_what_z3_means() {
    for seed in 0..SEEDS {
        for f in FORMATS {
            check_operators(seed, Menu::Floats(f), 8);
        }
    }
}

#[test]
fn queries_on_bits_are_answered_rightly() {
    for seed in 0..SEEDS / 2 {
        check_solver(seed, Menu::Bits, 10, solver);
    }
}

#[test]
fn queries_on_memories_are_answered_rightly() {
    for seed in 0..SEEDS {
        check_solver(seed, Menu::Memory, 6, solver);
    }
}

#[test]
fn queries_on_floats_are_answered_rightly() {
    for seed in 0..SEEDS / 10 {
        for f in FORMATS {
            check_solver(seed, Menu::Floats(f), 4, solver);
        }
    }
}

#[test]
fn assumptions_last_for_one_query_and_have_cores() {
    let mut terms = Terms::new();
    let x = terms.fresh("x", Sort::Bv(32));
    let (five, ten) = (terms.int(32, 5), terms.int(32, 10));
    let below = terms.cmp(cfa::bv::BvCmp::Ult, x, five);
    let above = terms.cmp(cfa::bv::BvCmp::Ult, ten, x);
    let even = {
        let low = terms.extract(0, 0, x);
        let one = terms.nonzero(low);
        terms.not(one)
    };
    for cached in [false, true] {
        let z3 = Z3::with_mode(Limits::default(), Mode::Incremental).unwrap();
        let mut solver: Box<dyn Solver> = if cached { Box::new(Cached::new(z3)) } else { Box::new(z3) };
        assert_eq!(solver.check(&terms, &[even, below, above]), Ok(Answer::Unsat));
        let mut core = solver.core();
        core.sort_unstable();
        assert_eq!(core, vec![below, above]);
        assert!(solver.model(&terms).is_err());
        let both = terms.and(even, below);
        assert_eq!(solver.check(&terms, &[both]), Ok(Answer::Sat));
        assert_eq!(solver.model(&terms).unwrap().holds(&terms, both), Some(true));
        solver.assert(&terms, above).unwrap();
        assert_eq!(solver.check(&terms, &[both]), Ok(Answer::Unsat));
        assert_eq!(solver.core(), vec![both]);
        assert_eq!(solver.check(&terms, &[even]), Ok(Answer::Sat));
        let v = solver.model_value(&terms, x).unwrap().to_u64().unwrap();
        assert!(v > 10 && v.is_multiple_of(2));
    }
}

#[test]
fn limits_hold() {
    let mut terms = Terms::new();
    let t = hard(&mut terms);
    let limits = Limits { query: Some(Duration::from_millis(200)), deadline: None };
    let mut solver = Z3::new(limits).unwrap();
    let begin = Instant::now();
    assert!(matches!(solver.check(&terms, &[t]), Err(SolverError::Unknown(_))));
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    solver.set_limits(Limits { query: None, deadline: Some(Instant::now()) });
    assert!(matches!(solver.check(&terms, &[t]), Err(SolverError::Unknown(_))));
    // The solver still works.
    solver.set_limits(Limits::default());
    let tt = terms.tt();
    assert_eq!(solver.check(&terms, &[tt]), Ok(Answer::Sat));
}

#[test]
fn an_interrupted_query_ends() {
    let mut terms = Terms::new();
    let t = hard(&mut terms);
    let mut solver = Z3::new(Limits::default()).unwrap();
    let interrupter = solver.interrupter();
    let begin = Instant::now();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        interrupter.interrupt();
    });
    assert_eq!(solver.check(&terms, &[t]), Err(SolverError::Unknown("interrupted".into())));
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    thread.join().unwrap();
}

#[test]
fn copies_under_equality_are_functions() {
    let mut terms = Terms::new();
    let sort = Sort::Array { index: 32, elem: 8 };
    let (m, src) = (terms.fresh("m", sort), terms.fresh("src", sort));
    let (to, n) = (terms.fresh("to", Sort::Bv(32)), terms.fresh("n", Sort::Bv(32)));
    let copied = terms.copy(m, to, src, to, n);
    let same = terms.eq(copied, m);
    let mut solver = Z3::new(Limits::default()).unwrap();
    let (a, b) = (terms.read(m, to, 8), terms.read(src, to, 8));
    let differ = terms.eq(a, b);
    let differ = terms.not(differ);
    let some = terms.nonzero(n);
    assert_ne!(solver.check(&terms, &[same, differ, some]), Ok(Answer::Sat));
}

#[test]
fn floats_of_functions_of_addresses_count_as_such() {
    let mut terms = Terms::new();
    let sort = Sort::Array { index: 32, elem: 8 };
    let (m, src) = (terms.fresh("m", sort), terms.fresh("src", sort));
    let (to, n) = (terms.fresh("to", Sort::Bv(32)), terms.fresh("n", Sort::Bv(32)));
    let (x, y) = (terms.fresh("x", Sort::Bv(32)), terms.fresh("y", Sort::Bv(32)));
    let copied = terms.copy(m, to, src, to, n);
    let same = terms.eq(copied, m);
    let choice = terms.ite(same, x, y);
    let sum = terms.float(FloatOp::Add, Format::Single, &[choice, x], Sort::Bv(32));
    let less = terms.float(FloatOp::Lt, Format::Single, &[sum, y], Sort::Bool);
    let other = terms.float(FloatOp::Lt, Format::Single, &[x, y], Sort::Bool);
    let mut place = Confined::new(|_| Ok(Translator::new())).unwrap();
    let flags = place.with(|c, translator| {
        translator.translate(c, &terms, less)?;
        translator.translate(c, &terms, other)?;
        Ok([less, sum, choice, other].map(|t| translator.has_lambda(t)))
    });
    assert_eq!(flags, Ok([true, true, true, false]));
}

#[test]
fn fmod_of_doubles_is_refused() {
    let mut terms = Terms::new();
    let (x, y) = (terms.fresh("x", Sort::Bv(64)), terms.fresh("y", Sort::Bv(64)));
    let r = terms.float(FloatOp::Rem, Format::Double, &[x, y], Sort::Bv(64));
    let nan = terms.is_nan(Format::Double, r);
    let mut solver = Z3::new(Limits::default()).unwrap();
    assert!(matches!(solver.check(&terms, &[nan]), Err(SolverError::Unsupported(_))));
}

#[test]
fn variables_are_free_constants() {
    let mut terms = Terms::new();
    let v = terms.var(cfa::VarId(3), Sort::Bv(8));
    let k = terms.int(8, 77);
    let eq = terms.eq(v, k);
    let mut solver = crate::standard(Limits::default());
    assert_eq!(solver.check(&terms, &[eq]), Ok(Answer::Sat));
    assert_eq!(solver.model(&terms).unwrap().get(Leaf::Var(cfa::VarId(3))).unwrap().to_u64(), Some(77));
}

#[test]
fn the_linked_z3_is_the_one_of_the_set_up() {
    assert!(z3_version().starts_with("5.4"), "{}", z3_version());
}

#[test]
fn a_panic_becomes_an_error_and_the_thread_keeps_its_context() {
    let own = z3::Context::thread_local();
    let mut place = Confined::new(|_| Ok(())).unwrap();
    let failed = place.with(|_, ()| -> Result<(), SolverError> { panic!("no memory") });
    assert_eq!(failed, Err(SolverError::Failed("Z3: no memory".into())));
    assert_eq!(z3::Context::thread_local(), own);
    assert_eq!(
        place.with(|_, ()| Ok(1)),
        Err(SolverError::Failed("Z3 ran out of memory, or has failed before".into()))
    );
    let fails = || -> Result<(), SolverError> { panic!("no memory") };
    assert!(matches!(Confined::new(|_| fails()).map(|_| ()), Err(SolverError::Failed(_))));
    assert_eq!(z3::Context::thread_local(), own);
}

#[test]
fn errors_of_calls_without_result_are_told() {
    let mut place = Confined::new(|_| Ok(Bool::from_bool(true))).unwrap();
    let errors = place.with(|c, truth| {
        let of_truth = Dynamic::from(truth.clone());
        let solver = z3::Solver::new();
        solver.from_string("(assert nothing)");
        let unknown_name = c.checked(());
        solver.assert(truth.clone());
        let later = c.checked(());
        let ill_sorted = c.bvadd(&of_truth, &of_truth).map(|_| ());
        let no_variable = c.bound_index(&of_truth).map(|_| ());
        Ok((unknown_name, later, ill_sorted, no_variable))
    });
    let (unknown_name, later, ill_sorted, no_variable) = errors.unwrap();
    let failed = |e: Result<(), SolverError>| matches!(e, Err(SolverError::Failed(_)));
    assert!(failed(unknown_name) && failed(ill_sorted) && failed(no_variable));
    assert_eq!(later, Ok(()));
}

#[test]
fn a_stopped_solver_answers_with_errors_only() {
    let mut terms = Terms::new();
    let sort = Sort::Array { index: 64, elem: 8 };
    let (m, at) = (terms.fresh("m", sort), terms.fresh("at", Sort::Bv(64)));
    let wide = terms.fresh("wide", Sort::Bv(200));
    let hard = hard(&mut terms);
    let interrupted = Err(SolverError::Unknown("interrupted".into()));
    for mode in [Mode::Fresh, Mode::Incremental] {
        let mut solver = Z3::with_mode(Limits::default(), mode).unwrap();
        let interrupter = solver.interrupter();
        let stop = std::thread::spawn({
            let interrupter = interrupter.clone();
            move || {
                (0..100).for_each(|_| {
                    std::thread::sleep(Duration::from_millis(2));
                    interrupter.interrupt();
                })
            }
        });
        assert_eq!(solver.check(&terms, &[hard]), interrupted);
        stop.join().unwrap();
        // Translation in an interrupted context.
        for round in 0..10 {
            let k = terms.int(64, round);
            let next = terms.add(at, k);
            let copied = terms.copy(m, next, m, at, k);
            let (read, zero) = (terms.read(copied, next, 8), terms.int(8, 0));
            let all_ones = terms.int(200, u64::MAX);
            let (a, b) = (terms.eq(read, zero), terms.eq(wide, all_ones));
            let t = terms.and(a, b);
            assert_eq!(solver.assert(&terms, t), Ok(()));
            assert_eq!(solver.check(&terms, &[t]), interrupted);
            assert!(solver.model(&terms).is_err() && solver.core().is_empty());
        }
    }
}

#[test]
fn a_solver_may_move_between_threads() {
    let mut terms = Terms::new();
    let x = terms.fresh("x", Sort::Bv(200));
    let mut solver = Z3::with_mode(Limits::default(), Mode::Incremental).unwrap();
    for round in 1..20u64 {
        let k = terms.int(200, round);
        let at_least = terms.cmp(cfa::bv::BvCmp::Ule, k, x);
        let at_most = terms.cmp(cfa::bv::BvCmp::Ule, x, k);
        let terms = &terms;
        solver = std::thread::scope(|scope| {
            let work = move || {
                solver.assert(terms, at_least).unwrap();
                assert_eq!(solver.check(terms, &[at_most]), Ok(Answer::Sat));
                solver
            };
            scope.spawn(work).join().unwrap()
        });
        assert_eq!(solver.model_value(terms, x).unwrap().to_u64(), Some(round));
    }
    std::thread::spawn(move || drop(solver)).join().unwrap();
}
