//! The long run of the test of slices by execution: `cargo run -p kerf-tests --bin slices --release -- --count 5000 --seed 0 --jobs 2`.
//!
//! Exit code 0 if nothing disagrees, 1 if something does. Programs that show a disagreement are kept in the folder of `--keep`.

use anyhow::{Context, Result, bail};
use kerf_tests::slices::{Options, compare};
use std::process::ExitCode;
use std::time::Instant;

fn main() -> Result<ExitCode> {
    let options = options()?;
    let start = Instant::now();
    let summary = compare(&options, &|so_far| eprintln!("{:6.0?} {so_far}", start.elapsed().as_secs()))?;
    for d in &summary.disagreements {
        println!("{d}");
    }
    println!("{summary}; {:.0} s", start.elapsed().as_secs_f64());
    Ok(if summary.disagreements.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn options() -> Result<Options> {
    let keep = Some(std::env::temp_dir().join("kerf-slices"));
    let mut options = Options { seed: 0, count: 1000, jobs: 2, batch: 50, builds: 2, inputs: 3, keep };
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().with_context(|| format!("{name} needs a value"))?;
        let number = || value.parse::<u64>().with_context(|| format!("{name}: {value} is no number"));
        match name.as_str() {
            "--seed" => options.seed = number()?,
            "--count" => options.count = number()? as usize,
            "--jobs" => options.jobs = number()? as usize,
            "--batch" => options.batch = number()? as usize,
            "--builds" => options.builds = number()? as usize,
            "--inputs" => options.inputs = number()? as usize,
            "--keep" => options.keep = Some(value.into()),
            _ => bail!("unknown option {name}; there are --seed, --count, --jobs, --batch, --builds, --inputs, --keep"),
        }
    }
    Ok(options)
}
