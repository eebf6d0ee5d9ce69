//! The options of dg's `llvm-slicer` and of Symbiotic's `sbt-slicer`: their names and their meaning in kerf.

use crate::adapters::dg::options::Tool;

/// The value that an option takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// A value.
    Value,
    /// Nothing, or whether the option is on.
    Switch,
}

/// The options: the name, the value it takes, and the meaning.
pub const OPTIONS: [(&str, Takes, &str); 31] = [
    ("c", Takes::Value, "criteria: FUNCTION, ret, LINE:VARIABLE or :GLOBAL, separated by commas"),
    ("2c", Takes::Value, "functions whose calls on a path to a criterion are criteria too"),
    ("sc", Takes::Value, "criteria 'P|S;P|S': primary and secondary lists of [[[FILE#]FUNCTION#]LINE#]OBJECT"),
    ("o", Takes::Value, "the output file (default: the input's name with the suffix .sliced)"),
    ("entry", Takes::Value, "the entry function (default: main)"),
    ("forward", Takes::Switch, "keep what the criteria may affect, and what that needs to run"),
    ("cutoff-diverging", Takes::Switch, "end executions that can no longer reach a criterion (default: true)"),
    ("preserved-functions", Takes::Value, "functions whose bodies are not sliced"),
    ("remove-slicing-criteria", Takes::Switch, "accepted; the criteria stay"),
    ("pta", Takes::Value, "points-to analysis: fi (others are taken as fi)"),
    ("pta-field-sensitive", Takes::Value, "accepted; fields are always told apart"),
    ("dda", Takes::Value, "data dependence analysis: ssa"),
    ("cda", Takes::Value, "control dependences: standard, ntscd, dod+ntscd (others are taken as the nearest of these)"),
    ("cd-alg", Takes::Value, "the same as -cda"),
    ("interproc-cd", Takes::Switch, "accepted; calls that may not return always count"),
    ("cda-interproc", Takes::Switch, "the same as -interproc-cd"),
    ("cda-per-inst", Takes::Switch, "accepted; dependences are always those of instructions"),
    ("cda-icfg", Takes::Switch, "accepted; calls that may not return always count"),
    (
        "undefined-funs",
        Takes::Value,
        "what undefined functions do: pure, {read,write,rw}-{any,args} (default: read-args)",
    ),
    (
        "allocation-funs",
        Takes::Value,
        "undefined functions that allocate: FUNCTION:{malloc,calloc,realloc}, separated by commas",
    ),
    ("consider-threads", Takes::Switch, "not supported: kerf does not model threads"),
    ("statistics", Takes::Switch, "print sizes before and after"),
    ("dump-dg", Takes::Switch, "write the slice as a graph beside the input (.dot)"),
    ("dump-dg-only", Takes::Switch, "write the dependence graph beside the input (.dot), do not slice"),
    ("dump-bb-only", Takes::Switch, "with -dump-dg-only: the control flow without the dependences"),
    ("annotate", Takes::Value, "accepted; kerf slice --annotate marks the source"),
    ("preserve-dbg", Takes::Switch, "keep debug information (it always is)"),
    ("memsafety", Takes::Switch, "sbt-slicer: not supported: slices do not keep what is wrong with memory"),
    ("abort-on-threads", Takes::Switch, "sbt-slicer: fail on programs with threads"),
    ("abort-on-unsupported", Takes::Switch, "sbt-slicer: fail on programs with constructs without a model"),
    ("criteria-are-next-instr", Takes::Switch, "the criteria are what is done right after the calls named by -c"),
];

/// The options, for `-help`.
pub fn help(tool: Tool) -> String {
    let mut out = format!("USAGE: {} [options] <input file>\n\nOPTIONS:\n", tool.name());
    for (name, takes, meaning) in OPTIONS {
        let name = if takes == Takes::Value { format!("-{name}=<value>") } else { format!("-{name}") };
        out.push_str(&format!("  {name:<30} - {meaning}\n"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_lists_every_option() {
        let help = help(Tool::LlvmSlicer);
        assert!(OPTIONS.iter().all(|(name, ..)| help.contains(&format!("-{name}"))));
    }
}
