//! The solver of inclusion constraints: waves of difference propagation in topological order over a graph whose cycles are
//! collapsed (Pereira and Berlin, "Wave propagation and deep propagation for pointer analysis", CGO 2009).
//!
//! Nodes are numbers; what they stand for is the business of `constraints`. Loads, stores and calls wait at the node of their
//! address and add edges as objects arrive there.

use super::set::{EXTERNAL, Offset, Pointee, PointeeSet};
use crate::scc::components;
use cfa::{EdgeId, Id, ObjectId};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A node of the constraint graph.
pub type Node = u32;

/// What happens to a pointee on its way along an edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Flow {
    /// Nothing: a copy.
    Plain,
    /// A constant is added to the address.
    Plus(i64),
    /// An unknown multiple of 2^n is added.
    Modulo(u8),
    /// The value is computed from the address in a way that pointers do not see.
    Mangle,
}

impl Flow {
    fn of(self, (object, offset): Pointee, pointer_bits: u32) -> Pointee {
        let offset = match self {
            Flow::Plain => offset,
            Flow::Plus(k) => offset.plus(k, pointer_bits),
            Flow::Modulo(bits) => offset.modulo(bits),
            Flow::Mangle => Offset::MANGLED,
        };
        (object, offset)
    }
}

/// What waits at an address for objects.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Waiting {
    /// The contents of the objects flow to the node.
    Load(Node, Flow),
    /// The node flows into the contents of the objects.
    Store(Node, Flow),
    /// Function objects are called by the edge.
    Call(EdgeId),
}

/// A function object arrived at the target of an indirect call.
pub type Arrival = (EdgeId, ObjectId);

/// The constraint graph and its solution so far.
pub struct Solver {
    pointer_bits: u32,
    /// Objects, whose content nodes are the first nodes; those without content (functions) are marked.
    opaque: Vec<bool>,
    rep: Vec<Node>,
    sets: Vec<PointeeSet>,
    pending: Vec<PointeeSet>,
    new_objects: Vec<Vec<ObjectId>>,
    edges: Vec<Vec<(Node, Flow)>>,
    waiting: Vec<Vec<Waiting>>,
    known_edges: FxHashSet<(Node, Node, Flow)>,
    order: Vec<u32>,
    dirty: Vec<bool>,
    queue: BinaryHeap<Reverse<(u32, Node)>>,
    grown: Vec<Node>,
    arrivals: Vec<Arrival>,
    edges_at_collapse: usize,
}

impl Solver {
    /// A graph with a content node for each object; `opaque` ones have no content.
    pub fn new(pointer_bits: u32, opaque: Vec<bool>) -> Solver {
        let mut solver = Solver {
            pointer_bits,
            rep: Vec::new(),
            sets: Vec::new(),
            pending: Vec::new(),
            new_objects: Vec::new(),
            edges: Vec::new(),
            waiting: Vec::new(),
            known_edges: FxHashSet::default(),
            order: Vec::new(),
            dirty: Vec::new(),
            queue: BinaryHeap::new(),
            grown: Vec::new(),
            arrivals: Vec::new(),
            edges_at_collapse: 0,
            opaque: Vec::new(),
        };
        for _ in 0..opaque.len() {
            solver.add_node();
        }
        solver.opaque = opaque;
        solver
    }

    /// A new node.
    pub fn add_node(&mut self) -> Node {
        let n = self.rep.len() as Node;
        self.rep.push(n);
        self.sets.push(PointeeSet::default());
        self.pending.push(PointeeSet::default());
        self.new_objects.push(Vec::new());
        self.edges.push(Vec::new());
        self.waiting.push(Vec::new());
        self.order.push(n);
        self.dirty.push(false);
        n
    }

    /// The node that stands for `n`'s cycle.
    pub fn find(&self, mut n: Node) -> Node {
        while self.rep[n as usize] != n {
            n = self.rep[n as usize];
        }
        n
    }

    /// What `n` may point to, so far.
    pub fn set(&self, n: Node) -> &PointeeSet {
        &self.sets[self.find(n) as usize]
    }

    /// Adds a pointee to `n`.
    pub fn add_pointee(&mut self, n: Node, p: Pointee) {
        self.add_pointees(n, &[p], Flow::Plain);
    }

    /// Adds what `flow` makes of `delta` to `n`.
    fn add_pointees(&mut self, n: Node, delta: &[Pointee], flow: Flow) {
        let n = self.find(n);
        let i = n as usize;
        let bits = self.pointer_bits;
        let Solver { sets, pending, new_objects, waiting, grown, .. } = self;
        let (pending, new_objects, has_waiting) = (&mut pending[i], &mut new_objects[i], !waiting[i].is_empty());
        let (was_empty, none_waited) = (pending.is_empty(), new_objects.is_empty());
        sets[i].union(
            delta,
            |p| flow.of(p, bits),
            |p, new| {
                pending.insert(p);
                if new && has_waiting {
                    new_objects.push(p.0);
                }
            },
        );
        if none_waited && !new_objects.is_empty() {
            grown.push(n);
        }
        if was_empty && !pending.is_empty() {
            self.mark_dirty(n);
        }
    }

    /// Adds an edge; what `from` points to so far flows at once.
    pub fn add_edge(&mut self, from: Node, to: Node, flow: Flow) {
        let (from, to) = (self.find(from), self.find(to));
        if (from == to && flow == Flow::Plain) || !self.known_edges.insert((from, to, flow)) {
            return;
        }
        self.edges[from as usize].push((to, flow));
        let present = std::mem::take(&mut self.sets[from as usize]);
        if from == to {
            let copy = present.clone();
            self.sets[from as usize] = present;
            self.add_pointees(to, copy.as_slice(), flow);
        } else {
            self.add_pointees(to, present.as_slice(), flow);
            self.sets[from as usize] = present;
        }
    }

    /// Lets `w` wait at address `n`.
    pub fn add_waiting(&mut self, n: Node, w: Waiting) {
        let n = self.find(n);
        self.waiting[n as usize].push(w);
        let objects: Vec<ObjectId> = self.sets[n as usize].as_slice().iter().map(|p| p.0).collect();
        for o in objects {
            self.apply(w, o);
        }
    }

    fn apply(&mut self, w: Waiting, o: ObjectId) {
        let has_content = self.opaque.get(o.index()).is_some_and(|opaque| !opaque);
        match w {
            Waiting::Load(to, flow) if has_content => self.add_edge(o.0, to, flow),
            Waiting::Store(from, flow) if has_content => self.add_edge(from, o.0, flow),
            // What an outside object holds is from outside.
            Waiting::Load(to, _) if o == EXTERNAL => self.add_pointee(to, (EXTERNAL, Offset::MANGLED)),
            Waiting::Load(..) | Waiting::Store(..) => {}
            Waiting::Call(e) => self.arrivals.push((e, o)),
        }
    }

    /// Propagates until nothing changes; returns the objects that arrived at calls.
    pub fn run(&mut self) -> Vec<Arrival> {
        loop {
            // Collapsing costs a pass over the graph: worth it once the graph has grown by an eighth.
            if self.known_edges.len() > self.edges_at_collapse + self.edges_at_collapse / 8 {
                self.collapse_cycles();
            }
            while let Some(Reverse((_, n))) = self.queue.pop() {
                self.propagate(n);
            }
            if self.grown.is_empty() {
                return std::mem::take(&mut self.arrivals);
            }
            // Contents flow into each other through the same pointers: cycles that appear here are collapsed before much
            // flows along them.
            let enough = 2 * self.known_edges.len().max(1 << 12);
            while self.known_edges.len() < enough
                && let Some(n) = self.grown.pop()
            {
                self.serve(n);
            }
        }
    }

    /// Hands the new objects at `n` to what waits there.
    fn serve(&mut self, n: Node) {
        let n = self.find(n) as usize;
        let objects = std::mem::take(&mut self.new_objects[n]);
        // Objects whose contents have become one need one edge only.
        let (mut contents, mut others): (Vec<Node>, Vec<ObjectId>) = (Vec::new(), Vec::new());
        for &o in &objects {
            match self.opaque.get(o.index()) {
                Some(false) => contents.push(self.find(o.0)),
                _ => others.push(o),
            }
        }
        contents.sort_unstable();
        contents.dedup();
        others.extend(contents.into_iter().map(ObjectId));
        for i in 0..self.waiting[n].len() {
            let w = self.waiting[n][i];
            for &o in &others {
                self.apply(w, o);
            }
        }
    }

    fn propagate(&mut self, n: Node) {
        let i = n as usize;
        self.dirty[i] = false;
        if self.rep[i] != n {
            return;
        }
        let delta = std::mem::take(&mut self.pending[i]);
        for k in 0..self.edges[i].len() {
            let (to, flow) = self.edges[i][k];
            self.add_pointees(to, delta.as_slice(), flow);
        }
    }

    /// Makes one node of two that point to the same.
    pub fn unify(&mut self, a: Node, b: Node) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.merge(a.max(b), a.min(b));
        }
    }

    /// Collapses the cycles of plain edges and numbers the nodes topologically.
    fn collapse_cycles(&mut self) {
        let components = components(self.rep.len(), |v, next| {
            if self.rep[v as usize] == v {
                let plain = self.edges[v as usize].iter().filter(|(_, flow)| *flow == Flow::Plain);
                next.extend(plain.map(|&(to, _)| self.find(to)));
            }
        });
        // Components come with their successors first. The least node stands for each, so that a component that gets merged has
        // only nodes that stand for themselves.
        let n = components.len() as u32;
        for (i, component) in components.iter().enumerate() {
            let rep = component[0];
            self.order[rep as usize] = n - i as u32;
            for &m in &component[1..] {
                self.merge(m, rep);
            }
        }
        self.compress();
        let queue = std::mem::take(&mut self.queue);
        let mut nodes: Vec<Node> = queue.into_iter().map(|Reverse((_, n))| self.find(n)).collect();
        nodes.sort_unstable();
        nodes.dedup();
        for n in nodes {
            self.dirty[n as usize] = true;
            self.queue.push(Reverse((self.order[n as usize], n)));
        }
    }

    /// Lets edges and what waits name what stands for a node, each once.
    fn compress(&mut self) {
        for i in 0..self.rep.len() {
            self.rep[i] = self.find(i as Node);
        }
        let rep = &self.rep;
        let mut known = FxHashSet::default();
        for (n, edges) in self.edges.iter_mut().enumerate() {
            edges.retain_mut(|(to, flow)| {
                *to = rep[*to as usize];
                (*to != n as Node || *flow != Flow::Plain) && known.insert((n as Node, *to, *flow))
            });
        }
        self.known_edges = known;
        self.edges_at_collapse = self.known_edges.len();
        let mut seen = FxHashSet::default();
        for waiting in &mut self.waiting {
            seen.clear();
            waiting.retain_mut(|w| {
                if let Waiting::Load(n, _) | Waiting::Store(n, _) = w {
                    *n = rep[*n as usize];
                }
                seen.insert(*w)
            });
        }
    }

    /// Makes `rep` stand for `m`: what one of them points to and the other does not is propagated again.
    fn merge(&mut self, m: Node, rep: Node) {
        let (i, r) = (m as usize, rep as usize);
        self.rep[i] = rep;
        let edges = std::mem::take(&mut self.edges[i]);
        let waiting = std::mem::take(&mut self.waiting[i]);
        let set = std::mem::take(&mut self.sets[i]);
        let pending = std::mem::take(&mut self.pending[i]);
        let new_objects = std::mem::take(&mut self.new_objects[i]);
        if set == self.sets[r] {
            // The edges of both have seen the same, but for what is pending on either side.
            self.edges[r].extend(edges);
            self.waiting[r].extend(waiting);
            for &p in pending.as_slice() {
                self.pending[r].insert(p);
            }
            if self.new_objects[r].is_empty() && !new_objects.is_empty() {
                self.grown.push(rep);
            }
            self.new_objects[r].extend(new_objects);
            self.mark_dirty(rep);
            return;
        }
        for (to, flow) in edges {
            self.add_edge(rep, to, flow);
        }
        for w in waiting {
            self.add_waiting(rep, w);
        }
        self.add_pointees(rep, set.as_slice(), Flow::Plain);
    }

    fn mark_dirty(&mut self, n: Node) {
        if !self.dirty[n as usize] {
            self.dirty[n as usize] = true;
            self.queue.push(Reverse((self.order[n as usize], n)));
        }
    }
}
