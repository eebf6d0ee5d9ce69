//! Random small C programs without undefined behaviour.
//!
//! A program computes a checksum in a function `run` and calls the target if it equals a given number. All arithmetic that could
//! overflow is done in unsigned types, indices are masked, divisions guarded, loops and recursion bounded, everything is initialised. (The
//! native run has sanitizers on, which discards what slips through.) Identifiers begin with `@`, so that several programs fit
//! into one file under different prefixes.

use crate::random::Random;
use std::fmt::Write;

/// What a program takes from its environment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inputs {
    /// Nothing: there is one execution.
    None,
    /// One value of four bits: there are 16 executions.
    Nibble,
    /// Values of any type, anywhere.
    Free,
}

/// A generated program.
#[derive(Clone, Debug)]
pub struct Program {
    /// What it was made from.
    pub seed: u64,
    /// What it takes.
    pub inputs: Inputs,
    /// Declarations and the function `unsigned @run(void)`.
    body: String,
}

/// The functions that give inputs, with their C types.
pub const INPUT_FUNCTIONS: [(&str, &str); 9] = [
    ("char", "char"),
    ("uchar", "unsigned char"),
    ("short", "short"),
    ("ushort", "unsigned short"),
    ("int", "int"),
    ("uint", "unsigned"),
    ("longlong", "long long"),
    ("ulonglong", "unsigned long long"),
    ("ulong", "unsigned long"),
];

impl Program {
    /// The program of `seed`.
    pub fn new(seed: u64) -> Program {
        let mut random = Random::new(seed);
        let inputs = *random.pick(&[Inputs::None, Inputs::None, Inputs::Nibble, Inputs::Nibble, Inputs::Free]);
        Program { seed, inputs, body: Generator::new(random, inputs).program() }
    }

    /// The part that computes the checksum, with `prefix` before its identifiers.
    pub fn body(&self, prefix: &str) -> String {
        self.body.replace('@', prefix)
    }

    /// A whole program that calls `reach_error` if the checksum is `checksum`.
    pub fn source(&self, checksum: u32) -> String {
        format!(
            "// seed {}\n{}extern void reach_error(void);\n{}\nint main(void) {{\n    if (run() == {checksum}u) reach_error();\n    return 0;\n}}\n",
            self.seed,
            declarations(),
            self.body("")
        )
    }
}

/// Declarations of the input functions and of what the programs use of the library.
pub fn declarations() -> String {
    let mut text = String::from("#include <stdlib.h>\n#include <string.h>\n");
    for (name, ty) in INPUT_FUNCTIONS {
        writeln!(text, "extern {ty} __VERIFIER_nondet_{name}(void);").expect("writing to a string");
    }
    text
}

/// An integer type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Int {
    name: &'static str,
    bits: u32,
    signed: bool,
}

const INTS: [Int; 9] = [
    Int { name: "signed char", bits: 8, signed: true },
    Int { name: "unsigned char", bits: 8, signed: false },
    Int { name: "short", bits: 16, signed: true },
    Int { name: "unsigned short", bits: 16, signed: false },
    Int { name: "int", bits: 32, signed: true },
    Int { name: "unsigned", bits: 32, signed: false },
    Int { name: "long long", bits: 64, signed: true },
    Int { name: "unsigned long long", bits: 64, signed: false },
    Int { name: "_Bool", bits: 1, signed: false },
];
const INT: Int = INTS[4];
const UNSIGNED: Int = INTS[5];

impl Int {
    /// The unsigned type in which arithmetic is done.
    fn wide(self) -> &'static str {
        if self.bits <= 32 { "unsigned" } else { "unsigned long long" }
    }

    /// The name of the type after promotion, as part of an identifier.
    fn promoted(self) -> &'static str {
        match (self.bits, self.signed) {
            (..32, _) | (32, true) => "int",
            (32, false) => "uint",
            (_, true) => "ll",
            (_, false) => "ull",
        }
    }
}

/// Something that can be read and written.
#[derive(Clone, Debug)]
struct Place {
    text: String,
    ty: Int,
    /// Whether its address may be taken (no bit-field).
    addressable: bool,
}

/// An array whose length is a power of two, or a pointer to so many elements.
#[derive(Clone, Debug)]
struct Array {
    text: String,
    ty: Int,
    len: usize,
}

/// What a function can name.
#[derive(Clone, Default)]
struct Names {
    places: Vec<Place>,
    /// Loop counters: read only.
    counters: Vec<String>,
    arrays: Vec<Array>,
    pointers: Vec<(String, Int)>,
    /// Variables of the struct type.
    structs: Vec<String>,
}

/// A function that can be called.
#[derive(Clone)]
struct Callable {
    name: String,
    result: Int,
    params: Vec<Int>,
    /// Type of what a last parameter points to.
    pointer: Option<Int>,
    /// For a recursive function, the greatest depth that is passed first.
    depth: Option<usize>,
}

struct Generator {
    random: Random,
    inputs: Inputs,
    out: String,
    indent: usize,
    names: Names,
    globals: Names,
    functions: Vec<Callable>,
    fields: Vec<(String, Int, bool)>,
    /// Loops and calls around the present statement: deeper ones get simpler bodies.
    nesting: usize,
    /// Calls that may still be written: they multiply.
    calls: usize,
}

impl Generator {
    fn new(random: Random, inputs: Inputs) -> Generator {
        Generator {
            random,
            inputs,
            out: String::new(),
            indent: 0,
            names: Names::default(),
            globals: Names::default(),
            functions: Vec::new(),
            fields: Vec::new(),
            nesting: 0,
            calls: 6,
        }
    }

    fn line(&mut self, text: impl AsRef<str>) {
        writeln!(self.out, "{:1$}{2}", "", self.indent * 4, text.as_ref()).expect("writing to a string");
    }

    fn ty(&mut self) -> Int {
        *self.random.pick(&INTS)
    }

    fn program(mut self) -> String {
        self.line("static unsigned @crc;");
        self.helpers();
        self.struct_type();
        self.global_variables();
        for i in 0..self.random.between(0, 3) {
            self.function(i);
        }
        if self.random.one_in(3) {
            self.recursive_function();
        }
        self.run();
        self.out
    }

    fn helpers(&mut self) {
        for (name, ty, least) in [("int", "int", "(-2147483647 - 1)"), ("ll", "long long", "(-9223372036854775807LL - 1)")] {
            for (op, sign) in [("div", "/"), ("rem", "%")] {
                let safe = format!("b == 0 || (a == {least} && b == -1)");
                self.line(format!("static {ty} @{op}_{name}({ty} a, {ty} b) {{ return {safe} ? a : a {sign} b; }}"));
            }
        }
        for (name, ty) in [("uint", "unsigned"), ("ull", "unsigned long long")] {
            for (op, sign) in [("div", "/"), ("rem", "%")] {
                self.line(format!("static {ty} @{op}_{name}({ty} a, {ty} b) {{ return b ? a {sign} b : a; }}"));
            }
        }
        self.line("static int @to_int(double d) { return d > -1e9 && d < 1e9 ? (int)d : 7; }");
    }

    fn struct_type(&mut self) {
        self.line("struct @s {");
        self.indent += 1;
        for i in 0..self.random.between(2, 5) {
            let ty = self.ty();
            let name = format!("m{i}");
            let width = (ty.bits > 1 && ty.bits <= 32 && self.random.one_in(4)).then(|| self.random.between(1, ty.bits as usize));
            match width {
                Some(w) => self.line(format!("{} {name} : {w};", ty.name)),
                None => self.line(format!("{} {name};", ty.name)),
            }
            self.fields.push((name, ty, width.is_none()));
        }
        self.line("int t[2];");
        self.indent -= 1;
        self.line("};");
    }

    fn global_variables(&mut self) {
        for i in 0..self.random.between(1, 3) {
            let (name, ty) = (format!("@g{i}"), self.ty());
            let value = self.constant(ty);
            self.line(format!("static {} {name} = {value};", ty.name));
            self.globals.places.push(Place { text: name, ty, addressable: true });
        }
        if self.random.one_in(2) {
            self.array("static ", "@ga");
            self.globals.arrays = std::mem::take(&mut self.names.arrays);
        }
        if self.random.one_in(2) {
            self.line("static struct @s @gs;");
            self.add_struct("@gs");
            self.globals.structs = std::mem::take(&mut self.names.structs);
            self.globals.arrays.append(&mut self.names.arrays);
            self.globals.places.append(&mut self.names.places);
        }
    }

    fn array(&mut self, qualifier: &str, name: &str) {
        let (ty, len) = (self.ty(), *self.random.pick(&[2, 4, 8]));
        let values: Vec<String> = (0..self.random.between(1, len)).map(|_| self.constant(ty)).collect();
        self.line(format!("{qualifier}{} {name}[{len}] = {{{}}};", ty.name, values.join(", ")));
        self.names.arrays.push(Array { text: name.into(), ty, len });
    }

    fn add_struct(&mut self, name: &str) {
        for (field, ty, addressable) in self.fields.clone() {
            self.names.places.push(Place { text: format!("{name}.{field}"), ty, addressable });
        }
        self.names.arrays.push(Array { text: format!("{name}.t"), ty: INT, len: 2 });
        self.names.structs.push(name.into());
    }

    /// Declares the local variables of a function.
    fn locals(&mut self) {
        for i in 0..self.random.between(1, 4) {
            let (name, ty) = (format!("x{i}"), self.ty());
            let value = if self.random.one_in(2) { self.constant(ty) } else { self.expr(ty, 1) };
            self.line(format!("{} {name} = {value};", ty.name));
            self.names.places.push(Place { text: name, ty, addressable: true });
        }
        if self.random.one_in(3) {
            self.array("", "a");
        }
        if self.random.one_in(4) {
            self.line("struct @s s = {0};");
            self.add_struct("s");
        }
        if self.random.one_in(6) {
            let value = self.expr(UNSIGNED, 1);
            self.line(format!("union {{ unsigned u; unsigned char b[4]; short h[2]; }} un = {{{value}}};"));
            self.names.places.push(Place { text: "un.u".into(), ty: UNSIGNED, addressable: true });
            self.names.arrays.push(Array { text: "un.b".into(), ty: INTS[1], len: 4 });
            self.names.arrays.push(Array { text: "un.h".into(), ty: INTS[2], len: 2 });
        }
        if self.random.one_in(6) {
            let ty = self.ty();
            self.line(format!("{0} *h = calloc(4, sizeof({0}));", ty.name));
            self.names.arrays.push(Array { text: "h".into(), ty, len: 4 });
        }
        if self.random.one_in(2)
            && let Some((address, ty)) = self.address()
        {
            self.line(format!("{} *p = {address};", ty.name));
            self.names.pointers.push(("p".into(), ty));
        }
    }

    /// An address with the type of what is there.
    fn address(&mut self) -> Option<(String, Int)> {
        let places: Vec<Place> = self.names.places.iter().filter(|p| p.addressable).cloned().collect();
        if !self.names.arrays.is_empty() && (places.is_empty() || self.random.one_in(3)) {
            let a = self.random.pick(&self.names.arrays).clone();
            let index = self.index(a.len);
            return Some((format!("&{}[{index}]", a.text), a.ty));
        }
        (!places.is_empty()).then(|| {
            let p = self.random.pick(&places);
            (format!("&{}", p.text), p.ty)
        })
    }

    /// An address of something of type `ty`.
    fn address_of(&mut self, ty: Int) -> Option<String> {
        (0..6).find_map(|_| self.address().filter(|(_, t)| *t == ty).map(|(text, _)| text))
    }

    fn function(&mut self, i: usize) {
        let result = self.ty();
        let params: Vec<Int> = (0..self.random.between(0, 3)).map(|_| self.ty()).collect();
        let pointer = self.random.one_in(3).then(|| self.ty());
        let callable = Callable { name: format!("@f{i}"), result, params, pointer, depth: None };
        self.begin(&callable);
        self.locals();
        self.nesting = 1;
        for _ in 0..self.random.between(1, 3) {
            self.statement();
        }
        self.end(&callable);
    }

    fn recursive_function(&mut self) {
        let callable = Callable {
            name: "@rec".into(),
            result: self.ty(),
            params: vec![self.ty()],
            pointer: None,
            depth: Some(self.random.between(1, 4)),
        };
        self.begin(&callable);
        let end = self.expr(callable.result, 1);
        self.line(format!("if (depth == 0) return {end};"));
        self.locals();
        self.nesting = 2;
        self.statement();
        let argument = self.expr(callable.params[0], 1);
        let ty = callable.result;
        self.line(format!("{} below = @rec(depth - 1, {argument});", ty.name));
        self.names.places.push(Place { text: "below".into(), ty, addressable: true });
        self.end(&callable);
    }

    fn begin(&mut self, c: &Callable) {
        self.names = self.globals.clone();
        let mut params: Vec<String> = c.depth.iter().map(|_| "unsigned depth".to_string()).collect();
        for (i, ty) in c.params.iter().enumerate() {
            params.push(format!("{} y{i}", ty.name));
            self.names.places.push(Place { text: format!("y{i}"), ty: *ty, addressable: true });
        }
        if let Some(ty) = c.pointer {
            params.push(format!("{} *q", ty.name));
            self.names.pointers.push(("q".into(), ty));
        }
        let params = if params.is_empty() { "void".into() } else { params.join(", ") };
        self.line(format!("static {} {}({params}) {{", c.result.name, c.name));
        self.indent += 1;
    }

    fn end(&mut self, c: &Callable) {
        let value = self.expr(c.result, 2);
        self.line(format!("return {value};"));
        self.indent -= 1;
        self.line("}");
        self.functions.push(c.clone());
    }

    fn run(&mut self) {
        self.names = self.globals.clone();
        self.line("static unsigned @run(void) {");
        self.indent += 1;
        if self.inputs == Inputs::Nibble {
            self.line("unsigned in = __VERIFIER_nondet_uint() & 15;");
            self.names.places.push(Place { text: "in".into(), ty: UNSIGNED, addressable: true });
        }
        self.locals();
        self.nesting = 0;
        self.calls = 6;
        for _ in 0..self.random.between(3, 7) {
            self.statement();
        }
        for p in self.names.places.clone() {
            self.mix(&p.text, p.ty);
        }
        for a in self.names.arrays.clone() {
            let element = format!("{}[{}]", a.text, self.random.below(a.len));
            self.mix(&element, a.ty);
        }
        self.line("return @crc;");
        self.indent -= 1;
        self.line("}");
    }

    fn mix(&mut self, value: &str, ty: Int) {
        let fold = if ty.bits == 64 { format!(" ^ (unsigned)((unsigned long long){value} >> 32)") } else { String::new() };
        self.line(format!("@crc = (@crc << 5 | @crc >> 27) ^ (unsigned){value}{fold};"));
    }

    fn index(&mut self, len: usize) -> String {
        if self.random.one_in(3) {
            return self.random.below(len).to_string();
        }
        let e = self.expr(UNSIGNED, 1);
        format!("{e} & {}", len - 1)
    }

    /// Something to write to.
    fn place(&mut self) -> Place {
        let names = &self.names;
        match self.random.below(6) {
            0 | 1 if !names.arrays.is_empty() => {
                let a = self.random.pick(&names.arrays).clone();
                let index = self.index(a.len);
                Place { text: format!("{}[{index}]", a.text), ty: a.ty, addressable: true }
            }
            2 if !names.pointers.is_empty() => {
                let (p, ty) = self.random.pick(&names.pointers).clone();
                Place { text: format!("*{p}"), ty, addressable: true }
            }
            _ => self.random.pick(&names.places).clone(),
        }
    }

    fn block(&mut self, statements: usize) {
        self.indent += 1;
        for _ in 0..statements {
            self.statement();
        }
        self.indent -= 1;
    }

    fn statement(&mut self) {
        let compound = self.nesting < 2;
        match self.random.below(16) {
            0 | 1 if compound => {
                let cond = self.expr(INT, 2);
                self.line(format!("if ({cond}) {{"));
                self.nesting += 1;
                self.block(1);
                if self.random.one_in(2) {
                    self.line("} else {");
                    self.block(1);
                }
                self.nesting -= 1;
                self.line("}");
            }
            2 | 3 if compound => self.counted_loop(),
            4 if compound => {
                let value = self.expr(UNSIGNED, 2);
                self.line(format!("switch ({value} & 3) {{"));
                self.nesting += 1;
                for k in 0..self.random.between(1, 3) {
                    let label = if k == 2 { "default: ;".to_string() } else { format!("case {k}: ;") };
                    self.line(label);
                    self.block(1);
                    if !self.random.one_in(3) {
                        self.line("    break;");
                    }
                }
                self.nesting -= 1;
                self.line("}");
            }
            5 if self.names.structs.len() > 1 => {
                let (to, from) = (self.random.pick(&self.names.structs).clone(), self.random.pick(&self.names.structs).clone());
                if to != from {
                    self.line(format!("{to} = {from};"));
                }
            }
            6 if !self.names.arrays.is_empty() => {
                let a = self.random.pick(&self.names.arrays).clone();
                let fill = self.expr(INT, 1);
                let bytes = self.random.between(1, a.len * (a.ty.bits as usize / 8).max(1));
                let fill = if a.ty.bits == 1 { "1".into() } else { fill };
                self.line(format!("memset({}, {fill}, {bytes});", a.text));
            }
            7 if !self.names.pointers.is_empty() => {
                let (p, ty) = self.random.pick(&self.names.pointers).clone();
                if let Some(address) = self.address_of(ty) {
                    let cond = self.expr(INT, 1);
                    self.line(format!("if ({cond}) {p} = {address};"));
                }
            }
            8 if self.names.arrays.len() > 1 => {
                let (to, from) = (self.random.pick(&self.names.arrays).clone(), self.random.pick(&self.names.arrays).clone());
                if to.text != from.text && !to.text.starts_with("un.") && to.ty.bits > 1 {
                    let bytes = |a: &Array| a.len * (a.ty.bits as usize / 8).max(1);
                    let n = self.random.between(1, bytes(&to).min(bytes(&from)));
                    self.line(format!("memcpy({}, {}, {n});", to.text, from.text));
                }
            }
            9 => {
                let p = self.place();
                let e = self.expr(p.ty, 1);
                let op = *self.random.pick(&["^=", "|=", "&="]);
                self.line(format!("{} {op} {e};", p.text));
            }
            10 => {
                let ty = self.ty();
                let e = self.expr(ty, 2);
                self.mix(&e, ty);
            }
            _ => {
                let p = self.place();
                let e = self.expr(p.ty, 3);
                self.line(format!("{} = {e};", p.text));
            }
        }
    }

    fn counted_loop(&mut self) {
        let (i, n) = (format!("i{}", self.nesting), self.random.between(1, 5));
        let shape = self.random.below(3);
        match shape {
            0 => self.line(format!("for (int {i} = 0; {i} < {n}; {i}++) {{")),
            1 => self.line(format!("{{ unsigned char {i} = 0; while ({i}++ < {n}) {{")),
            _ => self.line(format!("{{ short {i} = {n}; do {{")),
        }
        self.nesting += 1;
        self.names.counters.push(i.clone());
        if self.random.one_in(3) {
            let cond = self.expr(INT, 1);
            let leave = if shape == 2 { "break" } else { *self.random.pick(&["break", "continue"]) };
            self.line(format!("    if ({cond}) {leave};"));
        }
        let statements = self.random.between(1, 2);
        self.block(statements);
        self.names.counters.pop();
        self.nesting -= 1;
        match shape {
            0 => self.line("}"),
            1 => self.line("} }"),
            _ => self.line(format!("}} while (--{i} > 0); }}")),
        }
    }

    fn constant(&mut self, ty: Int) -> String {
        let value = match self.random.below(5) {
            0 => 0,
            1 => 1,
            2 => self.random.below(100) as u64,
            3 => (1u64 << self.random.below(64)).wrapping_sub(self.random.below(2) as u64),
            _ => self.random.next(),
        };
        let value = if ty.bits < 64 { value & ((1 << ty.bits) - 1) } else { value };
        format!("({}){value}{}", ty.name, if ty.bits == 64 || value > 0xFFFF_FFFF { "ULL" } else { "u" })
    }

    fn leaf(&mut self, ty: Int) -> String {
        match self.random.below(8) {
            0..2 => self.constant(ty),
            2 if !self.names.counters.is_empty() => {
                format!("({}){}", ty.name, self.random.pick(&self.names.counters))
            }
            3 if self.inputs == Inputs::Free && self.nesting < 2 => {
                let (name, _) = *self.random.pick(&INPUT_FUNCTIONS[..8]);
                format!("({})__VERIFIER_nondet_{name}()", ty.name)
            }
            4 if !self.names.pointers.is_empty() => {
                let (p, _) = self.random.pick(&self.names.pointers);
                format!("({})*{p}", ty.name)
            }
            _ if self.names.places.is_empty() => self.constant(ty),
            _ => {
                let p = self.random.pick(&self.names.places);
                format!("({}){}", ty.name, p.text)
            }
        }
    }

    /// An expression whose value is of type `ty` (after promotion).
    fn expr(&mut self, ty: Int, depth: usize) -> String {
        if depth == 0 || self.random.one_in(5) {
            return self.leaf(ty);
        }
        let d = depth - 1;
        let (name, wide) = (ty.name, ty.wide());
        match self.random.below(17) {
            0..4 => {
                let op = *self.random.pick(&["+", "-", "&", "|", "^", "+"]);
                let (a, b) = (self.expr(ty, d), self.expr(ty, d));
                format!("({name})(({wide}){a} {op} ({wide}){b})")
            }
            4 => {
                let (a, b) = (self.expr(ty, d), self.constant(ty));
                format!("({name})(({wide}){a} * ({wide}){b})")
            }
            5 | 6 if ty.bits > 1 => {
                let (a, b) = (self.expr(ty, d), self.expr(UNSIGNED, d));
                let by = format!("({b} & {})", ty.bits - 1);
                if self.random.one_in(2) {
                    format!("({name})(({wide}){a} << {by})")
                } else {
                    format!("({name})({a} >> {by})")
                }
            }
            7 => {
                let (a, b, op) = (self.expr(ty, d), self.leaf(ty), *self.random.pick(&["div", "rem"]));
                format!("({name})@{op}_{}({a}, {b})", ty.promoted())
            }
            8 | 9 => {
                let t = self.ty();
                let op = *self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
                let (a, b) = (self.expr(t, d), self.expr(t, d));
                format!("({name})({a} {op} {b})")
            }
            10 => {
                let op = *self.random.pick(&["&&", "||"]);
                let (a, b) = (self.expr(INT, d), self.expr(INT, d));
                format!("({name})({a} {op} {b})")
            }
            11 => {
                let (c, a, b) = (self.expr(INT, d), self.expr(ty, d), self.expr(ty, d));
                format!("({name})({c} ? {a} : {b})")
            }
            12 => match self.random.below(3) {
                0 => format!("({name})!{}", self.expr(ty, d)),
                1 => format!("({name})~{}", self.expr(ty, d)),
                _ => format!("({name})-({wide}){}", self.expr(ty, d)),
            },
            13 => {
                let t = self.ty();
                format!("({name}){}", self.expr(t, d))
            }
            14 if !self.functions.is_empty() && self.calls > 0 && self.nesting < 2 => self.call(ty),
            15 if !self.names.arrays.is_empty() => {
                let a = self.random.pick(&self.names.arrays).clone();
                let index = self.index(a.len);
                format!("({name}){}[{index}]", a.text)
            }
            16 if self.random.one_in(3) => {
                let (a, b) = (self.expr(INT, d), self.leaf(INT));
                let op = *self.random.pick(&["+", "-", "*"]);
                format!("({name})@to_int((double){a} {op} {b} * 0.25)")
            }
            16 => {
                let places: Vec<Place> = self.names.places.iter().filter(|p| p.addressable && p.ty.bits > 1).cloned().collect();
                if places.is_empty() {
                    return self.leaf(ty);
                }
                let p = self.random.pick(&places).clone();
                let index = self.index(p.ty.bits as usize / 8);
                format!("({name})((unsigned char *)&{})[{index}]", p.text)
            }
            _ => self.leaf(ty),
        }
    }

    fn call(&mut self, ty: Int) -> String {
        let f = self.random.pick(&self.functions).clone();
        self.calls -= 1;
        let mut args: Vec<String> = f.depth.iter().map(|n| n.to_string()).collect();
        for t in &f.params {
            args.push(self.expr(*t, 1));
        }
        if let Some(t) = f.pointer {
            match self.address_of(t) {
                Some(address) => args.push(address),
                None => return self.leaf(ty),
            }
        }
        format!("({}){}({})", ty.name, f.name, args.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same seed makes the same program, and prefixes reach all identifiers of file scope.
    #[test]
    fn programs_are_determined_by_their_seeds() {
        for seed in 0..50 {
            let p = Program::new(seed);
            assert_eq!(p.body("x_"), Program::new(seed).body("x_"));
            assert!(!p.source(1).contains('@'));
        }
    }
}
