//! The explicit-value CPA ([Beyer, Stahlbauer 2014, 1]; [Lemberger 2015, 2.1]; Beyer, Löwe, FASE 2013).
//!
//! * Lattice: partial maps from variables to concrete values, ordered by reverse inclusion; a variable without a value may have any
//!   value. A memory may be known cell by cell.
//! * Transfer: evaluation. What depends on an unknown value is unknown. If a condition is undecided, both branches are taken; if it fixes
//!   the value of a variable, the variable is set.
//! * Merge-sep, or merge-join, which keeps what both states know.
//! * Stop-sep, by inclusion.
//!
//! The analysis does not track relations between unknown values. With merge-sep, memories cover each other only if they are equal, not if
//! one just has fewer known cells.
//!
//! States share common parts (`persistent_map`), memories and wide values are hash-consed in this module, and variables are forgotten when they
//! die, so that states that agree on everything that matters cover each other.

mod array;
mod eval;
mod join;
mod persistent_map;
mod slots;

use crate::cpa::dead_variables::{Dying, dying};
use crate::cpa::precision::{Conditions, Precision, Tracked, TracksVariables};
use crate::cpa::{Action, Cpa, Cx, Index, Step, Successors};
use crate::domains::predicate::Abstracts;
use crate::domains::product::{Part, Settings};
use crate::program::domain_types::{DomainType, DomainTypes};
use crate::program::unsupported::unsupported_construct;
use crate::program::{Halt, Program};
use array::{ArrayLabel, KnownArray};
use cfa::bv::Bv;
use cfa::{EdgeId, FuncId, Id, LocId, Op, Sort, Term, VarId};
use checker::Label;
use eval::{Known, Valuation, eval, implied};
use imbl::OrdMap;
use persistent_map::Values;
use rustc_hash::FxHashMap;
use slots::{Place, Slots, UNUSED, Words};
use smallvec::SmallVec;
use std::rc::Rc;

/// The known values of global variables, of the locals of the running activation, and of the locals of its callers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// The running function.
    func: FuncId,
    globals: Rc<Values>,
    locals: Rc<Values>,
    callers: Option<Rc<Caller>>,
}

/// The known locals of a caller.
#[derive(Debug)]
struct Caller {
    func: FuncId,
    locals: Rc<Values>,
    below: Option<Rc<Caller>>,
    /// The hash of these locals and of those of all frames below; likewise the shape.
    hash: u64,
    shape: u64,
}

impl PartialEq for Caller {
    fn eq(&self, other: &Caller) -> bool {
        self.hash == other.hash && self.locals == other.locals && same_callers(&self.below, &other.below)
    }
}

impl Eq for Caller {}

fn same_callers(a: &Option<Rc<Caller>>, b: &Option<Rc<Caller>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Rc::ptr_eq(a, b) || a == b,
        (None, None) => true,
        _ => false,
    }
}

fn combine(a: u64, b: u64) -> u64 {
    (a.rotate_left(23) ^ b).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(b)
}

impl State {
    fn index(&self) -> Index {
        let (hash, shape) = self.callers.as_ref().map_or((0, 0), |c| (c.hash, c.shape));
        Index {
            shape: combine(combine(self.globals.shape(), self.locals.shape()), shape),
            fingerprint: combine(combine(self.globals.hash(), self.locals.hash()), hash),
        }
    }
}

/// The hash of `callers` restricted to the variables known in `pattern`.
fn callers_as(callers: &Option<Rc<Caller>>, pattern: &Option<Rc<Caller>>) -> Option<u64> {
    match (callers, pattern) {
        (None, None) => Some(0),
        (Some(c), Some(p)) if Rc::ptr_eq(c, p) || c.shape == p.shape => Some(c.hash),
        (Some(c), Some(p)) => Some(combine(callers_as(&c.below, &p.below)?, c.locals.hash_as(&p.locals)?)),
        _ => None,
    }
}

fn callers_covered(by: &Option<Rc<Caller>>, callers: &Option<Rc<Caller>>) -> bool {
    match (by, callers) {
        (None, None) => true,
        (Some(b), Some(c)) => {
            Rc::ptr_eq(b, c) || (b.locals.is_subset(&c.locals) && callers_covered(&b.below, &c.below))
        }
        _ => false,
    }
}

/// Hash-consed values that do not fit a word.
#[derive(Default)]
struct Pool {
    wides: Vec<Bv>,
    wide_ids: FxHashMap<Bv, u64>,
    arrays: Vec<KnownArray>,
    array_ids: FxHashMap<u64, SmallVec<[u32; 1]>>,
}

/// Maximum number of memories with equal hashes that a new one is compared with.
const COMPARED_ARRAYS: usize = 8;

impl Pool {
    /// The word that represents `value`; `None` if nothing is known.
    fn word(&mut self, value: Known) -> Option<u64> {
        match value {
            Known::Word(w) => Some(w),
            Known::Wide(v) => Some(match self.wide_ids.get(&v) {
                Some(&id) => id,
                None => {
                    let id = self.wides.len() as u64;
                    self.wides.push(v.clone());
                    self.wide_ids.insert(v, id);
                    id
                }
            }),
            Known::Array(a) if a.is_unknown() => None,
            Known::Array(a) => {
                let ids = self.array_ids.entry(a.hash()).or_default();
                let known = ids.iter().rev().take(COMPARED_ARRAYS).find(|&&id| self.arrays[id as usize] == a);
                Some(u64::from(match known {
                    Some(&id) => id,
                    None => {
                        let id = u32::try_from(self.arrays.len()).expect("fewer than 2^32 memories");
                        ids.push(id);
                        self.arrays.push(a);
                        id
                    }
                }))
            }
        }
    }
}

/// Changes of values, by slot; `None` forgets the value.
type Changes = Vec<(u32, Option<u64>)>;

/// The slots of the variables that are dead after a step.
#[derive(Default)]
struct DyingSlots {
    globals: Vec<u32>,
    locals: Vec<u32>,
}

/// The analysis.
pub struct ValueCpa {
    /// Whether states are joined where paths meet.
    merges: bool,
    /// The largest precision.
    full: Precision,
    slots: Slots,
    pool: Pool,
    /// For each edge, the variables that are dead after it, once they have been computed; likewise for returns, by the two locations.
    on_edges: Vec<Option<Rc<DyingSlots>>>,
    on_returns: FxHashMap<(LocId, LocId), Rc<DyingSlots>>,
    /// The map without values, which is shared.
    none: Rc<Values>,
    /// Buffers that are reused in each step.
    implied: Vec<(VarId, Known)>,
    globals: Changes,
    locals: Changes,
}

/// The precision that tracks the variables of domain types above `most`.
fn larger_types(program: &Program, most: DomainType) -> Precision {
    let types = DomainTypes::new(program);
    Precision::of(Tracked::of(program.cfa.vars.ids().filter(|v| types.of(*v) > most), []))
}

impl ValueCpa {
    /// The analysis of `program`.
    pub fn new(program: &Program) -> ValueCpa {
        ValueCpa {
            merges: false,
            full: Precision::Everything,
            slots: Slots::new(program),
            pool: Pool::default(),
            on_edges: vec![None; program.cfa.edges.len()],
            on_returns: FxHashMap::default(),
            none: Rc::default(),
            implied: Vec::new(),
            globals: Vec::new(),
            locals: Vec::new(),
        }
    }

    /// The same analysis, with merge-join if `merges`, and with merge-sep otherwise.
    pub fn merging(self, merges: bool) -> ValueCpa {
        ValueCpa { merges, ..self }
    }

    fn dying(&mut self, program: &Program, step: &Step<'_>) -> Rc<DyingSlots> {
        let known = match step.taken {
            checker::Step::Edge(e) => self.on_edges[e.index()].as_ref(),
            checker::Step::Return => self.on_returns.get(&(step.from, step.to)),
        };
        if let Some(known) = known {
            return known.clone();
        }
        let Dying { globals, locals } = dying(program, step);
        let slots = |vars: Vec<VarId>| vars.into_iter().map(|v| self.slots.of[v].slot).collect();
        let dying = Rc::new(DyingSlots { globals: slots(globals), locals: slots(locals) });
        match step.taken {
            checker::Step::Edge(e) => self.on_edges[e.index()] = Some(dying.clone()),
            checker::Step::Return => {
                self.on_returns.insert((step.from, step.to), dying.clone());
            }
        }
        dying
    }

    /// Records that `v` gets a value or is forgotten.
    fn change(&mut self, v: VarId, value: Option<Known>) {
        let Place { slot, local, .. } = self.slots.of[v];
        if slot == UNUSED {
            return;
        }
        let word = value.and_then(|k| self.pool.word(k));
        let list = if local { &mut self.locals } else { &mut self.globals };
        match list.iter_mut().find(|(s, _)| *s == slot) {
            Some(entry) => entry.1 = word,
            None => list.push((slot, word)),
        }
    }

    fn operate(&mut self, cx: &mut Cx<'_>, s: &State, op: &Op, edge: EdgeId, pi: &Precision) -> Result<bool, Halt> {
        let program = cx.program;
        match op {
            Op::Skip | Op::Call(_) => {}
            Op::Assign(list) => {
                for (v, t) in list.iter() {
                    let reader = Reader { cpa: self, s };
                    let value = if pi.tracks(*v) { eval(&program.base, &reader, *t) } else { None };
                    self.change(*v, value);
                }
            }
            Op::Input { var, .. } => self.change(*var, None),
            Op::Assume { cond, .. } => {
                let reader = Reader { cpa: self, s };
                match eval(&program.base, &reader, *cond) {
                    Some(Known::Word(0)) => return Ok(false),
                    Some(_) => {}
                    None => {
                        let mut found = std::mem::take(&mut self.implied);
                        found.clear();
                        implied(&program.base, &Reader { cpa: self, s }, *cond, true, &mut found);
                        for (v, value) in found.drain(..).filter(|(v, _)| pi.tracks(*v)) {
                            self.change(v, Some(value));
                        }
                        self.implied = found;
                    }
                }
            }
            Op::CallIndirect(_) | Op::Unsupported(_) => {
                return Err(Halt::Unsupported(unsupported_construct(program, edge)));
            }
        }
        Ok(true)
    }

    /// Applies `changes`, and forgets the slots that die.
    fn make(values: &mut Rc<Values>, changes: &mut Changes, dying: &[u32]) {
        for slot in dying {
            match changes.iter_mut().find(|(s, _)| s == slot) {
                Some(entry) => entry.1 = None,
                None if values.get(*slot).is_some() => changes.push((*slot, None)),
                None => {}
            }
        }
        if values.differs(changes) {
            let values = Rc::make_mut(values);
            changes.iter().for_each(|(slot, word)| values.set(*slot, *word));
        }
        changes.clear();
    }
}

/// Read access to the known values of one state.
struct Reader<'a> {
    cpa: &'a ValueCpa,
    s: &'a State,
}

impl Reader<'_> {
    fn word(&self, Place { slot, local, .. }: Place) -> Option<u64> {
        if local { self.s.locals.get(slot) } else { self.s.globals.get(slot) }
    }
}

impl Valuation for Reader<'_> {
    fn value(&self, v: VarId) -> Option<Known> {
        let place = self.cpa.slots.of[v];
        let word = self.word(place)?;
        Some(match place.words {
            Words::Values => Known::Word(word),
            Words::Wides => Known::Wide(self.cpa.pool.wides[word as usize].clone()),
            Words::Memories => Known::Array(self.cpa.pool.arrays[word as usize].clone()),
        })
    }

    fn read(&self, v: VarId, address: u64, width: u32) -> Option<Bv> {
        self.cpa.pool.arrays[self.word(self.cpa.slots.of[v])? as usize].read(address, width)
    }
}

impl TracksVariables for ValueCpa {
    const CONDITIONS: Conditions = Conditions::Values;
}

impl Abstracts for ValueCpa {}

impl Part for ValueCpa {
    const JOINS: bool = true;
    const JOINS_ALONE: bool = false;
    const IMPRECISE: &'static str = "explicit values are too imprecise";

    fn with_settings(program: &Program, settings: &Settings) -> ValueCpa {
        match settings.left_out {
            // States with different values stay apart; others merge if diagrams do.
            Some(most) => ValueCpa { full: larger_types(program, most), ..ValueCpa::new(program) },
            None => ValueCpa::new(program).merging(settings.merges),
        }
    }

    fn tracks(pi: &Precision, v: VarId) -> bool {
        pi.tracks(v)
    }

    fn constant(&self, cx: &mut Cx<'_>, s: &State, v: VarId) -> Option<Term> {
        match (Reader { cpa: self, s }).value(v)? {
            Known::Word(w) => Some(match cx.program.cfa.vars[v].sort {
                Sort::Bool => cx.terms.bool(w == 1),
                sort => cx.terms.int(sort.width(), w),
            }),
            Known::Wide(v) => Some(cx.terms.constant(&v)),
            Known::Array(_) => None,
        }
    }

    fn implies(&self, cx: &mut Cx<'_>, s: &State, cond: Term) -> bool {
        eval(&cx.terms, &Reader { cpa: self, s }, cond) == Some(Known::Word(1))
    }

    fn with_constant(&mut self, cx: &mut Cx<'_>, s: &State, v: VarId, t: Term) -> State {
        let value = match cx.terms.as_bool(t) {
            Some(b) => Some(Known::Word(u64::from(b))),
            None => cx.terms.as_bv(t).map(Known::of_bv),
        };
        if value.is_none() {
            return s.clone();
        }
        self.change(v, value);
        let mut next = s.clone();
        Self::make(&mut next.globals, &mut self.globals, &[]);
        Self::make(&mut next.locals, &mut self.locals, &[]);
        next
    }
}

impl Cpa for ValueCpa {
    type State = State;
    type Precision = Precision;
    type Key = ();

    fn initial(&mut self, cx: &mut Cx<'_>, at: LocId) -> State {
        let func = cx.program.cfa.locs[at].func;
        State { func, globals: self.none.clone(), locals: self.none.clone(), callers: None }
    }

    fn full_precision(&self) -> Precision {
        self.full.clone()
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
        let mut none = Vec::new();
        if self.advance(cx, &mut next, step, pi, &mut none)? != Successors::None {
            out.push(next);
        }
        Ok(())
    }

    fn advance(
        &mut self,
        cx: &mut Cx<'_>,
        s: &mut State,
        step: Step<'_>,
        pi: &Precision,
        _out: &mut Vec<State>,
    ) -> Result<Successors, Halt> {
        self.globals.clear();
        self.locals.clear();
        if let (Action::Op(op), checker::Step::Edge(e)) = (step.action, step.taken)
            && !self.operate(cx, s, op, e, pi)?
        {
            return Ok(Successors::None);
        }
        if matches!(step.action, Action::Leave) && s.callers.is_none() {
            return Ok(Successors::None);
        }
        // The condition shows the values of some variables. They are constants in this state, but the checker would derive them only as
        // constraints.
        let told = matches!(step.action, Action::Op(Op::Assume { .. }));
        let new_facts = told && (s.globals.differs(&self.globals) || s.locals.differs(&self.locals));
        let dying = self.dying(cx.program, &step);
        Self::make(&mut s.globals, &mut self.globals, &dying.globals);
        Self::make(&mut s.locals, &mut self.locals, &dying.locals);
        match step.action {
            Action::Op(_) => {}
            Action::Enter(func, _) => {
                let locals = std::mem::replace(&mut s.locals, self.none.clone());
                let below = s.callers.take();
                let (hash, shape) = below.as_ref().map_or((0, 0), |c| (c.hash, c.shape));
                let (hash, shape) = (combine(hash, locals.hash()), combine(shape, locals.shape()));
                s.callers = Some(Rc::new(Caller { func: s.func, hash, shape, locals, below }));
                s.func = func;
            }
            Action::Leave => {
                if let Some(c) = s.callers.take() {
                    (s.func, s.locals, s.callers) = (c.func, c.locals.clone(), c.below.clone());
                }
            }
        }
        Ok(Successors::One { new_facts })
    }

    fn excludes(&self, cx: &Cx<'_>, s: &State, step: &Step<'_>) -> bool {
        let Action::Op(Op::Assume { cond, .. }) = step.action else { return false };
        eval(&cx.program.base, &Reader { cpa: self, s }, *cond) == Some(Known::Word(0))
    }

    fn covered(&mut self, cx: &mut Cx<'_>, s: &State, by: &State) -> Result<bool, Halt> {
        Ok(by.globals.is_subset(&s.globals)
            && by.locals.is_subset(&s.locals)
            && callers_covered(&by.callers, &s.callers)
            || self.merges && self.joined_covers(cx.program, s, by))
    }

    fn merge(&mut self, cx: &mut Cx<'_>, new: &State, old: &State, _pi: &Precision) -> Result<Option<State>, Halt> {
        Ok(self.merges.then(|| self.join(cx.program, new, old)).filter(|joined| joined != old))
    }

    fn merges(&self) -> bool {
        self.merges
    }

    /// Beside decision diagrams: states do not merge by themselves, but those with equal values do.
    fn in_layers(&self) -> bool {
        matches!(self.full, Precision::Only(_))
    }

    fn common(&mut self, _cx: &mut Cx<'_>, a: &State, b: &State) -> Result<Option<State>, Halt> {
        Ok((a == b).then(|| a.clone()))
    }

    fn key(&self, _s: &State) {}

    fn index(&self, s: &State) -> Option<Index> {
        Some(s.index())
    }

    fn fingerprint_as(&self, s: &State, pattern: &State) -> Option<u64> {
        let (globals, locals) = (s.globals.hash_as(&pattern.globals)?, s.locals.hash_as(&pattern.locals)?);
        Some(combine(combine(globals, locals), callers_as(&s.callers, &pattern.callers)?))
    }

    fn label(&mut self, cx: &mut Cx<'_>, s: &State) -> Label {
        let mut label = Label::default();
        let none = Vec::new();
        label.env.globals = self.stated(cx, &s.globals, &self.slots.globals, &mut label.constraints);
        let locals_of = |f: FuncId| self.slots.locals.get(&f).unwrap_or(&none);
        label.env.locals = self.stated(cx, &s.locals, locals_of(s.func), &mut label.constraints);
        let mut callers = &s.callers;
        while let Some(c) = callers {
            let locals = self.stated(cx, &c.locals, locals_of(c.func), &mut label.constraints);
            label.below.push(locals);
            callers = &c.below;
        }
        label
    }

    fn states_new_facts(&self, step: &Step<'_>, before: &State, after: &State) -> bool {
        // The condition shows the values of some variables. They are constants in this state, but the checker would derive them only as
        // constraints.
        matches!(step.action, Action::Op(Op::Assume { .. }))
            && !(after.globals.is_subset(&before.globals) && after.locals.is_subset(&before.locals))
    }
}

impl ValueCpa {
    /// Known values as terms, by variable.
    fn stated(
        &self,
        cx: &mut Cx<'_>,
        values: &Values,
        vars: &[VarId],
        constraints: &mut Vec<Term>,
    ) -> OrdMap<VarId, Term> {
        let mut env = OrdMap::new();
        for (slot, word) in values.entries() {
            let v = vars[slot as usize];
            let t = match cx.program.cfa.vars[v].sort {
                Sort::Bool => cx.terms.bool(word == 1),
                Sort::Bv(w) if w <= 64 => cx.terms.int(w, word),
                Sort::Bv(_) => cx.terms.constant(&self.pool.wides[word as usize]),
                Sort::Array { .. } => {
                    let ArrayLabel { value, constraints: said } = self.pool.arrays[word as usize].label(&mut cx.terms);
                    constraints.extend(said);
                    value
                }
            };
            env.insert(v, t);
        }
        env
    }
}
