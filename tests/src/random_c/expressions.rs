//! Expressions of generated programs, addresses and indices.

use super::{Callable, Generator, INPUT_FUNCTIONS, INT, Inputs, Int, Place, UNSIGNED};

impl Generator {
    pub(super) fn constant(&mut self, ty: Int) -> String {
        let value = match self.random.below(5) {
            0 => 0,
            1 => 1,
            2 => self.random.below(100) as u64,
            3 => (1u64 << self.random.below(64)).wrapping_sub(self.random.below(2) as u64),
            _ => self.random.word(),
        };
        let value = if ty.bits < 64 { value & ((1 << ty.bits) - 1) } else { value };
        format!("({}){value}{}", ty.name, if ty.bits == 64 || value > 0xFFFF_FFFF { "ULL" } else { "u" })
    }

    pub(super) fn leaf(&mut self, ty: Int) -> String {
        match self.random.below(8) {
            0..2 => self.constant(ty),
            2 if !self.names.counters.is_empty() => {
                format!("({}){}", ty.name, self.random.pick(&self.names.counters))
            }
            3 if self.inputs == Inputs::Free && self.nesting < 2 => {
                if self.watched {
                    return self.watched_input(ty);
                }
                let (name, _) = self.random.pick(&INPUT_FUNCTIONS[..8]);
                format!("({})__VERIFIER_nondet_{name}()", ty.name)
            }
            4 if !self.names.pointers.is_empty() => {
                let (p, _) = self.random.pick(&self.names.pointers);
                format!("({})*{p}", ty.name)
            }
            _ if self.names.places.is_empty() => self.constant(ty),
            _ => {
                let p = self.random.pick(&self.names.places);
                format!("({}){}", ty.name, p.text)
            }
        }
    }

    /// An expression whose value is of type `ty` (after promotion).
    pub(super) fn expr(&mut self, ty: Int, depth: usize) -> String {
        if depth == 0 || self.random.one_in(5) {
            return self.leaf(ty);
        }
        let d = depth - 1;
        let (name, wide) = (ty.name, ty.wide());
        match self.random.below(17) {
            0..4 => {
                let op = self.random.pick(&["+", "-", "&", "|", "^", "+"]);
                let (a, b) = (self.expr(ty, d), self.expr(ty, d));
                format!("({name})(({wide}){a} {op} ({wide}){b})")
            }
            4 => {
                let (a, b) = (self.expr(ty, d), self.constant(ty));
                format!("({name})(({wide}){a} * ({wide}){b})")
            }
            5 | 6 if ty.bits > 1 => {
                let (a, b) = (self.expr(ty, d), self.expr(UNSIGNED, d));
                let by = format!("({b} & {})", ty.bits - 1);
                if self.random.one_in(2) {
                    format!("({name})(({wide}){a} << {by})")
                } else {
                    format!("({name})({a} >> {by})")
                }
            }
            7 => {
                let (a, b, op) = (self.expr(ty, d), self.leaf(ty), self.random.pick(&["div", "rem"]));
                format!("({name})@{op}_{}({a}, {b})", ty.promoted())
            }
            8 | 9 => {
                let t = self.ty();
                let op = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
                let (a, b) = (self.expr(t, d), self.expr(t, d));
                format!("({name})({a} {op} {b})")
            }
            10 => {
                let op = self.random.pick(&["&&", "||"]);
                let (a, b) = (self.expr(INT, d), self.expr(INT, d));
                format!("({name})({a} {op} {b})")
            }
            11 => {
                let (c, a, b) = (self.expr(INT, d), self.expr(ty, d), self.expr(ty, d));
                format!("({name})({c} ? {a} : {b})")
            }
            12 => match self.random.below(3) {
                0 => format!("({name})!{}", self.expr(ty, d)),
                1 => format!("({name})~{}", self.expr(ty, d)),
                _ => format!("({name})-({wide}){}", self.expr(ty, d)),
            },
            13 => {
                let t = self.ty();
                format!("({name}){}", self.expr(t, d))
            }
            14 if !self.functions.is_empty() && self.calls > 0 && self.nesting < 2 => {
                let f = self.random.pick(&self.functions);
                self.calls -= 1;
                self.call(&f, ty).unwrap_or_else(|| self.leaf(ty))
            }
            15 if !self.names.arrays.is_empty() => {
                let a = self.random.pick(&self.names.arrays);
                let index = self.index(a.len);
                format!("({name}){}[{index}]", a.text)
            }
            16 if self.random.one_in(3) => {
                let (a, b) = (self.expr(INT, d), self.leaf(INT));
                let op = self.random.pick(&["+", "-", "*"]);
                format!("({name})@to_int((double){a} {op} {b} * 0.25)")
            }
            16 => {
                let places: Vec<Place> =
                    self.names.places.iter().filter(|p| p.addressable && p.ty.bits > 1).cloned().collect();
                if places.is_empty() {
                    return self.leaf(ty);
                }
                let p = self.random.pick(&places);
                let index = self.index(p.ty.bits as usize / 8);
                format!("({name})((unsigned char *)&{})[{index}]", p.text)
            }
            _ => self.leaf(ty),
        }
    }

    /// A call, converted to `ty`; `None` if there is nothing to point to.
    pub(super) fn call(&mut self, f: &Callable, ty: Int) -> Option<String> {
        let mut args: Vec<String> = f.depth.iter().map(|n| n.to_string()).collect();
        for t in &f.params {
            args.push(self.expr(*t, 1));
        }
        if let Some(t) = f.pointer {
            args.push(self.address_of(t)?);
        }
        Some(format!("({}){}({})", ty.name, f.name, args.join(", ")))
    }

    pub(super) fn index(&mut self, len: usize) -> String {
        if self.random.one_in(3) {
            return self.random.below(len).to_string();
        }
        let e = self.expr(UNSIGNED, 1);
        format!("{e} & {}", len - 1)
    }

    /// An address with the type of what is there.
    pub(super) fn address(&mut self) -> Option<(String, Int)> {
        let places: Vec<Place> = self.names.places.iter().filter(|p| p.addressable).cloned().collect();
        if !self.names.arrays.is_empty() && (places.is_empty() || self.random.one_in(3)) {
            let a = self.random.pick(&self.names.arrays);
            let index = self.index(a.len);
            return Some((format!("&{}[{index}]", a.text), a.ty));
        }
        (!places.is_empty()).then(|| {
            let p = self.random.pick(&places);
            (format!("&{}", p.text), p.ty)
        })
    }

    /// An address of something of type `ty`.
    pub(super) fn address_of(&mut self, ty: Int) -> Option<String> {
        (0..6).find_map(|_| self.address().filter(|(_, t)| *t == ty).map(|(text, _)| text))
    }
}
