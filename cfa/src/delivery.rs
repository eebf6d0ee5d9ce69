//! What the environment hands to a program as bytes: texts of arguments and variables, contents of files.
//!
//! Such bytes are arbitrary contents of memory, which preparation divides among memories and variables. So that a report can show them
//! and a native run can be given them, a front-end notes where they lie when they arrive. Only runs of the interpreter look at it.

use crate::Term;

/// Bytes that have arrived when an edge was executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delivery {
    /// What they are.
    pub what: Delivered,
    /// What they belong to: the number of an argument, the address of a variable's name, or what identifies a file.
    pub of: Term,
    /// Where they lie; null if there are none.
    pub address: Term,
    /// Their number; for a single character or a number that was read as text, that character or number.
    pub bytes: Term,
    /// For a line, the byte that ends it; for a number, the letter with which `printf` writes it; for an element of `argv` or `envp`, their
    /// number.
    pub detail: Term,
}

/// What is delivered.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum Delivered {
    /// The text of `argv[of]`.
    Argument,
    /// The text of `envp[of]`.
    Entry,
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
    /// A word of a file, which white space ends.
    Word,
    /// A number of a file as text, which white space ends.
    Number,
    /// What comes next in a file is not what was wanted.
    Mismatch,
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

/// Maximum number of bytes of a delivery that are looked at.
pub const MOST_BYTES: u64 = 1 << 16;
