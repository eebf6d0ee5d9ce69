"""The tool-info module on real runs of kerf."""

import os
import signal
import subprocess
import tempfile
import time
import unittest

import support

from benchexec.tools.template import BaseTool2, UnsupportedFeatureException
from benchexec.util import ProcessExitCode

Tool = support.module("kerf_tool_info", "svcomp/kerf.py").Tool

PROPERTY = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"
HOLDS = os.path.join(support.DEMO, "holds.c")
FAILS = os.path.join(support.DEMO, "fails.c")
NO_LIMITS = BaseTool2.ResourceLimits()


def exit_code(returncode):
    if returncode < 0:
        return ProcessExitCode.create(signal=-returncode)
    return ProcessExitCode.create(value=returncode)


class ToolInfo(unittest.TestCase):
    def setUp(self):
        self.tool = Tool()
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.property = os.path.join(self.folder.name, "unreach-call.prp")
        with open(self.property, "w") as file:
            file.write(PROPERTY)

    def command(self, files, options=(), limits=NO_LIMITS, of_task=None, with_property=True):
        prop = self.property if with_property else None
        task = BaseTool2.Task.with_files(files, property_file=prop, options=of_task)
        return self.tool.cmdline(support.KERF, list(options), task, limits)

    def result(self, command):
        returncode, lines = support.run(command, self.folder.name)
        return self.judged(returncode, lines)

    def judged(self, returncode, lines):
        run = BaseTool2.Run(["kerf"], exit_code(returncode), BaseTool2.RunOutput(lines), None)
        return self.tool.determine_result(run)

    def test_version(self):
        self.assertRegex(self.tool.version(support.KERF), r"^\d+\.\d+\.\d+$")

    def test_executable_and_files_of_an_archive(self):
        bin = os.path.join(self.folder.name, "bin")
        os.mkdir(bin)
        os.mkdir(os.path.join(self.folder.name, "lib"))
        os.symlink(support.KERF, os.path.join(bin, "kerf"))
        executable = self.tool.executable(BaseTool2.ToolLocator(tool_directory=self.folder.name))
        self.assertEqual(os.path.join(bin, "kerf"), executable)
        files = sorted(os.path.normpath(file) for file in self.tool.program_files(executable))
        self.assertEqual(files, [bin, os.path.join(self.folder.name, "lib")])

    def test_verdicts(self):
        limits = BaseTool2.ResourceLimits(cputime=60, cputime_hard=70, memory=4_000_000_000)
        options = {"language": "C", "data_model": "LP64"}
        self.assertEqual(self.result(self.command([HOLDS], limits=limits, of_task=options)), "true")
        self.assertEqual(self.result(self.command([FAILS], limits=limits, of_task=options)), "false(unreach-call)")

    def test_limits_and_crashes(self):
        bounded = ["--strategy", "bmc"]
        limits = BaseTool2.ResourceLimits(cputime=1, cputime_hard=1)
        self.assertEqual(self.result(self.command([HOLDS], bounded, limits)), "TIMEOUT")
        self.assertEqual(self.result(self.command([HOLDS], bounded + ["--memory", "10MB"])), "OUT OF MEMORY")
        self.assertEqual(self.result(self.command([HOLDS], ["--strategy", "bmc,last-bound=1"])), "unknown")
        self.assertEqual(self.result(self.command(["none.c"])), "ERROR (kerf: none.c: no such file)")
        self.assertRegex(self.result(self.command([HOLDS], ["--nonsense"])), r"^ERROR \(error: .*--nonsense")

    def test_processes_that_die(self):
        self.assertEqual(self.judged(*self.killed(of_worker=True)), "CRASH")
        returncode, lines = self.killed(of_worker=False)
        self.assertEqual((returncode, self.judged(returncode, lines)), (-signal.SIGKILL, "ERROR"))

    def killed(self, of_worker):
        """A run whose worker crashes, or which is killed as a whole."""
        command = self.command([HOLDS], ["--strategy", "bmc", "--timeout", "60s"])
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=self.folder.name)
        children = f"/proc/{process.pid}/task/{process.pid}/children"
        found = []
        while process.poll() is None and not found:
            time.sleep(0.05)
            with open(children) as file:
                found = [int(child) for child in file.read().split()]
        # The worker has told its parent by now that it began.
        time.sleep(1)
        if of_worker:
            os.kill(found[0], signal.SIGABRT)
        else:
            process.kill()
        out, _ = process.communicate()
        return process.returncode, out.decode().splitlines(keepends=True)

    def test_command_lines(self):
        command = self.command(["a.i", "b.i"], ["--preset", "svcomp", "--", "-DN=1"], of_task={"language": "C", "data_model": "ILP32"})
        self.assertEqual(command[1:4], ["verify", "--preset", "svcomp"])
        self.assertEqual(command[4:], ["--property", self.property, "--data-model", "ILP32", "a.i", "b.i", "--", "-DN=1"])
        limits = BaseTool2.ResourceLimits(cputime=900, cputime_hard=1000, walltime=950, memory=15_000_000_000)
        command = self.command(["a.i"], limits=limits, with_property=False)
        self.assertEqual(command[1:], ["verify", "--timeout", "900s", "--memory", "15000000000B", "a.i"])
        command = self.command(["a.i"], ["--timeout=9s"], limits)
        self.assertNotIn("900s", command)
        with self.assertRaises(UnsupportedFeatureException):
            self.command(["a.i"], of_task={"language": "C", "data_model": "LLP64"})

    def test_witnesses_are_checked(self):
        self.assertEqual(self.result(self.command([FAILS], ["--preset", "svcomp"])), "false(unreach-call)")
        self.assertTrue(os.path.exists(os.path.join(self.folder.name, "witness.yml")))
        of_task = {"language": "C", "data_model": "LP64", "witness_input_file": "witness.yml"}
        command = self.command([FAILS, "witness.yml"], of_task=of_task)
        self.assertEqual(command[1:3], ["witness", "check"])
        self.assertEqual(self.result(command), "false(unreach-call)")
        with self.assertRaises(UnsupportedFeatureException):
            self.command([FAILS], of_task=of_task)

    def test_columns(self):
        _, lines = support.run(self.command([HOLDS], ["--verbose", "--strategy", "bmc,last-bound=1"]), self.folder.name)
        output = BaseTool2.RunOutput(lines)
        self.assertTrue(self.tool.get_value_from_output(output, "reason"), lines)
        self.assertRegex(self.tool.get_value_from_output(output, "cfa.edges") or "", r"^\d+$", "".join(lines))
        self.assertIsNone(self.tool.get_value_from_output(output, "no such thing"))


if __name__ == "__main__":
    unittest.main()
