//! Certificates of task programs and mutants of them: executions agree with what is accepted, and Z3 alone with every answer.
//!
//! `KERF_FUZZ_RUNS` sets how many mutants of each kind each certificate has (`make fuzz`).

use cfa::view::Slice;
use kerf_testing::Random;
use kerf_tests::certificates::follow::{Followed, follow};
use kerf_tests::certificates::mutants::{Change, mutant};
use kerf_tests::certificates::{Proof, is_accepted, prove, with_deep_stack};
use kerf_tests::kerf::parallel;
use kerf_tests::tasks::programs;
use smt::Engine;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;
use verifier::cpa::Stop;
use verifier::domains::{Merge, PartKind};
use verifier::strategies::composition::Composition;
use verifier::strategies::portfolio::{Strategy, Technique};

/// Strategies whose certificates differ from loop invariants: complete unwindings, labels with symbols and with constants, several
/// successors of one step, nodes without labels where paths meet.
const OTHERS: [&str; 16] = [
    "bmc",
    "symex",
    "symex-merged",
    "value",
    "symex-cegar",
    "value-cegar",
    STOP_JOIN,
    "predicate",
    "predicate-cartesian",
    "predicate-sbe",
    "predicate-slicing",
    PREDICATES_AND_INTERVALS,
    "impact",
    "imc",
    "pdr",
    "explicit",
];

/// Predicate abstraction that facts of intervals strengthen.
const PREDICATES_AND_INTERVALS: &str = "predicate+invariants";

/// Intervals whose states are kept apart, and of which several cover one.
const STOP_JOIN: &str = "stop-join";

/// The strategy with this name.
fn strategy_named(name: &str) -> Strategy {
    let composition = match name {
        STOP_JOIN => Composition { merge: Merge::Sep, stop: Stop::Join, ..Composition::invariants() },
        PREDICATES_AND_INTERVALS => Composition::of_parts(vec![PartKind::Invariants, PartKind::Predicate]),
        _ => return Strategy::named(name).expect("a strategy"),
    };
    Strategy::Only(Technique::Explore { name: name.into(), composition: Box::new(composition) })
}

/// Number of executions of a program.
const RUNS: u64 = 12;

/// Numbers of mutants of one kind, by what came of them.
#[derive(Clone, Copy, Default, Debug)]
struct Count {
    accepted: usize,
    rejected: usize,
    /// Number of rejected mutants that a random execution contradicts.
    contradicted: usize,
    undecided: usize,
}

/// What is wrong, or the counts by kind.
type Outcome = Result<(Followed, BTreeMap<&'static str, Count>), String>;

fn try_mutants(name: &str, proof: &Proof, whole: bool, mutants: u64) -> Outcome {
    let Proof { cfa, certificate } = proof;
    // Strategies that slice on the way may prove a part.
    let whole = whole && certificate.slice == Slice::whole(cfa);
    let mut random = Random::new(name.bytes().map(u64::from).sum());
    let mut followed = Followed::default();
    if whole {
        followed = follow(cfa, certificate, &mut random, RUNS).map_err(|e| format!("{name}: an execution: {e}"))?;
    }
    let mut counts: BTreeMap<&'static str, Count> = BTreeMap::new();
    for (change, n) in Change::ALL.into_iter().flat_map(|c| (0..mutants).map(move |n| (c, n))) {
        let Some(mutant) = mutant(&mut random, certificate, change) else { continue };
        let what = format!("{name}: mutant {change:?} {n}");
        let count = counts.entry(change.name()).or_default();
        match [Engine::Fast, Engine::Z3].map(|engine| is_accepted(cfa, &mutant, engine)) {
            [Some(a), Some(b)] if a != b => return Err(format!("{what}: accepted {a}, by Z3 alone {b}")),
            [Some(true), _] | [None, Some(true)] => {
                count.accepted += 1;
                if whole {
                    follow(cfa, &mutant, &mut random, RUNS).map_err(|e| format!("{what}: accepted, but {e}"))?;
                }
            }
            [Some(false), _] | [None, Some(false)] => {
                count.rejected += 1;
                let contradicted = whole && follow(cfa, &mutant, &mut random, RUNS).is_err();
                count.contradicted += usize::from(contradicted);
            }
            [None, None] => count.undecided += 1,
        }
    }
    Ok((followed, counts))
}

/// A number that depends on the name of a program only.
fn number(file: &Path) -> usize {
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    name.bytes().fold(0, |n: usize, byte| n.wrapping_mul(31).wrapping_add(byte.into()) % 1_000_003)
}

#[test]
fn fuzz_mutants_of_certificates() {
    let mutants = kerf_testing::fuzz_runs(1);
    let files: Vec<PathBuf> =
        programs("programs").into_iter().filter(|f| f.to_string_lossy().ends_with("_true.c")).collect();
    // Half of the programs, each by loop invariants or by another strategy; of two in three the whole program, which can be followed.
    let mut runs: Vec<(&PathBuf, &str, bool, u64)> = Vec::new();
    // A new program does not change what is done with the others.
    for file in &files {
        let i = number(file);
        if i.is_multiple_of(2) {
            let strategy = if i.is_multiple_of(4) { "k-induction" } else { OTHERS[i / 4 % OTHERS.len()] };
            runs.push((file, strategy, i % 3 != 2, mutants));
        }
    }
    // Few certificates have witnesses or cases, or need that a variable is said to be written.
    for (name, strategy) in [
        ("covering_needs_a_witness_true.c", "symex"),
        ("positions_of_letters_true.c", "symex-merged"),
        ("equal_counters_need_invariant_true.c", "k-induction"),
        ("counter_needs_invariant_true.c", "k-induction"),
    ] {
        let named = files.iter().filter(|f| f.ends_with(name));
        runs.extend(named.map(|file| (file, strategy, true, 3 * mutants)));
    }
    let outcomes = parallel(&runs, 2, |&(file, strategy, whole, mutants)| {
        let name = format!("{} by {strategy}", Path::new(file).file_stem().unwrap_or_default().to_string_lossy());
        let begin = Instant::now();
        let outcome = with_deep_stack(|| match prove(file, &strategy_named(strategy), !whole) {
            Ok(Some(proof)) => Some(try_mutants(&name, &proof, whole, mutants)),
            Ok(None) => None,
            Err(e) => Some(Err(format!("{name}: {e:#}"))),
        });
        println!("{:.1} s: {name}", begin.elapsed().as_secs_f64());
        outcome
    });
    let (mut proofs, mut steps, mut checks) = (0, 0, 0);
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    let mut wrong = Vec::new();
    for outcome in outcomes.into_iter().flatten() {
        proofs += 1;
        match outcome {
            Err(e) => wrong.push(e),
            Ok((followed, of_proof)) => {
                steps += followed.steps;
                checks += followed.checks;
                for (change, c) in of_proof {
                    let sum = counts.entry(change).or_default();
                    sum.accepted += c.accepted;
                    sum.rejected += c.rejected;
                    sum.contradicted += c.contradicted;
                    sum.undecided += c.undecided;
                }
            }
        }
    }
    println!("{proofs} certificates, followed for {steps} steps with {checks} invariants and labels");
    counts.iter().for_each(|(change, c)| println!("{change}: {c:?}"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // With a part of the programs (`KERF_PROGRAMS`), all numbers are smaller.
    let all = std::env::var("KERF_PROGRAMS").is_err();
    assert!(!all || (proofs > 50 && steps > 1000 && checks > 1000));
    for change in Change::ALL {
        let c = counts.get(change.name()).copied().unwrap_or_default();
        assert!(!all || c.rejected > 0, "{change:?}: {c:?}");
    }
    assert!(!all || counts.values().map(|c| c.contradicted).sum::<usize>() > 20);
}
