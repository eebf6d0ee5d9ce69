//! Converts a solver's model of an unwinding to the inputs of an execution.

use super::InputInstance;
use crate::evidence::outcome::InputVector;
use cfa::Terms;
use cfa::eval::Value;
use smt::Solver;

/// The input values in the model, in the order of occurrence along the path that the model takes.
///
/// Without a model (`has_model` is not set), the path must not depend on symbols: every input that is certainly read is zero.
pub fn inputs_of_model(
    inputs: &[InputInstance],
    terms: &Terms,
    solver: &mut dyn Solver,
    has_model: bool,
) -> InputVector {
    let mut vector = InputVector::default();
    for input in inputs {
        let executed = match terms.as_bool(input.guard) {
            Some(b) => b,
            None => has_model && solver.model_value(terms, input.guard) == Ok(Value::Bool(true)),
        };
        if !executed {
            continue;
        }
        let value = if has_model { solver.model_value(terms, input.symbol).ok() } else { None };
        let value = value.unwrap_or_else(|| Value::zero(terms.sort(input.symbol)));
        vector.inputs.entry(input.edge).or_default().push(value);
    }
    vector
}
