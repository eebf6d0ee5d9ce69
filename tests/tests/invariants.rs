//! Invariants that are generated for the loops of the task programs: they hold in all states of executions on random inputs, and they
//! suffice for the proofs that rest on them alone.

use cfa::eval::{Value, eval_bool};
use cfa::interpret::{InputSource, RunLimits, run};
use cfa::term::Leaf;
use cfa::{Cfa, EdgeId, InputKind, LocId, Op, Sort, Term};
use frontend_llvm::LoadOptions;
use kerf_testing::Random;
use kerf_tests::kerf::{Verdict, verify_patiently};
use kerf_tests::tasks::{assert_all, expected, load_program, programs};
use rustc_hash::FxHashMap;
use slicer::{PrepareOptions, prepare, slice_for_targets};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use verifier::domains::intervals::Interesting;
use verifier::evidence::outcome::Outcome;
use verifier::invariants::abstract_interpretation::{Told, generate};
use verifier::program::{Budget, Program};
use verifier::strategies::k_induction;

/// Number of executions of a program.
const RUNS: u64 = 60;
/// Maximum number of steps of an execution.
const STEPS: u64 = 5_000;

fn prepared(file: &Path) -> Cfa {
    let loaded = load_program(file, &LoadOptions::default()).expect("it loads");
    prepare(loaded.raw, &PrepareOptions::default()).expect("it is prepared").0
}

struct Inputs(Random);

impl InputSource for Inputs {
    fn value(&mut self, _: EdgeId, _: u32, _: &InputKind, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.0.one_in(2)),
            Sort::Bv(width) => Value::Bv(cfa::bv::Bv::new(width, self.0.input())),
            Sort::Array { .. } => Value::zero(sort),
        }
    }
}

/// Called with a loop's head and the values there.
type AtHead<'a> = dyn FnMut(LocId, &dyn Fn(Leaf) -> Option<Value>) + 'a;

/// Calls `check` with the values of variables wherever a loop of the slice begins, in executions of the whole program.
fn at_heads(program: &Program, check: &mut AtHead<'_>) {
    let heads = program.loop_heads();
    for seed in 0..RUNS {
        let mut inputs = Inputs(Random::new(seed));
        run(&program.cfa, &mut inputs, RunLimits { steps: STEPS, deadline: None }, &mut |machine, e| {
            let edge = &program.cfa.edges[e];
            let head = program.view.rep(edge.to);
            // After a call, control is in the called function.
            if heads.contains(&head) && !matches!(edge.op, Op::Call(_)) {
                check(head, &|leaf| match leaf {
                    Leaf::Var(v) => machine.value(v).cloned(),
                    _ => None,
                });
            }
        });
    }
}

#[test]
fn no_execution_violates_a_generated_invariant() {
    let (told, checked) = (AtomicU64::new(0), AtomicU64::new(0));
    assert_all(&programs("programs"), |file| {
        let cfa = prepared(file);
        let slice = slice_for_targets(&cfa);
        let program = Program::new(Arc::new(cfa), slice);
        let mut terms = program.overlay();
        let mut solver = smt::standard(smt::Limits::default());
        // Loops of the models of `scanf` and its like keep the generators busy for long; what they say is told as they go.
        let budget = Budget::until(Instant::now() + Duration::from_millis(300));
        let mut found: FxHashMap<LocId, Vec<Term>> = FxHashMap::default();
        generate(&program, Interesting::default(), &mut solver, budget, &mut |what| {
            let Told::Candidates(more) = what else { return ControlFlow::Continue(()) };
            for (head, all) in more.import(&mut terms) {
                told.fetch_add(all.len() as u64, Ordering::Relaxed);
                found.entry(head).or_default().extend(all);
            }
            ControlFlow::Continue(())
        });
        let mut violated: Option<(LocId, Term)> = None;
        at_heads(&program, &mut |head, values| {
            for t in found.get(&head).into_iter().flatten() {
                match eval_bool(&terms, *t, &mut |leaf| values(leaf)) {
                    Some(true) => drop(checked.fetch_add(1, Ordering::Relaxed)),
                    Some(false) => violated = Some((head, *t)),
                    None => {}
                }
            }
        });
        let names = cfa::term::Printer {
            var: &|v| program.cfa.vars[v].name.to_string(),
            sym: &|s| format!("{s:?}"),
            object: &|o| format!("{o:?}"),
        };
        violated.map(|(head, t)| format!("{}: {} at {head:?}", file.display(), terms.print(t, &names)))
    });
    if std::env::var_os("KERF_PROGRAMS").is_none() {
        let (told, checked) = (told.into_inner(), checked.into_inner());
        assert!(told > 600 && checked > 30_000, "{told} invariants, {checked} checks");
    }
}

/// Sets of intervals prove these alone, without a template or an execution.
#[test]
fn sets_of_intervals_prove_what_they_are_for() {
    const NAMES: [&str; 5] =
        ["dangl_2_5_true", "interval_chain_true", "interval_sets_true", "known_bits_true", "assumed_ranges_true"];
    let is_named = |file: &Path| NAMES.iter().any(|name| file.file_stem().is_some_and(|stem| stem == *name));
    let files: Vec<_> = programs("programs").into_iter().filter(|file| is_named(file)).collect();
    assert_eq!(files.len(), NAMES.len());
    assert_all(&files, |file| {
        let e = expected(file);
        let options = ["--data-model", &e.data_model, "--strategy", "invariants"];
        match verify_patiently(file, &options).and_then(|answer| answer.verdict()) {
            Ok(Verdict::True) => None,
            other => Some(format!("{}: {other:?}", file.display())),
        }
    });
}

/// Whether k-induction up to `last_k`, without bounded model checking beside it, proves the program; and its last k.
fn induction(file: &Path, invariants: bool, last_k: u32) -> (bool, u64) {
    let cfa = Arc::new(prepared(file));
    let slice = slice_for_targets(&cfa);
    let program = Program::new(cfa, slice);
    let options = k_induction::Options { invariants, base: false, last_k, ..k_induction::Options::default() };
    let make = |limits| smt::standard(limits);
    let mut statistics = k_induction::Statistics::default();
    let budget = Budget::until(Instant::now() + Duration::from_secs(1500));
    let result = k_induction::run(&program, options, &make, budget, &mut statistics).expect("no time-out");
    (matches!(result, Outcome::Proof(_)), statistics.k)
}

#[test]
fn state_machines_need_four_iterations_and_invariants() {
    for name in ["handshake_needs_k_induction_true", "state_machine_needs_k_induction_true"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs").join(name).with_extension("c");
        assert!(!induction(&file, true, 3).0, "{name}: three iterations are enough");
        assert!(!induction(&file, false, 6).0, "{name}: no invariant is needed");
        let (proved, k) = induction(&file, true, 6);
        assert!(proved && k >= 4, "{name}: {k}");
    }
}
