//! The path of a counterexample as a graph for Graphviz: one box for each step, with what it does and the values that it sets.

use std::fmt::Write as _;

use crate::report::{Step, Violation};

/// The graph's name in the output directory.
pub const FILE: &str = "path.dot";

/// The path of `violation`; what is folded has a dashed box, the error a red one.
pub fn graph(violation: &Violation) -> String {
    let mut text = String::from("digraph path {\n  node [shape=box, fontname=monospace];\n");
    for (i, step) in violation.steps.iter().enumerate() {
        let style = if step.folded.is_some() { ", style=dashed" } else { "" };
        let _ = writeln!(text, "  s{i} [label=\"{}\"{style}];", label(step));
        let _ = writeln!(text, "  s{i} -> {};", next(violation, i));
    }
    let what = format!("{} at {}", violation.what, violation.place);
    let _ = writeln!(text, "  error [label=\"{}\\l\", color=red];\n}}", escaped(&what));
    text
}

fn next(violation: &Violation, i: usize) -> String {
    if i + 1 < violation.steps.len() { format!("s{}", i + 1) } else { "error".into() }
}

fn label(step: &Step) -> String {
    let values = step.values.iter().map(|(name, value)| format!("{name} = {value}"));
    let lines = [step.place.to_string(), step.text.clone()].into_iter().chain(values);
    lines.map(|line| format!("{}\\l", escaped(&line))).collect()
}

fn escaped(text: &str) -> String {
    let printable = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>();
    printable.replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Place;

    #[test]
    fn each_step_is_a_box_and_texts_stay_inside() {
        let place = Place { file: Some("a.c".into()), line: Some(3), column: None, function: "main".into() };
        let step = Step { place: place.clone(), text: "puts(\"\\n\");".into(), ..Step::default() };
        let folded = Step { folded: Some(7), values: vec![("x".into(), "1".into())], ..step.clone() };
        let what = "reach_error() is called".into();
        let violation = Violation { what, place, steps: vec![step, folded], ..Violation::default() };
        let expected = "digraph path {\n  node [shape=box, fontname=monospace];\n  \
                        s0 [label=\"a.c:3\\lputs(\\\"\\\\n\\\");\\l\"];\n  s0 -> s1;\n  \
                        s1 [label=\"a.c:3\\lputs(\\\"\\\\n\\\");\\lx = 1\\l\", style=dashed];\n  s1 -> error;\n  \
                        error [label=\"reach_error() is called at a.c:3\\l\", color=red];\n}\n";
        assert_eq!(graph(&violation), expected);
    }
}
