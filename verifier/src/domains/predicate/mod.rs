//! Predicate abstraction as a configurable program analysis, with adjustable blocks (Graf, Saïdi, CAV 1997; Beyer, Keremoglu, Wendler,
//! FMCAD 2010; [Beyer, Stahlbauer 2014]).
//!
//! A state is `(A, F)`: the last abstraction `A`, a combination of predicates as a decision diagram, and the path formula `F` of the block
//! since then (`formula`), over symbols for the values where the block begins. It represents all values that result from values of the
//! symbols that satisfy both.
//!
//! * Lattice: `(A, F)` is below `(B, G)` if both blocks have just begun and `A` implies `B`; elsewhere, if they are in the same block and
//!   `F` implies `G` with equal values.
//! * Transfer: `F` is extended by the operation. Where the block ends, `(A, F)` becomes `(A', true)`, where `A'` is what `A` and `F` imply
//!   about the predicates that the precision tracks there (`abstraction`). If `A` and `F` exclude each other, there is no successor.
//!   Elsewhere, this is found out only before targets and constructs without a model.
//! * Merge: the union of `F` and `G` for states of the same block (the same `A`); states with different abstractions are kept apart.
//! * Stop: one state covers.
//!
//! Blocks end at the heads of loops and before calls of recursive functions, so that each block is a finite acyclic part of the
//! program; by a setting also at calls and returns, or after each edge ([`Blocks`]). A predicate may mention the locals of all active
//! functions; those of the youngest activation are meant, and what predicates say about older ones is forgotten.
//!
//! The abstraction is the operator `prec` of CPA+ [Lemberger 2018, 2.6.2]: it adjusts a state to the precision, or shows that it is none.
//! Between transfer and `prec` other parts of a composition say what they know where a block ends: these conditions help to find `A'`, and
//! hold where the next block begins. So invariants of the interval domain strengthen the abstraction, as [Dangl 2013, 5.5.3] has it, and
//! refinement need not find them again.
//!
//! The analysis does not claim that a state has a concrete one: what the solver does not decide counts as possible.

mod abstraction;
mod abstracts;
mod precision;
mod table;

pub use abstraction::Method;
pub use abstracts::Abstracts;
pub use precision::{Place, Predicates, Scope};

use crate::blocks::{Block, Blocks, Ends, Formula, Maker, StackId, Stepped, Symbol};
use crate::cpa::precision::{Refinable, Tracked};
use crate::cpa::{Cpa, Cx, Index, Step};
use crate::domains::product::{Part, Settings};
use crate::program::unsupported::unsupported_construct;
use crate::program::{Halt, Program};
use abstraction::{Abstracting, Instance};
use biodivine_lib_bdd::{Bdd, BddVariable};
use cfa::term::Leaf;
use cfa::{Cfa, LocId, Term, Terms, VarId};
use checker::Label;
use imbl::OrdMap;
use imbl::ordmap::DiffItem;
use rustc_hash::FxHashSet;
use smt::{Bits, Limits};
use std::rc::Rc;
use std::time::Duration;
use table::Table;

/// Settings of predicate abstraction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Where blocks end.
    pub blocks: Blocks,
    /// How abstractions are computed.
    pub method: Method,
    /// Where the predicates of a refinement are tracked.
    pub scope: Scope,
}

/// An abstraction that was computed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct AbstractionId(u32);

struct Abstraction {
    diagram: Bdd,
    loc: LocId,
    stack: StackId,
    /// The block before it.
    before: Option<Before>,
}

/// A finished block.
#[derive(Clone)]
struct Before {
    begin: AbstractionId,
    known: Known,
    formula: Rc<Formula>,
}

/// What other parts of a composition know where a block begins: Bool terms over its symbols.
type Known = Rc<[Term]>;

/// A state: the last abstraction, and the path formula since then.
#[derive(Clone, Debug)]
pub struct State {
    /// The last abstraction.
    pub begin: AbstractionId,
    /// What other parts know about the values with which the block begins.
    known: Known,
    /// The path formula since then.
    pub formula: Rc<Formula>,
    /// Where control is.
    pub loc: LocId,
    /// The call stack.
    pub stack: StackId,
    /// Whether the last step ended a block.
    pub ends: bool,
    /// If the formula is a join: what it joins. (Used to find out quickly what it covers, not a part of the state.)
    joined: Rc<Vec<Rc<Formula>>>,
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        let at = |s: &State| (s.begin, s.loc, s.stack, s.ends);
        at(self) == at(other) && self.formula == other.formula && self.known == other.known
    }
}

impl Eq for State {}

/// Maximum time of a query whether a state between abstractions covers another one.
const COVER: Duration = Duration::from_millis(200);

/// Maximum time of a query whether a target is reached.
const TARGET: Duration = Duration::from_secs(5);

/// The analysis.
pub struct PredicateCpa {
    options: Options,
    /// Whether formulas are joined where paths meet.
    merges: bool,
    ends: Ends,
    maker: Maker,
    table: Table,
    /// What enumerates the combinations of predicates.
    circuits: Bits,
    abstractions: Vec<Abstraction>,
}

impl PredicateCpa {
    /// The analysis of `program`; if `merges`, formulas are joined where paths of a block meet.
    pub fn new(program: &Program, options: Options, merges: bool) -> PredicateCpa {
        PredicateCpa {
            options,
            merges,
            ends: Ends::new(program, options.blocks),
            maker: Maker::default(),
            table: Table::default(),
            circuits: Bits::new(Limits::default()),
            abstractions: Vec::new(),
        }
    }

    /// Its settings.
    pub fn options(&self) -> Options {
        self.options
    }

    /// The abstractions on the way to a state, and the blocks that begin with them, the last one unfinished; its formula is empty if the
    /// state ends a block.
    pub fn blocks(&self, s: &State) -> Vec<(AbstractionId, Block)> {
        let mut blocks = Vec::new();
        let mut last = Before { begin: s.begin, known: s.known.clone(), formula: s.formula.clone() };
        let mut stack = s.stack;
        loop {
            let Abstraction { loc, stack: here, before, .. } = self.of(last.begin);
            let Before { begin, known, formula } = last;
            blocks.push((begin, Block { begin: (*loc, *here), known, formula, stack }));
            let Some(before) = before else { break };
            (last, stack) = (before.clone(), *here);
        }
        blocks.reverse();
        blocks
    }

    /// What path formulas are made with.
    pub fn maker(&mut self) -> &mut Maker {
        &mut self.maker
    }

    /// What path formulas are made with, and where blocks end.
    pub fn maker_and_ends(&mut self) -> (&mut Maker, &Ends) {
        (&mut self.maker, &self.ends)
    }

    fn of(&self, id: AbstractionId) -> &Abstraction {
        &self.abstractions[id.0 as usize]
    }

    fn add(&mut self, abstraction: Abstraction) -> AbstractionId {
        self.abstractions.push(abstraction);
        AbstractionId(u32::try_from(self.abstractions.len() - 1).expect("fewer than 2^32 abstractions"))
    }

    /// A diagram as a term over the symbols for values where a block begins, under `stack`.
    fn at_start(&mut self, cfa: &Cfa, terms: &mut Terms, diagram: &Bdd, stack: StackId) -> Term {
        let (maker, none) = (&mut self.maker, Formula::default());
        self.table.term(terms, diagram, &mut |terms, p| {
            maker.instance(cfa, terms, (&none, stack), p).expect("predicates of active functions")
        })
    }

    /// What a state itself says: conjuncts over the symbols of its block.
    fn own_facts(&mut self, cx: &mut Cx<'_>, s: &State) -> Vec<Term> {
        let Abstraction { diagram, stack, .. } = self.of(s.begin);
        let (diagram, stack) = (diagram.clone(), *stack);
        let start = self.at_start(&cx.program.cfa, &mut cx.terms, &diagram, stack);
        std::iter::once(start).chain(s.formula.condition.iter().copied()).collect()
    }

    /// What holds in a state, by itself and by what other parts know: conjuncts over the symbols of its block. Of `known`, which are conditions
    /// over program variables, only those are included that say something about symbols of the others or of `about`.
    fn facts(&mut self, cx: &mut Cx<'_>, s: &State, about: &[Term], known: &[Term]) -> Vec<Term> {
        let mut facts = self.own_facts(cx, s);
        let known: Vec<Term> = known.iter().filter_map(|t| self.instance(cx, s, *t)).collect();
        if s.known.is_empty() && known.is_empty() {
            return facts;
        }
        let roots: Vec<Term> = facts.iter().chain(about).copied().collect();
        let leaves: FxHashSet<Leaf> = cx.terms.leaves(&roots).into_iter().collect();
        let says = |t: &Term| cx.terms.leaves(&[*t]).iter().all(|leaf| leaves.contains(leaf));
        facts.extend(s.known.iter().copied().chain(known).filter(says));
        facts
    }

    /// `s`, a state where a block begins, in which the conditions `known` hold, and nothing else by what other parts know.
    fn knowing(&mut self, cx: &mut Cx<'_>, s: State, known: &[Term]) -> State {
        let known = known.iter().filter_map(|t| self.instance(cx, &s, *t)).collect();
        State { known, ..s }
    }

    /// The precision adjustment at the end of a block: the state after it, or `None` if there is none.
    fn abstraction_of(
        &mut self,
        cx: &mut Cx<'_>,
        s: &State,
        pi: &Predicates,
        known: &[Term],
    ) -> Result<Option<State>, Halt> {
        let loc = s.loc;
        let cfa = cx.program.cfa.clone();
        let Abstraction { diagram: before, stack: begin, .. } = self.of(s.begin);
        let (before, begin) = (before.clone(), *begin);
        let (mut predicates, mut touched) = (Vec::new(), self.table.support(&before));
        let func = cfa.locs[loc].func;
        for p in pi.of(loc, func) {
            let Some((variable, term)) = self.tracked(cx, s, p) else { continue };
            let at_start = self.maker.instance(&cfa, &mut cx.terms, (&Formula::default(), begin), p);
            if at_start == Some(term) {
                touched.retain(|v| *v != variable);
            }
            predicates.push(Instance { variable, term });
        }
        let method = self.options.method;
        let about: Vec<Term> = predicates.iter().map(|p| p.term).collect();
        let facts = self.facts(cx, s, &about, known);
        let abstraction =
            Abstracting { cx, table: &self.table, circuits: &mut self.circuits, method, facts }.compute(&predicates)?;
        if abstraction.is_false() {
            return Ok(None);
        }
        let diagram = abstraction.and(&before.exists(&touched));
        let before = Some(Before { begin: s.begin, known: s.known.clone(), formula: s.formula.clone() });
        let begin = self.add(Abstraction { diagram, loc, stack: s.stack, before });
        let next = State { begin, formula: Rc::default(), ends: true, joined: Rc::default(), ..s.clone() };
        Ok(Some(self.knowing(cx, next, known)))
    }

    /// The variable of a predicate, and the predicate in `s`. `None` if it says nothing there.
    fn tracked(&mut self, cx: &mut Cx<'_>, s: &State, p: Term) -> Option<(BddVariable, Term)> {
        let term = self.instance(cx, s, p)?;
        Some((self.table.variable(p)?, term))
    }

    /// A condition over program variables in `s`; `None` if it says nothing there.
    fn instance(&mut self, cx: &mut Cx<'_>, s: &State, p: Term) -> Option<Term> {
        let cfa = cx.program.cfa.clone();
        for v in cx.terms.vars(p) {
            let (depth, _) = self.maker.activation(&cfa, s.stack, v)?;
            // Dead variables may have lost their values.
            if depth == 0 && !cx.program.liveness.is_live(s.loc, v) {
                return None;
            }
        }
        self.maker.instance(&cfa, &mut cx.terms, (&s.formula, s.stack), p)
    }

    /// Whether equal values of the symbols that satisfy `s` satisfy `by` and yield the same values of variables.
    fn within(&mut self, cx: &mut Cx<'_>, s: &State, by: &State) -> bool {
        if !by.known.iter().all(|t| s.known.contains(t)) {
            return false;
        }
        if s.formula == by.formula || by.joined.iter().any(|f| Rc::ptr_eq(f, &s.formula) || *f == s.formula) {
            return true;
        }
        let cfa = cx.program.cfa.clone();
        let mut inside: Vec<Term> = by.formula.condition.iter().copied().collect();
        let mut differing: Vec<VarId> = Vec::new();
        let mut compare = |a: &OrdMap<VarId, Term>, b: &OrdMap<VarId, Term>| {
            differing.extend(a.diff(b).map(|d| match d {
                DiffItem::Add(v, _) | DiffItem::Remove(v, _) => *v,
                DiffItem::Update { old, .. } => *old.0,
            }));
        };
        compare(&s.formula.globals, &by.formula.globals);
        compare(&s.formula.locals.values, &by.formula.locals.values);
        if s.formula.callers != by.formula.callers {
            return false;
        }
        for v in differing {
            let [x, y] = [s, by].map(|s| self.maker.value(&cfa, &mut cx.terms, (&s.formula, s.stack), v));
            let (Some(x), Some(y)) = (x, y) else { return false };
            inside.push(cx.terms.eq(x, y));
        }
        let inside = cx.terms.and_all(inside);
        let mut query = self.facts(cx, s, &[inside], &[]);
        query.push(cx.terms.not(inside));
        cx.satisfiable(&query, COVER) == Some(false)
    }
}

impl Refinable for PredicateCpa {
    /// Variables cannot be tracked.
    fn precisions(&self, _tracked: &Tracked) -> Vec<Predicates> {
        vec![Predicates::default()]
    }

    fn join(&self, a: &Predicates, b: &Predicates) -> Predicates {
        a.join(b)
    }

    fn asks_more(&self, _pi: &Predicates, _before: &Predicates, _program: &Program, _step: &Step<'_>) -> bool {
        false
    }
}

impl Part for PredicateCpa {
    const JOINS: bool = true;
    const JOINS_ALONE: bool = true;
    const IMPRECISE: &'static str = "there are too few predicates";
    const IMPRECISE_MERGED: &'static str = PredicateCpa::IMPRECISE;

    fn with_settings(program: &Program, settings: &Settings) -> PredicateCpa {
        PredicateCpa::new(program, settings.predicates, settings.merges)
    }

    fn tracks(_pi: &Predicates, _v: VarId) -> bool {
        false
    }

    fn constant(&self, _cx: &mut Cx<'_>, _s: &State, _v: VarId) -> Option<Term> {
        None
    }

    fn with_constant(&mut self, _cx: &mut Cx<'_>, s: &State, _v: VarId, _t: Term) -> State {
        s.clone()
    }

    const LISTENS: bool = true;

    fn informed(&mut self, cx: &mut Cx<'_>, s: State, known: &[Term]) -> State {
        if s.ends { self.knowing(cx, s, known) } else { s }
    }
}

impl Cpa for PredicateCpa {
    type State = State;
    type Precision = Predicates;
    type Key = ();

    fn initial(&mut self, _cx: &mut Cx<'_>, at: LocId) -> State {
        if self.abstractions.is_empty() {
            let diagram = self.table.tt();
            self.add(Abstraction { diagram, loc: at, stack: StackId::ROOT, before: None });
        }
        let (begin, stack) = (AbstractionId(0), StackId::ROOT);
        State { begin, known: Rc::default(), formula: Rc::default(), loc: at, stack, ends: true, joined: Rc::default() }
    }

    /// No predicates: there is no largest precision.
    fn full_precision(&self) -> Predicates {
        Predicates::default()
    }

    fn transfer(
        &mut self,
        cx: &mut Cx<'_>,
        s: &State,
        step: Step<'_>,
        _pi: &Predicates,
        out: &mut Vec<State>,
    ) -> Result<(), Halt> {
        let mut next = State { ends: false, loc: step.to, joined: Rc::default(), ..s.clone() };
        let formula = Rc::make_mut(&mut next.formula);
        match self.maker.step(cx.program, &mut cx.terms, (formula, &mut next.stack), &step) {
            Stepped::Continues => {}
            Stepped::Excluded => return Ok(()),
            Stepped::Unsupported => {
                let facts = self.facts(cx, s, &[], &[]);
                return match (cx.satisfiable(&facts, TARGET), step.taken) {
                    (Some(false), _) | (_, checker::Step::Return) => Ok(()),
                    (_, checker::Step::Edge(e)) => Err(Halt::Unsupported(unsupported_construct(cx.program, e))),
                };
            }
        }
        out.push(next);
        Ok(())
    }

    fn adjusts(&self, program: &Program, step: &Step<'_>) -> bool {
        self.ends.after(step) || program.is_target(step.to)
    }

    fn prec(
        &mut self,
        cx: &mut Cx<'_>,
        s: State,
        step: &Step<'_>,
        pi: &Predicates,
        known: &[Term],
    ) -> Result<Option<State>, Halt> {
        if self.ends.after(step) {
            return self.abstraction_of(cx, &s, pi, known);
        }
        let facts = self.facts(cx, &s, &[], known);
        let is_none = cx.satisfiable(&facts, TARGET) == Some(false);
        Ok((!is_none).then_some(s))
    }

    fn covered(&mut self, cx: &mut Cx<'_>, s: &State, by: &State) -> Result<bool, Halt> {
        if s == by {
            return Ok(true);
        }
        if s.ends != by.ends || s.stack != by.stack {
            return Ok(false);
        }
        if s.ends {
            return Ok(self.of(s.begin).diagram.and_not(&self.of(by.begin).diagram).is_false());
        }
        Ok(s.begin == by.begin && self.within(cx, s, by))
    }

    fn merge(&mut self, cx: &mut Cx<'_>, new: &State, old: &State, _pi: &Predicates) -> Result<Option<State>, Halt> {
        let at = |s: &State| (s.begin, s.stack);
        let meet = !new.ends && !old.ends && at(new) == at(old) && new.known == old.known;
        if !self.merges || !meet || new.formula == old.formula || old.joined.contains(&new.formula) {
            return Ok(None);
        }
        if new.joined.contains(&old.formula) {
            return Ok(Some(new.clone()));
        }
        let mut joined: Vec<Rc<Formula>> = Vec::new();
        for s in [old, new] {
            joined.push(s.formula.clone());
            joined.extend(s.joined.iter().cloned());
        }
        let formula = self.maker.join(cx.program, &mut cx.terms, (old.loc, old.stack), &new.formula, &old.formula);
        Ok(Some(State { formula: Rc::new(formula), joined: Rc::new(joined), ..old.clone() }))
    }

    fn merges(&self) -> bool {
        self.merges
    }

    fn key(&self, _s: &State) {}

    fn index(&self, s: &State) -> Option<Index> {
        // Within a block, only states of the same block are compared.
        let shape = if s.ends { 0 } else { 1 + u64::from(s.begin.0) };
        Some(Index { shape, fingerprint: 0 })
    }

    fn fingerprint_as(&self, s: &State, pattern: &State) -> Option<u64> {
        (s.ends == pattern.ends).then_some(0)
    }

    fn label(&mut self, cx: &mut Cx<'_>, s: &State) -> Label {
        let cfa = cx.program.cfa.clone();
        let mut label = Label { constraints: self.own_facts(cx, s), ..Label::default() };
        label.constraints.retain(|t| cx.terms.as_bool(*t) != Some(true));
        label.env.globals = s.formula.globals.clone();
        label.env.locals = s.formula.locals.values.clone();
        label.below.extend(s.formula.callers.iter().rev().map(|c| c.values.clone()));
        // Variables that have the values with which the block began, if something is said about these.
        for leaf in cx.terms.leaves(&label.constraints) {
            let Leaf::Sym(symbol) = leaf else { continue };
            let Some(Symbol::Start(v, at)) = self.maker.meaning(symbol) else { continue };
            let value = cx.terms.sym(symbol);
            let Some((depth, now)) = self.maker.activation(&cfa, s.stack, v) else { continue };
            if now != at || self.maker.value(&cfa, &mut cx.terms, (&s.formula, s.stack), v) != Some(value) {
                continue;
            }
            if !cfa.is_local(v) {
                label.env.globals.insert(v, value);
            } else if depth == 0 {
                label.env.locals.insert(v, value);
            } else {
                label.below.resize_with(label.below.len().max(depth), Default::default);
                label.below[depth - 1].insert(v, value);
            }
        }
        label
    }

    fn states_new_facts(&self, _step: &Step<'_>, _before: &State, after: &State) -> bool {
        after.ends
    }

    fn needs_no_label(&self, s: &State) -> bool {
        !s.ends
    }
}
