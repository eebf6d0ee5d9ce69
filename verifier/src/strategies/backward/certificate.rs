//! Certificates of backward explorations, and of explorations from both ends, at the heads of loops.
//!
//! What an exploration has reached is a *layer*. With forward layers F and backward layers G, of which each one was explored within the one
//! before it, the invariant at a head is
//!
//! ```text
//! F0 and (not G1 or (F2 and (not G3 or ...)))
//! ```
//!
//! It is inductive: a state outside of G1 has no successor in G1, as that would have been reached backward; a successor in G1 of a state of F2 is in
//! F2; and so on. The last layer excludes the targets: if it is a forward one, because it has none; if a backward one, because it has the targets
//! but not the entry. The heads are those of the program and of its reverse; between them the checker executes the program.

use crate::cpa::{Cx, Located};
use crate::evidence::certificate::{Frames, ordered, state_value};
use crate::evidence::outcome::UnknownReason;
use crate::program::Program;
use crate::program::reversed::Reversed;
use crate::reach::explore::Exploration;
use cfa::term::{Kind, Leaf};
use cfa::{FuncId, LocId, Op, Scope, SymId, Term, Terms, VarId};
use checker::{Certificate, Frame, FrameId, Label, Node, NodeId, Step, Successor};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// Maximum number of nodes.
const MOST_NODES: usize = 500_000;

/// A variable, and the number of activations above its own if it is local.
type Slot = (VarId, usize);

/// Where control is, or will be when a frame returns: the location, and the stack.
type At = (LocId, Option<FrameId>);

/// States at a head.
#[derive(Clone)]
struct Reached {
    /// Where the running activations return to, the innermost first, as far as it is known.
    under: Vec<LocId>,
    /// Whether there are no more activations than these.
    is_whole: bool,
    /// What describes the states, over the symbols of slots.
    condition: Term,
}

/// What an exploration has reached at the heads.
#[derive(Clone)]
pub(super) struct Layer {
    is_backward: bool,
    reached: FxHashMap<LocId, Vec<Reached>>,
}

/// Layers, and the conditions that describe them.
#[derive(Clone)]
pub(super) struct Layers<'a> {
    program: &'a Program,
    /// The locations at which labels are stated.
    heads: FxHashSet<LocId>,
    /// The arena of conditions, an overlay over the program's.
    pub(super) terms: Terms,
    slots: FxHashMap<Slot, Term>,
    meanings: FxHashMap<SymId, Slot>,
    layers: Vec<Layer>,
}

/// How an exploration goes through the program.
#[derive(Clone, Copy)]
pub(super) enum Way<'a> {
    Forward,
    Backward(&'a Reversed),
}

impl<'a> Layers<'a> {
    /// No layers; labels are to be stated at `heads`.
    pub(super) fn new(program: &'a Program, heads: impl IntoIterator<Item = LocId>) -> Layers<'a> {
        Layers {
            program,
            heads: heads.into_iter().collect(),
            terms: program.overlay(),
            slots: FxHashMap::default(),
            meanings: FxHashMap::default(),
            layers: Vec::new(),
        }
    }

    /// Adds a layer: what a finished exploration has reached. Targets in it do not matter.
    ///
    /// Errors: it describes states in ways that have no complement without quantifiers.
    pub(super) fn add<C: Located>(
        &mut self,
        way: Way<'_>,
        exploration: &Exploration<C>,
        cpa: &mut C,
        cx: &mut Cx<'_>,
    ) -> Result<(), UnknownReason> {
        let is_backward = matches!(way, Way::Backward(_));
        let mut layer = Layer { is_backward, reached: FxHashMap::default() };
        let arg = &exploration.arg;
        for n in arg.ids().filter(|n| !arg.node(*n).pruned) {
            let state = &arg.node(n).state;
            let at = cpa.key(state);
            let (loc, ascends) = match way {
                Way::Forward => (at.loc, false),
                Way::Backward(reversed) => match reversed.place(at.loc) {
                    Some(place) => (place.loc, place.ascends),
                    None => continue,
                },
            };
            if !self.heads.contains(&loc) {
                continue;
            }
            let (mut under, mut stack) = (Vec::new(), at.stack);
            while let Some((return_to, below)) = cpa.frame(stack) {
                under.push(match way {
                    Way::Forward => return_to,
                    Way::Backward(reversed) => {
                        let call = reversed.call(return_to).expect("a call of the reversed program");
                        self.program.view.rep(self.program.cfa.edges[call].to)
                    }
                });
                stack = below;
            }
            debug_assert!(!is_backward || ascends == under.is_empty());
            let label = cpa.label(cx, state);
            let active: Vec<FuncId> = [loc].iter().chain(&under).map(|l| self.program.cfa.locs[*l].func).collect();
            let Some(condition) = self.condition(way, &active, &cx.terms, &label) else {
                let why = "what was reached cannot be described without symbols";
                return Err(UnknownReason::Imprecise(why.into()));
            };
            layer.reached.entry(loc).or_default().push(Reached { under, is_whole: !is_backward, condition });
        }
        self.layers.push(layer);
        Ok(())
    }

    /// A label over `from`, terms of an exploration, as a condition on slots of the `active` functions, the running one first. (Where control
    /// ascends, the locals of functions that were left are still there, but nothing reads them any more.)
    fn condition(&mut self, way: Way<'_>, active: &[FuncId], from: &Terms, label: &Label) -> Option<Term> {
        let mut bound: FxHashMap<SymId, Term> = FxHashMap::default();
        let mut equal: Vec<(Term, Term)> = Vec::new();
        let below = label.below.iter().enumerate().map(|(i, frame)| (frame, i + 1));
        for (values, depth) in [(&label.env.globals, 0), (&label.env.locals, 0)].into_iter().chain(below) {
            for (v, value) in values {
                let v = match way {
                    Way::Forward => Some(*v),
                    Way::Backward(reversed) => reversed.variable(self.program, *v),
                };
                let is_active = |v: &VarId| match self.program.cfa.vars[*v].scope {
                    Scope::Global => true,
                    Scope::Local(f) => active.get(depth) == Some(&f),
                };
                let Some(v) = v.filter(is_active) else { continue };
                let slot = self.slot((v, depth));
                match from.kind(*value) {
                    Kind::Sym(s) if !bound.contains_key(&s) => drop(bound.insert(s, slot)),
                    _ => equal.push((slot, *value)),
                }
            }
        }
        let mut unbound = false;
        let (mut done, mut all) = (FxHashMap::default(), Vec::new());
        let mut symbol = |terms: &mut Terms, s: SymId| {
            bound.get(&s).copied().unwrap_or_else(|| {
                unbound = true;
                let sort = from.symbol(s).sort;
                terms.fresh("unbound", sort)
            })
        };
        for t in &label.constraints {
            all.push(self.terms.import(from, *t, &mut done, &mut symbol));
        }
        for (slot, value) in equal {
            let value = self.terms.import(from, value, &mut done, &mut symbol);
            all.push(self.terms.eq(slot, value));
        }
        (!unbound).then(|| self.terms.and_all(all))
    }

    fn slot(&mut self, slot: Slot) -> Term {
        if let Some(term) = self.slots.get(&slot) {
            return *term;
        }
        let var = &self.program.cfa.vars[slot.0];
        let symbol = self.terms.fresh_sym(&*var.name, var.sort);
        let term = self.terms.sym(symbol);
        self.slots.insert(slot, term);
        self.meanings.insert(symbol, slot);
        term
    }

    /// The conditions of the last layer, for each location over the program's variables: all of its states there satisfy them. Locations
    /// with more than `most` states are left out, and those where the locals of callers matter.
    pub(super) fn conditions(&mut self, most: usize) -> Vec<(LocId, Term)> {
        let Some(layer) = self.layers.last() else { return Vec::new() };
        let mut all: Vec<(LocId, Term)> = Vec::new();
        for (loc, reached) in &layer.reached {
            let conditions: Vec<Term> = reached.iter().map(|r| r.condition).collect();
            let is_known = |leaf: &Leaf| match leaf {
                Leaf::Sym(s) => self.meanings[s].1 == 0,
                Leaf::Var(_) | Leaf::Addr(_) => true,
            };
            if conditions.len() <= most && self.terms.leaves(&conditions).iter().all(is_known) {
                let any = self.terms.or_all(conditions);
                all.push((*loc, any));
            }
        }
        // What was not reached at all.
        let missing = self.heads.iter().filter(|l| !layer.reached.contains_key(l));
        let nothing = self.terms.ff();
        all.extend(missing.map(|l| (*l, nothing)));
        all.sort_unstable();
        let (cfa, meanings) = (&self.program.cfa, &self.meanings);
        let mut done = FxHashMap::default();
        for (_, condition) in &mut all {
            *condition = self.terms.substitute(*condition, &mut done, &mut |terms, leaf| match leaf {
                Leaf::Sym(s) => {
                    let v = meanings[&s].0;
                    Some(terms.var(v, cfa.vars[v].sort))
                }
                Leaf::Var(_) | Leaf::Addr(_) => None,
            });
        }
        all.retain(|(_, t)| self.terms.as_bool(*t) != Some(true));
        all
    }

    /// Leaves out last layers until the next one is to be a backward one, or a forward one.
    pub(super) fn keep_for(&mut self, backward: bool) {
        while self.layers.last().is_some_and(|last| last.is_backward == backward) {
            self.layers.pop();
        }
    }

    /// The certificate by these layers, of which the last one excludes the targets.
    ///
    /// Errors: activations have no bound.
    pub(super) fn certificate(self) -> Result<Certificate, UnknownReason> {
        let slice = self.program.slice.clone();
        let mut graph = Graph { all: self, frames: Frames::default() };
        let nodes = graph.nodes()?;
        let Graph { all, frames } = graph;
        Ok(Certificate { slice, terms: all.terms, frames: frames.all, nodes, contracts: Vec::new(), explored: None })
    }
}

/// A certificate in the making.
struct Graph<'a> {
    all: Layers<'a>,
    frames: Frames<FrameId>,
}

impl Graph<'_> {
    /// The label at a head.
    fn label(&mut self, (loc, stack): At) -> Label {
        let mut invariant = self.all.terms.tt();
        for i in (0..self.all.layers.len()).rev() {
            let layer = &self.all.layers[i];
            let here = layer.reached.get(&loc).into_iter().flatten();
            let conditions: Vec<Term> = here.filter(|r| self.is_at(r, stack)).map(|r| r.condition).collect();
            let is_backward = layer.is_backward;
            let any = self.all.terms.or_all(conditions);
            invariant = match is_backward {
                // Of the last layer, the rest is not `true` but missing.
                true if i + 1 == self.all.layers.len() => self.all.terms.not(any),
                true => {
                    let outside = self.all.terms.not(any);
                    self.all.terms.or(outside, invariant)
                }
                false => self.all.terms.and(any, invariant),
            };
        }
        let mut label = Label { constraints: self.all.terms.conjuncts(&[invariant]), ..Label::default() };
        for leaf in self.all.terms.leaves(&label.constraints) {
            let Leaf::Sym(symbol) = leaf else { continue };
            let (v, depth) = self.all.meanings[&symbol];
            let value = self.all.terms.sym(symbol);
            state_value(&self.all.program.cfa, &mut label, (v, depth), value);
        }
        label
    }

    /// Whether what was reached is under `stack`.
    fn is_at(&self, reached: &Reached, mut stack: Option<FrameId>) -> bool {
        for return_to in &reached.under {
            let Some(frame) = stack.map(|f| self.frames.all[f as usize]) else { return false };
            if *return_to != frame.return_to {
                return false;
            }
            stack = frame.below;
        }
        !reached.is_whole || stack.is_none()
    }

    /// Where control may go from a place, except to targets and past constructs without a model.
    fn successors(&mut self, (loc, stack): At) -> Vec<(Step, At)> {
        let program = self.all.program;
        let mut all = Vec::new();
        for e in program.view.out(loc) {
            let to = match program.op(e) {
                Op::Call(f) => (program.entry_of(*f), Some(self.frames.push(e.to, stack))),
                Op::CallIndirect(_) | Op::Unsupported(_) => continue,
                _ => (e.to, stack),
            };
            all.push((Step::Edge(e.edge), to));
        }
        if let Some(frame) = stack
            && loc == program.exit_of(program.cfa.locs[loc].func)
        {
            let Frame { return_to, below } = self.frames.all[frame as usize];
            all.push((Step::Return, (return_to, below)));
        }
        all.retain(|(_, (to, _))| !program.is_target(*to));
        all
    }

    /// The nodes: one for each location and stack, with labels at heads of loops.
    fn nodes(&mut self) -> Result<Vec<Node>, UnknownReason> {
        let start = (self.all.program.start(), None);
        let found = self.places(start)?;
        let index: FxHashMap<At, usize> = found.iter().enumerate().map(|(i, (at, _))| (*at, i)).collect();
        let is_head = |loc: LocId| self.all.heads.contains(&loc);
        let is_cut = |at: &At| *at == start || is_head(at.0);
        // Those without labels come after all their predecessors.
        let edges = |i: usize| {
            let to = found[i].1.iter().map(|(_, to)| to).filter(|to| !is_cut(to));
            to.map(|to| index[to]).collect::<Vec<usize>>()
        };
        let order = ordered(found.len(), &(0..found.len()).collect::<Vec<usize>>(), edges);
        if order.len() < found.len() {
            return Err(UnknownReason::Imprecise("a cycle of control has no head".into()));
        }
        let mut numbers = vec![0; found.len()];
        for (number, i) in order.iter().enumerate() {
            numbers[*i] = number as NodeId;
        }
        let mut nodes = Vec::with_capacity(found.len());
        for i in order {
            let (at, successors) = &found[i];
            let label = match *at == start {
                true => Some(Label::default()),
                false => self.all.heads.contains(&at.0).then(|| self.label(*at)),
            };
            let successors = successors.iter().map(|(step, to)| Successor::new(*step, numbers[index[to]])).collect();
            nodes.push(Node { loc: at.0, stack: at.1, label: label.map(Box::new), repeats: None, successors });
        }
        Ok(nodes)
    }

    /// The places that control can reach, the start first, each with its successors.
    #[allow(clippy::type_complexity, reason = "a list of pairs")]
    fn places(&mut self, start: At) -> Result<Vec<(At, Vec<(Step, At)>)>, UnknownReason> {
        let mut found: Vec<(At, Vec<(Step, At)>)> = Vec::new();
        let mut index: FxHashMap<At, usize> = FxHashMap::from_iter([(start, 0)]);
        let mut work = vec![start];
        while let Some(at) = work.pop() {
            let successors = self.successors(at);
            for (_, to) in &successors {
                let next = index.len();
                if next >= MOST_NODES {
                    return Err(UnknownReason::Limit(format!("a certificate with more than {MOST_NODES} nodes")));
                }
                if let Entry::Vacant(entry) = index.entry(*to) {
                    entry.insert(next);
                    work.push(*to);
                }
            }
            found.push((at, successors));
        }
        found.sort_unstable_by_key(|(at, _)| index[at]);
        Ok(found)
    }
}
