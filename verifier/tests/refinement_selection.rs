//! Refinement asks as few parts of a composition as possible to track more.

use crate::support::*;
use std::time::Duration;
use verifier::cpa::Stop;
use verifier::cpa::precision::Conditions;
use verifier::cpa::skeleton::composite::Composite;
use verifier::domains::{Analyses, Merge, PartKind, Parts, Precisions, Settings};
use verifier::evidence::outcome::Outcome;
use verifier::program::Program;
use verifier::reach::cegar::{Ending, Refiner, search};
use verifier::reach::explore::{Exploration, Limits};
use verifier::reach::waitlist::Order;
use verifier::refine::{Options, PathRefiner};

/// The precisions with which explicit values and symbolic execution prove `program` together.
fn proved(program: &Program) -> Precisions {
    let mut solver = smt::standard(smt::Limits::default());
    let mut cx = verifier::cpa::Cx::new(program, &mut solver, patient());
    let kinds = [PartKind::Value, PartKind::Symbolic];
    let parts = Parts::new(Analyses::new(program, &kinds, &Settings::default()), Merge::Sep);
    let mut cpa = Composite::new(parts, 10);
    let limit = Duration::from_secs(10);
    let mut refiner = PathRefiner::new(Options::default(), Conditions::Constraints, limit, "too imprecise");
    let start = refiner.precision(&cpa);
    let limits = Limits { order: Order::BREADTH_FIRST, max_states: 1_000, stop: Stop::Sep };
    let mut exploration = Exploration::new(&mut cpa, &mut cx, start, limits);
    let ending = search(&mut exploration, &mut cpa, &mut cx, &mut refiner, 10).expect("an ending");
    assert!(matches!(ending, Ending::Outcome(Outcome::Proof(_))), "{ending:?}");
    refiner.precision(&cpa)
}

/// Whether explicit values and symbolic execution track the variable `name`.
fn track(text: &str, name: &str) -> [bool; 2] {
    let program = source(text);
    let v = program.cfa.vars.ids().find(|v| program.cfa.vars[*v].name == name).expect("a variable");
    let precisions = proved(&program);
    [&precisions.value, &precisions.symbolic].map(|pi| pi.as_ref().is_some_and(|pi| pi.tracks(v)))
}

#[test]
fn the_cheapest_part_that_suffices_tracks_alone() {
    assert_eq!(track("int x = 1; if (x == 2) error();", "x"), [true, false]);
}

#[test]
fn the_next_part_tracks_what_the_first_cannot_exclude() {
    let [_, symbolically] = track("int x = input(); int y = x; if (x != y) error();", "y");
    assert!(symbolically);
}
