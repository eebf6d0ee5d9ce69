//! Backward slices: from the criteria along control and data dependences, on demand.
//!
//! **Data dependence.** A value that an edge reads is followed backward, separately for each variable, to the writes that reach
//! it (reaching definitions; demand-driven as in Duesterwald, Gupta, Soffa, POPL 1995), over the locations that concern the
//! variable ([`definitions`](crate::dependence::definitions)). A write that surely covers the needed bytes ends the search. Memories
//! are followed byte by byte: a write at a fixed address ends the search for the bytes that it writes, and the search for other
//! bytes passes it. The search skips calls of functions that do not write the variable, and enters other functions through their
//! exit.
//!
//! **Calls.** A slice is a program, so it has one copy of each function, and what this copy needs at its entry is provided at
//! *each* call that is kept (Binkley, "Precise executable interprocedural slices", LOPLAS 1993). Under this rule, the calling
//! contexts of Horwitz, Reps, Binkley (TOPLAS 1990) become the choice of calls. A call is kept only where what its function
//! writes matters after it, where it matters whether it returns, or where a criterion is inside. A value needed at a
//! function's entry is followed only into its kept calls, which are those through which the search entered the function. The
//! other calls are left out, with everything that serves only them. Functions that contain a criterion or an input of the
//! program are called wherever the program calls them: the n-th execution of an input stays its n-th execution.
//!
//! **Limits.** In huge programs there are too many pairs of variables and locations that concern them to visit all of them. After
//! [`MAX_FLOW_STEPS`] steps, all writes of a variable count for each further read of it.
//!
//! **Unsupported edges** from which a criterion can be reached are always kept, with what decides whether they are reached.

use crate::dependence::control_dep::{ControlDependence, DecidedOrders};
use crate::dependence::data_dep::{Accesses, Writers};
use crate::dependence::definitions::{Definitions, Number, Places};
use crate::dependence::mod_ref::ModRef;
use crate::dependence::relevant::Live;
use crate::handlers::Handlers;
use crate::slice::{Criterion, SliceOptions};
use crate::why::{Dependence, Reason, Reasons};
use cfa::bytes::ByteSet;
use cfa::{AssumeKind, Cfa, EdgeId, FuncId, Id, InputKind, LocId, Op, Scope, Sort, VarId};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::collections::VecDeque;

/// Maximum number of steps along data dependences, each to one location that concerns the variable, and the steps added to it for
/// each edge of the program. After that, data dependences no longer distinguish locations. Steps for locals and for variables of global scope
/// are counted separately.
const MAX_FLOW_STEPS: usize = 1_000_000;
const MAX_FLOW_STEPS_PER_EDGE: usize = 2;

/// The origin of a dependence: what something matters to.
#[derive(Clone, Copy)]
enum User {
    Criterion(u32),
    Edge(EdgeId),
    Unsupported,
    Handler,
}

impl User {
    fn reason(self, how: Dependence) -> Reason {
        match self {
            User::Criterion(number) => Reason::Criterion { number: number as usize, how: Some(how) },
            User::Edge(next) => Reason::Edge { next, how },
            User::Unsupported => Reason::Unsupported,
            User::Handler => Reason::Handler,
        }
    }
}

/// A value that is needed: bytes of a variable at a location.
struct Need {
    at: LocId,
    var: VarId,
    bytes: ByteSet,
    user: User,
    how: Dependence,
}

/// The places in one function that concern one variable, and where it was found to matter.
struct Needed {
    places: Places,
    seen: Seen,
}

/// What matters at each place.
enum Seen {
    /// Of a scalar: whether it does.
    Scalar(FixedBitSet),
    /// Of a memory: which bytes.
    Memory(Vec<ByteSet>),
}

impl Needed {
    /// Records that `bytes` matter at `at`, and so at the place that decides what they are there; reduces `bytes` to those that are
    /// new at this place. Returns its number, if there are any.
    fn add(&mut self, definitions: &Definitions, at: Number, bytes: &mut ByteSet) -> Option<Number> {
        let place = definitions.nearest(&self.places, at)?;
        let is_new = match &mut self.seen {
            Seen::Scalar(seen) => !seen.put(place),
            Seen::Memory(seen) => {
                *bytes = seen[place].extend(bytes);
                !bytes.is_empty()
            }
        };
        is_new.then(|| self.places.number(place))
    }
}

/// Something other than a value that was found to matter and has not been followed yet.
enum Found {
    /// The operation of the edge matters.
    Edge(EdgeId),
    /// It matters whether the location is reached.
    Loc(LocId, User),
    /// All calls of the function matter.
    Everywhere(FuncId, User),
}

/// What operations and calls read and write.
pub(crate) struct Effects {
    accesses: Accesses,
    writers: Writers,
    side_effects: ModRef,
    /// The edges that neither write nor call anything.
    passive: FixedBitSet,
}

impl Effects {
    /// Those of the live edges. Linear, apart from the sets of variables that calls write.
    pub(crate) fn new(cfa: &Cfa, live: &Live) -> Effects {
        let accesses = Accesses::new(cfa, live);
        let (writers, side_effects) = (Writers::new(cfa, &accesses), ModRef::new(cfa, live, &accesses));
        let mut passive = FixedBitSet::with_capacity(cfa.edges.len());
        for (e, edge) in cfa.edges.iter_enumerated() {
            passive.set(e.index(), accesses.writes(e).is_empty() && !matches!(edge.op, Op::Call(_)));
        }
        Effects { accesses, writers, side_effects, passive }
    }
}

/// The walk along dependences, and its results so far.
pub(crate) struct Walk<'a> {
    cfa: &'a Cfa,
    live: &'a Live,
    control: &'a ControlDependence,
    decided: DecidedOrders,
    options: SliceOptions,
    accesses: Accesses,
    writers: Writers,
    side_effects: ModRef,
    passive: FixedBitSet,
    /// The live calls of each function.
    callers: Vec<Vec<EdgeId>>,
    /// The kept calls of each function.
    kept_calls: Vec<Vec<EdgeId>>,
    /// What matters at each function's entry, and to what.
    formal_in: Vec<Vec<(VarId, ByteSet, User)>>,
    kept: FixedBitSet,
    /// Kept edges for which it does not (yet) matter whether they are reached.
    passed: FixedBitSet,
    relevant: FixedBitSet,
    everywhere: FixedBitSet,
    /// Variables all of whose writes are kept.
    settled: FixedBitSet,
    /// Whether the calls that tell the outside addresses are kept.
    disclosed: bool,
    definitions: Definitions,
    needed: Vec<Needed>,
    /// The index in `needed` for a variable and a function.
    needed_of: FxHashMap<(VarId, FuncId), u32>,
    /// Remaining steps, for locals and for variables of global scope.
    steps_left: [usize; 2],
    reasons: Reasons,
    /// The edges in `queue`.
    queued: FixedBitSet,
    /// What is still to be followed: values, the last one first, and then all else, the first one first.
    needs: Vec<Need>,
    queue: VecDeque<Found>,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(
        cfa: &'a Cfa,
        live: &'a Live,
        control: &'a ControlDependence,
        options: &SliceOptions,
        effects: Effects,
    ) -> Walk<'a> {
        let Effects { accesses, writers, side_effects, passive } = effects;
        let mut callers = vec![Vec::new(); cfa.funcs.len()];
        for (e, edge) in cfa.edges.iter_enumerated().filter(|(e, _)| live.edge(*e)) {
            if let Op::Call(f) = edge.op {
                callers[f.index()].push(e);
            }
        }
        Walk {
            cfa,
            live,
            control,
            decided: control.decided_orders(),
            options: *options,
            writers,
            passive,
            accesses,
            callers,
            kept_calls: vec![Vec::new(); cfa.funcs.len()],
            formal_in: vec![Vec::new(); cfa.funcs.len()],
            kept: FixedBitSet::with_capacity(cfa.edges.len()),
            passed: FixedBitSet::with_capacity(cfa.edges.len()),
            relevant: FixedBitSet::with_capacity(cfa.locs.len()),
            everywhere: FixedBitSet::with_capacity(cfa.funcs.len()),
            settled: FixedBitSet::with_capacity(cfa.vars.len()),
            disclosed: false,
            definitions: Definitions::new(cfa, live, &side_effects),
            side_effects,
            needed: Vec::new(),
            needed_of: FxHashMap::default(),
            steps_left: [MAX_FLOW_STEPS + MAX_FLOW_STEPS_PER_EDGE * cfa.edges.len(); 2],
            reasons: Reasons::new(cfa.edges.len()),
            queued: FixedBitSet::with_capacity(cfa.edges.len()),
            needs: Vec::new(),
            queue: VecDeque::new(),
        }
    }

    /// Follows the dependences of `criteria`. Returns the kept edges and the reasons for them.
    pub(crate) fn run(mut self, criteria: &[Criterion]) -> (FixedBitSet, Reasons) {
        let cfa = self.cfa;
        for (number, c) in criteria.iter().enumerate() {
            let user = User::Criterion(number as u32);
            self.reach_later(c.at, user);
            self.call_everywhere_later(cfa.locs[c.at].func, user);
            for &var in &c.vars {
                self.need(c.at, var, ByteSet::all(), user);
            }
            for &(var, bytes) in &c.bytes {
                self.need(c.at, var, bytes.into(), user);
            }
            for &e in &c.edges {
                self.reasons.note(e, Reason::Criterion { number, how: None });
                self.queue.push_back(Found::Edge(e));
                self.call_everywhere_later(cfa.locs[cfa.edges[e].from].func, User::Edge(e));
            }
        }
        for (e, edge) in cfa.edges.iter_enumerated() {
            if matches!(edge.op, Op::Unsupported(_)) && self.live.edge(e) {
                self.because(e, User::Unsupported, Dependence::Control);
                self.call_everywhere_later(cfa.locs[edge.from].func, User::Edge(e));
            }
        }
        if let Some(handlers) = Handlers::new(cfa, &self.accesses) {
            // All writes of what they read are kept, so that no reader has to look for those that reach it.
            handlers.reads().for_each(|var| self.settle(var, User::Handler, Dependence::Control));
            // The end of the program is theirs, too: what it waits for, and where it ends, stays, but not its result.
            self.reach_later(cfa.funcs[cfa.entry].exit, User::Handler);
            for e in handlers.within.into_iter().chain(ends(cfa)) {
                self.because(e, User::Handler, Dependence::Control);
                self.call_everywhere_later(cfa.locs[cfa.edges[e].from].func, User::Edge(e));
            }
        }
        self.close();
        (self.kept, self.reasons)
    }

    /// Follows what was found until nothing is left.
    fn close(&mut self) {
        loop {
            while let Some(need) = self.needs.pop() {
                self.follow(need);
            }
            match self.queue.pop_front() {
                Some(Found::Edge(e)) => {
                    self.queued.set(e.index(), false);
                    self.keep(e);
                }
                Some(Found::Loc(l, user)) => self.reach(l, user),
                Some(Found::Everywhere(f, user)) => self.call_everywhere(f, user),
                None => return,
            }
        }
    }

    /// Keeps those of `edges` that are live, with everything that decides with which values they are reached and, once their function
    /// has been called, whether they are reached.
    pub(crate) fn add(&mut self, edges: &[EdgeId]) {
        self.queue.extend(edges.iter().map(|e| Found::Edge(*e)));
        self.close();
    }

    /// Keeps a live edge that is a call or reads nothing, without what decides whether it is reached.
    pub(crate) fn pass(&mut self, e: EdgeId) {
        if !self.live.edge(e) || self.kept.put(e.index()) {
            return;
        }
        self.passed.insert(e.index());
        if let Op::Call(f) = self.cfa.edges[e].op {
            self.serve_call(e, f);
        }
        self.close();
    }

    /// Whether `e` is kept, but not what decides whether it is reached.
    pub(crate) fn passes(&self, e: EdgeId) -> bool {
        self.passed.contains(e.index())
    }

    /// The edges that are kept so far.
    pub(crate) fn kept(&self) -> &FixedBitSet {
        &self.kept
    }

    /// Queues `e`, if it is live and not kept yet: its operation matters to `user`.
    fn because(&mut self, e: EdgeId, user: User, how: Dependence) {
        let is_kept = self.kept.contains(e.index()) && !self.passed.contains(e.index());
        if self.live.edge(e) && !is_kept && !self.queued.put(e.index()) {
            self.reasons.note(e, user.reason(how));
            self.queue.push_back(Found::Edge(e));
        }
    }

    /// Queues that it matters to `user` whether `l` is reached.
    fn reach_later(&mut self, l: LocId, user: User) {
        if !self.relevant.contains(l.index()) {
            self.queue.push_back(Found::Loc(l, user));
        }
    }

    /// Queues all calls of `f`, which matter to `user`.
    fn call_everywhere_later(&mut self, f: FuncId, user: User) {
        if !self.everywhere.contains(f.index()) {
            self.queue.push_back(Found::Everywhere(f, user));
        }
    }

    fn need(&mut self, at: LocId, var: VarId, bytes: ByteSet, user: User) {
        self.needs.push(Need { at, var, bytes, user, how: Dependence::Flow(var) });
    }

    /// Keeps `e` and queues what its operation depends on.
    fn keep(&mut self, e: EdgeId) {
        let passed = self.passed.contains(e.index());
        self.passed.set(e.index(), false);
        if !self.live.edge(e) || (self.kept.put(e.index()) && !passed) {
            return;
        }
        let cfa = self.cfa;
        let edge = &cfa.edges[e];
        let user = User::Edge(e);
        self.reach_later(edge.from, user);
        for i in 0..self.accesses.reads(e).len() {
            let read = self.accesses.reads(e)[i];
            self.need(edge.from, read.var, read.bytes.into(), user);
        }
        for &var in cfa.module.opaque_reads.get(&e).into_iter().flat_map(|vars| vars.iter()) {
            self.need(edge.from, var, ByteSet::all(), user);
        }
        match &edge.op {
            Op::Call(f) if !passed => self.serve_call(e, *f),
            Op::Input { kind, .. } if is_called(kind) => {
                self.call_everywhere_later(cfa.locs[edge.from].func, user);
            }
            _ => {}
        }
        // Operands that the module needs for `e` beyond what the CFA reads.
        for &c in cfa.module.companions.get(&e).into_iter().flatten() {
            self.because(c, user, Dependence::Companion);
        }
        if cfa.module.outsiders.contains(&e) && !std::mem::replace(&mut self.disclosed, true) {
            for &d in &cfa.module.disclosures {
                self.because(d, user, Dependence::Disclosure);
                self.call_everywhere_later(cfa.locs[cfa.edges[d].from].func, User::Edge(d));
            }
        }
        // A guard belongs to the edge directly after it.
        for &g in cfa.into(edge.from) {
            let is_guard = matches!(cfa.edges[g].op, Op::Assume { kind: AssumeKind::Guard, .. });
            if is_guard && (!self.options.keep_traps || self.control.may_trap(g)) {
                self.because(g, user, Dependence::Guard);
            }
        }
    }

    /// Registers the kept call `e` of `f`, and provides there what matters at the entry of `f`.
    fn serve_call(&mut self, e: EdgeId, f: FuncId) {
        self.kept_calls[f.index()].push(e);
        let at = self.cfa.edges[e].from;
        for i in 0..self.formal_in[f.index()].len() {
            let (var, bytes, user) = self.formal_in[f.index()][i].clone();
            self.needs.push(Need { at, var, bytes, user, how: Dependence::ParamIn(var) });
        }
    }

    /// Queues what decides whether `l` is reached, which matters to `user`.
    fn reach(&mut self, l: LocId, user: User) {
        if self.relevant.put(l.index()) {
            return;
        }
        let control = self.control;
        control.controllers(l).iter().for_each(|c| self.decide(*c, user));
        let mut predicates: SmallVec<[LocId; 2]> = SmallVec::new();
        self.decided.add(control, l, |p| predicates.push(p));
        predicates.into_iter().for_each(|p| self.decide(p, user));
        if !self.options.context_sensitive {
            self.call_everywhere_later(self.cfa.locs[l].func, user);
        }
    }

    /// Keeps what decides how control continues from `l`, which matters to `user`.
    fn decide(&mut self, l: LocId, user: User) {
        let cfa = self.cfa;
        for &e in cfa.out(l) {
            match cfa.edges[e].op {
                Op::Assume { kind, .. } if kind != AssumeKind::Guard || self.control.may_trap(e) => {
                    self.because(e, user, Dependence::Control);
                }
                Op::Call(g) if self.control.may_not_return(g) && self.live.edge(e) => {
                    self.because(e, user, Dependence::Control);
                    self.reach_later(cfa.funcs[g].exit, User::Edge(e));
                }
                _ => {}
            }
        }
        self.reach_later(l, user);
    }

    /// Keeps all live calls of `f`, so that the slice calls it whenever the program does.
    fn call_everywhere(&mut self, f: FuncId, user: User) {
        if self.everywhere.put(f.index()) {
            return;
        }
        for i in 0..self.callers[f.index()].len() {
            let e = self.callers[f.index()][i];
            self.because(e, user, Dependence::Call);
            self.call_everywhere_later(self.cfa.locs[self.cfa.edges[e].from].func, User::Edge(e));
        }
    }

    /// Follows a needed value backward to the writes that reach it.
    fn follow(&mut self, need: Need) {
        let Need { at, var, bytes, user, how } = need;
        if self.settled.contains(var.index()) {
            return;
        }
        let cfa = self.cfa;
        let global = cfa.vars[var].scope == Scope::Global;
        let one = self.has_one_writer(var);
        if one && !self.writers.of(var).iter().any(|e| self.writes_some(*e, var, &bytes)) {
            return;
        }
        if one || self.steps_left[usize::from(global)] == 0 {
            return self.settle(var, user, how);
        }
        let func = cfa.locs[at].func;
        let needed = self.needed_in(var, func);
        let mut work: SmallVec<[(Number, ByteSet); 4]> = smallvec![(self.definitions.number(at), bytes)];
        while let Some((at, mut bytes)) = work.pop() {
            let Some(place) = self.needed[needed].add(&self.definitions, at, &mut bytes) else { continue };
            let steps_left = &mut self.steps_left[usize::from(global)];
            *steps_left = steps_left.saturating_sub(1);
            if global && place == Number::ENTRY {
                self.need_at_calls(func, var, &bytes, user);
            }
            for i in 0..self.definitions.entering(func, place).len() {
                let (e, from) = self.definitions.entering(func, place)[i];
                let rest = match self.passive.contains(e.index()) {
                    true => Some(bytes.clone()),
                    false => self.before(e, var, &bytes, user, how),
                };
                work.extend(rest.map(|rest| (from, rest)));
            }
        }
    }

    /// The index in `needed` of the locations in `f` that concern `var`.
    fn needed_in(&mut self, var: VarId, f: FuncId) -> usize {
        if let Some(&i) = self.needed_of.get(&(var, f)) {
            return i as usize;
        }
        let effects = (&self.writers, &self.side_effects);
        let places = self.definitions.places(self.cfa, self.live, effects, (var, f));
        let seen = match self.cfa.vars[var].sort {
            Sort::Array { .. } => Seen::Memory(vec![ByteSet::default(); places.count()]),
            _ => Seen::Scalar(FixedBitSet::with_capacity(places.count())),
        };
        let i = self.needed.len();
        self.needed.push(Needed { places, seen });
        self.needed_of.insert((var, f), i as u32);
        i
    }

    /// The bytes of `var` that matter before `e`, given that `bytes` of it matter after `e`; `None` if there are none. Queues `e` if
    /// it may write some of them.
    fn before(&mut self, e: EdgeId, var: VarId, bytes: &ByteSet, user: User, how: Dependence) -> Option<ByteSet> {
        if let Op::Call(f) = self.cfa.edges[e].op {
            if !self.side_effects.may_write(f, var) {
                return Some(bytes.clone());
            }
            self.because(e, user, how);
            let (at, how) = (self.cfa.funcs[f].exit, Dependence::ParamOut(var));
            self.needs.push(Need { at, var, bytes: bytes.clone(), user, how });
            return None;
        }
        let mut writes = self.accesses.writes(e).iter().filter(|w| w.var == var && bytes.overlaps(w.bytes)).peekable();
        let mut rest = bytes.clone();
        if writes.peek().is_none() {
            return Some(rest);
        }
        writes.filter(|w| w.sure).for_each(|w| rest.remove(w.bytes));
        self.because(e, user, how);
        Some(rest).filter(|r| !r.is_empty())
    }

    /// Records that `bytes` of `var` matter at the entry of `f`, and so at each kept call, including those kept later.
    fn need_at_calls(&mut self, f: FuncId, var: VarId, bytes: &ByteSet, user: User) {
        self.formal_in[f.index()].push((var, bytes.clone(), user));
        for i in 0..self.kept_calls[f.index()].len() {
            let at = self.cfa.edges[self.kept_calls[f.index()][i]].from;
            self.needs.push(Need { at, var, bytes: bytes.clone(), user, how: Dependence::ParamIn(var) });
        }
    }

    /// Whether `var` has at most one write, and this write surely reaches all reads: a write of a local, or a write of a global
    /// before anything else.
    fn has_one_writer(&self, var: VarId) -> bool {
        match *self.writers.of(var) {
            [] => true,
            [e] => {
                let func = self.cfa.locs[self.cfa.edges[e].from].func;
                (self.cfa.is_local(var) || func == self.cfa.entry) && self.accesses.writes(e).iter().all(|w| w.sure)
            }
            _ => false,
        }
    }

    fn writes_some(&self, e: EdgeId, var: VarId, bytes: &ByteSet) -> bool {
        self.accesses.writes(e).iter().any(|w| w.var == var && bytes.overlaps(w.bytes))
    }

    /// Keeps all writes of `var`, wherever they are.
    fn settle(&mut self, var: VarId, user: User, how: Dependence) {
        self.settled.insert(var.index());
        for i in 0..self.writers.of(var).len() {
            let e = self.writers.of(var)[i];
            self.because(e, user, how);
            if !self.cfa.is_local(var) {
                self.call_everywhere_later(self.cfa.locs[self.cfa.edges[e].from].func, User::Edge(e));
            }
        }
    }
}

/// The edges with which executions end without a return, ascending.
fn ends(cfa: &Cfa) -> impl Iterator<Item = EdgeId> + '_ {
    let ends = |l: LocId| {
        let func = cfa.locs[l].func;
        cfa.out(l).is_empty() && l != cfa.funcs[func].exit
    };
    cfa.edges.iter_enumerated().filter(move |(_, edge)| ends(edge.to)).map(|(e, _)| e)
}

/// Whether the input is the result of a call, so that its values in an execution are identified by their number.
fn is_called(kind: &InputKind) -> bool {
    match kind {
        InputKind::Program(_) | InputKind::External(_) | InputKind::Library(_) | InputKind::Approximate(_) => true,
        InputKind::Uninitialised | InputKind::Undefined | InputKind::Layout => false,
    }
}
