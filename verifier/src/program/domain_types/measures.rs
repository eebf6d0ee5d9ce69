//! Measures of a program's size and of its operators, as in the table by which [Beyer, Stahlbauer 2014, Table 1] characterise
//! programs.
//!
//! What C writes once is counted once, as far as an automaton shows it: an operator counts for each edge with it, the two sides of a test count as
//! one, and a term counts as often as it stands in the operation if it were written out.

use super::conditions::{self, Operators};
use super::{DomainType, DomainTypes, Program, variables_of_source};
use cfa::bv::{Bv, BvOp};
use cfa::term::Kind;
use cfa::{Op, Term, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

/// Classes of event-condition-action programs [Beyer, Stahlbauer 2014, 4.1].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EcaClass {
    /// All variables are `BOOL` or `EQ`.
    Eq,
    /// Some are `ADD` or `OTHER`.
    Mul,
}

impl fmt::Display for EcaClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            EcaClass::Eq => "ECA-EQ",
            EcaClass::Mul => "ECA-MUL",
        })
    }
}

/// Measures of a slice of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measures {
    /// Number of state variables: variables with a name in the source that are live at the head of a loop, so that a state has to hold
    /// them there. In the paper, they are the globals that one iteration of a reactive system hands to the next one; those that nothing
    /// depends on count there, and not here. If the program is too large for liveness, all such globals count.
    pub state_variables: u64,
    /// Number of different integer constants, as signed numbers; those of one bit are truth values and do not count.
    pub integer_constants: u64,
    /// Number of `&&`, in conditions as `conditions` finds them and in terms.
    pub conjunctions: u64,
    /// Number of `||`.
    pub disjunctions: u64,
    /// Number of `!`, without those of `!=` and `>=`.
    pub negations: u64,
    /// Number of `==` and `!=`; also tests of whether a value is 0 (`if (x)`, `!x`).
    pub equalities: u64,
    /// Number of `<`, `<=`, `>` and `>=`.
    pub orders: u64,
    /// Number of `+` and `-`, also unary.
    pub sums: u64,
    /// Number of `*`, `/` and `%`.
    pub products: u64,
    /// Number of variables with a name in the source, by type in the order of [`DomainType::ALL`].
    pub variables: [u64; 4],
    /// The class of the program by those variables.
    pub class: EcaClass,
}

impl Measures {
    /// Measures the slice of `program`, whose types are `types`. Cost: linear in the size of the slice and its terms, and in the number of
    /// variables for each loop.
    pub fn new(program: &Program, types: &DomainTypes) -> Measures {
        let branches = conditions::operators(program);
        let written = written_out(program);
        let mut variables = [0; 4];
        let named = variables_of_source(program, types);
        for v in &named {
            variables[types.of(*v) as usize] += 1;
        }
        let beyond_eq = DomainType::ALL.into_iter().any(|t| t > DomainType::Eq && variables[t as usize] > 0);
        Measures {
            state_variables: state_variables(program, &named),
            integer_constants: integer_constants(program),
            conjunctions: branches.conjunctions.saturating_add(written.operators.conjunctions),
            disjunctions: branches.disjunctions.saturating_add(written.operators.disjunctions),
            negations: branches.negations.saturating_add(written.operators.negations),
            equalities: written.equalities,
            orders: written.orders,
            sums: written.sums,
            products: written.products,
            variables,
            class: if beyond_eq { EcaClass::Mul } else { EcaClass::Eq },
        }
    }
}

fn state_variables(program: &Program, named: &[VarId]) -> u64 {
    if !program.liveness.is_complete() {
        return named.iter().filter(|v| !program.cfa.is_local(**v)).count() as u64;
    }
    let mut found: FxHashSet<VarId> = FxHashSet::default();
    for head in program.loop_heads() {
        found.extend(named.iter().filter(|v| program.liveness.is_live(head, **v)));
    }
    found.len() as u64
}

/// The operations of the edges that are reached, without the second side of each test.
fn operations(program: &Program) -> Vec<&Op> {
    let mut found = Vec::new();
    for l in program.view.reachable(&program.cfa) {
        let out = program.view.out(l);
        let edges = if out.len() == 2 && program.is_deterministic(l) { &out[..1] } else { out };
        found.extend(edges.iter().map(|e| program.op(e)));
    }
    found
}

fn integer_constants(program: &Program) -> u64 {
    let roots: Vec<Term> = operations(program).into_iter().flat_map(Op::terms).collect();
    let terms = program.base.subterms(&roots, |_| false);
    let constants = terms.into_iter().filter_map(|t| program.base.as_bv(t)).filter(|c| c.width() > 1);
    // Numbers of different widths are equal if their signed values are.
    let widest = |c: Bv| c.sext(c.width().max(128)).to_big();
    constants.map(widest).collect::<FxHashSet<_>>().len() as u64
}

/// Numbers of operators in terms.
#[derive(Clone, Copy, Default)]
struct Written {
    operators: Operators,
    equalities: u64,
    orders: u64,
    sums: u64,
    products: u64,
}

impl Written {
    /// Numbers saturate: a term that shares subterms may be exponentially large when written out.
    fn add(&mut self, other: &Written) {
        for (sum, n) in [
            (&mut self.operators.conjunctions, other.operators.conjunctions),
            (&mut self.operators.disjunctions, other.operators.disjunctions),
            (&mut self.operators.negations, other.operators.negations),
            (&mut self.equalities, other.equalities),
            (&mut self.orders, other.orders),
            (&mut self.sums, other.sums),
            (&mut self.products, other.products),
        ] {
            *sum = sum.saturating_add(n);
        }
    }
}

fn written_out(program: &Program) -> Written {
    let (terms, operations) = (&program.base, operations(program));
    let roots: Vec<Term> = operations.into_iter().flat_map(Op::terms).collect();
    let mut counts: FxHashMap<Term, Written> = FxHashMap::default();
    for t in terms.subterms(&roots, |_| false) {
        let mut count = at_root(terms, t);
        terms.args(t).iter().for_each(|a| count.add(&counts[a]));
        counts.insert(t, count);
    }
    let mut all = Written::default();
    roots.iter().for_each(|t| all.add(&counts[t]));
    all
}

/// The operator at the root of a term.
fn at_root(terms: &Terms, t: Term) -> Written {
    let mut count = Written::default();
    let counter = match terms.kind(t) {
        Kind::And => &mut count.operators.conjunctions,
        Kind::Or => &mut count.operators.disjunctions,
        // `!=` and `>=` are one operator.
        Kind::Not if !matches!(terms.kind(terms.args(t)[0]), Kind::Eq | Kind::Cmp(_)) => &mut count.operators.negations,
        Kind::Eq => &mut count.equalities,
        Kind::Cmp(_) => &mut count.orders,
        Kind::Bv(BvOp::Add | BvOp::Sub) | Kind::BvNeg => &mut count.sums,
        Kind::Bv(BvOp::Mul | BvOp::Udiv | BvOp::Urem | BvOp::Sdiv | BvOp::Srem) => &mut count.products,
        _ => return count,
    };
    *counter = 1;
    count
}
