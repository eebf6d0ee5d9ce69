//! The block graph as a transition system: a state is a cut point and the values of the variables that are live there; a transition is a
//! block from one cut point to the next.
//!
//! Conditions on states are Bool terms over [`Symbol::Start`] for each cut point apart. So there is no program counter: what others write
//! as a disjunction over it is one term for each cut point here.

use super::formula::Formula;
use super::graph::{BlockGraph, CutId, Exit, ExitKind};
use super::symbols::{StackId, Symbol};
use super::trace::Place;
use super::{Blocks, CutNode, certificate};
use crate::program::{Budget, Halt, Program};
use cfa::term::Leaf;
use cfa::{LocId, SymId, Term, Terms, VarId};
use checker::Certificate;
use rustc_hash::FxHashMap;

/// How much of a program is explored.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum number of cut points.
    pub cuts: usize,
    /// Maximum number of frames of the call stack.
    pub depth: u32,
}

/// A block from one cut point to another one.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Where it begins.
    pub from: CutId,
    /// Which exit of the block it takes.
    pub exit: usize,
    /// Where it ends.
    pub to: CutId,
    /// Under which condition it is taken.
    pub condition: Term,
    /// The values at its end of the variables that it changes, as far as they are live there.
    pub values: FxHashMap<Place, Term>,
    /// The activations that it ends.
    pub ended: Vec<StackId>,
    /// The activations that go on elsewhere than before, with where they do.
    pub moved: Vec<(StackId, LocId)>,
}

/// A block to a target, or to a construct without a model.
#[derive(Clone, Debug)]
pub struct Bad {
    /// Where it begins.
    pub from: CutId,
    /// Which exit of the block it takes.
    pub exit: usize,
    /// What is there.
    pub kind: ExitKind,
    /// Under which condition it is taken.
    pub condition: Term,
}

/// A program as a transition system.
pub struct System<'p> {
    /// Its cut points and blocks.
    pub graph: BlockGraph<'p>,
    /// The transitions.
    pub transitions: Vec<Transition>,
    /// What must not be reached.
    pub bad: Vec<Bad>,
    /// The transitions from each cut point, by index.
    pub from: Vec<Vec<usize>>,
    /// The transitions to each cut point, by index.
    pub into: Vec<Vec<usize>>,
    /// What is bad after each cut point, by index.
    pub bad_from: Vec<Vec<usize>>,
    /// Whether the transitions from each cut point are known.
    expanded: Vec<bool>,
}

impl<'p> System<'p> {
    /// The system of a program, of which only the start is known.
    pub fn new(program: &'p Program) -> System<'p> {
        System {
            graph: BlockGraph::new(program, Blocks::Loops),
            transitions: Vec::new(),
            bad: Vec::new(),
            from: vec![Vec::new()],
            into: vec![Vec::new()],
            bad_from: vec![Vec::new()],
            expanded: vec![false],
        }
    }

    /// Explores all of it.
    ///
    /// Errors: `OutOfTime`; `OutOfBudget` and `TooDeep` above the limits.
    pub fn complete(&mut self, terms: &mut Terms, limits: Limits, budget: Budget<'_>) -> Result<(), Halt> {
        self.graph.explore(terms, limits.cuts, limits.depth, budget)?;
        for cut in self.cuts() {
            self.expand(terms, cut, budget)?;
        }
        Ok(())
    }

    /// Finds the transitions from a cut point, once.
    ///
    /// Errors: as [`BlockGraph::block`].
    pub fn expand(&mut self, terms: &mut Terms, cut: CutId, budget: Budget<'_>) -> Result<(), Halt> {
        budget.check()?;
        if self.expanded.get(cut.index()) == Some(&true) {
            return Ok(());
        }
        let block = self.graph.block(terms, cut, budget)?;
        let n = self.graph.len();
        for lists in [&mut self.from, &mut self.into, &mut self.bad_from] {
            lists.resize(n, Vec::new());
        }
        self.expanded.resize(n, false);
        self.expanded[cut.index()] = true;
        for (exit, e) in block.exits.iter().enumerate() {
            let condition = terms.and_all(e.formula.conditions());
            let ExitKind::End(to) = e.kind else {
                self.bad_from[cut.index()].push(self.bad.len());
                self.bad.push(Bad { from: cut, exit, kind: e.kind, condition });
                continue;
            };
            let (ended, moved) = self.activations(cut, to);
            let values = self.values(terms, (e, to), &moved);
            self.from[cut.index()].push(self.transitions.len());
            self.into[to.index()].push(self.transitions.len());
            self.transitions.push(Transition { from: cut, exit, to, condition, values, ended, moved });
        }
        Ok(())
    }

    /// The cut points.
    pub fn cuts(&self) -> impl Iterator<Item = CutId> + use<> {
        (0..self.graph.len() as u32).map(CutId)
    }

    /// Whether the value of a variable at a cut point may matter.
    pub fn is_live(&self, cut: CutId, (v, at): Place) -> bool {
        let program = self.graph.program();
        let (loc, stack) = self.graph.at(cut);
        if !program.cfa.is_local(v) {
            return program.liveness.is_live(loc, v);
        }
        continues(&self.graph, (loc, stack), at).is_some_and(|loc| program.liveness.is_live(loc, v))
    }

    /// The activations of `from` that are over at `to`, and those of `to` that go on elsewhere than at `from`, with where they do.
    fn activations(&self, from: CutId, to: CutId) -> (Vec<StackId>, Vec<(StackId, LocId)>) {
        let maker = &self.graph.maker;
        let (_, mut old) = self.graph.at(from);
        let (mut loc, mut stack) = self.graph.at(to);
        let (mut ended, mut moved) = (Vec::new(), Vec::new());
        loop {
            let [a, b] = [old, stack].map(|s| maker.depth(s));
            if old == stack {
                moved.push((stack, loc));
                return (ended, moved);
            }
            if a >= b {
                ended.push(old);
                old = maker.returns(old).map_or(StackId::ROOT, |(_, below)| below);
            }
            if b >= a {
                moved.push((stack, loc));
                (loc, stack) = maker.returns(stack).unwrap_or((loc, StackId::ROOT));
            }
        }
    }

    /// The live variables that an exit changes, with their values. `moved`: see [`Transition`].
    fn values(
        &self,
        terms: &mut Terms,
        (exit, to): (&Exit, CutId),
        moved: &[(StackId, LocId)],
    ) -> FxHashMap<Place, Term> {
        let program = self.graph.program();
        let cfa = &program.cfa;
        let live = |v: VarId, at: StackId| match moved.iter().find(|(stack, _)| *stack == at) {
            Some((_, loc)) if cfa.is_local(v) => program.liveness.is_live(*loc, v),
            _ => self.is_live(to, (v, at)),
        };
        let written = self.graph.maker.written(cfa, (&exit.formula as &Formula, exit.stack), &live);
        let mut values = FxHashMap::default();
        for (v, at, value) in written {
            if live(v, at) {
                let value = value.unwrap_or_else(|| terms.fresh(&*cfa.vars[v].name, cfa.vars[v].sort));
                values.insert((v, at), value);
            }
        }
        values
    }

    /// The variable whose value at the begin of a block the symbol is.
    pub fn place(&self, symbol: SymId) -> Option<Place> {
        match self.graph.maker.meaning(symbol)? {
            Symbol::Start(v, at) => Some((v, at)),
            _ => None,
        }
    }

    /// The value of a variable at the begin of a block.
    pub fn start(&mut self, terms: &mut Terms, (v, at): Place) -> Term {
        let cfa = self.graph.program().cfa.clone();
        self.graph.maker.symbol(&cfa, terms, Symbol::Start(v, at), v)
    }

    /// The variables of which terms speak, ascending.
    pub fn places(&self, terms: &Terms, roots: &[Term]) -> Vec<Place> {
        let symbols = terms.leaves(roots).into_iter().filter_map(|leaf| match leaf {
            Leaf::Sym(s) => self.place(s),
            Leaf::Var(_) | Leaf::Addr(_) => None,
        });
        let mut all: Vec<Place> = symbols.collect();
        all.sort_unstable();
        all
    }

    /// A condition on the state after a transition, as one on the state before it and the inputs.
    pub fn before(&self, terms: &mut Terms, transition: usize, after: Term) -> Term {
        let values = &self.transitions[transition].values;
        terms.substitute(after, &mut FxHashMap::default(), &mut |_, leaf| match leaf {
            Leaf::Sym(s) => values.get(&self.place(s)?).copied(),
            Leaf::Var(_) | Leaf::Addr(_) => None,
        })
    }

    /// The certificate that `invariants`, one for each cut point, are inductive and exclude what is bad. That of the start must be true;
    /// cut points whose invariant is false are left out.
    ///
    /// Errors: as [`certificate`].
    pub fn certificate(
        &mut self,
        terms: &mut Terms,
        invariants: &[Term],
        budget: Budget<'_>,
    ) -> Result<Certificate, Halt> {
        let reached: Vec<CutId> = self.cuts().filter(|c| terms.as_bool(invariants[c.index()]) != Some(false)).collect();
        let numbers: FxHashMap<CutId, usize> = reached.iter().enumerate().map(|(i, cut)| (*cut, i)).collect();
        let mut nodes = Vec::with_capacity(reached.len());
        for cut in reached {
            let block = self.graph.block(terms, cut, budget)?;
            let leads = |exit: &Exit| match exit.kind {
                ExitKind::End(to) => numbers.get(&to).copied(),
                ExitKind::Target | ExitKind::Unsupported(_) => None,
            };
            let exits = block.exits.iter().map(leads).collect();
            nodes.push(CutNode { cut, label: Some(invariants[cut.index()]), exits });
        }
        certificate(&mut self.graph, terms, &nodes, budget)
    }
}

/// Where the activation `at` of the stack goes on; `None` if it is not on the stack.
fn continues(graph: &BlockGraph<'_>, (mut loc, mut stack): (LocId, StackId), at: StackId) -> Option<LocId> {
    while stack != at {
        (loc, stack) = graph.maker.returns(stack)?;
    }
    Some(loc)
}
