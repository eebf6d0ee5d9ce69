//! Graphs and lists of a program: its automaton, dependences, calls, dominators, pointers and domain types; as text, for Graphviz, or as a
//! pixel tree.

mod call_graph;
mod domain_types;
mod dominators;
mod points_to;
pub(crate) mod svg;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use cfa::pixel_tree::{Mark, PixelTree};
use cfa::validate::{validate, validate_raw};
use cfa::{Cfa, FuncId, LocId, Op, RawCfa, Span};
use serde::{Deserialize, Serialize};
use slicer::dependence::control_dep::{ControlDependence, ControlKind};
use slicer::dependence::relevant::Live;
use slicer::dependence::sdg::{MAX_VERTICES, Sdg, Vertex};
use slicer::points_to::PointsToKind;
use slicer::prepare::analyse_pointers;
use slicer::{PrepareOptions, prepare};

use crate::driver::{Form, Program};
use crate::loading::{LoadPlan, load};
use crate::report::counterexample;
use crate::worker::{Phase, Reporter, UserError};

/// Which graph to make, and in which forms.
#[derive(Debug, Clone)]
pub struct GraphPlan {
    /// The kind of graph.
    pub kind: GraphKind,
    /// The form in which it is printed.
    pub form: Form,
    /// Only this function, or in a call graph what it may call.
    pub function: Option<String>,
    /// Whether to list pointers that have no name in the source.
    pub unnamed: bool,
    /// The file in which its shape is drawn, a `.svg` or `.png` file.
    pub pixel_tree: Option<PathBuf>,
}

/// Kinds of graphs of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GraphKind {
    /// The automaton as the front-end produces it.
    Raw,
    /// The automaton that is sliced and verified.
    Prepared,
    /// The dependences of each operation of the prepared automaton.
    Dependences,
    /// Which functions call which.
    Calls,
    /// The dominators and post-dominators of the locations of each function.
    Dominators {
        /// Whether of the prepared automaton.
        prepared: bool,
    },
    /// What variables and memory may point to.
    Pointers,
    /// How each variable of the prepared automaton is used, and measures of the program.
    DomainTypes,
}

/// A graph, as text and counts.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Listing {
    /// The graph in the requested form; empty for [`Form::Counts`].
    pub text: String,
    /// The rows of a list (of callers, functions, pointers or variables) as objects.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub items: Vec<serde_json::Value>,
    /// For domain types, measures of the program.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub measures: Option<serde_json::Value>,
    /// Sizes by name, such as `edges`.
    pub counts: BTreeMap<String, u64>,
    /// Number of unsupported edges, by reason.
    pub unsupported: BTreeMap<String, u64>,
    /// Invariants of automata that this one violates, which are bugs in kerf.
    pub problems: Vec<String>,
}

/// The graph of `program` that `plan` asks for.
///
/// # Errors
/// User errors: the program cannot be loaded, it has no function of the name in `plan`, or the dependence graph is too large. Also, a
/// picture that cannot be written.
pub fn graph(program: &Program, plan: &GraphPlan, reporter: &Reporter) -> Result<Listing> {
    let mut raw = load(program, LoadPlan::default(), reporter)?.raw;
    use GraphKind::{Dependences, DomainTypes, Dominators, Prepared};
    let problems = if matches!(plan.kind, Prepared | Dependences | DomainTypes | Dominators { prepared: true }) {
        reporter.phase(Phase::Slicing, "");
        // From here on there is nothing left to prepare.
        raw = RawCfa::new(prepare(raw, &PrepareOptions::default())?.0);
        validate(&raw.cfa)
    } else {
        validate_raw(&raw)
    };
    let problems = problems.iter().map(|problem| problem.to_string()).collect();
    let cfa = &raw.cfa;
    let (mut counts, unsupported) = counterexample::sizes(cfa);
    let function = plan.function.as_ref().map(|name| function(cfa, name)).transpose()?;
    let (mut items, mut measures, mut tree) = (Vec::new(), None, None);
    let text = match plan.kind {
        GraphKind::Raw | GraphKind::Prepared => {
            tree = plan.pixel_tree.as_ref().map(|_| shape_of_automaton(cfa));
            let wanted = |f: FuncId| function.is_none_or(|wanted| wanted == f);
            match plan.form {
                Form::Counts => String::new(),
                Form::Text => cfa::text::print_raw(&raw),
                Form::Dot => cfa::dot::dot(cfa, cfa::dot::Options { funcs: Some(&wanted), ..cfa::dot::Options::ALL }),
            }
        }
        GraphKind::Dependences => {
            let graph = dependences(cfa)?;
            counts.insert("dependence vertices".into(), graph.vertices().len() as u64);
            let arcs = (0..graph.vertices().len() as u32).map(|v| graph.successors(v).len() as u64).sum();
            counts.insert("dependence arcs".into(), arcs);
            tree = plan.pixel_tree.as_ref().map(|_| shape_of_dependences(cfa, &graph));
            if plan.form == Form::Dot { slicer::dependence::dot::dot(cfa, &graph) } else { String::new() }
        }
        GraphKind::Calls => {
            let points_to = analyse_pointers(&mut raw, PointsToKind::default())?;
            let callers = call_graph::callers(&raw.cfa, &points_to, function);
            items = objects(&callers)?;
            if plan.form == Form::Dot { call_graph::dot(&callers) } else { call_graph::text(&callers) }
        }
        GraphKind::Dominators { .. } => {
            let own = || cfa.funcs.iter_enumerated().filter(|(_, func)| !func.library).map(|(f, _)| f);
            let trees = dominators::trees(cfa, &function.map_or_else(|| own().collect(), |f| vec![f]));
            items = objects(&trees)?;
            if plan.form == Form::Dot { dominators::dot(&trees) } else { dominators::text(&trees) }
        }
        GraphKind::Pointers => {
            let points_to = analyse_pointers(&mut raw, PointsToKind::default())?;
            let wanted = points_to::Selection { function, unnamed: plan.unnamed };
            let pointers = points_to::pointers(&raw.cfa, &points_to, wanted);
            items = objects(&pointers)?;
            if plan.form == Form::Dot { points_to::dot(&pointers) } else { points_to::text(&pointers) }
        }
        GraphKind::DomainTypes => {
            let table = domain_types::table(cfa, function);
            items = objects(&table.rows)?;
            measures = Some(serde_json::to_value(&table.measures)?);
            domain_types::text(&table)
        }
    };
    if let Some((path, tree)) = plan.pixel_tree.as_ref().zip(tree) {
        reporter.phase(Phase::Writing, &path.display().to_string());
        draw(&tree, path)?;
    }
    Ok(Listing { text, items, measures, counts, unsupported, problems })
}

/// The function called `name`.
///
/// # Errors
/// User errors: there is none.
fn function(cfa: &Cfa, name: &str) -> Result<FuncId, UserError> {
    let found = cfa.funcs.iter_enumerated().find(|(_, func)| func.name == name);
    found
        .map(|(f, _)| f)
        .ok_or_else(|| UserError(format!("--function: no function {name} with a body that can be executed")))
}

/// Rows as JSON objects.
fn objects(rows: &[impl Serialize]) -> Result<Vec<serde_json::Value>> {
    Ok(rows.iter().map(serde_json::to_value).collect::<Result<_, _>>()?)
}

/// A position as text, if it is known.
fn place_of(cfa: &Cfa, span: Span) -> Option<String> {
    (span.line > 0).then(|| cfa.place(span))
}

/// A name, followed by its place if that is known.
fn with_place(name: &str, place: &Option<String>) -> String {
    place.as_ref().map_or(name.to_string(), |place| format!("{name} ({place})"))
}

/// The position of a location, if an edge at it has one.
fn place_at(cfa: &Cfa, l: LocId) -> Option<String> {
    counterexample::edge_with_place(cfa, l).map(|e| cfa.place(cfa.edges[e].span))
}

/// The dependence graph of a prepared program.
///
/// # Errors
/// User errors: the graph is too large.
pub fn dependences(cfa: &Cfa) -> Result<Sdg> {
    let live = Live::reachable(cfa);
    let control = ControlDependence::new(cfa, &live, &[], ControlKind::Standard.into());
    let too_large = || UserError(format!("the dependence graph has more than {MAX_VERTICES} vertices"));
    Ok(Sdg::new(cfa, &live, &control).ok_or_else(too_large)?)
}

/// Locations by their distance from the program's entry; a call leads both into the function and to the location after the call.
pub fn shape_of_automaton(cfa: &Cfa) -> PixelTree {
    let root = cfa.funcs[cfa.entry].entry;
    PixelTree::new(root.0, cfa.locs.len(), |v, out| {
        let l = cfa::LocId(v);
        for &e in cfa.out(l) {
            if let Op::Call(f) = cfa.edges[e].op {
                out.push((cfa.funcs[f].entry.0, Mark::Plain));
            }
            out.push((cfa.edges[e].to.0, Mark::Plain));
        }
        if cfa.is_target(l) { Mark::Target } else { Mark::Plain }
    })
}

/// Vertices by the least number of dependences that lead to them from the program's entry and its inputs. Operations that reach a
/// target are marked.
pub fn shape_of_dependences(cfa: &Cfa, graph: &Sdg) -> PixelTree {
    let Some(root) = graph.number(Vertex::Entry(cfa.entry)) else { return PixelTree::default() };
    PixelTree::new(root, graph.vertices().len(), |v, out| {
        if v == root {
            let given = cfa.vars.ids().filter_map(|var| graph.number(Vertex::FormalIn(cfa.entry, var)));
            out.extend(given.map(|w| (w, Mark::Plain)));
        }
        out.extend(graph.successors(v).iter().map(|(w, _)| (*w, Mark::Plain)));
        match graph.vertices()[v as usize] {
            Vertex::Edge(e) if cfa.is_target(cfa.edges[e].to) => Mark::Target,
            _ => Mark::Plain,
        }
    })
}

/// Picture formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Scalable Vector Graphics.
    Svg,
    /// Portable Network Graphics.
    Png,
}

impl Format {
    /// The format that a file name implies.
    pub fn of(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()? {
            "svg" => Some(Format::Svg),
            "png" => Some(Format::Png),
            _ => None,
        }
    }
}

/// Writes `tree` as a picture in the format that the file name implies, by default PNG.
///
/// # Errors
/// The file cannot be written.
pub fn draw(tree: &PixelTree, path: &Path) -> Result<()> {
    let cannot = || format!("cannot write {}", path.display());
    match Format::of(path) {
        Some(Format::Svg) => std::fs::write(path, tree.svg()).with_context(cannot),
        Some(Format::Png) | None => {
            write_png(tree, BufWriter::new(File::create(path).with_context(cannot)?)).with_context(cannot)
        }
    }
}

fn write_png(tree: &PixelTree, out: BufWriter<File>) -> Result<()> {
    const MARKS: [Mark; 4] = [Mark::Plain, Mark::Covered, Mark::Merged, Mark::Target];
    let picture = tree.picture();
    let mut encoder = png::Encoder::new(out, picture.width.max(1), picture.height.max(1));
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    let white = [0xff; 3];
    encoder.set_palette([white].into_iter().chain(MARKS.map(Mark::colour)).flatten().collect::<Vec<u8>>());
    let number = |p: &Option<Mark>| p.map_or(0, |mark| 1 + mark as u8);
    let mut pixels: Vec<u8> = picture.pixels.iter().map(number).collect();
    // A picture has at least one pixel.
    pixels.resize((picture.width.max(1) * picture.height.max(1)) as usize, 0);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels)?;
    Ok(writer.finish()?)
}
