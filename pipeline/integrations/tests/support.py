"""
What the tests of the modules share: kerf, its runs, and the frameworks that the modules are for.

KERF is the binary under test. BenchExec is the installed one, Symbiotic the one in the folder SYMBIOTIC (a checkout of its repository);
without them, stand-ins in `stub` have what the modules use of them.
"""

import importlib.util
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
INTEGRATIONS = os.path.dirname(HERE)
ROOT = os.path.dirname(os.path.dirname(INTEGRATIONS))
KERF = os.path.abspath(os.environ["KERF"])
DEMO = os.path.join(ROOT, "tests", "demo")
LLVM = os.environ.get("KERF_LLVM", "22")

sys.dont_write_bytecode = True
if importlib.util.find_spec("benchexec") is None:
    sys.path.append(os.path.join(HERE, "stub"))
    print("BenchExec: stand-in", file=sys.stderr)
SYMBIOTIC = os.environ.get("SYMBIOTIC")
if SYMBIOTIC:
    sys.path.insert(0, os.path.join(SYMBIOTIC, "lib", "symbioticpy"))
else:
    sys.path.append(os.path.join(HERE, "stub"))
    print("Symbiotic: stand-in", file=sys.stderr)


def module(name, path):
    """Loads a module from a file."""
    spec = importlib.util.spec_from_file_location(name, os.path.join(INTEGRATIONS, path))
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[name] = loaded
    spec.loader.exec_module(loaded)
    return loaded


def run(command, folder):
    """Runs a command. Returns its exit status (negative for a signal), and the lines of both its streams as BenchExec sees them."""
    ended = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return ended.returncode, ended.stdout.decode().splitlines(keepends=True)
