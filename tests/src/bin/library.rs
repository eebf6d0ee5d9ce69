//! The library's models against glibc: `cargo run --release -p kerf-tests --bin library -- --count 10000 --seed 0 --jobs 2 --only str`.
//!
//! Exit code 0 if nothing disagrees, 1 if something does. Programs that show a disagreement are kept in the folder of `--keep`. With
//! `--only` come only functions whose names contain that.

use anyhow::{Context, Result, bail};
use kerf_tests::library::{Options, compare};
use std::process::ExitCode;
use std::time::{Duration, Instant};

fn main() -> Result<ExitCode> {
    let options = options()?;
    let start = Instant::now();
    let summary = compare(&options, &|so_far| {
        let (calls, wrong) = (so_far.calls, so_far.disagreements.len());
        eprintln!("{:6} {calls} calls, {wrong} disagreements", start.elapsed().as_secs());
    })?;
    for d in &summary.disagreements {
        println!("{d}");
    }
    println!("{summary}; {:.0} s", start.elapsed().as_secs_f64());
    Ok(if summary.disagreements.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn options() -> Result<Options> {
    let mut options = Options {
        seed: 0,
        count: 1000,
        only: String::new(),
        jobs: 2,
        timeout: Duration::from_secs(4),
        keep: Some(std::env::temp_dir().join("kerf-library")),
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().with_context(|| format!("{name} needs a value"))?;
        let number = || value.parse::<u64>().with_context(|| format!("{name}: {value} is no number"));
        match name.as_str() {
            "--seed" => options.seed = number()?,
            "--count" => options.count = number()? as usize,
            "--jobs" => options.jobs = number()? as usize,
            "--timeout-ms" => options.timeout = Duration::from_millis(number()?),
            "--keep" => options.keep = Some(value.into()),
            "--only" => options.only = value,
            _ => bail!("unknown option {name}; there are --seed, --count, --only, --jobs, --timeout-ms, --keep"),
        }
    }
    Ok(options)
}
