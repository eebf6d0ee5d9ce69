//! Witnesses from outside: what is written, what is confirmed, and that no wrong claim is.

use std::path::Path;

use crate::support::{Answer, check_bad, folder, kerf};

/// A violation that takes certain inputs; a call in a condition, whose result is no waypoint.
const BAD: (&str, &str) = (
    "bad.c",
    "extern int __VERIFIER_nondet_int(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\nextern void reach_error(void);\n\
     int main(void) {\n    int a = __VERIFIER_nondet_int();\n    unsigned char b;\n    b = __VERIFIER_nondet_uchar();\n    \
     if (__VERIFIER_nondet_int() == 3)\n        return 0;\n    if (a == -17 && b > 200)\n        reach_error();\n    return 0;\n}\n",
);

/// Its proof takes the invariant `x == y`.
const COUNTERS: (&str, &str) = (
    "counters.c",
    "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n    unsigned x = 0, y = 0;\n    \
     while (__VERIFIER_nondet_int()) {\n        x++;\n        y++;\n    }\n    if (x != y)\n        reach_error();\n    return 0;\n}\n",
);

/// Variables of one name in several scopes.
const SCOPES: (&str, &str) = (
    "scopes.c",
    "extern unsigned char __VERIFIER_nondet_uchar(void);\nextern void reach_error(void);\nint x = 7;\n\
     struct { int a; unsigned b[3]; } p = {1, {2, 3, 4}};\nenum e { A, B } en = B;\nint f(int n) {\n    int r = 0;\n    \
     for (int i = 0; i < n; i++) {\n        int x = 3;\n        r += x;\n        \
     for (int j = 0; j < 2; j++)\n            r += 0;\n    }\n    return r;\n}\nint main(void) {\n    \
     int n = __VERIFIER_nondet_uchar();\n    { int z = 5; z++; }\n    int r = f(n);\n    long w = -1;\n    \
     unsigned u = 4000000000u;\n    int k = 0;\n    while (k < 10) { int x = 1; k += x; }\n    int late = 2;\n    \
     do { k++; } while (k < 20);\n    if (r < 0) reach_error();\n    return 0;\n}\n",
);

fn verify(dir: &Path, options: &[&str]) -> Answer {
    kerf(dir, &[&["verify", "--timeout", "300s"], options].concat())
}

/// The last line about the witness `text` of `program`, and the exit status.
fn check(dir: &Path, program: &str, text: &str) -> (i32, String) {
    std::fs::write(dir.join("checked.yml"), text).expect("a file");
    let answer = kerf(dir, &["witness", "check", "--timeout", "300s", "checked.yml", program]);
    (answer.code, answer.out.lines().last().unwrap_or(&answer.err).to_string())
}

fn written(dir: &Path, name: &str) -> String {
    std::fs::read_to_string(dir.join(name)).expect("a witness")
}

/// A witness of `program` with this content.
fn witness(kind: &str, program: &str, content: &str) -> String {
    format!(
        "- entry_type: {kind}\n  metadata:\n    format_version: 2.0\n    uuid: x\n    creation_time: x\n    producer: {{name: other, version: '1'}}\n    \
         task:\n      input_files: [{program}]\n      specification: CHECK( init(main()), LTL(G ! call(reach_error())) )\n      \
         data_model: LP64\n      language: C\n  content:\n{content}"
    )
}

/// A correctness witness of `program` with one invariant.
fn invariant(program: &str, line: u32, column: Option<u32>, value: &str) -> String {
    let column = column.map_or(String::new(), |column| format!(", column: {column}"));
    let content = format!(
        "  - invariant:\n      type: loop_invariant\n      location: {{file_name: {program}, line: {line}{column}}}\n      \
         value: \"{value}\"\n      format: c_expression\n"
    );
    witness("invariant_set", program, &content)
}

/// A waypoint of `bad.c` in a segment of its own.
fn waypoint(kind: &str, line: u32, column: Option<u32>, constraint: Option<&str>) -> String {
    let column = column.map_or(String::new(), |column| format!(", column: {column}"));
    let constraint = constraint.map_or(String::new(), |value| format!(", constraint: {{value: '{value}'}}"));
    format!(
        "  - segment:\n    - waypoint: {{type: {kind}, action: follow, location: {{file_name: bad.c, line: {line}{column}}}{constraint}}}\n"
    )
}

#[test]
fn a_violation_is_written_with_what_validators_take() {
    let dir = folder(&[BAD]);
    let answer = verify(dir.path(), &["--witness", "w.yml", BAD.0]);
    assert_eq!(answer.code, 10, "{} {}", answer.out, answer.err);
    assert!(answer.out.contains("  witness  w.yml"), "{}", answer.out);
    let text = written(dir.path(), "w.yml");
    assert!(text.contains("format_version: \"2.0\"\n"), "{text}");
    // The closing brackets of the two calls whose results are assigned, and the statement; not the call in the condition.
    let places: Vec<&str> = text.split("location:").skip(1).collect();
    let wanted = ["line: 5\n          column: 35", "line: 7\n          column: 33", "line: 11\n          column: 9"];
    assert_eq!(places.len(), wanted.len(), "{text}");
    assert!(places.iter().zip(wanted).all(|(place, wanted)| place.contains(wanted)), "{text}");
    assert!(text.contains("value: \"\\\\result == -17\""), "{text}");
    assert_eq!(check(dir.path(), BAD.0, &text), (10, "RESULT: false(unreach-call)".into()));
}

#[test]
fn doubtful_waypoints_are_left_out() {
    // A macro, a part of an expression, a float, a pointer, a position that a line directive gives.
    let source = "extern int __VERIFIER_nondet_int(void);\nextern float __VERIFIER_nondet_float(void);\n\
                  extern unsigned long __VERIFIER_nondet_ulong(void);\nextern void reach_error(void);\n\
                  #define ANY __VERIFIER_nondet_int()\n#define FAIL reach_error()\nint main(void) {\n    int a = ANY;\n    \
                  int b = 1 + __VERIFIER_nondet_int();\n    float c = __VERIFIER_nondet_float();\n    \
                  unsigned long d = __VERIFIER_nondet_ulong();\n    \
                  if (a == 1 && b == 2 && c == 3 && d == 18446744073709551615ul) FAIL;\n    return 0;\n}\n";
    let moved = source.replace("int main", "# 70 \"origin.c\"\nint main").replace("FAIL;", "reach_error();");
    let dir = folder(&[("doubt.c", source), ("moved.c", &moved)]);
    for (program, place) in [("doubt.c", ("doubt.c", 12)), ("moved.c", ("origin.c", 75))] {
        let answer = verify(dir.path(), &["--witness", "w.yml", program]);
        assert_eq!(answer.code, 10, "{} {}", answer.out, answer.err);
        let text = written(dir.path(), "w.yml");
        assert_eq!(text.matches("waypoint").count(), 1, "{text}");
        assert!(
            text.ends_with(&format!("          file_name: \"{}\"\n          line: {}\n", place.0, place.1)),
            "{text}"
        );
        assert_eq!(check(dir.path(), program, &text).0, 10, "{text}");
    }
}

#[test]
fn wrong_violations_are_not_confirmed() {
    let safe = BAD.1.replace("a == -17 &&", "a == -17 && a > 0 &&");
    let dir = folder(&[BAD, ("safe.c", &safe)]);
    verify(dir.path(), &["--witness", "w.yml", BAD.0]);
    let right = written(dir.path(), "w.yml");
    let refuted = "RESULT: unknown (the witness is refuted: no execution along its waypoints violates the property)";
    for (from, to, end) in [
        ("== -17", "== -18", refuted),
        ("== -17", "> -17", refuted),
        ("line: 11", "line: 10", "nothing in the program is there)"),
        ("line: 5", "line: 6", "nothing in the program is there)"),
        ("column: 35", "column: 34", "nothing in the program is there)"),
        ("\\\\result == -17", "q == -17", ""),
        (
            "file_name: \"bad.c\"\n          line: 5",
            "file_name: \"other.c\"\n          line: 5",
            "nothing in the program is there)",
        ),
        ("call(reach_error())", "call(other())", ""),
        ("LP64", "ILP32", "with another content"),
    ] {
        let bent = right.replace(from, to);
        let (code, last) = check(dir.path(), BAD.0, &bent);
        assert!(code != 10 || bent == right || from == "LP64", "{from} -> {to}: {last}");
        assert!(!end.starts_with("RESULT") || last == end, "{from} -> {to}: {last}");
        assert!(!end.starts_with("nothing") || last.ends_with(end), "{from} -> {to}: {last}");
    }
    // The witness of another program, and the same without the hash.
    let (code, last) = check(dir.path(), "safe.c", &right);
    assert_eq!((code, last.contains("a file bad.c with another content")), (20, true), "{last}");
    let target =
        witness("violation_sequence", "safe.c", &waypoint("target", 11, Some(9), None).replace("bad.c", "safe.c"));
    assert_eq!(check(dir.path(), "safe.c", &target), (20, refuted.into()));
}

#[test]
fn all_kinds_of_waypoints_lead_the_search() {
    let dir = folder(&[BAD]);
    let target = waypoint("target", 11, Some(9), None);
    let along = |waypoints: &[String]| {
        let content = waypoints.concat() + &target;
        check(dir.path(), BAD.0, &witness("violation_sequence", BAD.0, &content)).0
    };
    assert_eq!(along(&[]), 10);
    for (right, wrong) in [
        (waypoint("branching", 8, Some(5), Some("false")), waypoint("branching", 8, Some(5), Some("true"))),
        (waypoint("branching", 10, None, Some("true")), waypoint("branching", 10, None, Some("false"))),
        (waypoint("assumption", 10, Some(5), Some("a == -17")), waypoint("assumption", 10, Some(5), Some("a == 17"))),
        (waypoint("assumption", 8, None, Some("b > 200")), waypoint("assumption", 8, None, Some("b < 200"))),
        (waypoint("function_enter", 5, Some(35), None), waypoint("function_enter", 12, Some(35), None)),
        (
            waypoint("function_return", 7, Some(33), Some("\\result >= 201")),
            waypoint("function_return", 7, Some(33), Some("\\result <= 200")),
        ),
    ] {
        assert_eq!(
            (along(std::slice::from_ref(&right)), along(std::slice::from_ref(&wrong))),
            (10, 20),
            "{right}{wrong}"
        );
        let avoided = right.replace("action: follow", "action: avoid");
        let (head, body) = avoided.split_at(avoided.find("    - ").expect("a waypoint"));
        let both = format!("{head}{body}{}", target.replace("  - segment:\n", ""));
        let (code, last) = check(dir.path(), BAD.0, &witness("violation_sequence", BAD.0, &both));
        assert_eq!(code, 20, "{avoided}{last}");
    }
    // A position within the condition is not that of the keyword.
    assert_eq!(along(&[waypoint("branching", 10, Some(9), Some("true"))]), 20);
    // The target is the statement, or its line.
    for (column, code) in [(None, 10), (Some(9), 10), (Some(8), 20), (Some(10), 20), (Some(1), 20)] {
        let content = waypoint("target", 11, column, None);
        assert_eq!(check(dir.path(), BAD.0, &witness("violation_sequence", BAD.0, &content)).0, code, "{column:?}");
    }
}

#[test]
fn branches_are_those_of_the_source() {
    // Compilers exchange the branches of a negation, also of one that a macro hides.
    let source = "#define NOT(c) !(c)\n#define SAME(c) (c)\nextern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
                  int main(void) {\n    int a = __VERIFIER_nondet_int();\n    int b = 0;\n    if (NOT(a == 3))\n        b = 1;\n    \
                  if (!(a > 9)) { b++; } else b += 2;\n    if (SAME(a)) b += 4;\n    if (!b)\n        ;\n    \
                  if (b == 7 && a != 3)\n        reach_error();\n    return 0;\n}\n";
    let dir = folder(&[("bad.c", source)]);
    let target = waypoint("target", 15, Some(9), None);
    // 1 + 2 + 4: a is another number, which is greater than 9.
    for (line, right, wrong) in [(8, "true", "false"), (10, "false", "true"), (11, "true", "false")] {
        for (taken, code) in [(right, 10), (wrong, 20)] {
            let content = waypoint("branching", line, Some(5), Some(taken)) + &target;
            let (found, last) = check(dir.path(), "bad.c", &witness("violation_sequence", "bad.c", &content));
            assert_eq!(found, code, "{line} {taken}: {last}");
        }
    }
    let content = waypoint("branching", 12, Some(5), Some("false")) + &target;
    let (code, last) = check(dir.path(), "bad.c", &witness("violation_sequence", "bad.c", &content));
    assert_eq!(code, 20, "{last}");
}

#[test]
fn what_debug_information_does_not_know_is_not_certain() {
    let source = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint x = 7, y = 8, z = 9;\n#define z 9\n\
                  int main(void) {\n    int k = 0;\n    enum { x = 1 };\n    typedef int y;\n    \
                  while (__VERIFIER_nondet_int())\n        k = 0;\n    if (k) reach_error();\n    return 0;\n}\n";
    let dir = folder(&[("hides.c", source)]);
    let check = |value: &str| check(dir.path(), "hides.c", &invariant("hides.c", 9, Some(5), value));
    assert_eq!(check("k == 0").0, 0);
    for (name, value) in [("x", 7), ("y", 8), ("z", 9)] {
        let (code, last) = check(&format!("{name} == {value}"));
        assert_eq!((code, last.ends_with(&format!("it is not certain what {name} is)"))), (20, true), "{last}");
    }
}

#[test]
fn invariants_are_written_and_proved_again() {
    let dir = folder(&[COUNTERS]);
    let answer = verify(dir.path(), &["--strategy", "k-induction", "--witness", "w.yml", COUNTERS.0]);
    assert_eq!(answer.code, 0, "{} {}", answer.out, answer.err);
    let text = written(dir.path(), "w.yml");
    assert!(text.contains("line: 5\n        column: 5\n"), "{text}");
    assert!(text.contains("value: \"x == y\"") || text.contains("value: \"y == x\""), "{text}");
    assert_eq!(check(dir.path(), COUNTERS.0, &text), (0, "RESULT: true".into()));
    for bent in
        ["x == y + 1", "x > y", "x != y", "x < 100", "!(x == y)", "x == y && x == 0", "z == y", "*x == y", "f(x)"]
    {
        let text = text.replace("x == y", bent).replace("y == x", bent);
        let (code, last) = check(dir.path(), COUNTERS.0, &text);
        assert_eq!(code, 20, "{bent}: {last}");
    }
    // The claim itself is wrong: the property does not hold.
    let wrong = COUNTERS.1.replace("x != y", "x == y");
    std::fs::write(dir.path().join("wrong.c"), wrong).expect("a file");
    for text in [invariant("wrong.c", 5, None, "x == y"), witness("invariant_set", "wrong.c", "    []\n")] {
        let (code, last) = check(dir.path(), "wrong.c", &text);
        assert_eq!((code, last.as_str()), (10, "RESULT: false(unreach-call)"));
    }
}

#[test]
fn names_mean_what_they_mean_in_c() {
    let dir = folder(&[SCOPES]);
    let of = |line, column, value: &str| check(dir.path(), SCOPES.0, &invariant(SCOPES.0, line, column, value));
    for (line, column, value) in [
        (8, 5, "i <= n || n < 0"),
        (8, 5, "r == 3 * i"),
        // The local variable is not visible yet.
        (8, 5, "x == 7"),
        (11, 9, "x == 3"),
        (11, 9, "j <= 2 && i < n"),
        (23, 5, "k <= 10"),
        (23, 5, "x == 7"),
        (23, 5, "w > u == 0 && w == -1"),
        (23, 5, "(unsigned long)w > u"),
        (23, 5, "p.a == 1 && p.b[2] == 4"),
        // An enumeration without negative constants is unsigned.
        (23, 5, "!(en > -1) && en == 1"),
        (23, 5, "(unsigned char)n == n && ~n < 0 && n >> 8 == 0"),
        (23, 5, "k < 5 ? 1 : k >= 5"),
        (23, 5, "1"),
    ] {
        let (code, last) = of(line, Some(column), value);
        assert_eq!(code, 0, "{line}: {value}: {last}");
    }
    for (line, column, value) in [
        (8, 5, "i < n"),
        (8, 5, "x == 3"),
        (11, 9, "x == 7"),
        (23, 5, "x == 1"),
        (23, 5, "z == 6"),
        (23, 5, "late == 2"),
        (23, 5, "i == 0"),
        (23, 5, "k < 10"),
        (23, 5, "w < u == 0"),
        (23, 5, "w > 0u"),
        (23, 5, "p.b[1] == 4"),
        (23, 5, "en > -1"),
        (23, 5, "(signed char)n == n"),
        (23, 5, "0"),
        (23, 6, "k <= 10"),
        (22, 5, "k <= 10"),
        (25, 5, "k <= 20"),
    ] {
        let (code, last) = of(line, Some(column), value);
        assert_eq!(code, 20, "{line}: {value}: {last}");
    }
    assert_eq!(of(23, None, "k <= 10").0, 0);
}

#[test]
fn hints_are_tried_and_not_believed() {
    let dir = folder(&[COUNTERS]);
    for (value, note) in [("x == y", None), ("x == y + 1", None), ("z == 3", Some("no variable z is visible there"))] {
        std::fs::write(dir.path().join("h.yml"), invariant(COUNTERS.0, 5, Some(5), value)).expect("a file");
        let answer =
            verify(dir.path(), &["--strategy", "k-induction", "--output", "out", "--hints", "h.yml", COUNTERS.0]);
        assert_eq!(answer.code, 0, "{value}: {} {}", answer.out, answer.err);
        assert_eq!(answer.out.contains("Note: not used as a hint"), note.is_some(), "{}", answer.out);
        assert!(note.is_none_or(|note| answer.out.contains(note)), "{}", answer.out);
        // The proof is one of the program without hints.
        let checked = kerf(dir.path(), &["certificate", "check", COUNTERS.0, "out/certificate.txt"]);
        assert_eq!(checked.code, 0, "{} {}", checked.out, checked.err);
    }
}

#[test]
fn bad_witnesses_get_one_line() {
    let text = ("w.yml", "- entry_type: violation_sequence\n");
    check_bad(&[BAD, text], &["witness", "check", "w.yml", BAD.0], "w.yml: not a witness: ");
    check_bad(&[BAD], &["witness", "check", "w.yml", BAD.0], "w.yml: no such file");
    let violation = witness("violation_sequence", BAD.0, &waypoint("target", 11, None, None));
    check_bad(&[BAD, ("w.yml", &violation)], &["verify", "--hints", "w.yml", BAD.0], "has no invariants to hint at");
    check_bad(
        &[BAD],
        &["verify", "--property", "label:L", "--witness", "w.yml", BAD.0],
        "labels have no place in witnesses",
    );
    let other = violation.replace("G ! call(reach_error())", "G ! overflow");
    check_bad(&[BAD, ("w.yml", &other)], &["witness", "check", "w.yml", BAD.0], "no-overflow is not supported");
}
