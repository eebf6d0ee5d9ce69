//! The automaton CPA: it tracks the states of the specification automata that observe the program [Kreppel 2019, 4.3].
//!
//! The automata are woven into the program, which holds their states in variables ([`cfa::Cfa::automata`]).
//!
//! * Lattice: flat; each automaton has a known state, or an unknown one.
//! * Transfer: assignments of states, and tests of states.
//!
//! Like the call stack, automata are part of every composition and of its keys. They are tracked exactly, whatever the precision of the
//! other analyses, so states of the program that differ in the state of an automaton are never merged and never cover each other.
//!
//! The state of an automaton is unknown while no constant has been assigned to its variable: before the program begins, and where a slice
//! leaves the assignment out. Then a test is undecided, and both of its branches are taken.

use crate::cpa::{Action, Cx};
use cfa::term::Kind;
use cfa::{Op, Term, Terms, VarId};
use checker::Label;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The states of all automata, interned as one number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct StateId(u32);

/// The state of each automaton, where it is known.
type States = SmallVec<[Option<Term>; 2]>;

/// The analysis.
#[derive(Default)]
pub struct AutomatonCpa {
    vars: Vec<VarId>,
    states: Vec<States>,
    ids: FxHashMap<States, StateId>,
}

impl AutomatonCpa {
    /// The state in which execution begins: nothing is known.
    pub fn initial(&mut self, cx: &Cx<'_>) -> StateId {
        self.vars.clone_from(&cx.program.cfa.automata);
        let unknown = self.vars.iter().map(|_| None).collect();
        self.id(unknown)
    }

    fn id(&mut self, states: States) -> StateId {
        if let Some(&id) = self.ids.get(&states) {
            return id;
        }
        let id = StateId(u32::try_from(self.states.len()).expect("fewer than 2^32 combinations of states"));
        self.states.push(states.clone());
        self.ids.insert(states, id);
        id
    }

    /// The states after a step; `None` if the step cannot be taken in `s`.
    pub fn transfer(&mut self, terms: &Terms, s: StateId, action: Action<'_>) -> Option<StateId> {
        let Action::Op(op) = action else { return Some(s) };
        if self.vars.is_empty() {
            return Some(s);
        }
        match op {
            Op::Assign(list) => {
                let constant = |t: Term| terms.as_bv(t).is_some().then_some(t);
                let mut states = None;
                for &(v, t) in list {
                    if let Some(i) = self.number(v) {
                        states.get_or_insert_with(|| self.of(s).clone())[i] = constant(t);
                    }
                }
                Some(states.map_or(s, |states| self.id(states)))
            }
            Op::Assume { cond, .. } => {
                let (holds, test) = match terms.kind(*cond) {
                    Kind::Not => (false, terms.args(*cond)[0]),
                    _ => (true, *cond),
                };
                let Some((i, state)) = self.test(terms, test) else { return Some(s) };
                match self.of(s)[i] {
                    Some(known) => ((known == state) == holds).then_some(s),
                    None if holds => {
                        let mut states = self.of(s).clone();
                        states[i] = Some(state);
                        Some(self.id(states))
                    }
                    None => Some(s),
                }
            }
            Op::Input { var, .. } => match self.number(*var) {
                Some(i) => {
                    let mut states = self.of(s).clone();
                    states[i] = None;
                    Some(self.id(states))
                }
                None => Some(s),
            },
            Op::Skip | Op::Call(_) | Op::CallIndirect(_) | Op::Unsupported(_) => Some(s),
        }
    }

    fn of(&self, s: StateId) -> &States {
        &self.states[s.0 as usize]
    }

    fn number(&self, v: VarId) -> Option<usize> {
        self.vars.iter().position(|x| *x == v)
    }

    /// If `cond` tests whether an automaton is in some state: the automaton, and that state.
    fn test(&self, terms: &Terms, cond: Term) -> Option<(usize, Term)> {
        let (Kind::Eq, &[a, b]) = (terms.kind(cond), terms.args(cond)) else { return None };
        [(a, b), (b, a)].into_iter().find_map(|(var, state)| match terms.kind(var) {
            Kind::Var(v) if terms.as_bv(state).is_some() => Some((self.number(v)?, state)),
            _ => None,
        })
    }

    /// Adds what is known of the states to a label.
    pub fn label(&self, cx: &mut Cx<'_>, s: StateId, label: &mut Label) {
        for (v, state) in self.vars.iter().zip(self.of(s)) {
            let Some(state) = *state else { continue };
            match label.env.globals.get(v) {
                None => {
                    label.env.globals.insert(*v, state);
                }
                Some(said) => {
                    let same = cx.terms.eq(*said, state);
                    if cx.terms.as_bool(same) != Some(true) {
                        label.constraints.push(same);
                    }
                }
            }
        }
    }

    /// Whether the step revealed the state of an automaton that was unknown before.
    pub fn learns(&self, before: StateId, after: StateId) -> bool {
        before != after && self.of(before).iter().zip(self.of(after)).any(|(b, a)| b.is_none() && a.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Budget, Program};
    use cfa::view::Slice;
    use cfa::{AssumeKind, Cfa, Scope, Sort, Span};
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    /// A program with an automaton of three states, and an unrelated variable.
    fn program() -> (Cfa, VarId, VarId) {
        let mut cfa = Cfa::new(64);
        cfa.entry = cfa.add_func("main", Span::default());
        let automaton = cfa.add_var("automaton a", Sort::Bv(8), Scope::Global);
        let x = cfa.add_var("x", Sort::Bv(8), Scope::Global);
        cfa.automata.push(automaton);
        (cfa, automaton, x)
    }

    #[test]
    fn states_are_set_tested_and_learned() {
        let (mut cfa, automaton, x) = program();
        let (q, other) = (cfa.var_term(automaton), cfa.var_term(x));
        let numbers: Vec<Term> = (0..3).map(|n| cfa.terms.int(8, n)).collect();
        let set = |n: usize| Op::assign(automaton, numbers[n]);
        let test = |cfa: &mut Cfa, var: Term, n: usize, holds: bool| {
            let is = cfa.terms.eq(var, numbers[n]);
            let cond = if holds { is } else { cfa.terms.not(is) };
            Op::Assume { cond, kind: AssumeKind::Branch }
        };
        let in_one = test(&mut cfa, q, 1, true);
        let not_in_one = test(&mut cfa, q, 1, false);
        let in_two = test(&mut cfa, q, 2, true);
        let about_x = test(&mut cfa, other, 1, true);
        let copy = Op::assign(automaton, other);
        let slice = Slice::whole(&cfa);
        let program = Program::new(Arc::new(cfa), slice);
        let budget = Budget::until(Instant::now() + Duration::from_secs(60));
        let mut solver = smt::standard(budget.limits());
        let mut cx = Cx::new(&program, &mut *solver, budget);
        let mut cpa = AutomatonCpa::default();
        let unknown = cpa.initial(&cx);
        let mut step = |s, op: &Op| cpa.transfer(&program.base, s, Action::Op(op));
        let one = step(unknown, &set(1)).expect("a successor");
        assert_ne!(one, unknown);
        assert_eq!(step(one, &in_one), Some(one));
        assert_eq!((step(one, &not_in_one), step(one, &in_two)), (None, None));
        assert_eq!((step(one, &about_x), step(unknown, &not_in_one)), (Some(one), Some(unknown)));
        assert_eq!(step(unknown, &in_one), Some(one), "a test tells the state");
        assert_eq!(step(one, &copy), Some(unknown), "what is no constant is unknown");
        let back = step(one, &set(2)).and_then(|two| step(two, &set(1)));
        assert_eq!(back, Some(one), "equal states are one");
        assert!(cpa.learns(unknown, one) && !cpa.learns(one, unknown) && !cpa.learns(one, one));
        let mut label = Label::default();
        cpa.label(&mut cx, one, &mut label);
        assert_eq!(label.env.globals.get(&automaton), Some(&numbers[1]));
        label.env.globals.insert(automaton, other);
        cpa.label(&mut cx, one, &mut label);
        assert_eq!(label.constraints.len(), 1, "what is said already is made equal");
    }
}
