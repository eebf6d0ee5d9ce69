//! Lowers files and prints the edges, or (`--count`) only how much there is: `lower [-m32] [--count] FILE...`.

use frontend_llvm::{LoadOptions, load};
use std::path::PathBuf;

fn main() {
    let mut options = LoadOptions::default();
    let (mut files, mut count) = (Vec::new(), false);
    for arg in std::env::args().skip(1) {
        match arg.as_str() {
            "-m32" => options.pointer_bits = 32,
            "-m64" => options.pointer_bits = 64,
            "--count" => count = true,
            _ => files.push(PathBuf::from(arg)),
        }
    }
    let loaded = match load(&files, &options) {
        Ok(loaded) => loaded,
        Err(why) => {
            eprintln!("{why}");
            std::process::exit(1);
        }
    };
    let cfa = &loaded.raw.cfa;
    if !count {
        for (e, edge) in cfa.edges.iter_enumerated() {
            let func = &cfa.funcs[cfa.locs[edge.from].func].name;
            let op = match &edge.op {
                cfa::Op::Assign(list) => list
                    .iter()
                    .map(|(v, t)| format!("{} := {}", cfa.vars[*v].name, cfa.show(*t)))
                    .collect::<Vec<_>>()
                    .join(", "),
                cfa::Op::Assume { cond, kind } => format!("{kind:?} {}", cfa.show(*cond)),
                cfa::Op::Input { var, kind } => format!("{} := {kind:?}", cfa.vars[*var].name),
                cfa::Op::Call(f) => format!("call {}", cfa.funcs[*f].name),
                other => format!("{other:?}"),
            };
            println!("{e} {func} {} -> {}  {op}   ; {}", edge.from, edge.to, cfa.place(edge.span));
        }
        println!("targets {:?}, assumptions {:#?}", cfa.targets, cfa.assumptions);
    }
    let s = &loaded.statistics;
    println!(
        "functions {} library {} instructions {} edges {} locations {} variables {} objects {}",
        s.functions,
        s.library_functions,
        s.instructions,
        cfa.edges.len(),
        cfa.locs.len(),
        cfa.vars.len(),
        cfa.objects.len()
    );
    for line in cfa.assumptions.iter().map(|a| &a.what) {
        println!("assumption {line}");
    }
    for (reason, n) in &s.unsupported {
        println!("unsupported {n} {reason}");
    }
}
