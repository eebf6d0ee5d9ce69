//! The binary `kerf`.

use std::process::ExitCode;

/// For Rust only: LLVM and the solvers keep the C library's, with which it is tested how they run out of memory.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    kerf_pipeline::main()
}
