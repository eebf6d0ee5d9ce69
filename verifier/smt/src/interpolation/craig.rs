//! Craig interpolants from a refutation: a formula for each clause of the proof, that of the empty clause is the interpolant.
//!
//! With the parts up to a cut as A and those after it as B, the partial interpolant `I` of a clause `C` holds wherever A holds and
//! `C` does not, as far as its variables occur in A, and conflicts with B and the rest of `C`. The rules, for a clause that is
//! given and for the resolution on a variable of a clause with it (interpolant `P`) and one with its negation (`N`):
//!
//! | rule | clause of A | clause of B | variable of A alone | of B alone | of both |
//! |---|---|---|---|---|---|
//! | McMillan (CAV 2003) | its literals of both, or false | true | P or N | P and N | P and N |
//! | Pudlák (J. Symbolic Logic 62, 1997) | false | true | P or N | P and N | if the variable then N else P |
//! | dual (D'Silva, Kroening, Purandare, Weissenbacher, VMCAI 2010) | false | not its literals of both, or true | P or N | P and N | P or N |
//!
//! From top to bottom the interpolants become weaker. One refutation gives an interpolant for each cut, and a rule that is the
//! same at all cuts makes the sequence inductive (Gurfinkel, Rollini, Sharygina: Interpolation properties and SAT-based model
//! checking, ATVA 2013).

use super::clauses::Clauses;
use crate::bits::deadline::Deadline;
use crate::bits::graph::{Graph, Lit};
use crate::bits::refutation::{Origin, Refutation};
use crate::lrat::Literal;
use crate::solver::SolverError;
use rustc_hash::FxHashMap;

/// Maximum number of gates of the interpolants of one sequence.
const MAX_GATES: usize = 400_000;

/// How partial interpolants are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rule {
    /// The strongest interpolants of the three.
    McMillan,
    /// Symmetric.
    Pudlak,
    /// The weakest interpolants of the three.
    Dual,
}

impl Rule {
    /// All rules.
    pub(crate) const ALL: [Rule; 3] = [Rule::McMillan, Rule::Pudlak, Rule::Dual];
}

/// Where a variable occurs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    /// In A alone.
    A,
    /// In B alone.
    B,
    /// In both.
    Both,
}

/// Interpolants as gates over bits of leaves.
pub(crate) struct Gates {
    pub(crate) graph: Graph,
    /// The inputs of variables.
    inputs: FxHashMap<Literal, Lit>,
    /// The variable of each input, by its gate.
    pub(crate) variables: FxHashMap<u32, Literal>,
}

impl Gates {
    /// No gates.
    pub(crate) fn new() -> Gates {
        Gates { graph: Graph::new(), inputs: FxHashMap::default(), variables: FxHashMap::default() }
    }

    fn input(&mut self, l: Literal) -> Lit {
        let v = l.abs();
        let input = match self.inputs.get(&v) {
            Some(&input) => input,
            None => {
                let input = self.graph.input();
                self.inputs.insert(v, input);
                self.variables.insert(input.gate(), v);
                input
            }
        };
        input.flip_if(l < 0)
    }
}

/// The interpolants at all cuts, from the first to the last one, by one rule.
///
/// Errors: `Unknown` if they become too large or the time is over; `Failed` if a step of the refutation is no resolution.
pub(crate) fn sequence(
    gates: &mut Gates,
    clauses: &Clauses,
    refutation: &Refutation,
    rule: Rule,
    n_parts: usize,
    deadline: &mut Deadline,
) -> Result<Vec<Lit>, SolverError> {
    let mut marked = vec![false; 2 * clauses.ranges.len() + 2];
    (0..n_parts.saturating_sub(1))
        .map(|cut| Partial { gates, clauses, rule, cut, marked: &mut marked }.interpolant(refutation, deadline))
        .collect()
}

/// The computation of partial interpolants at one cut.
struct Partial<'a> {
    gates: &'a mut Gates,
    clauses: &'a Clauses,
    rule: Rule,
    cut: usize,
    /// Whether each literal belongs to the current resolvent, by its [`code`].
    marked: &'a mut [bool],
}

/// The index of a literal.
fn code(l: Literal) -> usize {
    2 * l.unsigned_abs() as usize - 2 + usize::from(l < 0)
}

impl Partial<'_> {
    fn interpolant(&mut self, refutation: &Refutation, deadline: &mut Deadline) -> Result<Lit, SolverError> {
        let mut of: Vec<Lit> = Vec::with_capacity(refutation.steps.len());
        for step in &refutation.steps {
            deadline.tick()?;
            if self.gates.graph.len() > MAX_GATES {
                return Err(SolverError::Unknown("the interpolants are too large".into()));
            }
            let own = match &step.origin {
                Origin::Given(i) => self.given(&step.clause, self.clauses.part[*i]),
                Origin::Derived(from) => self.derived(refutation, &of, &step.clause, from)?,
            };
            of.push(own);
        }
        of.last().copied().ok_or_else(|| SolverError::Failed("the refutation has no clauses".into()))
    }

    fn label(&self, l: Literal) -> Label {
        let (first, last) = self.clauses.ranges[l.unsigned_abs() as usize - 1];
        match (first <= self.cut, last > self.cut) {
            (true, true) => Label::Both,
            (true, false) => Label::A,
            (false, _) => Label::B,
        }
    }

    /// The partial interpolant of a given clause.
    fn given(&mut self, clause: &[Literal], part: usize) -> Lit {
        let in_a = part <= self.cut;
        let by_literals = matches!((self.rule, in_a), (Rule::McMillan, true) | (Rule::Dual, false));
        if !by_literals {
            return Lit::constant(!in_a);
        }
        let mut any = Lit::FALSE;
        for &l in clause {
            if self.label(l) == Label::Both {
                let l = self.gates.input(l);
                any = self.gates.graph.or(any, l);
            }
        }
        any.flip_if(!in_a)
    }

    /// The partial interpolant of a clause that follows from others, given the interpolants of all earlier clauses.
    fn derived(
        &mut self,
        refutation: &Refutation,
        of: &[Lit],
        clause: &[Literal],
        from: &[u32],
    ) -> Result<Lit, SolverError> {
        let mut own = None;
        let mut resolvent: Vec<Literal> = Vec::new();
        for &f in from.iter().rev() {
            let antecedent = &refutation.steps[f as usize].clause;
            let so_far = match own {
                None => {
                    own = Some(of[f as usize]);
                    None
                }
                Some(so_far) => match antecedent.iter().find(|l| self.marked[code(-**l)]) {
                    Some(&pivot) => Some((so_far, pivot)),
                    // What it propagates is not needed.
                    None => continue,
                },
            };
            if let Some((so_far, pivot)) = so_far {
                self.marked[code(-pivot)] = false;
                own = Some(self.resolve(pivot, of[f as usize], so_far));
            }
            for &l in antecedent {
                if so_far.is_none_or(|(_, pivot)| l != pivot) && !std::mem::replace(&mut self.marked[code(l)], true) {
                    resolvent.push(l);
                }
            }
        }
        let follows = resolvent.iter().all(|l| !self.marked[code(*l)] || clause.binary_search(l).is_ok());
        for l in resolvent {
            self.marked[code(l)] = false;
        }
        match own {
            Some(own) if follows => Ok(own),
            _ => Err(SolverError::Failed("a step of the refutation is no chain of resolutions".into())),
        }
    }

    /// The partial interpolant of a resolvent on the variable of `pivot`, by that of the clause with `pivot` and that of the
    /// clause with its negation.
    fn resolve(&mut self, pivot: Literal, with: Lit, without: Lit) -> Lit {
        let label = self.label(pivot);
        match (label, self.rule) {
            (Label::A, _) | (Label::Both, Rule::Dual) => self.gates.graph.or(with, without),
            (Label::B, _) | (Label::Both, Rule::McMillan) => self.gates.graph.and(with, without),
            (Label::Both, Rule::Pudlak) => {
                let l = self.gates.input(pivot);
                self.gates.graph.mux(l, without, with)
            }
        }
    }
}
