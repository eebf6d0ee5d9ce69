//! The pages of `kerf verify --output`, `kerf report` and `kerf slice --html`, in a browser.

use std::fmt::Write as _;
use std::path::PathBuf;

use crate::support::browser::Browser;
use crate::support::{check_bad, folder, kerf};

/// The keys that WebDriver writes as private characters.
const RIGHT: &str = "\u{e014}";
const END: &str = "\u{e010}";
const ENTER: &str = "\u{e007}";

const FAILS: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int y) {
  int twice = y + y;
  if (twice == 14)
    reach_error();
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  int unrelated = x * 3;
  if (x > 5)
    check(x);
  return unrelated;
}
";

/// A loop with an invariant, and a line that is never executed.
const HOLDS: &str = "\
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0;
  if (n > 1000)
    return 0;
  while (i < n) {
    i++;
  }
  if (i > 2000)
    reach_error();
  return 0;
}
";

/// The page of a verification, and the folder that it is in.
fn verified(program: &str, options: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let dir = folder(&[("a.c", program)]);
    let answer = kerf(dir.path(), &[&["verify", "--output", "out"], options, &["a.c"]].concat());
    assert!([0, 10, 20].contains(&answer.code), "{}", answer.err);
    let page = dir.path().join("out/report.html");
    assert!(page.exists(), "{}{}", answer.out, answer.err);
    (dir, page)
}

#[test]
fn violations_are_stepped_through() {
    let Some(browser) = Browser::start() else { return };
    let (_dir, page) = verified(FAILS, &[]);
    browser.open(&page);
    assert_eq!(browser.text("h1"), "RESULT: false(unreach-call)");
    assert!(browser.text("#answer").contains("reach_error() is called at a.c:6 in check()."));
    assert!(browser.text("#checks").contains("✗ violated"));
    let line = || browser.run("return Number(document.querySelector('tr.current')?.dataset.line)");
    assert_eq!(line(), 9);
    browser.press(&RIGHT.repeat(3));
    assert_eq!(line(), 12);
    browser.press(END);
    assert_eq!(line(), 6);
    let steps = browser.text(".steps");
    assert!(steps.contains("check() line 6twice14y7main() line 12"), "{steps}");
    assert_eq!(browser.run("return document.querySelectorAll('.steps button')[3].disabled"), true);
    browser.expect_no_errors();
}

#[test]
fn proofs_show_what_they_cover() {
    let Some(browser) = Browser::start() else { return };
    let (_dir, page) = verified(HOLDS, &["--strategy", "k-induction"]);
    browser.open(&page);
    assert_eq!(browser.text("h1"), "RESULT: true");
    assert!(browser.text("#checks").contains("✓ proved: never reached"));
    assert!(browser.text("#source").contains("invariant (int)i <= 1000"), "{}", browser.text("#source"));
    assert_eq!(browser.text("tr[data-line='7'] .proof"), "●");
    assert_eq!(browser.text("tr[data-line='11'] .proof"), "○");
    assert_eq!(browser.text("tr[data-line='2'] .proof"), "");
}

#[test]
fn pages_without_answer_say_why() {
    let Some(browser) = Browser::start() else { return };
    let (_dir, page) = verified(HOLDS, &["--strategy", "bmc,last-bound=2"]);
    browser.open(&page);
    assert!(browser.text("h1").starts_with("RESULT: unknown ("), "{}", browser.text("h1"));
    assert!(browser.text("#time").contains("bmc"), "{}", browser.text("#time"));
    assert!(browser.text("#checks").contains("? not decided"));
}

#[test]
fn slices_have_the_same_page() {
    let Some(browser) = Browser::start() else { return };
    let dir = folder(&[("a.c", FAILS)]);
    let answer = kerf(dir.path(), &["slice", "-c", "12:x", "--html", "a.html", "a.c"]);
    assert_eq!(answer.code, 0, "{}", answer.err);
    browser.open(&dir.path().join("a.html"));
    assert_eq!(browser.text("h1"), "Slice for: 12:x");
    let mark = |line: u32| browser.run(&format!("return document.querySelector('tr[data-line=\"{line}\"]').className"));
    assert_eq!((mark(10), mark(12)), ("cut".into(), "criterion".into()));
}

/// Names, texts and bytes of a program that look like markup or are no text at all.
#[test]
fn nothing_of_a_program_becomes_markup() {
    let Some(browser) = Browser::start() else { return };
    let dir = folder(&[]);
    let line = "const char *text = \"</script><img src=x onerror=alert(1)>&lt;'`\\\\u003c<!--\";";
    let mut program = format!("extern void reach_error(void);\n{line}\n// ").into_bytes();
    program.extend([0xff, 0xfe, 0xc3, 0x28, 0x07]);
    program.extend(b"\nint main(void) { if (text[0] == 'x') reach_error(); return 0; }\n");
    let name = "<b>&'a.c";
    std::fs::write(dir.path().join(name), program).expect("a file");
    let answer = kerf(dir.path(), &["verify", "--output", "out", name]);
    assert_eq!(answer.code, 0, "{}{}", answer.out, answer.err);
    browser.open(&dir.path().join("out/report.html"));
    assert_eq!(browser.text("header .program"), name);
    assert_eq!(browser.text("tr[data-line='2'] .text"), line);
    assert_eq!(browser.text("tr[data-line='3'] .text"), "// \u{fffd}\u{fffd}\u{fffd}(\u{7}");
    assert_eq!(browser.count("img, b[onerror], header b"), 0);
    browser.expect_no_errors();
}

/// A function with more than 10,000 locations: what is shown stays small, and everything is found.
#[test]
fn large_graphs_are_folded() {
    let Some(browser) = Browser::start() else { return };
    let mut program =
        "extern int input(void);\nextern void reach_error(void);\nint main(void) {\n  int x = 0;\n".to_string();
    for i in 0..1500 {
        let _ = writeln!(program, "  if (input() == {i}) x += {i}; else x ^= {i};");
    }
    program += "  if (x == 12345) reach_error();\n  return 0;\n}\n";
    let (_dir, page) = verified(&program, &["--timeout", "60s", "--strategy", "signs"]);
    browser.open(&page);
    let nodes = browser.run("return details.functions.find((f) => f.name === 'main').edges.length");
    assert!(nodes.as_u64() > Some(10_000), "{nodes}");
    let shown = browser.count(".node");
    assert!((20..=100).contains(&shown), "{shown}");
    let took = browser.run(
        "const begin = performance.now();\
         for (let i = 0; i < 5; i++) {\
             const open = [...document.querySelectorAll('.node .more')].at(-1).parentNode;\
             open.focus();\
             open.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));\
         }\
         return performance.now() - begin;",
    );
    assert!(browser.count(".node") > shown);
    assert!(took.as_f64() < Some(3000.0), "{took} ms");
    browser.run("document.querySelector('#graphs input').focus()");
    browser.press(&format!("1499{ENTER}"));
    assert!(browser.text(".node.selected").contains("1499") || browser.text("#graphs .graph").contains("1499"));
    browser.expect_no_errors();
}

#[test]
fn states_are_a_graph() {
    let Some(browser) = Browser::start() else { return };
    let (_dir, page) = verified(FAILS, &["--strategy", "predicate"]);
    browser.open(&page);
    browser.run(
        "const graphs = document.querySelector('#graphs select');\
         graphs.value = 'states'; graphs.dispatchEvent(new Event('change'));",
    );
    let shown = browser.text("#graphs svg.graph");
    assert!(shown.contains("main"), "{shown}");
    assert!(browser.count(".node") >= 2);
    assert_eq!(browser.count(".shape svg"), 2);
    browser.expect_no_errors();
}

#[test]
fn pages_are_made_again() {
    let (dir, page) = verified(FAILS, &[]);
    let first = std::fs::read_to_string(&page).expect("a page");
    std::fs::remove_file(&page).expect("a file");
    let answer = kerf(dir.path(), &["report", "out"]);
    assert_eq!((answer.code, &*answer.out, &*answer.err), (0, "", ""));
    assert_eq!(std::fs::read_to_string(&page).expect("a page"), first);
    let answer = kerf(dir.path(), &["report", "-o", "b.html", "out/report.json"]);
    assert_eq!(answer.code, 0, "{}", answer.err);
    assert_eq!(std::fs::read_to_string(dir.path().join("b.html")).expect("a page"), first);
}

#[test]
fn other_files_are_no_reports() {
    check_bad(&[], &["report", "none"], "none: ");
    check_bad(&[("a.json", "{\"format\": 1}")], &["report", "a.json"], "not what kerf verify --output writes");
    check_bad(&[("a.json", "{\"format\": 9}")], &["report", "a.json"], "this version of kerf reads format 1");
}

#[test]
fn pages_fit_all_windows() {
    let Some(browser) = Browser::start() else { return };
    let slice = folder(&[("a.c", FAILS)]);
    kerf(slice.path(), &["slice", "-c", "12:x", "--html", "a.html", "a.c"]);
    let verified = [
        ("false", verified(FAILS, &[])),
        ("true", verified(HOLDS, &["--strategy", "k-induction"])),
        ("unknown", verified(HOLDS, &["--strategy", "bmc,last-bound=2"])),
    ];
    let pages = verified.iter().map(|(name, (_, page))| (*name, page.clone()));
    for (name, page) in pages.chain([("slice", slice.path().join("a.html"))]) {
        browser.expect_fit(name, &page);
    }
    browser.expect_no_errors();
}
