"""Looks for programs and files."""

import glob
import os
import shutil


class ProcessExitCode:
    """How a process ended: `value` or `signal`, the other one is None."""

    def __init__(self, value=None, signal=None):
        self.value, self.signal = value, signal

    @classmethod
    def create(cls, value=None, signal=None):
        return cls(value, signal)


def find_executable(program, fallback=None, exitOnError=True):
    found = shutil.which(program)
    if found or fallback and os.access(fallback, os.X_OK):
        return found or fallback
    if exitOnError:
        raise SystemExit("ERROR: Could not find '{}' executable".format(program))
    return fallback


def expand_filename_pattern(pattern, base_dir):
    return glob.glob(os.path.join(base_dir, pattern))
