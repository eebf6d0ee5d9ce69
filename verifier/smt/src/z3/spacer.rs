//! Z3's engine for Horn clauses, Spacer (Komuravelli, Gurfinkel, Chaki, CAV 2014).
//!
//! Transformations that inline relations or drop arguments are switched off, since formulas over all relations and all
//! arguments are wanted. If time is up or there is no solution, the formulas are read from Spacer's frames.

use super::raw::{Confined, Context, Made, Stop};
use crate::horn::{Atom, Clause, Expr, Exprs, Node, Relation, Solution, Sort, System, Var, Verdict};
use crate::solver::{Interrupter, SolverError};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::time::Duration;
use z3::ast::{Ast, AstKind, Bool, Dynamic, Int, forall_const};
use z3::{DeclKind, Fixedpoint, FuncDecl, Params, SatResult, Symbol};

/// Maximum number of formulas that are read for a relation.
const MAX_FORMULAS: usize = 200;
/// Maximum depth of formulas that are read.
const MAX_DEPTH: u32 = 200;

/// A solver of Horn clauses.
#[derive(Default)]
pub struct Spacer {
    stop: Arc<Stop>,
}

impl Spacer {
    /// Decides whether `goal`, a relation without arguments, can be empty.
    ///
    /// Errors: those of Z3; no time is left; the solver was interrupted before it began.
    pub fn solve(&self, system: &System, goal: Relation, time: Duration) -> Result<Solution, SolverError> {
        let ms = u32::try_from(time.as_millis()).unwrap_or(u32::MAX - 1);
        if ms == 0 {
            return Err(SolverError::Unknown("out of time".into()));
        }
        Confined::new(|_| Ok(()))?.with(|c, ()| Run::new(c, system, ms)?.solve(goal, &self.stop))
    }

    /// A handle that stops this solver from another thread.
    pub fn interrupter(&self) -> Interrupter {
        Stop::interrupter(&self.stop)
    }
}

/// One query.
struct Run<'a> {
    c: &'a Context,
    system: &'a System,
    engine: Fixedpoint,
    relations: Vec<FuncDecl>,
    /// The translated expressions of the system.
    trees: FxHashMap<Expr, Dynamic>,
}

impl<'a> Run<'a> {
    fn new(c: &'a Context, system: &'a System, timeout_ms: u32) -> Result<Run<'a>, SolverError> {
        let engine = Fixedpoint::new();
        let mut params = Params::new();
        params.set_symbol("engine", "spacer");
        params.set_u32("timeout", timeout_ms);
        for transformation in ["xform.inline_eager", "xform.inline_linear", "xform.slice"] {
            params.set_bool(transformation, false);
        }
        engine.set_params(&params);
        c.checked(())?;
        let (int, bool) = (z3::Sort::int(), z3::Sort::bool());
        let sort = |sort: &Sort| match sort {
            Sort::Bool => &bool,
            Sort::Int => &int,
        };
        let mut relations = Vec::new();
        for (i, sorts) in system.relations.iter().enumerate() {
            let domain: Vec<&z3::Sort> = sorts.iter().map(sort).collect();
            let relation = FuncDecl::new(format!("r{i}"), &domain, &bool);
            engine.register_relation(&relation);
            relations.push(c.checked(relation)?);
        }
        let mut run = Run { c, system, engine, relations, trees: FxHashMap::default() };
        for clause in &system.clauses {
            run.add(clause)?;
        }
        Ok(run)
    }

    fn solve(self, goal: Relation, stop: &Stop) -> Result<Solution, SolverError> {
        let goal = &self.relations[goal.0 as usize];
        let verdict = match stop.during(self.c, || self.engine.query_relations(&[goal]))? {
            SatResult::Unsat => Verdict::Empty,
            SatResult::Sat => Verdict::Inhabited,
            SatResult::Unknown => Verdict::Unknown,
        };
        let mut exprs = Exprs::default();
        let formulas = (0..self.relations.len()).map(|r| self.formulas(r, verdict, &mut exprs)).collect();
        Ok(Solution { verdict, exprs, formulas })
    }

    fn add(&mut self, clause: &Clause) -> Result<(), SolverError> {
        let Clause { body, constraint, head } = clause;
        let mut roots = vec![*constraint];
        roots.extend(body.iter().chain([head]).flat_map(|atom| &atom.args).copied());
        let reachable = self.system.exprs.reachable(&roots);
        for &e in &reachable {
            self.translate(e)?;
        }
        let variables = reachable.into_iter().filter(|e| matches!(self.system.exprs.node(*e), Node::Var(..)));
        let bound = variables.map(|e| Ok(self.tree(e)? as &dyn Ast)).collect::<Made<Vec<_>>>()?;
        let mut all = vec![self.truth(*constraint)?];
        for atom in body {
            all.push(self.atom(atom)?);
        }
        let rule = Bool::and(&all).implies(self.atom(head)?);
        self.engine.add_rule(&forall_const(&bound, &[], &rule), None);
        self.c.checked(())
    }

    fn atom(&self, atom: &Atom) -> Made<Bool> {
        let args = atom.args.iter().map(|a| Ok(self.tree(*a)? as &dyn Ast)).collect::<Made<Vec<_>>>()?;
        self.relations[atom.relation.0 as usize].apply(&args).as_bool().ok_or_else(sort)
    }

    fn tree(&self, e: Expr) -> Made<&Dynamic> {
        self.trees.get(&e).ok_or_else(|| SolverError::Failed("an expression is not translated".into()))
    }

    fn truth(&self, e: Expr) -> Made<Bool> {
        self.tree(e)?.as_bool().ok_or_else(sort)
    }

    fn int(&self, e: Expr) -> Made<Int> {
        self.tree(e)?.as_int().ok_or_else(sort)
    }

    /// Translates `e`, whose arguments have been translated.
    fn translate(&mut self, e: Expr) -> Result<(), SolverError> {
        if self.trees.contains_key(&e) {
            return Ok(());
        }
        let truths = |list: &[Expr]| list.iter().map(|a| self.truth(*a)).collect::<Made<Vec<Bool>>>();
        let ints = |list: &[Expr]| list.iter().map(|a| self.int(*a)).collect::<Made<Vec<Int>>>();
        let tree: Dynamic = match self.system.exprs.node(e) {
            Node::Bool(b) => Bool::from_bool(*b).into(),
            Node::Int(k) => Int::from_i128(*k).into(),
            Node::Var(v, Sort::Bool) => Bool::new_const(name(*v)).into(),
            Node::Var(v, Sort::Int) => Int::new_const(name(*v)).into(),
            Node::Not(a) => self.truth(*a)?.not().into(),
            Node::And(list) => Bool::and(&truths(list)?).into(),
            Node::Or(list) => Bool::or(&truths(list)?).into(),
            Node::Add(list) => Int::add(&ints(list)?).into(),
            Node::Ite(i, a, b) => self.truth(*i)?.ite(self.tree(*a)?, self.tree(*b)?),
            Node::Scale(k, a) => Int::mul(&[Int::from_i128(*k), self.int(*a)?]).into(),
            Node::Div(a, k) => self.int(*a)?.div(*k).into(),
            Node::Mod(a, k) => self.int(*a)?.modulo(*k).into(),
            Node::Le(a, b) => self.int(*a)?.le(self.int(*b)?).into(),
            Node::Eq(a, b) => self.c.eq(self.tree(*a)?, self.tree(*b)?)?,
        };
        self.trees.insert(e, tree);
        Ok(())
    }

    /// The formulas that Spacer has for a relation: first those that hold after any number of steps (level -1); if there is no
    /// solution, also those of its frames, the last frame first.
    fn formulas(&self, relation: usize, verdict: Verdict, exprs: &mut Exprs) -> Vec<Expr> {
        let (decl, sorts) = (&self.relations[relation], &self.system.relations[relation]);
        let mut reader = Reader { c: self.c, sorts, exprs, seen: FxHashSet::default(), found: Vec::new() };
        let levels = match verdict {
            Verdict::Empty => 0,
            _ => i32::try_from(self.engine.get_num_levels(decl)).unwrap_or(0),
        };
        for level in std::iter::once(-1).chain((0..levels).rev()) {
            if let Some(cover) = self.engine.get_cover_delta(level, decl) {
                reader.conjuncts(cover.into());
            }
        }
        reader.found
    }
}

fn name(v: Var) -> Symbol {
    format!("v{}", v.0).into()
}

fn sort() -> SolverError {
    SolverError::Failed("an expression of another sort".into())
}

/// A reader for Z3's formulas over a relation's arguments.
struct Reader<'a> {
    c: &'a Context,
    sorts: &'a [Sort],
    exprs: &'a mut Exprs,
    seen: FxHashSet<Dynamic>,
    found: Vec<Expr>,
}

impl Reader<'_> {
    /// Reads the conjuncts of `tree` separately.
    fn conjuncts(&mut self, tree: Dynamic) {
        if self.found.len() >= MAX_FORMULAS || !self.seen.insert(tree.clone()) {
            return;
        }
        match app(&tree) {
            Some((DeclKind::And, args)) => args.into_iter().for_each(|a| self.conjuncts(a)),
            Some((DeclKind::True, _)) => {}
            _ => {
                let formula = self.expr(&tree, 0);
                self.found.extend(formula);
            }
        }
    }

    /// Reads an expression; `None` if it contains something that cannot be expressed here.
    fn expr(&mut self, tree: &Dynamic, depth: u32) -> Option<Expr> {
        if depth > MAX_DEPTH {
            return None;
        }
        if let Some(k) = numeral(tree) {
            return Some(self.exprs.add(Node::Int(k)));
        }
        if tree.kind() == AstKind::Var {
            let i = self.c.bound_index(tree).ok()?;
            let sort = *self.sorts.get(i as usize)?;
            return Some(self.exprs.add(Node::Var(Var(i), sort)));
        }
        let (kind, args) = app(tree)?;
        if let (DeclKind::Mul | DeclKind::Idiv | DeclKind::Mod, [a, b]) = (kind, &args[..]) {
            let (constant, other) = if kind == DeclKind::Mul { (a, b) } else { (b, a) };
            let k = numeral(constant)?;
            let e = self.expr(other, depth + 1)?;
            return match kind {
                DeclKind::Mul => Some(self.exprs.add(Node::Scale(k, e))),
                _ if k <= 0 => None,
                DeclKind::Idiv => Some(self.exprs.add(Node::Div(e, k))),
                _ => Some(self.exprs.add(Node::Mod(e, k))),
            };
        }
        let args = args.iter().map(|a| self.expr(a, depth + 1)).collect::<Option<Vec<Expr>>>()?;
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

/// The function and the arguments of an application; `None` for other trees, such as numerals.
fn app(tree: &Dynamic) -> Option<(DeclKind, Vec<Dynamic>)> {
    (tree.kind() == AstKind::App).then(|| (tree.decl().kind(), tree.children()))
}

fn numeral(tree: &Dynamic) -> Option<i128> {
    if tree.kind() == AstKind::Numeral { tree.as_int()?.as_i128() } else { None }
}

#[cfg(test)]
mod tests;
