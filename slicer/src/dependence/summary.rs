//! Summary edges, and slices in two phases that respect calling contexts (Horwitz, Reps, Binkley, TOPLAS 1990).
//!
//! A summary edge leads from an actual-in vertex to an actual-out vertex of the same call if the called function carries the
//! dependence, on a path that respects calling contexts. Summary edges are found backward from the formal-outs (Reps,
//! Horwitz, Sagiv, Rosay, "Speeding up slicing", FSE 1994). A path edge `(v, o)` says that formal-out `o` depends on `v` of
//! the same function. Where `v` is the function's formal-in or entry, each call gets a summary edge, which extends the path
//! edges of the callers that already lead through the actual-out.
//!
//! Cost: O(path edges times degree): for each function, its vertices times its formal-outs.

use crate::dependence::sdg::{Arc, Sdg, Vertex};
use cfa::{EdgeId, FuncId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The summary edges of a graph.
#[derive(Default)]
pub struct Summaries {
    successors: FxHashMap<u32, Vec<u32>>,
    predecessors: FxHashMap<u32, Vec<u32>>,
}

/// The direction in which dependences are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// To what a vertex depends on.
    Backward,
    /// To what depends on a vertex.
    Forward,
}

impl Summaries {
    /// The summary edges of `graph`, in which the vertices of a call are related by the call's edge.
    pub fn new(graph: &Sdg) -> Summaries {
        let mut calls: FxHashMap<FuncId, Vec<EdgeId>> = FxHashMap::default();
        for (i, v) in graph.vertices().iter().enumerate() {
            if let Vertex::Edge(e) = v {
                let entered = graph.successors(i as u32).iter().filter(|(_, arc)| *arc == Arc::Into);
                for (to, _) in entered {
                    if let Vertex::Entry(f) = graph.vertices()[*to as usize] {
                        calls.entry(f).or_default().push(*e);
                    }
                }
            }
        }
        let mut found = Summaries::default();
        let mut paths: FxHashMap<u32, FxHashSet<u32>> = FxHashMap::default();
        let mut work: Vec<(u32, u32)> = Vec::new();
        let add = |paths: &mut FxHashMap<u32, FxHashSet<u32>>, work: &mut Vec<(u32, u32)>, v: u32, out: u32| {
            if paths.entry(v).or_default().insert(out) {
                work.push((v, out));
            }
        };
        for (i, v) in graph.vertices().iter().enumerate() {
            if matches!(v, Vertex::FormalOut(..)) {
                add(&mut paths, &mut work, i as u32, i as u32);
            }
        }
        while let Some((v, out)) = work.pop() {
            let vertex = graph.vertices()[v as usize];
            for &(p, arc) in graph.predecessors(v) {
                if arc == Arc::Inside {
                    add(&mut paths, &mut work, p, out);
                }
            }
            for &p in found.predecessors.get(&v).into_iter().flatten() {
                add(&mut paths, &mut work, p, out);
            }
            let (Vertex::FormalIn(f, _) | Vertex::Entry(f)) = vertex else { continue };
            let Vertex::FormalOut(_, passed) = graph.vertices()[out as usize] else { continue };
            for &e in calls.get(&f).into_iter().flatten() {
                let from = match vertex {
                    Vertex::FormalIn(_, v) => Vertex::ActualIn(e, v),
                    _ => Vertex::Edge(e),
                };
                let ends = graph.number(from).zip(graph.number(Vertex::ActualOut(e, passed)));
                let Some((a, b)) = ends else { continue };
                if found.insert(a, b) {
                    let outs: Vec<u32> = paths.get(&b).into_iter().flatten().copied().collect();
                    outs.into_iter().for_each(|o| add(&mut paths, &mut work, a, o));
                }
            }
        }
        found
    }

    fn insert(&mut self, from: u32, to: u32) -> bool {
        let successors = self.successors.entry(from).or_default();
        let new = !successors.contains(&to);
        if new {
            successors.push(to);
            self.predecessors.entry(to).or_default().push(from);
        }
        new
    }

    /// The summary edges as pairs of vertex numbers, ascending.
    pub fn edges(&self) -> Vec<(u32, u32)> {
        let mut all: Vec<(u32, u32)> = self.successors.iter().flat_map(|(a, to)| to.iter().map(|b| (*a, *b))).collect();
        all.sort_unstable();
        all
    }

    /// The vertices that `seeds` depend on, or that depend on `seeds`, along paths that respect calling contexts.
    pub fn slice(&self, graph: &Sdg, seeds: &[u32], direction: Direction) -> FxHashSet<u32> {
        reach(graph, Some(self), seeds, direction).vertices().collect()
    }
}

/// A vertex, and whether the walk has entered a called function on its way there, so that it must not go on to callers any more.
type Place = (u32, bool);

/// What a walk reached, with a shortest path to each place.
pub struct Reached {
    before: FxHashMap<Place, Option<Place>>,
    /// The places in order of discovery.
    order: Vec<Place>,
}

impl Reached {
    /// The vertices, each once, nearest first.
    pub fn vertices(&self) -> impl Iterator<Item = u32> + '_ {
        // A vertex may be found first after entering a function, and later without that.
        let again = |(v, down): Place| !down && self.before.contains_key(&(v, true));
        self.order.iter().filter(move |place| !again(**place)).map(|place| place.0)
    }

    /// The vertices of a shortest path that was found, from `v`, which was reached, back to a seed. A path that enters no function is
    /// preferred, because every continuation of it respects calling contexts.
    pub fn way(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        let last = [(v, false), (v, true)].into_iter().find(|place| self.before.contains_key(place));
        std::iter::successors(last, |place| self.before.get(place).copied().flatten()).map(|place| place.0)
    }
}

/// What `seeds` depend on, or what depends on them: along paths that respect calling contexts if there are `summaries`, and along all
/// paths otherwise.
///
/// The walk is breadth-first. Paths first only leave functions to their callers, then only enter called functions; in both
/// phases they cross calls along summary edges.
pub fn reach(graph: &Sdg, summaries: Option<&Summaries>, seeds: &[u32], direction: Direction) -> Reached {
    let up = if direction == Direction::Backward { Arc::Into } else { Arc::OutOf };
    let mut found = Reached { before: FxHashMap::default(), order: Vec::new() };
    let add = |found: &mut Reached, v: u32, down: bool, before: Option<Place>| {
        if !found.before.contains_key(&(v, false)) && !found.before.contains_key(&(v, down)) {
            found.before.insert((v, down), before);
            found.order.push((v, down));
        }
    };
    seeds.iter().for_each(|v| add(&mut found, *v, false, None));
    let mut next = 0;
    while let Some(&(v, down)) = found.order.get(next) {
        next += 1;
        let arcs = match direction {
            Direction::Backward => graph.predecessors(v),
            Direction::Forward => graph.successors(v),
        };
        for &(w, arc) in arcs {
            match arc {
                _ if summaries.is_none() => add(&mut found, w, false, Some((v, down))),
                Arc::Inside => add(&mut found, w, down, Some((v, down))),
                _ if arc != up => add(&mut found, w, true, Some((v, down))),
                _ if !down => add(&mut found, w, false, Some((v, down))),
                _ => {}
            }
        }
        let passed = summaries.map(|s| match direction {
            Direction::Backward => &s.predecessors,
            Direction::Forward => &s.successors,
        });
        for &w in passed.and_then(|p| p.get(&v)).into_iter().flatten() {
            add(&mut found, w, down, Some((v, down)));
        }
    }
    found
}
