//! Random small C programs without undefined behaviour.
//!
//! A program computes a checksum in a function `run` and calls the target if it equals a given number. All arithmetic that could
//! overflow is done in unsigned types, indices are masked, divisions guarded, loops and recursion bounded, everything is initialised.
//! (Native runs use sanitizers: a program with undefined behaviour is discarded.) Identifiers begin with `@`, so that several programs fit
//! into one file under different prefixes.
//!
//! Reading order: this file (types and names in scope), `functions` (declarations), `statements`, `expressions`;
//! `watched` (programs that show intermediate values, for slices), `hardware` (programs in the style of hardware models).

mod expressions;
mod functions;
mod hardware;
mod statements;
mod watched;

use kerf_testing::Random;
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
    /// The seed that determines it.
    pub seed: u64,
    /// The inputs that it takes.
    pub inputs: Inputs,
    /// Declarations and the function `unsigned @run(void)`.
    body: String,
}

/// The entry function of watched programs.
pub const ENTRY: &str = "program_entry";

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
        let inputs = random.pick(&[Inputs::None, Inputs::None, Inputs::Nibble, Inputs::Nibble, Inputs::Free]);
        Program { seed, inputs, body: Generator::new(random, inputs).program() }
    }

    /// The program of `seed` in the style of hardware models that were converted to C.
    pub fn hardware(seed: u64) -> Program {
        let mut random = Random::new(seed ^ 0x4A5D);
        let inputs = random.pick(&[Inputs::None, Inputs::Nibble, Inputs::Nibble, Inputs::Free, Inputs::Free]);
        Program { seed, inputs, body: Generator::new(random, inputs).hardware_model() }
    }

    /// A program that shows intermediate values by calls of `check`. Each input is determined by its place and by how often it was taken,
    /// or by its place and a value. The entry is [`ENTRY`].
    pub fn watched(seed: u64) -> Program {
        let random = Random::new(seed ^ 0x57A7_C4ED);
        Program { seed, inputs: Inputs::Free, body: Generator::new(random, Inputs::Free).watched_program() }
    }

    /// The text of a watched program.
    pub fn watched_source(&self) -> String {
        format!("// seed {}\n{}{}", self.seed, watched::DECLARATIONS, self.body(""))
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

/// Declarations of the input functions, and of the library functions that programs use.
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

/// An array whose length is a power of two, or a pointer to as many elements.
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
    /// Floating-point variables.
    floats: Vec<String>,
}

/// A function that can be called.
#[derive(Clone)]
struct Callable {
    name: String,
    result: Int,
    params: Vec<Int>,
    /// Type of what a last parameter points to.
    pointer: Option<Int>,
    /// For a recursive function, the maximum depth, which is passed as the first argument.
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
    /// The fields of the struct type: name, type, and whether the address may be taken.
    fields: Vec<(String, Int, bool)>,
    /// Number of loops and calls around the present statement: deeper ones get simpler bodies.
    nesting: usize,
    /// Number of calls that may still be written: nested calls multiply the work.
    calls: usize,
    /// Result and parameter of the functions in the table, if there is one.
    table: Option<(Int, Int)>,
    /// Whether there is a function that returns a struct.
    makes_structs: bool,
    /// Whether values are shown where they are computed, instead of a checksum at the end.
    watched: bool,
    /// Number of places so far that take an input or show a value.
    sites: usize,
    /// Whether the function at hand is executed once.
    once: bool,
    /// Whether the function at hand may call `exit`.
    may_exit: bool,
}
impl Generator {
    pub(super) fn new(random: Random, inputs: Inputs) -> Generator {
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
            table: None,
            makes_structs: false,
            watched: false,
            sites: 0,
            once: false,
            may_exit: true,
        }
    }

    pub(super) fn line(&mut self, text: impl AsRef<str>) {
        writeln!(self.out, "{:1$}{2}", "", self.indent * 4, text.as_ref()).expect("writing to a string");
    }

    pub(super) fn ty(&mut self) -> Int {
        self.random.pick(&INTS)
    }

    pub(super) fn program(mut self) -> String {
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
        if self.random.one_in(3) {
            self.function_table();
        }
        if self.random.one_in(3) {
            self.struct_function();
        }
        self.run();
        self.out
    }

    pub(super) fn helpers(&mut self) {
        for (name, ty, least) in
            [("int", "int", "(-2147483647 - 1)"), ("ll", "long long", "(-9223372036854775807LL - 1)")]
        {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same seed makes the same program, and prefixes reach all identifiers of file scope.
    #[test]
    fn programs_are_determined_by_their_seeds() {
        for make in [Program::new, Program::hardware] {
            for seed in 0..50 {
                let p = make(seed);
                assert_eq!(p.body("x_"), make(seed).body("x_"));
                assert!(!p.source(1).contains('@'));
            }
        }
    }
}
