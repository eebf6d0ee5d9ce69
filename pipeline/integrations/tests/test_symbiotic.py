"""Symbiotic's target on real runs of kerf, step by step as Symbiotic drives it."""

import os
import subprocess
import tempfile
import types
import unittest

import support

import symbiotic.targets
from symbiotic.exceptions import SymbioticException

KerfTool = support.module("symbiotic.targets.kerf", "symbiotic/kerf.py").KerfTool

CLANG = f"clang-{support.LLVM}"
NONDET = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n"
HOLDS = NONDET + "int main(void) {\n  int x = 1, n = 0;\n  while (__VERIFIER_nondet_int()) n++;\n" \
                 "  if (x != 1 && n) reach_error();\n  return n;\n}\n"
FAILS = NONDET + "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x == 17) reach_error();\n  return 0;\n}\n"
DIVERGES = NONDET + "int main(void) {\n  int n = 0;\n  for (;;) if (n > 1) break;\n  reach_error();\n  return 0;\n}\n"
# A body that optimisers inline, after which no call would be left.
INLINED = "extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) {}\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n" \
          "  if (x == 17) reach_error();\n  return 0;\n}\n"
ASSERTS = "#include <assert.h>\nextern void __VERIFIER_error(void);\nextern int __VERIFIER_nondet_int(void);\n" \
          "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x > 5 && x < 5) __VERIFIER_error();\n  assert(x != 3);\n  return 0;\n}\n"


class Property:
    """A property as Symbiotic has it."""

    def __init__(self, calls=(), file=None):
        self.calls, self.file = list(calls), file

    def unreachcall(self):
        return bool(self.calls)

    def errorcall(self):
        return False

    def getcalls(self):
        return self.calls

    def getPrpFile(self):
        return self.file

    def help(self):
        return "signed integer overflow"


def options(settings="", calls=("reach_error",), **others):
    """Symbiotic's options as they are before a target changes them, as far as the target has to do with them."""
    values = dict(property=Property(calls), target_settings=settings.split(), timeout=60, tool_params=[], no_optimize=False,
                  slicer_cmd=["sbt-slicer"], linkundef=["verifier", "libc"], replay_error=False, explicit_symbolic=False, is32bit=False)
    values.update(others)
    return types.SimpleNamespace(**values)


class Target(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        bin = os.path.join(self.folder.name, "bin")
        os.mkdir(bin)
        os.symlink(support.KERF, os.path.join(bin, "kerf"))
        # Symbiotic puts the programs of its LLVM into PATH.
        os.symlink(f"/usr/lib/llvm-{support.LLVM}/bin/llvm-extract", os.path.join(bin, "llvm-extract"))
        path = os.environ["PATH"]
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        os.environ["PATH"] = bin + os.pathsep + path

    def compiled(self, text):
        """Bitcode, as Symbiotic compiles it before it optimises."""
        source, bitcode = (os.path.join(self.folder.name, name) for name in ("code.c", "code.bc"))
        with open(source, "w") as file:
            file.write(text)
        flags = ["-g", "-O1", "-Xclang", "-disable-llvm-passes", "-c", "-emit-llvm"]
        subprocess.run([CLANG, *flags, source, "-o", bitcode], check=True)
        return bitcode

    def sliced(self, tool, opts, bitcode):
        """As SymbioticCC.slicer does it."""
        criteria, more = tool.slicer_options()
        command = [*opts.slicer_cmd, "-c", ",".join(criteria), *more, "-pta", "fi", bitcode]
        status, lines = support.run(command, self.folder.name)
        self.assertEqual(status, 0, "".join(lines))
        return bitcode[:bitcode.rfind(".")] + ".sliced"

    def optimised(self, opts, bitcode):
        """As SymbioticCC.optimize does it."""
        if opts.no_optimize:
            return bitcode
        output = bitcode[:bitcode.rfind(".")] + "-opt.bc"
        subprocess.run([f"/usr/lib/llvm-{support.LLVM}/bin/opt", "-O3", bitcode, "-o", output], check=True)
        return output

    def verified(self, tool, opts, bitcode, replay=False):
        """As SymbioticVerifier.run_verification does it."""
        for verifier, params, timeout in self.verifiers(tool):
            given = (tool.replay_error_params(bitcode) if replay else None) or opts.tool_params
            command = verifier.cmdline(verifier.executable(), given + (params or []), [bitcode], opts.property.getPrpFile(), [])
            status, lines = support.run(command, self.folder.name)
            answer = verifier.determine_result(status, 0, [line.encode() for line in lines], False)
            if answer.startswith(("true", "false")):
                break
        return answer

    def verifiers(self, tool):
        # The base class has one verifier, the target itself; the stand-in has no such method.
        return tool.verifiers() if hasattr(tool, "verifiers") else ((tool, None, None),)

    def answer(self, text, settings="", **others):
        """The answers on the slice and on the program that was not sliced, in the order of SymbioticCC.run."""
        opts = options(settings, **others)
        tool = KerfTool(opts)
        symbiotic = types.SimpleNamespace(curfile=self.compiled(text))
        tool.actions_after_compilation(symbiotic)
        whole = self.optimised(opts, symbiotic.curfile)
        sliced = self.optimised(opts, self.sliced(tool, opts, whole))
        return self.verified(tool, opts, sliced), self.verified(tool, opts, whole, replay=True)

    def test_versions(self):
        tool = KerfTool(options())
        self.assertEqual(tool.name(), "kerf")
        self.assertRegex(tool.version(tool.executable()), r"^\d+\.\d+\.\d+$")
        self.assertEqual(tool.llvm_version().split(".")[0], support.LLVM)

    def test_verdicts(self):
        self.assertEqual(self.answer(HOLDS), ("true", "true"))
        self.assertEqual(self.answer(FAILS), ("false(unreach-call)", "false(unreach-call)"))

    def test_configurations_by_name(self):
        for name, strategy in (("symb+", "symex"), ("symb+-cegar", "symex-cegar")):
            tool = KerfTool(options(name))
            command = tool.cmdline("kerf", [], ["code.bc"])
            self.assertEqual(command[2:4], ["--strategy", strategy])
            self.assertEqual(self.answer(FAILS, name)[0], "false(unreach-call)")
        self.assertEqual(self.answer(HOLDS, "symb+-cegar")[0], "true")

    def test_optimisations_do_not_hide_the_error(self):
        self.assertEqual(self.answer(INLINED, "symb+"), ("false(unreach-call)", "false(unreach-call)"))
        self.assertEqual(self.answer(ASSERTS, "optimise", calls=["__assert_fail", "__VERIFIER_error"])[0], "false(unreach-call)")

    def test_optimisations_are_a_choice(self):
        for settings, is_off in (("", True), ("symb+", False), ("symb+ no-optimise", True), ("optimise", False)):
            opts = options(settings)
            KerfTool(opts)
            self.assertEqual(opts.no_optimize, is_off, settings)
        opts = options("symb+", no_optimize=True)
        KerfTool(opts)
        self.assertTrue(opts.no_optimize, "--no-optimize of Symbiotic wins")

    def test_alarms_on_a_slice_are_replayed(self):
        opts = options()
        tool = KerfTool(opts)
        self.assertTrue(opts.replay_error and tool.can_replay())
        on_slice, on_whole = self.answer(DIVERGES)
        # The slice leaves out the loop that never ends; the whole program decides.
        self.assertIn(on_slice, ("false(unreach-call)", "true"))
        self.assertEqual(on_whole, "true")

    def test_a_property_with_several_calls(self):
        calls = ["__assert_fail", "__VERIFIER_error"]
        self.assertEqual(self.answer(ASSERTS, calls=calls)[0], "false(unreach-call)")
        self.assertEqual(self.answer(ASSERTS, calls=calls[1:])[0], "true")

    def test_kerf_slices_unless_another_slicer_is_named(self):
        opts = options()
        tool = KerfTool(opts)
        self.assertEqual(opts.slicer_cmd, [tool.executable(), "llvm-slicer"])
        opts = options("slicer=sbt-slicer")
        KerfTool(opts)
        self.assertEqual(opts.slicer_cmd, ["sbt-slicer"])
        opts = options()
        KerfTool(opts).set_environment("symbiotic", opts)
        self.assertEqual(opts.linkundef, [])

    def test_what_is_not_understood_is_refused(self):
        with self.assertRaises(SymbioticException):
            KerfTool(options("symb++"))
        with self.assertRaises(SymbioticException):
            KerfTool(options(calls=()))

    def test_failures(self):
        opts = options("strategy=bmc", timeout=1)
        tool = KerfTool(opts)
        self.assertEqual(self.verified(tool, opts, self.compiled(HOLDS)), "timeout")
        self.assertRegex(self.verified(tool, opts, "none.bc"), r"^ERROR \(kerf: none.bc: no such file\)$")
        self.assertEqual(tool.determine_result(124, 0, [], False), "timeout")
        self.assertEqual(tool.determine_result(0, 9, [b"RESULT: true\n"], False), "ERROR (exit status 0)")
        self.assertEqual(tool.determine_result(2, 0, [b"RESULT: true\n"], False), "ERROR (exit status 2)")
        self.assertEqual(tool.determine_result(20, 0, [b"RESULT: unknown (imprecise)\n"], False), "unknown")


if __name__ == "__main__":
    unittest.main()
