//! The domain types of a program's variables as a table, and measures of the program.

use std::fmt::Write as _;
use std::sync::Arc;

use cfa::bv::Bv;
use cfa::view::Slice;
use cfa::{Cfa, FuncId, Scope, ValueFormat, VarId};
use serde::Serialize;
use verifier::program::Program;
use verifier::program::domain_types::{DomainType, DomainTypes, Measures, variables_of_source};

use super::place_of;

/// The table of a program.
pub(super) struct Table {
    pub rows: Vec<Row>,
    pub measures: Measured,
}

/// A variable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Row {
    variable: String,
    /// Where its function is defined, if it is local to one whose place is known.
    place: Option<String>,
    domain: String,
    /// The number of its partition, from 1.
    partition: usize,
    /// Those that the variables of its partition are assigned or compared with.
    constants: Vec<String>,
}

/// Measures of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Measured {
    classification: String,
    state_variables: u64,
    integer_constants: u64,
    conjunctions: u64,
    disjunctions: u64,
    negations: u64,
    equalities: u64,
    orders: u64,
    sums: u64,
    products: u64,
    bool_variables: u64,
    eq_variables: u64,
    add_variables: u64,
    other_variables: u64,
}

/// Maximum number of constants that the text shows of a partition.
const MAX_SHOWN: usize = 8;

/// The domain types of the variables with a name in the source, or of those of one function, in a prepared program; and measures of
/// the whole program.
pub(super) fn table(cfa: &Cfa, function: Option<FuncId>) -> Table {
    let program = Program::new(Arc::new(cfa.clone()), Slice::whole(cfa));
    let types = DomainTypes::new(&program);
    let wanted = |v: &VarId| function.is_none_or(|f| matches!(cfa.vars[*v].scope, Scope::Local(g) if g == f));
    let shown: Vec<VarId> = variables_of_source(&program, &types).into_iter().filter(wanted).collect();
    // Partitions are numbered as they come in the table.
    let mut numbers: Vec<usize> = Vec::new();
    let mut rows = Vec::new();
    for v in shown {
        let Some((part, i)) = types.partition(v).zip(types.partition_number(v)) else { continue };
        let number = numbers.iter().position(|n| *n == i).unwrap_or_else(|| {
            numbers.push(i);
            numbers.len() - 1
        });
        let format = cfa.vars[v].source.as_ref().map(|source| source.format);
        rows.push(Row {
            variable: name(cfa, v),
            place: if let Scope::Local(f) = cfa.vars[v].scope { place_of(cfa, cfa.funcs[f].span) } else { None },
            domain: part.domain.to_string(),
            partition: number + 1,
            constants: match format {
                Some(ValueFormat::Unsigned | ValueFormat::Pointer) => {
                    part.unsigned_constants().map(|c| c.to_big().to_string()).collect()
                }
                _ => part.constants.iter().map(|c| signed(c, part.width_bits)).collect(),
            },
        });
    }
    Table { rows, measures: measured(&Measures::new(&program, &types)) }
}

/// The name in C, after that of its function; of a program without such names, that of the automaton.
fn name(cfa: &Cfa, v: VarId) -> String {
    let var = &cfa.vars[v];
    match (&var.source, var.scope) {
        (Some(source), Scope::Local(f)) => format!("{}::{}", cfa.funcs[f].name, source.name),
        (Some(source), Scope::Global) => source.name.clone(),
        (None, _) => var.name.clone(),
    }
}

/// A constant as a signed number; one bit is a truth value.
fn signed(c: &Bv, width_bits: u32) -> String {
    match c.sign() && width_bits > 1 {
        true => format!("-{}", c.neg().to_big()),
        false => c.to_big().to_string(),
    }
}

fn measured(m: &Measures) -> Measured {
    let of = |t: DomainType| m.variables[t as usize];
    Measured {
        classification: m.class.to_string(),
        state_variables: m.state_variables,
        integer_constants: m.integer_constants,
        conjunctions: m.conjunctions,
        disjunctions: m.disjunctions,
        negations: m.negations,
        equalities: m.equalities,
        orders: m.orders,
        sums: m.sums,
        products: m.products,
        bool_variables: of(DomainType::Bool),
        eq_variables: of(DomainType::Eq),
        add_variables: of(DomainType::Add),
        other_variables: of(DomainType::Other),
    }
}

/// The table, and the measures below it.
pub(super) fn text(table: &Table) -> String {
    let mut out = String::new();
    let width = table.rows.iter().map(|row| row.variable.len()).max().unwrap_or(0).max("variable".len());
    let _ = writeln!(out, "{:<width$}  type   partition  constants", "variable");
    for row in &table.rows {
        let more = if row.constants.len() > MAX_SHOWN { ", ..." } else { "" };
        let constants = row.constants[..row.constants.len().min(MAX_SHOWN)].join(", ");
        let line = format!("{:<width$}  {:<5}  {:>9}  {constants}{more}", row.variable, row.domain, row.partition);
        let _ = writeln!(out, "{}", line.trim_end());
    }
    let m = &table.measures;
    let _ = writeln!(out, "classification: {}", m.classification);
    for (n, what) in [
        (m.state_variables, "state variables"),
        (m.integer_constants, "integer constants"),
        (m.conjunctions, "conjunctions"),
        (m.disjunctions, "disjunctions"),
        (m.negations, "negations"),
        (m.equalities, "==, !="),
        (m.orders, "<, <=, >, >="),
        (m.sums, "+, -"),
        (m.products, "*, /, %"),
        (m.bool_variables, "variables of type BOOL"),
        (m.eq_variables, "variables of type EQ"),
        (m.add_variables, "variables of type ADD"),
        (m.other_variables, "variables of type OTHER"),
    ] {
        let _ = writeln!(out, "{n:>8}  {what}");
    }
    out
}
