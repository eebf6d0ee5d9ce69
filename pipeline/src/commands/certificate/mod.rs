//! `kerf certificate check`: runs the checker alone, without any search, and lets other solvers repeat its queries.

pub(crate) mod checking;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::cli::{CertificateArgs, CertificateCheckArgs, CertificateCommand, partial};
use crate::commands::{Answer, Session, UNKNOWN, check_readable, judge, print, print_json, program, work};
use crate::config::{Partial, Settings, SolverName};
use crate::external_solver::SecondSolver;
use crate::worker::UserError;
use checking::{Certified, CheckPlan, CheckReport};

/// Exit status for a certificate that proves nothing; the same as for `false`.
const INVALID: u8 = 10;

pub(super) fn run(args: CertificateArgs, session: Session) -> Result<u8> {
    let CertificateCommand::Check(args) = args.command;
    check(args, session)
}

fn check(mut args: CertificateCheckArgs, session: Session) -> Result<u8> {
    args.show.quiet = args.quiet.quiet;
    let options = partial(&args.input, Some(&args.clang), Some(&args.property), None);
    let options = Partial { solver: args.solver.solver, ..options };
    let settings = Settings::resolve(args.input.config.as_deref(), None, options)?;
    if args.sat_proofs && settings.solver.value == SolverName::Z3 {
        return Err(UserError("--sat-proofs: the solver z3 produces no SAT proofs".into()).into());
    }
    let file = std::slice::from_ref(&args.file);
    let program = program(file, &settings)?;
    check_readable(&args.certificate)?;
    let mut second = args.second.as_deref().map(|p| SecondSolver::new(p, args.second_timeout)).transpose()?;
    let queries = Directory::new(args.obligations.as_deref(), second.is_some())?;
    let plan = CheckPlan {
        certificate: args.certificate.clone(),
        solver: settings.solver.value.engine(),
        sat_proofs: args.sat_proofs,
        queries: queries.path().map(Path::to_path_buf),
    };
    let worker = work(&settings, &args.show, &session, |reporter| checking::check(&program, &plan, reporter))?;
    let mut report = match judge(worker, &settings) {
        Answer::Result(report) => report,
        Answer::BadInput(text) => return Err(UserError(text).into()),
        Answer::Nothing(_, reason) => CheckReport::new(Certified::Unknown(reason)),
    };
    if let (Some(second), Certified::Valid(_)) = (&mut second, &report.certified) {
        let limits = settings.limits();
        second.deadline = limits.timeout.map(|time| session.start + time);
        second.memory_bytes = limits.memory_bytes.unwrap_or(u64::MAX);
        repeat(second, &queries, &mut report)?;
    }
    if args.show.json {
        print_json(&report)?;
    } else {
        let text = render(&report, args.obligations.as_deref());
        let answer = text.lines().last().unwrap_or_default();
        print(&if args.show.quiet { format!("{answer}\n") } else { text.clone() })?;
    }
    Ok(match report.certified {
        Certified::Valid(_) => 0,
        Certified::Invalid(_) => INVALID,
        Certified::Unknown(_) => UNKNOWN,
    })
}

/// Asks a second solver about the queries of a certificate that was found valid.
fn repeat(solver: &SecondSolver, queries: &Directory, report: &mut CheckReport) -> Result<()> {
    let (Some(dir), Some(written)) = (queries.path(), &report.queries) else { return Ok(()) };
    let Some(mut second) = solver.ask(&written.paths(dir))? else {
        report.certified = Certified::Unknown("interrupted".into());
        return Ok(());
    };
    let inexpressible = written.inexpressible.iter();
    second.open.extend(inexpressible.map(|reason| (PathBuf::new(), format!("not written: {reason}"))));
    if let Some(query) = second.refuted.first() {
        let about = std::fs::read_to_string(query).context("cannot read a query")?;
        let about: Vec<&str> = about.lines().filter_map(|l| l.strip_prefix(";   ")).collect();
        let what = format!("{} finds a model of a query: {}", second.solver, about.join("; or "));
        report.certified = Certified::Invalid(what);
    }
    report.second = Some(second);
    Ok(())
}

/// The report as text; the answer is the last line.
fn render(report: &CheckReport, written_to: Option<&Path>) -> String {
    let mut out = String::new();
    if let (Some(queries), Some(dir)) = (&report.queries, written_to) {
        let _ = write!(out, "{} queries in {}", queries.files, dir.display());
        let _ = match queries.inexpressible.as_slice() {
            [] => writeln!(out),
            reasons => writeln!(out, ", {} cannot be written: {}", reasons.len(), reasons[0]),
        };
    }
    if let Some(proofs) = &report.sat_proofs {
        let _ = writeln!(out, "{proofs}");
    }
    if let Some(second) = &report.second {
        let _ = writeln!(out, "{}: {}", second.solver, second.summary());
    }
    let _ = match &report.certified {
        Certified::Valid(checked) => writeln!(out, "CERTIFICATE: valid ({checked})"),
        Certified::Invalid(reason) => writeln!(out, "CERTIFICATE: not valid ({reason})"),
        Certified::Unknown(reason) => writeln!(out, "CERTIFICATE: not decided ({reason})"),
    };
    out
}

/// The directory for queries.
enum Directory {
    Nowhere,
    /// The user's directory, which is kept.
    Users(PathBuf),
    Temporary(tempfile::TempDir),
}

impl Directory {
    /// The user's directory, or a temporary one if one is needed.
    ///
    /// # Errors
    /// The directory cannot be created, or contains files, which could be mistaken for queries of this certificate.
    fn new(users: Option<&Path>, needed: bool) -> Result<Directory> {
        let Some(dir) = users else {
            if !needed {
                return Ok(Directory::Nowhere);
            }
            return Ok(Directory::Temporary(tempfile::tempdir().context("cannot make a temporary directory")?));
        };
        let wrong = |what: String| UserError(format!("{}: {what}", dir.display()));
        std::fs::create_dir_all(dir).map_err(|e| wrong(e.to_string()))?;
        let mut entries = std::fs::read_dir(dir).map_err(|e| wrong(e.to_string()))?;
        if entries.next().is_some() {
            return Err(wrong("not empty; the queries need a directory of their own".into()).into());
        }
        Ok(Directory::Users(dir.to_path_buf()))
    }

    fn path(&self) -> Option<&Path> {
        match self {
            Directory::Nowhere => None,
            Directory::Users(path) => Some(path),
            Directory::Temporary(dir) => Some(dir.path()),
        }
    }
}
