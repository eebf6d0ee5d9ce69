//! Slices, and views: the compacted graphs that analyses explore.
//!
//! A slice never changes the CFA: it says which edges are executed, which act as `Skip`, and which are removed. The view
//! collapses chains and loops of skips: a location of the view has an edge with an effect, or skips to several locations, or no
//! successors. Its edges are those of the original CFA, so that counterexamples and certificates of a slice refer to the program.

use crate::graph::Cfa;
use crate::ids::{EdgeId, FuncId, Id, IndexVec, LocId};
use crate::op::Op;
use fixedbitset::FixedBitSet;
use smallvec::SmallVec;

/// The edges of a CFA that keep their effect (`kept`), and those that remain at all (`live`). Both have one bit for each
/// edge.
///
/// A live edge that is not kept has no effect; if it is a call, the function is not entered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slice {
    /// Edges whose operation matters.
    pub kept: FixedBitSet,
    /// Edges from which a criterion can be reached.
    pub live: FixedBitSet,
}

impl Slice {
    /// The slice that keeps everything.
    pub fn whole(cfa: &Cfa) -> Slice {
        let mut all = FixedBitSet::with_capacity(cfa.edges.len());
        all.insert_range(..);
        Slice { kept: all.clone(), live: all }
    }
}

/// An edge of a view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ViewEdge {
    /// The original edge.
    pub edge: EdgeId,
    /// Its target in the view.
    pub to: LocId,
    /// Whether its operation has an effect; otherwise it is a `Skip`.
    pub acts: bool,
}

/// The compacted graph of a slice. Its locations are representatives of sets of original locations.
#[derive(Clone, Debug)]
pub struct View {
    rep: IndexVec<LocId, LocId>,
    out: IndexVec<LocId, SmallVec<[ViewEdge; 2]>>,
}

static SKIP: Op = Op::Skip;

impl View {
    /// Compacts `cfa` under `slice`.
    pub fn new(cfa: &Cfa, slice: &Slice) -> View {
        let acts = |skip_calls: &FixedBitSet, e: EdgeId| match &cfa.edges[e].op {
            Op::Call(f) => slice.kept.contains(e.index()) && !skip_calls.contains(f.index()),
            Op::Skip => false,
            _ => slice.kept.contains(e.index()),
        };
        // Calls of functions that have no effect in the slice are skips. This may leave their callers without an effect,
        // so it is repeated.
        let mut skip_calls = FixedBitSet::with_capacity(cfa.funcs.len());
        loop {
            let view = View::compact(cfa, slice, &|e| acts(&skip_calls, e));
            let empty: Vec<FuncId> = cfa
                .funcs
                .iter_enumerated()
                .filter(|(f, func)| !skip_calls.contains(f.index()) && view.rep[func.entry] == view.rep[func.exit])
                .map(|(f, _)| f)
                .collect();
            if empty.is_empty() {
                return view;
            }
            skip_calls.extend(empty.into_iter().map(Id::index));
        }
    }

    fn compact(cfa: &Cfa, slice: &Slice, acts: &dyn Fn(EdgeId) -> bool) -> View {
        let n = cfa.locs.len();
        let live = |e: EdgeId| slice.live.contains(e.index());
        let skips = |l: LocId| {
            cfa.out(l)
                .iter()
                .copied()
                .filter(|&e| live(e) && !acts(e))
                .map(|e| cfa.edges[e].to)
                .collect::<SmallVec<[LocId; 2]>>()
        };
        let mut rep: IndexVec<LocId, LocId> = cfa.locs.ids().collect();
        let mut out: IndexVec<LocId, SmallVec<[ViewEdge; 2]>> = (0..n).map(|_| SmallVec::new()).collect();
        // Components of the skip edges come in reverse topological order.
        for component in components(n, &skips) {
            let mut acting: SmallVec<[ViewEdge; 2]> = SmallVec::new();
            let mut skipping: SmallVec<[ViewEdge; 2]> = SmallVec::new();
            for &l in &component {
                rep[l] = component[0];
            }
            for &l in &component {
                for &e in cfa.out(l) {
                    if !live(e) {
                        continue;
                    }
                    let to = cfa.edges[e].to;
                    if acts(e) {
                        acting.push(ViewEdge { edge: e, to, acts: true });
                    } else if rep[to] != component[0] && !skipping.iter().any(|s| s.to == rep[to]) {
                        skipping.push(ViewEdge { edge: e, to: rep[to], acts: false });
                    }
                }
            }
            if acting.is_empty() && skipping.len() == 1 {
                for &l in &component {
                    rep[l] = skipping[0].to;
                }
            } else {
                acting.extend(skipping);
                out[component[0]] = acting;
            }
        }
        for edges in out.iter_mut() {
            for e in edges.iter_mut() {
                e.to = rep[e.to];
            }
        }
        View { rep, out }
    }

    /// The graph as it is: each location represents itself, and skips are ordinary steps.
    pub fn uncompacted(cfa: &Cfa) -> View {
        let edge = |&e: &EdgeId| ViewEdge { edge: e, to: cfa.edges[e].to, acts: true };
        View { rep: cfa.locs.ids().collect(), out: cfa.locs.iter().map(|l| l.out.iter().map(edge).collect()).collect() }
    }

    /// Inserts an edge at a location of the view: what leaves `l` leaves the new location `to` instead, and the new edge leads there.
    ///
    /// # Panics
    /// If `to` is not the first location after those of the view.
    pub fn insert(&mut self, l: LocId, edge: EdgeId, to: LocId) {
        assert_eq!(to.index(), self.rep.len(), "new locations are added in their order");
        self.rep.push(to);
        let leaving = std::mem::take(&mut self.out[l]);
        self.out.push(leaving);
        self.out[l].push(ViewEdge { edge, to, acts: true });
    }

    /// Adds an edge that leaves a location of the view and leads to the new location `to`.
    ///
    /// # Panics
    /// If `to` is not the first location after those of the view.
    pub fn add(&mut self, l: LocId, edge: EdgeId, to: LocId) {
        assert_eq!(to.index(), self.rep.len(), "new locations are added in their order");
        self.rep.push(to);
        self.out.push(SmallVec::new());
        self.out[l].push(ViewEdge { edge, to, acts: true });
    }

    /// The location of the view that represents `l`.
    pub fn rep(&self, l: LocId) -> LocId {
        self.rep[l]
    }

    /// The edges that leave a location of the view.
    pub fn out(&self, l: LocId) -> &[ViewEdge] {
        &self.out[l]
    }

    /// The operation of an edge of the view.
    pub fn op<'c>(&self, cfa: &'c Cfa, e: &ViewEdge) -> &'c Op {
        if e.acts { &cfa.edges[e.edge].op } else { &SKIP }
    }

    /// The locations of the view that are reachable from the program's entry, with calls followed, in ascending order.
    pub fn reachable(&self, cfa: &Cfa) -> Vec<LocId> {
        let mut seen = FixedBitSet::with_capacity(self.rep.len());
        let mut stack = vec![self.rep[cfa.funcs[cfa.entry].entry]];
        while let Some(l) = stack.pop() {
            if seen.put(l.index()) {
                continue;
            }
            for e in self.out(l) {
                stack.push(e.to);
                if let Op::Call(f) = self.op(cfa, e) {
                    stack.push(self.rep[cfa.funcs[*f].entry]);
                }
            }
        }
        seen.ones().map(LocId::from_index).collect()
    }
}

/// The strongly connected components of `0..n` under `next`, in reverse topological order (Tarjan 1972, without recursion).
fn components(n: usize, next: &dyn Fn(LocId) -> SmallVec<[LocId; 2]>) -> Vec<Vec<LocId>> {
    const NEW: u32 = u32::MAX;
    let mut order = vec![NEW; n];
    let mut low = vec![0u32; n];
    let mut on_stack = FixedBitSet::with_capacity(n);
    let (mut stack, mut found, mut count) = (Vec::new(), Vec::new(), 0u32);
    for root in (0..n).map(LocId::from_index) {
        if order[root.index()] != NEW {
            continue;
        }
        let mut work: Vec<(LocId, SmallVec<[LocId; 2]>)> = Vec::new();
        let mut enter = Some(root);
        loop {
            if let Some(l) = enter.take() {
                (order[l.index()], low[l.index()]) = (count, count);
                count += 1;
                stack.push(l);
                on_stack.insert(l.index());
                work.push((l, next(l)));
            }
            let Some((l, rest)) = work.last_mut() else { break };
            let l = *l;
            if let Some(m) = rest.pop() {
                if order[m.index()] == NEW {
                    enter = Some(m);
                } else if on_stack.contains(m.index()) {
                    low[l.index()] = low[l.index()].min(order[m.index()]);
                }
                continue;
            }
            work.pop();
            if let Some((p, _)) = work.last() {
                low[p.index()] = low[p.index()].min(low[l.index()]);
            }
            if low[l.index()] == order[l.index()] {
                let at = stack.iter().rposition(|&m| m == l).expect("on the stack");
                let component = stack.split_off(at);
                for m in &component {
                    on_stack.set(m.index(), false);
                }
                found.push(component);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Span;
    use crate::{Sort, graph::Scope};

    /// A chain, a loop of skips and a branch collapse to the only edge with an effect.
    #[test]
    fn skips_collapse() {
        let mut cfa = Cfa::new(64);
        let f = cfa.add_func("main", Span::default());
        let x = cfa.add_var("x", Sort::Bv(8), Scope::Global);
        let one = cfa.terms.int(8, 1);
        let (entry, exit) = (cfa.funcs[f].entry, cfa.funcs[f].exit);
        let (a, b, c) = (cfa.add_loc(f), cfa.add_loc(f), cfa.add_loc(f));
        cfa.add_edge(entry, a, Op::Skip, Span::default());
        cfa.add_edge(a, b, Op::Skip, Span::default());
        cfa.add_edge(b, a, Op::Skip, Span::default());
        cfa.add_edge(b, c, Op::Skip, Span::default());
        let acting = cfa.add_edge(c, exit, Op::assign(x, one), Span::default());
        let view = View::new(&cfa, &Slice::whole(&cfa));
        assert_eq!(view.rep(entry), view.rep(c));
        assert_eq!(view.out(view.rep(entry)), [ViewEdge { edge: acting, to: exit, acts: true }]);
    }
}
