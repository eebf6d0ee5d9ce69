//! The modules of a crate lie in layers, and import only modules of their own layer and of lower ones. Only one module of the frontend
//! calls LLVM's C interface.

use kerf_tests::sources;
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of a crate, from the lowest layer to the highest; modules of one layer may import each other.
type Layers = &'static [&'static [&'static str]];

const VERIFIER: Layers = &[
    &["program", "evidence"],
    &["cpa"],
    &["reach", "unwind", "blocks"],
    &["domains"],
    &["refine"],
    &["invariants"],
    &["strategies"],
    &["verify"],
    &["vacuity"],
    &["oracle"],
];

const SLICER: Layers = &[
    &["scc", "cfa_edit", "both"],
    &["points_to"],
    &["call_graph", "prepare"],
    &["dependence"],
    &["slice", "backward", "forward", "handlers", "incremental", "why", "criteria"],
    &["automaton"],
];

#[test]
fn no_module_knows_one_of_a_higher_layer() {
    for (folder, layers) in [("verifier/src", VERIFIER), ("slicer/src", SLICER)] {
        let wrong = upward(&sources::root().join(folder), layers);
        assert!(wrong.is_empty(), "{folder} imports from higher layers:\n{}", wrong.join("\n"));
    }
}

#[test]
fn one_module_calls_llvms_c_interface() {
    let source = sources::root().join("frontend-llvm/src");
    let calls = |file: &PathBuf| fs::read_to_string(file).expect("a readable file").contains("llvm_sys");
    let files: Vec<PathBuf> = sources::files(&source, "rs").into_iter().filter(calls).collect();
    let (raw, others): (Vec<_>, Vec<_>) = files.into_iter().partition(|file| file.starts_with(source.join("raw")));
    assert!(!raw.is_empty() && others.is_empty(), "inkwell is to be called in {others:?}, or else the module raw");
}

/// Lines of the crate that name a module of a higher layer than their own.
fn upward(source: &Path, layers: Layers) -> Vec<String> {
    let mut found = Vec::new();
    for file in sources::files(source, "rs") {
        let name = file.strip_prefix(source).expect("a file of the folder").display().to_string();
        if name == "lib.rs" {
            continue;
        }
        let own = layer(layers, name.split(['/', '.']).next().expect("a name"));
        let text = fs::read_to_string(&file).expect("a readable file");
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
            for part in line.split("crate::").skip(1) {
                let known = part.split(|c: char| !c.is_alphanumeric() && c != '_').next().expect("a name");
                if layer(layers, known) > own {
                    found.push(format!("{name}:{}: {}", number + 1, line.trim()));
                }
            }
        }
    }
    found
}

/// The number of the layer that has the module.
fn layer(layers: Layers, module: &str) -> usize {
    let has = |layer: &&[&str]| layer.contains(&module);
    layers.iter().position(has).unwrap_or_else(|| panic!("{module} is in no layer"))
}
