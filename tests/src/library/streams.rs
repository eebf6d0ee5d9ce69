//! Calls of `<stdio.h>`: formats, what is read, streams.

use super::call::Call;
use super::values::{int, long, quoted, text};
use kerf_testing::Random;

/// A piece of a format of `printf`, and its arguments.
fn printed(random: &mut Random) -> (String, Vec<String>) {
    let letter = random.pick(b"ddiuoxXcssfegap%n_");
    match letter {
        b'_' => return (" a".into(), vec![]),
        b'%' => return ("%%".into(), vec![]),
        b'n' => {
            let (size, ty) = random.pick(&[("", "int"), ("hh", "signed char"), ("h", "short"), ("l", "long")]);
            return (format!("%{size}n"), vec![format!("({ty} *)&count")]);
        }
        _ => {}
    }
    let is_float = b"fega".contains(&letter);
    let mut flags = String::new();
    // A flag that has no meaning for a letter makes the behaviour undefined.
    for (flag, letters) in
        [('-', &b"diuoxXcsfegap"[..]), ('+', b"difega"), (' ', b"difega"), ('#', b"oxXfega"), ('0', b"diuoxXfega")]
    {
        if letters.contains(&letter) && random.one_in(4) {
            flags.push(flag);
        }
    }
    let mut arguments = Vec::new();
    let number = |random: &mut Random, arguments: &mut Vec<String>, least: i32| {
        let n = random.below(8) + least;
        if random.one_in(3) {
            arguments.push(n.to_string());
            return "*".to_string();
        }
        n.max(0).to_string()
    };
    let width = if random.one_in(2) { number(random, &mut arguments, -2).replace('0', "") } else { String::new() };
    let precision = match letter {
        b'c' | b'p' => String::new(),
        _ if random.one_in(2) => String::new(),
        _ => format!(".{}", number(random, &mut arguments, if letter == b's' { 0 } else { -1 })),
    };
    let mut size = "";
    arguments.push(match letter {
        b'c' => format!("{}", random.between(33, 126)),
        b's' => quoted(&text(random, b"abc\xff ", 6)),
        b'p' => "(void *)0".into(),
        _ if is_float => {
            let small = ["0.5", "-3.0", "1e10", "0.0", "-0.0", "__builtin_inf()", "-__builtin_nan(\"\")", "123.456"];
            random.pick(&small).to_string()
        }
        _ => {
            size = random.pick(&["", "", "hh", "h", "l", "ll", "j", "z", "t"]);
            if ["l", "ll", "j", "z", "t"].contains(&size) { long(random) } else { int(random) }
        }
    });
    (format!("%{flags}{width}{precision}{size}{}", char::from(letter)), arguments)
}

/// A format of `printf` in quotes, then its arguments.
fn printed_arguments(random: &mut Random, counts: bool) -> String {
    let mut format = String::new();
    let mut arguments = Vec::new();
    for _ in 0..random.between(1, 2) {
        let (piece, more) = printed(random);
        if counts || !piece.ends_with('n') {
            format.push_str(&piece);
            arguments.extend(more);
        }
    }
    let first = quoted(format.as_bytes());
    std::iter::once(first).chain(arguments).collect::<Vec<_>>().join(", ")
}

/// Functions that print to a stream, whose contents are not observed.
pub(super) fn printing(random: &mut Random, name: &str) -> Call {
    let arguments = printed_arguments(random, false);
    let c = random.word() as u8;
    let words = quoted(&text(random, b"ab%\xff", 5));
    let statement = match name {
        "printf" => format!("printf({arguments})"),
        "vprintf" => format!("with_list_{name}({arguments})"),
        "fprintf" => format!("fprintf(stdout, {arguments})"),
        "vfprintf" => format!("with_list_{name}(stdout, {arguments})"),
        "dprintf" => format!("dprintf(1, {arguments})"),
        "__printf_chk" => format!("__printf_chk(1, {arguments})"),
        "__fprintf_chk" => format!("__fprintf_chk(stdout, 1, {arguments})"),
        "__vprintf_chk" => format!("with_list_{name}(1, {arguments})"),
        "__vfprintf_chk" => format!("with_list_{name}(stdout, 1, {arguments})"),
        "puts" => format!("puts({words})"),
        "fputs" => format!("fputs({words}, stdout)"),
        "putchar" => format!("(putchar)({c})"),
        "putc" | "fputc" | "_IO_putc" => format!("({name})({c} - 256 * {}, stdout)", random.below(2)),
        "warn" | "warnx" => format!("({name}({arguments}), 0)"),
        "perror" => format!("(perror({words}), 0)"),
        _ => format!("fwrite(\"abcdef\", {}, {}, stdout)", random.below(4), random.below(3)),
    };
    Call::new(format!("long r = {statement};")).see("r")
}

/// Functions that print into memory.
pub(super) fn to_memory(random: &mut Random, name: &str) -> Call {
    let allocates = name.contains("asprintf");
    let arguments = printed_arguments(random, !allocates);
    let size = random.below(12);
    let statement = match name {
        "sprintf" => format!("sprintf(to, {arguments})"),
        "vsprintf" => format!("with_list_vsprintf(to, {arguments})"),
        "snprintf" => format!("snprintf(to, {size}, {arguments})"),
        "vsnprintf" => format!("with_list_vsnprintf(to, {size}, {arguments})"),
        "__sprintf_chk" => format!("__sprintf_chk(to, 0, 48, {arguments})"),
        "asprintf" => format!("asprintf(&block, {arguments})"),
        "vasprintf" => format!("with_list_vasprintf(&block, {arguments})"),
        "__asprintf_chk" => format!("__asprintf_chk(&block, 0, {arguments})"),
        "__vasprintf_chk" => format!("with_list___vasprintf_chk(&block, 0, {arguments})"),
        _ => format!("__snprintf_chk(to, {size}, 0, 48, {arguments})"),
    };
    let statement = if allocates { format!("{statement}; memcpy(to, block, r + 1); free(block)") } else { statement };
    let declared = if allocates { "char *block; " } else { "" };
    Call::default()
        .line(format!("{declared}char to[48] = \"ZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZ\"; long count = 0;"))
        .call(format!("int r = {statement};"))
        .see("r")
        .see("count")
        .see_memory("to", 48)
}

/// A piece of a format of `scanf`, whether it wants a place, and a text that may match.
fn scanned(random: &mut Random) -> (String, bool, Vec<u8>) {
    let skipped = if random.one_in(6) { "*" } else { "" };
    let width = if random.one_in(3) { random.between(1, 5).to_string() } else { String::new() };
    let place = skipped.is_empty();
    let letter = random.pick(b"diuxocs[[ffn%_ -");
    let size = random.pick(&["", "", "", "hh", "h", "l", "ll", "j", "z"]);
    match letter {
        b'_' | b' ' => (" ".into(), false, text(random, b" \n", 2)),
        b'-' => (",".into(), false, text(random, b",, ", 1)),
        b'%' => ("%%".into(), false, text(random, b"%% ", 2)),
        b'n' => (format!("%{size}n"), true, vec![]),
        b'c' => (format!("%{skipped}{width}c"), place, text(random, b"ab ", 4)),
        b's' => (format!("%{skipped}{width}s"), place, text(random, b"abc ", 5)),
        b'[' => {
            let set =
                random.pick(&["[ab]", "[^a]", "[a-c]", "[]a]", "[^]b]", "[b-]", "[-b]", "[^b-z]", "[c-a]", "[]-a]"]);
            (format!("%{skipped}{width}{set}"), place, text(random, b"abc]-", 5))
        }
        b'f' => {
            let size = random.pick(&["", "l", "L"]);
            let number = random.pick(&[
                "1.5", "-2", "1e3", "x", ".5", "nan", "1e", "0x1p1", "2e-", "-7.25E1", "0x", "0x1.8p", "+", ".", "0e",
            ]);
            (format!("%{skipped}{width}{size}f"), place, number.into())
        }
        _ => {
            let mut number = text(random, b" +-", 1);
            match random.below(4) {
                0 => number.extend(format!("{}", random.input()).as_bytes()),
                1 => number.extend(b"0x"),
                _ => {}
            }
            number.extend(text(random, b"01789af", 3));
            (format!("%{skipped}{width}{size}{}", char::from(letter)), place, number)
        }
    }
}

/// Functions that read by a format, from a stream or a text.
pub(super) fn scanning(random: &mut Random, name: &str) -> Call {
    let from_text = name.contains("sscanf");
    let mut format = String::new();
    let mut input = Vec::new();
    let mut places = Vec::new();
    for _ in 0..random.between(1, 3) {
        let (piece, place, matching) = scanned(random);
        format.push_str(&piece);
        input.extend(matching);
        if place {
            places.push(format!("v{}", places.len()));
        }
        if random.one_in(3) {
            input.push(b' ');
        }
    }
    let first = quoted(format.as_bytes());
    let arguments = std::iter::once(first).chain(places.iter().cloned()).collect::<Vec<_>>().join(", ");
    let plain = if name.starts_with("__isoc") { name.to_string() } else { format!("plain_{name}") };
    let is_list = name.trim_start_matches("__isoc99_").starts_with('v');
    let called = if is_list { format!("with_list_{plain}") } else { plain };
    let from = match name {
        _ if from_text => format!("{}, ", quoted(&input)),
        _ if name.contains("fscanf") => "stdin, ".into(),
        _ => String::new(),
    };
    let call = places.iter().fold(Call::default(), |call, v| call.line(format!("u64 {v}[3]; memset({v}, 'Z', 24);")));
    let call = call.call(format!("int r = {called}({from}{arguments});")).see("r");
    let mut call = places.iter().fold(call, |call, v| call.see_memory(&format!("(char *){v}"), 24));
    if !from_text {
        call.input = input;
    }
    call
}

/// Characters, lines and blocks from a stream.
pub(super) fn reading(random: &mut Random, name: &str) -> Call {
    let mut input = text(random, b"ab\n\n\xff", 7);
    let call = Call::default().line("char to[16] = \"ZZZZZZZZZZZZZZZ\"; long r;");
    let call = match name {
        "getchar" => call.call("r = (getchar)();"),
        "getc" | "fgetc" | "_IO_getc" => call.call(format!("r = ({name})(stdin);")),
        "fgets" => call.call(format!("r = fgets(to, {}, stdin) == NULL;", random.below(10))),
        "gets" => call.call("r = gets(to) == NULL;"),
        "fread" => {
            let call = call.call(format!("r = fread(to, {}, {}, stdin);", random.below(4), random.below(5)));
            call.see("feof(stdin) != 0")
        }
        "read" => call.call(format!("r = read({}, to, {});", random.pick(&["0", "0", "0", "77"]), random.below(9))),
        _ => {
            let start = random.pick(&["NULL", "malloc(2)", "malloc(4)"]);
            let size = if start == "malloc(2)" { 2 } else { 4 };
            let statement = match name {
                "getline" => "r = getline(&line, &size, stdin);",
                _ => "r = getdelim(&line, &size, 'b', stdin);",
            };
            if random.one_in(3) {
                input.clear();
            }
            call.line(format!("char *line = {start}; size_t size = {size};"))
                .call(statement)
                .see("line == NULL")
                .see("r < 0 ? 0 : line[0]")
                .see("size")
        }
    };
    let mut call = call.see("r").see_memory("to", 16);
    call.input = input;
    call
}

/// A stream is opened, used in some ways, and closed.
pub(super) fn streams(random: &mut Random, name: &str) -> Call {
    let opened = match name {
        "fdopen" => "fdopen(1, \"w\")",
        "tmpfile" => "tmpfile()",
        "popen" | "pclose" => random.pick(&["popen(\"exit 3\", \"r\")", "popen(\"echo a\", \"r\")"]),
        _ => random.pick(&[
            "fopen(\"f\", \"w+\")",
            "fopen(\"f\", \"w\")",
            "fopen(\"nowhere\", \"r\")",
            "fopen(\"/dev/null\", \"r\")",
            "fopen(\"/dev/full\", \"w\")",
            "fopen(\"/dev/zero\", \"r\")",
        ]),
    };
    let mut call = Call::new(format!("FILE *f = {opened};")).see("f == NULL").line("if (f == NULL) f = stdin;");
    let buffering =
        random.pick(&["setvbuf(f, NULL, _IONBF, 0)", "setvbuf(f, NULL, 7, 0)", "setvbuf(f, NULL, _IOFBF, 64)"]);
    let ways = [
        ("fflush", "fflush(f)"),
        ("feof", "feof(f)"),
        ("ferror", "ferror(f)"),
        ("clearerr", "(clearerr(f), feof(f))"),
        ("fileno", "fileno(f)"),
        ("fileno", "fileno(stdout)"),
        ("fseek", "fseek(f, 2, SEEK_SET)"),
        ("fseek", "fseek(f, -2, SEEK_CUR)"),
        ("ftell", "ftell(f)"),
        ("rewind", "(rewind(f), ftell(f))"),
        ("setvbuf", buffering),
        ("setbuf", "(setbuf(f, NULL), 0)"),
        ("setlinebuf", "(setlinebuf(f), 0)"),
        ("fputc", "fputc(7, f)"),
        ("fgetc", "fgetc(f)"),
        ("ungetc", "(ungetc('x', f) == 'x' ? fgetc(f) : -7)"),
        ("freopen", "freopen(\"f\", \"r\", f) == NULL"),
        ("fputs", "fputs(\"ab\", f)"),
    ];
    for (_, way) in ways.iter().filter(|(way, _)| *way == name) {
        call = call.line("{").call(format!("long r = {way};")).see("r").line("}");
    }
    for _ in 0..random.below(3) {
        call = call.line("{").call(format!("long r = {};", random.pick(&ways).1)).see("r").line("}");
    }
    match name {
        "popen" | "pclose" => call.line("{").call("long r = pclose(f);").see("r").line("}"),
        _ => call.line("{").call("long r = f == stdin ? 0 : fclose(f);").see("r").line("}"),
    }
}

/// Files by their names.
pub(super) fn files(random: &mut Random, name: &str) -> Call {
    let make = if random.one_in(2) { "fclose(fopen(\"g\", \"w\"));" } else { "" };
    Call::default()
        .line(make)
        .call(match name {
            "remove" => "int r = remove(\"g\");",
            _ => "int r = rename(\"g\", \"h\");",
        })
        .see("r")
}
