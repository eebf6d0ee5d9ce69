//! Texts that are printed into memory by a format that is known: one call for each piece of it.
//!
//! The library's model of `sprintf` reads its format byte by byte, and can meet conversions that it does not know. A format that is a
//! constant is read here instead. So the model's loop does not have to be unrolled, each piece is a call of its own, with its own
//! context, and nothing unsupported is in sight; where nobody looks at the text, slicing removes all of it.
//!
//! What is not read here (a format that is computed, widths given by arguments, `%n`, wide characters, arguments that do not fit, a
//! size that is not constant) is left to the model, and means the same there. The functions for pieces are those of the model
//! (`library/stdio.c`).

use super::body::Body;
use super::call::CallSite;
use super::{Lowered, NoModel, Vals};
use cfa::bv::BvCmp;
use cfa::{EdgeId, Id, Op, Term};

/// A function whose formats are read: the indices of its arguments.
struct Printing {
    name: &'static str,
    format: usize,
    /// How many bytes may be written.
    size: Option<usize>,
    /// The size of the object, beyond which the function aborts.
    object: Option<usize>,
}

const PRINTING: [Printing; 4] = [
    Printing { name: "sprintf", format: 1, size: None, object: None },
    Printing { name: "snprintf", format: 2, size: Some(1), object: None },
    Printing { name: "__sprintf_chk", format: 3, size: None, object: Some(2) },
    Printing { name: "__snprintf_chk", format: 4, size: Some(1), object: Some(3) },
];

/// Flags of a conversion, as in `library/stdio.c`.
const FLAGS: [(u8, u32); 5] = [(b'-', 1), (b'+', 2), (b' ', 4), (b'#', 8), (b'0', 16)];

/// A piece of a format.
#[derive(Debug, PartialEq, Eq)]
enum Piece {
    /// Bytes of the format, from an offset on.
    Literal { offset: usize, length: usize },
    /// A conversion, which takes an argument, and another one before it if its precision is `*`.
    Conversion { flags: u32, width: u32, precision: Precision, size: Size, letter: u8 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Precision {
    None,
    Constant(u32),
    Argument,
}

/// The size of an argument, by the length modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    Char,
    Short,
    Int,
    Long,
    LongLong,
}

/// The pieces of a format, in order; `None` for one that is left to the model.
fn pieces(format: &[u8]) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < format.len() {
        if format[at] != b'%' {
            let length = format[at..].iter().position(|c| *c == b'%').unwrap_or(format.len() - at);
            pieces.push(Piece::Literal { offset: at, length });
            at += length;
        } else if format.get(at + 1) == Some(&b'%') {
            pieces.push(Piece::Literal { offset: at + 1, length: 1 });
            at += 2;
        } else {
            at += 1;
            pieces.push(conversion(format, &mut at)?);
        }
    }
    Some(pieces)
}

/// The conversion whose text begins at `at`, after the `%`; `at` moves to its end.
fn conversion(format: &[u8], at: &mut usize) -> Option<Piece> {
    let mut flags = 0;
    while let Some((_, flag)) = FLAGS.iter().find(|(c, _)| Some(c) == format.get(*at)) {
        flags |= flag;
        *at += 1;
    }
    let width = number(format, at)?;
    let mut precision = Precision::None;
    if format.get(*at) == Some(&b'.') {
        *at += 1;
        precision = if format.get(*at) == Some(&b'*') {
            *at += 1;
            Precision::Argument
        } else {
            Precision::Constant(number(format, at)?)
        };
    }
    let (size, modifier) = match format[*at..] {
        [b'h', b'h', ..] => (Size::Char, 2),
        [b'h', ..] => (Size::Short, 1),
        [b'l', b'l', ..] => (Size::LongLong, 2),
        [b'l' | b'z' | b't', ..] => (Size::Long, 1),
        [b'j' | b'q', ..] => (Size::LongLong, 1),
        _ => (Size::Int, 0),
    };
    *at += modifier;
    let letter = *format.get(*at)?;
    *at += 1;
    let is_known = match letter {
        b'd' | b'i' | b'u' | b'o' | b'x' | b'X' => true,
        b'c' | b's' | b'p' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => modifier == 0,
        _ => false,
    };
    is_known.then_some(Piece::Conversion { flags, width, precision, size, letter })
}

/// The number whose digits begin at `at`, 0 if there are none; `None` if it does not fit in an `int`.
fn number(format: &[u8], at: &mut usize) -> Option<u32> {
    let mut n: u32 = 0;
    while let Some(digit) = format.get(*at).filter(|c| c.is_ascii_digit()) {
        n = n.checked_mul(10)?.checked_add(u32::from(digit - b'0')).filter(|n| *n <= i32::MAX as u32)?;
        *at += 1;
    }
    Some(n)
}

/// Where a text is printed.
struct Output {
    to: Term,
    /// Bytes without the one for the terminating 0.
    room: Term,
    count: Term,
}

impl<'m> Body<'_, '_, 'm> {
    /// If `site` calls a printing function of the library whose format is read here: calls a function for each piece of it, and returns
    /// the scalars of the result.
    pub(super) fn print_pieces(&mut self, site: &CallSite<'m>) -> Lowered<Option<Vals>> {
        let Some(function) = PRINTING.iter().find(|f| f.name == site.name) else { return Ok(None) };
        let Some(size) = self.size_to_print(function, site)? else { return Ok(None) };
        let format = function.format;
        let Some(bytes) = self.string_bytes_arg(site, format) else { return Ok(None) };
        let Some(pieces) = pieces(&bytes) else { return Ok(None) };
        let word = self.cx.pointer_bits();
        let result = self.cx.flat(site.result)?;
        let returns_int = result.leaves.is_empty() || result.total_bits() == 32;
        let Some(values) = self.arguments_of(&pieces, site, format + 1).filter(|_| returns_int) else {
            return Ok(None);
        };
        let room = match self.terms().as_u64(size) {
            Some(0) => size,
            _ => self.terms().add_int(size, u64::MAX),
        };
        let mut out = Output { to: site.arg(0)?, room, count: self.terms().int(word, 0) };
        let text = site.arg(format)?;
        let mut values = values.into_iter();
        for piece in &pieces {
            out.count = match *piece {
                Piece::Literal { offset, length } => {
                    let from = self.terms().add_int(text, offset as u64);
                    let length = self.word(length as u64);
                    self.print_piece("literal", &out, &[from, length], site)?
                }
                Piece::Conversion { .. } => self.print_conversion(piece, &mut values, &out, site)?,
            };
        }
        let is_too_large = self.terms().int(32, 0);
        let mut n = self.call_helper("__kerf_print_end", vec![out.to, size, out.count, is_too_large], site)?;
        if function.size.is_none() && function.object.is_some() {
            n = self.call_helper("__kerf_print_fits", vec![n[0], size], site)?;
        }
        Ok(Some(if result.leaves.is_empty() { Vals::new() } else { n }))
    }

    /// How many bytes may be written; `None` if that is not known, or is so much that the function may fail.
    fn size_to_print(&mut self, function: &Printing, site: &CallSite<'m>) -> Lowered<Option<Term>> {
        let mask = u64::MAX >> (64 - self.cx.pointer_bits());
        let mut given = |i: Option<usize>| -> Lowered<Option<u64>> {
            match i {
                None => Ok(Some(mask)),
                Some(i) => Ok(self.terms().as_u64(site.arg(i)?)),
            }
        };
        let (Some(size), Some(object)) = (given(function.size)?, given(function.object)?) else { return Ok(None) };
        if function.size.is_none() {
            return Ok(Some(self.word(object)));
        }
        let is_known = size <= i32::MAX as u64 && size <= object;
        Ok(is_known.then(|| self.word(size)))
    }

    /// The scalar arguments that the pieces take, in order; `None` if these are not what is given.
    fn arguments_of(&mut self, pieces: &[Piece], site: &CallSite<'m>, first: usize) -> Option<Vec<Term>> {
        let mut values = Vec::new();
        let mut next = first;
        let word = self.cx.pointer_bits();
        let mut take = |bits: Option<u32>| {
            let (vals, ty) = (site.args.get(next)?.as_slice(), site.types[next]);
            let in_memory = site.inst.is_some_and(|inst| inst.call_byval_type(next as u32).is_some());
            next += 1;
            let [value] = *vals else { return None };
            let fits = match bits {
                Some(bits) => self.cx.cfa.terms.width(value) == bits && crate::layout::float_format(ty).is_none(),
                None => crate::layout::float_format(ty).is_some() && self.cx.cfa.terms.width(value) == 64,
            };
            values.push(value);
            (fits && !in_memory).then_some(())
        };
        for piece in pieces {
            let Piece::Conversion { precision, size, letter, .. } = piece else { continue };
            if *precision == Precision::Argument {
                take(Some(32))?;
            }
            take(match letter {
                b's' | b'p' => Some(word),
                b'c' => Some(32),
                b'd' | b'i' | b'u' | b'o' | b'x' | b'X' => Some(match size {
                    Size::Char | Size::Short | Size::Int => 32,
                    Size::Long => word,
                    Size::LongLong => 64,
                }),
                _ => None,
            })?;
        }
        Some(values)
    }

    /// Prints a conversion, which takes its arguments from `values`, and returns the new count.
    fn print_conversion(
        &mut self,
        piece: &Piece,
        values: &mut impl Iterator<Item = Term>,
        out: &Output,
        site: &CallSite<'m>,
    ) -> Lowered<Term> {
        let Piece::Conversion { flags, width, precision, size, letter } = *piece else { return Ok(out.count) };
        let missing = || NoModel(format!("an argument of {}", site.name));
        let precision = match precision {
            Precision::None => self.terms().int(32, u64::from(u32::MAX)),
            Precision::Constant(n) => self.terms().int(32, n.into()),
            Precision::Argument => values.next().ok_or_else(missing)?,
        };
        let value = values.next().ok_or_else(missing)?;
        let [flags, width] = [flags, width].map(|n| self.terms().int(32, n.into()));
        match letter {
            b's' => self.print_piece("text", out, &[flags, width, precision, value], site),
            b'c' => self.print_piece("char", out, &[flags, width, value], site),
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' => {
                let is_signed = matches!(letter, b'd' | b'i');
                let (magnitude, negative) = self.magnitude(value, size, is_signed);
                let letter = self.terms().int(8, letter.into());
                self.print_piece("number", out, &[flags, width, precision, letter, magnitude, negative], site)
            }
            _ => self.print_piece("unknown", out, &[width, precision], site),
        }
    }

    /// The magnitude of an integer argument, in 64 bits, and whether it is negative, as an `int`.
    fn magnitude(&mut self, value: Term, size: Size, is_signed: bool) -> (Term, Term) {
        let terms = self.terms();
        let value = match size {
            Size::Char => terms.extract(7, 0, value),
            Size::Short => terms.extract(15, 0, value),
            _ => value,
        };
        let zero = terms.int(64, 0);
        if !is_signed {
            return (terms.zext(64, value), terms.int(32, 0));
        }
        let value = terms.sext(64, value);
        let negative = terms.cmp(BvCmp::Slt, value, zero);
        let opposite = terms.sub(zero, value);
        let magnitude = terms.ite(negative, opposite, value);
        let sign = terms.bool_to_bv(negative);
        (magnitude, terms.zext(32, sign))
    }

    /// Calls the function for pieces of this kind, and returns the new count.
    fn print_piece(&mut self, kind: &str, out: &Output, rest: &[Term], site: &CallSite<'m>) -> Lowered<Term> {
        let args = [&[out.to, out.room, out.count], rest].concat();
        let count = self.call_helper(&format!("__kerf_print_{kind}"), args, site)?;
        Ok(count[0])
    }

    /// Calls a function of the library for a part of what `site` calls.
    fn call_helper(&mut self, name: &str, args: Vec<Term>, site: &CallSite<'m>) -> Lowered<Vals> {
        let helper = self.cx.resolver.library_function(name).ok_or_else(|| NoModel(name.to_string()))?;
        let ty = helper.value_type();
        let args = args.into_iter().map(|t| Vals::from_slice(&[t])).collect();
        let made = CallSite { args, types: ty.params(), ..CallSite::made(name.to_string(), ty.returns()) };
        let first = self.cx.next_edge();
        let result = self.call_body(helper, &made)?;
        // Whoever keeps one of the calls keeps what `site` is passed.
        for e in (first..self.cx.next_edge()).map(EdgeId::from_index) {
            if matches!(self.cx.cfa.edges[e].op, Op::Call(_)) {
                self.note_opaque_site(e, site);
            }
        }
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    use super::{Piece, Precision, Size, pieces};

    #[test]
    fn formats_are_read() {
        let conversion =
            |letter| Piece::Conversion { flags: 0, width: 0, precision: Precision::None, size: Size::Int, letter };
        assert_eq!(pieces(b""), Some(vec![]));
        assert_eq!(pieces(b"%d\n"), Some(vec![conversion(b'd'), Piece::Literal { offset: 2, length: 1 }]));
        assert_eq!(
            pieces(b"a%%s%s"),
            Some(vec![
                Piece::Literal { offset: 0, length: 1 },
                Piece::Literal { offset: 2, length: 1 },
                Piece::Literal { offset: 3, length: 1 },
                conversion(b's'),
            ])
        );
        let long = Piece::Conversion {
            flags: 17,
            width: 12,
            precision: Precision::Constant(3),
            size: Size::Long,
            letter: b'x',
        };
        assert_eq!(pieces(b"%-012.3lx"), Some(vec![long]));
        let cut =
            Piece::Conversion { flags: 0, width: 0, precision: Precision::Argument, size: Size::Int, letter: b's' };
        assert_eq!(pieces(b"%.*s"), Some(vec![cut]));
    }

    #[test]
    fn other_formats_are_left_to_the_model() {
        for format in [
            "%",
            "a%",
            "%5",
            "%n",
            "%ls",
            "%lc",
            "%*d",
            "%Lf",
            "%1$d",
            "%m",
            "%99999999999d",
            "%.99999999999d",
            "%w32d",
        ] {
            assert_eq!(pieces(format.as_bytes()), None, "{format}");
        }
    }
}
