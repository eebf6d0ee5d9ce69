//! Calls of `<ctype.h>` and `<string.h>`.

use super::call::Call;
use super::values::{int, long, quoted, text};
use kerf_testing::Random;

/// Letters that differ in case and in sign.
const ALPHABET: &[u8] = b"aAbBzZ@[`{,. \x01\x7f\x80\xff";

/// A short text.
fn word(random: &mut Random) -> String {
    let alphabet = if random.one_in(2) { &ALPHABET[..3] } else { ALPHABET };
    quoted(&text(random, alphabet, 6))
}

/// A character as an `int`.
fn character(random: &mut Random) -> String {
    match random.below(3) {
        0 => format!("(int)0x{:x}u", random.word() as u32),
        1 => "0".into(),
        _ => format!("(char){}", random.pick(ALPHABET)),
    }
}

/// Classes and cases of characters.
pub(super) fn characters(random: &mut Random, name: &str) -> Call {
    let any = random.below(257) - 1;
    let near = i32::from(random.pick(b"azAZ09@[`{/:! ~\t\r\x7f")) + random.below(3) - 1;
    let c = if random.one_in(2) { any } else { near };
    match name {
        "isascii" | "toascii" => {
            Call::new(format!("int r = ({name})({});", if random.one_in(2) { int(random) } else { c.to_string() }))
                .see("r")
        }
        "__ctype_b_loc" | "__ctype_tolower_loc" | "__ctype_toupper_loc" => {
            Call::default().see(format!("(*{name}())[{}]", c.max(random.below(384) - 128)))
        }
        _ => Call::new(format!("int r = ({name})({c});")).see("r"),
    }
}

/// Functions that read texts or blocks.
pub(super) fn looking(random: &mut Random, name: &str) -> Call {
    let (a, b, n) = (word(random), word(random), random.below(8));
    let c = character(random);
    let call = Call::default().line(format!("char a[8] = {a}, b[8] = {b};"));
    let in_a = "at(r, a)";
    match name {
        "strlen" => call.call("size_t r = (strlen)(a);").see("r"),
        "strnlen" => call.call(format!("size_t r = (strnlen)(a, {n});")).see("r"),
        "strcmp" | "strcoll" | "strcasecmp" => call.call(format!("int r = ({name})(a, b);")).see("r"),
        "strncmp" | "strncasecmp" | "memcmp" | "bcmp" => call.call(format!("int r = ({name})(a, b, {n});")).see("r"),
        "strchr" | "index" | "strrchr" | "rindex" | "strchrnul" => {
            call.call(format!("char *r = ({name})(a, {c});")).see(in_a)
        }
        "strspn" | "strcspn" => call.call(format!("size_t r = ({name})(a, b);")).see("r"),
        "strstr" | "strcasestr" | "strpbrk" => call.call(format!("char *r = ({name})(a, b);")).see(in_a),
        "memchr" | "memrchr" => call.call(format!("void *r = ({name})(a, {c}, {n});")).see(in_a),
        "rawmemchr" => call.line(format!("a[7] = {c};")).call(format!("void *r = (rawmemchr)(a, {c});")).see(in_a),
        _ => call.call(format!("void *r = (memmem)(a, {n}, b, {});", random.below(3))).see(in_a),
    }
}

/// Functions that change a text or a block.
pub(super) fn changing(random: &mut Random, name: &str) -> Call {
    let (a, b, n) = (word(random), word(random), random.below(8));
    let c = character(random);
    let call = Call::default().line("char to[16] = \"ZZZZZZZZZZZZZZZ\";").line(format!("char from[8] = {a};"));
    let start = format!("strcpy(to, {b});");
    let call = match name {
        "strcpy" | "stpcpy" => call.call(format!("char *r = ({name})(to, from);")),
        "strncpy" | "stpncpy" => call.call(format!("char *r = ({name})(to, from, {n});")),
        "strcat" => call.line(start).call("char *r = (strcat)(to, from);"),
        "strncat" => call.line(start).call(format!("char *r = (strncat)(to, from, {n});")),
        "strxfrm" => return call.call(format!("size_t r = (strxfrm)(to, from, {n});")).see("r").see_memory("to", 16),
        "memcpy" | "mempcpy" => call.call(format!("void *r = ({name})(to + {}, from, {n});", random.below(3))),
        "memmove" => call.call(format!("void *r = (memmove)(to + 1, to + {}, {n});", random.below(4))),
        "bcopy" => return call.call(format!("(bcopy)(from, to + 1, {n});")).see_memory("to", 16),
        "memset" => call.call(format!("void *r = (memset)(to + 1, {c}, {n});")),
        "bzero" | "explicit_bzero" => return call.call(format!("({name})(to + 1, {n});")).see_memory("to", 16),
        "memccpy" => call.call(format!("void *r = (memccpy)(to, from, {c}, {n});")),
        "__memcpy_chk" | "__memmove_chk" | "__mempcpy_chk" | "__strncpy_chk" => {
            call.call(format!("void *r = {name}(to, from, {n}, 16);"))
        }
        "__memset_chk" => call.call(format!("void *r = __memset_chk(to, {c}, {n}, 16);")),
        "__strcpy_chk" => call.call("char *r = __strcpy_chk(to, from, 16);"),
        "__strcat_chk" => call.line(start).call("char *r = __strcat_chk(to, from, 16);"),
        _ => call.line(start).call(format!("char *r = __strncat_chk(to, from, {n}, 16);")),
    };
    call.see("at(r, to)").see_memory("to", 16)
}

/// Parts of a text, one after the other.
pub(super) fn parts(random: &mut Random, name: &str) -> Call {
    let all = quoted(&text(random, b"a,;b", 7));
    let call = Call::default().line(format!("char a[8] = {all}; char *rest = a, *r;"));
    let separators = ["\",\"", "\",;\"", "\"\"", "\";a\""];
    let call = (0..3).fold(call, |call, i| {
        let s = random.pick(&separators);
        let first = if i == 0 { "a" } else { "NULL" };
        // After the end there is nothing to go on with.
        let next = match name {
            "strtok" => format!("r = (strtok)({first}, {s});"),
            "strtok_r" => format!("r = (strtok_r)({first}, {s}, &rest);"),
            _ => format!("r = (strsep)(&rest, {s});"),
        };
        call.call(next).see("at(r, a)")
    });
    call.see_memory("a", 8)
}

/// Parts of paths.
pub(super) fn paths(random: &mut Random, name: &str) -> Call {
    Call::default()
        .line(format!("char a[8] = {};", quoted(&text(random, b"/a/.", 6))))
        .call(format!("char *r = ({name})(a);"))
        .see("r >= a && r < a + 8 ? r - a : -1")
        .see("strlen(r)")
        .see_memory("a", 8)
}

/// Bytes in pairs.
pub(super) fn exchanged_bytes(random: &mut Random, _: &str) -> Call {
    Call::default()
        .line("char from[8] = \"abcdefg\", to[8] = \"ZZZZZZZ\";")
        .call(format!("swab(from, to, {});", random.below(10) - 2))
        .see_memory("to", 8)
}

/// Copies on the heap.
pub(super) fn copies(random: &mut Random, name: &str) -> Call {
    let a = word(random);
    let (call, length) = match name {
        "strndup" => (format!("char *r = (strndup)({a}, {});", random.below(8)), "strlen(r)"),
        _ => (format!("char *r = ({name})({a});"), "strlen(r)"),
    };
    Call::new(call).see("r != NULL").see(length).see("strncmp(r, \"aA\", 2)")
}

/// The text of an error.
pub(super) fn errors(random: &mut Random, _: &str) -> Call {
    let n = random.below(140);
    Call::new(format!("char *r = strerror({n});")).see("strlen(r)").see("r[0]").see("r[4]")
}

/// The lowest bit.
pub(super) fn lowest_bit(random: &mut Random, name: &str) -> Call {
    Call::new(format!("int r = ({name})({});", long(random))).see("r")
}

/// A short text of wide characters.
fn wide_word(random: &mut Random) -> String {
    let characters: Vec<String> = (0..random.below(6))
        .map(|_| random.pick(&["'a'", "'b'", "'Z'", "0x263a", "-5", "0x7fffffff"]).into())
        .collect();
    format!("{{{}}}", characters.join(", "))
}

/// Texts of wide characters.
pub(super) fn wide(random: &mut Random, name: &str) -> Call {
    let (a, b, n) = (wide_word(random), wide_word(random), random.below(6));
    let c = random.pick(&["'a'", "'b'", "0", "0x263a"]);
    let call = Call::default().line(format!("wchar_t a[16] = {a}, b[8] = {b};"));
    let in_a = "at(r, a)";
    match name {
        "wcslen" => call.call("size_t r = (wcslen)(a);").see("r"),
        "wcsnlen" => call.call(format!("size_t r = (wcsnlen)(a, {n});")).see("r"),
        "wcsdup" => call.call("wchar_t *r = (wcsdup)(a);").see("r[0]").see("(wcslen)(r)"),
        // Only the sign is specified, and it depends on the version what else glibc tells.
        "wcscmp" => call.call("int r = (wcscmp)(a, b);").see("(r > 0) - (r < 0)"),
        "wcsncmp" | "wmemcmp" => call.call(format!("int r = ({name})(a, b, {n});")).see("(r > 0) - (r < 0)"),
        "wcschr" | "wcsrchr" => call.call(format!("wchar_t *r = ({name})(a, {c});")).see(in_a),
        "wmemchr" => call.call(format!("wchar_t *r = (wmemchr)(a, {c}, {n});")).see(in_a),
        "wcsstr" | "wcspbrk" => call.call(format!("wchar_t *r = ({name})(a, b);")).see(in_a),
        "wcsspn" | "wcscspn" => call.call(format!("size_t r = ({name})(a, b);")).see("r"),
        "wcscpy" | "wcscat" => call.call(format!("wchar_t *r = ({name})(a, b);")).see(in_a).see_memory("(char *)a", 64),
        "wmemset" => call.call(format!("wchar_t *r = (wmemset)(a, {c}, {n});")).see(in_a).see_memory("(char *)a", 64),
        _ => call.call(format!("wchar_t *r = ({name})(a, b, {n});")).see(in_a).see_memory("(char *)a", 64),
    }
}

/// Classes and cases of wide characters.
pub(super) fn wide_characters(random: &mut Random, name: &str) -> Call {
    let near = i32::from(random.pick(b"azAZ09@[`{/:! ~\t\r\x7f")) + random.below(3) - 1;
    let c =
        if random.one_in(3) { random.pick(&["0xe4", "-1", "0x263a", "255", "128"]).into() } else { near.to_string() };
    let value = if name.starts_with("isw") { "r != 0" } else { "r" };
    Call::new(format!("wint_t r = ({name})({c});")).see(value)
}

/// Conversions between bytes and wide characters.
pub(super) fn wide_conversions(random: &mut Random, name: &str) -> Call {
    let n = random.below(7);
    let word = quoted(&text(random, b"ab~", 5));
    let call = Call::default().line("wchar_t wide[8] = {7, 7, 7, 7, 7, 7, 7, 7}; char bytes[8] = \"zzzzzzz\";");
    match name {
        "btowc" | "wctob" => {
            call.call(format!("int r = ({name})({});", random.pick(&["'a'", "0", "127", "-1"]))).see("r")
        }
        "mbstowcs" => call
            .call(format!("size_t r = (mbstowcs)({}, {word}, {n});", random.pick(&["wide", "NULL"])))
            .see("r")
            .see_memory("(char *)wide", 32),
        _ => call
            .line(format!("(mbstowcs)(wide, {word}, 8);"))
            .call(format!("size_t r = (wcstombs)({}, wide, {n});", random.pick(&["bytes", "NULL"])))
            .see("r")
            .see_memory("bytes", 8),
    }
}
