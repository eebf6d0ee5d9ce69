//! Stale values: where a slice may differ from the whole program, and the check that no kept edge reads such values.
//!
//! Two executions that take the same edges are compared: one of the whole program, and one of the slice, which passes edges that are not
//! kept without effect, and calls that are not kept without entering the function. A byte of a variable is *stale* at a location if it
//! may differ between the two. For each variable, the stale bytes are the least solution of these equations over live edges from
//! locations that are reachable from the program's entry:
//! - after an edge that is not kept, the bytes that it may write are stale; after a call that is not kept, all bytes of each variable of
//!   global scope that the function, or a function called from there, writes on any live edge;
//! - after an edge that is kept, the bytes that it surely writes are not stale. It has read nothing stale (otherwise the slice is
//!   rejected), so both executions write the same values at the same addresses; and if an array is updated at an unknown address, each
//!   byte is either written with the same value in both executions or left unchanged;
//! - otherwise, what is stale before an edge is stale after it;
//! - at the entry of a function, what is stale before a kept call of it (only variables of global scope: the locals of a new activation
//!   are arbitrary, so both executions can choose the same values); after a kept call, what is stale at the exit of its function, if the
//!   function writes the variable at all; if it does not, or if the variable is a local of the caller (which is restored), what is stale
//!   before the call.
//!
//! Which bytes an operation reads and surely writes depends on the semantics of terms (`cfa::footprint`, trusted like the terms). The
//! equations ignore calling contexts, so more bytes are stale: at an entry, those that are stale before any kept call. A slicer that
//! provides what a function needs at each kept call (Binkley, LOPLAS 1993) is not rejected because of this.
//!
//! Only variables that a kept edge reads are considered, one at a time. The cost of each is that of the edges at the locations where it is
//! stale.

use cfa::bytes::ByteSet;
use cfa::footprint::{Footprint, Footprints};
use cfa::view::Slice;
use cfa::{Cfa, EdgeId, FuncId, Id, LocId, Op, VarId};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

/// Checks that no kept edge among the `executed` ones reads a stale byte. Otherwise returns the reason.
pub(crate) fn check_stale(cfa: &Cfa, slice: &Slice, executed: impl Fn(EdgeId) -> bool) -> Result<(), String> {
    let program = Program::new(cfa, slice, executed);
    cfa.vars.ids().try_for_each(|v| program.check(v))
}

/// The live edges that an execution can take, with the data that the equations need.
struct Program<'a> {
    cfa: &'a Cfa,
    slice: &'a Slice,
    /// Live edges that are executed.
    edges: FixedBitSet,
    footprints: Vec<Footprint>,
    /// For each variable, the edges that write it.
    writers: Vec<Vec<EdgeId>>,
    /// The variables that a kept edge reads.
    read: FixedBitSet,
    /// For each function, the edges that call it.
    calls: Vec<Vec<EdgeId>>,
}

impl<'a> Program<'a> {
    fn new(cfa: &'a Cfa, slice: &'a Slice, executed: impl Fn(EdgeId) -> bool) -> Program<'a> {
        let mut find = Footprints::new(cfa);
        let mut program = Program {
            cfa,
            slice,
            edges: FixedBitSet::with_capacity(cfa.edges.len()),
            footprints: Vec::with_capacity(cfa.edges.len()),
            writers: vec![Vec::new(); cfa.vars.len()],
            read: FixedBitSet::with_capacity(cfa.vars.len()),
            calls: vec![Vec::new(); cfa.funcs.len()],
        };
        for (e, edge) in cfa.edges.iter_enumerated() {
            let mut footprint = Footprint::default();
            if slice.live.contains(e.index()) && executed(e) {
                program.edges.insert(e.index());
                footprint = find.of(&edge.op);
                footprint.writes.iter().for_each(|w| program.writers[w.var.index()].push(e));
                if slice.kept.contains(e.index()) {
                    footprint.reads.iter().for_each(|r| program.read.insert(r.var.index()));
                }
                if let Op::Call(f) = edge.op {
                    program.calls[f.index()].push(e);
                }
            }
            program.footprints.push(footprint);
        }
        program
    }

    fn kept(&self, e: EdgeId) -> bool {
        self.slice.kept.contains(e.index())
    }

    /// The functions that write `v`, directly or through calls; empty for locals.
    fn modifying(&self, v: VarId) -> FixedBitSet {
        let mut found = FixedBitSet::with_capacity(self.cfa.funcs.len());
        if self.cfa.is_local(v) {
            return found;
        }
        let func = |e: &EdgeId| self.cfa.locs[self.cfa.edges[*e].from].func;
        let mut work: Vec<FuncId> = self.writers[v.index()].iter().map(func).collect();
        while let Some(f) = work.pop() {
            if !found.put(f.index()) {
                work.extend(self.calls[f.index()].iter().map(func));
            }
        }
        found
    }

    /// Solves the equations for `v` and checks the kept edges that read it.
    fn check(&self, v: VarId) -> Result<(), String> {
        if !self.read.contains(v.index()) || self.writers[v.index()].is_empty() {
            return Ok(());
        }
        let modifying = self.modifying(v);
        let mut stale = Stale { at: FxHashMap::default(), work: Vec::new() };
        for &e in self.writers[v.index()].iter().filter(|e| !self.kept(**e)) {
            let writes = self.footprints[e.index()].writes.iter();
            writes.filter(|w| w.var == v).for_each(|w| stale.join(self.cfa.edges[e].to, &w.bytes.into()));
        }
        for f in modifying.ones() {
            for &e in self.calls[f].iter().filter(|e| !self.kept(**e)) {
                stale.join(self.cfa.edges[e].to, &ByteSet::all());
            }
        }
        while let Some(l) = stale.work.pop() {
            self.step(v, &modifying, l, &mut stale)?;
        }
        Ok(())
    }

    /// Propagates what is stale at `l` along the edges that leave it, into functions and out of them.
    fn step(&self, v: VarId, modifying: &FixedBitSet, l: LocId, stale: &mut Stale) -> Result<(), String> {
        let cfa = self.cfa;
        let here = stale.at[&l].clone();
        let func = cfa.locs[l].func;
        if l == cfa.funcs[func].exit && modifying.contains(func.index()) {
            let calls = self.calls[func.index()].iter().filter(|e| self.kept(**e));
            calls.for_each(|e| stale.join(cfa.edges[*e].to, &here));
        }
        for &e in cfa.out(l).iter().filter(|e| self.edges.contains(e.index())) {
            let edge = &cfa.edges[e];
            match edge.op {
                Op::Call(f) if self.kept(e) => {
                    if !cfa.is_local(v) {
                        stale.join(cfa.funcs[f].entry, &here);
                    }
                    if !modifying.contains(f.index()) {
                        stale.join(edge.to, &here);
                    }
                }
                _ if self.kept(e) => {
                    let footprint = &self.footprints[e.index()];
                    if footprint.reads.iter().any(|r| r.var == v && here.overlaps(r.bytes)) {
                        let (name, place) = (&cfa.vars[v].name, cfa.place(edge.span));
                        return Err(format!(
                            "edge {e} ({place}) is kept and reads `{name}`, of which a write is dropped"
                        ));
                    }
                    let mut rest = here.clone();
                    let sure = footprint.writes.iter().filter(|w| w.var == v && w.sure);
                    sure.for_each(|w| rest.remove(w.bytes));
                    stale.join(edge.to, &rest);
                }
                _ => stale.join(edge.to, &here),
            }
        }
        Ok(())
    }
}

/// The stale bytes of a variable by location, and the locations where they have grown.
struct Stale {
    at: FxHashMap<LocId, ByteSet>,
    work: Vec<LocId>,
}

impl Stale {
    fn join(&mut self, l: LocId, bytes: &ByteSet) {
        if !bytes.is_empty() && !self.at.entry(l).or_default().extend(bytes).is_empty() {
            self.work.push(l);
        }
    }
}
