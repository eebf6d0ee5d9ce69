//! Executions of a transition system as formulas: from one cut point on, layer by layer. A layer has one symbolic state for each cut
//! point that is reached after this number of blocks; paths that meet there are joined. Values are substituted, not equated, so that
//! whatever constants decide is decided by simplification.
//!
//! The symbols [`Symbol::Start`](super::Symbol::Start) stand for the values where the unrolling begins. All other symbols of blocks have
//! a copy in each layer.

use super::formula::{constrain, selector};
use super::graph::{CutId, ExitKind};
use super::symbols::{StackId, Symbol};
use super::system::{System, Transition};
use super::{Formula, Stepped};
use crate::cpa::skeleton::location;
use crate::evidence::outcome::InputVector;
use crate::program::{Budget, Halt};
use cfa::eval::Value;
use cfa::term::Leaf;
use cfa::{EdgeId, InputKind, Op, Sort, SymId, Term, Terms, VarId};
use imbl::ordmap::DiffItem;
use imbl::{OrdMap, OrdSet};
use rustc_hash::FxHashMap;
use smt::Model;
use std::collections::BTreeMap;

/// All executions that are at a cut point after some number of blocks.
#[derive(Clone, Default)]
struct State {
    /// The conjuncts of the condition under which there is one.
    guard: OrdSet<Term>,
    /// Values of variables, by activation; those of missing ones are their symbols.
    values: OrdMap<(StackId, VarId), Term>,
    /// The copies of the block's symbols.
    copies: FxHashMap<SymId, Term>,
}

/// Something bad that is reached.
#[derive(Clone, Copy, Debug)]
pub struct Reached {
    /// The number of blocks before the one that reaches it.
    pub layer: usize,
    /// The index in [`System::bad`].
    pub bad: usize,
    /// The condition under which it is reached.
    pub condition: Term,
}

/// The executions from a cut point.
pub struct Unrolling {
    layers: Vec<BTreeMap<CutId, State>>,
    /// What bad things are reached in the layers that have been left, those of the first layers first.
    pub reached: Vec<Reached>,
    /// The conditions under which inputs have been read that a model approximates.
    approximated: Vec<Term>,
}

impl Unrolling {
    /// The executions of no block, from `begin`.
    pub fn new(begin: CutId) -> Unrolling {
        Unrolling {
            layers: vec![BTreeMap::from([(begin, State::default())])],
            reached: Vec::new(),
            approximated: Vec::new(),
        }
    }

    /// The number of the last layer.
    pub fn last(&self) -> usize {
        self.layers.len() - 1
    }

    /// The cut points of a layer.
    pub fn cuts(&self, layer: usize) -> Vec<CutId> {
        self.layers[layer].keys().copied().collect()
    }

    /// The condition under which an execution is at `cut` in the last layer.
    pub fn condition(&self, terms: &mut Terms, cut: CutId) -> Term {
        match self.layers[self.last()].get(&cut) {
            Some(state) => terms.and_all(state.guard.iter().copied()),
            None => terms.ff(),
        }
    }

    /// Forgets the executions that are at `cut` in the last layer, as there are none.
    pub fn remove(&mut self, cut: CutId) {
        let last = self.last();
        self.layers[last].remove(&cut);
    }

    /// Executes one more block: `reached` gets what the last layer reaches, and a new layer follows.
    ///
    /// Errors: `OutOfTime`.
    pub fn extend(&mut self, system: &mut System<'_>, terms: &mut Terms, budget: Budget<'_>) -> Result<(), Halt> {
        let layer = self.last();
        let mut next: BTreeMap<CutId, State> = BTreeMap::new();
        for (cut, state) in &mut self.layers[layer] {
            system.expand(terms, *cut, budget)?;
            let mut done = FxHashMap::default();
            for &i in &system.bad_from[cut.index()] {
                let mut guard = state.guard.clone();
                let condition = rename(system, terms, state, &mut done, system.bad[i].condition);
                if constrain(terms, &mut guard, condition) {
                    let condition = terms.and_all(guard);
                    self.reached.push(Reached { layer, bad: i, condition });
                }
            }
            for condition in system.graph.block(terms, *cut, budget)?.approximated.clone() {
                let condition = rename(system, terms, state, &mut done, condition);
                let guard = terms.and_all(state.guard.iter().copied());
                self.approximated.push(terms.and(guard, condition));
            }
            for &t in &system.from[cut.index()] {
                let transition = &system.transitions[t];
                let mut guard = state.guard.clone();
                let condition = rename(system, terms, state, &mut done, transition.condition);
                if !constrain(terms, &mut guard, condition) {
                    continue;
                }
                let to = transition.to;
                let mut new = Vec::with_capacity(transition.values.len());
                for (&(v, at), value) in &transition.values {
                    new.push(((at, v), rename(system, terms, state, &mut done, *value)));
                }
                let mut values = without_dead(system, transition, &state.values);
                values.extend(new);
                let arrives = State { guard, values, copies: FxHashMap::default() };
                let joined = match next.remove(&to) {
                    None => arrives,
                    Some(before) => join(system, terms, before, arrives),
                };
                next.insert(to, joined);
            }
        }
        self.layers.push(next);
        Ok(())
    }

    /// The condition that inputs which the language leaves open are zero, as far as they have been read, and that none has been read that
    /// a model approximates.
    pub fn is_definite(&self, system: &System<'_>, terms: &mut Terms) -> Term {
        let cfa = &system.graph.program().cfa;
        let approximated = terms.or_all(self.approximated.iter().copied());
        let mut all = terms.not(approximated);
        for (symbol, copy) in self.layers.iter().flat_map(|layer| layer.values()).flat_map(|state| &state.copies) {
            let Some(Symbol::Input(e, ..)) = system.graph.maker.meaning(*symbol) else { continue };
            let is_open = matches!(&cfa.edges[e].op, Op::Input { kind: InputKind::Undefined, .. });
            if let (true, Sort::Bv(width)) = (is_open, terms.sort(*copy)) {
                let zero = terms.int(width, 0);
                let clear = terms.eq(*copy, zero);
                all = terms.and(all, clear);
            }
        }
        all
    }

    /// The inputs of the execution that `model`, a model of the condition of `goal`, takes from the start of the program. `None` if the
    /// model does not tell.
    pub fn inputs(
        &self,
        system: &mut System<'_>,
        terms: &mut Terms,
        mut model: Model,
        goal: Reached,
    ) -> Option<InputVector> {
        let mut vector = InputVector::default();
        let mut cut = CutId::START;
        for layer in 0..=goal.layer {
            let state = self.layers[layer].get(&cut)?;
            let mut walk = BlockWalk { system, terms, state, model: &mut model, inputs: &mut vector };
            match walk.run(cut)? {
                ExitKind::End(next) => cut = next,
                ExitKind::Target | ExitKind::Unsupported(_) => return Some(vector),
            }
        }
        None
    }
}

/// A term of the block that begins in `state`, over the symbols of the unrolling.
fn rename(
    system: &System<'_>,
    terms: &mut Terms,
    state: &mut State,
    done: &mut FxHashMap<Term, Term>,
    t: Term,
) -> Term {
    let State { values, copies, .. } = state;
    terms.substitute(t, done, &mut |terms, leaf| {
        let Leaf::Sym(symbol) = leaf else { return None };
        if let Some(place) = system.place(symbol) {
            return values.get(&(place.1, place.0)).copied();
        }
        let copy = copies.entry(symbol).or_insert_with(|| {
            let symbol = terms.symbol(symbol).clone();
            terms.fresh(symbol.name, symbol.sort)
        });
        Some(*copy)
    })
}

/// The union of executions that meet. Their conditions exclude each other.
fn join(system: &System<'_>, terms: &mut Terms, a: State, b: State) -> State {
    let common = a.guard.clone().intersection(b.guard.clone());
    let rest = |of: &State| -> Vec<Term> { of.guard.iter().copied().filter(|t| !common.contains(t)).collect() };
    let (of_a, of_b) = (rest(&a), rest(&b));
    let select = selector(terms, &of_a, &of_b);
    let [all_a, all_b] = [of_a, of_b].map(|all| terms.and_all(all));
    let either = terms.or(all_a, all_b);
    let mut guard = common;
    constrain(terms, &mut guard, either);
    let cfa = &system.graph.program().cfa;
    let mut values = b.values.clone();
    for d in a.values.diff(&b.values) {
        let ((at, v), x, y) = match d {
            DiffItem::Add(place, y) => (*place, None, Some(*y)),
            DiffItem::Remove(place, x) => (*place, Some(*x), None),
            DiffItem::Update { old, new } => (*old.0, Some(*old.1), Some(*new.1)),
        };
        // Missing values are those with which the unrolling begins; where that has no symbol yet, nothing reads it.
        let start = system.graph.maker.known(Symbol::Start(v, at));
        let start = start.unwrap_or_else(|| terms.fresh(&*cfa.vars[v].name, cfa.vars[v].sort));
        let joined = terms.ite(select, x.unwrap_or(start), y.unwrap_or(start));
        values.insert((at, v), joined);
    }
    State { guard, values, copies: FxHashMap::default() }
}

/// The values that still matter after a transition, as far as it does not change them.
fn without_dead(
    system: &System<'_>,
    transition: &Transition,
    values: &OrdMap<(StackId, VarId), Term>,
) -> OrdMap<(StackId, VarId), Term> {
    let program = system.graph.program();
    let (loc, _) = system.graph.at(transition.to);
    let of = |at: StackId| values.range((at, VarId(0))..=(at, VarId(u32::MAX))).map(|(place, _)| *place);
    let mut dead: Vec<(StackId, VarId)> = transition.ended.iter().flat_map(|at| of(*at)).collect();
    dead.retain(|(_, v)| program.cfa.is_local(*v));
    for &(at, loc) in &transition.moved {
        dead.extend(of(at).filter(|(_, v)| program.cfa.is_local(*v) && !program.liveness.is_live(loc, *v)));
    }
    let is_dead_global = |v: VarId| !program.cfa.is_local(v) && !program.liveness.is_live(loc, v);
    dead.extend(of(StackId::ROOT).filter(|(_, v)| is_dead_global(*v)));
    let mut left = values.clone();
    for place in dead {
        left.remove(&place);
    }
    left
}

/// The path through a block that a model takes.
struct BlockWalk<'a, 'p> {
    system: &'a mut System<'p>,
    terms: &'a mut Terms,
    state: &'a State,
    model: &'a mut Model,
    inputs: &'a mut InputVector,
}

impl BlockWalk<'_, '_> {
    /// Walks from `cut` to where the block ends, and collects inputs. `None` if the model takes no step.
    fn run(&mut self, cut: CutId) -> Option<ExitKind> {
        let program = self.system.graph.program();
        let (mut loc, mut stack) = self.system.graph.at(cut);
        let mut formula = Formula::default();
        loop {
            if program.is_target(loc) {
                return Some(ExitKind::Target);
            }
            let return_to = self.system.graph.maker.returns(stack).map(|(return_to, _)| return_to);
            let mut taken = None;
            for step in location::leaving(program, loc, return_to) {
                let (mut longer, mut then) = (formula.clone(), stack);
                let stepped = self.system.graph.maker.step(program, self.terms, (&mut longer, &mut then), &step);
                if matches!(stepped, Stepped::Excluded) || !self.holds(&formula, &longer) {
                    continue;
                }
                taken = Some((step, longer, then, stepped));
                break;
            }
            let (step, longer, then, stepped) = taken?;
            if let checker::Step::Edge(e) = step.taken {
                if matches!(stepped, Stepped::Unsupported) {
                    return Some(ExitKind::Unsupported(e));
                }
                self.read(e, stack);
            }
            (loc, stack, formula) = (step.to, then, longer);
            if !program.is_target(loc)
                && let Some(end) = self.system.graph.end(&step, stack)
            {
                return Some(ExitKind::End(end));
            }
        }
    }

    /// Records the input that an edge reads, if it does.
    fn read(&mut self, e: EdgeId, stack: StackId) {
        let cfa = self.system.graph.program().cfa.clone();
        let Op::Input { var, .. } = &cfa.edges[e].op else { return };
        let symbol = self.system.graph.maker.symbol(&cfa, self.terms, Symbol::Input(e, *var, stack), *var);
        let value = self.value(symbol).unwrap_or_else(|| Value::zero(cfa.vars[*var].sort));
        self.inputs.inputs.entry(e).or_default().push(value);
    }

    /// Whether the conditions of `longer` that are not in `formula` hold.
    fn holds(&mut self, formula: &Formula, longer: &Formula) -> bool {
        let new: Vec<Term> = longer.conditions().filter(|t| !formula.has(*t)).collect();
        new.into_iter().all(|t| self.value(t).and_then(|v| v.as_bool()) == Some(true))
    }

    fn value(&mut self, t: Term) -> Option<Value> {
        let (system, state) = (&*self.system, self.state);
        let renamed = self.terms.substitute(t, &mut FxHashMap::default(), &mut |_, leaf| match leaf {
            Leaf::Sym(symbol) => match system.place(symbol) {
                Some((v, at)) => state.values.get(&(at, v)).copied(),
                None => state.copies.get(&symbol).copied(),
            },
            Leaf::Var(_) | Leaf::Addr(_) => None,
        });
        self.model.eval(self.terms, renamed)
    }
}
