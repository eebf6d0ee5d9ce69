//! Programs in the style of hardware models that were converted to C: tens of states of 8 and 16 bits, a loop of a few cycles, whose body
//! computes wires from inputs and states, one assignment each, and then the next states.
//!
//! Two properties distinguish them from other programs. Hundreds of variables are alive at the same time, so that maps of variables have
//! several levels. And there are joins of paths after which few variables differ: each choice between constants is one, and each reset of a
//! few states.

use super::{Generator, Inputs};

/// Number of inputs of a cycle.
const INPUTS: usize = 5;

/// A variable: its name, and its width in bits.
#[derive(Clone)]
struct Variable {
    name: String,
    bits: u32,
}

impl Variable {
    fn ty(&self) -> &'static str {
        if self.bits == 8 { "unsigned char" } else { "unsigned short" }
    }
}

impl Generator {
    /// A function `run` that simulates a random model for a few cycles and combines some of its states.
    pub(super) fn hardware_model(mut self) -> String {
        let states: Vec<Variable> = (0..self.random.between(40, 150)).map(|i| self.variable(format!("s{i}"))).collect();
        let cycles = self.random.between(1, 4);
        // Some models are mostly wired to constants.
        let constant = self.random.pick(&[50, 6, 2]);
        self.line("unsigned @run(void) {");
        self.indent = 1;
        if self.inputs == Inputs::Nibble {
            self.line("unsigned nibble = __VERIFIER_nondet_uchar() & 15U;");
        }
        for s in &states {
            let value = match self.random.below(12) {
                0..8 => "0".to_string(),
                8 | 9 => "1".to_string(),
                10 => self.random.below(256).to_string(),
                _ => self.outside(3),
            };
            self.line(format!("{} {} = {value};", s.ty(), s.name));
        }
        self.line("int cycle = 0;");
        self.line(format!("for (; cycle < {cycles};) {{"));
        self.indent = 2;
        self.line("cycle++;");
        let mut wires: Vec<Variable> = Vec::new();
        for i in 0..INPUTS {
            let wire = Variable { name: format!("v{i}"), bits: 8 };
            let value = self.outside(i);
            self.line(format!("{} {} = {value};", wire.ty(), wire.name));
            wires.push(wire);
        }
        let last = wires.len() + self.random.between(30, 200);
        while wires.len() < last {
            let first = wires.len();
            if self.random.one_in(5) {
                self.chain(&states, &mut wires);
                continue;
            }
            let wire = self.variable(format!("v{first}"));
            let value = match self.random.one_in(constant) {
                true => self.random.below(2).to_string(),
                false => self.wire(&states, &wires),
            };
            self.line(format!("{} {} = {value};", wire.ty(), wire.name));
            wires.push(wire);
        }
        if self.random.one_in(3) {
            // A condition that ends the run, like an assumption about the environment.
            let (a, k) = (self.recent(&wires), self.random.below(300));
            self.line(format!("if ({} == {k}) return 999U;", a.name));
        }
        for s in &states {
            let next = if self.random.one_in(8) { self.operand(&states, &wires) } else { self.recent(&wires).name };
            self.line(format!("{} = {next};", s.name));
        }
        // A reset of some states.
        for _ in 0..self.random.between(0, 4) {
            let (flag, some) = (self.recent(&wires).name, self.random.between(1, 6));
            let resets: Vec<String> =
                (0..some).map(|_| format!("{} = {};", self.random.pick(&states).name, self.random.below(20))).collect();
            self.line(format!("if ({flag}) {{ {} }}", resets.join(" ")));
        }
        self.indent = 1;
        self.line("}");
        let shown: Vec<String> = (0..self.random.between(2, 12))
            .map(|i| format!("((unsigned){} << {})", self.random.pick(&states).name, i))
            .collect();
        self.line(format!("return {};", shown.join(" ^ ")));
        self.indent = 0;
        self.line("}");
        self.out
    }

    fn variable(&mut self, name: String) -> Variable {
        Variable { name, bits: self.random.pick(&[8, 8, 8, 16]) }
    }

    /// A value from outside for the input number `i` of a cycle.
    fn outside(&mut self, i: usize) -> String {
        match self.inputs {
            Inputs::None => self.random.below(16).to_string(),
            Inputs::Nibble => format!("(nibble >> {}) & {}U", i % 4, self.random.pick(&[1, 1, 3, 15])),
            Inputs::Free => format!("__VERIFIER_nondet_uchar() & {}U", self.random.pick(&[1, 1, 3, 15, 255])),
        }
    }

    /// A wire: an input (they come first), a recent one, or any.
    fn recent(&mut self, wires: &[Variable]) -> Variable {
        let all = match self.random.below(6) {
            0 | 1 => &wires[..wires.len().min(INPUTS)],
            2 | 3 => &wires[wires.len().saturating_sub(15)..],
            _ => wires,
        };
        self.random.pick(all)
    }

    /// A wire, a state, or rarely a constant.
    fn operand(&mut self, states: &[Variable], wires: &[Variable]) -> String {
        match self.random.below(10) {
            0 => self.random.pick(&[0, 0, 1, 2, 3, 7, 15, 255]).to_string(),
            1..5 => self.random.pick(states).name.clone(),
            _ => self.recent(wires).name,
        }
    }

    fn wire(&mut self, states: &[Variable], wires: &[Variable]) -> String {
        let [a, b, c] = [(); 3].map(|()| self.operand(states, wires));
        match self.random.below(16) {
            0 => format!("{a} == {b}"),
            1 => format!("{a} != 0"),
            2 => format!("{a} {} {b}", self.random.pick(&["<", ">", "<=", ">="])),
            3 => format!("~(unsigned){a} & 1U"),
            4 => format!("(unsigned){a} & {}U", self.random.pick(&[1, 3, 15, 63, 255])),
            5 => format!("({a} >> {}) & 1U", self.random.below(8)),
            6 => format!("(unsigned){a} + (unsigned){b}"),
            7 => format!("(unsigned){a} {} (unsigned){b}", self.random.pick(&["-", "^", "+"])),
            8 | 9 => format!("(unsigned){a} {} (unsigned){b}", self.random.pick(&["&", "|"])),
            10 => format!("(unsigned){a} << {}", self.random.below(5)),
            11 => format!("{a} {} {b}", self.random.pick(&["&&", "||"])),
            12 | 13 => format!("{a} ? {b} : {c}"),
            _ => format!("{a} ? {}U : {}U", self.random.below(20), self.random.below(20)),
        }
    }

    /// The C code of a decoder of addresses: a chain of choices between states, each with a comparison of its own.
    fn chain(&mut self, states: &[Variable], wires: &mut Vec<Variable>) {
        let address = self.operand(states, wires);
        let mut before = self.operand(states, wires);
        for i in 0..self.random.between(2, 8) {
            let flag = Variable { name: format!("v{}", wires.len()), bits: 8 };
            self.line(format!("{} {} = {address} == {i};", flag.ty(), flag.name));
            wires.push(flag.clone());
            let wire = self.variable(format!("v{}", wires.len()));
            let state = self.random.pick(states).name.clone();
            self.line(format!("{} {} = {} ? {state} : {before};", wire.ty(), wire.name, flag.name));
            before = wire.name.clone();
            wires.push(wire);
        }
    }
}
