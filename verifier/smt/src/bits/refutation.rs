//! Refutations by resolution: CaDiCaL's proof that clauses contradict each other, kept as a whole.
//!
//! `proof` checks each step while it is made and forgets it. Interpolation (`crate::interpolation`) reads a proof backwards, so
//! that this module keeps all clauses with their antecedents, and then the core: what the empty clause depends on.
//!
//! Every step must be a chain of resolutions. Steps that only preserve satisfiability are refused (negative antecedents), and
//! bounded variable addition, which introduces variables, is switched off.

use super::deadline::Deadline;
use crate::lrat::{ClauseId, Literal};
use crate::solver::SolverError;
use rustc_hash::FxHashMap;
use rustsat::solvers::{ControlSignal, Solve, SolverResult, Terminate};
use rustsat::types::{Cl, Lit as SatLit};
use rustsat_cadical::{CaDiCaL, CaDiCaLClause, ClauseId as CaDiCaLId, TraceProof};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Maximum number of literals and antecedents of a proof that is kept, 4 and 8 bytes each.
const MAX_PROOF_LENGTH: usize = 20_000_000;

/// CaDiCaL's techniques whose steps are no resolutions.
const NO_RESOLUTION: [&str; 1] = ["factor"];

/// Where a clause of a refutation comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// It was given, as the clause with this index.
    Given(usize),
    /// It follows from earlier clauses of the refutation, by their positions: in this order, each of them propagates one more
    /// literal once the clause's own literals are false, and the last one is then false itself.
    Derived(Vec<u32>),
}

/// A clause of a refutation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    /// Its literals: numbers of variables from 1 on, negative for negations.
    pub(crate) clause: Vec<Literal>,
    /// Where it comes from.
    pub(crate) origin: Origin,
}

/// The core of a proof: the clauses on which the empty clause depends, which is the last one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Refutation {
    /// The clauses, those that are derived after those from which they follow.
    pub(crate) steps: Vec<Step>,
}

/// Refutes `clauses`, or returns `None` if they can be satisfied.
///
/// Errors: `Unknown` if the time is over or the proof too long; `Failed` if the proof has a step that is no chain of resolutions,
/// or lacks one.
pub(crate) fn refute(clauses: &[Vec<Literal>], deadline: &Deadline) -> Result<Option<Refutation>, SolverError> {
    let mut solver: CaDiCaL<'static, 'static> = CaDiCaL::default();
    for option in NO_RESOLUTION {
        // A solver without the option has nothing to switch off.
        let _ = solver.set_option(option, 0);
    }
    let too_long = Arc::new(AtomicBool::new(false));
    let (ends, time) = (too_long.clone(), deadline.clone());
    solver.attach_terminator(move || {
        if time.over() || ends.load(Ordering::Relaxed) { ControlSignal::Terminate } else { ControlSignal::Continue }
    });
    let record = Rc::new(RefCell::new(Record { too_long: too_long.clone(), ..Record::default() }));
    let handle = solver.connect_proof_tracer(Tracer(record.clone()), true);
    for (i, clause) in clauses.iter().enumerate() {
        let lits: Result<Vec<SatLit>, _> = clause.iter().map(|l| SatLit::from_ipasir(*l)).collect();
        let lits = lits.map_err(failed)?;
        record.borrow_mut().given.push_back((i, normal(&lits)));
        solver.add_clause_ref(Cl::new(&lits[..])).map_err(failed)?;
    }
    let result = solver.solve().map_err(failed)?;
    // An error would mean that it is not connected, which is the goal.
    let _ = solver.disconnect_proof_tracer(handle);
    match result {
        SolverResult::Sat => Ok(None),
        SolverResult::Interrupted if too_long.load(Ordering::Relaxed) => {
            Err(SolverError::Unknown("the proof is too long".into()))
        }
        SolverResult::Interrupted => Err(deadline.reason()),
        SolverResult::Unsat => record.borrow().core().map(Some),
    }
}

fn failed(e: impl std::fmt::Display) -> SolverError {
    SolverError::Failed(format!("CaDiCaL: {e}"))
}

/// The literals in ascending order without duplicates, so that equivalent clauses are equal.
fn normal(clause: &[SatLit]) -> Vec<Literal> {
    let mut all: Vec<Literal> = clause.iter().map(|l| l.to_ipasir()).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Where the solver says that a clause comes from.
#[derive(Clone)]
enum Reported {
    Given(usize),
    /// It follows from those at these places of [`Record::antecedents`].
    Derived(Range<usize>),
}

/// What the solver has reported.
#[derive(Default)]
struct Record {
    /// For each clause, where its literals are, and where it comes from.
    clauses: FxHashMap<ClauseId, (Range<usize>, Reported)>,
    literals: Vec<Literal>,
    antecedents: Vec<ClauseId>,
    /// Clauses that the solver was given and has not reported yet.
    given: VecDeque<(usize, Vec<Literal>)>,
    /// The empty clause.
    empty: Option<ClauseId>,
    too_long: Arc<AtomicBool>,
    /// What is wrong with the proof.
    wrong: Option<String>,
}

impl Record {
    fn add(&mut self, id: ClauseId, clause: &[Literal], origin: Reported) {
        if self.literals.len() + self.antecedents.len() + clause.len() > MAX_PROOF_LENGTH {
            self.too_long.store(true, Ordering::Relaxed);
            return;
        }
        if clause.is_empty() && self.empty.is_none() {
            self.empty = Some(id);
        }
        let begin = self.literals.len();
        self.literals.extend_from_slice(clause);
        // A clause that is restored has the number and the literals that it had.
        self.clauses.entry(id).or_insert((begin..begin + clause.len(), origin));
    }

    fn original(&mut self, id: ClauseId, clause: &[Literal]) {
        // The solver need not use all clauses.
        while let Some((i, given)) = self.given.pop_front() {
            if given == clause {
                return self.add(id, clause, Reported::Given(i));
            }
        }
        self.wrong.get_or_insert_with(|| format!("clause {id} was not given"));
    }

    fn derived(&mut self, id: ClauseId, clause: &[Literal], from: impl IntoIterator<Item = ClauseId>) {
        let begin = self.antecedents.len();
        self.antecedents.extend(from);
        self.add(id, clause, Reported::Derived(begin..self.antecedents.len()));
    }

    /// The clauses on which the empty clause depends.
    fn core(&self) -> Result<Refutation, SolverError> {
        let wrong = |what: String| SolverError::Failed(format!("the SAT solver's proof is wrong: {what}"));
        if let Some(what) = &self.wrong {
            return Err(wrong(what.clone()));
        }
        let empty = self.empty.ok_or_else(|| wrong("it has no empty clause".into()))?;
        let mut needed: Vec<ClauseId> = Vec::new();
        let mut place: FxHashMap<ClauseId, u32> = FxHashMap::default();
        let mut stack = vec![empty];
        while let Some(id) = stack.pop() {
            if place.insert(id, 0).is_some() {
                continue;
            }
            needed.push(id);
            match self.clauses.get(&id) {
                None if id < 0 => return Err(wrong("a step is no resolution".into())),
                None => return Err(wrong(format!("clause {id} does not exist"))),
                Some((_, Reported::Derived(from))) => {
                    let from = &self.antecedents[from.clone()];
                    if let Some(later) = from.iter().find(|f| **f >= id) {
                        return Err(wrong(format!("clause {id} follows from a later one, {later}")));
                    }
                    stack.extend(from);
                }
                Some((_, Reported::Given(_))) => {}
            }
        }
        needed.sort_unstable();
        for (n, id) in (0..).zip(&needed) {
            place.insert(*id, n);
        }
        let step = |id: &ClauseId| {
            let (clause, origin) = self.clauses[id].clone();
            let origin = match origin {
                Reported::Given(i) => Origin::Given(i),
                Reported::Derived(from) => Origin::Derived(self.antecedents[from].iter().map(|f| place[f]).collect()),
            };
            Step { clause: self.literals[clause].to_vec(), origin }
        };
        Ok(Refutation { steps: needed.iter().map(step).collect() })
    }
}

struct Tracer(Rc<RefCell<Record>>);

impl TraceProof for Tracer {
    fn add_original_clause(&mut self, id: CaDiCaLId, _redundant: bool, clause: &CaDiCaLClause<'_>, restored: bool) {
        if !restored {
            let lits: Vec<SatLit> = clause.iter().collect();
            self.0.borrow_mut().original(id.0, &normal(&lits));
        }
    }

    fn add_derived_clause(
        &mut self,
        id: CaDiCaLId,
        _redundant: bool,
        clause: &CaDiCaLClause<'_>,
        antecedents: &[CaDiCaLId],
    ) {
        let lits: Vec<SatLit> = clause.iter().collect();
        self.0.borrow_mut().derived(id.0, &normal(&lits), antecedents.iter().map(|a| a.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lrat::Lrat;

    /// Each pigeon has a hole of its own.
    fn pigeons(pigeons: i32, holes: i32) -> Vec<Vec<Literal>> {
        let sits = |p: i32, h: i32| 1 + p * holes + h;
        let mut clauses: Vec<Vec<Literal>> = (0..pigeons).map(|p| (0..holes).map(|h| sits(p, h)).collect()).collect();
        for h in 0..holes {
            for p in 0..pigeons {
                clauses.extend((0..p).map(|q| vec![-sits(p, h), -sits(q, h)]));
            }
        }
        clauses
    }

    #[test]
    fn refutations_are_proofs() {
        for n in 2..7 {
            let clauses = pigeons(n, n - 1);
            let refutation = refute(&clauses, &Deadline::new()).unwrap().unwrap();
            let mut proof = Lrat::new();
            for (id, step) in (1..).zip(&refutation.steps) {
                match &step.origin {
                    Origin::Given(i) => {
                        let mut given = clauses[*i].clone();
                        given.sort_unstable();
                        assert_eq!(step.clause, given);
                        proof.axiom(id, &step.clause).unwrap();
                    }
                    Origin::Derived(from) => {
                        let hints: Vec<ClauseId> = from.iter().map(|f| ClauseId::from(*f) + 1).collect();
                        proof.derive(id, &step.clause, &hints).unwrap();
                    }
                }
            }
            assert!(proof.is_contradictory());
            assert_eq!(refute(&pigeons(n, n), &Deadline::new()), Ok(None));
        }
    }

    #[test]
    fn steps_that_are_no_resolutions_are_refused() {
        let mut record = Record::default();
        record.given.push_back((0, vec![1]));
        record.original(1, &[1]);
        record.derived(2, &[], [1, -1]);
        assert!(record.core().unwrap_err().to_string().contains("no resolution"));
    }

    #[test]
    fn an_interruption_ends_the_search() {
        let deadline = Deadline::new();
        deadline.interrupter().interrupt();
        assert_eq!(refute(&pigeons(12, 11), &deadline), Err(SolverError::Unknown("interrupted".into())));
    }
}
