//! Small programs for tests, and their verdict by brute force.

pub(crate) mod documents;
pub(crate) mod generator;
pub(crate) mod small_programs;

use cfa::bv::Bv;
use cfa::eval::{Value, eval, eval_bool};
use cfa::term::Leaf;
use cfa::text::parse;
use cfa::view::Slice;
use cfa::{Cfa, LocId, Op, Scope, VarId};
pub(crate) use kerf_testing::Builder;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};
use verifier::cpa::Statistics;
use verifier::evidence::outcome::Outcome;
use verifier::evidence::replay::replay;
use verifier::program::{Budget, Halt, Program};
use verifier::reach::driver::Explored;
use verifier::reach::pictures::Drawing;
use verifier::strategies::composition::{self, Composition};
use verifier::strategies::portfolio::Strategy;
use verifier::verify::{Report, Task, verify};

/// The whole program that `b` has built; its exit is `b`'s current location.
pub(crate) fn finished(mut b: Builder) -> Program {
    b.exit();
    let slice = Slice::whole(&b.cfa);
    Program::new(Arc::new(b.cfa), slice)
}

/// The program that a text says, in the language of [`kerf_testing::language`].
pub(crate) fn source(text: &str) -> Program {
    let cfa = kerf_testing::language::program(text);
    let slice = Slice::whole(&cfa);
    Program::new(Arc::new(cfa), slice)
}

/// The program that a text says, in the text format of CFAs.
pub(crate) fn automaton(text: &str) -> Program {
    let cfa = parse(text).expect("a program");
    let slice = Slice::whole(&cfa);
    Program::new(Arc::new(cfa), slice)
}

/// Time for what has an answer, also on a slow machine.
pub(crate) fn patient() -> Budget<'static> {
    budget(600_000)
}

pub(crate) fn budget(ms: u64) -> Budget<'static> {
    Budget::until(Instant::now() + Duration::from_millis(ms))
}

/// What a strategy says, with its evidence checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    True,
    False,
    Unknown(String),
    /// The evidence is wrong.
    Rejected(String),
}

pub(crate) fn verdict(program: &Program, result: Result<Outcome, Halt>) -> Verdict {
    match result {
        Ok(Outcome::Proof(cert)) => {
            let mut solver = smt::standard(smt::Limits::default());
            let deadline = Instant::now() + Duration::from_secs(600);
            match checker::check(&program.cfa, &cert, &mut solver, Some(deadline)) {
                Ok(_) => Verdict::True,
                Err(e) => Verdict::Rejected(e.to_string()),
            }
        }
        Ok(Outcome::Alarm(candidate)) => {
            // The interpreter takes the first edge where no condition decides.
            if program.view.reachable(&program.cfa).iter().all(|l| program.is_deterministic(*l))
                && let Err(e) = replay(program, &candidate, patient())
            {
                return Verdict::Rejected(format!("{e:?}"));
            }
            Verdict::False
        }
        Ok(Outcome::Unknown(reason)) => Verdict::Unknown(reason.to_string()),
        Err(halt) => Verdict::Unknown(halt.to_string()),
    }
}

/// What a composition says of a program.
pub(crate) fn by(program: &Program, composition: &Composition) -> (Verdict, Statistics) {
    let explored = run(program, composition, false);
    (verdict(program, explored.outcome), explored.statistics)
}

/// What a composition says of a program, and the graph of the states that it reaches.
pub(crate) fn drawn(program: &Program, composition: &Composition) -> (Verdict, Drawing) {
    let explored = run(program, composition, true);
    (verdict(program, explored.outcome), *explored.graph.expect("a drawing"))
}

/// What a composition says of a program, before its evidence is checked.
pub(crate) fn explored(program: &Program, composition: &Composition) -> Explored {
    run(program, composition, false)
}

fn run(program: &Program, composition: &Composition, draw: bool) -> Explored {
    composition.check().expect("a composition that fits");
    let mut solver = smt::standard(smt::Limits::default());
    composition::run(program, composition, draw, &mut solver, patient())
}

/// What a named strategy says of the whole program, with its evidence checked.
pub(crate) fn verified(program: &Program, strategy: &str, solver: &smt::Make<'_>) -> Report {
    let strategy = Strategy::named(strategy).expect("a strategy");
    let slice = Slice::whole(&program.cfa);
    let (hints, budget) = (Vec::new(), patient());
    let task = Task {
        cfa: Arc::clone(&program.cfa),
        slice,
        hints,
        strategy: &strategy,
        solver,
        budget,
        draws: false,
        shrinks: false,
    };
    verify(task, &mut |_| ())
}

/// A concrete state.
#[derive(Clone, Debug)]
pub(crate) struct Concrete {
    pub loc: LocId,
    /// Of the variables that were assigned, with the running activation's locals.
    pub values: BTreeMap<VarId, Value>,
    /// Where the callers go on, and their locals, the newest last.
    pub frames: Vec<(LocId, BTreeMap<VarId, Value>)>,
}

impl Concrete {
    /// The state before the first step.
    pub(crate) fn start(cfa: &Cfa) -> Concrete {
        Concrete { loc: cfa.funcs[cfa.entry].entry, values: BTreeMap::new(), frames: Vec::new() }
    }
}

/// Whether a target is reachable, by exploring all concrete states; `None` if they are more than `limit`.
pub(crate) fn brute_force(cfa: &Cfa, limit: usize) -> Option<bool> {
    let mut seen: HashSet<String> = HashSet::new();
    let mut work = vec![Concrete::start(cfa)];
    while let Some(s) = work.pop() {
        if cfa.is_target(s.loc) {
            return Some(true);
        }
        if !seen.insert(format!("{s:?}")) {
            continue;
        }
        if seen.len() > limit {
            return None;
        }
        work.extend(successors(cfa, &s).into_iter().map(|(_, next)| next));
    }
    Some(false)
}

fn is_local(cfa: &Cfa, v: VarId) -> bool {
    matches!(cfa.vars[v].scope, Scope::Local(_))
}

/// All steps from a state. Values of inputs are those of their width.
pub(crate) fn successors(cfa: &Cfa, s: &Concrete) -> Vec<(checker::Step, Concrete)> {
    let mut all = Vec::new();
    if s.loc == cfa.funcs[cfa.locs[s.loc].func].exit {
        let mut next = s.clone();
        if let Some((to, saved)) = next.frames.pop() {
            next.values.retain(|v, _| !is_local(cfa, *v));
            next.values.extend(saved);
            next.loc = to;
            all.push((checker::Step::Return, next));
        }
    }
    let leaf = |l: Leaf| match l {
        Leaf::Var(v) => s.values.get(&v).cloned(),
        _ => None,
    };
    for &e in cfa.out(s.loc) {
        let edge = &cfa.edges[e];
        let taken = checker::Step::Edge(e);
        let mut next = Concrete { loc: edge.to, ..s.clone() };
        match &edge.op {
            Op::Skip => all.push((taken, next)),
            Op::Assign(list) => {
                for (v, t) in list.iter() {
                    next.values.insert(*v, eval(&cfa.terms, *t, &mut { leaf }).expect("all variables have values"));
                }
                all.push((taken, next));
            }
            Op::Assume { cond, .. } => {
                if eval_bool(&cfa.terms, *cond, &mut { leaf }).expect("all variables have values") {
                    all.push((taken, next));
                }
            }
            Op::Input { var, .. } => {
                let width = cfa.vars[*var].sort.width();
                for k in 0..1u64 << width {
                    let mut next = next.clone();
                    next.values.insert(*var, Value::Bv(Bv::new(width, k)));
                    all.push((taken, next));
                }
            }
            Op::Call(f) => {
                let saved = s.values.iter().filter(|(v, _)| is_local(cfa, **v)).map(|(v, x)| (*v, x.clone())).collect();
                next.values.retain(|v, _| !is_local(cfa, *v));
                next.frames.push((edge.to, saved));
                next.loc = cfa.funcs[*f].entry;
                all.push((taken, next));
            }
            Op::CallIndirect(_) | Op::Unsupported(_) => unreachable!("not in these programs"),
        }
    }
    all
}
