//! The options of `kerf certificate`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::cli::{ClangArgs, InputArgs, PropertyArgs, QuietArgs, ShowArgs, SolverArgs};
use crate::limits::parse_duration;

/// Certificates of proofs.
#[derive(Debug, Args)]
pub(crate) struct CertificateArgs {
    #[command(subcommand)]
    pub command: CertificateCommand,
}

impl CertificateArgs {
    /// Whether what the command prints is JSON.
    pub(crate) fn prints_json(&self) -> bool {
        let CertificateCommand::Check(args) = &self.command;
        args.show.json
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum CertificateCommand {
    Check(CertificateCheckArgs),
}

/// Check a certificate against a program, without any search. Exit status: 0 valid, 10 not valid, 20 not decided.
///
/// The last line on standard output is the answer.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  kerf verify --output evidence prog.c\n  \
                        kerf certificate check prog.c evidence/certificate.txt\n  \
                        kerf certificate check --obligations queries --second cvc5 prog.c evidence/certificate.txt")]
pub(crate) struct CertificateCheckArgs {
    /// The program: C (.c, .i), LLVM (.bc, .ll) or an automaton (.cfa).
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The certificate, as `kerf verify --output` writes it.
    #[arg(value_name = "CERTIFICATE")]
    pub certificate: PathBuf,
    #[command(flatten)]
    pub clang: ClangArgs,
    /// Write each query of the check to this directory, which must be new or empty, as an SMT-LIB file. All these files must be
    /// unsatisfiable.
    #[arg(long, value_name = "DIR")]
    pub obligations: Option<PathBuf>,
    /// Ask another SMT solver these queries too: a program that takes the name of an SMT-LIB file, such as cvc5, bitwuzla, z3 or boolector.
    /// If it finds one satisfiable, the certificate is not valid.
    #[arg(long, value_name = "PROGRAM")]
    pub second: Option<PathBuf>,
    /// Time limit of the other solver for each query.
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "10s")]
    pub second_timeout: Duration,
    /// Accept the SAT solver's answer that a query is unsatisfiable only with a checked proof (LRAT).
    #[arg(long)]
    pub sat_proofs: bool,
    #[command(flatten)]
    pub solver: SolverArgs,
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub property: PropertyArgs,
    #[command(flatten)]
    pub show: ShowArgs,
    #[command(flatten)]
    pub quiet: QuietArgs,
}
