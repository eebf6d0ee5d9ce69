//! Dominators, post-dominators, reaching definitions and flow dependences by the CPA algorithm [Lemberger 2018, 2.6.7, 3.1.1, 3.1.2].
//!
//! These are simple and general rather than fast: they follow calls with a call stack, so that paths return to the call from which they
//! came. The slicer's algorithms, which share no code with them, are tested against them.

use crate::cpa::backward::Backward;
use crate::cpa::skeleton::composite::{Composite, State};
use crate::cpa::{Cpa, Cx, Located, Stop};
use crate::domains::dataflow::dominators::{self, Dominators};
pub use crate::domains::dataflow::flow_dependence::FlowDependence;
use crate::domains::dataflow::flow_dependence::FlowDependences;
use crate::domains::dataflow::joined::Joined;
use crate::domains::dataflow::reaching_definitions::{Definition, ReachingDefinitions};
use crate::program::{Budget, Halt, Program};
use crate::reach::explore::{Exploration, Limits, Pause};
use crate::reach::waitlist::Order;
use cfa::{FuncId, LocId};
use smt::Solver;
use std::collections::{BTreeMap, BTreeSet};

/// Sets by location.
pub type ByLocation<T> = BTreeMap<LocId, BTreeSet<T>>;

/// Maximum depth of call stacks.
const MAX_DEPTH: u32 = 100;

/// Maximum number of states; there is one per location and call stack.
const MAX_STATES: usize = 1_000_000;

/// The locations that every path from the entry has passed before each location that it reaches.
///
/// Errors: `Unsupported` for what the analysis cannot follow; out of time or budget. There is no result then.
pub fn dominators(program: &Program, solver: &mut dyn Solver, budget: Budget) -> Result<ByLocation<LocId>, Halt> {
    let cpa = Composite::of_locations(Joined(Dominators), MAX_DEPTH);
    Ok(common(reached(program, cpa, Order::REVERSE_POSTORDER, solver, budget)?))
}

/// The locations that every path to the exit of `f` still has to pass after each location; execution is assumed to begin in `f`.
///
/// Errors: as for [`dominators()`].
pub fn post_dominators(
    program: &Program,
    f: FuncId,
    solver: &mut dyn Solver,
    budget: Budget,
) -> Result<ByLocation<LocId>, Halt> {
    let cpa = Backward::new(Composite::of_locations(Joined(Dominators), MAX_DEPTH), program, program.exit_of(f));
    Ok(common(reached(program, cpa, Order::BREADTH_FIRST, solver, budget)?))
}

/// The definitions that reach each location.
///
/// Errors: as for [`dominators()`].
pub fn reaching_definitions(
    program: &Program,
    solver: &mut dyn Solver,
    budget: Budget,
) -> Result<ByLocation<Definition>, Halt> {
    let cpa = Composite::of_locations(Joined(ReachingDefinitions), MAX_DEPTH);
    let mut found = ByLocation::new();
    for s in reached(program, cpa, Order::REVERSE_POSTORDER, solver, budget)? {
        found.entry(s.at.loc).or_default().extend(s.values.reaching);
    }
    Ok(found)
}

/// All flow dependences.
///
/// Errors: as for [`dominators()`].
pub fn flow_dependences(
    program: &Program,
    solver: &mut dyn Solver,
    budget: Budget,
) -> Result<BTreeSet<FlowDependence>, Halt> {
    let cpa = Composite::of_locations(Joined(FlowDependences), MAX_DEPTH);
    let states = reached(program, cpa, Order::REVERSE_POSTORDER, solver, budget)?;
    Ok(states.into_iter().flat_map(|s| s.values.dependences).collect())
}

/// The locations that the states at each location have in common, over all call stacks.
fn common(states: Vec<State<dominators::State>>) -> ByLocation<LocId> {
    let mut found = ByLocation::new();
    for s in states {
        let here: BTreeSet<LocId> = s.values.0.into_iter().collect();
        found.entry(s.at.loc).and_modify(|all| *all = &*all & &here).or_insert(here);
    }
    found
}

/// All states that `cpa` reaches.
fn reached<C: Located>(
    program: &Program,
    mut cpa: C,
    order: Order,
    solver: &mut dyn Solver,
    budget: Budget,
) -> Result<Vec<<C as Cpa>::State>, Halt> {
    let mut cx = Cx::new(program, solver, budget);
    let precision = cpa.full_precision();
    let mut exploration =
        Exploration::new(&mut cpa, &mut cx, precision, Limits { order, max_states: MAX_STATES, stop: Stop::Sep });
    while exploration.run(&mut cpa, &mut cx)? != Pause::Done || exploration.deepen(&mut cpa, &cx) {}
    if let Some((_, halt)) = exploration.cut.pop() {
        return Err(halt);
    }
    Ok(exploration.arg.ids().map(|n| exploration.arg.node(n).state.clone()).collect())
}
