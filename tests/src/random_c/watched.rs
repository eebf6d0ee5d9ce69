//! Programs for slicing: they show values at some places (`check`, the criterion), compute much that does not influence any of these
//! values, and take inputs that do not depend on the rest of the computation.
//!
//! An input at a place that only one activation executes is determined by the place and by how often it was taken (`input`). Other inputs
//! are pure functions of the place and a value (`env`), since a slice may leave out calls of functions that take inputs. The compiler must
//! not copy a call of `input` (for example to unroll a loop), which would make several places of one.

use super::{Generator, INT, Int, UNSIGNED};
use crate::random_c::ENTRY;

/// The declarations with which watched programs begin.
pub(super) const DECLARATIONS: &str = "#include <stdlib.h>\n#include <string.h>\n\
    extern void check(int site, long long value);\n\
    extern unsigned input(int site) __attribute__((noduplicate));\n\
    extern unsigned env(int site, long long key);\n";

impl Generator {
    pub(super) fn watched_program(mut self) -> String {
        self.watched = true;
        self.line("static unsigned @crc;");
        self.helpers();
        self.struct_type();
        self.line("struct @node { unsigned v; struct @node *next; };");
        self.line("static struct @node *@list, *@other;");
        self.line("static void *@fresh(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }");
        self.line("static struct @node *@new(unsigned v, struct @node *next) {");
        self.line("    struct @node *n = @fresh(sizeof *n); n->v = v; n->next = next; return n;");
        self.line("}");
        self.line("static void @push(unsigned v) { @list = @new(v, @list); }");
        self.line("static void @set(unsigned **p, unsigned *q) { if (q) *p = q; }");
        self.line("static void @add(unsigned *p, unsigned v) { *p += v; }");
        self.global_variables();
        for i in 0..self.random.between(1, 4) {
            self.function(i);
        }
        if self.random.one_in(2) {
            self.recursive_function();
        }
        if self.random.one_in(2) {
            self.function_table();
        }
        if self.random.one_in(3) {
            self.struct_function();
        }
        if self.random.one_in(4) {
            self.function_at_exit();
        }
        self.run();
        let at_exit = if self.out.contains("@at_exit(") { "atexit(@at_exit); " } else { "" };
        self.line(format!("int {ENTRY}(void) {{ {at_exit}return (int)@run(); }}"));
        self.out
    }

    fn function_at_exit(&mut self) {
        self.names = self.globals.clone();
        self.may_exit = false;
        let calls = std::mem::take(&mut self.calls);
        self.line("static void @at_exit(void) {");
        self.indent += 1;
        self.nesting = 2;
        self.statement();
        let value = self.expr(INT, 1);
        self.watch(&value, INT);
        self.calls = calls;
        self.may_exit = true;
        self.indent -= 1;
        self.line("}");
    }

    fn site(&mut self) -> usize {
        self.sites += 1;
        self.sites
    }

    /// Shows a value.
    pub(super) fn watch(&mut self, value: &str, _: Int) {
        let site = self.site();
        self.line(format!("check({site}, (long long){value});"));
    }

    /// An input.
    pub(super) fn watched_input(&mut self, ty: Int) -> String {
        let site = self.site();
        if self.once && self.random.one_in(2) {
            return format!("({})input({site})", ty.name);
        }
        let key = match self.names.counters.last() {
            Some(i) => format!("(long long){i}"),
            None => match self.names.places.first() {
                Some(p) => format!("(long long){}", p.text),
                None => "0".into(),
            },
        };
        format!("({})env({site}, {key})", ty.name)
    }

    /// A statement that other programs do not have: a value shown, an exit, two lists made by one function, pointers to pointers.
    pub(super) fn watched_statement(&mut self) {
        match self.random.below(14) {
            0..3 => {
                let ty = self.ty();
                let e = self.expr(ty, 2);
                self.watch(&e, ty);
            }
            3 if self.may_exit => {
                let cond = self.rare();
                let end = self.random.pick(&["exit(0)", "abort()", "exit(3)", "_Exit(1)"]);
                self.line(format!("if ({cond}) {end};"));
            }
            4 => {
                let e = self.expr(UNSIGNED, 1);
                match self.random.below(3) {
                    0 => self.line(format!("@other = @new({e}, @other);")),
                    1 => self.line(format!("@list = @new({e}, @list);")),
                    _ => self.line(format!("@push({e});")),
                }
            }
            5 => {
                let k = self.random.between(1, 9);
                let list = self.random.pick(&["@list", "@other"]);
                self.line(format!(
                    "{{ unsigned sum = {k}; for (struct @node *n = {list}; n; n = n->next) sum = sum * 3 + n->v;"
                ));
                self.indent += 1;
                if self.random.one_in(2) {
                    self.watch("sum", UNSIGNED);
                } else {
                    let p = self.place();
                    self.line(format!("{} = ({})sum;", p.text, p.ty.name));
                }
                self.indent -= 1;
                self.line("}");
            }
            6 => {
                let (a, b, c, d) =
                    (self.expr(UNSIGNED, 1), self.expr(UNSIGNED, 1), self.expr(INT, 1), self.expr(UNSIGNED, 1));
                self.line(format!("{{ unsigned u = {a}, v = {b}, *w = &u; if ({c}) @set(&w, &v); @add(w, {d});"));
                self.indent += 1;
                let shown = self.random.pick(&["u", "v", "*w"]);
                if self.random.one_in(2) {
                    self.watch(shown, UNSIGNED);
                } else {
                    let p = self.place();
                    self.line(format!("{} = ({}){shown};", p.text, p.ty.name));
                }
                self.indent -= 1;
                self.line("}");
            }
            7 if self.nesting < 2 => self.open_loop(),
            8 if self.nesting < 2 => self.forward_jump(),
            9 if self.table.is_some() && self.calls > 0 => {
                self.calls -= 1;
                let (result, param) = self.table.expect("just tested");
                let (which, argument) = (self.index(2), self.expr(param, 1));
                let p = self.place();
                self.line(format!("{} = ({})({})@table[{which}]({argument});", p.text, p.ty.name, result.name));
            }
            10 => {
                let p = self.place();
                let e = self.watched_input(p.ty);
                self.line(format!("{} = {e};", p.text));
            }
            11 if self.nesting < 2 => {
                // A computation that may never be shown.
                let n = self.random.between(1, 4);
                let (e, f) = (self.expr(UNSIGNED, 2), self.expr(UNSIGNED, 2));
                let i = format!("i{}", self.nesting);
                self.line(format!(
                    "for (int {i} = 0; {i} < {n}; {i}++) {{ @crc = @crc * 31 + {e}; if (@crc & 1) @crc ^= {f}; }}"
                ));
            }
            _ => {
                let p = self.place();
                let e = self.expr(p.ty, 3);
                self.line(format!("{} = {e};", p.text));
            }
        }
    }

    /// A condition that seldom holds.
    fn rare(&mut self) -> String {
        let (e, k) = (self.expr(UNSIGNED, 2), self.random.below(8));
        format!("({e} & 7) == {k}")
    }

    /// A loop whose end depends on data, bounded by a counter.
    fn open_loop(&mut self) {
        let i = format!("i{}", self.nesting);
        let n = self.random.between(2, 6);
        self.nesting += 1;
        if self.random.one_in(2) {
            let cond = self.expr(INT, 2);
            self.line(format!("for (int {i} = 0; {i} < {n} && {cond}; {i}++) {{"));
        } else {
            self.line(format!("for (int {i} = 0; ; {i}++) {{"));
            let cond = self.rare();
            self.line(format!("    if ({i} >= {n} || {cond}) break;"));
        }
        self.names.counters.push(i);
        self.block(2);
        self.names.counters.pop();
        self.nesting -= 1;
        self.line("}");
    }

    /// A jump over a few statements, out of a block of its own.
    fn forward_jump(&mut self) {
        let label = format!("l{}", self.site());
        let cond = self.expr(INT, 2);
        self.nesting += 1;
        self.line(format!("{{ if ({cond}) goto {label};"));
        self.block(2);
        let more = self.rare();
        self.line(format!("    if ({more}) goto {label};"));
        self.block(1);
        self.nesting -= 1;
        self.line(format!("    {label}: ; }}"));
    }
}
