"""
BenchExec's tool-info module for kerf.

kerf's last line on standard output is its answer, and its exit status says the same:

    RESULT: true                    0
    RESULT: false(unreach-call)    10
    RESULT: unknown (reason)       20

Exit status 1 is an error in the input or the options, 2 a defect of kerf. All work is done in a worker process, so a crash or a limit is
an `unknown` with a reason, too.

The module needs BenchExec 3.3 or newer, and nothing else of this repository. It does not import benchexec.tools.sv_benchmarks_util, which is
for modules of BenchExec's own tree only.
"""

import os
import re

import benchexec.result as result
from benchexec.tools.template import BaseTool2, UnsupportedFeatureException

# Exit statuses of runs that have an answer.
ANSWERS = (0, 10, 20)
# How reasons of `unknown` begin that BenchExec counts as errors, and what it calls them.
ERRORS = (
    ("timeout", result.RESULT_TIMEOUT),
    ("out of memory", "OUT OF MEMORY"),
    ("stack overflow", "STACK OVERFLOW"),
    ("the worker died", "CRASH"),
    ("internal error", "INTERNAL ERROR"),
)


class Tool(BaseTool2):
    """
    Tool info for kerf, which slices LLVM bitcode or C and then proves or refutes that an error is reachable.
    """

    # Relative to the folder of the archive; `bin/kerf` finds its libraries in `lib`.
    REQUIRED_PATHS = ["bin", "lib"]

    def name(self):
        return "kerf"

    def executable(self, tool_locator):
        return tool_locator.find_executable("kerf", subdir="bin")

    def version(self, executable):
        # kerf 0.1.0 (LLVM 22.1.0, Z3 5.4.0)
        return self._version_from_tool(executable, line_prefix="kerf ").split(" ")[0]

    def program_files(self, executable):
        in_archive = os.path.basename(os.path.dirname(executable)) == "bin"
        if not in_archive:
            return [executable]
        return self._program_files_from_executable(executable, self.REQUIRED_PATHS, parent_dir=True)

    def cmdline(self, executable, options, task, rlimits):
        # What is after -- is for clang and comes last.
        end = options.index("--") if "--" in options else len(options)
        options, for_clang = list(options[:end]), list(options[end:])
        witness, files = _witness_and_program(task)
        command = ["verify"] if witness is None else ["witness", "check"]

        def add(option, value):
            given = any(o == option or o.startswith(option + "=") for o in options)
            if value is not None and not given:
                options.extend([option, value])

        add("--property", task.property_file)
        add("--data-model", _data_model(task))
        # kerf limits wall-clock time, which is at most as long as the CPU time of a process that is busy.
        times = [limit for limit in (rlimits.cputime, rlimits.walltime) if limit]
        add("--timeout", f"{min(times)}s" if times else None)
        add("--memory", f"{rlimits.memory}B" if rlimits.memory else None)
        return [executable, *command, *options, *([witness] if witness else []), *files, *for_clang]

    def determine_result(self, run):
        answers = [line for line in run.output if line.startswith("RESULT: ")]
        if run.exit_code.value in ANSWERS and answers:
            return _status(answers[-1].rstrip()[len("RESULT: "):])
        if run.exit_code.value == 1:
            messages = [line.rstrip() for line in run.output if line.startswith(("kerf: ", "error: "))]
            return f"{result.RESULT_ERROR} ({messages[-1]})" if messages else f"{result.RESULT_ERROR} (input)"
        if run.exit_code.value == 2:
            return "INTERNAL ERROR"
        # BenchExec adds the signal or the exit status.
        return result.RESULT_ERROR

    def get_value_from_output(self, output, identifier):
        """
        `reason` is the reason of an `unknown`. Anything else is the name of a number that --verbose prints, such as `cfa.edges` or
        `compiling`.
        """
        if identifier == "reason":
            found = [re.fullmatch(r"RESULT: unknown \((.*)\)", line.rstrip()) for line in output]
            return next((match.group(1) for match in reversed(found) if match), None)
        for line in output:
            match = re.fullmatch(rf"\s*{re.escape(identifier)}(?:  +|: +)(\S.*)", line.rstrip())
            if match:
                return match.group(1)
        return None


def _status(answer):
    """What BenchExec calls kerf's answer."""
    if answer == "true":
        return result.RESULT_TRUE_PROP
    if re.fullmatch(r"false\([\w.-]+\)", answer):
        return answer
    reason = re.fullmatch(r"unknown \((.*)\)", answer)
    if reason:
        return next((name for begin, name in ERRORS if reason.group(1).startswith(begin)), result.RESULT_UNKNOWN)
    return f"{result.RESULT_ERROR} ({answer})"


def _data_model(task):
    """The data model of a C program, if its definition states one."""
    options = task.options if isinstance(task.options, dict) else {}
    model = options.get("data_model")
    if options.get("language", "C") != "C" or model is None:
        return None
    if model not in ("ILP32", "LP64"):
        raise UnsupportedFeatureException(f"kerf does not know the data model '{model}'")
    return model


def _witness_and_program(task):
    """The witness to check, or None, and the files of the program."""
    options = task.options if isinstance(task.options, dict) else {}
    name = options.get("witness_input_file")
    files = list(task.input_files)
    if name is None:
        return None, files
    witnesses = [file for file in files if os.path.basename(file) == os.path.basename(name)]
    if len(witnesses) != 1:
        raise UnsupportedFeatureException(f"the witness '{name}' is not exactly one of the task's input files")
    return witnesses[0], [file for file in files if file not in witnesses]
