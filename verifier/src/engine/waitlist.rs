//! The order in which reached states are expanded.

use crate::engine::arg::NodeId;
use crate::engine::cpa::Position;
use crate::program::Program;
use crate::wto::Element;
use cfa::{FuncId, Id, LocId};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// An order of expansion.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum Order {
    /// Oldest first: short counterexamples, and no path is starved.
    #[default]
    BreadthFirst,
    /// Newest first: little memory on deep paths.
    DepthFirst,
    /// Inner calls first, then by position in the weak topological order: what merges is met before it is left behind.
    ReversePostorder,
}

/// States that wait to be expanded.
pub struct Waitlist {
    queue: Queue,
}

enum Queue {
    /// Both ends are used: the front by breadth-first, the back by depth-first order.
    Line {
        nodes: VecDeque<NodeId>,
        newest_first: bool,
    },
    Ranked {
        heap: BinaryHeap<Reverse<(Reverse<u32>, u32, NodeId)>>,
        ranks: Ranks,
    },
}

impl Waitlist {
    /// Nothing waits.
    pub fn new(order: Order) -> Waitlist {
        let queue = match order {
            Order::BreadthFirst => Queue::Line { nodes: VecDeque::new(), newest_first: false },
            Order::DepthFirst => Queue::Line { nodes: VecDeque::new(), newest_first: true },
            Order::ReversePostorder => Queue::Ranked { heap: BinaryHeap::new(), ranks: Ranks::default() },
        };
        Waitlist { queue }
    }

    /// Adds a node at a position, under `depth` frames.
    pub fn push(&mut self, program: &Program, n: NodeId, at: Position, depth: u32) {
        match &mut self.queue {
            Queue::Line { nodes, .. } => nodes.push_back(n),
            Queue::Ranked { heap, ranks } => heap.push(Reverse((Reverse(depth), ranks.of(program, at.loc), n))),
        }
    }

    /// Takes the next node.
    pub fn pop(&mut self) -> Option<NodeId> {
        match &mut self.queue {
            Queue::Line { nodes, newest_first: true } => nodes.pop_back(),
            Queue::Line { nodes, newest_first: false } => nodes.pop_front(),
            Queue::Ranked { heap, .. } => heap.pop().map(|Reverse((_, _, n))| n),
        }
    }

    /// The number of nodes that wait.
    pub fn len(&self) -> usize {
        match &self.queue {
            Queue::Line { nodes, .. } => nodes.len(),
            Queue::Ranked { heap, .. } => heap.len(),
        }
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Positions of locations in the weak topological orders of their functions.
#[derive(Default)]
struct Ranks {
    ranks: FxHashMap<LocId, u32>,
    known: FixedBitSet,
}

impl Ranks {
    fn of(&mut self, program: &Program, l: LocId) -> u32 {
        let f: FuncId = program.cfa.locs[l].func;
        self.known.grow(program.cfa.funcs.len());
        if !self.known.put(f.index()) {
            let mut next = 0;
            self.number(&program.order(f), &mut next);
        }
        self.ranks.get(&l).copied().unwrap_or(0)
    }

    fn number(&mut self, elements: &[Element], next: &mut u32) {
        for e in elements {
            let (l, body) = match e {
                Element::Location(l) => (l, &[][..]),
                Element::Component(head, body) => (head, &body[..]),
            };
            self.ranks.insert(*l, *next);
            *next += 1;
            self.number(body, next);
        }
    }
}
