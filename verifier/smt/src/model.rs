//! Models: values of leaves, with a memo for the evaluation of terms.

use crate::solver::SolverError;
use cfa::eval::{Evaluation, Value};
use cfa::term::{Kind, Leaf};
use cfa::{Term, Terms};
use rustc_hash::FxHashMap;

/// The result of the last query, for solvers that read models only on demand.
pub(crate) enum Last<U> {
    /// Nothing.
    Nothing,
    /// A model that has not been read yet.
    Unread(U),
    /// A model.
    Read(Model),
    /// Assumptions that contradict each other.
    Core(Vec<Term>),
}

impl<U> Last<U> {
    /// The model, which must have been read if there is one.
    pub(crate) fn model(&mut self) -> Result<&mut Model, SolverError> {
        match self {
            Last::Read(m) => Ok(m),
            _ => Err(SolverError::Failed("no model: the last answer was not sat".into())),
        }
    }

    /// The core, or an empty list if there is none.
    pub(crate) fn core(&self) -> Vec<Term> {
        match self {
            Last::Core(core) => core.clone(),
            _ => Vec::new(),
        }
    }
}

/// Values for the leaves of terms. A leaf without a value counts as zero of its sort.
///
/// A model serves one arena, because evaluated terms are remembered by their ids.
#[derive(Clone, Debug, Default)]
pub struct Model {
    values: FxHashMap<Leaf, Value>,
    memo: Evaluation,
}

impl Model {
    /// A model with the given values, each of the sort of its leaf.
    pub fn new(values: FxHashMap<Leaf, Value>) -> Model {
        Model { values, memo: Evaluation::new() }
    }

    /// The value of a leaf, if the model has one.
    pub fn get(&self, leaf: Leaf) -> Option<&Value> {
        self.values.get(&leaf)
    }

    /// All values, in no particular order.
    pub fn values(&self) -> impl Iterator<Item = (Leaf, &Value)> {
        self.values.iter().map(|(l, v)| (*l, v))
    }

    /// The value of any term; `None` if an operator cannot be computed (floats from integers of more than 128 bits).
    pub fn eval(&mut self, terms: &Terms, t: Term) -> Option<Value> {
        let values = &self.values;
        let leaf = &mut |l: Leaf, sort| Some(values.get(&l).cloned().unwrap_or_else(|| Value::zero(sort)));
        self.memo.eval(terms, t, leaf)
    }

    /// Whether the Bool `t` holds; `None` as in [`Model::eval`].
    pub fn holds(&mut self, terms: &Terms, t: Term) -> Option<bool> {
        if let Kind::Bool(b) = terms.kind(t) {
            return Some(b);
        }
        self.eval(terms, t).and_then(|v| v.as_bool())
    }

    /// Forgets evaluated terms (not the values of leaves) if there are more than `limit`.
    pub fn shrink(&mut self, limit: usize) {
        if self.memo.len() > limit {
            self.memo = Evaluation::new();
        }
    }
}
