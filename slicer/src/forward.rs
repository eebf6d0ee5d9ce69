//! Forward slices: what a criterion may affect.
//!
//! An edge is in the slice if its effect, or whether it is executed, may depend on a criterion. This is a forward walk over
//! the system dependence graph that respects calling contexts (Horwitz, Reps, Binkley, TOPLAS 1990; `summary`). The value of
//! a variable at a location counts as a criterion as if it were assigned there; a location alone stands for the edges that
//! leave it.
//!
//! The result is a set of edges, not a program: the other values that the affected edges read are missing. For a program that
//! runs, take the backward slice for all of them. Termination is ignored unless the control dependences count it. Constructs
//! whose reads are not known may be affected by anything, so that they are in the slice; their unknown writes are not
//! followed.

use crate::cfa_edit;
use crate::dependence::control_dep::ControlDependence;
use crate::dependence::data_dep::Accesses;
use crate::dependence::relevant::Live;
use crate::dependence::sdg::{MAX_VERTICES, Sdg, Vertex};
use crate::dependence::summary::{Direction, Reached, Summaries, reach};
use crate::handlers::Handlers;
use crate::slice::{Criterion, SliceOptions, SliceStats, Sliced};
use crate::why::{Dependence, Reason, Reasons};
use cfa::bytes::Bytes;
use cfa::footprint::Footprints;
use cfa::view::Slice;
use cfa::{AssumeKind, Cfa, EdgeId, Id, InputKind, LocId, Op, Scope, Sort, VarId};
use fixedbitset::FixedBitSet;
use std::borrow::Cow;
use std::fmt;

/// The error that the program's dependence graph would have more than [`MAX_VERTICES`] vertices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the program is too large for a forward slice: its dependence graph has more than {MAX_VERTICES} vertices"
        )
    }
}

impl std::error::Error for TooLarge {}

/// The edges that `criteria` may affect, including the criteria's own edges. The indirect calls of `cfa` are resolved.
///
/// Everything that can be executed is live. Guards do not decide whether what comes after them is reached. Each reason leads from an
/// edge to one that affects it, and so on to a criterion.
///
/// Errors: the dependence graph is too large. Cost: the construction of the whole graph and, with `context_sensitive`, of its summary
/// edges.
pub fn forward_slice(cfa: &Cfa, criteria: &[Criterion], options: &SliceOptions) -> Result<Sliced, TooLarge> {
    let mut edited = Cow::Borrowed(cfa);
    let mut seeds = seeds(&mut edited, criteria);
    let live = Live::reachable(&edited);
    let unknown = |op: &Op| matches!(op, Op::Unsupported(u) if u.reads.is_none());
    let unknown = cfa.edges.iter_enumerated().filter(|(_, edge)| unknown(&edge.op));
    seeds.extend(unknown.map(|(e, _)| (e, Reason::Unsupported)));
    seeds.retain(|(e, _)| live.edge(*e));
    let control = ControlDependence::new(&edited, &live, &[], options.control.into());
    let graph = Sdg::new(&edited, &live, &control).ok_or(TooLarge)?;
    let summaries = options.context_sensitive.then(|| Summaries::new(&graph));
    let affected = |seeds: &[(EdgeId, Reason)]| {
        let from: Vec<u32> = seeds.iter().filter_map(|(e, _)| graph.number(Vertex::Edge(*e))).collect();
        let reached = reach(&graph, summaries.as_ref(), &from, Direction::Forward);
        Affected { cfa: &edited, graph: &graph, reached: &reached, seeds }.edges(cfa.edges.len())
    };
    let (mut kept, mut reasons) = affected(&seeds);
    let accesses = Accesses::new(&edited, &live);
    if let Some(handlers) = Handlers::new(&edited, &accesses) {
        let is_affected = handlers.within.iter().any(|e| kept.contains(e.index()));
        if is_affected || kept.ones().any(|e| handlers.is_fed_by(EdgeId::from_index(e), &accesses)) {
            // A handler finds what was affected at any time, and what it does is found at any time.
            let users = cfa.edges.ids().filter(|e| handlers.feeds(*e, &accesses));
            seeds.extend(handlers.within.iter().copied().chain(users).map(|e| (e, Reason::Handler)));
            seeds.retain(|(e, _)| live.edge(*e));
            (kept, reasons) = affected(&seeds);
        }
    }
    let mut live = live.edges;
    live.grow(cfa.edges.len());
    let live = live.ones().take_while(|e| *e < cfa.edges.len()).collect();
    let slice = Slice { kept, live };
    Ok(Sliced { stats: SliceStats::of(cfa, &slice), slice, reasons })
}

/// The criteria for a backward slice that contains everything in `affected`, a forward slice.
pub fn to_run(cfa: &Cfa, affected: &Slice) -> Vec<Criterion> {
    affected.kept.ones().map(|e| Criterion::acts(cfa, EdgeId::from_index(e))).collect()
}

/// The edges that the walk begins with, each with the reason to report. For values at locations, edges that set them are
/// added to `cfa`.
fn seeds(cfa: &mut Cow<'_, Cfa>, criteria: &[Criterion]) -> Vec<(EdgeId, Reason)> {
    let mut found = Vec::new();
    for (number, c) in criteria.iter().enumerate() {
        let own = Reason::Criterion { number, how: None };
        found.extend(c.edges.iter().map(|e| (*e, own)));
        let values = c.vars.iter().map(|v| (*v, Bytes::ALL)).chain(c.bytes.iter().copied());
        let values: Vec<(VarId, Bytes)> = values.collect();
        if values.is_empty() && c.edges.is_empty() {
            found.extend(cfa.out(c.at).iter().map(|e| (*e, own)));
        }
        for (v, bytes) in values {
            let how = Some(Dependence::Flow(v));
            found.push((give(cfa.to_mut(), c.at, v, bytes), Reason::Criterion { number, how }));
        }
    }
    found
}

/// Sets `bytes` of `v` to an arbitrary value at `l`. Returns the edge that does so.
fn give(cfa: &mut Cfa, l: LocId, v: VarId, bytes: Bytes) -> EdgeId {
    let op = match cfa.vars[v].sort {
        Sort::Array { index, .. } if bytes != Bytes::ALL => {
            let fresh = cfa.add_var(format!("given{}", cfa.vars.len()), cfa.vars[v].sort, Scope::Global);
            let (memory, fresh) = (cfa.var_term(v), cfa.var_term(fresh));
            let first = cfa.terms.int(index, bytes.first);
            let count = cfa.terms.int(index, bytes.last - bytes.first + 1);
            Op::assign(v, cfa.terms.copy(memory, first, fresh, first, count))
        }
        _ => Op::Input { var: v, kind: InputKind::Undefined },
    };
    let new = EdgeId::from_index(cfa.edges.len());
    let exit = cfa.funcs[cfa.locs[l].func].exit;
    if l == exit {
        let entering = cfa.locs[l].into.clone();
        let func = cfa.locs[l].func;
        let middle = cfa.add_loc(func);
        entering.into_iter().for_each(|e| cfa_edit::redirect(cfa, e, middle));
        cfa.add_edge(middle, l, op, cfa::Span::default());
    } else {
        cfa_edit::insert_at(cfa, l, op);
    }
    new
}

/// The result of a forward walk over the graph, to be translated to edges.
struct Affected<'a> {
    cfa: &'a Cfa,
    graph: &'a Sdg,
    reached: &'a Reached,
    seeds: &'a [(EdgeId, Reason)],
}

impl Affected<'_> {
    /// The edges that were reached among the first `count` ones (those of the original program), and the reasons.
    fn edges(&self, count: usize) -> (FixedBitSet, Reasons) {
        let (mut kept, mut reasons) = (FixedBitSet::with_capacity(count), Reasons::new(count));
        let mut footprints = Footprints::by_field(self.cfa);
        for (e, reason) in self.seeds.iter().filter(|(e, _)| e.index() < count) {
            reasons.note(*e, *reason);
        }
        for v in self.reached.vertices() {
            let Vertex::Edge(e) = self.graph.vertices()[v as usize] else { continue };
            if e.index() < count {
                kept.insert(e.index());
                if let Some(reason) = self.reason(v, e, count, &mut footprints) {
                    reasons.note(e, reason);
                }
            }
        }
        (kept, reasons)
    }

    /// The reason for `e`, the edge of vertex `v`: which edge affects it, and how; `None` for a seed.
    fn reason(&self, v: u32, e: EdgeId, count: usize, footprints: &mut Footprints<'_>) -> Option<Reason> {
        let mut way = self.reached.way(v).skip(1).map(|w| self.graph.vertices()[w as usize]).peekable();
        let last = *way.peek()?;
        let next = way.find_map(|w| if let Vertex::Edge(a) = w { Some(a) } else { None })?;
        let how = match last {
            Vertex::Edge(a) => self.direct(a, e, footprints),
            Vertex::Entry(_) => Dependence::Call,
            Vertex::FormalIn(_, var) | Vertex::ActualIn(_, var) => Dependence::ParamIn(var),
            Vertex::ActualOut(_, Some(var)) | Vertex::FormalOut(_, Some(var)) => Dependence::ParamOut(var),
            Vertex::ActualOut(_, None) | Vertex::FormalOut(_, None) => Dependence::Control,
        };
        if next.index() < count {
            return Some(Reason::Edge { next, how });
        }
        self.seeds.iter().find(|(seed, _)| *seed == next).map(|(_, reason)| *reason)
    }

    /// How `on` depends on `from`, an edge of the same function.
    fn direct(&self, from: EdgeId, on: EdgeId, footprints: &mut Footprints<'_>) -> Dependence {
        match self.cfa.edges[from].op {
            Op::Assume { kind: AssumeKind::Guard, .. } => return Dependence::Guard,
            Op::Assume { .. } | Op::Call(_) => return Dependence::Control,
            _ => {}
        }
        let writes = footprints.of(&self.cfa.edges[from].op).writes;
        let reads = footprints.of(&self.cfa.edges[on].op).reads;
        let meets = |w: &&cfa::footprint::Written| reads.iter().any(|r| r.var == w.var && r.bytes.overlaps(w.bytes));
        writes.iter().find(meets).map_or(Dependence::Control, |w| Dependence::Flow(w.var))
    }
}
