//! What the tests of several crates need: random numbers ([`Random`], in as many runs as [`fuzz_runs`] says), random terms
//! ([`recipe`], [`hardware`]), and small programs, as text ([`language`]) or edge by edge ([`Builder`]).
//!
//! It knows `cfa` only, so that the tests of every crate above it can use it.
//!
//! ```
//! let cfa = kerf_testing::language::program("int x = input(); while (x < 10) x = x + 1; if (x != 10) error();");
//! assert_eq!(cfa.targets.len(), 1);
//! ```

mod builder;
pub mod hardware;
pub mod language;
mod random;
pub mod recipe;

pub use builder::{Builder, object};
pub use random::Random;

/// Number of runs of a test with random programs, terms or files: the value of the environment variable `KERF_FUZZ_RUNS` (`make fuzz` sets
/// it), or `usual` without it.
///
/// # Panics
/// If the variable holds no number.
pub fn fuzz_runs(usual: u64) -> u64 {
    let Some(runs) = std::env::var_os("KERF_FUZZ_RUNS") else { return usual };
    runs.to_str().and_then(|n| n.parse().ok()).expect("KERF_FUZZ_RUNS is a number")
}
