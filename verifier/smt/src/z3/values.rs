//! Reading of Z3's models as values of leaves.

use super::Context;
use super::translate::Translator;
use crate::solver::SolverError;
use cfa::bv::Bv;
use cfa::eval::{ArrayValue, Value};
use cfa::term::Leaf;
use cfa::{Sort, Terms};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::ffi::CStr;
use z3_sys::*;

/// The values that `model` gives to leaves.
pub(super) fn read(
    c: &Context,
    translator: &Translator,
    _terms: &Terms,
    model: Z3_model,
) -> Result<FxHashMap<Leaf, Value>, SolverError> {
    let mut values = FxHashMap::default();
    // SAFETY: the caller holds a reference to the model; all trees live as long as the context.
    unsafe {
        for i in 0..Z3_model_get_num_consts(c.raw, model) {
            let decl = c.ok(Z3_model_get_const_decl(c.raw, model, i))?;
            let Some(&(leaf, sort)) = translator.leaves.get(&decl) else { continue };
            let Some(ast) = Z3_model_get_const_interp(c.raw, model, decl) else { continue };
            values.insert(leaf, value(c, model, ast, sort)?);
        }
    }
    Ok(values)
}

/// A value of `sort` from a Z3 tree.
///
/// # Safety
/// `model` and `ast` belong to `c`.
pub(super) unsafe fn value(c: &Context, model: Z3_model, ast: Z3_ast, sort: Sort) -> Result<Value, SolverError> {
    Ok(match sort {
        Sort::Bool => match unsafe { Z3_get_bool_value(c.raw, ast) } {
            Z3_L_TRUE => Value::Bool(true),
            Z3_L_FALSE => Value::Bool(false),
            _ => return Err(strange(c, ast)),
        },
        Sort::Bv(w) => Value::Bv(unsafe { bits(c, ast, w)? }),
        Sort::Array { index, elem } => Value::Array(unsafe { array(c, model, ast, index, elem)? }),
    })
}

unsafe fn bits(c: &Context, ast: Z3_ast, width: u32) -> Result<Bv, SolverError> {
    unsafe {
        if Z3_get_ast_kind(c.raw, ast) != AstKind::Numeral {
            return Err(strange(c, ast));
        }
        let mut word = 0u64;
        if width <= 64 && Z3_get_numeral_uint64(c.raw, ast, &mut word) {
            return Ok(Bv::new(width, word));
        }
        let text = CStr::from_ptr(Z3_get_numeral_string(c.raw, ast)).to_string_lossy();
        let big: BigUint = text.parse().map_err(|_| strange(c, ast))?;
        Ok(Bv::from_big(width, &big))
    }
}

/// A memory: stores over a constant array, or a function table.
unsafe fn array(c: &Context, model: Z3_model, ast: Z3_ast, index: u32, elem: u32) -> Result<ArrayValue, SolverError> {
    let mut stores: Vec<(u64, Bv)> = Vec::new();
    let mut at = ast;
    unsafe {
        let mut m = loop {
            if Z3_is_as_array(c.raw, at) {
                let f = c.ok(Z3_get_as_array_func_decl(c.raw, at))?;
                break table(c, model, f, index, elem)?;
            }
            if Z3_get_ast_kind(c.raw, at) != AstKind::App {
                return Err(strange(c, at));
            }
            let app = c.ok(Z3_to_app(c.raw, at))?;
            let decl = c.ok(Z3_get_app_decl(c.raw, app))?;
            let arg = |i| c.ok(Z3_get_app_arg(c.raw, app, i));
            match Z3_get_decl_kind(c.raw, decl) {
                DeclKind::Store => {
                    stores.push((address(c, arg(1)?, index)?, bits(c, arg(2)?, elem)?));
                    at = arg(0)?;
                }
                DeclKind::ConstArray => break ArrayValue::constant(index, bits(c, arg(0)?, elem)?),
                _ => return Err(strange(c, at)),
            }
        };
        for (a, v) in stores.into_iter().rev() {
            m.set_cell(a, v);
        }
        Ok(m)
    }
}

unsafe fn address(c: &Context, ast: Z3_ast, index: u32) -> Result<u64, SolverError> {
    unsafe { bits(c, ast, index)? }.to_u64().ok_or_else(|| strange(c, ast))
}

unsafe fn table(
    c: &Context,
    model: Z3_model,
    f: Z3_func_decl,
    index: u32,
    elem: u32,
) -> Result<ArrayValue, SolverError> {
    unsafe {
        let interp = c.ok(Z3_model_get_func_interp(c.raw, model, f))?;
        Z3_func_interp_inc_ref(c.raw, interp);
        let read = || {
            let default = c.ok(Z3_func_interp_get_else(c.raw, interp))?;
            let mut m = ArrayValue::constant(index, bits(c, default, elem)?);
            for i in 0..Z3_func_interp_get_num_entries(c.raw, interp) {
                let entry = c.ok(Z3_func_interp_get_entry(c.raw, interp, i))?;
                let a = c.ok(Z3_func_entry_get_arg(c.raw, entry, 0))?;
                let v = c.ok(Z3_func_entry_get_value(c.raw, entry))?;
                m.set_cell(address(c, a, index)?, bits(c, v, elem)?);
            }
            Ok(m)
        };
        let m = read();
        Z3_func_interp_dec_ref(c.raw, interp);
        m
    }
}

fn strange(c: &Context, ast: Z3_ast) -> SolverError {
    // SAFETY: the tree belongs to the context; Z3's string lives until the next call.
    let text = unsafe { CStr::from_ptr(Z3_ast_to_string(c.raw, ast)) };
    let text: String = text.to_string_lossy().chars().take(200).collect();
    SolverError::Unknown(format!("a value in Z3's model that is none: {text}"))
}
