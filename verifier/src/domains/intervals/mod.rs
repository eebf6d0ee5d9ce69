//! The invariants CPA [Dangl 2013, 3, 4]: it tracks sets of intervals, known bits and definitions of variables.
//!
//! * Lattice: maps from variables to values (intervals and bits), and to terms that the variables equal, and, as options, from pairs of
//!   variables to their relations and from slots of arrays to values, ordered by the information they contain.
//! * Transfer: evaluation. A condition restricts the variables in it, also through definitions.
//! * Merge-join, except for states that differ in what is interesting: in the cells of interesting variables, or in the known values of
//!   flags and interesting conditions.
//! * Widening, at loop heads: values grow by cells bounded by the program's constants [Dangl 2013, 3.2.2], or directly to the state that
//!   an earlier analysis found there.
//! * Stop-sep, by inclusion, or stop-join: what is beyond another state is expressed for states that differ in one variable.
//!
//! The analysis claims nothing about memories, apart from slots, and about numbers of more than 64 bits, and does not compute the least
//! state. In contrast to [Dangl 2013, 6.2.3, 6.2.4], all numbers wrap around, and memories are variables that nothing aliases.
//!
//! Reading order: `ranges`, `bits`, `operators`, `value` (numbers); `relations`, `slots`, `state`, `eval`, `restrict` (states); `hints` (which
//! states are kept apart).

pub mod bits;
mod eval;
mod hints;
mod operators;
pub mod ranges;
mod relations;
mod restrict;
mod slots;
mod state;
pub mod value;

use crate::cpa::dead_variables::{DeadAfter, used_variables};
use crate::cpa::precision::{Conditions, Precision, TracksVariables};
use crate::cpa::{Action, Beyond, Cpa, Cx, Index, Step};
use crate::domains::predicate::Abstracts;
use crate::domains::product::{Part, Settings};
use crate::program::unsupported::unsupported_construct;
use crate::program::{Halt, Program};
use crate::reach::explore::MERGED_STATES;
use cfa::term::Leaf;
use cfa::{EdgeId, FuncId, LocId, Op, Scope, Sort, Term, Terms, VarId};
use checker::Label;
use eval::Evaluator;
use hints::Hints;
pub use hints::Interesting;
use ranges::cells;
use restrict::Restriction;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use slots::Slot;
use smallvec::SmallVec;
pub use state::{Frames, State};
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use value::{Value, width_of};

/// Number of merges at a loop head before values are widened.
const EXACT_MERGES: u32 = 2;
/// Maximum number of classes by which the states of a location are kept apart, at each level. It is chosen such that a state always meets
/// the other states of its class.
const MAX_CLASSES: usize = MERGED_STATES - 8;
/// Number of times that each condition restricts the variables.
const ROUNDS: usize = 2;

/// States at loop heads to which values may grow at once.
///
/// Definitions are terms, which have no meaning in the arena of another exploration. So bounds have an arena of their own, from which
/// each exploration that uses them imports them.
#[derive(Default)]
pub struct Bounds {
    /// The arena of the definitions, an overlay over the program's.
    terms: Terms,
    of: AtHeads,
}

/// States by loop head; their definitions are terms of some arena.
pub type AtHeads = FxHashMap<LocId, Vec<State>>;

impl Bounds {
    /// Bounds for explorations of `program`, made of `states`, whose definitions are terms of `from`.
    pub fn new(program: &Program, from: &Terms, states: &AtHeads) -> Bounds {
        let mut terms = program.overlay();
        let of = imported(states, from, &mut terms);
        Bounds { terms, of }
    }
}

/// Copies `states`, whose definitions are terms of `from`, so that their definitions are terms of `to`. Both arenas are overlays over the
/// program's.
fn imported(states: &AtHeads, from: &Terms, to: &mut Terms) -> AtHeads {
    let mut done = FxHashMap::default();
    // Heads in ascending order, so that every run creates the same terms.
    let mut heads: Vec<LocId> = states.keys().copied().collect();
    heads.sort_unstable();
    heads
        .into_iter()
        .map(|head| (head, states[&head].iter().map(|s| s.imported(from, to, &mut done)).collect()))
        .collect()
}

/// What is tracked in addition to values and definitions of variables.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Additions {
    /// Which of =, !=, <, <=, >, >= hold between two variables.
    pub relations: bool,
    /// The values of array slots.
    pub array_slots: bool,
}

/// The analysis.
pub struct InvariantsCpa {
    /// Whether states are joined where paths meet.
    merges: bool,
    additions: Additions,
    hints: Hints,
    /// The initial level of what keeps states apart.
    level: Level,
    bounds: Rc<Bounds>,
    /// The same bounds, in the arena of the current exploration.
    grow_to: AtHeads,
    dead: DeadAfter,
    /// The locals that occur in the view, by function.
    locals: FxHashMap<FuncId, Vec<VarId>>,
    places: FxHashMap<LocId, Place>,
    /// The symbols of labels.
    symbols: FxHashMap<VarId, Term>,
}

/// What happened at a location so far.
#[derive(Default)]
struct Place {
    merges: u32,
    /// The classes of states that were kept apart at the current level.
    classes: FxHashSet<u64>,
    level: Level,
}

/// What keeps states apart. If there are too many classes of them, the next level takes effect.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
enum Level {
    /// Flags, interesting variables and conditions.
    #[default]
    All,
    /// Interesting variables only.
    Interesting,
    /// Only the interesting variable that is closest to a target.
    First,
    /// Nothing.
    Nothing,
}

impl InvariantsCpa {
    /// The analysis of `program`.
    pub fn new(program: &Program) -> InvariantsCpa {
        InvariantsCpa::keeping_apart(program, Interesting::default())
    }

    /// The analysis of `program`, which keeps states apart as far as `interesting` says.
    pub fn keeping_apart(program: &Program, interesting: Interesting) -> InvariantsCpa {
        let mut locals: FxHashMap<FuncId, Vec<VarId>> = FxHashMap::default();
        for v in used_variables(program) {
            if let Scope::Local(f) = program.cfa.vars[v].scope {
                locals.entry(f).or_default().push(v);
            }
        }
        InvariantsCpa {
            merges: true,
            additions: Additions::default(),
            hints: Hints::new(program, interesting),
            level: Level::All,
            bounds: Rc::default(),
            grow_to: AtHeads::default(),
            dead: DeadAfter::default(),
            locals,
            places: FxHashMap::default(),
            symbols: FxHashMap::default(),
        }
    }

    /// The same analysis, with merge-join if `merges`, and with merge-sep otherwise.
    pub fn merging(self, merges: bool) -> InvariantsCpa {
        InvariantsCpa { merges, ..self }
    }

    /// The same analysis, which also tracks `additions`.
    pub fn with(self, additions: Additions) -> InvariantsCpa {
        InvariantsCpa { additions, ..self }
    }

    /// The same analysis, but without keeping states of a location apart.
    pub fn coarse(self) -> InvariantsCpa {
        InvariantsCpa { level: Level::Nothing, ..self }
    }

    /// The same analysis, but values grow to `bounds` at once where these contain the merged states.
    pub fn within(self, bounds: Rc<Bounds>) -> InvariantsCpa {
        InvariantsCpa { bounds, ..self }
    }

    /// The interesting variables, the one closest to a target first.
    pub fn interesting(&self) -> impl Iterator<Item = VarId> + '_ {
        self.hints.interesting().iter().map(|(v, _)| *v)
    }

    /// Applies an operation; `false` if it is a condition that cannot hold.
    fn operate(&mut self, cx: &mut Cx<'_>, s: &mut State, op: &Op, edge: EdgeId, pi: &Precision) -> Result<bool, Halt> {
        match op {
            Op::Skip | Op::Call(_) => {}
            Op::Assign(list) => assign(cx, s, list, pi, self.additions),
            Op::Input { var, .. } => s.forget(&mut cx.terms, *var, cx.program.cfa.vars[*var].sort),
            Op::Assume { cond, .. } => {
                let tracks = |v: VarId| pi.tracks(v);
                for _ in 0..ROUNDS {
                    if !Restriction::new(&cx.terms, s, &tracks, self.additions).hold(*cond, true) {
                        return Ok(false);
                    }
                }
            }
            Op::CallIndirect(_) | Op::Unsupported(_) => {
                return Err(Halt::Unsupported(unsupported_construct(cx.program, edge)));
            }
        }
        Ok(true)
    }

    /// Forgets these variables.
    fn forget(cx: &mut Cx<'_>, s: &mut State, vars: &[VarId]) {
        // In most steps, only one or two variables die, but a return may end thousands of locals.
        let mentioned = (vars.len() > 4).then(|| s.mentioned(&cx.terms));
        for v in vars.iter().filter(|v| mentioned.as_ref().is_none_or(|mentioned| mentioned.contains(v))) {
            s.forget(&mut cx.terms, *v, cx.program.cfa.vars[*v].sort);
        }
    }

    fn forget_locals(&self, cx: &mut Cx<'_>, s: &mut State, func: FuncId) {
        if let Some(locals) = self.locals.get(&func) {
            Self::forget(cx, s, locals);
        }
    }

    /// Applies a step; `false` if it cannot be taken.
    fn step(&mut self, cx: &mut Cx<'_>, s: &mut State, step: Step<'_>, pi: &Precision) -> Result<bool, Halt> {
        if let (Action::Op(op), checker::Step::Edge(e)) = (step.action, step.taken)
            && !self.operate(cx, s, op, e, pi)?
        {
            return Ok(false);
        }
        match step.action {
            Action::Op(_) => {}
            // Locals have arbitrary values when a function is entered, and also after a newer activation has used them.
            Action::Enter(func, _) => {
                self.forget_locals(cx, s, func);
                s.frames = Rc::new(Frames { func, below: Some(s.frames.clone()) });
            }
            Action::Leave => {
                let Some(below) = s.frames.below.clone() else { return Ok(false) };
                self.forget_locals(cx, s, s.frames.func);
                s.frames = below;
            }
        }
        s.at = step.to;
        let dead = self.dead.step(cx.program, &step);
        for vars in [&dead.globals, &dead.locals].into_iter().filter(|vars| !vars.is_empty()) {
            Self::forget(cx, s, vars);
        }
        Ok(true)
    }

    /// The interesting variables that keep states apart at a level.
    fn apart_by(&self, level: Level) -> &[(VarId, Vec<u64>)] {
        let all = self.hints.interesting();
        match level {
            Level::All | Level::Interesting => all,
            Level::First => &all[..all.len().min(1)],
            Level::Nothing => &[],
        }
    }

    /// Whether two states are in the same class: their interesting variables are in the same cells, and the same flags and conditions are
    /// known.
    fn are_alike(&self, terms: &Terms, a: &State, b: &State, level: Level) -> bool {
        let known = |s: &State, v| s.values.get(v).and_then(Value::as_single);
        self.apart_by(level).iter().all(|(v, starts)| match (a.values.get(v), b.values.get(v)) {
            (Some(x), Some(y)) => x == y || cells(x.ranges().iter(), starts) == cells(y.ranges().iter(), starts),
            (x, y) => x.is_none() && y.is_none(),
        }) && (level != Level::All
            || self.hints.flags().iter().all(|v| known(a, v) == known(b, v))
                && self.hints.predicates().iter().all(|cond| truth(terms, a, *cond) == truth(terms, b, *cond)))
    }

    /// A hash of the class of a state; different classes hardly ever collide.
    fn class(&self, terms: &Terms, s: &State, level: Level) -> u64 {
        let mut h = FxHasher::default();
        for (v, starts) in self.apart_by(level) {
            s.values.get(v).map(|value| cells(value.ranges().iter(), starts)).hash(&mut h);
        }
        if level == Level::All {
            let known = |v: &&VarId| s.values.get(*v).and_then(Value::as_single);
            self.hints.flags().iter().for_each(|v| known(&v).hash(&mut h));
            self.hints.predicates().iter().for_each(|cond| truth(terms, s, *cond).hash(&mut h));
        }
        h.finish()
    }

    /// Whether the states are to be kept apart; if so, the class of the new one is recorded.
    fn keeps_apart(&mut self, terms: &Terms, new: &State, old: &State) -> bool {
        loop {
            let level = self.place(old.at).level;
            if self.are_alike(terms, new, old, level) {
                return false;
            }
            let class = self.class(terms, new, level);
            let place = self.place(old.at);
            place.classes.insert(class);
            if place.classes.len() <= MAX_CLASSES {
                return true;
            }
            place.classes.clear();
            place.level = match level {
                Level::All => Level::Interesting,
                Level::Interesting => Level::First,
                Level::First | Level::Nothing => Level::Nothing,
            };
        }
    }

    fn place(&mut self, l: LocId) -> &mut Place {
        let level = self.level;
        self.places.entry(l).or_insert_with(|| Place { level, ..Place::default() })
    }

    fn join(&mut self, terms: &mut Terms, new: &State, old: &State) -> State {
        let merges = &mut self.place(old.at).merges;
        *merges += 1;
        let merges = *merges;
        if !self.hints.is_head(old.at) {
            return old.join(terms, new, &mut |_, a, b| a.union(b));
        }
        let mut bounds = self.grow_to.get(&old.at).into_iter().flatten().filter(|b| b.frames == old.frames);
        if let Some(bound) = bounds.find(|b| old.is_within(terms, b) && new.is_within(terms, b)) {
            return State { frames: old.frames.clone(), ..bound.clone() };
        }
        if merges <= EXACT_MERGES {
            return old.join(terms, new, &mut |_, a, b| a.union(b));
        }
        old.join(terms, new, &mut |_, a, b| a.widen(b, self.hints.starts(a.width())))
    }
}

/// What is known about the new value of an assigned variable.
struct NewValue {
    value: Option<Value>,
    /// The right-hand side over variables that have no definition.
    resolved: Option<Term>,
}

/// Performs assignments in parallel: all right-hand sides are evaluated before any variable changes.
fn assign(cx: &mut Cx<'_>, s: &mut State, list: &[(VarId, Term)], pi: &Precision, additions: Additions) {
    let is_number = |(_, t): &(VarId, Term)| width_of(cx.terms.sort(*t)).is_some();
    let (numbers, mut memories): (Assignments, Assignments) = list.iter().copied().partition(is_number);
    if !additions.array_slots {
        memories.clear();
    }
    let cells = cells_after(cx, s, &memories, pi);
    let mut new_values: SmallVec<[NewValue; 2]> = SmallVec::new();
    for &(v, t) in &numbers {
        let tracked = pi.tracks(v);
        let value = Evaluator::new(&cx.terms, s).eval(t).filter(|_| tracked);
        let resolved = s.resolve(&mut cx.terms, t).filter(|_| tracked);
        let resolved = resolved.filter(|t| additions.array_slots || !state::reads(&cx.terms, *t));
        new_values.push(NewValue { value, resolved });
    }
    // Slots first: their addresses are over the variables before the assignments, and are rewritten when these are forgotten.
    for &(memory, t) in &memories {
        let sort = cx.terms.sort(t);
        s.forget(&mut cx.terms, memory, sort);
    }
    cells.into_iter().for_each(|(slot, value)| s.slots.set(slot, value));
    if let (&[(v, _)], [new]) = (&numbers[..], &new_values[..])
        && let Some(k) = new.resolved.and_then(|t| state::as_shift(&cx.terms, t, v))
    {
        s.shift(&mut cx.terms, v, k);
        new.value.iter().for_each(|value| s.set_value(v, value.clone()));
        return;
    }
    for &(v, t) in &numbers {
        let sort = cx.terms.sort(t);
        s.forget(&mut cx.terms, v, sort);
    }
    for (NewValue { value, resolved }, &(v, t)) in new_values.into_iter().zip(&numbers) {
        let is_new = |t: &Term| list.iter().all(|(v, _)| !state::mentions(&cx.terms, *t, *v));
        // If one form of the right-hand side mentions overwritten variables, the other may not.
        let definition = resolved.and_then(|resolved| [resolved, t].into_iter().find(is_new));
        value.into_iter().for_each(|value| s.set_value(v, value));
        if let Some(t) = definition {
            s.definitions.insert(v, t);
        }
    }
}

/// Parallel assignments.
type Assignments = SmallVec<[(VarId, Term); 2]>;

/// What is known of the cells of memories after these assignments, from the slots of the memories that their new contents are made of.
fn cells_after(cx: &mut Cx<'_>, s: &State, memories: &Assignments, pi: &Precision) -> Vec<(Slot, Value)> {
    let mut known = Vec::new();
    for &(memory, t) in memories.iter().filter(|(memory, _)| pi.tracks(*memory)) {
        let t = s.resolve_addresses(&mut cx.terms, t);
        let mut found = Vec::new();
        s.slots.cells(&cx.terms, memory, t, &mut found);
        for slot in found {
            let value = Evaluator::new(&cx.terms, s).cell(t, slot.address, slot.width);
            known.extend(value.map(|value| (slot, value)));
        }
    }
    known
}

fn constant(terms: &mut Terms, sort: Sort, k: u64) -> Term {
    match sort {
        Sort::Bool => terms.bool(k == 1),
        sort => terms.int(sort.width(), k),
    }
}

/// Whether a condition holds in all executions that a state represents, in none of them, or neither is known.
fn truth(terms: &Terms, s: &State, cond: Term) -> Option<bool> {
    Evaluator::new(terms, s).eval(cond)?.as_bool()
}

impl TracksVariables for InvariantsCpa {
    const CONDITIONS: Conditions = Conditions::Values;
}

impl Abstracts for InvariantsCpa {}

impl Part for InvariantsCpa {
    const JOINS: bool = true;
    const JOINS_ALONE: bool = true;
    const IMPRECISE: &'static str = "intervals are too imprecise";
    const SUBTRACTS: bool = true;

    fn with_settings(program: &Program, settings: &Settings) -> InvariantsCpa {
        InvariantsCpa::keeping_apart(program, settings.interesting)
            .merging(settings.merges)
            .with(settings.additions)
            .within(settings.bounds.clone())
    }

    fn tracks(pi: &Precision, v: VarId) -> bool {
        pi.tracks(v)
    }

    fn constant(&self, cx: &mut Cx<'_>, s: &State, v: VarId) -> Option<Term> {
        let sort = cx.program.cfa.vars[v].sort;
        let k = s.value(&cx.terms, v, width_of(sort)?).as_single()?;
        Some(constant(&mut cx.terms, sort, k))
    }

    fn with_constant(&mut self, cx: &mut Cx<'_>, s: &State, v: VarId, t: Term) -> State {
        let mut next = s.clone();
        if let Some(value) = Evaluator::new(&cx.terms, s).eval(t) {
            next.set_value(v, value);
        }
        next
    }

    fn conditions(&self, cx: &mut Cx<'_>, s: &State) -> Option<Vec<Term>> {
        let vars = &cx.program.cfa.vars;
        let mut all = Vec::new();
        for (v, value) in &s.values {
            let own = cx.terms.var(*v, vars[*v].sort);
            all.extend(value.conditions(&mut cx.terms, own));
        }
        for (v, t) in s.definitions() {
            let own = cx.terms.var(v, vars[v].sort);
            all.push(cx.terms.eq(own, t));
        }
        all.extend(s.relations.conditions(&mut cx.terms));
        all.extend(s.slots.conditions(&mut cx.terms, &|v| vars[v].sort));
        Some(all)
    }

    fn implies(&self, cx: &mut Cx<'_>, s: &State, cond: Term) -> bool {
        truth(&cx.terms, s, cond) == Some(true)
    }
}

impl Cpa for InvariantsCpa {
    type State = State;
    type Precision = Precision;
    type Key = ();

    fn initial(&mut self, cx: &mut Cx<'_>, at: LocId) -> State {
        self.grow_to = imported(&self.bounds.of, &self.bounds.terms, &mut cx.terms);
        State::new(at, cx.program.cfa.locs[at].func)
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
        let mut next = s.clone();
        if self.step(cx, &mut next, step, pi)? {
            out.push(next);
        }
        Ok(())
    }

    fn excludes(&self, cx: &Cx<'_>, s: &State, step: &Step<'_>) -> bool {
        let Action::Op(Op::Assume { cond, .. }) = step.action else { return false };
        Evaluator::new(&cx.terms, s).eval(*cond).is_some_and(|value| value.as_bool() == Some(false))
    }

    fn covered(&mut self, cx: &mut Cx<'_>, s: &State, by: &State) -> Result<bool, Halt> {
        Ok(s.is_within(&mut cx.terms, by))
    }

    fn beyond(&mut self, cx: &mut Cx<'_>, s: &State, by: &State) -> Result<Beyond<State>, Halt> {
        Ok(s.beyond(&mut cx.terms, by))
    }

    fn merge(&mut self, cx: &mut Cx<'_>, new: &State, old: &State, _pi: &Precision) -> Result<Option<State>, Halt> {
        if !self.merges || new.is_within(&mut cx.terms, old) || self.keeps_apart(&cx.terms, new, old) {
            return Ok(None);
        }
        Ok(Some(self.join(&mut cx.terms, new, old)))
    }

    fn merges(&self) -> bool {
        self.merges
    }

    fn key(&self, _s: &State) {}

    /// Inclusion of intervals has no fingerprint, so the states at one location are compared one by one.
    fn index(&self, _s: &State) -> Option<Index> {
        Some(Index { shape: 0, fingerprint: 0 })
    }

    fn fingerprint_as(&self, _s: &State, _pattern: &State) -> Option<u64> {
        Some(0)
    }

    fn label(&mut self, cx: &mut Cx<'_>, s: &State) -> Label {
        let program = cx.program;
        let cfa = &program.cfa;
        let mut funcs = vec![s.frames.func];
        funcs.extend(std::iter::successors(s.frames.below.as_deref(), |f| f.below.as_deref()).map(|f| f.func));
        let mut label = Label::default();
        label.below.resize_with(funcs.len() - 1, Default::default);
        for v in s.mentioned(&cx.terms) {
            let map = match cfa.vars[v].scope {
                Scope::Global => &mut label.env.globals,
                // If there are several activations, the state describes the newest one.
                Scope::Local(f) => match funcs.iter().position(|func| *func == f) {
                    Some(0) => &mut label.env.locals,
                    Some(i) => &mut label.below[i - 1],
                    None => continue,
                },
            };
            let sort = cfa.vars[v].sort;
            let value = width_of(sort).map(|width| s.value(&cx.terms, v, width));
            if let Some(k) = value.as_ref().and_then(Value::as_single) {
                map.insert(v, constant(&mut cx.terms, sort, k));
                continue;
            }
            let symbol = *self.symbols.entry(v).or_insert_with(|| cx.terms.fresh(&*cfa.vars[v].name, cfa.vars[v].sort));
            map.insert(v, symbol);
            label.constraints.extend(value.into_iter().flat_map(|value| value.conditions(&mut cx.terms, symbol)));
        }
        let mut facts = s.relations.conditions(&mut cx.terms);
        facts.extend(s.slots.conditions(&mut cx.terms, &|v| cfa.vars[v].sort));
        for (x, t) in s.definitions() {
            let own = cx.terms.var(x, cx.terms.sort(t));
            facts.push(cx.terms.eq(own, t));
        }
        let mut done = FxHashMap::default();
        for fact in facts {
            let said = cx.terms.substitute(fact, &mut done, &mut |_, leaf| match leaf {
                Leaf::Var(v) => {
                    let maps = [&label.env.globals, &label.env.locals].into_iter().chain(&label.below);
                    maps.into_iter().find_map(|map| map.get(&v)).copied()
                }
                Leaf::Sym(_) | Leaf::Addr(_) => None,
            });
            if cx.terms.as_bool(said) != Some(true) {
                label.constraints.push(said);
            }
        }
        label
    }
}
