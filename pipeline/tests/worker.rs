//! Ways in which a worker process ends. A program without the test harness, since the parent may have one thread only.

use std::time::{Duration, Instant};

use kerf_pipeline::limits::Limits;
use kerf_pipeline::worker::{self, Death, Ending, Phase, Reporter, Run, UserError, Waiting};

fn run(limits: Limits, job: impl FnOnce(&Reporter) -> anyhow::Result<u64> + Send) -> Run<u64> {
    let waiting = Waiting { spinner: false, verbose: false, start: Instant::now() };
    worker::run(limits, waiting, job).expect("a worker process")
}

fn finishes_with_phases() {
    let run = run(Limits::default(), |reporter| {
        reporter.phase(Phase::Loading, "a.bc");
        reporter.phase(Phase::Analysing, "");
        std::thread::sleep(Duration::from_millis(20));
        Ok(7)
    });
    assert!(matches!(run.ending, Ending::Finished(7)), "{:?}", run.ending);
    assert_eq!(run.phases.len(), 2);
    assert!(run.phases[1].2 >= 20.0, "{:?}", run.phases);
}

fn hands_on_large_results() {
    let run = worker::run(Limits::default(), Waiting { spinner: false, verbose: false, start: Instant::now() }, |_| {
        Ok("x".repeat(5_000_000))
    });
    assert!(matches!(run.expect("a worker process").ending, Ending::Finished(text) if text.len() == 5_000_000));
}

fn tells_errors_apart() {
    let user = run(Limits::default(), |_| Err(UserError("a.c: no\nmain".into()).into()));
    assert!(matches!(&user.ending, Ending::UserError(text) if text == "a.c: no main"), "{:?}", user.ending);
    let bug = run(Limits::default(), |_| anyhow::bail!("what"));
    assert!(matches!(&bug.ending, Ending::Bug(text) if text == "what"), "{:?}", bug.ending);
    let panic = run(Limits::default(), |_| panic!("so it is"));
    assert!(matches!(&panic.ending, Ending::Bug(text) if text.contains("so it is")), "{:?}", panic.ending);
}

fn survives_deaths() {
    let abort = run(Limits::default(), |reporter| {
        reporter.phase(Phase::Loading, "a.bc");
        eprintln!("LLVM ERROR: no");
        std::process::abort()
    });
    let how = "aborted: LLVM ERROR: no".to_string();
    assert!(matches!(&abort.ending, Ending::Died(Death::Crash(text)) if *text == how), "{:?}", abort.ending);
    assert_eq!(abort.last_phase(), (Phase::Loading, "a.bc"));

    let memory = run(Limits { memory_bytes: Some(1 << 30), timeout: None }, |_| {
        // The optimiser leaves out an allocation that nobody looks at.
        Ok(std::hint::black_box(vec![1u8; 2 << 30]).len() as u64)
    });
    assert!(matches!(memory.ending, Ending::Died(Death::OutOfMemory)), "{:?}", memory.ending);

    let stack = run(Limits::default(), |_| Ok(deep(1)));
    assert!(matches!(stack.ending, Ending::Died(Death::StackOverflow)), "{:?}", stack.ending);
}

#[allow(unconditional_recursion, reason = "it is to overflow the stack")]
fn deep(n: u64) -> u64 {
    std::hint::black_box(deep(std::hint::black_box(n + 1))) + n
}

fn keeps_time() {
    let timeout = Duration::from_millis(500);
    let start = Instant::now();
    let slow = run(Limits { timeout: Some(timeout), memory_bytes: None }, |_| {
        // A process of its own: it must end with the worker.
        std::process::Command::new("sleep").arg("1000").status()?;
        Ok(0)
    });
    assert!(matches!(slow.ending, Ending::TimedOut), "{:?}", slow.ending);
    assert!(start.elapsed() < timeout, "{:?}", start.elapsed());

    let polite = run(Limits { timeout: Some(Duration::from_secs(2)), memory_bytes: None }, |reporter| {
        let left = reporter.deadline().expect("a deadline") - Instant::now();
        Ok(left.as_millis() as u64)
    });
    assert!(matches!(polite.ending, Ending::Finished(1000..2000)), "{:?}", polite.ending);
}

fn obeys_interrupts() {
    worker::catch_interrupts();
    let parent = std::process::id() as libc::pid_t;
    let run = run(Limits::default(), |_| {
        // SAFETY: a signal to our own parent, which catches it.
        unsafe { libc::kill(parent, libc::SIGINT) };
        std::thread::sleep(Duration::from_secs(1000));
        Ok(0)
    });
    assert!(matches!(run.ending, Ending::Interrupted), "{:?}", run.ending);
}

fn main() {
    // The last one leaves the process interrupted.
    let checks: [(&str, fn()); 6] = [
        ("finishes_with_phases", finishes_with_phases),
        ("hands_on_large_results", hands_on_large_results),
        ("tells_errors_apart", tells_errors_apart),
        ("survives_deaths", survives_deaths),
        ("keeps_time", keeps_time),
        ("obeys_interrupts", obeys_interrupts),
    ];
    for (name, check) in checks {
        check();
        println!("test {name} ... ok");
    }
    println!("\ntest result: ok. {} passed; 0 failed", checks.len());
}
