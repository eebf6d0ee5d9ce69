//! The assumptions on which verdicts rest: all kinds, their wording, and when they matter.

use crate::ids::EdgeId;
use std::fmt::{Display, Formatter, Result};

/// The statement of an assumption. `Display` gives the sentence that is printed with verdicts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, strum::EnumDiscriminants)]
#[strum_discriminants(name(AssumptionKind), derive(strum::VariantArray, PartialOrd, Ord))]
#[strum_discriminants(doc = "The kinds of assumptions.")]
pub enum Assumed {
    /// What a function without a body returns and changes.
    Undefined {
        /// The function.
        function: String,
        /// The half-open range of numbers that it never returns as a pointer; `None` if it returns no pointer.
        no_pointer: Option<(u64, u64)>,
        /// Whether it may change the memory that it may know (`--extern havoc`).
        changes_memory: bool,
        /// Whether it is declared to compute its result from its arguments alone.
        is_const: bool,
        /// Whether it only counts as undefined, because the user wants so (`--stub`).
        is_stub: bool,
    },
    /// That the program calls another function in the place of one (`--replace`).
    Replaced {
        /// The function.
        function: String,
        /// The one that is called instead.
        by: String,
    },
    /// What a function without a body is taken for, by its name.
    ReadAs {
        /// The function.
        function: String,
        /// What it does, in words.
        meaning: &'static str,
    },
    /// What a variable without a definition holds.
    DeclaredOnly {
        /// The variable.
        variable: String,
    },
    /// That a weak definition is not replaced by another file's.
    NotReplaced {
        /// The name of the variable or function.
        name: String,
    },
    /// What global variables hold if execution begins at a function other than `main`.
    InitialValues {
        /// The function where it begins.
        entry: String,
    },
    /// What pointers a function is passed if execution begins with it.
    ForeignPointers {
        /// The function.
        entry: String,
        /// The half-open range of numbers that are not passed to it as pointers.
        no_pointer: (u64, u64),
    },
    /// That `argc` is positive.
    ProgramName,
    /// The number and length of command-line arguments or environment variables.
    VectorSize {
        /// `argv` or `envp`.
        name: &'static str,
        /// Binary logarithm of the bound on their number.
        elements_bits: u32,
        /// Binary logarithm of the bound on the number of characters of each.
        characters_bits: u32,
        /// Binary logarithm of the bound on the number of characters of those after the first few.
        further_bits: u32,
    },
    /// The size of blocks of symbolic size.
    BlockSize {
        /// Binary logarithm of the maximum size in bytes.
        bits: u32,
    },
    /// That allocation succeeds.
    AllocationSucceeds,
    /// What inline assembly without a model does.
    AssemblyConfined,
    /// The effect of `realloc(block, 0)`.
    ResizingToNothing,
    /// That format strings that are not constant do not write through pointers.
    NoCountingFormat,
    /// That the C library does not call an allocator of the program where no standard says that it allocates.
    AllocatesNothing {
        /// The allocator.
        name: String,
    },
    /// That compilers turn no code into calls of a function of the program that do not show in the program.
    NoHiddenCalls {
        /// The function.
        name: String,
    },
    /// An assumption of a library model, in its own words.
    OfModel(String),
    /// That a comparison returns for all that it is given, and orders it.
    Orders {
        /// The comparison.
        function: String,
        /// The function of the library that compares.
        user: String,
    },
    /// That addresses from outside are not of objects that the outside cannot know.
    ForeignAddresses {
        /// Whether undefined functions keep what they are given.
        are_given_away: bool,
    },
    /// That accesses are in bounds of live objects.
    ValidAccesses,
    /// That the program does not access what a `FILE` consists of, where it might.
    OpaqueStreams,
    /// That a volatile variable of the program changes only where the program writes it.
    VolatileKept,
    /// That a number that is compared with an address differs from that address.
    NumbersApart,
    /// That addresses in memory were stored as addresses.
    StoredAsPointers,
    /// That the blocks of an allocation site fit into its range of addresses.
    BlocksFit,
    /// That the blocks of an allocation site lie at a fixed distance from each other.
    BlocksInOrder {
        /// The site's name.
        name: String,
        /// The site's position.
        place: String,
        /// The distance, in bytes.
        stride_bytes: u64,
    },
    /// That the blocks of an allocation site are aligned as blocks for any type are, though they may be too small for these.
    SmallBlocksAligned {
        /// The site's name.
        name: String,
        /// The site's position.
        place: String,
        /// The alignment, in bytes.
        align_bytes: u64,
    },
    /// That an object has one fixed address, although the program computes with it.
    FixedAddress {
        /// The object.
        name: String,
        /// Its address.
        address: u64,
    },
    /// That objects with free addresses lie where no object with a fixed address does.
    OutsideFixedPlaces {
        /// The lowest address of fixed places.
        begin: u64,
        /// One past their highest address.
        end: u64,
    },
    /// That a local variable has the same address in each call.
    OneAddress {
        /// The variable.
        name: String,
        /// The position of its declaration.
        place: String,
    },
    /// That an object lies in the memory of user programs.
    InUserMemory {
        /// The object.
        name: String,
        /// The lowest address.
        begin: u64,
        /// One past the highest address.
        end: u64,
        /// The half-open range in between where it does not lie, if there is one.
        except: Option<(u64, u64)>,
    },
    /// That addresses of blocks are not reused.
    FreshAddresses,
    /// That no object begins where another one ends.
    ObjectsApart,
    /// That equal constants are not merged.
    ConstantsApart,
    /// That different variables or functions without a definition are not the same one under two names.
    DeclaredApart,
    /// That only null and blocks of the heap are freed, each block at most once.
    ValidFrees,
    /// That what is copied does not overlap the place that it is copied to.
    CopiesApart,
    /// That functions whose addresses need not differ (`unnamed_addr`) have different ones.
    FunctionsApart,
    /// That the address of a local variable is not compared after the end of the variable's lifetime.
    GoneNotCompared,
    /// That what the program declares impossible does not happen.
    DeclaredImpossible,
    /// That variables of a function which `longjmp` returns to keep their values.
    JumpsKeepVariables,
    /// That all NaNs have the same bits.
    OneNan,
    /// That operations on floating-point numbers are not more precise than their types.
    PrecisionOfType,
    /// That operations on floats round as the program has set, although it was not compiled for that.
    RoundsAsSet,
    /// That operations on floating-point numbers are carried out as they are written.
    StrictFloats,
    /// An assumption read from a text file, in its words.
    Said(String),
}

impl Display for Assumed {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Assumed::Undefined { function, no_pointer, changes_memory, is_const, is_stub } => {
                let what = if *is_stub { "a stub" } else { "undefined" };
                fmt_undefined(f, (function, what), *no_pointer, *changes_memory, *is_const)
            }
            Assumed::Replaced { function, by } => write!(f, "{by} is called wherever the program calls {function}"),
            Assumed::ReadAs { function, meaning } => write!(f, "{function} is undefined: by its name it is {meaning}"),
            Assumed::DeclaredOnly { variable } => fmt_declared(f, variable),
            Assumed::NotReplaced { name } => write!(f, "no other file replaces the definition of {name}"),
            Assumed::InitialValues { entry } => fmt_initial(f, entry),
            Assumed::ForeignPointers { entry, no_pointer: (begin, end) } => write!(
                f,
                "{entry} is not passed the address of an object of the program or of the C library, unless the program computes with that address, and no pointer that it is passed is a number from {begin:#x} to {:#x}",
                end - 1
            ),
            Assumed::ProgramName => f.write_str("main is passed at least the name of the program"),
            Assumed::VectorSize { name, elements_bits, characters_bits, further_bits } => write!(
                f,
                "{name} has fewer than 2^{elements_bits} elements, each of fewer than 2^{characters_bits} characters, and those after the eighth of fewer than 2^{further_bits} together; the array and each string lie apart from everything else, with space in between"
            ),
            Assumed::BlockSize { bits } => {
                write!(f, "no block whose size is not constant has more than 2^{bits} bytes")
            }
            Assumed::AllocationSucceeds => f.write_str("memory allocation (malloc, new, ...) never fails, also not for 0 bytes"),
            Assumed::AssemblyConfined => f.write_str("inline assembly changes nothing but the registers that its constraints name"),
            Assumed::ResizingToNothing => f.write_str("resizing a block to 0 bytes frees it and returns null"),
            Assumed::NoCountingFormat => f.write_str("no format string that is computed contains %n"),
            Assumed::AllocatesNothing { name } => write!(
                f,
                "C library functions that are not documented to allocate memory (such as printf, for a buffer) do not call the program's own {name}"
            ),
            Assumed::NoHiddenCalls { name } => write!(
                f,
                "compilers turn no other code (copies, arithmetic, calls of other functions) into calls of the program's own {name}"
            ),
            Assumed::OfModel(said) | Assumed::Said(said) => f.write_str(said),
            Assumed::Orders { function, user } => fmt_orders(f, function, user),
            Assumed::ForeignAddresses { are_given_away } => fmt_foreign(f, *are_given_away),
            Assumed::ValidAccesses => f.write_str(
                "each memory access is valid: within the bounds of a live object from whose address its pointer was computed",
            ),
            Assumed::VolatileKept => {
                f.write_str("a volatile variable of the program changes only where the program writes it")
            }
            Assumed::OpaqueStreams => f.write_str("only functions of the C library access the contents of a FILE"),
            Assumed::NumbersApart => f.write_str(
                "no number that is compared with the address of an object or function, or subtracted from it to see whether the difference is 0, equals it, unless the program also computes with that address",
            ),
            Assumed::StoredAsPointers => {
                f.write_str("a pointer that is read from memory was stored there as a pointer, not as a number or as bytes")
            }
            Assumed::BlocksFit => {
                f.write_str("no allocation site allocates more blocks than its range of addresses can hold")
            }
            Assumed::CopiesApart => f.write_str(
                "what memcpy, an assignment or a function that copies text copies does not overlap the place that it is copied to, unless that is the same",
            ),
            Assumed::BlocksInOrder { name, place, stride_bytes } => {
                fmt_blocks(f, (name, place), &in_order(*stride_bytes))
            }
            Assumed::SmallBlocksAligned { name, place, align_bytes } => {
                fmt_blocks(f, (name, place), &at_multiples(*align_bytes))
            }
            Assumed::FixedAddress { name, address } => {
                write!(f, "{name} lies at address {address:#x}, and the program computes with that address")
            }
            Assumed::OutsideFixedPlaces { begin, end } => write!(
                f,
                "objects with whose addresses the program computes do not lie between {begin:#x} and {end:#x}, apart from those that are said to lie there"
            ),
            Assumed::OneAddress { name, place } => write!(
                f,
                "{name} (at {place}), with whose address the program computes, lies at the same address in each call"
            ),
            Assumed::InUserMemory { name, begin, end, except } => fmt_place(f, name, (*begin, *end), *except),
            Assumed::FreshAddresses => f.write_str("no new block lies where one was freed or resized"),
            Assumed::ObjectsApart => f.write_str(
                "no object begins at the address at which another one ends, or beyond it at a distance that the program tests for",
            ),
            Assumed::ConstantsApart => f.write_str("different constants share no bytes"),
            Assumed::DeclaredApart => f.write_str("different variables or functions that are only declared share no bytes, and such functions are not the program's own"),
            Assumed::ValidFrees => f.write_str("free and realloc are given only null or blocks of the heap, and each block only once"),
            Assumed::FunctionsApart => f.write_str("different functions have different addresses, though unnamed_addr lets them share one"),
            Assumed::GoneNotCompared => {
                f.write_str("addresses of local variables are not compared after the lifetime of the variable")
            }
            Assumed::DeclaredImpossible => f.write_str(
                "what the program declares impossible (by __builtin_unreachable, __builtin_assume, nonnull, noreturn or a missing return) does not happen",
            ),
            Assumed::JumpsKeepVariables => f.write_str(
                "a variable of a function that longjmp returns to is volatile or not read, if it changed since the call of setjmp",
            ),
            Assumed::OneNan | Assumed::StrictFloats | Assumed::RoundsAsSet | Assumed::PrecisionOfType => {
                f.write_str(of_floats(self))
            }
        }
    }
}

/// What is assumed about operations on floating-point numbers.
fn of_floats(assumed: &Assumed) -> &'static str {
    match assumed {
        Assumed::OneNan => "all floating-point operations that yield a NaN yield the same one, whose sign bit is clear",
        Assumed::StrictFloats => {
            "floating-point operations are carried out as written, although the program allows them to be replaced by others (-ffast-math)"
        }
        Assumed::RoundsAsSet => {
            "operations on floating-point numbers round as fesetround has set, although the program was not compiled with -frounding-math"
        }
        _ => "floating-point operations round to the precision of their type, as with -msse2 -mfpmath=sse",
    }
}

/// What is said of each of several objects, in the same words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SaidOfEach {
    /// What comes before the objects.
    pub before: &'static str,
    /// The object, as it is called there.
    pub object: String,
    /// What comes after several objects.
    pub after: String,
}

impl Assumed {
    /// What the assumption says of an object, if it may say the same of many: large programs have such an assumption for each place that
    /// allocates.
    pub fn said_of_each(&self) -> Option<SaidOfEach> {
        let computes = ", with whose addresses the program computes, lie";
        let blocks = |name: &str, place: &str, lie: String| SaidOfEach {
            before: "the blocks allocated at ",
            object: format!("{place} ({name})"),
            after: format!("{computes} {lie}"),
        };
        match self {
            Assumed::BlocksInOrder { name, place, stride_bytes } => Some(blocks(name, place, in_order(*stride_bytes))),
            Assumed::SmallBlocksAligned { name, place, align_bytes } => {
                Some(blocks(name, place, at_multiples(*align_bytes)))
            }
            Assumed::InUserMemory { name, begin, end, except } => Some(SaidOfEach {
                before: "",
                object: name.clone(),
                after: format!("{computes} {}", between((*begin, *end), *except)),
            }),
            _ => None,
        }
    }
}

fn in_order(stride_bytes: u64) -> String {
    format!("{stride_bytes} bytes apart, in the order of their allocation")
}

fn at_multiples(align_bytes: u64) -> String {
    format!("at multiples of {align_bytes}, however small they are")
}

fn between((begin, end): (u64, u64), except: Option<(u64, u64)>) -> String {
    let apart = except.map_or(String::new(), |(begin, end)| format!(", but not between {begin:#x} and {end:#x}"));
    format!("between {begin:#x} and {end:#x}{apart}")
}

/// Writes where an object lies.
fn fmt_place(f: &mut Formatter<'_>, name: &str, area: (u64, u64), except: Option<(u64, u64)>) -> Result {
    write!(f, "{name}, with whose address the program computes, lies {}", between(area, except))
}

/// Writes how the blocks of the site of this name, at this place, lie.
fn fmt_blocks(f: &mut Formatter<'_>, (name, place): (&str, &str), lie: &str) -> Result {
    write!(f, "the blocks allocated at {place} ({name}), with whose addresses the program computes, lie {lie}")
}

/// Writes what is assumed about a variable without a definition.
fn fmt_declared(f: &mut Formatter<'_>, variable: &str) -> Result {
    write!(
        f,
        "{variable} is only declared: it is not one of the program's own variables, it may hold any value at the start, and nothing outside the program changes it"
    )
}

/// Writes what holds when a function other than `main` is entered.
fn fmt_initial(f: &mut Formatter<'_>, entry: &str) -> Result {
    write!(
        f,
        "when {entry} is entered, global variables of the program have their initial values, and the C library is in its initial state"
    )
}

/// Writes what a comparison does.
fn fmt_orders(f: &mut Formatter<'_>, function: &str, user: &str) -> Result {
    write!(f, "{function}, which is passed to {user}, returns for any two elements")?;
    f.write_str(match user {
        "bsearch" => " (one of which may be the key), and the array is in its order",
        _ => ", and orders them consistently",
    })
}

/// Writes what addresses from outside are not.
fn fmt_foreign(f: &mut Formatter<'_>, are_given_away: bool) -> Result {
    f.write_str(
        "an address that comes from outside or is made from a number lies neither in nor just beyond an object or function that the program knows from elsewhere, unless the program computes with the address of that object",
    )?;
    f.write_str(if are_given_away { " or gives it away" } else { "" })
}

/// Writes what a function without a body returns and does; `what` it is in words.
fn fmt_undefined(
    f: &mut Formatter<'_>,
    (function, what): (&str, &str),
    no_pointer: Option<(u64, u64)>,
    changes_memory: bool,
    is_const: bool,
) -> Result {
    let value = if is_const { "any value, but the same for the same arguments" } else { "any value" };
    write!(f, "{function} is {what}: it may return {value}")?;
    if let Some((begin, end)) = no_pointer {
        let given = if changes_memory { " or gives it away" } else { "" };
        write!(
            f,
            " (but no address in or just beyond an object or function that the program knows from elsewhere, unless the program computes with that address{given}, and no pointer that is a number from {begin:#x} to {:#x})",
            end - 1
        )?;
    }
    f.write_str(", neither ends the program nor throws, ")?;
    f.write_str(if changes_memory {
        "may change any memory that it may know of (but frees none, and leaves the state of the C library, apart from streams that it is passed, the arguments and the environment alone)"
    } else {
        "changes nothing (not even the state of the C library)"
    })?;
    f.write_str(" and calls no function of the program")
}

/// An assumption on which a verdict rests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// What is assumed.
    pub what: Assumed,
    /// The kind of verdicts that rest on it.
    pub of: RestsOn,
    /// The condition under which it matters.
    pub matters: Matters,
}

impl Assumption {
    /// An assumption that always matters, to all verdicts.
    pub fn always(what: Assumed) -> Assumption {
        Assumption { what, of: RestsOn::Verdicts, matters: Matters::Always }
    }

    /// An assumption that excludes executions from proofs.
    pub fn of_proofs(what: Assumed, matters: Matters) -> Assumption {
        Assumption { what, of: RestsOn::Proofs, matters }
    }
}

/// The kind of verdicts that rest on an assumption.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RestsOn {
    /// Proofs: the assumption excludes executions.
    Proofs,
    /// Alarms as well: the assumption says what may happen.
    Verdicts,
}

/// When an assumption matters to a verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Matters {
    /// Always.
    Always,
    /// If one of these edges can be executed.
    IfReached(Vec<EdgeId>),
    /// If one of these edges can be executed before a violation.
    IfExecuted(Vec<EdgeId>),
    /// If the effect of one of these edges may decide whether there is a violation, so that a slice keeps it.
    IfKept(Vec<EdgeId>),
}
