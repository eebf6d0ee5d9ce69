//! The witnesses that kerf writes.
//!
//! A violation witness is made from the replayed execution. The invariants of a correctness witness are proved once more, as they stand
//! in the text, on the whole program: what does not hold or is not understood is left out, and without a proof in time all are. So a
//! witness says less at worst, but nothing wrong. One without invariants is valid.

use std::path::Path;
use std::time::{Duration, Instant};

use cfa::Cfa;
use cfa::source_map::SourceMap;
use checker::Certificate;
use frontend_llvm::property::{Property, Targets};
use verifier::evidence::replay::Counterexample;

use super::format::{self, Content, Invariant, Task, Witness};
use super::guide::{self, Guide};
use super::{invariants, violation};
use crate::driver::{Guided, Program};
use crate::report::{Evidence, Verdict};
use crate::worker::UserError;

/// Maximum number of attempts to prove the invariants, each without those that were refuted before.
const MAX_ATTEMPTS: usize = 8;
/// The least time for proving them.
const LEAST_TIME: Duration = Duration::from_secs(10);

/// Whether a witness can be written about `program`.
///
/// # Errors
/// Its property or its form has no place in witnesses.
pub fn check(program: &Program) -> Result<(), UserError> {
    let what = match &program.specification.property {
        _ if program.cfa_file().is_some() => "an automaton has no source, which witnesses are about",
        _ if !program.substitutions.is_empty() => "a witness is about the program without --stub and --replace",
        _ if program.automata.is_some() => "specification automata have no place in witnesses",
        Property::UnreachCall(Targets::Label(_)) => "labels have no place in witnesses",
        Property::UnreachCall(_) => return Ok(()),
    };
    Err(UserError(format!("--witness: {what}")))
}

/// The verified program.
pub(crate) struct Verified<'a> {
    pub program: &'a Program,
    pub cfa: &'a Cfa,
    /// The functions whose calls violate the property.
    pub targets: &'a [String],
    /// The loops and variables of the source.
    pub source: &'a SourceMap,
}

impl Verified<'_> {
    /// The content of a witness of the violation.
    pub(crate) fn violation(&self, found: &Counterexample) -> Option<Content> {
        let last = *self.cfa.into(found.target).first()?;
        violation::segments(self.cfa, &found.inputs, last, &|file| self.name(file)).map(Content::Violation)
    }

    /// The content of a witness that the property holds, with invariants that are still to be proved.
    pub(crate) fn correctness(&self, certificate: &Certificate) -> Content {
        Content::Correctness(invariants::candidates(self.cfa, self.source, certificate, &|file| self.name(file)))
    }

    /// The name of a source file in witnesses: as it was given on the command line, if it was.
    fn name(&self, file: &str) -> String {
        let given = self.program.files.iter().find(|given| given.ends_with(file) || Path::new(file).ends_with(given));
        given.map_or_else(|| file.to_string(), |given| given.display().to_string())
    }

    /// A witness with this content.
    pub(crate) fn witness(&self, content: Content) -> Result<Witness, String> {
        let mut files = Vec::new();
        for file in &self.program.files {
            let bytes = std::fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
            files.push((file.display().to_string(), format::sha256(&bytes)));
        }
        let target = match &self.program.specification.property {
            Property::UnreachCall(Targets::Function(name)) => name.clone(),
            Property::UnreachCall(_) => self.targets.first().cloned().unwrap_or_else(|| "reach_error".into()),
        };
        let specification = format!("CHECK( init({}()), LTL(G ! call({target}())) )", self.program.entry);
        let data_model = if self.cfa.pointer_bits == 32 { "ILP32" } else { "LP64" };
        let task = Task { files, specification, data_model: data_model.into() };
        Ok(Witness { task, content })
    }
}

/// The witness with those of its invariants that `prove` proves; `elapsed` is the time that the first proof took. `prove` verifies the
/// program under a guide, at most until a deadline, and is called in the parent: each proof has a worker of its own, whose end cannot take
/// the answer with it.
pub(crate) fn proved(
    witness: Witness,
    elapsed: Duration,
    prove: &mut dyn FnMut(Guide, Instant) -> Option<Guided>,
) -> Witness {
    let Witness { task, content: Content::Correctness(mut list) } = witness else { return witness };
    let end = Instant::now() + (2 * elapsed).max(LEAST_TIME);
    for _ in 0..MAX_ATTEMPTS {
        if list.is_empty() || Instant::now() >= end {
            break;
        }
        let Some(Guided { report, doubts, .. }) = prove(Guide::Require(list.clone()), end) else { break };
        let mut wrong: Vec<usize> = doubts.into_iter().filter_map(|doubt| doubt.index).collect();
        match report.verdict {
            Verdict::True if wrong.is_empty() => return Witness { task, content: Content::Correctness(list) },
            Verdict::False { property } => wrong.extend(guide::refuted(&property)),
            Verdict::True | Verdict::Unknown { .. } => {}
        }
        if wrong.is_empty() {
            break;
        }
        let mut numbered = 0..;
        list.retain(|_| numbered.next().is_none_or(|i| !wrong.contains(&i)));
    }
    Witness { task, content: Content::Correctness(Vec::new()) }
}

/// Writes a witness.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn write(witness: &Witness, path: &Path) -> Result<Evidence, String> {
    std::fs::write(path, format::write(witness)).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(Evidence { kind: "witness".into(), path: path.display().to_string() })
}

/// The invariants of a witness that is given as hints.
///
/// # Errors
/// The file is no witness, or one of a violation.
pub fn hints(path: &Path) -> Result<Vec<Invariant>, UserError> {
    match format::read(path)?.content {
        Content::Correctness(invariants) => Ok(invariants),
        Content::Violation(_) => {
            Err(UserError(format!("{}: a witness of a violation has no invariants to hint at", path.display())))
        }
    }
}
