//! The programs of the growth benchmark are what they are meant to be: their shape, and that their slices reach the target.

use cfa::{ObjectKind, Op};
use frontend_llvm::{LoadOptions, load};
use kerf_tests::growth::program;
use slicer::{PrepareOptions, prepare, slice_for_targets};

#[test]
fn generated_programs_look_as_announced() {
    const MODULES: usize = 20;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("growth.c");
    assert_eq!(program(MODULES, 1), program(MODULES, 1), "programs are functions of their arguments");
    std::fs::write(&file, program(MODULES, 1)).expect("a file");
    let raw = load(&[file], &LoadOptions::default()).expect("it loads").raw;
    let cfa = &raw.cfa;
    let own = |l: cfa::LocId| !cfa.funcs[cfa.locs[l].func].library;
    let count =
        |wanted: &dyn Fn(&Op) -> bool| cfa.edges.iter().filter(|e| own(e.from) && wanted(&e.op)).count() / MODULES;
    let functions = cfa.funcs.iter().filter(|f| !f.library).count() / MODULES;
    let globals = cfa.objects.iter().filter(|o| o.kind == ObjectKind::Global).count() / MODULES;
    let (direct, indirect) = (count(&|op| matches!(op, Op::Call(_))), count(&|op| matches!(op, Op::CallIndirect(_))));
    let shape = [functions, globals, direct, indirect];
    assert!((9..=11).contains(&shape[0]) && (13..=20).contains(&shape[1]), "{shape:?}");
    assert!((34..=44).contains(&shape[2]) && shape[3] == 2, "{shape:?}");
    let (cfa, stats) = prepare(raw, &PrepareOptions::default()).expect("it is prepared");
    assert_eq!(stats.indirect_calls, 2 * MODULES);
    assert_eq!(cfa.targets.len(), 1);
    assert!(slice_for_targets(&cfa).kept.count_ones(..) > 0);
}
