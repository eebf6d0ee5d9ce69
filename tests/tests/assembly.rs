//! Inline assembly of x86: what the processor computes is what kerf says it computes.

#![cfg(target_arch = "x86_64")]

use kerf_testing::{Random, fuzz_runs};
use kerf_tests::kerf::{self, Verdict};
use std::fmt::Write;
use std::process::Command;

const CONDITIONS: [&str; 14] = ["o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "l", "ge", "le", "g"];
const TYPES: [(&str, char); 4] = [("u8", 'b'), ("u16", 'w'), ("u32", 'l'), ("u64", 'q')];

/// The body of a function of `a` and `b`, which computes a number of type `r` with one or two instructions.
fn body(random: &mut Random) -> String {
    let (ty, suffix) = random.pick(&TYPES);
    let (wide, wide_suffix) = random.pick(&TYPES[2..]);
    let set = random.pick(&CONDITIONS);
    let amount = random.below(31u32) + 1;
    match random.below(13) {
        0 | 1 => {
            let op = random.pick(&["add", "sub", "and", "or", "xor", "cmp", "test"]);
            format!(
                "{ty} r = a; unsigned char f; __asm__(\"{op}{suffix} %2, %0; set{set} %1\" : \"+&q\"(r), \"=&q\"(f) : \"q\"(({ty})b) : \"cc\"); return ((u64)r ^ b) * 2 + f;"
            )
        }
        2 => {
            let op = random.pick(&["adc", "sbb"]);
            format!(
                "{ty} r = a, s = b; __asm__(\"add{suffix} %1, %0\\n\\t{op}{suffix} $3, %1; set{set} %b0\" : \"+&q\"(r), \"+&q\"(s) : : \"cc\"); return (u64)r * 3 + s;"
            )
        }
        3 => {
            let op = random.pick(&["neg", "not", "inc", "dec"]);
            let set = if op == "not" { "e" } else { random.pick(&["o", "e", "s", "l", "le"]) };
            format!(
                "{ty} r = a; unsigned char f; __asm__(\"test{suffix} %0, %0\\n\\t{op}{suffix} %0\\n\\tset{set} %1\" : \"+&q\"(r), \"=&q\"(f) : : \"cc\"); return (u64)r * 2 + f;"
            )
        }
        4 => {
            let op = random.pick(&["shl", "shr", "sar", "rol", "ror"]);
            match random.one_in(2) {
                true => {
                    format!("{ty} r = a; __asm__(\"{op}{suffix} ${amount}, %0\" : \"+q\"(r) : : \"cc\"); return r;")
                }
                false => format!(
                    "{ty} r = a; __asm__(\"{op}{suffix} %%cl, %0\" : \"+q\"(r) : \"c\"((u8)b) : \"cc\"); return r;"
                ),
            }
        }
        5 => {
            let op = random.pick(&["shld", "shrd"]);
            format!(
                "{wide} r = a; __asm__(\"{op}{wide_suffix} ${amount}, %1, %0\" : \"+r\"(r) : \"r\"(({wide})b) : \"cc\"); return r;"
            )
        }
        6 => {
            let op = random.pick(&["mul", "imul"]);
            let set = random.pick(&["b", "o", "ae", "no"]);
            format!(
                "{wide} l = a, h; unsigned char f; __asm__(\"{op}{wide_suffix} %3\\n\\tset{set} %2\" : \"+a\"(l), \"=&d\"(h), \"=&q\"(f) : \"r\"(({wide})b) : \"cc\"); return l ^ ((u64)h * 5) ^ f;"
            )
        }
        7 => {
            let (op, change) = (random.pick(&["bt", "bts", "btr", "btc"]), random.pick(&["b", "ae"]));
            format!(
                "{wide} r = a; unsigned char f; __asm__(\"{op}{wide_suffix} %2, %0\\n\\tset{change} %1\" : \"+&r\"(r), \"=&q\"(f) : \"r\"(({wide})b) : \"cc\"); return ((u64)r << 1) ^ f;"
            )
        }
        8 => {
            let op = random.pick(&["bsf", "bsr"]);
            format!(
                "{wide} x = ({wide})a | 8, r; __asm__(\"{op}{wide_suffix} %1, %0\" : \"=r\"(r) : \"r\"(x) : \"cc\"); return r;"
            )
        }
        9 => {
            let op = random.pick(&["movzbl", "movsbl", "movzwl", "movswl", "movsbq", "movslq"]);
            let (from, to) = (random_width(op, 4), random_width(op, 5));
            format!("{to} r; __asm__(\"{op} %1, %0\" : \"=r\"(r) : \"q\"(({from})a)); return r;")
        }
        // In memory.
        10 => {
            let op = random.pick(&["add", "sub", "xor", "xchg", "mov", "or"]);
            format!(
                "{ty} r = a, s = b; __asm__ volatile(\"lock; {op}{suffix} %1, %0\" : \"+m\"(r), \"+q\"(s) : : \"cc\"); return (u64)r * 5 + s;"
            )
            .replace("lock; mov", "mov")
        }
        11 => {
            let op = random.pick(&["bts", "btr", "btc"]);
            format!(
                "{wide} r = a; u8 f; __asm__ volatile(\"{op}{wide_suffix} ${amount}, %0; setc %1\" : \"+m\"(r), \"=qm\"(f) : : \"cc\"); return (u64)r * 2 + f;"
            )
        }
        _ => format!(
            "{wide} r = a; __asm__(\"cmp{wide_suffix} %1, %0\\n\\tlea{wide_suffix} -7(%0,%1,4), %0\\n\\tcmov{set}{wide_suffix} %1, %0\\n\\tbswap{wide_suffix} %0\" : \"+&r\"(r) : \"r\"(({wide})b) : \"cc\"); return r;"
        ),
    }
}

/// The type of the width that a letter of a mnemonic says.
fn random_width(mnemonic: &str, at: usize) -> &'static str {
    let letter = mnemonic.as_bytes()[at];
    TYPES.iter().find(|(_, suffix)| *suffix as u8 == letter).map_or("u64", |(ty, _)| ty)
}

const HEAD: &str =
    "typedef unsigned char u8; typedef unsigned short u16; typedef unsigned u32; typedef unsigned long u64;\n";

#[test]
fn assembly_computes_what_the_processor_does() {
    let random = &mut Random::new(16);
    let folder = tempfile::tempdir().expect("a folder");
    let bodies: Vec<String> = (0..fuzz_runs(60)).map(|_| body(random)).collect();
    let mut functions = HEAD.to_string();
    for (i, body) in bodies.iter().enumerate() {
        writeln!(functions, "static u64 f{i}(u64 a, u64 b) {{ {body} }}").expect("writing to a string");
    }
    let calls: Vec<String> = (0..bodies.len())
        .flat_map(|i| (0..4).map(move |_| i))
        .map(|i| format!("f{i}({}UL, {}UL)", random.input(), random.input()))
        .collect();
    let mut native = format!("#include <stdio.h>\n{functions}int main(void) {{\n");
    calls.iter().for_each(|call| writeln!(native, "    printf(\"%lu\\n\", {call});").expect("writing to a string"));
    native.push_str("    return 0;\n}\n");
    let (source, binary) = (folder.path().join("native.c"), folder.path().join("native"));
    std::fs::write(&source, native).expect("a file");
    let clang = frontend_llvm::clang::find().expect("clang");
    let compiled = Command::new(clang).args(["-O0", "-w", "-o"]).args([&binary, &source]).output().expect("it runs");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let run = Command::new(&binary).output().expect("it runs");
    let results: Vec<String> = String::from_utf8_lossy(&run.stdout).lines().map(str::to_string).collect();
    assert_eq!(results.len(), calls.len());
    // That all are equal is true, and that one of them is not is false.
    let program = |name: &str, wrong: Option<usize>| {
        let mut text = format!("{functions}extern void reach_error(void);\nint main(void) {{\n");
        for (i, (call, result)) in calls.iter().zip(&results).enumerate() {
            let compares = if wrong == Some(i) { "==" } else { "!=" };
            writeln!(text, "    if ({call} {compares} {result}UL)\n        reach_error();")
                .expect("writing to a string");
        }
        text.push_str("    return 0;\n}\n");
        let file = folder.path().join(name);
        std::fs::write(&file, text).expect("a file");
        kerf::verify_patiently(&file, &[]).expect("it runs")
    };
    let right = program("right.c", None);
    assert_eq!(right.verdict().expect("an answer"), Verdict::True, "{}", right.output);
    let wrong = program("wrong.c", Some(random.below(calls.len())));
    assert_eq!(wrong.verdict().expect("an answer"), Verdict::False, "{}", wrong.output);
}
