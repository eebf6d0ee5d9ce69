//! Slices as modules: what of a function is left, in textual IR.

use frontend_llvm::property::Targets;
use frontend_llvm::{EmitOptions, LoadOptions, load};
use slicer::criteria::{Request, Wanted, resolve};
use slicer::{PrepareOptions, SliceOptions, prepare, slice};
use std::process::Command;

/// Slices `text` on the calls of `check` and returns the module that comes out as textual IR.
fn sliced(text: &str) -> anyhow::Result<String> {
    let dir = tempfile::tempdir()?;
    let (file, out) = (dir.path().join("a.ll"), dir.path().join("out.bc"));
    std::fs::write(&file, of_this_llvm(text))?;
    let options = LoadOptions {
        targets: Targets::Nothing,
        observed: vec!["check".into()],
        keep: frontend_llvm::Keep::ModuleToSlice,
        ..LoadOptions::default()
    };
    let loaded = load(&[file], &options)?;
    let module = loaded.module.expect("the module was asked for");
    let (mut cfa, _) = prepare(loaded.raw, &PrepareOptions::default())?;
    cfa.module.companions = module.companions(&cfa, false);
    let criteria = resolve(&cfa, "main", &[Request::anywhere(Wanted::Calls("check".into()))])?;
    let slice = slice(&cfa, &criteria, &SliceOptions::default()).slice;
    let options = EmitOptions { entry: "main".into(), criteria: vec!["check".into()], ..EmitOptions::default() };
    std::fs::write(&out, module.emit(&cfa, &slice, &options)?.bitcode)?;
    let clang = frontend_llvm::clang::find()?;
    let printed = Command::new(clang).args(["-w", "-S", "-emit-llvm", "-o", "-"]).arg(&out).output()?;
    assert!(printed.status.success(), "{}", String::from_utf8_lossy(&printed.stderr));
    Ok(String::from_utf8_lossy(&printed.stdout).into_owned())
}

/// The lines inside functions, without what follows a comma or a comment that says where blocks come from.
fn check(text: &str, expect: &str) {
    let module = sliced(&format!("{DECLARED}{text}")).unwrap_or_else(|e| panic!("{e:#}"));
    let mut inside = false;
    let mut lines: Vec<String> = Vec::new();
    for line in module.lines() {
        inside |= line.starts_with("define");
        let line_text = line.split(" #").next().unwrap_or("").split(';').next().unwrap_or("").trim_end();
        if inside && !line_text.is_empty() {
            lines.push(line_text.trim().replace("local_unnamed_addr ", "").replace("unnamed_addr ", ""));
        }
        inside &= line != "}";
    }
    let expect = of_this_llvm(expect);
    let wanted: Vec<&str> = expect.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    assert_eq!(lines.join("\n"), wanted.join("\n"));
}

/// The texts say what pointers point to, as LLVM 14 wants it; later ones know `ptr` only.
fn of_this_llvm(text: &str) -> String {
    let pointers = ["void ()*", "i8*", "void (i32, i32)*", "[200 x i8]*", "i32**", "i32*"];
    let known = if frontend_llvm::LLVM_MAJOR < 15 { &[][..] } else { &pointers[..] };
    known.iter().fold(text.to_string(), |text, pointer| text.replace(pointer, "ptr"))
}

const DECLARED: &str = "declare void @check(i32)\ndeclare i32 @input()\ndeclare void @abort()\n";

#[test]
fn branches_that_do_not_matter_lead_on() {
    check(
        "define i32 @main() {
        entry:
          %x = call i32 @input()
          %y = call i32 @input()
          %c = icmp eq i32 %y, 0
          br i1 %c, label %a, label %b
        a:
          %z = add i32 %y, 1
          br label %b
        b:
          %w = phi i32 [ %z, %a ], [ 7, %entry ]
          %v = mul i32 %w, 3
          call void @check(i32 %x)
          ret i32 %v
        }",
        "define i32 @main() {
        entry:
          %x = call i32 @input()
          call void @check(i32 %x)
          ret i32 0
        }",
    );
}

#[test]
fn the_cases_of_a_switch_go_one_by_one() {
    // How often it goes round the loop matters; whether it is left in this way or that does not.
    let program = |case: &str, block: &str, end: &str| {
        format!(
            "define i32 @main() {{
            entry:
              br label %loop
            loop:
              %n = phi i32 [ 0, %entry ], [ %m, %one ]
              %m = add i32 %n, 1
              %d = icmp sgt i32 %m, 9
              %s = select i1 %d, i32 3, i32 1
              switch i32 %s, label %rest [
                i32 1, label %one
                {case}
              ]
            one:
              br label %loop
            {block}
            rest:
              call void @check(i32 %n)
              {end}
            }}"
        )
    };
    check(&program("i32 2, label %two", "two:\n br label %rest", "ret i32 0"), &program("", "", "ret i32 0"));
}

#[test]
fn paths_that_miss_the_criterion_end() {
    check(
        "define i32 @main() {
        entry:
          %x = call i32 @input()
          switch i32 %x, label %bad [
            i32 1, label %one
            i32 2, label %bad
            i32 3, label %three
          ]
        bad:
          call void @abort()
          unreachable
        one:
          br label %three
        three:
          %v = phi i32 [ 1, %one ], [ 30, %entry ]
          call void @check(i32 %v)
          ret i32 0
        }",
        "define i32 @main() {
        entry:
          %x = call i32 @input()
          switch i32 %x, label %cut [
            i32 1, label %one
            i32 3, label %three
          ]
        one:
          br label %three
        three:
          %v = phi i32 [ 30, %entry ], [ 1, %one ]
          call void @check(i32 %v)
          ret i32 0
        cut:
          ret i32 0
        }",
    );
}

#[test]
fn parameters_and_results_that_nobody_needs_go() {
    check(
        "@sum = global i32 0
        define i32 @f(i32 noundef %a, i32 noundef %b) {
          %s = load i32, i32* @sum
          %t = add i32 %s, %b
          store i32 %t, i32* @sum
          call void @check(i32 %a)
          ret i32 %t
        }
        define i32 @main() {
          %x = call i32 @input()
          %y = call i32 @input()
          %r = call i32 @f(i32 %x, i32 %y)
          ret i32 %r
        }",
        "define internal void @f(i32 noundef %a) {
          call void @check(i32 %a)
          ret void
        }
        define i32 @main() {
          %x = call i32 @input()
          call void @f(i32 %x)
          ret i32 0
        }",
    );
}

#[test]
fn the_address_of_a_store_stays_even_where_it_is_known() {
    // The store can only go to %x, so that its meaning does not read %p.
    check(
        "define i32 @main() {
          %x = alloca i32, align 4
          %p = alloca i32*, align 8
          store i32* %x, i32** %p, align 8
          %q = load i32*, i32** %p, align 8
          store i32 5, i32* %q, align 4
          %v = load i32, i32* %x, align 4
          call void @check(i32 %v)
          ret i32 0
        }",
        "define i32 @main() {
          %x = alloca i32, align 4
          %p = alloca i32*, align 8
          store i32* %x, i32** %p, align 8
          %q = load i32*, i32** %p, align 8
          store i32 5, i32* %q, align 4
          %v = load i32, i32* %x, align 4
          call void @check(i32 %v)
          ret i32 0
        }",
    );
}

#[test]
fn calls_through_pointers_stay_with_what_they_may_call() {
    check(
        "define void @f(i32 %a, i32 %b) {
          call void @check(i32 %a)
          ret void
        }
        define void @g(i32 %a, i32 %b) {
          ret void
        }
        define i32 @main() {
          %x = call i32 @input()
          %c = icmp eq i32 %x, 0
          %p = select i1 %c, void (i32, i32)* @f, void (i32, i32)* @g
          call void %p(i32 %x, i32 %x)
          call void @check(i32 2)
          ret i32 0
        }",
        "define internal void @f(i32 %a, i32 %b) {
          call void @check(i32 %a)
          ret void
        }
        define internal void @g(i32 %a, i32 %b) {
          ret void
        }
        define i32 @main() {
          %x = call i32 @input()
          %c = icmp eq i32 %x, 0
          %p = select i1 %c, void (i32, i32)* @f, void (i32, i32)* @g
          call void %p(i32 %x, i32 %x)
          call void @check(i32 2)
          ret i32 0
        }",
    );
}

/// Where what comes after a function's calls matters, a path ends in `exit`.
#[test]
fn paths_end_by_exit_where_a_return_goes_on() {
    check(
        "define void @error(i32 %x) {
          %c = icmp eq i32 %x, 7
          br i1 %c, label %bad, label %good
        bad:
          call void @stop()
          br label %good
        good:
          ret void
        }
        define void @stop() {
          call void @abort()
          unreachable
        }
        define i32 @main() {
          %x = call i32 @input()
          call void @error(i32 %x)
          call void @check(i32 %x)
          ret i32 0
        }",
        "define internal void @error(i32 %x) {
          %c = icmp eq i32 %x, 7
          br i1 %c, label %cut, label %good
        good:
          ret void
        cut:
          call void @exit(i32 0)
          unreachable
        }
        define i32 @main() {
          %x = call i32 @input()
          call void @error(i32 %x)
          call void @check(i32 %x)
          ret i32 0
        }",
    );
}

#[test]
fn a_call_that_returns_twice_is_refused() {
    let text = "declare i32 @vfork() returns_twice
        define i32 @main() {
          %r = call i32 @vfork()
          call void @check(i32 %r)
          ret i32 0
        }";
    let error = sliced(&format!("{DECLARED}{text}")).expect_err("no slice");
    assert_eq!(error.to_string(), "vfork is not supported, which a slice cannot represent (in main)");
}

#[test]
fn constructors_may_be_named_by_aliases() {
    check(
        "@x = internal global i32 0
        @llvm.global_ctors = appending global [1 x { i32, void ()*, i8* }]
          [{ i32, void ()*, i8* } { i32 65535, void ()* @other, i8* null }]
        @other = internal alias void (), void ()* @init
        define internal void @init() {
          store i32 7, i32* @x
          ret void
        }
        define i32 @main() {
          %x = load i32, i32* @x
          call void @check(i32 %x)
          ret i32 0
        }",
        "define internal void @init() {
          store i32 7, i32* @x, align 4
          ret void
        }
        define i32 @main() {
          %x = load i32, i32* @x, align 4
          call void @check(i32 %x)
          ret i32 0
        }",
    );
}
