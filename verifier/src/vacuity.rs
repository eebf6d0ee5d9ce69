//! Whether a proof says anything: are the places reached at which the property is checked, and does any execution end?
//!
//! A program whose assumptions contradict each other satisfies every property, and so does one that never comes to its checks. The proof is
//! right then, but not what its reader believes.
//!
//! The *check* of a target is the test that guards it: the branch or assumption before it, on every path that leads there; of `a && b`, the
//! first condition, since that the second one is never asked may be what was to be shown. If that
//! is at the beginning of a function that several calls share, as in `void assert(int c) { if (!c) reach_error(); }`, the checks are these
//! calls. A check is *reached* if an execution comes to it, whatever it decides there.
//!
//! Concrete runs answer for most checks at once. For the others, the question is one about reachability, in a program whose targets are the
//! checks: its alarms are replayed and its proofs are checked like those of any other program. Nothing here changes a verdict.

use crate::program::{Budget, Program};
use crate::strategies::concrete;
use crate::strategies::portfolio::Strategy;
use crate::verify::{Task, Verdict, verify};
use cfa::{AssumeKind, Cfa, EdgeId, FuncId, Id, LocId, Op};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Number of edges from which on programs are only run: slicing them again takes too long.
const LARGE: usize = 200_000;
/// Maximum number of functions between a check and the target.
const MAX_LEVELS: usize = 4;
/// Maximum number of edges between a check and the beginning of its function, or the condition before it.
const MAX_STEPS: usize = 10_000;
/// Maximum number of conditions of one test.
const MAX_CONDITIONS: usize = 100;
/// The functions that end an execution as the end of `main` does.
const ENDS: [&str; 4] = ["exit", "_exit", "_Exit", "quick_exit"];

/// Whether executions come to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// An execution of the whole program comes there.
    Reached,
    /// None does, and a certificate of this was checked.
    Never,
    /// Neither was shown in time.
    Undecided,
}

/// A place where the property is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// The edge of the condition, or of the call that checks.
    pub edge: EdgeId,
    /// Whether it is reached.
    pub reach: Reach,
}

/// What a proof is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vacuity {
    /// The checks, in the order of their edges; none if nothing guards the targets.
    pub checks: Vec<Check>,
    /// Whether an execution comes to the end of the program.
    pub end: Reach,
}

/// Looks for executions of a proved program that come to its checks, and to its end, within `budget`.
pub fn examine(cfa: &Arc<Cfa>, solver: &smt::Make<'_>, budget: Budget<'_>) -> Vacuity {
    let checks = checks(cfa);
    let program = Program::new(cfa.clone(), slicer::slice_for_targets(cfa));
    let visited = concrete::visit(&program, concrete::Options::quick(), budget);
    drop(program);
    let is_visited = |l: LocId| {
        let mut out = cfa.locs[l].out.iter();
        visited.stuck.contains(&l) || out.any(|e| visited.edges.contains(e.index()))
    };
    let mut places: Vec<Goal> = Vec::new();
    for edge in &checks {
        places.push(Goal::new(vec![cfa.edges[*edge].from], &is_visited));
    }
    let mut ends: Vec<LocId> = exits(cfa).map(|e| cfa.edges[e].from).collect();
    ends.push(cfa.funcs[cfa.entry].exit);
    let mut end = [Goal::new(ends, &is_visited)];
    if cfa.edges.len() <= LARGE {
        decide(cfa, &mut places, solver, budget);
        decide(cfa, &mut end, solver, budget);
    }
    let checks = checks.into_iter().zip(places).map(|(edge, goal)| Check { edge, reach: goal.reach }).collect();
    Vacuity { checks, end: end[0].reach }
}

/// A question: does an execution come to one of these locations?
struct Goal {
    at: Vec<LocId>,
    reach: Reach,
}

impl Goal {
    fn new(at: Vec<LocId>, is_visited: &dyn Fn(LocId) -> bool) -> Goal {
        let reach = if at.iter().any(|l| is_visited(*l)) { Reach::Reached } else { Reach::Undecided };
        Goal { at, reach }
    }
}

/// Decides the open goals: all together while that succeeds, then one by one.
fn decide(cfa: &Cfa, goals: &mut [Goal], solver: &smt::Make<'_>, budget: Budget<'_>) {
    let mut open: Vec<usize> = (0..goals.len()).filter(|i| goals[*i].reach == Reach::Undecided).collect();
    while open.len() > 1 && !budget.left().is_zero() {
        match ask(cfa, goals, &open, solver, budget.at_most(budget.left() / 2)) {
            Reach::Reached => open.retain(|i| goals[*i].reach == Reach::Undecided),
            Reach::Never => return,
            Reach::Undecided => break,
        }
    }
    for (asked, i) in open.iter().enumerate() {
        if budget.left().is_zero() {
            return;
        }
        let time = budget.left() / (open.len() - asked) as u32;
        ask(cfa, goals, &[*i], solver, budget.at_most(time));
    }
}

/// Asks whether one of the goals `of` is reached, and marks that one, or all of them if none is.
fn ask(cfa: &Cfa, goals: &mut [Goal], of: &[usize], solver: &smt::Make<'_>, budget: Budget<'_>) -> Reach {
    let mut asked = cfa.clone();
    asked.targets.clear();
    let mut goal_at: FxHashMap<LocId, usize> = FxHashMap::default();
    for &i in of {
        for l in &goals[i].at {
            goal_at.insert(stop_at(&mut asked, *l), i);
        }
    }
    let slice = slicer::slice_for_targets(&asked);
    let (cfa, hints, strategy) = (Arc::new(asked), Vec::new(), &Strategy::Auto);
    let task = Task { cfa, slice, hints, strategy, solver, budget, draws: false, shrinks: false };
    match verify(task, &mut |_| ()).verdict {
        Verdict::False(found) => match goal_at.get(&found.target) {
            Some(i) => {
                goals[*i].reach = Reach::Reached;
                Reach::Reached
            }
            None => Reach::Undecided,
        },
        Verdict::True { .. } => {
            of.iter().for_each(|i| goals[*i].reach = Reach::Never);
            Reach::Never
        }
        Verdict::Unknown(_) => Reach::Undecided,
    }
}

/// Makes executions that come to `l` go to a target at once, and returns it. Ids of what there is stay the same.
fn stop_at(cfa: &mut Cfa, l: LocId) -> LocId {
    let out = cfa.locs[l].out.clone();
    if out.is_empty() {
        cfa.targets.push(l);
        return l;
    }
    let target = cfa.add_loc(cfa.locs[l].func);
    cfa.targets.push(target);
    let never = cfa.terms.bool(false);
    for (i, e) in out.into_iter().enumerate() {
        let to = cfa.edges[e].to;
        cfa.locs[to].into.retain(|other| *other != e);
        cfa.locs[target].into.push(e);
        cfa.edges[e].to = target;
        // The first edge is always enabled.
        cfa.edges[e].op = if i == 0 { Op::Skip } else { Op::branch(never) };
        cfa.allocations.remove(&e);
        cfa.frees.remove(&e);
        cfa.apart.remove(&e);
        cfa.deliveries.remove(&e);
        cfa.lifetimes.remove(&e);
        cfa.memory.slots.remove(&e);
        cfa.external_calls.remove(&e);
        cfa.signed_operations.remove(&e);
    }
    target
}

/// The edges of calls that end an execution.
fn exits(cfa: &Cfa) -> impl Iterator<Item = EdgeId> + '_ {
    let mut edges: Vec<EdgeId> =
        cfa.external_calls.iter().filter(|(_, name)| ENDS.contains(&name.as_str())).map(|(e, _)| *e).collect();
    edges.sort_unstable();
    edges.into_iter()
}

/// The checks of all targets, ascending.
fn checks(cfa: &Cfa) -> Vec<EdgeId> {
    let mut calls: FxHashMap<FuncId, Vec<EdgeId>> = FxHashMap::default();
    for (e, edge) in cfa.edges.iter_enumerated() {
        if let Op::Call(f) = edge.op {
            calls.entry(f).or_default().push(e);
        }
    }
    let mut found: Vec<EdgeId> = Vec::new();
    let (mut seen, mut todo) = (FxHashSet::default(), cfa.targets.clone());
    while let Some(l) = todo.pop() {
        if !seen.insert(l) {
            continue;
        }
        let func = cfa.locs[l].func;
        if l == cfa.funcs[func].entry {
            todo.extend(calls.get(&func).into_iter().flatten().map(|e| cfa.edges[*e].from));
        }
        for &e in &cfa.locs[l].into {
            match is_condition(cfa, e) {
                true => found.extend(shared(cfa, &calls, first_of_test(cfa, e), MAX_LEVELS)),
                false => todo.push(cfa.edges[e].from),
            }
        }
    }
    found.sort_unstable();
    found.dedup_by_key(|e| cfa.edges[*e].from);
    found
}

fn is_condition(cfa: &Cfa, e: EdgeId) -> bool {
    matches!(cfa.edges[e].op, Op::Assume { kind: AssumeKind::Branch | AssumeKind::User, .. })
}

/// The calls of the function at whose beginning `edge` is, if there are several; otherwise `edge`.
fn shared(cfa: &Cfa, calls: &FxHashMap<FuncId, Vec<EdgeId>>, edge: EdgeId, levels: usize) -> Vec<EdgeId> {
    let func = cfa.locs[cfa.edges[edge].from].func;
    let callers = calls.get(&func).map_or(&[][..], |callers| callers);
    if levels == 0 || callers.len() < 2 || !is_first(cfa, edge) {
        return vec![edge];
    }
    callers.iter().flat_map(|call| shared(cfa, calls, *call, levels - 1)).collect()
}

/// Whether each execution that enters the function of `edge` comes to it, unless it traps before.
fn is_first(cfa: &Cfa, edge: EdgeId) -> bool {
    let mut at = cfa.edges[edge].from;
    let entry = cfa.funcs[cfa.locs[at].func].entry;
    for _ in 0..MAX_STEPS {
        if at == entry {
            return cfa.locs[entry].into.is_empty();
        }
        let [e] = cfa.locs[at].into[..] else { return false };
        if is_condition(cfa, e) || matches!(cfa.edges[e].op, Op::Call(_)) {
            return false;
        }
        at = cfa.edges[e].from;
    }
    false
}

/// The first condition of the test that `edge` ends: of `a && b`, and of `a || b`, that of `a`.
fn first_of_test(cfa: &Cfa, edge: EdgeId) -> EdgeId {
    let mut first = edge;
    for _ in 0..MAX_CONDITIONS {
        match branch_before(cfa, first).filter(|before| is_one_test(cfa, *before, first)) {
            Some(before) => first = before,
            None => break,
        }
    }
    first
}

/// The branch before a condition, if nothing but a computation lies between them.
fn branch_before(cfa: &Cfa, edge: EdgeId) -> Option<EdgeId> {
    let mut at = cfa.edges[edge].from;
    for _ in 0..MAX_STEPS {
        let [e] = cfa.locs[at].into[..] else { return None };
        match cfa.edges[e].op {
            Op::Assume { kind: AssumeKind::Branch, .. } => return Some(e),
            Op::Assign(_) | Op::Skip | Op::Assume { kind: AssumeKind::Guard, .. } => at = cfa.edges[e].from,
            _ => return None,
        }
    }
    None
}

/// Whether two conditions, one after the other, are parts of one test: they are on one line, or lead to the same place if they fail.
fn is_one_test(cfa: &Cfa, before: EdgeId, after: EdgeId) -> bool {
    let others = |e: EdgeId| {
        let out = cfa.locs[cfa.edges[e].from].out.iter();
        out.filter(move |other| **other != e).map(move |other| cfa.edges[*other].to)
    };
    let span = |e: EdgeId| (cfa.edges[e].span.file, cfa.edges[e].span.line);
    let is_same_line = span(before) == span(after) && span(after).1 != 0;
    is_same_line || others(before).any(|l| others(after).any(|other| other == l))
}
