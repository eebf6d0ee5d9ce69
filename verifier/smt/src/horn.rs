//! Constrained Horn clauses over integers and truth values: unknown relations, and what must hold of them.
//!
//! The form in which a program's unknown invariants are put to solvers that find them (Bjørner, Gurfinkel, McMillan, Rybalchenko, Horn
//! Clause Solvers for Program Verification, 2015). Only data: [`crate::Spacer`] solves them.

/// An expression, by its number in its arena.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Expr(u32);

/// A variable: of a clause, all of whose variables stand for all values; in what is said of a relation, the argument of that number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Var(pub u32);

/// A relation, by its number in its system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Relation(pub u32);

/// What values there are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// All integers.
    Int,
}

/// The root of an expression. Arguments of an expression have smaller numbers than the expression.
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
    /// Choice between two expressions of one sort.
    Ite(Expr, Expr, Expr),
    /// Sum.
    Add(Vec<Expr>),
    /// Product with a constant.
    Scale(i128, Expr),
    /// Quotient by a positive constant, rounded down.
    Div(Expr, i128),
    /// What that leaves: from zero on.
    Mod(Expr, i128),
    /// Order of integers.
    Le(Expr, Expr),
    /// Equality of two expressions of one sort.
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

    /// All expressions that `roots` are made of, arguments first.
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
    /// Which relation.
    pub relation: Relation,
    /// Its arguments, of the relation's sorts.
    pub args: Vec<Expr>,
}

/// For all values of the variables: if `body` and `constraint` hold, `head` does.
#[derive(Clone, Debug)]
pub struct Clause {
    /// What is assumed of relations.
    pub body: Vec<Atom>,
    /// What is assumed besides.
    pub constraint: Expr,
    /// What follows.
    pub head: Atom,
}

/// Clauses about unknown relations.
#[derive(Clone, Default, Debug)]
pub struct System {
    /// The expressions.
    pub exprs: Exprs,
    /// The sorts of the relations' arguments.
    pub relations: Vec<Vec<Sort>>,
    /// What must hold.
    pub clauses: Vec<Clause>,
}

impl System {
    /// A new relation.
    pub fn relation(&mut self, sorts: Vec<Sort>) -> Relation {
        self.relations.push(sorts);
        Relation(self.relations.len() as u32 - 1)
    }
}

/// Whether the relation that was asked about can be empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It can: the formulas of all relations satisfy the clauses.
    Empty,
    /// It cannot.
    Inhabited,
    /// Not decided in time.
    Unknown,
}

/// What was found out about a system.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Whether the relation that was asked about can be empty.
    pub verdict: Verdict,
    /// The expressions of `formulas`.
    pub exprs: Exprs,
    /// Formulas over arguments for each relation. With [`Verdict::Empty`], they are the relation's in a solution, together. Otherwise some
    /// hold in every solution, the others of what few steps derive: the more steps, the earlier they come.
    pub formulas: Vec<Vec<Expr>>,
}
