//! Summary edges, and slices in two phases that respect calling contexts (Horwitz, Reps, Binkley, TOPLAS 1990).
//!
//! A summary edge leads from an actual-in vertex to an actual-out vertex of one call if the function called carries the dependence,
//! on a path that enters and leaves each function that it calls. They are found backward from the formal-outs (Reps, Horwitz,
//! Sagiv, Rosay, "Speeding up slicing", FSE 1994): a path edge `(v, o)` says that formal-out `o` depends on `v` of the same
//! function; where `v` is the function's formal-in or entry, each call gets a summary edge, which extends the path edges of the
//! callers that already lead through the actual-out.
//!
//! Cost: O(path edges times degree): for each function, its vertices times its formal-outs.

use crate::sdg::{Arc, Sdg, Vertex};
use cfa::{EdgeId, FuncId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Summary edges of a graph.
#[derive(Default)]
pub struct Summaries {
    successors: FxHashMap<u32, Vec<u32>>,
    predecessors: FxHashMap<u32, Vec<u32>>,
}

/// In which direction dependences are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// To what is depended on.
    Backward,
    /// To what depends.
    Forward,
}

impl Summaries {
    /// Of `graph`, in which a call's vertices know each other by the call's edge.
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

    /// The summary edges: pairs of numbers, ascending.
    pub fn edges(&self) -> Vec<(u32, u32)> {
        let mut all: Vec<(u32, u32)> = self.successors.iter().flat_map(|(a, to)| to.iter().map(|b| (*a, *b))).collect();
        all.sort_unstable();
        all
    }

    /// The vertices that `seeds` depend on, or that depend on them, along paths that return to where they were called from.
    ///
    /// The first phase leaves functions towards their callers only, the second one enters functions that are called, each of
    /// them passing calls along summary edges.
    pub fn slice(&self, graph: &Sdg, seeds: &[u32], direction: Direction) -> FxHashSet<u32> {
        let up = if direction == Direction::Backward { Arc::Into } else { Arc::OutOf };
        let mut first = FxHashSet::default();
        let mut work = seeds.to_vec();
        self.walk(graph, &mut first, &mut work, direction, up);
        let down = if up == Arc::Into { Arc::OutOf } else { Arc::Into };
        let mut second = FxHashSet::default();
        let mut work: Vec<u32> = first.iter().copied().collect();
        self.walk(graph, &mut second, &mut work, direction, down);
        second
    }

    /// Adds what is reached within functions, along summary edges, and along arcs of the kind `crossing`.
    fn walk(&self, graph: &Sdg, seen: &mut FxHashSet<u32>, work: &mut Vec<u32>, direction: Direction, crossing: Arc) {
        while let Some(v) = work.pop() {
            if !seen.insert(v) {
                continue;
            }
            let (arcs, summaries) = match direction {
                Direction::Backward => (graph.predecessors(v), &self.predecessors),
                Direction::Forward => (graph.successors(v), &self.successors),
            };
            work.extend(arcs.iter().filter(|(_, arc)| *arc == Arc::Inside || *arc == crossing).map(|(w, _)| *w));
            work.extend(summaries.get(&v).into_iter().flatten());
        }
    }
}
