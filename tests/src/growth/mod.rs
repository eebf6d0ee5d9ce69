//! Programs of any size that look like software, to see how cost grows with size.
//!
//! A program is a stack of modules of about 1,000 LLVM instructions, as clang makes them of C without optimisation. Per module: 10
//! functions, 20 globals (counters, arrays, list heads, records, a table of functions), about 40 calls of which 2 are indirect,
//! 60 accesses through pointers and 15 loops. Functions call others of their module and of modules below, mostly near ones and a
//! few that all modules use; a third of the modules has a cycle in the call graph. Records lie in globals and on the heap (some
//! modules allocate themselves, others through a shared wrapper), are linked into lists, point to records of a module below, to arrays
//! and to the functions that work on them. The target is called deep inside, in the module in the middle.

mod function;

use function::Function;
use kerf_testing::Random;
use std::fmt::Write;

/// Number of functions of each module.
const FUNCTIONS: usize = 10;

/// C code of a program of about 1,000 instructions for each module. Deterministic in its arguments.
pub fn program(modules: usize, seed: u64) -> String {
    let mut random = Random::new(seed);
    let layers: Vec<Module> = (0..modules.max(1)).map(|number| Module::new(number, &mut random)).collect();
    let mut out = String::from(PRELUDE);
    for m in &layers {
        m.declare(&mut out);
    }
    for m in &layers {
        m.define_globals(&mut out, &mut random);
        for role in 0..FUNCTIONS {
            Function::new(&layers, m.number, role).write(&mut out, &mut random);
        }
    }
    write_main(&mut out, &layers);
    out
}

const PRELUDE: &str = "\
extern long __VERIFIER_nondet_long(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void abort(void);
static void *allocate(unsigned long n) {
  void *p = malloc(n);
  if (!p) abort();
  return p;
}
";

/// A module: what its functions are built from.
struct Module {
    number: usize,
    /// The module whose records those of this one point to.
    peer: usize,
    /// Modules below that its functions call.
    below: Vec<usize>,
    /// Whether a function calls another one that calls it, directly or indirectly.
    cyclic: bool,
    /// Whether it allocates through the shared wrapper.
    shared_allocator: bool,
}

impl Module {
    fn new(number: usize, random: &mut Random) -> Module {
        /// Number of modules, from the lowest on, that all others may use.
        const COMMON: usize = 5;
        let mut below: Vec<usize> = Vec::new();
        for _ in 0..random.between(1, 4).min(number) {
            let near = number - 1 - random.below(8.min(number));
            below.push(if random.one_in(4) { random.below(COMMON.min(number)) } else { near });
        }
        // No module is left out: each module's entry is called by the next module, except for a few that `main` calls.
        if number > 0 && !number.is_multiple_of(16) {
            below.push(number - 1);
        }
        below.sort_unstable();
        below.dedup();
        let peer = if below.is_empty() { number } else { random.pick(&below) };
        Module { number, peer, below, cyclic: random.one_in(3), shared_allocator: random.one_in(3) }
    }

    fn declare(&self, out: &mut String) {
        let (k, p) = (self.number, self.peer);
        let _ = write!(
            out,
            "struct R{k} {{ long key; int count; int flags; struct R{k} *next; struct R{p} *peer; int *data; \
             long (*op)(struct R{k} *, long); }};\n\
             struct R{k} *make{k}(long);\nstruct R{k} *find{k}(long);\nvoid link{k}(struct R{k} *, struct R{p} *);\n\
             long sum{k}(int *, long);\nlong run{k}(long);\nlong mix{k}(long, long);\nlong step{k}(struct R{k} *, long);\n\
             long op{k}_0(struct R{k} *, long);\nlong op{k}_1(struct R{k} *, long);\nlong op{k}_2(struct R{k} *, long);\n"
        );
    }

    fn define_globals(&self, out: &mut String, random: &mut Random) {
        let k = self.number;
        for i in 0..6 {
            let _ = writeln!(out, "static long g{k}_{i} = {};", random.below(100));
        }
        for i in 0..3 {
            let _ = writeln!(
                out,
                "static int a{k}_{i}[16];\nstatic struct R{k} *head{k}_{i};\nstatic struct R{k} s{k}_{i};"
            );
        }
        let _ = writeln!(
            out,
            "static int *cur{k}_0 = a{k}_0;\nstatic int *cur{k}_1;\n\
             static const int limit{k}_0 = {};\nstatic const int limit{k}_1 = {};\n\
             static long (*table{k}[3])(struct R{k} *, long) = {{op{k}_0, op{k}_1, op{k}_2}};",
            random.between(4, 40),
            random.between(4, 40)
        );
    }
}

/// `main` runs the modules that no other one runs.
fn write_main(out: &mut String, layers: &[Module]) {
    let mut called = vec![false; layers.len()];
    layers.iter().flat_map(|m| &m.below).for_each(|&k| called[k] = true);
    out.push_str("int main(void) {\n  long n = __VERIFIER_nondet_long();\n  if (n < 0 || n > 20) return 0;\n");
    for m in layers.iter().filter(|m| !called[m.number]) {
        let _ = writeln!(out, "  n = run{}(n & 15);", m.number);
    }
    out.push_str("  return 0;\n}\n");
}
