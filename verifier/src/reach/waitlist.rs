//! The order in which reached states are expanded.

use crate::cpa::Located;
use crate::program::Program;
use crate::program::wto::Element;
use crate::reach::arg::{Arg, NodeId};
use cfa::{FuncId, Id, LocId, Op};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use slicer::dependence::control_dep::{ControlDependence, ControlOptions};
use slicer::dependence::relevant::Live;
use slicer::dependence::sdg::{Sdg, Vertex};
use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, VecDeque};

/// A criterion by which waiting states are sorted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Criterion {
    /// States with more frames on the call stack first: a called function is finished before its caller continues.
    DeepCalls,
    /// States with fewer frames on the call stack first: recursion is postponed.
    ShallowCalls,
    /// States with more loop heads on the way to them first: loop bodies before loop exits.
    ManyIterations,
    /// States with fewer loop heads on the way to them first: all loops are unrolled evenly.
    FewIterations,
    /// States whose constants are smaller, in sum, first: what counts up is followed side by side.
    SmallConstants,
    /// States whose paths have had conditions about fewer of their inputs first, in the order in which these were read: what reads a text is
    /// followed side by side, and meets again behind each part of it.
    FewInputs,
    /// By position in the weak topological order of the function: branches are merged before the search moves on.
    ReversePostorder,
    /// States from which fewer edges of the view lead to a target first (directed model checking; Edelkamp, Lafuente, Leue, SPIN 2001): deep
    /// errors are reached without all that is less deep.
    NearTarget,
    /// States whose next edges are fewer dependences away from a target first, in the system dependence graph: what decides about the target is
    /// tried before what does not. (Of a program that is too large for the graph, all are equal.)
    NearCause,
}

impl Criterion {
    /// All criteria, by the names used in configurations.
    pub const ALL: [(&'static str, Criterion); 9] = [
        ("deep-calls", Criterion::DeepCalls),
        ("shallow-calls", Criterion::ShallowCalls),
        ("many-iterations", Criterion::ManyIterations),
        ("few-iterations", Criterion::FewIterations),
        ("small-constants", Criterion::SmallConstants),
        ("few-inputs", Criterion::FewInputs),
        ("reverse-postorder", Criterion::ReversePostorder),
        ("near-target", Criterion::NearTarget),
        ("near-cause", Criterion::NearCause),
    ];

    /// The name used in configurations.
    pub fn name(self) -> &'static str {
        Criterion::ALL.iter().find(|(_, c)| *c == self).map_or("", |(name, _)| name)
    }

    /// What it compares: no order compares the same aspect twice.
    fn aspect(self) -> usize {
        match self {
            Criterion::DeepCalls | Criterion::ShallowCalls => 0,
            Criterion::ManyIterations | Criterion::FewIterations => 1,
            Criterion::ReversePostorder => 2,
            Criterion::NearTarget => 3,
            Criterion::NearCause => 4,
            Criterion::SmallConstants => 5,
            Criterion::FewInputs => 6,
        }
    }
}

/// The number of aspects that criteria compare.
const ASPECTS: usize = 7;

/// Which of the states that criteria do not tell apart comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
enum Last {
    #[default]
    Oldest,
    Newest,
    /// Any of them: a search that begins again and again in another place. The choice is the same in each run.
    Random,
}

impl Last {
    /// All of them, by the names used in configurations.
    const ALL: [(&'static str, Last); 3] = [("bfs", Last::Oldest), ("dfs", Last::Newest), ("random", Last::Random)];
}

/// An order of expansion: criteria, the most significant one first, and finally the time at which states entered the waitlist, or chance.
///
/// (The traversal orders of CPAchecker are such lists, too.)
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub struct Order {
    by: [Option<Criterion>; ASPECTS],
    last: Last,
}

impl Order {
    /// Oldest first: finds short counterexamples, and starves no path.
    pub const BREADTH_FIRST: Order = Order { by: [None; ASPECTS], last: Last::Oldest };
    /// Newest first: needs little memory on deep paths.
    pub const DEPTH_FIRST: Order = Order { by: [None; ASPECTS], last: Last::Newest };
    /// Inner calls first, then by position in the weak topological order.
    pub const REVERSE_POSTORDER: Order = Order::of(&[Criterion::DeepCalls, Criterion::ReversePostorder]);

    /// Few inputs first, then inner calls, then by position in the weak topological order, then small constants: paths that have read and
    /// counted equally far meet.
    pub const SIDE_BY_SIDE: Order = Order::of(&[
        Criterion::FewInputs,
        Criterion::DeepCalls,
        Criterion::ReversePostorder,
        Criterion::SmallConstants,
    ]);

    const fn of(criteria: &[Criterion]) -> Order {
        let (mut by, mut i) = ([None; ASPECTS], 0);
        while i < criteria.len() {
            by[i] = Some(criteria[i]);
            i += 1;
        }
        Order { by, last: Last::Oldest }
    }

    /// The order described by `names`: criteria, then `bfs`, `dfs` or `random` (default: `bfs`).
    ///
    /// Errors: which name does not fit, and which would.
    pub fn of_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Order, String> {
        let mut order = Order::default();
        let (mut n, mut ended) = (0, None);
        for name in names {
            if let Some(end) = ended {
                return Err(format!("'{end}' compares all states, so '{name}' after it has no effect"));
            }
            if let Some((_, last)) = Last::ALL.iter().find(|(known, _)| *known == name) {
                order.last = *last;
                ended = Some(name);
                continue;
            }
            let Some((_, criterion)) = Criterion::ALL.iter().find(|(known, _)| *known == name) else {
                let last = Last::ALL.iter().map(|(known, _)| *known);
                let known: Vec<&str> = Criterion::ALL.iter().map(|(known, _)| *known).chain(last).collect();
                return Err(format!("unknown order '{name}' (known: {})", known.join(", ")));
            };
            if let Some(other) = order.by.iter().flatten().find(|other| other.aspect() == criterion.aspect()) {
                return Err(format!("'{name}' has no effect after '{}'", other.name()));
            }
            order.by[n] = Some(*criterion);
            n += 1;
        }
        Ok(order)
    }

    /// The names that [`Order::of_names`] reads.
    pub fn names(self) -> Vec<&'static str> {
        let last = Last::ALL.iter().filter(|(_, last)| *last == self.last).map(|(name, _)| *name);
        self.by.iter().flatten().map(|c| c.name()).chain(last).collect()
    }
}

/// The states that wait to be expanded.
pub struct Waitlist {
    order: Order,
    queue: Queue,
    ranks: Ranks,
    /// Distances to targets, once they are needed: by edges, and by dependences.
    distances: Option<FxHashMap<LocId, u32>>,
    causes: Option<FxHashMap<LocId, u32>>,
    random: fastrand::Rng,
    /// For each node, the number of loop heads on the way to it plus one; zero if not counted yet.
    iterations: Vec<u32>,
    /// The number of states that ever waited.
    count: u64,
}

/// What states are sorted by, the smallest first.
type Key = ([u32; ASPECTS], u64);

enum Queue {
    /// Breadth-first order takes from the front, depth-first order from the back, random order from anywhere.
    Line(VecDeque<NodeId>),
    Sorted(BinaryHeap<Reverse<(Key, NodeId)>>),
}

impl Waitlist {
    /// An empty waitlist.
    pub fn new(order: Order) -> Waitlist {
        let queue = match order.by {
            [None, ..] => Queue::Line(VecDeque::new()),
            _ => Queue::Sorted(BinaryHeap::new()),
        };
        Waitlist {
            order,
            queue,
            ranks: Ranks::default(),
            distances: None,
            causes: None,
            random: fastrand::Rng::with_seed(1),
            iterations: Vec::new(),
            count: 0,
        }
    }

    /// Adds the state of a node.
    pub fn push<C: Located>(&mut self, program: &Program, cpa: &C, arg: &Arg<C>, n: NodeId) {
        if let Queue::Line(nodes) = &mut self.queue {
            nodes.push_back(n);
            return;
        }
        let at = cpa.key(&arg.node(n).state);
        let mut sorted = [0; ASPECTS];
        for (key, criterion) in sorted.iter_mut().zip(self.order.by.into_iter().flatten()) {
            *key = match criterion {
                Criterion::DeepCalls => u32::MAX - cpa.depth(at.stack),
                Criterion::ShallowCalls => cpa.depth(at.stack),
                Criterion::ManyIterations => u32::MAX - self.iterations(program, cpa, arg, n),
                Criterion::FewIterations => self.iterations(program, cpa, arg, n),
                Criterion::SmallConstants => cpa.progress(&arg.node(n).state).constants,
                Criterion::FewInputs => cpa.progress(&arg.node(n).state).inputs,
                Criterion::ReversePostorder => self.ranks.of(program, at.loc),
                Criterion::NearTarget => {
                    let distances = self.distances.get_or_insert_with(|| distances(program));
                    distances.get(&at.loc).copied().unwrap_or(u32::MAX)
                }
                Criterion::NearCause => {
                    let causes = self.causes.get_or_insert_with(|| causes(program));
                    causes.get(&at.loc).copied().unwrap_or(u32::MAX)
                }
            };
        }
        let age = match self.order.last {
            Last::Oldest => self.count,
            Last::Newest => u64::MAX - self.count,
            Last::Random => self.random.u64(..),
        };
        self.count += 1;
        if let Queue::Sorted(heap) = &mut self.queue {
            heap.push(Reverse(((sorted, age), n)));
        }
    }

    /// The number of loop heads on the way to a node, including the node itself.
    fn iterations<C: Located>(&mut self, program: &Program, cpa: &C, arg: &Arg<C>, n: NodeId) -> u32 {
        self.iterations.resize(self.iterations.len().max(arg.len()), 0);
        let mut uncounted = Vec::new();
        let (mut at, mut count) = (Some(n), 1);
        while let Some(node) = at {
            if self.iterations[node.0 as usize] > 0 {
                count = self.iterations[node.0 as usize];
                break;
            }
            uncounted.push(node);
            at = arg.found_from(node);
        }
        for node in uncounted.into_iter().rev() {
            count += u32::from(self.ranks.is_head(program, cpa.key(&arg.node(node).state).loc));
            self.iterations[node.0 as usize] = count;
        }
        count - 1
    }

    /// Removes the next state.
    pub fn pop(&mut self) -> Option<NodeId> {
        match &mut self.queue {
            Queue::Line(nodes) => match self.order.last {
                Last::Oldest => nodes.pop_front(),
                Last::Newest => nodes.pop_back(),
                Last::Random if nodes.is_empty() => None,
                Last::Random => nodes.swap_remove_back(self.random.usize(..nodes.len())),
            },
            Queue::Sorted(heap) => heap.pop().map(|Reverse((_, n))| n),
        }
    }

    /// The number of states that wait.
    pub fn len(&self) -> usize {
        match &self.queue {
            Queue::Line(nodes) => nodes.len(),
            Queue::Sorted(heap) => heap.len(),
        }
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// For each location from which a target can be reached, the least number of edges to one. A call counts as one edge, past it and into it; the
/// call stack is ignored.
fn distances(program: &Program) -> FxHashMap<LocId, u32> {
    let mut before: FxHashMap<LocId, Vec<LocId>> = FxHashMap::default();
    let mut found: FxHashMap<LocId, u32> = FxHashMap::default();
    let mut queue: VecDeque<LocId> = VecDeque::new();
    for l in program.view.reachable(&program.cfa) {
        for e in program.view.out(l) {
            before.entry(e.to).or_default().push(l);
            if let Op::Call(f) = program.op(e) {
                before.entry(program.entry_of(*f)).or_default().push(l);
                before.entry(e.to).or_default().push(program.exit_of(*f));
            }
        }
        if program.is_target(l) {
            found.insert(l, 0);
            queue.push_back(l);
        }
    }
    while let Some(l) = queue.pop_front() {
        let next = found[&l] + 1;
        for &p in before.get(&l).into_iter().flatten() {
            if let Entry::Vacant(entry) = found.entry(p) {
                entry.insert(next);
                queue.push_back(p);
            }
        }
    }
    found
}

/// For each location, the least number of dependences from an edge that leaves it to a target.
fn causes(program: &Program) -> FxHashMap<LocId, u32> {
    let cfa = &*program.cfa;
    let live = Live::new(cfa, &cfa.targets);
    let control = ControlDependence::new(cfa, &live, &cfa.targets, ControlOptions::default());
    let Some(graph) = Sdg::new(cfa, &live, &control) else { return FxHashMap::default() };
    let enters_target = |v: &Vertex| matches!(v, Vertex::Edge(e) if cfa.is_target(cfa.edges[*e].to));
    let mut distance = vec![u32::MAX; graph.vertices().len()];
    let seeds = graph.vertices().iter().enumerate().filter(|(_, v)| enters_target(v)).map(|(i, _)| i as u32);
    let mut queue: VecDeque<u32> = seeds.collect();
    queue.iter().for_each(|v| distance[*v as usize] = 0);
    while let Some(v) = queue.pop_front() {
        for &(p, _) in graph.predecessors(v) {
            if distance[p as usize] == u32::MAX {
                distance[p as usize] = distance[v as usize] + 1;
                queue.push_back(p);
            }
        }
    }
    let mut found: FxHashMap<LocId, u32> = FxHashMap::default();
    for l in program.view.reachable(cfa) {
        let leaving = program.view.out(l).iter().filter_map(|e| graph.number(Vertex::Edge(e.edge)));
        found.extend(leaving.map(|v| distance[v as usize]).min().map(|least| (l, least)));
    }
    found
}

/// Positions of locations in the weak topological orders of their functions.
#[derive(Default)]
struct Ranks {
    ranks: FxHashMap<LocId, u32>,
    heads: FxHashSet<LocId>,
    known: FixedBitSet,
}

impl Ranks {
    fn of(&mut self, program: &Program, l: LocId) -> u32 {
        self.number_function(program, l);
        self.ranks.get(&l).copied().unwrap_or(0)
    }

    /// Whether `l` is the head of a loop.
    fn is_head(&mut self, program: &Program, l: LocId) -> bool {
        self.number_function(program, l);
        self.heads.contains(&l)
    }

    /// Numbers the locations of the function of `l`, once.
    fn number_function(&mut self, program: &Program, l: LocId) {
        let f: FuncId = program.cfa.locs[l].func;
        self.known.grow(program.cfa.funcs.len());
        if !self.known.put(f.index()) {
            let mut next = 0;
            self.number(&program.order(f), &mut next);
        }
    }

    fn number(&mut self, elements: &[Element], next: &mut u32) {
        for e in elements {
            let (l, body) = match e {
                Element::Location(l) => (l, &[][..]),
                Element::Component(head, body) => {
                    self.heads.insert(*head);
                    (head, &body[..])
                }
            };
            self.ranks.insert(*l, *next);
            *next += 1;
            self.number(body, next);
        }
    }
}
