//! Path formulas: what the paths from the beginning of a block to some location say about the variables.
//!
//! A formula is a condition and values of variables, as terms over the symbols of the block (`symbols`). Two formulas are joined where
//! paths meet; as the paths exclude each other, the join is exact, and values are `ite`-terms.

use super::symbols::{StackId, Stacks, Symbol, Symbols};
use crate::cpa::{Action, Step};
use crate::program::Program;
use crate::program::liveness::Liveness;
use cfa::path::{Effect, Env};
use cfa::term::Leaf;
use cfa::{Cfa, LocId, Op, Scope, Sort, SymId, Term, Terms, VarId};
use imbl::ordmap::DiffItem;
use imbl::{OrdMap, OrdSet, Vector};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Values of local variables. Those of a missing variable are its [`Symbol::Start`], or [`Symbol::Entry`] if `entered`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Locals {
    /// Values of variables.
    pub values: OrdMap<VarId, Term>,
    /// Whether the activation began in the block.
    pub entered: bool,
}

/// The path formula of a block, up to some location.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Formula {
    /// The conjuncts of the condition.
    pub condition: OrdSet<Term>,
    /// Values of variables of global scope; those of a missing variable are its [`Symbol::Start`].
    pub globals: OrdMap<VarId, Term>,
    /// The locals of the running function.
    pub locals: Locals,
    /// The locals of the callers, as far as the block was in them, the direct caller last.
    pub callers: Vector<Locals>,
}

/// What formulas are made with.
#[derive(Default)]
pub struct Maker {
    stacks: Stacks,
    symbols: Symbols,
    /// A cache: the variables of the program's terms.
    read: FxHashMap<Term, Rc<[VarId]>>,
}

/// The result of a step from a formula.
pub enum Stepped {
    /// Control continues.
    Continues,
    /// The condition is false.
    Excluded,
    /// Nothing is known after it.
    Unsupported,
}

impl Formula {
    /// The conjuncts of the condition, ascending.
    pub fn conditions(&self) -> impl Iterator<Item = Term> + '_ {
        self.condition.iter().copied()
    }

    /// Whether `t` is one of the conjuncts.
    pub fn has(&self, t: Term) -> bool {
        self.condition.contains(&t)
    }

    /// Adds a condition; `false` if the formula is false then.
    fn constrain(&mut self, terms: &Terms, condition: Term) -> bool {
        constrain(terms, &mut self.condition, condition)
    }

    /// The locals of the activation `depth` below the running one, if the block was in it.
    pub fn frame(&self, depth: usize) -> Option<&Locals> {
        match depth {
            0 => Some(&self.locals),
            _ => self.callers.len().checked_sub(depth).and_then(|i| self.callers.get(i)),
        }
    }
}

/// What a formula does to a variable: its activation, and its value at the end of the block; an arbitrary one if that is missing.
pub type Written = (VarId, StackId, Option<Term>);

impl Maker {
    /// The meaning of a symbol; `None` if it is in no formula made here.
    pub fn meaning(&self, symbol: SymId) -> Option<Symbol> {
        self.symbols.meaning(symbol)
    }

    /// The variables that a formula changes, where the stack is `stack`. The value of a local whose activation began in the block may be
    /// arbitrary; of these, only `wanted` ones are listed.
    pub fn written(
        &self,
        cfa: &Cfa,
        (formula, stack): (&Formula, StackId),
        wanted: &dyn Fn(VarId, StackId) -> bool,
    ) -> Vec<Written> {
        let mut all: Vec<Written> = formula.globals.iter().map(|(v, t)| (*v, StackId::ROOT, Some(*t))).collect();
        let mut at = Some(stack);
        for depth in 0..=formula.callers.len() {
            let (Some(here), Some(locals)) = (at, formula.frame(depth)) else { break };
            all.extend(locals.values.iter().map(|(v, t)| (*v, here, Some(*t))));
            if locals.entered {
                let missing = cfa.vars.ids().filter(|v| cfa.is_local(*v) && !locals.values.contains_key(v));
                // What conditions say of it holds at the end, too.
                let value = |v| self.symbols.known(Symbol::Entry(v, here));
                all.extend(missing.filter(|v| wanted(*v, here)).map(|v| (v, here, value(v))));
            }
            at = self.stacks.below(here);
        }
        all
    }

    /// The symbol with this meaning, of the sort of the variable `v`.
    pub fn symbol(&mut self, cfa: &Cfa, terms: &mut Terms, symbol: Symbol, v: VarId) -> Term {
        self.symbols.term(terms, symbol, &cfa.vars[v].name, cfa.vars[v].sort)
    }

    /// The symbol with this meaning, if it is in any formula made here.
    pub fn known(&self, symbol: Symbol) -> Option<Term> {
        self.symbols.known(symbol)
    }

    /// The activation whose variable a predicate means by `v` under `stack`, and the number of activations above it. `None` if there is
    /// none.
    pub fn activation(&self, cfa: &Cfa, stack: StackId, v: VarId) -> Option<(usize, StackId)> {
        match cfa.vars[v].scope {
            Scope::Global => Some((0, StackId::ROOT)),
            Scope::Local(f) => self.stacks.activation(cfa.entry, stack, f),
        }
    }

    /// Where the top activation of `stack` returns to, and the stack below it; `None` for the root.
    pub fn returns(&self, stack: StackId) -> Option<(LocId, StackId)> {
        self.stacks.returns(stack)
    }

    /// The number of activations above that of the entry function.
    pub fn depth(&self, stack: StackId) -> usize {
        self.stacks.depth(stack)
    }

    /// The value of `v` where `formula` ends, under `stack`. `None` as in [`activation`](Maker::activation).
    pub fn value(
        &mut self,
        cfa: &Cfa,
        terms: &mut Terms,
        (formula, stack): (&Formula, StackId),
        v: VarId,
    ) -> Option<Term> {
        let (depth, at) = self.activation(cfa, stack, v)?;
        let (known, entered) = match (cfa.vars[v].scope, formula.frame(depth)) {
            (Scope::Global, _) => (formula.globals.get(&v), false),
            (Scope::Local(_), Some(locals)) => (locals.values.get(&v), locals.entered),
            (Scope::Local(_), None) => (None, false),
        };
        if let Some(t) = known {
            return Some(*t);
        }
        let meaning = if entered { Symbol::Entry(v, at) } else { Symbol::Start(v, at) };
        Some(self.symbol(cfa, terms, meaning, v))
    }

    /// `predicate`, a term over variables, where `formula` ends. `None` if it mentions a local of a function that is not active.
    pub fn instance(&mut self, cfa: &Cfa, terms: &mut Terms, at: (&Formula, StackId), predicate: Term) -> Option<Term> {
        let mut complete = true;
        let mut done = FxHashMap::default();
        let instance = terms.substitute(predicate, &mut done, &mut |terms, leaf| match leaf {
            Leaf::Var(v) => {
                let value = self.value(cfa, terms, at, v);
                complete &= value.is_some();
                value
            }
            Leaf::Sym(_) | Leaf::Addr(_) => None,
        });
        complete.then_some(instance)
    }

    /// Takes a step, and updates the stack.
    pub fn step(
        &mut self,
        program: &Program,
        terms: &mut Terms,
        (formula, stack): (&mut Formula, &mut StackId),
        step: &Step<'_>,
    ) -> Stepped {
        let cfa = &program.cfa;
        if let checker::Step::Edge(e) = step.taken
            && !program.is_deterministic(step.from)
        {
            let number = program.view.out(step.from).iter().position(|out| out.edge == e).unwrap_or(0);
            let choice = self.symbols.term(terms, Symbol::Choice(step.from, *stack), "choice", Sort::Bv(32));
            let number = terms.int(32, number as u64);
            let chosen = terms.eq(choice, number);
            formula.constrain(terms, chosen);
        }
        match step.action {
            Action::Op(op) => self.operate(cfa, terms, (formula, *stack), step.taken, op),
            Action::Enter(f, return_to) => {
                let entered = Locals { entered: true, ..Locals::default() };
                formula.callers.push_back(std::mem::replace(&mut formula.locals, entered));
                *stack = self.stacks.push(*stack, f, return_to);
                Stepped::Continues
            }
            Action::Leave => {
                formula.locals = formula.callers.pop_back().unwrap_or_default();
                let Some(below) = self.stacks.below(*stack) else { return Stepped::Excluded };
                *stack = below;
                Stepped::Continues
            }
        }
    }

    fn operate(
        &mut self,
        cfa: &Cfa,
        terms: &mut Terms,
        (formula, stack): (&mut Formula, StackId),
        taken: checker::Step,
        op: &Op,
    ) -> Stepped {
        if let (Op::Input { var, .. }, checker::Step::Edge(e)) = (op, taken) {
            let input = self.symbol(cfa, terms, Symbol::Input(e, *var, stack), *var);
            match cfa.vars[*var].scope {
                Scope::Global => formula.globals.insert(*var, input),
                Scope::Local(_) => formula.locals.values.insert(*var, input),
            };
            return Stepped::Continues;
        }
        let mut env = Env { globals: formula.globals.clone(), locals: formula.locals.values.clone() };
        // Values that the operation reads get their symbols here, and no fresh ones there.
        let mut unchanged = Vec::new();
        for t in op.terms() {
            let read = self.read.entry(t).or_insert_with(|| terms.vars(t).into()).clone();
            for &v in read.iter() {
                if env.get(cfa, v).is_none()
                    && let Some(value) = self.value(cfa, terms, (formula, stack), v)
                {
                    env.set(cfa, v, value);
                    unchanged.push((v, value));
                }
            }
        }
        let effect = env.apply(cfa, terms, op);
        for (v, value) in unchanged {
            if env.get(cfa, v) == Some(value) {
                match cfa.vars[v].scope {
                    Scope::Global => env.globals.remove(&v),
                    Scope::Local(_) => env.locals.remove(&v),
                };
            }
        }
        (formula.globals, formula.locals.values) = (env.globals, env.locals);
        match effect {
            Effect::Constrain(condition) if !formula.constrain(terms, condition) => Stepped::Excluded,
            Effect::Continue | Effect::Call | Effect::Fresh(_) | Effect::Constrain(_) => Stepped::Continues,
            Effect::Unsupported => Stepped::Unsupported,
        }
    }

    /// The union of two formulas for paths that begin together and meet at `loc` under `stack`.
    pub fn join(
        &mut self,
        program: &Program,
        terms: &mut Terms,
        (loc, stack): (LocId, StackId),
        a: &Formula,
        b: &Formula,
    ) -> Formula {
        let common = a.condition.clone().intersection(b.condition.clone());
        let rest =
            |of: &Formula| -> Vec<Term> { of.condition.iter().copied().filter(|t| !common.contains(t)).collect() };
        let (of_a, of_b) = (rest(a), rest(b));
        let select = selector(terms, &of_a, &of_b);
        let [all_a, all_b] = [of_a, of_b].map(|all| terms.and_all(all));
        let either = terms.or(all_a, all_b);
        let mut joined = Formula { condition: common, ..b.clone() };
        joined.constrain(terms, either);
        let cfa = &program.cfa;
        let live = Some((&program.liveness, loc));
        let mut join = Join { maker: self, cfa, terms, select };
        joined.globals = join.values((&a.globals, &b.globals), (StackId::ROOT, false), live);
        joined.locals = join.locals(&a.locals, &b.locals, stack, live);
        let depth = a.callers.len().max(b.callers.len());
        let (mut at, mut callers) = (stack, Vector::new());
        for i in 1..=depth {
            at = join.maker.stacks.below(at).unwrap_or(StackId::ROOT);
            let none = Locals::default();
            let [x, y] = [a, b].map(|f| f.frame(i).unwrap_or(&none).clone());
            callers.push_front(join.locals(&x, &y, at, None));
        }
        joined.callers = callers;
        joined
    }
}

/// Joins values.
struct Join<'a> {
    maker: &'a mut Maker,
    cfa: &'a Cfa,
    terms: &'a mut Terms,
    /// Holds on the paths of the first formula, and not on those of the second one.
    select: Term,
}

impl Join<'_> {
    fn locals(&mut self, a: &Locals, b: &Locals, at: StackId, live: Option<(&Liveness, LocId)>) -> Locals {
        let entered = a.entered && b.entered;
        Locals { values: self.values((&a.values, &b.values), (at, entered), live), entered }
    }

    fn values(
        &mut self,
        (a, b): (&OrdMap<VarId, Term>, &OrdMap<VarId, Term>),
        (at, entered): (StackId, bool),
        live: Option<(&Liveness, LocId)>,
    ) -> OrdMap<VarId, Term> {
        let mut joined = b.clone();
        for d in a.diff(b) {
            let (v, x, y) = match d {
                DiffItem::Add(v, y) => (*v, None, Some(*y)),
                DiffItem::Remove(v, x) => (*v, Some(*x), None),
                DiffItem::Update { old, new } => (*old.0, Some(*old.1), Some(*new.1)),
            };
            let value = if live.is_some_and(|(liveness, loc)| !liveness.is_live(loc, v)) {
                self.maker.symbol(self.cfa, self.terms, Symbol::Dead(v, at), v)
            } else {
                let missing = if entered { Symbol::Entry(v, at) } else { Symbol::Start(v, at) };
                let [x, y] = [x, y].map(|t| t.unwrap_or_else(|| self.maker.symbol(self.cfa, self.terms, missing, v)));
                self.terms.ite(self.select, x, y)
            };
            joined.insert(v, value);
        }
        joined
    }
}

/// Adds the conjuncts of `condition` to `all`; `false` if one of them is false.
pub(super) fn constrain(terms: &Terms, all: &mut OrdSet<Term>, condition: Term) -> bool {
    let conjuncts = terms.conjuncts(&[condition]);
    let is_possible = conjuncts.iter().all(|t| terms.as_bool(*t) != Some(false));
    all.extend(conjuncts);
    is_possible
}

/// A condition that holds where all of `a` do, but not where all of `b` do, if these exclude each other: one of `a` whose negation is in
/// `b`, or all of `a`.
pub(super) fn selector(terms: &mut Terms, a: &[Term], b: &[Term]) -> Term {
    for &t in a {
        let negated = terms.not(t);
        if b.contains(&negated) {
            return t;
        }
    }
    terms.and_all(a.iter().copied())
}
