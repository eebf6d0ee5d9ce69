//! The functions of a module, read from its textual form: which are defined, and what declared ones return and take.

use std::collections::{BTreeMap, BTreeSet};

/// The functions of one module, or of several that are linked.
#[derive(Debug, Default)]
pub(super) struct Signatures {
    /// Names of the functions with a body.
    pub defined: BTreeSet<String>,
    /// All functions.
    all: BTreeMap<String, Signature>,
}

/// What a C definition of the function has to look like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Signature {
    /// LLVM type of the result: `i32`, `double`, `ptr`, `void`; `}` or `]` for an aggregate.
    pub result: String,
    /// Whether a narrow result is zero-extended.
    pub zero_extended: bool,
    /// LLVM type of the first parameter; empty without one.
    pub first_parameter: String,
}

impl Signatures {
    /// Reads the `define` and `declare` lines of a module.
    pub(super) fn read(assembly: &str) -> Signatures {
        let mut signatures = Signatures::default();
        for line in assembly.lines() {
            let (defined, rest) = match (line.strip_prefix("define "), line.strip_prefix("declare ")) {
                (Some(rest), _) => (true, rest),
                (_, Some(rest)) => (false, rest),
                _ => continue,
            };
            let Some((before, after)) = rest.split_once('@') else { continue };
            let Some((name, parameters)) = after.split_once('(') else { continue };
            let name = name.trim_matches('"').to_string();
            let words: Vec<&str> = before.split_whitespace().collect();
            let first = parameters.split([',', ')']).next().unwrap_or("").split_whitespace();
            let signature = Signature {
                result: words.last().map_or("", |w| w).to_string(),
                zero_extended: words.contains(&"zeroext"),
                first_parameter: first.map(str::to_string).find(|w| w != "noundef").unwrap_or_default(),
            };
            if defined {
                signatures.defined.insert(name.clone());
            }
            signatures.all.insert(name, signature);
        }
        signatures
    }

    /// Adds the functions of another module of the program.
    pub(super) fn add(&mut self, other: Signatures) {
        self.defined.extend(other.defined);
        self.all.extend(other.all);
    }

    /// The signature of `name`, if the program knows it.
    pub(super) fn of(&self, name: &str) -> Option<&Signature> {
        self.all.get(name)
    }
}

impl Signature {
    /// The C type of the result, and its size in bytes in the value lists. The error is a type that C cannot express.
    pub(super) fn c_result(&self, pointer_bits: u32) -> Result<(&'static str, usize), String> {
        Ok(match (self.result.as_str(), self.zero_extended) {
            ("i1", _) => ("_Bool", 1),
            ("i8", false) => ("signed char", 1),
            ("i8", true) => ("unsigned char", 1),
            ("i16", false) => ("short", 2),
            ("i16", true) => ("unsigned short", 2),
            ("i32", _) => ("int", 4),
            ("i64", _) => ("long long", 8),
            ("i128", _) => ("__int128", 16),
            ("float", _) => ("float", 4),
            ("double", _) => ("double", 8),
            ("x86_fp80", _) => ("long double", 10),
            ("fp128", _) => ("__float128", 16),
            ("ptr", _) => ("void *", pointer_bits as usize / 8),
            (other, _) => return Err(format!("its inputs have the type {other}, which the harness cannot provide")),
        })
    }

    /// A C type in which the first parameter, a condition, can be tested.
    pub(super) fn c_condition(&self) -> &'static str {
        match self.first_parameter.as_str() {
            "i64" => "long long",
            "ptr" => "void *",
            _ => "int",
        }
    }
}
