//! The layers of a solver, composed: which engine decides a query, and what stands before it.
//!
//! ```text
//! Cached -> Validating -> Racing -> Bits (circuits, CaDiCaL)
//!                            |----> Z3   (what circuits cannot express, or what takes them long)
//! ```

use crate::cache::Cached;
use crate::lazy::Lazy;
use crate::racing::Racing;
use crate::validate::Validating;
use crate::{Bits, Limits, Mode, Preprocessing, Solver, Z3};
use std::time::Duration;

/// The engine that decides the queries which no cache decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// Circuits in CaDiCaL, joined by Z3 where these take long.
    #[default]
    Fast,
    /// Circuits in CaDiCaL alone: queries that they cannot express are [`SolverError::Unsupported`](crate::SolverError::Unsupported).
    Bits,
    /// Z3 alone.
    Z3,
}

/// How answers are checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Validation {
    /// They are not checked.
    Off,
    /// Models are evaluated.
    Models,
    /// Models are evaluated, and Z3 is asked to confirm unsatisfiability, each time within [`SECOND_OPINION`].
    Answers,
}

/// Maximum time for Z3 to confirm an answer.
pub const SECOND_OPINION: Duration = Duration::from_millis(100);

/// The layers of a solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Whether to use answers and models of earlier queries.
    pub cache: bool,
    /// How answers are checked.
    pub validation: Validation,
    /// The engine that decides the queries which the cache does not decide.
    pub engine: Engine,
    /// The steps before circuits are made.
    pub preprocessing: Preprocessing,
    /// Whether CaDiCaL's `Unsat` counts only with a checked proof. Z3 is then asked only what circuits cannot express.
    pub proofs: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            cache: true,
            validation: if cfg!(debug_assertions) { Validation::Answers } else { Validation::Off },
            engine: Engine::default(),
            preprocessing: Preprocessing::default(),
            proofs: false,
        }
    }
}

/// Makes solvers with given limits, in the thread in which they are to work.
pub type Make<'a> = dyn Fn(Limits) -> Box<dyn Solver> + Sync + 'a;

/// The default chain of layers: a cache, validation in debug builds, the default engine.
pub fn standard(limits: Limits) -> Box<dyn Solver> {
    chain(&Options::default(), limits)
}

/// The chain of layers that `options` name.
pub fn chain(options: &Options, limits: Limits) -> Box<dyn Solver> {
    let bits = || {
        let bits = Bits::with(limits, options.preprocessing);
        if options.proofs { bits.proving() } else { bits }
    };
    let engine: Box<dyn Solver> = match options.engine {
        Engine::Fast if options.proofs => Box::new(Racing::new(bits(), Z3::new, limits).without_race()),
        Engine::Fast => Box::new(Racing::new(bits(), Z3::new, limits)),
        Engine::Bits => Box::new(bits()),
        Engine::Z3 => Box::new(Lazy::new(limits, Z3::new)),
    };
    let checked: Box<dyn Solver> = match options.validation {
        Validation::Off => engine,
        Validation::Models => Box::new(Validating::new(engine)),
        Validation::Answers => Box::new(Validating::with_second(engine, second_opinion())),
    };
    if options.cache { Box::new(Cached::new(checked)) } else { checked }
}

fn second_opinion() -> Box<dyn Solver> {
    let limits = Limits { query: Some(SECOND_OPINION), deadline: None };
    Box::new(Lazy::new(limits, |limits| Z3::with_mode(limits, Mode::Incremental)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_queries;
    use kerf_testing::recipe::Menu;

    /// Combinations of layers, by number.
    fn layers(n: u32) -> Options {
        let bit = |i: u32| (n >> i) & 1 == 1;
        let preprocessing = Preprocessing {
            substitution: bit(3),
            common_facts: bit(4),
            comparisons: bit(5),
            sums: bit(6),
            ranges: bit(7),
            independent_parts: bit(8),
        };
        Options {
            cache: bit(0),
            validation: if bit(1) { Validation::Answers } else { Validation::Off },
            engine: if bit(2) { Engine::Fast } else { Engine::Bits },
            preprocessing,
            proofs: bit(9),
        }
    }

    #[test]
    fn every_chain_of_layers_answers_rightly() {
        // The step divides no power of two, so that each layer occurs both present and absent.
        for n in (0..1024).step_by(7) {
            for seed in 0..4 {
                let make = || chain(&layers(n), Limits::default());
                random_queries::check_solver(seed, Menu::Bits, 8, make);
                random_queries::check_solver(seed, Menu::Memory, 5, make);
            }
        }
    }
}
