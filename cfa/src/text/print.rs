//! Printer for the text format that the parent module describes.

use super::lex::{quote_name, quote_text};
use super::terms::POINTER;
use crate::assumption::{Matters, RestsOn};
use crate::float::Format;
use crate::graph::{Cfa, ObjectKind, Scope, SourceName, Span, ValueFormat};
use crate::ids::{EdgeId, FuncId, Id, IndexVec, ObjectId, VarId};
use crate::op::{AssumeKind, InputKind, Op, Unsupported};
use crate::raw::{Asks, RawCfa, RawFacts};
use crate::term::{Kind, Printer, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::{self, Write};

/// Maximum number of nodes (shared ones counted each time) of terms that are written without `let`.
const PLAIN_NODES: u64 = 100;

/// Maximum nesting depth between names in a term with `let`.
const MAX_DEPTH: u32 = 20;

/// The names as written: quoted, and made unique by the item's id if two items share a name.
struct Names {
    funcs: Vec<String>,
    vars: Vec<String>,
    objects: Vec<String>,
}

fn unique<I: Id, T>(all: &IndexVec<I, T>, name: impl Fn(&T) -> &str) -> Vec<String> {
    let mut seen: FxHashSet<String> = FxHashSet::default();
    let mut written = Vec::with_capacity(all.len());
    for (i, item) in all.iter().enumerate() {
        let mut candidate = name(item).to_string();
        while !seen.insert(candidate.clone()) {
            write!(candidate, "~{i}").expect("writing to a string");
        }
        written.push(quote_name(&candidate));
    }
    written
}

/// A front-end's program in the text format. The result is deterministic.
pub fn print_raw(raw: &RawCfa) -> String {
    print_with(&raw.cfa, &raw.facts)
}

/// A prepared program in the text format. The result is deterministic.
pub fn print(cfa: &Cfa) -> String {
    print_with(cfa, &RawFacts::default())
}

fn print_with(cfa: &Cfa, facts: &RawFacts) -> String {
    let names = Names {
        funcs: unique(&cfa.funcs, |f| &f.name),
        vars: unique(&cfa.vars, |v| &v.name),
        objects: unique(&cfa.objects, |o| &o.name),
    };
    let mut out = String::new();
    let mut writer = Writer { cfa, facts, names, assumes: FxHashMap::default(), out: &mut out };
    writer.all().expect("writing to a string");
    out
}

struct Writer<'a> {
    cfa: &'a Cfa,
    facts: &'a RawFacts,
    names: Names,
    /// The numbers of the assumptions that matter to each edge.
    assumes: FxHashMap<EdgeId, Vec<usize>>,
    out: &'a mut String,
}

/// The name of a sort.
pub(super) fn sort_name(sort: Sort) -> String {
    match sort {
        Sort::Bool => "bool".into(),
        Sort::Bv(w) => format!("bv{w}"),
        Sort::Array { index, elem } => format!("mem{index}x{elem}"),
    }
}

/// The name of a value format.
pub(super) fn format_name(format: ValueFormat) -> &'static str {
    match format {
        ValueFormat::Signed => "signed",
        ValueFormat::Unsigned => "unsigned",
        ValueFormat::Pointer => "pointer",
        ValueFormat::Float(Format::Half) => "half",
        ValueFormat::Float(Format::BFloat) => "bfloat",
        ValueFormat::Float(Format::Single) => "single",
        ValueFormat::Float(Format::Double) => "double",
        ValueFormat::Float(Format::X87) => "x87",
        ValueFormat::Float(Format::Quad) => "quad",
    }
}

impl Writer<'_> {
    fn all(&mut self) -> fmt::Result {
        let cfa = self.cfa;
        writeln!(self.out, "cfa 1")?;
        writeln!(self.out, "pointer_bits {}", cfa.pointer_bits)?;
        if !cfa.funcs.is_empty() {
            let entry = self.func(cfa.entry);
            writeln!(self.out, "entry {entry}")?;
        }
        for (i, name) in cfa.files.iter().enumerate().skip(1) {
            writeln!(self.out, "file {i} {}", quote_text(name))?;
        }
        for f in cfa.funcs.ids() {
            self.function(f)?;
        }
        for o in cfa.objects.ids() {
            self.object(o)?;
        }
        for v in cfa.vars.ids() {
            self.var(v)?;
        }
        self.assumptions()?;
        self.edges()?;
        self.locations()
    }

    fn func(&self, f: FuncId) -> String {
        self.names.funcs[f.index()].clone()
    }

    fn name(&self, v: VarId) -> String {
        self.names.vars[v.index()].clone()
    }

    fn span(&mut self, span: Span) -> fmt::Result {
        if span != Span::default() {
            write!(self.out, " @{}:{}:{}", span.file, span.line, span.column)?;
        }
        writeln!(self.out)
    }

    fn list(&self, vars: &[VarId]) -> String {
        let names: Vec<String> = vars.iter().map(|&v| self.name(v)).collect();
        format!("({})", names.join(" "))
    }

    fn function(&mut self, f: FuncId) -> fmt::Result {
        let func = &self.cfa.funcs[f];
        let name = self.func(f);
        write!(self.out, "func {name} entry {} exit {}", func.entry, func.exit)?;
        if !func.params.is_empty() {
            let params = self.list(&func.params);
            write!(self.out, " params {params}")?;
        }
        for (key, v) in [("result", func.result), ("varargs", func.varargs)] {
            if let Some(v) = v {
                let v = self.name(v);
                write!(self.out, " {key} {v}")?;
            }
        }
        if func.library {
            write!(self.out, " library")?;
        }
        if func.insider {
            write!(self.out, " insider")?;
        }
        self.span(func.span)
    }

    fn source(source: &SourceName) -> String {
        format!("{} {}", quote_text(&source.name), format_name(source.format))
    }

    fn object(&mut self, o: ObjectId) -> fmt::Result {
        let object = &self.cfa.objects[o];
        let name = &self.names.objects[o.index()];
        write!(self.out, "object {name} ")?;
        let (kind, f) = match object.kind {
            ObjectKind::Global => ("global", None),
            ObjectKind::Function(f) => ("function", Some(f)),
            ObjectKind::Stack(f) => ("stack", Some(f)),
            ObjectKind::Site(f) => ("site", Some(f)),
            ObjectKind::Outside => ("outside", None),
        };
        write!(self.out, "{kind}")?;
        if let Some(f) = f {
            let f = self.func(f);
            write!(self.out, " {f}")?;
        }
        if let Some(size) = object.size_bytes {
            write!(self.out, " size {size}")?;
        }
        write!(self.out, " align {}", object.align_bytes)?;
        if object.stride_bytes != 0 {
            write!(self.out, " stride {}", object.stride_bytes)?;
        }
        if let Some(base) = object.base {
            write!(self.out, " base {base}")?;
        }
        let flags = [
            (object.constant, " constant"),
            (object.heap, " heap"),
            (object.shared, " shared"),
            (object.declared, " declared"),
            (object.hidden, " hidden"),
        ];
        for (set, word) in flags {
            if set {
                write!(self.out, "{word}")?;
            }
        }
        self.span(object.span)?;
        for part in self.cfa.object_parts.get(&o).into_iter().flatten() {
            let name = &self.names.objects[o.index()];
            writeln!(self.out, "part {name} {} {} {}", part.offset_bytes, part.size_bytes, Self::source(&part.source))?;
        }
        Ok(())
    }

    fn var(&mut self, v: VarId) -> fmt::Result {
        let var = &self.cfa.vars[v];
        let name = self.name(v);
        write!(self.out, "var {name} {}", sort_name(var.sort))?;
        if let Scope::Local(f) = var.scope {
            let f = self.func(f);
            write!(self.out, " of {f}")?;
        }
        if let Some(source) = &var.source {
            write!(self.out, " as {}", Self::source(source))?;
        }
        if let Some(held) = self.cfa.memory.objects.get(&v) {
            let names: Vec<&str> = held.iter().map(|o| self.names.objects[o.index()].as_str()).collect();
            write!(self.out, " holds ({})", names.join(" "))?;
        }
        writeln!(self.out)
    }

    fn assumptions(&mut self) -> fmt::Result {
        for (i, assumption) in self.cfa.assumptions.iter().enumerate() {
            write!(self.out, "assumption {}", quote_text(&assumption.what.to_string()))?;
            if assumption.of == RestsOn::Proofs {
                write!(self.out, " proofs")?;
            }
            let (word, edges): (_, &[EdgeId]) = match &assumption.matters {
                Matters::Always => ("", &[]),
                Matters::IfReached(edges) => (" reached", edges),
                Matters::IfExecuted(edges) => (" executed", edges),
                Matters::IfKept(edges) => (" kept", edges),
            };
            writeln!(self.out, "{word}")?;
            for e in edges {
                let numbers = self.assumes.entry(*e).or_default();
                if numbers.last() != Some(&i) {
                    numbers.push(i);
                }
            }
        }
        Ok(())
    }

    fn edges(&mut self) -> fmt::Result {
        let cfa = self.cfa;
        let mut inside = None;
        for (e, edge) in cfa.edges.iter_enumerated() {
            let f = cfa.locs[edge.from].func;
            if inside != Some(f) {
                inside = Some(f);
                let f = self.func(f);
                writeln!(self.out, "in {f}")?;
            }
            let op = self.op(&edge.op);
            write!(self.out, "  {} -> {}: {op}", edge.from, edge.to)?;
            self.notes(e)?;
            self.span(edge.span)?;
        }
        Ok(())
    }

    /// Writes what the CFA records about an edge besides its operation.
    fn notes(&mut self, e: EdgeId) -> fmt::Result {
        let cfa = self.cfa;
        if let Some(a) = cfa.allocations.get(&e) {
            let (object, size) = (&self.names.objects[a.object.index()], self.term(a.size));
            write!(self.out, " ; allocates {object} {} {size}", self.names.vars[a.var.index()])?;
        }
        if let Some(&t) = cfa.frees.get(&e) {
            let t = self.term(t);
            write!(self.out, " ; frees {t}")?;
        }
        if let Some(name) = cfa.external_calls.get(&e) {
            write!(self.out, " ; external {}", quote_text(name))?;
        }
        if let Some(&t) = cfa.memory.address_orders.get(&e) {
            let t = self.term(t);
            write!(self.out, " ; orders {t}")?;
        }
        if let Some(c) = self.facts.pointer_comparisons.get(&e) {
            let (left, right) = (self.term(c.left), self.term(c.right));
            write!(self.out, " ; compares {left} {right}")?;
        }
        if let Some(given) = self.facts.escapes.get(&e) {
            let given: Vec<String> = given.iter().map(|&t| self.term(t)).collect();
            write!(self.out, " ; escapes ({})", given.join(" "))?;
        }
        if let Some(question) = self.facts.block_questions.get(&e) {
            let t = self.term(question.address);
            let word = Asks::ALL.iter().find(|(asks, _)| *asks == question.asks).map_or("", |(_, word)| word);
            write!(self.out, " ; asks {word} {t}")?;
        }
        if let Some(vector) = self.facts.address_vectors.get(&e) {
            let (begin, end) = (self.term(vector.begin), self.term(vector.end));
            write!(self.out, " ; addresses_of {} {begin} {end}", self.names.objects[vector.object.index()])?;
        }
        for &(t, is_address) in self.facts.given_away.get(&e).into_iter().flatten() {
            let word = if is_address { "gives_at" } else { "gives" };
            let t = self.term(t);
            write!(self.out, " ; {word} {t}")?;
        }
        if cfa.weak_inputs.contains(&e) {
            write!(self.out, " ; weak")?;
        }
        for i in self.assumes.get(&e).into_iter().flatten() {
            write!(self.out, " ; assumes {i}")?;
        }
        Ok(())
    }

    /// Writes the targets, and the locations that no edge mentions.
    fn locations(&mut self) -> fmt::Result {
        let cfa = self.cfa;
        let ends: FxHashSet<_> = cfa.funcs.iter().flat_map(|f| [f.entry, f.exit]).collect();
        let targets: FxHashSet<_> = cfa.targets.iter().copied().collect();
        let lone = cfa
            .locs
            .iter_enumerated()
            .filter(|(l, loc)| loc.out.is_empty() && loc.into.is_empty() && !ends.contains(l))
            .filter(|(l, _)| !targets.contains(l));
        let mut lines: Vec<(FuncId, String)> = lone.map(|(l, loc)| (loc.func, format!("  loc {l}"))).collect();
        lines.extend(cfa.targets.iter().map(|&l| (cfa.locs[l].func, format!("  target {l}"))));
        let mut inside = cfa.edges.iter().last().map(|edge| cfa.locs[edge.from].func);
        for (f, line) in lines {
            if inside != Some(f) {
                inside = Some(f);
                let f = self.func(f);
                writeln!(self.out, "in {f}")?;
            }
            writeln!(self.out, "{line}")?;
        }
        Ok(())
    }

    fn op(&self, op: &Op) -> String {
        match op {
            Op::Skip => "skip".into(),
            Op::Assign(list) => {
                let parts: Vec<String> =
                    list.iter().map(|&(v, t)| format!("{} := {}", self.name(v), self.term(t))).collect();
                if parts.is_empty() { "assign".into() } else { parts.join(", ") }
            }
            Op::Assume { cond, kind } => {
                let word = match kind {
                    AssumeKind::Branch => "",
                    AssumeKind::User => "assume ",
                    AssumeKind::Guard => "guard ",
                };
                format!("{word}[{}]", self.term(*cond))
            }
            Op::Input { var, kind } => format!("{} := ? {}", self.name(*var), input(kind)),
            Op::Call(f) => format!("call {}", self.func(*f)),
            Op::CallIndirect(call) => {
                let args: Vec<String> = call.args.iter().map(|&a| self.term(a)).collect();
                let mut text = format!("call_indirect {} ({})", self.term(call.target), args.join(" "));
                if let Some(t) = call.varargs {
                    write!(text, " varargs {}", self.term(t)).expect("writing to a string");
                }
                if let Some(v) = call.result {
                    write!(text, " result {}", self.name(v)).expect("writing to a string");
                }
                if !call.misfits.is_empty() {
                    let names: Vec<String> = call.misfits.iter().map(|&f| self.func(f)).collect();
                    write!(text, " misfits ({})", names.join(" ")).expect("writing to a string");
                }
                if call.dispatched {
                    text += " dispatched";
                }
                text
            }
            Op::Unsupported(u) => self.unsupported(u),
        }
    }

    fn unsupported(&self, u: &Unsupported) -> String {
        let mut text = format!("unsupported {}", quote_text(&u.reason));
        for (word, vars) in [("reads", &u.reads), ("writes", &u.writes)] {
            let list = vars.as_ref().map_or("*".into(), |v| self.list(v));
            write!(text, " {word} {list}").expect("writing to a string");
        }
        for (set, word) in [(u.may_call, " may_call"), (u.may_not_return, " may_not_return")] {
            if set {
                text.push_str(word);
            }
        }
        text
    }

    fn term(&self, t: Term) -> String {
        let terms = &self.cfa.terms;
        if size(terms, t) <= PLAIN_NODES {
            return self.tree(t, &FxHashMap::default());
        }
        // Subterms that occur more than once or nest deeply get names, arguments first.
        let order = post_order(terms, t);
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        for &u in &order {
            for &a in terms.args(u) {
                *uses.entry(a).or_default() += 1;
            }
        }
        let mut named: FxHashMap<Term, String> = FxHashMap::default();
        let mut depth: FxHashMap<Term, u32> = FxHashMap::default();
        let (mut head, mut tail) = (String::new(), String::new());
        for u in order {
            let args = terms.args(u);
            let below = args.iter().map(|a| depth[a] + 1).max().unwrap_or(0);
            let shared = uses.get(&u).is_some_and(|n| *n > 1) && !args.is_empty();
            if u != t && (shared || below >= MAX_DEPTH) {
                let text = self.tree(u, &named);
                let name = format!("${}", named.len());
                write!(head, "(let {name} {text} ").expect("writing to a string");
                tail.push(')');
                named.insert(u, name);
                depth.insert(u, 0);
            } else {
                depth.insert(u, below);
            }
        }
        format!("{head}{}{tail}", self.tree(t, &named))
    }

    /// `t` as text, in which subterms in `named` are replaced by their names.
    fn tree(&self, t: Term, named: &FxHashMap<Term, String>) -> String {
        let printer = Printer {
            var: &|v| self.name(v),
            sym: &|s| quote_name(&format!("!{}", s.0)),
            object: &|o| self.names.objects[o.index()].clone(),
        };
        let mut out = String::new();
        self.tree_into(&mut out, t, named, &printer);
        out
    }

    fn tree_into(&self, out: &mut String, t: Term, named: &FxHashMap<Term, String>, printer: &Printer<'_>) {
        let terms = &self.cfa.terms;
        if let Some(name) = named.get(&t) {
            return out.push_str(name);
        }
        if let Some(leaf) = terms.leaf_name(t, printer) {
            return out.push_str(&leaf);
        }
        out.push('(');
        out.push_str(&terms.operator_name(t));
        if matches!(terms.kind(t), Kind::Read | Kind::Write) && self.facts.pointer_accesses.contains(&t) {
            out.push_str(POINTER);
        }
        for &a in terms.args(t) {
            out.push(' ');
            self.tree_into(out, a, named, printer);
        }
        out.push(')');
    }
}

fn input(kind: &InputKind) -> String {
    match kind {
        InputKind::Program(f) => format!("program {}", quote_text(f)),
        InputKind::External(f) => format!("external {}", quote_text(f)),
        InputKind::Library(f) => format!("library {}", quote_text(f)),
        InputKind::Approximate(f) => format!("approximate {}", quote_text(f)),
        InputKind::Uninitialised => "uninitialised".into(),
        InputKind::Undefined => "undefined".into(),
        InputKind::Layout => "layout".into(),
    }
}

/// The subterms of `t`, each once, arguments before users and left before right. This order does not depend on ids.
fn post_order(terms: &Terms, t: Term) -> Vec<Term> {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut order = Vec::new();
    let mut stack = vec![(t, false)];
    while let Some((u, ready)) = stack.pop() {
        if ready {
            order.push(u);
        } else if seen.insert(u) {
            stack.push((u, true));
            stack.extend(terms.args(u).iter().rev().map(|&a| (a, false)));
        }
    }
    order
}

/// Number of nodes of `t` as a tree, or any number above [`PLAIN_NODES`] if there are more.
fn size(terms: &Terms, t: Term) -> u64 {
    let mut stack = vec![t];
    let mut n = 0;
    while let Some(u) = stack.pop() {
        n += 1;
        if n > PLAIN_NODES {
            break;
        }
        stack.extend(terms.args(u));
    }
    n
}
