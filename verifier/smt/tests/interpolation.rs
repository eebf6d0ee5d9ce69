//! Interpolants of random traces (programs without branches made from recipes, cut at random places), and of paths of small programs.
//!
//! Each interpolant is checked by Z3 alone, which shares nothing with what made it: the implications, and the leaves.

use cfa::bv::{BvCmp, BvOp};
use cfa::eval::Value;
use cfa::float::Format;
use cfa::term::Leaf;
use cfa::{Cfa, EdgeId, Op, Sort, Term, Terms, VarId};
use kerf_testing::language::program;
use kerf_testing::recipe::{Menu, constant, random};
use kerf_testing::{Random, fuzz_runs};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::interpolation::{Counters, Interpolation, Interpolator, Options, Pending, Trace, check};
use smt::{Answer, Bits, Limits, Racing, Solver, SolverError, Z3};
use std::collections::{HashMap, VecDeque};
use std::time::Duration;

/// Number of results of which at least one is wrong at the end of a trace.
const RESULTS: usize = 3;

/// A trace that assigns the steps of a random recipe one after the other, in `parts` parts, and then says that a result is what it
/// is not. Some inputs may stay open, so that not every trace contradicts itself.
fn trace(terms: &mut Terms, seed: u64, menu: Menu, size: usize, parts: usize) -> Option<Trace> {
    let recipe = random(seed, menu, size);
    let values = recipe.values()?;
    let mut rng = Random::new(seed);
    let mut statements: Vec<Term> = Vec::new();
    let mut names: Vec<Term> = Vec::new();
    let open = rng.below(4);
    for i in &recipe.ingredients {
        let value = constant(terms, &i.value);
        if i.constant {
            names.push(value);
            continue;
        }
        let name = terms.fresh("input", i.value.sort());
        if rng.below(8) >= open {
            statements.push(terms.eq(name, value));
        }
        names.push(name);
    }
    for step in &recipe.steps {
        let args: Vec<Term> = step.args.iter().map(|&i| names[i]).collect();
        let value = terms.make(step.kind, &args, step.sort);
        if rng.one_in(3) {
            names.push(value);
            continue;
        }
        let name = terms.fresh("step", step.sort);
        statements.push(terms.eq(name, value));
        names.push(name);
    }
    let tells = |i: &usize| !matches!(values[*i], Value::Array(_)) && terms.as_bv(names[*i]).is_none();
    let told: Vec<usize> = (0..values.len()).rev().filter(tells).take(RESULTS).collect();
    let mut right = terms.tt();
    for i in told {
        let value = constant(terms, &values[i]);
        let same = terms.eq(names[i], value);
        right = terms.and(right, same);
    }
    statements.push(terms.not(right));
    let mut cuts: Vec<usize> = (1..parts).map(|_| rng.below(statements.len() as u64 + 1) as usize).collect();
    cuts.extend([0, statements.len()]);
    cuts.sort_unstable();
    let parts = cuts.windows(2).map(|w| terms.and_all(statements[w[0]..w[1]].iter().copied())).collect();
    Some(Trace::new(parts))
}

fn z3() -> Box<dyn Solver> {
    Box::new(Z3::new(Limits { query: Some(Duration::from_secs(60)), deadline: None }).expect("Z3"))
}

/// Circuits and Z3. On a slow machine, interpolants of long paths stay larger than Z3 alone can decide: it took all memory.
fn circuits_and_z3() -> Box<dyn Solver> {
    smt::standard(Limits::default())
}

/// What became of traces.
#[derive(Default, Debug)]
struct Tally {
    satisfiable: u32,
    found: u32,
    not_found: u32,
    counters: Counters,
}

impl Tally {
    /// Interpolates `trace`, and checks what comes out by Z3.
    fn add(&mut self, terms: &mut Terms, trace: &Trace, options: Options) {
        self.add_checked(terms, trace, options, &z3);
    }

    /// Interpolates `trace`, and checks what comes out by `oracle`.
    fn add_checked(
        &mut self,
        terms: &mut Terms,
        trace: &Trace,
        options: Options,
        oracle: &dyn Fn() -> Box<dyn Solver>,
    ) {
        let solver = Box::new(Racing::new(Bits::new(Limits::default()), Z3::new, Limits::default()));
        let mut interpolator = Interpolator::with(solver, Limits::default(), options);
        let found = match interpolator.interpolate(terms, trace) {
            Ok(found) => found,
            Err(SolverError::Unsupported(_)) => return,
            Err(e) => panic!("{e}"),
        };
        match found {
            Interpolation::Found(sequence) => {
                self.found += 1;
                for interpolants in sequence.nested.iter().chain([&sequence.interpolants]) {
                    assert_eq!(check(&mut *oracle(), terms, trace, interpolants), Ok(None));
                }
            }
            Interpolation::Satisfiable => {
                self.satisfiable += 1;
                assert_ne!(oracle().check(terms, &trace.parts), Ok(Answer::Unsat));
            }
            Interpolation::NotFound => {
                self.not_found += 1;
                assert_ne!(oracle().check(terms, &trace.parts), Ok(Answer::Sat));
            }
        }
        self.counters = self.counters + interpolator.counters();
    }

    /// A line with what was measured, for `cargo test -- --nocapture`.
    fn print(&self, name: &str) {
        let Tally { satisfiable, found, not_found, counters: c } = self;
        println!("{name}: {satisfiable} satisfiable, {found} found, {not_found} not found, {} rejected", c.rejected);
        println!("  taken: {} Craig, {} forward, {} backward", c.craig, c.forward, c.backward);
        println!("  from proofs: {} gates, {} terms over words; taken: {} terms", c.gates, c.lifted, c.taken);
        println!("  replaced: {} terms by {}", c.before_replacing, c.after_replacing);
        println!("  query {:?}, proof {:?}, replacing {:?}, checks {:?}", c.query, c.proof, c.replacing, c.checking);
    }
}

/// Interpolates random traces.
fn check_traces(runs: u64, menu: Menu, size: usize, options: Options) -> Tally {
    let mut tally = Tally::default();
    for seed in 0..fuzz_runs(runs) {
        let mut terms = Terms::new();
        if let Some(trace) = trace(&mut terms, seed, menu, size, 2 + (seed % 4) as usize) {
            tally.add(&mut terms, &trace, options);
        }
    }
    tally.print(&format!("{menu:?} {options:?}"));
    tally
}

const CRAIG: Options = Options { craig: true, newton: false, atoms: false };
const NEWTON: Options = Options { craig: false, newton: true, atoms: false };

#[test]
fn bits() {
    for options in [CRAIG, NEWTON, Options::default()] {
        let tally = check_traces(60, Menu::FewBits, 10, options);
        assert!(tally.found > 30 && tally.satisfiable > 0, "{tally:?}");
        // Every trace over words has interpolants, and those from proofs need no check.
        assert!(!options.craig || tally.not_found == 0, "{tally:?}");
        assert!(options != CRAIG || tally.counters.rejected == 0, "{tally:?}");
    }
}

#[test]
fn wide_words() {
    for options in [CRAIG, Options::default()] {
        let tally = check_traces(30, Menu::Bits, 6, options);
        assert!(tally.found > 10 && tally.not_found == 0, "{tally:?}");
        assert!(options != CRAIG || tally.counters.rejected == 0, "{tally:?}");
    }
}

#[test]
fn memories() {
    for options in [CRAIG, NEWTON, Options::default()] {
        let tally = check_traces(40, Menu::Memory, 8, options);
        assert!(tally.found > 10 && tally.satisfiable > 0, "{tally:?}");
        assert!(options != CRAIG || tally.counters.rejected == 0, "{tally:?}");
    }
}

#[test]
fn floats() {
    for options in [NEWTON, Options::default()] {
        let tally = check_traces(20, Menu::Floats(Format::Half), 3, options);
        assert!(tally.found > 5, "{tally:?}");
    }
}

/// Floats that are written to memories and read from them.
#[test]
fn floats_in_memories() {
    for options in [NEWTON, Options::default()] {
        let tally = check_traces(30, Menu::MemoryAndFloats(Format::Half), 6, options);
        assert!(tally.found > 10, "{tally:?}");
    }
}

/// Interpolants that are made at some of the cuts first.
#[test]
fn landmarks() {
    for menu in [Menu::FewBits, Menu::Memory] {
        let mut tally = Tally::default();
        for seed in 0..fuzz_runs(40) {
            let mut terms = Terms::new();
            let Some(mut trace) = trace(&mut terms, seed, menu, 10, 4 + (seed % 4) as usize) else { continue };
            let mut rng = Random::new(seed);
            trace.landmarks = (0..trace.parts.len() - 1).filter(|_| rng.one_in(2)).collect();
            if rng.one_in(2) {
                trace.state = Some(common(&terms, &trace.parts));
            }
            tally.add(&mut terms, &trace, Options::default());
        }
        tally.print(&format!("landmarks, {menu:?}"));
        assert!(tally.found > 15 && tally.not_found == 0, "{tally:?}");
    }
}

/// The leaves on both sides of each cut.
fn common(terms: &Terms, parts: &[Term]) -> Vec<Vec<Leaf>> {
    let sides = (1..parts.len()).map(|cut| [&parts[..cut], &parts[cut..]].map(|side| terms.leaves(side)));
    sides.map(|[before, after]| before.into_iter().filter(|leaf| after.contains(leaf)).collect()).collect()
}

/// Nested sequences: at each cut but the first, a call is pending that was made at the first one, and some symbols are its caller's.
#[test]
fn pending_calls() {
    let mut tally = Tally::default();
    for seed in 0..fuzz_runs(60) {
        let mut terms = Terms::new();
        let Some(mut trace) = trace(&mut terms, seed, Menu::FewBits, 10, 3 + (seed % 2) as usize) else { continue };
        let mut rng = Random::new(seed);
        let mut hidden = FxHashSet::default();
        for leaf in terms.leaves(&trace.parts) {
            if let Leaf::Sym(s) = leaf
                && rng.one_in(2)
            {
                hidden.insert(s);
            }
        }
        let pending = |cut| Pending { callers: vec![0; usize::from(cut > 0)], hidden: hidden.clone() };
        trace.calls = (0..trace.parts.len() - 1).map(pending).collect();
        trace.calls[0].hidden.clear();
        tally.add(&mut terms, &trace, Options::default());
    }
    tally.print("pending calls");
    assert!(tally.found > 20 && tally.counters.nested > 5, "{tally:?}");
}

/// Numbers without factors of eight bits: the parts are a product of two factors, and that it is the number.
#[test]
fn products() {
    let mut tally = Tally::default();
    for n in [251 * 257, 65_521, 64_997, 63_997, 60_013] {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.fresh(name, Sort::Bv(8)));
        let p = terms.fresh("p", Sort::Bv(16));
        let (wide_x, wide_y) = (terms.zext(16, x), terms.zext(16, y));
        let product = terms.bv_op(BvOp::Mul, wide_x, wide_y);
        let (one, number) = (terms.int(8, 1), terms.int(16, n));
        let proper = [x, y].map(|factor| terms.cmp(BvCmp::Ult, one, factor));
        let (product, number) = (terms.eq(p, product), terms.eq(p, number));
        let first = terms.and_all([product, proper[0], proper[1]]);
        tally.add(&mut terms, &Trace::new(vec![first, number]), CRAIG);
    }
    tally.print("products");
    assert_eq!((tally.found, tally.counters.rejected), (5, 0), "{tally:?}");
}

/// Programs without errors, most of them with loops.
const PROGRAMS: [(&str, &str); 8] = [
    ("counter", "int x = 0; while (x < 10) x = x + 1; if (x != 10) error();"),
    ("sum", "u32 i = 0; u32 s = 0; while (i < 5) { s = s + i; i = i + 1; } if (s > 10) error();"),
    ("lock", "int l = 0; while (*) { if (l == 0) l = 1; else l = 0; } if (l > 1) error();"),
    ("pair", "u8 x = input(); u8 y = x; while (x > 0) { x = x - 1; y = y - 1; } if (y != 0) error();"),
    ("mask", "u32 x = input(); x = x & 240; while (*) x = (x + 16) & 255; if ((x & 1) == 1) error();"),
    ("square", "u16 x = input(); u16 y = x * x; if ((y & 3) == 2) error();"),
    (
        "parity",
        "u32 n = input(); u32 x = 0; while (x < n) { x = x + 2; if (x > 1000) x = 0; } if (x % 2 == 1) error();",
    ),
    (
        "order",
        "int a = input(); int b = input(); int m = a; if (b > m) m = b; while (*) { if (m > a) a = a + 1; } if (a > m) error();",
    ),
];

/// Maximum number of edges of a path.
const MAX_EDGES: usize = 40;
/// Maximum number of paths of a program.
const MAX_PATHS: usize = 8;
/// Maximum number of paths that are continued.
const MAX_CONTINUED: usize = 20_000;

/// The shortest paths to a target.
fn paths(cfa: &Cfa) -> Vec<Vec<EdgeId>> {
    let mut queue = VecDeque::from([(cfa.funcs[cfa.entry].entry, Vec::new())]);
    let (mut found, mut continued) = (Vec::new(), 0);
    while let Some((at, path)) = queue.pop_front() {
        continued += 1;
        if cfa.is_target(at) {
            found.push(path.clone());
        }
        if found.len() == MAX_PATHS || continued == MAX_CONTINUED {
            break;
        }
        if path.len() < MAX_EDGES {
            let next = cfa.out(at).iter().map(|e| (cfa.edges[*e].to, [&path[..], &[*e]].concat()));
            queue.extend(next);
        }
    }
    found
}

/// The trace of a path, with a cut at each location where paths meet, or after each edge. Each assignment makes a symbol, and the state
/// at a cut is what the variables are then.
fn trace_of(cfa: &mut Cfa, path: &[EdgeId], every_edge: bool) -> Trace {
    let mut terms = std::mem::take(&mut cfa.terms);
    let mut current: HashMap<VarId, Term> = HashMap::new();
    let (mut parts, mut state) = (Vec::new(), Vec::new());
    let mut part = terms.tt();
    for &e in path {
        let cfa = &*cfa;
        let edge = &cfa.edges[e];
        let mut facts = Vec::new();
        let mut now = |terms: &mut Terms, t: Term| {
            terms.substitute(t, &mut FxHashMap::default(), &mut |terms, leaf| match leaf {
                Leaf::Var(v) => {
                    let sort = cfa.vars[v].sort;
                    Some(*current.entry(v).or_insert_with(|| terms.fresh(cfa.vars[v].name.to_string(), sort)))
                }
                _ => None,
            })
        };
        match &edge.op {
            Op::Assign(list) => {
                let values: Vec<Term> = list.iter().map(|(_, t)| now(&mut terms, *t)).collect();
                for ((v, _), value) in list.iter().zip(values) {
                    let name = terms.fresh(cfa.vars[*v].name.to_string(), cfa.vars[*v].sort);
                    facts.push(terms.eq(name, value));
                    current.insert(*v, name);
                }
            }
            Op::Assume { cond, .. } => facts.push(now(&mut terms, *cond)),
            Op::Input { var, .. } => {
                let name = terms.fresh(cfa.vars[*var].name.to_string(), cfa.vars[*var].sort);
                current.insert(*var, name);
            }
            _ => {}
        }
        for fact in facts {
            part = terms.and(part, fact);
        }
        if every_edge || cfa.into(edge.to).len() > 1 {
            parts.push(std::mem::replace(&mut part, terms.tt()));
            state.push(terms.leaves(&current.values().copied().collect::<Vec<Term>>()));
        }
    }
    parts.push(part);
    cfa.terms = terms;
    Trace { parts, state: Some(state), ..Trace::default() }
}

#[test]
fn paths_of_programs() {
    let mut both = Counters::default();
    for (name, text) in PROGRAMS {
        for every_edge in [false, true] {
            let mut cfa = program(text);
            let mut tally = Tally::default();
            for path in paths(&cfa) {
                let trace = trace_of(&mut cfa, &path, every_edge);
                tally.add_checked(&mut cfa.terms, &trace, Options::default(), &circuits_and_z3);
            }
            tally.print(&format!("{name}{}", if every_edge { ", by edges" } else { "" }));
            assert!(tally.found > 0 && tally.satisfiable == 0 && tally.not_found == 0, "{name}: {tally:?}");
            both = both + tally.counters;
        }
    }
    Tally { counters: both, ..Tally::default() }.print("all programs");
    assert!(both.craig > 0 && both.forward + both.backward > 0, "{both:?}");
}
