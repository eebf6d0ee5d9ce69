//! Operators of terms mean in C what they mean to the interpreter, on numbers of many widths and on floats.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::Command;

use cfa::bv::{Bv, BvCmp, BvOp};
use cfa::eval::{Value, eval};
use cfa::float::{FloatOp, Format, Rounding};
use cfa::term::Leaf;
use cfa::{Cfa, Scope, Sort, Term, VarId};

use super::expression::{Writer, c_type, is_expressible};
use super::{ASSUME, HEAD, Names, quoted, runtime};

const WIDTHS: [u32; 13] = [1, 2, 7, 8, 16, 31, 32, 33, 63, 64, 65, 100, 128];
const FORMATS: [Format; 3] = [Format::Single, Format::Double, Format::X87];

/// Numbers with these many bits: small, great, and random ones.
fn numbers(width: u32) -> Vec<Bv> {
    let mut random = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835_u128;
    let mut all = vec![Bv::new(width, 0), Bv::new(width, 1), Bv::new(width, 5), Bv::ones(width)];
    all.extend([
        Bv::ones(width).neg().not(),
        Bv::new(1, 1).concat(&Bv::new(width.max(2) - 1, 0)).extract(width - 1, 0),
    ]);
    for _ in 0..3 {
        random = random.wrapping_mul(0xda94_2042_e4dd_58b5).rotate_left(37);
        all.push(Bv::from_u128(width, random));
    }
    all
}

fn floats(format: Format) -> Vec<Bv> {
    let double = |x: f64| Bv::new(64, x.to_bits());
    let doubles = [0.0, -0.0, 1.5, -2.25, 1e10, -1e30, 1e-40, 0.1, 3.5, f64::INFINITY, f64::MAX, 4.5e9, -0.7, 255.0];
    let converted = |x: f64| match cfa::float::apply(FloatOp::Convert(format), Format::Double, &[&double(x)], 64) {
        cfa::float::FloatResult::Bits(bits) => bits,
        cfa::float::FloatResult::Bool(_) => format.nan(),
    };
    doubles.into_iter().map(converted).chain([format.nan()]).collect()
}

/// A program that checks terms on values of their variables.
struct Checks {
    cfa: Cfa,
    variables: Vec<VarId>,
    /// Terms with the numbers that their variables get.
    checks: Vec<(Term, Vec<Bv>)>,
}

impl Checks {
    fn variable(&mut self, i: usize, width: u32) -> Term {
        let v = self.cfa.add_var(format!("x{i}w{width}"), Sort::Bv(width), Scope::Global);
        self.variables.push(v);
        self.cfa.var_term(v)
    }

    /// Checks `term` on all combinations of numbers, each list for one of `variables`.
    fn add(&mut self, term: Term, numbers: &[&[Bv]]) {
        let mut rows: Vec<Vec<Bv>> = vec![Vec::new()];
        for list in numbers {
            rows =
                rows.iter().flat_map(|row| list.iter().map(|n| [&row[..], std::slice::from_ref(n)].concat())).collect();
        }
        self.checks.extend(rows.into_iter().map(|row| (term, row)));
    }

    /// Compiles and runs all checks, whose variables are in the order in which they were added.
    fn run(&self) {
        let (mut used, mut names, mut body) = (BTreeSet::new(), Names::default(), String::new());
        let n = self.checks.len();
        assert!(n > 1000, "only {n} checks");
        for (i, (t, numbers)) in self.checks.iter().enumerate() {
            assert!(is_expressible(&self.cfa, *t), "{}", self.cfa.show(*t));
            let variables = self.cfa.terms.vars(*t);
            let number = |v: VarId| variables.iter().position(|w| *w == v).and_then(|at| numbers.get(at)).cloned();
            let value = eval(&self.cfa.terms, *t, &mut |leaf| match leaf {
                Leaf::Var(v) => number(v).map(Value::Bv),
                _ => None,
            });
            let name = |v: VarId| self.cfa.vars[v].name.clone();
            let mut fresh = || names.fresh("t");
            let mut writer = Writer::new(&self.cfa, &name, &mut fresh, &mut used);
            let expected = match &value {
                Some(Value::Bv(bits)) => writer.constant(bits).alone(),
                Some(Value::Bool(b)) => b.to_string(),
                other => panic!("{}: {other:?}", self.cfa.show(*t)),
            };
            let text = writer.term(*t).alone();
            let values: Vec<(VarId, String)> =
                variables.iter().filter_map(|v| Some((*v, writer.constant(&number(*v)?).alone()))).collect();
            let before = writer.before.join(" ");
            if i % 500 == 0 {
                let _ = writeln!(body, "{}static void part_{}(void) {{", if i > 0 { "}\n" } else { "" }, i / 500);
            }
            body.push_str("    { ");
            for (v, value) in values {
                let _ = write!(body, "{} {} = {value}; ", c_type(self.cfa.vars[v].sort), name(v));
            }
            let about = quoted(&format!("{} on {numbers:?}", self.cfa.show(*t)));
            let _ = writeln!(body, "{before} assume(({text}) == ({expected}), {about}); }}");
        }
        used.insert("u128");
        let calls: String = (0..n.div_ceil(500)).map(|i| format!("part_{i}(); ")).collect();
        let definitions = runtime::definitions(&used);
        let program = format!("{HEAD}{definitions}{ASSUME}{body}}}\nint main(void) {{ {calls}return 0; }}\n");
        let dir = tempfile::tempdir().expect("a directory");
        std::fs::write(dir.path().join("a.c"), &program).expect("a file");
        let mut clang = Command::new(frontend_llvm::clang::find().expect("clang"));
        let built = clang.args(["-w", "-o", "a", "a.c", "-lm"]).current_dir(dir.path()).output().expect("clang runs");
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let ran = Command::new(dir.path().join("a")).output().expect("a program");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    }
}

fn checks() -> Checks {
    Checks { cfa: Cfa::new(64), variables: Vec::new(), checks: Vec::new() }
}

#[test]
fn numbers_of_any_width() {
    let mut all = checks();
    for width in WIDTHS {
        let (x, y) = (all.variable(0, width), all.variable(1, width));
        let numbers = numbers(width);
        let both: &[&[Bv]] = &[&numbers, &numbers];
        for op in BvOp::ALL {
            let t = all.cfa.terms.bv_op(op, x, y);
            all.add(t, both);
            for k in &numbers {
                let k = all.cfa.terms.constant(k);
                let t = all.cfa.terms.bv_op(op, x, k);
                if !all.cfa.terms.vars(t).is_empty() {
                    all.add(t, &both[..1]);
                }
            }
        }
        for cmp in BvCmp::ALL {
            let t = all.cfa.terms.cmp(cmp, x, y);
            all.add(t, both);
            let not = all.cfa.terms.not(t);
            all.add(not, both);
        }
        let terms = &mut all.cfa.terms;
        let (not, neg, eq) = (terms.bv_not(x), terms.bv_neg(x), terms.eq(x, y));
        let chosen = terms.ite(eq, not, neg);
        all.add(not, &both[..1]);
        all.add(neg, &both[..1]);
        all.add(chosen, both);
        for wide in WIDTHS.into_iter().filter(|w| *w > width) {
            let (zero, sign) = (all.cfa.terms.zext(wide, x), all.cfa.terms.sext(wide, x));
            all.add(zero, &both[..1]);
            all.add(sign, &both[..1]);
            let z = all.variable(2, wide);
            for (hi, lo) in [(width - 1, 0), (wide - 1, wide - width), (wide - 1, width.min(wide - 1))] {
                let part = all.cfa.terms.extract(hi, lo, z);
                all.add(part, &[&self::numbers(wide)]);
            }
            if width + wide <= 128 {
                let joined = all.cfa.terms.concat(x, z);
                all.add(joined, &[&numbers, &self::numbers(wide)]);
            }
        }
    }
    all.run();
}

#[test]
fn floats_of_the_formats_that_c_has() {
    let mut all = checks();
    for format in FORMATS {
        let sort = Sort::Bv(format.width_bits());
        let [x, y, z] = [0, 1, 2].map(|i| all.variable(i, format.width_bits()));
        let numbers = floats(format);
        let lists: &[&[Bv]] = &[&numbers, &numbers, &numbers[..6]];
        for op in [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div, FloatOp::Rem] {
            let t = all.cfa.terms.float(op, format, &[x, y], sort);
            all.add(t, &lists[..2]);
        }
        for op in [FloatOp::Eq, FloatOp::Lt, FloatOp::Le] {
            let t = all.cfa.terms.float(op, format, &[x, y], Sort::Bool);
            all.add(t, &lists[..2]);
        }
        let fused = all.cfa.terms.float(FloatOp::Fma, format, &[x, y, z], sort);
        all.add(fused, lists);
        use Rounding::{Down, NearestAway, NearestEven, Up, Zero};
        let round = [NearestEven, NearestAway, Up, Down, Zero].map(FloatOp::Round);
        for op in [FloatOp::Sqrt].into_iter().chain(round) {
            let t = all.cfa.terms.float(op, format, &[x], sort);
            all.add(t, &lists[..1]);
        }
        for to in FORMATS.into_iter().filter(|to| *to != format) {
            let t = all.cfa.terms.float(FloatOp::Convert(to), format, &[x], Sort::Bv(to.width_bits()));
            all.add(t, &lists[..1]);
        }
        for width in [8, 32, 64, 100, 128] {
            let integers = self::numbers(width);
            let k = all.variable(3, width);
            for op in [FloatOp::ToSigned, FloatOp::ToUnsigned] {
                let t = all.cfa.terms.float(op, format, &[x], Sort::Bv(width));
                all.add(t, &lists[..1]);
            }
            for op in [FloatOp::FromSigned, FloatOp::FromUnsigned] {
                let t = all.cfa.terms.float(op, format, &[k], sort);
                all.add(t, &[&integers]);
            }
        }
    }
    all.run();
}

#[test]
fn names_are_different_and_mean_nothing_else() {
    let mut names = Names::default();
    let wanted = ["x", "x", "a[2]", "a.2", "int", "x_1", "x", "NULL", "N", "%3", "sqrtf", "store", ""];
    let given = wanted.map(|name| names.fresh(name));
    let expected =
        ["x", "x_1", "a_2", "a_2_1", "v_int", "x_1_1", "x_2", "v_NULL", "N", "v_3", "v_sqrtf", "v_store", "v_"];
    assert_eq!(given, expected);
}

#[test]
fn texts_are_literals() {
    assert_eq!(quoted("a\"b\\c?\n\u{1b}"), "\"a\\\"b\\\\c\\?\\n \"");
}
