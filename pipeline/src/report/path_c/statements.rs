//! The statements of a replayed execution that decide whether its path is feasible.
//!
//! The program is run once more on the same inputs. Every condition on the way is kept, and of the assignments and inputs those on which a
//! condition depends: going backward, a variable is needed from where it is read to where it is set. Each activation of a function has
//! variables of its own, so that recursion needs no stack. Variables without a name in the source are left out where they are copies of
//! others, or are copied to others and not used again.

use std::collections::HashSet;
use std::time::Instant;

use cfa::eval::Value;
use cfa::interpret::{End, RunLimits, run};
use cfa::term::Kind;
use cfa::{Cfa, EdgeId, FuncId, Op, Scope, Sort, Term, VarId};
use rustc_hash::FxHashMap;
use verifier::evidence::replay::Counterexample;

/// Maximum number of steps of an execution that becomes a program.
const MAX_STEPS: u64 = 200_000;

/// A variable of an activation of its function; variables of global scope have the activation 0.
pub(super) type Instance = (VarId, u32);

/// What a step does.
pub(super) enum Statement {
    /// Simultaneous assignments, each with the value that it had, unless it is a memory.
    Assign(Vec<(Instance, Term, Option<Value>)>),
    /// An arbitrary value, which was this.
    Input(Instance, Value),
    /// A condition that holds.
    Assume(Term),
}

/// A statement with the edge that it comes from.
pub(super) struct Step {
    pub(super) edge: EdgeId,
    pub(super) statement: Statement,
    /// The running activation.
    activation: (FuncId, u32),
    /// Variables that the statement reads as copies of these.
    copies: Vec<(VarId, Instance)>,
    /// Whether this is a copy of a variable that is not read again.
    moves: bool,
}

impl Step {
    /// The instance of a variable that the statement reads.
    pub(super) fn read(&self, cfa: &Cfa, v: VarId) -> Instance {
        let copied = self.copies.iter().find(|(copy, _)| *copy == v);
        copied.map_or_else(|| self.instance(cfa, v), |(_, of)| *of)
    }

    /// The instance of a variable in the running activation.
    fn instance(&self, cfa: &Cfa, v: VarId) -> Instance {
        match cfa.vars[v].scope {
            Scope::Local(f) if f == self.activation.0 => (v, self.activation.1),
            _ => (v, 0),
        }
    }
}

/// The statements that matter, in order. `expressible` says which terms are written; others count as constants. The error is the reason why
/// there are none, in words.
pub(super) fn statements(
    cfa: &Cfa,
    found: &Counterexample,
    expressible: &dyn Fn(Term) -> bool,
    deadline: Option<Instant>,
) -> Result<Vec<Step>, String> {
    if found.n_steps > MAX_STEPS {
        return Err(format!("the execution has {} steps, more than {MAX_STEPS}", found.n_steps));
    }
    let mut inputs: FxHashMap<EdgeId, Vec<Value>> = FxHashMap::default();
    for event in &found.inputs {
        inputs.entry(event.edge).or_default().push(event.value.clone());
    }
    let mut steps: Vec<Step> = Vec::new();
    // The running activations, innermost last.
    let mut stack: Vec<(FuncId, u32)> = vec![(cfa.entry, 0)];
    let mut activations = 0;
    let limits = RunLimits { steps: found.n_steps, deadline };
    let again = run(cfa, &mut inputs.clone(), limits, &mut |machine, edge| {
        let op = &cfa.edges[edge].op;
        let depth = machine.stack().len() - usize::from(matches!(op, Op::Call(_)));
        stack.truncate(depth + 1);
        let activation = *stack.last().unwrap_or(&(cfa.entry, 0));
        let statement = Statement::Assign(Vec::new());
        let mut step = Step { edge, statement, activation, copies: Vec::new(), moves: false };
        let value = |v: VarId| machine.value(v).cloned();
        match op {
            Op::Assign(list) => {
                let one = |(v, t): &(VarId, Term)| {
                    let value = value(*v).filter(|value| !matches!(value, Value::Array(_)));
                    (step.instance(cfa, *v), *t, value)
                };
                step.statement = Statement::Assign(list.iter().map(one).collect());
            }
            Op::Input { var, .. } => {
                let Some(value) = value(*var) else { return };
                step.statement = Statement::Input(step.instance(cfa, *var), value);
            }
            Op::Assume { cond, .. } => step.statement = Statement::Assume(*cond),
            Op::Call(f) => {
                activations += 1;
                stack.push((*f, activations));
                return;
            }
            Op::Skip | Op::CallIndirect(_) | Op::Unsupported(_) => return,
        }
        steps.push(step);
    });
    match again.end {
        End::Target(target) if target == found.target => {
            read_originals(cfa, &mut steps);
            Ok(moved(needed(cfa, steps, expressible)))
        }
        End::OutOfTime => Err("there is no time left".into()),
        _ => Err("the execution does not repeat".into()),
    }
}

/// The variable of which a statement is a copy, and the copy.
fn copied(cfa: &Cfa, step: &Step) -> Option<(Instance, Instance)> {
    let Statement::Assign(list) = &step.statement else { return None };
    let [(to, t, _)] = &list[..] else { return None };
    match cfa.terms.kind(*t) {
        Kind::Var(v) if !matches!(cfa.vars[v].sort, Sort::Array { .. }) => Some((step.read(cfa, v), *to)),
        _ => None,
    }
}

/// Lets statements read the originals of variables without a name.
fn read_originals(cfa: &Cfa, steps: &mut [Step]) {
    let mut original: FxHashMap<Instance, Instance> = FxHashMap::default();
    let mut copies: FxHashMap<Instance, Vec<Instance>> = FxHashMap::default();
    for step in steps {
        let (read, set): (Vec<Term>, Vec<Instance>) = match &step.statement {
            Statement::Assume(cond) => (vec![*cond], Vec::new()),
            Statement::Input(to, _) => (Vec::new(), vec![*to]),
            Statement::Assign(list) => {
                (list.iter().map(|(_, t, _)| *t).collect(), list.iter().map(|(to, ..)| *to).collect())
            }
        };
        for v in read.iter().flat_map(|t| cfa.terms.vars(*t)) {
            if let Some(of) = original.get(&step.instance(cfa, v)) {
                step.copies.push((v, *of));
            }
        }
        for to in set {
            original.remove(&to);
            for copy in copies.remove(&to).unwrap_or_default() {
                // It may be a copy of another one by now.
                if original.get(&copy) == Some(&to) {
                    original.remove(&copy);
                }
            }
        }
        if let Some((of, to)) = copied(cfa, step).filter(|(of, to)| of != to && cfa.vars[to.0].source.is_none()) {
            original.insert(to, of);
            copies.entry(of).or_default().push(to);
        }
    }
}

/// The statements, where what sets a variable without a name that is only copied sets the copy.
fn moved(steps: Vec<Step>) -> Vec<Step> {
    let mut kept: Vec<Step> = Vec::new();
    for step in steps {
        let to = match &step.statement {
            Statement::Assign(list) if step.moves => list.first().map(|(to, ..)| *to),
            _ => None,
        };
        let before = kept.last_mut().map(|last| &mut last.statement);
        match (to, before) {
            (Some(copy), Some(Statement::Input(set, _))) => *set = copy,
            (Some(copy), Some(Statement::Assign(list))) if list.len() == 1 => list[0].0 = copy,
            _ => kept.push(step),
        }
    }
    kept
}

/// The conditions, and what they depend on.
fn needed(cfa: &Cfa, steps: Vec<Step>, expressible: &dyn Fn(Term) -> bool) -> Vec<Step> {
    let mut needed: HashSet<Instance> = HashSet::new();
    let mut kept: Vec<Step> = Vec::new();
    // What the last statement copies, if that is not read again.
    let mut moves: Option<Instance> = None;
    for mut step in steps.into_iter().rev() {
        // A variable that gets its own value by way of a copy.
        if copied(cfa, &step).is_some_and(|(of, to)| of == to) {
            continue;
        }
        let mut read: Vec<Term> = Vec::new();
        let is_kept = match &mut step.statement {
            Statement::Assume(cond) => {
                read.push(*cond);
                cfa.terms.as_bool(*cond) != Some(true)
            }
            Statement::Input(to, _) => needed.remove(to),
            Statement::Assign(list) => {
                list.retain(|(to, ..)| needed.contains(to));
                read.extend(list.iter().map(|(_, t, _)| *t));
                for (to, ..) in list.iter() {
                    needed.remove(to);
                }
                !list.is_empty()
            }
        };
        if is_kept {
            let sets = match &step.statement {
                Statement::Assume(_) => None,
                Statement::Input(to, _) => Some(*to),
                Statement::Assign(list) => list.first().map(|(to, ..)| *to).filter(|_| list.len() == 1),
            };
            if let Some(copy) = kept.last_mut().filter(|_| moves.is_some() && moves == sets) {
                copy.moves = true;
            }
            // The statement before must set it.
            let of = copied(cfa, &step).map(|(of, _)| of).filter(|of| cfa.vars[of.0].source.is_none());
            moves = of.filter(|of| !needed.contains(of));
            let variables = read.into_iter().filter(|t| expressible(*t)).flat_map(|t| cfa.terms.vars(t));
            needed.extend(variables.map(|v| step.read(cfa, v)));
            kept.push(step);
        }
    }
    kept.reverse();
    kept
}
