"""The base classes of tool-info modules: BaseTool2, and BaseTool of BenchExec 1, which Symbiotic's targets have."""

import os
import subprocess
from collections import namedtuple

from benchexec import util


class ToolNotFoundException(Exception):
    pass


class UnsupportedFeatureException(Exception):
    pass


class BaseTool2:
    @staticmethod
    def _version_from_tool(executable, arg="--version", line_prefix=None):
        said = subprocess.run([executable, arg], stdout=subprocess.PIPE, check=True).stdout.decode().strip()
        if line_prefix is None:
            return said
        return next((l[len(line_prefix):].strip() for l in said.splitlines() if l.startswith(line_prefix)), "")

    @staticmethod
    def _program_files_from_executable(executable, required_paths, parent_dir=False):
        base = os.path.dirname(executable)
        base = os.path.join(base, os.path.pardir) if parent_dir else base
        return [file for path in required_paths for file in util.expand_filename_pattern(path, base)]

    class ToolLocator:
        def __init__(self, tool_directory=None, use_path=False, use_current=False):
            self.tool_directory = tool_directory

        def find_executable(self, executable_name, subdir=""):
            found = os.path.join(self.tool_directory, subdir, executable_name)
            if not os.access(found, os.X_OK):
                raise ToolNotFoundException(found)
            return found

    class Task(namedtuple("Task", ["input_files", "identifier", "property_file", "options"])):
        @classmethod
        def with_files(cls, input_files, *, property_file=None, options=None):
            return cls(tuple(input_files), None, property_file, options)

    class ResourceLimits(namedtuple("ResourceLimits", ["cputime", "cputime_hard", "walltime", "memory", "cpu_cores"])):
        def __new__(cls, cputime=None, cputime_hard=None, walltime=None, memory=None, cpu_cores=None):
            return super().__new__(cls, cputime, cputime_hard, walltime, memory, cpu_cores)

    class Run(namedtuple("Run", ["cmdline", "exit_code", "output", "termination_reason"])):
        pass

    class RunOutput(list):
        """Lines; as in BenchExec, they come with their ends and are seen without them."""

        def __init__(self, lines):
            super().__init__(line.rstrip(os.linesep) for line in lines)


class BaseTool:
    def _version_from_tool(self, executable, arg="--version"):
        return subprocess.run([executable, arg], stdout=subprocess.PIPE, check=True).stdout.decode().strip()
