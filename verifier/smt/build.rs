//! Checks that Z3 is there and lets `cargo test` and `cargo run` find it from any target directory.
//!
//! Binaries below `target/` find Z3 by their own search path (see `.cargo/config.toml`). With a target directory
//! elsewhere that path leads nowhere; cargo then adds to the loader's path only those directories that lie in the
//! target directory, hence the link in `OUT_DIR`.

use std::os::unix::fs::symlink;
use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    let var = |name: &str| PathBuf::from(std::env::var_os(name).unwrap_or_default());
    let library = var("Z3_LIBRARY_PATH_OVERRIDE").join("libz3.so.5.4");
    println!("cargo::rerun-if-changed={}", library.display());
    if !library.exists() {
        println!("cargo::error=Z3 is missing: run `make setup` first");
        return;
    }
    let out = var("OUT_DIR");
    let link = out.join("libz3.so.5.4");
    if std::fs::read_link(&link).ok().as_deref() != Some(library.as_path()) {
        let _ = std::fs::remove_file(&link);
        if let Err(e) = symlink(&library, &link) {
            println!("cargo::error=cannot link {}: {e}", link.display());
        }
    }
    println!("cargo::rustc-link-search=native={}", out.display());
}
