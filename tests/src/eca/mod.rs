//! Event-condition-action programs of any size, in the style of the RERS challenges [Beyer, Stahlbauer 2014, 4.1], whose verdict is known.
//!
//! A program is a loop that reads an input and hands it to `calculate_output`, which has a rule for what to do in which state: if a guard over the
//! state variables and the input holds, some variables are assigned, and the iteration ends. Before the rules, `error_check` looks for
//! states that must not be reached.
//!
//! The verdict is known because the rules are made from a *hidden machine* (`machine`): some hundred valuations of the variables, and which
//! one follows on which input, by levels, so that the one at the last level takes as many inputs as wanted. A rule's guard
//! holds in the states of the machine that the rule is for, and in no other one; as many rules hold in none, although each of their tests holds in
//! some. So what is reachable is the machine, whatever the rules would do elsewhere, and a program is simulated on all inputs before it is
//! returned ([`Program::depth`]).
//!
//! *Free* variables make the state space large: rules set them to anything, and some rules are split by a test of one, into two that lead to the same state
//! of the machine. The machine does not depend on them, and nor do errors.
//!
//! Variables have a few values each. In a program with arithmetic, every second variable has ranges of numbers instead: a test is whether the
//! number lies in a range, and what is assigned is computed from the number that was there: `a3 = ((a3 % 61) + 173);` leads into the same
//! range from everywhere, so that ranges behave as values do.

mod machine;
mod rules;
mod variables;

use anyhow::{Result, bail};
use kerf_testing::Random;
use machine::Machine;
use rules::{Guard, Rule};
use std::collections::{HashMap, VecDeque};
use std::fmt::Write;
use variables::Variable;

/// What kind of program is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::Args)]
pub struct Plan {
    /// Number of rules
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub rules: usize,
    /// Number of state variables
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub variables: usize,
    /// Number of further variables that have no influence on the others
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub free: usize,
    /// Number of values, or of ranges, of each variable
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub values: usize,
    /// Give every second variable ranges of numbers, and compute what it is assigned
    #[arg(long)]
    pub arithmetic: bool,
    /// Seed of the program
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Whether the property holds: whether no input leads to an error
    #[arg(long, value_name = "BOOL", default_value_t = true, action = clap::ArgAction::Set)]
    pub verdict: bool,
    /// Number of inputs that lead to the state that takes the most of them; without the property, to an error
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub depth: usize,
}

/// The inputs are the numbers from 1 to this one.
const INPUTS: usize = 5;

/// Number of rules of one function.
const RULES_PER_FUNCTION: usize = 100;

/// Number of states that must not be reached, for each hundred rules, and the least number.
const ERRORS_PER_HUNDRED: usize = 2;
const MIN_ERRORS: usize = 3;

/// The values of all variables but the free ones, which come after these.
type State = Vec<usize>;

/// A program before it is written.
pub struct Program {
    variables: Vec<Variable>,
    initial: State,
    /// The initial values of the free variables.
    free: Vec<usize>,
    rules: Vec<Rule>,
    /// Guards without tests of the input.
    errors: Vec<Guard>,
}

impl Program {
    /// The program that `plan` determines.
    ///
    /// # Errors
    /// There are too few variables or values for so deep a machine, or no rules.
    pub fn new(plan: &Plan) -> Result<Program> {
        let valuations = u32::try_from(plan.variables).ok().and_then(|n| plan.values.checked_pow(n));
        if plan.values < 2 || valuations.is_some_and(|n| n < 4 * (plan.depth + 2)) {
            bail!("{} variables of {} values are too few for depth {}", plan.variables, plan.values, plan.depth);
        }
        if plan.rules < 2 * plan.depth + 2 {
            bail!("{} rules are too few for depth {}", plan.rules, plan.depth);
        }
        let mut random = Random::new(plan.seed);
        let machine = Machine::new(plan, valuations.unwrap_or(usize::MAX), &mut random);
        let variables = (0..plan.variables + plan.free).map(|v| Variable::new(v, plan, &mut random)).collect();
        let rules = rules::rules(plan, &machine, &mut random);
        let mut errors = Vec::new();
        for _ in 0..MIN_ERRORS.max(plan.rules * ERRORS_PER_HUNDRED / 100) {
            errors.push(rules::nowhere(plan, &machine, None, &mut random));
        }
        if !plan.verdict {
            let place = random.below(errors.len());
            errors[place] = rules::exactly(&[machine.deepest()], &machine, None, &mut random);
        }
        let free = (0..plan.free).map(|_| random.below(plan.values)).collect();
        let program = Program { variables, initial: machine.states[0].clone(), free, rules, errors };
        let expected = (!plan.verdict).then_some(plan.depth);
        assert_eq!(program.depth(), expected, "the simulation and the plan {plan:?} agree");
        Ok(program)
    }

    /// The least number of inputs after which an error is reached; `None` if there is none. By exploring all reachable states, in
    /// which free variables may have any values.
    pub fn depth(&self) -> Option<usize> {
        let mut depth: HashMap<State, usize> = HashMap::from([(self.initial.clone(), 0)]);
        let mut open = VecDeque::from([self.initial.clone()]);
        while let Some(state) = open.pop_front() {
            let so_far = depth[&state];
            if self.errors.iter().any(|error| error.holds(&state, 0) != Some(false)) {
                return Some(so_far);
            }
            for input in 1..=INPUTS {
                for rule in &self.rules {
                    let holds = rule.guard.holds(&state, input);
                    if holds == Some(false) {
                        continue;
                    }
                    let mut next = state.clone();
                    for (v, value) in rule.assignments.iter().filter(|(v, _)| *v < state.len()) {
                        next[*v] = *value;
                    }
                    if !depth.contains_key(&next) {
                        depth.insert(next.clone(), so_far + 1);
                        open.push_back(next);
                    }
                    if holds == Some(true) {
                        break;
                    }
                }
            }
        }
        None
    }

    /// The program in C.
    pub fn c(&self, plan: &Plan) -> String {
        let mut random = Random::new(plan.seed ^ 0x5eed);
        let mut out = String::from("extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\n");
        for (variable, value) in self.variables.iter().zip(self.initial.iter().chain(&self.free)) {
            let _ = writeln!(out, "int {} = {};", variable.name, variable.number(*value, &mut random));
        }
        out.push_str("\nstatic void error_check(void) {\n");
        for error in &self.errors {
            let _ = writeln!(out, "  if ({}) {{\n    reach_error();\n  }}", self.show(error));
        }
        out.push_str("}\n");
        for (i, rules) in self.rules.chunks(RULES_PER_FUNCTION).enumerate() {
            let _ = writeln!(out, "\nstatic int calculate_output{}(int input) {{", i + 1);
            for rule in rules {
                let _ = writeln!(out, "  if ({}) {{", self.show(&rule.guard));
                for (v, value) in &rule.assignments {
                    let variable = &self.variables[*v];
                    let _ = writeln!(out, "    {} = {};", variable.name, variable.assigned(*value, &mut random));
                }
                let _ = writeln!(out, "    return {};\n  }}", rule.output);
            }
            out.push_str("  return -2;\n}\n");
        }
        out.push_str("\nstatic int calculate_output(int input) {\n  int output;\n  error_check();\n");
        for i in 1..=self.rules.len().div_ceil(RULES_PER_FUNCTION) {
            let _ = writeln!(out, "  output = calculate_output{i}(input);\n  if (output != -2)\n    return output;");
        }
        out.push_str("  return -2;\n}\n\nint main(void) {\n  int output = -1;\n  while (1) {\n");
        out.push_str("    int input = __VERIFIER_nondet_int();\n");
        let refused: Vec<String> = (1..=INPUTS).map(|i| format!("(input != {i})")).collect();
        let _ = writeln!(out, "    if ({})\n      return -2;", refused.join(" && "));
        out.push_str("    output = calculate_output(input);\n  }\n}\n");
        out
    }

    fn show(&self, guard: &Guard) -> String {
        match guard {
            Guard::Is(v, value) => self.variables[*v].test(*value),
            Guard::Input(i) => format!("(input == {i})"),
            Guard::Not(a) => format!("!{}", self.show(a)),
            Guard::And(a, b) => format!("({} && {})", self.show(a), self.show(b)),
            Guard::Or(a, b) => format!("({} || {})", self.show(a), self.show(b)),
        }
    }
}

/// The program that `plan` determines, in C.
///
/// # Errors
/// As for [`Program::new`].
pub fn program(plan: &Plan) -> Result<String> {
    Ok(Program::new(plan)?.c(plan))
}
