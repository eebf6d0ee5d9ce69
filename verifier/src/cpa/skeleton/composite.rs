//! The composition of location, call stack, specification automata and any analysis of values [Lemberger 2018, 2.6.3].
//!
//! Locations, call stacks and automata are the skeleton of every composition: states cover or merge only if all three are equal, and
//! targets are locations. On top of it runs one analysis of values, or several side by side: [`Parts`](crate::domains::Parts) is itself
//! an analysis. So compositions can be chosen at run time, and a frequent one can be instantiated statically.

use crate::cpa::precision::{Refinable, Tracked};
use crate::cpa::skeleton::automaton::AutomatonCpa;
use crate::cpa::skeleton::callstack::{CallStack, StackId};
use crate::cpa::skeleton::location;
use crate::cpa::{Action, Beyond, Cpa, Cx, Index, Located, Position, Progress, Rows, Step, Successors, by_transfer};
use crate::evidence::outcome::InputVector;
use crate::program::{Halt, Program};
use cfa::{LocId, SymId, Term, VarId};
use checker::Label;

/// A state of the composition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State<S> {
    /// Where control is.
    pub at: Position,
    /// The state of the analysis of values.
    pub values: S,
    target: bool,
}

/// The composition.
pub struct Composite<P: Cpa> {
    /// The analysis of values.
    pub parts: P,
    stacks: CallStack,
    /// The specification automata; `None` for analyses that follow no execution.
    automata: Option<AutomatonCpa>,
    /// A buffer for states of `parts` that are to be returned.
    buffer: Vec<P::State>,
}

impl<P: Cpa> Composite<P> {
    /// Composes `parts` with locations, automata and a call stack of at most `max_depth` frames.
    pub fn new(parts: P, max_depth: u32) -> Composite<P> {
        let automata = Some(AutomatonCpa::default());
        Composite { parts, stacks: CallStack::new(max_depth), automata, buffer: Vec::new() }
    }

    /// Composes `parts` with locations and a call stack only: for analyses of the graph, forward or backward. They follow no execution,
    /// so automata have no state in them.
    pub fn of_locations(parts: P, max_depth: u32) -> Composite<P> {
        Composite { parts, stacks: CallStack::new(max_depth), automata: None, buffer: Vec::new() }
    }

    /// Where `step` leads; `None` if the automata exclude it.
    fn position(&mut self, program: &Program, from: Position, step: &Step<'_>) -> Result<Option<Position>, Halt> {
        let stack = match step.action {
            Action::Op(_) => from.stack,
            Action::Enter(_, return_to) => self.stacks.push(from.stack, return_to)?,
            Action::Leave => self.stacks.frame(from.stack).map_or(StackId::EMPTY, |(_, below)| below),
        };
        let automata = match &mut self.automata {
            Some(cpa) => cpa.transfer(&program.base, from.automata, step.action),
            None => Some(from.automata),
        };
        Ok(automata.map(|automata| Position { loc: step.to, stack, automata }))
    }
}

impl<P: Cpa> Cpa for Composite<P> {
    type State = State<P::State>;
    type Precision = P::Precision;
    type Key = Position;

    fn initial(&mut self, cx: &mut Cx<'_>, at: LocId) -> Self::State {
        let values = self.parts.initial(cx, at);
        let target = cx.program.is_target(at);
        let automata = self.automata.as_mut().map_or_else(Default::default, |cpa| cpa.initial(cx));
        let at = Position { loc: at, stack: StackId::EMPTY, automata };
        State { at, values, target }
    }

    fn full_precision(&self) -> P::Precision {
        self.parts.full_precision()
    }

    fn transfer(
        &mut self,
        cx: &mut Cx<'_>,
        s: &Self::State,
        step: Step<'_>,
        pi: &P::Precision,
        out: &mut Vec<Self::State>,
    ) -> Result<(), Halt> {
        let Some(at) = self.position(cx.program, s.at, &step)? else { return Ok(()) };
        self.buffer.clear();
        self.parts.transfer(cx, &s.values, step, pi, &mut self.buffer)?;
        let target = cx.program.is_target(step.to);
        let adjusts = self.parts.adjusts(cx.program, &step);
        for values in self.buffer.drain(..) {
            let adjusted = if adjusts { self.parts.prec(cx, values, &step, pi, &[])? } else { Some(values) };
            out.extend(adjusted.map(|values| State { at, values, target }));
        }
        Ok(())
    }

    fn advance(
        &mut self,
        cx: &mut Cx<'_>,
        s: &mut Self::State,
        step: Step<'_>,
        pi: &P::Precision,
        out: &mut Vec<Self::State>,
    ) -> Result<Successors, Halt> {
        if self.parts.adjusts(cx.program, &step) {
            return by_transfer(self, cx, s, step, pi, out);
        }
        let Some(at) = self.position(cx.program, s.at, &step)? else { return Ok(Successors::None) };
        let target = cx.program.is_target(step.to);
        self.buffer.clear();
        let mut successors = self.parts.advance(cx, &mut s.values, step, pi, &mut self.buffer)?;
        match &mut successors {
            Successors::None => {}
            Successors::One { new_facts } => {
                *new_facts |= self.automata.as_ref().is_some_and(|cpa| cpa.learns(s.at.automata, at.automata));
                (s.at, s.target) = (at, target);
            }
            Successors::Several => out.extend(self.buffer.drain(..).map(|values| State { at, values, target })),
        }
        Ok(successors)
    }

    fn excludes(&self, cx: &Cx<'_>, s: &Self::State, step: &Step<'_>) -> bool {
        self.parts.excludes(cx, &s.values, step)
    }

    fn covered(&mut self, cx: &mut Cx<'_>, s: &Self::State, by: &Self::State) -> Result<bool, Halt> {
        debug_assert_eq!(s.at, by.at);
        self.parts.covered(cx, &s.values, &by.values)
    }

    fn beyond(&mut self, cx: &mut Cx<'_>, s: &Self::State, by: &Self::State) -> Result<Beyond<Self::State>, Halt> {
        Ok(match self.parts.beyond(cx, &s.values, &by.values)? {
            Beyond::Nothing => Beyond::Nothing,
            Beyond::Part(values) => Beyond::Part(State { values, ..s.clone() }),
            Beyond::All => Beyond::All,
        })
    }

    fn merge(
        &mut self,
        cx: &mut Cx<'_>,
        new: &Self::State,
        old: &Self::State,
        pi: &P::Precision,
    ) -> Result<Option<Self::State>, Halt> {
        let merged = self.parts.merge(cx, &new.values, &old.values, pi)?;
        Ok(merged.map(|values| State { values, ..old.clone() }))
    }

    fn merges(&self) -> bool {
        self.parts.merges()
    }

    fn merges_before_expansion(&self) -> bool {
        self.parts.merges_before_expansion()
    }

    fn progress(&self, s: &Self::State) -> Progress {
        self.parts.progress(&s.values)
    }

    fn in_layers(&self) -> bool {
        self.parts.in_layers()
    }

    fn before(
        &mut self,
        cx: &mut Cx<'_>,
        s: &Self::State,
        step: &Step<'_>,
        after: &Self::State,
    ) -> Result<Option<Self::State>, Halt> {
        let values = self.parts.before(cx, &s.values, step, &after.values)?;
        Ok(values.map(|values| State { values, ..s.clone() }))
    }

    fn common(&mut self, cx: &mut Cx<'_>, a: &Self::State, b: &Self::State) -> Result<Option<Self::State>, Halt> {
        let values = self.parts.common(cx, &a.values, &b.values)?;
        Ok(values.map(|values| State { values, ..a.clone() }))
    }

    fn key(&self, s: &Self::State) -> Position {
        s.at
    }

    fn is_target(&self, s: &Self::State) -> bool {
        s.target || self.parts.is_target(&s.values)
    }

    fn index(&self, s: &Self::State) -> Option<Index> {
        self.parts.index(&s.values)
    }

    fn fingerprint_as(&self, s: &Self::State, pattern: &Self::State) -> Option<u64> {
        self.parts.fingerprint_as(&s.values, &pattern.values)
    }

    fn rows(&mut self, cx: &mut Cx<'_>, s: &Self::State) -> Option<Rows> {
        // A row says nothing of automata.
        if cx.program.cfa.automata.is_empty() { self.parts.rows(cx, &s.values) } else { None }
    }

    fn splits(&self, program: &Program) -> Vec<(VarId, Vec<i64>)> {
        self.parts.splits(program)
    }

    fn label(&mut self, cx: &mut Cx<'_>, s: &Self::State) -> Label {
        let mut label = self.parts.label(cx, &s.values);
        if let Some(cpa) = &self.automata {
            cpa.label(cx, s.at.automata, &mut label);
        }
        label
    }

    fn witness(&mut self, cx: &mut Cx<'_>, s: &Self::State, by: &Self::State) -> Vec<(SymId, Term)> {
        self.parts.witness(cx, &s.values, &by.values)
    }

    fn before_merge(&self, merged: &Self::State) -> Vec<(SymId, Term)> {
        self.parts.before_merge(&merged.values)
    }

    fn stated_witness(
        &mut self,
        cx: &mut Cx<'_>,
        s: &Self::State,
        by: &Self::State,
        witness: Vec<(SymId, Term)>,
    ) -> Vec<(SymId, Term)> {
        self.parts.stated_witness(cx, &s.values, &by.values, witness)
    }

    fn case(&self, s: &Self::State) -> Vec<Term> {
        self.parts.case(&s.values)
    }

    fn candidate(&self, cx: &Cx<'_>, s: &Self::State) -> Option<InputVector> {
        self.parts.candidate(cx, &s.values)
    }

    fn states_new_facts(&self, step: &Step<'_>, before: &Self::State, after: &Self::State) -> bool {
        self.automata.as_ref().is_some_and(|cpa| cpa.learns(before.at.automata, after.at.automata))
            || self.parts.states_new_facts(step, &before.values, &after.values)
    }

    fn needs_no_label(&self, s: &Self::State) -> bool {
        self.parts.needs_no_label(&s.values)
    }
}

impl<P: Refinable> Refinable for Composite<P> {
    fn precisions(&self, tracked: &Tracked) -> Vec<P::Precision> {
        self.parts.precisions(tracked)
    }

    fn join(&self, a: &P::Precision, b: &P::Precision) -> P::Precision {
        self.parts.join(a, b)
    }

    fn asks_more(&self, pi: &P::Precision, before: &P::Precision, program: &Program, step: &Step<'_>) -> bool {
        self.parts.asks_more(pi, before, program, step)
    }
}

impl<P: Cpa> Located for Composite<P> {
    fn steps<'p>(&self, program: &'p Program, s: &Self::State, out: &mut Vec<Step<'p>>) {
        location::steps(program, s.at.loc, s.at.stack, &self.stacks, out);
    }

    fn frame(&self, stack: StackId) -> Option<(LocId, StackId)> {
        self.stacks.frame(stack)
    }

    fn depth(&self, stack: StackId) -> u32 {
        self.stacks.depth(stack)
    }

    fn deepen(&mut self) -> bool {
        self.stacks.deepen()
    }
}
