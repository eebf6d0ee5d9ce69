//! Several value analyses side by side, chosen at run time [Lemberger 2018, 2.6.3].
//!
//! The composition takes each step in all parts at once: a step that one part excludes is not taken, and a state is covered if it is
//! covered in each part. After each step the parts exchange what they know about the variables involved (the strengthening operator).
//! Merge-agree: states merge only if the merged component of each part is above both of its components (Lemberger 2018, 2.6.3 writes
//! "below").

use crate::cpa::precision::Precision;
use crate::cpa::{Action, Cpa, Cx, Index, Step};
use crate::domains::{intervals, symbolic, value};
use crate::program::Halt;
use cfa::term::{Kind, Leaf};
use cfa::{LocId, Op, SymId, Term, VarId};
use checker::Label;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

/// An analysis that can be a part of the composition.
pub enum Part {
    /// Explicit values.
    Value(Box<value::ValueCpa>),
    /// Symbolic values and constraints.
    Symbolic(Box<symbolic::SymbolicCpa>),
    /// Sets of intervals, known bits and definitions.
    Invariants(Box<intervals::InvariantsCpa>),
}

/// The kind of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum PartKind {
    /// Explicit values.
    Value,
    /// Symbolic values and constraints.
    Symbolic,
    /// Sets of intervals, known bits and definitions.
    Invariants,
}

impl PartKind {
    /// All kinds of parts, by the names used in configurations.
    pub const ALL: [(&'static str, PartKind); 3] =
        [("value", PartKind::Value), ("symbolic", PartKind::Symbolic), ("invariants", PartKind::Invariants)];

    /// The name used in configurations.
    pub fn name(self) -> &'static str {
        PartKind::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    /// Whether its states have a join; without one, it merges by merge-sep.
    pub fn joins(self) -> bool {
        match self {
            PartKind::Value | PartKind::Invariants => true,
            PartKind::Symbolic => false,
        }
    }
}

/// A merge operator of a composition [Lemberger 2018, 2.6.2, 2.6.3].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Merge {
    /// States are never merged.
    Sep,
    /// States are joined where paths meet. Requires that all parts can join.
    Join,
    /// Like `Join`, but only if the parts that cannot join already cover the new state.
    Agree,
}

impl Merge {
    /// All operators, by the names used in configurations.
    pub const ALL: [(&'static str, Merge); 3] = [("sep", Merge::Sep), ("join", Merge::Join), ("agree", Merge::Agree)];

    /// The name used in configurations.
    pub fn name(self) -> &'static str {
        Merge::ALL.iter().find(|(_, merge)| *merge == self).map_or("", |(name, _)| name)
    }
}

/// A state of a part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PartState {
    /// Explicit values.
    Value(value::State),
    /// Symbolic values and constraints.
    Symbolic(symbolic::State),
    /// Sets of intervals, known bits and definitions.
    Invariants(intervals::State),
}

/// The composition of one or more parts. They share one precision, that of the first part.
pub struct Parts {
    parts: Vec<Part>,
    merge: Merge,
}

/// One state for each part.
pub type States = SmallVec<[PartState; 1]>;

/// Calls an analysis on its own component states.
macro_rules! each {
    ($part:expr, [$($state:expr),*], |$cpa:ident, $($s:ident),*| $body:expr) => {
        match ($part, $($state),*) {
            (Part::Value($cpa), $(PartState::Value($s)),*) => $body,
            (Part::Symbolic($cpa), $(PartState::Symbolic($s)),*) => $body,
            (Part::Invariants($cpa), $(PartState::Invariants($s)),*) => $body,
            _ => unreachable!("the states of a composition are in the order of its parts"),
        }
    };
}

impl Parts {
    /// The composition of `parts`. Under [`Merge::Join`] and [`Merge::Agree`], the parts that can merge have to be set up to do so
    /// (`ValueCpa::merging`).
    pub fn new(parts: Vec<Part>, merge: Merge) -> Parts {
        Parts { parts, merge }
    }

    /// The strengthening operator: tells each part what the others know about the variables that `op` writes or tests.
    fn strengthen(&mut self, cx: &mut Cx<'_>, op: &Op, states: &mut States) {
        if self.parts.len() < 2 {
            return;
        }
        let vars: Vec<VarId> = match op {
            Op::Assume { cond, .. } => cx.program.base.vars(*cond),
            _ => op.written(),
        };
        for v in vars {
            let mut known = self.parts.iter().zip(states.iter());
            let constant = known.find_map(|(part, s)| each!(part, [s], |cpa, s| cpa.constant(cx, s, v)));
            let Some(t) = constant else { continue };
            for (part, state) in self.parts.iter_mut().zip(states.iter_mut()) {
                if each!(&*part, [&*state], |cpa, s| cpa.constant(cx, s, v)).is_none() {
                    each!(part, [state], |cpa, s| *s = cpa.with_constant(cx, s, v, t));
                }
            }
        }
    }
}

fn combine(a: u64, b: u64) -> u64 {
    (a.rotate_left(5) ^ b).wrapping_mul(0x517c_c1b7_2722_0a95)
}

impl Cpa for Parts {
    type State = States;
    type Precision = Precision;
    type Key = ();

    fn initial(&mut self, cx: &mut Cx<'_>, at: LocId) -> (States, Precision) {
        let mut first = None;
        let states = self.parts.iter_mut().map(|part| {
            let (state, pi) = match part {
                Part::Value(cpa) => {
                    let (s, pi) = cpa.initial(cx, at);
                    (PartState::Value(s), pi)
                }
                Part::Symbolic(cpa) => {
                    let (s, pi) = cpa.initial(cx, at);
                    (PartState::Symbolic(s), pi)
                }
                Part::Invariants(cpa) => {
                    let (s, pi) = cpa.initial(cx, at);
                    (PartState::Invariants(s), pi)
                }
            };
            first.get_or_insert(pi);
            state
        });
        (states.collect(), first.unwrap_or(Precision::Everything))
    }

    fn transfer(
        &mut self,
        cx: &mut Cx<'_>,
        s: &States,
        step: Step<'_>,
        pi: &Precision,
        out: &mut Vec<States>,
    ) -> Result<(), Halt> {
        // All combinations of the successors of the parts; most parts have exactly one.
        let mut all: Vec<States> = vec![smallvec![]];
        for (part, s) in self.parts.iter_mut().zip(s) {
            let mut successors: Vec<PartState> = Vec::new();
            match (part, s) {
                (Part::Value(cpa), PartState::Value(s)) => {
                    let mut found = Vec::new();
                    cpa.transfer(cx, s, step, pi, &mut found)?;
                    successors.extend(found.into_iter().map(PartState::Value));
                }
                (Part::Symbolic(cpa), PartState::Symbolic(s)) => {
                    let mut found = Vec::new();
                    cpa.transfer(cx, s, step, pi, &mut found)?;
                    successors.extend(found.into_iter().map(PartState::Symbolic));
                }
                (Part::Invariants(cpa), PartState::Invariants(s)) => {
                    let mut found = Vec::new();
                    cpa.transfer(cx, s, step, pi, &mut found)?;
                    successors.extend(found.into_iter().map(PartState::Invariants));
                }
                _ => unreachable!("the states of a composition are in the order of its parts"),
            }
            let mut combined = Vec::with_capacity(all.len() * successors.len());
            for before in &all {
                combined.extend(successors.iter().map(|s| {
                    let mut states = before.clone();
                    states.push(s.clone());
                    states
                }));
            }
            all = combined;
        }
        if let Action::Op(op) = step.action {
            for states in &mut all {
                self.strengthen(cx, op, states);
            }
        }
        out.extend(all);
        Ok(())
    }

    fn covered(&mut self, cx: &mut Cx<'_>, s: &States, by: &States) -> Result<bool, Halt> {
        for (part, (s, by)) in self.parts.iter_mut().zip(s.iter().zip(by)) {
            if !each!(part, [s, by], |cpa, s, by| cpa.covered(cx, s, by))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn merge(&mut self, cx: &mut Cx<'_>, new: &States, old: &States, pi: &Precision) -> Result<Option<States>, Halt> {
        let (mut merged, mut changed) = (States::with_capacity(old.len()), false);
        for (part, (new, old)) in self.parts.iter_mut().zip(new.iter().zip(old)) {
            let weaker = match (part, new, old) {
                (Part::Value(cpa), PartState::Value(new), PartState::Value(old)) => {
                    cpa.merge(cx, new, old, pi)?.map(PartState::Value)
                }
                (Part::Symbolic(cpa), PartState::Symbolic(new), PartState::Symbolic(old)) => {
                    cpa.merge(cx, new, old, pi)?.map(PartState::Symbolic)
                }
                (Part::Invariants(cpa), PartState::Invariants(new), PartState::Invariants(old)) => {
                    cpa.merge(cx, new, old, pi)?.map(PartState::Invariants)
                }
                _ => unreachable!("the states of a composition are in the order of its parts"),
            };
            changed |= weaker.is_some();
            merged.push(weaker.unwrap_or_else(|| old.clone()));
        }
        // Every merge operator guarantees that the merged state is above the old one. That it is above the new one has to be checked: a
        // part may keep states apart although it could join them.
        if !changed || !self.covered(cx, new, &merged)? {
            return Ok(None);
        }
        Ok(Some(merged))
    }

    fn merges(&self) -> bool {
        self.merge != Merge::Sep
    }

    fn key(&self, _s: &States) {}

    fn index(&self, s: &States) -> Option<Index> {
        let mut index = Index { shape: 0, fingerprint: 0 };
        for (part, s) in self.parts.iter().zip(s) {
            let i = each!(part, [s], |cpa, s| cpa.index(s))?;
            index.shape = combine(index.shape, i.shape);
            index.fingerprint = combine(index.fingerprint, i.fingerprint);
        }
        Some(index)
    }

    fn fingerprint_as(&self, s: &States, pattern: &States) -> Option<u64> {
        let mut fingerprint = 0;
        for (part, (s, p)) in self.parts.iter().zip(s.iter().zip(pattern)) {
            fingerprint = combine(fingerprint, each!(part, [s, p], |cpa, s, p| cpa.fingerprint_as(s, p))?);
        }
        Some(fingerprint)
    }

    /// The conjunction of the parts' labels.
    fn label(&mut self, cx: &mut Cx<'_>, s: &States) -> Label {
        let mut whole = Label::default();
        // Only the symbols of symbolic execution represent values that several variables may share; each symbol of another part
        // represents one variable. If a term for that variable is known already, it replaces such a symbol, since nothing later says what
        // the symbol represents.
        let (first, last): (Vec<_>, Vec<_>) =
            self.parts.iter_mut().zip(s).partition(|(part, _)| matches!(part, Part::Symbolic(_)));
        for (part, s) in first.into_iter().chain(last) {
            let gives_way = !matches!(part, Part::Symbolic(_));
            let mut names: FxHashMap<SymId, Term> = FxHashMap::default();
            let label = each!(part, [s], |cpa, s| cpa.label(cx, s));
            let Label { env, below, constraints } = &mut whole;
            below.resize_with(label.below.len().max(below.len()), Default::default);
            let frames = label.below.into_iter().zip(below);
            let maps = [(label.env.globals, &mut env.globals), (label.env.locals, &mut env.locals)];
            for (said, known) in maps.into_iter().chain(frames) {
                for (v, t) in said {
                    match (known.get(&v), cx.terms.kind(t)) {
                        (None, _) => {
                            known.insert(v, t);
                        }
                        (Some(other), Kind::Sym(symbol)) if gives_way => {
                            names.insert(symbol, *other);
                        }
                        (Some(other), _) => {
                            let same = cx.terms.eq(*other, t);
                            if cx.terms.as_bool(same) != Some(true) {
                                constraints.push(same);
                            }
                        }
                    }
                }
            }
            let mut done = FxHashMap::default();
            constraints.extend(label.constraints.into_iter().map(|t| {
                cx.terms.substitute(t, &mut done, &mut |_, leaf| match leaf {
                    Leaf::Sym(symbol) => names.get(&symbol).copied(),
                    Leaf::Var(_) | Leaf::Addr(_) => None,
                })
            }));
        }
        whole
    }

    fn witness(&mut self, cx: &mut Cx<'_>, s: &States, by: &States) -> Vec<(SymId, Term)> {
        let mut all = Vec::new();
        for (part, (s, by)) in self.parts.iter_mut().zip(s.iter().zip(by)) {
            all.extend(each!(part, [s, by], |cpa, s, by| cpa.witness(cx, s, by)));
        }
        all
    }

    fn states_news(&self, step: &Step<'_>, before: &States, after: &States) -> bool {
        let states = before.iter().zip(after);
        self.parts.iter().zip(states).any(|(part, (b, a))| each!(part, [b, a], |cpa, b, a| cpa.states_news(step, b, a)))
    }
}
