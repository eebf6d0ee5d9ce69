//! Which variables matter where.

use crate::support::*;
use cfa::Sort;

/// `while (i < 10) { i++; steps++; double = 2 * i; } error if i > 10`: nothing depends on how many steps there are, nor on what is computed from `i`
/// alone.
#[test]
fn what_only_computes_itself_is_dead() {
    let mut p = Builder::new(64);
    let [i, steps, double] = ["i", "steps", "double"].map(|name| p.global(name, Sort::Bv(8)));
    let (ti, tsteps, zero, one, ten) = (p.var(i), p.var(steps), p.int(8, 0), p.int(8, 1), p.int(8, 10));
    p.assign(i, zero);
    p.assign(steps, zero);
    let (more, next, further) = (p.less(ti, ten), p.terms().add(ti, one), p.terms().add(tsteps, one));
    let twice = p.terms().add(ti, ti);
    p.repeat(more, |p| {
        p.assign(i, next);
        p.assign(steps, further);
        p.assign(double, twice);
    });
    let wrong = p.less(ten, ti);
    p.error_if(wrong);
    let program = finished(p);
    let [head] = program.loop_heads()[..] else { panic!("one loop") };
    assert_eq!([i, steps, double].map(|v| program.liveness.is_live(head, v)), [true, false, false]);
}

/// The same where one is compared with the other in the end.
#[test]
fn what_something_depends_on_is_live() {
    let mut p = Builder::new(64);
    let [i, steps, sum] = ["i", "steps", "sum"].map(|name| p.global(name, Sort::Bv(8)));
    let (ti, tsteps, tsum, zero, one, ten) =
        (p.var(i), p.var(steps), p.var(sum), p.int(8, 0), p.int(8, 1), p.int(8, 10));
    p.assign(i, zero);
    p.assign(steps, zero);
    p.assign(sum, zero);
    let (more, next, further) = (p.less(ti, ten), p.terms().add(ti, one), p.terms().add(tsteps, one));
    let together = p.terms().add(tsteps, tsum);
    p.repeat(more, |p| {
        p.assign(sum, together);
        p.assign(steps, further);
        p.assign(i, next);
    });
    let wrong = p.terms().eq(tsum, one);
    p.error_if(wrong);
    let program = finished(p);
    let [head] = program.loop_heads()[..] else { panic!("one loop") };
    assert_eq!([i, steps, sum].map(|v| program.liveness.is_live(head, v)), [true, true, true]);
}
