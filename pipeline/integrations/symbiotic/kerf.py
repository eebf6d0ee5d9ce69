"""
A target of Symbiotic 10 that plugs in kerf: as verifier, and as slicer in place of sbt-slicer.

Symbiotic compiles, instruments, optimises, slices and optimises again; kerf verifies what is left. Symbiotic is built for LLVM 14 or older,
so kerf must be, too (`make llvm14`). Installation: this file goes to `lib/symbioticpy/symbiotic/targets/`, and `targets/__init__.py` gets

    from . kerf import KerfTool
    targets['kerf'] = KerfTool

after its table. With `kerf` in PATH, `symbiotic --target=kerf prog.c` runs it; `--target-settings='WORD WORD...'` takes

    symb+, symb+-cegar   symbolic execution, without and with CEGAR, after Symbiotic's optimisations: the configurations of
                         Lemberger 2018, 4.3
    strategy=NAME        another strategy of kerf, see `kerf verify --help` (default: auto)
    optimise             run Symbiotic's optimisations, before and after slicing; symb+ and symb+-cegar do so
    no-optimise          do not (the default, and possible with symb+, too)
    slicer=PROGRAM       slice with another program than kerf, such as sbt-slicer

What kerf answers is about the bitcode that it is given. So each `false` is repeated on the bitcode that was not sliced (Symbiotic's
replay), and optimisations are off unless they are asked for.
"""

import atexit
import os
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import benchexec.util as util
    import benchexec.result as result
    from benchexec.tools.template import BaseTool
except ImportError:
    import symbiotic.benchexec.util as util
    import symbiotic.benchexec.result as result
    from symbiotic.benchexec.tools.template import BaseTool

from symbiotic.exceptions import SymbioticException

from . tool import SymbioticBaseTool

# The strategies of the named configurations.
CONFIGURATIONS = {'symb+': 'symex', 'symb+-cegar': 'symex-cegar'}

RISK = ('kerf: WARNING: optimisations are on. LLVM may use undefined behaviour of the program to remove an error or to change what leads to '
        'it: the answer is about the optimised program. Without undefined behaviour, it is about the original one, too.')


class KerfTool(BaseTool, SymbioticBaseTool):
    """kerf as verifier and slicer."""

    REQUIRED_PATHS = ['kerf']

    def __init__(self, opts):
        SymbioticBaseTool.__init__(self, opts)
        prop = opts.property
        if not (prop.unreachcall() or prop.errorcall()):
            raise SymbioticException('kerf verifies that calls are unreachable, not ' + prop.help())
        self._strategy = 'auto'
        slicer = None
        optimise = False
        for word in opts.target_settings or []:
            key, _, value = word.partition('=')
            if word in CONFIGURATIONS:
                self._strategy, optimise = CONFIGURATIONS[word], True
            elif key == 'strategy' and value:
                self._strategy = value
            elif key == 'slicer' and value:
                slicer = [value]
            elif word in ('optimise', 'no-optimise'):
                optimise = word == 'optimise'
            else:
                raise SymbioticException('kerf has no target setting ' + word)
        opts.slicer_cmd = slicer or [self.executable(), 'llvm-slicer']
        # A slice may end where the program does not, so an alarm on it must be found again without slicing.
        opts.replay_error = True
        # kerf knows __VERIFIER_nondet_* itself.
        opts.explicit_symbolic = True
        opts.no_optimize = opts.no_optimize or not optimise
        if not opts.no_optimize:
            print(RISK, file=sys.stderr)

    def name(self):
        return 'kerf'

    def executable(self):
        return util.find_executable('kerf', 'bin/kerf')

    def version(self, executable):
        return self._version_from_tool(executable).split(' ')[1]

    def llvm_version(self):
        """The LLVM that kerf is linked with. Symbiotic must have been built with it."""
        said = subprocess.run([self.executable(), '--version'], stdout=subprocess.PIPE, check=True).stdout.decode()
        found = re.search(r'LLVM (\d+\.\d+\.\d+)', said)
        if not found:
            raise SymbioticException('kerf --version does not name its LLVM: ' + said)
        return found.group(1)

    def set_environment(self, symbiotic_dir, opts):
        # kerf has its own models of the C library.
        opts.linkundef = []

    def actions_after_compilation(self, symbiotic):
        """
        Drops the bodies of the functions whose calls are the error: optimisations would inline them, or delete calls of an empty one.
        """
        if self._options.no_optimize:
            return
        for function in self._options.property.getcalls():
            output = '{}-{}.bc'.format(symbiotic.curfile[:symbiotic.curfile.rfind('.')], function)
            command = ['llvm-extract', '--delete', '--func=' + function, symbiotic.curfile, '-o', output]
            try:
                ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            except OSError as error:
                raise SymbioticException('kerf: optimisations need llvm-extract: {}'.format(error))
            if ended.returncode == 0:
                symbiotic.curfile = output
            elif b"doesn't contain function" not in ended.stdout:
                raise SymbioticException('kerf: llvm-extract failed: ' + ended.stdout.decode('utf-8', 'replace'))

    def slicer_options(self):
        return self._options.property.getcalls(), []

    def cmdline(self, executable, options, tasks, propertyfile=None, rlimits={}):
        command = [executable, 'verify', '--strategy', self._strategy, '--property', self._property(propertyfile)]
        if self._options.timeout:
            command += ['--timeout', '{}s'.format(int(self._options.timeout))]
        return command + list(options or []) + list(tasks)

    def determine_result(self, returncode, returnsignal, output, isTimeout):
        """
        The answer is kerf's last line, and its exit status must be one of an answer.
        """
        lines = [line.decode('utf-8', 'replace').strip() for line in output]
        answers = [line[len('RESULT: '):] for line in lines if line.startswith('RESULT: ')]
        if returnsignal or returncode not in (0, 10, 20) or not answers:
            if isTimeout or returncode == 124:
                # Of timeout(1), with which Symbiotic limits a tool.
                return 'timeout'
            messages = [line for line in lines if line.startswith(('kerf: ', 'error: '))]
            return '{} ({})'.format(result.RESULT_ERROR, messages[-1] if messages else 'exit status %d' % returncode)
        answer = answers[-1]
        if answer == 'true':
            return result.RESULT_TRUE_PROP
        if answer.startswith('false('):
            return result.RESULT_FALSE_REACH
        return 'timeout' if answer.startswith('unknown (timeout') else result.RESULT_UNKNOWN

    def can_replay(self):
        return True

    def replay_error_params(self, file):
        # The same run again, on the bitcode that was not sliced.
        return list(self._options.tool_params or [])

    def _property(self, propertyfile):
        """
        The property for kerf: a .prp file names one function; several need an automaton.
        """
        calls = self._options.property.getcalls()
        if propertyfile and len(calls) == 1:
            return propertyfile
        if len(calls) == 1:
            text, name = 'CHECK( init(main()), LTL(G ! call({}())) )\n'.format(calls[0]), 'calls.prp'
        else:
            lines = ['    call {} -> ERROR "{}() is called"'.format(call, call) for call in calls]
            text, name = '\n'.join(['automaton calls', 'state Running initial'] + lines) + '\n', 'calls.spc'
        folder = tempfile.mkdtemp(prefix='kerf-')
        atexit.register(shutil.rmtree, folder)
        path = os.path.join(folder, name)
        with open(path, 'w') as file:
            file.write(text)
        return path


# Symbiotic's own targets have this name.
SymbioticTool = KerfTool
