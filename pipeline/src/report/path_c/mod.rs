//! The path of a counterexample as a C program: inputs are constants, and each branch is a condition that must hold.
//!
//! The program is the straight line of the automaton's operations along the replayed execution, with calls inlined and everything left out
//! on which no condition depends. It ends by `abort()` where the property is violated, if all conditions hold, and otherwise with status 1
//! where one does not. So a compiler and a processor repeat what the interpreter has found. It is about the automaton: variables have the
//! widths of bit-vectors, and memory is a table of bytes. What C cannot express (floats of other formats than `float`, `double` and x86's
//! `long double`, numbers of more than 128 bits) is a constant, the value that it had in the replayed execution, and a comment says so.

mod expression;
mod runtime;
mod statements;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::time::Instant;

use cfa::bv::Bv;
use cfa::eval::{ArrayValue, Value};
use cfa::term::Kind;
use cfa::{Cfa, InputKind, Op, Sort, Term, VarId};
use verifier::evidence::replay::Counterexample;

use crate::report::Place;
use crate::report::counterexample::{format_of, place, value_text};
use crate::report::excerpt::Sources;
use expression::{Writer, c_type, chain, is_expressible};
use statements::{Instance, Statement, Step, statements};

/// The program's name in the output directory.
pub const FILE: &str = "path.c";

/// Maximum number of statements of a program.
const MAX_STATEMENTS: usize = 20_000;
/// Maximum number of cells that are set one by one where memory has arbitrary contents.
const MAX_CELLS: usize = 4096;

/// A path as a program.
pub struct PathProgram {
    /// The program.
    pub text: String,
    /// The number of statements that C cannot express, and which are constants.
    pub constants: usize,
}

/// The path to `what`, which happens at `end`. The error is the reason why there is no program, in words.
pub fn program(
    cfa: &Cfa,
    found: &Counterexample,
    what: &str,
    end: &Place,
    deadline: Option<Instant>,
) -> Result<PathProgram, String> {
    let steps = statements(cfa, found, &|t| is_expressible(cfa, t) || is_memory(cfa, t), deadline)?;
    if steps.len() > MAX_STATEMENTS {
        return Err(format!("it has {} statements, more than {MAX_STATEMENTS}", steps.len()));
    }
    let mut out = Program::of(cfa);
    let mut sources = Sources::default();
    let mut last = Place::default();
    for step in &steps {
        let here = place(cfa, step.edge);
        if !here.is_same_line(&last) {
            out.comment(&here, &mut sources);
            last = here;
        }
        out.step(step)?;
    }
    let message = format!("{what} at {end}");
    if !end.is_same_line(&last) {
        out.comment(end, &mut sources);
    }
    Ok(PathProgram { text: out.text(&message), constants: out.constants })
}

fn is_memory(cfa: &Cfa, t: Term) -> bool {
    matches!(cfa.terms.sort(t), Sort::Array { .. })
}

/// A program that is being written.
struct Program<'a> {
    cfa: &'a Cfa,
    names: Names,
    /// The definitions that it uses.
    used: BTreeSet<&'static str>,
    /// The names of variables, with a definition for those that are read before they are set.
    variables: HashMap<Instance, String>,
    memories: BTreeMap<String, Sort>,
    /// Variables that have no value yet where they are first read.
    zeros: Vec<String>,
    body: String,
    constants: usize,
}

impl<'a> Program<'a> {
    fn of(cfa: &'a Cfa) -> Program<'a> {
        Program {
            cfa,
            names: Names::default(),
            used: BTreeSet::new(),
            variables: HashMap::new(),
            memories: BTreeMap::new(),
            zeros: Vec::new(),
            body: String::new(),
            constants: 0,
        }
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.body, "    {text}");
    }

    /// The line of the source from which the next statements come.
    fn comment(&mut self, at: &Place, sources: &mut Sources) {
        let text = sources.line(at).unwrap_or_else(|| format!("in {}()", at.function));
        // Nothing may continue a comment on the next line.
        let text = format!("{at}: {text}").replace("??", "? ?");
        let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let text = text.trim_end_matches(|c: char| c == '\\' || c.is_whitespace());
        let _ = writeln!(self.body, "\n    // {text}");
    }

    fn step(&mut self, step: &Step) -> Result<(), String> {
        match &step.statement {
            Statement::Assume(cond) => {
                let at = quoted(&place(self.cfa, step.edge).to_string());
                if !is_expressible(self.cfa, *cond) {
                    self.constants += 1;
                    self.line("// A condition that C cannot express holds here.");
                    return Ok(());
                }
                let text = self.expression(step, *cond);
                self.line(&format!("assume({text}, {at});"));
            }
            Statement::Input(to, value) => self.input(step, *to, value)?,
            Statement::Assign(list) => self.assign(step, list)?,
        }
        Ok(())
    }

    fn assign(&mut self, step: &Step, list: &[(Instance, Term, Option<Value>)]) -> Result<(), String> {
        if let [(to, t, value)] = list {
            if is_memory(self.cfa, *t) {
                return self.memory(step, *to, *t);
            }
            let text = self.value(step, *t, value.as_ref());
            self.set(*to, &text);
            return Ok(());
        }
        // All are computed before any is set.
        let mut computed = Vec::new();
        for (to, t, value) in list {
            if is_memory(self.cfa, *t) {
                return Err("memories are assigned together with other variables".into());
            }
            let text = self.value(step, *t, value.as_ref());
            let name = self.names.fresh("t");
            let c_type = self.type_of(*to);
            self.line(&format!("const {c_type} {name} = {text};"));
            computed.push((*to, name));
        }
        computed.into_iter().for_each(|(to, name)| self.set(to, &name));
        Ok(())
    }

    fn type_of(&mut self, (v, _): Instance) -> &'static str {
        let c_type = c_type(self.cfa.vars[v].sort);
        if c_type == "u128" {
            self.used.insert("u128");
        }
        c_type
    }

    /// The value of a term, or what it was.
    fn value(&mut self, step: &Step, t: Term, was: Option<&Value>) -> String {
        match was {
            Some(was) if !is_expressible(self.cfa, t) => {
                self.constants += 1;
                self.line("// C cannot express how this is computed: the value in the replayed execution.");
                self.constant(was)
            }
            _ => self.expression(step, t),
        }
    }

    fn constant(&mut self, value: &Value) -> String {
        let nothing = |_: VarId| String::new();
        let mut fresh = String::new;
        let mut writer = Writer::new(self.cfa, &nothing, &mut fresh, &mut self.used);
        match value {
            Value::Bv(bits) => writer.constant(bits).alone(),
            Value::Bool(b) => b.to_string(),
            Value::Array(_) => "0".into(),
        }
    }

    fn expression(&mut self, step: &Step, t: Term) -> String {
        self.written(step, &[t], |writer| writer.term(t).alone())
    }

    /// What `write` writes, after the lines that it needs before it.
    fn written<T>(&mut self, step: &Step, reads: &[Term], write: impl FnOnce(&mut Writer<'_>) -> T) -> T {
        let variables: Vec<VarId> = reads.iter().flat_map(|t| self.cfa.terms.vars(*t)).collect();
        let names: HashMap<VarId, String> =
            variables.into_iter().map(|v| (v, self.read(step.read(self.cfa, v)))).collect();
        let name = |v: VarId| names.get(&v).cloned().unwrap_or_default();
        let mut fresh = || self.names.fresh("t");
        let mut writer = Writer::new(self.cfa, &name, &mut fresh, &mut self.used);
        let text = write(&mut writer);
        for line in writer.before {
            let _ = writeln!(self.body, "    {line}");
        }
        text
    }

    /// The name of a variable that is read.
    fn read(&mut self, instance: Instance) -> String {
        if let Some(name) = self.variables.get(&instance) {
            return name.clone();
        }
        let name = self.named(instance);
        if !matches!(self.cfa.vars[instance.0].sort, Sort::Array { .. }) {
            let c_type = self.type_of(instance);
            self.zeros.push(format!("{c_type} {name} = 0;"));
        }
        name
    }

    /// Sets a variable, and defines it where it is first set.
    fn set(&mut self, instance: Instance, text: &str) {
        match self.variables.get(&instance).cloned() {
            Some(name) => self.line(&format!("{name} = {text};")),
            None => {
                let (c_type, name) = (self.type_of(instance), self.named(instance));
                self.line(&format!("{c_type} {name} = {text};"));
            }
        }
    }

    /// A name for a variable that has none yet.
    fn named(&mut self, instance: Instance) -> String {
        let var = &self.cfa.vars[instance.0];
        let name = match &var.source {
            Some(source) => source.name.as_str(),
            None => var.name.rsplit("::").next().unwrap_or(&var.name),
        };
        let name = self.names.fresh(name);
        if let Sort::Array { .. } = var.sort {
            self.used.insert("memory");
            self.memories.insert(name.clone(), var.sort);
        }
        self.variables.insert(instance, name.clone());
        name
    }

    fn input(&mut self, step: &Step, to: Instance, value: &Value) -> Result<(), String> {
        if let Value::Array(contents) = value {
            return self.contents(to, contents);
        }
        let text = self.constant(value);
        self.set(to, &text);
        if let Op::Input { kind: InputKind::Program(function) | InputKind::External(function), .. } =
            &self.cfa.edges[step.edge].op
        {
            let shown = value_text(value, format_of(function, value.sort())).unwrap_or_default();
            let function: String = function.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
            self.body.truncate(self.body.trim_end().len());
            let _ = writeln!(self.body, " // {function}() yields {shown}");
        }
        Ok(())
    }

    /// Arbitrary contents of a memory.
    fn contents(&mut self, to: Instance, contents: &ArrayValue) -> Result<(), String> {
        let cells = contents.cells();
        let [(_, background)] = contents.background() else {
            return Err("memory is filled in pieces".into());
        };
        if cells.len() > MAX_CELLS || contents.elem_bits() > 64 {
            return Err(format!("{} cells of memory have arbitrary values", cells.len()));
        }
        let memory = self.read(to);
        let number = |value: &Bv| value.to_u64().unwrap_or(0);
        self.used.insert("fill");
        self.line(&format!("fill(&{memory}, {}u);", number(background)));
        for (address, value) in &cells {
            self.used.insert("put");
            self.line(&format!("put(&{memory}, {address:#x}ull, {:#x}u);", number(value)));
        }
        Ok(())
    }

    /// Changes a memory.
    fn memory(&mut self, step: &Step, to: Instance, t: Term) -> Result<(), String> {
        let (base, mut changes) = chain(&self.cfa.terms, t);
        changes.reverse();
        let memory = self.read(to);
        let terms = &self.cfa.terms;
        let kept = matches!(terms.kind(base), Kind::Var(v) if step.read(self.cfa, v) == to);
        // With several changes, operands are computed before the first one.
        let is_alone = kept && changes.len() == 1;
        let mut lines: Vec<String> = Vec::new();
        if !kept {
            lines.push(self.whole(step, &memory, base)?);
        }
        for change in changes {
            let args: Vec<Term> = terms.args(change).to_vec();
            let operands: Vec<Term> = args[1..].iter().copied().filter(|a| !is_memory(self.cfa, *a)).collect();
            if !operands.iter().all(|a| is_expressible(self.cfa, *a)) {
                return Err("C cannot express what is written to memory".into());
            }
            let texts = self.written(step, &operands, |writer| -> Vec<String> {
                operands.iter().map(|a| if is_alone { writer.term(*a).alone() } else { writer.value(*a) }).collect()
            });
            lines.push(match (terms.kind(change), &texts[..]) {
                (Kind::Write, [at, value]) => {
                    self.used.insert("store");
                    format!("store(&{memory}, {at}, {value}, {});", terms.width(args[2]))
                }
                (Kind::Copy, [at, from, bytes]) => {
                    self.copied(step, [&memory, at, from, bytes], args[2], to, is_alone)?
                }
                _ => return Err("memory changes in a way that C cannot express".into()),
            });
        }
        lines.iter().for_each(|line| self.line(line));
        Ok(())
    }

    /// Copies a range of bytes of the memory `source`, or its value if all its cells have the same.
    fn copied(
        &mut self,
        step: &Step,
        [memory, at, from, bytes]: [&String; 4],
        source: Term,
        to: Instance,
        is_alone: bool,
    ) -> Result<String, String> {
        self.used.insert("copy");
        match self.cfa.terms.kind(source) {
            Kind::Var(v) if is_alone || step.read(self.cfa, v) != to => {
                let source = self.read(step.read(self.cfa, v));
                Ok(format!("copy(&{memory}, {at}, &{source}, {from}, {bytes});"))
            }
            Kind::ConstArray if is_expressible(self.cfa, self.cfa.terms.args(source)[0]) => {
                let value = self.cfa.terms.args(source)[0];
                let value = self.written(step, &[value], |writer| writer.value(value));
                self.used.insert("memory");
                Ok(format!("copy(&{memory}, {at}, &(struct memory){{.background = {value}}}, 0, {bytes});"))
            }
            _ => Err("memory is copied in a way that C cannot express".into()),
        }
    }

    /// Gives a memory other contents as a whole.
    fn whole(&mut self, step: &Step, memory: &str, base: Term) -> Result<String, String> {
        match self.cfa.terms.kind(base) {
            Kind::ConstArray if is_expressible(self.cfa, self.cfa.terms.args(base)[0]) => {
                let value = self.cfa.terms.args(base)[0];
                let value = self.written(step, &[value], |writer| writer.value(value));
                self.used.insert("fill");
                Ok(format!("fill(&{memory}, {value});"))
            }
            _ => Err("memories are assigned as a whole".into()),
        }
    }

    /// The whole program; `message` says what happens in the end.
    fn text(&self, message: &str) -> String {
        let mut text = String::from(HEAD);
        text.push_str(&runtime::definitions(&self.used));
        for (name, sort) in &self.memories {
            if let Sort::Array { index, elem } = sort {
                let last = u64::MAX >> (64 - (*index).clamp(1, 64));
                let _ = writeln!(
                    text,
                    "static struct memory {name} = {{.cell_bits = {elem}, .last_address = {last:#x}ull}};"
                );
            }
        }
        let has_conditions = self.body.contains("assume(");
        if has_conditions {
            text.push_str(ASSUME);
        }
        text.push_str("int main(void) {\n");
        for zero in &self.zeros {
            let _ = writeln!(text, "    {zero}");
        }
        text.push_str(self.body.strip_prefix('\n').filter(|_| self.zeros.is_empty()).unwrap_or(&self.body));
        let _ = writeln!(text, "    fputs({}, stderr);\n    abort();\n}}", quoted(&format!("{message}\n")));
        text
    }
}

const HEAD: &str = "\
/* The path of a counterexample that kerf has found, with its inputs as constants.
 *
 *     clang -o path path.c -lm && ./path
 *
 * ends by abort() if the path is feasible, and with the status 1 at a condition that does not hold.
 * Each number is held in an unsigned type of at least its width, whose other bits are zero. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF
#ifdef __clang__
/* The program's conditions are written as they are, also where they always hold. */
#pragma clang diagnostic ignored \"-Wtautological-compare\"
#endif

";

const ASSUME: &str = "\
static void assume(bool holds, const char *place) {
    if (holds) return;
    fprintf(stderr, \"the path is infeasible: the condition at %s does not hold\\n\", place);
    exit(1);
}

";

/// A string literal of C.
fn quoted(text: &str) -> String {
    let mut literal = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' | '?' => literal.extend(['\\', c]),
            '\n' => literal.push_str("\\n"),
            c if c.is_control() => literal.push(' '),
            c => literal.push(c),
        }
    }
    literal + "\""
}

/// Names of C, each given once.
#[derive(Default)]
struct Names {
    given: HashMap<String, u32>,
}

/// Words that mean something where variables are used, besides the names of definitions.
const RESERVED: [&str; 71] = [
    "abort",
    "alignas",
    "alignof",
    "asm",
    "assume",
    "auto",
    "bool",
    "break",
    "case",
    "ceil",
    "cell",
    "char",
    "const",
    "constexpr",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "errno",
    "exit",
    "extern",
    "false",
    "float",
    "floor",
    "fma",
    "fmod",
    "for",
    "fprintf",
    "fputs",
    "goto",
    "if",
    "inline",
    "int",
    "linux",
    "long",
    "main",
    "nullptr",
    "register",
    "restrict",
    "return",
    "rint",
    "round",
    "short",
    "signed",
    "size_t",
    "sizeof",
    "sqrt",
    "static",
    "static_assert",
    "stderr",
    "stdin",
    "stdout",
    "struct",
    "switch",
    "true",
    "trunc",
    "typedef",
    "typeof",
    "uint32_t",
    "uint64_t",
    "union",
    "unix",
    "unsigned",
    "void",
    "volatile",
    "while",
    "int32_t",
    "int64_t",
    "thread_local",
];

fn is_reserved(name: &str) -> bool {
    let known = |name: &str| RESERVED.contains(&name) || runtime::defines(name);
    // Functions on floats have a letter for their type; words of capitals may be macros.
    known(name)
        || name.strip_suffix(['f', 'l']).is_some_and(known)
        || !name.starts_with(|c: char| c.is_ascii_alphabetic())
        || name.len() > 1 && !name.contains(|c: char| c.is_ascii_lowercase())
}

impl Names {
    /// A name like `wanted` that is not given yet.
    fn fresh(&mut self, wanted: &str) -> String {
        let name: String = wanted.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let name = name.trim_matches('_');
        let name = if is_reserved(name) { format!("v_{name}") } else { name.to_string() };
        match self.given.insert(name.clone(), 1) {
            None => name,
            Some(n) => {
                self.given.insert(name.clone(), n);
                self.numbered(&name)
            }
        }
    }

    fn numbered(&mut self, name: &str) -> String {
        loop {
            let n = self.given.entry(name.to_string()).or_insert(1);
            let numbered = format!("{name}_{n}");
            *n += 1;
            if !self.given.contains_key(&numbered) {
                self.given.insert(numbered.clone(), 1);
                return numbered;
            }
        }
    }
}
