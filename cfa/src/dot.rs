//! Drawing of a CFA with Graphviz: a cluster for each function, and edges labelled with their conditions and operations.

use crate::graph::Cfa;
use crate::ids::{EdgeId, FuncId, Id};
use crate::op::{AssumeKind, InputKind, Op};
use std::fmt::Write;

/// Maximum length of an edge's label, in characters.
const MAX_LABEL: usize = 80;

/// What to draw.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Edges to draw; all edges if `None`.
    pub edges: Option<&'a dyn Fn(EdgeId) -> bool>,
    /// Edges to draw in grey: those that a slice turns into `Skip`.
    pub faint: Option<&'a dyn Fn(EdgeId) -> bool>,
    /// Functions to draw; all functions if `None`.
    pub funcs: Option<&'a dyn Fn(FuncId) -> bool>,
}

impl Options<'_> {
    /// All functions and edges, in black.
    pub const ALL: Options<'static> = Options { edges: None, faint: None, funcs: None };
}

/// `cfa` in Graphviz's language.
pub fn dot(cfa: &Cfa, options: Options<'_>) -> String {
    let mut out =
        String::from("digraph cfa {\n  node [shape=circle fontsize=10 margin=0.02 width=0.3];\n  edge [fontsize=9];\n");
    for f in cfa.funcs.ids() {
        if options.funcs.is_some_and(|wanted| !wanted(f)) {
            continue;
        }
        let edges: Vec<EdgeId> = cfa
            .edges
            .iter_enumerated()
            .filter(|(e, edge)| cfa.locs[edge.from].func == f && options.edges.is_none_or(|wanted| wanted(*e)))
            .map(|(e, _)| e)
            .collect();
        function(&mut out, cfa, f, &edges, &options);
    }
    out.push_str("}\n");
    out
}

fn function(out: &mut String, cfa: &Cfa, f: FuncId, edges: &[EdgeId], options: &Options<'_>) {
    let func = &cfa.funcs[f];
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    line(format!("  subgraph cluster_{} {{\n    label=\"{}\";", f.index(), escape(&func.name)));
    let mut locs = vec![func.entry, func.exit];
    locs.extend(edges.iter().flat_map(|&e| [cfa.edges[e].from, cfa.edges[e].to]));
    locs.extend(cfa.targets.iter().filter(|&&l| cfa.locs[l].func == f));
    locs.sort_unstable();
    locs.dedup();
    for l in locs {
        let style = if cfa.is_target(l) {
            " style=filled fillcolor=tomato shape=doublecircle"
        } else if l == func.entry {
            " style=bold"
        } else if l == func.exit {
            " shape=doublecircle"
        } else {
            ""
        };
        line(format!("    {l} [label=\"{}\"{style}];", l.0));
    }
    for &e in edges {
        let edge = &cfa.edges[e];
        let color = if options.faint.is_some_and(|faint| faint(e)) { " color=grey fontcolor=grey" } else { "" };
        let text = escape(&label(cfa, &edge.op));
        line(format!("    {} -> {} [label=\"{text}\"{color}];", edge.from, edge.to));
    }
    line("  }".into());
}

/// A text for an operation, cut off where it is too long for a label.
pub fn label(cfa: &Cfa, op: &Op) -> String {
    let name = |v| cfa.short_name(v);
    let show = |t| cfa.show_infix(t, 2 * MAX_LABEL);
    let text = match op {
        Op::Skip => String::new(),
        Op::Assign(list) => {
            let mut text = String::new();
            for (i, &(v, t)) in list.iter().enumerate() {
                let comma = if i > 0 { ", " } else { "" };
                write!(text, "{comma}{} := {}", name(v), show(t)).expect("writing to a string");
            }
            text
        }
        Op::Assume { cond, kind } => {
            let word = match kind {
                AssumeKind::Branch => "",
                AssumeKind::User => "assume ",
                AssumeKind::Guard => "guard ",
            };
            format!("{word}[{}]", show(*cond))
        }
        Op::Input { var, kind } => match kind {
            InputKind::Program(f) | InputKind::External(f) | InputKind::Library(f) | InputKind::Approximate(f) => {
                format!("{} := {f}()", name(*var))
            }
            _ => format!("{} := ?", name(*var)),
        },
        Op::Call(f) => format!("call {}", cfa.funcs[*f].name),
        Op::CallIndirect(call) => format!("call *{}", show(call.target)),
        Op::Unsupported(u) => format!("unsupported: {}", u.reason),
    };
    if text.chars().count() <= MAX_LABEL {
        return text;
    }
    let mut cut: String = text.chars().take(MAX_LABEL).collect();
    cut.push('…');
    cut
}

/// `text` for use between quotes in Graphviz's language.
pub fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
