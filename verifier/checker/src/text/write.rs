//! Writes a certificate as text.

use super::{program_hash, ranges, sort_name};
use crate::certificate::{Certificate, Contract, Explored, FrameId, Label, NodeId, Step};
use cfa::term::Kind;
use cfa::{Cfa, Id, Op, Range, Scope, Span, SymId, Term, Terms, VarId};
use imbl::OrdMap;
use imbl::ordmap::DiffItem;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::fmt::Write;

/// `cert`, a certificate for `cfa`, as text.
pub fn write(cfa: &Cfa, cert: &Certificate) -> String {
    let definitions = Definitions::new(cfa, cert);
    let mut writer = Writer { cfa, cert, definitions, out: String::new() };
    writer.all();
    writer.out
}

/// All terms that occur in a certificate.
fn roots(cert: &Certificate) -> BTreeSet<Term> {
    let mut all = BTreeSet::new();
    let empty = Label::default();
    let mut last = &empty;
    for node in &cert.nodes {
        if let Some(label) = &node.label {
            // Most labels share their values with the label before.
            let none = OrdMap::new();
            let mut add = |old: &OrdMap<VarId, Term>, new: &OrdMap<VarId, Term>| {
                all.extend(old.diff(new).filter_map(|d| match d {
                    DiffItem::Add(_, t) | DiffItem::Update { new: (_, t), .. } => Some(*t),
                    DiffItem::Remove(..) => None,
                }));
            };
            add(&last.env.globals, &label.env.globals);
            add(&last.env.locals, &label.env.locals);
            for (i, locals) in label.below.iter().enumerate() {
                add(last.below.get(i).unwrap_or(&none), locals);
            }
            all.extend(&label.constraints);
            last = label;
        }
        all.extend(node.repeats.iter().flat_map(|l| &l.invariants));
        all.extend(node.repeats.iter().flat_map(|l| &l.universals).map(|u| u.body));
        all.extend(node.successors.iter().flat_map(|s| s.witness.iter().map(|(_, t)| t).chain(&s.case)));
    }
    all.extend(cert.contracts.iter().flat_map(|c| c.pre.iter().chain(&c.post)));
    all
}

/// The names of a certificate's terms, and the function that defines them.
struct Definitions {
    /// A function that defines all terms that are not leaves.
    code: Cfa,
    /// Names of terms.
    names: FxHashMap<Term, String>,
    /// The symbols that occur, by their numbers in the text.
    symbols: Vec<SymId>,
    numbers: FxHashMap<SymId, usize>,
}

impl Definitions {
    fn new(cfa: &Cfa, cert: &Certificate) -> Definitions {
        let mut code = Cfa::new(cfa.pointer_bits);
        let func = code.add_func("terms", Span::default());
        code.entry = func;
        let mut this =
            Definitions { code, names: FxHashMap::default(), symbols: Vec::new(), numbers: FxHashMap::default() };
        let roots: Vec<Term> = roots(cert).into_iter().collect();
        let witnessed = cert.nodes.iter().flat_map(|n| &n.successors).flat_map(|s| &s.witness);
        let at_entry = cert.contracts.iter().flat_map(|c| &c.entry).map(|(_, s)| s);
        let indices = cert.nodes.iter().flat_map(|n| &n.repeats).flat_map(|l| &l.universals).map(|u| &u.index);
        for s in witnessed.map(|(s, _)| s).chain(at_entry).chain(indices) {
            this.number(*s);
        }
        let terms = &cert.terms;
        let mut at = this.code.funcs[func].entry;
        let mut here: FxHashMap<Term, Term> = FxHashMap::default();
        for t in terms.subterms(&roots, |_| false) {
            let sort = terms.sort(t);
            let name = match terms.kind(t) {
                Kind::Bool(_) | Kind::Const(_) => {
                    here.insert(t, this.constant(terms, t));
                    this.names.insert(t, this.code.show(here[&t]));
                    continue;
                }
                Kind::Var(v) => format!("v{}", v.0),
                Kind::Addr(o) => format!("a{}", o.0),
                Kind::Sym(s) => format!("s{}", this.number(s)),
                kind => {
                    let args: Vec<Term> = terms.args(t).iter().map(|a| here[a]).collect();
                    let value = match kind {
                        Kind::BigConst(_) => this.constant(terms, t),
                        _ => this.code.terms.make(kind, &args, sort),
                    };
                    let name = format!("t{}", this.code.edges.len());
                    let var = this.code.add_var(&*name, sort, Scope::Global);
                    let next = this.code.add_loc(func);
                    this.code.add_edge(at, next, Op::assign(var, value), Span::default());
                    at = next;
                    here.insert(t, this.code.var_term(var));
                    this.names.insert(t, name);
                    continue;
                }
            };
            let var = this.code.add_var(&*name, sort, Scope::Global);
            here.insert(t, this.code.var_term(var));
            this.names.insert(t, name);
        }
        this
    }

    fn constant(&mut self, terms: &Terms, t: Term) -> Term {
        match terms.as_bool(t) {
            Some(b) => self.code.terms.bool(b),
            None => self.code.terms.constant(&terms.as_bv(t).expect("a constant")),
        }
    }

    fn number(&mut self, s: SymId) -> usize {
        *self.numbers.entry(s).or_insert_with(|| {
            self.symbols.push(s);
            self.symbols.len() - 1
        })
    }
}

struct Writer<'a> {
    cfa: &'a Cfa,
    cert: &'a Certificate,
    definitions: Definitions,
    out: String,
}

impl Writer<'_> {
    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        self.out.write_fmt(text).expect("writing to a string");
        self.out.push('\n');
    }

    fn all(&mut self) {
        let cert = self.cert;
        self.line(format_args!("certificate 1"));
        self.line(format_args!("program {:016x}", program_hash(self.cfa)));
        self.line(format_args!("kept {}", ranges(&cert.slice.kept)));
        self.line(format_args!("live {}", ranges(&cert.slice.live)));
        for (i, s) in self.definitions.symbols.clone().into_iter().enumerate() {
            self.line(format_args!("symbol s{i} {}", sort_name(cert.terms.symbol(s).sort)));
        }
        let code = cfa::text::print(&self.definitions.code);
        self.line(format_args!("terms {}", code.lines().count()));
        self.out.push_str(&code);
        for f in &cert.frames {
            self.line(format_args!("frame {} {}", f.return_to, frame(f.below)));
        }
        if let Some(explored) = &cert.explored {
            self.explored(explored);
        }
        let mut last: Option<usize> = None;
        let mut contracts = cert.contracts.iter().peekable();
        for (i, node) in cert.nodes.iter().enumerate() {
            if let Some(c) = contracts.next_if(|c| c.root as usize == i) {
                self.contract(c);
            }
            self.line(format_args!("node {} {}", node.loc, frame(node.stack)));
            if let Some(label) = &node.label {
                self.label(label, last);
                last = Some(i);
            }
            if let Some(l) = &node.repeats {
                let written: Vec<String> = l.written.iter().map(|v| format!("v{}", v.0)).collect();
                let written = if written.is_empty() { "-".into() } else { written.join(",") };
                let invariants = self.list(&l.invariants);
                self.line(format_args!(" loop {written}{invariants}"));
                for u in &l.universals {
                    let (number, body) = (self.definitions.numbers[&u.index], &self.definitions.names[&u.body]);
                    let text = format!("  forall s{number} {body}");
                    self.line(format_args!("{text}"));
                }
                if let Some(w) = &l.window {
                    let nodes = |of: &[NodeId]| of.iter().map(|n| format!(" {n}")).collect::<String>();
                    let (base, assumed) = (nodes(&w.base), nodes(&w.assumed));
                    self.line(format_args!("  window{base} assumed{assumed} checked {} {}", w.checked, w.end));
                }
            }
            for s in &node.successors {
                let mut rest = String::new();
                for (symbol, t) in &s.witness {
                    let number = self.definitions.numbers[symbol];
                    write!(rest, " s{number}={}", self.definitions.names[t]).expect("writing to a string");
                }
                for (i, t) in s.case.iter().enumerate() {
                    let name = &self.definitions.names[t];
                    write!(rest, "{} {name}", if i == 0 { " if" } else { "" }).expect("writing to a string");
                }
                match s.step {
                    Step::Edge(e) => self.line(format_args!(" {e} -> {}{rest}", s.to)),
                    Step::Return => self.line(format_args!(" return -> {}{rest}", s.to)),
                }
            }
        }
    }

    fn explored(&mut self, explored: &Explored) {
        self.line(format_args!("explored"));
        for (v, at) in &explored.splits {
            let at: String = at.iter().map(|k| format!(" {k}")).collect();
            self.line(format_args!(" split v{}{at}", v.index()));
        }
        for set in &explored.sets {
            self.line(format_args!(" set {} {}", set.loc, frame(set.stack)));
            for (v, ranges) in set.vars.iter().zip(&set.ranges) {
                let ranges: String = ranges.iter().map(|r| format!(" {}", range(*r))).collect();
                self.line(format_args!("  ranges v{}{ranges}", v.index()));
            }
            for row in set.each_row().filter(|row| !row.is_empty()) {
                let row: String = row.iter().map(|i| format!(" {i}")).collect();
                self.line(format_args!("  row{row}"));
            }
        }
    }

    fn contract(&mut self, contract: &Contract) {
        self.line(format_args!("contract {}", contract.func));
        let named = |(v, s): &(VarId, SymId)| format!(" v{}=s{}", v.index(), self.definitions.numbers[s]);
        let entry: String = contract.entry.iter().map(named).collect();
        let (pre, post) = (self.list(&contract.pre), self.list(&contract.post));
        self.line(format_args!(" entry{entry}"));
        self.line(format_args!(" pre{pre}"));
        self.line(format_args!(" post{post}"));
    }

    fn list(&self, terms: &[Term]) -> String {
        terms.iter().map(|t| format!(" {}", self.definitions.names[t])).collect()
    }

    /// Writes a label, as a change of the label of node `last` if that is shorter.
    fn label(&mut self, label: &Label, last: Option<usize>) {
        let old = last.and_then(|n| self.cert.nodes[n].label.as_ref());
        let changes = |old: &Label| {
            old.env.globals.diff(&label.env.globals).count() + old.env.locals.diff(&label.env.locals).count()
        };
        let size = label.env.globals.len() + label.env.locals.len();
        let empty = Label::default();
        let base = match (last, old) {
            (Some(n), Some(old)) if changes(old) < size => {
                self.line(format_args!(" label {n}"));
                old
            }
            _ => {
                self.line(format_args!(" label"));
                &empty
            }
        };
        let values =
            self.values(&base.env.globals, &label.env.globals) + &self.values(&base.env.locals, &label.env.locals);
        if !values.is_empty() {
            self.line(format_args!(" {values}"));
        }
        for locals in &label.below {
            let values = self.values(&OrdMap::new(), locals);
            self.line(format_args!("  below{values}"));
        }
        if !label.constraints.is_empty() {
            let constraints = self.list(&label.constraints);
            self.line(format_args!("  where{constraints}"));
        }
    }

    fn values(&self, old: &OrdMap<VarId, Term>, new: &OrdMap<VarId, Term>) -> String {
        let mut text = String::new();
        for d in old.diff(new) {
            match d {
                DiffItem::Remove(v, _) => write!(text, " v{}=-", v.index()),
                DiffItem::Add(v, t) | DiffItem::Update { new: (v, t), .. } => {
                    write!(text, " v{}={}", v.index(), self.definitions.names[t])
                }
            }
            .expect("writing to a string");
        }
        text
    }
}

fn range(r: Range) -> String {
    match r.as_point() {
        Some(k) => k.to_string(),
        None => format!("{}..{}", r.lo, r.hi),
    }
}

fn frame(f: Option<FrameId>) -> String {
    f.map_or_else(|| "-".into(), |f| f.to_string())
}
