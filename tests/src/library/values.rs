//! Random arguments as C expressions: numbers at corners, short texts, memory.

use kerf_testing::Random;

/// A C literal for these bytes.
pub(super) fn quoted(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for byte in bytes {
        match byte {
            b'"' | b'\\' | b'?' | 0..0x20 | 0x7f.. => text.push_str(&format!("\\{byte:03o}")),
            _ => text.push(char::from(*byte)),
        }
    }
    text + "\""
}

/// Up to `most` characters of `alphabet`.
pub(super) fn text(random: &mut Random, alphabet: &[u8], most: usize) -> Vec<u8> {
    (0..random.between(0, most)).map(|_| random.pick(alphabet)).collect()
}

/// An `int`.
pub(super) fn int(random: &mut Random) -> String {
    format!("(int)0x{:x}u", random.input() as u32)
}

/// A `long`.
pub(super) fn long(random: &mut Random) -> String {
    format!("(long)0x{:x}ul", random.input())
}

/// The widths of floating-point numbers, by the letter that ends the names of their functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Width {
    Double,
    Float,
    LongDouble,
}

impl Width {
    /// The width of the function `name`; `bases` are the names of the functions on doubles.
    pub(super) fn of(name: &str, bases: &[&str]) -> Width {
        match name.strip_suffix(['f', 'l']) {
            Some(base) if bases.contains(&base) => match name.ends_with('f') {
                true => Width::Float,
                false => Width::LongDouble,
            },
            _ => Width::Double,
        }
    }

    /// C's name of the type.
    pub(super) fn name(self) -> &'static str {
        match self {
            Width::Double => "double",
            Width::Float => "float",
            Width::LongDouble => "long double",
        }
    }

    /// What is observed of a number: integer expressions.
    pub(super) fn seen(self, x: &str) -> Vec<String> {
        match self {
            Width::Double => vec![format!("bits({x})")],
            Width::Float => vec![format!("bitsf({x})")],
            Width::LongDouble => vec![format!("bitsl({x})"), format!("highl({x})")],
        }
    }
}

/// A number of that width: a special one, a small whole one or half, a neighbour of a power of two, or any.
pub(super) fn float(random: &mut Random, width: Width) -> String {
    let (fraction, bias, suffix) = match width {
        Width::Double => (52, 1022, ""),
        Width::Float => (23, 126, "f"),
        Width::LongDouble => (63, 16382, "l"),
    };
    let sign = if random.one_in(2) { "-" } else { "" };
    match random.below(8) {
        0 => {
            let special = ["0.0", "1.0", "__builtin_inf()", "__builtin_nan(\"\")", "0.5", "2.0"];
            format!("({})({sign}{})", width.name(), random.pick(&special))
        }
        1 => format!("({})({sign}{}.0)", width.name(), random.below(20)),
        2 => format!("({})({sign}{}.5)", width.name(), random.below(9)),
        n => {
            let mut digits = random.word() >> (64 - fraction);
            if n < 5 {
                digits = match random.below(3) {
                    0 => 0,
                    1 => 1,
                    _ => (1 << fraction) - 1,
                };
            }
            let exponent = match random.below(4) {
                0 => random.below(2 * bias as usize) as i32 - bias,
                1 => random.pick(&[-bias, bias + 1, -bias - fraction, -bias - 1, fraction, fraction + 1, 31, 62, 63]),
                _ => random.below(12) - 6,
            };
            // Clang rounds a fraction below the normal numbers; any number will do.
            let shift = (4 - fraction % 4) % 4;
            let figures = (fraction + shift) as usize / 4;
            format!("({}){sign}0x1.{:0figures$x}p{exponent}{suffix}", width.name(), u128::from(digits) << shift)
        }
    }
}
