//! Gates over Boolean inputs: conjunctions and inverters, and in addition exclusive or, choice and majority.
//!
//! This is an and-inverter graph whose other gates keep the clauses of adders and choices small (XOR-majority graphs:
//! Haaswijk, Soeken, Amarù, Gaillardon, De Micheli, ASP-DAC 2017). Each gate exists once; constants fold, and a conjunction
//! is simplified by looking at the gates of its two arguments (Brummayer, Biere: Local two-level and-inverter graph
//! minimization without blowup, MEMICS 2006).

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::ops::Not;

/// The output of a gate, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lit(u32);

impl Lit {
    /// The constant `false`.
    pub const FALSE: Lit = Lit(0);
    /// The constant `true`.
    pub const TRUE: Lit = Lit(1);

    /// The constant `b`.
    pub fn constant(b: bool) -> Lit {
        Lit(u32::from(b))
    }

    /// The output of gate `gate`.
    pub fn positive(gate: u32) -> Lit {
        Lit(gate << 1)
    }

    /// The gate's number.
    pub fn gate(self) -> u32 {
        self.0 >> 1
    }

    /// Whether it is the negation of the gate.
    pub fn negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Its value, if it is a constant.
    pub fn as_constant(self) -> Option<bool> {
        (self.gate() == 0).then(|| self.negated())
    }

    /// The literal, negated if `b`.
    pub fn flip_if(self, b: bool) -> Lit {
        Lit(self.0 ^ u32::from(b))
    }
}

impl Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// The function of a gate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Gate {
    /// The constant `false`: gate 0.
    False,
    /// A free input.
    Input,
    /// Conjunction; the first argument is the smaller one.
    And(Lit, Lit),
    /// Exclusive or of two arguments, neither of them negated; the first is the smaller one.
    Xor(Lit, Lit),
    /// If the first argument then the second, else the third; the first two are not negated.
    Mux(Lit, Lit, Lit),
    /// Whether at least two of three arguments hold; they are in ascending order, and the first is not negated.
    Maj(Lit, Lit, Lit),
}

/// An arena of gates. Arguments have smaller indices than the gates that use them.
pub struct Graph {
    gates: Vec<Gate>,
    /// The number of uses of each gate, up to 255.
    uses: Vec<u8>,
    index: FxHashMap<Gate, u32>,
}

impl Default for Graph {
    fn default() -> Graph {
        Graph::new()
    }
}

impl Graph {
    /// A graph with the constant only.
    pub fn new() -> Graph {
        Graph { gates: vec![Gate::False], uses: vec![0], index: FxHashMap::default() }
    }

    /// The number of gates.
    pub(crate) fn len(&self) -> usize {
        self.gates.len()
    }

    /// The gate with this index.
    pub fn gate(&self, i: u32) -> Gate {
        self.gates[i as usize]
    }

    /// The arguments of the gate with this index.
    pub fn args(&self, i: u32) -> SmallVec<[Lit; 3]> {
        match self.gate(i) {
            Gate::False | Gate::Input => smallvec![],
            Gate::And(a, b) | Gate::Xor(a, b) => smallvec![a, b],
            Gate::Mux(a, b, c) | Gate::Maj(a, b, c) => smallvec![a, b, c],
        }
    }

    /// Whether exactly one gate uses this one.
    pub(crate) fn used_once(&self, i: u32) -> bool {
        self.uses[i as usize] == 1
    }

    /// A new input.
    pub fn input(&mut self) -> Lit {
        self.gates.push(Gate::Input);
        self.uses.push(0);
        Lit::positive(self.gates.len() as u32 - 1)
    }

    fn intern(&mut self, gate: Gate) -> Lit {
        if let Some(&i) = self.index.get(&gate) {
            return Lit::positive(i);
        }
        let i = self.gates.len() as u32;
        self.gates.push(gate);
        self.uses.push(0);
        self.index.insert(gate, i);
        for l in self.args(i) {
            let n = &mut self.uses[l.gate() as usize];
            *n = n.saturating_add(1);
        }
        Lit::positive(i)
    }

    /// Conjunction.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        if a == Lit::TRUE || a == b {
            return b;
        }
        if let Some(l) = self.and_one(a, b) {
            return l;
        }
        if let Some(l) = self.and_one(b, a) {
            return l;
        }
        if let Some(l) = self.and_two(a, b) {
            return l;
        }
        self.intern(Gate::And(a, b))
    }

    /// `a & b`, simplified by what `b` implies for the arguments of the gate of `a`.
    fn and_one(&mut self, a: Lit, b: Lit) -> Option<Lit> {
        let negated = a.negated();
        match self.gate(a.gate()) {
            Gate::And(x, y) if negated => {
                if b == !x || b == !y {
                    return Some(b);
                }
                let other = if b == x { y } else { x };
                (b == x || b == y).then(|| self.and(b, !other))
            }
            Gate::And(x, y) => {
                if b == x || b == y {
                    return Some(a);
                }
                (b == !x || b == !y).then_some(Lit::FALSE)
            }
            Gate::Xor(x, y) if b.gate() == x.gate() || b.gate() == y.gate() => {
                let other = if b.gate() == x.gate() { y } else { x };
                // Where `b` holds, `a` is the other argument or its negation.
                Some(self.and(b, other.flip_if(!b.negated()).flip_if(negated)))
            }
            Gate::Mux(c, t, e) if b.gate() == c.gate() => {
                let chosen = if b == c { t } else { e };
                Some(self.and(b, chosen.flip_if(negated)))
            }
            _ => None,
        }
    }

    /// The conjunction of two conjunctions or their negations, if they share arguments.
    fn and_two(&mut self, a: Lit, b: Lit) -> Option<Lit> {
        let (Gate::And(x, y), Gate::And(u, v)) = (self.gate(a.gate()), self.gate(b.gate())) else { return None };
        let opposite = x == !u || x == !v || y == !u || y == !v;
        match (a.negated(), b.negated()) {
            (false, false) => opposite.then_some(Lit::FALSE),
            (true, false) => self.and_mixed((x, y), (u, v), b, opposite),
            (false, true) => self.and_mixed((u, v), (x, y), a, opposite),
            (true, true) => {
                if (x == !u && y == !v) || (x == !v && y == !u) {
                    return Some(self.xor(x, y));
                }
                // !(x & y) & !(x & !y) = !x.
                if (x == u && y == !v) || (x == v && y == !u) {
                    return Some(!x);
                }
                ((y == u && x == !v) || (y == v && x == !u)).then_some(!y)
            }
        }
    }

    /// `!(x & y) & b` for `b = u & v`.
    fn and_mixed(&mut self, (x, y): (Lit, Lit), (u, v): (Lit, Lit), b: Lit, opposite: bool) -> Option<Lit> {
        if opposite {
            return Some(b);
        }
        if x == u || x == v {
            return Some(self.and(b, !y));
        }
        (y == u || y == v).then(|| self.and(b, !x))
    }

    /// Disjunction.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// Exclusive or.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let negated = a.negated() != b.negated();
        let (a, b) = (Lit::positive(a.gate()), Lit::positive(b.gate()));
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == b {
            return Lit::constant(negated);
        }
        if a == Lit::FALSE {
            return b.flip_if(negated);
        }
        if let Some(l) = self.xor_one(a, b).or_else(|| self.xor_one(b, a)) {
            return l.flip_if(negated);
        }
        self.intern(Gate::Xor(a, b)).flip_if(negated)
    }

    /// `a ^ b` where `b` is an argument of the gate of `a`; neither is negated.
    fn xor_one(&mut self, a: Lit, b: Lit) -> Option<Lit> {
        match self.gate(a.gate()) {
            Gate::Xor(x, y) if x == b => Some(y),
            Gate::Xor(x, y) if y == b => Some(x),
            // (b & y) ^ b = b & !y, (!b & y) ^ b = b | y.
            Gate::And(x, y) if x.gate() == b.gate() || y.gate() == b.gate() => {
                let (own, other) = if x.gate() == b.gate() { (x, y) } else { (y, x) };
                Some(if own == b { self.and(b, !other) } else { self.or(b, other) })
            }
            _ => None,
        }
    }

    /// Whether both are equal.
    pub fn same(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// If `c` then `t`, else `e`.
    pub fn mux(&mut self, c: Lit, t: Lit, e: Lit) -> Lit {
        if let Some(b) = c.as_constant() {
            return if b { t } else { e };
        }
        if t == e {
            return t;
        }
        let (c, t, e) = if c.negated() { (!c, e, t) } else { (c, t, e) };
        if t == !e {
            return self.xor(c, e);
        }
        if t == Lit::TRUE || t == c {
            return self.or(c, e);
        }
        if t == Lit::FALSE || t == !c {
            return self.and(!c, e);
        }
        if e == Lit::FALSE || e == c {
            return self.and(c, t);
        }
        if e == Lit::TRUE || e == !c {
            return self.or(!c, t);
        }
        if let Gate::Mux(inner, then, _) = self.gate(t.gate())
            && inner == c
        {
            return self.mux(c, then.flip_if(t.negated()), e);
        }
        if let Gate::Mux(inner, _, other) = self.gate(e.gate())
            && inner == c
        {
            return self.mux(c, t, other.flip_if(e.negated()));
        }
        let negated = t.negated();
        self.intern(Gate::Mux(c, t.flip_if(negated), e.flip_if(negated))).flip_if(negated)
    }

    /// Whether at least two of the three hold.
    pub fn maj(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut all = [a, b, c];
        all.sort_unstable();
        let [a, b, c] = all;
        if a == b || b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        match a {
            Lit::FALSE => self.and(b, c),
            Lit::TRUE => self.or(b, c),
            _ => {
                let negated = a.negated();
                let [a, b, c] = [a, b, c].map(|l| l.flip_if(negated));
                self.intern(Gate::Maj(a, b, c)).flip_if(negated)
            }
        }
    }

    /// The conjunction of all, as a balanced tree.
    pub fn and_all(&mut self, mut lits: Vec<Lit>) -> Lit {
        while lits.len() > 1 {
            lits = lits.chunks(2).map(|p| if let [a, b] = *p { self.and(a, b) } else { p[0] }).collect();
        }
        lits.first().copied().unwrap_or(Lit::TRUE)
    }

    /// The number of gates on which `lits` depend, up to `most`.
    pub(crate) fn cone_size(&self, lits: &[Lit], most: usize) -> usize {
        let mut seen = FixedBitSet::with_capacity(self.len());
        let mut stack: Vec<u32> = lits.iter().map(|l| l.gate()).collect();
        let mut size = 0;
        while let Some(i) = stack.pop().filter(|_| size < most) {
            if !seen.put(i as usize) {
                size += 1;
                stack.extend(self.args(i).iter().map(|l| l.gate()));
            }
        }
        size
    }
}
