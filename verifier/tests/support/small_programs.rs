//! Small programs that need an invariant about several variables, and the same ones with an error.

use super::Verdict;

const EQUAL: &str = "u8 x = input(); u8 y = x; while (*) { x = x + 1; y = y + 1; } if (x != y) error();";

const LOCK: &str = "
    int lock = 0; int old = 0; int new = 1;
    while (old != new) {
        if (lock != 0) error();
        lock = 1;
        old = new;
        if (*) { if (lock != 1) error(); lock = 0; new = old + 1; }
    }
    if (lock != 1) error();";

const DISJUNCTION: &str = "
    int mode = input(); assume(mode == 0 || mode == 7); int other = 7 - mode;
    while (*) { int t = mode; mode = other; other = t; }
    if (mode != 0 && mode != 7) error();";

const LOCAL_OF_CALLER: &str = "
    int result = 0;
    step() { int old = result; while (*) old = old + 0; result = old + 1; }
    int before = input(); result = before;
    step();
    if (result != before + 1) error();";

/// The programs and their verdicts.
pub(crate) fn small_programs() -> Vec<(String, Verdict)> {
    let with_error = |text: &str, what, by| (text.replace(what, by), Verdict::False);
    vec![
        (EQUAL.into(), Verdict::True),
        with_error(EQUAL, "y = y + 1", "y = y + 3"),
        (LOCK.into(), Verdict::True),
        with_error(LOCK, "new = old + 1;", "new = old;"),
        (DISJUNCTION.into(), Verdict::True),
        with_error(DISJUNCTION, "mode != 0 &&", ""),
        (LOCAL_OF_CALLER.into(), Verdict::True),
        with_error(LOCAL_OF_CALLER, "before + 1) error", "before) error"),
        ("u8 n = 0; while (*) { n = n + 1; if (n == 5) error(); }".into(), Verdict::False),
        ("u8 n = 0; u8 m = 0; while (n < 4) { n = n + 1; m = m + 2; } if (m != 8) error();".into(), Verdict::True),
    ]
}
