//! The second part of the check, without a solver: the graph has the shape that the argument requires.
//!
//! A concrete state of the slice (location, call stack, values) *is at* a node if its location is that of the node, the return sites on
//! its stack are those of the node's frames, and its values satisfy the label, or are among those to which the predecessors lead. This
//! file checks that each step of the view from a state at a node leads to a state at the named successor, with respect to locations and
//! stacks; [`symbolic`](crate::symbolic) does the same for values. A missing successor is a claim that the step cannot be taken.
//!
//! Frames are compared by their ids. Unlabelled nodes come after all their predecessors, except for those that close a loop at a loop
//! head, so that one pass in the order of ids knows everything that leads to each node.

use crate::certificate::{Certificate, Contract, FrameId, Label, LoopLabel, Node, NodeId, Step, Successor};
use cfa::term::{Kind, Leaf};
use cfa::view::View;
use cfa::{Cfa, FuncId, Id, LocId, Op, Scope, Sort, SymId, Term, Terms, VarId};
use fixedbitset::FixedBitSet;
use imbl::OrdMap;
use imbl::ordmap::DiffItem;
use rustc_hash::FxHashSet;

/// Checks the graph of `cert` with its labels, witnesses and contracts, as far as that needs no solver. Returns the reason if something is
/// wrong.
pub(crate) fn check_structure(cfa: &Cfa, view: &View, cert: &Certificate) -> Result<(), String> {
    same_base(&cfa.terms, &cert.terms)?;
    let contracted = cert.contracts.iter().map(|c| c.func).collect();
    let shape = Shape { cfa, view, cert, contracted, depths: frame_depths(cfa, cert)? };
    let Some(root) = cert.nodes.first() else { return Err("the graph has no node".into()) };
    if root.loc != view.rep(cfa.funcs[cfa.entry].entry) {
        return Err("the root is not at the program's entry".into());
    }
    if root.stack.is_some() {
        return Err("the root has a call stack".into());
    }
    let mut values = Values::new(cfa, &cert.terms);
    shape.check_contracts(&values)?;
    let unlabelled = Label::default();
    let mut last = &unlabelled;
    for (id, node) in cert.nodes.iter().enumerate() {
        let within = |r: Result<(), String>| r.map_err(|reason| format!("node {id}: {reason}"));
        within(shape.check_node(id, node))?;
        if let Some(label) = &node.repeats {
            within(values.check_loop(label, node))?;
        }
        if let Some(label) = &node.label {
            within(values.check_label(label, last))?;
            last = label;
        }
        for s in &node.successors {
            within(values.check_terms_of(s))?;
        }
    }
    Ok(())
}

/// The depth of each frame: the number of frames on the stack that it tops.
fn frame_depths(cfa: &Cfa, cert: &Certificate) -> Result<Vec<usize>, String> {
    let mut depths: Vec<usize> = Vec::with_capacity(cert.frames.len());
    for (i, f) in cert.frames.iter().enumerate() {
        if f.return_to.index() >= cfa.locs.len() {
            return Err(format!("frame {i} returns to a location that does not exist"));
        }
        match f.below {
            None => depths.push(1),
            Some(b) if (b as usize) < i => depths.push(depths[b as usize] + 1),
            Some(b) => return Err(format!("frame {i} lies on frame {b}, which is not before it")),
        }
    }
    Ok(depths)
}

/// Checks that the certificate's terms are an overlay over the program's.
fn same_base(program: &Terms, terms: &Terms) -> Result<(), String> {
    let same = terms.len() >= program.len()
        && terms.n_symbols() >= program.n_symbols()
        && (0..program.len())
            .map(Term::from_index)
            .all(|t| program.node(t) == terms.node(t) && (!is_big(program, t) || program.as_bv(t) == terms.as_bv(t)));
    if same { Ok(()) } else { Err("the certificate's terms are not over the program's".into()) }
}

fn is_big(terms: &Terms, t: Term) -> bool {
    matches!(terms.kind(t), Kind::BigConst(_))
}

struct Shape<'a> {
    cfa: &'a Cfa,
    view: &'a View,
    cert: &'a Certificate,
    /// The functions with a contract.
    contracted: FxHashSet<FuncId>,
    depths: Vec<usize>,
}

impl Shape<'_> {
    /// Checks that the graphs of contracts follow each other, that each begins at the entry of its function, and that contracts are
    /// well-formed.
    fn check_contracts(&self, values: &Values<'_>) -> Result<(), String> {
        if self.contracted.len() < self.cert.contracts.len() {
            return Err("a function has two contracts".into());
        }
        let mut last = 0;
        for c in &self.cert.contracts {
            let Some(func) = self.cfa.funcs.get(c.func) else {
                return Err(format!("there is a contract of {}, which does not exist", c.func));
            };
            let wrong = |reason: String| format!("the contract of `{}`: {reason}", func.name);
            if c.root <= last {
                return Err(wrong("its graph does not come after the others".into()));
            }
            last = c.root;
            let root = self.cert.nodes.get(c.root as usize).ok_or_else(|| wrong("its graph has no node".into()))?;
            if root.loc != self.view.rep(func.entry) || root.stack.is_some() {
                return Err(wrong("its graph does not begin at the function's entry".into()));
            }
            values.check_contract(c).map_err(wrong)?;
        }
        Ok(())
    }

    fn check_node(&self, id: usize, node: &Node) -> Result<(), String> {
        if node.loc.index() >= self.cfa.locs.len() || self.view.rep(node.loc) != node.loc {
            return Err(format!("{} is not a location of the view", node.loc));
        }
        let depth = match node.stack {
            None => 0,
            Some(f) => *self.depths.get(f as usize).ok_or("its frame does not exist")?,
        };
        if let Some(label) = &node.label {
            if label.below.len() > depth {
                return Err("its label speaks about more frames than the stack has".into());
            }
            if self.cert.contract_of(id as NodeId).is_some() {
                return Err("it has a label, in the graph of a contract".into());
            }
        }
        for (i, s) in node.successors.iter().enumerate() {
            let before = node.successors[..i].iter().rposition(|other| other.step == s.step);
            if before.is_some_and(|before| before + 1 < i) {
                return Err(format!("the successors for {:?} do not follow each other", s.step));
            }
            self.check_successor(id, node, s)?;
            if let Some(before) = before {
                let [a, b] = [node.successors[before].to, s.to].map(|to| &self.cert.nodes[to as usize]);
                if (a.loc, a.stack) != (b.loc, b.stack) || a.label.is_none() || b.label.is_none() {
                    return Err(format!("the successors for {:?} are no labels of one place", s.step));
                }
            }
            if !s.case.is_empty() && self.cert.nodes[s.to as usize].label.is_none() {
                return Err(format!("the successor for {:?} has a case but no label", s.step));
            }
        }
        Ok(())
    }

    /// Checks that the location and the stack of the successor are those to which the step leads.
    fn check_successor(&self, id: usize, node: &Node, s: &Successor) -> Result<(), String> {
        let Some(to) = self.cert.nodes.get(s.to as usize) else {
            return Err(format!("its successor {} does not exist", s.to));
        };
        if to.label.is_none() && to.repeats.is_none() && s.to as usize <= id {
            return Err(format!("its successor {} has no label and does not come after it", s.to));
        }
        if self.cert.contract_of(s.to) != self.cert.contract_of(id as NodeId) {
            return Err(format!("its successor {} is in another graph", s.to));
        }
        let (loc, stack) = match s.step {
            Step::Return => {
                let (Some(frame), true) = (self.frame(node.stack), node.loc == self.exit_of(node.loc)) else {
                    return Err("it returns, but not from an exit with a caller".into());
                };
                (frame.return_to, frame.below)
            }
            Step::Edge(e) => {
                let Some(edge) = self.view.out(node.loc).iter().find(|v| v.edge == e) else {
                    return Err(format!("{e} is not an edge of the view that leaves it"));
                };
                match self.view.op(self.cfa, edge) {
                    Op::Call(f) if to.stack == node.stack && self.contracted.contains(f) => (edge.to, node.stack),
                    Op::Call(f) => {
                        let pushed = self.frame(to.stack);
                        if pushed.is_none_or(|p| p.return_to != edge.to || p.below != node.stack) {
                            return Err(format!("its successor {} does not have the frame that {e} pushes", s.to));
                        }
                        (self.view.rep(self.cfa.funcs[*f].entry), to.stack)
                    }
                    Op::CallIndirect(_) | Op::Unsupported(_) => {
                        return Err(format!("it has a successor along {e}, which has no model"));
                    }
                    Op::Skip | Op::Assign(_) | Op::Assume { .. } | Op::Input { .. } => (edge.to, node.stack),
                }
            }
        };
        if to.loc != loc {
            return Err(format!("its successor {} is at {}, but {:?} leads to {loc}", s.to, to.loc, s.step));
        }
        if to.stack != stack {
            return Err(format!("its successor {} does not have the stack that {:?} leads to", s.to, s.step));
        }
        Ok(())
    }

    fn frame(&self, f: Option<FrameId>) -> Option<&crate::certificate::Frame> {
        f.and_then(|f| self.cert.frames.get(f as usize))
    }

    fn exit_of(&self, l: LocId) -> LocId {
        exit_of(self.cfa, self.view, l)
    }
}

/// The exit, in the view, of the function to which `l` belongs. (Locations are merged only within a function.)
pub(crate) fn exit_of(cfa: &Cfa, view: &View, l: LocId) -> LocId {
    view.rep(cfa.funcs[cfa.locs[l].func].exit)
}

/// Checks terms: labels and witnesses are over symbols, invariants and contracts are over variables, and all have the right sorts.
struct Values<'a> {
    cfa: &'a Cfa,
    terms: &'a Terms,
    /// The terms in which a program variable occurs.
    over_variables: FixedBitSet,
    /// The terms with a variable that the program does not have, or that has another sort there.
    ill_sorted: FixedBitSet,
}

impl<'a> Values<'a> {
    fn new(cfa: &'a Cfa, terms: &'a Terms) -> Values<'a> {
        let none = || FixedBitSet::with_capacity(terms.len());
        let (mut over_variables, mut ill_sorted) = (none(), none());
        for i in 0..terms.len() {
            let t = Term::from_index(i);
            match terms.kind(t) {
                Kind::Var(v) => {
                    over_variables.insert(i);
                    ill_sorted.set(i, cfa.vars.get(v).is_none_or(|var| var.sort != terms.sort(t)));
                }
                // Arguments have smaller ids than their users.
                _ => {
                    for set in [&mut over_variables, &mut ill_sorted] {
                        if terms.args(t).iter().any(|a| set.contains(a.index())) {
                            set.insert(i);
                        }
                    }
                }
            }
        }
        Values { cfa, terms, over_variables, ill_sorted }
    }

    fn check_term(&self, t: Term, sort: Sort) -> Result<(), String> {
        if t.index() >= self.terms.len() {
            return Err("a term does not exist".into());
        }
        if self.over_variables.contains(t.index()) {
            return Err(format!("`{}` names a variable; labels are over symbols", self.cfa.show_in(self.terms, t)));
        }
        if self.terms.sort(t) != sort {
            return Err(format!("`{}` does not have the sort {sort:?}", self.cfa.show_in(self.terms, t)));
        }
        Ok(())
    }

    /// Checks `label`, given that `last` is well-formed: consecutive labels are mostly equal and share their maps.
    fn check_label(&mut self, label: &Label, last: &Label) -> Result<(), String> {
        self.check_map(&label.env.globals, &last.env.globals)?;
        self.check_map(&label.env.locals, &last.env.locals)?;
        let none = OrdMap::new();
        for (i, map) in label.below.iter().rev().enumerate() {
            let at = last.below.len().checked_sub(i + 1);
            self.check_map(map, at.map_or(&none, |at| &last.below[at]))?;
        }
        label.constraints.iter().try_for_each(|&c| self.check_term(c, Sort::Bool))
    }

    fn check_map(&self, map: &OrdMap<VarId, Term>, last: &OrdMap<VarId, Term>) -> Result<(), String> {
        for d in last.diff(map) {
            let (DiffItem::Add(&v, &t) | DiffItem::Update { new: (&v, &t), .. }) = d else { continue };
            let Some(var) = self.cfa.vars.get(v) else {
                return Err("a label names a variable that does not exist".into());
            };
            self.check_term(t, var.sort)?;
        }
        Ok(())
    }

    /// Checks that invariants are Bool terms over variables that are visible in the node's function.
    fn check_loop(&self, label: &LoopLabel, node: &Node) -> Result<(), String> {
        if node.label.is_some() {
            return Err("it has both a label and a loop invariant".into());
        }
        let func = self.cfa.locs[node.loc].func;
        let visible = |v: VarId| {
            self.cfa.vars.get(v).is_some_and(|var| match var.scope {
                Scope::Global => true,
                Scope::Local(f) => f == func,
            })
        };
        if let Some(v) = label.written.iter().find(|v| self.cfa.vars.get(**v).is_none()) {
            return Err(format!("its loop writes {v}, which does not exist"));
        }
        label
            .invariants
            .iter()
            .try_for_each(|&t| self.check_predicate(t, "invariant", &visible, &FxHashSet::default()))?;
        label.universals.iter().try_for_each(|u| {
            let is_index =
                u.index.index() < self.terms.n_symbols() && matches!(self.terms.symbol(u.index).sort, Sort::Bv(_));
            if !is_index {
                return Err(format!("{} cannot be an index", u.index));
            }
            self.check_predicate(u.body, "invariant", &visible, &FxHashSet::from_iter([u.index]))
        })
    }

    /// Checks that the conditions of a contract are over variables of global scope, and over symbols for their values at the entry.
    fn check_contract(&self, contract: &Contract) -> Result<(), String> {
        let global = |v: VarId| self.cfa.vars.get(v).is_some_and(|var| var.scope == Scope::Global);
        let mut symbols = FxHashSet::default();
        for &(v, s) in &contract.entry {
            if !global(v) || s.index() >= self.terms.n_symbols() || self.terms.symbol(s).sort != self.cfa.vars[v].sort {
                return Err(format!("{s} cannot stand for the value of {v} at the entry"));
            }
            // Otherwise two variables would be forced to have the same value at the entry.
            if !symbols.insert(s) {
                return Err(format!("{s} stands for the values of two variables"));
            }
        }
        let none = FxHashSet::default();
        contract.pre.iter().try_for_each(|&t| self.check_predicate(t, "precondition", &global, &none))?;
        contract.post.iter().try_for_each(|&t| self.check_predicate(t, "postcondition", &global, &symbols))
    }

    /// Checks that `t` is a Bool term over `visible` variables, and over no symbols except `symbols`.
    fn check_predicate(
        &self,
        t: Term,
        what: &str,
        visible: &dyn Fn(VarId) -> bool,
        symbols: &FxHashSet<SymId>,
    ) -> Result<(), String> {
        if t.index() >= self.terms.len() || self.ill_sorted.contains(t.index()) || self.terms.sort(t) != Sort::Bool {
            return Err(format!("what is to be its {what} is not a Bool term over the program's variables"));
        }
        for leaf in self.terms.leaves(&[t]) {
            let shown = || self.cfa.show_in(self.terms, t);
            match leaf {
                Leaf::Var(v) if !visible(v) => {
                    return Err(format!("the {what} `{}` names a variable that is not visible there", shown()));
                }
                Leaf::Sym(s) if !symbols.contains(&s) => {
                    return Err(format!("the {what} `{}` names a symbol; it must be about variables", shown()));
                }
                Leaf::Var(_) | Leaf::Sym(_) | Leaf::Addr(_) => {}
            }
        }
        Ok(())
    }

    fn check_terms_of(&self, s: &Successor) -> Result<(), String> {
        s.case.iter().try_for_each(|&t| self.check_term(t, Sort::Bool))?;
        for &(symbol, t) in &s.witness {
            if symbol.index() >= self.terms.n_symbols() {
                return Err("a witness is for a symbol that does not exist".into());
            }
            self.check_term(t, self.terms.symbol(symbol).sort)?;
        }
        Ok(())
    }
}
