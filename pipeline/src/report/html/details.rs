//! What a page shows of a program and of what was found about it, as data. It is made in the worker, where the automaton is.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use cfa::pixel_tree::{Mark as Role, PixelTree};
use cfa::source_map::SourceMap;
use cfa::view::{Slice, View};
use cfa::{Cfa, EdgeId, FuncId, Id, LocId, Op, Span, Term};
use checker::{Certificate, Step};
use serde::{Deserialize, Serialize};
use slicer::criteria;
use slicer::dependence::summary::Direction;
use verifier::reach::pictures::{Drawing, DrawnEdge, DrawnNode};

use crate::commands::slice::annotate::{self, Annotated};
use crate::commands::slice::slicing::SlicedProgram;
use crate::graphs;
use crate::report::counterexample;
use crate::witness::format as witness;
use crate::witness::invariants;

/// Maximum number of edges of the functions whose graphs are shown; a page with more takes browsers long to read.
const MAX_EDGES: usize = 50_000;
/// Maximum number of nodes of a certificate.
const MAX_NODES: usize = 10_000;
/// Maximum number of facts at a node of a certificate.
const MAX_FACTS: usize = 12;
/// Maximum length of a fact, in characters.
const MAX_FACT: usize = 200;
/// Maximum size of a pixel tree, in bytes of SVG.
const MAX_PICTURE: usize = 2_000_000;

/// What a page shows besides the report.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Details {
    /// The source files with the marks of the slice.
    pub sources: Vec<Annotated>,
    /// Whether the whole program was explored in the end, because an alarm on the slice did not replay.
    pub unsliced: bool,
    /// What a proof says about lines.
    pub coverage: Vec<Covered>,
    /// What holds at loops, from the certificate.
    pub invariants: Vec<Invariant>,
    /// The places where the property could be violated.
    pub checks: Vec<Check>,
    /// The location of the place where the counterexample ends.
    pub violated: Option<u32>,
    /// The automaton, function by function.
    pub functions: Vec<Function>,
    /// Number of functions whose graphs are left out, since the automaton is too large.
    pub functions_left_out: usize,
    /// The states reached, if the last strategy explored states.
    pub states: Option<States>,
    /// The graph of the certificate.
    pub proof: Option<States>,
    /// Pixel trees.
    pub shapes: Vec<Shape>,
}

/// A line with operations of the slice that a proof is about.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Covered {
    pub file: String,
    pub line: u32,
    /// Whether the proof covers executions that pass the line. If not, the proof shows that none does on a way to a violation.
    pub reached: bool,
}

/// A fact at a loop, written in C.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Invariant {
    pub file: String,
    pub line: u32,
    pub text: String,
}

/// A place where the property could be violated.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Check {
    /// The location.
    pub at: u32,
    /// What would happen, such as `reach_error() is called`.
    pub what: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub function: String,
    /// Whether control may get there at all, judged by the graph alone.
    pub connected: bool,
}

/// The graph of a function. Locations are numbered in the whole program.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Function {
    pub name: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    /// Whether it is a model of a library function.
    pub library: bool,
    pub entry: u32,
    pub exit: u32,
    /// Locations where the property is violated.
    pub targets: Vec<u32>,
    pub edges: Vec<Edge>,
}

/// An edge of the automaton.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Edge {
    pub from: u32,
    pub to: u32,
    pub text: String,
    /// The line in the function's file; 0 if it is not known.
    pub line: u32,
    pub mark: Effect,
    /// The function called, as an index into [`Details::functions`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<usize>,
}

/// What a slice does with an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Effect {
    /// It keeps its effect.
    Kept,
    /// It has no effect.
    Cut,
    /// It is gone, because nothing that matters can follow.
    Gone,
}

/// A graph of abstract states.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct States {
    pub nodes: Vec<State>,
    pub edges: Vec<Transition>,
    /// Number of further states.
    pub left: u64,
}

/// An abstract state.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct State {
    pub id: u32,
    pub text: String,
    /// `plain`, `merged`, `target`, or `loop` if an invariant is stated; `waiting` if its successors were not computed.
    pub role: String,
}

/// A transition between abstract states.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Transition {
    pub from: u32,
    pub to: u32,
    pub text: String,
    /// Whether `to` is an earlier state that covers the new one.
    pub covers: bool,
}

/// The shape of a graph.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Shape {
    /// What graph it is.
    pub title: String,
    pub rows: usize,
    pub vertices: u64,
    /// The picture, as SVG.
    pub svg: String,
}

impl Details {
    /// What is known of a program once it is sliced.
    pub(crate) fn new(found: &SlicedProgram, files: &[PathBuf], never_called: &[(String, u32)]) -> Details {
        let cfa = &found.cfa;
        let (functions, functions_left_out) = functions(cfa, &found.sliced.slice);
        Details {
            sources: annotate::annotate(found, never_called)
                .into_iter()
                .map(|source| as_given(source, files))
                .collect(),
            functions,
            functions_left_out,
            shapes: shape("the automaton", &graphs::shape_of_automaton(cfa)).into_iter().collect(),
            ..Details::default()
        }
    }

    /// Likewise, for a program that is sliced for its targets, which are the checks. With `is_whole`, everything is kept.
    /// `what` describes the violation at a target.
    pub(crate) fn for_targets(
        shared: &Arc<Cfa>,
        files: &[PathBuf],
        is_whole: bool,
        never_called: &[(String, u32)],
        what: &dyn Fn(LocId) -> String,
    ) -> Details {
        let cfa: &Cfa = shared;
        let criteria = criteria::of_targets(cfa);
        let mut sliced = slicer::slice(cfa, &criteria, &slicer::SliceOptions::default());
        let connected = sliced.slice.live.clone();
        if is_whole {
            sliced.slice = Slice::whole(cfa);
        }
        let found = SlicedProgram { cfa: shared.clone(), criteria, direction: Direction::Backward, sliced };
        let check = |l: &LocId| {
            let place = counterexample::edge_with_place(cfa, *l).map(|e| counterexample::place(cfa, e));
            let place = place.unwrap_or_default();
            Check {
                at: l.0,
                what: what(*l),
                file: place.file,
                line: place.line,
                function: place.function,
                connected: cfa.into(*l).iter().any(|e| connected.contains(e.index())),
            }
        };
        let checks = cfa.targets.iter().map(check).collect();
        Details { checks, ..Details::new(&found, files, never_called) }
    }

    /// Adds what a proof says about loops and lines.
    pub(crate) fn add_proof(&mut self, cfa: &Cfa, source: &SourceMap, certificate: &Certificate) {
        let found = invariants::candidates(cfa, source, certificate, &str::to_string);
        let invariant = |found: witness::Invariant| Invariant {
            file: found.location.file,
            line: found.location.line,
            text: found.value,
        };
        self.invariants = found.into_iter().map(invariant).collect();
        if certificate.nodes.is_empty() {
            // Sets of states at cut points do not say what is between them.
            return;
        }
        self.proof = Some(proof(cfa, certificate));
        self.shapes.extend(shape("the unwinding that is the proof", &shape_of_proof(certificate)));
        let passed: BTreeSet<EdgeId> = certificate
            .nodes
            .iter()
            .flat_map(|node| &node.successors)
            .filter_map(|successor| if let Step::Edge(e) = successor.step { Some(e) } else { None })
            .collect();
        let view = View::new(cfa, &certificate.slice);
        let mut lines: BTreeMap<(u32, u32), bool> = BTreeMap::new();
        for edge in cfa.locs.ids().flat_map(|l| view.out(l)).filter(|edge| edge.acts) {
            let Span { file, line, .. } = cfa.edges[edge.edge].span;
            if line > 0 && !cfa.funcs[cfa.locs[cfa.edges[edge.edge].from].func].library {
                *lines.entry((file, line)).or_default() |= passed.contains(&edge.edge);
            }
        }
        // The edge into a target has no effect of its own.
        for edge in cfa.targets.iter().flat_map(|l| cfa.into(*l)).map(|e| &cfa.edges[*e]) {
            if edge.span.line > 0 && !cfa.funcs[cfa.locs[edge.from].func].library {
                lines.entry((edge.span.file, edge.span.line)).or_insert(false);
            }
        }
        let covered = |((file, line), reached): ((u32, u32), bool)| Covered {
            file: cfa.files[file as usize].clone(),
            line,
            reached,
        };
        self.coverage = lines.into_iter().map(covered).collect();
    }

    /// Adds the graph of reached states.
    pub(crate) fn add_states(&mut self, drawing: &Drawing) {
        let state = |node: &DrawnNode| {
            let role = match node.mark {
                Role::Target => "target",
                Role::Merged => "merged",
                Role::Plain | Role::Covered if node.waiting => "waiting",
                Role::Plain | Role::Covered => "plain",
            };
            State { id: node.id, text: node.text.clone(), role: role.into() }
        };
        let transition = |edge: &DrawnEdge| Transition {
            from: edge.from,
            to: edge.to,
            text: edge.text.clone(),
            covers: edge.covers,
        };
        let nodes = drawing.nodes.iter().map(state).collect();
        let edges = drawing.edges.iter().map(transition).collect();
        self.states = Some(States { nodes, edges, left: drawing.left });
        self.shapes.extend(shape("the states reached", &drawing.tree));
    }
}

/// A source file with its text, also if debug information names it relative to another directory than this one.
fn as_given(mut source: Annotated, files: &[PathBuf]) -> Annotated {
    let is_read = source.rows.iter().any(|row| !row.text.is_empty());
    let given = files.iter().filter(|_| !is_read).find(|given| given.ends_with(&source.file));
    let Some(Annotated { mut rows, .. }) = given.and_then(|given| Annotated::plain(given)) else { return source };
    for marked in std::mem::take(&mut source.rows) {
        if let Some(row) = rows.get_mut(marked.line as usize - 1) {
            row.mark = marked.mark;
            row.why = marked.why;
        }
    }
    Annotated { rows, ..source }
}

/// The graphs of all functions that executions may enter, up to [`MAX_EDGES`], and the number of those that are left out.
fn functions(cfa: &Cfa, slice: &Slice) -> (Vec<Function>, usize) {
    let mut of_function: Vec<Vec<EdgeId>> = vec![Vec::new(); cfa.funcs.len()];
    for e in cfa.edges.ids() {
        of_function[cfa.locs[cfa.edges[e].from].func.index()].push(e);
    }
    // Those of the program come first, if not all can be shown.
    let mut order: Vec<_> = cfa.funcs.ids().filter(|f| !of_function[f.index()].is_empty()).collect();
    order.sort_by_key(|f| cfa.funcs[*f].library);
    let mut edges = 0;
    let shown = order.iter().take_while(|f| {
        edges += of_function[f.index()].len();
        edges <= MAX_EDGES
    });
    let shown: Vec<_> = shown.copied().collect();
    let index: BTreeMap<_, usize> = shown.iter().copied().zip(0..).collect();
    let edge = |e: &EdgeId| {
        let edge = &cfa.edges[*e];
        let mark = match () {
            () if slice.kept.contains(e.index()) => Effect::Kept,
            () if slice.live.contains(e.index()) => Effect::Cut,
            () => Effect::Gone,
        };
        let calls = if let Op::Call(f) = edge.op { index.get(&f).copied() } else { None };
        let text = cfa::dot::label(cfa, &edge.op);
        Edge { from: edge.from.0, to: edge.to.0, text, line: edge.span.line, mark, calls }
    };
    let function = |f: &FuncId| {
        let func = &cfa.funcs[*f];
        let is_known = func.span.line > 0;
        Function {
            name: func.name.clone(),
            file: is_known.then(|| cfa.files[func.span.file as usize].clone()),
            line: is_known.then_some(func.span.line),
            library: func.library,
            entry: func.entry.0,
            exit: func.exit.0,
            targets: cfa.targets.iter().filter(|l| cfa.locs[**l].func == *f).map(|l| l.0).collect(),
            edges: of_function[f.index()].iter().map(edge).collect(),
        }
    };
    let left_out = order.len() - shown.len();
    (shown.iter().map(function).collect(), left_out)
}

/// The nodes of a certificate, each with what is stated about it.
fn proof(cfa: &Cfa, certificate: &Certificate) -> States {
    let show = |t: Term| cfa.show_start(&certificate.terms, t, MAX_FACT);
    let state = |(id, node): (u32, &checker::Node)| {
        let line = cfa.out(node.loc).iter().map(|e| cfa.edges[*e].span.line).find(|line| *line > 0);
        let line = line.map_or(String::new(), |line| format!(", line {line}"));
        let mut text = format!("{id}: {} {}{line}", cfa.funcs[cfa.locs[node.loc].func].name, node.loc);
        let label = node.label.iter().flat_map(|label| {
            let values = label.env.locals.iter().chain(label.env.globals.iter());
            let values = values.map(|(v, t)| format!("{} = {}", cfa.vars[*v].name, show(*t)));
            values.chain(label.constraints.iter().map(|t| show(*t)))
        });
        let invariants = node.repeats.iter().flat_map(|l| &l.invariants).map(|t| show(*t));
        for fact in label.chain(invariants).take(MAX_FACTS) {
            let _ = write!(text, "\n{fact}");
        }
        let role = if node.repeats.is_some() { "loop" } else { "plain" };
        State { id, text, role: role.into() }
    };
    let shown = &certificate.nodes[..certificate.nodes.len().min(MAX_NODES)];
    let is_shown = |id: u32| (id as usize) < shown.len();
    let transition = |from: u32, successor: &checker::Successor| Transition {
        from,
        to: successor.to,
        text: match successor.step {
            Step::Edge(e) => cfa::dot::label(cfa, &cfa.edges[e].op),
            Step::Return => "return".into(),
        },
        covers: successor.to <= from,
    };
    let edges = (0..).zip(shown).flat_map(|(from, node)| {
        node.successors.iter().filter(|s| is_shown(s.to)).map(move |successor| transition(from, successor))
    });
    States {
        nodes: (0..).zip(shown).map(state).collect(),
        edges: edges.collect(),
        left: (certificate.nodes.len() - shown.len()) as u64,
    }
}

/// The nodes of the program's graph in a certificate. Edges back to a node are green, as those to states that cover others.
fn shape_of_proof(certificate: &Certificate) -> PixelTree {
    PixelTree::new(0, certificate.nodes.len(), |v, out| {
        let role = |to: u32| if to <= v { Role::Covered } else { Role::Plain };
        out.extend(certificate.nodes[v as usize].successors.iter().map(|s| (s.to, role(s.to))));
        Role::Plain
    })
}

fn shape(title: &str, tree: &PixelTree) -> Option<Shape> {
    let svg = tree.svg();
    let vertices = tree.widths().map(u64::from).sum();
    (svg.len() <= MAX_PICTURE).then(|| Shape { title: title.into(), rows: tree.widths().count(), vertices, svg })
}
