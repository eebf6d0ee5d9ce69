//! Limits on time and memory as users write them: `900s`, `15min`, `15GB`, `500MiB`. `worker` enforces them.

use std::time::Duration;

/// What a worker process may use.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limits {
    /// Wall-clock time within which the verdict must be printed.
    pub timeout: Option<Duration>,
    /// Address space in bytes. If a smaller limit is already in force, it stays.
    pub memory_bytes: Option<u64>,
}

impl Limits {
    /// The time after which a worker should give up on its own, so that it can still say why: the timeout less 3 % and 0.3 s.
    pub fn soft_timeout(&self) -> Option<Duration> {
        self.timeout.map(|t| t.saturating_sub(t.mul_f64(0.03) + Duration::from_millis(300)).max(t.mul_f64(0.5)))
    }

    /// The time after which the parent terminates the worker, just early enough to print the verdict within the timeout.
    pub fn hard_timeout(&self) -> Option<Duration> {
        self.timeout.map(|t| t.saturating_sub(Duration::from_millis(60)).max(t.mul_f64(0.8)))
    }
}

/// Reads a time: a number with an optional unit `ms`, `s` (the default), `min`, `m` or `h`.
///
/// # Errors
/// One line: the text does not begin with a number, the unit is unknown, or the time is zero or too large.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split_unit(text)?;
    let factor = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("'{unit}' is not a unit of time (ms, s, min, h)")),
    };
    Duration::try_from_secs_f64(number * factor)
        .ok()
        .filter(|d| !d.is_zero() && d.as_secs() < 1 << 40)
        .ok_or_else(|| format!("'{text}' is out of range"))
}

/// Reads an amount of memory: a number with an optional unit `B`, `kB`, `MB` (the default), `GB`, `TB`, `KiB`, `MiB`, `GiB`.
///
/// # Errors
/// One line: the text does not begin with a number, the unit is unknown, or the amount is less than 1 MB or too large.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = split_unit(text)?;
    let factor = match unit.to_ascii_lowercase().as_str() {
        "b" => 1.0,
        "k" | "kb" => 1e3,
        "" | "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "t" | "tb" => 1e12,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err(format!("'{unit}' is not a unit of memory (MB, GB, MiB, GiB)")),
    };
    let bytes = number * factor;
    if (1e6..1e18).contains(&bytes) {
        Ok(bytes as u64)
    } else {
        Err(format!("'{text}' is out of range (at least 1MB)"))
    }
}

/// The time in a form that [`parse_duration`] reads.
pub fn show_duration(duration: Duration) -> String {
    if duration.subsec_nanos() == 0 {
        format!("{}s", duration.as_secs())
    } else {
        format!("{}ms", duration.as_millis())
    }
}

/// The amount in a form that [`parse_bytes`] reads.
pub fn show_bytes(bytes: u64) -> String {
    match bytes {
        b if b % 1_000_000_000 == 0 => format!("{}GB", b / 1_000_000_000),
        b if b % (1 << 30) == 0 => format!("{}GiB", b >> 30),
        b if b % 1_000_000 == 0 => format!("{}MB", b / 1_000_000),
        b => format!("{b}B"),
    }
}

fn split_unit(text: &str) -> Result<(f64, &str), String> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number = text[..end].parse().map_err(|_| format!("'{text}' does not begin with a number"))?;
    Ok((number, text[end..].trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_amounts_are_read_and_shown() {
        for text in ["900s", "250ms", "1s"] {
            assert_eq!(parse_duration(text).map(show_duration), Ok(text.to_string()));
        }
        assert_eq!(parse_duration("2 min"), Ok(Duration::from_secs(120)));
        assert_eq!(parse_duration("15"), Ok(Duration::from_secs(15)));
        for text in ["15GB", "8GiB", "500MB"] {
            assert_eq!(parse_bytes(text).map(show_bytes), Ok(text.to_string()));
        }
        for text in ["", "s", "0s", "-3", "1y", "1e300h", "99999999999999999999h"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
        for text in ["", "0", "1B", "3XB", "9999999999TB"] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_worker_gives_up_before_it_is_ended_and_that_before_the_timeout() {
        for timeout_ms in [1, 10, 100, 1_000, 15_000, 900_000] {
            let timeout = Duration::from_millis(timeout_ms);
            let limits = Limits { timeout: Some(timeout), memory_bytes: None };
            let (soft, hard) = (limits.soft_timeout().unwrap(), limits.hard_timeout().unwrap());
            assert!(soft < hard && hard < timeout, "{soft:?} {hard:?} {timeout:?}");
        }
    }
}
