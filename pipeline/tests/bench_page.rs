//! The page of `kerf bench --html`, in a browser.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::{folder, kerf};

const ENTER: &str = "\u{e007}";
const RIGHT: &str = "\u{e014}";
const END: &str = "\u{e010}";

const HEAD: &str =
    "id\tcategory\tproperty\texpected\tverdict\tstatus\tcpu_s\twall_s\trss_mb\tstates\ttool\tsettings\tdetail\n";

/// A line of results by `tool`.
fn line(tool: &str, category: &str, id: &str, expected: &str, verdict: &str, cpu_s: f64, detail: &str) -> String {
    let status = match verdict {
        "true" | "false" if verdict == expected => "correct",
        "true" | "false" => "WRONG",
        other => other,
    };
    let states = if tool == "b" { String::new() } else { format!("{:.0}", cpu_s * 100.0) };
    format!(
        "{id}\t{category}\tunreach-call\t{expected}\t{verdict}\t{status}\t{cpu_s}\t{cpu_s}\t50\t{states}\t{tool}\t{tool} --x\t{detail}\n"
    )
}

/// Two tools on five tasks, one of which `b` did not run.
fn small() -> String {
    let rows = [
        ("a", "Loops", "sum", "true", "true", 3.0, ""),
        ("a", "Loops", "max", "false", "true", 9.0, ""),
        ("a", "Heap", "list", "true", "unknown", 0.1, "(loop bound 3)"),
        ("a", "Heap", "tree", "false", "false", 0.5, "(unreach-call)"),
        ("a", "Heap", "only-a", "true", "true", 1.0, ""),
        ("b", "Loops", "sum", "true", "true", 4.0, ""),
        ("b", "Loops", "max", "false", "timeout", 15.0, "killed"),
        ("b", "Heap", "list", "true", "true", 0.25, ""),
        ("b", "Heap", "tree", "false", "false", 0.5, "(unreach-call)"),
    ];
    let lines = rows.map(|(tool, category, id, expected, verdict, cpu_s, detail)| {
        line(tool, category, id, expected, verdict, cpu_s, detail)
    });
    HEAD.to_string() + &lines.concat()
}

/// The page about these results, and the folder that it is in.
fn page(results: &str) -> (tempfile::TempDir, PathBuf) {
    let dir = folder(&[("r.tsv", results)]);
    let answer = kerf(dir.path(), &["bench", "--show", "r.tsv", "--html", "r.html"]);
    assert_eq!(answer.code, 0, "{}{}", answer.out, answer.err);
    let page = dir.path().join("r.html");
    (dir, page)
}

/// The texts of the cells of a table's rows.
fn cells(browser: &Browser, table: &str) -> Value {
    let rows = format!("document.querySelectorAll('{table} tbody tr')");
    browser.run(&format!("return [...{rows}].map((row) => [...row.cells].map((cell) => cell.textContent).join('|'))"))
}

/// The names of the tasks that are listed, in order.
fn listed(browser: &Browser) -> Value {
    browser.run("return [...document.querySelectorAll('.tasks tbody th')].map((cell) => cell.textContent)")
}

/// Sets a field of the filter.
fn set(browser: &Browser, field: &str, value: &str) {
    browser.run(&format!(
        "const field = document.querySelector('#filter [name={field}]'); field.value = '{value}';\
         field.dispatchEvent(new Event(field.type === 'search' ? 'input' : 'change'));"
    ));
}

/// Presses a button by its text.
fn press(browser: &Browser, within: &str, text: &str) {
    browser.run(&format!(
        "[...document.querySelectorAll('{within} button')].find((button) => button.textContent === '{text}').click()"
    ));
}

#[test]
fn scores_and_plots_are_about_what_is_shown() {
    let Some(browser) = Browser::start() else { return };
    let (_dir, page) = page(&small());
    browser.open(&page);
    assert_eq!(browser.text("h1"), "Bench: 5 tasks, 2 configurations");
    let scores = cells(&browser, ".scores");
    // Of a: 2 + 1 + 2 - 32 of 2 + 1 + 2 + 1 + 2.
    assert_eq!(scores[0], "all|a|-27|8|60.0 %|5|2|1|1|0|1|0|0|13.6|1.50");
    assert_eq!(scores[1], "b|5|6|75.0 %|4|2|1|0|0|0|1|0|19.8|1.58");
    assert_eq!(
        (&scores[2], scores.as_array().map(Vec::len)),
        (&json!("Heap|a|3|5|66.7 %|3|1|1|0|0|1|0|0|1.6|0.75"), Some(6))
    );
    let points = |function: &str, tool: u32| {
        browser.run(&format!("return {function}({tool}, 0, shown.tasks).map(({{ x, y }}) => [x, y])"))
    };
    assert_eq!(points("quantiles", 0), json!([[1, 0.5], [2, 1], [3, 3]]));
    assert_eq!(points("scoreQuantiles", 0), json!([[-31, 0.5], [-29, 1], [-27, 3]]));
    assert_eq!(points("scoreQuantiles", 1), json!([[2, 0.25], [3, 0.5], [5, 4]]));
    let drawn = "return document.querySelector('#score-quantile polyline').getAttribute('points').split(' ').length";
    assert_eq!(browser.run(drawn), 3);
    assert_eq!(browser.text("#scatter .readout"), "Solved by both 2, by a alone 0, by b alone 1.");
    // Filters hold for all of them.
    set(&browser, "category", "Loops");
    assert_eq!(cells(&browser, ".scores")[0], "all|a|-30|3|50.0 %|2|1|0|1|0|0|0|0|12.0|3.00");
    assert_eq!(points("scoreQuantiles", 0), json!([[-30, 3]]));
    assert_eq!(browser.text("#shown"), "2 of 5 tasks");
    press(&browser, "#filter", "a");
    assert_eq!(browser.count("#quantile polyline"), 1);
    assert!(browser.text(".lines").contains('b') && !browser.text(".lines").contains('a'));
    browser.expect_no_errors();
}

#[test]
fn points_of_plots_are_told() {
    let Some(browser) = Browser::start() else { return };
    let (_dir, page) = page(&small());
    browser.open(&page);
    browser.run("document.querySelector('#quantile svg').focus()");
    browser.press(&RIGHT.repeat(2));
    assert_eq!(browser.text("#quantile .readout"), "n = 2: a 1.00 s (Heap/only-a); b 0.50 s (Heap/tree)");
    browser.run("document.querySelector('#scatter svg').focus()");
    browser.press(END);
    assert_eq!(browser.text("#scatter .readout"), "Heap/list: a ? unknown, b 0.25 s");
    // Another measure, which only one of the tools has.
    browser.run(
        "const measure = document.querySelector('#plots select'); measure.value = '3';\
         measure.dispatchEvent(new Event('change'));",
    );
    assert!(browser.text("#quantile svg").contains("reached states"));
    let lines = "return [...document.querySelectorAll('#quantile polyline')].map((line) => line.getAttribute('points').length > 0)";
    assert_eq!(browser.run(lines), json!([true, false]));
    press(&browser, "#plots", "logarithmic");
    assert!(browser.text("#quantile .tick").starts_with('0'));
    browser.expect_no_errors();
}

#[test]
fn tasks_are_sorted_filtered_and_opened() {
    let Some(browser) = Browser::start() else { return };
    let (_dir, page) = page(&small());
    browser.open(&page);
    assert_eq!(cells(&browser, ".tasks")[1], "max|Loops|false|✗ wrong true|9.00|50|… timeout|15.0|50");
    assert_eq!(browser.count(".tasks td.bad"), 1);
    assert_eq!(cells(&browser, ".tasks")[4], "only-a|Heap|true|✓ true|1.00|50|–||");
    // By keyboard: the second head of a's columns.
    let head = "document.querySelectorAll('.tasks thead tr:last-child th')[4]";
    browser.run(&format!("{head}.querySelector('button').focus()"));
    browser.press(ENTER);
    assert_eq!(listed(&browser), json!(["list", "tree", "only-a", "sum", "max"]));
    browser.press(ENTER);
    assert_eq!(browser.run(&format!("return {head}.getAttribute('aria-sort')")), "descending");
    assert_eq!(listed(&browser), json!(["max", "sum", "only-a", "tree", "list"]));
    // What was not run comes last in both orders.
    let of_b = "document.querySelectorAll('.tasks thead tr:last-child th button')[7]";
    for expected in [json!("only-a"), json!("only-a")] {
        browser.run(&format!("{of_b}.click()"));
        assert_eq!(listed(&browser)[4], expected);
    }
    press(&browser, "#filter", "only where tools differ");
    assert_eq!(listed(&browser), json!(["max", "list"]));
    press(&browser, "#filter", "only where tools differ");
    for (field, value, expected) in [
        ("text", "LOOP bound", json!(["list"])),
        ("text", "", json!(["max", "sum", "tree", "list", "only-a"])),
        ("status", "WRONG", json!(["max"])),
        ("status", "none", json!(["only-a"])),
        ("status", "", json!(["max", "sum", "tree", "list", "only-a"])),
        ("expected", "false", json!(["max", "tree"])),
    ] {
        set(&browser, field, value);
        assert_eq!(listed(&browser), expected, "{field} {value}");
    }
    browser.run("document.querySelector('.tasks tbody th button').focus()");
    browser.press(ENTER);
    let more = browser.text(".tasks .more");
    assert!(more.contains("Loops: unreach-call is false") && more.contains("killed"), "{more}");
    browser.press(ENTER);
    assert_eq!(browser.count(".tasks .more"), 0);
    // A further column.
    press(&browser, "#tasks", "reached states");
    assert_eq!(cells(&browser, ".tasks")[0], "max|Loops|false|✗ wrong true|9.00|50|900|… timeout|15.0|50|");
    browser.expect_no_errors();
}

/// Names, categories and reasons that look like markup.
#[test]
fn nothing_of_results_becomes_markup() {
    let Some(browser) = Browser::start() else { return };
    let bad = "</script><script>document.title = 'x'</script><img src=x onerror=alert(1)>&lt;'`\\u003c<!--";
    let (_dir, page) = page(&(HEAD.to_string() + &line(bad, bad, bad, "true", "unknown", 1.0, bad)));
    browser.open(&page);
    assert_eq!(browser.text(".tasks tbody th"), bad);
    browser.run("document.querySelector('.tasks tbody th button').click()");
    assert_eq!(browser.text(".tasks .reason"), bad);
    assert_eq!(browser.text("#tools code"), format!("{bad} --x"));
    assert_eq!(browser.count("img, main script"), 0);
    browser.expect_no_errors();
}

/// 2,000 tasks and five tools: a part of the rows is shown, and sorting and filters answer at once.
#[test]
fn large_results_stay_usable() {
    let Some(browser) = Browser::start() else { return };
    let mut results = HEAD.to_string();
    for tool in ["a", "b", "c", "d", "e"] {
        for i in 0..2000_u32 {
            let verdict = ["true", "unknown", "false", "true", "true"][(i.wrapping_mul(7) as usize + tool.len()) % 5];
            let category = format!("Category{}", i % 12);
            let cpu_s = f64::from(i.wrapping_mul(2_654_435_761) % 60_000) / 1000.0;
            let _ = write!(results, "{}", line(tool, &category, &format!("task-{i}"), "true", verdict, cpu_s, "(why)"));
        }
    }
    let (_dir, page) = page(&results);
    browser.open(&page);
    assert_eq!(browser.count(".tasks tbody tr"), 200);
    let took = browser.run(
        "const begin = performance.now();\
         document.querySelectorAll('.tasks thead tr:last-child th button')[4].click();\
         const field = document.querySelector('#filter [name=text]');\
         for (const text of ['t', 'ta', 'task-1', '']) { field.value = text; field.dispatchEvent(new Event('input')); }\
         document.body.getBoundingClientRect();\
         return performance.now() - begin;",
    );
    assert!(took.as_f64() < Some(10_000.0), "{took} ms");
    press(&browser, "#tasks", "show all");
    assert_eq!(browser.count(".tasks tbody tr"), 2000);
    browser.expect_no_errors();
}

#[test]
fn pages_of_results_fit_all_windows() {
    let Some(browser) = Browser::start() else { return };
    let (_dir, page) = page(&small());
    browser.expect_fit("bench", &page);
    browser.expect_no_errors();
}
