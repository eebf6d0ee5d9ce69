//! Small programs as text, for tests of analyses: C with integers and arrays of them, but without pointers.
//!
//! ```text
//! program    = { function | statement }                  the statements are those of `main`
//! function   = NAME "(" ")" "{" { statement } "}"
//! statement  = TYPE NAME [ "=" value ] ";"                global in `main`, else a local variable
//!            | TYPE NAME "[" "]" ";"                      an array of any length, with arbitrary elements
//!            | NAME "=" value ";"                         of an array: all elements of another one
//!            | NAME "[" expression "]" "=" expression ";"
//!            | "if" "(" condition ")" statement [ "else" statement ]
//!            | "while" "(" condition ")" statement
//!            | "assume" "(" condition ")" ";"
//!            | "error" "(" ")" ";"                        a target
//!            | NAME "(" ")" ";"                           a call
//!            | "return" ";" | "{" { statement } "}" | ";"
//! value      = "input" "(" ")" | expression               `input()` is any value
//! condition  = "*" | value                               `*` goes both ways
//! TYPE       = "int" | "iN" | "uN"                        N bits, signed or unsigned
//! ```
//!
//! Expressions have elements of arrays, and C's operators on integers and their precedence, without assignments, `?:` and casts. A comparison, division or
//! shift to the right is unsigned if one operand is; operands have the same width, and a number that of the other operand.
//! Edges have the lines of their statements as positions.

use cfa::bv::{Bv, BvCmp, BvOp};
use cfa::{AssumeKind, Cfa, EdgeId, FuncId, InputKind, LocId, Op, Scope, Sort, Span, Term, VarId};
use std::collections::HashMap;

/// The control-flow automaton of a program.
///
/// # Panics
/// If the text is not a program; the message names the line.
pub fn program(text: &str) -> Cfa {
    let mut cfa = Cfa::new(64);
    cfa.files.push("text".into());
    let main = cfa.add_func("main", Span::default());
    cfa.entry = main;
    let at = cfa.funcs[main].entry;
    let functions = HashMap::from([("main".to_string(), main)]);
    let mut reader =
        Reader { tokens: tokens(text), next: 0, cfa, func: main, at: Some(at), functions, variables: HashMap::new() };
    while reader.next < reader.tokens.len() {
        reader.item();
    }
    reader.leave();
    reader.cfa
}

/// A word, a number or an operator, and its line.
type Token = (String, u32);

fn tokens(text: &str) -> Vec<Token> {
    const OPERATORS: [&str; 8] = ["||", "&&", "==", "!=", "<=", ">=", "<<", ">>"];
    let mut all = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let mut rest = text.split("//").next().unwrap_or("").trim_start();
        while !rest.is_empty() {
            let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let length = if word > 0 { word } else { 1 + usize::from(OPERATORS.iter().any(|op| rest.starts_with(op))) };
            all.push((rest[..length].to_string(), line));
            rest = rest[length..].trim_start();
        }
    }
    all
}

#[derive(Clone, Copy)]
struct Variable {
    id: VarId,
    signed: bool,
}

/// The meaning of an expression.
#[derive(Clone, Copy)]
enum Value {
    /// A number whose width its context decides.
    Number(i64),
    Word {
        term: Term,
        signed: bool,
    },
    Condition(Term),
}

/// The width of addresses of elements.
const INDEX_BITS: u32 = 64;

struct Reader {
    tokens: Vec<Token>,
    next: usize,
    cfa: Cfa,
    func: FuncId,
    /// Where the next edge begins; `None` after a target or the end of a function.
    at: Option<LocId>,
    functions: HashMap<String, FuncId>,
    variables: HashMap<String, Variable>,
}

/// Binary operators, those that bind weakest first.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Reader {
    fn line(&self) -> u32 {
        self.tokens.get(self.next).or(self.tokens.last()).map_or(0, |t| t.1)
    }

    fn wrong(&self, what: &str) -> ! {
        panic!("line {}: {what} at '{}'", self.line(), self.peek(0))
    }

    fn peek(&self, ahead: usize) -> &str {
        self.tokens.get(self.next + ahead).map_or("", |t| &t.0)
    }

    fn take(&mut self) -> String {
        self.next += 1;
        self.tokens.get(self.next - 1).map_or_else(String::new, |t| t.0.clone())
    }

    /// Takes `token` if it is next.
    fn has(&mut self, token: &str) -> bool {
        let found = self.peek(0) == token;
        self.next += usize::from(found);
        found
    }

    fn need(&mut self, all: &[&str]) {
        for token in all {
            if !self.has(token) {
                self.wrong(&format!("'{token}' is missing"));
            }
        }
    }

    fn here(&mut self) -> LocId {
        let func = self.func;
        // Statements after the end are read, too, but no edge leads to them.
        *self.at.get_or_insert_with(|| self.cfa.add_loc(func))
    }

    fn edge(&mut self, from: LocId, to: LocId, op: Op) -> EdgeId {
        let line = self.line();
        self.cfa.add_edge(from, to, op, Span { file: 0, line, column: 1 })
    }

    /// An edge to a new location.
    fn step(&mut self, op: Op) {
        let (from, to) = (self.here(), self.cfa.add_loc(self.func));
        self.edge(from, to, op);
        self.at = Some(to);
    }

    /// Ends the function here, if something leads here.
    fn leave(&mut self) {
        if let Some(from) = self.at.take() {
            let exit = self.cfa.funcs[self.func].exit;
            self.edge(from, exit, Op::Skip);
        }
    }

    fn item(&mut self) {
        if [self.peek(1), self.peek(2), self.peek(3)] != ["(", ")", "{"] {
            return self.statement();
        }
        let name = self.take();
        self.next += 2;
        let func = self.function(name);
        let outer = (std::mem::replace(&mut self.func, func), self.at, self.variables.clone());
        self.at = Some(self.cfa.funcs[func].entry);
        self.statement();
        self.leave();
        (self.func, self.at, self.variables) = outer;
    }

    fn function(&mut self, name: String) -> FuncId {
        *self.functions.entry(name).or_insert_with_key(|name| self.cfa.add_func(name, Span::default()))
    }

    fn statement(&mut self) {
        let word = self.take();
        match (&word[..], self.peek(0)) {
            (";", _) => {}
            ("{", _) => {
                while !self.has("}") {
                    self.statement();
                }
            }
            ("if", _) => self.branch(),
            ("while", _) => {
                self.step(Op::Skip);
                let head = self.here();
                let (yes, no) = self.condition();
                self.at = Some(yes);
                self.statement();
                if let Some(end) = self.at {
                    self.edge(end, head, Op::Skip);
                }
                self.at = Some(no);
            }
            ("assume", _) => {
                self.need(&["("]);
                let value = self.expression(0);
                let cond = self.truth(value);
                self.step(Op::Assume { cond, kind: AssumeKind::User });
                self.need(&[")", ";"]);
            }
            ("error", _) => {
                let here = self.here();
                self.cfa.targets.push(here);
                self.need(&["(", ")", ";"]);
                self.at = None;
            }
            ("return", _) => {
                self.need(&[";"]);
                self.leave();
            }
            (_, "(") => {
                self.need(&["(", ")", ";"]);
                let callee = self.function(word);
                self.step(Op::Call(callee));
            }
            (_, "=") => self.assign(&word),
            (_, "[") => self.assign_element(&word),
            _ => {
                let name = self.declare(&word);
                if self.peek(0) == "=" { self.assign(&name) } else { self.need(&[";"]) }
            }
        }
    }

    fn declare(&mut self, ty: &str) -> String {
        let width = if ty == "int" { Some(32) } else { ty.get(1..).and_then(|bits| bits.parse().ok()) };
        let Some(width) = width.filter(|_| ty.starts_with(['i', 'u'])) else {
            self.wrong(&format!("'{ty}' is no type"))
        };
        let name = self.take();
        let scope = if self.func == self.cfa.entry { Scope::Global } else { Scope::Local(self.func) };
        let is_array = self.has("[");
        if is_array {
            self.need(&["]"]);
        }
        let sort = if is_array { Sort::Array { index: INDEX_BITS, elem: width } } else { Sort::Bv(width) };
        let id = self.cfa.add_var(&*name, sort, scope);
        self.variables.insert(name.clone(), Variable { id, signed: ty.starts_with('i') });
        name
    }

    fn assign(&mut self, name: &str) {
        let var = self.variable(name);
        self.need(&["="]);
        if self.peek(0) == "input" {
            self.need(&["input", "(", ")", ";"]);
            return self.step(input(var.id));
        }
        let term = match self.cfa.vars[var.id].sort {
            Sort::Array { .. } => {
                let other = self.take();
                let other = self.variable(&other);
                self.cfa.var_term(other.id)
            }
            sort => {
                let value = self.expression(0);
                self.word(value, sort.width())
            }
        };
        self.step(Op::assign(var.id, term));
        self.need(&[";"]);
    }

    fn assign_element(&mut self, name: &str) {
        let (var, address) = self.element(name);
        self.need(&["="]);
        let value = self.expression(0);
        let value = self.word(value, self.element_width(var));
        let memory = self.cfa.var_term(var.id);
        let term = self.cfa.terms.write(memory, address, value);
        self.step(Op::assign(var.id, term));
        self.need(&[";"]);
    }

    /// The array called `name`, and the address of the element whose index in brackets follows.
    fn element(&mut self, name: &str) -> (Variable, Term) {
        let var = self.variable(name);
        self.need(&["["]);
        let index = self.expression(0);
        self.need(&["]"]);
        let bytes = u64::from(self.element_width(var) / 8);
        let terms = &mut self.cfa.terms;
        let index = match index {
            Value::Word { term, signed: true } => terms.sext(INDEX_BITS, term),
            Value::Word { term, signed: false } => terms.zext(INDEX_BITS, term),
            Value::Number(k) => terms.int(INDEX_BITS, k as u64),
            Value::Condition(_) => self.wrong("an index is wanted"),
        };
        let bytes = terms.int(INDEX_BITS, bytes);
        (var, terms.bv_op(BvOp::Mul, index, bytes))
    }

    fn element_width(&self, array: Variable) -> u32 {
        match self.cfa.vars[array.id].sort {
            Sort::Array { elem, .. } => elem,
            _ => self.wrong("an array is wanted"),
        }
    }

    fn variable(&self, name: &str) -> Variable {
        self.variables.get(name).copied().unwrap_or_else(|| self.wrong(&format!("'{name}' is no variable")))
    }

    fn branch(&mut self) {
        let (yes, no) = self.condition();
        self.at = Some(yes);
        self.statement();
        let first = self.at.replace(no);
        if self.has("else") {
            self.statement();
        }
        match (first, self.at) {
            (Some(end), Some(join)) => {
                self.edge(end, join, Op::Skip);
            }
            (end, None) => self.at = end,
            (None, Some(_)) => {}
        }
    }

    /// Reads a condition in parentheses. Returns the locations at which it holds and at which it does not.
    fn condition(&mut self) -> (LocId, LocId) {
        self.need(&["("]);
        let holds = if self.has("*") {
            None
        } else if self.peek(0) == "input" {
            self.need(&["input", "(", ")"]);
            let var = self.cfa.add_var("input", Sort::Bv(1), Scope::Local(self.func));
            self.step(input(var));
            let bit = self.cfa.var_term(var);
            Some(self.cfa.terms.nonzero(bit))
        } else {
            let value = self.expression(0);
            Some(self.truth(value))
        };
        let (from, yes, no) = (self.here(), self.cfa.add_loc(self.func), self.cfa.add_loc(self.func));
        let ops = match holds {
            Some(cond) => [Op::branch(cond), Op::branch(self.cfa.terms.not(cond))],
            None => [Op::Skip, Op::Skip],
        };
        for (to, op) in [yes, no].into_iter().zip(ops) {
            self.edge(from, to, op);
        }
        self.need(&[")"]);
        (yes, no)
    }

    fn expression(&mut self, level: usize) -> Value {
        let Some(operators) = LEVELS.get(level) else { return self.operand() };
        let mut value = self.expression(level + 1);
        while operators.contains(&self.peek(0)) {
            let operator = self.take();
            let right = self.expression(level + 1);
            value = self.operation(&operator, value, right);
        }
        value
    }

    fn operand(&mut self) -> Value {
        let token = self.take();
        match &token[..] {
            "(" => {
                let value = self.expression(0);
                self.need(&[")"]);
                value
            }
            "!" => {
                let value = self.operand();
                let cond = self.truth(value);
                Value::Condition(self.cfa.terms.not(cond))
            }
            "-" => match self.operand() {
                Value::Number(k) => Value::Number(-k),
                Value::Word { term, signed } => Value::Word { term: self.cfa.terms.bv_neg(term), signed },
                Value::Condition(_) => self.wrong("a number is wanted"),
            },
            "~" => match self.operand() {
                Value::Word { term, signed } => Value::Word { term: self.cfa.terms.bv_not(term), signed },
                _ => self.wrong("a variable is wanted"),
            },
            number if number.starts_with(|c: char| c.is_ascii_digit()) => {
                Value::Number(number.parse().unwrap_or_else(|_| self.wrong("no number")))
            }
            name if self.peek(0) == "[" => {
                let (array, address) = self.element(name);
                let (memory, width) = (self.cfa.var_term(array.id), self.element_width(array));
                Value::Word { term: self.cfa.terms.read(memory, address, width), signed: array.signed }
            }
            name => {
                let Variable { id, signed } = self.variable(name);
                Value::Word { term: self.cfa.var_term(id), signed }
            }
        }
    }

    fn operation(&mut self, operator: &str, left: Value, right: Value) -> Value {
        if matches!(operator, "||" | "&&") {
            let (a, b) = (self.truth(left), self.truth(right));
            let terms = &mut self.cfa.terms;
            return Value::Condition(if operator == "&&" { terms.and(a, b) } else { terms.or(a, b) });
        }
        let signed = [left, right].iter().all(|v| !matches!(v, Value::Word { signed: false, .. }));
        let width = [left, right].into_iter().find_map(|v| match v {
            Value::Word { term, .. } => Some(self.cfa.terms.width(term)),
            _ => None,
        });
        let width = width.unwrap_or(32);
        let (a, b) = (self.word(left, width), self.word(right, width));
        let terms = &mut self.cfa.terms;
        let (less, at_most) = if signed { (BvCmp::Slt, BvCmp::Sle) } else { (BvCmp::Ult, BvCmp::Ule) };
        let condition = match operator {
            "==" => terms.eq(a, b),
            "!=" => {
                let same = terms.eq(a, b);
                terms.not(same)
            }
            "<" => terms.cmp(less, a, b),
            "<=" => terms.cmp(at_most, a, b),
            ">" => terms.cmp(less, b, a),
            ">=" => terms.cmp(at_most, b, a),
            _ => {
                let op = match (operator, signed) {
                    ("|", _) => BvOp::Or,
                    ("^", _) => BvOp::Xor,
                    ("&", _) => BvOp::And,
                    ("<<", _) => BvOp::Shl,
                    (">>", true) => BvOp::Ashr,
                    (">>", false) => BvOp::Lshr,
                    ("+", _) => BvOp::Add,
                    ("-", _) => BvOp::Sub,
                    ("*", _) => BvOp::Mul,
                    ("/", true) => BvOp::Sdiv,
                    ("/", false) => BvOp::Udiv,
                    (_, true) => BvOp::Srem,
                    (_, false) => BvOp::Urem,
                };
                return Value::Word { term: terms.bv_op(op, a, b), signed };
            }
        };
        Value::Condition(condition)
    }

    /// The value as a number of `width` bits.
    fn word(&mut self, value: Value, width: u32) -> Term {
        match value {
            Value::Number(k) => self.cfa.terms.constant(&Bv::from_i64(width, k)),
            Value::Word { term, .. } if self.cfa.terms.width(term) == width => term,
            Value::Word { .. } => self.wrong(&format!("{width} bits are wanted")),
            Value::Condition(cond) => {
                let (one, zero) = (self.cfa.terms.int(width, 1), self.cfa.terms.int(width, 0));
                self.cfa.terms.ite(cond, one, zero)
            }
        }
    }

    /// Whether the value is not zero.
    fn truth(&mut self, value: Value) -> Term {
        match value {
            Value::Condition(cond) => cond,
            Value::Number(k) => {
                if k != 0 {
                    self.cfa.terms.tt()
                } else {
                    self.cfa.terms.ff()
                }
            }
            Value::Word { term, .. } => self.cfa.terms.nonzero(term),
        }
    }
}

fn input(var: VarId) -> Op {
    Op::Input { var, kind: InputKind::Program("input".into()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfa::eval::Value as Concrete;
    use cfa::interpret::{End, RunLimits, run};
    use rustc_hash::FxHashMap;

    /// How a program ends if all its inputs are zero.
    fn end(text: &str) -> End {
        let limits = RunLimits { steps: 10_000, deadline: None };
        run(&program(text), &mut FxHashMap::<EdgeId, Vec<Concrete>>::default(), limits, &mut |_, _| {}).end
    }

    #[test]
    fn programs_do_what_they_say() {
        for (text, reached) in [
            ("int x = 3; if (x * 2 + 1 == 7) error();", true),
            ("u8 x = 255; x = x + 1; if (x != 0) error();", false),
            ("i8 x = 127; x = x + 1; if (x < 0) error();", true),
            ("u8 x = 200; if (x > 100 && !(x / 2 != 100)) error();", true),
            ("int x = 0; while (x < 10) { x = x + 1; if (x == 5) return; } error();", false),
            ("int x = -7; if (x % 4 == -3 && x >> 1 == -4 && ~x == 6) error(); else x = 1;", true),
            ("int g = 1; f(); if (g == 4) error(); f() { int l = g; g = l + 3; }", true),
            ("int x = input(); assume(x == 1); error();", false),
            ("if (input()) error();", false),
        ] {
            assert_eq!(matches!(end(text), End::Target(_)), reached, "{text}: {:?}", end(text));
        }
    }

    #[test]
    #[should_panic(expected = "line 2: 'y' is no variable at ';'")]
    fn mistakes_are_named() {
        program("int x = 1;\nx = y;");
    }
}
