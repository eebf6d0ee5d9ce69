//! Pictures of the abstract reachability graph [Lemberger 2018, 3.5, Fig. 24]: its first nodes in full, and its whole shape as a pixel
//! tree.
//!
//! Vertices are the nodes that the engine keeps. States passed on the way have no vertex; the edge that spans them shows the number of
//! steps.

use crate::cpa::{Cpa, Cx, Located};
use crate::program::Program;
use crate::reach::arg::{Arg, NodeId};
use crate::reach::explore::Exploration;
use cfa::dot::{escape, label};
use cfa::pixel_tree::{Mark, PixelTree};
use cfa::{LocId, Op, Term, VarId};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Maximum number of nodes in full.
const MAX_NODES: usize = 10_000;

/// Maximum number of nodes in Graphviz's language: drawing larger graphs takes minutes, and nobody reads them.
pub const MAX_DOT_NODES: usize = 2_000;

/// Maximum number of nodes in a pixel tree.
const MAX_PIXEL_NODES: usize = 5_000_000;

/// Maximum number of facts shown at a node.
const MAX_FACTS: usize = 12;

/// Maximum length of a fact, in characters.
const MAX_FACT: usize = 60;

/// A drawn graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawing {
    /// The nodes, or the first 10,000 of them.
    pub nodes: Vec<DrawnNode>,
    /// The edges between them.
    pub edges: Vec<DrawnEdge>,
    /// The number of further nodes.
    pub left: u64,
    /// The shape of the whole graph.
    pub tree: PixelTree,
}

/// A node in full.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawnNode {
    /// Its number in the whole graph.
    pub id: u32,
    /// Its position, and the facts in its state, in lines.
    pub text: String,
    /// Its role.
    pub mark: Mark,
    /// Whether its successors are still to be found.
    pub waiting: bool,
    /// The number of edges to nodes that are not drawn.
    pub cut: usize,
}

/// An edge between two nodes that are drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawnEdge {
    /// The node that it leaves.
    pub from: u32,
    /// The node to which it leads.
    pub to: u32,
    /// The first operation, and the number of steps if there are several, in lines.
    pub text: String,
    /// Whether it leads to a state that covers its target.
    pub covers: bool,
}

/// The graph of `exploration` in its current state, finished or not; `None` if it is too large.
pub fn draw<C: Located>(exploration: &Exploration<C>, cpa: &mut C, cx: &mut Cx<'_>) -> Option<Box<Drawing>> {
    let arg = &exploration.arg;
    (arg.len() <= MAX_PIXEL_NODES).then(|| Box::new(drawing(arg, cpa, cx)))
}

impl Drawing {
    /// The first [`MAX_DOT_NODES`] nodes in Graphviz's language.
    pub fn dot(&self) -> String {
        let mut out = String::from(
            "digraph arg {\n  node [shape=box fontsize=9 margin=0.04 height=0.2];\n  edge [fontsize=8];\n",
        );
        let colour = |mark: Mark| {
            let [r, g, b] = mark.colour();
            format!("\"#{r:02x}{g:02x}{b:02x}\"")
        };
        let drawn = &self.nodes[..self.nodes.len().min(MAX_DOT_NODES)];
        // Nodes are in the order of their numbers.
        let is_drawn = |id: u32| drawn.last().is_some_and(|last| id <= last.id);
        for node in drawn {
            let style = match node.mark {
                Mark::Plain if node.waiting => " style=dashed".to_string(),
                Mark::Plain => String::new(),
                mark => format!(" style=filled fillcolor={}", colour(mark)),
            };
            let _ = writeln!(out, "  {} [label=\"{}\"{style}];", node.id, escape(&node.text));
        }
        let mut cut: BTreeMap<u32, usize> = drawn.iter().map(|node| (node.id, node.cut)).collect();
        for edge in self.edges.iter().filter(|edge| is_drawn(edge.from)) {
            if !is_drawn(edge.to) {
                *cut.entry(edge.from).or_default() += 1;
                continue;
            }
            let style =
                if edge.covers { format!(" style=dashed color={}", colour(Mark::Covered)) } else { String::new() };
            let _ = writeln!(out, "  {} -> {} [label=\"{}\"{style}];", edge.from, edge.to, escape(&edge.text));
        }
        for (id, cut) in cut.into_iter().filter(|(_, cut)| *cut > 0) {
            let _ = writeln!(out, "  cut{id} [label=\"{cut} more\" shape=plaintext];\n  {id} -> cut{id};");
        }
        let left = self.left + (self.nodes.len() - drawn.len()) as u64;
        if left > 0 {
            let _ = writeln!(out, "  more [label=\"{left} further nodes\" shape=plaintext];");
        }
        out.push_str("}\n");
        out
    }
}

/// How a node is marked.
fn mark<C: Cpa>(arg: &Arg<C>, cpa: &C, n: NodeId) -> Mark {
    let node = arg.node(n);
    match () {
        () if cpa.is_target(&node.state) => Mark::Target,
        () if node.merged => Mark::Merged,
        () => Mark::Plain,
    }
}

fn shape<C: Cpa>(arg: &Arg<C>, cpa: &C) -> PixelTree {
    PixelTree::new(0, arg.len(), |v, out| {
        let n = NodeId(v);
        out.extend(arg.node(n).links.iter().map(|l| (l.to.0, if l.covers { Mark::Covered } else { Mark::Plain })));
        mark(arg, cpa, n)
    })
}

fn drawing<C: Located>(arg: &Arg<C>, cpa: &mut C, cx: &mut Cx<'_>) -> Drawing {
    let alive: Vec<NodeId> = arg.ids().filter(|n| !arg.node(*n).pruned).collect();
    let drawn = &alive[..alive.len().min(MAX_NODES)];
    let is_drawn = |n: NodeId| drawn.binary_search(&n).is_ok();
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    for &n in drawn {
        let node = arg.node(n);
        let from = cpa.key(&node.state).loc;
        for link in node.links.iter().filter(|link| is_drawn(link.to)) {
            let steps = arg.runs.steps(link.run);
            let mut text = first_operation(cx.program, from, steps[0]);
            if steps.len() > 1 {
                let _ = write!(text, "\n({} steps)", steps.len());
            }
            edges.push(DrawnEdge { from: n.0, to: link.to.0, text, covers: link.covers });
        }
        nodes.push(DrawnNode {
            id: n.0,
            text: describe(arg, cpa, cx, n),
            mark: mark(arg, cpa, n),
            waiting: node.waiting,
            cut: node.links.iter().filter(|link| !is_drawn(link.to)).count(),
        });
    }
    Drawing { nodes, edges, left: (alive.len() - drawn.len()) as u64, tree: shape(arg, cpa) }
}

/// The position of the node, and the facts in its state.
fn describe<C: Located>(arg: &Arg<C>, cpa: &mut C, cx: &mut Cx<'_>, n: NodeId) -> String {
    let program = cx.program;
    let cfa = &*program.cfa;
    let state = &arg.node(n).state;
    let at = cpa.key(state);
    let loc = &cfa.locs[at.loc];
    let mut text = format!("{}: {} {}", n.0, cfa.funcs[loc.func].name, at.loc);
    let line = program.view.out(at.loc).iter().map(|e| cfa.edges[e.edge].span.line).find(|line| *line > 0);
    if let Some(line) = line {
        let _ = write!(text, ", line {line}");
    }
    match cpa.depth(at.stack) {
        0 => {}
        depth => {
            let _ = write!(text, ", {depth} callers");
        }
    }
    let stated = cpa.label(cx, state);
    let show = |t: Term| cfa.show_start(&cx.terms, t, 4 * MAX_FACT);
    let value = |&(v, t): &(VarId, Term)| format!("{} = {}", cfa.vars[v].name, show(t));
    let values = stated.env.locals.iter().chain(stated.env.globals.iter()).map(|(v, t)| (*v, *t));
    // Variables of the source program are the most informative.
    let mut values: Vec<(VarId, Term)> = values.collect();
    values.sort_by_key(|(v, _)| cfa.vars[*v].source.is_none());
    let constraints = stated.constraints.iter().map(|t| show(*t));
    let facts = values.len() + stated.constraints.len();
    for fact in values.iter().map(value).chain(constraints).take(MAX_FACTS) {
        let _ = write!(text, "\n{}", shortened(&fact));
    }
    if facts > MAX_FACTS {
        let _ = write!(text, "\n{} more", facts - MAX_FACTS);
    }
    text
}

fn shortened(text: &str) -> String {
    let mut chars = text.chars();
    let short: String = chars.by_ref().take(MAX_FACT).collect();
    if chars.next().is_some() { format!("{short}…") } else { short }
}

fn first_operation(program: &Program, from: LocId, step: checker::Step) -> String {
    let checker::Step::Edge(e) = step else { return "return".into() };
    let edge = program.view.out(from).iter().find(|other| other.edge == e);
    // For edges that the slice leaves out, there is nothing to show.
    match edge.map(|edge| program.op(edge)) {
        Some(Op::Skip) | None => String::new(),
        Some(op) => label(&program.cfa, op),
    }
}
