//! Calls of `<stdlib.h>` and `<math.h>` about numbers.

use super::call::Call;
use super::values::{Width, float, int, long, quoted, text};
use kerf_testing::Random;

/// Magnitudes.
pub(super) fn magnitudes(random: &mut Random, name: &str) -> Call {
    let argument = if name == "abs" { format!("{} | 1", int(random)) } else { format!("{} | 1", long(random)) };
    Call::new(format!("long long r = ({name})({argument});")).see("r")
}

/// Quotient and remainder.
pub(super) fn divisions(random: &mut Random, name: &str) -> Call {
    // Neither 0 nor -1.
    let by = format!("((({}) & 0x7fffffff) | 1) * {}", long(random), if random.one_in(2) { "2" } else { "1" });
    let (ty, n) = match name {
        "div" => ("div_t", int(random)),
        "ldiv" => ("ldiv_t", long(random)),
        _ => ("lldiv_t", long(random)),
    };
    let by = if name == "div" { format!("(int)(({by}) >> 8 | 2)") } else { by };
    Call::new(format!("{ty} r = ({name})({n}, {by});")).see("r.quot").see("r.rem")
}

/// Texts that begin with a number, or nearly so.
fn number_text(random: &mut Random, base: u32) -> Vec<u8> {
    let mut all = text(random, b" \t\n", 1);
    all.extend(text(random, b"+-", 1));
    match random.below(6) {
        0 => all.extend(b"0x"),
        1 => all.extend(b"0"),
        2 => {
            let value = random.input();
            let digits = match base {
                8 => format!("{value:o}"),
                16 => format!("{value:x}"),
                _ => format!("{value}"),
            };
            all.extend(digits.as_bytes());
        }
        3 => {
            let limits = ["9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616"];
            all.extend(random.pick(&limits).as_bytes());
        }
        _ => {}
    }
    all.extend(text(random, b"0179afxzX. -", 4));
    all
}

/// Whole numbers from texts.
pub(super) fn integers_from_text(random: &mut Random, name: &str) -> Call {
    let base = random.pick(&[0, 10, 8, 16, 2, 36, 10, 0, 1, 37, -1]);
    let digits = quoted(&number_text(random, base as u32));
    let call = Call::default().line(format!("const char *s = {digits}; char *end = (char *)s + 20;"));
    match name {
        // The result for a number that does not fit is undefined.
        "atoi" | "atol" | "atoll" => {
            let short = quoted(&text(random, b"  -+0179x", 6));
            Call::new(format!("long long r = ({name})({short});")).see("r")
        }
        // The end is unspecified if the base is not valid.
        _ if !(0..=36).contains(&base) || base == 1 => {
            call.call(format!("unsigned long long r = ({name})(s, &end, {base});")).see("r")
        }
        _ => call.call(format!("unsigned long long r = ({name})(s, &end, {base});")).see("r").see("end - s"),
    }
}

/// Floating-point numbers from texts.
pub(super) fn floats_from_text(random: &mut Random, name: &str) -> Call {
    let mut all = text(random, b" \n", 1);
    all.extend(text(random, b"+-", 1));
    match random.below(8) {
        0 => all.extend(
            random
                .pick(&["inf", "nan", "INFINITY", "Inf", "infin", "nan(1)", "NaN()", "nan(a", "0x", "in", "n"])
                .as_bytes(),
        ),
        2 => {
            all.extend(random.pick(&["0x", "0X", "0x.", "0x0."]).as_bytes());
            all.extend(text(random, b"018aFf.", 6));
            if random.one_in(2) {
                all.extend(random.pick(&["p3", "P-7", "p+10", "p", "p-90", "p400", "e1"]).as_bytes());
            }
        }
        1 => all
            .extend(random.pick(&["1e999", "1e-999", "2e-320", "123456789012345678901234567890", "1e-46"]).as_bytes()),
        _ => {
            let most = if random.one_in(3) { 20 } else { 4 };
            all.extend(text(random, b"01259", most));
            if random.one_in(2) {
                all.push(b'.');
                all.extend(text(random, b"0125", 4));
            }
            if random.one_in(2) {
                all.extend(random.pick(&["e", "E+", "e-", "e+1", "e5", "E-7", "e22", "e-30", "e+x"]).as_bytes());
                all.extend(text(random, b"0123", 1));
            }
        }
    }
    all.extend(text(random, b"x. e", 2));
    let digits = quoted(&all);
    let width = Width::of(name, &["strto"]);
    let width = if name == "strtold" { Width::LongDouble } else { width };
    let call = Call::default().line(format!("const char *s = {digits}; char *end = NULL;"));
    if name == "atof" {
        return call.call("double r = (atof)(s);").see("bits(r)");
    }
    call.call(format!("{} r = ({name})(s, &end);", width.name())).see_all(width.seen("r")).see("end - s")
}

/// Elements to sort or to search.
fn elements(random: &mut Random) -> Vec<u8> {
    text(random, b"\x01\x02\x03\x04\x05\x06", 6)
}

/// Sorting, with elements that compare as equal.
pub(super) fn sorting(random: &mut Random, _: &str) -> Call {
    let all = elements(random);
    let n = all.len();
    if random.one_in(3) {
        let numbers: Vec<String> = (0..4).map(|_| int(random)).collect();
        return Call::default()
            .line(format!("int a[4] = {{{}}};", numbers.join(", ")))
            .call("(qsort)(a, 4, sizeof a[0], by_int);")
            .see_memory("(char *)a", 16);
    }
    let by = if random.one_in(2) { "by_half" } else { "by_value" };
    Call::default()
        .line(format!("unsigned char a[8] = {};", quoted(&all)))
        .call(format!("(qsort)(a, {n}, 1, {by});"))
        .see_memory("a", 8)
}

/// Searching, with several elements that match.
pub(super) fn searching(random: &mut Random, name: &str) -> Call {
    let mut all = elements(random);
    let n = all.len();
    let by = if random.one_in(2) { "by_half" } else { "by_value" };
    let count = if name == "bsearch" { "n" } else { "&n" };
    if name == "bsearch" {
        all.sort_unstable();
    }
    Call::default()
        .line(format!("unsigned char a[8] = {}, key = {}; size_t n = {n};", quoted(&all), random.below(8)))
        .call(format!("void *r = ({name})(&key, a, {count}, 1, {by});"))
        .see("at(r, a)")
        .see("n")
        .see_memory("a", 8)
}

/// Numbers at random.
pub(super) fn at_random(random: &mut Random, name: &str) -> Call {
    let seed = random.input() as u32;
    let call = Call::default();
    match name {
        "srand" | "rand" => call.line(format!("srand({seed}u);")).call("int r = rand();").see("r"),
        "srandom" | "random" => call.line(format!("srandom({seed}u);")).call("long r = random();").see("r"),
        "rand_r" => call.line(format!("unsigned s = {seed}u;")).call("int r = rand_r(&s);").see("r").see("s"),
        "drand48" => call.line(format!("srand48({seed}u);")).call("double r = drand48();").see("bits(r)"),
        "lrand48" => call.line(format!("srand48({seed}u);")).call("long r = lrand48();").see("r"),
        _ => call.line(format!("srand48({seed}u);")).call("long r = mrand48();").see("r"),
    }
}

/// Functions of one number.
pub(super) const UNARY: [&str; 33] = [
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "erf", "erfc", "exp", "exp10", "exp2",
    "expm1", "lgamma", "log", "log10", "log1p", "log2", "logb", "sin", "sinh", "tan", "tanh", "tgamma", "sqrt", "fabs",
    "floor", "ceil", "trunc", "rint", "round",
];

/// Functions of one number that round.
pub(super) const ROUNDING: [&str; 2] = ["roundeven", "nearbyint"];

/// Functions of two numbers.
pub(super) const BINARY: [&str; 9] =
    ["atan2", "copysign", "drem", "fdim", "fmod", "hypot", "nextafter", "pow", "remainder"];

/// The lesser or the greater number. Of two zeros, the result may be either.
pub(super) const EXTREMES: [&str; 2] = ["fmax", "fmin"];

/// Functions that give integers.
pub(super) const TO_INTEGER: [&str; 13] = [
    "isnan",
    "isinf",
    "finite",
    "__isnan",
    "__isinf",
    "__finite",
    "__signbit",
    "__fpclassify",
    "ilogb",
    "lrint",
    "llrint",
    "lround",
    "llround",
];

/// The others.
pub(super) const SEVERAL: [&str; 9] = ["fma", "frexp", "ldexp", "modf", "nan", "remquo", "scalbln", "scalbn", "sincos"];

/// A function of one number.
pub(super) fn unary(random: &mut Random, name: &str) -> Call {
    let width = Width::of(name, &[&UNARY[..], &ROUNDING[..]].concat());
    Call::new(format!("{} r = ({name})({});", width.name(), float(random, width))).see_all(width.seen("r"))
}

/// A function of two numbers.
pub(super) fn binary(random: &mut Random, name: &str) -> Call {
    let width = Width::of(name, &[&BINARY[..], &EXTREMES].concat());
    let x = float(random, width);
    let y = match random.below(6) {
        0 => x.clone(),
        1 => "2".into(),
        2 => return Call::new(format!("{} r = ({name})(0.0, -0.0);", width.name())).see_all(width.seen("r")),
        _ => float(random, width),
    };
    Call::new(format!("{} r = ({name})({x}, {y});", width.name())).see_all(width.seen("r"))
}

/// A function that gives an integer.
pub(super) fn to_integer(random: &mut Random, name: &str) -> Call {
    let width = Width::of(name, &TO_INTEGER);
    Call::new(format!("long r = ({name})({});", float(random, width))).see("r")
}

/// A function with arguments of several types or several results.
pub(super) fn several(random: &mut Random, name: &str) -> Call {
    let width = Width::of(name, &SEVERAL);
    let (x, y, z) = (float(random, width), float(random, width), float(random, width));
    let n = random.pick(&[0, 1, -1, 3, 60, -60, 1023, -1074, 20000, -20000, i32::MAX, i32::MIN]);
    let ty = width.name();
    let call = Call::default();
    let base = if width == Width::Double { name } else { &name[..name.len() - 1] };
    match base {
        "fma" => call.call(format!("{ty} r = ({name})({x}, {y}, {z});")),
        "frexp" => call
            .line("int e = 7;")
            .call(format!("{ty} r = ({name})({x}, &e);"))
            // The exponent of an infinity is unspecified.
            .see("r - r == 0 ? e : 0"),
        "ldexp" | "scalbn" => call.call(format!("{ty} r = ({name})({x}, {n});")),
        "scalbln" => {
            let far = random.pick(&["0x7fffffffffffffffl", "(-0x7fffffffffffffffl - 1)", "0x100000000l"]);
            let n = if random.one_in(3) { far.to_string() } else { n.to_string() };
            call.call(format!("{ty} r = ({name})({x}, {n});"))
        }
        "modf" => call.line(format!("{ty} i;")).call(format!("{ty} r = ({name})({x}, &i);")).see_all(width.seen("i")),
        "nan" => call.call(format!("{ty} r = ({name})({});", random.pick(&["\"\"", "\"1\"", "\"x\""]))),
        "remquo" => call.line("int q;").call(format!("{ty} r = ({name})({x}, {y}, &q);")).see("r == r ? q : 0"),
        _ => {
            return call
                .line(format!("{ty} s, c;"))
                .call(format!("({name})({x}, &s, &c);"))
                .see_all(width.seen("s"))
                .see_all(width.seen("c"));
        }
    }
    .see_all(width.seen("r"))
}

/// `<fenv.h>`.
pub(super) fn environment(random: &mut Random, name: &str) -> Call {
    let flags = random.pick(&["FE_INEXACT", "FE_DIVBYZERO", "FE_ALL_EXCEPT", "0"]);
    let call = Call::default();
    match name {
        "fegetround" => call.call("int r = fegetround();").see("r"),
        "fesetround" => {
            let mode = random.pick(&["FE_TONEAREST", "FE_UPWARD", "FE_DOWNWARD", "FE_TOWARDZERO", "1", "-1"]);
            let width = random.pick(&[Width::Float, Width::Double, Width::LongDouble]);
            let (ty, [x, y, z]) = (width.name(), [(); 3].map(|()| float(random, width)));
            let result = match random.below(6) {
                0 => random.pick(&["x + y", "x - y", "x * y", "x / y"]).to_string(),
                1 => format!("(float)({})", random.pick(&["x", "-x"])),
                2 => format!("(float){}", random.pick(&["n", "(unsigned long)n", "-(__int128)n * n"])),
                3 => format!("(double){}", random.pick(&["n", "(unsigned long)n", "-(__int128)n * n"])),
                4 => random
                    .pick(&[
                        "rintl(x)",
                        "nearbyint(x)",
                        "floor(x)",
                        "fabs(x) < 1e15 ? (double)lrint(x) : 0",
                        "round(y)",
                    ])
                    .to_string(),
                _ => random.pick(&["sqrt(x)", "sqrtf(x)", "fma(x, y, z)", "fmaf(x, y, z)"]).to_string(),
            };
            let call = call
                .line(format!("volatile {ty} x = {x}, y = {y}, z = {z}; volatile long n = {};", long(random)))
                .call(format!("int r = fesetround({mode});"))
                .line(format!("volatile {ty} result = {result};"))
                .line("int set = fegetround(); fesetround(FE_TONEAREST);");
            call.see("r").see("set").see_all(width.seen("result"))
        }
        "fetestexcept" => {
            call.line("volatile double x = 1, y = 3; x /= y;").call(format!("int r = fetestexcept({flags});")).see("r")
        }
        _ => call.call(format!("int r = {name}({flags});")).see("r").see("fetestexcept(FE_ALL_EXCEPT)"),
    }
}

/// Memory.
pub(super) fn memory(random: &mut Random, name: &str) -> Call {
    let n = random.below(9);
    let filled = "r[0] = 3;";
    let call = Call::default();
    match name {
        "malloc" | "valloc" => call.call(format!("char *r = {name}({});", n + 1)).line(filled).see("r[0]"),
        "calloc" => call.call(format!("char *r = calloc({}, 3);", n + 1)).see("r[0]").see("r[2]"),
        "realloc" => {
            call.line("char *p = malloc(2); p[0] = 5;").call(format!("char *r = realloc(p, {});", n + 1)).see("r[0]")
        }
        "reallocarray" => {
            let huge = random.one_in(4);
            let count = if huge { "SIZE_MAX / 2".to_string() } else { (n + 1).to_string() };
            call.call(format!("char *r = reallocarray(NULL, {count}, 3);")).see("r != NULL")
        }
        "free" | "cfree" => call.line("char *r = malloc(3); r[0] = 3; int n = r[0];").call("free(r);").see("n"),
        "posix_memalign" => {
            let alignment = random.pick(&[1, 2, 8, 16, 24, 64, 0]);
            call.line("void *r = NULL;")
                .call(format!("int n = posix_memalign(&r, {alignment}, {});", n + 1))
                .see("n")
                .see("r != NULL")
        }
        _ => {
            let alignment = random.pick(&[1, 2, 8, 16, 64]);
            call.call(format!("void *r = {name}({alignment}, {});", alignment * (n + 1)))
                .see("r != NULL")
                .see(format!("(uintptr_t)r % {alignment}"))
        }
    }
}
