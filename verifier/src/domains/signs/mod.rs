//! The signs CPA: which signs each number may have, read as a signed one (Cousot, Cousot, POPL 1977).
//!
//! * Lattice: partial maps from variables to sets of signs (less than zero, zero, greater than zero), ordered by inclusion, and from
//!   variables to variables that they are copies of, ordered by reverse inclusion; a variable without an entry may have any sign. It is
//!   finite, so nothing is widened.
//! * Transfer: evaluation, which wraps around; adding or subtracting 1 is told apart from adding and subtracting other numbers. A
//!   condition restricts the variables that it compares, and those that they are copies of: C's conditions compare temporaries.
//! * Merge-join, or merge-sep.
//! * Stop-sep, by inclusion, or stop-join: what is beyond another state is expressed for states that differ in one variable.
//!
//! The analysis claims nothing about truth values, numbers of one bit and memories, nor about how variables relate to each other, except
//! for copies. Locals of callers keep their signs during a call; which of them are copies is forgotten.
//!
//! Reading order: `set` (signs and operators), `eval` (terms and conditions), this file.

mod eval;
pub mod set;

use crate::cpa::dead_variables::DeadAfter;
use crate::cpa::precision::{Conditions, Precision, TracksVariables};
use crate::cpa::{Action, Beyond, Cpa, Cx, Index, Step};
use crate::domains::predicate::Abstracts;
use crate::domains::product::{Part, Settings};
use crate::program::unsupported::unsupported_construct;
use crate::program::{Halt, Program};
use cfa::bv::Bv;
use cfa::term::Kind;
use cfa::{EdgeId, LocId, Op, Scope, Sort, Term, VarId};
use checker::Label;
use eval::Evaluator;
use imbl::{OrdMap, Vector};
use set::Signs;

/// Number of times that each condition restricts the variables: what one part of it says may matter to another.
const ROUNDS: usize = 2;

/// Signs by variable; a variable that may have any sign has no entry.
type Known = OrdMap<VarId, Signs>;

/// What is known of global variables, of the locals of the running activation, and of those of its callers, the oldest one first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    globals: Known,
    locals: Known,
    callers: Vector<Known>,
    /// Variables with the value of another one, both global or of the running activation. No variable is a copy of itself by several
    /// steps.
    copies: OrdMap<VarId, VarId>,
}

impl State {
    fn known(&mut self, scope: Scope) -> &mut Known {
        match scope {
            Scope::Global => &mut self.globals,
            Scope::Local(_) => &mut self.locals,
        }
    }

    /// The signs of a variable of the running activation, or of a global one.
    fn signs(&self, v: VarId) -> Signs {
        self.globals.get(&v).or_else(|| self.locals.get(&v)).copied().unwrap_or(Signs::ANY)
    }

    /// Sets the signs of the value that `v` has.
    fn set(&mut self, program: &Program, v: VarId, signs: Signs) {
        let known = self.known(program.cfa.vars[v].scope);
        match signs {
            Signs::ANY => known.remove(&v),
            _ => known.insert(v, signs),
        };
    }

    /// Forgets `v`, whose value is overwritten or never read again. Its copies become copies of its original.
    fn forget(&mut self, program: &Program, v: VarId) {
        self.set(program, v, Signs::ANY);
        let original = self.copies.remove(&v);
        let copies: Vec<VarId> = self.copies.iter().filter(|(_, of)| **of == v).map(|(copy, _)| *copy).collect();
        for copy in copies {
            match original {
                Some(original) => self.copies.insert(copy, original),
                None => self.copies.remove(&copy),
            };
        }
    }

    /// Variables with the value of `v`: itself, what it is a copy of, what that is a copy of, and so on.
    fn originals(&self, v: VarId) -> impl Iterator<Item = VarId> + '_ {
        std::iter::successors(Some(v), |v| self.copies.get(v).copied())
    }

    fn is_within(&self, by: &State) -> bool {
        let mut callers = self.callers.iter().zip(&by.callers);
        is_within(&self.globals, &by.globals)
            && is_within(&self.locals, &by.locals)
            && by.copies.iter().all(|(copy, of)| self.copies.get(copy) == Some(of))
            && (self.callers.ptr_eq(&by.callers) || callers.all(|(own, by)| is_within(own, by)))
    }

    /// What this state represents and `by` does not: the signs of one variable, if the states differ in no other one.
    fn beyond(&self, program: &Program, by: &State) -> Beyond<State> {
        let mut more = by.globals.iter().chain(&by.locals).filter(|(v, signs)| !self.signs(**v).is_subset(**signs));
        let (Some((v, signs)), None) = (more.next(), more.next()) else {
            return if self.is_within(by) { Beyond::Nothing } else { Beyond::All };
        };
        let mut common = self.clone();
        common.set(program, *v, self.signs(*v).intersect(*signs));
        if !common.is_within(by) {
            return Beyond::All;
        }
        let mut rest = self.clone();
        rest.set(program, *v, self.signs(*v).without(*signs));
        Beyond::Part(rest)
    }

    fn join(&self, other: &State) -> State {
        let callers = match self.callers.ptr_eq(&other.callers) {
            true => self.callers.clone(),
            false => self.callers.iter().zip(&other.callers).map(|(a, b)| join(a, b)).collect(),
        };
        let is_common = |(copy, of): &(VarId, VarId)| other.copies.get(copy) == Some(of);
        State {
            globals: join(&self.globals, &other.globals),
            locals: join(&self.locals, &other.locals),
            callers,
            copies: self.copies.iter().map(|(copy, of)| (*copy, *of)).filter(is_common).collect(),
        }
    }
}

fn is_within(known: &Known, by: &Known) -> bool {
    by.iter().all(|(v, signs)| known.get(v).is_some_and(|own| own.is_subset(*signs)))
}

fn join(a: &Known, b: &Known) -> Known {
    let both = a.iter().filter_map(|(v, signs)| Some((*v, signs.union(*b.get(v)?))));
    both.filter(|(_, signs)| *signs != Signs::ANY).collect()
}

/// Whether values of this sort have signs.
fn is_tracked(sort: Sort) -> bool {
    matches!(sort, Sort::Bv(width) if width >= 2)
}

/// The analysis.
#[derive(Default)]
pub struct SignsCpa {
    /// Whether states are joined where paths meet.
    merges: bool,
    dead: DeadAfter,
}

impl SignsCpa {
    /// The analysis, with merge-join if `merges`, and with merge-sep otherwise.
    pub fn new(merges: bool) -> SignsCpa {
        SignsCpa { merges, ..SignsCpa::default() }
    }

    /// Applies an operation to `next`, which is equal to `s`; `false` if it is a condition that cannot hold.
    fn operate(
        cx: &Cx<'_>,
        s: &State,
        next: &mut State,
        (op, edge): (&Op, EdgeId),
        pi: &Precision,
    ) -> Result<bool, Halt> {
        let program = cx.program;
        match op {
            Op::Skip | Op::Call(_) => {}
            Op::Assign(list) => {
                let signs_of = |v: VarId| s.signs(v);
                let mut evaluator = Evaluator::new(&program.base, &signs_of);
                for (v, _) in list.iter() {
                    next.forget(program, *v);
                }
                for (v, t) in list.iter().filter(|(v, _)| pi.tracks(*v)) {
                    next.set(program, *v, evaluator.signs(*t));
                    if let Kind::Var(of) = program.base.kind(*t)
                        && is_tracked(program.base.sort(*t))
                        && pi.tracks(of)
                        && list.iter().all(|(written, _)| *written != of)
                    {
                        next.copies.insert(*v, of);
                    }
                }
            }
            Op::Input { var, .. } => next.forget(program, *var),
            Op::Assume { cond, .. } => {
                for _ in 0..ROUNDS {
                    let before = next.clone();
                    let signs_of = |v: VarId| before.signs(v);
                    let Some(said) = Evaluator::new(&program.base, &signs_of).hold(*cond, true) else {
                        return Ok(false);
                    };
                    let of_originals = |(v, signs)| before.originals(v).map(move |v| (v, signs));
                    for (v, signs) in said.into_iter().flat_map(of_originals).filter(|(v, _)| pi.tracks(*v)) {
                        let both = next.signs(v).intersect(signs);
                        if both == Signs::NONE {
                            return Ok(false);
                        }
                        next.set(program, v, both);
                    }
                }
            }
            Op::CallIndirect(_) | Op::Unsupported(_) => {
                return Err(Halt::Unsupported(unsupported_construct(program, edge)));
            }
        }
        Ok(true)
    }
}

impl TracksVariables for SignsCpa {
    const CONDITIONS: Conditions = Conditions::Values;
}

impl Abstracts for SignsCpa {}

impl Part for SignsCpa {
    const JOINS: bool = true;
    const JOINS_ALONE: bool = true;
    const IMPRECISE: &'static str = "signs are too imprecise";
    const SUBTRACTS: bool = true;

    fn with_settings(_program: &Program, settings: &Settings) -> SignsCpa {
        SignsCpa::new(settings.merges)
    }

    fn tracks(pi: &Precision, v: VarId) -> bool {
        pi.tracks(v)
    }

    fn constant(&self, cx: &mut Cx<'_>, s: &State, v: VarId) -> Option<Term> {
        (s.signs(v) == Signs::ZERO).then(|| cx.terms.constant(&Bv::new(cx.program.cfa.vars[v].sort.width(), 0)))
    }

    fn with_constant(&mut self, cx: &mut Cx<'_>, s: &State, v: VarId, t: Term) -> State {
        let mut next = s.clone();
        if let Some(k) = cx.terms.as_bv(t).filter(|_| is_tracked(cx.terms.sort(t))) {
            next.set(cx.program, v, Signs::of_number(&k));
        }
        next
    }

    fn conditions(&self, cx: &mut Cx<'_>, s: &State) -> Option<Vec<Term>> {
        // Conditions speak of the running activation only.
        if !s.callers.iter().all(Known::is_empty) {
            return None;
        }
        let vars = &cx.program.cfa.vars;
        let mut all = Vec::new();
        for (v, signs) in s.globals.iter().chain(&s.locals) {
            let own = cx.terms.var(*v, vars[*v].sort);
            all.push(signs.condition(&mut cx.terms, own));
        }
        for (copy, of) in &s.copies {
            let [copy, of] = [copy, of].map(|v| cx.terms.var(*v, vars[*v].sort));
            all.push(cx.terms.eq(copy, of));
        }
        Some(all)
    }

    fn implies(&self, cx: &mut Cx<'_>, s: &State, cond: Term) -> bool {
        let signs_of = |v: VarId| s.signs(v);
        Evaluator::new(&cx.terms, &signs_of).hold(cond, false).is_none()
    }
}

impl Cpa for SignsCpa {
    type State = State;
    type Precision = Precision;
    type Key = ();

    fn initial(&mut self, _cx: &mut Cx<'_>, _at: LocId) -> State {
        State::default()
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
        if let (Action::Op(op), checker::Step::Edge(e)) = (step.action, step.taken)
            && !SignsCpa::operate(cx, s, &mut next, (op, e), pi)?
        {
            return Ok(());
        }
        let dead = self.dead.step(cx.program, &step);
        for v in dead.globals.iter().chain(&dead.locals) {
            next.forget(cx.program, *v);
        }
        if !matches!(step.action, Action::Op(_)) {
            next.copies.clear();
        }
        match step.action {
            Action::Op(_) => {}
            Action::Enter(..) => next.callers.push_back(std::mem::take(&mut next.locals)),
            Action::Leave => {
                let Some(locals) = next.callers.pop_back() else { return Ok(()) };
                next.locals = locals;
            }
        }
        out.push(next);
        Ok(())
    }

    fn covered(&mut self, _cx: &mut Cx<'_>, s: &State, by: &State) -> Result<bool, Halt> {
        Ok(s.is_within(by))
    }

    fn beyond(&mut self, cx: &mut Cx<'_>, s: &State, by: &State) -> Result<Beyond<State>, Halt> {
        Ok(s.beyond(cx.program, by))
    }

    fn merge(&mut self, _cx: &mut Cx<'_>, new: &State, old: &State, _pi: &Precision) -> Result<Option<State>, Halt> {
        Ok((self.merges && !new.is_within(old)).then(|| old.join(new)))
    }

    fn merges(&self) -> bool {
        self.merges
    }

    fn key(&self, _s: &State) {}

    /// Inclusion of sets has no fingerprint, so the states at one location are compared one by one.
    fn index(&self, _s: &State) -> Option<Index> {
        Some(Index { shape: 0, fingerprint: 0 })
    }

    fn fingerprint_as(&self, _s: &State, _pattern: &State) -> Option<u64> {
        Some(0)
    }

    /// Each variable has some value, whose signs are known; copies equal each other.
    fn label(&mut self, cx: &mut Cx<'_>, s: &State) -> Label {
        let vars = &cx.program.cfa.vars;
        let mut label = Label::default();
        let mut stated = |known: &Known, also: &[VarId]| -> OrdMap<VarId, Term> {
            let mut values = OrdMap::new();
            for v in known.keys().chain(also) {
                values.entry(*v).or_insert_with(|| cx.terms.fresh(&*vars[*v].name, vars[*v].sort));
            }
            label.constraints.extend(known.iter().map(|(v, signs)| signs.condition(&mut cx.terms, values[v])));
            values
        };
        let copies = s.copies.iter().flat_map(|(copy, of)| [*copy, *of]);
        let (globals, locals): (Vec<VarId>, Vec<VarId>) = copies.partition(|v| vars[*v].scope == Scope::Global);
        label.env.globals = stated(&s.globals, &globals);
        label.env.locals = stated(&s.locals, &locals);
        // The newest caller comes first.
        label.below = s.callers.iter().rev().map(|known| stated(known, &[])).collect();
        let value = |v: &VarId| label.env.globals.get(v).or_else(|| label.env.locals.get(v)).copied();
        for (copy, of) in &s.copies {
            if let (Some(copy), Some(of)) = (value(copy), value(of)) {
                label.constraints.push(cx.terms.eq(copy, of));
            }
        }
        label
    }
}
