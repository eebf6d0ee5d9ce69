//! Symbolic execution: symbolic values and constraints in one CPA [Lemberger 2015, 2; Lemberger 2018, 2.6.6].
//!
//! A state maps variables to terms over symbols, and has a set of constraints on the symbols. It represents all values of the variables
//! that result from values of the symbols that satisfy the constraints.
//!
//! * Transfer: evaluation over terms (`cfa::path`). A condition that the constraints imply adds no constraint; an impossible one has no
//!   successor.
//! * Merge-sep, or the disjunction of states with the same constants (`merge`); stop-sep by less-or-equal with renaming
//!   (`cover`).
//!
//! States are compared where paths meet. There, constraints on which no value depends any more are dropped; they are satisfiable by some
//! values of their symbols, so nothing is lost.
//!
//! Under a precision (`tracked`), variables that are not tracked have no value, and a condition becomes a constraint only if it is
//! tracked and mentions only known values.
//!
//! The analysis does not claim that every undecided branch is possible: if the solver gives up, the branch counts as possible.

mod bounds;
mod constants;
mod constraints;
mod cover;
mod merge;
mod split;
#[cfg(test)]
mod tests;
mod tracked;

use crate::cpa::dead_variables::DeadAfter;
use crate::cpa::precision::{Conditions, Precision, TracksVariables};
use crate::cpa::{Action, Cpa, Cx, Index, Progress, Step};
use crate::domains::predicate::Abstracts;
use crate::domains::product::{Part, Settings};
use crate::evidence::outcome::InputVector;
use crate::program::unsupported::unsupported_construct;
use crate::program::{Halt, Program};
use cfa::eval::Value;
use cfa::path::{Effect, Env};
use cfa::term::{Kind, Known, Leaf, Symbols};
use cfa::{EdgeId, InputKind, LocId, Op, SymId, Term, VarId};
use checker::Label;
use constants::{Constants, Places};
use constraints::{Decided, Decision};
use cover::{Alias, Cells, Unknown};
use imbl::{OrdMap, OrdSet, Vector};
use merge::Merges;
use rustc_hash::FxHashMap;
use smt::Model;
use split::{Splits, in_cases};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Symbolic values and constraints.
#[derive(Clone, Debug)]
pub struct State {
    env: Env,
    callers: Option<Rc<Caller>>,
    constraints: OrdSet<Term>,
    /// What the constraints say about addresses. (Found from them, not a part of the state.)
    known: Known,
    /// Values of the symbols that satisfy the constraints, if some are known. (A cached witness, not a part of the state.)
    model: Option<Rc<RefCell<Model>>>,
    /// The variables with constant values or offsets; computed only where paths meet.
    constants: Option<Rc<Constants>>,
    /// The states that were merged into this one, the oldest first; none if it is just itself.
    parts: Vector<merge::Part>,
    /// If it was made by a merge: the values that its symbols have in the older of the two states, unless they stand for themselves. (Used for
    /// certificates, not a part of the state.)
    in_old: Rc<[(SymId, Term)]>,
    /// The symbols that were replaced by the only values they can have. (Used to merge states, not a part of the state.)
    fixed: OrdMap<SymId, Term>,
    /// Whether its values may depend on choices between states that were merged.
    is_merged: bool,
    /// The inputs on the path to it, each with its symbol; none if states with other inputs were merged into it, or if not all variables are
    /// tracked. (Used for candidates, not a part of the state.)
    reads: Option<Vector<(EdgeId, SymId)>>,
    /// Likewise, values that are open: uninitialised memory, or what is approximated. Where states were merged, those of one of them.
    open: Vector<(EdgeId, SymId)>,
    /// The number of inputs on the path to it, and of those up to the last one that a condition was about. Where states were merged, the larger
    /// ones. (Used for the order of exploration, not a part of the state.)
    inputs: u32,
    met: u32,
    /// Whether the last step gave a variable a fresh symbol, or left a symbol one value. (Used for labels, not a part of the state.)
    fresh: bool,
    /// If the last step split the state before it: which part this was. (Used for certificates, not a part of the state.)
    case: Vec<Term>,
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.env == other.env && self.callers == other.callers && self.constraints == other.constraints
    }
}

impl Eq for State {}

/// The locals of a caller.
#[derive(PartialEq, Eq, Debug)]
struct Caller {
    locals: OrdMap<VarId, Term>,
    below: Option<Rc<Caller>>,
}

impl State {
    /// The maps of values, each with the number of callers above it.
    fn maps(&self) -> impl Iterator<Item = (u32, &OrdMap<VarId, Term>)> {
        let callers = std::iter::successors(self.callers.as_deref(), |c| c.below.as_deref());
        [(0, &self.env.globals), (0, &self.env.locals)].into_iter().chain((1..).zip(callers.map(|c| &c.locals)))
    }

    /// Replaces each value `t` by `f(t)`.
    fn map_values(&mut self, f: &mut dyn FnMut(Term) -> Term) {
        map_values(&mut self.env.globals, f);
        map_values(&mut self.env.locals, f);
        self.callers = map_callers(&self.callers, f);
    }
}

/// Replaces values in place, and returns whether any changed; a map that does not change stays shared.
fn map_values(map: &mut OrdMap<VarId, Term>, f: &mut dyn FnMut(Term) -> Term) -> bool {
    let changed: Vec<(VarId, Term)> =
        map.iter().map(|(v, t)| (*v, *t, f(*t))).filter(|(_, t, u)| t != u).map(|(v, _, u)| (v, u)).collect();
    for (v, t) in &changed {
        map.insert(*v, *t);
    }
    !changed.is_empty()
}

fn map_callers(callers: &Option<Rc<Caller>>, f: &mut dyn FnMut(Term) -> Term) -> Option<Rc<Caller>> {
    let mut frames = Vec::new();
    let mut at = callers;
    while let Some(c) = at {
        frames.push(c.clone());
        at = &c.below;
    }
    let mut next: Option<Rc<Caller>> = None;
    for c in frames.into_iter().rev() {
        let mut locals = c.locals.clone();
        let same = !map_values(&mut locals, f)
            && match (&c.below, &next) {
                (Some(a), Some(b)) => Rc::ptr_eq(a, b),
                (None, None) => true,
                _ => false,
            };
        next = Some(if same { c } else { Rc::new(Caller { locals, below: next }) });
    }
    next
}

/// When a state covers another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Cover {
    /// If some terms for its symbols make all values equal, and the constraints follow; the solver may be asked.
    #[default]
    Terms,
    /// If a renaming of its symbols, which keeps them apart, makes all values equal, and the constraints a subset [Lemberger 2015, 2.1,
    /// 2.2].
    Renaming,
}

impl Cover {
    /// All variants, by the names used in configurations.
    pub const ALL: [(&'static str, Cover); 2] = [("terms", Cover::Terms), ("renaming", Cover::Renaming)];

    /// The name used in configurations.
    pub fn name(self) -> &'static str {
        Cover::ALL.iter().find(|(_, cover)| *cover == self).map_or("", |(name, _)| name)
    }
}

/// Limits of symbolic execution.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time limit for one query whether a branch is possible.
    pub branch: Duration,
    /// Time limit for one query whether a target is reached, where branches before it may be impossible.
    pub target: Duration,
    /// Time limit for one query whether a state covers another one.
    pub cover: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { branch: Duration::from_secs(2), target: Duration::from_secs(20), cover: Duration::from_millis(100) }
    }
}

/// The analysis.
pub struct SymbolicCpa {
    limits: Limits,
    cover: Cover,
    /// If states are merged: what this has led to so far.
    merges: Option<Merges>,
    splits: Splits,
    dying: DeadAfter,
    symbols: Symbols,
    places: Places,
    /// Of symbols for inputs: how many inputs there are on the path up to it.
    ranks: FxHashMap<SymId, u32>,
    /// A cache: the variables of the program's terms.
    read: FxHashMap<Term, Rc<[VarId]>>,
    /// The last decision on a branch.
    last: Option<Decided>,
    /// Conditions of which the solver did not say in time whether they can hold, with the number of times since. A query is made without
    /// them first: what is impossible without them is so with them.
    hard: FxHashMap<Term, u32>,
    /// A cache for comparing states.
    cells: Cells,
    /// If the last state that was compared is covered: the terms that show it.
    last_alias: Option<Alias>,
    unknown: Unknown,
    /// Total time of the queries whether a state covers another one.
    covers: Duration,
    /// When the first of these queries was made.
    since: Option<Instant>,
}

impl SymbolicCpa {
    /// The analysis.
    pub fn new(limits: Limits) -> SymbolicCpa {
        SymbolicCpa {
            limits,
            cover: Cover::default(),
            merges: None,
            splits: Splits::default(),
            dying: DeadAfter::default(),
            symbols: Symbols::default(),
            places: Places::default(),
            ranks: FxHashMap::default(),
            read: FxHashMap::default(),
            last: None,
            hard: FxHashMap::default(),
            cells: Cells::default(),
            last_alias: None,
            unknown: Unknown::default(),
            covers: Duration::ZERO,
            since: None,
        }
    }

    /// The same analysis, whose states cover others in this way.
    pub fn covering(self, cover: Cover) -> SymbolicCpa {
        SymbolicCpa { cover, ..self }
    }

    fn read_vars(&mut self, cx: &Cx<'_>, t: Term) -> Rc<[VarId]> {
        self.read.entry(t).or_insert_with(|| cx.program.base.vars(t).into()).clone()
    }

    /// Applies an operation; `false` if it is a condition that cannot hold.
    fn operate(&mut self, cx: &mut Cx<'_>, s: &mut State, step: &Step<'_>, op: &Op) -> Result<bool, Halt> {
        let program = cx.program;
        match s.env.apply(&program.cfa, &mut cx.terms, op) {
            Effect::Continue | Effect::Call => {
                // The operation may have made terms anew that the cases of a split decide.
                for case in s.case.clone() {
                    self.replace_core(cx, s, case);
                }
                Ok(true)
            }
            Effect::Fresh(symbol) => {
                let is_open = matches!(op, Op::Input { kind, .. } if is_open(kind));
                if let (checker::Step::Edge(e), Kind::Sym(id)) = (step.taken, cx.terms.kind(symbol)) {
                    match &mut s.reads {
                        _ if is_open => s.open.push_back((e, id)),
                        Some(reads) => reads.push_back((e, id)),
                        None => {}
                    }
                }
                match op {
                    Op::Input { kind: InputKind::Layout, .. } => self.places.add(symbol),
                    Op::Input { kind: InputKind::Uninitialised | InputKind::Undefined, .. } => {}
                    _ => {
                        s.inputs += 1;
                        if let Kind::Sym(symbol) = cx.terms.kind(symbol) {
                            self.ranks.insert(symbol, s.inputs);
                        }
                    }
                }
                s.fresh = true;
                Ok(true)
            }
            Effect::Constrain(cond) => {
                let cond = in_cases(&mut cx.terms, &s.case, cond);
                let met = self.symbols.of(&cx.terms, cond).iter().filter_map(|symbol| self.ranks.get(symbol)).max();
                s.met = met.map_or(s.met, |rank| s.met.max(*rank));
                self.constrain(cx, s, cond)
            }
            Effect::Unsupported => match step.taken {
                checker::Step::Edge(e) => Err(Halt::Unsupported(unsupported_construct(program, e))),
                checker::Step::Return => Ok(true),
            },
        }
    }

    /// Adds a condition over symbols; `false` if it cannot hold.
    fn constrain(&mut self, cx: &mut Cx<'_>, s: &mut State, cond: Term) -> Result<bool, Halt> {
        match self.decide(cx, s, cond)? {
            Decision::Impossible => return Ok(false),
            // An implied condition adds nothing, unless it says something of addresses or fixes the value of a symbol.
            Decision::Implied if s.known.and(&cx.terms, &[cond]) != s.known => self.add_constraint(cx, s, cond),
            Decision::Implied => self.fix(cx, s, cond),
            Decision::Possible(model) => {
                self.add_constraint(cx, s, cond);
                s.model = model;
            }
        }
        Ok(true)
    }

    fn step(
        &mut self,
        cx: &mut Cx<'_>,
        s: State,
        step: &Step<'_>,
        pi: &Precision,
        out: &mut Vec<State>,
    ) -> Result<(), Halt> {
        let mut next = s;
        let dying = self.dying.step(cx.program, step);
        if let Action::Op(op) = step.action
            && !dying.are_all_written(op)
        {
            let possible = match pi {
                Precision::Everything => self.operate(cx, &mut next, step, op)?,
                Precision::Only(_) => {
                    next.reads = None;
                    self.operate_tracked(cx, &mut next, step, op, pi)?
                }
            };
            if !possible {
                return Ok(());
            }
        }
        for v in &dying.globals {
            next.env.globals.remove(v);
        }
        for v in &dying.locals {
            next.env.locals.remove(v);
        }
        match step.action {
            Action::Op(_) => {}
            Action::Enter(..) => {
                let locals = std::mem::take(&mut next.env.locals);
                next.callers = Some(Rc::new(Caller { locals, below: next.callers.take() }));
            }
            Action::Leave => match next.callers.take() {
                Some(c) => {
                    next.env.locals = c.locals.clone();
                    next.callers = c.below.clone();
                }
                None => return Ok(()),
            },
        }
        if cx.program.is_target(step.to) && next.model.is_none() && !self.may_exist(cx, &mut next) {
            return Ok(());
        }
        if cx.program.is_join(step.to) {
            self.tidy(cx, &mut next);
            next.constants = Some(Rc::new(self.places.constants(cx, &mut self.cells, &next)));
        }
        out.push(next);
        Ok(())
    }

    /// Drops constraints on symbols on which no value depends.
    fn tidy(&mut self, cx: &Cx<'_>, s: &mut State) {
        if s.constraints.is_empty() {
            return;
        }
        let mut live: Vec<Term> = s.maps().flat_map(|(_, map)| map.values().copied()).collect();
        live.retain(|t| !is_constant(cx, *t));
        live.sort_unstable();
        live.dedup();
        let relevant = self.symbols.connected(&cx.terms, &live, s.constraints.iter().copied());
        if relevant.len() < s.constraints.len() {
            s.constraints = relevant.into_iter().collect();
        }
    }
}

fn is_constant(cx: &Cx<'_>, t: Term) -> bool {
    matches!(cx.terms.kind(t), Kind::Const(_) | Kind::BigConst(_) | Kind::Bool(_))
}

/// Whether a value of this kind is no input of the program.
fn is_open(kind: &InputKind) -> bool {
    match kind {
        InputKind::Program(_) | InputKind::External(_) | InputKind::Library(_) => false,
        InputKind::Approximate(_) | InputKind::Uninitialised | InputKind::Undefined | InputKind::Layout => true,
    }
}

/// What `f` returns if its terms are made under conditions that are known.
fn knowing<R>(cx: &mut Cx<'_>, known: &Known, f: impl FnOnce(&mut Cx<'_>) -> R) -> R {
    cx.terms.know(known);
    let result = f(cx);
    cx.terms.know(&Known::default());
    result
}

impl TracksVariables for SymbolicCpa {
    const CONDITIONS: Conditions = Conditions::Constraints;
}

impl Abstracts for SymbolicCpa {}

impl Part for SymbolicCpa {
    const JOINS: bool = false;
    const JOINS_ALONE: bool = false;
    const IMPRECISE: &'static str = "the solver could not exclude a branch";
    const SHARES_SYMBOLS: bool = true;

    fn with_settings(_program: &Program, settings: &Settings) -> SymbolicCpa {
        SymbolicCpa {
            merges: settings.merges_states.then(Merges::default),
            ..SymbolicCpa::new(settings.questions).covering(settings.cover)
        }
    }

    fn tracks(pi: &Precision, v: VarId) -> bool {
        pi.tracks(v)
    }

    fn constant(&self, cx: &mut Cx<'_>, s: &State, v: VarId) -> Option<Term> {
        s.env.get(&cx.program.cfa, v).filter(|t| is_constant(cx, *t))
    }

    fn with_constant(&mut self, cx: &mut Cx<'_>, s: &State, v: VarId, t: Term) -> State {
        let cfa = cx.program.cfa.clone();
        let mut next = s.clone();
        if let Some(old) = next.env.get(&cfa, v) {
            let same = cx.terms.eq(old, t);
            self.add_constraint(cx, &mut next, same);
        }
        next.env.set(&cfa, v, t);
        // The model need not agree with what the other analysis knows.
        next.model =
            next.model.filter(|m| next.constraints.iter().all(|c| m.borrow_mut().holds(&cx.terms, *c) == Some(true)));
        next.constants = next.constants.is_some().then(|| Rc::new(self.places.constants(cx, &mut self.cells, &next)));
        next
    }
}

impl Cpa for SymbolicCpa {
    type State = State;
    type Precision = Precision;
    type Key = ();

    fn initial(&mut self, _cx: &mut Cx<'_>, _at: LocId) -> State {
        State {
            env: Env::default(),
            callers: None,
            constraints: OrdSet::new(),
            known: Known::default(),
            model: Some(Rc::default()),
            constants: None,
            parts: Vector::new(),
            in_old: Rc::default(),
            fixed: OrdMap::new(),
            is_merged: false,
            reads: Some(Vector::new()),
            open: Vector::new(),
            inputs: 0,
            met: 0,
            fresh: false,
            case: Vec::new(),
        }
    }

    fn full_precision(&self) -> Precision {
        Precision::Everything
    }

    fn transfer(
        &mut self,
        cx: &mut Cx<'_>,
        s: &State,
        step: Step<'_>,
        pi: &Precision,
        out: &mut Vec<State>,
    ) -> Result<(), Halt> {
        let tracks_all = matches!(pi, Precision::Everything);
        let parts = knowing(cx, &s.known, |cx| self.split(cx, s, &step, tracks_all))?;
        for part in parts {
            let known = part.known.clone();
            knowing(cx, &known, |cx| self.step(cx, part, &step, pi, out))?;
        }
        Ok(())
    }

    fn covered(&mut self, cx: &mut Cx<'_>, s: &State, by: &State) -> Result<bool, Halt> {
        self.last_alias = knowing(cx, &s.known, |cx| self.alias(cx, s, by));
        Ok(self.last_alias.is_some())
    }

    fn merge(&mut self, cx: &mut Cx<'_>, new: &State, old: &State, _pi: &Precision) -> Result<Option<State>, Halt> {
        let Some(merges) = &mut self.merges else { return Ok(None) };
        Ok(knowing(cx, &new.known.or(&old.known), |cx| merge::disjunction(merges, &mut cx.terms, new, old)))
    }

    fn merges(&self) -> bool {
        self.merges.is_some()
    }

    fn merges_before_expansion(&self) -> bool {
        self.merges.is_some()
    }

    fn key(&self, _s: &State) {}

    fn index(&self, s: &State) -> Option<Index> {
        s.constants.as_ref().map(|c| c.index)
    }

    fn progress(&self, s: &State) -> Progress {
        Progress { inputs: s.met, constants: s.constants.as_ref().map_or(0, |c| c.sum) }
    }

    fn fingerprint_as(&self, s: &State, pattern: &State) -> Option<u64> {
        s.constants.as_ref()?.fingerprint_as(pattern.constants.as_ref()?)
    }

    fn label(&mut self, _cx: &mut Cx<'_>, s: &State) -> Label {
        Label {
            env: s.env.clone(),
            below: s.maps().skip(2).map(|(_, locals)| locals.clone()).collect(),
            constraints: s.constraints.iter().copied().collect(),
        }
    }

    fn witness(&mut self, cx: &mut Cx<'_>, s: &State, by: &State) -> Vec<(SymId, Term)> {
        knowing(cx, &s.known, |cx| self.aliases(cx, s, by))
    }

    fn before_merge(&self, merged: &State) -> Vec<(SymId, Term)> {
        merged.in_old.to_vec()
    }

    fn stated_witness(
        &mut self,
        cx: &mut Cx<'_>,
        s: &State,
        by: &State,
        witness: Vec<(SymId, Term)>,
    ) -> Vec<(SymId, Term)> {
        knowing(cx, &s.known, |cx| self.explicit(cx, s, by, witness))
    }

    fn case(&self, s: &State) -> Vec<Term> {
        s.case.clone()
    }

    fn candidate(&self, cx: &Cx<'_>, s: &State) -> Option<InputVector> {
        let model = s.model.as_ref()?.borrow();
        let mut candidate = InputVector::default();
        for (edge, symbol) in s.reads.as_ref()?.iter().chain(&s.open) {
            let value = model.get(Leaf::Sym(*symbol)).cloned();
            let value = value.unwrap_or_else(|| Value::zero(cx.terms.symbol(*symbol).sort));
            candidate.inputs.entry(*edge).or_default().push(value);
        }
        Some(candidate)
    }

    fn states_new_facts(&self, _step: &Step<'_>, _before: &State, after: &State) -> bool {
        // The label introduces the new symbol, so that later labels can use it.
        after.fresh
    }
}
