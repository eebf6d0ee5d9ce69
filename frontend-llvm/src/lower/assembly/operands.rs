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
    /// Whether it is a constant of the text.
    pub is_constant: bool,
    /// Whether it is a register of the text.
    pub is_register: bool,
    /// Whether it lies in memory whatever the compiler chooses.
    pub is_in_memory: bool,
    /// Whether all is known that its constraint says.
    pub is_plain: bool,
    /// If it is no constant that exceeds the indices of the bits of a word, the number of bits of the smallest such word.
    pub index_bits: Option<u32>,
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
    // There is a letter at least.
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
    let index = |c: char| INDEX.iter().find(|(letter, _)| *letter == c).map(|(_, bits)| *bits);
    let is_constant = !is_output && rest.chars().all(|c| CONSTANT.contains(c) || index(c).is_some());
    let is_register = name.is_some() || tied.is_some() || rest.chars().all(|c| REGISTER.contains(c));
    // A register is no constant.
    let limit = |c: char| if REGISTER.contains(c) { Some(0) } else { index(c) };
    let index_bits = match is_register {
        true => Some(0),
        false => rest.chars().map(limit).try_fold(0, |most, bits| Some(most.max(bits?))),
    };
    // Several alternatives, or codes of several letters.
    if rest.contains(['|', '^', '#']) || rest.contains('{') && name.is_none() {
        return None;
    }
    let all = |letters: &str| !rest.is_empty() && rest.chars().all(|c| letters.contains(c));
    let is_in_memory = all(MEMORY);
    let is_letter =
        |c: char| [REGISTER, CONSTANT, MEMORY, ANYTHING].iter().any(|l| l.contains(c)) || index(c).is_some();
    let is_plain = is_register || flag.is_some() || rest.chars().all(is_letter);
    // An unknown name may be another one for the register of another operand.
    let register = name.filter(|_| flag.is_none()).and_then(|name| canonical(&name));
    Some(Operand {
        is_output,
        is_early,
        is_indirect,
        tied,
        register,
        flag,
        is_constant,
        is_register,
        is_in_memory,
        is_plain,
        index_bits,
    })
}

#[cfg(test)]
mod tests {
    use super::Operands;

    #[test]
    fn constraints_are_read() {
        let read = Operands::parse("=&r,={@ccc},=*m,{cx},0,Ir,*m,i,~{eax},~{memory},~{flags}").unwrap();
        assert_eq!(read.all.iter().filter(|o| o.is_output).count(), 3);
        assert!(read.all[0].is_early && read.all[2].is_indirect && read.all[6].is_indirect);
        assert_eq!(read.all[1].flag.as_deref(), Some("c"));
        assert_eq!((read.all[3].register.as_deref(), read.all[4].tied), (Some("cx"), Some(0)));
        assert_eq!(read.all.iter().map(|o| o.is_constant).collect::<Vec<_>>()[5..], [false, false, true]);
        let alternatives = Operands::parse("r,Ir,Jr,ir,rm,i,J").unwrap();
        let told: Vec<_> = alternatives.all.iter().map(|o| (o.is_register, o.index_bits, o.is_constant)).collect();
        assert_eq!(told[..3], [(true, Some(0), false), (false, Some(32), false), (false, Some(64), false)]);
        assert_eq!(
            told[3..],
            [(false, None, false), (false, None, false), (false, None, true), (false, Some(64), true)]
        );
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
