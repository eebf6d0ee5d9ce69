//! `kerf config show`: the effective settings and where each comes from.

use anyhow::Result;

use super::print;
use crate::cli::{ConfigArgs, ConfigCommand, partial};
use crate::config::Settings;

pub(super) fn run(args: ConfigArgs) -> Result<u8> {
    let ConfigCommand::Show(args) = args.command;
    let options = partial(&args.input, Some(&args.property), Some(&args.strategy));
    let settings = Settings::resolve(args.input.config.as_deref(), options)?;
    let rows = settings.rows();
    if args.json {
        let entry = |(name, value, source): &(&str, String, String)| {
            let value = value.trim_matches('"');
            (name.to_string(), serde_json::json!({ "value": value, "source": source }))
        };
        let object: serde_json::Map<_, _> = rows.iter().map(entry).collect();
        print(&format!("{:#}\n", serde_json::Value::Object(object)))?;
    } else {
        let width = rows.iter().map(|(name, value, _)| name.len() + value.len()).max().unwrap_or(0) + 3;
        for (name, value, source) in rows {
            print(&format!("{:width$}  # {source}\n", format!("{name} = {value}")))?;
        }
    }
    Ok(0)
}
