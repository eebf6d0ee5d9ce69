//! The inclusion-based solver (Andersen 1994): waves of difference propagation in topological order over a graph whose cycles
//! are collapsed (Pereira and Berlin, "Wave propagation and deep propagation for pointer analysis", CGO 2009).
//!
//! Sets are bitmaps of locations, each stored once (`sets`). Loads, stores and calls wait at the node of their address; each
//! location that arrives there adds edges from and to the contents of its object, field by field (`content`). If an edge of a
//! cycle adds a constant, the cycle adds any multiple of it (Pearce, Kelly, Hankin, "Efficient field-sensitive pointer analysis of
//! C", TOPLAS 2007, where such an object loses its fields). If an access may touch more than [`CONTENTS_TOLD_APART`] contents, these
//! are unified: their objects share a region anyway.

use crate::points_to::content::{Contents, Extent};
use crate::points_to::location::{Flow, Locations, OFFSETS_TRACKED};
use crate::points_to::sets::{SetId, Sets};
use crate::points_to::solver::{Arrival, Node, Solution, Solver, Summary, Waiting};
use crate::scc::for_each_component;
use cfa::offset::Pointee;
use cfa::{Cfa, Id, ObjectId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Maximum number of object contents that one access keeps apart; beyond it, all contents that the access meets are unified.
const CONTENTS_TOLD_APART: usize = 256;

/// Estimated cost of visiting a node or an edge in the search for cycles, in steps of propagation.
const PASS_COST: usize = 2;

/// Index of a [`Flow`].
type FlowId = u32;
const PLAIN: FlowId = 0;

/// The constraints that wait at an address, and the locations that have not been handed to them yet.
struct Watch {
    waiting: Vec<Waiting>,
    fresh: SetId,
    /// For each shape of access, the number of contents that it met, and one of these.
    met: Vec<(Shape, usize, Node)>,
}

impl Default for Watch {
    fn default() -> Watch {
        Watch { waiting: Vec::new(), fresh: SetId::EMPTY, met: Vec::new() }
    }
}

/// The bytes of an access, and whether it writes them.
type Shape = (Extent, bool);

/// The constraint graph and its solution so far.
pub(super) struct Andersen {
    pub(super) contents: Contents,
    locations: Locations,
    flows: Vec<Flow>,
    flow_ids: FxHashMap<Flow, FlowId>,
    /// The node into which each node was merged, or the node itself.
    rep: Vec<Node>,
    sets: Sets,
    /// What flows made of sets.
    changed: FxHashMap<(SetId, Flow), SetId>,
    /// The points-to set of each representative.
    of: Vec<SetId>,
    /// The part of each set that has not been propagated along the edges yet.
    pending: Vec<SetId>,
    edges: Vec<Vec<(Node, FlowId)>>,
    watches: Vec<Option<Box<Watch>>>,
    known_edges: FxHashSet<(Node, Node, FlowId)>,
    /// The topological number of each node, as of the last search for cycles.
    order: Vec<u32>,
    /// Whether each node is in `queue`.
    dirty: Vec<bool>,
    /// The nodes with pending locations, by topological number.
    queue: BinaryHeap<Reverse<(u32, Node)>>,
    /// Nodes with locations that have not been handed to the constraints that wait there.
    grown: Vec<Node>,
    arrivals: Vec<Arrival>,
    /// Number of edges after the last search for cycles.
    edges_at_collapse: usize,
    /// Steps of propagation since cycles were last collapsed.
    work: usize,
}

impl Andersen {
    /// An empty graph.
    pub(super) fn new(cfa: &Cfa) -> Andersen {
        Andersen {
            contents: Contents::new(cfa),
            locations: Locations::new(cfa),
            flows: vec![Flow::Plain],
            flow_ids: FxHashMap::from_iter([(Flow::Plain, PLAIN)]),
            rep: Vec::new(),
            sets: Sets::new(),
            changed: FxHashMap::default(),
            of: Vec::new(),
            pending: Vec::new(),
            edges: Vec::new(),
            watches: Vec::new(),
            known_edges: FxHashSet::default(),
            order: Vec::new(),
            dirty: Vec::new(),
            queue: BinaryHeap::new(),
            grown: Vec::new(),
            arrivals: Vec::new(),
            edges_at_collapse: 0,
            work: 0,
        }
    }

    pub(super) fn add_content_node(&mut self) -> Node {
        self.add_node()
    }

    /// The representative of `n`'s collapsed cycle.
    fn find(&self, mut n: Node) -> Node {
        while self.rep[n as usize] != n {
            n = self.rep[n as usize];
        }
        n
    }

    fn flow_id(&mut self, flow: Flow) -> FlowId {
        let flow = if flow == Flow::Plus(0) { Flow::Plain } else { flow };
        *self.flow_ids.entry(flow).or_insert_with(|| {
            self.flows.push(flow);
            self.flows.len() as FlowId - 1
        })
    }

    /// Adds the locations of `delta`, changed by `flow`, to `n`. Large sets keep no offsets.
    fn add_locations(&mut self, n: Node, delta: SetId, flow: FlowId) {
        let n = self.find(n);
        let i = n as usize;
        let wide = self.sets.len(self.of[i]).max(self.sets.len(delta)) > OFFSETS_TRACKED;
        let delta = self.changed(delta, self.flows[flow as usize], wide);
        let (all, new) = self.sets.union(self.of[i], delta);
        if new.is_empty() {
            return;
        }
        self.of[i] = all;
        self.sets.absorb(&mut self.pending[i], new);
        if let Some(watch) = &mut self.watches[i] {
            if watch.fresh.is_empty() {
                self.grown.push(n);
            }
            self.sets.absorb(&mut watch.fresh, new);
        }
        self.mark_dirty(n);
    }

    /// The locations of `set`, changed by `flow`; without offsets if the target is `wide`.
    fn changed(&mut self, set: SetId, flow: Flow, wide: bool) -> SetId {
        // Where offsets do not matter, it does not matter either what is added to them.
        let keeps_object = matches!(flow, Flow::Plain | Flow::Plus(_) | Flow::Modulo(_));
        let flow = if wide && keeps_object { Flow::Modulo(0) } else { flow };
        if self.locations.keeps(flow, self.sets.get(set)) {
            return set;
        }
        if let Some(&known) = self.changed.get(&(set, flow)) {
            return known;
        }
        let result = self.sets.number(self.locations.flow(flow, self.sets.get(set)));
        self.changed.insert((set, flow), result);
        result
    }

    /// Gives up sets that no node has any longer, if there may be many.
    fn give_up_sets(&mut self) {
        if self.sets.are_many() {
            self.changed = FxHashMap::default();
            let fresh = self.watches.iter().flatten().map(|w| w.fresh);
            self.sets.retain(self.of.iter().chain(&self.pending).copied().chain(fresh));
        }
    }

    fn mark_dirty(&mut self, n: Node) {
        if !self.dirty[n as usize] {
            self.dirty[n as usize] = true;
            self.queue.push(Reverse((self.order[n as usize], n)));
        }
    }

    /// Hands the new locations at `n` to the constraints that wait there.
    fn serve(&mut self, n: Node) {
        let n = self.find(n);
        let Some(watch) = &mut self.watches[n as usize] else { return };
        let fresh = std::mem::replace(&mut watch.fresh, SetId::EMPTY);
        let mut waiting = std::mem::take(&mut watch.waiting);
        let mut met = std::mem::take(&mut watch.met);
        self.hand(fresh, &waiting, &mut met);
        // Unified contents may have caused `n` to be unified with another node.
        let n = self.find(n);
        let watch = self.watches[n as usize].get_or_insert_default();
        waiting.append(&mut watch.waiting);
        watch.waiting = waiting;
        watch.met.append(&mut met);
    }

    fn hand(&mut self, locations: SetId, waiting: &[Waiting], met: &mut Vec<(Shape, usize, Node)>) {
        let pointees: Vec<Pointee> = self.sets.get(locations).iter().map(|l| self.locations.pointee(l)).collect();
        // Accesses of the same bytes meet the same contents.
        let mut contents: FxHashMap<Shape, Vec<Node>> = FxHashMap::default();
        for &w in waiting {
            let shape = match w {
                Waiting::Call(e) => {
                    self.arrivals.extend(pointees.iter().map(|p| (e, p.0)));
                    continue;
                }
                Waiting::Load { extent, .. } => (extent, false),
                Waiting::Store { extent, .. } => (extent, true),
            };
            let nodes = contents.entry(shape).or_insert_with(|| self.contents_met(&pointees, shape, met));
            for &content in nodes.iter() {
                match w {
                    Waiting::Load { to, plain, .. } => self.add_flow(content, to, mangled_unless(plain)),
                    Waiting::Store { from, plain, .. } => self.add_flow(from, content, mangled_unless(plain)),
                    Waiting::Call(_) => unreachable!("handled above"),
                }
            }
        }
    }

    /// The content nodes that accesses of `shape` touch at `pointees`, each once. If the waiting constraints have met too many, these
    /// are unified.
    fn contents_met(&mut self, pointees: &[Pointee], shape: Shape, met: &mut Vec<(Shape, usize, Node)>) -> Vec<Node> {
        let mut nodes = Vec::new();
        pointees.iter().for_each(|p| self.content_nodes(*p, shape.0, shape.1, &mut nodes));
        nodes.iter_mut().for_each(|n| *n = self.find(*n));
        nodes.sort_unstable();
        nodes.dedup();
        let Some(&first) = nodes.first() else { return nodes };
        let at = met.iter().position(|m| m.0 == shape).unwrap_or_else(|| {
            met.push((shape, 0, first));
            met.len() - 1
        });
        let (_, count, one) = &mut met[at];
        *count += nodes.len();
        if *count > CONTENTS_TOLD_APART {
            for &n in &nodes {
                self.unify(*one, n);
            }
            nodes = vec![self.find(*one)];
        }
        nodes
    }

    fn propagate(&mut self, n: Node) {
        let i = n as usize;
        self.dirty[i] = false;
        if self.rep[i] != n {
            return;
        }
        let delta = std::mem::replace(&mut self.pending[i], SetId::EMPTY);
        self.work += self.edges[i].len();
        for k in 0..self.edges[i].len() {
            let (to, flow) = self.edges[i][k];
            self.add_locations(to, delta, flow);
        }
    }

    /// Collapses cycles of plain edges, finds cycles that add constants, and numbers the nodes topologically.
    fn collapse_cycles(&mut self) {
        let nodes = self.rep.len();
        let mut plain_cycles: Vec<Vec<Node>> = Vec::new();
        for_each_component(
            nodes,
            |v, next| self.successors(v, PLAIN..=PLAIN, next),
            |members| {
                if members.len() > 1 {
                    plain_cycles.push(members.to_vec());
                }
            },
        );
        for cycle in plain_cycles {
            for &m in &cycle[1..] {
                self.merge(m, cycle[0]);
            }
        }
        self.compress();
        // Components are numbered in reverse topological order.
        let mut component = vec![0u32; nodes];
        let mut count = 0;
        for_each_component(
            nodes,
            |v, next| self.successors(v, PLAIN..=FlowId::MAX, next),
            |members| {
                members.iter().for_each(|&m| component[m as usize] = count);
                count += 1;
            },
        );
        self.order = component.iter().map(|c| count - c).collect();
        for n in 0..nodes {
            for k in 0..self.edges[n].len() {
                let (to, flow) = self.edges[n][k];
                if let Flow::Plus(by) = self.flows[flow as usize]
                    && component[n] == component[to as usize]
                {
                    self.edges[n][k].1 = self.flow_id(Flow::Modulo(by.trailing_zeros() as u8));
                    // What was propagated along this edge before lacks the multiples.
                    self.sets.absorb(&mut self.pending[n], self.of[n]);
                    self.mark_dirty(n as Node);
                }
            }
        }
        let queue = std::mem::take(&mut self.queue);
        let mut nodes: Vec<Node> = queue.into_iter().map(|Reverse((_, n))| self.find(n)).collect();
        nodes.sort_unstable();
        nodes.dedup();
        for n in nodes {
            self.dirty[n as usize] = true;
            self.queue.push(Reverse((self.order[n as usize], n)));
        }
    }

    fn successors(&self, v: Node, flows: std::ops::RangeInclusive<FlowId>, next: &mut Vec<Node>) {
        if self.rep[v as usize] == v {
            let chosen = self.edges[v as usize].iter().filter(|(_, flow)| flows.contains(flow));
            next.extend(chosen.map(|&(to, _)| self.find(to)));
        }
    }

    /// Replaces nodes in edges and waiting constraints by their representatives, each once.
    fn compress(&mut self) {
        for i in 0..self.rep.len() {
            self.rep[i] = self.find(i as Node);
        }
        let rep = &self.rep;
        self.known_edges.clear();
        for (n, edges) in self.edges.iter_mut().enumerate().filter(|(_, edges)| !edges.is_empty()) {
            let n = n as Node;
            edges.retain_mut(|(to, flow)| {
                *to = rep[*to as usize];
                (*to != n || *flow != PLAIN) && self.known_edges.insert((n, *to, *flow))
            });
        }
        self.edges_at_collapse = self.known_edges.len();
        self.work = 0;
        for watch in self.watches.iter_mut().flatten() {
            for w in &mut watch.waiting {
                if let Waiting::Load { to: n, .. } | Waiting::Store { from: n, .. } = w {
                    *n = rep[*n as usize];
                }
            }
            watch.waiting.sort_unstable();
            watch.waiting.dedup();
        }
    }

    /// Makes `rep` the representative of `m`: locations that only one of the two had are propagated again.
    fn merge(&mut self, m: Node, rep: Node) {
        let (i, r) = (m as usize, rep as usize);
        self.rep[i] = rep;
        let set = std::mem::replace(&mut self.of[i], SetId::EMPTY);
        let pending = std::mem::replace(&mut self.pending[i], SetId::EMPTY);
        let edges = std::mem::take(&mut self.edges[i]);
        let watch = self.watches[i].take();
        let apart = self.sets.difference(self.of[r], set);
        self.sets.absorb(&mut self.of[r], set);
        self.sets.absorb(&mut self.pending[r], pending);
        if !edges.is_empty() || !self.edges[r].is_empty() {
            self.sets.absorb(&mut self.pending[r], apart);
        }
        self.edges[r].extend(edges);
        if !self.pending[r].is_empty() {
            self.mark_dirty(rep);
        }
        if watch.is_some() || self.watches[r].is_some() {
            let own = self.watches[r].get_or_insert_default();
            let other = watch.map(|w| *w).unwrap_or_default();
            own.waiting.extend(other.waiting);
            self.sets.absorb(&mut own.fresh, other.fresh);
            self.sets.absorb(&mut own.fresh, apart);
            own.met.extend(other.met);
            self.grown.push(rep);
        }
    }
}

fn mangled_unless(plain: bool) -> Flow {
    if plain { Flow::Plain } else { Flow::Mangle }
}

impl Solver for Andersen {
    fn add_node(&mut self) -> Node {
        let n = self.rep.len() as Node;
        self.rep.push(n);
        self.of.push(SetId::EMPTY);
        self.pending.push(SetId::EMPTY);
        self.edges.push(Vec::new());
        self.watches.push(None);
        self.order.push(n);
        self.dirty.push(false);
        n
    }

    fn add_location(&mut self, n: Node, p: Pointee) {
        let one = self.sets.number(std::iter::once(self.locations.number(p)).collect());
        self.add_locations(n, one, PLAIN);
    }

    fn add_flow(&mut self, from: Node, to: Node, flow: Flow) {
        let (from, to, flow) = (self.find(from), self.find(to), self.flow_id(flow));
        if (from == to && flow == PLAIN) || !self.known_edges.insert((from, to, flow)) {
            return;
        }
        self.edges[from as usize].push((to, flow));
        let present = self.of[from as usize];
        if !present.is_empty() {
            self.add_locations(to, present, flow);
        }
    }

    fn unify(&mut self, a: Node, b: Node) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.merge(a.max(b), a.min(b));
        }
    }

    fn add_waiting(&mut self, n: Node, w: Waiting) {
        let n = self.find(n);
        let watch = self.watches[n as usize].get_or_insert_default();
        watch.waiting.push(w);
        let set = self.of[n as usize];
        if !set.is_empty() {
            // Constraints that wait already get these locations again, which changes nothing.
            self.sets.absorb(&mut watch.fresh, set);
            self.grown.push(n);
        }
    }

    fn run(&mut self) -> Vec<Arrival> {
        loop {
            // Collapsing takes a pass over the graph, which pays off once the graph has grown by a quarter.
            if self.known_edges.len() > self.edges_at_collapse + self.edges_at_collapse / 4 {
                self.collapse_cycles();
            }
            while let Some(Reverse((_, n))) = self.queue.pop() {
                self.propagate(n);
                self.give_up_sets();
                // A few new edges may close a cycle with much propagation: a pass pays off once as much was
                // propagated as a pass costs.
                let changed = self.known_edges.len() != self.edges_at_collapse;
                if changed && self.work > PASS_COST * (self.rep.len() + self.known_edges.len()) {
                    self.collapse_cycles();
                }
            }
            if self.grown.is_empty() {
                return std::mem::take(&mut self.arrivals);
            }
            // Contents flow into each other through the same pointers: collapse the cycles that appear here before
            // much is propagated along them.
            let enough = 2 * self.known_edges.len().max(1 << 12);
            while self.known_edges.len() < enough
                && let Some(n) = self.grown.pop()
            {
                self.serve(n);
            }
        }
    }

    fn outside(&mut self, o: ObjectId) -> Node {
        self.outside_content(o)
    }

    fn summary(&self, n: Node) -> Summary {
        let set = self.sets.get(self.of[self.find(n) as usize]);
        let objects = || set.iter().map(|l| self.locations.pointee(l).0);
        let mut inside = objects().filter(|o| !self.locations.is_outside(*o));
        let first = inside.next();
        Summary {
            first,
            several: inside.any(|o| Some(o) != first),
            outside: objects().any(|o| self.locations.is_outside(o)),
            mangled: self.locations.any_mangled(set),
        }
    }

    fn solution(mut self, objects: usize) -> Solution {
        let mut contents = vec![SetId::EMPTY; objects];
        for (o, all) in contents.iter_mut().enumerate() {
            for n in self.all_content(ObjectId::from_index(o)) {
                self.sets.absorb(all, self.of[self.find(n) as usize]);
            }
        }
        let (mut sets, mut apart) = (vec![Vec::new()], vec![Vec::new()]);
        let mut numbers: FxHashMap<SetId, u32> = FxHashMap::from_iter([(SetId::EMPTY, 0)]);
        let mut number = |id: SetId| -> u32 {
            *numbers.entry(id).or_insert_with(|| {
                let set = self.sets.get(id);
                sets.push(self.locations.pointees(set));
                let mut each: Vec<Pointee> = set.iter().map(|l| self.locations.pointee(l)).collect();
                each.sort_by_key(|p| p.0);
                apart.push(each);
                sets.len() as u32 - 1
            })
        };
        let of_content = contents.into_iter().map(&mut number).collect();
        let mut of_content_node = |n: Node| number(self.of[self.find(n) as usize]);
        let claims = (0..objects).map(|o| self.content_claim(ObjectId::from_index(o), &mut of_content_node)).collect();
        let mut of_rep: Vec<Option<u32>> = vec![None; self.rep.len()];
        let mut of_node = Vec::with_capacity(self.rep.len());
        for n in 0..self.rep.len() as Node {
            let rep = self.find(n) as usize;
            of_node.push(*of_rep[rep].get_or_insert_with(|| number(self.of[rep])));
        }
        Solution { of_node, of_content, sets, apart, claims, grid: self.grid() }
    }
}
