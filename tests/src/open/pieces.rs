//! The pieces that open programs are put together from: a few lines each, with what they need of the outside.
//!
//! A piece notes small numbers that depend on the outside or on where objects lie: `NOTE(p->a == 1)`. Native runs have no undefined
//! behaviour: a pointer from outside is compared with null, or the run ends there; arithmetic is unsigned; indices stay inside.

use super::{Family, Open};
use kerf_testing::Random;

/// Adds a piece of `family`, whose identifiers end in `n`.
pub(super) fn add(open: &mut Open, family: Family, n: usize, random: &mut Random) {
    match family {
        Family::Defaults => defaults(open, n, random),
        Family::Integers => integers(open, n, random),
        Family::Weak => weak(open, n, random),
        Family::Numbers => numbers(open, n, random),
        Family::Freed => freed(open, n, random),
        Family::Bits => bits(open, n, random),
        Family::Variables => variables(open, n, random),
        Family::Havoc => havoc(open, n, random),
        Family::Library => library(open, n, random),
        Family::Mixture => mixture(open, n, random),
    }
}

impl Open {
    /// Adds declarations to the program; `#` represents the piece's number (where C needs a `#`, write `%:`).
    fn declare(&mut self, n: usize, text: &str) {
        self.declarations.push_str(&text.replace('#', &n.to_string()));
        self.declarations.push('\n');
    }

    /// Adds lines to the function `run`.
    fn line(&mut self, n: usize, text: &str) {
        self.body.push_str(&format!("    {}\n", text.replace('#', &n.to_string())));
    }

    /// Defines something outside.
    fn outside(&mut self, n: usize, text: &str) {
        self.outside.push_str(&text.replace('#', &n.to_string()));
        self.outside.push('\n');
    }

    /// What happens outside before the program begins.
    fn before(&mut self, n: usize, text: &str) {
        self.before.push_str(&format!("    {}\n", text.replace('#', &n.to_string())));
    }

    /// Some of `lines`, in a random order, each at most once.
    fn some(&mut self, n: usize, random: &mut Random, most: usize, lines: &[&str]) {
        let mut left = lines.to_vec();
        for _ in 0..random.between(1, most.min(lines.len())) {
            let line = left.swap_remove(random.below(left.len()));
            self.line(n, line);
        }
    }

    /// An undefined function that returns a small number, as an expression.
    fn number(&mut self, n: usize) -> String {
        self.declare(n, "extern int number#(void);");
        self.outside(n, "int number#(void) { return (int)roll(3); }");
        format!("number{n}()")
    }
}

/// Pointers from outside that fall back to an object of the program.
fn defaults(open: &mut Open, n: usize, random: &mut Random) {
    match random.below(5) {
        0 | 1 => {
            open.declare(n, "struct t# { int a, b; struct t# *next; };\nstatic struct t# def# = {1, 2, 0};");
            open.declare(n, "extern struct t# *load#(int);");
            open.outside(n, "struct t# { int a, b; struct t# *next; };");
            open.outside(n, "struct t# *load#(int k) { return pointer(); }");
            open.line(n, "struct t# *p# = load#(1), *q# = load#(2), copy# = {0, 0, 0};");
            let fallbacks: &[&str] = match random.below(3) {
                0 => &["if (!p#) p# = &def#;", "if (!q#) q# = &def#;"],
                1 => &["if (!p#) p# = &def#;", "if (!q#) return 7;"],
                _ => &["if (!p#) p# = &def#;", "if (!q#) q# = p#;"],
            };
            fallbacks.iter().for_each(|line| open.line(n, line));
            let steps = [
                "p#->a = 1; q#->a = 3;",
                "q#->b = 5;",
                "copy# = *p#;",
                "memcpy(&copy#, p#, sizeof copy#);",
                "p#->b++;",
            ];
            open.some(n, random, 3, &steps);
            let notes = [
                "NOTE(p#->a == 1);",
                "NOTE(p#->a == q#->a);",
                "NOTE(p# == q#);",
                "NOTE(p# == &def#);",
                "NOTE(def#.a == 1); NOTE(def#.b == 2);",
                "NOTE(copy#.a == 1);",
                "NOTE(copy#.b == q#->b);",
            ];
            open.some(n, random, 3, &notes);
        }
        2 => {
            open.declare(n, "extern const char *name#(void);");
            open.outside(n, "const char *name#(void) { return text(); }");
            open.line(n, "const char *s# = name#();\n    if (!s#) s# = \"abc\";");
            open.some(
                n,
                random,
                2,
                &["NOTE(s#[0] == 'a');", "NOTE(strlen(s#) == 3);", "NOTE(strcmp(s#, \"abc\") == 0);"],
            );
        }
        3 => {
            open.declare(
                n,
                "struct n# { struct n# *next; int v; };\nstatic struct n# last#;\nextern struct n# *first#(void);",
            );
            open.outside(n, "struct n# { struct n# *next; int v; };");
            open.outside(
                n,
                "struct n# *first#(void) { struct n# *p = 0; for (unsigned i = roll(3); i; i--) { struct n# *q = fresh(); q->next = p; \
                 q->v = (int)roll(3); p = q; } return p; }",
            );
            open.line(n, "struct n# *at# = first#(); int steps# = 0, sum# = 0;");
            open.line(n, "if (!at#) at# = &last#;");
            open.line(
                n,
                "while (at# && at# != &last# && steps# < 3) { steps#++; sum# += at#->v == 1; at# = at#->next; }",
            );
            open.some(n, random, 3, &["NOTE(steps# == 2);", "NOTE(sum# == 1);", "NOTE(at# == 0);"]);
        }
        _ => {
            open.declare(n, "static int own# = 4;\nextern int *extra#;\nextern int *__VERIFIER_nondet_pointer(void);");
            open.outside(n, "int *extra#;");
            open.before(n, "extra# = pointer();");
            let chosen = random.pick(&["extra#", "__VERIFIER_nondet_pointer()"]);
            open.line(n, &format!("int *e# = {chosen}, *o# = e# ? e# : &own#;"));
            open.some(n, random, 2, &["*o# = 1;", "own# = 2;"]);
            open.some(n, random, 3, &["NOTE(*o# == 4);", "NOTE(own# == 4);", "NOTE(*o# == 2);"]);
        }
    }
}

/// Integers as addresses: devices, and numbers from outside.
fn integers(open: &mut Open, n: usize, random: &mut Random) {
    let flag = open.number(n);
    open.declare(n, "static int sim# = 5;");
    if random.one_in(2) {
        open.before(n, "device();");
        open.line(n, &format!("int *d# = {flag} ? (int *)0x40021000 : &sim#;"));
    } else {
        open.declare(n, "extern unsigned long where#(void);");
        open.outside(n, "unsigned long where#(void) { return (unsigned long)fresh(); }");
        open.line(n, &format!("int *d# = {flag} ? (int *)where#() : &sim#;"));
    }
    open.some(n, random, 2, &["*d# = 2;", "sim# = 3;", "int now# = *d#; NOTE(now# == 1);"]);
    open.some(n, random, 2, &["NOTE(*d# == 5);", "NOTE(sim# == 5);", "NOTE(*d# == 2);", "NOTE(*d# == sim#);"]);
}

/// Weak undefined symbols.
fn weak(open: &mut Open, n: usize, random: &mut Random) {
    if random.one_in(2) {
        open.declare(n, "extern int hook#(int) __attribute__((weak));");
        open.outside(n, "%:ifdef WEAK\nint hook#(int k) { return (int)roll(3); }\n%:endif");
        open.line(n, "int h# = 3;\n    if (hook#) h# = hook#(1) == 1;");
        open.some(n, random, 2, &["NOTE(h# == 3);", "NOTE(h# == 1);", "NOTE(hook# != 0);"]);
    } else {
        open.declare(n, "extern int limit# __attribute__((weak));");
        open.outside(n, "%:ifdef WEAK\nint limit#;\n%:endif");
        open.line(n, "int l# = 9;\n    if (&limit#) l# = limit#;");
        open.some(n, random, 2, &["NOTE(l# == 9);", "NOTE(l# == 0);", "NOTE(&limit# != 0);"]);
    }
}

/// Addresses as numbers.
fn numbers(open: &mut Open, n: usize, random: &mut Random) {
    open.declare(
        n,
        "static int g#[4], k#[4];\nstatic int f#(int x) { return x + 1; }\nunion u# { void *p; uintptr_t n; };",
    );
    open.line(n, "int x# = 1, y# = 2; char *h# = malloc(8), *i# = malloc(24); union u# u#;");
    let objects = ["&x#", "&y#", "g#", "k#", "h#", "i#", "(void *)f#", "(void *)run"];
    for _ in 0..random.between(1, 3) {
        let (a, b) = (random.below(objects.len()), random.below(objects.len() - 1));
        let b = if b == a { objects.len() - 1 } else { b };
        let (a, b) = (objects[a], objects[b]);
        let note = match random.below(9) {
            0 => format!("NOTE((uintptr_t){a} < (uintptr_t){b});"),
            1 => format!("u#.p = {a}; {{ uintptr_t was = u#.n; u#.p = {b}; NOTE(was < u#.n); }}"),
            2 => format!(
                "NOTE((uintptr_t){a} - (uintptr_t){b} == {});",
                random.pick(&["4", "16", "32", "(uintptr_t)-4"])
            ),
            3 => format!("NOTE((uintptr_t){a} > 0x7f0000000000);"),
            4 => format!("NOTE((uintptr_t){a} >> 32 == (uintptr_t){b} >> 32);"),
            5 => format!("NOTE((((uintptr_t){a} * 2654435761u) >> 28) & 1);"),
            6 => format!("NOTE(((uintptr_t){a} >> {}) & 1);", random.between(0, 13)),
            7 => "NOTE((uintptr_t)(g# + 4) == (uintptr_t)k#);".to_string(),
            _ => "NOTE((uintptr_t)\"bcd\" == (uintptr_t)\"abcd\" + 1); NOTE((uintptr_t)\"xy\" == (uintptr_t)\"xy\");"
                .to_string(),
        };
        open.line(n, &note);
    }
}

/// Addresses of blocks that were freed.
fn freed(open: &mut Open, n: usize, random: &mut Random) {
    let size = random.pick(&[8, 24, 100]).to_string();
    if random.one_in(3) {
        open.line(
            n,
            &format!("char *r# = malloc({size}); uintptr_t was# = (uintptr_t)r#; r# = realloc(r#, {size} + 8);"),
        );
        open.line(n, "if (!r#) return 7;");
        open.line(n, "NOTE(was# == (uintptr_t)r#);");
    } else {
        open.line(n, &format!("char *b# = malloc({size}); uintptr_t was# = (uintptr_t)b#; free(b#);"));
        open.line(n, &format!("char *c# = malloc({size});"));
        open.some(n, random, 2, &["NOTE(was# == (uintptr_t)c#);", "NOTE(was# < (uintptr_t)c#);", "free(c#);"]);
    }
}

/// Addresses whose bits are copied by other means than assignment.
fn bits(open: &mut Open, n: usize, random: &mut Random) {
    open.line(n, "int v# = 1, w# = 2; uintptr_t a# = (uintptr_t)&v#, c# = 0; int *p# = &w#;");
    let way = random.pick(&[
        "for (int i = 0; i < 64; i++) if (a# >> i & 1) c# |= (uintptr_t)1 << i;",
        "c# = (uintptr_t)(double)a#;",
        "c# = ((a# ^ 0x5555) + 3) - 3; c# ^= 0x5555;",
        "for (int i = 0; i < 8; i++) ((unsigned char *)&c#)[i] = ((unsigned char *)&a#)[i];",
        "static unsigned char t#[16]; for (int i = 0; i < 16; i++) t#[i] = i; for (int i = 0; i < 16; i++) c# |= (uintptr_t)t#[a# >> 4 * i & 15] << 4 * i;",
        "switch (a# & 12) { case 0: c# = a#; break; case 4: c# = a# | 4; break; default: c# = (a# >> 2) * 4; }",
        "c# = (uintptr_t)((char *)0 + a#);",
    ]);
    open.line(n, way);
    open.line(n, "p# = (int *)c#;");
    open.some(n, random, 2, &["*p# = 3;", "v# = 4;"]);
    open.some(n, random, 2, &["NOTE(v# == 3);", "NOTE(w# == 3);", "NOTE(*p# == 4);", "NOTE(p# == &v#);"]);
}

/// Undefined variables.
fn variables(open: &mut Open, n: usize, random: &mut Random) {
    open.declare(n, "extern int out#;\nextern int *ptr#;\nextern unsigned char arr#[4];\nextern void touch#(void);\nextern int *second#(void);");
    open.outside(n, "int out#; int *ptr#; unsigned char arr#[4]; void touch#(void) {}");
    open.outside(n, "int *second#(void) { return roll(2) ? ptr# : roll(2) ? &out# : pointer(); }");
    open.before(n, "out# = (int)roll(3); arr#[1] = (unsigned char)roll(3); ptr# = roll(2) ? &out# : pointer();");
    open.line(n, "int *z# = second#(); int old# = out#;");
    open.line(n, "if (!z# || !ptr#) return 7;");
    open.some(n, random, 3, &["out# = 1;", "*ptr# = 2;", "*z# = 3;", "touch#();", "arr#[1] = 1;"]);
    let notes = [
        "NOTE(out# == old#);",
        "NOTE(out# == 1);",
        "NOTE(*ptr# == out#);",
        "NOTE(*z# == *ptr#);",
        "NOTE(z# == ptr#);",
        "NOTE(arr#[1] == 2);",
        "NOTE(ptr# == &out#);",
    ];
    open.some(n, random, 3, &notes);
}

/// Functions that change what they were given, and keep it.
fn havoc(open: &mut Open, n: usize, random: &mut Random) {
    match random.below(4) {
        0 => {
            open.declare(n, "extern void set#(int *, int);\nstatic void wrap#(int *p) { set#(p, 5); }");
            open.outside(n, "void set#(int *p, int k) { keep(p); if (roll(2)) *p = k; }");
            open.line(n, "int s# = 1, other# = 2;");
            open.some(n, random, 2, &["wrap#(&s#);", "set#(&s#, 4);", "set#(&other#, 6);"]);
            open.some(n, random, 2, &["NOTE(s# == 1);", "NOTE(s# == 5);", "NOTE(other# == 2);"]);
        }
        1 => {
            open.declare(n, "extern void swap#(int **, int **);");
            open.outside(n, "void swap#(int **p, int **q) { if (roll(2)) { int *t = *p; *p = *q; *q = t; } }");
            open.line(n, "int x# = 1, y# = 2; int *p# = &x#, *q# = &y#;\n    swap#(&p#, &q#);");
            open.some(n, random, 2, &["*p# = 5;", "*q# = 6;"]);
            open.some(n, random, 2, &["NOTE(x# == 5);", "NOTE(y# == 5);", "NOTE(*p# == 2);", "NOTE(p# == &x#);"]);
        }
        2 => {
            open.declare(n, "extern int *same#(int *);\nextern void later#(void);");
            open.outside(n, "int *kept#; int *same#(int *p) { kept# = p; return roll(2) ? p : fresh(); }");
            open.outside(n, "void later#(void) { if (kept# && roll(2)) *kept# = 8; }");
            open.line(n, "int x# = 1; int *p# = same#(&x#);\n    if (!p#) return 7;");
            open.some(n, random, 2, &["*p# = 5;", "later#();", "x# = 3; later#();"]);
            open.some(n, random, 2, &["NOTE(x# == 5);", "NOTE(x# == 8);", "NOTE(p# == &x#);", "NOTE(*p# == x#);"]);
        }
        _ => {
            open.declare(n, "static int good#(void) { return 1; }\nstatic int bad#(void) { return 2; }\nint (*handler#)(void) = good#;");
            open.declare(n, "extern void known#(int (*)(void));\nextern void work#(void);");
            open.outside(
                n,
                "extern int (*handler#)(void); int (*told#)(void); void known#(int (*f)(void)) { told# = f; }",
            );
            open.outside(n, "void work#(void) { if (told# && roll(2)) handler# = told#; }");
            open.line(n, "known#(bad#);\n    work#();\n    NOTE(handler#() == 2);");
            open.some(n, random, 1, &["NOTE(handler# == bad#);", "work#();"]);
        }
    }
}

/// Calls of the C library whose results the standard leaves open.
fn library(open: &mut Open, n: usize, random: &mut Random) {
    let notes = [
        "NOTE(isalpha('a') == 1);",
        "NOTE(isdigit('0' + 3) == 1); NOTE(isspace(' ') != 0);",
        "NOTE(strcmp(\"a\", \"c\") == -1);",
        "NOTE(memcmp(\"ab\", \"ad\", 2) == -2);",
        "char b#[8] = \"\"; NOTE(sscanf(\"ab\", \"%3c\", b#) == 1);",
        "int i# = 0; NOTE(sscanf(\"5\", \"%*d %d\", &i#) == -1);",
        "NOTE(snprintf(0, 0, \"%600f\", 1.0) > 500);",
        "NOTE(strtol(\" 12x\", 0, 10) == 12);",
        "NOTE(getenv(\"PATH\") == getenv(\"PATH\"));",
        "void *m# = malloc(-4); NOTE(m# == 0);",
        "int o# = 0; for (int i = 0; i < 3; i++) o# += toupper(\"aB1\"[i]) == \"AB1\"[i]; NOTE(o# == 3);",
        "NOTE(abs(-3) == 3); NOTE(strlen(\"abc\") == 3); NOTE(strchr(\"abc\", 'b') != 0);",
    ];
    open.some(n, random, 3, &notes);
}

/// Structures, unions, function pointers, heap, strings and floats in one program.
fn mixture(open: &mut Open, n: usize, random: &mut Random) {
    let input = open.number(n);
    open.declare(n, "struct m# { int tag; union { float f; unsigned u; char c[4]; } v; struct m# *next; };");
    open.declare(n, "static int inc#(int x) { return x + 1; }\nstatic int twice#(int x) { return 2 * x; }");
    open.declare(n, "static int (*const table#[2])(int) = {inc#, twice#};\nstatic struct m# *list#;");
    open.declare(
        n,
        "static struct m# *push#(int tag, float f) { struct m# *m = malloc(sizeof *m); if (!m) return 0; m->tag = tag; m->v.f = f; m->next = list#; list# = m; return m; }",
    );
    open.line(
        n,
        &format!("int i# = {input} & 3; struct m# *m# = push#(i#, i# * 0.5f), *o# = push#(table#[i# & 1](i#), 2.0f);"),
    );
    open.line(n, "if (!m# || !o#) return 7;");
    open.line(n, "char t#[8] = \"ab\"; struct m# c# = *m#;");
    let steps = [
        "strcpy(t# + 1, \"xy\");",
        "o#->v.c[3] ^= 0x80;",
        "c#.next = o#; c#.tag += list#->tag;",
        "*o# = c#;",
        "m#->v.u += 1;",
        "if (m#->tag > 1) { free(o#); list# = m#; o# = m#; }",
        "strncat(t#, \"z\", 1);",
    ];
    open.some(n, random, 3, &steps);
    let notes = [
        "NOTE(m#->v.f < o#->v.f);",
        "NOTE(list#->tag == 2);",
        "NOTE(c#.tag == o#->tag);",
        "NOTE(t#[1] == 'x'); NOTE(strlen(t#) == 3);",
        "NOTE(o#->v.u >> 31);",
        "NOTE(table#[m#->tag & 1](3) == 6);",
        "NOTE((int)(c#.v.f * 4) == 2);",
        "NOTE(c#.next == o#);",
    ];
    open.some(n, random, 4, &notes);
}
