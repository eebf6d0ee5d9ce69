//! Rules: guards that hold in given states of the machine only, and what is assigned.

use super::machine::Machine;
use super::{INPUTS, Plan, State};
use kerf_testing::Random;

/// A condition over the variables and the input.
pub(super) enum Guard {
    /// A variable has a value.
    Is(usize, usize),
    /// The input is this number.
    Input(usize),
    Not(Box<Guard>),
    And(Box<Guard>, Box<Guard>),
    Or(Box<Guard>, Box<Guard>),
}

impl Guard {
    /// Whether the condition holds in `state` on `input`, if that does not depend on free variables.
    pub(super) fn holds(&self, state: &State, input: usize) -> Option<bool> {
        match self {
            Guard::Is(v, value) => state.get(*v).map(|own| own == value),
            Guard::Input(i) => Some(*i == input),
            Guard::Not(a) => a.holds(state, input).map(|a| !a),
            Guard::And(a, b) => match (a.holds(state, input), b.holds(state, input)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (a, b) => a.zip(b).map(|_| true),
            },
            Guard::Or(a, b) => match (a.holds(state, input), b.holds(state, input)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (a, b) => a.zip(b).map(|_| false),
            },
        }
    }
}

/// A rule.
pub(super) struct Rule {
    pub guard: Guard,
    /// Variables with their new values.
    pub assignments: Vec<(usize, usize)>,
    /// What the rule returns.
    pub output: usize,
}

/// One of so many rules is split by a free variable.
const SPLIT_ONE_IN: usize = 4;

/// Maximum number of states that one rule is for.
const MAX_SOURCES: usize = 3;

/// Rules for all transitions of the machine, and others up to the number in `plan`, in any order.
pub(super) fn rules(plan: &Plan, machine: &Machine, random: &mut Random) -> Vec<Rule> {
    let mut transitions: Vec<(usize, usize, usize)> = machine.transitions().collect();
    // Those that lead to one state on one input can have one rule.
    transitions.sort_unstable_by_key(|(from, input, to)| (*to, *input, *from));
    let mut rules = Vec::new();
    let mut rest = &transitions[..];
    while let [(_, input, to), ..] = *rest {
        let same = rest.iter().take_while(|(_, i, t)| (*i, *t) == (input, to)).count();
        let (now, later) = rest.split_at(same.min(random.between(1, MAX_SOURCES)));
        let sources: Vec<usize> = now.iter().map(|(from, _, _)| *from).collect();
        let differs = |v: &usize| sources.iter().any(|s| machine.states[*s][*v] != machine.states[to][*v]);
        let assignments: Vec<(usize, usize)> =
            (0..plan.variables).filter(differs).map(|v| (v, machine.states[to][v])).collect();
        let mut guards = vec![exactly(&sources, machine, Some(input), random)];
        if plan.free > 0 && random.one_in(SPLIT_ONE_IN) {
            let (v, value) = (plan.variables + random.below(plan.free), random.below(plan.values));
            let other = exactly(&sources, machine, Some(input), random);
            let tests = [Guard::Is(v, value), Guard::Not(Box::new(Guard::Is(v, value)))];
            guards =
                guards.into_iter().chain([other]).zip(tests).map(|(g, t)| conjunction(vec![g, t], random)).collect();
        }
        for guard in guards {
            let mut assignments = assignments.clone();
            free_assignment(plan, &mut assignments, random);
            rules.push(Rule { guard, assignments, output: random.between(20, 26) });
        }
        rest = later;
    }
    while rules.len() < plan.rules {
        let guard = nowhere(plan, machine, Some(random.between(1, INPUTS)), random);
        let mut assignments: Vec<(usize, usize)> = Vec::new();
        for v in 0..plan.variables {
            if random.below(plan.variables) < 3 {
                assignments.push((v, random.below(plan.values)));
            }
        }
        free_assignment(plan, &mut assignments, random);
        rules.push(Rule { guard, assignments, output: random.between(20, 26) });
    }
    shuffle(&mut rules, random);
    rules
}

/// Mostly, sets a free variable to anything.
fn free_assignment(plan: &Plan, assignments: &mut Vec<(usize, usize)>, random: &mut Random) {
    if plan.free > 0 && !random.one_in(3) {
        assignments.push((plan.variables + random.below(plan.free), random.below(plan.values)));
    }
}

/// A guard that holds in the states `sources` on `input`, and in no other state of the machine.
pub(super) fn exactly(sources: &[usize], machine: &Machine, input: Option<usize>, random: &mut Random) -> Guard {
    let mut one_of: Option<Guard> = None;
    for source in sources {
        let guard = conjunction(around(machine, *source, random), random);
        one_of = Some(match one_of {
            None => guard,
            Some(others) => Guard::Or(Box::new(others), Box::new(guard)),
        });
    }
    let mut parts = vec![one_of.expect("a rule is for a state")];
    parts.extend(input.map(Guard::Input));
    conjunction(parts, random)
}

/// Tests that all hold in one state of the machine only; some of them tell nothing.
fn around(machine: &Machine, state: usize, random: &mut Random) -> Vec<Guard> {
    let own = &machine.states[state];
    let mut vars: Vec<usize> = (0..own.len()).collect();
    shuffle(&mut vars, random);
    let mut others: Vec<&State> = machine.states.iter().filter(|s| *s != own).collect();
    let mut tests = Vec::new();
    for v in vars {
        if others.is_empty() && !random.one_in(4) {
            break;
        }
        let test = match random.below(6) {
            // Of the other state, so that the test excludes it at least.
            0 if !others.is_empty() => {
                let other = random.pick(&others)[v];
                if other == own[v] { Guard::Is(v, other) } else { Guard::Not(Box::new(Guard::Is(v, other))) }
            }
            1 => {
                let other = random.pick(&machine.states)[v];
                let (a, b) = (Guard::Is(v, own[v]), Guard::Is(v, other));
                if other == own[v] { a } else { Guard::Or(Box::new(b), Box::new(a)) }
            }
            _ => Guard::Is(v, own[v]),
        };
        others.retain(|s| test.holds(s, 0) == Some(true));
        tests.push(test);
    }
    // Tests of all variables, if weak ones did not suffice.
    if let Some(v) = (0..own.len()).find(|v| others.iter().any(|s| s[*v] != own[*v])) {
        tests.extend((v..own.len()).map(|v| Guard::Is(v, own[v])));
    }
    tests
}

/// A guard that holds in no state of the machine, though each test of a variable holds in some.
pub(super) fn nowhere(plan: &Plan, machine: &Machine, input: Option<usize>, random: &mut Random) -> Guard {
    let mut vars: Vec<usize> = (0..plan.variables).collect();
    loop {
        shuffle(&mut vars, random);
        let mut left: Vec<&State> = machine.states.iter().collect();
        let mut tests: Vec<Guard> = input.map(Guard::Input).into_iter().collect();
        for &v in &vars {
            if left.is_empty() && !random.one_in(4) {
                return conjunction(tests, random);
            }
            let value = random.pick(&machine.states)[v];
            let test = match random.below(8) {
                0 => Guard::Not(Box::new(Guard::Is(v, value))),
                1 => {
                    let other = random.pick(&machine.states)[v];
                    let (a, b) = (Guard::Is(v, value), Guard::Is(v, other));
                    if other == value { a } else { Guard::Or(Box::new(a), Box::new(b)) }
                }
                _ => Guard::Is(v, value),
            };
            left.retain(|s| test.holds(s, 0) == Some(true));
            tests.push(test);
        }
        if left.is_empty() {
            return conjunction(tests, random);
        }
    }
}

/// The conjunction of `parts`, in any order and nesting.
fn conjunction(mut parts: Vec<Guard>, random: &mut Random) -> Guard {
    while parts.len() > 1 {
        let a = parts.swap_remove(random.below(parts.len()));
        let b = parts.swap_remove(random.below(parts.len()));
        parts.push(Guard::And(Box::new(a), Box::new(b)));
    }
    parts.pop().expect("a test")
}

fn shuffle<T>(all: &mut [T], random: &mut Random) {
    for i in (1..all.len()).rev() {
        all.swap(i, random.below(i + 1));
    }
}
