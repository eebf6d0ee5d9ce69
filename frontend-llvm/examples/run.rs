//! Executes programs without inputs on their CFA and prints what `main` returns: `run [-m32] FILE...`.

use cfa::interpret::{RunLimits, run};
use frontend_llvm::{LoadOptions, load};
use rustc_hash::FxHashMap;
use std::path::PathBuf;

fn main() {
    let mut options = LoadOptions::default();
    let mut files = Vec::new();
    for arg in std::env::args().skip(1) {
        match arg.as_str() {
            "-m32" => options.pointer_bits = 32,
            "-m64" => options.pointer_bits = 64,
            _ => files.push(PathBuf::from(arg)),
        }
    }
    let loaded = load(&files, &options).unwrap_or_else(|why| {
        eprintln!("{why}");
        std::process::exit(1);
    });
    let (cfa, _) = slicer::prepare(loaded.raw, &slicer::PrepareOptions::default()).expect("it can be prepared");
    let result = cfa.vars.iter_enumerated().find(|(_, v)| v.name == "_start::result").map(|(v, _)| v);
    let mut value = None;
    let mut inputs: FxHashMap<cfa::EdgeId, Vec<cfa::eval::Value>> = FxHashMap::default();
    let limits = RunLimits { steps: u64::MAX, deadline: None };
    let run = run(&cfa, &mut inputs, limits, &mut |machine, _| {
        value = result.and_then(|r| machine.value(r)).and_then(cfa::eval::Value::to_u64).or(value);
    });
    println!("{:?} {:?} after {} steps", run.end, value, run.steps);
}
