//! CaDiCaL's proofs, checked while they are produced.
//!
//! With each clause that it derives, CaDiCaL reports those from which it follows; `crate::lrat` checks that it does. The
//! clauses that it takes as axioms must be among those that it was given; clauses that it removes and restores must have been
//! there. An answer under assumptions ends in a clause of negated assumptions, which is the core.
//!
//! The relation between clauses and the query is not covered: the circuits and the steps before them are trusted.

use crate::lrat::{ClauseId, Literal, Lrat, Wrong};
use crate::solver::SolverError;
use rustc_hash::FxHashMap;
use rustsat::types::Lit as SatLit;
use rustsat_cadical::{CaDiCaL, CaDiCaLClause, ClauseId as CaDiCaLId, ProofTracerHandle, TraceProof};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// The proof of one solver.
pub(crate) struct Proof {
    handle: ProofTracerHandle<Tracer>,
    journal: Rc<RefCell<Journal>>,
}

impl Proof {
    /// Connects to `solver`, which must be new, and checks what it reports.
    pub(crate) fn of(solver: &mut CaDiCaL<'static, 'static>) -> Proof {
        let journal: Rc<RefCell<Journal>> = Rc::default();
        let handle = solver.connect_proof_tracer(Tracer(journal.clone()), true);
        Proof { handle, journal }
    }

    /// Disconnects from `solver`.
    pub(crate) fn end(self, solver: &mut CaDiCaL<'static, 'static>) {
        // An error would mean that it is not connected, which is the goal.
        let _ = solver.disconnect_proof_tracer(self.handle);
    }

    /// Announces the next clause that is given to the solver.
    pub(crate) fn give(&self, clause: &[SatLit]) {
        self.journal.borrow_mut().given.push_back(literals(clause.iter().copied()));
    }

    /// Begins a query.
    pub(crate) fn begin(&self) {
        self.journal.borrow_mut().conclusion = None;
    }

    /// The number of checked steps.
    pub(crate) fn steps(&self) -> u64 {
        self.journal.borrow().lrat.steps()
    }

    /// Those of `assumptions` that the proof has shown to contradict the given clauses.
    ///
    /// Errors: `Failed` if there is no such proof, or one of its steps is incorrect.
    pub(crate) fn core(&self, assumptions: &[SatLit]) -> Result<Vec<SatLit>, SolverError> {
        let failed = |what: String| Err(SolverError::Failed(format!("the SAT solver's proof is wrong: {what}")));
        let journal = self.journal.borrow();
        if let Some(wrong) = &journal.wrong {
            return failed(wrong.clone());
        }
        if journal.lrat.is_contradictory() {
            return Ok(Vec::new());
        }
        let Some(conclusion) = &journal.conclusion else { return failed("it ends without a contradiction".into()) };
        let core: Vec<SatLit> =
            assumptions.iter().copied().filter(|l| conclusion.contains(&(!*l).to_ipasir())).collect();
        if conclusion.iter().any(|l| !core.iter().any(|a| (!*a).to_ipasir() == *l)) {
            return failed("it ends in a clause that is not about the assumptions".into());
        }
        Ok(core)
    }
}

/// The literals in ascending order without duplicates, so that equivalent clauses are equal.
fn literals(clause: impl Iterator<Item = SatLit>) -> Vec<Literal> {
    let mut all: Vec<Literal> = clause.map(SatLit::to_ipasir).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// What the solver has reported so far.
#[derive(Default)]
struct Journal {
    lrat: Lrat,
    /// Clauses that the solver was given and has not reported yet.
    given: VecDeque<Vec<Literal>>,
    /// Clauses that it may restore.
    removed: FxHashMap<ClauseId, Box<[Literal]>>,
    /// The clause of negated assumptions in which the last query ended.
    conclusion: Option<Vec<Literal>>,
    /// The first incorrect step.
    wrong: Option<String>,
}

impl Journal {
    fn note(&mut self, step: Result<(), Wrong>) {
        if let Err(wrong) = step {
            self.wrong.get_or_insert_with(|| wrong.to_string());
        }
    }

    fn original(&mut self, id: ClauseId, clause: &[Literal]) {
        // The solver need not use all clauses: leaving out a given clause is harmless.
        while let Some(given) = self.given.pop_front() {
            if given == clause {
                let step = self.lrat.axiom(id, clause);
                return self.note(step);
            }
        }
        self.wrong.get_or_insert_with(|| format!("clause {id} was not given"));
    }

    fn restore(&mut self, id: ClauseId) {
        match self.removed.get(&id) {
            // A clause may be restored before it is deleted.
            Some(_) if self.lrat.clause(id).is_some() => {}
            Some(clause) => {
                let step = self.lrat.axiom(id, clause);
                self.note(step);
            }
            None => drop(self.wrong.get_or_insert_with(|| format!("clause {id} is restored, but was not removed"))),
        }
    }
}

struct Tracer(Rc<RefCell<Journal>>);

impl TraceProof for Tracer {
    fn add_original_clause(&mut self, id: CaDiCaLId, _redundant: bool, clause: &CaDiCaLClause<'_>, restored: bool) {
        let mut journal = self.0.borrow_mut();
        if restored { journal.restore(id.0) } else { journal.original(id.0, &literals(clause.iter())) }
    }

    fn add_derived_clause(
        &mut self,
        id: CaDiCaLId,
        _redundant: bool,
        clause: &CaDiCaLClause<'_>,
        antecedents: &[CaDiCaLId],
    ) {
        let hints: Vec<ClauseId> = antecedents.iter().map(|a| a.0).collect();
        let mut journal = self.0.borrow_mut();
        let step = journal.lrat.derive(id.0, &literals(clause.iter()), &hints);
        journal.note(step);
    }

    fn delete_clause(&mut self, id: CaDiCaLId, _redundant: bool, _clause: &CaDiCaLClause<'_>) {
        let mut journal = self.0.borrow_mut();
        let step = journal.lrat.delete(id.0);
        journal.note(step);
    }

    fn weaken_minus(&mut self, id: CaDiCaLId, _clause: &CaDiCaLClause<'_>) {
        let mut journal = self.0.borrow_mut();
        if let Some(clause) = journal.lrat.clause(id.0).map(Box::from) {
            journal.removed.insert(id.0, clause);
        }
    }

    fn add_assumption_clause(&mut self, id: CaDiCaLId, clause: &CaDiCaLClause<'_>, antecedents: &[CaDiCaLId]) {
        let hints: Vec<ClauseId> = antecedents.iter().map(|a| a.0).collect();
        let clause = literals(clause.iter());
        let mut journal = self.0.borrow_mut();
        let step = journal.lrat.follows(id.0, &clause, &hints);
        journal.note(step);
        journal.conclusion = Some(clause);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Bits;
    use crate::random_queries::check_solver;
    use crate::{Answer, Limits, Solver, Z3};
    use cfa::bv::{BvCmp, BvOp};
    use cfa::{Sort, Term, Terms};
    use kerf_testing::Random;
    use kerf_testing::recipe::Menu;
    use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
    use rustsat::types::Cl;

    #[test]
    fn proofs_of_random_queries_are_accepted() {
        for seed in 0..60 {
            check_solver(seed, Menu::Bits, 12, || Box::new(Bits::new(Limits::default()).proving()));
            check_solver(seed, Menu::Memory, 8, || Box::new(Bits::new(Limits::default()).proving()));
        }
    }

    /// `x * y = n` for factors of `width` bits that are not one.
    fn factors(terms: &mut Terms, x: Term, y: Term, n: u64) -> Term {
        let width = terms.width(x);
        let (wx, wy) = (terms.zext(2 * width, x), terms.zext(2 * width, y));
        let product = terms.bv_op(BvOp::Mul, wx, wy);
        let (n, one) = (terms.int(2 * width, n), terms.int(width, 1));
        let equation = terms.eq(product, n);
        let proper = [x, y].map(|f| terms.cmp(BvCmp::Ult, one, f));
        let both = terms.and(proper[0], proper[1]);
        terms.and(equation, both)
    }

    /// Searches in which CaDiCaL uses all its techniques, with queries that build on earlier ones: factors of numbers,
    /// some of them prime.
    #[test]
    fn proofs_of_long_searches_are_accepted() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.fresh(name, Sort::Bv(12)));
        let mut solver = Bits::new(Limits::default()).proving();
        let mut answers = Vec::new();
        for n in [1_030_301, 999_983, 1_018_081, 1_022_117, 1_048_573] {
            let query = factors(&mut terms, x, y, n);
            let factor = (2..4096).any(|d| n % d == 0 && n / d < 4096);
            let answer = solver.check(&terms, &[query]);
            assert_eq!(answer, Ok(if factor { Answer::Sat } else { Answer::Unsat }), "{n}");
            answers.extend(answer);
        }
        let refuted = answers.iter().filter(|a| **a == Answer::Unsat).count() as u64;
        let statistics = solver.statistics();
        assert_eq!((statistics.proved, statistics.refuted), (refuted, refuted));
        assert!(refuted > 1 && refuted < answers.len() as u64 && statistics.proof_steps > 10_000, "{statistics:?}");
    }

    /// Cores come from proofs: they suffice for another solver.
    #[test]
    fn cores_are_proved() {
        let mut terms = Terms::new();
        let vars: Vec<Term> = (0..6).map(|i| terms.fresh(format!("x{i}"), Sort::Bv(5))).collect();
        let mut rng = Random::new(7);
        let mut solver = Bits::new(Limits::default()).proving();
        let mut smaller = 0;
        for _ in 0..40 {
            let mut pick = || vars[rng.below(6) as usize];
            let order: Vec<Term> = (0..9).map(|_| terms.cmp(BvCmp::Ult, pick(), pick())).collect();
            if solver.check(&terms, &order) == Ok(Answer::Unsat) {
                let core = solver.core();
                smaller += usize::from(core.len() < order.len());
                assert_eq!(Z3::new(Limits::default()).unwrap().check(&terms, &core), Ok(Answer::Unsat));
            }
        }
        assert!(smaller > 5 && solver.statistics().proved > 0, "{smaller} {:?}", solver.statistics());
    }

    /// An event that a solver reports.
    #[derive(Clone)]
    enum Event {
        Given(ClauseId, Vec<Literal>),
        Derived(ClauseId, Vec<Literal>, Vec<ClauseId>),
        Deleted(ClauseId),
        Concluded(Vec<Literal>, Vec<ClauseId>),
    }

    struct Recorder(Rc<RefCell<Vec<Event>>>);

    impl TraceProof for Recorder {
        fn add_original_clause(&mut self, id: CaDiCaLId, _: bool, clause: &CaDiCaLClause<'_>, _: bool) {
            self.0.borrow_mut().push(Event::Given(id.0, literals(clause.iter())));
        }
        fn add_derived_clause(&mut self, id: CaDiCaLId, _: bool, clause: &CaDiCaLClause<'_>, hints: &[CaDiCaLId]) {
            let hints = hints.iter().map(|h| h.0).collect();
            self.0.borrow_mut().push(Event::Derived(id.0, literals(clause.iter()), hints));
        }
        fn delete_clause(&mut self, id: CaDiCaLId, _: bool, _: &CaDiCaLClause<'_>) {
            self.0.borrow_mut().push(Event::Deleted(id.0));
        }
        fn add_assumption_clause(&mut self, _: CaDiCaLId, clause: &CaDiCaLClause<'_>, hints: &[CaDiCaLId]) {
            let hints = hints.iter().map(|h| h.0).collect();
            self.0.borrow_mut().push(Event::Concluded(literals(clause.iter()), hints));
        }
    }

    /// The pigeonhole problem: each pigeon has a hole of its own, unless the first variable is false.
    fn pigeons(pigeons: i32, holes: i32) -> Vec<Vec<Literal>> {
        let sits = |p: i32, h: i32| 2 + p * holes + h;
        let mut clauses: Vec<Vec<Literal>> =
            (0..pigeons).map(|p| std::iter::once(-1).chain((0..holes).map(|h| sits(p, h))).collect()).collect();
        for h in 0..holes {
            for p in 0..pigeons {
                clauses.extend((0..p).map(|q| vec![-1, -sits(p, h), -sits(q, h)]));
            }
        }
        clauses
    }

    fn lits(clause: &[Literal]) -> Vec<SatLit> {
        clause.iter().map(|l| SatLit::from_ipasir(*l).expect("a literal")).collect()
    }

    /// Each step of a proof is corrupted in every way: a corrupted step that is accepted must follow all the same.
    #[test]
    fn corrupted_steps_are_noticed() {
        let clauses = pigeons(4, 3);
        let mut solver = CaDiCaL::default();
        let events: Rc<RefCell<Vec<Event>>> = Rc::default();
        let handle = solver.connect_proof_tracer(Recorder(events.clone()), true);
        for clause in &clauses {
            solver.add_clause_ref(Cl::new(&lits(clause)[..])).unwrap();
        }
        assert_eq!(solver.solve_assumps(&lits(&[1])).unwrap(), SolverResult::Unsat);
        let _ = solver.disconnect_proof_tracer(handle);
        // Assignments of the 13 variables, as bits.
        let holds = |clause: &[Literal], model: u32| {
            clause.iter().any(|l| ((model >> (l.unsigned_abs() - 1)) & 1 == 1) == (*l > 0))
        };
        let models: Vec<u32> = (0..1 << 13).filter(|m| clauses.iter().all(|c| holds(c, *m))).collect();
        let (mut proof, mut concluded) = (Lrat::new(), false);
        let (mut accepted, mut rejected) = (0, 0);
        let events = events.borrow().clone();
        for event in &events {
            let (clause, hints) = match event {
                Event::Given(id, clause) => {
                    proof.axiom(*id, clause).unwrap();
                    continue;
                }
                Event::Deleted(id) => {
                    proof.delete(*id).unwrap();
                    continue;
                }
                Event::Derived(_, clause, hints) | Event::Concluded(clause, hints) => (clause, hints),
            };
            proof.follows(0, clause, hints).unwrap();
            concluded |= clause == &[-1];
            let mut bent: Vec<(Vec<Literal>, Vec<ClauseId>)> = Vec::new();
            for i in 0..hints.len() {
                let (mut fewer, mut other) = (hints.clone(), hints.clone());
                fewer.remove(i);
                other[i] = 1 + (other[i] + 3) % clauses.len() as i64;
                bent.extend([(clause.clone(), fewer), (clause.clone(), other)]);
            }
            for i in 0..clause.len() {
                let (mut shorter, mut flipped) = (clause.clone(), clause.clone());
                shorter.remove(i);
                flipped[i] = -flipped[i];
                bent.extend([(shorter, hints.clone()), (flipped, hints.clone())]);
            }
            for (clause, hints) in bent {
                match proof.follows(0, &clause, &hints) {
                    Ok(()) => {
                        accepted += 1;
                        assert!(models.iter().all(|m| holds(&clause, *m)), "{clause:?} by {hints:?}");
                    }
                    Err(_) => rejected += 1,
                }
            }
            if let Event::Derived(id, clause, hints) = event {
                proof.derive(*id, clause, hints).unwrap();
            }
        }
        assert!(concluded && rejected > 50 && rejected > accepted, "{rejected} rejected, {accepted} accepted");
    }

    #[test]
    fn clauses_that_were_not_given_are_noticed() {
        for hidden in [false, true] {
            let mut solver = CaDiCaL::default();
            let proof = Proof::of(&mut solver);
            for (i, clause) in pigeons(4, 3).iter().enumerate() {
                let clause = lits(clause);
                if !hidden || i != 2 {
                    proof.give(&clause);
                }
                solver.add_clause_ref(Cl::new(&clause[..])).unwrap();
            }
            proof.begin();
            let assumptions = lits(&[1]);
            assert_eq!(solver.solve_assumps(&assumptions).unwrap(), SolverResult::Unsat);
            let core = proof.core(&assumptions);
            let other = proof.core(&lits(&[2]));
            proof.end(&mut solver);
            if hidden {
                assert!(core.unwrap_err().to_string().contains("was not given"));
            } else {
                assert_eq!(core, Ok(assumptions));
                assert!(other.unwrap_err().to_string().contains("not about the assumptions"));
            }
        }
    }
}
