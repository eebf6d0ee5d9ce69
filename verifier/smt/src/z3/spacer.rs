//! Z3's engine for Horn clauses, Spacer (Komuravelli, Gurfinkel, Chaki, CAV 2014).
//!
//! Transformations that inline relations or drop arguments are off, since formulas over all of them are wanted. If the time
//! is over or there is no solution, Spacer's knowledge is read from its frames.

use super::{Context, Running, Shared, lock};
use crate::horn::{Atom, Clause, Expr, Exprs, Node, Relation, Solution, Sort, System, Var, Verdict};
use crate::solver::{Interrupter, SolverError};
use rustc_hash::FxHashMap;
use std::ffi::{CStr, CString};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use z3_sys::*;

/// Maximum number of formulas that are read for a relation.
const MAX_FORMULAS: usize = 200;
/// Maximum depth of formulas that are read.
const MAX_DEPTH: u32 = 200;

/// A solver of Horn clauses.
pub struct Spacer {
    shared: Arc<Shared>,
}

impl Default for Spacer {
    fn default() -> Spacer {
        Spacer { shared: Arc::new(Shared { stopped: AtomicBool::new(false), running: Mutex::new(None) }) }
    }
}

impl Spacer {
    /// Decides whether `goal`, a relation without arguments, can be empty.
    ///
    /// Errors: those of Z3; no time is left; the solver was interrupted before it began.
    pub fn solve(&self, system: &System, goal: Relation, time: Duration) -> Result<Solution, SolverError> {
        let run = Run::new(system)?;
        run.set_params(time)?;
        for clause in &system.clauses {
            run.add(system, clause)?;
        }
        if self.shared.stopped.load(Ordering::SeqCst) {
            return Err(SolverError::Unknown("interrupted".into()));
        }
        *lock(&self.shared.running) = Some(Running(run.context.raw));
        let goal = [run.relations[goal.0 as usize]];
        // SAFETY: all belongs to the run's context.
        let answer = unsafe { Z3_fixedpoint_query_relations(run.context.raw, run.raw, 1, goal.as_ptr()) };
        *lock(&self.shared.running) = None;
        let verdict = match answer {
            Z3_L_FALSE => Verdict::Empty,
            Z3_L_TRUE => Verdict::Inhabited,
            _ => Verdict::Unknown,
        };
        let mut exprs = Exprs::default();
        let formulas = (0..system.relations.len()).map(|r| run.formulas(system, r, verdict, &mut exprs)).collect();
        Ok(Solution { verdict, exprs, formulas })
    }

    /// A handle that stops this solver from another thread.
    pub fn interrupter(&self) -> Interrupter {
        Shared::interrupter(&self.shared)
    }
}

/// One query.
struct Run {
    // The engine is released before the context (see `drop`).
    context: Context,
    raw: Z3_fixedpoint,
    int: Z3_sort,
    bool: Z3_sort,
    relations: Vec<Z3_func_decl>,
    /// The translated expressions of the system.
    asts: std::cell::RefCell<FxHashMap<Expr, Z3_ast>>,
}

impl Drop for Run {
    fn drop(&mut self) {
        // SAFETY: the engine was made with one reference, which ends here.
        unsafe { Z3_fixedpoint_dec_ref(self.context.raw, self.raw) }
    }
}

impl Run {
    fn new(system: &System) -> Result<Run, SolverError> {
        let context = Context::new()?;
        // SAFETY: the context is alive; the reference count of the engine is released by `drop`.
        unsafe {
            let raw = context.ok(Z3_mk_fixedpoint(context.raw))?;
            Z3_fixedpoint_inc_ref(context.raw, raw);
            let (int, bool) = (context.ok(Z3_mk_int_sort(context.raw))?, context.ok(Z3_mk_bool_sort(context.raw))?);
            let mut run = Run { context, raw, int, bool, relations: Vec::new(), asts: Default::default() };
            for (i, sorts) in system.relations.iter().enumerate() {
                let domain: Vec<Z3_sort> = sorts.iter().map(|s| run.sort(*s)).collect();
                let c = &run.context;
                let name = c.symbol(&format!("r{i}"))?;
                let made = Z3_mk_func_decl(c.raw, name, domain.len() as u32, domain.as_ptr(), bool);
                let relation = c.ok(made)?;
                Z3_fixedpoint_register_relation(c.raw, raw, relation);
                run.relations.push(relation);
            }
            Ok(run)
        }
    }

    fn sort(&self, sort: Sort) -> Z3_sort {
        match sort {
            Sort::Bool => self.bool,
            Sort::Int => self.int,
        }
    }

    fn set_params(&self, time: Duration) -> Result<(), SolverError> {
        let c = &self.context;
        let ms = u32::try_from(time.as_millis()).unwrap_or(u32::MAX - 1);
        if ms == 0 {
            return Err(SolverError::Unknown("out of time".into()));
        }
        // SAFETY: the parameter set lives for these calls.
        unsafe {
            let params = c.ok(Z3_mk_params(c.raw))?;
            Z3_params_inc_ref(c.raw, params);
            Z3_params_set_symbol(c.raw, params, c.symbol("engine")?, c.symbol("spacer")?);
            Z3_params_set_uint(c.raw, params, c.symbol("timeout")?, ms);
            for transformation in ["xform.inline_eager", "xform.inline_linear", "xform.slice"] {
                Z3_params_set_bool(c.raw, params, c.symbol(transformation)?, false);
            }
            Z3_fixedpoint_set_params(c.raw, self.raw, params);
            Z3_params_dec_ref(c.raw, params);
        }
        Ok(())
    }

    fn add(&self, system: &System, clause: &Clause) -> Result<(), SolverError> {
        let Clause { body, constraint, head } = clause;
        let mut roots = vec![*constraint];
        roots.extend(body.iter().chain([head]).flat_map(|atom| &atom.args).copied());
        let mut bound = Vec::new();
        for e in system.exprs.reachable(&roots) {
            let ast = self.expr(system, e)?;
            if matches!(system.exprs.node(e), Node::Var(..)) {
                // SAFETY: a constant is an application.
                bound.push(self.context.ok(unsafe { Z3_to_app(self.context.raw, ast) })?);
            }
        }
        let mut all = vec![self.known(*constraint)?];
        for atom in body {
            all.push(self.atom(atom)?);
        }
        let (c, head) = (&self.context, self.atom(head)?);
        // SAFETY: all belongs to this context.
        unsafe {
            let body = c.ok(Z3_mk_and(c.raw, all.len() as u32, all.as_ptr()))?;
            let mut rule = c.ok(Z3_mk_implies(c.raw, body, head))?;
            if !bound.is_empty() {
                let n = bound.len() as u32;
                rule = c.ok(Z3_mk_forall_const(c.raw, 0, n, bound.as_ptr(), 0, std::ptr::null(), rule))?;
            }
            Z3_fixedpoint_add_rule(c.raw, self.raw, rule, None);
            if Z3_get_error_code(c.raw) == ErrorCode::Ok { Ok(()) } else { Err(c.error()) }
        }
    }

    fn atom(&self, atom: &Atom) -> Result<Z3_ast, SolverError> {
        let args = atom.args.iter().map(|a| self.known(*a)).collect::<Result<Vec<Z3_ast>, _>>()?;
        let (c, relation) = (&self.context, self.relations[atom.relation.0 as usize]);
        // SAFETY: all belongs to this context.
        c.ok(unsafe { Z3_mk_app(c.raw, relation, args.len() as u32, args.as_ptr()) })
    }

    fn known(&self, e: Expr) -> Result<Z3_ast, SolverError> {
        let ast = self.asts.borrow().get(&e).copied();
        ast.ok_or_else(|| SolverError::Failed("an expression is not translated".into()))
    }

    /// `e` in Z3; its arguments must have been translated.
    fn expr(&self, system: &System, e: Expr) -> Result<Z3_ast, SolverError> {
        if let Some(&ast) = self.asts.borrow().get(&e) {
            return Ok(ast);
        }
        let c = &self.context;
        let all = |list: &[Expr]| list.iter().map(|a| self.known(*a)).collect::<Result<Vec<Z3_ast>, _>>();
        // SAFETY: all belongs to this context; the strings outlive the calls.
        let ast = unsafe {
            match system.exprs.node(e) {
                Node::Bool(true) => Z3_mk_true(c.raw),
                Node::Bool(false) => Z3_mk_false(c.raw),
                Node::Int(k) => Some(self.int(*k)?),
                Node::Var(v, sort) => Z3_mk_const(c.raw, c.symbol(&format!("v{}", v.0))?, self.sort(*sort)),
                Node::Not(a) => Z3_mk_not(c.raw, self.known(*a)?),
                Node::And(list) => Z3_mk_and(c.raw, list.len() as u32, all(list)?.as_ptr()),
                Node::Or(list) => Z3_mk_or(c.raw, list.len() as u32, all(list)?.as_ptr()),
                Node::Add(list) => Z3_mk_add(c.raw, list.len() as u32, all(list)?.as_ptr()),
                Node::Ite(i, a, b) => Z3_mk_ite(c.raw, self.known(*i)?, self.known(*a)?, self.known(*b)?),
                Node::Scale(k, a) => Z3_mk_mul(c.raw, 2, [self.int(*k)?, self.known(*a)?].as_ptr()),
                Node::Div(a, k) => Z3_mk_div(c.raw, self.known(*a)?, self.int(*k)?),
                Node::Mod(a, k) => Z3_mk_mod(c.raw, self.known(*a)?, self.int(*k)?),
                Node::Le(a, b) => Z3_mk_le(c.raw, self.known(*a)?, self.known(*b)?),
                Node::Eq(a, b) => Z3_mk_eq(c.raw, self.known(*a)?, self.known(*b)?),
            }
        };
        let ast = c.ok(ast)?;
        self.asts.borrow_mut().insert(e, ast);
        Ok(ast)
    }

    fn int(&self, k: i128) -> Result<Z3_ast, SolverError> {
        let text = CString::new(k.to_string()).map_err(|_| SolverError::Failed("a number with a zero byte".into()))?;
        // SAFETY: the string outlives the call.
        self.context.ok(unsafe { Z3_mk_numeral(self.context.raw, text.as_ptr(), self.int) })
    }

    /// Spacer's knowledge of a relation: first what always holds; without a solution, then the frames from the last one
    /// down.
    fn formulas(&self, system: &System, relation: usize, verdict: Verdict, exprs: &mut Exprs) -> Vec<Expr> {
        let (c, decl) = (&self.context, self.relations[relation]);
        let mut reader = Reader { c, sorts: &system.relations[relation], exprs, seen: Vec::new(), found: Vec::new() };
        let levels = match verdict {
            Verdict::Empty => 0,
            // SAFETY: the relation is one of this engine.
            _ => i32::try_from(unsafe { Z3_fixedpoint_get_num_levels(c.raw, self.raw, decl) }).unwrap_or(0),
        };
        for level in std::iter::once(-1).chain((0..levels).rev()) {
            // SAFETY: as above.
            if let Some(cover) = unsafe { Z3_fixedpoint_get_cover_delta(c.raw, self.raw, level, decl) } {
                reader.conjuncts(cover);
            }
        }
        reader.found
    }
}

/// A reader for Z3's formulas over a relation's arguments.
struct Reader<'a> {
    c: &'a Context,
    sorts: &'a [Sort],
    exprs: &'a mut Exprs,
    seen: Vec<Z3_ast>,
    found: Vec<Expr>,
}

impl Reader<'_> {
    /// Reads the conjuncts of `ast` separately.
    fn conjuncts(&mut self, ast: Z3_ast) {
        if self.found.len() >= MAX_FORMULAS || self.seen.contains(&ast) {
            return;
        }
        self.seen.push(ast);
        match self.app(ast) {
            Some((DeclKind::And, args)) => args.into_iter().for_each(|a| self.conjuncts(a)),
            Some((DeclKind::True, _)) => {}
            _ => {
                let formula = self.expr(ast, 0);
                self.found.extend(formula);
            }
        }
    }

    /// The function and the arguments of an application.
    fn app(&self, ast: Z3_ast) -> Option<(DeclKind, Vec<Z3_ast>)> {
        let c = self.c.raw;
        // SAFETY: the tree belongs to the context.
        unsafe {
            if Z3_get_ast_kind(c, ast) != AstKind::App {
                return None;
            }
            let app = Z3_to_app(c, ast)?;
            let kind = Z3_get_decl_kind(c, Z3_get_app_decl(c, app)?);
            let args = (0..Z3_get_app_num_args(c, app)).map(|i| Z3_get_app_arg(c, app, i)).collect::<Option<_>>()?;
            Some((kind, args))
        }
    }

    fn numeral(&self, ast: Z3_ast) -> Option<i128> {
        let c = self.c.raw;
        // SAFETY: the tree belongs to the context; Z3's string lives until the next call.
        unsafe {
            if Z3_get_ast_kind(c, ast) != AstKind::Numeral {
                return None;
            }
            CStr::from_ptr(Z3_get_numeral_string(c, ast)).to_str().ok()?.parse().ok()
        }
    }

    /// Reads an expression; `None` if it contains something that cannot be expressed here.
    fn expr(&mut self, ast: Z3_ast, depth: u32) -> Option<Expr> {
        if depth > MAX_DEPTH {
            return None;
        }
        if let Some(k) = self.numeral(ast) {
            return Some(self.exprs.add(Node::Int(k)));
        }
        // SAFETY: the tree belongs to the context.
        if unsafe { Z3_get_ast_kind(self.c.raw, ast) } == AstKind::Var {
            // SAFETY: as above.
            let i = unsafe { Z3_get_index_value(self.c.raw, ast) };
            let sort = *self.sorts.get(i as usize)?;
            return Some(self.exprs.add(Node::Var(Var(i), sort)));
        }
        let (kind, args) = self.app(ast)?;
        if let (DeclKind::Mul | DeclKind::Idiv | DeclKind::Mod, [a, b]) = (kind, &args[..]) {
            let (constant, other) = if kind == DeclKind::Mul { (*a, *b) } else { (*b, *a) };
            let k = self.numeral(constant)?;
            let e = self.expr(other, depth + 1)?;
            return match kind {
                DeclKind::Mul => Some(self.exprs.add(Node::Scale(k, e))),
                _ if k <= 0 => None,
                DeclKind::Idiv => Some(self.exprs.add(Node::Div(e, k))),
                _ => Some(self.exprs.add(Node::Mod(e, k))),
            };
        }
        let args = args.into_iter().map(|a| self.expr(a, depth + 1)).collect::<Option<Vec<Expr>>>()?;
        self.application(kind, &args)
    }

    fn application(&mut self, kind: DeclKind, args: &[Expr]) -> Option<Expr> {
        let node = match (kind, args) {
            (DeclKind::True, []) => Node::Bool(true),
            (DeclKind::False, []) => Node::Bool(false),
            (DeclKind::Not, &[a]) => Node::Not(a),
            (DeclKind::And, all) => Node::And(all.to_vec()),
            (DeclKind::Or, all) => Node::Or(all.to_vec()),
            (DeclKind::Implies, &[a, b]) => Node::Or(vec![self.exprs.add(Node::Not(a)), b]),
            (DeclKind::Ite, &[c, a, b]) => Node::Ite(c, a, b),
            (DeclKind::Eq, &[a, b]) => Node::Eq(a, b),
            (DeclKind::Add, all) => Node::Add(all.to_vec()),
            (DeclKind::Uminus, &[a]) => Node::Scale(-1, a),
            (DeclKind::Sub, &[a, b]) => Node::Add(vec![a, self.exprs.add(Node::Scale(-1, b))]),
            (DeclKind::Le, &[a, b]) => Node::Le(a, b),
            (DeclKind::Ge, &[a, b]) => Node::Le(b, a),
            (DeclKind::Lt, &[a, b]) => Node::Not(self.exprs.add(Node::Le(b, a))),
            (DeclKind::Gt, &[a, b]) => Node::Not(self.exprs.add(Node::Le(a, b))),
            _ => return None,
        };
        Some(self.exprs.add(node))
    }
}

#[cfg(test)]
mod tests;
