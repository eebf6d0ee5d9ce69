//! Makes the search path for shared libraries in `kerf` hold for the libraries' own dependencies too (`RPATH` instead
//! of `RUNPATH`), so that the folder which `make dist` makes can be moved.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-link-arg-bins=-Wl,--disable-new-dtags");
}
