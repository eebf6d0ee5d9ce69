//! The order in which reached states are expanded.

use crate::cpa::Located;
use crate::program::Program;
use crate::program::wto::Element;
use crate::reach::arg::{Arg, NodeId};
use cfa::{FuncId, Id, LocId, Op};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
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
    /// By position in the weak topological order of the function: branches are merged before the search moves on.
    ReversePostorder,
    /// States from which fewer edges of the view lead to a target first (directed model checking; Edelkamp, Lafuente, Leue, SPIN 2001): deep
    /// errors are reached without all that is less deep.
    NearTarget,
}

impl Criterion {
    /// All criteria, by the names used in configurations.
    pub const ALL: [(&'static str, Criterion); 6] = [
        ("deep-calls", Criterion::DeepCalls),
        ("shallow-calls", Criterion::ShallowCalls),
        ("many-iterations", Criterion::ManyIterations),
        ("few-iterations", Criterion::FewIterations),
        ("reverse-postorder", Criterion::ReversePostorder),
        ("near-target", Criterion::NearTarget),
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
        }
    }
}

/// The number of aspects that criteria compare.
const ASPECTS: usize = 4;

/// An order of expansion: criteria, the most significant one first, and finally the time at which states entered the waitlist.
///
/// (The traversal orders of CPAchecker are such lists, too.)
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub struct Order {
    by: [Option<Criterion>; ASPECTS],
    newest_first: bool,
}

/// The name of the order by age, oldest first.
const BFS: &str = "bfs";
/// The name of the order by age, newest first.
const DFS: &str = "dfs";

impl Order {
    /// Oldest first: finds short counterexamples, and starves no path.
    pub const BREADTH_FIRST: Order = Order { by: [None; ASPECTS], newest_first: false };
    /// Newest first: needs little memory on deep paths.
    pub const DEPTH_FIRST: Order = Order { by: [None; ASPECTS], newest_first: true };
    /// Inner calls first, then by position in the weak topological order.
    pub const REVERSE_POSTORDER: Order =
        Order { by: [Some(Criterion::DeepCalls), Some(Criterion::ReversePostorder), None, None], newest_first: false };

    /// The order described by `names`: criteria, then `bfs` or `dfs` (default: `bfs`).
    ///
    /// Errors: which name does not fit, and which would.
    pub fn of_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Order, String> {
        let mut order = Order::default();
        let (mut n, mut ended) = (0, None);
        for name in names {
            if let Some(end) = ended {
                return Err(format!("'{end}' compares all states, so '{name}' after it has no effect"));
            }
            if name == BFS || name == DFS {
                order.newest_first = name == DFS;
                ended = Some(name);
                continue;
            }
            let Some((_, criterion)) = Criterion::ALL.iter().find(|(known, _)| *known == name) else {
                let known: Vec<&str> = Criterion::ALL.iter().map(|(known, _)| *known).chain([BFS, DFS]).collect();
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
        let last = if self.newest_first { DFS } else { BFS };
        self.by.iter().flatten().map(|c| c.name()).chain([last]).collect()
    }
}

/// The states that wait to be expanded.
pub struct Waitlist {
    order: Order,
    queue: Queue,
    ranks: Ranks,
    /// Distances to targets, once they are needed.
    distances: Option<FxHashMap<LocId, u32>>,
    /// For each node, the number of loop heads on the way to it plus one; zero if not counted yet.
    iterations: Vec<u32>,
    /// The number of states that ever waited.
    count: u64,
}

/// What states are sorted by, the smallest first.
type Key = ([u32; ASPECTS], u64);

enum Queue {
    /// Breadth-first order takes from the front, depth-first order from the back.
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
        Waitlist { order, queue, ranks: Ranks::default(), distances: None, iterations: Vec::new(), count: 0 }
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
                Criterion::ReversePostorder => self.ranks.of(program, at.loc),
                Criterion::NearTarget => {
                    let distances = self.distances.get_or_insert_with(|| distances(program));
                    distances.get(&at.loc).copied().unwrap_or(u32::MAX)
                }
            };
        }
        let age = if self.order.newest_first { u64::MAX - self.count } else { self.count };
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
            Queue::Line(nodes) if self.order.newest_first => nodes.pop_back(),
            Queue::Line(nodes) => nodes.pop_front(),
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
