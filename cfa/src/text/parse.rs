//! Parser for the text format that the parent module describes.

use super::lex::{Parsed, Token, Tokens, location, tokens};
use super::terms::{self, POINTER};
use crate::assumption::{Assumed, Assumption, Matters, RestsOn};
use crate::bv::Bv;
use crate::float::Format;
use crate::graph::{
    Allocation, Cfa, Function, Object, ObjectKind, ObjectPart, Scope, SourceName, Span, ValueFormat, Var,
};
use crate::ids::{EdgeId, FuncId, Id, IndexVec, LocId, ObjectId, VarId};
use crate::op::{AssumeKind, IndirectCall, InputKind, Op, Unsupported};
use crate::raw::{AddressVector, Asks, BlockQuestion, PointerComparison, RawCfa, RawFacts};
use crate::term::{Kind, Sort, Term};
use crate::validate::{Place, Problem, validate_raw};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// Maximum number of locations that a text may leave out, so that a mistyped number does not make a huge automaton.
const MAX_GAPS: usize = 1000;

/// Maximum width of variables and constants in a text, in bits.
const MAX_WIDTH: u32 = 1 << 20;

/// Why a text is not a CFA.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

/// Parses a front-end's program. Sorts and names are checked here, the shape of the graph by `validate_raw`.
///
/// # Errors
/// The first thing that is wrong with the text.
pub fn parse_raw(text: &str) -> Result<RawCfa, ParseError> {
    parse_lines(text).map(|(raw, _)| raw)
}

/// Parses a prepared program. Sorts and names are checked here, the shape of the graph by `validate`.
///
/// # Errors
/// The first thing that is wrong with the text, or a note that is for preparation only.
pub fn parse(text: &str) -> Result<Cfa, ParseError> {
    let (raw, lines) = parse_lines(text)?;
    match lines.facts.first() {
        None => Ok(raw.cfa),
        Some(line) => {
            let message = "this line is for preparation, but the program should be prepared already".into();
            Err(ParseError { line: *line as usize, message })
        }
    }
}

/// Parses and validates a front-end's program, which may have been written by hand. Also returns the line of each edge, from 1.
///
/// # Errors
/// The first thing that is wrong with the text, or the first invariant that the program breaks.
pub fn read(text: &str) -> Result<(RawCfa, IndexVec<EdgeId, u32>), ParseError> {
    let (raw, lines) = parse_lines(text)?;
    match validate_raw(&raw).first() {
        None => Ok((raw, lines.edges)),
        Some(problem) => Err(lines.locate(problem)),
    }
}

/// The lines of what a text declares, from 1.
#[derive(Default)]
struct Lines {
    funcs: Vec<u32>,
    vars: Vec<u32>,
    edges: IndexVec<EdgeId, u32>,
    /// The line that mentions a location first.
    locs: FxHashMap<LocId, u32>,
    /// The lines with notes that are for preparation only.
    facts: Vec<u32>,
}

impl Lines {
    /// A broken invariant with the line that breaks it: line 1 if it concerns the whole program.
    fn locate(&self, problem: &Problem) -> ParseError {
        let (line, message) = match problem.place {
            Place::Program => (None, problem.message.clone()),
            Place::Function(f) => (self.funcs.get(f.index()), format!("this function: {}", problem.message)),
            Place::Location(l) => (self.locs.get(&l), format!("the location {l}: {}", problem.message)),
            Place::Edge(e) => (self.edges.get(e), format!("this edge: {}", problem.message)),
            Place::Var(v) => (self.vars.get(v.index()), format!("this variable: {}", problem.message)),
        };
        ParseError { line: line.map_or(1, |line| *line as usize), message }
    }
}

fn parse_lines(text: &str) -> Result<(RawCfa, Lines), ParseError> {
    let mut parser = Parser { cfa: Cfa::new(64), ..Parser::default() };
    let lines: Vec<(usize, Vec<Token>)> = text
        .lines()
        .enumerate()
        .map(|(i, l)| Ok((i + 1, tokens(l).map_err(|message| ParseError { line: i + 1, message })?)))
        .collect::<Result<_, ParseError>>()?;
    // Names of functions come first, then those of objects and variables, so that lines may refer to later ones.
    for pass in [Pass::Functions, Pass::Names, Pass::Rest] {
        for (line, tokens) in &lines {
            let mut tokens = Tokens { all: tokens, next: 0 };
            parser.at = *line as u32;
            parser.line(pass, &mut tokens).map_err(|message| ParseError { line: *line, message })?;
        }
    }
    parser.finish()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    Functions,
    Names,
    Rest,
}

#[derive(Default)]
struct Parser {
    cfa: Cfa,
    facts: RawFacts,
    funcs: FxHashMap<String, FuncId>,
    vars: FxHashMap<String, VarId>,
    objects: FxHashMap<String, ObjectId>,
    /// The function of the edges that follow.
    inside: Option<FuncId>,
    entry: Option<FuncId>,
    /// The function of each location.
    locs: FxHashMap<LocId, FuncId>,
    edges: Vec<(LocId, LocId, Op, Span)>,
    /// The line that is being read.
    at: u32,
    lines: Lines,
}

/// Items between parentheses.
fn listed<T>(t: &mut Tokens<'_>, mut item: impl FnMut(&mut Tokens<'_>) -> Parsed<T>) -> Parsed<Vec<T>> {
    t.expect('(')?;
    let mut list = Vec::new();
    while !t.mark(')') {
        list.push(item(t)?);
    }
    Ok(list)
}

impl Parser {
    fn line(&mut self, pass: Pass, t: &mut Tokens<'_>) -> Parsed<()> {
        let Some(Token::Word(head)) = t.peek() else {
            return if t.all.is_empty() { Ok(()) } else { Err("a line must begin with a word".into()) };
        };
        t.next += 1;
        match (head.as_str(), pass) {
            ("func", Pass::Functions) => self.declare_func(t),
            ("func", Pass::Rest) => self.func(t),
            ("object", Pass::Names) => self.object(t),
            ("var", Pass::Names) => self.var(t),
            ("pointer_bits", Pass::Functions) => {
                self.cfa.pointer_bits = t.number()?;
                if !(1..=64).contains(&self.cfa.pointer_bits) {
                    return Err("addresses have 1 to 64 bits".into());
                }
                t.end()
            }
            ("cfa", Pass::Functions) => {
                if t.number::<u32>()? == 1 {
                    t.end()
                } else {
                    Err("only version 1 of the format is supported".into())
                }
            }
            ("file", Pass::Functions) => {
                let i: usize = t.number()?;
                if i != self.cfa.files.len() {
                    return Err(format!("the next file must have number {}", self.cfa.files.len()));
                }
                self.cfa.files.push(t.text()?.into());
                t.end()
            }
            ("assumption", Pass::Functions) => self.assumption(t),
            ("entry", Pass::Rest) => {
                self.entry = Some(self.func_named(t)?);
                t.end()
            }
            ("part", Pass::Rest) => self.part(t),
            ("in", Pass::Rest) => {
                self.inside = Some(self.func_named(t)?);
                t.end()
            }
            ("loc" | "target", Pass::Rest) => {
                let l = t.loc()?;
                let f = self.inside.ok_or("a location appears before the first `in`")?;
                self.locate(l, f)?;
                if head == "target" {
                    self.cfa.targets.push(l);
                }
                t.end()
            }
            (
                "func" | "object" | "var" | "pointer_bits" | "cfa" | "file" | "assumption" | "entry" | "part" | "in"
                | "loc" | "target",
                _,
            ) => Ok(()),
            (from, Pass::Rest) => {
                let from = location(from)?;
                self.edge(from, t)
            }
            _ => Ok(()),
        }
    }

    fn declare_func(&mut self, t: &mut Tokens<'_>) -> Parsed<()> {
        let name = t.name()?;
        let id = FuncId::from_index(self.funcs.len());
        if self.funcs.insert(name.into(), id).is_some() {
            return Err(format!("there are two functions `{name}`"));
        }
        Ok(())
    }

    /// Reads what is assumed, and when that matters. The notes of edges tell to which edges it matters.
    fn assumption(&mut self, t: &mut Tokens<'_>) -> Parsed<()> {
        let what = Assumed::Said(t.text()?.into());
        let of = if t.word("proofs") { RestsOn::Proofs } else { RestsOn::Verdicts };
        let matters = match t.peek() {
            None => Matters::Always,
            Some(_) => match t.any_word()? {
                "reached" => Matters::IfReached(Vec::new()),
                "executed" => Matters::IfExecuted(Vec::new()),
                "kept" => Matters::IfKept(Vec::new()),
                other => return Err(format!("`{other}` is not a condition of an assumption")),
            },
        };
        self.cfa.assumptions.push(Assumption { what, of, matters });
        t.end()
    }

    /// Reads the number of an assumption that matters to the edge `e`.
    fn assumes(&mut self, e: EdgeId, t: &mut Tokens<'_>) -> Parsed<()> {
        let i: usize = t.number()?;
        match self.cfa.assumptions.get_mut(i).map(|a| &mut a.matters) {
            Some(Matters::IfReached(edges) | Matters::IfExecuted(edges) | Matters::IfKept(edges)) => edges.push(e),
            Some(Matters::Always) => return Err(format!("assumption {i} always matters")),
            None => return Err(format!("there is no assumption {i}")),
        }
        Ok(())
    }

    fn func_named(&self, t: &mut Tokens<'_>) -> Parsed<FuncId> {
        let name = t.name()?;
        self.funcs.get(name).copied().ok_or_else(|| format!("there is no function `{name}`"))
    }

    fn var_named(&self, t: &mut Tokens<'_>) -> Parsed<VarId> {
        let name = t.name()?;
        self.var_of(name)
    }

    fn var_of(&self, name: &str) -> Parsed<VarId> {
        self.vars.get(name).copied().ok_or_else(|| format!("there is no variable `{name}`"))
    }

    fn object_of(&self, name: &str) -> Parsed<ObjectId> {
        self.objects.get(name).copied().ok_or_else(|| format!("there is no object `{name}`"))
    }

    fn vars_listed(&self, t: &mut Tokens<'_>) -> Parsed<Vec<VarId>> {
        t.expect('(')?;
        let mut list = Vec::new();
        while !t.mark(')') {
            list.push(self.var_named(t)?);
        }
        Ok(list)
    }

    fn objects_listed(&mut self, t: &mut Tokens<'_>) -> Parsed<Vec<ObjectId>> {
        t.expect('(')?;
        let mut list = Vec::new();
        while !t.mark(')') {
            list.push(self.object_of(t.name()?)?);
        }
        Ok(list)
    }

    fn locate(&mut self, l: LocId, f: FuncId) -> Parsed<()> {
        self.lines.locs.entry(l).or_insert(self.at);
        match self.locs.insert(l, f) {
            Some(other) if other != f => Err(format!("{l} belongs to another function")),
            _ => Ok(()),
        }
    }

    fn func(&mut self, t: &mut Tokens<'_>) -> Parsed<()> {
        let name = t.name()?.to_string();
        if !t.word("entry") {
            return Err("`entry` is missing".into());
        }
        let entry = t.loc()?;
        if !t.word("exit") {
            return Err("`exit` is missing".into());
        }
        let exit = t.loc()?;
        let params = if t.word("params") { self.vars_listed(t)? } else { Vec::new() };
        let result = if t.word("result") { Some(self.var_named(t)?) } else { None };
        let varargs = if t.word("varargs") { Some(self.var_named(t)?) } else { None };
        let [library, insider] = ["library", "insider"].map(|word| t.word(word));
        let span = t.span()?;
        self.lines.funcs.push(self.at);
        let f = self.cfa.funcs.push(Function { name, entry, exit, params, result, varargs, span, library, insider });
        self.locate(entry, f)?;
        self.locate(exit, f)
    }

    fn object(&mut self, t: &mut Tokens<'_>) -> Parsed<()> {
        let name = t.name()?;
        let kind = match t.any_word()? {
            "global" => ObjectKind::Global,
            "function" => ObjectKind::Function(self.func_named(t)?),
            "stack" => ObjectKind::Stack(self.func_named(t)?),
            "site" => ObjectKind::Site(self.func_named(t)?),
            "outside" => ObjectKind::Outside,
            other => return Err(format!("`{other}` is not a kind of object")),
        };
        let size_bytes = if t.word("size") { Some(t.number()?) } else { None };
        let align_bytes = if t.word("align") { t.number()? } else { 1 };
        let stride_bytes = if t.word("stride") { t.number()? } else { 0 };
        let base = if t.word("base") { Some(t.number()?) } else { None };
        let [constant, heap, shared, declared, hidden] =
            ["constant", "heap", "shared", "declared", "hidden"].map(|word| t.word(word));
        let span = t.span()?;
        let object = Object {
            name: name.into(),
            kind,
            size_bytes,
            align_bytes,
            stride_bytes,
            base,
            constant,
            heap,
            shared,
            declared,
            hidden,
            span,
        };
        let o = self.cfa.objects.push(object);
        match self.objects.insert(name.into(), o) {
            Some(_) => Err(format!("there are two objects `{name}`")),
            None => Ok(()),
        }
    }

    fn source(t: &mut Tokens<'_>) -> Parsed<SourceName> {
        let name = t.text()?.into();
        let format = match t.any_word()? {
            "signed" => ValueFormat::Signed,
            "unsigned" => ValueFormat::Unsigned,
            "pointer" => ValueFormat::Pointer,
            "half" => ValueFormat::Float(Format::Half),
            "bfloat" => ValueFormat::Float(Format::BFloat),
            "single" => ValueFormat::Float(Format::Single),
            "double" => ValueFormat::Float(Format::Double),
            "x87" => ValueFormat::Float(Format::X87),
            "quad" => ValueFormat::Float(Format::Quad),
            other => return Err(format!("`{other}` is not a format of values")),
        };
        Ok(SourceName { name, format })
    }

    fn part(&mut self, t: &mut Tokens<'_>) -> Parsed<()> {
        let o = self.object_of(t.name()?)?;
        let (offset_bytes, size_bytes) = (t.number()?, t.number()?);
        let source = Self::source(t)?;
        self.cfa.object_parts.entry(o).or_default().push(ObjectPart { offset_bytes, size_bytes, source });
        t.end()
    }

    fn var(&mut self, t: &mut Tokens<'_>) -> Parsed<()> {
        let name = t.name()?;
        let sort = sort(t.any_word()?)?;
        let scope = if t.word("of") { Scope::Local(self.func_named(t)?) } else { Scope::Global };
        let source = if t.word("as") { Some(Self::source(t)?) } else { None };
        let held = if t.word("holds") { Some(self.objects_listed(t)?) } else { None };
        t.end()?;
        self.lines.vars.push(self.at);
        let v = self.cfa.vars.push(Var { name: name.into(), source, sort, scope });
        self.cfa.memory.objects.extend(held.map(|objects| (v, objects)));
        match self.vars.insert(name.into(), v) {
            Some(_) => Err(format!("there are two variables `{name}`")),
            None => Ok(()),
        }
    }

    fn edge(&mut self, from: LocId, t: &mut Tokens<'_>) -> Parsed<()> {
        if !t.word("->") {
            return Err("`->` is missing".into());
        }
        let to = t.any_word()?;
        let to = location(to.strip_suffix(':').ok_or("`:` is missing after the location")?)?;
        let f = self.inside.ok_or("an edge appears before the first `in`")?;
        self.locate(from, f)?;
        self.locate(to, f)?;
        let e = EdgeId::from_index(self.edges.len());
        let op = self.op(t)?;
        while t.mark(';') {
            self.note(e, t)?;
        }
        let span = t.span()?;
        self.edges.push((from, to, op, span));
        self.lines.edges.push(self.at);
        Ok(())
    }

    fn note(&mut self, e: EdgeId, t: &mut Tokens<'_>) -> Parsed<()> {
        let word = t.any_word()?;
        if matches!(word, "compares" | "escapes" | "gives" | "gives_at" | "asks" | "addresses_of") {
            self.lines.facts.push(self.at);
        }
        match word {
            "allocates" => {
                let object = self.object_of(t.name()?)?;
                let var = self.var_named(t)?;
                let size = self.term(t)?;
                self.cfa.allocations.insert(e, Allocation { object, var, size });
            }
            "frees" => {
                let address = self.term(t)?;
                self.cfa.frees.insert(e, address);
            }
            "external" => {
                self.cfa.external_calls.insert(e, t.text()?.into());
            }
            "orders" => {
                let order = self.term(t)?;
                self.cfa.memory.address_orders.insert(e, order);
            }
            "compares" => {
                let (left, right) = (self.term(t)?, self.term(t)?);
                self.facts.pointer_comparisons.insert(e, PointerComparison { left, right });
            }
            "escapes" => {
                let given = self.terms_listed(t)?;
                self.facts.escapes.insert(e, given);
            }
            "gives" | "gives_at" => {
                let given = self.term(t)?;
                self.facts.given_away.entry(e).or_default().push((given, word == "gives_at"));
            }
            "asks" => {
                let word = t.any_word()?;
                let asks = Asks::ALL.iter().find(|(_, known)| *known == word).map(|(asks, _)| *asks);
                let asks = asks.ok_or_else(|| format!("`{word}` is nothing to ask about a block"))?;
                let address = self.term(t)?;
                self.facts.block_questions.insert(e, BlockQuestion { address, asks });
            }
            "addresses_of" => {
                let object = self.object_of(t.name()?)?;
                let (begin, end) = (self.term(t)?, self.term(t)?);
                self.facts.address_vectors.insert(e, AddressVector { begin, end, object });
            }
            "weak" => {
                self.cfa.weak_inputs.insert(e);
            }
            "assumes" => self.assumes(e, t)?,
            other => return Err(format!("`{other}` is not a note on an edge")),
        }
        Ok(())
    }

    fn op(&mut self, t: &mut Tokens<'_>) -> Parsed<Op> {
        if t.peek() == Some(&Token::Mark('[')) {
            return self.assume(t, AssumeKind::Branch);
        }
        if t.all.get(t.next + 1) == Some(&Token::Word(":=".into())) {
            return self.assignment(t);
        }
        match t.any_word()? {
            "skip" => Ok(Op::Skip),
            "assign" => Ok(Op::Assign(Box::default())),
            "assume" => self.assume(t, AssumeKind::User),
            "guard" => self.assume(t, AssumeKind::Guard),
            "call" => Ok(Op::Call(self.func_named(t)?)),
            "call_indirect" => {
                let target = self.term(t)?;
                let args = self.terms_listed(t)?;
                let varargs = if t.word("varargs") { Some(self.term(t)?) } else { None };
                let result = if t.word("result") { Some(self.var_named(t)?) } else { None };
                let misfits = if t.word("misfits") { listed(t, |t| self.func_named(t))? } else { Vec::new() };
                let (misfits, dispatched) = (misfits.into(), t.word("dispatched"));
                let call = IndirectCall { target, args: args.into(), result, varargs, misfits, dispatched };
                Ok(Op::CallIndirect(Box::new(call)))
            }
            "unsupported" => {
                let reason = t.text()?.into();
                let reads = self.effects(t, "reads")?;
                let writes = self.effects(t, "writes")?;
                let (may_call, may_not_return) = (t.word("may_call"), t.word("may_not_return"));
                Ok(Op::Unsupported(Box::new(Unsupported { reason, reads, writes, may_call, may_not_return })))
            }
            other => Err(format!("`{other}` is not an operation")),
        }
    }

    fn effects(&self, t: &mut Tokens<'_>, word: &str) -> Parsed<Option<Box<[VarId]>>> {
        if !t.word(word) || t.word("*") {
            return Ok(None);
        }
        Ok(Some(self.vars_listed(t)?.into()))
    }

    fn assume(&mut self, t: &mut Tokens<'_>, kind: AssumeKind) -> Parsed<Op> {
        t.expect('[')?;
        let cond = self.term(t)?;
        if self.cfa.terms.sort(cond) != Sort::Bool {
            return Err("a condition must be a Bool".into());
        }
        t.expect(']')?;
        Ok(Op::Assume { cond, kind })
    }

    fn assignment(&mut self, t: &mut Tokens<'_>) -> Parsed<Op> {
        let mut list = Vec::new();
        loop {
            let var = self.var_named(t)?;
            if !t.word(":=") {
                return Err("`:=` is missing".into());
            }
            if list.is_empty() && t.word("?") {
                return Ok(Op::Input { var, kind: input(t)? });
            }
            let value = self.term(t)?;
            let (want, have) = (self.cfa.vars[var].sort, self.cfa.terms.sort(value));
            if want != have {
                return Err(format!("a value of sort {have:?} is assigned to a variable of sort {want:?}"));
            }
            list.push((var, value));
            if !t.mark(',') {
                return Ok(Op::Assign(list.into()));
            }
        }
    }

    fn terms_listed(&mut self, t: &mut Tokens<'_>) -> Parsed<Vec<Term>> {
        listed(t, |t| self.term(t))
    }

    /// The term that applies the operator called `name`.
    fn apply(&mut self, name: &str, args: &[Term]) -> Parsed<Term> {
        let sorts: Vec<Sort> = args.iter().map(|&a| self.cfa.terms.sort(a)).collect();
        let plain = name.strip_suffix(POINTER);
        let (kind, sort) = terms::operator(plain.unwrap_or(name), &sorts)?;
        let is_too_wide = match sort {
            Sort::Bool => false,
            Sort::Bv(width) => width > MAX_WIDTH,
            Sort::Array { index, elem } => index > 64 || elem > MAX_WIDTH,
        };
        if is_too_wide {
            return Err(format!(
                "`{name}` yields more than {MAX_WIDTH} bits, or a memory with addresses of more than 64"
            ));
        }
        let t = terms::make(&mut self.cfa.terms, kind, args, sort);
        if plain.is_some() {
            if !matches!(kind, Kind::Read | Kind::Write) {
                return Err(format!("`{name}`: only reads and writes can be of pointers"));
            }
            self.facts.pointer_accesses.insert(t);
            self.lines.facts.push(self.at);
        }
        Ok(t)
    }

    /// Parses a term, without recursion, since terms may nest deeply.
    fn term(&mut self, t: &mut Tokens<'_>) -> Parsed<Term> {
        enum Open {
            Operator(String, Vec<Term>),
            /// A `let` with its name, and the term that it stands for once that has been parsed.
            Let(String, Option<Term>),
        }
        let mut open: Vec<Open> = Vec::new();
        let mut named: FxHashMap<String, Vec<Term>> = FxHashMap::default();
        loop {
            let done = match t.take()? {
                Token::Mark('(') => {
                    let operator = t.any_word()?;
                    if operator == "let" {
                        open.push(Open::Let(t.any_word()?.into(), None));
                    } else {
                        open.push(Open::Operator(operator.into(), Vec::new()));
                    }
                    continue;
                }
                Token::Mark(')') => match open.pop() {
                    Some(Open::Operator(name, args)) => self.apply(&name, &args)?,
                    _ => return Err("unexpected `)`".into()),
                },
                Token::Word(w) => match named.get(w.as_str()).and_then(|n| n.last()) {
                    Some(&known) => known,
                    None => self.leaf(w)?,
                },
                Token::Name(n) => self.variable(n)?,
                Token::Address(n) => {
                    let o = self.object_of(n)?;
                    self.cfa.terms.addr(o, self.cfa.pointer_bits)
                }
                other => return Err(format!("{other} is not a term")),
            };
            // Pass the finished term to the term that contains it.
            loop {
                match open.last_mut() {
                    None => return Ok(done),
                    Some(Open::Operator(_, args)) => {
                        args.push(done);
                        break;
                    }
                    Some(Open::Let(name, value @ None)) => {
                        *value = Some(done);
                        named.entry(name.clone()).or_default().push(done);
                        break;
                    }
                    Some(Open::Let(name, Some(_))) => {
                        if let Some(list) = named.get_mut(name) {
                            list.pop();
                        }
                        t.expect(')')?;
                        open.pop();
                    }
                }
            }
        }
    }

    fn variable(&mut self, name: &str) -> Parsed<Term> {
        let v = self.var_of(name)?;
        Ok(self.cfa.var_term(v))
    }

    /// Parses a constant or a variable.
    fn leaf(&mut self, word: &str) -> Parsed<Term> {
        match word {
            "true" => return Ok(self.cfa.terms.tt()),
            "false" => return Ok(self.cfa.terms.ff()),
            _ => {}
        }
        if let Some((value, width)) = word.split_once(':') {
            let width: u32 = width.parse().map_err(|_| format!("`{word}` has no width"))?;
            let value: BigUint = value.parse().map_err(|_| format!("`{word}` is not a number"))?;
            if width == 0 || width > MAX_WIDTH || value.bits() > u64::from(width) {
                return Err(format!("`{word}` does not fit its width"));
            }
            return Ok(self.cfa.terms.constant(&Bv::from_big(width, &value)));
        }
        self.variable(word)
    }

    fn finish(mut self) -> Result<(RawCfa, Lines), ParseError> {
        if let Some(entry) = self.entry {
            self.cfa.entry = entry;
        }
        let last = self.locs.keys().max().copied();
        let n = last.map_or(0, |l| l.index() + 1);
        if let Some(last) = last.filter(|_| n - self.locs.len() > MAX_GAPS) {
            let message = format!("{last} is the last location, but there are only {}", self.locs.len());
            return Err(ParseError { line: self.lines.locs[&last] as usize, message });
        }
        for i in 0..n {
            let f = self.locs.get(&LocId::from_index(i)).copied().unwrap_or_default();
            self.cfa.add_loc(f);
        }
        for (from, to, op, span) in self.edges {
            self.cfa.add_edge(from, to, op, span);
        }
        Ok((RawCfa { cfa: self.cfa, facts: self.facts }, self.lines))
    }
}

fn input(t: &mut Tokens<'_>) -> Parsed<InputKind> {
    Ok(match t.any_word()? {
        "program" => InputKind::Program(t.text()?.into()),
        "external" => InputKind::External(t.text()?.into()),
        "library" => InputKind::Library(t.text()?.into()),
        "approximate" => InputKind::Approximate(t.text()?.into()),
        "uninitialised" => InputKind::Uninitialised,
        "undefined" => InputKind::Undefined,
        "layout" => InputKind::Layout,
        other => return Err(format!("`{other}` is not a kind of input")),
    })
}

fn sort(word: &str) -> Parsed<Sort> {
    let bad = || format!("`{word}` is not a sort");
    if word == "bool" {
        return Ok(Sort::Bool);
    }
    let width = |w: &str| w.parse().ok().filter(|w| (1..=MAX_WIDTH).contains(w));
    if let Some(w) = word.strip_prefix("bv") {
        return width(w).map(Sort::Bv).ok_or_else(bad);
    }
    let (index, elem) = word.strip_prefix("mem").and_then(|m| m.split_once('x')).ok_or_else(bad)?;
    match (width(index), width(elem)) {
        (Some(index), Some(elem)) if index <= 64 && elem % 8 == 0 => Ok(Sort::Array { index, elem }),
        _ => Err(bad()),
    }
}
