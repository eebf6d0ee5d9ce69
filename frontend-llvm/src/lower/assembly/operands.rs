//! The operands of inline assembly, as its constraints describe them (LLVM's language reference, "Supported Constraint Code List").

/// Letters of constraints that say that an operand is a register.
const REGISTER: &str = "rqQRlabcdSD";

/// Letters of constraints that say that an operand is a constant from 0 up to a limit, which is the number of the highest bit of a word of
/// 32 or 64 bits or less (x86).
const INDEX: [(char, u32); 3] = [('I', 32), ('J', 64), ('M', 4)];

/// Letters of constraints that say that an operand is some other constant.
const CONSTANT: &str = "inKLNOZe";

/// Letters of constraints that say that an operand lies in memory.
const MEMORY: &str = "moV";

/// Letters of constraints that say that an operand may be anything.
const ANYTHING: &str = "gX";

/// Where a constraint lets the compiler put an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Allowed {
    /// Only into the text, as a constant.
    pub is_constant: bool,
    /// Only into a register.
    pub is_register: bool,
    /// Only into memory.
    pub is_in_memory: bool,
    /// If it is no constant that exceeds the indices of the bits of a word, the number of bits of the smallest such word.
    pub index_bits: Option<u32>,
}

impl Allowed {
    /// Only a register.
    pub(super) const REGISTER: Allowed =
        Allowed { is_constant: false, is_register: true, is_in_memory: false, index_bits: Some(0) };

    /// What these letters allow. `None` if one of them is not known.
    fn of_letters(letters: &str) -> Option<Allowed> {
        let index = |c: char| INDEX.iter().find(|(letter, _)| *letter == c).map(|(_, bits)| *bits);
        // A register is no constant.
        let limit = |c: char| if REGISTER.contains(c) { Some(0) } else { index(c) };
        let is_constant = |c: char| CONSTANT.contains(c) || index(c).is_some();
        let is_known = |c: char| is_constant(c) || [REGISTER, MEMORY, ANYTHING].iter().any(|l| l.contains(c));
        (!letters.is_empty() && letters.chars().all(is_known)).then(|| Allowed {
            is_constant: letters.chars().all(is_constant),
            is_register: letters.chars().all(|c| REGISTER.contains(c)),
            is_in_memory: letters.chars().all(|c| MEMORY.contains(c)),
            index_bits: letters.chars().map(limit).try_fold(0, |most, bits| Some(most.max(bits?))),
        })
    }
}

/// An operand of inline assembly. Its number in the text is its place among the outputs and inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Operand {
    pub is_output: bool,
    /// Whether it is written before all inputs have been read, so that it shares its register with none of them.
    pub is_early: bool,
    /// Whether the call passes its address: it lies in memory.
    pub is_indirect: bool,
    /// The output in whose register an input lies.
    pub tied: Option<usize>,
    /// The register in which it lies, if the constraint names one, without what says how much of it is meant.
    pub register: Option<String>,
    /// The condition that it is, such as `c` for the carry.
    pub flag: Option<String>,
    /// Where it may lie; `None` if its constraint says something that is not known.
    pub allowed: Option<Allowed>,
}

/// What the constraints of inline assembly say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Operands {
    /// The outputs, then the inputs.
    pub all: Vec<Operand>,
    /// Registers that it may change besides its outputs.
    pub clobbered: Vec<String>,
    /// Whether it may read and change any memory that it finds.
    pub clobbers_memory: bool,
    pub has_labels: bool,
}

impl Operands {
    /// Reads constraints, which are separated by commas. `None` if they say something else than [`Operand`] can tell.
    pub(super) fn parse(text: &str) -> Option<Operands> {
        let mut operands =
            Operands { all: Vec::new(), clobbered: Vec::new(), clobbers_memory: false, has_labels: false };
        for constraint in text.split(',').filter(|c| !c.is_empty()) {
            if let Some(clobber) = constraint.strip_prefix('~') {
                match clobber.strip_prefix('{')?.strip_suffix('}')? {
                    "memory" => operands.clobbers_memory = true,
                    name => operands.clobbered.push(name.to_string()),
                }
            } else if constraint.starts_with('!') {
                operands.has_labels = true;
            } else {
                operands.all.push(operand(constraint)?);
            }
        }
        let outputs = operands.all.iter().filter(|o| o.is_output).count();
        let in_order = operands.all[..outputs].iter().all(|o| o.is_output);
        let ties = operands.all.iter().filter_map(|o| o.tied).all(|output| output < outputs);
        (in_order && ties).then_some(operands)
    }
}

/// The name of a register that has several, for parts of it: `ax` for `eax` and `al`, `x0` for `w0`.
pub(super) fn canonical(name: &str) -> Option<String> {
    if let Some((name, _)) = super::x86::register(name) {
        return Some(name);
    }
    let number = name.strip_prefix(['w', 'x'])?;
    number.parse::<u32>().is_ok().then(|| format!("x{number}"))
}

fn operand(text: &str) -> Option<Operand> {
    let (is_output, mut rest) = match text.strip_prefix('=') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (mut is_early, mut is_indirect) = (false, false);
    loop {
        match rest.chars().next()? {
            '&' => is_early = true,
            '*' => is_indirect = true,
            // An input that may change places with the next one.
            '%' => {}
            _ => break,
        }
        rest = &rest[1..];
    }
    let named = |rest: &str| rest.strip_prefix('{').and_then(|r| r.strip_suffix('}')).map(ToString::to_string);
    let name = named(rest);
    let flag = name.as_ref().and_then(|name| name.strip_prefix("@cc")).map(ToString::to_string);
    let tied = rest.parse().ok().filter(|_| !is_output);
    // Several alternatives, or codes of several letters.
    if rest.contains(['|', '^', '#']) || rest.contains('{') && name.is_none() {
        return None;
    }
    let allowed = if name.is_some() || tied.is_some() { Some(Allowed::REGISTER) } else { Allowed::of_letters(rest) };
    // An unknown name may be another one for the register of another operand.
    let register = name.filter(|_| flag.is_none()).and_then(|name| canonical(&name));
    Some(Operand { is_output, is_early, is_indirect, tied, register, flag, allowed })
}

#[cfg(test)]
mod tests {
    use super::{Allowed, Operands};

    #[test]
    fn constraints_are_read() {
        let read = Operands::parse("=&r,={@ccc},=*m,{cx},0,Ir,*m,i,~{eax},~{memory},~{flags}").unwrap();
        assert_eq!(read.all.iter().filter(|o| o.is_output).count(), 3);
        assert!(read.all[0].is_early && read.all[2].is_indirect && read.all[6].is_indirect);
        assert_eq!(read.all[1].flag.as_deref(), Some("c"));
        assert_eq!((read.all[3].register.as_deref(), read.all[4].tied), (Some("cx"), Some(0)));
        let alternatives = Operands::parse("r,Ir,Jr,ir,rm,i,J,o,{dx}").unwrap();
        let told: Vec<_> = alternatives.all.iter().map(|o| o.allowed.unwrap()).collect();
        assert_eq!((told[0], told[8]), (Allowed::REGISTER, Allowed::REGISTER));
        assert_eq!(
            told.iter().map(|a| a.index_bits).collect::<Vec<_>>()[1..7],
            [Some(32), Some(64), None, None, None, Some(64)]
        );
        let constants = told.iter().map(|a| a.is_constant).collect::<Vec<_>>();
        assert_eq!(constants, [false, false, false, false, false, true, true, false, false]);
        assert!(told[7].is_in_memory && !told[4].is_in_memory && !told[4].is_register);
        assert_eq!(Operands::parse("p").unwrap().all[0].allowed, None);
        assert_eq!(read.clobbered, ["eax", "flags"]);
        assert!(read.clobbers_memory && !read.has_labels);
    }

    #[test]
    fn what_cannot_be_told_is_no_operand() {
        assert_eq!(Operands::parse("=r|m,r"), None);
        assert_eq!(Operands::parse("=^Yk,r"), None);
        assert_eq!(Operands::parse("r,=r"), None);
        assert_eq!(Operands::parse("=r,3"), None);
        assert!(Operands::parse("=r,!i").unwrap().has_labels);
    }
}
