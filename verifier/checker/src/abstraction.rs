//! The first part of the check: a slice is an abstraction of the whole program.
//!
//! What has to be shown: *each execution of the whole program that reaches a target has a counterpart in the slice that reaches the same
//! target*. In the slice, only live edges exist; kept edges do what they do in the program, and the others do nothing.
//!
//! **Which edges are executed.** Let `E` be an execution that begins at the entry and reaches a target. Backward reachability is computed
//! over the whole program ([`Reach`]): `down` contains the locations from which a target is reached before their own activation returns,
//! `all` those from which one is reached at all. Each location of `E` is in `all`, by induction from the end of `E`: along an edge or a
//! return, the membership of the successor implies that of the location; at a call, `E` either reaches the target before the callee
//! returns (then the callee's entry is in `down`), or the callee returns (then it is known to be able to, and the return site is in
//! `all`). The same induction from the beginning shows that each location of `E` is forward reachable. The check requires that every edge
//! whose execution can be part of such an `E` is live, so all edges of `E` are live.
//!
//! **Which values are computed.** By induction along `E`, the slice has an execution that takes the same edges, except those inside calls
//! that are not kept. The values of variables in the two executions differ only in bytes that are *stale* at the location of `E`
//! ([`crate::stale`]). This holds for globals as well as for the locals of each frame:
//! - a kept edge reads nothing stale (checked), so a kept assignment writes the same values, a kept assumption holds in both, and a kept
//!   input can take the same value in the slice (where it is arbitrary);
//! - an edge that is live but not kept does nothing in the slice, and what it would have written is stale after it; dropping an
//!   assumption only allows more executions;
//! - kept calls and returns change the stack in both; the locals of a new activation are arbitrary, and those of the caller are restored.
//!   Functions only mention their own locals (checked), and edges stay within their function (checked);
//! - a call that is not kept is passed in one step. If it returns in `E`, the variables of global scope that the function writes are
//!   stale after it, and the caller's locals are restored. If it does not return, `E` ends inside it: at a target, or at a construct
//!   without a model (see below). A call from which either can be reached is kept (checked).
//!
//! **Constructs without a model.** They have no counterpart that could be shown to agree. A live one must be kept, and so must the calls
//! that lead to it; the second part of the check refutes that it is reached. The induction covers `E` up to its first such construct,
//! which the slice reaches as well. A construct that may call functions, or may not return where the graph says, may lead to a target by
//! itself: it counts as a target in the induction above, so it is live, hence kept, hence refuted. The others lead only to the target
//! location of their edge; if no target is reachable from there, they do not matter.
//!
//! **Collapsing.** The view merges locations that are connected only by edges without effect. It is trusted (part of `cfa`): each step of
//! the slice is a step of the view, or stays at one representative.
//!
//! Reachability is context-sensitive for returns (two phases, as in Horwitz, Reps, Binkley 1990), so that slices are accepted no matter
//! whether the slicer is context-sensitive. Cost: linear in the program, except for the computation of the functions that return.

use crate::stale::check_stale;
use cfa::term::Leaf;
use cfa::view::Slice;
use cfa::{Cfa, EdgeId, FuncId, Id, LocId, Op, Scope};
use fixedbitset::FixedBitSet;

/// Checks that `slice` is an abstraction of `cfa`. Returns the reason if this cannot be shown.
pub(crate) fn check_abstraction(cfa: &Cfa, slice: &Slice) -> Result<(), String> {
    let edges = cfa.edges.len();
    if slice.kept.len() != edges || slice.live.len() != edges {
        return Err(format!(
            "the slice is for {} kept and {} live edges, but the program has {edges}",
            slice.kept.len(),
            slice.live.len()
        ));
    }
    check_program(cfa)?;
    let reach = Reach::new(cfa, slice);
    for (e, edge) in cfa.edges.iter_enumerated().filter(|(e, _)| reach.executed(cfa, *e)) {
        if !slice.live.contains(e.index()) {
            if reach.leads_to_target(cfa, e) {
                return Err(format!("edge {e} ({}) is cut off but can reach a target", cfa.place(edge.span)));
            }
            continue;
        }
        if slice.kept.contains(e.index()) {
            continue;
        }
        match edge.op {
            Op::CallIndirect(_) | Op::Unsupported(_) => {
                return Err(format!("edge {e} ({}) is dropped but has no model", cfa.place(edge.span)));
            }
            Op::Call(f) if reach.ends_inside(cfa, f) => {
                let (place, name) = (cfa.place(edge.span), &cfa.funcs[f].name);
                return Err(format!(
                    "edge {e} ({place}) is dropped but calls `{name}`, from where a target is reached"
                ));
            }
            Op::Skip | Op::Assign(_) | Op::Assume { .. } | Op::Input { .. } | Op::Call(_) => {}
        }
    }
    check_stale(cfa, slice, |e| reach.executed(cfa, e))
}

/// Checks what the argument above requires of the program itself.
fn check_program(cfa: &Cfa) -> Result<(), String> {
    if let Some(f) = cfa.funcs.iter().find(|f| !cfa.out(f.exit).is_empty()) {
        return Err(format!("the program is not valid: an edge leaves the exit of `{}`", f.name));
    }
    for (e, edge) in cfa.edges.iter_enumerated() {
        let func = cfa.locs[edge.from].func;
        if cfa.locs[edge.to].func != func {
            return Err(format!("the program is not valid: edge {e} leaves its function"));
        }
        let leaves = cfa.terms.leaves(&edge.op.terms());
        if leaves.iter().any(|l| matches!(l, Leaf::Sym(_))) {
            return Err(format!("the program is not valid: edge {e} has a symbol"));
        }
        let read = leaves.into_iter().filter_map(|l| match l {
            Leaf::Var(v) => Some(v),
            Leaf::Sym(_) | Leaf::Addr(_) => None,
        });
        for v in edge.op.written().into_iter().chain(read) {
            if let Scope::Local(owner) = cfa.vars[v].scope
                && owner != func
            {
                let (name, owner) = (&cfa.vars[v].name, &cfa.funcs[owner].name);
                return Err(format!("the program is not valid: edge {e} names `{name}`, a local of `{owner}`"));
            }
        }
    }
    Ok(())
}

/// Whether control may leave the graph at the edge: by a call that the graph does not show, or by not returning.
fn may_leave_graph(op: &Op) -> bool {
    match op {
        Op::CallIndirect(_) => true,
        Op::Unsupported(u) => u.may_call || u.may_not_return,
        Op::Skip | Op::Assign(_) | Op::Assume { .. } | Op::Input { .. } | Op::Call(_) => false,
    }
}

/// Reachability in the whole program.
struct Reach {
    /// Functions with a path from their entry to their exit.
    returns: FixedBitSet,
    /// Locations that are reachable from the program's entry.
    forward: FixedBitSet,
    /// Locations from which a target is reached before their activation returns.
    down: FixedBitSet,
    /// Locations from which a live construct without a model is reached before their activation returns.
    unmodelled: FixedBitSet,
    /// Locations from which a target is reached.
    all: FixedBitSet,
}

impl Reach {
    fn new(cfa: &Cfa, slice: &Slice) -> Reach {
        let mut sites = vec![Vec::new(); cfa.funcs.len()];
        for (e, edge) in cfa.edges.iter_enumerated() {
            if let Op::Call(f) = edge.op {
                sites[f.index()].push(e);
            }
        }
        let none = || FixedBitSet::with_capacity(cfa.locs.len());
        let returns = returning(cfa, &sites);
        let mut reach = Reach { returns, forward: none(), down: none(), unmodelled: none(), all: none() };
        reach.go_forward(cfa);
        let mut seeds: Vec<LocId> = cfa.targets.clone();
        seeds.extend(cfa.edges.iter().filter(|e| may_leave_graph(&e.op)).map(|e| e.from));
        reach.down = reach.go_down(cfa, &sites, seeds);
        let unmodelled = |e: EdgeId| matches!(cfa.edges[e].op, Op::Unsupported(_) | Op::CallIndirect(_));
        let seeds = cfa.edges.ids().filter(|e| slice.live.contains(e.index()) && unmodelled(*e));
        let seeds = seeds.map(|e| cfa.edges[e].from).collect();
        reach.unmodelled = reach.go_down(cfa, &sites, seeds);
        reach.go_up(cfa, &sites);
        reach
    }

    /// Whether an execution of the program can take the edge.
    fn executed(&self, cfa: &Cfa, e: EdgeId) -> bool {
        self.forward.contains(cfa.edges[e].from.index())
    }

    /// Whether an execution that takes the edge can reach a target afterwards, or may leave the graph there.
    fn leads_to_target(&self, cfa: &Cfa, e: EdgeId) -> bool {
        let edge = &cfa.edges[e];
        let goes_on = self.all.contains(edge.to.index());
        match edge.op {
            Op::Call(f) => {
                self.down.contains(cfa.funcs[f].entry.index()) || (goes_on && self.returns.contains(f.index()))
            }
            _ => goes_on || may_leave_graph(&edge.op),
        }
    }

    fn go_forward(&mut self, cfa: &Cfa) {
        let mut work = vec![cfa.funcs[cfa.entry].entry];
        while let Some(l) = work.pop() {
            if self.forward.put(l.index()) {
                continue;
            }
            for &e in cfa.out(l) {
                let edge = &cfa.edges[e];
                if let Op::Call(f) = edge.op {
                    work.push(cfa.funcs[f].entry);
                    if !self.returns.contains(f.index()) {
                        continue;
                    }
                }
                work.push(edge.to);
            }
        }
    }

    /// Whether an execution may end inside a call of `f`, at a target or at a construct without a model.
    fn ends_inside(&self, cfa: &Cfa, f: FuncId) -> bool {
        let entry = cfa.funcs[f].entry.index();
        self.down.contains(entry) || self.unmodelled.contains(entry)
    }

    /// Locations from which one of `seeds` is reached before their own activation returns.
    fn go_down(&self, cfa: &Cfa, sites: &[Vec<EdgeId>], seeds: Vec<LocId>) -> FixedBitSet {
        let mut found = FixedBitSet::with_capacity(cfa.locs.len());
        let mut work = seeds;
        while let Some(l) = work.pop() {
            if found.put(l.index()) {
                continue;
            }
            work.extend(self.same_level_predecessors(cfa, l));
            let func = cfa.locs[l].func;
            if cfa.funcs[func].entry == l {
                work.extend(sites[func.index()].iter().map(|&e| cfa.edges[e].from));
            }
        }
        found
    }

    /// Extends `down` to `all` through returns: from a return site to the exits of the functions called before it.
    fn go_up(&mut self, cfa: &Cfa, sites: &[Vec<EdgeId>]) {
        let mut called_before = vec![Vec::new(); cfa.locs.len()];
        for (f, edges) in sites.iter().enumerate() {
            for &e in edges {
                called_before[cfa.edges[e].to.index()].push(FuncId::from_index(f));
            }
        }
        let mut work: Vec<LocId> = self.down.ones().map(LocId::from_index).collect();
        while let Some(l) = work.pop() {
            if self.all.put(l.index()) {
                continue;
            }
            work.extend(self.same_level_predecessors(cfa, l));
            work.extend(called_before[l.index()].iter().map(|&f| cfa.funcs[f].exit));
        }
    }

    /// The locations one step before `l` in the same activation, stepping over calls that can return.
    fn same_level_predecessors<'a>(&'a self, cfa: &'a Cfa, l: LocId) -> impl Iterator<Item = LocId> + 'a {
        cfa.into(l).iter().map(|&e| &cfa.edges[e]).filter_map(|edge| match edge.op {
            Op::Call(f) if !self.returns.contains(f.index()) => None,
            _ => Some(edge.from),
        })
    }
}

/// The functions whose exit can be reached from their entry, following calls. This is the least fixpoint, so endless recursion does not
/// return.
fn returning(cfa: &Cfa, sites: &[Vec<EdgeId>]) -> FixedBitSet {
    let mut returns = FixedBitSet::with_capacity(cfa.funcs.len());
    let mut seen = FixedBitSet::with_capacity(cfa.locs.len());
    let mut work: Vec<LocId> = cfa.funcs.iter().map(|f| f.entry).collect();
    // A call is crossed when its callee is known to return and its source has been seen, whichever comes last.
    while let Some(l) = work.pop() {
        if seen.put(l.index()) {
            continue;
        }
        for &e in cfa.out(l) {
            match cfa.edges[e].op {
                Op::Call(f) if !returns.contains(f.index()) => {}
                _ => work.push(cfa.edges[e].to),
            }
        }
        let func = cfa.locs[l].func;
        if cfa.funcs[func].exit == l && !returns.put(func.index()) {
            let crossed = sites[func.index()].iter().map(|&e| &cfa.edges[e]).filter(|e| seen.contains(e.from.index()));
            work.extend(crossed.map(|e| e.to));
        }
    }
    returns
}
