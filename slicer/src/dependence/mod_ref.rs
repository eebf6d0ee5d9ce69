//! Mod-ref analysis: which variables of global scope (globals, memories, transfer variables) a function, or what it calls,
//! may write and read (Banning, "An efficient way to find the side effects of procedure calls", POPL 1979).
//!
//! Functions that call each other have the same sets, so there is one pair of sets for each strongly connected component of
//! the call graph. A set is stored as a sorted list as long as that takes less space than a bit set.

use crate::dependence::data_dep::Accesses;
use crate::dependence::relevant::Live;
use crate::scc::components;
use cfa::{Cfa, EdgeId, FuncId, Id, Op, Scope, VarId};
use fixedbitset::FixedBitSet;

/// A set of variables of global scope.
enum VarSet {
    Few(Box<[u32]>),
    Many(FixedBitSet),
}

impl VarSet {
    fn new(bits: &FixedBitSet) -> VarSet {
        let count = bits.count_ones(..);
        if count * 32 < bits.len() {
            VarSet::Few(bits.ones().map(|v| v as u32).collect())
        } else {
            VarSet::Many(bits.clone())
        }
    }

    fn contains(&self, v: u32) -> bool {
        match self {
            VarSet::Few(list) => list.binary_search(&v).is_ok(),
            VarSet::Many(bits) => bits.contains(v as usize),
        }
    }

    fn add_to(&self, bits: &mut FixedBitSet) {
        match self {
            VarSet::Few(list) => list.iter().for_each(|v| bits.insert(*v as usize)),
            VarSet::Many(own) => bits.union_with(own),
        }
    }

    fn iter(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        match self {
            VarSet::Few(list) => Box::new(list.iter().copied()),
            VarSet::Many(bits) => Box::new(bits.ones().map(|v| v as u32)),
        }
    }
}

/// The side effects of all functions, over the live edges.
pub struct ModRef {
    component: Vec<u32>,
    modified: Vec<VarSet>,
    referenced: Vec<VarSet>,
    /// The index of each variable among those of global scope.
    number: Vec<u32>,
    globals: Vec<VarId>,
}

const LOCAL: u32 = u32::MAX;

impl ModRef {
    /// Computes the side effects. Cost: one union of sets for each call.
    pub fn new(cfa: &Cfa, live: &Live, accesses: &Accesses) -> ModRef {
        let globals: Vec<VarId> =
            cfa.vars.iter_enumerated().filter(|(_, v)| v.scope == Scope::Global).map(|(v, _)| v).collect();
        let mut number = vec![LOCAL; cfa.vars.len()];
        globals.iter().enumerate().for_each(|(i, v)| number[v.index()] = i as u32);
        let mut edges_of: Vec<Vec<EdgeId>> = vec![Vec::new(); cfa.funcs.len()];
        let mut callees: Vec<Vec<u32>> = vec![Vec::new(); cfa.funcs.len()];
        for (e, edge) in cfa.edges.iter_enumerated().filter(|(e, _)| live.edge(*e)) {
            let func = cfa.locs[edge.from].func.index();
            match edge.op {
                Op::Call(g) => callees[func].push(g.0),
                _ => edges_of[func].push(e),
            }
        }
        let found = components(cfa.funcs.len(), |f, next| next.extend(&callees[f as usize]));
        let mut sets = ModRef {
            component: vec![0; cfa.funcs.len()],
            modified: Vec::with_capacity(found.len()),
            referenced: Vec::with_capacity(found.len()),
            number,
            globals,
        };
        let bits = || FixedBitSet::with_capacity(sets.globals.len());
        let (mut modified, mut referenced) = (bits(), bits());
        for (c, functions) in found.iter().enumerate() {
            functions.iter().for_each(|f| sets.component[*f as usize] = c as u32);
        }
        // The components of callees come before those of their callers.
        for (c, functions) in found.iter().enumerate() {
            modified.clear();
            referenced.clear();
            for &f in functions {
                for &e in &edges_of[f as usize] {
                    let number = |v: VarId| Some(sets.number[v.index()] as usize).filter(|n| *n != LOCAL as usize);
                    accesses.writes(e).iter().filter_map(|w| number(w.var)).for_each(|v| modified.insert(v));
                    accesses.reads(e).iter().filter_map(|r| number(r.var)).for_each(|v| referenced.insert(v));
                }
            }
            let mut called: Vec<u32> =
                functions.iter().flat_map(|f| &callees[*f as usize]).map(|g| sets.component[*g as usize]).collect();
            called.sort_unstable();
            called.dedup();
            for d in called.into_iter().filter(|d| *d as usize != c) {
                sets.modified[d as usize].add_to(&mut modified);
                sets.referenced[d as usize].add_to(&mut referenced);
            }
            sets.modified.push(VarSet::new(&modified));
            sets.referenced.push(VarSet::new(&referenced));
        }
        sets
    }

    fn contains(&self, sets: &[VarSet], f: FuncId, v: VarId) -> bool {
        let number = self.number[v.index()];
        number != LOCAL && sets[self.component[f.index()] as usize].contains(number)
    }

    /// The number of the component of `f` in the call graph: functions of one component have the same side effects.
    pub fn component(&self, f: FuncId) -> u32 {
        self.component[f.index()]
    }

    /// Whether a call of `f` may write `v`; never for locals.
    pub fn may_write(&self, f: FuncId, v: VarId) -> bool {
        self.contains(&self.modified, f, v)
    }

    /// Whether a call of `f` may read `v`; never for locals.
    pub fn may_read(&self, f: FuncId, v: VarId) -> bool {
        self.contains(&self.referenced, f, v)
    }

    /// The variables that a call of `f` may write, ascending.
    pub fn written(&self, f: FuncId) -> impl Iterator<Item = VarId> + '_ {
        self.modified[self.component[f.index()] as usize].iter().map(|i| self.globals[i as usize])
    }

    /// The variables that a call of `f` may read, ascending.
    pub fn read(&self, f: FuncId) -> impl Iterator<Item = VarId> + '_ {
        self.referenced[self.component[f.index()] as usize].iter().map(|i| self.globals[i as usize])
    }
}
