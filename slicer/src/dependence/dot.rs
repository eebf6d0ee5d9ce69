//! Drawing of a system dependence graph with Graphviz: a cluster for each function, and arcs from each vertex to those that
//! depend on it.

use crate::dependence::sdg::{Arc, Passed, Sdg, Vertex};
use cfa::dot::{escape, label};
use cfa::{Cfa, FuncId, Id};
use std::collections::BTreeMap;
use std::fmt::Write;

/// `graph` of `cfa` in Graphviz's language. Arcs between functions are dashed.
pub fn dot(cfa: &Cfa, graph: &Sdg) -> String {
    let mut out =
        String::from("digraph sdg {\n  node [shape=box fontsize=9 margin=0.04 height=0.2];\n  edge [arrowsize=0.6];\n");
    let mut clusters: BTreeMap<FuncId, Vec<u32>> = BTreeMap::new();
    for (i, v) in (0u32..).zip(graph.vertices()) {
        clusters.entry(function(cfa, v)).or_default().push(i);
    }
    for (f, vertices) in clusters {
        let name = escape(&cfa.funcs[f].name);
        let _ = writeln!(out, "  subgraph cluster_{} {{\n    label=\"{name}\";", f.index());
        for i in vertices {
            let vertex = graph.vertices()[i as usize];
            let style = if let Vertex::Edge(_) = vertex { "" } else { " style=rounded" };
            let _ = writeln!(out, "    {i} [label=\"{}\"{style}];", escape(&name_of(cfa, vertex)));
        }
        out.push_str("  }\n");
    }
    for i in 0..graph.vertices().len() as u32 {
        for (to, arc) in graph.successors(i) {
            let style = if *arc == Arc::Inside { "" } else { " [style=dashed]" };
            let _ = writeln!(out, "  {i} -> {to}{style};");
        }
    }
    out.push_str("}\n");
    out
}

/// The function that a vertex belongs to.
fn function(cfa: &Cfa, v: &Vertex) -> FuncId {
    match *v {
        Vertex::Edge(e) | Vertex::ActualIn(e, _) | Vertex::ActualOut(e, _) => cfa.locs[cfa.edges[e].from].func,
        Vertex::Entry(f) | Vertex::FormalIn(f, _) | Vertex::FormalOut(f, _) => f,
    }
}

fn name_of(cfa: &Cfa, v: Vertex) -> String {
    let passed = |p: Passed| p.map_or("return", |v| cfa.vars[v].name.as_str());
    match v {
        Vertex::Edge(e) => label(cfa, &cfa.edges[e].op),
        Vertex::Entry(f) => format!("enter {}", cfa.funcs[f].name),
        Vertex::FormalIn(_, v) => format!("formal-in {}", cfa.vars[v].name),
        Vertex::FormalOut(_, p) => format!("formal-out {}", passed(p)),
        Vertex::ActualIn(_, v) => format!("actual-in {}", cfa.vars[v].name),
        Vertex::ActualOut(_, p) => format!("actual-out {}", passed(p)),
    }
}
