//! Several value analyses side by side, chosen at run time [Lemberger 2018, 2.6.3].
//!
//! The composition takes each step in all parts at once: a step that one part excludes is not taken, and a state is covered if it is
//! covered in each part. After each step the parts ask each other what they know about the variables involved (the strengthening
//! operator), and where one part does not cover a state, what it would have to know may be known to the others (the compare relation).
//! Merge-agree: states merge only if the merged component of each part is above both of its components ([Lemberger 2018,
//! 2.6.3] writes "below").
//!
//! # Adding a part
//!
//! An analysis becomes a part by one line in `parts!` and an implementation of [`Part`]; names, kinds, states, precisions, the
//! composition, and its default settings follow from these.

mod labels;

use crate::cpa::precision::Refinable;
use crate::cpa::{Action, Beyond, Cpa, Cx, Index, Progress, Step};
use crate::domains::intervals::Bounds;
use crate::domains::predicate::Abstracts;
use crate::domains::{bdd, intervals, predicate, signs, symbolic, value};
use crate::program::domain_types::DomainType;
use crate::program::{Halt, Program};
use cfa::{LocId, Op, SymId, Term, VarId};
use checker::Label;
use labels::add_label;
use std::rc::Rc;

/// An analysis that can be a part of compositions.
pub trait Part: Refinable<Key = ()> + Abstracts + Sized + 'static {
    /// Whether its states have a join; without one, it merges by merge-sep.
    const JOINS: bool;

    /// Whether states are joined by default if it is the only part.
    const JOINS_ALONE: bool;

    /// What is said to be too imprecise where a target is reached along infeasible paths only, and states are not merged.
    const IMPRECISE: &'static str;

    /// The same if states are merged.
    const IMPRECISE_MERGED: &'static str = "merged states are too imprecise";

    /// Whether a symbol in its labels may be the value of several variables. Otherwise each symbol represents one variable. Side by side,
    /// one part at most may share symbols; others equate the symbols of variables by constraints.
    const SHARES_SYMBOLS: bool = false;

    /// The analysis of `program`. An analysis that can join states does so if `settings.merges` is set; then [`Cpa::merges`] returns true.
    fn with_settings(program: &Program, settings: &Settings) -> Self;

    /// Whether [`Cpa::beyond`] may return a part of a state, so that several states can cover one.
    const SUBTRACTS: bool = false;

    /// Whether `pi` tracks the value of `v`.
    fn tracks(pi: &Self::Precision, v: VarId) -> bool;

    /// A query of the other parts: the value of `v` in `s` as a constant term, if it is known.
    fn constant(&self, cx: &mut Cx<'_>, s: &Self::State, v: VarId) -> Option<Term>;

    /// `s` with the constant `t`, which another part knows, as the value of `v`.
    fn with_constant(&mut self, cx: &mut Cx<'_>, s: &Self::State, v: VarId, t: Term) -> Self::State;

    /// What `s` says, as conditions (Bool terms over program variables): all that `s` represents satisfies them, and a valuation that
    /// satisfies all of them is represented by `s`. `None` if it cannot be said so.
    fn conditions(&self, _cx: &mut Cx<'_>, _s: &Self::State) -> Option<Vec<Term>> {
        None
    }

    /// Whether the analysis uses what other parts know: [`Cpa::prec`] at the end of a step, [`informed`](Part::informed) after a merge.
    const LISTENS: bool = false;

    /// `s`, one of its own states whose other parts were weakened by a merge: now the conditions `known` hold in it, and what the other
    /// parts said before may not.
    fn informed(&mut self, _cx: &mut Cx<'_>, s: Self::State, _known: &[Term]) -> Self::State {
        s
    }

    /// A query of the other parts: whether `cond` holds in all that `s` represents. `false` is always sound.
    fn implies(&self, _cx: &mut Cx<'_>, _s: &Self::State, _cond: Term) -> bool {
        false
    }
}

/// Settings of the parts of a composition.
#[derive(Clone, Default)]
pub struct Settings {
    /// Whether parts that can join states do so.
    pub merges: bool,
    /// For symbolic execution, whether states with the same constants are merged.
    pub merges_states: bool,
    /// For symbolic execution, the time limits of solver queries.
    pub questions: symbolic::Limits,
    /// For symbolic execution, when states cover others.
    pub cover: symbolic::Cover,
    /// For intervals that are joined, the bounds to which values grow.
    pub bounds: Rc<Bounds>,
    /// For intervals, what else is tracked.
    pub additions: intervals::Additions,
    /// For intervals that are joined, what keeps states apart.
    pub interesting: intervals::Interesting,
    /// For predicate abstraction.
    pub predicates: predicate::Options,
    /// For decision diagrams.
    pub bdd: bdd::Options,
    /// For explicit values: variables of this domain type and of smaller ones are left to decision diagrams beside them.
    pub left_out: Option<DomainType>,
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

/// An action that depends on the type of an analysis, which is chosen at run time.
pub trait WithPart {
    /// The result.
    type Output;

    /// Executes the action for the analysis `C`.
    fn with<C: Part>(self) -> Self::Output;
}

/// Declares the parts: for each, the name in configurations, the kind, and the analysis. In steps, those that come first are asked first;
/// refinement asks the first ones first to track more. So cheap analyses come first.
///
/// The first argument is a dollar sign; with it, the generated macro `for_each_part!` can have a parameter.
macro_rules! parts {
    ($dollar:tt $($(#[$doc:meta])* $name:ident: $kind:ident($cpa:ty),)*) => {
        /// The kind of a part.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        pub enum PartKind {
            $($(#[$doc])* $kind,)*
        }

        impl PartKind {
            /// All kinds of parts, by the names used in configurations.
            pub const ALL: &'static [(&'static str, PartKind)] = &[$((stringify!($name), PartKind::$kind),)*];

            /// The name used in configurations.
            pub fn name(self) -> &'static str {
                match self {
                    $(PartKind::$kind => stringify!($name),)*
                }
            }

            /// Whether its states have a join; without one, it merges by merge-sep.
            pub fn joins(self) -> bool {
                match self {
                    $(PartKind::$kind => <$cpa as Part>::JOINS,)*
                }
            }

            /// Whether states are joined by default if it is the only part.
            pub fn joins_alone(self) -> bool {
                match self {
                    $(PartKind::$kind => <$cpa as Part>::JOINS_ALONE,)*
                }
            }

            /// What is said to be too imprecise where a target is reached along infeasible paths only.
            pub fn imprecise(self, merged: bool) -> &'static str {
                match self {
                    $(PartKind::$kind if merged => <$cpa as Part>::IMPRECISE_MERGED,)*
                    $(PartKind::$kind => <$cpa as Part>::IMPRECISE,)*
                }
            }

            /// Whether several of its states can cover one.
            pub fn subtracts(self) -> bool {
                match self {
                    $(PartKind::$kind => <$cpa as Part>::SUBTRACTS,)*
                }
            }

            /// Executes `what` for the analysis of this kind.
            pub fn with<W: WithPart>(self, what: W) -> W::Output {
                match self {
                    $(PartKind::$kind => what.with::<$cpa>(),)*
                }
            }
        }

        /// The analyses of a composition.
        #[derive(Default)]
        pub struct Analyses {
            $($(#[$doc])* pub $name: Option<Box<$cpa>>,)*
        }

        /// One state for each part.
        #[derive(Clone, PartialEq, Eq, Debug, Default)]
        pub struct States {
            $($(#[$doc])* pub $name: Option<<$cpa as Cpa>::State>,)*
        }

        /// One precision for each part.
        #[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
        pub struct Precisions {
            $($(#[$doc])* pub $name: Option<<$cpa as Cpa>::Precision>,)*
        }

        /// Calls the macro `step` for each part, with the name of its field and its kind. The caller has to define `step`.
        macro_rules! for_each_part {
            ($dollar step:ident) => {
                $($dollar step!($name, $kind);)*
            };
        }
    };
}

parts! { $
    /// Explicit values.
    value: Value(value::ValueCpa),
    /// Sets of signs.
    signs: Signs(signs::SignsCpa),
    /// Sets of intervals, known bits and definitions.
    invariants: Invariants(intervals::InvariantsCpa),
    /// Symbolic values and constraints.
    symbolic: Symbolic(symbolic::SymbolicCpa),
    /// Decision diagrams over the bits of variables.
    bdd: Bdd(bdd::BddCpa),
    /// Predicates.
    predicate: Predicate(predicate::PredicateCpa),
}

// After the macro that it uses.
mod refinement;

impl Analyses {
    /// The analyses of `program` of these kinds.
    pub fn new(program: &Program, kinds: &[PartKind], settings: &Settings) -> Analyses {
        let mut all = Analyses::default();
        macro_rules! make {
            ($part:ident, $kind:ident) => {
                if kinds.contains(&PartKind::$kind) {
                    all.$part = Some(Box::new(Part::with_settings(program, settings)));
                }
            };
        }
        for_each_part!(make);
        all
    }
}

/// The composition of one or more parts.
pub struct Parts {
    analyses: Analyses,
    merge: Merge,
}

impl Parts {
    /// The composition of `analyses`. Under [`Merge::Join`] and [`Merge::Agree`], those that can merge have to be set up to do so.
    pub fn new(analyses: Analyses, merge: Merge) -> Parts {
        Parts { analyses, merge }
    }

    /// The strengthening operator: tells each part what the others know about the variables that `op` writes or tests, as far as it
    /// tracks them.
    fn strengthen(&mut self, cx: &mut Cx<'_>, op: &Op, states: &mut States, pi: &Precisions) {
        let vars: Vec<VarId> = match op {
            Op::Assume { cond, .. } => cx.program.base.vars(*cond),
            _ => op.written(),
        };
        for v in vars {
            let mut known: Option<Term> = None;
            macro_rules! ask {
                ($part:ident, $kind:ident) => {
                    if let (None, Some(cpa), Some(s)) = (known, &self.analyses.$part, &states.$part) {
                        known = cpa.constant(cx, s, v);
                    }
                };
            }
            for_each_part!(ask);
            let Some(t) = known else { continue };
            macro_rules! tell {
                ($part:ident, $kind:ident) => {
                    if let (Some(cpa), Some(s), Some(pi)) = (&mut self.analyses.$part, &mut states.$part, &pi.$part)
                        && tracks(&**cpa, pi, v)
                        && cpa.constant(cx, s, v).is_none()
                    {
                        *s = cpa.with_constant(cx, s, v, t);
                    }
                };
            }
            for_each_part!(tell);
        }
    }
}

impl Parts {
    /// The compare relation [Lemberger 2018, 2.6.3]: whether each of `conditions`, which are what a state of one part says, holds by what
    /// some part knows in `s`.
    fn imply(&self, cx: &mut Cx<'_>, s: &States, conditions: &[Term]) -> bool {
        conditions.iter().all(|&cond| {
            let mut implied = false;
            macro_rules! ask {
                ($part:ident, $kind:ident) => {
                    if let (false, Some(cpa), Some(s)) = (implied, &self.analyses.$part, &s.$part) {
                        implied = cpa.implies(cx, s, cond);
                    }
                };
            }
            for_each_part!(ask);
            implied
        })
    }
}

impl Parts {
    /// What the parts that do not listen to others know in `s`: conditions over program variables.
    fn known(&self, cx: &mut Cx<'_>, s: &States) -> Vec<Term> {
        let mut all = Vec::new();
        macro_rules! ask {
            ($part:ident, $kind:ident) => {
                if let (Some(cpa), Some(s)) = (&self.analyses.$part, &s.$part)
                    && !listens(&**cpa)
                {
                    all.extend(cpa.conditions(cx, s).into_iter().flatten());
                }
            };
        }
        for_each_part!(ask);
        all.retain(|t| cx.terms.as_bool(*t) != Some(true));
        all
    }

    /// Tells the parts that listen what the others know in `s` after a merge.
    fn inform(&mut self, cx: &mut Cx<'_>, s: &mut States) {
        macro_rules! tell {
            ($part:ident, $kind:ident) => {
                if self.analyses.$part.as_deref().is_some_and(listens) {
                    let known = self.known(cx, s);
                    if let (Some(cpa), Some(own)) = (&mut self.analyses.$part, s.$part.take()) {
                        s.$part = Some(cpa.informed(cx, own, &known));
                    }
                }
            };
        }
        for_each_part!(tell);
    }
}

fn combine(a: u64, b: u64) -> u64 {
    (a.rotate_left(5) ^ b).wrapping_mul(0x517c_c1b7_2722_0a95)
}

impl Cpa for Parts {
    type State = States;
    type Precision = Precisions;
    type Key = ();

    fn initial(&mut self, cx: &mut Cx<'_>, at: LocId) -> States {
        let mut states = States::default();
        macro_rules! start {
            ($part:ident, $kind:ident) => {
                states.$part = self.analyses.$part.as_mut().map(|cpa| cpa.initial(cx, at));
            };
        }
        for_each_part!(start);
        states
    }

    fn full_precision(&self) -> Precisions {
        let mut all = Precisions::default();
        macro_rules! full {
            ($part:ident, $kind:ident) => {
                all.$part = self.analyses.$part.as_ref().map(|cpa| cpa.full_precision());
            };
        }
        for_each_part!(full);
        all
    }

    fn transfer(
        &mut self,
        cx: &mut Cx<'_>,
        s: &States,
        step: Step<'_>,
        pi: &Precisions,
        out: &mut Vec<States>,
    ) -> Result<(), Halt> {
        // All combinations of the successors of the parts; most parts have exactly one.
        let mut all = vec![States::default()];
        macro_rules! take {
            ($part:ident, $kind:ident) => {
                if let (Some(cpa), Some(s), Some(pi)) = (&mut self.analyses.$part, &s.$part, &pi.$part) {
                    let mut successors = Vec::new();
                    cpa.transfer(cx, s, step, pi, &mut successors)?;
                    let with = |states: &States, s| States { $part: Some(s), ..states.clone() };
                    all = all.iter().flat_map(|states| successors.iter().map(|s| with(states, s.clone()))).collect();
                    if all.is_empty() {
                        return Ok(());
                    }
                }
            };
        }
        for_each_part!(take);
        if let Action::Op(op) = step.action {
            for states in &mut all {
                self.strengthen(cx, op, states, pi);
            }
        }
        out.extend(all);
        Ok(())
    }

    fn adjusts(&self, program: &Program, step: &Step<'_>) -> bool {
        let mut adjusts = false;
        macro_rules! ask {
            ($part:ident, $kind:ident) => {
                adjusts |= self.analyses.$part.as_ref().is_some_and(|cpa| cpa.adjusts(program, step));
            };
        }
        for_each_part!(ask);
        adjusts
    }

    fn prec(
        &mut self,
        cx: &mut Cx<'_>,
        mut s: States,
        step: &Step<'_>,
        pi: &Precisions,
        known: &[Term],
    ) -> Result<Option<States>, Halt> {
        let mut known = known.to_vec();
        known.extend(self.known(cx, &s));
        macro_rules! adjust {
            ($part:ident, $kind:ident) => {
                if let (Some(cpa), Some(pi)) = (&mut self.analyses.$part, &pi.$part)
                    && cpa.adjusts(cx.program, step)
                    && let Some(own) = s.$part.take()
                {
                    let Some(adjusted) = cpa.prec(cx, own, step, pi, &known)? else { return Ok(None) };
                    s.$part = Some(adjusted);
                }
            };
        }
        for_each_part!(adjust);
        Ok(Some(s))
    }

    fn covered(&mut self, cx: &mut Cx<'_>, s: &States, by: &States) -> Result<bool, Halt> {
        macro_rules! compare {
            ($part:ident, $kind:ident) => {
                if let (Some(cpa), Some(own), Some(by)) = (&mut self.analyses.$part, &s.$part, &by.$part)
                    && !cpa.covered(cx, own, by)?
                {
                    let conditions = cpa.conditions(cx, by);
                    if !conditions.is_some_and(|all| self.imply(cx, s, &all)) {
                        return Ok(false);
                    }
                }
            };
        }
        for_each_part!(compare);
        Ok(true)
    }

    fn beyond(&mut self, cx: &mut Cx<'_>, s: &States, by: &States) -> Result<Beyond<States>, Halt> {
        // What is beyond one part, where all others are covered.
        let mut beyond = Beyond::Nothing;
        macro_rules! subtract {
            ($part:ident, $kind:ident) => {
                if let (Some(cpa), Some(own), Some(by)) = (&mut self.analyses.$part, &s.$part, &by.$part) {
                    beyond = match (cpa.beyond(cx, own, by)?, beyond) {
                        (Beyond::Nothing, before) => before,
                        (Beyond::Part(rest), Beyond::Nothing) => {
                            Beyond::Part(States { $part: Some(rest), ..s.clone() })
                        }
                        _ => return Ok(Beyond::All),
                    };
                }
            };
        }
        for_each_part!(subtract);
        Ok(beyond)
    }

    fn merge(&mut self, cx: &mut Cx<'_>, new: &States, old: &States, pi: &Precisions) -> Result<Option<States>, Halt> {
        let (mut merged, mut changed) = (old.clone(), false);
        macro_rules! join {
            ($part:ident, $kind:ident) => {
                if let (Some(cpa), Some(new), Some(old), Some(pi)) =
                    (&mut self.analyses.$part, &new.$part, &old.$part, &pi.$part)
                    && let Some(weaker) = cpa.merge(cx, new, old, pi)?
                {
                    merged.$part = Some(weaker);
                    changed = true;
                }
            };
        }
        for_each_part!(join);
        // Every merge operator guarantees that the merged state is above the old one. That it is above the new one has to be checked: a
        // part may keep states apart although it could join them.
        if !changed || !self.covered(cx, new, &merged)? {
            return Ok(None);
        }
        self.inform(cx, &mut merged);
        Ok(Some(merged))
    }

    fn merges(&self) -> bool {
        self.merge != Merge::Sep
    }

    fn merges_before_expansion(&self) -> bool {
        let mut all = self.merges();
        macro_rules! ask {
            ($part:ident, $kind:ident) => {
                all &= self.analyses.$part.as_ref().is_none_or(|cpa| cpa.merges_before_expansion());
            };
        }
        for_each_part!(ask);
        all
    }

    fn progress(&self, s: &States) -> Progress {
        let mut most = Progress::default();
        macro_rules! ask {
            ($part:ident, $kind:ident) => {
                if let (Some(cpa), Some(s)) = (&self.analyses.$part, &s.$part) {
                    most = most.max(cpa.progress(s));
                }
            };
        }
        for_each_part!(ask);
        most
    }

    fn in_layers(&self) -> bool {
        let mut all = self.merges();
        macro_rules! ask {
            ($part:ident, $kind:ident) => {
                all &= self.analyses.$part.as_ref().is_none_or(|cpa| cpa.in_layers());
            };
        }
        for_each_part!(ask);
        all
    }

    fn before(&mut self, cx: &mut Cx<'_>, s: &States, step: &Step<'_>, after: &States) -> Result<Option<States>, Halt> {
        let mut before = s.clone();
        macro_rules! take {
            ($part:ident, $kind:ident) => {
                if let (Some(cpa), Some(s), Some(after)) = (&mut self.analyses.$part, &s.$part, &after.$part) {
                    let Some(own) = cpa.before(cx, s, step, after)? else { return Ok(None) };
                    before.$part = Some(own);
                }
            };
        }
        for_each_part!(take);
        Ok(Some(before))
    }

    fn common(&mut self, cx: &mut Cx<'_>, a: &States, b: &States) -> Result<Option<States>, Halt> {
        let mut common = a.clone();
        macro_rules! meet {
            ($part:ident, $kind:ident) => {
                if let (Some(cpa), Some(a), Some(b)) = (&mut self.analyses.$part, &a.$part, &b.$part) {
                    let Some(own) = cpa.common(cx, a, b)? else { return Ok(None) };
                    common.$part = Some(own);
                }
            };
        }
        for_each_part!(meet);
        Ok(Some(common))
    }

    fn key(&self, _s: &States) {}

    fn index(&self, s: &States) -> Option<Index> {
        let mut index = Index { shape: 0, fingerprint: 0 };
        macro_rules! add {
            ($part:ident, $kind:ident) => {
                if let (Some(cpa), Some(s)) = (&self.analyses.$part, &s.$part) {
                    let i = cpa.index(s)?;
                    index.shape = combine(index.shape, i.shape);
                    index.fingerprint = combine(index.fingerprint, i.fingerprint);
                }
            };
        }
        for_each_part!(add);
        Some(index)
    }

    fn fingerprint_as(&self, s: &States, pattern: &States) -> Option<u64> {
        let mut fingerprint = 0;
        macro_rules! add {
            ($part:ident, $kind:ident) => {
                if let (Some(cpa), Some(s), Some(p)) = (&self.analyses.$part, &s.$part, &pattern.$part) {
                    fingerprint = combine(fingerprint, cpa.fingerprint_as(s, p)?);
                }
            };
        }
        for_each_part!(add);
        Some(fingerprint)
    }

    /// The conjunction of the parts' labels.
    fn label(&mut self, cx: &mut Cx<'_>, s: &States) -> Label {
        let mut labels: Vec<(bool, Label)> = Vec::new();
        macro_rules! add {
            ($part:ident, $kind:ident) => {
                if let (Some(cpa), Some(s)) = (&mut self.analyses.$part, &s.$part) {
                    labels.push((shares_symbols(&**cpa), cpa.label(cx, s)));
                }
            };
        }
        for_each_part!(add);
        // A symbol that represents just one variable is replaced by the term that an earlier label has for this variable; otherwise,
        // nothing would say what the symbol represents. So the labels whose symbols may be shared come first.
        labels.sort_by_key(|(shares, _)| !shares);
        let mut whole = Label::default();
        for (shares, label) in labels {
            add_label(cx, &mut whole, label, !shares);
        }
        whole
    }

    fn witness(&mut self, cx: &mut Cx<'_>, s: &States, by: &States) -> Vec<(SymId, Term)> {
        let mut all = Vec::new();
        macro_rules! add {
            ($part:ident, $kind:ident) => {
                if let (Some(cpa), Some(s), Some(by)) = (&mut self.analyses.$part, &s.$part, &by.$part) {
                    all.extend(cpa.witness(cx, s, by));
                }
            };
        }
        for_each_part!(add);
        all
    }

    fn stated_witness(
        &mut self,
        cx: &mut Cx<'_>,
        s: &States,
        by: &States,
        witness: Vec<(SymId, Term)>,
    ) -> Vec<(SymId, Term)> {
        let mut stated = witness;
        macro_rules! state {
            ($part:ident, $kind:ident) => {
                if let (Some(cpa), Some(s), Some(by)) = (&mut self.analyses.$part, &s.$part, &by.$part) {
                    stated = cpa.stated_witness(cx, s, by, stated);
                }
            };
        }
        for_each_part!(state);
        stated
    }

    fn states_new_facts(&self, step: &Step<'_>, before: &States, after: &States) -> bool {
        let mut new_facts = false;
        macro_rules! ask {
            ($part:ident, $kind:ident) => {
                if let (Some(cpa), Some(before), Some(after)) = (&self.analyses.$part, &before.$part, &after.$part) {
                    new_facts |= cpa.states_new_facts(step, before, after);
                }
            };
        }
        for_each_part!(ask);
        new_facts
    }

    fn needs_no_label(&self, s: &States) -> bool {
        let mut no_label = false;
        macro_rules! ask {
            ($part:ident, $kind:ident) => {
                if let (Some(cpa), Some(s)) = (&self.analyses.$part, &s.$part) {
                    no_label |= cpa.needs_no_label(s);
                }
            };
        }
        for_each_part!(ask);
        no_label
    }
}

impl Abstracts for Parts {
    fn abstraction(&mut self) -> Option<&mut predicate::PredicateCpa> {
        self.analyses.predicate.as_deref_mut()
    }

    fn abstract_state(s: &States) -> Option<&predicate::State> {
        s.predicate.as_ref()
    }

    fn predicates(pi: &mut Precisions) -> Option<&mut predicate::Predicates> {
        pi.predicate.as_mut()
    }
}

fn shares_symbols<C: Part>(_: &C) -> bool {
    C::SHARES_SYMBOLS
}

fn listens<C: Part>(_: &C) -> bool {
    C::LISTENS
}

fn tracks<C: Part>(_: &C, pi: &C::Precision, v: VarId) -> bool {
    C::tracks(pi, v)
}
