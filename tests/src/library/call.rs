//! A call of a library function, and what is observed of it.

use std::fmt::Write;

/// A step of a call.
#[derive(Clone, Debug)]
enum Step {
    /// Statements around the call.
    Line(String),
    /// The statement with the call.
    Call(String),
    /// An expression of an integer type whose value is observed.
    See(String),
}

/// A block of C with a call.
#[derive(Clone, Debug, Default)]
pub(super) struct Call {
    steps: Vec<Step>,
    /// The bytes on its standard input.
    pub input: Vec<u8>,
}

impl Call {
    /// A block that begins with the statement with the call.
    pub(super) fn new(statement: impl Into<String>) -> Call {
        Call::default().call(statement)
    }

    /// Adds statements.
    pub(super) fn line(mut self, text: impl Into<String>) -> Call {
        self.steps.push(Step::Line(text.into()));
        self
    }

    /// Adds the statement with the call.
    pub(super) fn call(mut self, text: impl Into<String>) -> Call {
        self.steps.push(Step::Call(text.into()));
        self
    }

    /// Observes the value of an integer expression.
    pub(super) fn see(mut self, expression: impl Into<String>) -> Call {
        self.steps.push(Step::See(expression.into()));
        self
    }

    /// Observes the values of several integer expressions.
    pub(super) fn see_all(self, expressions: Vec<String>) -> Call {
        expressions.into_iter().fold(self, Call::see)
    }

    /// Observes the first `bytes` bytes (a multiple of 8) of the memory `name`.
    pub(super) fn see_memory(self, name: &str, bytes: usize) -> Call {
        (0..bytes).step_by(8).fold(self, |call, i| call.see(format!("word({name} + {i})")))
    }

    /// The text of the block. `seen` makes a statement of each observed expression. With `with_errno`, `errno` is one of them, after the
    /// call.
    pub(super) fn block(&self, with_errno: bool, seen: &mut dyn FnMut(&str) -> String) -> String {
        let mut text = String::from("    {\n");
        let mut add = |line: &str| writeln!(text, "        {line}").expect("writing to a string");
        for step in &self.steps {
            match step {
                Step::Line(line) => add(line),
                Step::See(expression) => add(&seen(expression)),
                Step::Call(call) => {
                    if with_errno {
                        add("errno = 0;");
                    }
                    add(call);
                    if with_errno {
                        add(&seen("errno"));
                    }
                }
            }
        }
        text + "    }\n"
    }
}
