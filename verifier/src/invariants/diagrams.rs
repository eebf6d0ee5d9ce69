//! Decision diagrams for the variables that suit them, as an analysis of its own before another one that knows the rest: the choice of an
//! abstract domain by domain type [Beyer, Stahlbauer 2014, 4.5].

use crate::cpa::skeleton::composite::Composite;
use crate::cpa::{Cpa, Cx};
use crate::domains::Part;
use crate::domains::bdd::{self, BddCpa};
use crate::evidence::outcome::Outcome;
use crate::invariants::abstract_interpretation::Found;
use crate::program::domain_types::DomainType;
use crate::program::{Budget, Program};
use crate::reach::cegar::{CheckOnly, Ending, search};
use crate::reach::explore::{Exploration, Limits, Pause};
use crate::reach::waitlist::Order;
use cfa::{LocId, Term};
use std::collections::BTreeMap;
use std::time::Duration;

/// Maximum number of frames of the call stack.
const MAX_DEPTH: u32 = 200;
/// Maximum number of states.
const MAX_STATES: usize = 1_000_000;
/// Maximum time to check a path to a target.
const PATH: Duration = Duration::from_millis(500);
/// Maximum number of paths to targets that are neither real nor excluded.
const MAX_PATHS: u32 = 20;

/// The variables of the domain types `BOOL` and `EQ` as decision diagrams: a proof or an alarm if they suffice, and otherwise what they say at the heads
/// of loops. `None` if time is over first.
///
/// The terms are the exploration's own, and so is the solver: what a solver knows is about terms by their numbers.
pub fn explore(program: &Program, budget: Budget<'_>) -> Option<Result<Outcome, Found>> {
    let options = bdd::Options { types: Some(DomainType::Eq), ..bdd::Options::default() };
    let mut solver = smt::standard(budget.limits());
    let mut cx = Cx::new(program, &mut *solver, budget);
    let mut cpa = Composite::new(BddCpa::new(program, &options, true), MAX_DEPTH);
    let limits = Limits { order: Order::REVERSE_POSTORDER, max_states: MAX_STATES, stop: Default::default() };
    let precision = cpa.full_precision();
    let mut exploration = Exploration::new(&mut cpa, &mut cx, precision, limits);
    let mut refiner = CheckOnly { limit: PATH, imprecise: BddCpa::IMPRECISE };
    match search(&mut exploration, &mut cpa, &mut cx, &mut refiner, MAX_PATHS) {
        Ok(Ending::Outcome(outcome @ (Outcome::Proof(_) | Outcome::Alarm(_)))) => return Some(Ok(outcome)),
        Ok(_) => {}
        Err(_) => return None,
    }
    while let Pause::Target(_) = exploration.run(&mut cpa, &mut cx).ok()? {}
    if !exploration.cut.is_empty() {
        return None;
    }
    let heads = program.loop_heads();
    // A head has a state for each call stack.
    let mut at: BTreeMap<LocId, Vec<Option<Vec<Term>>>> = BTreeMap::new();
    for n in exploration.arg.ids() {
        let state = &exploration.arg.node(n).state;
        if heads.contains(&state.at.loc) {
            let said = cpa.parts.conditions(&mut cx, &state.values);
            at.entry(state.at.loc).or_default().push(said);
        }
    }
    let mut of = Vec::new();
    for (head, states) in at {
        let Some(states) = states.into_iter().collect::<Option<Vec<Vec<Term>>>>() else { continue };
        let mut any = cx.terms.ff();
        for state in states {
            let all = cx.terms.and_all(state);
            any = cx.terms.or(any, all);
        }
        of.push((head, vec![any]));
    }
    Some(Err(Found::new(cx.terms, of)))
}
