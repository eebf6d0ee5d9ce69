//! Open programs against native runs: `cargo run --release -p kerf-tests --bin open -- --count 10000 --seed 0 --jobs 2 --families defaults,weak`.
//!
//! Exit code 0 if nothing disagrees, 1 if something does. Programs that show a disagreement are kept in the folder of `--keep`, each with an
//! outside: `clang -O0 -w -Dmain=program_main -c 7.c && clang -O0 -w 7.o 7.outside.c && ./a.out 24 main`.

use anyhow::{Context, Result, bail};
use kerf_tests::open::{Family, Options, compare};
use std::process::ExitCode;
use std::time::{Duration, Instant};

fn main() -> Result<ExitCode> {
    let options = options()?;
    let start = Instant::now();
    let summary = compare(&options, &|so_far| eprintln!("{:6} {}", start.elapsed().as_secs(), so_far.all()))?;
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
        families: Family::ALL.map(|(_, family)| family).to_vec(),
        jobs: 2,
        timeout: Duration::from_secs(4),
        keep: Some(std::env::temp_dir().join("kerf-open")),
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
            "--families" => {
                let named = |name| Family::named(name).with_context(|| format!("there is no family {name}"));
                options.families = value.split(',').map(named).collect::<Result<_>>()?;
            }
            _ => bail!("unknown option {name}; there are --seed, --count, --families, --jobs, --timeout-ms, --keep"),
        }
    }
    Ok(options)
}
