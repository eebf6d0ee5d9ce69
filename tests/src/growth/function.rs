//! Functions of generated modules: a signature by the function's role, then random statements over what is in scope.

use super::{FUNCTIONS, Module};
use kerf_testing::Random;
use std::fmt::Write;

/// Roles of a module's functions, callees first.
const OP: std::ops::Range<usize> = 0..3;
const SUM: usize = 3;
const MIX: usize = 4;
const LINK: usize = 5;
const MAKE: usize = 6;
const FIND: usize = 7;
const STEP: usize = 8;
const RUN: usize = 9;

/// A function to be written.
pub(super) struct Function<'a> {
    layers: &'a [Module],
    module: &'a Module,
    role: usize,
    /// Expressions in scope: integers that can be assigned, arrays of at least 8 ints, and records with their modules.
    integers: Vec<String>,
    arrays: Vec<String>,
    records: Vec<(usize, String)>,
    depth: usize,
    loops: usize,
}

impl<'a> Function<'a> {
    /// The function of `role` in module `k`.
    pub(super) fn new(layers: &'a [Module], k: usize, role: usize) -> Self {
        debug_assert!(role < FUNCTIONS);
        let (integers, arrays, records) = Default::default();
        Function { layers, module: &layers[k], role, integers, arrays, records, depth: 1, loops: 0 }
    }

    /// Appends its C code.
    pub(super) fn write(mut self, out: &mut String, random: &mut Random) {
        let (k, p) = (self.module.number, self.module.peer);
        let record = format!("struct R{k} *r");
        let (head, returns) = match self.role {
            r if OP.contains(&r) => (format!("long op{k}_{r}({record}, long n)"), "return a + b;"),
            SUM => (format!("long sum{k}(int *buf, long n)"), "return a;"),
            MIX => (format!("long mix{k}(long n, long m)"), "return a ^ b;"),
            LINK => (format!("void link{k}({record}, struct R{p} *other)"), "r->key = a;"),
            MAKE => (format!("struct R{k} *make{k}(long n)"), "return r;"),
            FIND => (format!("struct R{k} *find{k}(long n)"), "return r;"),
            STEP => (format!("long step{k}({record}, long n)"), "return a;"),
            _ => (format!("long run{k}(long n)"), "return a & 15;"),
        };
        let _ = writeln!(out, "{head} {{");
        self.begin(out, random);
        for _ in 0..random.between(2, 3) {
            self.statement(out, random);
        }
        // No function is dead: these two call all others of their module.
        let k = self.module.number;
        let mut needed: Vec<(usize, usize)> = match self.role {
            STEP => vec![(k, SUM), (k, MIX), (k, LINK), (k, FIND)],
            RUN => vec![(k, STEP)],
            _ => Vec::new(),
        };
        if self.role == RUN && k > 0 && self.module.below.contains(&(k - 1)) {
            needed.push((k - 1, RUN));
        }
        needed.iter().for_each(|&(k, role)| self.call_of(k, role, out, random));
        for _ in needed.len()..self.wanted_calls(random) {
            self.call(out, random);
        }
        for _ in 0..random.between(1, 2) {
            self.repeat(out, random);
        }
        if self.role < MAKE && random.one_in(2) {
            self.access(out, random);
        }
        self.finish(out);
        let _ = writeln!(out, "  {returns}\n}}");
    }

    fn wanted_calls(&self, random: &mut Random) -> usize {
        match self.role {
            r if OP.contains(&r) => random.between(2, 3),
            SUM | LINK => random.between(2, 3),
            MIX => 3,
            MAKE | FIND => random.between(2, 4),
            STEP => 5,
            _ => 9,
        }
    }

    /// Writes the local variables and the statements with which the role begins.
    fn begin(&mut self, out: &mut String, random: &mut Random) {
        let k = self.module.number;
        let n = if self.role == LINK { "r->key" } else { "n" };
        let _ = writeln!(out, "  long a = {n}, b = g{k}_{};", random.below(6));
        self.integers.extend(["a", "b"].map(String::from));
        self.integers.extend((0..6).map(|i| format!("g{k}_{i}")).filter(|_| !random.one_in(3)));
        self.arrays.extend((0..3).map(|i| format!("a{k}_{i}")));
        match self.role {
            SUM => self.arrays.push("buf".into()),
            LINK => {
                let p = self.module.peer;
                out.push_str("  r->peer = other;\n  if (!other) return;\n");
                self.records.push((p, "other".into()));
            }
            MAKE => self.construct(out, random),
            FIND => {
                let _ = writeln!(
                    out,
                    "  struct R{k} *r = head{k}_{0};\n  while (r && r->key != n) r = r->next;\n  if (!r) r = &s{k}_{0};",
                    random.below(3)
                );
            }
            RUN => {
                let _ = writeln!(
                    out,
                    "  int local[16];\n  struct R{k} own = {{0}};\n  struct R{k} *r = make{k}(n);\n  for (int i = 0; i < 16; i++) \
                     local[i] = i;\n  own.data = local;\n  own.next = r;\n  own.op = op{k}_1;"
                );
                self.arrays.push("local".into());
                self.records.push((k, "&own".into()));
            }
            _ => {}
        }
        if !matches!(self.role, SUM | MIX) {
            self.records.push((k, "r".into()));
        }
        if matches!(self.role, MIX | SUM) || random.one_in(3) {
            self.records.push((k, format!("&s{k}_{}", random.below(3))));
        }
        if random.one_in(2) {
            let _ = writeln!(out, "  int *q = cur{k}_{};\n  if (!q) q = a{k}_1;", random.below(2));
            self.arrays.push("q".into());
        }
    }

    fn construct(&mut self, out: &mut String, random: &mut Random) {
        let k = self.module.number;
        let allocator = if self.module.shared_allocator { "allocate" } else { "malloc" };
        let head = random.below(3);
        let _ = writeln!(
            out,
            "  struct R{k} *r = {allocator}(sizeof(struct R{k}));\n  if (!r) return &s{k}_0;\n  r->key = n;\n  r->count = 0;\n  \
             r->next = head{k}_{head};\n  r->peer = 0;\n  r->data = {};\n  r->op = op{k}_{};\n  head{k}_{head} = r;",
            random.pick(&[format!("a{k}_0"), format!("a{k}_2"), format!("{allocator}(64)")]),
            random.below(3)
        );
    }

    /// Writes the statements with which the role ends: the target, which every program has once, and the indirect calls.
    fn finish(&self, out: &mut String) {
        let k = self.module.number;
        if self.role == MIX && k == self.layers.len() / 2 {
            let _ = writeln!(out, "  if (a == 4711 && s{k}_0.count > 3) reach_error();");
        }
        match self.role {
            STEP => {
                let _ = writeln!(out, "  if (r->op) a += r->op(r, b);");
            }
            RUN => {
                let _ = writeln!(out, "  a += table{k}[n % 3](r, b);\n  head{k}_0 = r->next;");
            }
            _ => {}
        }
        if self.module.cyclic && self.role == 0 {
            let _ = writeln!(out, "  if (n > limit{k}_1) b += step{k}(r, n - 1);");
        }
    }

    fn indent(&self, out: &mut String) {
        out.extend(std::iter::repeat_n("  ", self.depth));
    }

    fn value(&self, random: &mut Random) -> String {
        match random.below(6) {
            0 => random.between(1, 99).to_string(),
            1 => format!("limit{}_{}", self.module.number, random.below(2)),
            _ => random.pick(&self.integers),
        }
    }

    fn sum(&self, random: &mut Random) -> String {
        let operator = ["+", "-", "*", "^", "&", "|"];
        format!("{} {} {}", self.value(random), random.pick(&operator), self.value(random))
    }

    /// A simple statement or a branch.
    fn statement(&mut self, out: &mut String, random: &mut Random) {
        match random.below(5) {
            0 => {
                let (x, e) = (random.pick(&self.integers), self.sum(random));
                self.indent(out);
                let _ = writeln!(out, "{x} = {e};");
            }
            1 if self.depth < 3 => {
                self.indent(out);
                let _ = writeln!(out, "if ({} < {}) {{", self.value(random), self.value(random));
                self.depth += 1;
                self.access(out, random);
                self.depth -= 1;
                self.indent(out);
                out.push_str("} else {\n");
                self.depth += 1;
                let (x, e) = (random.pick(&self.integers), self.sum(random));
                self.indent(out);
                let _ = writeln!(out, "{x} = {e};");
                self.depth -= 1;
                self.indent(out);
                out.push_str("}\n");
            }
            _ => self.access(out, random),
        }
    }

    /// A statement with one or two accesses through pointers.
    fn access(&mut self, out: &mut String, random: &mut Random) {
        let (k, r) = random.pick(&self.records);
        let x = random.pick(&self.integers);
        let e = self.value(random);
        let array = random.pick(&self.arrays);
        self.indent(out);
        let _ = match random.below(9) {
            0 => writeln!(out, "({r})->key = {e};"),
            1 => writeln!(out, "({r})->count += 1;"),
            2 => writeln!(out, "{x} = ({r})->key + ({r})->flags;"),
            3 => writeln!(out, "if (({r})->next) {x} = ({r})->next->key;"),
            4 => writeln!(out, "if (({r})->peer) ({r})->peer->count = (int){e};"),
            5 => writeln!(out, "if (({r})->data) ({r})->data[{e} & 7] = (int){x};"),
            6 => writeln!(out, "({r})->data = {array};"),
            7 => writeln!(out, "{x} += {array}[{e} & 7];"),
            _ if k == self.module.number => writeln!(out, "({r})->op = op{k}_{};", random.below(3)),
            _ => writeln!(out, "({r})->flags = (int){e};"),
        };
    }

    /// A loop over an array, a list or a counter.
    fn repeat(&mut self, out: &mut String, random: &mut Random) {
        let (k, r) = random.pick(&self.records);
        let (array, x) = (random.pick(&self.arrays), random.pick(&self.integers));
        let i = format!("i{}", self.loops);
        self.loops += 1;
        self.indent(out);
        let _ = match random.below(3) {
            0 => writeln!(out, "for (int {i} = 0; {i} < 8; {i}++) {x} += {array}[{i}];"),
            1 => writeln!(out, "for (struct R{k} *{i} = {r}; {i}; {i} = {i}->next) {x} += {i}->count;"),
            _ => {
                let _ = writeln!(out, "for (long {i} = 0; {i} < {}; {i}++) {{", self.value(random));
                self.depth += 1;
                self.statement(out, random);
                self.depth -= 1;
                self.indent(out);
                writeln!(out, "}}")
            }
        };
    }

    /// A call of a function of this module with a lesser role, or of a module below.
    fn call(&mut self, out: &mut String, random: &mut Random) {
        let own = self.module.number;
        let down = !self.module.below.is_empty() && (self.role == 0 || random.one_in(3));
        let k = if down { random.pick(&self.module.below) } else { own };
        let top = if down { FUNCTIONS } else { self.role };
        if top == 0 {
            return self.statement(out, random);
        }
        let role = random.below(top);
        self.call_of(k, role, out, random)
    }

    fn call_of(&mut self, k: usize, role: usize, out: &mut String, random: &mut Random) {
        let x = random.pick(&self.integers);
        let (e, array) = (self.value(random), random.pick(&self.arrays));
        let record = self.record_of(k, random);
        self.indent(out);
        let _ = match role {
            r if OP.contains(&r) => writeln!(out, "{x} = op{k}_{r}({record}, {e});"),
            SUM => writeln!(out, "{x} += sum{k}({array}, {e});"),
            MIX => writeln!(out, "{x} = mix{k}({e}, {x});"),
            LINK => {
                let p = self.layers[k].peer;
                writeln!(out, "link{k}({record}, {});", self.record_of(p, random))
            }
            MAKE => writeln!(out, "{x} = make{k}({e})->key;"),
            FIND => writeln!(out, "find{k}({e})->flags = (int){x};"),
            STEP => writeln!(out, "{x} = step{k}({record}, {e});"),
            _ => writeln!(out, "{x} = run{k}({e} & 7);"),
        };
    }

    /// A record of module `k`: one in scope, one that a record in scope points to, or one that is looked up.
    fn record_of(&self, k: usize, random: &mut Random) -> String {
        let mut found: Vec<String> = Vec::new();
        for (m, r) in &self.records {
            if *m == k {
                found.push(r.clone());
            }
            if self.layers[*m].peer == k && *m != k {
                found.push(format!("({r})->peer"));
            }
        }
        // Lookup functions stand below those that look up, so that there is no accidental recursion.
        if found.is_empty() || (k < self.module.number && random.one_in(3)) {
            found = vec![if k < self.module.number { format!("find{k}({})", self.value(random)) } else { "0".into() }];
        }
        random.pick(&found)
    }
}
