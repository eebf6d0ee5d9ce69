//! Reading of Z3's models as values of leaves.

use super::operators::Operators;
use crate::solver::SolverError;
use cfa::Sort;
use cfa::bv::Bv;
use cfa::eval::{ArrayValue, Value};
use cfa::term::Leaf;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::fmt::Write;
use z3::ast::{Ast, AstKind, Dynamic};
use z3::{DeclKind, FuncInterp, Interp, Model};

/// The values that `model` gives to leaves.
pub(super) fn read(operators: &Operators, model: &Model) -> Result<FxHashMap<Leaf, Value>, SolverError> {
    let mut values = FxHashMap::default();
    for decl in model {
        let Some((leaf, sort)) = operators.leaf_named(&decl.name()) else { continue };
        let Some(Interp::Const(tree)) = model.get_interp(&decl) else { continue };
        values.insert(leaf, value(model, &tree, sort)?);
    }
    Ok(values)
}

/// A value of `sort` from a Z3 tree.
fn value(model: &Model, tree: &Dynamic, sort: Sort) -> Result<Value, SolverError> {
    Ok(match sort {
        Sort::Bool => {
            let b = tree.as_bool().and_then(|b| b.as_bool());
            Value::Bool(b.ok_or_else(|| strange(tree))?)
        }
        Sort::Bv(w) => Value::Bv(bits(tree, w)?),
        Sort::Array { index, elem } => Value::Array(array(model, tree, index, elem)?),
    })
}

fn bits(tree: &Dynamic, width: u32) -> Result<Bv, SolverError> {
    let v = if tree.kind() == AstKind::Numeral { tree.as_bv() } else { None };
    let v = v.ok_or_else(|| strange(tree))?;
    if width <= 64
        && let Some(word) = v.as_u64()
    {
        return Ok(Bv::new(width, word));
    }
    // A literal of SMT-LIB.
    let text = text_of(tree);
    let big = match text.split_at_checked(2) {
        Some(("#x", digits)) => BigUint::parse_bytes(digits.as_bytes(), 16),
        Some(("#b", digits)) => BigUint::parse_bytes(digits.as_bytes(), 2),
        _ => None,
    };
    Ok(Bv::from_big(width, &big.ok_or_else(|| strange(tree))?))
}

/// A memory: stores over a constant array, or a function table.
fn array(model: &Model, tree: &Dynamic, index: u32, elem: u32) -> Result<ArrayValue, SolverError> {
    let mut stores: Vec<(u64, Bv)> = Vec::new();
    let mut at = tree.clone();
    let mut m = loop {
        let Some(memory) = at.as_array() else { return Err(strange(&at)) };
        if let Some(f) = memory.as_array_func_decl() {
            let Some(Interp::Func(interp)) = model.get_interp(&f) else { return Err(strange(&at)) };
            break table(&interp, index, elem).ok_or_else(|| strange(&at))??;
        }
        let kind = at.safe_decl().map_err(|_| strange(&at))?.kind();
        match (kind, &at.children()[..]) {
            (DeclKind::Store, [inner, a, v]) => {
                stores.push((address(a, index)?, bits(v, elem)?));
                at = inner.clone();
            }
            (DeclKind::ConstArray, [v]) => break ArrayValue::constant(index, bits(v, elem)?),
            _ => return Err(strange(&at)),
        }
    };
    for (a, v) in stores.into_iter().rev() {
        m.set_cell(a, v);
    }
    Ok(m)
}

fn address(tree: &Dynamic, index: u32) -> Result<u64, SolverError> {
    bits(tree, index)?.to_u64().ok_or_else(|| strange(tree))
}

/// A memory as a function table; `None` if the table is not total, or not that of a function of one argument.
fn table(interp: &FuncInterp, index: u32, elem: u32) -> Option<Result<ArrayValue, SolverError>> {
    let default = interp.get_else()?;
    let read = || {
        let mut m = ArrayValue::constant(index, bits(&default, elem)?);
        for entry in interp.get_entries() {
            for a in entry.get_args() {
                m.set_cell(address(&a, index)?, bits(&entry.get_value(), elem)?);
            }
        }
        Ok(m)
    };
    (interp.get_arity() == 1).then(read)
}

/// Z3's text of a tree, or nothing.
fn text_of(tree: &Dynamic) -> String {
    let mut text = String::new();
    // The tree's `to_string` would panic where Z3 has no text.
    match write!(text, "{tree}") {
        Ok(()) => text,
        Err(_) => String::new(),
    }
}

fn strange(tree: &Dynamic) -> SolverError {
    let text: String = text_of(tree).chars().take(200).collect();
    SolverError::Unknown(format!("an unexpected value in Z3's model: {text}"))
}
