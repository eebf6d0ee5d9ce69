//! What the environment hands to a program as bytes: texts of arguments and variables, contents of files.
//!
//! Such bytes are arbitrary contents of memory, which preparation divides among memories and variables. So that a report can show them
//! and a native run can be given them, a front-end notes where they lie when they arrive. Only runs of the interpreter look at it.

use crate::bv::Bv;
use crate::interpret::Machine;
use crate::{Cfa, EdgeId, Term};

/// Bytes that have arrived when an edge was executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delivery {
    /// What they are.
    pub what: Delivered,
    /// What they belong to: the number of an argument, the address of a variable's name, or what identifies a file.
    pub of: Term,
    /// Where they lie; null if there are none.
    pub address: Term,
    /// Their number; for a single character or a number that was read as text, that character or number; for further elements of `argv` or
    /// `envp`, the number of all elements.
    pub bytes: Term,
    /// For a line, the byte that ends it; for a number, the letter with which `printf` writes it, plus 256 times the greatest width (0: any); for
    /// a word, the greatest width; for an element of `argv` or `envp`, their number; for further ones, the address of the object with their
    /// texts.
    pub detail: Term,
}

/// What is delivered.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum Delivered {
    /// The text of `argv[of]`.
    Argument,
    /// The text of `envp[of]`.
    Entry,
    /// The texts of `argv[of]` and of the elements after it, which lie at the address.
    FurtherArguments,
    /// The texts of `envp[of]` and of the elements after it, which lie at the address.
    FurtherEntries,
    /// The value of the environment variable whose name is at `of`.
    Variable,
    /// What this function writes to memory that it is given, as `klee_make_symbolic` does.
    Contents(Box<str>),
    /// The next bytes of a file.
    Bytes,
    /// The next line of a file: no byte but the last one is the one that ends lines.
    Line,
    /// The next character of a file.
    Character,
    /// Likewise, and the program said which one.
    Literal,
    /// White space of a file, if there is any.
    Blank,
    /// A word of a file, which white space ends, or its greatest width.
    Word,
    /// A number of a file as text.
    Number,
    /// Something of a file, but it is not known what.
    Skipped,
    /// What comes next in a file is not what was wanted, and stays.
    Mismatch,
    /// The file that is called `of` from now on is open for writing only.
    Unreadable,
    /// The file that is called `of` from now on has only what the program writes, which is not known.
    Written,
    /// The file that is called `of` from now on is the one whose path is at the address.
    Opened,
    /// The file whose path is at the address cannot be opened.
    NotOpened,
    /// Reading goes on at another place of the file.
    Moved,
    /// The folder that is called `of` from now on is the one whose path is at the address.
    Folder,
    /// The name of the next entry of a folder: no slash is in it, and no earlier one of the folder was the same.
    Name,
}

impl Delivered {
    /// Whether it is something that is read from a file, or tells where.
    pub fn is_of_file(&self) -> bool {
        use Delivered::{Blank, Bytes, Character, Line, Literal, Mismatch, Moved, Number, Skipped, Word};
        matches!(self, Blank | Bytes | Character | Line | Literal | Mismatch | Moved | Number | Skipped | Word)
    }
}

/// Maximum number of bytes of a delivery that are looked at.
pub const MOST_BYTES: u64 = 1 << 16;

/// Maximum number of elements of `argv` or `envp` that are looked at: of a larger vector, only the first few are.
pub const MOST_ELEMENTS: u64 = 1000;

/// Bytes that the environment has handed to a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeliveryEvent {
    /// The edge that notes it.
    pub edge: EdgeId,
    /// If the edge is one of a library function: the edge of the program that called the library.
    pub call: Option<EdgeId>,
    /// The number of inputs read before.
    pub after: usize,
    /// What the bytes belong to.
    pub of: u64,
    /// The text at the address `of`, for variables of the environment.
    pub name: Vec<u8>,
    /// The bytes; `None` if there are none, or more than [`MOST_BYTES`].
    pub bytes: Option<Vec<u8>>,
    /// The number of bytes, or the character or number itself.
    pub number: Bv,
    /// What is said in detail: see [`Delivery`].
    pub detail: u64,
}

impl DeliveryEvent {
    /// What the environment has handed over at `edge`, which the machine has just executed: several events for elements of a vector.
    pub fn at(machine: &Machine<'_>, cfa: &Cfa, edge: EdgeId) -> Vec<DeliveryEvent> {
        let Some(delivery) = cfa.deliveries.get(&edge) else { return Vec::new() };
        let number = |t: Term| machine.eval(t).to_u64().unwrap_or(0);
        let (of, address) = (number(delivery.of), number(delivery.address));
        let value = machine.eval(delivery.bytes).as_bv().cloned().unwrap_or_else(|| Bv::new(8, 0));
        let mut event = DeliveryEvent {
            edge,
            call: machine.call_of_library(edge),
            after: machine.inputs_read(),
            of,
            name: Vec::new(),
            bytes: None,
            number: value,
            detail: number(delivery.detail),
        };
        match &delivery.what {
            Delivered::FurtherArguments | Delivered::FurtherEntries => {
                return further_elements(machine, cfa, address, &event);
            }
            Delivered::Argument
            | Delivered::Entry
            | Delivered::Opened
            | Delivered::Unreadable
            | Delivered::Written
            | Delivered::NotOpened
            | Delivered::Folder
            | Delivered::Name => event.bytes = Some(text_at(machine, address)),
            Delivered::Variable => {
                event.bytes = (address != 0).then(|| text_at(machine, address));
                event.name = text_at(machine, of);
            }
            Delivered::Contents(_) | Delivered::Bytes | Delivered::Line | Delivered::Word => {
                let number = event.number.to_u64().filter(|n| *n <= MOST_BYTES && address != 0);
                let byte = |i: u64| machine.byte(address.wrapping_add(i));
                event.bytes = number.map(|n| (0..n).map(byte).collect());
            }
            Delivered::Character
            | Delivered::Literal
            | Delivered::Blank
            | Delivered::Number
            | Delivered::Skipped
            | Delivered::Mismatch
            | Delivered::Moved => {}
        }
        vec![event]
    }
}

/// An event for each of the elements from number `first.of` on, which lie at `address`; none if there are too many.
fn further_elements(machine: &Machine<'_>, cfa: &Cfa, address: u64, first: &DeliveryEvent) -> Vec<DeliveryEvent> {
    let count = first.number.to_u64().filter(|count| *count <= MOST_ELEMENTS).unwrap_or(0);
    let bytes = u64::from(cfa.pointer_bits / 8);
    let element = |of: u64| {
        let at = address.wrapping_add((of - first.of) * bytes);
        let text = (0..bytes).rev().fold(0, |text, i| text << 8 | u64::from(machine.byte(at.wrapping_add(i))));
        DeliveryEvent { of, bytes: Some(text_at(machine, text)), detail: count, ..first.clone() }
    };
    (first.of..count).map(element).collect()
}

/// The bytes from `address` on, up to a null byte.
fn text_at(machine: &Machine<'_>, address: u64) -> Vec<u8> {
    let bytes = (0..MOST_BYTES).map(|i| machine.byte(address.wrapping_add(i)));
    bytes.take_while(|byte| *byte != 0).collect()
}

/// The contents of a file as far as a run has read them, and what may come next: what `scanf` leaves unread is read by the next call, which
/// the models of these functions do not know of each other.
#[derive(Clone, Debug, Default)]
pub struct FileText {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Why a file with these bytes is not enough for the run to read what it read, in words.
    pub lacks: Option<&'static str>,
    next: Next,
    is_moved: bool,
}

/// What may come next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Next {
    #[default]
    Any,
    /// What would not have been a part of the number before, which has this letter.
    AfterNumber(u8),
    /// White space, since a word has ended.
    AfterWord,
    /// Anything but white space, since that was skipped.
    AfterBlank,
    /// Something that is not known, since something unknown was skipped.
    AfterSkipped,
    /// Something that is not what was wanted.
    AfterMismatch,
    /// Nothing: the file cannot be read.
    Nothing,
    /// What the program has written, which is not known, or the end of the file.
    Written,
}

/// What no file contains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Impossible;

impl FileText {
    /// Adds what a run reads next.
    ///
    /// Errors: no file contains this here, or it is not known whether one does.
    pub fn add(&mut self, what: &Delivered, event: &DeliveryEvent) -> Result<(), Impossible> {
        let ends = match what {
            Delivered::Moved => true,
            Delivered::Blank => self.next == Next::Written,
            Delivered::Bytes | Delivered::Line => self.next == Next::Written && event.number.is_zero(),
            _ => false,
        };
        if matches!(self.next, Next::Nothing | Next::Written) {
            return if ends { Ok(()) } else { Err(Impossible) };
        }
        match what {
            Delivered::Moved => (self.is_moved, self.next) = (true, Next::Any),
            Delivered::Unreadable => self.next = Next::Nothing,
            Delivered::Written => self.next = Next::Written,
            Delivered::Skipped => {
                self.lacks = Some("what scanf skips");
                self.next = Next::AfterSkipped;
            }
            Delivered::Mismatch => {
                self.lacks = Some("what scanf does not take");
                self.next = Next::AfterMismatch;
            }
            Delivered::Blank => match self.next {
                Next::AfterSkipped | Next::AfterMismatch => {}
                Next::AfterNumber(_) | Next::AfterWord => {
                    self.bytes.push(b' ');
                    self.next = Next::AfterBlank;
                }
                _ => self.next = Next::AfterBlank,
            },
            Delivered::Number => {
                let [letter, width] = [event.detail & 0xff, event.detail >> 8];
                let text = number(event, letter as u8, width).ok_or(Impossible)?;
                let next = Next::AfterNumber(letter as u8);
                self.token(text.as_bytes(), if text.len() as u64 == width { Next::Any } else { next })?;
            }
            Delivered::Word => {
                let word = event.bytes.as_deref().ok_or(Impossible)?;
                let is_full = word.len() as u64 == event.detail;
                self.token(word, if is_full { Next::Any } else { Next::AfterWord })?;
            }
            Delivered::Character | Delivered::Literal => self.raw(&[event.number.to_u64().unwrap_or(0) as u8])?,
            _ => match &event.bytes {
                Some(bytes) => self.raw(bytes)?,
                None if event.number.is_zero() => {}
                None => self.lacks = Some("input that is very long"),
            },
        }
        Ok(())
    }

    /// A number or a word, before which white space is skipped.
    fn token(&mut self, text: &[u8], next: Next) -> Result<(), Impossible> {
        self.note_place();
        match self.next {
            Next::AfterMismatch | Next::Nothing | Next::Written => return Err(Impossible),
            Next::AfterNumber(_) | Next::AfterWord => self.bytes.push(b' '),
            Next::Any | Next::AfterBlank | Next::AfterSkipped => {}
        }
        self.bytes.extend(text);
        self.next = next;
        Ok(())
    }

    /// Bytes as they are.
    fn raw(&mut self, bytes: &[u8]) -> Result<(), Impossible> {
        let Some(&first) = bytes.first() else { return Ok(()) };
        self.note_place();
        let is_space = first == b' ' || (b'\t'..=b'\r').contains(&first);
        let may_come = match self.next {
            Next::Any => true,
            Next::AfterBlank => !is_space,
            Next::AfterWord => is_space,
            Next::AfterNumber(letter) => !goes_on(letter, first),
            Next::AfterSkipped | Next::AfterMismatch | Next::Nothing | Next::Written => false,
        };
        if !may_come {
            return Err(Impossible);
        }
        self.bytes.extend(bytes);
        self.next = Next::Any;
        Ok(())
    }

    fn note_place(&mut self) {
        if self.is_moved {
            self.lacks = Some("what is read at another place of a file");
        }
    }
}

/// Whether a number that is read with this letter may go on with `byte`.
fn goes_on(letter: u8, byte: u8) -> bool {
    match letter {
        b'd' | b'u' => byte.is_ascii_digit(),
        b'o' => (b'0'..=b'7').contains(&byte),
        b'x' => byte.is_ascii_hexdigit() || b"xX".contains(&byte),
        b'i' => byte.is_ascii_hexdigit() || b"xXbB".contains(&byte),
        // Also what would make an infinity or a NaN longer.
        _ => byte.is_ascii_digit() || b".eExXpPiInN(".contains(&byte),
    }
}

/// A number as C writes it that `scanf` reads with this letter: as its type is for integers, as a float (f) or a double (g).
pub fn plain_number(number: u64, letter: u8) -> String {
    match letter {
        b'd' | b'i' => (number as i64).to_string(),
        b'f' => format!("{:?}", f32::from_bits(number as u32)),
        b'g' => format!("{:?}", f64::from_bits(number)),
        _ => number.to_string(),
    }
}

/// A number as text that `scanf` reads with this letter, in at most `width` bytes (0: any number).
fn number(event: &DeliveryEvent, letter: u8, width: u64) -> Option<String> {
    let number = event.number.to_u64()?;
    // An unsigned number may be written as a negative one, of the size of int or of long long.
    let negative = if number <= u64::from(u32::MAX) { (1 << 32) - number } else { number.wrapping_neg() };
    let candidates = match letter {
        b'o' => vec![format!("{number:o}"), format!("-{negative:o}")],
        b'x' => vec![format!("{number:x}"), format!("-{negative:x}")],
        b'u' => vec![number.to_string(), format!("-{negative}")],
        _ => vec![plain_number(number, letter)],
    };
    candidates.into_iter().find(|text| width == 0 || text.len() as u64 <= width)
}
