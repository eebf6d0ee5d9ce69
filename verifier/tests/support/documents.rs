//! The documents' examples. Where they have them, the names of locations are those of the documents.

use super::{automaton, source};
use cfa::text::parse_raw;
use cfa::view::Slice;
use std::sync::Arc;
use verifier::program::Program;

/// [Lemberger 2018, Fig. 4], over 64 bits.
pub(crate) const RUNNING: &str = include_str!("../../../cfa/tests/fixtures/running_example.cfa");
/// [Lemberger 2018, Fig. 21].
pub(crate) const FIGURE_21: &str = include_str!("../../../cfa/tests/fixtures/lemberger_21.cfa");
/// [Kreppel 2019, Example 2].
pub(crate) const KREPPEL_2: &str = include_str!("../../../cfa/tests/fixtures/kreppel_2.cfa");
const KREPPEL_3: &str = include_str!("../../../cfa/tests/fixtures/kreppel_3.cfa");
/// [Dangl 2013, Fig. 2.5].
pub(crate) const DANGL_2_5: &str = include_str!("../../../cfa/tests/fixtures/dangl_2_5.cfa");

/// [Lemberger 2015, Listing 1], with a guard against overflow.
pub(crate) fn listing_1() -> Program {
    source("int b; int a = input(); if (a >= 0) b = a; else b = a + 1; if (b < a) error();")
}

/// [Kreppel 2019, Example 1]: `int i = 0; while (i < n) i++; if (i != n) ERROR`.
pub(crate) fn counter(n: i64) -> Program {
    source(&format!("int i = 0; while (i < {n}) i = i + 1; if (i != {n}) error();"))
}

/// [Kreppel 2019, Example 3], with the number that is written last.
pub(crate) fn kreppel_3(last: u32) -> Program {
    let text = KREPPEL_3.replace("write mem p 0:32", &format!("write mem p {last}:32"));
    let (cfa, _) =
        slicer::prepare(parse_raw(&text).expect("a program"), &Default::default()).expect("a prepared program");
    let slice = Slice::whole(&cfa);
    Program::new(Arc::new(cfa), slice)
}

/// [Lemberger 2018, Fig. 4], over 64 bits.
pub(crate) fn running_example() -> Program {
    automaton(RUNNING)
}

/// [Dangl 2013, Fig. 2.1], and then an error if `wrong`, a condition on `x`, `y` and `z`.
pub(crate) fn figure_2(wrong: &str) -> Program {
    source(&format!("int z; int x = 1; int y = input(); if (y == 0) z = 0; else z = 1; if ({wrong}) error();"))
}

/// What makes [Dangl 2013, Fig. 2.2 to 2.4], of Fig. 2.1. The last one needs the paths apart, by `y` or `z`.
pub(crate) const FIGURES_2_2_TO_2_4: [&str; 3] =
    ["x != 1", "x != 1 || (z != 0 && z != 1)", "x != 1 || ((y != 0 || z != 0) && (y == 0 || z != 1))"];
