//! What all analyses of one run share: the program, the view of its slice, and derived data that is computed once.
//!
//! Reading order: this file (the program), `budget` (the time that an analysis has, and why it stops), `progress` (what it is doing), `wto` (orders of
//! locations), `liveness` (live variables), `domain_types` (how each variable is used), `places` (places in the source, in words),
//! `unsupported` (constructs without a model), `reversed` (the reversed program, for backward analyses), `shortcuts` (known paths to targets).

mod budget;
pub mod domain_types;
pub mod liveness;
pub mod places;
mod progress;
pub mod reversed;
pub mod shortcuts;
pub mod unsupported;
pub mod wto;

pub use budget::{Budget, Halt};
pub use progress::{Count, Progress};

use crate::program::liveness::{Liveness, recursive_functions};
use crate::program::wto::{Element, weak_topological_order};
use cfa::view::{Slice, View, ViewEdge};
use cfa::{Cfa, FuncId, Id, LocId, Op, Sort, Span, Term, Terms, VarId};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, OnceLock};

/// A variable with a bit-vector as value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Scalar {
    /// The variable.
    pub var: VarId,
    /// Its width in bits.
    pub width: u32,
}

impl Scalar {
    /// The variable as a term.
    pub fn term(self, terms: &mut Terms) -> Term {
        terms.var(self.var, Sort::Bv(self.width))
    }
}

/// The locations of components, by head.
type Components = FxHashMap<LocId, Arc<FxHashSet<LocId>>>;

/// A program to verify: a frozen CFA and the slice to explore.
pub struct Program {
    /// The CFA of the whole program.
    pub cfa: Arc<Cfa>,
    /// The terms of the CFA, as the base of overlays.
    pub base: Arc<Terms>,
    /// The part of the program that is explored.
    pub slice: Slice,
    /// The compacted graph of the slice.
    pub view: View,
    /// Live variables in the view.
    pub liveness: Liveness,
    /// The functions in cycles of the call graph.
    pub recursive: FixedBitSet,
    /// Candidates for invariants from outside: Bool terms of the program's arena over its variables, at locations of the CFA.
    pub hints: Vec<(LocId, Term)>,
    targets: FixedBitSet,
    joins: FixedBitSet,
    /// Locations that count as heads of loops although no component needs them.
    also_heads: Vec<LocId>,
    /// Weak topological orders. This field and the next two are indexed by function and computed on demand.
    orders: Vec<OnceLock<Arc<Vec<Element>>>>,
    written: Vec<OnceLock<Arc<FxHashSet<VarId>>>>,
    components: Vec<OnceLock<Components>>,
}

impl Program {
    /// Prepares `cfa` under `slice`.
    pub fn new(cfa: Arc<Cfa>, slice: Slice) -> Program {
        let view = View::new(&cfa, &slice);
        Program::with_view(cfa, slice, view)
    }

    /// The same program with candidates for invariants from outside.
    pub fn with_hints(self, hints: Vec<(LocId, Term)>) -> Program {
        Program { hints, ..self }
    }

    /// Prepares all of `cfa`, without merging locations, for analyses whose results are about locations.
    pub fn uncompacted(cfa: Arc<Cfa>) -> Program {
        let (slice, view) = (Slice::whole(&cfa), View::uncompacted(&cfa));
        let mut program = Program::with_view(cfa, slice, view);
        program.joins.insert_range(..);
        program
    }

    /// The same program with another slice. Terms over one program are terms over the other, too.
    pub fn resliced(&self, slice: Slice) -> Program {
        let view = View::new(&self.cfa, &slice);
        Program::over(self.cfa.clone(), self.base.clone(), self.recursive.clone(), slice, view)
    }

    /// The same program with conditions, Bool terms of `from` over its variables, that are assumed at locations of the view. Its new edges and
    /// locations come after those of the program; everything else keeps its id.
    ///
    /// The locations of `heads` count as heads of loops, too.
    pub fn assuming(&self, conditions: &[(LocId, Term)], from: &Terms, heads: &[LocId]) -> Program {
        let mut cfa = (*self.cfa).clone();
        cfa.terms = (*self.base).clone();
        let (mut view, mut slice) = (self.view.clone(), self.slice.clone());
        let mut done = FxHashMap::default();
        for (l, condition) in conditions {
            let mut symbol = |_: &mut Terms, _| unreachable!("a condition on variables has no symbols");
            let condition = cfa.terms.import(from, *condition, &mut done, &mut symbol);
            let to = cfa.add_loc(cfa.locs[*l].func);
            let edge = cfa.add_edge(*l, to, Op::branch(condition), Span::default());
            view.insert(*l, edge, to);
            for edges in [&mut slice.kept, &mut slice.live] {
                edges.grow_and_insert(edge.index());
            }
        }
        let base = Arc::new(cfa.terms.clone());
        let mut program = Program::over(Arc::new(cfa), base, self.recursive.clone(), slice, view);
        program.add_heads(self.also_heads.iter().chain(heads).copied().collect());
        program
    }

    /// Lets these locations, if they can be reached, count as heads of loops.
    fn add_heads(&mut self, heads: Vec<LocId>) {
        let reachable: FxHashSet<LocId> = self.view.reachable(&self.cfa).into_iter().collect();
        let known: FxHashSet<LocId> = self.loop_heads().into_iter().collect();
        let mut new: Vec<LocId> = heads.into_iter().filter(|l| reachable.contains(l) && !known.contains(l)).collect();
        new.sort_unstable();
        new.dedup();
        self.joins.extend(new.iter().map(|l| l.index()));
        self.also_heads.extend(new);
    }

    fn with_view(cfa: Arc<Cfa>, slice: Slice, view: View) -> Program {
        let base = Arc::new(cfa.terms.clone());
        let recursive = recursive_functions(&cfa);
        Program::over(cfa, base, recursive, slice, view)
    }

    fn over(cfa: Arc<Cfa>, base: Arc<Terms>, recursive: FixedBitSet, slice: Slice, view: View) -> Program {
        let liveness = Liveness::new(&cfa, &view);
        let targets = cfa.targets.iter().map(|l| view.rep(*l).index()).collect();
        let joins = joins(&cfa, &view);
        let n = cfa.funcs.len();
        Program {
            base,
            cfa,
            slice,
            view,
            liveness,
            recursive,
            targets,
            joins,
            hints: Vec::new(),
            also_heads: Vec::new(),
            orders: vec![OnceLock::new(); n],
            written: vec![OnceLock::new(); n],
            components: vec![OnceLock::new(); n],
        }
    }

    /// A new arena for the terms of one analysis.
    pub fn overlay(&self) -> Terms {
        Terms::over(self.base.clone())
    }

    /// Where execution begins, in the view.
    pub fn start(&self) -> LocId {
        self.entry_of(self.cfa.entry)
    }

    /// The first location of a function, in the view.
    pub fn entry_of(&self, f: FuncId) -> LocId {
        self.view.rep(self.cfa.funcs[f].entry)
    }

    /// The last location of a function, in the view.
    pub fn exit_of(&self, f: FuncId) -> LocId {
        self.view.rep(self.cfa.funcs[f].exit)
    }

    /// Whether reaching `l` (a location of the view) violates the property.
    pub fn is_target(&self, l: LocId) -> bool {
        self.targets.contains(l.index())
    }

    /// Whether states at `l` (a location of the view) are to be compared: several paths meet there within its function, or the program is
    /// explored without merging locations.
    pub fn is_join(&self, l: LocId) -> bool {
        self.joins.contains(l.index())
    }

    /// The operation of an edge of the view.
    pub fn op(&self, e: &ViewEdge) -> &Op {
        self.view.op(&self.cfa, e)
    }

    /// The weak topological order of a function, computed once.
    pub fn order(&self, f: FuncId) -> Arc<Vec<Element>> {
        self.orders[f.index()].get_or_init(|| Arc::new(weak_topological_order(&self.cfa, &self.view, f))).clone()
    }

    /// The heads of all loops in the view, including nested ones. Each cycle within a function has one.
    pub fn loop_heads(&self) -> Vec<LocId> {
        let mut funcs: Vec<FuncId> =
            self.view.reachable(&self.cfa).into_iter().map(|l| self.cfa.locs[l].func).collect();
        funcs.sort_unstable();
        funcs.dedup();
        let mut heads = self.also_heads.clone();
        let orders: Vec<_> = funcs.into_iter().map(|f| self.order(f)).collect();
        let mut work: Vec<&Element> = orders.iter().flat_map(|order| order.iter()).collect();
        while let Some(element) = work.pop() {
            if let Element::Component(head, body) = element {
                heads.push(*head);
                work.extend(body);
            }
        }
        heads
    }

    /// The locations of the component with the head `head`, including nested components; computed once.
    ///
    /// # Panics
    /// If `head` is not the head of a component.
    pub fn component_of(&self, head: LocId) -> Arc<FxHashSet<LocId>> {
        let func = self.cfa.locs[head].func;
        let components = self.components[func.index()].get_or_init(|| {
            let mut found = Components::default();
            collect_components(&self.order(func), &mut found);
            found
        });
        components.get(&head).expect("the head of a component").clone()
    }

    /// The variables that the edges among the locations of `inside` may write, including the functions called there; ascending.
    pub fn written_in(&self, inside: &FxHashSet<LocId>) -> Vec<VarId> {
        let mut written = FxHashSet::default();
        let mut calls = Vec::new();
        for &l in inside {
            for e in self.view.out(l) {
                written.extend(self.op(e).written());
                if let Op::Call(f) = self.op(e) {
                    calls.push(*f);
                }
            }
        }
        for f in calls {
            written.extend(self.written_by(f).iter().copied());
        }
        let mut written: Vec<VarId> = written.into_iter().collect();
        written.sort_unstable();
        written
    }

    /// The variables of global scope that a call of `f` may write; computed once.
    pub fn written_by(&self, f: FuncId) -> Arc<FxHashSet<VarId>> {
        self.written[f.index()].get_or_init(|| Arc::new(self.all_written_by(f))).clone()
    }

    fn all_written_by(&self, f: FuncId) -> FxHashSet<VarId> {
        let (mut written, mut seen, mut todo) = (FxHashSet::default(), FxHashSet::from_iter([f]), vec![f]);
        while let Some(g) = todo.pop() {
            let (mut locs, mut stack) = (FxHashSet::from_iter([self.entry_of(g)]), vec![self.entry_of(g)]);
            while let Some(l) = stack.pop() {
                for e in self.view.out(l) {
                    let op = self.op(e);
                    written.extend(op.written().into_iter().filter(|v| !self.cfa.is_local(*v)));
                    if let Op::Call(h) = op
                        && seen.insert(*h)
                    {
                        todo.push(*h);
                    }
                    if locs.insert(e.to) {
                        stack.push(e.to);
                    }
                }
            }
        }
        written
    }

    /// Whether at most one of the edges that leave `l` can be taken in any state: there is just one edge, or two that are the sides of
    /// one test.
    pub fn is_deterministic(&self, l: LocId) -> bool {
        match self.view.out(l) {
            [] | [_] => true,
            [a, b] => self.are_sides(a, b),
            _ => false,
        }
    }

    /// Whether two edges of a view are the sides of one test.
    pub fn are_sides(&self, a: &ViewEdge, b: &ViewEdge) -> bool {
        match (self.op(a), self.op(b)) {
            (Op::Assume { cond: x, .. }, Op::Assume { cond: y, .. }) => {
                let negates =
                    |s: cfa::Term, t: cfa::Term| self.base.kind(s) == cfa::term::Kind::Not && self.base.args(s)[0] == t;
                negates(*x, *y) || negates(*y, *x)
            }
            _ => false,
        }
    }
}

/// The locations at which several paths meet within their function; a call counts as one path into its entry.
fn joins(cfa: &Cfa, view: &View) -> FixedBitSet {
    let n = cfa.locs.len();
    let mut entered: FixedBitSet = cfa.funcs.iter().map(|f| view.rep(f.entry).index()).collect();
    entered.grow(n);
    let mut joins = FixedBitSet::with_capacity(n);
    for l in view.reachable(cfa) {
        for e in view.out(l) {
            if entered.put(e.to.index()) {
                joins.insert(e.to.index());
            }
        }
    }
    joins
}

/// Adds the components among `elements` to `found`. Returns the locations of `elements`.
fn collect_components(elements: &[Element], found: &mut Components) -> Vec<LocId> {
    let mut all = Vec::new();
    for e in elements {
        match e {
            Element::Location(l) => all.push(*l),
            Element::Component(head, body) => {
                let mut inside = collect_components(body, found);
                inside.push(*head);
                found.insert(*head, Arc::new(inside.iter().copied().collect()));
                all.extend(inside);
            }
        }
    }
    all
}
