//! The system dependence graph (Horwitz, Reps, Binkley, "Interprocedural slicing using dependence graphs", TOPLAS 1990).
//!
//! There is a vertex for each edge of the program that does something, for the entry of each function, and for what goes into
//! and out of functions: actual-in and actual-out of calls, and formal-in and formal-out of functions, for every variable of
//! global scope that the function or what it calls may read or write (`mod_ref`). A function that may not return has one more
//! formal-out, for whether it returns, and its calls have one more actual-out. A variable that a function may write but does not surely
//! write keeps its old value on some path, so that it has a formal-in, too. Memories are passed as wholes, but within functions
//! dependences are those of bytes.
//!
//! The graph answers questions about dependence (what depends on this? what does this depend on?) by sets of edges, not
//! programs; `backward` makes slices that are programs, and does not need the graph. The whole graph is built, with a vertex
//! for each pair of a call and a variable that the callee touches; programs with more than [`MAX_VERTICES`] vertices get
//! none.

use crate::dependence::control_dep::ControlDependence;
use crate::dependence::data_dep::Accesses;
use crate::dependence::mod_ref::ModRef;
use crate::dependence::relevant::Live;
use cfa::bytes::ByteSet;
use cfa::{AssumeKind, Cfa, EdgeId, FuncId, Id, LocId, Op, Scope, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of vertices of a graph.
pub const MAX_VERTICES: usize = 20_000_000;

/// What passes between functions: the value of a variable, or (`None`) whether control returns.
pub type Passed = Option<VarId>;

/// A vertex of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Vertex {
    /// What an edge does; for a call, that the function is entered.
    Edge(EdgeId),
    /// That a function is entered.
    Entry(FuncId),
    /// A variable's value where a function is entered.
    FormalIn(FuncId, VarId),
    /// What a function has written when it returns.
    FormalOut(FuncId, Passed),
    /// A variable's value before a call.
    ActualIn(EdgeId, VarId),
    /// What a call has written when it returns.
    ActualOut(EdgeId, Passed),
}

/// How an arc relates to functions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Arc {
    /// Within one function.
    Inside,
    /// From a call into the called function.
    Into,
    /// From a function back to a call.
    OutOf,
}

/// The graph: vertices by number, and arcs from each vertex to those that depend on it.
pub struct Sdg {
    vertices: Vec<Vertex>,
    number: FxHashMap<Vertex, u32>,
    successors: Vec<Vec<(u32, Arc)>>,
    predecessors: Vec<Vec<(u32, Arc)>>,
}

impl Sdg {
    /// A graph with the given arcs, for tests that need no program.
    pub fn of_arcs(vertices: Vec<Vertex>, arcs: &[(u32, u32, Arc)]) -> Sdg {
        let number = vertices.iter().enumerate().map(|(i, v)| (*v, i as u32)).collect();
        let none = vec![Vec::new(); vertices.len()];
        let mut graph = Sdg { vertices, number, successors: none.clone(), predecessors: none };
        arcs.iter().for_each(|(a, b, arc)| graph.connect(*a, *b, *arc));
        graph.finish()
    }

    /// The graph of the live part of a program; `None` if it has too many vertices.
    pub fn new(cfa: &Cfa, live: &Live, control: &ControlDependence) -> Option<Sdg> {
        let accesses = Accesses::new(cfa, live);
        let side_effects = ModRef::new(cfa, live, &accesses);
        let mut passed: Vec<(Vec<VarId>, Vec<Passed>)> = Vec::with_capacity(cfa.funcs.len());
        for f in cfa.funcs.ids() {
            let outs: Vec<Passed> = side_effects.written(f).map(Some).collect();
            let mut ins: Vec<VarId> = side_effects.written(f).chain(side_effects.read(f)).collect();
            ins.sort_unstable();
            ins.dedup();
            passed.push((ins, outs));
        }
        let calls = cfa.edges.iter_enumerated().filter(|(e, _)| live.edge(*e));
        let calls: Vec<(EdgeId, FuncId)> =
            calls.filter_map(|(e, edge)| if let Op::Call(f) = edge.op { Some((e, f)) } else { None }).collect();
        let interface = |f: FuncId| passed[f.index()].0.len() + passed[f.index()].1.len();
        let size = cfa.edges.len() + cfa.funcs.ids().chain(calls.iter().map(|c| c.1)).map(interface).sum::<usize>();
        if size > MAX_VERTICES {
            return None;
        }
        let graph = Sdg {
            vertices: Vec::new(),
            number: FxHashMap::default(),
            successors: Vec::new(),
            predecessors: Vec::new(),
        };
        let mut build = Builder { cfa, live, control, accesses, side_effects, passed, graph };
        build.interfaces(&calls);
        build.dependences();
        Some(build.graph.finish())
    }

    fn connect(&mut self, from: u32, to: u32, arc: Arc) {
        self.successors[from as usize].push((to, arc));
        self.predecessors[to as usize].push((from, arc));
    }

    /// Removes duplicate arcs.
    fn finish(mut self) -> Sdg {
        for list in self.successors.iter_mut().chain(&mut self.predecessors) {
            list.sort_unstable();
            list.dedup();
        }
        self
    }

    /// The vertices, by number.
    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices
    }

    /// The number of a vertex, or `None` if the graph does not have it.
    pub fn number(&self, v: Vertex) -> Option<u32> {
        self.number.get(&v).copied()
    }

    /// The vertices that depend on `v`, with the kinds of the arcs.
    pub fn successors(&self, v: u32) -> &[(u32, Arc)] {
        &self.successors[v as usize]
    }

    /// The vertices on which `v` depends, with the kinds of the arcs.
    pub fn predecessors(&self, v: u32) -> &[(u32, Arc)] {
        &self.predecessors[v as usize]
    }
}

struct Builder<'a> {
    cfa: &'a Cfa,
    live: &'a Live,
    control: &'a ControlDependence,
    accesses: Accesses,
    side_effects: ModRef,
    /// The variables that go into each function, and what comes out of it.
    passed: Vec<(Vec<VarId>, Vec<Passed>)>,
    graph: Sdg,
}

impl Builder<'_> {
    fn vertex(&mut self, v: Vertex) -> u32 {
        let graph = &mut self.graph;
        *graph.number.entry(v).or_insert_with(|| {
            graph.vertices.push(v);
            graph.successors.push(Vec::new());
            graph.predecessors.push(Vec::new());
            graph.vertices.len() as u32 - 1
        })
    }

    fn connect(&mut self, from: Vertex, to: Vertex, arc: Arc) {
        let (from, to) = (self.vertex(from), self.vertex(to));
        self.graph.connect(from, to, arc);
    }

    /// Connects calls with what they pass.
    fn interfaces(&mut self, calls: &[(EdgeId, FuncId)]) {
        for &(e, f) in calls {
            self.connect(Vertex::Edge(e), Vertex::Entry(f), Arc::Into);
            for i in 0..self.passed[f.index()].0.len() {
                let v = self.passed[f.index()].0[i];
                self.connect(Vertex::Edge(e), Vertex::ActualIn(e, v), Arc::Inside);
                self.connect(Vertex::ActualIn(e, v), Vertex::FormalIn(f, v), Arc::Into);
            }
            let returns = self.control.may_not_return(f).then_some(None);
            let outs: Vec<Passed> = self.passed[f.index()].1.iter().copied().chain(returns).collect();
            for out in outs {
                self.connect(Vertex::FormalOut(f, out), Vertex::ActualOut(e, out), Arc::OutOf);
                self.connect(Vertex::Edge(e), Vertex::ActualOut(e, out), Arc::Inside);
            }
        }
    }

    fn dependences(&mut self) {
        let (cfa, live) = (self.cfa, self.live);
        for (e, edge) in cfa.edges.iter_enumerated().filter(|(e, _)| live.edge(*e)) {
            let to = Vertex::Edge(e);
            self.controlled(edge.from, to);
            for i in 0..self.accesses.reads(e).len() {
                let read = self.accesses.reads(e)[i];
                self.reached_by(edge.from, read.var, read.bytes.into(), to);
            }
            if let Op::Call(f) = edge.op {
                for i in 0..self.passed[f.index()].0.len() {
                    let v = self.passed[f.index()].0[i];
                    self.reached_by(edge.from, v, ByteSet::all(), Vertex::ActualIn(e, v));
                }
            }
            // A guard belongs to the edge directly after it.
            for &g in cfa.into(edge.from) {
                if matches!(cfa.edges[g].op, Op::Assume { kind: AssumeKind::Guard, .. }) && live.edge(g) {
                    self.connect(Vertex::Edge(g), to, Arc::Inside);
                }
            }
        }
        for (f, func) in cfa.funcs.iter_enumerated() {
            for i in 0..self.passed[f.index()].1.len() {
                let out = self.passed[f.index()].1[i];
                if let Some(v) = out {
                    self.reached_by(func.exit, v, ByteSet::all(), Vertex::FormalOut(f, out));
                }
            }
            if self.control.may_not_return(f) {
                self.controlled(func.exit, Vertex::FormalOut(f, None));
            }
        }
    }

    /// Connects what decides whether `l` is reached with `to`.
    fn controlled(&mut self, l: LocId, to: Vertex) {
        let (cfa, control) = (self.cfa, self.control);
        self.connect(Vertex::Entry(cfa.locs[l].func), to, Arc::Inside);
        let order: Vec<LocId> = control.order_predicates(l).collect();
        for &c in control.controllers(l).iter().chain(&order) {
            for &e in cfa.out(c).iter().filter(|e| self.live.edge(**e)) {
                match cfa.edges[e].op {
                    Op::Assume { kind: AssumeKind::Branch | AssumeKind::User, .. } => {
                        self.connect(Vertex::Edge(e), to, Arc::Inside);
                    }
                    Op::Call(f) if control.may_not_return(f) => {
                        self.connect(Vertex::ActualOut(e, None), to, Arc::Inside);
                    }
                    _ => {}
                }
            }
        }
    }

    /// Connects the definitions of `bytes` of `v` that reach `l`, in the same function, with `to`.
    fn reached_by(&mut self, l: LocId, v: VarId, bytes: ByteSet, to: Vertex) {
        let cfa = self.cfa;
        let global = cfa.vars[v].scope == Scope::Global;
        let mut seen: FxHashMap<LocId, ByteSet> = FxHashMap::default();
        let mut work = vec![(l, bytes)];
        while let Some((l, bytes)) = work.pop() {
            let bytes = seen.entry(l).or_default().extend(&bytes);
            if bytes.is_empty() {
                continue;
            }
            let func = cfa.locs[l].func;
            if global && l == cfa.funcs[func].entry {
                self.connect(Vertex::FormalIn(func, v), to, Arc::Inside);
            }
            for &e in cfa.into(l) {
                if !self.live.edge(e) {
                    continue;
                }
                let mut rest = bytes.clone();
                match cfa.edges[e].op {
                    // A call may define `v`; if it does not, the value passes through its actual-out.
                    Op::Call(f) if self.side_effects.may_write(f, v) => {
                        self.connect(Vertex::ActualOut(e, Some(v)), to, Arc::Inside);
                        continue;
                    }
                    Op::Call(_) => {}
                    _ => {
                        let mut writes = false;
                        for w in self.accesses.writes(e).iter().filter(|w| w.var == v && bytes.overlaps(w.bytes)) {
                            writes = true;
                            if w.sure {
                                rest.remove(w.bytes);
                            }
                        }
                        if writes {
                            self.connect(Vertex::Edge(e), to, Arc::Inside);
                        }
                    }
                }
                if !rest.is_empty() {
                    work.push((cfa.edges[e].from, rest));
                }
            }
        }
    }
}

/// The edges among `vertices`.
pub fn edges_of(graph: &Sdg, vertices: &FxHashSet<u32>) -> Vec<EdgeId> {
    let edge = |v: &u32| if let Vertex::Edge(e) = graph.vertices[*v as usize] { Some(e) } else { None };
    let mut found: Vec<EdgeId> = vertices.iter().filter_map(edge).collect();
    found.sort_unstable();
    found
}
