//! Statements of generated programs.

use super::{Array, Generator, INT, Int, Place, UNSIGNED};

impl Generator {
    pub(super) fn mix(&mut self, value: &str, ty: Int) {
        if self.watched && !self.random.one_in(3) {
            return self.watch(value, ty);
        }
        let fold =
            if ty.bits == 64 { format!(" ^ (unsigned)((unsigned long long){value} >> 32)") } else { String::new() };
        self.line(format!("@crc = (@crc << 5 | @crc >> 27) ^ (unsigned){value}{fold};"));
    }

    /// Something to write to.
    pub(super) fn place(&mut self) -> Place {
        let names = &self.names;
        match self.random.below(6) {
            0 | 1 if !names.arrays.is_empty() => {
                let a = self.random.pick(&names.arrays);
                let index = self.index(a.len);
                Place { text: format!("{}[{index}]", a.text), ty: a.ty, addressable: true }
            }
            2 if !names.pointers.is_empty() => {
                let (p, ty) = self.random.pick(&names.pointers);
                Place { text: format!("*{p}"), ty, addressable: true }
            }
            _ => self.random.pick(&names.places),
        }
    }

    pub(super) fn block(&mut self, statements: usize) {
        self.indent += 1;
        for _ in 0..statements {
            self.statement();
        }
        self.indent -= 1;
    }

    pub(super) fn statement(&mut self) {
        if self.watched && self.random.one_in(4) {
            return self.watched_statement();
        }
        let compound = self.nesting < 2;
        match self.random.below(16) {
            0 | 1 if compound => {
                let cond = self.expr(INT, 2);
                self.line(format!("if ({cond}) {{"));
                self.nesting += 1;
                self.block(1);
                if self.random.one_in(2) {
                    self.line("} else {");
                    self.block(1);
                }
                self.nesting -= 1;
                self.line("}");
            }
            2 | 3 if compound => self.counted_loop(),
            4 if compound => {
                let value = self.expr(UNSIGNED, 2);
                self.line(format!("switch ({value} & 3) {{"));
                self.nesting += 1;
                for k in 0..self.random.between(1, 3) {
                    let label = if k == 2 { "default: ;".to_string() } else { format!("case {k}: ;") };
                    self.line(label);
                    self.block(1);
                    if !self.random.one_in(3) {
                        self.line("    break;");
                    }
                }
                self.nesting -= 1;
                self.line("}");
            }
            5 if self.makes_structs && !self.names.structs.is_empty() && self.calls > 0 => {
                self.calls -= 1;
                let (to, from) = (self.random.pick(&self.names.structs), self.random.pick(&self.names.structs));
                let argument = self.expr(INT, 1);
                self.line(format!("{to} = @mk({from}, {argument});"));
            }
            5 if self.names.structs.len() > 1 => {
                let (to, from) = (self.random.pick(&self.names.structs), self.random.pick(&self.names.structs));
                if to != from {
                    self.line(format!("{to} = {from};"));
                }
            }
            6 if !self.names.arrays.is_empty() => {
                let a = self.random.pick(&self.names.arrays);
                let fill = self.expr(INT, 1);
                let bytes = self.random.between(1, a.len * (a.ty.bits as usize / 8).max(1));
                let fill = if a.ty.bits == 1 { "1".into() } else { fill };
                self.line(format!("memset({}, {fill}, {bytes});", a.text));
            }
            7 if !self.names.pointers.is_empty() => {
                let (p, ty) = self.random.pick(&self.names.pointers);
                if let Some(address) = self.address_of(ty) {
                    let cond = self.expr(INT, 1);
                    self.line(format!("if ({cond}) {p} = {address};"));
                }
            }
            8 if self.names.arrays.len() > 1 => {
                let (to, from) = (self.random.pick(&self.names.arrays), self.random.pick(&self.names.arrays));
                if to.text != from.text && !to.text.starts_with("un.") && to.ty.bits > 1 {
                    let bytes = |a: &Array| a.len * (a.ty.bits as usize / 8).max(1);
                    let n = self.random.between(1, bytes(&to).min(bytes(&from)));
                    self.line(format!("memcpy({}, {}, {n});", to.text, from.text));
                }
            }
            9 if !self.names.floats.is_empty() => {
                let d = self.random.pick(&self.names.floats);
                let (e, op) = (self.expr(INT, 1), self.random.pick(&["+", "-", "*", "/"]));
                let by = self.random.pick(&["0.1", "3.0f", "1e10", "0.5"]);
                self.line(format!("{d} = ({d} {op} {by}) + {e};"));
                self.mix(&format!("@to_int({d})"), INT);
            }
            9 => {
                let p = self.place();
                let e = self.expr(p.ty, 1);
                let op = self.random.pick(&["^=", "|=", "&="]);
                self.line(format!("{} {op} {e};", p.text));
            }
            10 => {
                let ty = self.ty();
                let e = self.expr(ty, 2);
                self.mix(&e, ty);
            }
            _ => {
                let p = self.place();
                let e = self.expr(p.ty, 3);
                self.line(format!("{} = {e};", p.text));
            }
        }
    }

    /// A loop that fills an array.
    pub(super) fn filling_loop(&mut self, a: &Array) {
        let i = format!("i{}", self.nesting);
        self.line(format!("for (unsigned {i} = 0; {i} < {}; {i}++) {{", a.len));
        self.nesting += 1;
        self.names.counters.push(i.clone());
        let value = self.expr(a.ty, 2);
        self.line(format!("    {}[{i}] = {value};", a.text));
        self.names.counters.pop();
        self.nesting -= 1;
        self.line("}");
    }

    pub(super) fn counted_loop(&mut self) {
        if !self.names.arrays.is_empty() && self.random.one_in(3) {
            let a = self.random.pick(&self.names.arrays);
            return self.filling_loop(&a);
        }
        let (i, n) = (format!("i{}", self.nesting), self.random.between(1, 5));
        let shape = self.random.below(3);
        match shape {
            0 => self.line(format!("for (int {i} = 0; {i} < {n}; {i}++) {{")),
            1 => self.line(format!("{{ unsigned char {i} = 0; while ({i}++ < {n}) {{")),
            _ => self.line(format!("{{ short {i} = {n}; do {{")),
        }
        self.nesting += 1;
        self.names.counters.push(i.clone());
        if self.random.one_in(3) {
            let cond = self.expr(INT, 1);
            let leave = if shape == 2 { "break" } else { self.random.pick(&["break", "continue"]) };
            self.line(format!("    if ({cond}) {leave};"));
        }
        let statements = self.random.between(1, 2);
        self.block(statements);
        self.names.counters.pop();
        self.nesting -= 1;
        match shape {
            0 => self.line("}"),
            1 => self.line("} }"),
            _ => self.line(format!("}} while (--{i} > 0); }}")),
        }
    }
}
