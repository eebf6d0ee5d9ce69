//! Where the definitions of a variable are made and where they meet: static single assignment form, for a search backward.
//!
//! A location *concerns* a variable if an edge into it may write the variable, or if several definitions meet there: on the iterated
//! dominance frontier of the former (Cytron et al., "Efficiently computing static single assignment form and the control dependence
//! graph", TOPLAS 1991). What reaches any other location is what reaches the nearest location above it in the dominator tree that
//! concerns the variable. So a search for definitions visits only locations that concern its variable, rather than all.
//!
//! Everything is found on demand: trees for each function, places for each variable in each function. Cost: of a tree O(m log n), of
//! its dominance frontiers their size (which is linear for structured code), of places as many steps as they and their frontiers have.

use crate::dependence::data_dep::Writers;
use crate::dependence::dominators::{Digraph, immediate_dominators};
use crate::dependence::mod_ref::ModRef;
use crate::dependence::relevant::Live;
use cfa::{Cfa, EdgeId, FuncId, Id, IndexVec, LocId, Op, Scope, VarId};
use fixedbitset::FixedBitSet;
use smallvec::SmallVec;

/// The number of a location in its function's tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Number(u32);

impl Number {
    /// The number of the function's entry.
    pub const ENTRY: Number = Number(0);
    /// Stands for locations that the entry does not reach.
    const NONE: Number = Number(u32::MAX);
}

/// The trees of a program's functions, over its live edges.
pub struct Definitions {
    trees: Vec<Option<Tree>>,
    /// The live calls in each function: those that have the same side effects together, with one of the functions that they call.
    calls: Vec<Vec<(FuncId, Vec<EdgeId>)>>,
    /// The number of each location in its function's tree.
    number: IndexVec<LocId, Number>,
    /// No bit is set between calls.
    scratch: FixedBitSet,
}

/// The locations of one function that concern one variable.
pub struct Places {
    func: FuncId,
    /// Their numbers in the tree, ascending. The entry is always the first.
    numbers: Vec<u32>,
    /// For each of them, the index of the nearest one above it; of the entry, its own.
    above: Vec<u32>,
}

/// The dominator tree of a function, with its dominance frontiers. Locations are numbered in preorder, so that each subtree is a
/// range of numbers.
struct Tree {
    locs: Vec<LocId>,
    /// The live edges into each location, with the numbers of their sources.
    into: Vec<(EdgeId, Number)>,
    /// Start index of each location's edges, with one more entry at the end.
    first: Vec<u32>,
    /// One past the last number of the subtree of each location.
    end: Vec<u32>,
    frontier: Vec<SmallVec<[u32; 2]>>,
}

impl Definitions {
    /// Nothing is computed yet but the calls of each function. Linear.
    pub fn new(cfa: &Cfa, live: &Live, side_effects: &ModRef) -> Definitions {
        let mut called = vec![Vec::new(); cfa.funcs.len()];
        for (e, edge) in cfa.edges.iter_enumerated().filter(|(e, _)| live.edge(*e)) {
            if let Op::Call(g) = edge.op {
                called[cfa.locs[edge.from].func.index()].push((side_effects.component(g), g, e));
            }
        }
        let together = |mut called: Vec<(u32, FuncId, EdgeId)>| {
            called.sort_unstable();
            let chunks = called.chunk_by(|a, b| a.0 == b.0);
            chunks.map(|calls| (calls[0].1, calls.iter().map(|(.., e)| *e).collect())).collect()
        };
        let calls = called.into_iter().map(together).collect();
        let number = cfa.locs.iter().map(|_| Number::NONE).collect();
        Definitions { trees: cfa.funcs.iter().map(|_| None).collect(), calls, number, scratch: FixedBitSet::new() }
    }

    /// The locations of `f` that concern `var`.
    pub fn places(
        &mut self,
        cfa: &Cfa,
        live: &Live,
        (writers, side_effects): (&Writers, &ModRef),
        (var, f): (VarId, FuncId),
    ) -> Places {
        let tree = self.trees[f.index()].get_or_insert_with(|| Tree::new(cfa, live, f, &mut self.number));
        let mut of_call: Vec<EdgeId> = Vec::new();
        if cfa.vars[var].scope == Scope::Global {
            let calls = self.calls[f.index()].iter().filter(|(g, _)| side_effects.may_write(*g, var));
            calls.for_each(|(_, calls)| of_call.extend(calls));
        }
        let defining = writers.within(var, f).iter().chain(&of_call);
        let numbers = defining.map(|e| self.number[cfa.edges[*e].to]).filter(|n| *n != Number::NONE);
        let (numbers, above) = tree.places(numbers.map(|n| n.0), &mut self.scratch);
        Places { func: f, numbers, above }
    }

    /// The number of a location of a function whose places were asked for.
    pub fn number(&self, l: LocId) -> Number {
        self.number[l]
    }

    /// The index in `places` of what concerns their variable at a location: of the location itself or the nearest one above it. `None`
    /// if the function's entry does not reach the location.
    pub fn nearest(&self, places: &Places, at: Number) -> Option<usize> {
        if at == Number::NONE {
            return None;
        }
        let (Number(number), tree) = (at, self.tree(places.func));
        let mut place = places.numbers.partition_point(|n| *n <= number) - 1;
        while number >= tree.end[places.numbers[place] as usize] {
            place = places.above[place] as usize;
        }
        Some(place)
    }

    /// The location of `f` with this number.
    pub fn loc(&self, f: FuncId, Number(number): Number) -> LocId {
        self.tree(f).locs[number as usize]
    }

    /// The live edges into the location of `f` with this number, with the numbers of their sources.
    pub fn entering(&self, f: FuncId, Number(number): Number) -> &[(EdgeId, Number)] {
        let tree = self.tree(f);
        &tree.into[tree.first[number as usize] as usize..tree.first[number as usize + 1] as usize]
    }

    fn tree(&self, f: FuncId) -> &Tree {
        self.trees[f.index()].as_ref().unwrap_or_else(|| unreachable!("places come from a tree"))
    }
}

impl Places {
    /// The number of places.
    pub fn count(&self) -> usize {
        self.numbers.len()
    }

    /// The number of a place's location.
    pub fn number(&self, place: usize) -> Number {
        Number(self.numbers[place])
    }
}

impl Tree {
    fn new(cfa: &Cfa, live: &Live, f: FuncId, number: &mut IndexVec<LocId, Number>) -> Tree {
        let steps = |l: LocId| cfa.out(l).iter().filter(|e| live.edge(**e)).map(|e| cfa.edges[*e].to);
        let mut locs = vec![cfa.funcs[f].entry];
        number[locs[0]] = Number::ENTRY;
        let mut edges: Vec<(u32, u32)> = Vec::new();
        let mut next = 0;
        while let Some(&l) = locs.get(next) {
            for to in steps(l) {
                if number[to] == Number::NONE {
                    number[to] = Number(locs.len() as u32);
                    locs.push(to);
                }
                edges.push((next as u32, number[to].0));
            }
            next += 1;
        }
        let graph = Digraph::new(locs.len(), &edges);
        let parents = immediate_dominators(&graph, 0);
        let (order, end) = preorder(&parents);
        // From here on, locations have their numbers in preorder.
        let new = |v: u32| order[v as usize];
        let (mut ordered, mut parent) = (vec![LocId(0); locs.len()], vec![None; locs.len()]);
        for (v, l) in locs.iter().enumerate() {
            number[*l] = Number(order[v]);
            ordered[order[v] as usize] = *l;
            parent[order[v] as usize] = parents[v].map(new);
        }
        edges.iter_mut().for_each(|(from, to)| (*from, *to) = (new(*from), new(*to)));
        let (mut into, mut first) = (Vec::with_capacity(edges.len()), Vec::with_capacity(ordered.len() + 1));
        for l in &ordered {
            first.push(into.len() as u32);
            into.extend(cfa.into(*l).iter().filter(|e| live.edge(**e)).map(|e| (*e, number[cfa.edges[*e].from])));
        }
        first.push(into.len() as u32);
        Tree { frontier: frontiers(&parent, &edges), locs: ordered, into, first, end }
    }

    /// The locations on the iterated dominance frontier of those that `defining` has, with these, ascending; for each, the index of
    /// the nearest one above it. The entry counts as a definition: what reaches it comes from the callers. `found` is empty before
    /// and after.
    fn places(&self, defining: impl Iterator<Item = u32>, found: &mut FixedBitSet) -> (Vec<u32>, Vec<u32>) {
        found.grow(self.locs.len());
        let mut numbers = vec![0];
        found.insert(0);
        numbers.extend(defining.filter(|n| !found.put(*n as usize)));
        let mut next = 0;
        while let Some(&n) = numbers.get(next) {
            next += 1;
            numbers.extend(self.frontier[n as usize].iter().filter(|m| !found.put(**m as usize)));
        }
        numbers.iter().for_each(|n| found.set(*n as usize, false));
        numbers.sort_unstable();
        let mut above: Vec<u32> = Vec::with_capacity(numbers.len());
        for (i, &n) in numbers.iter().enumerate() {
            let mut at = i.saturating_sub(1) as u32;
            while n >= self.end[numbers[at as usize] as usize] {
                at = above[at as usize];
            }
            above.push(at);
        }
        (numbers, above)
    }
}

/// The number of each node of a tree in preorder, and for each number the end of its subtree. The root is node 0.
fn preorder(parents: &[Option<u32>]) -> (Vec<u32>, Vec<u32>) {
    let below: Vec<(u32, u32)> = parents.iter().zip(0..).filter_map(|(p, v)| p.map(|p| (p, v))).collect();
    let children = Digraph::new(parents.len(), &below);
    let (mut order, mut end) = (vec![0; parents.len()], vec![0; parents.len()]);
    let mut count = 0;
    let mut path: Vec<(u32, usize)> = Vec::new();
    let mut enter = Some(0);
    loop {
        if let Some(v) = enter.take() {
            order[v as usize] = count;
            count += 1;
            path.push((v, 0));
        }
        let Some((v, k)) = path.last_mut() else { break };
        enter = children.next(*v).get(*k).copied();
        *k += 1;
        if enter.is_none() {
            end[order[*v as usize] as usize] = count;
            path.pop();
        }
    }
    (order, end)
}

/// The dominance frontier of each node: where its dominance ends (Cytron et al., Fig. 10, from the nodes at which edges meet).
fn frontiers(parent: &[Option<u32>], edges: &[(u32, u32)]) -> Vec<SmallVec<[u32; 2]>> {
    let reversed: Vec<(u32, u32)> = edges.iter().map(|&(from, to)| (to, from)).collect();
    let into = Digraph::new(parent.len(), &reversed);
    let mut found: Vec<SmallVec<[u32; 2]>> = vec![SmallVec::new(); parent.len()];
    for m in 0..parent.len() as u32 {
        // Control also enters the root from outside.
        if into.next(m).len() < 2 && (m > 0 || into.next(m).is_empty()) {
            continue;
        }
        for &from in into.next(m) {
            let mut at = Some(from);
            while let Some(v) = at.filter(|v| parent[m as usize] != Some(*v)) {
                // What is above a node that was met from another edge into `m` was met, too.
                if found[v as usize].last() == Some(&m) {
                    break;
                }
                found[v as usize].push(m);
                at = parent[v as usize];
            }
        }
    }
    found
}
