//! Operations on decision diagrams, with limits, and circuits as diagrams.

use super::layout::Layout;
use crate::cpa::profile::Diagrams as Counters;
use crate::program::{Budget, Halt};
use biodivine_lib_bdd::{Bdd, BddNode, BddPointer, BddVariable, op_function};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::bits::graph::{Gate, Graph, Lit};
use std::cell::Cell;
use std::rc::Rc;

/// Makes diagrams.
pub(super) struct Diagrams {
    /// Maximum number of nodes of a diagram.
    limit: usize,
    of: FxHashMap<Lit, Rc<Bdd>>,
    pairs: Pairs,
    pub(super) counters: Counters,
}

/// Maximum number of steps of a relational product, for each node that a diagram may have.
const STEPS_PER_NODE: usize = 32;

/// How long an operation goes on.
struct Patience<'a> {
    steps: Cell<usize>,
    most: usize,
    budget: &'a Budget<'a>,
}

impl Patience<'_> {
    /// Whether there were too many steps, or no time is left, at this step, which is counted.
    fn is_over(&self) -> bool {
        let steps = self.steps.get();
        if steps.is_multiple_of(1 << 16) && self.budget.check().is_err() {
            self.steps.set(self.most);
        } else if steps < self.most {
            self.steps.set(steps + 1);
        }
        steps >= self.most
    }
}

type Operator = fn(Option<bool>, Option<bool>) -> Option<bool>;

impl Diagrams {
    /// Makes diagrams of at most `limit` nodes.
    pub(super) fn new(limit: usize) -> Diagrams {
        Diagrams { limit, of: FxHashMap::default(), pairs: Pairs::default(), counters: Counters::default() }
    }

    fn noted(&mut self, result: Bdd, budget: &Budget<'_>) -> Result<Bdd, Halt> {
        budget.check()?;
        self.counters.operations += 1;
        self.counters.largest = self.counters.largest.max(result.size() as u64);
        if result.size() > self.limit { Err(self.too_large()) } else { Ok(result) }
    }

    fn too_large(&self) -> Halt {
        Halt::OutOfBudget(format!("a decision diagram of more than {} nodes", self.limit))
    }

    fn apply(&mut self, a: &Bdd, b: &Bdd, op: Operator, budget: &Budget<'_>) -> Result<Bdd, Halt> {
        let result = Bdd::binary_op_with_limit(self.limit, a, b, op).ok_or_else(|| self.too_large())?;
        self.noted(result, budget)
    }

    /// The conjunction.
    pub(super) fn and(&mut self, a: &Bdd, b: &Bdd, budget: &Budget<'_>) -> Result<Bdd, Halt> {
        match (a.as_bool(), b.as_bool()) {
            (Some(true), _) | (_, Some(false)) => Ok(b.clone()),
            (_, Some(true)) | (Some(false), _) => Ok(a.clone()),
            _ => self.apply(a, b, op_function::and, budget),
        }
    }

    /// The disjunction.
    pub(super) fn or(&mut self, a: &Bdd, b: &Bdd, budget: &Budget<'_>) -> Result<Bdd, Halt> {
        self.apply(a, b, op_function::or, budget)
    }

    /// `a` without `b`.
    pub(super) fn and_not(&mut self, a: &Bdd, b: &Bdd, budget: &Budget<'_>) -> Result<Bdd, Halt> {
        self.apply(a, b, op_function::and_not, budget)
    }

    /// The relational product: what is left of `a` and `b` without the variables for which `gone` holds.
    pub(super) fn and_exists(
        &mut self,
        (a, b): (&Bdd, &Bdd),
        gone: impl Fn(BddVariable) -> bool,
        budget: &Budget<'_>,
    ) -> Result<Bdd, Halt> {
        // The library has no limit here. Once an operator says `false` everywhere, the operation ends soon, with a result that is not used.
        let patience = Patience { steps: Cell::new(0), most: self.limit.saturating_mul(STEPS_PER_NODE), budget };
        let and = |x, y| if patience.is_over() { Some(false) } else { op_function::and(x, y) };
        let or = |x, y| if patience.is_over() { Some(false) } else { op_function::or(x, y) };
        let result = Bdd::binary_op_nested(a, b, gone, and, or);
        budget.check()?;
        if patience.is_over() {
            return Err(self.too_large());
        }
        self.noted(result, budget)
    }

    /// Whether `a` and `b` have nothing in common.
    pub(super) fn are_disjoint(&mut self, a: &Bdd, b: &Bdd) -> bool {
        self.counters.comparisons += 1;
        self.pairs.none(a, b, |x, y| match (x.as_bool(), y.as_bool()) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            // A diagram that is not `false` has a model.
            (Some(true), _) | (_, Some(true)) => Some(true),
            _ => None,
        })
    }

    /// Whether `a` is within `b`.
    pub(super) fn is_within(&mut self, a: &Bdd, b: &Bdd) -> bool {
        self.counters.comparisons += 1;
        self.pairs.none(a, b, |x, y| match (x.as_bool(), y.as_bool()) {
            (Some(false), _) | (_, Some(true)) => Some(false),
            (Some(true), _) | (_, Some(false)) => Some(true),
            _ => None,
        })
    }

    /// Forgets the diagrams of circuits, since the layout has a new version.
    pub(super) fn forget(&mut self) {
        self.of.clear();
    }

    /// The diagram of the output of a circuit.
    pub(super) fn of(
        &mut self,
        layout: &Layout,
        graph: &Graph,
        lit: Lit,
        budget: &Budget<'_>,
    ) -> Result<Rc<Bdd>, Halt> {
        let mut open = vec![lit];
        while let Some(&top) = open.last() {
            if self.of.contains_key(&top) {
                open.pop();
                continue;
            }
            let before = open.len();
            let mut need = |l: Lit| {
                if !self.of.contains_key(&l) {
                    open.push(l);
                }
            };
            if top.negated() && top.gate() != 0 {
                need(!top);
            } else {
                graph.args(top.gate()).into_iter().for_each(&mut need);
                if let Gate::Mux(c, ..) | Gate::Xor(c, _) = graph.gate(top.gate()) {
                    need(!c);
                }
            }
            if open.len() > before {
                continue;
            }
            open.pop();
            let made = self.gate(layout, graph, top, budget)?;
            self.of.insert(top, Rc::new(made));
        }
        Ok(self.of[&lit].clone())
    }

    /// The diagram of a literal whose arguments have theirs.
    fn gate(&mut self, layout: &Layout, graph: &Graph, lit: Lit, budget: &Budget<'_>) -> Result<Bdd, Halt> {
        if let Some(constant) = lit.as_constant() {
            return Ok(if constant { layout.set.mk_true() } else { layout.set.mk_false() });
        }
        let known = |d: &Diagrams, l: Lit| d.of[&l].clone();
        if lit.negated() {
            return Ok(known(self, !lit).not());
        }
        match graph.gate(lit.gate()) {
            Gate::False => Ok(layout.set.mk_false()),
            Gate::Input => Ok(layout.diagram(layout.bit_of[&lit.gate()])),
            Gate::And(a, b) => {
                let (a, b) = (known(self, a), known(self, b));
                self.and(&a, &b, budget)
            }
            Gate::Xor(a, b) => {
                let (a, b) = (known(self, a), known(self, b));
                self.apply(&a, &b, op_function::xor, budget)
            }
            Gate::Mux(c, t, e) => {
                let (yes, no, t, e) = (known(self, c), known(self, !c), known(self, t), known(self, e));
                let (t, e) = (self.and(&yes, &t, budget)?, self.and(&no, &e, budget)?);
                self.or(&t, &e, budget)
            }
            Gate::Maj(a, b, c) => {
                let (a, b, c) = (known(self, a), known(self, b), known(self, c));
                let (both, either) = (self.and(&a, &b, budget)?, self.or(&a, &b, budget)?);
                let third = self.and(&c, &either, budget)?;
                self.or(&both, &third, budget)
            }
        }
    }
}

/// Pairs of nodes of two diagrams that are searched together. Unlike the operations of the library, the search makes no diagram, and ends when it
/// has found what it looks for.
#[derive(Default)]
struct Pairs {
    seen: FxHashSet<(BddPointer, BddPointer)>,
    open: Vec<(BddPointer, BddPointer)>,
}

impl Pairs {
    /// Whether there is no pair of nodes, reached by the same values of variables, for which `found` is true; where it is known to be false, the
    /// search goes no deeper.
    fn none(&mut self, a: &Bdd, b: &Bdd, found: impl Fn(BddPointer, BddPointer) -> Option<bool>) -> bool {
        self.seen.clear();
        self.open.clear();
        self.open.push((a.root_pointer(), b.root_pointer()));
        while let Some((x, y)) = self.open.pop() {
            match found(x, y) {
                Some(true) => return false,
                Some(false) => continue,
                None => {}
            }
            if !self.seen.insert((x, y)) {
                continue;
            }
            let (v, w) = (a.var_of(x), b.var_of(y));
            let top = v.min(w);
            let [left, right] = [(a, x, v), (b, y, w)].map(|(bdd, node, var)| match var == top {
                true => (bdd.low_link_of(node), bdd.high_link_of(node)),
                false => (node, node),
            });
            self.open.extend([(left.0, right.0), (left.1, right.1)]);
        }
        true
    }
}

/// `set` with its variables renamed: those at positions for which `to` has another one. The order must stay the same.
pub(super) fn renamed(set: Bdd, to: impl Fn(usize) -> Option<usize>) -> Bdd {
    let nodes: Vec<BddNode> = set
        .to_nodes()
        .into_iter()
        .map(|mut node| {
            if !node.is_terminal()
                && let Some(to) = to(node.var.to_index())
            {
                node.var = BddVariable::from_index(to);
            }
            node
        })
        .collect();
    Bdd::from_nodes(&nodes).expect("renaming keeps the order of variables")
}
