//! Explicit-state exploration over compiled blocks, for programs whose loop reads an input and then acts by many guarded assignments
//! (event-condition-action programs; [Beyer, Stahlbauer 2014]; value abstraction: Clarke, Grumberg, Long, TOPLAS 1994).
//!
//! The view is compiled to flat code (`machine`). A state is a loop head, a call stack, and a range for each live variable, packed in a
//! row of small numbers (`states`). From each state, runs lead to the next loop heads (`run`): one run for each class of inputs, where a
//! class is what no test against a constant tells apart (`classes`). The state space is explored breadth-first (`search`).
//!
//! ```text
//! a = 1; while (1) { in = input(); if (in == 2 && a == 1) a = 5; else if (in == 3 && a == 5) a = (a * in) % 7 + 10; ... }
//!
//! classes of in:  ..1, 2, 3, 4..         states at the head:  a = 1;  a = 5;  ...
//! ```
//!
//! At first, values are tracked as they are. If there are many states, two abstractions are tried (`precision`): values that are computed
//! are tracked by their class only, and counters not at all; then the program is sliced to what other variables depend on (`reduce`), and
//! tests of counters may go either way. What an abstract path to a target shows to be too coarse (`follow`) is refined, and the exploration
//! begins again: counters get classes, then a class for each number between the constants of the program, then their values.
//!
//! The rows are the certificate. The checker executes the program from each of them with code of its own.
//!
//! As a CPA, this is the value analysis with ranges in place of constants, merge-sep and stop-sep, on large blocks; but its states have no
//! place in the reached set of the general algorithm, whose cost for each state is that of hundreds of runs here.

mod classes;
mod follow;
mod guards;
mod machine;
mod precision;
mod reduce;
mod run;
mod search;
mod states;

use crate::cpa::Cx;
use crate::evidence::outcome::Outcome;
use crate::program::{Budget, Halt, Program};
use cfa::term::Kind;
use cfa::{Op, Term};
use classes::Classes;
use machine::Machine;
use precision::Precision;
use reduce::Flow;
use search::Search;
use smt::Solver;

/// Counts of one run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// The number of states in the last round.
    pub states: u64,
    /// The number of runs.
    pub runs: u64,
    /// The number of instructions executed.
    pub steps: u64,
    /// The number of rounds.
    pub rounds: u64,
    /// The number of groups of variables that are tracked by classes.
    pub classed: u64,
    /// The number of variables that are not tracked.
    pub untracked: u64,
    /// The number of paths to targets that are infeasible.
    pub infeasible: u64,
}

/// Minimum number of tests against constants in a program of events, conditions and actions.
const MANY_TESTS: usize = 200;

/// Whether `program` looks like one of events, conditions and actions: it has a loop, many tests, and nearly all of them compare a variable
/// with a constant. Cost: linear in the size of the view.
pub fn suits(program: &Program) -> bool {
    let (mut all, mut of_constants) = (0, 0);
    for l in program.view.reachable(&program.cfa) {
        for e in program.view.out(l) {
            let Op::Assume { cond, .. } = program.op(e) else { continue };
            let terms = &program.base;
            let atom = if terms.kind(*cond) == Kind::Not { terms.args(*cond)[0] } else { *cond };
            let args = terms.args(atom);
            let is_constant = |t: &Term| matches!(terms.kind(*t), Kind::Const(_));
            // Variables of small types are extended before they are compared.
            let is_variable = |t: &Term| match terms.kind(*t) {
                Kind::Zext | Kind::Sext => matches!(terms.kind(terms.args(*t)[0]), Kind::Var(_)),
                kind => matches!(kind, Kind::Var(_)),
            };
            let is_comparison = matches!(terms.kind(atom), Kind::Eq | Kind::Cmp(_));
            all += 1;
            of_constants += usize::from(is_comparison && args.iter().any(is_constant) && args.iter().any(is_variable));
        }
    }
    // Each test has two sides.
    of_constants >= 2 * MANY_TESTS && 10 * of_constants >= 9 * all && !program.loop_heads().is_empty()
}

/// The program without abstraction.
struct Whole<'p> {
    program: &'p Program,
    machine: Machine,
    classes: Classes,
    flow: Flow,
}

/// Proves or refutes `program`.
///
/// Errors: `OutOfTime`; `OutOfBudget` if there are too many states, or too many runs for them.
pub fn run(
    program: &Program,
    solver: &mut dyn Solver,
    budget: Budget<'_>,
    counts: &mut Counts,
) -> Result<Outcome, Halt> {
    let machine = Machine::new(program);
    let whole = Whole { program, classes: Classes::new(program, &machine), machine, flow: Flow::new(program) };
    let mut precision = Precision::new(&whole);
    let mut cx = Cx::new(program, solver, budget);
    loop {
        budget.check()?;
        counts.rounds += 1;
        let slice = whole.flow.slice(program, &mut precision.untracked);
        // At first, mostly everything is tracked.
        let smaller = (slice.kept != program.slice.kept).then(|| {
            let reduced = program.resliced(slice);
            let machine = Machine::new(&reduced);
            let classes = Classes::new(&reduced, &machine);
            (reduced, machine, classes)
        });
        let (reduced, machine, mut classes) = match &smaller {
            Some((reduced, machine, classes)) => (reduced, machine, classes.clone()),
            None => (program, &whole.machine, whole.classes.clone()),
        };
        precision.part(&whole, machine, &mut classes);
        let search = Search::new(&whole, (reduced, machine, &classes), &mut precision, &mut cx, counts);
        if let Some(outcome) = search.run()? {
            return Ok(outcome);
        }
    }
}
