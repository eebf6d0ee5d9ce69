//! Certificates as text.

use crate::support::*;
use checker::text;

fn read_error(cfa: &cfa::Cfa, written: &str) -> String {
    text::read(written, cfa).expect_err("an error").to_string()
}

#[test]
fn certificates_survive_the_way_through_text() {
    let s = sum(6);
    let explorer = || Explorer::new(&s.cfa, &whole(&s.cfa));
    let all = [
        explorer().unwinding(40),
        explorer().values(1000).expect("few states"),
        explorer().invariants(100_000).expect("few states"),
        explorer().loops(100_000).expect("few states"),
    ];
    for cert in all {
        let written = text::write(&s.cfa, &cert);
        let again = text::read(&written, &s.cfa).expect("a certificate");
        assert!(again.slice == cert.slice && again.frames == cert.frames && again.nodes.len() == cert.nodes.len());
        for (a, b) in again.nodes.iter().zip(&cert.nodes) {
            assert_eq!((a.loc, a.stack, a.successors.len()), (b.loc, b.stack, b.successors.len()));
            let values =
                |n: &checker::Node| n.label.as_ref().map(|l| (l.env.globals.len(), l.env.locals.len(), l.below.len()));
            assert_eq!(values(a), values(b));
        }
        // Without terms of their own, texts are equal: constants have no numbers.
        if written.contains("\nterms 4\n") {
            assert!(text::write(&s.cfa, &again) == written);
        }
        check(&s.cfa, &again).expect("a proof");
    }
}

#[test]
fn the_format() {
    let s = sum(6);
    let written = text::write(&s.cfa, &Explorer::new(&s.cfa, &whole(&s.cfa)).values(1000).expect("few states"));
    let short: String =
        written.lines().filter(|l| !l.starts_with("program ")).take(24).map(|l| format!("{l}\n")).collect();
    expect_test::expect![[r#"
        certificate 1
        kept 0-10
        live 0-10
        terms 4
        cfa 1
        pointer_bits 64
        entry terms
        func terms entry l0 exit l1
        frame l7 -
        node l0 -
         label
         e0 -> 1
        node l4 -
         label
          v0=0:4
         e1 -> 2
        node l5 -
         label 1
          v2=0:2
         e2 -> 3
        node l6 -
         label 2
         e4 -> 4
        node l2 0
    "#]]
    .assert_eq(&short);
}

#[test]
fn what_is_no_certificate_is_refused() {
    let s = sum(6);
    let cert = Explorer::new(&s.cfa, &whole(&s.cfa)).invariants(100_000).expect("few states");
    let written = text::write(&s.cfa, &cert);
    assert!(read_error(&sum(5).cfa, &written).contains("for another program"));
    assert!(read_error(&s.cfa, "certificate 2\n").contains("in a known format"));
    let nameless: Vec<&str> = written.lines().filter(|l| !l.starts_with("program ")).collect();
    assert!(read_error(&s.cfa, &nameless.join("\n")).contains("does not say which program it is for"));
    let (head, body) = written.split_once("\nkept ").expect("a set of edges");
    assert!(read_error(&s.cfa, head).contains("cut off"));
    assert!(read_error(&s.cfa, &format!("{head}\nkept {}", body.lines().next().expect("a set"))).contains("cut off"));
    assert!(read_error(&s.cfa, &written.replace("kept 0", "kept 0-1000")).contains("not a set of edges"));
    assert!(read_error(&s.cfa, &written.replacen("node l0", "node l999", 1)).contains("there is no `l999`"));
    // Whatever is cut off or changed: an error or another certificate, but no panic, and nothing that is accepted wrongly.
    let lines: Vec<&str> = written.lines().collect();
    for cut in (0..lines.len()).step_by(7) {
        let part = lines[..cut].join("\n");
        if let Ok(cert) = text::read(&part, &s.cfa) {
            check(&s.cfa, &cert).expect_err("a part proves nothing");
        }
        let mut others = lines.clone();
        others.remove(cut);
        let _ = text::read(&others.join("\n"), &s.cfa);
        others.insert(cut, "e0 -> 4294967295 s0=t0 v1=- where");
        let _ = text::read(&others.join("\n"), &s.cfa);
    }
}
