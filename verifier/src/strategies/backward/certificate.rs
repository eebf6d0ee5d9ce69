//! Certificates of finished backward explorations: at each head of a loop, the complement of what was reached there.
//!
//! The heads are those of the reversed program, which cut all cycles of the program, too. Between them the checker executes the program.

use crate::cpa::{Cx, Located};
use crate::evidence::outcome::UnknownReason;
use crate::program::Program;
use crate::program::reversed::{Place, Reversed};
use crate::reach::explore::Exploration;
use cfa::term::{Kind, Leaf};
use cfa::{EdgeId, LocId, Op, SymId, Term, Terms, VarId};
use checker::{Certificate, Frame, FrameId, Label, Node, NodeId, Step, Successor};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::collections::hash_map::Entry;

/// Maximum number of nodes.
const MOST_NODES: usize = 500_000;

/// A variable, and the number of activations above its own if it is local.
type Slot = (VarId, usize);

/// States at a head of a loop from which a target may be reached.
struct Reached {
    ascends: bool,
    /// The calls that are entered there and go on, the last one first.
    calls: Vec<EdgeId>,
    /// What describes the states, over the symbols of slots.
    condition: Term,
}

/// The certificate of `program` that `exploration`, one of its reverse, has found everything from which a target may be reached.
///
/// Errors: the exploration describes states in ways that have no complement without quantifiers; or activations have no bound.
pub(super) fn certificate<C: Located>(
    program: &Program,
    reversed: &Reversed,
    exploration: &Exploration<C>,
    cpa: &mut C,
    cx: &mut Cx<'_>,
) -> Result<Certificate, UnknownReason> {
    let mut maker = Maker {
        program,
        terms: program.overlay(),
        slots: FxHashMap::default(),
        meanings: FxHashMap::default(),
        frames: Vec::new(),
        ids: FxHashMap::default(),
        heads: reversed.heads().collect(),
        reached: FxHashMap::default(),
    };
    maker.collect(reversed, exploration, cpa, cx)?;
    let nodes = maker.nodes()?;
    let Maker { terms, frames, .. } = maker;
    let slice = program.slice.clone();
    Ok(Certificate { slice, terms, frames, nodes, contracts: Vec::new(), explored: None })
}

struct Maker<'a> {
    program: &'a Program,
    terms: Terms,
    slots: FxHashMap<Slot, Term>,
    meanings: FxHashMap<SymId, Slot>,
    frames: Vec<Frame>,
    ids: FxHashMap<At, FrameId>,
    heads: FxHashSet<LocId>,
    /// What was reached at each head.
    reached: FxHashMap<LocId, Vec<Reached>>,
}

/// Where control is, or will be when a frame returns: the location, and the stack.
type At = (LocId, Option<FrameId>);

impl Maker<'_> {
    fn collect<C: Located>(
        &mut self,
        reversed: &Reversed,
        exploration: &Exploration<C>,
        cpa: &mut C,
        cx: &mut Cx<'_>,
    ) -> Result<(), UnknownReason> {
        let arg = &exploration.arg;
        for n in arg.ids().filter(|n| !arg.node(*n).pruned) {
            let state = &arg.node(n).state;
            let at = cpa.key(state);
            let Some(Place { loc, ascends }) = reversed.place(at.loc).filter(|p| self.heads.contains(&p.loc)) else {
                continue;
            };
            let (mut calls, mut stack) = (Vec::new(), at.stack);
            while let Some((return_to, below)) = cpa.frame(stack) {
                calls.push(reversed.call(return_to).expect("a call of the reversed program"));
                stack = below;
            }
            let label = cpa.label(cx, state);
            let Some(condition) = self.condition(reversed, &cx.terms, &label) else {
                let why = "what leads to a target cannot be described without symbols";
                return Err(UnknownReason::Imprecise(why.into()));
            };
            self.reached.entry(loc).or_default().push(Reached { ascends, calls, condition });
        }
        Ok(())
    }

    /// A label over `from`, terms of the reversed program, as a condition on slots.
    fn condition(&mut self, reversed: &Reversed, from: &Terms, label: &Label) -> Option<Term> {
        let mut bound: FxHashMap<SymId, Term> = FxHashMap::default();
        let mut equal: Vec<(Term, Term)> = Vec::new();
        let below = label.below.iter().enumerate().map(|(i, frame)| (frame, i + 1));
        for (values, depth) in [(&label.env.globals, 0), (&label.env.locals, 0)].into_iter().chain(below) {
            for (v, value) in values {
                let Some(v) = reversed.variable(self.program, *v) else { continue };
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

    /// The label at a head: that nothing holds from which a target may be reached.
    fn label(&mut self, (loc, stack): At) -> Label {
        let mut label = Label::default();
        let all = self.reached.remove(&loc).unwrap_or_default();
        for reached in &all {
            if self.is_at(reached, stack) {
                let outside = self.terms.not(reached.condition);
                if self.terms.as_bool(outside) != Some(true) {
                    label.constraints.push(outside);
                }
            }
        }
        self.reached.insert(loc, all);
        for leaf in self.terms.leaves(&label.constraints) {
            let Leaf::Sym(symbol) = leaf else { continue };
            let (v, depth) = self.meanings[&symbol];
            let value = self.terms.sym(symbol);
            match depth {
                _ if !self.program.cfa.is_local(v) => drop(label.env.globals.insert(v, value)),
                0 => drop(label.env.locals.insert(v, value)),
                _ => {
                    label.below.resize_with(label.below.len().max(depth), Default::default);
                    label.below[depth - 1].insert(v, value);
                }
            }
        }
        label
    }

    /// Whether what was reached is under `stack`, of which it knows the calls that are to return before the target is reached.
    fn is_at(&self, reached: &Reached, mut stack: Option<FrameId>) -> bool {
        for call in &reached.calls {
            let Some(frame) = stack.map(|f| self.frames[f as usize]) else { return false };
            let edge = &self.program.cfa.edges[*call];
            if self.program.view.rep(edge.to) != frame.return_to {
                return false;
            }
            stack = frame.below;
        }
        reached.ascends || !reached.calls.is_empty()
    }

    fn push(&mut self, return_to: LocId, below: Option<FrameId>) -> FrameId {
        *self.ids.entry((return_to, below)).or_insert_with(|| {
            self.frames.push(Frame { return_to, below });
            self.frames.len() as FrameId - 1
        })
    }

    /// Where control may go from a place, except to targets and past constructs without a model.
    fn successors(&mut self, (loc, stack): At) -> Vec<(Step, At)> {
        let program = self.program;
        let mut all = Vec::new();
        for e in program.view.out(loc) {
            let to = match program.op(e) {
                Op::Call(f) => (program.entry_of(*f), Some(self.push(e.to, stack))),
                Op::CallIndirect(_) | Op::Unsupported(_) => continue,
                _ => (e.to, stack),
            };
            all.push((Step::Edge(e.edge), to));
        }
        if let Some(frame) = stack
            && loc == program.exit_of(program.cfa.locs[loc].func)
        {
            let Frame { return_to, below } = self.frames[frame as usize];
            all.push((Step::Return, (return_to, below)));
        }
        all.retain(|(_, (to, _))| !program.is_target(*to));
        all
    }

    /// The graph: one node for each location and stack, with labels at heads of loops.
    fn nodes(&mut self) -> Result<Vec<Node>, UnknownReason> {
        let start = (self.program.start(), None);
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
        let is_cut = |at: &At| *at == start || self.heads.contains(&at.0);
        // Those without labels come after all their predecessors.
        let mut before = vec![0u32; found.len()];
        for (_, to) in found.iter().flat_map(|(_, successors)| successors).filter(|(_, to)| !is_cut(to)) {
            before[index[to]] += 1;
        }
        let mut ready: BTreeSet<usize> = (0..found.len()).filter(|i| before[*i] == 0).collect();
        let mut order: Vec<usize> = Vec::with_capacity(found.len());
        while let Some(i) = ready.pop_first() {
            order.push(i);
            for (_, to) in found[i].1.iter().filter(|(_, to)| !is_cut(to)) {
                let to = index[to];
                before[to] -= 1;
                if before[to] == 0 {
                    ready.insert(to);
                }
            }
        }
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
                false => self.heads.contains(&at.0).then(|| self.label(*at)),
            };
            let successor =
                |(step, to): &(Step, At)| Successor { step: *step, to: numbers[index[to]], witness: Vec::new() };
            let successors = successors.iter().map(successor).collect();
            nodes.push(Node { loc: at.0, stack: at.1, label, repeats: None, successors });
        }
        Ok(nodes)
    }
}
