//! The interface of a configurable program analysis ([Lemberger 2018, 2.6.2]; Beyer, Henzinger, Théoduloz, CAV 2007 and ASE 2008).
//!
//! Reading order:
//!
//! 1. this file: what an analysis is;
//! 2. `precision`: what analyses of values track;
//! 3. `skeleton`: locations, call stacks and automata, which all analyses run on;
//! 4. `dead_variables`: variables that no longer matter;
//! 5. `backward`: backward analyses;
//! 6. `profile`: where the time goes.

pub mod backward;
pub mod dead_variables;
pub mod precision;
pub mod profile;
pub mod skeleton;

use crate::cpa::profile::{Clock, Diagrams, Work};
use crate::cpa::skeleton::automaton;
use crate::cpa::skeleton::callstack::StackId;
use crate::evidence::outcome::InputVector;
use crate::program::{Budget, Halt, Program};
use cfa::{FuncId, LocId, Op, Range, SymId, Term, Terms, VarId};
use checker::Label;
use smt::interpolation::Counters;
use smt::{Algebra, Answer, Limits, Solver};
use std::fmt;
use std::hash::Hash;
use std::time::{Duration, Instant};

/// A configurable program analysis: domain, transfer, merge and stop.
///
/// The transfer relation takes the precision into account, so there is no separate operator that adjusts states to a precision ("prec" in
/// the cited papers): value analyses compute only what is tracked, and predicate abstraction adjusts a state as the last act of a transfer,
/// since an adjusted state may represent nothing, so that there is no successor.
///
/// Analyses that run side by side implement this trait, and so does their composition. Only the composition knows locations and the call
/// stack, and only it can be explored.
pub trait Cpa {
    /// An abstract state.
    type State: Clone + Eq + fmt::Debug;
    /// What is tracked.
    type Precision: Clone + Eq + Hash + fmt::Debug;
    /// Only states with equal keys may cover or merge.
    type Key: Copy + Eq + Hash + fmt::Debug;

    /// The state in which execution begins at `at`.
    fn initial(&mut self, cx: &mut Cx<'_>, at: LocId) -> Self::State;

    /// The precision that tracks everything.
    fn full_precision(&self) -> Self::Precision;

    /// Pushes every successor of `s` along `step`; none means that the step cannot be taken.
    ///
    /// Errors: `Unsupported` and `TooDeep` cut off this step alone, others end the exploration.
    fn transfer(
        &mut self,
        cx: &mut Cx<'_>,
        s: &Self::State,
        step: Step<'_>,
        pi: &Self::Precision,
        out: &mut Vec<Self::State>,
    ) -> Result<(), Halt>;

    /// Like [`transfer`](Cpa::transfer), from a state that is no longer needed: if there is exactly one successor, `s` is replaced by it.
    ///
    /// Otherwise, and on errors, `s` stays as it is. `out` must be empty; it receives the successors if there are several.
    fn advance(
        &mut self,
        cx: &mut Cx<'_>,
        s: &mut Self::State,
        step: Step<'_>,
        pi: &Self::Precision,
        out: &mut Vec<Self::State>,
    ) -> Result<Successors, Halt> {
        by_transfer(self, cx, s, step, pi, out)
    }

    /// Whether [`prec`](Cpa::prec) adjusts the states after `step`.
    fn adjusts(&self, _program: &Program, _step: &Step<'_>) -> bool {
        false
    }

    /// The precision adjustment `prec` of CPA+ [Lemberger 2018, 2.6.2]: `s`, to which `step` has led, as `pi` describes it; `None` if it turns
    /// out to represent nothing. In `s` hold the conditions `known`, Bool terms over program variables.
    fn prec(
        &mut self,
        _cx: &mut Cx<'_>,
        s: Self::State,
        _step: &Step<'_>,
        _pi: &Self::Precision,
        _known: &[Term],
    ) -> Result<Option<Self::State>, Halt> {
        Ok(Some(s))
    }

    /// Whether a cheap test shows that `step` cannot be taken from `s`. `false` is always sound.
    fn excludes(&self, _cx: &Cx<'_>, _s: &Self::State, _step: &Step<'_>) -> bool {
        false
    }

    /// Whether `by`, which has an equal key, represents everything that `s` represents. `false` is always sound.
    fn covered(&mut self, cx: &mut Cx<'_>, s: &Self::State, by: &Self::State) -> Result<bool, Halt>;

    /// What `s` represents and `by`, which has an equal key, does not. [`Beyond::All`] is always sound.
    fn beyond(&mut self, cx: &mut Cx<'_>, s: &Self::State, by: &Self::State) -> Result<Beyond<Self::State>, Halt> {
        Ok(if self.covered(cx, s, by)? { Beyond::Nothing } else { Beyond::All })
    }

    /// The merge operator: `old` weakened by `new`, or `None` to leave `old` as it is (merge-sep). The result must cover `old`; if it is
    /// not equal to `old`, it replaces it and is explored again.
    fn merge(
        &mut self,
        _cx: &mut Cx<'_>,
        _new: &Self::State,
        _old: &Self::State,
        _pi: &Self::Precision,
    ) -> Result<Option<Self::State>, Halt> {
        Ok(None)
    }

    /// Whether `merge` ever returns a state. If not (merge-sep), the engine does not search for merge partners.
    fn merges(&self) -> bool {
        false
    }

    /// Whether only states with the same [`index`](Cpa::index), which they keep, are worth merging, and only as long as they have not been
    /// expanded.
    fn merges_before_expansion(&self) -> bool {
        false
    }

    /// Whether a weakened state is expanded only as far as it is new, and what was expanded is kept in layers, in which paths are walked
    /// back. Requires that states merge, that [`beyond`](Cpa::beyond) subtracts them, and that the successors of a join are the joins of
    /// successors.
    fn in_layers(&self) -> bool {
        false
    }

    /// The preimage: what of `s` `step` leads into `after`, one of its successors or a part of it; `None` if that is nothing. More than
    /// that is always sound: it is used to find paths.
    fn before(
        &mut self,
        _cx: &mut Cx<'_>,
        s: &Self::State,
        _step: &Step<'_>,
        _after: &Self::State,
    ) -> Result<Option<Self::State>, Halt> {
        Ok(Some(s.clone()))
    }

    /// What `a` and `b`, which have equal keys, both represent; `None` if that is nothing. More than that is always sound.
    fn common(&mut self, _cx: &mut Cx<'_>, a: &Self::State, _b: &Self::State) -> Result<Option<Self::State>, Halt> {
        Ok(Some(a.clone()))
    }

    /// The part of the state that must be equal in a covering state.
    fn key(&self, s: &Self::State) -> Self::Key;

    /// Whether the state violates the property.
    fn is_target(&self, _s: &Self::State) -> bool {
        false
    }

    /// Where the reached set files the state; `None` if it neither covers other states nor needs to be covered. Where a state
    /// may cover others whose facts are not equal to its own (intervals, signs), shape and fingerprint are constants, and the states at one
    /// key are compared one by one. Where states merge, nothing is looked up: a state is compared with the newest ones at its key.
    fn index(&self, s: &Self::State) -> Option<Index>;

    /// The fingerprint that a state with the shape of `pattern` has if it covers `s`; `None` if no state of that shape can cover it.
    fn fingerprint_as(&self, s: &Self::State, pattern: &Self::State) -> Option<u64>;

    /// All that `s` represents in rows, if they are few: then a certificate may state these in place of a label, and the checker
    /// executes the program from each row, without a solver. Valuations of other variables do not matter.
    fn rows(&mut self, _cx: &mut Cx<'_>, _s: &Self::State) -> Option<Rows> {
        None
    }

    /// For a certificate by rows, the numbers from which on values of a variable are told apart, ascending.
    fn splits(&self, _program: &Program) -> Vec<(VarId, Vec<i64>)> {
        Vec::new()
    }

    /// What the state says about the variables, as the label of a node in a certificate. A variable without an entry may have any value.
    fn label(&mut self, cx: &mut Cx<'_>, s: &Self::State) -> Label;

    /// If `by` covers `s`, as was found out last: the values of the symbols in the label of `by`, as terms over the symbols in the label of
    /// `s`. Symbols that represent themselves may be left out.
    fn witness(&mut self, _cx: &mut Cx<'_>, _s: &Self::State, _by: &Self::State) -> Vec<(SymId, Term)> {
        Vec::new()
    }

    /// The values that symbols of `merged`, the result of a merge, have in the state that it replaced; symbols that represent themselves may
    /// be left out.
    fn before_merge(&self, _merged: &Self::State) -> Vec<(SymId, Term)> {
        Vec::new()
    }

    /// What a certificate states of the witness by which `by` covers `s`: not what the checker finds by itself, but also what it would not
    /// find right.
    fn stated_witness(
        &mut self,
        _cx: &mut Cx<'_>,
        _s: &Self::State,
        _by: &Self::State,
        witness: Vec<(SymId, Term)>,
    ) -> Vec<(SymId, Term)> {
        witness
    }

    /// If the step to `s` had several successors: the case in which it led there, as conditions on the symbols of the state before it. The
    /// cases of all its successors leave nothing out.
    fn case(&self, _s: &Self::State) -> Vec<Term> {
        Vec::new()
    }

    /// Inputs that lead to `s` by the path on which it was found, if some are known.
    fn candidate(&self, _cx: &Cx<'_>, _s: &Self::State) -> Option<InputVector> {
        None
    }

    /// Whether a certificate has to state the label of `after`, to which `step` leads from `before`. It has to if the label has facts or
    /// symbols that cannot be derived from an earlier label, or only with a solver.
    fn states_new_facts(&self, _step: &Step<'_>, _before: &Self::State, _after: &Self::State) -> bool {
        false
    }

    /// How far the paths to `s` have come, as far as the analysis knows.
    fn progress(&self, _s: &Self::State) -> Progress {
        Progress::default()
    }

    /// Whether certificates state no label for `s`, even if it covers other states: all that it represents is what the paths to it lead
    /// to, from the last labels on these, and a label would say less. The graph of such states must have no cycle.
    fn needs_no_label(&self, _s: &Self::State) -> bool {
        false
    }
}

/// [`Cpa::advance`] by [`Cpa::transfer`].
pub(crate) fn by_transfer<C: Cpa + ?Sized>(
    cpa: &mut C,
    cx: &mut Cx<'_>,
    s: &mut C::State,
    step: Step<'_>,
    pi: &C::Precision,
    out: &mut Vec<C::State>,
) -> Result<Successors, Halt> {
    cpa.transfer(cx, s, step, pi, out)?;
    Ok(match out.len() {
        0 => Successors::None,
        1 => {
            let before = std::mem::replace(s, out.pop().expect("one"));
            Successors::One { new_facts: cpa.states_new_facts(&step, &before, s) }
        }
        _ => Successors::Several,
    })
}

/// States in rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rows {
    /// The variables.
    pub vars: Vec<VarId>,
    /// For each row, the ranges of these variables.
    pub rows: Vec<Vec<Range>>,
}

/// A termination check [Lemberger 2018, 2.6.2].
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Hash)]
pub enum Stop {
    /// A state is covered by one reached state.
    #[default]
    Sep,
    /// A state is covered by several reached states together.
    Join,
}

impl Stop {
    /// All checks, by the names used in configurations.
    pub const ALL: [(&'static str, Stop); 2] = [("sep", Stop::Sep), ("join", Stop::Join)];

    /// The name used in configurations.
    pub fn name(self) -> &'static str {
        Stop::ALL.iter().find(|(_, stop)| *stop == self).map_or("", |(name, _)| name)
    }
}

/// What a state represents and another one does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Beyond<S> {
    /// Nothing: the other one covers it.
    Nothing,
    /// At most what this state represents.
    Part(S),
    /// Anything that it represents.
    All,
}

/// The result of taking a step from a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Successors {
    /// No state: the step cannot be taken.
    None,
    /// One state.
    One {
        /// Whether the label after the step has to be stated ([`Cpa::states_new_facts`]).
        new_facts: bool,
    },
    /// Several states.
    Several,
}

/// Where the reached set files a state.
///
/// A state can be covered by a state of another shape only if it has the right fingerprint in that shape (see [`Cpa::fingerprint_as`]),
/// so the search for a covering state takes one look-up per shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Index {
    /// The kind of facts in the state: for explicit values, which variables are known.
    pub shape: u64,
    /// The facts: for explicit values, a hash of the values.
    pub fingerprint: u64,
}

/// An analysis that knows where control is, and so can be explored.
pub trait Located: Cpa<Key = Position> {
    /// Pushes the steps that control may take from `s`.
    fn steps<'p>(&self, program: &'p Program, s: &Self::State, out: &mut Vec<Step<'p>>);

    /// The frame at the top of `stack`: where it returns to, and the stack below. `None` for the empty stack.
    fn frame(&self, stack: StackId) -> Option<(LocId, StackId)>;

    /// The number of frames of `stack`.
    fn depth(&self, stack: StackId) -> u32;

    /// Raises the depth bound of the call stack; `false` if it is at its maximum already.
    fn deepen(&mut self) -> bool;
}

/// Where control is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The location, in the view.
    pub loc: LocId,
    /// The call stack below the running activation.
    pub stack: StackId,
    /// The states of the specification automata.
    pub automata: automaton::StateId,
}

/// One step of control.
#[derive(Clone, Copy, Debug)]
pub struct Step<'p> {
    /// The step as the ARG and certificates record it.
    pub taken: checker::Step,
    /// Where it starts, in the view.
    pub from: LocId,
    /// Where it ends, in the view; for a call, the entry of the called function.
    pub to: LocId,
    /// What it does.
    pub action: Action<'p>,
}

/// How far the paths to a state have come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// How many inputs they have read up to the last one that a condition was about: how far into a text a parser has come.
    pub inputs: u32,
    /// The sum of the constants that may count something.
    pub constants: u32,
}

impl Progress {
    /// The larger of each.
    pub fn max(self, other: Progress) -> Progress {
        Progress { inputs: self.inputs.max(other.inputs), constants: self.constants.max(other.constants) }
    }
}

/// What a step does.
#[derive(Clone, Copy, Debug)]
pub enum Action<'p> {
    /// The operation of an edge that is not a call.
    Op(&'p Op),
    /// Enters a function, which returns to the given location.
    Enter(FuncId, LocId),
    /// Returns from the running function.
    Leave,
}

/// What analyses need besides their own state.
pub struct Cx<'a> {
    /// The program.
    pub program: &'a Program,
    /// The terms of this exploration, an overlay over the terms of the program.
    pub terms: Terms,
    /// Decides formulas over these terms.
    pub solver: &'a mut dyn Solver,
    /// Simplifies these formulas.
    pub algebra: Algebra,
    /// The time that is left.
    pub budget: Budget<'a>,
    /// Counts and times so far.
    pub statistics: Statistics,
}

impl<'a> Cx<'a> {
    /// A context with new terms and counts of zero.
    pub fn new(program: &'a Program, solver: &'a mut dyn Solver, budget: Budget<'a>) -> Cx<'a> {
        Cx {
            program,
            terms: program.overlay(),
            solver,
            algebra: Algebra::new(),
            budget,
            statistics: Statistics::default(),
        }
    }

    /// Calls `f` with this context for another program over the same terms, such as another slice.
    pub fn with_program<T>(&mut self, program: &Program, f: impl FnOnce(&mut Cx<'_>) -> T) -> T {
        let mut other = Cx {
            program,
            terms: std::mem::take(&mut self.terms),
            solver: &mut *self.solver,
            algebra: std::mem::take(&mut self.algebra),
            budget: self.budget,
            statistics: std::mem::take(&mut self.statistics),
        };
        let result = f(&mut other);
        let Cx { terms, algebra, statistics, .. } = other;
        (self.terms, self.algebra, self.statistics) = (terms, algebra, statistics);
        result
    }

    /// Whether the conjunction of `all` has a model; `None` if `limit` or the limits of the solver are reached first.
    pub fn satisfiable(&mut self, all: &[Term], limit: Duration) -> Option<bool> {
        if all.iter().any(|t| self.terms.as_bool(*t) == Some(false)) {
            return Some(false);
        }
        let start = Instant::now();
        self.solver.set_limits(Limits { query: Some(limit), deadline: Some(self.budget.deadline) });
        let answer = self.algebra.check(&mut self.terms, self.solver, all);
        self.statistics.asked(start.elapsed());
        match answer {
            Ok(Answer::Sat) => Some(true),
            Ok(Answer::Unsat) => Some(false),
            Err(_) => None,
        }
    }
}

/// Counts and times of one exploration.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Number of states in the reached set.
    pub states: u64,
    /// Number of steps tried.
    pub steps: u64,
    /// Number of states between those of the reached set; they are not kept.
    pub passed: u64,
    /// Number of successors that a reached state covers.
    pub covered: u64,
    /// Number of times that merging weakened a reached state.
    pub merges: u64,
    /// Number of target states found, whether their paths are feasible or not.
    pub targets: u64,
    /// Number of refinements of the precision or the slice.
    pub refinements: u64,
    /// Number of states that refinements removed from the reached set.
    pub pruned: u64,
    /// Number of paths to targets that are neither known to be feasible nor excluded by a refinement.
    pub stuck: u64,
    /// Number of slices made after the first one.
    pub slices: u64,
    /// The number of edges in each slice; empty if no slices are made during the exploration.
    pub slice_sizes: Vec<u64>,
    /// Number of variables that the last precision tracks.
    pub tracked_vars: u64,
    /// Number of conditions that the last precision tracks.
    pub tracked_conditions: u64,
    /// Time of refinements, without the time of slicing.
    pub refinement_time: Duration,
    /// Time to make slices, and to compute what the analyses need from them.
    pub slicing_time: Duration,
    /// For sets of states as decision diagrams, counts of these.
    pub diagrams: Option<Diagrams>,
    /// Times of transfer, merge and stop.
    pub clock: Clock,
    /// Number of paths to targets that were known from the other direction.
    pub shortcuts: u64,
    /// Number of queries to the solver.
    pub solver_calls: u64,
    /// Time of these queries.
    pub solver_time: Duration,
    /// What was interpolated, and how.
    pub interpolation: Counters,
    /// Time of the whole exploration.
    pub time: Duration,
}

impl Statistics {
    /// The counts that reports show, by name. Those of merging, slicing and refinement are included only if there was any.
    pub fn counts(&self) -> Vec<(&'static str, u64)> {
        let mut counts =
            vec![("states", self.states), ("passed", self.passed), ("steps", self.steps), ("covered", self.covered)];
        if self.merges > 0 {
            counts.push(("merged", self.merges));
        }
        if let Some(last) = self.slice_sizes.last() {
            counts.extend([("slices", self.slices), ("edges of the slice", *last)]);
        }
        if self.refinements + self.stuck > 0 {
            counts.extend([
                ("refinements", self.refinements),
                ("pruned states", self.pruned),
                ("paths that stay", self.stuck),
                ("tracked variables", self.tracked_vars),
                ("tracked conditions", self.tracked_conditions),
            ]);
        }
        if self.shortcuts > 0 {
            counts.push(("paths known from the other end", self.shortcuts));
        }
        counts.extend(self.diagrams.iter().flat_map(Diagrams::counts));
        if self.solver_calls > 0 {
            counts.push(("queries", self.solver_calls));
        }
        counts.extend(self.interpolation.counts());
        counts
    }

    /// Counts a solver query that took `time`.
    pub fn asked(&mut self, time: Duration) {
        self.solver_calls += 1;
        self.solver_time += time;
        self.clock.asked(time);
    }

    /// The times that reports show, by name. The time of the solver is contained in the others.
    pub fn times(&self) -> Vec<(&'static str, Duration)> {
        let mut times = vec![
            ("transfer", self.clock.time(Work::Transfer)),
            ("merge", self.clock.time(Work::Merge)),
            ("stop", self.clock.time(Work::Stop)),
            ("refinement", self.refinement_time),
            ("slicing", self.slicing_time),
            ("solver", self.solver_time),
        ];
        times.retain(|(_, time)| !time.is_zero());
        times.extend(self.interpolation.times());
        times
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Statistics { states, passed, steps, covered, merges, targets, solver_calls, solver_time, time, .. } = self;
        write!(
            f,
            "{states} states, {passed} passed, {steps} steps, {covered} covered, {merges} merges, {targets} targets, "
        )?;
        let Statistics { refinements, pruned, stuck, tracked_vars, tracked_conditions, refinement_time, .. } = self;
        if refinements + stuck > 0 {
            write!(
                f,
                "{refinements} refinements in {refinement_time:.2?} ({pruned} states pruned, {stuck} paths stay), "
            )?;
            write!(f, "{tracked_vars} variables and {tracked_conditions} conditions tracked, ")?;
        }
        write!(f, "{solver_calls} solver calls in {solver_time:.2?} of {time:.2?}")
    }
}
