//! The text format: prints back what it parses, names what is wrong; validation finds what is broken.

use cfa::float::Format;
use cfa::text::{parse, parse_raw, print, print_raw, read};
use cfa::validate::{Problem, validate, validate_raw};
use cfa::{Cfa, LocId, Op, RawCfa, Scope, Sort, Span};
use expect_test::{Expect, expect};
use kerf_testing::recipe::{Menu, random};

const RUNNING: &str = include_str!("fixtures/running_example.cfa");

/// A program with one of everything.
const EVERYTHING: &str = r#"cfa 1
pointer_bits 32
entry |the entry|
file 1 "a \"b\".c"
func |the entry| entry l0 exit l1
func f entry l2 exit l3 params (f.a |f b|) result f.r varargs f.v library insider @1:7:3
object g global size 8 align 4 base 4096 constant shared @1:1:5
part g 0 4 "g.x" signed
part g 4 4 "g.f" single
object |@f| function f align 1
object slot stack f size 16 align 16
object heap site f align 16 stride 4096 heap hidden
var mem mem32x8
var f.a bv32
var |f b| bv64
var f.r bv1
var f.v bv32
var x bv32 of f as "x" unsigned
var n bv32 of f
var cell mem32x32 of f
var c bool of f
var f.p bv32 of f as "p" pointer
assumption "nothing\nelse"
assumption "no f" proofs reached
assumption "all g" kept
in f
  l2 -> l4: x := f.a, n := (bvadd n 1:32) @1:8:1
  l4 -> l5: guard [(not (= 0:64 |f b|))]
  l5 -> l6: mem := (write mem &|@f| (extract.15.0 x))
  l6 -> l7: mem := (copy mem &slot mem &g x)
  l7 -> l8: cell := (write (const_array.32 7:32) &g (read.32 mem &g))
  l8 -> l9: f.p := (bvadd &heap n) ; allocates heap f.p 16:32
  l9 -> l10: skip ; frees f.p
  l10 -> l11: x := ? external "g" ; external "g" ; asks extent f.p
  l11 -> l12: c := (bvult f.p x) ; compares f.p x
  l12 -> l13: assume [c]
  l13 -> l14: call_indirect f.p (x |f b|) varargs n result x misfits (f) dispatched
  l14 -> l15: unsupported "inline assembly" reads (x n) writes * may_call may_not_return
  l15 -> l16: unsupported "small" reads * writes ()
  l16 -> l17: x := (f32.add x (ite (f32.lt x 1065353216:32) x (f64.to_f32 |f b|)))
  l17 -> l18: x := (f32.to_s32 (f32.floor (f80.to_f32 (f80.from_u x))))
  l18 -> l19: |f b| := (sext.64 (concat (extract.7.0 x) (bvnot (extract.23.0 x))))
  l19 -> l3: f.r := (ite c 1:1 0:1)
in |the entry|
  l0 -> l20: x := 3:32
  l20 -> l1: call f
in f
  l21 -> l24: assign ; escapes (n &g) ; weak ; assumes 1 ; assumes 2
  l24 -> l25: skip ; addresses_of g &g (bvadd &g f.p) ; gives f.p ; gives_at f.p ; assumes 2 @1:9:1
  l25 -> l21: f.p := (read.32.pointer (write.pointer mem &g f.p) &slot)
  loc l22
  target l23
"#;

#[test]
fn parsing_and_printing_are_inverse() {
    let everything = parse_raw(EVERYTHING).unwrap();
    assert_eq!(print_raw(&everything), EVERYTHING);
    let running = RUNNING.split_once('\n').unwrap().1;
    let missing = ["loc l0", "loc l1", "loc l7", "loc l8", "loc l10", "loc l11", "loc l14", "loc l17"];
    // Numbers that the example leaves out are locations without edges.
    let want = running.replace("  target", &format!("  {}\n  target", missing.join("\n  ")));
    assert_eq!(print(&parse(RUNNING).unwrap()), want);
    assert_eq!(print(&parse(&want).unwrap()), want);
}

#[test]
fn ids_and_notes_survive() {
    let RawCfa { cfa: a, facts: noted } = parse_raw(EVERYTHING).unwrap();
    assert_eq!(a.funcs[a.entry].name, "the entry");
    assert_eq!(a.locs[LocId(22)].func, cfa::FuncId(1));
    assert_eq!(a.targets, vec![LocId(23)]);
    assert_eq!((a.allocations.len(), a.frees.len(), a.external_calls.len(), a.weak_inputs.len()), (1, 1, 1, 1));
    let RawCfa { cfa: b, facts: again } = parse_raw(EVERYTHING).unwrap();
    assert_eq!((a.funcs, a.vars, a.objects, a.locs), (b.funcs, b.vars, b.objects, b.locs));
    assert_eq!((a.files, a.assumptions, a.object_parts), (b.files, b.assumptions, b.object_parts));
    assert_eq!(b.weak_inputs.len(), 1);
    for facts in [noted, again] {
        let notes = (
            facts.pointer_comparisons.len(),
            facts.escapes.len(),
            facts.given_away.len() + facts.block_questions.len() + facts.address_vectors.len(),
        );
        assert_eq!((notes, facts.pointer_accesses.len()), ((1, 1, 3), 2));
    }
}

/// A program that assigns the terms of a recipe, whose ingredients are variables.
fn program_of(seed: u64, menu: Menu, size: usize) -> Cfa {
    let recipe = random(seed, menu, size);
    let mut cfa = Cfa::new(64);
    let f = cfa.add_func("main", Span::default());
    let mut vars = Vec::new();
    for (i, ingredient) in recipe.ingredients.iter().enumerate() {
        vars.push(cfa.add_var(format!("x{i}"), ingredient.value.sort(), Scope::Global));
    }
    let mut next = vars.iter();
    let mut arena = std::mem::take(&mut cfa.terms);
    let built = recipe.build(&mut arena, |terms, i| terms.var(*next.next().unwrap(), i.value.sort()));
    cfa.terms = arena;
    let mut at = cfa.funcs[f].entry;
    for t in built {
        let v = cfa.add_var(format!("y{}", cfa.vars.len()), cfa.terms.sort(t), Scope::Global);
        let to = cfa.add_loc(f);
        cfa.add_edge(at, to, Op::assign(v, t), Span::default());
        at = to;
    }
    cfa
}

#[test]
fn all_terms_survive() {
    for seed in 0..300 {
        for menu in [
            Menu::Bits,
            Menu::Memory,
            Menu::Floats(Format::Double),
            Menu::Floats(Format::X87),
            Menu::MemoryAndFloats(Format::Single),
        ] {
            let cfa = program_of(seed, menu, 15);
            let text = print(&cfa);
            let back = parse(&text).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
            assert!(print(&back) == text, "seed {seed}");
        }
    }
}

#[test]
fn large_terms_share_parts() {
    let mut cfa = Cfa::new(64);
    let f = cfa.add_func("main", Span::default());
    let v = cfa.add_var("x", Sort::Bv(32), Scope::Global);
    let x = cfa.var_term(v);
    let mut t = x;
    for _ in 0..2000 {
        let square = cfa.terms.bv_op(cfa::bv::BvOp::Mul, t, t);
        t = cfa.terms.bv_op(cfa::bv::BvOp::Xor, square, x);
    }
    let (entry, exit) = (cfa.funcs[f].entry, cfa.funcs[f].exit);
    cfa.add_edge(entry, exit, Op::assign(v, t), Span::default());
    let text = print(&cfa);
    assert!(text.len() < 200_000);
    assert_eq!(print(&parse(&text).unwrap()), text);
}

fn check_error(text: &str, want: Expect) {
    want.assert_eq(&match parse(text) {
        Ok(_) => "no error".into(),
        Err(e) => e.to_string(),
    });
}

/// Parses an edge in a small program.
fn check_edge_error(edge: &str, want: Expect) {
    let head = "func f entry l0 exit l1\nvar x bv8\nvar m mem32x8\nin f\n";
    check_error(&format!("{head}l0 -> l1: {edge}"), want);
}

#[test]
fn errors_name_the_line() {
    check_error("cfa 2", expect!["line 1: only version 1 of the format is supported"]);
    check_error("\nvar x bv0", expect!["line 2: `bv0` is not a sort"]);
    check_error("var x bv8\nvar x bv8", expect!["line 2: there are two variables `x`"]);
    check_error("l0 -> l1: skip", expect!["line 1: an edge appears before the first `in`"]);
    check_error(
        "func f entry l0 exit l1234567",
        expect!["line 1: l1234567 is the last location, but there are only 2"],
    );
    check_error("in f", expect!["line 1: there is no function `f`"]);
    check_error("file 1 \"a", expect![[r#"line 1: the closing " is missing"#]]);
    check_edge_error("x = 1:8", expect!["line 5: `x` is not an operation"]);
    check_edge_error("x := 1:9", expect!["line 5: a value of sort Bv(9) is assigned to a variable of sort Bv(8)"]);
    check_edge_error("x := 256:8", expect!["line 5: `256:8` does not fit its width"]);
    check_edge_error(
        "x := (bvadd x 1:9)",
        expect!["line 5: `bvadd` cannot be applied to arguments of sorts [Bv(8), Bv(9)]"],
    );
    check_edge_error("x := (frob x)", expect!["line 5: `frob` cannot be applied to arguments of sorts [Bv(8)]"]);
    check_edge_error(
        "x := (extract.8.1 x)",
        expect!["line 5: `extract.8.1` cannot be applied to arguments of sorts [Bv(8)]"],
    );
    check_edge_error(
        "x := (read.12 m 0:32)",
        expect![[
            r#"line 5: `read.12` cannot be applied to arguments of sorts [Array { index: 32, elem: 8 }, Bv(32)]"#
        ]],
    );
    check_edge_error("x := (bvadd x", expect!["line 5: the line ends too early"]);
    check_edge_error("x := y", expect!["line 5: there is no variable `y`"]);
    check_edge_error("[x]", expect!["line 5: a condition must be a Bool"]);
    check_edge_error("skip skip", expect![[r#"line 5: unexpected `skip`"#]]);
    check_edge_error("call g", expect!["line 5: there is no function `g`"]);
    check_edge_error("skip ; assumes 0", expect!["line 5: there is no assumption 0"]);
    check_edge_error(
        "x := (bvnot.pointer x)",
        expect!["line 5: `bvnot.pointer`: only reads and writes can be of pointers"],
    );
    check_error("assumption \"a\" maybe", expect!["line 1: `maybe` is not a condition of an assumption"]);
    check_edge_error(
        "x := (extract.7.0 (sext.4000000000 x))",
        expect!["line 5: `sext.4000000000` yields more than 1048576 bits, or a memory with addresses of more than 64"],
    );
    check_edge_error("skip @1:2", expect!["line 5: `@1:2` is not a source position (`@file:line:column`)"]);
}

fn check_read_error(text: &str, want: Expect) {
    want.assert_eq(&match read(text) {
        Ok(_) => "no error".into(),
        Err(e) => e.to_string(),
    });
}

#[test]
fn broken_invariants_have_a_line_too() {
    let head = "func f entry l0 exit l1\nvar x bv8\nin f\n";
    check_read_error("", expect!["line 1: the entry function does not exist"]);
    check_read_error("func f entry l0 exit l0\n", expect!["line 1: this function: entry and exit are one location"]);
    check_read_error(
        &format!("{head}l0 -> l1: skip\nl1 -> l0: skip"),
        expect!["line 1: this function: an edge leaves its exit"],
    );
    check_read_error(
        &format!("{head}\nl0 -> l2: skip\nl0 -> l1: skip"),
        expect!["line 1: the location l0: two successors without conditions"],
    );
    check_read_error(
        &format!("{head}l0 -> l2: skip\ntarget l2\nl2 -> l1: skip"),
        expect!["line 4: the location l2: an edge leaves a target"],
    );
    check_read_error(&format!("{head}l0 -> l1: x := 1:8, x := 2:8"), expect!["line 4: this edge: it sets v0 twice"]);
    check_read_error(&format!("{head}l0 -> l1: skip @7:1:1"), expect!["line 4: this edge: its file does not exist"]);
    let (_, lines) = read(&format!("{head}# first\nl0 -> l2: skip\n\nl2 -> l1: skip")).unwrap();
    assert_eq!(lines.iter().copied().collect::<Vec<_>>(), [5, 7]);
}

fn check_problems(problems: &[Problem], want: Expect) {
    let problems: Vec<String> = problems.iter().map(|p| format!("{p}\n")).collect();
    want.assert_eq(&problems.concat());
}

#[test]
fn sound_programs_have_no_problems() {
    check_problems(&validate(&parse(RUNNING).unwrap()), expect![[""]]);
    for seed in 0..100 {
        for menu in [Menu::Bits, Menu::Memory, Menu::Floats(Format::Quad)] {
            check_problems(&validate(&program_of(seed, menu, 15)), expect![[""]]);
        }
    }
}

#[test]
fn every_broken_invariant_is_reported() {
    let mut cfa = parse_raw(EVERYTHING).unwrap().cfa;
    check_problems(
        &validate(&cfa),
        expect![[r#"
            e2: the address of @f has no number
            e3: the address of slot has no number
            e3: the address of g has no number
            e4: the address of g has no number
            e5: the address of heap has no number
            e10: it is an indirect call that is not resolved
            e17: it sets x, a local of another function
            e21: the address of slot has no number
            e21: the address of g has no number
        "#]],
    );
    // Broken by hand.
    let x = cfa::VarId(5);
    let sym = cfa.terms.fresh("s", Sort::Bv(32));
    cfa.add_edge(LocId(3), LocId(20), Op::assign(x, sym), Span { file: 9, line: 1, column: 1 });
    let wide = cfa.terms.int(64, 1);
    cfa.add_edge(LocId(22), LocId(23), Op::Assign(Box::new([(x, wide), (x, wide)])), Span::default());
    cfa.add_edge(LocId(22), LocId(23), Op::Skip, Span::default());
    cfa.add_edge(LocId(22), LocId(22), Op::Call(cfa::FuncId(77)), Span::default());
    cfa.locs[LocId(2)].out.clear();
    cfa.funcs[cfa::FuncId(1)].params.push(x);
    cfa.targets.push(LocId(22));
    check_problems(
        &validate_raw(&RawCfa::new(cfa)),
        expect![[r#"
            l22: an edge leaves a target
            f1: an edge leaves its exit
            f1: transfer variable x is local
            l22: 3 successors
            l22: two successors without conditions
            e0: it is not listed exactly once among the edges that leave l2
            e17: it sets x, a local of another function
            e22: it leads into another function
            e22: its file does not exist
            e22: s0, a symbol of formulas, occurs in a program
            e23: a value of sort Bv(64) is assigned to x, which has sort Bv(32)
            e23: it sets v5 twice
            e23: a value of sort Bv(64) is assigned to x, which has sort Bv(32)
            e25: it calls a function that does not exist
        "#]],
    );
}

#[test]
fn graphs_have_clusters_and_labels() {
    let text = cfa::dot::dot(&parse(RUNNING).unwrap(), cfa::dot::Options::ALL);
    assert!(text.contains("label=\"main\""), "{text}");
    assert!(text.contains("l6 -> l5 [label=\"x := x - 1\"]"), "{text}");
    assert!(text.contains("l13 [label=\"13\" style=filled"), "{text}");
}

/// Labels are for people: operators stand between their operands, with brackets where they are needed only.
#[test]
fn terms_read_like_c() {
    let read = |term: &str, sort: &str| {
        let text = format!(
            "cfa 1
pointer_bits 64
entry main
func main entry l0 exit l1
var |main::t.3| bv32 of main
var y bv32 of main as \"y\" signed
var f bv64 of main
var m mem64x8
var r {sort}
in main
  l0 -> l1: r := {term}
"
        );
        let cfa = parse(&text).unwrap_or_else(|e| panic!("{text}{e}"));
        let cfa::Op::Assign(list) = &cfa.edges[cfa::EdgeId(0)].op else { panic!("an assignment") };
        cfa.show_infix(list[0].1, 1000)
    };
    let x = "|main::t.3|";
    for (term, sort, expected) in [
        (format!("(bvmul (bvadd {x} y) {x})"), "bv32", "(t.3 + y) * t.3"),
        (format!("(bvsub {x} (bvsub y {x}))"), "bv32", "t.3 - (y - t.3)"),
        (format!("(bvadd (bvmul {x} y) 4294967291:32)"), "bv32", "t.3 * y - 5"),
        (format!("(not (bvult {x} y))"), "bool", "t.3 >=u y"),
        (format!("(not (= {x} 7:32))"), "bool", "t.3 != 7"),
        (format!("(and (bvslt {x} y) (or (= y 1:32) (= {x} y)))"), "bool", "t.3 < y && (y == 1 || t.3 == y)"),
        (format!("(ite (bvsle y {x}) 1:32 (bvudiv y {x}))"), "bv32", "y <= t.3 ? 1 : y /u t.3"),
        (format!("(sext.64 (extract.15.0 {x}))"), "bv64", "(s64)t.3[15:0]"),
        (format!("(bvlshr (bvnot {x}) (bvand y 31:32))"), "bv32", "~t.3 >>u (u32)y[4:0]"),
        ("(bvadd (read.8 m (bvadd f 4:64)) 1:8)".into(), "bv8", "m[f + 4] + 1"),
        ("(write m f (extract.7.0 y))".into(), "mem64x8", "m[f := y[7:0]]"),
        ("(f64.lt f 4607182418800017408:64)".into(), "bool", "f <f 0x3ff0000000000000"),
    ] {
        assert_eq!(read(&term, sort), expected, "{term}");
    }
    let nested = (0..5000).fold("y".to_string(), |t, i| format!("(bvxor (bvmul {t} 3:32) {i}:32)"));
    assert!(read(&nested, "bv32").len() < 2000);
}
