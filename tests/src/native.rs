//! Native runs of generated programs, with sanitizers: what C means according to the compiler.
//!
//! The largest part of the time goes into compilation, so many programs share one file. Each run is a process of its own (`fork`), so that
//! global variables have their initial values, and a run that a sanitizer ends does not end the others.

use crate::random_c::{INPUT_FUNCTIONS, Program, declarations};
use anyhow::{Context, Result, bail};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Input values of one run, in the order in which they are taken; zero from then on.
pub type Vector = Vec<u64>;

/// Runs each program on its vectors. Returns the checksums, in the same order; `None` for a run with undefined behaviour, or one that took
/// more than 5 seconds. Files are written into `folder`.
///
/// Errors: there is no clang, or it rejects the programs.
pub fn checksums(programs: &[(&Program, &[Vector])], folder: &Path) -> Result<Vec<Vec<Option<u32>>>> {
    let (source, binary) = (folder.join("native.c"), folder.join("native"));
    std::fs::write(&source, driver(programs))?;
    let clang = frontend_llvm::clang::find()?;
    let compiled = Command::new(&clang)
        .args(["-O0", "-w", "-fsanitize=undefined,address", "-fno-sanitize-recover=all", "-o"])
        .args([&binary, &source])
        .output()
        .with_context(|| format!("{} does not run", clang.display()))?;
    if !compiled.status.success() {
        bail!("clang: {}", String::from_utf8_lossy(&compiled.stderr));
    }
    let run = Command::new(&binary).output()?;
    let mut found: Vec<Vec<Option<u32>>> = programs.iter().map(|(_, vectors)| vec![None; vectors.len()]).collect();
    for line in String::from_utf8_lossy(&run.stdout).lines() {
        let numbers: Option<Vec<u64>> = line.split(' ').map(|n| n.parse().ok()).collect();
        if let Some([program, vector, checksum]) = numbers.as_deref() {
            found[*program as usize][*vector as usize] = Some(*checksum as u32);
        }
    }
    Ok(found)
}

/// A C file that runs all programs on all their vectors.
fn driver(programs: &[(&Program, &[Vector])]) -> String {
    let mut text = declarations();
    text.push_str("#include <stdio.h>\n#include <sys/wait.h>\n#include <unistd.h>\n");
    text.push_str("static const unsigned long long *next, *end;\n");
    for (name, ty) in INPUT_FUNCTIONS {
        writeln!(text, "{ty} __VERIFIER_nondet_{name}(void) {{ return next < end ? ({ty})*next++ : 0; }}")
            .expect("writing to a string");
    }
    for (i, (program, _)) in programs.iter().enumerate() {
        text.push_str(&program.body(&format!("p{i}_")));
    }
    text.push_str(
        "static void try(int program, int vector, unsigned (*run)(void), const unsigned long long *values, int n) {\n\
         \x20   if (fork() == 0) {\n\
         \x20       alarm(5);\n\
         \x20       next = values;\n\
         \x20       end = values + n;\n\
         \x20       printf(\"%d %d %u\\n\", program, vector, run());\n\
         \x20       fflush(stdout);\n\
         \x20       _exit(0);\n\
         \x20   }\n\
         \x20   wait(0);\n\
         }\n\
         int main(void) {\n",
    );
    for (i, (_, vectors)) in programs.iter().enumerate() {
        for (j, vector) in vectors.iter().enumerate() {
            let mut values: Vec<String> = vector.iter().map(|v| format!("{v}ULL")).collect();
            values.push("0".into());
            let n = vector.len();
            writeln!(
                text,
                "    {{ static const unsigned long long v[] = {{{}}}; try({i}, {j}, p{i}_run, v, {n}); }}",
                values.join(", ")
            )
            .expect("writing to a string");
        }
    }
    text.push_str("    return 0;\n}\n");
    text
}
