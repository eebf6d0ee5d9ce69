//! The hidden machine: what a program's reachable states are, and which follows which.

use super::{INPUTS, Plan, State};
use kerf_testing::Random;
use std::collections::HashSet;

/// Maximum number of states.
const MAX_STATES: usize = 300;

/// Number of rules for each state of the machine.
const RULES_PER_STATE: usize = 8;

/// States and transitions.
pub(super) struct Machine {
    /// Valuations of the variables that all differ. The first one is the initial one.
    pub states: Vec<State>,
    /// By state, the least number of inputs that lead there.
    levels: Vec<usize>,
    /// By state and input (from 1): the next state, if there is one.
    next: Vec<[Option<usize>; INPUTS]>,
}

impl Machine {
    /// A machine of depth `plan.depth`, if there are `valuations` to choose from.
    pub(super) fn new(plan: &Plan, valuations: usize, random: &mut Random) -> Machine {
        let wanted = (plan.rules / RULES_PER_STATE).clamp(plan.depth + 1, (plan.depth + 1).max(MAX_STATES));
        let states = states(wanted.min(valuations / 4), plan, random);
        let mut machine = Machine { levels: vec![0], next: vec![[None; INPUTS]; states.len()], states };
        // One state at each level, then others anywhere.
        for state in 1..machine.states.len() {
            let parent = if state <= plan.depth { Some(state - 1) } else { machine.parent(plan, state, random) };
            let Some(parent) = parent else {
                machine.states.truncate(state);
                machine.next.truncate(state);
                break;
            };
            machine.levels.push(machine.levels[parent] + 1);
            let input = machine.free_input(parent, random);
            machine.next[parent][input] = Some(state);
        }
        machine.add_transitions(plan, random);
        machine
    }

    /// Adds transitions that make no path shorter, as far as there are rules for them.
    fn add_transitions(&mut self, plan: &Plan, random: &mut Random) {
        let mut count = self.states.len() - 1;
        for state in 0..self.states.len() {
            for input in 0..INPUTS {
                let to = random.below(self.states.len());
                let longer = self.levels[to] <= self.levels[state] + 1 && to != plan.depth;
                if count < plan.rules / 2 && self.next[state][input].is_none() && longer && random.one_in(2) {
                    self.next[state][input] = Some(to);
                    count += 1;
                }
            }
        }
    }

    /// The state at the last level to which one transition leads.
    pub(super) fn deepest(&self) -> usize {
        let last = self.levels.iter().max().expect("a state");
        self.levels.iter().position(|level| level == last).expect("a state")
    }

    /// One of the first `below` states that has a free input and is above the last level, if there is any.
    fn parent(&self, plan: &Plan, below: usize, random: &mut Random) -> Option<usize> {
        let fits = |s: &usize| self.levels[*s] < plan.depth && self.next[*s].contains(&None);
        let all: Vec<usize> = (0..below).filter(fits).collect();
        (!all.is_empty()).then(|| random.pick(&all))
    }

    fn free_input(&self, state: usize, random: &mut Random) -> usize {
        let free: Vec<usize> = (0..INPUTS).filter(|input| self.next[state][*input].is_none()).collect();
        random.pick(&free)
    }

    /// All transitions: from a state, on an input, to a state.
    pub(super) fn transitions(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        let of = |(from, next): (usize, &[Option<usize>; INPUTS])| {
            let taken = next.iter().enumerate().filter_map(move |(input, to)| to.map(|to| (from, input + 1, to)));
            taken.collect::<Vec<_>>()
        };
        self.next.iter().enumerate().flat_map(of)
    }
}

/// `n` valuations that differ.
fn states(n: usize, plan: &Plan, random: &mut Random) -> Vec<State> {
    let (mut seen, mut states) = (HashSet::new(), Vec::new());
    while states.len() < n {
        let state: State = (0..plan.variables).map(|_| random.below(plan.values)).collect();
        if seen.insert(state.clone()) {
            states.push(state);
        }
    }
    states
}
