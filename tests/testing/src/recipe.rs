//! Recipes: random terms for tests that compare the semantics of terms in folding, evaluation and solvers.
//!
//! A recipe is a list of operators over leaves with values. It can be built by the constructors over constants (everything
//! folds), over symbols (everything is rewritten, but values are unknown) or over raw nodes of a solver, and its value can be
//! computed operator by operator. All of these must agree. Generation is deterministic in the seed.

use crate::Random;
use cfa::bv::{BvCmp, BvOp};
use cfa::eval::{ArrayValue, Value, apply};
use cfa::float::{FloatOp, Format, Rounding};
use cfa::term::{Kind, Leaf};
use cfa::{Sort, SymId, Term, Terms};
use rustc_hash::FxHashMap;

/// A leaf of a recipe.
#[derive(Clone, Debug)]
pub struct Ingredient {
    /// Its value, which also determines its sort.
    pub value: Value,
    /// Whether it is a constant in every way of building the recipe.
    pub constant: bool,
}

/// An operator of a recipe.
#[derive(Clone, Debug)]
pub struct Step {
    /// The function symbol.
    pub kind: Kind,
    /// Positions of the arguments, counting ingredients first, then earlier steps.
    pub args: Vec<usize>,
    /// The sort of the result.
    pub sort: Sort,
}

/// The kinds of operators that a recipe may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Menu {
    /// Bool and bit-vectors.
    Bits,
    /// Bool and bit-vectors, mostly of up to 8 bits.
    FewBits,
    /// Bool, bit-vectors and memories.
    Memory,
    /// Bool, bit-vectors and floats of the format.
    Floats(Format),
    /// Bool, bit-vectors, memories without block copies (whose models Z3 gives as functions beside floats), and floats of the format.
    MemoryAndFloats(Format),
}

impl Menu {
    fn has_memories(self) -> bool {
        matches!(self, Menu::Memory | Menu::MemoryAndFloats(_))
    }

    fn floats(self) -> Option<Format> {
        match self {
            Menu::Floats(f) | Menu::MemoryAndFloats(f) => Some(f),
            _ => None,
        }
    }
}

/// A term, given as leaves and operators.
#[derive(Clone, Debug, Default)]
pub struct Recipe {
    /// The leaves. Constants among them are bit-vectors.
    pub ingredients: Vec<Ingredient>,
    /// The operators; the last one is the root.
    pub steps: Vec<Step>,
}

/// The result of building a recipe over symbols.
pub struct Built {
    /// The terms of all positions; the last is the root.
    pub terms: Vec<Term>,
    /// The values of the symbols.
    pub model: FxHashMap<SymId, Value>,
}

impl Built {
    /// The value of a leaf.
    pub fn leaf(&self, leaf: Leaf) -> Option<Value> {
        match leaf {
            Leaf::Sym(s) => self.model.get(&s).cloned(),
            Leaf::Var(_) | Leaf::Addr(_) => None,
        }
    }
}

impl Recipe {
    /// The values of all positions, computed operator by operator. `None` if an operator cannot be computed.
    pub fn values(&self) -> Option<Vec<Value>> {
        let mut values: Vec<Value> = self.ingredients.iter().map(|i| i.value.clone()).collect();
        for step in &self.steps {
            let args = step.args.iter().map(|&i| values[i].clone()).collect();
            values.push(apply(step.kind, args, step.sort)?);
        }
        Some(values)
    }

    /// The terms of all positions, made by the constructors over what `leaf` makes of the ingredients.
    pub fn build(&self, terms: &mut Terms, mut leaf: impl FnMut(&mut Terms, &Ingredient) -> Term) -> Vec<Term> {
        let leaves = self.ingredients.iter().map(|i| leaf(terms, i)).collect();
        self.continued(terms, leaves, Terms::make)
    }

    /// The terms of all positions as in the recipe, without simplification, over the terms of the ingredients.
    pub fn build_plain(&self, terms: &mut Terms, leaves: &[Term]) -> Vec<Term> {
        self.continued(terms, leaves[..self.ingredients.len()].to_vec(), Terms::plain)
    }

    /// The terms of the ingredients, followed by what `make` makes of the steps.
    fn continued(
        &self,
        terms: &mut Terms,
        leaves: Vec<Term>,
        make: impl Fn(&mut Terms, Kind, &[Term], Sort) -> Term,
    ) -> Vec<Term> {
        let mut built = leaves;
        for step in &self.steps {
            let args: Vec<Term> = step.args.iter().map(|&i| built[i]).collect();
            built.push(make(terms, step.kind, &args, step.sort));
        }
        built
    }

    /// The terms over constants.
    pub fn build_folded(&self, terms: &mut Terms) -> Vec<Term> {
        self.build(terms, |terms, i| constant(terms, &i.value))
    }

    /// The terms over symbols for all ingredients that are not constant.
    pub fn build_symbolic(&self, terms: &mut Terms) -> Built {
        let mut model = FxHashMap::default();
        let built = self.build(terms, |terms, i| {
            if i.constant {
                return constant(terms, &i.value);
            }
            let s = terms.fresh_sym("x", i.value.sort());
            model.insert(s, i.value.clone());
            terms.sym(s)
        });
        Built { terms: built, model }
    }
}

/// `value` as a term without symbols.
pub fn constant(terms: &mut Terms, value: &Value) -> Term {
    match value {
        Value::Bool(b) => terms.bool(*b),
        Value::Bv(v) => terms.constant(v),
        Value::Array(a) => {
            // Generated memories have a background of one piece.
            let background = terms.constant(&a.background()[0].1);
            let mut m = terms.const_array(a.index_bits(), background);
            for (address, v) in a.cells() {
                let at = terms.int(a.index_bits(), address);
                let v = terms.constant(&v);
                m = terms.write(m, at, v);
            }
            m
        }
    }
}

/// A generator of recipes.
struct Generator {
    rng: Random,
    menu: Menu,
    recipe: Recipe,
    /// The sorts of all positions.
    sorts: Vec<Sort>,
    /// The widths among which operators choose, in bits.
    widths: Vec<u32>,
    /// The sort of memories.
    memory: Sort,
}

/// A random recipe of about `size` operators with a root of any sort.
pub fn random(seed: u64, menu: Menu, size: usize) -> Recipe {
    let mut rng = Random::new(seed);
    let mut widths = vec![1 + rng.below(70) as u32, 1 + rng.below(16) as u32, rng.pick(&[1, 8, 32, 64])];
    let index = rng.pick(&[8, 8, 16, 32, 64]);
    let elem = rng.pick(&[8, 8, 8, 16, 32]);
    match menu {
        Menu::Memory => widths.extend([elem, index, elem * 2]),
        Menu::Floats(f) => widths.extend([f.width_bits(), f.width_bits()]),
        Menu::MemoryAndFloats(f) => widths = vec![elem, index, f.width_bits(), f.width_bits()],
        Menu::FewBits => widths = vec![1 + rng.below(8) as u32, 1 + rng.below(4) as u32, 8],
        Menu::Bits => {}
    }
    let memory = Sort::Array { index, elem };
    let mut generator = Generator { rng, menu, recipe: Recipe::default(), sorts: Vec::new(), widths, memory };
    // Ingredients first, since positions count them before the steps.
    generator.add_leaves();
    for _ in 0..size {
        generator.step();
    }
    generator.recipe
}

impl Generator {
    /// Adds ingredients of all sorts that steps may need.
    fn add_leaves(&mut self) {
        self.ingredient(Value::Bool(true), false);
        self.ingredient(Value::Bool(false), false);
        let widths = self.widths.clone();
        for w in widths {
            for constant in [false, false, true] {
                let v = match self.menu.floats() {
                    Some(f) if f.width_bits() == w => self.rng.float_bits(f),
                    _ => self.rng.bits(w),
                };
                self.ingredient(Value::Bv(v), constant);
            }
        }
        if self.menu.has_memories() {
            let Sort::Array { index, elem } = self.memory else { return };
            for _ in 0..2 {
                let background = self.rng.bits(elem);
                let mut m = ArrayValue::constant(index, background);
                for _ in 0..self.rng.below(6) {
                    let at = self.rng.below(8) * u64::from(elem / 8);
                    let v = self.rng.bits(elem);
                    m.write(at, &v);
                }
                self.ingredient(Value::Array(m), false);
            }
        }
    }

    fn ingredient(&mut self, value: Value, constant: bool) {
        self.sorts.push(value.sort());
        self.recipe.ingredients.push(Ingredient { value, constant });
    }

    fn push(&mut self, kind: Kind, args: Vec<usize>, sort: Sort) -> usize {
        self.recipe.steps.push(Step { kind, args, sort });
        self.sorts.push(sort);
        self.sorts.len() - 1
    }

    /// A position of sort `sort`, preferably a recent one.
    fn operand(&mut self, sort: Sort) -> usize {
        let all: Vec<usize> = (0..self.sorts.len()).filter(|&i| self.sorts[i] == sort).collect();
        if !all.is_empty() {
            let recent = &all[all.len().saturating_sub(4)..];
            return if self.rng.one_in(2) { self.rng.pick(recent) } else { self.rng.pick(&all) };
        }
        let w = sort.width();
        let bits: Vec<usize> = (0..self.sorts.len()).filter(|&i| matches!(self.sorts[i], Sort::Bv(_))).collect();
        let from = self.rng.pick(&bits);
        let have = self.sorts[from].width();
        if have > w {
            let lo = self.rng.below(u64::from(have - w) + 1) as u32;
            self.push(Kind::Extract { hi: lo + w - 1, lo }, vec![from], sort)
        } else {
            let kind = self.rng.pick(&[Kind::Zext, Kind::Sext]);
            self.push(kind, vec![from], sort)
        }
    }

    fn width(&mut self) -> u32 {
        let widths = self.widths.clone();
        self.rng.pick(&widths)
    }

    fn step(&mut self) {
        match (self.menu, self.rng.below(3)) {
            (Menu::Memory, 0 | 1) => self.memory_step(),
            (Menu::MemoryAndFloats(_), 0) => self.memory_step(),
            (Menu::Floats(f), 0 | 1) | (Menu::MemoryAndFloats(f), 1) => self.float_step(f),
            _ => self.bits_step(),
        }
    }

    fn bits_step(&mut self) {
        let w = self.width();
        let sort = Sort::Bv(w);
        match self.rng.below(16) {
            0..=4 => {
                let op = self.rng.pick(&BvOp::ALL);
                let (a, b) = (self.operand(sort), self.operand(sort));
                self.push(Kind::Bv(op), vec![a, b], sort);
            }
            5 | 6 => {
                let cmp = self.rng.pick(&BvCmp::ALL);
                let (a, b) = (self.operand(sort), self.operand(sort));
                self.push(Kind::Cmp(cmp), vec![a, b], Sort::Bool);
            }
            7 | 8 => {
                let sort = if self.rng.one_in(4) { Sort::Bool } else { sort };
                let (a, b) = (self.operand(sort), self.operand(sort));
                self.push(Kind::Eq, vec![a, b], Sort::Bool);
            }
            9 | 10 => {
                let sort = if self.rng.one_in(3) { Sort::Bool } else { sort };
                let (c, a, b) = (self.operand(Sort::Bool), self.operand(sort), self.operand(sort));
                self.push(Kind::Ite, vec![c, a, b], sort);
            }
            11 => {
                let kind = self.rng.pick(&[Kind::And, Kind::Or]);
                let (a, b) = (self.operand(Sort::Bool), self.operand(Sort::Bool));
                self.push(kind, vec![a, b], Sort::Bool);
            }
            12 => {
                let a = self.operand(Sort::Bool);
                self.push(Kind::Not, vec![a], Sort::Bool);
            }
            13 => {
                let kind = self.rng.pick(&[Kind::BvNot, Kind::BvNeg]);
                let a = self.operand(sort);
                self.push(kind, vec![a], sort);
            }
            14 => {
                let a = self.operand(sort);
                let lo = self.rng.below(u64::from(w)) as u32;
                let hi = lo + self.rng.below(u64::from(w - lo)) as u32;
                self.push(Kind::Extract { hi, lo }, vec![a], Sort::Bv(hi - lo + 1));
            }
            _ => {
                let kind = self.rng.pick(&[Kind::Concat, Kind::Zext, Kind::Sext]);
                let a = self.operand(sort);
                if kind == Kind::Concat {
                    let low = self.width();
                    let b = self.operand(Sort::Bv(low));
                    self.push(kind, vec![a, b], Sort::Bv(w + low));
                } else {
                    let extra = self.rng.below(20) as u32;
                    self.push(kind, vec![a], Sort::Bv(w + extra));
                }
            }
        }
    }

    /// The position of a term that has the value `value`.
    fn number(&mut self, width: u32, value: u64) -> usize {
        // Ingredients cannot be added after steps, so the constant is computed, starting from x - x.
        let x = self.operand(Sort::Bv(width));
        let zero = self.push(Kind::Bv(BvOp::Sub), vec![x, x], Sort::Bv(width));
        let mut at = zero;
        let one = {
            let ones = self.push(Kind::BvNot, vec![zero], Sort::Bv(width));
            self.push(Kind::BvNeg, vec![ones], Sort::Bv(width))
        };
        for _ in 0..value {
            at = self.push(Kind::Bv(BvOp::Add), vec![at, one], Sort::Bv(width));
        }
        at
    }

    /// An address close to others: a multiple of the cell size.
    fn address(&mut self, index: u32, elem: u32) -> usize {
        let base = self.operand(Sort::Bv(index));
        let offset = self.rng.below(5);
        let k = self.number(index, offset);
        let sum = self.push(Kind::Bv(BvOp::Add), vec![base, k], Sort::Bv(index));
        if elem == 8 {
            return sum;
        }
        let shift = self.number(index, u64::from((elem / 8).trailing_zeros()));
        self.push(Kind::Bv(BvOp::Shl), vec![sum, shift], Sort::Bv(index))
    }

    fn memory_step(&mut self) {
        let Sort::Array { index, elem } = self.memory else { return };
        let (m, cells) = (self.operand(self.memory), 1 + self.rng.below(4) as u32);
        match self.rng.below(10) {
            0..=3 => {
                let at = self.address(index, elem);
                self.push(Kind::Read, vec![m, at], Sort::Bv(elem * cells));
            }
            4..=6 => {
                let (at, v) = (self.address(index, elem), self.operand(Sort::Bv(elem * cells)));
                self.push(Kind::Write, vec![m, at, v], self.memory);
            }
            7 => {
                let (c, other) = (self.operand(Sort::Bool), self.operand(self.memory));
                self.push(Kind::Ite, vec![c, m, other], self.memory);
            }
            8 if self.menu.floats().is_none() => {
                let src = if self.rng.one_in(3) {
                    let v = self.operand(Sort::Bv(elem));
                    self.push(Kind::ConstArray, vec![v], self.memory)
                } else {
                    self.operand(self.memory)
                };
                let (to, from) = (self.address(index, elem), self.address(index, elem));
                let len = if self.rng.one_in(3) {
                    self.address(index, elem)
                } else {
                    let n = self.rng.below(20);
                    self.number(index, n * u64::from(elem / 8))
                };
                self.push(Kind::Copy, vec![m, to, src, from, len], self.memory);
            }
            // Equality compares cells between multiples, whose content is left open, so it is used for byte cells
            // only.
            _ if elem == 8 && self.rng.one_in(4) => {
                let other = self.operand(self.memory);
                self.push(Kind::Eq, vec![m, other], Sort::Bool);
            }
            _ => self.bits_step(),
        }
    }

    fn float_step(&mut self, format: Format) {
        const ROUNDINGS: [Rounding; 5] =
            [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::Zero];
        const FORMATS: [Format; 6] =
            [Format::Half, Format::BFloat, Format::Single, Format::Double, Format::X87, Format::Quad];
        let sort = Sort::Bv(format.width_bits());
        let (a, b) = (self.operand(sort), self.operand(sort));
        let (op, args, result) = match self.rng.below(14) {
            0 => (FloatOp::Add, vec![a, b], sort),
            1 => (FloatOp::Sub, vec![a, b], sort),
            2 => (FloatOp::Mul, vec![a, b], sort),
            3 => (FloatOp::Div, vec![a, b], sort),
            4 => (FloatOp::Fma, vec![a, b, self.operand(sort)], sort),
            5 => (FloatOp::Sqrt, vec![a], sort),
            6 => (FloatOp::Round(self.rng.pick(&ROUNDINGS)), vec![a], sort),
            7 => (FloatOp::Eq, vec![a, b], Sort::Bool),
            8 => (FloatOp::Lt, vec![a, b], Sort::Bool),
            9 => (FloatOp::Le, vec![a, b], Sort::Bool),
            10 => {
                let to = self.rng.pick(&FORMATS);
                (FloatOp::Convert(to), vec![a], Sort::Bv(to.width_bits()))
            }
            11 => {
                let op = self.rng.pick(&[FloatOp::ToSigned, FloatOp::ToUnsigned]);
                (op, vec![a], Sort::Bv(self.width().max(2)))
            }
            12 => {
                let w = self.width();
                let op = self.rng.pick(&[FloatOp::FromSigned, FloatOp::FromUnsigned]);
                (op, vec![self.operand(Sort::Bv(w))], sort)
            }
            _ => (FloatOp::Rem, vec![a, b], sort),
        };
        let op = if self.rng.one_in(3) { op.rounded(self.rng.pick(&ROUNDINGS)) } else { op };
        self.push(Kind::Float(op, format), args, result);
    }
}
