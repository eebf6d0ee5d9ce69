//! The options of `kerf verify`, which other commands share in part.

use std::path::PathBuf;

use clap::Args;

use crate::cli::{InputArgs, ProgramArgs, PropertyArgs, QuietArgs, ShowArgs};
use crate::config::{Optimise, Partial, SolverName};
use crate::strategy::{self, Chosen};

const VERIFY_EXAMPLES: &str = "Examples:\n  kerf verify prog.c\n  kerf verify --data-model ILP32 --timeout 60s prog.i\n  \
                               kerf verify prog.c -- -DN=10 -Iinclude\n  \
                               kerf verify --property unreach-call.prp --output evidence prog.bc\n  \
                               kerf verify --strategy value+symbolic,merge=agree prog.c";

/// Prove or refute a property of a program.
///
/// The last line on standard output is the verdict: `RESULT: true`, `RESULT: false(unreach-call)` or
/// `RESULT: unknown (reason)`. Exit status: 0 true, 10 false, 20 unknown, 1 bad input, 2 a bug in kerf.
#[derive(Debug, Args)]
#[command(after_help = VERIFY_EXAMPLES, after_long_help = format!("{VERIFY_EXAMPLES}\n\n{}", strategy::HELP))]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub property: PropertyArgs,
    #[command(flatten)]
    pub strategy: StrategyArgs,
    #[command(flatten)]
    pub optimise: OptimiseArgs,
    #[command(flatten)]
    pub results: ResultArgs,
    #[command(flatten)]
    pub show: ShowArgs,
    #[command(flatten)]
    pub quiet: QuietArgs,
}

#[derive(Debug, Args)]
pub(crate) struct StrategyArgs {
    /// The strategy: auto, bmc, k-induction, k-induction-plain, contracts, impact, imc, pdr, explicit, or a composition of analyses, by its name
    /// (invariants; predicate, predicate-cartesian, predicate-sbe, predicate-slicing; symex-merged; symex or value, with -slicing, -cegar or -cegar-slicing), its parts (value+symbolic) or a TOML file; settings may follow, each as
    /// ,KEY=VALUE [default: auto]
    #[arg(long, value_name = "STRATEGY", value_parser = strategy::read)]
    pub strategy: Option<Chosen>,
    /// Verify the whole program instead of its slice.
    #[arg(long)]
    pub no_slice: bool,
    #[command(flatten)]
    pub solver: SolverArgs,
}

#[derive(Debug, Args)]
pub(crate) struct OptimiseArgs {
    /// Optimise the program with LLVM, slice it, optimise the slice, and verify what is left. The answer then rests on the
    /// optimisations: they may use undefined behaviour to remove an error [default: none]
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub optimise: Option<Optimise>,
}

#[derive(Debug, Args)]
pub(crate) struct SolverArgs {
    /// The solver for formulas: circuits in CaDiCaL, joined by Z3 for slow queries, or one of them alone [default: fast]
    #[arg(long)]
    pub solver: Option<SolverName>,
}

/// What there is beside the answer. A configuration file can hold these too.
#[derive(Debug, Clone, Args)]
pub(crate) struct ResultArgs {
    /// Write the evidence (certificate, counterexample, harness), statistics.json, report.html and the effective configuration
    /// (kerf.toml) into this directory. If there is a violation, the harness is also compiled with the program and run.
    #[arg(long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Write a witness of the verdict into this file, in SV-COMP's format.
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,
    /// Try the invariants of this correctness witness, which may be wrong, in the proof.
    #[arg(long, value_name = "WITNESS")]
    pub hints: Option<PathBuf>,
    /// Look for a smaller counterexample: fewer inputs, smaller values, fewer steps. It is replayed like any other.
    #[arg(long)]
    pub shrink: bool,
    /// Do not look whether executions come to the places where a proved property is checked.
    #[arg(long)]
    pub no_vacuity: bool,
    /// Write the answer into this file as SARIF 2.1.0: a violation with its path, for editors and code hosts.
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    /// Write a unit test into this C file if there is a violation: it includes the program, fails as long as the counterexample's inputs
    /// lead to the violation, and passes once the program is mended.
    #[arg(long, value_name = "FILE")]
    pub unit_test: Option<PathBuf>,
}

impl ResultArgs {
    /// Adds these settings, and the optimisations, which only `kerf verify` has, too.
    pub(crate) fn over(&self, optimise: &OptimiseArgs, settings: Partial) -> Partial {
        let ResultArgs { output, witness, hints, shrink, no_vacuity, sarif, unit_test } = self.clone();
        let (shrink, vacuity) = (shrink.then_some(true), no_vacuity.then_some(false));
        Partial { optimise: optimise.optimise, output, witness, hints, shrink, vacuity, sarif, unit_test, ..settings }
    }
}
