//! The long run of the differential test: `cargo run -p kerf-tests --bin differential --release -- --count 10000 --seed 0 --jobs 2`.
//!
//! `--style hardware` has programs in the style of hardware models. Exit code 0 if nothing disagrees, 1 if something does. Programs that show a disagreement are kept in the folder of `--keep`.

use anyhow::{Context, Result, bail};
use kerf_tests::differential::{Options, Style, compare};
use std::process::ExitCode;
use std::time::{Duration, Instant};

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
    let mut options = Options {
        style: Style::General,
        seed: 0,
        count: 1000,
        jobs: 2,
        timeout: Duration::from_millis(2000),
        keep: Some(std::env::temp_dir().join("kerf-differential")),
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().with_context(|| format!("{name} needs a value"))?;
        let number = || value.parse::<u64>().with_context(|| format!("{name}: {value} is no number"));
        match name.as_str() {
            "--style" if value == "general" => options.style = Style::General,
            "--style" if value == "hardware" => options.style = Style::Hardware,
            "--seed" => options.seed = number()?,
            "--count" => options.count = number()? as usize,
            "--jobs" => options.jobs = number()? as usize,
            "--timeout-ms" => options.timeout = Duration::from_millis(number()?),
            "--keep" => options.keep = Some(value.into()),
            _ => bail!(
                "unknown option {name}; there are --style general|hardware, --seed, --count, --jobs, --timeout-ms, --keep"
            ),
        }
    }
    Ok(options)
}
