//! Proofs that clauses contradict each other, checked step by step.
//!
//! A proof is a list of clauses with hints, which are earlier clauses. A step is correct if its clause follows from its hints
//! by unit propagation: once all literals of the clause are assumed to be false, each hint in turn has exactly one literal
//! that is not false yet, which becomes true, until a hint has none. This is LRAT without its RAT steps (Cruz-Filipe, Heule,
//! Hunt, Kaufmann, Schneider-Kamp: Efficient certified RAT verification, CADE 2017); solvers that introduce no variables need
//! no more. Each clause derived is satisfied by all models of the axioms, so deletions are harmless.
//!
//! This module neither knows a solver nor shares code with one.

use rustc_hash::FxHashMap;

/// The number of a clause.
pub type ClauseId = i64;

/// A variable, or its negation if negative; never zero.
pub type Literal = i32;

/// Why a step is incorrect.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Wrong {
    /// A literal is zero or out of range.
    #[error("clause {0} has an invalid literal")]
    Literal(ClauseId),
    /// Two clauses have the same number.
    #[error("clause {0} already exists")]
    Taken(ClauseId),
    /// There is no such clause, or it was deleted.
    #[error("clause {0} does not exist")]
    Missing(ClauseId),
    /// A hint has several literals that are not false.
    #[error("clause {0} does not follow: its hint {1} propagates nothing")]
    Idle(ClauseId, ClauseId),
    /// The hints end before a contradiction.
    #[error("clause {0} does not follow from its hints")]
    Open(ClauseId),
}

/// The current state of a proof: the clauses that hold.
#[derive(Default, Debug)]
pub struct Lrat {
    clauses: FxHashMap<ClauseId, Box<[Literal]>>,
    /// Whether each literal is true, by its [`code`]; only used while a step is checked.
    holds: Vec<bool>,
    /// The literals that are true.
    trail: Vec<Literal>,
    contradiction: bool,
    steps: u64,
}

impl Lrat {
    /// An empty proof.
    pub fn new() -> Lrat {
        Lrat::default()
    }

    /// Adds a clause as an axiom.
    ///
    /// Errors: `Literal` and `Taken`.
    pub fn axiom(&mut self, id: ClauseId, clause: &[Literal]) -> Result<(), Wrong> {
        if clause.iter().any(|l| *l == 0 || *l == Literal::MIN) {
            return Err(Wrong::Literal(id));
        }
        if self.clauses.contains_key(&id) {
            return Err(Wrong::Taken(id));
        }
        self.contradiction |= clause.is_empty();
        self.clauses.insert(id, clause.into());
        Ok(())
    }

    /// Checks that a clause follows from `hints`, and adds it.
    ///
    /// Errors: any; then nothing is added.
    pub fn derive(&mut self, id: ClauseId, clause: &[Literal], hints: &[ClauseId]) -> Result<(), Wrong> {
        self.follows(id, clause, hints)?;
        self.axiom(id, clause)
    }

    /// Checks that a clause follows from `hints`, without adding it; `id` identifies it in errors.
    pub fn follows(&mut self, id: ClauseId, clause: &[Literal], hints: &[ClauseId]) -> Result<(), Wrong> {
        self.steps += 1;
        let result = self.propagate(id, clause, hints);
        for l in self.trail.drain(..) {
            self.holds[code(l)] = false;
        }
        result
    }

    fn propagate(&mut self, id: ClauseId, clause: &[Literal], hints: &[ClauseId]) -> Result<(), Wrong> {
        for &l in clause {
            if l == 0 || l == Literal::MIN {
                return Err(Wrong::Literal(id));
            }
            if self.is_true(l) {
                // The clause also contains the literal's negation, and so always holds.
                return Ok(());
            }
            self.make_true(-l);
        }
        for &hint in hints {
            let mut open = None;
            for &l in self.clauses.get(&hint).ok_or(Wrong::Missing(hint))? {
                if self.is_true(-l) || open == Some(l) {
                    continue;
                }
                if open.replace(l).is_some() {
                    return Err(Wrong::Idle(id, hint));
                }
            }
            match open {
                Some(l) => self.make_true(l),
                None => return Ok(()),
            }
        }
        Err(Wrong::Open(id))
    }

    /// Deletes a clause.
    ///
    /// Errors: `Missing`.
    pub fn delete(&mut self, id: ClauseId) -> Result<(), Wrong> {
        self.clauses.remove(&id).map(drop).ok_or(Wrong::Missing(id))
    }

    /// The literals of a clause, if the proof has it.
    pub fn clause(&self, id: ClauseId) -> Option<&[Literal]> {
        self.clauses.get(&id).map(|c| &**c)
    }

    /// Whether the empty clause was added, that is, the axioms contradict each other.
    pub fn is_contradictory(&self) -> bool {
        self.contradiction
    }

    /// The number of steps checked.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    fn is_true(&self, l: Literal) -> bool {
        self.holds.get(code(l)).copied().unwrap_or(false)
    }

    fn make_true(&mut self, l: Literal) {
        let code = code(l);
        if code >= self.holds.len() {
            self.holds.resize((code + 1).next_power_of_two(), false);
        }
        self.holds[code] = true;
        self.trail.push(l);
    }
}

/// The index of a literal in a table of literals.
fn code(l: Literal) -> usize {
    2 * l.unsigned_abs() as usize + usize::from(l < 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All clauses over two variables.
    fn square() -> Lrat {
        let mut proof = Lrat::new();
        for (id, clause) in [[1, 2], [1, -2], [-1, 2], [-1, -2]].iter().enumerate() {
            proof.axiom(id as ClauseId + 1, clause).unwrap();
        }
        proof
    }

    #[test]
    fn a_proof_ends_in_the_empty_clause() {
        let mut proof = square();
        proof.derive(5, &[1], &[1, 2]).unwrap();
        proof.delete(1).unwrap();
        assert!(!proof.is_contradictory());
        proof.derive(6, &[], &[5, 3, 4]).unwrap();
        assert!(proof.is_contradictory());
        assert_eq!(proof.steps(), 2);
    }

    #[test]
    fn each_way_to_be_wrong_is_noticed() {
        let mut proof = square();
        assert_eq!(proof.derive(5, &[1], &[1]), Err(Wrong::Open(5)));
        assert_eq!(proof.derive(5, &[1], &[]), Err(Wrong::Open(5)));
        assert_eq!(proof.derive(5, &[], &[1, 2]), Err(Wrong::Idle(5, 1)));
        assert_eq!(proof.derive(5, &[1], &[1, 9]), Err(Wrong::Missing(9)));
        // A negative hint stands for a step that is not a propagation.
        assert_eq!(proof.derive(5, &[1], &[-1]), Err(Wrong::Missing(-1)));
        assert_eq!(proof.derive(5, &[3], &[1, 2]), Err(Wrong::Idle(5, 1)));
        assert_eq!(proof.derive(5, &[1, 0], &[1, 2]), Err(Wrong::Literal(5)));
        assert_eq!(proof.derive(4, &[1], &[1, 2]), Err(Wrong::Taken(4)));
        proof.delete(2).unwrap();
        assert_eq!(proof.derive(5, &[1], &[1, 2]), Err(Wrong::Missing(2)));
        assert_eq!(proof.delete(2), Err(Wrong::Missing(2)));
        assert!(!proof.is_contradictory());
        // An incorrect step leaves nothing behind.
        assert_eq!(proof.derive(5, &[2], &[1]), Err(Wrong::Open(5)));
        proof.derive(5, &[2], &[1, 3]).unwrap();
    }

    #[test]
    fn clauses_that_always_hold_need_no_hints() {
        let mut proof = Lrat::new();
        proof.derive(1, &[3, -3], &[]).unwrap();
        // They are useless as hints.
        assert_eq!(proof.derive(2, &[], &[1]), Err(Wrong::Idle(2, 1)));
        assert_eq!(proof.follows(2, &[4], &[1]), Err(Wrong::Idle(2, 1)));
    }

    #[test]
    fn literals_may_be_written_twice() {
        let mut proof = Lrat::new();
        proof.axiom(1, &[1, 1]).unwrap();
        proof.axiom(2, &[-1, -1, 2]).unwrap();
        proof.derive(3, &[2, 2], &[1, 2]).unwrap();
        assert_eq!(proof.clause(3), Some(&[2, 2][..]));
    }
}
