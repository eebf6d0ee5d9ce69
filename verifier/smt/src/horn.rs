//! Constrained Horn clauses over integers and truth values: unknown relations and the conditions that they must satisfy.
//!
//! In this form, a program's unknown invariants are given to solvers that find them (Bjørner, Gurfinkel, McMillan,
//! Rybalchenko, Horn Clause Solvers for Program Verification, 2015). This module has only data; [`crate::Spacer`] solves
//! the clauses.
//!
//! For example, `x = 0; while (x < 10) x++; assert(x == 10);` is safe if these clauses have a solution in which `Error` is
//! empty; `Inv` is then an invariant of the loop:
//!
//! ```text
//! x = 0                       =>  Inv(x)
//! Inv(x), x < 10              =>  Inv(x + 1)
//! Inv(x), x >= 10, x != 10    =>  Error()
//! ```

/// An expression, as an index into its arena.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Expr(u32);

/// A variable. In a clause, all variables are universally quantified; in a formula about a relation, it is the argument with
/// that index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Var(pub u32);

/// A relation, as an index into its system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Relation(pub u32);

/// The sorts of values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// All integers.
    Int,
}

/// The root of an expression. Arguments of an expression have smaller indices than the expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Node {
    /// A truth constant.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// A variable of any sort.
    Var(Var, Sort),
    /// Negation.
    Not(Expr),
    /// Conjunction.
    And(Vec<Expr>),
    /// Disjunction.
    Or(Vec<Expr>),
    /// Choice between two expressions of the same sort.
    Ite(Expr, Expr, Expr),
    /// Sum.
    Add(Vec<Expr>),
    /// Multiplication by a constant.
    Scale(i128, Expr),
    /// Division by a positive constant, rounded down.
    Div(Expr, i128),
    /// The nonnegative remainder of that division.
    Mod(Expr, i128),
    /// Less-or-equal of integers.
    Le(Expr, Expr),
    /// Equality of two expressions of the same sort.
    Eq(Expr, Expr),
}

/// An arena of expressions.
#[derive(Clone, Default, Debug)]
pub struct Exprs {
    nodes: Vec<Node>,
}

impl Exprs {
    /// Adds an expression.
    pub fn add(&mut self, node: Node) -> Expr {
        self.nodes.push(node);
        Expr(self.nodes.len() as u32 - 1)
    }

    /// The root of `e`.
    pub fn node(&self, e: Expr) -> &Node {
        &self.nodes[e.0 as usize]
    }

    /// The arguments of `e`.
    pub fn args(&self, e: Expr) -> Vec<Expr> {
        match self.node(e) {
            Node::Bool(_) | Node::Int(_) | Node::Var(..) => Vec::new(),
            Node::Not(a) | Node::Scale(_, a) | Node::Div(a, _) | Node::Mod(a, _) => vec![*a],
            Node::And(all) | Node::Or(all) | Node::Add(all) => all.clone(),
            Node::Le(a, b) | Node::Eq(a, b) => vec![*a, *b],
            Node::Ite(c, a, b) => vec![*c, *a, *b],
        }
    }

    /// All subexpressions of `roots`, arguments first.
    pub fn reachable(&self, roots: &[Expr]) -> Vec<Expr> {
        let mut seen = fixedbitset::FixedBitSet::with_capacity(self.nodes.len());
        let mut stack = roots.to_vec();
        while let Some(e) = stack.pop() {
            if !seen.put(e.0 as usize) {
                stack.extend(self.args(e));
            }
        }
        seen.ones().map(|i| Expr(i as u32)).collect()
    }
}

/// A relation applied to arguments.
#[derive(Clone, Debug)]
pub struct Atom {
    /// The relation.
    pub relation: Relation,
    /// Its arguments, of the relation's sorts.
    pub args: Vec<Expr>,
}

/// A clause: for all values of the variables, if `body` and `constraint` hold, `head` holds.
#[derive(Clone, Debug)]
pub struct Clause {
    /// The atoms that are assumed.
    pub body: Vec<Atom>,
    /// The constraint that is assumed.
    pub constraint: Expr,
    /// The atom that follows.
    pub head: Atom,
}

/// A system of clauses about unknown relations.
#[derive(Clone, Default, Debug)]
pub struct System {
    /// The expressions.
    pub exprs: Exprs,
    /// The sorts of the relations' arguments.
    pub relations: Vec<Vec<Sort>>,
    /// The clauses that must hold.
    pub clauses: Vec<Clause>,
}

impl System {
    /// Adds a relation.
    pub fn relation(&mut self, sorts: Vec<Sort>) -> Relation {
        self.relations.push(sorts);
        Relation(self.relations.len() as u32 - 1)
    }
}

/// Whether the relation asked about can be empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It can be empty: the formulas of all relations satisfy the clauses.
    Empty,
    /// It cannot be empty.
    Inhabited,
    /// Not decided within the time limit.
    Unknown,
}

/// What was found out about a system.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Whether the relation asked about can be empty.
    pub verdict: Verdict,
    /// The arena of `formulas`.
    pub exprs: Exprs,
    /// For each relation, formulas over its arguments. With [`Verdict::Empty`], their conjunction is the relation's
    /// interpretation in a solution. Otherwise, some of them hold in every solution, and the others hold for what few
    /// steps derive; formulas that hold for more steps come earlier.
    pub formulas: Vec<Vec<Expr>>,
}
