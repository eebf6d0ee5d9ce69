//! The text of `harness.c`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use frontend_llvm::Claim;

use crate::harness::signature::Signatures;
use crate::harness::{ASSUMPTION_FAILED, Channel, Experiment, INPUTS_EXHAUSTED, InputValue, REACHED};

/// Prefix of what the harness writes to standard error when it ends the run itself.
pub(super) const MARK: &str = "harness: ";

/// Functions that end the execution quietly when their argument is 0.
pub(super) const ASSUMPTIONS: [&str; 7] = [
    "__VERIFIER_assume",
    "klee_assume",
    "__CPROVER_assume",
    "__SEA_assume",
    "__SMACK_assume",
    "__ESBMC_assume",
    "assume",
];

/// The whole file. `stubs` are undefined functions. The error is an input that C cannot express, in words.
pub(super) fn write(experiment: &Experiment, signatures: &Signatures, stubs: &[String]) -> Result<String, String> {
    let mut by_function: BTreeMap<&str, Vec<&InputValue>> = BTreeMap::new();
    for input in experiment.inputs {
        by_function.entry(&input.function).or_default().push(input);
    }
    let mut out = String::from(HEAD);
    for (i, target) in experiment.targets.iter().enumerate() {
        let ours = declared(&mut out, target, &format!("target_{i}"), "void");
        let _ = writeln!(out, "void {ours}(void) {{ finish(\"{target} is called\", {REACHED}); }}");
    }
    for (i, name) in experiment.assertions.iter().enumerate() {
        if let Some(signature) = signatures.of(name).filter(|_| !signatures.defined.contains(name)) {
            let condition = signature.c_condition();
            let (parameters, fails) = match Claim::of(name) {
                Some(Claim::HoldsNot) => (format!("{condition} a"), "a"),
                Some(Claim::HoldsIf) => (format!("{condition} a, {condition} b"), "a && !b"),
                Some(Claim::Holds) | None => (format!("{condition} a"), "!a"),
            };
            let ours = declared(&mut out, name, &format!("assertion_{i}"), &parameters);
            let _ = writeln!(out, "void {ours}({parameters}) {{ if ({fails}) finish(\"{name} fails\", {REACHED}); }}");
        }
    }
    for name in ASSUMPTIONS {
        if let Some(signature) = signatures.of(name).filter(|_| !signatures.defined.contains(name)) {
            let condition = signature.c_condition();
            let _ = writeln!(
                out,
                "void {name}({condition} holds) {{ if (!holds) finish(\"{name} ends the run\", {ASSUMPTION_FAILED}); }}"
            );
        }
    }
    for (i, (function, values)) in by_function.iter().enumerate() {
        let exhausted = format!("finish(\"no more values for {function}\", {INPUTS_EXHAUSTED});");
        let count = values.len();
        if values.iter().any(|v| v.channel == Channel::Memory) {
            memory_function(&mut out, i, function, values, &exhausted);
            continue;
        }
        let signature = signatures.of(function).ok_or_else(|| format!("the program does not call {function}"))?;
        let (c_type, size) = signature.c_result(experiment.pointer_bits)?;
        if let Some(value) = values.iter().find(|v| v.bytes.len() != size) {
            let given = value.bytes.len();
            return Err(format!("{function} returns {size} bytes, but the counterexample has {given}"));
        }
        let _ = writeln!(out, "\nstatic const unsigned char values_{i}[{count}][{size}] = {{");
        for value in values {
            let _ = writeln!(out, "    {{{}}}, /* {} */", bytes(&value.bytes), shown(c_type, &value.bytes));
        }
        let _ = writeln!(out, "}};\n{c_type} {function}(void) {{\n    static unsigned next;\n    {c_type} value;");
        let _ = writeln!(out, "    if (next == {count}) {exhausted}");
        let _ = writeln!(out, "    memset(&value, 0, sizeof value);\n    memcpy(&value, values_{i}[next++], {size});");
        let _ = writeln!(out, "    return value;\n}}");
    }
    if !stubs.is_empty() {
        out.push_str("\n/* Functions that the program declares but does not define. */\n");
        for name in stubs {
            let _ = writeln!(out, "long long {name}(void) {{ return 0; }}");
        }
    }
    Ok(out)
}

/// The name in C of a function of the program, which is declared as `stand_in` if its own name is none in C.
fn declared(out: &mut String, name: &str, stand_in: &str, parameters: &str) -> String {
    if name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return name.to_string();
    }
    let _ = writeln!(out, "void {stand_in}({parameters}) __asm__(\"{name}\");");
    stand_in.to_string()
}

const HEAD: &str = r#"/* Feeds the inputs of a counterexample to the program; reproduce.sh builds and runs it. */
extern void _exit(int);
extern long write(int, const void *, unsigned long);
extern void *memcpy(void *, const void *, unsigned long);
extern void *memset(void *, int, unsigned long);

static void finish(const char *what, int status) {
    unsigned long length = 0;
    while (what[length]) length++;
    write(2, "harness: ", 9);
    write(2, what, length);
    write(2, "\n", 1);
    _exit(status);
}

"#;

/// A function that fills memory, with one array per call, because the sizes differ.
fn memory_function(out: &mut String, i: usize, function: &str, values: &[&InputValue], exhausted: &str) {
    out.push('\n');
    for (k, value) in values.iter().enumerate() {
        let size = value.bytes.len().max(1);
        let _ = writeln!(out, "static const unsigned char value_{i}_{k}[{size}] = {{{}}};", bytes(&value.bytes));
    }
    let _ = writeln!(out, "void {function}(void *to) {{\n    static unsigned next;\n    switch (next++) {{");
    for (k, value) in values.iter().enumerate() {
        let _ = writeln!(out, "    case {k}: memcpy(to, value_{i}_{k}, {}); return;", value.bytes.len());
    }
    let _ = writeln!(out, "    }}\n    {exhausted}\n}}");
}

pub(super) fn bytes(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("0x{b:02x}")).collect::<Vec<_>>().join(", ")
}

/// The value in the form in which the file's comments show it.
pub(super) fn shown(c_type: &str, bytes: &[u8]) -> String {
    let mut wide = [0u8; 16];
    wide[..bytes.len()].copy_from_slice(bytes);
    let unsigned = u128::from_le_bytes(wide);
    let unused = 128 - 8 * bytes.len() as u32;
    let signed = ((unsigned << unused) as i128) >> unused;
    match c_type {
        "float" => f32::from_bits(unsigned as u32).to_string(),
        "double" => f64::from_bits(unsigned as u64).to_string(),
        "_Bool" | "unsigned char" | "unsigned short" => unsigned.to_string(),
        "long double" | "__float128" | "void *" => format!("0x{unsigned:x}"),
        _ => signed.to_string(),
    }
}
