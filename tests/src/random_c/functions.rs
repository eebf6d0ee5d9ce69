//! Declarations of generated programs: types, variables, functions.

use super::{Array, Callable, Generator, INT, INTS, Inputs, Int, Place, UNSIGNED};

impl Generator {
    pub(super) fn struct_type(&mut self) {
        self.line("struct @s {");
        self.indent += 1;
        for i in 0..self.random.between(2, 5) {
            let ty = self.ty();
            let name = format!("m{i}");
            let width = (ty.bits > 1 && ty.bits <= 32 && self.random.one_in(4))
                .then(|| self.random.between(1, ty.bits as usize));
            match width {
                Some(w) => self.line(format!("{} {name} : {w};", ty.name)),
                None => self.line(format!("{} {name};", ty.name)),
            }
            self.fields.push((name, ty, width.is_none()));
        }
        self.line("int t[2];");
        self.indent -= 1;
        self.line("};");
    }

    pub(super) fn global_variables(&mut self) {
        for i in 0..self.random.between(1, 3) {
            let (name, ty) = (format!("@g{i}"), self.ty());
            let value = self.constant(ty);
            self.line(format!("static {} {name} = {value};", ty.name));
            self.globals.places.push(Place { text: name, ty, addressable: true });
        }
        if self.random.one_in(2) {
            self.array("static ", "@ga");
            self.globals.arrays = std::mem::take(&mut self.names.arrays);
        }
        if self.random.one_in(2) {
            self.line("static struct @s @gs;");
            self.add_struct("@gs");
            self.globals.structs = std::mem::take(&mut self.names.structs);
            self.globals.arrays.append(&mut self.names.arrays);
            self.globals.places.append(&mut self.names.places);
        }
    }

    pub(super) fn array(&mut self, qualifier: &str, name: &str) {
        let (ty, len) = (self.ty(), self.random.pick(&[2, 4, 8]));
        let values: Vec<String> = (0..self.random.between(1, len)).map(|_| self.constant(ty)).collect();
        self.line(format!("{qualifier}{} {name}[{len}] = {{{}}};", ty.name, values.join(", ")));
        self.names.arrays.push(Array { text: name.into(), ty, len });
    }

    pub(super) fn add_struct(&mut self, name: &str) {
        for (field, ty, addressable) in self.fields.clone() {
            self.names.places.push(Place { text: format!("{name}.{field}"), ty, addressable });
        }
        self.names.arrays.push(Array { text: format!("{name}.t"), ty: INT, len: 2 });
        self.names.structs.push(name.into());
    }

    /// Declares the local variables of a function.
    pub(super) fn locals(&mut self) {
        for i in 0..self.random.between(1, 4) {
            let (name, ty) = (format!("x{i}"), self.ty());
            let value = if self.random.one_in(2) { self.constant(ty) } else { self.expr(ty, 1) };
            self.line(format!("{} {name} = {value};", ty.name));
            self.names.places.push(Place { text: name, ty, addressable: true });
        }
        if self.random.one_in(3) {
            self.array("", "a");
        }
        if self.random.one_in(4) {
            self.line("struct @s s = {0};");
            self.add_struct("s");
        }
        if self.random.one_in(6) {
            let value = self.expr(UNSIGNED, 1);
            self.line(format!("union {{ unsigned u; unsigned char b[4]; short h[2]; }} un = {{{value}}};"));
            self.names.places.push(Place { text: "un.u".into(), ty: UNSIGNED, addressable: true });
            self.names.arrays.push(Array { text: "un.b".into(), ty: INTS[1], len: 4 });
            self.names.arrays.push(Array { text: "un.h".into(), ty: INTS[2], len: 2 });
        }
        if self.random.one_in(6) {
            let ty = self.ty();
            self.line(format!("{0} *h = calloc(4, sizeof({0}));", ty.name));
            self.names.arrays.push(Array { text: "h".into(), ty, len: 4 });
        }
        if self.random.one_in(8) {
            let ty = self.random.pick(&["float", "double"]);
            let value = self.expr(INT, 1);
            self.line(format!("{ty} d = {value};"));
            self.names.floats.push("d".into());
        }
        if !self.names.structs.is_empty() && self.random.one_in(2) {
            let s = self.random.pick(&self.names.structs);
            self.line(format!("struct @s *sp = &{s};"));
            let other = self.random.pick(&self.names.structs);
            if other != s {
                let cond = self.expr(INT, 1);
                self.line(format!("if ({cond}) sp = &{other};"));
            }
            for (field, ty, addressable) in self.fields.clone() {
                self.names.places.push(Place { text: format!("sp->{field}"), ty, addressable });
            }
        }
        if self.random.one_in(2)
            && let Some((address, ty)) = self.address()
        {
            self.line(format!("{} *p = {address};", ty.name));
            self.names.pointers.push(("p".into(), ty));
        }
    }

    pub(super) fn function(&mut self, i: usize) {
        let result = self.ty();
        let params: Vec<Int> = (0..self.random.between(0, 3)).map(|_| self.ty()).collect();
        let pointer = self.random.one_in(3).then(|| self.ty());
        let callable = Callable { name: format!("@f{i}"), result, params, pointer, depth: None };
        self.begin(&callable);
        self.locals();
        self.nesting = 1;
        for _ in 0..self.random.between(1, 3) {
            self.statement();
        }
        self.end(&callable);
    }

    pub(super) fn recursive_function(&mut self) {
        let callable = Callable {
            name: "@rec".into(),
            result: self.ty(),
            params: vec![self.ty()],
            pointer: None,
            depth: Some(self.random.between(1, 4)),
        };
        self.begin(&callable);
        let end = self.expr(callable.result, 1);
        self.line(format!("if (depth == 0) return {end};"));
        self.locals();
        self.nesting = 2;
        self.statement();
        let argument = self.expr(callable.params[0], 1);
        let ty = callable.result;
        self.line(format!("{} below = @rec(depth - 1, {argument});", ty.name));
        self.names.places.push(Place { text: "below".into(), ty, addressable: true });
        self.end(&callable);
    }

    /// Functions that are called through an array of pointers to them.
    pub(super) fn function_table(&mut self) {
        let (result, param) = (self.ty(), self.ty());
        for i in 0..2 {
            let name = format!("@t{i}");
            let callable = Callable { name, result, params: vec![param], pointer: None, depth: None };
            self.begin(&callable);
            self.nesting = 1;
            self.statement();
            self.end(&callable);
        }
        self.functions.truncate(self.functions.len() - 2);
        self.line(format!("static {} (*@table[2])({}) = {{@t0, @t1}};", result.name, param.name));
        self.table = Some((result, param));
    }

    /// A function that takes and returns a struct.
    pub(super) fn struct_function(&mut self) {
        self.names = self.globals.clone();
        self.line("static struct @s @mk(struct @s s, int y0) {");
        self.indent += 1;
        self.add_struct("s");
        self.names.places.push(Place { text: "y0".into(), ty: INT, addressable: true });
        self.nesting = 1;
        self.statement();
        self.statement();
        self.line("return s;");
        self.indent -= 1;
        self.line("}");
        self.makes_structs = true;
    }

    pub(super) fn begin(&mut self, c: &Callable) {
        self.names = self.globals.clone();
        let mut params: Vec<String> = c.depth.iter().map(|_| "unsigned depth".to_string()).collect();
        for (i, ty) in c.params.iter().enumerate() {
            params.push(format!("{} y{i}", ty.name));
            self.names.places.push(Place { text: format!("y{i}"), ty: *ty, addressable: true });
        }
        if let Some(ty) = c.pointer {
            params.push(format!("{} *q", ty.name));
            self.names.pointers.push(("q".into(), ty));
        }
        let params = if params.is_empty() { "void".into() } else { params.join(", ") };
        self.line(format!("static {} {}({params}) {{", c.result.name, c.name));
        self.indent += 1;
    }

    pub(super) fn end(&mut self, c: &Callable) {
        let value = self.expr(c.result, 2);
        self.line(format!("return {value};"));
        self.indent -= 1;
        self.line("}");
        self.functions.push(c.clone());
    }

    pub(super) fn run(&mut self) {
        self.names = self.globals.clone();
        self.once = true;
        self.line("static unsigned @run(void) {");
        self.indent += 1;
        if self.inputs == Inputs::Nibble {
            self.line("unsigned in = __VERIFIER_nondet_uint() & 15;");
            self.names.places.push(Place { text: "in".into(), ty: UNSIGNED, addressable: true });
        }
        self.locals();
        self.nesting = 0;
        self.calls = 6;
        for _ in 0..self.random.between(3, 7) {
            self.statement();
        }
        for f in self.functions.clone() {
            if let Some(value) = self.call(&f, f.result) {
                self.mix(&value, f.result);
            }
            self.statement();
        }
        if let Some((result, param)) = self.table {
            let (which, argument) = (self.index(2), self.expr(param, 1));
            self.mix(&format!("@table[{which}]({argument})"), result);
        }
        for p in self.names.places.clone() {
            self.mix(&p.text, p.ty);
        }
        for a in self.names.arrays.clone() {
            let element = format!("{}[{}]", a.text, self.random.below(a.len));
            self.mix(&element, a.ty);
        }
        self.line("return @crc;");
        self.indent -= 1;
        self.line("}");
    }
}
