//! The binary `kerf`.

use std::process::ExitCode;

fn main() -> ExitCode {
    kerf_pipeline::main()
}
