//! Sets of states as binary decision diagrams ([Beyer, Stahlbauer 2014, 3]; Bryant, IEEE Trans. Computers 1986).
//!
//! A state is a diagram `B` over the bits of program variables (`layout`), and what was assigned since the last location where paths meet: a
//! function for each of these variables, as a circuit over the bits (`smt::bits::circuits`). It represents the states that these
//! functions yield from those in `B`.
//!
//! * Lattice: implication; the join is the disjunction, and exact.
//! * Transfer: a condition becomes a circuit, too, and assignments only change functions, so that temporaries cost nothing. Where paths meet,
//!   `B` is restricted to the condition of the paths, the functions are applied to it at once, by a relational product, and variables that died
//!   are quantified. So the tests of `if (a == 1 && b == 2 && c == 3)` restrict `B` twice, and not six times: their paths meet before they do, and
//!   what decides them becomes a diagram once in the whole analysis.
//! * Merge: the disjunction. Stop: implication. A weakened state is expanded only as far as it is new ([`Cpa::in_layers`]).
//!
//! ```text
//! a = 0; in = input(); if (in != 1) ... else a = 3;       where the sides meet: (a = 0 and in != 1) or (a = 3 and in = 1)
//! ```
//!
//! A diagram has only as many bits of a variable as its values need; where a value does not fit, the variable gets more, and diagrams from
//! before are extended when they are used. What has no circuit (memories, floats, locals of recursive functions) may have any value, so that a path to a target
//! may be infeasible. Otherwise nothing is lost, and a target that is reached is real: the path to it is found by walking back
//! ([`Cpa::before`]), from layer to layer.
//!
//! Unlike the paper's analysis, which encodes each operation as a diagram at once, this one keeps them as circuits as long as possible; and it
//! chooses the number of bits by variable, not by program.

mod diagrams;
mod label;
mod layout;
mod order;
mod rows;
mod store;

pub use order::Order;

use crate::blocks::{Blocks, Ends};
use crate::cpa::dead_variables::DeadAfter;
use crate::cpa::precision::{Conditions, Precision, TracksVariables};
use crate::cpa::profile;
use crate::cpa::{Action, Beyond, Cpa, Cx, Index, Rows, Step};
use crate::domains::predicate::Abstracts;
use crate::domains::product::{Part, Settings};
use crate::program::domain_types::DomainType;
use crate::program::unsupported::unsupported_construct;
use crate::program::{Budget, Halt, Program};
use biodivine_lib_bdd::{Bdd, BddPartialValuation};
use cfa::{FuncId, Id, LocId, Op, Scope, Term, VarId};
use checker::Label;
use diagrams::Diagrams;
use fixedbitset::FixedBitSet;
use imbl::Vector;
use layout::{Code, Layout, Slot, SlotId, next, now, settles};
use smt::bits::graph::{Graph, Lit};
use std::cmp::Reverse;
use std::rc::Rc;
use store::{Store, Value};

/// Settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The order of variables.
    pub order: Order,
    /// The greatest domain type of the variables that are tracked; `None` for all variables.
    pub types: Option<DomainType>,
    /// Maximum number of nodes of a diagram.
    pub max_nodes: usize,
}

/// The greatest domain types that can be tracked, by the names used in configurations.
pub const TYPES: [(&str, Option<DomainType>); 4] =
    [("bool", Some(DomainType::Bool)), ("eq", Some(DomainType::Eq)), ("add", Some(DomainType::Add)), ("all", None)];

impl Default for Options {
    fn default() -> Options {
        Options { order: Order::default(), types: None, max_nodes: 4_000_000 }
    }
}

/// A set of states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// The states before the assignments in `store`, but for those that `condition` excludes.
    set: Rc<Bdd>,
    /// What was tested since `set` was computed.
    condition: Lit,
    /// Further states: those of other paths that meet here.
    also: Rc<Vec<Rc<Bdd>>>,
    /// What was assigned since the last location where paths meet.
    store: Store,
    /// The slots whose values are those of their bits in `set`; other variables may have any value.
    known: Rc<FixedBitSet>,
    /// The version of the layout on which `set` relies.
    version: u32,
    /// Whether a block begins here: at the head of a loop. Certificates have labels there only.
    begins: bool,
    /// Whether paths meet here.
    meets: bool,
    /// The running function, and its callers, the newest one last.
    func: FuncId,
    callers: Vector<FuncId>,
}

/// The analysis.
pub struct BddCpa {
    merges: bool,
    layout: Layout,
    graph: Graph,
    diagrams: Diagrams,
    dead: DeadAfter,
    ends: Ends,
    /// The state that was last restricted, and its diagram.
    restricted: Option<(State, Rc<Bdd>)>,
}

impl BddCpa {
    /// The analysis of `program`; if `merges`, states are joined where paths meet.
    pub fn new(program: &Program, options: &Options, merges: bool) -> BddCpa {
        let mut graph = Graph::new();
        let layout = Layout::new(program, options, &mut graph);
        let mut diagrams = Diagrams::new(options.max_nodes);
        diagrams.counters.order = options.order.counted();
        let ends = Ends::new(program, Blocks::default());
        BddCpa { merges, layout, graph, diagrams, dead: DeadAfter::default(), ends, restricted: None }
    }

    fn diagram(&mut self, lit: Lit, budget: &Budget<'_>) -> Result<Rc<Bdd>, Halt> {
        self.diagrams.of(&self.layout, &self.graph, lit, budget)
    }

    /// `s` in the current version of the layout.
    fn current(&mut self, s: &State, budget: &Budget<'_>) -> Result<State, Halt> {
        let mut s = s.clone();
        if s.version == self.layout.version() {
            return Ok(s);
        }
        let mut wider = self.layout.set.mk_true();
        for (slot, then, width) in self.layout.widened_since(s.version) {
            if !s.known.contains(slot as usize) {
                continue;
            }
            let Slot { bits, code, .. } = &self.layout.slots[slot as usize];
            let variable = |i: u32| self.layout.set.mk_var(now(bits[i as usize]));
            let above = match code {
                Code::Value { signed: true } => variable(then - 1),
                _ => self.layout.set.mk_false(),
            };
            let mut same = self.layout.set.mk_true();
            for i in then..width {
                same = self.diagrams.and(&variable(i).iff(&above), &same, budget)?;
            }
            wider = self.diagrams.and(&wider, &same, budget)?;
        }
        for diagram in std::iter::once(&mut s.set).chain(Rc::make_mut(&mut s.also)) {
            *diagram = Rc::new(self.diagrams.and(diagram, &wider, budget)?);
        }
        s.version = self.layout.version();
        Ok(s)
    }

    /// The value of `v` in `s`; `None` if it may be any.
    fn value(&self, s: &State, v: VarId) -> Option<Rc<[Lit]>> {
        match s.store.get(v) {
            Some(Value::Word(word)) => Some(word.clone()),
            Some(Value::Any | Value::Dead) => None,
            None => {
                let slot = self.layout.slot(v).filter(|slot| s.known.contains(*slot as usize))?;
                Some(self.layout.slots[slot as usize].word.clone())
            }
        }
    }

    /// Makes the diagram of `s` all that it represents before assignments; `false` if that is nothing.
    fn restrict(&mut self, s: &mut State, budget: &Budget<'_>) -> Result<bool, Halt> {
        if s.condition != Lit::TRUE || !s.also.is_empty() {
            // Several steps lead from a state.
            let is_same = |(of, _): &(State, Rc<Bdd>)| {
                let also = (of.also.is_empty() && s.also.is_empty()) || Rc::ptr_eq(&of.also, &s.also);
                also && of.version == s.version && of.condition == s.condition && Rc::ptr_eq(&of.set, &s.set)
            };
            let (of, restricted) = match self.restricted.take().filter(is_same) {
                Some(known) => known,
                None => (s.clone(), self.restricted(s, budget)?),
            };
            s.set = restricted.clone();
            s.condition = Lit::TRUE;
            s.also = Rc::default();
            self.restricted = Some((of, restricted));
        }
        Ok(!s.set.is_false())
    }

    fn restricted(&mut self, s: &State, budget: &Budget<'_>) -> Result<Rc<Bdd>, Halt> {
        let holds = self.diagram(s.condition, budget)?;
        let fails = self.diagram(!s.condition, budget)?;
        // Most tests do not tell the states of a set apart.
        let own = if self.diagrams.are_disjoint(&s.set, &holds) {
            Rc::new(self.layout.set.mk_false())
        } else if self.diagrams.are_disjoint(&s.set, &fails) {
            s.set.clone()
        } else {
            Rc::new(self.diagrams.and(&s.set, &holds, budget)?)
        };
        // Small diagrams first.
        let mut all: Vec<Rc<Bdd>> = s.also.iter().cloned().chain([own]).collect();
        loop {
            all.sort_by_key(|diagram| Reverse(diagram.size()));
            match (all.pop(), all.pop()) {
                (Some(a), Some(b)) => all.push(Rc::new(self.diagrams.or(&a, &b, budget)?)),
                (one, _) => return Ok(one.expect("at least one diagram")),
            }
        }
    }

    /// `v` gets the value of an input.
    fn input(&mut self, s: &mut State, v: VarId, budget: &Budget<'_>) -> Result<(), Halt> {
        let Some(slot) = self.layout.slot(v) else {
            s.store.set(v, Value::Any);
            return Ok(());
        };
        // The input takes the place of the value in the diagram, unless something assigned before depends on this value.
        if s.store.mentions(&self.graph, &self.layout, slot) {
            s.store.set(v, Value::Any);
            return Ok(());
        }
        s.store.remove(v);
        self.restrict(s, budget)?;
        s.set = Rc::new(self.without(&s.set, &[slot], budget)?);
        Rc::make_mut(&mut s.known).insert(slot as usize);
        Ok(())
    }

    /// `set` without these slots.
    fn without(&mut self, set: &Bdd, gone: &[SlotId], budget: &Budget<'_>) -> Result<Bdd, Halt> {
        if gone.is_empty() {
            return Ok(set.clone());
        }
        let mut positions = FixedBitSet::with_capacity(set.num_vars() as usize);
        for slot in gone {
            positions.extend(self.layout.slots[*slot as usize].bits.iter().map(|b| now(*b).to_index()));
        }
        self.diagrams.and_exists((set, set), |v| positions.contains(v.to_index()), budget)
    }

    /// Applies the functions of `s` to its diagram.
    fn settle(&mut self, s: &mut State, budget: &Budget<'_>) -> Result<(), Halt> {
        if s.store.is_empty() || !self.restrict(s, budget)? {
            return Ok(());
        }
        let store = std::mem::take(&mut s.store);
        let mentioned = store.mentioned(&self.graph, &self.layout);
        // What is lost before the functions are applied, and after.
        let (mut early, mut late): (Vec<SlotId>, Vec<SlotId>) = (Vec::new(), Vec::new());
        let (mut assigned, mut open, known) = (Vec::new(), Vec::new(), Rc::make_mut(&mut s.known));
        for (v, value) in store.iter() {
            let Some(slot) = self.layout.slot(*v) else { continue };
            match value {
                Value::Word(word) => {
                    known.insert(slot as usize);
                    assigned.push((slot, word.clone()));
                }
                Value::Any => {
                    known.insert(slot as usize);
                    open.push(slot);
                }
                // With all its bits, a variable of any value is as one that was never written.
                Value::Dead => known.set(slot as usize, self.layout.is_whole(slot)),
            }
            if mentioned.contains(slot as usize) { late.push(slot) } else { early.push(slot) }
        }
        for slot in open {
            self.widen(slot, self.layout.slots[slot as usize].bits.len() as u32);
        }
        let assigned: Vec<(SlotId, Vec<Lit>)> = assigned
            .into_iter()
            .map(|(slot, word)| (slot, self.layout.slots[slot as usize].encode(&mut self.graph, &word)))
            .collect();
        for (slot, code) in &assigned {
            self.make_room(*slot, code, &s.set, budget)?;
        }
        // Functions may read what a variable was before it got more bits.
        *s = self.current(s, budget)?;
        let set = self.without(&s.set, &early, budget)?;
        let mut constants = BddPartialValuation::empty();
        let mut functions = Vec::new();
        for (slot, code) in &assigned {
            let width = self.layout.width(self.layout.version(), *slot) as usize;
            for (i, value) in code[..width].iter().enumerate() {
                let bit = self.layout.slots[*slot as usize].bits[i];
                let at = if mentioned.contains(*slot as usize) { next(bit) } else { now(bit) };
                match value.as_constant() {
                    Some(value) => constants.set_value(at, value),
                    None => functions.push((at, *value)),
                }
            }
        }
        let mut relation = self.layout.set.mk_conjunctive_clause(&constants);
        for (at, value) in functions {
            let same = self.layout.set.mk_var(at).iff(&*self.diagram(value, budget)?);
            relation = self.diagrams.and(&relation, &same, budget)?;
        }
        s.set = Rc::new(if late.is_empty() {
            self.diagrams.and(&set, &relation, budget)?
        } else {
            let mut gone = FixedBitSet::with_capacity(set.num_vars() as usize);
            for slot in &late {
                gone.extend(self.layout.slots[*slot as usize].bits.iter().map(|b| now(*b).to_index()));
            }
            let both = self.diagrams.and_exists((&set, &relation), |v| gone.contains(v.to_index()), budget)?;
            diagrams::renamed(both, |at| gone.contains(at & !1).then_some(at & !1))
        });
        Ok(())
    }

    /// Gives `slot` enough bits for the values with the code `word` in `set`.
    fn make_room(&mut self, slot: SlotId, word: &[Lit], set: &Bdd, budget: &Budget<'_>) -> Result<(), Halt> {
        let full = word.len() as u32;
        let Code::Value { signed } = self.layout.slots[slot as usize].code else { return Ok(()) };
        let before = self.layout.width(self.layout.version(), slot);
        let mut width = before;
        while width < full {
            let above = if signed { word[width as usize - 1] } else { Lit::FALSE };
            let high = vec![above; (full - width) as usize];
            let fits = smt::bits::circuits::equal(&mut self.graph, &word[width as usize..], &high);
            if fits == Lit::TRUE {
                break;
            }
            let too_large = self.diagram(!fits, budget)?;
            if self.diagrams.are_disjoint(set, &too_large) {
                break;
            }
            width += 1;
        }
        self.widen(slot, width);
        Ok(())
    }

    /// From now on, `slot` has at least `width` bits.
    fn widen(&mut self, slot: SlotId, width: u32) {
        if width > self.layout.width(self.layout.version(), slot) {
            self.layout.widen(slot, width);
            self.diagrams.forget();
            self.diagrams.counters.widenings += 1;
        }
    }

    /// Takes `step`, without applying the functions at its end.
    fn take(&mut self, cx: &Cx<'_>, s: &State, step: &Step<'_>, pi: &Precision) -> Result<Option<State>, Halt> {
        let (program, budget) = (cx.program, &cx.budget);
        let mut next = self.current(s, budget)?;
        if (next.meets || !next.also.is_empty()) && !self.restrict(&mut next, budget)? {
            return Ok(None);
        }
        next.meets = false;
        if let (Action::Op(op), checker::Step::Edge(e)) = (step.action, step.taken) {
            match op {
                Op::Skip | Op::Call(_) => {}
                Op::Assign(list) => {
                    let values: Vec<(VarId, Option<Rc<[Lit]>>)> =
                        list.iter().map(|(v, t)| (*v, store::word(self, &program.base, &next, *t))).collect();
                    for (v, value) in values {
                        let value = value.filter(|_| pi.tracks(v) && self.is_tracked(program, v));
                        next.store.set(v, value.map_or(Value::Any, Value::Word));
                    }
                }
                Op::Input { var, .. } if pi.tracks(*var) => self.input(&mut next, *var, budget)?,
                Op::Input { var, .. } => next.store.set(*var, Value::Any),
                Op::Assume { cond, .. } => {
                    let holds = store::holds(self, &program.base, &next, *cond, true);
                    next.condition = self.graph.and(next.condition, holds);
                    if next.condition == Lit::FALSE {
                        return Ok(None);
                    }
                }
                Op::CallIndirect(_) | Op::Unsupported(_) => {
                    if !self.restrict(&mut next, budget)? {
                        return Ok(None);
                    }
                    return Err(Halt::Unsupported(unsupported_construct(program, e)));
                }
            }
        }
        let dead = self.dead.step(program, step);
        let mut dead: Vec<VarId> = dead.globals.iter().chain(&dead.locals).copied().collect();
        if matches!(step.action, Action::Leave) {
            // All activations have one diagram, so what a function knows does not go with its activation.
            let is_local = |v: &VarId| program.cfa.vars[*v].scope == Scope::Local(next.func);
            let known = next.known.ones().map(|slot| self.layout.slots[slot].var);
            dead.extend(known.chain(next.store.iter().map(|(v, _)| *v)).filter(is_local));
        }
        for v in dead {
            match self.layout.slot(v) {
                Some(slot) if next.known.contains(slot as usize) => next.store.set(v, Value::Dead),
                _ => next.store.remove(v),
            }
        }
        match step.action {
            Action::Op(_) => {}
            Action::Enter(f, _) => {
                next.callers.push_back(next.func);
                next.func = f;
            }
            Action::Leave => {
                let Some(caller) = next.callers.pop_back() else { return Ok(None) };
                next.func = caller;
            }
        }
        Ok(Some(next))
    }

    /// Whether values of `v` are kept, at least as long as no paths meet.
    fn is_tracked(&self, program: &Program, v: VarId) -> bool {
        let var = &program.cfa.vars[v];
        let recurses = matches!(var.scope, Scope::Local(f) if program.recursive.contains(f.index()));
        !recurses && !matches!(var.sort, cfa::Sort::Array { .. })
    }

    /// If `a` and `b` differ in their conditions only, the disjunction of these.
    fn both(&mut self, a: &State, b: &State) -> Option<Lit> {
        let are_alike = Rc::ptr_eq(&a.set, &b.set) && a.also.is_empty() && a.store == b.store && a.known == b.known;
        (are_alike && a.version == b.version).then(|| self.graph.or(a.condition, b.condition))
    }

    /// The diagrams of `a` and `b` in the current version; `None` if something different was assigned on the ways to them, or if other variables
    /// are known.
    fn aligned(&mut self, a: &State, b: &State, budget: &Budget<'_>) -> Result<Option<(State, State)>, Halt> {
        if a.store != b.store || a.known != b.known {
            return Ok(None);
        }
        let (mut a, mut b) = (self.current(a, budget)?, self.current(b, budget)?);
        self.restrict(&mut a, budget)?;
        self.restrict(&mut b, budget)?;
        Ok(Some((a, b)))
    }
}

impl TracksVariables for BddCpa {
    const CONDITIONS: Conditions = Conditions::Values;
}

impl Abstracts for BddCpa {}

impl Part for BddCpa {
    const JOINS: bool = true;
    const JOINS_ALONE: bool = true;
    const IMPRECISE: &'static str = "decision diagrams have no memories, floats and locals of recursive functions";
    const IMPRECISE_MERGED: &'static str = BddCpa::IMPRECISE;
    const SUBTRACTS: bool = true;

    fn with_settings(program: &Program, settings: &Settings) -> BddCpa {
        BddCpa::new(program, &settings.bdd, settings.merges)
    }

    fn tracks(pi: &Precision, v: VarId) -> bool {
        pi.tracks(v)
    }

    fn constant(&self, cx: &mut Cx<'_>, s: &State, v: VarId) -> Option<Term> {
        let value = smt::bits::circuits::as_constant(&self.value(s, v)?)?;
        Some(match cx.program.cfa.vars[v].sort {
            cfa::Sort::Bool => cx.terms.bool(!value.is_zero()),
            _ => cx.terms.constant(&value),
        })
    }

    fn conditions(&self, cx: &mut Cx<'_>, s: &State) -> Option<Vec<Term>> {
        label::conditions(self, cx, s)
    }

    /// What other parts know about the values is not used: the diagram says as much where it tracks the variable.
    fn with_constant(&mut self, _cx: &mut Cx<'_>, s: &State, _v: VarId, _t: Term) -> State {
        s.clone()
    }
}

impl Cpa for BddCpa {
    type State = State;
    type Precision = Precision;
    type Key = ();

    fn initial(&mut self, cx: &mut Cx<'_>, at: LocId) -> State {
        // Variables that were not written yet have all their bits.
        let all = (0..self.layout.slots.len() as SlotId).filter(|slot| self.layout.is_whole(*slot));
        let mut known = FixedBitSet::with_capacity(self.layout.slots.len());
        known.extend(all.map(|slot| slot as usize));
        self.diagrams.counters.variables = self.layout.slots.len() as u64;
        State {
            set: Rc::new(self.layout.set.mk_true()),
            condition: Lit::TRUE,
            also: Rc::default(),
            store: Store::default(),
            known: Rc::new(known),
            version: self.layout.version(),
            begins: true,
            meets: true,
            func: cx.program.cfa.locs[at].func,
            callers: Vector::new(),
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
        let Some(mut next) = self.take(cx, s, &step, pi)? else { return Ok(()) };
        next.meets = settles(cx.program, step.to);
        if next.meets {
            self.settle(&mut next, &cx.budget)?;
        }
        next.begins = self.ends.after(&step);
        // What is kept, or reported, is not to be empty, and to have one form.
        let is_empty = match next.begins || cx.program.is_target(step.to) {
            true => !self.restrict(&mut next, &cx.budget)?,
            false => next.set.is_false(),
        };
        if is_empty {
            return Ok(());
        }
        cx.statistics.diagrams = self.counters();
        out.push(next);
        Ok(())
    }

    fn covered(&mut self, cx: &mut Cx<'_>, s: &State, by: &State) -> Result<bool, Halt> {
        if self.both(s, by) == Some(by.condition) {
            return Ok(true);
        }
        let Some((s, by)) = self.aligned(s, by, &cx.budget)? else { return Ok(false) };
        Ok(self.diagrams.is_within(&s.set, &by.set))
    }

    fn beyond(&mut self, cx: &mut Cx<'_>, s: &State, by: &State) -> Result<Beyond<State>, Halt> {
        let Some((mut s, by)) = self.aligned(s, by, &cx.budget)? else { return Ok(Beyond::All) };
        s.set = Rc::new(self.diagrams.and_not(&s.set, &by.set, &cx.budget)?);
        Ok(if s.set.is_false() { Beyond::Nothing } else { Beyond::Part(s) })
    }

    fn merge(&mut self, cx: &mut Cx<'_>, new: &State, old: &State, _pi: &Precision) -> Result<Option<State>, Halt> {
        if !self.merges {
            return Ok(None);
        }
        if let Some(condition) = self.both(new, old) {
            return Ok((condition != old.condition).then(|| State { condition, ..old.clone() }));
        }
        if !old.begins && old.version == new.version && old.store == new.store && old.known == new.known {
            let mut new = new.clone();
            if !self.restrict(&mut new, &cx.budget)? {
                return Ok(None);
            }
            let mut also = (*old.also).clone();
            also.push(new.set);
            return Ok(Some(State { also: Rc::new(also), ..old.clone() }));
        }
        let Some((new, mut old)) = self.aligned(new, old, &cx.budget)? else { return Ok(None) };
        if self.diagrams.is_within(&new.set, &old.set) {
            return Ok(None);
        }
        old.set = Rc::new(self.diagrams.or(&old.set, &new.set, &cx.budget)?);
        Ok(Some(old))
    }

    fn merges(&self) -> bool {
        self.merges
    }

    fn in_layers(&self) -> bool {
        self.merges
    }

    fn before(&mut self, cx: &mut Cx<'_>, s: &State, step: &Step<'_>, after: &State) -> Result<Option<State>, Halt> {
        let Some(taken) = self.take(cx, s, step, &Precision::Everything)? else { return Ok(None) };
        self.preimage(cx, s, step, taken, after)
    }

    fn common(&mut self, cx: &mut Cx<'_>, a: &State, b: &State) -> Result<Option<State>, Halt> {
        let Some((mut a, b)) = self.aligned(a, b, &cx.budget)? else { return Ok(None) };
        a.set = Rc::new(self.diagrams.and(&a.set, &b.set, &cx.budget)?);
        Ok((!a.set.is_false()).then_some(a))
    }

    fn key(&self, _s: &State) {}

    /// Implication has no fingerprint, so the states at one location are compared one by one.
    fn index(&self, _s: &State) -> Option<Index> {
        Some(Index { shape: 0, fingerprint: 0 })
    }

    fn fingerprint_as(&self, _s: &State, _pattern: &State) -> Option<u64> {
        Some(0)
    }

    fn label(&mut self, cx: &mut Cx<'_>, s: &State) -> Label {
        label::label(self, cx, s)
    }

    fn rows(&mut self, _cx: &mut Cx<'_>, s: &State) -> Option<Rows> {
        rows::rows(self, s)
    }

    fn splits(&self, program: &Program) -> Vec<(VarId, Vec<i64>)> {
        rows::splits(program)
    }

    fn needs_no_label(&self, s: &State) -> bool {
        self.merges && !s.begins
    }
}

impl BddCpa {
    /// The states of `s` from which `step`, which leads to `taken` before functions are applied, leads into `after`.
    fn preimage(
        &mut self,
        cx: &Cx<'_>,
        s: &State,
        step: &Step<'_>,
        taken: State,
        after: &State,
    ) -> Result<Option<State>, Halt> {
        let budget = &cx.budget;
        let (mut after, mut s, mut taken) = (self.current(after, budget)?, self.current(s, budget)?, taken);
        for s in [&mut after, &mut s, &mut taken] {
            self.restrict(s, budget)?;
        }
        let mut set = (*after.set).clone();
        if settles(cx.program, step.to) {
            // The values after the assignments stand beside those before, which the functions read.
            let mut moved = FixedBitSet::with_capacity(set.num_vars() as usize);
            let mut relation = self.layout.set.mk_true();
            let mut lost = Vec::new();
            for (v, value) in taken.store.iter() {
                let Some(slot) = self.layout.slot(*v) else { continue };
                let Value::Word(word) = value else {
                    lost.push(slot);
                    continue;
                };
                let width = self.layout.width(self.layout.version(), slot) as usize;
                let code = self.layout.slots[slot as usize].encode(&mut self.graph, word);
                for (i, value) in code[..width].iter().enumerate() {
                    let bit = self.layout.slots[slot as usize].bits[i];
                    moved.insert(now(bit).to_index());
                    let value = self.diagram(*value, budget)?;
                    let same = self.layout.set.mk_var(next(bit)).iff(&value);
                    relation = self.diagrams.and(&relation, &same, budget)?;
                }
            }
            set = self.without(&set, &lost, budget)?;
            let set_after = diagrams::renamed(set, |at| moved.contains(at).then_some(at + 1));
            set = self.diagrams.and_exists((&set_after, &relation), |v| v.to_index() % 2 == 1, budget)?;
        }
        if let Action::Op(Op::Input { var, .. }) = step.action
            && let Some(slot) = self.layout.slot(*var)
        {
            set = self.without(&set, &[slot], budget)?;
            s.set = Rc::new(self.diagrams.and(&s.set, &set, budget)?);
        } else {
            let both = self.diagrams.and(&taken.set, &set, budget)?;
            s.set = Rc::new(both);
        }
        Ok((!s.set.is_false()).then_some(s))
    }

    /// What was counted so far.
    fn counters(&mut self) -> Option<profile::Diagrams> {
        let version = self.layout.version();
        let mut counters = self.diagrams.counters;
        if self.diagrams.counters.bits == 0 || counters.widenings > 0 {
            counters.bits =
                (0..self.layout.slots.len() as SlotId).map(|s| u64::from(self.layout.width(version, s))).sum();
            self.diagrams.counters.bits = counters.bits;
        }
        Some(counters)
    }
}
