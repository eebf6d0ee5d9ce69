//! The laws of all domains, on the states that they meet along random executions of random programs: each describes the execution's
//! states, in whatever precision; covering is an order that the index does not hide, what covers describes all that it covers; merged
//! states cover the old ones; transfer is monotone, in the states and in the precision.

use crate::support::generator::{BASE, SIZE, random_program};
use crate::support::*;
use cfa::bv::Bv;
use cfa::eval::Value;
use cfa::{EdgeId, Op, Term, VarId};
use kerf_testing::Random;
use std::collections::HashMap;
use std::time::Duration;
use verifier::blocks::Blocks;
use verifier::cpa::precision::{Refinable, Tracked};
use verifier::cpa::skeleton::composite::Composite;
use verifier::cpa::{Beyond, Cpa, Cx, Located, Position, Step};
use verifier::domains::bdd::{self, BddCpa};
use verifier::domains::dataflow::dominators::Dominators;
use verifier::domains::dataflow::flow_dependence::FlowDependences;
use verifier::domains::dataflow::joined::Joined;
use verifier::domains::dataflow::reaching_definitions::ReachingDefinitions;
use verifier::domains::intervals::{Additions, InvariantsCpa};
use verifier::domains::predicate::{self, Method, Place, PredicateCpa, Predicates, Scope};
use verifier::domains::signs::SignsCpa;
use verifier::domains::symbolic::{self, SymbolicCpa};
use verifier::domains::value::ValueCpa;
use verifier::domains::{Analyses, Merge, Parts, Precisions};
use verifier::program::Program;

const PROGRAMS: u64 = 60;
const EXECUTIONS: usize = 4;
const STEPS: usize = 60;
/// States at one place that are compared with each other.
const COMPARED: usize = 6;

/// What holds for some domains only.
#[derive(Clone, Copy)]
struct Claims {
    /// A state that stands for no more than another one is covered by it. (Elsewhere `false` is always sound; but it is to be rare.)
    complete: bool,
    /// States that cover each other are equal. (Not where they may differ in names.)
    antisymmetric: bool,
    /// The index hides no state that covers. (It does where a value is a constant by the constraints only.)
    indexed: bool,
    /// Whether there is a merged state for any two, which is the least that covers both.
    joins: bool,
    /// A state that another one covers has successors that the other's cover. (Not where each of them begins a block of its own.)
    steady: bool,
}

/// Whether `s` stands for the concrete state.
fn describes<C: Cpa>(cpa: &mut C, cx: &mut Cx<'_>, s: &C::State, concrete: &Concrete) -> bool {
    let label = cpa.label(cx, s);
    let running = [(&label.env.globals, &concrete.values), (&label.env.locals, &concrete.values)];
    let callers = concrete.frames.iter().rev().map(|(_, locals)| locals);
    let mut facts = label.constraints.clone();
    for (labelled, values) in running.into_iter().chain(label.below.iter().zip(callers)) {
        for (v, t) in labelled {
            facts.extend(values.get(v).map(|value| is(cx, *t, value)));
        }
    }
    cx.satisfiable(&facts, Duration::from_secs(5)) == Some(true)
}

fn is(cx: &mut Cx<'_>, t: Term, value: &Value) -> Term {
    let bits = |cx: &mut Cx<'_>, t: Term, k: &Bv| {
        let k = cx.terms.constant(k);
        cx.terms.eq(t, k)
    };
    match value {
        Value::Bool(true) => t,
        Value::Bool(false) => cx.terms.not(t),
        Value::Bv(k) => bits(cx, t, k),
        Value::Array(a) => {
            let cells = (BASE as u64..BASE as u64 + SIZE).map(|at| {
                let address = cx.terms.int(a.index_bits(), at);
                let cell = cx.terms.read(t, address, a.elem_bits());
                bits(cx, cell, &a.cell(at))
            });
            let cells: Vec<Term> = cells.collect();
            cx.terms.and_all(cells)
        }
    }
}

/// States with what they stand for, by place.
type Met<S> = HashMap<Position, Vec<(S, Concrete)>>;

/// Follows a random execution under `pi`.
fn follow<C: Located>(cpa: &mut C, cx: &mut Cx<'_>, pi: &C::Precision, rng: &mut Random, met: &mut Met<C::State>) {
    let cfa = cx.program.cfa.clone();
    let mut concrete = Concrete::start(&cfa);
    let mut state = cpa.initial(cx, cx.program.start());
    for _ in 0..STEPS {
        let mut next = successors(&cfa, &concrete);
        if next.is_empty() || cfa.is_target(concrete.loc) {
            return;
        }
        let (taken, next) = next.swap_remove(rng.below(next.len() as u64) as usize);
        let step = steps(cpa, cx, &state).into_iter().find(|s| s.taken == taken).expect("control may take it");
        let found = after(cpa, cx, &state, step, pi).into_iter().find(|s| describes(cpa, cx, s, &next));
        (state, concrete) = (found.expect("a state for the execution's"), next);
        let here = met.entry(cpa.key(&state)).or_default();
        if here.iter().all(|(s, _)| *s != state) {
            here.push((state.clone(), concrete.clone()));
        }
    }
}

fn steps<'p, C: Located>(cpa: &C, cx: &Cx<'p>, s: &C::State) -> Vec<Step<'p>> {
    let mut steps = Vec::new();
    cpa.steps(cx.program, s, &mut steps);
    steps
}

fn after<C: Located>(cpa: &mut C, cx: &mut Cx<'_>, s: &C::State, step: Step<'_>, pi: &C::Precision) -> Vec<C::State> {
    let mut out = Vec::new();
    cpa.transfer(cx, s, step, pi, &mut out).expect("a model");
    out
}

/// What the checks of one domain saw.
#[derive(Default, Debug)]
struct Seen {
    covers: u32,
    merges: u32,
    /// Steps where smaller states or larger precisions led to smaller states, and steps where that could only be seen in an execution.
    monotone: u32,
    incomplete: u32,
    /// Differences of states that are states.
    parts: u32,
}

/// States of one place, each with what it stands for.
type Here<S> = [(S, Concrete)];

/// Checks the laws of the analysis that `make` makes, under precisions of which each is at least as large as the one before it.
fn check_laws<C: Located>(
    make: impl Fn(&Program) -> C,
    precisions: impl Fn(&C, &Program, &mut Random) -> Vec<C::Precision>,
    claims: Claims,
) -> Seen {
    let mut seen = Seen::default();
    for seed in 0..PROGRAMS {
        let program = Program::uncompacted(random_program(seed).cfa);
        let mut rng = Random::new(seed);
        let mut solver = smt::standard(smt::Limits::default());
        let mut cx = Cx::new(&program, &mut solver, patient());
        let mut cpa = make(&program);
        let precisions = precisions(&cpa, &program, &mut rng);
        let mut met = Met::new();
        for _ in 0..EXECUTIONS {
            for pi in &precisions {
                follow(&mut cpa, &mut cx, pi, &mut rng, &mut met);
            }
        }
        let mut places: Vec<_> = met.into_iter().collect();
        places.sort_by_cached_key(|(at, _)| format!("{at:?}"));
        for (_, mut states) in places {
            states.truncate(COMPARED);
            if let [(a, concrete), (b, _), ..] = &states[..]
                && let Some(join) = cpa.merge(&mut cx, a, b, &precisions[0]).expect("an answer")
            {
                let joined = (join, concrete.clone());
                states.push(joined);
            }
            check_merge(&mut cpa, &mut cx, &states, &precisions[0], claims, &mut seen);
            check_order(&mut cpa, &mut cx, &states, claims, &mut seen);
            check_difference(&mut cpa, &mut cx, &states, &mut seen);
            for (i, (a, concrete)) in states.iter().enumerate() {
                for (smaller, larger) in precisions.iter().skip(1).zip(&precisions) {
                    check_monotone(&mut cpa, &mut cx, concrete, [(a, smaller), (a, larger)], claims, &mut seen);
                }
                for (b, _) in states.iter().skip(i + 1) {
                    if cpa.covered(&mut cx, a, b) == Ok(true) {
                        let pi = rng.below(precisions.len() as u64) as usize;
                        let pair = [(a, &precisions[pi]), (b, &precisions[pi])];
                        check_monotone(&mut cpa, &mut cx, concrete, pair, claims, &mut seen);
                    }
                }
            }
        }
    }
    assert!(!claims.steady || seen.incomplete * 20 <= seen.monotone, "{seen:?}");
    seen
}

fn check_order<C: Located>(cpa: &mut C, cx: &mut Cx<'_>, states: &Here<C::State>, claims: Claims, seen: &mut Seen) {
    let mut row =
        |a: &C::State| -> Vec<bool> { states.iter().map(|(b, _)| cpa.covered(cx, a, b).expect("an answer")).collect() };
    let below: Vec<Vec<bool>> = states.iter().map(|(a, _)| row(a)).collect();
    for (i, (a, concrete)) in states.iter().enumerate() {
        assert!(below[i][i], "reflexive: {a:?}");
        for (j, (b, _)) in states.iter().enumerate().filter(|(j, _)| *j != i && below[i][*j]) {
            seen.covers += 1;
            assert!(describes(cpa, cx, b, concrete), "{b:?} covers {a:?}, but not {concrete:?}");
            assert!(!below[j][i] || !claims.antisymmetric || a == b, "antisymmetric: {a:?} and {b:?}");
            for (k, (c, _)) in states.iter().enumerate().filter(|(k, _)| below[j][*k]) {
                assert!(below[i][k], "transitive: {a:?}, {b:?}, {c:?}");
            }
            if let Some(index) = cpa.index(b).filter(|_| claims.indexed && !cpa.merges()) {
                assert_eq!(cpa.fingerprint_as(a, b), Some(index.fingerprint), "{a:?} by {b:?}");
            }
        }
    }
}

/// What a state stands for is in the other one, or beyond it.
fn check_difference<C: Located>(cpa: &mut C, cx: &mut Cx<'_>, states: &Here<C::State>, seen: &mut Seen) {
    for (a, concrete) in states {
        for (b, _) in states {
            match cpa.beyond(cx, a, b).expect("an answer") {
                Beyond::All => {}
                Beyond::Nothing => assert!(describes(cpa, cx, b, concrete), "nothing of {a:?} is beyond {b:?}"),
                Beyond::Part(rest) => {
                    seen.parts += 1;
                    assert_eq!(cpa.covered(cx, &rest, a), Ok(true), "{rest:?} is beyond {b:?}, but not in {a:?}");
                    let is_told = describes(cpa, cx, b, concrete) || describes(cpa, cx, &rest, concrete);
                    assert!(is_told, "{concrete:?} is in {a:?}, but not in {b:?} nor in {rest:?}");
                }
            }
        }
    }
}

/// The first state stands for no more than the second one, whose precision is no larger: then this holds after each step too.
fn check_monotone<C: Located>(
    cpa: &mut C,
    cx: &mut Cx<'_>,
    concrete: &Concrete,
    [(a, with_a), (b, with_b)]: [(&C::State, &C::Precision); 2],
    claims: Claims,
    seen: &mut Seen,
) {
    let cfa = cx.program.cfa.clone();
    for step in steps(cpa, cx, a) {
        let (smaller, larger) = (after(cpa, cx, a, step, with_a), after(cpa, cx, b, step, with_b));
        seen.monotone += 1;
        let mut is_within =
            |s: &C::State| larger.iter().any(|l| cpa.key(s) == cpa.key(l) && cpa.covered(cx, s, l) == Ok(true));
        if smaller.iter().all(&mut is_within) {
            continue;
        }
        assert!(!claims.complete, "monotone: {step:?} of {a:?} with {with_a:?} and {b:?} with {with_b:?}");
        seen.incomplete += 1;
        for (_, next) in successors(&cfa, concrete).into_iter().filter(|(taken, _)| *taken == step.taken) {
            let is_described = larger.iter().any(|l| describes(cpa, cx, l, &next));
            assert!(is_described, "monotone: {step:?} of {a:?} with {with_a:?} and {b:?} with {with_b:?}");
        }
    }
}

fn check_merge<C: Located>(
    cpa: &mut C,
    cx: &mut Cx<'_>,
    states: &Here<C::State>,
    pi: &C::Precision,
    claims: Claims,
    seen: &mut Seen,
) {
    for (new, met) in states {
        for (old, met_before) in states {
            let Some(merged) = cpa.merge(cx, new, old, pi).expect("an answer") else {
                let is_there = cpa.covered(cx, new, old) == Ok(true);
                assert!(is_there || !claims.joins, "no join of {new:?} and {old:?}");
                continue;
            };
            seen.merges += 1;
            assert_eq!(cpa.covered(cx, old, &merged), Ok(true), "{old:?} by {merged:?}");
            assert!(describes(cpa, cx, &merged, met_before));
            assert_eq!(cpa.covered(cx, new, &merged), Ok(true), "{new:?} by {merged:?}");
            assert!(describes(cpa, cx, &merged, met));
            for (other, _) in states.iter().filter(|_| claims.joins) {
                let is_bound = cpa.covered(cx, new, other) == Ok(true) && cpa.covered(cx, old, other) == Ok(true);
                assert!(!is_bound || cpa.covered(cx, &merged, other) == Ok(true), "{merged:?} is not the least");
            }
        }
    }
}

/// Nothing, some variables and conditions in some parts, in all parts, more of them, everything.
fn growing_precisions<C: Located + Refinable>(cpa: &C, program: &Program, rng: &mut Random) -> Vec<C::Precision> {
    let vars: Vec<VarId> = program.cfa.vars.ids().collect();
    let edges: Vec<EdgeId> = program.cfa.edges.ids().collect();
    let mut some = |n: u64| {
        let vars: Vec<VarId> = vars.iter().copied().filter(|_| rng.one_in(n)).collect();
        let conditions: Vec<EdgeId> = edges.iter().copied().filter(|_| rng.one_in(n)).collect();
        Tracked::of(vars, conditions)
    };
    let mut all = vec![cpa.empty_precision()];
    all.extend(cpa.precisions(&some(3)));
    let more = cpa.tracking(&some(2));
    all.push(cpa.join(all.last().expect("the empty precision"), &more));
    all.push(cpa.full_precision());
    all
}

const DATA_FLOW: Claims = Claims { complete: true, antisymmetric: true, indexed: true, joins: true, steady: true };
const VALUES: Claims = Claims { complete: false, antisymmetric: true, indexed: true, joins: false, steady: true };
const SIGNS: Claims = Claims { complete: true, antisymmetric: true, indexed: true, joins: false, steady: true };
const NAMED: Claims = Claims { complete: false, antisymmetric: false, indexed: false, joins: false, steady: true };
const DEPTH: u32 = 50;

#[test]
fn laws_of_data_flow() {
    let dominators = check_laws(|_| Composite::of_locations(Joined(Dominators), DEPTH), |_, _, _| vec![()], DATA_FLOW);
    let definitions =
        check_laws(|_| Composite::of_locations(Joined(ReachingDefinitions), DEPTH), |_, _, _| vec![()], DATA_FLOW);
    let dependences =
        check_laws(|_| Composite::of_locations(Joined(FlowDependences), DEPTH), |_, _, _| vec![()], DATA_FLOW);
    for seen in [dominators, definitions, dependences] {
        assert!(seen.covers > 100 && seen.merges > 1_000 && seen.monotone > 100, "{seen:?}");
    }
}

#[test]
fn laws_of_explicit_values() {
    let seen = check_laws(|p| Composite::new(ValueCpa::new(p), DEPTH), growing_precisions, VALUES);
    assert!(seen.covers > 1_000 && seen.merges == 0, "{seen:?}");
    let joined = |p: &Program| Composite::new(ValueCpa::new(p).merging(true), DEPTH);
    let seen = check_laws(joined, growing_precisions, Claims { joins: true, ..VALUES });
    assert!(seen.merges > 1_000, "{seen:?}");
}

fn symbolic() -> SymbolicCpa {
    SymbolicCpa::new(symbolic::Limits {
        branch: Duration::from_secs(5),
        target: Duration::from_secs(5),
        cover: Duration::from_secs(5),
    })
}

#[test]
fn laws_of_symbolic_execution() {
    let seen = check_laws(|_| Composite::new(symbolic(), DEPTH), growing_precisions, NAMED);
    assert!(seen.covers > 1_000 && seen.merges == 0, "{seen:?}");
}

#[test]
fn laws_of_invariants() {
    let seen = check_laws(|p| Composite::new(InvariantsCpa::new(p), DEPTH), growing_precisions, NAMED);
    assert!(seen.covers > 1_000 && seen.merges > 1_000, "{seen:?}");
    let related = |p: &Program| {
        Composite::new(InvariantsCpa::new(p).with(Additions { relations: true, array_slots: true }), DEPTH)
    };
    let seen = check_laws(related, growing_precisions, NAMED);
    assert!(seen.covers > 1_000 && seen.merges > 1_000, "{seen:?}");
    let apart = |p: &Program| Composite::new(InvariantsCpa::new(p).merging(false), DEPTH);
    let seen = check_laws(apart, growing_precisions, NAMED);
    assert!(seen.covers > 1_000 && seen.merges == 0 && seen.parts > 100, "{seen:?}");
}

#[test]
fn laws_of_signs() {
    let seen = check_laws(|_| Composite::new(SignsCpa::new(false), DEPTH), growing_precisions, SIGNS);
    assert!(seen.covers > 1_000 && seen.merges == 0 && seen.parts > 100, "{seen:?}");
    let joined = Claims { joins: true, ..SIGNS };
    let seen = check_laws(|_| Composite::new(SignsCpa::new(true), DEPTH), growing_precisions, joined);
    assert!(seen.covers > 1_000 && seen.merges > 1_000, "{seen:?}");
}

#[test]
fn laws_of_decision_diagrams() {
    for merges in [false, true] {
        let make = |p: &Program| Composite::new(BddCpa::new(p, &bdd::Options::default(), merges), DEPTH);
        // States that cover each other may have been computed with different numbers of bits.
        let claims = Claims { complete: true, antisymmetric: false, indexed: true, joins: merges, steady: true };
        let seen = check_laws(make, growing_precisions, claims);
        assert!(seen.covers > 1_000 && (seen.merges > 1_000) == merges && seen.parts > 100, "{seen:?}");
    }
}

/// Nothing, some conditions of the program, more of them: all at each location.
fn growing_predicates<C>(_: &C, program: &Program, rng: &mut Random) -> Vec<Predicates> {
    let condition = |e: EdgeId| match program.cfa.edges[e].op {
        Op::Assume { cond, .. } => Some(cond),
        _ => None,
    };
    let conditions: Vec<Term> = program.cfa.edges.ids().filter_map(condition).collect();
    let mut all = vec![Predicates::default()];
    for _ in 0..2 {
        let mut more = all.last().expect("one").clone();
        for c in conditions.iter().filter(|_| rng.one_in(3)) {
            more.add(Place::Program, *c);
        }
        all.push(more);
    }
    all
}

#[test]
fn laws_of_predicates() {
    for (blocks, method) in
        [(Blocks::Edges, Method::Cartesian), (Blocks::Edges, Method::Boolean), (Blocks::Loops, Method::Boolean)]
    {
        let options = predicate::Options { blocks, method, scope: Scope::Program };
        let claims = Claims { steady: blocks == Blocks::Edges, ..NAMED };
        let apart = |p: &Program| Composite::new(PredicateCpa::new(p, options, false), DEPTH);
        let seen = check_laws(apart, growing_predicates, claims);
        assert!(seen.covers > 1_000 && seen.merges == 0, "{seen:?}");
        let joined = |p: &Program| Composite::new(PredicateCpa::new(p, options, true), DEPTH);
        let seen = check_laws(joined, growing_predicates, claims);
        assert!(seen.covers > 1_000 && (seen.merges > 100) == (blocks == Blocks::Loops), "{seen:?}");
    }
}

/// Intervals say what they know to predicate abstraction.
#[test]
fn laws_of_predicates_with_facts() {
    let options = predicate::Options { scope: Scope::Program, ..predicate::Options::default() };
    let both = |p: &Program| {
        let predicate = Some(Box::new(PredicateCpa::new(p, options, true)));
        let invariants = Some(Box::new(InvariantsCpa::new(p)));
        Composite::new(Parts::new(Analyses { predicate, invariants, ..Analyses::default() }, Merge::Join), DEPTH)
    };
    let growing = |cpa: &Composite<Parts>, program: &Program, rng: &mut Random| {
        let with = |predicates| Precisions { predicate: Some(predicates), ..cpa.full_precision() };
        growing_predicates(cpa, program, rng).into_iter().map(with).collect()
    };
    let seen = check_laws(both, growing, Claims { steady: false, ..NAMED });
    assert!(seen.covers > 1_000 && seen.merges > 100, "{seen:?}");
}

#[test]
fn laws_of_parts() {
    let parts = |merge: Merge| {
        move |p: &Program| {
            let value = Some(Box::new(ValueCpa::new(p).merging(merge != Merge::Sep)));
            let analyses = Analyses { value, symbolic: Some(Box::new(symbolic())), ..Analyses::default() };
            Composite::new(Parts::new(analyses, merge), DEPTH)
        }
    };
    let seen = check_laws(parts(Merge::Sep), growing_precisions, NAMED);
    assert!(seen.covers > 1_000 && seen.merges == 0, "{seen:?}");
    let joined = |p: &Program| {
        let invariants = Some(Box::new(InvariantsCpa::new(p)));
        let value = Some(Box::new(ValueCpa::new(p).merging(true)));
        Composite::new(Parts::new(Analyses { value, invariants, ..Analyses::default() }, Merge::Join), DEPTH)
    };
    let seen = check_laws(joined, growing_precisions, NAMED);
    assert!(seen.covers > 1_000 && seen.merges > 1_000, "{seen:?}");
    // Here symbolic execution knows all that explicit values know, so that they hardly ever have something to agree on.
    let seen = check_laws(parts(Merge::Agree), growing_precisions, NAMED);
    assert!(seen.covers > 1_000, "{seen:?}");
}
