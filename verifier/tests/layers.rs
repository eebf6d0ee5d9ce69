//! The modules of this crate lie in layers, and know those of layers below and of their own only.

use std::fs;
use std::path::{Path, PathBuf};

/// From the lowest to the highest; what stands together may know each other.
const LAYERS: [&[&str]; 9] = [
    &["program", "evidence"],
    &["cpa"],
    &["reach", "unwind"],
    &["domains"],
    &["refine"],
    &["invariants"],
    &["strategies"],
    &["verify"],
    &["oracle"],
];

#[test]
fn no_module_knows_one_of_a_higher_layer() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for file in rust_files(&source) {
        let name = file.strip_prefix(&source).expect("a file of the folder").display().to_string();
        if name == "lib.rs" {
            continue;
        }
        let own = layer(name.split(['/', '.']).next().expect("a name"));
        let text = fs::read_to_string(&file).expect("a readable file");
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
            for part in line.split("crate::").skip(1) {
                let known = part.split(|c: char| !c.is_alphanumeric() && c != '_').next().expect("a name");
                if layer(known) > own {
                    wrong.push(format!("{name}:{}: {}", number + 1, line.trim()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "imports of higher layers:\n{}", wrong.join("\n"));
}

/// The number of the layer that has the module.
fn layer(module: &str) -> usize {
    let has = |layer: &&[&str]| layer.contains(&module);
    LAYERS.iter().position(has).unwrap_or_else(|| panic!("{module} is in no layer"))
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a readable folder").map(|entry| entry.expect("a file").path());
    let nested = |path: PathBuf| match path.is_dir() {
        true => rust_files(&path),
        false => vec![path],
    };
    entries.flat_map(nested).filter(|path| path.extension().is_some_and(|e| e == "rs")).collect()
}
